/* The runs of a graph as one access.
 *
 * If nothing else uses the graph's memory objects between two runs, each object gets one access
 * that refers to the graph's runs, and ends with the last of them. While all of these accesses
 * refer to the runs, the next run waits for the last one only: it replaces the event, and leaves
 * the memory objects as they are. Other work that must wait for such an access detaches it from the
 * runs, with the event of the last run; then the next run collects and records all accesses.
 *
 * On a list that the driver runs in order, a run of a graph whose memory objects the list's queue
 * owns (access.h) sets the queue's `run_position`, which stands for the positions in all of them.
 * That they are still owned is seen from the number of objects that the queue has lost.
 *
 * Locks: a memory object or a queue, then the runs. An access is detached with the lock of its
 * memory object held: while all of the graph's objects are locked, no access is detached. */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_RUNS_H
#define SYCLZE_COMMAND_DETAIL_ORDER_RUNS_H

#include "../../../detail/sync/lock.h"
#include "../accessor.h"
#include "../queue/state.h"

SYCLZE_EXTERN_C_BEGIN

/* Precedes the graph's accessors, one for each memory object that it uses. */
struct syclze__runs {
  SYCLZE__LOCK(SYCLZE__RANK_RUNS) lock;
  uint32_t count; /* accesses that refer to the runs */
  uint32_t accessor_count;
  uint32_t references;        /* of the graph, and of each access that refers to the runs */
  struct syclze__event *last; /* with a reference; null before the first run */
  /* The driver-in-order queue that owned all memory objects when it had lost this many; with a
   * reference, or null. Protected by its lock. */
  struct syclze__queue_state *owner;
  uint64_t lost;
  /* The accesses of the graph's own memory object, and of that of the graph whose build it is. */
  struct syclze__accesses *orders[2];
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
  if (runs->owner != NULL) syclze__queue_state_release(runs->owner);
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
