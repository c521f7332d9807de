"""Runs test programs, whole or case by case, and finds what each of them reaches."""
import glob
import os
import re
import resource
import signal
import subprocess
import tempfile
import time

from build import MOST


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


class Result:
    def __init__(self, passed, cpu, wall, text):
        self.passed, self.cpu, self.wall, self.text = passed, cpu, wall, text


class Runner:
    def __init__(self, driver):
        self.driver = os.path.abspath(driver)

    def environment(self, source, more):
        env = dict(os.environ, **more)
        on_device = re.search("/(device|build|trace)/", source) is not None
        env["ZE_ENABLE_ALT_DRIVERS"] = self.driver if on_device else "none"
        env["POCL_KERNELLIB_NAME"] = "avx2"
        env["POCL_CACHE_DIR"] = os.path.abspath("build/pocl")
        # Freed memory is overwritten, so that a later read finds other contents.
        env["MALLOC_PERTURB_"] = "165"
        env["ASAN_OPTIONS"] = "fast_unwind_on_malloc=1:detect_leaks=1"
        env["LSAN_OPTIONS"] = "suppressions=%s:print_suppressions=0" % os.path.abspath("tests/lsan.supp")
        env["TSAN_OPTIONS"] = "halt_on_error=1:suppressions=" + os.path.abspath("tests/tsan.supp")
        # Quick runs of what takes minutes.
        env["COUNT"] = env.get("COUNT", "2000")
        env["SWEEP_STEP"] = env.get("SWEEP_STEP", "149")
        return env

    def run(self, source, target, case, cpu, wall, more):
        """A program that takes `cpu` seconds of the processor, or sleeps for four seconds on end,
        fails."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        command = [os.path.abspath(target)] + ([case] if case else [])
        if "thread/" in target or "address/" in target:
            command = ["setarch", "-R"] + command
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                       stdin=subprocess.DEVNULL, preexec_fn=limit,
                                       start_new_session=True, env=self.environment(source, more))
            start = time.monotonic()
            code, took = self.wait(process, wall)
            elapsed = time.monotonic() - start
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            output.seek(0)
            text = output.read().decode(errors="replace")
        passed = code == 0 and re.search(r"^\d+ passed, 0 failed", text, flags=re.M) is not None
        return Result(passed, took, elapsed, text)

    @staticmethod
    def wait(process, wall):
        """The process's code, null if it was ended, and the processor's seconds it took."""
        start, pause, looked, still, used = time.monotonic(), 0.002, 0.0, 0, None
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, usage.ru_utime + usage.ru_stime
            now = time.monotonic() - start
            if now - looked >= 0.2:
                looked, before, used = now, used, activity(process.pid)
                still = still + 1 if used is not None and used == before else 0
            if now >= wall or still >= 20:
                process.kill()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = -9
                return None, usage.ru_utime + usage.ru_stime
            time.sleep(pause)
            pause = min(pause * 1.5, 0.1)

    def reach(self, source, target, case):
        """A run without a mutant, and the mutants that it reached."""
        with tempfile.NamedTemporaryFile() as reached:
            result = self.run(source, target, case, 120, 240, {"SYCLZE_MUTANT_REACHED": reached.name})
            marks = reached.read()
        found = set()
        for at in range(0, len(marks), MOST):
            found |= {i for i, mark in enumerate(marks[at:at + MOST]) if mark}
        return result, sorted(found)

    def measure(self, source, target, key, store):
        """What each case of a program that passes without a mutant takes and reaches: its name, the
        processor's seconds, seconds and mutants. A program that fails has the cases that pass
        alone; null if there are none."""
        known = store.get(source)
        if known is not None and known[0] == key:
            return known[1]
        whole, reached = self.reach(source, target, "")
        if not whole.passed:
            print("fails without a mutant: %s\n%s" % (source, whole.text[-300:]), flush=True)
        cases = []
        for name in re.findall(r"^(?:pass|FAIL) (\w+)\b", whole.text, flags=re.M):
            result, found = self.reach(source, target, name)
            if result.passed:
                cases.append([name, result.cpu, result.wall, found])
        if not whole.passed and not cases:
            return None
        measured = {"cpu": whole.cpu, "wall": whole.wall, "reached": reached, "cases": cases,
                    "passed": whole.passed}
        store.put(source, [key, measured])
        return measured
