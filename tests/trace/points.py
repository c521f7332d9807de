#!/usr/bin/env python3
"""points.py: public functions that no trace shows.

Each public function of objects and command groups reaches a trace point by what it calls, or its
name stands in the table "Functions without a point" of tests/xpti/README.md, with the reason. A
function that stands there needs to be there, and to exist. Offloading is built on these functions,
and tracing is not traced.

Reports, releases of what a function made for itself and work of other threads do not count as a
point of the function that reaches them. --list prints where each function's point is; --self-test
removes every point and expects to find nothing else.
"""
# shows queues 35, tracing 1
import fnmatch
import glob
import re
import subprocess
import sys

PUBLIC = sorted(glob.glob("syclze/*.h") + glob.glob("syclze/command/*.h"))
BODIES = sorted(glob.glob("syclze/*.h") + glob.glob("syclze/detail/**/*.h", recursive=True) +
                glob.glob("syclze/command/**/*.h", recursive=True))
KINDS = re.findall(r"X\((\w+), [A-Z_]+, \d+", open("syclze/kinds.h").read())
POINT = re.compile(r"\bSYCLZE__(RETURN_IF_TRACED|MADE_IF_TRACED|TRACE_GET|TRACE_CALL)\(|"
                   r"\bSYCLZE__TRACE_COMMAND\((memory_created|host_access)\b|"
                   r"\bsyclze__trace_(command|storage)_begin\(|\bcalls->usm_allocate\(|\bsyclze__image_engine\(\)->submit\(")
# Functions at which the search stops: others only use them.
STOPS = re.compile(r"^syclze_(?!_)\w+_release$|^syclze__(?!ipc_|host_acc|host_scope|growable_)(fail|check|status|report|worker|task|lock|free_failed|deferred|engine_enter|"
                   r"pending|replica|host_wait|compact|queue_state_(mark|settle|wait|retire)|"
                   r"\w*_(release|drop|end|free|destroy|discard|retire|await|rollback)$)")
DEFINITION = re.compile(r"^(?:SYCLZE_\w+ |static )[^;{}#]*?\b(syclze_\w+)\([^;{}]*\)[^;{}()]*\{$(.*?)^\}",
                        re.M | re.S)


def without_text(source):
    """Without comments and string literals."""
    return re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", " ", source, flags=re.S)


def called(body):
    """The names in a body; one that is made of a kind's name is that of each kind."""
    names = set(re.findall(r"\bsyclze_\w+", body))
    for pasted in re.findall(r"\bsyclze_\w*##kind\w*(?:##\w+)?", body):
        names |= {re.sub(r"##kind(_of)?(##)?", kind, pasted) for kind in KINDS}
    return names


def graph(points):
    has, calls = set(), {}
    for path in BODIES:
        for name, body in DEFINITION.findall(without_text(open(path).read())):
            if points and POINT.search(body):
                has.add(name)
            # A function may be handed on, as a command's append.
            calls.setdefault(name, set()).update(called(body))
    return has, calls


def reach(name, has, calls):
    """The function with the point, or None."""
    seen, left = {name}, [name]
    while left:
        at = left.pop()
        if at in has:
            return at
        for name in calls.get(at, ()):
            if name in seen or name not in calls or STOPS.match(name):
                continue
            seen.add(name)
            left.append(name)
    return None


def reasons():
    text = open("tests/xpti/README.md").read()
    table = text.split("## Functions without a point", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`(syclze_[\w*]+)`", row.split("|")[1])]


def main():
    listed = subprocess.run([sys.executable, "tests/build/contracts.py", "--list"] + PUBLIC,
                            check=True, capture_output=True, text=True).stdout.split()
    functions = sorted({name for name in listed if re.fullmatch(r"syclze_\w+", name)})
    has, calls = graph("--self-test" not in sys.argv)
    found = {name: reach(name, has, calls) for name in functions}
    if "--list" in sys.argv:
        for name in functions:
            print(name, found[name])
        return 0
    if "--self-test" in sys.argv:
        good = len(functions) > 200 and not any(found.values())
        print("pass" if good else "FAIL", "self-test: without points nothing is found")
        return 0 if good else 1
    excused, wrong = reasons(), []
    for name in functions:
        matches = [pattern for pattern in excused if fnmatch.fnmatchcase(name, pattern)]
        if found[name] is None and not matches:
            wrong.append(f"{name} has no trace point, and no reason in tests/xpti/README.md")
        if found[name] is not None and name in excused:
            wrong.append(f"{name} has a trace point in {found[name]}, and needs no reason")
    for pattern in excused:
        if not fnmatch.filter(functions, pattern):
            wrong.append(f"{pattern} in tests/xpti/README.md is no function")
    for line in wrong:
        print("FAIL points:", line)
    print(f"{len(functions) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
