/* Implementation of image.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_IMAGE_H
#define SYCLZE_DETAIL_OBJECTS_IMAGE_H

#include "../../image.h"
#include "memory_object.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__image {
  struct syclze__memory memory;
  uint32_t dimensions; /* of a layer of an array */
  uint32_t array_size; /* 0 if not an array */
  syclze_image_channel_order order;
  syclze_image_channel_type type;
  struct syclze__device *device; /* where it was created; null if unknown */
};

SYCLZE__POOLED(struct syclze__image);

SYCLZE_COLD ze_result_t syclze__make_image_impl(const syclze_image_input *input,
    syclze_context context, syclze_image *image) SYCLZE_LINK_NAME(syclze__make_image_impl);

SYCLZE_COLD ze_result_t syclze__make_image_after_impl(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image)
    SYCLZE_LINK_NAME(syclze__make_image_after_impl);

SYCLZE_COLD ze_result_t syclze__image_create_impl(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image)
    SYCLZE_LINK_NAME(syclze__image_create_impl);

SYCLZE_INLINE syclze_context syclze_image_get_context(syclze_image image) {
  syclze_context context = {image.rep->memory.context};
  return context;
}

SYCLZE_INLINE uint32_t syclze_image_get_dimensions(syclze_image image) {
  return image.rep->dimensions;
}

SYCLZE_INLINE size_t syclze_image_get_range(syclze_image image, uint32_t dimension) {
  return image.rep->memory.range[dimension];
}

SYCLZE_INLINE uint32_t syclze_image_get_array_size(syclze_image image) {
  return image.rep->array_size;
}

SYCLZE_INLINE ze_result_t syclze_image_retain(syclze_image image) {
  return syclze__retain(SYCLZE_OBJECT_IMAGE, image.rep, "syclze_image_retain");
}

SYCLZE_INLINE ze_result_t syclze__image_release_impl(syclze_image image) {
  if (image.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(image, "syclze_image_release", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__memory_release(&image.rep->memory);
}

SYCLZE_INLINE ze_result_t syclze_image_release(syclze_image image) {
  SYCLZE__RETURN_IF_TRACED(release, SYCLZE_OBJECT_IMAGE, image.rep);
  return syclze__image_release_impl(image);
}

#if SYCLZE__BODIES

/* The number of pixels in a dimension; that of an array's layers in the dimension after those of a
 * layer. */
SYCLZE_LOCAL size_t syclze__image_extent(const syclze_image_input *input, uint32_t dimension) {
  if (dimension < input->dimensions) return input->range[dimension];
  return dimension == input->dimensions && input->array_size != 0 ? input->array_size : 1;
}

SYCLZE_LOCAL struct syclze__status syclze__check_image_shape(
    const syclze_image_input *input, ze_image_format_t *format) {
  size_t room = SIZE_MAX / SYCLZE__IMAGE_PIXEL_MOST;
  if (input->dimensions < 1 || input->dimensions > 3)
    return syclze__invalid("an image must have one to three dimensions");
  if (input->dimensions == 3 && input->array_size != 0)
    return syclze__invalid("the images of an array must have one or two dimensions");
  for (uint32_t i = 0; i < input->dimensions; i++)
    if (input->range[i] == 0) return syclze__invalid("an image must have at least one pixel");
  for (uint32_t i = 0; i < 3; i++) {
    const size_t extent = syclze__image_extent(input, i);
    if (extent > room || (i > 0 && extent > UINT32_MAX))
      return syclze__invalid("the image's range is too large");
    room /= extent;
  }
  return syclze__check_image_format(input->chan_order, input->chan_type, format);
}

/* Creates an image with one reference; null without memory. */
SYCLZE_LOCAL struct syclze__image *syclze__image_new(const syclze_image_input *input,
    ze_image_handle_t native, struct syclze__context *context, struct syclze__event *available,
    uint32_t ownership) {
  struct syclze__image *image = (struct syclze__image *)syclze__child_acquire(
      &context->parent, SYCLZE__POOL_IMAGE, sizeof *image);
  if (image == NULL) return NULL;
  syclze__memory_init(&image->memory, native, context, available, ownership);
  image->memory.is_image = true;
  for (uint32_t i = 0; i < 3; i++)
    image->memory.range[i] = syclze__image_extent(input, i);
  image->dimensions = input->dimensions;
  image->array_size = input->array_size;
  image->order = input->chan_order;
  image->type = input->chan_type;
  image->device = NULL;
  SYCLZE__CHECK_WRAPPED(&image->memory.ref, "image", native, ownership);
  return image;
}

SYCLZE_LOCAL ze_result_t syclze__make_image_of(const syclze_image_input *input,
    syclze_context context, struct syclze__event *available, const char *function,
    syclze_image *image) {
  ze_image_format_t format;
  if (image != NULL) image->rep = NULL;
  if (image == NULL || input == NULL)
    return syclze__fail_pointer(function, "the input's or the result's pointer is null");
  struct syclze__status status =
      syclze__check_handle(input->native_handle, (uint32_t)input->ownership);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_in(context.rep);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_image_shape(input, &format);
  if (status.result == ZE_RESULT_SUCCESS) {
    image->rep = syclze__image_new(
        input, input->native_handle, context.rep, available, (uint32_t)input->ownership);
    if (image->rep != NULL) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__finish(status, function, input->native_handle);
}

SYCLZE_COLD ze_result_t syclze__make_image_impl(
    const syclze_image_input *input, syclze_context context, syclze_image *image) {
  return syclze__make_image_of(input, context, NULL, "syclze_make_image", image);
}

SYCLZE_COLD ze_result_t syclze_make_image(
    const syclze_image_input *input, syclze_context context, syclze_image *image) {
  if (image != NULL) image->rep = NULL;
  if (input != NULL && image != NULL) SYCLZE__RETURN_IF_TRACED(make_image, input, context, image);
  return syclze__make_image_impl(input, context, image);
}

SYCLZE_COLD ze_result_t syclze__make_image_after_impl(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image) {
  const char *const function = "syclze_make_image_after";
  if (available.rep != NULL) SYCLZE__CHECK_USE(available, function, SYCLZE_RESULT_ERROR_INVALID);
  const struct syclze__status status = syclze__check_available(available.rep);
  if (status.result != ZE_RESULT_SUCCESS) {
    if (image != NULL) image->rep = NULL;
    return syclze__finish(status, function, input != NULL ? input->native_handle : NULL);
  }
  return syclze__make_image_of(input, context, available.rep, function, image);
}

SYCLZE_COLD ze_result_t syclze_make_image_after(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image) {
  if (image != NULL) image->rep = NULL;
  if (input != NULL && image != NULL)
    SYCLZE__RETURN_IF_TRACED(make_image_after, input, context, available, image);
  return syclze__make_image_after_impl(input, context, available, image);
}

/* Creates the native image of a valid shape. `extension` may be null. */
SYCLZE_LOCAL ze_result_t syclze__native_image_create(const struct syclze__context *context,
    const struct syclze__device *device, const syclze_image_input *input,
    const ze_image_format_t *format, const void *extension, ze_image_handle_t *native) {
  static const ze_image_type_t types[2][3] = {
      {ZE_IMAGE_TYPE_1D, ZE_IMAGE_TYPE_2D, ZE_IMAGE_TYPE_3D},
      {ZE_IMAGE_TYPE_1DARRAY, ZE_IMAGE_TYPE_2DARRAY, ZE_IMAGE_TYPE_2DARRAY}};
  SYCLZE__ZE_STRUCT(ze_image_desc_t, desc, IMAGE_DESC);
  desc.pNext = extension;
  desc.flags = ZE_IMAGE_FLAG_KERNEL_WRITE;
  desc.format = *format;
  desc.type = types[input->array_size != 0][input->dimensions - 1];
  desc.width = input->range[0];
  desc.height = input->dimensions > 1 ? (uint32_t)input->range[1] : 1;
  desc.depth = input->dimensions > 2 ? (uint32_t)input->range[2] : 1;
  desc.arraylevels = input->array_size;
  return SYCLZE__ZE(zeImageCreate)(context->native, device->native, &desc, native);
}

/* Creates an image; `status` is the result of earlier checks. */
SYCLZE_LOCAL ze_result_t syclze__image_create_with(struct syclze__context *context,
    struct syclze__device *device, const syclze_image_input *input, const void *extension,
    struct syclze__status status, const char *function, syclze_image *image) {
  ze_image_handle_t native = NULL;
  SYCLZE__ZEROED(ze_image_format_t, format);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_image_shape(input, &format);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(
        syclze__native_image_create(context, device, input, &format, extension, &native),
        "zeImageCreate failed");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  image->rep = syclze__image_new(input, native, context, NULL, SYCLZE__TRANSFERRED);
  if (image->rep != NULL) {
    image->rep->device = device;
    return ZE_RESULT_SUCCESS;
  }
  SYCLZE__ZE(zeImageDestroy)(native);
  status = syclze__out_of_memory();
  return syclze__finish(status, function, NULL);
}

SYCLZE_COLD ze_result_t syclze__image_create_impl(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image) {
  const char *const function = "syclze_image_create";
  if (image == NULL || input == NULL) return syclze__fail_null(function, image);
  image->rep = NULL;
  return syclze__image_create_with(context.rep, device.rep, input, NULL,
      syclze__check_device_in(context.rep, device.rep), function, image);
}

SYCLZE_COLD ze_result_t syclze_image_create(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image) {
  SYCLZE__RETURN_IF_TRACED(image_create, context, device, input, image);
  return syclze__image_create_impl(context, device, input, image);
}

SYCLZE_COLD ze_result_t syclze_image_set_owner(syclze_image image, syclze_owner owner) {
  SYCLZE__OWNER_SET(image, image, image.rep->memory.native, NULL);
}

SYCLZE_COLD syclze_owner syclze_image_get_owner(syclze_image image) {
  return syclze__owner_get(&image.rep->memory.ref);
}

#endif

SYCLZE_EXTERN_C_END

#endif
