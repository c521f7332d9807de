/* Pools of small objects of one size.
 *
 * A thread acquires and releases objects in its own caches, which exchange batches with the pool.
 * Slabs double in size and stay until the linked image ends (pool_end.h), so that a slot may be
 * read after its release. Large slabs consist of chunks, whose pages are returned to the system
 * when all their objects are free (pool_trim.h): then a released slot reads as zero. An object that
 * another linked image made returns to that image's pool. Any thread. */
#ifndef SYCLZE_DETAIL_MEMORY_POOL_H
#define SYCLZE_DETAIL_MEMORY_POOL_H

#include "../sync/lock.h"
#include "thread_cache.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__SLAB_FIRST = 64,        /* objects of the first slab */
  SYCLZE__SLAB_MOST = 512 * 1024, /* objects of a slab at most */
  SYCLZE__SLOT_MOST = 256,        /* bytes of an object */
  SYCLZE__SLOT_LINE = 64,         /* bytes of a cache line; no two objects share one */
  SYCLZE__CHUNK = 16384,          /* bytes of a chunk, and its alignment */
  SYCLZE__SLAB_WHOLE = 65536,     /* bytes at most of a slab without chunks */
  SYCLZE__POOL_KEPT = 1024,       /* free objects that a pool always keeps */
  SYCLZE__POOL_EASY = 32768       /* free objects that it keeps while no context ends */
};

/* Follow each struct that comes from a pool, and each one of the pool of another struct. */
#ifdef __cplusplus
#define SYCLZE__POOLED(type)                                                                       \
  static_assert(sizeof(type) <= SYCLZE__SLOT_MOST, "larger than a slot of a pool may be")
#define SYCLZE__POOLED_AS(type, other)                                                             \
  static_assert(sizeof(type) <= sizeof(other), "larger than a slot of that pool")
#else
#define SYCLZE__POOLED(type)                                                                       \
  _Static_assert(sizeof(type) <= SYCLZE__SLOT_MOST, "larger than a slot of a pool may be")
#define SYCLZE__POOLED_AS(type, other)                                                             \
  _Static_assert(sizeof(type) <= sizeof(other), "larger than a slot of that pool")
#endif

/* Defined in pool_trim.h. */
SYCLZE_WARM void syclze__pools_trim(void) SYCLZE_LINK_NAME(syclze__pools_trim);

/* Slow paths: for an empty cache, and for a full or missing one. */
SYCLZE_WARM void *syclze__pool_refill(struct syclze__pool *pool, size_t size)
    SYCLZE_LINK_NAME(syclze__pool_refill);
SYCLZE_WARM void syclze__pool_return(struct syclze__slot *slot)
    SYCLZE_LINK_NAME(syclze__pool_return);

/* Offset of a pool among those of this image; for other pools larger than any of these. */
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

/* Takes a free object from the thread's cache; null if it has none. Its members after the slot are
 * unspecified. */
SYCLZE_INLINE void *syclze__pool_take(const struct syclze__pool *pool) {
#if SYCLZE_HAS_THREAD_CACHE
  return syclze__cache_pop(syclze__cache_at(syclze__own_thread(), syclze__pool_offset(pool)));
#else
  (void)pool;
  return NULL;
#endif
}

/* Acquires an object of `size` bytes, the same for each call on this pool; null without memory, and
 * in the child of a fork. Its members after the slot are unspecified. */
SYCLZE_INLINE void *syclze__pool_acquire(struct syclze__pool *pool, size_t size) {
  void *object = syclze__pool_take(pool);
  return SYCLZE__LIKELY(object != NULL) ? object : syclze__pool_refill(pool, size);
}

/* Returns an object to its pool, which is this pool of the state unless another image made it. */
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

/* The head of a slab. */
struct syclze__slab {
  struct syclze__slab *older; /* lets leak checkers find slabs */
  size_t slots;
  char *chunks;          /* the first; null for a slab without chunks */
  uint32_t count, begun; /* of chunks, and of chunks that have been used */
  uint32_t in_chunk;     /* objects of each */
  uint32_t vacant;       /* chunks without an object */
  uint16_t free[1]; /* of each chunk: SYCLZE__VACANT, or during a trim the number of free objects */
};

#define SYCLZE__VACANT UINT16_MAX

/* Allocates a slab of at least `slots` objects; null without memory. */
SYCLZE_LOCAL struct syclze__slab *syclze__slab_new(size_t slots, size_t stride) {
  struct syclze__slab *slab;
  const size_t in_chunk = SYCLZE__CHUNK / stride, count = (slots + in_chunk - 1) / in_chunk;
  if (slots * stride < SYCLZE__SLAB_WHOLE) {
    slab = (struct syclze__slab *)calloc(1, sizeof *slab + SYCLZE__SLOT_LINE + slots * stride);
    if (slab != NULL) slab->slots = slots;
    return slab;
  }
  slab = (struct syclze__slab *)calloc(
      1, sizeof *slab + count * sizeof slab->free[0] + (count + 1) * SYCLZE__CHUNK);
  if (slab == NULL) return NULL;
  slab->chunks = (char *)&slab->free[count];
  slab->chunks += SYCLZE__CHUNK - (uintptr_t)slab->chunks % SYCLZE__CHUNK;
  slab->slots = count * in_chunk;
  slab->count = (uint32_t)count;
  slab->in_chunk = (uint32_t)in_chunk;
  return slab;
}

/* Takes a chunk for new objects: a returned one, or the next; null if there is none. */
SYCLZE_LOCAL char *syclze__slab_chunk(struct syclze__slab *slab) {
  uint32_t at = slab->begun;
  if (slab->vacant != 0) {
    for (at = 0; slab->free[at] != SYCLZE__VACANT;)
      at++;
    slab->free[at] = 0;
    slab->vacant--;
  } else if (at < slab->count)
    slab->begun++;
  else
    return NULL;
  return slab->chunks + (size_t)at * SYCLZE__CHUNK;
}

/* Finds memory for new objects, if available. */
SYCLZE_LOCAL void syclze__pool_grow(struct syclze__pool *pool, size_t stride) {
  SYCLZE__HELD(&pool->lock);
  size_t slots = pool->newest != NULL ? 2 * pool->newest->slots : (size_t)SYCLZE__SLAB_FIRST;
  struct syclze__slab *slab = pool->newest;
  char *chunk = NULL;
  for (; slab != NULL && chunk == NULL; slab = slab->older)
    chunk = syclze__slab_chunk(slab);
  if (chunk == NULL) {
    if (slots > SYCLZE__SLAB_MOST) slots = SYCLZE__SLAB_MOST;
    slab = syclze__slab_new(slots, stride);
    if (slab == NULL) return;
    slab->older = pool->newest;
    pool->newest = slab;
    chunk = syclze__slab_chunk(slab);
  }
  if (chunk != NULL) {
    pool->unused = chunk;
    pool->unused_end = chunk + SYCLZE__CHUNK / stride * stride;
    return;
  }
  pool->unused = (char *)(slab + 1);
  pool->unused += SYCLZE__SLOT_LINE - (uintptr_t)pool->unused % SYCLZE__SLOT_LINE;
  pool->unused_end = pool->unused + slab->slots * stride;
}

/* Marks a pool that has more free objects than it keeps for the next trim; true if that is due now.
 */
SYCLZE_INLINE bool syclze__pool_note(const struct syclze__pool *pool) {
  SYCLZE__HELD(&pool->lock);
  const uintptr_t kind = syclze__pool_offset(pool) / sizeof *pool;
  const uint32_t most = pool->kept + pool->kept / 8 + SYCLZE__POOL_KEPT;
  if (SYCLZE__LIKELY(pool->free_count <= most) || kind >= SYCLZE__POOL_KINDS ||
      __atomic_load_n(&pool->end, __ATOMIC_RELAXED) != NULL)
    return false;
  __atomic_fetch_or(&SYCLZE__STATE.trims, 1u << kind, __ATOMIC_RELAXED);
  return pool->free_count > 4 * (uint64_t)pool->kept + SYCLZE__POOL_EASY;
}

/* Takes up to `most` objects as a list, of `*count`; null without memory. */
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
  pool->free_count -= number;
  if (pool->kept > pool->free_count) pool->kept = pool->free_count;
  if (number == 0 && pool->unused == pool->unused_end) syclze__pool_grow(pool, stride);
  for (; number < most && pool->unused != pool->unused_end; number++) {
    slot = (struct syclze__slot *)(void *)pool->unused;
    pool->unused += stride;
    pool->made++;
    slot->pool = pool;
    slot->next = first;
    first = slot;
  }
  syclze__lock_release(&pool->lock);
  *count = number;
  return first;
}

/* Returns a list of objects to their pool. `is_batch`: the list is as long as a batch. */
SYCLZE_LOCAL_WARM void syclze__pool_push(struct syclze__slot *first, bool is_batch) {
  struct syclze__pool *pool;
  bool is_due;
  if (first == NULL) return;
  pool = first->pool;
  syclze__lock_acquire(&pool->lock);
  if (is_batch) {
    first->pool = (struct syclze__pool *)(void *)pool->batches;
    pool->batches = first;
    pool->free_count += SYCLZE__BATCH;
  } else
    for (; first != NULL; pool->free_count++) {
      struct syclze__slot *next = first->next;
      first->next = pool->free;
      pool->free = first;
      first = next;
    }
  is_due = syclze__pool_note(pool);
  syclze__lock_release(&pool->lock);
  if (SYCLZE__UNLIKELY(is_due)) syclze__pools_trim();
}

/* Refills an empty cache and takes an object; null without memory. Adds to `moved` what `room`
 * lost. */
SYCLZE_LOCAL_WARM struct syclze__slot *syclze__cache_refill(
    struct syclze__cache *cache, struct syclze__pool *pool, size_t size, int64_t *moved) {
  uint32_t count = SYCLZE__BATCH;
  if (cache->free == NULL) {
    cache->free =
        cache->full != NULL ? cache->full : syclze__pool_pop(pool, size, SYCLZE__BATCH, &count);
    cache->full = NULL;
    cache->room -= count;
    *moved += (int64_t)count;
  }
  return syclze__cache_pop(cache);
}

/* Adds an object to a full cache. */
SYCLZE_LOCAL_WARM void syclze__cache_put(
    struct syclze__cache *cache, struct syclze__slot *slot, int64_t *moved) {
  if (cache->room == 0) {
    syclze__pool_push(cache->full, true);
    cache->full = cache->free;
    cache->free = NULL;
    cache->room = SYCLZE__BATCH;
    *moved -= SYCLZE__BATCH;
  }
  (void)syclze__cache_push(cache, slot);
}

/* The calling thread's cache for a pool, or null. */
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

/* syclze__pool_acquire, but from a slab in every configuration. */
SYCLZE_LOCAL_WARM void *syclze__pool_acquire_lasting(struct syclze__pool *pool, size_t size) {
  struct syclze__cache *cache;
  int64_t moved = 0;
  uint32_t count;
  if (__atomic_load_n(&SYCLZE__STATE.forked, __ATOMIC_RELAXED) != 0) return NULL;
  cache = syclze__cache_get(pool);
  return cache != NULL ? syclze__cache_refill(cache, pool, size, &moved)
                       : syclze__pool_pop(pool, size, 1, &count);
}

SYCLZE_WARM void *syclze__pool_refill(struct syclze__pool *pool, size_t size) {
  if (SYCLZE_HAS_POOLS) return syclze__pool_acquire_lasting(pool, size);
  return __atomic_load_n(&SYCLZE__STATE.forked, __ATOMIC_RELAXED) != 0 ? NULL : calloc(1, size);
}

SYCLZE_WARM void syclze__pool_return(struct syclze__slot *slot) {
  struct syclze__cache *cache;
  int64_t moved = 0;
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

#include "pool_trim.h"

#endif
