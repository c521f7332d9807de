/* PTX kept on disk, in XDG_CACHE_HOME/zecl or ~/.cache/zecl; ZECL_CACHE=0 in the environment turns
 * it off. Files are written whole and checked when read: one that is damaged is built anew. Nothing
 * removes old files. */
#ifndef ZECL_ENGINE_CUDA_PTX_CACHE_H
#define ZECL_ENGINE_CUDA_PTX_CACHE_H

#include "engine/cuda/ptx/llvm.h"
#include "engine/cuda/ptx.h"

struct zecl_ptx_key {
  char path[512]; /* empty: no cache */
};

/* Of everything that PTX is made from: the words, the flags, the target, and the programs and
 * libraries that make it. */
void zecl_ptx_key(const struct zecl_llvm *llvm, const struct zecl_spirv *spirv, const char *flags,
    unsigned capability, struct zecl_ptx_key *key);

/* Reads the image, and how each kernel takes its offset; ptx->kernels are there already. */
bool zecl_ptx_read_cache(const struct zecl_ptx_key *key, struct zecl_ptx *ptx);
void zecl_ptx_write_cache(const struct zecl_ptx_key *key, const struct zecl_ptx *ptx);

#endif
