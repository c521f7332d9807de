/**
 * @file
 * Pitched images, over memory of the caller, and bindless images, which kernels find by a number:
 * Level Zero's ZE_experimental_bindless_image.
 *
 *     syclze_image_input input = {.dimensions = 2, .range = {640, 480}};
 *     input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
 *     input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT8;
 *     size_t pitch;
 *     void *memory;
 *     syclze_image image;
 *     if (syclze_image_get_row_pitch_for(context, device, 640, 480, 4, &pitch) == 0 &&
 *         syclze_malloc_device(480 * pitch, device, context, &memory) == 0) {
 *       const syclze_image_extension extension = {.memory = memory};
 *       if (syclze_image_create_extended(context, device, &input, &extension, &image) == 0)
 *         syclze_image_release(image);
 *       syclze_free(memory, context);
 *     }
 *
 * The driver must have the extension, and the loader its functions, of Level Zero 1.9; otherwise
 * each function fails with a diagnostic that names the missing part.
 *
 * Ownership: an image keeps its context. The memory of a pitched image stays the caller's, and must
 * live until the work on the image is done. The library does not order work on the memory against
 * work on the image.
 *
 * Threads: any thread may call any function.
 */
#ifndef SYCLZE_BINDLESS_IMAGE_H
#define SYCLZE_BINDLESS_IMAGE_H

#include "image.h"
#include "sampler.h"

SYCLZE_EXTERN_C_BEGIN

/** The properties of an image beyond its shape. */
typedef struct syclze_image_extension {
  void *memory;     /* of the device, with the pixels of a pitched image of 2 dimensions; default:
                       the driver's own */
  size_t row_pitch; /* of the memory, in bytes; default: syclze_image_get_row_pitch_for's. For
                       others the driver must support ze_custom_pitch_exp_desc_t */
  bool is_bindless; /* kernels find the image by syclze_image_get_device_offset */
  const syclze_sampler_desc *sampler; /* of a sampled bindless image; default: none */
} syclze_image_extension;

/**
 * Returns the row pitch that the driver requires for the memory of a pitched image.
 *
 * @param[in] context  Null is refused.
 * @param[in] device  In the context; null is refused.
 * @param[in] width, height  In pixels.
 * @param[in] pixel_size  In bytes.
 * @param[out] row_pitch  In bytes; not null; 0 on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `row_pitch` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context or the device is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the driver has no such extension, or the loader no
 *   zeMemGetPitchFor2dImage
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the names of the driver's extensions
 * - what zeMemGetPitchFor2dImage returns
 * @see SYCL_EXT_ONEAPI_BINDLESS_IMAGES (pitched_alloc_device)
 */
SYCLZE_COLD ze_result_t syclze_image_get_row_pitch_for(syclze_context context, syclze_device device,
    size_t width, size_t height, uint32_t pixel_size, size_t *row_pitch)
    SYCLZE_LINK_NAME(syclze_image_get_row_pitch_for);

/**
 * Creates an image over memory of the caller, or a bindless one, or both.
 *
 * @param[in] context  Null is refused. The image keeps it.
 * @param[in] device  In the context; null is refused.
 * @param[in] input  Not null; its native_handle and ownership are not read.
 * @param[in] extension  Not null; read by the call.
 * @param[out] image  Not null; set to null on failure.
 * Ownership afterwards: the native image is the library's, the memory the caller's.
 * @return What syclze_image_create returns, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `extension` is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the driver has no such extension
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: a mode of the sampler is not SYCL's
 * - SYCLZE_RESULT_ERROR_INVALID: neither memory nor bindless; memory for an image that is not of 2
 *   dimensions, or is an array; a row pitch without memory, or smaller than a row; a sampler for an
 *   image that is not bindless
 * @see SYCL_EXT_ONEAPI_BINDLESS_IMAGES (create_image)
 */
SYCLZE_COLD ze_result_t syclze_image_create_extended(syclze_context context, syclze_device device,
    const syclze_image_input *input, const syclze_image_extension *extension, syclze_image *image)
    SYCLZE_LINK_NAME(syclze_image_create_extended);

/**
 * Returns the number by which kernels find a bindless image: an argument of a kernel, by value. The
 * library does not know of this use: the command group must require the image too
 * (syclze_group_require_image), or the caller ensures lifetime and order.
 *
 * @param[in] image  Bindless; null is refused.
 * @param[out] offset  An index without a unit, as the driver counts; not null; 0 on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `offset` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the image is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the loader has no zeImageGetDeviceOffsetExp
 * - what zeImageGetDeviceOffsetExp returns
 * @see SYCL_EXT_ONEAPI_BINDLESS_IMAGES (unsampled_image_handle)
 */
SYCLZE_COLD ze_result_t syclze_image_get_device_offset(syclze_image image, uint64_t *offset)
    SYCLZE_LINK_NAME(syclze_image_get_device_offset);

SYCLZE_EXTERN_C_END

#include "detail/objects/bindless_image.h"

#ifdef SYCLZE_CHECK
/* Its call site. */
#define syclze_image_create_extended(...) (SYCLZE__HERE(syclze_image_create_extended)(__VA_ARGS__))
#endif

#endif
