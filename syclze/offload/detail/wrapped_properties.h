/* DPC++'s arrays of property sets in a file: read as they are in memory when an image's properties
 * are. */
#include "../property_set.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_WRAPPED_PROPERTIES_H
#define SYCLZE_OFFLOAD_DETAIL_WRAPPED_PROPERTIES_H

#include "descriptor.h"
#include "elf_view.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum { SYCLZE__PROPERTY_SET_SIZE = 24, SYCLZE__PROPERTY_ENTRY_SIZE = 32 };

/* Finds the array between two addresses: of whole elements, in the file. */
SYCLZE_INLINE bool syclze__wrapped_array(struct syclze__elf_view *view, uint64_t begin,
    uint64_t end, uint64_t element, const uint8_t **raw, uint64_t *count) {
  *raw = NULL;
  *count = end > begin ? (end - begin) / element : 0;
  if (end < begin) return false;
  if (*count != 0) *raw = syclze__elf_view_array(view, begin, *count * element);
  return *count == 0 || *raw != NULL;
}

/* The name of a set, by its address, and the array of its properties. */
struct syclze__wrapped_set {
  uint64_t name, address, count;
  const uint8_t *raw;
};

SYCLZE_LOCAL bool syclze__wrapped_set_read(struct syclze__elf_view *view, uint64_t address,
    const uint8_t *raw, struct syclze__wrapped_set *set) {
  uint64_t words[SYCLZE__PROPERTY_SET_SIZE / 8];
  view->lane = SYCLZE__ELF_LANE_SETS;
  syclze__elf_view_pointers(view, address, raw, words, SYCLZE__PROPERTY_SET_SIZE / 8);
  view->lane = SYCLZE__ELF_LANE_PROPERTIES;
  set->name = words[0];
  set->address = words[1];
  return syclze__wrapped_array(
      view, words[1], words[2], SYCLZE__PROPERTY_ENTRY_SIZE, &set->raw, &set->count);
}

/* Assigns the sets between two addresses to an image, if they are in the file. */
SYCLZE_LOCAL bool syclze__wrapped_properties_find(const struct syclze__elf_view *file,
    struct syclze__elf_view *view, uint64_t begin, uint64_t end, syclze_offload_image *image) {
  uint64_t count;
  const uint8_t *raw;
  view->lane = SYCLZE__ELF_LANE_SETS;
  if (!syclze__wrapped_array(view, begin, end, SYCLZE__PROPERTY_SET_SIZE, &raw, &count))
    return false;
  if (count == 0) return true;
  image->property_sets_begin = raw;
  image->property_sets_end = raw + count * SYCLZE__PROPERTY_SET_SIZE;
  image->property_file = file;
  image->property_address = begin;
  return true;
}

/* A view of an image's file. Images may share what they have: their share of the file and their own
 * size bound what is read of each. */
SYCLZE_INLINE struct syclze__elf_view syclze__wrapped_view(const syclze_offload_image *image) {
  struct syclze__elf_view view = *(const struct syclze__elf_view *)image->property_file;
  view.budget += 16 * (uint64_t)image->bytes.size;
  return view;
}

/* The number of an image's sets in a file. */
SYCLZE_INLINE uint64_t syclze__wrapped_set_count(const syclze_offload_image *image) {
  return (uint64_t)((const uint8_t *)image->property_sets_end -
                    (const uint8_t *)image->property_sets_begin) /
         SYCLZE__PROPERTY_SET_SIZE;
}

/* A property as it is in memory. */
SYCLZE_LOCAL bool syclze__wrapped_property(struct syclze__elf_view *view, uint64_t address,
    const uint8_t *raw, struct syclze__property_array_entry *entry) {
  syclze_text text;
  uint64_t pointers[2];
  syclze__elf_view_pointers(view, address, raw, pointers, 2);
  if (!syclze__elf_view_string(view, pointers[0], &text) || text.data == NULL) return false;
  entry->name = text.data;
  entry->type = syclze__load_u32(raw + 16);
  entry->size = syclze__load_u64(raw + 24);
  if (entry->type == SYCLZE_PROPERTY_TYPE_STRING) {
    if (!syclze__elf_view_string(view, pointers[1], &text)) return false;
    entry->value = text.data;
  } else if (entry->type == SYCLZE_PROPERTY_TYPE_BYTES) {
    entry->value = (const char *)syclze__elf_view_array(view, pointers[1], entry->size);
    return entry->value != NULL;
  }
  return true;
}

/* Makes arrays of an image's sets, as they are in memory, with pointers into the file. `image` then
 * has them; the caller frees `*arrays`. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_properties_load(
    syclze_offload_image *image, void **arrays) {
  static const char rule[] = "DPC++: property sets are not in the file";
  struct syclze__elf_view view = syclze__wrapped_view(image);
  const uint8_t *const raw = (const uint8_t *)image->property_sets_begin;
  const uint64_t set_count = syclze__wrapped_set_count(image);
  const uint64_t size = set_count * SYCLZE__PROPERTY_SET_SIZE;
  uint64_t entries = 0;
  struct syclze__wrapped_set set;
  for (uint64_t at = 0; at != size; at += SYCLZE__PROPERTY_SET_SIZE, entries += set.count)
    if (!syclze__wrapped_set_read(&view, image->property_address + at, raw + at, &set))
      return syclze__invalid(rule);
  struct syclze__property_array_set *sets = (struct syclze__property_array_set *)calloc(1,
      (size_t)(set_count * sizeof *sets + entries * sizeof(struct syclze__property_array_entry)));
  if (sets == NULL) return syclze__out_of_memory();
  *arrays = sets;
  image->property_sets_begin = sets;
  image->property_sets_end = sets + set_count;
  struct syclze__property_array_entry *entry =
      (struct syclze__property_array_entry *)(void *)(sets + set_count);
  for (uint64_t at = 0; at != size; at += SYCLZE__PROPERTY_SET_SIZE, sets++) {
    syclze_text name;
    if (!syclze__wrapped_set_read(&view, image->property_address + at, raw + at, &set) ||
        !syclze__elf_view_string(&view, set.name, &name) || name.data == NULL ||
        set.count > entries)
      return syclze__invalid(rule);
    entries -= set.count;
    sets->name = name.data;
    sets->begin = (const char *)entry;
    for (; set.count != 0; set.count--, entry++) {
      if (!syclze__wrapped_property(&view, set.address, set.raw, entry))
        return syclze__invalid(rule);
      set.address += SYCLZE__PROPERTY_ENTRY_SIZE;
      set.raw += SYCLZE__PROPERTY_ENTRY_SIZE;
    }
    sets->end = (const char *)entry;
  }
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
