#include "launch.h"

#include "modules.h"
#include "tests/check.h"

void *test_memory(size_t size) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  CHECK_EQ(zeMemAllocShared(test_context(), &device, &host, size, 64, test_device(), &memory),
      ZE_RESULT_SUCCESS);
  CHECK(memory);
  memset(memory, 0, size);
  return memory;
}

ze_command_list_handle_t test_list(void) {
  const ze_command_queue_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_command_list_handle_t list = NULL;
  CHECK_EQ(
      zeCommandListCreateImmediate(test_context(), test_device(), &desc, &list), ZE_RESULT_SUCCESS);
  return list;
}

void test_launch(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  const ze_group_count_t groups = {x, y, z};
  ze_command_list_handle_t list = test_list();
  CHECK_EQ(
      zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
}

void test_axpy_args(ze_kernel_handle_t kernel, float a, const float *x, float *y) {
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 1, sizeof x, &x), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 2, sizeof y, &y), ZE_RESULT_SUCCESS);
}
