/* The address spaces of SPIR-V's modules made into those of NVPTX, in LLVM's text, since the C
 * interface cannot change a type. */
#ifndef ZECL_ENGINE_CUDA_PTX_SPACES_H
#define ZECL_ENGINE_CUDA_PTX_SPACES_H

#include "core/text.h"

/* Appends `from` to `to`: constant memory (2) becomes global (1), since kernels are given pointers
 * to it; generic (4) becomes 0; global and local memory have the same numbers. So do names of
 * functions, in which the spaces of their parameters stand, and casts that no longer change
 * anything; of functions that are one then, one declaration is left. Images and samplers become
 * pointers to global memory. */
void zecl_ptx_spaces(const char *from, struct zecl_text *to);

#endif
