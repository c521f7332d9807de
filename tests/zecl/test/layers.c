/* The loader's validation and tracing layers stand between the program and the driver. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>

/* The loader reads the variables when the first call initialises it. */
__attribute__((constructor)) static void ask_for_layers(void) {
  setenv("ZE_ENABLE_VALIDATION_LAYER", "1", 1);
  setenv("ZE_ENABLE_PARAMETER_VALIDATION", "1", 1);
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
}

TEST(work_passes_through) {
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t iota = test_kernel(module, "iota");
  int *ints = test_shared(16 * sizeof *ints), first = 3;
  OK(zeKernelSetGroupSize(iota, 4, 1, 1));
  OK(zeKernelSetArgumentValue(iota, 0, sizeof ints, &ints));
  OK(zeKernelSetArgumentValue(iota, 1, sizeof first, &first));
  const ze_group_count_t groups = {4, 1, 1};
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  OK(zeCommandListAppendLaunchKernel(list, iota, &groups, done, 1, &gate));
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(ints[15], 18);
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t regular = test_list();
  ze_fence_handle_t fence = test_fence(queue);
  OK(zeCommandListAppendMemoryCopy(regular, ints, ints + 1, sizeof *ints, NULL, 0, NULL));
  OK(zeCommandListClose(regular));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &regular, fence));
  OK(zeFenceHostSynchronize(fence, UINT64_MAX));
  CHECK_EQ(ints[0], 4);
  OK(zeFenceDestroy(fence));
  OK(zeCommandListDestroy(regular));
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  OK(zeKernelDestroy(iota));
  OK(zeModuleDestroy(module));
  test_free(ints);
}

TEST(refusals_keep_their_codes) {
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventHostSignal(NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeEventPoolCreate(test_context(), NULL, 0, NULL, NULL));
  ze_event_handle_t event = test_lone_event();
  OK(zeEventDestroy(event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventHostSignal(event));
}

TEST_MAIN(work_passes_through, refusals_keep_their_codes)
