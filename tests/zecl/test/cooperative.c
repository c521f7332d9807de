/* Kernels whose groups wait for each other, where those can be made one group, and where not. */
#include "support/handles.h"
#include "support/launch.h"

enum { ITEMS = 8 };

static ze_kernel_handle_t kernel_of(ze_module_handle_t module, const char *name, void *to) {
  ze_kernel_handle_t kernel = test_kernel(module, name);
  OK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof to, &to));
  return kernel;
}

static ze_result_t launch(ze_kernel_handle_t kernel, ze_group_count_t groups) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  const ze_result_t result =
      zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, NULL, 0, NULL);
  OK(zeCommandListDestroy(list));
  return result;
}

static const ze_group_count_t one = {1, 1, 1};

static uint32_t most_groups(ze_kernel_handle_t kernel) {
  uint32_t most = 0;
  OK(zeKernelSuggestMaxCooperativeGroupCount(kernel, &most));
  return most;
}

TEST(one_group_waits_for_itself) {
  ze_module_handle_t module = test_module("test/kernels/cooperative_alone.spv");
  int *to = test_shared(ITEMS * sizeof *to);
  ze_kernel_handle_t both = kernel_of(module, "both", to);
  CHECK(test_on_cuda() ? most_groups(both) > 1 : most_groups(both) == 1);
  OK(launch(both, one));
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(to[i], i + 1);
  const ze_group_count_t more = {most_groups(both) + 1, 1, 1};
  RETURNS(ERROR_INVALID_ARGUMENT, launch(both, more));
  OK(zeKernelDestroy(both));
  OK(zeModuleDestroy(module));
  test_free(to);
}

/* Groups of any size, as many as are promised. */
TEST(groups_wait_for_each_other) {
  enum { NUMBER = 62 };
  ze_module_handle_t module = test_module("test/kernels/cooperative.spv");
  ze_command_queue_group_properties_t group[2];
  uint32_t count = 2;
  OK(zeDeviceGetCommandQueueGroupProperties(test_device(), &count, group));
  CHECK(group[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS);
  for (uint32_t size = 1; size <= ITEMS; size *= 2) {
    const int number = NUMBER;
    uint64_t *row = NULL, value = 1;
    ze_kernel_handle_t pascal = test_kernel(module, "pascal");
    OK(zeKernelSetGroupSize(pascal, size, 1, 1));
    const ze_group_count_t groups = {most_groups(pascal), 1, 1};
    CHECK(groups.groupCountX * size > NUMBER);
    row = test_shared(groups.groupCountX * size * sizeof *row);
    OK(zeKernelSetArgumentValue(pascal, 0, sizeof row, &row));
    OK(zeKernelSetArgumentValue(pascal, 1, sizeof number, &number));
    OK(launch(pascal, groups));
    for (uint64_t i = 0; i <= NUMBER; i++) {
      CHECK_EQ(row[i], value);
      value = value * (NUMBER - i) / (i + 1);
    }
    RETURNS(ERROR_INVALID_ARGUMENT, launch(pascal, (ze_group_count_t){groups.groupCountX, 2, 1}));
    OK(zeKernelDestroy(pascal));
    test_free(row);
  }
  OK(zeModuleDestroy(module));
}

TEST(items_know_their_groups) {
  enum { X = 3, Y = 2, SIZE_X = 4, SIZE_Y = 5, ALL = X * Y * SIZE_X * SIZE_Y };
  ze_module_handle_t module = test_module("test/kernels/cooperative.spv");
  int(*to)[9] = test_shared(ALL * sizeof *to), *places = test_shared(ALL * sizeof *places);
  ze_kernel_handle_t kernel = kernel_of(module, "places", to);
  OK(zeKernelSetGroupSize(kernel, SIZE_X, SIZE_Y, 1));
  OK(launch(kernel, (ze_group_count_t){X, Y, 1}));
  for (int i = 0; i < ALL; i++) {
    const int x = i % (X * SIZE_X), y = i / (X * SIZE_X);
    const int wanted[9] = {x / SIZE_X, y / SIZE_Y, x % SIZE_X, y % SIZE_Y, X, Y, SIZE_X, SIZE_Y, x};
    CHECK(memcmp(to[i], wanted, sizeof wanted) == 0);
  }
  ze_kernel_handle_t pass_on = kernel_of(module, "pass_on", places);
  OK(launch(pass_on, (ze_group_count_t){ALL / ITEMS, 1, 1}));
  for (int i = 0; i < ALL; i++)
    CHECK_EQ(places[i], (i + 1) % ALL);
  OK(zeKernelDestroy(kernel));
  OK(zeKernelDestroy(pass_on));
  OK(zeModuleDestroy(module));
  test_free(to);
  test_free(places);
}

/* Launches without cooperation, or of more groups than reported; a kernel beside it that has no
 * such barrier runs any number of groups, but not cooperatively, unless the engine has groups that
 * wait for each other. */
TEST(more_groups_are_refused) {
  ze_module_handle_t module = test_module("test/kernels/cooperative.spv");
  int *to = test_shared(2 * ITEMS * sizeof *to);
  ze_group_count_t *counted = test_shared(sizeof *counted);
  const ze_group_count_t two = {1, 1, 2}, many = {65536, 65536, 65536};
  ze_kernel_handle_t pass_on = kernel_of(module, "pass_on", to);
  RETURNS(ERROR_INVALID_ARGUMENT, launch(pass_on, many));
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  RETURNS(
      ERROR_INVALID_ARGUMENT, zeCommandListAppendLaunchKernel(list, pass_on, &two, NULL, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, pass_on, &one, NULL, 0, NULL));
  *counted = two;
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendLaunchKernelIndirect(list, pass_on, counted, NULL, 0, NULL));
  CHECK_EQ(to[ITEMS - 1], 0);
  ze_kernel_handle_t alone = kernel_of(module, "alone", to);
  CHECK_EQ(
      launch(alone, two), test_on_cuda() ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT);
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeCommandListAppendLaunchCooperativeKernel(list, alone, NULL, NULL, 0, NULL));
  test_launch(alone, 2, 1, 1);
  CHECK_EQ(to[2 * ITEMS - 1], 1);
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(pass_on));
  OK(zeKernelDestroy(alone));
  OK(zeModuleDestroy(module));
  test_free(to);
  test_free(counted);
}

TEST_MAIN(one_group_waits_for_itself, groups_wait_for_each_other, items_know_their_groups,
    more_groups_are_refused)
