/**
 * @file
 * DPC++'s properties of one kernel of an image: arguments that the compiler removed, the implicit
 * argument for local memory, assert.
 *
 *     static void set(syclze_kernel_info *info, ze_kernel_handle_t kernel, uint32_t i, int value) {
 *       uint32_t index;
 *       if (syclze_kernel_info_argument(info, i, &index))
 *         zeKernelSetArgumentValue(kernel, index, sizeof value, &value);
 *     }
 *
 * A compiler removes arguments that the kernel does not use; a program with the arguments of the
 * source must skip those. Ownership: plain data of the caller's. Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_KERNEL_INFO_H
#define SYCLZE_OFFLOAD_KERNEL_INFO_H

#include "property_set.h"

SYCLZE_EXTERN_C_BEGIN

/** The most arguments of a kernel's source. */
enum { SYCLZE_KERNEL_ARGUMENT_LIMIT = 4096 };

/** The properties of a kernel. */
typedef struct syclze_kernel_info {
  /** The number before the removal; 0: the image does not have it. DPC++'s run-time compiler rounds
   * it up to a multiple of eight: arguments past the kernel's last one count as present. */
  uint32_t source_argument_count;
  uint32_t argument_count;          /**< of those, the number that the kernel has */
  bool uses_assert;                 /**< it, or a function that it calls, may assert */
  bool has_implicit_local_argument; /**< an argument for local memory that the source lacks */
  uint32_t implicit_local_argument; /**< its index among the kernel's arguments */
  uint64_t removed[SYCLZE_KERNEL_ARGUMENT_LIMIT / 64]; /**< private: a bit for each argument */
} syclze_kernel_info;

/**
 * Reads an image's properties of a kernel. A missing property is not an error: no argument was
 * removed.
 *
 * @param[in] image  not null.
 * @param[in] kernel  its name; not null.
 * @param[out] info  not null; zeros on failure.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a pointer is null
 * - the errors of syclze_property_sets_open
 * - SYCLZE_RESULT_ERROR_INVALID: a mask that is shorter than its count
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: more arguments than the limit
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD ze_result_t syclze_kernel_info_read(const syclze_offload_image *image,
    const char *kernel, syclze_kernel_info *info) SYCLZE_LINK_NAME(syclze_kernel_info_read);

/**
 * The index of an argument of the source among the kernel's arguments.
 *
 * @param[in] info  not null.
 * @param[in] source_index  from 0.
 * @param[out] index  not null; unchanged if the argument was removed.
 * @return false if the compiler removed it.
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD bool syclze_kernel_info_argument(const syclze_kernel_info *info, uint32_t source_index,
    uint32_t *index) SYCLZE_LINK_NAME(syclze_kernel_info_argument);

SYCLZE_EXTERN_C_END

#include "detail/kernel_info.h"

#endif
