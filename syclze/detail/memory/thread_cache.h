/* Per-thread caches, which avoid false sharing between threads that use distinct objects: free
 * objects (pool.h), and an entry for each parent (sharded_count.h).
 *
 * A linked image has one thread-local pointer, to a block that the thread's first slow path
 * allocates. Blocks stay in a list of the state: a new thread takes over the block of one that has
 * ended. Until a thread has a block, its pointer is to an empty one, which has no objects, no room,
 * and no entries: its mask hides them. */
#ifndef SYCLZE_DETAIL_MEMORY_THREAD_CACHE_H
#define SYCLZE_DETAIL_MEMORY_THREAD_CACHE_H

#include "../sync/lock.h"
#include "../state.h"
#include "../thread_pointer.h"

#if SYCLZE_HAS_THREAD_CACHE && SYCLZE__BODIES
#include <errno.h>
#include <sys/syscall.h>
#endif

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__BATCH = 128, /* objects that a thread gets or returns at once; it keeps up to two */
  SYCLZE__IDLE_EVENTS = 64,
  SYCLZE__CHILD_LISTS = 5
};

#define SYCLZE__ENTRY_BIAS ((int64_t)1 << 62)

struct syclze__native_event;

/* A thread's free objects of a kind. */
struct syclze__cache {
  struct syclze__slot *free;
  uint64_t room;             /* in `free`, for more */
  struct syclze__slot *full; /* null, or a batch */
  uint64_t unused;
};

/* Removes the object that was added last; null if there is none. */
SYCLZE_INLINE struct syclze__slot *syclze__cache_pop(struct syclze__cache *cache) {
  struct syclze__slot *slot = cache->free;
  if (SYCLZE__UNLIKELY(slot == NULL)) return NULL;
  cache->free = slot->next;
  cache->room++;
  return slot;
}

/* False if there is no room. */
SYCLZE_INLINE bool syclze__cache_push(struct syclze__cache *cache, struct syclze__slot *slot) {
  if (SYCLZE__UNLIKELY(cache->room == 0)) return false;
  slot->next = cache->free;
  cache->free = slot;
  cache->room--;
  return true;
}

/* A thread's part of a parent: written by its own thread, or at the parent's end by another. The
 * rooms and `base` are atomic, since others read them. */
struct syclze__entry {
  struct syclze__cache caches[SYCLZE__CHILD_LISTS];
  struct syclze__native_event *idle[5]; /* of each syclze__event_kind */
  uint8_t idle_room[5];                 /* for more */
  int64_t base; /* with the rooms: the children that this thread added less those that it removed,
                   plus SYCLZE__ENTRY_BIAS; 0 in an unused entry */
};

struct syclze__thread {
  struct syclze__entry none; /* of no parent: has no objects and no room */
  uint32_t entry_mask;       /* of offsets of entries: all bits, and none in the empty block */
  struct syclze__cache caches[SYCLZE__POOL_KINDS];
  /* Held for changes of the entries' counts other than by one. */
  SYCLZE__LOCK(SYCLZE__RANK_THREAD) lock;
  struct syclze__thread *next;
  void *memory; /* the block's allocation */
  long id;      /* the kernel's thread ID; 0 after syclze__thread_leave */
  struct syclze__entry entries[SYCLZE__ENTRIES]; /* of the parents, by their index */
};

SYCLZE_EXTERN_C_END

#if SYCLZE_HAS_THREAD_CACHE

#define SYCLZE__THREAD SYCLZE__THREAD_(SYCLZE_ABI)
#define SYCLZE__THREAD_(abi) SYCLZE__THREAD__(abi)
#define SYCLZE__THREAD__(abi) syclze__thread_v##abi
#define SYCLZE__NO_THREAD SYCLZE__NO_THREAD_(SYCLZE_ABI)
#define SYCLZE__NO_THREAD_(abi) SYCLZE__NO_THREAD__(abi)
#define SYCLZE__NO_THREAD__(abi) syclze__no_thread_v##abi
#define SYCLZE__NO_THREAD_BYTES 1024

#ifdef __cplusplus
extern "C" {
static_assert(offsetof(struct syclze__thread, entries) <= SYCLZE__NO_THREAD_BYTES,
    "the common symbol is too small");
#else
_Static_assert(offsetof(struct syclze__thread, entries) <= SYCLZE__NO_THREAD_BYTES,
    "the common symbol is too small");
#endif
extern __attribute__((visibility("hidden"))) __thread struct syclze__thread *SYCLZE__THREAD;
extern __attribute__((visibility("hidden"))) struct syclze__thread SYCLZE__NO_THREAD;
#ifdef __cplusplus
}
#endif

#define SYCLZE__THREAD_DEFINITION                                                                  \
  SYCLZE__THREAD_POINTER(SYCLZE__THREAD, SYCLZE__NO_THREAD, SYCLZE__NO_THREAD_BYTES)
SYCLZE__THREAD_POINTER_OF_FILE(SYCLZE__THREAD_DEFINITION)

SYCLZE_EXTERN_C_BEGIN

/* The calling thread's block, or the empty one. */
SYCLZE_INLINE struct syclze__thread *syclze__own_thread(void) {
  SYCLZE__THREAD_POINTER_OF_FUNCTION(SYCLZE__THREAD_DEFINITION);
  return SYCLZE__THREAD;
}

SYCLZE_INLINE void syclze__own_thread_set(struct syclze__thread *thread) {
  SYCLZE__THREAD_POINTER_OF_FUNCTION(SYCLZE__THREAD_DEFINITION);
  SYCLZE__THREAD = thread;
}

#if SYCLZE__BODIES

/* Orders the writes of all threads of the process before what follows, on the cold side of a
 * protocol whose hot side has no fence. False if the process cannot; `enrols` must be passed once
 * before. */
SYCLZE_LOCAL bool syclze__thread_barrier(bool enrols) {
  enum { PRIVATE_EXPEDITED = 8, REGISTER_PRIVATE_EXPEDITED = 16 };
  return syclze__syscall(
             SYS_membarrier, enrols ? REGISTER_PRIVATE_EXPEDITED : PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* Enables blocks of threads; called by the first enumeration. */
SYCLZE_LOCAL void syclze__threads_enable(void) {
  if (__atomic_load_n(&SYCLZE__STATE.threads_enabled, __ATOMIC_RELAXED) == 0 &&
      syclze__thread_barrier(true))
    __atomic_store_n(&SYCLZE__STATE.threads_enabled, 1, __ATOMIC_RELAXED);
}

SYCLZE_LOCAL bool syclze__thread_has_ended(long id) {
  return id == 0 || (SYCLZE__SEES_ENDS_OF_THREADS &&
                        syclze__syscall(SYS_tgkill, syclze__syscall(SYS_getpid), id, 0) != 0 &&
                        errno == ESRCH);
}

/* The block of the calling thread, created if missing; null without memory, and if threads have no
 * blocks. */
SYCLZE_LOCAL_WARM struct syclze__thread *syclze__thread_get(void) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  struct syclze__thread *thread = syclze__own_thread();
  char *memory;
  long self;
  if (thread != &SYCLZE__NO_THREAD) return thread;
  if (__atomic_load_n(&SYCLZE__STATE.threads_enabled, __ATOMIC_RELAXED) == 0) return NULL;
  self = syclze__syscall(SYS_gettid);
  thread = SYCLZE__STATE.threads;
  while (thread != NULL && thread->id != self && !syclze__thread_has_ended(thread->id))
    thread = thread->next;
  if (thread == NULL) {
    /* Aligns to pairs of cache lines, which processors fetch together, so that no two threads share
     * one. */
    memory = (char *)calloc(1, (sizeof *thread + 127) / 128 * 128 + 128);
    if (memory == NULL) return NULL;
    thread = (struct syclze__thread *)(void *)(memory + 128 - (uintptr_t)memory % 128);
    thread->memory = memory;
    thread->entry_mask = UINT32_MAX;
    for (uint32_t kind = 0; kind < SYCLZE__POOL_KINDS; kind++)
      thread->caches[kind].room = SYCLZE__BATCH;
    thread->next = SYCLZE__STATE.threads;
    SYCLZE__STATE.threads = thread;
  }
  thread->id = self;
  syclze__own_thread_set(thread);
  return thread;
}

/* Leaves the calling thread's block to others, as the thread's last step. */
SYCLZE_LOCAL void syclze__thread_leave(void) {
  struct syclze__thread *thread = syclze__own_thread();
  if (thread == &SYCLZE__NO_THREAD) return;
  syclze__lock_acquire(&SYCLZE__STATE.thread_lock);
  syclze__own_thread_set(&SYCLZE__NO_THREAD);
  thread->id = 0;
  syclze__lock_release(&SYCLZE__STATE.thread_lock);
}

/* True unless only the calling thread has ever had a block. */
SYCLZE_LOCAL bool syclze__thread_is_one_of_many(void) {
  SYCLZE__HELD(&SYCLZE__STATE.thread_lock);
  return SYCLZE__STATE.threads->next != NULL || SYCLZE__STATE.threads != syclze__own_thread();
}

/* Acquires the lock, and calls syclze__thread_get. */
SYCLZE_LOCAL_WARM struct syclze__thread *syclze__thread_require(void) {
  struct syclze__thread *thread = syclze__own_thread();
  if (SYCLZE__LIKELY(thread != &SYCLZE__NO_THREAD)) return thread;
  syclze__lock_acquire(&SYCLZE__STATE.thread_lock);
  thread = syclze__thread_get();
  syclze__lock_release(&SYCLZE__STATE.thread_lock);
  return thread;
}

#endif

SYCLZE_EXTERN_C_END

#else

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES
SYCLZE_LOCAL bool syclze__thread_barrier(bool enrols) {
  return enrols;
}
SYCLZE_LOCAL void syclze__threads_enable(void) {
}
SYCLZE_LOCAL void syclze__thread_leave(void) {
}
SYCLZE_LOCAL bool syclze__thread_is_one_of_many(void) {
  return false;
}
SYCLZE_LOCAL_WARM struct syclze__thread *syclze__thread_get(void) {
  return NULL;
}
#endif

SYCLZE_EXTERN_C_END

#endif

#endif
