#!/usr/bin/env python3
"""bench/sycl/count.py V1 V2: the table of two runs of cost under callgrind, one on each adapter.

Instructions of an operation outside Level Zero: in the program, libsycl and Unified Runtime, and in
the C and C++ libraries on their behalf. The Level Zero loader, the driver and its engine are left
out. Code without an object (stubs of calls, compiled kernels) belongs to what calls it.
"""
import re
import sys

OWN = ("libsycl", "libur_", "libumf", "libxptifw", "/cost", "libimf", "libirng", "libsvml", "libintlc")
OUT = ("libze_", "libzecl", "libpocl", "libOpenCL", "libLLVM", "libclang", "/native", "libintelocl")


def side_of_object(path):
    if path == "???":
        return "unknown"
    if any(text in path for text in OUT) or re.search(r"/memfd|/tempfile", path):
        return "out"
    return "own" if any(text in path for text in OWN) else "library"


def records(path):
    """Yields (part), (name, text), (cost, object, function, n), (call, from.., to.., n)."""
    obj = function = callee_obj = callee = ""
    is_call = False
    with open(path, errors="replace") as file:
        for line in file:
            key, _, value = line.partition("=")
            if line.startswith("part:"):
                obj = function = ""
                callee_obj = callee = None
                yield ("part",)
            elif line.startswith("desc: Trigger: Client Request: "):
                yield ("name", line.split(": ", 3)[3].strip())
            elif key == "ob":
                obj = value.strip()
            elif key == "fn":
                function = value.strip()
            elif key == "cob":
                callee_obj = value.strip()
            elif key == "cfn":
                callee = value.strip()
            elif key == "calls":
                is_call = True
            elif line[:1].isdigit() or line[:1] in "+-*":
                words = line.split()
                count = int(words[1]) if len(words) > 1 else 0
                if is_call:
                    yield ("call", obj, function, callee_obj or obj, callee, count)
                    is_call, callee_obj, callee = False, None, None
                else:
                    yield ("cost", obj, function, count)


def owners_of_unknown(path):
    """The side of each function without an object: that of its callers."""
    owners = {}
    for _ in range(3):
        for record in records(path):
            if record[0] != "call" or record[3] != "???":
                continue
            side = side_of_object(record[1])
            if side == "unknown":
                side = owners.get((record[1], record[2]), "unknown")
            if side == "own" or (side != "unknown" and (record[3], record[4]) not in owners):
                owners[record[3], record[4]] = side
    return owners


def counts_of(path):
    owners = owners_of_unknown(path)

    def side(obj, function):
        found = side_of_object(obj)
        return owners.get((obj, function), "out") if found == "unknown" else found

    counts, name, total = {}, None, 0

    def close():
        if name and name.count("|") == 2:
            runtime, repeats, operation = name.split("|")
            counts[operation, runtime] = total / int(repeats)

    for record in records(path):
        if record[0] == "part":
            close()
            name, total = None, 0
        elif record[0] == "name":
            name = record[1]
        elif record[0] == "cost":
            if side(record[1], record[2]) == "own":
                total += record[3]
        elif side(record[1], record[2]) == "own" and side(record[3], record[4]) == "library":
            if not re.search("libc_start|below main|pthread_once|call_once", record[4] or ""):
                total += record[5]
    close()
    return counts


def main():
    v1, v2 = counts_of(sys.argv[1]), counts_of(sys.argv[2])
    operations = list(dict.fromkeys(operation for operation, _ in {**v1, **v2}))
    if not operations:
        print("nothing was counted")
        return 1
    print("| instructions outside Level Zero | DPC++ v1 | DPC++ v2 | syclze | its own queue |")
    print("|---|---|---|---|---|")
    for operation in operations:
        texts = [f"{c[operation, 'dpcpp']:,.0f}" if (operation, "dpcpp") in c else "refused" for c in (v1, v2)]
        for side in ("syclze", "created"):
            counts = [c[operation, side] for c in (v1, v2) if (operation, side) in c]
            texts.append(f"{min(counts):,.0f}" if counts else "-")
        print(f"| {operation} | {' | '.join(texts)} |")
    return 0


sys.exit(main())
