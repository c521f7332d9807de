#!/usr/bin/env python3
"""compare.py SYCL SYCLZE EXPECTED README: compares what collector.cpp wrote of both programs, event by
event, with the expected differences.

Events of a phase and a stream are aligned by their kinds: the type, and of a call its function. An event
without a counterpart is a difference, and so is each attribute of aligned events that is not the same.
A line of EXPECTED is

    reason | phase | stream | event | attribute | libsycl's | syclze's

where each column but the first is a pattern with * and ?; of an event that one side lacks the attribute
is `event`, and that side's value `none`. README has a row for each reason. A difference without a line,
a line that matches nothing and a reason without a row fail."""

import difflib
import fnmatch
import json
import re
import sys

SHORT = {"offload_alloc_memory_object_": "", "offload_alloc_": "", "function_with_args_": "call_"}
# Events that bring metadata; later ones are of the same.
BRINGING = ("node_create", "edge_create", "queue_create", "wait_begin", "mem_alloc_begin", "mem_alloc_end",
            "mem_release_begin", "construct", "accessor")


def normalised(text):
    """Without what the two sources cannot have in common."""
    return re.sub(r"by_sycl(ze)?\.c(pp)?", "program", str(text))


def kind_of(line):
    kind = line["what"]
    for long, short in SHORT.items():
        kind = kind.replace(long, short)
    user = line["user"]
    if isinstance(user, dict) and "function" in user:
        return kind + " " + user["function"]
    if line["what"] == "node_create" or kind.startswith("wait"):
        return kind + " " + re.split(r"\[|::", str(user))[0]
    if line["node"] and re.match("task|signal|barrier", kind):
        return kind + " " + line["node"].split(": ")[1]
    return kind


def flattened(prefix, value, into):
    if isinstance(value, dict):
        for key, part in value.items():
            flattened(prefix + "." + key if prefix else key, part, into)
    else:
        into[prefix] = "null" if value is None else normalised(value)


def attributes_of(line):
    found = {}
    for key in ("parent", "event", "user", "instance"):
        flattened(key, line[key], found)
    attributes = {}
    for key, value in found.items():
        if key.startswith("event.metadata."):
            if kind_of(line).split()[0] in BRINGING:
                key = key.replace("event.metadata.", "metadata ")
                attributes[key] = "signed32 line" if key == "metadata sym_line_no" else value
        elif key == "user.parameters" and line["what"].endswith("begin"):
            continue  # results are not there yet
        elif key == "event.place":
            attributes[key] = "none" if value in ("null", "<unknown-file>") else "there"
        else:
            attributes[key] = value
    return attributes


class Trace:
    def __init__(self, path):
        self.versions, self.ends, self.events, self.phases, self.in_order = {}, set(), {}, [], []
        with open(path) as lines:
            for text in lines:
                line = json.loads(text)
                if "version" in line:
                    self.versions[line["stream"]] = line["version"]
                elif "end" in line:
                    self.ends.add(line["stream"])
                else:
                    # The runtime notifies the subscriber of the debug stream if one subscribes to both.
                    stream = line["stream"].replace(".debug", "")
                    if line["phase"] not in self.phases:
                        self.phases.append(line["phase"])
                    self.events.setdefault((line["phase"], stream), []).append(line)
                    self.in_order.append(line)

    def streams(self):
        return {stream for _, stream in self.events}


def differences_of_events(phase, stream, theirs, ours):
    """Those of the main thread and of others in turn, whose order among one another is open."""
    for thread in ("main", "other"):
        left = [line for line in theirs if line["thread"] == thread]
        right = [line for line in ours if line["thread"] == thread]
        matcher = difflib.SequenceMatcher(
            None, [kind_of(line) for line in left], [kind_of(line) for line in right], False)
        for tag, i, j, k, l in matcher.get_opcodes():
            if tag != "equal":
                for line in left[i:j]:
                    yield phase, stream, kind_of(line), "event", "there", "none"
                for line in right[k:l]:
                    yield phase, stream, kind_of(line), "event", "none", "there"
                continue
            for one, other in zip(left[i:j], right[k:l]):
                a, b = attributes_of(one), attributes_of(other)
                for key in sorted(a.keys() | b.keys()):
                    if a.get(key, "none") != b.get(key, "none"):
                        yield phase, stream, kind_of(one), key, a.get(key, "none"), b.get(key, "none")


def misplaced(trace):
    """Events of nodes that stand, over all threads, before one that they follow."""
    after = {"task_begin": {"node_create"}, "task_end": {"task_begin"}, "signal": {"node_create"}}
    seen = {}
    for events in trace.in_order:
        node, what = events["node"], events["what"]
        if node is None:
            continue
        before = seen.setdefault(node, set())
        if not after.get(what, set()) <= before or what == "node_create" and what in before:
            yield "%s of %s" % (what, node)
        before.add(what)
    for node, whats in seen.items():
        if "task_begin" in whats and "task_end" not in whats:
            yield "no task_end of " + node


def differences(theirs, ours):
    for stream in sorted(theirs.versions.keys() | ours.versions.keys()):
        a, b = theirs.versions.get(stream, "none"), ours.versions.get(stream, "none")
        if a != b:
            yield "start", stream, "stream", "version", a, b
    for stream in sorted(theirs.ends ^ ours.ends):
        a, b = ("there", "none") if stream in theirs.ends else ("none", "there")
        yield "end", stream, "stream", "end", a, b
    phases = theirs.phases + [phase for phase in ours.phases if phase not in theirs.phases]
    for phase in phases:
        for stream in sorted(theirs.streams() | ours.streams()):
            key = phase, stream
            yield from differences_of_events(
                phase, stream, theirs.events.get(key, []), ours.events.get(key, []))


def main():
    theirs, ours = Trace(sys.argv[1]), Trace(sys.argv[2])
    with open(sys.argv[3]) as lines:
        expected = [[part.strip().replace("[", "[[]") for part in line.split("|")]
                    for line in lines if line.strip() and not line.startswith("#")]
    with open(sys.argv[4]) as readme:
        rows = {line.split("|")[1].strip(" `") for line in readme if line.startswith("| `")}
    used, failed, found = set(), 0, 0
    for difference in differences(theirs, ours):
        found += 1
        matching = [i for i, line in enumerate(expected)
                    if len(line) == 7 and all(map(fnmatch.fnmatchcase, difference, line[1:]))]
        used.update(matching[:1])
        if not matching:
            failed += 1
            print("FAIL no reason: " + " | ".join(difference))
    for i, line in enumerate(expected):
        if i not in used:
            failed += 1
            print("FAIL not found: " + " | ".join(line))
        if line[0] not in rows:
            failed += 1
            print("FAIL no row in the table for the reason " + line[0])
    for side, trace in ("libsycl", theirs), ("syclze", ours):
        for problem in misplaced(trace):
            failed += 1
            print("FAIL order among threads, %s: %s" % (side, problem))
    compared = sum(len(events) for events in ours.events.values())
    print("%d events of libsycl's, %d of syclze's, %d differences, %d lines of them expected"
          % (sum(len(events) for events in theirs.events.values()), compared, found, len(expected)))
    print("%d passed, %d failed" % (0 if failed else 1, failed))
    return failed != 0


sys.exit(main())
