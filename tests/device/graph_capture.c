/* Graphs that the driver records and replays itself (syclze_graph_finalize_captured), beside closed
   lists of the same nodes. The kernels are those of tests/kernels/graph.spv. */
#include "support/recorded.h"
#include "support/refused.h"
#include "support/spy.h"

#include "support/mutable_lists.h"

#include "support/captured.h"

static struct world begin_captures(void) {
  struct world w = begin();
  captured_begin();
  mutable_lists_use(false); /* the program exports the append of lists too */
  return w;
}

static void end_captures(struct world *w) {
  CHECK_SOON(__atomic_load_n(&captured.objects, __ATOMIC_RELAXED) == 0);
  await_unused(w->all.mix);
  end(w);
}

static ze_result_t finalize(
    bool is_captured, syclze_graph graph, syclze_executable_graph *executable) {
  CHECK_EQ(syclze_graph_end_recording(graph, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  const ze_result_t result = is_captured ? syclze_graph_finalize_captured(graph, 0, executable)
                                         : syclze_graph_finalize(graph, 0, executable);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  return result;
}

/* Kernels, a fill, a copy, a barrier and accessors, recorded by two queues. */
static syclze_graph record_all(struct world *w) {
  const uint32_t pattern = 9;
  syclze_queue in_order = w->all.queues[IN_ORDER], any_order = w->all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, in_order), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, any_order), ZE_RESULT_SUCCESS);
  syclze_event mixed;
  CHECK_EQ(mix_memory(w, in_order, 0, 1, 2, 1, none, &mixed), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(any_order);
  syclze_group_depends_on(&group, mixed); /* of memory that has no accessor there */
  syclze_accessor one = syclze_require(&group, w->buffers[1], SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(one), &pattern, sizeof pattern, ITEMS * sizeof pattern, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(mixed), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(in_order, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(in_order);
  one = syclze_require(&group, w->buffers[1], SYCLZE_ACCESS_READ);
  syclze_accessor two = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy(
               &group, syclze_mem_arg(two), syclze_mem_arg(one), ITEMS * sizeof(uint32_t), NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, in_order, 0, 2, 3, 5, none, NULL), ZE_RESULT_SUCCESS);
  return graph;
}

/* Runs the graph. Returns the contents of memory after the runs, as a sum of all items by place. */
static uint64_t run(struct world *w, syclze_executable_graph executable, syclze_queue queue) {
  uint64_t sum = 0;
  for (int i = 0; i < 3; i++)
    memset(w->memory[i], i, ITEMS * sizeof(uint32_t));
  for (int i = 0; i < 6; i++) {
    syclze_event event;
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, i % 3 == 2 ? &event : NULL),
        ZE_RESULT_SUCCESS);
    if (i % 3 != 2) continue;
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++)
    for (uint32_t j = 0; j < ITEMS; j++)
      sum = sum * 31 + w->memory[i][j];
  return sum;
}

TEST(a_captured_graph_does_what_its_closed_list_does) { // shows graphs 26
  struct world w = begin_captures();
  syclze_executable_graph closed, taken;
  CHECK_EQ(finalize(false, record_all(&w), &closed), ZE_RESULT_SUCCESS);
  CHECK_EQ(captured.calls, 0);
  CHECK_EQ(finalize(true, record_all(&w), &taken), ZE_RESULT_SUCCESS);
  CHECK_EQ(captured.graphs, 1);
  CHECK_EQ(captured.objects, 2);
  const uint64_t expected = run(&w, closed, w.all.queues[IN_ORDER]);
  CHECK_EQ(w.memory[1][0], 9);
  CHECK_EQ(w.memory[2][ITEMS - 1], 9);
  CHECK_EQ(captured.appends, 0);
  for (int i = 0; i < GRAPH_QUEUES; i++)
    CHECK_EQ(run(&w, taken, w.all.queues[i]), expected);
  /* The driver's graph runs on the in-order queues of the library, the list on the others. */
  CHECK(captured.appends >= 6);
  CHECK_EQ(captured.appends % 6, 0);
  CHECK(append_lists.calls >= 6);
  CHECK_EQ(syclze_executable_graph_release(closed), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(taken), ZE_RESULT_SUCCESS);
  end_captures(&w);
}

/* The queue that owns the graph changes between lists that suit and lists that do not. */
TEST(the_drivers_graph_goes_to_lists_like_the_captured_one_only) { // shows graphs 26
  struct world w = begin_captures();
  const syclze_property_list low = {
      .flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW};
  syclze_queue suits = w.all.queues[IN_ORDER], other;
  syclze_executable_graph taken;
  CHECK_EQ(syclze_queue_create(w.all.context, w.all.device, &low, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(finalize(true, record_all(&w), &taken), ZE_RESULT_SUCCESS);
  for (unsigned i = 0; i < 4; i++) {
    const unsigned graphs = captured.appends, lists = append_lists.calls;
    for (int j = 0; j < 3; j++)
      CHECK_EQ(
          syclze_queue_submit_graph(i % 2 != 0 ? suits : other, taken, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(captured.appends - graphs, i % 2 != 0 ? 3 : 0);
    CHECK_EQ(append_lists.calls - lists, i % 2 != 0 ? 0 : 3);
  }
  CHECK_EQ(syclze_queue_wait(suits), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(taken), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(other), ZE_RESULT_SUCCESS);
  end_captures(&w);
}

static ze_result_t count_task(syclze_interop_handle handle, void *argument) {
  (void)handle;
  ++*(unsigned *)argument;
  return ZE_RESULT_SUCCESS;
}

TEST(a_captured_graph_has_the_times_of_its_runs) { // shows graphs 26
  struct world w = begin_captures();
  const syclze_property_list timed = {
      .flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING};
  syclze_queue queue;
  syclze_executable_graph taken;
  syclze_graph graph = record_all(&w);
  const unsigned lists = append_lists.calls;
  uint64_t start, stop = 0;
  CHECK_EQ(syclze_queue_create(w.all.context, w.all.device, &timed, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize_captured(graph, SYCLZE_GRAPH_PROFILING, &taken), 0);
  for (unsigned i = 1; i <= 3; i++) {
    const uint64_t before = stop;
    syclze_event event;
    CHECK_EQ(syclze_queue_submit_graph(queue, taken, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(captured.appends, i);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling(event, w.all.device, &start, &stop), ZE_RESULT_SUCCESS);
    CHECK(before <= start && start < stop);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(append_lists.calls, lists);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(taken), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  end_captures(&w);
}

/* Commands that a driver cannot capture, or would call twice, use a closed list. */
TEST(graphs_with_host_tasks_and_native_commands_are_not_captured) { // shows graphs 26
  struct world w = begin_captures();
  syclze_queue queue = w.all.queues[IN_ORDER];
  for (int is_native = 0; is_native < 2; is_native++) {
    unsigned calls = 0;
    syclze_executable_graph executable;
    syclze_graph graph = graph_of(&w);
    memset(w.memory[0], 0, ITEMS * sizeof(uint32_t));
    CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(is_native ? syclze_group_native_command(&group, count_task, &calls, NULL)
                       : syclze_group_host_task(&group, count_task, &calls, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(finalize(true, graph, &executable), ZE_RESULT_SUCCESS);
    CHECK_EQ(captured.calls, 0);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_all(w.memory[0], 1);
    CHECK_EQ(calls, 1);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  }
  end_captures(&w);
}

TEST(a_finalization_that_is_refused_captures_nothing) { // shows graphs 26
  static const char function[] = "syclze_graph_finalize_captured";
  struct world w = begin_captures();
  const ze_context_handle_t context = syclze_get_native(w.all.context);
  syclze_graph graph = graph_of(&w);
  syclze_executable_graph executable;
  REFUSED(executable, syclze_graph_finalize_captured(graph, SYCLZE_GRAPH_UPDATABLE, &executable),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, function, "flags", context);
  REFUSED(executable, syclze_graph_finalize_captured((syclze_graph){NULL}, 0, &executable),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "graph is null", NULL);
  FAILED(syclze_graph_finalize_captured(graph, 0, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      function, "pointer is null", NULL);
  CHECK_EQ(captured.calls, 0);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end_captures(&w);
}

/* Each call of a capture and of two submissions fails: an error, nothing left, and it succeeds
   afterwards. */
// shows graphs 26
TEST(every_call_of_a_capture_may_fail) {
  enum { CREATION = 4 }; /* calls */
  struct world w = begin_captures();
  syclze_queue queue = w.all.queues[IN_ORDER];
  const unsigned lists = spy_alive(SPY_LIST);
  for (unsigned n = 1; n <= CREATION + 2; n++) {
    syclze_executable_graph executable;
    captured.calls = 0;
    captured.fails_at = n;
    const ze_result_t result = finalize(true, record_all(&w), &executable);
    if (n <= CREATION) {
      CHECK_EQ(result, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      CHECK(executable.rep == NULL);
      CHECK_EQ(captured.objects, 0);
      CHECK_EQ(spy_alive(SPY_LIST), lists);
      continue;
    }
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    for (unsigned i = 1; i <= 2; i++)
      CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL),
          n == CREATION + i ? ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET : ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[2][0], 9);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    while (__atomic_load_n(&captured.objects, __ATOMIC_RELAXED) != 0)
      sched_yield();
  }
  end_captures(&w);
}

TEST_MAIN(a_captured_graph_does_what_its_closed_list_does,
    the_drivers_graph_goes_to_lists_like_the_captured_one_only,
    a_captured_graph_has_the_times_of_its_runs,
    graphs_with_host_tasks_and_native_commands_are_not_captured,
    a_finalization_that_is_refused_captures_nothing, every_call_of_a_capture_may_fail)
