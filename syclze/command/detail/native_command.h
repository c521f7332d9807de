/* Native commands: commands that a function of the application appends. */
#ifndef SYCLZE_COMMAND_DETAIL_NATIVE_COMMAND_H
#define SYCLZE_COMMAND_DETAIL_NATIVE_COMMAND_H

#include "command.h"
#include "host_task.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Has a command queue wait for the wait list, before what is executed from here on. */
SYCLZE_LOCAL ze_result_t syclze__native_gate(struct syclze__submission *submission) {
  struct syclze__regular_list *gate;
  if (submission->wait_count == 0) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__regular_list_acquire(submission->state, &gate);
  if (result != ZE_RESULT_SUCCESS) return result;
  submission->event->pending.lists->next = gate;
  result = SYCLZE__ZE(zeCommandListAppendWaitOnEvents)(
      gate->native, submission->wait_count, submission->waits.natives);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__regular_list_execute(submission->state->queue, gate->native);
  submission->begun = result == ZE_RESULT_SUCCESS;
  return result;
}

/* Has the function append its commands, and appends what the group's end needs. */
SYCLZE_LOCAL ze_result_t syclze__native_call(
    struct syclze__submission *submission, struct syclze__host_task *host) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!submission->state->is_list)
    result = syclze__native_gate(submission);
  else
    submission->begun =
        submission->wait_count > 0; /* the function may append what waits, and fail */
  struct syclze__interop *interop = &host->interop;
  interop->wait_count = submission->wait_count;
  if (result == ZE_RESULT_SUCCESS) result = syclze__host_task_call(host);
  if (result == ZE_RESULT_SUCCESS && interop->event_count > 0)
    result = SYCLZE__ZE(zeCommandListAppendWaitOnEvents)(
        submission->list, interop->event_count, interop->events);
  /* Where the function appends nothing that waits, the end does. A native barrier with a wait list
   * waits for nothing else, so there are two. */
  if (result == ZE_RESULT_SUCCESS && submission->state->is_list)
    result = syclze__append_waits(submission);
  if (result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeCommandListAppendBarrier)(submission->list, submission->signal, 0, NULL);
  syclze__host_task_release(host);
  if (result == ZE_RESULT_SUCCESS && !submission->state->is_list)
    result = syclze__regular_list_execute(submission->state->queue, submission->list);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__native_append_deferred(
    struct syclze__deferred *deferred, struct syclze__submission *submission) {
  struct syclze__host_task *host = (struct syclze__host_task *)deferred->command;
  deferred->command = NULL;
  return syclze__native_call(submission, host);
}

SYCLZE_LOCAL void syclze__native_end(void *host) {
  syclze__host_task_release((struct syclze__host_task *)host);
}

/* Has a worker call the function. */
SYCLZE_LOCAL ze_result_t syclze__native_defer(
    struct syclze__submission *submission, struct syclze__host_task *host, syclze_event *event) {
  struct syclze__deferred *deferred = syclze__deferred_create(submission);
  if (deferred == NULL) {
    syclze__host_task_release(host);
    return syclze__submission_rollback(
        submission, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for a deferred submission");
  }
  /* The function is called with the queue's lock, where nothing ends. */
  host->has_queue = false;
  syclze__ref_release(&host->interop.queue->ref);
  deferred->command = host;
  deferred->end = syclze__native_end;
  deferred->task.is_application = true;
  deferred->append = syclze__native_append_deferred;
  return syclze__deferred_submit(deferred, submission, event);
}

SYCLZE_COLD ze_result_t syclze_group_native_command(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event) {
  struct syclze__submission submission;
  if (event != NULL) event->rep = NULL;
  if (function == NULL) syclze__group_fail(group, syclze__null_pointer("the function is null"));
  ze_result_t result = syclze__submission_open(
      &submission, group, SYCLZE__SUBMISSION_COMMAND, "syclze_group_native_command");
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__host_task *host = syclze__host_task_new(group, &submission, function, argument);
  if (host == NULL)
    result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  else if (submission.is_deferred)
    return syclze__native_defer(&submission, host, event);
  else
    result = syclze__native_call(&submission, host);
  return syclze__submission_end(
      &submission, event, result, "the native command's function failed, or no memory");
}

#endif

SYCLZE_EXTERN_C_END

#endif
