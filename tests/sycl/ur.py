#!/usr/bin/env python3
"""ur.py FOLDER RUNTIME TABLE SETTING...: runs the programs in FOLDER, those of Unified Runtime's
conformance suite by their suites' names, on the runtime and loader in RUNTIME (start.sh), with each
setting, on the driver that the environment names. One process runs many tests; one that crashes, or
says nothing for a minute, ends its process, and the next test begins another.

Fails where a test fails that ur.tsv does not name; what it leaves out is not run. TABLE is written:
what each suite gave, and what failed, with the first line of the reason."""
import fnmatch
import os
import pathlib
import re
import select
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
PATIENCE, MANY = 60, 150
STARTS = re.compile(r"\[ RUN      \] (\S+)")
ENDS = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] (\S+?)(?:,? where .*)? \(\d+ ms\)")
DEVICE = re.compile(r"UR_BACKEND.*?zecl_device_*")


class Known:
    """The rows of ur.tsv for one suite with one setting."""

    def __init__(self, setting, suite):
        lines = (HERE / "ur.tsv").read_text(encoding="utf-8").splitlines()
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        self.rows = [(kind, pattern) for settings, kind, of, pattern, _ in rows
                     if setting in settings.split() and of == suite]

    def has(self, kind, test):
        name = DEVICE.sub("", test)
        return any(fnmatch.fnmatchcase(name, pattern) for k, pattern in self.rows if k == kind)


def start(command, tests):
    return subprocess.Popen(command + ["--gtest_color=no", "--gtest_filter=" + ":".join(tests)],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)


def lines_of(process):
    """Yields lines; ends the process where none comes."""
    rest = b""
    while True:
        if not select.select([process.stdout], [], [], PATIENCE)[0]:
            os.killpg(process.pid, signal.SIGKILL)
            yield "no answer"
            return
        data = os.read(process.stdout.fileno(), 65536)
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace")


def run(command, tests):
    """Yields (test, OK, FAILED or SKIPPED, first line of the reason)."""
    while tests:
        process, test, said, done = start(command, tests[:MANY]), None, [], set()
        for line in lines_of(process):
            begun, ended = STARTS.match(line), ENDS.search(line)
            if begun:
                test, said = begun[1], []
            elif test and ended and ended[2].rstrip(",") == test:
                yield test, ended[1], said[0] if said else ""
                done.add(test)
                test = None
            elif line.strip():
                said.append(line.strip())
        code = process.wait()
        if test:
            yield test, "FAILED", said[0] if said else f"ended with {code}"
            done.add(test)
        for other in tests[:MANY] if not done else ():
            yield other, "FAILED", "not run"
            done.add(other)
        tests = [test for test in tests if test not in done]


def names(command):
    listed = subprocess.run(command + ["--gtest_list_tests"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, timeout=600, check=False)
    suite = ""
    for line in listed.stdout.decode("utf-8", "replace").splitlines():
        if re.match(r"\S+\.(\s|$)", line):
            suite = line.split()[0]
        elif suite and line.startswith("  "):
            yield suite + line.split()[0]


def main(folder, runtime, table, settings):
    totals, rows, failures, wrong = {"OK": 0, "SKIPPED": 0, "FAILED": 0}, [], [], 0
    for setting in settings:
        adapter = "_v2" if setting.startswith("v2") else ""
        os.environ["UR_ADAPTERS_FORCE_LOAD"] = str(
            pathlib.Path(runtime).resolve() / f"runtime/lib/libur_adapter_level_zero{adapter}.so.0")
        for program in sorted(pathlib.Path(folder).resolve().iterdir()):
            command = [str(HERE / "start.sh"), runtime, setting, str(program)]
            counts, known = dict.fromkeys(totals, 0), Known(setting, program.name)
            tests = [test for test in names(command) if not known.has("out", test)]
            for test, how, why in run(command, tests):
                name, is_known = DEVICE.sub("", test), known.has("fails", test)
                counts[how] += 1
                if how == "FAILED":
                    failures.append(f"* {setting} `{name}`{'' if is_known else ', new'}: {why}")
                    wrong += not is_known
                    if not is_known:
                        print(f"FAIL {setting} {name}: {why}", flush=True)
            rows.append(f"| {program.name} | {setting} | {sum(counts.values())} | {counts['OK']} | "
                        f"{counts['FAILED']} | {counts['SKIPPED']} |")
            print(rows[-1], flush=True)
            for how in counts:
                totals[how] += counts[how]
    head = ["| suite | setting | tests | passed | failed | skipped |", "|---|---|---|---|---|---|"]
    pathlib.Path(table).write_text("\n".join(head + rows + [""] + failures) + "\n", encoding="utf-8")
    print(f"{totals['OK']} passed, {wrong} failed, {totals['SKIPPED']} skipped; "
          f"{totals['FAILED'] - wrong} known failures")
    return 1 if wrong or not totals["OK"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4], sys.argv[4:]))
