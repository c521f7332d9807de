"""What became of a kernel: built, or refused for want of something that the engine lacks, by name."""
import re

# Texts of logs, and what they say that the engine lacks: \1 is a word of the log. PoCL 3.1 has
# OpenCL 1.2's functions.
LACKS = [
    (r"^nothing for \d+ s$", "time"),
    (r"it requires ext_intel_esimd,|it is explicit SIMD|build options?: -vc-codegen", "explicit SIMD"),
    (r"it requires (.*?), which the device does not have", r"\1"),
    (r"parsing vISA inline assembly failed", "an instruction of inline assembly"),
    (r"(?:at word \d+: )([^:]*?)(?: \(SPV_\w+\))? is not supported", r"\1"),
    (r"Cannot find symbol _Z\d+(?:get_\w*sub_group|\w*sub_group_)", "sub-groups"),
    (r"Cannot find symbol _Z\d+work_group_", "functions of work-groups"),
    (r"Cannot find symbol _Z\d+atomic_\w*PU3AS\dV?[fd]", "atomics of floating-point numbers"),
    (r"Cannot find symbol _Z\d+\w*PU3AS4", "pointers to generic memory"),
    (r"Cannot find symbol (\w+)|has no function (\w+)", r"the function \1\2"),
    (r"uses unknown extension '(\w+)'", r"\1"),
    (r"LLVM: Cannot select: \S+ \S+ = (\w+)", r"an instruction for LLVM's \1"),
    (r"leaves imports of the module unresolved", "DPC++'s functions of devices"),
    (r"Unexpected pattern! UNREACHABLE .*?/llvm-spirv", "a translator that does not fail at the module"),
    (r"IGC: Internal Compiler Error", "a compiler that does not fail at the module"),
]


def outcome(result, log):
    """`built`, `lacking` or `failed`, and the reason."""
    if "success" in result.lower():
        return "built", ""
    for pattern, name in LACKS:
        found = re.search(pattern, log)
        if found:
            return "lacking", found.expand(name)
    return "failed", " ".join(log.split())[:200]
