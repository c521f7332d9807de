"""run.py PROGRAM SITE [every=N] [engine=NAME:COMMAND]...: the device images of the wheels that are
unpacked in the folders of SITE (get.sh), read by PROGRAM, built from corpus.c, and counted by
count.py. Of each wheel up to 40 kernels, or every N-th, are built on each engine, with the words
of COMMAND before the program. The table is written to SITE/table.md."""
# shows offload 50
import collections
import hashlib
import os
import re
import subprocess
import sys

import count

program, site = sys.argv[1:3]
options = [option.split("=", 1) for option in sys.argv[3:]]
every = int(dict(options).get("every", "0"))
engines = [value.split(":", 1) for key, value in options if key == "engine"]
SAMPLE, PATIENCE = 40, 600
passed = failed = 0


def check(name, is_right, text=""):
    global passed, failed
    print(f"{'pass' if is_right else 'FAIL'} {name}{': ' if text else ''}{text}", flush=True)
    passed, failed = passed + bool(is_right), failed + (not is_right)


def libraries(folder):
    """The distinct libraries with images: wheels hold copies under several names."""
    known = set()
    for path, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            file = os.path.join(path, name)
            if ".so" not in name or os.path.islink(file):
                continue
            with open(file, "rb") as content:
                digest = hashlib.file_digest(content, "sha256").digest() \
                    if hasattr(hashlib, "file_digest") else hashlib.sha256(content.read()).digest()
            if digest not in known:
                known.add(digest)
                yield file


def run(prefix, *arguments):
    command = prefix.split() + [program, *map(str, arguments)]
    try:
        done = subprocess.run(["env", *command], capture_output=True, text=True, errors="replace",
                              timeout=PATIENCE)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return "late", (late.stdout or b"").decode(errors="replace")


def outcome(result, log):
    if "success" in result.lower():
        return "built"
    lacks = r"Cannot find symbol|is not supported|build options?: -vc-codegen"
    return "lacking" if "not_supported" in result.lower() or re.search(lacks, log) else "failed"


def reason(log):
    """The part of a log that tells kernels of one reason from others."""
    found = re.search(r"Cannot find symbol \S+|it requires [^,]*|invalid SPIR-V.*|build options?: \S+", log)
    return re.sub(r"at word \d+: ", "", found[0] if found else log.strip())[:160]


def build(prefix, file, step, kernels):
    """What became of every step-th kernel: numbers of outcomes. An engine that ends the process, or
    takes too long, goes on with the next kernel."""
    counts, number = {}, 0
    while number < kernels:
        code, text = run(prefix, file, step, number)
        for line in text.splitlines():
            fields = line.split("\t")
            if len(fields) == 3:
                counts.setdefault(outcome(*fields[1:]), []).append(fields[2])
                number = int(fields[0]) + step
        if code == 0:
            break
        if number < kernels:
            counts.setdefault("crashed", []).append(f"kernel {number} of {file} ends with {code}")
            number += step
    return counts


def row(wheel):
    """A wheel's numbers: counted, read, kernels, found, and of each engine the outcomes."""
    numbers, files = [0, 0, 0, 0], []
    for file in libraries(os.path.join(site, wheel)):
        counted = count.images(file)
        code, text = run("", file)
        words = text.split()
        is_read = code == 0 and len(words) == 3
        # A library without images is itself taken for native code.
        if counted == 0:
            continue
        read = list(map(int, words)) if is_read else [0, 0, 0]
        if not is_read or read[0] != counted or read[1] != read[2]:
            print(f"  {file}: {counted} images counted, {text.strip()[:200]}")
        numbers = [a + b for a, b in zip(numbers, [counted, *read])]
        files.append((file, read[1]))
    check(f"{wheel}: the images are read that are there", numbers[0] > 0 and numbers[0] == numbers[1],
          f"{numbers[1]} of {numbers[0]}")
    check(f"{wheel}: every kernel is found by its name", numbers[2] > 0 and numbers[2] == numbers[3],
          f"{numbers[3]} of {numbers[2]}")
    step, built = every or max(1, numbers[2] // SAMPLE), []
    for name, prefix in engines:
        total = {}
        for file, kernels in files:
            for key, logs in build(prefix, file, step, kernels).items():
                total.setdefault(key, []).extend(logs)
        sizes = {key: len(logs) for key, logs in total.items()}
        for key in ("failed", "crashed", "lacking"):
            reasons = collections.Counter(map(reason, total.get(key, [])))
            for text, number in reasons.most_common(20):
                print(f"  {name}, {key} {number}: {text}")
        check(f"{wheel}: kernels are built on {name}, or it says what it lacks",
              bool(sizes) and not sizes.get("crashed") and not sizes.get("failed"),
              ", ".join(f"{v} {k}" for k, v in sorted(sizes.items())))
        built.append(f"{sizes.get('built', 0)} of {sum(sizes.values())}")
    return [wheel, len(files), *numbers, *built]


rows = [row(wheel) for wheel in sorted(os.listdir(site)) if os.path.isdir(os.path.join(site, wheel))]
with open(os.path.join(site, "table.md"), "w") as table:
    heads = ["wheel", "libraries", "images counted", "read", "kernels", "found", *[e[0] for e in engines]]
    for cells in [heads, ["---"] * len(heads), *rows]:
        print("|", " | ".join(map(str, cells)), "|", file=table)
print(open(os.path.join(site, "table.md")).read())
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
