/* The checker's macros in the names of Level Zero's functions; see check.h. Included last, so that
 * the library's own calls are not changed. */
#ifndef SYCLZE_CHECK_H
#define SYCLZE_CHECK_H

#include "detail/check.h"

#ifdef SYCLZE_CHECK

/* GNU C's statement expressions, so that an argument is evaluated once. */
#define SYCLZE__CHECKED_DESTROY(function, handle)                                                  \
  __extension__({                                                                                  \
    __typeof__(handle) destroyed_ = (handle);                                                      \
    syclze__check_may_destroy(destroyed_, #function) ? (function)(destroyed_)                      \
                                                     : ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE;       \
  })
#define zeContextDestroy(handle) SYCLZE__CHECKED_DESTROY(zeContextDestroy, handle)
#define zeCommandQueueDestroy(handle) SYCLZE__CHECKED_DESTROY(zeCommandQueueDestroy, handle)
#define zeCommandListDestroy(handle) SYCLZE__CHECKED_DESTROY(zeCommandListDestroy, handle)
#define zeEventDestroy(handle) SYCLZE__CHECKED_DESTROY(zeEventDestroy, handle)
#define zeModuleDestroy(handle) SYCLZE__CHECKED_DESTROY(zeModuleDestroy, handle)
#define zeKernelDestroy(handle) SYCLZE__CHECKED_DESTROY(zeKernelDestroy, handle)
#define zeImageDestroy(handle) SYCLZE__CHECKED_DESTROY(zeImageDestroy, handle)
#define zeMemFree(context, memory)                                                                 \
  __extension__({                                                                                  \
    void *destroyed_ = (memory);                                                                   \
    syclze__check_may_destroy(destroyed_, "zeMemFree") ? (zeMemFree)(context, destroyed_)          \
                                                       : ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE;     \
  })

/* What Level Zero allows one thread at a time: the functions on a command list, and those that
 * change a kernel. */
#define SYCLZE__CHECKED_USE(function, handle, ...)                                                 \
  __extension__({                                                                                  \
    __typeof__(handle) used_ = (handle);                                                           \
    bool entered_ = syclze__check_enter(used_, #function);                                         \
    syclze__check_leave(used_, entered_, (function)(used_, __VA_ARGS__));                          \
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

/* The place of a make that is called by its own name. */
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
#define syclze_make_object(...) (SYCLZE__HERE(syclze_make_object)(__VA_ARGS__))
#define syclze_context_create(...) (SYCLZE__HERE(syclze_context_create)(__VA_ARGS__))
#define syclze_queue_create(...) (SYCLZE__HERE(syclze_queue_create)(__VA_ARGS__))
#define syclze_event_create(...) (SYCLZE__HERE(syclze_event_create)(__VA_ARGS__))
#define syclze_kernel_bundle_create(...) (SYCLZE__HERE(syclze_kernel_bundle_create)(__VA_ARGS__))
#define syclze_kernel_create(...) (SYCLZE__HERE(syclze_kernel_create)(__VA_ARGS__))
#define syclze_image_create(...) (SYCLZE__HERE(syclze_image_create)(__VA_ARGS__))
#ifdef __cplusplus
#define syclze_make_native(...) (SYCLZE__HERE(syclze_make_native)(__VA_ARGS__))
#endif

#endif

#endif
