/* The queues of this linked image that share a native list with a SYCL runtime's, by that list: one
 * list has one queue.
 *
 * The table holds no references. A queue that it finds may be retained until its last reference is
 * dropped; from then on, until its owner ends and removes it, its work may be under way, and a
 * lookup waits. */
#ifndef SYCLZE_DETAIL_SYCL_QUEUES_H
#define SYCLZE_DETAIL_SYCL_QUEUES_H

#include "../../queue.h"
#include "../sync/lock.h"
#include "abi.h"

SYCLZE_EXTERN_C_BEGIN

/* Part of the data of a queue's owner. */
struct syclze__sycl_queue {
  struct syclze__sycl_queue *next;
  struct syclze__queue *queue;       /* null while it is not in the table */
  struct syclze__sycl_object object; /* the sycl::queue */
  /* Of order.h. */
  uint32_t mutex;                  /* of what follows, and of crossings */
  struct syclze__sycl_object seen; /* weak: SYCL's last event, whose order is kept already */
  ze_event_pool_handle_t pool;     /* null until the gate is needed */
  ze_event_handle_t signalled;
  struct syclze__sycl_object gate; /* of the signalled event */
};

/* The queue of a native list, with a reference of the caller's; null for none. Sleeps while a queue
 * without references ends. */
SYCLZE_COLD syclze_queue syclze__sycl_queues_find(const void *list)
    SYCLZE_LINK_NAME(syclze__sycl_queues_find);

/* The entry of a queue that the caller has a reference to; null for none. */
SYCLZE_COLD struct syclze__sycl_queue *syclze__sycl_queues_entry(syclze_queue queue)
    SYCLZE_LINK_NAME(syclze__sycl_queues_entry);

/* Adds a queue, whose owner removes the entry when it ends. Returns the queue that its list has: of
 * two threads the second gets the first one's, with a reference; null without memory. */
SYCLZE_COLD syclze_queue syclze__sycl_queues_add(
    struct syclze__sycl_queue *entry, syclze_queue queue) SYCLZE_LINK_NAME(syclze__sycl_queues_add);

/* No effect where the entry was not added. */
SYCLZE_COLD void syclze__sycl_queues_remove(struct syclze__sycl_queue *entry)
    SYCLZE_LINK_NAME(syclze__sycl_queues_remove);

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__sycl_queue **syclze__sycl_queues_bucket(const void *list) {
  const struct syclze__sycl_queues *all = &SYCLZE__STATE.sycl_queues;
  const uint64_t mixed = (uint64_t)(uintptr_t)list * UINT64_C(0x9e3779b97f4a7c15);
  return &all->buckets[(mixed >> 32) & (all->bucket_count - 1)];
}

/* The link to the queue of a list, or to the null at the end of its bucket. */
SYCLZE_LOCAL struct syclze__sycl_queue **syclze__sycl_queues_seek(const void *list) {
  SYCLZE__HELD(&SYCLZE__STATE.sycl_queues.lock);
  struct syclze__sycl_queue **link = syclze__sycl_queues_bucket(list);
  while (*link != NULL && (*link)->queue->native.list != list)
    link = &(*link)->next;
  return link;
}

/* Doubles the buckets, of which there is a power of two. False without the first. */
SYCLZE_LOCAL bool syclze__sycl_queues_grow(void) {
  SYCLZE__HELD(&SYCLZE__STATE.sycl_queues.lock);
  struct syclze__sycl_queues *all = &SYCLZE__STATE.sycl_queues;
  struct syclze__sycl_queue **former = all->buckets;
  const uint32_t former_count = all->bucket_count,
                 count = former_count == 0 ? 64 : 2 * former_count;
  struct syclze__sycl_queue **buckets =
      (struct syclze__sycl_queue **)calloc(count, sizeof *buckets);
  if (buckets == NULL) return former != NULL;
  all->buckets = buckets;
  all->bucket_count = count;
  for (uint32_t i = 0; i < former_count; i++)
    while (former[i] != NULL) {
      struct syclze__sycl_queue *entry = former[i];
      struct syclze__sycl_queue **link = syclze__sycl_queues_bucket(entry->queue->native.list);
      former[i] = entry->next;
      entry->next = *link;
      *link = entry;
    }
  free((void *)former);
  return true;
}

/* Locks the table and returns the entry of a list whose queue has references, with one more; null
 * where there is none. Sleeps while a queue without references ends. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN struct syclze__sycl_queue *syclze__sycl_queues_lock(
    const void *list) {
  struct syclze__sycl_queues *all = &SYCLZE__STATE.sycl_queues;
  for (;;) {
    syclze__lock_acquire(&all->lock);
    struct syclze__sycl_queue *entry = all->count != 0 ? *syclze__sycl_queues_seek(list) : NULL;
    if (entry == NULL || syclze__ref_try_retain(&entry->queue->ref)) return entry;
    const uint32_t removals = __atomic_load_n(&all->removals, __ATOMIC_RELAXED);
    syclze__lock_release(&all->lock);
    syclze__word_sleep(&all->removals, removals, SYCLZE__LOCK_SLEEP);
  }
}

SYCLZE_COLD SYCLZE__LOCKS_UNSEEN syclze_queue syclze__sycl_queues_find(const void *list) {
  const struct syclze__sycl_queue *entry = syclze__sycl_queues_lock(list);
  const syclze_queue queue = {entry != NULL ? entry->queue : NULL};
  syclze__lock_release(&SYCLZE__STATE.sycl_queues.lock);
  return queue;
}

SYCLZE_COLD struct syclze__sycl_queue *syclze__sycl_queues_entry(syclze_queue queue) {
  struct syclze__sycl_queues *all = &SYCLZE__STATE.sycl_queues;
  syclze__lock_acquire(&all->lock);
  struct syclze__sycl_queue *entry =
      all->count != 0 ? *syclze__sycl_queues_seek(queue.rep->native.list) : NULL;
  syclze__lock_release(&all->lock);
  return entry != NULL && entry->queue == queue.rep ? entry : NULL;
}

SYCLZE_COLD SYCLZE__LOCKS_UNSEEN syclze_queue syclze__sycl_queues_add(
    struct syclze__sycl_queue *entry, syclze_queue queue) {
  struct syclze__sycl_queues *all = &SYCLZE__STATE.sycl_queues;
  const struct syclze__sycl_queue *present = syclze__sycl_queues_lock(queue.rep->native.list);
  if (present != NULL)
    queue.rep = present->queue;
  else if (all->count < all->bucket_count || syclze__sycl_queues_grow()) {
    struct syclze__sycl_queue **link = syclze__sycl_queues_bucket(queue.rep->native.list);
    __atomic_fetch_or(&queue.rep->ref.ownership, SYCLZE__WEAK, __ATOMIC_RELAXED);
    entry->queue = queue.rep;
    entry->next = *link;
    *link = entry;
    all->count++;
  } else
    queue.rep = NULL;
  syclze__lock_release(&all->lock);
  return queue;
}

SYCLZE_COLD void syclze__sycl_queues_remove(struct syclze__sycl_queue *entry) {
  struct syclze__sycl_queues *all = &SYCLZE__STATE.sycl_queues;
  if (entry->queue == NULL) return;
  syclze__lock_acquire(&all->lock);
  struct syclze__sycl_queue **link = syclze__sycl_queues_seek(entry->queue->native.list);
  *link = entry->next;
  all->count--;
  __atomic_fetch_add(&all->removals, 1, __ATOMIC_RELAXED);
  syclze__lock_release(&all->lock);
  syclze__word_wake(&all->removals, INT32_MAX);
}

#endif

SYCLZE_EXTERN_C_END

#endif
