/* Images over memory of the user: those of ZE_experimental_bindless_image that kernels take as an
 * argument. Bindless ones are not supported: their kernels need SPV_INTEL_bindless_images, which
 * the translator for the engine lacks. */
#ifndef ZECL_IMAGES_PITCHED_H
#define ZECL_IMAGES_PITCHED_H

#include "images/image.h"

/* True if the extension is offered: with ZECL_PITCHED=1, on an engine whose images may lie in any
 * memory. */
bool zecl_pitched_is_offered(void);

/* The extension of an image's descriptor, for an image of the format and the size. Memory is null
 * without it. */
struct zecl_pitched {
  void *memory;
  size_t row_pitch; /* in bytes */
};
ze_result_t zecl_pitched_read(struct zecl_context *context, const ze_image_desc_t *desc,
    const struct zecl_image_format *format, const size_t size[3], struct zecl_pitched *pitched);

#endif
