/* Nodes of command group functions, which no queue records. The kernels are those of
   tests/kernels/graph.spv. */
#include "support/failing.h"
#include "support/recorded.h"
#include "support/refused.h"

#include "syclze/command/graph_nodes.h"
#include "syclze/command/host_accessor.h"

static const char add_node[] = "syclze_graph_add_node";

/* Commands that a node may have. */
enum command { MIX, COPY, FILL, TASK, NATIVE, BARRIER, GRAPH, COMMANDS };

struct node {
  struct world *w;
  enum command command;
  uint32_t factor, addend; /* of a launch, on the first memory */
  syclze_graph graph;      /* of a graph */
  syclze_event *event;     /* that the command is to return; null for none */
  uint32_t calls;
};

static ze_result_t count_call(syclze_interop_handle handle, void *argument) {
  struct node *node = argument;
  (void)handle;
  node->calls++;
  return ZE_RESULT_SUCCESS;
}

/* Fills the third memory. */
static ze_result_t append(syclze_interop_handle handle, void *argument) {
  struct node *node = argument;
  const uint32_t nine = 9;
  syclze_native_queue native;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &native), ZE_RESULT_SUCCESS);
  return zeCommandListAppendMemoryFill(
      native.list, node->w->memory[2], &nine, sizeof nine, ITEMS * sizeof nine, NULL, 0, NULL);
}

/* A command group function. */
static ze_result_t submit(syclze_group *group, void *argument) {
  struct node *node = argument;
  uint32_t *const *memory = node->w->memory;
  const uint32_t four = 4;
  const size_t size = ITEMS * sizeof four;
  switch (node->command) {
  case MIX:
    return syclze_launch(group, node->w->all.mix, &items, node->event, syclze_arg(memory[0]),
        syclze_arg(memory[1]), syclze_arg(node->factor), syclze_arg(node->addend));
  case COPY:
    return syclze_group_copy(
        group, syclze_mem_arg(memory[1]), syclze_mem_arg(memory[0]), size, node->event);
  case FILL:
    return syclze_group_fill(
        group, syclze_mem_arg(memory[1]), &four, sizeof four, size, node->event);
  case TASK:
    return syclze_group_host_task(group, count_call, node, node->event);
  case NATIVE:
    return syclze_group_native_command(group, append, node, node->event);
  case BARRIER:
    return syclze_group_barrier(group, node->event);
  case GRAPH:
    return syclze_group_record_graph(group, node->graph, node->event);
  case COMMANDS:
    break;
  }
  return ZE_RESULT_SUCCESS; /* no command */
}

static uint32_t added(
    syclze_graph graph, struct node *node, const uint32_t *after, uint32_t count) {
  uint32_t index;
  const uint32_t next = syclze_graph_get_node_count(graph);
  CHECK_EQ(syclze_graph_add_node(graph, submit, node, after, count, &index), ZE_RESULT_SUCCESS);
  CHECK_EQ(index, next);
  CHECK_EQ(syclze_graph_get_node_count(graph), next + 1);
  return index;
}

static void check_before(syclze_graph graph, uint32_t node, const uint32_t *after, uint32_t count) {
  uint32_t nodes[8], found = 8;
  CHECK_EQ(syclze_graph_get_predecessors(graph, node, &found, nodes), ZE_RESULT_SUCCESS);
  CHECK_EQ(found, count);
  for (uint32_t i = 0; i < count; i++)
    CHECK_EQ(nodes[i], after[i]);
}

static void run(struct world *w, syclze_executable_graph executable, syclze_queue queue) {
  for (int i = 0; i < 3; i++)
    memset(w->memory[i], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
}

/* Each command in a chain, with the edges that are named and no others. */
static void add_chain(struct world *w, bool appends) {
  static const syclze_graph_node_type types[] = {SYCLZE_GRAPH_NODE_KERNEL, SYCLZE_GRAPH_NODE_MEMORY,
      SYCLZE_GRAPH_NODE_MEMORY, SYCLZE_GRAPH_NODE_HOST_TASK, SYCLZE_GRAPH_NODE_NATIVE_COMMAND,
      SYCLZE_GRAPH_NODE_BARRIER, SYCLZE_GRAPH_NODE_SUBGRAPH};
  struct node nodes[COMMANDS + 1], inner = {.w = w, .command = MIX, .factor = 10, .addend = 3};
  syclze_graph graph = graph_of(w), other = graph_of(w);
  uint32_t last = added(other, &inner, NULL, 0);
  for (int i = 0; i < COMMANDS; i++) {
    nodes[i] = (struct node){.w = w, .command = (enum command)i, .factor = 1, .addend = 5};
    nodes[i].graph = other;
    const uint32_t index = added(graph, &nodes[i], &last, i != 0);
    check_before(graph, index, &last, i != 0);
    syclze_graph_node_type type;
    CHECK_EQ(syclze_graph_get_node_type(graph, index, &type), ZE_RESULT_SUCCESS);
    CHECK_EQ(type, types[i]);
    last = index;
  }
  /* Behind two of them, and independent of the others. */
  const uint32_t both[] = {COPY, last};
  nodes[COMMANDS] = (struct node){.w = w, .command = MIX, .factor = 2, .addend = 1};
  check_before(graph, added(graph, &nodes[COMMANDS], both, 2), both, 2);
  CHECK_EQ(syclze_graph_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(nodes[TASK].calls, 0);
  syclze_executable_graph executable = finalized(graph, appends);
  for (int i = 0; i < GRAPH_QUEUES; i++) {
    run(w, executable, w->all.queues[i]);
    check_all(w->memory[1], 4);                            /* a copy of 5, then filled */
    check_all(w->memory[0], (5 * 10 + 4 + 3) * 2 + 4 + 1); /* the graph, then the launch */
    check_all(w->memory[2], 9);
    CHECK_EQ(nodes[TASK].calls, (uint32_t)i + 1);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(commands_of_each_kind_are_added_behind_nodes) { // shows graphs 9, graph_peers 13
  in_each_way(add_chain);
}

/* y = y * factor + 1, by an accessor. */
static ze_result_t mix_buffer(syclze_group *group, void *argument) {
  struct node *node = argument;
  const uint32_t one = 1;
  syclze_accessor y = syclze_require(group, node->w->buffers[0], SYCLZE_ACCESS_READ_WRITE);
  return syclze_launch(group, node->w->all.mix, &items, node->event, syclze_arg(y),
      syclze_arg(node->w->memory[1]), syclze_arg(node->factor), syclze_arg(one));
}

/* Nodes depend on each other by accessors and events, added or recorded, in either order; a
   barrier of a queue covers none that was added. */
static void mix_ways(struct world *w, bool appends) {
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_event first, second;
  struct node node = {.w = w, .factor = 2, .event = &first};
  uint32_t index;
  CHECK_EQ(syclze_graph_add_node(graph, mix_buffer, &node, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node(graph, first, &index), ZE_RESULT_SUCCESS);
  CHECK_EQ(index, 0);
  /* No queue records: the buffer has host accessors. */
  syclze_host_accessor host;
  CHECK_EQ(syclze_host_accessor_create(w->buffers[0], SYCLZE_ACCESS_READ_WRITE, &host),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(host), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 1, 2, 1, 3, first, &second), ZE_RESULT_SUCCESS);
  check_before(graph, 1, (uint32_t[]){0}, 1);
  syclze_group group = syclze_group_begin(queue);
  node = (struct node){.w = w, .factor = 3};
  CHECK_EQ(mix_buffer(&group, &node), ZE_RESULT_SUCCESS); /* recorded */
  check_before(graph, 2, (uint32_t[]){0}, 1);
  node = (struct node){.w = w, .factor = 5};
  CHECK_EQ(syclze_graph_add_node(graph, mix_buffer, &node, (uint32_t[]){1}, 1, &index),
      ZE_RESULT_SUCCESS);
  check_before(graph, 3, (uint32_t[]){1, 2}, 2);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  check_before(graph, 4, (uint32_t[]){1, 2}, 2);
  struct node barrier = {.w = w, .command = BARRIER};
  check_before(graph, added(graph, &barrier, NULL, 0), NULL, 0);
  CHECK_EQ(mix_memory(w, queue, 2, 2, 1, 1, none, NULL), ZE_RESULT_SUCCESS);
  check_before(graph, 6, (uint32_t[]){4}, 1);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_create(w->buffers[0], SYCLZE_ACCESS_READ_WRITE, &host),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(host), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph, appends);
  run(w, executable, queue);
  check_all(w->memory[1], 3);
  /* The second launch on the buffer may see the memory before or after it is written. */
  const uint32_t y = w->memory[0][0];
  CHECK(y == (1 * 3 + 1) * 5 + 1 + 3 || y == (1 * 3 + 1 + 3) * 5 + 1 + 3);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(added_and_recorded_nodes_depend_on_each_other) { // shows graphs 9, graph_peers 2 13 17
  in_each_way(mix_ways);
}

static ze_result_t fail_with(syclze_group *group, void *argument) {
  (void)group;
  return *(const ze_result_t *)argument;
}

static ze_result_t submit_twice(syclze_group *group, void *argument) {
  CHECK_EQ(submit(group, argument), ZE_RESULT_SUCCESS);
  return submit(group, argument);
}

static ze_result_t depend_on(syclze_group *group, void *argument) {
  syclze_group_depends_on(group, *(const syclze_event *)argument);
  return syclze_group_barrier(group, NULL);
}

static void refuse(struct world *w, bool appends) {
  const void *native = syclze_get_native(w->all.context);
  struct node node = {.w = w, .command = MIX, .factor = 2, .addend = 1};
  struct node nothing = {.w = w, .command = COMMANDS};
  syclze_graph graph = graph_of(w), absent = {NULL};
  ze_result_t broken = ZE_RESULT_ERROR_DEVICE_LOST;
  uint32_t index, after[] = {0, 1};
  syclze_event outside;
  FAILED(syclze_graph_add_node(absent, submit, &node, NULL, 0, &index),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, add_node, "null", NULL);
  FAILED(syclze_graph_add_node(graph, NULL, &node, NULL, 0, &index),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, add_node, "function", native);
  FAILED(syclze_graph_add_node(graph, submit, &node, NULL, 1, &index),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, add_node, "list of nodes", native);
  FAILED(syclze_graph_add_node(graph, submit, &node, after, 1, &index), SYCLZE_RESULT_ERROR_INVALID,
      add_node, "such a node", native);
  FAILED(syclze_graph_add_node(graph, submit, &nothing, NULL, 0, &index),
      SYCLZE_RESULT_ERROR_INVALID, add_node, "one command", native);
  CHECK_EQ(syclze_graph_add_node(graph, fail_with, &broken, NULL, 0, &index), broken);
  CHECK_EQ(index, UINT32_MAX);
  CHECK_EQ(syclze_event_create(w->all.context, 0, &outside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_node(graph, depend_on, &outside, NULL, 0, &index),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_release(outside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), 0);
  /* The first of two commands stays. */
  CHECK_EQ(syclze_graph_add_node(graph, submit_twice, &node, NULL, 0, &index),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(index, UINT32_MAX);
  CHECK_EQ(syclze_graph_get_node_count(graph), 1);
  syclze_executable_graph executable = finalized(graph, appends);
  run(w, executable, w->all.queues[IN_ORDER]);
  check_all(w->memory[0], 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_function_adds_one_command) { // shows graphs 9
  in_each_way(refuse);
}

static void sweep(struct world *w, bool appends) {
  bool failed = true;
  for (unsigned n = 1; failed; n++) {
    struct node node = {.w = w, .command = MIX, .factor = 2, .addend = 1};
    syclze_graph graph = graph_of(w);
    uint32_t index;
    failing_at(n);
    const ze_result_t result = syclze_graph_add_node(graph, submit, &node, NULL, 0, &index);
    failed = failing_end();
    CHECK_EQ(result, failed ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_get_node_count(graph), !failed);
    if (!failed) {
      syclze_executable_graph executable = finalized(graph, appends);
      run(w, executable, w->all.queues[IN_ORDER]);
      check_all(w->memory[0], 1);
      CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    } else
      CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
    CHECK(failed || n > 2);
  }
}

TEST(every_allocation_of_an_addition_may_fail) { // shows graphs 9
  in_each_way(sweep);
}

TEST_MAIN(commands_of_each_kind_are_added_behind_nodes,
    added_and_recorded_nodes_depend_on_each_other, a_function_adds_one_command,
    every_allocation_of_an_addition_may_fail)
