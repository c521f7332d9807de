/* Bodies of interop_handle.h. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_INTEROP_HANDLE_H
#define SYCLZE_COMMAND_DETAIL_HOST_INTEROP_HANDLE_H

#include "../../interop_handle.h"
#include "../accessor.h"
#include "../queue/state.h"

SYCLZE_EXTERN_C_BEGIN

/* The target of a handle. Its memory is never freed, so that a stale handle is detected. */
struct syclze__interop {
  struct syclze__slot slot;
  uint64_t serial; /* changes when a call begins and ends */
  /* Called before the function gets its native queue; null if not needed. */
  ze_result_t (*borrow)(struct syclze__interop *interop);
  bool has_queue; /* the function got its native queue */
  /* With references to the group's event and to the queue. */
  struct syclze__borrower borrower;
  struct syclze__queue *queue;
  const syclze_accessor *accessors; /* of objects that may have ended */
  void **memories;                  /* native, of each accessor */
  uint32_t accessor_count;
  const ze_event_handle_t *waits; /* what a native command must wait for */
  uint32_t wait_count;
  ze_event_handle_t *events; /* other events that complete the group */
  uint32_t event_count, event_room;
};

SYCLZE_INLINE syclze_backend syclze_interop_handle_get_backend(syclze_interop_handle handle) {
  (void)handle;
  return SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
}

#if SYCLZE__BODIES

/* Checks the handle, which is valid while its function runs. */
SYCLZE_INLINE struct syclze__status syclze__check_interop(
    syclze_interop_handle handle, const void *result) {
  if (handle.rep == NULL || __atomic_load_n(&handle.rep->serial, __ATOMIC_ACQUIRE) != handle.serial)
    return syclze__invalid("interop_handle: the handle is used outside of its host task");
  if (result == NULL) return syclze__null_pointer("the result's pointer is null");
  return syclze__allowed();
}

/* Begins a call of the function, which syclze__interop_end ends. Returns its handle. */
SYCLZE_INLINE syclze_interop_handle syclze__interop_begin(struct syclze__interop *rep) {
  syclze_interop_handle handle = {rep, __atomic_add_fetch(&rep->serial, 1, __ATOMIC_RELEASE)};
  return handle;
}

SYCLZE_INLINE void syclze__interop_end(struct syclze__interop *rep) {
  __atomic_add_fetch(&rep->serial, 1, __ATOMIC_RELEASE);
}

SYCLZE_LOCAL struct syclze__status syclze__interop_borrow(struct syclze__interop *rep) {
  const ze_result_t result = rep->borrow(rep);
  return syclze__status_of(
      result, syclze__cause(result, "no event could be created for the queue's marker"));
}

SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_queue(
    syclze_interop_handle handle, syclze_native_queue *queue) {
  struct syclze__status status = syclze__check_interop(handle, queue);
  if (status.result == ZE_RESULT_SUCCESS && handle.rep->borrow != NULL && !handle.rep->has_queue)
    status = syclze__interop_borrow(handle.rep);
  if (status.result == ZE_RESULT_SUCCESS)
    *queue = handle.rep->queue->native;
  else if (queue != NULL)
    *queue = syclze_native_queue_of_list(NULL);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, "syclze_interop_handle_get_native_queue", status.rule, NULL);
}

SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_device(
    syclze_interop_handle handle, ze_device_handle_t *device) {
  struct syclze__status status = syclze__check_interop(handle, device);
  bool fine = status.result == ZE_RESULT_SUCCESS;
  if (device != NULL) *device = fine ? handle.rep->queue->device->native : NULL;
  if (fine) return status.result;
  return syclze__fail(status.result, "syclze_interop_handle_get_native_device", status.rule, NULL);
}

SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_context(
    syclze_interop_handle handle, ze_context_handle_t *context) {
  struct syclze__status status = syclze__check_interop(handle, context);
  bool fine = status.result == ZE_RESULT_SUCCESS;
  if (context != NULL) *context = fine ? handle.rep->queue->context->native : NULL;
  if (fine) return status.result;
  return syclze__fail(status.result, "syclze_interop_handle_get_native_context", status.rule, NULL);
}

SYCLZE_LOCAL ze_result_t syclze__interop_get_mem(syclze_interop_handle handle,
    const syclze_accessor *accessor, bool of_image, const char *function, void **native) {
  struct syclze__status status = syclze__check_interop(handle, native);
  if (native != NULL) *native = NULL;
  if (status.result == ZE_RESULT_SUCCESS) {
    const syclze_accessor *registered =
        syclze__accessor_find(handle.rep->accessors, handle.rep->accessor_count, accessor);
    if (registered == NULL)
      status = syclze__invalid(
          "interop_handle: the accessor is not registered with the host task's command group");
    else if (registered->is_image != of_image || syclze__accessor_is_sampler(registered))
      status = syclze__invalid("interop_handle: the accessor is of the other kind of memory");
    else
      *native = handle.rep->memories[registered - handle.rep->accessors];
  }
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, function, status.rule, NULL);
}

SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_buffer(
    syclze_interop_handle handle, syclze_accessor accessor, void **memory) {
  return syclze__interop_get_mem(
      handle, &accessor, false, "syclze_interop_handle_get_native_buffer", memory);
}

SYCLZE_COLD ze_result_t syclze_interop_handle_get_native_image(
    syclze_interop_handle handle, syclze_accessor accessor, ze_image_handle_t *image) {
  void *native = NULL;
  ze_result_t result = syclze__interop_get_mem(handle, &accessor, true,
      "syclze_interop_handle_get_native_image", image != NULL ? &native : NULL);
  if (image != NULL) *image = (ze_image_handle_t)native;
  return result;
}

SYCLZE_COLD ze_result_t syclze_interop_handle_get_native(syclze_interop_handle handle,
    syclze_backend backend, syclze_object_kind kind, const syclze_accessor *accessor,
    syclze_backend_return *native) {
  struct syclze__status status = syclze__check_interop(handle, native);
  if (native != NULL) memset(native, 0, sizeof *native);
  if (status.result == ZE_RESULT_SUCCESS && backend != SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO)
    status = syclze__status_of(SYCLZE_RESULT_ERROR_BACKEND_MISMATCH,
        "interop_handle: the backend is not that of the host task's queue");
  bool of_memory = kind == SYCLZE_OBJECT_BUFFER || kind == SYCLZE_OBJECT_IMAGE;
  if (status.result == ZE_RESULT_SUCCESS && of_memory && accessor == NULL)
    status = syclze__null_pointer("a buffer or an image must be named by an accessor");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, "syclze_interop_handle_get_native", status.rule, NULL);

  ze_result_t result;
  switch ((uint32_t)kind) {
  case SYCLZE_OBJECT_QUEUE:
    result = syclze_interop_handle_get_native_queue(handle, &native->queue);
    break;
  case SYCLZE_OBJECT_DEVICE:
    result = syclze_interop_handle_get_native_device(handle, &native->device);
    break;
  case SYCLZE_OBJECT_CONTEXT:
    result = syclze_interop_handle_get_native_context(handle, &native->context);
    break;
  case SYCLZE_OBJECT_BUFFER:
    result = syclze_interop_handle_get_native_buffer(handle, *accessor, &native->buffer);
    break;
  case SYCLZE_OBJECT_IMAGE:
    result = syclze_interop_handle_get_native_image(handle, *accessor, &native->image);
    break;
  default:
    return syclze__fail(ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_interop_handle_get_native",
        "interop_handle: the kind must be one of which it has native handles", NULL);
  }
  if (result == ZE_RESULT_SUCCESS) native->kind = kind;
  return result;
}

SYCLZE_COLD ze_result_t syclze_interop_handle_get_wait_list(
    syclze_interop_handle handle, uint32_t *count, const ze_event_handle_t **events) {
  struct syclze__status status =
      syclze__check_interop(handle, events != NULL ? (const void *)count : NULL);
  if (count != NULL) *count = 0;
  if (events != NULL) *events = NULL;
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, "syclze_interop_handle_get_wait_list", status.rule, NULL);
  *count = handle.rep->wait_count;
  *events = handle.rep->waits;
  return status.result;
}

/* Adds an event that must be signalled before the group is complete; false without memory. */
SYCLZE_LOCAL bool syclze__interop_add(struct syclze__interop *rep, ze_event_handle_t event) {
  if (rep->event_count == rep->event_room) {
    const uint32_t room = rep->event_room != 0 ? 2 * rep->event_room : 8;
    void *events = realloc(rep->events, room * sizeof *rep->events);
    if (events == NULL) return false;
    rep->events = (ze_event_handle_t *)events;
    rep->event_room = room;
  }
  rep->events[rep->event_count++] = event;
  return true;
}

SYCLZE_COLD ze_result_t syclze_interop_handle_add_event(
    syclze_interop_handle handle, ze_event_handle_t event) {
  struct syclze__status status = syclze__check_interop(handle, &handle);
  if (status.result == ZE_RESULT_SUCCESS && event == NULL)
    status = syclze__null_handle("the native event is null");
  if (status.result == ZE_RESULT_SUCCESS && !syclze__interop_add(handle.rep, event))
    status = syclze__out_of_memory();
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, "syclze_interop_handle_add_event", status.rule,
      status.result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ? event : NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
