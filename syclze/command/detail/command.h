/* Commands: what a group appends to its queue, and the one way in which all of them are submitted.
 */
#ifndef SYCLZE_COMMAND_DETAIL_COMMAND_H
#define SYCLZE_COMMAND_DETAIL_COMMAND_H

#include "submission.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__command;

/* What traces are given of a command. */
struct syclze__command_trace {
  struct syclze__trace_command_info command;
  struct syclze__trace_kernel_info kernel;
  struct syclze__trace_transfer_info transfer;
};

/* Begins the description of a command (copy.h, launch.h, queue_sync.h). */
struct syclze__command {
  const char *function; /* of the application's call */
  enum syclze__submission_kind kind;
  /* Sets the kernel's arguments; null for none. */
  struct syclze__status (*prepare)(const struct syclze__command *command);
  ze_result_t (*append)(
      const struct syclze__command *command, struct syclze__submission *submission);
#if XPTI_ENABLE_INSTRUMENTATION
  /* Adds to the description for traces; null where the group is all that they need. */
  void (*trace)(const struct syclze__command *command, struct syclze__command_trace *trace);
#endif
  struct syclze__kernel *kernel; /* kept until the command is done; null for none */
};

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__command syclze__command_of(
    const char *function, ze_result_t (*append)(const struct syclze__command *command,
                              struct syclze__submission *submission)) {
  struct syclze__command command;
  memset(&command, 0, sizeof command);
  command.function = function;
  command.append = append;
  return command;
}

/* Appends what waits for the wait list, where the command takes none. */
SYCLZE_LOCAL ze_result_t syclze__append_waits(struct syclze__submission *submission) {
  if (submission->wait_count == 0) return ZE_RESULT_SUCCESS;
  ze_result_t result = SYCLZE__ZE(zeCommandListAppendBarrier)(
      submission->list, NULL, submission->wait_count, submission->waits);
  if (result == ZE_RESULT_SUCCESS && submission->state->is_list) submission->begun = true;
  return result;
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL_WARM void syclze__command_trace_begin(
    const struct syclze__command *command, struct syclze__submission *submission) {
  struct syclze__command_trace trace;
  trace.command = syclze__submission_trace_info(submission);
  if (command->trace != NULL) command->trace(command, &trace);
  submission->traced = syclze__trace_command_begin(&trace.command);
}
#endif

/* A command without requirements and event on a list that needs no bookkeeping but its position. */
SYCLZE_INLINE ze_result_t syclze__command_append(
    syclze_group *group, const struct syclze__command *command, struct syclze__queue_state *state) {
  struct syclze__submission submission;
  struct syclze__status status = syclze__allowed();
  submission.state = state;
  submission.list = state->queue->native.list;
  submission.signal = NULL;
  submission.wait_count = 0;
  submission.waits = NULL;
  if (command->prepare != NULL) status = command->prepare(command);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    status = syclze__status_of(command->append(command, &submission), "the append failed");
    state->position++;
  }
  syclze__lock_release(&state->lock);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) return status.result;
  return syclze__fail(status.result, command->function, status.rule, group->queue->native.queue);
}

/* True if nothing is asked of the submission but the append. */
SYCLZE_INLINE bool syclze__command_is_plain(
    const syclze_group *group, const struct syclze__command *command, const syclze_event *event) {
  return event == NULL && !syclze__group_depends(group) &&
         group->status.result == ZE_RESULT_SUCCESS && command->kind == SYCLZE__SUBMISSION_COMMAND &&
         !SYCLZE__TRACING_COMMANDS();
}

SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  struct syclze__submission submission;
  if (event != NULL) event->rep = NULL;
  if (syclze__command_is_plain(group, command, event)) {
    struct syclze__queue_state *state = syclze__queue_state_enter(group->queue);
    if (SYCLZE__LIKELY(state != NULL)) return syclze__command_append(group, command, state);
  }
  ze_result_t result =
      syclze__submission_begin(&submission, group, command->kind, command->function);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = syclze__submission_gather(&submission, event != NULL);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__submission_fail(&submission, result);
  if (command->prepare != NULL) {
    const struct syclze__status prepared = command->prepare(command);
    if (SYCLZE__UNLIKELY(prepared.result != ZE_RESULT_SUCCESS))
      return syclze__submission_rollback(&submission, prepared.result, prepared.rule);
  }
  syclze__submission_record(&submission);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) syclze__command_trace_begin(command, &submission);
#endif
  result = command->append(command, &submission);
  if (command->kernel != NULL && submission.pending != NULL)
    syclze__pending_keep_kernel(submission.pending, command->kernel);
  if (SYCLZE__UNLIKELY(!submission.state->is_list) && result == ZE_RESULT_SUCCESS)
    result = syclze__regular_list_execute(group->queue, submission.list);
  return syclze__submission_end(&submission, event, result, "the append failed");
}

#endif

SYCLZE_EXTERN_C_END

#endif
