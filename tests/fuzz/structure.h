/* A DPC++ program in memory, small and whole: a shared object with relocations, a program at fixed
   addresses, or an object with symbols. It has two images with strings, kernels and property sets,
   the table that registers them, .tgtimg, and a section of Offload Binaries. */
#ifndef TESTS_FUZZ_STRUCTURE_H
#define TESTS_FUZZ_STRUCTURE_H

#include "syclze/offload/container.h"

enum { STRUCTURE_ROOM = 6144, STRUCTURE_POINTERS = 64 };

enum structure_section {
  STRUCTURE_NONE,
  STRUCTURE_NAMES,
  STRUCTURE_IMAGES,
  STRUCTURE_TEXTS,
  STRUCTURE_DATA,
  STRUCTURE_TABLE,
  STRUCTURE_OFFLOADING,
  STRUCTURE_SYMBOLS,
  STRUCTURE_RELOCATIONS,
  STRUCTURE_SECTIONS
};

struct structure {
  uint8_t bytes[STRUCTURE_ROOM];
  size_t size;
  uint16_t type; /* of ELF: 1 an object, 2 a program, 3 a shared object */
  size_t begin[STRUCTURE_SECTIONS + 1];
  size_t slot[STRUCTURE_POINTERS], target[STRUCTURE_POINTERS];
  size_t pointers;
};

/* Addresses are offsets in an object, and that many behind them otherwise. */
static inline uint64_t structure_base(const struct structure *made) {
  return made->type == 1 ? 0 : 0x10000;
}

static inline void structure_word(struct structure *made, size_t at, uint64_t value) {
  memcpy(made->bytes + at, &value, sizeof value);
}

static inline size_t structure_put(struct structure *made, const void *bytes, size_t size) {
  size_t at = made->size;
  if (size > STRUCTURE_ROOM - at - 16) abort();
  if (size != 0) memcpy(made->bytes + at, bytes, size);
  made->size += size;
  return at;
}

static inline size_t structure_text(struct structure *made, const char *text) {
  return structure_put(made, text, strlen(text) + 1);
}

static inline size_t structure_zeros(struct structure *made, size_t size) {
  static const uint8_t zeros[128];
  while (made->size % 8 != 0)
    made->size++;
  return structure_put(made, zeros, size);
}

static inline void structure_point(struct structure *made, size_t slot, size_t target) {
  if (made->pointers == STRUCTURE_POINTERS) abort();
  made->slot[made->pointers] = slot;
  made->target[made->pointers++] = target;
}

/* A property: its name, its value in place or behind a pointer. */
static inline void structure_property(
    struct structure *made, size_t name, uint32_t type, size_t value, uint64_t size) {
  size_t at = structure_zeros(made, 32);
  structure_point(made, at, name);
  if (value != 0) structure_point(made, at + 8, value);
  structure_word(made, at + 16, type);
  structure_word(made, at + 24, size);
}

/* The texts that all descriptors share. */
struct structure_texts {
  size_t triple, empty, kernel, set, number, bytes, text, value;
};

static inline void structure_image(struct structure *made, bool is_long, size_t image, size_t size,
    const struct structure_texts *texts) {
  size_t at = structure_zeros(made, is_long ? 96 : 80), fields = at + (is_long ? 48 : 32);
  size_t entry = structure_zeros(made, is_long ? 32 : 56);
  made->bytes[at] = is_long ? 2 : 3;
  made->bytes[at + 2] = 4;
  made->bytes[at + 3] = 2;
  structure_point(made, at + 8, texts->triple);
  structure_point(made, at + 16, texts->empty);
  structure_point(made, at + 24, texts->empty);
  structure_point(made, fields, image);
  structure_point(made, fields + 8, image + size);
  structure_point(made, fields + 16, entry);
  structure_point(made, fields + 24, made->size);
  structure_point(made, entry + (is_long ? 8 : 24), texts->kernel);
  if (!is_long) made->bytes[entry + 8] = 1, made->bytes[entry + 10] = 4;
  size_t properties = made->size;
  structure_property(made, texts->number, 1, 0, 16);
  structure_property(made, texts->bytes, 2, texts->value, 12);
  structure_property(made, texts->text, 3, texts->triple, 7);
  size_t set = structure_zeros(made, 24);
  structure_point(made, set, texts->set);
  structure_point(made, set + 8, properties);
  structure_point(made, set + 16, set);
  structure_point(made, fields + 32, set);
  structure_point(made, fields + 40, set + 24);
}

static inline size_t structure_offloading(struct structure *made, syclze_bytes spirv) {
  uint8_t container[512];
  size_t size = sizeof container;
  syclze_offload_image image = syclze_offload_image_of(spirv);
  syclze_offload_string triple = {
      syclze_text_of("triple"), syclze_bytes_of("spirv64-unknown-unknown", 23)};
  syclze_offload_image_set_strings(&image, &triple, 1);
  image.offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
  if (syclze_container_write(2, &image, 1, container, &size) != ZE_RESULT_SUCCESS) abort();
  structure_zeros(made, 0);
  return structure_put(made, container, size);
}

/* Pointers in place, or the relocations that store them. */
static inline void structure_resolve(struct structure *made) {
  made->begin[STRUCTURE_SYMBOLS] = structure_zeros(made, 48);
  made->bytes[made->begin[STRUCTURE_SYMBOLS] + 24 + 6] = STRUCTURE_NAMES;
  structure_word(made, made->begin[STRUCTURE_SYMBOLS] + 32, 0 - made->begin[STRUCTURE_NAMES]);
  made->begin[STRUCTURE_RELOCATIONS] = made->size;
  for (size_t i = 0; i < made->pointers; i++) {
    uint64_t target = made->target[i] + structure_base(made), section = 0;
    if (made->type == 2) structure_word(made, made->slot[i], target);
    if (made->type == 2) continue;
    if (made->type == 1) section = made->begin[STRUCTURE_DATA];
    size_t at = structure_zeros(made, 24);
    structure_word(made, at, made->slot[i] + structure_base(made) - section);
    structure_word(made, at + 8, made->type == 1 ? 1 | (uint64_t)1 << 32 : 8);
    structure_word(made, at + 16, target);
  }
}

static inline void structure_headers(struct structure *made) {
  static const uint32_t types[] = {0, 3, 1, 1, 1, 1, 0x6fff4c0b, 2, 4};
  static const uint8_t names[] = {0, 1, 0, 0, 0, 7, 0, 0, 0};
  made->begin[STRUCTURE_SECTIONS] = made->size;
  for (size_t i = 0; i < STRUCTURE_SECTIONS; i++) {
    size_t at = structure_zeros(made, 64), begin = made->begin[i];
    if (i == 0) continue;
    structure_word(made, at, names[i] | (uint64_t)types[i] << 32);
    structure_word(made, at + 8, i < STRUCTURE_OFFLOADING ? 2 : 0);
    structure_word(made, at + 16, begin + structure_base(made));
    structure_word(made, at + 24, begin);
    structure_word(made, at + 32, made->begin[i + 1] - begin);
    structure_word(made, at + 40,
        i == STRUCTURE_RELOCATIONS ? STRUCTURE_SYMBOLS | (uint64_t)STRUCTURE_DATA << 32 : 0);
  }
}

static inline void structure_make(struct structure *made, uint16_t type) {
  static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  static const uint32_t spirv[] = {
      0x07230203, 0x00010000, 0, 1, 0, 0x00020011, 6, 0x0003000e, 2, 2};
  struct structure_texts texts;
  memset(made, 0, sizeof *made);
  made->type = type;
  structure_put(made, magic, sizeof magic);
  made->size = 64;
  made->bytes[16] = (uint8_t)type;
  made->bytes[18] = 62;
  made->bytes[58] = 64;
  made->bytes[60] = STRUCTURE_SECTIONS;
  made->bytes[62] = STRUCTURE_NAMES;
  made->begin[STRUCTURE_NAMES] = structure_put(made, "\0names\0.tgtimg", 15);
  made->begin[STRUCTURE_IMAGES] = structure_zeros(made, 0);
  size_t first = structure_put(made, spirv, sizeof spirv);
  size_t second = structure_put(made, spirv, sizeof spirv);
  made->begin[STRUCTURE_TEXTS] = made->size;
  texts.triple = structure_text(made, "spir64");
  texts.empty = structure_text(made, "");
  texts.kernel = structure_text(made, "kernel");
  texts.set = structure_text(made, "SYCL/device requirements");
  texts.number = structure_text(made, "reqd_sub_group_size");
  texts.bytes = structure_text(made, "aspects");
  texts.text = structure_text(made, "text");
  texts.value = structure_put(made, "\40\0\0\0\0\0\0\0\6\0\0\0", 12);
  made->begin[STRUCTURE_DATA] = structure_zeros(made, 0);
  size_t images = made->size;
  structure_image(made, false, first, sizeof spirv, &texts);
  structure_image(made, true, second, sizeof spirv, &texts);
  size_t table = structure_zeros(made, 32);
  made->bytes[table] = 1;
  made->bytes[table + 2] = 1;
  structure_point(made, table + 8, images);
  made->begin[STRUCTURE_TABLE] = structure_zeros(made, 32);
  made->begin[STRUCTURE_OFFLOADING] =
      structure_offloading(made, syclze_bytes_of(spirv, sizeof spirv));
  structure_resolve(made);
  structure_headers(made);
  structure_word(made, 40, made->begin[STRUCTURE_SECTIONS]);
}

#endif
