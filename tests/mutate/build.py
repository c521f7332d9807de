"""Builds the test programs over headers that hold all mutants, and only what changed since."""
import atexit
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
import time

import rewrite

BUILD = "build/mutate"
INCLUDE = BUILD + "/include"
LIBRARY, FAILING_LIBRARY = "tests/library.c", "tests/library_failing.c"
MOST = 1 << 16
# The invariants run, as in the tests; and what these load: the subscriber of traces, and the stand-in
# for ocloc's library.
DEFINES = " -DSYCLZE__INVARIANTS=1 -DTRACE_LIBRARIES='\"%s\"' -DOCLOC='\"%s\"'" % (
    os.path.abspath("build/debug/tests/trace/subscriber"),
    os.path.abspath("build/debug/tests/offload/libocloc.so"))
# One copy of what is not inlined, for all files of a program.
DECLARATIONS = "-DSYCLZE_DECLARATIONS"
# Without optimisation that takes a variable's pattern for its value.
VARIANTS = {"plain": "-Og", "address": "-O1 -fsanitize=address -fno-omit-frame-pointer",
            "thread": "-O1 -fsanitize=thread"}
# Files that read private data, or have another configuration, have bodies of their own.
PRIVATE = re.compile(r"tests/unit/support/|/(un)?traced\.c")
# DPC++'s property arrays, for programs of other suites that have images with them.
PROPERTIES = "tests/offload/support/properties.c"
WITH_PROPERTIES = re.compile(r"device/offload_(global|launch|linked|memory)|sweep_globals")
MUTANT = "tests/mutate/mutant.c"
WITHOUT_THREAD = re.compile(r"tests/orders/support/(strict|plain)_")


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **more)


def digest(paths, *more):
    """A key of files' contents and of texts."""
    sum_of = hashlib.sha256("\0".join(more).encode())
    for path in sorted(paths):
        sum_of.update(path.encode())
        with open(path, "rb") as file:
            sum_of.update(file.read())
    return sum_of.hexdigest()


def library_files():
    return glob.glob("syclze/**/*.h", recursive=True)


class Store:
    """A JSON file under build/mutate whose entries outlast a run. Written every few seconds, since it
    may be large, and at exit."""

    def __init__(self, name):
        self.path, self.lock = "%s/%s.json" % (BUILD, name), threading.Lock()
        os.makedirs(BUILD, exist_ok=True)
        self.entries = {}
        if os.path.exists(self.path):
            with open(self.path) as file:
                self.entries = json.load(file)
        self.written = time.monotonic()
        atexit.register(self.write)

    def get(self, name):
        return self.entries.get(name)

    def put(self, name, value):
        with self.lock:
            self.entries[name] = value
            if time.monotonic() - self.written >= 5:
                self.write()

    def write(self):
        text = json.dumps(self.entries)
        with open(self.path + ".new", "w") as file:
            file.write(text)
        os.replace(self.path + ".new", self.path)
        self.written = time.monotonic()


class Build:
    def __init__(self, jobs, patterns=()):
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.rewriters, self.dropped, self.patterns = [], set(), patterns
        self.built = Store("built")
        number = 1
        for path in sorted(library_files()):
            if "trace_hooks" in path or "call_site" in path:
                continue
            if patterns and not any(fnmatch.fnmatch(path, "*" + p + "*") for p in patterns):
                continue
            with open(path) as file:
                rewriter = rewrite.Rewriter(path, file.read(), number)
            number = rewriter.scan()
            self.rewriters.append(rewriter)
        if number >= MOST:
            raise SystemExit("mutate: too many mutants for mutant.c")
        self.mutants = {m[0]: m for r in self.rewriters for m in r.mutants}
        self.tree = digest(library_files() + glob.glob("tests/mutate/*.[ch]") +
                           ["tests/mutate/build.py", "tests/mutate/rewrite.py"], *patterns)

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

    def compile(self, variant, source, target, flags=""):
        options = VARIANTS[variant]
        if variant == "thread" and WITHOUT_THREAD.search(source):
            options = "-O1"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        compiler = "c++ -std=c++17" if source.endswith(".cpp") else "cc -std=c11"
        return run(compiler + " -w -g1 -ftrivial-auto-var-init=pattern -fmax-errors=0 -pthread %s %s "
                   "-I%s -I. -c -o %s %s" % (options, flags + DEFINES, INCLUDE, target, source), shell=True)

    def settle(self):
        """Drops the mutants that do not compile."""
        known = self.built.get("dropped")
        if known is not None and known[0] == self.tree:
            self.dropped = set(known[1])
            self.write()
        else:
            self.find_dropped()
            self.built.put("dropped", [self.tree, sorted(self.dropped)])
        for number in self.dropped:
            del self.mutants[number]

    def find_dropped(self):
        for _ in range(12):
            self.write()
            bad = set()
            jobs = [self.pool.submit(self.compile, "plain", LIBRARY, BUILD + "/%d.o" % i, f)
                    for i, f in enumerate(
                        ("", "-DSYCLZE_CHECK", "-DSYCLZE_LOADER_DYNAMIC"))]
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
                    raise SystemExit("mutate: does not compile\n" + done.stdout[-3000:])
            if not bad:
                break
            self.dropped |= bad

    def key(self, source):
        """What a test program is made of."""
        folder = os.path.dirname(source)
        return digest([source] + glob.glob("tests/*.h") + glob.glob("tests/kernels/*") +
                      glob.glob(folder + "/support/*") + glob.glob(folder + "/*.txt"), self.tree)

    def program(self, variant, source):
        """Links a test program, unless it is as new as its sources; null if it cannot be built."""
        folder = os.path.dirname(source)
        out = "%s/%s" % (BUILD, variant)
        target = "%s/%s" % (out, os.path.splitext(source)[0])
        key = self.key(source)
        if self.built.get(target) == key and os.path.exists(target):
            return target
        support = sorted(glob.glob(folder + "/support/*.c"))
        wrap = folder + "/wrap.txt"
        with open(source) as file:
            text = file.read()
        library = FAILING_LIBRARY if "support/failing" in text else LIBRARY
        if WITH_PROPERTIES.search(source):
            support.append(PROPERTIES)
        objects = ["%s/%s.o" % (out, s[:-2]) for s in support + [MUTANT, library]]
        for flags in ("",) if self.built.get("own " + source) else (DECLARATIONS, ""):
            done = self.compile(variant, source, target + ".o", flags)
            if done.returncode == 0:
                done = run("c++ %s -pthread -o %s %s.o %s %s -lze_loader -ldl -lm" % (
                    VARIANTS[variant], target, target, " ".join(objects),
                    "@" + wrap if os.path.exists(wrap) else ""), shell=True)
            if done.returncode == 0:
                self.built.put(target, key)
                return target
        print("not built: %s\n%s" % (source, done.stdout[-800:]))
        return None

    def program_of_own(self, variant, source):
        """The same with bodies of its own, in which the program replaces what they call."""
        self.built.put("own " + source, True)
        self.built.put("%s/%s/%s" % (BUILD, variant, os.path.splitext(source)[0]), None)
        return self.program(variant, source)

    def programs(self, variant, sources):
        out = "%s/%s" % (BUILD, variant)
        # Modules of the embedded device, which programs look for beside themselves.
        os.makedirs(out + "/tests", exist_ok=True)
        if not os.path.islink(out + "/tests/zecl"):
            os.symlink(os.path.abspath("build/debug/tests/zecl"), out + "/tests/zecl")
        support = {s for source in sources for s in glob.glob(os.path.dirname(source) + "/support/*.c")}
        support.add(PROPERTIES)
        parts = [(s, "%s/%s.o" % (out, s[:-2]), PRIVATE.search(s) is None and DECLARATIONS or "",
                  self.key(s)) for s in sorted(support)]
        parts += [(s, "%s/%s.o" % (out, s[:-2]), "", self.tree)
                  for s in (LIBRARY, FAILING_LIBRARY, MUTANT)]
        parts = [p for p in parts if self.built.get(p[1]) != p[3] or not os.path.exists(p[1])]
        for part, done in zip(parts, self.pool.map(lambda p: self.compile(variant, *p[:3]), parts)):
            if done.returncode != 0:
                print(done.stdout[-1500:])
            else:
                self.built.put(part[1], part[3])
        return dict(zip(sources, self.pool.map(lambda s: self.program(variant, s), sources)))
