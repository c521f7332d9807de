/* Waits for queues. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_QUEUE_WAIT_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_QUEUE_WAIT_H

#include "barrier.h"
#include "../../../queue_commands.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD ze_result_t syclze__queue_wait_impl(syclze_queue queue)
    SYCLZE_LINK_NAME(syclze__queue_wait_impl);

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_queue_submit_barrier(syclze_queue queue, syclze_event *event) {
  const struct syclze__command barrier = syclze__barrier_of("syclze_queue_submit_barrier");
  return syclze__queue_submit(queue, &barrier, syclze__allowed(), NULL, 0, event);
}

/* Waits for the event of a barrier. */
SYCLZE_LOCAL ze_result_t syclze__queue_wait_by_event(syclze_queue queue) {
  syclze_event event;
  ze_result_t result = syclze_queue_submit_barrier(queue, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__event_await(event.rep);
  syclze__event_release_impl(event);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, "syclze_queue_wait", syclze__wait_rule(queue.rep->context),
        queue.rep->native.queue);
  syclze__queue_state_await_tasks(syclze__queue_state_get(queue.rep));
  return syclze_queue_take_asynchronous_error(queue);
}

/* True if the host signals no pending submission; those that are done have been retired then. */
SYCLZE_LOCAL bool syclze__queue_state_is_native(struct syclze__queue_state *state) {
  struct syclze__event *done = NULL;
  syclze__lock_acquire(&state->lock);
  const bool is_native = !state->has_host_work;
  if (is_native) done = syclze__queue_state_retire(state, UINT32_MAX);
  syclze__lock_release(&state->lock);
  if (done != NULL) syclze__pendings_retire(done);
  return is_native;
}

/* The number of pending submissions if the host may signal one of them; else 0. */
SYCLZE_INLINE uint32_t syclze__queue_state_host_count(const struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  uint32_t count = 0;
  bool is_host = false;
  if (!state->has_host_work) return 0;
  for (const struct syclze__event *event = state->first; event != NULL; count++) {
    is_host |= event->pending.is_host;
    event = event->pending.next;
  }
  return is_host ? count : 0;
}

/* Retires completed submissions. Returns, with a reference, the last submission of an in-order
 * queue, or else the oldest; null if the host signals none, or `left` is 0. A `left` of UINT32_MAX
 * becomes the number of pending submissions, so that the loop ends while others submit. */
SYCLZE_LOCAL struct syclze__event *syclze__queue_state_host_work(
    struct syclze__queue_state *state, uint32_t *left) {
  struct syclze__event *event = NULL;
  syclze__lock_acquire(&state->lock);
  struct syclze__event *done = syclze__queue_state_retire(state, UINT32_MAX);
  if (SYCLZE__UNLIKELY(state->after != NULL) && state->in_order &&
      !syclze__event_is_open(state->after) && syclze__event_is_signalled(state->after))
    syclze__queue_state_set_after(state, NULL);
  if (*left == UINT32_MAX) *left = syclze__queue_state_host_count(state);
  if (*left > 0) {
    event = state->in_order ? state->after : state->first;
    *left = state->in_order ? 0 : *left - 1;
    if (event != NULL) syclze__ref_retain(&event->ref);
  }
  syclze__lock_release(&state->lock);
  if (done != NULL) syclze__pendings_retire(done);
  return event;
}

/* Waits for submissions that the host signals, without a barrier, which would be deferred. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_await_host(struct syclze__queue_state *state) {
  struct syclze__event *event;
  ze_result_t result = ZE_RESULT_SUCCESS;
  uint32_t left = UINT32_MAX;
  while (result == ZE_RESULT_SUCCESS &&
         (event = syclze__queue_state_host_work(state, &left)) != NULL) {
    result = syclze__event_await(event);
    syclze__event_release(event);
  }
  return result;
}

/* Waits for all work of the native queue, the application's own included. */
SYCLZE_INLINE ze_result_t syclze__native_queue_synchronize(const syclze_native_queue *native) {
  __typeof__(SYCLZE__STATE.entry.command_list_synchronize) synchronize =
      SYCLZE__ENTRY(command_list_synchronize);
  if (SYCLZE__UNLIKELY(native->kind == SYCLZE_NATIVE_QUEUE_QUEUE))
    return SYCLZE__ZE(zeCommandQueueSynchronize)(native->queue, SYCLZE__EVENT_SLICE);
  return SYCLZE__LIKELY(synchronize != NULL) ? synchronize(native->list, SYCLZE__EVENT_SLICE)
                                             : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

/* Completes a wait after the one for the native queue returned `result`. `state` may be null. */
SYCLZE_LOCAL ze_result_t syclze__queue_wait_on(
    syclze_queue queue, struct syclze__queue_state *state, ze_result_t result) {
  while (result == ZE_RESULT_NOT_READY &&
         syclze__context_lost(queue.rep->context) == ZE_RESULT_SUCCESS) {
    void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
    if (help != NULL) help();
    result = syclze__native_queue_synchronize(&queue.rep->native);
  }
  /* A driver may lack the loader's function. In a lost context the event's wait returns the
   * cause. */
  if (result != ZE_RESULT_SUCCESS) return syclze__queue_wait_by_event(queue);
  if (state != NULL && __atomic_load_n(&state->holds, __ATOMIC_RELAXED) >= SYCLZE__TASK_HOLD)
    syclze__queue_state_await_tasks(state);
  return syclze_queue_take_asynchronous_error(queue);
}

/* `queue` is not null. */
SYCLZE_LOCAL ze_result_t syclze__queue_wait_any(syclze_queue queue) {
  struct syclze__queue_state *state = syclze__queue_state_get(queue.rep);
  void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
  if (state != NULL && syclze__queue_state_records(state))
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_wait",
        "sycl_ext_oneapi_graph: the queue records to a graph, and has no work to wait for",
        queue.rep->native.queue);
  if (SYCLZE__TRACING_COMMANDS() || syclze__is_forked() ||
      (state != NULL && state->waits_apart && !state->is_synchronous))
    return syclze__queue_wait_by_event(queue);
  if (state != NULL && !syclze__queue_state_is_native(state) &&
      syclze__queue_state_await_host(state) != ZE_RESULT_SUCCESS)
    return syclze__queue_wait_by_event(queue);
  if (state != NULL ? state->is_synchronous : syclze__list_is_synchronous(queue.rep))
    return syclze__queue_wait_on(queue, state, ZE_RESULT_SUCCESS);
  if (help != NULL) help();
  return syclze__queue_wait_on(queue, state, syclze__native_queue_synchronize(&queue.rep->native));
}

/* Waits once for the native queue, without the lock, if no submission with an event is pending. */
SYCLZE_COLD ze_result_t syclze__queue_wait_impl(syclze_queue queue) {
  struct syclze__queue_state *state;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(queue.rep == NULL)) return syclze__queue_wait_by_event(queue);
  SYCLZE__CHECK_WAIT(queue.rep, "syclze_queue_wait", SYCLZE_RESULT_ERROR_INVALID);
  state = syclze__queue_state_get(queue.rep);
  if (SYCLZE__UNLIKELY(state == NULL || syclze__queue_state_records(state) ||
                       __atomic_load_n(&state->first, __ATOMIC_RELAXED) != NULL ||
                       __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED) != NULL ||
                       SYCLZE__TRACING_COMMANDS() || syclze__is_forked()))
    return syclze__queue_wait_any(queue);
  if (SYCLZE__LIKELY(!state->waits_apart))
    result = syclze__native_queue_synchronize(&queue.rep->native);
  else if (!state->is_synchronous)
    return syclze__queue_wait_any(queue);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS ||
                       __atomic_load_n(&state->holds, __ATOMIC_RELAXED) >= SYCLZE__TASK_HOLD))
    return syclze__queue_wait_on(queue, state, result);
  return syclze_queue_take_asynchronous_error(queue);
}

SYCLZE_COLD ze_result_t syclze_queue_wait(syclze_queue queue) {
  SYCLZE__RETURN_IF_TRACED(queue_wait, queue);
  return syclze__queue_wait_impl(queue);
}

#endif

SYCLZE_EXTERN_C_END

#endif
