/**
 * @file
 * The debug checker: with SYCLZE_CHECK defined before the first include, the library tracks the
 * handles and objects of a source file, and reports to the diagnostic handler
 *
 * - a handle that is given twice with transfer: the second make is refused
 * - a handle that the application destroys while it is wrapped by an object, which only other
 *   objects may still keep: the call has no effect and returns ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE
 * - an object that is released again, or used, after its last release: the call is refused
 * - the native handle of a null object, which is null then; unchecked, get_native is a load
 * - a command list or a kernel that two threads use at once (Level-Zero backend 4.4.4)
 * - a thread's wait for work that depends on the host accessor that it used last, or on the
 * function of a host task or native command that it runs: the wait is refused
 * - a launch with an argument of another size or kind (integer, floating-point number, pointer,
 * local memory, image, sampler) than the kernel's parameter, in modules that a checked file has
 * built from SPIR-V by syclze_kernel_bundle_create or zeModuleCreate: the launch is refused
 * - data of the host that end before the last release of their buffer. On the stack of a function
 *   that has returned, or unmapped: nothing is written to them. Freed by syclze_free or zeMemFree,
 *   or by free in C files that also define SYCLZE_CHECK_FREE, which makes free a macro: the call
 *   has no effect
 * - copies, fills and hints of memory that exceeds its allocation, which are refused
 * - at exit: handles that are still wrapped; graphs, host accessors, IPC memory and event pools,
 *   growable memory, pools of memory and external semaphores that are not released; groups without
 *   an action or an end
 *
 * The detail of a diagnostic has the object's kind, the file and line of its make, and of the last
 * release:
 *
 *     #define SYCLZE_CHECK
 *     #include "syclze/syclze.h"
 *     // syclze: syclze_event_release: SYCLZE_RESULT_ERROR_INVALID: the object is used after its
 *     // last release: event made at main.c:20, released at main.c:24
 *
 * manual/mistakes.md has a hundred typical mistakes, and the reports with and without the checker.
 *
 * Define it in all source files of a program: calls in other files are not checked. The memory of
 * the last 262,144 released objects is kept, and a use after release detected that long. Calls of
 * Level Zero are checked in files that include this file, by macros with the names of its
 * functions; syclze.h includes it. Without the definition nothing of it is compiled. In the child
 * of a fork nothing is checked.
 *
 * Threads: any.
 */
#include "syclze.h"

#ifndef SYCLZE_CHECK_H
#define SYCLZE_CHECK_H

#ifdef SYCLZE_CHECK

/* Statement expressions of GNU C evaluate an argument once. */
#define SYCLZE__CHECKED_DESTROY(function, handle)                                                  \
  __extension__({                                                                                  \
    __typeof__(handle) syclze__destroyed = (handle);                                               \
    syclze__check_may_destroy(syclze__destroyed, #function)                                        \
        ? syclze_ze(function)(syclze__destroyed)                                                   \
        : ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE;                                                    \
  })
#ifdef SYCLZE_CHECK_FREE
#define free(memory) syclze__check_free_host(memory)
#endif
#define zeContextDestroy(handle) SYCLZE__CHECKED_DESTROY(zeContextDestroy, handle)
#define zeCommandQueueDestroy(handle) SYCLZE__CHECKED_DESTROY(zeCommandQueueDestroy, handle)
#define zeCommandListDestroy(handle) SYCLZE__CHECKED_DESTROY(zeCommandListDestroy, handle)
#define zeEventDestroy(handle) SYCLZE__CHECKED_DESTROY(zeEventDestroy, handle)
#define zeModuleCreate(...) syclze__check_module_create(__VA_ARGS__)
#define zeModuleDestroy(handle) SYCLZE__CHECKED_DESTROY(zeModuleDestroy, handle)
#define zeKernelDestroy(handle) SYCLZE__CHECKED_DESTROY(zeKernelDestroy, handle)
#define zeImageDestroy(handle) SYCLZE__CHECKED_DESTROY(zeImageDestroy, handle)
#define zeSamplerDestroy(handle) SYCLZE__CHECKED_DESTROY(zeSamplerDestroy, handle)
#define zeMemFree(context, memory)                                                                 \
  __extension__({                                                                                  \
    void *syclze__destroyed = (memory);                                                            \
    syclze__check_may_destroy(syclze__destroyed, "zeMemFree")                                      \
        ? syclze_ze(zeMemFree)(context, syclze__destroyed)                                         \
        : ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE;                                                    \
  })

/* Functions that Level Zero allows one thread at a time for a handle: those on a command list, and
 * those that change a kernel. */
#define SYCLZE__CHECKED_USE(function, handle, ...)                                                 \
  __extension__({                                                                                  \
    __typeof__(handle) syclze__used = (handle);                                                    \
    bool syclze__entered = syclze__check_enter(syclze__used, #function);                           \
    syclze__check_leave(                                                                           \
        syclze__used, syclze__entered, syclze_ze(function)(syclze__used, __VA_ARGS__));            \
  })
#define zeCommandListAppendLaunchKernel(handle, ...)                                               \
  SYCLZE__CHECKED_USE(zeCommandListAppendLaunchKernel, handle, __VA_ARGS__)
#define zeCommandListAppendLaunchCooperativeKernel(handle, ...)                                    \
  SYCLZE__CHECKED_USE(zeCommandListAppendLaunchCooperativeKernel, handle, __VA_ARGS__)
#define zeCommandListAppendLaunchKernelIndirect(handle, ...)                                       \
  SYCLZE__CHECKED_USE(zeCommandListAppendLaunchKernelIndirect, handle, __VA_ARGS__)
#define zeCommandListAppendMemoryCopy(handle, ...)                                                 \
  SYCLZE__CHECKED_USE(zeCommandListAppendMemoryCopy, handle, __VA_ARGS__)
#define zeCommandListAppendMemoryCopyRegion(handle, ...)                                           \
  SYCLZE__CHECKED_USE(zeCommandListAppendMemoryCopyRegion, handle, __VA_ARGS__)
#define zeCommandListAppendMemoryFill(handle, ...)                                                 \
  SYCLZE__CHECKED_USE(zeCommandListAppendMemoryFill, handle, __VA_ARGS__)
#define zeCommandListAppendBarrier(handle, ...)                                                    \
  SYCLZE__CHECKED_USE(zeCommandListAppendBarrier, handle, __VA_ARGS__)
#define zeCommandListAppendSignalEvent(handle, ...)                                                \
  SYCLZE__CHECKED_USE(zeCommandListAppendSignalEvent, handle, __VA_ARGS__)
#define zeCommandListAppendWaitOnEvents(handle, ...)                                               \
  SYCLZE__CHECKED_USE(zeCommandListAppendWaitOnEvents, handle, __VA_ARGS__)
#define zeCommandListAppendEventReset(handle, ...)                                                 \
  SYCLZE__CHECKED_USE(zeCommandListAppendEventReset, handle, __VA_ARGS__)
#define zeKernelSetArgumentValue(handle, ...)                                                      \
  SYCLZE__CHECKED_USE(zeKernelSetArgumentValue, handle, __VA_ARGS__)
#define zeKernelSetGroupSize(handle, ...)                                                          \
  SYCLZE__CHECKED_USE(zeKernelSetGroupSize, handle, __VA_ARGS__)
#define zeKernelSetIndirectAccess(handle, ...)                                                     \
  SYCLZE__CHECKED_USE(zeKernelSetIndirectAccess, handle, __VA_ARGS__)

/* The call site of a make or a release. */
#define syclze_make_context(...) (SYCLZE__HERE(syclze_make_context)(__VA_ARGS__))
#define syclze_make_queue(...) (SYCLZE__HERE(syclze_make_queue)(__VA_ARGS__))
#define syclze_make_queue_v1(...) (SYCLZE__HERE(syclze_make_queue_v1)(__VA_ARGS__))
#define syclze_make_queue_v3(...) (SYCLZE__HERE(syclze_make_queue_v3)(__VA_ARGS__))
#define syclze_make_event(...) (SYCLZE__HERE(syclze_make_event)(__VA_ARGS__))
#define syclze_make_kernel_bundle(...) (SYCLZE__HERE(syclze_make_kernel_bundle)(__VA_ARGS__))
#define syclze_make_kernel(...) (SYCLZE__HERE(syclze_make_kernel)(__VA_ARGS__))
#define syclze_make_buffer(...) (SYCLZE__HERE(syclze_make_buffer)(__VA_ARGS__))
#define syclze_make_buffer_after(...) (SYCLZE__HERE(syclze_make_buffer_after)(__VA_ARGS__))
#define syclze_make_image(...) (SYCLZE__HERE(syclze_make_image)(__VA_ARGS__))
#define syclze_make_image_after(...) (SYCLZE__HERE(syclze_make_image_after)(__VA_ARGS__))
#define syclze_make_sampler(...) (SYCLZE__HERE(syclze_make_sampler)(__VA_ARGS__))
#define syclze_make_object(...) (SYCLZE__HERE(syclze_make_object)(__VA_ARGS__))
#define syclze_context_create(...) (SYCLZE__HERE(syclze_context_create)(__VA_ARGS__))
#define syclze_queue_create(...) (SYCLZE__HERE(syclze_queue_create)(__VA_ARGS__))
#define syclze_event_create(...) (SYCLZE__HERE(syclze_event_create)(__VA_ARGS__))
#define syclze_kernel_bundle_create(...) (SYCLZE__HERE(syclze_kernel_bundle_create)(__VA_ARGS__))
#define syclze_kernel_create(...) (SYCLZE__HERE(syclze_kernel_create)(__VA_ARGS__))
#define syclze_image_create(...) (SYCLZE__HERE(syclze_image_create)(__VA_ARGS__))
#define syclze_sampler_create(...) (SYCLZE__HERE(syclze_sampler_create)(__VA_ARGS__))
#define syclze_context_release(...) (SYCLZE__HERE(syclze_context_release)(__VA_ARGS__))
#define syclze_queue_release(...) (SYCLZE__HERE(syclze_queue_release)(__VA_ARGS__))
#define syclze_event_release(...) (SYCLZE__HERE(syclze_event_release)(__VA_ARGS__))
#define syclze_kernel_bundle_release(...) (SYCLZE__HERE(syclze_kernel_bundle_release)(__VA_ARGS__))
#define syclze_kernel_release(...) (SYCLZE__HERE(syclze_kernel_release)(__VA_ARGS__))
#define syclze_buffer_release(...) (SYCLZE__HERE(syclze_buffer_release)(__VA_ARGS__))
#define syclze_image_release(...) (SYCLZE__HERE(syclze_image_release)(__VA_ARGS__))
#define syclze_sampler_release(...) (SYCLZE__HERE(syclze_sampler_release)(__VA_ARGS__))
#define syclze_object_release(...) (SYCLZE__HERE(syclze_object_release)(__VA_ARGS__))
#ifdef __cplusplus
#define syclze_make_native(...) (SYCLZE__HERE(syclze_make_native)(__VA_ARGS__))
#define syclze_release(...) (SYCLZE__HERE(syclze_release)(__VA_ARGS__))
#endif

#endif

#endif
