#!/usr/bin/env python3
"""description.py DESCRIPTION: the description of the interface, compared with the headers.

Directions, names and errors are read from the contracts here too, by other means than describe.py; what
needs judgement (nullability, lengths, ownership) is compared with rows written by hand. A header that
is changed changes the description.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
passed = failed = 0

# function, parameter: direction, may be null, length, ownership
ROWS = """
syclze_make_queue input: in no - borrowed
syclze_make_queue queue: out no - caller
syclze_queue_create properties: in yes - borrowed
syclze_buffer_create_sub buffer: out no - caller
syclze_graph_finalize executable: out no - caller
syclze_events_wait events: in yes count borrowed
syclze_context_create device_list: in no device_count borrowed
syclze_device_get_selected devices: out yes count caller
syclze_group_launch event: out yes - caller
syclze_group_launch arguments: in yes count borrowed
syclze_queue_fill waits: in yes wait_count borrowed
syclze_queue_copy event: out yes - caller
syclze_malloc_shared memory: out no - caller
syclze_interop_handle_get_native_buffer memory: out no - borrowed
syclze_group_begin queue: in no - borrowed
syclze_group_host_task group: inout no - borrowed
syclze_dlpack_export tensor: out no - caller
syclze_queue_get_graph graph: out no - caller
syclze_container_write buffer: out yes - borrowed
syclze_kernel_suggest_group_size local: out no 3 borrowed
syclze_offload_set_find found: out yes count caller
syclze_selection_check candidates: out no SYCLZE_SELECTION_PER_IMAGE caller
syclze_spirv_index_leaves leaves: out no composite->leaf_count caller
"""
STRUCTS = {"syclze_queue": "object", "syclze_graph": "object", "syclze_group": "opaque",
           "syclze_accessor": "opaque", "syclze_memory_argument": "opaque",
           "syclze_native_queue": "value", "syclze_queue_input": "data"}


def result(good, name, why=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print("pass " + name if good else "FAIL %s: %s" % (name, why))


def described(folder, headers):
    return json.loads(subprocess.run(
        [sys.executable, "syclze/bindings/describe.py", *headers], cwd=folder, check=True,
        stdout=subprocess.PIPE).stdout)


def bases(item):
    """The types that a function or a struct has, by value or by pointer."""
    for kind in [item.get("type", {}), item.get("result", {})]:
        yield kind.get("base", "")
    for inner in item.get("parameters", []) + item.get("members", []):
        yield from bases(inner)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    functions = {f["name"]: f for f in data["functions"]}
    structs = {s["name"]: s for s in data["structs"]}
    wrong = []
    for row in ROWS.split("\n")[1:-1]:
        head, wanted = row.split(": ")
        name, parameter = head.split()
        p = next(p for p in functions[name]["parameters"] if p["name"] == parameter)
        found = " ".join([p["direction"], "yes" if p["nullable"] else "no", p.get("length", "-"),
                          p["ownership"]])
        if found != wanted:
            wrong.append("%s: %s" % (head, found))
    result(not wrong, "parameters_are_described_as_their_contracts_say", wrong)
    wrong = [(n, structs[n]["kind"]) for n, kind in STRUCTS.items() if structs[n]["kind"] != kind]
    result(not wrong, "structs_have_their_kinds", wrong)

    # Each [in], [out] of the headers' text, by another reader.
    wrong, seen = [], 0
    for header in sorted({f["header"] for f in data["functions"]}):
        with open(os.path.join(ROOT, header), encoding="utf-8") as file:
            text = file.read()
        for comment, code in re.findall(r"/\*\*((?:[^*]|\*(?!/))*)\*/\s*((?:[^;{}/]|/(?!\*))*)[;{]", text):
            name = re.search(r"\b(syclze_(?!_)\w+)\(", code)
            if not name or name.group(1) not in functions or "#" in code:
                continue
            by_name = {p["name"]: p for p in functions[name.group(1)]["parameters"]}
            for direction, names in re.findall(r"@param\[([a-z,]+)\]\s+(\w+(?:,\s*\w+)*)", comment):
                for parameter in re.split(r",\s*", names):
                    seen += 1
                    if by_name.get(parameter, {}).get("direction") != direction.replace("in,out", "inout"):
                        wrong.append((name.group(1), parameter))
    result(not wrong and seen > 700, "directions_are_those_of_the_headers", (seen, wrong[:5]))

    wrong = [(f["name"], p["name"]) for f in functions.values() for p in f["parameters"]
             if re.search(r"\ban array\b|^Three values", p["text"]) and p["type"].get("pointer") and
             "length" not in p]
    result(not wrong, "arrays_have_lengths", wrong)

    codes = {v["name"] for e in data["enums"] + data["external"]["enums"] for v in e["values"]}
    wrong = sorted({e for f in data["functions"] for e in f["errors"]} - codes)
    result(not wrong, "errors_are_enumerators", wrong)
    wrong = [f["name"] for f in data["functions"] if not f["brief"] or not f["header"]]
    result(not wrong, "each_function_has_a_contract", wrong)
    text = "".join(open(os.path.join(ROOT, header), encoding="utf-8").read()
                   for header in sorted({f["header"] for f in data["functions"]}))
    wrong = sorted(set(re.findall(r"\b(SYCLZE_(?!_)[A-Z0-9_]*[A-Z0-9]) =", text)) - codes -
                   {c["name"] for c in data["constants"]})
    result(not wrong, "enumerators_without_a_type_are_constants", wrong)
    known = set(structs) | {c["name"] for c in data["callbacks"]} | {e["name"] for e in data["enums"]}
    wrong = sorted({p["type"]["base"] for f in data["functions"] for p in f["parameters"]
                    if p["type"].get("base", "").startswith("syclze_")} - known)
    result(not wrong, "each_type_is_described", wrong)

    own = {s["name"]: s for s in data["structs"] + data["enums"]}
    typed = data["functions"] + [s for s in data["structs"] if not s["experimental"]]
    wrong = sorted({"%s has %s" % (f["name"], b) for f in typed if not f["experimental"]
                    for b in bases(f) if own.get(b, {}).get("experimental")})
    result(not wrong, "nothing_stable_has_an_experimental_type", wrong)

    few = ["syclze/event.h", "syclze/result.h", "syclze/version.h"]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("syclze", "tests/build"):
            subprocess.run(["cp", "-r", "--parents", name, folder], cwd=ROOT, check=True)
        before = described(folder, few)
        path = os.path.join(folder, "syclze/event.h")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = text.replace("syclze_event_create(syclze_context context, uint32_t flags,",
                            "syclze_event_create(syclze_context context, uint64_t flags,")
        text = text.replace("typedef struct syclze_event_input {",
                            "typedef struct syclze_event_input {\n  uint64_t label; /* a number */", 1)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        after = described(folder, few)
    of = lambda d, kind, name: next(x for x in d[kind] if x["name"] == name)  # noqa: E731
    types = [of(d, "functions", "syclze_event_create")["parameters"][1]["type"]["base"]
             for d in (before, after)]
    result(types == ["uint32_t", "uint64_t"], "a_changed_type_is_a_changed_description", types)
    new = of(after, "structs", "syclze_event_input")
    result(new["members"][0] == {"name": "label", "type": {"c": "uint64_t", "base": "uint64_t", "pointer": 0,
           "const": False}, "text": "a number", "offset": 0} and
           new["size"] == of(before, "structs", "syclze_event_input")["size"] + 8,
           "a_new_member_has_its_text_and_offset", new)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
