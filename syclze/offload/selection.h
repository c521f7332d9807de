/**
 * @file
 * The image from which a device runs a kernel.
 *
 *     syclze_offload_set set = syclze_offload_registered();
 *     syclze_device_traits traits;
 *     syclze_candidate best;
 *     uint32_t count = 1;
 *     char why[1024];
 *     if (syclze_device_get_traits(device, &traits) == ZE_RESULT_SUCCESS &&
 *         syclze_selection_find(set, "saxpy", &traits, &count, &best, why, sizeof why) !=
 *             ZE_RESULT_SUCCESS)
 *       fputs(why, stderr);
 *
 * An image is checked by its bytes: tags and the endings of file names are not trusted. It must be
 * for Level Zero (its triple; for NVIDIA's, on a device of NVIDIA), be code that the driver
 * accepts, for this device (the versions in native code), and its requirements must be met. Native
 * code precedes SPIR-V, and SPIR-V inside native code for other devices is SPIR-V. Where SPIR-V
 * requires what the device lacks, but the kernel itself does not, its part with the kernel is
 * selected if the set allows division (division.h). Ownership: results are views, as in the set.
 * Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_SELECTION_H
#define SYCLZE_OFFLOAD_SELECTION_H

#include "image_set.h"
#include "requirement.h"

SYCLZE_EXTERN_C_BEGIN

/** The fit of an image: a higher value is better. */
typedef enum syclze_fit {
  SYCLZE_FIT_NONE = 0,
  SYCLZE_FIT_JIT,          /**< SPIR-V, which the driver compiles */
  SYCLZE_FIT_MAYBE_NATIVE, /**< native code whose target only the driver can check */
  SYCLZE_FIT_NATIVE        /**< native code for the device */
} syclze_fit;

/** One way to make a module. */
typedef struct syclze_candidate {
  uint64_t serial; /**< the image's number in its set; 0: of none */
  syclze_offload_image image;
  syclze_fit fit;
  ze_module_format_t format; /**< for zeModuleCreate */
  syclze_bytes module;       /**< for zeModuleCreate: the image's bytes, or the SPIR-V in them */
  uint32_t part;             /**< of the SPIR-V divided by requirement, from 1; 0: the whole */
} syclze_candidate;

/** The most candidates of one image: its native code, and its SPIR-V. */
enum { SYCLZE_SELECTION_PER_IMAGE = 2 };

/**
 * The candidates of one image by itself.
 *
 * @param[in] image  not null.
 * @param[in] kernel  the kernel's name; null: none in particular.
 * @param[in] traits  the device's; not null.
 * @param[out] candidates  not null; an array of SYCLZE_SELECTION_PER_IMAGE, best first.
 * @param[out] reason  not null; why there is none.
 * @return the number of candidates.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD uint32_t syclze_selection_check(const syclze_offload_image *image, const char *kernel,
    const syclze_device_traits *traits, syclze_candidate *candidates, syclze_reason *reason)
    SYCLZE_LINK_NAME(syclze_selection_check);

/**
 * The candidates for a kernel, best first; equal ones in the order in which their images were
 * added.
 *
 * @param[in] set  not null.
 * @param[in] kernel  not null.
 * @param[in] traits  the device's; not null.
 * @param[in,out] count  not null: the length of `candidates`; set to the number of candidates.
 * @param[out] candidates  not null.
 * @param[out] why  gets a line for each image that does not fit, cut off at `why_size` bytes and
 *   terminated; may be null.
 * @param[in] why_size  in bytes.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `set` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: another pointer is null
 * - ZE_RESULT_ERROR_INVALID_KERNEL_NAME: no image has the kernel
 * - SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED: no image fits; the diagnostic's detail is that of
 * `why`
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_selection_find(syclze_offload_set set, const char *kernel,
    const syclze_device_traits *traits, uint32_t *count, syclze_candidate *candidates, char *why,
    size_t why_size) SYCLZE_LINK_NAME(syclze_selection_find);

/**
 * Finds the images that a candidate must be linked with: for each symbol that it, or one of those,
 * imports and none of them exports, the first image of the set that exports it and fits; and each
 * fitting image with virtual functions of a set that one of them uses.
 *
 * @param[in] set  not null.
 * @param[in] candidate  not null.
 * @param[in] traits  the device's; not null.
 * @param[in,out] count  not null: the length of `others`; set to the number of images, 0 on
 * failure.
 * @param[out] others  not null, unless the length is 0.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_MODULE_LINK_FAILURE: an import that no image exports, which is the diagnostic's
 *   detail; more images than the array has room for
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, Linking of device objects
 */
SYCLZE_COLD ze_result_t syclze_selection_link(syclze_offload_set set,
    const syclze_candidate *candidate, const syclze_device_traits *traits, uint32_t *count,
    syclze_candidate *others) SYCLZE_LINK_NAME(syclze_selection_link);

SYCLZE_EXTERN_C_END

#include "detail/selection.h"

#endif
