/**
 * @file
 * Host accessors of images: a scope in which the host reads or writes an image, and one-line forms.
 *
 *     syclze_host_accessor accessor;
 *     if (syclze_image_host_accessor_create(image, SYCLZE_ACCESS_READ, NULL, &accessor) == 0) {
 *       const char *pixels = syclze_host_accessor_get_pointer(accessor);
 *       printf("%d\n", pixels[syclze_host_accessor_get_row_pitch(accessor)]);
 *       syclze_host_accessor_release(accessor);
 *     }
 *
 * The scope is ordered like that of a buffer (host_accessor.h), whose functions take the accessor
 * too: the wait, the pointer, the size and the release. The pointer is to a copy without gaps,
 * which is written back at the end of the scope. Copies run on the device that the image was
 * created on, or the context's first.
 *
 * A region is in pixels: x, y and z; the layers of an array are y for images of one dimension, z
 * for two. Its height and depth may be 0 for 1.
 *
 * Include it by name; command.h does not.
 *
 * Ownership: a host accessor keeps its image. Threads: one accessor is used by one thread at a
 * time, distinct ones by any threads.
 */
#ifndef SYCLZE_COMMAND_IMAGE_HOST_ACCESSOR_H
#define SYCLZE_COMMAND_IMAGE_HOST_ACCESSOR_H

#include "host_accessor.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Begins a scope in which the host uses an image, and waits until it may.
 *
 * @param[in] image  Null is refused.
 * @param[in] mode  The host's access. The discarding modes do not copy the old contents.
 * @param[in] region  Null for all of the image. Host accessors do not wait for those of other
 * regions; command groups require all of an image.
 * @param[out] accessor  Not null; set to null on failure.
 * Ownership afterwards: the accessor is the caller's, for syclze_host_accessor_release.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `accessor` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the image is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: `mode` is not a syclze_access_mode
 * - SYCLZE_RESULT_ERROR_INVALID: the region is empty or does not lie in the image
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what the creation of an event, the wait for earlier work and the copy to the host return
 *
 * After an error there is no scope.
 * @see SYCL 2020 4.7.6.14 (host_unsampled_image_accessor)
 */
SYCLZE_COLD ze_result_t syclze_image_host_accessor_create(syclze_image image,
    syclze_access_mode mode, const ze_image_region_t *region, syclze_host_accessor *accessor)
    SYCLZE_LINK_NAME(syclze_image_host_accessor_create);

/**
 * Begins a scope as syclze_image_host_accessor_create, but does not wait: the host may use the
 * pointer once the event is signalled and syclze_host_accessor_wait has returned success.
 *
 * @param[in] image  Null is refused.
 * @param[in] mode  What the host does.
 * @param[in] region  Null for all of the image.
 * @param[out] accessor  Not null; set to null on failure. Its release waits for the event.
 * @param[out] ready  Signalled by a worker, a reference of the caller's; set to null on failure.
 * May be null: no event is returned.
 * @return As syclze_image_host_accessor_create, except errors of the wait and the copy, which
 * syclze_host_accessor_wait returns; and
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no thread
 * @see SYCL 2020 4.7.6.14 (host_unsampled_image_accessor)
 */
SYCLZE_COLD ze_result_t syclze_image_host_accessor_begin(syclze_image image,
    syclze_access_mode mode, const ze_image_region_t *region, syclze_host_accessor *accessor,
    syclze_event *ready) SYCLZE_LINK_NAME(syclze_image_host_accessor_begin);

/**
 * The distance of rows of pixels from each other.
 *
 * @param[in] accessor  Of an image; not null.
 * @return the distance, in bytes; 0 for the accessor of a buffer.
 * @see SYCL 1.2.1 4.7.3 (image::get_pitch)
 */
SYCLZE_COLD size_t syclze_host_accessor_get_row_pitch(syclze_host_accessor accessor)
    SYCLZE_LINK_NAME(syclze_host_accessor_get_row_pitch);

/**
 * The distance of slices, or layers of an array of two dimensions, from each other.
 *
 * @param[in] accessor  Of an image; not null.
 * @return the distance, in bytes; 0 for the accessor of a buffer.
 * @see SYCL 1.2.1 4.7.3 (image::get_pitch)
 */
SYCLZE_COLD size_t syclze_host_accessor_get_slice_pitch(syclze_host_accessor accessor)
    SYCLZE_LINK_NAME(syclze_host_accessor_get_slice_pitch);

/**
 * Copies a region of an image to the host: a host accessor of that region, without a copy in
 * between.
 *
 * @param[in] image  Null is refused.
 * @param[in] region  Null for all of the image.
 * @param[out] data  The first pixel; not null.
 * @param[in] row_pitch, slice_pitch  Bytes from a row to the next one, and from a slice or layer;
 * 0 for no gaps.
 * @return As syclze_image_host_accessor_create, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `data` is null
 * - SYCLZE_RESULT_ERROR_INVALID: a pitch is smaller than a row, or the rows of a slice
 * @see SYCL 2020 4.7.6.14 (host_unsampled_image_accessor)
 */
SYCLZE_COLD ze_result_t syclze_image_read(syclze_image image, const ze_image_region_t *region,
    void *data, size_t row_pitch, size_t slice_pitch) SYCLZE_LINK_NAME(syclze_image_read);

/**
 * Copies data of the host to a region of an image, as syclze_image_read.
 *
 * @param[in] image  Null is refused.
 * @param[in] region  Null for all of the image.
 * @param[in] data  The first pixel; not null. Read before the call returns.
 * @param[in] row_pitch, slice_pitch  As of syclze_image_read.
 * @return As syclze_image_read. After an error of the copy the region is unspecified.
 * @see SYCL 2020 4.7.6.14 (host_unsampled_image_accessor)
 */
SYCLZE_COLD ze_result_t syclze_image_write(syclze_image image, const ze_image_region_t *region,
    const void *data, size_t row_pitch, size_t slice_pitch) SYCLZE_LINK_NAME(syclze_image_write);

SYCLZE_EXTERN_C_END

#include "detail/host/image_accessor.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_image_host_accessor_create(...)                                                     \
  (SYCLZE__HERE(syclze_image_host_accessor_create)(__VA_ARGS__))
#define syclze_image_host_accessor_begin(...)                                                      \
  (SYCLZE__HERE(syclze_image_host_accessor_begin)(__VA_ARGS__))
#endif

#endif
