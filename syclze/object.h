/* Backends, and tagged unions for code that learns the kind of an object at run time.
 *
 *     syclze_backend_input input = {0};
 *     input.kind = SYCLZE_OBJECT_EVENT;
 *     input.event.native_handle = handle;
 *     syclze_object object;
 *     if (syclze_make_object(&input, context, &object) == ZE_RESULT_SUCCESS)
 *       syclze_object_release(object);
 *
 * An object behind a tag is the object itself: it may be taken out of the union, and counts as one
 * reference like any other. */
#ifndef SYCLZE_BACKEND_H
#define SYCLZE_BACKEND_H

#include "buffer.h"
#include "image.h"
#include "kernel.h"
#include "queue.h"

SYCLZE_EXTERN_C_BEGIN

/* SYCL's backends, of which this library is the first. */
typedef enum syclze_backend {
  SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO = 0,
  SYCLZE_BACKEND_OPENCL,
  SYCLZE_BACKEND_EXT_ONEAPI_CUDA,
  SYCLZE_BACKEND_EXT_ONEAPI_HIP,
  SYCLZE_BACKEND_EXT_ONEAPI_NATIVE_CPU
} syclze_backend;

typedef enum syclze_object_kind {
  SYCLZE_OBJECT_NONE = 0, /* refused */
  SYCLZE_OBJECT_PLATFORM,
  SYCLZE_OBJECT_DEVICE,
  SYCLZE_OBJECT_CONTEXT,
  SYCLZE_OBJECT_QUEUE,
  SYCLZE_OBJECT_EVENT,
  SYCLZE_OBJECT_KERNEL_BUNDLE,
  SYCLZE_OBJECT_KERNEL,
  SYCLZE_OBJECT_BUFFER,
  SYCLZE_OBJECT_IMAGE
} syclze_object_kind;

/* What SYCL calls backend_input_t, of any kind. */
typedef struct syclze_backend_input {
  syclze_backend backend; /* default: Level Zero; another is refused */
  syclze_object_kind kind;
  union {
    ze_driver_handle_t platform;
    ze_device_handle_t device;
    syclze_context_input context;
    syclze_queue_input queue;
    syclze_event_input event;
    syclze_kernel_bundle_input kernel_bundle;
    syclze_kernel_input kernel;
    syclze_buffer_input buffer;
    syclze_image_input image;
  };
} syclze_backend_input;

/* What SYCL calls backend_return_t, of any kind. */
typedef struct syclze_backend_return {
  syclze_backend backend;
  syclze_object_kind kind;
  union {
    ze_driver_handle_t platform;
    ze_device_handle_t device;
    ze_context_handle_t context;
    syclze_native_queue queue;
    ze_event_handle_t event;
    syclze_native_modules kernel_bundle;
    ze_kernel_handle_t kernel;
    void *buffer;            /* from an interop handle only */
    ze_image_handle_t image; /* likewise */
  };
} syclze_backend_return;

/* An object of any kind. */
typedef struct syclze_object {
  syclze_object_kind kind;
  union {
    syclze_platform platform;
    syclze_device device;
    syclze_context context;
    syclze_queue queue;
    syclze_event event;
    syclze_kernel_bundle kernel_bundle;
    syclze_kernel kernel;
    syclze_buffer buffer;
    syclze_image image;
  };
} syclze_object;

/* The backend that serves an object: always this one. */
#define SYCLZE__GET_BACKEND(kind)                                                                  \
  SYCLZE_INLINE syclze_backend syclze_##kind##_get_backend(syclze_##kind object) {                 \
    (void)object;                                                                                  \
    return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;                                                   \
  }
SYCLZE__GET_BACKEND(platform)
SYCLZE__GET_BACKEND(device)
SYCLZE__GET_BACKEND(context)
SYCLZE__GET_BACKEND(queue)
SYCLZE__GET_BACKEND(event)
SYCLZE__GET_BACKEND(kernel_bundle)
SYCLZE__GET_BACKEND(kernel)
SYCLZE__GET_BACKEND(buffer)
SYCLZE__GET_BACKEND(image)
#undef SYCLZE__GET_BACKEND

/* Makes an object of the input's kind by that kind's make function, whose errors and ownership
 * apply. `context` may be null for a platform, a device and a context. Errors besides:
 * SYCLZE_RESULT_ERROR_BACKEND_MISMATCH for another backend; ZE_RESULT_ERROR_INVALID_ENUMERATION
 * for no kind. After an error the object's kind is SYCLZE_OBJECT_NONE and the handle is the
 * caller's. */
SYCLZE_COLD ze_result_t syclze_make_object(const syclze_backend_input *input,
    syclze_context context, syclze_object *object) SYCLZE_LINK_NAME(syclze_make_object);

/* The object's native handle behind its kind. The object is not null. Nothing changes hands
 * (4.4.3). A buffer's and an image's is had from an interop handle only (4.2): the answer is of no
 * kind. */
SYCLZE_COLD syclze_backend_return syclze_object_get_native(syclze_object object)
    SYCLZE_LINK_NAME(syclze_object_get_native);

/* Adds a reference. An object of no kind is allowed and has no effect. */
SYCLZE_COLD ze_result_t syclze_object_retain(syclze_object object)
    SYCLZE_LINK_NAME(syclze_object_retain);

/* Drops a reference, by the rules of the kind's release function. */
SYCLZE_COLD ze_result_t syclze_object_release(syclze_object object)
    SYCLZE_LINK_NAME(syclze_object_release);

SYCLZE_COLD ze_result_t syclze_make_object(
    const syclze_backend_input *input, syclze_context context, syclze_object *object) {
  static const char *const function = "syclze_make_object";
  if (object != NULL) memset(object, 0, sizeof *object);
  if (object == NULL || input == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the input's or the result's pointer is null", NULL);
  if (input->backend != SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO)
    return syclze__fail(
        SYCLZE_RESULT_ERROR_BACKEND_MISMATCH, function, "the backend is not Level Zero", NULL);
  ze_result_t result = ZE_RESULT_SUCCESS;
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
  case SYCLZE_OBJECT_NONE:
  default:
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_ENUMERATION, function, "the input is of no kind", NULL);
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
  case SYCLZE_OBJECT_NONE:
  default:
    return ZE_RESULT_SUCCESS;
  }
}

SYCLZE_EXTERN_C_END

#endif
