#include "images/image.h"

#include "commands/stream.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "images/pitched.h"
#include "images/probe.h"

#include <stdlib.h>
#include <string.h>

static _Atomic(uint64_t) next_id = 1;

ze_result_t zecl_image_make(struct zecl_image *image) {
  const size_t *size = image->size;
  struct zecl_engine_image_desc desc = {.device = zecl_device_index(image->device),
      .type = image->type,
      .size = {size[0], size[1], size[2]},
      .channel = image->format.type,
      .order = image->format.order,
      .channels = image->format.channels,
      .memory = image->memory,
      .row_pitch = image->row_pitch};
  memcpy(desc.source, image->format.source, sizeof desc.source);
  if (image->format.is_converted) {
    image->texels = calloc(size[0] * size[1] * size[2], zecl_texel_size(&image->format));
    if (!image->texels) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  return zecl_engine()->image_create(&desc, &image->engine);
}

static void release_engine_image(void *image) {
  zecl_engine()->image_release(image);
}

void zecl_image_unmake(struct zecl_image *image) {
  if (image->engine && zecl_engine()->streams)
    zecl_streams_defer(release_engine_image, image->engine);
  else if (image->engine)
    zecl_engine()->image_release(image->engine);
  free(image->texels);
  image->engine = NULL;
  image->texels = NULL;
}

static void finish(void *object) {
  struct zecl_image *image = object;
  zecl_image_unmake(image);
  zecl_context_release(image->context);
}

void zecl_image_release(struct zecl_image *image) {
  zecl_object_release(image, sizeof *image, finish);
}

/* Memory of others is neither imported nor exported. */
static bool is_external(const void *next) {
  for (const ze_base_desc_t *e = next; e; e = e->pNext)
    if (e->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC ||
        e->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD ||
        e->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32)
      return true;
  return false;
}

static ze_result_t read_size(
    const ze_image_desc_t *desc, const struct zecl_image_format *format, size_t size[3]) {
  size[0] = desc->width;
  size[1] = size[2] = 1;
  switch (desc->type) {
  case ZE_IMAGE_TYPE_BUFFER: /* its width is in bytes */
    ZECL_REQUIRE(desc->width % zecl_texel_size(format) == 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    size[0] = desc->width / zecl_texel_size(format);
    break;
  case ZE_IMAGE_TYPE_1DARRAY:
    size[1] = desc->arraylevels;
    break;
  case ZE_IMAGE_TYPE_2DARRAY:
    size[1] = desc->height;
    size[2] = desc->arraylevels;
    break;
  case ZE_IMAGE_TYPE_2D:
    size[1] = desc->height;
    break;
  case ZE_IMAGE_TYPE_3D:
    size[1] = desc->height;
    size[2] = desc->depth;
    break;
  default:
    break;
  }
  ZECL_REQUIRE(size[0] && size[1] && size[2], ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_size(const ze_image_desc_t *desc, const size_t size[3]) {
  const ze_device_image_properties_t most = zecl_engine()->properties->images;
  const bool is_3d = desc->type == ZE_IMAGE_TYPE_3D;
  const uint64_t edge = is_3d ? most.maxImageDims3D : most.maxImageDims2D;
  bool fits;
  if (desc->type == ZE_IMAGE_TYPE_BUFFER)
    fits = desc->width <= most.maxImageBufferSize;
  else if (desc->type == ZE_IMAGE_TYPE_1D || desc->type == ZE_IMAGE_TYPE_1DARRAY)
    fits = desc->width <= most.maxImageDims1D;
  else
    fits = desc->width <= edge && desc->height <= edge && (!is_3d || desc->depth <= edge);
  if (zecl_image_is_array(desc->type) && desc->arraylevels > most.maxImageArraySlices) fits = false;
  ZECL_REQUIRE(fits && size[0], ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t read_desc(
    const ze_image_desc_t *desc, struct zecl_image_format *format, size_t size[3]) {
  ZECL_CHECK_POINTER(desc);
  const ze_image_flags_t known = ZE_IMAGE_FLAG_KERNEL_WRITE | ZE_IMAGE_FLAG_BIAS_UNCACHED;
  ZECL_REQUIRE(!(desc->flags & ~known) && (unsigned)desc->type <= ZE_IMAGE_TYPE_BUFFER,
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(!is_external(desc->pNext), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ZECL_TRY(zecl_image_format_read(&desc->format, format));
  ZECL_TRY(read_size(desc, format, size));
  ZECL_TRY(check_size(desc, size));
  ZECL_REQUIRE(zecl_image_probe_type(desc->type), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  ZECL_REQUIRE(zecl_image_probe_format(format), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeImageGetProperties(
    ze_device_handle_t device, const ze_image_desc_t *desc, ze_image_properties_t *properties) {
  ZECL_ENTER(zeImageGetProperties);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(properties);
  struct zecl_image_format format;
  size_t size[3];
  const ze_result_t result = read_desc(desc, &format, size);
  properties->samplerFilterFlags = 0; /* and so of a format that is not there */
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT) return ZE_RESULT_SUCCESS;
  ZECL_TRY(result);
  if (desc->type != ZE_IMAGE_TYPE_BUFFER) {
    properties->samplerFilterFlags = ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT;
    if (format.kind == ZECL_TEXEL_FLOAT)
      properties->samplerFilterFlags |= ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeImageCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t *handle) {
  ZECL_ENTER(zeImageCreate);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  *handle = NULL;
  struct zecl_image_format format;
  size_t size[3];
  struct zecl_pitched pitched;
  ZECL_TRY(read_desc(desc, &format, size));
  ZECL_TRY(zecl_pitched_read(zecl_context_of(context), desc, &format, size, &pitched));
  struct zecl_image *image = zecl_object_create(ZECL_IMAGE, sizeof *image);
  if (!image) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  zecl_object_retain(context);
  image->context = zecl_context_of(context);
  image->device = zecl_device_of(device);
  image->type = desc->type;
  image->format = format;
  image->memory = pitched.memory;
  image->row_pitch = pitched.row_pitch;
  image->id = atomic_fetch_add(&next_id, 1);
  for (int i = 0; i < 3; i++)
    image->size[i] = size[i];
  if (zecl_image_make(image) != ZE_RESULT_SUCCESS) {
    zecl_object_kill(image, ZECL_IMAGE);
    zecl_image_release(image);
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  *handle = (ze_image_handle_t)(void *)image;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeImageDestroy(ze_image_handle_t handle) {
  ZECL_ENTER(zeImageDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_IMAGE);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_IMAGE), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_image_release(zecl_image_of(handle));
  return ZE_RESULT_SUCCESS;
}

/* Like all of the host's memory, an image is always resident. */
static ze_result_t check_residency(
    ze_context_handle_t context, ze_device_handle_t device, ze_image_handle_t image) {
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_HANDLE(image, ZECL_IMAGE);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeContextMakeImageResident(
    ze_context_handle_t context, ze_device_handle_t device, ze_image_handle_t image) {
  ZECL_ENTER(zeContextMakeImageResident);
  return check_residency(context, device, image);
}

ze_result_t zecl_zeContextEvictImage(
    ze_context_handle_t context, ze_device_handle_t device, ze_image_handle_t image) {
  ZECL_ENTER(zeContextEvictImage);
  return check_residency(context, device, image);
}

ze_result_t zecl_zeImageGetAllocPropertiesExt(ze_context_handle_t context, ze_image_handle_t handle,
    ze_image_allocation_ext_properties_t *properties) {
  ZECL_ENTER(zeImageGetAllocPropertiesExt);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(handle, ZECL_IMAGE);
  ZECL_CHECK_POINTER(properties);
  properties->id = zecl_image_of(handle)->id;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeImageGetMemoryPropertiesExp(
    ze_image_handle_t handle, ze_image_memory_properties_exp_t *properties) {
  ZECL_ENTER(zeImageGetMemoryPropertiesExp);
  ZECL_CHECK_HANDLE(handle, ZECL_IMAGE);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_image *image = zecl_image_of(handle);
  properties->rowPitch =
      image->memory ? image->row_pitch : image->size[0] * zecl_engine_texel_size(&image->format);
  properties->slicePitch = properties->rowPitch * image->size[1];
  properties->size = properties->slicePitch * image->size[2];
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetImageProperties(
    ze_device_handle_t handle, ze_device_image_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetImageProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  ze_device_image_properties_t limits = zecl_engine()->properties->images;
  limits.stype = properties->stype;
  limits.pNext = properties->pNext;
  *properties = limits;
  return ZE_RESULT_SUCCESS;
}
