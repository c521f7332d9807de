/**
 * @file
 * The properties of a device that images may require.
 *
 *     syclze_device_traits traits;
 *     if (syclze_device_get_traits(device, &traits) == ZE_RESULT_SUCCESS)
 *       printf("%s %s fp64\n", traits.name, traits.has_fp64 ? "has" : "has no");
 *
 * Ownership: plain data of the caller's, without handles; it may be filled in by hand. Threads:
 * any.
 */
#ifndef SYCLZE_OFFLOAD_DEVICE_TRAITS_H
#define SYCLZE_OFFLOAD_DEVICE_TRAITS_H

#include "../device.h"

SYCLZE_EXTERN_C_BEGIN

/** Properties of a device. */
typedef struct syclze_device_traits {
  char name[ZE_MAX_DEVICE_NAME];
  ze_device_type_t type;
  uint32_t vendor_id;
  uint32_t device_id;
  uint32_t driver_version;
  uint32_t ip_version;    /**< of ze_device_ip_version_ext_t; 0: not reported */
  uint32_t spirv_version; /**< the newest accepted, as in a module's header; 0: unknown */
  bool has_fp16, has_fp64, has_atomic64, has_images;
  bool has_device_usm, has_host_usm, has_shared_usm, has_system_usm;
  bool has_host_atomics, has_shared_atomics;
  uint32_t max_group_size;     /**< work-items in a group, over all dimensions */
  uint32_t max_group_sizes[3]; /**< in each */
  uint32_t sub_group_size_count;
  uint32_t sub_group_sizes[ZE_SUBGROUPSIZE_COUNT];
} syclze_device_traits;

/**
 * Queries a device's properties.
 *
 * @param[in] device  not null.
 * @param[out] traits  not null; zeros if `device` is null.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `device` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `traits` is null
 * - what zeDriverGetProperties and the queries of the device return
 * @see SYCL 2020 4.6.4
 */
SYCLZE_COLD ze_result_t syclze_device_get_traits(syclze_device device, syclze_device_traits *traits)
    SYCLZE_LINK_NAME(syclze_device_get_traits);

SYCLZE_EXTERN_C_END

#include "detail/device_traits.h"

#endif
