/**
 * @file
 * Aspects: SYCL's optional features, and whether a device has one. Included by name.
 *
 *     bool has;
 *     if (syclze_device_has(device, SYCLZE_ASPECT_FP64, &has) == ZE_RESULT_SUCCESS && has)
 *       puts("double");
 *
 * Derived from Level Zero's properties, as in DPC++. A device has the aspect of a query if the
 * query succeeds.
 *
 * Ownership: none. Threads: any thread may call any function.
 */
#ifndef SYCLZE_ASPECT_H
#define SYCLZE_ASPECT_H

#include "device.h"

SYCLZE_EXTERN_C_BEGIN

/** Aspects, by the numbers of DPC++ 2026. @see SYCL 2020 4.6.4.5 */
typedef enum syclze_aspect {
  SYCLZE_ASPECT_CPU = 1,
  SYCLZE_ASPECT_GPU = 2,
  SYCLZE_ASPECT_ACCELERATOR = 3, /* FPGAs */
  SYCLZE_ASPECT_CUSTOM = 4,      /* never */
  SYCLZE_ASPECT_FP16 = 5,
  SYCLZE_ASPECT_FP64 = 6,
  SYCLZE_ASPECT_IMAGE = 9,
  SYCLZE_ASPECT_ONLINE_COMPILER = 10, /* always: modules of SPIR-V */
  SYCLZE_ASPECT_ONLINE_LINKER = 11,   /* always */
  SYCLZE_ASPECT_QUEUE_PROFILING = 12,
  SYCLZE_ASPECT_USM_DEVICE_ALLOCATIONS = 13,
  SYCLZE_ASPECT_USM_HOST_ALLOCATIONS = 14,
  SYCLZE_ASPECT_USM_SHARED_ALLOCATIONS = 15,
  SYCLZE_ASPECT_USM_SYSTEM_ALLOCATIONS = 17,
  SYCLZE_ASPECT_EXT_INTEL_PCI_ADDRESS = 18,
  SYCLZE_ASPECT_EXT_INTEL_GPU_EU_COUNT = 19,
  SYCLZE_ASPECT_EXT_INTEL_GPU_EU_SIMD_WIDTH = 20,
  SYCLZE_ASPECT_EXT_INTEL_GPU_SLICES = 21,
  SYCLZE_ASPECT_EXT_INTEL_GPU_SUBSLICES_PER_SLICE = 22,
  SYCLZE_ASPECT_EXT_INTEL_GPU_EU_COUNT_PER_SUBSLICE = 23,
  SYCLZE_ASPECT_USM_ATOMIC_HOST_ALLOCATIONS = 25,
  SYCLZE_ASPECT_USM_ATOMIC_SHARED_ALLOCATIONS = 26,
  SYCLZE_ASPECT_ATOMIC64 = 27,
  SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_UUID = 28, /* always */
  SYCLZE_ASPECT_EXT_ONEAPI_SRGB = 29,            /* never: Level Zero has no such format */
  SYCLZE_ASPECT_HOST_DEBUGGABLE = 31,            /* never */
  SYCLZE_ASPECT_EXT_INTEL_GPU_HW_THREADS_PER_EU = 32,
  SYCLZE_ASPECT_EXT_INTEL_FREE_MEMORY = 34,
  SYCLZE_ASPECT_EXT_INTEL_DEVICE_ID = 35, /* always */
  SYCLZE_ASPECT_EXT_INTEL_MEMORY_CLOCK_RATE = 36,
  SYCLZE_ASPECT_EXT_INTEL_MEMORY_BUS_WIDTH = 37,
  SYCLZE_ASPECT_EMULATED = 38,               /* never */
  SYCLZE_ASPECT_EXT_INTEL_LEGACY_IMAGE = 39, /* as SYCLZE_ASPECT_IMAGE */
  SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES = 40,
  SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES_2D_USM = 43, /* pitched ones: bindless_image.h */
  SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_MEMORY_IMPORT = 44,
  SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_SEMAPHORE_IMPORT = 45,
  SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP = 46,                 /* never: Level Zero has none */
  SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP_ANISOTROPY = 47,      /* never */
  SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP_LEVEL_REFERENCE = 48, /* never */
  SYCLZE_ASPECT_EXT_INTEL_ESIMD = 49,                   /* GPUs of Intel */
  SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPOSITE = 54,
  SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT = 55,
  SYCLZE_ASPECT_EXT_ONEAPI_GRAPH = 56,                      /* always */
  SYCLZE_ASPECT_EXT_ONEAPI_LIMITED_GRAPH = 57,              /* always */
  SYCLZE_ASPECT_EXT_ONEAPI_CUBEMAP = 59,                    /* never: Level Zero has none */
  SYCLZE_ASPECT_EXT_ONEAPI_CUBEMAP_SEAMLESS_FILTERING = 60, /* never */
  SYCLZE_ASPECT_EXT_ONEAPI_QUEUE_PROFILING_TAG = 66,
  SYCLZE_ASPECT_EXT_ONEAPI_VIRTUAL_MEM = 67,        /* always */
  SYCLZE_ASPECT_EXT_INTEL_SPILL_MEMORY_SIZE = 75,   /* always */
  SYCLZE_ASPECT_EXT_ONEAPI_ASYNC_MEMORY_ALLOC = 80, /* always: async_memory.h */
  SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_LUID = 81,
  SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_NODE_MASK = 82,
  SYCLZE_ASPECT_EXT_ONEAPI_EXPORTABLE_DEVICE_MEM = 83,
  SYCLZE_ASPECT_EXT_ONEAPI_IS_INTEGRATED_GPU = 87,
  SYCLZE_ASPECT_EXT_ONEAPI_IPC_MEMORY = 88,
  SYCLZE_ASPECT_EXT_ONEAPI_REGISTER_HOST_MEMORY = 97,
  SYCLZE_ASPECT_EXT_ONEAPI_IPC_EVENT = 99
} syclze_aspect;

/**
 * Returns whether a device has an aspect.
 *
 * @param[in] device  Null is refused.
 * @param[in] aspect  Of syclze_aspect.
 * @param[out] has  Not null; false on failure.
 * Ownership afterwards: unchanged.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `has` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the aspect is unknown
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what the queries of the properties return
 *
 * A device lacks the aspects that its loader or driver does not support.
 * @see SYCL 2020 4.6.4.2 (device::has)
 */
SYCLZE_COLD ze_result_t syclze_device_has(syclze_device device, syclze_aspect aspect, bool *has)
    SYCLZE_LINK_NAME(syclze_device_has);

/**
 * Returns the aspect of a name, as SYCL and its extensions write it: "fp64".
 *
 * @param[in] name  Not null.
 * @param[out] aspect  Not null; 0, which is not an aspect, on failure.
 * Ownership afterwards: unchanged.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `name` or `aspect` is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the aspect's name is unknown
 * @see SYCL 2020 4.6.4.5
 */
SYCLZE_COLD ze_result_t syclze_aspect_find(const char *name, syclze_aspect *aspect)
    SYCLZE_LINK_NAME(syclze_aspect_find);

SYCLZE_EXTERN_C_END

#include "detail/objects/aspect.h"

#endif
