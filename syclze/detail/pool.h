/* Pools of small objects of one size.
 *
 * A thread acquires and releases objects in caches of its own, which are refilled from the pool and
 * returned to it by the batch. Slabs grow by doubling and are never freed, so that a slot may be
 * read after its release. An object that another linked image made returns to that image's pool.
 * Any thread. */
#ifndef SYCLZE_POOL_H
#define SYCLZE_POOL_H

#include "lock.h"
#include "thread.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__SLAB_FIRST = 64,        /* objects in the first slab */
  SYCLZE__SLAB_MOST = 512 * 1024, /* and at most */
  SYCLZE__SLOT_MOST = 256,        /* bytes of an object */
  SYCLZE__SLOT_LINE = 64          /* of which each object has its own */
};

/* Of each struct that comes from a pool. */
#ifdef __cplusplus
#define SYCLZE__POOLED(type)                                                                       \
  static_assert(sizeof(type) <= SYCLZE__SLOT_MOST, "larger than a slot of a pool may be")
#else
#define SYCLZE__POOLED(type)                                                                       \
  _Static_assert(sizeof(type) <= SYCLZE__SLOT_MOST, "larger than a slot of a pool may be")
#endif

/* Slow halves: of an empty cache, and of one that is full or none. */
SYCLZE_WARM void *syclze__pool_refill(struct syclze__pool *pool, size_t size)
    SYCLZE_LINK_NAME(syclze__pool_refill);
SYCLZE_WARM void syclze__pool_return(struct syclze__slot *slot)
    SYCLZE_LINK_NAME(syclze__pool_return);

/* Offset of a pool among those of this image; larger than all of them for another pool. */
SYCLZE_INLINE uintptr_t syclze__pool_offset(const struct syclze__pool *pool) {
  return (uintptr_t)pool - (uintptr_t)&SYCLZE__STATE.pools[0];
}

#if SYCLZE_HAS_THREAD_CACHE
SYCLZE_INLINE struct syclze__cache *syclze__cache_at(
    struct syclze__thread *thread, uintptr_t offset) {
  return (struct syclze__cache *)(void *)((char *)thread->caches +
                                          offset / (sizeof(struct syclze__pool) /
                                                       sizeof(struct syclze__cache)));
}
#endif

/* A released object of the pool; null if this thread has none. Its members after the slot are
 * unspecified. */
SYCLZE_INLINE void *syclze__pool_take(const struct syclze__pool *pool) {
#if SYCLZE_HAS_THREAD_CACHE
  return syclze__cache_pop(syclze__cache_at(syclze__own_thread(), syclze__pool_offset(pool)));
#else
  (void)pool;
  return NULL;
#endif
}

/* An object of `size` bytes, the same for each call on this pool of the state; null without memory,
 * and in the child of a fork. Its members after the slot are unspecified. */
SYCLZE_INLINE void *syclze__pool_acquire(struct syclze__pool *pool, size_t size) {
  void *object = syclze__pool_take(pool);
  return SYCLZE__LIKELY(object != NULL) ? object : syclze__pool_refill(pool, size);
}

/* Returns an object to this pool of the state, if it is from there, or to its own. */
SYCLZE_INLINE void syclze__pool_release_to(
    const struct syclze__pool *pool, struct syclze__slot *slot) {
#if SYCLZE_HAS_THREAD_CACHE
  struct syclze__cache *cache = syclze__cache_at(syclze__own_thread(), syclze__pool_offset(pool));
  if (SYCLZE__LIKELY(slot->pool == pool && syclze__cache_push(cache, slot))) return;
#else
  (void)pool;
#endif
  syclze__pool_return(slot);
}

/* Returns an object to its pool. */
SYCLZE_INLINE void syclze__pool_release(struct syclze__slot *slot) {
#if SYCLZE_HAS_THREAD_CACHE
  const uintptr_t offset = syclze__pool_offset(slot->pool);
  if (SYCLZE__LIKELY(offset < sizeof SYCLZE__STATE.pools) &&
      syclze__cache_push(syclze__cache_at(syclze__own_thread(), offset), slot))
    return;
#endif
  syclze__pool_return(slot);
}

#if SYCLZE__BODIES

/* What a slab begins with. */
struct syclze__slab {
  struct syclze__slab *older; /* so that leak checkers find them */
  size_t slots;
};

/* Adds a slab, if there is memory. With the pool's lock held. */
SYCLZE_LOCAL void syclze__pool_grow(struct syclze__pool *pool, size_t stride) {
  size_t slots = pool->newest != NULL ? 2 * pool->newest->slots : (size_t)SYCLZE__SLAB_FIRST;
  struct syclze__slab *slab;
  if (slots > SYCLZE__SLAB_MOST) slots = SYCLZE__SLAB_MOST;
  slab = (struct syclze__slab *)calloc(1, sizeof *slab + SYCLZE__SLOT_LINE + slots * stride);
  if (slab == NULL) return;
  slab->older = pool->newest;
  slab->slots = slots;
  pool->newest = slab;
  pool->unused = (char *)(slab + 1);
  pool->unused += SYCLZE__SLOT_LINE - (uintptr_t)pool->unused % SYCLZE__SLOT_LINE;
  pool->unused_end = pool->unused + slots * stride;
}

/* Up to `most` objects, in `count`, as a list; null without memory. */
SYCLZE_LOCAL_WARM struct syclze__slot *syclze__pool_pop(
    struct syclze__pool *pool, size_t size, uint32_t most, uint32_t *count) {
  const size_t stride = (size + SYCLZE__SLOT_LINE - 1) / SYCLZE__SLOT_LINE * SYCLZE__SLOT_LINE;
  struct syclze__slot *first = NULL, *slot;
  uint32_t number = 0;
  syclze__lock_acquire(&pool->lock);
  if (most == SYCLZE__BATCH && pool->batches != NULL) {
    first = pool->batches;
    pool->batches = (struct syclze__slot *)(void *)first->pool;
    first->pool = pool;
    number = SYCLZE__BATCH;
  } else if (pool->free == NULL && pool->batches != NULL) {
    pool->free = pool->batches;
    pool->batches = (struct syclze__slot *)(void *)pool->free->pool;
    pool->free->pool = pool;
  }
  for (; number < most && pool->free != NULL; number++) {
    slot = pool->free;
    pool->free = slot->next;
    slot->next = first;
    first = slot;
  }
  if (number == 0 && pool->unused == pool->unused_end) syclze__pool_grow(pool, stride);
  for (; number < most && pool->unused != pool->unused_end; number++) {
    slot = (struct syclze__slot *)(void *)pool->unused;
    pool->unused += stride;
    slot->pool = pool;
    slot->next = first;
    first = slot;
  }
  syclze__lock_release(&pool->lock);
  *count = number;
  return first;
}

/* Returns a list of objects to their pool; `is_batch` if it is as long as a batch. */
SYCLZE_LOCAL_WARM void syclze__pool_push(struct syclze__slot *first, bool is_batch) {
  struct syclze__pool *pool;
  if (first == NULL) return;
  pool = first->pool;
  syclze__lock_acquire(&pool->lock);
  if (is_batch) {
    first->pool = (struct syclze__pool *)(void *)pool->batches;
    pool->batches = first;
  } else
    while (first != NULL) {
      struct syclze__slot *next = first->next;
      first->next = pool->free;
      pool->free = first;
      first = next;
    }
  syclze__lock_release(&pool->lock);
}

/* Takes an object from a cache without free ones; null without memory. Adds to `moved` what `room`
 * lost. */
SYCLZE_LOCAL_WARM struct syclze__slot *syclze__cache_refill(
    struct syclze__cache *cache, struct syclze__pool *pool, size_t size, int32_t *moved) {
  uint32_t count = SYCLZE__BATCH;
  if (cache->free == NULL) {
    cache->free =
        cache->full != NULL ? cache->full : syclze__pool_pop(pool, size, SYCLZE__BATCH, &count);
    cache->full = NULL;
    cache->room -= count;
    *moved += (int32_t)count;
  }
  return syclze__cache_pop(cache);
}

/* Adds an object to a cache without room. */
SYCLZE_LOCAL_WARM void syclze__cache_put(
    struct syclze__cache *cache, struct syclze__slot *slot, int32_t *moved) {
  if (cache->room == 0) {
    syclze__pool_push(cache->full, true);
    cache->full = cache->free;
    cache->free = NULL;
    cache->room = SYCLZE__BATCH;
    *moved -= SYCLZE__BATCH;
  }
  (void)syclze__cache_push(cache, slot);
}

/* As syclze__pool_acquire, and under sanitizers from a slab too. */
SYCLZE_LOCAL_WARM void *syclze__pool_acquire_lasting(struct syclze__pool *pool, size_t size) {
  uint32_t count;
  if (__atomic_load_n(&SYCLZE__STATE.forked, __ATOMIC_RELAXED) != 0) return NULL;
  return syclze__pool_pop(pool, size, 1, &count);
}

/* The calling thread's cache for a pool; null where it has none. */
SYCLZE_LOCAL_WARM struct syclze__cache *syclze__cache_get(const struct syclze__pool *pool) {
#if SYCLZE_HAS_THREAD_CACHE
  const uintptr_t offset = syclze__pool_offset(pool);
  struct syclze__thread *thread =
      offset < sizeof SYCLZE__STATE.pools ? syclze__thread_require() : NULL;
  return thread != NULL ? syclze__cache_at(thread, offset) : NULL;
#else
  (void)pool;
  return NULL;
#endif
}

SYCLZE_WARM void *syclze__pool_refill(struct syclze__pool *pool, size_t size) {
  struct syclze__cache *cache;
  int32_t moved = 0;
  if (__atomic_load_n(&SYCLZE__STATE.forked, __ATOMIC_RELAXED) != 0) return NULL;
  if (!SYCLZE_HAS_POOLS) return calloc(1, size);
  cache = syclze__cache_get(pool);
  return cache != NULL ? syclze__cache_refill(cache, pool, size, &moved)
                       : syclze__pool_acquire_lasting(pool, size);
}

SYCLZE_WARM void syclze__pool_return(struct syclze__slot *slot) {
  struct syclze__cache *cache;
  int32_t moved = 0;
  if (slot->pool == NULL) {
    free(slot);
    return;
  }
  if (__atomic_load_n(&SYCLZE__STATE.forked, __ATOMIC_RELAXED) != 0) return;
  cache = syclze__cache_get(slot->pool);
  if (cache != NULL) {
    syclze__cache_put(cache, slot, &moved);
    return;
  }
  slot->next = NULL;
  syclze__pool_push(slot, false);
}

#endif

SYCLZE_EXTERN_C_END

#endif
