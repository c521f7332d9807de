/* Host tasks with one requirement, of all of a memory object, behind another one of their queue, or
 * for an out-of-order queue behind one writer: they wait for one event at most, and their access
 * takes the place of the one before.
 *
 * Locks as in single_access.h: the queue's, and with that held that of the memory object is tried.
 * What is not so simple goes the way of all submissions from the start. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_TASK_SINGLE_H
#define SYCLZE_COMMAND_DETAIL_HOST_TASK_SINGLE_H

#include "host_task_run.h"
#include "single_access.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* A host task whose access is recorded. */
struct syclze__host_single {
  struct syclze__queue_state *state; /* locked */
  struct syclze__host_task *host;
  struct syclze__event *created; /* with the application's reference, if it wants the event */
  struct syclze__event *wait;    /* of `created`; null for none */
  bool reused;                   /* the event of the oldest submission */
};

/* True if a host task of the queue waits for no command of the native list, and for no barrier. */
SYCLZE_INLINE bool syclze__host_single_is_orderly(struct syclze__queue_state *state) {
  if ((state->obstacles & ~(uint32_t)SYCLZE__OBSTACLE_AFTER) != 0 ||
      state->event_kind != SYCLZE__EVENT_PLAIN)
    return false;
  if (!state->in_order && state->after != NULL) return false;
  if (!state->in_order && state->barrier != NULL) {
    if (syclze__event_is_open(state->barrier) || !syclze__event_is_signalled(state->barrier))
      return false;
    syclze__event_assign(&state->barrier, NULL);
  }
  const uint64_t ordered = !state->in_order         ? state->barrier_position
                           : state->driver_in_order ? state->position
                                                    : 0;
  if (ordered == 0) return true;
  if (state->marker_position < ordered) return false;
  if (state->marker != NULL && syclze__event_is_signalled(state->marker)) state->marker = NULL;
  return state->marker == NULL;
}

/* The record of the only access that the new one takes the place of; null for none. With the locks
 * of the state and of the object. */
SYCLZE_INLINE struct syclze__access *syclze__host_single_before(
    const struct syclze__accesses *all, const struct syclze__queue_state *state, bool writes) {
  struct syclze__access *access = writes ? all->writers : all->readers;
  const struct syclze__access *other = writes ? all->readers : all->writers;
  const struct syclze__queue_state *own = state->in_order ? state : NULL;
  if (all->owner != NULL || all->former != NULL || other != NULL || (own == NULL && !writes))
    return NULL;
  if (access == NULL || access->next != NULL || !access->is_whole || access->state != own)
    return NULL;
  return access->event != NULL ? access : NULL;
}

/* Finds what the task waits for; false if the way of all submissions is to be taken. */
SYCLZE_INLINE bool syclze__host_single_gather(const struct syclze__access *access,
    const struct syclze__queue_state *state, struct syclze__host_single *single) {
  struct syclze__event *wait = state->in_order ? state->after : access->event;
  single->wait = NULL;
  if (wait == NULL) return true;
  if (SYCLZE__UNLIKELY(syclze__event_is_recorded(wait))) return false;
  if (syclze__event_is_open(wait) || !syclze__event_is_signalled(wait)) single->wait = wait;
  return true;
}

/* The event of the oldest submission, reset and no longer pending, if that is done and nothing else
 * needs it: mostly an earlier host task. */
SYCLZE_INLINE struct syclze__event *syclze__host_single_reuse(struct syclze__queue_state *state) {
#if SYCLZE__HAS_IDLE_OBJECTS
  struct syclze__event *event = state->first;
  if (event == NULL || !syclze__ref_is_only(&event->ref)) return NULL;
  const struct syclze__pending *pending = &event->pending;
  if (pending->wait_count != 0 || pending->kernel != NULL || pending->lists != NULL ||
      event->pooled->kind != SYCLZE__EVENT_PLAIN || !syclze__event_is_signalled(event))
    return NULL;
  if (SYCLZE__UNLIKELY(SYCLZE__ZE(zeEventHostReset)(event->native) != ZE_RESULT_SUCCESS))
    return NULL;
  syclze__queue_state_remove_first(state);
  return event;
#else
  (void)state;
  return NULL;
#endif
}

/* Creates the event, which nothing else refers to yet, with its references: of the queue, the task,
 * the access and, in order, of the next submission; and the task. False where that fails. */
SYCLZE_INLINE bool syclze__host_single_create(
    struct syclze__queue_state *state, bool wants_event, struct syclze__host_single *single) {
  ze_result_t result;
  struct syclze__host_task *host = syclze__host_task_acquire();
  if (SYCLZE__UNLIKELY(host == NULL)) return false;
  struct syclze__event *event = syclze__host_single_reuse(state);
  single->reused = event != NULL;
  if (event == NULL)
    event = syclze__event_take(state->queue->context, SYCLZE__EVENT_PLAIN, 0, &result);
  if (SYCLZE__UNLIKELY(event == NULL) &&
      syclze__pending_create(state, &event) != ZE_RESULT_SUCCESS) {
    syclze__pool_release(&host->interop.slot);
    return false;
  }
  event->ref.others = 2 + state->in_order + wants_event;
  single->created = event;
  single->host = host;
  return true;
}

/* Records the access by the new event, which keeps the one that it waits for. With the locks of the
 * state and of the object. */
SYCLZE_INLINE void syclze__host_single_record(struct syclze__access *access,
    struct syclze__queue_state *state, const struct syclze__host_single *single) {
  struct syclze__event *created = single->created, *before = access->event;
  struct syclze__event *last = state->in_order ? state->after : before;
  struct syclze__pending *pending = &created->pending;
  __atomic_store_n(&access->event, created, __ATOMIC_RELAXED);
  if (state->in_order) {
    access->position = state->position + 1;
    state->after = created;
    state->obstacles |= SYCLZE__OBSTACLE_AFTER;
    syclze__event_release(before);
  }
  /* The reference of what stood last is that of the wait. */
  if (single->wait != NULL) {
    pending->waits.one = last;
    pending->wait_count = 1;
  } else if (last != NULL)
    syclze__event_release(last);
  syclze__pending_set_host(created);
  __atomic_store_n(&created->dependents, SYCLZE__DEPENDENTS_END, __ATOMIC_RELAXED);
}

/* With the state's lock. */
SYCLZE_INLINE bool syclze__host_single_begin(
    const syclze_group *group, bool wants_event, struct syclze__host_single *single) {
  struct syclze__queue_state *state = single->state;
  const struct syclze__memory *memory = group->accessors[0].memory;
  struct syclze__accesses *all = syclze__accesses_of(memory);
  bool is_recorded = false;
  if (SYCLZE__UNLIKELY(all == NULL || !syclze__host_single_is_orderly(state) ||
                       !syclze__lock_try(&all->lock.word)))
    return false;
  struct syclze__access *access = NULL;
  /* With replicas the lists have another lock. */
  if (SYCLZE__LIKELY(syclze__single_is_simple(all, memory)))
    access = syclze__host_single_before(all, state, group->accessors[0].mode != SYCLZE_ACCESS_READ);
  if (SYCLZE__LIKELY(access != NULL && syclze__host_single_gather(access, state, single) &&
                     syclze__host_single_create(state, wants_event, single))) {
    syclze__host_single_record(access, state, single);
    is_recorded = true;
  }
  syclze__lock_release(&all->lock.word);
  return is_recorded;
}

/* True if the access of the group is recorded, and the state of its queue locked; else nothing is
 * done. */
SYCLZE_INLINE bool syclze__host_single_open(
    const syclze_group *group, bool wants_event, struct syclze__host_single *single) {
  if (!syclze__group_is_single(group) || group->queue == NULL ||
      group->status.result != ZE_RESULT_SUCCESS || SYCLZE__TRACING_COMMANDS() ||
      syclze__is_forked())
    return false;
  single->state = syclze__queue_state_get(group->queue);
  if (SYCLZE__UNLIKELY(single->state == NULL || !syclze__lock_try(&single->state->lock)))
    return false;
  if (SYCLZE__LIKELY(syclze__host_single_begin(group, wants_event, single))) return true;
  syclze__lock_release(&single->state->lock);
  return false;
}

/* Where no worker takes the task. The rollback drops a reference, which the application would have
 * had, and has the next submission wait for the event. */
SYCLZE_LOCAL ze_result_t syclze__host_single_fail(syclze_group *group,
    const struct syclze__host_single *single, bool wants_event, ze_result_t result) {
  struct syclze__submission submission;
  syclze__submission_init(&submission, group, SYCLZE__SUBMISSION_HOST, "syclze_group_host_task");
  if (!wants_event) syclze__ref_retain(&single->created->ref);
  submission.state = single->state;
  submission.event = single->created;
  submission.recorded = true;
  return syclze__submission_rollback(&submission, result, "no memory or thread for a host task");
}

/* Hands the task to the workers, and releases the state. */
SYCLZE_INLINE ze_result_t syclze__host_single_submit(syclze_group *group,
    struct syclze__host_single *single, syclze__host_function function, void *argument,
    syclze_event *event) {
  struct syclze__queue_state *state = single->state;
  struct syclze__event *created = single->created;
  struct syclze__host_task *host = single->host;
  struct syclze__event *done = NULL;
  const uint32_t waits = single->wait != NULL;
  syclze__host_task_reserve(host, 1, waits);
  syclze__host_task_init(host, group, created, function, argument);
  host->few_accessors[0] = group->accessors[0];
  host->few_memories[0] = group->accessors[0].memory->native;
  if (waits != 0) host->few_waits[0] = single->wait->native;
  const ze_result_t result = syclze__host_task_submit(host, &single->wait, waits);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__host_single_fail(group, single, event != NULL, result);
  syclze__queue_state_keep(state, created);
  /* The submission before this one stays, for the next to reuse. */
  if (!single->reused && state->first != created && state->first->pending.next != created)
    done = syclze__queue_state_retire(state, 2);
  if (event != NULL) event->rep = created;
  syclze__lock_release(&state->lock);
  if (done != NULL) syclze__pendings_retire(done);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
