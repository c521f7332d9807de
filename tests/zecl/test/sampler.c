/* Samplers: every address and filter mode, against OpenCL's formulas; samplers of the
 * module's own; and what the engine does wrong. */
#include "support/images.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { W = 5, H = 4, D = 3, POINTS = 200, TEXEL_RANGE = 1000 };

static const struct test_format floats = {
    ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 4, 4};
static const struct test_size two_d = {ZE_IMAGE_TYPE_2D, "2d", W, H, 1};

typedef float texel[4];

static ze_sampler_handle_t sampler_of(
    ze_sampler_address_mode_t address, ze_sampler_filter_mode_t filter, int is_normalised) {
  const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
      .addressMode = address,
      .filterMode = filter,
      .isNormalized = (ze_bool_t)is_normalised};
  ze_sampler_handle_t sampler = NULL;
  OK(zeSamplerCreate(test_context(), test_device(), &desc, &sampler));
  return sampler;
}

static uint32_t random_number(void) {
  static uint32_t state = 5;
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

static ze_image_handle_t random_image(struct test_size size, texel *texels) {
  ze_image_handle_t image = test_image(size, test_swizzled(floats));
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  for (uint32_t i = 0; i < size.width * size.height * size.depth; i++)
    for (int k = 0; k < 4; k++)
      texels[i][k] = (float)(random_number() % TEXEL_RANGE);
  OK(zeCommandListAppendImageCopyFromMemory(list, image, texels, NULL, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  return image;
}

static int clamped(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

static float fraction(float x) {
  return x - floorf(x);
}

/* The texels that one coordinate reads, and the weight of the second. */
struct reach {
  int first, second;
  float weight;
};

static struct reach reach_of(
    float s, int size, ze_sampler_address_mode_t mode, int is_linear, int is_normalised) {
  float u = is_normalised ? s * (float)size : s;
  if (mode == ZE_SAMPLER_ADDRESS_MODE_REPEAT) u = fraction(s) * (float)size;
  if (mode == ZE_SAMPLER_ADDRESS_MODE_MIRROR) u = fabsf(s - 2 * rintf(0.5f * s)) * (float)size;
  const float from = is_linear ? u - 0.5f : u;
  struct reach reach = {(int)floorf(from), (int)floorf(from) + 1, is_linear ? fraction(from) : 0};
  switch (mode) {
  case ZE_SAMPLER_ADDRESS_MODE_REPEAT:
    reach.first = (reach.first + size) % size;
    reach.second = reach.second % size;
    break;
  case ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
    break;
  default:
    reach.first = clamped(reach.first, 0, size - 1);
    reach.second = clamped(reach.second, 0, size - 1);
  }
  return reach;
}

static float channel_at(struct test_size size, const texel *texels, int x, int y, int z, int k) {
  if (x < 0 || y < 0 || z < 0 || x >= (int)size.width || y >= (int)size.height ||
      z >= (int)size.depth)
    return 0;
  return texels[x + (int)size.width * (y + (int)size.height * z)][k];
}

static float expected(
    struct test_size size, const texel *texels, const struct reach reach[3], int k) {
  float sum = 0;
  for (int corner = 0; corner < 8; corner++) {
    float weight = 1;
    int at[3];
    for (int i = 0; i < 3; i++) {
      const int is_second = corner >> i & 1;
      weight *= is_second ? reach[i].weight : 1 - reach[i].weight;
      at[i] = is_second ? reach[i].second : reach[i].first;
    }
    if (weight != 0) sum += weight * channel_at(size, texels, at[0], at[1], at[2], k);
  }
  return sum;
}

/* Weights of 24 bits, or of 8, as coordinates have in a texture unit. */
static float tolerance(int dimensions, int is_linear) {
  if (!is_linear) return 0;
  return test_on_cuda() ? (float)(dimensions + 1) * TEXEL_RANGE / 256 : 0.5f;
}

static void check_near(const char *name, const float *point, const float *seen,
    const struct reach reach[3], float wanted, float most) {
  if (!(fabsf(*seen - wanted) <= most))
    printf("%s at %.9g %.9g %.9g: %.9g, not %.9g; texels %d and %d, weight %.9g\n", name,
        (double)point[0], (double)point[1], (double)point[2], (double)*seen, (double)wanted,
        reach[0].first, reach[0].second, (double)reach[0].weight);
  CHECK(fabsf(*seen - wanted) <= most);
}

/* Coordinates from outside on both sides, but where the result is undefined. */
static float coordinate(ze_sampler_address_mode_t mode, int size, int is_normalised) {
  float s = (float)(random_number() % 9973) / 9973;
  if (mode == ZE_SAMPLER_ADDRESS_MODE_NONE)
    s = (0.51f + s * ((float)size - 1.02f)) / (float)size;
  else
    s = s * 5 - 2;
  return is_normalised ? s : s * (float)size;
}

static void sample(struct test_size size, int dimensions, ze_sampler_address_mode_t mode,
    int is_linear, int is_normalised) {
  texel texels[W * H * D];
  texel *points = test_shared(POINTS * sizeof(texel)), *seen = test_shared(POINTS * sizeof(texel));
  const int sizes[3] = {(int)size.width, (int)size.height, (int)size.depth};
  char name[32], what[64];
  snprintf(name, sizeof name, "sample_%s", size.name);
  snprintf(what, sizeof what, "%s, mode %d, %s, %s", size.name, (int)mode,
      is_linear ? "linear" : "nearest", is_normalised ? "normalised" : "plain");
  ze_image_handle_t image = random_image(size, texels);
  ze_sampler_handle_t sampler = sampler_of(mode,
      is_linear ? ZE_SAMPLER_FILTER_MODE_LINEAR : ZE_SAMPLER_FILTER_MODE_NEAREST, is_normalised);
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < 3; k++)
      points[i][k] = k < dimensions ? coordinate(mode, sizes[k], is_normalised)
                                    : (float)(random_number() % (uint32_t)sizes[k]);
  const struct test_size items = {.width = POINTS, .height = 1, .depth = 1};
  test_run(test_image_kernel(name), (const void *[]){image, sampler, points, seen}, 4, items);
  const float most = tolerance(dimensions, is_linear);
  for (int i = 0; i < POINTS; i++) {
    struct reach reach[3];
    for (int k = 0; k < 3; k++)
      reach[k] = k < dimensions ? reach_of(points[i][k], sizes[k], mode, is_linear, is_normalised)
                                : (struct reach){(int)points[i][k], (int)points[i][k], 0};
    for (int k = 0; k < 4; k++)
      check_near(what, points[i], &seen[i][k], reach,
          expected(size, (const texel *)texels, reach, k), most);
  }
  OK(zeSamplerDestroy(sampler));
  OK(zeImageDestroy(image));
  test_free(points);
  test_free(seen);
}

static void sample_all(struct test_size size, int dimensions, int most_normalised) {
  for (int mode = ZE_SAMPLER_ADDRESS_MODE_NONE; mode <= ZE_SAMPLER_ADDRESS_MODE_MIRROR; mode++)
    for (int is_linear = 0; is_linear < 2; is_linear++)
      for (int is_normalised = 0; is_normalised <= most_normalised; is_normalised++) {
        const int wraps =
            mode == ZE_SAMPLER_ADDRESS_MODE_REPEAT || mode == ZE_SAMPLER_ADDRESS_MODE_MIRROR;
        if (!wraps || is_normalised)
          sample(size, dimensions, (ze_sampler_address_mode_t)mode, is_linear, is_normalised);
      }
}

TEST(one_dimension) {
  sample_all((struct test_size){ZE_IMAGE_TYPE_1D, "1d", W, 1, 1}, 1, 1);
}

TEST(two_dimensions) {
  sample_all(two_d, 2, 1);
}

TEST(three_dimensions) {
  sample_all((struct test_size){ZE_IMAGE_TYPE_3D, "3d", W, H, D}, 3, 1);
}

TEST(arrays) {
  sample_all((struct test_size){ZE_IMAGE_TYPE_1DARRAY, "1d_array", W, H, 1}, 1, 0);
  sample_all((struct test_size){ZE_IMAGE_TYPE_2DARRAY, "2d_array", W, H, D}, 2, 0);
}

/* Layers are found by their number also by normalised samplers, or the launch is refused. */
TEST(normalised_samplers_of_arrays) {
  const struct test_size size = {ZE_IMAGE_TYPE_2DARRAY, "2d_array", W, H, D};
  texel texels[W * H * D];
  ze_image_handle_t image = random_image(size, texels);
  ze_sampler_handle_t sampler =
      sampler_of(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_NEAREST, 1);
  texel *point = test_shared(sizeof(texel)), *seen = test_shared(sizeof(texel));
  ze_kernel_handle_t kernel = test_image_kernel("sample_2d_array");
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  const ze_group_count_t one = {1, 1, 1};
  (*point)[0] = (*point)[1] = 0.01f;
  (*point)[2] = 1;
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof sampler, &sampler));
  OK(zeKernelSetArgumentValue(kernel, 2, sizeof point, &point));
  OK(zeKernelSetArgumentValue(kernel, 3, sizeof seen, &seen));
  const ze_result_t result = zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL);
  if (result == ZE_RESULT_SUCCESS)
    CHECK(memcmp(*seen, texels[W * H], sizeof *seen) == 0);
  else
    CHECK_EQ(result, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  OK(zeKernelDestroy(kernel));
  OK(zeCommandListDestroy(list));
  OK(zeSamplerDestroy(sampler));
  OK(zeImageDestroy(image));
  test_free(point);
  test_free(seen);
}

/* Beyond the edge of an image without alpha lies opaque black. */
TEST(borders_of_opaque_images) {
  const struct test_size one = {ZE_IMAGE_TYPE_2D, "2d", 1, 1, 1};
  for (unsigned i = 0; i < TEST_FORMATS; i++) {
    const struct test_format format = test_format(i);
    if (format.type <= ZE_IMAGE_FORMAT_TYPE_SINT) continue;
    ze_image_handle_t image = test_image(one, test_swizzled(format));
    ze_sampler_handle_t sampler =
        sampler_of(ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, ZE_SAMPLER_FILTER_MODE_NEAREST, 0);
    texel *point = test_shared(sizeof(texel)), *seen = test_shared(sizeof(texel));
    ze_kernel_handle_t kernel = test_image_kernel("sample_2d");
    ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
    const ze_group_count_t groups = {1, 1, 1};
    (*point)[0] = (*point)[1] = -3;
    OK(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
    OK(zeKernelSetArgumentValue(kernel, 1, sizeof sampler, &sampler));
    OK(zeKernelSetArgumentValue(kernel, 2, sizeof point, &point));
    OK(zeKernelSetArgumentValue(kernel, 3, sizeof seen, &seen));
    const ze_result_t result =
        zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    CHECK((*seen)[0] == 0 && (*seen)[3] == (format.channels < 4 ? 1 : 0));
    OK(zeKernelDestroy(kernel));
    OK(zeCommandListDestroy(list));
    OK(zeSamplerDestroy(sampler));
    OK(zeImageDestroy(image));
    test_free(point);
    test_free(seen);
  }
}

static void sample_own(
    const char *name, ze_sampler_address_mode_t mode, int is_linear, int is_normalised) {
  texel texels[W * H];
  texel *points = test_shared(POINTS * sizeof(texel)), *seen = test_shared(POINTS * sizeof(texel));
  ze_image_handle_t image = random_image(two_d, texels);
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < 2; k++)
      points[i][k] = coordinate(mode, k ? H : W, is_normalised);
  const struct test_size items = {.width = POINTS, .height = 1, .depth = 1};
  test_run(test_image_kernel(name), (const void *[]){image, points, seen}, 3, items);
  const float most = tolerance(2, is_linear);
  for (int i = 0; i < POINTS; i++) {
    const struct reach reach[3] = {reach_of(points[i][0], W, mode, is_linear, is_normalised),
        reach_of(points[i][1], H, mode, is_linear, is_normalised), {0, 0, 0}};
    for (int k = 0; k < 4; k++)
      check_near(name, points[i], &seen[i][k], reach,
          expected(two_d, (const texel *)texels, reach, k), most);
  }
  OK(zeImageDestroy(image));
  test_free(points);
  test_free(seen);
}

TEST(samplers_of_the_module) {
  sample_own("sample_nearest", ZE_SAMPLER_ADDRESS_MODE_CLAMP, 0, 0);
  sample_own("sample_repeated", ZE_SAMPLER_ADDRESS_MODE_REPEAT, 1, 1);
  sample_own("sample_mirrored", ZE_SAMPLER_ADDRESS_MODE_MIRROR, 0, 1);
}

/* Reads beyond the edge of an image without alpha, by a kernel of a module and a sampler of that
 * module. */
static void read_beyond(const char *name, texel *seen) {
  const struct test_size size = {ZE_IMAGE_TYPE_2D, "2d", 1, 1, 1};
  struct test_format format = test_format(0);
  for (unsigned i = 0; i < TEST_FORMATS; i++)
    if (test_format(i).channels == 1 && test_format(i).type == ZE_IMAGE_FORMAT_TYPE_FLOAT)
      format = test_format(i);
  ze_image_handle_t image = test_image(size, test_swizzled(format));
  ze_kernel_handle_t kernel = test_image_kernel(name);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  const ze_group_count_t groups = {1, 1, 1};
  texel *point = test_shared(sizeof(texel));
  (*point)[0] = (*point)[1] = -3;
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof point, &point));
  OK(zeKernelSetArgumentValue(kernel, 2, sizeof seen, &seen));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  OK(zeKernelDestroy(kernel));
  OK(zeCommandListDestroy(list));
  OK(zeImageDestroy(image));
  test_free(point);
}

/* The second one's sampler is in a function that it calls. */
TEST(samplers_of_the_module_beyond_the_edge) {
  texel *seen = test_shared(sizeof(texel));
  read_beyond("sample_nearest", seen);
  CHECK((*seen)[3] == 1);
  read_beyond("sample_bordered", seen);
  CHECK((*seen)[0] == 0 && (*seen)[3] == 1);
  test_free(seen);
}

TEST(refusals) {
  ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
      .addressMode = ZE_SAMPLER_ADDRESS_MODE_REPEAT,
      .filterMode = ZE_SAMPLER_FILTER_MODE_NEAREST};
  ze_context_handle_t context = test_context();
  ze_device_handle_t device = test_device();
  ze_sampler_handle_t sampler = NULL;
  OK(zeSamplerCreate(context, device, &desc, &sampler)); /* undefined beyond the edge, no more */
  OK(zeSamplerDestroy(sampler));
  desc.isNormalized = 1;
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeSamplerCreate(NULL, device, &desc, &sampler));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeSamplerCreate(context, NULL, &desc, &sampler));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeSamplerCreate(context, device, NULL, &sampler));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeSamplerCreate(context, device, &desc, NULL));
  OK(zeSamplerCreate(context, device, &desc, &sampler));
  OK(zeSamplerDestroy(sampler));
  RETURNS(ERROR_INVALID_ARGUMENT, zeSamplerDestroy(sampler));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeSamplerDestroy(NULL));
  desc.addressMode = (ze_sampler_address_mode_t)5;
  RETURNS(ERROR_INVALID_ENUMERATION, zeSamplerCreate(context, device, &desc, &sampler));
  desc.addressMode = ZE_SAMPLER_ADDRESS_MODE_NONE;
  desc.filterMode = (ze_sampler_filter_mode_t)2;
  RETURNS(ERROR_INVALID_ENUMERATION, zeSamplerCreate(context, device, &desc, &sampler));
}

TEST_MAIN(one_dimension, two_dimensions, three_dimensions, arrays, normalised_samplers_of_arrays,
    borders_of_opaque_images, samplers_of_the_module, samplers_of_the_module_beyond_the_edge,
    refusals)
