/* Variables of programs: all kernels of a module share them, modules do not, and the host finds
 * them. */
#include "support/handles.h"
#include "support/launch.h"

static void *find(ze_module_handle_t module, const char *name, size_t expected) {
  size_t size = 0;
  void *pointer = NULL;
  OK(zeModuleGetGlobalPointer(module, name, &size, &pointer));
  CHECK(pointer);
  CHECK_EQ(size, expected);
  return pointer;
}

static void run(ze_module_handle_t module, const char *name, size_t size, const void *argument) {
  ze_kernel_handle_t kernel = test_kernel(module, name);
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, size, argument));
  test_launch(kernel, 1, 1, 1);
  OK(zeKernelDestroy(kernel));
}

TEST(kernels_share_variables) {
  ze_module_handle_t module = test_module("test/kernels/globals.spv");
  const int five = 5;
  int64_t *seen = test_shared(8 * sizeof *seen);
  static const int64_t first[8] = {7, 3, 'z', (int64_t)1 << 40, 7, 0, 3, -1};
  run(module, "tell", sizeof seen, &seen);
  for (int i = 0; i < 8; i++)
    CHECK_EQ(seen[i], first[i]);
  run(module, "add_to_counter", sizeof five, &five);
  run(module, "add_to_counter", sizeof five, &five);
  run(module, "tell", sizeof seen, &seen);
  CHECK(seen[0] == 17 && seen[6] == 13);
  OK(zeModuleDestroy(module));
  test_free(seen);
}

TEST(the_host_finds_them) {
  ze_module_handle_t module = test_module("test/kernels/globals.spv");
  uint64_t *addresses = test_shared(4 * sizeof *addresses);
  int64_t *seen = test_shared(8 * sizeof *seen);
  int *counter = find(module, "counter", sizeof *counter);
  int *table = find(module, "table", 4 * sizeof *table);
  double *zeros = find(module, "zeros", 300 * sizeof *zeros);
  const int *limits = find(module, "limits", 3 * sizeof *limits);
  CHECK(*counter == 7 && table[3] == 4 && zeros[299] == 0 && limits[0] == -1 && limits[2] == 1);
  run(module, "where", sizeof addresses, &addresses);
  CHECK_EQ(addresses[0], (uintptr_t)counter);
  CHECK_EQ(addresses[1], (uintptr_t)table);
  CHECK_EQ(addresses[2], (uintptr_t)find(module, "mixed", 32));
  CHECK_EQ(addresses[3], (uintptr_t)zeros);
  *counter = 100;
  zeros[299] = 41;
  run(module, "tell", sizeof seen, &seen);
  CHECK(seen[0] == 100 && seen[5] == 41);
  void *again = NULL;
  OK(zeModuleGetGlobalPointer(module, "counter", NULL, &again));
  CHECK_EQ(again, counter);
  RETURNS(ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "hidden", NULL, &again));
  RETURNS(ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "tell", NULL, &again));
  OK(zeModuleDestroy(module));
  test_free(addresses);
  test_free(seen);
}

/* Programs of Intel's driver find a variable of SYCL by its name for the host. */
TEST(names_for_the_host) {
  ze_module_handle_t module = test_module("test/kernels/host_access.spv");
  uint32_t *first = find(module, "host_first", sizeof *first);
  uint32_t *second = find(module, "host_second", sizeof *second);
  CHECK(first == find(module, "first", sizeof *first));
  CHECK(second == find(module, "second", sizeof *second));
  uint32_t *third = find(module, "host_third", sizeof *third);
  CHECK(*first == 1 && *second == 2 && *third == 2);
  ze_kernel_handle_t kernel = test_kernel(module, "add_one");
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  test_launch(kernel, 1, 1, 1);
  OK(zeKernelDestroy(kernel));
  CHECK(*first == 2 && *second == 3 && *third == 3);
  void *none = NULL;
  RETURNS(ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "third", NULL, &none));
  RETURNS(ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "host_", NULL, &none));
  OK(zeModuleDestroy(module));
}

TEST(modules_have_their_own) {
  ze_module_handle_t one = test_module("test/kernels/globals.spv");
  ze_module_handle_t two = test_module("test/kernels/globals.spv");
  int *counter = find(one, "counter", sizeof *counter);
  *counter = 50;
  CHECK_EQ(*(int *)find(two, "counter", sizeof *counter), 7);
  OK(zeModuleDestroy(one));
  ze_module_handle_t three = test_module("test/kernels/globals.spv");
  CHECK_EQ(*(int *)find(three, "counter", sizeof *counter), 7);
  OK(zeModuleDestroy(two));
  OK(zeModuleDestroy(three));
}

TEST(linked_modules_share) {
  ze_module_handle_t modules[] = {
      test_module("test/kernels/globals_imports.spv"), test_module("test/kernels/globals.spv")};
  ze_module_build_log_handle_t log = NULL;
  const ze_result_t result = zeModuleDynamicLink(2, modules, &log);
  char *text = test_log_text(log);
  const int has_linker = !strstr(text, "spirv-tools");
  free(text);
  CHECK_EQ(result, has_linker ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  if (has_linker) {
    int *out = test_shared(sizeof *out);
    int *counter = find(modules[1], "counter", sizeof *counter);
    const int one = 1;
    run(modules[0], "double_counter", sizeof out, &out);
    CHECK(*out == 14 && *counter == 14);
    run(modules[1], "add_to_counter", sizeof one, &one);
    run(modules[0], "double_counter", sizeof out, &out);
    CHECK(*out == 30 && *counter == 30);
    test_free(out);
  }
  OK(zeModuleDestroy(modules[1]));
  OK(zeModuleDestroy(modules[0]));
  if (!has_linker) SKIP("no spirv-link");
}

/* They become one: imports find what others export, and all kernels are there. */
TEST(several_modules_in_one) {
  const char *const paths[] = {
      "test/kernels/globals_imports.spv", "test/kernels/globals.spv", "test/kernels/exports.spv"};
  const uint8_t *inputs[3];
  size_t sizes[3];
  for (int i = 0; i < 3; i++) {
    const struct test_file file = test_read(paths[i]);
    const uint32_t version = 0x00010400;
    if (i == 1) memcpy(file.bytes + sizeof version, &version, sizeof version); /* one is newer */
    inputs[i] = file.bytes;
    sizes[i] = file.size;
  }
  const char *flags[] = {NULL, "-ze-opt-level=2", "-ze-opt-level=2"};
  ze_module_program_exp_desc_t several = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
      .count = 3,
      .inputSizes = sizes,
      .pInputModules = inputs,
      .pBuildFlags = flags};
  const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .pNext = &several};
  ze_module_build_log_handle_t log = NULL;
  ze_module_handle_t module = NULL;
  const ze_result_t result = zeModuleCreate(test_context(), test_device(), &desc, &module, &log);
  char *text = test_log_text(log);
  const int has_linker = !strstr(text, "spirv-tools");
  free(text);
  if (has_linker) {
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    int *out = test_shared(sizeof *out);
    uint32_t count = 0;
    OK(zeModuleGetKernelNames(module, &count, NULL));
    CHECK_EQ(count, 5);
    run(module, "double_counter", sizeof out, &out);
    CHECK(*out == 14 && *(int *)find(module, "counter", sizeof *out) == 14);
    run(module, "exporter", sizeof out, &out);
    CHECK_EQ(*out, 3);
    OK(zeModuleDestroy(module));
    several.count = 2;
    sizes[1] = 40; /* cut short */
    RETURNS(ERROR_MODULE_BUILD_FAILURE,
        zeModuleCreate(test_context(), test_device(), &desc, &module, NULL));
    several.count = 0;
    RETURNS(
        ERROR_INVALID_SIZE, zeModuleCreate(test_context(), test_device(), &desc, &module, NULL));
    test_free(out);
  } else {
    CHECK_EQ(result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  }
  for (int i = 0; i < 3; i++)
    free((void *)(uintptr_t)inputs[i]);
  if (!has_linker) SKIP("no spirv-link");
}

TEST_MAIN(kernels_share_variables, the_host_finds_them, names_for_the_host, modules_have_their_own,
    linked_modules_share, several_modules_in_one)
