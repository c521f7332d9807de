/* Images: SYCL 1.2.1's images of one to three dimensions, over a ze_image_handle_t.
 *
 *     syclze_image_input input = {0};
 *     input.native_handle = handle;
 *     input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
 *     input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8;
 *     input.dimensions = 2;
 *     input.range[0] = 4;
 *     input.range[1] = 2;
 *     syclze_image image;
 *     if (syclze_make_image(&input, context, &image) == ZE_RESULT_SUCCESS)
 *       syclze_image_release(image);
 *
 * What an image is cannot be asked of Level Zero, so the input says it, and must say what the image
 * was created with. Under keep the last release waits for all work on the image; under transfer it
 * does not wait, and the image is destroyed when no queue uses it any more. The native image is had
 * through an interop handle only. An image is for queues of its context, on the device it was
 * created on. References may be added and dropped by any thread. */
#ifndef SYCLZE_IMAGE_H
#define SYCLZE_IMAGE_H

#include "image_format.h"
#include "detail/memory.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_image {
  struct syclze__image *rep;
} syclze_image;

typedef struct syclze_image_input {
  ze_image_handle_t native_handle;
  syclze_image_channel_order chan_order;
  syclze_image_channel_type chan_type;
  uint32_t dimensions;        /* 1 to 3 */
  size_t range[3];            /* width, height, depth, in pixels; unused ones are not read */
  syclze_ownership ownership; /* default: transfer */
} syclze_image_input;

struct syclze__image {
  struct syclze__memory memory;
  uint32_t dimensions;
  syclze_image_channel_order order;
  syclze_image_channel_type type;
};

/* Makes an image of a native one (4.3). The image keeps `context`. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE for a null handle or context;
 * ZE_RESULT_ERROR_INVALID_ENUMERATION for an ownership, a channel order or type that is none;
 * ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT for channels that Level Zero cannot express;
 * SYCLZE_RESULT_ERROR_INVALID for dimensions other than 1 to 3 and an empty range. After an error
 * the handle is the caller's. */
SYCLZE_COLD ze_result_t syclze_make_image(const syclze_image_input *input, syclze_context context,
    syclze_image *image) SYCLZE_LINK_NAME(syclze_make_image);

/* The same, of an image that is ready once `available` is signalled: the first use waits for it.
 * The image keeps the event; null is refused. */
SYCLZE_COLD ze_result_t syclze_make_image_after(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image)
    SYCLZE_LINK_NAME(syclze_make_image_after);

/* Creates an image on a device of the context, for kernels to read and write, owned by the library:
 * one call to zeImageCreate. `input` says what it is; its native_handle and ownership are not
 * read. Passes through what zeImageCreate returns. */
SYCLZE_COLD ze_result_t syclze_image_create(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image) SYCLZE_LINK_NAME(syclze_image_create);

/* The image's context, without a reference of its own. `image` is not null. */
SYCLZE_INLINE syclze_context syclze_image_get_context(syclze_image image) {
  syclze_context context = {image.rep->memory.context};
  return context;
}

/* How many dimensions the range has. `image` is not null. */
SYCLZE_INLINE uint32_t syclze_image_get_dimensions(syclze_image image) {
  return image.rep->dimensions;
}

/* The pixels in a dimension, 0 to 2: width, height, depth; 1 beyond the image's dimensions. */
SYCLZE_INLINE size_t syclze_image_get_range(syclze_image image, uint32_t dimension) {
  return image.rep->memory.range[dimension];
}

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_image_retain(syclze_image image);

SYCLZE_INLINE ze_result_t syclze__image_retain_impl(syclze_image image) {
  if (image.rep != NULL) syclze__ref_retain(&image.rep->memory.ref);
  return ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_image_retain(syclze_image image) {
  SYCLZE__RETURN_IF_TRACED(image_retain, image);
  return syclze__image_retain_impl(image);
}

/* Drops a reference. The last one, under keep, waits for all work on the image; under transfer it
 * destroys the image, or has it destroyed when the work is done. Null is allowed and has no
 * effect. */
SYCLZE_INLINE ze_result_t syclze_image_release(syclze_image image);

SYCLZE_INLINE ze_result_t syclze__image_release_impl(syclze_image image) {
  return image.rep != NULL ? syclze__memory_release(&image.rep->memory) : ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_image_release(syclze_image image) {
  SYCLZE__RETURN_IF_TRACED(image_release, image);
  return syclze__image_release_impl(image);
}

SYCLZE_LOCAL ze_result_t syclze__image_destroy(struct syclze__memory *memory) {
  ze_result_t result = SYCLZE__ZE(zeImageDestroy)((ze_image_handle_t)memory->native);
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, "syclze_image_release", "zeImageDestroy failed", memory->native);
}

SYCLZE_LOCAL struct syclze__status syclze__check_image_shape(
    const syclze_image_input *input, ze_image_format_t *format) {
  if (input->dimensions < 1 || input->dimensions > 3)
    return syclze__invalid("an image has one to three dimensions");
  for (uint32_t i = 0; i < input->dimensions; i++)
    if (input->range[i] == 0) return syclze__invalid("an image has at least one pixel");
  size_t room = SIZE_MAX / SYCLZE__IMAGE_PIXEL_MOST;
  for (uint32_t i = 0; i < input->dimensions; i++) {
    if (input->range[i] > room || (i > 0 && input->range[i] > UINT32_MAX))
      return syclze__invalid("the image's range is too large");
    room /= input->range[i];
  }
  return syclze__check_image_format(input->chan_order, input->chan_type, format);
}

/* An image with one reference; null without memory. */
SYCLZE_LOCAL struct syclze__image *syclze__image_new(const syclze_image_input *input,
    ze_image_handle_t native, struct syclze__context *context, struct syclze__event *available,
    syclze_ownership ownership) {
  struct syclze__image *image = (struct syclze__image *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_IMAGE], sizeof *image);
  if (image == NULL) return NULL;
  syclze__memory_init(&image->memory, native, context, available, ownership);
  image->memory.destroy = syclze__image_destroy;
  image->memory.is_image = true;
  for (uint32_t i = 0; i < 3; i++)
    image->memory.range[i] = i < input->dimensions ? input->range[i] : 1;
  image->dimensions = input->dimensions;
  image->order = input->chan_order;
  image->type = input->chan_type;
  return image;
}

SYCLZE_COLD void syclze__image_trace_created(struct syclze__image *image)
    SYCLZE_LINK_NAME(syclze__image_trace_created);

SYCLZE_COLD void syclze__image_trace_created(struct syclze__image *image) {
  image->memory.traced = true;
  const struct syclze__trace_memory_info info = {image, image->memory.native, image->memory.range,
      image->dimensions, 0, (uint32_t)image->type, true};
  (void)info;
  SYCLZE__TRACE_COMMAND(memory_created, (&info));
}

SYCLZE_COLD ze_result_t syclze__make_image(const syclze_image_input *input,
    struct syclze__context *context, struct syclze__event *available, const char *function,
    syclze_image *image) SYCLZE_LINK_NAME(syclze__make_image);

SYCLZE_COLD ze_result_t syclze__make_image(const syclze_image_input *input,
    struct syclze__context *context, struct syclze__event *available, const char *function,
    syclze_image *image) {
  if (image != NULL) image->rep = NULL;
  if (image == NULL || input == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the input's or the result's pointer is null", NULL);
  ze_image_format_t format;
  struct syclze__status status = syclze__check_handle(input->native_handle, input->ownership);
  if (status.result == ZE_RESULT_SUCCESS && context == NULL)
    status = syclze__null_handle("the context is null");
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_image_shape(input, &format);
  if (status.result == ZE_RESULT_SUCCESS) {
    image->rep =
        syclze__image_new(input, input->native_handle, context, available, input->ownership);
    if (image->rep != NULL) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__fail(status.result, function, status.rule, input->native_handle);
}

SYCLZE_INLINE ze_result_t syclze__make_image_impl(
    const syclze_image_input *input, syclze_context context, syclze_image *image) {
  return syclze__make_image(input, context.rep, NULL, "syclze_make_image", image);
}
SYCLZE_COLD ze_result_t syclze_make_image(
    const syclze_image_input *input, syclze_context context, syclze_image *image) {
  SYCLZE__RETURN_IF_MAKE_TRACED(make_image, syclze_image, input, image, &copy, context, &created);
  return syclze__make_image_impl(input, context, image);
}

SYCLZE_INLINE ze_result_t syclze__make_image_after_impl(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image) {
  static const char *const function = "syclze_make_image_after";
  if (available.rep != NULL)
    return syclze__make_image(input, context.rep, available.rep, function, image);
  if (image != NULL) image->rep = NULL;
  return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the available event is null",
      input != NULL ? input->native_handle : NULL);
}
SYCLZE_COLD ze_result_t syclze_make_image_after(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image) {
  SYCLZE__RETURN_IF_MAKE_TRACED(
      make_image_after, syclze_image, input, image, &copy, context, available, &created);
  return syclze__make_image_after_impl(input, context, available, image);
}

SYCLZE_COLD ze_result_t syclze__image_create_impl(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image)
    SYCLZE_LINK_NAME(syclze__image_create_impl);

SYCLZE_COLD ze_result_t syclze__image_create_impl(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image) {
  static const char *const function = "syclze_image_create";
  if (image != NULL) image->rep = NULL;
  if (image == NULL || input == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the input's or the result's pointer is null", NULL);
  ze_image_desc_t desc;
  memset(&desc, 0, sizeof desc);
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_image_shape(input, &desc.format);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);
  static const ze_image_type_t types[] = {ZE_IMAGE_TYPE_1D, ZE_IMAGE_TYPE_2D, ZE_IMAGE_TYPE_3D};
  desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  desc.flags = ZE_IMAGE_FLAG_KERNEL_WRITE;
  desc.type = types[input->dimensions - 1];
  desc.width = input->range[0];
  desc.height = input->dimensions > 1 ? (uint32_t)input->range[1] : 1;
  desc.depth = input->dimensions > 2 ? (uint32_t)input->range[2] : 1;
  ze_image_handle_t native = NULL;
  ze_result_t result =
      SYCLZE__ZE(zeImageCreate)(context.rep->native, device.rep->native, &desc, &native);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "zeImageCreate failed", NULL);
  image->rep = syclze__image_new(input, native, context.rep, NULL, SYCLZE_OWNERSHIP_TRANSFER);
  if (image->rep != NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__ZE(zeImageDestroy)(native);
  return syclze__fail(
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the object", NULL);
}

SYCLZE_COLD ze_result_t syclze_image_create(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image) {
  SYCLZE__RETURN_IF_TRACED(image_create, context, device, input, image);
  return syclze__image_create_impl(context, device, input, image);
}

SYCLZE_EXTERN_C_END

#endif
