/* Command queues and fences. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <pthread.h>
#include <unistd.h>

/* A closed list that waits for `gate` (may be null) and then copies memory[0] to memory[1]. */
static ze_command_list_handle_t copying_list(int *memory, ze_event_handle_t gate) {
  ze_command_list_handle_t list = test_list();
  OK(zeCommandListAppendMemoryCopy(
      list, &memory[1], &memory[0], sizeof *memory, NULL, gate ? 1 : 0, gate ? &gate : NULL));
  OK(zeCommandListClose(list));
  return list;
}

TEST(synchronous_queue_returns_when_done) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  int *memory = test_shared(2 * sizeof *memory);
  ze_command_list_handle_t list = copying_list(memory, NULL);
  ze_fence_handle_t fence = test_fence(queue);
  for (int i = 1; i < 10; i++) {
    memory[0] = i;
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    CHECK_EQ(memory[1], i);
    OK(zeFenceQueryStatus(fence));
    OK(zeFenceReset(fence));
  }
  OK(zeCommandQueueSynchronize(queue, 0));
  OK(zeFenceDestroy(fence));
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  test_free(memory);
}

TEST(synchronous_queue_is_busy_for_other_threads) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_event_handle_t begun = test_lone_event(), gate = test_lone_event();
  ze_command_list_handle_t list = test_list();
  OK(zeCommandListAppendBarrier(list, begun, 0, NULL));
  OK(zeCommandListAppendBarrier(list, NULL, 1, &gate));
  OK(zeCommandListClose(list));
  struct test_execution execution = {queue, list};
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, test_execute, &execution), 0);
  OK(zeEventHostSynchronize(begun, UINT64_MAX));
  RETURNS(NOT_READY, zeCommandQueueSynchronize(queue, 0));
  RETURNS(NOT_READY, zeCommandQueueSynchronize(queue, 1000000));
  OK(zeEventHostSignal(gate));
  CHECK_EQ(pthread_join(thread, NULL), 0);
  OK(zeCommandQueueSynchronize(queue, 0));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  OK(zeEventDestroy(begun));
  OK(zeEventDestroy(gate));
}

TEST(fence_follows_the_lists) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_handle_t gate = test_lone_event();
  int *memory = test_shared(3 * sizeof *memory);
  memory[0] = 9;
  ze_command_list_handle_t lists[2] = {copying_list(memory, gate), copying_list(memory + 1, NULL)};
  ze_fence_handle_t fence = test_fence(queue);
  OK(zeCommandQueueExecuteCommandLists(queue, 2, lists, fence));
  RETURNS(NOT_READY, zeFenceQueryStatus(fence));
  RETURNS(NOT_READY, zeFenceHostSynchronize(fence, 0));
  RETURNS(NOT_READY, zeFenceHostSynchronize(fence, 2000000));
  OK(zeEventHostSignal(gate));
  OK(zeFenceHostSynchronize(fence, UINT64_MAX));
  CHECK_EQ(memory[2], 9);
  OK(zeFenceReset(fence));
  RETURNS(NOT_READY, zeFenceQueryStatus(fence));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeFenceDestroy(fence));
  RETURNS(ERROR_INVALID_ARGUMENT, zeFenceDestroy(fence));
  OK(zeCommandListDestroy(lists[0]));
  OK(zeCommandListDestroy(lists[1]));
  OK(zeCommandQueueDestroy(queue));
  OK(zeEventDestroy(gate));
  test_free(memory);
}

TEST(fence_born_signalled) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC, .flags = ZE_FENCE_FLAG_SIGNALED};
  ze_fence_handle_t fence;
  OK(zeFenceCreate(queue, &desc, &fence));
  OK(zeFenceQueryStatus(fence));
  OK(zeFenceDestroy(fence));
  desc.flags = 8;
  RETURNS(ERROR_INVALID_ENUMERATION, zeFenceCreate(queue, &desc, &fence));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeFenceCreate(NULL, &desc, &fence));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeFenceCreate(queue, NULL, &fence));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeFenceHostSynchronize(NULL, 0));
  OK(zeCommandQueueDestroy(queue));
}

TEST(one_list_runs_many_times) {
  enum { TIMES = 500 };
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t list = test_list();
  unsigned char *memory = test_shared(TIMES + 2);
  memory[0] = 1;
  OK(zeCommandListAppendMemoryCopy(list, memory + 1, memory, TIMES + 1, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  for (int i = 0; i < TIMES; i++)
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  for (int i = 0; i <= TIMES; i++)
    CHECK_EQ(memory[i], 1);
  CHECK_EQ(memory[TIMES + 1], 0);
  test_free(memory);
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
}

TEST(reset_and_destroy_while_it_runs) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_handle_t gate = test_lone_event();
  int *memory = test_shared(2 * sizeof *memory);
  memory[0] = 3;
  ze_command_list_handle_t reset = copying_list(memory, gate);
  ze_command_list_handle_t destroyed = copying_list(memory, gate);
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &reset, NULL));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &destroyed, NULL));
  OK(zeCommandListReset(reset));
  OK(zeCommandListDestroy(destroyed));
  ze_event_handle_t kept = gate;
  OK(zeEventHostSignal(gate));
  OK(zeEventDestroy(kept));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  CHECK_EQ(memory[1], 3);
  OK(zeCommandListDestroy(reset));
  OK(zeCommandQueueDestroy(queue));
  test_free(memory);
}

TEST(queue_goes_while_its_work_waits) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_handle_t never = test_lone_event();
  int *memory = test_shared(2 * sizeof *memory);
  memory[0] = 3;
  ze_command_list_handle_t list = copying_list(memory, never);
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  usleep(1000);
  OK(zeCommandQueueDestroy(queue));
  CHECK_EQ(memory[1], 0);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(never));
  test_free(memory);
}

TEST(execute_refusals) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t list = test_list(), none = NULL;
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandQueueExecuteCommandLists(queue, 1, &none, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandQueueExecuteCommandLists(queue, 1, NULL, NULL));
  RETURNS(ERROR_INVALID_SIZE, zeCommandQueueExecuteCommandLists(queue, 0, &list, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandQueueExecuteCommandLists(NULL, 1, &list, NULL));
  OK(zeCommandListDestroy(list));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  ze_command_list_handle_t immediate = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  RETURNS(ERROR_INVALID_COMMAND_LIST_TYPE,
      zeCommandQueueExecuteCommandLists(queue, 1, &immediate, NULL));
  OK(zeCommandListDestroy(immediate));
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .commandQueueGroupOrdinal = 1};
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  OK(zeCommandListClose(list));
  RETURNS(
      ERROR_INVALID_COMMAND_LIST_TYPE, zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandQueueDestroy(queue));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandQueueSynchronize(queue, 0));
}

TEST(create_refusals) {
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_queue_handle_t queue;
  ze_context_handle_t context = test_context();
  ze_device_handle_t device = test_device();
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandQueueCreate(NULL, device, &desc, &queue));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeCommandQueueCreate(context, NULL, &desc, &queue));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandQueueCreate(context, device, NULL, &queue));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeCommandQueueCreate(context, device, &desc, NULL));
  desc.ordinal = 2;
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandQueueCreate(context, device, &desc, &queue));
  desc.ordinal = 0;
  desc.index = 1000;
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandQueueCreate(context, device, &desc, &queue));
  desc.index = 0;
  desc.mode = (ze_command_queue_mode_t)3;
  RETURNS(ERROR_INVALID_ENUMERATION, zeCommandQueueCreate(context, device, &desc, &queue));
  desc.mode = ZE_COMMAND_QUEUE_MODE_DEFAULT;
  desc.priority = (ze_command_queue_priority_t)3;
  RETURNS(ERROR_INVALID_ENUMERATION, zeCommandQueueCreate(context, device, &desc, &queue));
}

#ifdef ZE_API_VERSION_CURRENT_M
TEST(queries_of_queues) {
  const ze_command_queue_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .ordinal = 1, .index = 2};
  ze_command_queue_handle_t queue;
  uint32_t answer = 99;
  OK(zeCommandQueueCreate(test_context(), test_device(), &desc, &queue));
  OK(zeCommandQueueGetOrdinal(queue, &answer));
  CHECK_EQ(answer, 1);
  OK(zeCommandQueueGetIndex(queue, &answer));
  CHECK_EQ(answer, 2);
  OK(zeCommandQueueDestroy(queue));
}
#else
TEST(queries_of_queues) {
  SKIP("the headers lack the function");
}
#endif

TEST_MAIN(synchronous_queue_returns_when_done, synchronous_queue_is_busy_for_other_threads,
    fence_follows_the_lists, fence_born_signalled, one_list_runs_many_times,
    reset_and_destroy_while_it_runs, queue_goes_while_its_work_waits, execute_refusals,
    create_refusals, queries_of_queues)
