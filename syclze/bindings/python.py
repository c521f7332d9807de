#!/usr/bin/env python3
"""python.py DESCRIPTION RUNTIME >syclze.py: a module by ctypes, of the description of the interface.

Each function is a function of the module, without the prefix, and a method of the class of its first
parameter. Errors are exceptions; outputs are returned; arrays are sequences, and their counts left
out; an object that the caller owns is released by close(), `with` or the collector. RUNTIME has what is
not in the description: how memory, arguments of kernels and callbacks are given.
"""
import json
import keyword
import re
import sys
import textwrap

from c import Interface

SCALARS = {"void": None, "char": "c_char", "int": "c_int", "size_t": "c_size_t", "_Bool": "c_bool",
           "bool": "c_bool", "float": "c_float", "double": "c_double", "uintptr_t": "c_size_t",
           "unsigned": "c_uint"}


def short(name):
    name = re.sub(r"^syclze_", "", name)
    return name + "_" if keyword.iskeyword(name) else name


def title(name):
    return "".join(w.capitalize() for w in re.sub(r"^syclze_", "", name).split("_"))


class Module:
    def __init__(self, data):
        self.data = data
        self.structs = {s["name"]: s for s in data["structs"] + data["external"]["structs"]}
        self.enums = {e["name"] for e in data["enums"] + data["external"]["enums"]}
        self.callbacks = {c["name"] for c in data["callbacks"]}
        self.functions = {f["name"]: f for f in data["functions"]}

    def scalar(self, base):
        if base in self.structs:
            return title(base)
        if base in self.callbacks:
            return title(base)
        if base in SCALARS:
            return SCALARS[base]
        if base in self.enums:
            return "c_int"
        if re.fullmatch(r"u?int(8|16|32|64)_t", base):
            return "c_" + base[:-2]
        if re.search(r"flags?_t$", base):
            return "c_uint32"
        return "c_void_p"

    def ctype(self, kind):
        if "callback" in kind:
            return self.function_type(kind["callback"])
        base, pointer = kind["base"], kind["pointer"]
        held = self.structs.get(base, {}).get("held")
        if pointer == 0:
            found = "c_void_p" if held else self.scalar(base)
        elif pointer == 1 and base == "char":
            found = "c_char_p" if kind["const"] else "c_void_p"
        elif pointer == 1 and base in self.structs and not held:
            found = "POINTER(%s)" % title(base)
        else:
            found = "c_void_p"
        for extent in reversed(kind.get("array", [])):
            found = "%s * %s" % (found, extent)
        return found

    def function_type(self, callback):
        return "CFUNCTYPE(%s)" % ", ".join(
            [str(self.ctype(callback["result"]))] + [
                "c_void_p" if p["type"].get("pointer") else str(self.ctype(p["type"]))
                for p in callback["parameters"]])


def doc(function):
    lines = [function["brief"], ""]
    rest = function["text"][len(function["brief"]):].strip() if \
        " ".join(function["text"].split()).startswith(function["brief"]) else ""
    if rest:
        lines += [" ".join(rest.split()), ""]
    for p in function["parameters"]:
        lines.append("%s: %s%s" % (p["name"], p["text"], " May be None." if p["nullable"] else ""))
    if function["returns"]:
        lines += ["", "Returns " + function["returns"]]
    body = "\n".join("\n".join(textwrap.wrap(l, 92)) for l in lines).strip()
    return '    """%s"""\n' % textwrap.indent(body.replace("\\", "\\\\"), "    ").strip()


def enums(module, out):
    for enum in module.data["enums"] + module.data["external"]["enums"]:
        names = [v["name"] for v in enum["values"]]
        if not names:
            continue
        prefix = re.match(r".*_|", re.sub(r"[^_]*$", "", names[0])).group(0)
        while prefix and not all(n.startswith(prefix) for n in names):
            prefix = re.sub(r"[^_]*_$", "", prefix)
        out.append("class %s(enum.IntEnum):\n" % title(re.sub(r"_t$", "", enum["name"])))
        if enum["text"]:
            out.append('    """%s"""\n' % " ".join(enum["text"].split()).replace('"', "'"))
        for v in enum["values"]:
            name = v["name"][len(prefix):]
            name = name if name and not name[0].isdigit() and not keyword.iskeyword(name) else \
                short(v["name"].replace("SYCLZE_", "", 1))
            out.append("    %s = %d\n" % (name, v["value"]))
        out.append("\n\n")


def fields(module, struct, members, name, out, prefix):
    """The class attributes of a struct; anonymous members have classes of their own before it."""
    rows, anonymous = [], []
    for at, m in enumerate(members):
        if "members" in m:
            inner = "%s_%d" % (name, at)
            fields(module, struct, m["members"], inner, out, "Union" if m["kind"] == "union" else
                   "Structure")
            rows.append((m["name"] or "_%d" % at, inner))
            if not m["name"]:
                anonymous.append("_%d" % at)
        elif m["type"].get("base", "").startswith("syclze__") and m["type"].get("pointer") == 0:
            end = members[at + 1]["offset"] if at + 1 < len(members) else struct["size"]
            rows.append((m["name"], "c_uint32 * %d" % ((end - m["offset"]) // 4)))
        else:
            rows.append((m["name"], module.ctype(m["type"])))
    out.append("class %s(%s):\n" % (name, prefix))
    text = " ".join(struct.get("text", "").split()).replace('"', "'")
    if text and not re.search(r"_\d+$", name):
        out.append('    """%s"""\n' % text)
    if anonymous:
        out.append("    _anonymous_ = %r\n" % (tuple(anonymous),))
    out.append("    __slots__ = ()\n    _fields_ = [%s]\n\n\n" % ", ".join('("%s", %s)' % r for r in rows))


def structs(module, out):
    written = set()

    def names(members):
        for m in members:
            if "members" in m:
                yield from names(m["members"])
            else:
                callback = m["type"].get("callback")
                for kind in [m["type"]] if not callback else [p["type"] for p in callback["parameters"]]:
                    if kind.get("base") in module.structs:
                        yield kind["base"]

    def write(name):
        if name in written:
            return
        written.add(name)
        struct = module.structs[name]
        if struct["kind"] == "opaque":
            if struct["held"]:
                out.append("class %s(_Held):\n    \"\"\"%s\"\"\"\n    _end = \"%s_end\"\n\n\n" % (
                    title(name), " ".join(struct["text"].split()), name))
            else:
                out.append("class %s(Structure):\n    _fields_ = [(\"opaque\", c_uint64 * %d)]\n\n\n" % (
                    title(name), module.opaque[name]))
            return
        for inner in names(struct["members"]):
            write(inner)
        release = next((n for n in (name + "_release", name + "_close", name + "_end")
                        if n in module.functions), None)
        if struct["kind"] == "object":
            out.append("class %s(_Object):\n    \"\"\"%s\"\"\"\n    _fields_ = [(\"rep\", c_void_p)]\n"
                       "    _release = %r\n\n\n" % (title(name), " ".join(struct["text"].split()),
                                                   release))
        else:
            fields(module, struct, struct["members"], title(name), out,
                   "Union" if struct.get("form") == "union" else "Structure")

    for name in module.structs:
        write(name)
    for callback in module.data["callbacks"]:
        out.append("%s = %s\n" % (title(callback["name"]), module.function_type(callback)))
    out.append("\n\n")


def wrapper(module, function):
    """The text of a function of the module, and the parameters that it takes."""
    taken, before, given, returned = [], [], [], []
    parameters = function["parameters"]
    by_name = {p["name"]: p for p in parameters}
    arrays = [p for p in parameters if "length" in p and p["type"]["pointer"] == 1 and
              p["type"]["base"] not in ("void", "char")]
    lengths = {p["length"]: p for p in arrays if p["length"] in by_name}
    twice = None
    for p in parameters:
        name, kind = p["name"] + ("_" if keyword.iskeyword(p["name"]) else ""), p["type"]
        base, pointer = kind.get("base"), kind.get("pointer", 0)
        struct = module.structs.get(base)
        if p["name"] in lengths and pointer == 0:
            given.append("len(%s)" % lengths[p["name"]]["name"])
        elif p["name"] in lengths and lengths[p["name"]]["direction"] != "in":
            # Without a query the caller says how many there is room for.
            if lengths[p["name"]]["nullable"]:
                twice = lengths[p["name"]]
                before.append("    %s = %s()\n" % (name, module.scalar(base)))
            else:
                taken.append((name, "64"))
                before.append("    %s = %s(%s)\n" % (name, module.scalar(base), name))
            given.append("byref(%s)" % name)
        elif p in arrays:
            length = p["length"].replace("->", ".").replace("SYCLZE_", "")
            if p["direction"] == "in":
                taken.append((name, "()" if p["length"] in by_name else ""))
                before.append(("    %s = _array(%s, %s)\n" if p["length"] in by_name else
                               "    %%s = (%%s * %s)(*%%s)\n" % length) % (name, module.scalar(base), name))
            else:
                ends = p["length"] in by_name
                before.append("    %s = None\n" % name if p is twice else "    %s = (%s * %s)()\n" % (
                    name, module.scalar(base), length + ".value" if ends else length))
                part = "%s[:%s]" % (name, length + ".value" if ends else "")
                returned.append("[_owned(one) for one in %s]" % part if struct and
                                struct["kind"] == "object" and p["ownership"] == "caller" else part)
            given.append(name)
        elif pointer and p["direction"] == "out" and not (base == "char") and base != "void" or \
                pointer == 2 and p["direction"] == "out":
            if p["nullable"]:
                taken.append((name, "False"))
                before.append("    %s = %s() if %s else None\n" % (name, title(base), name) if struct
                              else "    %s = %s() if %s else None\n" % (name, module.scalar(base), name))
            elif pointer == 2 or not struct:
                before.append("    %s = %s()\n" % (name, "c_void_p" if pointer == 2 else
                                                   module.scalar(base)))
            else:
                before.append("    %s = %s()\n" % (name, title(base)))
            owned = struct and struct["kind"] == "object" and pointer == 1
            if owned:
                given.append(name)
                returned.append("_owned(%s)" % name if p["ownership"] == "caller" else name)
            elif struct and pointer == 1:
                given.append(name)
                returned.append(name)
            else:
                given.append("None if %s is None else byref(%s)" % (name, name) if p["nullable"]
                             else "byref(%s)" % name)
                returned.append("None if %s is None else %s.value" % (name, name) if p["nullable"]
                                else "%s.value" % name)
        else:
            taken.append((name, "None" if p["nullable"] else ""))
            if struct and pointer == 0 and struct["kind"] == "object" and p["nullable"]:
                given.append("%s if %s is not None else %s()" % (name, name, title(base)))
            elif base == "void" and pointer == 1:
                given.append("_address(%s)" % name)
            elif base == "char" and pointer == 1 and kind["const"]:
                given.append("_text(%s)" % name)
            else:
                given.append(name)
    call = "_lib.%s(%s)" % (function["name"], ", ".join(given))
    body = "".join(before)
    result, struct = function["result"], module.structs.get(function["result"].get("base"))
    if twice:
        body += "    %s\n    %s = (%s * %s.value)()\n" % (
            "_check(%s)" % call if result["c"] == "ze_result_t" else call, twice["name"],
            module.scalar(twice["type"]["base"]), twice["length"])
    if result["c"] == "ze_result_t":
        waits = "ZE_RESULT_NOT_READY: " in function["returns"] and not returned
        body += "    %s_check(%s)\n" % ("return " if waits else "", call)
        if returned:
            body += "    return %s\n" % ", ".join(returned)
    elif result["c"] == "void":
        body += "    %s\n" % call
        if returned:
            body += "    return %s\n" % ", ".join(returned)
    elif struct and struct.get("held"):
        body += "    return _made(%s, %s)\n" % (title(result["base"]), call)
    elif struct and struct["kind"] == "object" and function["ownership"] == "caller" and \
            result["pointer"] == 0 and function["name"].endswith("_take"):
        body += "    return _owned(%s)\n" % call
    else:
        body += "    return %s\n" % ("%s, %s" % (call, ", ".join(returned)) if returned else call)
    # In the order of C: what may be left out is at the end.
    order = []
    for name, default in reversed(taken):
        order.insert(0, (name, default if not order or order[0][1] else ""))
    signature = ", ".join(n + ("=" + d if d else "") for n, d in order)
    return "def %s(%s):\n%s%s\n\n" % (short(function["name"]), signature, doc(function), body), order


def main(arguments):
    with open(arguments[0], encoding="utf-8") as file:
        module = Module(json.load(file))
    module.opaque = Interface(arguments[0]).opaque
    with open(arguments[1], encoding="utf-8") as file:
        runtime = file.read()
    head, tail = runtime.split("# ---- The generated part stands here.\n")
    out = [head]
    enums(module, out)
    structs(module, out)
    out.append("_lib = _load(%r)\n" % ("SYCLZE_" + ".".join(module.data["version"].split(".")[:2])))
    methods = []
    for function in module.data["functions"]:
        kinds = [module.ctype(p["type"]) for p in function["parameters"]]
        out.append("_function(%r, %s, [%s]%s)\n" % (
            function["name"], module.ctype(function["result"]), ", ".join(map(str, kinds)),
            ", True" if function["experimental"] else ""))
    out.append("\n\n")
    for function in module.data["functions"]:
        text, order = wrapper(module, function)
        out.append(text)
        first = function["parameters"][0]["type"] if function["parameters"] else {}
        struct = module.structs.get(first.get("base"))
        stem = (first.get("base") or "") + "_"
        if struct and struct["kind"] in ("object", "opaque") and function["name"].startswith(stem) and \
                order and first["pointer"] == (1 if struct.get("held") else 0):
            methods.append("%s.%s = %s\n" % (title(first["base"]), short(
                function["name"][len(stem):]), short(function["name"])))
    out += methods
    for c in module.data["constants"]:
        out.append("%s = %d\n" % (c["name"].replace("SYCLZE_", "", 1), c["value"]))
    out.append("\n\n" + tail)
    sys.stdout.write("".join(out))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
