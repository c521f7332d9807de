/* What a queue knows of the work that it was given: which events must live on because work signals
 * or waits for them, and what work that comes later has to wait for.
 *
 * Made by the first submission to a queue, and kept until the last of its work is done. On 64 bits
 * a submission that has an event keeps 192 bytes until later submissions see that the event is
 * signalled: one `pending`, the event and its place among the native ones, and 8 for each event
 * above four that it waits for. Each of its accesses keeps another 112 (depend.h) as long as work
 * may have to wait for it. */
#ifndef SYCLZE_COMMAND_STREAM_H
#define SYCLZE_COMMAND_STREAM_H

#include "../../event.h"
#include "../../kernel.h"
#include "../../detail/lock.h"
#include "../../queue.h"

#include <pthread.h>

SYCLZE_EXTERN_C_BEGIN

/* A regular command list, of a queue that is a command queue. */
struct syclze__regular {
  struct syclze__regular *next; /* that is idle too, or of the same submission */
  ze_command_list_handle_t list;
};

enum { SYCLZE__PENDING_FEW = 4 };

/* What one submission keeps alive until its event is signalled. */
struct syclze__pending {
  struct syclze__slot slot;
  struct syclze__pending *next;
  struct syclze__event *event;
  struct syclze__regular *regular;
  struct syclze__kernel *kernel;
  bool is_host; /* the event is signalled by the host */
  uint32_t wait_count;
  struct syclze__event **many; /* null while `few` holds them all */
  struct syclze__event *few[SYCLZE__PENDING_FEW];
};

struct syclze__queue_state {
  struct syclze__attachment attachment; /* of the queue */
  struct syclze__queue *queue;
  uint32_t lock;
  uint32_t references;  /* the queue's own, and one of each access */
  bool in_order;        /* what comes later waits for what came before */
  bool driver_in_order; /* and the native list sees to it */
  bool is_list;         /* an immediate list */
  bool profiling;
  bool direct;                   /* what nobody waits for needs nothing but to be appended */
  uint64_t position;             /* of the last command, from 1 */
  uint64_t marker_position;      /* what `marker` stands for, and all before it */
  struct syclze__event *marker;  /* null for none; so are the others */
  struct syclze__event *after;   /* the next submission waits for it, in order */
  struct syclze__event *barrier; /* what the native list does not order waits for it */
  struct syclze__pending *first, **last;
  struct syclze__regular *idle;
  /* Of the submission that is made: */
  struct syclze__event **held; /* the wait list, each with a reference */
  ze_event_handle_t *waits;
  uint32_t wait_count, wait_room;
};

SYCLZE_COLD struct syclze__queue_state *syclze__queue_state_create(struct syclze__queue *queue)
    SYCLZE_LINK_NAME(syclze__queue_state_create);
SYCLZE_LOCAL ze_result_t syclze__queue_state_detach(struct syclze__attachment *attachment);

/* The queue's state; null before its first submission. */
SYCLZE_INLINE struct syclze__queue_state *syclze__queue_state_get(
    const struct syclze__queue *queue) {
  return (struct syclze__queue_state *)(void *)__atomic_load_n(&queue->state, __ATOMIC_ACQUIRE);
}

/* The queue's state; null without memory. */
SYCLZE_INLINE struct syclze__queue_state *syclze__queue_state_require(struct syclze__queue *queue) {
  struct syclze__queue_state *there = syclze__queue_state_get(queue);
  if (SYCLZE__LIKELY(there != NULL)) return there;
  return syclze__queue_state_create(queue);
}

SYCLZE_COLD struct syclze__queue_state *syclze__queue_state_create(struct syclze__queue *queue) {
  struct syclze__queue_state *created = (struct syclze__queue_state *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  created->attachment.end = syclze__queue_state_detach;
  created->queue = queue;
  created->references = 1;
  created->in_order = (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
  created->is_list = queue->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
  created->driver_in_order = created->in_order && created->is_list && queue->driver_in_order;
  created->direct = created->is_list && created->in_order == created->driver_in_order;
  created->profiling = (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) != 0;
  created->last = &created->first;
  struct syclze__attachment *none = NULL;
  if (__atomic_compare_exchange_n(
          &queue->state, &none, &created->attachment, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return created;
  free(created);
  return (struct syclze__queue_state *)(void *)none;
}

/* The queue's state with its lock held, where a command without requirements and event needs
 * nothing but to be appended to the native list; else null, and no lock. */
SYCLZE_INLINE struct syclze__queue_state *syclze__queue_state_enter(
    const struct syclze__queue *queue) {
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (SYCLZE__UNLIKELY(state == NULL || !state->direct)) return NULL;
  syclze__lock_acquire(&state->lock);
  if (SYCLZE__LIKELY(state->after == NULL)) return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

SYCLZE_INLINE void syclze__event_release(struct syclze__event *rep) {
  syclze_event event = {rep};
  syclze_event_release(event);
}

/* Puts an event into one of the state's places. Null is allowed. */
SYCLZE_INLINE void syclze__event_assign(struct syclze__event **place, struct syclze__event *event) {
  struct syclze__event *before = *place;
  if (event != NULL) syclze__ref_retain(&event->ref);
  *place = event;
  if (before != NULL) syclze__event_release(before);
}

/* An event of the queue's kind. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_event(
    struct syclze__queue_state *state, struct syclze__event **event) {
  return syclze__event_acquire(state->queue->context,
      state->profiling ? SYCLZE__EVENT_TIMESTAMP : SYCLZE__EVENT_PLAIN, event);
}

/* Gives back the lists of a submission. */
SYCLZE_INLINE void syclze__pending_idle(
    struct syclze__queue_state *state, struct syclze__pending *pending) {
  while (pending->regular != NULL) {
    struct syclze__regular *regular = pending->regular;
    pending->regular = regular->next;
    regular->next = state->idle;
    state->idle = regular;
  }
}

SYCLZE_COLD void syclze__pending_end(struct syclze__queue_state *state,
    struct syclze__pending *pending) SYCLZE_LINK_NAME(syclze__pending_end);

/* Drops what a submission kept that is done, or that was not made. */
SYCLZE_COLD void syclze__pending_end(
    struct syclze__queue_state *state, struct syclze__pending *pending) {
  struct syclze__event **waits = pending->many != NULL ? pending->many : pending->few;
  for (uint32_t i = 0; i < pending->wait_count; i++)
    syclze__event_release(waits[i]);
  free(pending->many);
  if (pending->event != NULL) syclze__event_release(pending->event);
  if (pending->kernel != NULL) {
    syclze_kernel kernel = {pending->kernel};
    syclze_kernel_release(kernel);
  }
  syclze__pending_idle(state, pending);
  syclze__pool_release(&pending->slot);
}

/* Looks at the oldest submissions, so many at most. With the lock held, as all that follows. */
SYCLZE_INLINE void syclze__queue_state_retire(struct syclze__queue_state *state, uint32_t looks) {
  while (state->first != NULL && looks-- > 0) {
    struct syclze__pending *pending = state->first;
    if (SYCLZE__ZE(zeEventQueryStatus)(pending->event->native) == ZE_RESULT_NOT_READY) return;
    state->first = pending->next;
    if (state->first == NULL) state->last = &state->first;
    syclze__pending_end(state, pending);
  }
}

SYCLZE_INLINE struct syclze__pending *syclze__pending_new(struct syclze__event *event) {
  struct syclze__pending *pending = (struct syclze__pending *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_PENDING], sizeof *pending);
  if (pending == NULL) return NULL;
  pending->next = NULL;
  pending->regular = NULL;
  pending->kernel = NULL;
  pending->many = NULL;
  pending->wait_count = 0;
  pending->is_host = false;
  pending->event = event;
  syclze__ref_retain(&event->ref);
  return pending;
}

SYCLZE_COLD void syclze__pending_keep_kernel(struct syclze__pending *pending,
    struct syclze__kernel *kernel) SYCLZE_LINK_NAME(syclze__pending_keep_kernel);

SYCLZE_COLD void syclze__pending_keep_kernel(
    struct syclze__pending *pending, struct syclze__kernel *kernel) {
  pending->kernel = kernel;
  syclze__ref_retain(&kernel->ref);
}

SYCLZE_INLINE void syclze__queue_state_keep(
    struct syclze__queue_state *state, struct syclze__pending *pending) {
  *state->last = pending;
  state->last = &pending->next;
}

SYCLZE_COLD ze_result_t syclze__queue_state_marker(struct syclze__queue_state *state)
    SYCLZE_LINK_NAME(syclze__queue_state_marker);

/* Sees to it that `marker` stands for all commands so far of a state in native order, and for what
 * the next one waits for. */
SYCLZE_COLD ze_result_t syclze__queue_state_marker(struct syclze__queue_state *state) {
  if (state->marker_position == state->position) return ZE_RESULT_SUCCESS;
  struct syclze__event *event;
  ze_result_t result = syclze__queue_state_event(state, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__pending *pending = syclze__pending_new(event);
  if (pending == NULL) {
    syclze__event_release(event);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  ze_event_handle_t after = NULL;
  if (state->after != NULL) {
    after = state->after->native;
    pending->few[pending->wait_count++] = state->after;
    syclze__ref_retain(&state->after->ref);
  }
  result = SYCLZE__ZE(zeCommandListAppendBarrier)(
      state->queue->native.list, event->native, pending->wait_count, &after);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__queue_state_keep(state, pending);
    syclze__event_assign(&state->marker, event);
    state->marker_position = state->position;
  } else
    syclze__pending_end(state, pending);
  syclze__event_release(event);
  return result;
}

/* One more event to wait for, of which the state keeps a reference. */
SYCLZE_COLD ze_result_t syclze__queue_state_wait(struct syclze__queue_state *state,
    struct syclze__event *event) SYCLZE_LINK_NAME(syclze__queue_state_wait);

SYCLZE_COLD ze_result_t syclze__queue_state_wait(
    struct syclze__queue_state *state, struct syclze__event *event) {
  for (uint32_t i = state->wait_count; i > 0 && state->wait_count - i < 8; i--)
    if (state->held[i - 1] == event) return ZE_RESULT_SUCCESS;
  if (state->wait_count == state->wait_room) {
    uint32_t room = state->wait_room != 0 ? 2 * state->wait_room : 8;
    struct syclze__event **held =
        (struct syclze__event **)realloc(state->held, room * sizeof *held);
    if (held != NULL) state->held = held;
    ze_event_handle_t *waits = (ze_event_handle_t *)realloc(state->waits, room * sizeof *waits);
    if (waits != NULL) state->waits = waits;
    if (held == NULL || waits == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    state->wait_room = room;
  }
  syclze__ref_retain(&event->ref);
  state->waits[state->wait_count] = event->native;
  state->held[state->wait_count++] = event;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL void syclze__queue_state_drop_waits(struct syclze__queue_state *state) {
  while (state->wait_count > 0)
    syclze__event_release(state->held[--state->wait_count]);
}

/* A list to record into, empty. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_regular_list(
    struct syclze__queue_state *state, struct syclze__regular **regular) {
  struct syclze__regular *idle = state->idle;
  if (idle != NULL) {
    ze_result_t result = SYCLZE__ZE(zeCommandListReset)(idle->list);
    if (result != ZE_RESULT_SUCCESS) return result;
    state->idle = idle->next;
    idle->next = NULL;
    *regular = idle;
    return result;
  }
  struct syclze__queue *queue = state->queue;
  ze_command_list_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  ze_result_t result = syclze__compute_ordinal(queue->device, &desc.commandQueueGroupOrdinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  idle = (struct syclze__regular *)calloc(1, sizeof *idle);
  if (idle == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = SYCLZE__ZE(zeCommandListCreate)(
      queue->context->native, queue->device->native, &desc, &idle->list);
  if (result == ZE_RESULT_SUCCESS)
    *regular = idle;
  else
    free(idle);
  return result;
}

/* Drops a reference to the state. */
SYCLZE_INLINE void syclze__queue_state_release(struct syclze__queue_state *state) {
  if (__atomic_fetch_sub(&state->references, 1, __ATOMIC_ACQ_REL) != 1) return;
  if (state->marker != NULL) syclze__event_release(state->marker);
  free(state);
}

/* The end of a queue whose work nobody adds to: waits for it, then hands everything back. In a
 * context that is lost (signal.h) a queue whose work does not end is left as it is. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_finish(struct syclze__queue_state *state) {
  struct syclze__queue *queue = state->queue;
  while (state->first != NULL) {
    const struct syclze__pending *pending = state->first;
    ze_result_t waited = syclze__event_await(pending->event);
    syclze__queue_state_retire(state, 1);
    if (waited != ZE_RESULT_SUCCESS && state->first == pending)
      return syclze__fail(waited, "syclze_queue_release",
          "the queue is not destroyed: its context is lost, and its work not done",
          queue->native.queue);
  }
  while (state->idle != NULL) {
    struct syclze__regular *regular = state->idle;
    state->idle = regular->next;
    SYCLZE__ZE(zeCommandListDestroy)(regular->list);
    free(regular);
  }
  if (state->after != NULL) syclze__event_release(state->after);
  if (state->barrier != NULL) syclze__event_release(state->barrier);
  free(state->held);
  free(state->waits);
  syclze__queue_state_release(state);
  queue->state = NULL;
  return syclze__queue_destroy(queue);
}

SYCLZE_LOCAL void *syclze__queue_state_reap(void *state) {
  syclze__queue_state_finish((struct syclze__queue_state *)state);
  return NULL;
}

/* After the queue's last release: what is not done is waited for by a thread of its own. Without
 * memory for what tells that it is, the queue is left as it is. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_detach(struct syclze__attachment *attachment) {
  struct syclze__queue_state *state = (struct syclze__queue_state *)(void *)attachment;
  syclze__lock_acquire(&state->lock);
  ze_result_t marked =
      state->driver_in_order ? syclze__queue_state_marker(state) : ZE_RESULT_SUCCESS;
  const bool left = marked == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ||
                    marked == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  /* A driver that refuses for good is not asked again, as the queue goes. */
  if (!left) state->marker_position = state->position;
  syclze__queue_state_retire(state, UINT32_MAX);
  bool busy = state->first != NULL;
  syclze__lock_release(&state->lock);
  if (left)
    return syclze__fail(marked, "syclze_queue_release",
        "the queue is not destroyed: it cannot be known when its work is done",
        state->queue->native.queue);
  pthread_t thread;
  if (!busy || pthread_create(&thread, NULL, syclze__queue_state_reap, state) != 0)
    return syclze__queue_state_finish(state);
  pthread_detach(thread);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_EXTERN_C_END

#endif
