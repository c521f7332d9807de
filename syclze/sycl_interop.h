/**
 * @file
 * Objects of a SYCL runtime (DPC++) as this library's, and back, in C: without a C++ compiler,
 * SYCL's headers or a link to libsycl.
 *
 *     // pointer: dpctl's SyclQueue.addressof_ref(), PyTorch's current_stream().sycl_queue
 *     syclze_queue shared;
 *     syclze_event filled;
 *     void *sycl_event;
 *     ze_result_t error = syclze_queue_from_sycl(pointer, &shared);
 *     error = syclze_queue_fill(shared, memory, "", 1, 64, NULL, 0, &filled);
 *     error = syclze_event_to_sycl(filled, shared, &sycl_event); // for dpctl.SyclEvent
 *     syclze_release(filled);
 *     syclze_release(shared);
 *
 * What a `void *` points to is a sycl::queue, sycl::event and so on, of the libsycl that the
 * process has loaded, in any scope; for a bundle it is a
 * sycl::kernel_bundle<bundle_state::executable>. The functions are found by their symbols, which
 * DPC++ 2026 exports on Linux. Where there is no libsycl, or one without a symbol that is needed,
 * the call is refused, and the diagnostic's detail is the symbol. In C++, where SYCL's headers are,
 * sycl.hpp has the same with SYCL's types.
 *
 * Ownership: the object that a pointer refers to stays the caller's, and may end after the call.
 * The result holds a reference to the same SYCL object, as a copy of it does. So the native handle
 * is destroyed once, when the last reference on either side is released. A `_to_sycl` function
 * makes a new object in memory of C++'s operator new. It refers to the SYCL object that
 * `_from_sycl` was given, or else to one that the first call hands the native handle over to. Kept
 * handles stay the application's. The caller ends the result by syclze_sycl_delete, or gives it to
 * a function that ends it by C++'s delete: DPCTLEvent_Delete, a capsule of dpctl's. The memory of a
 * device is larger than a sycl::device: an allocator that checks the size of a sized delete needs
 * syclze_sycl_delete.
 *
 * Order: that of sycl.hpp. One SYCL queue is one queue of this library, also where sycl.hpp asks
 * for it. Host tasks of either side, and the commands behind them, are in no native queue until
 * they can run. Each crossing orders what the other side holds back: syclze_queue_from_sycl what
 * SYCL was given before the call; syclze_queue_to_sycl, and syclze_event_to_sycl with a queue, the
 * other way round. A library that shares a queue calls syclze_queue_from_sycl each time that it is
 * entered. Nothing waits on the host.
 *
 * Exceptions: what SYCL throws beyond what is refused here, without memory or with a lost device,
 * leaves through the C frames; the state of the objects is not defined then.
 *
 * Threads: any thread may call any function. The native queue, and the native kernel, of an object
 * that both sides use is for one thread at a time.
 */
#ifndef SYCLZE_SYCL_INTEROP_H
#define SYCLZE_SYCL_INTEROP_H

#include "command.h"
#include "object.h"
#include "owner.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * The platform of a sycl::platform.
 *
 * @param[in] sycl_platform  A const sycl::platform *; null is an error. Stays the caller's.
 * @param[out] platform  Not null; set to null on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: the result's pointer is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: SYCL's object is null.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: no SYCL runtime is loaded, or it lacks a symbol.
 * - SYCLZE_RESULT_ERROR_BACKEND_MISMATCH: the object is of another backend than Level Zero.
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what syclze_make_platform returns.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_platform_from_sycl(const void *sycl_platform,
    syclze_platform *platform) SYCLZE_LINK_NAME(syclze_platform_from_sycl);

/**
 * The device of a sycl::device.
 *
 * @param[in] sycl_device  A const sycl::device *; null is an error. Stays the caller's.
 * @param[out] device  Not null; set to null on failure.
 * @return as syclze_platform_from_sycl, and what syclze_make_device returns.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_device_from_sycl(const void *sycl_device, syclze_device *device)
    SYCLZE_LINK_NAME(syclze_device_from_sycl);

/**
 * The context whose owner is the SYCL context: the same as long as there are references to it.
 *
 * @param[in] sycl_context  A const sycl::context *; null is an error. Stays the caller's.
 * @param[out] context  Not null; a reference of the caller's, set to null on failure.
 * @return as syclze_platform_from_sycl, and what syclze_make_context returns.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_context_from_sycl(const void *sycl_context, syclze_context *context)
    SYCLZE_LINK_NAME(syclze_context_from_sycl);

/**
 * The queue whose owner is the SYCL queue: the same as long as there are references to it. What is
 * submitted to it from here on runs behind what SYCL was given.
 *
 * @param[in] sycl_queue  A const sycl::queue *; null is an error. Stays the caller's.
 * @param[out] queue  Not null; a reference of the caller's, set to null on failure.
 * @return as syclze_platform_from_sycl, and what syclze_make_queue returns, or
 * - SYCLZE_RESULT_ERROR_INVALID: the queue records to a command graph of SYCL's.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: it batches commands in command queues, or is an
 *   in-order queue that is not one in-order list, such as all of adapter v1.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_queue_from_sycl(const void *sycl_queue, syclze_queue *queue)
    SYCLZE_LINK_NAME(syclze_queue_from_sycl);

/**
 * An event whose owner is the SYCL event; its batch, if it is in one, is executed. The event of a
 * host task, of a command behind one, or a default event, has a native event of this library's,
 * which is signalled when SYCL's event is complete, by a host task of SYCL's. It is not for
 * commands of the native list that SYCL will append the awaited command to: syclze_queue_from_sycl
 * orders these.
 *
 * @param[in] sycl_event  A const sycl::event *; null is an error. Stays the caller's. Not an event
 * of a command graph of SYCL's, which seems complete.
 * @param[in] context  That of the event's queue, or another object of the same native one; null is
 * an error. The event keeps it.
 * @param[out] event  Not null; a reference of the caller's, set to null on failure.
 * @return as syclze_platform_from_sycl, and what syclze_make_event or syclze_event_create returns,
 * or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_event_from_sycl(const void *sycl_event, syclze_context context,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_event_from_sycl);

/**
 * A bundle whose owner is the SYCL bundle.
 *
 * @param[in] sycl_kernel_bundle  A const sycl::kernel_bundle<bundle_state::executable> *; null is
 * an error. Stays the caller's.
 * @param[out] kernel_bundle  Not null; a reference of the caller's, set to null on failure.
 * @return as syclze_platform_from_sycl, and what syclze_make_kernel_bundle returns, or
 * - SYCLZE_RESULT_ERROR_INVALID: the bundle has not exactly one module.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_kernel_bundle_from_sycl(const void *sycl_kernel_bundle,
    syclze_kernel_bundle *kernel_bundle) SYCLZE_LINK_NAME(syclze_kernel_bundle_from_sycl);

/**
 * A kernel whose owner is the SYCL kernel, in a wrapper of its bundle.
 *
 * @param[in] sycl_kernel  A const sycl::kernel *; null is an error. Stays the caller's.
 * @param[out] kernel  Not null; a reference of the caller's, set to null on failure.
 * @return as syclze_kernel_bundle_from_sycl, such as ZE_RESULT_ERROR_INVALID_NULL_HANDLE, and what
 * syclze_make_kernel returns.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_kernel_from_sycl(const void *sycl_kernel, syclze_kernel *kernel)
    SYCLZE_LINK_NAME(syclze_kernel_from_sycl);

/**
 * The sycl::platform of a platform.
 *
 * @param[in] platform  Null is an error.
 * @param[out] sycl_platform  Not null; a new sycl::platform *, which the caller owns
 * (syclze_sycl_delete); null on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: the result's pointer is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the object is null.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: no SYCL runtime is loaded, or it lacks a symbol.
 * - SYCLZE_RESULT_ERROR_INVALID: the object has an owner that is not SYCL's.
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_platform_to_sycl(syclze_platform platform, void **sycl_platform)
    SYCLZE_LINK_NAME(syclze_platform_to_sycl);

/**
 * The sycl::device of a device.
 *
 * @param[in] device  Null is an error.
 * @param[out] sycl_device  Not null; a new sycl::device *, which the caller owns
 * (syclze_sycl_delete); null on failure.
 * @return as syclze_platform_to_sycl.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_device_to_sycl(syclze_device device, void **sycl_device)
    SYCLZE_LINK_NAME(syclze_device_to_sycl);

/**
 * The sycl::context of a context. One that SYCL did not make stays this library's or the
 * application's: SYCL never destroys a native context. The SYCL context holds a reference, so that
 * the native one outlives it. Its handler ends the process at an asynchronous error.
 *
 * @param[in] context  Null is an error.
 * @param[out] sycl_context  Not null; a new sycl::context *, which the caller owns
 * (syclze_sycl_delete); null on failure.
 * @return as syclze_platform_to_sycl.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_context_to_sycl(syclze_context context, void **sycl_context)
    SYCLZE_LINK_NAME(syclze_context_to_sycl);

/**
 * The sycl::queue of a queue, such as a function of oneMKL takes. What SYCL is given from here on
 * runs behind what was submitted to an in-order queue.
 *
 * @param[in] queue  Null is an error.
 * @param[out] sycl_queue  Not null; a new sycl::queue *, which the caller owns
 * (syclze_sycl_delete); null on failure. A transferred list is destroyed by SYCL from then on.
 * @return as syclze_platform_to_sycl, or
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: a command queue, or an in-order queue whose list is
 *   not known to be in-order.
 * - SYCLZE_RESULT_ERROR_INVALID: it records to a command graph of SYCL's, and work of this library
 *   is held back.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_queue_to_sycl(syclze_queue queue, void **sycl_queue)
    SYCLZE_LINK_NAME(syclze_queue_to_sycl);

/**
 * The sycl::event of an event; with a queue one of its own, which completes no earlier than the
 * event and all that was submitted to the queue. The event is of a command of the queue, or of any
 * other, and may be released at once.
 *
 * @param[in] event  Null is an error.
 * @param[in] queue  In-order; null only for an event that is not the library's own: not of a
 * command.
 * @param[out] sycl_event  Not null; a new sycl::event *, which the caller owns
 * (syclze_sycl_delete); null on failure.
 * @return as syclze_queue_to_sycl, such as ZE_RESULT_ERROR_INVALID_NULL_HANDLE, or
 * - SYCLZE_RESULT_ERROR_INVALID: the native event is the library's own, and there is no queue; the
 *   queue is not in-order, or records to a command graph of SYCL's.
 * - what zeEventCreate or syclze_queue_set_external_event returns.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_event_to_sycl(syclze_event event, syclze_queue queue,
    void **sycl_event) SYCLZE_LINK_NAME(syclze_event_to_sycl);

/**
 * The sycl::kernel_bundle<bundle_state::executable> of a bundle.
 *
 * @param[in] kernel_bundle  Null is an error.
 * @param[out] sycl_kernel_bundle  Not null; a new object, which the caller owns
 * (syclze_sycl_delete); null on failure. A transferred module is destroyed by SYCL from then on.
 * @return as syclze_platform_to_sycl.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_kernel_bundle_to_sycl(syclze_kernel_bundle kernel_bundle,
    void **sycl_kernel_bundle) SYCLZE_LINK_NAME(syclze_kernel_bundle_to_sycl);

/**
 * The sycl::kernel of a kernel, in the SYCL bundle of its bundle.
 *
 * @param[in] kernel  Null is an error.
 * @param[out] sycl_kernel  Not null; a new sycl::kernel *, which the caller owns
 * (syclze_sycl_delete); null on failure. A transferred kernel is destroyed by SYCL from then on.
 * @return as syclze_platform_to_sycl.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_kernel_to_sycl(syclze_kernel kernel, void **sycl_kernel)
    SYCLZE_LINK_NAME(syclze_kernel_to_sycl);

/**
 * Ends an object of SYCL's that a function of this header has made, as C++'s delete does.
 *
 * @param[in] sycl_object  The caller's; it is freed. No effect for null.
 * @see SYCL 2020 4.5.2 (no counterpart)
 */
SYCLZE_COLD void syclze_sycl_delete(void *sycl_object) SYCLZE_LINK_NAME(syclze_sycl_delete);

SYCLZE_EXTERN_C_END

#include "detail/sycl/interop.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_context_from_sycl(...) (SYCLZE__HERE(syclze_context_from_sycl)(__VA_ARGS__))
#define syclze_queue_from_sycl(...) (SYCLZE__HERE(syclze_queue_from_sycl)(__VA_ARGS__))
#define syclze_event_from_sycl(...) (SYCLZE__HERE(syclze_event_from_sycl)(__VA_ARGS__))
#define syclze_kernel_bundle_from_sycl(...)                                                        \
  (SYCLZE__HERE(syclze_kernel_bundle_from_sycl)(__VA_ARGS__))
#define syclze_kernel_from_sycl(...) (SYCLZE__HERE(syclze_kernel_from_sycl)(__VA_ARGS__))
#endif

#endif
