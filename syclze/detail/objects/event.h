/* Implementation of event.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_EVENT_H
#define SYCLZE_DETAIL_OBJECTS_EVENT_H

#include "../../event.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__dependent;
struct syclze__kernel;
struct syclze__regular_list;

/* Resources that the queue keeps until a submission's event is signalled
 * (command/detail/queue/pending.h). In memory from the pool all members except `next` are zero. */
struct syclze__pending {
  struct syclze__event *next;
  struct syclze__kernel *kernel;
  struct syclze__regular_list *lists;
  union {
    struct syclze__event *one;
    struct syclze__event **many; /* of several */
  } waits;                       /* events that the submission waits for */
  uint32_t wait_count;
  bool is_host;   /* the host signals the event */
  bool holds;     /* a kernel or events, or `is_host` */
  bool is_listed; /* `order` of the event is set */
};

/* `dependents` of the event of a command group that was recorded to a graph
 * (command/detail/graph/event.h): it is never signalled. */
#define SYCLZE__DEPENDENTS_RECORDED ((struct syclze__dependent *)(uintptr_t)3)

struct syclze__event {
  struct syclze__ref ref;
  ze_event_handle_t native;
  struct syclze__context *context;
  struct syclze__native_event *pooled; /* null for a wrapped event */
  union {
    uint64_t submitted; /* time of submission, of a pooled event with timestamps; 0 if unknown */
    uint64_t order;     /* of others with `is_listed`: the number of the queue's state that has the
                           command in its native order, or 0, or SYCLZE__ORDER_DONE */
  };
  struct syclze__device *device; /* of the timestamps; null if unknown */
  /* Timestamps: when the function of a host task began and ended, by the device's clock. `host_end`
   * is 0 for commands of the device, SYCLZE__NO_TIMES without times, and SYCLZE__TIMES_SINCE for
   * work that begins when the native event's `since` ends. */
  union {
    uint64_t host_start;
    struct syclze__event
        *later; /* the next failed submission (command/detail/submit/deferred_signal.h) */
  };
  uint64_t host_end;
  /* Deferred submissions that depend on the event (command/detail/plain/open_event.h). Null in
   * memory from the pool. */
  struct syclze__dependent *dependents;
  struct syclze__pending pending;
};

SYCLZE__POOLED(struct syclze__event);

/* The `order` of an event that is known to be signalled. */
#define SYCLZE__ORDER_DONE UINT64_MAX

/* Values of `host_end` for events whose own times are not those of the work. */
#define SYCLZE__NO_TIMES UINT64_MAX
#define SYCLZE__TIMES_SINCE (UINT64_MAX - 1)

SYCLZE_INLINE bool syclze__event_has_no_times(const struct syclze__event *event) {
  return event->pooled != NULL && event->host_end == SYCLZE__NO_TIMES;
}

/* syclze_make_event without tracing. Neither pointer is null. */
SYCLZE_COLD ze_result_t syclze__make_event_impl(const syclze_event_input *input,
    syclze_context context, syclze_event *event) SYCLZE_LINK_NAME(syclze__make_event_impl);

/* Slow path of the make. */
SYCLZE_COLD struct syclze__made syclze__make_event_slow(
    syclze_event_input input, syclze_context context) SYCLZE_LINK_NAME(syclze__make_event_slow);

/* Waits until the event is signalled, or its context is lost
 * (command/detail/submit/event_fail.h). */
SYCLZE_COLD ze_result_t syclze__event_await(struct syclze__event *event)
    SYCLZE_LINK_NAME(syclze__event_await);

/* syclze_event_get_status without tracing. The event is not null. */
SYCLZE_COLD ze_result_t syclze__event_get_status_impl(syclze_event event,
    syclze_event_status *status) SYCLZE_LINK_NAME(syclze__event_get_status_impl);

/* Ends the event after its last release, or reports a release without a reference. */
SYCLZE_COLD ze_result_t syclze__event_last(struct syclze__event *event)
    SYCLZE_LINK_NAME(syclze__event_last);

/* False if the event's pool is known to belong to another context. */
SYCLZE_INLINE bool syclze__event_is_in(
    ze_event_handle_t native, const struct syclze__context *context) {
  __typeof__(SYCLZE__STATE.entry.event_get_pool) get_pool = SYCLZE__ENTRY(event_get_pool);
  ze_event_pool_handle_t pool;
  ze_context_handle_t its_context;
  return get_pool == NULL || get_pool(native, &pool) != ZE_RESULT_SUCCESS ||
         SYCLZE__ENTRY(event_pool_get_context)(pool, &its_context) != ZE_RESULT_SUCCESS ||
         SYCLZE__LIKELY(its_context == context->native);
}

/* Initialises an event with one reference, and a reference to its context. */
SYCLZE_INLINE struct syclze__event *syclze__event_init(void *memory, ze_event_handle_t native,
    struct syclze__context *context, struct syclze__native_event *pooled, uint32_t ownership) {
  struct syclze__event *event = (struct syclze__event *)memory;
  syclze__ref_init(&event->ref, ownership);
  event->native = native;
  /* Atomic, so that the compiler does not pair it with the handle in a vector register, which calls
   * spill. */
  __atomic_store_n(&event->context, context, __ATOMIC_RELAXED);
  event->pooled = pooled;
  return event;
}

/* Fills the memory of a wrapped event. */
SYCLZE_INLINE struct syclze__event *syclze__event_fill(
    void *memory, const syclze_event_input *input, struct syclze__context *context) {
  return syclze__event_init(
      memory, input->native_handle, context, NULL, (uint32_t)input->ownership);
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
  event->rep = syclze__event_fill(memory, input, context.rep);
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
  SYCLZE__TRACE_GET(SYCLZE_OBJECT_EVENT, event.rep);
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
  SYCLZE__CHECK_WAIT(event.rep, "syclze_event_wait", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__event_await(event.rep);
}

SYCLZE_INLINE ze_result_t syclze_event_wait(syclze_event event) {
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__RETURN_IF_TRACED(event_wait, event);
  return syclze__event_wait_impl(event);
}

SYCLZE_INLINE ze_result_t syclze_event_retain(syclze_event event) {
  return syclze__retain(SYCLZE_OBJECT_EVENT, event.rep, "syclze_event_retain");
}

/* Returns the object to its pool, and drops its reference to the context. */
SYCLZE_INLINE ze_result_t syclze__event_free(struct syclze__event *event) {
  struct syclze__context *context = event->context;
  return syclze__child_release(&context->parent, SYCLZE__POOL_EVENT, &event->ref.slot);
}

SYCLZE_INLINE ze_result_t syclze__event_release_impl(syclze_event event) {
  if (event.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(event, "syclze_event_release", SYCLZE_RESULT_ERROR_INVALID);
  enum syclze__dropped dropped = syclze__ref_drop(&event.rep->ref);
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_ONE)) return ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_LAST)) return syclze__event_last(event.rep);
  SYCLZE__CHECK_UNWRAPPED(event.rep->native);
  return syclze__event_free(event.rep);
}

SYCLZE_INLINE ze_result_t syclze_event_release(syclze_event event) {
  SYCLZE__RETURN_IF_TRACED(release, SYCLZE_OBJECT_EVENT, event.rep);
  return syclze__event_release_impl(event);
}

#if SYCLZE__BODIES

/* Creates an event; null without memory. */
SYCLZE_LOCAL_WARM struct syclze__event *syclze__event_new(ze_event_handle_t native,
    struct syclze__context *context, struct syclze__native_event *pooled, uint32_t ownership) {
  void *memory =
      syclze__child_acquire(&context->parent, SYCLZE__POOL_EVENT, sizeof(struct syclze__event));
  return memory != NULL ? syclze__event_init(memory, native, context, pooled, ownership) : NULL;
}

SYCLZE_LOCAL struct syclze__status syclze__check_event(
    const syclze_event_input *input, const struct syclze__context *context) {
  struct syclze__status status =
      syclze__check_handle(input->native_handle, (uint32_t)input->ownership);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_in(context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__event_is_in(input->native_handle, context))
    return syclze__invalid("Level-Zero backend 4.3: the event's pool is of another context");
  return status;
}

SYCLZE_LOCAL struct syclze__made syclze__event_make(
    const syclze_event_input *input, struct syclze__context *context) {
  struct syclze__status status = syclze__check_event(input, context);
  void *memory = syclze__make_memory(&status, (struct syclze__parent *)(void *)context,
      SYCLZE__POOL_EVENT, sizeof(struct syclze__event));
  if (memory != NULL) syclze__event_fill(memory, input, context);
  return syclze__make_end(status, memory, "event", "syclze_make_event", input->native_handle,
      (uint32_t)input->ownership);
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

/* Ends a wrapped event after its last release. */
SYCLZE_LOCAL ze_result_t syclze__event_destroy(struct syclze__event *event) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (event->ref.ownership == SYCLZE__TRANSFERRED && !syclze__is_forked()) {
    result = SYCLZE__ZE(zeEventDestroy)(event->native);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
      syclze__fail(result, "syclze_event_release", "zeEventDestroy failed", event->native);
  } else
    result = syclze__owner_end(&event->ref);
  ze_result_t freed = syclze__event_free(event);
  return result != ZE_RESULT_SUCCESS ? result : freed;
}

/* Ends a pooled event that no thread keeps, after its last release. */
SYCLZE_LOCAL ze_result_t syclze__event_return(struct syclze__event *event) {
  struct syclze__event_pools *pools = syclze__event_pools_there(event->context);
  event->pooled->used = true;
  event->pooled->object = NULL;
  /* A thread that the child of a fork does not have may hold the pools' lock. */
  if (!syclze__is_forked()) pools->push(pools, event->pooled);
  return syclze__event_free(event);
}

SYCLZE_COLD ze_result_t syclze__event_last(struct syclze__event *event) {
  struct syclze__context *context = event->context;
  if (syclze__ref_is_missing(&event->ref))
    return syclze__ref_underflow(&event->ref, "syclze_event_release");
  SYCLZE__CHECK_UNWRAPPED(event->native);
  if (event->pooled == NULL) return syclze__event_destroy(event);
  event->pending.is_listed = false;
#if SYCLZE__HAS_IDLE_OBJECTS
  if (SYCLZE__LIKELY(syclze__idle_event_keep(context, event->pooled, &event->ref.slot)))
    return syclze__idle_event_kept(context, &event->ref.slot);
#else
  (void)context;
#endif
  return syclze__event_return(event);
}

SYCLZE_COLD ze_result_t syclze_event_set_owner(syclze_event event, syclze_owner owner) {
  SYCLZE__OWNER_SET(event, event, event.rep->native,
      event.rep->pooled != NULL ? "the native event is the library's own" : NULL);
}

SYCLZE_COLD syclze_owner syclze_event_get_owner(syclze_event event) {
  return syclze__owner_get(&event.rep->ref);
}

#endif

SYCLZE_EXTERN_C_END

#include "event_create.h"
#include "event_profiling.h"
#include "event_wait.h"

#endif
