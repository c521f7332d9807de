#include "engine/cuda/ptx/library.h"

__asm__(".section .rodata\n"
        ".balign 16\n"
        ".global zecl_ptx_library, zecl_ptx_library_end\n"
        ".hidden zecl_ptx_library, zecl_ptx_library_end\n"
        "zecl_ptx_library:\n"
        ".incbin \"engine/cuda/ptx/library/library.bc\"\n"
        "zecl_ptx_library_end:\n"
        ".previous\n");
