/* Implementation of queue.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_QUEUE_H
#define SYCLZE_DETAIL_OBJECTS_QUEUE_H

#include "../../queue.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__queue {
  struct syclze__ref ref;
  syclze_native_queue native;
  struct syclze__context *context;
  struct syclze__device *device;
  syclze_property_list properties;
  /* All zero at first, from here on. */
  ze_result_t asynchronous_error; /* the first since the last wait */
  const struct syclze_asynchronous_handler *asynchronous_handler; /* null for none */
  struct syclze__attachment *state; /* of submissions; null until the first */
  uint64_t driver_in_order;         /* not 0 if the library created the list in-order */
};

SYCLZE__POOLED(struct syclze__queue);

/* syclze_make_queue without tracing. Neither pointer is null. */
SYCLZE_COLD ze_result_t syclze__make_queue_impl(const syclze_queue_input *input,
    syclze_context context, syclze_queue *queue) SYCLZE_LINK_NAME(syclze__make_queue_impl);

/* Slow path of the make. */
SYCLZE_COLD struct syclze__made syclze__make_queue_slow(
    syclze_queue_input input, syclze_context context) SYCLZE_LINK_NAME(syclze__make_queue_slow);

SYCLZE_COLD ze_result_t syclze__queue_create_impl(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue)
    SYCLZE_LINK_NAME(syclze__queue_create_impl);

/* Ends a queue without references and work. */
SYCLZE_COLD ze_result_t syclze__queue_destroy(struct syclze__queue *queue)
    SYCLZE_LINK_NAME(syclze__queue_destroy);

/* The context and the device of a list, by newer loaders; null if unknown. */
struct syclze__list_owner {
  ze_context_handle_t context;
  ze_device_handle_t device;
};
SYCLZE_WARM struct syclze__list_owner syclze__list_owner_get(ze_command_list_handle_t list)
    SYCLZE_LINK_NAME(syclze__list_owner_get);

/* Ends the queue after its last release, once its work is done; or reports a release without a
 * reference. */
SYCLZE_COLD ze_result_t syclze__queue_last(struct syclze__queue *queue)
    SYCLZE_LINK_NAME(syclze__queue_last);

/* The device's queue groups, for the caller to free; null after an error. */
SYCLZE_COLD ze_result_t syclze__queue_groups_query(const struct syclze__device *device,
    uint32_t *count, ze_command_queue_group_properties_t **groups)
    SYCLZE_LINK_NAME(syclze__queue_groups_query);

/* The ordinal of the device's first compute queue group, queried once. */
SYCLZE_COLD ze_result_t syclze__compute_ordinal(struct syclze__device *device, uint32_t *ordinal)
    SYCLZE_LINK_NAME(syclze__compute_ordinal);

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

SYCLZE_INLINE syclze_native_queue syclze_queue_get_native(syclze_queue queue) {
  SYCLZE__TRACE_GET(SYCLZE_OBJECT_QUEUE, queue.rep);
  SYCLZE__CHECK_USE(queue, "syclze_queue_get_native", syclze_native_queue_of_list(NULL));
  return queue.rep->native;
}

SYCLZE_INLINE syclze_context syclze_queue_get_context(syclze_queue queue) {
  syclze_context context = {queue.rep->context};
  return context;
}

SYCLZE_INLINE syclze_device syclze_queue_get_device(syclze_queue queue) {
  syclze_device device = {queue.rep->device};
  return device;
}

SYCLZE_INLINE syclze_property_list syclze_queue_get_properties(syclze_queue queue) {
  return queue.rep->properties;
}

SYCLZE_INLINE bool syclze_queue_is_immediate(syclze_queue queue) {
  return queue.rep->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
}

SYCLZE_INLINE ze_result_t syclze__queue_flush_impl(syclze_queue queue) {
  if (queue.rep != NULL) return ZE_RESULT_SUCCESS;
  return syclze__fail_handle("syclze_queue_flush", "the queue is null");
}

SYCLZE_INLINE ze_result_t syclze_queue_flush(syclze_queue queue) {
  SYCLZE__RETURN_IF_TRACED(queue_flush, queue);
  return syclze__queue_flush_impl(queue);
}

SYCLZE_INLINE const syclze_asynchronous_handler *syclze_queue_set_asynchronous_handler(
    syclze_queue queue, const syclze_asynchronous_handler *handler) {
  return __atomic_exchange_n(&queue.rep->asynchronous_handler, handler, __ATOMIC_ACQ_REL);
}

SYCLZE_INLINE ze_result_t syclze_queue_take_asynchronous_error(syclze_queue queue) {
  if (SYCLZE__LIKELY(
          __atomic_load_n(&queue.rep->asynchronous_error, __ATOMIC_ACQUIRE) == ZE_RESULT_SUCCESS))
    return ZE_RESULT_SUCCESS;
  return __atomic_exchange_n(&queue.rep->asynchronous_error, ZE_RESULT_SUCCESS, __ATOMIC_ACQ_REL);
}

/* Fills the memory of a queue with one reference, and a reference to its context. */
SYCLZE_INLINE struct syclze__queue *syclze__queue_fill(
    void *memory, const syclze_queue_input *input, struct syclze__context *context) {
  struct syclze__queue *queue = (struct syclze__queue *)memory;
  syclze__ref_init(&queue->ref, (uint32_t)input->ownership);
  queue->native = input->native_handle;
  __atomic_store_n(&queue->context, context, __ATOMIC_RELAXED);
  queue->device = input->device.rep;
  queue->properties.flags = input->properties.flags;
  queue->properties.compute_index = input->properties.compute_index;
  queue->properties.ordinal = input->properties.ordinal;
  queue->asynchronous_error = ZE_RESULT_SUCCESS;
  queue->asynchronous_handler = NULL;
  queue->state = NULL;
  queue->driver_in_order = 0;
  return queue;
}

/* True if the native list is known to be in-order without querying the driver. */
SYCLZE_INLINE bool syclze__queue_is_native_in_order(const struct syclze__queue *queue) {
  return queue->driver_in_order != 0 ||
         (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER) != 0;
}

/* True if the list is known to be immediate, and to belong to the context and the device. */
SYCLZE_INLINE bool syclze__list_is_of(ze_command_list_handle_t list,
    const struct syclze__context *context, const struct syclze__device *device) {
  if (SYCLZE__ENTRY(command_list_is_immediate) == NULL) return true;
  struct syclze__list_owner owner = syclze__list_owner_get(list);
  if (SYCLZE__UNLIKELY(owner.context != context->native)) return false;
  return SYCLZE__LIKELY(owner.device == device->native);
}

/* True for a queue of valid, common arguments. */
SYCLZE_INLINE bool syclze__queue_is_common(
    const syclze_queue_input *input, const struct syclze__context *context) {
  const uint32_t common = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING |
                          SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
  if (SYCLZE__UNLIKELY(input->native_handle.queue == NULL)) return false;
  if (SYCLZE__UNLIKELY((uint32_t)input->ownership > SYCLZE__KEPT)) return false;
  if (SYCLZE__UNLIKELY(context == NULL)) return false;
  if (SYCLZE__UNLIKELY(context->devices[0] != input->device.rep)) return false;
  if (SYCLZE__UNLIKELY(input->properties.flags & ~common)) return false;
  if (SYCLZE__LIKELY(input->native_handle.kind == SYCLZE_NATIVE_QUEUE_LIST))
    return syclze__list_is_of(input->native_handle.list, context, input->device.rep);
  return input->native_handle.kind == SYCLZE_NATIVE_QUEUE_QUEUE &&
         !(input->properties.flags & SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER);
}

SYCLZE_INLINE ze_result_t syclze_make_queue(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue) {
  struct syclze__made made;
  void *memory;
  if (SYCLZE__UNLIKELY(queue == NULL || input == NULL))
    return syclze__fail_null("syclze_make_queue", queue);
  if (SYCLZE__TRACING_CALLS() || SYCLZE__CHECKED) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(!syclze__queue_is_common(input, context.rep))) goto slow;
  memory = syclze__child_take(&context.rep->parent, SYCLZE__POOL_QUEUE);
  if (SYCLZE__UNLIKELY(memory == NULL)) goto slow;
  queue->rep = syclze__queue_fill(memory, input, context.rep);
  return ZE_RESULT_SUCCESS;
slow:
  made = syclze__make_queue_slow(*input, context);
  queue->rep = (struct syclze__queue *)made.rep;
  return made.result;
}

SYCLZE_INLINE ze_result_t syclze_queue_retain(syclze_queue queue) {
  return syclze__retain(SYCLZE_OBJECT_QUEUE, queue.rep, "syclze_queue_retain");
}

/* Returns the object to its pool, and drops its reference to the context. */
SYCLZE_INLINE ze_result_t syclze__queue_free(struct syclze__queue *queue) {
  struct syclze__context *context = queue->context;
  return syclze__child_release(&context->parent, SYCLZE__POOL_QUEUE, &queue->ref.slot);
}

SYCLZE_INLINE ze_result_t syclze__queue_release_impl(syclze_queue queue) {
  if (queue.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(queue, "syclze_queue_release", SYCLZE_RESULT_ERROR_INVALID);
  enum syclze__dropped dropped = syclze__ref_drop(&queue.rep->ref);
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_ONE)) return ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_LAST)) return syclze__queue_last(queue.rep);
  if (SYCLZE__UNLIKELY(queue.rep->state != NULL)) return syclze__queue_last(queue.rep);
  SYCLZE__CHECK_UNWRAPPED(queue.rep->native.queue);
  return syclze__queue_free(queue.rep);
}

SYCLZE_INLINE ze_result_t syclze_queue_release(syclze_queue queue) {
  SYCLZE__RETURN_IF_TRACED(release, SYCLZE_OBJECT_QUEUE, queue.rep);
  return syclze__queue_release_impl(queue);
}

#if SYCLZE__BODIES

/* Ends a make or a creation: reports the failure of `status` or of the memory. */
SYCLZE_LOCAL struct syclze__made syclze__queue_new(const syclze_queue_input *input,
    struct syclze__context *context, struct syclze__status status, const char *function) {
  void *memory = syclze__make_memory(&status, (struct syclze__parent *)(void *)context,
      SYCLZE__POOL_QUEUE, sizeof(struct syclze__queue));
  if (memory != NULL) syclze__queue_fill(memory, input, context);
  return syclze__make_end(
      status, memory, "queue", function, input->native_handle.queue, (uint32_t)input->ownership);
}

/* The owner of an immediate list; a regular list gets a context that matches none. */
SYCLZE_WARM struct syclze__list_owner syclze__list_owner_get(ze_command_list_handle_t list) {
  struct syclze__list_owner owner;
  ze_bool_t immediate;
  if (SYCLZE__ENTRY(command_list_get_context)(list, &owner.context) != ZE_RESULT_SUCCESS)
    owner.context = NULL;
  if (SYCLZE__ENTRY(command_list_get_device)(list, &owner.device) != ZE_RESULT_SUCCESS)
    owner.device = NULL;
  if (SYCLZE__ENTRY(command_list_is_immediate)(list, &immediate) == ZE_RESULT_SUCCESS &&
      SYCLZE__UNLIKELY(!immediate))
    owner.context = (ze_context_handle_t)(uintptr_t)1;
  return owner;
}

SYCLZE_LOCAL struct syclze__status syclze__check_properties(uint32_t flags) {
  const uint32_t known = 2 * SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS - 1;
  const uint32_t kinds = SYCLZE_QUEUE_PROPERTY_IMMEDIATE_COMMAND_LIST |
                         SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST;
  const uint32_t priorities = SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW |
                              SYCLZE_QUEUE_PROPERTY_PRIORITY_NORMAL |
                              SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH;
  const uint32_t times =
      SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING | SYCLZE_QUEUE_PROPERTY_DISCARD_EVENTS;
  const uint32_t priority = flags & priorities;
  if ((flags & ~known) != 0) return syclze__invalid("SYCL 2020 4.6.5.2: a property is unknown");
  if ((priority & (priority - 1)) != 0)
    return syclze__invalid("SYCL 2020 4.6.5.2: a queue must have one priority");
  if ((flags & times) == times)
    return syclze__invalid("discarded events take no times: discard_events or enable_profiling");
  if ((flags & SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS) &&
      (flags & (SYCLZE_QUEUE_PROPERTY_DISCARD_EVENTS | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS)))
    return syclze__invalid("low_power_events are waited for: a queue that discards events or is "
                           "synchronous leaves nothing to wait for");
  if ((flags & kinds) == kinds)
    return syclze__invalid(
        "a queue must not be both an immediate command list and a command queue");
  return syclze__allowed();
}

SYCLZE_LOCAL ze_result_t syclze__native_queue_destroy(const syclze_native_queue *native) {
  return native->kind == SYCLZE_NATIVE_QUEUE_LIST
             ? SYCLZE__ZE(zeCommandListDestroy)(native->list)
             : SYCLZE__ZE(zeCommandQueueDestroy)(native->queue);
}

SYCLZE_COLD ze_result_t syclze__queue_destroy(struct syclze__queue *queue) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_UNWRAPPED(queue->native.queue);
  if (queue->ref.ownership == SYCLZE__TRANSFERRED && !syclze__is_forked()) {
    result = syclze__native_queue_destroy(&queue->native);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
      syclze__fail(result, "syclze_queue_release",
          "zeCommandListDestroy or zeCommandQueueDestroy failed", queue->native.queue);
  } else
    result = syclze__owner_end(&queue->ref);
  ze_result_t freed = syclze__queue_free(queue);
  return result != ZE_RESULT_SUCCESS ? result : freed;
}

SYCLZE_COLD ze_result_t syclze__queue_last(struct syclze__queue *queue) {
  if (syclze__ref_is_missing(&queue->ref))
    return syclze__ref_underflow(&queue->ref, "syclze_queue_release");
  if (queue->state != NULL && !syclze__is_forked()) return queue->state->end(queue->state);
  return syclze__queue_destroy(queue);
}

/* Records an asynchronous error, and calls the handler. */
SYCLZE_LOCAL void syclze__queue_failed(struct syclze__queue *rep, ze_result_t error) {
  ze_result_t none = ZE_RESULT_SUCCESS;
  syclze_queue queue;
  queue.rep = rep;
  __atomic_compare_exchange_n(
      &rep->asynchronous_error, &none, error, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  const syclze_asynchronous_handler *handler =
      __atomic_load_n(&rep->asynchronous_handler, __ATOMIC_ACQUIRE);
  SYCLZE__HELD_NONE();
  if (handler != NULL) handler->notify(handler->user, queue, error);
}

SYCLZE_COLD ze_result_t syclze_queue_set_owner(syclze_queue queue, syclze_owner owner) {
  SYCLZE__OWNER_SET(queue, queue, queue.rep->native.queue, NULL);
}

SYCLZE_COLD syclze_owner syclze_queue_get_owner(syclze_queue queue) {
  return syclze__owner_get(&queue.rep->ref);
}

#endif

SYCLZE_EXTERN_C_END

#include "queue_create.h"
#include "queue_make.h"

#endif
