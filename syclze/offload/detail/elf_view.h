/* The loaded bytes of an ELF file, and the pointers in them, by address.
 *
 * Linking resolves a pointer to an address in place, or leaves it to a relocation. An object has no
 * addresses yet: there, a section's offset in the file serves as its address. Every access names
 * an address and a size, is resolved to a section, and ends within that section's bytes. A section
 * that begins within another is left out, so that an address has one meaning. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_ELF_VIEW_H
#define SYCLZE_OFFLOAD_DETAIL_ELF_VIEW_H

#include "announced_images.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__ELF_TYPE_OBJECT = 1,
  SYCLZE__ELF_TYPE_SHARED = 3,
  SYCLZE__ELF_SECTION_PROGBITS = 1,
  SYCLZE__ELF_SECTION_RELA = 4,
  SYCLZE__ELF_SECTION_RELR = 19,
  SYCLZE__ELF_FLAG_EXECUTE = 4,
  SYCLZE__ELF_FLAG_ALLOC = 2,
  SYCLZE__ELF_RELOCATION_SIZE = 24
};

/* What is read in a row: each lane's next look-up is near its last one. */
enum {
  SYCLZE__ELF_LANE_DESCRIPTORS,
  SYCLZE__ELF_LANE_NAMES,
  SYCLZE__ELF_LANE_SETS,
  SYCLZE__ELF_LANE_PROPERTIES,
  SYCLZE__ELF_LANE_STRINGS,
  SYCLZE__ELF_LANES
};

/* A pointer that a relocation stores. */
struct syclze__elf_pointer {
  uint64_t address;
  uint64_t value;
};

struct syclze__elf_view {
  const syclze_elf *elf;
  syclze_elf_section *sections; /* with bytes in memory, by address, disjoint */
  size_t section_count;
  struct syclze__elf_pointer *pointers; /* by address */
  size_t pointer_count;
  unsigned lane; /* of look-ups */
  size_t near_section[SYCLZE__ELF_LANES], near_pointer[SYCLZE__ELF_LANES];
  bool has_pointers_in_place; /* some pointers have no relocation in the list */
  uint64_t budget; /* bytes of strings and arrays that may still be read: they may share them */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL int syclze__elf_compare_sections(const void *a, const void *b) {
  uint64_t left = ((const syclze_elf_section *)a)->address;
  uint64_t right = ((const syclze_elf_section *)b)->address;
  return left < right ? -1 : left > right;
}

SYCLZE_LOCAL int syclze__elf_compare_pointers(const void *a, const void *b) {
  uint64_t left = ((const struct syclze__elf_pointer *)a)->address;
  uint64_t right = ((const struct syclze__elf_pointer *)b)->address;
  if (left != right) return left < right ? -1 : 1;
  left = ((const struct syclze__elf_pointer *)a)->value;
  right = ((const struct syclze__elf_pointer *)b)->value;
  return left < right ? -1 : left > right;
}

/* The address of a symbol that an object defines; false for others. */
SYCLZE_LOCAL bool syclze__elf_symbol_address(
    const syclze_elf *elf, uint32_t table, uint32_t index, uint64_t *address) {
  if (table >= elf->section_count) return false;
  struct syclze__elf_header symbols = syclze__elf_header_at(elf, table);
  syclze_bytes bytes = syclze__elf_header_bytes(elf, &symbols);
  if (index >= bytes.size / SYCLZE__ELF_SYMBOL_SIZE) return false;
  const uint8_t *symbol = (const uint8_t *)bytes.data + (size_t)index * SYCLZE__ELF_SYMBOL_SIZE;
  uint16_t section = syclze__load_u16(symbol + 6);
  if (section == 0 || section >= elf->section_count) return false;
  *address = syclze__load_u64(symbol + 8) + syclze__elf_header_at(elf, section).offset;
  return true;
}

/* The pointer that an object's relocation stores, which adds a symbol's address; false for
 * relocations of other kinds. */
SYCLZE_INLINE bool syclze__elf_relocation(const syclze_elf *elf,
    const struct syclze__elf_header *header, const uint8_t *relocation,
    struct syclze__elf_pointer *pointer) {
  const uint64_t info = syclze__load_u64(relocation + 8);
  uint64_t symbol;
  if ((uint32_t)info != (elf->machine == 62 ? 1u : 257u) || header->info >= elf->section_count ||
      !syclze__elf_symbol_address(elf, header->link, (uint32_t)(info >> 32), &symbol))
    return false;
  pointer->address = syclze__load_u64(relocation) + syclze__elf_header_at(elf, header->info).offset;
  pointer->value = syclze__load_u64(relocation + 16) + symbol;
  return true;
}

/* Adds a section's relocations: in a linked file those that add the load address. Linkers write
 * them in order, compilers almost. */
SYCLZE_LOCAL void syclze__elf_view_add_pointers(
    struct syclze__elf_view *view, const struct syclze__elf_header *header, bool *is_sorted) {
  syclze_bytes bytes = syclze__elf_header_bytes(view->elf, header);
  const uint8_t *at = (const uint8_t *)bytes.data;
  const uint8_t *end = at + bytes.size / SYCLZE__ELF_RELOCATION_SIZE * SYCLZE__ELF_RELOCATION_SIZE;
  const bool is_object = view->elf->type == SYCLZE__ELF_TYPE_OBJECT;
  const uint64_t relative = view->elf->machine == 62 ? 8 : 1027;
  struct syclze__elf_pointer *pointer = &view->pointers[view->pointer_count];
  uint64_t last = view->pointer_count != 0 ? pointer[-1].address : 0;
  for (; at != end; at += SYCLZE__ELF_RELOCATION_SIZE) {
    if (!is_object && syclze__load_u64(at + 8) == relative) {
      pointer->address = syclze__load_u64(at);
      pointer->value = syclze__load_u64(at + 16);
    } else if (!is_object || !syclze__elf_relocation(view->elf, header, at, pointer)) {
      continue;
    }
    if (last >= pointer->address && pointer != view->pointers) *is_sorted = false;
    last = pointer->address;
    pointer++;
  }
  view->pointer_count = (size_t)(pointer - view->pointers);
}

SYCLZE_INLINE bool syclze__elf_header_is_loaded(const struct syclze__elf_header *header) {
  return (header->flags & SYCLZE__ELF_FLAG_ALLOC) != 0 && header->size != 0 && header->type != 0 &&
         header->type != SYCLZE_ELF_SECTION_NOBITS;
}

/* Counts what a view lists; false for sections that overlap in the file, whose entries could be
 * more than can be read in reasonable time. */
SYCLZE_LOCAL bool syclze__elf_view_count(
    struct syclze__elf_view *view, size_t *sections, size_t *relocations) {
  uint64_t bytes = 0, loaded = 0;
  for (size_t i = 0; i < view->elf->section_count; i++) {
    struct syclze__elf_header header = syclze__elf_header_at(view->elf, i);
    bool is_loaded = syclze__elf_header_is_loaded(&header);
    *sections += is_loaded;
    if (is_loaded) loaded += header.size;
    if (header.type == SYCLZE__ELF_SECTION_RELR) view->has_pointers_in_place = true;
    if (header.type == SYCLZE__ELF_SECTION_RELA) bytes += header.size;
    if (bytes > view->elf->bytes.size || loaded > view->elf->bytes.size) return false;
  }
  *relocations = (size_t)(bytes / SYCLZE__ELF_RELOCATION_SIZE);
  return true;
}

SYCLZE_LOCAL void syclze__elf_view_sort_sections(struct syclze__elf_view *view) {
  syclze_elf_section *list = view->sections;
  size_t count = 0;
  qsort(list, view->section_count, sizeof *list, syclze__elf_compare_sections);
  for (size_t i = 0; i < view->section_count; i++)
    if (count == 0 || list[i].address - list[count - 1].address >= list[count - 1].bytes.size)
      list[count++] = list[i];
  view->section_count = count;
}

/* Of several relocations at one address one is left, so that each look-up of it has one result. */
SYCLZE_LOCAL void syclze__elf_view_sort_pointers(struct syclze__elf_view *view) {
  struct syclze__elf_pointer *list = view->pointers;
  size_t count = 0;
  qsort(list, view->pointer_count, sizeof *list, syclze__elf_compare_pointers);
  for (size_t i = 0; i < view->pointer_count; i++)
    if (count == 0 || list[count - 1].address != list[i].address) list[count++] = list[i];
  view->pointer_count = count;
}

/* Opens a view of a 64-bit file; syclze__elf_view_close ends it, also after an error. */
SYCLZE_LOCAL struct syclze__status syclze__elf_view_open(
    const syclze_elf *elf, struct syclze__elf_view *view) {
  size_t sections = 0, relocations = 0;
  bool is_sorted = true;
  memset(view, 0, sizeof *view);
  view->elf = elf;
  view->budget = 16 * (uint64_t)elf->bytes.size;
  view->has_pointers_in_place =
      elf->type != SYCLZE__ELF_TYPE_OBJECT && elf->type != SYCLZE__ELF_TYPE_SHARED;
  if (!syclze__elf_view_count(view, &sections, &relocations))
    return syclze__invalid("ELF: sections overlap");
  view->sections = (syclze_elf_section *)malloc(
      sections * sizeof *view->sections + relocations * sizeof *view->pointers + 1);
  if (view->sections == NULL) return syclze__out_of_memory();
  view->pointers = (struct syclze__elf_pointer *)(void *)(view->sections + sections);
  for (size_t i = 0; i < elf->section_count; i++) {
    struct syclze__elf_header header = syclze__elf_header_at(elf, i);
    if (syclze__elf_header_is_loaded(&header)) {
      syclze_elf_section *section = &view->sections[view->section_count++];
      syclze_elf_section_at(elf, i, section);
      if (elf->type == SYCLZE__ELF_TYPE_OBJECT) section->address = header.offset;
    }
    if (header.type == SYCLZE__ELF_SECTION_RELA)
      syclze__elf_view_add_pointers(view, &header, &is_sorted);
  }
  syclze__elf_view_sort_sections(view);
  if (!is_sorted) syclze__elf_view_sort_pointers(view);
  return syclze__allowed();
}

SYCLZE_INLINE void syclze__elf_view_close(struct syclze__elf_view *view) {
  free(view->sections);
}

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

/* The section that is loaded at an address; null where none is. */
SYCLZE_INLINE const syclze_elf_section *syclze__elf_view_section(
    struct syclze__elf_view *view, unsigned lane, uint64_t address) {
  const syclze_elf_section *near = &view->sections[view->near_section[lane]];
  if (view->section_count != 0 && address - near->address < near->bytes.size) return near;
  return syclze__elf_view_search_section(view, lane, address);
}

/* `size` bytes at an address; null where they are not in one section. */
SYCLZE_INLINE const uint8_t *syclze__elf_view_bytes(
    struct syclze__elf_view *view, uint64_t address, uint64_t size) {
  const syclze_elf_section *section = syclze__elf_view_section(view, view->lane, address);
  if (section == NULL || !syclze__within(section->bytes.size, address - section->address, size))
    return NULL;
  return (const uint8_t *)section->bytes.data + (size_t)(address - section->address);
}

/* The same for an array, which counts against the budget. */
SYCLZE_LOCAL const uint8_t *syclze__elf_view_array(
    struct syclze__elf_view *view, uint64_t begin, uint64_t size) {
  if (size > view->budget) return NULL;
  view->budget -= size;
  return syclze__elf_view_bytes(view, begin, size);
}

/* Searches for the relocation that stores at an address, from the lane's last one on. */
SYCLZE_LOCAL_WARM const struct syclze__elf_pointer *syclze__elf_view_search_relocation(
    struct syclze__elf_view *view, uint64_t address) {
  const struct syclze__elf_pointer *list = view->pointers;
  size_t near = view->near_pointer[view->lane], low = 0, high = view->pointer_count, step = 1;
  if (near < high && list[near].address <= address) {
    for (low = near; step < high - low && list[low + step].address < address; step *= 2)
      low += step;
    if (step < high - low) high = low + step;
  } else if (near < high) {
    for (high = near; step <= high && list[high - step].address >= address; step *= 2)
      high -= step;
    if (step <= high) low = high - step;
  }
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == view->pointer_count || list[low].address != address) return NULL;
  view->near_pointer[view->lane] = low;
  return &list[low];
}

/* The relocation that stores at an address; null for none. Often it is the lane's next one. */
SYCLZE_INLINE const struct syclze__elf_pointer *syclze__elf_view_relocation(
    struct syclze__elf_view *view, uint64_t address) {
  const size_t next = view->near_pointer[view->lane] + 1;
  if (next < view->pointer_count) {
    const struct syclze__elf_pointer *pointer = &view->pointers[next];
    if (pointer->address == address) {
      view->near_pointer[view->lane] = next;
      return pointer;
    }
    if (pointer[-1].address < address && address < pointer->address) return NULL;
    if (pointer[-1].address == address) return &pointer[-1];
  }
  return syclze__elf_view_search_relocation(view, address);
}

/* The pointer that stands at an address once the file is loaded; 0 for null and for none. */
SYCLZE_LOCAL uint64_t syclze__elf_view_pointer(struct syclze__elf_view *view, uint64_t address) {
  const struct syclze__elf_pointer *pointer = syclze__elf_view_relocation(view, address);
  if (pointer != NULL) return pointer->value;
  const uint8_t *bytes = syclze__elf_view_bytes(view, address, 8);
  return bytes != NULL ? syclze__load_u64(bytes) : 0;
}

/* The terminated string at an address; null for a null pointer. False where it is not in the file.
 */
SYCLZE_LOCAL bool syclze__elf_view_string(
    struct syclze__elf_view *view, uint64_t address, const char **string) {
  *string = NULL;
  if (address == 0) return true;
  const syclze_elf_section *section =
      syclze__elf_view_section(view, SYCLZE__ELF_LANE_STRINGS, address);
  if (section == NULL) return false;
  uint64_t offset = address - section->address, limit = section->bytes.size - offset;
  const char *begin = (const char *)section->bytes.data + (size_t)offset;
  if (limit > view->budget) limit = view->budget;
  const void *end = memchr(begin, 0, (size_t)limit);
  if (end == NULL) return false;
  *string = begin;
  view->budget -= (uint64_t)((const char *)end - begin) + 1;
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
