/* Submission of commands: by the plain way (plain.h), or else by the engine, in the steps of
 * submission.h. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMIT_SUBMIT_H
#define SYCLZE_COMMAND_DETAIL_SUBMIT_SUBMIT_H

#include "deferred.h"
#include "../plain/plain.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL_WARM void syclze__command_trace_begin(
    const struct syclze__command *command, struct syclze__submission *submission) {
  struct syclze__command_trace trace;
  syclze__submission_trace_info(submission, &trace.command);
  if (command->table->trace != NULL) command->table->trace(command, &trace);
  submission->traced = syclze__trace_command_begin(&trace.command);
}
#endif

/* Takes the steps from the wait list on. */
SYCLZE_INLINE ze_result_t syclze__command_continue(const struct syclze__command *command,
    struct syclze__submission *submission, syclze_event *event) {
  const struct syclze__status prepared = syclze__command_prepare(command);
  if (SYCLZE__UNLIKELY(prepared.result != ZE_RESULT_SUCCESS))
    return syclze__submission_rollback(submission, command, prepared);
  if (syclze__submission_records(submission)) syclze__submission_record(submission);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) syclze__command_trace_begin(command, submission);
#endif
  const struct syclze__status status = syclze__command_append(command, &submission->at);
  if (command->kernel != NULL && submission->at.event != NULL)
    syclze__pending_keep_kernel(submission->at.event, command->kernel);
  return syclze__submission_end(submission, event, command, status);
}

SYCLZE_LOCAL ze_result_t syclze__command_append_deferred(
    struct syclze__deferred *deferred, struct syclze__append *at) {
  const struct syclze__command *command = (const struct syclze__command *)deferred->command;
  const struct syclze__status prepared = syclze__command_prepare(command);
  if (prepared.result != ZE_RESULT_SUCCESS) return prepared.result;
  return syclze__command_append(command, at).result;
}

/* Takes the steps from the wait list on for a command that waits for an open event. */
SYCLZE_LOCAL ze_result_t syclze__command_defer(const struct syclze__command *command,
    struct syclze__submission *submission, syclze_event *event) {
  struct syclze__deferred *deferred = syclze__deferred_create(submission);
  struct syclze__command *copy =
      deferred != NULL ? (struct syclze__command *)malloc(syclze__command_size(command)) : NULL;
  if (copy == NULL) {
    if (deferred != NULL) syclze__deferred_free(deferred);
    return syclze__submission_rollback(submission, command,
        syclze__status_of(
            ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for a submission after a host task"));
  }
  deferred->command = copy;
  deferred->end = free;
  const struct syclze__status copied = syclze__command_copy(command, submission->group, copy);
  if (copied.result != ZE_RESULT_SUCCESS) {
    syclze__deferred_free(deferred);
    return syclze__submission_rollback(submission, command, copied);
  }
  deferred->append = syclze__command_append_deferred;
  if (syclze__submission_records(submission)) syclze__submission_record(submission);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) syclze__command_trace_begin(command, submission);
#endif
  if (command->kernel != NULL) syclze__pending_keep_kernel(submission->at.event, command->kernel);
  return syclze__deferred_submit(deferred, submission, event);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__engine_submit(
    syclze_group *group, const struct syclze__command *command, syclze_event *event);

/* Records the command, or submits it if the queue no longer records. */
SYCLZE_LOCAL ze_result_t syclze__command_record(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  const struct syclze__recorded recorded = {
      group, command->table->kind, command, NULL, NULL, NULL, NULL};
  const ze_result_t result = syclze__recording_add(&recorded, command->function, event);
  return result == SYCLZE__SUBMISSION_RECORDS ? syclze__engine_submit(group, command, event)
                                              : result;
}

/* Takes the steps of submission.h. `event` may be null. */
SYCLZE_LOCAL_WARM ze_result_t syclze__engine_submit(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  struct syclze__submission submission;
  if (syclze__group_check_recording(group)) return syclze__command_record(group, command, event);
  syclze__submission_of(
      &submission, group, command->table->kind, command->function, command, event != NULL);
  ze_result_t result = syclze__submission_begin(&submission);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = syclze__submission_gather(&submission, event != NULL);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return result == SYCLZE__SUBMISSION_RECORDS
               ? syclze__command_record(group, command, event)
               : syclze__submission_fail(&submission, command, result);
  if (SYCLZE__UNLIKELY(submission.is_deferred))
    return syclze__command_defer(command, &submission, event);
  return syclze__command_continue(command, &submission, event);
}

/* The locked state of the group's queue, if its native list orders the command and it owns all that
 * the group accesses; otherwise null, unlocked. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN struct syclze__queue_state *syclze__command_enter(
    const syclze_group *group, const struct syclze__command *command, bool wants_event) {
  if (SYCLZE__UNLIKELY(group->queue == NULL || group->status.result != ZE_RESULT_SUCCESS))
    return NULL;
  /* Only traced launches take this path; other traced commands take the engine's steps. */
  if (SYCLZE__UNLIKELY(SYCLZE__TRACING_COMMANDS()) &&
      (wants_event || command->kernel == NULL || group->event_count != 0 || syclze__is_forked()))
    return NULL;
  if (SYCLZE__UNLIKELY(group->event_count != 0) &&
      (group->many_events != NULL ||
          !syclze__plain_follows(group->queue, command,
              (const syclze_event *)(const void *)group->events, group->event_count)))
    return NULL;
  struct syclze__queue_state *state = syclze__plain_enter(group->queue, command, wants_event);
  if (state == NULL || SYCLZE__LIKELY(group->accessor_count == 0)) return state;
  if (SYCLZE__LIKELY(
          syclze__submission_owns(state, syclze__group_accessors(group), group->accessor_count)))
    return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Appends a launch without an event, as syclze__plain_append, and traces it. */
SYCLZE_LOCAL_WARM ze_result_t syclze__plain_append_traced(const syclze_group *group,
    const struct syclze__command *command, struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  struct syclze__command_trace trace;
  struct syclze__append at;
  struct syclze__trace_node *node = NULL;
  syclze__append_init(&at, state, state->queue->native.list);
  struct syclze__status status = syclze__command_prepare(command);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    syclze__group_trace_info(
        group, syclze__group_accessors(group), command->function, &trace.command);
    command->table->trace(command, &trace);
    node = syclze__trace_command_begin(&trace.command);
    status = syclze__status_of(command->table->append(command, &at), command->table->rule);
  }
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    if (node != NULL) node->table->command_end(node, status.result, true);
    state->position++;
    syclze__queue_state_unlock(state);
    return status.result;
  }
  syclze__queue_state_fail(state, NULL, status, command);
  syclze__command_trace_end(node, status.result);
  return status.result;
}
#endif

/* Submits a group without accesses, by the plain way where that can. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit_general(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  /* Without an engine the plain way would block for an event of another context. */
  const bool lacks_engine = group->event_count != 0 && group->queue != NULL &&
                            syclze__context_engine(group->queue->context) == NULL;
  if (group->queue == NULL || lacks_engine || SYCLZE__TRACING_COMMANDS() ||
      group->status.result != ZE_RESULT_SUCCESS || syclze__is_forked() ||
      command->table->kind > SYCLZE__SUBMISSION_BARRIER)
    return syclze__engine_submit(group, command, event);
  const syclze_queue queue = {group->queue};
  const ze_result_t result = syclze__plain_submit(queue, command,
      (const syclze_event *)(const void *)syclze__group_events(group), group->event_count, event);
  if (SYCLZE__UNLIKELY(group->many_events != NULL)) syclze__group_free(group);
  group->event_count = 0;
  syclze__group_close(group);
  return result;
}

/* Submits a command of the group, and ends the group. `event` may be null. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  if (event != NULL) event->rep = NULL;
  struct syclze__queue_state *state = syclze__command_enter(group, command, event != NULL);
  if (state == NULL)
    return group->accessor_count != 0 ? syclze__engine_submit(group, command, event)
                                      : syclze__command_submit_general(group, command, event);
#if XPTI_ENABLE_INSTRUMENTATION
  const ze_result_t result = SYCLZE__UNLIKELY(SYCLZE__TRACING_COMMANDS() && event == NULL)
                                 ? syclze__plain_append_traced(group, command, state)
                                 : syclze__plain_append(command, state, event);
#else
  const ze_result_t result = syclze__plain_append(command, state, event);
#endif
  if (SYCLZE__UNLIKELY(group->many_accessors != NULL)) syclze__group_free(group);
  syclze__group_close(group);
  return result;
}

/* Submits a command of a queue; a member of the engine's table. */
SYCLZE_LOCAL ze_result_t syclze__engine_submit_after(syclze_queue queue,
    const struct syclze__command *command, struct syclze__status status, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze__group_begin(queue);
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(&group, status);
  if (wait_count != 0) syclze__group_depends_on_all(&group, waits, wait_count);
  return syclze__engine_submit(&group, command, event);
}

SYCLZE_COLD const struct syclze__engine *syclze__engine_table(void) {
  static const struct syclze__engine engine = {syclze__engine_submit_after};
  return &engine;
}

#endif

SYCLZE_EXTERN_C_END

#endif
