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

/* The event of a command whose access is recorded, and what it waits for. */
struct syclze__single {
  struct syclze__event *created; /* null for none, and then `signal` too */
  ze_event_handle_t signal, wait;
  uint32_t wait_count; /* 0 or 1 */
};

/* True for a group without events and with one requirement, of all of an object. */
SYCLZE_INLINE bool syclze__group_is_single(const syclze_group *group) {
  const uint64_t counts = (uint64_t)group->event_count << 32 | group->accessor_count;
  return counts == 1 && !group->accessors[0].is_part;
}

/* The memory of an argument of such a group; null if that takes a closer look. */
SYCLZE_INLINE void *syclze__single_address(
    const syclze_group *group, const syclze_accessor *argument, size_t size, bool writes) {
  enum { MODE = offsetof(syclze_accessor, mode) };
  const syclze_accessor *accessor = &group->accessors[0];
  /* All that is behind the mode too. */
  if (SYCLZE__UNLIKELY(argument->memory != accessor->memory ||
                       memcmp((const char *)argument + MODE, (const char *)accessor + MODE,
                           sizeof *accessor - MODE) != 0))
    return NULL;
  if (SYCLZE__UNLIKELY(accessor->is_image || size > accessor->size ||
                       (writes && accessor->mode == SYCLZE_ACCESS_READ)))
    return NULL;
  return accessor->native;
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

/* What the oldest submission of the state waited for, reset, if both are done and nothing else
 * needs it: in a chain, the event of an earlier link. That submission is removed, or left to be
 * retired. */
SYCLZE_INLINE struct syclze__event *syclze__single_reuse_link(struct syclze__queue_state *state) {
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
  if (!first->pending.holds && syclze__ref_drop_other(&first->ref))
    syclze__queue_state_remove_first(state);
  return event;
#else
  (void)state;
  return NULL;
#endif
}

/* True if the record of a read stands for the event and is in the lists of `all`, whose lock is
 * held. One that was released has no event, or is of another object. */
SYCLZE_INLINE bool syclze__single_is_read(
    const struct syclze__event *event, const struct syclze__accesses *all) {
  if (SYCLZE__UNLIKELY(event->pooled->kind != SYCLZE__EVENT_PLAIN || event->read == NULL))
    return false;
  return __atomic_load_n(&event->read->single, __ATOMIC_RELAXED) == all &&
         __atomic_load_n(&event->read->event, __ATOMIC_RELAXED) == event;
}

/* The event of the oldest submission of the state, reset and no longer pending, if that is done and
 * was the same read: its record stands for this one. With both locks held only the queue and that
 * record can find the event. */
SYCLZE_INLINE struct syclze__event *syclze__single_reuse_read(struct syclze__queue_state *state,
    const struct syclze__accesses *all, const struct syclze__kernel *kernel) {
#if SYCLZE__HAS_IDLE_OBJECTS
  struct syclze__event *first = state->first;
  if (first == NULL || first->pending.wait_count != 1 || first->pending.is_host ||
      first->pending.waits.one != all->marker ||
      (first->pending.kernel != NULL && first->pending.kernel != kernel) ||
      __atomic_load_n(&first->ref.others, __ATOMIC_ACQUIRE) != 1 ||
      !syclze__single_is_read(first, all) || !syclze__event_is_signalled(first))
    return NULL;
  if (SYCLZE__UNLIKELY(SYCLZE__ZE(zeEventHostReset)(first->native) != ZE_RESULT_SUCCESS))
    return NULL;
  syclze__queue_state_remove_first(state);
  return first;
#else
  (void)state, (void)all, (void)kernel;
  return NULL;
#endif
}

/* Creates the event of a command, without what it waits for; false after an error. With the
 * state's lock. */
SYCLZE_INLINE bool syclze__single_create(
    struct syclze__queue_state *state, int32_t others, struct syclze__single *single) {
  struct syclze__event *event = syclze__pending_take_plain(state, NULL);
  if (SYCLZE__UNLIKELY(event == NULL) && syclze__pending_create(state, &event) != ZE_RESULT_SUCCESS)
    return false;
  event->ref.others = others;
  single->created = event;
  single->signal = event->native;
  return true;
}

SYCLZE_INLINE void syclze__single_keep_wait(
    const struct syclze__single *single, struct syclze__event *wait) {
  struct syclze__pending *pending = &single->created->pending;
  syclze__ref_retain(&wait->ref);
  pending->waits.one = wait;
  pending->wait_count = 1;
  pending->holds = true;
}

/* Creates the event of a write that waits for `wait`. */
SYCLZE_INLINE bool syclze__single_create_link(struct syclze__queue_state *state,
    struct syclze__event *wait, bool wants_event, struct syclze__single *single) {
  struct syclze__event *event = SYCLZE__LIKELY(state->event_kind == SYCLZE__EVENT_PLAIN)
                                    ? syclze__single_reuse_link(state)
                                    : NULL;
  if (SYCLZE__LIKELY(event != NULL)) {
    event->ref.others = wants_event;
    single->created = event;
    single->signal = event->native;
  } else if (!syclze__single_create(state, wants_event, single))
    return false;
  syclze__single_keep_wait(single, wait);
  return true;
}

/* Has the state own what `owner` does, with an event if there is something to wait for or one is
 * wanted. Both queues and the object are locked. */
SYCLZE_INLINE bool syclze__single_take_from(struct syclze__accesses *all,
    struct syclze__queue_state *owner, struct syclze__queue_state *state, bool wants_event,
    struct syclze__single *single) {
  if (SYCLZE__UNLIKELY(owner->marker_position != owner->position)) {
    const uint64_t last =
        all->positions[0] > all->positions[1] ? all->positions[0] : all->positions[1];
    if (owner->marker_position < last && syclze__queue_state_mark(owner) != ZE_RESULT_SUCCESS)
      return false;
  }
  struct syclze__event *wait = owner->marker;
  if (SYCLZE__LIKELY(wait != NULL)) {
    if (SYCLZE__UNLIKELY(syclze__event_is_open(wait))) return false;
    single->wait = wait->native;
    single->wait_count = 1;
    if (!syclze__single_create_link(state, wait, wants_event, single)) return false;
  } else if (wants_event && !syclze__single_create(state, 1, single))
    return false;
  all->positions[0] = 0;
  all->positions[1] = state->position + 1;
  syclze__queue_state_retain(state);
  __atomic_store_n(&all->owner, state, __ATOMIC_RELAXED);
  return true;
}

/* Records a write to what another list owns; false if it is not, and nothing is done. With the
 * locks of the state and of the object. */
SYCLZE_INLINE bool syclze__single_write(struct syclze__accesses *all,
    struct syclze__queue_state *state, bool wants_event, struct syclze__single *single) {
  struct syclze__queue_state *owner = all->owner;
  if (SYCLZE__UNLIKELY(!state->driver_in_order || owner == NULL || !syclze__lock_try(&owner->lock)))
    return false;
  const bool is_recorded = syclze__single_take_from(all, owner, state, wants_event, single);
  syclze__lock_release(&owner->lock);
  if (SYCLZE__LIKELY(is_recorded)) syclze__queue_state_release(owner);
  return is_recorded;
}

/* A record of a read behind the marker of the former owner, with a new event. */
SYCLZE_INLINE bool syclze__single_add_read(struct syclze__accesses *all,
    struct syclze__queue_state *state, bool wants_event, struct syclze__single *single) {
  const uint32_t depth = all->readers != NULL ? all->readers->depth + 1 : 1;
  if (depth >= SYCLZE__ACCESSES_COMPACT) return false;
  struct syclze__access *access = syclze__access_new(&all->readers);
  if (SYCLZE__UNLIKELY(access == NULL)) return false;
  if (SYCLZE__UNLIKELY(!syclze__single_create(state, 1 + wants_event, single))) {
    all->readers = access->next;
    syclze__access_end(access);
    return false;
  }
  syclze__single_keep_wait(single, all->marker);
  access->event = single->created;
  access->depth = depth;
  access->is_whole = true;
  access->single = all;
  if (state->event_kind == SYCLZE__EVENT_PLAIN) single->created->read = access;
  if (SYCLZE__UNLIKELY(depth >= SYCLZE__ACCESSES_PRUNE) && (depth & (depth - 1)) == 0)
    syclze__accesses_prune(&all->readers);
  return true;
}

/* The same of a read behind the marker of the former owner. */
SYCLZE_INLINE bool syclze__single_read(struct syclze__accesses *all,
    struct syclze__queue_state *state, const struct syclze__kernel *kernel, bool wants_event,
    struct syclze__single *single) {
  if (SYCLZE__UNLIKELY(state->driver_in_order || all->owner != NULL || all->writers != NULL ||
                       all->marker == NULL || all->positions[1] == 0 ||
                       syclze__event_is_open(all->marker)))
    return false;
  single->wait = all->marker->native;
  single->wait_count = 1;
  struct syclze__event *event = SYCLZE__LIKELY(state->event_kind == SYCLZE__EVENT_PLAIN)
                                    ? syclze__single_reuse_read(state, all, kernel)
                                    : NULL;
  if (SYCLZE__UNLIKELY(event == NULL))
    return syclze__single_add_read(all, state, wants_event, single);
  event->ref.others = 1 + wants_event;
  single->created = event;
  single->signal = event->native;
  return true;
}

/* True if the owner and the lists alone determine what an access waits for, with the object's
 * lock: with replicas it would be another one. */
SYCLZE_INLINE bool syclze__single_is_simple(
    const struct syclze__accesses *all, const struct syclze__memory *memory) {
  const struct syclze__replicas *replicas = __atomic_load_n(&all->replicas, __ATOMIC_ACQUIRE);
  return ((uintptr_t)replicas | (uintptr_t)memory->available | (uintptr_t)all->unfinished) == 0;
}

/* Records the access of the group, which launches the kernel, or null; false if that is not so
 * simple, and nothing is done. With the state's lock. The event may keep the kernel already. */
SYCLZE_INLINE bool syclze__single_record(const syclze_group *group,
    struct syclze__queue_state *state, const struct syclze__kernel *kernel, bool wants_event,
    struct syclze__single *single) {
  const struct syclze__memory *memory = group->accessors[0].memory;
  const bool writes = group->accessors[0].mode != SYCLZE_ACCESS_READ;
  struct syclze__accesses *all = syclze__accesses_of(memory);
  bool is_recorded = false;
  single->created = NULL;
  single->signal = NULL;
  single->wait_count = 0;
  if (__atomic_load_n(&all->owner, __ATOMIC_RELAXED) == state) {
    all->positions[writes] = state->position + 1;
    return !wants_event || syclze__single_create(state, 1, single);
  }
  if (SYCLZE__UNLIKELY(!syclze__lock_try(&all->lock.word))) return false;
  if (SYCLZE__LIKELY(syclze__single_is_simple(all, memory)))
    is_recorded = writes ? syclze__single_write(all, state, wants_event, single)
                         : syclze__single_read(all, state, kernel, wants_event, single);
  syclze__lock_release(&all->lock.word);
  return is_recorded;
}

/* The locked state of the group's queue, once its access is recorded; null if that is not so
 * simple, and nothing is done. */
SYCLZE_LOCAL_WARM struct syclze__queue_state *syclze__single_open(
    const syclze_group *group, bool wants_event, struct syclze__single *single) {
  struct syclze__queue_state *state = syclze__single_enter(group);
  if (SYCLZE__UNLIKELY(state == NULL)) return NULL;
  if (SYCLZE__LIKELY(syclze__single_record(group, state, NULL, wants_event, single))) return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

#endif

SYCLZE_EXTERN_C_END

#endif
