#!/usr/bin/env python3
"""conformance.py [--page]: what is required, and the tests that show it.

Each file of tests/conformance/ is a list of requirements, `NUMBER TEXT`, under headings. A test
names those that it shows in a comment, `shows LIST NUMBER..., LIST NUMBER-NUMBER`: a case on the
line of its TEST or on the one before, any other program or script anywhere in its file. Checked:
each requirement is shown, each mark names a requirement, each marked case is run, and so are the
tests that tests/zecl/doc/promises.md and syclze/manual/trust.md name; the files that tables name exist;
at least 100 calls are checked to be refused. --page prints the lists with their tests."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
MARK = re.compile(r"(?://|#|/\*) shows ((?:[a-z_]+(?: \d+(?:-\d+)?)+(?:, )?)+)")
CASE = re.compile(r"^TEST\((\w+)\)")
NAMED = re.compile(r"`((?:unit|device|offload|orders|intel|trace|zecl/test|zecl/engine/cuda/test)"
                   r"/\w+\.c): (\w+)`|`(fail/\w+\.(?:c|cpp))`")
FILE = re.compile(r"`([a-z_]+(?:/[\w.]+)+)[`:]")


def requirements():
    """The lists by name: items of (kind, text), where the kind of a requirement is its number."""
    lists = {}
    for path in sorted((HERE / "conformance").glob("*.txt")):
        items = lists[path.stem] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            number = re.match(r"(\d+) (.*)", line)
            if number:
                items.append([int(number[1]), number[2]])
            elif line.startswith("  "):
                items[-1][1] += " " + line.strip()
            else:
                items.append(["", line])
    return lists


def marks():
    """Yields (file, case or None, list, number)."""
    for path in sorted(HERE.rglob("*")):
        if path.suffix not in (".c", ".cpp", ".sh", ".py", ".pml"):
            continue
        name = str(path.relative_to(HERE))
        lines = path.read_text(encoding="utf-8").splitlines() + [""]
        for at, line in enumerate(lines[:-1]):
            for mark in MARK.findall(line):
                case = CASE.match(line) or CASE.match(lines[at + 1])
                for part in mark.split(", "):
                    of, *numbers = part.split()
                    for number in numbers:
                        first, _, last = number.partition("-")
                        for each in range(int(first), int(last or first) + 1):
                            yield name, case and case[1], of, each


def runs(file, case):
    """Whether a case is in the list of its program's TEST_MAIN, or a program expects to fail."""
    path = HERE / file
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8")
    if case is None:
        return not file.startswith("fail/") or "// expect" in text or file.endswith(".sh")
    listed = re.findall(r"^TEST_MAIN\w*\(.*?\)", text, re.M | re.S)
    return re.search(rf"^TEST\({case}\)", text, re.M) and \
        any(re.search(rf"\b{case}\b", cases) for cases in listed)


def check(lists, marked):
    """Pairs of what is checked and whether it holds."""
    known = [(of, kind) for of, items in lists.items() for kind, _ in items if kind != ""]
    shown = {(of, number) for _, _, of, number in marked}
    for item in sorted(shown | set(known)):
        yield "%s %d: one requirement, with a test" % item, known.count(item) == 1 and item in shown
    named = {(file, case) for file, case, _, _ in marked}
    for page in (HERE / "zecl/doc/promises.md", HERE / "../syclze/manual/trust.md"):
        for file, case, fails in NAMED.findall(page.read_text(encoding="utf-8")):
            named.add((file or fails, case or None))
    for file, case in sorted(named, key=str):
        yield f"{file}: {case}: a test that is run", runs(file, case)
    for page in (HERE / "README.md", HERE / "../syclze/manual/trust.md"):
        for line in page.read_text(encoding="utf-8").splitlines():
            for file in FILE.findall(line) if line.startswith("|") else ():
                yield f"{file}: a file", (HERE / file).exists() or (HERE / ".." / file).exists()
    refused = sum(len(re.findall(r"\b(?:CHECK_)?REFUSED\(", path.read_text(encoding="utf-8")))
                  for folder in ("unit", "device") for path in (HERE / folder).glob("*.c"))
    yield f"100 refused calls: {refused}", refused >= 100


def page(lists, marked):
    for of, items in lists.items():
        before = ""
        for kind, text in items:
            if kind == "":
                print(text)
            else:
                if before == "":
                    print("| | required | tests |\n|---|---|---|")
                tests = [f"`{file}: {case}`" if case else f"`{file}`"
                         for file, case, *item in marked if item == [of, kind]]
                print(f"| {kind} | {text} | {', '.join(tests)} |")
            before = kind
        print()


def main(arguments):
    lists, marked = requirements(), list(marks())
    if arguments == ["--page"]:
        return page(lists, marked)
    failed = passed = 0
    for what, holds in check(lists, marked):
        passed, failed = passed + bool(holds), failed + (not holds)
        if not holds:
            print("FAIL " + what)
    print(f"{passed} passed, {failed} failed")
    return failed or not passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
