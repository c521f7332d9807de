/* The plain way of submission: lock the queue, append the command, release the queue.
 *
 * The command accesses no memory object, is not recorded, and waits only for what commands of the
 * device signal. If the order of the native list suffices, the only record is the event, if one is
 * wanted; else the caller's events and the order of the queue complete the wait list
 * (submission.h). The engine does everything else (engine.h). */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_PLAIN_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_PLAIN_H

#include "engine.h"
#include "submission.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Records in the locked state that a command with an event was appended, and releases the state. */
SYCLZE_INLINE void syclze__queue_state_leave(
    struct syclze__queue_state *state, struct syclze__event *event) {
  SYCLZE__HELD(&state->lock);
  struct syclze__event *done = syclze__queue_state_retire_some(state, event);
  const uint64_t position = ++state->position;
  if (state->driver_in_order) {
    state->marker = event;
    state->marker_position = position;
  }
  syclze__queue_state_keep(state, event);
  syclze__queue_state_unlock(state);
  if (done != NULL) syclze__pendings_retire(done);
}

/* Releases the state after an append that failed, and reports. `event` may be null. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_fail(struct syclze__queue_state *state,
    struct syclze__event *event, struct syclze__status status,
    const struct syclze__command *command) {
  SYCLZE__HELD(&state->lock);
  const void *native = state->queue->native.queue;
  syclze__lock_release(&state->lock);
  if (event != NULL) {
    syclze__event_release(event);
    syclze__pending_end(event);
  }
  return syclze__command_fail(command, command->function, status, native);
}

/* True if native order, that of a list which the driver runs in order, places all of the events,
 * which may be null, before the next command of the queue, which is not null. */
SYCLZE_INLINE bool syclze__plain_follows(const struct syclze__queue *queue,
    const struct syclze__command *command, const syclze_event *waits, uint32_t wait_count) {
  const struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (state == NULL || state->order == 0) return false;
  for (uint32_t i = 0; i < wait_count; i++)
    if (waits[i].rep != NULL &&
        !syclze__submission_follows(command->table->kind, state, waits[i].rep))
      return false;
  return true;
}

/* The locked state of the queue, which is not null, if its native list orders the command, which
 * waits for nothing else; otherwise null, unlocked. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN struct syclze__queue_state *syclze__plain_enter(
    const struct syclze__queue *queue, const struct syclze__command *command, bool wants_event) {
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (SYCLZE__UNLIKELY(state == NULL || !state->is_ordered)) return NULL;
  /* A barrier of an out-of-order queue orders host tasks too. */
  if (SYCLZE__UNLIKELY(command->table->kind == SYCLZE__SUBMISSION_BARRIER && !state->in_order))
    return NULL;
  if (SYCLZE__UNLIKELY(!syclze__lock_try(&state->lock))) return NULL;
  SYCLZE__APART(state);
  if (SYCLZE__LIKELY(state->obstacles == 0) &&
      (command->kernel == NULL || syclze__kernel_is_bound(command->kernel, state) ||
          (wants_event && syclze__kernel_is_bound_with_event(command->kernel, state))))
    return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

/* Prepares and appends the command. */
SYCLZE_INLINE struct syclze__status syclze__plain_put(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__status prepared = syclze__command_prepare(command);
  if (SYCLZE__UNLIKELY(prepared.result != ZE_RESULT_SUCCESS)) return prepared;
  return syclze__status_of(command->table->append(command, at), command->table->rule);
}

/* Appends the command, with an event, to the native list of the state, and releases the state. */
SYCLZE_LOCAL_WARM ze_result_t syclze__plain_append_event(
    const struct syclze__command *command, struct syclze__queue_state *state, syclze_event *event) {
  SYCLZE__HELD(&state->lock);
  struct syclze__append at;
  syclze__append_init(&at, state, state->queue->native.list);
  struct syclze__status status = syclze__status_of(
      syclze__pending_create(state, command->kernel, &at.event), "no event could be created");
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    at.signal = at.event->native;
    status = syclze__plain_put(command, &at);
  } else
    at.event = NULL;
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(state, at.event, status, command);
  /* A bound kernel's last release waits for the list anyway. */
  if (command->kernel != NULL && !syclze__kernel_is_bound(command->kernel, state))
    syclze__pending_keep_kernel(at.event, command->kernel);
  event->rep = at.event;
  syclze__queue_state_leave(state, at.event);
  return ZE_RESULT_SUCCESS;
}

/* Appends the command, with an event unless `event` is null, and releases the state. */
SYCLZE_INLINE ze_result_t syclze__plain_append(
    const struct syclze__command *command, struct syclze__queue_state *state, syclze_event *event) {
  SYCLZE__HELD(&state->lock);
  if (event != NULL) return syclze__plain_append_event(command, state, event);
  struct syclze__append at;
  syclze__append_init(&at, state, state->queue->native.list);
  const struct syclze__status status = syclze__plain_put(command, &at);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(state, NULL, status, command);
  state->position++;
  syclze__queue_state_unlock(state);
  return ZE_RESULT_SUCCESS;
}

/* Rolls the submission back, and reports the error. */
SYCLZE_LOCAL ze_result_t syclze__plain_fail(struct syclze__submission *submission,
    const struct syclze__queue *queue, const struct syclze__command *command,
    struct syclze__status status) {
  if (submission->at.state != NULL)
    syclze__submission_withdraw(submission, status.result);
  else if (status.result == SYCLZE_RESULT_ERROR_INVALID)
    status.rule = SYCLZE__KERNEL_CONTEXT_RULE;
  syclze__wait_list_end(&submission->waits);
  return syclze__command_fail(command, command->function, status, queue->native.queue);
}

/* Adds the events to the wait list. The device cannot wait for one of another context: without an
 * engine, which would wait in the background, the calling thread does. ZE_RESULT_NOT_READY: the
 * engine submits. */
SYCLZE_INLINE ze_result_t syclze__plain_gather(struct syclze__submission *submission,
    const struct syclze__queue *queue, const struct syclze__queue_state *state,
    const syclze_event *waits, uint32_t wait_count) {
  ze_result_t result = syclze__wait_list_reserve(&submission->waits, wait_count);
  for (uint32_t i = 0; i < wait_count && result == ZE_RESULT_SUCCESS; i++) {
    struct syclze__event *event = waits[i].rep;
    if (event == NULL || syclze__submission_follows(submission->kind, state, event)) continue;
    if (SYCLZE__LIKELY(syclze__contexts_are_one(event->context, queue->context)))
      result = syclze__wait_list_add(&submission->waits, event);
    else
      result = syclze__engine_find(queue, &waits[i], 1) != NULL ? ZE_RESULT_NOT_READY
                                                                : syclze__event_await(event);
  }
  submission->at.depends = submission->waits.count != 0;
  return result;
}

/* Completes the wait list, holds the event if one is needed, and appends. ZE_RESULT_NOT_READY: the
 * engine submits. */
SYCLZE_INLINE struct syclze__status syclze__plain_continue(struct syclze__submission *submission,
    const struct syclze__command *command, bool wants_event) {
  const uint32_t engines = SYCLZE__OBSTACLE_LENT | SYCLZE__OBSTACLE_RECORDING;
  ze_result_t result = ZE_RESULT_NOT_READY;
  if (SYCLZE__LIKELY((submission->at.state->obstacles & engines) == 0))
    result = syclze__submission_order(submission);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS) && submission->waits.count != 0 &&
      SYCLZE__UNLIKELY(syclze__wait_list_is_open(&submission->waits)))
    result = ZE_RESULT_NOT_READY;
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS) &&
      (wants_event || syclze__submission_needs_event(submission)))
    result = syclze__submission_hold(submission);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__status_of(result, "no event could be created");
  const struct syclze__status status = syclze__command_prepare(command);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) return status;
  return syclze__command_append(command, &submission->at);
}

/* Records the submission, and releases the queue. `event` may be null. */
SYCLZE_INLINE void syclze__plain_end(struct syclze__submission *submission, syclze_event *event) {
  struct syclze__queue_state *state = submission->at.state;
  SYCLZE__HELD(&state->lock);
  if (submission->at.list != NULL) state->position++;
  if (submission->at.event != NULL) {
    syclze__wait_list_free_arrays(&submission->waits);
    syclze__submission_leave(submission, event);
    return;
  }
  /* A synchronous list has waited for what stood before. */
  if (state->after != NULL) syclze__queue_state_set_after(state, NULL);
  syclze__lock_release(&state->lock);
  syclze__wait_list_end(&submission->waits);
}

/* Submits by the engine what the plain way cannot submit. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN ze_result_t syclze__plain_escalate(
    struct syclze__submission *submission, const struct syclze__engine *engine, syclze_queue queue,
    const struct syclze__command *command, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  if (submission->at.state != NULL) syclze__lock_release(&submission->at.state->lock);
  syclze__wait_list_end(&submission->waits);
  /* The engine may keep the command, whose functions are this image's. */
  if (engine != syclze__image_engine()) syclze__image_stay();
  return engine->submit(queue, command, syclze__allowed(), waits, wait_count, event);
}

/* Submits a command that waits for events, or that its native list alone does not order. */
SYCLZE_LOCAL_WARM ze_result_t syclze__plain_submit(syclze_queue queue,
    const struct syclze__command *command, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  struct syclze__queue_state *state = syclze__queue_state_require(queue.rep);
  struct syclze__submission submission;
  struct syclze__status status = syclze__allowed();
  syclze__submission_init(
      &submission, command->table->kind, command->function, command, event != NULL);
  if (wait_count > 1) syclze__image_attach(&queue.rep->ref.slot);
  if (wait_count != 0)
    status =
        syclze__status_of(syclze__plain_gather(&submission, queue.rep, state, waits, wait_count),
            "an event could not be waited for");
  if (SYCLZE__UNLIKELY(state == NULL)) status = syclze__out_of_memory();
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS))
    status = syclze__status_of(syclze__submission_lock_queue(&submission, state),
        "the kernel could not be bound to the queue");
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    submission.at.state = state;
    if (state->is_list) submission.at.list = queue.rep->native.list;
    status = syclze__plain_continue(&submission, command, event != NULL);
  }
  if (SYCLZE__UNLIKELY(status.result == ZE_RESULT_NOT_READY && submission.at.event == NULL)) {
    /* Without an engine, ZE_RESULT_NOT_READY comes from the driver. */
    const struct syclze__engine *engine = syclze__engine_find(queue.rep, waits, wait_count);
    if (engine != NULL)
      return syclze__plain_escalate(&submission, engine, queue, command, waits, wait_count, event);
  }
  if (command->kernel != NULL && submission.at.event != NULL)
    syclze__pending_keep_kernel(submission.at.event, command->kernel);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__plain_fail(&submission, queue.rep, command, status);
  syclze__plain_end(&submission, event);
  return ZE_RESULT_SUCCESS;
}

/* Checks the arguments of a submission. */
SYCLZE_LOCAL struct syclze__status syclze__plain_check(syclze_queue queue,
    struct syclze__status status, const syclze_event *waits, uint32_t wait_count) {
  if (queue.rep == NULL) return syclze__null_handle("the queue is null");
  if (syclze__is_forked()) return syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS && wait_count != 0 && waits == NULL)
    return syclze__null_pointer("the list of events to wait for is null");
  return status;
}

#if SYCLZE__CHECKED
/* False for an object that was freed, after a diagnostic. */
SYCLZE_LOCAL bool syclze__plain_check_alive(
    syclze_queue queue, const char *function, const syclze_event *waits, uint32_t wait_count) {
  bool alive = queue.rep == NULL || syclze__check_use(queue.rep, function);
  for (uint32_t i = 0; waits != NULL && i < wait_count; i++)
    if (waits[i].rep != NULL && !syclze__check_use(waits[i].rep, function)) alive = false;
  return alive;
}
#endif

/* Submits a command of a queue that is traced or checked, or fails. */
SYCLZE_LOCAL ze_result_t syclze__queue_submit_other(syclze_queue queue,
    const struct syclze__command *command, struct syclze__status status, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
#if SYCLZE__CHECKED
  if (!syclze__plain_check_alive(queue, command->function, waits, wait_count))
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, command->function,
        "an object is used after its last release: see the diagnostic", NULL);
#endif
  status = syclze__plain_check(queue, status, waits, wait_count);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__command_fail(
        command, command->function, status, queue.rep != NULL ? queue.rep->native.queue : NULL);
  if (SYCLZE__TRACING_COMMANDS())
    return syclze__image_engine()->submit(queue, command, status, waits, wait_count, event);
  return syclze__plain_submit(queue, command, waits, wait_count, event);
}

/* Submits a command of a queue. `status` is the result of checking its arguments; `event` may be
 * null. */
SYCLZE_LOCAL_WARM ze_result_t syclze__queue_submit(syclze_queue queue,
    const struct syclze__command *command, struct syclze__status status, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  if (event != NULL) event->rep = NULL;
  if (SYCLZE__CHECKED || SYCLZE__TRACING_COMMANDS() ||
      SYCLZE__UNLIKELY(queue.rep == NULL || status.result != ZE_RESULT_SUCCESS))
    return syclze__queue_submit_other(queue, command, status, waits, wait_count, event);
  if (SYCLZE__LIKELY(wait_count == 0) ||
      (waits != NULL && syclze__plain_follows(queue.rep, command, waits, wait_count))) {
    struct syclze__queue_state *state = syclze__plain_enter(queue.rep, command, event != NULL);
    if (SYCLZE__LIKELY(state != NULL)) return syclze__plain_append(command, state, event);
  }
  if (SYCLZE__UNLIKELY(syclze__is_forked() || (wait_count != 0 && waits == NULL)))
    return syclze__queue_submit_other(queue, command, status, waits, wait_count, event);
  return syclze__plain_submit(queue, command, waits, wait_count, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
