/* PTX kept on disk, in XDG_CACHE_HOME/zecl or ~/.cache/zecl; ZECL_CACHE=0 in the environment turns
 * it off. Files are written whole and checked when read: one that is damaged, has another key or is
 * not the user's own is built anew. Nothing removes old files. */
#ifndef ZECL_ENGINE_CUDA_PTX_CACHE_H
#define ZECL_ENGINE_CUDA_PTX_CACHE_H

#include "engine/cuda/ptx/llvm.h"
#include "engine/cuda/ptx.h"

struct zecl_ptx_key {
  char path[512];         /* of the file, named after a hash of the key; empty: no cache */
  struct zecl_text bytes; /* the key, which the file has too */
};

/* The key of everything that PTX is made from: the words, the flags, the target, and the programs
 * and libraries that make it. The caller frees it. */
void zecl_ptx_key(const struct zecl_llvm *llvm, const struct zecl_spirv *spirv, const char *flags,
    unsigned capability, struct zecl_ptx_key *key);
void zecl_ptx_key_free(struct zecl_ptx_key *key);

/* Reads the image, and how each kernel takes its offset; ptx->kernels are there already. */
bool zecl_ptx_read_cache(const struct zecl_ptx_key *key, struct zecl_ptx *ptx);
void zecl_ptx_write_cache(const struct zecl_ptx_key *key, const struct zecl_ptx *ptx);

#endif
