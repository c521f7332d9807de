"""run.py PROGRAM SITE [every=N | sample=N] [only=TEXT...] [resume=1] [patience=SECONDS]
[engine=NAME:COMMAND]... [numpy=WHEEL:COMMAND]:
the device images of the wheels of wheels.txt, unpacked in the folders of SITE (get.sh), read by PROGRAM,
built from corpus.c, and counted by count.py.

Of each wheel some 40 kernels, or N, or every N-th, are built on each engine, with the words of COMMAND
before the program; SITE/results keeps what became of them, and resume=1 goes on from there. numpy's
COMMAND runs kernels of a wheel and prints `R of N agree with numpy`. The table is written to
SITE/table.md; only= leaves it with the wheels that have such a text in their name."""
# shows offload 50
import collections
import hashlib
import os
import re
import select
import shlex
import signal
import subprocess
import sys

import count
from outcome import outcome

program, site = sys.argv[1:3]
arguments = [option.split("=", 1) for option in sys.argv[3:]]
options = dict(arguments)
every, sample = int(options.get("every", "0")), int(options.get("sample", "40"))
engines = [value.split(":", 1) for key, value in arguments if key == "engine"]
patience = int(options.get("patience", "600"))  # seconds without a line of output
passed = failed = skipped = 0


def check(name, is_right, text=""):
    global passed, failed
    print(f"{'pass' if is_right else 'FAIL'} {name}{': ' if text else ''}{text}", flush=True)
    passed, failed = passed + bool(is_right), failed + (not is_right)


def wheels():
    """The names of those that came, and that `only` selects."""
    global skipped
    with open(os.path.join(os.path.dirname(__file__), "wheels.txt")) as file:
        names = [line.split("==")[0] for line in file]
    texts = options.get("only", "").split()
    for name in names:
        if texts and not any(text in name for text in texts):
            continue
        if os.path.exists(os.path.join(site, name, "versions")):
            yield name
        else:
            print(f"skip {name}: the wheel did not come")
            skipped += 1


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


def output(words, seconds):
    """Yields the lines that a command prints, and at last its exit code, or "late" where it prints
    nothing for so long."""
    process = subprocess.Popen(["env", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    text = b""
    while select.select([process.stdout], [], [], seconds)[0]:
        part = os.read(process.stdout.fileno(), 65536)
        if not part:
            yield process.wait()
            return
        *lines, text = (text + part).split(b"\n")
        yield from (line.decode(errors="replace") for line in lines)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    yield "late"


def run(words, seconds):
    *lines, code = output(words, seconds)
    return code, "\n".join(lines)


def build(prefix, file, step, number, kernels):
    """Builds every step-th kernel from a number on. An engine that ends the process, or takes too
    long, goes on with the next kernel. Yields their numbers, results and logs."""
    while number < kernels:
        code = None
        for code in output([*prefix, program, file, str(step), str(number)], patience):
            fields = str(code).split("\t")
            if len(fields) == 3:
                yield int(fields[0]), *fields[1:]
                number = int(fields[0]) + step
        if code == 0:
            break
        if number < kernels:
            yield (number, "late", f"nothing for {patience} s") if code == "late" else \
                (number, "crashed", f"kernel {number} of {file} ends with {code}")
            number += step


def engine(wheel, name, prefix, files, step):
    """The number of outcomes of a wheel's kernels on an engine, as `built of all`."""
    kept = os.path.join(site, "results", re.sub(r"\W+", "-", f"{wheel}-{name}-{step}") + ".tsv")
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    found, next_number = collections.Counter(), {}
    with open(kept, "a+") as content:
        content.seek(0)
        if "resume" not in options:
            content.truncate()
        for line in content:
            file, number, result, log = line.rstrip("\n").split("\t")
            next_number[file] = int(number) + step
            found[outcome(result, log)] += 1
        for file, kernels in files:
            for line in build(shlex.split(prefix), file, step, next_number.get(file, 0), kernels):
                print(file, *line, sep="\t", file=content, flush=True)
                found[outcome(*line[1:])] += 1
    for (word, reason), number in found.most_common(20):
        if word != "built":
            print(f"  {name}, {word} {number}: {reason}")
    sizes = collections.Counter()
    for (word, _), number in found.items():
        sizes[word] += number
    check(f"{wheel}: kernels are built on {name}, or it says what it lacks",
          bool(sizes) and not sizes["failed"], ", ".join(f"{v} {k}" for k, v in sorted(sizes.items())))
    return f"{sizes['built']} of {sum(sizes.values())}"


def numpy(wheel):
    """The kernels of a wheel that agree with NumPy; the command's own cases count."""
    name, _, command = options.get("numpy", "").partition(":")
    if name != wheel:
        return "-"
    code, text = run(shlex.split(command), 6 * patience)
    found = re.findall(r"(\d+ of \d+) agree with numpy", text)
    check(f"{wheel}: kernels agree with NumPy", code == 0 and len(found) == 1, text.strip()[-200:])
    return found[0] if found else "-"


def row(wheel):
    """A wheel's numbers: counted, read, kernels, found, of each engine the outcomes, and NumPy."""
    numbers, files = [0, 0, 0, 0], []
    for file in libraries(os.path.join(site, wheel)):
        counted = count.images(file)
        # A library without images is itself taken for native code.
        if counted == 0:
            continue
        code, text = run([program, file], patience)
        words = text.split()
        is_read = code == 0 and len(words) == 3
        read = list(map(int, words)) if is_read else [0, 0, 0]
        if not is_read or read[0] != counted or read[1] != read[2]:
            print(f"  {file}: {counted} images counted, {text.strip()[:200]}")
        numbers = [a + b for a, b in zip(numbers, [counted, *read])]
        files.append((file, read[1]))
    check(f"{wheel}: the images are read that are there", numbers[0] > 0 and numbers[0] == numbers[1],
          f"{numbers[1]} of {numbers[0]}")
    check(f"{wheel}: every kernel is found by its name", numbers[2] > 0 and numbers[2] == numbers[3],
          f"{numbers[3]} of {numbers[2]}")
    step = every or max(1, numbers[2] // sample)
    built = [engine(wheel, name, prefix, files, step) for name, prefix in engines]
    return [wheel, len(files), *numbers, *built, numpy(wheel)]


rows = [row(wheel) for wheel in wheels()]
with open(os.path.join(site, "table.md"), "w") as table:
    heads = ["wheel", "libraries", "images counted", "read", "kernels", "found",
             *[e[0] for e in engines], "agree with NumPy"]
    for cells in [heads, ["---"] * len(heads), *rows]:
        print("|", " | ".join(map(str, cells)), "|", file=table)
print(open(os.path.join(site, "table.md")).read())
print(f"{passed} passed, {failed} failed{f', {skipped} skipped' if skipped else ''}")
sys.exit(failed > 0)
