/* Submissions that are not known to be done, and what each keeps alive until its event is
 * signalled. */
#ifndef SYCLZE_COMMAND_DETAIL_PENDING_H
#define SYCLZE_COMMAND_DETAIL_PENDING_H

#include "../../kernel.h"
#include "regular_list.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__PENDING_FEW = 4 };

struct syclze__pending {
  struct syclze__slot slot;
  struct syclze__pending *next;
  struct syclze__pending *later; /* of signal_later.h */
  struct syclze__event *event;
  struct syclze__regular_list *lists;
  struct syclze__kernel *kernel; /* null for none */
  bool is_host;                  /* the event is signalled by the host */
  uint32_t wait_count;
  struct syclze__event **many; /* null while `few` holds them all */
  struct syclze__event *few[SYCLZE__PENDING_FEW];
};

#if SYCLZE__BODIES

/* Keeps a reference to `event`. */
SYCLZE_INLINE void syclze__pending_init(
    struct syclze__pending *pending, struct syclze__event *event) {
  pending->next = NULL;
  pending->lists = NULL;
  pending->kernel = NULL;
  pending->many = NULL;
  pending->wait_count = 0;
  pending->is_host = false;
  pending->event = event;
  syclze__ref_retain(&event->ref);
}

/* Null without memory. */
SYCLZE_INLINE struct syclze__pending *syclze__pending_new(struct syclze__event *event) {
  struct syclze__pending *pending = (struct syclze__pending *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_PENDING], sizeof *pending);
  if (SYCLZE__LIKELY(pending != NULL)) syclze__pending_init(pending, event);
  return pending;
}

SYCLZE_INLINE struct syclze__event **syclze__pending_events(struct syclze__pending *pending) {
  return pending->many != NULL ? pending->many : pending->few;
}

/* Releases what a submission waited for and ran. */
SYCLZE_INLINE void syclze__pending_clear(struct syclze__pending *pending) {
  struct syclze__event **waits = syclze__pending_events(pending);
  for (uint32_t i = 0; i < pending->wait_count; i++)
    syclze__event_release(waits[i]);
  if (SYCLZE__UNLIKELY(pending->many != NULL)) free((void *)pending->many);
  if (pending->kernel != NULL) {
    syclze_kernel kernel = {pending->kernel};
    syclze__kernel_release_impl(kernel);
  }
}

SYCLZE_LOCAL_WARM void syclze__pending_free(struct syclze__pending *pending) {
  syclze__event_release(pending->event);
  syclze__pool_release(&pending->slot);
}

/* Releases what a submission kept, but for its lists. Without a queue's lock: destroyed handles may
 * be reported to the application. */
SYCLZE_LOCAL_WARM void syclze__pending_end(struct syclze__pending *pending) {
  syclze__pending_clear(pending);
  syclze__pending_free(pending);
}

/* The same of submissions that are done. */
SYCLZE_LOCAL_WARM void syclze__pendings_retire(struct syclze__pending *list) {
  while (list != NULL) {
    struct syclze__pending *pending = list;
    list = pending->next;
    syclze__pending_end(pending);
  }
}

/* An event of the queue's kind, and what is kept until it is signalled. The caller has a reference
 * to the event. With the state's lock. */
SYCLZE_LOCAL_WARM ze_result_t syclze__pending_create(
    const struct syclze__queue_state *state, struct syclze__pending **pending) {
  struct syclze__event *event;
  ze_result_t result;
  *pending = NULL;
  result = syclze__queue_event(state->queue, &event);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  *pending = syclze__pending_new(event);
  if (SYCLZE__UNLIKELY(*pending == NULL)) {
    syclze__event_release(event);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (SYCLZE__UNLIKELY(state->profiling)) {
    uint64_t host;
    event->device = state->queue->device;
    SYCLZE__ZE(zeDeviceGetGlobalTimestamps)(state->queue->device->native, &host, &event->submitted);
  }
  return result;
}

/* Takes the events of the wait list, of which the handles stay. False without memory. */
SYCLZE_INLINE bool syclze__pending_take(
    struct syclze__pending *pending, struct syclze__wait_list *waits) {
  struct syclze__event **kept = pending->few;
  if (SYCLZE__UNLIKELY(waits->count > SYCLZE__PENDING_FEW))
    kept = pending->many = (struct syclze__event **)malloc(waits->count * sizeof *kept);
  if (SYCLZE__UNLIKELY(kept == NULL)) return false;
  for (uint32_t i = 0; i < waits->count; i++)
    kept[i] = waits->events[i];
  pending->wait_count = waits->count;
  waits->count = 0;
  return true;
}

SYCLZE_INLINE void syclze__pending_keep_kernel(
    struct syclze__pending *pending, struct syclze__kernel *kernel) {
  pending->kernel = kernel;
  syclze__ref_retain(&kernel->ref);
}

SYCLZE_INLINE void syclze__queue_state_keep(
    struct syclze__queue_state *state, struct syclze__pending *pending) {
  *state->last = pending;
  state->last = &pending->next;
  state->has_host_work |= pending->is_host;
}

/* Removes up to `limit` submissions that are done, oldest first, and returns them, to be ended once
 * the lock is released. */
SYCLZE_INLINE struct syclze__pending *syclze__queue_state_retire(
    struct syclze__queue_state *state, uint32_t limit) {
  struct syclze__pending *done = state->first, **link = &state->first;
  while (*link != NULL && limit-- > 0 && syclze__event_is_signalled((*link)->event)) {
    syclze__regular_lists_release(state, &(*link)->lists);
    link = &(*link)->next;
  }
  if (link == &state->first) return NULL;
  state->first = *link;
  if (state->first == NULL) {
    state->last = &state->first;
    state->has_host_work = false;
  }
  *link = NULL;
  return done;
}

/* What a marker needs; the event is its own. */
SYCLZE_LOCAL_WARM ze_result_t syclze__marker_create(
    const struct syclze__queue_state *state, struct syclze__pending **marker) {
  struct syclze__event *event;
  ze_result_t result = syclze__queue_event(state->queue, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  *marker = syclze__pending_new(event);
  syclze__event_release(event);
  return *marker != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Appends the marker behind all commands so far. */
SYCLZE_LOCAL_WARM ze_result_t syclze__marker_append(
    struct syclze__queue_state *state, struct syclze__pending *marker) {
  struct syclze__event *event = marker->event;
  const ze_result_t result =
      SYCLZE__ZE(zeCommandListAppendBarrier)(state->queue->native.list, event->native, 0, NULL);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__queue_state_keep(state, marker);
    syclze__queue_state_set_marker(state, event);
  } else
    syclze__pending_end(marker);
  return result;
}

/* Has `marker` cover all commands so far of a driver-in-order list. */
SYCLZE_LOCAL_WARM ze_result_t syclze__queue_state_mark(struct syclze__queue_state *state) {
  struct syclze__pending *marker;
  if (state->marker_position == state->position) return ZE_RESULT_SUCCESS;
  const ze_result_t result = syclze__marker_create(state, &marker);
  return result == ZE_RESULT_SUCCESS ? syclze__marker_append(state, marker) : result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
