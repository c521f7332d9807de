/* Submissions that are not known to be done, and what each keeps alive until its event is
 * signalled. Both are stored in the event (detail/objects/event.h), to which the queue has a
 * reference.
 *
 * |  pending_create               queue_state_keep               queue_state_retire
 * | ----------------->  created  ------------------>  pending  --------------------->  retired
 * |                      |   ^                         |   |                              |
 * |            withdrawn |   |      pending_reuse      |   | queue_state_finish           |
 * |                      |   +-------------------------+   |                              |
 * |                      |                                 v       pendings_retire        |
 * |                      +---------------------------->  ended  <-------------------------+
 */
#ifndef SYCLZE_COMMAND_DETAIL_QUEUE_PENDING_H
#define SYCLZE_COMMAND_DETAIL_QUEUE_PENDING_H

#include "../../../kernel.h"
#include "command_queue_lists.h"

SYCLZE_EXTERN_C_BEGIN

/* The events that a submission waits for, if there are several; more are an allocation. */
enum { SYCLZE__WAITS_FEW = 6 };

struct syclze__waits {
  struct syclze__slot slot;
  struct syclze__event *events[SYCLZE__WAITS_FEW];
};

SYCLZE__POOLED(struct syclze__waits);

/* How many completed submissions a new one retires, and every how many do so that reuse events. */
enum { SYCLZE__RETIRE_EACH = 2, SYCLZE__RETIRE_EVERY = 8 };

#if SYCLZE__BODIES

/* The events that the event's submission waits for. */
SYCLZE_INLINE struct syclze__event **syclze__pending_waits(struct syclze__event *event) {
  struct syclze__pending *pending = &event->pending;
  return pending->wait_count > 1 ? pending->waits.many : &pending->waits.one;
}

/* Room for several events; null without memory. */
SYCLZE_LOCAL struct syclze__event **syclze__waits_new(uint32_t count) {
  struct syclze__waits *waits;
  if (count > SYCLZE__WAITS_FEW)
    return (struct syclze__event **)malloc(count * sizeof(struct syclze__event *));
  waits = (struct syclze__waits *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_WAITS], sizeof *waits);
  return waits != NULL ? waits->events : NULL;
}

SYCLZE_LOCAL void syclze__waits_free(struct syclze__event **events, uint32_t count) {
  struct syclze__waits *waits;
  if (count > SYCLZE__WAITS_FEW) {
    free((void *)events);
    return;
  }
  waits = (struct syclze__waits *)(void *)((char *)events - offsetof(struct syclze__waits, events));
  syclze__pool_release(&waits->slot);
}

/* Releases a submission's wait list and kernel. */
SYCLZE_LOCAL_WARM void syclze__pending_clear(struct syclze__event *event) {
  struct syclze__pending *pending = &event->pending;
  struct syclze__event **waits = syclze__pending_waits(event);
  const syclze_kernel kernel = {pending->kernel};
  const uint32_t count = pending->wait_count;
  for (uint32_t i = 0; i < count; i++)
    syclze__event_release(waits[i]);
  if (SYCLZE__UNLIKELY(count > 1)) syclze__waits_free(waits, count);
  pending->kernel = NULL;
  pending->wait_count = 0;
  pending->holds = pending->is_host = false;
  if (kernel.rep != NULL) syclze__kernel_release_impl(kernel);
}

/* Releases all that a submission kept except its lists, and the queue's reference to its event. No
 * queue's lock is held: destroyed handles may be reported to the application. */
SYCLZE_INLINE void syclze__pending_end(struct syclze__event *event) {
  if (event->pending.holds) syclze__pending_clear(event);
  syclze__event_release(event);
}

/* Ends a list of completed submissions. */
SYCLZE_INLINE void syclze__pendings_retire(struct syclze__event *list) {
  while (list != NULL) {
    struct syclze__event *event = list;
    list = event->pending.next;
    syclze__pending_end(event);
  }
}

/* True if the next submission, which runs the kernel, may reuse the event of a completed one: the
 * queue holds the only reference, and there is nothing to release. */
SYCLZE_INLINE bool syclze__pending_is_reusable(
    const struct syclze__event *event, const struct syclze__kernel *kernel) {
  const struct syclze__pending *pending = &event->pending;
  if (SYCLZE__UNLIKELY(!syclze__ref_is_only(&event->ref))) return false;
  if (SYCLZE__LIKELY(!pending->holds)) return true;
  return pending->kernel == kernel && pending->wait_count <= 1 && !pending->is_host;
}

/* Releases the at most one event that a completed submission waited for; false if that would
 * destroy a handle of the application's. */
SYCLZE_INLINE bool syclze__pending_drop_wait(struct syclze__event *event) {
  struct syclze__pending *pending = &event->pending;
  if (SYCLZE__LIKELY(pending->wait_count == 0)) return true;
  struct syclze__event *wait = pending->waits.one;
  if (!syclze__ref_drop_other(&wait->ref)) {
    if (wait->pooled == NULL) return false;
    syclze__event_release(wait);
  }
  pending->wait_count = 0;
  pending->holds = pending->kernel != NULL;
  return true;
}

/* Forgets an event that is no longer pending: all that it covers is done. */
SYCLZE_INLINE void syclze__queue_state_forget(
    struct syclze__queue_state *state, const struct syclze__event *event) {
  SYCLZE__HELD(&state->lock);
  if (event == state->marker) state->marker = NULL;
  if (SYCLZE__UNLIKELY(event == state->cut)) state->cut = NULL;
}

/* Takes and resets the event of the oldest submission, which is completed, and has nothing to
 * release but lists; null if the reset fails. */
SYCLZE_INLINE struct syclze__event *syclze__pending_take_first(struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  struct syclze__event *first = state->first;
  if (SYCLZE__UNLIKELY(SYCLZE__ZE(zeEventHostReset)(first->native) != ZE_RESULT_SUCCESS))
    return NULL;
  first->ref.others = 1;
  if (SYCLZE__UNLIKELY(first->pending.lists != NULL))
    syclze__regular_lists_release(state, &first->pending.lists);
  syclze__queue_state_forget(state, first);
  __atomic_store_n(&state->first, first->pending.next, __ATOMIC_RELAXED);
  if (SYCLZE__LIKELY(state->first == NULL)) {
    state->last = &state->first;
    state->has_host_work = false;
  }
  return first;
}

/* Takes and resets the event of the oldest submission if that is done and nothing else needs it;
 * else null. The queue has no timestamps. */
SYCLZE_INLINE struct syclze__event *syclze__pending_reuse(
    struct syclze__queue_state *state, const struct syclze__kernel *kernel) {
  SYCLZE__HELD(&state->lock);
#if SYCLZE__HAS_IDLE_OBJECTS
  struct syclze__event *event = state->first;
  if (event == NULL || !syclze__pending_is_reusable(event, kernel) || event->device != NULL)
    return NULL;
  if (!syclze__event_is_signalled(event) || !syclze__pending_drop_wait(event)) return NULL;
  return syclze__pending_take_first(state);
#else
  (void)state, (void)kernel;
  return NULL;
#endif
}

/* Records the time of submission in an event with timestamps. */
SYCLZE_LOCAL void syclze__pending_stamp(
    const struct syclze__queue_state *state, struct syclze__event *event) {
  uint64_t host;
  event->device = state->queue->device;
  SYCLZE__ZE(zeDeviceGetGlobalTimestamps)(state->queue->device->native, &host, &event->submitted);
}

/* Creates or reuses an event for a submission, with a reference for the caller and one for the
 * queue. `kernel` may be null; a reused event may keep it already. */
SYCLZE_INLINE ze_result_t syclze__pending_create(struct syclze__queue_state *state,
    const struct syclze__kernel *kernel, struct syclze__event **event) {
  SYCLZE__HELD(&state->lock);
  ze_result_t result = ZE_RESULT_SUCCESS;
  *event = NULL;
  if (SYCLZE__LIKELY(state->event_kind == SYCLZE__EVENT_PLAIN))
    *event = syclze__pending_reuse(state, kernel);
  if (SYCLZE__UNLIKELY(*event == NULL)) {
    result = syclze__queue_event(state, event);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
    (*event)->ref.others = 1;
  }
  if (SYCLZE__UNLIKELY(state->event_kind & SYCLZE__EVENT_TIMESTAMP)) {
    syclze__pending_stamp(state, *event);
    return result;
  }
  /* Later submissions in the same order need not wait for it. */
  (*event)->order = state->order;
  (*event)->pending.is_listed = true;
  return result;
}

/* Moves the events of the wait list into the event. The handles stay in the list, unless both are
 * one allocation, which is moved. False without memory. */
SYCLZE_INLINE bool syclze__pending_keep_waits(
    struct syclze__event *event, struct syclze__wait_list *waits) {
  struct syclze__pending *pending = &event->pending;
  const uint32_t count = waits->count;
  if (count == 0) return true;
  if (SYCLZE__LIKELY(count == 1))
    pending->waits.one = waits->events[0];
  else if (count > SYCLZE__WAITS_FEW && waits->events != waits->few_events) {
    pending->waits.many = waits->events;
    waits->events = waits->few_events;
    waits->natives = waits->few_natives;
    waits->room = SYCLZE__WAIT_LIST_FEW;
  } else {
    struct syclze__event **many = syclze__waits_new(count);
    if (many == NULL) return false;
    memcpy((void *)many, (const void *)waits->events, count * sizeof *many);
    pending->waits.many = many;
  }
  pending->wait_count = count;
  pending->holds = true;
  waits->count = 0;
  return true;
}

/* Keeps the kernel until the submission is done, unless the event keeps it already. */
SYCLZE_INLINE void syclze__pending_keep_kernel(
    struct syclze__event *event, struct syclze__kernel *kernel) {
  if (event->pending.kernel != NULL) return;
  event->pending.kernel = kernel;
  event->pending.holds = true;
  syclze__ref_retain(&kernel->ref);
}

/* Marks the event as signalled by the host. */
SYCLZE_INLINE void syclze__pending_set_host(struct syclze__event *event) {
  event->pending.is_host = event->pending.holds = true;
  event->pending.is_listed = false;
}

SYCLZE_INLINE void syclze__queue_state_keep(
    struct syclze__queue_state *state, struct syclze__event *event) {
  SYCLZE__HELD(&state->lock);
  event->pending.next = NULL;
  __atomic_store_n(state->last, event, __ATOMIC_RELAXED);
  state->last = &event->pending.next;
  if (SYCLZE__UNLIKELY(event->pending.is_host)) state->has_host_work = true;
}

/* Removes up to `limit` completed submissions, oldest first; `limit` is not 0. The caller ends them
 * once the lock is released. */
SYCLZE_INLINE struct syclze__event *syclze__queue_state_retire(
    struct syclze__queue_state *state, uint32_t limit) {
  SYCLZE__HELD(&state->lock);
  struct syclze__event *done = state->first, *event = done, *last;
  if (event == NULL || !syclze__event_is_signalled(event)) return NULL;
  do {
    if (SYCLZE__UNLIKELY(event->pending.lists != NULL))
      syclze__regular_lists_release(state, &event->pending.lists);
    syclze__queue_state_forget(state, event);
    last = event;
    event = event->pending.next;
  } while (event != NULL && --limit > 0 && syclze__event_is_signalled(event));
  __atomic_store_n(&state->first, event, __ATOMIC_RELAXED);
  if (event != NULL) {
    last->pending.next = NULL;
    return done;
  }
  state->last = &state->first;
  state->has_host_work = false;
  return done;
}

/* True if the next submission like that of `event` will try to reuse the first event: that queries
 * it, which may read memory that the device has just written. */
SYCLZE_INLINE bool syclze__queue_state_leaves_first(
    const struct syclze__queue_state *state, const struct syclze__event *event) {
#if SYCLZE__HAS_IDLE_OBJECTS
  return state->event_kind == SYCLZE__EVENT_PLAIN &&
         syclze__pending_is_reusable(state->first, event->pending.kernel);
#else
  (void)state, (void)event;
  return false;
#endif
}

/* Retires two submissions for each new one with an event, so that the list does not grow while work
 * completes; if the next submission can reuse the first event, only every eighth retires, the same
 * number on average. */
SYCLZE_INLINE struct syclze__event *syclze__queue_state_retire_some(
    struct syclze__queue_state *state, const struct syclze__event *event) {
  SYCLZE__HELD(&state->lock);
  uint32_t limit = SYCLZE__RETIRE_EACH;
  if (SYCLZE__LIKELY(state->first == NULL)) return NULL;
  if (SYCLZE__LIKELY(syclze__queue_state_leaves_first(state, event))) {
    if (state->position % SYCLZE__RETIRE_EVERY != 0) return NULL;
    limit = SYCLZE__RETIRE_EACH * SYCLZE__RETIRE_EVERY;
  }
  return syclze__queue_state_retire(state, limit);
}

/* Appends the marker behind all commands so far. */
SYCLZE_LOCAL_WARM ze_result_t syclze__marker_append(
    struct syclze__queue_state *state, struct syclze__event *marker) {
  SYCLZE__HELD(&state->lock);
  const ze_result_t result =
      syclze__list_append_barrier(state->queue->native.list, marker->native, 0, NULL);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__queue_state_keep(state, marker);
    syclze__queue_state_set_marker(state, marker);
  } else
    syclze__pending_end(marker);
  return result;
}

/* Makes `marker` cover all commands of the list so far; null if they are done. */
SYCLZE_LOCAL_WARM ze_result_t syclze__queue_state_mark(struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  struct syclze__event *marker;
  if (state->marker_position == state->position) return ZE_RESULT_SUCCESS;
  if (state->is_synchronous) {
    syclze__queue_state_set_marker(state, NULL);
    return ZE_RESULT_SUCCESS;
  }
  const ze_result_t result = syclze__queue_event(state, &marker);
  return result == ZE_RESULT_SUCCESS ? syclze__marker_append(state, marker) : result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
