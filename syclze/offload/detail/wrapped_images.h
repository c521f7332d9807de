/* The images of a DPC++ program, shared object or object, with all that its descriptors have.
 *
 * DPC++ registers descriptors that point to the images' bytes, to strings, to the kernels' names
 * and to property sets. The descriptors are found by their layout at the pointers of the file, in
 * whatever sections they and the images are. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_WRAPPED_IMAGES_H
#define SYCLZE_OFFLOAD_DETAIL_WRAPPED_IMAGES_H

#include "announced_images.h"
#include "descriptor.h"
#include "elf_view.h"
#include "file_memory.h"
#include "wrapped_properties.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum { SYCLZE__WRAPPED_STRINGS = 4 };

/* The images found so far. */
struct syclze__wrapped_images {
  syclze_offload_image *list;
  size_t count, room;
  const char *place;  /* the section of the first image */
  uint64_t next;      /* address behind the last descriptor */
  uint64_t announced; /* by the tables that are registered */
};

/* Where a descriptor's fields are. */
struct syclze__wrapped_descriptor {
  uint64_t address, size;
  const uint8_t *header; /* version, kind, format: 8 bytes */
  uint64_t bytes;        /* of the pointers to the image, its entries and its property sets */
  uint64_t begin;        /* of the image */
};

/* The names of the entries between two addresses, a line each; empty without any. Counts their size
 * while `text` is null. */
SYCLZE_LOCAL bool syclze__wrapped_names(
    struct syclze__elf_view *view, uint64_t begin, uint64_t end, char *text, size_t *size) {
  *size = 0;
  view->lane = SYCLZE__ELF_LANE_NAMES;
  for (uint64_t at = begin; at < end;) {
    size_t entry_size = 0;
    const char *name;
    const uint8_t *raw = syclze__elf_view_bytes(view, at, SYCLZE__DESCRIPTOR_ENTRY_OLD);
    if (raw == NULL) return false;
    size_t name_offset = syclze__descriptor_entry_layout(raw, &entry_size);
    if (entry_size > end - at || syclze__elf_view_bytes(view, at, entry_size) == NULL ||
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
    const struct syclze__wrapped_descriptor *from, struct syclze__file_memory **memory,
    syclze_offload_image *image) {
  static const char *const keys[SYCLZE__WRAPPED_STRINGS] = {
      "triple", "compile-opts", "link-opts", "symbols"};
  static const char rule[] = "DPC++: strings of a descriptor are not in the file";
  uint64_t begin = syclze__elf_view_pointer(view, from->bytes + 16);
  uint64_t end = syclze__elf_view_pointer(view, from->bytes + 24);
  size_t size = 0;
  if (!syclze__wrapped_names(view, begin, end, NULL, &size)) return syclze__invalid(rule);
  view->lane = SYCLZE__ELF_LANE_DESCRIPTORS;
  syclze_offload_string *strings = (syclze_offload_string *)syclze__file_allocate(
      memory, SYCLZE__WRAPPED_STRINGS * sizeof *strings + (uint64_t)size);
  if (strings == NULL) return syclze__out_of_memory();
  char *names = (char *)(strings + SYCLZE__WRAPPED_STRINGS);
  for (uint64_t i = 0; i < SYCLZE__WRAPPED_STRINGS; i++) {
    const char *value = NULL;
    strings[i].key = syclze_text_of(keys[i]);
    if (i < 3 &&
        !syclze__elf_view_string(view,
            syclze__elf_view_pointer(view, from->address + SYCLZE__DESCRIPTOR_STRINGS + 8 * i),
            &value))
      return syclze__invalid(rule);
    strings[i].value = syclze_bytes_of(value, value != NULL ? strlen(value) : 0);
  }
  if (!syclze__wrapped_names(view, begin, end, names, &size)) return syclze__invalid(rule);
  strings[3].value = syclze_bytes_of(names, size != 0 ? size - 1 : 0);
  syclze_offload_image_set_strings(image, strings, SYCLZE__WRAPPED_STRINGS - (size == 0));
  return syclze__allowed();
}

/* Reads an image from its descriptor. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_image(struct syclze__elf_view *view,
    const struct syclze__wrapped_descriptor *from, struct syclze__file_memory **memory,
    syclze_offload_image *image) {
  static const uint8_t kinds[] = {SYCLZE_OFFLOAD_IMAGE_KIND_NONE, SYCLZE_OFFLOAD_IMAGE_KIND_OBJECT,
      SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV, SYCLZE_OFFLOAD_IMAGE_KIND_BITCODE};
  image->offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
  image->image_kind = from->header[3] < sizeof kinds ? kinds[from->header[3]] : 0u;
  image->aspect_numbers = syclze__descriptor_aspects(from->header);
  if (from->header[3] != SYCLZE__DESCRIPTOR_FORMAT_COMPRESSED) image->flags = SYCLZE__FLAG_PLAIN;
  struct syclze__status status = syclze__wrapped_strings(view, from, memory, image);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  view->lane = SYCLZE__ELF_LANE_DESCRIPTORS;
  const uint64_t begin = syclze__elf_view_pointer(view, from->bytes + 32);
  const uint64_t end = syclze__elf_view_pointer(view, from->bytes + 40);
  status = syclze__wrapped_properties(view, begin, end, memory, image);
  view->lane = SYCLZE__ELF_LANE_DESCRIPTORS;
  return status;
}

/* Whether a word may be the first of a descriptor or of a table of them. */
SYCLZE_INLINE bool syclze__wrapped_may_begin(const uint8_t *header) {
  const uint64_t word = syclze__load_u64(header);
  return word >> 32 == 0 && (word & 0xffff) - 1 < SYCLZE__DESCRIPTOR_IMAGE_VERSION_LAST;
}

/* Whether such a word is the first of a descriptor. */
SYCLZE_INLINE bool syclze__wrapped_is_header(const uint8_t *header) {
  return header[2] == SYCLZE__DESCRIPTOR_KIND_DPCPP && syclze__wrapped_may_begin(header) &&
         header[3] <= SYCLZE__DESCRIPTOR_FORMAT_LAST;
}

/* Whether a descriptor begins at an address, with an image whose bytes are in the file. */
SYCLZE_LOCAL bool syclze__wrapped_find(struct syclze__elf_view *view, const uint8_t *header,
    uint64_t address, struct syclze__wrapped_descriptor *found, syclze_bytes *bytes) {
  found->address = address;
  found->header = header;
  found->size = syclze__descriptor_image_size(header);
  if (!syclze__wrapped_is_header(header) ||
      syclze__elf_view_bytes(view, address, found->size) == NULL ||
      syclze__elf_view_pointer(view, address + SYCLZE__DESCRIPTOR_STRINGS) == 0)
    return false;
  found->bytes = address + SYCLZE__DESCRIPTOR_BYTES +
                 (found->size == SYCLZE__DESCRIPTOR_LONG ? SYCLZE__DESCRIPTOR_MANIFEST : 0);
  uint64_t end = syclze__elf_view_pointer(view, found->bytes + 8);
  found->begin = syclze__elf_view_pointer(view, found->bytes);
  if (found->begin == 0 || end <= found->begin) return false;
  const uint8_t *data = syclze__elf_view_bytes(view, found->begin, end - found->begin);
  *bytes = syclze_bytes_of(data, (size_t)(end - found->begin));
  return data != NULL;
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

/* Reads what begins at an address: a descriptor, a table of descriptors, or neither. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_try(struct syclze__elf_view *view,
    uint64_t address, const uint8_t *header, struct syclze__file_memory **memory,
    struct syclze__wrapped_images *images) {
  struct syclze__wrapped_descriptor found;
  syclze_offload_image image;
  memset(&image, 0, sizeof image);
  if (address >= images->next &&
      syclze__wrapped_find(view, header, address, &found, &image.bytes)) {
    struct syclze__status status = syclze__wrapped_image(view, &found, memory, &image);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    images->next = address + found.size;
    if (images->count == 0)
      images->place = syclze__elf_view_section(view, view->lane, found.begin)->name;
    return syclze__wrapped_add(images, &image) ? status : syclze__out_of_memory();
  }
  if (syclze__load_u16(header) != SYCLZE__DESCRIPTOR_VERSION) return syclze__allowed();
  const uint8_t *first = syclze__elf_view_bytes(
      view, syclze__elf_view_pointer(view, address + SYCLZE__DESCRIPTOR_IMAGES), 8);
  if (first != NULL && syclze__wrapped_is_header(first))
    images->announced += syclze__load_u16(header + 2);
  return syclze__allowed();
}

/* Reads what begins before each relocated pointer. The second word of both kinds of descriptors is
 * one that is never null. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_follow(struct syclze__elf_view *view,
    struct syclze__file_memory **memory, struct syclze__wrapped_images *images) {
  struct syclze__status status = syclze__allowed();
  uint64_t begin = 0, size = 0; /* of the section of the last pointer, but for its last 16 bytes */
  const uint8_t *bytes = NULL;
  for (size_t i = 0; i < view->pointer_count; i++) {
    const uint64_t address = view->pointers[i].address - 8;
    if (address - begin >= size) {
      if (syclze__elf_view_bytes(view, address, 16) == NULL) continue;
      const syclze_elf_section *section = syclze__elf_view_section(view, view->lane, address);
      bytes = (const uint8_t *)section->bytes.data;
      begin = section->address;
      size = section->bytes.size - 15;
    }
    const uint8_t *header = bytes + (size_t)(address - begin);
    if (!syclze__wrapped_may_begin(header)) continue;
    view->near_pointer[view->lane] = i;
    status = syclze__wrapped_try(view, address, header, memory, images);
    if (status.result != ZE_RESULT_SUCCESS) break;
  }
  return status;
}

/* Reads what begins at each eighth byte of a section, where pointers are resolved in place. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_scan(struct syclze__elf_view *view,
    const syclze_elf_section *section, struct syclze__file_memory **memory,
    struct syclze__wrapped_images *images) {
  struct syclze__status status = syclze__allowed();
  const uint8_t *bytes = (const uint8_t *)section->bytes.data;
  size_t at = (size_t)((0 - section->address) % 8);
  for (; at < section->bytes.size && section->bytes.size - at >= 16; at += 8) {
    if (!syclze__wrapped_may_begin(bytes + at)) continue;
    status = syclze__wrapped_try(view, section->address + at, bytes + at, memory, images);
    if (status.result != ZE_RESULT_SUCCESS) break;
  }
  return status;
}

SYCLZE_LOCAL struct syclze__status syclze__wrapped_images_list(struct syclze__elf_view *view,
    struct syclze__file_memory **memory, struct syclze__wrapped_images *images) {
  struct syclze__status status = syclze__allowed();
  if (!view->has_pointers_in_place) status = syclze__wrapped_follow(view, memory, images);
  for (size_t i = 0; i < view->section_count && status.result == ZE_RESULT_SUCCESS; i++) {
    const syclze_elf_section *section = &view->sections[i];
    if (view->has_pointers_in_place && section->type == SYCLZE__ELF_SECTION_PROGBITS &&
        (section->flags & SYCLZE__ELF_FLAG_EXECUTE) == 0)
      status = syclze__wrapped_scan(view, section, memory, images);
  }
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (images->count < images->announced || images->count < syclze__announced_images(view->elf))
    return syclze__invalid("DPC++: fewer images are described than the file announces");
  return status;
}

/* Lists the images that the descriptors of a file describe, in the cursor's memory. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_images_read(const syclze_elf *elf,
    struct syclze__file_memory **memory, const syclze_offload_image **list, size_t *count,
    const char **place) {
  struct syclze__elf_view view;
  struct syclze__wrapped_images images = {NULL, 0, 0, NULL, 0, 0};
  *count = 0;
  if (!elf->is_64_bit || (elf->machine != 62 && elf->machine != 183)) return syclze__allowed();
  struct syclze__status status = syclze__elf_view_open(elf, &view);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__wrapped_images_list(&view, memory, &images);
  if (status.result == ZE_RESULT_SUCCESS && images.count != 0) {
    size_t size = images.count * sizeof *images.list;
    void *copy = syclze__file_allocate(memory, size);
    if (copy != NULL)
      memcpy(copy, images.list, size);
    else
      status = syclze__out_of_memory();
    *list = (const syclze_offload_image *)copy;
    *count = copy != NULL ? images.count : 0;
    *place = images.place;
  }
  free(images.list);
  syclze__elf_view_close(&view);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
