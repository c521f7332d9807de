/* Contents of a graph, and edges and empty nodes that are added to it.
   The kernels are those of tests/kernels/graph.spv. */
#define _GNU_SOURCE
#include "support/recorded.h"
#include "support/refused.h"
#include "syclze/command/graph_nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle;
  (void)argument;
  return ZE_RESULT_SUCCESS;
}

/* The nodes are those of the bits; an array that is too short has some of them. */
static void check_nodes(const uint32_t *nodes, uint32_t count, uint32_t room, unsigned bits) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < 32; i++)
    all += bits >> i & 1;
  CHECK_EQ(count, all);
  for (uint32_t i = 0; i < room && i < count; i++) {
    CHECK(nodes[i] < 32 && (bits >> nodes[i] & 1) != 0);
    CHECK(i == 0 || nodes[i - 1] < nodes[i]);
  }
}

static void check_neighbours(syclze_graph graph, uint32_t node, unsigned before, unsigned behind) {
  for (uint32_t room = 0; room < 4; room++) {
    uint32_t nodes[4], count = room;
    CHECK_EQ(syclze_graph_get_predecessors(graph, node, &count, room != 0 ? nodes : NULL),
        ZE_RESULT_SUCCESS);
    check_nodes(nodes, count, room, before);
    count = room;
    CHECK_EQ(syclze_graph_get_successors(graph, node, &count, room != 0 ? nodes : NULL),
        ZE_RESULT_SUCCESS);
    check_nodes(nodes, count, room, behind);
  }
}

static void check_ends(syclze_graph graph, unsigned roots, unsigned leaves) {
  uint32_t nodes[8], count = 8;
  CHECK_EQ(syclze_graph_get_roots(graph, &count, nodes), ZE_RESULT_SUCCESS);
  check_nodes(nodes, count, 8, roots);
  count = 8;
  CHECK_EQ(syclze_graph_get_leaves(graph, &count, nodes), ZE_RESULT_SUCCESS);
  check_nodes(nodes, count, 8, leaves);
}

static void check_type(syclze_graph graph, uint32_t node, syclze_graph_node_type expected) {
  syclze_graph_node_type type;
  CHECK_EQ(syclze_graph_get_node_type(graph, node, &type), ZE_RESULT_SUCCESS);
  CHECK_EQ(type, expected);
}

/* Accesses to one buffer by groups of an out-of-order queue. */
static void access_buffer(struct world *w, syclze_queue queue, syclze_access_mode mode) {
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, w->buffers[0], mode);
  CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, NULL), ZE_RESULT_SUCCESS);
}

TEST(nodes_have_the_edges_of_accesses) { // shows graphs 4, graph_peers 16
  struct world w = begin();
  syclze_queue queue = w.all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(&w);
  check_ends(graph, 0, 0);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  access_buffer(&w, queue, SYCLZE_ACCESS_READ);  /* 0 */
  access_buffer(&w, queue, SYCLZE_ACCESS_WRITE); /* 1: behind 0 */
  access_buffer(&w, queue, SYCLZE_ACCESS_READ);  /* 2, 3: behind 1 */
  access_buffer(&w, queue, SYCLZE_ACCESS_READ);
  access_buffer(&w, queue, SYCLZE_ACCESS_READ_WRITE); /* 4: behind 2 and 3, not 1 */
  access_buffer(&w, queue, SYCLZE_ACCESS_WRITE);      /* 5: behind 4 */
  check_neighbours(graph, 0, 0, 1 << 1);
  check_neighbours(graph, 1, 1 << 0, 1 << 2 | 1 << 3);
  check_neighbours(graph, 2, 1 << 1, 1 << 4);
  check_neighbours(graph, 4, 1 << 2 | 1 << 3, 1 << 5);
  check_ends(graph, 1 << 0, 1 << 5);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Each way by which a node depends on others, and each type of node. */
// shows graph_peers 19 25
TEST(nodes_have_types_and_the_edges_of_orders_events_and_barriers) { // shows graphs 4
  struct world w = begin();
  syclze_queue queue = w.all.queues[OUT_OF_ORDER], ordered = w.all.queues[IN_ORDER];
  syclze_graph graph = graph_of(&w);
  syclze_event event;
  const uint32_t pattern = 1;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, ordered), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 1, 1, none, &event), ZE_RESULT_SUCCESS);  /* 0 */
  CHECK_EQ(mix_memory(&w, ordered, 0, 1, 1, 1, event, NULL), ZE_RESULT_SUCCESS); /* 1 */
  syclze_group group = syclze_group_begin(ordered);
  CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, NULL), ZE_RESULT_SUCCESS); /* 2 */
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(w.memory[1]), &pattern, sizeof pattern, sizeof pattern, NULL),
      ZE_RESULT_SUCCESS);                                                      /* 3 */
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 1, 1, event, NULL), ZE_RESULT_SUCCESS); /* 4 */
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);       /* 5 */
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_native_command(&group, nothing, NULL, NULL), ZE_RESULT_SUCCESS); /* 6 */
  group = syclze_group_begin(ordered);
  CHECK_EQ(syclze_group_record_graph(&group, graph, NULL), ZE_RESULT_SUCCESS); /* 7 */
  static const syclze_graph_node_type types[] = {SYCLZE_GRAPH_NODE_KERNEL, SYCLZE_GRAPH_NODE_KERNEL,
      SYCLZE_GRAPH_NODE_HOST_TASK, SYCLZE_GRAPH_NODE_MEMORY, SYCLZE_GRAPH_NODE_KERNEL,
      SYCLZE_GRAPH_NODE_BARRIER, SYCLZE_GRAPH_NODE_NATIVE_COMMAND, SYCLZE_GRAPH_NODE_SUBGRAPH};
  for (uint32_t i = 0; i < 8; i++)
    check_type(graph, i, types[i]);
  check_neighbours(graph, 0, 0, 1 << 1 | 1 << 4);
  check_neighbours(graph, 1, 1 << 0, 1 << 2);
  check_neighbours(graph, 2, 1 << 1, 1 << 7);
  check_neighbours(graph, 5, 1 << 3 | 1 << 4, 1 << 6); /* 0 is before 4 */
  check_ends(graph, 1 << 0 | 1 << 3, 1 << 6 | 1 << 7);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

static ze_result_t add_nothing(syclze_group *group, void *argument) {
  (void)argument;
  return syclze_group_host_task(group, nothing, NULL, NULL);
}

/* More nodes than a graph has room for at first. */
enum { MANY = 40 };

enum way { BY_EVENTS, BY_ACCESSES, BY_BARRIER, ADDED, ADDED_EMPTY, WAYS };

/* Records a node behind all of the nodes, and returns it. */
static uint32_t record_behind(struct world *w, syclze_graph graph, enum way way,
    const syclze_event *events, const uint32_t *nodes) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  uint32_t node = MANY;
  switch (way) {
  case BY_EVENTS: {
    syclze_group group = syclze_group_begin(queue);
    for (uint32_t i = 0; i < MANY; i++)
      syclze_group_depends_on(&group, events[i]);
    CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, NULL), ZE_RESULT_SUCCESS);
    break;
  }
  case BY_ACCESSES:
    access_buffer(w, queue, SYCLZE_ACCESS_WRITE);
    break;
  case BY_BARRIER:
    CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
    break;
  case ADDED:
    CHECK_EQ(
        syclze_graph_add_node(graph, add_nothing, NULL, nodes, MANY, &node), ZE_RESULT_SUCCESS);
    break;
  case ADDED_EMPTY:
    CHECK_EQ(syclze_graph_add_empty_node(graph, nodes, MANY, &node), ZE_RESULT_SUCCESS);
    break;
  case WAYS:
    break;
  }
  return node;
}

TEST(a_node_has_an_edge_from_each_of_many) { // shows graphs 4
  struct world w = begin();
  syclze_queue queue = w.all.queues[OUT_OF_ORDER];
  for (enum way way = BY_EVENTS; way < WAYS; way++) {
    syclze_graph graph = graph_of(&w);
    syclze_event events[MANY];
    uint32_t nodes[MANY], found[MANY], count = MANY;
    CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < MANY; i++) {
      syclze_group group = syclze_group_begin(queue);
      if (way == BY_ACCESSES) syclze_require(&group, w.buffers[0], SYCLZE_ACCESS_READ);
      CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, &events[i]), ZE_RESULT_SUCCESS);
      nodes[i] = i;
    }
    const uint32_t node = record_behind(&w, graph, way, events, nodes);
    CHECK_EQ(node, MANY);
    CHECK_EQ(syclze_graph_get_predecessors(graph, node, &count, found), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
      CHECK_EQ(found[i], i);
      CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* 0 precedes a node of another queue, and 3 one of its own. */
TEST(a_barrier_is_behind_the_last_nodes_of_its_queue) { // shows graphs 4
  struct world w = begin();
  syclze_queue queue = w.all.queues[OUT_OF_ORDER], ordered = w.all.queues[IN_ORDER];
  syclze_graph graph = graph_of(&w);
  syclze_event event;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, ordered), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 1, 1, none, &event), ZE_RESULT_SUCCESS);  /* 0 */
  CHECK_EQ(mix_memory(&w, ordered, 0, 1, 1, 1, event, NULL), ZE_RESULT_SUCCESS); /* 1 */
  for (int i = 0; i < 2; i++)
    CHECK_EQ(mix_memory(&w, queue, 0, 1, 1, 1, none, NULL), ZE_RESULT_SUCCESS); /* 2, 3 */
  CHECK_EQ(syclze_graph_add_edge(graph, 3, 2), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS); /* 4 */
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS); /* 5 */
  check_neighbours(graph, 4, 1 << 0 | 1 << 2, 1 << 5);
  check_neighbours(graph, 5, 1 << 4, 0);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

/* x * 2 + 1 is recorded before x * 3 + 2, and runs after it: by an edge, or through an empty node.
 */
static void turn_around(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  for (int empty = 0; empty < 2; empty++) {
    syclze_graph graph = graph_of(w);
    const uint32_t second = 1;
    uint32_t between;
    memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
    CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 3, 2, none, NULL), ZE_RESULT_SUCCESS);
    if (empty) {
      CHECK_EQ(syclze_graph_add_empty_node(graph, &second, 1, &between), ZE_RESULT_SUCCESS);
      CHECK_EQ(between, 2);
      check_type(graph, between, SYCLZE_GRAPH_NODE_EMPTY);
      CHECK_EQ(syclze_graph_add_edge(graph, between, 0), ZE_RESULT_SUCCESS);
    } else
      for (int i = 0; i < 2; i++) /* the second one is there */
        CHECK_EQ(syclze_graph_add_edge(graph, 1, 0), ZE_RESULT_SUCCESS);
    check_neighbours(graph, 0, empty ? 1 << 2 : 1 << 1, 0);
    check_ends(graph, 1 << 1, 1 << 0);
    syclze_executable_graph executable = finalized(graph, appends);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], (5 * 3 + 2) * 2 + 1);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  }
}

TEST(an_added_edge_orders_nodes_against_their_recording) { // shows graphs 6, graph_peers 14 15
  in_each_way(turn_around);
}

TEST(edges_complete_no_cycle) { // shows graphs 6, graph_peers 14
  struct world w = begin();
  const void *native = syclze_get_native(w.all.context);
  syclze_graph graph = graph_of(&w), absent = {NULL};
  uint32_t nodes[3], count = 0;
  for (uint32_t i = 0; i < 3; i++)
    CHECK_EQ(syclze_graph_add_empty_node(graph, i > 0 ? &nodes[i - 1] : NULL, i > 0, &nodes[i]),
        ZE_RESULT_SUCCESS);
  for (uint32_t to = 0; to < 3; to++)
    FAILED(syclze_graph_add_edge(graph, 2, to), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_graph_add_edge", "cycle", native);
  FAILED(syclze_graph_add_edge(graph, 0, 3), SYCLZE_RESULT_ERROR_INVALID, "syclze_graph_add_edge",
      "such a node", native);
  CHECK_EQ(syclze_graph_add_edge(graph, 0, 2), ZE_RESULT_SUCCESS);
  check_neighbours(graph, 2, 1 << 0 | 1 << 1, 0);
  nodes[1] = 3;
  FAILED(syclze_graph_add_empty_node(graph, nodes, 2, &count), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_graph_add_empty_node", "such a node", native);
  CHECK_EQ(count, UINT32_MAX);
  FAILED(syclze_graph_add_empty_node(graph, NULL, 2, &count), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_graph_add_empty_node", "list of nodes", native);
  FAILED(syclze_graph_get_predecessors(graph, 3, &count, NULL), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_graph_get_predecessors", "such a node", native);
  FAILED(syclze_graph_get_successors(graph, 0, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_graph_get_successors", "pointer", native);
  FAILED(syclze_graph_get_roots(absent, &count, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_graph_get_roots", "null", NULL);
  FAILED(syclze_graph_get_node_type(graph, 0, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_graph_get_node_type", "pointer", native);
  CHECK_EQ(syclze_graph_get_node_count(graph), 3);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

static bool file_has(const char *text, const char *line) {
  const char *found = strstr(text, line);
  return found != NULL && strstr(found + 1, line) == NULL;
}

TEST(a_graph_is_written_before_it_is_finalized) { // shows graphs 5, graph_peers 26
  struct world w = begin();
  const void *native = syclze_get_native(w.all.context);
  syclze_queue queue = w.all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(&w), absent = {NULL};
  syclze_event event;
  char path[] = "/tmp/syclze_graph_XXXXXX", text[1024] = "";
  const int descriptor = mkstemp(path);
  CHECK(descriptor >= 0);
  CHECK_EQ(close(descriptor), 0);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 1, 1, none, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 1, 1, event, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  access_buffer(&w, queue, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_graph_print(graph, path), ZE_RESULT_SUCCESS);
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  CHECK(strncmp(text, "digraph ", 8) == 0);
  CHECK(file_has(text, "  n0 [label=\"0: kernel\\ngraph_mix\"];\n"));
  CHECK(file_has(text, "  n1 [label=\"1: kernel\\ngraph_mix\"];\n"));
  CHECK(file_has(text, "  n2 [label=\"2: host task\"];\n"));
  CHECK(file_has(text, "  n0 -> n1;\n"));
  CHECK(file_has(text, "->")); /* no other edge */
  FAILED(syclze_graph_print(graph, "/"), SYCLZE_RESULT_ERROR_INVALID, "syclze_graph_print",
      "cannot be opened", native);
  FAILED(syclze_graph_print(graph, "/dev/full"), SYCLZE_RESULT_ERROR_INVALID, "syclze_graph_print",
      "cannot be written", native);
  FAILED(syclze_graph_print(graph, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_graph_print", "path", native);
  FAILED(syclze_graph_print(absent, path), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_graph_print", "null", NULL);
  CHECK_EQ(unlink(path), 0);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(a_queue_returns_the_graph_that_it_records_to) { // shows graphs 4, graph_peers 25
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_graph graph = graph_of(&w), found;
  CHECK_EQ(syclze_queue_get_graph(queue, &found), ZE_RESULT_SUCCESS);
  CHECK(found.rep == NULL);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_graph(queue, &found), ZE_RESULT_SUCCESS);
  CHECK(found.rep == graph.rep);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK(syclze_queue_is_recording(queue)); /* by the reference that was returned */
  CHECK_EQ(syclze_graph_release(found), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_graph(queue, &found), ZE_RESULT_SUCCESS);
  CHECK(found.rep == NULL);
  FAILED(syclze_queue_get_graph((syclze_queue){NULL}, &found), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_queue_get_graph", "null", NULL);
  FAILED(syclze_queue_get_graph(queue, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_queue_get_graph", "pointer", NULL);
  end(&w);
}

TEST_MAIN(nodes_have_the_edges_of_accesses,
    nodes_have_types_and_the_edges_of_orders_events_and_barriers,
    a_node_has_an_edge_from_each_of_many, a_barrier_is_behind_the_last_nodes_of_its_queue,
    an_added_edge_orders_nodes_against_their_recording, edges_complete_no_cycle,
    a_graph_is_written_before_it_is_finalized, a_queue_returns_the_graph_that_it_records_to)
