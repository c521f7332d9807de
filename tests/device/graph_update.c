/* Updates of executable graphs: on mutable lists, and on lists that are recorded anew.
   The kernels are those of tests/kernels/graph.spv. */
#include "support/failing.h"
#include "support/refused.h"
#include "support/spy.h"

#include "support/updated.h"
#include "syclze/buffer_create.h"
#include "tests/soon.h"

/* x -> (x * 2 + addend) * 3 + 7 */
static syclze_executable_graph steps(struct world *w, uint32_t addend) {
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, addend, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 3, 7, none, NULL), ZE_RESULT_SUCCESS);
  return updatable(graph);
}

static uint32_t stepped(uint32_t x, uint32_t addend) {
  return (x * 2 + addend) * 3 + 7;
}

static ze_result_t set_addend(syclze_executable_graph executable, uint32_t node, uint32_t addend) {
  const syclze_argument argument = syclze_argument_value(&addend, sizeof addend);
  return syclze_executable_graph_update_argument(executable, node, 3, &argument);
}

static void replay_updated(struct world *w) {
  syclze_executable_graph executable = steps(w, 1);
  uint32_t x = 0;
  for (uint32_t i = 0; i < 40; i++) {
    syclze_queue queue = w->all.queues[i / 8];
    if (i % 4 != 3) CHECK_EQ(set_addend(executable, 0, i), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    x = stepped(x, i % 4 != 3 ? i : i - 1);
    if (i % 8 != 7) continue;
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], x);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(each_run_has_the_arguments_of_its_submission) { // shows graphs 19, graph_peers 38
  in_both_ways(replay_updated);
}

/* Runs that have not begun: their lists may not change. */
static void update_behind_gate(struct world *w) {
  static const int queues[] = {IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE};
  for (int q = 0; q < 3; q++) {
    syclze_queue queue = w->all.queues[queues[q]];
    syclze_executable_graph executable = steps(w, 1);
    syclze_event gate;
    uint32_t x = 0;
    memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
    CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < 5; i++) {
      syclze_group group = syclze_group_begin(queue);
      if (i == 0) syclze_group_depends_on(&group, gate);
      CHECK_EQ(syclze_group_execute_graph(&group, executable, NULL), ZE_RESULT_SUCCESS);
      CHECK_EQ(set_addend(executable, 0, i + 10), ZE_RESULT_SUCCESS);
      CHECK_EQ(set_addend(executable, 1, i), ZE_RESULT_SUCCESS);
      const uint32_t first = i == 0 ? 1 : i + 9, second = i == 0 ? 7 : i - 1;
      x = (x * 2 + first) * 3 + second;
    }
    check_all(w->memory[0], 0);
    CHECK_EQ(mutable_lists.updates, 0);
    CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], x);
    CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  }
}

TEST(an_update_changes_no_run_before_it) { // shows graphs 19, graph_peers 38 41
  in_both_ways(update_behind_gate);
}

enum { RUNS = 1000 };

/* An update before each run, none of which is waited for; the first waits for a gate, or not. A
 * command queue has lists of its own besides. */
static void update_each_run(struct world *w, syclze_queue queue, bool waits) {
  const bool is_list = queue.rep->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
  const unsigned living_lists = spy_alive(SPY_LIST), living_queues = spy_alive(SPY_QUEUE);
  syclze_executable_graph executable = steps(w, 1);
  const unsigned lists = spy_creations(SPY_LIST), queues = spy_creations(SPY_QUEUE);
  syclze_event gate;
  uint32_t x = 0;
  memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < RUNS; i++) {
    syclze_group group = syclze_group_begin(queue);
    if (i == 0 && waits) syclze_group_depends_on(&group, gate);
    CHECK_EQ(set_addend(executable, i % 2, i), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_group_execute_graph(&group, executable, NULL), ZE_RESULT_SUCCESS);
    x = (x * 2 + (i - i % 2)) * 3 + (i == 0 ? 7 : i - 1 + i % 2);
  }
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], x);
  /* The first build was there; the runs that are host tasks have a list and a queue. */
  if (is_list) CHECK(spy_creations(SPY_LIST) - lists <= SYCLZE__BUILDS);
  CHECK(spy_creations(SPY_QUEUE) - queues <= 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  if (is_list) CHECK_SOON(spy_alive(SPY_LIST) == living_lists);
  CHECK_SOON(spy_alive(SPY_QUEUE) == living_queues);
}

static void bound_builds(struct world *w) {
  static const int queues[] = {IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE};
  for (int i = 0; i < 6; i++)
    update_each_run(w, w->all.queues[queues[i / 2]], i % 2 != 0);
}

TEST(a_thousand_updated_runs_share_few_builds) { // shows graphs 22
  in_both_ways(bound_builds);
}

/* A list that does not run is updated, and no other is made; that of a run which waits is not. */
TEST(an_idle_mutable_list_is_updated_in_place) { // shows graphs 23, graph_peers 38
  struct world w = begin();
  mutable_lists_use(true);
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_executable_graph executable = steps(&w, 1);
  uint32_t x = 0;
  CHECK_EQ(mutable_lists.commands, 2);
  const unsigned lists = spy_alive(SPY_LIST);
  for (uint32_t i = 0; i < 10; i++) {
    CHECK_EQ(set_addend(executable, 0, i), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    x = stepped(x, i);
    check_all(w.memory[0], x);
    CHECK_EQ(mutable_lists.updates, i + 1);
  }
  CHECK_EQ(set_addend(executable, 0, 9), ZE_RESULT_SUCCESS); /* the same again: no call */
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mutable_lists.updates, 10);
  CHECK_EQ(spy_alive(SPY_LIST), lists);
  CHECK_EQ(mutable_lists.commands, 2);
  /* After a failed update the list is recorded anew. */
  mutable_lists.failure = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  CHECK_EQ(set_addend(executable, 0, 77), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w.memory[0], stepped(stepped(x, 9), 77));
  CHECK_EQ(mutable_lists.commands, 4);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  finish(&w);
}

static void update_ranges(struct world *w) {
  static const syclze_nd_range ranges[] = {{.global = {16}, .local = {4}},
      {.global = {8}, .local = {8}, .offset = {40}}, {.global = {ITEMS}}, {.global = {1}}};
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_executable_graph executable = steps(w, 1);
  uint32_t expected[ITEMS] = {0};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    CHECK_EQ(syclze_executable_graph_update_range(executable, 0, &ranges[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_update_range(executable, 1, &ranges[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    for (size_t j = 0; j < ranges[i].global[0]; j++)
      expected[ranges[i].offset[0] + j] = stepped(expected[ranges[i].offset[0] + j], 1);
    for (uint32_t j = 0; j < ITEMS; j++)
      CHECK_EQ(w->memory[0][j], expected[j]);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(ranges_and_offsets_are_updated) { // shows graphs 19, graph_peers 43
  in_both_ways(update_ranges);
}

/* y = y * factor + x + addend, on buffers. */
static void record_mix(struct world *w, syclze_queue queue, int out, int in, uint32_t factor) {
  const uint32_t addend = 1;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor y = syclze_require(&group, w->buffers[out], SYCLZE_ACCESS_READ_WRITE);
  syclze_accessor x = syclze_require(&group, w->buffers[in], SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(y), syclze_arg(x),
               syclze_arg(factor), syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
}

/* Later work on the other buffer waits for the graph, by its accessors alone. */
static void update_buffers(struct world *w) {
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, w->all.queues[2]), ZE_RESULT_SUCCESS);
  record_mix(w, w->all.queues[2], 0, 1, 2);
  syclze_executable_graph executable = updatable(graph);
  CHECK_EQ(syclze_queue_submit_graph(w->all.queues[2], executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_executable_graph_update_buffer(executable, 0, 0, w->buffers[2]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 6; i++) {
    CHECK_EQ(
        syclze_queue_submit_graph(w->all.queues[2 + i % 2], executable, NULL), ZE_RESULT_SUCCESS);
    record_mix(w, w->all.queues[3 - i % 2], 2, 0, 5); /* x * 5 + 1 + 1, out of order */
  }
  uint32_t seen[ITEMS], x = 0;
  CHECK_EQ(syclze_buffer_read(w->buffers[2], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 6; i++)
    x = (x * 2 + 1) * 5 + 2;
  check_all(seen, x);
  check_all(w->memory[0], 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  for (int i = 2; i < 4; i++)
    CHECK_EQ(syclze_queue_wait(w->all.queues[i]), ZE_RESULT_SUCCESS);
}

TEST(a_buffer_is_replaced_with_its_dependencies) { // shows graphs 19, graph_peers 40
  in_both_ways(update_buffers);
}

/* The run is all that has used the buffer. */
static void write_final_data(struct world *w) {
  const uint32_t three = 3, four = 4;
  uint32_t data[ITEMS] = {0};
  const syclze_buffer_desc desc = {
      .element_size = sizeof *data, .range = {ITEMS}, .const_host_data = data};
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_buffer buffer;
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor x = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_DISCARD_WRITE);
  CHECK_EQ(syclze_launch(&group, w->all.set, &items, NULL, syclze_arg(x), syclze_arg(three),
               syclze_arg(four)),
      ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = updatable(graph);
  CHECK_EQ(syclze_buffer_create(w->all.context, &desc, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_buffer(executable, 0, 0, buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_set_final_data(buffer, data), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(data[i], i * three + four);
}

TEST(a_buffer_of_an_update_is_written_back) { // shows graphs 19
  in_both_ways(write_final_data);
}

static ze_result_t add(syclze_interop_handle handle, void *argument) {
  uint32_t *sum = argument;
  (void)handle;
  ++*sum;
  return ZE_RESULT_SUCCESS;
}

/* A fill, a kernel, a host task and a kernel. */
static syclze_graph all_kinds(struct world *w, uint32_t pattern, uint32_t addend, uint32_t *calls) {
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(w->memory[1]), &pattern, sizeof pattern,
               ITEMS * sizeof pattern, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, addend, none, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, add, calls, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 1, addend, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  return graph;
}

static void update_whole(struct world *w) {
  uint32_t calls[3] = {0}, x = 0;
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_executable_graph executable = updatable(all_kinds(w, 1, 2, &calls[0]));
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t pattern = i == 2 ? 5 : 1, addend = 2 + i;
    if (i > 0) {
      syclze_graph graph = all_kinds(w, pattern, addend, &calls[i]);
      CHECK_EQ(syclze_executable_graph_update(executable, graph), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
    }
    for (int j = 0; j < 2; j++)
      CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    for (int j = 0; j < 2; j++)
      x = x * 2 + 2 * (pattern + addend);
    check_all(w->memory[0], x);
    CHECK_EQ(calls[i], 2);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(all_nodes_are_replaced_by_those_of_a_graph_recorded_alike) { // shows graphs 19, graph_peers 48
  in_both_ways(update_whole);
}

/* Each driver call and each allocation of an update and the submission after it fails once. What
 * was replaced is released by the submission that follows, or with the graph. */
static bool fails(struct world *w, bool allocation, bool goes_on, unsigned n) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  const unsigned lists = spy_alive(SPY_LIST);
  syclze_executable_graph executable = steps(w, 1);
  const syclze_nd_range half = {.global = {ITEMS / 2}, .local = {8}};
  memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  if (allocation)
    failing_at(n);
  else
    spy_fail_at(n, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  const ze_result_t argument = set_addend(executable, 0, 5);
  const ze_result_t range = syclze_executable_graph_update_range(executable, 1, &half);
  const ze_result_t submitted = syclze_queue_submit_graph(queue, executable, NULL);
  const char *call = spy_failed_call();
  const bool failed = failing_end() || call != NULL;
  const bool keeps_list = call != NULL && strcmp(call, "zeCommandListDestroy") == 0;
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  uint32_t first = stepped(0, 1), second = first;
  if (submitted == ZE_RESULT_SUCCESS) {
    const uint32_t addend = argument == ZE_RESULT_SUCCESS ? 5 : 1;
    first = stepped(first, addend);
    second = range == ZE_RESULT_SUCCESS ? second * 2 + addend : first;
  }
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], i < ITEMS / 2 ? first : second);
  if (goes_on) {
    CHECK_EQ(set_addend(executable, 0, 5), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_update_range(executable, 1, &items), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < ITEMS; i++)
      CHECK_EQ(w->memory[0][i], stepped(i < ITEMS / 2 ? first : second, 5));
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  /* Nothing else is left of the builds that were replaced; a worker may destroy them. */
  CHECK_SOON(spy_alive(SPY_LIST) == lists + keeps_list);
  if (keeps_list) CHECK_EQ(zeCommandListDestroy(spy_survivor(SPY_LIST)), ZE_RESULT_SUCCESS);
  return failed;
}

static void sweep(struct world *w) {
  for (int way = 0; way < 4; way++) {
    const bool allocation = way % 2 != 0, goes_on = way < 2;
    unsigned n = 1;
    while (fails(w, allocation, goes_on, n))
      n++;
    CHECK(n > (allocation ? 3 : 5));
  }
}

TEST(every_call_and_allocation_of_an_update_may_fail) { // shows graphs 23 24
  in_both_ways(sweep);
}

static void refuse_launches(struct world *w, syclze_executable_graph executable) {
  const void *native = syclze_get_native(w->all.context);
  const char *const function = "syclze_executable_graph_update_argument";
  const uint32_t seven = 7;
  const syclze_argument value = syclze_argument_value(&seven, sizeof seven);
  const syclze_argument large = syclze_argument_value(&w->g, sizeof w->g);
  const syclze_nd_range uneven = {.global = {10}, .local = {4}};
  const syclze_nd_range plane = {.global = {8, 8}, .local = {4, 4}};
  FAILED(syclze_executable_graph_update_argument(executable, 0, 4, &value),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, function, "of this index", native);
  FAILED(syclze_executable_graph_update_argument(executable, 9, 0, &value),
      SYCLZE_RESULT_ERROR_INVALID, function, "no such node", native);
  FAILED(syclze_executable_graph_update_argument(executable, 1, 0, &value),
      SYCLZE_RESULT_ERROR_INVALID, function, "launches no kernel", native);
  FAILED(syclze_executable_graph_update_argument(executable, 0, 0, &value),
      SYCLZE_RESULT_ERROR_ACCESSOR, function, "must not be accessors", native);
  FAILED(syclze_executable_graph_update_argument(executable, 0, 2, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "null", native);
  CHECK(syclze_executable_graph_update_argument(executable, 0, 2, &large) != ZE_RESULT_SUCCESS);
  FAILED(syclze_executable_graph_update_range(executable, 0, &uneven), SYCLZE_RESULT_ERROR_ND_RANGE,
      "syclze_executable_graph_update_range", "multiple", native);
  FAILED(syclze_executable_graph_update_range(executable, 0, &plane), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_executable_graph_update_range", "dimensions", native);
  FAILED(syclze_executable_graph_update_range(executable, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_executable_graph_update_range", "null", native);
  FAILED(syclze_executable_graph_update_buffer(executable, 0, 2, w->buffers[2]),
      SYCLZE_RESULT_ERROR_ACCESSOR, "syclze_executable_graph_update_buffer", "must be an accessor",
      native);
  FAILED(syclze_executable_graph_update_buffer(executable, 0, 0, (syclze_buffer){NULL}),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_executable_graph_update_buffer", "null", native);
}

TEST(updates_refuse_what_they_cannot_change) { // shows graphs 19, graph_peers 49 50
  struct world w = begin();
  mutable_lists_use(true);
  const void *native = syclze_get_native(w.all.context);
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_graph graph = graph_of(&w), other = graph_of(&w);
  syclze_executable_graph executable, constant, absent = {NULL};
  const uint32_t seven = 7;
  const syclze_argument value = syclze_argument_value(&seven, sizeof seven);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  record_mix(&w, queue, 0, 1, 2);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &constant), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  FAILED(syclze_executable_graph_update_argument(constant, 0, 2, &value),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_executable_graph_update_argument",
      "SYCLZE_GRAPH_UPDATABLE", native);
  FAILED(syclze_executable_graph_update(constant, graph), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_executable_graph_update", "SYCLZE_GRAPH_UPDATABLE", native);
  FAILED(syclze_executable_graph_update(absent, graph), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_executable_graph_update", "null", NULL);
  FAILED(syclze_executable_graph_update(executable, (syclze_graph){NULL}),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_executable_graph_update", "null", native);
  FAILED(syclze_executable_graph_update(executable, other), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_executable_graph_update", "do not match", native);
  refuse_launches(&w, executable);
  /* Nothing has changed. */
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w.memory[0], 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(constant), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(other), ZE_RESULT_SUCCESS);
  finish(&w);
}

/* Three kernels of an out-of-order queue, with edges to the third from those of the bits. */
static syclze_graph fork_of(struct world *w, unsigned edges, uint32_t addend) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(w);
  syclze_event events[2];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(mix_memory(w, queue, i, 2, 0, addend, none, &events[i]), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  for (int i = 0; i < 2; i++)
    if ((edges >> i & 1) != 0) syclze_group_depends_on(&group, events[i]);
  const uint32_t factor = 0;
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(w->memory[0]),
               syclze_arg(w->memory[1]), syclze_arg(factor), syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
  return graph;
}

/* An edge more, an edge less, and as many others, in graphs of the same nodes. */
static void update_edges(struct world *w) {
  const void *native = syclze_get_native(w->all.context);
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_executable_graph executable[4];
  for (unsigned was = 0; was < 4; was++)
    executable[was] = updatable(fork_of(w, was, 1));
  for (unsigned was = 0; was < 4; was++)
    for (unsigned is = 0; is < 4; is++) {
      syclze_graph graph = fork_of(w, is, 2);
      if (was == is)
        CHECK_EQ(syclze_executable_graph_update(executable[was], graph), ZE_RESULT_SUCCESS);
      else
        FAILED(syclze_executable_graph_update(executable[was], graph), SYCLZE_RESULT_ERROR_INVALID,
            "syclze_executable_graph_update", "the same edges", native);
      CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
    }
  CHECK_EQ(syclze_queue_submit_graph(queue, executable[3], NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[1], 2);
  check_all(w->memory[0], 4);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(syclze_executable_graph_release(executable[i]), ZE_RESULT_SUCCESS);
}

TEST(a_whole_update_has_the_same_edges) { // shows promises 75, graphs 19, graph_peers 49
  in_both_ways(update_edges);
}

/* A node of two chains, each of two kernels, or with the second kernels exchanged. */
static syclze_graph chains_of(struct world *w, bool crosses) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_graph chains = graph_of(w), graph = graph_of(w);
  syclze_event first[2];
  CHECK_EQ(syclze_graph_begin_recording(chains, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(mix_memory(w, queue, i, 2, 0, 1, none, &first[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(mix_memory(w, queue, i, 2, 2, 1, first[crosses ? 1 - i : i], NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(chains, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_record_graph(&group, chains, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(first[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(first[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(chains), ZE_RESULT_SUCCESS);
  return graph;
}

/* Those of a graph that is a node, too. */
static void update_edges_of_nodes(struct world *w) {
  const void *native = syclze_get_native(w->all.context);
  for (int was = 0; was < 2; was++) {
    syclze_executable_graph executable = updatable(chains_of(w, was != 0));
    syclze_graph same = chains_of(w, was != 0), other = chains_of(w, was == 0);
    CHECK_EQ(syclze_executable_graph_update(executable, same), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_update_node(executable, 0, same, 0), ZE_RESULT_SUCCESS);
    FAILED(syclze_executable_graph_update(executable, other), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_executable_graph_update", "do not match", native);
    FAILED(syclze_executable_graph_update_node(executable, 0, other, 0),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_executable_graph_update_node", "not of one type",
        native);
    CHECK_EQ(syclze_graph_release(same), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_release(other), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  }
}

TEST(an_update_of_a_node_that_is_a_graph_has_the_same_edges) { // shows graphs 19 21
  in_both_ways(update_edges_of_nodes);
}

struct updater {
  syclze_executable_graph executable; /* null until there is one */
  unsigned calls, updates;
};

/* The function of a native command, which updates the graph while a build of it is made. */
static ze_result_t update_meanwhile(syclze_interop_handle handle, void *argument) {
  struct updater *updater = (struct updater *)argument;
  (void)handle;
  updater->calls++;
  if (updater->executable.rep == NULL || updater->updates++ != 0) return ZE_RESULT_SUCCESS;
  return set_addend(updater->executable, 1, 5);
}

/* No lock is held while the function of a native command is called. A build of nodes that have
   changed meanwhile is dropped. */
static void update_from_a_function(struct world *w) {
  struct updater updater = {{NULL}, 0, 0};
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_group_native_command(&group, update_meanwhile, &updater, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  updater.executable = updatable(graph);
  const unsigned calls = updater.calls;
  CHECK(calls != 0);
  CHECK_EQ(set_addend(updater.executable, 1, 3), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, updater.executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  /* A mutable list is updated, and not made anew. */
  CHECK_EQ(updater.calls != calls, updater.updates != 0);
  check_all(w->memory[0], updater.updates != 0 ? 5 : 3);
  CHECK_EQ(syclze_executable_graph_release(updater.executable), ZE_RESULT_SUCCESS);
}

TEST(a_native_commands_function_may_update_the_graph) {
  in_both_ways(update_from_a_function);
}

TEST_MAIN(each_run_has_the_arguments_of_its_submission, an_update_changes_no_run_before_it,
    an_idle_mutable_list_is_updated_in_place, ranges_and_offsets_are_updated,
    a_buffer_is_replaced_with_its_dependencies, a_buffer_of_an_update_is_written_back,
    all_nodes_are_replaced_by_those_of_a_graph_recorded_alike,
    every_call_and_allocation_of_an_update_may_fail, updates_refuse_what_they_cannot_change,
    a_whole_update_has_the_same_edges, an_update_of_a_node_that_is_a_graph_has_the_same_edges,
    a_thousand_updated_runs_share_few_builds, a_native_commands_function_may_update_the_graph)
