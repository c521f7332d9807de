/**
 * @file
 * The Offload Binary, LLVM's container of device images: read in order, opened for look-ups,
 * written.
 *
 *     syclze_container_cursor cursor = syclze_container_begin(syclze_bytes_of(file, file_size));
 *     syclze_offload_image image;
 *     while (syclze_container_next(&cursor, &image))
 *       printf("%zu bytes of %s\n", image.bytes.size,
 *           syclze_offload_format_string(syclze_offload_format_of(image.bytes)));
 *     if (cursor.result != ZE_RESULT_SUCCESS) puts(cursor.rule);
 *
 * A container opened for look-ups finds images by any of their strings:
 *
 *     syclze_container container;
 *     syclze_bytes bytes = syclze_bytes_of(file, file_size);
 *     if (syclze_container_open(bytes, &container) == ZE_RESULT_SUCCESS) {
 *       const syclze_offload_image *image =
 *           syclze_container_find(container, "arch", syclze_text_of("bmg_g21"));
 *       if (image != NULL) printf("%zu bytes\n", image->bytes.size);
 *       syclze_container_close(container);
 *     }
 *
 * Versions 1, 2 and 3 are read. Several blobs may stand in a row, each padded to 8 bytes, with any
 * number of zeros between them. The bytes may be anything and of any alignment: nothing outside of
 * them is read. Ownership: images and strings are views into the caller's bytes, valid as long as
 * they are; only an opened container allocates, its tables. Threads: a cursor or a search is used
 * by one thread at a time; an opened container may be read by any number of threads. Malformed
 * bytes are SYCLZE_RESULT_ERROR_INVALID; a compressed blob (inflate.h) and an unknown version are
 * SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED.
 */
#ifndef SYCLZE_OFFLOAD_CONTAINER_H
#define SYCLZE_OFFLOAD_CONTAINER_H

#include "device_image.h"

SYCLZE_EXTERN_C_BEGIN

/* Private: a blob whose header was checked. */
struct syclze__container_blob {
  const uint8_t *base;
  uint64_t size;
  uint64_t entries; /* the first entry's offset */
  uint64_t entry_count;
  uint64_t inflated_size; /* 0 unless compressed */
  uint64_t terminated;    /* a NUL follows any offset below this one within the blob */
  uint32_t version;
};

/* Private: what the entries of a blob have used so far. A small blob whose entries share their
 * strings could hold more of them than can be read in reasonable time. */
struct syclze__container_used {
  uint64_t records; /* no two entries may share one */
  uint64_t texts;   /* bytes of terminated texts: at most 16 times the blob's */
};

/** A position in a container. */
typedef struct syclze_container_cursor {
  syclze_bytes bytes; /**< the container */
  ze_result_t result; /**< why the iteration ended; success at the end of the bytes */
  const char *rule;   /**< the rule that the bytes break; null on success */
  size_t blob_offset; /**< the beginning of the last image's blob */
  uint32_t version;   /**< of that blob */
  size_t next_offset; /**< private */
  struct syclze__container_blob blob; /**< private */
  uint64_t entry;                     /**< private: the next one in the blob */
  struct syclze__container_used used; /**< private */
} syclze_container_cursor;

/** A container opened for look-ups; null is none. */
typedef struct syclze_container {
  struct syclze__container *rep; /**< private */
} syclze_container;

/** A position among the images that have a string. */
typedef struct syclze_container_search {
  const struct syclze__container *container; /**< private */
  syclze_text key;                           /**< private */
  syclze_text value;                         /**< private */
  uint32_t next;                             /**< private: the next node, plus one */
  uint32_t hash;                             /**< private */
} syclze_container_search;

/**
 * A cursor before the first image.
 *
 * @param[in] bytes  may be any bytes; empty, with null data, is a container without images; must
 *   outlive cursor and images.
 * @return the cursor.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE syclze_container_cursor syclze_container_begin(syclze_bytes bytes);

/**
 * Advances to the next image.
 *
 * @param[in,out] cursor  not null. `cursor->result` distinguishes the end from an error:
 *   SYCLZE_RESULT_ERROR_INVALID, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED.
 * @param[out] image  not null; zeros if there is none.
 * @return false at the end and on an error, and from then on.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD bool syclze_container_next(syclze_container_cursor *cursor, syclze_offload_image *image)
    SYCLZE_LINK_NAME(syclze_container_next);

/**
 * Reads all images into tables for look-ups.
 *
 * @param[in] bytes  as for syclze_container_begin; must outlive the opened container.
 * @param[out] container  not null; set to null on failure. The caller closes it.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `container` is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * - the errors of syclze_container_next
 * @see offload design, Device code packaging
 */
SYCLZE_COLD ze_result_t syclze_container_open(syclze_bytes bytes, syclze_container *container)
    SYCLZE_LINK_NAME(syclze_container_open);

/**
 * Frees the tables.
 *
 * @param[in] container  may be null, which has no effect.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE void syclze_container_close(syclze_container container);

/** The number of images.
 * @param[in] container  not null.
 * @return the number. @see offload design, Device code packaging */
SYCLZE_INLINE size_t syclze_container_image_count(syclze_container container);

/**
 * An image by its index, in the order of the container.
 *
 * @param[in] container  not null.
 * @param[in] index  from 0.
 * @return the image, valid until the container is closed; null past the last.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE const syclze_offload_image *syclze_container_image_at(
    syclze_container container, size_t index);

/**
 * A search for the images whose string `key` is `value`.
 *
 * @param[in] container  not null.
 * @param[in] key  not null; must outlive the search.
 * @param[in] value  may be empty, with null data; must outlive the search.
 * @return the search, before its first image.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD syclze_container_search syclze_container_search_begin(syclze_container container,
    const char *key, syclze_text value) SYCLZE_LINK_NAME(syclze_container_search_begin);

/**
 * Advances to the next image of a search, in the order of the container.
 *
 * @param[in,out] search  not null.
 * @return the image; null after the last.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD const syclze_offload_image *syclze_container_search_next(
    syclze_container_search *search) SYCLZE_LINK_NAME(syclze_container_search_next);

/**
 * The first image whose string `key` is `value`.
 *
 * @param[in] container  not null.
 * @param[in] key  not null.
 * @param[in] value  may be empty, with null data.
 * @return the image; null if there is none.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD const syclze_offload_image *syclze_container_find(syclze_container container,
    const char *key, syclze_text value) SYCLZE_LINK_NAME(syclze_container_find);

/**
 * Writes images with their tags and strings as a container that LLVM's tools read. Version 1, which
 * every reader accepts, is a blob for each image; version 2, for readers since clang 23, is one
 * blob, and allows binary values and entries without an image; version 3 is the same for newer
 * readers, and may be compressed (deflate.h). Each image begins at a multiple of 8. Nothing is
 * allocated.
 *
 * @param[in] version  1 to 3.
 * @param[in] images  an array; null if `count` is 0. No images make a container of no bytes.
 * @param[in] count  the array's length.
 * @param[out] buffer  of `*size` bytes; null queries the size.
 * @param[in,out] size  not null; in bytes. Set to the container's size, a multiple of 8.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `size` is null, or `images` without being empty
 * - ZE_RESULT_ERROR_INVALID_SIZE: the buffer is too small
 * - SYCLZE_RESULT_ERROR_INVALID: a key that is empty or holds a NUL; an image beyond memory
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: another version; a value with a NUL in version 1
 * @see offload design, Device code packaging
 */
SYCLZE_COLD ze_result_t syclze_container_write(uint32_t version, const syclze_offload_image *images,
    size_t count, void *buffer, size_t *size) SYCLZE_LINK_NAME(syclze_container_write);

SYCLZE_EXTERN_C_END

#include "detail/container.h"

#endif
