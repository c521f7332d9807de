/* A native module that needs native_exports.c: a function, called and pointed to, and variables. */
#include "zecl_native.h"

extern int zecl_test_counter, *zecl_test_shared;
int zecl_test_next(int step);

static int (*const next)(int) = zecl_test_next;

static void imported(void *const *args, const zecl_native_range *range) {
  (void)range;
  int *out = *(int **)args[0];
  out[0] = zecl_test_next(1);
  out[1] = next(10);
  out[2] = zecl_test_counter;
}

static void copy_shared(void *const *args, const zecl_native_range *range) {
  int *out = *(int **)args[0];
  (void)range;
  for (int i = 0; i < 4; i++)
    out[i] = zecl_test_shared[i];
}

static const uint32_t sizes[] = {sizeof(int *)};

const zecl_native_kernel zecl_kernels[] = {
    {.name = "imported", .function = imported, .arg_count = 1, .arg_sizes = sizes},
    {.name = "copy_shared", .function = copy_shared, .arg_count = 1, .arg_sizes = sizes}, {0}};
