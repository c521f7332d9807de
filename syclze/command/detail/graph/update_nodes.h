/* Bodies of graph_update.h: updates by the nodes of another graph. */
#include "../../graph_update.h"

#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_UPDATE_NODES_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_UPDATE_NODES_H

#include "update.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL int syclze__edges_compare(const void *a, const void *b) {
  const struct syclze__edge *one = (const struct syclze__edge *)a;
  const struct syclze__edge *other = (const struct syclze__edge *)b;
  if (one->to != other->to) return one->to < other->to ? -1 : 1;
  return one->from < other->from ? -1 : one->from > other->from;
}

/* Compares the edges, regardless of the order in which they were added. */
SYCLZE_LOCAL struct syclze__status syclze__check_edges(const struct syclze__edge *edges,
    uint32_t count, const struct syclze__edge *others, uint32_t other_count) {
  const size_t size = count * sizeof *edges;
  struct syclze__status status =
      syclze__invalid("sycl_ext_oneapi_graph: the nodes of the graphs do not have the same edges");
  if (count != other_count) return status;
  if (count == 0 || memcmp(edges, others, size) == 0) return syclze__allowed();
  struct syclze__edge *sorted = (struct syclze__edge *)malloc(2 * size);
  if (sorted == NULL) return syclze__out_of_memory();
  memcpy(sorted, edges, size);
  memcpy(sorted + count, others, size);
  qsort(sorted, count, sizeof *sorted, syclze__edges_compare);
  qsort(sorted + count, count, sizeof *sorted, syclze__edges_compare);
  if (memcmp(sorted, sorted + count, size) == 0) status = syclze__allowed();
  free(sorted);
  return status;
}

SYCLZE_LOCAL bool syclze__subgraphs_match(
    const struct syclze__subgraph *a, const struct syclze__subgraph *b);

/* True if the nodes are of one kind, with one kernel. */
SYCLZE_LOCAL bool syclze__nodes_match(const struct syclze__node *a, const struct syclze__node *b) {
  if (a->kind != b->kind || a->memory_use != SYCLZE__NODE_OTHER ||
      b->memory_use != SYCLZE__NODE_OTHER)
    return false;
  if ((a->command == NULL) != (b->command == NULL)) return false;
  if (a->command != NULL) {
    const struct syclze__kernel *one = a->command->kernel, *other = b->command->kernel;
    if (a->command->table->append != b->command->table->append || (one == NULL) != (other == NULL))
      return false;
    if (one != NULL && one->native != other->native) return false;
  }
  return syclze__subgraphs_match(a->subgraph, b->subgraph);
}

SYCLZE_LOCAL bool syclze__subgraphs_match(
    const struct syclze__subgraph *a, const struct syclze__subgraph *b) {
  if (a == NULL || b == NULL) return a == b;
  bool match = a->count == b->count;
  for (uint32_t i = 0; i < a->count && match; i++)
    match = a->steps[i].level == b->steps[i].level &&
            syclze__nodes_match(a->steps[i].node, b->steps[i].node);
  /* Too many edges are not kept: the levels are the order. */
  if (!match || (a->edge_count == UINT32_MAX && b->edge_count == UINT32_MAX)) return match;
  return syclze__check_edges(a->edges, a->edge_count, b->edges, b->edge_count).result ==
         ZE_RESULT_SUCCESS;
}

/* Exchanges the nodes with the graph's, if they match. */
SYCLZE_LOCAL struct syclze__status syclze__executable_update_all(
    struct syclze__executable *executable, struct syclze__nodes *nodes) {
  SYCLZE__HELD(&executable->updatable->lock);
  const struct syclze__nodes before = executable->nodes;
  bool match = before.count == nodes->count;
  for (uint32_t i = 0; i < nodes->count && match; i++)
    match = syclze__nodes_match(before.all[i], nodes->all[i]);
  if (!match) return syclze__invalid("sycl_ext_oneapi_graph: the nodes of the graphs do not match");
  const struct syclze__status status = syclze__check_edges(syclze__nodes_edges(&before),
      before.edge_count, syclze__nodes_edges(nodes), nodes->edge_count);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  executable->nodes = *nodes;
  syclze__updatable_change_nodes(executable, before.all, 0, nodes->count);
  *nodes = before;
  return syclze__allowed();
}

/* The rule that an update of an executable graph by the nodes of another graph breaks. */
SYCLZE_LOCAL struct syclze__status syclze__check_update_by(
    syclze_executable_graph executable, syclze_graph graph) {
  const struct syclze__executable *rep = executable.rep;
  struct syclze__status status = syclze__check_updatable(executable);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_graph(graph.rep);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__contexts_are_one(graph.rep->context, rep->order->memory.context) ||
      graph.rep->device->native != rep->device->native)
    return syclze__invalid(
        "sycl_ext_oneapi_graph: the graphs must have the same context and device");
  return status;
}

SYCLZE_COLD ze_result_t syclze_executable_graph_update(
    syclze_executable_graph executable, syclze_graph graph) {
  const char *const function = "syclze_executable_graph_update";
  struct syclze__executable *rep = executable.rep;
  struct syclze__status status = syclze__check_update_by(executable, graph);
  struct syclze__nodes nodes = {0, 0, NULL};
  if (status.result != ZE_RESULT_SUCCESS) return syclze__update_fail(executable, status, function);
  syclze__lock_acquire(&graph.rep->lock);
  if (!syclze__nodes_take(&nodes, graph.rep->order, graph.rep->node_count))
    status = syclze__out_of_memory();
  syclze__lock_release(&graph.rep->lock);
  if (status.result == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&rep->updatable->lock);
    status = syclze__executable_update_all(rep, &nodes);
    syclze__lock_release(&rep->updatable->lock);
  }
  syclze__nodes_free(&nodes);
  return status.result == ZE_RESULT_SUCCESS ? status.result
                                            : syclze__update_fail(executable, status, function);
}

/* Retains the node of this index; null if the graph has none. */
SYCLZE_LOCAL struct syclze__node *syclze__graph_node_retain(
    struct syclze__graph *graph, uint32_t index) {
  struct syclze__node *node = NULL;
  syclze__lock_acquire(&graph->lock);
  if (index < graph->node_count) {
    node = graph->order->places[index].node;
    syclze__ref_retain(&node->ref);
  }
  syclze__lock_release(&graph->lock);
  return node;
}

/* The rule that the replacement of a node by another breaks. */
SYCLZE_LOCAL struct syclze__status syclze__check_replacement(
    const struct syclze__nodes *nodes, uint32_t index, const struct syclze__node *node) {
  if (index >= nodes->count) return syclze__invalid("the executable graph has no such node");
  const struct syclze__node *before = nodes->all[index];
  if (before->kind != node->kind || before->is_empty != node->is_empty ||
      before->memory_use != SYCLZE__NODE_OTHER || node->memory_use != SYCLZE__NODE_OTHER ||
      syclze__node_is_launch(before) != syclze__node_is_launch(node) ||
      !syclze__subgraphs_match(before->subgraph, node->subgraph))
    return syclze__invalid(
        "sycl_ext_oneapi_graph: the nodes are not of one type, or allocate or free");
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_executable_graph_update_node(
    syclze_executable_graph executable, uint32_t node, syclze_graph graph, uint32_t by) {
  const char *const function = "syclze_executable_graph_update_node";
  struct syclze__executable *rep = executable.rep;
  struct syclze__status status = syclze__check_update_by(executable, graph);
  struct syclze__replacement replacement = {node, NULL};
  if (status.result == ZE_RESULT_SUCCESS) {
    replacement.node = syclze__graph_node_retain(graph.rep, by);
    if (replacement.node == NULL) status = syclze__invalid("the graph has no such node");
  }
  if (status.result != ZE_RESULT_SUCCESS) return syclze__update_fail(executable, status, function);
  syclze__lock_acquire(&rep->updatable->lock);
  status = syclze__check_replacement(&rep->nodes, node, replacement.node);
  if (status.result == ZE_RESULT_SUCCESS) {
    syclze__executable_exchange(rep, &replacement);
    syclze__updatable_change_nodes(rep, &replacement.node, node, 1);
  }
  syclze__lock_release(&rep->updatable->lock);
  const ze_result_t released = syclze__replacements_release(&replacement, 1);
  return status.result == ZE_RESULT_SUCCESS ? released
                                            : syclze__update_fail(executable, status, function);
}

#endif

SYCLZE_EXTERN_C_END

#endif
