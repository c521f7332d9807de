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
  bool has_ended;             /* the graph is freed */
  struct syclze__event *last; /* with a reference; null before the first run */
};

SYCLZE_INLINE syclze_accessor *syclze__runs_accessors(struct syclze__runs *runs) {
  return (syclze_accessor *)(void *)(runs + 1);
}

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__runs_free(struct syclze__runs *runs) {
  if (runs->last != NULL) syclze__event_release(runs->last);
  free(runs);
}

/* Ends the runs of a freed graph. Null is allowed. */
SYCLZE_LOCAL void syclze__runs_end(struct syclze__runs *runs) {
  if (runs == NULL) return;
  syclze__lock_acquire(&runs->lock);
  runs->has_ended = true;
  const bool is_last = runs->count == 0;
  syclze__lock_release(&runs->lock);
  if (is_last) syclze__runs_free(runs);
}

/* Detaches an access. Returns the event of the last run, with a reference. */
SYCLZE_LOCAL struct syclze__event *syclze__runs_leave(struct syclze__runs *runs) {
  syclze__lock_acquire(&runs->lock);
  struct syclze__event *last = runs->last;
  syclze__ref_retain(&last->ref);
  const uint32_t left = runs->count - 1;
  __atomic_store_n(&runs->count, left, __ATOMIC_RELAXED);
  const bool is_last = left == 0 && runs->has_ended;
  syclze__lock_release(&runs->lock);
  if (is_last) syclze__runs_free(runs);
  return last;
}

#endif

SYCLZE_EXTERN_C_END

#endif
