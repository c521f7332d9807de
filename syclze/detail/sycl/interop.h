/* Implementation of sycl_interop.h. */
#ifndef SYCLZE_DETAIL_SYCL_INTEROP_H
#define SYCLZE_DETAIL_SYCL_INTEROP_H

#include "../../sycl_interop.h"
#include "events.h"
#include "find.h"

SYCLZE_EXTERN_C_BEGIN

/* Result of an exchange. */
struct syclze__sycl_made {
  struct syclze__status status;
  const char *detail; /* of a failure, or null */
  void *rep;          /* of this library's object; null on failure */
  bool has_native;    /* false for an event of SYCL's without a native one */
};

/* Makes an object of the kind of SYCL's. `context` is that of an event. `has_result` is false where
 * the caller has no place for the object. */
SYCLZE_WARM struct syclze__sycl_made syclze__sycl_from(syclze_object_kind kind, const void *object,
    syclze_context context, bool has_result) SYCLZE_LINK_NAME(syclze__sycl_from);

/* The queue of SYCL's queue that is known already, with a reference of the caller's. Null where it
 * is not, or records, which is for syclze__sycl_from, and on failure; `made` is changed then only.
 */
SYCLZE_WARM struct syclze__queue *syclze__sycl_known_queue_from(const void *object,
    struct syclze__sycl_made *made) SYCLZE_LINK_NAME(syclze__sycl_known_queue_from);

/* Makes SYCL's object of an object of the kind, which `rep` is. `queue` is that of an event, or
 * null. `object`, null where the caller has no place for it, is not changed on failure. */
SYCLZE_WARM struct syclze__sycl_made syclze__sycl_to(syclze_object_kind kind, void *rep,
    syclze_queue queue, struct syclze__sycl_object *object) SYCLZE_LINK_NAME(syclze__sycl_to);

#if SYCLZE__BODIES

/* Checks the arguments, and finds the runtime. */
SYCLZE_LOCAL struct syclze__sycl *syclze__sycl_begin_slow(enum syclze__sycl_group group,
    const void *object, bool has_result, struct syclze__sycl_made *made) {
  struct syclze__sycl *sycl = NULL;
  made->status = syclze__check_fork();
  if (!has_result)
    made->status = syclze__null_pointer("the result's pointer is null");
  else if (object == NULL)
    made->status = syclze__null_handle(
        group == SYCLZE__SYCL_READ ? "SYCL's object is null" : "the object is null");
  if (made->status.result == ZE_RESULT_SUCCESS)
    made->status = syclze__sycl_find(group, &sycl, &made->detail);
  return sycl;
}

SYCLZE_INLINE struct syclze__sycl *syclze__sycl_begin(enum syclze__sycl_group group,
    const void *object, bool has_result, struct syclze__sycl_made *made) {
  struct syclze__sycl *sycl = __atomic_load_n(&SYCLZE__STATE.sycl, __ATOMIC_ACQUIRE);
  made->status = syclze__allowed();
  made->detail = NULL;
  made->rep = NULL;
  made->has_native = true;
  if (SYCLZE__LIKELY(has_result && object != NULL && sycl != NULL && sycl->missing[group] == NULL &&
                     !syclze__is_forked()))
    return sycl;
  return syclze__sycl_begin_slow(group, object, has_result, made);
}

SYCLZE_WARM struct syclze__sycl_made syclze__sycl_from(
    syclze_object_kind kind, const void *object, syclze_context context, bool has_result) {
  struct syclze__sycl_made made;
  syclze_object result = syclze__sycl_any(kind, NULL);
  struct syclze__sycl *sycl = syclze__sycl_begin(SYCLZE__SYCL_READ, object, has_result, &made);
  if (kind == SYCLZE_OBJECT_EVENT && context.rep == NULL && object != NULL && has_result) {
    made.status = syclze__null_handle("the context is null");
    made.detail = NULL;
  }
  if (made.status.result != ZE_RESULT_SUCCESS) return made;
  switch (kind) {
  case SYCLZE_OBJECT_PLATFORM:
    made.status = syclze__sycl_platform_from(sycl, object, &result.platform);
    break;
  case SYCLZE_OBJECT_DEVICE:
    made.status = syclze__sycl_device_from(sycl, object, &result.device);
    break;
  case SYCLZE_OBJECT_CONTEXT:
    made.status = syclze__sycl_context_from(sycl, object, &result.context);
    break;
  case SYCLZE_OBJECT_QUEUE:
    made.status = syclze__sycl_queue_from(sycl, object, &result.queue);
    break;
  case SYCLZE_OBJECT_EVENT:
    made.status = syclze__sycl_event_from(sycl, object, context, &result.event, &made.has_native);
    break;
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    made.status = syclze__sycl_kernel_bundle_from(sycl, object, &result.kernel_bundle);
    break;
  case SYCLZE_OBJECT_KERNEL:
    made.status = syclze__sycl_kernel_from(sycl, object, &result.kernel);
    break;
  default:
    made.status = syclze__invalid("objects of the kind are not shared");
  }
  if (made.status.result == ZE_RESULT_SUCCESS) made.rep = result.queue.rep;
  return made;
}

SYCLZE_WARM struct syclze__queue *syclze__sycl_known_queue_from(
    const void *object, struct syclze__sycl_made *made) {
  struct syclze__sycl *sycl = __atomic_load_n(&SYCLZE__STATE.sycl, __ATOMIC_ACQUIRE);
  syclze_queue known;
  if (object == NULL || sycl == NULL || syclze__is_forked()) return NULL;
  known.rep = (struct syclze__queue *)syclze__sycl_known_rep(object);
  if (SYCLZE__UNLIKELY(known.rep == NULL)) return NULL;
  if (SYCLZE__LIKELY(sycl->queue_state(object) == SYCLZE__SYCL_EXECUTING)) {
    if ((syclze_queue_get_properties(known).flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) == 0 ||
        sycl->queue_is_empty(object))
      return known.rep;
    const struct syclze__status status = syclze__sycl_await(sycl, object, known);
    if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) return known.rep;
    memset(made, 0, sizeof *made);
    made->status = status;
  }
  (void)syclze_queue_release(known);
  return NULL;
}

SYCLZE_INLINE struct syclze__status syclze__sycl_object_to(struct syclze__sycl *sycl,
    syclze_object object, syclze_queue queue, struct syclze__sycl_object *made) {
  switch (object.kind) {
  case SYCLZE_OBJECT_PLATFORM:
    *made = syclze__sycl_platform_to(sycl, object.platform);
    return syclze__allowed();
  case SYCLZE_OBJECT_DEVICE:
    *made = syclze__sycl_device_to(sycl, object.device);
    return syclze__allowed();
  case SYCLZE_OBJECT_CONTEXT:
    return syclze__sycl_context_to(sycl, object.context, made);
  case SYCLZE_OBJECT_QUEUE:
    return syclze__sycl_queue_to(sycl, object.queue, made);
  case SYCLZE_OBJECT_EVENT:
    if (queue.rep != NULL) return syclze__sycl_command_event_to(sycl, object.event, queue, made);
    return syclze__sycl_event_to(sycl, object.event, made);
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    return syclze__sycl_kernel_bundle_to(sycl, object.kernel_bundle, made);
  case SYCLZE_OBJECT_KERNEL:
    return syclze__sycl_kernel_to(sycl, object.kernel, made);
  default:
    return syclze__invalid("objects of the kind are not shared");
  }
}

SYCLZE_WARM struct syclze__sycl_made syclze__sycl_to(
    syclze_object_kind kind, void *rep, syclze_queue queue, struct syclze__sycl_object *object) {
  struct syclze__sycl_made made;
  struct syclze__sycl *sycl = syclze__sycl_begin(SYCLZE__SYCL_MAKE, rep, object != NULL, &made);
  if (made.status.result == ZE_RESULT_SUCCESS)
    made.status = syclze__sycl_object_to(sycl, syclze__sycl_any(kind, rep), queue, object);
  return made;
}

/* Reports a failure. */
SYCLZE_LOCAL ze_result_t syclze__sycl_report(
    const struct syclze__sycl_made *made, const char *function, const void *handle) {
  if (made->status.result == ZE_RESULT_SUCCESS) return ZE_RESULT_SUCCESS;
  return syclze__fail_detail(
      made->status.result, function, made->status.rule, handle, made->detail);
}

SYCLZE_COLD ze_result_t syclze_platform_from_sycl(
    const void *sycl_platform, syclze_platform *platform) {
  const syclze_context none = {NULL};
  const struct syclze__sycl_made made =
      syclze__sycl_from(SYCLZE_OBJECT_PLATFORM, sycl_platform, none, platform != NULL);
  if (platform != NULL) platform->rep = (struct syclze__platform *)made.rep;
  return syclze__sycl_report(&made, "syclze_platform_from_sycl", sycl_platform);
}

SYCLZE_COLD ze_result_t syclze_device_from_sycl(const void *sycl_device, syclze_device *device) {
  const syclze_context none = {NULL};
  const struct syclze__sycl_made made =
      syclze__sycl_from(SYCLZE_OBJECT_DEVICE, sycl_device, none, device != NULL);
  if (device != NULL) device->rep = (struct syclze__device *)made.rep;
  return syclze__sycl_report(&made, "syclze_device_from_sycl", sycl_device);
}

SYCLZE_COLD ze_result_t syclze_context_from_sycl(
    const void *sycl_context, syclze_context *context) {
  const syclze_context none = {NULL};
  const struct syclze__sycl_made made =
      syclze__sycl_from(SYCLZE_OBJECT_CONTEXT, sycl_context, none, context != NULL);
  if (context != NULL) context->rep = (struct syclze__context *)made.rep;
  return syclze__sycl_report(&made, "syclze_context_from_sycl", sycl_context);
}

SYCLZE_COLD ze_result_t syclze_queue_from_sycl(const void *sycl_queue, syclze_queue *queue) {
  const syclze_context none = {NULL};
  struct syclze__sycl_made made;
  made.status.result = ZE_RESULT_SUCCESS;
  if (queue != NULL) {
    queue->rep = syclze__sycl_known_queue_from(sycl_queue, &made);
    if (queue->rep != NULL) return ZE_RESULT_SUCCESS;
  }
  if (made.status.result == ZE_RESULT_SUCCESS)
    made = syclze__sycl_from(SYCLZE_OBJECT_QUEUE, sycl_queue, none, queue != NULL);
  if (queue != NULL) queue->rep = (struct syclze__queue *)made.rep;
  return syclze__sycl_report(&made, "syclze_queue_from_sycl", sycl_queue);
}

SYCLZE_COLD ze_result_t syclze_event_from_sycl(
    const void *sycl_event, syclze_context context, syclze_event *event) {
  const struct syclze__sycl_made made =
      syclze__sycl_from(SYCLZE_OBJECT_EVENT, sycl_event, context, event != NULL);
  if (event != NULL) event->rep = (struct syclze__event *)made.rep;
  return syclze__sycl_report(&made, "syclze_event_from_sycl", sycl_event);
}

SYCLZE_COLD ze_result_t syclze_kernel_bundle_from_sycl(
    const void *sycl_kernel_bundle, syclze_kernel_bundle *kernel_bundle) {
  const syclze_context none = {NULL};
  const struct syclze__sycl_made made = syclze__sycl_from(
      SYCLZE_OBJECT_KERNEL_BUNDLE, sycl_kernel_bundle, none, kernel_bundle != NULL);
  if (kernel_bundle != NULL) kernel_bundle->rep = (struct syclze__kernel_bundle *)made.rep;
  return syclze__sycl_report(&made, "syclze_kernel_bundle_from_sycl", sycl_kernel_bundle);
}

SYCLZE_COLD ze_result_t syclze_kernel_from_sycl(const void *sycl_kernel, syclze_kernel *kernel) {
  const syclze_context none = {NULL};
  const struct syclze__sycl_made made =
      syclze__sycl_from(SYCLZE_OBJECT_KERNEL, sycl_kernel, none, kernel != NULL);
  if (kernel != NULL) kernel->rep = (struct syclze__kernel *)made.rep;
  return syclze__sycl_report(&made, "syclze_kernel_from_sycl", sycl_kernel);
}

/* Makes SYCL's object in memory of C++'s operator new; reports a failure of `function`. */
SYCLZE_LOCAL ze_result_t syclze__sycl_to_new(
    syclze_object_kind kind, void *rep, syclze_queue queue, void **made, const char *function) {
  struct syclze__sycl_object object;
  const struct syclze__sycl_made done =
      syclze__sycl_to(kind, rep, queue, made != NULL ? &object : NULL);
  if (made != NULL) *made = NULL;
  if (done.status.result == ZE_RESULT_SUCCESS) {
    *made = __atomic_load_n(&SYCLZE__STATE.sycl, __ATOMIC_ACQUIRE)->operator_new(sizeof object);
    memcpy(*made, &object, sizeof object);
  }
  return syclze__sycl_report(&done, function, rep);
}

SYCLZE_COLD ze_result_t syclze_platform_to_sycl(syclze_platform platform, void **sycl_platform) {
  const syclze_queue none = {NULL};
  return syclze__sycl_to_new(
      SYCLZE_OBJECT_PLATFORM, platform.rep, none, sycl_platform, "syclze_platform_to_sycl");
}

SYCLZE_COLD ze_result_t syclze_device_to_sycl(syclze_device device, void **sycl_device) {
  const syclze_queue none = {NULL};
  return syclze__sycl_to_new(
      SYCLZE_OBJECT_DEVICE, device.rep, none, sycl_device, "syclze_device_to_sycl");
}

SYCLZE_COLD ze_result_t syclze_context_to_sycl(syclze_context context, void **sycl_context) {
  const syclze_queue none = {NULL};
  return syclze__sycl_to_new(
      SYCLZE_OBJECT_CONTEXT, context.rep, none, sycl_context, "syclze_context_to_sycl");
}

SYCLZE_COLD ze_result_t syclze_queue_to_sycl(syclze_queue queue, void **sycl_queue) {
  const syclze_queue none = {NULL};
  return syclze__sycl_to_new(
      SYCLZE_OBJECT_QUEUE, queue.rep, none, sycl_queue, "syclze_queue_to_sycl");
}

SYCLZE_COLD ze_result_t syclze_event_to_sycl(
    syclze_event event, syclze_queue queue, void **sycl_event) {
  return syclze__sycl_to_new(
      SYCLZE_OBJECT_EVENT, event.rep, queue, sycl_event, "syclze_event_to_sycl");
}

SYCLZE_COLD ze_result_t syclze_kernel_bundle_to_sycl(
    syclze_kernel_bundle kernel_bundle, void **sycl_kernel_bundle) {
  const syclze_queue none = {NULL};
  return syclze__sycl_to_new(SYCLZE_OBJECT_KERNEL_BUNDLE, kernel_bundle.rep, none,
      sycl_kernel_bundle, "syclze_kernel_bundle_to_sycl");
}

SYCLZE_COLD ze_result_t syclze_kernel_to_sycl(syclze_kernel kernel, void **sycl_kernel) {
  const syclze_queue none = {NULL};
  return syclze__sycl_to_new(
      SYCLZE_OBJECT_KERNEL, kernel.rep, none, sycl_kernel, "syclze_kernel_to_sycl");
}

SYCLZE_COLD void syclze_sycl_delete(void *sycl_object) {
  struct syclze__sycl *sycl;
  const char *missing;
  if (sycl_object == NULL ||
      syclze__sycl_find(SYCLZE__SYCL_READ, &sycl, &missing).result != ZE_RESULT_SUCCESS)
    return;
  syclze__sycl_release((struct syclze__sycl_object *)sycl_object);
  sycl->operator_delete(sycl_object);
}

#endif

SYCLZE_EXTERN_C_END

#endif
