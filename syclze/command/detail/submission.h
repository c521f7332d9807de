/* The way of a submission:
 *
 * - lock the memory objects that the group accesses, bring replicas of other contexts up to date,
 *   and gather the wait list of the group's events and accesses
 * - lock the queue, and add what its own order demands
 * - hold: the event, if one is needed, and what lives until it is signalled
 * - record the accesses, so that other work can depend on the submission; release the memory
 *   objects
 * - append: the one call of the command
 * - end (completion.h), which releases the queue
 *
 * The locks of memory objects are not held during the append, which may block, as those of a
 * synchronous list do. With them held the queue's lock is only tried; a thread that misses it
 * releases all of them, and sleeps until it is free (lock_await.h). */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMISSION_H
#define SYCLZE_COMMAND_DETAIL_SUBMISSION_H

#include "compaction.h"
#include "completion.h"
#include "kernel_use.h"
#include "queue_lifetime.h"
#include "recording.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Brings the replicas that the group uses up to date. With the locks of memory objects. */
SYCLZE_LOCAL ze_result_t syclze__submission_update_replicas(
    const struct syclze__submission *submission) {
  const uint32_t count = submission->group->accessor_count;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++)
    if (syclze__replicas_of(submission->accessors[i].memory) != NULL)
      result =
          syclze__replica_update(submission->accessors[i].memory, submission->group->queue, NULL);
  return result;
}

/* True if the state, which is locked, owns what the accessors access: their positions are all that
 * has to be recorded. A position that is set without a submission is conservative. */
SYCLZE_INLINE bool syclze__submission_owns(
    const struct syclze__queue_state *state, const syclze_accessor *accessors, uint32_t count) {
  const uint64_t position = state->position + 1;
  for (const syclze_accessor *end = accessors + count; accessors != end; accessors++) {
    struct syclze__accesses *all = syclze__accesses_of(accessors->memory);
    if (SYCLZE__UNLIKELY(all == NULL || accessors->is_part ||
                         __atomic_load_n(&all->owner, __ATOMIC_RELAXED) != state))
      return false;
    all->positions[accessors->mode != SYCLZE_ACCESS_READ] = position;
  }
  return true;
}

SYCLZE_INLINE void syclze__submission_init(struct syclze__submission *submission,
    syclze_group *group, enum syclze__submission_kind kind, const char *function) {
  submission->group = group;
  submission->accessors = syclze__group_accessors(group);
  submission->function = function;
  submission->at.state = NULL;
  submission->at.list = NULL;
  submission->at.signal = NULL;
  submission->at.waits = NULL;
  submission->at.event = NULL;
  submission->at.wait_count = 0;
  submission->at.depends = syclze__group_depends(group);
  submission->at.begun = false;
  submission->kind = kind;
  submission->accesses = NULL;
  submission->traced = NULL;
  submission->kernel = NULL;
  submission->without_event = submission->is_deferred = false;
  submission->recorded = false;
  syclze__wait_list_init(&submission->waits);
}

/* An event of another context: one of the queue's context is waited for instead. */
SYCLZE_LOCAL ze_result_t syclze__submission_wait_across(
    struct syclze__submission *submission, struct syclze__event *event) {
  struct syclze__event *own;
  if (syclze__event_is_recorded(event)) {
    syclze__group_fail(submission->group, syclze__recorded_event_status());
    return SYCLZE_RESULT_ERROR_INVALID;
  }
  ze_result_t result = syclze__host_wait_event(submission->group->queue, event, &own);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__wait_list_add(&submission->waits, own);
  syclze__event_release(own);
  return result;
}

/* Memory that an event of another context makes available waits for one of its own from here on. */
SYCLZE_LOCAL ze_result_t syclze__submission_wait_available(
    const struct syclze__submission *submission, struct syclze__memory *memory) {
  struct syclze__event *own;
  if (syclze__contexts_are_one(memory->available->context, memory->context))
    return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__host_wait_event(submission->group->queue, memory->available, &own);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__event_assign(&memory->available, own);
  syclze__event_release(own);
  return result;
}

SYCLZE_INLINE ze_result_t syclze__submission_gather_events(struct syclze__submission *submission) {
  const syclze_group *group = submission->group;
  struct syclze__event *const *events = syclze__group_events(group);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < group->event_count && result == ZE_RESULT_SUCCESS; i++)
    result = syclze__contexts_are_one(events[i]->context, group->queue->context)
                 ? syclze__wait_list_add(&submission->waits, events[i])
                 : syclze__submission_wait_across(submission, events[i]);
  return result;
}

/* With the locks of memory objects. */
SYCLZE_INLINE ze_result_t syclze__submission_gather_accesses(struct syclze__submission *submission,
    const struct syclze__queue_state *state, const syclze_accessor *accessors, uint32_t count) {
  const bool is_native = syclze__kind_is_native(submission->kind);
  ze_result_t result = ZE_RESULT_SUCCESS;
  /* Host tasks are not ordered by the native list. */
  if (!is_native && !state->in_order) state = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const syclze_accessor *accessor = &accessors[i];
    if (SYCLZE__UNLIKELY(accessor->memory->available != NULL))
      result = syclze__submission_wait_available(submission, accessor->memory);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
      result = syclze__dependency_gather(accessor,
          SYCLZE__LIKELY(!accessor->is_part) ? NULL : syclze__group_part(submission->group, i),
          state, is_native, &submission->waits, &submission->accesses);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) break;
  }
  return result;
}

/* The exclusive use of the kernel that is launched. With the state's lock. */
SYCLZE_INLINE ze_result_t syclze__submission_bind(
    const struct syclze__submission *submission, struct syclze__queue_state *state) {
  if (submission->kernel == NULL ||
      (!submission->without_event && syclze__kernel_is_bound_with_event(submission->kernel, state)))
    return ZE_RESULT_SUCCESS;
  return syclze__kernel_bind(submission->kernel, state, submission->without_event);
}

/* Locks the queue. */
SYCLZE_INLINE ze_result_t syclze__submission_lock_queue(
    const struct syclze__submission *submission, struct syclze__queue_state *state) {
  for (;; syclze__kernel_await_owner(submission->kernel)) {
    syclze__lock_acquire(&state->lock);
    const ze_result_t result = syclze__submission_bind(submission, state);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
    syclze__lock_release(&state->lock);
    if (result != ZE_RESULT_NOT_READY) return result;
  }
}

/* Locks the memory objects and the queue, with the accesses gathered in between. */
SYCLZE_INLINE ze_result_t syclze__submission_lock(struct syclze__submission *submission,
    struct syclze__queue_state *state, const syclze_accessor *accessors, uint32_t count) {
  const uint32_t events = submission->waits.count;
  for (;;) {
    bool replicas = false, is_bound = true;
    ze_result_t result = ZE_RESULT_SUCCESS;
    if (SYCLZE__UNLIKELY(!syclze__accessors_try(accessors, count, &replicas))) continue;
    if (SYCLZE__UNLIKELY(replicas)) result = syclze__submission_update_replicas(submission);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
      result = syclze__submission_gather_accesses(submission, state, accessors, count);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS && syclze__lock_try(&state->lock))) {
      result = syclze__submission_bind(submission, state);
      if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
      syclze__lock_release(&state->lock);
      is_bound = result != ZE_RESULT_NOT_READY;
    }
    syclze__accessors_unlock(accessors, count);
    syclze__access_list_end(submission->accesses);
    submission->accesses = NULL;
    syclze__wait_list_truncate(&submission->waits, events);
    if (!is_bound)
      syclze__kernel_await_owner(submission->kernel);
    else if (result == ZE_RESULT_SUCCESS)
      syclze__lock_await(&state->lock);
    else
      return result;
  }
}

/* Up to the queue's lock. After an error nothing is locked. SYCLZE__SUBMISSION_RECORDS of a queue
 * that records. */
SYCLZE_INLINE ze_result_t syclze__submission_begin(struct syclze__submission *submission) {
  const syclze_group *group = submission->group;
  const syclze_accessor *accessors = submission->accessors;
  const uint32_t count = group->accessor_count;
  if (SYCLZE__UNLIKELY(group->queue == NULL))
    syclze__group_fail(submission->group, syclze__null_handle("the queue is null"));
  if (syclze__is_forked()) syclze__group_fail(submission->group, syclze__check_fork());
  if (SYCLZE__UNLIKELY(group->status.result != ZE_RESULT_SUCCESS)) return group->status.result;
  struct syclze__queue_state *state = syclze__queue_state_require(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (SYCLZE__UNLIKELY(syclze__queue_state_records(state))) return SYCLZE__SUBMISSION_RECORDS;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (group->event_count != 0) result = syclze__submission_gather_events(submission);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  if (count == 0) {
    result = syclze__submission_lock_queue(submission, state);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  } else {
    for (uint32_t i = 0; i < count; i++) {
      result = syclze__accesses_require(accessors[i].memory);
      if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
    }
    result = syclze__submission_lock(submission, state, accessors, count);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  }
  submission->at.state = state;
  if (SYCLZE__LIKELY(state->is_list && syclze__kind_is_native(submission->kind)))
    submission->at.list = group->queue->native.list;
  return result;
}

/* Of a submission that waits for open events: ends for one that is recorded. */
SYCLZE_LOCAL ze_result_t syclze__submission_check_open(
    const struct syclze__submission *submission) {
  for (uint32_t i = 0; i < submission->waits.count; i++) {
    if (!syclze__event_is_recorded(submission->waits.events[i])) continue;
    syclze__group_fail(submission->group, syclze__recorded_event_status());
    return SYCLZE_RESULT_ERROR_INVALID;
  }
  return ZE_RESULT_SUCCESS;
}

/* The barrier that later work waits for; null for none, and once it is done. With the lock. */
SYCLZE_LOCAL_WARM struct syclze__event *syclze__queue_state_barrier(
    struct syclze__queue_state *state) {
  struct syclze__event *barrier = state->barrier;
  if (barrier == NULL || syclze__event_is_open(barrier) || !syclze__event_is_signalled(barrier))
    return barrier;
  syclze__event_assign(&state->barrier, NULL);
  state->obstacles &= ~(uint32_t)SYCLZE__OBSTACLE_BARRIER;
  return NULL;
}

/* Waits for the pending submissions that a barrier of the native list does not order: all of a
 * command queue, and those of the host, behind the last barrier that waits for all before it. */
SYCLZE_LOCAL ze_result_t syclze__submission_gather_pending(struct syclze__submission *submission) {
  const struct syclze__queue_state *state = submission->at.state;
  struct syclze__event *event = state->cut != NULL ? state->cut->pending.next : state->first;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (state->is_list && !state->has_host_work) return result;
  for (; event != NULL && result == ZE_RESULT_SUCCESS; event = event->pending.next)
    if (event->pending.is_host || !state->is_list)
      result = syclze__wait_list_add(&submission->waits, event);
  return result;
}

/* Waits for what the native order gives a command, and not what is in no native list. */
SYCLZE_LOCAL_WARM ze_result_t syclze__submission_gather_aside(
    struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->at.state;
  if (!state->driver_in_order || !state->in_order) return ZE_RESULT_SUCCESS;
  const ze_result_t result = syclze__queue_state_mark(state);
  if (result != ZE_RESULT_SUCCESS || state->marker == NULL) return result;
  return syclze__wait_list_add(&submission->waits, state->marker);
}

/* Waits for what the queue's own order demands. */
SYCLZE_LOCAL_WARM ze_result_t syclze__submission_gather_order(
    struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->at.state;
  struct syclze__wait_list *waits = &submission->waits;
  const bool is_native = syclze__kind_is_native(submission->kind);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!is_native) result = syclze__submission_gather_aside(submission);
  if (result == ZE_RESULT_SUCCESS && state->after != NULL)
    result = syclze__wait_list_add(waits, state->after);
  if (result == ZE_RESULT_SUCCESS && state->barrier != NULL &&
      (!is_native || !state->is_list || (state->obstacles & SYCLZE__OBSTACLE_BARRIER) != 0) &&
      syclze__queue_state_barrier(state) != NULL)
    result = syclze__wait_list_add(waits, state->barrier);
  for (struct syclze__interop *task = is_native ? state->borrowers : NULL;
       task != NULL && result == ZE_RESULT_SUCCESS; task = task->others)
    result = syclze__wait_list_add(waits, task->done);
  if (submission->kind == SYCLZE__SUBMISSION_BARRIER && !state->in_order &&
      !submission->at.depends && result == ZE_RESULT_SUCCESS)
    result = syclze__submission_gather_pending(submission);
  return result;
}

/* True if the submission must leave an event, returned or not. */
SYCLZE_INLINE bool syclze__submission_needs_event(const struct syclze__submission *submission) {
  const struct syclze__queue_state *state = submission->at.state;
  if (!syclze__kind_is_native(submission->kind)) return true;
  /* Other threads may access the memory while the append blocks. */
  if (SYCLZE__UNLIKELY(state->is_synchronous))
    return submission->is_deferred || submission->group->accessor_count != 0;
  if (submission->waits.count != 0) return true;
  if (submission->kind == SYCLZE__SUBMISSION_BARRIER && !state->in_order) return true;
  return !state->driver_in_order &&
         (submission->group->accessor_count != 0 || state->in_order || !state->is_list);
}

/* The event, and what the queue keeps until it is signalled. */
SYCLZE_INLINE ze_result_t syclze__submission_hold(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->at.state;
  struct syclze__event *event;
  ze_result_t result = syclze__pending_create(state, submission->kernel, &event);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  submission->at.event = event;
  if (SYCLZE__UNLIKELY(submission->is_deferred || !syclze__kind_is_native(submission->kind))) {
    syclze__pending_set_host(event);
    if (submission->is_deferred || submission->kind == SYCLZE__SUBMISSION_HOST)
      syclze__event_open(event);
  }
  if (submission->kind != SYCLZE__SUBMISSION_HOST) {
    submission->at.signal = event->native;
    if (SYCLZE__UNLIKELY(!state->is_list && !submission->is_deferred)) {
      result = syclze__regular_list_acquire(state, &event->pending.lists);
      if (result != ZE_RESULT_SUCCESS) return result;
      submission->at.list = event->pending.lists->native;
    }
  }
  return syclze__pending_keep_waits(event, &submission->waits) ? result
                                                               : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Defers the submission: it will not stand in the native list when the locks are released, and
 * leaves an event in the records of what it accesses. */
SYCLZE_LOCAL void syclze__submission_defer(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->at.state;
  submission->is_deferred = true;
  submission->at.list = NULL;
  for (uint32_t i = 0; i < submission->group->accessor_count; i++) {
    struct syclze__accesses *all = syclze__accesses_of(submission->accessors[i].memory);
    if (all->owner != state) continue;
    all->former = state;
    __atomic_store_n(&all->owner, NULL, __ATOMIC_RELAXED);
  }
}

/* Completes the wait list, and holds the event. With the queue's lock. */
SYCLZE_INLINE ze_result_t syclze__submission_gather(
    struct syclze__submission *submission, bool wants_event) {
  struct syclze__queue_state *state = submission->at.state;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (state->obstacles != 0 || submission->kind > SYCLZE__SUBMISSION_GRAPH)
    result = syclze__submission_gather_order(submission);
  submission->at.wait_count = submission->waits.count;
  submission->at.waits = submission->waits.natives;
  if (submission->waits.count != 0 && result == ZE_RESULT_SUCCESS &&
      syclze__wait_list_is_open(&submission->waits)) {
    result = syclze__submission_check_open(submission);
    /* A host task is handed to the workers, which wait for open events too. */
    if (result == ZE_RESULT_SUCCESS && submission->kind != SYCLZE__SUBMISSION_HOST)
      syclze__submission_defer(submission);
  }
  if (result == ZE_RESULT_SUCCESS && (wants_event || syclze__submission_needs_event(submission)))
    result = syclze__submission_hold(submission);
  return result;
}

/* Records the accesses, and releases the memory objects: each of them when its last access is
 * recorded. */
SYCLZE_INLINE void syclze__submission_record(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->at.state;
  struct syclze__event *event = submission->at.event;
  const syclze_accessor *accessors = submission->accessors;
  const bool is_native = submission->at.list != NULL;
  struct syclze__access *access = submission->accesses, *next;
  for (uint32_t i = submission->group->accessor_count; access != NULL; access = next) {
    const syclze_accessor *accessor = &accessors[--i];
    next = access->next;
    struct syclze__access **list =
        syclze__dependency_record(accessor, access, state, is_native, event);
    if (SYCLZE__UNLIKELY(list != NULL)) syclze__accesses_compact(list, state);
    if (SYCLZE__UNLIKELY(syclze__replicas_of(accessor->memory) != NULL) &&
        accessor->mode != SYCLZE_ACCESS_READ)
      syclze__replica_written(accessor->memory);
    syclze__accessor_unlock(accessor);
  }
  submission->accesses = NULL;
  submission->recorded = true;
}

/* Rolls back before the append. */
SYCLZE_LOCAL ze_result_t syclze__submission_fail(
    struct syclze__submission *submission, ze_result_t result) {
  const struct syclze__status *status = &submission->group->status;
  return syclze__submission_rollback(submission, result,
      status->result != ZE_RESULT_SUCCESS
          ? status->rule
          : "no memory, or no event for what the submission waits for or signals");
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Traces the accesses of the group. `accessors` are its own. */
SYCLZE_LOCAL void syclze__group_trace_accesses(
    const syclze_group *group, const syclze_accessor *accessors) {
  for (uint32_t i = 0; i < group->accessor_count; i++) {
    /* The object by which the runs of a graph are ordered is no buffer to the application. */
    if (accessors[i].size == 0 && !accessors[i].is_image && !accessors[i].is_part) continue;
    const struct syclze__image *image =
        (const struct syclze__image *)(const void *)accessors[i].memory;
    if (syclze__accessor_is_sampler(&accessors[i])) continue; /* has no place in the streams */
    const size_t pixel_size =
        accessors[i].is_image ? syclze__image_pixel_size(image->order, image->type) : 0;
    SYCLZE__TRACE_COMMAND(
        access, (accessors[i].memory, &accessors[i], (uint32_t)accessors[i].mode, pixel_size));
  }
}

/* Traces the accesses, and describes a command of the group that waits for nothing and signals
 * nothing. */
SYCLZE_INLINE void syclze__group_trace_info(const syclze_group *group,
    const syclze_accessor *accessors, const char *function,
    struct syclze__trace_command_info *info) {
  const struct syclze__queue *queue = group->queue;
  if (group->accessor_count != 0 && SYCLZE__UNLIKELY(syclze__trace_accesses_wanted()))
    syclze__group_trace_accesses(group, accessors);
  info->function = function;
  info->group = group;
  info->queue = queue;
  info->native = queue->native.queue;
  info->device = queue->device->native;
  info->context = queue->context->native;
  info->waits = NULL;
  info->wait_count = 0;
  info->signal = NULL;
  info->is_host = info->is_barrier = info->is_tag = false;
  info->type = NULL;
  info->graph = NULL;
  info->kernel = NULL;
  info->transfer = NULL;
}

/* The same of a submission. */
SYCLZE_LOCAL_WARM void syclze__submission_trace_info(
    const struct syclze__submission *submission, struct syclze__trace_command_info *info) {
  syclze__group_trace_info(submission->group, submission->accessors, submission->function, info);
  info->is_host = submission->kind == SYCLZE__SUBMISSION_HOST;
  info->is_barrier = submission->kind == SYCLZE__SUBMISSION_BARRIER;
  info->waits = submission->at.waits;
  info->wait_count = submission->at.wait_count;
  info->signal = info->is_host ? submission->at.event->native : submission->at.signal;
}
#endif

/* All up to the append. After an error the submission is rolled back; SYCLZE__SUBMISSION_RECORDS of
 * a queue that records. */
SYCLZE_LOCAL ze_result_t syclze__submission_open(struct syclze__submission *submission,
    syclze_group *group, enum syclze__submission_kind kind, const char *function) {
  syclze__submission_init(submission, group, kind, function);
  ze_result_t result = syclze__submission_begin(submission);
  if (result == SYCLZE__SUBMISSION_RECORDS) return result;
  if (result == ZE_RESULT_SUCCESS && kind == SYCLZE__SUBMISSION_NATIVE)
    syclze__submission_defer(submission);
  if (result == ZE_RESULT_SUCCESS) result = syclze__submission_gather(submission, true);
  if (result != ZE_RESULT_SUCCESS) return syclze__submission_fail(submission, result);
  if (submission->accesses != NULL) syclze__submission_record(submission);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) {
    struct syclze__trace_command_info info;
    syclze__submission_trace_info(submission, &info);
    submission->traced = syclze__trace_command_begin(&info);
  }
#endif
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
