/* Counter-based events: each stands for its latest append, and is never reset. */
#include "support/handles.h"

/* The descriptor in numbers, since older headers lack its names. */
struct counter_based_desc {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t flags;
};

enum { COUNTER_BASED = 0x00020014, PATIENCE = 600 };

static ze_result_t make_pool(
    uint32_t counter_flags, ze_event_pool_flags_t flags, ze_event_pool_handle_t *pool) {
  const struct counter_based_desc counted = {
      .stype = (ze_structure_type_t)COUNTER_BASED, .flags = counter_flags};
  const ze_event_pool_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .pNext = &counted, .flags = flags, .count = 4};
  return zeEventPoolCreate(test_context(), &desc, 0, NULL, pool);
}

static ze_event_pool_handle_t counted_pool(ze_event_pool_flags_t flags) {
  ze_event_pool_handle_t pool = NULL;
  OK(make_pool(0, flags, &pool));
  return pool;
}

static ze_command_list_handle_t in_order(void) {
  return test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
}

TEST(used_again_without_a_reset) {
  enum { ROUNDS = 1000 };
  ze_event_pool_handle_t pool = counted_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t event = test_event(pool, 0);
  ze_command_list_handle_t list = in_order();
  int *number = test_shared(sizeof *number);
  OK(zeEventQueryStatus(event)); /* nothing to wait for */
  OK(zeEventHostSynchronize(event, 0));
  for (int i = 1; i <= ROUNDS; i++) {
    ze_event_handle_t gate = test_lone_event();
    OK(zeCommandListAppendMemoryFill(list, number, &i, sizeof i, sizeof i, event, 1, &gate));
    RETURNS(NOT_READY, zeEventQueryStatus(event));
    RETURNS(NOT_READY, zeEventHostSynchronize(event, 0));
    OK(zeEventHostSignal(gate));
    OK(zeEventHostSynchronize(event, PATIENCE * (uint64_t)TEST_SECOND));
    CHECK_EQ(*number, i);
    OK(zeEventDestroy(gate));
  }
  OK(zeEventDestroy(event));
  OK(zeCommandListDestroy(list));
  OK(zeEventPoolDestroy(pool));
  test_free(number);
}

/* A wait is for the append before it, also when the event was given to a later one since, which is
 * held back until the wait has ended. */
TEST(a_wait_is_for_the_append_before_it) {
  ze_event_pool_handle_t pool = counted_pool(0);
  ze_event_handle_t event = test_event(pool, 1), first = test_lone_event(),
                    second = test_lone_event(), waited = test_lone_event();
  ze_command_list_handle_t maker = in_order(), taker = in_order();
  OK(zeCommandListAppendBarrier(maker, event, 1, &first));
  OK(zeCommandListAppendBarrier(taker, waited, 1, &event));
  OK(zeCommandListAppendBarrier(maker, event, 1, &second));
  RETURNS(NOT_READY, zeEventQueryStatus(waited));
  OK(zeEventHostSignal(first));
  OK(zeEventHostSynchronize(waited, PATIENCE * (uint64_t)TEST_SECOND));
  RETURNS(NOT_READY, zeEventQueryStatus(event));
  OK(zeEventHostSignal(second));
  OK(zeEventHostSynchronize(event, PATIENCE * (uint64_t)TEST_SECOND));
  /* An event may be gone while commands wait for its append. */
  OK(zeEventHostReset(first));
  OK(zeEventHostReset(waited));
  OK(zeCommandListAppendBarrier(maker, event, 1, &first));
  OK(zeCommandListAppendBarrier(taker, waited, 1, &event));
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  OK(zeEventHostSignal(first));
  OK(zeEventHostSynchronize(waited, PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeEventDestroy(first));
  OK(zeEventDestroy(second));
  OK(zeEventDestroy(waited));
  OK(zeCommandListDestroy(maker));
  OK(zeCommandListDestroy(taker));
}

TEST(timestamps_of_the_latest) {
  ze_event_pool_handle_t pool = counted_pool(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_event_handle_t event = test_event(pool, 0);
  ze_command_list_handle_t list = in_order();
  ze_kernel_timestamp_result_t before, after;
  RETURNS(NOT_READY, zeEventQueryKernelTimestamp(event, &before));
  OK(zeCommandListAppendSignalEvent(list, event));
  OK(zeEventHostSynchronize(event, PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeEventQueryKernelTimestamp(event, &before));
  OK(zeCommandListAppendSignalEvent(list, event));
  OK(zeEventHostSynchronize(event, PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeEventQueryKernelTimestamp(event, &after));
  CHECK(after.global.kernelStart > before.global.kernelStart);
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(list));
}

/* Unified Runtime always requests both kinds of lists. */
TEST(a_pool_for_lists_of_both_kinds) {
  ze_event_pool_handle_t pool = NULL;
  OK(make_pool(3, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, &pool));
  ze_event_handle_t event = test_event(pool, 0);
  ze_command_list_handle_t list = in_order(), regular = test_list();
  OK(zeCommandListAppendSignalEvent(list, event));
  OK(zeEventHostSynchronize(event, PATIENCE * (uint64_t)TEST_SECOND));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendSignalEvent(regular, event));
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(regular));
}

static ze_command_list_handle_t regular_in_order(void) {
  enum { IN_ORDER = 8 }; /* of ze_command_list_flag_t, which older headers lack */
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .flags = IN_ORDER};
  ze_command_list_handle_t list = NULL;
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  return list;
}

/* Each execution signals it anew, within the list too. */
TEST(signalled_by_each_execution_of_a_regular_list) {
  ze_event_pool_handle_t pool = NULL;
  OK(make_pool(2, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, &pool));
  ze_event_handle_t event = test_event(pool, 0), gate = test_lone_event(), done = test_lone_event();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t list = regular_in_order(), immediate = in_order();
  int *memory = test_shared(4 * sizeof *memory);
  const int one = 1, two = 2;
  OK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  OK(zeCommandListAppendMemoryFill(list, memory, &one, sizeof one, sizeof one, event, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, memory + 1, memory, sizeof one, NULL, 1, &event));
  OK(zeCommandListAppendEventReset(list, gate));
  OK(zeCommandListClose(list));
  for (int round = 0; round < 3; round++) {
    memory[0] = memory[1] = memory[2] = 0;
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    RETURNS(NOT_READY, zeEventQueryStatus(event));
    CHECK_EQ(memory[0], 0);
    RETURNS(NOT_READY, zeEventHostSynchronize(event, TEST_SECOND / 100));
    if (!test_on_cuda())
      OK(zeCommandListAppendMemoryCopy(immediate, memory + 2, memory, sizeof one, NULL, 1, &event));
    OK(zeEventHostSignal(gate));
    OK(zeEventHostSynchronize(event, UINT64_MAX));
    CHECK_EQ(memory[0], 1);
    OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
    OK(zeEventQueryStatus(event));
    CHECK_EQ(memory[1], 1);
    if (test_on_cuda()) continue;
    OK(zeCommandListAppendMemoryCopy(immediate, memory + 3, memory, sizeof one, done, 0, NULL));
    OK(zeEventHostSynchronize(done, UINT64_MAX));
    OK(zeEventHostReset(done));
    CHECK_EQ(memory[2], 1);
  }
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendSignalEvent(immediate, event));
  OK(zeCommandListAppendMemoryFill(
      immediate, memory, &two, sizeof two, sizeof two, done, 1, &event));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(memory[0], 2);
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(immediate));
  OK(zeCommandQueueDestroy(queue));
  OK(zeEventDestroy(event));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  OK(zeEventPoolDestroy(pool));
  test_free(memory);
}

TEST(refusals) {
  ze_event_pool_handle_t pool = counted_pool(0), other = NULL;
  ze_event_handle_t event = test_event(pool, 0);
  ze_command_list_handle_t list = in_order(), regular = test_list(),
                           unordered = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventHostSignal(event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventHostReset(event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendEventReset(list, event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendSignalEvent(regular, event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendSignalEvent(unordered, event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendWaitOnEvents(unordered, 1, &event));
  RETURNS(ERROR_UNSUPPORTED_FEATURE, make_pool(1, ZE_EVENT_POOL_FLAG_IPC, &other));
  RETURNS(ERROR_INVALID_ENUMERATION, make_pool(4, 0, &other));
  OK(zeCommandListAppendSignalEvent(list, event));
  OK(zeEventHostSynchronize(event, PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(regular));
  OK(zeCommandListDestroy(unordered));
}

TEST_MAIN(used_again_without_a_reset, a_wait_is_for_the_append_before_it, timestamps_of_the_latest,
    a_pool_for_lists_of_both_kinds, signalled_by_each_execution_of_a_regular_list, refusals)
