/**
 * @file
 * Interop handles: the native queue, device, context and memory of a host task or a native command.
 *
 *     ze_result_t task(syclze_interop_handle handle, void *argument) {
 *       void *memory;
 *       return syclze_get_native_mem(handle, *(syclze_accessor *)argument, &memory);
 *     }
 *
 * Only the library makes interop handles, each for one call of the application's function. After
 * the call every function refuses a copy of it, and the zero handle at any time, with
 * SYCLZE_RESULT_ERROR_INVALID. Ownership: the native handles are for use within the call; no
 * ownership changes.
 *
 * Threads: the thread that runs the function, and those that it waits for, one at a time.
 */
#ifndef SYCLZE_COMMAND_INTEROP_HANDLE_H
#define SYCLZE_COMMAND_INTEROP_HANDLE_H

#include "../object.h"
#include "accessor.h"

SYCLZE_EXTERN_C_BEGIN

/** An interop handle. All members are private. */
typedef struct syclze_interop_handle {
  struct syclze__interop *rep;
  uint64_t serial; /* of the call that the handle is for */
} syclze_interop_handle;

/**
 * The backend of the queue.
 *
 * @param[in] handle  Any.
 * @return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @see interop-handle, get_backend
 */
SYCLZE_INLINE syclze_backend syclze_interop_handle_get_backend(syclze_interop_handle handle);

/**
 * The queue that the command group was submitted to; after a fallback, the secondary one.
 *
 * An immediate list is for one thread at a time: from this call of a host task until its function
 * returns, and while the function of a native command runs, the library appends nothing to the
 * list; submissions meanwhile wait for the function. Functions of native commands to one list run
 * one after the other. The application must serialise several host tasks that use one list at once,
 * or a host task and a native command. Commands that a task leaves in a command queue, and neither
 * waits for nor names, must be done before the queue's last release.
 *
 * @param[in] handle  Valid.
 * @param[out] queue  Not null; set to no queue on failure. No ownership changes.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not valid any more.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `queue` is null.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, and what zeCommandListAppendBarrier and the creation of an
 *   event return: the commands before the task cannot be marked.
 * @see interop-handle, get_native_queue
 */
SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_queue(syclze_interop_handle handle,
    syclze_native_queue *queue) SYCLZE_LINK_NAME(syclze_interop_handle_get_native_queue);

/**
 * The queue's device.
 *
 * @param[in] handle  Valid.
 * @param[out] device  Not null; set to null on failure. No ownership changes.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not valid any more.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `device` is null.
 * @see interop-handle, get_native_device
 */
SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_device(syclze_interop_handle handle,
    ze_device_handle_t *device) SYCLZE_LINK_NAME(syclze_interop_handle_get_native_device);

/**
 * The queue's context.
 *
 * @param[in] handle  Valid.
 * @param[out] context  Not null; set to null on failure. No ownership changes.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not valid any more.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `context` is null.
 * @see interop-handle, get_native_context
 */
SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_context(syclze_interop_handle handle,
    ze_context_handle_t *context) SYCLZE_LINK_NAME(syclze_interop_handle_get_native_context);

/**
 * The allocation of a buffer's accessor: the memory itself, not a copy, from its first byte,
 * whatever part the accessor covers.
 *
 * @param[in] handle  Valid.
 * @param[in] accessor  Equal to one that the command group required: the same memory, part and
 * access.
 * @param[out] memory  Not null; set to null on failure. No ownership changes.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not valid any more, or the accessor does not belong
 *   to the command group or is an image's.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` is null.
 * @see interop-handle, get_native_mem
 */
SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_buffer(
    syclze_interop_handle handle, syclze_accessor accessor, void **memory)
    SYCLZE_LINK_NAME(syclze_interop_handle_get_native_buffer);

/**
 * The image of an accessor, sampled or not.
 *
 * @param[in] handle  Valid.
 * @param[in] accessor  Equal to one that the command group required: the same memory, part and
 * access.
 * @param[out] image  Not null; set to null on failure. No ownership changes.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not valid any more, or the accessor does not belong
 *   to the command group or is a buffer's.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `image` is null.
 * @see interop-handle, get_native_mem
 */
SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_image(
    syclze_interop_handle handle, syclze_accessor accessor, ze_image_handle_t *image)
    SYCLZE_LINK_NAME(syclze_interop_handle_get_native_image);

/**
 * Any of the above, by a kind that is known at run time: a queue, a device, a context, a buffer or
 * an image.
 *
 * @param[in] handle  Valid.
 * @param[in] backend  SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO.
 * @param[in] kind  The kind of object.
 * @param[in] accessor  Of a buffer or an image; may be null else.
 * @param[out] native  Not null; of kind SYCLZE_OBJECT_NONE on failure. No ownership changes.
 * @return ZE_RESULT_SUCCESS; as the functions above; or
 * - SYCLZE_RESULT_ERROR_BACKEND_MISMATCH: another backend.
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: another kind.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `native` or a necessary `accessor` is null.
 * @see interop-handle, template member functions get_native_*
 */
SYCLZE_COLD ze_result_t syclze_interop_handle_get_native(syclze_interop_handle handle,
    syclze_backend backend, syclze_object_kind kind, const syclze_accessor *accessor,
    syclze_backend_return *native) SYCLZE_LINK_NAME(syclze_interop_handle_get_native);

/**
 * The native events that a native command must wait for; none for a host task, which runs when they
 * are signalled.
 *
 * @param[in] handle  Valid.
 * @param[out] count  Not null; number of events, 0 on failure.
 * @param[out] events  Not null; valid as long as the handle, null on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not valid any more.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` or `events` is null.
 * @see interop-handle (no counterpart); SYCL_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND
 */
SYCLZE_COLD ze_result_t syclze_interop_handle_get_wait_list(
    syclze_interop_handle handle, uint32_t *count, const ze_event_handle_t **events)
    SYCLZE_LINK_NAME(syclze_interop_handle_get_wait_list);

/**
 * Adds a native event that must be signalled before the command group is complete. It may be
 * signalled after the function has returned.
 *
 * @param[in] handle  Valid.
 * @param[in] event  Not null. The application keeps it, and it must live until the group's event is
 * signalled.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not valid any more.
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `event` is null.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * @see interop-handle (no counterpart); SYCL_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND
 */
SYCLZE_COLD ze_result_t syclze_interop_handle_add_event(syclze_interop_handle handle,
    ze_event_handle_t event) SYCLZE_LINK_NAME(syclze_interop_handle_add_event);

#ifndef __cplusplus
/** The native memory of an accessor, by the result's type: a ze_image_handle_t * or a pointer to a
 * pointer of any type. */
#define syclze_get_native_mem(handle, accessor, result)                                            \
  _Generic((result), ze_image_handle_t *                                                           \
           : syclze_interop_handle_get_native_image(                                               \
                 handle, accessor, (ze_image_handle_t *)(void *)(result)),                         \
           default                                                                                 \
           : syclze_interop_handle_get_native_buffer(handle, accessor, (void **)(void *)(result)))
#else
extern "C++" {
/** @copydoc syclze_interop_handle_get_native_image */
SYCLZE_INLINE ze_result_t syclze_get_native_mem(
    syclze_interop_handle handle, syclze_accessor accessor, ze_image_handle_t *image) {
  return syclze_interop_handle_get_native_image(handle, accessor, image);
}
/** @copydoc syclze_interop_handle_get_native_buffer */
template <typename T>
SYCLZE_INLINE ze_result_t syclze_get_native_mem(
    syclze_interop_handle handle, syclze_accessor accessor, T **memory) {
  return syclze_interop_handle_get_native_buffer(handle, accessor, (void **)memory);
}
}
#endif

SYCLZE_EXTERN_C_END

#include "detail/host/interop_handle.h"

#endif
