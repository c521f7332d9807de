/* Bodies of graph_nodes.h. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_NODES_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_NODES_H

#include "../../graph_nodes.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL bool syclze__edge_exists(
    const struct syclze__graph_order *order, uint32_t from, uint32_t to) {
  uint32_t before = order->places[to].first_to, behind = order->places[from].first_from;
  /* Either list has the edge: the shorter one ends the search. */
  while (before != UINT32_MAX && behind != UINT32_MAX) {
    if (order->edges[before].from == from || order->edges[behind].to == to) return true;
    before = order->edges[before].next_to;
    behind = order->edges[behind].next_from;
  }
  return false;
}

/* True if edges lead from one node to the other; `stack` has room for all nodes. */
SYCLZE_LOCAL bool syclze__edges_lead(
    struct syclze__graph_order *order, uint32_t from, uint32_t to, uint32_t *stack) {
  uint32_t count = 0;
  if (from > to && !order->goes_back) return false;
  order->search++;
  stack[count++] = from;
  order->places[from].mark = order->search;
  while (count > 0) {
    const uint32_t node = stack[--count];
    if (node == to) return true;
    uint32_t edge = order->places[node].first_from;
    for (; edge != UINT32_MAX; edge = order->edges[edge].next_from) {
      const uint32_t next = order->edges[edge].to;
      if (order->places[next].mark == order->search) continue;
      order->places[next].mark = order->search;
      stack[count++] = next;
    }
  }
  return false;
}

/* The rule that a query of a graph breaks; `result` is the address of the query's result. */
SYCLZE_LOCAL struct syclze__status syclze__check_graph_query(
    syclze_graph graph, const void *result) {
  const struct syclze__status status = syclze__check_graph(graph.rep);
  return status.result == ZE_RESULT_SUCCESS && result == NULL
             ? syclze__null_pointer("the result's pointer is null")
             : status;
}

/* The rule that the use of a node breaks. */
SYCLZE_LOCAL struct syclze__status syclze__check_node(
    const struct syclze__graph *graph, uint32_t node) {
  SYCLZE__HELD(&graph->lock);
  return node < graph->node_count ? syclze__allowed()
                                  : syclze__invalid("the graph does not have such a node");
}

SYCLZE_LOCAL syclze_graph_node_type syclze__node_type(const struct syclze__node *node) {
  if (node->subgraph != NULL) return SYCLZE_GRAPH_NODE_SUBGRAPH;
  switch (node->kind) {
  case SYCLZE__SUBMISSION_BARRIER:
    if (node->memory_use == SYCLZE__NODE_ALLOCATES) return SYCLZE_GRAPH_NODE_MALLOC_ASYNC;
    if (node->memory_use == SYCLZE__NODE_FREES) return SYCLZE_GRAPH_NODE_FREE_ASYNC;
    return node->is_empty ? SYCLZE_GRAPH_NODE_EMPTY : SYCLZE_GRAPH_NODE_BARRIER;
  case SYCLZE__SUBMISSION_HOST:
    return SYCLZE_GRAPH_NODE_HOST_TASK;
  case SYCLZE__SUBMISSION_NATIVE:
    return SYCLZE_GRAPH_NODE_NATIVE_COMMAND;
  case SYCLZE__SUBMISSION_COMMAND:
  case SYCLZE__SUBMISSION_GRAPH:
  case SYCLZE__SUBMISSION_LISTS:
  case SYCLZE__SUBMISSION_ASIDE:
    break;
  }
  return syclze__node_is_launch(node) ? SYCLZE_GRAPH_NODE_KERNEL : SYCLZE_GRAPH_NODE_MEMORY;
}

SYCLZE_COLD ze_result_t syclze_graph_get_node_type(
    syclze_graph graph, uint32_t node, syclze_graph_node_type *type) {
  struct syclze__status status = syclze__check_graph_query(graph, type);
  if (status.result == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&graph.rep->lock);
    status = syclze__check_node(graph.rep, node);
    if (status.result == ZE_RESULT_SUCCESS)
      *type = syclze__node_type(graph.rep->order->places[node].node);
    syclze__lock_release(&graph.rep->lock);
  }
  return syclze__graph_result(graph, status, "syclze_graph_get_node_type");
}

SYCLZE_LOCAL int syclze__node_compare(const void *a, const void *b) {
  const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
  return one < other ? -1 : one > other;
}

/* Counts a node, and stores it if there is room. */
SYCLZE_INLINE void syclze__node_list(
    uint32_t node, uint32_t *found, uint32_t room, uint32_t *nodes) {
  if (*found < room) nodes[*found] = node;
  ++*found;
}

/* The nodes at the other end of the edges to, or from, a node. */
SYCLZE_LOCAL ze_result_t syclze__graph_neighbours(syclze_graph graph, uint32_t node, bool before,
    uint32_t *count, uint32_t *nodes, const char *function) {
  struct syclze__status status = syclze__check_graph_query(graph, count);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__graph_result(graph, status, function);
  syclze__lock_acquire(&graph.rep->lock);
  status = syclze__check_node(graph.rep, node);
  if (status.result == ZE_RESULT_SUCCESS) {
    const struct syclze__graph_order *order = graph.rep->order;
    const struct syclze__graph_place *place = &order->places[node];
    const uint32_t room = nodes != NULL ? *count : 0;
    uint32_t edge = before ? place->first_to : place->first_from, found = 0;
    while (edge != UINT32_MAX) {
      syclze__node_list(
          before ? order->edges[edge].from : order->edges[edge].to, &found, room, nodes);
      edge = before ? order->edges[edge].next_to : order->edges[edge].next_from;
    }
    *count = found;
    if (room != 0) qsort(nodes, found < room ? found : room, sizeof *nodes, syclze__node_compare);
  }
  syclze__lock_release(&graph.rep->lock);
  return syclze__graph_result(graph, status, function);
}

SYCLZE_COLD ze_result_t syclze_graph_get_predecessors(
    syclze_graph graph, uint32_t node, uint32_t *count, uint32_t *nodes) {
  return syclze__graph_neighbours(graph, node, true, count, nodes, "syclze_graph_get_predecessors");
}

SYCLZE_COLD ze_result_t syclze_graph_get_successors(
    syclze_graph graph, uint32_t node, uint32_t *count, uint32_t *nodes) {
  return syclze__graph_neighbours(graph, node, false, count, nodes, "syclze_graph_get_successors");
}

/* The nodes without edges to them, or from them. */
SYCLZE_LOCAL ze_result_t syclze__graph_ends(
    syclze_graph graph, bool first, uint32_t *count, uint32_t *nodes, const char *function) {
  const struct syclze__status status = syclze__check_graph_query(graph, count);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__graph_result(graph, status, function);
  uint32_t found = 0;
  syclze__lock_acquire(&graph.rep->lock);
  for (uint32_t i = 0; i < graph.rep->node_count; i++) {
    const struct syclze__graph_place *place = &graph.rep->order->places[i];
    if ((first ? place->first_to : place->first_from) == UINT32_MAX)
      syclze__node_list(i, &found, nodes != NULL ? *count : 0, nodes);
  }
  syclze__lock_release(&graph.rep->lock);
  *count = found;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_graph_get_roots(
    syclze_graph graph, uint32_t *count, uint32_t *nodes) {
  return syclze__graph_ends(graph, true, count, nodes, "syclze_graph_get_roots");
}

SYCLZE_COLD ze_result_t syclze_graph_get_leaves(
    syclze_graph graph, uint32_t *count, uint32_t *nodes) {
  return syclze__graph_ends(graph, false, count, nodes, "syclze_graph_get_leaves");
}

/* Adds an empty node behind other nodes of the graph. */
SYCLZE_LOCAL struct syclze__status syclze__graph_add_empty(
    struct syclze__graph *graph, const uint32_t *after, uint32_t count) {
  SYCLZE__HELD(&graph->lock);
  struct syclze__graph_order *order = graph->order;
  if (!syclze__graph_reserve(graph, 0, count)) return syclze__out_of_memory();
  struct syclze__node *created = syclze__node_new(&graph->block, 0, 0);
  if (created == NULL) return syclze__out_of_memory();
  created->kind = SYCLZE__SUBMISSION_BARRIER;
  created->is_empty = true;
  created->command = NULL;
  syclze__place_begin(order, graph->node_count, NULL);
  order->search++;
  for (uint32_t i = 0; i < count; i++)
    syclze__edge_add(order, after[i], graph->node_count);
  order->places[graph->node_count++].node = created;
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_graph_add_empty_node(
    syclze_graph graph, const uint32_t *after, uint32_t count, uint32_t *node) {
  struct syclze__status status = syclze__check_graph_query(graph, node);
  if (node != NULL) *node = UINT32_MAX;
  if (status.result == ZE_RESULT_SUCCESS && after == NULL && count != 0)
    status = syclze__null_pointer("the list of nodes is null");
  if (status.result == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&graph.rep->lock);
    for (uint32_t i = 0; i < count && status.result == ZE_RESULT_SUCCESS; i++)
      status = syclze__check_node(graph.rep, after[i]);
    if (status.result == ZE_RESULT_SUCCESS)
      status = syclze__graph_add_empty(graph.rep, after, count);
    if (status.result == ZE_RESULT_SUCCESS) *node = graph.rep->node_count - 1;
    syclze__lock_release(&graph.rep->lock);
  }
  return syclze__graph_result(graph, status, "syclze_graph_add_empty_node");
}

/* Adds an edge between nodes of the graph. */
SYCLZE_LOCAL struct syclze__status syclze__graph_add_edge(
    struct syclze__graph *graph, uint32_t from, uint32_t to) {
  SYCLZE__HELD(&graph->lock);
  struct syclze__graph_order *order = graph->order;
  if (syclze__edge_exists(order, from, to)) return syclze__allowed();
  uint32_t *stack = (uint32_t *)malloc(graph->node_count * sizeof *stack);
  if (stack == NULL || !syclze__graph_reserve(graph, 0, 1)) {
    free(stack);
    return syclze__out_of_memory();
  }
  const bool is_cycle = syclze__edges_lead(order, to, from, stack);
  free(stack);
  if (is_cycle) return syclze__invalid("sycl_ext_oneapi_graph: an edge must not complete a cycle");
  syclze__edge_push(order, from, to);
  order->goes_back = order->goes_back || from > to;
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_graph_add_edge(syclze_graph graph, uint32_t from, uint32_t to) {
  struct syclze__status status = syclze__check_graph_query(graph, &graph);
  if (status.result == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&graph.rep->lock);
    status = syclze__check_node(graph.rep, from < to ? to : from);
    if (status.result == ZE_RESULT_SUCCESS) status = syclze__graph_add_edge(graph.rep, from, to);
    syclze__lock_release(&graph.rep->lock);
  }
  return syclze__graph_result(graph, status, "syclze_graph_add_edge");
}

/* The graph that a queue records to, with a reference; null if it does not record. */
SYCLZE_LOCAL struct syclze__graph *syclze__queue_state_graph(
    const struct syclze__queue_state *state) {
  const struct syclze__graph_queue *recording =
      (const struct syclze__graph_queue *)(const void *)state->recording;
  /* The last release of a graph ends its recordings. */
  return recording != NULL && syclze__ref_try_retain(&recording->graph->ref) ? recording->graph
                                                                             : NULL;
}

SYCLZE_COLD ze_result_t syclze_queue_get_graph(syclze_queue queue, syclze_graph *graph) {
  const char *const function = "syclze_queue_get_graph";
  if (graph == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  graph->rep = NULL;
  if (queue.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the queue is null", NULL);
  struct syclze__queue_state *state = syclze__queue_state_get(queue.rep);
  if (state == NULL) return ZE_RESULT_SUCCESS;
  if (syclze__is_forked()) {
    graph->rep = syclze__queue_state_graph(state);
    return ZE_RESULT_SUCCESS;
  }
  syclze__lock_acquire(&state->lock);
  graph->rep = syclze__queue_state_graph(state);
  syclze__queue_state_unlock(state);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#include "add.h"
#include "print.h"

#endif
