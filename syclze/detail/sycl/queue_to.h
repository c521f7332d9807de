/* Queues of this library as SYCL's. */
#ifndef SYCLZE_DETAIL_SYCL_QUEUE_TO_H
#define SYCLZE_DETAIL_SYCL_QUEUE_TO_H

#include "to.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__sycl_result syclze__sycl_queue_make(const struct syclze__sycl *sycl,
    syclze_queue queue, const struct syclze__sycl_object *context, bool keeps) {
  const uint32_t flags = syclze_queue_get_properties(queue).flags;
  SYCLZE__ZEROED(struct syclze__sycl_properties, properties);
  SYCLZE__ZEROED(struct syclze__sycl_function, handler);
  if ((flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0) properties.bits |= 1u << SYCLZE__SYCL_IN_ORDER;
  if ((flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) != 0)
    properties.bits |= 1u << SYCLZE__SYCL_PROFILING;
  const struct syclze__sycl_object device =
      syclze__sycl_device_to(sycl, syclze_queue_get_device(queue));
  return sycl->make_queue(syclze_queue_get_native(queue).list, 1, context, &device, keeps,
      &properties, &handler, SYCLZE__SYCL_LEVEL_ZERO);
}

/* True where adapter v1 would use another list in place of the queue's. */
SYCLZE_LOCAL bool syclze__sycl_replaces_list(const struct syclze__sycl *sycl, syclze_queue queue,
    const struct syclze__sycl_object *context) {
  const struct syclze__sycl_result made = syclze__sycl_queue_make(sycl, queue, context, true);
  struct syclze__sycl_object trial = syclze__sycl_object_of(&made);
  int32_t is_list = 0;
  const bool is_same =
      sycl->queue_native(&trial, &is_list) == syclze_queue_get_native(queue).list && is_list;
  syclze__sycl_release(&trial);
  return !is_same;
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_check_shareable(const struct syclze__sycl *sycl,
    syclze_queue queue, const struct syclze__sycl_object *context, bool is_of_v1) {
  const syclze_native_queue native = syclze_queue_get_native(queue);
  if (native.kind != SYCLZE_NATIVE_QUEUE_LIST)
    return syclze__sycl_unsupported("SYCL batches commands in a command queue, where they would be "
                                    "overtaken: make the queue of an immediate command list");
  if ((syclze_queue_get_properties(queue).flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0 &&
      !syclze__sycl_list_is_in_order(native.list, syclze__queue_is_native_in_order(queue.rep)))
    return syclze__sycl_unsupported(
        "the native list of the in-order queue is not known to be in-order: make the queue with "
        "SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER, if it is");
  if (is_of_v1 && syclze__sycl_replaces_list(sycl, queue, context))
    return syclze__sycl_unsupported(
        "adapter v1 replaces the native list, with UR_L0_USE_DRIVER_INORDER_LISTS=1");
  return syclze__allowed();
}

SYCLZE_LOCAL ze_result_t syclze__sycl_list_destroy(void *native) {
  return SYCLZE__ZE(zeCommandListDestroy)((ze_command_list_handle_t)native);
}

/* SYCL's queue of one that has none yet. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_queue_share(
    struct syclze__sycl *sycl, syclze_queue queue, struct syclze__sycl_object *made) {
  struct syclze__sycl_shared *shared;
  struct syclze__sycl_object context;
  struct syclze__sycl_result result;
  struct syclze__status status =
      syclze__sycl_context_to(sycl, syclze_queue_get_context(queue), &context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  const struct syclze__sycl_object device =
      syclze__sycl_device_to(sycl, syclze_queue_get_device(queue));
  const bool is_of_v1 = syclze__sycl_is_of_v1(sycl, &device);
  status = syclze__sycl_check_shareable(sycl, queue, &context, is_of_v1);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__sycl_exchange_begin(sycl, syclze__sycl_any(SYCLZE_OBJECT_QUEUE, queue.rep),
        &queue.rep->ref, (void *)syclze_queue_get_native(queue).list, syclze__sycl_list_destroy,
        &shared);
  if (status.result == ZE_RESULT_SUCCESS) {
    const bool is_first = shared->entry.object.counts == NULL;
    if (is_first) result = syclze__sycl_queue_make(sycl, queue, &context, shared->destroy == NULL);
    if (is_first) shared->entry.has_markers = !is_of_v1;
    *made = syclze__sycl_exchange_end(sycl, shared, is_first ? &result : NULL);
    (void)syclze_queue_retain(queue);
    status = syclze__sycl_register(shared, &queue);
    (void)syclze_queue_release(queue);
    if (status.result != ZE_RESULT_SUCCESS) syclze__sycl_release(made);
  }
  syclze__sycl_release(&context);
  return status;
}

/* SYCL's queue, whatever its order. */
SYCLZE_INLINE struct syclze__status syclze__sycl_same_queue(
    struct syclze__sycl *sycl, syclze_queue queue, struct syclze__sycl_object *made) {
  const struct syclze__sycl_entry *entry = syclze__sycl_known_entry(queue);
  if (SYCLZE__UNLIKELY(entry == NULL)) return syclze__sycl_queue_share(sycl, queue, made);
  *made = syclze__sycl_retain(&entry->object);
  return syclze__allowed();
}

SYCLZE_LOCAL_WARM struct syclze__status syclze__sycl_queue_to(
    struct syclze__sycl *sycl, syclze_queue queue, struct syclze__sycl_object *made) {
  const syclze_event none = {NULL};
  struct syclze__sycl_object task;
  syclze_event last;
  struct syclze__status status = syclze__sycl_same_queue(sycl, queue, made);
  if (status.result != ZE_RESULT_SUCCESS || !sycl->queue_is_in_order(made)) return status;
  status = syclze__sycl_last_deferred(queue, &last);
  if (status.result == ZE_RESULT_SUCCESS && last.rep != NULL) {
    status = syclze__sycl_hold_sycl(sycl, made, queue, last, none, &task);
    if (status.result == ZE_RESULT_SUCCESS) syclze__sycl_release(&task);
  }
  if (status.result != ZE_RESULT_SUCCESS) syclze__sycl_release(made);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
