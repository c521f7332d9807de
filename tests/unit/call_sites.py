#!/usr/bin/env python3
"""Prints a C file with one function for each inlined public function: a call of it, and no more.

The name of each is that of the public function after "call_of_". tests/unit/call_sites.sh measures
them."""
import glob
import re
import sys

declaration = re.compile(
    r"^SYCLZE_INLINE\s+((?:const\s+)?(?:struct\s+)?\w+[\s*]*?)\s*\b(syclze_[a-z]\w*)\(([^;{}]*?)\)\s*[;{]",
    re.MULTILINE,
)


def without_cpp(text):
    """Without what only C++ sees, where overloads have the names of macros in C."""
    kept, open_blocks = [], []
    for line in text.splitlines():
        if line.startswith("#if"):
            open_blocks.append({"#ifdef __cplusplus": True, "#ifndef __cplusplus": False}.get(line))
        elif line.startswith("#else") and open_blocks[-1] is not None:
            open_blocks[-1] = not open_blocks[-1]
        elif line.startswith("#endif"):
            open_blocks.pop()
        elif True not in open_blocks:
            kept.append(line)
    return "\n".join(kept)


headers = [
    path
    for folder in ("", "command/", "offload/", "trace/")
    for path in sorted(glob.glob(f"syclze/{folder}*.h"))
]
print('#include "syclze/syclze.h"\n#include "syclze/command.h"\n#include "syclze/offload/offload.h"')
print('#include "syclze/offload/launch.h"\n#include "syclze/offload/kernel_source.h"\n#include "syclze/offload/split.h"')
print('#include "syclze/trace/marks.h"')
found = set()
for header in headers:
    with open(header, encoding="utf-8") as file:
        text = file.read()
    text = without_cpp(text)
    for match in declaration.finditer(text):
        returned, name, parameters = match.groups()
        if name in found:
            continue
        found.add(name)
        parameters = " ".join(parameters.split())
        names = [] if parameters == "void" else re.findall(r"(\w+)(?:\[\w*\])?(?:,|$)", parameters)
        give = "" if returned.strip() == "void" else "return "
        print(f"{returned} call_of_{name}({parameters});")
        print(f"{returned} call_of_{name}({parameters}) {{ {give}{name}({', '.join(names)}); }}")
if len(found) < 100:
    sys.exit("fewer than 100 inlined public functions were found")
