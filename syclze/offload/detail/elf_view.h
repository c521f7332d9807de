/* The loaded bytes of an ELF file, and the pointers in them, by address.
 *
 * Linking resolves a pointer to an address in place, or leaves it to a relocation. An object has no
 * addresses yet: there, a section's offset in the file serves as its address. Every access names
 * an address and a size, is resolved to a section, and ends within that section's bytes. A section
 * that begins within another is ignored, so that an address has one meaning. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ELF_VIEW_H
#define SYCLZE_OFFLOAD_DETAIL_ELF_VIEW_H

#include "elf_pointers.h"
#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

/* Lanes of sequential reads: each lane's next look-up is near its last one. */
enum {
  SYCLZE__ELF_LANE_DESCRIPTORS,
  SYCLZE__ELF_LANE_IMAGES,
  SYCLZE__ELF_LANE_NAMES,
  SYCLZE__ELF_LANE_SETS,
  SYCLZE__ELF_LANE_PROPERTIES,
  SYCLZE__ELF_LANE_STRINGS,
  SYCLZE__ELF_LANES
};

/* Look-ups change the lanes and the budget: each thread has a copy. */
struct syclze__elf_view {
  syclze_elf_section *sections; /* with bytes in memory, by address, disjoint */
  size_t section_count;
  const struct syclze__elf_pointer *pointers; /* by address: the file's own, or sorted */
  size_t pointer_count;
  unsigned lane; /* of look-ups */
  size_t near_section[SYCLZE__ELF_LANES], near_pointer[SYCLZE__ELF_LANES];
  bool has_pointers_in_place; /* some pointers have no relocation in the list */
  uint64_t budget; /* bytes of strings and arrays that may still be read: they may share them */
};

#if SYCLZE__BODIES

/* Searches for the section that is loaded at an address, for a lane. */
SYCLZE_LOCAL_WARM const syclze_elf_section *syclze__elf_view_search_section(
    struct syclze__elf_view *view, unsigned lane, uint64_t address) {
  const syclze_elf_section *list = view->sections;
  size_t low = 0, high = view->section_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || address - list[low - 1].address >= list[low - 1].bytes.size) return NULL;
  view->near_section[lane] = low - 1;
  return &list[low - 1];
}

/* The section that is loaded at an address; null if there is none. */
SYCLZE_INLINE const syclze_elf_section *syclze__elf_view_section(
    struct syclze__elf_view *view, unsigned lane, uint64_t address) {
  const syclze_elf_section *near = &view->sections[view->near_section[lane]];
  if (view->section_count != 0 && address - near->address < near->bytes.size) return near;
  return syclze__elf_view_search_section(view, lane, address);
}

/* `size` bytes at an address; null unless they are in one section. */
SYCLZE_INLINE const uint8_t *syclze__elf_view_bytes(
    struct syclze__elf_view *view, uint64_t address, uint64_t size) {
  const syclze_elf_section *section = syclze__elf_view_section(view, view->lane, address);
  if (section == NULL || !syclze__within(section->bytes.size, address - section->address, size))
    return NULL;
  return (const uint8_t *)section->bytes.data + (size_t)(address - section->address);
}

/* The bytes of an array, as syclze__elf_view_bytes; its size counts against the budget. */
SYCLZE_LOCAL const uint8_t *syclze__elf_view_array(
    struct syclze__elf_view *view, uint64_t begin, uint64_t size) {
  if (size > view->budget) return NULL;
  view->budget -= size;
  return syclze__elf_view_bytes(view, begin, size);
}

SYCLZE_INLINE uint64_t syclze__elf_view_address(const struct syclze__elf_view *view, size_t index) {
  return syclze__load_u64(view->pointers[index].address);
}

/* Searches for the first relocation at an address or behind it, from the lane's last one on. */
SYCLZE_LOCAL_WARM size_t syclze__elf_view_search_relocation(
    const struct syclze__elf_view *view, uint64_t address) {
  size_t near = view->near_pointer[view->lane], low = 0, high = view->pointer_count, step = 8;
  if (near < high && syclze__elf_view_address(view, near) < address) {
    for (low = near; step < high - low && syclze__elf_view_address(view, low + step) < address;
         step *= 2)
      low += step;
    if (step < high - low) high = low + step;
  } else if (near < high) {
    for (high = near; step <= high && syclze__elf_view_address(view, high - step) >= address;
         step *= 2)
      high -= step;
    if (step <= high) low = high - step;
  }
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (syclze__elf_view_address(view, middle) < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The first relocation at an address or behind it: often the lane's last one or one of the next. */
SYCLZE_INLINE const struct syclze__elf_pointer *syclze__elf_view_relocation(
    const struct syclze__elf_view *view, uint64_t address) {
  const size_t near = view->near_pointer[view->lane];
  const struct syclze__elf_pointer *at = view->pointers + near;
  if (near < view->pointer_count && (near == 0 || syclze__load_u64(at[-1].address) < address)) {
    const size_t left = view->pointer_count - near;
    for (const struct syclze__elf_pointer *end = at + (left < 4 ? left : 4); at != end; at++)
      if (syclze__load_u64(at->address) >= address) return at;
  }
  return view->pointers + syclze__elf_view_search_relocation(view, address);
}

/* Reads an array of pointers at an address, in `bytes`, with their values after the file is loaded.
 */
SYCLZE_LOCAL_WARM void syclze__elf_view_pointers(struct syclze__elf_view *view, uint64_t address,
    const uint8_t *bytes, uint64_t *pointers, unsigned count) {
  const struct syclze__elf_pointer *const end = view->pointers + view->pointer_count;
  const struct syclze__elf_pointer *at = syclze__elf_view_relocation(view, address);
  for (unsigned i = 0; i < count; i++, address += 8, bytes += 8) {
    while (at != end && syclze__load_u64(at->address) < address)
      at++;
    if (at != end && syclze__load_u64(at->address) == address)
      pointers[i] = syclze__load_u64(at++->value);
    else
      pointers[i] = syclze__load_u64(bytes);
  }
  view->near_pointer[view->lane] = (size_t)(at - view->pointers);
}

/* Reads one pointer of an array, with the next look-up behind it. */
SYCLZE_LOCAL_WARM uint64_t syclze__elf_view_pointer(
    struct syclze__elf_view *view, uint64_t address, const uint8_t *bytes) {
  const struct syclze__elf_pointer *at = syclze__elf_view_relocation(view, address);
  const size_t index = view->near_pointer[view->lane] = (size_t)(at - view->pointers);
  return syclze__load_u64(
      index < view->pointer_count && syclze__load_u64(at->address) == address ? at->value : bytes);
}

/* The terminated string at an address; null for a null pointer. False if it is not in the file.
 */
SYCLZE_LOCAL bool syclze__elf_view_string(
    struct syclze__elf_view *view, uint64_t address, syclze_text *string) {
  *string = syclze_text_of(NULL);
  if (address == 0) return true;
  const syclze_elf_section *section =
      syclze__elf_view_section(view, SYCLZE__ELF_LANE_STRINGS, address);
  if (section == NULL) return false;
  uint64_t offset = address - section->address, limit = section->bytes.size - offset;
  const char *begin = (const char *)section->bytes.data + (size_t)offset;
  if (limit > view->budget) limit = view->budget;
  const char *end = (const char *)memchr(begin, 0, (size_t)limit);
  if (end == NULL) return false;
  string->data = begin;
  string->size = (size_t)(end - begin);
  view->budget -= (uint64_t)string->size + 1;
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
