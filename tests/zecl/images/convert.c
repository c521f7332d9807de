#include "images/convert.h"

#include <math.h>
#include <string.h>

enum {
  UINT = ZECL_CODE_UINT,
  SINT = ZECL_CODE_SINT,
  UNORM = ZECL_CODE_UNORM,
  SNORM = ZECL_CODE_SNORM,
  SMALL_FLOAT = ZECL_CODE_SMALL_FLOAT
};

enum { EXPONENT_BITS = 5, EXPONENT_MOST = 31, EXPONENT_BIAS = 15 };

#define TYPE(name) ZE_IMAGE_FORMAT_TYPE_##name
#define LAYOUT(name) ZE_IMAGE_FORMAT_LAYOUT_##name
#define ALL_10_10_10_2(code, alpha)                                                                \
  {                                                                                                \
    {0, 10, code}, {10, 10, code}, {20, 10, code}, {                                               \
      30, 2, alpha                                                                                 \
    }                                                                                              \
  }
#define ALL_32(code)                                                                               \
  {                                                                                                \
    {0, 32, code}, {32, 32, code}, {64, 32, code}, {                                               \
      96, 32, code                                                                                 \
    }                                                                                              \
  }

/* The channels are R, G, B and A. Level Zero does not define which bits each of them has: the
 * places are those of Intel's driver, where the 16-bit layouts begin with blue, as OpenCL's 565
 * does. */
static const struct {
  unsigned layout; /* those that older headers lack stand in numbers */
  ze_image_format_type_t type;
  uint8_t channels, size;
  struct zecl_channel channel[ZECL_CHANNELS];
} formats[] = {{LAYOUT(10_10_10_2), TYPE(UINT), 4, 4, ALL_10_10_10_2(UINT, UINT)},
    {LAYOUT(10_10_10_2), TYPE(SINT), 4, 4, ALL_10_10_10_2(SINT, SINT)},
    {LAYOUT(10_10_10_2), TYPE(UNORM), 4, 4, ALL_10_10_10_2(UNORM, UNORM)},
    {LAYOUT(10_10_10_2), TYPE(SNORM), 4, 4, ALL_10_10_10_2(SNORM, SNORM)},
    {LAYOUT(10_10_10_2), TYPE(FLOAT), 4, 4, ALL_10_10_10_2(SMALL_FLOAT, UNORM)},
    {LAYOUT(11_11_10), TYPE(FLOAT), 3, 4,
        {{0, 11, SMALL_FLOAT}, {11, 11, SMALL_FLOAT}, {22, 10, SMALL_FLOAT}}},
    {LAYOUT(5_6_5), TYPE(UNORM), 3, 2, {{11, 5, UNORM}, {5, 6, UNORM}, {0, 5, UNORM}}},
    {LAYOUT(5_5_5_1), TYPE(UNORM), 4, 2,
        {{10, 5, UNORM}, {5, 5, UNORM}, {0, 5, UNORM}, {15, 1, UNORM}}},
    {LAYOUT(4_4_4_4), TYPE(UNORM), 4, 2,
        {{8, 4, UNORM}, {4, 4, UNORM}, {0, 4, UNORM}, {12, 4, UNORM}}},
    {LAYOUT(32), TYPE(UNORM), 1, 4, ALL_32(UNORM)}, {LAYOUT(32), TYPE(SNORM), 1, 4, ALL_32(SNORM)},
    {LAYOUT(32_32), TYPE(UNORM), 2, 8, ALL_32(UNORM)},
    {LAYOUT(32_32), TYPE(SNORM), 2, 8, ALL_32(SNORM)},
    {45 /* 32_32_32 */, TYPE(UNORM), 3, 12, ALL_32(UNORM)},
    {45 /* 32_32_32 */, TYPE(SNORM), 3, 12, ALL_32(SNORM)},
    {LAYOUT(32_32_32_32), TYPE(UNORM), 4, 16, ALL_32(UNORM)},
    {LAYOUT(32_32_32_32), TYPE(SNORM), 4, 16, ALL_32(SNORM)}};

static void set_kind(struct zecl_image_format *format, ze_image_format_type_t type) {
  format->kind = type == TYPE(UINT)   ? ZECL_TEXEL_UINT
                 : type == TYPE(SINT) ? ZECL_TEXEL_SINT
                                      : ZECL_TEXEL_FLOAT;
  format->type = type == TYPE(UINT)   ? ZECL_CHANNEL_UINT32
                 : type == TYPE(SINT) ? ZECL_CHANNEL_SINT32
                                      : ZECL_CHANNEL_FLOAT;
}

bool zecl_convert_read(const ze_image_format_t *asked, struct zecl_image_format *format) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].layout == (unsigned)asked->layout && formats[i].type == asked->type) {
      format->is_converted = true;
      format->channels = formats[i].channels;
      format->channel_size = sizeof(uint32_t);
      format->texel_size = formats[i].size;
      memcpy(format->channel, formats[i].channel, sizeof format->channel);
      set_kind(format, asked->type);
      return true;
    }
  return false;
}

static uint32_t most_of(unsigned bits) {
  return UINT32_MAX >> (32 - bits);
}

/* No channel lies across two words; those of two bytes are in the only one. */
static uint32_t word_of(const struct zecl_image_format *format, const void *user, unsigned shift) {
  uint32_t word = 0;
  memcpy(&word, (const char *)user + shift / 32 * sizeof word,
      format->texel_size < sizeof word ? format->texel_size : sizeof word);
  return word;
}

static uint32_t get(
    const struct zecl_image_format *format, const void *user, struct zecl_channel channel) {
  return word_of(format, user, channel.shift) >> channel.shift % 32 & most_of(channel.bits);
}

static void put(const struct zecl_image_format *format, void *user, struct zecl_channel channel,
    uint32_t bits) {
  uint32_t word = word_of(format, user, channel.shift);
  word &= ~(most_of(channel.bits) << channel.shift % 32);
  word |= bits << channel.shift % 32;
  memcpy((char *)user + channel.shift / 32 * sizeof word, &word,
      format->texel_size < sizeof word ? format->texel_size : sizeof word);
}

/* The sign of a channel's highest bit, extended. */
static int32_t with_sign(uint32_t bits, unsigned count) {
  const uint32_t sign = UINT32_C(1) << (count - 1);
  return (int32_t)((bits ^ sign) - sign);
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Five bits of exponent, the rest of mantissa, no sign; the payload of a NaN stays. */
static uint32_t decode_small(uint32_t bits, unsigned count) {
  const unsigned mantissa_bits = count - EXPONENT_BITS;
  const int exponent = (int)(bits >> mantissa_bits);
  const uint32_t mantissa = bits & most_of(mantissa_bits);
  if (exponent == EXPONENT_MOST) return 0x7f800000 | mantissa << (23 - mantissa_bits);
  const float whole = (float)(exponent ? mantissa + (1u << mantissa_bits) : mantissa);
  return bits_of(ldexpf(whole, (exponent ? exponent : 1) - EXPONENT_BIAS - (int)mantissa_bits));
}

/* Rounds to the nearest, to the even one of two. Below zero is zero; above the range is
 * infinite. */
static uint32_t encode_small(float value, unsigned count) {
  const unsigned mantissa_bits = count - EXPONENT_BITS;
  const uint32_t infinite = (uint32_t)EXPONENT_MOST << mantissa_bits;
  if (isnan(value)) {
    const uint32_t mantissa = (bits_of(value) & 0x7fffff) >> (23 - mantissa_bits);
    return infinite | (mantissa ? mantissa : 1);
  }
  if (!(value > 0)) return 0;
  if (isinf(value)) return infinite;
  int exponent = ilogbf(value);
  if (exponent < 1 - EXPONENT_BIAS) exponent = 1 - EXPONENT_BIAS;
  const uint32_t whole = (uint32_t)rintf(ldexpf(value, (int)mantissa_bits - exponent));
  const uint32_t bits = ((uint32_t)(exponent + EXPONENT_BIAS - 1) << mantissa_bits) + whole;
  return bits < infinite ? bits : infinite;
}

static uint32_t decode(uint32_t bits, struct zecl_channel channel) {
  const uint32_t most = most_of(channel.bits);
  switch (channel.code) {
  case SINT:
    return (uint32_t)with_sign(bits, channel.bits);
  case UNORM:
    return bits_of((float)((double)bits / most));
  case SNORM:
    return bits_of((float)fmax((double)with_sign(bits, channel.bits) / (most >> 1), -1));
  case SMALL_FLOAT:
    return decode_small(bits, channel.bits);
  default:
    return bits;
  }
}

static double clamp(double value, double least, double most) {
  return value >= least ? fmin(value, most) : least;
}

static uint32_t encode(uint32_t seen, struct zecl_channel channel) {
  const uint32_t most = most_of(channel.bits), half = most >> 1;
  float value;
  memcpy(&value, &seen, sizeof value);
  switch (channel.code) {
  case SINT:
    return (uint32_t)(int32_t)clamp((int32_t)seen, -(double)half - 1, half) & most;
  case UNORM:
    return isnan(value) ? 0 : (uint32_t)rint(clamp(value, 0, 1) * most);
  case SNORM:
    return isnan(value) ? 0 : (uint32_t)(int32_t)rint(clamp(value, -1, 1) * half) & most;
  case SMALL_FLOAT:
    return encode_small(value, channel.bits);
  default:
    return seen < most ? seen : most;
  }
}

union zecl_texel zecl_convert_decode(const struct zecl_image_format *format, const void *user) {
  const uint32_t one = format->kind == ZECL_TEXEL_FLOAT ? bits_of(1) : 1;
  union zecl_texel texel;
  for (unsigned i = 0; i < ZECL_CHANNELS; i++) {
    const unsigned source = format->source[i];
    texel.u[i] = source == ZECL_SOURCE_ONE ? one : 0;
    if (source < ZECL_CHANNELS)
      texel.u[i] = decode(get(format, user, format->channel[source]), format->channel[source]);
  }
  return texel;
}

void zecl_convert_encode(
    const struct zecl_image_format *format, void *user, const union zecl_texel *texel) {
  for (unsigned i = 0; i < format->channels; i++) {
    const struct zecl_channel channel = format->channel[i];
    const uint32_t seen = texel->u[zecl_format_component(format, i)];
    if (decode(get(format, user, channel), channel) != seen)
      put(format, user, channel, encode(seen, channel));
  }
}

bool zecl_convert_same_channels(
    const struct zecl_image_format *format, const struct zecl_image_format *other) {
  return format->is_converted && other->is_converted && format->channels == other->channels &&
         memcmp(format->channel, other->channel, sizeof format->channel) == 0;
}

void zecl_convert_adopt(const struct zecl_image_format *format, void *user, const void *other,
    const union zecl_texel *texel) {
  for (unsigned i = 0; i < format->channels; i++) {
    const struct zecl_channel channel = format->channel[i];
    const uint32_t seen = texel->u[zecl_format_component(format, i)];
    const uint32_t bits = get(format, other, channel);
    if (decode(get(format, user, channel), channel) != seen && decode(bits, channel) == seen)
      put(format, user, channel, bits);
  }
}
