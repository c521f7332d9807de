/* zeCommandListAppendHostFunction: functions of the host between other commands. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

typedef void host_function(void *user);
typedef ze_result_t append_function(ze_command_list_handle_t, host_function *, void *, const void *,
    ze_event_handle_t, uint32_t, ze_event_handle_t *);

enum { THREADS = 4, MANY = 300, ROUNDS = 3 };

static append_function *append;

/* Finds the function by its address, since few loaders export it. */
static void set_up(void) {
  ze_driver_handle_t driver;
  uint32_t count = 1;
  void *address = NULL;
  test_device();
  OK(zeDriverGet(&count, &driver));
  OK(zeDriverGetExtensionFunctionAddress(driver, "zeCommandListAppendHostFunction", &address));
  memcpy(&append, &address, sizeof append);
}

static ze_command_list_handle_t in_order(void) {
  return test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
}

static void wait_for(ze_event_handle_t event) {
  OK(zeEventHostSynchronize(event, UINT64_MAX));
}

/* Shared memory that a function and the commands around it use. */
struct words {
  int before, seen, after, copied;
};

static void look(void *user) {
  struct words *words = user;
  words->seen = words->before;
  words->after = 2;
}

static void append_around(ze_command_list_handle_t list, struct words *words,
    ze_event_handle_t done, ze_event_handle_t gate) {
  const int one = 1;
  const uint32_t waits = gate != NULL;
  OK(zeCommandListAppendMemoryFill(
      list, &words->before, &one, sizeof one, sizeof one, NULL, waits, waits ? &gate : NULL));
  OK(append(list, look, words, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(
      list, &words->copied, &words->after, sizeof words->after, done, 0, NULL));
}

static void check_around(const struct words *words) {
  CHECK(words->seen == 1 && words->copied == 2);
}

TEST(between_the_commands_of_an_in_order_list) {
  set_up();
  struct words *words = test_shared(sizeof *words);
  ze_command_list_handle_t list = in_order();
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  append_around(list, words, done, gate);
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  CHECK_EQ(words->seen, 0);
  OK(zeEventHostSignal(gate));
  wait_for(done);
  check_around(words);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  test_free(words);
}

TEST(in_a_synchronous_list) {
  set_up();
  struct words *words = test_shared(sizeof *words);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, TEST_IN_ORDER);
  append_around(list, words, NULL, NULL);
  check_around(words);
  OK(zeCommandListDestroy(list));
  test_free(words);
}

static void add_one(void *user) {
  __atomic_add_fetch((int *)user, 1, __ATOMIC_SEQ_CST);
}

/* A list that is not in-order: one function gates another list, which gates the next function. */
TEST(events_order_functions_of_two_lists) {
  set_up();
  int count = 0, *memory = test_shared(2 * sizeof *memory);
  ze_command_list_handle_t first = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_command_list_handle_t second = in_order();
  ze_event_handle_t gate = test_lone_event(), called = test_lone_event(),
                    copied = test_lone_event(), done = test_lone_event();
  OK(zeCommandListAppendMemoryCopy(
      second, &memory[1], &memory[0], sizeof *memory, copied, 1, &called));
  OK(append(first, add_one, &memory[0], NULL, called, 1, &gate));
  OK(append(first, add_one, &count, NULL, done, 1, &copied));
  CHECK(count == 0 && memory[0] == 0);
  OK(zeEventHostSignal(gate));
  wait_for(done);
  CHECK(count == 1 && memory[0] == 1 && memory[1] == 1);
  OK(zeCommandListDestroy(first));
  OK(zeCommandListDestroy(second));
  ze_event_handle_t events[] = {gate, called, copied, done};
  for (int i = 0; i < 4; i++)
    OK(zeEventDestroy(events[i]));
  test_free(memory);
}

TEST(the_event_has_times) {
  set_up();
  int count = 0;
  ze_event_pool_handle_t pool =
      test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1);
  ze_event_handle_t event = test_event(pool, 0);
  ze_command_list_handle_t list = in_order();
  ze_kernel_timestamp_result_t times;
  OK(append(list, add_one, &count, NULL, event, 0, NULL));
  wait_for(event);
  OK(zeEventQueryKernelTimestamp(event, &times));
  CHECK(times.global.kernelStart != 0 && times.global.kernelStart <= times.global.kernelEnd);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
}

/* Results of the functions of one list, each of which has a position in it. */
struct sequence {
  int next, mistakes;
};

struct place {
  struct sequence *of;
  int at;
};

static void pass(void *user) {
  const struct place *place = user;
  if (place->of->next++ != place->at) place->of->mistakes++;
}

static void *run_sequence(void *argument) {
  struct sequence *sequence = argument;
  struct place places[MANY];
  ze_command_list_handle_t list = in_order();
  ze_event_handle_t done = test_lone_event();
  for (int i = 0; i < MANY; i++) {
    places[i] = (struct place){sequence, i};
    OK(append(list, pass, &places[i], NULL, i == MANY - 1 ? done : NULL, 0, NULL));
  }
  wait_for(done);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(done));
  return NULL;
}

TEST(hundreds_on_each_of_four_threads) {
  set_up();
  struct sequence sequences[THREADS] = {{0, 0}};
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, run_sequence, &sequences[i]), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(sequences[i].next == MANY && sequences[i].mistakes == 0);
}

TEST(a_closed_list_calls_it_at_each_execution) {
  set_up();
  struct words *words = test_shared(sizeof *words);
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_fence_handle_t fence = test_fence(queue);
  ze_command_list_handle_t list = test_list();
  int count = 0;
  OK(append(list, add_one, &count, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  append_around(list, words, NULL, NULL);
  OK(zeCommandListClose(list));
  RETURNS(ERROR_INVALID_ARGUMENT, append(list, add_one, &count, NULL, NULL, 0, NULL));
  CHECK_EQ(count, 0);
  for (int i = 0; i < ROUNDS; i++) {
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    OK(zeFenceHostSynchronize(fence, UINT64_MAX));
    CHECK_EQ(count, i + 1);
    OK(zeFenceReset(fence));
  }
  check_around(words);
  OK(zeCommandListReset(list));
  OK(zeCommandListClose(list));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  CHECK_EQ(count, ROUNDS);
  OK(zeCommandListDestroy(list));
  OK(zeFenceDestroy(fence));
  OK(zeCommandQueueDestroy(queue));
  test_free(words);
}

static void block(void *user) {
  sem_wait(user);
}

/* The append returns before the function does, and no lock is held in it. */
TEST(other_calls_go_on_meanwhile) {
  set_up();
  sem_t gate;
  CHECK_EQ(sem_init(&gate, 0, 0), 0);
  int count = 0;
  ze_command_list_handle_t list = in_order(), other = in_order();
  ze_event_handle_t done = test_lone_event(), passed = test_lone_event();
  OK(append(list, block, &gate, NULL, done, 0, NULL));
  OK(append(list, add_one, &count, NULL, NULL, 1, &done));
  OK(zeCommandListAppendBarrier(other, passed, 0, NULL));
  wait_for(passed);
  ze_event_handle_t late = test_lone_event();
  OK(zeCommandListAppendBarrier(list, late, 0, NULL));
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  RETURNS(NOT_READY, zeEventHostSynchronize(late, 0));
  CHECK_EQ(__atomic_load_n(&count, __ATOMIC_SEQ_CST), 0);
  CHECK_EQ(sem_post(&gate), 0);
  wait_for(late);
  CHECK_EQ(count, 1);
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(other));
  OK(zeEventDestroy(done));
  OK(zeEventDestroy(passed));
  OK(zeEventDestroy(late));
  sem_destroy(&gate);
}

TEST(a_list_is_destroyed_before_its_function_can_run) {
  set_up();
  int count = 0;
  ze_command_list_handle_t list = in_order();
  ze_event_handle_t never = test_lone_event();
  OK(append(list, add_one, &count, NULL, NULL, 1, &never));
  OK(zeCommandListDestroy(list));
  CHECK_EQ(count, 0);
  OK(zeEventDestroy(never));
}

TEST(refusals) {
  set_up();
  int count = 0;
  const ze_base_desc_t extension = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  ze_command_list_handle_t list = in_order();
  RETURNS(ERROR_INVALID_NULL_HANDLE, append(NULL, add_one, &count, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER, append(list, NULL, &count, NULL, NULL, 0, NULL));
  RETURNS(ERROR_UNSUPPORTED_FEATURE, append(list, add_one, &count, &extension, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_SIZE, append(list, add_one, &count, NULL, NULL, 1, NULL));
  ze_event_handle_t no_event = (ze_event_handle_t)(void *)list;
  RETURNS(ERROR_INVALID_ARGUMENT, append(list, add_one, &count, NULL, no_event, 0, NULL));
  OK(zeCommandListDestroy(list));
  CHECK_EQ(count, 0);
}

TEST_MAIN(between_the_commands_of_an_in_order_list, in_a_synchronous_list,
    events_order_functions_of_two_lists, the_event_has_times, hundreds_on_each_of_four_threads,
    a_closed_list_calls_it_at_each_execution, other_calls_go_on_meanwhile,
    a_list_is_destroyed_before_its_function_can_run, refusals)
