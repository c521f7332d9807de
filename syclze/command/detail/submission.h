/* The way of a submission:
 *
 * - begin: locks the memory objects that the group accesses and the queue, with the replicas of
 *   other contexts up to date
 * - gather: the wait list, from events, accesses and the queue's order
 * - hold: the event, if one is needed, and what lives until it is signalled
 * - record: the accesses, so that other work can depend on the submission; releases the memory
 *   objects
 * - the caller's one append
 * - end (completion.h)
 *
 * The queue's lock is held from begin to end. The locks of memory objects are not held during the
 * append, which may block, as those of a synchronous list do. Lock order: memory objects, then the
 * queue. Each is only tried once the first is held; a thread that misses one releases all. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMISSION_H
#define SYCLZE_COMMAND_DETAIL_SUBMISSION_H

#include "compaction.h"
#include "completion.h"
#include "queue_lifetime.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Brings the replicas that the group uses up to date. With the locks of memory objects. */
SYCLZE_INLINE ze_result_t syclze__submission_update_replicas(
    const struct syclze__submission *submission) {
  const syclze_group *group = submission->group;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < group->accessor_count && result == ZE_RESULT_SUCCESS; i++)
    if (SYCLZE__UNLIKELY(syclze__replicas_of(accessors[i].memory) != NULL))
      result = syclze__replica_update(&accessors[i], group->queue);
  return result;
}

/* Locks the memory objects, then the queue. After an error nothing is locked. */
SYCLZE_INLINE ze_result_t syclze__submission_lock(
    struct syclze__submission *submission, struct syclze__queue_state *state) {
  if (submission->group->accessor_count == 0) {
    syclze__lock_acquire(&state->lock);
    return ZE_RESULT_SUCCESS;
  }
  for (;;) {
    if (SYCLZE__LIKELY(syclze__submission_try_memory(submission))) {
      ze_result_t result = syclze__submission_update_replicas(submission);
      if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS && syclze__lock_try(&state->lock)))
        return result;
      syclze__submission_unlock_memory(submission, submission->group->accessor_count);
      if (result != ZE_RESULT_SUCCESS) return result;
    }
    sched_yield();
  }
}

/* True if a driver-in-order list repeats its last accesses: those need no dependency. */
SYCLZE_INLINE bool syclze__group_repeats(
    const syclze_group *group, const struct syclze__queue_state *state) {
  if (group->accessor_count > SYCLZE__GROUP_FEW) return false;
  for (uint32_t i = 0; i < group->accessor_count; i++)
    if (!syclze__dependency_repeats(syclze__accesses_of(group->accessors[i].memory), state,
            &group->accessors[i], &group->parts[i]))
      return false;
  return true;
}

SYCLZE_INLINE ze_result_t syclze__submission_begin(struct syclze__submission *submission,
    syclze_group *group, enum syclze__submission_kind kind, const char *function) {
  memset(submission, 0, sizeof *submission);
  submission->group = group;
  submission->kind = kind;
  submission->function = function;
  if (SYCLZE__UNLIKELY(group->status.result != ZE_RESULT_SUCCESS)) return group->status.result;
  struct syclze__queue_state *state = syclze__queue_state_require(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  for (uint32_t i = 0; i < group->accessor_count; i++)
    if (SYCLZE__UNLIKELY(syclze__accesses_require(accessors[i].memory) == NULL))
      return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = syclze__submission_lock(submission, state);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  submission->state = state;
  if (SYCLZE__LIKELY(state->is_list && kind != SYCLZE__SUBMISSION_HOST)) {
    submission->list = group->queue->native.list;
    submission->repeats = state->driver_in_order && syclze__group_repeats(group, state);
  }
  return result;
}

/* An event of another context: one of the queue's context is waited for instead. */
SYCLZE_LOCAL ze_result_t syclze__submission_wait_across(
    struct syclze__queue_state *state, struct syclze__event *event) {
  struct syclze__event *own;
  ze_result_t result = syclze__host_wait_event(state->queue, event, &own);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__wait_list_add(&state->waits, own);
  syclze__event_release(own);
  return result;
}

/* Memory that an event of another context makes available waits for one of its own from here on. */
SYCLZE_LOCAL ze_result_t syclze__submission_wait_available(
    struct syclze__queue_state *state, struct syclze__memory *memory) {
  struct syclze__event *own;
  if (memory->available->context == memory->context) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__host_wait_event(state->queue, memory->available, &own);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__event_assign(&memory->available, own);
  syclze__event_release(own);
  return result;
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

/* What the group names. */
SYCLZE_INLINE ze_result_t syclze__submission_gather_group(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->state;
  const syclze_group *group = submission->group;
  struct syclze__event *const *events = syclze__group_events(group);
  const syclze_accessor *accessors = syclze__group_accessors(group);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < group->event_count && result == ZE_RESULT_SUCCESS; i++)
    result = SYCLZE__LIKELY(events[i]->context == group->queue->context)
                 ? syclze__wait_list_add(&state->waits, events[i])
                 : syclze__submission_wait_across(state, events[i]);
  if (submission->repeats) return result;
  for (uint32_t i = 0; i < group->accessor_count && result == ZE_RESULT_SUCCESS; i++) {
    if (SYCLZE__UNLIKELY(accessors[i].memory->available != NULL))
      result = syclze__submission_wait_available(state, accessors[i].memory);
    if (result == ZE_RESULT_SUCCESS)
      result = syclze__dependency_gather(
          &accessors[i], syclze__group_part(group, i), state, &state->waits, &submission->accesses);
  }
  return result;
}

/* What the queue's own order demands. */
SYCLZE_INLINE ze_result_t syclze__submission_gather_order(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->state;
  const bool on_host = submission->kind == SYCLZE__SUBMISSION_HOST;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (on_host && state->driver_in_order) {
    result = syclze__queue_state_mark(state);
    if (result == ZE_RESULT_SUCCESS && state->marker != NULL)
      result = syclze__wait_list_add(&state->waits, state->marker);
  }
  if (result == ZE_RESULT_SUCCESS && state->after != NULL)
    result = syclze__wait_list_add(&state->waits, state->after);
  if (result == ZE_RESULT_SUCCESS && state->barrier != NULL && (on_host || !state->is_list))
    result = syclze__wait_list_add(&state->waits, state->barrier);
  /* What a barrier of the native list does not cover. */
  if (submission->kind == SYCLZE__SUBMISSION_BARRIER && !state->in_order &&
      !syclze__group_depends(submission->group))
    for (struct syclze__pending *pending = state->first;
         pending != NULL && result == ZE_RESULT_SUCCESS; pending = pending->next)
      if (pending->is_host || !state->is_list)
        result = syclze__wait_list_add(&state->waits, pending->event);
  return result;
}

/* True if the submission must leave an event, asked for or not. */
SYCLZE_INLINE bool syclze__submission_needs_event(const struct syclze__submission *submission) {
  const struct syclze__queue_state *state = submission->state;
  if (submission->kind == SYCLZE__SUBMISSION_HOST || state->waits.count != 0) return true;
  return !state->driver_in_order &&
         (submission->group->accessor_count != 0 || state->in_order || !state->is_list ||
             submission->kind == SYCLZE__SUBMISSION_BARRIER);
}

/* The event, and what the queue keeps until it is signalled. */
SYCLZE_LOCAL_WARM ze_result_t syclze__submission_hold(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->state;
  ze_result_t result = syclze__queue_event(state->queue, &submission->event);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (SYCLZE__UNLIKELY(state->profiling)) {
    uint64_t host;
    SYCLZE__ZE(zeDeviceGetGlobalTimestamps)
    (state->queue->device->native, &host, &submission->event->submitted);
  }
  struct syclze__pending *pending = submission->pending = syclze__pending_new(submission->event);
  if (pending == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (submission->kind == SYCLZE__SUBMISSION_HOST)
    pending->is_host = true;
  else {
    submission->signal = submission->event->native;
    if (!state->is_list) {
      result = syclze__regular_list_acquire(state, &pending->lists);
      if (result != ZE_RESULT_SUCCESS) return result;
      submission->list = pending->lists->native;
    }
  }
  submission->waits = state->waits.natives;
  submission->wait_count = state->waits.count;
  if (!syclze__pending_take(pending, &state->waits)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return result;
}

SYCLZE_INLINE ze_result_t syclze__submission_gather(
    struct syclze__submission *submission, bool wants_event) {
  struct syclze__queue_state *state = submission->state;
  const syclze_group *group = submission->group;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if ((group->accessor_count != 0 && !submission->repeats) || group->event_count != 0)
    result = syclze__submission_gather_group(submission);
  if (result == ZE_RESULT_SUCCESS &&
      (state->after != NULL || submission->kind != SYCLZE__SUBMISSION_COMMAND || !state->is_list))
    result = syclze__submission_gather_order(submission);
  if (result == ZE_RESULT_SUCCESS && (wants_event || syclze__submission_needs_event(submission)))
    result = syclze__submission_hold(submission);
  return result;
}

/* Records one access, the last of the list. */
SYCLZE_INLINE void syclze__submission_record_access(
    struct syclze__submission *submission, const syclze_accessor *accessor) {
  struct syclze__access *access = submission->accesses;
  submission->accesses = access->next;
  syclze__dependency_record(accessor, access, submission->state, submission->event);
  if (SYCLZE__UNLIKELY(access->depth >= SYCLZE__ACCESSES_COMPACT)) {
    struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
    syclze__accesses_compact(
        all->readers == access ? &all->readers : &all->writers, submission->state);
  }
  if (accessor->mode != SYCLZE_ACCESS_READ &&
      SYCLZE__UNLIKELY(syclze__replicas_of(accessor->memory) != NULL))
    syclze__replica_written(accessor->memory);
}

/* Records the accesses, and releases the memory objects. */
SYCLZE_INLINE void syclze__submission_record(struct syclze__submission *submission) {
  const syclze_group *group = submission->group;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  if (group->accessor_count == 0) return;
  if (!submission->repeats)
    for (uint32_t i = group->accessor_count; i > 0; i--)
      syclze__submission_record_access(submission, &accessors[i - 1]);
  submission->recorded = true;
  syclze__submission_unlock_memory(submission, group->accessor_count);
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Traces the accesses, and describes the submission. */
SYCLZE_LOCAL_WARM struct syclze__trace_command_info syclze__submission_trace_info(
    const struct syclze__submission *submission) {
  const syclze_group *group = submission->group;
  const struct syclze__queue *queue = group->queue;
  const bool is_host = submission->kind == SYCLZE__SUBMISSION_HOST;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  const uint32_t accessor_count =
      group->accessor_count != 0 && syclze__trace_accesses_wanted() ? group->accessor_count : 0;
  for (uint32_t i = 0; i < accessor_count; i++) {
    const struct syclze__image *image =
        (const struct syclze__image *)(const void *)accessors[i].memory;
    const size_t pixel_size =
        accessors[i].is_image ? syclze__image_pixel_size(image->order, image->type) : 0;
    SYCLZE__TRACE_COMMAND(
        access, (accessors[i].memory, &accessors[i], (uint32_t)accessors[i].mode, pixel_size));
  }
  struct syclze__trace_command_info info;
  memset(&info, 0, sizeof info);
  info.function = submission->function;
  info.group = group;
  info.queue = queue;
  info.native = queue->native.queue;
  info.device = queue->device->native;
  info.context = queue->context->native;
  info.waits = submission->waits;
  info.wait_count = submission->wait_count;
  info.signal = is_host ? submission->event->native : submission->signal;
  info.is_host = is_host;
  info.is_barrier = submission->kind == SYCLZE__SUBMISSION_BARRIER;
  return info;
}
#endif

/* All up to the append. After an error the submission is rolled back. */
SYCLZE_LOCAL ze_result_t syclze__submission_open(struct syclze__submission *submission,
    syclze_group *group, enum syclze__submission_kind kind, const char *function) {
  ze_result_t result = syclze__submission_begin(submission, group, kind, function);
  if (result == ZE_RESULT_SUCCESS) result = syclze__submission_gather(submission, true);
  if (result != ZE_RESULT_SUCCESS) return syclze__submission_fail(submission, result);
  syclze__submission_record(submission);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) {
    const struct syclze__trace_command_info info = syclze__submission_trace_info(submission);
    submission->traced = syclze__trace_command_begin(&info);
  }
#endif
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
