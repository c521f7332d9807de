/* Dependencies: which earlier work an access has to wait for.
 *
 * Readers wait for the writers before them, writers for all accesses since, where the parts
 * overlap. Each memory has a list of its last writers and of the readers since. An access by a
 * queue whose native list is in order is kept as a position in that queue, and gets an event, by a
 * barrier, only when another queue asks. All of it is under one lock of the process, which nobody
 * holds while he waits or runs a command group's code, nor while he appends anything but such a
 * barrier (submission.h). */
#ifndef SYCLZE_COMMAND_DEPEND_H
#define SYCLZE_COMMAND_DEPEND_H

#include "../accessor.h"
#include "queue_state.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__access {
  struct syclze__slot slot;
  struct syclze__access *next;
  struct syclze__range box;
  struct syclze__queue_state *state; /* of the work, with a reference */
  uint64_t position;
  struct syclze__event *event; /* with a reference; null for a position in native order */
  uint32_t depth;              /* of the list from here on, as far as it is known */
  bool is_whole;               /* the box is all of the memory object */
};

struct syclze__accesses {
  struct syclze__accesses_base base;
  struct syclze__access *writers, *readers;
  struct syclze__replicas *replicas; /* of a buffer that other contexts use; null for none */
};

enum { SYCLZE__ACCESSES_PRUNE = 16, SYCLZE__ACCESSES_LOOK = 4 };

SYCLZE_INLINE struct syclze__accesses *syclze__accesses_of(const struct syclze__memory *memory) {
  return (struct syclze__accesses *)(void *)memory->accesses;
}

SYCLZE_INLINE void syclze__access_end(struct syclze__access *access) {
  if (access->event != NULL) syclze__event_release(access->event);
  if (access->state != NULL) syclze__queue_state_release(access->state);
  syclze__pool_release(&access->slot);
}

SYCLZE_COLD void syclze__accesses_prune(struct syclze__access **list)
    SYCLZE_LINK_NAME(syclze__accesses_prune);

/* Forgets what is done. */
SYCLZE_COLD void syclze__accesses_prune(struct syclze__access **list) {
  struct syclze__access **link = list;
  uint32_t left = 0;
  for (struct syclze__access *access; (access = *link) != NULL;) {
    if (access->event != NULL &&
        SYCLZE__ZE(zeEventQueryStatus)(access->event->native) != ZE_RESULT_NOT_READY) {
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

SYCLZE_COLD ze_result_t syclze__access_event(struct syclze__access *access,
    const struct syclze__queue_state *own, struct syclze__event **event)
    SYCLZE_LINK_NAME(syclze__access_event);

/* The event of an access, made if need be; null for one that is done. `own` is the state whose
 * lock is held already. */
SYCLZE_COLD ze_result_t syclze__access_event(struct syclze__access *access,
    const struct syclze__queue_state *own, struct syclze__event **event) {
  struct syclze__queue_state *state = access->state;
  *event = access->event;
  if (access->event != NULL) return ZE_RESULT_SUCCESS;
  if (state != own) syclze__lock_acquire(&state->lock);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (state->marker_position < access->position) result = syclze__queue_state_marker(state);
  /* From here on the access has an event of its own. */
  if (result == ZE_RESULT_SUCCESS && state->marker != NULL) {
    access->event = *event = state->marker;
    syclze__ref_retain(&state->marker->ref);
  }
  if (state != own) syclze__lock_release(&state->lock);
  return result;
}

/* Waits for what of a list meets the box. */
SYCLZE_INLINE ze_result_t syclze__accesses_wait(struct syclze__queue_state *state,
    struct syclze__access *list, const struct syclze__range *box) {
  for (struct syclze__access *access = list; access != NULL; access = access->next) {
    if (!syclze__ranges_overlap(&access->box, box)) continue;
    if (access->state == state && state->in_order) continue;
    struct syclze__event *event;
    ze_result_t result = syclze__access_event(access, state, &event);
    if (result == ZE_RESULT_SUCCESS && event != NULL)
      result = syclze__queue_state_wait(state, event);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

/* When nobody refers to the memory any more: every access becomes a use. What cannot, without
 * memory, is waited for. */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle(struct syclze__memory *memory) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  struct syclze__access *left = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  syclze__lock_acquire(&SYCLZE__STATE.dependency_lock);
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
  syclze__lock_release(&SYCLZE__STATE.dependency_lock);
  while (left != NULL) {
    struct syclze__access *access = left;
    left = access->next;
    ze_result_t waited = syclze__event_await(access->event);
    if (result == ZE_RESULT_SUCCESS) result = waited;
    syclze__access_end(access);
  }
  memory->accesses = NULL;
  syclze__pool_release(&all->base.slot);
  return result;
}

SYCLZE_COLD struct syclze__accesses *syclze__accesses_make(struct syclze__memory *memory)
    SYCLZE_LINK_NAME(syclze__accesses_make);

SYCLZE_COLD struct syclze__accesses *syclze__accesses_make(struct syclze__memory *memory) {
  struct syclze__accesses *created = (struct syclze__accesses *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESSES], sizeof *created);
  if (created == NULL) return NULL;
  created->base.settle = syclze__accesses_settle;
  created->writers = created->readers = NULL;
  created->replicas = NULL;
  memory->accesses = &created->base;
  return created;
}

/* Whether an access is the state's own, by its position alone, of the same part. */
SYCLZE_INLINE bool syclze__access_repeats(const struct syclze__access *access,
    const struct syclze__queue_state *state, const syclze_accessor *accessor,
    const struct syclze__range *part) {
  return access->state == state && access->event == NULL &&
         (SYCLZE__LIKELY(accessor->is_whole) ? access->is_whole
                                             : syclze__ranges_equal(&access->box, part));
}

/* The same again: the state, in native order, accesses what it alone accessed last, in the same
 * way. Nothing has to be waited for, and the access that is there stands for the new one too.
 * `part` is not read of a whole object. */
SYCLZE_INLINE bool syclze__dependency_repeats(const struct syclze__queue_state *state,
    const syclze_accessor *accessor, const struct syclze__range *part) {
  const struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
  if (all == NULL) return false;
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

/* Waits for what the accessor has to wait for, and makes the access that it will become. */
SYCLZE_INLINE ze_result_t syclze__dependency_gather(struct syclze__queue_state *state,
    const syclze_accessor *accessor, const struct syclze__range *part,
    struct syclze__access **created) {
  struct syclze__memory *memory = accessor->memory;
  struct syclze__accesses *all = syclze__accesses_of(memory);
  if (SYCLZE__UNLIKELY(all == NULL)) all = syclze__accesses_make(memory);
  struct syclze__access *access = (struct syclze__access *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESS], sizeof *access);
  if (SYCLZE__UNLIKELY(access == NULL)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  access->box = accessor->is_whole ? syclze__range_whole(memory) : *part;
  access->is_whole = accessor->is_whole;
  access->state = NULL;
  access->event = NULL;
  access->next = *created;
  *created = access;
  if (SYCLZE__UNLIKELY(all == NULL)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  const uint32_t waits = state->wait_count;
  if (SYCLZE__UNLIKELY(memory->available != NULL)) {
    if (SYCLZE__ZE(zeEventQueryStatus)(memory->available->native) == ZE_RESULT_NOT_READY)
      result = syclze__queue_state_wait(state, memory->available);
    else
      syclze__event_assign(&memory->available, NULL);
  }
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__accesses_wait(state, all->writers, &access->box);
  if (result == ZE_RESULT_SUCCESS && accessor->mode != SYCLZE_ACCESS_READ)
    result = syclze__accesses_wait(state, all->readers, &access->box);
  (void)waits;
  SYCLZE__TRACE_COMMAND(
      depends, (state->waits + waits, state->wait_count - waits, memory, (uint32_t)accessor->mode));
  return result;
}

/* Takes out of a list what nobody needs to wait for once they wait for the new access: what it
 * overwrites, and with `own` the same queue's accesses before it. */
SYCLZE_INLINE void syclze__accesses_supersede(struct syclze__access **list,
    const struct syclze__range *box, const struct syclze__queue_state *own, uint32_t looks) {
  for (struct syclze__access *access; looks > 0 && (access = *list) != NULL; looks--)
    if ((own == NULL || access->state == own) && syclze__range_contains(box, &access->box)) {
      *list = access->next;
      syclze__access_end(access);
    } else
      list = &access->next;
}

/* The next command of the state is the accessor's: its event, or in native order its position,
 * stands for it from here on. */
SYCLZE_INLINE void syclze__dependency_publish(struct syclze__queue_state *state,
    const syclze_accessor *accessor, struct syclze__access *access, struct syclze__event *event) {
  struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
  struct syclze__access **list = &all->readers;
  access->state = state;
  access->position = state->position + 1;
  access->event = event;
  if (event != NULL) syclze__ref_retain(&event->ref);
  __atomic_fetch_add(&state->references, 1, __ATOMIC_RELAXED);
  if (accessor->mode != SYCLZE_ACCESS_READ) {
    syclze__accesses_supersede(&all->readers, &access->box, NULL, UINT32_MAX);
    syclze__accesses_supersede(&all->writers, &access->box, NULL, UINT32_MAX);
    list = &all->writers;
  } else if (state->in_order)
    syclze__accesses_supersede(&all->readers, &access->box, state, SYCLZE__ACCESSES_LOOK);
  access->next = *list;
  access->depth = access->next != NULL ? access->next->depth + 1 : 1;
  *list = access;
  if (SYCLZE__UNLIKELY(access->depth >= SYCLZE__ACCESSES_PRUNE) &&
      (access->depth & (access->depth - 1)) == 0)
    syclze__accesses_prune(list);
}

SYCLZE_EXTERN_C_END

#endif
