/* Counts the children of a parent, such as the events of a context or the kernels of a bundle,
 * without a cache line that threads share.
 *
 * Each thread counts in its own block, in the parent's entry (thread_cache.h), where it keeps free
 * children too. The number of live children is the sum of all threads' counts and `shared`. It is
 * computed only once the parent has no references and is closed: `entry` becomes 0 and `closing` 1,
 * behind a barrier of the process. From then on children are counted with the state's thread_lock
 * held, and the release that leaves a sum of 0 ends the parent.
 *
 * A release on the fast path stores its count and then loads `closing` without a fence; the close
 * stores `closing` and behind the barrier loads the counts: one of the two sees the other. A make
 * on the fast path that began before the barrier is covered by a reference or a child, whose later
 * release sees the make. `closing` and `slow` may be loaded from a parent that has ended, or from
 * the next one in its place: the memory stays readable (pool.h), and a look at the sum of another
 * parent ends it only where its own last release would have.
 *
 * The slow path is a function pointer in the parent, so that it belongs to the linked image and the
 * file that made the parent. Another image has no entry for the parent in its blocks, and always
 * calls it; its children come from the pools of the parent's image. Without pools every child takes
 * the slow path. */
#ifndef SYCLZE_DETAIL_MEMORY_SHARDED_COUNT_H
#define SYCLZE_DETAIL_MEMORY_SHARDED_COUNT_H

#include "../ref.h"

SYCLZE_EXTERN_C_BEGIN

/* Steps of a parent's slow path. */
enum syclze__child_step {
  SYCLZE__CHILD_NEW,   /* counts a child, and returns its memory; null without memory */
  SYCLZE__CHILD_FREE,  /* returns a child's memory to its pool, and counts it off */
  SYCLZE__CHILD_LEAVE, /* counts a child off */
  SYCLZE__CHILD_LOOK,  /* checks the sum after a child was counted off while the parent was closing
                        */
  SYCLZE__PARENT_CLOSE /* after the last reference of the parent */
};

struct syclze__parent;

typedef struct syclze__made syclze__child_function(struct syclze__parent *parent,
    enum syclze__child_step step, enum syclze__pool_kind kind, struct syclze__slot *slot,
    size_t size);

/* The first member of a context and a bundle. Of a free one all behind `slow` is 0. */
struct syclze__parent {
  struct syclze__ref ref;
  syclze__child_function *slow; /* atomic */
  uint32_t entry;               /* atomic: offset in the blocks of threads; 0 while there is none */
  uint32_t closing;             /* atomic */
  uint32_t used;                /* atomic: there has been a child */
  uint32_t index; /* of its entries; 0 for none. This and the following with thread_lock held */
  int64_t shared; /* children that no thread counts */
};

SYCLZE_INLINE void syclze__parent_init(
    struct syclze__parent *parent, uint32_t ownership, syclze__child_function *slow) {
  syclze__ref_init(&parent->ref, ownership);
  __atomic_store_n(&parent->slow, slow, __ATOMIC_RELAXED);
}

#if SYCLZE_HAS_THREAD_CACHE
SYCLZE_INLINE struct syclze__entry *syclze__entry_of(const struct syclze__parent *parent) {
  struct syclze__thread *const thread = syclze__own_thread();
  const uint32_t offset = __atomic_load_n(&parent->entry, __ATOMIC_RELAXED) & thread->entry_mask;
  return (struct syclze__entry *)(void *)((char *)thread + offset);
}
#endif

/* Counts a child, and takes its memory from the thread's cache; null if that is empty. */
SYCLZE_INLINE void *syclze__child_take(
    const struct syclze__parent *parent, enum syclze__pool_kind kind) {
#if SYCLZE_HAS_THREAD_CACHE
  struct syclze__cache *cache =
      &syclze__entry_of(parent)->caches[(uint32_t)kind % (uint32_t)SYCLZE__CHILD_LISTS];
  struct syclze__slot *slot = cache->free;
  if (SYCLZE__UNLIKELY(slot == NULL)) return NULL;
  cache->free = slot->next;
  __atomic_store_n(&cache->room, cache->room + 1, __ATOMIC_RELAXED);
  return slot;
#else
  (void)parent, (void)kind;
  return NULL;
#endif
}

/* Counts a child, and acquires its memory; null without memory, and in the child of a fork. */
SYCLZE_INLINE void *syclze__child_acquire(
    struct syclze__parent *parent, enum syclze__pool_kind kind, size_t size) {
  void *memory = syclze__child_take(parent, kind);
  return SYCLZE__LIKELY(memory != NULL)
             ? memory
             : parent->slow(parent, SYCLZE__CHILD_NEW, kind, NULL, size).rep;
}

/* Returns a child's memory, and counts it off. The last child of a parent without references ends
 * the parent. */
SYCLZE_INLINE ze_result_t syclze__child_release(
    struct syclze__parent *parent, enum syclze__pool_kind kind, struct syclze__slot *slot) {
  enum syclze__child_step step = SYCLZE__CHILD_FREE;
#if SYCLZE__CHECKED
  SYCLZE__CHECK_FREE(slot);
  step = SYCLZE__CHILD_LEAVE;
#elif SYCLZE_HAS_THREAD_CACHE
  struct syclze__cache *cache =
      &syclze__entry_of(parent)->caches[(uint32_t)kind % (uint32_t)SYCLZE__CHILD_LISTS];
  if (SYCLZE_HAS_POOLS && SYCLZE__LIKELY(cache->room != 0)) {
    slot->next = cache->free;
    cache->free = slot;
    __atomic_store_n(&cache->room, cache->room - 1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (SYCLZE__LIKELY(__atomic_load_n(&parent->closing, __ATOMIC_RELAXED) == 0))
      return ZE_RESULT_SUCCESS;
    step = SYCLZE__CHILD_LOOK;
  }
#endif
  return __atomic_load_n(&parent->slow, __ATOMIC_RELAXED)(parent, step, kind, slot, 0).result;
}

/* Drops a reference of a parent, and returns the count that is left: negative without references.
 * After the last one its children may keep the parent, or end it on another thread: what follows
 * depends on that count alone. */
SYCLZE_INLINE int32_t syclze__parent_release(struct syclze__parent *parent) {
  return __atomic_sub_fetch(&parent->ref.others, 1, __ATOMIC_ACQ_REL);
}

/* Drops the only reference of a parent that has never had a child, and which therefore ends at
 * once. False for others, and for a weak one, to which another thread may add a reference. */
SYCLZE_INLINE bool syclze__parent_release_alone(struct syclze__parent *parent) {
  if (SYCLZE__UNLIKELY(!syclze__ref_is_only(&parent->ref))) return false;
  if (SYCLZE__UNLIKELY(__atomic_load_n(&parent->used, __ATOMIC_RELAXED) != 0)) return false;
  if (SYCLZE__UNLIKELY(parent->ref.ownership != SYCLZE__KEPT) && syclze__ref_is_weak(&parent->ref))
    return false;
  __atomic_store_n(&parent->ref.others, SYCLZE__REF_FREE, __ATOMIC_RELAXED);
  return true;
}

#if SYCLZE__BODIES

/* Closes the parent after a release that left that count, which is negative, or ends a closed one
 * without children. Another thread may have ended it by then. */
SYCLZE_LOCAL ze_result_t syclze__parent_last(struct syclze__parent *parent, int32_t left,
    enum syclze__pool_kind kind, const char *function) {
  if (left < SYCLZE__REF_CLOSED || left == -2) return syclze__ref_underflow(&parent->ref, function);
  return __atomic_load_n(&parent->slow, __ATOMIC_RELAXED)(
      parent, left == -1 ? SYCLZE__PARENT_CLOSE : SYCLZE__CHILD_LOOK, kind, NULL, 0)
      .result;
}

/* Memory of a child for a make; null after an error, set in `status`. */
SYCLZE_LOCAL void *syclze__make_memory(struct syclze__status *status, struct syclze__parent *parent,
    enum syclze__pool_kind kind, size_t size) {
  void *memory = NULL;
  if (status->result != ZE_RESULT_SUCCESS) return NULL;
  memory = syclze__child_acquire(parent, kind, size);
  if (memory == NULL) *status = syclze__out_of_memory();
  return memory;
}

/* The calling thread's entry, created if missing; null if the parent or the thread cannot have
 * one. */
SYCLZE_LOCAL_WARM struct syclze__entry *syclze__entry_get(struct syclze__parent *parent) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  struct syclze__thread *thread = parent->closing == 0 ? syclze__thread_get() : NULL;
  struct syclze__entry *entry;
  if (thread == NULL) return NULL;
  for (uint32_t i = 0; parent->index == 0 && i < SYCLZE__ENTRIES / 64; i++) {
    /* Entry 0 belongs to no parent. */
    const uint64_t unused = ~(SYCLZE__STATE.entries_used[i] | (i == 0 ? 1u : 0u));
    if (unused == 0) continue;
    SYCLZE__STATE.entries_used[i] |= unused & (0 - unused);
    parent->index = i * 64 + (uint32_t)__builtin_ctzll(unused);
    __atomic_store_n(&parent->entry,
        (uint32_t)(offsetof(struct syclze__thread, entries) +
                   parent->index * sizeof(struct syclze__entry)),
        __ATOMIC_RELAXED);
  }
  if (parent->index == 0) return NULL;
  entry = &thread->entries[parent->index];
  if (entry->base == 0) {
    for (uint32_t list = 0; list < SYCLZE__CHILD_LISTS; list++)
      entry->caches[list].room = SYCLZE__BATCH;
    memset(entry->idle_room, SYCLZE__IDLE_EVENTS, sizeof entry->idle_room);
    entry->base = SYCLZE__ENTRY_BIAS - SYCLZE__CHILD_LISTS * SYCLZE__BATCH;
  }
  return entry;
}

/* Counts a child, by 1 or -1, if pools do not. */
SYCLZE_LOCAL_WARM void syclze__child_count(
    struct syclze__parent *parent, struct syclze__entry *entry, int32_t change) {
  if (entry != NULL)
    __atomic_store_n(&entry->base, entry->base + change, __ATOMIC_RELEASE);
  else
    parent->shared += change;
}

/* Counts a child, and returns its memory; null without memory. The lock of the entry's thread is
 * held, or without an entry thread_lock. */
SYCLZE_LOCAL_WARM void *syclze__child_new(struct syclze__parent *parent,
    struct syclze__entry *entry, enum syclze__pool_kind kind, size_t size) {
  struct syclze__pool *pool = &SYCLZE__STATE.pools[kind];
  void *slot;
  uint32_t count;
  if (!SYCLZE_HAS_POOLS) {
    /* A bundle is a parent, which may be read after its end. */
    slot = kind == SYCLZE__POOL_KERNEL_BUNDLE ? syclze__pool_acquire_lasting(pool, size)
                                              : calloc(1, size);
    if (slot != NULL) syclze__child_count(parent, entry, 1);
  } else if (entry != NULL)
    slot = syclze__cache_refill(
        &entry->caches[(uint32_t)kind % (uint32_t)SYCLZE__CHILD_LISTS], pool, size, &entry->base);
  else {
    slot = syclze__pool_pop(pool, size, 1, &count);
    if (slot != NULL) parent->shared++;
  }
  if (slot != NULL) __atomic_store_n(&parent->used, 1, __ATOMIC_RELAXED);
  return slot;
}

/* Frees a child. The same lock is held. */
SYCLZE_LOCAL_WARM void syclze__child_free(struct syclze__parent *parent,
    struct syclze__entry *entry, enum syclze__pool_kind kind, struct syclze__slot *slot) {
  if (!SYCLZE_HAS_POOLS) {
    syclze__pool_return(slot);
    syclze__child_count(parent, entry, -1);
  } else if (entry != NULL)
    syclze__cache_put(
        &entry->caches[(uint32_t)kind % (uint32_t)SYCLZE__CHILD_LISTS], slot, &entry->base);
  else {
    slot->next = NULL;
    syclze__pool_push(slot, false);
    parent->shared--;
  }
}

/* Closes a parent after its last release: it ends with its last child. Its state may have changed
 * before the lock was acquired. */
SYCLZE_LOCAL void syclze__parent_close(struct syclze__parent *parent) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  int32_t none = -1;
  /* The holder of a child may have retained the parent meanwhile. */
  if (!__atomic_compare_exchange_n(&parent->ref.others, &none, (int32_t)SYCLZE__REF_CLOSED, false,
          __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  __atomic_store_n(&parent->entry, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&parent->closing, 1, __ATOMIC_SEQ_CST);
  if (parent->index != 0 && syclze__thread_is_one_of_many()) syclze__thread_barrier(false);
}

/* The number of children that the entry's thread has counted. */
SYCLZE_LOCAL int64_t syclze__entry_count(
    struct syclze__thread *thread, const struct syclze__entry *entry) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  int64_t count;
  syclze__lock_acquire(&thread->lock);
  count = __atomic_load_n(&entry->base, __ATOMIC_ACQUIRE);
  if (count != 0) count -= SYCLZE__ENTRY_BIAS;
  for (uint32_t list = 0; list < SYCLZE__CHILD_LISTS; list++)
    count += (int64_t)__atomic_load_n(&entry->caches[list].room, __ATOMIC_ACQUIRE);
  syclze__lock_release(&thread->lock);
  return count;
}

/* Returns a thread's idle events to the context that a parent is. */
typedef void syclze__idle_function(struct syclze__parent *parent, struct syclze__entry *entry);

SYCLZE_LOCAL void syclze__entry_end(struct syclze__parent *parent, struct syclze__entry *entry,
    syclze__idle_function *idle_return) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  for (uint32_t list = 0; list < SYCLZE__CHILD_LISTS; list++) {
    syclze__pool_push(entry->caches[list].full, true);
    syclze__pool_push(entry->caches[list].free, false);
  }
  if (idle_return != NULL) idle_return(parent, entry);
  memset(entry, 0, sizeof *entry);
}

/* True if the parent is closed and has no child: the caller destroys it. */
SYCLZE_LOCAL bool syclze__parent_ends(
    struct syclze__parent *parent, syclze__idle_function *idle_return) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  const uint32_t index = parent->index;
  struct syclze__thread *const threads = index != 0 ? SYCLZE__STATE.threads : NULL, *thread;
  int64_t alive = parent->shared;
  if (parent->closing == 0 ||
      __atomic_load_n(&parent->ref.others, __ATOMIC_ACQUIRE) != SYCLZE__REF_CLOSED)
    return false;
  for (thread = threads; thread != NULL; thread = thread->next)
    alive += syclze__entry_count(thread, &thread->entries[index]);
  if (alive != 0) return false;
  for (thread = threads; thread != NULL; thread = thread->next)
    syclze__entry_end(parent, &thread->entries[index], idle_return);
  if (index != 0) SYCLZE__STATE.entries_used[index / 64] &= ~((uint64_t)1 << index % 64);
  __atomic_store_n(&parent->closing, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&parent->used, 0, __ATOMIC_RELAXED);
  parent->index = 0;
  parent->shared = 0;
  __atomic_store_n(&parent->ref.others, SYCLZE__REF_FREE, __ATOMIC_RELEASE);
  return true;
}

/* Takes a step in the calling thread's entry; false if it has none. Sets `closing` if the step may
 * have ended the parent. */
SYCLZE_LOCAL_WARM bool syclze__entry_step(struct syclze__parent *parent,
    enum syclze__child_step step, enum syclze__pool_kind kind, struct syclze__slot **slot,
    size_t size, bool *closing) {
#if SYCLZE_HAS_THREAD_CACHE
  struct syclze__entry *entry = syclze__entry_of(parent);
  struct syclze__thread *thread = syclze__own_thread();
  *closing = false;
  if (SYCLZE__UNLIKELY(step > SYCLZE__CHILD_FREE || entry->base == 0)) return false;
  syclze__lock_acquire(&thread->lock);
  if (step == SYCLZE__CHILD_NEW)
    *slot = (struct syclze__slot *)syclze__child_new(parent, entry, kind, size);
  else
    syclze__child_free(parent, entry, kind, *slot);
  syclze__lock_release(&thread->lock);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *closing = step == SYCLZE__CHILD_FREE && __atomic_load_n(&parent->closing, __ATOMIC_RELAXED) != 0;
  return true;
#else
  (void)parent, (void)step, (void)kind, (void)slot, (void)size;
  return *closing = false;
#endif
}

/* Slow path of a parent's steps. True if the parent has ended. */
SYCLZE_LOCAL_WARM bool syclze__parent_step(struct syclze__parent *parent,
    enum syclze__child_step step, enum syclze__pool_kind kind, struct syclze__slot **slot,
    size_t size, syclze__idle_function *idle_return) {
  struct syclze__entry *entry = NULL;
  bool ends = false;
  if (__atomic_load_n(&SYCLZE__STATE.forked, __ATOMIC_RELAXED) != 0) return false;
  if (SYCLZE__LIKELY(syclze__entry_step(parent, step, kind, slot, size, &ends))) {
    if (SYCLZE__LIKELY(!ends)) return false;
    step = SYCLZE__CHILD_LOOK;
  }
  syclze__lock_acquire(&SYCLZE__STATE.thread_lock);
  /* Readers of counts hold the lock too. */
  if (step <= SYCLZE__CHILD_FREE) entry = syclze__entry_get(parent);
  if (step == SYCLZE__CHILD_NEW)
    *slot = (struct syclze__slot *)syclze__child_new(parent, entry, kind, size);
  else {
    if (step == SYCLZE__CHILD_FREE) syclze__child_free(parent, entry, kind, *slot);
    if (step == SYCLZE__CHILD_LEAVE) parent->shared--;
    if (step == SYCLZE__PARENT_CLOSE) syclze__parent_close(parent);
    ends = syclze__parent_ends(parent, idle_return);
    if (ends || step == SYCLZE__PARENT_CLOSE) syclze__pools_trim();
  }
  syclze__lock_release(&SYCLZE__STATE.thread_lock);
  return ends;
}

#endif

SYCLZE_EXTERN_C_END

#endif
