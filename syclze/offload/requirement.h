/**
 * @file
 * Checks that a device meets the requirements of an image.
 *
 *     syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(file, file_size));
 *     syclze_device_traits traits;
 *     syclze_reason reason;
 *     if (syclze_device_get_traits(device, &traits) == ZE_RESULT_SUCCESS &&
 *         !syclze_requirements_met(&image, "saxpy", &traits, &reason))
 *       puts(reason.text);
 *
 * DPC++ writes requirements as properties; without those they are the capabilities and execution
 * modes of SPIR-V. Ownership: nothing is kept. Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_REQUIREMENT_H
#define SYCLZE_OFFLOAD_REQUIREMENT_H

#include "device_traits.h"
#include "image_set.h"

SYCLZE_EXTERN_C_BEGIN

/** Why something does not fit: one line without its end. */
typedef struct syclze_reason {
  char text[160]; /**< terminated */
} syclze_reason;

/**
 * The name of a SYCL aspect by DPC++'s number: "fp64".
 *
 * @param[in] aspect  any number.
 * @param[in] numbers  the numbering of the aspect (an image's aspect_numbers); an unknown one
 * counts as the newest.
 * @return a static string, never null; "unknown" for other numbers.
 * @see SYCL 2020 4.6.4.5
 */
SYCLZE_COLD const char *syclze_aspect_string(uint32_t aspect, syclze_aspect_numbers numbers)
    SYCLZE_LINK_NAME(syclze_aspect_string);

/**
 * Checks that a device meets an image's requirements: those of its properties for all of its
 * kernels, and those of its SPIR-V for all and for one kernel.
 *
 * @param[in] image  not null.
 * @param[in] kernel  the kernel's name; null: none in particular.
 * @param[in] traits  the device's; not null.
 * @param[out] reason  not null; the first requirement that is not met, else empty.
 * @return true if the device meets them.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD bool syclze_requirements_met(const syclze_offload_image *image, const char *kernel,
    const syclze_device_traits *traits, syclze_reason *reason)
    SYCLZE_LINK_NAME(syclze_requirements_met);

SYCLZE_EXTERN_C_END

#include "detail/requirement.h"

#endif
