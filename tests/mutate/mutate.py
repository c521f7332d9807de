#!/usr/bin/env python3
"""Mutates the library and counts the mutants that the tests catch: `make mutate`.

usage: mutate.py [--sample N] [--files PATTERN] [--mutants N,N] [--jobs N] [--all-programs]

All mutants are in one build (rewrite.py). For each, the programs that reach it run, fast ones first,
until one fails; what passes all of them is run once more under AddressSanitizer, and mutants of locks
and memory orders under ThreadSanitizer. build/mutate/report.txt lists all, survivors last.
tests/mutate/equivalent.tsv lists those that change nothing that can be seen, each with its reason.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import rewrite

BUILD = "build/mutate"
INCLUDE = BUILD + "/include"
MOST = 1 << 14
# One copy of what is not inlined, for all files of a program.
DECLARATIONS = "-DSYCLZE_DECLARATIONS"
VARIANTS = {"plain": "-O1", "address": "-O1 -fsanitize=address -fno-omit-frame-pointer",
            "thread": "-O1 -fsanitize=thread"}
WITHOUT_THREAD = re.compile(r"tests/orders/support/(strict|plain)_")
# Programs that do not test the mutated files, or take long without testing more of them.
LEFT_OUT = re.compile(r"offload|selector|trace_|_scale|thread_worker|command_exit|images|/exit|random$"
                      r"|thread_command_random|peers|revisions|sub_device")


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **more)


class Build:
    def __init__(self, jobs, patterns):
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.rewriters, self.dropped = [], set()
        number = 1
        files = sorted(glob.glob("syclze/*.h") + glob.glob("syclze/detail/*.h") +
                       glob.glob("syclze/command/**/*.h", recursive=True))
        for path in files:
            if "trace_hooks" in path or "call_site" in path:
                continue
            if patterns and not any(fnmatch.fnmatch(path, "*" + p + "*") for p in patterns):
                continue
            with open(path) as file:
                rewriter = rewrite.Rewriter(path, file.read(), number)
            number = rewriter.scan()
            self.rewriters.append(rewriter)
        if number >= MOST:
            sys.exit("mutate: too many mutants for mutant.c")
        self.mutants = {m[0]: m for r in self.rewriters for m in r.mutants}

    def write(self):
        shutil.rmtree(INCLUDE, ignore_errors=True)
        shutil.copytree("syclze", INCLUDE + "/syclze")
        for rewriter in self.rewriters:
            with open(INCLUDE + "/" + rewriter.path, "w") as file:
                file.write(rewriter.write(self.dropped))
        # config.h comes before everything, mutated or not.
        config = INCLUDE + "/syclze/config.h"
        with open(config) as file:
            text = file.read()
        with open(config, "w") as file:
            file.write('#include "tests/mutate/mutant.h"\n#line 1\n' + text)
        headers = [h for h in ["syclze.h", "command.h", "native.h", "scope.h", "check.h", "loader.h"]
                   if os.path.exists("syclze/" + h) and h not in ("check.h",)]
        headers += ["command/" + os.path.basename(h) for h in sorted(glob.glob("syclze/command/*.h"))]
        headers += ["offload/offload.h"]
        with open(BUILD + "/all.c", "w") as file:
            file.write("#define SYCLZE_IMPLEMENTATION\n#define SYCLZE_DECLARATIONS\n" +
                       "".join('#include "syclze/%s"\n' % h for h in headers))

    def compile(self, variant, source, target, flags=""):
        options = VARIANTS[variant]
        if variant == "thread" and WITHOUT_THREAD.search(source):
            options = "-O1"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        command = "cc -std=c11 -w -g1 -ftrivial-auto-var-init=pattern -fmax-errors=0 -pthread %s %s -I%s -I. -c -o %s %s" % (
            options, flags, INCLUDE, target, source)
        return run(command, shell=True)

    def settle(self):
        """Drops the mutants that do not compile."""
        for _ in range(12):
            self.write()
            bad = set()
            jobs = [self.pool.submit(self.compile, "plain", BUILD + "/all.c", BUILD + "/%d.o" % i, f)
                    for i, f in enumerate(("", "-DSYCLZE_CHECK"))]
            for job in jobs:
                done = job.result()
                if done.returncode == 0:
                    continue
                for path, line in re.findall(r"%s/(\S+?):(\d+):\d+: (?:error|note: in exp)" % INCLUDE,
                                             done.stdout):
                    path = os.path.normpath(path)
                    near = {n: abs(m[2] - int(line)) for n, m in self.mutants.items()
                            if m[1] == path and n not in self.dropped}
                    bad |= {n for n in near if near[n] == min(near.values()) and near[n] < 4}
                if not bad:
                    sys.exit("mutate: does not compile\n" + done.stdout[-3000:])
            if not bad:
                break
            self.dropped |= bad
        for number in self.dropped:
            del self.mutants[number]

    def program(self, variant, source):
        """Links a test program; null if it cannot be built."""
        folder = os.path.dirname(source)
        out = "%s/%s" % (BUILD, variant)
        target = "%s/%s" % (out, source[:-2])
        support = sorted(glob.glob(folder + "/support/*.c"))
        wrap = folder + "/wrap.txt"
        objects = ["%s/%s.o" % (out, s[:-2]) for s in support]
        objects += [out + "/mutant.o"] + ([out + "/all.o"] if DECLARATIONS else [])
        for flags in (DECLARATIONS, ""):
            done = self.compile(variant, source, target + ".o", flags)
            if done.returncode == 0:
                done = run("cc %s -pthread -o %s %s.o %s %s -lze_loader -ldl -lm" % (
                    VARIANTS[variant], target, target, " ".join(objects),
                    "@" + wrap if os.path.exists(wrap) else ""), shell=True)
            if done.returncode == 0:
                return target
        print("not built: %s\n%s" % (source, done.stdout[-800:]))
        return None

    def programs(self, variant, sources):
        out = "%s/%s" % (BUILD, variant)
        support = {s for source in sources
                   for s in glob.glob(os.path.dirname(source) + "/support/*.c")}
        jobs = [self.pool.submit(self.compile, variant, s, "%s/%s.o" % (out, s[:-2]),
                                 DECLARATIONS) for s in sorted(support)]
        jobs.append(self.pool.submit(self.compile, variant, BUILD + "/all.c", out + "/all.o"))
        jobs.append(self.pool.submit(self.compile, variant, "tests/mutate/mutant.c",
                                     out + "/mutant.o"))
        for job in jobs:
            done = job.result()
            if done.returncode != 0:
                print(done.stdout[-1500:])
        return dict(zip(sources, self.pool.map(lambda s: self.program(variant, s), sources)))


def activity(process):
    """The processor's ticks that a process took; null while one of its threads is ready to run."""
    ticks = 0
    try:
        for path in glob.glob("/proc/%d/task/*/stat" % process):
            with open(path) as file:
                fields = file.read().rsplit(")", 1)[1].split()
            if fields[0] in "RD":
                return None
            ticks += int(fields[11]) + int(fields[12])
        with open("/proc/%d/task/%d/children" % (process, process)) as file:
            for child in file.read().split():
                more = activity(int(child))
                if more is None:
                    return None
                ticks += more
    except (OSError, IndexError, ValueError):
        return None
    return ticks


class Runner:
    def __init__(self, driver):
        self.driver = os.path.abspath(driver)

    def environment(self, source, more):
        env = dict(os.environ, **more)
        env["ZE_ENABLE_ALT_DRIVERS"] = self.driver if "/device/" in source else "none"
        env["ASAN_OPTIONS"] = "fast_unwind_on_malloc=1:detect_leaks=1"
        env["LSAN_OPTIONS"] = "suppressions=%s:print_suppressions=0" % os.path.abspath("tests/lsan.supp")
        env["TSAN_OPTIONS"] = "halt_on_error=1"
        env["COUNT"] = env.get("COUNT", "6000")
        return env

    def run(self, source, target, cpu, wall, more):
        """Whether the program passes, and the processor's seconds it took. A program that takes
        `cpu` seconds of the processor, or sleeps for four seconds on end, fails."""
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        command = [os.path.abspath(target)]
        if "thread/" in target or "address/" in target:
            command = ["setarch", "-R"] + command
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                       stdin=subprocess.DEVNULL, preexec_fn=limit,
                                       start_new_session=True,
                                       env=self.environment(source, more))
            start = time.monotonic()
            code, still, used = None, 0, None
            while code is None and time.monotonic() - start < wall and still < 20:
                try:
                    code = process.wait(0.2)
                except subprocess.TimeoutExpired:
                    before, used = used, activity(process.pid)
                    still = still + 1 if used is not None and used == before else 0
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            output.seek(0)
            text = output.read().decode(errors="replace")
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
        passed = code == 0 and re.search(r"^\d+ passed, 0 failed", text, flags=re.M) is not None
        return passed, took, time.monotonic() - start, text


def measure(runner, source, target):
    with tempfile.NamedTemporaryFile() as reached:
        passed, cpu, wall, text = runner.run(source, target, 120, 240, {
            "SYCLZE_MUTANT_REACHED": reached.name})
        marks = reached.read()
    found = set()
    for at in range(0, len(marks), MOST):
        block = marks[at:at + MOST]
        found |= {i for i in range(len(block)) if block[i]}
    return passed, cpu, wall, found, text


def equivalents():
    table = {}
    with open("tests/mutate/equivalent.tsv") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                path, operator, text, reason = line.rstrip("\n").split("\t")
                table[(path, operator, text)] = reason
    return table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--files", default="")
    parser.add_argument("--mutants", default="")
    parser.add_argument("--jobs", type=int, default=2 * os.cpu_count())
    parser.add_argument("--driver", default="build/debug/libzecl.so")
    parser.add_argument("--suites", default="unit,orders,device")
    parser.add_argument("--seconds", type=float, default=6, help="of a program, at most")
    parser.add_argument("--each", action="store_true", help="each file has bodies of its own")
    options = parser.parse_args()
    if options.each:
        global DECLARATIONS
        DECLARATIONS = ""
    os.makedirs(BUILD, exist_ok=True)
    build = Build(options.jobs, [p for p in options.files.split(",") if p])
    build.settle()
    sources = [s for suite in options.suites.split(",") for s in sorted(glob.glob("tests/%s/*.c" % suite))
               if not LEFT_OUT.search(s[:-2]) or s.endswith("thread_random.c")]
    targets = build.programs("plain", sources)
    runner = Runner(options.driver)
    programs = []
    for source in sources:
        if targets[source] is None:
            continue
        passed, cpu, wall, found, text = measure(runner, source, targets[source])
        if not passed:
            print("fails without a mutant: %s\n%s" % (source, text[-300:]))
        elif cpu <= options.seconds:
            programs.append((cpu, wall, source, found))
    programs.sort()
    reached = set().union(*(p[3] for p in programs)) if programs else set()
    chosen = sorted(build.mutants)
    if options.mutants:
        chosen = [int(n) for n in options.mutants.split(",")]
    elif options.sample and options.sample < len(chosen):
        step = len(chosen) / options.sample
        chosen = [chosen[int(i * step)] for i in range(options.sample)]
    print("%d mutants, %d do not compile, %d reached, %d chosen; %d programs, %.0f s of them" % (
        len(build.mutants) + len(build.dropped), len(build.dropped),
        len(reached & set(build.mutants)), len(chosen), len(programs), sum(p[0] for p in programs)))

    def attempt(number, variant, built):
        """The program that fails with the mutant; null if none does."""
        for cpu, wall, source, found in programs:
            slower = 1 if variant == "plain" else 10
            if number not in found or built.get(source) is None:
                continue
            passed, _, _, _ = runner.run(source, built[source], 4 + 6 * cpu * slower,
                                         60 + 30 * wall * slower, {"SYCLZE_MUTANT": str(number)})
            if not passed:
                return source + (" (%s)" % variant if variant != "plain" else "")
        return None

    sys.stdout.flush()
    killed = {}
    for number, by in zip(chosen, build.pool.map(lambda n: attempt(n, "plain", targets), chosen)):
        if by is not None:
            killed[number] = by
    for variant, chosen_operators in (("address", None), ("thread", ("lock", "order"))):
        left = [n for n in chosen if n not in killed and n in reached and
                (chosen_operators is None or build.mutants[n][3] in chosen_operators)]
        some = [s for s in sources if re.search(
            r"tests/orders/(order|thread)_" if variant == "address" else r"/thread_", s)
            and targets.get(s) is not None]
        if not left or not some:
            continue
        built = build.programs(variant, some)
        for source in some:
            if built[source] is not None and not runner.run(
                    source, built[source], 300, 600, {})[0]:
                print("fails without a mutant (%s): %s" % (variant, source))
                built[source] = None
        for number, by in zip(left, build.pool.map(lambda n: attempt(n, variant, built), left)):
            if by is not None:
                killed[number] = by
    report(build, chosen, killed, reached)


def report(build, chosen, killed, reached):
    table, used = equivalents(), set()
    lines, counts = [], {"killed": 0, "equivalent": 0, "survived": 0, "unreached": 0}
    for number in chosen:
        _, path, line, operator, text = build.mutants[number]
        key = (path, operator, text)
        state = "killed" if number in killed else "equivalent" if key in table else \
            "survived" if number in reached else "unreached"
        if state == "equivalent":
            used.add(key)
        counts[state] += 1
        lines.append((state in ("survived", "unreached"), number, "%-10s %d %s:%d %s: %s%s" % (
            state, number, path, line, operator, text,
            "  [%s]" % killed[number] if number in killed else "")))
    with open(BUILD + "/report.txt", "w") as file:
        for _, _, line in sorted(lines):
            file.write(line + "\n")
    for last, _, line in sorted(lines):
        if last:
            print(line)
    real = counts["killed"] + counts["survived"] + counts["unreached"]
    print("%d mutants: %d killed, %d equivalent, %d survived, %d reached by no test: %.1f %%" % (
        len(chosen), counts["killed"], counts["equivalent"], counts["survived"],
        counts["unreached"], 100.0 * counts["killed"] / max(real, 1)))


main()
