/**
 * @file
 * Images: SYCL 1.2.1's images of one to three dimensions, and arrays of images of one or two, over
 * a ze_image_handle_t.
 *
 *     syclze_image_input input = {0};
 *     input.native_handle = handle;
 *     input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
 *     input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8;
 *     input.dimensions = 2;
 *     input.range[0] = 4;
 *     input.range[1] = 2;
 *     syclze_image image;
 *     if (syclze_make_image(&input, context, &image) == ZE_RESULT_SUCCESS)
 *       syclze_image_release(image);
 *
 * Level Zero cannot query an image's shape and format: the input must be those that it was created
 * with. The native image is available from an interop handle only. An image is for queues of its
 * context, on the device that it was created on.
 *
 * Ownership: an image keeps its context. Under keep the last release waits for all work on the
 * image; under transfer it does not wait, and the image is destroyed when no queue uses it any
 * more.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference.
 */
#ifndef SYCLZE_IMAGE_H
#define SYCLZE_IMAGE_H

#include "event.h"
#include "image_format.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__image;

/** An image; {0} is null. @see SYCL 1.2.1 4.7.3 */
typedef struct syclze_image {
  struct syclze__image *rep;
} syclze_image;

/** Input of syclze_make_image. @see Level-Zero backend 4.1 */
typedef struct syclze_image_input {
  ze_image_handle_t native_handle;
  syclze_image_channel_order chan_order;
  syclze_image_channel_type chan_type;
  uint32_t dimensions;        /* 1 to 3; for an array those of a layer, 1 or 2 */
  size_t range[3];            /* width, height, depth, in pixels; unused ones are not read */
  syclze_ownership ownership; /* default: transfer */
  uint32_t array_size;        /* layers of an array of images; default: no array */
} syclze_image_input;

/**
 * Makes an image of a native one.
 *
 * @param[in] input  Not null.
 * @param[in] context  That of the native image; null is refused. The image keeps it.
 * @param[out] image  Not null; set to null on failure.
 * Ownership afterwards: with transfer the library's, with keep the caller's. After an error the
 * caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `image` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the handle or the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the ownership is neither transfer nor keep; the channel
 *   order or type is not one of SYCL's
 * - ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT: Level Zero cannot express the channels
 * - SYCLZE_RESULT_ERROR_INVALID: not 1 to 3 dimensions, or an array of 3; an empty or too large
 *   range
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_make_image(const syclze_image_input *input, syclze_context context,
    syclze_image *image) SYCLZE_LINK_NAME(syclze_make_image);

/**
 * Makes an image of a native one that is ready once an event is signalled. The first use waits for
 * it.
 *
 * @param[in] input  Not null.
 * @param[in] context  That of the native image; null is refused. The image keeps it.
 * @param[in] available  Null is refused. The image keeps it.
 * @param[out] image  Not null; set to null on failure.
 * Ownership afterwards: as after syclze_make_image.
 * @return As syclze_make_image, and
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `available` is null
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_make_image_after(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image)
    SYCLZE_LINK_NAME(syclze_make_image_after);

/**
 * Creates an image that kernels can read and write, by one call of zeImageCreate.
 *
 * @param[in] context  Null is refused. The image keeps it.
 * @param[in] device  In the context; null is refused. Queues of other devices refuse the image.
 * @param[in] input  Not null; its native_handle and ownership are not read.
 * @param[out] image  Not null; set to null on failure.
 * Ownership afterwards: the native image is the library's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `image` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context or the device is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context; not 1 to 3 dimensions, or an
 *   array of 3; an empty or too large range
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the channel order or type is not one of SYCL's
 * - ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT: Level Zero cannot express the channels
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeImageCreate returns
 * @see SYCL 1.2.1 4.7.3
 */
SYCLZE_COLD ze_result_t syclze_image_create(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image) SYCLZE_LINK_NAME(syclze_image_create);

/**
 * Returns the context.
 *
 * @param[in] image  Not null.
 * @return The context, without a reference of its own.
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE syclze_context syclze_image_get_context(syclze_image image);

/**
 * Returns the number of dimensions.
 *
 * @param[in] image  Not null.
 * @return 1 to 3; for an array those of a layer.
 * @see SYCL 1.2.1 4.7.3
 */
SYCLZE_INLINE uint32_t syclze_image_get_dimensions(syclze_image image);

/**
 * Returns the number of pixels in a dimension.
 *
 * @param[in] image  Not null.
 * @param[in] dimension  0 to 2: width, height, depth. The layers of an array are the dimension
 * after those of a layer, as in a ze_image_region_t.
 * @return The number; 1 beyond the image's dimensions.
 * @see SYCL 1.2.1 4.7.3, get_range
 */
SYCLZE_INLINE size_t syclze_image_get_range(syclze_image image, uint32_t dimension);

/**
 * Returns the number of layers of an array of images.
 *
 * @param[in] image  Not null.
 * @return The number; 0 for an image that is not an array.
 * @see SYCL_EXT_ONEAPI_BINDLESS_IMAGES (image_descriptor::array_size)
 */
SYCLZE_INLINE uint32_t syclze_image_get_array_size(syclze_image image);

/** @copydoc syclze_context_retain */
SYCLZE_INLINE ze_result_t syclze_image_retain(syclze_image object);

/**
 * Drops a reference. The last release, under keep, waits for all work on the image; under transfer
 * the image is destroyed when the work is done.
 *
 * @param[in] image  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, or the error of a lost context: work may still use the
 *   image. Under transfer it is not destroyed
 * - what zeEventHostSynchronize, zeImageDestroy and the release of the context return; the object
 *   is released anyway
 * @see Level-Zero backend 4.4.2, 4.5
 */
SYCLZE_INLINE ze_result_t syclze_image_release(syclze_image image);

/** @copydoc syclze_context_set_owner */
SYCLZE_COLD ze_result_t syclze_image_set_owner(syclze_image object, syclze_owner owner)
    SYCLZE_LINK_NAME(syclze_image_set_owner);

/** @copydoc syclze_context_get_owner */
SYCLZE_COLD syclze_owner syclze_image_get_owner(syclze_image object)
    SYCLZE_LINK_NAME(syclze_image_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/objects/image.h"

#endif
