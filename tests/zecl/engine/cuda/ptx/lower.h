/* A module on its way from SPIR-V to PTX, as LLVM has it. */
#ifndef ZECL_ENGINE_CUDA_PTX_LOWER_H
#define ZECL_ENGINE_CUDA_PTX_LOWER_H

#include "engine/cuda/ptx/llvm.h"
#include "engine/cuda/ptx.h"

struct zecl_lowering {
  const struct zecl_llvm *llvm;
  const struct zecl_spirv *spirv;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  struct zecl_ptx *ptx;
  struct zecl_text *log;
};

/* Runs passes by name. False: the log has the reason. */
bool zecl_lower_pass(struct zecl_lowering *lowering, const char *passes);

/* Links LLVM's text into the module. */
bool zecl_lower_link_text(struct zecl_lowering *lowering, const struct zecl_text *text);

/* Appends functions of atomics that the module lacks, and those of half numbers that float's can
 * stand for, whose names and types are all that there is to describe. */
void zecl_lower_atomics(struct zecl_lowering *lowering, struct zecl_text *text);
void zecl_lower_halves(struct zecl_lowering *lowering, struct zecl_text *text);

/* Links what the module lacks from the library here, then from libclc. False: a function is in
 * neither; all of them are in the log by their names. */
bool zecl_lower_builtins(struct zecl_lowering *lowering);

/* Calls of printf become calls of CUDA's vprintf, which takes a block of arguments. */
bool zecl_lower_printf(struct zecl_lowering *lowering);

/* Each kernel becomes a function that a kernel of PTX calls, which takes local memory as offsets
 * and the global offset as its last parameter; `offset` of ptx->kernels is set. */
bool zecl_lower_kernels(struct zecl_lowering *lowering);

/* The whole road, without the cache. */
bool zecl_ptx_compile(const struct zecl_llvm *llvm, const struct zecl_spirv *spirv,
    const char *flags, unsigned capability, struct zecl_ptx *ptx, struct zecl_text *log);

#endif
