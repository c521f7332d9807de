/**
 * @file
 * Device globals of images: copies to and from variables by name, as a queue's commands.
 *
 *     syclze_program_request request = {.kernel = "count"};
 *     syclze_group group = syclze_group_begin(queue);
 *     ze_result_t copied = syclze_program_copy_to_global(
 *         program, &group, &request, "counter", &start, sizeof start, 0, &event);
 *
 * A variable belongs to a module: kernels of one image, device and values of specialisation
 * constants share it (program.h). DPC++'s device globals without device_image_scope are shared by
 * all kernels of the program on a device, and are zero at first: a first value in the source is of
 * SYCL's host program. Not part of offload.h: a program that needs it includes it by name.
 * Ownership: the caller's memory must live until the copy is done; the program, and the image in
 * its set, too. Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_GLOBAL_H
#define SYCLZE_OFFLOAD_GLOBAL_H

#include "../command/copy.h"
#include "program.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Copies into a variable.
 *
 * @param[in] program  in the context of the queue; not null.
 * @param[in,out] group  not null. Ended by the call.
 * @param[in] request  a kernel of the image; not null.
 * @param[in] name  of the variable: the unique id that DPC++'s properties have, or the name that
 * the module exports; not null.
 * @param[in] from  `size` bytes; not null.
 * @param[in] size  in bytes.
 * @param[in] offset  in the variable, in bytes.
 * @param[out] event  may be null; the caller owns the reference. Null on failure.
 * @return what syclze_program_get_global and syclze_group_copy return, and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `group` or `from` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: the part does not lie in the variable
 *
 * After an error nothing is submitted.
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD ze_result_t syclze_program_copy_to_global(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const char *name, const void *from, size_t size,
    size_t offset, syclze_event *event) SYCLZE_LINK_NAME(syclze_program_copy_to_global);

/**
 * Copies out of a variable, like syclze_program_copy_to_global.
 *
 * @param[in] program, group, request, name, size, offset  as there.
 * @param[out] to  `size` bytes; not null.
 * @param[out] event  may be null; the caller owns the reference. Null on failure.
 * @return as syclze_program_copy_to_global.
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD ze_result_t syclze_program_copy_from_global(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const char *name, void *to, size_t size, size_t offset,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_program_copy_from_global);

SYCLZE_EXTERN_C_END

#include "detail/global.h"

#endif
