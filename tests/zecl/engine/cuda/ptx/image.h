/* The device's memory that an image argument points to. The engine writes it when the image is
 * made; kernels read it. Compiled as C and, for the library, as OpenCL C. */
#ifndef ZECL_ENGINE_CUDA_PTX_IMAGE_H
#define ZECL_ENGINE_CUDA_PTX_IMAGE_H

#ifdef __OPENCL_C_VERSION__
typedef unsigned char uint8_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
#else
#include <stdint.h>
#endif

/* The type of a channel in memory; numbers as those of zecl_channel_type. */
enum {
  ZECL_PTX_UINT8 = 1,
  ZECL_PTX_UINT16,
  ZECL_PTX_UINT32,
  ZECL_PTX_SINT8,
  ZECL_PTX_SINT16,
  ZECL_PTX_SINT32,
  ZECL_PTX_UNORM8,
  ZECL_PTX_UNORM16,
  ZECL_PTX_SNORM8,
  ZECL_PTX_SNORM16,
  ZECL_PTX_HALF,
  ZECL_PTX_FLOAT
};

/* An argument of a sampler is a number of 64 bits, as OpenCL's compilers number samplers: whether
 * coordinates are normalised, the address mode, the filter. */
enum {
  ZECL_PTX_NORMALISED = 1,
  ZECL_PTX_ADDRESS_NONE = 0 << 1,
  ZECL_PTX_ADDRESS_EDGE = 1 << 1,
  ZECL_PTX_ADDRESS_BORDER = 2 << 1,
  ZECL_PTX_ADDRESS_REPEAT = 3 << 1,
  ZECL_PTX_ADDRESS_MIRROR = 4 << 1,
  ZECL_PTX_ADDRESSES = 7 << 1,
  ZECL_PTX_NEAREST = 1 << 4,
  ZECL_PTX_LINEAR = 2 << 4
};

/* The texture of an image for each sampler: by whether it is normalised, whether linear, and the
 * address mode, whose first is that of none too. */
enum { ZECL_PTX_TEXTURES = 16 };
#define ZECL_PTX_TEXTURE_OF(sampler)                                                               \
  (((sampler)&ZECL_PTX_NORMALISED) | ((sampler)&ZECL_PTX_LINEAR ? 2u : 0u) |                       \
      ((sampler)&ZECL_PTX_ADDRESSES ? ((unsigned)(sampler) >> 1 & 7) - 1 : 0u) << 2)

/* The source of a component: a channel, 0 to 3, or zero or one. */
enum { ZECL_PTX_SOURCE_ZERO = 4, ZECL_PTX_SOURCE_ONE = 5 };

struct zecl_ptx_image {
  uint64_t surface;
  uint64_t textures[ZECL_PTX_TEXTURES];
  uint32_t size[3]; /* width, height or layers of a 1D array, depth or layers of a 2D array */
  uint32_t channel, texel_size;
  uint32_t opencl_type, opencl_order; /* as kernels query them */
  uint32_t is_plain;                  /* components are channels, in their order */
  uint8_t source[4];                  /* of each component that a kernel reads */
  uint8_t component[4]; /* of each channel that a kernel writes: the first that has it */
};

#endif
