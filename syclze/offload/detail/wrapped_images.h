/* The images of a linked DPC++ program or shared object, with all that its descriptors have.
 *
 * DPC++ leaves the images' bytes in sections __CLANG_OFFLOAD_BUNDLE__*, and registers descriptors
 * that point to them, to strings, to the kernels' names and to property sets. Linking resolves the
 * pointers to addresses, or to relocations that add the load address. The descriptors are found by
 * their layout among the loaded data, and their pointers followed in the file. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_WRAPPED_IMAGES_H
#define SYCLZE_OFFLOAD_DETAIL_WRAPPED_IMAGES_H

#include "../elf.h"
#include "descriptor.h"
#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum {
  SYCLZE__ELF_TYPE_OBJECT = 1,
  SYCLZE__ELF_SECTION_PROGBITS = 1,
  SYCLZE__ELF_SECTION_RELA = 4,
  SYCLZE__ELF_FLAG_EXECUTE = 4,
  SYCLZE__ELF_FLAG_ALLOC = 2,
  SYCLZE__WRAPPED_STRINGS = 4,
  SYCLZE__PROPERTY_SET_SIZE = 24,
  SYCLZE__PROPERTY_ENTRY_SIZE = 32
};

#define SYCLZE__BUNDLE_SECTION "__CLANG_OFFLOAD_BUNDLE__"

/* A pointer that the loader will store: the addend of a relocation. */
struct syclze__elf_pointer {
  uint64_t address;
  uint64_t value;
};

/* Loaded sections and relocations of a linked file, by address. */
struct syclze__elf_view {
  syclze_elf elf;
  struct syclze__file_memory **memory; /* of what describes images */
  syclze_elf_section *sections;
  size_t section_count;
  struct syclze__elf_pointer *pointers;
  size_t pointer_count;
  uint64_t budget; /* bytes that descriptors may still name: they may share them */
};

/* The images found so far. */
struct syclze__wrapped_images {
  syclze_offload_image *list;
  size_t count, room;
};

SYCLZE_LOCAL int syclze__elf_compare_sections(const void *a, const void *b) {
  uint64_t left = ((const syclze_elf_section *)a)->address;
  uint64_t right = ((const syclze_elf_section *)b)->address;
  return left < right ? -1 : left > right;
}

SYCLZE_LOCAL int syclze__elf_compare_pointers(const void *a, const void *b) {
  uint64_t left = ((const struct syclze__elf_pointer *)a)->address;
  uint64_t right = ((const struct syclze__elf_pointer *)b)->address;
  return left < right ? -1 : left > right;
}

/* The relocations of a section that add the load address to their addend; counts them without a
 * list. */
SYCLZE_LOCAL size_t syclze__elf_read_pointers(
    const syclze_elf *elf, const syclze_elf_section *section, struct syclze__elf_pointer *list) {
  uint32_t relative = elf->machine == 62 ? 8 : elf->machine == 183 ? 1027 : 0;
  const uint8_t *at = (const uint8_t *)section->bytes.data;
  size_t count = 0;
  if (section->type != SYCLZE__ELF_SECTION_RELA || relative == 0) return 0;
  for (size_t left = section->bytes.size; left >= 24; left -= 24, at += 24) {
    if (syclze__load_u32(at + 8) != relative || syclze__load_u32(at + 12) != 0) continue;
    if (list != NULL) {
      list[count].address = syclze__load_u64(at);
      list[count].value = syclze__load_u64(at + 16);
    }
    count++;
  }
  return count;
}

SYCLZE_LOCAL struct syclze__status syclze__elf_view_open(struct syclze__elf_view *view) {
  syclze_elf_section section;
  size_t sections = 0, pointers = 0;
  for (size_t i = 0; syclze_elf_section_at(&view->elf, i, &section); i++) {
    sections += (section.flags & SYCLZE__ELF_FLAG_ALLOC) != 0 && section.bytes.size != 0;
    pointers += syclze__elf_read_pointers(&view->elf, &section, NULL);
  }
  uint64_t size =
      (uint64_t)sections * sizeof *view->sections + (uint64_t)pointers * sizeof *view->pointers;
  if (size < SIZE_MAX) view->sections = (syclze_elf_section *)malloc((size_t)size + 1);
  if (view->sections == NULL) return syclze__out_of_memory();
  view->pointers = (struct syclze__elf_pointer *)(void *)(view->sections + sections);
  for (size_t i = 0; syclze_elf_section_at(&view->elf, i, &section); i++) {
    if ((section.flags & SYCLZE__ELF_FLAG_ALLOC) != 0 && section.bytes.size != 0)
      view->sections[view->section_count++] = section;
    view->pointer_count +=
        syclze__elf_read_pointers(&view->elf, &section, view->pointers + view->pointer_count);
  }
  qsort(view->sections, view->section_count, sizeof *view->sections, syclze__elf_compare_sections);
  /* Linkers write relocations in order. */
  bool is_sorted = true;
  for (size_t i = 1; i < view->pointer_count && is_sorted; i++)
    is_sorted = view->pointers[i - 1].address <= view->pointers[i].address;
  if (!is_sorted)
    qsort(
        view->pointers, view->pointer_count, sizeof *view->pointers, syclze__elf_compare_pointers);
  return syclze__allowed();
}

SYCLZE_INLINE bool syclze__is_bundle_section(const syclze_elf_section *section) {
  return strncmp(section->name, SYCLZE__BUNDLE_SECTION, sizeof SYCLZE__BUNDLE_SECTION - 1) == 0;
}

/* The section that is loaded at an address; null where none is. */
SYCLZE_LOCAL const syclze_elf_section *syclze__elf_view_section(
    const struct syclze__elf_view *view, uint64_t address) {
  size_t low = 0, high = view->section_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (view->sections[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || address - view->sections[low - 1].address >= view->sections[low - 1].bytes.size)
    return NULL;
  return &view->sections[low - 1];
}

/* The bytes from an address to the end of its section; empty where nothing is loaded. */
SYCLZE_LOCAL syclze_bytes syclze__elf_view_bytes(
    const struct syclze__elf_view *view, uint64_t address) {
  const syclze_elf_section *section = syclze__elf_view_section(view, address);
  if (section == NULL) return syclze_bytes_of(NULL, 0);
  uint64_t offset = address - section->address;
  return syclze_bytes_of(
      (const uint8_t *)section->bytes.data + offset, (size_t)(section->bytes.size - offset));
}

/* The pointer that stands at an address once the file is loaded; 0 for null and for none. */
SYCLZE_LOCAL uint64_t syclze__elf_view_pointer(
    const struct syclze__elf_view *view, uint64_t address) {
  size_t low = 0, high = view->pointer_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (view->pointers[middle].address == address) return view->pointers[middle].value;
    if (view->pointers[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  syclze_bytes bytes = syclze__elf_view_bytes(view, address);
  return bytes.size >= 8 ? syclze__load_u64(bytes.data) : 0;
}

/* The terminated string at an address; null for a null pointer. False where it is not in the file.
 */
SYCLZE_LOCAL bool syclze__elf_view_string(
    struct syclze__elf_view *view, uint64_t address, const char **string) {
  *string = NULL;
  if (address == 0) return true;
  syclze_bytes bytes = syclze__elf_view_bytes(view, address);
  size_t limit = bytes.size < view->budget ? bytes.size : (size_t)view->budget;
  const void *end = limit != 0 ? memchr(bytes.data, 0, limit) : NULL;
  if (end == NULL) return false;
  *string = (const char *)bytes.data;
  view->budget -= (uint64_t)((const char *)end - *string) + 1;
  return true;
}

/* `size` bytes at an address; null where they are not in the file. */
SYCLZE_LOCAL const uint8_t *syclze__elf_view_array(
    struct syclze__elf_view *view, uint64_t begin, uint64_t size) {
  syclze_bytes bytes = syclze__elf_view_bytes(view, begin);
  if (size > bytes.size || size > view->budget) return NULL;
  view->budget -= size;
  return (const uint8_t *)bytes.data;
}

/* The arrays of property sets as they are in memory, with pointers into the file. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_properties(
    struct syclze__elf_view *view, uint64_t begin, uint64_t end, syclze_offload_image *image) {
  static const char rule[] = "DPC++: property sets are not in the file";
  uint64_t count = end >= begin ? (end - begin) / SYCLZE__PROPERTY_SET_SIZE : 0;
  if (count == 0) return syclze__allowed();
  if (syclze__elf_view_array(view, begin, end - begin) == NULL) return syclze__invalid(rule);
  uint64_t entries = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t set = begin + i * SYCLZE__PROPERTY_SET_SIZE;
    uint64_t first = syclze__elf_view_pointer(view, set + 8);
    uint64_t last = syclze__elf_view_pointer(view, set + 16);
    if (last < first ||
        (last != first && syclze__elf_view_array(view, first, last - first) == NULL))
      return syclze__invalid(rule);
    entries += (last - first) / SYCLZE__PROPERTY_ENTRY_SIZE;
  }
  struct syclze__property_array_set *sets =
      (struct syclze__property_array_set *)syclze__file_allocate(view->memory,
          count * sizeof *sets + entries * sizeof(struct syclze__property_array_entry));
  if (sets == NULL) return syclze__out_of_memory();
  struct syclze__property_array_entry *entry =
      (struct syclze__property_array_entry *)(void *)(sets + count);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t set = begin + i * SYCLZE__PROPERTY_SET_SIZE;
    uint64_t first = syclze__elf_view_pointer(view, set + 8);
    uint64_t last = syclze__elf_view_pointer(view, set + 16);
    if (!syclze__elf_view_string(view, syclze__elf_view_pointer(view, set), &sets[i].name) ||
        sets[i].name == NULL)
      return syclze__invalid(rule);
    sets[i].begin = (const char *)entry;
    for (uint64_t at = first; last - at >= SYCLZE__PROPERTY_ENTRY_SIZE;
         at += SYCLZE__PROPERTY_ENTRY_SIZE, entry++) {
      syclze_bytes raw = syclze__elf_view_bytes(view, at);
      uint64_t value = syclze__elf_view_pointer(view, at + 8);
      if (!syclze__elf_view_string(view, syclze__elf_view_pointer(view, at), &entry->name) ||
          entry->name == NULL)
        return syclze__invalid(rule);
      entry->type = syclze__load_u32((const uint8_t *)raw.data + 16);
      entry->size = syclze__load_u64((const uint8_t *)raw.data + 24);
      if (entry->type == SYCLZE_PROPERTY_TYPE_STRING) {
        if (!syclze__elf_view_string(view, value, &entry->value)) return syclze__invalid(rule);
      } else if (entry->type == SYCLZE_PROPERTY_TYPE_BYTES) {
        entry->value = (const char *)syclze__elf_view_array(view, value, entry->size);
        if (entry->value == NULL) return syclze__invalid(rule);
      }
    }
    sets[i].end = (const char *)entry;
  }
  image->property_sets_begin = sets;
  image->property_sets_end = sets + count;
  return syclze__allowed();
}

/* The names of the entries between two addresses, a line each; empty without any. Counts their size
 * while `text` is null. */
SYCLZE_LOCAL bool syclze__wrapped_names(
    struct syclze__elf_view *view, uint64_t begin, uint64_t end, char *text, size_t *size) {
  *size = 0;
  for (uint64_t at = begin; at < end;) {
    size_t entry_size = 0, name_offset = 0;
    const char *name;
    syclze_bytes raw = syclze__elf_view_bytes(view, at);
    if (raw.size < SYCLZE__DESCRIPTOR_ENTRY_OLD) return false;
    name_offset = syclze__descriptor_entry_layout((const uint8_t *)raw.data, &entry_size);
    if (raw.size < entry_size || entry_size > end - at ||
        !syclze__elf_view_string(view, syclze__elf_view_pointer(view, at + name_offset), &name))
      return false;
    at += entry_size;
    if (name == NULL || !syclze__descriptor_is_kernel(name)) continue;
    size_t length = strlen(name);
    if (text != NULL) {
      memcpy(text + *size, name, length);
      text[*size + length] = '\n';
    }
    *size += length + 1;
  }
  return true;
}

/* The strings of a descriptor, and the names of its entries. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_strings(struct syclze__elf_view *view,
    uint64_t descriptor, uint64_t entries, syclze_offload_image *image) {
  static const char *const keys[SYCLZE__WRAPPED_STRINGS] = {
      "triple", "compile-opts", "link-opts", "symbols"};
  static const char rule[] = "DPC++: strings of a descriptor are not in the file";
  uint64_t begin = syclze__elf_view_pointer(view, entries);
  uint64_t end = syclze__elf_view_pointer(view, entries + 8);
  size_t size = 0;
  if (!syclze__wrapped_names(view, begin, end, NULL, &size)) return syclze__invalid(rule);
  syclze_offload_string *strings = (syclze_offload_string *)syclze__file_allocate(
      view->memory, SYCLZE__WRAPPED_STRINGS * sizeof *strings + (uint64_t)size);
  if (strings == NULL) return syclze__out_of_memory();
  char *names = (char *)(strings + SYCLZE__WRAPPED_STRINGS);
  for (uint64_t i = 0; i < SYCLZE__WRAPPED_STRINGS; i++) {
    const char *value = NULL;
    strings[i].key = syclze_text_of(keys[i]);
    if (i < 3 &&
        !syclze__elf_view_string(view,
            syclze__elf_view_pointer(view, descriptor + SYCLZE__DESCRIPTOR_STRINGS + 8 * i),
            &value))
      return syclze__invalid(rule);
    strings[i].value = syclze_bytes_of(value, value != NULL ? strlen(value) : 0);
  }
  if (!syclze__wrapped_names(view, begin, end, names, &size)) return syclze__invalid(rule);
  strings[3].value = syclze_bytes_of(names, size != 0 ? size - 1 : 0);
  syclze_offload_image_set_strings(image, strings, SYCLZE__WRAPPED_STRINGS - (size == 0));
  return syclze__allowed();
}

/* The image of the descriptor at an address; none, with no bytes, where there is no descriptor. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_image(struct syclze__elf_view *view,
    uint64_t address, const uint8_t *raw, size_t size, syclze_offload_image *image) {
  static const uint8_t kinds[] = {SYCLZE_OFFLOAD_IMAGE_KIND_NONE, SYCLZE_OFFLOAD_IMAGE_KIND_OBJECT,
      SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV, SYCLZE_OFFLOAD_IMAGE_KIND_BITCODE};
  uint64_t bytes = address + SYCLZE__DESCRIPTOR_BYTES +
                   (size == SYCLZE__DESCRIPTOR_LONG ? SYCLZE__DESCRIPTOR_MANIFEST : 0);
  uint64_t begin = syclze__elf_view_pointer(view, bytes);
  uint64_t end = syclze__elf_view_pointer(view, bytes + 8);
  memset(image, 0, sizeof *image);
  if (begin == 0 || end <= begin || syclze__elf_view_pointer(view, address + 8) == 0)
    return syclze__allowed();
  const syclze_elf_section *section = syclze__elf_view_section(view, begin);
  syclze_bytes in_file = syclze__elf_view_bytes(view, begin);
  if (section == NULL || !syclze__is_bundle_section(section) || end - begin > in_file.size)
    return syclze__allowed();
  image->bytes = syclze_bytes_of(in_file.data, (size_t)(end - begin));
  image->offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
  image->image_kind = raw[3] < sizeof kinds ? kinds[raw[3]] : 0u;
  image->aspect_numbers = syclze__descriptor_aspects(raw);
  struct syclze__status status = syclze__wrapped_strings(view, address, bytes + 16, image);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  return syclze__wrapped_properties(view, syclze__elf_view_pointer(view, bytes + 32),
      syclze__elf_view_pointer(view, bytes + 40), image);
}

SYCLZE_LOCAL bool syclze__wrapped_add(
    struct syclze__wrapped_images *images, const syclze_offload_image *image) {
  if (images->count == images->room) {
    size_t room = images->room != 0 ? images->room * 2 : 16;
    void *grown = realloc(images->list, room * sizeof *images->list);
    if (grown == NULL) return false;
    images->list = (syclze_offload_image *)grown;
    images->room = room;
  }
  images->list[images->count++] = *image;
  return true;
}

/* The descriptors of DPC++ in a section of data. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_scan(struct syclze__elf_view *view,
    const syclze_elf_section *section, struct syclze__wrapped_images *images) {
  const uint8_t *bytes = (const uint8_t *)section->bytes.data;
  size_t at = (size_t)((0 - section->address) % 8);
  while (at < section->bytes.size && section->bytes.size - at >= SYCLZE__DESCRIPTOR_SHORT) {
    const uint8_t *raw = bytes + at;
    size_t size = 0;
    if (raw[2] == SYCLZE__DESCRIPTOR_KIND_DPCPP && syclze__load_u32(raw + 4) == 0)
      size = syclze__descriptor_image_size(raw);
    syclze_offload_image image;
    if (size == 0 || size > section->bytes.size - at) {
      at += 8;
      continue;
    }
    struct syclze__status status =
        syclze__wrapped_image(view, section->address + at, raw, size, &image);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    if (image.bytes.size != 0 && !syclze__wrapped_add(images, &image))
      return syclze__out_of_memory();
    at += image.bytes.size != 0 ? size : 8;
  }
  return syclze__allowed();
}

/* Whether a linked file has sections of DPC++'s images. */
SYCLZE_LOCAL bool syclze__holds_wrapped_images(const syclze_elf *elf, size_t *described) {
  syclze_elf_section section;
  bool holds = false;
  *described = 0;
  for (size_t i = 0; syclze_elf_section_at(elf, i, &section); i++) {
    if (strcmp(section.name, ".tgtimg") == 0) *described += section.bytes.size / 16;
    holds = holds ||
            strncmp(section.name, SYCLZE__BUNDLE_SECTION, sizeof SYCLZE__BUNDLE_SECTION - 1) == 0;
  }
  return holds && elf->is_64_bit && elf->type != SYCLZE__ELF_TYPE_OBJECT;
}

/* Lists the images that the descriptors of a linked file describe, in the cursor's memory. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_images_read(const syclze_elf *elf,
    struct syclze__file_memory **memory, const syclze_offload_image **list, size_t *count) {
  struct syclze__elf_view view;
  struct syclze__wrapped_images images = {NULL, 0, 0};
  size_t described = 0;
  *count = 0;
  if (!syclze__holds_wrapped_images(elf, &described)) return syclze__allowed();
  memset(&view, 0, sizeof view);
  view.elf = *elf;
  view.memory = memory;
  view.budget = 16 * (uint64_t)elf->bytes.size;
  struct syclze__status status = syclze__elf_view_open(&view);
  for (size_t i = 0; i < view.section_count && status.result == ZE_RESULT_SUCCESS; i++)
    if (view.sections[i].type == SYCLZE__ELF_SECTION_PROGBITS &&
        (view.sections[i].flags & SYCLZE__ELF_FLAG_EXECUTE) == 0 &&
        !syclze__is_bundle_section(&view.sections[i]))
      status = syclze__wrapped_scan(&view, &view.sections[i], &images);
  if (status.result == ZE_RESULT_SUCCESS && described != 0 && described != images.count)
    status = syclze__invalid("DPC++: there are other images than the descriptors describe");
  if (status.result == ZE_RESULT_SUCCESS && images.count != 0) {
    size_t size = images.count * sizeof *images.list;
    void *copy = syclze__file_allocate(memory, size);
    if (copy != NULL)
      memcpy(copy, images.list, size);
    else
      status = syclze__out_of_memory();
    *list = (const syclze_offload_image *)copy;
    *count = copy != NULL ? images.count : 0;
  }
  free(images.list);
  free(view.sections);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
