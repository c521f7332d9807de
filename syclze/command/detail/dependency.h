/* Dependencies: which earlier work an access has to wait for.
 *
 * Readers wait for the writers before them, writers for all accesses since, where the parts
 * overlap. Each memory object has a list of its last writers and of the readers since. An access by
 * a driver-in-order list is recorded as a position in that list, and gets an event, by a barrier,
 * only when another queue depends on it.
 *
 * The lists are protected by the memory object's lock; the object and its replicas in other
 * contexts share one. Lock order: memory objects, then queues. With an object's lock held a thread
 * blocks only on the locks of driver-in-order lists, whose appends do not block, and tries all
 * others (submission.h). */
#ifndef SYCLZE_COMMAND_DETAIL_DEPENDENCY_H
#define SYCLZE_COMMAND_DETAIL_DEPENDENCY_H

#include "accessor.h"
#include "pending.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__access {
  struct syclze__slot slot;
  struct syclze__access *next;
  struct syclze__range range;
  struct syclze__queue_state *state; /* of an in-order queue, with a reference; else null */
  uint64_t position;
  struct syclze__event *event; /* with a reference; null for an access by position */
  uint32_t depth;              /* of the list from here on: an upper bound */
  bool is_whole;               /* the range is all of the memory object */
};

struct syclze__accesses_lock {
  uint32_t word;
  const void *holder; /* the submission that holds it; null for others */
};

struct syclze__accesses {
  struct syclze__accesses_base base;
  struct syclze__accesses_lock lock;
  struct syclze__access *writers, *readers;
  struct syclze__replicas *replicas; /* null unless other contexts use the buffer */
};

struct syclze__replicas {
  struct syclze__accesses_lock *lock; /* that of the buffer's own accesses */
  struct syclze__replica *first;      /* the buffer itself */
};

enum { SYCLZE__ACCESSES_PRUNE = 16, SYCLZE__ACCESSES_LOOKS = 4 };

/* Null before the first access. */
SYCLZE_INLINE struct syclze__accesses *syclze__accesses_of(const struct syclze__memory *memory) {
  return (struct syclze__accesses *)(void *)__atomic_load_n(&memory->accesses, __ATOMIC_ACQUIRE);
}

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__replicas *syclze__replicas_of(const struct syclze__memory *memory) {
  const struct syclze__accesses *all = syclze__accesses_of(memory);
  return all != NULL ? __atomic_load_n(&all->replicas, __ATOMIC_ACQUIRE) : NULL;
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

/* The event of an access, made if need be; null for one that is done. `own` is the state whose lock
 * is held by the caller; null for none. */
SYCLZE_LOCAL_WARM ze_result_t syclze__access_event(struct syclze__access *access,
    const struct syclze__queue_state *own, struct syclze__event **event) {
  struct syclze__queue_state *state = access->state;
  *event = access->event;
  if (access->event != NULL) return ZE_RESULT_SUCCESS;
  if (state != own) syclze__lock_acquire(&state->lock);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (state->marker_position < access->position) result = syclze__queue_state_mark(state);
  if (result == ZE_RESULT_SUCCESS && state->marker != NULL) {
    access->event = *event = state->marker;
    syclze__ref_retain(&state->marker->ref);
  }
  if (state != own) syclze__lock_release(&state->lock);
  return result;
}

/* Waits for all accesses in the list that overlap the range. */
SYCLZE_LOCAL_WARM ze_result_t syclze__accesses_wait(struct syclze__access *list,
    const struct syclze__range *range, const struct syclze__queue_state *state,
    struct syclze__wait_list *waits) {
  for (struct syclze__access *access = list; access != NULL; access = access->next) {
    if (!syclze__ranges_overlap(&access->range, range)) continue;
    if (access->state != NULL && access->state == state) continue;
    struct syclze__event *event;
    ze_result_t result = syclze__access_event(access, state, &event);
    if (result == ZE_RESULT_SUCCESS && event != NULL) result = syclze__wait_list_add(waits, event);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

/* After the last release of the memory object: every access becomes a use (detail/memory.h). What
 * cannot, without memory, is waited for. */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle(struct syclze__memory *memory) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  struct syclze__access *left = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  struct syclze__access *lists[2] = {all->writers, all->readers};
  for (uint32_t i = 0; i < 2; i++)
    for (struct syclze__access *access = lists[i], *next; access != NULL; access = next) {
      struct syclze__event *event;
      next = access->next;
      ze_result_t had = syclze__access_event(access, NULL, &event);
      if (result == ZE_RESULT_SUCCESS) result = had;
      if (event != NULL && syclze__memory_use(memory, event) != ZE_RESULT_SUCCESS) {
        access->next = left;
        left = access;
      } else
        syclze__access_end(access);
    }
  for (struct syclze__access *access = left; access != NULL; access = access->next) {
    ze_result_t waited = syclze__event_await(access->event);
    if (result == ZE_RESULT_SUCCESS) result = waited;
  }
  syclze__access_list_end(left);
  memory->accesses = NULL;
  syclze__pool_release(&all->base.slot);
  return result;
}

/* The memory object's lists, created by the first call; null without memory. */
SYCLZE_LOCAL struct syclze__accesses *syclze__accesses_create(struct syclze__memory *memory) {
  struct syclze__accesses *created = (struct syclze__accesses *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESSES], sizeof *created);
  if (created == NULL) return NULL;
  created->base.settle = syclze__accesses_settle;
  created->lock.word = 0;
  created->lock.holder = NULL;
  created->writers = created->readers = NULL;
  created->replicas = NULL;
  struct syclze__accesses_base *none = NULL;
  if (__atomic_compare_exchange_n(
          &memory->accesses, &none, &created->base, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return created;
  syclze__pool_release(&created->base.slot);
  return (struct syclze__accesses *)(void *)none;
}

SYCLZE_INLINE struct syclze__accesses *syclze__accesses_require(struct syclze__memory *memory) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  return SYCLZE__LIKELY(all != NULL) ? all : syclze__accesses_create(memory);
}

/* True if the access is the state's own, by position, and of the same part. */
SYCLZE_INLINE bool syclze__access_repeats(const struct syclze__access *access,
    const struct syclze__queue_state *state, const syclze_accessor *accessor,
    const struct syclze__range *part) {
  return access->state == state && access->event == NULL &&
         (SYCLZE__LIKELY(accessor->is_whole) ? access->is_whole
                                             : syclze__ranges_equal(&access->range, part));
}

/* True if the driver-in-order list of the state is the only one that accessed the memory last, in
 * the same mode: nothing has to be waited for, and the recorded access covers the next command too.
 * `part` is not read of a whole object. */
SYCLZE_INLINE bool syclze__dependency_repeats(struct syclze__accesses *all,
    const struct syclze__queue_state *state, const syclze_accessor *accessor,
    const struct syclze__range *part) {
  if (((uintptr_t)all->replicas | (uintptr_t)accessor->memory->available) != 0) return false;
  struct syclze__access *access = all->writers;
  if (access != NULL && (access->state != state || access->next != NULL)) return false;
  if (accessor->mode == SYCLZE_ACCESS_READ)
    access = all->readers;
  else if (all->readers != NULL)
    return false;
  if (access == NULL || !syclze__access_repeats(access, state, accessor, part)) return false;
  access->position = state->position + 1;
  return true;
}

/* Adds to `waits` what the accessor depends on, and creates the access that will be recorded for
 * it, in front of `*created`. `state` is that of the queue whose lock is held; null for none. */
SYCLZE_LOCAL_WARM ze_result_t syclze__dependency_gather(const syclze_accessor *accessor,
    const struct syclze__range *part, const struct syclze__queue_state *state,
    struct syclze__wait_list *waits, struct syclze__access **created) {
  struct syclze__memory *memory = accessor->memory;
  struct syclze__accesses *all = syclze__accesses_of(memory);
  struct syclze__access *access = (struct syclze__access *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESS], sizeof *access);
  if (SYCLZE__UNLIKELY(access == NULL)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  access->range = accessor->is_whole ? syclze__range_whole(memory) : *part;
  access->is_whole = accessor->is_whole;
  access->state = NULL;
  access->event = NULL;
  access->next = *created;
  *created = access;
  ze_result_t result = ZE_RESULT_SUCCESS;
  const uint32_t before = waits->count;
  if (SYCLZE__UNLIKELY(memory->available != NULL)) {
    if (syclze__event_is_signalled(memory->available))
      syclze__event_assign(&memory->available, NULL);
    else
      result = syclze__wait_list_add(waits, memory->available);
  }
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__accesses_wait(all->writers, &access->range, state, waits);
  if (result == ZE_RESULT_SUCCESS && accessor->mode != SYCLZE_ACCESS_READ)
    result = syclze__accesses_wait(all->readers, &access->range, state, waits);
  (void)before;
  SYCLZE__TRACE_COMMAND(
      depends, (waits->natives + before, waits->count - before, memory, (uint32_t)accessor->mode));
  return result;
}

/* Removes the accesses in the range that the new access covers for all later ones; with `own` only
 * those of that state. */
SYCLZE_INLINE void syclze__accesses_supersede(struct syclze__access **list,
    const struct syclze__range *range, const struct syclze__queue_state *own, uint32_t looks) {
  for (struct syclze__access *access; looks > 0 && (access = *list) != NULL; looks--)
    if ((own == NULL || access->state == own) && syclze__range_contains(range, &access->range)) {
      *list = access->next;
      syclze__access_end(access);
    } else
      list = &access->next;
}

/* Records the access of a command: its event, or with null the next position of the state, stands
 * for it. A null `state` is of no queue. */
SYCLZE_LOCAL_WARM void syclze__dependency_record(const syclze_accessor *accessor,
    struct syclze__access *access, struct syclze__queue_state *state, struct syclze__event *event) {
  struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
  struct syclze__access **list = &all->readers;
  access->event = event;
  if (event != NULL) syclze__ref_retain(&event->ref);
  if (state != NULL && state->in_order) {
    access->state = state;
    access->position = state->position + 1;
    syclze__queue_state_retain(state);
  }
  if (accessor->mode != SYCLZE_ACCESS_READ) {
    syclze__accesses_supersede(&all->readers, &access->range, NULL, UINT32_MAX);
    syclze__accesses_supersede(&all->writers, &access->range, NULL, UINT32_MAX);
    list = &all->writers;
  } else if (access->state != NULL)
    syclze__accesses_supersede(&all->readers, &access->range, state, SYCLZE__ACCESSES_LOOKS);
  access->next = *list;
  access->depth = access->next != NULL ? access->next->depth + 1 : 1;
  *list = access;
  if (SYCLZE__UNLIKELY(access->depth >= SYCLZE__ACCESSES_PRUNE) &&
      (access->depth & (access->depth - 1)) == 0)
    syclze__accesses_prune(list);
}

#endif

SYCLZE_EXTERN_C_END

#endif
