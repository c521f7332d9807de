/* Kernels whose groups wait for each other: OpenCL runs one group of them, and more are refused. */
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

TEST(one_group_waits_for_itself) {
  static const uint64_t row[ITEMS] = {1, 7, 21, 35, 35, 21, 7, 1};
  ze_module_handle_t module = test_module("tests/kernels/cooperative.spv");
  uint64_t *to = test_shared(ITEMS * sizeof *to);
  int *places = test_shared(ITEMS * sizeof *places);
  const int number = ITEMS - 1;
  uint32_t most = 0;
  ze_kernel_handle_t pascal = kernel_of(module, "pascal", to);
  OK(zeKernelSetArgumentValue(pascal, 1, sizeof number, &number));
  OK(zeKernelSuggestMaxCooperativeGroupCount(pascal, &most));
  CHECK_EQ(most, 1);
  OK(launch(pascal, one));
  CHECK(memcmp(to, row, sizeof row) == 0);
  ze_kernel_handle_t pass_on = kernel_of(module, "pass_on", places);
  OK(launch(pass_on, one));
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(places[i], (i + 1) % ITEMS);
  OK(zeKernelDestroy(pascal));
  OK(zeKernelDestroy(pass_on));
  OK(zeModuleDestroy(module));
  test_free(to);
  test_free(places);
}

/* However it is launched; a kernel beside it that waits for nobody runs any number of groups, but
 * not in the name of cooperation. */
TEST(more_groups_are_refused) {
  ze_module_handle_t module = test_module("tests/kernels/cooperative.spv");
  int *to = test_shared(2 * ITEMS * sizeof *to);
  ze_group_count_t *counted = test_shared(sizeof *counted);
  const ze_group_count_t two = {1, 1, 2}, many = {65536, 65536, 65536};
  ze_kernel_handle_t pass_on = kernel_of(module, "pass_on", to);
  SAYS(ERROR_INVALID_ARGUMENT, launch(pass_on, two));
  SAYS(ERROR_INVALID_ARGUMENT, launch(pass_on, many));
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  SAYS(ERROR_INVALID_ARGUMENT, zeCommandListAppendLaunchKernel(list, pass_on, &two, NULL, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, pass_on, &one, NULL, 0, NULL));
  *counted = two;
  SAYS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendLaunchKernelIndirect(list, pass_on, counted, NULL, 0, NULL));
  CHECK_EQ(to[ITEMS - 1], 0);
  ze_kernel_handle_t alone = kernel_of(module, "alone", to);
  SAYS(ERROR_INVALID_ARGUMENT, launch(alone, two));
  SAYS(ERROR_INVALID_NULL_POINTER,
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

TEST_MAIN(one_group_waits_for_itself, more_groups_are_refused)
