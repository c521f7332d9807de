/* Queues: a command queue or an immediate command list, on one device of a context.
 *
 *     syclze_queue_input input = {0};
 *     input.native_handle.kind = SYCLZE_NATIVE_QUEUE_LIST;
 *     input.native_handle.list = list;
 *     input.device = device;
 *     syclze_queue queue;
 *     if (syclze_make_queue(&input, context, &queue) == ZE_RESULT_SUCCESS)
 *       syclze_queue_release(queue);
 *
 * A queue keeps its context. Its release does not wait for the work in it, whatever the ownership:
 * synchronise first where that matters. References may be added and dropped by any thread; the
 * native handle is subject to Level Zero's own rule, one thread at a time (4.4.4). */
#ifndef SYCLZE_QUEUE_H
#define SYCLZE_QUEUE_H

#include "context.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_queue {
  struct syclze__queue *rep;
} syclze_queue;

typedef enum syclze_native_queue_kind {
  SYCLZE_NATIVE_QUEUE_NONE = 0, /* refused */
  SYCLZE_NATIVE_QUEUE_QUEUE,    /* a command queue */
  SYCLZE_NATIVE_QUEUE_LIST      /* an immediate command list */
} syclze_native_queue_kind;

/* What C++ calls std::variant<ze_command_queue_handle_t, ze_command_list_handle_t>. */
typedef struct syclze_native_queue {
  syclze_native_queue_kind kind;
  union {
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
  };
} syclze_native_queue;

/* The properties that SYCL's queue constructor takes. */
typedef enum syclze_queue_property {
  SYCLZE_QUEUE_PROPERTY_IN_ORDER = 1 << 0,
  SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING = 1 << 1,
  SYCLZE_QUEUE_PROPERTY_DISCARD_EVENTS = 1 << 2,
  SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW = 1 << 3,
  SYCLZE_QUEUE_PROPERTY_PRIORITY_NORMAL = 1 << 4,
  SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH = 1 << 5,
  SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX = 1 << 6 /* not for make_queue (4.3) */
} syclze_queue_property;

typedef struct syclze_property_list {
  uint32_t flags;         /* of syclze_queue_property; default: out of order, normal priority */
  uint32_t compute_index; /* with SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX: index in the queue group */
} syclze_property_list;

/* Since version 4 of the specification. */
typedef struct syclze_queue_input {
  syclze_native_queue native_handle;
  syclze_device device;            /* in the context, or part of a device that is */
  syclze_ownership ownership;      /* default: transfer */
  syclze_property_list properties; /* default: none */
} syclze_queue_input;

/* Version 3. */
typedef struct syclze_queue_input_v3 {
  ze_command_queue_handle_t native_handle;
  syclze_device device;
  syclze_ownership ownership;
} syclze_queue_input_v3;

/* Before version 3: the queue is of the context's first device. */
typedef struct syclze_queue_input_v1 {
  ze_command_queue_handle_t native_handle;
  syclze_ownership ownership;
} syclze_queue_input_v1;

struct syclze_asynchronous_handler;

struct syclze__queue {
  struct syclze__ref ref;
  syclze_native_queue native;
  struct syclze__context *context;
  struct syclze__device *device;
  syclze_property_list properties;
  const struct syclze_asynchronous_handler *asynchronous_handler; /* null for none */
  ze_result_t asynchronous_error;   /* the first since the last wait */
  uint32_t host_tasks;              /* in flight */
  bool driver_in_order;             /* the list was created in-order */
  struct syclze__attachment *state; /* of command groups; null until the first */
};

SYCLZE_INLINE syclze_native_queue syclze_native_queue_of_queue(ze_command_queue_handle_t queue) {
  syclze_native_queue native;
  native.kind = SYCLZE_NATIVE_QUEUE_QUEUE;
  native.queue = queue;
  return native;
}

SYCLZE_INLINE syclze_native_queue syclze_native_queue_of_list(ze_command_list_handle_t list) {
  syclze_native_queue native;
  native.kind = SYCLZE_NATIVE_QUEUE_LIST;
  native.list = list;
  return native;
}

/* Creates an immediate command list on the device and wraps it, owned by the library: one call to
 * zeCommandListCreateImmediate, asynchronous. With SYCL_PI_LEVEL_ZERO_USE_IMMEDIATE_COMMANDLISTS
 * set to 0 in the environment it is a command queue instead. `properties` may be null. The queue is
 * of the first queue group that computes. An in-order queue on a driver that has none is refused
 * with the driver's code. */
SYCLZE_COLD ze_result_t syclze_queue_create(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue)
    SYCLZE_LINK_NAME(syclze_queue_create);

/* The handle that the queue was made with, always the same, by the same alternative. `queue` is not
 * null. Nothing changes hands (4.4.3). */
SYCLZE_INLINE syclze_native_queue syclze_queue_get_native(syclze_queue queue) {
  SYCLZE__TRACE_GET(SYCLZE__TRACE_QUEUE, queue.rep);
  return queue.rep->native;
}

/* The queue's context, without a reference of its own. `queue` is not null. */
SYCLZE_INLINE syclze_context syclze_queue_get_context(syclze_queue queue) {
  syclze_context context = {queue.rep->context};
  return context;
}

/* The queue's device. `queue` is not null. */
SYCLZE_INLINE syclze_device syclze_queue_get_device(syclze_queue queue) {
  syclze_device device = {queue.rep->device};
  return device;
}

/* The properties that the queue was made or created with. `queue` is not null. */
SYCLZE_INLINE syclze_property_list syclze_queue_get_properties(syclze_queue queue) {
  return queue.rep->properties;
}

/* What only newer loaders can tell of a list. A list that is not immediate is known from
 * zeCommandListIsImmediate; one of another context or device, from the getters. */
SYCLZE_INLINE struct syclze__status syclze__check_list(ze_command_list_handle_t list,
    const struct syclze__context *context, const struct syclze__device *device) {
  __typeof__(SYCLZE__STATE.entry.command_list_is_immediate) is_immediate =
      SYCLZE__ENTRY(command_list_is_immediate);
  ze_bool_t immediate;
  ze_context_handle_t its_context;
  ze_device_handle_t its_device;
  if (is_immediate == NULL) return syclze__allowed();
  if (is_immediate(list, &immediate) == ZE_RESULT_SUCCESS && SYCLZE__UNLIKELY(!immediate))
    return syclze__invalid("Level-Zero backend 4.3: the command list is not an immediate one");
  if (SYCLZE__ENTRY(command_list_get_context)(list, &its_context) == ZE_RESULT_SUCCESS &&
      SYCLZE__UNLIKELY(its_context != context->native))
    return syclze__invalid("Level-Zero backend 4.3: the command list is of another context");
  if (SYCLZE__ENTRY(command_list_get_device)(list, &its_device) == ZE_RESULT_SUCCESS &&
      SYCLZE__UNLIKELY(its_device != device->native))
    return syclze__invalid("Level-Zero backend 4.3: the command list is of another device");
  return syclze__allowed();
}

SYCLZE_INLINE struct syclze__status syclze__check_queue(
    const syclze_queue_input *input, const struct syclze__context *context) {
  struct syclze__status status = syclze__check_handle(input->native_handle.queue, input->ownership);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  status = syclze__check_device_in(context, input->device.rep);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (input->properties.flags & SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX)
    return syclze__invalid(
        "Level-Zero backend 4.3: compute_index is built into the queue and no property of it");
  if (SYCLZE__LIKELY(input->native_handle.kind == SYCLZE_NATIVE_QUEUE_LIST))
    return syclze__check_list(input->native_handle.list, context, input->device.rep);
  if (input->native_handle.kind != SYCLZE_NATIVE_QUEUE_QUEUE)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION,
        "the native handle is neither a command queue nor a command list");
  return syclze__allowed();
}

/* A queue with one reference, and a reference to its context; null without memory. */
SYCLZE_INLINE struct syclze__queue *syclze__queue_new(syclze_native_queue native,
    struct syclze__context *context, struct syclze__device *device, syclze_ownership ownership,
    syclze_property_list properties) {
  struct syclze__queue *queue = (struct syclze__queue *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_QUEUE], sizeof *queue);
  if (SYCLZE__UNLIKELY(queue == NULL)) return NULL;
  syclze__ref_init(&queue->ref, ownership);
  syclze__ref_retain(&context->ref);
  queue->native = native;
  __atomic_store_n(&queue->context, context, __ATOMIC_RELAXED);
  queue->device = device;
  queue->properties = properties;
  queue->asynchronous_handler = NULL;
  queue->asynchronous_error = ZE_RESULT_SUCCESS;
  queue->host_tasks = 0;
  queue->driver_in_order = false;
  queue->state = NULL;
  SYCLZE__CHECK_WRAPPED(native.queue, ownership);
  return queue;
}

/* Wraps a command queue or an immediate command list (4.3). The queue keeps `context`. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE for a null handle, device or context;
 * ZE_RESULT_ERROR_INVALID_ENUMERATION for a handle of no kind or an ownership that is none;
 * SYCLZE_RESULT_ERROR_INVALID for a device that is not in the context, for the property
 * compute_index, and, where the loader can tell, for a regular command list and for a list of
 * another context or device. After an error the handle is the caller's. */
SYCLZE_INLINE ze_result_t syclze_make_queue(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue);

SYCLZE_INLINE ze_result_t syclze__make_queue_impl(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue) {
  static const char *const function = "syclze_make_queue";
  if (queue == NULL || input == NULL) {
    if (queue != NULL) queue->rep = NULL;
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the input's or the result's pointer is null", NULL);
  }
  queue->rep = NULL;
  struct syclze__status status = syclze__check_queue(input, context.rep);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    queue->rep = syclze__queue_new(
        input->native_handle, context.rep, input->device.rep, input->ownership, input->properties);
    if (SYCLZE__LIKELY(queue->rep != NULL)) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__fail(status.result, function, status.rule, input->native_handle.queue);
}
SYCLZE_INLINE ze_result_t syclze_make_queue(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue) {
  SYCLZE__RETURN_IF_MAKE_TRACED(make_queue, syclze_queue, input, queue, &copy, context, &created);
  return syclze__make_queue_impl(input, context, queue);
}

/* The input of version 3, by the rules of syclze_make_queue. */
SYCLZE_INLINE ze_result_t syclze_make_queue_v3(
    const syclze_queue_input_v3 *input, syclze_context context, syclze_queue *queue) {
  syclze_queue_input now;
  if (input == NULL) return syclze_make_queue(NULL, context, queue);
  memset(&now, 0, sizeof now);
  now.native_handle = syclze_native_queue_of_queue(input->native_handle);
  now.device = input->device;
  now.ownership = input->ownership;
  return syclze_make_queue(&now, context, queue);
}

/* The input before version 3, by the rules of syclze_make_queue: the queue is of the first device
 * of `context`. */
SYCLZE_INLINE ze_result_t syclze_make_queue_v1(
    const syclze_queue_input_v1 *input, syclze_context context, syclze_queue *queue) {
  syclze_queue_input_v3 now;
  if (input == NULL) return syclze_make_queue(NULL, context, queue);
  now.native_handle = input->native_handle;
  now.device.rep = context.rep != NULL ? context.rep->devices[0] : NULL;
  now.ownership = input->ownership;
  return syclze_make_queue_v3(&now, context, queue);
}

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_queue_retain(syclze_queue queue);

SYCLZE_INLINE ze_result_t syclze__queue_retain_impl(syclze_queue queue) {
  if (queue.rep != NULL) syclze__ref_retain(&queue.rep->ref);
  return ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_queue_retain(syclze_queue queue) {
  SYCLZE__RETURN_IF_TRACED(queue_retain, queue);
  return syclze__queue_retain_impl(queue);
}

SYCLZE_INLINE ze_result_t syclze__native_queue_destroy(syclze_native_queue native) {
  return native.kind == SYCLZE_NATIVE_QUEUE_LIST ? SYCLZE__ZE(zeCommandListDestroy)(native.list)
                                                 : SYCLZE__ZE(zeCommandQueueDestroy)(native.queue);
}

SYCLZE_INLINE ze_result_t syclze__queue_destroy(const struct syclze__queue *queue) {
  ze_result_t result = syclze__native_queue_destroy(queue->native);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__fail(result, "syclze_queue_release",
      "zeCommandListDestroy or zeCommandQueueDestroy failed", queue->native.queue);
}

/* The end of a transferred queue that nobody refers to any more. */
SYCLZE_COLD ze_result_t syclze__queue_end(struct syclze__queue *queue)
    SYCLZE_LINK_NAME(syclze__queue_end);

/* Hands back the object itself, and its reference. */
SYCLZE_INLINE ze_result_t syclze__queue_leave(struct syclze__queue *queue) {
  struct syclze__context *context = queue->context;
  SYCLZE__CHECK_UNWRAPPED(queue->native.queue);
  syclze__pool_release(&queue->ref.slot);
  return syclze__context_release(context);
}

SYCLZE_INLINE ze_result_t syclze__queue_over(struct syclze__queue *queue) {
  return queue->ref.ownership == SYCLZE_OWNERSHIP_TRANSFER ? syclze__queue_end(queue)
                                                           : syclze__queue_leave(queue);
}

/* After the last release. */
SYCLZE_INLINE ze_result_t syclze__queue_last(struct syclze__queue *queue) {
  if (SYCLZE__UNLIKELY(queue->state != NULL)) return queue->state->end(queue->state);
  return syclze__queue_over(queue);
}

/* Drops a reference. The last one destroys a transferred handle and returns what that returned,
 * and drops the queue's reference to its context. Null is allowed and has no effect. Does not
 * wait for the work in the queue. */
SYCLZE_INLINE ze_result_t syclze_queue_release(syclze_queue queue);

/* Drops a reference; true for the last one. */
SYCLZE_INLINE bool syclze__queue_unref(syclze_queue queue) {
  return queue.rep != NULL && syclze__ref_release(&queue.rep->ref);
}

SYCLZE_INLINE ze_result_t syclze__queue_release_impl(syclze_queue queue) {
  return syclze__queue_unref(queue) ? syclze__queue_last(queue.rep) : ZE_RESULT_SUCCESS;
}

SYCLZE_INLINE ze_result_t syclze_queue_release(syclze_queue queue) {
  SYCLZE__RETURN_IF_TRACED(queue_release, queue);
  return syclze__queue_release_impl(queue);
}

SYCLZE_COLD ze_result_t syclze__queue_end(struct syclze__queue *queue) {
  ze_result_t result = syclze__queue_destroy(queue);
  ze_result_t released = syclze__queue_leave(queue);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

/* The ordinal of the device's first queue group that computes, asked for once. */
SYCLZE_COLD ze_result_t syclze__compute_ordinal(struct syclze__device *device, uint32_t *ordinal)
    SYCLZE_LINK_NAME(syclze__compute_ordinal);

SYCLZE_COLD ze_result_t syclze__compute_ordinal(struct syclze__device *device, uint32_t *ordinal) {
  uint32_t known = __atomic_load_n(&device->compute_group, __ATOMIC_RELAXED), count = 0;
  if (known != 0) {
    *ordinal = known - 1;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t result =
      SYCLZE__ZE(zeDeviceGetCommandQueueGroupProperties)(device->native, &count, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  ze_command_queue_group_properties_t *groups =
      (ze_command_queue_group_properties_t *)calloc(count + 1u, sizeof *groups);
  if (groups == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < count; i++)
    groups[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  result = SYCLZE__ZE(zeDeviceGetCommandQueueGroupProperties)(device->native, &count, groups);
  uint32_t i = 0;
  while (i < count && !(groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE))
    i++;
  free(groups);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (i == count) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  __atomic_store_n(&device->compute_group, i + 1, __ATOMIC_RELAXED);
  *ordinal = i;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze__queue_create_impl(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue)
    SYCLZE_LINK_NAME(syclze__queue_create_impl);

SYCLZE_COLD ze_result_t syclze__queue_create_impl(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue) {
  static const char *const function = "syclze_queue_create";
  if (queue == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  queue->rep = NULL;
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);
  syclze_property_list wanted = {0, 0};
  if (properties != NULL) wanted = *properties;

  ze_command_queue_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_result_t result = syclze__compute_ordinal(device.rep, &desc.ordinal);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "the device has no queue group that computes", NULL);
  if (wanted.flags & SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX) desc.index = wanted.compute_index;
  /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which older headers do not name. */
  if (wanted.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) desc.flags |= 1u << 1;
  if (wanted.flags & SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW)
    desc.priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW;
  if (wanted.flags & SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH)
    desc.priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH;
  const char *immediate = getenv("SYCL_PI_LEVEL_ZERO_USE_IMMEDIATE_COMMANDLISTS");
  syclze_native_queue native = syclze_native_queue_of_list(NULL);
  if (immediate != NULL && strcmp(immediate, "0") == 0) {
    native.kind = SYCLZE_NATIVE_QUEUE_QUEUE;
    result = SYCLZE__ZE(zeCommandQueueCreate)(
        context.rep->native, device.rep->native, &desc, &native.queue);
  } else
    result = SYCLZE__ZE(zeCommandListCreateImmediate)(
        context.rep->native, device.rep->native, &desc, &native.list);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(
        result, function, "zeCommandListCreateImmediate or zeCommandQueueCreate failed", NULL);
  queue->rep =
      syclze__queue_new(native, context.rep, device.rep, SYCLZE_OWNERSHIP_TRANSFER, wanted);
  if (queue->rep != NULL) {
    queue->rep->driver_in_order = (wanted.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
    return ZE_RESULT_SUCCESS;
  }
  syclze__native_queue_destroy(native);
  return syclze__fail(
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the object", NULL);
}

SYCLZE_COLD ze_result_t syclze_queue_create(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue) {
  if (SYCLZE__STATE.trace_attach != NULL) SYCLZE__STATE.trace_attach();
  SYCLZE__RETURN_IF_TRACED(queue_create, context, device, properties, queue);
  return syclze__queue_create_impl(context, device, properties, queue);
}

/**
 * True if the queue is an immediate command list.
 *
 * @param[in] queue  Not null.
 * @return true for a list, false for a command queue.
 * @see Level-Zero backend 4.2 (queue)
 */
SYCLZE_INLINE bool syclze_queue_is_immediate(syclze_queue queue);

/**
 * Flushes the queue. No-op: submissions are never batched.
 *
 * @param[in] queue  Null is an error.
 * @return ZE_RESULT_SUCCESS, or ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * @see SYCL 2020 4.6.5 (no counterpart); Level-Zero backend 4.3
 */
SYCLZE_INLINE ze_result_t syclze_queue_flush(syclze_queue queue);

SYCLZE_INLINE bool syclze_queue_is_immediate(syclze_queue queue) {
  return queue.rep->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
}

SYCLZE_INLINE ze_result_t syclze__queue_flush_impl(syclze_queue queue) {
  if (queue.rep != NULL) return ZE_RESULT_SUCCESS;
  return syclze__fail(
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_flush", "the queue is null", NULL);
}

SYCLZE_INLINE ze_result_t syclze_queue_flush(syclze_queue queue) {
  SYCLZE__RETURN_IF_TRACED(queue_flush, queue);
  return syclze__queue_flush_impl(queue);
}

SYCLZE_EXTERN_C_END

#endif
