/* Native commands: commands that a function of the application appends, with no lock held.
 *
 * A native command is a deferred submission (deferred.h): its event is open until the function has
 * returned, and the end of the group is appended behind the function's commands. The submitting
 * thread calls the function if it waits for no open event, else a worker does. Meanwhile the
 * function borrows the native list, as a host task does: submissions to the queue are deferred. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_NATIVE_COMMAND_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_NATIVE_COMMAND_H

#include "../submit/submit.h"
#include "../host/task.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Makes a command queue wait for the wait list before what it executes next. */
SYCLZE_LOCAL ze_result_t syclze__native_gate(struct syclze__deferred *deferred) {
  SYCLZE__HELD(&deferred->state->lock);
  struct syclze__queue_state *state = deferred->state;
  struct syclze__regular_list *gate;
  ze_result_t result = syclze__regular_list_acquire(state, &deferred->event->pending.lists);
  if (result != ZE_RESULT_SUCCESS || deferred->wait_count == 0) return result;
  result = syclze__regular_list_acquire(state, &gate);
  if (result != ZE_RESULT_SUCCESS) return result;
  deferred->event->pending.lists->next = gate;
  result = syclze__list_append_wait(gate->native, deferred->wait_count, deferred->waits);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__regular_list_execute(state->queue, gate->native);
  deferred->begun = result == ZE_RESULT_SUCCESS;
  return result;
}

/* Begins a native command, before its function is called. */
SYCLZE_LOCAL ze_result_t syclze__native_begin(struct syclze__deferred *deferred) {
  SYCLZE__HELD(&deferred->state->lock);
  struct syclze__host_task *host = (struct syclze__host_task *)deferred->command;
  host->interop.wait_count = deferred->wait_count;
  if (!deferred->state->is_list) return syclze__native_gate(deferred);
  const ze_result_t result = syclze__queue_state_lend(deferred->state, &host->interop);
  /* The function may append waiting commands, and then fail. */
  deferred->begun = result == ZE_RESULT_SUCCESS && deferred->wait_count > 0;
  return result;
}

/* Calls the function, and appends the end of its group. Returns the first error. */
SYCLZE_LOCAL ze_result_t syclze__native_call(struct syclze__deferred *deferred, bool is_returned) {
  struct syclze__host_task *host = (struct syclze__host_task *)deferred->command;
  deferred->failure = syclze__host_task_call(host);
  if (host->interop.has_queue) syclze__host_task_return(&host->interop);
  deferred->task.run = syclze__deferred_run;
  return syclze__deferred_finish(deferred, is_returned);
}

/* Runs on a worker, once all that the group depends on is in native lists. */
SYCLZE_LOCAL void syclze__native_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__deferred *deferred = syclze__deferred_of_task(task);
  struct syclze__queue_state *state = deferred->state;
  syclze__lock_acquire(&state->lock);
  const bool again = syclze__deferred_again(deferred);
  if (!again) result = syclze__native_begin(deferred);
  syclze__queue_state_unlock(state);
  if (again) return;
  if (result == ZE_RESULT_SUCCESS)
    syclze__native_call(deferred, false);
  else {
    deferred->failure = result;
    syclze__deferred_finish(deferred, false);
  }
}

/* Appends the end of the group behind the function's commands. */
SYCLZE_LOCAL ze_result_t syclze__native_append(
    struct syclze__deferred *deferred, struct syclze__append *at) {
  const struct syclze__interop *interop = &((struct syclze__host_task *)deferred->command)->interop;
  const bool is_list = at->state->is_list;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (interop->event_count > 0)
    result = syclze__list_append_wait(at->list, interop->event_count, interop->events);
  /* The function may append nothing that waits, so the end waits. A native barrier with a wait list
   * waits for the list only: there are two. */
  if (result == ZE_RESULT_SUCCESS && is_list) result = syclze__append_waits(at);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__list_append_barrier(at->list, at->signal, 0, NULL);
  if (result != ZE_RESULT_SUCCESS || is_list) return result;
  return syclze__regular_list_execute(at->state->queue, at->list);
}

SYCLZE_LOCAL void syclze__native_end(void *host) {
  syclze__host_task_free((struct syclze__host_task *)host);
}

/* The record that the submission needs until its end; null without memory. */
SYCLZE_LOCAL struct syclze__deferred *syclze__native_create(const syclze_group *group,
    const struct syclze__submission *submission, syclze_host_function function, void *argument) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__host_task *host = syclze__host_task_new(group, submission, 0, function, argument);
  if (host == NULL) return NULL;
  struct syclze__deferred *deferred = syclze__deferred_create(submission);
  if (deferred == NULL) {
    syclze__native_end(host);
    return NULL;
  }
  host->interop.waits = deferred->waits;
  deferred->command = host;
  deferred->end = syclze__native_end;
  deferred->task.is_application = true;
  deferred->task.run = syclze__native_run;
  deferred->append = syclze__native_append;
  return deferred;
}

/* True if a worker must call the function: something that it waits for is not in a native list
 * yet. */
SYCLZE_LOCAL bool syclze__native_is_early(const struct syclze__deferred *deferred) {
  struct syclze__event **waits = syclze__pending_waits(deferred->event);
  for (uint32_t i = 0; i < deferred->wait_count; i++)
    if (syclze__event_is_open(waits[i])) return true;
  return false;
}

/* Ends the submission, and calls the function on this thread. */
SYCLZE_LOCAL ze_result_t syclze__native_submit(
    struct syclze__deferred *deferred, struct syclze__submission *submission, syclze_event *event) {
  const void *native = deferred->queue->native.queue;
  syclze_event done;
  syclze__deferred_hold(deferred);
  syclze__wait_list_free_arrays(&submission->waits);
  syclze__submission_leave(submission, &done);
  syclze_group_end(submission->group);
  const ze_result_t result = syclze__native_call(deferred, true);
#if XPTI_ENABLE_INSTRUMENTATION
  if (submission->traced != NULL) syclze__submission_trace_end(submission, result);
#endif
  SYCLZE__TRACE_COMMAND(submission_end, ());
  if (event != NULL && result == ZE_RESULT_SUCCESS)
    *event = done;
  else
    syclze__event_release(done.rep);
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, submission->function, "the native command failed", native);
}

SYCLZE_COLD ze_result_t syclze_group_native_command(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event) {
  struct syclze__submission submission;
  if (event != NULL) event->rep = NULL;
  if (function == NULL) syclze__group_fail(group, syclze__null_pointer("the function is null"));
  ze_result_t result = syclze__submission_open(
      &submission, group, SYCLZE__SUBMISSION_NATIVE, "syclze_group_native_command");
  if (result == SYCLZE__SUBMISSION_RECORDS) {
    result = syclze__function_record(
        group, SYCLZE__SUBMISSION_NATIVE, function, argument, "syclze_group_native_command", event);
    if (result == SYCLZE__SUBMISSION_RECORDS)
      return syclze_group_native_command(group, function, argument, event);
    return result;
  }
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__deferred *deferred = syclze__native_create(group, &submission, function, argument);
  if (deferred == NULL)
    return syclze__submission_rollback(&submission, NULL,
        syclze__status_of(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for a native command"));
  if (syclze__native_is_early(deferred))
    return syclze__deferred_submit(deferred, &submission, event);
  result = syclze__native_begin(deferred);
  if (result == ZE_RESULT_SUCCESS) return syclze__native_submit(deferred, &submission, event);
  syclze__deferred_free(deferred);
  return syclze__submission_rollback(&submission, NULL,
      syclze__status_of(result, "the native queue could not be lent to the function"));
}

#endif

SYCLZE_EXTERN_C_END

#endif
