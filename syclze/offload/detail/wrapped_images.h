/* The images of a DPC++ program, shared object or object, with all contents of its descriptors.
 *
 * DPC++ registers descriptors that point to the images' bytes, to strings, to the kernels' names
 * and to property sets. The descriptors are found by their layout at the pointers of the file, in
 * whatever sections they and the images are. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_WRAPPED_IMAGES_H
#define SYCLZE_OFFLOAD_DETAIL_WRAPPED_IMAGES_H

#include "announced_images.h"
#include "elf_view_open.h"
#include "file_memory.h"
#include "wrapped_descriptor.h"
#include "wrapped_properties.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum { SYCLZE__WRAPPED_STRINGS = 4 };

struct syclze__wrapped_item {
  syclze_offload_image image;
  syclze_text texts[SYCLZE__WRAPPED_STRINGS];
  uint64_t addresses[SYCLZE__WRAPPED_STRINGS - 1]; /* of the texts, except the symbols */
};

/* The images found so far. */
struct syclze__wrapped_images {
  const struct syclze__elf_view *file; /* for properties, which are read later */
  struct syclze__wrapped_item *list;
  size_t count, room;
  const char *place;  /* the section of the first image */
  uint64_t next;      /* address behind the last descriptor */
  uint64_t announced; /* by the tables that are registered */
};

/* The names of the entries between two addresses, a line each; empty without any. A single name is
 * that in the file. Counts their size while `text` is null. */
SYCLZE_LOCAL bool syclze__wrapped_names(struct syclze__elf_view *view, uint64_t begin, uint64_t end,
    char *text, size_t *count, syclze_text *names) {
  *count = names->size = 0;
  view->lane = SYCLZE__ELF_LANE_NAMES;
  for (uint64_t at = begin; at < end;) {
    size_t entry_size = 0;
    syclze_text name;
    const uint8_t *raw = syclze__elf_view_bytes(view, at, SYCLZE__DESCRIPTOR_ENTRY_OLD);
    if (raw == NULL) return false;
    size_t name_offset = syclze__descriptor_entry_layout(raw, &entry_size);
    if (entry_size > end - at ||
        (entry_size > SYCLZE__DESCRIPTOR_ENTRY_OLD &&
            syclze__elf_view_bytes(view, at, entry_size) == NULL) ||
        !syclze__elf_view_string(
            view, syclze__elf_view_pointer(view, at + name_offset, raw + name_offset), &name))
      return false;
    at += entry_size;
    if (name.data == NULL || !syclze__descriptor_is_kernel(name.data)) continue;
    if ((*count)++ != 0) names->size++;
    if (text != NULL) {
      memcpy(text + names->size, name.data, name.size);
      text[names->size + name.size] = '\n';
    }
    names->data = text != NULL ? text : name.data;
    names->size += name.size;
  }
  return true;
}

/* The strings of a descriptor, and the names of its entries. Most images have the strings of the
 * image before. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_strings(struct syclze__elf_view *view,
    const struct syclze__wrapped_descriptor *from, struct syclze__file_memory **memory,
    const struct syclze__wrapped_item *before, struct syclze__wrapped_item *made) {
  static const char rule[] = "DPC++: strings of a descriptor are not in the file";
  syclze_text *names = &made->texts[SYCLZE__WRAPPED_STRINGS - 1];
  for (int i = 0; i < SYCLZE__WRAPPED_STRINGS - 1; i++) {
    made->addresses[i] = from->pointers[i];
    if (before != NULL && made->addresses[i] == before->addresses[i])
      made->texts[i] = before->texts[i];
    else if (!syclze__elf_view_string(view, made->addresses[i], &made->texts[i]))
      return syclze__invalid(rule);
  }
  const uint64_t begin = from->ranges[SYCLZE__WRAPPED_ENTRIES];
  const uint64_t end = from->ranges[SYCLZE__WRAPPED_ENTRIES_END];
  size_t count = 0;
  if (!syclze__wrapped_names(view, begin, end, NULL, &count, names)) return syclze__invalid(rule);
  if (count > 1) {
    char *text = (char *)syclze__file_allocate(memory, (uint64_t)names->size + 1);
    if (text == NULL) return syclze__out_of_memory();
    if (!syclze__wrapped_names(view, begin, end, text, &count, names)) return syclze__invalid(rule);
  }
  return syclze__allowed();
}

/* Reads an image from its descriptor. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_image(struct syclze__elf_view *view,
    const struct syclze__wrapped_descriptor *from, struct syclze__file_memory **memory,
    const struct syclze__elf_view *file, const struct syclze__wrapped_item *before,
    struct syclze__wrapped_item *made) {
  static const uint8_t kinds[] = {SYCLZE_OFFLOAD_IMAGE_KIND_NONE, SYCLZE_OFFLOAD_IMAGE_KIND_OBJECT,
      SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV, SYCLZE_OFFLOAD_IMAGE_KIND_BITCODE};
  syclze_offload_image *image = &made->image;
  image->offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
  image->image_kind = from->header[3] < sizeof kinds ? kinds[from->header[3]] : 0u;
  image->aspect_numbers = syclze__descriptor_aspects(from->header);
  if (from->header[3] != SYCLZE__DESCRIPTOR_FORMAT_COMPRESSED) image->flags = SYCLZE__FLAG_PLAIN;
  struct syclze__status status = syclze__wrapped_strings(view, from, memory, before, made);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__wrapped_properties_find(file, view, from->ranges[SYCLZE__WRAPPED_SETS],
          from->ranges[SYCLZE__WRAPPED_SETS_END], image))
    return syclze__invalid("DPC++: property sets are not in the file");
  view->lane = SYCLZE__ELF_LANE_DESCRIPTORS;
  return status;
}

/* Adds room for one more image, of zeros; null without memory. */
SYCLZE_LOCAL struct syclze__wrapped_item *syclze__wrapped_next(
    struct syclze__wrapped_images *images) {
  if (images->count == images->room) {
    size_t room = images->room != 0 ? images->room * 2 : 16;
    void *grown = realloc(images->list, room * sizeof *images->list);
    if (grown == NULL) return NULL;
    images->list = (struct syclze__wrapped_item *)grown;
    images->room = room;
  }
  struct syclze__wrapped_item *next = &images->list[images->count];
  memset(&next->image, 0, sizeof next->image);
  return next;
}

/* True if a table of descriptors begins at an address: its first pointer is to a descriptor. A
 * table of four images begins like an old descriptor, whose first pointer is to a text. */
SYCLZE_LOCAL bool syclze__wrapped_is_table(
    struct syclze__elf_view *view, uint64_t address, const uint8_t *header) {
  if (syclze__load_u16(header) != SYCLZE__DESCRIPTOR_VERSION) return false;
  const uint64_t images = syclze__elf_view_pointer(
      view, address + SYCLZE__DESCRIPTOR_IMAGES, header + SYCLZE__DESCRIPTOR_IMAGES);
  const uint8_t *first = syclze__elf_view_bytes(view, images, 8);
  return first != NULL && syclze__wrapped_is_header(first);
}

/* Reads what begins at an address: a descriptor, a table of descriptors, or neither. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_try(struct syclze__elf_view *view,
    uint64_t address, const uint8_t *header, struct syclze__file_memory **memory,
    struct syclze__wrapped_images *images) {
  struct syclze__wrapped_descriptor found;
  syclze_bytes bytes;
  if (syclze__wrapped_is_table(view, address, header)) {
    images->announced += syclze__load_u16(header + 2);
    return syclze__allowed();
  }
  if (address < images->next || !syclze__wrapped_find(view, header, address, &found, &bytes))
    return syclze__allowed();
  struct syclze__wrapped_item *next = syclze__wrapped_next(images);
  if (next == NULL) return syclze__out_of_memory();
  next->image.bytes = bytes;
  images->next = address + found.size;
  if (images->count++ == 0)
    images->place =
        syclze__elf_view_section(view, SYCLZE__ELF_LANE_IMAGES, found.ranges[SYCLZE__WRAPPED_BEGIN])
            ->name;
  return syclze__wrapped_image(
      view, &found, memory, images->file, images->count != 1 ? next - 1 : NULL, next);
}

/* A section's bytes, for reads of words by address. */
struct syclze__wrapped_words {
  const uint8_t *bytes;
  uint64_t begin, size; /* without the last 16 bytes */
};

/* The first pointer from `index` on that may be the second word of a descriptor, or lies outside of
 * the words' section. */
SYCLZE_LOCAL_WARM size_t syclze__wrapped_skip(
    const struct syclze__elf_view *view, size_t index, struct syclze__wrapped_words words) {
  const struct syclze__elf_pointer *at = view->pointers + index;
  const struct syclze__elf_pointer *const end = view->pointers + view->pointer_count;
  do {
    const uint64_t offset = syclze__load_u64(at->address) - 8 - words.begin;
    if (offset >= words.size || syclze__wrapped_may_begin(words.bytes + (size_t)offset)) break;
  } while (++at != end);
  return (size_t)(at - view->pointers);
}

/* Reads what begins before each relocated pointer. The second word of both kinds of descriptors is
 * one that is never null. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_follow(struct syclze__elf_view *view,
    struct syclze__file_memory **memory, struct syclze__wrapped_images *images) {
  struct syclze__status status = syclze__allowed();
  struct syclze__wrapped_words words = {NULL, 0, 0};
  for (size_t i = 0; i < view->pointer_count; i++) {
    i = syclze__wrapped_skip(view, i, words);
    if (i == view->pointer_count) break;
    const uint64_t address = syclze__elf_view_address(view, i) - 8;
    if (address - words.begin >= words.size) {
      if (syclze__elf_view_bytes(view, address, 16) == NULL) continue;
      const syclze_elf_section *section = syclze__elf_view_section(view, view->lane, address);
      words.bytes = (const uint8_t *)section->bytes.data;
      words.begin = section->address;
      words.size = section->bytes.size - 15;
      i--; /* the first of this section */
      continue;
    }
    const uint8_t *header = words.bytes + (size_t)(address - words.begin);
    view->near_pointer[view->lane] = i;
    status = syclze__wrapped_try(view, address, header, memory, images);
    if (status.result != ZE_RESULT_SUCCESS) break;
    /* A descriptor does not begin within the pointers of another one. */
    const size_t behind = view->near_pointer[view->lane];
    if (address < images->next && behind > i + 1) i = behind - 1;
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

SYCLZE_LOCAL struct syclze__status syclze__wrapped_images_find(struct syclze__elf_view *view,
    const syclze_elf *elf, struct syclze__file_memory **memory,
    struct syclze__wrapped_images *images) {
  struct syclze__status status = syclze__allowed();
  if (!view->has_pointers_in_place) status = syclze__wrapped_follow(view, memory, images);
  for (size_t i = 0; i < view->section_count && status.result == ZE_RESULT_SUCCESS; i++) {
    const syclze_elf_section *section = &view->sections[i];
    if (view->has_pointers_in_place && section->type == SYCLZE__ELF_SECTION_PROGBITS &&
        (section->flags & SYCLZE__ELF_FLAG_EXECUTE) == 0)
      status = syclze__wrapped_scan(view, section, memory, images);
  }
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (images->count < images->announced || images->count < syclze__announced_images(elf))
    return syclze__invalid("DPC++: fewer images are described than the file announces");
  return status;
}

/* Lists images in the cursor's memory, with their strings behind them; null without memory. */
SYCLZE_LOCAL const syclze_offload_image *syclze__wrapped_images_list(
    const struct syclze__wrapped_images *images, struct syclze__file_memory **memory) {
  static const syclze_text keys[SYCLZE__WRAPPED_STRINGS] = {
      {"triple", 6}, {"compile-opts", 12}, {"link-opts", 9}, {"symbols", 7}};
  const uint64_t each =
      sizeof(syclze_offload_image) + SYCLZE__WRAPPED_STRINGS * sizeof(syclze_offload_string);
  syclze_offload_image *list =
      (syclze_offload_image *)syclze__file_allocate(memory, images->count * each);
  if (list == NULL) return NULL;
  syclze_offload_string *strings = (syclze_offload_string *)(void *)(list + images->count);
  for (size_t i = 0; i < images->count; i++, strings += SYCLZE__WRAPPED_STRINGS) {
    const syclze_text *texts = images->list[i].texts;
    size_t count = SYCLZE__WRAPPED_STRINGS;
    for (size_t k = 0; k < count; k++) {
      strings[k].key = keys[k];
      strings[k].value = syclze_bytes_of(texts[k].data, texts[k].size);
    }
    if (texts[count - 1].size == 0) count--;
    list[i] = images->list[i].image;
    syclze_offload_image_set_strings(&list[i], strings, count);
  }
  return list;
}

/* Lists the images that the descriptors of a file describe, in the cursor's memory. */
SYCLZE_LOCAL struct syclze__status syclze__wrapped_images_read(const syclze_elf *elf,
    struct syclze__file_memory **memory, const syclze_offload_image **list, size_t *count,
    const char **place) {
  struct syclze__elf_view_block *opened;
  SYCLZE__ZEROED(struct syclze__wrapped_images, images);
  *count = 0;
  if (!elf->is_64_bit || (elf->machine != 62 && elf->machine != 183)) return syclze__allowed();
  struct syclze__status status = syclze__elf_view_open(elf, &opened);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  struct syclze__elf_view view = opened->view;
  images.file = &opened->view;
  status = syclze__wrapped_images_find(&view, elf, memory, &images);
  if (status.result != ZE_RESULT_SUCCESS || images.count == 0) {
    free(opened);
  } else if (!syclze__file_memory_adopt(memory, &opened->block) ||
             (*list = syclze__wrapped_images_list(&images, memory)) == NULL) {
    status = syclze__out_of_memory();
  } else {
    opened->view.budget /= images.count;
    memcpy(opened->view.near_section, view.near_section, sizeof view.near_section);
    *count = images.count;
    *place = images.place;
  }
  free(images.list);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
