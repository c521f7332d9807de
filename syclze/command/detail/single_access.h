/* Commands with one requirement, of all of a memory object, that are one append and wait for one
 * event at most:
 *
 * - an access of what the list owns
 * - a write of a driver-in-order list to what another one owns, which it takes over: a link of a
 *   chain over several queues
 * - a read of an out-of-order list behind what the last owner wrote: one of a fan of readers
 *
 * Locks: the queue's own first; with that held, those of the memory object and of its owner are
 * tried. What is not to be had, or not so simple, goes the way of all submissions from the start.
 */
#ifndef SYCLZE_COMMAND_DETAIL_SINGLE_ACCESS_H
#define SYCLZE_COMMAND_DETAIL_SINGLE_ACCESS_H

#include "submission.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The events of a command whose access is recorded. */
struct syclze__single {
  struct syclze__event *created; /* of the command, with what it waits for; null for none */
  struct syclze__event *done;    /* of an earlier one, to be ended without a lock; null for none */
};

/* True for a group without events and with one requirement, of all of an object. */
SYCLZE_INLINE bool syclze__group_is_single(const syclze_group *group) {
  const uint64_t counts = (uint64_t)group->event_count << 32 | group->accessor_count;
  return counts == 1 && !group->accessors[0].is_part;
}

/* False if the way of all submissions is to be taken for certain: a look without locks, for
 * commands that cost something before the access is recorded. */
SYCLZE_INLINE bool syclze__single_is_possible(const syclze_group *group) {
  const syclze_accessor *accessor = &group->accessors[0];
  if (SYCLZE__UNLIKELY(group->queue == NULL)) return false;
  const struct syclze__queue_state *state = syclze__queue_state_get(group->queue);
  const bool writes = accessor->mode != SYCLZE_ACCESS_READ;
  if (SYCLZE__UNLIKELY(state == NULL) || state->driver_in_order != writes) return false;
  const struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
  return all != NULL && (__atomic_load_n(&all->owner, __ATOMIC_RELAXED) != NULL) == writes;
}

/* The state, locked, of the queue of such a group, if its list may be appended to; else null, and
 * no lock. */
SYCLZE_INLINE struct syclze__queue_state *syclze__single_enter(const syclze_group *group) {
  if (SYCLZE__UNLIKELY(group->queue == NULL || group->status.result != ZE_RESULT_SUCCESS))
    return NULL;
  struct syclze__queue_state *state = syclze__queue_state_get(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL || syclze__accesses_of(group->accessors[0].memory) == NULL ||
                       !syclze__lock_try(&state->lock)))
    return NULL;
  SYCLZE__APART(state);
  if (SYCLZE__LIKELY(state->obstacles == 0)) return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

/* True if the state, which is locked, owns what the group accesses: then its position is recorded.
 */
SYCLZE_INLINE bool syclze__single_owns(
    const syclze_group *group, const struct syclze__queue_state *state) {
  const syclze_accessor *accessor = &group->accessors[0];
  struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
  if (__atomic_load_n(&all->owner, __ATOMIC_RELAXED) != state) return false;
  all->positions[accessor->mode != SYCLZE_ACCESS_READ] = state->position + 1;
  return true;
}

/* What the oldest submission of the state waited for, reset, if both are done and nothing else
 * needs it: in a chain, the event of an earlier link. That submission is removed. */
SYCLZE_INLINE struct syclze__event *syclze__single_reuse(
    struct syclze__queue_state *state, struct syclze__event **done) {
#if SYCLZE__HAS_IDLE_OBJECTS
  struct syclze__event *first = state->first;
  if (first == NULL || first->pending.wait_count != 1 || first->pending.is_host) return NULL;
  struct syclze__event *event = first->pending.waits.one;
  if (!syclze__ref_is_only(&event->ref) || event->pooled == NULL ||
      event->pooled->kind != SYCLZE__EVENT_PLAIN || event->context != state->queue->context ||
      !syclze__event_is_signalled(first))
    return NULL;
  if (SYCLZE__UNLIKELY(SYCLZE__ZE(zeEventHostReset)(event->native) != ZE_RESULT_SUCCESS))
    return NULL;
  first->pending.wait_count = 0;
  first->pending.holds = first->pending.kernel != NULL;
  syclze__queue_state_remove_first(state);
  *done = first;
  return event;
#else
  (void)state, (void)done;
  return NULL;
#endif
}

/* Creates the event of a command that waits for `wait`, which may be null; false after an error.
 * With the state's lock. */
SYCLZE_INLINE bool syclze__single_create(struct syclze__queue_state *state,
    struct syclze__event *wait, int32_t others, struct syclze__single *single) {
  struct syclze__event *event = NULL;
  if (SYCLZE__LIKELY(state->event_kind == SYCLZE__EVENT_PLAIN))
    event = syclze__single_reuse(state, &single->done);
  if (event == NULL) event = syclze__pending_take(state, NULL);
  if (SYCLZE__UNLIKELY(event == NULL) && syclze__pending_create(state, &event) != ZE_RESULT_SUCCESS)
    return false;
  event->ref.others = others;
  single->created = event;
  if (wait == NULL) return true;
  syclze__ref_retain(&wait->ref);
  event->pending.waits.one = wait;
  event->pending.wait_count = 1;
  event->pending.holds = true;
  return true;
}

/* How many events the command of a created event waits for, 0 or 1, and which. */
SYCLZE_INLINE uint32_t syclze__single_wait(
    const struct syclze__event *created, ze_event_handle_t *native) {
  const uint32_t count = created->pending.wait_count;
  if (SYCLZE__LIKELY(count != 0)) *native = created->pending.waits.one->native;
  return count;
}

/* Has the state own what `owner` does, with an event if there is something to wait for or one is
 * wanted. Both queues and the object are locked. */
SYCLZE_INLINE bool syclze__single_take_from(struct syclze__accesses *all,
    struct syclze__queue_state *owner, struct syclze__queue_state *state, bool wants_event,
    struct syclze__single *single) {
  const uint64_t last =
      all->positions[0] > all->positions[1] ? all->positions[0] : all->positions[1];
  if (owner->marker_position < last && syclze__queue_state_mark(owner) != ZE_RESULT_SUCCESS)
    return false;
  struct syclze__event *wait = owner->marker;
  if (wait != NULL && SYCLZE__UNLIKELY(syclze__event_is_open(wait))) return false;
  if ((wait != NULL || wants_event) && !syclze__single_create(state, wait, wants_event, single))
    return false;
  all->positions[0] = 0;
  all->positions[1] = state->position + 1;
  syclze__queue_state_retain(state);
  __atomic_store_n(&all->owner, state, __ATOMIC_RELAXED);
  return true;
}

/* True if the owner and the lists alone determine what an access waits for, with the object's
 * lock: with replicas it would be another one. */
SYCLZE_INLINE bool syclze__single_is_simple(
    const struct syclze__accesses *all, const struct syclze__memory *memory) {
  return __atomic_load_n(&all->replicas, __ATOMIC_ACQUIRE) == NULL &&
         ((uintptr_t)memory->available | (uintptr_t)all->unfinished) == 0;
}

/* Records a write to what another list owns; false if it is not, and nothing is done. With the
 * state's lock. */
SYCLZE_INLINE bool syclze__single_write(const syclze_group *group,
    struct syclze__queue_state *state, bool wants_event, struct syclze__single *single) {
  const struct syclze__memory *memory = group->accessors[0].memory;
  struct syclze__accesses *all = syclze__accesses_of(memory);
  bool is_recorded = false;
  if (!state->driver_in_order || !syclze__lock_try(&all->lock.word)) return false;
  struct syclze__queue_state *owner =
      SYCLZE__LIKELY(syclze__single_is_simple(all, memory)) ? all->owner : NULL;
  if (SYCLZE__LIKELY(owner != NULL && syclze__lock_try(&owner->lock))) {
    is_recorded = syclze__single_take_from(all, owner, state, wants_event, single);
    syclze__lock_release(&owner->lock);
    if (SYCLZE__LIKELY(is_recorded)) syclze__queue_state_release(owner);
  }
  syclze__lock_release(&all->lock.word);
  return is_recorded;
}

/* The same of a read behind the marker of the former owner. Both are locked. */
SYCLZE_INLINE bool syclze__single_read_after(struct syclze__accesses *all,
    struct syclze__queue_state *state, bool wants_event, struct syclze__single *single) {
  const uint32_t depth = all->readers != NULL ? all->readers->depth + 1 : 1;
  if (depth >= SYCLZE__ACCESSES_COMPACT) return false;
  struct syclze__access *access = syclze__access_new(&all->readers);
  if (SYCLZE__UNLIKELY(access == NULL)) return false;
  if (SYCLZE__UNLIKELY(!syclze__single_create(state, all->marker, 1 + wants_event, single))) {
    all->readers = access->next;
    syclze__access_end(access);
    return false;
  }
  access->event = single->created;
  access->depth = depth;
  access->is_whole = true;
  if (SYCLZE__UNLIKELY(depth >= SYCLZE__ACCESSES_PRUNE) && (depth & (depth - 1)) == 0)
    syclze__accesses_prune(&all->readers);
  return true;
}

SYCLZE_INLINE bool syclze__single_read(const syclze_group *group, struct syclze__queue_state *state,
    bool wants_event, struct syclze__single *single) {
  const struct syclze__memory *memory = group->accessors[0].memory;
  struct syclze__accesses *all = syclze__accesses_of(memory);
  bool is_recorded = false;
  if (state->driver_in_order || !syclze__lock_try(&all->lock.word)) return false;
  if (SYCLZE__LIKELY(syclze__single_is_simple(all, memory) && all->owner == NULL &&
                     all->writers == NULL && all->marker != NULL && all->positions[1] != 0 &&
                     !syclze__event_is_open(all->marker)))
    is_recorded = syclze__single_read_after(all, state, wants_event, single);
  syclze__lock_release(&all->lock.word);
  return is_recorded;
}

#endif

SYCLZE_EXTERN_C_END

#endif
