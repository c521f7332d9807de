/* Pools of memory that commands allocate and free (async_memory.h).
 *
 * A piece of a pool is one allocation of the driver. It is in its context's table while in use, and
 * in its pool's list once its free is submitted.
 *
 * Each used piece holds a reference to its pool. Each queue that has used a default pool holds one
 * until the queue's work ends, so that a default pool does not keep its context for ever. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_MEMORY_POOL_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_MEMORY_POOL_H

#include "../../../async_memory.h"
#include "../queue/lifetime.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__memory_piece {
  struct syclze__memory_piece *next;
  void *memory;
  size_t size; /* in bytes */
  struct syclze__memory_pool *pool;
  /* The event of the free, and its queue's state, each with a reference; null while in use. */
  struct syclze__event *event;
  struct syclze__queue_state *state;
  bool is_free; /* its free is known to be done */
};

/* Allocated from the pool of buffers, so that a release without a reference is detected. */
struct syclze__memory_pool {
  struct syclze__ref ref; /* first; weak */
  struct syclze__context *context;
  struct syclze__device *device;
  ze_memory_type_t kind;
  uint32_t flags;
  size_t maximum;
  /* Protected by the lock of the context's pools: */
  size_t threshold, reserved, used;    /* in bytes */
  struct syclze__memory_piece *pieces; /* freed, the newest first */
  struct syclze__memory_pool *next;    /* of the default pools; null of others */
  struct syclze__task task;            /* after the last release, while frees are pending */
};

SYCLZE__POOLED_AS(struct syclze__memory_pool, struct syclze__buffer);

enum { SYCLZE__PIECE_LISTS = 64 };

/* The pools of a context, created with the first one. */
struct syclze__memory_pools {
  SYCLZE__LOCK(SYCLZE__RANK_MEMORY_POOLS) lock;
  struct syclze__memory_pool *defaults;
  struct syclze__memory_piece *used[SYCLZE__PIECE_LISTS]; /* by address */
};

#if SYCLZE__BODIES

/* Null without memory. */
SYCLZE_LOCAL struct syclze__memory_pools *syclze__memory_pools_get(
    struct syclze__context *context) {
  struct syclze__memory_pools *there = __atomic_load_n(&context->memory_pools, __ATOMIC_ACQUIRE);
  if (there != NULL) return there;
  struct syclze__memory_pools *created = (struct syclze__memory_pools *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  __atomic_store_n(&context->parent.used, 1, __ATOMIC_RELAXED);
  if (__atomic_compare_exchange_n(
          &context->memory_pools, &there, created, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return created;
  free(created);
  return there;
}

/* The pools of its context. */
SYCLZE_INLINE struct syclze__memory_pools *syclze__memory_pools_of(
    const struct syclze__memory_pool *pool) {
  return __atomic_load_n(&pool->context->memory_pools, __ATOMIC_RELAXED);
}

SYCLZE_INLINE struct syclze__memory_piece **syclze__pieces_at(
    struct syclze__memory_pools *pools, const void *memory) {
  return &pools->used[((uintptr_t)memory >> 12 ^ (uintptr_t)memory >> 18) % SYCLZE__PIECE_LISTS];
}

/* Frees pieces that are in no list any more. Returns the first error. */
SYCLZE_LOCAL ze_result_t syclze__pieces_free(struct syclze__memory_piece *list) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (list != NULL) {
    struct syclze__memory_piece *piece = list;
    list = piece->next;
    const ze_result_t freed =
        syclze__usm_free_native(piece->pool->context, piece->memory, "syclze_memory_pool_release");
    if (result == ZE_RESULT_SUCCESS) result = freed;
    if (piece->event != NULL) syclze__event_release(piece->event);
    if (piece->state != NULL) syclze__queue_state_release(piece->state);
    free(piece);
  }
  return result;
}

/* Marks the pieces whose free is done. */
SYCLZE_LOCAL void syclze__memory_pool_poll(struct syclze__memory_pool *pool) {
  SYCLZE__HELD(&syclze__memory_pools_of(pool)->lock);
  struct syclze__memory_piece *piece = pool->pieces;
  for (; piece != NULL; piece = piece->next) {
    if (piece->is_free || !syclze__event_is_signalled(piece->event)) continue;
    piece->is_free = true;
    pool->used -= piece->size;
  }
}

/* Removes free pieces, oldest first, until the pool has no more than `limit` bytes.
 */
SYCLZE_LOCAL struct syclze__memory_piece *syclze__memory_pool_trim(
    struct syclze__memory_pool *pool, size_t limit) {
  SYCLZE__HELD(&syclze__memory_pools_of(pool)->lock);
  struct syclze__memory_piece *gone = NULL;
  while (pool->reserved > limit) {
    struct syclze__memory_piece **oldest = NULL;
    for (struct syclze__memory_piece **at = &pool->pieces; *at != NULL; at = &(*at)->next)
      if ((*at)->is_free) oldest = at;
    if (oldest == NULL) break;
    struct syclze__memory_piece *piece = *oldest;
    *oldest = piece->next;
    piece->next = gone;
    gone = piece;
    pool->reserved -= piece->size;
  }
  return gone;
}

/* Removes from the list the smallest piece that suits an allocation by the state's queue; null for
 * none. */
SYCLZE_LOCAL struct syclze__memory_piece *syclze__memory_pool_find(
    struct syclze__memory_pool *pool, const struct syclze__queue_state *state, size_t size) {
  SYCLZE__HELD(&syclze__memory_pools_of(pool)->lock);
  struct syclze__memory_piece **best = NULL;
  for (struct syclze__memory_piece **at = &pool->pieces; *at != NULL; at = &(*at)->next) {
    const struct syclze__memory_piece *piece = *at;
    const bool is_ordered = state->in_order && piece->state == state;
    if (piece->size >= size && piece->size / 2 <= size && (piece->is_free || is_ordered) &&
        (best == NULL || piece->size < (*best)->size))
      best = at;
  }
  if (best == NULL) return NULL;
  struct syclze__memory_piece *found = *best;
  *best = found->next;
  if (found->is_free) pool->used += found->size;
  return found;
}

/* Allocates a piece by the driver. */
SYCLZE_LOCAL struct syclze__status syclze__memory_pool_allocate(
    struct syclze__memory_pool *pool, size_t size, struct syclze__memory_piece **piece) {
  struct syclze__memory_piece *created = (struct syclze__memory_piece *)calloc(1, sizeof *created);
  if (created == NULL) return syclze__out_of_memory();
  created->pool = pool;
  created->size = size;
  const ze_result_t result = syclze__usm_allocate_native(
      pool->kind, 0, size, pool->device, pool->context, &created->memory);
  if (result == ZE_RESULT_SUCCESS) {
    *piece = created;
    return syclze__allowed();
  }
  free(created);
  return syclze__status_of(result, "the driver's allocation failed");
}

/* Takes a piece for an allocation by the state's queue: one of the pool, or a new one without an
 * event. It is in no list. */
SYCLZE_LOCAL struct syclze__status syclze__memory_pool_take(struct syclze__memory_pool *pool,
    const struct syclze__queue_state *state, size_t size, struct syclze__memory_piece **piece) {
  struct syclze__memory_pools *pools = syclze__memory_pools_of(pool);
  syclze__lock_acquire(&pools->lock);
  syclze__memory_pool_poll(pool);
  *piece = syclze__memory_pool_find(pool, state, size);
  const bool has_room =
      *piece != NULL || (size <= pool->maximum && pool->used <= pool->maximum - size);
  const size_t most = *piece == NULL && has_room ? pool->maximum - size : SIZE_MAX;
  struct syclze__memory_piece *gone =
      syclze__memory_pool_trim(pool, pool->threshold < most ? pool->threshold : most);
  if (*piece == NULL && has_room) {
    pool->reserved += size;
    pool->used += size;
  }
  syclze__lock_release(&pools->lock);
  syclze__pieces_free(gone);
  if (!has_room)
    return syclze__status_of(SYCLZE_RESULT_ERROR_MEMORY_ALLOCATION,
        "sycl_ext_oneapi_async_memory_alloc: the pool must not exceed its maximum size");
  struct syclze__status status = syclze__allowed();
  while (*piece == NULL) {
    status = syclze__memory_pool_allocate(pool, size, piece);
    if (status.result == ZE_RESULT_SUCCESS) break;
    /* The driver's memory may suffice without what the pool does not use. */
    syclze__lock_acquire(&pools->lock);
    gone = syclze__is_out_of_memory(status.result) ? syclze__memory_pool_trim(pool, 0) : NULL;
    if (gone == NULL) {
      pool->reserved -= size;
      pool->used -= size;
    }
    syclze__lock_release(&pools->lock);
    if (gone == NULL) break;
    syclze__pieces_free(gone);
  }
  return status;
}

/* Returns a taken piece that no command uses. */
SYCLZE_LOCAL void syclze__memory_pool_untake(struct syclze__memory_piece *piece) {
  struct syclze__memory_pool *pool = piece->pool;
  struct syclze__memory_pools *pools = syclze__memory_pools_of(pool);
  const bool is_new = piece->event == NULL;
  syclze__lock_acquire(&pools->lock);
  piece->next = is_new ? NULL : pool->pieces;
  if (is_new)
    pool->reserved -= piece->size;
  else
    pool->pieces = piece;
  if (is_new || piece->is_free) pool->used -= piece->size;
  syclze__lock_release(&pools->lock);
  if (is_new) syclze__pieces_free(piece);
}

/* Adds a used piece to the table. */
SYCLZE_LOCAL void syclze__piece_list(struct syclze__memory_piece *piece) {
  struct syclze__memory_pools *pools = syclze__memory_pools_of(piece->pool);
  struct syclze__memory_piece **list = syclze__pieces_at(pools, piece->memory);
  syclze__lock_acquire(&pools->lock);
  piece->next = *list;
  *list = piece;
  syclze__lock_release(&pools->lock);
}

/* Removes an allocation's piece from the table; null if there is none. */
SYCLZE_LOCAL struct syclze__memory_piece *syclze__piece_unlist(
    const struct syclze__context *context, const void *memory) {
  struct syclze__memory_pools *pools = __atomic_load_n(&context->memory_pools, __ATOMIC_ACQUIRE);
  if (pools == NULL) return NULL;
  struct syclze__memory_piece **at = syclze__pieces_at(pools, memory);
  syclze__lock_acquire(&pools->lock);
  while (*at != NULL && (*at)->memory != memory)
    at = &(*at)->next;
  struct syclze__memory_piece *piece = *at;
  if (piece != NULL) *at = piece->next;
  syclze__lock_release(&pools->lock);
  return piece;
}

#endif

SYCLZE_EXTERN_C_END

#include "memory_pool_object.h"

#endif
