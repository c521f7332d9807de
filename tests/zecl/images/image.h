/* An image: an object of the engine, and how its texels look to the user. What is made in line
 * (commands, launches) keeps it alive. */
#ifndef ZECL_IMAGES_IMAGE_H
#define ZECL_IMAGES_IMAGE_H

#include "core/context.h"
#include "images/format.h"

struct zecl_device;

struct zecl_image {
  struct zecl_object object;
  struct zecl_context *context; /* null for an image of the probe */
  struct zecl_device *device;   /* null for one of the probe, which is for the first */
  ze_image_type_t type;
  size_t
      size[3]; /* in texels: width, height or layers of a 1D array, depth or layers of a 2D one */
  struct zecl_image_format format;
  uint64_t id;
  struct zecl_engine_image *engine;
  char *texels;     /* the user's, if the format is converted */
  void *memory;     /* of the user, that has the texels (pitched.h); null: the engine's */
  size_t row_pitch; /* of it, in bytes */
};

static inline struct zecl_image *zecl_image_of(ze_image_handle_t handle) {
  return (struct zecl_image *)(void *)handle;
}

static inline bool zecl_image_is_array(ze_image_type_t type) {
  return type == ZE_IMAGE_TYPE_1DARRAY || type == ZE_IMAGE_TYPE_2DARRAY;
}

/* Makes the engine's object, and what stands beside it. The caller has set type, size and format.
 */
ze_result_t zecl_image_make(struct zecl_image *image);
void zecl_image_unmake(struct zecl_image *image);

void zecl_image_release(struct zecl_image *image);

#endif
