/* One device image as it was found, and what its bytes say that it is.
 *
 *     syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(file, file_size));
 *     if (syclze_offload_format_of(image.bytes) == SYCLZE_OFFLOAD_FORMAT_SPIRV)
 *       printf("%zu bytes of SPIR-V\n", image.bytes.size);
 *
 * An image is a view: it owns nothing, and is valid as long as the container, section, descriptor
 * or file that it was found in. It is read by any number of threads. Tools tag images by the names
 * of files, so that tags are often wrong: ask syclze_offload_format_of. Nothing here can fail; what
 * is not there is an empty view. */
#ifndef SYCLZE_OFFLOAD_IMAGE_H
#define SYCLZE_OFFLOAD_IMAGE_H

#include "../result.h"

#include <string.h>

SYCLZE_EXTERN_C_BEGIN

/* A view of bytes. */
typedef struct syclze_bytes {
  const void *data; /* null where there is nothing; of any alignment */
  size_t size;      /* in bytes */
} syclze_bytes;

/* A view of text that is `size` bytes long; no NUL need follow. */
typedef struct syclze_text {
  const char *data;
  size_t size; /* in bytes */
} syclze_text;

SYCLZE_INLINE syclze_bytes syclze_bytes_of(const void *data, size_t size) {
  syclze_bytes bytes = {data, size};
  return bytes;
}

/* The text up to its NUL; empty for null. */
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

/* Whether the text is `string`, which is not null. */
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

/* What an image is, by its first bytes. */
typedef enum syclze_offload_format {
  SYCLZE_OFFLOAD_FORMAT_UNKNOWN = 0,
  SYCLZE_OFFLOAD_FORMAT_SPIRV,         /* a SPIR-V module, of either endianness */
  SYCLZE_OFFLOAD_FORMAT_LLVM_IR,       /* bitcode, bare or wrapped */
  SYCLZE_OFFLOAD_FORMAT_ZEBIN,         /* native code for one Intel GPU: ELF, machine 205 */
  SYCLZE_OFFLOAD_FORMAT_INTEL_WRAPPER, /* SPIR-V in Intel's ELF, as generic_ir in a fat archive */
  SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE,   /* ocloc's archive of native code for several GPUs */
  SYCLZE_OFFLOAD_FORMAT_CONTAINER,     /* an Offload Binary inside the image */
  SYCLZE_OFFLOAD_FORMAT_COMPRESSED,    /* a zstd frame or a zlib stream */
  SYCLZE_OFFLOAD_FORMAT_ELF,           /* any other ELF: a host's object, or another device's */
  SYCLZE_OFFLOAD_FORMAT_SYCLBIN        /* DPC++'s SYCLBIN file */
} syclze_offload_format;

/* How an Offload Binary tags an image. DPC++'s descriptors number their formats otherwise. */
typedef enum syclze_offload_image_kind {
  SYCLZE_OFFLOAD_IMAGE_KIND_NONE = 0,
  SYCLZE_OFFLOAD_IMAGE_KIND_OBJECT = 1,
  SYCLZE_OFFLOAD_IMAGE_KIND_BITCODE = 2,
  SYCLZE_OFFLOAD_IMAGE_KIND_CUBIN = 3,
  SYCLZE_OFFLOAD_IMAGE_KIND_FATBIN = 4,
  SYCLZE_OFFLOAD_IMAGE_KIND_PTX = 5,
  SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV = 6
} syclze_offload_image_kind;

/* Whom an image is for: bits since clang 22. Older packagers wrote 3 for HIP and 0 for SYCL. */
typedef enum syclze_offload_kind {
  SYCLZE_OFFLOAD_KIND_NONE = 0,
  SYCLZE_OFFLOAD_KIND_OPENMP = 1,
  SYCLZE_OFFLOAD_KIND_CUDA = 2,
  SYCLZE_OFFLOAD_KIND_HIP = 4,
  SYCLZE_OFFLOAD_KIND_SYCL = 8
} syclze_offload_kind;

/* Flag of an entry that has strings and no image. */
#define SYCLZE_OFFLOAD_FLAG_METADATA_ONLY 1u

/* A key of an image and its value, which may be binary. */
typedef struct syclze_offload_string {
  syclze_text key;
  syclze_bytes value;
} syclze_offload_string;

/* Where an image's strings stand. */
enum syclze__string_source {
  SYCLZE__STRINGS_LIST = 0,   /* `base` is an array of `count` syclze_offload_string */
  SYCLZE__STRINGS_RECORDS_V1, /* `base` is a blob: at `offset` stand `count` records of 16 bytes */
  SYCLZE__STRINGS_RECORDS_V2, /* the same with 24 bytes; the container's reader checked both */
  SYCLZE__STRINGS_OF_DESCRIPTOR /* `base` is three pointers: triple, compile and link options */
};

struct syclze__strings {
  const void *base;
  uint64_t offset;
  size_t count;
  enum syclze__string_source source;
};

typedef struct syclze_offload_image {
  syclze_bytes bytes;    /* empty where the entry is metadata only */
  uint16_t image_kind;   /* as tagged: a syclze_offload_image_kind, or a descriptor's format */
  uint16_t offload_kind; /* as tagged: syclze_offload_kind bits; 4 in DPC++'s own descriptors */
  uint32_t flags;        /* SYCLZE_OFFLOAD_FLAG bits */
  struct syclze__strings strings;
  /* Property sets, if it came with any: DPC++'s arrays in memory, or the text of a .prop file.
   * property_set.h reads both. */
  const void *property_sets_begin;
  const void *property_sets_end;
  syclze_bytes property_text;
} syclze_offload_image;

/* An image of bytes given by hand, without tags and strings. */
SYCLZE_INLINE syclze_offload_image syclze_offload_image_of(syclze_bytes bytes) {
  syclze_offload_image image;
  memset(&image, 0, sizeof image);
  image.bytes = bytes;
  return image;
}

/* Gives an image `count` strings of the caller's, which must live as long as the image is used. */
SYCLZE_INLINE void syclze_offload_image_set_strings(
    syclze_offload_image *image, const syclze_offload_string *strings, size_t count) {
  image->strings.base = strings;
  image->strings.offset = 0;
  image->strings.count = count;
  image->strings.source = SYCLZE__STRINGS_LIST;
}

/* What the bytes are. Reads at most the first 20 of them. */
SYCLZE_COLD
syclze_offload_format syclze_offload_format_of(syclze_bytes bytes)
    SYCLZE_LINK_NAME(syclze_offload_format_of);

/* The format in words, as messages put it: "SPIR-V". Never null; a static string. */
SYCLZE_COLD
const char *syclze_offload_format_string(syclze_offload_format format)
    SYCLZE_LINK_NAME(syclze_offload_format_string);

/* How many strings the image has. */
SYCLZE_INLINE size_t syclze_offload_image_string_count(const syclze_offload_image *image) {
  return image->strings.count;
}

/* The image's string number `index`, in the order in which they stand. False past the last. A
 * descriptor's string that is null is empty. */
SYCLZE_COLD
bool syclze_offload_image_string_at(const syclze_offload_image *image, size_t index,
    syclze_offload_string *string) SYCLZE_LINK_NAME(syclze_offload_image_string_at);

/* The value of the first string whose key is `key`: "triple", "arch", "symbols" or any other. False
 * where there is none. */
SYCLZE_COLD
bool syclze_offload_image_find(const syclze_offload_image *image, const char *key,
    syclze_bytes *value) SYCLZE_LINK_NAME(syclze_offload_image_find);

/* The same as text, empty where there is none. */
SYCLZE_INLINE syclze_text syclze_offload_image_text(
    const syclze_offload_image *image, const char *key) {
  syclze_bytes value = {NULL, 0};
  return syclze_offload_image_find(image, key, &value) ? syclze_text_of_bytes(value)
                                                       : syclze_text_of(NULL);
}

/* Little-endian numbers at any address. */
SYCLZE_INLINE uint16_t syclze__load_u16(const void *from) {
  const uint8_t *byte = (const uint8_t *)from;
  return (uint16_t)(byte[0] | byte[1] << 8);
}

SYCLZE_INLINE uint32_t syclze__load_u32(const void *from) {
  const uint8_t *byte = (const uint8_t *)from;
  return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
         (uint32_t)byte[3] << 24;
}

SYCLZE_INLINE uint64_t syclze__load_u64(const void *from) {
  return syclze__load_u32(from) | (uint64_t)syclze__load_u32((const uint8_t *)from + 4) << 32;
}

/* Whether `length` bytes at `offset` lie within `size` bytes. */
SYCLZE_INLINE bool syclze__within(uint64_t size, uint64_t offset, uint64_t length) {
  return offset <= size && length <= size - offset;
}

SYCLZE_INLINE struct syclze__status syclze__unsupported(const char *rule) {
  return syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, rule);
}

SYCLZE_COLD
syclze_offload_format syclze_offload_format_of(syclze_bytes bytes) {
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

SYCLZE_COLD
const char *syclze_offload_format_string(syclze_offload_format format) {
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

SYCLZE_COLD
bool syclze_offload_image_string_at(
    const syclze_offload_image *image, size_t index, syclze_offload_string *string) {
  static const char *const keys_of_descriptor[] = {"triple", "compile-opts", "link-opts"};
  const struct syclze__strings *strings = &image->strings;
  if (index >= strings->count) return false;
  const uint8_t *blob = (const uint8_t *)strings->base;
  const uint8_t *record;
  const char *text;
  switch (strings->source) {
  case SYCLZE__STRINGS_LIST:
    *string = ((const syclze_offload_string *)strings->base)[index];
    return true;
  case SYCLZE__STRINGS_RECORDS_V1:
    record = blob + strings->offset + 16 * index;
    text = (const char *)blob + syclze__load_u64(record + 8);
    string->key = syclze_text_of((const char *)blob + syclze__load_u64(record));
    string->value = syclze_bytes_of(text, strlen(text));
    return true;
  case SYCLZE__STRINGS_RECORDS_V2:
    record = blob + strings->offset + 24 * index;
    string->key = syclze_text_of((const char *)blob + syclze__load_u64(record));
    string->value =
        syclze_bytes_of(blob + syclze__load_u64(record + 8), (size_t)syclze__load_u64(record + 16));
    return true;
  case SYCLZE__STRINGS_OF_DESCRIPTOR:
    memcpy(&text, blob + sizeof text * index, sizeof text);
    string->key = syclze_text_of(keys_of_descriptor[index]);
    string->value = syclze_bytes_of(text, syclze_text_of(text).size);
    return true;
  }
  return false;
}

/* Whether the NUL-terminated key of a record is `key`, without reading further than they agree. */
SYCLZE_INLINE bool syclze__record_has_key(
    const struct syclze__strings *strings, size_t stride, size_t index, const char *key) {
  const uint8_t *blob = (const uint8_t *)strings->base;
  return strcmp((const char *)blob + syclze__load_u64(blob + strings->offset + stride * index),
             key) == 0;
}

SYCLZE_COLD
bool syclze_offload_image_find(
    const syclze_offload_image *image, const char *key, syclze_bytes *value) {
  const struct syclze__strings *strings = &image->strings;
  size_t stride = strings->source == SYCLZE__STRINGS_RECORDS_V1   ? 16
                  : strings->source == SYCLZE__STRINGS_RECORDS_V2 ? 24
                                                                  : 0;
  for (size_t i = 0; i < strings->count; i++) {
    syclze_offload_string string;
    if (stride != 0 && !syclze__record_has_key(strings, stride, i, key)) continue;
    if (!syclze_offload_image_string_at(image, i, &string)) break;
    if (!syclze_text_is(string.key, key)) continue;
    *value = string.value;
    return true;
  }
  *value = syclze_bytes_of(NULL, 0);
  return false;
}

SYCLZE_EXTERN_C_END

#endif
