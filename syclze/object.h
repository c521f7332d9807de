/**
 * @file
 * Backends, and tagged unions for code that knows the kind of an object only at run time.
 *
 *     syclze_backend_input input = {0};
 *     input.kind = SYCLZE_OBJECT_EVENT;
 *     input.event.native_handle = handle;
 *     syclze_object object;
 *     if (syclze_make_object(&input, context, &object) == ZE_RESULT_SUCCESS)
 *       syclze_object_release(object);
 *
 * Ownership: the tagged object is the object itself. It may be taken out of the union, and is one
 * reference like any other.
 *
 * Threads: as in the header of the object's kind.
 */
#ifndef SYCLZE_OBJECT_H
#define SYCLZE_OBJECT_H

#include "buffer.h"
#include "image.h"
#include "kernel.h"
#include "queue.h"
#include "sampler.h"

SYCLZE_EXTERN_C_BEGIN

/** SYCL's backends. @see Level-Zero backend 3 */
typedef enum syclze_backend {
  SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO = 0,
  SYCLZE_BACKEND_OPENCL,
  SYCLZE_BACKEND_EXT_ONEAPI_CUDA,
  SYCLZE_BACKEND_EXT_ONEAPI_HIP,
  SYCLZE_BACKEND_EXT_ONEAPI_NATIVE_CPU
} syclze_backend;

/** Kinds of objects. */
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
  SYCLZE_OBJECT_IMAGE,
  SYCLZE_OBJECT_SAMPLER
} syclze_object_kind;

/** backend_input_t of any kind. @see Level-Zero backend 4.1 */
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
    syclze_sampler_input sampler;
  };
} syclze_backend_input;

/** backend_return_t of any kind. @see Level-Zero backend 4.1 */
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
    void *buffer;            /* only from an interop handle */
    ze_image_handle_t image; /* likewise */
    ze_sampler_handle_t sampler;
  };
} syclze_backend_return;

/** An object of any kind. */
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
    syclze_sampler sampler;
  };
} syclze_object;

/**
 * Returns the backend that serves a platform.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_platform_get_backend(syclze_platform object);

/**
 * Returns the backend that serves a device.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_device_get_backend(syclze_device object);

/**
 * Returns the backend that serves a context.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_context_get_backend(syclze_context object);

/**
 * Returns the backend that serves a queue.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_queue_get_backend(syclze_queue object);

/**
 * Returns the backend that serves an event.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_event_get_backend(syclze_event object);

/**
 * Returns the backend that serves a kernel bundle.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_kernel_bundle_get_backend(syclze_kernel_bundle object);

/**
 * Returns the backend that serves a kernel.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_kernel_get_backend(syclze_kernel object);

/**
 * Returns the backend that serves a buffer.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_buffer_get_backend(syclze_buffer object);

/**
 * Returns the backend that serves an image.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_image_get_backend(syclze_image object);

/**
 * Returns the backend that serves a sampler.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_sampler_get_backend(syclze_sampler object);

/**
 * Makes an object of the input's kind, by the make function of this kind.
 *
 * @param[in] input  Not null.
 * @param[in] context  May be null for a platform, a device and a context.
 * @param[out] object  Not null; of kind SYCLZE_OBJECT_NONE on failure.
 * Ownership afterwards: as after the kind's make function. After an error the handle is the
 * caller's.
 * @return What the kind's make function returns, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `object` is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the input has no kind
 * - SYCLZE_RESULT_ERROR_BACKEND_MISMATCH: the backend is not Level Zero
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_make_object(const syclze_backend_input *input,
    syclze_context context, syclze_object *object) SYCLZE_LINK_NAME(syclze_make_object);

/**
 * Returns the native handle of an object, with its kind.
 *
 * @param[in] object  Not null.
 * Ownership afterwards: unchanged.
 * @return The handle; of kind SYCLZE_OBJECT_NONE for a buffer and an image, whose handles are
 * available from an interop handle only.
 * @see Level-Zero backend 4.2, 4.4.3
 */
SYCLZE_COLD syclze_backend_return syclze_object_get_native(syclze_object object)
    SYCLZE_LINK_NAME(syclze_object_get_native);

/**
 * Adds a reference.
 *
 * @param[in] object  No effect for a null object and one without kind.
 * @return What the kind's retain function returns.
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_object_retain(syclze_object object)
    SYCLZE_LINK_NAME(syclze_object_retain);

/**
 * Drops a reference.
 *
 * @param[in] object  No effect for a null object and one without kind.
 * @return What the kind's release function returns.
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_object_release(syclze_object object)
    SYCLZE_LINK_NAME(syclze_object_release);

/**
 * Gives the native handle of an object an owner (owner.h).
 *
 * @param[in] object  Null is refused.
 * @param[in] owner  Its release is not null.
 * Ownership afterwards: the native handle is the owner's. After an error unchanged.
 * @return What the kind's function returns, or
 * - SYCLZE_RESULT_ERROR_INVALID: a platform or a device
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the object has no kind
 * @see Level-Zero backend 4.4 (no counterpart)
 */
SYCLZE_COLD ze_result_t syclze_object_set_owner(syclze_object object, syclze_owner owner)
    SYCLZE_LINK_NAME(syclze_object_set_owner);

/**
 * Returns the owner of an object's native handle.
 *
 * @param[in] object  Not null.
 * @return The owner, unchanged; one without `release` if there is none, as for a platform, a device
 * and an object without kind.
 * @see Level-Zero backend 4.4 (no counterpart)
 */
SYCLZE_COLD syclze_owner syclze_object_get_owner(syclze_object object)
    SYCLZE_LINK_NAME(syclze_object_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/object.h"

#endif
