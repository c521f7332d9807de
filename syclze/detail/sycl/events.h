/* Events of SYCL as this library's, and back. */
#ifndef SYCLZE_DETAIL_SYCL_EVENTS_H
#define SYCLZE_DETAIL_SYCL_EVENTS_H

#include "queue_to.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__sycl_event_drop(void *event) {
  const syclze_event own = {(struct syclze__event *)event};
  return syclze_event_release(own);
}

/* An event for SYCL's that has no native one: takes the reference to `own`, which the wrapper
 * keeps. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_stand_in(
    const struct syclze__sycl *sycl, const void *object, syclze_event own, syclze_event *made) {
  const syclze_event_input input = {syclze_event_get_native(own), SYCLZE_OWNERSHIP_KEEP};
  struct syclze__sycl_shared *shared;
  const ze_result_t result = syclze_make_event(&input, syclze_event_get_context(own), made);
  const struct syclze__status status = syclze__sycl_own(
      sycl, result, syclze__sycl_any(SYCLZE_OBJECT_EVENT, made->rep), object, &shared);
  if (status.result == ZE_RESULT_SUCCESS) {
    shared->native = own.rep;
    shared->destroy = syclze__sycl_event_drop;
  } else
    (void)syclze_event_release(own);
  return status;
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_signalled(const struct syclze__sycl *sycl,
    const void *object, syclze_context context, syclze_event *made) {
  syclze_event own;
  ze_result_t result = syclze_event_create(context, 0, &own);
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "syclze_event_create failed");
  result = SYCLZE__ZE(zeEventHostSignal)(syclze_event_get_native(own));
  if (result == ZE_RESULT_SUCCESS) return syclze__sycl_stand_in(sycl, object, own, made);
  (void)syclze_event_release(own);
  return syclze__status_of(result, "zeEventHostSignal failed");
}

/* An event with a native one. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__sycl_native_event_from(
    const struct syclze__sycl *sycl, const void *object, syclze_context context,
    syclze_event *made) {
  struct syclze__status status = syclze__sycl_check_backend(sycl->event_backend(object));
  struct syclze__sycl_shared *shared;
  syclze_event_input input;
  if (status.result != ZE_RESULT_SUCCESS) return status;
  input.native_handle = (ze_event_handle_t)sycl->event_native(object);
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  /* Adapter v1 uses native events of complete commands again. */
  if (SYCLZE__ZE(zeEventQueryStatus)(input.native_handle) != ZE_RESULT_SUCCESS &&
      syclze__sycl_event_is_complete(sycl, object))
    return syclze__sycl_signalled(sycl, object, context, made);
  const ze_result_t result = syclze_make_event(&input, context, made);
  return syclze__sycl_own(
      sycl, result, syclze__sycl_any(SYCLZE_OBJECT_EVENT, made->rep), object, &shared);
}

/* An event without a native one, by a host task of a queue of its own. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_held_event_from(
    struct syclze__sycl *sycl, const void *object, syclze_context context, syclze_event *made) {
  struct syclze__sycl_object sycl_context, queue, task;
  syclze_event own;
  SYCLZE__ZEROED(struct syclze__sycl_properties, properties);
  if (sycl->missing[SYCLZE__SYCL_MAKE] != NULL)
    return syclze__sycl_unsupported("the event has no native one, and the SYCL runtime (libsycl) "
                                    "does not export a function that makes a queue");
  struct syclze__status status = syclze__sycl_context_to(sycl, context, &sycl_context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  struct syclze__sycl_object device =
      syclze__sycl_device_to(sycl, syclze_context_get_device(context, 0));
  sycl->queue_construct(&queue, &sycl_context, &device, &properties);
  syclze__sycl_release(&sycl_context);
  status = syclze__sycl_join(sycl, &queue, object, context, &own, &task);
  syclze__sycl_release(&queue);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  syclze__sycl_release(&task);
  return syclze__sycl_stand_in(sycl, object, own, made);
}

/* `*has_native` is set on success. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__sycl_event_from(struct syclze__sycl *sycl,
    const void *object, syclze_context context, syclze_event *made, bool *has_native) {
  *has_native = syclze__sycl_event_has_native(sycl, object);
  if (*has_native) return syclze__sycl_native_event_from(sycl, object, context, made);
  if (syclze__sycl_event_is_complete(sycl, object))
    return syclze__sycl_signalled(sycl, object, context, made);
  return syclze__sycl_held_event_from(sycl, object, context, made);
}

SYCLZE_LOCAL ze_result_t syclze__sycl_event_destroy(void *native) {
  return SYCLZE__ZE(zeEventDestroy)((ze_event_handle_t)native);
}

/* An event that is not the library's own. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_event_to(
    struct syclze__sycl *sycl, syclze_event event, struct syclze__sycl_object *made) {
  const ze_event_handle_t native = syclze_event_get_native(event);
  struct syclze__sycl_shared *shared;
  struct syclze__sycl_object context;
  struct syclze__sycl_result result;
  if (event.rep->pooled != NULL)
    return syclze__invalid("the native event is the library's own, which uses it again: give the "
                           "queue of the command too");
  struct syclze__status status =
      syclze__sycl_context_to(sycl, syclze_event_get_context(event), &context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  status = syclze__sycl_exchange_begin(sycl, syclze__sycl_any(SYCLZE_OBJECT_EVENT, event.rep),
      &event.rep->ref, (void *)native, syclze__sycl_event_destroy, &shared);
  if (status.result == ZE_RESULT_SUCCESS) {
    const bool is_first = shared->entry.object.counts == NULL;
    if (is_first)
      result = sycl->make_event(native, &context, shared->destroy == NULL, SYCLZE__SYCL_LEVEL_ZERO);
    *made = syclze__sycl_exchange_end(sycl, shared, is_first ? &result : NULL);
  }
  syclze__sycl_release(&context);
  return status;
}

/* Makes the gate of a shared queue, with the entry's mutex: an event of SYCL's that is always
 * signalled. A barrier of SYCL's that waits for it is appended to the native list: one that waits
 * for nothing may be left out, if SYCL has no command of its own since the last. */
SYCLZE_LOCAL ze_result_t syclze__sycl_gate_make(
    const struct syclze__sycl *sycl, struct syclze__sycl_entry *entry, syclze_queue queue) {
  ze_device_handle_t device = syclze_device_get_native(syclze_queue_get_device(queue));
  SYCLZE__ZEROED(ze_event_pool_desc_t, pool_desc);
  SYCLZE__ZEROED(ze_event_desc_t, desc);
  pool_desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool_desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  pool_desc.count = 1;
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  ze_result_t result =
      SYCLZE__ZE(zeEventPoolCreate)(syclze_context_get_native(syclze_queue_get_context(queue)),
          &pool_desc, 1, &device, &entry->pool);
  if (result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeEventCreate)(entry->pool, &desc, &entry->signalled);
  if (result == ZE_RESULT_SUCCESS) result = SYCLZE__ZE(zeEventHostSignal)(entry->signalled);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__sycl_gate_destroy(entry);
    return result;
  }
  const struct syclze__sycl_result its_context = sycl->queue_context(&entry->object);
  struct syclze__sycl_object context = syclze__sycl_object_of(&its_context);
  const struct syclze__sycl_result gate =
      sycl->make_event(entry->signalled, &context, true, SYCLZE__SYCL_LEVEL_ZERO);
  entry->gate = syclze__sycl_object_of(&gate);
  syclze__sycl_release(&context);
  return result;
}

/* An event of SYCL's behind all that the native list was given: a marker where SYCL makes one,
 * which then has no other reference; else a barrier. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__sycl_barrier(const struct syclze__sycl *sycl,
    struct syclze__sycl_entry *entry, syclze_queue queue, struct syclze__sycl_object *made) {
  const uint64_t place[8] = {0}; /* in the source: none */
  struct syclze__status status = syclze__allowed();
  if (entry->has_markers && syclze__sycl_last_event(sycl, &entry->object, made)) {
    if (__atomic_load_n(&made->counts->references, __ATOMIC_ACQUIRE) == 1) return status;
    syclze__sycl_release(made);
  }
  syclze__sycl_mutex_acquire(&entry->mutex);
  if (entry->gate.counts == NULL)
    status = syclze__status_of(
        syclze__sycl_gate_make(sycl, entry, queue), "an event could not be created");
  if (status.result == ZE_RESULT_SUCCESS) {
    const struct syclze__sycl_vector gates =
        syclze__sycl_vector_of(&entry->gate, sizeof entry->gate);
    const struct syclze__sycl_result barrier = sycl->queue_barrier(&entry->object, &gates, place);
    *made = syclze__sycl_object_of(&barrier);
  }
  syclze__sycl_mutex_release(&entry->mutex);
  return status;
}

/* True if the event is the last that the queue's native list was given. */
SYCLZE_LOCAL_WARM bool syclze__sycl_is_last_of(syclze_event event, syclze_queue queue) {
  struct syclze__queue_state *state = syclze__queue_state_get(queue.rep);
  if (state == NULL) return false;
  syclze__lock_acquire(&state->lock);
  const bool is_last = state->last == &event.rep->pending.next;
  syclze__lock_release(&state->lock);
  return is_last;
}

/* An event of SYCL's own in a shared queue, which completes no earlier than the event and all that
 * was submitted to the queue. */
SYCLZE_INLINE struct syclze__status syclze__sycl_event_of(struct syclze__sycl *sycl,
    syclze_event event, syclze_queue queue, struct syclze__sycl_entry *entry,
    struct syclze__sycl_object *made) {
  const void *object = &entry->object;
  syclze_event last;
  syclze_event_status progress = SYCLZE_EVENT_STATUS_COMPLETE;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if ((syclze_queue_get_properties(queue).flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) == 0)
    return syclze__invalid(
        "the queue is not in-order: a barrier in it does not wait for the event");
  struct syclze__status status = syclze__sycl_last_deferred(queue, &last);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  /* The command, or one before it in the queue, is not in a native list yet. */
  if (last.rep != NULL || __atomic_load_n(&event.rep->dependents, __ATOMIC_ACQUIRE) != NULL) {
    (void)syclze_event_retain(event);
    return syclze__sycl_hold_sycl(sycl, object, queue, event, last, made);
  }
  status = syclze__sycl_check_executing(sycl, object);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__sycl_is_last_of(event, queue)) result = syclze_event_get_status(event, &progress);
  if (result == ZE_RESULT_SUCCESS && progress != SYCLZE_EVENT_STATUS_COMPLETE)
    result = syclze_queue_set_external_event(queue, event);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "the queue cannot wait for the event");
  return syclze__sycl_barrier(sycl, entry, queue, made);
}

/* An event of SYCL's own as above, in any queue. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__sycl_command_event_to(struct syclze__sycl *sycl,
    syclze_event event, syclze_queue queue, struct syclze__sycl_object *made) {
  struct syclze__sycl_entry *entry = syclze__sycl_known_entry(queue);
  if (SYCLZE__UNLIKELY(entry == NULL)) {
    struct syclze__sycl_object object;
    struct syclze__status status = syclze__sycl_queue_share(sycl, queue, &object);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    syclze__sycl_release(&object);
    status = syclze__sycl_entry_of(sycl, queue, &entry);
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  return syclze__sycl_event_of(sycl, event, queue, entry, made);
}

#endif

SYCLZE_EXTERN_C_END

#endif
