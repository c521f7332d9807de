/* Implementation of image_format.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_IMAGE_FORMAT_H
#define SYCLZE_DETAIL_OBJECTS_IMAGE_FORMAT_H

#include "../../image_format.h"
#include "../result.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__IMAGE_PIXEL_MOST = 16 }; /* bytes: four channels of 32 bits */

#if SYCLZE__BODIES

enum {
  SYCLZE__IMAGE_ORDERS = SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA + 1,
  SYCLZE__IMAGE_TYPES = SYCLZE_IMAGE_CHANNEL_TYPE_FP32 + 1,
  SYCLZE__NO_LAYOUT = 0xff
};

/* The layouts of one to four channels of 8, 16 and 32 bits; as numbers if older headers lack the
 * name. */
SYCLZE_LOCAL uint8_t syclze__image_layout(uint32_t bits, uint32_t channels) {
  static const uint8_t layouts[3][4] = {
      {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_LAYOUT_8_8, 43, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8},
      {ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_LAYOUT_16_16, 44,
          ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16},
      {ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_LAYOUT_32_32, 45,
          ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32}};
  return layouts[bits / 16][channels - 1];
}

SYCLZE_LOCAL ze_image_format_swizzle_t syclze__image_source(char source) {
  return (ze_image_format_swizzle_t)(strchr("RGBA01X", source) - "RGBA01X");
}

SYCLZE_LOCAL struct syclze__status syclze__check_image_format(
    syclze_image_channel_order order, syclze_image_channel_type type, ze_image_format_t *format) {
  /* Channels in memory; sources of red, green, blue and alpha. */
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
        "the channel order and the channel type must be SYCL's");
  if (orders[order].channels == 0)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
        "Level Zero's image format does not express the order sRGBA");
  if (types[type].bits == 0 && orders[order].channels != 3)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
        "the channel types 565, 555 and 101010 need the order RGB or RGBx");
  memset(format, 0, sizeof *format);
  format->layout =
      (ze_image_format_layout_t)(types[type].bits == 0 ? types[type].packed
                                                       : syclze__image_layout(types[type].bits,
                                                             orders[order].channels));
  format->type = (ze_image_format_type_t)types[type].type;
  format->x = syclze__image_source(orders[order].swizzle[0]);
  format->y = syclze__image_source(orders[order].swizzle[1]);
  format->z = syclze__image_source(orders[order].swizzle[2]);
  format->w = syclze__image_source(orders[order].swizzle[3]);
  return syclze__allowed();
}

/* The size of a pixel in bytes, for a checked order and type. */
SYCLZE_LOCAL size_t syclze__image_pixel_size(
    syclze_image_channel_order order, syclze_image_channel_type type) {
  SYCLZE__ZEROED(ze_image_format_t, format);
  syclze__check_image_format(order, type, &format);
  for (uint32_t bits = 8; bits <= 32; bits *= 2)
    for (uint32_t channels = 1; channels <= 4; channels++)
      if ((uint32_t)format.layout == syclze__image_layout(bits, channels))
        return bits / 8 * channels;
  return format.layout == ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2 ? 4 : 2;
}

SYCLZE_COLD ze_result_t syclze_image_format(
    syclze_image_channel_order order, syclze_image_channel_type type, ze_image_format_t *format) {
  struct syclze__status status = format != NULL
                                     ? syclze__check_image_format(order, type, format)
                                     : syclze__null_pointer("the result's pointer is null");
  return syclze__finish(status, "syclze_image_format", NULL);
}

SYCLZE_LOCAL bool syclze__image_format_equal(
    const ze_image_format_t *a, const ze_image_format_t *b) {
  return a->layout == b->layout && a->type == b->type && a->x == b->x && a->y == b->y &&
         a->z == b->z && a->w == b->w;
}

SYCLZE_COLD ze_result_t syclze_image_channels(const ze_image_format_t *format,
    syclze_image_channel_order *order, syclze_image_channel_type *type) {
  if (format == NULL || order == NULL || type == NULL)
    return syclze__fail_pointer(
        "syclze_image_channels", "the format's or a result's pointer is null");
  for (uint32_t pair = 0; pair < SYCLZE__IMAGE_ORDERS * SYCLZE__IMAGE_TYPES; pair++) {
    syclze_image_channel_order o = (syclze_image_channel_order)(pair / SYCLZE__IMAGE_TYPES);
    syclze_image_channel_type t = (syclze_image_channel_type)(pair % SYCLZE__IMAGE_TYPES);
    ze_image_format_t candidate;
    if (syclze__check_image_format(o, t, &candidate).result != ZE_RESULT_SUCCESS ||
        !syclze__image_format_equal(&candidate, format))
      continue;
    *order = o;
    *type = t;
    return ZE_RESULT_SUCCESS;
  }
  return syclze__fail(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "syclze_image_channels",
      "the format must be one of SYCL's images", NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
