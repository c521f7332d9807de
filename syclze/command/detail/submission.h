/* How an action of a command group gets its wait list and leaves its event:
 *
 * syclze__submission_begin gives the list, the wait list and the event to signal; the caller makes
 * its one Level Zero call with them, and hands its result to syclze__submission_end.
 *
 * What the action accesses is known to others from the first call on, and the queue's lock is held
 * between the two: nothing may be submitted to the queue in between. The lock of all dependencies
 * is not: an append may block, as those of a synchronous list do, until a host task has run that
 * submits itself. Whoever holds that lock waits for no queue's lock but those of lists in native
 * order, which the library made and which do not block; and whoever holds a queue's lock does not
 * wait for it. */
#ifndef SYCLZE_COMMAND_ACTION_H
#define SYCLZE_COMMAND_ACTION_H

#include "completion.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD ze_result_t syclze__submission_wait_across(struct syclze__queue_state *state,
    struct syclze__event *event) SYCLZE_LINK_NAME(syclze__submission_wait_across);

/* Waits for an event of another context. */
SYCLZE_COLD ze_result_t syclze__submission_wait_across(
    struct syclze__queue_state *state, struct syclze__event *event) {
  struct syclze__event *here;
  ze_result_t result = syclze__host_wait_event(state->queue, event, &here);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__queue_state_wait(state, here);
  syclze__event_release(here);
  return result;
}

SYCLZE_COLD ze_result_t syclze__submission_wait_available(struct syclze__queue_state *state,
    struct syclze__memory *memory) SYCLZE_LINK_NAME(syclze__submission_wait_available);

/* Memory that an event of another context makes available waits for one of its own from here on. */
SYCLZE_COLD ze_result_t syclze__submission_wait_available(
    struct syclze__queue_state *state, struct syclze__memory *memory) {
  struct syclze__event *here;
  if (memory->available->context == memory->context) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__host_wait_event(state->queue, memory->available, &here);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__event_assign(&memory->available, here);
  syclze__event_release(here);
  return result;
}

/* The wait list. */
SYCLZE_INLINE ze_result_t syclze__submission_gather(const syclze_group *group,
    enum syclze__submission_kind kind, struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->state;
  struct syclze__event *const *events = syclze__group_events(group);
  const syclze_accessor *accessors = syclze__group_accessors(group);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < group->event_count && result == ZE_RESULT_SUCCESS; i++)
    result = SYCLZE__LIKELY(events[i]->context == group->queue->context)
                 ? syclze__queue_state_wait(state, events[i])
                 : syclze__submission_wait_across(state, events[i]);
  for (uint32_t i = submission->told; i < group->accessor_count && result == ZE_RESULT_SUCCESS;
       i++) {
    if (SYCLZE__UNLIKELY(accessors[i].memory->available != NULL))
      result = syclze__submission_wait_available(state, accessors[i].memory);
    if (result == ZE_RESULT_SUCCESS)
      result = syclze__dependency_gather(
          state, &accessors[i], syclze__group_part(group, i), &submission->accesses);
  }
  if (result == ZE_RESULT_SUCCESS && kind == SYCLZE__SUBMISSION_HOST && state->driver_in_order) {
    result = syclze__queue_state_marker(state);
    if (result == ZE_RESULT_SUCCESS && state->marker != NULL)
      result = syclze__queue_state_wait(state, state->marker);
  }
  if (result == ZE_RESULT_SUCCESS && state->after != NULL)
    result = syclze__queue_state_wait(state, state->after);
  if (result == ZE_RESULT_SUCCESS && state->barrier != NULL &&
      (kind == SYCLZE__SUBMISSION_HOST || !state->is_list))
    result = syclze__queue_state_wait(state, state->barrier);
  /* What the native list's own barrier does not wait for. */
  if (kind == SYCLZE__SUBMISSION_BARRIER && !syclze__group_depends(group) && !state->in_order)
    for (struct syclze__pending *pending = state->first;
         pending != NULL && result == ZE_RESULT_SUCCESS; pending = pending->next)
      if (pending->is_host || !state->is_list)
        result = syclze__queue_state_wait(state, pending->event);
  return result;
}

SYCLZE_COLD ze_result_t syclze__submission_hold(enum syclze__submission_kind kind,
    struct syclze__submission *submission) SYCLZE_LINK_NAME(syclze__submission_hold);

/* The event, and what the state keeps until it is signalled. */
SYCLZE_COLD ze_result_t syclze__submission_hold(
    enum syclze__submission_kind kind, struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->state;
  ze_result_t result = syclze__queue_state_event(state, &submission->event);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (SYCLZE__UNLIKELY(state->profiling)) {
    uint64_t host;
    submission->event->device = state->queue->device;
    SYCLZE__ZE(zeDeviceGetGlobalTimestamps)
    (state->queue->device->native, &host, &submission->event->submitted);
  }
  struct syclze__pending *pending = submission->pending = syclze__pending_new(submission->event);
  if (pending == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  struct syclze__event **kept = pending->few;
  if (state->wait_count > SYCLZE__PENDING_FEW)
    kept = pending->many = (struct syclze__event **)malloc(state->wait_count * sizeof *kept);
  if (kept == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (kind == SYCLZE__SUBMISSION_HOST)
    pending->is_host = true;
  else {
    submission->signal = submission->event->native;
    if (!state->is_list) {
      result = syclze__queue_state_regular_list(state, &pending->regular);
      if (result != ZE_RESULT_SUCCESS) return result;
      submission->list = pending->regular->list;
    }
  }
  for (uint32_t i = 0; i < state->wait_count; i++)
    kept[i] = state->held[i];
  pending->wait_count = submission->wait_count = state->wait_count;
  submission->waits = state->waits;
  state->wait_count = 0;
  return result;
}

SYCLZE_COLD void syclze__submission_publish(const syclze_group *group,
    struct syclze__submission *submission) SYCLZE_LINK_NAME(syclze__submission_publish);

/* Lets others know of the accesses. */
SYCLZE_COLD void syclze__submission_publish(
    const syclze_group *group, struct syclze__submission *submission) {
  const syclze_accessor *accessors = syclze__group_accessors(group);
  for (uint32_t i = group->accessor_count; i > submission->told; i--) {
    struct syclze__access *access = submission->accesses;
    submission->accesses = access->next;
    syclze__dependency_publish(submission->state, &accessors[i - 1], access, submission->event);
    if (SYCLZE__UNLIKELY(access->depth >= SYCLZE__ACCESSES_COMPACT)) {
      struct syclze__accesses *all = syclze__accesses_of(accessors[i - 1].memory);
      syclze__accesses_compact(
          all->readers == access ? &all->readers : &all->writers, submission->state);
    }
    if (accessors[i - 1].mode != SYCLZE_ACCESS_READ &&
        SYCLZE__UNLIKELY(syclze__replicas_of(accessors[i - 1].memory) != NULL))
      syclze__replica_written(accessors[i - 1].memory);
  }
  submission->told = group->accessor_count;
}

/* Whether a state in native order accesses again what it did, and nothing else. What it has again
 * is told. */
SYCLZE_INLINE bool syclze__group_repeats(
    const syclze_group *group, const struct syclze__queue_state *state) {
  uint32_t told = 0;
  while (told < group->accessor_count &&
         syclze__dependency_repeats(state, &group->accessors[told], &group->parts[told]))
    told++;
  return told == group->accessor_count;
}

/* Takes the lock of all dependencies and the queue's own, so that nobody waits for the second who
 * has the first. */
SYCLZE_INLINE void syclze__submission_lock(struct syclze__queue_state *state) {
  syclze__lock_acquire(&SYCLZE__STATE.dependency_lock);
  while (SYCLZE__UNLIKELY(!syclze__lock_try(&state->lock))) {
    syclze__lock_release(&SYCLZE__STATE.dependency_lock);
    sched_yield();
    syclze__lock_acquire(&SYCLZE__STATE.dependency_lock);
  }
}

/* The queue's state with its lock held, where a command of a group with accessors, without
 * events, needs nothing but to be appended to the native list, and the group no end; else null, and
 * no lock. */
SYCLZE_INLINE struct syclze__queue_state *syclze__submission_enter(const syclze_group *group) {
  if (group->accessor_count > SYCLZE__GROUP_FEW) return NULL;
  struct syclze__queue_state *state = syclze__queue_state_get(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL || !state->driver_in_order)) return NULL;
  syclze__submission_lock(state);
  bool all = state->after == NULL && syclze__group_repeats(group, state);
  syclze__lock_release(&SYCLZE__STATE.dependency_lock);
  if (SYCLZE__LIKELY(all)) return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

SYCLZE_INLINE bool syclze__submission_has_replicas(const syclze_group *group) {
  const syclze_accessor *accessors = syclze__group_accessors(group);
  uint32_t i = 0;
  while (i < group->accessor_count && syclze__replicas_of(accessors[i].memory) == NULL)
    i++;
  return i < group->accessor_count;
}

SYCLZE_COLD ze_result_t syclze__submission_update_replicas(const syclze_group *group,
    struct syclze__submission *submission) SYCLZE_LINK_NAME(syclze__submission_update_replicas);

/* Sees to it that what is accessed is current in the queue's context. Gives the queue's lock for
 * it, which copies may need, and takes both locks again. */
SYCLZE_COLD ze_result_t syclze__submission_update_replicas(
    const syclze_group *group, struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->state;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  ze_result_t result;
  submission->told = 0;
  syclze__lock_release(&state->lock);
  for (;;) {
    result = ZE_RESULT_SUCCESS;
    for (uint32_t i = 0; i < group->accessor_count && result == ZE_RESULT_SUCCESS; i++)
      if (syclze__replicas_of(accessors[i].memory) != NULL)
        result = syclze__replica_update(&accessors[i], group->queue);
    if (syclze__lock_try(&state->lock)) return result;
    syclze__lock_release(&SYCLZE__STATE.dependency_lock);
    sched_yield();
    syclze__lock_acquire(&SYCLZE__STATE.dependency_lock);
  }
}

/* Appends what waits for the wait list, where the command takes none. */
SYCLZE_LOCAL ze_result_t syclze__submission_append_waits(struct syclze__submission *submission) {
  if (submission->wait_count == 0) return ZE_RESULT_SUCCESS;
  ze_result_t result = SYCLZE__ZE(zeCommandListAppendBarrier)(
      submission->list, NULL, submission->wait_count, submission->waits);
  if (result == ZE_RESULT_SUCCESS && submission->state->is_list) submission->begun = true;
  return result;
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_WARM void syclze__submission_trace(const syclze_group *group,
    enum syclze__submission_kind kind, struct syclze__submission *submission)
    SYCLZE_LINK_NAME(syclze__submission_trace);

SYCLZE_WARM void syclze__submission_trace(const syclze_group *group,
    enum syclze__submission_kind kind, struct syclze__submission *submission) {
  const struct syclze__queue *queue = group->queue;
  const bool host = kind == SYCLZE__SUBMISSION_HOST;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  const uint32_t traced_accessors =
      group->accessor_count != 0 && syclze__trace_accesses_wanted() ? group->accessor_count : 0;
  for (uint32_t i = 0; i < traced_accessors; i++) {
    const struct syclze__image *image =
        (const struct syclze__image *)(const void *)accessors[i].memory;
    const size_t pixel_size =
        accessors[i].is_image ? syclze__image_pixel_size(image->order, image->type) : 0;
    SYCLZE__TRACE_COMMAND(
        access, (accessors[i].memory, &accessors[i], (uint32_t)accessors[i].mode, pixel_size));
  }
  const struct syclze__trace_command_info command = {submission->function, group, queue,
      queue->native.queue, queue->device->native, queue->context->native, submission->waits,
      submission->wait_count, host ? submission->event->native : submission->signal, host,
      kind == SYCLZE__SUBMISSION_BARRIER, NULL, submission->kernel_info, submission->transfer_info};
  submission->traced = syclze__trace_command_begin(&command);
}
#endif

/* Takes the queue's lock, and all that the action needs. `event` may be null; it is set to null.
 * After an error the group is over and nothing is held. */
SYCLZE_INLINE ze_result_t syclze__submission_begin(syclze_group *group,
    enum syclze__submission_kind kind, syclze_event *event, const char *function,
    struct syclze__submission *submission) {
  submission->state = NULL;
  submission->list = NULL;
  submission->signal = NULL;
  submission->wait_count = 0;
  submission->waits = NULL;
  submission->event = NULL;
  submission->function = function;
  submission->pending = NULL;
  submission->accesses = NULL;
  submission->told = 0;
  submission->begun = false;
  submission->traced = NULL;
  if (event != NULL) event->rep = NULL;
  if (SYCLZE__UNLIKELY(group->status.result != ZE_RESULT_SUCCESS))
    return syclze__submission_rollback(group, submission, group->status.result, group->status.rule);
  struct syclze__queue_state *state = syclze__queue_state_require(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL))
    return syclze__submission_rollback(
        group, submission, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for the queue's work");
  ze_result_t result = ZE_RESULT_SUCCESS;
  bool depends = syclze__group_depends(group);
  if (depends)
    syclze__submission_lock(state);
  else
    syclze__lock_acquire(&state->lock);
  submission->state = state;
  if (SYCLZE__LIKELY(state->is_list && kind != SYCLZE__SUBMISSION_HOST)) {
    submission->list = group->queue->native.list;
    if (SYCLZE__LIKELY(state->driver_in_order && group->accessor_count <= SYCLZE__GROUP_FEW) &&
        syclze__group_repeats(group, state))
      submission->told = group->accessor_count;
  }
  if (submission->told < group->accessor_count &&
      SYCLZE__UNLIKELY(syclze__submission_has_replicas(group)))
    result = syclze__submission_update_replicas(group, submission);
  if (result == ZE_RESULT_SUCCESS &&
      (submission->told < group->accessor_count || group->event_count != 0 ||
          state->after != NULL || kind != SYCLZE__SUBMISSION_COMMAND || !state->is_list))
    result = syclze__submission_gather(group, kind, submission);
  bool untold =
      !state->driver_in_order && (group->accessor_count != 0 || state->in_order ||
                                     kind == SYCLZE__SUBMISSION_BARRIER || !state->is_list);
  if (result == ZE_RESULT_SUCCESS &&
      (event != NULL || state->wait_count != 0 || untold || kind == SYCLZE__SUBMISSION_HOST))
    result = syclze__submission_hold(kind, submission);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS) && submission->told < group->accessor_count)
    syclze__submission_publish(group, submission);
  if (depends) syclze__lock_release(&SYCLZE__STATE.dependency_lock);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS() && result == ZE_RESULT_SUCCESS)
    syclze__submission_trace(group, kind, submission);
#endif
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__submission_rollback(
      group, submission, result, "what the submission waits for or signals cannot be had");
}

/* Ends the submission, of which appending returned `result`; `rule` says what failed then. */
SYCLZE_INLINE ze_result_t syclze__submission_end(syclze_group *group,
    enum syclze__submission_kind kind, struct syclze__submission *submission, syclze_event *event,
    ze_result_t result, const char *rule) {
  struct syclze__queue_state *state = submission->state;
  if (SYCLZE__UNLIKELY(!state->is_list && submission->list != NULL)) {
    if (result == ZE_RESULT_SUCCESS) result = syclze__list_execute(group->queue, submission->list);
  }
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__submission_rollback(group, submission, result, rule);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__UNLIKELY(submission->traced != NULL))
    syclze__submission_trace_end(submission, result);
#endif
  if (submission->list != NULL) state->position++;
  if (submission->event != NULL) syclze__submission_complete(kind, submission, event);
  syclze__lock_release(&state->lock);
  syclze__group_end(group);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
