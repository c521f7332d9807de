/* What the engine does with images: it is probed, once in a process and when it is first used
 * about, by kernels that come the same way as a user's. What the engine does wrong is not there. An
 * engine that has its own word on formats is not probed. */
#ifndef ZECL_IMAGES_PROBE_H
#define ZECL_IMAGES_PROBE_H

#include "images/image.h"

/* Whether kernels read and write images of this type. */
bool zecl_image_probe_type(ze_image_type_t type);

/* Whether samplers of normalised coordinates find the layers of arrays of this type. */
bool zecl_image_probe_normalised(ze_image_type_t type);

/* Chooses how the engine keeps the format: as it is, widened, or (false) not at all. */
bool zecl_image_probe_format(struct zecl_image_format *format);

#endif
