/**
 * @file
 * Sets of device images, by the names of their kernels.
 *
 *     syclze_offload_set set;
 *     if (syclze_offload_set_create(&set) == ZE_RESULT_SUCCESS) {
 *       syclze_offload_set_add_bytes(set, syclze_bytes_of(file, file_size), "my file");
 *       uint32_t count = 1;
 *       syclze_offload_found found;
 *       if (syclze_offload_set_find(set, "saxpy", &count, &found) == ZE_RESULT_SUCCESS)
 *         printf("image %llu of %u\n", (unsigned long long)found.serial, count);
 *       syclze_offload_set_release(set);
 *     }
 *
 * Ownership: a set holds views; the images' memory must stay until they are removed, or the set is
 * freed. Each image gets a number, never used again. What is added together has an owner, any
 * pointer, by which it is removed. Sets are reference-counted. Threads: any number may use one set;
 * a diagnostic handler that is notified of malformed images must not, since it runs with the set
 * locked.
 */
#ifndef SYCLZE_OFFLOAD_IMAGE_SET_H
#define SYCLZE_OFFLOAD_IMAGE_SET_H

#include "file.h"
#include "property_set.h"
#include "spirv.h"
#include "symbol_table.h"

SYCLZE_EXTERN_C_BEGIN

/** A set of images; null is none. */
typedef struct syclze_offload_set {
  struct syclze__offload_set *rep; /**< private */
} syclze_offload_set;

/** An image of a set. */
typedef struct syclze_offload_found {
  uint64_t serial; /**< the image's number in its set; from 1 */
  syclze_offload_image image;
  uint32_t entry; /**< private: its index in the set's table */
} syclze_offload_found;

/**
 * Creates a set without images.
 *
 * @param[out] set  not null; set to null on failure. The caller owns one reference.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `set` is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_offload_set_create(syclze_offload_set *set)
    SYCLZE_LINK_NAME(syclze_offload_set_create);

/**
 * Adds one image unchanged.
 *
 * @param[in] set  not null.
 * @param[in] image  not null; copied, but not its memory.
 * @param[in] owner  any pointer, null included; the key for its removal.
 * @param[out] serial  the image's number; may be null.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `set` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `image` is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: the set is unchanged
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_offload_set_add(
    syclze_offload_set set, const syclze_offload_image *image, const void *owner, uint64_t *serial)
    SYCLZE_LINK_NAME(syclze_offload_set_add);

/**
 * Adds all images of a file, also those of containers in containers; or an ELF file that holds
 * none, as an image itself.
 *
 * @param[in] set  not null.
 * @param[in,out] cursor  not null; at the file's end afterwards. The caller ends it, then or
 * earlier than the images are removed.
 * @param[in] owner  any pointer, null included.
 * @return as syclze_offload_set_add, and the errors of syclze_offload_file_next. After an error the
 *   set is unchanged.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_offload_set_add_file(
    syclze_offload_set set, syclze_offload_file_cursor *cursor, const void *owner)
    SYCLZE_LINK_NAME(syclze_offload_set_add_file);

/**
 * Adds all images of a file's bytes.
 *
 * @param[in] set  not null.
 * @param[in] bytes  may be any bytes, with null data if empty; must stay until they are removed.
 * @param[in] owner  any pointer, null included.
 * @return as syclze_offload_set_add_file.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_offload_set_add_bytes(syclze_offload_set set, syclze_bytes bytes,
    const void *owner) SYCLZE_LINK_NAME(syclze_offload_set_add_bytes);

/**
 * Removes all images of an owner. Their memory must still exist, and no other thread may be within
 * a call for a kernel that one of them has or is linked with: the call reads the image without the
 * set's lock.
 *
 * @param[in] set  may be null, which has no effect.
 * @param[in] owner  as it was added; may be null.
 * @return the number of images removed.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD uint32_t syclze_offload_set_remove(syclze_offload_set set, const void *owner)
    SYCLZE_LINK_NAME(syclze_offload_set_remove);

/**
 * The images that have a kernel, in the order in which they were added. Gives no diagnostic.
 *
 * @param[in] set  not null.
 * @param[in] name  not null.
 * @param[in,out] count  not null: the length of `found`; set to the number of images.
 * @param[out] found  an array; null queries the number.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_KERNEL_NAME: there is none
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_offload_set_find(syclze_offload_set set, const char *name,
    uint32_t *count, syclze_offload_found *found) SYCLZE_LINK_NAME(syclze_offload_set_find);

/**
 * The images that export a symbol, in the order in which they were added. Gives no diagnostic.
 *
 * @param[in] set  not null.
 * @param[in] name  may be empty, with null data.
 * @param[in,out] count  not null: the length of `found`; set to the number of images.
 * @param[out] found  an array; null queries the number.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_KERNEL_NAME: there is none
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: none for the table of exports; a later call adds them
 * @see offload design, Linking of device objects
 */
SYCLZE_COLD ze_result_t syclze_offload_set_find_export(syclze_offload_set set, syclze_text name,
    uint32_t *count, syclze_offload_found *found) SYCLZE_LINK_NAME(syclze_offload_set_find_export);

/**
 * All images of a set.
 *
 * @param[in] set  not null.
 * @param[in,out] count  not null: the length of `found`; set to the number of images.
 * @param[out] found  an array; null queries the number.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD void syclze_offload_set_list(syclze_offload_set set, uint32_t *count,
    syclze_offload_found *found) SYCLZE_LINK_NAME(syclze_offload_set_list);

/**
 * The set of the images that are registered with the program (registry.h). It lives as long as the
 * process.
 *
 * @return the set, which the caller must not release; null without memory.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD syclze_offload_set syclze_offload_registered(void)
    SYCLZE_LINK_NAME(syclze_offload_registered);

/** Adds a reference.
 * @param[in] set  may be null, which has no effect. @see offload design, SYCL runtime */
SYCLZE_INLINE void syclze_offload_set_retain(syclze_offload_set set);

/** Drops a reference; the last one frees the set.
 * @param[in] set  may be null, which has no effect. @see offload design, SYCL runtime */
SYCLZE_COLD void syclze_offload_set_release(syclze_offload_set set)
    SYCLZE_LINK_NAME(syclze_offload_set_release);

SYCLZE_EXTERN_C_END

#include "detail/image_set.h"

#endif
