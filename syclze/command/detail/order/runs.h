/* The runs of a graph as one access.
 *
 * If nothing else uses the graph's memory objects between two runs, each object gets one access
 * that refers to the graph's runs, and ends with the last of them. While all of these accesses
 * refer to the runs, the next run waits for the last one only: it replaces the event, and leaves
 * the memory objects as they are. Other work that must wait for such an access detaches it from the
 * runs, with the event of the last run; then the next run collects and records all accesses.
 *
 * Lists that the driver runs in order have positions instead (access.h).
 *
 * Locks: a memory object or a queue, then the runs. An access is detached with the lock of its
 * memory object held: while all of the graph's objects are locked, no access is detached. */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_RUNS_H
#define SYCLZE_COMMAND_DETAIL_ORDER_RUNS_H

#include "../../../detail/sync/lock.h"
#include "../accessor.h"
#include "../plain/wait_list.h"

SYCLZE_EXTERN_C_BEGIN

/* Precedes the graph's accessors, one for each memory object that it uses. */
struct syclze__runs {
  SYCLZE__LOCK(SYCLZE__RANK_RUNS) lock;
  uint32_t count; /* accesses that refer to the runs */
  uint32_t accessor_count;
  uint32_t references;        /* of the graph, and of each access that refers to the runs */
  struct syclze__event *last; /* with a reference; null before the first run */
};

SYCLZE_INLINE syclze_accessor *syclze__runs_accessors(struct syclze__runs *runs) {
  return (syclze_accessor *)(void *)(runs + 1);
}

#if SYCLZE__BODIES

/* Gives up the reference of a graph or an access; no lock of the runs is held. The last frees them.
 * Null is allowed. */
SYCLZE_LOCAL void syclze__runs_release(struct syclze__runs *runs) {
  if (runs == NULL || __atomic_sub_fetch(&runs->references, 1, __ATOMIC_ACQ_REL) != 0) return;
  if (runs->last != NULL) syclze__event_release(runs->last);
  free(runs);
}

/* All accesses refer to the runs. */
SYCLZE_LOCAL void syclze__runs_join(struct syclze__runs *runs) {
  SYCLZE__HELD(&runs->lock);
  SYCLZE__ASSERT(runs->count == 0);
  __atomic_store_n(&runs->count, runs->accessor_count, __ATOMIC_RELAXED);
  __atomic_add_fetch(&runs->references, runs->accessor_count, __ATOMIC_RELAXED);
}

#endif

SYCLZE_EXTERN_C_END

#endif
