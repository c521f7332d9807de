/**
 * @file
 * Accessors: the part of a buffer or an image that a command group uses, and the mode.
 *
 * Made by syclze_require and the other functions of group.h, for one command group. An accessor is
 * a value: it keeps no reference, and the memory object must live until the group is submitted.
 * Threads: as a group, one thread at a time.
 */
#ifndef SYCLZE_COMMAND_ACCESSOR_H
#define SYCLZE_COMMAND_ACCESSOR_H

#include "../buffer.h"
#include "../image.h"

SYCLZE_EXTERN_C_BEGIN

/** How a group uses the memory (SYCL 2020 4.7.6.3). */
typedef enum syclze_access_mode {
  SYCLZE_ACCESS_READ = 0,
  SYCLZE_ACCESS_WRITE,
  SYCLZE_ACCESS_READ_WRITE,
  SYCLZE_ACCESS_DISCARD_WRITE, /* the old contents need not be kept */
  SYCLZE_ACCESS_DISCARD_READ_WRITE
} syclze_access_mode;

/* Private: a part of an object, in elements or pixels: [first, end) in each dimension. */
struct syclze__range {
  size_t first[3], end[3];
};

/** A requirement of a command group. All members are private. */
typedef struct syclze_accessor {
  struct syclze__memory *memory; /* null if the requirement failed */
  void *native;                  /* the part's first byte, or the ze_image_handle_t */
  void *start;                   /* the buffer's first byte; null of an image */
  size_t size; /* of the part, in bytes; 0 if it is not contiguous, and for an image; 1 for a
                  sampler */
  syclze_access_mode mode;
  uint16_t index; /* in the group's accessors; 0 if unknown */
  bool is_image;
  bool is_part; /* of the object, not all of it */
} syclze_accessor;

/**
 * The first byte of the accessor's buffer, which is also that of a sub-buffer.
 *
 * @param[in] accessor  Any accessor. If it is of a part, only that may be accessed, from
 * syclze_accessor_get_part_pointer on.
 * @return the memory, which stays the buffer's; null for an image and for a requirement that
 * failed.
 * @see SYCL 2020 4.7.6.9.1 (accessor::get_pointer)
 */
SYCLZE_INLINE void *syclze_accessor_get_pointer(syclze_accessor accessor);

/**
 * The first byte of the accessor's part, which is the kernel's argument.
 *
 * @param[in] accessor  Any accessor.
 * @return the memory, which stays the buffer's; null for an image and for a requirement that
 * failed.
 * @see SYCL 2020 4.7.6.9.1 (accessor::begin)
 */
SYCLZE_INLINE void *syclze_accessor_get_part_pointer(syclze_accessor accessor);

SYCLZE_EXTERN_C_END

#include "detail/accessor.h"

#endif
