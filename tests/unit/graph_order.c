/* What orders the nodes and the runs of a graph, by the driver's calls on the fake: in-order lists
   for chains, barriers and events for others, and the events of a run. */
#include "graph_made.h"

enum { MOST = 7 };

static ze_result_t do_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

/* Commands of a queue, behind the earlier ones of the bits; launches, but for one host task. */
struct shape {
  bool in_order;
  uint32_t count, task; /* the index of the task; `count` for none */
  unsigned after[MOST];
  const char *calls; /* of the finalization */
};

static syclze_graph graph_of(const struct shape *shape) {
  syclze_queue queue = shape->in_order ? made.queue : made.unordered;
  syclze_event events[MOST];
  syclze_graph graph;
  CHECK_OK(syclze_graph_create(world.context, world.device, &graph));
  CHECK_OK(syclze_graph_begin_recording(graph, queue));
  for (uint32_t i = 0; i < shape->count; i++) {
    syclze_group group = syclze_group_begin(queue);
    for (uint32_t j = 0; j < i; j++)
      if ((shape->after[i] >> j & 1) != 0) syclze_group_depends_on(&group, events[j]);
    CHECK_OK(i == shape->task
                 ? syclze_group_host_task(&group, do_nothing, NULL, &events[i])
                 : syclze_launch(&group, made.kernel, &range, &events[i], syclze_arg(one)));
  }
  CHECK_OK(syclze_graph_end_recording(graph, queue));
  for (uint32_t i = 0; i < shape->count; i++)
    CHECK_OK(syclze_event_release(events[i]));
  return graph;
}

/* A chain has neither barriers nor events in its lists, whichever queue has recorded it. */
TEST(nodes_behind_each_other_are_in_lists_that_keep_their_order) { // shows graph_peers 56
  static const struct shape shapes[] = {
      {true, 7, 3, {0},
          "in order list launch launch launch close in order list launch launch "
          "launch close"},
      {false, 6, 6, {0, 1, 2, 4, 8, 16},
          "in order list launch launch launch launch launch launch "
          "close"},
      {false, 4, 4, {0, 1, 1, 6}, "list launch barrier launch launch barrier launch close"},
      {false, 4, 4, {0, 0, 0, 0}, "list launch launch launch launch close"}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    begin(true, true);
    syclze_executable_graph executable;
    syclze_graph graph = graph_of(&shapes[i]);
    CHECK_STR_EQ(noted(), "");
    CHECK_OK(syclze_graph_finalize(graph, 0, &executable));
    CHECK_STR_EQ(noted(), shapes[i].calls);
    CHECK_OK(syclze_graph_release(graph));
    CHECK_OK(syclze_executable_graph_release(executable));
    end();
  }
}

/* On an in-order queue: none, that of the caller, and one that keeps the event which it waits for.
 */
TEST(a_run_has_the_events_that_it_needs_and_no_others) { // shows graph_peers 32
  static const struct shape shape = {true, 3, 3, {0}, ""};
  enum { RUNS = 5 };
  begin(true, true);
  syclze_executable_graph executable;
  syclze_event event, other;
  syclze_graph graph = graph_of(&shape);
  CHECK_OK(syclze_graph_finalize(graph, 0, &executable));
  syclze_group group = syclze_group_begin(made.unordered);
  CHECK_OK(syclze_launch(&group, made.kernel, &range, &other, syclze_arg(one)));
  noted();
  for (int i = 0; i < 3 * RUNS; i++) {
    const bool has_event = i % 3 == 1, waits = i % 3 == 2;
    CHECK_OK(syclze_queue_submit_graph_after(
        made.queue, executable, &other, waits, has_event ? &event : NULL));
    CHECK_STR_EQ(noted(), "lists");
    CHECK_EQ(driver.signals, has_event || waits);
    CHECK_EQ(driver.waits, waits);
    if (has_event) CHECK_OK(syclze_event_release(event));
  }
  CHECK_OK(syclze_event_release(other));
  CHECK_OK(syclze_queue_wait(made.queue));
  CHECK_OK(syclze_graph_release(graph));
  CHECK_OK(syclze_executable_graph_release(executable));
  end();
}

TEST_MAIN(nodes_behind_each_other_are_in_lists_that_keep_their_order,
    a_run_has_the_events_that_it_needs_and_no_others)
