/* Accesses: the pending uses of a memory object, and waits for them.
 *
 * A memory object lists its last writers and the readers since.
 *
 * A list of many accesses has blocks: an entry before up to 32 accesses has bounds of all their
 * parts, so that a search goes on behind those that it need not see. Bounds stay when an access is
 * removed. A list is tidied when as many accesses have been added as it had before.
 *
 * While one driver-in-order list accesses all of an object and no other queue does, that queue's
 * state owns the object and the lists are empty: only the positions of the last read and the last
 * write in the native list are recorded. An access of another queue ends the ownership: a barrier's
 * event, the marker, then stands for the positions.
 *
 * Locks: the object's lock, shared with its replicas in other contexts, protects the lists. The
 * owner's queue lock protects the positions; `owner` changes with both locks held.
 * Order: memory objects, then one queue. With an object's lock held a thread blocks only on the
 * locks of driver-in-order lists, whose appends do not block, and holds one of them at a time; the
 * lock of the queue that it submits to is tried (submission.h). */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_ACCESS_H
#define SYCLZE_COMMAND_DETAIL_ORDER_ACCESS_H

#include "../accessor.h"
#include "runs.h"
#include "shared_native.h"
#include "../queue/pending.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__access {
  struct syclze__slot slot;
  struct syclze__access *next;
  struct syclze__range range;        /* unset for all of the memory object */
  struct syclze__queue_state *state; /* that orders the access, with a reference; or null */
  union {
    uint64_t position;         /* with a state, in its list */
    struct syclze__runs *runs; /* without: the runs that the access refers to, or null */
  };
  struct syclze__event *event;   /* with a reference; null for an access by position or to runs */
  bool is_whole;                 /* the access is to all of the memory object */
  bool is_block;                 /* no access: `range` and `is_whole` cover those up to `behind` */
  struct syclze__access *behind; /* of a block: the next one; null for none */
};

struct syclze__accesses_lock {
  SYCLZE__LOCK(SYCLZE__RANK_MEMORY) word;
  const void *holder; /* the accessor for which it is held; null for none */
};

struct syclze__accesses {
  struct syclze__accesses_base base;
  struct syclze__queue_state *owner;  /* with a reference; null where the lists are used */
  struct syclze__queue_state *former; /* the last owner, once its ownership has ended; else null */
  uint64_t positions[2];              /* of the last read and write of either; 0 for none */
  struct syclze__event *marker;       /* covers the positions of `former`; null until needed */
  struct syclze__event *unfinished;   /* of a failed submission of either; null for none */
  struct syclze__accesses_lock lock;
  struct syclze__access *writers, *readers;
  uint32_t room[2];                  /* readers and writers to be added until the list is tidied */
  struct syclze__replicas *replicas; /* null unless other contexts use the buffer */
  struct syclze__alias alias;
  /* `version` counts recorded writes; those by position count as one when the ownership ends. The
   * host's data are current if `host_version` equals it. */
  uint64_t version, host_version;
  const void *host; /* the host's data; null if they were never current */
  bool is_shared;   /* memory objects over one allocation share the accesses: parts are recorded as
                       the whole */
  uint8_t in_runs;  /* the owner's `run_position` is a read, a write, by bits; 0 without an owner */
  uint32_t recordings; /* graphs being recorded with nodes that access the memory */
};

struct syclze__replicas {
  struct syclze__accesses_lock *lock; /* that of the buffer's own accesses */
  struct syclze__replica *first;      /* the buffer itself */
};

enum {
  SYCLZE__ACCESSES_FEW = 16,
  SYCLZE__ACCESSES_BLOCK = 32,
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

/* The replicas of memory that has some. */
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

/* Detaches the access from the runs: it gets the event of the last one. */
SYCLZE_LOCAL void syclze__access_leave_runs(struct syclze__access *access) {
  struct syclze__runs *runs = access->runs;
  syclze__lock_acquire(&runs->lock);
  access->event = runs->last;
  syclze__ref_retain(&access->event->ref);
  __atomic_store_n(&runs->count, runs->count - 1, __ATOMIC_RELAXED);
  syclze__lock_release(&runs->lock);
  access->runs = NULL;
  syclze__runs_release(runs);
}

SYCLZE_INLINE bool syclze__access_is_of_runs(const struct syclze__access *access) {
  return access->state == NULL && access->runs != NULL;
}

SYCLZE_INLINE void syclze__access_end(struct syclze__access *access) {
  if (access->event == NULL && syclze__access_is_of_runs(access)) syclze__access_leave_runs(access);
  if (access->event != NULL) syclze__event_release(access->event);
  if (access->state != NULL) syclze__queue_state_release(access->state);
  syclze__pool_release(&access->slot);
}

SYCLZE_LOCAL_WARM void syclze__access_list_end(struct syclze__access *list) {
  while (list != NULL) {
    struct syclze__access *access = list;
    list = access->next;
    syclze__access_end(access);
  }
}

SYCLZE_LOCAL void syclze__access_list_leave_runs(struct syclze__access *list) {
  for (; list != NULL; list = list->next)
    if (syclze__access_is_of_runs(list)) syclze__access_leave_runs(list);
}

/* True for a completed access, which refers to no runs any more, and for a block. */
SYCLZE_LOCAL bool syclze__access_is_done(struct syclze__access *access) {
  if (access->event == NULL && access->state == NULL) {
    struct syclze__runs *runs = access->runs;
    if (runs == NULL) return true;
    syclze__lock_acquire(&runs->lock);
    const bool is_done = syclze__event_is_signalled(runs->last);
    syclze__lock_release(&runs->lock);
    if (!is_done) return false;
    syclze__access_leave_runs(access);
  }
  return access->event != NULL && syclze__event_is_signalled(access->event);
}

/* Removes completed accesses, and all blocks. */
SYCLZE_LOCAL_WARM void syclze__accesses_prune(struct syclze__access **list) {
  for (struct syclze__access *access; (access = *list) != NULL;)
    if (syclze__access_is_done(access)) {
      *list = access->next;
      syclze__access_end(access);
    } else
      list = &access->next;
}

/* Sets the event of an access by position; null if it is done. */
SYCLZE_LOCAL_WARM ze_result_t syclze__access_mark(struct syclze__access *access) {
  SYCLZE__HELD(&access->state->lock);
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

/* Gives the access an event, unless it is done, or a block. */
SYCLZE_INLINE ze_result_t syclze__access_require_event(struct syclze__access *access) {
  if (SYCLZE__LIKELY(access->event != NULL)) return ZE_RESULT_SUCCESS;
  if (access->state == NULL) {
    if (!access->is_block) syclze__access_leave_runs(access);
    return ZE_RESULT_SUCCESS;
  }
  syclze__lock_acquire(&access->state->lock);
  const ze_result_t result = syclze__access_mark(access);
  syclze__lock_release(&access->state->lock);
  return result;
}

SYCLZE_INLINE bool syclze__accesses_overlap(
    const struct syclze__access *a, const struct syclze__access *b) {
  const struct syclze__range *x = &a->range, *y = &b->range;
  return a->is_whole || b->is_whole ||
         (x->first[0] < y->end[0] && y->first[0] < x->end[0] && x->first[1] < y->end[1] &&
             y->first[1] < x->end[1] && x->first[2] < y->end[2] && y->first[2] < x->end[2]);
}

/* True if `a` covers all of `b`. */
SYCLZE_INLINE bool syclze__access_covers(
    const struct syclze__access *a, const struct syclze__access *b) {
  const struct syclze__range *x = &a->range, *y = &b->range;
  return a->is_whole || (!b->is_whole && x->first[0] <= y->first[0] && x->end[0] >= y->end[0] &&
                            x->first[1] <= y->first[1] && x->end[1] >= y->end[1] &&
                            x->first[2] <= y->first[2] && x->end[2] >= y->end[2]);
}

/* Extends the access to cover another one. */
SYCLZE_INLINE void syclze__access_extend(
    struct syclze__access *access, const struct syclze__access *other) {
  struct syclze__range *range = &access->range;
  access->is_whole |= other->is_whole;
  if (access->is_whole) return;
  for (uint32_t i = 0; i < 3; i++) {
    if (other->range.first[i] < range->first[i]) range->first[i] = other->range.first[i];
    if (other->range.end[i] > range->end[i]) range->end[i] = other->range.end[i];
  }
}

/* Waits for all accesses in the list that overlap the new one, except those of `state`. */
SYCLZE_INLINE ze_result_t syclze__accesses_wait(struct syclze__access *list,
    const struct syclze__access *created, const struct syclze__queue_state *state,
    struct syclze__wait_list *waits) {
  for (struct syclze__access *access = list, *next; access != NULL; access = next) {
    next = access->next;
    if (access->state != NULL && access->state == state) continue;
    if (!syclze__accesses_overlap(access, created)) {
      if (access->is_block) next = access->behind;
      continue;
    }
    ze_result_t result = syclze__access_require_event(access);
    if (access->event != NULL) result = syclze__wait_list_add(waits, access->event);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  }
  return ZE_RESULT_SUCCESS;
}

/* Adds a new access at the front of the list; null without memory. */
SYCLZE_INLINE struct syclze__access *syclze__access_new(struct syclze__access **list) {
  struct syclze__access *access = (struct syclze__access *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESS], sizeof *access);
  if (SYCLZE__UNLIKELY(access == NULL)) return NULL;
  access->state = NULL;
  access->event = NULL;
  access->position = 0;
  access->is_block = false;
  access->next = *list;
  *list = access;
  return access;
}

/* Puts the accesses before the first block into blocks, as far as there is memory. Returns their
 * number. */
SYCLZE_LOCAL_WARM uint32_t syclze__accesses_block(struct syclze__access **list) {
  struct syclze__access *access, *block = NULL;
  uint32_t count = 0;
  for (; (access = *list) != NULL && !access->is_block; list = &access->next) {
    struct syclze__access *begun =
        count++ % SYCLZE__ACCESSES_BLOCK == 0 ? syclze__access_new(list) : NULL;
    if (begun != NULL) {
      begun->is_block = true;
      begun->is_whole = access->is_whole;
      begun->range = access->range;
      if (block != NULL) block->behind = begun;
      block = begun;
    }
    if (block != NULL) syclze__access_extend(block, access);
  }
  if (block != NULL) block->behind = access;
  return count;
}

/* Brings the positions up to date with the owner's last run of a graph, which counts as a write if
 * any of its graphs writes the object. */
SYCLZE_LOCAL void syclze__accesses_meet_runs(
    struct syclze__accesses *all, struct syclze__queue_state *owner) {
  SYCLZE__HELD(&owner->lock);
  uint64_t *position = &all->positions[all->in_runs >> 1];
  if (all->in_runs != 0 && *position < owner->run_position) *position = owner->run_position;
}

/* Makes the state's marker cover the positions. It is the owner or the former owner. */
SYCLZE_INLINE ze_result_t syclze__accesses_mark(
    const struct syclze__accesses *all, struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  const uint64_t last =
      all->positions[0] > all->positions[1] ? all->positions[0] : all->positions[1];
  return state->marker_position < last ? syclze__queue_state_mark(state) : ZE_RESULT_SUCCESS;
}

/* Forgets the former owner, whose accesses a later one covers, or of which none are left. */
SYCLZE_INLINE void syclze__accesses_drop_former(struct syclze__accesses *all) {
  if (SYCLZE__LIKELY(all->former == NULL)) return;
  if (SYCLZE__LIKELY(all->marker != NULL)) {
    syclze__event_release(all->marker);
    all->marker = NULL;
  }
  if (SYCLZE__UNLIKELY(all->unfinished != NULL)) syclze__event_assign(&all->unfinished, NULL);
  syclze__queue_state_release(all->former);
  all->former = NULL;
}

/* Forgets the former owner if it has no marker: its accesses are done. The marker has been set
 * before. */
SYCLZE_INLINE void syclze__accesses_forget_former(struct syclze__accesses *all) {
  if (SYCLZE__LIKELY(all->marker != NULL || all->unfinished != NULL)) return;
  all->positions[0] = all->positions[1] = 0;
  syclze__accesses_drop_former(all);
}

/* The owner becomes the former owner. The positions are up to date. */
SYCLZE_INLINE void syclze__accesses_disown(struct syclze__accesses *all) {
  SYCLZE__ASSERT(all->former == NULL && all->marker == NULL);
  all->in_runs = 0;
  all->owner->lost++;
  all->former = all->owner;
  if (all->positions[1] != 0) all->version++;
  __atomic_store_n(&all->owner, NULL, __ATOMIC_RELAXED);
}

/* Ends the ownership of the memory object, unless this fails. */
SYCLZE_LOCAL_WARM ze_result_t syclze__accesses_revoke(struct syclze__accesses *all, bool waits) {
  struct syclze__queue_state *owner = all->owner;
  syclze__lock_acquire(&owner->lock);
  if (SYCLZE__UNLIKELY(all->in_runs != 0)) syclze__accesses_meet_runs(all, owner);
  const ze_result_t result = waits ? syclze__accesses_mark(all, owner) : ZE_RESULT_SUCCESS;
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) {
    syclze__accesses_disown(all);
    if (waits) all->marker = owner->marker;
    if (all->marker != NULL) syclze__ref_retain(&all->marker->ref);
  }
  syclze__lock_release(&owner->lock);
  if (waits && SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) syclze__accesses_forget_former(all);
  return result;
}

/* Sets `marker` by the former owner, if work is pending. */
SYCLZE_LOCAL ze_result_t syclze__accesses_mark_former(struct syclze__accesses *all) {
  syclze__lock_acquire(&all->former->lock);
  const ze_result_t result = syclze__accesses_mark(all, all->former);
  if (result == ZE_RESULT_SUCCESS) syclze__event_assign(&all->marker, all->former->marker);
  syclze__lock_release(&all->former->lock);
  return result;
}

/* Waits for the accesses of the former owner. */
SYCLZE_LOCAL_WARM ze_result_t syclze__accesses_wait_former(
    struct syclze__accesses *all, struct syclze__wait_list *waits) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (all->marker == NULL) result = syclze__accesses_mark_former(all);
  if (result == ZE_RESULT_SUCCESS && all->marker != NULL)
    result = syclze__wait_list_add(waits, all->marker);
  if (result == ZE_RESULT_SUCCESS && SYCLZE__UNLIKELY(all->unfinished != NULL))
    result = syclze__wait_list_add(waits, all->unfinished);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
