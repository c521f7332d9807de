/* The loaded bytes of an ELF file, and the pointers in them, by address.
 *
 * Linking resolves a pointer to an address in place, or leaves it to a relocation. An object has no
 * addresses yet: there, a section's offset in the file serves as its address. Every access names
 * an address and a size, is resolved to a section, and ends within that section's bytes. A section
 * that begins within another is left out, so that an address has one meaning. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ELF_VIEW_H
#define SYCLZE_OFFLOAD_DETAIL_ELF_VIEW_H

#include "../elf.h"
#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__ELF_TYPE_OBJECT = 1,
  SYCLZE__ELF_TYPE_SHARED = 3,
  SYCLZE__ELF_SECTION_PROGBITS = 1,
  SYCLZE__ELF_SECTION_RELA = 4,
  SYCLZE__ELF_SECTION_RELR = 19,
  SYCLZE__ELF_FLAG_EXECUTE = 4,
  SYCLZE__ELF_FLAG_ALLOC = 2,
  SYCLZE__ELF_RELOCATION_SIZE = 24,
  SYCLZE__ELF_SYMBOL_SIZE = 24
};

/* What is read in a row: each lane's next look-up is near its last one. */
enum {
  SYCLZE__ELF_LANE_DESCRIPTORS,
  SYCLZE__ELF_LANE_IMAGES,
  SYCLZE__ELF_LANE_NAMES,
  SYCLZE__ELF_LANE_SETS,
  SYCLZE__ELF_LANE_PROPERTIES,
  SYCLZE__ELF_LANE_STRINGS,
  SYCLZE__ELF_LANES
};

/* A pointer that a relocation stores, in the layout of a relocation. */
struct syclze__elf_pointer {
  uint8_t address[8], info[8], value[8];
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

/* An opened view, before its sections and pointers. */
struct syclze__elf_view_block {
  struct syclze__file_block block;
  struct syclze__elf_view view;
};

#if SYCLZE__BODIES

SYCLZE_LOCAL int syclze__elf_compare_sections(const void *a, const void *b) {
  uint64_t left = ((const syclze_elf_section *)a)->address;
  uint64_t right = ((const syclze_elf_section *)b)->address;
  return left < right ? -1 : left > right;
}

SYCLZE_LOCAL int syclze__elf_compare_pointers(const void *a, const void *b) {
  const struct syclze__elf_pointer *one = (const struct syclze__elf_pointer *)a;
  const struct syclze__elf_pointer *other = (const struct syclze__elf_pointer *)b;
  uint64_t left = syclze__load_u64(one->address), right = syclze__load_u64(other->address);
  if (left != right) return left < right ? -1 : 1;
  left = syclze__load_u64(one->value);
  right = syclze__load_u64(other->value);
  return left < right ? -1 : left > right;
}

SYCLZE_INLINE void syclze__elf_store_u64(uint8_t to[8], uint64_t value) {
  for (int i = 0; i < 8; i++)
    to[i] = (uint8_t)(value >> 8 * i);
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
    const struct syclze__elf_header *header, const struct syclze__elf_pointer *relocation,
    struct syclze__elf_pointer *pointer) {
  const uint64_t info = syclze__load_u64(relocation->info);
  uint64_t symbol;
  if ((uint32_t)info != (elf->machine == 62 ? 1u : 257u) || header->info >= elf->section_count ||
      !syclze__elf_symbol_address(elf, header->link, (uint32_t)(info >> 32), &symbol))
    return false;
  syclze__elf_store_u64(pointer->address,
      syclze__load_u64(relocation->address) + syclze__elf_header_at(elf, header->info).offset);
  syclze__elf_store_u64(pointer->value, syclze__load_u64(relocation->value) + symbol);
  return true;
}

/* The word of a linked file's relocation that adds the load address. */
SYCLZE_INLINE uint64_t syclze__elf_relative(const syclze_elf *elf) {
  return elf->machine == 62 ? 8 : 1027;
}

/* A section's relocations. */
SYCLZE_INLINE const struct syclze__elf_pointer *syclze__elf_relocations(
    const syclze_elf *elf, const struct syclze__elf_header *header, size_t *count) {
  const syclze_bytes bytes = syclze__elf_header_bytes(elf, header);
  *count = bytes.size / SYCLZE__ELF_RELOCATION_SIZE;
  return (const struct syclze__elf_pointer *)bytes.data;
}

/* Adds a section's relocations to a list: in a linked file those that add the load address. */
SYCLZE_LOCAL void syclze__elf_view_add_pointers(struct syclze__elf_view *view,
    const syclze_elf *elf, const struct syclze__elf_header *header,
    struct syclze__elf_pointer *list) {
  size_t count;
  const uint64_t relative = syclze__elf_relative(elf);
  const struct syclze__elf_pointer *from = syclze__elf_relocations(elf, header, &count);
  for (size_t i = 0; i < count; i++) {
    struct syclze__elf_pointer *pointer = &list[view->pointer_count];
    if (elf->type == SYCLZE__ELF_TYPE_OBJECT) {
      view->pointer_count += syclze__elf_relocation(elf, header, &from[i], pointer);
    } else if (syclze__load_u64(from[i].info) == relative) {
      *pointer = from[i];
      view->pointer_count++;
    }
  }
}

/* Lists a linked file's pointers where they are, which is as linkers write them: all in one
 * section, before its other relocations, in order. False where they are not. */
SYCLZE_LOCAL bool syclze__elf_view_find_pointers(
    struct syclze__elf_view *view, const syclze_elf *elf) {
  const uint64_t relative = syclze__elf_relative(elf);
  view->pointers = (const struct syclze__elf_pointer *)elf->bytes.data;
  for (size_t section = 0; section < elf->section_count; section++) {
    const struct syclze__elf_header header = syclze__elf_header_at(elf, section);
    size_t count;
    if (header.type != SYCLZE__ELF_SECTION_RELA) continue;
    const struct syclze__elf_pointer *list = syclze__elf_relocations(elf, &header, &count);
    const struct syclze__elf_pointer *at = list, *end = list + count;
    for (uint64_t last = 0; at != end && syclze__load_u64(at->info) == relative; at++) {
      const uint64_t address = syclze__load_u64(at->address);
      if (address <= last) return false;
      last = address;
    }
    if (at != list && view->pointer_count != 0) return false;
    if (at != list) view->pointers = list, view->pointer_count = (size_t)(at - list);
    for (; at != end; at++)
      if (syclze__load_u64(at->info) == relative) return false;
  }
  return true;
}

SYCLZE_INLINE bool syclze__elf_header_is_loaded(const struct syclze__elf_header *header) {
  return (header->flags & SYCLZE__ELF_FLAG_ALLOC) != 0 && header->size != 0 && header->type != 0 &&
         header->type != SYCLZE_ELF_SECTION_NOBITS;
}

/* Counts what a view lists; false for sections that overlap in the file, whose entries could be
 * more than can be read in reasonable time. */
SYCLZE_LOCAL bool syclze__elf_view_count(
    struct syclze__elf_view *view, const syclze_elf *elf, size_t *sections, size_t *relocations) {
  uint64_t bytes = 0, loaded = 0;
  for (size_t i = 0; i < elf->section_count; i++) {
    struct syclze__elf_header header = syclze__elf_header_at(elf, i);
    bool is_loaded = syclze__elf_header_is_loaded(&header);
    *sections += is_loaded;
    if (is_loaded) loaded += header.size;
    if (header.type == SYCLZE__ELF_SECTION_RELR) view->has_pointers_in_place = true;
    if (header.type == SYCLZE__ELF_SECTION_RELA) bytes += header.size;
    if (bytes > elf->bytes.size || loaded > elf->bytes.size) return false;
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
SYCLZE_LOCAL void syclze__elf_view_sort_pointers(
    struct syclze__elf_view *view, struct syclze__elf_pointer *list) {
  size_t count = 0, sorted = 1;
  while (sorted < view->pointer_count &&
         syclze__load_u64(list[sorted - 1].address) < syclze__load_u64(list[sorted].address))
    sorted++;
  if (sorted < view->pointer_count)
    qsort(list, view->pointer_count, sizeof *list, syclze__elf_compare_pointers);
  for (size_t i = 0; i < view->pointer_count; i++)
    if (count == 0 ||
        syclze__load_u64(list[count - 1].address) != syclze__load_u64(list[i].address))
      list[count++] = list[i];
  view->pointers = list;
  view->pointer_count = count;
}

/* Opens a view of a 64-bit file; free ends it. */
SYCLZE_LOCAL struct syclze__status syclze__elf_view_open(
    const syclze_elf *elf, struct syclze__elf_view_block **opened) {
  struct syclze__elf_view view;
  size_t sections = 0, relocations = 0;
  memset(&view, 0, sizeof view);
  *opened = NULL;
  view.budget = 16 * (uint64_t)elf->bytes.size;
  view.has_pointers_in_place =
      elf->type != SYCLZE__ELF_TYPE_OBJECT && elf->type != SYCLZE__ELF_TYPE_SHARED;
  if (!syclze__elf_view_count(&view, elf, &sections, &relocations))
    return syclze__invalid("ELF: sections overlap");
  const bool is_listed =
      elf->type != SYCLZE__ELF_TYPE_OBJECT && syclze__elf_view_find_pointers(&view, elf);
  if (!is_listed) view.pointer_count = 0;
  *opened = (struct syclze__elf_view_block *)malloc(
      sizeof **opened + sections * sizeof *view.sections +
      (is_listed ? 0 : relocations * sizeof *view.pointers));
  if (*opened == NULL) return syclze__out_of_memory();
  view.sections = (syclze_elf_section *)(void *)(*opened + 1);
  struct syclze__elf_pointer *list =
      (struct syclze__elf_pointer *)(void *)(view.sections + sections);
  for (size_t i = 0; i < elf->section_count; i++) {
    struct syclze__elf_header header = syclze__elf_header_at(elf, i);
    if (syclze__elf_header_is_loaded(&header)) {
      syclze_elf_section *section = &view.sections[view.section_count++];
      syclze_elf_section_at(elf, i, section);
      if (elf->type == SYCLZE__ELF_TYPE_OBJECT) section->address = header.offset;
    }
    if (header.type == SYCLZE__ELF_SECTION_RELA && !is_listed)
      syclze__elf_view_add_pointers(&view, elf, &header, list);
  }
  syclze__elf_view_sort_sections(&view);
  if (!is_listed) syclze__elf_view_sort_pointers(&view, list);
  (*opened)->view = view;
  return syclze__allowed();
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

SYCLZE_INLINE uint64_t syclze__elf_view_address(const struct syclze__elf_view *view, size_t index) {
  return syclze__load_u64(view->pointers[index].address);
}

/* Searches for the first relocation at an address or behind it, from the lane's last one on. */
SYCLZE_LOCAL_WARM size_t syclze__elf_view_search_relocation(
    const struct syclze__elf_view *view, uint64_t address) {
  size_t near = view->near_pointer[view->lane], low = 0, high = view->pointer_count, step = 1;
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

/* The pointers that stand in a row at an address once the file is loaded; 0 for null and for none.
 */
SYCLZE_LOCAL_WARM void syclze__elf_view_pointers(
    struct syclze__elf_view *view, uint64_t address, uint64_t *pointers, unsigned count) {
  const struct syclze__elf_pointer *const end = view->pointers + view->pointer_count;
  const struct syclze__elf_pointer *at = syclze__elf_view_relocation(view, address);
  const uint8_t *bytes = syclze__elf_view_bytes(view, address, 8 * (uint64_t)count);
  for (unsigned i = 0; i < count; i++, address += 8) {
    uint64_t next = 0;
    while (at != end && (next = syclze__load_u64(at->address)) < address)
      at++;
    if (at != end && next == address)
      pointers[i] = syclze__load_u64(at++->value);
    else
      pointers[i] = bytes != NULL ? syclze__load_u64(bytes + 8 * i) : 0;
  }
  view->near_pointer[view->lane] = (size_t)(at - view->pointers);
}

SYCLZE_INLINE uint64_t syclze__elf_view_pointer(struct syclze__elf_view *view, uint64_t address) {
  uint64_t pointer;
  syclze__elf_view_pointers(view, address, &pointer, 1);
  return pointer;
}

/* The terminated string at an address; null for a null pointer. False where it is not in the file.
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
