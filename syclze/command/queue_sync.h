/* Of a queue as a whole: barriers and waiting.
 *
 *     ze_result_t error = syclze_queue_wait(queue);
 */
#ifndef SYCLZE_COMMAND_QUEUE_WORK_H
#define SYCLZE_COMMAND_QUEUE_WORK_H

#include "../queue.h"
#include "copy.h"
#include "../event.h"
#include "detail/host_worker.h"

SYCLZE_EXTERN_C_BEGIN

/* A barrier behind all that the queue was given; `event` may be null. Errors as of
 * syclze_group_barrier. */
SYCLZE_INLINE ze_result_t syclze_queue_submit_barrier(syclze_queue queue, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  return syclze_group_barrier(&group, event);
}

/* Waits until all that the queue was given is done, or its context lost (signal.h). Returns what
 * the wait met, or else the first asynchronous error since the last wait. Not for a host task of
 * the queue. */
SYCLZE_COLD ze_result_t syclze_queue_wait(syclze_queue queue) SYCLZE_LINK_NAME(syclze_queue_wait);

SYCLZE_COLD ze_result_t syclze__queue_wait_impl(syclze_queue queue)
    SYCLZE_LINK_NAME(syclze__queue_wait_impl);

SYCLZE_COLD ze_result_t syclze__queue_wait_impl(syclze_queue queue) {
  syclze_event event;
  ze_result_t result = syclze_queue_submit_barrier(queue, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__event_await(event.rep);
  syclze_event_release(event);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, "syclze_queue_wait",
        "zeEventHostSynchronize failed, or the context is lost", queue.rep->native.queue);
  syclze__workers_wait(queue.rep, &queue.rep->host_tasks);
  return syclze_queue_take_asynchronous_error(queue);
}

SYCLZE_COLD ze_result_t syclze_queue_wait(syclze_queue queue) {
  SYCLZE__RETURN_IF_TRACED(queue_wait, queue);
  return syclze__queue_wait_impl(queue);
}
SYCLZE_INLINE ze_result_t syclze__queue_flush_impl(syclze_queue queue) {
  if (queue.rep != NULL) return ZE_RESULT_SUCCESS;
  return syclze__fail(
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_flush", "the queue is null", NULL);
}

/* Flushes the queue. No-op: submissions are never batched. */
SYCLZE_INLINE ze_result_t syclze_queue_flush(syclze_queue queue) {
  SYCLZE__RETURN_IF_TRACED(queue_flush, queue);
  return syclze__queue_flush_impl(queue);
}

SYCLZE_EXTERN_C_END

#endif
