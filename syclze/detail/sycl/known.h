/* The contexts and queues of this linked image that share a native handle with a SYCL runtime's, by
 * SYCL's object, and the queues by their native list too: one list has one queue.
 *
 * The table holds no references. What it finds may be retained until its last reference is dropped;
 * from then on, until its owner ends and removes it, its work may be under way: a lookup by list
 * waits, one by SYCL's object finds nothing. */
#ifndef SYCLZE_DETAIL_SYCL_KNOWN_H
#define SYCLZE_DETAIL_SYCL_KNOWN_H

#include "../../queue.h"
#include "../sync/lock.h"
#include "abi.h"

SYCLZE_EXTERN_C_BEGIN

enum syclze__sycl_key {
  SYCLZE__SYCL_BY_OBJECT, /* SYCL's */
  SYCLZE__SYCL_BY_LIST,   /* null for a context */
  SYCLZE__SYCL_KEYS
};

/* Part of the data of an owner. */
struct syclze__sycl_entry {
  struct syclze__sycl_entry *next[SYCLZE__SYCL_KEYS];
  const void *keys[SYCLZE__SYCL_KEYS];
  void *rep; /* the context's or the queue's; null while it is not in the table */
  struct syclze__sycl_object object; /* the sycl::queue, or any other object that is shared */
  /* Members for a queue: */
  bool has_markers;                /* SYCL's markers are behind commands of this library */
  uint32_t mutex;                  /* of what follows, and of crossings */
  struct syclze__sycl_object seen; /* weak: SYCL's last event, whose order is kept already */
  ze_event_pool_handle_t pool;     /* null until the gate is needed */
  ze_event_handle_t signalled;
  struct syclze__sycl_object gate; /* of the signalled event */
};

/* The entry of a key, whose object gets a reference of the caller's; null for none. Sleeps while a
 * queue without references ends. */
SYCLZE_WARM struct syclze__sycl_entry *syclze__sycl_known_find(
    enum syclze__sycl_key kind, const void *key) SYCLZE_LINK_NAME(syclze__sycl_known_find);

/* The entry of a queue that the caller has a reference to; null for none. */
SYCLZE_WARM struct syclze__sycl_entry *syclze__sycl_known_entry(syclze_queue queue)
    SYCLZE_LINK_NAME(syclze__sycl_known_entry);

/* Adds a context or a queue, whose list is not null then, and whose owner removes the entry when it
 * ends. Returns what the list or SYCL's context has: of two threads the second gets the first one's
 * with a reference; null without memory. */
SYCLZE_COLD void *syclze__sycl_known_add(struct syclze__sycl_entry *entry, void *rep,
    const void *list) SYCLZE_LINK_NAME(syclze__sycl_known_add);

/* No effect where the entry was not added. */
SYCLZE_COLD void syclze__sycl_known_remove(struct syclze__sycl_entry *entry)
    SYCLZE_LINK_NAME(syclze__sycl_known_remove);

#if SYCLZE__BODIES

/* The buckets of SYCL's objects, and behind them those of lists. */
SYCLZE_INLINE struct syclze__sycl_entry **syclze__sycl_known_bucket(
    enum syclze__sycl_key kind, const void *key) {
  const struct syclze__sycl_known *all = &SYCLZE__STATE.sycl_known;
  const uint64_t mixed = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  return &all->buckets[(uint32_t)kind * all->bucket_count +
                       ((mixed >> 32) & (all->bucket_count - 1))];
}

/* The first entry of a key from `entry` on; null for none. */
SYCLZE_INLINE struct syclze__sycl_entry *syclze__sycl_known_seek(
    struct syclze__sycl_entry *entry, enum syclze__sycl_key kind, const void *key) {
  SYCLZE__HELD(&SYCLZE__STATE.sycl_known.lock);
  while (entry != NULL && entry->keys[kind] != key)
    entry = entry->next[kind];
  return entry;
}

SYCLZE_INLINE struct syclze__sycl_entry *syclze__sycl_known_first(
    enum syclze__sycl_key kind, const void *key) {
  if (SYCLZE__STATE.sycl_known.count == 0) return NULL;
  return syclze__sycl_known_seek(*syclze__sycl_known_bucket(kind, key), kind, key);
}

SYCLZE_LOCAL void syclze__sycl_known_link(
    struct syclze__sycl_entry *entry, enum syclze__sycl_key kind) {
  SYCLZE__HELD(&SYCLZE__STATE.sycl_known.lock);
  struct syclze__sycl_entry **link = syclze__sycl_known_bucket(kind, entry->keys[kind]);
  entry->next[kind] = *link;
  *link = entry;
}

/* Doubles the buckets, of which there is a power of two for each kind of key. False without the
 * first. */
SYCLZE_LOCAL bool syclze__sycl_known_grow(void) {
  SYCLZE__HELD(&SYCLZE__STATE.sycl_known.lock);
  struct syclze__sycl_known *all = &SYCLZE__STATE.sycl_known;
  struct syclze__sycl_entry **former = all->buckets;
  const uint32_t former_count = all->bucket_count,
                 count = former_count == 0 ? 64 : 2 * former_count;
  struct syclze__sycl_entry **buckets =
      (struct syclze__sycl_entry **)calloc((size_t)SYCLZE__SYCL_KEYS * count, sizeof *buckets);
  if (buckets == NULL) return former != NULL;
  all->buckets = buckets;
  all->bucket_count = count;
  for (uint32_t i = 0; i < SYCLZE__SYCL_KEYS * former_count; i++)
    while (former[i] != NULL) {
      const enum syclze__sycl_key kind =
          i < former_count ? SYCLZE__SYCL_BY_OBJECT : SYCLZE__SYCL_BY_LIST;
      struct syclze__sycl_entry *entry = former[i];
      former[i] = entry->next[kind];
      syclze__sycl_known_link(entry, kind);
    }
  free((void *)former);
  return true;
}

/* Locks the table and returns the entry of a key whose object has references, with one more; null
 * where there is none. Sleeps while a queue without references ends. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN struct syclze__sycl_entry *syclze__sycl_known_lock(
    enum syclze__sycl_key kind, const void *key) {
  struct syclze__sycl_known *all = &SYCLZE__STATE.sycl_known;
  for (;;) {
    syclze__lock_acquire(&all->lock);
    struct syclze__sycl_entry *entry = syclze__sycl_known_first(kind, key), *ending = entry;
    while (entry != NULL && !syclze__ref_try_retain((struct syclze__ref *)entry->rep))
      entry = syclze__sycl_known_seek(entry->next[kind], kind, key);
    if (entry != NULL || ending == NULL || kind != SYCLZE__SYCL_BY_LIST) return entry;
    const uint32_t removals = __atomic_load_n(&all->removals, __ATOMIC_RELAXED);
    syclze__lock_release(&all->lock);
    syclze__word_sleep(&all->removals, removals, SYCLZE__LOCK_SLEEP);
  }
}

SYCLZE_WARM SYCLZE__LOCKS_UNSEEN struct syclze__sycl_entry *syclze__sycl_known_find(
    enum syclze__sycl_key kind, const void *key) {
  struct syclze__sycl_entry *entry = syclze__sycl_known_lock(kind, key);
  syclze__lock_release(&SYCLZE__STATE.sycl_known.lock);
  return entry;
}

SYCLZE_WARM struct syclze__sycl_entry *syclze__sycl_known_entry(syclze_queue queue) {
  struct syclze__sycl_known *all = &SYCLZE__STATE.sycl_known;
  syclze__lock_acquire(&all->lock);
  struct syclze__sycl_entry *entry =
      syclze__sycl_known_first(SYCLZE__SYCL_BY_LIST, queue.rep->native.list);
  syclze__lock_release(&all->lock);
  return entry != NULL && entry->rep == queue.rep ? entry : NULL;
}

SYCLZE_COLD SYCLZE__LOCKS_UNSEEN void *syclze__sycl_known_add(
    struct syclze__sycl_entry *entry, void *rep, const void *list) {
  struct syclze__sycl_known *all = &SYCLZE__STATE.sycl_known;
  const struct syclze__sycl_entry *present =
      list != NULL ? syclze__sycl_known_lock(SYCLZE__SYCL_BY_LIST, list)
                   : syclze__sycl_known_lock(SYCLZE__SYCL_BY_OBJECT, entry->object.impl);
  if (present != NULL) {
    rep = present->rep;
    /* Added by another thread: the caller has a reference already. */
    if (present == entry) (void)syclze__ref_drop_other((struct syclze__ref *)rep);
  } else if (all->count < all->bucket_count || syclze__sycl_known_grow()) {
    __atomic_fetch_or(&((struct syclze__ref *)rep)->ownership, SYCLZE__WEAK, __ATOMIC_RELAXED);
    entry->rep = rep;
    entry->keys[SYCLZE__SYCL_BY_OBJECT] = entry->object.impl;
    entry->keys[SYCLZE__SYCL_BY_LIST] = list;
    syclze__sycl_known_link(entry, SYCLZE__SYCL_BY_OBJECT);
    if (list != NULL) syclze__sycl_known_link(entry, SYCLZE__SYCL_BY_LIST);
    all->count++;
  } else
    rep = NULL;
  syclze__lock_release(&all->lock);
  return rep;
}

SYCLZE_COLD void syclze__sycl_known_remove(struct syclze__sycl_entry *entry) {
  struct syclze__sycl_known *all = &SYCLZE__STATE.sycl_known;
  const enum syclze__sycl_key last =
      entry->keys[SYCLZE__SYCL_BY_LIST] != NULL ? SYCLZE__SYCL_BY_LIST : SYCLZE__SYCL_BY_OBJECT;
  if (entry->rep == NULL) return;
  syclze__lock_acquire(&all->lock);
  for (int kind = 0; kind <= (int)last; kind++) {
    struct syclze__sycl_entry **link =
        syclze__sycl_known_bucket((enum syclze__sycl_key)kind, entry->keys[kind]);
    while (*link != entry)
      link = &(*link)->next[kind];
    *link = entry->next[kind];
  }
  all->count--;
  __atomic_fetch_add(&all->removals, 1, __ATOMIC_RELAXED);
  syclze__lock_release(&all->lock);
  if (last == SYCLZE__SYCL_BY_LIST) syclze__word_wake(&all->removals, INT32_MAX);
}

#endif

SYCLZE_EXTERN_C_END

#endif
