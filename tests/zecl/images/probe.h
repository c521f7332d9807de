/* The probe of the engine's images, once in a process, on first use, by kernels that are built like
 * a user's. Types and formats that the engine handles incorrectly are not offered. An engine that
 * reports its formats itself is not probed. */
#ifndef ZECL_IMAGES_PROBE_H
#define ZECL_IMAGES_PROBE_H

#include "images/image.h"

/* True if kernels read and write images of this type. */
bool zecl_image_probe_type(ze_image_type_t type);

/* True if samplers of normalised coordinates select the layers of arrays of this type. */
bool zecl_image_probe_normalised(ze_image_type_t type);

/* Chooses how the engine keeps the format: as it is, widened, or (false) not at all. */
bool zecl_image_probe_format(struct zecl_image_format *format);

#endif
