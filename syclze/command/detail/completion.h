/* Completion and rollback of a submission.
 *
 * Other work may already wait for the event of a submission that is rolled back, and a part of it
 * may be under way on the device. Then the event is signalled all the same: by the device behind
 * that part, or by a worker once what the submission was to wait for is done. Its wait list lives
 * until then. */
#ifndef SYCLZE_COMMAND_DETAIL_COMPLETION_H
#define SYCLZE_COMMAND_DETAIL_COMPLETION_H

#include "host_wait.h"
#include "signal_later.h"
#include "submission_lock.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

#if XPTI_ENABLE_INSTRUMENTATION
/* Ends a command that is no host task and leaves no event. `node` is null if it was not traced or
 * failed before. */
SYCLZE_LOCAL void syclze__command_trace_end(struct syclze__trace_node *node, ze_result_t result) {
  if (node != NULL) {
    node->table->command_end(node, result, true);
    return;
  }
  SYCLZE__TRACE_COMMAND(command_discard, ());
  SYCLZE__TRACE_COMMAND(submission_end, ());
}

/* A host task's node is its own by now, unless its submission failed. */
SYCLZE_LOCAL_WARM void syclze__submission_trace_end(
    struct syclze__submission *submission, ze_result_t result) {
  /* With an event there is more to do. */
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

/* Records in the queue's state a submission that has an event. */
SYCLZE_INLINE void syclze__submission_complete(const struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->at.state;
  const bool is_native =
      (state->driver_in_order || state->is_synchronous) && submission->at.list != NULL;
  syclze__queue_state_keep(state, submission->at.event);
  if (state->in_order) {
    if (!is_native || state->after != NULL)
      syclze__queue_state_set_after(state, is_native ? NULL : submission->at.event);
  } else {
    if (is_native && state->after != NULL) syclze__queue_state_set_after(state, NULL);
    if (submission->kind == SYCLZE__SUBMISSION_BARRIER) {
      syclze__event_assign(&state->barrier, submission->at.event);
      if (!submission->at.depends) state->cut = submission->at.event;
      if (submission->is_deferred) state->obstacles |= SYCLZE__OBSTACLE_BARRIER;
    }
  }
  /* In the native order the command covers all before it, and so does a barrier in any order. */
  if (is_native || (submission->kind == SYCLZE__SUBMISSION_BARRIER && submission->at.list != NULL &&
                       state->is_list && !submission->at.depends))
    syclze__queue_state_set_marker(state, submission->at.event);
}

/* A part of the submission is under way: has the device signal its event behind that. */
SYCLZE_LOCAL ze_result_t syclze__submission_signal_by_device(
    const struct syclze__submission *submission) {
  const bool is_list = submission->at.state->is_list;
  ze_result_t result = ZE_RESULT_SUCCESS;
  /* What was to wait may not have been appended, as by a native command's function that failed. */
  if (!is_list)
    result = SYCLZE__ZE(zeCommandListReset)(submission->at.list);
  else if (submission->at.wait_count > 0)
    result = syclze__list_append_barrier(
        submission->at.list, NULL, submission->at.wait_count, submission->at.waits);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__list_append_barrier(submission->at.list, submission->at.signal, 0, NULL);
  if (result != ZE_RESULT_SUCCESS || is_list) return result;
  return syclze__regular_list_execute(submission->at.state->queue, submission->at.list);
}

/* Other work may wait for the event of the failed submission, and depend through it on what the
 * submission was to wait for. Nothing signals the end of what the device was given of it: then the
 * context is lost. */
SYCLZE_LOCAL void syclze__submission_abandon(
    struct syclze__submission *submission, ze_result_t result) {
  struct syclze__queue_state *state = submission->at.state;
  struct syclze__event *event = submission->at.event;
  if (submission->at.begun)
    syclze__event_lose(event, result);
  else
    syclze__pending_signal_later(state, event);
  if (!submission->at.begun) syclze__regular_lists_release(state, &event->pending.lists);
  syclze__pending_set_host(event);
  syclze__queue_state_keep(state, event);
  if (!state->in_order && !state->driver_in_order) return;
  /* Its place in the order is taken, by a wait that is not in the native list. */
  if (state->driver_in_order) state->position++;
  syclze__queue_state_set_after(state, event);
  for (uint32_t i = 0; i < submission->group->accessor_count; i++) {
    struct syclze__accesses *all = syclze__accesses_of(submission->accessors[i].memory);
    if (__atomic_load_n(&all->owner, __ATOMIC_RELAXED) == state)
      syclze__event_assign(&all->unfinished, event);
  }
}

/* Gives back what a submission took, and reports. */
SYCLZE_LOCAL ze_result_t syclze__submission_rollback(
    struct syclze__submission *submission, ze_result_t result, const char *rule) {
  struct syclze__queue_state *state = submission->at.state;
  syclze_group *group = submission->group;
  struct syclze__event *unused = NULL;
  if (state != NULL) {
    if (!submission->recorded && submission->accesses != NULL)
      syclze__accessors_unlock(submission->accessors, group->accessor_count);
    syclze__access_list_end(submission->accesses);
    if (submission->at.event == NULL)
      ; /* what has begun is done */
    else if (submission->at.begun &&
             syclze__submission_signal_by_device(submission) == ZE_RESULT_SUCCESS) {
      state->position++;
      submission->kind = SYCLZE__SUBMISSION_COMMAND;
      syclze__submission_complete(submission);
    } else if (submission->recorded || submission->at.begun)
      syclze__submission_abandon(submission, result);
    else {
      unused = submission->at.event;
      syclze__event_unopen(unused);
      syclze__regular_lists_release(state, &unused->pending.lists);
    }
    syclze__lock_release(&state->lock);
    if (unused != NULL) syclze__pending_end(unused);
    if (submission->at.event != NULL) syclze__event_release(submission->at.event);
  }
  syclze__wait_list_end(&submission->waits);
  const void *native = group->queue != NULL ? group->queue->native.queue : NULL;
  syclze_group_end(group);
  syclze__fail(result, submission->function, rule, native);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS() || submission->traced != NULL)
    syclze__submission_trace_end(submission, result);
#endif
  return result;
}

/* Records a submission that has an event, and releases the queue. `event` may be null. */
SYCLZE_INLINE void syclze__submission_leave(
    struct syclze__submission *submission, syclze_event *event) {
  struct syclze__queue_state *state = submission->at.state;
  syclze__submission_complete(submission);
  struct syclze__event *done = syclze__queue_state_retire_some(state, submission->at.event);
  syclze__lock_release(&state->lock);
  if (done != NULL) syclze__pendings_retire(done);
  if (event != NULL)
    event->rep = submission->at.event;
  else
    syclze__event_release(submission->at.event);
  syclze_group_end(submission->group);
}

/* Ends the submission, whose append returned `result`; `rule` says what failed. `event` may be
 * null. */
SYCLZE_INLINE ze_result_t syclze__submission_end(struct syclze__submission *submission,
    syclze_event *event, ze_result_t result, const char *rule) {
  struct syclze__queue_state *state = submission->at.state;
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__submission_rollback(submission, result, rule);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__UNLIKELY(submission->traced != NULL))
    syclze__submission_trace_end(submission, result);
#endif
  if (submission->at.list != NULL) state->position++;
  if (submission->at.event == NULL) {
    /* Of a synchronous list, which has waited for it. */
    if (SYCLZE__UNLIKELY(state->after != NULL)) syclze__queue_state_set_after(state, NULL);
    syclze__lock_release(&state->lock);
    syclze__wait_list_end(&submission->waits);
    syclze_group_end(submission->group);
    return result;
  }
  syclze__wait_list_free_arrays(&submission->waits);
  syclze__submission_leave(submission, event);
  SYCLZE__TRACE_COMMAND(submission_end, ());
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
