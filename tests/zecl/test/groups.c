/* Functions of work-groups: reductions, scans, broadcasts, any and all, in groups of three
 * dimensions. */
#include "support/handles.h"
#include "support/launch.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { X = 3, Y = 4, Z = 2, ITEMS = X * Y * Z, GROUPS = 2000, ALL = ITEMS * GROUPS };

/* The item of a linear global id, of groups in a row of x. */
static void place(int id, int *group, int *item) {
  const int x = id % (X * GROUPS), y = id / (X * GROUPS) % Y, z = id / (X * GROUPS * Y);
  *group = x / X;
  *item = (z * Y + y) * X + x % X;
}

/* The embedded device's own functions are of PoCL; Intel's compiler ends the process for junk. */
static bool on_pocl(void) {
  const char *engine = getenv("ZECL_ENGINE");
  return !test_on_cuda() && (!engine || strcmp(engine, "intel") != 0);
}

static void run(ze_module_handle_t module, const char *name, const int *in, void **out, int outs) {
  ze_kernel_handle_t kernel = test_kernel(module, name);
  OK(zeKernelSetGroupSize(kernel, X, Y, Z));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof in, &in));
  for (int i = 0; i < outs; i++)
    OK(zeKernelSetArgumentValue(kernel, (uint32_t)i + 1, sizeof out[i], &out[i]));
  test_launch(kernel, GROUPS, 1, 1);
  OK(zeKernelDestroy(kernel));
}

/* Numbers by their place in the group. */
static int values[GROUPS][ITEMS];

static int *input(void) {
  int *in = test_shared(ALL * sizeof *in);
  for (int i = 0; i < ALL; i++) {
    int group, item;
    place(i, &group, &item);
    in[i] = values[group][item] = (i * 37 + 11) % 101 - 50;
  }
  return in;
}

TEST(of_integers) {
  ze_module_handle_t module = test_module("test/kernels/groups.spv");
  int *in = input();
  long *out = test_shared(12 * ALL * sizeof *out);
  run(module, "reduce", in, (void *[]){out}, 1);
  for (int i = 0; i < ALL; i++, out += 12) {
    int group, item;
    long sum = 0, least = INT_MAX, most = INT_MIN, before = 0, most_before = INT_MIN,
         least_until = INT_MAX;
    uint32_t least_word = UINT32_MAX, most_word = 0;
    place(i, &group, &item);
    for (int j = 0; j < ITEMS; j++) {
      const int value = values[group][j];
      sum += value;
      if (value < least) least = value;
      if (value > most) most = value;
      if ((uint32_t)value < least_word) least_word = (uint32_t)value;
      if ((uint32_t)value > most_word) most_word = (uint32_t)value;
      if (j < item) before += value;
      if (j < item && value > most_before) most_before = value;
      if (j <= item && value < least_until) least_until = value;
    }
    CHECK_EQ(out[0], sum);
    CHECK_EQ(out[1], least);
    CHECK_EQ(out[2], most);
    CHECK_EQ(out[3], least_word);
    CHECK_EQ(out[4], most_word);
    CHECK_EQ(out[5], sum * (1 << 20));
    CHECK_EQ(out[6], most * (1 << 20));
    CHECK_EQ(out[7], (most < 50) + 2 * (least < -40));
    CHECK_EQ(out[8], before + values[group][item]);
    CHECK_EQ(out[9], before);
    CHECK_EQ(out[10], most_before);
    CHECK_EQ(out[11], least_until);
  }
  test_free(out - 12 * ALL);
  test_free(in);
  OK(zeModuleDestroy(module));
}

TEST(of_real_numbers_in_a_loop) {
  ze_module_handle_t module = test_module("test/kernels/groups.spv");
  int *in = input();
  float *out = test_shared(4 * ALL * sizeof *out);
  double *doubles = test_shared(ALL * sizeof *doubles);
  run(module, "real", in, (void *[]){out, doubles}, 2);
  for (int i = 0; i < ALL; i++) {
    int group, item;
    float sum = 0, most = -INFINITY, least_before = INFINITY;
    double until = 0;
    place(i, &group, &item);
    for (int j = 0; j < ITEMS; j++) {
      const float value = (float)values[group][j];
      sum += value;
      most = fmaxf(most, value);
      if (j < item) least_before = fminf(least_before, value);
      if (j <= item) until += (double)value / 2;
    }
    CHECK(out[4 * i] == sum && out[4 * i + 1] == least_before && out[4 * i + 2] == most);
    CHECK(out[4 * i + 3] == (float)values[group][(1 * Y + 2) * X + 1]);
    CHECK(doubles[i] == until);
  }
  test_free(doubles);
  test_free(out);
  test_free(in);
  OK(zeModuleDestroy(module));
}

TEST(products_and_bits) {
  enum { IN_A_ROW = 12 };
  ze_module_handle_t module = test_module("test/kernels/group_products.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "group_products");
  uint32_t *in = test_shared(IN_A_ROW * sizeof *in), *out = test_shared(4 * IN_A_ROW * sizeof *out);
  float *reals = test_shared(IN_A_ROW * sizeof *reals);
  uint32_t common = UINT32_MAX, any = 0, odd = 0, product = 1;
  for (uint32_t i = 0; i < IN_A_ROW; i++) {
    in[i] = 2 + i % 2 * 4;
    common &= in[i], any |= in[i], odd ^= in[i];
  }
  OK(zeKernelSetGroupSize(kernel, IN_A_ROW, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof in, &in));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof out, &out));
  OK(zeKernelSetArgumentValue(kernel, 2, sizeof reals, &reals));
  test_launch(kernel, 1, 1, 1);
  for (int i = 0; i < IN_A_ROW; product *= in[i++]) {
    CHECK_EQ(out[4 * i], product);
    CHECK_EQ(out[4 * i + 1], common);
    CHECK_EQ(out[4 * i + 2], any);
    CHECK_EQ(out[4 * i + 3], odd);
    CHECK(reals[i] == (float)(product * in[i]));
  }
  test_free(reals);
  test_free(out);
  test_free(in);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}

/* Two kernels share functions, which call others, in a loop; a third calls one that needs none. */
TEST(in_functions_that_kernels_call) {
  enum { ROUNDS = 3 };
  ze_module_handle_t module = test_module("test/kernels/group_helpers.spv");
  int *in = input();
  double *out = test_shared(ROUNDS * ALL * sizeof *out);
  int *last = test_shared(ALL * sizeof *last), *least = test_shared(ALL * sizeof *least);
  int *doubled = test_shared(ALL * sizeof *doubled);
  run(module, "helped", in, (void *[]){out, last}, 2);
  run(module, "helped_too", in, (void *[]){least}, 1);
  run(module, "helped_not", in, (void *[]){doubled}, 1);
  for (int i = 0; i < ALL; i++) {
    int group, item, sum = 0, before = 0, minimum = INT_MAX;
    place(i, &group, &item);
    for (int j = 0; j < ITEMS; j++) {
      const int value = values[group][j];
      sum += value;
      if (j < item) before += value;
      if (value < minimum) minimum = value;
    }
    const double share = 2. * (before + values[group][item]) / (2 * sum);
    for (int round = 0; round < ROUNDS; round++)
      CHECK(sum == 0 || out[ROUNDS * i + round] == share + round * ITEMS);
    CHECK_EQ(last[i], before + minimum + 100);
    CHECK_EQ(least[i], 2 * (minimum + 7));
    CHECK_EQ(doubled[i], 2 * values[group][item]);
  }
  test_free(doubled);
  test_free(least);
  test_free(last);
  test_free(out);
  test_free(in);
  OK(zeModuleDestroy(module));
}

TEST(of_vectors_are_refused_by_name) {
  ze_module_handle_t module = NULL;
  char *log = NULL;
  if (!on_pocl()) SKIP("the engine may have them");
  struct test_file file = test_read("test/kernels/group_vectors.spv");
  CHECK_EQ(test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, NULL, &module, &log),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  CHECK(strstr(log, "work_group_broadcast"));
  free(log);
  free(file.bytes);
}

/* Ids of junk in the first such instruction of a kind. */
static void build_with_junk(const char *path, uint32_t opcode, uint32_t word) {
  struct test_file file = test_read(path);
  uint32_t *words = (uint32_t *)(void *)file.bytes;
  size_t at = 5;
  while ((words[at] & 0xffff) != opcode)
    at += words[at] >> 16;
  words[at + word] = UINT32_MAX;
  ze_module_handle_t module = NULL;
  char *log = NULL;
  CHECK_EQ(test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, NULL, &module, &log),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  CHECK(*log);
  free(log);
  free(file.bytes);
}

TEST(of_junk) {
  enum { ALL_OF_GROUP = 261, BROADCAST = 263, ADD = 264 };
  const uint32_t opcodes[] = {ALL_OF_GROUP, BROADCAST, ADD};
  if (!on_pocl() && !test_on_cuda()) SKIP("its compiler ends the process");
  for (int i = 0; i < 3; i++)
    for (uint32_t word = 1; word <= 4; word++)
      build_with_junk("test/kernels/groups.spv", opcodes[i], word);
}

/* In functions that get the memory, and in their calls. */
TEST(of_junk_in_called_functions) {
  enum { TYPE_FUNCTION = 33, FUNCTION = 54, CALL = 57, ADD = 264 };
  if (!on_pocl()) SKIP("its compiler may end the process");
  build_with_junk("test/kernels/group_helpers.spv", FUNCTION, 4);
  build_with_junk("test/kernels/group_helpers.spv", TYPE_FUNCTION, 2);
  build_with_junk("test/kernels/group_helpers.spv", CALL, 3);
  build_with_junk("test/kernels/group_helpers.spv", CALL, 4);
  build_with_junk("test/kernels/group_helpers.spv", ADD, 3);
}

TEST_MAIN(of_integers, of_real_numbers_in_a_loop, products_and_bits, in_functions_that_kernels_call,
    of_vectors_are_refused_by_name, of_junk, of_junk_in_called_functions)
