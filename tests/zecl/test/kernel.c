/* Kernels: arguments, group sizes, queries, launches of both kinds of module. */
#include "support/handles.h"
#include "support/images.h"
#include "support/launch.h"

#include <time.h>

static ze_module_handle_t basic(void) {
  static ze_module_handle_t module;
  if (!module) module = test_module("test/kernels/basic.spv");
  return module;
}

static ze_module_handle_t native(void) {
  static ze_module_handle_t module;
  if (!module) module = test_native("native");
  return module;
}

static ze_result_t set(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value) {
  return zeKernelSetArgumentValue(kernel, index, size, value);
}

static ze_result_t append(ze_kernel_handle_t kernel) {
  const ze_group_count_t groups = {1, 1, 1};
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_result_t result = zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
  return result;
}

static void destroy(ze_kernel_handle_t kernel) {
  CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
}

static void check_axpy(ze_module_handle_t module) {
  enum { COUNT = 256 };
  ze_kernel_handle_t kernel = test_kernel(module, "axpy");
  float *x = test_shared(COUNT * sizeof *x), *y = test_shared(COUNT * sizeof *y);
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)i;
    y[i] = 1;
  }
  test_axpy_args(kernel, 2, x, y);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 32, 1, 1), ZE_RESULT_SUCCESS);
  test_launch(kernel, COUNT / 32, 1, 1);
  for (int i = 0; i < COUNT; i++)
    CHECK(y[i] == 2 * (float)i + 1);
  test_axpy_args(kernel, 1, x + 64, y + 128);
  test_launch(kernel, 2, 1, 1);
  CHECK(y[127] == 2 * 127 + 1);
  CHECK(y[128] == 2 * 128 + 1 + 64);
  CHECK(y[191] == 2 * 191 + 1 + 127);
  CHECK(y[192] == 2 * 192 + 1);
  destroy(kernel);
}

TEST(axpy_of_spirv) {
  check_axpy(basic());
}

TEST(axpy_of_native) {
  check_axpy(native());
}

static void check_no_groups(ze_module_handle_t module, const char *name) {
  ze_kernel_handle_t kernel = test_kernel(module, name);
  uint32_t *out = test_shared(16 * sizeof *out);
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  test_launch(kernel, 0, 1, 1);
  test_launch(kernel, 1, 0, 1);
  test_launch(kernel, 1, 1, 0);
  CHECK_EQ(out[0], 0);
  test_launch(kernel, 1, 1, 1);
  CHECK(out[0] != 0);
  destroy(kernel);
}

TEST(no_groups_do_nothing) {
  check_no_groups(basic(), "fixed_group");
  check_no_groups(native(), "fixed_group");
}

struct mixed {
  char c;
  long l;
  short s;
  float f;
};

TEST(every_size_by_value) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "by_value");
  long *out = test_shared(10 * sizeof *out);
  const char c = -3;
  const short s = -300;
  const int i = -70000;
  const long l = -5000000000;
  const float v[4] = {1, 2, 3, 4}, w[4] = {5, 6, 7, 0};
  const struct mixed mixed = {7, 1L << 40, -9, 11};
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 1, sizeof c, &c), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 2, sizeof s, &s), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 3, sizeof i, &i), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 4, sizeof l, &l), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 5, sizeof v, v), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 6, sizeof w, w), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 7, sizeof mixed, &mixed), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  const long wanted[10] = {c, s, i, l, 4321, 765, 7, 1L << 40, -9, 11};
  for (int k = 0; k < 10; k++)
    CHECK_EQ(out[k], wanted[k]);
  const long wide[3] = {-4, -301, -70001}; /* eight bytes for each smaller one */
  for (uint32_t k = 0; k < 3; k++)
    CHECK_EQ(set(kernel, k + 1, sizeof wide[k], &wide[k]), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  for (int k = 0; k < 3; k++)
    CHECK_EQ(out[k], wide[k]);
  const int narrow = 70003; /* for the long */
  CHECK_EQ(set(kernel, 4, sizeof narrow, &narrow), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(out[3], narrow);
  CHECK_EQ(set(kernel, 7, sizeof mixed, NULL), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(out[7], 0);
  destroy(kernel);
}

TEST(native_by_value) {
  struct {
    char c;
    long l;
  } mixed = {5, 1L << 50};
  const short s = -2;
  ze_kernel_handle_t kernel = test_kernel(native(), "by_value");
  long *out = test_shared(4 * sizeof *out);
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 1, sizeof mixed, &mixed), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 2, sizeof s, &s), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 1, 3, 1), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 7, 1);
  CHECK_EQ(out[0], 5);
  CHECK_EQ(out[1], 1L << 50);
  CHECK_EQ(out[2], -2);
  CHECK_EQ(out[3], 21);
  destroy(kernel);
}

TEST(argument_checks) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "by_value");
  long value[4] = {0};
  const ze_result_t wrong_size = ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
  CHECK_EQ(set(NULL, 0, 8, value), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(set(kernel, 8, 8, value), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  CHECK_EQ(set(kernel, 0, 4, value), wrong_size);
  CHECK_EQ(set(kernel, 1, 2, value), wrong_size);
  CHECK_EQ(set(kernel, 2, 1, value), wrong_size);
  CHECK_EQ(set(kernel, 3, 0, value), wrong_size);
  CHECK_EQ(set(kernel, 4, 2, value), wrong_size);
  CHECK_EQ(set(kernel, 5, 8, value), wrong_size);
  CHECK_EQ(set(kernel, 7, 32, value), wrong_size);
  destroy(kernel);
  kernel = test_kernel(basic(), "local_sum");
  CHECK_EQ(set(kernel, 2, 64, value), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(set(kernel, 2, 0, NULL), wrong_size);
  CHECK_EQ(set(kernel, 2, (size_t)1 << 40, NULL), wrong_size);
  CHECK_EQ(set(kernel, 2, 64, NULL), ZE_RESULT_SUCCESS);
  destroy(kernel);
}

TEST(unset_argument) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "iota");
  int *out = test_shared(sizeof *out);
  CHECK_EQ(append(kernel), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  CHECK_EQ(append(kernel), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(set(kernel, 1, sizeof *out, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(append(kernel), ZE_RESULT_SUCCESS);
  destroy(kernel);
}

TEST(null_pointers) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "where");
  int *out = test_shared(2 * sizeof *out), *optional = out + 1, *null = NULL;
  out[1] = 1000;
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 1, sizeof optional, &optional), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(out[0], 1000);
  CHECK_EQ(set(kernel, 1, sizeof null, &null), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(out[0], 0);
  out[0] = 1;
  CHECK_EQ(set(kernel, 1, sizeof null, NULL), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(out[0], 0);
  destroy(kernel);
}

TEST(local_memory) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "local_sum");
  int *in = test_shared(64 * sizeof *in), *out = test_shared(4 * sizeof *out);
  for (int i = 0; i < 64; i++)
    in[i] = i;
  CHECK_EQ(set(kernel, 0, sizeof in, &in), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 1, sizeof out, &out), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 2, 16 * sizeof *in, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 16, 1, 1), ZE_RESULT_SUCCESS);
  test_launch(kernel, 4, 1, 1);
  for (int group = 0; group < 4; group++)
    CHECK_EQ(out[group], 16 * 16 * group + 120);
  destroy(kernel);
}

TEST(ranges_and_offsets) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "where");
  int *out = test_shared(4 * 6 * 2 * sizeof *out);
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 1, sizeof out, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 2, 3, 1), ZE_RESULT_SUCCESS);
  const ze_result_t offset = zeKernelSetGlobalOffsetExp(kernel, 10, 20, 30);
  const int extra = offset == ZE_RESULT_SUCCESS ? 10 + 2000 + 300000 : 0;
  test_launch(kernel, 2, 2, 2);
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 6; y++)
      for (int x = 0; x < 4; x++)
        CHECK_EQ(out[(z * 6 + y) * 4 + x], x + 100 * y + 10000 * z + extra);
  destroy(kernel);
  CHECK_EQ(offset, ZE_RESULT_SUCCESS);
}

TEST(constant_memory) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "constant_table");
  int *table = test_shared(4 * sizeof *table), *out = test_shared(4 * sizeof *out);
  for (int i = 0; i < 4; i++)
    table[i] = 10 + i;
  CHECK_EQ(set(kernel, 0, sizeof table, &table), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 1, sizeof out, &out), ZE_RESULT_SUCCESS);
  test_launch(kernel, 4, 1, 1);
  CHECK_EQ(out[3], 26);
  destroy(kernel);
}

TEST(group_sizes) {
  const ze_result_t refused = ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  ze_kernel_handle_t kernel = test_kernel(basic(), "iota");
  CHECK_EQ(zeKernelSetGroupSize(kernel, 0, 1, 1), refused);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 1, 1, 0), refused);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 1 << 20, 1, 1), refused);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 1 << 16, 1 << 16, 1), refused);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 4, 4, 4), ZE_RESULT_SUCCESS);
  destroy(kernel);
}

TEST(required_group_size) {
  const ze_result_t refused = ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  ze_kernel_handle_t kernel = test_kernel(basic(), "fixed_group");
  int *out = test_shared(16 * sizeof *out);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 4, 4, 1), refused);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 8, 2, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(out[15], 82);
  uint32_t x = 0, y = 0, z = 0;
  CHECK_EQ(zeKernelSuggestGroupSize(kernel, 64, 64, 1, &x, &y, &z), ZE_RESULT_SUCCESS);
  CHECK(x == 8 && y == 2 && z == 1);
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  CHECK_EQ(zeKernelGetProperties(kernel, &properties), ZE_RESULT_SUCCESS);
  CHECK_EQ(properties.requiredGroupSizeX, 8);
  CHECK_EQ(properties.requiredGroupSizeY, 2);
  CHECK_EQ(properties.requiredGroupSizeZ, 1);
  destroy(kernel);
  kernel = test_kernel(native(), "fixed_group");
  CHECK_EQ(zeKernelSetGroupSize(kernel, 1, 1, 1), refused);
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(out[0], 4);
  destroy(kernel);
}

/* CPU time of a query, on average. */
static double seconds_of_properties(ze_kernel_handle_t kernel) {
  enum { QUERIES = 2000 };
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  struct timespec start, end;
  CHECK_EQ(zeKernelGetProperties(kernel, &properties), ZE_RESULT_SUCCESS);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  for (int i = 0; i < QUERIES; i++)
    CHECK_EQ(zeKernelGetProperties(kernel, &properties), ZE_RESULT_SUCCESS);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return ((double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9) /
         QUERIES;
}

/* The file with a megabyte of the names of source extensions, which mean nothing. */
static struct test_file lengthened(struct test_file file) {
  enum { SOURCE_EXTENSION = 4, WORDS = 1 << 14, COUNT = 16 };
  size_t at = 5;
  const uint32_t *words = (const uint32_t *)(const void *)file.bytes;
  while ((words[at] & 0xffff) < 3 || (words[at] & 0xffff) > 7) /* sources and names */
    at += words[at] >> 16;
  const size_t added = (size_t)COUNT * WORDS * 4;
  struct test_file longer = {calloc(file.size + added, 1), file.size + added};
  CHECK(longer.bytes);
  memcpy(longer.bytes, file.bytes, at * 4);
  const uint32_t head = (uint32_t)WORDS << 16 | SOURCE_EXTENSION;
  for (size_t i = 0; i < COUNT; i++)
    memcpy(longer.bytes + (at + i * WORDS) * 4, &head, 4);
  memcpy(longer.bytes + at * 4 + added, file.bytes + at * 4, file.size - at * 4);
  return longer;
}

TEST(properties_of_a_large_module_cost_no_more) {
  struct test_file file = test_read("test/kernels/saxpy.spv"), longer = lengthened(file);
  ze_module_handle_t small, large;
  CHECK_EQ(test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, NULL, &small, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      test_make(ZE_MODULE_FORMAT_IL_SPIRV, longer, NULL, NULL, &large, NULL), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t of_small = test_kernel(small, "saxpy"), of_large = test_kernel(large, "saxpy");
  CHECK(seconds_of_properties(of_large) < 20 * seconds_of_properties(of_small) + 10e-6);
  destroy(of_small);
  destroy(of_large);
  CHECK_EQ(zeModuleDestroy(small), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(large), ZE_RESULT_SUCCESS);
  free(file.bytes);
  free(longer.bytes);
}

TEST(suggested_sizes) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "iota");
  static const uint32_t ranges[][3] = {{1, 1, 1}, {1 << 20, 1, 1}, {1000, 3, 1}, {7919, 7919, 5}};
  uint32_t x = 0, y = 0, z = 0, count = 0;
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    const uint32_t *range = ranges[i];
    CHECK_EQ(zeKernelSuggestGroupSize(kernel, range[0], range[1], range[2], &x, &y, &z),
        ZE_RESULT_SUCCESS);
    CHECK(range[0] % x == 0 && range[1] % y == 0 && range[2] % z == 0);
    CHECK_EQ(zeKernelSetGroupSize(kernel, x, y, z), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(zeKernelSuggestGroupSize(kernel, 1 << 20, 1, 1, &x, &y, &z), ZE_RESULT_SUCCESS);
  CHECK(x >= 64);
  for (int zero = 0; zero < 3; zero++)
    CHECK_EQ(zeKernelSuggestGroupSize(kernel, zero != 0, zero != 1, zero != 2, &x, &y, &z),
        ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
  CHECK_EQ(zeKernelSuggestGroupSize(kernel, 1, 1, 1, NULL, &y, &z),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(zeKernelSuggestMaxCooperativeGroupCount(kernel, &count), ZE_RESULT_SUCCESS);
  CHECK(count >= 1);
  destroy(kernel);
}

TEST(names) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "axpy");
  size_t size = 0;
  CHECK_EQ(zeKernelGetName(kernel, &size, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(size, 5);
  char name[32];
  size = sizeof name;
  CHECK_EQ(zeKernelGetName(kernel, &size, name), ZE_RESULT_SUCCESS);
  CHECK_EQ(size, 5);
  CHECK_STR_EQ(name, "axpy");
  size = 3;
  CHECK_EQ(zeKernelGetName(kernel, &size, name), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(name, "ax");
  destroy(kernel);
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "unknown"};
  CHECK_EQ(zeKernelCreate(basic(), &desc, &kernel), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  CHECK_EQ(kernel, NULL);
}

TEST(properties) {
  ze_kernel_handle_t axpy = test_kernel(basic(), "axpy"), again = test_kernel(basic(), "axpy"),
                     iota = test_kernel(basic(), "iota");
  ze_kernel_preferred_group_size_properties_t preferred = {
      .stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES};
  ze_kernel_properties_t a = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES, .pNext = &preferred};
  ze_kernel_properties_t b = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  ze_kernel_properties_t c = b;
  CHECK_EQ(zeKernelGetProperties(axpy, &a), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelGetProperties(again, &b), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelGetProperties(iota, &c), ZE_RESULT_SUCCESS);
  CHECK_EQ(a.numKernelArgs, 3);
  CHECK_EQ(c.numKernelArgs, 2);
  CHECK_EQ(a.requiredGroupSizeX, 0);
  CHECK_EQ(a.stype, ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES);
  CHECK(a.pNext == &preferred && preferred.preferredMultiple > 0);
  CHECK(memcmp(&a.uuid, &b.uuid, sizeof a.uuid) == 0);
  CHECK(memcmp(a.uuid.kid, c.uuid.kid, sizeof a.uuid.kid) != 0);
  CHECK(memcmp(a.uuid.mid, c.uuid.mid, sizeof a.uuid.mid) == 0);
  CHECK(a.maxSubgroupSize > 0 && a.maxNumSubgroups > 0);
  destroy(axpy);
  destroy(again);
  destroy(iota);
}

TEST(attributes_and_flags) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "fixed_group");
  uint32_t size = 0;
  char *text = NULL;
  CHECK_EQ(zeKernelGetSourceAttributes(kernel, &size, &text), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(text, "reqd_work_group_size(8,2,1)");
  CHECK_EQ(size, strlen(text) + 1);
  char copy[64] = "", *place = copy;
  CHECK_EQ(zeKernelGetSourceAttributes(kernel, &size, &place), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(copy, text);
  ze_kernel_indirect_access_flags_t flags = 99;
  CHECK_EQ(zeKernelGetIndirectAccess(kernel, &flags), ZE_RESULT_SUCCESS);
  CHECK_EQ(flags, 0);
  CHECK_EQ(
      zeKernelSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetIndirectAccess(kernel, 8), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK_EQ(zeKernelGetIndirectAccess(kernel, &flags), ZE_RESULT_SUCCESS);
  CHECK_EQ(flags, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
  CHECK_EQ(zeKernelSetCacheConfig(kernel, ZE_CACHE_CONFIG_FLAG_LARGE_SLM), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetCacheConfig(kernel, 4), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  destroy(kernel);
}

TEST(kernel_keeps_its_module) {
  ze_module_handle_t module = test_native("native");
  ze_kernel_handle_t kernel = test_kernel(module, "axpy");
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  float *memory = test_shared(2 * sizeof *memory);
  memory[0] = 3;
  test_axpy_args(kernel, 5, memory, memory + 1);
  test_launch(kernel, 1, 1, 1);
  CHECK(memory[1] == 15);
  destroy(kernel);
  CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST(arguments_are_those_of_the_append) {
  ze_command_list_handle_t list = test_list();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_kernel_handle_t kernel = test_kernel(basic(), "iota");
  int *out = test_shared(8 * sizeof *out);
  const ze_group_count_t groups = {1, 1, 1};
  for (int i = 0; i < 8; i++) {
    int *place = out + i;
    CHECK_EQ(set(kernel, 0, sizeof place, &place), ZE_RESULT_SUCCESS);
    CHECK_EQ(set(kernel, 1, sizeof i, &i), ZE_RESULT_SUCCESS);
    CHECK_EQ(
        zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  }
  destroy(kernel);
  CHECK_EQ(zeCommandListClose(list), ZE_RESULT_SUCCESS);
  for (int turn = 0; turn < 2; turn++) {
    memset(out, 0xff, 8 * sizeof *out);
    CHECK_EQ(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 8; i++)
      CHECK_EQ(out[i], i);
  }
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(queue), ZE_RESULT_SUCCESS);
}

TEST(specialised) {
  struct test_file file = test_read("test/kernels/spec.spv");
  const uint32_t ids[] = {1, 3, 0, 2};
  const float one = 1.5f;
  const char three = -7;
  const int zero = 123456;
  const double two = 0.125;
  const void *values[] = {&one, &three, &zero, &two};
  const ze_module_constants_t some = {1, ids, values}, all = {4, ids, values};
  const ze_module_constants_t *given[] = {NULL, &some, &all};
  const float wanted[3][4] = {{4, 2, 0.5f, 1}, {4, 1.5f, 0.5f, 1}, {123456, 1.5f, 0.125f, -7}};
  for (int i = 0; i < 3; i++) {
    ze_module_handle_t module;
    CHECK_EQ(test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, given[i], &module, NULL),
        ZE_RESULT_SUCCESS);
    ze_kernel_handle_t kernel = test_kernel(module, "specialised");
    float *out = test_shared(4 * sizeof *out);
    CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
    test_launch(kernel, 4, 1, 1);
    CHECK(memcmp(out, wanted[i], sizeof wanted[i]) == 0);
    destroy(kernel);
    CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  }
  free(file.bytes);
}

TEST(linked_native) {
  ze_module_handle_t modules[] = {test_native("native_imports"), test_native("native_exports")};
  CHECK_EQ(zeModuleDynamicLink(2, modules, NULL), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t kernel = test_kernel(modules[0], "imported");
  int *out = test_shared(3 * sizeof *out);
  CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(out[0], 101);
  CHECK_EQ(out[1], 111);
  CHECK_EQ(out[2], 111);
  destroy(kernel);
  CHECK_EQ(zeModuleDestroy(modules[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(modules[1]), ZE_RESULT_SUCCESS);
}

TEST(linked_spirv) {
  ze_module_handle_t modules[] = {
      test_module("test/kernels/imports.spv"), test_module("test/kernels/exports.spv")};
  ze_module_build_log_handle_t log = NULL;
  ze_result_t result = zeModuleDynamicLink(2, modules, &log);
  char *text = test_log_text(log);
  const int has_linker = !strstr(text, "install spirv-tools");
  free(text);
  if (has_linker) {
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    ze_kernel_handle_t kernel = test_kernel(modules[0], "imported");
    int *out = test_shared(2 * sizeof *out);
    out[0] = 4;
    out[1] = 5;
    CHECK_EQ(set(kernel, 0, sizeof out, &out), ZE_RESULT_SUCCESS);
    test_launch(kernel, 2, 1, 1);
    CHECK_EQ(out[0], 9);
    CHECK_EQ(out[1], 11);
    destroy(kernel);
  }
  CHECK_EQ(zeModuleDestroy(modules[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(modules[1]), ZE_RESULT_SUCCESS);
  if (!has_linker) SKIP("no spirv-link");
}

TEST(opaque_arguments) {
  ze_module_handle_t module = test_image_module();
  ze_kernel_handle_t kernel = test_kernel(module, "read_image");
  void *value = NULL;
  CHECK_EQ(set(kernel, 0, sizeof value, &value), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(set(kernel, 1, sizeof value, &value), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(set(kernel, 1, sizeof value, NULL), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  destroy(kernel);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
}

TEST(scheduling_hints) {
  ze_kernel_handle_t kernel = test_kernel(basic(), "iota");
  ze_scheduling_hint_exp_properties_t hints = {
      .stype = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES};
  ze_device_module_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES, .pNext = &hints};
  CHECK_EQ(zeDeviceGetModuleProperties(test_device(), &properties), ZE_RESULT_SUCCESS);
  CHECK_EQ(hints.schedulingHintFlags, ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST);
  ze_scheduling_hint_exp_desc_t hint = {.stype = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_DESC};
  for (hint.flags = 0; hint.flags < 8; hint.flags++)
    CHECK_EQ(zeKernelSchedulingHintExp(kernel, &hint), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSchedulingHintExp(kernel, &hint), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK_EQ(zeKernelSchedulingHintExp(kernel, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  destroy(kernel);
}

/* A module with sub-groups does not build on an engine without them, and the log has the engine's
 * own words. */
TEST(sub_groups) {
  enum { ITEMS = 32 };
  ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  CHECK_EQ(zeDeviceGetComputeProperties(test_device(), &compute), ZE_RESULT_SUCCESS);
  struct test_file file = test_read("test/kernels/sub_groups.spv");
  ze_module_handle_t module = NULL;
  char *text = NULL;
  const ze_result_t result = test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, NULL, &module, &text);
  free(file.bytes);
  if (result == ZE_RESULT_SUCCESS) {
    ze_kernel_handle_t kernel = test_kernel(module, "sub_groups");
    int *to = test_shared(3 * ITEMS * sizeof *to);
    CHECK_EQ(zeKernelSetGroupSize(kernel, ITEMS, 1, 1), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof to, &to), ZE_RESULT_SUCCESS);
    test_launch(kernel, 1, 1, 1);
    for (int i = 0; i < ITEMS; i++) {
      const int *seen = to + 3 * i, size = seen[0];
      CHECK(size > 0 && ITEMS % size == 0 && seen[1] == i % size);
      CHECK_EQ(seen[2], size * (size - 1) / 2);
    }
    test_free(to);
    destroy(kernel);
    CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  } else {
    CHECK_EQ(result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    CHECK(strstr(text, "sub_group"));
    CHECK(compute.numSubGroupSizes == 1 && compute.subGroupSizes[0] == 1);
  }
  free(text);
}

TEST_MAIN(axpy_of_spirv, axpy_of_native, no_groups_do_nothing, every_size_by_value, native_by_value,
    argument_checks, unset_argument, null_pointers, local_memory, ranges_and_offsets,
    constant_memory, group_sizes, required_group_size, suggested_sizes, names, properties,
    properties_of_a_large_module_cost_no_more, attributes_and_flags, kernel_keeps_its_module,
    arguments_are_those_of_the_append, specialised, linked_native, linked_spirv, opaque_arguments,
    scheduling_hints, sub_groups)
