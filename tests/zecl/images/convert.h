/* Converted formats: those whose channels no engine has, packed ones and normalised ones of 32
 * bits. The engine keeps them as RGBA of 32-bit floats or integers, and the image keeps the user's
 * texels besides, since a float does not hold all of their bits. */
#ifndef ZECL_IMAGES_CONVERT_H
#define ZECL_IMAGES_CONVERT_H

#include "images/format.h"

/* True for one of these formats. Sets every member but `source`. */
bool zecl_convert_read(const ze_image_format_t *asked, struct zecl_image_format *format);

/* The texel that a kernel reads for one of the user's texels. */
union zecl_texel zecl_convert_decode(const struct zecl_image_format *format, const void *user);

/* Writes what a kernel wrote. A channel of the same value keeps its bits. */
void zecl_convert_encode(
    const struct zecl_image_format *format, void *user, const union zecl_texel *texel);

/* A float stands for many values of a channel of 32 bits. Where a kernel wrote what it reads from
 * the same channel of `other`, a texel of an image with the same channels, that one's bits are
 * taken. */
bool zecl_convert_same_channels(
    const struct zecl_image_format *format, const struct zecl_image_format *other);
void zecl_convert_adopt(const struct zecl_image_format *format, void *user, const void *other,
    const union zecl_texel *texel);

#endif
