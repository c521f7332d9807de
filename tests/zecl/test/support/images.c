#include "images.h"

#include <math.h>

struct test_format test_format(unsigned index) {
  static const ze_image_format_layout_t layouts[3][3] = {
      {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_LAYOUT_32},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8, ZE_IMAGE_FORMAT_LAYOUT_16_16, ZE_IMAGE_FORMAT_LAYOUT_32_32},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16,
          ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32}};
  static const struct {
    ze_image_format_type_t type;
    unsigned width; /* 0: 8 bits, 1: 16, 2: 32 */
  } types[12] = {{ZE_IMAGE_FORMAT_TYPE_UINT, 0}, {ZE_IMAGE_FORMAT_TYPE_UINT, 1},
      {ZE_IMAGE_FORMAT_TYPE_UINT, 2}, {ZE_IMAGE_FORMAT_TYPE_SINT, 0},
      {ZE_IMAGE_FORMAT_TYPE_SINT, 1}, {ZE_IMAGE_FORMAT_TYPE_SINT, 2},
      {ZE_IMAGE_FORMAT_TYPE_UNORM, 0}, {ZE_IMAGE_FORMAT_TYPE_UNORM, 1},
      {ZE_IMAGE_FORMAT_TYPE_SNORM, 0}, {ZE_IMAGE_FORMAT_TYPE_SNORM, 1},
      {ZE_IMAGE_FORMAT_TYPE_FLOAT, 1}, {ZE_IMAGE_FORMAT_TYPE_FLOAT, 2}};
  const unsigned width = types[index % 12].width, channels = index / 12;
  return (struct test_format){.layout = layouts[channels][width],
      .type = types[index % 12].type,
      .channels = 1u << channels,
      .size = 1u << width};
}

ze_image_format_t test_swizzled(struct test_format format) {
  return (ze_image_format_t){.layout = format.layout,
      .type = format.type,
      .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
      .y = ZE_IMAGE_FORMAT_SWIZZLE_G,
      .z = ZE_IMAGE_FORMAT_SWIZZLE_B,
      .w = ZE_IMAGE_FORMAT_SWIZZLE_A};
}

ze_image_desc_t test_image_desc(struct test_size size, ze_image_format_t format) {
  ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
      .type = size.type,
      .format = format,
      .width = size.width,
      .height = size.height,
      .depth = size.depth};
  if (size.type == ZE_IMAGE_TYPE_1DARRAY) desc.arraylevels = size.height;
  if (size.type == ZE_IMAGE_TYPE_2DARRAY) desc.arraylevels = size.depth;
  return desc;
}

ze_image_handle_t test_image(struct test_size size, ze_image_format_t format) {
  const ze_image_desc_t desc = test_image_desc(size, format);
  ze_image_handle_t image = NULL;
  const ze_result_t result = zeImageCreate(test_context(), test_device(), &desc, &image);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT && test_on_cuda())
    SKIP("CUDA has no such format");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK(image);
  return image;
}

ze_result_t test_try_image(struct test_size size, ze_image_format_t format) {
  const ze_image_desc_t desc = test_image_desc(size, format);
  ze_image_handle_t image = NULL;
  const ze_result_t result = zeImageCreate(test_context(), test_device(), &desc, &image);
  CHECK_EQ(image != NULL, result == ZE_RESULT_SUCCESS);
  if (image) OK(zeImageDestroy(image));
  return result;
}

static ze_command_list_handle_t synchronous(void) {
  return test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
}

void test_to_image(ze_image_handle_t image, const void *bytes) {
  ze_command_list_handle_t list = synchronous();
  OK(zeCommandListAppendImageCopyFromMemory(list, image, bytes, NULL, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
}

void test_from_image(void *bytes, ze_image_handle_t image) {
  ze_command_list_handle_t list = synchronous();
  OK(zeCommandListAppendImageCopyToMemory(list, bytes, image, NULL, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
}

static float half(uint32_t bits) {
  const int exponent = (int)(bits >> 10 & 31);
  const float mantissa = (float)(bits & 1023) / 1024;
  const float size = exponent ? ldexpf(1 + mantissa, exponent - 15) : ldexpf(mantissa, -14);
  return bits >> 15 ? -size : size;
}

static void decode_channel(
    struct test_format format, uint32_t bits, union test_texel *texel, int i) {
  const float most = format.size == 1 ? 255 : 65535;
  const int32_t with_sign = format.size == 1   ? (int8_t)bits
                            : format.size == 2 ? (int16_t)bits
                                               : (int32_t)bits;
  switch (format.type) {
  case ZE_IMAGE_FORMAT_TYPE_UNORM:
    texel->f[i] = (float)bits / most;
    break;
  case ZE_IMAGE_FORMAT_TYPE_SNORM:
    texel->f[i] = fmaxf((float)with_sign / (float)((int)most / 2), -1);
    break;
  case ZE_IMAGE_FORMAT_TYPE_FLOAT:
    if (format.size == 2)
      texel->f[i] = half(bits);
    else
      memcpy(&texel->f[i], &bits, sizeof bits);
    break;
  default:
    texel->u[i] = format.type == ZE_IMAGE_FORMAT_TYPE_SINT ? (uint32_t)with_sign : bits;
  }
}

static int is_integer(struct test_format format) {
  return format.type == ZE_IMAGE_FORMAT_TYPE_UINT || format.type == ZE_IMAGE_FORMAT_TYPE_SINT;
}

union test_texel test_decode(struct test_format format, const unsigned char *bytes) {
  union test_texel texel = {.u = {0, 0, 0, 1}};
  if (!is_integer(format)) texel.f[3] = 1;
  for (unsigned i = 0; i < format.channels; i++) {
    uint32_t bits = 0;
    memcpy(&bits, bytes + i * format.size, format.size);
    decode_channel(format, bits, &texel, (int)i);
  }
  return texel;
}

void test_texel_bytes(struct test_format format, unsigned char *bytes, size_t size) {
  uint32_t state = 7;
  for (size_t i = 0; i < size; i += format.size) {
    state = state * 1103515245 + 12345;
    uint32_t bits = state >> (32 - 8 * format.size);
    if (format.type == ZE_IMAGE_FORMAT_TYPE_FLOAT) bits &= format.size == 2 ? 0xbfff : 0xbfffffff;
    /* The least of SNORM is written as its neighbour. */
    if (format.type == ZE_IMAGE_FORMAT_TYPE_SNORM && bits << (32 - 8 * format.size) == 1u << 31)
      bits++;
    memcpy(bytes + i, &bits, format.size);
  }
}

int test_same_texel(struct test_format format, union test_texel a, union test_texel b) {
  if (is_integer(format)) return memcmp(&a, &b, sizeof a) == 0;
  for (int i = 0; i < 4; i++)
    if (!(fabsf(a.f[i] - b.f[i]) <= 2e-6f * fmaxf(1, fabsf(a.f[i])))) return 0;
  return 1;
}

ze_module_handle_t test_image_module(void) {
  struct test_file file = test_read("test/kernels/images.spv");
  ze_module_handle_t module = NULL;
  char *log = NULL;
  ze_result_t result = test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, NULL, &module, &log);
  free(file.bytes);
  int lacks = result != ZE_RESULT_SUCCESS && strstr(log, "Cannot find symbol") != NULL;
  free(log);
  if (lacks) SKIP("the engine lacks a function that writes images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  return module;
}

ze_kernel_handle_t test_image_kernel(const char *name) {
  static ze_module_handle_t images, samplers;
  if (!images) images = test_image_module();
  if (!samplers) samplers = test_module("test/kernels/samplers.spv");
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ze_kernel_handle_t kernel = NULL;
  if (zeKernelCreate(images, &desc, &kernel) != ZE_RESULT_SUCCESS)
    OK(zeKernelCreate(samplers, &desc, &kernel));
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  return kernel;
}

void test_run(
    ze_kernel_handle_t kernel, const void *const *handles, unsigned count, struct test_size size) {
  const ze_group_count_t groups = {size.width, size.height, size.depth};
  ze_command_list_handle_t list = synchronous();
  for (unsigned i = 0; i < count; i++)
    OK(zeKernelSetArgumentValue(kernel, i, sizeof handles[i], &handles[i]));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
}
