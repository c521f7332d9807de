/* SPIR-V read by llvm-spirv, into LLVM's bitcode. The translator's library has an interface of C++
 * only, whose names change with its version, so that its program is run. */
#ifndef ZECL_ENGINE_CUDA_PTX_TRANSLATE_H
#define ZECL_ENGINE_CUDA_PTX_TRANSLATE_H

#include "engine/cuda/ptx/lower.h"

/* Makes lowering->module of the module's words, with the address spaces of NVPTX. */
bool zecl_ptx_translate(struct zecl_lowering *lowering);

#endif
