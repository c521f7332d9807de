/* Bodies of queue_order.h. */
#ifndef SYCLZE_COMMAND_DETAIL_QUEUE_STATUS_H
#define SYCLZE_COMMAND_DETAIL_QUEUE_STATUS_H

#include "../../queue_order.h"
#include "../commands/queue_sync.h"

SYCLZE_EXTERN_C_BEGIN

/* syclze_queue_is_empty without tracing. Neither the queue nor the pointer is null. */
SYCLZE_COLD ze_result_t syclze__queue_is_empty_impl(syclze_queue queue, bool *empty)
    SYCLZE_LINK_NAME(syclze__queue_is_empty_impl);

#if SYCLZE__BODIES

/* Checks a queue and the pointer to a result. */
SYCLZE_LOCAL struct syclze__status syclze__check_order(syclze_queue queue, const void *result) {
  if (result == NULL) return syclze__null_pointer("the result's pointer is null");
  if (queue.rep == NULL) return syclze__null_handle("the queue is null");
  return syclze__check_fork();
}

SYCLZE_LOCAL ze_result_t syclze__order_fail(
    syclze_queue queue, struct syclze__status status, const char *function) {
  return syclze__fail(
      status.result, function, status.rule, queue.rep != NULL ? queue.rep->native.queue : NULL);
}

/* Queries if all of the native list's work is done, while no submission is pending. A list whose
 * marker is done may have commands of the application's own behind that. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_is_done(
    struct syclze__queue_state *state, bool *done) {
  SYCLZE__HELD(&state->lock);
  *done = !state->is_list || state->is_synchronous;
  if (*done) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__list_query(state->queue);
  if (result == ZE_RESULT_NOT_READY) return ZE_RESULT_SUCCESS;
  if (result == ZE_RESULT_SUCCESS)
    state->marker_position = state->position;
  else
    result = state->marker_position != state->position ? syclze__queue_state_mark(state)
                                                       : ZE_RESULT_SUCCESS;
  *done = result == ZE_RESULT_SUCCESS &&
          (state->marker == NULL || syclze__event_is_signalled(state->marker));
  return result;
}

SYCLZE_COLD ze_result_t syclze__queue_is_empty_impl(syclze_queue queue, bool *empty) {
  struct syclze__queue_state *state = syclze__queue_state_get(queue.rep);
  void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(help != NULL)) help();
  if (SYCLZE__UNLIKELY(state == NULL)) {
    *empty = queue.rep->native.kind != SYCLZE_NATIVE_QUEUE_LIST ||
             syclze__list_query(queue.rep) != ZE_RESULT_NOT_READY;
    return result;
  }
  syclze__lock_acquire(&state->lock);
  struct syclze__event *done = syclze__queue_state_retire(state, UINT32_MAX);
  if (state->first == NULL) result = syclze__queue_state_is_done(state, empty);
  syclze__queue_state_unlock(state);
  syclze__pendings_retire(done);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__order_fail(queue,
      syclze__status_of(result, syclze__cause(result, "zeCommandListAppendBarrier failed")),
      "syclze_queue_is_empty");
}

SYCLZE_COLD ze_result_t syclze_queue_is_empty(syclze_queue queue, bool *empty) {
  const struct syclze__status status = syclze__check_order(queue, empty);
  if (empty != NULL) *empty = false;
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__order_fail(queue, status, "syclze_queue_is_empty");
  SYCLZE__RETURN_IF_TRACED(queue_is_empty, queue, empty);
  return syclze__queue_is_empty_impl(queue, empty);
}

SYCLZE_LOCAL struct syclze__status syclze__check_in_order(
    syclze_queue queue, const void *result, const char *rule) {
  const struct syclze__status status = syclze__check_order(queue, result);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (queue.rep->properties.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) return status;
  return syclze__invalid(rule);
}

SYCLZE_LOCAL struct syclze__status syclze__check_executes(const struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  if (!syclze__queue_state_records(state)) return syclze__allowed();
  return syclze__invalid("sycl_ext_oneapi_graph: the queue records to a graph, and executes "
                         "nothing");
}

/* Returns the event of the last submission, or a marker behind it; null if all is known to be done.
 */
SYCLZE_LOCAL ze_result_t syclze__queue_state_last(
    struct syclze__queue_state *state, struct syclze__event **event) {
  SYCLZE__HELD(&state->lock);
  ze_result_t result = ZE_RESULT_SUCCESS;
  *event = state->after;
  if (*event == NULL && state->driver_in_order) {
    result = syclze__queue_state_mark(state);
    *event = state->marker;
  }
  if (result == ZE_RESULT_SUCCESS && *event != NULL) syclze__ref_retain(&(*event)->ref);
  return result;
}

SYCLZE_COLD ze_result_t syclze_queue_get_last_event(syclze_queue queue, syclze_event *event) {
  struct syclze__status status = syclze__check_in_order(queue, event,
      "SYCL_EXT_ONEAPI_IN_ORDER_QUEUE_EVENTS: an out-of-order queue has no last event");
  struct syclze__queue_state *state;
  if (event != NULL) event->rep = NULL;
  if (status.result == ZE_RESULT_SUCCESS) {
    struct syclze__event *last = NULL;
    state = syclze__queue_state_get(queue.rep);
    if (state == NULL) return ZE_RESULT_SUCCESS;
    syclze__lock_acquire(&state->lock);
    status = syclze__check_executes(state);
    if (status.result == ZE_RESULT_SUCCESS) {
      const ze_result_t result = syclze__queue_state_last(state, &last);
      status =
          syclze__status_of(result, syclze__cause(result, "zeCommandListAppendBarrier failed"));
    }
    syclze__queue_state_unlock(state);
    if (status.result == ZE_RESULT_SUCCESS) event->rep = last;
  }
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__order_fail(queue, status, "syclze_queue_get_last_event");
}

SYCLZE_COLD ze_result_t syclze_queue_set_external_event(syclze_queue queue, syclze_event event) {
  const struct syclze__status status = syclze__check_in_order(queue, &queue,
      "SYCL_EXT_ONEAPI_IN_ORDER_QUEUE_EVENTS: an out-of-order queue has no next command");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__order_fail(queue, status, "syclze_queue_set_external_event");
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  syclze_group group = syclze__group_begin(queue);
  syclze_group_depends_on(&group, event);
  return syclze_group_barrier(&group, NULL);
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL void syclze__tag_trace(
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  (void)command;
  trace->command.is_tag = true;
}
#endif

/* Turns timestamps of the queue's events on or off. */
SYCLZE_LOCAL void syclze__queue_state_profile(struct syclze__queue_state *state, bool begins) {
  syclze__lock_acquire(&state->lock);
  state->tags += begins ? 1u : UINT32_MAX;
  if (state->tags != 0)
    state->event_kind |= SYCLZE__EVENT_TIMESTAMP;
  else
    syclze__queue_state_set_kind(state);
  syclze__queue_state_unlock(state);
}

SYCLZE_COLD ze_result_t syclze_queue_submit_profiling_tag(syclze_queue queue, syclze_event *event) {
  struct syclze__status status = syclze__check_order(queue, event);
  static const struct syclze__command_table table = SYCLZE__COMMAND_TABLE(struct syclze__command,
      SYCLZE__SUBMISSION_BARRIER, "zeCommandListAppendBarrier failed",
      "sycl_ext_oneapi_graph: the queue records to a graph, and a tag has no time there", NULL,
      NULL, syclze__barrier_append, NULL, NULL, syclze__tag_trace);
  const struct syclze__command tag = {&table, "syclze_queue_submit_profiling_tag", NULL};
  struct syclze__queue_state *state = NULL;
  if (event != NULL) event->rep = NULL;
  if (status.result == ZE_RESULT_SUCCESS) {
    state = syclze__queue_state_require(queue.rep);
    if (state == NULL) status = syclze__out_of_memory();
  }
  if (state == NULL) return syclze__order_fail(queue, status, "syclze_queue_submit_profiling_tag");
  syclze_group group = syclze__group_begin(queue);
  syclze__queue_state_profile(state, true);
  const ze_result_t result = syclze__command_submit(&group, &tag, event);
  syclze__queue_state_profile(state, false);
  return result;
}

SYCLZE_COLD ze_result_t syclze_queue_get_wait_list(
    syclze_queue queue, syclze_event event, uint32_t *count, syclze_event *events) {
  const char *const function = "syclze_queue_get_wait_list";
  const uint32_t capacity = count != NULL ? *count : 0;
  struct syclze__queue_state *state;
  if (count != NULL) *count = 0;
  if (queue.rep == NULL)
    return syclze__order_fail(queue, syclze__null_handle("the queue is null"), function);
  if (count == NULL || (events == NULL && capacity != 0))
    return syclze__order_fail(
        queue, syclze__null_pointer("the pointer of the count or of the events is null"), function);
  if (event.rep != NULL && syclze__event_is_recorded(event.rep))
    return syclze__order_fail(queue,
        syclze__invalid("sycl_ext_oneapi_graph: the event is of a command group that was recorded "
                        "to a graph, and waits for nothing"),
        function);
  state = syclze__queue_state_get(queue.rep);
  if (state == NULL || event.rep == NULL || syclze__is_forked()) return ZE_RESULT_SUCCESS;
  syclze__lock_acquire(&state->lock);
  struct syclze__event *pending = state->first;
  while (pending != NULL && pending != event.rep)
    pending = pending->pending.next;
  if (pending != NULL) {
    struct syclze__event *const *waits = syclze__pending_waits(pending);
    *count = pending->pending.wait_count;
    if (capacity != 0 && *count > capacity) *count = capacity;
    for (uint32_t i = 0; i < *count && capacity != 0; i++) {
      syclze__ref_retain(&waits[i]->ref);
      events[i].rep = waits[i];
    }
  }
  syclze__queue_state_unlock(state);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
