/* Implementation of object.h. */
#ifndef SYCLZE_DETAIL_OBJECT_H
#define SYCLZE_DETAIL_OBJECT_H

#include "../object.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE syclze_backend syclze_platform_get_backend(syclze_platform object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_device_get_backend(syclze_device object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_context_get_backend(syclze_context object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_queue_get_backend(syclze_queue object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_event_get_backend(syclze_event object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_kernel_bundle_get_backend(syclze_kernel_bundle object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_kernel_get_backend(syclze_kernel object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_buffer_get_backend(syclze_buffer object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_image_get_backend(syclze_image object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

SYCLZE_INLINE syclze_backend syclze_sampler_get_backend(syclze_sampler object) {
  (void)object;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_make_object(
    const syclze_backend_input *input, syclze_context context, syclze_object *object) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (object != NULL) memset(object, 0, sizeof *object);
  if (object == NULL || input == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_object",
        "the input's or the result's pointer is null", NULL);
  if (input->backend != SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO)
    return syclze__fail(SYCLZE_RESULT_ERROR_BACKEND_MISMATCH, "syclze_make_object",
        "the backend is not Level Zero", NULL);
  switch (input->kind) {
  case SYCLZE_OBJECT_PLATFORM:
    result = syclze_make_platform(input->platform, &object->platform);
    break;
  case SYCLZE_OBJECT_DEVICE:
    result = syclze_make_device(input->device, &object->device);
    break;
  case SYCLZE_OBJECT_CONTEXT:
    result = syclze_make_context(&input->context, &object->context);
    break;
  case SYCLZE_OBJECT_QUEUE:
    result = syclze_make_queue(&input->queue, context, &object->queue);
    break;
  case SYCLZE_OBJECT_EVENT:
    result = syclze_make_event(&input->event, context, &object->event);
    break;
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    result = syclze_make_kernel_bundle(&input->kernel_bundle, context, &object->kernel_bundle);
    break;
  case SYCLZE_OBJECT_KERNEL:
    result = syclze_make_kernel(&input->kernel, context, &object->kernel);
    break;
  case SYCLZE_OBJECT_BUFFER:
    result = syclze_make_buffer(&input->buffer, context, &object->buffer);
    break;
  case SYCLZE_OBJECT_IMAGE:
    result = syclze_make_image(&input->image, context, &object->image);
    break;
  case SYCLZE_OBJECT_SAMPLER:
    result = syclze_make_sampler(&input->sampler, context, &object->sampler);
    break;
  case SYCLZE_OBJECT_NONE:
  default:
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_make_object", "the input is of no kind", NULL);
  }
  if (result == ZE_RESULT_SUCCESS) object->kind = input->kind;
  return result;
}

SYCLZE_COLD syclze_backend_return syclze_object_get_native(syclze_object object) {
  syclze_backend_return native;
  memset(&native, 0, sizeof native);
  native.kind = object.kind;
  switch (object.kind) {
  case SYCLZE_OBJECT_PLATFORM:
    native.platform = syclze_platform_get_native(object.platform);
    break;
  case SYCLZE_OBJECT_DEVICE:
    native.device = syclze_device_get_native(object.device);
    break;
  case SYCLZE_OBJECT_CONTEXT:
    native.context = syclze_context_get_native(object.context);
    break;
  case SYCLZE_OBJECT_QUEUE:
    native.queue = syclze_queue_get_native(object.queue);
    break;
  case SYCLZE_OBJECT_EVENT:
    native.event = syclze_event_get_native(object.event);
    break;
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    native.kernel_bundle = syclze_kernel_bundle_get_native(object.kernel_bundle);
    break;
  case SYCLZE_OBJECT_KERNEL:
    native.kernel = syclze_kernel_get_native(object.kernel);
    break;
  case SYCLZE_OBJECT_SAMPLER:
    native.sampler = syclze_sampler_get_native(object.sampler);
    break;
  case SYCLZE_OBJECT_BUFFER:
  case SYCLZE_OBJECT_IMAGE:
  case SYCLZE_OBJECT_NONE:
  default:
    native.kind = SYCLZE_OBJECT_NONE;
    break;
  }
  return native;
}

SYCLZE_COLD ze_result_t syclze_object_retain(syclze_object object) {
  switch (object.kind) {
  case SYCLZE_OBJECT_PLATFORM:
    return syclze_platform_retain(object.platform);
  case SYCLZE_OBJECT_DEVICE:
    return syclze_device_retain(object.device);
  case SYCLZE_OBJECT_CONTEXT:
    return syclze_context_retain(object.context);
  case SYCLZE_OBJECT_QUEUE:
    return syclze_queue_retain(object.queue);
  case SYCLZE_OBJECT_EVENT:
    return syclze_event_retain(object.event);
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    return syclze_kernel_bundle_retain(object.kernel_bundle);
  case SYCLZE_OBJECT_KERNEL:
    return syclze_kernel_retain(object.kernel);
  case SYCLZE_OBJECT_BUFFER:
    return syclze_buffer_retain(object.buffer);
  case SYCLZE_OBJECT_IMAGE:
    return syclze_image_retain(object.image);
  case SYCLZE_OBJECT_SAMPLER:
    return syclze_sampler_retain(object.sampler);
  case SYCLZE_OBJECT_NONE:
  default:
    return ZE_RESULT_SUCCESS;
  }
}

SYCLZE_COLD ze_result_t syclze_object_release(syclze_object object) {
  switch (object.kind) {
  case SYCLZE_OBJECT_PLATFORM:
    return syclze_platform_release(object.platform);
  case SYCLZE_OBJECT_DEVICE:
    return syclze_device_release(object.device);
  case SYCLZE_OBJECT_CONTEXT:
    return syclze_context_release(object.context);
  case SYCLZE_OBJECT_QUEUE:
    return syclze_queue_release(object.queue);
  case SYCLZE_OBJECT_EVENT:
    return syclze_event_release(object.event);
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    return syclze_kernel_bundle_release(object.kernel_bundle);
  case SYCLZE_OBJECT_KERNEL:
    return syclze_kernel_release(object.kernel);
  case SYCLZE_OBJECT_BUFFER:
    return syclze_buffer_release(object.buffer);
  case SYCLZE_OBJECT_IMAGE:
    return syclze_image_release(object.image);
  case SYCLZE_OBJECT_SAMPLER:
    return syclze_sampler_release(object.sampler);
  case SYCLZE_OBJECT_NONE:
  default:
    return ZE_RESULT_SUCCESS;
  }
}

SYCLZE_COLD ze_result_t syclze_object_set_owner(syclze_object object, syclze_owner owner) {
  switch (object.kind) {
  case SYCLZE_OBJECT_CONTEXT:
    return syclze_context_set_owner(object.context, owner);
  case SYCLZE_OBJECT_QUEUE:
    return syclze_queue_set_owner(object.queue, owner);
  case SYCLZE_OBJECT_EVENT:
    return syclze_event_set_owner(object.event, owner);
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    return syclze_kernel_bundle_set_owner(object.kernel_bundle, owner);
  case SYCLZE_OBJECT_KERNEL:
    return syclze_kernel_set_owner(object.kernel, owner);
  case SYCLZE_OBJECT_BUFFER:
    return syclze_buffer_set_owner(object.buffer, owner);
  case SYCLZE_OBJECT_IMAGE:
    return syclze_image_set_owner(object.image, owner);
  case SYCLZE_OBJECT_SAMPLER:
    return syclze_sampler_set_owner(object.sampler, owner);
  case SYCLZE_OBJECT_PLATFORM:
  case SYCLZE_OBJECT_DEVICE:
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_object_set_owner",
        "platforms and devices are never released", NULL);
  case SYCLZE_OBJECT_NONE:
  default:
    return syclze__fail(ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_object_set_owner",
        "the object is of no kind", NULL);
  }
}

SYCLZE_COLD syclze_owner syclze_object_get_owner(syclze_object object) {
  const syclze_owner none = {NULL, NULL};
  switch (object.kind) {
  case SYCLZE_OBJECT_CONTEXT:
    return syclze_context_get_owner(object.context);
  case SYCLZE_OBJECT_QUEUE:
    return syclze_queue_get_owner(object.queue);
  case SYCLZE_OBJECT_EVENT:
    return syclze_event_get_owner(object.event);
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    return syclze_kernel_bundle_get_owner(object.kernel_bundle);
  case SYCLZE_OBJECT_KERNEL:
    return syclze_kernel_get_owner(object.kernel);
  case SYCLZE_OBJECT_BUFFER:
    return syclze_buffer_get_owner(object.buffer);
  case SYCLZE_OBJECT_IMAGE:
    return syclze_image_get_owner(object.image);
  case SYCLZE_OBJECT_SAMPLER:
    return syclze_sampler_get_owner(object.sampler);
  case SYCLZE_OBJECT_PLATFORM:
  case SYCLZE_OBJECT_DEVICE:
  case SYCLZE_OBJECT_NONE:
  default:
    return none;
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
