/**
 * @file
 * Commands of a queue on pointers: copies, fills, hints, launches, barriers and waits, without
 * command groups. A file that uses only these has a few KB of text.
 *
 *     ze_result_t copied = syclze_queue_copy(queue, to, from, 4096, NULL, 0, &event);
 *     const syclze_nd_range range = {.global = {1024}, .local = {64}};
 *     ze_result_t launched = syclze_queue_launch(
 *         queue, kernel, &range, &event, 1, NULL, syclze_arg(to), syclze_arg(2.0f));
 *
 * Common to all functions of this file: null events of `waits` are complete, and `waits` may be
 * null if `wait_count` is 0. Events are retained only as long as the library needs them. `event`
 * may be null: no event is returned; else it is a reference of the caller's, set to null on
 * failure. A pointer is to memory that the queue's device can access, or for copies also to the
 * host's own, which must live until the work is done. For an event of another context the call
 * itself may wait. Each returns what the named function of a group returns, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `waits` is null and `wait_count` is not 0.
 *
 * After an error nothing is submitted. Threads: any, for any queue.
 */
#ifndef SYCLZE_QUEUE_COMMANDS_H
#define SYCLZE_QUEUE_COMMANDS_H

#include "queue.h"
#include "command/launch.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Copies bytes, as syclze_group_copy.
 *
 * @param[in] queue  Null is an error.
 * @param[out] to  Of `size` bytes; null is an error.
 * @param[in] from  Of `size` bytes; null is an error.
 * @param[in] size  In bytes.
 * @param[in] waits, wait_count  Events that the copy waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_copy.
 * @see SYCL 2020 4.6.5 (queue::memcpy)
 */
SYCLZE_WARM ze_result_t syclze_queue_copy(syclze_queue queue, void *to, const void *from,
    size_t size, const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_copy);

/**
 * Fills memory with a pattern, as syclze_group_fill.
 *
 * @param[in] queue  Null is an error.
 * @param[out] to  Of `size` bytes; null is an error.
 * @param[in] pattern  Null is an error; read by the call.
 * @param[in] pattern_size  In bytes; not 0. A power of two up to the queue group's
 * max_fill_pattern_size takes one append, others several.
 * @param[in] size  In bytes, a multiple of `pattern_size`.
 * @param[in] waits, wait_count  Events that the fill waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_fill.
 * @see SYCL 2020 4.6.5 (queue::fill, queue::memset)
 */
SYCLZE_WARM ze_result_t syclze_queue_fill(syclze_queue queue, void *to, const void *pattern,
    size_t pattern_size, size_t size, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_queue_fill);

/**
 * Copies rows of bytes, as syclze_group_copy_2d.
 *
 * @param[in] queue  Null is an error.
 * @param[out] to  Null is an error.
 * @param[in] to_pitch  Bytes from a row to the next one.
 * @param[in] from  Null is an error.
 * @param[in] from_pitch  Bytes from a row to the next one.
 * @param[in] width  Bytes of a row.
 * @param[in] height  Number of rows.
 * @param[in] waits, wait_count  Events that the copy waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_copy_2d.
 * @see SYCL_EXT_ONEAPI_MEMCPY2D (queue::ext_oneapi_memcpy2d)
 */
SYCLZE_WARM ze_result_t syclze_queue_copy_2d(syclze_queue queue, void *to, size_t to_pitch,
    const void *from, size_t from_pitch, size_t width, size_t height, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) SYCLZE_LINK_NAME(syclze_queue_copy_2d);

/**
 * Fills rows of bytes with a pattern, as syclze_group_fill_2d.
 *
 * @param[in] queue  Null is an error.
 * @param[out] to  Null is an error.
 * @param[in] pitch  Bytes from a row to the next one.
 * @param[in] pattern  Null is an error; read by the call.
 * @param[in] pattern_size  In bytes; not 0.
 * @param[in] width  Bytes of a row, a multiple of `pattern_size`.
 * @param[in] height  Number of rows.
 * @param[in] waits, wait_count  Events that the fill waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_fill_2d.
 * @see SYCL_EXT_ONEAPI_MEMCPY2D (queue::ext_oneapi_fill2d, queue::ext_oneapi_memset2d)
 */
SYCLZE_WARM ze_result_t syclze_queue_fill_2d(syclze_queue queue, void *to, size_t pitch,
    const void *pattern, size_t pattern_size, size_t width, size_t height,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_fill_2d);

/**
 * Announces that shared memory will be needed on the queue's device, as syclze_group_prefetch.
 *
 * @param[in] queue  Null is an error.
 * @param[in] memory  Of `size` bytes; null is an error.
 * @param[in] size  In bytes.
 * @param[in] waits, wait_count  Events that the hint waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_prefetch.
 * @see SYCL 2020 4.6.5 (queue::prefetch)
 */
SYCLZE_WARM ze_result_t syclze_queue_prefetch(syclze_queue queue, const void *memory, size_t size,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_prefetch);

/**
 * Advises the driver how the queue's device will use memory, as syclze_group_advise.
 *
 * @param[in] queue  Null is an error.
 * @param[in] memory  Of `size` bytes; null is an error.
 * @param[in] size  In bytes.
 * @param[in] advice  Level Zero's.
 * @param[in] waits, wait_count  Events that the hint waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_advise.
 * @see SYCL 2020 4.6.5 (queue::mem_advise)
 */
SYCLZE_WARM ze_result_t syclze_queue_advise(syclze_queue queue, const void *memory, size_t size,
    ze_memory_advice_t advice, const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_advise);

/**
 * Runs a kernel on values and USM pointers, as syclze_group_launch.
 *
 * @param[in] queue  Null is an error.
 * @param[in] kernel  Of the queue's context. Null is an error.
 * @param[in] range  Null is an error.
 * @param[in] arguments  `count` of them, none an accessor; may be null for none. Borrowed.
 * @param[in] count  Number of arguments.
 * @param[in] waits, wait_count  Events that the kernel waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_launch; SYCLZE_RESULT_ERROR_ACCESSOR: an argument is an accessor.
 * @see SYCL 2020 4.6.5 (queue::parallel_for)
 */
SYCLZE_INLINE ze_result_t syclze_queue_launch_arguments(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event);

#ifndef __cplusplus
/** syclze_queue_launch_arguments: queue, kernel, range, waits, their number, event, and the
 * kernel's arguments, if it has any. */
#define syclze_queue_launch(queue, kernel, range, waits, wait_count, ...)                          \
  syclze_queue_launch_arguments(queue, kernel, range,                                              \
      SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0)),                                             \
      (uint32_t)(sizeof(SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0))) /                         \
                 sizeof(syclze_argument)) -                                                        \
          1,                                                                                       \
      waits, wait_count, SYCLZE__EVENT(__VA_ARGS__, 0))
#else
extern "C++" {
/** @copydoc syclze_queue_launch_arguments */
template <typename... Arguments>
SYCLZE_INLINE ze_result_t syclze_queue_launch(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event, const Arguments &...arguments) {
  const syclze_argument all[] = {arguments..., syclze_local(0)};
  return syclze_queue_launch_arguments(
      queue, kernel, range, all, (uint32_t)sizeof...(arguments), waits, wait_count, event);
}
}
#endif

/**
 * Submits a barrier, as syclze_group_barrier: later work of the queue waits for the events, or, if
 * all of them are null or there are none, for all earlier work of the queue.
 *
 * @param[in] queue  Null is an error.
 * @param[in] waits, wait_count  Events that later work waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_barrier.
 * @see SYCL_EXT_ONEAPI_ENQUEUE_BARRIER (queue::ext_oneapi_submit_barrier of a list)
 */
SYCLZE_WARM ze_result_t syclze_queue_submit_barrier_after(
    syclze_queue queue, const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_submit_barrier_after);

/**
 * Submits a barrier behind all earlier work of the queue.
 *
 * @param[in] queue  Null is an error.
 * @param[out] event  Of the barrier, a reference of the caller's; may be null.
 * @return as syclze_group_barrier.
 * @see SYCL_EXT_ONEAPI_ENQUEUE_BARRIER (queue::ext_oneapi_submit_barrier)
 */
SYCLZE_COLD ze_result_t syclze_queue_submit_barrier(syclze_queue queue, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_submit_barrier);

/**
 * Waits until all work of the queue is done, host tasks included, or its context is lost. A host
 * task of the queue itself must not call it. If all work is in the native queue, this is
 * zeCommandQueueSynchronize, or zeCommandListHostSynchronize if the driver has that, or nothing for
 * a synchronous list, and covers the application's own work too; else it waits for the event of a
 * barrier.
 *
 * @param[in] queue  Null is an error.
 * @return ZE_RESULT_SUCCESS; else the error of the wait: as syclze_group_barrier, or what
 * zeEventHostSynchronize returns; else the first asynchronous error since the last wait.
 * @see SYCL 2020 4.6.5 (queue::wait_and_throw)
 */
SYCLZE_COLD ze_result_t syclze_queue_wait(syclze_queue queue) SYCLZE_LINK_NAME(syclze_queue_wait);

SYCLZE_EXTERN_C_END

#include "command/detail/commands/queue_commands.h"

#endif
