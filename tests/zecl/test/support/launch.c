#include "launch.h"

#include "handles.h"

void test_launch(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  const ze_group_count_t groups = {x, y, z};
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  CHECK_EQ(
      zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
}

void test_axpy_args(ze_kernel_handle_t kernel, float a, const float *x, float *y) {
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 1, sizeof x, &x), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 2, sizeof y, &y), ZE_RESULT_SUCCESS);
}
