/* Completion and rollback of a submission.
 *
 * When a submission is rolled back, other work may already wait for its event, and a part of it may
 * be under way on the device. Then its event is still signalled: by the device behind that part, or
 * by a worker once the wait list is done. The wait list lives until then. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMIT_SUBMISSION_END_H
#define SYCLZE_COMMAND_DETAIL_SUBMIT_SUBMISSION_END_H

#include "../host/wait.h"
#include "deferred_signal.h"
#include "submission_lock.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

#if XPTI_ENABLE_INSTRUMENTATION
/* Ends the trace node of a command other than a host task that leaves no event. `node` is null if
 * it was not traced or failed before. */
SYCLZE_LOCAL void syclze__command_trace_end(struct syclze__trace_node *node, ze_result_t result) {
  if (node != NULL) {
    node->table->command_end(node, result, true);
    return;
  }
  SYCLZE__TRACE_COMMAND(command_discard, ());
  SYCLZE__TRACE_COMMAND(submission_end, ());
}

/* Ends the trace of a submission. A host task has taken over its node, unless its submission
 * failed. */
SYCLZE_LOCAL_WARM void syclze__submission_trace_end(
    struct syclze__submission *submission, ze_result_t result) {
  /* With an event the submission continues. */
  const bool over = result != ZE_RESULT_SUCCESS || submission->at.event == NULL;
  struct syclze__trace_node *node = submission->traced;
  submission->traced = NULL;
  if (SYCLZE__LIKELY(node != NULL && submission->kind != SYCLZE__SUBMISSION_HOST)) {
    node->table->command_end(node, result, over);
    return;
  }
  if (node != NULL)
    node->table->host_task_end(node, false);
  else
    SYCLZE__TRACE_COMMAND(command_discard, ());
  if (over) SYCLZE__TRACE_COMMAND(submission_end, ());
}
#endif

/* Rolls back a recorded submission, and releases the queue. Other work may wait for its event, and
 * through that for its wait list: a worker signals the event once the wait list is done. */
SYCLZE_LOCAL void syclze__submission_abandon(
    struct syclze__submission *submission, ze_result_t result) {
  struct syclze__queue_state *state = submission->at.state;
  SYCLZE__HELD(&state->lock);
  struct syclze__event *event = submission->at.event;
  bool failed = true;
  if (submission->at.begun)
    failed = syclze__submission_end_begun(submission, result);
  else {
    syclze__pending_signal_later(state, event);
    syclze__regular_lists_release(state, &event->pending.lists);
    syclze__submission_keep_failed(submission);
  }
  failed = failed && (state->in_order || state->driver_in_order);
  for (uint32_t i = 0; failed && i < submission->accessor_count; i++) {
    struct syclze__accesses *all = syclze__accesses_of(submission->accessors[i].memory);
    if (__atomic_load_n(&all->owner, __ATOMIC_RELAXED) == state)
      syclze__event_assign(&all->unfinished, event);
  }
  syclze__lock_release(&state->lock);
  syclze__event_release(event);
}

/* Rolls a submission back, and reports. `command` may be null. */
SYCLZE_LOCAL ze_result_t syclze__submission_rollback(struct syclze__submission *submission,
    const struct syclze__command *command, struct syclze__status status) {
  const ze_result_t result = status.result;
  struct syclze__queue_state *state = submission->at.state;
  syclze_group *group = submission->group;
  if (state != NULL) {
    SYCLZE__HELD(&state->lock);
    if (submission->accesses != NULL)
      syclze__submission_unlock_accesses(submission, submission->accessors, group->accessor_count);
    syclze__submission_unlock_runs(submission);
    if (submission->recorded && submission->at.event != NULL)
      syclze__submission_abandon(submission, result);
    else
      syclze__submission_withdraw(submission, result);
  }
  syclze__wait_list_end(&submission->waits);
  const void *native = group->queue != NULL ? group->queue->native.queue : NULL;
  syclze__command_fail(command, submission->function, status, native);
  syclze_group_end(group);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS() || submission->traced != NULL)
    syclze__submission_trace_end(submission, result);
#endif
  return result;
}

/* Ends the submission with the status of its append. `event` and `command` may be null. */
SYCLZE_INLINE ze_result_t syclze__submission_end(struct syclze__submission *submission,
    syclze_event *event, const struct syclze__command *command, struct syclze__status status) {
  const ze_result_t result = status.result;
  struct syclze__queue_state *state = submission->at.state;
  SYCLZE__HELD(&state->lock);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__submission_rollback(submission, command, status);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__UNLIKELY(submission->traced != NULL))
    syclze__submission_trace_end(submission, result);
#endif
  if (submission->at.list != NULL) state->position++;
  if (submission->at.event == NULL) {
    /* A synchronous list has waited for `after`. */
    if (SYCLZE__UNLIKELY(state->after != NULL)) syclze__queue_state_set_after(state, NULL);
    syclze__lock_release(&state->lock);
    syclze__wait_list_end(&submission->waits);
    syclze_group_end(submission->group);
    return result;
  }
  syclze__wait_list_free_arrays(&submission->waits);
  syclze__submission_leave(submission, event);
  syclze_group_end(submission->group);
  SYCLZE__TRACE_COMMAND(submission_end, ());
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
