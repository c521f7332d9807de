/**
 * @file
 * Contexts: a Level Zero context and the devices that it is used with.
 *
 *     syclze_context_input input = {0};
 *     input.native_handle = handle;
 *     input.device_list = &device;
 *     input.device_count = 1;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_context context;
 *     if (syclze_make_context(&input, &context) == ZE_RESULT_SUCCESS)
 *       syclze_context_release(context);
 *
 * Two objects that wrap one native context are one context: the objects made in either can be used
 * together.
 *
 * Ownership: queues, events, kernel bundles, kernels, buffers and images keep their context. A
 * transferred context is destroyed with the last of these objects and references.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference.
 */
#ifndef SYCLZE_CONTEXT_H
#define SYCLZE_CONTEXT_H

#include "device.h"
#include "owner.h"

SYCLZE_EXTERN_C_BEGIN

/** Who destroys a native handle. @see Level-Zero backend 4.4 */
typedef enum syclze_ownership {
  SYCLZE_OWNERSHIP_TRANSFER = 0, /* the library, with the last reference; the default */
  SYCLZE_OWNERSHIP_KEEP = 1      /* the application, after the last release */
} syclze_ownership;

struct syclze__context;

/** A context; {0} is null. @see SYCL 2020 4.6.3 */
typedef struct syclze_context {
  struct syclze__context *rep;
} syclze_context;

/** Input of syclze_make_context. @see Level-Zero backend 4.1 */
typedef struct syclze_context_input {
  ze_context_handle_t native_handle;
  const syclze_device *device_list; /* read during the call only */
  uint32_t device_count;            /* at least 1 */
  syclze_ownership ownership;       /* default: transfer */
} syclze_context_input;

/**
 * Wraps a native context.
 *
 * @param[in] input  Not null.
 * @param[out] context  Not null; set to null on failure.
 * The devices are those of the driver that created the native context. Level Zero has no query of a
 * context's driver: devices of another one are accepted here, and creations on them in this context
 * fail with Level Zero's error. Ownership afterwards: with transfer the library's, with keep the
 * caller's. After an error the caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `context` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the handle or a device is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the ownership is neither transfer nor keep
 * - SYCLZE_RESULT_ERROR_INVALID: no device; devices of several drivers
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeContextGetStatus returns, except ZE_RESULT_ERROR_DEVICE_LOST
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE ze_result_t syclze_make_context(
    const syclze_context_input *input, syclze_context *context);

/**
 * Creates a native context on devices of one platform.
 *
 * @param[in] device_list  `device_count` devices; not null.
 * @param[in] device_count  At least 1.
 * @param[out] context  Not null; set to null on failure.
 * Ownership afterwards: the native context is the library's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `context` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: a device is null
 * - SYCLZE_RESULT_ERROR_INVALID: no device; devices of several drivers
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeContextCreateEx returns
 * @see SYCL 2020 4.6.3.1
 */
SYCLZE_COLD ze_result_t syclze_context_create(const syclze_device *device_list,
    uint32_t device_count, syclze_context *context) SYCLZE_LINK_NAME(syclze_context_create);

/**
 * Returns the native handle.
 *
 * @param[in] context  Not null.
 * @return The handle. Ownership is unchanged.
 * @see Level-Zero backend 4.2, 4.4.3
 */
SYCLZE_INLINE ze_context_handle_t syclze_context_get_native(syclze_context context);

/**
 * Returns the platform of the context's devices.
 *
 * @param[in] context  Not null.
 * @return The platform, never null.
 * @see SYCL 2020 4.6.3.2
 */
SYCLZE_INLINE syclze_platform syclze_context_get_platform(syclze_context context);

/**
 * Returns the number of devices.
 *
 * @param[in] context  Not null.
 * @return The number, at least 1.
 * @see SYCL 2020 4.6.3.2
 */
SYCLZE_INLINE uint32_t syclze_context_get_device_count(syclze_context context);

/**
 * Returns a device.
 *
 * @param[in] context  Not null.
 * @param[in] index  In the list that the context was made with, from 0; less than the number of
 * devices.
 * @return The device, never null.
 * @see SYCL 2020 4.6.3.2
 */
SYCLZE_INLINE syclze_device syclze_context_get_device(syclze_context context, uint32_t index);

/**
 * Adds a reference.
 *
 * @param[in] object  No effect for null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_context_retain(syclze_context object);

/**
 * Drops a reference. The last one destroys a transferred context. Does not block.
 *
 * @param[in] context  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - what zeContextDestroy returns; the object is released anyway
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_context_release(syclze_context context);

/**
 * Gives the native handle an owner (owner.h): the last release calls it instead of destroying the
 * handle.
 *
 * @param[in] object  Null is refused.
 * @param[in] owner  Its release is not null.
 * Ownership afterwards: the native handle is the owner's. After an error unchanged.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the object is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: the owner's release is null
 * - SYCLZE_RESULT_ERROR_INVALID: the object has an owner already
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the owner
 * @see Level-Zero backend 4.4 (no counterpart)
 */
SYCLZE_COLD ze_result_t syclze_context_set_owner(syclze_context object, syclze_owner owner)
    SYCLZE_LINK_NAME(syclze_context_set_owner);

/**
 * Returns the owner of the native handle.
 *
 * @param[in] object  Not null.
 * @return The owner, unchanged; one without `release` if there is none.
 * @see Level-Zero backend 4.4 (no counterpart)
 */
SYCLZE_COLD syclze_owner syclze_context_get_owner(syclze_context object)
    SYCLZE_LINK_NAME(syclze_context_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/objects/context.h"

#endif
