/* Memory that nodes of a graph allocate and free (allocation.h).
 *
 * The addresses are part of the nodes. So the memory lives as long as a node that allocates it, and
 * one executable graph at a time uses it. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_POOL_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_POOL_H

#include "../../../context.h"

SYCLZE_EXTERN_C_BEGIN

/* Use of memory by a node. A node that allocates or frees only orders others. */
enum syclze__node_memory { SYCLZE__NODE_OTHER, SYCLZE__NODE_ALLOCATES, SYCLZE__NODE_FREES };

/* An allocation of the driver. */
struct syclze__graph_piece {
  struct syclze__graph_piece *next;
  void *memory;
  size_t size;      /* in bytes */
  uint32_t first;   /* index of the first node that allocates it */
  uint32_t free_by; /* of the last one that frees it; UINT32_MAX while it is allocated */
  bool is_zero;     /* at each finalization */
};

/* The pool of a graph, created by the first node that allocates. */
struct syclze__graph_pool {
  uint32_t references; /* of the graph, and of nodes that allocate */
  uint32_t is_taken;   /* by an executable graph */
  struct syclze__context *context;
  struct syclze__device *device;
  struct syclze__graph_piece *pieces;                         /* written with the graph's lock */
  ze_result_t (*zero)(const struct syclze__graph_pool *pool); /* before a graph is executable */
  ze_result_t (*end)(struct syclze__graph_pool *pool);        /* frees all */
};

#if SYCLZE__BODIES

/* The pool, if a node of the graph allocates; else null. Null is allowed. */
SYCLZE_INLINE struct syclze__graph_pool *syclze__graph_pool_in_use(
    struct syclze__graph_pool *pool) {
  return pool != NULL && pool->pieces != NULL ? pool : NULL;
}

/* Null is allowed. */
SYCLZE_INLINE ze_result_t syclze__graph_pool_release(struct syclze__graph_pool *pool) {
  return pool != NULL && __atomic_sub_fetch(&pool->references, 1, __ATOMIC_ACQ_REL) == 0
             ? pool->end(pool)
             : ZE_RESULT_SUCCESS;
}

/* Acquires the pool for an executable graph; false while another one has it. Null is allowed. */
SYCLZE_INLINE bool syclze__graph_pool_take(struct syclze__graph_pool *pool) {
  return pool == NULL || __atomic_exchange_n(&pool->is_taken, 1, __ATOMIC_ACQ_REL) == 0;
}

/* Null is allowed. */
SYCLZE_INLINE void syclze__graph_pool_give(struct syclze__graph_pool *pool) {
  if (pool != NULL) __atomic_store_n(&pool->is_taken, 0, __ATOMIC_RELEASE);
}

#endif

SYCLZE_EXTERN_C_END

#endif
