/* Streams of the engine on CUDA, on the libcuda of the tests: what is kept back from them, and
 * launches whose groups are counted late, or wait for each other. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "support/launch.h"
#include "support/libcuda.h"
#include "test/harness/soon.h"

#include <pthread.h>
#include <unistd.h>

/* More than a stream of CUDA's holds. */
enum { MANY = 3000, WORDS = 66, COOPERATIVE = 64 };

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 1);
}

/* Kernels whose effect libcuda/libcuda.h defines. */
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry spin(.param .u64 word) {\n  ret;\n}\n"
                          ".visible .entry groups(.param .u64 counts) {\n  ret;\n}\n";

struct kernels {
  ze_module_handle_t module;
  ze_kernel_handle_t spin, groups;
  uint32_t *word, *counts; /* shared */
};

static struct kernels make_kernels(void) {
  struct test_file file = {(unsigned char *)(uintptr_t)ptx, strlen(ptx)};
  struct kernels made;
  OK(test_make(ZE_MODULE_FORMAT_NATIVE, file, NULL, NULL, &made.module, NULL));
  made.spin = test_kernel(made.module, "spin");
  made.groups = test_kernel(made.module, "groups");
  made.word = test_shared(sizeof *made.word);
  made.counts = test_shared(WORDS * sizeof *made.counts);
  OK(zeKernelSetArgumentValue(made.spin, 0, sizeof made.word, &made.word));
  OK(zeKernelSetArgumentValue(made.groups, 0, sizeof made.counts, &made.counts));
  return made;
}

static void free_kernels(struct kernels *made) {
  OK(zeKernelDestroy(made->spin));
  OK(zeKernelDestroy(made->groups));
  OK(zeModuleDestroy(made->module));
  test_free(made->word);
  test_free(made->counts);
}

static ze_command_list_handle_t in_order(void) {
  return test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
}

static void launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, uint32_t groups,
    ze_event_handle_t signal, ze_event_handle_t wait) {
  const ze_group_count_t count = {groups, 1, 1};
  OK(zeCommandListAppendLaunchKernel(list, kernel, &count, signal, wait != NULL, &wait));
}

static void wait_for(ze_event_handle_t event) {
  OK(zeEventHostSynchronize(event, UINT64_MAX));
}

TEST(thousands_behind_an_event_of_the_host) {
  struct kernels made = make_kernels();
  ze_command_list_handle_t list = in_order();
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  for (int i = 0; i < MANY; i++)
    launch(list, made.groups, 3, i == MANY - 1 ? done : NULL, i == 0 ? gate : NULL);
  RETURNS(NOT_READY, zeEventHostSynchronize(done, 1000));
  CHECK_EQ(made.counts[3], 0);
  OK(zeEventHostSignal(gate));
  wait_for(done);
  CHECK_EQ(made.counts[3], MANY);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  free_kernels(&made);
}

TEST(thousands_behind_a_kernel_keep_their_order) {
  struct kernels made = make_kernels();
  ze_command_list_handle_t list = in_order();
  ze_event_handle_t done = test_lone_event();
  uint32_t *chain = test_shared((MANY + 1) * sizeof *chain);
  chain[0] = 5;
  launch(list, made.spin, 1, NULL, NULL);
  for (int i = 0; i < MANY; i++)
    OK(zeCommandListAppendMemoryCopy(
        list, &chain[i + 1], &chain[i], 4, i == MANY - 1 ? done : NULL, 0, NULL));
  CHECK_EQ(chain[1], 0);
  __atomic_store_n(made.word, 1, __ATOMIC_SEQ_CST);
  wait_for(done);
  CHECK_EQ(chain[MANY], 5);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(done));
  test_free(chain);
  free_kernels(&made);
}

/* Three lists in a ring, the last one first, with thousands in each. */
TEST(lists_wait_for_what_is_not_appended_yet) {
  struct kernels made = make_kernels();
  ze_command_list_handle_t lists[3] = {in_order(), in_order(), in_order()};
  ze_event_handle_t events[4];
  for (int i = 0; i < 4; i++)
    events[i] = test_lone_event();
  for (int i = 2; i >= 0; i--)
    for (int k = 0; k < MANY; k++)
      launch(lists[i], made.groups, 1, k == MANY - 1 ? events[i + 1] : NULL,
          k == 0 ? events[i] : NULL);
  CHECK_EQ(made.counts[1], 0);
  OK(zeEventHostSignal(events[0]));
  wait_for(events[3]);
  CHECK_EQ(made.counts[1], 3 * MANY);
  for (int i = 0; i < 3; i++)
    OK(zeCommandListDestroy(lists[i]));
  for (int i = 0; i < 4; i++)
    OK(zeEventDestroy(events[i]));
  free_kernels(&made);
}

/* One event is signalled, reset and signalled again, with a queue between. */
TEST(a_closed_list_goes_on_where_it_stopped) {
  struct kernels made = make_kernels();
  ze_command_list_handle_t list = test_list(), other = in_order();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_fence_handle_t fence = test_fence(queue);
  ze_event_handle_t go = test_lone_event(), done = test_lone_event();
  launch(list, made.groups, 1, NULL, NULL);
  launch(list, made.groups, 2, NULL, go);
  OK(zeCommandListAppendEventReset(list, go));
  launch(list, made.groups, 3, done, NULL);
  OK(zeCommandListClose(list));
  for (uint32_t round = 1; round <= 3; round++) {
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    RETURNS(NOT_READY, zeFenceHostSynchronize(fence, 1000));
    RETURNS(NOT_READY, zeCommandQueueSynchronize(queue, 0));
    CHECK_EQ(made.counts[2], round - 1);
    launch(other, made.groups, 4, go, NULL);
    OK(zeFenceHostSynchronize(fence, UINT64_MAX));
    wait_for(done);
    OK(zeEventHostReset(done));
    OK(zeFenceReset(fence));
    for (int i = 1; i <= 4; i++)
      CHECK_EQ(made.counts[i], round);
    OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  }
  OK(zeFenceDestroy(fence));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(other));
  OK(zeCommandQueueDestroy(queue));
  OK(zeEventDestroy(go));
  OK(zeEventDestroy(done));
  free_kernels(&made);
}

TEST(a_list_is_destroyed_with_what_it_keeps) {
  struct kernels made = make_kernels();
  for (int round = 0; round < 20; round++) {
    ze_command_list_handle_t list = in_order();
    ze_event_handle_t gate = test_lone_event();
    for (int i = 0; i < 30; i++)
      launch(list, made.groups, 1 + (i >= 10), NULL, i == 10 ? gate : NULL);
    OK(zeCommandListDestroy(list));
    OK(zeEventHostSignal(gate));
    OK(zeEventDestroy(gate));
  }
  CHECK_EQ(made.counts[1], 200);
  CHECK_EQ(made.counts[2], 0);
  free_kernels(&made);
}

struct gated {
  ze_event_handle_t gate, done;
  struct kernels *kernels;
};

static void *submit(void *argument) {
  const struct gated *gated = argument;
  ze_command_list_handle_t list = in_order();
  for (int i = 0; i < MANY; i++)
    launch(list, gated->kernels->groups, 1, i == MANY - 1 ? gated->done : NULL,
        i % 100 == 0 ? gated->gate : NULL);
  wait_for(gated->done);
  OK(zeCommandListDestroy(list));
  return NULL;
}

/* While one thread signals, others submit. */
TEST(threads_submit_and_signal) {
  enum { THREADS = 3 };
  struct kernels made = make_kernels();
  struct gated gated[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    gated[i] = (struct gated){test_lone_event(), test_lone_event(), &made};
    CHECK_EQ(pthread_create(&threads[i], NULL, submit, &gated[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    usleep(1000);
    OK(zeEventHostSignal(gated[i].gate));
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    OK(zeEventDestroy(gated[i].gate));
    OK(zeEventDestroy(gated[i].done));
  }
  free_kernels(&made);
}

/* The counts are those that an earlier command of the list writes. */
TEST(indirect_launches_read_what_was_written_before) {
  struct kernels made = make_kernels();
  ze_command_list_handle_t list = in_order();
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  ze_group_count_t *count = test_shared(sizeof *count);
  const ze_group_count_t later = {7, 1, 1}, none = {0, 1, 1};
  count->groupCountX = 9;
  OK(zeCommandListAppendMemoryCopy(list, count, &later, sizeof later, NULL, 1, &gate));
  OK(zeCommandListAppendLaunchKernelIndirect(list, made.groups, count, NULL, 0, NULL));
  launch(list, made.spin, 1, NULL, NULL);
  OK(zeCommandListAppendMemoryCopy(list, count, &none, sizeof none, NULL, 0, NULL));
  OK(zeCommandListAppendLaunchKernelIndirect(list, made.groups, count, NULL, 0, NULL));
  launch(list, made.groups, 2, done, NULL);
  OK(zeEventHostSignal(gate));
  /* No other call follows that could help. */
  CHECK_SOON(__atomic_load_n(&made.counts[7], __ATOMIC_SEQ_CST) == 1);
  CHECK_EQ(made.counts[2], 0);
  __atomic_store_n(made.word, 1, __ATOMIC_SEQ_CST);
  wait_for(done);
  for (uint32_t i = 0; i < 10; i++)
    CHECK_EQ(made.counts[i], i == 7 || i == 2);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  test_free(count);
  free_kernels(&made);
}

TEST(indirect_launches_of_several_kernels) {
  struct kernels made = make_kernels();
  ze_command_list_handle_t list = test_list();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_group_count_t *counts = test_shared(4 * sizeof *counts);
  uint32_t *how_many = test_shared(sizeof *how_many);
  ze_kernel_handle_t kernels[4] = {made.groups, made.groups, made.groups, made.groups};
  for (uint32_t i = 0; i < 4; i++)
    counts[i] = (ze_group_count_t){i + 1, 1, 1};
  OK(zeCommandListAppendLaunchMultipleKernelsIndirect(
      list, 4, kernels, how_many, counts, NULL, 0, NULL));
  launch(list, made.groups, 9, NULL, NULL);
  OK(zeCommandListClose(list));
  for (*how_many = 0; *how_many < 6; ++*how_many)
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  for (uint32_t i = 1; i <= 4; i++)
    CHECK_EQ(made.counts[i], 6 - i);
  CHECK_EQ(made.counts[9], 6);
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  test_free(how_many);
  test_free(counts);
  free_kernels(&made);
}

TEST(groups_that_wait_for_each_other) {
  struct kernels made = make_kernels();
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  uint32_t most = 0;
  OK(zeKernelSetGroupSize(made.groups, 512, 1, 1));
  OK(zeKernelSuggestMaxCooperativeGroupCount(made.groups, &most));
  CHECK_EQ(most, 132 * 4);
  const ze_group_count_t all = {most, 1, 1}, more = {most, 2, 1};
  OK(zeCommandListAppendLaunchCooperativeKernel(list, made.groups, &all, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendLaunchCooperativeKernel(list, made.groups, &more, NULL, 0, NULL));
  CHECK_EQ(made.counts[COOPERATIVE], 1);
  OK(zeCommandListAppendLaunchKernel(list, made.groups, &all, NULL, 0, NULL));
  CHECK_EQ(made.counts[COOPERATIVE], 1);
  CHECK_EQ(made.counts[most % 64], 2);
  OK(zeCommandListDestroy(list));
  free_kernels(&made);
}

TEST(commands_of_an_unordered_list_pass_each_other) {
  struct kernels made = make_kernels();
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event(), end = test_lone_event();
  ze_command_list_handle_t other = in_order();
  ze_event_handle_t spun = test_lone_event();
  launch(other, made.spin, 1, spun, NULL);
  launch(list, made.groups, 1, NULL, spun);
  launch(list, made.groups, 1, NULL, gate);
  for (int i = 0; i < 10; i++)
    launch(list, made.groups, 2, i == 9 ? done : NULL, NULL);
  wait_for(done);
  CHECK_EQ(made.counts[1], 0);
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  launch(list, made.groups, 3, end, NULL);
  RETURNS(NOT_READY, zeEventHostSynchronize(end, 1000));
  OK(zeEventHostSignal(gate));
  RETURNS(NOT_READY, zeEventHostSynchronize(end, 1000));
  __atomic_store_n(made.word, 1, __ATOMIC_SEQ_CST);
  wait_for(end);
  CHECK_EQ(made.counts[1], 2);
  CHECK_EQ(made.counts[2], 10);
  OK(zeCommandListDestroy(other));
  OK(zeEventDestroy(spun));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  OK(zeEventDestroy(end));
  free_kernels(&made);
}

/* Each step needs the one before, by a barrier, by an event, or both; what is beside them needs
   nothing. */
TEST(barriers_and_events_of_an_unordered_list) {
  enum { STEPS = 600 };
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  uint32_t *chain = test_shared((STEPS + 1) * sizeof *chain);
  uint32_t *aside = test_shared(STEPS * 4 * sizeof *aside);
  ze_event_handle_t events[STEPS], end = test_lone_event();
  chain[0] = 11;
  for (int i = 0; i < STEPS; i++) {
    const uint32_t waits = i % 3 != 0;
    events[i] = test_lone_event();
    OK(zeCommandListAppendMemoryCopy(list, &chain[i + 1], &chain[i], 4,
        (i + 1) % 3 ? events[i] : NULL, waits, waits ? &events[i - 1] : NULL));
    for (int k = 0; k < i % 4; k++)
      OK(zeCommandListAppendMemoryCopy(list, &aside[4 * i + k], chain, 4, NULL, 0, NULL));
    if (i % 3 == 2 || i % 7 == 0) OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  }
  OK(zeCommandListAppendSignalEvent(list, end));
  wait_for(end);
  CHECK_EQ(chain[STEPS], 11);
  OK(zeCommandListDestroy(list));
  for (int i = 0; i < STEPS; i++)
    OK(zeEventDestroy(events[i]));
  OK(zeEventDestroy(end));
  test_free(aside);
  test_free(chain);
}

static ze_event_pool_handle_t counted_pool(void) {
  enum { COUNTER_BASED = 0x00020014, REGULAR_LISTS = 2 }; /* which older headers lack */
  const struct {
    ze_structure_type_t stype;
    const void *next;
    uint32_t flags;
  } counted = {.stype = (ze_structure_type_t)COUNTER_BASED, .flags = REGULAR_LISTS};
  const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .pNext = &counted,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 3};
  ze_event_pool_handle_t pool;
  OK(zeEventPoolCreate(test_context(), &desc, 0, NULL, &pool));
  return pool;
}

static ze_command_list_handle_t regular_in_order(void) {
  enum { IN_ORDER = 8 }; /* of ze_command_list_flag_t, which older headers lack */
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .flags = IN_ORDER};
  ze_command_list_handle_t list;
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  return list;
}

/* Its events are signalled all the same, and its error is the queue's. */
TEST(a_list_goes_on_behind_a_launch_that_is_refused) {
  struct kernels made = make_kernels();
  const ze_group_count_t too_many = {1, 65536, 1};
  ze_event_pool_handle_t pool = counted_pool();
  ze_event_handle_t events[3];
  ze_command_list_handle_t list = regular_in_order();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_fence_handle_t fence = test_fence(queue);
  for (uint32_t i = 0; i < 3; i++)
    events[i] = test_event(pool, i);
  launch(list, made.groups, 1, events[0], NULL);
  OK(zeCommandListAppendLaunchKernel(list, made.groups, &too_many, events[1], 0, NULL));
  launch(list, made.groups, 2, events[2], NULL);
  OK(zeCommandListClose(list));
  for (uint32_t round = 1; round <= 3; round++) {
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    for (int i = 0; i < 3; i++)
      wait_for(events[i]);
    OK(zeFenceHostSynchronize(fence, UINT64_MAX));
    OK(zeFenceReset(fence));
    RETURNS(ERROR_INVALID_GROUP_SIZE_DIMENSION, zeCommandQueueSynchronize(queue, UINT64_MAX));
    CHECK_EQ(made.counts[1], round);
    CHECK_EQ(made.counts[2], round);
  }
  OK(zeFenceDestroy(fence));
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  for (int i = 0; i < 3; i++)
    OK(zeEventDestroy(events[i]));
  OK(zeEventPoolDestroy(pool));
  free_kernels(&made);
}

/* The events of an execution that never ended are those of the next one. */
TEST(a_list_that_a_destroyed_queue_kept_runs_on_another) {
  struct kernels made = make_kernels();
  ze_event_pool_handle_t pool = counted_pool();
  ze_event_handle_t before = test_event(pool, 0), behind = test_event(pool, 1);
  ze_event_handle_t gate = test_lone_event();
  ze_command_list_handle_t list = regular_in_order();
  launch(list, made.groups, 1, before, NULL);
  launch(list, made.groups, 2, behind, gate);
  OK(zeCommandListClose(list));
  for (int i = 0; i < 2; i++) {
    ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    for (int k = 0; k < 2; k++)
      OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    RETURNS(NOT_READY, zeEventHostSynchronize(before, 1000));
    OK(zeCommandQueueDestroy(queue));
  }
  OK(zeEventHostSignal(gate));
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  wait_for(before);
  wait_for(behind);
  CHECK_EQ(made.counts[1], 3);
  CHECK_EQ(made.counts[2], 1);
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(before));
  OK(zeEventDestroy(behind));
  OK(zeEventDestroy(gate));
  OK(zeEventPoolDestroy(pool));
  free_kernels(&made);
}

/* The first command may have run before the others of the list are in the stream, or kept. */
TEST(a_list_that_another_thread_submits_is_not_done) {
  enum { TURNS = 200 };
  struct test_execution execution = {test_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS), test_list()};
  ze_event_handle_t begun = test_lone_event(), gate = test_lone_event();
  OK(zeCommandListAppendBarrier(execution.list, begun, 0, NULL));
  OK(zeCommandListAppendBarrier(execution.list, NULL, 1, &gate));
  OK(zeCommandListClose(execution.list));
  for (int i = 0; i < check_repeats(TURNS); i++) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, test_execute, &execution), 0);
    wait_for(begun);
    RETURNS(NOT_READY, zeCommandQueueSynchronize(execution.queue, 0));
    OK(zeEventHostSignal(gate));
    CHECK_EQ(pthread_join(thread, NULL), 0);
    OK(zeCommandQueueSynchronize(execution.queue, 0));
    OK(zeEventHostReset(begun));
    OK(zeEventHostReset(gate));
  }
  OK(zeCommandListDestroy(execution.list));
  OK(zeCommandQueueDestroy(execution.queue));
  OK(zeEventDestroy(begun));
  OK(zeEventDestroy(gate));
}

TEST_MAIN(thousands_behind_an_event_of_the_host, thousands_behind_a_kernel_keep_their_order,
    lists_wait_for_what_is_not_appended_yet, a_closed_list_goes_on_where_it_stopped,
    a_list_is_destroyed_with_what_it_keeps, threads_submit_and_signal,
    indirect_launches_read_what_was_written_before, indirect_launches_of_several_kernels,
    groups_that_wait_for_each_other, commands_of_an_unordered_list_pass_each_other,
    barriers_and_events_of_an_unordered_list, a_list_goes_on_behind_a_launch_that_is_refused,
    a_list_that_a_destroyed_queue_kept_runs_on_another,
    a_list_that_another_thread_submits_is_not_done)
