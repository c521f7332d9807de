/* Comparison of accessors and of the ranges that they cover. */
#ifndef SYCLZE_COMMAND_DETAIL_ACCESSOR_H
#define SYCLZE_COMMAND_DETAIL_ACCESSOR_H

#include "../accessor.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void *syclze_accessor_get_pointer(syclze_accessor accessor) {
  return accessor.start;
}

SYCLZE_INLINE void *syclze_accessor_get_part_pointer(syclze_accessor accessor) {
  return accessor.is_image ? NULL : accessor.native;
}

/* An accessor of all of a memory object; `size` is 0 for an image. */
SYCLZE_INLINE syclze_accessor syclze__accessor_whole(
    struct syclze__memory *memory, size_t size, bool is_image, syclze_access_mode mode) {
  syclze_accessor whole;
  whole.memory = memory;
  whole.native = memory->native;
  whole.start = is_image ? NULL : memory->native;
  whole.size = size;
  whole.mode = mode;
  whole.index = 0;
  whole.is_image = is_image;
  whole.is_part = false;
  return whole;
}

/* Does not read the memory object, which may have ended before a host task runs. */
SYCLZE_INLINE bool syclze__accessor_is_sampler(const syclze_accessor *accessor) {
  return accessor->is_image && accessor->size != 0;
}

SYCLZE_INLINE struct syclze__range syclze__range_whole(const struct syclze__memory *memory) {
  struct syclze__range range;
  for (uint32_t i = 0; i < 3; i++) {
    range.first[i] = 0;
    range.end[i] = memory->range[i];
  }
  return range;
}

SYCLZE_INLINE bool syclze__ranges_equal(
    const struct syclze__range *a, const struct syclze__range *b) {
  size_t difference = 0;
  for (uint32_t i = 0; i < 3; i++)
    difference |= (a->first[i] ^ b->first[i]) | (a->end[i] ^ b->end[i]);
  return difference == 0;
}

#if SYCLZE__BODIES
SYCLZE_LOCAL bool syclze__region_is_in(const ze_image_region_t *region, const size_t *range) {
  const size_t first[3] = {region->originX, region->originY, region->originZ};
  const size_t count[3] = {region->width, region->height, region->depth};
  for (uint32_t i = 0; i < 3; i++)
    if (first[i] > range[i] || count[i] > range[i] - first[i]) return false;
  return true;
}

/* False for a region that is empty or does not lie in the image. A height or a depth of 0 is 1. */
SYCLZE_LOCAL bool syclze__range_of_region(const struct syclze__memory *memory,
    const ze_image_region_t *region, struct syclze__range *range) {
  ze_image_region_t box = *region;
  if (box.height == 0) box.height = 1;
  if (box.depth == 0) box.depth = 1;
  if (box.width == 0 || !syclze__region_is_in(&box, memory->range)) return false;
  const size_t first[3] = {box.originX, box.originY, box.originZ};
  const size_t count[3] = {box.width, box.height, box.depth};
  for (uint32_t i = 0; i < 3; i++) {
    range->first[i] = first[i];
    range->end[i] = first[i] + count[i];
  }
  return true;
}
#endif

SYCLZE_INLINE bool syclze__accessors_equal(const syclze_accessor *a, const syclze_accessor *b) {
  uintptr_t difference = ((uintptr_t)a->memory ^ (uintptr_t)b->memory) |
                         ((uintptr_t)a->native ^ (uintptr_t)b->native) | (a->size ^ b->size);
  return difference == 0 && a->mode == b->mode;
}

/* The accessor in the array that covers the same part in the same mode; null if there is none. */
SYCLZE_INLINE const syclze_accessor *syclze__accessor_find(
    const syclze_accessor *accessors, uint32_t count, const syclze_accessor *accessor) {
  if (SYCLZE__LIKELY(accessor->index < count &&
                     syclze__accessors_equal(&accessors[accessor->index], accessor)))
    return &accessors[accessor->index];
  for (uint32_t i = 0; i < count; i++)
    if (syclze__accessors_equal(&accessors[i], accessor)) return &accessors[i];
  return NULL;
}

SYCLZE_EXTERN_C_END

#endif
