#include "modules/kernel_handles.h"

#include "core/check.h"
#include "images/copy.h"
#include "images/probe.h"
#include "images/sampler.h"
#include "spirv/words.h"

#include <stdlib.h>
#include <string.h>

static void *handle_at(const unsigned char *place) {
  void *handle;
  memcpy(&handle, place, sizeof handle);
  return handle;
}

static struct zecl_image *image_at(
    const struct zecl_function *function, const unsigned char *block, uint32_t index) {
  return function->args[index].kind == ZECL_ARG_IMAGE ? handle_at(block + function->offsets[index])
                                                      : NULL;
}

static struct zecl_sampler *sampler_at(
    const struct zecl_function *function, const unsigned char *block, uint32_t index) {
  return function->args[index].kind == ZECL_ARG_SAMPLER
             ? handle_at(block + function->offsets[index])
             : NULL;
}

static bool suits(const struct zecl_image *image, const struct zecl_spirv_image *wanted) {
  switch (image->type) {
  case ZE_IMAGE_TYPE_1D:
    return wanted->dim == SPIRV_DIM_1D && !wanted->is_array;
  case ZE_IMAGE_TYPE_1DARRAY:
    return wanted->dim == SPIRV_DIM_1D && wanted->is_array;
  case ZE_IMAGE_TYPE_2D:
    return wanted->dim == SPIRV_DIM_2D && !wanted->is_array;
  case ZE_IMAGE_TYPE_2DARRAY:
    return wanted->dim == SPIRV_DIM_2D && wanted->is_array;
  case ZE_IMAGE_TYPE_3D:
    return wanted->dim == SPIRV_DIM_3D;
  default:
    return wanted->dim == SPIRV_DIM_BUFFER;
  }
}

/* OpenCL has no null image and no null sampler, and an image of one type is not valid for another.
 * A kernel that reads what it wrote itself would see the components that a widened image keeps
 * besides. */
ze_result_t zecl_handle_take_image(
    unsigned char *place, const struct zecl_arg *arg, size_t size, const void *value) {
  ZECL_REQUIRE(size == sizeof(void *), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  ZECL_REQUIRE(value, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_image *image = handle_at(value);
  ZECL_CHECK_HANDLE(image, ZECL_IMAGE);
  ZECL_REQUIRE(suits(image, &arg->image), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ZECL_REQUIRE(!image->format.is_widened || arg->image.access != SPIRV_ACCESS_READ_WRITE,
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_image *before = handle_at(place);
  zecl_object_retain(image);
  memcpy(place, &image, sizeof image);
  if (before) zecl_image_release(before);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_handle_take_sampler(unsigned char *place, size_t size, const void *value) {
  ZECL_REQUIRE(size == sizeof(void *), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  ZECL_REQUIRE(value, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_sampler *sampler = handle_at(value);
  ZECL_CHECK_HANDLE(sampler, ZECL_SAMPLER);
  struct zecl_sampler *before = handle_at(place);
  zecl_object_retain(sampler);
  memcpy(place, &sampler, sizeof sampler);
  if (before) zecl_sampler_release(before);
  return ZE_RESULT_SUCCESS;
}

/* Checks every pair of a sampler and an image, since only the kernel determines the pairs that it
 * uses. */
ze_result_t zecl_handles_check(
    const struct zecl_function *function, const unsigned char *block, bool *needs_opaque) {
  bool has_alpha = false;
  bool is_normalised = function->has_normalised_sampler;
  bool reads_border = function->has_border_sampler;
  for (uint32_t i = 0; i < function->arg_count; i++) {
    const struct zecl_sampler *sampler = sampler_at(function, block, i);
    if (!sampler) continue;
    is_normalised |= sampler->is_normalised;
    reads_border |= sampler->reads_border;
  }
  for (uint32_t i = 0; i < function->arg_count; i++) {
    const struct zecl_image *image = image_at(function, block, i);
    if (!image || function->args[i].image.access != SPIRV_ACCESS_READ_ONLY ||
        image->type == ZE_IMAGE_TYPE_BUFFER)
      continue;
    has_alpha |= !zecl_format_is_opaque(&image->format);
    if (reads_border && !image->format.border_is_right) {
      ZECL_REQUIRE(image->format.border_is_black && zecl_format_is_opaque(&image->format),
          ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
      *needs_opaque = true;
    }
    ZECL_REQUIRE(!is_normalised || zecl_image_probe_normalised(image->type),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  }
  ZECL_REQUIRE(!*needs_opaque || !has_alpha, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return ZE_RESULT_SUCCESS;
}

void zecl_handles_retain(const struct zecl_function *function, const unsigned char *block) {
  for (uint32_t i = 0; i < function->arg_count; i++) {
    struct zecl_image *image = image_at(function, block, i);
    struct zecl_sampler *sampler = sampler_at(function, block, i);
    if (image) zecl_object_retain(image);
    if (sampler) zecl_object_retain(sampler);
  }
}

void zecl_handles_release(const struct zecl_function *function, const unsigned char *block) {
  for (uint32_t i = 0; i < function->arg_count; i++) {
    struct zecl_image *image = image_at(function, block, i);
    struct zecl_sampler *sampler = sampler_at(function, block, i);
    if (image) zecl_image_release(image);
    if (sampler) zecl_sampler_release(sampler);
  }
}

ze_result_t zecl_handle_set(
    struct zecl_engine_kernel *kernel, uint32_t index, enum zecl_arg_kind kind, const void *value) {
  const void *handle = handle_at(value);
  if (kind == ZECL_ARG_IMAGE)
    return zecl_engine()->set_image(kernel, index, ((const struct zecl_image *)handle)->engine);
  return zecl_engine()->set_sampler(kernel, index, ((const struct zecl_sampler *)handle)->engine);
}

static bool must_settle(
    const struct zecl_function *function, const unsigned char *block, uint32_t index) {
  const struct zecl_image *image = image_at(function, block, index);
  return image && image->format.is_widened &&
         function->args[index].image.access != SPIRV_ACCESS_READ_ONLY;
}

bool zecl_handles_must_settle(const struct zecl_function *function, const unsigned char *block) {
  for (uint32_t i = 0; i < function->arg_count; i++)
    if (must_settle(function, block, i)) return true;
  return false;
}

/* The images that the kernel only reads. */
static uint32_t list_sources(
    const struct zecl_function *function, const unsigned char *block, struct zecl_image **sources) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < function->arg_count; i++) {
    struct zecl_image *image = image_at(function, block, i);
    if (image && function->args[i].image.access == SPIRV_ACCESS_READ_ONLY) sources[count++] = image;
  }
  return count;
}

ze_result_t zecl_handles_settle(const struct zecl_function *function, const unsigned char *block,
    struct zecl_engine_queue *queue) {
  struct zecl_image **sources = calloc(function->arg_count, sizeof(struct zecl_image *));
  if (!sources) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const uint32_t count = list_sources(function, block, sources);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < function->arg_count && result == ZE_RESULT_SUCCESS; i++)
    if (must_settle(function, block, i))
      result = zecl_image_settle(image_at(function, block, i), sources, count, queue);
  free(sources);
  return result;
}
