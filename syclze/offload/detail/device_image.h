/* Bodies of device_image.h, and helpers of all readers of bytes. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DEVICE_IMAGE_H
#define SYCLZE_OFFLOAD_DETAIL_DEVICE_IMAGE_H

#include "../device_image.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE syclze_bytes syclze_bytes_of(const void *data, size_t size) {
  syclze_bytes bytes = {data, size};
  return bytes;
}

SYCLZE_INLINE syclze_text syclze_text_of(const char *string) {
  syclze_text text = {string, string != NULL ? strlen(string) : 0};
  return text;
}

SYCLZE_INLINE syclze_text syclze_text_of_bytes(syclze_bytes bytes) {
  syclze_text text = {(const char *)bytes.data, bytes.size};
  return text;
}

SYCLZE_INLINE bool syclze_text_equal(syclze_text a, syclze_text b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

SYCLZE_INLINE bool syclze_text_is(syclze_text text, const char *string) {
  return syclze_text_equal(text, syclze_text_of(string));
}

/* The text up to a character, or all of it. */
SYCLZE_INLINE syclze_text syclze__text_before(syclze_text text, char end) {
  const void *found = text.size != 0 ? memchr(text.data, end, text.size) : NULL;
  if (found != NULL) text.size = (size_t)((const char *)found - text.data);
  return text;
}

/* The length of a terminated string, or the limit if it is longer. */
SYCLZE_INLINE size_t syclze__length(const char *string, size_t limit) {
  size_t length = 0;
  while (length < limit && string[length] != '\0')
    length++;
  return length;
}

SYCLZE_INLINE syclze_offload_image syclze_offload_image_of(syclze_bytes bytes) {
  SYCLZE__ZEROED(syclze_offload_image, image);
  image.bytes = bytes;
  return image;
}

SYCLZE_INLINE void syclze_offload_image_set_strings(
    syclze_offload_image *image, const syclze_offload_string *strings, size_t count) {
  image->strings.base = strings;
  image->strings.offset = 0;
  image->strings.count = count;
  image->strings.source = SYCLZE__STRINGS_LIST;
}

SYCLZE_INLINE size_t syclze_offload_image_string_count(const syclze_offload_image *image) {
  return image->strings.count;
}

/* Little-endian numbers at any address, loaded at once: compilers seldom combine single bytes. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#define SYCLZE__LITTLE_ENDIAN(bits, word) __builtin_bswap##bits(word)
#else
#define SYCLZE__LITTLE_ENDIAN(bits, word) (word)
#endif

SYCLZE_INLINE uint16_t syclze__load_u16(const void *from) {
  uint16_t word;
  memcpy(&word, from, sizeof word);
  return SYCLZE__LITTLE_ENDIAN(16, word);
}

SYCLZE_INLINE uint32_t syclze__load_u32(const void *from) {
  uint32_t word;
  memcpy(&word, from, sizeof word);
  return SYCLZE__LITTLE_ENDIAN(32, word);
}

SYCLZE_INLINE uint64_t syclze__load_u64(const void *from) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  return SYCLZE__LITTLE_ENDIAN(64, word);
}

/* True if `length` bytes at `offset` lie within `size` bytes. */
SYCLZE_INLINE bool syclze__within(uint64_t size, uint64_t offset, uint64_t length) {
  return offset <= size && length <= size - offset;
}

#if SYCLZE__BODIES

SYCLZE_COLD syclze_text syclze_offload_image_text(
    const syclze_offload_image *image, const char *key) {
  syclze_bytes value = {NULL, 0};
  return syclze_offload_image_find(image, key, &value) ? syclze_text_of_bytes(value)
                                                       : syclze_text_of(NULL);
}

SYCLZE_COLD syclze_offload_format syclze_offload_format_of(syclze_bytes bytes) {
  static const struct {
    uint8_t magic[8];
    uint8_t size;
    uint8_t format; /* a syclze_offload_format */
  } signatures[] = {
      {{0x03, 0x02, 0x23, 0x07}, 4, SYCLZE_OFFLOAD_FORMAT_SPIRV},
      {{0x07, 0x23, 0x02, 0x03}, 4, SYCLZE_OFFLOAD_FORMAT_SPIRV},
      {{'B', 'C', 0xc0, 0xde}, 4, SYCLZE_OFFLOAD_FORMAT_LLVM_IR},
      {{0xde, 0xc0, 0x17, 0x0b}, 4, SYCLZE_OFFLOAD_FORMAT_LLVM_IR},
      {{'!', '<', 'a', 'r', 'c', 'h', '>', '\n'}, 8, SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE},
      {{0x10, 0xff, 0x10, 0xad}, 4, SYCLZE_OFFLOAD_FORMAT_CONTAINER},
      {{0x28, 0xb5, 0x2f, 0xfd}, 4, SYCLZE_OFFLOAD_FORMAT_COMPRESSED},
      {{0x78, 0x01}, 2, SYCLZE_OFFLOAD_FORMAT_COMPRESSED},
      {{0x78, 0x5e}, 2, SYCLZE_OFFLOAD_FORMAT_COMPRESSED},
      {{0x78, 0x9c}, 2, SYCLZE_OFFLOAD_FORMAT_COMPRESSED},
      {{0x78, 0xda}, 2, SYCLZE_OFFLOAD_FORMAT_COMPRESSED},
      {{0x49, 0x42, 0x59, 0x53}, 4, SYCLZE_OFFLOAD_FORMAT_SYCLBIN},
      {{0x7f, 'E', 'L', 'F'}, 4, SYCLZE_OFFLOAD_FORMAT_ELF},
  };
  syclze_offload_format format = SYCLZE_OFFLOAD_FORMAT_UNKNOWN;
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
    if (bytes.size < signatures[i].size) continue;
    if (memcmp(bytes.data, signatures[i].magic, signatures[i].size) == 0)
      format = (syclze_offload_format)signatures[i].format;
  }
  const uint8_t *header = (const uint8_t *)bytes.data;
  if (format != SYCLZE_OFFLOAD_FORMAT_ELF || bytes.size < 20 || header[5] != 1) return format;
  uint16_t type = syclze__load_u16(header + 16), machine = syclze__load_u16(header + 18);
  if (machine == 205) return SYCLZE_OFFLOAD_FORMAT_ZEBIN;
  if (machine == 0 && type == 0xff02) return SYCLZE_OFFLOAD_FORMAT_INTEL_WRAPPER;
  return format;
}

SYCLZE_COLD const char *syclze_offload_format_string(syclze_offload_format format) {
  switch (format) {
  case SYCLZE_OFFLOAD_FORMAT_UNKNOWN:
    break;
  case SYCLZE_OFFLOAD_FORMAT_SPIRV:
    return "SPIR-V";
  case SYCLZE_OFFLOAD_FORMAT_LLVM_IR:
    return "LLVM IR";
  case SYCLZE_OFFLOAD_FORMAT_ZEBIN:
    return "zebin";
  case SYCLZE_OFFLOAD_FORMAT_INTEL_WRAPPER:
    return "Intel's wrapper of SPIR-V";
  case SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE:
    return "fat archive";
  case SYCLZE_OFFLOAD_FORMAT_CONTAINER:
    return "Offload Binary";
  case SYCLZE_OFFLOAD_FORMAT_COMPRESSED:
    return "compressed";
  case SYCLZE_OFFLOAD_FORMAT_ELF:
    return "ELF";
  case SYCLZE_OFFLOAD_FORMAT_SYCLBIN:
    return "SYCLBIN";
  }
  return "unknown";
}

SYCLZE_COLD const char *syclze_offload_image_kind_string(uint16_t kind) {
  static const char *const names[] = {
      "none", "object", "bitcode", "cubin", "fatbin", "ptx", "spirv", "syclbin"};
  return kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

SYCLZE_COLD const char *syclze_offload_kind_string(uint16_t kind) {
  static const char *const names[] = {"openmp", "cuda", "hip", "sycl"};
  for (unsigned bit = 0; bit < sizeof names / sizeof *names; bit++)
    if (kind >> bit & 1) return names[bit];
  return kind == 0 ? "none" : "unknown";
}

/* A record of an Offload Binary, without measuring its texts, which may be long and shared by
 * many. */
struct syclze__container_record {
  const char *key;   /* terminated */
  const char *value; /* terminated in version 1 */
  size_t value_size; /* SIZE_MAX in version 1 */
};

SYCLZE_INLINE struct syclze__container_record syclze__container_record_at(
    const struct syclze__strings *strings, size_t index) {
  const bool is_v1 = strings->source == SYCLZE__STRINGS_RECORDS_V1;
  const char *blob = (const char *)strings->base;
  const char *at = blob + strings->offset + (is_v1 ? 16 : 24) * index;
  const struct syclze__container_record record = {blob + syclze__load_u64(at),
      blob + syclze__load_u64(at + 8), is_v1 ? SIZE_MAX : (size_t)syclze__load_u64(at + 16)};
  return record;
}

SYCLZE_INLINE syclze_text syclze__container_record_value(struct syclze__container_record record) {
  const syclze_text value = {
      record.value, record.value_size != SIZE_MAX ? record.value_size : strlen(record.value)};
  return value;
}

SYCLZE_COLD bool syclze_offload_image_string_at(
    const syclze_offload_image *image, size_t index, syclze_offload_string *string) {
  static const char *const keys_of_descriptor[] = {"triple", "compile-opts", "link-opts"};
  const struct syclze__strings *strings = &image->strings;
  if (index >= strings->count) return false;
  struct syclze__container_record record;
  syclze_text value;
  switch (strings->source) {
  case SYCLZE__STRINGS_LIST:
    *string = ((const syclze_offload_string *)strings->base)[index];
    return true;
  case SYCLZE__STRINGS_RECORDS_V1:
  case SYCLZE__STRINGS_RECORDS_V2:
    record = syclze__container_record_at(strings, index);
    value = syclze__container_record_value(record);
    string->key = syclze_text_of(record.key);
    string->value = syclze_bytes_of(value.data, value.size);
    return true;
  case SYCLZE__STRINGS_OF_DESCRIPTOR:
    memcpy(&value.data, (const char *)strings->base + sizeof value.data * index, sizeof value.data);
    string->key = syclze_text_of(keys_of_descriptor[index]);
    string->value = syclze_bytes_of(value.data, syclze_text_of(value.data).size);
    return true;
  }
  return false;
}

SYCLZE_COLD bool syclze_offload_image_find(
    const syclze_offload_image *image, const char *key, syclze_bytes *value) {
  const struct syclze__strings *strings = &image->strings;
  const syclze_text wanted = syclze_text_of(key);
  const bool has_records = strings->source == SYCLZE__STRINGS_RECORDS_V1 ||
                           strings->source == SYCLZE__STRINGS_RECORDS_V2;
  for (size_t i = 0; i < strings->count; i++) {
    syclze_offload_string string;
    /* Keys are read no further than they agree. */
    if (has_records && strcmp(syclze__container_record_at(strings, i).key, key) != 0) continue;
    if (strings->source == SYCLZE__STRINGS_LIST)
      string = ((const syclze_offload_string *)strings->base)[i];
    else if (!syclze_offload_image_string_at(image, i, &string))
      break;
    if (!syclze_text_equal(string.key, wanted)) continue;
    *value = string.value;
    return true;
  }
  *value = syclze_bytes_of(NULL, 0);
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
