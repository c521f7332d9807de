/* Implementation of event.h. */
#ifndef SYCLZE_DETAIL_EVENT_H
#define SYCLZE_DETAIL_EVENT_H

#include "../event.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__dependent;
struct syclze__kernel;
struct syclze__regular_list;

/* Of the event of a submission, while the queue holds it until it is signalled
 * (command/detail/pending.h). In memory from the pool all members but `next` are zero. */
struct syclze__pending {
  struct syclze__event *next;
  struct syclze__kernel *kernel;
  struct syclze__regular_list *lists;
  union {
    struct syclze__event *one;
    struct syclze__event **many; /* of several */
  } waits;                       /* what the submission waits for */
  uint32_t wait_count;
  bool is_host; /* the event is signalled by the host */
  bool holds;   /* a kernel or events, or is the host's */
};

/* `dependents` of the event of a command group that was recorded to a graph
 * (command/detail/graph_event.h): it is never signalled. */
#define SYCLZE__DEPENDENTS_RECORDED ((struct syclze__dependent *)(uintptr_t)3)

struct syclze__event {
  struct syclze__ref ref;
  ze_event_handle_t native;
  struct syclze__context *context;
  struct syclze__native_event *pooled; /* null for a wrapped event */
  /* Of pooled events with timestamps: when the work was submitted, 0 if unknown, and where. */
  uint64_t submitted;
  struct syclze__device *device; /* null if unknown */
  /* Of these, when the function of a host task began and ended, by the device's clock; an end of 0
   * for commands of the device. */
  union {
    uint64_t host_start;
    struct syclze__event *later; /* of a submission that failed (command/detail/signal_later.h) */
  };
  uint64_t host_end;
  /* Deferred submissions that depend on the event (command/detail/dependents.h). Null in memory
   * that the pool hands out. */
  struct syclze__dependent *dependents;
  struct syclze__pending pending;
};

SYCLZE__POOLED(struct syclze__event);

/* Without tracing. Neither pointer is null. */
SYCLZE_COLD ze_result_t syclze__make_event_impl(const syclze_event_input *input,
    syclze_context context, syclze_event *event) SYCLZE_LINK_NAME(syclze__make_event_impl);

/* The make that is traced or not fast. */
SYCLZE_COLD struct syclze__made syclze__make_event_slow(
    syclze_event_input input, syclze_context context) SYCLZE_LINK_NAME(syclze__make_event_slow);

/* Waits until the event is signalled, or its context lost (command/detail/host_signal.h). */
SYCLZE_COLD ze_result_t syclze__event_await(const struct syclze__event *event)
    SYCLZE_LINK_NAME(syclze__event_await);

/* Without tracing, of an event that is not null. */
SYCLZE_COLD ze_result_t syclze__event_get_status_impl(syclze_event event,
    syclze_event_status *status) SYCLZE_LINK_NAME(syclze__event_get_status_impl);

/* After a release: destroys a transferred event. */
SYCLZE_COLD ze_result_t syclze__event_last(struct syclze__event *event)
    SYCLZE_LINK_NAME(syclze__event_last);

/* False if the event's pool is known to be of another context. */
SYCLZE_INLINE bool syclze__event_is_in(
    ze_event_handle_t native, const struct syclze__context *context) {
  __typeof__(SYCLZE__STATE.entry.event_get_pool) get_pool = SYCLZE__ENTRY(event_get_pool);
  ze_event_pool_handle_t pool;
  ze_context_handle_t its_context;
  return get_pool == NULL || get_pool(native, &pool) != ZE_RESULT_SUCCESS ||
         SYCLZE__ENTRY(event_pool_get_context)(pool, &its_context) != ZE_RESULT_SUCCESS ||
         SYCLZE__LIKELY(its_context == context->native);
}

/* An event with one reference, and a reference to its context. */
SYCLZE_INLINE struct syclze__event *syclze__event_init(void *memory, ze_event_handle_t native,
    struct syclze__context *context, struct syclze__native_event *pooled, uint32_t ownership) {
  struct syclze__event *event = (struct syclze__event *)memory;
  syclze__ref_init(&event->ref, ownership);
  event->native = native;
  /* Atomic so that the compiler does not pair it with the handle in a vector register, which calls
   * spill. */
  __atomic_store_n(&event->context, context, __ATOMIC_RELAXED);
  event->pooled = pooled;
  return event;
}

SYCLZE_INLINE ze_result_t syclze_make_event(
    const syclze_event_input *input, syclze_context context, syclze_event *event) {
  struct syclze__made made;
  void *memory;
  if (SYCLZE__UNLIKELY(event == NULL || input == NULL))
    return syclze__fail_null("syclze_make_event", event);
  if (SYCLZE__TRACING_CALLS() || SYCLZE__CHECKED) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(input->native_handle == NULL)) goto slow;
  if (SYCLZE__UNLIKELY((uint32_t)input->ownership > SYCLZE__KEPT)) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(context.rep == NULL)) goto slow;
  if (SYCLZE__UNLIKELY(!syclze__event_is_in(input->native_handle, context.rep))) goto slow;
  memory = syclze__child_take(&context.rep->parent, SYCLZE__POOL_EVENT);
  if (SYCLZE__UNLIKELY(memory == NULL)) goto slow;
  event->rep = syclze__event_init(
      memory, input->native_handle, context.rep, NULL, (uint32_t)input->ownership);
  return ZE_RESULT_SUCCESS;
slow:
  made = syclze__make_event_slow(*input, context);
  event->rep = (struct syclze__event *)made.rep;
  return made.result;
}

/* True for the event of a group that was recorded to a graph, which has no native event. */
SYCLZE_INLINE bool syclze__event_is_recorded(const struct syclze__event *event) {
  return __atomic_load_n(&event->dependents, __ATOMIC_RELAXED) == SYCLZE__DEPENDENTS_RECORDED;
}

SYCLZE_INLINE ze_event_handle_t syclze_event_get_native(syclze_event event) {
  SYCLZE__TRACE_GET(SYCLZE__TRACE_EVENT, event.rep);
  SYCLZE__CHECK_USE(event, "syclze_event_get_native", NULL);
#if SYCLZE__CHECKED
  if (event.rep != NULL && syclze__event_is_recorded(event.rep))
    syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_event_get_native",
        "sycl_ext_oneapi_graph: the event is of a command group that was recorded to a graph, and "
        "has no native event",
        NULL);
#endif
  return event.rep->native;
}

SYCLZE_INLINE syclze_context syclze_event_get_context(syclze_event event) {
  syclze_context context = {event.rep->context};
  return context;
}

SYCLZE_INLINE ze_result_t syclze__event_wait_impl(syclze_event event) {
  SYCLZE__CHECK_USE(event, "syclze_event_wait", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__event_await(event.rep);
}

SYCLZE_INLINE ze_result_t syclze_event_wait(syclze_event event) {
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__RETURN_IF_TRACED(event_wait, event);
  return syclze__event_wait_impl(event);
}

SYCLZE_INLINE ze_result_t syclze__event_retain_impl(syclze_event event) {
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(event, "syclze_event_retain", SYCLZE_RESULT_ERROR_INVALID);
  syclze__ref_retain(&event.rep->ref);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_INLINE ze_result_t syclze_event_retain(syclze_event event) {
  SYCLZE__RETURN_IF_TRACED(event_retain, event);
  return syclze__event_retain_impl(event);
}

/* Returns the object to its pool, and drops its reference to the context. */
SYCLZE_INLINE ze_result_t syclze__event_free(struct syclze__event *event) {
  struct syclze__context *context = event->context;
  return syclze__child_release(&context->parent, SYCLZE__POOL_EVENT, &event->ref.slot);
}

SYCLZE_INLINE ze_result_t syclze__event_release_impl(syclze_event event) {
  enum syclze__dropped dropped;
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(event, "syclze_event_release", SYCLZE_RESULT_ERROR_INVALID);
  dropped = syclze__ref_drop(&event.rep->ref);
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_ONE)) return ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_LAST)) return syclze__event_last(event.rep);
  SYCLZE__CHECK_UNWRAPPED(event.rep->native);
  return syclze__event_free(event.rep);
}

SYCLZE_INLINE ze_result_t syclze_event_release(syclze_event event) {
  SYCLZE__RETURN_IF_TRACED(event_release, event);
  return syclze__event_release_impl(event);
}

#if SYCLZE__BODIES

/* The same in new memory; null without memory. */
SYCLZE_LOCAL_WARM struct syclze__event *syclze__event_new(ze_event_handle_t native,
    struct syclze__context *context, struct syclze__native_event *pooled, uint32_t ownership) {
  void *memory =
      syclze__child_acquire(&context->parent, SYCLZE__POOL_EVENT, sizeof(struct syclze__event));
  return memory != NULL ? syclze__event_init(memory, native, context, pooled, ownership) : NULL;
}

SYCLZE_LOCAL struct syclze__status syclze__check_event(
    const syclze_event_input *input, const struct syclze__context *context) {
  struct syclze__status status = syclze__check_handle(input->native_handle, input->ownership);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_in(context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__event_is_in(input->native_handle, context))
    return syclze__invalid("Level-Zero backend 4.3: the event's pool is of another context");
  return status;
}

SYCLZE_LOCAL struct syclze__made syclze__event_make(
    const syclze_event_input *input, struct syclze__context *context) {
  struct syclze__event *event;
  struct syclze__status status = syclze__check_event(input, context);
  if (status.result == ZE_RESULT_SUCCESS) {
    event = syclze__event_new(input->native_handle, context, NULL, input->ownership);
    if (event != NULL) {
      SYCLZE__CHECK_WRAPPED(&event->ref, input->native_handle, input->ownership);
      return syclze__make_succeeded(event);
    }
    status = syclze__out_of_memory();
  }
  return syclze__make_failed(status, "syclze_make_event", input->native_handle);
}

SYCLZE_COLD ze_result_t syclze__make_event_impl(
    const syclze_event_input *input, syclze_context context, syclze_event *event) {
  const struct syclze__made made = syclze__event_make(input, context.rep);
  event->rep = (struct syclze__event *)made.rep;
  return made.result;
}

SYCLZE_COLD struct syclze__made syclze__make_event_slow(
    syclze_event_input input, syclze_context context) {
  SYCLZE__MADE_IF_TRACED(make_event, syclze_event, &input, context, &created);
  return syclze__event_make(&input, context.rep);
}

enum { SYCLZE__EVENT_SLICE = 100000000 }; /* nanoseconds until a wait looks at the context again */

/* Why the context is lost; ZE_RESULT_SUCCESS if it is not. */
SYCLZE_LOCAL ze_result_t syclze__context_lost(const struct syclze__context *context) {
  const struct syclze__event_pools *pools =
      context != NULL ? syclze__event_pools_there(context) : NULL;
  return pools != NULL ? (ze_result_t)__atomic_load_n(&pools->lost, __ATOMIC_ACQUIRE)
                       : ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze__event_await(const struct syclze__event *event) {
  ze_result_t result;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  if (SYCLZE__UNLIKELY(syclze__event_is_recorded(event)))
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_event_wait",
        "sycl_ext_oneapi_graph: the event is of a command group that was recorded to a graph, and "
        "has no end to wait for",
        event->native);
  do {
    void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
    if (SYCLZE__UNLIKELY(help != NULL)) help();
    result = SYCLZE__ZE(zeEventHostSynchronize)(event->native, SYCLZE__EVENT_SLICE);
    if (result != ZE_RESULT_NOT_READY) return result;
    result = syclze__context_lost(event->context);
  } while (result == ZE_RESULT_SUCCESS);
  return result;
}

SYCLZE_COLD ze_result_t syclze_events_wait(const syclze_event *events, uint32_t count) {
  ze_result_t first = ZE_RESULT_SUCCESS;
  if (events == NULL && count != 0)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_events_wait",
        "the list of events is null", NULL);
  for (uint32_t i = 0; i < count; i++) {
    const ze_result_t result = syclze_event_wait(events[i]);
    if (first == ZE_RESULT_SUCCESS) first = result;
  }
  return first;
}

SYCLZE_COLD ze_result_t syclze__event_get_status_impl(
    syclze_event event, syclze_event_status *status) {
  const char *const function = "syclze_event_get_status";
  void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
  ze_result_t result = ZE_RESULT_ERROR_UNINITIALIZED;
  SYCLZE__CHECK_USE(event, function, SYCLZE_RESULT_ERROR_INVALID);
  if (syclze__event_is_recorded(event.rep))
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
        "sycl_ext_oneapi_graph: the event is of a command group that was recorded to a graph, and "
        "has no status",
        event.rep->native);
  if (SYCLZE__UNLIKELY(help != NULL)) help();
  if (!syclze__is_forked()) result = SYCLZE__ZE(zeEventQueryStatus)(event.rep->native);
  if (result == ZE_RESULT_SUCCESS) *status = SYCLZE_EVENT_STATUS_COMPLETE;
  if (result == ZE_RESULT_NOT_READY) return syclze__context_lost(event.rep->context);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__fail(result, function, "zeEventQueryStatus failed", event.rep->native);
}

SYCLZE_COLD ze_result_t syclze_event_get_status(syclze_event event, syclze_event_status *status) {
  if (status == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_event_get_status",
        "the result's pointer is null", NULL);
  *status = event.rep == NULL ? SYCLZE_EVENT_STATUS_COMPLETE : SYCLZE_EVENT_STATUS_SUBMITTED;
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__RETURN_IF_TRACED(event_get_status, event, status);
  return syclze__event_get_status_impl(event, status);
}

/* An event that the calling thread has kept, with as many references besides one as `others`; null
 * after an error, and where it has none, as the child of a fork. */
SYCLZE_INLINE struct syclze__event *syclze__event_take(const struct syclze__context *context,
    enum syclze__event_kind kind, int32_t others, ze_result_t *result) {
  *result = ZE_RESULT_SUCCESS;
#if SYCLZE__HAS_IDLE_OBJECTS
  struct syclze__event *event =
      (struct syclze__event *)(void *)syclze__idle_object(context, (uint32_t)kind, result);
  if (SYCLZE__UNLIKELY(event == NULL)) return NULL;
  /* It is a transferred one still. */
  event->ref.others = others;
  /* Those of others are never read. */
  if (kind == SYCLZE__EVENT_TIMESTAMP) {
    event->submitted = event->host_end = 0;
    event->device = NULL;
  }
  return event;
#else
  (void)context, (void)kind, (void)others;
  return NULL;
#endif
}

/* A new event, or one that no thread has kept. */
SYCLZE_LOCAL_WARM ze_result_t syclze__event_add(
    struct syclze__context *context, enum syclze__event_kind kind, struct syclze__event **event) {
  struct syclze__native_event *pooled = NULL;
  void *memory;
  ze_result_t result = syclze__native_event_acquire(context, kind, &pooled);
  if (result != ZE_RESULT_SUCCESS) return result;
  memory = syclze__child_acquire(&context->parent, SYCLZE__POOL_EVENT, sizeof **event);
  if (memory == NULL) {
    syclze__native_event_release(context, pooled);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  *event = syclze__event_init(memory, pooled->native, context, pooled, SYCLZE__TRANSFERRED);
  SYCLZE__CHECK_WRAPPED(&(*event)->ref, pooled->native, SYCLZE__TRANSFERRED);
  (*event)->submitted = (*event)->host_end = 0;
  (*event)->device = NULL;
  return result;
}

/* As syclze_event_create, without a diagnostic. */
SYCLZE_LOCAL_WARM ze_result_t syclze__event_acquire(
    struct syclze__context *context, enum syclze__event_kind kind, struct syclze__event **event) {
  ze_result_t result;
  *event = syclze__event_take(context, kind, 0, &result);
  if (SYCLZE__LIKELY(*event != NULL) || result != ZE_RESULT_SUCCESS) return result;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  return syclze__event_add(context, kind, event);
}

/* Where the calling thread has kept no event, or taking it returned `result`; and any error. */
SYCLZE_LOCAL ze_result_t syclze__event_create_slow(
    syclze_context context, uint32_t flags, syclze_event *event, ze_result_t result) {
  const enum syclze__event_kind kind =
      flags & SYCLZE_EVENT_FLAG_PROFILING ? SYCLZE__EVENT_TIMESTAMP : SYCLZE__EVENT_PLAIN;
  struct syclze__status status;
  if (event == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_event_create",
        "the result's pointer is null", NULL);
  event->rep = NULL;
  if (context.rep == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_event_create", "the context is null", NULL);
  SYCLZE__CHECK_USE(context, "syclze_event_create", SYCLZE_RESULT_ERROR_INVALID);
  status = syclze__status_of(
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "the flags are not of syclze_event_flag");
  if ((flags & ~(uint32_t)SYCLZE_EVENT_FLAG_PROFILING) == 0) {
    if (result == ZE_RESULT_SUCCESS) result = syclze__event_acquire(context.rep, kind, &event->rep);
    status = syclze__status_of(
        result, "no memory, or zeEventPoolCreate, zeEventCreate or zeEventHostReset failed");
  }
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) return status.result;
  return syclze__fail(status.result, "syclze_event_create", status.rule, context.rep->native);
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

/* After the last release of a wrapped event. */
SYCLZE_LOCAL ze_result_t syclze__event_destroy(struct syclze__event *event) {
  ze_result_t result = ZE_RESULT_SUCCESS, released;
  if (event->ref.ownership == SYCLZE__TRANSFERRED && !syclze__is_forked()) {
    result = SYCLZE__ZE(zeEventDestroy)(event->native);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
      syclze__fail(result, "syclze_event_release", "zeEventDestroy failed", event->native);
  } else
    result = syclze__owner_end(&event->ref);
  released = syclze__event_free(event);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

/* After the last release of a pooled event, which no thread keeps. */
SYCLZE_LOCAL ze_result_t syclze__event_return(struct syclze__event *event) {
  syclze__native_event_release(event->context, event->pooled);
  return syclze__event_free(event);
}

SYCLZE_COLD ze_result_t syclze__event_last(struct syclze__event *event) {
  struct syclze__context *context = event->context;
  if (syclze__ref_is_missing(&event->ref))
    return syclze__ref_underflow(&event->ref, "syclze_event_release");
  SYCLZE__CHECK_UNWRAPPED(event->native);
  if (event->pooled == NULL) return syclze__event_destroy(event);
#if SYCLZE__HAS_IDLE_OBJECTS
  if (SYCLZE__LIKELY(syclze__idle_event_keep(context, event->pooled, &event->ref.slot)))
    return syclze__idle_event_kept(context, &event->ref.slot);
#else
  (void)context;
#endif
  return syclze__event_return(event);
}

/* How a device counts time. */
struct syclze__clock {
  double tick; /* nanoseconds */
  uint64_t mask;
};

/* Checks that the event has timestamps of the device. */
SYCLZE_LOCAL struct syclze__status syclze__check_profiling(
    syclze_event event, syclze_device device, struct syclze__clock *clock) {
  ze_device_properties_t properties;
  struct syclze__status status;
  uint32_t bits;
  if (event.rep == NULL) return syclze__null_handle("the event is null");
  if (syclze__event_is_recorded(event.rep))
    return syclze__invalid("sycl_ext_oneapi_graph: the event is of a command group that was "
                           "recorded to a graph, and has no times");
  status = syclze__check_device_in(event.rep->context, device.rep);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (event.rep->pooled != NULL && event.rep->pooled->kind != SYCLZE__EVENT_TIMESTAMP)
    return syclze__invalid("SYCL 2020 4.6.6.2: the event's queue has no property enable_profiling");
  if (event.rep->pooled != NULL && event.rep->device != NULL &&
      event.rep->device->native != device.rep->native)
    return syclze__invalid("SYCL 2020 4.6.6.2: the device is not that of the event's queue");
  memset(&properties, 0, sizeof properties);
  /* Its resolution is in cycles per second, which that of the first version is not. */
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  status.result = SYCLZE__ZE(zeDeviceGetProperties)(device.rep->native, &properties);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__status_of(status.result, "zeDeviceGetProperties failed");
  if (properties.timerResolution == 0)
    return syclze__status_of(SYCLZE_RESULT_ERROR_PROFILING, "the device's clock has no resolution");
  bits = properties.kernelTimestampValidBits;
  clock->tick = 1e9 / (double)properties.timerResolution;
  clock->mask = bits == 0 || bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return status;
}

SYCLZE_LOCAL uint64_t syclze__clock_time(const struct syclze__clock *clock, uint64_t ticks) {
  return (uint64_t)((double)(ticks & clock->mask) * clock->tick);
}

SYCLZE_COLD ze_result_t syclze_event_get_profiling(
    syclze_event event, syclze_device device, uint64_t *start, uint64_t *end) {
  const char *const function = "syclze_event_get_profiling";
  struct syclze__clock clock;
  ze_kernel_timestamp_result_t times;
  struct syclze__status status;
  if (start == NULL || end == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "a result's pointer is null", NULL);
  *start = *end = 0;
  status = syclze__check_profiling(event, device, &clock);
  if (status.result == ZE_RESULT_SUCCESS) {
    status = syclze__status_of(SYCLZE__ZE(zeEventQueryKernelTimestamp)(event.rep->native, &times),
        "zeEventQueryKernelTimestamp failed");
    if (status.result == ZE_RESULT_NOT_READY) return status.result;
  }
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(
        status.result, function, status.rule, event.rep != NULL ? event.rep->native : NULL);
  if (event.rep->pooled != NULL && event.rep->host_end != 0) {
    times.global.kernelStart = event.rep->host_start;
    times.global.kernelEnd = event.rep->host_end;
  }
  *start = syclze__clock_time(&clock, times.global.kernelStart);
  *end = syclze__clock_time(&clock, times.global.kernelEnd);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_event_get_profiling_submit(
    syclze_event event, syclze_device device, uint64_t *submit) {
  const char *const function = "syclze_event_get_profiling_submit";
  struct syclze__clock clock;
  struct syclze__status status;
  if (submit == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  *submit = 0;
  status = syclze__check_profiling(event, device, &clock);
  if (status.result == ZE_RESULT_SUCCESS &&
      (event.rep->pooled == NULL || event.rep->submitted == 0))
    status = syclze__status_of(SYCLZE_RESULT_ERROR_PROFILING,
        "the event is of no submission, or its time could not be measured");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(
        status.result, function, status.rule, event.rep != NULL ? event.rep->native : NULL);
  *submit = syclze__clock_time(&clock, event.rep->submitted);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_event_set_owner(syclze_event event, syclze_owner owner) {
  const char *const function = "syclze_event_set_owner";
  if (event.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the event is null", NULL);
  SYCLZE__CHECK_USE(event, function, SYCLZE_RESULT_ERROR_INVALID);
  if (event.rep->pooled != NULL)
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
        "the native event is the library's own", event.rep->native);
  return syclze__owner_set(
      &event.rep->ref, event.rep->native, owner, function, "syclze_event_release");
}

SYCLZE_COLD syclze_owner syclze_event_get_owner(syclze_event event) {
  return syclze__owner_get(&event.rep->ref);
}

#endif

SYCLZE_EXTERN_C_END

#endif
