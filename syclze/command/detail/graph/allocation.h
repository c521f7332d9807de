/* Nodes that allocate and free memory (pool.h).
 *
 * A node takes memory that was freed by a node that it depends on, directly or not. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_ALLOCATION_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_ALLOCATION_H

#include "../../graph.h"
#include "../../../detail/objects/staging_copy.h"

SYCLZE_EXTERN_C_BEGIN

/* The memory that a node allocates or frees. */
struct syclze__allocation {
  ze_memory_type_t kind;
  size_t size; /* in bytes */
  bool is_zero;
  void **result; /* null for a free */
  void *memory;  /* to be freed, or null */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__graph_pool_end(struct syclze__graph_pool *pool) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (pool->pieces != NULL) {
    struct syclze__graph_piece *piece = pool->pieces;
    pool->pieces = piece->next;
    const ze_result_t freed =
        syclze__usm_free_native(pool->context, piece->memory, "syclze_graph_release");
    if (result == ZE_RESULT_SUCCESS) result = freed;
    free(piece);
  }
  free(pool);
  return result;
}

/* Waits for the fills. */
SYCLZE_LOCAL ze_result_t syclze__graph_pool_zero(const struct syclze__graph_pool *pool) {
  static const char zero = 0;
  struct syclze__staging *staging;
  const struct syclze__graph_piece *piece = pool->pieces;
  while (piece != NULL && !piece->is_zero)
    piece = piece->next;
  if (piece == NULL) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__staging_take(pool->context, pool->device, 0, &staging);
  if (result != ZE_RESULT_SUCCESS) return result;
  for (; piece != NULL && result == ZE_RESULT_SUCCESS; piece = piece->next)
    if (piece->is_zero)
      result = SYCLZE__ZE(zeCommandListAppendMemoryFill)(
          staging->list, piece->memory, &zero, sizeof zero, piece->size, NULL, 0, NULL);
  return syclze__staging_give(pool->context, staging, result);
}

/* The graph's pool; null without memory. */
SYCLZE_LOCAL struct syclze__graph_pool *syclze__graph_pool_require(struct syclze__graph *graph) {
  SYCLZE__HELD(&graph->lock);
  if (graph->pool != NULL) return graph->pool;
  struct syclze__graph_pool *pool = (struct syclze__graph_pool *)calloc(1, sizeof *pool);
  if (pool == NULL) return NULL;
  pool->references = 1;
  pool->context = graph->context;
  pool->device = graph->device;
  pool->zero = syclze__graph_pool_zero;
  pool->end = syclze__graph_pool_end;
  graph->pool = pool;
  return pool;
}

/* True if the piece is free, and neither too small nor too large. */
SYCLZE_INLINE bool syclze__graph_piece_suits(const struct syclze__graph_piece *piece, size_t size) {
  return piece->free_by != UINT32_MAX && piece->size >= size && piece->size / 2 <= size;
}

/* The piece that the node frees, if it is still free and suits; else null. */
SYCLZE_LOCAL struct syclze__graph_piece *syclze__graph_piece_of(
    const struct syclze__graph *graph, uint32_t node, size_t size) {
  if (graph->order->places[node].node->memory_use != SYCLZE__NODE_FREES) return NULL;
  struct syclze__graph_piece *piece = graph->pool->pieces;
  while (piece != NULL && piece->free_by != node)
    piece = piece->next;
  return piece != NULL && syclze__graph_piece_suits(piece, size) ? piece : NULL;
}

/* The smallest piece that suits the newest node, and is freed by a node that it depends on,
 * directly or not; null for none. */
SYCLZE_LOCAL struct syclze__graph_piece *syclze__graph_pool_find(
    const struct syclze__graph *graph, size_t size) {
  struct syclze__graph_order *order = graph->order;
  struct syclze__graph_piece *best = NULL, *piece = graph->pool->pieces;
  uint32_t count = 0, left = 0;
  for (; piece != NULL; piece = piece->next)
    left += syclze__graph_piece_suits(piece, size);
  uint32_t *stack =
      left != 0 ? (uint32_t *)malloc(((size_t)graph->node_count + 1) * sizeof *stack) : NULL;
  if (stack == NULL) return NULL;
  order->search++;
  stack[count++] = graph->node_count;
  /* No other piece is better than one of this size. */
  while (count > 0 && left > 0 && (best == NULL || best->size != size)) {
    uint32_t edge = order->places[stack[--count]].first_to;
    for (; edge != UINT32_MAX; edge = order->edges[edge].next_to) {
      const uint32_t from = order->edges[edge].from;
      if (order->places[from].mark == order->search) continue;
      order->places[from].mark = order->search;
      stack[count++] = from;
      piece = syclze__graph_piece_of(graph, from, size);
      if (piece == NULL) continue;
      left--;
      if (best == NULL || piece->size < best->size) best = piece;
    }
  }
  free(stack);
  return best;
}

/* Allocates a piece for a node by the driver. */
SYCLZE_LOCAL struct syclze__status syclze__graph_pool_allocate(struct syclze__graph_pool *pool,
    size_t size, uint32_t node, struct syclze__graph_piece **piece) {
  struct syclze__graph_piece *created = (struct syclze__graph_piece *)calloc(1, sizeof *created);
  if (created == NULL) return syclze__out_of_memory();
  const ze_result_t result = syclze__usm_allocate_native(
      ZE_MEMORY_TYPE_DEVICE, 0, size, pool->device, pool->context, &created->memory);
  if (result != ZE_RESULT_SUCCESS) {
    free(created);
    return syclze__status_of(result, "the driver's allocation failed");
  }
  created->size = size;
  created->first = node;
  created->next = pool->pieces;
  __atomic_store_n(&pool->pieces, created, __ATOMIC_RELEASE);
  *piece = created;
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__node_allocate(struct syclze__graph *graph,
    struct syclze__node *node, const struct syclze__allocation *allocation) {
  struct syclze__status status = syclze__allowed();
  if (allocation->kind != ZE_MEMORY_TYPE_DEVICE)
    return syclze__invalid(
        "sycl_ext_oneapi_graph: memory that a graph allocates must be the device's");
  node->memory_use = SYCLZE__NODE_ALLOCATES;
  if (allocation->size == 0) return status;
  struct syclze__graph_pool *pool = syclze__graph_pool_require(graph);
  if (pool == NULL) return syclze__out_of_memory();
  struct syclze__graph_piece *piece = syclze__graph_pool_find(graph, allocation->size);
  if (piece == NULL) {
    status = syclze__graph_pool_allocate(pool, allocation->size, graph->node_count, &piece);
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  piece->free_by = UINT32_MAX;
  if (allocation->is_zero) piece->is_zero = true;
  __atomic_add_fetch(&pool->references, 1, __ATOMIC_RELAXED);
  node->argument = pool;
  *allocation->result = piece->memory;
  return status;
}

SYCLZE_LOCAL struct syclze__status syclze__node_free_memory(
    const struct syclze__graph *graph, struct syclze__node *node, const void *memory) {
  node->memory_use = SYCLZE__NODE_FREES;
  if (memory == NULL) return syclze__allowed();
  struct syclze__graph_piece *piece = graph->pool != NULL ? graph->pool->pieces : NULL;
  while (piece != NULL && (piece->memory != memory || piece->free_by != UINT32_MAX))
    piece = piece->next;
  if (piece == NULL)
    return syclze__invalid("sycl_ext_oneapi_graph: the memory is not allocated by a node of the "
                           "graph, or is freed by another one");
  piece->free_by = graph->node_count;
  return syclze__allowed();
}

/* Makes the graph's newest node, whose edges are complete, allocate or free. */
SYCLZE_LOCAL struct syclze__status syclze__node_place(
    struct syclze__graph *graph, struct syclze__node *node, void *argument) {
  SYCLZE__HELD(&graph->lock);
  const struct syclze__allocation *allocation = (const struct syclze__allocation *)argument;
  node->is_empty = true;
  node->argument = NULL;
  return allocation->result != NULL ? syclze__node_allocate(graph, node, allocation)
                                    : syclze__node_free_memory(graph, node, allocation->memory);
}

/* Adds the node to the graph that the group's queue records to, or begins to, and ends the group.
 * SYCLZE__SUBMISSION_RECORDS if the queue does not record. */
SYCLZE_LOCAL ze_result_t syclze__allocation_record(syclze_group *group,
    struct syclze__allocation *allocation, const char *function, syclze_event *event) {
  const struct syclze__recorded recorded = {
      group, SYCLZE__SUBMISSION_BARRIER, NULL, NULL, allocation, NULL, syclze__node_place};
  if (!syclze__group_records(group)) return SYCLZE__SUBMISSION_RECORDS;
  return syclze__recording_add(&recorded, function, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
