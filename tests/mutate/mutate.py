#!/usr/bin/env python3
"""Mutates the library and counts the mutants that the tests catch: `make mutate`.

usage: mutate.py [--sample N] [--seed N] [--files PATTERN,...] [--mutants N,N] [--suites NAME,...]
                 [--programs EXPRESSION] [--jobs N]

All mutants are in one build (build.py, rewrite.py). For each, the cases that reach it run, first the
one that caught it last time, then quick ones first, until one fails; what passes all of them is run
once more under AddressSanitizer, and mutants of locks and memory orders under ThreadSanitizer.
build/mutate/report.txt lists all, survivors last. tests/mutate/equivalent.tsv lists those that change
nothing that can be seen, each with its reason. What was built and measured stays under build/mutate
and is used again where its sources are the same.
"""
import argparse
import glob
import hashlib
import os
import re
import sys

from build import BUILD, Build, Store
from runner import Runner

# The programs and mutants of a run under a sanitizer.
SANITIZERS = {"address": (re.compile(r"tests/(unit|orders|offload|device|trace)/(?!sweep_|thread_random)"),
                          None),
              "thread": (re.compile(r"tests/orders/order_|/thread_|build/loader"), ("lock", "order"))}


class Campaign:
    def __init__(self, build, runner, sources, seconds):
        self.build, self.runner, self.sources = build, runner, sources
        self.killers, self.reach = Store("killers"), Store("reach")
        self.targets = build.programs("plain", sources)
        self.runs, self.reached, self.marks = {}, set(), {}
        quick, slow = [], []
        for source, measured in zip(sources, build.pool.map(self.measure, sources)):
            if measured is None:
                continue
            cases = measured["cases"] if len(measured["cases"]) > 1 or not measured["passed"] else [
                ["", measured["cpu"], measured["wall"], measured["reached"]]]
            for name, cpu, wall, found in cases:
                (quick if max(cpu, wall / 4) <= seconds else slow).append((wall, cpu, source, name, found))
        # A slow case runs only for what no quick one reaches.
        for some in (quick, slow):
            now = set()
            for wall, cpu, source, name, found in sorted(some):
                for number in found:
                    if some is quick or number not in self.reached:
                        self.runs.setdefault(number, []).append((wall, cpu, source, name))
                        now.add(number)
            self.reached |= now
        self.cases = len(quick) + len(slow)

    def measure(self, source):
        """What the program's cases reach; null where none passes without a mutant."""
        build = self.build
        if self.targets[source] is None:
            return None
        # A measurement belongs to one build of the program.
        key = build.built.get(self.targets[source])
        measured = self.runner.measure(source, self.targets[source], key, self.reach)
        if (measured is None or not measured["passed"]) and not build.built.get("own " + source):
            self.targets[source] = build.program_of_own("plain", source)
            if self.targets[source] is None:
                return None
            self.reach.put(source, ["", None])
            key = build.built.get(self.targets[source])
            measured = self.runner.measure(source, self.targets[source], key, self.reach)
        return measured

    def mark(self, number):
        """A mutant's name where lines move."""
        if not self.marks:
            seen = {}
            for n, (_, path, _, operator, text) in sorted(self.build.mutants.items()):
                text = "%s\t%s\t%s" % (path, operator, text)
                self.marks[n] = "%s\t%d" % (text, seen.setdefault(text, 0))
                seen[text] += 1
        return self.marks[number]

    def fails(self, number, run, variant, built):
        wall, cpu, source, name = run
        slower = 1 if variant == "plain" else 10
        limits = (4 + 6 * cpu * slower, 60 + 30 * wall * slower)
        result = self.runner.run(source, built[source], name, *limits, {"SYCLZE_MUTANT": str(number)})
        # A case that fails by itself now and then catches nothing.
        return not result.passed and self.runner.run(source, built[source], name, *limits, {}).passed

    def attempt(self, number, variant, built):
        """The case that fails with the mutant; null if none does."""
        mark = self.mark(number) + "\t" + variant
        last = self.killers.get(mark)
        runs = [r for r in self.runs.get(number, []) if built.get(r[2]) is not None]
        runs.sort(key=lambda r: [r[2], r[3]] != last)
        for run in runs:
            if self.fails(number, run, variant, built):
                self.killers.put(mark, [run[2], run[3]])
                return "%s %s%s" % (run[2], run[3], " (%s)" % variant if variant != "plain" else "")
        return None

    def chosen(self, options):
        every = sorted(self.build.mutants)
        if options.mutants:
            return [int(n) for n in options.mutants.split(",")]
        if options.sample and options.sample < len(every):
            # The sample keeps its mutants when lines move, if they still exist.
            salt = "%d\t" % options.seed if options.seed else ""
            every.sort(key=lambda n: hashlib.sha256((salt + self.mark(n)).encode()).digest())
            every = every[:options.sample]
        return sorted(every)

    def build_variant(self, variant, pattern, left):
        """The programs under a sanitizer that reach one of the mutants."""
        reaching = {run[2] for number in left for run in self.runs.get(number, [])}
        some = sorted(s for s in reaching if pattern.search(s))
        built = self.build.programs(variant, some)
        some = [s for s in some if built[s] is not None]
        for source, result in zip(some, self.build.pool.map(
                lambda s: self.runner.run(s, built[s], "", 600, 1200, {}), some)):
            if not result.passed:
                print("fails without a mutant (%s): %s" % (variant, source))
                built[source] = None
        return built

    def kill(self, chosen, variants):
        killed, known = {}, equivalents()

        def attempts(left, variant, built):
            for number, by in zip(left, self.build.pool.map(
                    lambda n: self.attempt(n, variant, built), left)):
                if by is not None:
                    killed[number] = by
                print("%s %s" % (by or "-", self.mark(number)), flush=True)
        attempts(chosen, "plain", self.targets)
        for variant, (pattern, operators) in SANITIZERS.items():
            left = [n for n in chosen if n not in killed and self.mark(n) not in known and
                    (operators is None or self.build.mutants[n][3] in operators)]
            if variant in variants and left:
                built = self.build_variant(variant, pattern, left)
                attempts(left, variant, built)
        return killed


def equivalents():
    """Marks of mutants that nothing can see, as Campaign.mark gives them."""
    with open("tests/mutate/equivalent.tsv") as file:
        return {line.rsplit("\t", 1)[0] for line in file if line.strip() and not line.startswith("#")}


def report(campaign, chosen, killed):
    table = equivalents()
    lines, counts = [], {"killed": 0, "equivalent": 0, "survived": 0, "unreached": 0}
    for number in chosen:
        _, path, line, operator, text = campaign.build.mutants[number]
        state = "killed" if number in killed else "equivalent" if campaign.mark(number) in table else \
            "survived" if number in campaign.reached else "unreached"
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
    if not campaign.build.patterns:
        for mark in sorted(table - {campaign.mark(n) for n in campaign.build.mutants}):
            print("no mutant has this mark of equivalent.tsv: " + mark)
    real = counts["killed"] + counts["survived"] + counts["unreached"]
    print("%d mutants: %d killed, %d equivalent, %d survived, %d reached by no test: %.1f %%" % (
        len(chosen), counts["killed"], counts["equivalent"], counts["survived"],
        counts["unreached"], 100.0 * counts["killed"] / max(real, 1)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--files", default="", help="only files with one of these in their path are mutated")
    parser.add_argument("--mutants", default="")
    parser.add_argument("--jobs", type=int, default=2 * os.cpu_count())
    parser.add_argument("--driver", default="build/debug/libzecl.so")
    parser.add_argument("--suites", default="unit,orders,device,build,offload,trace")
    parser.add_argument("--programs", default="", help="only test programs that match this expression")
    parser.add_argument("--variants", default="plain,address,thread")
    parser.add_argument("--seconds", type=float, default=6, help="of a quick case, at most")
    options = parser.parse_args()
    build = Build(options.jobs, [p for p in options.files.split(",") if p])
    build.settle()
    sources = [s for suite in options.suites.split(",")
               for s in sorted(glob.glob("tests/%s/*.c" % suite) + glob.glob("tests/%s/*.cpp" % suite))
               if re.search(options.programs, s)]
    campaign = Campaign(build, Runner(options.driver), sources, options.seconds)
    chosen = campaign.chosen(options)
    print("%d mutants, %d do not compile, %d reached, %d chosen; %d cases" % (
        len(build.mutants) + len(build.dropped), len(build.dropped),
        len(campaign.reached & set(build.mutants)), len(chosen), campaign.cases))
    sys.stdout.flush()
    report(campaign, chosen, campaign.kill(chosen, options.variants.split(",")))


main()
