/* The host's part of event_sync.h. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_EVENT_SYNC_H
#define SYCLZE_COMMAND_DETAIL_HOST_EVENT_SYNC_H

#include "../../../detail/objects/event_wait_for.h"
#include "../../event_sync.h"
#include "../commands/event_signal.h"
#include "../commands/own_event.h"
#include "../commands/queue_wait.h"
#include "worker_task.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Calls a function of Level Zero on an event of the application. */
SYCLZE_LOCAL ze_result_t syclze__event_control(syclze_event event,
    ze_result_t(ZE_APICALL *control)(ze_event_handle_t), const char *function, const char *rule) {
  struct syclze__status status = syclze__event_check_own(event);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(control(event.rep->native), rule);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(
      status.result, function, status.rule, event.rep != NULL ? event.rep->native : NULL);
}

SYCLZE_COLD ze_result_t syclze_event_signal(syclze_event event) {
  SYCLZE__CHECK_USE(event, "syclze_event_signal", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__event_control(
      event, SYCLZE__ZE(zeEventHostSignal), "syclze_event_signal", "zeEventHostSignal failed");
}

SYCLZE_COLD ze_result_t syclze_event_reset(syclze_event event) {
  SYCLZE__CHECK_USE(event, "syclze_event_reset", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__event_control(
      event, SYCLZE__ZE(zeEventHostReset), "syclze_event_reset", "zeEventHostReset failed");
}

SYCLZE_COLD ze_result_t syclze_event_wait_for(syclze_event event, uint64_t nanoseconds) {
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  if (nanoseconds == UINT64_MAX) return syclze_event_wait(event);
  SYCLZE__CHECK_USE(event, "syclze_event_wait_for", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__event_await_until(event.rep, syclze__deadline_of(nanoseconds));
}

SYCLZE_COLD ze_result_t syclze_events_wait_for(
    const syclze_event *events, uint32_t count, uint64_t nanoseconds) {
  if (nanoseconds == UINT64_MAX) return syclze_events_wait(events, count);
  if (events == NULL && count != 0)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_events_wait_for",
        "the list of events is null", NULL);
  const uint64_t deadline = syclze__deadline_of(nanoseconds);
  ze_result_t first = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    if (events[i].rep == NULL) continue;
    SYCLZE__CHECK_USE(events[i], "syclze_events_wait_for", SYCLZE_RESULT_ERROR_INVALID);
    const ze_result_t result = syclze__event_await_until(events[i].rep, deadline);
    if (first == ZE_RESULT_SUCCESS || first == ZE_RESULT_NOT_READY)
      first = result != ZE_RESULT_SUCCESS ? result : first;
  }
  return first;
}

SYCLZE_COLD ze_result_t syclze_queue_wait_for(syclze_queue queue, uint64_t nanoseconds) {
  syclze_event event;
  if (nanoseconds == UINT64_MAX || queue.rep == NULL || syclze__queue_records(queue.rep))
    return syclze_queue_wait(queue);
  const uint64_t deadline = syclze__deadline_of(nanoseconds);
  ze_result_t result = syclze_queue_submit_barrier(queue, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__event_await_until(event.rep, deadline);
  syclze__event_release_impl(event);
  if (result == ZE_RESULT_NOT_READY) return result;
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, "syclze_queue_wait_for", syclze__wait_rule(queue.rep->context),
        queue.rep->native.queue);
  return syclze_queue_take_asynchronous_error(queue);
}

/* A callback of the application that waits for an event. */
struct syclze__event_callback {
  struct syclze__task task;    /* first */
  struct syclze__event *event; /* with a reference; null for one that is complete */
  syclze_event_function function;
  void *argument;
};

SYCLZE_LOCAL ze_result_t syclze__event_callback_wait(
    struct syclze__task *task, uint64_t nanoseconds) {
  const struct syclze__event *event = ((struct syclze__event_callback *)(void *)task)->event;
  if (event == NULL) return ZE_RESULT_SUCCESS;
  return syclze__task_await(task, event->native, event->context, nanoseconds);
}

SYCLZE_LOCAL void syclze__event_callback_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__event_callback *callback = (struct syclze__event_callback *)(void *)task;
  const struct syclze__event_callback called = *callback;
  free(callback);
  called.function(called.argument, result);
  if (called.event != NULL) syclze__event_release(called.event);
}

SYCLZE_LOCAL struct syclze__status syclze__event_callback_start(
    syclze_event event, syclze_event_function function, void *argument) {
  struct syclze__event_callback *callback =
      (struct syclze__event_callback *)calloc(1, sizeof *callback);
  if (callback == NULL) return syclze__out_of_memory();
  callback->task.wait = syclze__event_callback_wait;
  callback->task.run = syclze__event_callback_run;
  callback->task.is_application = true;
  callback->event = event.rep;
  callback->function = function;
  callback->argument = argument;
  if (event.rep != NULL) syclze__ref_retain(&event.rep->ref);
  const ze_result_t result = syclze__workers_submit(&callback->task);
  if (result == ZE_RESULT_SUCCESS) return syclze__allowed();
  if (event.rep != NULL) syclze__event_release(event.rep);
  free(callback);
  return syclze__status_of(result, "no thread of the library could be created");
}

SYCLZE_COLD ze_result_t syclze_event_on_complete(
    syclze_event event, syclze_event_function function, void *argument) {
  struct syclze__status status = syclze__check_fork();
  if (event.rep != NULL)
    SYCLZE__CHECK_USE(event, "syclze_event_on_complete", SYCLZE_RESULT_ERROR_INVALID);
  if (function == NULL)
    status = syclze__null_pointer("the function is null");
  else if (event.rep != NULL && syclze__event_is_recorded(event.rep))
    status = syclze__invalid("sycl_ext_oneapi_graph: the event is of a command group that was "
                             "recorded to a graph, and has no end");
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__event_callback_start(event, function, argument);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, "syclze_event_on_complete", status.rule,
      event.rep != NULL ? event.rep->native : NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
