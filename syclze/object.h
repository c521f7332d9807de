/**
 * @file
 * Tagged unions for code that knows the kind of an object only at run time.
 *
 *     syclze_backend_input input = {0};
 *     input.kind = SYCLZE_OBJECT_EVENT;
 *     input.event.native_handle = handle;
 *     syclze_object object;
 *     if (syclze_make_object(&input, context, &object) == ZE_RESULT_SUCCESS)
 *       syclze_object_release(object);
 *
 * Ownership: the tagged object is the object itself. It may be copied out of the union, and is one
 * reference.
 *
 * Threads: as in the header of the object's kind.
 */
#ifndef SYCLZE_OBJECT_H
#define SYCLZE_OBJECT_H

#include "buffer.h"
#include "image.h"
#include "kernel.h"
#include "kinds.h"
#include "queue.h"
#include "sampler.h"

SYCLZE_EXTERN_C_BEGIN

#define SYCLZE__INPUT_MEMBER(kind, ...) syclze_##kind##_input kind;
#define SYCLZE__NATIVE_MEMBER(kind, KIND, value, native, ...) native kind;
#define SYCLZE__OBJECT_MEMBER(kind, ...) syclze_##kind kind;

/** backend_input_t of any kind. @see Level-Zero backend 4.1 */
typedef struct syclze_backend_input {
  syclze_backend backend; /* default: Level Zero; another is refused */
  syclze_object_kind kind;
  union {
    ze_driver_handle_t platform;
    ze_device_handle_t device;
    SYCLZE__COUNTED_KINDS(SYCLZE__INPUT_MEMBER, 0) /* syclze_context_input context; and so on */
  };
} syclze_backend_input;

/** backend_return_t of any kind. @see Level-Zero backend 4.1 */
typedef struct syclze_backend_return {
  syclze_backend backend;
  syclze_object_kind kind;
  union {
    /* ze_driver_handle_t platform; and so on. Handles of buffers and images come from an interop
     * handle only. */
    SYCLZE__KINDS(SYCLZE__NATIVE_MEMBER, 0)
  };
} syclze_backend_return;

/** An object of any kind. */
typedef struct syclze_object {
  syclze_object_kind kind;
  union {
    SYCLZE__KINDS(SYCLZE__OBJECT_MEMBER, 0) /* syclze_platform platform; and so on */
  };
} syclze_object;

#undef SYCLZE__INPUT_MEMBER
#undef SYCLZE__NATIVE_MEMBER
#undef SYCLZE__OBJECT_MEMBER

/**
 * Returns the backend that serves an object.
 *
 * @param[in] object  May be null.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see Level-Zero backend 3.2
 */
SYCLZE_INLINE syclze_backend syclze_platform_get_backend(syclze_platform object);
/** @copydoc syclze_platform_get_backend */
SYCLZE_INLINE syclze_backend syclze_device_get_backend(syclze_device object);
/** @copydoc syclze_platform_get_backend */
SYCLZE_INLINE syclze_backend syclze_context_get_backend(syclze_context object);
/** @copydoc syclze_platform_get_backend */
SYCLZE_INLINE syclze_backend syclze_queue_get_backend(syclze_queue object);
/** @copydoc syclze_platform_get_backend */
SYCLZE_INLINE syclze_backend syclze_event_get_backend(syclze_event object);
/** @copydoc syclze_platform_get_backend */
SYCLZE_INLINE syclze_backend syclze_kernel_bundle_get_backend(syclze_kernel_bundle object);
/** @copydoc syclze_platform_get_backend */
SYCLZE_INLINE syclze_backend syclze_kernel_get_backend(syclze_kernel object);
/** @copydoc syclze_platform_get_backend */
SYCLZE_INLINE syclze_backend syclze_buffer_get_backend(syclze_buffer object);
/** @copydoc syclze_platform_get_backend */
SYCLZE_INLINE syclze_backend syclze_image_get_backend(syclze_image object);
/** @copydoc syclze_platform_get_backend */
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
