/* Kernels and their parameters, as native modules have them. */
#ifndef ZECL_ENGINE_CUDA_PTX_NATIVE_H
#define ZECL_ENGINE_CUDA_PTX_NATIVE_H

#include "engine/cuda/ptx.h"

/* Appends a kernel with that name and without parameters. Null: no memory. */
struct zecl_ptx_kernel *zecl_ptx_add_kernel(struct zecl_ptx *ptx, const char *name, size_t length);

/* Sets the kind and the size of a parameter; those before it that were not set are values of size
 * 0. False: no memory, or no kernel has so many. */
bool zecl_ptx_set_arg(
    struct zecl_ptx_kernel *kernel, uint32_t index, enum zecl_arg_kind kind, uint32_t size);

/* Read ptx->image. False: malformed, with the reason in the log. */
bool zecl_ptx_read_text(struct zecl_ptx *ptx, struct zecl_text *log);
bool zecl_ptx_read_cubin(struct zecl_ptx *ptx, struct zecl_text *log);

#endif
