/**
 * @file
 * Cooperative launches: all groups of the kernel run at once, and may wait for each other.
 * EXPERIMENTAL, and included by name; command.h does not include it.
 *
 *     uint32_t most;
 *     const uint32_t local[3] = {64, 1, 1};
 *     ze_result_t result = syclze_kernel_get_max_group_count(kernel, local, &most);
 *     if (result == ZE_RESULT_SUCCESS) {
 *       const syclze_nd_range range = {.global = {64 * most}, .local = {64}};
 *       const syclze_argument arguments[] = {syclze_arg(pointer)};
 *       result = syclze_queue_launch_cooperative(
 *           queue, kernel, &range, arguments, 1, NULL, 0, &event);
 *     }
 *
 * syclze_queue_group (device_query.h) shows which queue groups launch cooperatively, and
 * syclze_kernel_get_max_group_count (kernel_query.h) how many groups run at once. A driver refuses
 * more groups, or never completes them.
 *
 * Ownership and threads: as of launch.h.
 */
#ifndef SYCLZE_COMMAND_LAUNCH_COOPERATIVE_H
#define SYCLZE_COMMAND_LAUNCH_COOPERATIVE_H

#include "../kernel_query.h"
#include "launch.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Runs a kernel whose groups wait for each other.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] kernel  Of the queue's context. Null is an error.
 * @param[in] range  Null is an error. At most as many groups as run at once.
 * @param[in] arguments  `count` of them, in order; may be null for none. Borrowed.
 * @param[in] count  Number of arguments.
 * @param[out] event  May be null; the caller owns the reference.
 * @return As syclze_group_launch, of zeCommandListAppendLaunchCooperativeKernel, or
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: the queue is known to be of a group without
 *   cooperative kernels
 * - SYCLZE_RESULT_ERROR_INVALID: the queue records to a graph
 * @see sycl_ext_oneapi_root_group (use_root_sync)
 */
SYCLZE_COLD ze_result_t syclze_group_launch_cooperative(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_group_launch_cooperative);

/**
 * Runs a kernel whose groups wait for each other without a group object.
 *
 * @param[in] queue  Null is an error.
 * @param[in] kernel, range  As of syclze_group_launch_cooperative; null is an error.
 * @param[in] arguments  `count` of them, none an accessor; may be null for none. Borrowed.
 * @param[in] count  Number of arguments.
 * @param[in] waits, wait_count  Events that the kernel waits for, and their number; null events are
 * complete, and `waits` may be null for none.
 * @param[out] event  May be null; the caller owns the reference.
 * @return As syclze_group_launch_cooperative, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `waits` is null and `wait_count` is not 0
 * - SYCLZE_RESULT_ERROR_ACCESSOR: an argument is an accessor
 * @see sycl_ext_oneapi_root_group (use_root_sync)
 */
SYCLZE_COLD ze_result_t syclze_queue_launch_cooperative(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_launch_cooperative);

SYCLZE_EXTERN_C_END

#include "detail/commands/launch_cooperative.h"

#endif
