/* DPC++'s arrays of property sets in a file, as they are in memory. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_WRAPPED_PROPERTIES_H
#define SYCLZE_OFFLOAD_DETAIL_WRAPPED_PROPERTIES_H

#include "../property_set.h"
#include "descriptor.h"
#include "elf_view.h"
#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum { SYCLZE__PROPERTY_SET_SIZE = 24, SYCLZE__PROPERTY_ENTRY_SIZE = 32 };

/* The array that two pointers at an address enclose: of whole elements, in the file. */
SYCLZE_LOCAL bool syclze__wrapped_array(struct syclze__elf_view *view, uint64_t begin, uint64_t end,
    uint64_t element, const uint8_t **raw, uint64_t *count) {
  *raw = NULL;
  *count = end > begin ? (end - begin) / element : 0;
  if (end < begin) return false;
  if (*count != 0) *raw = syclze__elf_view_array(view, begin, *count * element);
  return *count == 0 || *raw != NULL;
}

/* The properties of a set; counts them while `list` is null. */
SYCLZE_LOCAL bool syclze__wrapped_set(struct syclze__elf_view *view, uint64_t set,
    struct syclze__property_array_entry *list, uint64_t *count) {
  uint64_t at = syclze__elf_view_pointer(view, set + 8);
  const uint64_t end = syclze__elf_view_pointer(view, set + 16);
  const uint8_t *raw;
  view->lane = SYCLZE__ELF_LANE_PROPERTIES;
  if (!syclze__wrapped_array(view, at, end, SYCLZE__PROPERTY_ENTRY_SIZE, &raw, count)) return false;
  for (uint64_t i = 0; i < *count && list != NULL; i++) {
    struct syclze__property_array_entry *entry = &list[i];
    uint64_t value;
    if (!syclze__elf_view_string(view, syclze__elf_view_pointer(view, at), &entry->name) ||
        entry->name == NULL)
      return false;
    entry->type = syclze__load_u32(raw + 16);
    entry->size = syclze__load_u64(raw + 24);
    value = syclze__elf_view_pointer(view, at + 8);
    if (entry->type == SYCLZE_PROPERTY_TYPE_STRING) {
      if (!syclze__elf_view_string(view, value, &entry->value)) return false;
    } else if (entry->type == SYCLZE_PROPERTY_TYPE_BYTES) {
      entry->value = (const char *)syclze__elf_view_array(view, value, entry->size);
      if (entry->value == NULL) return false;
    }
    raw += SYCLZE__PROPERTY_ENTRY_SIZE;
    at += SYCLZE__PROPERTY_ENTRY_SIZE;
  }
  view->lane = SYCLZE__ELF_LANE_SETS;
  return true;
}

/* Gives an image the sets between two addresses, with pointers into the file. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_properties(struct syclze__elf_view *view,
    uint64_t begin, uint64_t end, struct syclze__file_memory **memory,
    syclze_offload_image *image) {
  static const char rule[] = "DPC++: property sets are not in the file";
  uint64_t set_count, entries = 0, count;
  const uint8_t *raw;
  view->lane = SYCLZE__ELF_LANE_SETS;
  if (!syclze__wrapped_array(view, begin, end, SYCLZE__PROPERTY_SET_SIZE, &raw, &set_count))
    return syclze__invalid(rule);
  if (set_count == 0) return syclze__allowed();
  for (uint64_t i = 0; i < set_count; i++, entries += count)
    if (!syclze__wrapped_set(view, begin + i * SYCLZE__PROPERTY_SET_SIZE, NULL, &count))
      return syclze__invalid(rule);
  struct syclze__property_array_set *sets =
      (struct syclze__property_array_set *)syclze__file_allocate(
          memory, set_count * sizeof *sets + entries * sizeof(struct syclze__property_array_entry));
  if (sets == NULL) return syclze__out_of_memory();
  struct syclze__property_array_entry *entry =
      (struct syclze__property_array_entry *)(void *)(sets + set_count);
  for (uint64_t i = 0; i < set_count; i++, entry += count) {
    uint64_t set = begin + i * SYCLZE__PROPERTY_SET_SIZE;
    if (!syclze__elf_view_string(view, syclze__elf_view_pointer(view, set), &sets[i].name) ||
        sets[i].name == NULL || !syclze__wrapped_set(view, set, entry, &count))
      return syclze__invalid(rule);
    sets[i].begin = (const char *)entry;
    sets[i].end = (const char *)(entry + count);
  }
  image->property_sets_begin = sets;
  image->property_sets_end = sets + set_count;
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
