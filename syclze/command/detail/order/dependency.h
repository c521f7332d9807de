/* Dependencies of an access on earlier work.
 *
 * Readers wait for the writers before them, writers for all accesses since, where the parts
 * overlap. */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_DEPENDENCY_H
#define SYCLZE_COMMAND_DETAIL_ORDER_DEPENDENCY_H

#include "access_list.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* True if the position in a driver-in-order list suffices as the record of the access. */
SYCLZE_INLINE bool syclze__accessor_can_own(const syclze_accessor *accessor,
    const struct syclze__accesses *all, const struct syclze__queue_state *state) {
  return !accessor->is_part && state != NULL && state->driver_in_order && all->replicas == NULL &&
         accessor->memory->available == NULL;
}

/* Waits for the event that makes the memory available. */
SYCLZE_LOCAL ze_result_t syclze__dependency_gather_available(
    struct syclze__memory *memory, struct syclze__wait_list *waits) {
  struct syclze__event *available = memory->available;
  const bool is_signalled = syclze__event_is_signalled(available);
  /* Locks are held here, so the last reference is dropped when the submission is done.
   */
  if (is_signalled && syclze__ref_drop_other(&available->ref)) {
    memory->available = NULL;
    return ZE_RESULT_SUCCESS;
  }
  const ze_result_t result = syclze__wait_list_add(waits, available);
  if (is_signalled && result == ZE_RESULT_SUCCESS) syclze__event_assign(&memory->available, NULL);
  return result;
}

/* Adds the accessor's dependencies to `waits`, and creates the access to be recorded for it, in
 * front of `*created`. `state` is the queue's, null without a queue or for a host task. No queue's
 * lock is held. */
SYCLZE_INLINE ze_result_t syclze__dependency_gather_inline(const syclze_accessor *accessor,
    const struct syclze__range *part, const struct syclze__queue_state *state, bool is_native,
    struct syclze__wait_list *waits, struct syclze__access **created) {
  SYCLZE__HELD(&syclze__memory_lock(accessor->memory)->word);
  struct syclze__memory *memory = accessor->memory;
  struct syclze__accesses *all = syclze__accesses_of(memory);
  ze_result_t result = ZE_RESULT_SUCCESS;
  const bool writes = accessor->mode != SYCLZE_ACCESS_READ;
  const uint32_t before = waits->count;
  struct syclze__access *access = syclze__access_new(created);
  if (SYCLZE__UNLIKELY(access == NULL)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  access->is_whole = !accessor->is_part || __atomic_load_n(&all->is_shared, __ATOMIC_RELAXED);
  if (!access->is_whole && part != NULL) access->range = *part;
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
  for (struct syclze__access *list = all->writers, *other = writes ? all->readers : NULL;
       SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS); list = other, other = NULL) {
    if (list != NULL) result = syclze__accesses_wait(list, access, state, waits);
    if (other == NULL) break;
  }
  (void)before;
  SYCLZE__TRACE_COMMAND(
      depends, (waits->natives + before, waits->count - before, memory, (uint32_t)accessor->mode));
  return result;
}

/* Removes the accesses that the new one covers among the first `looks`; unless `own` is null only
 * those of that state. Unless `is_placed`, the new one takes the place of the first of them, so
 * that a block keeps its parts. True if it has one. */
SYCLZE_LOCAL_WARM bool syclze__accesses_supersede(struct syclze__access **list,
    struct syclze__access *created, const struct syclze__queue_state *own, uint32_t looks,
    bool is_placed) {
  struct syclze__access *block = NULL;
  for (struct syclze__access *access; (access = *list) != NULL && looks-- > 0;) {
    if (SYCLZE__UNLIKELY(access->is_block)) {
      while (!syclze__accesses_overlap(access, created))
        if ((access = access->behind) == NULL) return is_placed;
      block = access;
      list = &access->next;
      continue;
    }
    if (!syclze__access_covers(created, access) || (own != NULL && access->state != own)) {
      list = &access->next;
      continue;
    }
    *list = access->next;
    syclze__access_end(access);
    if (is_placed) continue;
    is_placed = true;
    created->next = *list;
    *list = created;
    list = &created->next;
    if (block != NULL) syclze__access_extend(block, created);
  }
  return is_placed;
}

/* Removes all accesses, of which a later one covers every one. */
SYCLZE_INLINE void syclze__accesses_clear(struct syclze__accesses *all) {
  for (struct syclze__access *writer; (writer = all->writers) != NULL;) {
    all->writers = writer->next;
    syclze__access_end(writer);
  }
  if (all->readers != NULL) syclze__access_list_end(all->readers);
  all->readers = NULL;
  syclze__accesses_drop_former(all);
}

/* Joins all accesses by position of the state, a driver-in-order list, into one at the last
 * position. It covers all between the parts, for which other queues' accesses wait too. */
SYCLZE_LOCAL_WARM void syclze__accesses_join(
    struct syclze__access **list, const struct syclze__queue_state *state) {
  struct syclze__access *newest = NULL, **link = list;
  for (struct syclze__access *access; (access = *link) != NULL;) {
    const bool joins = access->state == state && access->event == NULL;
    if (!joins || newest == NULL) {
      if (joins) newest = access;
      link = &access->next;
      continue;
    }
    if (access->position > newest->position) newest->position = access->position;
    syclze__access_extend(newest, access);
    *link = access->next;
    syclze__access_end(access);
  }
}

/* True if a read of the state needs to wait only for the state's own earlier work. Now and then it
 * removes what others have completed. */
SYCLZE_LOCAL bool syclze__accesses_are_own_reads(
    struct syclze__accesses *all, const struct syclze__queue_state *state) {
  enum { EVERY = 8 };
  for (bool pruned = false;; pruned = true) {
    const struct syclze__access *reader = all->readers;
    if (all->writers == NULL &&
        (reader == NULL || (reader->next == NULL && reader->state == state)))
      break;
    if (pruned || state->position % EVERY != 0) return false;
    syclze__accesses_prune(&all->writers);
    syclze__accesses_prune(&all->readers);
  }
  if (SYCLZE__LIKELY(all->former == NULL)) return true;
  return all->marker != NULL && all->unfinished == NULL && syclze__event_is_signalled(all->marker);
}

/* Records the access of a driver-in-order list by its position; false if that does not suffice. */
SYCLZE_INLINE bool syclze__dependency_own(const syclze_accessor *accessor,
    struct syclze__accesses *all, struct syclze__queue_state *state) {
  const bool writes = accessor->mode != SYCLZE_ACCESS_READ;
  /* A part is recorded as the whole if another accessor of the group is. */
  if (all->owner != state) {
    if (!syclze__accessor_can_own(accessor, all, state)) return false;
    if (!writes && !syclze__accesses_are_own_reads(all, state)) return false;
    syclze__accesses_clear(all);
    all->positions[0] = all->positions[1] = 0;
    syclze__queue_state_retain(state);
    __atomic_store_n(&all->owner, state, __ATOMIC_RELAXED);
  }
  all->positions[writes] = state->position + 1;
  return true;
}

/* Removes accesses that refer to the runs. */
SYCLZE_LOCAL void syclze__accesses_leave_runs(
    struct syclze__access **list, const struct syclze__runs *runs) {
  for (struct syclze__access *access; (access = *list) != NULL;)
    if (syclze__access_is_of_runs(access) && access->runs == runs) {
      *list = access->next;
      syclze__access_end(access);
    } else
      list = &access->next;
}

/* Records the access of a command to memory with the accesses `all`: by `runs`, or if null by
 * `event`, or if that is null too by the next position of the state. `is_native` commands are in
 * the native list of the state, whose lock is held; without a queue the state is null. Returns a
 * list that is long enough for compaction; null for none. */
SYCLZE_INLINE struct syclze__access **syclze__dependency_record_inline(
    const syclze_accessor *accessor, struct syclze__accesses *all, struct syclze__access *access,
    struct syclze__queue_state *state, bool is_native, struct syclze__event *event,
    struct syclze__runs *runs) {
  SYCLZE__HELD(&syclze__memory_lock(accessor->memory)->word);
  const bool writes = accessor->mode != SYCLZE_ACCESS_READ;
  struct syclze__access **list = writes ? &all->writers : &all->readers;
  if (writes) all->version++;
  if (is_native && syclze__dependency_own(accessor, all, state)) {
    syclze__pool_release(&access->slot); /* it refers to nothing yet */
    return NULL;
  }
  if (runs != NULL)
    access->runs = runs;
  else {
    access->event = event;
    if (event != NULL) syclze__ref_retain(&event->ref);
  }
  if (runs == NULL && state != NULL && (state->in_order || (is_native && state->driver_in_order))) {
    access->state = state;
    access->position = state->position + 1;
    syclze__queue_state_retain(state);
  }
  bool is_placed = false;
  if (writes && access->is_whole)
    syclze__accesses_clear(all);
  else if (writes) {
    if (all->readers != NULL)
      syclze__accesses_supersede(&all->readers, access, NULL, UINT32_MAX, true);
    is_placed = syclze__accesses_supersede(list, access, NULL, UINT32_MAX, false);
  } else if (access->state != NULL)
    is_placed = syclze__accesses_supersede(list, access, state, SYCLZE__ACCESSES_LOOKS, false);
  uint32_t *room = &all->room[writes];
  if (!is_placed) {
    access->next = *list;
    *list = access;
  }
  if ((*list)->next == NULL) *room = SYCLZE__ACCESSES_FEW;
  if (SYCLZE__LIKELY(--*room % SYCLZE__ACCESSES_BLOCK != 0)) return NULL;
  const bool is_full = *room == 0;
  if (is_full) {
    if (state != NULL && state->driver_in_order) syclze__accesses_join(list, state);
    syclze__accesses_prune(list);
  }
  const uint32_t count = syclze__accesses_block(list);
  if (!is_full) return NULL;
  *room = SYCLZE__ACCESSES_FEW;
  if (count >= SYCLZE__ACCESSES_COMPACT) return list;
  if (count > SYCLZE__ACCESSES_FEW) *room = count;
  return NULL;
}

/* syclze__dependency_gather_inline for accesses that no queue orders. */
SYCLZE_LOCAL ze_result_t syclze__dependency_gather(const syclze_accessor *accessor,
    const struct syclze__range *part, struct syclze__wait_list *waits,
    struct syclze__access **created) {
  return syclze__dependency_gather_inline(accessor, part, NULL, false, waits, created);
}

SYCLZE_LOCAL void syclze__dependency_record(
    const syclze_accessor *accessor, struct syclze__access *access, struct syclze__event *event) {
  syclze__dependency_record_inline(
      accessor, syclze__accesses_of(accessor->memory), access, NULL, false, event, NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
