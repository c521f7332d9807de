/* Events.
 *
 *     syclze_event_input input = {0};
 *     input.native_handle = handle;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_event event;
 *     if (syclze_make_event(&input, context, &event) == ZE_RESULT_SUCCESS)
 *       syclze_event_release(event);
 *
 * An event keeps its context, but never the native pool of a wrapped event: that pool is the
 * application's and must outlive the event. Release does not wait. References may be added and
 * dropped by any thread. */
#ifndef SYCLZE_EVENT_H
#define SYCLZE_EVENT_H

#include "detail/event_pool.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_event {
  struct syclze__event *rep;
} syclze_event;

typedef struct syclze_event_input {
  ze_event_handle_t native_handle;
  syclze_ownership ownership; /* default: transfer */
} syclze_event_input;

typedef enum syclze_event_flag {
  SYCLZE_EVENT_FLAG_PROFILING = 1 << 0 /* the event takes kernel timestamps */
} syclze_event_flag;

struct syclze__event {
  struct syclze__ref ref;
  ze_event_handle_t native;
  struct syclze__context *context;
  struct syclze__native_event *pooled; /* null for a wrapped event */
  uint64_t submitted; /* of a pooled event with timestamps: when, by the device; 0 for not told */
};

/* The event's handle. `event` is not null. Nothing changes hands (4.4.3). */
SYCLZE_INLINE ze_event_handle_t syclze_event_get_native(syclze_event event) {
  SYCLZE__TRACE_GET(SYCLZE__TRACE_EVENT, event.rep);
  return event.rep->native;
}

/* The event's context, without a reference of its own. `event` is not null. */
SYCLZE_INLINE syclze_context syclze_event_get_context(syclze_event event) {
  syclze_context context = {event.rep->context};
  return context;
}

SYCLZE_INLINE struct syclze__status syclze__check_event(
    const syclze_event_input *input, const struct syclze__context *context) {
  if (input == NULL) return syclze__null_pointer("the input's pointer is null");
  struct syclze__status status = syclze__check_handle(input->native_handle, input->ownership);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (context == NULL) return syclze__null_handle("the context is null");
  __typeof__(SYCLZE__STATE.entry.event_get_pool) get_pool = SYCLZE__ENTRY(event_get_pool);
  ze_event_pool_handle_t pool;
  ze_context_handle_t its_context;
  if (get_pool != NULL && get_pool(input->native_handle, &pool) == ZE_RESULT_SUCCESS &&
      SYCLZE__ENTRY(event_pool_get_context)(pool, &its_context) == ZE_RESULT_SUCCESS &&
      SYCLZE__UNLIKELY(its_context != context->native))
    return syclze__invalid("Level-Zero backend 4.3: the event's pool is of another context");
  return syclze__allowed();
}

/* An event with one reference, and a reference to its context; null without memory. */
SYCLZE_INLINE struct syclze__event *syclze__event_new(ze_event_handle_t native,
    struct syclze__context *context, struct syclze__native_event *pooled,
    syclze_ownership ownership) {
  struct syclze__event *event = (struct syclze__event *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_EVENT], sizeof *event);
  if (SYCLZE__UNLIKELY(event == NULL)) return NULL;
  syclze__ref_init(&event->ref, ownership);
  syclze__ref_retain(&context->ref);
  event->native = native;
  /* Atomic so that it is not paired with the handle in a vector register, which calls spill. */
  __atomic_store_n(&event->context, context, __ATOMIC_RELAXED);
  event->pooled = pooled;
  SYCLZE__CHECK_WRAPPED(native, ownership);
  return event;
}

/* Wraps an event (4.3). The event keeps `context`. Errors: ZE_RESULT_ERROR_INVALID_NULL_HANDLE for
 * a null handle or context; ZE_RESULT_ERROR_INVALID_ENUMERATION for an ownership that is none;
 * SYCLZE_RESULT_ERROR_INVALID for an event of another context's pool, where the loader can tell.
 * After an error the handle is the caller's. */
SYCLZE_INLINE ze_result_t syclze_make_event(
    const syclze_event_input *input, syclze_context context, syclze_event *event);

SYCLZE_INLINE ze_result_t syclze__make_event_impl(
    const syclze_event_input *input, syclze_context context, syclze_event *event) {
  static const char *const function = "syclze_make_event";
  if (event == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  event->rep = NULL;
  struct syclze__status status = syclze__check_event(input, context.rep);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    event->rep = syclze__event_new(input->native_handle, context.rep, NULL, input->ownership);
    if (SYCLZE__LIKELY(event->rep != NULL)) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__fail(
      status.result, function, status.rule, input != NULL ? input->native_handle : NULL);
}
SYCLZE_INLINE ze_result_t syclze_make_event(
    const syclze_event_input *input, syclze_context context, syclze_event *event) {
  SYCLZE__RETURN_IF_MAKE_TRACED(make_event, syclze_event, input, event, &copy, context, &created);
  return syclze__make_event_impl(input, context, event);
}

/* An unsignalled event, visible to the host, from native pools that the context keeps; owned by
 * the library, which uses the native event again after the last release: work that will signal or
 * wait for it must be complete by then. `flags` are of syclze_event_flag. */
SYCLZE_COLD ze_result_t syclze_event_create(syclze_context context, uint32_t flags,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_event_create);

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_event_retain(syclze_event event);

SYCLZE_INLINE ze_result_t syclze__event_retain_impl(syclze_event event) {
  if (event.rep != NULL) syclze__ref_retain(&event.rep->ref);
  return ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_event_retain(syclze_event event) {
  SYCLZE__RETURN_IF_TRACED(event_retain, event);
  return syclze__event_retain_impl(event);
}

/* Destroys a transferred event, or gives one of the library's own back to its context. */
SYCLZE_INLINE ze_result_t syclze__event_dispose(const struct syclze__event *event) {
  if (event->pooled != NULL) {
    syclze__native_event_release(event->context, event->pooled);
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t result = SYCLZE__ZE(zeEventDestroy)(event->native);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__fail(result, "syclze_event_release", "zeEventDestroy failed", event->native);
}

/* The end of a transferred event that nobody refers to any more. */
SYCLZE_COLD ze_result_t syclze__event_end(struct syclze__event *event)
    SYCLZE_LINK_NAME(syclze__event_end);

/* Hands back the object itself, and its reference. */
SYCLZE_INLINE ze_result_t syclze__event_leave(struct syclze__event *event) {
  struct syclze__context *context = event->context;
  SYCLZE__CHECK_UNWRAPPED(event->native);
  syclze__pool_release(&event->ref.slot);
  return syclze__context_release(context);
}

/* Drops a reference. The last one destroys a transferred handle and returns what that returned,
 * and drops the event's reference to its context. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_event_release(syclze_event event);

SYCLZE_INLINE ze_result_t syclze__event_release_impl(syclze_event event) {
  if (event.rep == NULL || !syclze__ref_release(&event.rep->ref)) return ZE_RESULT_SUCCESS;
  return event.rep->ref.ownership == SYCLZE_OWNERSHIP_TRANSFER ? syclze__event_end(event.rep)
                                                               : syclze__event_leave(event.rep);
}
SYCLZE_INLINE ze_result_t syclze_event_release(syclze_event event) {
  SYCLZE__RETURN_IF_TRACED(event_release, event);
  return syclze__event_release_impl(event);
}

SYCLZE_COLD ze_result_t syclze__event_end(struct syclze__event *event) {
  ze_result_t result = syclze__event_dispose(event);
  ze_result_t released = syclze__event_leave(event);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

enum { SYCLZE__EVENT_SLICE = 100000000 }; /* nanoseconds after which a wait begins anew */

SYCLZE_COLD ze_result_t syclze__event_await(const struct syclze__event *event)
    SYCLZE_LINK_NAME(syclze__event_await);

/* Waits until the event is signalled, or its context lost (command/detail/host_signal.h). */
SYCLZE_COLD ze_result_t syclze__event_await(const struct syclze__event *event) {
  for (;;) {
    ze_result_t result = SYCLZE__ZE(zeEventHostSynchronize)(event->native, SYCLZE__EVENT_SLICE);
    if (result != ZE_RESULT_NOT_READY) return result;
    const struct syclze__event_pools *pools = syclze__event_pools_there(event->context);
    uint32_t lost = pools != NULL ? __atomic_load_n(&pools->lost, __ATOMIC_ACQUIRE) : 0;
    if (lost != 0) return (ze_result_t)lost;
  }
}

/* As syclze_event_create, but for the diagnostic. */
SYCLZE_LOCAL ze_result_t syclze__event_acquire(
    struct syclze__context *context, enum syclze__event_kind kind, struct syclze__event **event) {
  struct syclze__native_event *pooled = NULL;
  *event = NULL;
  ze_result_t result = syclze__native_event_acquire(context, kind, &pooled);
  if (result != ZE_RESULT_SUCCESS) return result;
  *event = syclze__event_new(pooled->native, context, pooled, SYCLZE_OWNERSHIP_TRANSFER);
  if (*event != NULL) {
    if (kind == SYCLZE__EVENT_TIMESTAMP) (*event)->submitted = 0;
    return result;
  }
  syclze__native_event_release(context, pooled);
  return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

SYCLZE_COLD ze_result_t syclze_event_create(
    syclze_context context, uint32_t flags, syclze_event *event) {
  static const char *const function = "syclze_event_create";
  if (event == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  event->rep = NULL;
  if (context.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the context is null", NULL);
  enum syclze__event_kind kind =
      flags & SYCLZE_EVENT_FLAG_PROFILING ? SYCLZE__EVENT_TIMESTAMP : SYCLZE__EVENT_PLAIN;
  ze_result_t result = syclze__event_acquire(context.rep, kind, &event->rep);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__fail(result, function,
      "no memory, or zeEventPoolCreate, zeEventCreate or zeEventHostReset failed",
      context.rep->native);
}

/**
 * Waits until the event is signalled, or its context is lost.
 *
 * @param[in] event  Not null.
 * @return ZE_RESULT_SUCCESS, or what zeEventHostSynchronize returns.
 * @see SYCL 2020 4.6.6 (event::wait)
 */
SYCLZE_INLINE ze_result_t syclze_event_wait(syclze_event event);

SYCLZE_INLINE ze_result_t syclze__event_wait_impl(syclze_event event) {
  return syclze__event_await(event.rep);
}

SYCLZE_INLINE ze_result_t syclze_event_wait(syclze_event event) {
  SYCLZE__RETURN_IF_TRACED(event_wait, event);
  return syclze__event_wait_impl(event);
}

SYCLZE_EXTERN_C_END

#endif
