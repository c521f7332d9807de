/* The times of runs. They begin when the device signals a second native event, which the native
 * event of a run keeps from its first run on. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_TIMES_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_TIMES_H

#include "finalize.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Hides the event's times for a graph without times: they would be those of the command that
 * signals it. */
SYCLZE_INLINE void syclze__graph_hide_times(
    const struct syclze__executable *executable, const syclze_event *event) {
  if (executable->is_timed || event == NULL || event->rep == NULL || event->rep->pooled == NULL)
    return;
  if (SYCLZE__UNLIKELY(event->rep->pooled->kind & SYCLZE__EVENT_TIMESTAMP))
    event->rep->host_end = SYCLZE__NO_TIMES;
}

/* True if the submission must begin with syclze__graph_times_begin. */
SYCLZE_INLINE bool syclze__graph_takes_times(
    const struct syclze__executable *executable, const struct syclze__append *at) {
  return SYCLZE__UNLIKELY(executable->is_timed) && at->event != NULL &&
         (at->event->pooled->kind & SYCLZE__EVENT_TIMESTAMP) != 0;
}

/* Creates or resets the native event of the begin of a run that ends with the event. */
SYCLZE_LOCAL ze_result_t syclze__graph_times_require(const struct syclze__event *event) {
  struct syclze__native_event *pooled = event->pooled;
  struct syclze__event *taken;
  if (pooled->since != NULL) return SYCLZE__ZE(zeEventHostReset)(pooled->since->native);
  const ze_result_t result =
      syclze__event_acquire(event->context, (enum syclze__event_kind)pooled->kind, &taken);
  if (result != ZE_RESULT_SUCCESS) return result;
  /* The native event stays with the other one, without an object. */
  pooled->since = taken->pooled;
  pooled->since->object = NULL;
  SYCLZE__CHECK_UNWRAPPED(taken->native);
  taken->ref.others = -1;
  return syclze__event_free(taken);
}

/* Appends the run's waits to the list; the times begin behind them. */
SYCLZE_LOCAL ze_result_t syclze__graph_times_begin(
    const struct syclze__append *at, ze_command_list_handle_t list) {
  struct syclze__event *event = at->event;
  ze_result_t result = syclze__graph_times_require(event);
  if (result == ZE_RESULT_SUCCESS)
    result =
        syclze__list_append_barrier(list, event->pooled->since->native, at->wait_count, at->waits);
  if (result == ZE_RESULT_SUCCESS) event->host_end = SYCLZE__TIMES_SINCE;
  return result;
}

SYCLZE_INLINE ze_result_t syclze__graph_append_list(
    struct syclze__executable *executable, const struct syclze__append *at) {
  return executable->append(at->list, 1, &executable->list, at->signal, at->wait_count, at->waits);
}

/* Appends a run to an immediate list behind the begin of its times. */
SYCLZE_LOCAL ze_result_t syclze__graph_append_timed(
    struct syclze__executable *executable, struct syclze__append *at) {
  ze_result_t result = syclze__graph_times_begin(at, at->list);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__append behind = *at;
  behind.waits = &at->event->pooled->since->native;
  behind.wait_count = 1;
  at->begun = true;
  result = syclze__graph_append_list(executable, &behind);
  if (result != ZE_RESULT_SUCCESS) at->event->host_end = 0;
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#include "run_behind.h"

#endif
