#!/usr/bin/env python3
"""reach.py CALLS FUNCTION[:FUNCTIONS:FILES]...: how much of the library a function reaches.

CALLS is what gcc's -fcallgraph-info writes. Calls through pointers are not followed. A line for each
function has the number of functions of syclze/ that it reaches by direct calls, itself included, and
of the files that these stand in. Behind a colon stand limits, beyond which the line is a failure.
"""
import re
import sys

NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"\\]+)(?:\\n([^"\\]+))?')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
PLACE = re.compile(r"(syclze/.+):\d+:\d+$")


def read(path):
    """The titles of each function's name, the file of each title, and the titles that it calls."""
    titles, files, calls = {}, {}, {}
    for line in open(path, encoding="utf-8"):
        node, edge = NODE.match(line), EDGE.match(line)
        if node:
            place = PLACE.search(node.group(3) or "")
            titles[node.group(2)] = node.group(1)
            if place:
                parts = []
                for part in place.group(1).split("/"):
                    if part == "..":
                        parts.pop()
                    else:
                        parts.append(part)
                files[node.group(1)] = "/".join(parts)
        elif edge:
            calls.setdefault(edge.group(1), set()).add(edge.group(2))
    return titles, files, calls


def reach(title, calls):
    """The titles that one reaches, itself included."""
    seen, left = {title}, [title]
    while left:
        new = calls.get(left.pop(), set()) - seen
        seen |= new
        left.extend(new)
    return seen


def main(path, *wanted):
    titles, files, calls = read(path)
    failed = 0
    for want in wanted:
        name, *limits = want.split(":")
        if name not in titles:
            print(f"FAIL {name} is no function of {path}")
            failed += 1
            continue
        reached = [title for title in reach(titles[name], calls) if title in files]
        counts = [len(reached), len({files[title] for title in reached})]
        wrong = any(count > int(limit) for count, limit in zip(counts, limits))
        failed += wrong
        print(f"{'FAIL' if wrong else 'pass'} {name} reaches {counts[0]} functions in {counts[1]} files" +
              (f", of {limits[0]} in {limits[1]}" if limits else ""))
    print(f"{len(wanted) - failed} passed, {failed} failed")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
