/* Images over memory of the user: those of ZE_experimental_bindless_image that kernels take as an
 * argument. Bindless ones are not there: their kernels need SPV_INTEL_bindless_images, which the
 * translator to the engine does not know. */
#ifndef ZECL_IMAGES_PITCHED_H
#define ZECL_IMAGES_PITCHED_H

#include "images/image.h"

/* Whether the extension is offered: by ZECL_PITCHED=1, on an engine whose images may lie in any
 * memory. */
bool zecl_pitched_is_offered(void);

/* What an image's descriptor is extended by, for an image of the format and the size: memory is
 * null without it. */
struct zecl_pitched {
  void *memory;
  size_t row_pitch; /* in bytes */
};
ze_result_t zecl_pitched_read(struct zecl_context *context, const ze_image_desc_t *desc,
    const struct zecl_image_format *format, const size_t size[3], struct zecl_pitched *pitched);

#endif
