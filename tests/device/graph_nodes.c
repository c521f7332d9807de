/* Graphs of every kind of command group, and what orders their nodes.
   The kernels are those of tests/kernels/graph.spv. */
#include "support/graph.h"
#include "support/recorded.h"
#include "support/refused.h"

#include <time.h>

/* out = out * factor + in + addend, on buffers. */
static ze_result_t mix(struct world *w, syclze_queue queue, int out, int in, uint32_t factor,
    uint32_t addend, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor y = syclze_require(&group, w->buffers[out], SYCLZE_ACCESS_READ_WRITE);
  syclze_accessor x = syclze_require(&group, w->buffers[in], SYCLZE_ACCESS_READ);
  return syclze_launch(&group, w->all.mix, &items, event, syclze_arg(y), syclze_arg(x),
      syclze_arg(factor), syclze_arg(addend));
}

static void run(struct world *w, syclze_executable_graph executable, uint32_t times) {
  for (uint32_t i = 0; i < times; i++)
    CHECK_EQ(syclze_queue_submit_graph(w->all.queues[i % GRAPH_QUEUES], executable, NULL),
        ZE_RESULT_SUCCESS);
  for (int i = 0; i < GRAPH_QUEUES; i++)
    CHECK_EQ(syclze_queue_wait(w->all.queues[i]), ZE_RESULT_SUCCESS);
}

/* Two out-of-order queues and a command queue record: x = x * 2 + y; y = y * 3 + x; x = x * 5 + y
 */
static void exchange(struct world *w, bool appends) {
  syclze_graph graph = graph_of(w);
  syclze_queue *q = w->all.queues;
  uint32_t x = 1, y = 2;
  for (int i = 2; i < 5; i++)
    CHECK_EQ(syclze_graph_begin_recording(graph, q[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, q[2], 0, 1, 2, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, q[3], 1, 0, 3, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, q[4], 0, 1, 5, 0, NULL), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph, appends);
  for (uint32_t i = 0; i < ITEMS; i++)
    w->memory[0][i] = x, w->memory[1][i] = y;
  /* Before and behind the graph, by accessors alone. */
  CHECK_EQ(mix(w, q[2], 1, 0, 7, 1, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(q[3], executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, q[0], 0, 1, 11, 3, NULL), ZE_RESULT_SUCCESS);
  run(w, executable, 7);
  y = y * 7 + x + 1;
  for (int i = 0; i < 8; i++) {
    x = x * 2 + y, y = y * 3 + x, x = x * 5 + y;
    if (i == 0) x = x * 11 + y + 3;
  }
  check_all(w->memory[0], x);
  check_all(w->memory[1], y);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

// shows graph_peers 2 18
TEST(accessors_order_nodes_and_graphs_with_what_is_around_them) { // shows graphs 2
  in_each_way(exchange);
}

/* Events across two queues, a barrier, a fill and a copy, all on memory of which nothing is known.
 */
static void mixed(struct world *w, bool appends) {
  syclze_graph graph = graph_of(w);
  syclze_queue a = w->all.queues[2], b = w->all.queues[3];
  const uint32_t nine = 9;
  syclze_event events[3];
  CHECK_EQ(syclze_graph_begin_recording(graph, a), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, b), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(a);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(w->memory[1]), &nine, sizeof nine,
               ITEMS * sizeof nine, &events[0]),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, b, 0, 1, 2, 1, events[0], &events[1]), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(a);
  syclze_group_depends_on(&group, events[1]);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(w->memory[2]), syclze_mem_arg(w->memory[0]),
               ITEMS * sizeof(uint32_t), &events[2]),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(a, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, a, 2, 1, 3, 0, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), 5);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph, appends);
  run(w, executable, 11);
  uint32_t x = 0;
  for (int i = 0; i < 11; i++)
    x = x * 2 + 9 + 1;
  check_all(w->memory[0], x);
  check_all(w->memory[1], 9);
  check_all(w->memory[2], x * 3 + 9);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(events_barriers_fills_and_copies_are_recorded) { // shows graphs 11, graph_peers 6 8 17 18
  in_each_way(mixed);
}

struct task {
  struct world *w;
  syclze_accessor accessor;
  uint32_t calls, factor;
};

/* Behind the device's work on the memory, and before later work: an unordered one would be seen. */
static ze_result_t multiply(syclze_interop_handle handle, void *argument) {
  struct task *task = argument;
  void *memory;
  CHECK_EQ(syclze_get_native_mem(handle, task->accessor, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(memory, task->w->memory[0]);
  nanosleep(&(struct timespec){0, 1000000}, NULL);
  for (uint32_t i = 0; i < ITEMS; i++)
    task->w->memory[0][i] = task->w->memory[0][i] * task->factor + 1;
  task->calls++;
  return ZE_RESULT_SUCCESS;
}

static void record_task(struct task *task, syclze_queue queue) {
  syclze_group group = syclze_group_begin(queue);
  task->accessor = syclze_require(&group, task->w->buffers[0], SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_host_task(&group, multiply, task, NULL), ZE_RESULT_SUCCESS);
}

static void with_tasks(struct world *w, bool appends) {
  struct task tasks[3] = {{.w = w, .factor = 3}, {.w = w, .factor = 5}, {.w = w, .factor = 7}};
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  (void)appends; /* their lists are executed by the graph's own command queue */
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  record_task(&tasks[0], queue);
  CHECK_EQ(mix(w, queue, 0, 1, 2, 1, NULL), ZE_RESULT_SUCCESS);
  record_task(&tasks[1], queue);
  CHECK_EQ(mix(w, queue, 0, 1, 11, 4, NULL), ZE_RESULT_SUCCESS);
  record_task(&tasks[2], queue);
  syclze_executable_graph executable = finalized(graph, false);
  CHECK_EQ(mix(w, queue, 0, 1, 13, 4, NULL), ZE_RESULT_SUCCESS);
  run(w, executable, 6);
  uint32_t x = 4;
  for (int i = 0; i < 6; i++)
    x = (((x * 3 + 1) * 2 + 1) * 5 + 1) * 11 + 4, x = x * 7 + 1;
  check_all(w->memory[0], x);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(tasks[i].calls, 6);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

// shows graphs 14, graph_peers 11 12
TEST(host_tasks_run_between_the_nodes_that_they_depend_on_and_that_depend_on_them) {
  in_each_way(with_tasks);
}

/* A host task that waits for the event by naming it, or by a command that it leaves in its queue.
 */
struct unfinished {
  ze_event_handle_t event;
  bool leaves, is_behind;
};

static ze_result_t finish_later(syclze_interop_handle handle, void *argument) {
  struct unfinished *task = argument;
  syclze_native_queue native;
  if (!task->leaves) return syclze_interop_handle_add_event(handle, task->event);
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &native), ZE_RESULT_SUCCESS);
  return zeCommandListAppendWaitOnEvents(native.list, 1, &task->event);
}

static ze_result_t check_event(syclze_interop_handle handle, void *argument) {
  struct unfinished *task = argument;
  (void)handle;
  task->is_behind = zeEventQueryStatus(task->event) == ZE_RESULT_SUCCESS;
  return ZE_RESULT_SUCCESS;
}

static void behind_unfinished(struct world *w, bool appends) {
  struct unfinished task = {NULL, false, false};
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_event gate;
  (void)appends;
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  task.event = syclze_get_native(gate);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, finish_later, &task, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 1, 1, none, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, check_event, &task, NULL), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph, false);
  for (int i = 0; i <= GRAPH_QUEUES; i++) {
    task.leaves = i == GRAPH_QUEUES;
    queue = w->all.queues[task.leaves ? IN_ORDER : i];
    CHECK_EQ(zeEventHostReset(task.event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    nanosleep(&(struct timespec){0, 10000000}, NULL);
    CHECK_EQ(w->memory[0][0], i);
    CHECK_EQ(zeEventHostSignal(task.event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK(task.is_behind);
    check_all(w->memory[0], (uint32_t)i + 1);
  }
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(nodes_are_behind_what_a_host_task_names_and_leaves) { // shows graphs 14
  in_each_way(behind_unfinished);
}

static ze_result_t signal_event(syclze_interop_handle handle, void *argument) {
  (void)handle;
  return zeEventHostSignal(((struct unfinished *)argument)->event);
}

/* More runs than the library has threads wait for events that host tasks signal. */
TEST(runs_that_wait_leave_threads_to_what_they_wait_for) { // shows graphs 14
  enum { RUNS = 10 };
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  struct world w = begin();
  struct unfinished tasks[RUNS] = {{NULL, false, false}};
  syclze_queue queues[RUNS];
  syclze_event gates[RUNS];
  for (int i = 0; i < RUNS; i++) {
    CHECK_EQ(syclze_event_create(w.all.context, 0, &gates[i]), ZE_RESULT_SUCCESS);
    tasks[i].event = syclze_get_native(gates[i]);
    CHECK_EQ(zeEventHostReset(tasks[i].event), ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_queue_create(w.all.context, w.all.device, &in_order, &queues[i]), ZE_RESULT_SUCCESS);
    syclze_graph graph = graph_of(&w);
    CHECK_EQ(syclze_graph_begin_recording(graph, queues[i]), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(queues[i]);
    CHECK_EQ(syclze_group_host_task(&group, finish_later, &tasks[i], NULL), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queues[i]);
    CHECK_EQ(syclze_group_host_task(&group, check_event, &tasks[i], NULL), ZE_RESULT_SUCCESS);
    syclze_executable_graph executable = finalized(graph, false);
    CHECK_EQ(syclze_queue_submit_graph(queues[i], executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  }
  nanosleep(&(struct timespec){0, 100000000}, NULL);
  for (int i = 0; i < RUNS; i++) {
    syclze_group group = syclze_group_begin(w.all.queues[OUT_OF_ORDER]);
    CHECK_EQ(syclze_group_host_task(&group, signal_event, &tasks[i], NULL), ZE_RESULT_SUCCESS);
  }
  for (int i = 0; i < RUNS; i++) {
    CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
    CHECK(tasks[i].is_behind);
    CHECK_EQ(syclze_queue_release(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(gates[i]), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

static ze_result_t append(syclze_interop_handle handle, void *argument) {
  struct task *task = argument;
  const uint32_t seven = 7;
  syclze_native_queue native;
  uint32_t count = 1;
  const ze_event_handle_t *waits;
  void *memory;
  task->calls++;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &native), ZE_RESULT_SUCCESS);
  CHECK_EQ(native.kind, SYCLZE_NATIVE_QUEUE_LIST);
  CHECK_EQ(syclze_interop_handle_get_wait_list(handle, &count, &waits), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 0);
  CHECK_EQ(syclze_get_native_mem(handle, task->accessor, &memory), ZE_RESULT_SUCCESS);
  return zeCommandListAppendMemoryFill(
      native.list, memory, &seven, sizeof seven, ITEMS * sizeof seven, NULL, 0, NULL);
}

static void with_native(struct world *w, bool appends) {
  struct task task = {.w = w};
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, queue, 1, 0, 1, 1, NULL), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  task.accessor = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_native_command(&group, append, &task, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, queue, 1, 0, 2, 1, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(task.calls, 0);
  syclze_executable_graph executable = finalized(graph, appends);
  CHECK_EQ(task.calls, 1);
  run(w, executable, 5);
  CHECK_EQ(task.calls, 1);
  uint32_t y = 0, x = 0;
  for (int i = 0; i < 5; i++)
    y = y + x + 1, x = 7, y = y * 2 + x + 1;
  check_all(w->memory[1], y);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_native_commands_function_appends_to_the_graphs_list) { // shows graphs 14, graph_peers 12
  in_each_way(with_native);
}

/* A graph may be recorded to again, and an empty one runs. */
static void grow(struct world *w, bool appends) {
  syclze_graph graph = graph_of(w);
  syclze_executable_graph executables[3];
  syclze_queue queue = w->all.queues[IN_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 3; i++) {
    CHECK_EQ(syclze_graph_finalize(graph, 0, &executables[i]), ZE_RESULT_SUCCESS);
    append_lists_use(executables[i], appends);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 2, i + 1, none, NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS); /* ends the recording */
  CHECK(!syclze_queue_is_recording(queue));
  for (uint32_t i = 0; i < 3; i++)
    run(w, executables[i], 1);
  check_all(w->memory[0], (1 * 2 + 1) * 2 + 2);
  for (uint32_t i = 0; i < 3; i++)
    CHECK_EQ(syclze_executable_graph_release(executables[i]), ZE_RESULT_SUCCESS);
}

TEST(a_graph_is_finalized_more_than_once) { // shows graphs 15, graph_peers 23
  in_each_way(grow);
}

/* Records the nodes of a graph as one node, by each of the two ways. */
static ze_result_t record_graph(syclze_queue queue, syclze_graph graph, bool is_executable) {
  syclze_executable_graph executable;
  if (!is_executable) {
    syclze_group group = syclze_group_begin(queue);
    return syclze_group_record_graph(&group, graph, NULL);
  }
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  const ze_result_t result = syclze_queue_submit_graph(queue, executable, NULL);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  return result;
}

/* ((x * 2 + 1) * 3 + 2) * 5 + 4, three times and all of it twice, in the order of a queue. */
static void nest(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[IN_ORDER], other = w->all.queues[1];
  uint32_t x = 0;
  syclze_graph inner = graph_of(w), outer = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(inner, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 3, 2, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(outer, other), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(record_graph(other, inner, i % 2 != 0), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, other, 0, 1, 5, 4, none, NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_get_node_count(outer), 6);
  /* A later node of the inner graph, which ends first, is none of these. */
  CHECK_EQ(mix_memory(w, queue, 0, 1, 100, 100, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(inner), ZE_RESULT_SUCCESS);
  CHECK_EQ(record_graph(other, outer, false), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(outer), 7);
  syclze_executable_graph executable = finalized(outer, appends);
  run(w, executable, 5);
  for (int i = 0; i < 2 * 3 * 5; i++)
    x = ((x * 2 + 1) * 3 + 2) * 5 + 4;
  check_all(w->memory[0], x);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_graph_is_a_node_of_another) { // shows graphs 18, graph_peers 20
  in_each_way(nest);
}

/* Orders nested graphs by accessors and events alone, on out-of-order queues, with a host task
 * inside. */
static void nest_unordered(struct world *w, bool appends) {
  syclze_queue *q = w->all.queues;
  syclze_graph inner = graph_of(w), outer = graph_of(w);
  struct task task = {.w = w, .factor = 3};
  syclze_executable_graph executable;
  syclze_event event;
  (void)appends; /* there is a host task */
  CHECK_EQ(syclze_graph_begin_recording(inner, q[2]), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, q[2], 0, 1, 2, 1, NULL), ZE_RESULT_SUCCESS);
  record_task(&task, q[2]);
  CHECK_EQ(syclze_graph_end_recording(inner, q[2]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(inner, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(inner), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(outer, q[2]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(outer, q[3]), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, q[3], 0, 1, 1, 4, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(q[2], executable, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix(w, q[3], 2, 0, 1, 0, NULL), ZE_RESULT_SUCCESS); /* behind it, by buffer 0 */
  CHECK_EQ(mix_memory(w, q[3], 1, 0, 0, 0, event, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  executable = finalized(outer, false);
  CHECK_EQ(syclze_queue_submit_graph(q[2], executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(q[2]), ZE_RESULT_SUCCESS);
  CHECK_EQ(task.calls, 1);
  for (int i = 0; i < 3; i++)
    check_all(w->memory[i], (4 * 2 + 1) * 3 + 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(accessors_and_events_order_a_graph_in_a_graph) { // shows graphs 18, graph_peers 20
  in_each_way(nest_unordered);
}

TEST(a_graph_is_recorded_only_where_a_queue_records) { // shows graphs 18
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_graph graph = graph_of(&w);
  syclze_event event;
  syclze_group group = syclze_group_begin(queue);
  REFUSED(event, syclze_group_record_graph(&group, graph, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_record_graph", "does not record", syclze_get_native(queue).list);
  group = syclze_group_begin(queue);
  REFUSED(event, syclze_group_record_graph(&group, (syclze_graph){NULL}, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_group_record_graph", "null",
      syclze_get_native(queue).list);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

/* A kernel writes an image, and another adds its texels to a buffer: by accessors, in two queues.
 */
static void record_images(struct world *w, bool appends) {
  enum { RUNS = 3 };
  if (w->all.images.rep == NULL) return;
  static const uint32_t texels[GRAPH_COLUMNS * GRAPH_ROWS];
  const int none_at = 0;
  const uint32_t columns = GRAPH_COLUMNS, factor = 1, zero = 0, two = 2, one = 1;
  syclze_queue *q = w->all.queues;
  syclze_image image = graph_world_make_image(
      &w->all, graph_world_image(&w->all, texels), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, q[IN_ORDER]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, q[OUT_OF_ORDER]), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(q[OUT_OF_ORDER]);
  syclze_accessor texel = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(
      syclze_launch(&group, w->all.set_image, &items, NULL, syclze_arg(texel), syclze_arg(none_at),
          syclze_arg(none_at), syclze_arg(columns), syclze_arg(factor), syclze_arg(two)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(q[IN_ORDER]);
  syclze_accessor sums = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ_WRITE);
  texel = syclze_require(&group, image, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_launch(&group, w->all.mix_image, &items, NULL, syclze_arg(sums),
               syclze_arg(texel), syclze_arg(none_at), syclze_arg(none_at), syclze_arg(columns),
               syclze_arg(one), syclze_arg(zero)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), 2);
  syclze_executable_graph executable = finalized(graph, appends);
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS); /* the graph keeps it */
  run(w, executable, RUNS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], RUNS * (i + 2));
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(launches_on_images_are_recorded) { // shows graphs 12
  in_each_way(record_images);
}

TEST_MAIN(accessors_order_nodes_and_graphs_with_what_is_around_them,
    events_barriers_fills_and_copies_are_recorded,
    host_tasks_run_between_the_nodes_that_they_depend_on_and_that_depend_on_them,
    nodes_are_behind_what_a_host_task_names_and_leaves,
    runs_that_wait_leave_threads_to_what_they_wait_for,
    a_native_commands_function_appends_to_the_graphs_list, a_graph_is_finalized_more_than_once,
    a_graph_is_a_node_of_another, accessors_and_events_order_a_graph_in_a_graph,
    a_graph_is_recorded_only_where_a_queue_records, launches_on_images_are_recorded)
