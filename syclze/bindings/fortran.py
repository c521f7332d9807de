#!/usr/bin/env python3
"""fortran.py DESCRIPTION >syclze.f90: a module of iso_c_binding interfaces, of the description.

Objects, values and inputs are derived types, whose members are null and zero at first; handles, memory
and held types are type(c_ptr), callbacks type(c_funptr), enumerators constants. An interface has the
name of the C function. A type with a union is its bytes.
"""
import json
import re
import sys

from c import Interface

KINDS = {"char": "character(c_char)", "int": "integer(c_int)", "size_t": "integer(c_size_t)",
         "_Bool": "logical(c_bool)", "bool": "logical(c_bool)", "float": "real(c_float)",
         "double": "real(c_double)", "uintptr_t": "integer(c_intptr_t)"}


class Module:
    def __init__(self, path):
        self.interface = Interface(path)
        data = self.data = self.interface.data
        self.structs = {s["name"]: s for s in data["structs"] + data["external"]["structs"]}
        self.enums = {e["name"] for e in data["enums"] + data["external"]["enums"]}
        self.callbacks = {c["name"] for c in data["callbacks"]}
        self.names = {}
        taken = set()
        for name in list(self.structs) + [f["name"] for f in data["functions"]]:
            short = name[:63] if name[:63].lower() not in taken else name[:60] + "_2"
            taken.add(short.lower())
            self.names[name] = short

    def scalar(self, base):
        """The type of a value; None for a pointer."""
        if base in self.structs:
            return "type(%s)" % self.names[base]
        if base in self.callbacks:
            return "type(c_funptr)"
        if base in KINDS:
            return KINDS[base]
        bits = re.fullmatch(r"u?int(8|16|32|64)_t", base)
        if bits:
            return "integer(c_int%s_t)" % bits.group(1)
        if base in self.enums or re.search(r"flags?_t$", base):
            return "integer(c_int)"
        return None

    def member(self, kind):
        """(type, default) of a member."""
        if "callback" in kind:
            return "type(c_funptr)", "c_null_funptr"
        found = self.scalar(kind["base"]) if kind["pointer"] == 0 else None
        if found is None:
            return "type(c_ptr)", "c_null_ptr"
        if found.startswith("type("):
            return found, "c_null_funptr" if found == "type(c_funptr)" else None
        return found, {"i": "0", "l": ".false.", "r": "0", "c": "c_null_char"}[found[0]]


def wrapped(text, indent="  "):
    """Lines of at most 100 columns, continued."""
    lines, line = [], indent
    for word in re.findall(r"\S+\s*", text):
        if len(line) + len(word) > 96:
            lines.append(line.rstrip() + " &\n")
            line = indent + "    "
        line += word
    return "".join(lines) + line.rstrip() + "\n"


def types(module, out):
    written = set()

    def write(name):
        struct = module.structs[name]
        if name in written or struct.get("held"):
            return
        written.add(name)
        words = module.interface.opaque.get(name)
        plain = words is None and struct.get("form") != "union" and all(
            "type" in m and not (m["type"].get("base", "").startswith("syclze__") and
                                 m["type"].get("pointer") == 0) for m in struct["members"])
        body = []
        if plain:
            for m in struct["members"]:
                base = m["type"].get("base")
                if base in module.structs and m["type"].get("pointer") == 0:
                    write(base)
                kind, default = module.member(m["type"])
                extents = m["type"].get("array", [])
                body.append("    %s :: %s%s%s\n" % (
                    kind, m["name"], "(%s)" % ", ".join(map(str, reversed(extents))) if extents else "",
                    " = " + default if default else ""))
        else:
            count = words or (struct["size"] + 7) // 8
            word = "c_int64_t" if struct["size"] % 8 == 0 or words else "c_int32_t"
            count = count if word == "c_int64_t" else struct["size"] // 4
            body.append("    integer(%s) :: opaque(%d) = 0\n" % (word, count))
        out.append("  type, bind(c) :: %s\n%s  end type\n" % (module.names[name], "".join(body)))

    for name in module.structs:
        write(name)


def interface(module, function):
    names, rows, imported = [], [], set()
    for p in function["parameters"]:
        name, kind = p["name"], p["type"]
        names.append(name)
        base, pointer = kind.get("base"), kind.get("pointer", 0)
        struct = module.structs.get(base)
        if "callback" in kind:
            rows.append("type(c_funptr), value :: " + name)
        elif struct and struct.get("held"):
            rows.append("type(c_ptr), value :: " + name)
        elif pointer == 0:
            found = module.scalar(base)
            rows.append("%s, value :: %s" % (found or "type(c_ptr)", name))
        elif pointer == 1 and struct:
            intent = {"in": "in", "out": "out", "inout": "inout"}[p["direction"]]
            many = "length" in p
            intent = "inout" if many and intent == "out" else intent
            rows.append("type(%s), intent(%s)%s :: %s%s" % (
                module.names[base], intent, ", optional" if p["nullable"] else "", name,
                "(*)" if many else ""))
        elif pointer == 1 and p["direction"] != "in" and base != "void" and base != "char" and \
                module.scalar(base) and "length" not in p:
            rows.append("%s, intent(%s)%s :: %s" % (module.scalar(base), p["direction"],
                                                   ", optional" if p["nullable"] else "", name))
        elif pointer == 2 and p["direction"] == "out":
            rows.append("type(c_ptr), intent(out) :: " + name)
        elif pointer == 1 and base not in KINDS and not module.scalar(base) and base != "void" and \
                p["direction"] == "out" and re.search(r"_handle_t$", base):
            rows.append("type(c_ptr), intent(out) :: " + name)
        else:
            rows.append("type(c_ptr), value :: " + name)
    result, base = function["result"], function["result"].get("base")
    struct = module.structs.get(base)
    if result["c"] == "void":
        head, tail = "subroutine", ""
    else:
        head = "function"
        found = module.scalar(base) if result["pointer"] == 0 and not (struct and struct.get("held")) \
            else "type(c_ptr)"
        tail = " result(result_)"
        rows.append("%s :: result_" % (found or "type(c_ptr)"))
    lines = ["  ! %s\n" % function["brief"][:95]] if function["brief"] else []
    short = module.names[function["name"]]
    lines.append(wrapped('%s %s(%s) bind(c, name="%s")%s' % (
        head, short, ", ".join(names), function["name"], tail), "    "))
    lines.append("      import\n")
    lines += [wrapped(r, "      ") for r in rows]
    lines.append("    end %s\n" % head)
    return "".join(lines)


def main(arguments):
    module = Module(arguments[0])
    out = ["! Made of the contracts of syclze's headers; do not edit.\nmodule syclze\n"
           "  use, intrinsic :: iso_c_binding\n  implicit none\n  public\n\n"]
    for enum in module.data["enums"] + module.data["external"]["enums"]:
        for v in enum["values"]:
            if v["value"] < 2**31 and len(v["name"]) < 64:
                out.append("  integer(c_int), parameter :: %s = %d\n" % (v["name"], v["value"]))
    for c in module.data["constants"]:
        out.append("  integer(c_int), parameter :: %s = %d\n" % (
            c["name"], c["value"] - 2**32 * (c["value"] >= 2**31)))
    out.append("\n")
    types(module, out)
    out.append("\n  interface\n")
    out += [interface(module, f) for f in module.data["functions"]]
    out.append("  end interface\nend module\n")
    sys.stdout.write("".join(out))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
