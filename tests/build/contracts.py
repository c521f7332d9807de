#!/usr/bin/env python3
"""contracts.py HEADER...: the public functions that lack a part of their contract.

A public function is a declaration or definition of syclze_NAME at file scope. Its contract is the
Doxygen comment right above one of its declarations:

  comment    /** ... */ with a first sentence
  null       what may be null, where a parameter is a pointer, a handle or an object
  units      bytes, elements, nanoseconds, ..., where a parameter is a size, an offset or a time
  ownership  who owns what afterwards, where the function makes, retains, releases or hands out
  return     @return, unless void
  codes      each error code with its cause, where it returns ze_result_t
  threads    a line `Threads:`, unless the head comment of the file has the rule
  params     @param for all parameters, or for none
  see        @see with the document and section it comes from

@copydoc NAME stands for the whole contract of another function. Where a C++ overload or a second
declaration of a function follows, one of them bears the contract. A public macro with parameters
needs a comment, and no more.

Each line of the output is a function and what is missing; the last line is the sum. --list prints
the names of all public functions instead, --calls a C file that has a function site_NAME for each
public function that is defined inline, with one call of it. --self-test tries the rules on an
example.
"""
import re
import sys

OBJECTS = r"syclze_(platform|device|context|queue|event|kernel_bundle|kernel|buffer|image|object|" \
    r"offload_program|native_queue|native_modules)"
HANDLE = re.compile(r"\bze\w*_handle_t\b|\b" + OBJECTS + r"\b")
SIZE_NAME = re.compile(r"(^|_)(size|length|bytes|offset|pitch|timeout|alignment|capacity|period)$")
UNIT = re.compile(r"\b(bytes?|bits?|elements?|entries|words?|texels?|pixels?|"
                  r"(nano|micro|milli)?seconds?|ticks?|rows?|work-(items|groups)|characters?|"
                  r"number of|index|indices|items?)\b", re.I)
OWNERSHIP = re.compile(r"\b(own(s|er|ers|ed|ership)?|references?|transfer(s|red)?|keeps?|kept|caller|"
                       r"caller's|borrow(s|ed)?|frees?|freed|destroy(s|ed)?|copie[sd]|copy|views?|"
                       r"lifetime|outlives?|static|valid (while|until|as long))\b", re.I)
CODE = re.compile(r"\b(SYCLZE_RESULT_|ZE_RESULT_)[A-Z]|\bwhat (\w+ and )?\w*(ze|zes|zet)[A-Z]\w*|"
                  r"\b[Aa]s @ref|\b[Aa]s syclze_|\w+ retain function|\w+ release function|codes? of ")
SOURCE = re.compile(r"Level[- ]Zero|SYCL 2020|SYCL 1\.2\.1|interop[- ]handle|offload|XPTI|instrumentation|"
                    r"SYCL_EXT|sycl_ext|OpenCL|SPIR-V|no counterpart", re.I)
MANAGES = re.compile(r"_(make|create|retain|release|get_native|take|clone|malloc\w*|free|open|"
                     r"close|load|register|unregister|begin|wrap)(_|$)")


class Function:
    def __init__(self, path, line, code, name, result, parameters, comment, head):
        self.path, self.line, self.code, self.name = path, line, code, name
        self.result, self.parameters = result, parameters
        self.comment, self.head = comment, head


def blank(match):
    """Keeps the lines of what is left out."""
    return re.sub(r"[^\n]", " ", match.group(0))


def declarations(text):
    """Yields (line, comment, code) for each item at file scope; preprocessor lines are items too."""
    at, comment, comment_end = 0, None, -1
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text.startswith("/*", at):
            end = text.index("*/", at) + 2
            # A remark behind a declaration belongs to that.
            if text[text.rfind("\n", 0, at) + 1:at].strip() == "":
                comment, comment_end = text[at:end], end
            at = end
        elif text.startswith("//", at):
            at = (text + "\n").index("\n", at)
        elif text[at] == "#":
            end = at
            while True:
                end = (text + "\n").index("\n", end)
                if end == 0 or text[end - 1] != "\\":
                    break
                end += 1
            near = comment is not None and text[comment_end:at].count("\n") <= 1
            line = text[at:end]
            yield text.count("\n", 0, at) + 1, comment if near else None, line
            if re.match(r"#\s*define", line):
                comment = None
            else:
                comment_end = end if near else comment_end
            at = end
        elif text[at] in "};":
            at += 1
        else:
            begin, depth = at, 0
            match = re.compile(r'extern\s+"C"\s*\{|SYCLZE_EXTERN_C_(BEGIN|END)').match(text, at)
            if match:
                at = match.end()
                comment = None
                continue
            while at < len(text):
                if text.startswith("/*", at):
                    at = text.index("*/", at) + 2
                    continue
                character = text[at]
                if character == '"' or character == "'":
                    at += 1
                    while text[at] != character:
                        at += 2 if text[at] == "\\" else 1
                elif character in "({[":
                    depth += 1
                elif character in ")}]":
                    depth -= 1
                    if character == "}" and depth == 0 and "(" in text[begin:at] and not re.match(
                            r"typedef|struct|union|enum", text[begin:at]):
                        at += 1
                        break
                elif character == ";" and depth == 0:
                    at += 1
                    break
                at += 1
            near = comment is not None and text[comment_end:begin].count("\n") <= 1
            yield text.count("\n", 0, begin) + 1, comment if near else None, text[begin:at]
            comment = None


def split_parameters(text):
    parts, depth, part = [], 0, ""
    for character in text:
        if character in "([{<":
            depth += 1
        elif character in ")]}>":
            depth -= 1
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    parts.append(part.strip())
    return [p for p in parts if p not in ("", "void")]


def parameter_name(parameter):
    match = re.search(r"\(\s*(?:\w+\s*)?\*\s*(\w+)\s*\)", parameter)
    if match:
        return match.group(1)
    match = re.search(r"(\w+)\s*(\[[^]]*\]\s*)*(=.*)?$", parameter)
    return match.group(1) if match else ""


def function_of(code):
    """(name, result, parameters) of a declaration of a public function; None for anything else."""
    code = re.sub(r"/\*.*?\*/", " ", code, flags=re.S)
    code = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", " ", code)
    if re.match(r"\s*(typedef|using|static_assert|_Static_assert|namespace)\b", code):
        return None
    match = re.search(r"\b(syclze_(?!_)\w+)\s*\(", code)
    if not match or re.search(r"[={]", code[:match.start()]):
        return None
    before = code[:match.start()]
    result = re.sub(r"\b(SYCLZE_[A-Z_]+|SYCLZE__[A-Z_]+|static|inline|extern|constexpr)\b", " ",
                    before)
    result = re.sub(r"\btemplate\s*<[^;]*?>\s*(?=\w)", " ", result).strip()
    if not result:
        return None
    depth, at = 1, match.end()
    while depth and at < len(code):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        at += 1
    return match.group(1), result, split_parameters(code[match.end():at - 1])


def read(path, text):
    """The functions of a header, and its public macros with parameters as (line, name, comment)."""
    functions, macros = [], []
    head = re.match(r"\s*(/\*.*?\*/)", text, re.S)
    head = head.group(1) if head else ""
    for line, comment, code in declarations(text):
        macro = re.match(r"#\s*define\s+(syclze_(?!_)\w+)\(", code)
        if macro:
            macros.append((path, line, macro.group(1), comment))
        if code.startswith("#"):
            continue
        found = function_of(code)
        if found:
            functions.append(Function(path, line, code, *found, comment, head))
    return functions, macros


def missing(function):
    """The parts that the contract of a declaration lacks."""
    comment = function.comment or ""
    if not comment.startswith("/**"):
        return ["comment"]
    if re.search(r"[@\\]copydoc\s+syclze_\w+", comment):
        return []
    text = re.sub(r"\n\s*\* ?", "\n", comment)
    parameters = [p for p in function.parameters if p != "..."]
    names = [parameter_name(p) for p in parameters]
    takes_null = [p for p in parameters if "*" in p or "[" in p or HANDLE.search(p)]
    gives_object = [p for p in parameters if re.search(r"\b" + OBJECTS + r"\s*\*", p)
                    and "const" not in p]
    documented = re.findall(r"[@\\]param(?:\[[\w,]+\])?\s+((?:\w+\s*,\s*)*\w+)", text)
    documented = {name.strip() for group in documented for name in group.split(",")}
    lacks = []
    if takes_null and not re.search(r"\bnull\b", text, re.I):
        lacks.append("null")
    sizes = [p for p, n in zip(parameters, names) if SIZE_NAME.search(n) or
             (re.match(r"size_t\s+\w+$", p) and not n.endswith(("count", "index")))]
    if sizes and not UNIT.search(text):
        lacks.append("units")
    if (MANAGES.search(function.name) or gives_object) and not OWNERSHIP.search(text):
        lacks.append("ownership")
    if function.result != "void" and not re.search(r"[@\\]returns?\b", text):
        lacks.append("return")
    if re.search(r"\bze_result_t$", function.result) and not CODE.search(text):
        lacks.append("codes")
    if not re.search(r"\bThreads:", text) and not re.search(r"\bthreads?\b", function.head, re.I):
        lacks.append("threads")
    if documented and not set(names) <= documented:
        lacks.append("params " + " ".join(n for n in names if n not in documented))
    see = re.search(r"[@\\](see|sa)\b(.*?)(?=\n\s*[@\\]|\*/|\Z)", text, re.S)
    if not see or not SOURCE.search(see.group(2)):
        lacks.append("see")
    return lacks


def check(sources):
    """Prints what is missing in (path, text) pairs; returns the numbers of those with and without."""
    best, functions, macros = {}, [], []
    for path, text in sources:
        found, its_macros = read(path, text)
        functions += found
        macros += its_macros
    for function in functions:
        lacks = missing(function)
        if function.name not in best or len(lacks) < len(best[function.name][1]) or (
                best[function.name][1] == ["comment"] and lacks != ["comment"]):
            best[function.name] = function, lacks
    commented = {m[2] for m in macros if (m[3] or "").startswith("/**")} | set(best)
    failed = 0
    for function, lacks in best.values():
        if lacks:
            failed += 1
            print("FAIL %s:%d: %s lacks: %s" %
                  (function.path, function.line, function.name, ", ".join(lacks)))
    bare = {name: (path, line) for path, line, name, _ in macros if name not in commented}
    for name, (path, line) in bare.items():
        print("FAIL %s:%d: macro %s lacks: comment" % (path, line, name))
    names = set(best) | {m[2] for m in macros}
    return len(names) - failed - len(bare), failed + len(bare)


GOOD = """/** @file Things. */
SYCLZE_EXTERN_C_BEGIN
/**
 * Makes a thing.
 *
 * @param[in] input  Not null.
 * @param[in] size  In bytes.
 * @param[out] event  Set to null on failure. The caller owns it.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `event` is null.
 * Threads: any.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_thing_make(const int *input, size_t size,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_thing_make);
"""


def self_test():
    """Each rule holds of GOOD, and is broken by one edit of it."""
    edits = {
        "comment": ("/**\n", "/*\n"), "null": ("null", "nil"), "units": ("In bytes", "Large"),
        "ownership": ("The caller owns it", "It"), "return": ("@return", "Gives"),
        "codes": ("ZE_RESULT_", "RESULT_"), "threads": ("Threads: any.", ""),
        "params size": ("@param[in] size", "And"), "see": ("@see Level-Zero backend 4.3", ""),
    }
    passed = failed = 0
    for rule, (old, new) in [(None, ("", ""))] + list(edits.items()):
        functions, _ = read("example.h", GOOD.replace(old, new) if old else GOOD)
        found = missing(functions[0]) if len(functions) == 1 else ["function"]
        if rule == "null":
            found = [part for part in found if part != "ownership"]
        if found == ([rule] if rule else []):
            passed += 1
        else:
            failed += 1
            print("FAIL contracts: %s: found %s" % (rule or "a whole contract", found))
    return passed, failed


def calls(functions):
    """A C file with a call of each function that is inlined."""
    lines, done = ['#include "%s"' % path for path in sorted({f.path for f in functions})], set()
    for function in functions:
        if not re.match(r"\s*SYCLZE_INLINE\b", function.code) or function.name in done or \
                "..." in function.parameters or "&" in function.code.split("{")[0]:
            continue
        done.add(function.name)
        parameters = ", ".join(function.parameters) or "void"
        names = ", ".join(parameter_name(p) for p in function.parameters)
        head = "%s site_%s(%s)" % (function.result, function.name, parameters)
        site = [head + ";", head + " { %s%s(%s); }" % (
            "" if function.result == "void" else "return ", function.name, names)]
        # Images are embedded into objects of ELF only.
        lines += ["#ifdef __ELF__", *site, "#endif"] if "embedded" in function.name else site
    return "\n".join(lines)


def main(arguments):
    if arguments[:1] == ["--self-test"]:
        passed, failed = self_test()
    else:
        listing = arguments[0] if arguments[:1] in (["--list"], ["--calls"]) else None
        sources = [(path, open(path, encoding="utf-8").read())
                   for path in arguments[1 if listing else 0:]]
        functions = [f for path, text in sources for f in read(path, text)[0]]
        if listing:
            print(calls(functions) if listing == "--calls" else
                  "\n".join(sorted({f.name for f in functions})))
            return 0
        passed, failed = check(sources)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
