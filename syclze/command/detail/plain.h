/* The plain way: one append of a command for which the order of its native list suffices.
 *
 * The command waits for nothing else, accesses no memory object and is not recorded. The queue is
 * locked, the command appended, the queue released: no other lock is taken, and no record is left
 * but the event, where one is wanted. */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_H

#include "append.h"
#include "kernel_use.h"
#include "pending.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Records in the state, which is locked, that a command with an event was appended, and releases
 * it. */
SYCLZE_INLINE void syclze__queue_state_leave(
    struct syclze__queue_state *state, struct syclze__event *event) {
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
    struct syclze__event *event, struct syclze__status status, const char *function) {
  const void *native = state->queue->native.queue;
  syclze__lock_release(&state->lock);
  if (event != NULL) {
    syclze__event_release(event);
    syclze__pending_end(event);
  }
  return syclze__fail(status.result, function, status.rule, native);
}

/* The locked state of the queue, not null, if its native list orders the command and nothing else
 * has to be waited for; else null, and no lock. */
SYCLZE_INLINE struct syclze__queue_state *syclze__plain_enter(
    const struct syclze__queue *queue, const struct syclze__command *command, bool wants_event) {
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (SYCLZE__UNLIKELY(state == NULL)) return NULL;
  /* The barrier of an out-of-order queue orders host tasks too. */
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

/* Prepares and appends. */
SYCLZE_INLINE struct syclze__status syclze__plain_put(
    const struct syclze__command *command, struct syclze__append *at) {
  if (command->table->prepare != NULL) {
    const struct syclze__status prepared = command->table->prepare(command);
    if (SYCLZE__UNLIKELY(prepared.result != ZE_RESULT_SUCCESS)) return prepared;
  }
  return syclze__status_of(command->table->append(command, at), command->table->rule);
}

SYCLZE_INLINE void syclze__plain_init(
    struct syclze__append *at, struct syclze__queue_state *state) {
  at->state = state;
  at->list = state->queue->native.list;
  at->signal = NULL;
  at->waits = NULL;
  at->event = NULL;
  at->wait_count = 0;
  at->depends = at->begun = false;
}

/* Appends the command, with an event, to the native list of the state, and releases the state. */
SYCLZE_LOCAL_WARM ze_result_t syclze__plain_append_event(
    const struct syclze__command *command, struct syclze__queue_state *state, syclze_event *event) {
  struct syclze__append at;
  syclze__plain_init(&at, state);
  struct syclze__status status = syclze__status_of(
      syclze__pending_create(state, command->kernel, &at.event), "no event could be created");
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    at.signal = at.event->native;
    status = syclze__plain_put(command, &at);
  } else
    at.event = NULL;
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(state, at.event, status, command->function);
  /* Otherwise the kernel's last release waits for the list. */
  if (command->kernel != NULL && !syclze__kernel_is_bound(command->kernel, state))
    syclze__pending_keep_kernel(at.event, command->kernel);
  event->rep = at.event;
  syclze__queue_state_leave(state, at.event);
  return ZE_RESULT_SUCCESS;
}

/* The same, without an event where `event` is null. */
SYCLZE_INLINE ze_result_t syclze__plain_append(
    const struct syclze__command *command, struct syclze__queue_state *state, syclze_event *event) {
  if (event != NULL) return syclze__plain_append_event(command, state, event);
  struct syclze__append at;
  syclze__plain_init(&at, state);
  const struct syclze__status status = syclze__plain_put(command, &at);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(state, NULL, status, command->function);
  state->position++;
  syclze__queue_state_unlock(state);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
