/**
 * @file
 * Fills of images. EXPERIMENTAL, and included by name; command.h does not include it.
 *
 *     const float red[4] = {1, 0, 0, 1};
 *     syclze_group group = syclze_group_begin(queue);
 *     syclze_accessor all = syclze_require(&group, image, SYCLZE_ACCESS_DISCARD_WRITE);
 *     ze_result_t result = syclze_group_fill_image(&group, all, red, NULL, &event);
 *
 * Level Zero fills no images: the pixels are copied from memory of the host, which the library
 * frees once the copy is done.
 *
 * Ownership and threads: as of copy.h.
 */
#ifndef SYCLZE_COMMAND_IMAGE_FILL_H
#define SYCLZE_COMMAND_IMAGE_FILL_H

#include "copy.h"
#include "event_sync.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Fills a region of an image with one pixel.
 *
 * @param[in,out] group  Not null.
 * @param[in] to  An image's.
 * @param[in] pixel  In the image's format, without conversion; not null. Read by the call.
 * @param[in] region  In pixels; null for all of the image. Read by the call.
 * @param[out] event  May be null; the caller owns the reference.
 * @return As syclze_group_copy_to_image, which diagnostics name, or
 * - SYCLZE_RESULT_ERROR_INVALID: the queue records to a graph.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the region's pixels.
 * @see SYCL 2020 4.9.4.3 (handler::fill); OpenCL, clEnqueueFillImage
 */
SYCLZE_COLD ze_result_t syclze_group_fill_image(syclze_group *group, syclze_accessor to,
    const void *pixel, const ze_image_region_t *region, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_fill_image);

SYCLZE_EXTERN_C_END

#include "detail/commands/image_fill.h"

#endif
