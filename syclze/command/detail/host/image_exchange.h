/* Blocking copies between images and the host's memory. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_IMAGE_EXCHANGE_H
#define SYCLZE_COMMAND_DETAIL_HOST_IMAGE_EXCHANGE_H

#include "../../../detail/objects/staging_copy.h"
#include "../../../image.h"
#include "../accessor.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* A box of an image that is copied: as many rows and slices as the stage holds. */
struct syclze__image_copy {
  ze_command_list_handle_t list;
  ze_image_handle_t image;
  char *stage;                        /* that the device can access: rows without gaps */
  char *host;                         /* the first pixel of the box that is copied */
  size_t row, row_pitch, slice_pitch; /* in bytes; the pitches are the host's */
  bool to_host;
};

/* Copies between the stage and the host's memory. */
SYCLZE_LOCAL void syclze__image_stage(
    const struct syclze__image_copy *copy, size_t rows, size_t slices) {
  char *stage = copy->stage;
  for (size_t z = 0; z < slices; z++)
    for (size_t y = 0; y < rows; y++, stage += copy->row) {
      char *host = copy->host + z * copy->slice_pitch + y * copy->row_pitch;
      memcpy(copy->to_host ? host : stage, copy->to_host ? stage : host, copy->row);
    }
}

SYCLZE_LOCAL ze_result_t syclze__image_move(
    const struct syclze__image_copy *copy, const ze_image_region_t *box) {
  ze_result_t result;
  if (!copy->to_host) {
    syclze__image_stage(copy, box->height, box->depth);
    return SYCLZE__ZE(zeCommandListAppendImageCopyFromMemory)(
        copy->list, copy->image, copy->stage, box, NULL, 0, NULL);
  }
  result = SYCLZE__ZE(zeCommandListAppendImageCopyToMemory)(
      copy->list, copy->stage, copy->image, box, NULL, 0, NULL);
  if (result == ZE_RESULT_SUCCESS) syclze__image_stage(copy, box->height, box->depth);
  return result;
}

/* The number of pieces of `size` bytes that fit into `room`, at least one and at most `most`. */
SYCLZE_INLINE size_t syclze__image_fit(size_t room, size_t size, size_t most) {
  const size_t fit = room / size;
  return fit > most ? most : fit > 0 ? fit : 1;
}

/* Copies box by box. */
SYCLZE_LOCAL ze_result_t syclze__image_move_all(
    struct syclze__image_copy *copy, const struct syclze__range *part, size_t rows, size_t slices) {
  char *const host = copy->host;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (size_t z = part->first[2]; z < part->end[2]; z += slices)
    for (size_t y = part->first[1]; y < part->end[1] && result == ZE_RESULT_SUCCESS; y += rows) {
      const size_t rows_left = part->end[1] - y, slices_left = part->end[2] - z;
      const ze_image_region_t box = {(uint32_t)part->first[0], (uint32_t)y, (uint32_t)z,
          (uint32_t)(part->end[0] - part->first[0]),
          (uint32_t)(rows < rows_left ? rows : rows_left),
          (uint32_t)(slices < slices_left ? slices : slices_left)};
      copy->host =
          host + (z - part->first[2]) * copy->slice_pitch + (y - part->first[1]) * copy->row_pitch;
      result = syclze__image_move(copy, &box);
    }
  return result;
}

/* Copies a part of an image to or from the host's memory, on the image's device, or on the
 * context's first if that is unknown. */
SYCLZE_LOCAL ze_result_t syclze__image_exchange(struct syclze__image *image,
    const struct syclze__range *part, void *host, size_t row_pitch, size_t slice_pitch,
    bool to_host) {
  struct syclze__context *context = image->memory.context;
  struct syclze__device *device = image->device != NULL ? image->device : context->devices[0];
  const size_t height = part->end[1] - part->first[1], depth = part->end[2] - part->first[2];
  const size_t row =
      (part->end[0] - part->first[0]) * syclze__image_pixel_size(image->order, image->type);
  const size_t rows = syclze__image_fit(SYCLZE__STAGE_MOST, row, height);
  const size_t slices =
      rows == height ? syclze__image_fit(SYCLZE__STAGE_MOST, height * row, depth) : 1;
  struct syclze__image_copy copy = {NULL, (ze_image_handle_t)image->memory.native, NULL,
      (char *)host, row, row_pitch, slice_pitch, to_host};
  struct syclze__staging *staging;
  ze_result_t result = syclze__staging_take(context, device, row * rows * slices, &staging);
  if (result != ZE_RESULT_SUCCESS) return result;
  copy.stage = (char *)staging->memory;
  copy.list = staging->list;
  result = syclze__image_move_all(&copy, part, rows, slices);
  return syclze__staging_give(context, staging, result);
}

#endif

SYCLZE_EXTERN_C_END

#endif
