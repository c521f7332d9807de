/* Immediate lists: synchronous ones return when done, asynchronous ones never wait. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <pthread.h>
#include <unistd.h>

TEST(synchronous_list_returns_when_done) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  int *memory = test_shared(2 * sizeof *memory);
  ze_event_handle_t event = test_lone_event();
  memory[0] = 4;
  OK(zeCommandListAppendMemoryCopy(list, &memory[1], memory, sizeof *memory, event, 0, NULL));
  CHECK_EQ(memory[1], 4);
  OK(zeEventQueryStatus(event));
  test_free(memory);
  OK(zeEventDestroy(event));
  OK(zeCommandListDestroy(list));
}

static void *signal_later(void *event) {
  usleep(10000);
  CHECK_EQ(zeEventHostSignal(event), ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(synchronous_list_waits_for_its_events) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_event_handle_t gate = test_lone_event();
  int *memory = test_shared(2 * sizeof *memory);
  pthread_t thread;
  memory[0] = 4;
  CHECK_EQ(pthread_create(&thread, NULL, signal_later, gate), 0);
  OK(zeCommandListAppendMemoryCopy(list, &memory[1], memory, sizeof *memory, NULL, 1, &gate));
  OK(zeEventQueryStatus(gate));
  CHECK_EQ(memory[1], 4);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  test_free(memory);
  OK(zeEventDestroy(gate));
  OK(zeCommandListDestroy(list));
}

static void gated(ze_command_queue_flags_t flags) {
  enum { COPIES = 1000 };
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, flags);
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  unsigned char *memory = test_shared(COPIES + 2);
  OK(zeCommandListAppendBarrier(list, NULL, 1, &gate));
  for (int i = 0; i < COPIES; i++)
    OK(zeCommandListAppendMemoryCopy(list, memory + i + 1, memory + i, 1, NULL, 0, NULL));
  OK(zeCommandListAppendBarrier(list, done, 0, NULL));
  RETURNS(NOT_READY, zeEventHostSynchronize(done, 1000000));
  memory[0] = 5;
  CHECK_EQ(memory[1], 0);
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  for (int i = 0; i <= COPIES; i++)
    CHECK_EQ(memory[i], 5);
  CHECK_EQ(memory[COPIES + 1], 0);
  test_free(memory);
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  OK(zeCommandListDestroy(list));
}

TEST(asynchronous_list_is_gated_by_the_host) {
  gated(0);
}

TEST(in_order_list_is_gated_by_the_host) {
  gated(TEST_IN_ORDER);
}

TEST(two_lists_hand_events_to_each_other) {
  enum { ROUNDS = 200 };
  ze_command_list_handle_t lists[2];
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2 * ROUNDS);
  ze_event_handle_t events[2 * ROUNDS];
  for (uint32_t i = 0; i < 2 * ROUNDS; i++)
    events[i] = test_event(pool, i);
  for (int i = 0; i < 2; i++)
    lists[i] = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, i ? TEST_IN_ORDER : 0);
  int *memory = test_shared((2 * ROUNDS + 1) * sizeof *memory);
  for (int i = 1; i < 2 * ROUNDS; i++)
    OK(zeCommandListAppendMemoryCopy(
        lists[i % 2], &memory[i + 1], &memory[i], sizeof *memory, events[i], 1, &events[i - 1]));
  memory[1] = 11;
  OK(zeEventHostSignal(events[0]));
  OK(zeEventHostSynchronize(events[2 * ROUNDS - 1], UINT64_MAX));
  for (int i = 1; i <= 2 * ROUNDS; i++)
    CHECK_EQ(memory[i], 11);
  for (int i = 0; i < 2; i++)
    OK(zeCommandListDestroy(lists[i]));
  for (uint32_t i = 0; i < 2 * ROUNDS; i++)
    OK(zeEventDestroy(events[i]));
  OK(zeEventPoolDestroy(pool));
  test_free(memory);
}

TEST(objects_go_while_their_work_waits) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t never = test_lone_event(), after = test_lone_event();
  OK(zeCommandListAppendBarrier(list, after, 1, &never));
  OK(zeCommandListAppendBarrier(list, NULL, 1, &after));
  OK(zeEventDestroy(never));
  OK(zeEventDestroy(after));
  usleep(1000);
  OK(zeCommandListDestroy(list));
}

TEST(destroy_ends_what_can_run) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  enum { SIZE = 1 << 20 };
  char *memory = test_shared(2 * SIZE);
  const char one = 1;
  OK(zeCommandListAppendMemoryFill(list, memory, &one, 1, SIZE, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, memory + SIZE, memory, SIZE, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  CHECK_EQ(memory[2 * SIZE - 1], 1);
  test_free(memory);
}

TEST(kernels_in_one_batch_signal_in_order) {
  enum { KERNELS = 100 };
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t axpy = test_kernel(module, "axpy");
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, KERNELS);
  ze_event_handle_t events[KERNELS];
  float *x = test_shared(sizeof *x), *y = test_shared(sizeof *y), a = 1;
  *x = 1;
  OK(zeKernelSetGroupSize(axpy, 1, 1, 1));
  OK(zeKernelSetArgumentValue(axpy, 0, sizeof a, &a));
  OK(zeKernelSetArgumentValue(axpy, 1, sizeof x, &x));
  OK(zeKernelSetArgumentValue(axpy, 2, sizeof y, &y));
  const ze_group_count_t groups = {1, 1, 1};
  for (uint32_t i = 0; i < KERNELS; i++) {
    events[i] = test_event(pool, i);
    OK(zeCommandListAppendLaunchKernel(
        list, axpy, &groups, events[i], i ? 1 : 0, i ? &events[i - 1] : NULL));
  }
  OK(zeEventHostSynchronize(events[KERNELS - 1], UINT64_MAX));
  CHECK(*y == (float)KERNELS);
  for (uint32_t i = 0; i < KERNELS; i++) {
    OK(zeEventQueryStatus(events[i]));
    OK(zeEventDestroy(events[i]));
  }
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(axpy));
  OK(zeModuleDestroy(module));
  test_free(x);
  test_free(y);
}

TEST(native_kernel_on_an_idle_list_is_called_at_once) {
  ze_module_handle_t module = test_native("native");
  ze_kernel_handle_t axpy = test_kernel(module, "axpy");
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t event = test_lone_event(), gate = test_lone_event();
  float x = 3, y = 1, a = 2;
  float *to_x = &x, *to_y = &y;
  OK(zeKernelSetGroupSize(axpy, 1, 1, 1));
  OK(zeKernelSetArgumentValue(axpy, 0, sizeof a, &a));
  OK(zeKernelSetArgumentValue(axpy, 1, sizeof to_x, &to_x));
  OK(zeKernelSetArgumentValue(axpy, 2, sizeof to_y, &to_y));
  const ze_group_count_t groups = {1, 1, 1};
  OK(zeCommandListAppendLaunchKernel(list, axpy, &groups, event, 0, NULL));
  CHECK(y == 7.0f);
  OK(zeEventQueryStatus(event));
  OK(zeEventHostReset(event));
  OK(zeCommandListAppendLaunchKernel(list, axpy, &groups, NULL, 1, &gate));
  OK(zeCommandListAppendLaunchKernel(list, axpy, &groups, event, 0, NULL));
  RETURNS(NOT_READY, zeEventQueryStatus(event));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(event, UINT64_MAX));
  CHECK(y == 19.0f);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(event));
  OK(zeEventDestroy(gate));
  OK(zeKernelDestroy(axpy));
  OK(zeModuleDestroy(module));
}

/* A command follows those before it, whether the worker or the appending thread runs it. */
TEST(short_work_overtakes_nothing) {
  enum { ROUNDS = 1000, SIZE = 1 << 17 };
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t done = test_lone_event();
  unsigned char *from = test_shared(SIZE), *to = test_shared(SIZE), *last = test_shared(ROUNDS);
  for (int i = 0; i < ROUNDS; i++) {
    const unsigned char value = (unsigned char)(i + 1);
    OK(zeCommandListAppendMemoryFill(list, from, &value, 1, SIZE, NULL, 0, NULL));
    OK(zeCommandListAppendMemoryCopy(list, to, from, SIZE, NULL, 0, NULL));
    OK(zeCommandListAppendMemoryCopy(list, &last[i], &to[SIZE - 1], 1, done, 0, NULL));
    if (i % 3 == 0) OK(zeEventHostSynchronize(done, UINT64_MAX));
    OK(zeCommandListAppendEventReset(list, done));
    OK(zeCommandListAppendSignalEvent(list, done));
    if (i % 5 == 0) OK(zeEventHostSynchronize(done, UINT64_MAX));
  }
  OK(zeCommandListAppendEventReset(list, done));
  OK(zeCommandListDestroy(list));
  for (int i = 0; i < ROUNDS; i++)
    CHECK_EQ(last[i], (unsigned char)(i + 1));
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  OK(zeEventDestroy(done));
  test_free(from);
  test_free(to);
  test_free(last);
}

TEST(refusals) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_DEFAULT, 0);
  OK(zeCommandListClose(list));
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  OK(zeCommandListReset(list)); /* of no effect */
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendBarrier(list, NULL, 0, NULL));
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_context_handle_t context = test_context();
  ze_device_handle_t device = test_device();
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListCreateImmediate(NULL, device, &desc, &list));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandListCreateImmediate(context, NULL, &desc, &list));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandListCreateImmediate(context, device, NULL, &list));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandListCreateImmediate(context, device, &desc, NULL));
  desc.flags = 0x80;
  RETURNS(ERROR_INVALID_ENUMERATION, zeCommandListCreateImmediate(context, device, &desc, &list));
  desc.flags = 0;
  desc.mode = (ze_command_queue_mode_t)7;
  RETURNS(ERROR_INVALID_ENUMERATION, zeCommandListCreateImmediate(context, device, &desc, &list));
  desc.mode = ZE_COMMAND_QUEUE_MODE_DEFAULT;
  desc.index = 1000;
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListCreateImmediate(context, device, &desc, &list));
  desc.index = 0;
  desc.ordinal = 2;
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListCreateImmediate(context, device, &desc, &list));
}

#ifdef ZE_API_VERSION_CURRENT_M
TEST(newer_questions) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_command_list_handle_t regular = test_list();
  ze_event_handle_t gate = test_lone_event();
  OK(zeCommandListHostSynchronize(list, 0));
  OK(zeCommandListAppendBarrier(list, NULL, 1, &gate));
  RETURNS(NOT_READY, zeCommandListHostSynchronize(list, 0));
  RETURNS(NOT_READY, zeCommandListHostSynchronize(list, 1000000));
  OK(zeEventHostSignal(gate));
  OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListHostSynchronize(regular, 0));
  ze_device_handle_t device;
  ze_context_handle_t context;
  uint32_t ordinal = 9, index = 9;
  ze_bool_t immediate = 0;
  OK(zeCommandListGetDeviceHandle(list, &device));
  CHECK(device == test_device());
  OK(zeCommandListGetContextHandle(regular, &context));
  CHECK(context == test_context());
  OK(zeCommandListGetOrdinal(list, &ordinal));
  CHECK_EQ(ordinal, 0);
  OK(zeCommandListImmediateGetIndex(list, &index));
  CHECK_EQ(index, 0);
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListImmediateGetIndex(regular, &index));
  OK(zeCommandListIsImmediate(list, &immediate));
  CHECK(immediate);
  OK(zeCommandListIsImmediate(regular, &immediate));
  CHECK(!immediate);
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(regular));
  OK(zeEventDestroy(gate));
}
#else
TEST(newer_questions) {
  SKIP("the headers lack the function");
}
#endif

TEST_MAIN(synchronous_list_returns_when_done, synchronous_list_waits_for_its_events,
    asynchronous_list_is_gated_by_the_host, in_order_list_is_gated_by_the_host,
    two_lists_hand_events_to_each_other, objects_go_while_their_work_waits,
    destroy_ends_what_can_run, kernels_in_one_batch_signal_in_order,
    native_kernel_on_an_idle_list_is_called_at_once, short_work_overtakes_nothing, refusals,
    newer_questions)
