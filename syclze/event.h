/**
 * @file
 * Events.
 *
 *     syclze_event_input input = {0};
 *     input.native_handle = handle;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_event event;
 *     if (syclze_make_event(&input, context, &event) == ZE_RESULT_SUCCESS)
 *       syclze_event_release(event);
 *
 * Ownership: an event keeps its context, but not the native pool of a wrapped event: the pool is
 * the application's and must outlive the event. A release does not wait.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference.
 */
#ifndef SYCLZE_EVENT_H
#define SYCLZE_EVENT_H

#include "context.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__event;

/** An event; {0} is null. @see SYCL 2020 4.6.6 */
typedef struct syclze_event {
  struct syclze__event *rep;
} syclze_event;

/** Input of syclze_make_event. @see Level-Zero backend 4.1 */
typedef struct syclze_event_input {
  ze_event_handle_t native_handle;
  syclze_ownership ownership; /* default: transfer */
} syclze_event_input;

/** Flags of syclze_event_create. */
typedef enum syclze_event_flag {
  SYCLZE_EVENT_FLAG_PROFILING = 1 << 0 /* the event takes kernel timestamps */
} syclze_event_flag;

/** Status of an event's work. @see SYCL 2020 4.6.6.2 (info::event_command_status) */
typedef enum syclze_event_status {
  SYCLZE_EVENT_STATUS_SUBMITTED = 0, /* or running: Level Zero does not distinguish them */
  SYCLZE_EVENT_STATUS_COMPLETE
} syclze_event_status;

/**
 * Wraps a native event.
 *
 * @param[in] input  Not null.
 * @param[in] context  That of the event's pool; null is refused. The event keeps it.
 * @param[out] event  Not null; set to null on failure.
 * Ownership afterwards: with transfer the library's, with keep the caller's. After an error the
 * caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `event` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the handle or the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the ownership is neither transfer nor keep
 * - SYCLZE_RESULT_ERROR_INVALID: the pool is of another context, if the loader has
 *   zeEventGetEventPool
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE ze_result_t syclze_make_event(
    const syclze_event_input *input, syclze_context context, syclze_event *event);

/**
 * Creates an unsignalled event that the host can see, from native pools of the context.
 *
 * @param[in] context  Null is refused. The event keeps it.
 * @param[in] flags  Of syclze_event_flag; unknown ones are refused.
 * @param[out] event  Not null; set to null on failure.
 * Ownership afterwards: the native event is the library's, and is reused after the last release:
 * the work that signals it or waits for it must be complete by then.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `event` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: unknown flags
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeEventPoolCreate, zeEventCreate and zeEventHostReset return
 * @see SYCL 2020 4.6.6
 */
SYCLZE_COLD ze_result_t syclze_event_create(syclze_context context, uint32_t flags,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_event_create);

/**
 * Returns the native handle.
 *
 * @param[in] event  Not null.
 * @return The handle. Ownership is unchanged.
 * @see Level-Zero backend 4.2, 4.4.3
 */
SYCLZE_INLINE ze_event_handle_t syclze_event_get_native(syclze_event event);

/**
 * Returns the context.
 *
 * @param[in] event  Not null.
 * @return The context, without a reference of its own.
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE syclze_context syclze_event_get_context(syclze_event event);

/**
 * Waits until the event is signalled.
 *
 * @param[in] event  A null event is complete, as SYCL's default event is.
 * @return ZE_RESULT_SUCCESS, or
 * - the asynchronous error that keeps the event from being signalled: the context is lost
 * - what zeEventHostSynchronize returns
 * @see SYCL 2020 4.6.6.1
 */
SYCLZE_INLINE ze_result_t syclze_event_wait(syclze_event event);

/**
 * Waits until all of the events are signalled, even if one of the waits fails.
 *
 * @param[in] events  `count` of them, which the caller keeps; null events are complete. May be null
 * for none.
 * @param[in] count  Number of events.
 * @return ZE_RESULT_SUCCESS; the first error of the waits, in the order of the events, each as
 * syclze_event_wait; or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `events` is null and `count` is not 0
 * @see SYCL 2020 4.6.6.1 (event::wait of a list)
 */
SYCLZE_COLD ze_result_t syclze_events_wait(const syclze_event *events, uint32_t count)
    SYCLZE_LINK_NAME(syclze_events_wait);

/**
 * Returns whether the event is signalled. Does not wait.
 *
 * @param[in] event  A null event is complete.
 * @param[out] status  Not null; SYCLZE_EVENT_STATUS_SUBMITTED on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `status` is null
 * - the asynchronous error that keeps the event from being signalled: the context is lost
 * - what zeEventQueryStatus returns
 * @see SYCL 2020 4.6.6.2 (info::event::command_execution_status)
 */
SYCLZE_COLD ze_result_t syclze_event_get_status(syclze_event event, syclze_event_status *status)
    SYCLZE_LINK_NAME(syclze_event_get_status);

/**
 * Returns when the work began and ended, in nanoseconds of the device's clock. The clock restarts
 * at 0 when its bits overflow: `start` may be less than that of earlier work, `end` is not less
 * than `start`.
 *
 * @param[in] event  Null is refused.
 * @param[in] device  That of the event's queue; null is refused.
 * @param[out] start  Not null; 0 on failure.
 * @param[out] end  Not null; 0 on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `start` or `end` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the event or the device is null
 * - SYCLZE_RESULT_ERROR_INVALID: the queue of the event was made without enable_profiling; the
 *   device is not in the context of the event, or is not that of its queue; the event is of the run
 *   of a graph finalized without SYCLZE_GRAPH_PROFILING (command/graph.h)
 * - ZE_RESULT_NOT_READY: the work has not ended
 * - SYCLZE_RESULT_ERROR_PROFILING: the device's clock has no resolution
 * - what zeDeviceGetProperties and zeEventQueryKernelTimestamp return
 * @see SYCL 2020 4.6.6.2, command_start and command_end
 */
SYCLZE_COLD ze_result_t syclze_event_get_profiling(syclze_event event, syclze_device device,
    uint64_t *start, uint64_t *end) SYCLZE_LINK_NAME(syclze_event_get_profiling);

/**
 * Returns when the work was submitted, as zeDeviceGetGlobalTimestamps measured just before. Does
 * not wait for the work.
 *
 * @param[in] event  Null is refused.
 * @param[in] device  That of the event's queue; null is refused.
 * @param[out] submit  Not null; 0 on failure. In nanoseconds of the device's clock.
 * @return As syclze_event_get_profiling, without ZE_RESULT_NOT_READY; and
 * - SYCLZE_RESULT_ERROR_PROFILING: the event is not of a submission of the library, or its time
 *   could not be measured
 * @see SYCL 2020 4.6.6.2, command_submit
 */
SYCLZE_COLD ze_result_t syclze_event_get_profiling_submit(syclze_event event, syclze_device device,
    uint64_t *submit) SYCLZE_LINK_NAME(syclze_event_get_profiling_submit);

/** @copydoc syclze_context_retain */
SYCLZE_INLINE ze_result_t syclze_event_retain(syclze_event object);

/**
 * Drops a reference. The last one destroys a transferred event, and drops the reference to the
 * context. Does not wait.
 *
 * @param[in] event  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - what zeEventDestroy and the release of the context return; the object is released anyway
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_event_release(syclze_event event);

/**
 * @copydoc syclze_context_set_owner
 * - SYCLZE_RESULT_ERROR_INVALID, too: the native event is the library's own
 */
SYCLZE_COLD ze_result_t syclze_event_set_owner(syclze_event object, syclze_owner owner)
    SYCLZE_LINK_NAME(syclze_event_set_owner);

/** @copydoc syclze_context_get_owner */
SYCLZE_COLD syclze_owner syclze_event_get_owner(syclze_event object)
    SYCLZE_LINK_NAME(syclze_event_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/objects/event.h"

#endif
