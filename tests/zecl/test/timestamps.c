/* One clock for everything: the device's time, kernels' timestamps, those that commands write; and
 * events that several queues and lists share. */
#include "support/handles.h"

static uint64_t now(void) {
  uint64_t host = 0, device = 0;
  OK(zeDeviceGetGlobalTimestamps(test_device(), &host, &device));
  CHECK(host != 0 && device != 0);
  return device;
}

static ze_kernel_handle_t nothing(ze_module_handle_t *module) {
  *module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernel = test_kernel(*module, "nothing");
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  return kernel;
}

static void check_between(
    uint64_t before, const ze_kernel_timestamp_result_t *stamps, uint64_t after) {
  CHECK(before <= stamps->global.kernelStart);
  CHECK(stamps->global.kernelStart <= stamps->global.kernelEnd);
  CHECK(stamps->global.kernelEnd <= after);
}

/* Kernels run between two readings of the device's clock, in the units that the properties name. */
TEST(kernels_run_between_two_looks) {
  ze_module_handle_t module;
  ze_kernel_handle_t kernel = nothing(&module);
  ze_event_pool_handle_t pool =
      test_pool(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2);
  ze_event_handle_t events[2] = {test_event(pool, 0), test_event(pool, 1)};
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  const ze_group_count_t groups = {1, 1, 1};
  uint64_t *written = test_shared(2 * sizeof *written);
  ze_kernel_timestamp_result_t one, *queried = test_shared(3 * sizeof *queried);
  const size_t offsets[2] = {2 * sizeof *queried, 0};
  const uint64_t before = now();
  OK(zeCommandListAppendWriteGlobalTimestamp(list, &written[0], NULL, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, events[0], 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, events[1], 0, NULL));
  OK(zeCommandListAppendWriteGlobalTimestamp(list, &written[1], NULL, 0, NULL));
  OK(zeCommandListAppendQueryKernelTimestamps(list, 2, events, queried, offsets, NULL, 2, events));
  ze_event_handle_t done = test_lone_event();
  OK(zeCommandListAppendSignalEvent(list, done));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  const uint64_t after = now();
  CHECK(before <= written[0] && written[1] <= after);
  check_between(written[0], &queried[2], written[1]);
  check_between(queried[2].global.kernelEnd, &queried[0], written[1]);
  for (int i = 0; i < 2; i++) {
    uint32_t count = 0;
    OK(zeEventQueryKernelTimestamp(events[i], &one));
    CHECK(memcmp(&one, &queried[i ? 0 : 2], sizeof one) == 0);
    OK(zeEventQueryTimestampsExp(events[i], test_device(), &count, NULL));
    CHECK_EQ(count, 1);
    memset(&one, 0, sizeof one);
    OK(zeEventQueryTimestampsExp(events[i], test_device(), &count, &one));
    CHECK(memcmp(&one, &queried[i ? 0 : 2], sizeof one) == 0);
    OK(zeEventHostReset(events[i]));
    RETURNS(NOT_READY, zeEventQueryTimestampsExp(events[i], test_device(), &count, &one));
    OK(zeEventDestroy(events[i]));
  }
  uint32_t count = 1;
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventQueryTimestampsExp(done, test_device(), &count, &one));
  OK(zeEventDestroy(done));
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(written);
  test_free(queried);
}

static ze_command_list_handle_t copying(
    char *to, const char *from, ze_event_handle_t wait, ze_event_handle_t signal) {
  ze_command_list_handle_t list = test_list();
  OK(zeCommandListAppendMemoryCopy(list, to, from, 64, signal, 1, &wait));
  OK(zeCommandListClose(list));
  return list;
}

/* The host opens a gate; data passes two queues and an immediate list, by events alone, whichever
 * of them was given its work first. */
TEST(queues_and_lists_share_events) {
  char *data = test_shared(4 * 64);
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 4);
  ze_event_handle_t events[4];
  for (uint32_t i = 0; i < 4; i++)
    events[i] = test_event(pool, i);
  ze_command_queue_handle_t one = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_queue_handle_t two = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t immediate = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_command_list_handle_t first = copying(data + 64, data, events[0], events[1]);
  ze_command_list_handle_t second = copying(data + 128, data + 64, events[1], events[2]);
  for (int turn = 0; turn < 20; turn++) {
    memset(data, 0, 4 * 64);
    OK(zeCommandListAppendMemoryCopy(
        immediate, data + 192, data + 128, 64, events[3], 1, &events[2]));
    OK(zeCommandQueueExecuteCommandLists(two, 1, &second, NULL));
    OK(zeCommandQueueExecuteCommandLists(one, 1, &first, NULL));
    RETURNS(NOT_READY, zeEventQueryStatus(events[3]));
    memset(data, turn + 1, 64);
    OK(zeEventHostSignal(events[0]));
    OK(zeEventHostSynchronize(events[3], UINT64_MAX));
    CHECK(data[192] == turn + 1 && data[255] == turn + 1);
    OK(zeCommandQueueSynchronize(one, UINT64_MAX));
    OK(zeCommandQueueSynchronize(two, UINT64_MAX));
    for (int i = 0; i < 4; i++)
      OK(zeEventHostReset(events[i]));
  }
  OK(zeCommandListDestroy(immediate));
  OK(zeCommandListDestroy(first));
  OK(zeCommandListDestroy(second));
  OK(zeCommandQueueDestroy(one));
  OK(zeCommandQueueDestroy(two));
  for (int i = 0; i < 4; i++)
    OK(zeEventDestroy(events[i]));
  OK(zeEventPoolDestroy(pool));
  test_free(data);
}

TEST_MAIN(kernels_run_between_two_looks, queues_and_lists_share_events)
