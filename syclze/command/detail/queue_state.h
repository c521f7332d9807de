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

struct syclze__stream {
  struct syclze__attachment attachment; /* of the queue */
  struct syclze__queue *queue;
  uint32_t lock;
  uint32_t references; /* the queue's own, and one of each access */
  bool in_order;       /* what comes later waits for what came before */
  bool native_order;   /* and the native list sees to it */
  bool is_list;        /* an immediate list */
  bool profiling;
  bool direct;                   /* what nobody waits for needs nothing but to be appended */
  uint64_t position;             /* of the last command, from 1 */
  uint64_t mark_position;        /* what `mark` stands for, and all before it */
  struct syclze__event *mark;    /* null for none; so are the others */
  struct syclze__event *after;   /* the next submission waits for it, in order */
  struct syclze__event *barrier; /* what the native list does not order waits for it */
  struct syclze__pending *first, **last;
  struct syclze__regular *idle;
  /* Of the submission that is made: */
  struct syclze__event **held; /* the wait list, each with a reference */
  ze_event_handle_t *waits;
  uint32_t wait_count, wait_room;
};

SYCLZE_COLD struct syclze__stream *syclze__stream_make(struct syclze__queue *queue)
    SYCLZE_LINK_NAME(syclze__stream_make);
SYCLZE_COLD ze_result_t syclze__stream_end(struct syclze__attachment *attachment)
    SYCLZE_LINK_NAME(syclze__stream_end);

/* The queue's stream; null before its first submission. */
SYCLZE_INLINE struct syclze__stream *syclze__stream_there(const struct syclze__queue *queue) {
  return (struct syclze__stream *)(void *)__atomic_load_n(&queue->stream, __ATOMIC_ACQUIRE);
}

/* The queue's stream; null without memory. */
SYCLZE_INLINE struct syclze__stream *syclze__stream_of(struct syclze__queue *queue) {
  struct syclze__stream *there = syclze__stream_there(queue);
  if (SYCLZE__LIKELY(there != NULL)) return there;
  return syclze__stream_make(queue);
}

SYCLZE_COLD struct syclze__stream *syclze__stream_make(struct syclze__queue *queue) {
  struct syclze__stream *fresh = (struct syclze__stream *)calloc(1, sizeof *fresh);
  if (fresh == NULL) return NULL;
  fresh->attachment.end = syclze__stream_end;
  fresh->queue = queue;
  fresh->references = 1;
  fresh->in_order = (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
  fresh->is_list = queue->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
  fresh->native_order = fresh->in_order && fresh->is_list && queue->native_order;
  fresh->direct = fresh->is_list && fresh->in_order == fresh->native_order;
  fresh->profiling = (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) != 0;
  fresh->last = &fresh->first;
  struct syclze__attachment *none = NULL;
  if (__atomic_compare_exchange_n(
          &queue->stream, &none, &fresh->attachment, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fresh;
  free(fresh);
  return (struct syclze__stream *)(void *)none;
}

/* The queue's stream with its lock held, where a command without requirements and event needs
 * nothing but to be appended to the native list; else null, and no lock. */
SYCLZE_INLINE struct syclze__stream *syclze__stream_enter(const struct syclze__queue *queue) {
  struct syclze__stream *stream = syclze__stream_there(queue);
  if (SYCLZE__UNLIKELY(stream == NULL || !stream->direct)) return NULL;
  syclze__lock_take(&stream->lock);
  if (SYCLZE__LIKELY(stream->after == NULL)) return stream;
  syclze__lock_give(&stream->lock);
  return NULL;
}

SYCLZE_INLINE void syclze__event_drop(struct syclze__event *rep) {
  syclze_event event = {rep};
  syclze_event_release(event);
}

/* Puts an event into one of the stream's places. Null is allowed. */
SYCLZE_INLINE void syclze__event_put(struct syclze__event **place, struct syclze__event *event) {
  struct syclze__event *before = *place;
  if (event != NULL) syclze__ref_retain(&event->ref);
  *place = event;
  if (before != NULL) syclze__event_drop(before);
}

SYCLZE_COLD ze_result_t syclze__event_fresh(struct syclze__stream *stream,
    struct syclze__event **event) SYCLZE_LINK_NAME(syclze__event_fresh);

/* An event of the queue's kind. */
SYCLZE_COLD ze_result_t syclze__event_fresh(
    struct syclze__stream *stream, struct syclze__event **event) {
  return syclze__event_take(stream->queue->context,
      stream->profiling ? SYCLZE__EVENT_TIMESTAMP : SYCLZE__EVENT_PLAIN, event);
}

/* Gives back the lists of a submission. */
SYCLZE_INLINE void syclze__pending_idle(
    struct syclze__stream *stream, struct syclze__pending *pending) {
  while (pending->regular != NULL) {
    struct syclze__regular *regular = pending->regular;
    pending->regular = regular->next;
    regular->next = stream->idle;
    stream->idle = regular;
  }
}

SYCLZE_COLD void syclze__pending_end(struct syclze__stream *stream, struct syclze__pending *pending)
    SYCLZE_LINK_NAME(syclze__pending_end);

/* Drops what a submission kept that is done, or that was not made. */
SYCLZE_COLD void syclze__pending_end(
    struct syclze__stream *stream, struct syclze__pending *pending) {
  struct syclze__event **waits = pending->many != NULL ? pending->many : pending->few;
  for (uint32_t i = 0; i < pending->wait_count; i++)
    syclze__event_drop(waits[i]);
  free(pending->many);
  if (pending->event != NULL) syclze__event_drop(pending->event);
  if (pending->kernel != NULL) {
    syclze_kernel kernel = {pending->kernel};
    syclze_kernel_release(kernel);
  }
  syclze__pending_idle(stream, pending);
  syclze__pool_give(&pending->slot);
}

/* Looks at the oldest submissions, so many at most. With the lock held, as all that follows. */
SYCLZE_INLINE void syclze__stream_prune(struct syclze__stream *stream, uint32_t looks) {
  while (stream->first != NULL && looks-- > 0) {
    struct syclze__pending *pending = stream->first;
    if (zeEventQueryStatus(pending->event->native) == ZE_RESULT_NOT_READY) return;
    stream->first = pending->next;
    if (stream->first == NULL) stream->last = &stream->first;
    syclze__pending_end(stream, pending);
  }
}

SYCLZE_INLINE struct syclze__pending *syclze__pending_new(struct syclze__event *event) {
  struct syclze__pending *pending = (struct syclze__pending *)syclze__pool_take(
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

SYCLZE_INLINE void syclze__stream_keep(
    struct syclze__stream *stream, struct syclze__pending *pending) {
  *stream->last = pending;
  stream->last = &pending->next;
}

SYCLZE_COLD ze_result_t syclze__stream_mark(struct syclze__stream *stream)
    SYCLZE_LINK_NAME(syclze__stream_mark);

/* Sees to it that `mark` stands for all commands so far of a stream in native order, and for what
 * the next one waits for. */
SYCLZE_COLD ze_result_t syclze__stream_mark(struct syclze__stream *stream) {
  if (stream->mark_position == stream->position) return ZE_RESULT_SUCCESS;
  struct syclze__event *event;
  ze_result_t result = syclze__event_fresh(stream, &event);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__pending *pending = syclze__pending_new(event);
  if (pending == NULL) {
    syclze__event_drop(event);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  ze_event_handle_t after = NULL;
  if (stream->after != NULL) {
    after = stream->after->native;
    pending->few[pending->wait_count++] = stream->after;
    syclze__ref_retain(&stream->after->ref);
  }
  result = zeCommandListAppendBarrier(
      stream->queue->native.list, event->native, pending->wait_count, &after);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__stream_keep(stream, pending);
    syclze__event_put(&stream->mark, event);
    stream->mark_position = stream->position;
  } else
    syclze__pending_end(stream, pending);
  syclze__event_drop(event);
  return result;
}

/* One more event to wait for, of which the stream keeps a reference. */
SYCLZE_COLD ze_result_t syclze__stream_wait(struct syclze__stream *stream,
    struct syclze__event *event) SYCLZE_LINK_NAME(syclze__stream_wait);

SYCLZE_COLD ze_result_t syclze__stream_wait(
    struct syclze__stream *stream, struct syclze__event *event) {
  for (uint32_t i = stream->wait_count; i > 0 && stream->wait_count - i < 8; i--)
    if (stream->held[i - 1] == event) return ZE_RESULT_SUCCESS;
  if (stream->wait_count == stream->wait_room) {
    uint32_t room = stream->wait_room != 0 ? 2 * stream->wait_room : 8;
    struct syclze__event **held =
        (struct syclze__event **)realloc(stream->held, room * sizeof *held);
    if (held != NULL) stream->held = held;
    ze_event_handle_t *waits = (ze_event_handle_t *)realloc(stream->waits, room * sizeof *waits);
    if (waits != NULL) stream->waits = waits;
    if (held == NULL || waits == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    stream->wait_room = room;
  }
  syclze__ref_retain(&event->ref);
  stream->waits[stream->wait_count] = event->native;
  stream->held[stream->wait_count++] = event;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD void syclze__stream_forget_waits(struct syclze__stream *stream)
    SYCLZE_LINK_NAME(syclze__stream_forget_waits);

SYCLZE_COLD void syclze__stream_forget_waits(struct syclze__stream *stream) {
  while (stream->wait_count > 0)
    syclze__event_drop(stream->held[--stream->wait_count]);
}

SYCLZE_COLD ze_result_t syclze__stream_regular(struct syclze__stream *stream,
    struct syclze__regular **regular) SYCLZE_LINK_NAME(syclze__stream_regular);

/* A list to record into, empty. */
SYCLZE_COLD ze_result_t syclze__stream_regular(
    struct syclze__stream *stream, struct syclze__regular **regular) {
  struct syclze__regular *idle = stream->idle;
  if (idle != NULL) {
    ze_result_t result = zeCommandListReset(idle->list);
    if (result != ZE_RESULT_SUCCESS) return result;
    stream->idle = idle->next;
    idle->next = NULL;
    *regular = idle;
    return result;
  }
  struct syclze__queue *queue = stream->queue;
  ze_command_list_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  ze_result_t result = syclze__compute_ordinal(queue->device, &desc.commandQueueGroupOrdinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  idle = (struct syclze__regular *)calloc(1, sizeof *idle);
  if (idle == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = zeCommandListCreate(queue->context->native, queue->device->native, &desc, &idle->list);
  if (result == ZE_RESULT_SUCCESS)
    *regular = idle;
  else
    free(idle);
  return result;
}

/* Drops a reference to the stream. */
SYCLZE_INLINE void syclze__stream_release(struct syclze__stream *stream) {
  if (__atomic_fetch_sub(&stream->references, 1, __ATOMIC_ACQ_REL) != 1) return;
  if (stream->mark != NULL) syclze__event_drop(stream->mark);
  free(stream);
}

SYCLZE_COLD ze_result_t syclze__stream_finish(struct syclze__stream *stream)
    SYCLZE_LINK_NAME(syclze__stream_finish);

/* The end of a queue whose work nobody adds to: waits for it, then hands everything back. In a
 * context that is lost (signal.h) a queue whose work does not end is left as it is. */
SYCLZE_COLD ze_result_t syclze__stream_finish(struct syclze__stream *stream) {
  struct syclze__queue *queue = stream->queue;
  while (stream->first != NULL) {
    const struct syclze__pending *pending = stream->first;
    ze_result_t waited = syclze__event_await(pending->event);
    syclze__stream_prune(stream, 1);
    if (waited != ZE_RESULT_SUCCESS && stream->first == pending)
      return syclze__refuse(waited, "syclze_queue_release",
          "the queue is not destroyed: its context is lost, and its work not done",
          queue->native.queue);
  }
  while (stream->idle != NULL) {
    struct syclze__regular *regular = stream->idle;
    stream->idle = regular->next;
    zeCommandListDestroy(regular->list);
    free(regular);
  }
  if (stream->after != NULL) syclze__event_drop(stream->after);
  if (stream->barrier != NULL) syclze__event_drop(stream->barrier);
  free(stream->held);
  free(stream->waits);
  syclze__stream_release(stream);
  queue->stream = NULL;
  return syclze__queue_over(queue);
}

SYCLZE_COLD void *syclze__stream_reap(void *stream) SYCLZE_LINK_NAME(syclze__stream_reap);

SYCLZE_COLD void *syclze__stream_reap(void *stream) {
  syclze__stream_finish((struct syclze__stream *)stream);
  return NULL;
}

/* After the queue's last release: what is not done is waited for by a thread of its own. Without
 * memory for what tells that it is, the queue is left as it is. */
SYCLZE_COLD ze_result_t syclze__stream_end(struct syclze__attachment *attachment) {
  struct syclze__stream *stream = (struct syclze__stream *)(void *)attachment;
  syclze__lock_take(&stream->lock);
  ze_result_t marked = stream->native_order ? syclze__stream_mark(stream) : ZE_RESULT_SUCCESS;
  const bool left = marked == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ||
                    marked == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  /* A driver that refuses for good is not asked again, as the queue goes. */
  if (!left) stream->mark_position = stream->position;
  syclze__stream_prune(stream, UINT32_MAX);
  bool busy = stream->first != NULL;
  syclze__lock_give(&stream->lock);
  if (left)
    return syclze__refuse(marked, "syclze_queue_release",
        "the queue is not destroyed: it cannot be known when its work is done",
        stream->queue->native.queue);
  pthread_t thread;
  if (!busy || pthread_create(&thread, NULL, syclze__stream_reap, stream) != 0)
    return syclze__stream_finish(stream);
  pthread_detach(thread);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_EXTERN_C_END

#endif
