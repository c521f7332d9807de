/**
 * @file
 * External semaphores: those of other interfaces, such as Vulkan, which command groups signal and
 * wait for. EXPERIMENTAL, and included by name.
 *
 *     #include "syclze/syclze.h"
 *     #include "syclze/command/external_semaphore.h"
 *     static ze_result_t present(syclze_queue queue, syclze_external_semaphore rendered,
 *         syclze_external_semaphore shown) {
 *       ze_result_t result = syclze_queue_wait_external_semaphore(queue, shown, 0, NULL, 0, NULL);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       return syclze_queue_signal_external_semaphore(queue, rendered, 0, NULL, 0, NULL);
 *     }
 *
 * They need Level Zero 1.12, of the loader and of the driver. On an out-of-order queue a command
 * that must follow a wait depends on the wait's event.
 *
 * Ownership: a semaphore keeps its context. Its release does not wait: the semaphore must outlive
 * the commands that use it.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference, and each group is one thread's.
 */
#ifndef SYCLZE_COMMAND_EXTERNAL_SEMAPHORE_H
#define SYCLZE_COMMAND_EXTERNAL_SEMAPHORE_H

#include "../command.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__semaphore;

/** An external semaphore; {0} is null. @see sycl_ext_oneapi_bindless_images (external_semaphore) */
typedef struct syclze_external_semaphore {
  struct syclze__semaphore *rep;
} syclze_external_semaphore;

/** Types of semaphores, as file descriptors and as handles of Windows. @see Level Zero,
 * ze_external_semaphore_ext_flag_t */
typedef enum syclze_external_semaphore_type {
  SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD = 1 << 0,
  SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_WIN32 = 1 << 1,     /* an NT handle */
  SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_WIN32_KMT = 1 << 2, /* a global share handle */
  SYCLZE_EXTERNAL_SEMAPHORE_D3D12_FENCE = 1 << 3,
  SYCLZE_EXTERNAL_SEMAPHORE_D3D11_FENCE = 1 << 4,
  SYCLZE_EXTERNAL_SEMAPHORE_KEYED_MUTEX = 1 << 5,
  SYCLZE_EXTERNAL_SEMAPHORE_KEYED_MUTEX_KMT = 1 << 6,
  SYCLZE_EXTERNAL_SEMAPHORE_TIMELINE_FD = 1 << 7, /* Vulkan's, with a value that rises */
  SYCLZE_EXTERNAL_SEMAPHORE_TIMELINE_WIN32 = 1 << 8
} syclze_external_semaphore_type;

/**
 * Imports the semaphore of a file descriptor.
 *
 * @param[in] fd  Not negative.
 * @param[in] type  Of the semaphore.
 * @param[in] device  In the context; null is refused. Commands on its queues use the semaphore.
 * @param[in] context  Null is refused. The semaphore keeps it.
 * @param[out] semaphore  Not null; set to null on failure.
 * Ownership afterwards: a reference of the caller's; the descriptor is the driver's after success,
 * and after an error the caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `semaphore` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device or the context is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - ZE_RESULT_ERROR_INVALID_ARGUMENT: the descriptor is negative
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the type is not one of file descriptors
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the loader has no zeDeviceImportExternalSemaphoreExt,
 * which is of Level Zero 1.12
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeDeviceImportExternalSemaphoreExt returns
 * @see Level Zero, zeDeviceImportExternalSemaphoreExt
 */
SYCLZE_COLD ze_result_t syclze_external_semaphore_import(int fd,
    syclze_external_semaphore_type type, syclze_device device, syclze_context context,
    syclze_external_semaphore *semaphore) SYCLZE_LINK_NAME(syclze_external_semaphore_import);

/**
 * Imports the semaphore of a handle of Windows.
 *
 * @param[in] handle  Of the type; not null.
 * @param[in] type  Of the semaphore; not SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD or _TIMELINE_FD.
 * @param[in] device  In the context; null is refused. Commands on its queues use the semaphore.
 * @param[in] context  Null is refused. The semaphore keeps it.
 * @param[out] semaphore  Not null; set to null on failure.
 * Ownership afterwards: a reference of the caller's; the handle stays the caller's, who may close
 * an NT handle after the import.
 * @return As syclze_external_semaphore_import, except for the descriptor; and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `semaphore` or `handle` is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the type is not one of handles
 * @see Level Zero, ze_external_semaphore_win32_ext_desc_t
 */
SYCLZE_COLD ze_result_t syclze_external_semaphore_import_win32(void *handle,
    syclze_external_semaphore_type type, syclze_device device, syclze_context context,
    syclze_external_semaphore *semaphore) SYCLZE_LINK_NAME(syclze_external_semaphore_import_win32);

/**
 * Returns the native handle.
 *
 * @param[in] semaphore  Not null.
 * @return The ze_external_semaphore_ext_handle_t, a type that older headers lack. Ownership is
 * unchanged.
 * @see Level Zero, ze_external_semaphore_ext_handle_t
 */
SYCLZE_COLD void *syclze_external_semaphore_get_native(syclze_external_semaphore semaphore)
    SYCLZE_LINK_NAME(syclze_external_semaphore_get_native);

/**
 * Adds a reference.
 *
 * @param[in] semaphore  No effect for null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_external_semaphore_retain(syclze_external_semaphore semaphore)
    SYCLZE_LINK_NAME(syclze_external_semaphore_retain);

/**
 * Drops a reference. The last one releases the native semaphore.
 *
 * @param[in] semaphore  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - the first that zeDeviceReleaseExternalSemaphoreExt and the release of the context return; the
 *   object is released anyway
 * @see Level Zero, zeDeviceReleaseExternalSemaphoreExt
 */
SYCLZE_COLD ze_result_t syclze_external_semaphore_release(syclze_external_semaphore semaphore)
    SYCLZE_LINK_NAME(syclze_external_semaphore_release);

/**
 * Waits, in the queue, for a semaphore.
 *
 * @param[in,out] group  Not null.
 * @param[in] semaphore  Of the queue's device; null is an error.
 * @param[in] value  Of a timeline: the least to wait for. Ignored for others.
 * @param[out] event  Signalled after the wait; may be null. The caller owns the reference.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the semaphore is null
 * - SYCLZE_RESULT_ERROR_INVALID: the semaphore is of another device; the queue records to a graph
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the loader has no such append
 * - what other commands of a group and zeCommandListAppendWaitExternalSemaphoreExt return
 * @see sycl_ext_oneapi_bindless_images (handler::ext_oneapi_wait_external_semaphore)
 */
SYCLZE_COLD ze_result_t syclze_group_wait_external_semaphore(
    syclze_group *group, syclze_external_semaphore semaphore, uint64_t value, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_wait_external_semaphore);

/**
 * Signals a semaphore, once the group's dependencies are done, and on an in-order queue all earlier
 * work.
 *
 * @param[in,out] group  Not null.
 * @param[in] semaphore  Of the queue's device; null is an error.
 * @param[in] value  Of a timeline: what it is raised to. Ignored for others.
 * @param[out] event  Signalled with it; may be null. The caller owns the reference.
 * @return As syclze_group_wait_external_semaphore, of
 * zeCommandListAppendSignalExternalSemaphoreExt.
 * @see sycl_ext_oneapi_bindless_images (handler::ext_oneapi_signal_external_semaphore)
 */
SYCLZE_COLD ze_result_t syclze_group_signal_external_semaphore(
    syclze_group *group, syclze_external_semaphore semaphore, uint64_t value, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_signal_external_semaphore);

/**
 * Waits, in a queue, for a semaphore without a group object, as
 * syclze_group_wait_external_semaphore, which diagnostics name.
 *
 * @param[in] queue  Null is an error.
 * @param[in] semaphore  Of the queue's device; null is an error.
 * @param[in] value  Of a timeline: the least to wait for. Ignored for others.
 * @param[in] waits, wait_count  Events that the wait follows, and their number; null events are
 * complete, and `waits` may be null for none.
 * @param[out] event  Signalled after the wait; may be null. The caller owns the reference.
 * @return As syclze_group_wait_external_semaphore, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `waits` is null and `wait_count` is not 0
 * @see sycl_ext_oneapi_bindless_images (queue::ext_oneapi_wait_external_semaphore)
 */
SYCLZE_COLD ze_result_t syclze_queue_wait_external_semaphore(syclze_queue queue,
    syclze_external_semaphore semaphore, uint64_t value, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_wait_external_semaphore);

/**
 * Signals a semaphore without a group object, as syclze_group_signal_external_semaphore, which
 * diagnostics name.
 *
 * @param[in] queue  Null is an error.
 * @param[in] semaphore  Of the queue's device; null is an error.
 * @param[in] value  Of a timeline: what it is raised to. Ignored for others.
 * @param[in] waits, wait_count  Events that the signal follows, and their number; null events are
 * complete, and `waits` may be null for none.
 * @param[out] event  Signalled with it; may be null. The caller owns the reference.
 * @return As syclze_queue_wait_external_semaphore, of syclze_group_signal_external_semaphore.
 * @see sycl_ext_oneapi_bindless_images (queue::ext_oneapi_signal_external_semaphore)
 */
SYCLZE_COLD ze_result_t syclze_queue_signal_external_semaphore(syclze_queue queue,
    syclze_external_semaphore semaphore, uint64_t value, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_signal_external_semaphore);

SYCLZE_EXTERN_C_END

/* The place in the list of kinds. */
#undef SYCLZE__WITH_EXTERNAL_SEMAPHORES
#define SYCLZE__WITH_EXTERNAL_SEMAPHORES(...) __VA_ARGS__
SYCLZE__OVERLOAD_RETAIN(external_semaphore)
SYCLZE__OVERLOAD_RELEASE(external_semaphore)

#include "detail/commands/external_semaphore.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_external_semaphore_import(...)                                                      \
  (SYCLZE__HERE(syclze_external_semaphore_import)(__VA_ARGS__))
#define syclze_external_semaphore_import_win32(...)                                                \
  (SYCLZE__HERE(syclze_external_semaphore_import_win32)(__VA_ARGS__))
#define syclze_external_semaphore_release(...)                                                     \
  (SYCLZE__HERE(syclze_external_semaphore_release)(__VA_ARGS__))
#endif

#endif
