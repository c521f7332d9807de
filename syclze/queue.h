/**
 * @file
 * Queues: a command queue or an immediate command list, on one device of a context.
 *
 *     syclze_queue_input input = {0};
 *     input.native_handle.kind = SYCLZE_NATIVE_QUEUE_LIST;
 *     input.native_handle.list = list;
 *     input.device = device;
 *     syclze_queue queue;
 *     if (syclze_make_queue(&input, context, &queue) == ZE_RESULT_SUCCESS)
 *       syclze_queue_release(queue);
 *
 * Work is submitted, and waited for, by the functions of command.h.
 *
 * Ownership: a queue keeps its context. Its release does not wait for its work, whatever the
 * ownership.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference. The native handle is for one thread at a time (Level-Zero backend 4.4.4).
 */
#ifndef SYCLZE_QUEUE_H
#define SYCLZE_QUEUE_H

#include "context.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__queue;

/** A queue; {0} is null. @see SYCL 2020 4.6.5 */
typedef struct syclze_queue {
  struct syclze__queue *rep;
} syclze_queue;

/** Kind of a native queue. @see Level-Zero backend 4.1 */
typedef enum syclze_native_queue_kind {
  SYCLZE_NATIVE_QUEUE_NONE = 0, /* refused */
  SYCLZE_NATIVE_QUEUE_QUEUE,    /* a command queue */
  SYCLZE_NATIVE_QUEUE_LIST      /* an immediate command list */
} syclze_native_queue_kind;

/**
 * std::variant<ze_command_queue_handle_t, ze_command_list_handle_t> of C++.
 * @see Level-Zero backend 4.1
 */
typedef struct syclze_native_queue {
  syclze_native_queue_kind kind;
  union {
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
  };
} syclze_native_queue;

/**
 * Properties of SYCL's queue constructor. At most one priority; not both of enable_profiling and
 * discard_events, nor of immediate_command_list and no_immediate_command_list, nor low_power_events
 * with discard_events or synchronous, which leave nothing to wait for.
 * @see SYCL 2020 4.6.5.2
 */
typedef enum syclze_queue_property {
  SYCLZE_QUEUE_PROPERTY_IN_ORDER = 1 << 0,
  SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING = 1 << 1,
  SYCLZE_QUEUE_PROPERTY_DISCARD_EVENTS = 1 << 2, /* no effect: events are made on request only */
  SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW = 1 << 3,
  SYCLZE_QUEUE_PROPERTY_PRIORITY_NORMAL = 1 << 4,
  SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH = 1 << 5,
  SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX = 1 << 6, /* not for make_queue (4.3) */
  /* No property of SYCL's, and for make_queue only: the immediate command list was created
     in-order. Without effect where the driver has zeCommandListImmediateGetFlags. */
  SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER = 1 << 7,
  /* Used by syclze_queue_create only: of any queue group, as one that only copies. */
  SYCLZE_QUEUE_PROPERTY_ORDINAL = 1 << 8,
  /* A submission returns once its work is done. For make_queue: the immediate command list was
     created so, without effect where the driver has zeCommandListImmediateGetMode. */
  SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS = 1 << 9,
  /* Used by syclze_queue_create only, from here. Whatever the environment has
     (sycl_ext_intel_queue_immediate_command_list). */
  SYCLZE_QUEUE_PROPERTY_IMMEDIATE_COMMAND_LIST = 1 << 10,
  SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST = 1 << 11, /* a command queue */
  /* Waits of the host for the queue and for events of its submissions sleep until an interrupt. A
     hint for Intel's driver; others ignore it. */
  SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS = 1 << 12
} syclze_queue_property;

/** Properties of a queue. */
typedef struct syclze_property_list {
  uint32_t flags;         /* of syclze_queue_property; default: out of order, normal priority */
  uint32_t compute_index; /* with SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX: index in the queue group */
  uint32_t ordinal;       /* with SYCLZE_QUEUE_PROPERTY_ORDINAL: of the queue group */
} syclze_property_list;

/** Input of syclze_make_queue, since version 4. @see Level-Zero backend 4.1 */
typedef struct syclze_queue_input {
  syclze_native_queue native_handle;
  syclze_device device;            /* in the context, or part of a device that is */
  syclze_ownership ownership;      /* default: transfer */
  syclze_property_list properties; /* default: none */
} syclze_queue_input;

/** Input of syclze_make_queue_v3. @see Level-Zero backend 4.1 */
typedef struct syclze_queue_input_v3 {
  ze_command_queue_handle_t native_handle;
  syclze_device device;
  syclze_ownership ownership; /* default: transfer */
} syclze_queue_input_v3;

/** Input of syclze_make_queue_v1: the device is the first of the context. */
typedef struct syclze_queue_input_v1 {
  ze_command_queue_handle_t native_handle;
  syclze_ownership ownership; /* default: transfer */
} syclze_queue_input_v1;

/** Receives a queue's asynchronous errors, on any thread. `queue` has no reference of its own. */
typedef struct syclze_asynchronous_handler {
  void (*notify)(void *user, syclze_queue queue, ze_result_t error);
  void *user;
} syclze_asynchronous_handler;

/**
 * Makes a native queue of a command queue.
 *
 * @param[in] queue  Null is refused by the make.
 * @return The handle with its kind.
 * @see Level-Zero backend 4.1
 */
SYCLZE_INLINE syclze_native_queue syclze_native_queue_of_queue(ze_command_queue_handle_t queue);

/**
 * Makes a native queue of an immediate command list.
 *
 * @param[in] list  Null is refused by the make.
 * @return The handle with its kind.
 * @see Level-Zero backend 4.1
 */
SYCLZE_INLINE syclze_native_queue syclze_native_queue_of_list(ze_command_list_handle_t list);

/**
 * Wraps a command queue or an immediate command list.
 *
 * @param[in] input  Not null.
 * @param[in] context  Null is refused. The queue keeps it.
 * @param[out] queue  Not null; set to null on failure.
 * Ownership afterwards: with transfer the library's, with keep the caller's. After an error the
 * caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `queue` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the handle, the device or the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the handle has no kind; the ownership is neither transfer
 *   nor keep
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context; the properties have
 * compute_index or another one of syclze_queue_create only, contradict each other or are unknown,
 * or have native_in_order or synchronous and the handle is a command queue; the list is regular, of
 * another context or of another device, where the loader has zeCommandListIsImmediate
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE ze_result_t syclze_make_queue(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue);

/**
 * Wraps a command queue, by the input of version 3.
 *
 * @param[in] input  Not null.
 * @param[in] context  Null is refused. The queue keeps it.
 * @param[out] queue  Not null; set to null on failure.
 * Ownership afterwards: as after syclze_make_queue.
 * @return As syclze_make_queue.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_make_queue_v3(const syclze_queue_input_v3 *input,
    syclze_context context, syclze_queue *queue) SYCLZE_LINK_NAME(syclze_make_queue_v3);

/**
 * Wraps a command queue, by the input of the versions before 3.
 *
 * @param[in] input  Not null.
 * @param[in] context  Null is refused. The queue keeps it.
 * @param[out] queue  Not null; set to null on failure.
 * Ownership afterwards: as after syclze_make_queue.
 * @return As syclze_make_queue.
 * @see Level-Zero backend 4.3
 */
SYCLZE_COLD ze_result_t syclze_make_queue_v1(const syclze_queue_input_v1 *input,
    syclze_context context, syclze_queue *queue) SYCLZE_LINK_NAME(syclze_make_queue_v1);

/**
 * Creates a queue on the first compute queue group of a device, or on the group that the properties
 * name. It is an asynchronous immediate command list; or a command queue if the properties do not
 * decide and the environment, read once for each context, has UR_L0_USE_IMMEDIATE_COMMANDLISTS=0,
 * or the older SYCL_PI_LEVEL_ZERO_USE_IMMEDIATE_COMMANDLISTS=0. A group that only copies runs no
 * kernels: syclze_device_get_queue_groups (device_query.h) returns the groups.
 *
 * @param[in] context  Null is refused. The queue keeps it.
 * @param[in] device  In the context; null is refused.
 * @param[in] properties  May be null: none.
 * @param[out] queue  Not null; set to null on failure.
 * Ownership afterwards: the native queue is the library's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `queue` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context or the device is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context; the properties contradict each
 *   other or are unknown; the device has no queue group of the ordinal, or the group no queue of
 *   the index
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the device has no compute queue group
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeDeviceGetCommandQueueGroupProperties, zeCommandListCreateImmediate and
 *   zeCommandQueueCreate return, such as for an in-order list that the driver lacks
 * @see SYCL 2020 4.6.5.1
 */
SYCLZE_COLD ze_result_t syclze_queue_create(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue)
    SYCLZE_LINK_NAME(syclze_queue_create);

/**
 * Returns the native handle that the queue was made with.
 *
 * @param[in] queue  Not null.
 * @return The handle, with its kind. Ownership is unchanged.
 * @see Level-Zero backend 4.2, 4.4.3
 */
SYCLZE_INLINE syclze_native_queue syclze_queue_get_native(syclze_queue queue);

/**
 * Returns the context.
 *
 * @param[in] queue  Not null.
 * @return The context, without a reference of its own.
 * @see SYCL 2020 4.6.5.1
 */
SYCLZE_INLINE syclze_context syclze_queue_get_context(syclze_queue queue);

/**
 * Returns the device.
 *
 * @param[in] queue  Not null.
 * @return The device, never null.
 * @see SYCL 2020 4.6.5.1
 */
SYCLZE_INLINE syclze_device syclze_queue_get_device(syclze_queue queue);

/**
 * Returns the properties that the queue was made with.
 *
 * @param[in] queue  Not null.
 * @return The properties.
 * @see SYCL 2020 4.6.5.1
 */
SYCLZE_INLINE syclze_property_list syclze_queue_get_properties(syclze_queue queue);

/**
 * Returns whether the queue is an immediate command list.
 *
 * @param[in] queue  Not null.
 * @return True for an immediate command list, false for a command queue.
 * @see Level-Zero backend 4.2
 */
SYCLZE_INLINE bool syclze_queue_is_immediate(syclze_queue queue);

/**
 * Flushes the queue. No effect: submissions are never batched.
 *
 * @param[in] queue  Null is refused.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null
 * @see SYCL 2020 4.6.5 (no counterpart); Unified Runtime urQueueFlush
 */
SYCLZE_INLINE ze_result_t syclze_queue_flush(syclze_queue queue);

/**
 * Installs the handler of asynchronous errors: of work that fails after its submission succeeded.
 * It runs on the thread that detects the error.
 *
 * @param[in] queue  Not null.
 * @param[in] handler  Must live until it is replaced, or the last work of the queue is done; null
 * for none.
 * @return The previous handler, or null.
 * @see SYCL 2020 4.13.1.1
 */
SYCLZE_INLINE const syclze_asynchronous_handler *syclze_queue_set_asynchronous_handler(
    syclze_queue queue, const syclze_asynchronous_handler *handler);

/**
 * Returns and clears the first asynchronous error since the last call, as syclze_queue_wait does.
 *
 * @param[in] queue  Not null. No reference is added or dropped.
 * @return The error, or ZE_RESULT_SUCCESS.
 * @see SYCL 2020 4.13.1.1
 */
SYCLZE_INLINE ze_result_t syclze_queue_take_asynchronous_error(syclze_queue queue);

/** @copydoc syclze_context_retain */
SYCLZE_INLINE ze_result_t syclze_queue_retain(syclze_queue object);

/**
 * Drops a reference. The last one destroys a transferred queue once its work is done, and drops the
 * reference to the context. Does not wait.
 *
 * @param[in] queue  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - what zeCommandListDestroy, zeCommandQueueDestroy and the release of the context return; the
 *   object is released anyway
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_queue_release(syclze_queue queue);

/** @copydoc syclze_context_set_owner */
SYCLZE_COLD ze_result_t syclze_queue_set_owner(syclze_queue object, syclze_owner owner)
    SYCLZE_LINK_NAME(syclze_queue_set_owner);

/** @copydoc syclze_context_get_owner */
SYCLZE_COLD syclze_owner syclze_queue_get_owner(syclze_queue object)
    SYCLZE_LINK_NAME(syclze_queue_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/objects/queue.h"

#endif
