/* Images for tests, and the meaning of the texels of a format, computed independently of the
 * driver. */
#ifndef ZECL_TEST_IMAGES_H
#define ZECL_TEST_IMAGES_H

#include "handles.h"

/* A format of equal channels. */
struct test_format {
  ze_image_format_layout_t layout;
  ze_image_format_type_t type;
  unsigned channels, size; /* bytes of a channel */
};

/* R, RG and RGBA in 8, 16 and 32 bits and every type that those have. */
enum { TEST_FORMATS = 36 };
struct test_format test_format(unsigned index);

/* R, G, B and A in order. */
ze_image_format_t test_swizzled(struct test_format format);

struct test_size {
  ze_image_type_t type;
  const char *name;              /* as kernels call it */
  uint32_t width, height, depth; /* layers are the height of a 1D and the depth of a 2D array */
};

ze_image_desc_t test_image_desc(struct test_size size, ze_image_format_t format);

/* Ends the case as skipped where the engine is CUDA and lacks the format. */
ze_image_handle_t test_image(struct test_size size, ze_image_format_t format);

/* Makes one and destroys it. */
ze_result_t test_try_image(struct test_size size, ze_image_format_t format);

/* All of an image, from and to memory without gaps. */
void test_to_image(ze_image_handle_t image, const void *bytes);
void test_from_image(void *bytes, ze_image_handle_t image);

union test_texel {
  float f[4];
  uint32_t u[4];
};

/* The texel at `bytes` as a kernel reads it. */
union test_texel test_decode(struct test_format format, const unsigned char *bytes);

/* Bytes of numbers: every bit of a channel is used, and none is infinite. */
void test_texel_bytes(struct test_format format, unsigned char *bytes, size_t size);

/* True if two texels are the same, up to rounding. */
int test_same_texel(struct test_format format, union test_texel a, union test_texel b);

/* The module of image kernels. Ends the case as skipped on an engine that cannot link it: PoCL 6
   names the functions that write signed integers to images of three coordinates otherwise than its
   own reader of SPIR-V. */
ze_module_handle_t test_image_module(void);

/* A kernel of a file, which is built once. */
ze_kernel_handle_t test_image_kernel(const char *name);

/* Sets the arguments, runs width * height * depth work-items, waits, and destroys the kernel. */
void test_run(
    ze_kernel_handle_t kernel, const void *const *handles, unsigned count, struct test_size size);

#endif
