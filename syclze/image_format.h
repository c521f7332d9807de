/* The channels of SYCL 1.2.1's images, and the ze_image_format_t that each combination is.
 *
 *     ze_image_format_t format;
 *     if (syclze_image_format(SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
 *             SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, &format) == ZE_RESULT_SUCCESS)
 *       printf("layout %d\\n", (int)format.layout);
 *
 * The order becomes the swizzle, which says where the values of red, green, blue and alpha come
 * from; the type and the number of channels in memory become the layout. */
#ifndef SYCLZE_IMAGE_FORMAT_H
#define SYCLZE_IMAGE_FORMAT_H

#include "result.h"

SYCLZE_EXTERN_C_BEGIN

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
  SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA /* refused: the format does not say sRGB */
} syclze_image_channel_order;

typedef enum syclze_image_channel_type {
  SYCLZE_IMAGE_CHANNEL_TYPE_SNORM_INT8 = 0,
  SYCLZE_IMAGE_CHANNEL_TYPE_SNORM_INT16,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT8,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT16,
  SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565, /* with RGB and RGBX only, as the next two */
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

/* The format of an order and a type. `format` is not null, and is not written on failure. Three
 * channels of 8, 16 or 32 bits have layouts that drivers know since Level Zero 1.8. Errors:
 * ZE_RESULT_ERROR_INVALID_ENUMERATION for an order or a type that is none;
 * ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT for a combination that Level Zero cannot express. */
SYCLZE_COLD ze_result_t syclze_image_format(
    syclze_image_channel_order order, syclze_image_channel_type type, ze_image_format_t *format)
    SYCLZE_LINK_NAME(syclze_image_format);

/* The order and the type of a format; the pointers are not null, and are not written on failure.
 * ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT for a format that is none of SYCL's. */
SYCLZE_COLD ze_result_t syclze_image_channels(const ze_image_format_t *format,
    syclze_image_channel_order *order, syclze_image_channel_type *type)
    SYCLZE_LINK_NAME(syclze_image_channels);

enum {
  SYCLZE__IMAGE_ORDERS = SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA + 1,
  SYCLZE__IMAGE_TYPES = SYCLZE_IMAGE_CHANNEL_TYPE_FP32 + 1,
  SYCLZE__NO_LAYOUT = 0xff
};

/* The layouts of one to four channels of 8, 16 and 32 bits, by number; older headers do not name
 * those of three. */
SYCLZE_LOCAL uint8_t syclze__image_layout(uint32_t bits, uint32_t channels) {
  static const uint8_t layouts[3][4] = {
      {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_LAYOUT_8_8, 43, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8},
      {ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_LAYOUT_16_16, 44,
          ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16},
      {ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_LAYOUT_32_32, 45,
          ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32}};
  return layouts[bits / 16][channels - 1];
}

SYCLZE_LOCAL struct syclze__status syclze__check_image_format(
    syclze_image_channel_order order, syclze_image_channel_type type, ze_image_format_t *format) {
  /* Channels in memory, then the sources of red, green, blue and alpha. */
  static const struct {
    uint8_t channels;
    char swizzle[5];
  } orders[SYCLZE__IMAGE_ORDERS] = {{1, "000R"}, {1, "R001"}, {1, "R00X"}, {2, "RG01"}, {2, "RG0X"},
      {2, "R00G"}, {3, "RGB1"}, {3, "RGBX"}, {4, "RGBA"}, {4, "ARGB"}, {4, "BGRA"}, {1, "RRRR"},
      {1, "RRR1"}, {4, "ABGR"}, {0, ""}};
  /* Bits in a channel, or the layout of a packed type. */
  static const struct {
    uint8_t bits, packed, type;
  } types[SYCLZE__IMAGE_TYPES] = {{8, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_SNORM},
      {16, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_SNORM},
      {8, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_UNORM},
      {16, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_UNORM},
      {0, ZE_IMAGE_FORMAT_LAYOUT_5_6_5, ZE_IMAGE_FORMAT_TYPE_UNORM},
      {0, ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, ZE_IMAGE_FORMAT_TYPE_UNORM},
      {0, ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UNORM},
      {8, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_SINT},
      {16, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_SINT},
      {32, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_SINT},
      {8, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_UINT},
      {16, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_UINT},
      {32, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_UINT},
      {16, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_FLOAT},
      {32, SYCLZE__NO_LAYOUT, ZE_IMAGE_FORMAT_TYPE_FLOAT}};
  if ((uint32_t)order >= SYCLZE__IMAGE_ORDERS || (uint32_t)type >= SYCLZE__IMAGE_TYPES)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION,
        "the channel order or the channel type is none of SYCL's");
  if (orders[order].channels == 0)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
        "Level Zero's image format does not express the order sRGBA");
  bool packed = types[type].bits == 0;
  if (packed && orders[order].channels != 3)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
        "the channel types 565, 555 and 101010 go with the orders RGB and RGBx only");

  ze_image_format_swizzle_t sources[4];
  for (uint32_t i = 0; i < 4; i++)
    sources[i] =
        (ze_image_format_swizzle_t)(strchr("RGBA01X", orders[order].swizzle[i]) - "RGBA01X");
  memset(format, 0, sizeof *format);
  format->layout = (ze_image_format_layout_t)(packed ? types[type].packed
                                                     : syclze__image_layout(types[type].bits,
                                                           orders[order].channels));
  format->type = (ze_image_format_type_t)types[type].type;
  format->x = sources[0];
  format->y = sources[1];
  format->z = sources[2];
  format->w = sources[3];
  return syclze__allowed();
}

enum { SYCLZE__IMAGE_PIXEL_MOST = 16 }; /* bytes: four channels of 32 bits */

/* The bytes of a pixel of an image that there is. */
SYCLZE_LOCAL size_t syclze__image_pixel_size(
    syclze_image_channel_order order, syclze_image_channel_type type) {
  ze_image_format_t format;
  syclze__check_image_format(order, type, &format);
  for (uint32_t bits = 8; bits <= 32; bits *= 2)
    for (uint32_t channels = 1; channels <= 4; channels++)
      if ((uint32_t)format.layout == syclze__image_layout(bits, channels))
        return bits / 8 * channels;
  return format.layout == ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2 ? 4 : 2;
}

SYCLZE_COLD ze_result_t syclze_image_format(
    syclze_image_channel_order order, syclze_image_channel_type type, ze_image_format_t *format) {
  struct syclze__status status = syclze__check_image_format(order, type, format);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, "syclze_image_format", status.rule, NULL);
}

SYCLZE_COLD ze_result_t syclze_image_channels(const ze_image_format_t *format,
    syclze_image_channel_order *order, syclze_image_channel_type *type) {
  for (uint32_t pair = 0; pair < SYCLZE__IMAGE_ORDERS * SYCLZE__IMAGE_TYPES; pair++) {
    syclze_image_channel_order o = (syclze_image_channel_order)(pair / SYCLZE__IMAGE_TYPES);
    syclze_image_channel_type t = (syclze_image_channel_type)(pair % SYCLZE__IMAGE_TYPES);
    ze_image_format_t candidate;
    if (syclze__check_image_format(o, t, &candidate).result != ZE_RESULT_SUCCESS ||
        candidate.layout != format->layout || candidate.type != format->type ||
        candidate.x != format->x || candidate.y != format->y || candidate.z != format->z ||
        candidate.w != format->w)
      continue;
    *order = o;
    *type = t;
    return ZE_RESULT_SUCCESS;
  }
  return syclze__fail(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "syclze_image_channels",
      "the format is none of SYCL's images", NULL);
}

SYCLZE_EXTERN_C_END

#endif
