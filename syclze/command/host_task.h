/**
 * @file
 * Host tasks and native commands: functions of the application as command groups.
 *
 *     syclze_group group = syclze_group_begin(queue);
 *     syclze_accessor data = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
 *     ze_result_t result = syclze_group_host_task(&group, host_work, &argument, &event);
 *
 * A host task runs on a worker thread when its group's dependencies are complete; work that depends
 * on the group waits for it. Several may run at once. It may submit, wait for other work and call
 * Level Zero. It must not wait for itself: for its queue as a whole, or for work that depends on
 * it.
 *
 * A host task may append to its native queue. It may wait for these commands, name their event by
 * syclze_interop_handle_add_event, or leave them there. A worker appends work that depends on the
 * task once the task has ended; other work is not held back.
 *
 * A native command's function appends its own commands to the queue, ordered on the device. Both
 * functions are called with no lock of the library held.
 *
 * A program that exits waits for its host tasks; those that stay blocked are given up and reported.
 *
 * Threads: as a group. The functions run on the threads that are named below.
 */
#ifndef SYCLZE_COMMAND_HOST_TASK_H
#define SYCLZE_COMMAND_HOST_TASK_H

#include "group.h"
#include "interop_handle.h"

SYCLZE_EXTERN_C_BEGIN

/** A host task or a native command. `handle` is valid until it returns. */
typedef ze_result_t (*syclze_host_function)(syclze_interop_handle handle, void *argument);

/**
 * Submits a host task. An error that the function returns is an asynchronous error of the queue. A
 * worker then waits for the native events that the function names, before the group is complete.
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
SYCLZE_WARM ze_result_t syclze_group_host_task(syclze_group *group, syclze_host_function function,
    void *argument, syclze_event *event) SYCLZE_LINK_NAME(syclze_group_host_task);

/**
 * Submits commands that the function appends to the queue's own immediate list, or executes on its
 * command queue by lists of the application's. It runs on the calling thread, before this call
 * returns; or later and on a worker thread, if a dependency is not in a native queue yet: a host
 * task that has not ended, or a native command whose function runs. On a list the function must
 * make the commands wait for the handle's wait list; a command queue waits for that itself, before
 * what the function executes. The group is complete when the commands are done, and every native
 * event that the function names is signalled. Nothing waits on the host.
 *
 * The function is called with no lock of the library held. It may submit to any queue, wait for
 * work submitted before the group, release objects, and take locks that other threads hold while
 * they submit. While it runs, submissions of any thread to the queue, if that is in-order or on an
 * immediate list, are accepted and appended once the function has returned: an immediate list is
 * for one thread at a time. So the function must not wait for these, even on an out-of-order queue;
 * nor for its own group, or the queue as a whole. On an out-of-order command queue work that does
 * not depend on the group is not held back, and may be waited for.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] function  Runs once. Null is an error.
 * @param[in] argument  Passed to `function`; may be null. Borrowed until the function has run.
 * @param[out] event  Of the group, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return as syclze_group_host_task, or what `function` returned: then later work waits for the
 * group's dependencies, and what the function appended stays. If the function runs later, its error
 * is an asynchronous error of the queue. Codes of zeCommandListAppendBarrier and
 * zeCommandListAppendWaitOnEvents are what zeCommandListAppendBarrier returns.
 * @see SYCL_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND, interop-handle
 */
SYCLZE_COLD ze_result_t syclze_group_native_command(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_native_command);

SYCLZE_EXTERN_C_END

#include "detail/host/task.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_group_host_task(...) (SYCLZE__HERE(syclze_group_host_task)(__VA_ARGS__))
#define syclze_group_native_command(...) (SYCLZE__HERE(syclze_group_native_command)(__VA_ARGS__))
#endif

#endif
