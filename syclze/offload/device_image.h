/**
 * @file
 * A device image as it was found, and the format of its bytes.
 *
 *     syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(file, file_size));
 *     if (syclze_offload_format_of(image.bytes) == SYCLZE_OFFLOAD_FORMAT_SPIRV)
 *       printf("%zu bytes of SPIR-V\n", image.bytes.size);
 *
 * Ownership: an image is a view. It owns nothing, and is valid as long as the container, section,
 * descriptor or file that it was found in. Threads: views may be read by any number of threads.
 * Tools derive an image's tags from file names, so that tags are often wrong; the format is read
 * from the bytes. No function here fails: what is absent is an empty view.
 */
#ifndef SYCLZE_OFFLOAD_DEVICE_IMAGE_H
#define SYCLZE_OFFLOAD_DEVICE_IMAGE_H

#include "../result.h"

#include <string.h>

SYCLZE_EXTERN_C_BEGIN

/** A view of bytes. */
typedef struct syclze_bytes {
  const void *data; /**< null where there is nothing; of any alignment */
  size_t size;      /**< in bytes */
} syclze_bytes;

/** A view of text. No NUL follows it. */
typedef struct syclze_text {
  const char *data; /**< null where there is nothing */
  size_t size;      /**< in bytes */
} syclze_text;

/** The format of an image, by its first bytes. */
typedef enum syclze_offload_format {
  SYCLZE_OFFLOAD_FORMAT_UNKNOWN = 0,
  SYCLZE_OFFLOAD_FORMAT_SPIRV,         /**< a SPIR-V module, of either byte order */
  SYCLZE_OFFLOAD_FORMAT_LLVM_IR,       /**< bitcode, with or without its wrapper */
  SYCLZE_OFFLOAD_FORMAT_ZEBIN,         /**< native code for one Intel GPU: ELF, machine 205 */
  SYCLZE_OFFLOAD_FORMAT_INTEL_WRAPPER, /**< SPIR-V in Intel's ELF: generic_ir of a fat archive */
  SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE,   /**< ocloc's archive of native code for several GPUs */
  SYCLZE_OFFLOAD_FORMAT_CONTAINER,     /**< an Offload Binary inside the image */
  SYCLZE_OFFLOAD_FORMAT_COMPRESSED,    /**< a zstd frame or a zlib stream */
  SYCLZE_OFFLOAD_FORMAT_ELF,           /**< any other ELF: a host's object, or another device's */
  SYCLZE_OFFLOAD_FORMAT_SYCLBIN        /**< DPC++'s SYCLBIN file */
} syclze_offload_format;

/** An image's tag in an Offload Binary. DPC++'s descriptors number their formats otherwise. */
typedef enum syclze_offload_image_kind {
  SYCLZE_OFFLOAD_IMAGE_KIND_NONE = 0,
  SYCLZE_OFFLOAD_IMAGE_KIND_OBJECT = 1,
  SYCLZE_OFFLOAD_IMAGE_KIND_BITCODE = 2,
  SYCLZE_OFFLOAD_IMAGE_KIND_CUBIN = 3,
  SYCLZE_OFFLOAD_IMAGE_KIND_FATBIN = 4,
  SYCLZE_OFFLOAD_IMAGE_KIND_PTX = 5,
  SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV = 6
} syclze_offload_image_kind;

/** The programming model of an image: bits since clang 22. Older packagers wrote 3 for HIP and 0
 * for SYCL. */
typedef enum syclze_offload_kind {
  SYCLZE_OFFLOAD_KIND_NONE = 0,
  SYCLZE_OFFLOAD_KIND_OPENMP = 1,
  SYCLZE_OFFLOAD_KIND_CUDA = 2,
  SYCLZE_OFFLOAD_KIND_HIP = 4,
  SYCLZE_OFFLOAD_KIND_SYCL = 8
} syclze_offload_kind;

/** Whose numbers an image's properties have for SYCL's aspects: DPC++ 2026 changed them. */
typedef enum syclze_aspect_numbers {
  SYCLZE_ASPECT_NUMBERS_UNKNOWN = 0, /**< a number has either meaning */
  SYCLZE_ASPECT_NUMBERS_2025,        /**< of 2025 and before: "atomic64" is 28 */
  SYCLZE_ASPECT_NUMBERS_2026         /**< of 2026: "atomic64" is 27 */
} syclze_aspect_numbers;

/** Flag of an entry that has strings and no image. */
#define SYCLZE_OFFLOAD_FLAG_METADATA_ONLY 1u

/** A key of an image and its value, which may be binary. */
typedef struct syclze_offload_string {
  syclze_text key;
  syclze_bytes value;
} syclze_offload_string;

/* Private: the storage of an image's strings. */
enum syclze__string_source {
  SYCLZE__STRINGS_LIST = 0,     /* `base` is an array of `count` syclze_offload_string */
  SYCLZE__STRINGS_RECORDS_V1,   /* `base` is a blob with `count` records of 16 bytes at `offset` */
  SYCLZE__STRINGS_RECORDS_V2,   /* the same with 24 bytes; the container's reader checked both */
  SYCLZE__STRINGS_OF_DESCRIPTOR /* `base` is three pointers: triple, compile and link options */
};

struct syclze__strings {
  const void *base;
  uint64_t offset;
  size_t count;
  enum syclze__string_source source;
};

/** A device image. Zeros are an image without bytes, tags and strings. */
typedef struct syclze_offload_image {
  syclze_bytes bytes;    /**< empty where the entry is metadata only */
  uint16_t image_kind;   /**< the tag: a syclze_offload_image_kind, or a descriptor's format */
  uint16_t offload_kind; /**< the tag: syclze_offload_kind bits; 4 in DPC++'s own descriptors */
  uint32_t flags;        /**< SYCLZE_OFFLOAD_FLAG bits */
  struct syclze__strings strings;       /**< private */
  const void *property_sets_begin;      /**< DPC++'s arrays in memory, or in a file's layout until
                                           property sets are opened; default: none */
  const void *property_sets_end;        /**< the end of that array */
  const void *property_file;            /**< private: the file, if it has them */
  uint64_t property_address;            /**< private: their address in that file */
  syclze_bytes property_text;           /**< the text of a .prop file; default: none */
  syclze_aspect_numbers aspect_numbers; /**< default: unknown */
} syclze_offload_image;

/**
 * A view of `size` bytes.
 *
 * @param[in] data  may be null if `size` is 0; the caller's, and must outlive the view.
 * @param[in] size  in bytes.
 * @return the view.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE syclze_bytes syclze_bytes_of(const void *data, size_t size);

/**
 * A view of a string without its NUL.
 *
 * @param[in] string  may be null, for an empty view; must outlive the view.
 * @return the view.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE syclze_text syclze_text_of(const char *string);

/**
 * Bytes as text.
 *
 * @param[in] bytes  may be empty, with null data.
 * @return a view of the same bytes, NULs included.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE syclze_text syclze_text_of_bytes(syclze_bytes bytes);

/**
 * Compares the bytes of two texts.
 *
 * @param[in] a, b  may be empty, with null data.
 * @return true if they are equal.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE bool syclze_text_equal(syclze_text a, syclze_text b);

/**
 * Compares a text with a string.
 *
 * @param[in] text  may be empty, with null data.
 * @param[in] string  may be null, which equals an empty text.
 * @return true if they are equal.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE bool syclze_text_is(syclze_text text, const char *string);

/**
 * An image of the caller's bytes, without tags and strings.
 *
 * @param[in] bytes  may be empty, with null data; must outlive the image.
 * @return the image.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE syclze_offload_image syclze_offload_image_of(syclze_bytes bytes);

/**
 * Sets an image's strings.
 *
 * @param[in,out] image  not null.
 * @param[in] strings  an array of the caller's, which must outlive the image; null if `count` is 0.
 * @param[in] count  the array's length.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE void syclze_offload_image_set_strings(
    syclze_offload_image *image, const syclze_offload_string *strings, size_t count);

/**
 * The number of an image's strings.
 *
 * @param[in] image  not null.
 * @return the number.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE size_t syclze_offload_image_string_count(const syclze_offload_image *image);

/**
 * The format of an image's bytes. Reads at most the first 20 of them.
 *
 * @param[in] bytes  may be empty, with null data.
 * @return the format; SYCLZE_OFFLOAD_FORMAT_UNKNOWN for other bytes.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD syclze_offload_format syclze_offload_format_of(syclze_bytes bytes)
    SYCLZE_LINK_NAME(syclze_offload_format_of);

/**
 * A format's name as messages have it: "SPIR-V".
 *
 * @param[in] format  any value.
 * @return a static string, never null; "unknown" for other values.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD const char *syclze_offload_format_string(syclze_offload_format format)
    SYCLZE_LINK_NAME(syclze_offload_format_string);

/**
 * The name of an image's kind: "spirv".
 *
 * @param[in] kind  any number.
 * @return a static string, never null; "none" for 0, "unknown" for other values.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD const char *syclze_offload_image_kind_string(uint16_t kind)
    SYCLZE_LINK_NAME(syclze_offload_image_kind_string);

/**
 * The name of the first programming model among an image's bits: "sycl".
 *
 * @param[in] kind  any bits.
 * @return a static string, never null; "none" for 0, "unknown" for other bits.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD const char *syclze_offload_kind_string(uint16_t kind)
    SYCLZE_LINK_NAME(syclze_offload_kind_string);

/**
 * An image's string by its index, in the order of the image.
 *
 * @param[in] image  not null.
 * @param[in] index  from 0.
 * @param[out] string  not null; unchanged if there is none. A null string of a descriptor is empty.
 * @return false past the last.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD bool syclze_offload_image_string_at(const syclze_offload_image *image, size_t index,
    syclze_offload_string *string) SYCLZE_LINK_NAME(syclze_offload_image_string_at);

/**
 * The value of the first string with a key.
 *
 * @param[in] image  not null.
 * @param[in] key  not null: "triple", "arch", "symbols" or any other.
 * @param[out] value  not null; empty, with null data, if there is none.
 * @return false if there is none.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD bool syclze_offload_image_find(const syclze_offload_image *image, const char *key,
    syclze_bytes *value) SYCLZE_LINK_NAME(syclze_offload_image_find);

/**
 * The value of the first string with a key, as text.
 *
 * @param[in] image  not null.
 * @param[in] key  not null.
 * @return the value; empty if there is none.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD syclze_text syclze_offload_image_text(
    const syclze_offload_image *image, const char *key) SYCLZE_LINK_NAME(syclze_offload_image_text);

SYCLZE_EXTERN_C_END

#include "detail/device_image.h"

#endif
