/**
 * @file
 * Properties of allocations: type, begin, size and device. Included by name.
 *
 *     syclze_usm_info info;
 *     if (syclze_usm_get_info(pointer, context, &info) == ZE_RESULT_SUCCESS &&
 *         info.type == ZE_MEMORY_TYPE_DEVICE)
 *       device = info.device;
 *
 * Ownership: plain data of the caller's. Threads: any thread may call any function.
 */
#ifndef SYCLZE_USM_QUERY_H
#define SYCLZE_USM_QUERY_H

#include "usm.h"

SYCLZE_EXTERN_C_BEGIN

/** An allocation. */
typedef struct syclze_usm_info {
  ze_memory_type_t type; /* ZE_MEMORY_TYPE_UNKNOWN for memory outside the context */
  void *base;            /* where the allocation begins; null for unknown memory */
  size_t size;           /* of the allocation, in bytes */
  size_t page_size;      /* in bytes */
  uint64_t id;           /* the driver's; unique among live allocations */
  syclze_device device;  /* null for memory of the host, and without a device */
} syclze_usm_info;

/**
 * Returns the properties of the allocation that a pointer points into.
 *
 * @param[in] memory  Into the allocation, or any other address. Null is refused.
 * @param[in] context  Null is refused.
 * @param[out] info  Not null; zeros on failure, which is unknown memory. The caller's.
 * @return ZE_RESULT_SUCCESS, also for unknown memory; or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` or `info` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - what zeMemGetAllocProperties and zeMemGetAddressRange return
 * @see SYCL 2020 4.8.3.7 (get_pointer_type, get_pointer_device)
 */
SYCLZE_COLD ze_result_t syclze_usm_get_info(const void *memory, syclze_context context,
    syclze_usm_info *info) SYCLZE_LINK_NAME(syclze_usm_get_info);

SYCLZE_EXTERN_C_END

#include "detail/objects/usm_query.h"

#endif
