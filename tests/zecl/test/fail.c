/* Failure on purpose: ZECL_FAIL. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>

/* The driver reads the variable when zeInit loads it. */
__attribute__((constructor)) static void choose_failures(void) {
  setenv("ZECL_FAIL",
      "zeEventCreate:3,zeMemAllocHost:1:0x70000003,zeMemAllocHost:3,zeCommandListAppendBarrier:2,"
      "zecl.run:2:0x70000001,zecl.run:4:0x70000003",
      1);
}

TEST(third_call_fails_once) {
  ze_event_pool_handle_t pool = test_pool(0, 1);
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  for (int call = 1; call <= 5; call++) {
    ze_event_handle_t event = NULL;
    const ze_result_t result = zeEventCreate(pool, &desc, &event);
    CHECK_EQ(result, call == 3 ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS);
    CHECK_EQ(event == NULL, call == 3);
    if (event) OK(zeEventDestroy(event));
  }
  OK(zeEventPoolDestroy(pool));
}

TEST(two_rules_for_one_function_and_a_code) {
  const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  RETURNS(ERROR_OUT_OF_DEVICE_MEMORY, zeMemAllocHost(test_context(), &desc, 8, 0, &memory));
  CHECK(memory == NULL);
  OK(zeMemAllocHost(test_context(), &desc, 8, 0, &memory));
  test_free(memory);
  RETURNS(ERROR_OUT_OF_HOST_MEMORY, zeMemAllocHost(test_context(), &desc, 8, 0, &memory));
  OK(zeMemAllocHost(test_context(), &desc, 8, 0, &memory));
  test_free(memory);
}

TEST(failed_append_leaves_nothing) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1);
  ze_event_handle_t event = test_event(pool, 0);
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  RETURNS(ERROR_OUT_OF_HOST_MEMORY, zeCommandListAppendBarrier(list, event, 0, NULL));
  RETURNS(NOT_READY, zeEventQueryStatus(event));
  OK(zeCommandListAppendBarrier(list, event, 0, NULL));
  OK(zeEventQueryStatus(event));
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(list));
}

/* The second kernel that runs is lost, and the fourth. */
TEST(an_error_reaches_who_waits) {
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "nothing");
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  const ze_group_count_t groups = {1, 1, 1};
  ze_event_handle_t event = test_lone_event();
  ze_command_list_handle_t list = test_list();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t immediate = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL));
  OK(zeCommandListClose(list));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeEventHostReset(event));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  RETURNS(ERROR_DEVICE_LOST, zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeEventQueryStatus(event));
  OK(zeCommandListAppendLaunchKernel(immediate, kernel, &groups, NULL, 0, NULL));
  RETURNS(ERROR_OUT_OF_DEVICE_MEMORY,
      zeCommandListAppendLaunchKernel(immediate, kernel, &groups, NULL, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(immediate, kernel, &groups, NULL, 0, NULL));
  RETURNS(ERROR_DEVICE_LOST, zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeCommandListDestroy(immediate));
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  OK(zeEventDestroy(event));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}

TEST_MAIN(third_call_fails_once, two_rules_for_one_function_and_a_code,
    failed_append_leaves_nothing, an_error_reaches_who_waits)
