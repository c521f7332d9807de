/**
 * @file
 * Channels of SYCL 1.2.1's images, and their ze_image_format_t.
 *
 *     ze_image_format_t format;
 *     if (syclze_image_format(SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
 *             SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, &format) == ZE_RESULT_SUCCESS)
 *       printf("layout %d\n", (int)format.layout);
 *
 * The order determines the swizzle, the sources of red, green, blue and alpha. The type and the
 * number of channels in memory determine the layout.
 *
 * Threads: any thread may call any function.
 */
#ifndef SYCLZE_IMAGE_FORMAT_H
#define SYCLZE_IMAGE_FORMAT_H

#include "result.h"

SYCLZE_EXTERN_C_BEGIN

/** Order of the channels in a pixel. @see SYCL 1.2.1 4.7.3, table 4.44 */
typedef enum syclze_image_channel_order {
  SYCLZE_IMAGE_CHANNEL_ORDER_A = 0,
  SYCLZE_IMAGE_CHANNEL_ORDER_R,
  SYCLZE_IMAGE_CHANNEL_ORDER_RX,
  SYCLZE_IMAGE_CHANNEL_ORDER_RG,
  SYCLZE_IMAGE_CHANNEL_ORDER_RGX,
  SYCLZE_IMAGE_CHANNEL_ORDER_RA,
  SYCLZE_IMAGE_CHANNEL_ORDER_RGB,
  SYCLZE_IMAGE_CHANNEL_ORDER_RGBX,
  SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
  SYCLZE_IMAGE_CHANNEL_ORDER_ARGB,
  SYCLZE_IMAGE_CHANNEL_ORDER_BGRA,
  SYCLZE_IMAGE_CHANNEL_ORDER_INTENSITY,
  SYCLZE_IMAGE_CHANNEL_ORDER_LUMINANCE,
  SYCLZE_IMAGE_CHANNEL_ORDER_ABGR,
  SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA /* refused: ze_image_format_t cannot express sRGB */
} syclze_image_channel_order;

/** Type of a channel. @see SYCL 1.2.1 4.7.3, table 4.45 */
typedef enum syclze_image_channel_type {
  SYCLZE_IMAGE_CHANNEL_TYPE_SNORM_INT8 = 0,
  SYCLZE_IMAGE_CHANNEL_TYPE_SNORM_INT16,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT8,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT16,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565, /* with RGB and RGBX only, like the next two */
  SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT_101010,
  SYCLZE_IMAGE_CHANNEL_TYPE_SIGNED_INT8,
  SYCLZE_IMAGE_CHANNEL_TYPE_SIGNED_INT16,
  SYCLZE_IMAGE_CHANNEL_TYPE_SIGNED_INT32,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
  SYCLZE_IMAGE_CHANNEL_TYPE_FP16,
  SYCLZE_IMAGE_CHANNEL_TYPE_FP32
} syclze_image_channel_type;

/**
 * Converts a channel order and type to a format.
 *
 * Drivers support the layouts of three channels of 8, 16 or 32 bits since Level Zero 1.8.
 *
 * @param[in] order  Channel order.
 * @param[in] type  Channel type.
 * @param[out] format  Not null; unchanged on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `format` is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the order or the type is not one of SYCL's
 * - ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT: Level Zero cannot express the combination
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_image_format(
    syclze_image_channel_order order, syclze_image_channel_type type, ze_image_format_t *format)
    SYCLZE_LINK_NAME(syclze_image_format);

/**
 * Converts a format to a channel order and type.
 *
 * @param[in] format  Not null.
 * @param[out] order  Not null; unchanged on failure.
 * @param[out] type  Not null; unchanged on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a pointer is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT: no channels of SYCL's images have the format
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_image_channels(const ze_image_format_t *format,
    syclze_image_channel_order *order, syclze_image_channel_type *type)
    SYCLZE_LINK_NAME(syclze_image_channels);

SYCLZE_EXTERN_C_END

#include "detail/objects/image_format.h"

#endif
