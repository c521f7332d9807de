/* The child of a fork: Level Zero and the library's threads do not exist there.
 *
 * In a child whose parent has used the library, creations, submissions and waits return
 * ZE_RESULT_ERROR_UNINITIALIZED, and releases destroy no native handle. No lock is acquired, since
 * a thread that the child does not have may hold it. */
#ifndef SYCLZE_DETAIL_SYNC_FORK_H
#define SYCLZE_DETAIL_SYNC_FORK_H

#include "../../result.h"
#include "../memory/thread_cache.h"
#include "../trace_hooks.h"

#ifndef _WIN32
#include <pthread.h>
#endif

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE bool syclze__is_forked(void) {
  return SYCLZE__UNLIKELY(__atomic_load_n(&SYCLZE__STATE.forked, __ATOMIC_RELAXED) != 0);
}

#if SYCLZE__BODIES

/* Checks every creation. */
SYCLZE_LOCAL struct syclze__status syclze__check_fork(void) {
  return syclze__is_forked() ? syclze__out_of_memory() : syclze__allowed();
}

/* Runs in the child: drops the thread's free objects, and stops tracing. An empty table of commands
 * makes submissions take their slow path, which returns the error, even in files without trace
 * points. */
SYCLZE_LOCAL void syclze__fork_child(void) {
  static struct syclze__trace_commands none;
  __atomic_store_n(&SYCLZE__STATE.forked, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&SYCLZE__STATE.trace_commands, &none, __ATOMIC_RELAXED);
  __atomic_store_n(&SYCLZE__STATE.trace_calls, NULL, __ATOMIC_RELAXED);
  SYCLZE__STATE.trace_attach = NULL;
#if SYCLZE_HAS_THREAD_CACHE
  syclze__own_thread_set(&SYCLZE__NO_THREAD);
#endif
}

/* Registered once, by the first enumeration. */
SYCLZE_LOCAL void syclze__fork_watch(void) {
#ifndef _WIN32
  if (__atomic_exchange_n(&SYCLZE__STATE.fork_watched, 1, __ATOMIC_RELAXED) == 0)
    pthread_atfork(NULL, NULL, syclze__fork_child);
#endif
}

#endif

SYCLZE_EXTERN_C_END

#endif
