/* The appends that copy images. */
#include "commands/list.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "images/copy.h"

#include <stdlib.h>

/* The number of a region's dimensions that an image of the type has. */
static int dimensions_of(ze_image_type_t type) {
  switch (type) {
  case ZE_IMAGE_TYPE_1DARRAY:
  case ZE_IMAGE_TYPE_2D:
    return 2;
  case ZE_IMAGE_TYPE_2DARRAY:
  case ZE_IMAGE_TYPE_3D:
    return 3;
  default:
    return 1;
  }
}

/* The part of an image that a region names: all of it without one. What it gives for dimensions
 * that the image's type lacks does not count. */
static ze_result_t read_region(const struct zecl_image *image, const ze_image_region_t *asked,
    bool may_overhang, struct zecl_image_region *region) {
  *region = zecl_image_whole(image);
  if (!asked) return ZE_RESULT_SUCCESS;
  const uint32_t origin[3] = {asked->originX, asked->originY, asked->originZ};
  const uint32_t size[3] = {asked->width, asked->height, asked->depth};
  for (int i = 0; i < dimensions_of(image->type); i++) {
    region->origin[i] = origin[i];
    region->size[i] = size[i] ? size[i] : 1;
    const size_t end = region->origin[i] + (may_overhang ? 1 : region->size[i]);
    ZECL_REQUIRE(end <= image->size[i], ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  ZECL_REQUIRE(asked->width != 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

/* Clips the copy: texels beyond the edge of either image are not copied. */
static void clip(struct zecl_image_copy *copy) {
  for (int i = 0; i < 3; i++) {
    const size_t to = copy->to_image->size[i] - copy->to.origin[i];
    const size_t from = copy->from_image->size[i] - copy->from.origin[i];
    const size_t most = to < from ? to : from;
    if (copy->to.size[i] > most) copy->to.size[i] = copy->from.size[i] = most;
  }
}

static bool overlap(const struct zecl_image_region *a, const struct zecl_image_region *b) {
  for (int i = 0; i < 3; i++)
    if (a->origin[i] + a->size[i] <= b->origin[i] || b->origin[i] + b->size[i] <= a->origin[i])
      return false;
  return true;
}

static ze_result_t append(ze_command_list_handle_t list, const struct zecl_image_copy *copy,
    ze_event_handle_t signal, uint32_t wait_count, const ze_event_handle_t *waits) {
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_IMAGE_COPY;
  draft.image_copy = malloc(sizeof *copy);
  if (!draft.image_copy) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *draft.image_copy = *copy;
  if (copy->to_image) zecl_object_retain(copy->to_image);
  if (copy->from_image) zecl_object_retain(copy->from_image);
  return zecl_append(list, &draft, signal, wait_count, waits);
}

static ze_result_t append_between(ze_command_list_handle_t list, ze_image_handle_t to,
    ze_image_handle_t from, const ze_image_region_t *to_region,
    const ze_image_region_t *from_region, ze_event_handle_t signal, uint32_t wait_count,
    const ze_event_handle_t *waits) {
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_HANDLE(to, ZECL_IMAGE);
  ZECL_CHECK_HANDLE(from, ZECL_IMAGE);
  struct zecl_image_copy copy = {.to_image = zecl_image_of(to), .from_image = zecl_image_of(from)};
  ZECL_TRY(read_region(copy.to_image, to_region, true, &copy.to));
  ZECL_TRY(read_region(copy.from_image, from_region, true, &copy.from));
  for (int i = 0; i < 3; i++)
    ZECL_REQUIRE(copy.to.size[i] == copy.from.size[i], ZE_RESULT_ERROR_INVALID_SIZE);
  clip(&copy);
  ZECL_REQUIRE(zecl_texel_size(&copy.to_image->format) == zecl_texel_size(&copy.from_image->format),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(to != from || !overlap(&copy.to, &copy.from), ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  return append(list, &copy, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendImageCopy(ze_command_list_handle_t list, ze_image_handle_t to,
    ze_image_handle_t from, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendImageCopy);
  return append_between(list, to, from, NULL, NULL, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendImageCopyRegion(ze_command_list_handle_t list,
    ze_image_handle_t to, ze_image_handle_t from, const ze_image_region_t *to_region,
    const ze_image_region_t *from_region, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendImageCopyRegion);
  return append_between(list, to, from, to_region, from_region, signal, wait_count, waits);
}

/* Pitches of zero mean that the memory has no gaps. Layers of a 1D array follow each other by the
 * slice pitch, where there is one. */
static ze_result_t set_pitches(struct zecl_image_copy *copy, const struct zecl_image *image,
    const struct zecl_image_region *region, uint32_t row_pitch, uint32_t slice_pitch) {
  const size_t row = region->size[0] * zecl_texel_size(&image->format);
  if (image->type == ZE_IMAGE_TYPE_1DARRAY && slice_pitch) row_pitch = slice_pitch;
  copy->row_pitch = row_pitch ? row_pitch : row;
  ZECL_REQUIRE(copy->row_pitch >= row, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const size_t slice = copy->row_pitch * (region->size[1] - 1) + row;
  copy->slice_pitch = slice_pitch ? slice_pitch : copy->row_pitch * region->size[1];
  ZECL_REQUIRE(
      region->size[2] == 1 || copy->slice_pitch >= slice, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append_to_memory(ze_command_list_handle_t list, void *to, ze_image_handle_t from,
    const ze_image_region_t *region, uint32_t row_pitch, uint32_t slice_pitch,
    ze_event_handle_t signal, uint32_t wait_count, const ze_event_handle_t *waits) {
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_HANDLE(from, ZECL_IMAGE);
  ZECL_CHECK_POINTER(to);
  struct zecl_image_copy copy = {.from_image = zecl_image_of(from), .to_memory = to};
  ZECL_TRY(read_region(copy.from_image, region, false, &copy.from));
  ZECL_TRY(set_pitches(&copy, copy.from_image, &copy.from, row_pitch, slice_pitch));
  return append(list, &copy, signal, wait_count, waits);
}

static ze_result_t append_from_memory(ze_command_list_handle_t list, ze_image_handle_t to,
    const void *from, const ze_image_region_t *region, uint32_t row_pitch, uint32_t slice_pitch,
    ze_event_handle_t signal, uint32_t wait_count, const ze_event_handle_t *waits) {
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_HANDLE(to, ZECL_IMAGE);
  ZECL_CHECK_POINTER(from);
  struct zecl_image_copy copy = {.to_image = zecl_image_of(to), .from_memory = from};
  ZECL_TRY(read_region(copy.to_image, region, false, &copy.to));
  ZECL_TRY(set_pitches(&copy, copy.to_image, &copy.to, row_pitch, slice_pitch));
  return append(list, &copy, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendImageCopyToMemory(ze_command_list_handle_t list, void *to,
    ze_image_handle_t from, const ze_image_region_t *region, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendImageCopyToMemory);
  return append_to_memory(list, to, from, region, 0, 0, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendImageCopyFromMemory(ze_command_list_handle_t list,
    ze_image_handle_t to, const void *from, const ze_image_region_t *region,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendImageCopyFromMemory);
  return append_from_memory(list, to, from, region, 0, 0, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendImageCopyToMemoryExt(ze_command_list_handle_t list, void *to,
    ze_image_handle_t from, const ze_image_region_t *region, uint32_t row_pitch,
    uint32_t slice_pitch, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendImageCopyToMemoryExt);
  return append_to_memory(
      list, to, from, region, row_pitch, slice_pitch, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendImageCopyFromMemoryExt(ze_command_list_handle_t list,
    ze_image_handle_t to, const void *from, const ze_image_region_t *region, uint32_t row_pitch,
    uint32_t slice_pitch, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendImageCopyFromMemoryExt);
  return append_from_memory(
      list, to, from, region, row_pitch, slice_pitch, signal, wait_count, waits);
}
