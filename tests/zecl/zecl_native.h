/* A native module of zecl: a shared object of the host that exports the table zecl_kernels.
 * zeModuleCreate takes the bytes of its file with ZE_MODULE_FORMAT_NATIVE.
 *
 *     #include "zecl_native.h"
 *     static void add(void *const *args, const zecl_native_range *range) {
 *       int *out = *(int **)args[0], value = *(int *)args[1];
 *       for (uint32_t i = 0; i < range->group_count[0] * range->group_size[0]; i++)
 *         out[i] += value;
 *     }
 *     static const uint32_t add_sizes[] = {sizeof(int *), sizeof(int)};
 *     const zecl_native_kernel zecl_kernels[] = {
 *         {.name = "add", .function = add, .arg_count = 2, .arg_sizes = add_sizes}, {0}};
 *
 * A kernel is called once per launch, in-line, on the thread that executes its command list;
 * several launches may run at a time. Functions and variables of other native modules are declared
 * extern and stay null until zeModuleDynamicLink, so constructors must not use them. */
#ifndef ZECL_NATIVE_H
#define ZECL_NATIVE_H

#include <stdint.h>

typedef struct zecl_native_range {
  uint32_t group_count[3];
  uint32_t group_size[3];
  uint32_t offset[3]; /* global offset, in work-items */
} zecl_native_range;

/* args[i] points to the value of argument i; a pointer argument's value is the pointer. */
typedef void zecl_native_function(void *const *args, const zecl_native_range *range);

typedef struct zecl_native_kernel {
  const char *name; /* null ends the table */
  zecl_native_function *function;
  uint32_t arg_count;
  const uint32_t *arg_sizes;       /* bytes of each value; null without arguments */
  uint32_t flags;                  /* 0 */
  uint32_t required_group_size[3]; /* zeros: any */
} zecl_native_kernel;

#endif
