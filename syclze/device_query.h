/**
 * @file
 * Device properties: identity, memory, limits, queue groups, peers, and the root device.
 * Included by name.
 *
 *     syclze_device_info info;
 *     if (syclze_device_get_info(device, &info) == ZE_RESULT_SUCCESS)
 *       printf("%s: %llu bytes\n", info.name, (unsigned long long)info.memory_size);
 *
 * Ownership: plain data of the caller's. Threads: any thread may call any function.
 */
#ifndef SYCLZE_DEVICE_QUERY_H
#define SYCLZE_DEVICE_QUERY_H

#include "device.h"

SYCLZE_EXTERN_C_BEGIN

/** Properties of a device. */
typedef struct syclze_device_info {
  char name[ZE_MAX_DEVICE_NAME];
  ze_device_type_t type;
  uint32_t vendor_id, device_id;
  uint8_t uuid[ZE_MAX_DEVICE_UUID_SIZE];
  bool is_integrated;           /* shares the host's memory */
  bool is_sub_device;           /* by the driver: in flat mode also a root device may be one */
  uint32_t sub_device_id;       /* 0 for other devices */
  uint32_t core_clock;          /* MHz */
  uint32_t compute_units;       /* execution units of all slices */
  uint64_t memory_size;         /* bytes, of all of the device's memories */
  uint64_t max_allocation_size; /* bytes */
} syclze_device_info;

/** Elements of a vector, by their type; 0 if the driver does not report them. */
typedef struct syclze_vector_widths {
  uint32_t of_char, of_short, of_int, of_long, of_float, of_double, of_half;
} syclze_vector_widths;

/** The limits of kernels, images and allocations of a device. */
typedef struct syclze_device_limits {
  uint32_t max_work_group_size;    /* work-items of a group */
  uint32_t max_work_item_sizes[3]; /* of them in each dimension */
  uint32_t max_group_counts[3];    /* groups of a launch, in each dimension */
  uint32_t max_num_sub_groups;     /* of a group */
  uint32_t sub_group_size_count;
  uint32_t sub_group_sizes[ZE_SUBGROUPSIZE_COUNT]; /* `sub_group_size_count`, ascending; then 0 */
  uint32_t local_mem_size;                         /* bytes of a group */
  uint32_t max_parameter_size;                     /* bytes of a kernel's arguments */
  uint32_t printf_buffer_size;                     /* bytes */
  uint32_t simd_width, threads_per_compute_unit;
  syclze_vector_widths preferred_vector_width, native_vector_width; /* Level Zero 1.13 */
  /* In pixels; 0 for a device without images. */
  uint32_t image_max_1d, image_max_2d, image_max_3d;
  uint32_t image_max_array_size; /* images */
  uint64_t image_max_buffer_size;
  uint32_t max_samplers, max_read_image_args, max_write_image_args;
  bool has_fp16, has_fp64, has_atomic64;
  ze_device_fp_flags_t fp16, fp32, fp64; /* arithmetic */
  /* 0 if the driver does not report them. */
  ze_device_fp_atomic_ext_flags_t fp16_atomics, fp32_atomics, fp64_atomics;
  /* Accesses that kernels of the device may make to each type of allocation. `cross` is shared
     memory of another device, `system` memory of malloc. */
  ze_memory_access_cap_flags_t usm_host, usm_device, usm_shared, usm_cross, usm_system;
} syclze_device_limits;

/** Address on the PCI bus. */
typedef struct syclze_pci_address {
  uint32_t domain, bus, device, function;
} syclze_pci_address;

/** A queue group, by its index the ordinal of syclze_queue_create. */
typedef struct syclze_queue_group {
  bool computes, copies;        /* what commands may be submitted */
  bool launches_cooperatively;  /* cooperative kernels */
  uint32_t queue_count;         /* indices of queues */
  size_t max_fill_pattern_size; /* bytes */
} syclze_queue_group;

/**
 * Returns the properties of a device.
 *
 * @param[in] device  Null is refused.
 * @param[out] info  Not null; zeros on failure. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `info` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what zeDeviceGetProperties and zeDeviceGetMemoryProperties return
 * @see SYCL 2020 4.6.4.4 (information descriptors); sycl_ext_intel_device_info (uuid, device_id)
 */
SYCLZE_COLD ze_result_t syclze_device_get_info(syclze_device device, syclze_device_info *info)
    SYCLZE_LINK_NAME(syclze_device_get_info);

/**
 * Returns the limits of a device.
 *
 * @param[in] device  Null is refused.
 * @param[out] limits  Not null; zeros on failure. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `limits` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what zeDeviceGetProperties, zeDeviceGetComputeProperties, zeDeviceGetModuleProperties,
 *   zeDeviceGetMemoryAccessProperties and zeDeviceGetImageProperties return
 * @see SYCL 2020 4.6.4.4 (information descriptors)
 */
SYCLZE_COLD ze_result_t syclze_device_get_limits(syclze_device device, syclze_device_limits *limits)
    SYCLZE_LINK_NAME(syclze_device_get_limits);

/**
 * Returns the address of a device on the PCI bus.
 *
 * @param[in] device  Null is refused.
 * @param[out] address  Not null; zeros on failure. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `address` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null
 * - what zeDevicePciGetPropertiesExt returns: ZE_RESULT_ERROR_UNSUPPORTED_FEATURE for a device
 *   without one
 * @see sycl_ext_intel_device_info (pci_address)
 */
SYCLZE_COLD ze_result_t syclze_device_get_pci_address(syclze_device device,
    syclze_pci_address *address) SYCLZE_LINK_NAME(syclze_device_get_pci_address);

/**
 * Returns the free memory of a device, after the use of all programs, by Level Zero's system
 * management (zesMemoryGetState).
 *
 * @param[in] device  Null is refused. For a sub-device, the value of the whole card.
 * @param[out] free_size  In bytes; not null; 0 on failure. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `free_size` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the loader has no zesInit or no
 *   zesDriverGetDeviceByUuidExp, which are of Level Zero 1.9; or the driver has no such memory
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what the functions of zes return
 * @see sycl_ext_intel_device_info (free_memory)
 */
SYCLZE_COLD ze_result_t syclze_device_get_free_memory(syclze_device device, uint64_t *free_size)
    SYCLZE_LINK_NAME(syclze_device_get_free_memory);

/**
 * Returns the queue groups of a device, some of which only copy.
 *
 * @param[in] device  Null is refused.
 * @param[in,out] count  Not null. On entry the capacity of `groups`, or 0 to query; on return the
 * number of groups, or of those written. 0 after an error.
 * @param[out] groups  May be null. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what zeDeviceGetCommandQueueGroupProperties returns
 * @see SYCL 2020 4.6.4.4 (no counterpart); sycl_ext_intel_queue_index
 */
SYCLZE_COLD ze_result_t syclze_device_get_queue_groups(syclze_device device, uint32_t *count,
    syclze_queue_group *groups) SYCLZE_LINK_NAME(syclze_device_get_queue_groups);

/**
 * Returns whether a device can access memory of another one.
 *
 * @param[in] device, peer  Null is refused. Devices of different platforms cannot.
 * @param[out] can  Not null; false on failure. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `can` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: a device is null
 * - what zeDeviceCanAccessPeer returns
 * @see sycl_ext_oneapi_peer_access (device::ext_oneapi_can_access_peer)
 */
SYCLZE_COLD ze_result_t syclze_device_can_access_peer(syclze_device device, syclze_device peer,
    bool *can) SYCLZE_LINK_NAME(syclze_device_can_access_peer);

/**
 * Returns the root device of a device as it is enumerated: in the flat and combined modes of
 * ZE_FLAT_DEVICE_HIERARCHY, where each tile is a root device, the device itself. For the card of
 * such a tile see composite_device.h.
 *
 * @param[in] device  Null gives null.
 * @return The root device; null for null.
 * @see SYCL 2020 4.6.4.4 (info::device::parent_device)
 */
SYCLZE_COLD syclze_device syclze_device_get_root(syclze_device device)
    SYCLZE_LINK_NAME(syclze_device_get_root);

SYCLZE_EXTERN_C_END

#include "detail/objects/device_limits.h"
#include "detail/objects/device_query.h"

#endif
