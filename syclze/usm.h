/**
 * @file
 * Unified shared memory: SYCL's allocation functions over zeMemAllocDevice, zeMemAllocShared and
 * zeMemAllocHost.
 *
 *     void *memory;
 *     if (syclze_malloc_device(4096, device, context, &memory) == ZE_RESULT_SUCCESS)
 *       syclze_free(memory, context);
 *
 * Ownership: the memory is the caller's, and Level Zero's own: zeMemFree may free it too. It does
 * not keep its context: free it before the last release of a transferred context.
 *
 * Threads: any thread may call any function.
 */
#ifndef SYCLZE_USM_H
#define SYCLZE_USM_H

#include "context.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Allocates memory of a device.
 *
 * @param[in] alignment  In bytes: a power of two, or 0 for the driver's choice.
 * @param[in] size  In bytes.
 * @param[in] device  In the context, or part of a device that is; null is refused.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device or the context is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT: the alignment is not a power of two
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - what zeMemAllocDevice returns
 * @see SYCL 2020 4.8.3.2
 */
SYCLZE_COLD ze_result_t syclze_aligned_alloc_device(
    size_t alignment, size_t size, syclze_device device, syclze_context context, void **memory)
    SYCLZE_LINK_NAME(syclze_aligned_alloc_device);

/**
 * Allocates memory that migrates between the host and a device.
 *
 * @param[in] alignment  In bytes: a power of two, or 0 for the driver's choice.
 * @param[in] size  In bytes.
 * @param[in] device  In the context, or part of a device that is; null is refused.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free.
 * @return As syclze_aligned_alloc_device, of zeMemAllocShared.
 * @see SYCL 2020 4.8.3.4
 */
SYCLZE_COLD ze_result_t syclze_aligned_alloc_shared(
    size_t alignment, size_t size, syclze_device device, syclze_context context, void **memory)
    SYCLZE_LINK_NAME(syclze_aligned_alloc_shared);

/**
 * Allocates memory of the host, which every device of the context can access.
 *
 * @param[in] alignment  In bytes: a power of two, or 0 for the driver's choice.
 * @param[in] size  In bytes.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free.
 * @return As syclze_aligned_alloc_device, of zeMemAllocHost, without a device.
 * @see SYCL 2020 4.8.3.3
 */
SYCLZE_COLD ze_result_t syclze_aligned_alloc_host(size_t alignment, size_t size,
    syclze_context context, void **memory) SYCLZE_LINK_NAME(syclze_aligned_alloc_host);

/**
 * Allocates memory of a device, with the driver's alignment.
 *
 * @param[in] size  In bytes.
 * @param[in] device  In the context, or part of a device that is; null is refused.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free.
 * @return As syclze_aligned_alloc_device.
 * @see SYCL 2020 4.8.3.2
 */
SYCLZE_INLINE ze_result_t syclze_malloc_device(
    size_t size, syclze_device device, syclze_context context, void **memory);

/**
 * Allocates memory that migrates between the host and a device, with the driver's alignment.
 *
 * @param[in] size  In bytes.
 * @param[in] device  In the context, or part of a device that is; null is refused.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free.
 * @return As syclze_aligned_alloc_shared.
 * @see SYCL 2020 4.8.3.4
 */
SYCLZE_INLINE ze_result_t syclze_malloc_shared(
    size_t size, syclze_device device, syclze_context context, void **memory);

/**
 * Allocates memory of the host, with the driver's alignment.
 *
 * @param[in] size  In bytes.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free.
 * @return As syclze_aligned_alloc_host.
 * @see SYCL 2020 4.8.3.3
 */
SYCLZE_INLINE ze_result_t syclze_malloc_host(size_t size, syclze_context context, void **memory);

/**
 * Frees memory of the context, however it was allocated.
 *
 * @param[in] memory  No effect for null.
 * @param[in] context  Null is refused.
 * Ownership afterwards: the memory is freed. After an error it is the caller's, unchanged.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - what zeMemFree returns
 * @see SYCL 2020 4.8.3.6
 */
SYCLZE_INLINE ze_result_t syclze_free(void *memory, syclze_context context);

SYCLZE_EXTERN_C_END

#include "detail/objects/usm.h"

#endif
