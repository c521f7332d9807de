/* Numbers of half precision, also where the engine's library has no function of them. Results are
 * compared by bits with those of doubles, rounded once: sums, products and the fused ones of halves
 * are exact in doubles, or overflow; quotients and roots have more than twice the bits and two. */
#include "support/handles.h"
#include "support/launch.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 1 << 16, ITEMS = 64, PARTNERS = 6 };

struct pair {
  uint16_t a, b;
};

static double value_of(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                      : exponent == 0 ? ldexp(fraction, -24)
                                      : ldexp(1024 + fraction, exponent - 25);
  return half & 0x8000 ? -size : size;
}

/* To the nearest, and of two the even one. */
static uint16_t rounded(double value) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (isnan(value)) return 0x7e00;
  value = fabs(value);
  if (value >= 65520) return sign | 0x7c00;
  int exponent = -13;
  if (value != 0) frexp(value, &exponent);
  if (exponent < -13) exponent = -13;
  const uint32_t units = (uint32_t)nearbyint(ldexp(value, 11 - exponent));
  if (units < 1024) return sign | (uint16_t)units;
  return sign | (uint16_t)(((uint32_t)(exponent + 13) << 10) + units);
}

static bool same(uint16_t found, uint16_t wanted) {
  return found == wanted || (isnan(value_of(found)) && isnan(value_of(wanted)));
}

static void check(uint16_t found, uint16_t wanted, const uint16_t *operands) {
  if (same(found, wanted)) return;
  printf("of %04x %04x %04x\n", operands[0], operands[1], operands[2]);
  CHECK_EQ(found, wanted);
}

static uint16_t random_half(void) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (uint16_t)(state >> 16);
}

/* The module as a compiler writes it that knows of arithmetic: the translator that wrote it says
 * only that there are halves in memory. Null where the device has none. */
static ze_module_handle_t halves(const char *path, char **log) {
  enum { CAPABILITY = 2 << 16 | 17, FLOAT16_BUFFER = 8, FLOAT16 = 9 };
  ze_device_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  OK(zeDeviceGetModuleProperties(test_device(), &properties));
  if (!(properties.flags & ZE_DEVICE_MODULE_FLAG_FP16)) return NULL;
  struct test_file file = test_read(path);
  uint32_t *words = (uint32_t *)(void *)file.bytes;
  for (size_t at = 5; words[at] == CAPABILITY; at += 2)
    if (words[at + 1] == FLOAT16_BUFFER) words[at + 1] = FLOAT16;
  ze_module_handle_t module = NULL;
  const ze_result_t result = test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, NULL, &module, log);
  CHECK_EQ(result, log ? ZE_RESULT_ERROR_MODULE_BUILD_FAILURE : ZE_RESULT_SUCCESS);
  free(file.bytes);
  return module;
}

/* True if the embedded device lends the engine its functions: of others some round twice. */
static bool are_emulated(void) {
  ze_device_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  OK(zeDeviceGetModuleProperties(test_device(), &properties));
  return (properties.fp16flags & ZE_DEVICE_FP_FLAG_SOFT_FLOAT) != 0;
}

static void run(
    ze_module_handle_t module, const char *name, void **arguments, uint32_t count, uint32_t items) {
  ze_kernel_handle_t kernel = test_kernel(module, name);
  OK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  for (uint32_t i = 0; i < count; i++)
    OK(zeKernelSetArgumentValue(kernel, i, sizeof arguments[i], &arguments[i]));
  test_launch(kernel, items / ITEMS, 1, 1);
  OK(zeKernelDestroy(kernel));
}

/* Each half with several others. */
static uint16_t *operands(int seed) {
  uint16_t *all = test_shared(PARTNERS * ALL * sizeof *all);
  static const uint16_t special[] = {0, 1, 0x8000, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0xfc00,
      0x7e00, 0xfbff, 0x8001, 0x4000, 0x5800, 0x0c00, 0xb555};
  for (int i = 0; i < PARTNERS * ALL; i++)
    all[i] = seed == 0           ? (uint16_t)i
             : i % 4 == seed     ? special[i / 64 % 16]
             : i % 4 == 3 - seed ? (uint16_t)(i + seed + i / ALL)
                                 : random_half();
  return all;
}

TEST(arithmetic_is_rounded_once) {
  enum { OUTS = 10, FUSED = 5 };
  ze_module_handle_t module = halves("test/kernels/halves.spv", NULL);
  if (!module) SKIP("the device has no half precision");
  uint16_t *a = operands(0), *b = operands(1), *c = operands(2);
  uint16_t *out = test_shared(OUTS * PARTNERS * ALL * sizeof *out);
  run(module, "arithmetic", (void *[]){a, b, c, out}, 4, PARTNERS * ALL);
  for (int i = 0; i < PARTNERS * ALL; i++) {
    const double x = value_of(a[i]), y = value_of(b[i]), z = value_of(c[i]);
    const uint16_t product = rounded(x * y), given[] = {a[i], b[i], c[i]};
    const uint16_t wanted[OUTS] = {rounded(x + y), rounded(x - y), product, rounded(x / y),
        rounded(sqrt(x)), rounded(fma(x, y, z)), rounded(value_of(product) + z),
        rounded(fmod(x, y)), rounded(nearbyint(x)), rounded(-x)};
    for (int k = 0; k < OUTS; k++)
      if (k != FUSED || are_emulated()) check(out[OUTS * i + k], wanted[k], given);
  }
  test_free(out);
  test_free(c);
  test_free(b);
  test_free(a);
  OK(zeModuleDestroy(module));
}

TEST(relations_and_choices) {
  enum { OUTS = 6 };
  ze_module_handle_t module = halves("test/kernels/halves.spv", NULL);
  if (!module) SKIP("the device has no half precision");
  uint16_t *a = operands(0), *b = operands(1),
           *out = test_shared(OUTS * PARTNERS * ALL * sizeof *out);
  int *bits = test_shared(PARTNERS * ALL * sizeof *bits);
  run(module, "choices", (void *[]){a, b, bits, out}, 4, PARTNERS * ALL);
  for (int i = 0; i < PARTNERS * ALL; i++, out += OUTS) {
    const double x = value_of(a[i]), y = value_of(b[i]);
    const uint16_t given[] = {a[i], b[i], 0};
    CHECK_EQ(bits[i], (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 |
                          (isnan(x) != 0) << 4 | (isinf(x) != 0) << 5 | (isfinite(x) != 0) << 6 |
                          (a[i] >> 15) << 7 | !isunordered(x, y) << 8 | islessgreater(x, y) << 9);
    CHECK((x == 0 && y == 0 && value_of(out[0]) == 0) || same(out[0], rounded(fmax(x, y))));
    CHECK((x == 0 && y == 0 && value_of(out[1]) == 0) || same(out[1], rounded(fmin(x, y))));
    check(out[2], a[i] & 0x7fff, given);
    check(out[3], (uint16_t)((a[i] & 0x7fff) | (b[i] & 0x8000)), given);
    check(out[4], x < y ? a[i] : b[i], given);
    check(out[5], rounded(floor(x)), given);
  }
  test_free(out - OUTS * PARTNERS * ALL);
  test_free(bits);
  test_free(b);
  test_free(a);
  OK(zeModuleDestroy(module));
}

/* Close to the middle of two halves, where rounding twice gives another result. */
static double near_middle(int i) {
  const double value = value_of((uint16_t)i), next = value_of((uint16_t)(i + 1));
  const double off[] = {0, 0x1p-40, -0x1p-40, 0x1p-20};
  return (value + next) / 2 * (1 + off[i % 4]);
}

TEST(conversions) {
  enum { OUTS = 7 };
  ze_module_handle_t module = halves("test/kernels/halves.spv", NULL);
  if (!module) SKIP("the device has no half precision");
  uint16_t *in = test_shared(ALL * sizeof *in), *out = test_shared(OUTS * ALL * sizeof *out);
  double *reals = test_shared(ALL * sizeof *reals), *doubles = test_shared(ALL * sizeof *doubles);
  float *floats = test_shared(ALL * sizeof *floats);
  int *ints = test_shared(3 * ALL * sizeof *ints);
  for (int i = 0; i < ALL; i++)
    in[i] = (uint16_t)i, reals[i] = near_middle(i);
  run(module, "conversions", (void *[]){in, reals, floats, doubles, ints, out}, 6, ALL);
  for (int i = 0; i < ALL; i++) {
    const double x = value_of(in[i]);
    const uint16_t given[] = {in[i], 0, 0}, *o = out + OUTS * i;
    CHECK(isnan(x) ? isnan(floats[i]) && isnan(doubles[i]) : floats[i] == x && doubles[i] == x);
    if (isfinite(x)) {
      CHECK_EQ(ints[3 * i], (int)x);
      CHECK_EQ(ints[3 * i + 2], (int)((long)x >> 4));
    }
    const int limit = x < 0 ? INT_MIN : INT_MAX;
    CHECK_EQ(ints[3 * i + 1], isnan(x) ? 0 : isinf(x) ? limit : (int)nearbyint(x));
    check(o[0], rounded(reals[i]), given);
    check(o[1], rounded((float)reals[i]), given);
    check(o[2], rounded(i - 40000), given);
    check(o[3], rounded(i * 7. - 70000), given);
    check(o[4], rounded(i), given);
    check(o[5], rounded((float)reals[i]), given);
    check(o[6], in[i], given);
  }
  test_free(ints);
  test_free(floats);
  test_free(doubles);
  test_free(reals);
  test_free(out);
  test_free(in);
  OK(zeModuleDestroy(module));
}

static double of_two(double a, double b) {
  return value_of(rounded(a + b));
}

/* value * pair.a + pair.b, where the value is a sum in a loop. */
static uint16_t in_memory(double first, struct pair pair) {
  double sum = 0.5;
  for (int k = 0; k < 4; k++)
    sum = of_two(sum, value_of(rounded(first * k)));
  return rounded(of_two(value_of(rounded(sum * value_of(pair.a))), value_of(pair.b)));
}

TEST(vectors_parameters_constants_and_local_memory) {
  enum { ITEMS_ALL = 4096, OUTS = 11 };
  const uint16_t factor = rounded(1. / 3);
  const struct pair pair = {rounded(0.7), rounded(-5)};
  const double added[] = {1.5, -0.25, 0x1p-24, 65504};
  ze_module_handle_t module = halves("test/kernels/halves.spv", NULL);
  if (!module) SKIP("the device has no half precision");
  ze_kernel_handle_t kernel = test_kernel(module, "shapes");
  uint16_t *in = test_shared(4 * ITEMS_ALL * sizeof *in),
           *out = test_shared(OUTS * ITEMS_ALL * sizeof *out);
  for (int i = 0; i < 4 * ITEMS_ALL; i++)
    in[i] = rounded((i * 37 % 1001 - 500) / 8.);
  OK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof in, &in));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof factor, &factor));
  OK(zeKernelSetArgumentValue(kernel, 2, sizeof pair, &pair));
  OK(zeKernelSetArgumentValue(kernel, 3, ITEMS * sizeof *in, NULL));
  OK(zeKernelSetArgumentValue(kernel, 4, sizeof out, &out));
  test_launch(kernel, ITEMS_ALL / ITEMS, 1, 1);
  static double values[ITEMS_ALL][4];
  for (int i = 0; i < 4 * ITEMS_ALL; i++)
    values[i / 4][i % 4] =
        of_two(value_of(rounded(value_of(in[i]) * value_of(factor))), added[i % 4]);
  for (int i = 0; i < ITEMS_ALL; i++) {
    const double *v = values[i];
    const uint16_t *x = in + 4 * i, *o = out + OUTS * i;
    double dot = 0;
    for (int k = 0; k < 4; k++) {
      check(o[k], rounded(v[k]), x);
      dot += value_of(x[k]) * (1 << k);
    }
    check(o[4], rounded(sqrt(fabs(v[1]))), x);
    check(o[5], rounded(sqrt(fabs(v[3]))), x);
    check(o[6], rounded(fmax(v[0], value_of(x[3]))), x);
    check(o[7], rounded(fmax(v[3], value_of(x[0]))), x);
    check(o[8], in_memory(values[i ^ 1][0], pair), x);
    check(o[9], rounded(dot), x);
    bool is_any = false;
    for (int k = 0; k < 4; k++)
      is_any |= value_of(x[k]) == v[k];
    check(o[10], rounded(is_any ? -1 : 5), x);
  }
  test_free(out);
  test_free(in);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}

TEST(functions_of_groups) {
  enum { GROUPS = 16 };
  ze_module_handle_t module = halves("test/kernels/halves.spv", NULL);
  if (!module) SKIP("the device has no half precision");
  uint16_t *in = test_shared(GROUPS * ITEMS * sizeof *in);
  uint16_t *out = test_shared(3 * GROUPS * ITEMS * sizeof *out);
  for (int i = 0; i < GROUPS * ITEMS; i++)
    in[i] = rounded(i * 37 % 101 - 50);
  run(module, "groups", (void *[]){in, out}, 2, GROUPS * ITEMS);
  for (int i = 0; i < GROUPS * ITEMS; i++) {
    const int first = i / ITEMS * ITEMS;
    double sum = 0, most = -INFINITY, least_before = INFINITY;
    for (int j = first; j < first + ITEMS; j++) {
      sum += value_of(in[j]);
      most = fmax(most, value_of(in[j]));
      if (j < i) least_before = fmin(least_before, value_of(in[j]));
    }
    check(out[3 * i], rounded(sum), in + i);
    check(out[3 * i + 1], rounded(most), in + i);
    check(out[3 * i + 2], rounded(least_before), in + i);
  }
  test_free(out);
  test_free(in);
  OK(zeModuleDestroy(module));
}

TEST(functions_of_bits_are_refused_by_name) {
  char *log = NULL;
  if (!are_emulated()) SKIP("the engine's own half precision");
  CHECK_EQ(halves("test/kernels/halves_lacking.spv", &log), NULL);
  CHECK(strstr(log, "nextafter"));
  CHECK(strstr(log, "convert_half_rtz"));
  free(log);
}

TEST_MAIN(arithmetic_is_rounded_once, relations_and_choices, conversions,
    vectors_parameters_constants_and_local_memory, functions_of_groups,
    functions_of_bits_are_refused_by_name)
