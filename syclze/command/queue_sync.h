/**
 * @file
 * Barriers of command groups, and submission with a fallback queue.
 *
 *     ze_result_t error = syclze_group_barrier(&group, NULL);
 *
 * Threads: any thread, for any queue.
 */
#ifndef SYCLZE_COMMAND_QUEUE_SYNC_H
#define SYCLZE_COMMAND_QUEUE_SYNC_H

#include "../queue.h"
#include "group.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Submits a barrier: later work of the queue waits for the group's requirements, or without any for
 * all earlier work of the queue.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[out] event  Of the barrier, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeCommandListAppendBarrier or the creation of an event returns.
 *
 * After an error nothing is submitted.
 * @see SYCL_EXT_ONEAPI_ENQUEUE_BARRIER (handler::ext_oneapi_barrier)
 */
SYCLZE_COLD ze_result_t syclze_group_barrier(syclze_group *group, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_barrier);

/**
 * A command group function: it adds requirements to a group that has begun, ends it by one
 * submission, to which it passes `event`, and returns the submission's result. It may run twice.
 */
typedef ze_result_t (*syclze_command_group_function)(
    syclze_group *group, void *argument, syclze_event *event);

/**
 * Submits by a function, with a fallback: if it fails on the first queue, it is called again for
 * the second, and interop handles are those of the second queue. Errors after a successful
 * submission are asynchronous errors of its queue, without a fallback.
 *
 * @param[in] queue  The first queue.
 * @param[in] secondary  The second; may be null for none.
 * @param[in] function  Null is an error.
 * @param[in] argument  Passed to `function`; may be null.
 * @param[out] event  Of the submission, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return what `function` returned last, or ZE_RESULT_ERROR_INVALID_NULL_POINTER: `function` is
 * null.
 * @see SYCL 2020 4.6.5 (queue::submit with a secondary queue)
 */
SYCLZE_COLD ze_result_t syclze_queue_submit_with_fallback(syclze_queue queue,
    syclze_queue secondary, syclze_command_group_function function, void *argument,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_queue_submit_with_fallback);

SYCLZE_EXTERN_C_END

#include "detail/commands/queue_sync.h"

#endif
