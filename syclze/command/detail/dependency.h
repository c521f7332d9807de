/* Dependencies: which earlier work an access has to wait for.
 *
 * Readers wait for the writers before them, writers for all accesses since, where the parts
 * overlap. A memory object has a list of its last writers and of the readers since.
 *
 * While one driver-in-order list accesses all of an object and no other queue does, that queue's
 * state owns the object, and the lists are empty: the positions of the last read and the last write
 * in the native list are all that is recorded. An access of another queue revokes that: only then
 * does an event stand for the positions, by a barrier.
 *
 * Locks: the object's lock protects the lists; the object and its replicas in other contexts share
 * one. The positions are protected by the owner's queue lock; `owner` changes with both locks held.
 * Order: memory objects, then one queue. With an object's lock held a thread blocks only on the
 * locks of driver-in-order lists, whose appends do not block, and holds one of them at a time; the
 * lock of the queue that it submits to is tried (submission.h). */
#ifndef SYCLZE_COMMAND_DETAIL_DEPENDENCY_H
#define SYCLZE_COMMAND_DETAIL_DEPENDENCY_H

#include "accessor.h"
#include "alias.h"
#include "pending.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__access {
  struct syclze__slot slot;
  struct syclze__access *next;
  struct syclze__range range;        /* unset for all of the memory object */
  struct syclze__queue_state *state; /* that orders the access, with a reference; or null */
  uint64_t position;
  struct syclze__event *event; /* with a reference; null for an access by position */
  uint32_t depth;              /* of the list from here on: an upper bound */
  bool is_whole;               /* all of the memory object */
};

struct syclze__accesses_lock {
  uint32_t word;
  const void *holder; /* the accessor for which it is held; null for none */
};

struct syclze__accesses {
  struct syclze__accesses_base base;
  struct syclze__queue_state *owner;  /* with a reference; null where the lists are used */
  struct syclze__queue_state *former; /* the last owner, of which `owner` was revoked; else null */
  uint64_t positions[2];              /* of the last read and write of either; 0 for none */
  struct syclze__event *marker;       /* covers the positions of `former`; null until needed */
  struct syclze__event *unfinished;   /* of a submission of either that failed; null for none */
  struct syclze__accesses_lock lock;
  struct syclze__access *writers, *readers;
  struct syclze__replicas *replicas; /* null unless other contexts use the buffer */
  struct syclze__alias alias;
  bool is_shared; /* by memory objects over one allocation: parts are recorded as the whole */
};

struct syclze__replicas {
  struct syclze__accesses_lock *lock; /* that of the buffer's own accesses */
  struct syclze__replica *first;      /* the buffer itself */
};

enum {
  SYCLZE__ACCESSES_PRUNE = 16,
  SYCLZE__ACCESSES_COMPACT = 1024, /* compaction.h */
  SYCLZE__ACCESSES_LOOKS = 4
};

/* Null before the first access. */
SYCLZE_INLINE struct syclze__accesses *syclze__accesses_of(const struct syclze__memory *memory) {
  return (struct syclze__accesses *)(void *)__atomic_load_n(&memory->accesses, __ATOMIC_ACQUIRE);
}

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__replicas *syclze__replicas_of(const struct syclze__memory *memory) {
  const struct syclze__accesses *all = syclze__accesses_of(memory);
  return all != NULL ? __atomic_load_n(&all->replicas, __ATOMIC_ACQUIRE) : NULL;
}

/* Those of memory that has some. */
SYCLZE_INLINE struct syclze__replicas *syclze__replicas_existing(
    const struct syclze__memory *memory) {
  return __atomic_load_n(&syclze__accesses_of(memory)->replicas, __ATOMIC_ACQUIRE);
}

/* The lock of a memory object that has accesses. */
SYCLZE_INLINE struct syclze__accesses_lock *syclze__memory_lock(
    const struct syclze__memory *memory) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  const struct syclze__replicas *replicas = __atomic_load_n(&all->replicas, __ATOMIC_ACQUIRE);
  return SYCLZE__LIKELY(replicas == NULL) ? &all->lock : replicas->lock;
}

SYCLZE_INLINE void syclze__access_end(struct syclze__access *access) {
  if (access->event != NULL) syclze__event_release(access->event);
  if (access->state != NULL) syclze__queue_state_release(access->state);
  syclze__pool_release(&access->slot);
}

SYCLZE_INLINE void syclze__access_list_end(struct syclze__access *list) {
  while (list != NULL) {
    struct syclze__access *access = list;
    list = access->next;
    syclze__access_end(access);
  }
}

/* Removes accesses that are done. */
SYCLZE_LOCAL_WARM void syclze__accesses_prune(struct syclze__access **list) {
  struct syclze__access **link = list;
  uint32_t left = 0;
  for (struct syclze__access *access; (access = *link) != NULL;) {
    if (access->event != NULL && syclze__event_is_signalled(access->event)) {
      *link = access->next;
      syclze__access_end(access);
    } else {
      left++;
      link = &access->next;
    }
  }
  for (struct syclze__access *access = *list; access != NULL; access = access->next)
    access->depth = left--;
}

/* The event of an access by position; null without. With the lock of its state. */
SYCLZE_LOCAL_WARM ze_result_t syclze__access_mark(struct syclze__access *access) {
  struct syclze__queue_state *state = access->state;
  const ze_result_t result = state->marker_position < access->position
                                 ? syclze__queue_state_mark(state)
                                 : ZE_RESULT_SUCCESS;
  if (result == ZE_RESULT_SUCCESS && state->marker != NULL) {
    access->event = state->marker;
    syclze__ref_retain(&state->marker->ref);
  }
  return result;
}

/* Makes sure that an access by position has an event, if it is not done. */
SYCLZE_INLINE ze_result_t syclze__access_require_event(struct syclze__access *access) {
  if (SYCLZE__LIKELY(access->event != NULL)) return ZE_RESULT_SUCCESS;
  syclze__lock_acquire(&access->state->lock);
  const ze_result_t result = syclze__access_mark(access);
  syclze__lock_release(&access->state->lock);
  return result;
}

SYCLZE_INLINE bool syclze__accesses_overlap(
    const struct syclze__access *a, const struct syclze__access *b) {
  return a->is_whole || b->is_whole || syclze__ranges_overlap(&a->range, &b->range);
}

/* True if `a` covers all of `b`. */
SYCLZE_INLINE bool syclze__access_covers(
    const struct syclze__access *a, const struct syclze__access *b) {
  return a->is_whole || (!b->is_whole && syclze__range_contains(&a->range, &b->range));
}

/* Waits for all accesses in the list that overlap the new one, but for those of `state`. */
SYCLZE_LOCAL_WARM ze_result_t syclze__accesses_wait(struct syclze__access *list,
    const struct syclze__access *created, const struct syclze__queue_state *state,
    struct syclze__wait_list *waits) {
  for (struct syclze__access *access = list; access != NULL; access = access->next) {
    if (!syclze__accesses_overlap(access, created)) continue;
    if (access->state != NULL && access->state == state) continue;
    ze_result_t result = syclze__access_require_event(access);
    if (result == ZE_RESULT_SUCCESS && access->event != NULL)
      result = syclze__wait_list_add(waits, access->event);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  }
  return ZE_RESULT_SUCCESS;
}

/* A new access, in front of the list; null without memory. */
SYCLZE_INLINE struct syclze__access *syclze__access_new(struct syclze__access **list) {
  struct syclze__access *access = (struct syclze__access *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESS], sizeof *access);
  if (SYCLZE__UNLIKELY(access == NULL)) return NULL;
  access->state = NULL;
  access->event = NULL;
  access->position = 0;
  access->depth = 1;
  access->next = *list;
  *list = access;
  return access;
}

/* Sets `marker`, if there is work that is not done. With the lock of `state`, owner or former. */
SYCLZE_INLINE ze_result_t syclze__accesses_mark(
    struct syclze__accesses *all, struct syclze__queue_state *state) {
  const uint64_t last =
      all->positions[0] > all->positions[1] ? all->positions[0] : all->positions[1];
  const ze_result_t result =
      state->marker_position < last ? syclze__queue_state_mark(state) : ZE_RESULT_SUCCESS;
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    syclze__event_assign(&all->marker, state->marker);
  return result;
}

/* Ends the ownership of the memory object. After an error nothing has changed. */
SYCLZE_LOCAL_WARM ze_result_t syclze__accesses_revoke(struct syclze__accesses *all, bool waits) {
  struct syclze__queue_state *owner = all->owner;
  syclze__lock_acquire(&owner->lock);
  const ze_result_t result = waits ? syclze__accesses_mark(all, owner) : ZE_RESULT_SUCCESS;
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) {
    all->former = owner;
    __atomic_store_n(&all->owner, NULL, __ATOMIC_RELAXED);
  }
  syclze__lock_release(&owner->lock);
  return result;
}

/* A later access covers those of the former owner, or there are none. */
SYCLZE_INLINE void syclze__accesses_drop_former(struct syclze__accesses *all) {
  if (SYCLZE__LIKELY(all->former == NULL)) return;
  syclze__event_assign(&all->marker, NULL);
  if (SYCLZE__UNLIKELY(all->unfinished != NULL)) syclze__event_assign(&all->unfinished, NULL);
  syclze__queue_state_release(all->former);
  all->former = NULL;
}

/* Waits for the accesses of the former owner. */
SYCLZE_LOCAL_WARM ze_result_t syclze__accesses_wait_former(
    struct syclze__accesses *all, struct syclze__wait_list *waits) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (all->marker == NULL) {
    syclze__lock_acquire(&all->former->lock);
    result = syclze__accesses_mark(all, all->former);
    syclze__lock_release(&all->former->lock);
  }
  if (result == ZE_RESULT_SUCCESS && all->marker != NULL)
    result = syclze__wait_list_add(waits, all->marker);
  if (result == ZE_RESULT_SUCCESS && SYCLZE__UNLIKELY(all->unfinished != NULL))
    result = syclze__wait_list_add(waits, all->unfinished);
  return result;
}

/* The memory object is used until the event is signalled. Without memory for that the event is
 * waited for. */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle_event(
    struct syclze__memory *memory, struct syclze__event *event) {
  if (event == NULL || syclze__memory_use(memory, event) == ZE_RESULT_SUCCESS)
    return ZE_RESULT_SUCCESS;
  return syclze__event_await(event);
}

SYCLZE_LOCAL ze_result_t syclze__accesses_settle_former(
    struct syclze__memory *memory, struct syclze__accesses *all) {
  syclze__lock_acquire(&all->former->lock);
  ze_result_t result = syclze__accesses_mark(all, all->former);
  syclze__lock_release(&all->former->lock);
  const ze_result_t settled = syclze__accesses_settle_event(memory, all->marker);
  if (result == ZE_RESULT_SUCCESS) result = settled;
  const ze_result_t finished = syclze__accesses_settle_event(memory, all->unfinished);
  if (result == ZE_RESULT_SUCCESS) result = finished;
  syclze__accesses_drop_former(all);
  return result;
}

/* Every access becomes a use of the memory object too; the lists stay for others that share them.
 */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle_shared(
    struct syclze__memory *memory, struct syclze__accesses *all) {
  syclze__lock_acquire(&all->lock.word);
  ze_result_t result = all->owner != NULL ? syclze__accesses_revoke(all, true) : ZE_RESULT_SUCCESS;
  if (all->former != NULL && result == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&all->former->lock);
    result = syclze__accesses_mark(all, all->former);
    syclze__lock_release(&all->former->lock);
    const ze_result_t marked = syclze__accesses_settle_event(memory, all->marker);
    const ze_result_t finished = syclze__accesses_settle_event(memory, all->unfinished);
    if (result == ZE_RESULT_SUCCESS) result = marked != ZE_RESULT_SUCCESS ? marked : finished;
  }
  struct syclze__access *lists[2] = {all->writers, all->readers};
  for (uint32_t i = 0; i < 2; i++)
    for (struct syclze__access *access = lists[i]; access != NULL; access = access->next) {
      ze_result_t settled = syclze__access_require_event(access);
      if (settled == ZE_RESULT_SUCCESS)
        settled = syclze__accesses_settle_event(memory, access->event);
      if (result == ZE_RESULT_SUCCESS) result = settled;
    }
  syclze__lock_release(&all->lock.word);
  return result;
}

/* True for the only memory object that has the accesses: then no other finds them any more. */
SYCLZE_LOCAL bool syclze__accesses_is_alone(
    const struct syclze__memory *memory, const struct syclze__accesses *all) {
  struct syclze__alias_shard *shard = syclze__alias_shard_of(memory->native);
  syclze__lock_acquire(&shard->lock);
  const bool is_alone = all->alias.sharers == 1;
  if (is_alone) syclze__alias_remove(shard, &all->alias);
  syclze__lock_release(&shard->lock);
  return is_alone;
}

/* Of a memory object that is not the only one. */
SYCLZE_LOCAL bool syclze__accesses_unshare(
    const struct syclze__memory *memory, struct syclze__accesses *all) {
  struct syclze__alias_shard *shard = syclze__alias_shard_of(memory->native);
  syclze__lock_acquire(&shard->lock);
  const bool is_last = --all->alias.sharers == 0;
  if (is_last) syclze__alias_remove(shard, &all->alias);
  syclze__lock_release(&shard->lock);
  return is_last;
}

/* After the last release of the memory object: every access becomes a use (detail/memory.h). */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle(struct syclze__memory *memory) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  if (!syclze__accesses_is_alone(memory, all)) {
    const ze_result_t shared = syclze__accesses_settle_shared(memory, all);
    if (!syclze__accesses_unshare(memory, all)) {
      memory->accesses = NULL;
      return shared;
    }
  }
  if (all->owner != NULL) syclze__accesses_revoke(all, false);
  ze_result_t result =
      all->former != NULL ? syclze__accesses_settle_former(memory, all) : ZE_RESULT_SUCCESS;
  struct syclze__access *lists[2] = {all->writers, all->readers};
  for (uint32_t i = 0; i < 2; i++)
    for (struct syclze__access *access = lists[i]; access != NULL; access = access->next) {
      const ze_result_t had = syclze__access_require_event(access);
      if (result == ZE_RESULT_SUCCESS) result = had;
    }
  for (uint32_t i = 0; i < 2; i++) {
    for (struct syclze__access *access = lists[i]; access != NULL; access = access->next) {
      const ze_result_t settled = syclze__accesses_settle_event(memory, access->event);
      if (result == ZE_RESULT_SUCCESS) result = settled;
    }
    syclze__access_list_end(lists[i]);
  }
  memory->accesses = NULL;
  syclze__pool_release(&all->base.slot);
  return result;
}

/* New lists of nothing; null without memory. */
SYCLZE_LOCAL struct syclze__accesses *syclze__accesses_new(void) {
  struct syclze__accesses *created = (struct syclze__accesses *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESSES], sizeof *created);
  if (created == NULL) return NULL;
  created->base.settle = syclze__accesses_settle;
  created->lock.word = 0;
  created->lock.holder = NULL;
  created->owner = created->former = NULL;
  created->marker = created->unfinished = NULL;
  created->writers = created->readers = NULL;
  created->replicas = NULL;
  created->is_shared = false;
  return created;
}

/* Has another memory object share the accesses, unless other contexts use the memory. With the
 * shard's lock. */
SYCLZE_LOCAL ze_result_t syclze__accesses_share(struct syclze__accesses *all) {
  syclze__lock_acquire(&all->lock.word);
  const bool can_share = all->replicas == NULL;
  if (can_share) __atomic_store_n(&all->is_shared, true, __ATOMIC_RELAXED);
  syclze__lock_release(&all->lock.word);
  if (!can_share) return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  all->alias.sharers++;
  return ZE_RESULT_SUCCESS;
}

/* The accesses of other memory objects over the same native object, or new ones. With the shard's
 * lock. */
SYCLZE_LOCAL ze_result_t syclze__accesses_find(
    struct syclze__alias_shard *shard, struct syclze__memory *memory) {
  struct syclze__alias *alias = syclze__alias_find(shard, memory);
  struct syclze__accesses *all;
  if (alias != NULL) {
    all = (struct syclze__accesses *)(void *)((char *)alias -
                                              offsetof(struct syclze__accesses, alias));
    const ze_result_t result = syclze__accesses_share(all);
    if (result != ZE_RESULT_SUCCESS) return result;
  } else {
    all = syclze__accesses_new();
    if (all == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    if (!syclze__alias_add(shard, &all->alias, memory)) {
      syclze__pool_release(&all->base.slot);
      return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  __atomic_store_n(&memory->accesses, &all->base, __ATOMIC_RELEASE);
  return ZE_RESULT_SUCCESS;
}

/* Creates the memory object's lists unless they are there. */
SYCLZE_LOCAL ze_result_t syclze__accesses_create(struct syclze__memory *memory) {
  struct syclze__alias_shard *shard = syclze__alias_shard_of(memory->native);
  if (shard == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  syclze__lock_acquire(&shard->lock);
  const ze_result_t result = syclze__accesses_of(memory) != NULL
                                 ? ZE_RESULT_SUCCESS
                                 : syclze__accesses_find(shard, memory);
  syclze__lock_release(&shard->lock);
  return result;
}

SYCLZE_INLINE ze_result_t syclze__accesses_require(struct syclze__memory *memory) {
  return SYCLZE__LIKELY(syclze__accesses_of(memory) != NULL) ? ZE_RESULT_SUCCESS
                                                             : syclze__accesses_create(memory);
}

/* True if the accessor's access needs no record but the position of a driver-in-order list. */
SYCLZE_INLINE bool syclze__accessor_can_own(const syclze_accessor *accessor,
    const struct syclze__accesses *all, const struct syclze__queue_state *state) {
  return !accessor->is_part && state != NULL && state->driver_in_order && all->replicas == NULL &&
         accessor->memory->available == NULL;
}

/* Memory that an event makes available. */
SYCLZE_LOCAL ze_result_t syclze__dependency_gather_available(
    struct syclze__memory *memory, struct syclze__wait_list *waits) {
  if (!syclze__event_is_signalled(memory->available))
    return syclze__wait_list_add(waits, memory->available);
  syclze__event_assign(&memory->available, NULL);
  return ZE_RESULT_SUCCESS;
}

/* Adds to `waits` what the accessor depends on, and creates the access that will be recorded for
 * it, in front of `*created`. `state` is that of the queue, null for none or a host task. No
 * queue's lock is held. */
SYCLZE_LOCAL_WARM ze_result_t syclze__dependency_gather(const syclze_accessor *accessor,
    const struct syclze__range *part, const struct syclze__queue_state *state, bool is_native,
    struct syclze__wait_list *waits, struct syclze__access **created) {
  struct syclze__memory *memory = accessor->memory;
  struct syclze__accesses *all = syclze__accesses_of(memory);
  ze_result_t result = ZE_RESULT_SUCCESS;
  const bool writes = accessor->mode != SYCLZE_ACCESS_READ;
  const uint32_t before = waits->count;
  struct syclze__access *access = syclze__access_new(created);
  if (SYCLZE__UNLIKELY(access == NULL)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  access->is_whole = !accessor->is_part || __atomic_load_n(&all->is_shared, __ATOMIC_RELAXED);
  if (!access->is_whole) access->range = *part;
  if (SYCLZE__UNLIKELY(memory->available != NULL))
    result = syclze__dependency_gather_available(memory, waits);
  if (all->owner != NULL) {
    if (all->owner == state && is_native && syclze__accessor_can_own(accessor, all, state))
      return result;
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
      result = syclze__accesses_revoke(all, all->owner != state);
  }
  if (all->former != NULL && all->former != state && (writes || all->positions[1] != 0) &&
      SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = syclze__accesses_wait_former(all, waits);
  if (all->writers != NULL && SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = syclze__accesses_wait(all->writers, access, state, waits);
  if (writes && all->readers != NULL && SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = syclze__accesses_wait(all->readers, access, state, waits);
  (void)before;
  SYCLZE__TRACE_COMMAND(
      depends, (waits->natives + before, waits->count - before, memory, (uint32_t)accessor->mode));
  return result;
}

/* Removes the accesses that the new one covers for all later ones; with `own` only those of that
 * state. */
SYCLZE_INLINE void syclze__accesses_supersede(struct syclze__access **list,
    const struct syclze__access *created, const struct syclze__queue_state *own, uint32_t looks) {
  for (struct syclze__access *access; looks > 0 && (access = *list) != NULL; looks--)
    if ((own == NULL || access->state == own) && syclze__access_covers(created, access)) {
      *list = access->next;
      syclze__access_end(access);
    } else
      list = &access->next;
}

/* True if a read of the state needs to wait for nothing but earlier work of its own. */
SYCLZE_INLINE bool syclze__accesses_are_own_reads(
    const struct syclze__accesses *all, const struct syclze__queue_state *state) {
  const struct syclze__access *reader = all->readers;
  if (all->writers != NULL) return false;
  if (reader != NULL && (reader->next != NULL || reader->state != state)) return false;
  if (SYCLZE__LIKELY(all->former == NULL)) return true;
  return all->marker != NULL && all->unfinished == NULL && syclze__event_is_signalled(all->marker);
}

/* Records the access of a driver-in-order list by its position; false where that is not enough. */
SYCLZE_INLINE bool syclze__dependency_own(const syclze_accessor *accessor,
    struct syclze__accesses *all, struct syclze__queue_state *state) {
  const bool writes = accessor->mode != SYCLZE_ACCESS_READ;
  /* A part is recorded as the whole where another accessor of the same group is. */
  if (all->owner != state) {
    if (!syclze__accessor_can_own(accessor, all, state)) return false;
    if (!writes && !syclze__accesses_are_own_reads(all, state)) return false;
    syclze__access_list_end(all->writers);
    syclze__access_list_end(all->readers);
    syclze__accesses_drop_former(all);
    all->writers = all->readers = NULL;
    all->positions[0] = all->positions[1] = 0;
    syclze__queue_state_retain(state);
    __atomic_store_n(&all->owner, state, __ATOMIC_RELAXED);
  }
  all->positions[writes] = state->position + 1;
  return true;
}

/* Records the access of a command: its event, or with null the next position of the state, stands
 * for it. `is_native` commands are in the native list of the state, whose lock is held; a null
 * state is of no queue. Returns a list that has become
 * long enough for compaction; null for none. */
SYCLZE_LOCAL_WARM struct syclze__access **syclze__dependency_record(const syclze_accessor *accessor,
    struct syclze__access *access, struct syclze__queue_state *state, bool is_native,
    struct syclze__event *event) {
  struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
  struct syclze__access **list = &all->readers;
  if (is_native && syclze__dependency_own(accessor, all, state)) {
    syclze__access_end(access);
    return NULL;
  }
  access->event = event;
  if (event != NULL) syclze__ref_retain(&event->ref);
  if (state != NULL && (state->in_order || (is_native && state->driver_in_order))) {
    access->state = state;
    access->position = state->position + 1;
    syclze__queue_state_retain(state);
  }
  if (accessor->mode != SYCLZE_ACCESS_READ) {
    syclze__accesses_supersede(&all->readers, access, NULL, UINT32_MAX);
    syclze__accesses_supersede(&all->writers, access, NULL, UINT32_MAX);
    if (access->is_whole) syclze__accesses_drop_former(all);
    list = &all->writers;
  } else if (access->state != NULL)
    syclze__accesses_supersede(&all->readers, access, state, SYCLZE__ACCESSES_LOOKS);
  access->next = *list;
  access->depth = access->next != NULL ? access->next->depth + 1 : 1;
  *list = access;
  if (SYCLZE__UNLIKELY(access->depth >= SYCLZE__ACCESSES_PRUNE) &&
      (access->depth & (access->depth - 1)) == 0)
    syclze__accesses_prune(list);
  return *list != NULL && SYCLZE__UNLIKELY((*list)->depth >= SYCLZE__ACCESSES_COMPACT) ? list
                                                                                       : NULL;
}

#endif

SYCLZE_EXTERN_C_END

#endif
