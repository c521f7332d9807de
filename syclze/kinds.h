/**
 * @file
 * The kinds of objects, in one list, and SYCL's backends.
 *
 *     syclze_object object;
 *     object.kind = SYCLZE_OBJECT_EVENT;
 *
 * The list generates all that exists once for each kind: the tagged unions and their functions
 * (object.h), the generic forms (native.h), the guards (scope.h), and the traces of retains and
 * releases. A new kind is a line here, and a header of its own. Kinds that are not in syclze.h take
 * part in syclze_retain and syclze_release in files that include their header.
 *
 * Threads: constants only.
 */
#ifndef SYCLZE_KINDS_H
#define SYCLZE_KINDS_H

#include "config.h"

/** SYCL's backends. @see Level-Zero backend 3 */
typedef enum syclze_backend {
  SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO = 0,
  SYCLZE_BACKEND_OPENCL,
  SYCLZE_BACKEND_EXT_ONEAPI_CUDA,
  SYCLZE_BACKEND_EXT_ONEAPI_HIP,
  SYCLZE_BACKEND_EXT_ONEAPI_NATIVE_CPU
} syclze_backend;

/* clang-format off */
/* X(kind, KIND, value, native, path, ur, y): the name, its enumerator's name and value, the type of
 * the native handle, its member in the private struct, the name in the runtime interface, and an
 * argument of the list's user, 0 for none. */
#define SYCLZE__ENUMERATED_KINDS(X, y)                                              \
  X(platform, PLATFORM, 1, ze_driver_handle_t, native, Platform, y)                 \
  X(device, DEVICE, 2, ze_device_handle_t, native, Device, y)
#define SYCLZE__CONTEXT_KIND(X, y)                                                  \
  X(context, CONTEXT, 3, ze_context_handle_t, native, Context, y)
#define SYCLZE__QUEUE_KIND(X, y)                                                    \
  X(queue, QUEUE, 4, syclze_native_queue, native.queue, Queue, y)
#define SYCLZE__CHILD_KINDS(X, y)                                                   \
  X(event, EVENT, 5, ze_event_handle_t, native, Event, y)                           \
  X(kernel_bundle, KERNEL_BUNDLE, 6, syclze_native_modules, modules[0], Program, y) \
  X(kernel, KERNEL, 7, ze_kernel_handle_t, native, Kernel, y)                       \
  X(sampler, SAMPLER, 10, ze_sampler_handle_t, memory.native, Sampler, y)
/* Kinds whose native handles are available from an interop handle only. */
#define SYCLZE__MEMORY_KINDS(X, y)                                                  \
  X(buffer, BUFFER, 8, void *, memory.native, Mem, y)                               \
  X(image, IMAGE, 9, ze_image_handle_t, memory.native, Mem, y)

/* Kinds made in a context. */
#define SYCLZE__CONTAINED_KINDS(X, y) \
  SYCLZE__QUEUE_KIND(X, y) SYCLZE__CHILD_KINDS(X, y) SYCLZE__MEMORY_KINDS(X, y)
/* Counted kinds: a retain and a release have an effect, and the handle may have an owner. */
#define SYCLZE__COUNTED_KINDS(X, y) SYCLZE__CONTEXT_KIND(X, y) SYCLZE__CONTAINED_KINDS(X, y)
/* Kinds with a function that returns the native handle. */
#define SYCLZE__NATIVE_KINDS(X, y)                                   \
  SYCLZE__ENUMERATED_KINDS(X, y) SYCLZE__CONTEXT_KIND(X, y)          \
  SYCLZE__QUEUE_KIND(X, y) SYCLZE__CHILD_KINDS(X, y)
#define SYCLZE__KINDS(X, y) SYCLZE__ENUMERATED_KINDS(X, y) SYCLZE__COUNTED_KINDS(X, y)

/* Counted kinds without a native handle that could be wrapped. Each of these headers redefines its
 * macro as `__VA_ARGS__`, so that the list has the declared kinds. */
#define SYCLZE__WITH_EXTERNAL_SEMAPHORES(...)
#define SYCLZE__WITH_GRAPHS(...)
#define SYCLZE__WITH_GROWABLE_MEMORY(...)
#define SYCLZE__WITH_HOST_ACCESSORS(...)
#define SYCLZE__WITH_IPC(...)
#define SYCLZE__WITH_MEMORY_POOLS(...)
#define SYCLZE__WITH_PROGRAMS(...)
#define SYCLZE__REFERENCED_KINDS(X, y)                     \
  SYCLZE__WITH_EXTERNAL_SEMAPHORES(X(external_semaphore, y)) \
  SYCLZE__WITH_GRAPHS(X(graph, y) X(executable_graph, y))    \
  SYCLZE__WITH_GROWABLE_MEMORY(X(growable_memory, y))        \
  SYCLZE__WITH_IPC(X(ipc_memory, y) X(ipc_event_pool, y))    \
  SYCLZE__WITH_MEMORY_POOLS(X(memory_pool, y))               \
  SYCLZE__WITH_PROGRAMS(X(program, y))
/* Kinds with a single reference. */
#define SYCLZE__UNSHARED_KINDS(X, y) SYCLZE__WITH_HOST_ACCESSORS(X(host_accessor, y))
/* clang-format on */

#ifdef __cplusplus
/* Overloads of the generic functions for a kind of these lists, by its own header. The names are in
 * parentheses because they may be macros. */
#define SYCLZE__OVERLOAD_RETAIN(kind)                                                              \
  SYCLZE_INLINE ze_result_t(syclze_retain)(syclze_##kind object) {                                 \
    return syclze_##kind##_retain(object);                                                         \
  }
#define SYCLZE__OVERLOAD_RELEASE(kind)                                                             \
  SYCLZE_INLINE ze_result_t(syclze_release)(syclze_##kind object) {                                \
    return syclze_##kind##_release(object);                                                        \
  }
#else
#define SYCLZE__OVERLOAD_RETAIN(kind)
#define SYCLZE__OVERLOAD_RELEASE(kind)
#endif

#define SYCLZE__KIND_ENUMERATOR(kind, KIND, value, ...) , SYCLZE_OBJECT_##KIND = value
/** Kinds of objects: SYCLZE_OBJECT_PLATFORM, SYCLZE_OBJECT_DEVICE and so on. */
typedef enum syclze_object_kind {
  SYCLZE_OBJECT_NONE = 0 /* refused */
  SYCLZE__KINDS(SYCLZE__KIND_ENUMERATOR, 0)
} syclze_object_kind;
#undef SYCLZE__KIND_ENUMERATOR

#endif
