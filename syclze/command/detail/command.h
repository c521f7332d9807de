/* Commands: what a group appends to its queue, and the one way in which all of them are submitted.
 */
#ifndef SYCLZE_COMMAND_DETAIL_COMMAND_H
#define SYCLZE_COMMAND_DETAIL_COMMAND_H

#include "deferred.h"
#include "regular_queue.h"
#include "single_access.h"

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
  uint32_t size;        /* of the command's own struct, which begins with this one */
  enum syclze__submission_kind kind;
  /* Sets the kernel's arguments; null for none. */
  struct syclze__status (*prepare)(const struct syclze__command *command);
  ze_result_t (*append)(
      const struct syclze__command *command, struct syclze__submission *submission);
  /* Has a copy of the command, to be appended later, refer to nothing of the caller's, but to
   * memory that it allocates. Null where it does not. */
  struct syclze__status (*keep)(
      struct syclze__command *copy, const struct syclze__submission *submission, void **extra);
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
  command.function = function;
  command.size = sizeof command;
  command.kind = SYCLZE__SUBMISSION_COMMAND;
  command.prepare = NULL;
  command.append = append;
  command.keep = NULL;
#if XPTI_ENABLE_INSTRUMENTATION
  command.trace = NULL;
#endif
  command.kernel = NULL;
  return command;
}

/* Appends what waits for the wait list, where the command takes none. */
SYCLZE_LOCAL ze_result_t syclze__append_waits(struct syclze__submission *submission) {
  if (submission->wait_count == 0) return ZE_RESULT_SUCCESS;
  ze_result_t result = SYCLZE__ZE(zeCommandListAppendBarrier)(
      submission->list, NULL, submission->wait_count, submission->waits.natives);
  if (result == ZE_RESULT_SUCCESS && submission->state->is_list) submission->begun = true;
  return result;
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL_WARM void syclze__command_trace_begin(
    const struct syclze__command *command, struct syclze__submission *submission) {
  struct syclze__command_trace trace;
  syclze__submission_trace_info(submission, &trace.command);
  if (command->trace != NULL) command->trace(command, &trace);
  submission->traced = syclze__trace_command_begin(&trace.command);
}
#endif

/* Notes in the state, which is locked, what was appended with nothing to wait for and signals the
 * event, and releases the state. `done` is what was retired for it. */
SYCLZE_INLINE void syclze__queue_state_leave_retired(
    struct syclze__queue_state *state, struct syclze__event *event, struct syclze__event *done) {
  const uint64_t position = ++state->position;
  if (state->driver_in_order) {
    state->marker = event;
    state->marker_position = position;
  }
  syclze__queue_state_keep(state, event);
  syclze__queue_state_unlock(state);
  if (done != NULL) syclze__pendings_retire(done);
}

SYCLZE_INLINE void syclze__queue_state_leave_event(
    struct syclze__queue_state *state, struct syclze__event *event) {
  syclze__queue_state_leave_retired(state, event, syclze__queue_state_retire(state, 2));
}

/* The same of a command that may have no event. */
SYCLZE_INLINE void syclze__queue_state_leave(
    struct syclze__queue_state *state, struct syclze__event *event) {
  if (event != NULL) {
    syclze__queue_state_leave_event(state, event);
    return;
  }
  state->position++;
  syclze__lock_release(&state->lock);
}

/* After the failed append of a command with nothing to wait for. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_fail(struct syclze__queue_state *state,
    struct syclze__event *event, ze_result_t result, const char *rule, const char *function) {
  const void *native = state->queue->native.queue;
  syclze__lock_release(&state->lock);
  if (event != NULL) {
    syclze__event_release(event);
    syclze__pending_end(event);
  }
  return syclze__fail(result, function, rule, native);
}

/* The state, locked, of a queue on which a command of a group without requirements is one append;
 * else null. */
SYCLZE_INLINE struct syclze__queue_state *syclze__plain_enter(const syclze_group *group) {
  if (SYCLZE__UNLIKELY(group->queue == NULL || group->status.result != ZE_RESULT_SUCCESS) ||
      syclze__group_depends(group) || SYCLZE__TRACING_COMMANDS())
    return NULL;
  struct syclze__queue_state *state = syclze__queue_state_get(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL || !syclze__lock_try(&state->lock))) return NULL;
  SYCLZE__APART(state);
  if (SYCLZE__LIKELY(state->obstacles == 0)) return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

/* A command that is one append to the native list of the state, which is locked. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_append(syclze_group *group,
    const struct syclze__command *command, struct syclze__queue_state *state, syclze_event *event) {
  struct syclze__submission submission;
  struct syclze__event *created = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  submission.group = group;
  submission.state = state;
  submission.list = group->queue->native.list;
  submission.signal = NULL;
  submission.wait_count = 0;
  submission.waits.natives = NULL;
  if (event != NULL) {
    result = syclze__pending_create(state, &created);
    if (created != NULL) submission.signal = created->native;
  }
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) result = command->append(command, &submission);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(
        state, created, result, "the append failed, or no memory", command->function);
  if (event != NULL) event->rep = created;
  syclze__queue_state_leave(state, created);
  return result;
}

/* After the failed append of a command whose access is recorded; `begun` as of a submission. Null
 * `event` where the application wants none. */
SYCLZE_LOCAL ze_result_t syclze__single_fail(syclze_group *group, struct syclze__queue_state *state,
    const struct syclze__single *single, syclze_event *event, bool begun, ze_result_t result,
    const char *function) {
  struct syclze__submission submission;
  struct syclze__event *created = single->created;
  syclze__submission_init(&submission, group, SYCLZE__SUBMISSION_COMMAND, function);
  /* The rollback drops a reference, which the application would have had. */
  if (created != NULL && event == NULL) syclze__ref_retain(&created->ref);
  if (event != NULL) event->rep = NULL;
  submission.state = state;
  submission.list = state->queue->native.list;
  submission.event = created;
  submission.begun = begun;
  submission.recorded = true;
  submission.signal = single->signal;
  submission.wait_count = single->wait_count;
  submission.waits.few_natives[0] = single->wait;
  return syclze__submission_rollback(&submission, result, "the append failed");
}

/* Ends a command whose access is recorded, and whose append returned `result`. With the state's
 * lock, which is released. */
SYCLZE_INLINE ze_result_t syclze__single_close(syclze_group *group,
    struct syclze__queue_state *state, const struct syclze__single *single, syclze_event *event,
    ze_result_t result, const char *function) {
  struct syclze__event *created = single->created;
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__single_fail(group, state, single, event, false, result, function);
  if (event != NULL) event->rep = created;
  syclze__queue_state_leave(state, created);
  return result;
}

/* Appends a command whose access is recorded. With the state's lock, which is released. */
SYCLZE_INLINE ze_result_t syclze__command_append_single(syclze_group *group,
    const struct syclze__command *command, struct syclze__queue_state *state,
    struct syclze__single *single, syclze_event *event) {
  struct syclze__submission submission;
  submission.group = group;
  submission.state = state;
  submission.list = state->queue->native.list;
  submission.signal = single->signal;
  submission.wait_count = single->wait_count;
  submission.begun = false;
  submission.waits.natives = &single->wait;
  const ze_result_t result = command->append(command, &submission);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__single_fail(
        group, state, single, event, submission.begun, result, command->function);
  return syclze__single_close(group, state, single, event, result, command->function);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit_full(
    syclze_group *group, const struct syclze__command *command, syclze_event *event);

/* Ends a command on a command queue, whose append returned `result`. With the state's lock, which
 * is released. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_execute_end(const struct syclze__command *command,
    struct syclze__queue_state *state, struct syclze__event *created, struct syclze__status status,
    syclze_event *event) {
  const void *native = state->queue->native.queue;
  struct syclze__event *done = NULL;
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    state->position++;
    done = syclze__queue_state_retire_some(state, created);
    syclze__queue_state_keep(state, created);
    if (state->in_order) syclze__queue_state_set_after(state, created);
  } else
    syclze__regular_lists_release(state, &created->pending.lists);
  syclze__queue_state_unlock(state);
  if (done != NULL) syclze__pendings_retire(done);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    if (event != NULL) event->rep = created;
    return status.result;
  }
  if (event != NULL) syclze__event_release(created);
  syclze__pending_end(created);
  return syclze__fail(status.result, command->function, status.rule, native);
}

/* A command on a command queue that waits for one event at most, with the state's lock. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_execute(syclze_group *group,
    const struct syclze__command *command, struct syclze__queue_state *state, syclze_event *event) {
  struct syclze__submission submission;
  struct syclze__event *created;
  struct syclze__status status = syclze__allowed();
  const ze_result_t created_result =
      syclze__regular_create(state, command->kernel, event != NULL, &created);
  if (SYCLZE__UNLIKELY(created_result == ZE_RESULT_NOT_READY)) {
    syclze__lock_release(&state->lock);
    return syclze__command_submit_full(group, command, event);
  }
  if (SYCLZE__UNLIKELY(created_result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(state, created, created_result,
        "no memory, no event or no list for the command", command->function);
  submission.group = group;
  submission.state = state;
  submission.list = created->pending.lists->native;
  submission.signal = created->native;
  submission.wait_count = created->pending.wait_count;
  if (submission.wait_count != 0)
    submission.waits.few_natives[0] = created->pending.waits.one->native;
  submission.begun = false;
  submission.waits.natives = submission.waits.few_natives;
  if (command->prepare != NULL) status = command->prepare(command);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    ze_result_t result = command->append(command, &submission);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
      result = syclze__regular_list_execute(state->queue, submission.list);
    status = syclze__status_of(result, "the append failed");
  }
  return syclze__command_execute_end(command, state, created, status, event);
}

/* From the wait list on. */
SYCLZE_INLINE ze_result_t syclze__command_continue(const struct syclze__command *command,
    struct syclze__submission *submission, syclze_event *event) {
  if (command->prepare != NULL) {
    const struct syclze__status prepared = command->prepare(command);
    if (SYCLZE__UNLIKELY(prepared.result != ZE_RESULT_SUCCESS))
      return syclze__submission_rollback(submission, prepared.result, prepared.rule);
  }
  if (submission->accesses != NULL) syclze__submission_record(submission);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) syclze__command_trace_begin(command, submission);
#endif
  ze_result_t result = command->append(command, submission);
  if (command->kernel != NULL && submission->event != NULL)
    syclze__pending_keep_kernel(submission->event, command->kernel);
  if (SYCLZE__UNLIKELY(!submission->state->is_list) && result == ZE_RESULT_SUCCESS &&
      command->kind != SYCLZE__SUBMISSION_LISTS)
    result = syclze__regular_list_execute(submission->state->queue, submission->list);
  return syclze__submission_end(submission, event, result, "the append failed");
}

SYCLZE_LOCAL ze_result_t syclze__command_append_deferred(
    struct syclze__deferred *deferred, struct syclze__submission *submission) {
  const struct syclze__command *command = (const struct syclze__command *)deferred->command;
  if (command->prepare != NULL) {
    const struct syclze__status prepared = command->prepare(command);
    if (prepared.result != ZE_RESULT_SUCCESS) return prepared.result;
  }
  const ze_result_t result = command->append(command, submission);
  if (submission->state->is_list || result != ZE_RESULT_SUCCESS ||
      command->kind == SYCLZE__SUBMISSION_LISTS)
    return result;
  return syclze__regular_list_execute(submission->state->queue, submission->list);
}

/* A copy of the command for later. */
SYCLZE_LOCAL struct syclze__status syclze__command_copy(const struct syclze__command *command,
    const struct syclze__submission *submission, struct syclze__deferred *deferred) {
  struct syclze__command *copy = (struct syclze__command *)malloc(command->size);
  deferred->command = copy;
  deferred->end = free;
  if (copy == NULL) return syclze__out_of_memory();
  memcpy((void *)copy, (const void *)command, command->size);
  if (command->keep == NULL) return syclze__allowed();
  return command->keep(copy, submission, &deferred->extra);
}

/* From the wait list on, of a command that depends on a host task. */
SYCLZE_LOCAL ze_result_t syclze__command_defer(const struct syclze__command *command,
    struct syclze__submission *submission, syclze_event *event) {
  struct syclze__deferred *deferred = syclze__deferred_create(submission);
  if (deferred == NULL)
    return syclze__submission_rollback(submission, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
        "no memory for a submission after a host task");
  const struct syclze__status copied = syclze__command_copy(command, submission, deferred);
  if (copied.result != ZE_RESULT_SUCCESS) {
    syclze__deferred_free(deferred);
    return syclze__submission_rollback(submission, copied.result, copied.rule);
  }
  deferred->append = syclze__command_append_deferred;
  if (submission->accesses != NULL) syclze__submission_record(submission);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) syclze__command_trace_begin(command, submission);
#endif
  if (command->kernel != NULL) syclze__pending_keep_kernel(submission->event, command->kernel);
  return syclze__deferred_submit(deferred, submission, event);
}

/* A command that was not begun: of a queue that records, or after an error. */
SYCLZE_LOCAL ze_result_t syclze__command_record(syclze_group *group,
    const struct syclze__command *command, struct syclze__submission *submission,
    ze_result_t result, syclze_event *event) {
  const struct syclze__recorded recorded = {
      group, command->kind, command, NULL, NULL, command->kernel};
  if (result != SYCLZE__SUBMISSION_RECORDS) return syclze__submission_fail(submission, result);
  result = syclze__recording_add(&recorded, command->function, event);
  return result == SYCLZE__SUBMISSION_RECORDS ? syclze__command_submit_full(group, command, event)
                                              : result;
}

/* By the whole way. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit_full(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  struct syclze__submission submission;
  syclze__submission_init(&submission, group, command->kind, command->function);
  submission.kernel = command->kernel;
  submission.without_event = event == NULL;
  ze_result_t result = syclze__submission_begin(&submission);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = syclze__submission_gather(&submission, event != NULL);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__command_record(group, command, &submission, result, event);
  if (SYCLZE__UNLIKELY(submission.is_deferred))
    return syclze__command_defer(command, &submission, event);
  return syclze__command_continue(command, &submission, event);
}

/* A command of a group with one requirement, of all of an object. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit_single(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  struct syclze__single single;
  struct syclze__queue_state *state = syclze__single_open(group, event != NULL, &single);
  if (SYCLZE__UNLIKELY(state == NULL)) return syclze__command_submit_full(group, command, event);
  return syclze__command_append_single(group, command, state, &single, event);
}

/* Of a group without requirements. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit_new(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  struct syclze__queue_state *state = syclze__regular_enter(group, command->kind);
  if (SYCLZE__LIKELY(state != NULL)) return syclze__command_execute(group, command, state, event);
  return syclze__command_submit_full(group, command, event);
}

/* Of any other group without events. */
SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit_any(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  struct syclze__queue_state *state = syclze__submission_enter(group, command->kind);
  if (state != NULL) return syclze__command_append(group, command, state, event);
  if (!syclze__group_depends(group)) return syclze__command_submit_new(group, command, event);
  return syclze__command_submit_full(group, command, event);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__command_submit(
    syclze_group *group, const struct syclze__command *command, syclze_event *event) {
  if (event != NULL) event->rep = NULL;
  if (SYCLZE__UNLIKELY(SYCLZE__TRACING_COMMANDS()) || group->event_count != 0)
    return syclze__command_submit_full(group, command, event);
  if (command->kind == SYCLZE__SUBMISSION_COMMAND && syclze__group_is_single(group))
    return syclze__command_submit_single(group, command, event);
  return syclze__command_submit_any(group, command, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
