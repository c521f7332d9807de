#!/usr/bin/env python3
"""c.py header|functions|exports|record|stub DESCRIPTION [RECORD...]: the library's interface in C.

  header     syclze_library.h: no macros, no inlined functions, no private members
  functions  the exported functions, which call those of the headers; library.c includes them
  exports    the linker's version script
  record     the header without comments, to be kept as the record of a release (abi/VERSION.txt);
             what an experimental header has is marked, and its functions are the last ones
  stub       a definition of each function of the header, for tools that compare interfaces

RECORDs are those of earlier releases. Where a struct that a function takes by pointer has grown since
a release, the library has that release's version of the function too. It gives the function a struct
of today's size whose new members are zero. An experimental function has the version of this release
only: a program that was linked with another one does not find it.
"""
import json
import os
import re
import sys

EXPERIMENTAL = "/* EXPERIMENTAL */"
HEAD = """/* The interface of libsyclze.so, made of the contracts of syclze's headers. Do not edit.
 *
 * What the headers declare with a type whose members are private, and that is passed by value, has an
 * opaque form here: %s.
 * A syclze_group is held by a pointer: syclze_group_begin makes it, and syclze_group_end frees it,
 * whether it was submitted or not. Null is a group that no function takes.
 *
 * Inputs are zeroed before their members are set: members of later releases are zero then, which is
 * their default. A program that was linked to an earlier release gives shorter inputs, and the library
 * adds the zeros. */
"""


class Interface:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.data = json.load(file)
        self.structs = {s["name"]: s for s in self.data["structs"]}
        self.held = {n for n, s in self.structs.items() if s.get("held")}
        in_arrays = {p["type"]["base"] for f in self.data["functions"] for p in f["parameters"]
                     if "length" in p}
        self.opaque = {}
        for name, struct in self.structs.items():
            if struct["kind"] == "opaque" and name not in self.held:
                size = struct["size"] if name in in_arrays else (struct["size"] + 16 + 63) // 64 * 64
                self.opaque[name] = (size + 7) // 8
        self.node = "SYCLZE_" + ".".join(self.data["version"].split(".")[:2])
        self.fixed = in_arrays | {n for n, s in self.structs.items() if s["kind"] != "data"}
        # The zeros are in a copy, which ends with the call and is the argument itself alone.
        for struct in self.structs.values():
            self.fixed |= set(bases(struct["members"], True))
        self.fixed |= {p["type"].get("base") for f in self.data["functions"] for p in f["parameters"]
                       if p["direction"] == "inout" or "Must live" in p["text"]}

    def spelled(self, kind, name, flat=""):
        """A declaration of `name`; with `flat` before names of opaque types."""
        if "callback" in kind:
            return kind["c"] if re.search(r"\*\s*%s\s*\)" % name, kind["c"]) else kind["c"]
        text = kind["c"]
        base = kind["base"]
        if base in self.held and kind["pointer"] == 0:
            text += " *"
        elif base in self.opaque and flat and kind["pointer"] == 0:
            text = re.sub(r"\b%s\b" % base, flat + base, text)
        return text + (" " if text[-1] != "*" else "") + name + "".join(
            "[%s]" % n for n in kind.get("array", []))

    def prototype(self, function, name, flat=""):
        parameters = ", ".join(self.spelled(p["type"], p["name"], flat)
                               for p in function["parameters"]) or "void"
        return self.spelled(function["result"], "%s(%s)" % (name, parameters), flat)


def bases(members, referred=False):
    for member in members:
        if "members" in member:
            yield from bases(member["members"], referred)
        elif member["type"].get("pointer") == 0 or referred and "base" in member["type"]:
            yield member["type"]["base"]


def comment(text, indent=""):
    words = re.sub(r"\*/", "* /", text).strip()
    if not words:
        return ""
    lines = words.split("\n")
    if len(lines) == 1 and len(lines[0]) + len(indent) < 93:
        return "%s/** %s */\n" % (indent, lines[0])
    return "%s/**\n%s%s */\n" % (indent, "".join("%s * %s\n" % (indent, l) if l.strip() else
                                                 indent + " *\n" for l in lines), indent)


def contract(function):
    lines = [function["text"], ""]
    for p in function["parameters"]:
        words = [p["direction"]] + (["may be null"] if p["nullable"] else []) + (
            ["%s of them" % p["length"]] if "length" in p else [])
        lines.append("@param %s  [%s] %s" % (p["name"], ", ".join(words), p["text"]))
    if function["returns"]:
        lines.append("@return " + function["returns"])
    return "\n".join(lines)


def members_of(interface, struct, members, indent="  "):
    lines = []
    for at, member in enumerate(members):
        if "members" in member:
            lines.append("%s%s {\n%s%s} %s;\n" % (indent, member["kind"], "".join(
                members_of(interface, struct, member["members"], indent + "  ")), indent,
                member["name"]))
        elif member["type"].get("base", "").startswith("syclze__") and \
                member["type"].get("pointer") == 0:
            begin = member["offset"]
            end = members[at + 1]["offset"] if at + 1 < len(members) else struct["size"]
            word = 8 if begin % 8 == 0 and (end - begin) % 8 == 0 else 4
            lines.append("%suint%d_t private_%s[%d];\n" % (indent, word * 8, member["name"],
                                                         (end - begin) // word))
        else:
            lines.append("%s%s;%s\n" % (indent, interface.spelled(member["type"], member["name"]),
                                        " /**< %s */" % member["text"] if member["text"] else ""))
    return lines


def header(interface, bare=False):
    data, out = interface.data, []
    say = (lambda text, indent="": "") if bare else comment
    if not bare:
        out.append(HEAD % ", ".join(sorted(interface.opaque)))
    out.append("#ifndef SYCLZE_FLAT_H\n#define SYCLZE_FLAT_H\n\n"
               "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
               "#include <level_zero/ze_api.h>\n\n#ifdef SYCLZE_VERSION_H\n"
               '#error "a source file includes syclze\'s headers or syclze_library.h"\n#endif\n\n'
               "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n")
    for enum in data["enums"]:
        mark = " " + EXPERIMENTAL if bare and enum["experimental"] else ""
        values = ",\n".join("  %s = %d" % (v["name"], v["value"]) + (
            " /**< %s */" % v["text"] if v["text"] and not bare else mark) for v in enum["values"])
        out.append("%stypedef enum %s {\n%s\n} %s;\n\n" % (say(enum["text"]), enum["name"], values,
                                                         enum["name"]))
    for c in data["constants"]:
        out.append("#define %s %s\n" % (c["name"], "%du" % c["value"] if c["value"] > 2**31 - 1
                                        else c["value"]))
    private = sorted(w for w in set(re.findall(r"struct (\w+)", json.dumps(
        [f["parameters"] for f in data["functions"]] + data["structs"])))
        if w not in interface.structs and w.startswith(("syclze__", "DL")))
    out.append("\n" + "".join("struct %s;\n" % p for p in private))
    out += ["typedef struct %s %s;\n" % (n, n) for n in interface.structs]
    for alias in data["aliases"]:
        out.append("typedef %s;\n" % interface.spelled(alias["type"], alias["name"]))
    out.append("\n")
    for c in data["callbacks"]:
        parameters = ", ".join(interface.spelled(p["type"], p["name"]) for p in c["parameters"])
        out.append("%stypedef %s(*%s)(%s);\n" % (say(c["text"]), interface.spelled(c["result"], ""),
                                               c["name"], parameters))
    out.append("\n")
    written = set()

    def write(struct):
        if struct["name"] in written:
            return
        written.add(struct["name"])
        if struct["name"] in interface.held:
            return
        if struct["name"] in interface.opaque:
            size = interface.opaque[struct["name"]] * 8
            body = "  uint64_t opaque[%d];\n" % interface.opaque[struct["name"]]
        else:
            for base in bases(struct["members"]):
                if base in interface.structs:
                    write(interface.structs[base])
            size = struct["size"]
            body = "".join(members_of(interface, struct, struct["members"]))
            if bare:
                body = re.sub(r" /\*\*<.*?\*/", "", body)
        out.append("%s%s %s {\n%s};\n" % (say(struct["text"]), struct["form"], struct["name"], body))
        if bare:
            out.append("/* %s: %d%s */\n" % (struct["name"], size,
                                             ", EXPERIMENTAL" if struct["experimental"] else ""))

    for struct in data["structs"]:
        write(struct)
    out.append("\n")
    listed = sorted(data["functions"], key=lambda f: f["experimental"]) if bare else data["functions"]
    for at, function in enumerate(listed):
        if bare and function["experimental"] and not listed[at - 1]["experimental"]:
            out.append(EXPERIMENTAL + "\n")
        out.append("%s%s;\n" % (say(contract(function)),
                                interface.prototype(function, function["name"])))
        out.append("" if bare else "\n")
    out.append("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
    return "".join(out)


def argument(interface, p):
    base, pointer = p["type"].get("base"), p["type"].get("pointer")
    if base in interface.opaque and pointer == 0:
        return p["name"] + ".inner"
    return p["name"]


def exported(interface, function):
    """The definition of an exported function."""
    name, result = function["name"], function["result"]
    call = "%s(%s)" % (name, ", ".join(argument(interface, p) for p in function["parameters"]))
    base = result.get("base")
    lines = []
    for p in function["parameters"]:
        if p["type"].get("base") in interface.held and p["type"]["pointer"] == 1:
            lines += ["  if (%s == NULL) {\n" % p["name"]]
            lines += ["    if (%s != NULL) memset(%s, 0, sizeof *%s);\n" % (q["name"], q["name"], q["name"])
                      for q in function["parameters"] if q["direction"] == "out" and
                      interface.structs.get(q["type"].get("base"), {}).get("kind") == "object"]
            lines += ["    if (%s != NULL) *%s = NULL;\n" % (q["name"], q["name"])
                      for q in function["parameters"] if q["direction"] == "out" and
                      q["type"].get("pointer") == 2]
            if base in interface.opaque:
                lines += ["    SYCLZE__FLAT_%s none;\n    memset(&none, 0, sizeof none);\n"
                          "    return none;\n" % base]
            else:
                lines += ["    return%s;\n" % {"void": "", "ze_result_t":
                                              " ZE_RESULT_ERROR_INVALID_NULL_POINTER"}.get(base, " 0")]
            lines += ["  }\n"]
    if base in interface.held and result["pointer"] == 0:
        lines.append("  %s *made = (%s *)malloc(sizeof *made);\n  if (made != NULL) *made = %s;\n"
                     "  return made;\n" % (base, base, call))
    elif base in interface.opaque and result["pointer"] == 0:
        lines.append("  SYCLZE__FLAT_%s made;\n  memset(&made, 0, sizeof made);\n  made.inner = %s;\n"
                     "  return made;\n" % (base, call))
    elif base == "void" and result["pointer"] == 0:
        lines.append("  %s;\n" % call)
        for held in interface.held:
            if name == held + "_end":
                lines.append("  free(%s);\n" % function["parameters"][0]["name"])
    else:
        lines.append("  return %s;\n" % call)
    flat = "SYCLZE__FLAT_"
    prototype = interface.prototype(function, "syclze__flat_" + name, flat)
    return "%s;\n%s {\n%s}\nSYCLZE__EXPORTED_AS(%s);\n" % (
        prototype, prototype, "".join(lines), name)


def read_record(path):
    """(node, functions, sizes of structs) of a release, without what was experimental."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    sizes = {n: int(s) for n, s in re.findall(r"^/\* (syclze_\w+): (\d+) \*/$", text, re.M)}
    stable = text.split("\n%s\n" % EXPERIMENTAL)[0]
    names = set(re.findall(r"\b(syclze_\w+)\([^;{}]*\);$", stable, re.M))
    return "SYCLZE_" + os.path.basename(path)[:-len(".txt")], names, sizes


def earlier(interface, records):
    """(function, node, {parameter: its struct's size then}) of what an earlier release had shorter."""
    for node, names, sizes in records:
        grown = {n for n, size in sizes.items() if n in interface.structs and node != interface.node and
                 n not in interface.opaque and interface.structs[n]["size"] > size}
        for name in sorted(grown & interface.fixed):
            sys.exit("c.py: %s is passed by value, in an array or a struct, or kept, and must not grow" % name)
        for function in interface.data["functions"]:
            then = {p["name"]: sizes[p["type"]["base"]] for p in function["parameters"]
                    if p["type"].get("base") in grown and p["type"]["pointer"] == 1}
            if then and function["name"] in names:
                yield function, node, then


def of_earlier(interface, function, node, then):
    flat = "SYCLZE__FLAT_"
    name = "syclze__%s_%s" % (node.lower().replace(".", "_"), function["name"])
    lines, after = [], []
    for p in function["parameters"]:
        if p["name"] in then:
            lines.append("  %s full_%s;\n" % (p["type"]["base"], p["name"]))
    for p in function["parameters"]:
        if p["name"] in then:
            lines.append("  memset(&full_%s, 0, sizeof full_%s);\n  if (%s != NULL) "
                         "memcpy(&full_%s, %s, %d);\n" % ((p["name"],) * 5 + (then[p["name"]],)))
            if not p["type"]["const"]:
                after.append("  if (%s != NULL) memcpy(%s, &full_%s, %d);\n" % (
                    (p["name"],) * 3 + (then[p["name"]],)))
    call = "syclze__flat_%s(%s)" % (function["name"], ", ".join(
        "%s != NULL ? &full_%s : NULL" % (p["name"], p["name"]) if p["name"] in then else p["name"]
        for p in function["parameters"]))
    if function["result"]["c"] == "void":
        lines += ["  %s;\n" % call] + after
    else:
        lines += ["  %s = %s;\n" % (interface.spelled(function["result"], "result", flat), call)]
        lines += after + ["  return result;\n"]
    prototype = interface.prototype(function, name, flat)
    return "__attribute__((used, visibility(\"default\"))) %s;\n%s {\n%s}\n__asm__(\".symver %s,%s@%s\");\n" % (
        prototype, prototype, "".join(lines), name, function["name"], node)


def functions(interface, records):
    out = []
    for name, words in interface.opaque.items():
        out.append("typedef union SYCLZE__FLAT_%s {\n  uint64_t opaque[%d];\n  %s inner;\n} "
                   "SYCLZE__FLAT_%s;\n" % (name, words, name, name))
    out += [exported(interface, f) for f in interface.data["functions"] if f["header"] !=
            "syclze/library.h"]
    grown = list(earlier(interface, records))
    out += [of_earlier(interface, *g) for g in grown]
    for name in sorted({g[0]["name"] for g in grown}):
        out.append('__asm__(".symver %s,%s@@@%s");\n' % (name, name, interface.node))
    return "".join(out)


def exports(interface, records):
    """Stable functions under the release that first had them as such, experimental ones under this
    release; those that changed under both."""
    nodes = {}
    grown = list(earlier(interface, records))
    changed = {g[0]["name"] for g in grown}
    for function in interface.data["functions"]:
        node = next((r[0] for r in records if function["name"] in r[1]), interface.node)
        nodes.setdefault(node, set()).add(function["name"])
        if function["name"] in changed:
            nodes.setdefault(interface.node, set()).add(function["name"])
            for _, other, _ in (g for g in grown if g[0] is function):
                nodes.setdefault(other, set()).add(function["name"])
    order = [r[0] for r in records if r[0] in nodes]
    order += [interface.node] if interface.node not in order else []
    out, before = [], ""
    for node in order:
        out.append("%s {\n  global:\n%s%s}%s;\n" % (
            node, "".join("    %s;\n" % n for n in sorted(nodes.get(node, ()))),
            "  local: *;\n" if node == order[0] else "", before))
        before = " " + node
    return "".join(out)


def stub(interface):
    out = ['#include "syclze_library.h"\n']
    for function in interface.data["functions"]:
        result = interface.spelled(function["result"], "")
        body = "" if function["result"]["c"] == "void" else \
            "  static %s nothing;\n  return nothing;\n" % result.replace("const ", "")
        out.append("%s {\n%s}\n" % (interface.prototype(function, function["name"]), body))
    return "".join(out)


def main(arguments):
    what, interface = arguments[0], Interface(arguments[1])
    records = [read_record(path) for path in sorted(
        arguments[2:], key=lambda path: [int(n) for n in re.findall(r"\d+", os.path.basename(path))])]
    sys.stdout.write({"header": lambda: header(interface), "record": lambda: header(interface, True),
                      "functions": lambda: functions(interface, records),
                      "exports": lambda: exports(interface, records),
                      "stub": lambda: stub(interface)}[what]())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
