/* Implementation of bindless_image.h. Functions and values that ze_api.h has since 1.9 are used by
 * name at run time, or by number. */
#ifndef SYCLZE_DETAIL_OBJECTS_BINDLESS_IMAGE_H
#define SYCLZE_DETAIL_OBJECTS_BINDLESS_IMAGE_H

#include "../../bindless_image.h"
#include "../driver/driver_function.h"

SYCLZE_EXTERN_C_BEGIN

/* ze_structure_type_t. */
enum {
  SYCLZE__STYPE_BINDLESS_IMAGE = 0x0002001e,
  SYCLZE__STYPE_PITCHED_IMAGE = 0x0002001f,
  SYCLZE__STYPE_CUSTOM_PITCH = 0x00020042
};

/* ze_image_bindless_exp_flags_t. */
enum { SYCLZE__IMAGE_BINDLESS = 1, SYCLZE__IMAGE_SAMPLED = 2 };

/* ze_image_bindless_exp_desc_t, ze_image_pitched_exp_desc_t and ze_custom_pitch_exp_desc_t. */
struct syclze__bindless_desc {
  uint32_t stype;
  const void *next;
  uint32_t flags;
};
struct syclze__pitched_desc {
  uint32_t stype;
  const void *next;
  void *memory;
};
struct syclze__custom_pitch_desc {
  uint32_t stype;
  const void *next;
  size_t row_pitch, slice_pitch;
};

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__status syclze__check_bindless(const struct syclze__device *device) {
  bool found;
  const ze_result_t result = syclze__driver_has_extension(
      device->platform->native, "ZE_experimental_bindless_image", &found);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of_call(result, "zeDriverGetExtensionProperties failed");
  if (found) return syclze__allowed();
  return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
      "the driver has no extension ZE_experimental_bindless_image");
}

SYCLZE_LOCAL struct syclze__status syclze__row_pitch_for(const struct syclze__context *context,
    const struct syclze__device *device, size_t width, size_t height, uint32_t pixel_size,
    size_t *row_pitch) {
  ze_result_t(ZE_APICALL * get_pitch)(
      ze_context_handle_t, ze_device_handle_t, size_t, size_t, unsigned int, size_t *) = NULL;
#if SYCLZE_HAS_DLSYM
  void *address = syclze__loader_symbol("zeMemGetPitchFor2dImage");
  memcpy(&get_pitch, &address, sizeof get_pitch);
#endif
  if (get_pitch == NULL)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        "the loader has no zeMemGetPitchFor2dImage, which is of Level Zero 1.9");
  return syclze__status_of(
      get_pitch(context->native, device->native, width, height, pixel_size, row_pitch),
      "zeMemGetPitchFor2dImage failed");
}

SYCLZE_COLD ze_result_t syclze_image_get_row_pitch_for(syclze_context context, syclze_device device,
    size_t width, size_t height, uint32_t pixel_size, size_t *row_pitch) {
  struct syclze__status status = syclze__null_pointer("the result's pointer is null");
  if (row_pitch != NULL) {
    *row_pitch = 0;
    status = syclze__check_device_in(context.rep, device.rep);
  }
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_bindless(device.rep);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__row_pitch_for(context.rep, device.rep, width, height, pixel_size, row_pitch);
  if (status.result != ZE_RESULT_SUCCESS && row_pitch != NULL) *row_pitch = 0;
  return syclze__finish(status, "syclze_image_get_row_pitch_for", NULL);
}

/* Checks that the parts of an extension suit each other and the image. */
SYCLZE_LOCAL struct syclze__status syclze__check_image_extension(
    const syclze_image_input *input, const syclze_image_extension *extension) {
  if (extension->memory == NULL && !extension->is_bindless)
    return syclze__invalid("the image has neither memory of the caller nor is it bindless");
  if (extension->memory == NULL && extension->row_pitch != 0)
    return syclze__invalid("a row pitch needs memory of the caller");
  if (extension->memory != NULL && (input->dimensions != 2 || input->array_size != 0))
    return syclze__invalid("an image over memory of the caller must have two dimensions");
  if (extension->sampler != NULL && !extension->is_bindless)
    return syclze__invalid("an image with a sampler of its own must be bindless");
  if (extension->sampler != NULL) return syclze__check_sampler_desc(extension->sampler);
  return syclze__allowed();
}

/* The descriptors passed to zeImageCreate. */
struct syclze__image_chain {
  struct syclze__bindless_desc bindless;
  struct syclze__pitched_desc pitched;
  struct syclze__custom_pitch_desc pitch;
  ze_sampler_desc_t sampler;
};

/* Builds the chain, and returns its first link. `row_pitch` is that of the memory if it differs
 * from the driver's own, else 0. */
SYCLZE_LOCAL const void *syclze__image_chain_of(
    struct syclze__image_chain *chain, const syclze_image_extension *extension, size_t row_pitch) {
  const void *first = NULL;
  memset(chain, 0, sizeof *chain);
  if (extension->memory != NULL) {
    chain->pitch.stype = SYCLZE__STYPE_CUSTOM_PITCH;
    chain->pitch.row_pitch = row_pitch;
    chain->pitched.stype = SYCLZE__STYPE_PITCHED_IMAGE;
    chain->pitched.memory = extension->memory;
    if (row_pitch != 0) chain->pitched.next = &chain->pitch;
    first = &chain->pitched;
  }
  if (extension->is_bindless) {
    chain->bindless.stype = SYCLZE__STYPE_BINDLESS_IMAGE;
    chain->bindless.flags = SYCLZE__IMAGE_BINDLESS;
    chain->bindless.next = first;
    first = &chain->bindless;
  }
  if (extension->sampler != NULL) {
    syclze__sampler_describe(extension->sampler, &chain->sampler);
    chain->sampler.pNext = chain->bindless.next;
    chain->bindless.flags |= SYCLZE__IMAGE_SAMPLED;
    chain->bindless.next = &chain->sampler;
  }
  return first;
}

/* Queries the row pitch, 0 if it is the driver's own. */
SYCLZE_LOCAL struct syclze__status syclze__image_custom_pitch(const struct syclze__context *context,
    const struct syclze__device *device, const syclze_image_input *input, size_t *row_pitch) {
  const uint32_t pixel = (uint32_t)syclze__image_pixel_size(input->chan_order, input->chan_type);
  size_t own = 0;
  if (*row_pitch / pixel < input->range[0])
    return syclze__invalid("the row pitch is smaller than a row");
  const struct syclze__status status =
      syclze__row_pitch_for(context, device, input->range[0], input->range[1], pixel, &own);
  if (*row_pitch == own) *row_pitch = 0;
  return status;
}

SYCLZE_COLD ze_result_t syclze_image_create_extended(syclze_context context, syclze_device device,
    const syclze_image_input *input, const syclze_image_extension *extension, syclze_image *image) {
  const char *const function = "syclze_image_create_extended";
  struct syclze__image_chain chain;
  ze_image_format_t format;
  size_t row_pitch = 0;
  if (image == NULL || input == NULL || extension == NULL)
    return syclze__fail_null(function, image);
  image->rep = NULL;
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_image_shape(input, &format);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_image_extension(input, extension);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_bindless(device.rep);
  if (status.result == ZE_RESULT_SUCCESS && extension->row_pitch != 0) {
    row_pitch = extension->row_pitch;
    status = syclze__image_custom_pitch(context.rep, device.rep, input, &row_pitch);
  }
  return syclze__image_create_with(context.rep, device.rep, input,
      syclze__image_chain_of(&chain, extension, row_pitch), status, function, image);
}

SYCLZE_COLD ze_result_t syclze_image_get_device_offset(syclze_image image, uint64_t *offset) {
  const char *const function = "syclze_image_get_device_offset";
  ze_result_t(ZE_APICALL * get_offset)(ze_image_handle_t, uint64_t *) = NULL;
  struct syclze__status status = syclze__check_fork();
  if (offset == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  *offset = 0;
  if (image.rep == NULL) return syclze__fail_handle(function, "the image is null");
  SYCLZE__CHECK_USE(image, function, SYCLZE_RESULT_ERROR_INVALID);
#if SYCLZE_HAS_DLSYM
  void *address = syclze__loader_symbol("zeImageGetDeviceOffsetExp");
  memcpy(&get_offset, &address, sizeof get_offset);
#endif
  if (get_offset == NULL && status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        "the loader has no zeImageGetDeviceOffsetExp, which is of Level Zero 1.9");
  else if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(get_offset((ze_image_handle_t)image.rep->memory.native, offset),
        "zeImageGetDeviceOffsetExp failed: the image may not be bindless");
  if (status.result != ZE_RESULT_SUCCESS) *offset = 0;
  return syclze__finish(status, function, image.rep->memory.native);
}

#endif

SYCLZE_EXTERN_C_END

#endif
