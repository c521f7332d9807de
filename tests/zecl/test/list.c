/* Regular lists: recording, closing, resetting, and what each command does. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>
#include <unistd.h>

/* Closes the list, runs it to its end, and opens it anew. */
static void run(ze_command_list_handle_t list) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  OK(zeCommandListClose(list));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListReset(list));
}

TEST(copies_when_run_and_not_before) {
  ze_command_list_handle_t list = test_list();
  int *from = test_shared(100 * sizeof *from), *to = test_shared(100 * sizeof *to);
  OK(zeCommandListAppendMemoryCopy(list, to, from, 100 * sizeof *to, NULL, 0, NULL));
  for (int i = 0; i < 100; i++)
    from[i] = i;
  CHECK_EQ(to[99], 0);
  run(list);
  for (int i = 0; i < 100; i++)
    CHECK_EQ(to[i], i);
  run(list);
  OK(zeCommandListAppendMemoryCopyFromContext(
      list, to, test_context(), from + 1, sizeof *to, NULL, 0, NULL));
  run(list);
  CHECK_EQ(to[0], 1);
  test_free(from);
  test_free(to);
  OK(zeCommandListDestroy(list));
}

TEST(fills) {
  enum { SIZE = 100003 };
  unsigned char *memory = test_shared(SIZE + 1), pattern[256];
  ze_command_list_handle_t list = test_list();
  for (int i = 0; i < 256; i++)
    pattern[i] = (unsigned char)(i * 7 + 1);
  for (size_t size = 1; size <= sizeof pattern; size *= 2) {
    OK(zeCommandListAppendMemoryFill(list, memory, pattern, size, SIZE, NULL, 0, NULL));
    unsigned char *kept = malloc(size);
    CHECK(kept != NULL);
    memcpy(kept, pattern, size);
    memset(pattern, 0, size);
    run(list);
    memcpy(pattern, kept, size);
    free(kept);
    for (size_t i = 0; i < SIZE; i++)
      if (memory[i] != pattern[i % size]) CHECK_EQ(memory[i], pattern[i % size]);
    CHECK_EQ(memory[SIZE], 0);
  }
  OK(zeCommandListAppendMemoryFill(list, memory, pattern, 8, 3, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryFill(list, memory, pattern, 8, 0, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_SIZE,
      zeCommandListAppendMemoryFill(list, memory, pattern, 3, 12, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_SIZE,
      zeCommandListAppendMemoryFill(list, memory, pattern, 0, 12, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_SIZE,
      zeCommandListAppendMemoryFill(list, memory, pattern, (size_t)1 << 40, 12, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeCommandListAppendMemoryFill(list, NULL, pattern, 4, 12, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeCommandListAppendMemoryFill(list, memory, NULL, 4, 12, NULL, 0, NULL));
  test_free(memory);
  OK(zeCommandListDestroy(list));
}

TEST(copies_a_region) {
  enum { PITCH = 16, ROWS = 8, SLICES = 4, SLICE = PITCH * ROWS };
  unsigned char *from = test_shared(SLICE * SLICES), *to = test_shared(SLICE * SLICES);
  for (int i = 0; i < SLICE * SLICES; i++)
    from[i] = (unsigned char)(i % 251);
  ze_command_list_handle_t list = test_list();
  const ze_copy_region_t source = {1, 2, 1, 5, 3, 2}, target = {4, 0, 2, 5, 3, 2};
  OK(zeCommandListAppendMemoryCopyRegion(
      list, to, &target, PITCH, SLICE, from, &source, PITCH, SLICE, NULL, 0, NULL));
  run(list);
  for (uint32_t z = 0; z < SLICES; z++)
    for (uint32_t y = 0; y < ROWS; y++)
      for (uint32_t x = 0; x < PITCH; x++) {
        const int inside = x >= 4 && x < 9 && y < 3 && z >= 2;
        const unsigned char wanted =
            inside ? from[(z - 2 + 1) * SLICE + (y + 2) * PITCH + x - 4 + 1] : 0;
        CHECK_EQ(to[z * SLICE + y * PITCH + x], wanted);
      }
  const ze_copy_region_t flat = {0, 0, 0, 3, 2, 0}, wider = {0, 0, 0, 4, 2, 0};
  OK(zeCommandListAppendMemoryCopyRegion(
      list, to, &flat, PITCH, 0, from, &flat, PITCH, 0, NULL, 0, NULL));
  run(list);
  CHECK_EQ(to[PITCH + 2], from[PITCH + 2]);
  RETURNS(ERROR_INVALID_SIZE, zeCommandListAppendMemoryCopyRegion(list, to, &flat, PITCH, 0, from,
                                  &wider, PITCH, 0, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandListAppendMemoryCopyRegion(list, to, NULL, PITCH, 0,
                                          from, &flat, PITCH, 0, NULL, 0, NULL));
  test_free(from);
  test_free(to);
  OK(zeCommandListDestroy(list));
}

TEST(events_order_commands) {
  ze_command_list_handle_t list = test_list();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_handle_t gate = test_lone_event(), first = test_lone_event(), last = test_lone_event();
  int *memory = test_shared(2 * sizeof *memory);
  memory[0] = 7;
  OK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  OK(zeCommandListAppendMemoryCopy(list, &memory[1], &memory[0], sizeof *memory, first, 0, NULL));
  OK(zeCommandListAppendBarrier(list, NULL, 1, &first));
  OK(zeCommandListAppendEventReset(list, first));
  OK(zeCommandListAppendSignalEvent(list, last));
  OK(zeCommandListClose(list));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  usleep(10000);
  CHECK_EQ(memory[1], 0);
  RETURNS(NOT_READY, zeEventQueryStatus(last));
  RETURNS(NOT_READY, zeCommandQueueSynchronize(queue, 1000000));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(last, UINT64_MAX));
  CHECK_EQ(memory[1], 7);
  RETURNS(NOT_READY, zeEventQueryStatus(first));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(first));
  OK(zeEventDestroy(last));
  test_free(memory);
}

TEST(more_waits_than_a_command_has_room_for) {
  enum { EVENTS = 20 };
  ze_event_pool_handle_t pool = test_pool(0, EVENTS);
  ze_event_handle_t events[EVENTS], done = test_lone_event();
  ze_command_list_handle_t list = test_list();
  for (uint32_t i = 0; i < EVENTS; i++)
    events[i] = test_event(pool, i);
  OK(zeCommandListAppendBarrier(list, done, EVENTS, events));
  for (uint32_t i = 0; i < EVENTS; i++)
    OK(zeEventHostSignal(events[i]));
  for (uint32_t i = 0; i < EVENTS; i++)
    OK(zeEventDestroy(events[i]));
  OK(zeEventPoolDestroy(pool));
  run(list);
  OK(zeEventQueryStatus(done));
  OK(zeEventDestroy(done));
  OK(zeCommandListDestroy(list));
}

TEST(timestamps_and_barriers) {
  ze_command_list_handle_t list = test_list();
  uint64_t *stamps = test_shared(2 * sizeof *stamps);
  const size_t size = sizeof *stamps;
  const void *range = stamps;
  OK(zeCommandListAppendWriteGlobalTimestamp(list, &stamps[0], NULL, 0, NULL));
  OK(zeCommandListAppendMemoryRangesBarrier(list, 1, &size, &range, NULL, 0, NULL));
  OK(zeCommandListAppendWriteGlobalTimestamp(list, &stamps[1], NULL, 0, NULL));
  OK(zeCommandListAppendMemoryPrefetch(list, stamps, size));
  OK(zeCommandListAppendMemAdvise(
      list, test_device(), stamps, size, ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  OK(zeCommandListAppendMemAdvise(list, test_device(), stamps, size, (ze_memory_advice_t)99));
  run(list);
  CHECK(stamps[0] != 0 && stamps[1] >= stamps[0]);
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeCommandListAppendWriteGlobalTimestamp(list, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeCommandListAppendMemoryRangesBarrier(list, 1, NULL, &range, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandListAppendMemoryPrefetch(list, NULL, size));
  test_free(stamps);
  OK(zeCommandListDestroy(list));
}

TEST(kernels_run_in_order) {
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t iota = test_kernel(module, "iota"), axpy = test_kernel(module, "axpy");
  int *ints = test_shared(64 * sizeof *ints), first = 5;
  float *x = test_shared(64 * sizeof *x), *y = test_shared(64 * sizeof *y), a = 2;
  OK(zeKernelSetGroupSize(iota, 8, 1, 1));
  OK(zeKernelSetGroupSize(axpy, 8, 1, 1));
  OK(zeKernelSetArgumentValue(iota, 0, sizeof ints, &ints));
  OK(zeKernelSetArgumentValue(iota, 1, sizeof first, &first));
  OK(zeKernelSetArgumentValue(axpy, 0, sizeof a, &a));
  OK(zeKernelSetArgumentValue(axpy, 1, sizeof x, &x));
  OK(zeKernelSetArgumentValue(axpy, 2, sizeof y, &y));
  const float one = 1;
  const ze_group_count_t groups = {8, 1, 1};
  ze_command_list_handle_t list = test_list();
  ze_event_handle_t event = test_lone_event();
  OK(zeCommandListAppendMemoryFill(list, x, &one, sizeof one, 64 * sizeof *x, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryFill(list, y, &one, sizeof one, 64 * sizeof *x, NULL, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, axpy, &groups, event, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, axpy, &groups, NULL, 1, &event));
  OK(zeCommandListAppendMemoryCopy(list, x, y, 64 * sizeof *x, NULL, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, iota, &groups, NULL, 0, NULL));
  OK(zeKernelDestroy(axpy));
  run(list);
  for (int i = 0; i < 64; i++) {
    CHECK(x[i] == 5.0f);
    CHECK_EQ(ints[i], 5 + i);
  }
  OK(zeKernelDestroy(iota));
  OK(zeModuleDestroy(module));
  OK(zeEventDestroy(event));
  OK(zeCommandListDestroy(list));
  test_free(ints);
  test_free(x);
  test_free(y);
}

TEST(indirect_counts_are_read_at_run_time) {
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t iota = test_kernel(module, "iota");
  int *ints = test_shared(64 * sizeof *ints), first = 1;
  struct {
    uint32_t how_many;
    ze_group_count_t groups[2];
  } *arguments = test_shared(sizeof *arguments);
  OK(zeKernelSetGroupSize(iota, 4, 1, 1));
  OK(zeKernelSetArgumentValue(iota, 0, sizeof ints, &ints));
  OK(zeKernelSetArgumentValue(iota, 1, sizeof first, &first));
  ze_command_list_handle_t list = test_list();
  OK(zeCommandListAppendLaunchKernelIndirect(list, iota, arguments->groups, NULL, 0, NULL));
  arguments->groups[0] = (ze_group_count_t){3, 1, 1};
  run(list);
  CHECK_EQ(ints[11], 12);
  CHECK_EQ(ints[12], 0);
  ze_kernel_handle_t both[2] = {iota, iota};
  OK(zeCommandListAppendLaunchMultipleKernelsIndirect(
      list, 2, both, &arguments->how_many, arguments->groups, NULL, 0, NULL));
  memset(ints, 0, 64 * sizeof *ints);
  arguments->groups[1] = (ze_group_count_t){6, 1, 1};
  arguments->how_many = 1;
  OK(zeCommandListClose(list));
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK_EQ(ints[12], 0);
  CHECK_EQ(ints[11], 12);
  arguments->how_many = 2;
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK_EQ(ints[23], 24);
  CHECK_EQ(ints[24], 0);
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(iota));
  OK(zeModuleDestroy(module));
  test_free(ints);
  test_free(arguments);
}

TEST(append_refusals) {
  ze_command_list_handle_t list = test_list();
  ze_event_handle_t gone = test_lone_event(), none = NULL;
  OK(zeEventDestroy(gone));
  int memory[2];
  const size_t size = sizeof *memory;
  RETURNS(ERROR_INVALID_NULL_HANDLE,
      zeCommandListAppendMemoryCopy(NULL, memory, memory + 1, size, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeCommandListAppendMemoryCopy(list, NULL, memory, size, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeCommandListAppendMemoryCopy(list, memory, NULL, size, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_SIZE,
      zeCommandListAppendMemoryCopy(list, memory, memory + 1, size, NULL, 1, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendMemoryCopy(list, memory, memory + 1, size, gone, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendMemoryCopy(list, memory, memory + 1, size, NULL, 1, &gone));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListAppendBarrier(list, NULL, 1, &none));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListAppendSignalEvent(list, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandListAppendWaitOnEvents(list, 1, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendEventReset(list, gone));
  const ze_group_count_t groups = {1, 1, 1};
  RETURNS(ERROR_INVALID_NULL_HANDLE,
      zeCommandListAppendLaunchKernel(list, NULL, &groups, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendBarrier(list, NULL, 0, NULL));
  OK(zeCommandListReset(list));
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListDestroy(list));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendBarrier(list, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListClose(NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListReset(NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListDestroy(NULL));
}

TEST(copy_group_refuses_kernels) {
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t nothing = test_kernel(module, "nothing");
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .commandQueueGroupOrdinal = 1};
  const ze_group_count_t groups = {1, 1, 1};
  ze_command_list_handle_t list;
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  RETURNS(ERROR_INVALID_COMMAND_LIST_TYPE,
      zeCommandListAppendLaunchKernel(list, nothing, &groups, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(nothing));
  OK(zeModuleDestroy(module));
}

TEST(create_refusals) {
  ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_list_handle_t list;
  ze_context_handle_t context = test_context();
  ze_device_handle_t device = test_device();
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListCreate(NULL, device, &desc, &list));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListCreate(context, NULL, &desc, &list));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandListCreate(context, device, NULL, &list));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandListCreate(context, device, &desc, NULL));
  desc.commandQueueGroupOrdinal = 2;
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListCreate(context, device, &desc, &list));
  desc.commandQueueGroupOrdinal = 0;
  desc.flags = 0x100;
  RETURNS(ERROR_INVALID_ENUMERATION, zeCommandListCreate(context, device, &desc, &list));
}

TEST_MAIN(copies_when_run_and_not_before, fills, copies_a_region, events_order_commands,
    more_waits_than_a_command_has_room_for, timestamps_and_barriers, kernels_run_in_order,
    indirect_counts_are_read_at_run_time, append_refusals, copy_group_refuses_kernels,
    create_refusals)
