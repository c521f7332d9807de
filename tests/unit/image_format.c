/* Every pair of channel order and channel type, against a full table. */
#undef SYCLZE_DECLARATIONS
#include "support/notes.h"
#include "support/world.h"
#include "tests/check.h"

/* By channel type: bits per channel, or 0 and the layout of a packed type; and the type. */
static const struct {
  int bits;
  ze_image_format_layout_t packed;
  ze_image_format_type_t type;
} types[] = {
    [SYCLZE_IMAGE_CHANNEL_TYPE_SNORM_INT8] = {8, 0, ZE_IMAGE_FORMAT_TYPE_SNORM},
    [SYCLZE_IMAGE_CHANNEL_TYPE_SNORM_INT16] = {16, 0, ZE_IMAGE_FORMAT_TYPE_SNORM},
    [SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT8] = {8, 0, ZE_IMAGE_FORMAT_TYPE_UNORM},
    [SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT16] = {16, 0, ZE_IMAGE_FORMAT_TYPE_UNORM},
    [SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565] = {0, ZE_IMAGE_FORMAT_LAYOUT_5_6_5,
        ZE_IMAGE_FORMAT_TYPE_UNORM},
    [SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555] = {0, ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1,
        ZE_IMAGE_FORMAT_TYPE_UNORM},
    [SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT_101010] = {0, ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2,
        ZE_IMAGE_FORMAT_TYPE_UNORM},
    [SYCLZE_IMAGE_CHANNEL_TYPE_SIGNED_INT8] = {8, 0, ZE_IMAGE_FORMAT_TYPE_SINT},
    [SYCLZE_IMAGE_CHANNEL_TYPE_SIGNED_INT16] = {16, 0, ZE_IMAGE_FORMAT_TYPE_SINT},
    [SYCLZE_IMAGE_CHANNEL_TYPE_SIGNED_INT32] = {32, 0, ZE_IMAGE_FORMAT_TYPE_SINT},
    [SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8] = {8, 0, ZE_IMAGE_FORMAT_TYPE_UINT},
    [SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16] = {16, 0, ZE_IMAGE_FORMAT_TYPE_UINT},
    [SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32] = {32, 0, ZE_IMAGE_FORMAT_TYPE_UINT},
    [SYCLZE_IMAGE_CHANNEL_TYPE_FP16] = {16, 0, ZE_IMAGE_FORMAT_TYPE_FLOAT},
    [SYCLZE_IMAGE_CHANNEL_TYPE_FP32] = {32, 0, ZE_IMAGE_FORMAT_TYPE_FLOAT},
};

#define R ZE_IMAGE_FORMAT_SWIZZLE_R
#define G ZE_IMAGE_FORMAT_SWIZZLE_G
#define B ZE_IMAGE_FORMAT_SWIZZLE_B
#define A ZE_IMAGE_FORMAT_SWIZZLE_A
#define ZERO ZE_IMAGE_FORMAT_SWIZZLE_0
#define ONE ZE_IMAGE_FORMAT_SWIZZLE_1
#define X ZE_IMAGE_FORMAT_SWIZZLE_X
static const struct {
  int channels;
  ze_image_format_swizzle_t swizzle[4];
} orders[] = {
    [SYCLZE_IMAGE_CHANNEL_ORDER_A] = {1, {ZERO, ZERO, ZERO, R}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_R] = {1, {R, ZERO, ZERO, ONE}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_RX] = {1, {R, ZERO, ZERO, X}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_RG] = {2, {R, G, ZERO, ONE}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_RGX] = {2, {R, G, ZERO, X}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_RA] = {2, {R, ZERO, ZERO, G}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_RGB] = {3, {R, G, B, ONE}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_RGBX] = {3, {R, G, B, X}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_RGBA] = {4, {R, G, B, A}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_ARGB] = {4, {A, R, G, B}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_BGRA] = {4, {B, G, R, A}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_INTENSITY] = {1, {R, R, R, R}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_LUMINANCE] = {1, {R, R, R, ONE}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_ABGR] = {4, {A, B, G, R}},
    [SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA] = {0, {0, 0, 0, 0}},
};
#undef R
#undef G
#undef B
#undef A
#undef ZERO
#undef ONE
#undef X

enum { ORDERS = sizeof orders / sizeof *orders, TYPES = sizeof types / sizeof *types };

/* Three-channel layouts, which older headers lack, by value. */
static int layout_of(int bits, int channels) {
  static const int of_8[] = {
      0, ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_LAYOUT_8_8, 43, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8};
  static const int of_16[] = {0, ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_LAYOUT_16_16, 44,
      ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16};
  static const int of_32[] = {0, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_LAYOUT_32_32, 45,
      ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32};
  return bits == 8 ? of_8[channels] : bits == 16 ? of_16[channels] : of_32[channels];
}

static int is_expressible(unsigned order, unsigned type) {
  return orders[order].channels != 0 && (types[type].bits != 0 || orders[order].channels == 3);
}

TEST(every_channel_pair_maps_to_its_format_or_is_refused) { // shows backend 64
  fake_begin();
  for (unsigned order = 0; order < ORDERS; order++)
    for (unsigned type = 0; type < TYPES; type++) {
      syclze_image_channel_order o = (syclze_image_channel_order)order;
      syclze_image_channel_type t = (syclze_image_channel_type)type;
      ze_image_format_t format, untouched;
      memset(&format, 0x55, sizeof format);
      untouched = format;
      if (!is_expressible(order, type)) {
        CHECK_REFUSED(syclze_image_format(o, t, &format), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
            "syclze_image_format", NULL);
        CHECK(memcmp(&format, &untouched, sizeof format) == 0);
        continue;
      }
      CHECK_OK(syclze_image_format(o, t, &format));
      CHECK_EQ(format.type, types[type].type);
      CHECK_EQ(format.layout, types[type].bits != 0
                                  ? layout_of(types[type].bits, orders[order].channels)
                                  : (int)types[type].packed);
      CHECK_EQ(format.x, orders[order].swizzle[0]);
      CHECK_EQ(format.y, orders[order].swizzle[1]);
      CHECK_EQ(format.z, orders[order].swizzle[2]);
      CHECK_EQ(format.w, orders[order].swizzle[3]);
    }
  fake_end();
}

TEST(every_format_maps_to_its_channel_pair) { // shows backend 64
  fake_begin();
  for (unsigned order = 0; order < ORDERS; order++)
    for (unsigned type = 0; type < TYPES; type++) {
      ze_image_format_t format;
      syclze_image_channel_order o = SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA;
      syclze_image_channel_type t = SYCLZE_IMAGE_CHANNEL_TYPE_FP32;
      if (!is_expressible(order, type)) continue;
      CHECK_OK(syclze_image_format(
          (syclze_image_channel_order)order, (syclze_image_channel_type)type, &format));
      CHECK_OK(syclze_image_channels(&format, &o, &t));
      CHECK_EQ(o, order);
      CHECK_EQ(t, type);
    }
  fake_end();
}

TEST(invalid_orders_and_types_are_refused) {
  fake_begin();
  static const int wrong[] = {-1, 1000};
  for (int i = 0; i < 2; i++) {
    ze_image_format_t format;
    CHECK_REFUSED(syclze_image_format((syclze_image_channel_order)wrong[i],
                      SYCLZE_IMAGE_CHANNEL_TYPE_FP32, &format),
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_image_format", NULL);
    CHECK_REFUSED(syclze_image_format(SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
                      (syclze_image_channel_type)wrong[i], &format),
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_image_format", NULL);
  }
  fake_end();
}

TEST(formats_outside_sycl_are_refused) {
  fake_begin();
  ze_image_format_t format;
  syclze_image_channel_order order = SYCLZE_IMAGE_CHANNEL_ORDER_ABGR;
  syclze_image_channel_type type = SYCLZE_IMAGE_CHANNEL_TYPE_FP16;
  CHECK_OK(syclze_image_format(
      SYCLZE_IMAGE_CHANNEL_ORDER_RGBA, SYCLZE_IMAGE_CHANNEL_TYPE_FP32, &format));
  for (int i = 0; i < 6; i++) {
    ze_image_format_t other = format;
    if (i == 0) other.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
    if (i == 1) other.type = ZE_IMAGE_FORMAT_TYPE_UNORM;
    if (i == 2) other.x = ZE_IMAGE_FORMAT_SWIZZLE_1;
    if (i == 3) other.y = ZE_IMAGE_FORMAT_SWIZZLE_1;
    if (i == 4) other.z = ZE_IMAGE_FORMAT_SWIZZLE_1;
    if (i == 5) other.w = ZE_IMAGE_FORMAT_SWIZZLE_X;
    CHECK_REFUSED(syclze_image_channels(&other, &order, &type),
        ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "syclze_image_channels", NULL);
    CHECK_EQ(order, SYCLZE_IMAGE_CHANNEL_ORDER_ABGR);
    CHECK_EQ(type, SYCLZE_IMAGE_CHANNEL_TYPE_FP16);
  }
  fake_end();
}

TEST(a_pixel_has_the_bytes_of_its_channels) {
  static const struct {
    syclze_image_channel_order order;
    syclze_image_channel_type type;
    size_t size;
  } pixels[] = {{SYCLZE_IMAGE_CHANNEL_ORDER_R, SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT8, 1},
      {SYCLZE_IMAGE_CHANNEL_ORDER_RG, SYCLZE_IMAGE_CHANNEL_TYPE_SIGNED_INT16, 4},
      {SYCLZE_IMAGE_CHANNEL_ORDER_RGB, SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, 3},
      {SYCLZE_IMAGE_CHANNEL_ORDER_RGBA, SYCLZE_IMAGE_CHANNEL_TYPE_FP16, 8},
      {SYCLZE_IMAGE_CHANNEL_ORDER_RGBA, SYCLZE_IMAGE_CHANNEL_TYPE_FP32, 16},
      {SYCLZE_IMAGE_CHANNEL_ORDER_RGB, SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565, 2},
      {SYCLZE_IMAGE_CHANNEL_ORDER_RGBX, SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555, 2},
      {SYCLZE_IMAGE_CHANNEL_ORDER_RGB, SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT_101010, 4}};
  for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++)
    CHECK_EQ(syclze__image_pixel_size(pixels[i].order, pixels[i].type), pixels[i].size);
}

TEST_MAIN(a_pixel_has_the_bytes_of_its_channels,
    every_channel_pair_maps_to_its_format_or_is_refused, every_format_maps_to_its_channel_pair,
    invalid_orders_and_types_are_refused, formats_outside_sycl_are_refused)
