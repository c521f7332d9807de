/* An image on CUDA. */
#ifndef ZECL_ENGINE_CUDA_IMAGE_H
#define ZECL_ENGINE_CUDA_IMAGE_H

#include "engine/cuda/cuda.h"
#include "engine/cuda/ptx/image.h"

struct slot;

struct zecl_engine_image {
  uint32_t device;
  ze_image_type_t type;
  size_t size[3]; /* as zecl_engine_image_desc has it */
  enum zecl_channel_type channel;
  uint32_t channels;
  size_t texel_size;
  CUarray array;
  CUsurfObject surface;
  CUtexObject textures[ZECL_PTX_TEXTURES]; /* 0: the image cannot be read so */
  struct slot *slot;                       /* what kernels read of it */
};

/* True if its second dimension has rows, rather than none or layers. */
static inline bool zecl_cuda_image_has_rows(const struct zecl_engine_image *image) {
  return image->type == ZE_IMAGE_TYPE_2D || image->type == ZE_IMAGE_TYPE_2DARRAY ||
         image->type == ZE_IMAGE_TYPE_3D;
}

#endif
