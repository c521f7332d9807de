/* A kernel handle: a function of a module with argument values, a group size and an offset of its
 * own. It keeps its module alive. */
#ifndef ZECL_MODULES_KERNEL_H
#define ZECL_MODULES_KERNEL_H

#include "core/object.h"
#include "modules/function.h"
#include "modules/module.h"

struct zecl_kernel {
  struct zecl_object object;
  struct zecl_module *module;
  struct zecl_function *function;
  uint32_t group_size[3];
  uint32_t offset[3];
  unsigned char *block; /* the values, as the function lays them out */
  bool *is_set;         /* which arguments have one */
  uint32_t unset_count;
  _Atomic ze_kernel_indirect_access_flags_t indirect_access;
  char *attributes; /* the answer of zeKernelGetSourceAttributes */
};

/* Sets a value in a block of the function's arguments. Null: only checks one that is no image and
 * no sampler. */
ze_result_t zecl_argument_set(const struct zecl_function *function, unsigned char *block,
    uint32_t index, size_t size, const void *value);
/* SUCCESS for three sizes that the function can be launched with. */
ze_result_t zecl_group_size_check(const struct zecl_function *function, const uint32_t *size);

static inline struct zecl_kernel *zecl_kernel_of(ze_kernel_handle_t handle) {
  return (struct zecl_kernel *)(void *)handle;
}

#endif
