/* Commands of groups without requirements on command queues: one regular list each, recorded,
 * closed and executed, whose event says when it may be recorded again. */
#ifndef SYCLZE_COMMAND_DETAIL_REGULAR_QUEUE_H
#define SYCLZE_COMMAND_DETAIL_REGULAR_QUEUE_H

#include "submission.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* What a command waits for by the order of its queue alone; null for nothing. With the lock. */
SYCLZE_INLINE struct syclze__event *syclze__regular_wait(struct syclze__queue_state *state) {
  if (state->in_order) return state->after;
  return SYCLZE__LIKELY(state->barrier == NULL) ? NULL : syclze__queue_state_barrier(state);
}

/* The state, locked, of a command queue on which such a command waits for one event at most, which
 * is in a native queue; else null, and no lock. */
SYCLZE_INLINE struct syclze__queue_state *syclze__regular_enter(
    const syclze_group *group, enum syclze__submission_kind kind) {
  if (SYCLZE__UNLIKELY(group->queue == NULL || group->status.result != ZE_RESULT_SUCCESS) ||
      kind != SYCLZE__SUBMISSION_COMMAND || SYCLZE__TRACING_COMMANDS())
    return NULL;
  struct syclze__queue_state *state = syclze__queue_state_get(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL) || state->is_list || syclze__is_forked() ||
      !syclze__lock_try(&state->lock))
    return NULL;
  const uint32_t order = state->in_order ? SYCLZE__OBSTACLE_AFTER : 0;
  if (SYCLZE__LIKELY((state->obstacles & ~order) == SYCLZE__OBSTACLE_KIND)) {
    const struct syclze__event *wait = syclze__regular_wait(state);
    if (SYCLZE__LIKELY(wait == NULL || !syclze__event_is_open(wait))) return state;
  }
  syclze__lock_release(&state->lock);
  return NULL;
}

/* The event of a command, with what it waits for and runs, and an empty list. With the state's
 * lock. ZE_RESULT_NOT_READY: the kernel is not to be had. */
SYCLZE_INLINE ze_result_t syclze__regular_create(struct syclze__queue_state *state,
    struct syclze__kernel *kernel, bool wants_event, struct syclze__event **created) {
  struct syclze__event *wait = syclze__regular_wait(state), *event;
  ze_result_t result = ZE_RESULT_SUCCESS;
  *created = NULL;
  if (kernel != NULL && !syclze__kernel_is_bound_with_event(kernel, state))
    result = syclze__kernel_bind(kernel, state, false);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  event = syclze__pending_take(state, kernel);
  if (event == NULL) result = syclze__pending_create(state, &event);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  if (event->pending.lists != NULL)
    result = SYCLZE__ZE(zeCommandListReset)(event->pending.lists->native);
  else
    result = syclze__regular_list_acquire(state, &event->pending.lists);
  *created = event;
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) {
    syclze__regular_lists_release(state, &event->pending.lists);
    return result;
  }
  event->ref.others = wants_event;
  if (kernel != NULL && event->pending.kernel == NULL) syclze__pending_keep_kernel(event, kernel);
  if (wait != NULL) {
    syclze__ref_retain(&wait->ref);
    event->pending.waits.one = wait;
    event->pending.wait_count = 1;
    event->pending.holds = true;
  }
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
