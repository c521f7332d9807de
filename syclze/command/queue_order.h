/**
 * @file
 * The progress and order of a queue: whether it is empty, its last event, an event before its next
 * command, the wait list of a submission, and profiling tags.
 *
 *     bool empty;
 *     ze_result_t error = syclze_queue_is_empty(queue, &empty);
 *
 * None of the functions waits for work of the queue. Threads: any, for any queue; concurrent
 * submissions of other threads come before or after the call.
 */
#ifndef SYCLZE_COMMAND_QUEUE_ORDER_H
#define SYCLZE_COMMAND_QUEUE_ORDER_H

#include "../queue_commands.h"
#include "queue_sync.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Returns whether all work submitted to the queue is done, host tasks included. A driver with
 * zeCommandListHostSynchronize is queried for an immediate command list, so that the application's
 * own commands in it count; else a barrier is appended, whose event the next call queries.
 *
 * @param[in] queue  Null is an error.
 * @param[out] empty  Not null; false on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `empty` is null.
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the barrier's event.
 * - what zeCommandListAppendBarrier or the creation of an event returns.
 * @see SYCL_EXT_ONEAPI_QUEUE_EMPTY (queue::ext_oneapi_empty)
 */
SYCLZE_COLD ze_result_t syclze_queue_is_empty(syclze_queue queue, bool *empty)
    SYCLZE_LINK_NAME(syclze_queue_is_empty);

/**
 * Returns an event that is signalled when the last work of an in-order queue is done: that of its
 * last submission, or if it has none that of a barrier appended behind it.
 *
 * @param[in] queue  In order; null is an error.
 * @param[out] event  Not null; a reference of the caller's; null, which is complete, if nothing was
 * submitted or all of it is known to be done, and on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `event` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the queue is out of order.
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the barrier's event.
 * - what zeCommandListAppendBarrier or the creation of an event returns.
 * @see SYCL_EXT_ONEAPI_IN_ORDER_QUEUE_EVENTS (queue::ext_oneapi_get_last_event)
 */
SYCLZE_COLD ze_result_t syclze_queue_get_last_event(syclze_queue queue, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_get_last_event);

/**
 * Makes the next submission to an in-order queue wait for an event, and with it all later ones and
 * the queue's wait. Events set one after the other accumulate.
 *
 * @param[in] queue  In order; null is an error.
 * @param[in] event  Of any context; the caller keeps its reference. Null is complete: no effect.
 * @return ZE_RESULT_SUCCESS; as syclze_group_barrier; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the queue is out of order.
 * @see SYCL_EXT_ONEAPI_IN_ORDER_QUEUE_EVENTS (queue::ext_oneapi_set_external_event)
 */
SYCLZE_COLD ze_result_t syclze_queue_set_external_event(syclze_queue queue, syclze_event event)
    SYCLZE_LINK_NAME(syclze_queue_set_external_event);

/**
 * Submits a barrier behind all earlier work of the queue. Its event has times even if the queue
 * lacks the property enable_profiling: syclze_event_get_profiling returns when that work was done.
 *
 * @param[in] queue  Null is an error.
 * @param[out] event  Not null; a reference of the caller's; set to null on failure.
 * @return as syclze_group_barrier, or ZE_RESULT_ERROR_INVALID_NULL_POINTER: `event` is null.
 * @see SYCL_EXT_ONEAPI_PROFILING_TAG (submit_profiling_tag)
 */
SYCLZE_COLD ze_result_t syclze_queue_submit_profiling_tag(syclze_queue queue, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_submit_profiling_tag);

/**
 * Returns the events that a submission to the queue waits for directly. Besides the application's
 * there may be events of the library's own: markers, and those that stand for events of another
 * context.
 *
 * @param[in] queue  Null is an error.
 * @param[in] event  Of the submission. There are no events for null, an event that is not of a
 * submission to the queue, and one that is known to be signalled; nor in the child of a fork.
 * @param[in,out] count  Not null. On entry the capacity of `events`, or 0 to query; on return the
 * number of events, or of those written. 0 after an error.
 * @param[out] events  References of the caller's. May be null if `count` is 0 on entry.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` is null, or `events` with a capacity.
 * @see SYCL 2020 4.6.6.1 (event::get_wait_list)
 */
SYCLZE_COLD ze_result_t syclze_queue_get_wait_list(syclze_queue queue, syclze_event event,
    uint32_t *count, syclze_event *events) SYCLZE_LINK_NAME(syclze_queue_get_wait_list);

SYCLZE_EXTERN_C_END

#include "detail/queue/status.h"

#endif
