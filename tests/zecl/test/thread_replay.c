/* Closed lists that run again on the engine on CUDA, on the libcuda of the tests: those of copies,
 * fills and kernels become graphs of CUDA's at their second run. */
#define _GNU_SOURCE
#include "support/launch.h"
#include "support/libcuda.h"
#include "support/slot.h"

#include <pthread.h>

enum { WORDS = 66, ROUNDS = 5, COPIES = 6, THREADS = 4, RUNS = 200 };

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 1);
}

static long graphs(void) {
  return test_libcuda_live(LIBCUDA_GRAPHS);
}

/* Closed: copies one word after the other of `words`, with an event behind the last, or null. */
static ze_command_list_handle_t chain(int *words, int copies, ze_event_handle_t signal) {
  ze_command_list_handle_t list = test_list();
  for (int i = 0; i < copies; i++) {
    if (i != 0) OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    OK(zeCommandListAppendMemoryCopy(
        list, &words[i + 1], &words[i], sizeof *words, i + 1 == copies ? signal : NULL, 0, NULL));
  }
  OK(zeCommandListClose(list));
  return list;
}

/* Runs the list several times, and returns how many graphs that has left. */
static long replay(ze_command_list_handle_t list, int *words, int copies) {
  const long before = graphs();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  for (int round = 0; round < ROUNDS; round++) {
    words[0] = 10 + round;
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
    CHECK_EQ(words[copies], 10 + round);
  }
  OK(zeCommandQueueDestroy(queue));
  return graphs() - before;
}

TEST(a_list_that_runs_again_is_a_graph) {
  int *words = test_shared(WORDS * sizeof *words);
  const long before = graphs();
  ze_command_list_handle_t list = chain(words, COPIES, NULL);
  CHECK_EQ(replay(list, words, COPIES), 1);
  OK(zeCommandListReset(list));
  CHECK_EQ(graphs(), before);
  OK(zeCommandListClose(list));
  OK(zeCommandListDestroy(list));
  list = chain(words, COPIES, NULL);
  CHECK_EQ(replay(list, words, COPIES), 1);
  OK(zeCommandListDestroy(list));
  CHECK_EQ(graphs(), before);
  test_free(words);
}

TEST(a_list_that_runs_once_is_none) {
  int *words = test_shared(WORDS * sizeof *words);
  const long before = graphs();
  ze_command_list_handle_t list = chain(words, COPIES, NULL);
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  words[0] = 3;
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK_EQ(words[COPIES], 3);
  CHECK_EQ(graphs(), before);
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListDestroy(list));
  test_free(words);
}

/* Few commands, an event, and memory that CUDA does not know: the host copies it. */
TEST(lists_that_are_no_graphs_run_again_too) {
  int *words = test_shared(WORDS * sizeof *words), host[WORDS] = {0};
  ze_event_handle_t event = test_lone_event();
  ze_command_list_handle_t list = chain(words, 2, NULL); /* and a barrier */
  CHECK_EQ(replay(list, words, 2), 0);
  OK(zeCommandListDestroy(list));
  list = chain(words, COPIES, event);
  CHECK_EQ(replay(list, words, COPIES), 0);
  OK(zeCommandListDestroy(list));
  list = chain(host, COPIES, NULL);
  CHECK_EQ(replay(list, host, COPIES), 0);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(event));
  test_free(words);
}

/* Kernels whose effect libcuda/libcuda.h defines. */
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry groups(.param .u64 counts) {\n  ret;\n}\n";

struct desc { /* of a list, an identifier, and the head of a chain */
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
};

/* A graph of the list before the update would launch as many groups as then. */
TEST(an_updated_list_is_another_graph) {
  typedef ze_result_t next_command(ze_command_list_handle_t, const struct desc *, uint64_t *);
  typedef ze_result_t update_commands(ze_command_list_handle_t, const struct desc *);
  next_command *next = (next_command *)slot("zeGetCommandListExp", 2);
  update_commands *update = (update_commands *)slot("zeGetCommandListExp", 3);
  const struct desc mutable_list = {.stype = (ze_structure_type_t)0x00020016};
  const struct desc id = {.stype = (ze_structure_type_t)0x00020017, .flags = 2};
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .pNext = &mutable_list};
  struct test_file file = {(unsigned char *)(uintptr_t)ptx, strlen(ptx)};
  ze_module_handle_t module;
  OK(test_make(ZE_MODULE_FORMAT_NATIVE, file, NULL, NULL, &module, NULL));
  ze_kernel_handle_t kernel = test_kernel(module, "groups");
  uint32_t *counts = test_shared(WORDS * sizeof *counts);
  ze_group_count_t count = {3, 1, 1};
  ze_command_list_handle_t list;
  uint64_t command = 0;
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof counts, &counts));
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  for (int i = 0; i < COPIES; i++) {
    if (i == 0) OK(next(list, &id, &command));
    OK(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL));
  }
  OK(zeCommandListClose(list));
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  for (int round = 0; round < ROUNDS; round++)
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK_EQ(graphs(), 1);
  CHECK_EQ(counts[3], ROUNDS * COPIES);
  count.groupCountX = 5;
  const struct {
    ze_structure_type_t stype;
    const void *next;
    uint64_t command;
    const ze_group_count_t *count;
  } groups = {.stype = (ze_structure_type_t)0x0002001a, .command = command, .count = &count};
  const struct desc change = {.stype = (ze_structure_type_t)0x00020018, .next = &groups};
  OK(update(list, &change));
  OK(zeCommandListClose(list));
  for (int round = 0; round < ROUNDS; round++)
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK_EQ(graphs(), 1);
  CHECK_EQ(counts[5], ROUNDS);
  CHECK_EQ(counts[3], ROUNDS * COPIES + ROUNDS * (COPIES - 1));
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListDestroy(list));
  CHECK_EQ(graphs(), 0);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(counts);
}

/* The libcuda of the tests runs the last of those that may run first: a chain without barriers
   gives another result. */
TEST(barriers_order_an_unordered_list) {
  int *words = test_shared(WORDS * sizeof *words);
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_command_list_handle_t list = test_list(), ordered;
  const ze_command_list_desc_t in_order = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .flags = 8 /* ZE_COMMAND_LIST_FLAG_IN_ORDER */};
  /* Two chains beside each other, and the sum of their places behind both. */
  for (int i = 0; i < 3; i++) {
    for (int chain = 0; chain < 2; chain++)
      OK(zeCommandListAppendMemoryCopy(
          list, &words[10 * chain + i + 1], &words[10 * chain + i], sizeof *words, NULL, 0, NULL));
    OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  }
  OK(zeCommandListAppendMemoryCopy(list, &words[20], &words[3], sizeof *words, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, &words[21], &words[13], sizeof *words, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  const long before = graphs();
  for (int round = 0; round < ROUNDS; round++) {
    memset(words, 0, WORDS * sizeof *words);
    words[0] = 1 + round;
    words[10] = 100 + round;
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    CHECK_EQ(words[20], 1 + round);
    CHECK_EQ(words[21], 100 + round);
  }
  CHECK_EQ(graphs() - before, 1);
  OK(zeCommandListDestroy(list));
  OK(zeCommandListCreate(test_context(), test_device(), &in_order, &ordered));
  for (int i = 0; i < COPIES; i++)
    OK(zeCommandListAppendMemoryCopy(
        ordered, &words[i + 1], &words[i], sizeof *words, NULL, 0, NULL));
  OK(zeCommandListClose(ordered));
  CHECK_EQ(replay(ordered, words, COPIES), 1);
  OK(zeCommandListDestroy(ordered));
  OK(zeCommandQueueDestroy(queue));
  test_free(words);
}

/* The ways in which the events of a list may be used. */
enum use { RESET, NOT_RESET, RESET_EARLY, RESET_TWICE, WAITED_EARLY, SIGNALLED_TWICE, OF_OTHERS };

/* Chains of LENGTH copies beside each other, `stride` words apart, behind a copy of the first word,
   with a barrier that waits for some of them in between, and a copy of the last word of one. */
enum { CHAINS = 3, LENGTH = 4, STRIDE = 10, EVENTS = CHAINS * LENGTH + 1, LAST = 60 };

static ze_command_list_handle_t chains(int *words, enum use use, ze_event_handle_t *events) {
  ze_command_list_handle_t list = test_list();
  const size_t size = sizeof *words;
  ze_event_handle_t *last = &events[EVENTS - 1];
  if (use == WAITED_EARLY) OK(zeCommandListAppendWaitOnEvents(list, 1, &events[0]));
  if (use == OF_OTHERS) OK(zeCommandListAppendWaitOnEvents(list, 1, &events[EVENTS]));
  OK(zeCommandListAppendMemoryCopy(list, &words[1], &words[0], size, *last, 0, NULL));
  for (int i = 0; i < LENGTH; i++) {
    for (int chain = 0; chain < CHAINS; chain++) {
      int *from = i == 0 ? &words[1] : &words[STRIDE * chain + i + 1];
      ze_event_handle_t *event = &events[chain * LENGTH + i];
      OK(zeCommandListAppendMemoryCopy(
          list, &words[STRIDE * chain + i + 2], from, size, *event, 1, i == 0 ? last : event - 1));
    }
    /* All that follow wait for the first chain too. */
    if (i == 1) OK(zeCommandListAppendBarrier(list, NULL, 1, &events[1]));
  }
  if (use == SIGNALLED_TWICE) OK(zeCommandListAppendSignalEvent(list, *last));
  if (use == RESET_EARLY) OK(zeCommandListAppendEventReset(list, *last));
  OK(zeCommandListAppendBarrier(list, NULL, 1, &events[LENGTH - 1])); /* the end of a chain */
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, &words[LAST], &words[LENGTH + 1], size, NULL, 0, NULL));
  for (int i = 0; i < EVENTS - (use == NOT_RESET || use == RESET_EARLY); i++)
    OK(zeCommandListAppendEventReset(list, events[i]));
  if (use == RESET_TWICE) OK(zeCommandListAppendEventReset(list, *last));
  OK(zeCommandListClose(list));
  return list;
}

/* Runs them, and returns how many graphs that has left. */
static long run_chains(enum use use) {
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = EVENTS + 1};
  ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  ze_event_handle_t events[EVENTS + 1];
  ze_event_pool_handle_t pool;
  int *words = test_shared(WORDS * sizeof *words);
  ze_device_handle_t device = test_device();
  OK(zeEventPoolCreate(test_context(), &pool_desc, 1, &device, &pool));
  for (; desc.index <= EVENTS; desc.index++)
    OK(zeEventCreate(pool, &desc, &events[desc.index]));
  ze_command_list_handle_t list = chains(words, use, events);
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const long before = graphs();
  for (int round = 0; round < ROUNDS; round++) {
    memset(words, 0, WORDS * sizeof *words);
    words[0] = 1 + round;
    if (use == WAITED_EARLY) OK(zeEventHostSignal(events[0]));
    if (use == OF_OTHERS) OK(zeEventHostSignal(events[EVENTS]));
    if (use == NOT_RESET || use == RESET_EARLY) OK(zeEventHostReset(events[EVENTS - 1]));
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    for (int chain = 0; chain < CHAINS; chain++)
      CHECK_EQ(words[STRIDE * chain + LENGTH + 1], 1 + round);
    CHECK_EQ(words[LAST], 1 + round);
  }
  const long left = graphs() - before;
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListDestroy(list));
  for (int i = 0; i <= EVENTS; i++)
    OK(zeEventDestroy(events[i]));
  OK(zeEventPoolDestroy(pool));
  test_free(words);
  return left;
}

TEST(events_of_a_list_alone_are_edges_of_its_graph) {
  CHECK_EQ(run_chains(RESET), 1);
}

TEST(a_list_whose_events_others_may_use_is_no_graph) {
  for (int use = NOT_RESET; use <= OF_OTHERS; use++)
    CHECK_EQ(run_chains((enum use)use), 0);
}

static ze_command_list_handle_t shared_list;

static void *run_often(void *argument) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  (void)argument;
  for (int i = 0; i < RUNS; i++)
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &shared_list, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeCommandQueueDestroy(queue));
  return NULL;
}

TEST(threads_run_one_list_on_queues_of_their_own) {
  int *words = test_shared(WORDS * sizeof *words);
  pthread_t threads[THREADS];
  shared_list = chain(words, COPIES, NULL);
  CHECK_EQ(replay(shared_list, words, COPIES), 1); /* from here on, so that runs do not meet */
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, run_often, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(words[COPIES], words[0]);
  CHECK_EQ(graphs(), 1);
  OK(zeCommandListDestroy(shared_list));
  CHECK_EQ(graphs(), 0);
  test_free(words);
}

TEST_MAIN(a_list_that_runs_again_is_a_graph, a_list_that_runs_once_is_none,
    lists_that_are_no_graphs_run_again_too, an_updated_list_is_another_graph,
    barriers_order_an_unordered_list, events_of_a_list_alone_are_edges_of_its_graph,
    a_list_whose_events_others_may_use_is_no_graph, threads_run_one_list_on_queues_of_their_own)
