/**
 * @file
 * Events of the application: signals by a queue and by the host, resets, waits with a time limit,
 * and callbacks. EXPERIMENTAL, and included by name; command.h does not include it.
 *
 * Two processes alternate by two events of a pool that both have opened (ipc.h). This one signals
 * the other, and waits at most a second for its answer:
 *
 *     #include "syclze/syclze.h"
 *     #include "syclze/command/event_sync.h"
 *     static ze_result_t turn(syclze_queue queue, syclze_event mine, syclze_event theirs) {
 *       ze_result_t result = syclze_queue_signal_event(queue, mine, NULL, 0, NULL);
 *       if (result == ZE_RESULT_SUCCESS) result = syclze_event_wait_for(theirs, 1000000000);
 *       if (result == ZE_RESULT_SUCCESS) result = syclze_event_reset(theirs);
 *       return result; // ZE_RESULT_NOT_READY: the other process is late, or has ended
 *     }
 *
 * A process that ends leaves its events unsignalled. Work that waits for such an event continues
 * once the other process signals it: syclze_event_signal.
 *
 * An event of the application is made of a native event: syclze_make_event,
 * syclze_ipc_event_pool_get_event. Only the library signals and resets the event of a submission,
 * or of syclze_event_create.
 *
 * The library does not know what signals such an event. What waits for one may be appended before
 * earlier submissions that are held back for host tasks: on an out-of-order queue those wait for it
 * where the native list or command queue is in order, or it is a barrier. They must not be what the
 * signal waits for.
 *
 * A time limit is in nanoseconds: 0 polls once, UINT64_MAX is no limit. A timeout is not an error,
 * and gives no diagnostic.
 *
 * Threads: any thread may call any function. The application orders the reset of an event against
 * its waits and signals, as Level Zero requires.
 */
#ifndef SYCLZE_COMMAND_EVENT_SYNC_H
#define SYCLZE_COMMAND_EVENT_SYNC_H

#include "../queue_commands.h"
#include "group.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Signals an event of the application from a queue, behind the group's requirements, or without any
 * behind all earlier work of the queue. Later work of the queue waits for it, as for a barrier.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] target  Of the application and of the queue's context; null is an error. The native
 * event must exist until it is signalled; the object need not.
 * @param[out] event  Of the submission, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue or `target` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: `target` is the library's own or of another context; the queue
 *   records to a graph.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeCommandListAppendBarrier or the creation of an event returns.
 *
 * After an error nothing is submitted.
 * @see SYCL 2020 4.6.6 (no counterpart); Level Zero, zeCommandListAppendSignalEvent
 */
SYCLZE_COLD ze_result_t syclze_group_signal_event(syclze_group *group, syclze_event target,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_group_signal_event);

/**
 * Signals an event of the application from a queue without a group object, as
 * syclze_group_signal_event.
 *
 * @param[in] queue  Null is an error.
 * @param[in] target  As of syclze_group_signal_event.
 * @param[in] waits, wait_count  Events that the signal follows, and their number; null events are
 * complete, and `waits` may be null for none.
 * @param[out] event  Of the submission; may be null. The caller owns the reference.
 * @return As syclze_group_signal_event, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `waits` is null and `wait_count` is not 0.
 * @see SYCL 2020 4.6.6 (no counterpart); Level Zero, zeCommandListAppendSignalEvent
 */
SYCLZE_COLD ze_result_t syclze_queue_signal_event(syclze_queue queue, syclze_event target,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_signal_event);

/**
 * Signals an event of the application from the host.
 *
 * @param[in] event  Of the application; null is refused.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the event is null
 * - SYCLZE_RESULT_ERROR_INVALID: the event is the library's own
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork
 * - what zeEventHostSignal returns
 * @see SYCL 2020 4.6.6 (no counterpart); Level Zero, zeEventHostSignal
 */
SYCLZE_COLD ze_result_t syclze_event_signal(syclze_event event)
    SYCLZE_LINK_NAME(syclze_event_signal);

/**
 * Resets an event of the application to unsignalled. All waits for it must have ended before.
 *
 * @param[in] event  Of the application; null is refused.
 * @return As syclze_event_signal, of zeEventHostReset.
 * @see SYCL 2020 4.6.6 (no counterpart); Level Zero, zeEventHostReset
 */
SYCLZE_COLD ze_result_t syclze_event_reset(syclze_event event) SYCLZE_LINK_NAME(syclze_event_reset);

/**
 * Waits until an event is signalled, at most for some time.
 *
 * @param[in] event  A null event is complete.
 * @param[in] nanoseconds  UINT64_MAX is no limit.
 * @return As syclze_event_wait, or
 * - ZE_RESULT_NOT_READY: the time is over
 * @see SYCL 2020 4.6.6.1 (event::wait)
 */
SYCLZE_COLD ze_result_t syclze_event_wait_for(syclze_event event, uint64_t nanoseconds)
    SYCLZE_LINK_NAME(syclze_event_wait_for);

/**
 * Waits until all of the events are signalled, at most for some time in all.
 *
 * @param[in] events  `count` of them, which the caller keeps; null events are complete. May be null
 * for none.
 * @param[in] count  Number of events.
 * @param[in] nanoseconds  UINT64_MAX is no limit.
 * @return As syclze_events_wait, or
 * - ZE_RESULT_NOT_READY: the time is over, and no wait failed
 * @see SYCL 2020 4.6.6.1 (event::wait of a list)
 */
SYCLZE_COLD ze_result_t syclze_events_wait_for(const syclze_event *events, uint32_t count,
    uint64_t nanoseconds) SYCLZE_LINK_NAME(syclze_events_wait_for);

/**
 * Waits until all work of a queue is done, at most for some time, by the event of a barrier.
 *
 * @param[in] queue  Null is an error. Not for a host task of the queue itself.
 * @param[in] nanoseconds  UINT64_MAX is no limit: as syclze_queue_wait.
 * @return As syclze_queue_wait, or
 * - ZE_RESULT_NOT_READY: the time is over. The barrier stays in the queue.
 * @see SYCL 2020 4.6.5 (queue::wait_and_throw)
 */
SYCLZE_COLD ze_result_t syclze_queue_wait_for(syclze_queue queue, uint64_t nanoseconds)
    SYCLZE_LINK_NAME(syclze_queue_wait_for);

/**
 * A function that is called once an event is complete, by a thread of the library. `result` is
 * ZE_RESULT_SUCCESS, or the error that keeps the event from being signalled.
 */
typedef void (*syclze_event_function)(void *argument, ze_result_t result);

/**
 * Calls a function once, when an event is complete. If it is complete already, the function may run
 * before this returns. It may submit work. It must not wait for another such function or a host
 * task, since only a few run at a time.
 *
 * @param[in] event  Kept until the call; null is complete.
 * @param[in] function  Not null.
 * @param[in] argument  Passed to `function`; may be null.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `function` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the event is of a group that was recorded to a graph
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory, or no thread
 *
 * After an error the function is not called. At the end of the program, or of the linked image,
 * events that stay unsignalled for ten seconds are given up: the function gets ZE_RESULT_NOT_READY.
 * @see SYCL 2020 4.6.6 (no counterpart); OpenCL, clSetEventCallback
 */
SYCLZE_COLD ze_result_t syclze_event_on_complete(syclze_event event, syclze_event_function function,
    void *argument) SYCLZE_LINK_NAME(syclze_event_on_complete);

SYCLZE_EXTERN_C_END

#include "detail/commands/event_signal.h"
#include "detail/host/event_sync.h"

#endif
