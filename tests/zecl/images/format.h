/* The formats of images: a texel in the user's memory, and in the engine's. For a format that the
 * engine lacks or reads incorrectly it keeps four channels, RGBA, laid out as a kernel sees them: a
 * widened format. */
#ifndef ZECL_IMAGES_FORMAT_H
#define ZECL_IMAGES_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <level_zero/ze_api.h>
#include "engine/engine.h"

enum zecl_texel_kind { ZECL_TEXEL_FLOAT, ZECL_TEXEL_SINT, ZECL_TEXEL_UINT };

/* The encoding of a channel of a converted format. The floats have five bits of exponent and no
 * sign. */
enum { ZECL_CODE_UINT, ZECL_CODE_SINT, ZECL_CODE_UNORM, ZECL_CODE_SNORM, ZECL_CODE_SMALL_FLOAT };

struct zecl_channel {
  uint8_t shift, bits, code; /* in the user's texel */
};

struct zecl_image_format {
  uint32_t channels, texel_size; /* in the user's memory */
  uint32_t channel_size;         /* in the engine's, and in the user's if it is not converted */
  uint8_t source[ZECL_CHANNELS]; /* of what a kernel reads: a channel, or zero or one */
  enum zecl_channel_type type;
  enum zecl_texel_kind kind;     /* what a kernel reads and writes */
  enum zecl_channel_order order; /* the engine's */
  bool is_widened;
  bool is_converted;                          /* of convert.h; widened too */
  struct zecl_channel channel[ZECL_CHANNELS]; /* if it is converted */
  bool border_is_right;                       /* what a sampler reads beyond the edge */
  bool border_is_black;                       /* the same, whatever its alpha */
};

static inline size_t zecl_texel_size(const struct zecl_image_format *format) {
  return format->texel_size;
}

static inline size_t zecl_engine_texel_size(const struct zecl_image_format *format) {
  return (size_t)(format->is_widened ? ZECL_CHANNELS : format->channels) * format->channel_size;
}

/* True for a format without an alpha of its own: texels beyond the edge are (0,0,0,1), else all
 * zeros. */
static inline bool zecl_format_is_opaque(const struct zecl_image_format *format) {
  return format->source[3] == ZECL_SOURCE_ONE;
}

/* UNSUPPORTED_IMAGE_FORMAT for what cannot be expressed. `order` is 0 where only a widened format
 * can do; border_is_right is left to the probe. */
ze_result_t zecl_image_format_read(
    const ze_image_format_t *asked, struct zecl_image_format *format);

/* A copy of the format that is kept as RGBA. */
struct zecl_image_format zecl_image_format_widened(const struct zecl_image_format *format);

/* The first component of a texel that is this channel of the user's; ZECL_CHANNELS for none. */
static inline unsigned zecl_format_component(
    const struct zecl_image_format *format, unsigned channel) {
  unsigned component = 0;
  while (component < ZECL_CHANNELS && format->source[component] != channel)
    component++;
  return component;
}

/* Converts the user's texels to the engine's, and back to existing ones, if the format is
 * converted. */
void zecl_texels_expand(
    const struct zecl_image_format *format, void *engine, const void *user, size_t count);
void zecl_texels_extract(
    const struct zecl_image_format *format, void *user, const void *engine, size_t count);

/* A texel as a kernel reads it: four floats, or four integers. */
union zecl_texel {
  float f[ZECL_CHANNELS];
  uint32_t u[ZECL_CHANNELS];
};
union zecl_texel zecl_texel_value(const struct zecl_image_format *format, const void *user);

#endif
