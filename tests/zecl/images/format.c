#include "images/format.h"

#include "core/check.h"
#include "images/convert.h"

#include <math.h>
#include <string.h>

/* Layouts of equal channels; those that older headers lack are numbers. */
static const struct {
  unsigned layout;
  uint8_t channels, size;
} layouts[] = {{ZE_IMAGE_FORMAT_LAYOUT_8, 1, 1}, {ZE_IMAGE_FORMAT_LAYOUT_16, 1, 2},
    {ZE_IMAGE_FORMAT_LAYOUT_32, 1, 4}, {ZE_IMAGE_FORMAT_LAYOUT_8_8, 2, 1},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, 4, 1}, {ZE_IMAGE_FORMAT_LAYOUT_16_16, 2, 2},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, 4, 2}, {ZE_IMAGE_FORMAT_LAYOUT_32_32, 2, 4},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, 4, 4}, {43 /* 8_8_8 */, 3, 1}, {44 /* 16_16_16 */, 3, 2},
    {45 /* 32_32_32 */, 3, 4}};

static const struct {
  ze_image_format_type_t type;
  uint8_t size;
  enum zecl_channel_type channel;
  enum zecl_texel_kind kind;
} types[] = {{ZE_IMAGE_FORMAT_TYPE_UINT, 1, ZECL_CHANNEL_UINT8, ZECL_TEXEL_UINT},
    {ZE_IMAGE_FORMAT_TYPE_UINT, 2, ZECL_CHANNEL_UINT16, ZECL_TEXEL_UINT},
    {ZE_IMAGE_FORMAT_TYPE_UINT, 4, ZECL_CHANNEL_UINT32, ZECL_TEXEL_UINT},
    {ZE_IMAGE_FORMAT_TYPE_SINT, 1, ZECL_CHANNEL_SINT8, ZECL_TEXEL_SINT},
    {ZE_IMAGE_FORMAT_TYPE_SINT, 2, ZECL_CHANNEL_SINT16, ZECL_TEXEL_SINT},
    {ZE_IMAGE_FORMAT_TYPE_SINT, 4, ZECL_CHANNEL_SINT32, ZECL_TEXEL_SINT},
    {ZE_IMAGE_FORMAT_TYPE_UNORM, 1, ZECL_CHANNEL_UNORM8, ZECL_TEXEL_FLOAT},
    {ZE_IMAGE_FORMAT_TYPE_UNORM, 2, ZECL_CHANNEL_UNORM16, ZECL_TEXEL_FLOAT},
    {ZE_IMAGE_FORMAT_TYPE_SNORM, 1, ZECL_CHANNEL_SNORM8, ZECL_TEXEL_FLOAT},
    {ZE_IMAGE_FORMAT_TYPE_SNORM, 2, ZECL_CHANNEL_SNORM16, ZECL_TEXEL_FLOAT},
    {ZE_IMAGE_FORMAT_TYPE_FLOAT, 2, ZECL_CHANNEL_HALF, ZECL_TEXEL_FLOAT},
    {ZE_IMAGE_FORMAT_TYPE_FLOAT, 4, ZECL_CHANNEL_FLOAT, ZECL_TEXEL_FLOAT}};

enum { ZERO = ZECL_SOURCE_ZERO, ONE = ZECL_SOURCE_ONE };

/* OpenCL's orders: what a kernel's x, y, z and w are of the channels in memory. */
static const struct {
  enum zecl_channel_order order;
  uint8_t channels, source[ZECL_CHANNELS];
} orders[] = {{ZECL_ORDER_R, 1, {0, ZERO, ZERO, ONE}}, {ZECL_ORDER_A, 1, {ZERO, ZERO, ZERO, 0}},
    {ZECL_ORDER_RG, 2, {0, 1, ZERO, ONE}}, {ZECL_ORDER_RA, 2, {0, ZERO, ZERO, 1}},
    {ZECL_ORDER_RGB, 3, {0, 1, 2, ONE}}, {ZECL_ORDER_RGBA, 4, {0, 1, 2, 3}},
    {ZECL_ORDER_BGRA, 4, {2, 1, 0, 3}}, {ZECL_ORDER_ARGB, 4, {1, 2, 3, 0}},
    {ZECL_ORDER_ABGR, 4, {3, 2, 1, 0}}, {ZECL_ORDER_LUMINANCE, 1, {0, 0, 0, ONE}},
    {ZECL_ORDER_INTENSITY, 1, {0, 0, 0, 0}}};

static bool read_layout(const ze_image_format_t *asked, struct zecl_image_format *format) {
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    if (layouts[i].layout == (unsigned)asked->layout) {
      format->channels = layouts[i].channels;
      format->channel_size = layouts[i].size;
      return true;
    }
  return false;
}

static bool read_type(const ze_image_format_t *asked, struct zecl_image_format *format) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == asked->type && types[i].size == format->channel_size) {
      format->type = types[i].channel;
      format->kind = types[i].kind;
      format->texel_size = format->channels * format->channel_size;
      return true;
    }
  return false;
}

/* A channel that the layout lacks reads as OpenCL reads it: colours as zero, alpha as one. */
static bool read_source(const struct zecl_image_format *format, ze_image_format_swizzle_t swizzle,
    unsigned component, uint8_t *source) {
  switch (swizzle) {
  case ZE_IMAGE_FORMAT_SWIZZLE_R:
  case ZE_IMAGE_FORMAT_SWIZZLE_G:
  case ZE_IMAGE_FORMAT_SWIZZLE_B:
  case ZE_IMAGE_FORMAT_SWIZZLE_A: {
    const unsigned channel = (unsigned)swizzle - ZE_IMAGE_FORMAT_SWIZZLE_R;
    *source = (uint8_t)(channel < format->channels             ? channel
                        : swizzle == ZE_IMAGE_FORMAT_SWIZZLE_A ? ONE
                                                               : ZERO);
    return true;
  }
  case ZE_IMAGE_FORMAT_SWIZZLE_0:
    *source = ZERO;
    return true;
  case ZE_IMAGE_FORMAT_SWIZZLE_1:
    *source = ONE;
    return true;
  case ZE_IMAGE_FORMAT_SWIZZLE_X:
    *source = component == ZECL_CHANNELS - 1 ? ONE : ZERO;
    return true;
  default:
    return false;
  }
}

/* The orders in memory that swizzles name, as OpenCL does: {A}, {R,A} and {A,R,G,B} in one, two and
 * four channels. Null for all others, which name what a kernel reads. */
static const uint8_t *named_order(
    const ze_image_format_t *asked, const struct zecl_image_format *format) {
  static const uint8_t a[ZECL_CHANNELS] = {ZERO, ZERO, ZERO, 0},
                       ra[ZECL_CHANNELS] = {0, ZERO, ZERO, 1}, argb[ZECL_CHANNELS] = {1, 2, 3, 0};
  if (format->channels == 1 && asked->x == ZE_IMAGE_FORMAT_SWIZZLE_A) return a;
  if (format->channels == 2 && asked->x == ZE_IMAGE_FORMAT_SWIZZLE_R &&
      asked->y == ZE_IMAGE_FORMAT_SWIZZLE_A)
    return ra;
  if (format->channels == ZECL_CHANNELS && asked->x == ZE_IMAGE_FORMAT_SWIZZLE_A &&
      asked->y == ZE_IMAGE_FORMAT_SWIZZLE_R && asked->z == ZE_IMAGE_FORMAT_SWIZZLE_G &&
      asked->w == ZE_IMAGE_FORMAT_SWIZZLE_B)
    return argb;
  return NULL;
}

/* A channel at the place of an X is not read, and written as zero. */
static bool read_sources(const ze_image_format_t *asked, struct zecl_image_format *format) {
  const ze_image_format_swizzle_t swizzles[] = {asked->x, asked->y, asked->z, asked->w};
  const uint8_t *named = named_order(asked, format);
  unsigned reached = 0;
  for (unsigned i = 0; i < ZECL_CHANNELS; i++) {
    if (!read_source(format, swizzles[i], i, &format->source[i])) return false;
    if (named) format->source[i] = named[i];
    if (format->source[i] < ZECL_CHANNELS) reached |= 1u << format->source[i];
    if (swizzles[i] == ZE_IMAGE_FORMAT_SWIZZLE_X && i < format->channels && !format->is_converted)
      reached |= 1u << i;
  }
  return reached == (1u << format->channels) - 1; /* else a kernel could not write all of it */
}

ze_result_t zecl_image_format_read(
    const ze_image_format_t *asked, struct zecl_image_format *format) {
  *format = (struct zecl_image_format){0};
  const bool is_known =
      zecl_convert_read(asked, format) || (read_layout(asked, format) && read_type(asked, format));
  ZECL_REQUIRE(is_known && read_sources(asked, format), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  for (size_t i = 0; i < sizeof orders / sizeof *orders && !format->is_converted; i++)
    if (orders[i].channels == format->channels &&
        memcmp(orders[i].source, format->source, sizeof format->source) == 0)
      format->order = orders[i].order;
  return ZE_RESULT_SUCCESS;
}

struct zecl_image_format zecl_image_format_widened(const struct zecl_image_format *format) {
  struct zecl_image_format widened = *format;
  widened.order = ZECL_ORDER_RGBA;
  widened.is_widened = true;
  return widened;
}

/* One, as a channel of the type holds it. */
static uint32_t one_of(enum zecl_channel_type type) {
  static const float one = 1;
  uint32_t bits;
  switch (type) {
  case ZECL_CHANNEL_UNORM8:
    return UINT8_MAX;
  case ZECL_CHANNEL_UNORM16:
    return UINT16_MAX;
  case ZECL_CHANNEL_SNORM8:
    return INT8_MAX;
  case ZECL_CHANNEL_SNORM16:
    return INT16_MAX;
  case ZECL_CHANNEL_HALF:
    return 0x3c00;
  case ZECL_CHANNEL_FLOAT:
    memcpy(&bits, &one, sizeof bits);
    return bits;
  default:
    return 1;
  }
}

static void decode_texels(
    const struct zecl_image_format *format, char *engine, const char *user, size_t count) {
  for (; count; count--, engine += sizeof(union zecl_texel), user += format->texel_size) {
    const union zecl_texel texel = zecl_convert_decode(format, user);
    memcpy(engine, &texel, sizeof texel);
  }
}

static void encode_texels(
    const struct zecl_image_format *format, char *user, const char *engine, size_t count) {
  for (; count; count--, engine += sizeof(union zecl_texel), user += format->texel_size) {
    union zecl_texel texel;
    memcpy(&texel, engine, sizeof texel);
    zecl_convert_encode(format, user, &texel);
  }
}

/* Little-endian: the low bytes of a word are the channel. */
void zecl_texels_expand(
    const struct zecl_image_format *format, void *engine, const void *user, size_t count) {
  const size_t size = format->channel_size;
  const uint32_t one = one_of(format->type), zero = 0;
  if (!format->is_widened) {
    memcpy(engine, user, count * zecl_texel_size(format));
    return;
  }
  if (format->is_converted) {
    decode_texels(format, engine, user, count);
    return;
  }
  char *to = engine;
  const char *from = user;
  for (; count; count--, from += format->channels * size)
    for (unsigned i = 0; i < ZECL_CHANNELS; i++, to += size) {
      const unsigned source = format->source[i];
      memcpy(to,
          source == ONE    ? (const char *)&one
          : source == ZERO ? (const char *)&zero
                           : from + source * size,
          size);
    }
}

void zecl_texels_extract(
    const struct zecl_image_format *format, void *user, const void *engine, size_t count) {
  const size_t size = format->channel_size;
  if (!format->is_widened) {
    memcpy(user, engine, count * zecl_texel_size(format));
    return;
  }
  if (format->is_converted) {
    encode_texels(format, user, engine, count);
    return;
  }
  static const uint32_t zero = 0;
  char *to = user;
  const char *from = engine;
  for (; count; count--, from += ZECL_CHANNELS * size)
    for (unsigned channel = 0; channel < format->channels; channel++, to += size) {
      const unsigned component = zecl_format_component(format, channel);
      memcpy(to, component < ZECL_CHANNELS ? from + component * size : (const char *)&zero, size);
    }
}

static float half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const float mantissa = (float)(bits & 1023);
  const float size = exponent ? ldexpf(mantissa + 1024, exponent - 25) : ldexpf(mantissa, -24);
  return bits & 0x8000 ? -size : size;
}

static float float_value(enum zecl_channel_type type, uint32_t bits) {
  float value;
  switch (type) {
  case ZECL_CHANNEL_UNORM8:
    return (float)bits / UINT8_MAX;
  case ZECL_CHANNEL_UNORM16:
    return (float)bits / UINT16_MAX;
  case ZECL_CHANNEL_SNORM8:
    return fmaxf((float)(int8_t)bits / INT8_MAX, -1);
  case ZECL_CHANNEL_SNORM16:
    return fmaxf((float)(int16_t)bits / INT16_MAX, -1);
  case ZECL_CHANNEL_HALF:
    return half_value((uint16_t)bits);
  default:
    memcpy(&value, &bits, sizeof value);
    return value;
  }
}

static uint32_t integer_value(enum zecl_channel_type type, uint32_t bits) {
  if (type == ZECL_CHANNEL_SINT8) return (uint32_t)(int8_t)bits;
  if (type == ZECL_CHANNEL_SINT16) return (uint32_t)(int16_t)bits;
  return bits;
}

union zecl_texel zecl_texel_value(const struct zecl_image_format *format, const void *user) {
  union zecl_texel texel;
  if (format->is_converted) return zecl_convert_decode(format, user);
  for (unsigned i = 0; i < ZECL_CHANNELS; i++) {
    const unsigned source = format->source[i];
    uint32_t bits = source == ONE ? one_of(format->type) : 0;
    if (source < ZECL_CHANNELS)
      memcpy(&bits, (const char *)user + source * format->channel_size, format->channel_size);
    if (format->kind == ZECL_TEXEL_FLOAT)
      texel.f[i] = float_value(format->type, bits);
    else
      texel.u[i] = integer_value(format->type, bits);
  }
  return texel;
}
