/* Queues that begin to record because a group depends on a recorded one. The kernels are those of
   tests/kernels/graph.spv. */
#include "support/failing.h"

#include "support/failing_each.h"
#include "support/recorded.h"
#include "support/refused.h"

#include "syclze/command/copy_3d.h"
#include "syclze/command/graph_nodes.h"

/* Groups that depend on an event. */
enum action { LAUNCH, FILL, TASK, NATIVE, BARRIER, EXECUTE, GRAPH, ACTIONS };

static ze_result_t count_call(syclze_interop_handle handle, void *argument) {
  (void)handle;
  ++*(uint32_t *)argument;
  return ZE_RESULT_SUCCESS;
}

struct inner {
  syclze_graph graph;
  syclze_executable_graph executable;
  uint32_t calls;
};

static ze_result_t submit(struct world *w, syclze_queue queue, enum action action,
    struct inner *inner, const syclze_event *before, uint32_t count, syclze_event *event) {
  const uint32_t one = 1, two = 2, three = 3;
  syclze_group group = syclze_group_begin(queue);
  for (uint32_t i = 0; i < count; i++)
    syclze_group_depends_on(&group, before[i]);
  switch (action) {
  case LAUNCH:
    return syclze_launch(&group, w->all.mix, &items, event, syclze_arg(w->memory[0]),
        syclze_arg(w->memory[1]), syclze_arg(two), syclze_arg(one));
  case FILL:
    return syclze_group_fill(
        &group, syclze_mem_arg(w->memory[0]), &three, sizeof three, ITEMS * sizeof three, event);
  case TASK:
    return syclze_group_host_task(&group, count_call, &inner->calls, event);
  case NATIVE:
    return syclze_group_native_command(&group, count_call, &inner->calls, event);
  case BARRIER:
    return syclze_group_barrier(&group, event);
  case EXECUTE:
    return syclze_group_execute_graph(&group, inner->executable, event);
  case GRAPH:
    return syclze_group_record_graph(&group, inner->graph, event);
  case ACTIONS:
    break;
  }
  return ZE_RESULT_ERROR_UNKNOWN;
}

static struct inner inner_of(struct world *w) {
  struct inner inner = {.calls = 0};
  syclze_queue queue = w->all.queues[IN_ORDER];
  inner.graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(inner.graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 5, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(inner.graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(inner.graph, 0, &inner.executable), ZE_RESULT_SUCCESS);
  return inner;
}

static void release(const struct inner *inner) {
  CHECK_EQ(syclze_executable_graph_release(inner->executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(inner->graph), ZE_RESULT_SUCCESS);
}

/* Each group has the queue, of each kind and used before or not, record; the nodes follow each
   other, and the queue executes again once the recording ends. */
static void join(struct world *w, bool appends) {
  struct inner inner = inner_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  for (int i = 0; i < ACTIONS * GRAPH_QUEUES; i++) {
    const enum action action = (enum action)(i / GRAPH_QUEUES);
    syclze_queue next = w->all.queues[i % GRAPH_QUEUES], fresh;
    syclze_event events[3];
    uint32_t nodes[2], count = 2;
    if (next.rep == queue.rep) {
      CHECK_EQ(syclze_queue_create(w->all.context, w->all.device, NULL, &fresh), ZE_RESULT_SUCCESS);
      next = fresh;
    } else
      CHECK_EQ(syclze_queue_retain(next), ZE_RESULT_SUCCESS);
    syclze_graph graph = graph_of(w);
    memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
    CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, &events[0]), ZE_RESULT_SUCCESS);
    CHECK(!syclze_queue_is_recording(next));
    CHECK_EQ(submit(w, next, action, &inner, events, 1, &events[1]), ZE_RESULT_SUCCESS);
    CHECK(syclze_queue_is_recording(next));
    CHECK_EQ(mix_memory(w, next, 0, 1, 10, 1, events[1], &events[2]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_get_node_count(graph), 3);
    for (uint32_t node = 1; node < 3; node++) {
      CHECK_EQ(syclze_graph_get_predecessors(graph, node, &count, nodes), ZE_RESULT_SUCCESS);
      CHECK_EQ(count, 1);
      CHECK_EQ(nodes[0], node - 1);
    }
    syclze_executable_graph executable = finalized(graph, appends); /* ends all */
    CHECK(!syclze_queue_is_recording(next));
    CHECK(!syclze_queue_is_recording(queue));
    CHECK_EQ(syclze_queue_submit_graph(next, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(next), ZE_RESULT_SUCCESS);
    static const uint32_t after[ACTIONS] = {3, 3, 1, 1, 1, 6, 6};
    check_all(w->memory[0], after[action] * 10 + 1);
    for (int e = 0; e < 3; e++)
      CHECK_EQ(syclze_release(events[e]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(next), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(inner.calls, 2 * GRAPH_QUEUES);
  release(&inner);
}

TEST(a_group_behind_a_recorded_one_has_its_queue_record) { // shows graphs 10, graph_peers 27
  in_each_way(join);
}

static ze_result_t add_barrier(syclze_group *group, void *event) {
  return syclze_group_barrier(group, event);
}

/* The first two events are of nodes that no queue records: of one that was added, and of a queue
   that has ended its recording. A group that depends on those alone is refused. */
static void join_by_last(struct world *w, bool appends) {
  struct inner inner = inner_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER], ended = w->all.queues[OUT_OF_ORDER];
  syclze_queue next = w->all.queues[OUT_OF_ORDER + 1];
  const void *native = syclze_get_native(next).list;
  static const char *const functions[ACTIONS] = {"syclze_group_launch", "syclze_group_fill",
      "syclze_group_host_task", "syclze_group_native_command", "syclze_group_barrier",
      "syclze_group_execute_graph", "syclze_group_record_graph"};
  for (int i = 0; i < ACTIONS; i++) {
    const enum action action = (enum action)i;
    syclze_graph graph = graph_of(w);
    syclze_event events[4];
    uint32_t nodes[4], count = 4;
    CHECK_EQ(
        syclze_graph_add_node(graph, add_barrier, &events[0], NULL, 0, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_begin_recording(graph, ended), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_barrier(ended, &events[1]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_end_recording(graph, ended), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, &events[2]), ZE_RESULT_SUCCESS);
    REFUSED(events[3], submit(w, next, action, &inner, events, 2, &events[3]),
        SYCLZE_RESULT_ERROR_INVALID, functions[i], "graph", native);
    CHECK(!syclze_queue_is_recording(next));
    CHECK_EQ(submit(w, next, action, &inner, events, 3, &events[3]), ZE_RESULT_SUCCESS);
    CHECK(syclze_queue_is_recording(next));
    CHECK_EQ(syclze_graph_get_predecessors(graph, 3, &count, nodes), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 3);
    syclze_executable_graph executable = finalized(graph, appends);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    for (int e = 0; e < 4; e++)
      CHECK_EQ(syclze_release(events[e]), ZE_RESULT_SUCCESS);
  }
  release(&inner);
}

TEST(a_queue_joins_by_any_event_of_a_group) { // shows graphs 10
  in_each_way(join_by_last);
}

static ze_result_t launch(syclze_group *group, void *argument) {
  struct world *w = argument;
  const uint32_t one = 1;
  return syclze_launch(group, w->all.set, &items, (syclze_event *)NULL, syclze_arg(w->memory[0]),
      syclze_arg(one), syclze_arg(one));
}

/* Not once the recording has ended, nor into a graph that is gone, nor in another context; and a
   queue that joined goes on when the one it followed ends. */
TEST(a_queue_joins_no_recording_that_has_ended) { // shows graphs 10
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER], next = w.all.queues[OUT_OF_ORDER], foreign;
  syclze_device device = w.all.device;
  syclze_context context;
  const syclze_context_input input = {given_context(&w.g), &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_graph graph = graph_of(&w);
  syclze_event inside, event;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_node(graph, launch, &w, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &inside), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(foreign);
  syclze_group_depends_on(&group, inside);
  REFUSED(event, syclze_group_barrier(&group, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_barrier", "later groups of that graph", syclze_get_native(foreign).list);
  CHECK(!syclze_queue_is_recording(foreign));
  CHECK_EQ(mix_memory(&w, next, 0, 1, 2, 1, inside, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK(syclze_queue_is_recording(next));
  /* The event is of the queue that still records, which this queue joins. */
  CHECK_EQ(mix_memory(&w, w.all.queues[COMMAND_QUEUE], 0, 1, 2, 1, event, NULL), ZE_RESULT_SUCCESS);
  CHECK(syclze_queue_is_recording(w.all.queues[COMMAND_QUEUE]));
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, next), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS); /* ends the last recording */
  CHECK(!syclze_queue_is_recording(w.all.queues[COMMAND_QUEUE]));
  REFUSED(event, mix_memory(&w, next, 0, 1, 2, 1, inside, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_launch", "later groups of that graph", syclze_get_native(next).list);
  CHECK(!syclze_queue_is_recording(next));
  CHECK_EQ(syclze_release(inside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Refused groups end the recording that they began, and no other. */
TEST(a_group_that_is_refused_leaves_its_queue_as_it_was) { // shows graphs 10
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER], next = w.all.queues[OUT_OF_ORDER];
  const void *native = syclze_get_native(next).list;
  const size_t extent[3] = {32, 4, 1};
  const uint32_t nine = 9;
  syclze_event inside, event;
  syclze_graph graph = graph_of(&w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &inside), ZE_RESULT_SUCCESS);
  for (uint32_t nodes = 1; nodes < 3; nodes++) {
    REFUSED(event,
        syclze_queue_copy_2d(next, w.memory[0], 64, w.memory[1], 64, 32, 4, &inside, 1, &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_copy_2d", "not be recorded", native);
    CHECK_EQ(syclze_queue_is_recording(next), nodes > 1);
    REFUSED(event,
        syclze_queue_fill_2d(next, w.memory[0], 64, &nine, sizeof nine, 32, 4, &inside, 1, &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_fill_2d", "not be recorded", native);
    REFUSED(event,
        syclze_queue_copy_3d(
            next, w.memory[0], NULL, w.memory[1], NULL, extent, &inside, 1, &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_copy_3d", "not be recorded", native);
    CHECK_EQ(syclze_graph_get_node_count(graph), nodes);
    CHECK_EQ(syclze_queue_is_recording(next), nodes > 1);
    if (nodes == 1)
      CHECK_EQ(mix_memory(&w, next, 0, 1, 2, 1, inside, NULL), ZE_RESULT_SUCCESS); /* joins */
  }
  CHECK_EQ(syclze_graph_end_recording(graph, next), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_fill(next, w.memory[0], &nine, sizeof nine, sizeof nine, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(next), ZE_RESULT_SUCCESS);
  CHECK_EQ(w.memory[0][0], nine);
  CHECK_EQ(syclze_graph_begin_recording(graph, next), ZE_RESULT_SUCCESS);
  REFUSED(event,
      syclze_queue_copy_2d(next, w.memory[0], 64, w.memory[1], 64, 32, 4, &inside, 1, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_copy_2d", "not be recorded", native);
  CHECK(syclze_queue_is_recording(next));
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(inside), ZE_RESULT_SUCCESS);
  end(&w);
}

/* A host task on a buffer that nothing has accessed. */
static ze_result_t require_buffer(
    struct world *w, syclze_queue queue, struct inner *inner, syclze_event before) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ);
  return syclze_group_host_task(&group, count_call, &inner->calls, NULL);
}

/* A group without memory leaves its queue, which nothing has used before the first, as it was. */
static bool attempt(long nth, bool of_calls) {
  struct world w = begin();
  struct inner inner = inner_of(&w);
  syclze_queue queue = w.all.queues[IN_ORDER], next = w.all.queues[OUT_OF_ORDER];
  syclze_event inside, event;
  syclze_graph graph = graph_of(&w);
  bool failed = false;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &inside), ZE_RESULT_SUCCESS);
  for (int i = 0; i <= ACTIONS; i++) {
    event.rep = NULL;
    failing_nth(nth, of_calls);
    const ze_result_t result = i < ACTIONS
                                   ? submit(&w, next, (enum action)i, &inner, &inside, 1, &event)
                                   : require_buffer(&w, next, &inner, inside);
    failed = failing_nth_end(of_calls, w.g.context) || failed;
    CHECK_EQ(syclze_queue_is_recording(next), result == ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_end_recording(graph, next), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(inside), ZE_RESULT_SUCCESS);
  release(&inner);
  end(&w);
  return failed;
}

TEST(a_group_without_memory_leaves_its_queue_as_it_was) { // shows graphs 10 29
  given_needs_execution();
  CHECK(failing_each(attempt, false) >= 5);
}

TEST_MAIN(a_group_without_memory_leaves_its_queue_as_it_was,
    a_group_behind_a_recorded_one_has_its_queue_record, a_queue_joins_by_any_event_of_a_group,
    a_queue_joins_no_recording_that_has_ended, a_group_that_is_refused_leaves_its_queue_as_it_was)
