/**
 * @file
 * Kernel properties: arguments, group sizes, memory, sub-groups, attributes, and the number of
 * groups that run at once. Included by name.
 *
 *     syclze_kernel_properties properties;
 *     if (syclze_kernel_get_properties(kernel, &properties) == ZE_RESULT_SUCCESS)
 *       printf("%u arguments\n", properties.argument_count);
 *
 * Ownership: plain data of the caller's. Threads: any thread may call any function, also while the
 * kernel is launched.
 */
#ifndef SYCLZE_KERNEL_QUERY_H
#define SYCLZE_KERNEL_QUERY_H

#include "kernel.h"

SYCLZE_EXTERN_C_BEGIN

/** Properties of a kernel on the device of its module. */
typedef struct syclze_kernel_properties {
  uint32_t argument_count;
  uint32_t required_group_size[3];   /* in work-items; zeros for none */
  uint32_t required_sub_group_count; /* of a group; 0 for none */
  uint32_t required_sub_group_size;  /* in work-items; 0 for none */
  uint32_t max_sub_group_size;       /* in work-items */
  uint32_t max_sub_group_count;      /* of a group */
  uint32_t preferred_group_multiple; /* in work-items; 0 if the driver does not report it */
  uint32_t local_memory_size;        /* bytes of each group, besides local arguments */
  uint32_t private_memory_size;      /* bytes of each work-item */
  uint32_t spill_memory_size;        /* bytes of each work-item */
} syclze_kernel_properties;

/**
 * Returns the properties of a kernel.
 *
 * @param[in] kernel  Null is refused.
 * @param[out] properties  Not null; zeros on failure. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `properties` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the kernel is null
 * - what zeKernelGetProperties returns
 * @see SYCL 2020 4.11.13.1 (info::kernel, info::kernel_device_specific)
 */
SYCLZE_COLD ze_result_t syclze_kernel_get_properties(syclze_kernel kernel,
    syclze_kernel_properties *properties) SYCLZE_LINK_NAME(syclze_kernel_get_properties);

/**
 * Returns the attributes of a kernel's source, separated by spaces.
 *
 * @param[in] kernel  Null is refused.
 * @param[out] attributes  Not null; null on failure. The driver's, valid as long as the kernel.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `attributes` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the kernel is null
 * - what zeKernelGetSourceAttributes returns
 * @see SYCL 2020 4.11.13.1 (info::kernel::attributes)
 */
SYCLZE_COLD ze_result_t syclze_kernel_get_attributes(syclze_kernel kernel, const char **attributes)
    SYCLZE_LINK_NAME(syclze_kernel_get_attributes);

/**
 * Returns the group size that the driver suggests for a launch, which launches without a local
 * range use.
 *
 * @param[in] kernel  Null is refused.
 * @param[in] global  Three values, in work-items; not null.
 * @param[out] local  Three values, in work-items; not null; zeros on failure. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `global` or `local` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the kernel is null
 * - what zeKernelSuggestGroupSize returns
 * @see sycl_ext_oneapi_work_group_specific; Unified Runtime urKernelGetSuggestedLocalWorkSize
 */
SYCLZE_COLD ze_result_t syclze_kernel_suggest_group_size(syclze_kernel kernel,
    const uint32_t *global, uint32_t *local) SYCLZE_LINK_NAME(syclze_kernel_suggest_group_size);

/**
 * Returns how many groups of a size run at once on the device: the maximum of a cooperative launch.
 * Queries a temporary kernel, since the group size is set in the native kernel, which other threads
 * may launch.
 *
 * @param[in] kernel  Null is refused.
 * @param[in] local  Three values, in work-items; not null.
 * @param[out] count  Number of groups; not null; 0 on failure. The caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `local` or `count` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the kernel is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what zeKernelGetName, zeKernelCreate, zeKernelSetGroupSize and
 *   zeKernelSuggestMaxCooperativeGroupCount return
 * @see sycl_ext_oneapi_root_group (max_num_work_groups)
 */
SYCLZE_COLD ze_result_t syclze_kernel_get_max_group_count(syclze_kernel kernel,
    const uint32_t *local, uint32_t *count) SYCLZE_LINK_NAME(syclze_kernel_get_max_group_count);

SYCLZE_EXTERN_C_END

#include "detail/objects/kernel_query.h"

#endif
