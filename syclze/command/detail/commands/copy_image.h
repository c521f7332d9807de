/* Copies from and to images. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_IMAGE_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_IMAGE_H

#include "../../../image.h"
#include "copy.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL void syclze__transfer_trace_region(struct syclze__trace_transfer_info *info,
    const syclze_accessor *accessor, const ze_image_region_t *region) {
  if (accessor->memory == NULL || !accessor->is_image) return;
  const struct syclze__image *image = (const struct syclze__image *)(const void *)accessor->memory;
  memcpy(info->extent, image->memory.range, sizeof info->extent);
  if (region != NULL) {
    const size_t origin[3] = {region->originX, region->originY, region->originZ};
    const size_t extent[3] = {region->width, region->height, region->depth};
    for (uint32_t i = 0; i < 3; i++) {
      info->origin[i] = origin[i];
      info->extent[i] = extent[i] != 0 ? extent[i] : 1;
    }
  }
  info->size = info->extent[0] * info->extent[1] * info->extent[2] *
               syclze__image_pixel_size(image->order, image->type);
}

SYCLZE_LOCAL void syclze__image_transfer_trace(
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  const struct syclze__transfer *transfer = syclze__transfer_of(command);
  syclze__transfer_trace(command, trace);
  syclze__transfer_trace_region(&trace->transfer,
      transfer->kind == SYCLZE__TRACE_IMAGE_WRITE ? transfer->to_accessor : transfer->from_accessor,
      transfer->region);
}
#endif

/* The table of a transfer of an image. */
#define SYCLZE__IMAGE_TRANSFER_TABLE(rule, append)                                                 \
  SYCLZE__TRANSFER_TABLE_OF(                                                                       \
      struct syclze__transfer, rule, NULL, append, syclze__image_transfer_trace)

/* The size of an image's region in bytes; 0 after an error, which the group keeps: then the
 * accessor may be that of another object. */
SYCLZE_LOCAL size_t syclze__image_bytes(
    syclze_group *group, const syclze_accessor *accessor, const ze_image_region_t *region) {
  if (group->status.result != ZE_RESULT_SUCCESS) return 0;
  const struct syclze__image *image = (const struct syclze__image *)(const void *)accessor->memory;
  struct syclze__range part = syclze__range_whole(&image->memory);
  if (region != NULL && !syclze__range_of_region(&image->memory, region, &part)) {
    syclze__group_fail(group, syclze__invalid("the region is empty or does not lie in the image"));
    return 0;
  }
  size_t bytes = syclze__image_pixel_size(image->order, image->type);
  for (uint32_t i = 0; i < 3; i++)
    bytes *= part.end[i] - part.first[i];
  return bytes;
}

SYCLZE_LOCAL ze_result_t syclze__image_write_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer *copy = syclze__transfer_of(command);
  return SYCLZE__ZE(zeCommandListAppendImageCopyFromMemory)(at->list, (ze_image_handle_t)copy->to,
      copy->from, copy->region, at->signal, at->wait_count, at->waits);
}

SYCLZE_COLD ze_result_t syclze_group_copy_to_image(syclze_group *group, syclze_accessor to,
    syclze_memory_argument from, const ze_image_region_t *region, syclze_event *event) {
  static const struct syclze__command_table table = SYCLZE__IMAGE_TRANSFER_TABLE(
      "zeCommandListAppendImageCopyFromMemory failed", syclze__image_write_append);
  struct syclze__transfer copy;
  syclze__transfer_init(&copy, &table, "syclze_group_copy_to_image", SYCLZE__TRACE_IMAGE_WRITE);
  copy.to = syclze__mem_image(group, &to, true);
  copy.from = syclze__mem_address(group, &from, syclze__image_bytes(group, &to, region), false);
  copy.to_accessor = &to;
  copy.from_accessor = syclze__mem_accessor(&from);
  copy.region = region;
  return syclze__command_submit(group, &copy.command, event);
}

/* The image that is read. */
SYCLZE_INLINE ze_image_handle_t syclze__transfer_source(const struct syclze__transfer *copy) {
  ze_image_handle_t image;
  memcpy(&image, &copy->from, sizeof image);
  return image;
}

SYCLZE_LOCAL ze_result_t syclze__image_read_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer *copy = syclze__transfer_of(command);
  return SYCLZE__ZE(zeCommandListAppendImageCopyToMemory)(at->list, copy->to,
      syclze__transfer_source(copy), copy->region, at->signal, at->wait_count, at->waits);
}

SYCLZE_COLD ze_result_t syclze_group_copy_from_image(syclze_group *group, syclze_memory_argument to,
    syclze_accessor from, const ze_image_region_t *region, syclze_event *event) {
  static const struct syclze__command_table table = SYCLZE__IMAGE_TRANSFER_TABLE(
      "zeCommandListAppendImageCopyToMemory failed", syclze__image_read_append);
  struct syclze__transfer copy;
  syclze__transfer_init(&copy, &table, "syclze_group_copy_from_image", SYCLZE__TRACE_IMAGE_READ);
  copy.from = syclze__mem_image(group, &from, false);
  copy.to = syclze__mem_address(group, &to, syclze__image_bytes(group, &from, region), true);
  copy.to_accessor = syclze__mem_accessor(&to);
  copy.from_accessor = &from;
  copy.region = region;
  return syclze__command_submit(group, &copy.command, event);
}

SYCLZE_LOCAL ze_result_t syclze__image_copy_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer *copy = syclze__transfer_of(command);
  return SYCLZE__ZE(zeCommandListAppendImageCopy)(at->list, (ze_image_handle_t)copy->to,
      syclze__transfer_source(copy), at->signal, at->wait_count, at->waits);
}

SYCLZE_COLD ze_result_t syclze_group_copy_image(
    syclze_group *group, syclze_accessor to, syclze_accessor from, syclze_event *event) {
  static const struct syclze__command_table table = SYCLZE__IMAGE_TRANSFER_TABLE(
      "zeCommandListAppendImageCopy failed", syclze__image_copy_append);
  struct syclze__transfer copy;
  syclze__transfer_init(&copy, &table, "syclze_group_copy_image", SYCLZE__TRACE_IMAGE_COPY);
  copy.to = syclze__mem_image(group, &to, true);
  copy.from = syclze__mem_image(group, &from, false);
  copy.to_accessor = &to;
  copy.from_accessor = &from;
  return syclze__command_submit(group, &copy.command, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
