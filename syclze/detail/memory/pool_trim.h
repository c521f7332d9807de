/* Returns pages of free objects to the system.
 *
 * The close or end of a context or bundle trims the pools that have more free objects than they
 * keep; a pool with many free objects is trimmed too. Objects of chunks that are free as a whole
 * leave the pool's lists, and their pages are dropped. The addresses stay the pool's and are
 * reused; a released object there reads as zero. */
#ifndef SYCLZE_DETAIL_MEMORY_POOL_TRIM_H
#define SYCLZE_DETAIL_MEMORY_POOL_TRIM_H

#include "pool.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The entry of a slot's chunk; null for a slot of a slab without chunks. `*at`, the slab of the
 * slot before, is tried first. */
SYCLZE_LOCAL_WARM uint16_t *syclze__slot_chunk(
    struct syclze__slab *newest, const struct syclze__slot *slot, struct syclze__slab **at) {
  struct syclze__slab *slab = *at;
  do {
    const uintptr_t offset = (uintptr_t)slot - (uintptr_t)slab->chunks;
    if (slab->chunks != NULL && offset < (uintptr_t)slab->count * SYCLZE__CHUNK) {
      *at = slab;
      return &slab->free[offset / SYCLZE__CHUNK];
    }
    slab = slab->older != NULL ? slab->older : newest;
  } while (slab != *at);
  return NULL;
}

/* Removes all free objects from the pool, as one list, and counts those of each chunk. */
SYCLZE_LOCAL struct syclze__slot *syclze__pool_take_all(struct syclze__pool *pool) {
  SYCLZE__HELD(&pool->lock);
  struct syclze__slot *all = NULL, *batch = pool->batches, *slot = pool->free;
  struct syclze__slab *slab = pool->newest;
  pool->free = pool->batches = NULL;
  while (slot != NULL || batch != NULL) {
    struct syclze__slot *next;
    uint16_t *chunk;
    if (slot == NULL) {
      slot = batch;
      batch = (struct syclze__slot *)(void *)slot->pool;
      slot->pool = pool;
    }
    chunk = syclze__slot_chunk(pool->newest, slot, &slab);
    if (chunk != NULL) ++*chunk;
    next = slot->next;
    slot->next = all;
    all = slot;
    slot = next;
  }
  return all;
}

/* Returns the objects of chunks that are partly in use, by the batch. */
SYCLZE_LOCAL void syclze__pool_put_all(struct syclze__pool *pool, struct syclze__slot *all) {
  SYCLZE__HELD(&pool->lock);
  struct syclze__slab *slab = pool->newest;
  uint32_t count = 0;
  pool->free_count = 0;
  while (all != NULL) {
    struct syclze__slot *slot = all;
    const uint16_t *chunk = syclze__slot_chunk(pool->newest, slot, &slab);
    all = slot->next;
    if (chunk != NULL && *chunk == slab->in_chunk) continue;
    slot->next = pool->free;
    pool->free = slot;
    pool->free_count++;
    if (++count < SYCLZE__BATCH) continue;
    slot->pool = (struct syclze__pool *)(void *)pool->batches;
    pool->batches = slot;
    pool->free = NULL;
    count = 0;
  }
}

SYCLZE_LOCAL void syclze__pages_drop(char *pages, size_t size) {
#ifdef SYS_madvise
  syclze__syscall(SYS_madvise, pages, size, 4 /* MADV_DONTNEED */);
#else
  (void)pages, (void)size;
#endif
}

/* Drops the pages of chunks that are free as a whole, adjacent ones at once. */
SYCLZE_LOCAL void syclze__slab_drop(struct syclze__pool *pool, struct syclze__slab *slab) {
  SYCLZE__HELD(&pool->lock);
  uint32_t begin = 0;
  for (uint32_t at = 0; at <= slab->begun; at++) {
    const bool is_free = at < slab->begun && slab->free[at] == slab->in_chunk;
    if (at < slab->begun && slab->free[at] != SYCLZE__VACANT)
      slab->free[at] = is_free ? SYCLZE__VACANT : 0;
    if (is_free) {
      slab->vacant++;
      pool->made -= slab->in_chunk;
      continue;
    }
    if (at > begin)
      syclze__pages_drop(
          slab->chunks + (size_t)begin * SYCLZE__CHUNK, (size_t)(at - begin) * SYCLZE__CHUNK);
    begin = at + 1;
  }
}

SYCLZE_LOCAL void syclze__pool_trim(struct syclze__pool *pool) {
  struct syclze__slab *slab;
  syclze__lock_acquire(&pool->lock);
  syclze__pool_put_all(pool, syclze__pool_take_all(pool));
  for (slab = pool->newest; slab != NULL; slab = slab->older)
    if (slab->chunks != NULL) syclze__slab_drop(pool, slab);
  pool->kept = pool->free_count;
  syclze__lock_release(&pool->lock);
}

/* Trims the marked pools. */
SYCLZE_WARM void syclze__pools_trim(void) {
  uint32_t marked;
  if (SYCLZE__LIKELY(__atomic_load_n(&SYCLZE__STATE.trims, __ATOMIC_RELAXED) == 0)) return;
  marked = __atomic_exchange_n(&SYCLZE__STATE.trims, 0, __ATOMIC_RELAXED);
  for (uint32_t kind = 0; kind < SYCLZE__POOL_KINDS; kind++)
    if ((marked >> kind & 1) != 0) syclze__pool_trim(&SYCLZE__STATE.pools[kind]);
}

#endif

SYCLZE_EXTERN_C_END

#endif
