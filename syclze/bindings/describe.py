#!/usr/bin/env python3
"""describe.py HEADER... >description.json: the public interface as data, read from the headers.

The headers are preprocessed, so that what macros make is described as the compiler sees it; the
contracts are those that tests/build/contracts.py reads. Values, sizes and offsets are the compiler's
($CC). The description has:

  version, abi        of the library
  functions           name, header, experimental, result, parameters, brief, text, returns,
                      ownership, errors
    parameters        name, type, direction (in, out, inout), nullable, length, ownership, text;
                      a length is a parameter, or what the contract says: 3, composite->leaf_count
  structs             name, experimental, kind (object, value, data, opaque), size, members, text
  enums               name, experimental, values, text; syclze_result has the library's codes of
                      ze_result_t
  callbacks           name, result, parameters, text
  aliases             name, type
  external            structs and enums of Level Zero that the above contain by value
  constants           name, value; of macros, and of enumerators without a type

A type has `c` as it is written in C without the name, `base` without qualifiers and pointers,
`pointer` the number of them, `const` of what the first one points to, and `array` the extents.
A function pointer that has no name of its own has `callback` instead.

A struct is an object where it is one pointer, a value where a function passes it by value, and
opaque where its members are private, it has more than two words, and functions pass it by value;
`held` is true of an opaque one that functions begin and end.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "build"))
import contracts  # noqa: E402

COMMENT = re.compile(r"/\*.*?\*/", re.S)


def compiler(*arguments, **options):
    return subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-I.", *arguments],
                          stdout=subprocess.PIPE, universal_newlines=True, **options)


def preprocessed(headers):
    """The text of each file, comments included; Level Zero's header under its name."""
    source = "".join('#include "%s"\n' % header for header in headers)
    text = compiler("-DSYCLZE_DECLARATIONS", "-E", "-C", "-x", "c", "-", input=source,
                    check=True).stdout
    files, at, native = {}, None, False
    for line in text.split("\n"):
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            at = files.setdefault(os.path.normpath(marker.group(1)), [])
            native = "/level_zero/" in marker.group(1)
        elif at is not None:
            at.append(re.sub(r"//.*", "", line) if native else line)
    return {path: "\n".join(lines) for path, lines in files.items()}


def plain(comment):
    """The text of a comment, without its stars."""
    text = re.sub(r"^/\*+<?|\*+/$", "", (comment or "").strip())
    return re.sub(r"\n[ \t]*\* ?", "\n", text).strip()


def line_of(text):
    return " ".join(text.split())


def squeeze(text):
    return line_of(re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", COMMENT.sub(" ", text)))


def type_of(declaration):
    """(name, type) of the declaration of one parameter, member or typedef."""
    text = squeeze(declaration)
    match = re.match(r"(.*?)\(\s*\*\s*(?:const\s*)?(\w*)\s*\)\s*\((.*)\)$", text)
    if match:
        return match.group(2), {"c": text, "callback": {
            "result": type_of(match.group(1) + " _")[1],
            "parameters": [dict(zip(("name", "type"), type_of(p)))
                           for p in contracts.split_parameters(match.group(3))]}}
    arrays = [a.strip() for a in re.findall(r"\[([^\]]*)\]", text)]
    text = re.sub(r"\s*\[[^\]]*\]", "", text)
    match = re.match(r"(.*?[\s*])(\w+)$", text)
    spelled, name = (match.group(1).strip(), match.group(2)) if match else (text, "")
    words = re.findall(r"\w+", spelled)
    base = " ".join(w for w in words if w not in ("const", "volatile", "struct", "enum", "union"))
    first = spelled.split("*")[0]
    kind = {"c": spelled, "base": base, "pointer": spelled.count("*"),
            "const": "const" in first.split()}
    if arrays:
        kind["array"] = arrays
    return name, kind


def parts(body, separator):
    """(code, comment) of each item of a struct's or enum's body; a comment stands before or behind."""
    at, code, before = 0, "", ""
    depth, items = 0, []
    while at < len(body):
        if body.startswith("/*", at):
            end = body.index("*/", at) + 2
            line = body[body.rfind("\n", 0, at) + 1:at]
            if not code.strip() and items and line.strip():
                items[-1][1] += " " + plain(body[at:end])
            elif code.strip():
                items.append([code, plain(body[at:end])]) if separator == "," and \
                    "," not in body[end:] else None
                code, before = ("", "") if items and items[-1][0] == code else (code, before)
            else:
                before += " " + plain(body[at:end])
            at = end
            continue
        character = body[at]
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(character, 0)
        if character == separator and depth == 0:
            items.append([code, before])
            code, before = "", ""
        else:
            code += character
        at += 1
    if code.strip():
        items.append([code, before])
    return [(line_of(c), line_of(t)) for c, t in items if c.strip()]


def members(body):
    found = []
    # Comments inside of nested braces stay in the code that is parsed again.
    for code, text in parts(body, ";"):
        nested = re.match(r"(struct|union)\s*\w*\s*\{(.*)\}\s*(\w*)$", code, re.S)
        if nested:
            found.append({"name": nested.group(3), "text": text, "kind": nested.group(1),
                          "members": members(nested.group(2))})
            continue
        first, *more = contracts.split_parameters(code)
        name, kind = type_of(first)
        found.append({"name": name, "type": kind, "text": text})
        for other in more:
            name, kind = type_of(kind["base"] + " " + other)
            found.append({"name": name, "type": kind, "text": text})
    return found


def types_of(text):
    """The structs, enums, callbacks and aliases of a file."""
    structs, enums, callbacks, aliases = [], [], [], []
    for _, comment, code in contracts.declarations(text):
        words = plain(comment)
        match = re.match(r"(?:typedef\s+)?(struct|union|enum)\s+(\w+)\s*(?:__attribute__\S*\s*)?\{(.*)\}",
                         code, re.S)
        if match and match.group(1) == "enum":
            values = [{"name": c.split("=")[0].strip(), "text": t}
                      for c, t in parts(match.group(3), ",")]
            enums.append({"name": match.group(2).lstrip("_"), "text": words, "values": values})
        elif match:
            structs.append({"name": match.group(2).lstrip("_"), "text": words,
                            "form": match.group(1), "members": members(match.group(3))})
        elif code.startswith("typedef") and "{" not in code:
            name, kind = type_of(code.rstrip(";")[len("typedef"):])
            if "callback" in kind:
                callbacks.append(dict(name=name, text=words, **kind["callback"]))
            elif name != kind["base"].lstrip("_"):
                aliases.append({"name": name, "type": kind})
    return structs, enums, callbacks, aliases


NOT_NULL = re.compile(r"\bnot null\b|\bnull (pointer )?(is|makes|event is) an? ?error|null makes|"
                      r"null included|is null\b.{0,20}error", re.I)
MAY_NULL = re.compile(r"may (both )?be (a )?null|null for|null has no effect|null:|or null|null where|"
                      r"null if|if null|null: |null queries", re.I)
BORROWED = re.compile(r"no ownership changes|not retained|borrow|stays|valid (until|as long|while)|"
                      r"static string|no reference|keeps? the ownership|remains", re.I)
CALLERS = re.compile(r"caller owns|caller's|owned by the caller|reference of|owns|released? (it|them|each)",
                     re.I)


def section(text, tag):
    found = re.findall(r"[@\\]%ss?\b\s*(.*?)(?=\n\s*[@\\]\w|\Z)" % tag, text, re.S)
    return line_of(" ".join(found))


def parameter(function, declaration, documented, text, head):
    name, kind = type_of(declaration)
    direction, words = documented.get(name, ("", ""))
    handle = kind.get("pointer", 0) or "array" in kind or "callback" in kind or \
        contracts.HANDLE.search(kind["c"])
    if not direction:
        direction = "out" if kind.get("pointer") and not kind["const"] and (
            name == "event" or name.endswith("count")) else "in"
    nullable = False
    if handle:
        about = [words] + [s for s in re.split(r"(?<=[.;])\s", line_of(text + " " + head))
                           if "`%s`" % name in s]
        for sentence in about:
            if NOT_NULL.search(sentence) or MAY_NULL.search(sentence):
                nullable = bool(MAY_NULL.search(sentence)) and not re.search(
                    r"(^|\. )not null", sentence, re.I)
                break
    ownership = "borrowed"
    if direction == "out" and (kind.get("base", "").startswith("syclze_") or
                               kind.get("pointer", 0) > 1):
        made = re.search(r"_(make|create|import)(_|$)", function.name)
        ownership = "borrowed" if BORROWED.search(words) and not CALLERS.search(words) and \
            not made else "caller"
    return {"name": name, "type": kind, "direction": direction, "nullable": nullable,
            "ownership": ownership, "text": words}


def experimental(path):
    with open(path, encoding="utf-8") as file:
        return "EXPERIMENTAL" in file.read().split("*/", 1)[0]


def described(function, commented):
    same = re.search(r"[@\\]copydoc\s+(syclze_\w+)", function.comment or "")
    if same and same.group(1) in commented:
        function.comment = commented[same.group(1)].comment
    text, head = plain(function.comment), plain(function.head)
    documented = {}
    for direction, names, words in re.findall(
            r"[@\\]param(?:\[([\w,]+)\])?\s+((?:\w+\s*,\s*)*\w+)\s(.*?)(?=\n\s*[@\\]\w|\Z)", text, re.S):
        for name in names.split(","):
            documented[name.strip()] = (direction.replace("in,out", "inout"), line_of(words))
    listed = [parameter(function, p, documented, text, head) for p in function.parameters]
    names = [p["name"] for p in listed]
    for p in listed:
        stem = re.sub(r"_list$", "", p["name"]).rstrip("s")
        lengths = [n for n in names if n in (stem + "_count", p["name"] + "_count", stem + "_size",
                                             p["name"] + "_size")]
        many = "`count`" in p["text"] or (p["name"].endswith("s") and not
                                           p["type"]["base"].endswith("_" + p["name"]))
        if p["type"].get("pointer") and not lengths and p["type"]["base"] != "void" and many:
            at = names.index(p["name"])
            lengths = [n for n in names[max(0, at - 1):at + 2] if n == "count"]
        lengths += [n["name"] for n in listed if "length of `%s`" % p["name"] in n["text"]]
        said = re.search(r"\barray of ([A-Z][A-Z_]+|\w+->\w+)|^(Three) values", p["text"])
        if said:
            lengths.append(said.group(1) or "3")
        if lengths and p["type"].get("pointer"):
            p["length"] = lengths[0]
    returns = section(text, "return")
    brief = line_of(re.split(r"(?<=\.)\s|\n\s*\n", text + "\n\n", 1)[0])
    result = type_of(function.result + " _")[1]
    body = re.split(r"\n\s*[@\\]\w", text, 1)[0]
    mark = "EXPERIMENTAL. " if experimental(function.path) else ""
    return {"name": function.name, "header": function.path, "experimental": bool(mark),
            "result": result,
            "variadic": "..." in function.parameters,
            "parameters": [p for p in listed if p["type"]["c"] != "..."],
            "brief": mark + brief, "text": mark + body.strip(), "returns": returns,
            "ownership": "caller" if CALLERS.search(returns) and not BORROWED.search(returns)
            else "borrowed",
            "errors": sorted(set(re.findall(r"\b(?:SYCLZE|ZE)_RESULT_\w*[A-Z]", text)) -
                             {"ZE_RESULT_SUCCESS"})}


def constants_of(headers):
    names = []
    for path in headers:
        if not path.endswith(("config.h", "check.h")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            names += re.findall(r"^#[ \t]*define[ \t]+(SYCLZE_(?!_)[A-Z0-9_]+|SYCL_EXT\w+)[ \t]+\S",
                                text, re.M)
            for body in re.findall(r"^enum \{(.*?)\}", text, re.M | re.S):
                names += [c.split()[0] for c, _ in parts(body, ",") if not c.startswith("SYCLZE__")]
    return list(dict.fromkeys(names))


def evaluate(headers, wanted):
    """The values of integer expressions, without those that are none."""
    head = '#include <stddef.h>\n#include <stdio.h>\n' + "".join(
        '#include "%s"\n' % header for header in headers)
    good, kept = [], wanted
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "v.c")
        while len(kept) != len(good):  # A compiler stops after so many errors.
            good = kept
            with open(source, "w", encoding="utf-8") as file:
                file.write(head + "\n".join("enum { syclze__v%d = (int)(0 * (%s)) };" % item
                                            for item in enumerate(good)))
            told = compiler("-DSYCLZE_DECLARATIONS", "-w", "-fsyntax-only", source,
                            stderr=subprocess.STDOUT).stdout
            first = head.count("\n") + 1
            bad = {int(n) - first for n in re.findall(r"v\.c:(\d+):\d+:", told)}
            kept = [w for i, w in enumerate(good) if i not in bad]
        with open(source, "w", encoding="utf-8") as file:
            file.write(head + "void values(void) {\n" + "".join(
                '__asm__ volatile(".ascii \\"->%%0\\"" ::"i"((long long)(%s)));\n' % w
                for w in good) + "}\n")
        values = re.findall(r'"->[$#]?(-?\d+)"', compiler(
            "-w", "-DSYCLZE_DECLARATIONS", "-S", "-o", "-", source, check=True).stdout)
    return dict(zip(good, map(int, values)))


def used_types(items):
    """The names of the types that functions and structs contain by value."""
    for item in items:
        kind = item.get("type") or item.get("result")
        if kind and "base" in kind:
            yield kind["base"]
        for inner in item.get("parameters", []) + item.get("members", []):
            yield from used_types([inner])


def describe(headers):
    files = preprocessed(headers)
    functions, structs, enums, callbacks, aliases = {}, [], [], [], []
    for path in headers:
        text = files.get(path, "")
        for function in contracts.read(path, text)[0]:
            if function.name not in functions or function.comment:
                functions[function.name] = function
        of_file = types_of(text)
        for into, more in zip((structs, enums, callbacks, aliases), of_file):
            into += [dict(m, experimental=experimental(path)) for m in more
                     if m["name"].startswith("syclze_") and not m["name"].startswith("syclze__")]
    functions = [described(f, functions) for f in functions.values()]

    native = types_of("\n".join(t for p, t in files.items() if "/level_zero/" in p))
    needed, external = set(used_types(functions + structs)), {"structs": [], "enums": []}
    for _ in range(4):
        for into, more in zip(("structs", "enums"), native):
            external[into] += [m for m in more if m["name"] in needed and m not in external[into]]
        needed |= set(used_types(external["structs"]))
    external["aliases"] = [a for a in native[3] if a["name"] in needed]
    handles = sorted(n for n in needed if re.fullmatch(r"ze\w*_handle_t", n))

    by_value = {k["base"] for f in functions for k in [f["result"]] + [p["type"] for p in f["parameters"]]
                if k.get("pointer") == 0}
    names = {f["name"] for f in functions}
    constants = constants_of(headers)
    wanted = list(constants)
    every_struct = structs + external["structs"]
    for enum in enums + external["enums"]:
        wanted += [v["name"] for v in enum["values"]]
    for struct in every_struct:
        wanted += ["sizeof(%s)" % struct["name"]]
        wanted += ["offsetof(%s, %s)" % (struct["name"], m["name"])
                   for m in struct["members"] if m["name"]]
        for member in struct["members"]:
            for extent in member.get("type", {}).get("array", []):
                wanted.append(extent)
    values = evaluate(headers, list(dict.fromkeys(wanted)))
    for enum in enums + external["enums"]:
        enum["values"] = [dict(v, value=values[v["name"]]) for v in enum["values"]
                          if v["name"] in values]
    for struct in every_struct:
        struct["size"] = values["sizeof(%s)" % struct["name"]]
        for member in struct["members"]:
            if member["name"]:
                member["offset"] = values.get("offsetof(%s, %s)" % (struct["name"], member["name"]))
            if "array" in member.get("type", {}):
                member["type"]["array"] = [values[e] for e in member["type"]["array"]]
        struct["kind"] = "data"
        only = struct["members"][0] if len(struct["members"]) == 1 else {}
        if only.get("type", {}).get("base", "").startswith("syclze__"):
            struct["kind"] = "object"
        elif struct["name"] in by_value:
            private = "members are private" in struct["text"] and struct["size"] > 16
            struct["kind"] = "opaque" if private else "value"
            struct["held"] = private and struct["name"] + "_end" in names
    codes = [n for n in constants if n.startswith("SYCLZE_RESULT_") and n in values]
    enums.append({"name": "syclze_result", "experimental": False,
                  "text": "The library's codes of ze_result_t.",
                  "values": [{"name": n, "text": "", "value": values[n]} for n in codes]})
    return {"version": ".".join(str(values["SYCLZE_VERSION_" + p]) for p in ("MAJOR", "MINOR", "PATCH")),
            "abi": values["SYCLZE_ABI"], "functions": functions, "structs": structs, "enums": enums,
            "callbacks": callbacks, "aliases": aliases, "external": dict(external, handles=handles),
            "constants": [{"name": n, "value": values[n]} for n in constants
                          if n in values and n not in codes]}


def main(arguments):
    json.dump(describe(arguments), sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
