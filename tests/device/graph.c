/* Graphs: command groups that are recorded, made executable, and submitted many times.
   The kernels are those of tests/kernels/graph.spv. */
#include "support/recorded.h"
#include "support/refused.h"

/* A chain of three kernels, whose order shows in the result: x -> ((x * 2 + 1) * 3 + 2) * 5 + 7. */
static syclze_executable_graph chain(struct world *w, syclze_queue queue, bool appends) {
  syclze_graph graph = graph_of(w);
  CHECK(!syclze_queue_is_recording(queue));
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK(syclze_queue_is_recording(queue));
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 3, 2, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 5, 7, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), 3);
  return finalized(graph, appends);
}

static uint32_t chained(uint32_t x, uint32_t times) {
  for (uint32_t i = 0; i < times; i++)
    x = ((x * 2 + 1) * 3 + 2) * 5 + 7;
  return x;
}

static void replay_kernels(struct world *w, bool appends) {
  static const int queues[] = {IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE};
  uint32_t times = 0;
  syclze_executable_graph executable = chain(w, w->all.queues[IN_ORDER], appends);
  check_all(w->memory[0], 0); /* nothing has run */
  for (int q = 0; q < 3; q++) {
    syclze_queue queue = w->all.queues[queues[q]];
    syclze_event event;
    for (int i = 0; i < 5; i++, times++)
      CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, &event), ZE_RESULT_SUCCESS);
    times++;
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], chained(0, times));
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    times++;
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], chained(0, times));
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

// shows graph_peers 1 10 19 22
TEST(kernels_of_an_in_order_queue_run_again_on_any_queue) { // shows graphs 1
  in_each_way(replay_kernels);
}

static void follow(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_executable_graph executable = chain(w, queue, appends);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 20; i++) {
    CHECK_EQ(mix_memory(w, queue, 0, 1, 3, i, none, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    expected = chained(expected * 3 + i, 1);
  }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], expected);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_graph_keeps_its_place_in_an_in_order_queue) { // shows graphs 2, graph_peers 31
  in_each_way(follow);
}

static ze_result_t wait_for_gate(syclze_interop_handle handle, void *argument) {
  (void)handle;
  return zeEventHostSynchronize(*(ze_event_handle_t *)argument, UINT64_MAX);
}

/* Host task, kernel, graph, kernel: none of them may begin before the task, which ends last of what
   is submitted. The second kernel waits for the graph, the graph for the first. */
static void stand_behind_a_host_task(struct world *w, bool appends) {
  static const int queues[] = {IN_ORDER, OUT_OF_ORDER};
  uint32_t expected = 0;
  syclze_executable_graph executable = chain(w, w->all.queues[IN_ORDER], appends);
  syclze_event gate, events[3];
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  ze_event_handle_t native = syclze_get_native(gate);
  for (int q = 0; q < 2; q++) {
    syclze_queue queue = w->all.queues[queues[q]];
    CHECK_EQ(zeEventHostReset(native), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, wait_for_gate, &native, &events[0]), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 3, 4, events[0], &events[1]), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queue);
    syclze_group_depends_on(&group, events[1]);
    CHECK_EQ(syclze_group_execute_graph(&group, executable, &events[2]), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 5, 6, events[2], NULL), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], expected);
    CHECK_EQ(zeEventHostSignal(native), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    expected = chained(expected * 3 + 4, 1) * 5 + 6;
    check_all(w->memory[0], expected);
    for (int i = 0; i < 3; i++)
      CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_graph_behind_a_pending_host_task_keeps_its_place) { // shows graphs 2
  in_each_way(stand_behind_a_host_task);
}

/* The queues are out of order: only the graph orders its runs. */
static void take_turns(struct world *w, bool appends) {
  syclze_executable_graph executable = chain(w, w->all.queues[IN_ORDER], appends);
  for (uint32_t i = 0; i < 30; i++)
    CHECK_EQ(syclze_queue_submit_graph(w->all.queues[i % GRAPH_QUEUES], executable, NULL),
        ZE_RESULT_SUCCESS);
  for (int i = 0; i < GRAPH_QUEUES; i++)
    CHECK_EQ(syclze_queue_wait(w->all.queues[i]), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], chained(0, 30));
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(one_run_of_a_graph_waits_for_the_last_whatever_the_queue) { // shows graphs 2, graph_peers 31
  in_each_way(take_turns);
}

/* The graph waits for both events: for the kernels of two queues. */
static void submit_behind_events(struct world *w, bool appends) {
  uint32_t expected = 0;
  syclze_executable_graph executable = chain(w, w->all.queues[IN_ORDER], appends);
  syclze_event gate, events[3] = {{NULL}, {NULL}, {NULL}};
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  ze_event_handle_t native = syclze_get_native(gate);
  for (int q = 0; q < GRAPH_QUEUES; q++) {
    syclze_queue queue = w->all.queues[q];
    syclze_event done;
    CHECK_EQ(zeEventHostReset(native), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(w->all.queues[OUT_OF_ORDER]);
    CHECK_EQ(syclze_group_host_task(&group, wait_for_gate, &native, &events[0]), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, w->all.queues[OUT_OF_ORDER], 0, 1, 3, 4, events[0], &events[2]),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph_after(queue, executable, events, 3, &done),
        ZE_RESULT_SUCCESS); /* the second one is null */
    check_all(w->memory[0], expected);
    CHECK_EQ(zeEventHostSignal(native), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    expected = chained(expected * 3 + 4, 1);
    check_all(w->memory[0], expected);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(events[0]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(events[2]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w->all.queues[OUT_OF_ORDER]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_submit_graph_after(w->all.queues[0], executable, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  FAILED(syclze_queue_submit_graph_after(w->all.queues[0], executable, NULL, 1, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_group_execute_graph", "list of events",
      syclze_get_native(w->all.queues[0]).list);
  CHECK_EQ(syclze_queue_wait(w->all.queues[0]), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], chained(expected, 1));
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_graph_waits_for_a_list_of_events) { // shows graphs 3, graph_peers 31
  in_each_way(submit_behind_events);
}

static void release_early(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_executable_graph executable = chain(w, w->all.queues[IN_ORDER], appends);
  for (int i = 0; i < 8; i++)
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], chained(0, 8));
  await_unused(w->all.mix);
}

// shows graph_peers 33
TEST(a_graph_that_is_released_while_it_runs_ends_when_it_has_run) { // shows graphs 15
  in_each_way(release_early);
}

TEST_MAIN(kernels_of_an_in_order_queue_run_again_on_any_queue,
    a_graph_keeps_its_place_in_an_in_order_queue,
    a_graph_behind_a_pending_host_task_keeps_its_place,
    one_run_of_a_graph_waits_for_the_last_whatever_the_queue, a_graph_waits_for_a_list_of_events,
    a_graph_that_is_released_while_it_runs_ends_when_it_has_run)
