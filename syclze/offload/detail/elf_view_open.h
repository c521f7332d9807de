/* Views of ELF files: their sections and pointers, listed and sorted. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ELF_VIEW_OPEN_H
#define SYCLZE_OFFLOAD_DETAIL_ELF_VIEW_OPEN_H

#include "elf_view.h"

SYCLZE_EXTERN_C_BEGIN

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

/* The first relocation that is of another kind, or behind one of a higher address. */
SYCLZE_LOCAL_WARM const struct syclze__elf_pointer *syclze__elf_view_in_order(
    const struct syclze__elf_pointer *at, const struct syclze__elf_pointer *end,
    uint64_t relative) {
  if (at == end || syclze__load_u64(at->info) != relative) return at;
  while (++at != end && syclze__load_u64(at->info) == relative)
    if (syclze__load_u64(at->address) <= syclze__load_u64(at[-1].address)) break;
  return at;
}

/* Lists a linked file's pointers in place, if they are as linkers write them: all in one section,
 * before its other relocations, in order; else false. */
SYCLZE_LOCAL bool syclze__elf_view_find_pointers(
    struct syclze__elf_view *view, const syclze_elf *elf) {
  const uint64_t relative = syclze__elf_relative(elf);
  view->pointers = (const struct syclze__elf_pointer *)elf->bytes.data;
  for (size_t section = 0; section < elf->section_count; section++) {
    const struct syclze__elf_header header = syclze__elf_header_at(elf, section);
    size_t count;
    if (header.type != SYCLZE__ELF_SECTION_RELA) continue;
    const struct syclze__elf_pointer *list = syclze__elf_relocations(elf, &header, &count);
    const struct syclze__elf_pointer *end = list + count;
    const struct syclze__elf_pointer *at = syclze__elf_view_in_order(list, end, relative);
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

/* Sorts the pointers, and keeps one for each address, so that each look-up has one result. */
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
  size_t sections = 0, relocations = 0;
  SYCLZE__ZEROED(struct syclze__elf_view, view);
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
  for (int lane = 0; lane < SYCLZE__ELF_LANES; lane++)
    view.near_pointer[lane] = view.pointer_count; /* near none */
  (*opened)->view = view;
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
