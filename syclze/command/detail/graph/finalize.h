/* The finalization of graphs. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_FINALIZE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_FINALIZE_H

#include "updatable.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The rule that the finalization of a graph breaks. */
SYCLZE_LOCAL struct syclze__status syclze__check_finalize(
    const struct syclze__graph *graph, uint32_t flags, uint32_t allowed) {
  const struct syclze__status status = syclze__check_graph(graph);
  if (status.result != ZE_RESULT_SUCCESS || (flags & ~allowed) == 0) return status;
  return syclze__status_of(
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "the flags must be among those that the function has");
}

SYCLZE_LOCAL struct syclze__status syclze__graph_finalize(
    struct syclze__graph *graph, uint32_t flags, struct syclze__executable **executable) {
  struct syclze__nodes nodes;
  struct syclze__executable_input input = {graph->context, graph->device, &nodes, NULL, NULL, NULL,
      NULL, false, (flags & SYCLZE_GRAPH_PROFILING) != 0};
  struct syclze__status status = syclze__out_of_memory();
  struct syclze__executable *created = NULL;
  syclze__lock_acquire(&graph->lock);
  struct syclze__graph_pool *pool = syclze__graph_pool_in_use(graph->pool);
  const bool is_taken = syclze__graph_pool_take(pool);
  const ze_result_t zeroed = is_taken && pool != NULL ? pool->zero(pool) : ZE_RESULT_SUCCESS;
  const bool copied = is_taken && zeroed == ZE_RESULT_SUCCESS &&
                      syclze__nodes_take(&nodes, graph->order, graph->node_count);
  syclze__lock_release(&graph->lock);
  if (!is_taken)
    return syclze__invalid("sycl_ext_oneapi_graph: a graph that allocates memory must not be "
                           "finalized while an executable graph of it has not ended");
  if (!copied) {
    syclze__graph_pool_give(pool);
    return zeroed == ZE_RESULT_SUCCESS
               ? status
               : syclze__status_of(zeroed, "memory of the graph could not be filled with zeros");
  }
  if ((flags & SYCLZE_GRAPH_UPDATABLE) == 0)
    status = syclze__executable_create(&input, &created);
  else
    created = syclze__executable_alloc(graph->context, graph->device);
  if (created == NULL) {
    syclze__graph_pool_give(pool);
    syclze__nodes_free(&nodes);
    return status;
  }
  created->nodes = nodes;
  created->pool = pool;
  created->is_timed = input.is_timed;
  if ((flags & SYCLZE_GRAPH_UPDATABLE) != 0) {
    status = syclze__updatable_create(created);
    if (status.result != ZE_RESULT_SUCCESS) {
      if (created->order != NULL)
        syclze__memory_release(&created->order->memory);
      else
        syclze__executable_free(created);
      created = NULL;
    }
  }
  *executable = created;
  return status;
}

/* Finalizes a graph for a public function that has the flags `allowed`. */
SYCLZE_LOCAL ze_result_t syclze__graph_finalize_for(const char *function, uint32_t allowed,
    syclze_graph graph, uint32_t flags, syclze_executable_graph *executable) {
  if (executable == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  executable->rep = NULL;
  struct syclze__status status = syclze__check_finalize(graph.rep, flags, allowed);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__graph_finalize(graph.rep, flags, &executable->rep);
  return syclze__graph_result(graph, status, function);
}

SYCLZE_COLD ze_result_t syclze_graph_finalize(
    syclze_graph graph, uint32_t flags, syclze_executable_graph *executable) {
  return syclze__graph_finalize_for("syclze_graph_finalize",
      SYCLZE_GRAPH_UPDATABLE | SYCLZE_GRAPH_PROFILING, graph, flags, executable);
}

#endif

SYCLZE_EXTERN_C_END

#include "times.h"

#endif
