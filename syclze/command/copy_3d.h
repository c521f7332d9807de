/**
 * @file
 * Copies of boxes of memory: rows in slices, with any distance between them. EXPERIMENTAL, and
 * included by name; command.h does not include it.
 *
 * A box of 4 by 3 by 2 floats out of an array of 16 by 16 by 16, without gaps between them:
 *
 *     const size_t extent[3] = {4 * sizeof(float), 3, 2};
 *     const size_t from_pitches[2] = {16 * sizeof(float), 16 * 16 * sizeof(float)};
 *     const size_t to_pitches[2] = {4 * sizeof(float), 4 * 3 * sizeof(float)};
 *     ze_result_t result = syclze_queue_copy_3d(
 *         queue, to, to_pitches, from, from_pitches, extent, NULL, 0, &event);
 *
 * Ownership and threads: as of copy.h.
 */
#ifndef SYCLZE_COMMAND_COPY_3D_H
#define SYCLZE_COMMAND_COPY_3D_H

#include "../queue_commands.h"
#include "copy.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Copies a box of bytes. The two boxes must not overlap. An accessor must be contiguous.
 *
 * @param[in,out] group  Not null.
 * @param[in] to, from  Memory of the first row; a null pointer is an error.
 * @param[in] to_pitches, from_pitches  Bytes from a row to the next one, and from a slice to the
 * next one; null for a box without gaps.
 * @param[in] extent  Bytes of a row, rows of a slice, slices; not null. Nothing is copied if one is
 * 0.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of copy.h, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `extent` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: a pitch is smaller than a row or a slice, or the queue records to
 *   a graph.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: a pitch or a member of `extent` is 2^32 or more.
 * @see SYCL 2020 4.9.4.3 (handler::copy of three dimensions); Level Zero,
 * zeCommandListAppendMemoryCopyRegion
 */
SYCLZE_COLD ze_result_t syclze_group_copy_3d(syclze_group *group, syclze_memory_argument to,
    const size_t *to_pitches, syclze_memory_argument from, const size_t *from_pitches,
    const size_t *extent, syclze_event *event) SYCLZE_LINK_NAME(syclze_group_copy_3d);

/**
 * Copies a box of bytes without a group object, as syclze_group_copy_3d.
 *
 * @param[in] queue  Null is an error.
 * @param[out] to  Null is an error.
 * @param[in] to_pitches  As of syclze_group_copy_3d; may be null.
 * @param[in] from  Null is an error.
 * @param[in] from_pitches  As of syclze_group_copy_3d; may be null.
 * @param[in] extent  As of syclze_group_copy_3d; not null.
 * @param[in] waits, wait_count  Events that the copy waits for, and their number; null events are
 * complete, and `waits` may be null for none.
 * @param[out] event  May be null; the caller owns the reference.
 * @return As syclze_group_copy_3d, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `waits` is null and `wait_count` is not 0.
 * @see SYCL 2020 4.9.4.3 (handler::copy of three dimensions)
 */
SYCLZE_COLD ze_result_t syclze_queue_copy_3d(syclze_queue queue, void *to, const size_t *to_pitches,
    const void *from, const size_t *from_pitches, const size_t *extent, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) SYCLZE_LINK_NAME(syclze_queue_copy_3d);

SYCLZE_EXTERN_C_END

#include "detail/commands/copy_3d.h"

#endif
