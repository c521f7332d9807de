/* A native module: kernels that a host compiler makes. */
#include <stdlib.h>
#include "zecl_native.h"

extern const int zecl_test_number;
int zecl_test_twice(int value);

const int zecl_test_number = 42;

/* Needs the C library, whose symbols are not the module's own. */
int zecl_test_twice(int value) {
  return (int)strtol("2", NULL, 10) * value;
}

static void nothing(void *const *args, const zecl_native_range *range) {
  (void)args;
  (void)range;
}

static uint32_t items(const zecl_native_range *range, int dimension) {
  return range->group_count[dimension] * range->group_size[dimension];
}

static void axpy(void *const *args, const zecl_native_range *range) {
  const float a = *(const float *)args[0];
  const float *x = *(const float **)args[1];
  float *y = *(float **)args[2];
  for (uint32_t i = 0; i < items(range, 0); i++)
    y[i + range->offset[0]] += a * x[i + range->offset[0]];
}

struct mixed {
  char c;
  long l;
};

static void by_value(void *const *args, const zecl_native_range *range) {
  const struct mixed *mixed = args[1];
  long *out = *(long **)args[0];
  out[0] = mixed->c;
  out[1] = mixed->l;
  out[2] = *(const short *)args[2];
  out[3] = (long)items(range, 1);
}

static void fixed_group(void *const *args, const zecl_native_range *range) {
  **(uint32_t **)args[0] = range->group_size[0];
}

static const uint32_t axpy_sizes[] = {sizeof(float), sizeof(float *), sizeof(float *)};
static const uint32_t by_value_sizes[] = {sizeof(long *), sizeof(struct mixed), sizeof(short)};
static const uint32_t fixed_sizes[] = {sizeof(uint32_t *)};

const zecl_native_kernel zecl_kernels[] = {{.name = "nothing", .function = nothing},
    {.name = "axpy", .function = axpy, .arg_count = 3, .arg_sizes = axpy_sizes},
    {.name = "by_value", .function = by_value, .arg_count = 3, .arg_sizes = by_value_sizes},
    {.name = "fixed_group",
        .function = fixed_group,
        .arg_count = 1,
        .arg_sizes = fixed_sizes,
        .required_group_size = {4, 1, 1}},
    {0}};
