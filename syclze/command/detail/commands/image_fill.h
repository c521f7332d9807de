/* Fills of images. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_IMAGE_FILL_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_IMAGE_FILL_H

#include "../../image_fill.h"
#include "../host/event_sync.h"
#include "copy_image.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The pixels of a region, for the caller to free; null after an error, which the group keeps. */
SYCLZE_LOCAL void *syclze__image_pixels(syclze_group *group, const syclze_accessor *to,
    const void *pixel, const ze_image_region_t *region) {
  if (pixel == NULL) {
    syclze__group_fail(group, syclze__null_pointer("the pixel's pointer is null"));
    return NULL;
  }
  syclze__recording_exclude(group, "sycl_ext_oneapi_graph: fills of images are not recorded");
  if (group->status.result != ZE_RESULT_SUCCESS || syclze__mem_image(group, to, true) == NULL)
    return NULL;
  const size_t size = syclze__image_bytes(group, to, region);
  if (size == 0) return NULL;
  const struct syclze__image *image = (const struct syclze__image *)(const void *)to->memory;
  const size_t one = syclze__image_pixel_size(image->order, image->type);
  char *pixels = (char *)malloc(size);
  if (pixels == NULL) {
    syclze__group_fail(group, syclze__out_of_memory());
    return NULL;
  }
  memcpy(pixels, pixel, one);
  for (size_t filled = one; filled < size; filled *= 2)
    memcpy(pixels + filled, pixels, filled < size - filled ? filled : size - filled);
  return pixels;
}

/* Frees the pixels, unless the copy may still read them. */
SYCLZE_LOCAL void syclze__image_pixels_free(void *pixels, ze_result_t result) {
  if (result == ZE_RESULT_SUCCESS)
    free(pixels);
  else
    syclze__fail(result, "syclze_group_fill_image",
        "the copy cannot be awaited: its memory is not freed", NULL);
}

SYCLZE_COLD ze_result_t syclze_group_fill_image(syclze_group *group, syclze_accessor to,
    const void *pixel, const ze_image_region_t *region, syclze_event *event) {
  void *pixels = syclze__image_pixels(group, &to, pixel, region);
  syclze_event done;
  if (event != NULL) event->rep = NULL;
  const ze_result_t result =
      syclze_group_copy_to_image(group, to, syclze_memory_argument_pointer(pixels), region, &done);
  if (result != ZE_RESULT_SUCCESS) {
    free(pixels);
    return result;
  }
  const struct syclze__status status =
      syclze__event_callback_start(done, syclze__image_pixels_free, pixels);
  if (status.result != ZE_RESULT_SUCCESS)
    syclze__image_pixels_free(pixels, syclze__event_await(done.rep));
  if (event != NULL)
    *event = done;
  else
    syclze__event_release(done.rep);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
