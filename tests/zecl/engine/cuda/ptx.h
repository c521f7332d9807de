/* Modules for CUDA's driver: SPIR-V made into PTX, and what a program must know of PTX or a cubin
 * to launch its kernels. Nothing here calls CUDA: all of it runs on a machine without a GPU.
 *
 *     zecl_ptx_build       SPIR-V, already specialised, to PTX by LLVM and libclc
 *     zecl_ptx_read        native modules: PTX as text, a cubin, a fat binary
 *     cuLibraryLoadData    takes `image`, which ends with a zero
 *     zecl_ptx_free
 *
 * How a kernel is launched: CUDA finds it as `entry`; kernelParams[i] points to the value of
 * argument i, of `args[i].size` bytes, by its kind:
 *
 *     ZECL_ARG_VALUE       the bytes
 *     ZECL_ARG_POINTER     a device address, to global or constant memory alike
 *     ZECL_ARG_LOCAL       a uint32_t, the offset of the argument's memory in the dynamic shared
 *                          memory of the launch, at a multiple of ZECL_PTX_LOCAL_ALIGN: the caller
 *                          places these arguments one after another and gives their sum to CUDA
 *     ZECL_ARG_IMAGE       the device address of a struct zecl_ptx_image (ptx/image.h)
 *     ZECL_ARG_SAMPLER     a number of 64 bits, as in ptx/image.h
 *     ZECL_ARG_OTHER       cannot be set
 *
 * After the arguments comes the global offset, as `offset` has it: a uint32_t[3], one parameter.
 * This is also how DPC++ passes local memory and offsets in its images for NVIDIA's target, where
 * an argument of local memory is a value of 4 bytes.
 *
 * Exported variables are visible by their names as zecl_ptx_symbol has them. Local memory that a
 * kernel declares is static shared memory. Sub-groups are warps: 32 items, in the order of the
 * local linear id. */
#ifndef ZECL_ENGINE_CUDA_PTX_H
#define ZECL_ENGINE_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/text.h"
#include "spirv/spirv.h"

enum { ZECL_PTX_LOCAL_ALIGN = 128 };

enum zecl_ptx_kind {
  ZECL_PTX_NONE, /* not for CUDA */
  ZECL_PTX_TEXT,
  ZECL_PTX_CUBIN,
  ZECL_PTX_FATBIN /* of several; what is in it is known to CUDA only */
};

enum zecl_ptx_offset {
  ZECL_PTX_OFFSET_NONE, /* the kernel takes none; it has no effect */
  ZECL_PTX_OFFSET_LAST, /* the parameter after the arguments, in every launch */
  ZECL_PTX_OFFSET_TWIN  /* of the kernel `entry`_with_offset only, to launch where it is not zero */
};

struct zecl_ptx_kernel {
  char *name;  /* as the module has it */
  char *entry; /* as CUDA finds it */
  uint32_t arg_count;
  struct zecl_arg *args;
  enum zecl_ptx_offset offset;
  uint32_t required_group_size[3]; /* zeros: any */
};

struct zecl_ptx {
  enum zecl_ptx_kind kind;
  char *image; /* with a zero at its end that `size` does not count */
  size_t size;
  uint32_t kernel_count; /* 0 for a fat binary: cuModuleEnumerateFunctions and cuFuncGetParamInfo */
  struct zecl_ptx_kernel *kernels;
};

/* Builds a module without imports. `capability` is the device's, 10 times the major number and the
 * minor: 90. It is lowered to the newest that this LLVM has, whose PTX the device takes too.
 * `flags` are those of zeModuleCreate, and may be null. The same words, flags and programs are
 * found in the cache (ptx_cache.h). False: the log has what is missing, by name, or the compiler's
 * own words. */
bool zecl_ptx_build(const struct zecl_spirv *spirv, const char *flags, unsigned capability,
    struct zecl_ptx *ptx, struct zecl_text *log);

/* The kind of a module, by its first bytes. */
enum zecl_ptx_kind zecl_ptx_kind_of(const void *bytes, size_t size);

/* Copies a native module and reads its kernels and their parameters: from the .param lines of PTX,
 * the .nv.info sections of a cubin. A pointer is a value of 8 bytes there, unless PTX marks it
 * (.ptr). False: malformed, with the reason in the log. */
bool zecl_ptx_read(const void *bytes, size_t size, struct zecl_ptx *ptx, struct zecl_text *log);

void zecl_ptx_free(struct zecl_ptx *ptx);

/* A name as PTX has it: `name` itself where PTX takes it, else one made of it. The caller frees it.
 */
char *zecl_ptx_symbol(const char *name);

#endif
