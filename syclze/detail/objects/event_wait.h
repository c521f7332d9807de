/* Waits for events, and their status. */
#ifndef SYCLZE_DETAIL_OBJECTS_EVENT_WAIT_H
#define SYCLZE_DETAIL_OBJECTS_EVENT_WAIT_H

#include "event.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum { SYCLZE__EVENT_SLICE = 100000000 }; /* nanoseconds between checks of the context */

/* The error by which the context is lost, or ZE_RESULT_SUCCESS. */
SYCLZE_LOCAL ze_result_t syclze__context_lost(const struct syclze__context *context) {
  const struct syclze__event_pools *pools =
      context != NULL ? syclze__event_pools_there(context) : NULL;
  const uint32_t lost = pools != NULL ? __atomic_load_n(&pools->lost, __ATOMIC_ACQUIRE) : 0;
  return (ze_result_t)lost; /* 0 is ZE_RESULT_SUCCESS */
}

/* The rule for a failed wait in the context. */
SYCLZE_LOCAL const char *syclze__wait_rule(const struct syclze__context *context) {
  return syclze__context_lost(context) != ZE_RESULT_SUCCESS ? "the context is lost"
                                                            : "zeEventHostSynchronize failed";
}

/* Marks the event as signalled: later submissions need not wait for it. */
SYCLZE_INLINE void syclze__event_set_done(struct syclze__event *event) {
  if (event->pending.is_listed)
    __atomic_store_n(&event->order, SYCLZE__ORDER_DONE, __ATOMIC_RELAXED);
}

SYCLZE_COLD ze_result_t syclze__event_await(struct syclze__event *event) {
  ze_result_t result;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  if (SYCLZE__UNLIKELY(syclze__event_is_recorded(event)))
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_event_wait",
        "sycl_ext_oneapi_graph: the event is of a command group that was recorded to a graph, and "
        "has no end to wait for",
        event->native);
  do {
    void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
    if (SYCLZE__UNLIKELY(help != NULL)) help();
    result = SYCLZE__ZE(zeEventHostSynchronize)(event->native, SYCLZE__EVENT_SLICE);
    if (result == ZE_RESULT_SUCCESS) syclze__event_set_done(event);
    if (result != ZE_RESULT_NOT_READY) return result;
    result = syclze__context_lost(event->context);
  } while (result == ZE_RESULT_SUCCESS);
  return result;
}

SYCLZE_COLD ze_result_t syclze_events_wait(const syclze_event *events, uint32_t count) {
  ze_result_t first = ZE_RESULT_SUCCESS;
  if (events == NULL && count != 0)
    return syclze__fail_pointer("syclze_events_wait", "the list of events is null");
  for (uint32_t i = 0; i < count; i++) {
    first = syclze__first_error(first, syclze_event_wait(events[i]));
  }
  return first;
}

SYCLZE_COLD ze_result_t syclze__event_get_status_impl(
    syclze_event event, syclze_event_status *status) {
  const char *const function = "syclze_event_get_status";
  void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
  ze_result_t result = ZE_RESULT_ERROR_UNINITIALIZED;
  SYCLZE__CHECK_USE(event, function, SYCLZE_RESULT_ERROR_INVALID);
  if (syclze__event_is_recorded(event.rep))
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
        "sycl_ext_oneapi_graph: the event is of a command group that was recorded to a graph, and "
        "has no status",
        event.rep->native);
  if (SYCLZE__UNLIKELY(help != NULL)) help();
  if (!syclze__is_forked()) result = SYCLZE__ZE(zeEventQueryStatus)(event.rep->native);
  if (result == ZE_RESULT_SUCCESS) *status = SYCLZE_EVENT_STATUS_COMPLETE;
  if (result == ZE_RESULT_NOT_READY) return syclze__context_lost(event.rep->context);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__fail(result, function, "zeEventQueryStatus failed", event.rep->native);
}

SYCLZE_COLD ze_result_t syclze_event_get_status(syclze_event event, syclze_event_status *status) {
  if (status == NULL)
    return syclze__fail_pointer("syclze_event_get_status", "the result's pointer is null");
  *status = event.rep == NULL ? SYCLZE_EVENT_STATUS_COMPLETE : SYCLZE_EVENT_STATUS_SUBMITTED;
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__RETURN_IF_TRACED(event_get_status, event, status);
  return syclze__event_get_status_impl(event, status);
}

#endif

SYCLZE_EXTERN_C_END

#endif
