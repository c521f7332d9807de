/* Updates of nodes by others: on mutable lists, and on lists that are recorded anew. The kernels
   are those of tests/kernels/graph.spv. */
#include "support/refused.h"
#include "support/updated.h"

#include "syclze/command/graph_nodes.h"
#include "syclze/command/host_accessor.h"

static const char update_node[] = "syclze_executable_graph_update_node";

static ze_result_t add(syclze_interop_handle handle, void *argument) {
  (void)handle;
  ++*(uint32_t *)argument;
  return ZE_RESULT_SUCCESS;
}

enum { MIX, SET, SUM, LOCAL, LAUNCHES, FILL = LAUNCHES, TASK, BARRIER, ALTERNATIVES };

/* Launches of four kernels, a fill, a host task and a barrier. */
static syclze_graph alternatives(struct world *w, uint32_t *calls) {
  static const struct { uint32_t factor, addend; } values = {6, 7};
  static const uint32_t two = 2, three = 3;
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.set, &items, NULL, syclze_arg(w->memory[0]),
               syclze_arg(two), syclze_arg(three)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  syclze_accessor y = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ_WRITE);
  syclze_accessor x = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_launch(&group, w->all.sum, &items, NULL, syclze_arg(y), syclze_arg(x),
               syclze_arg(x), syclze_arg(three)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.local, &items, NULL, syclze_arg(w->memory[0]),
               syclze_arg(w->memory[2]), syclze_arg(values), syclze_local(8 * sizeof(uint32_t))),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(w->memory[0]), &two, sizeof two, ITEMS * sizeof two, NULL),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, add, calls, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), ALTERNATIVES);
  return graph;
}

/* The launch's result for 1 at the index, if the third memory has 4. */
static uint32_t made_of_one(uint32_t launch, uint32_t i) {
  static const uint32_t made[] = {1 * 2 + 1, 0, 4 * 3 + 4, 1 * 6 + 4 + 7};
  return launch == SET ? i * 2 + 3 : made[launch];
}

/* A launch of each kernel by one of each, between two others of the graph. */
static void replace_kernels(struct world *w) {
  uint32_t calls = 0;
  syclze_graph others = alternatives(w, &calls), graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  for (uint32_t i = 0; i < ITEMS; i++)
    w->memory[2][i] = 4;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 1, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 1, 50, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 10, 1, none, NULL), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = updatable(graph);
  for (uint32_t step = 0; step < LAUNCHES * LAUNCHES; step++) {
    const uint32_t launch = step % 2 == 0 ? step / LAUNCHES : step % LAUNCHES;
    CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, launch), ZE_RESULT_SUCCESS);
    run(w, executable);
    for (uint32_t i = 0; i < ITEMS; i++)
      CHECK_EQ(w->memory[0][i], made_of_one(launch, i) * 10 + 1);
  }
  /* The arguments of the other kernel are updated. */
  const uint32_t nine = 9;
  const syclze_argument value = syclze_argument_value(&nine, sizeof nine);
  CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, SET), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_argument(executable, 1, 2, &value), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  run(w, executable);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], (i * 2 + 9) * 10 + 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_launch_is_replaced_by_one_of_another_kernel) { // shows graphs 21
  in_both_ways(replace_kernels);
}

/* Runs before the update have the kernel of then, and the graph waits for what the new one
   accesses, as later work waits for it. */
static void replace_behind_gate(struct world *w) {
  uint32_t calls = 0;
  syclze_graph others = alternatives(w, &calls);
  syclze_executable_graph executable = three(w);
  syclze_queue queue = w->all.queues[OUT_OF_ORDER], other = w->all.queues[OUT_OF_ORDER + 1];
  const uint32_t four = 4;
  syclze_event gate;
  memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph_after(queue, executable, &gate, 1, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, SUM), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(other);
  syclze_accessor x = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ_WRITE);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(x), syclze_arg(w->memory[1]),
               syclze_arg(four), syclze_arg(four)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], 0);
  memset(w->memory[2], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  uint32_t seen[ITEMS]; /* by the accessor alone */
  CHECK_EQ(syclze_buffer_read(w->buffers[0], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  check_all(seen, (4 * 3 + 4) * 3 + 40);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_wait(w->all.queues[OUT_OF_ORDER + i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
}

TEST(a_replaced_kernel_has_its_dependencies) { // shows graphs 21
  in_both_ways(replace_behind_gate);
}

/* Nodes that are no launches, by others of their type. */
static void replace_others(struct world *w) {
  uint32_t calls[2] = {0};
  syclze_graph graph = alternatives(w, &calls[0]), others = alternatives(w, &calls[1]);
  syclze_queue queue = w->all.queues[IN_ORDER];
  const uint32_t eight = 8;
  CHECK_EQ(syclze_graph_begin_recording(others, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(w->memory[1]), &eight, sizeof eight,
               ITEMS * sizeof eight, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(others, queue), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_add_edge(graph, FILL, BARRIER), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_node(executable, FILL, others, ALTERNATIVES),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_node(executable, TASK, others, TASK), ZE_RESULT_SUCCESS);
  run(w, executable);
  check_all(w->memory[1], eight);
  CHECK_EQ(calls[0], 0);
  CHECK_EQ(calls[1], 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
}

TEST(fills_and_host_tasks_are_replaced) { // shows graphs 21
  in_both_ways(replace_others);
}

static void refuse_nodes(struct world *w) {
  uint32_t calls = 0;
  const void *native = syclze_get_native(w->all.context);
  syclze_graph graph = alternatives(w, &calls);
  syclze_executable_graph executable, constant, absent = {NULL};
  CHECK_EQ(syclze_graph_finalize(graph, 0, &constant), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  for (uint32_t node = 0; node < ALTERNATIVES; node++)
    for (uint32_t by = 0; by < ALTERNATIVES; by++)
      if (node == by || (node < LAUNCHES && by < LAUNCHES))
        CHECK_EQ(
            syclze_executable_graph_update_node(executable, node, graph, by), ZE_RESULT_SUCCESS);
      else
        FAILED(syclze_executable_graph_update_node(executable, node, graph, by),
            SYCLZE_RESULT_ERROR_INVALID, update_node, "of one type", native);
  FAILED(syclze_executable_graph_update_node(executable, ALTERNATIVES, graph, 0),
      SYCLZE_RESULT_ERROR_INVALID, update_node, "no such node", native);
  FAILED(syclze_executable_graph_update_node(executable, 0, graph, ALTERNATIVES),
      SYCLZE_RESULT_ERROR_INVALID, update_node, "no such node", native);
  FAILED(syclze_executable_graph_update_node(constant, 0, graph, 0), SYCLZE_RESULT_ERROR_INVALID,
      update_node, "SYCLZE_GRAPH_UPDATABLE", native);
  FAILED(syclze_executable_graph_update_node(absent, 0, graph, 0),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, update_node, "null", NULL);
  FAILED(syclze_executable_graph_update_node(executable, 0, (syclze_graph){NULL}, 0),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, update_node, "null", native);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(constant), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
}

TEST(a_node_is_replaced_by_one_of_its_type) { // shows graphs 21
  in_both_ways(refuse_nodes);
}

TEST_MAIN(a_launch_is_replaced_by_one_of_another_kernel, a_replaced_kernel_has_its_dependencies,
    fills_and_host_tasks_are_replaced, a_node_is_replaced_by_one_of_its_type)
