/**
 * @file
 * Variables of modules: found by name in any kernel bundle, and copied by command groups.
 * EXPERIMENTAL, and included by name. Those of device images are in offload/global.h.
 *
 *     syclze_group group_of_copy = syclze_group_begin(queue);
 *     ze_result_t copied = syclze_device_global_copy_to(
 *         bundle, &group_of_copy, "counter", &start, sizeof start, 0, &event);
 *
 * A variable belongs to its module: kernels of the bundle share it. It has the name that the module
 * exports.
 *
 * Ownership: the memory is the module's. The module and the caller's memory must live until the
 * copy is done.
 *
 * Threads: any thread may call any function.
 */
#ifndef SYCLZE_DEVICE_GLOBAL_H
#define SYCLZE_DEVICE_GLOBAL_H

#include "command/copy.h"
#include "kernel_bundle.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Finds a variable.
 *
 * @param[in] bundle  Null is refused.
 * @param[in] name  That the module exports; not null.
 * @param[out] pointer  Not null; set to null on failure.
 * @param[out] size  In bytes; may be null. 0 on failure.
 * Ownership afterwards: the memory is the module's, and valid while the bundle is.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `name` or `pointer` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the bundle is null
 * - what zeModuleGetGlobalPointer returns: ZE_RESULT_ERROR_INVALID_GLOBAL_NAME for an unknown one
 * @see Level Zero, zeModuleGetGlobalPointer; sycl_ext_oneapi_device_global
 */
SYCLZE_COLD ze_result_t syclze_device_global_find(syclze_kernel_bundle bundle, const char *name,
    void **pointer, size_t *size) SYCLZE_LINK_NAME(syclze_device_global_find);

/**
 * Copies into a variable.
 *
 * @param[in] bundle  Of the queue's context; null is refused.
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] name  As in syclze_device_global_find.
 * @param[in] from  `size` bytes; not null.
 * @param[in] size  In bytes.
 * @param[in] offset  In the variable, in bytes.
 * @param[out] event  May be null; the caller owns the reference. Null on failure.
 * @return What syclze_device_global_find and syclze_group_copy return, and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `group` or `from` is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: the part does not lie in the variable
 *
 * After an error nothing is submitted.
 * @see sycl_ext_oneapi_device_global, handler::copy
 */
SYCLZE_COLD ze_result_t syclze_device_global_copy_to(syclze_kernel_bundle bundle,
    syclze_group *group, const char *name, const void *from, size_t size, size_t offset,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_device_global_copy_to);

/**
 * Copies out of a variable. As syclze_device_global_copy_to.
 *
 * @param[in] bundle, group, name, size, offset  As there, in bytes; null is refused.
 * @param[out] to  `size` bytes; not null.
 * @param[out] event  May be null; the caller owns the reference. Null on failure.
 * @return As syclze_device_global_copy_to.
 * @see sycl_ext_oneapi_device_global, handler::copy
 */
SYCLZE_COLD ze_result_t syclze_device_global_copy_from(syclze_kernel_bundle bundle,
    syclze_group *group, const char *name, void *to, size_t size, size_t offset,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_device_global_copy_from);

SYCLZE_EXTERN_C_END

#include "detail/objects/device_global.h"

#endif
