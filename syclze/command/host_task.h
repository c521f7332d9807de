/**
 * @file
 * Host tasks and native commands: functions of the application as command groups.
 *
 *     syclze_group group = syclze_group_begin(queue);
 *     syclze_accessor data = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
 *     ze_result_t result = syclze_group_host_task(&group, host_work, &argument, &event);
 *
 * A host task runs on a worker thread when what its group depends on is complete; what depends on
 * the group waits for it. Several may run at once. It may submit, wait for other work and call
 * Level Zero, but not wait for itself: for its queue as a whole, or for what depends on it.
 *
 * A host task may use its native queue: append to it, and wait for that, name it by
 * syclze_interop_handle_add_event, or leave it there. What depends on the task is appended once the
 * task has ended, by a worker; what does not depend on it goes ahead.
 *
 * A native command's function appends commands of its own to the queue, which wait and are waited
 * for on the device.
 *
 * A program that exits waits for its host tasks; those that nothing lets run are given up and
 * reported.
 *
 * Threads: as a group. The functions run on threads that the headings below name.
 */
#ifndef SYCLZE_COMMAND_HOST_TASK_H
#define SYCLZE_COMMAND_HOST_TASK_H

#include "group.h"
#include "interop_handle.h"

SYCLZE_EXTERN_C_BEGIN

/** A host task or a native command. `handle` is valid until it returns. */
typedef ze_result_t (*syclze_host_function)(syclze_interop_handle handle, void *argument);

/**
 * Submits a host task. What the function returns, where that is no success, is an asynchronous
 * error of the queue. Native events that it names are waited for after it, by a worker, before the
 * group is complete.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] function  Runs once, on a worker thread. Null is an error.
 * @param[in] argument  Passed to `function`; may be null. Borrowed until the task has run.
 * @param[out] event  Of the group, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `function` is null.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory, or no thread.
 * - what the creation of an event returns.
 *
 * After an error nothing is submitted.
 * @see SYCL 2020 4.10 (host tasks), interop-handle
 */
SYCLZE_COLD ze_result_t syclze_group_host_task(syclze_group *group, syclze_host_function function,
    void *argument, syclze_event *event) SYCLZE_LINK_NAME(syclze_group_host_task);

/**
 * Submits commands that the function appends to the queue's own immediate list, or executes on its
 * command queue by lists of the application's: at once and on the calling thread, or, where the
 * group depends on a host task that has not ended, later and on a worker thread. On a list the
 * function must have them wait for the handle's wait list; a command queue waits for that itself,
 * before what the function executes. The group is complete when the list or queue has come so far,
 * and when every native event that the function names is signalled. Nothing waits on the host. The
 * function begins no group of the same queue.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] function  Runs once. Null is an error.
 * @param[in] argument  Passed to `function`; may be null. Borrowed until the function has run.
 * @param[out] event  Of the group, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return as syclze_group_host_task, or what `function` returned: then nothing depends on the
 * group, but what the function appended stays. Of a function that runs later that is an
 * asynchronous error of the queue. Codes of zeCommandListAppendBarrier and
 * zeCommandListAppendWaitOnEvents are what zeCommandListAppendBarrier returns.
 * @see SYCL_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND, interop-handle
 */
SYCLZE_COLD ze_result_t syclze_group_native_command(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_native_command);

SYCLZE_EXTERN_C_END

#include "detail/host_task.h"

#endif
