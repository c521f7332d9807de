/* What becomes of an action: it is noted, or comes to nothing and gives back what it took.
 *
 * Of one that comes to nothing others may wait for the event already, and a part may be under way
 * on the device. Then the event is signalled all the same: by the device behind that part, or else
 * by a worker when what the action was to wait for is done. Until then its wait list lives. */
#ifndef SYCLZE_COMMAND_OUTCOME_H
#define SYCLZE_COMMAND_OUTCOME_H

#include "compaction.h"
#include "../group.h"

SYCLZE_EXTERN_C_BEGIN

enum syclze__submission_kind {
  SYCLZE__SUBMISSION_COMMAND, /* is appended to submission.list */
  SYCLZE__SUBMISSION_BARRIER, /* the same; without requirements it waits for all that the queue was
                             given, and all that comes later waits for it */
  SYCLZE__SUBMISSION_HOST     /* is not appended: submission.list and submission.signal are null,
                             submission.event is     set, and whoever runs the action signals it from
                             the     host */
};

struct syclze__submission {
  struct syclze__queue_state *state;
  ze_command_list_handle_t list;
  ze_event_handle_t signal; /* null when nobody needs one */
  uint32_t wait_count;
  ze_event_handle_t *waits; /* until the end of the submission; the events live until its own event
                               is signalled */
  struct syclze__event *event; /* until the end of the submission; null for none */
  const char *function;
  struct syclze__pending *pending; /* what the state keeps until the event is signalled */
  struct syclze__access *accesses; /* one for each accessor that is not told yet, the last first */
  uint32_t told;                   /* accessors, from the first, that others know of */
  bool begun; /* the device has been given what waits for the wait list, if not all of the action */
  /* Set by the caller of syclze__submission_begin; null where nothing is traced. */
  const struct syclze__trace_kernel_info *kernel_info;
  const struct syclze__trace_transfer_info *transfer_info;
  struct syclze__trace_node *traced; /* null unless it is traced */
};

SYCLZE_COLD ze_result_t syclze__submission_rollback(syclze_group *group,
    struct syclze__submission *submission, ze_result_t result, const char *rule)
    SYCLZE_LINK_NAME(syclze__submission_rollback);
SYCLZE_LOCAL ze_result_t syclze__submission_signal_by_device(
    const struct syclze__submission *submission);
SYCLZE_LOCAL void syclze__submission_abandon(struct syclze__submission *submission);
SYCLZE_COLD void syclze__submission_complete(
    enum syclze__submission_kind kind, struct syclze__submission *submission, syclze_event *event)
    SYCLZE_LINK_NAME(syclze__submission_complete);

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_WARM void syclze__submission_trace_end(struct syclze__submission *submission,
    ze_result_t result) SYCLZE_LINK_NAME(syclze__submission_trace_end);

/* Of a host task the node is its own by now, unless its submission failed. */
SYCLZE_WARM void syclze__submission_trace_end(
    struct syclze__submission *submission, ze_result_t result) {
  /* With an event there is more to do. */
  const bool over = result != ZE_RESULT_SUCCESS || submission->event == NULL;
  struct syclze__trace_node *node = submission->traced;
  submission->traced = NULL;
  if (SYCLZE__LIKELY(node != NULL && submission->list != NULL)) {
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

/* Notes what was submitted with an event. */
SYCLZE_COLD void syclze__submission_complete(
    enum syclze__submission_kind kind, struct syclze__submission *submission, syclze_event *event) {
  struct syclze__queue_state *state = submission->state;
  syclze__queue_state_keep(state, submission->pending);
  if (state->in_order)
    syclze__event_assign(&state->after,
        submission->list == NULL || !state->driver_in_order ? submission->event : NULL);
  else if (kind == SYCLZE__SUBMISSION_BARRIER)
    syclze__event_assign(&state->barrier, submission->event);
  /* In native order, the command stands for all before it. */
  if (state->driver_in_order && submission->list != NULL) {
    syclze__event_assign(&state->marker, submission->event);
    state->marker_position = state->position;
  }
  /* Two for each that comes, so that what is kept does not grow while work completes. */
  syclze__queue_state_retire(state, 2);
  if (event != NULL)
    event->rep = submission->event;
  else
    syclze__event_release(submission->event);
  SYCLZE__TRACE_COMMAND(submission_end, ());
}

/* Gives back what an action took, and reports. With the queue's lock held if it has a state. */
SYCLZE_COLD ze_result_t syclze__submission_rollback(syclze_group *group,
    struct syclze__submission *submission, ze_result_t result, const char *rule) {
  struct syclze__queue_state *state = submission->state;
  if (state != NULL) {
    while (submission->accesses != NULL) {
      struct syclze__access *access = submission->accesses;
      submission->accesses = access->next;
      syclze__access_end(access);
    }
    syclze__queue_state_drop_waits(state);
    if (submission->begun && syclze__submission_signal_by_device(submission) == ZE_RESULT_SUCCESS) {
      state->position++;
      syclze__submission_complete(SYCLZE__SUBMISSION_COMMAND, submission, NULL);
    } else {
      if ((submission->told != 0 || submission->begun) && submission->pending != NULL)
        syclze__submission_abandon(submission);
      else if (submission->pending != NULL)
        syclze__pending_end(state, submission->pending);
      if (submission->event != NULL) syclze__event_release(submission->event);
    }
    syclze__lock_release(&state->lock);
  }
  const void *native = group->queue != NULL ? group->queue->native.queue : NULL;
  syclze__group_end(group);
  syclze__fail(result, submission->function, rule, native);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS() || submission->traced != NULL)
    syclze__submission_trace_end(submission, result);
#endif
  return result;
}

SYCLZE_COLD ze_result_t syclze__list_execute(struct syclze__queue *queue,
    ze_command_list_handle_t list) SYCLZE_LINK_NAME(syclze__list_execute);

/* Closes a regular list and executes it. */
SYCLZE_COLD ze_result_t syclze__list_execute(
    struct syclze__queue *queue, ze_command_list_handle_t list) {
  ze_result_t result = SYCLZE__ZE(zeCommandListClose)(list);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandQueueExecuteCommandLists)(queue->native.queue, 1, &list, NULL);
}

/* A part of the action is under way: has the device signal its event once it is past that. */
SYCLZE_LOCAL ze_result_t syclze__submission_signal_by_device(
    const struct syclze__submission *submission) {
  struct syclze__queue *queue = submission->state->queue;
  const bool is_list = submission->state->is_list;
  ze_result_t result = ZE_RESULT_SUCCESS;
  /* What was to wait may not have been appended, as by a native command's function that failed. */
  if (!is_list)
    result = SYCLZE__ZE(zeCommandListReset)(submission->list);
  else if (submission->wait_count > 0)
    result = SYCLZE__ZE(zeCommandListAppendBarrier)(
        submission->list, NULL, submission->wait_count, submission->waits);
  if (result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeCommandListAppendBarrier)(submission->list, submission->signal, 0, NULL);
  if (result != ZE_RESULT_SUCCESS || is_list) return result;
  return syclze__list_execute(queue, submission->list);
}

/* The action came to nothing, but others may wait for its event already, and know of what it waits
 * for by it alone: it is signalled once all of that is done. */
SYCLZE_LOCAL void syclze__submission_abandon(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->state;
  struct syclze__pending *pending = submission->pending;
  struct syclze__event **waits = pending->many != NULL ? pending->many : pending->few;
  struct syclze__host_wait *host_wait = syclze__host_wait_create(state->queue);
  ze_result_t result = host_wait != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < pending->wait_count && result == ZE_RESULT_SUCCESS; i++)
    result = syclze__queue_state_wait(host_wait->state, waits[i]);
  if (result == ZE_RESULT_SUCCESS) {
    host_wait->done[0] = submission->event;
    syclze__ref_retain(&submission->event->ref);
    result = syclze__host_wait_submit(host_wait);
  }
  if (result != ZE_RESULT_SUCCESS) {
    if (host_wait != NULL) syclze__host_wait_destroy(host_wait);
    bool done = true;
    for (uint32_t i = 0; i < pending->wait_count; i++)
      done = done && syclze__event_await(waits[i]) == ZE_RESULT_SUCCESS;
    if (done) syclze__event_signal(submission->event, state->queue);
  }
  if (!submission->begun) syclze__pending_idle(state, pending);
  pending->is_host = true;
  syclze__queue_state_keep(state, pending);
  if (!state->in_order) return;
  /* Its place in the order is taken, by a wait that the native queue knows nothing of. */
  if (state->driver_in_order) state->position++;
  syclze__event_assign(&state->after, submission->event);
}

SYCLZE_EXTERN_C_END

#endif
