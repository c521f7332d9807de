/**
 * @file
 * DPC++'s property sets: what a compiler passes to a runtime with a device image.
 *
 *     syclze_offload_image image = {0};
 *     image.property_text = syclze_bytes_of(file, file_size);
 *     syclze_property_sets sets;
 *     if (syclze_property_sets_open(&image, &sets) == ZE_RESULT_SUCCESS) {
 *       uint32_t mask = 0;
 *       if (syclze_property_get_u32(sets, SYCLZE_PROPERTY_SET_DEVICELIB,
 *               SYCLZE_PROPERTY_DEVICELIB_MASK, &mask))
 *         printf("libraries: %x\n", mask);
 *       syclze_property_sets_close(sets);
 *     }
 *
 * Two forms are read and written: the text of a .prop file, which may be any bytes, and the arrays
 * that DPC++ leaves in a program's memory, whose pointers are trusted. Ownership: open sets own
 * their tables and decoded values; names, and the values of arrays, are views into the image's
 * memory, which must live as long. Threads: open sets are constant, and may be read by any number
 * of threads.
 */
#ifndef SYCLZE_OFFLOAD_PROPERTY_SET_H
#define SYCLZE_OFFLOAD_PROPERTY_SET_H

#include "device_image.h"
#include "property_names.h"

SYCLZE_EXTERN_C_BEGIN

/** The type of a property. */
typedef enum syclze_property_type {
  SYCLZE_PROPERTY_TYPE_NONE = 0,
  SYCLZE_PROPERTY_TYPE_UINT32 = 1,
  SYCLZE_PROPERTY_TYPE_BYTES = 2,
  SYCLZE_PROPERTY_TYPE_STRING = 3 /**< only in arrays */
} syclze_property_type;

/** A property. */
typedef struct syclze_property {
  syclze_text set;
  syclze_text key;
  syclze_property_type type;
  uint32_t number;    /**< of UINT32 */
  syclze_bytes bytes; /**< of BYTES: what follows the prefix; of STRING: the text without its NUL */
  uint64_t bit_count; /**< of BYTES: the prefix, which counts bits */
  size_t group;       /**< private: the heading it stands under */
} syclze_property;

/** Open property sets; null is none. */
typedef struct syclze_property_sets {
  struct syclze__property_sets *rep; /**< private */
} syclze_property_sets;

/**
 * Reads an image's property sets, of both forms if it has both.
 *
 * @param[in] image  not null. An image without any has none, which is not an error.
 * @param[out] sets  not null; set to null on failure. The caller closes them.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a pointer is null
 * - SYCLZE_RESULT_ERROR_INVALID: a malformed text or array
 * - ZE_RESULT_ERROR_UNSUPPORTED_SIZE: 2^32 properties or more
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD ze_result_t syclze_property_sets_open(const syclze_offload_image *image,
    syclze_property_sets *sets) SYCLZE_LINK_NAME(syclze_property_sets_open);

/**
 * Frees the tables.
 *
 * @param[in] sets  may be null, which has no effect.
 * @see offload design, Property Set Generation
 */
SYCLZE_INLINE void syclze_property_sets_close(syclze_property_sets sets);

/** The number of properties in all sets.
 * @param[in] sets  not null.
 * @return the number. @see offload design, Property Set Generation */
SYCLZE_INLINE size_t syclze_property_count(syclze_property_sets sets);

/**
 * A property by its index, in the order of the image.
 *
 * @param[in] sets  not null.
 * @param[in] index  from 0.
 * @return the property, valid until the sets are closed; null past the last.
 * @see offload design, Property Set Generation
 */
SYCLZE_INLINE const syclze_property *syclze_property_at(syclze_property_sets sets, size_t index);

/**
 * A property by its set and key.
 *
 * @param[in] sets  not null.
 * @param[in] set, key  not null.
 * @return the property, the last of several with one key; null if there is none.
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD const syclze_property *syclze_property_find(syclze_property_sets sets, const char *set,
    const char *key) SYCLZE_LINK_NAME(syclze_property_find);

/**
 * The next property of a set.
 *
 * @param[in] sets  not null.
 * @param[in] set  not null.
 * @param[in] previous  a property of the same sets; null for the first.
 * @return the property; null at the end.
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD const syclze_property *syclze_property_next(syclze_property_sets sets, const char *set,
    const syclze_property *previous) SYCLZE_LINK_NAME(syclze_property_next);

/**
 * A number: a property of type UINT32, or of four bytes, as some compilers write it.
 *
 * @param[in] sets  not null.
 * @param[in] set, key  not null.
 * @param[out] number  not null; unchanged if there is none.
 * @return false if there is none.
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD bool syclze_property_get_u32(syclze_property_sets sets, const char *set,
    const char *key, uint32_t *number) SYCLZE_LINK_NAME(syclze_property_get_u32);

/**
 * The bytes of a property of type BYTES or STRING.
 *
 * @param[in] sets  not null.
 * @param[in] set, key  not null.
 * @param[out] bytes  not null; unchanged if there is none.
 * @return false if there is none.
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD bool syclze_property_get_bytes(syclze_property_sets sets, const char *set,
    const char *key, syclze_bytes *bytes) SYCLZE_LINK_NAME(syclze_property_get_bytes);

/**
 * A property of type BYTES or STRING as text, up to its first NUL.
 *
 * @param[in] sets  not null.
 * @param[in] set, key  not null.
 * @return the text; empty if there is none.
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD syclze_text syclze_property_get_text(syclze_property_sets sets, const char *set,
    const char *key) SYCLZE_LINK_NAME(syclze_property_get_text);

/**
 * Writes the sets as a .prop file. Sets that were read from one are written byte for byte as they
 * were, up to empty lines between them and to zeros before a number; sets that were read from
 * arrays are written in DPC++'s digits. Nothing is allocated.
 *
 * @param[in] sets  not null.
 * @param[out] text  of `*size` bytes, gets no NUL; null queries the size.
 * @param[in,out] size  not null; in bytes. Set to the file's size.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `sets` or `size` is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: the buffer is too small
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: what files lack: a property of type STRING, a name
 *   with a line break, a key that is empty, begins with '[' or has a '='
 * @see offload design, Property Set Generation
 */
SYCLZE_COLD ze_result_t syclze_property_write_text(syclze_property_sets sets, char *text,
    size_t *size) SYCLZE_LINK_NAME(syclze_property_write_text);

/**
 * Writes the sets as the arrays that a DPC++ image's descriptor points to: the sets from the
 * beginning of `memory` to `*sets_end`, then what they point to, all of it within the memory.
 *
 * @param[in] sets  not null.
 * @param[out] memory  of `*size` bytes, aligned to 8; null queries the size.
 * @param[in,out] size  not null; in bytes. Set to the arrays' size.
 * @param[out] sets_end  null only if `memory` is.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `sets`, `size` or `sets_end` is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: the memory is too small
 * @see offload design, Generation of wrapped object
 */
SYCLZE_COLD ze_result_t syclze_property_write_arrays(syclze_property_sets sets, void *memory,
    size_t *size, const void **sets_end) SYCLZE_LINK_NAME(syclze_property_write_arrays);

SYCLZE_EXTERN_C_END

#include "detail/property_set.h"

#endif
