/* Accessors: what a command group touches of a buffer or an image, and how.
 *
 * Made by syclze_require and its like (group.h), for the one command group. A value: it keeps no
 * reference, and the memory must live until the action is submitted. Its dependencies are the
 * library's business from then on (depend.h). */
#ifndef SYCLZE_COMMAND_ACCESSOR_H
#define SYCLZE_COMMAND_ACCESSOR_H

#include "../buffer.h"
#include "../image.h"

SYCLZE_EXTERN_C_BEGIN

typedef enum syclze_access_mode {
  SYCLZE_ACCESS_READ = 0,
  SYCLZE_ACCESS_WRITE,
  SYCLZE_ACCESS_READ_WRITE,
  SYCLZE_ACCESS_DISCARD_WRITE, /* the old contents need not be kept */
  SYCLZE_ACCESS_DISCARD_READ_WRITE
} syclze_access_mode;

/* The part of an object, in elements or pixels: [first, end) in each dimension. */
struct syclze__range {
  size_t first[3], end[3];
};

typedef struct syclze_accessor {
  struct syclze__memory *memory; /* null for a requirement that was refused */
  void *native;                  /* the part's first byte, or the ze_image_handle_t */
  size_t size; /* of the part, in bytes; 0 where it is not contiguous, and of an image */
  syclze_access_mode mode;
  uint16_t place; /* in its group, where it can be told */
  bool is_image;
  bool is_whole; /* the part is all of the object */
} syclze_accessor;

/* All of a memory object; `size` 0 for an image. */
SYCLZE_INLINE syclze_accessor syclze__accessor_whole(
    struct syclze__memory *memory, size_t size, bool is_image, syclze_access_mode mode) {
  syclze_accessor whole;
  whole.memory = memory;
  whole.native = memory->native;
  whole.size = size;
  whole.mode = mode;
  whole.place = 0;
  whole.is_image = is_image;
  whole.is_whole = true;
  return whole;
}

SYCLZE_INLINE struct syclze__range syclze__range_whole(const struct syclze__memory *memory) {
  struct syclze__range box;
  for (uint32_t i = 0; i < 3; i++) {
    box.first[i] = 0;
    box.end[i] = memory->range[i];
  }
  return box;
}

SYCLZE_INLINE bool syclze__ranges_overlap(
    const struct syclze__range *a, const struct syclze__range *b) {
  return a->first[0] < b->end[0] && b->first[0] < a->end[0] && a->first[1] < b->end[1] &&
         b->first[1] < a->end[1] && a->first[2] < b->end[2] && b->first[2] < a->end[2];
}

SYCLZE_INLINE bool syclze__ranges_equal(
    const struct syclze__range *a, const struct syclze__range *b) {
  size_t difference = 0;
  for (uint32_t i = 0; i < 3; i++)
    difference |= (a->first[i] ^ b->first[i]) | (a->end[i] ^ b->end[i]);
  return difference == 0;
}

SYCLZE_INLINE bool syclze__range_contains(
    const struct syclze__range *a, const struct syclze__range *b) {
  return a->first[0] <= b->first[0] && a->end[0] >= b->end[0] && a->first[1] <= b->first[1] &&
         a->end[1] >= b->end[1] && a->first[2] <= b->first[2] && a->end[2] >= b->end[2];
}

SYCLZE_INLINE bool syclze__accessors_equal(const syclze_accessor *a, const syclze_accessor *b) {
  uintptr_t difference = ((uintptr_t)a->memory ^ (uintptr_t)b->memory) |
                         ((uintptr_t)a->native ^ (uintptr_t)b->native) | (a->size ^ b->size);
  return difference == 0 && a->mode == b->mode;
}

/* The accessor of these that stands for the same part in the same way, or null. */
SYCLZE_INLINE const syclze_accessor *syclze__accessor_find(
    const syclze_accessor *accessors, uint32_t count, const syclze_accessor *accessor) {
  if (SYCLZE__LIKELY(accessor->place < count &&
                     syclze__accessors_equal(&accessors[accessor->place], accessor)))
    return &accessors[accessor->place];
  for (uint32_t i = 0; i < count; i++)
    if (syclze__accessors_equal(&accessors[i], accessor)) return &accessors[i];
  return NULL;
}

/* The accessor's own memory, for the host's and other code's use. Null for a refused one. */
SYCLZE_INLINE void *syclze_accessor_get_pointer(syclze_accessor accessor) {
  return accessor.is_image ? NULL : accessor.native;
}

SYCLZE_EXTERN_C_END

#endif
