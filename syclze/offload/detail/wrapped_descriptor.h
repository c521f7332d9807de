/* DPC++'s descriptors of images in a file, found by their layout. */
#ifndef SYCLZE_OFFLOAD_DETAIL_WRAPPED_DESCRIPTOR_H
#define SYCLZE_OFFLOAD_DETAIL_WRAPPED_DESCRIPTOR_H

#include "descriptor.h"
#include "elf_view.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The last pointers of a descriptor, in its order. The first are those of its strings; the long
 * form has a manifest between them. */
enum {
  SYCLZE__WRAPPED_BEGIN,
  SYCLZE__WRAPPED_END,
  SYCLZE__WRAPPED_ENTRIES,
  SYCLZE__WRAPPED_ENTRIES_END,
  SYCLZE__WRAPPED_SETS,
  SYCLZE__WRAPPED_SETS_END,
  SYCLZE__WRAPPED_RANGES,
  SYCLZE__WRAPPED_POINTERS = (SYCLZE__DESCRIPTOR_LONG - SYCLZE__DESCRIPTOR_STRINGS) / 8
};

struct syclze__wrapped_descriptor {
  uint64_t size;
  const uint8_t *header;  /* version, kind, format: 8 bytes */
  const uint64_t *ranges; /* the last of the pointers */
  uint64_t pointers[SYCLZE__WRAPPED_POINTERS];
};

/* True if a word may be the first of a descriptor or of a table of them: a version in the lower
 * half of 32 bits, a kind or a count in the upper half. */
SYCLZE_INLINE bool syclze__wrapped_may_begin(const uint8_t *header) {
  const uint64_t word = syclze__load_u64(header);
  /* Most words are zero, a property's type or a small size, which one comparison excludes. */
  return word - 0x10001 <= 0xffffffff - 0x10001 &&
         ((word - 1) & 0xffff) < SYCLZE__DESCRIPTOR_IMAGE_VERSION_LAST;
}

/* True if the word is the first one of a descriptor. */
SYCLZE_INLINE bool syclze__wrapped_is_header(const uint8_t *header) {
  return header[2] == SYCLZE__DESCRIPTOR_KIND_DPCPP && syclze__wrapped_may_begin(header) &&
         header[3] <= SYCLZE__DESCRIPTOR_FORMAT_LAST;
}

/* True if a descriptor begins at an address, with an image whose bytes are in the file. */
SYCLZE_LOCAL bool syclze__wrapped_find(struct syclze__elf_view *view, const uint8_t *header,
    uint64_t address, struct syclze__wrapped_descriptor *found, syclze_bytes *bytes) {
  found->header = header;
  found->size = syclze__descriptor_image_size(header);
  if (!syclze__wrapped_is_header(header) ||
      syclze__elf_view_bytes(view, address, found->size) == NULL)
    return false;
  const unsigned count = (unsigned)(found->size - SYCLZE__DESCRIPTOR_STRINGS) / 8;
  syclze__elf_view_pointers(view, address + SYCLZE__DESCRIPTOR_STRINGS,
      header + SYCLZE__DESCRIPTOR_STRINGS, found->pointers, count);
  found->ranges = found->pointers + count - SYCLZE__WRAPPED_RANGES;
  const uint64_t begin = found->ranges[SYCLZE__WRAPPED_BEGIN];
  const uint64_t end = found->ranges[SYCLZE__WRAPPED_END];
  if (found->pointers[0] == 0 || begin == 0 || end <= begin) return false;
  view->lane = SYCLZE__ELF_LANE_IMAGES;
  const uint8_t *data = syclze__elf_view_bytes(view, begin, end - begin);
  view->lane = SYCLZE__ELF_LANE_DESCRIPTORS;
  *bytes = syclze_bytes_of(data, (size_t)(end - begin));
  return data != NULL;
}

#endif

SYCLZE_EXTERN_C_END

#endif
