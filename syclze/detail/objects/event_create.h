/* Events of the library's own pools. */
#ifndef SYCLZE_DETAIL_OBJECTS_EVENT_CREATE_H
#define SYCLZE_DETAIL_OBJECTS_EVENT_CREATE_H

#include "event.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Takes an event that the calling thread keeps, with `others` references besides one. Null after an
 * error, and if the thread keeps none, as in the child of a fork. */
SYCLZE_INLINE struct syclze__event *syclze__event_take(const struct syclze__context *context,
    enum syclze__event_kind kind, int32_t others, ze_result_t *result) {
  *result = ZE_RESULT_SUCCESS;
#if SYCLZE__HAS_IDLE_OBJECTS
  struct syclze__event *event =
      (struct syclze__event *)(void *)syclze__idle_object(context, (uint32_t)kind, result);
  if (SYCLZE__UNLIKELY(event == NULL)) return NULL;
  /* Its ownership is still SYCLZE__TRANSFERRED. */
  event->ref.others = others;
  /* Events without timestamps never read these. */
  if (kind & SYCLZE__EVENT_TIMESTAMP) {
    event->submitted = event->host_end = 0;
    event->device = NULL;
  }
  return event;
#else
  (void)context, (void)kind, (void)others;
  return NULL;
#endif
}

/* Adds an event that the calling thread does not keep. */
SYCLZE_LOCAL_WARM ze_result_t syclze__event_add(
    struct syclze__context *context, enum syclze__event_kind kind, struct syclze__event **event) {
  struct syclze__native_event *pooled = NULL;
  ze_result_t result = syclze__native_event_acquire(context, kind, &pooled);
  if (result != ZE_RESULT_SUCCESS) return result;
  void *memory = syclze__child_acquire(&context->parent, SYCLZE__POOL_EVENT, sizeof **event);
  if (memory == NULL) {
    syclze__native_event_release(context, pooled);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  *event = syclze__event_init(memory, pooled->native, context, pooled, SYCLZE__TRANSFERRED);
  SYCLZE__CHECK_WRAPPED(&(*event)->ref, "event", pooled->native, SYCLZE__TRANSFERRED);
  (*event)->submitted = (*event)->host_end = 0;
  (*event)->device = NULL;
  return result;
}

/* syclze_event_create without a diagnostic. */
SYCLZE_LOCAL_WARM ze_result_t syclze__event_acquire(
    struct syclze__context *context, enum syclze__event_kind kind, struct syclze__event **event) {
  ze_result_t result;
  *event = syclze__event_take(context, kind, 0, &result);
  if (SYCLZE__LIKELY(*event != NULL) || result != ZE_RESULT_SUCCESS) return result;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  return syclze__event_add(context, kind, event);
}

/* Slow path of the creation: the thread keeps no event, taking it returned `result`, or an argument
 * is wrong. */
SYCLZE_LOCAL ze_result_t syclze__event_create_slow(
    syclze_context context, uint32_t flags, syclze_event *event, ze_result_t result) {
  const enum syclze__event_kind kind =
      flags & SYCLZE_EVENT_FLAG_PROFILING ? SYCLZE__EVENT_TIMESTAMP : SYCLZE__EVENT_PLAIN;
  if (event == NULL)
    return syclze__fail_pointer("syclze_event_create", "the result's pointer is null");
  event->rep = NULL;
  if (context.rep == NULL) return syclze__fail_handle("syclze_event_create", "the context is null");
  SYCLZE__CHECK_USE(context, "syclze_event_create", SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__status status = syclze__status_of(
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "the flags must be of syclze_event_flag");
  if ((flags & ~(uint32_t)SYCLZE_EVENT_FLAG_PROFILING) == 0) {
    if (result == ZE_RESULT_SUCCESS) result = syclze__event_acquire(context.rep, kind, &event->rep);
    status =
        syclze__status_of(result, "zeEventPoolCreate, zeEventCreate or zeEventHostReset failed");
  }
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) return status.result;
  return syclze__fail(status.result, "syclze_event_create",
      syclze__cause(status.result, status.rule), context.rep->native);
}

SYCLZE_COLD ze_result_t syclze_event_create(
    syclze_context context, uint32_t flags, syclze_event *event) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (SYCLZE__LIKELY(event != NULL && context.rep != NULL && flags == 0) &&
      SYCLZE__HAS_IDLE_OBJECTS) {
    struct syclze__event *taken = syclze__event_take(context.rep, SYCLZE__EVENT_PLAIN, 0, &result);
    event->rep = taken;
    if (SYCLZE__LIKELY(taken != NULL)) return ZE_RESULT_SUCCESS;
  }
  return syclze__event_create_slow(context, flags, event, result);
}

#endif

SYCLZE_EXTERN_C_END

#endif
