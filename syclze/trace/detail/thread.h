/* The trace data of a thread: a block for trace/xpti.h and trace/writer.h together, behind one
 * thread-local pointer, the only one that they add to an image.
 *
 * A thread's first trace point that needs a block creates it. The destructor of a key ends it with
 * the thread. The key is deleted when the image is unloaded; a thread that outlives it keeps its
 * block, since the code that would end it is gone. */
#ifndef SYCLZE_TRACE_DETAIL_THREAD_H
#define SYCLZE_TRACE_DETAIL_THREAD_H

#include "../../detail/state.h"
#include "../../detail/sync/threads.h"
#include "../../detail/thread_pointer.h"

#if SYCLZE__BODIES

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__trace_thread {
  struct syclze__ring *ring;        /* of trace/writer.h; null until it records */
  uint32_t *ring_owned;             /* the ring's; cleared at the thread's end */
  struct syclze__xpti_thread *xpti; /* of trace/xpti.h, from calloc; null until it notifies */
};

/* Values of SYCLZE__STATE.trace_key, which else is a key plus one. */
#define SYCLZE__TRACE_KEY_NONE ((uint64_t)0)
#define SYCLZE__TRACE_KEY_ENDED UINT64_MAX

SYCLZE_EXTERN_C_END

#if SYCLZE__HAS_THREAD_POINTER

#define SYCLZE__TRACE_THREAD SYCLZE__TRACE_THREAD_(SYCLZE_ABI)
#define SYCLZE__TRACE_THREAD_(abi) SYCLZE__TRACE_THREAD__(abi)
#define SYCLZE__TRACE_THREAD__(abi) syclze__trace_thread_v##abi
#define SYCLZE__NO_TRACE_THREAD SYCLZE__NO_TRACE_THREAD_(SYCLZE_ABI)
#define SYCLZE__NO_TRACE_THREAD_(abi) SYCLZE__NO_TRACE_THREAD__(abi)
#define SYCLZE__NO_TRACE_THREAD__(abi) syclze__no_trace_thread_v##abi
#define SYCLZE__NO_TRACE_THREAD_BYTES 64

#ifdef __cplusplus
extern "C" {
static_assert(sizeof(struct syclze__trace_thread) <= SYCLZE__NO_TRACE_THREAD_BYTES,
    "the common symbol is too small");
#else
_Static_assert(sizeof(struct syclze__trace_thread) <= SYCLZE__NO_TRACE_THREAD_BYTES,
    "the common symbol is too small");
#endif
extern __attribute__((
    visibility("hidden"))) __thread struct syclze__trace_thread *SYCLZE__TRACE_THREAD;
extern __attribute__((visibility("hidden"))) struct syclze__trace_thread SYCLZE__NO_TRACE_THREAD;
#ifdef __cplusplus
}
#endif

#define SYCLZE__TRACE_THREAD_DEFINITION                                                            \
  SYCLZE__THREAD_POINTER(                                                                          \
      SYCLZE__TRACE_THREAD, SYCLZE__NO_TRACE_THREAD, SYCLZE__NO_TRACE_THREAD_BYTES)
SYCLZE__THREAD_POINTER_OF_FILE(SYCLZE__TRACE_THREAD_DEFINITION)

SYCLZE_EXTERN_C_BEGIN

/* The calling thread's block, or an empty one, which must not be written. */
SYCLZE_INLINE struct syclze__trace_thread *syclze__trace_thread_own(void) {
  SYCLZE__THREAD_POINTER_OF_FUNCTION(SYCLZE__TRACE_THREAD_DEFINITION);
  return SYCLZE__TRACE_THREAD;
}

/* Sets the calling thread's block; null for the empty one. */
SYCLZE_LOCAL void syclze__trace_thread_set(struct syclze__trace_thread *thread) {
  SYCLZE__THREAD_POINTER_OF_FUNCTION(SYCLZE__TRACE_THREAD_DEFINITION);
  SYCLZE__TRACE_THREAD = thread != NULL ? thread : &SYCLZE__NO_TRACE_THREAD;
}

SYCLZE_EXTERN_C_END

#else

SYCLZE_EXTERN_C_BEGIN

/* The thread-local pointer: one for each file in C, where the key has the common block. In C++ not
 * inlined: functions of several files are merged, and must see one variable. */
SYCLZE_WARM struct syclze__trace_thread **syclze__trace_thread_slot(void)
    SYCLZE_LINK_NAME(syclze__trace_thread_slot);
SYCLZE_WARM struct syclze__trace_thread **syclze__trace_thread_slot(void) {
  static struct syclze__trace_thread empty;
  static __thread struct syclze__trace_thread *thread;
  if (thread == NULL) thread = &empty;
  return &thread;
}

SYCLZE_INLINE struct syclze__trace_thread *syclze__trace_thread_own(void) {
  return *syclze__trace_thread_slot();
}

SYCLZE_LOCAL void syclze__trace_thread_set(struct syclze__trace_thread *thread) {
  *syclze__trace_thread_slot() = thread;
}

SYCLZE_EXTERN_C_END

#endif

SYCLZE_EXTERN_C_BEGIN

/* Ends a thread's block. */
SYCLZE_LOCAL void syclze__trace_thread_end(void *block) {
  struct syclze__trace_thread *thread = (struct syclze__trace_thread *)block;
#ifdef _MSC_VER
  /* The key is being deleted, while the thread lives. */
  if (__atomic_load_n(&SYCLZE__STATE.trace_key, __ATOMIC_RELAXED) == SYCLZE__TRACE_KEY_ENDED)
    return;
#endif
  syclze__trace_thread_set(NULL);
  if (thread->ring_owned != NULL) __atomic_store_n(thread->ring_owned, 0, __ATOMIC_RELEASE);
  free(thread->xpti);
  free(thread);
}

/* Deletes the key, at the end of the program, or before the image is unloaded. */
SYCLZE_LOCAL void syclze__trace_threads_end(void) {
  const uint64_t key =
      __atomic_exchange_n(&SYCLZE__STATE.trace_key, SYCLZE__TRACE_KEY_ENDED, __ATOMIC_RELAXED);
  syclze__thread_key_delete((syclze__thread_key)(key - 1));
}

/* Creates the key, once; false if that fails. Called before other exit handlers are registered, so
 * that its own runs after them. */
SYCLZE_LOCAL bool syclze__trace_threads_begin(void) {
  uint64_t before = SYCLZE__TRACE_KEY_NONE;
  syclze__thread_key key;
  if (__atomic_load_n(&SYCLZE__STATE.trace_key, __ATOMIC_RELAXED) != before) return true;
  if (!syclze__thread_key_create(&key, syclze__trace_thread_end)) return false;
  if (__atomic_compare_exchange_n(&SYCLZE__STATE.trace_key, &before, (uint64_t)key + 1, false,
          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    atexit(syclze__trace_threads_end);
  else
    syclze__thread_key_delete(key);
  return true;
}

/* The calling thread's block, created if missing; null without memory, and at the end. */
SYCLZE_LOCAL struct syclze__trace_thread *syclze__trace_thread_require(void) {
  const uint64_t key = __atomic_load_n(&SYCLZE__STATE.trace_key, __ATOMIC_RELAXED);
  if (key == SYCLZE__TRACE_KEY_NONE || key == SYCLZE__TRACE_KEY_ENDED) return NULL;
  struct syclze__trace_thread *thread =
      (struct syclze__trace_thread *)syclze__thread_key_get((syclze__thread_key)(key - 1));
  if (thread == NULL) {
    thread = (struct syclze__trace_thread *)calloc(1, sizeof *thread);
    if (thread == NULL) return NULL;
    if (!syclze__thread_key_set((syclze__thread_key)(key - 1), thread)) {
      free(thread);
      return NULL;
    }
  }
  syclze__trace_thread_set(thread);
  return thread;
}

SYCLZE_EXTERN_C_END

#endif

#endif
