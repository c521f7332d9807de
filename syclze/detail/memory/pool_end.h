/* The end of the memory of a linked image: at dlclose, or at exit.
 *
 * Slabs and blocks of threads are freed if no object of the image is alive, and no other thread has
 * a block. Otherwise they stay, since other images or threads may use them. The state is then as at
 * first: handlers of the end that run later may use the library. */
#ifndef SYCLZE_DETAIL_MEMORY_POOL_END_H
#define SYCLZE_DETAIL_MEMORY_POOL_END_H

#include "../sync/fork.h"
#include "pool.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* A state of several images outlives each of them, and has blocks that all of them refer to. */
#if SYCLZE_HAS_THREAD_CACHE && !defined(SYCLZE_STATE_EXTERN)

/* True if only the calling thread, of those that run, has a block. */
SYCLZE_LOCAL bool syclze__threads_have_ended(void) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  const struct syclze__thread *own = syclze__own_thread(), *thread = SYCLZE__STATE.threads;
  while (thread != NULL && (thread == own || syclze__thread_has_ended(thread->id)))
    thread = thread->next;
  return thread == NULL;
}

/* Adds the objects in the threads' caches to the pool's. */
SYCLZE_LOCAL void syclze__pool_collect(struct syclze__pool *pool) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  for (struct syclze__thread *thread = SYCLZE__STATE.threads; thread; thread = thread->next) {
    struct syclze__cache *cache = syclze__cache_at(thread, syclze__pool_offset(pool));
    syclze__pool_push(cache->full, true);
    syclze__pool_push(cache->free, false);
    cache->full = cache->free = NULL;
    cache->room = SYCLZE__BATCH;
  }
}

/* True if all objects of all pools are free, and no parent has an entry. */
SYCLZE_LOCAL bool syclze__pools_are_free(void) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  bool are_free = true;
  for (uint32_t i = 0; i < SYCLZE__ENTRIES / 64; i++)
    are_free = are_free && SYCLZE__STATE.entries_used[i] == 0;
  for (uint32_t kind = 0; kind < SYCLZE__POOL_KINDS && are_free; kind++) {
    struct syclze__pool *pool = &SYCLZE__STATE.pools[kind];
    syclze__pool_collect(pool);
    syclze__lock_acquire(&pool->lock);
    are_free = pool->free_count == pool->made;
    syclze__lock_release(&pool->lock);
  }
  return are_free;
}

SYCLZE_LOCAL void syclze__pool_end(struct syclze__pool *pool) {
  struct syclze__slot *slot = NULL;
  struct syclze__slab *slab;
  syclze__lock_acquire(&pool->lock);
  if (pool->end != NULL) slot = syclze__pool_take_all(pool);
  for (; slot != NULL; slot = slot->next)
    pool->end(slot);
  while ((slab = pool->newest) != NULL) {
    pool->newest = slab->older;
    free(slab);
  }
  pool->free = pool->batches = NULL;
  pool->unused = pool->unused_end = NULL;
  pool->free_count = pool->kept = pool->made = 0;
  syclze__lock_release(&pool->lock);
}

SYCLZE_LOCAL void syclze__threads_free(void) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  syclze__own_thread_set(&SYCLZE__NO_THREAD);
  while (SYCLZE__STATE.threads != NULL) {
    void *memory = SYCLZE__STATE.threads->memory;
    SYCLZE__STATE.threads = SYCLZE__STATE.threads->next;
    free(memory);
  }
}

/* A handler of atexit, which dlclose calls too. A thread without a block has no object, and waits
 * for the lock to get one. */
SYCLZE_LOCAL void syclze__pools_end(void) {
  if (syclze__is_forked()) return;
  syclze__lock_acquire(&SYCLZE__STATE.thread_lock);
  __atomic_store_n(&SYCLZE__STATE.ends, 0, __ATOMIC_RELAXED);
  if (SYCLZE__STATE.threads != NULL && syclze__threads_have_ended() && syclze__pools_are_free()) {
    for (uint32_t kind = 0; kind < SYCLZE__POOL_KINDS; kind++)
      syclze__pool_end(&SYCLZE__STATE.pools[kind]);
    if (SYCLZE__STATE.aliases != NULL) SYCLZE__STATE.aliases_end();
    syclze__threads_free();
  }
  syclze__lock_release(&SYCLZE__STATE.thread_lock);
}

/* Called for each context, without which an image has no other object. */
SYCLZE_LOCAL void syclze__pools_register_end(void) {
  if (__atomic_exchange_n(&SYCLZE__STATE.ends, 1, __ATOMIC_RELAXED) == 0)
    (void)atexit(syclze__pools_end);
}

#else

SYCLZE_LOCAL void syclze__pools_register_end(void) {
}

#endif

#endif

SYCLZE_EXTERN_C_END

#endif
