/* The state of a queue: its native order, its last commands, and what later ones wait for.
 *
 * Created by the queue's first submission, freed when the queue is released and no access refers to
 * it. On 64 bits a submission that has an event keeps 192 bytes until a later submission finds that
 * event signalled (pending.h). Each of its accesses keeps another 112 (dependency.h) as long as
 * work may have to wait for it.
 *
 * All members but the constant ones are protected by the lock. */
#ifndef SYCLZE_COMMAND_DETAIL_QUEUE_STATE_H
#define SYCLZE_COMMAND_DETAIL_QUEUE_STATE_H

#include "../../queue.h"
#include "../../detail/lock.h"
#include "wait_list.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__interop;
struct syclze__pending;
struct syclze__regular_list;

/* Why a command without requirements and event cannot simply be appended to the native list. */
enum {
  SYCLZE__OBSTACLE_KIND = 1,    /* a command queue, or an in-order queue on an out-of-order list */
  SYCLZE__OBSTACLE_AFTER = 2,   /* `after` is not null */
  SYCLZE__OBSTACLE_BARRIER = 4, /* `barrier` is deferred, and not in the native list */
  SYCLZE__OBSTACLE_LENT = 8     /* `borrowers` is not null */
};

struct syclze__queue_state {
  struct syclze__attachment attachment; /* of the queue */
  struct syclze__queue *queue;
  uint32_t lock;
  uint32_t references; /* the queue's, and one of each access by position or in order */
  uint32_t obstacles;
  bool in_order;        /* each command waits for the one before */
  bool driver_in_order; /* the native list keeps that order */
  bool is_list;         /* an immediate list */
  bool profiling;
  bool has_plain_launches;       /* of kernels that no event keeps */
  bool has_ended;                /* the queue is destroyed, and all its work done */
  uint64_t position;             /* of the last appended command, from 1 */
  uint64_t marker_position;      /* `marker` covers all commands up to this one */
  struct syclze__event *marker;  /* null for none, as the next two */
  struct syclze__event *after;   /* an in-order queue's next submission waits for it */
  struct syclze__event *barrier; /* what the native list does not order waits for it */
  /* Host tasks that use the native list, which is for one thread at a time: nothing is appended to
   * it until they end. */
  struct syclze__interop *borrowers;
  struct syclze__pending *first, **last;
  struct syclze__regular_list *idle;
  struct syclze__pending *spare; /* done, with an event for the next one; null for none */
};

/* Null before the queue's first submission. */
SYCLZE_INLINE struct syclze__queue_state *syclze__queue_state_get(
    const struct syclze__queue *queue) {
  return (struct syclze__queue_state *)(void *)__atomic_load_n(&queue->state, __ATOMIC_ACQUIRE);
}

#if SYCLZE__BODIES

SYCLZE_INLINE void syclze__queue_state_retain(struct syclze__queue_state *state) {
  __atomic_fetch_add(&state->references, 1, __ATOMIC_RELAXED);
}

SYCLZE_INLINE void syclze__queue_state_release(struct syclze__queue_state *state) {
  if (__atomic_fetch_sub(&state->references, 1, __ATOMIC_ACQ_REL) != 1) return;
  if (state->marker != NULL) syclze__event_release(state->marker);
  free(state);
}

/* A new event of the queue's kind. */
SYCLZE_INLINE ze_result_t syclze__queue_event(
    const struct syclze__queue *queue, struct syclze__event **event) {
  return syclze__event_acquire(queue->context,
      queue->properties.flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING ? SYCLZE__EVENT_TIMESTAMP
                                                                       : SYCLZE__EVENT_PLAIN,
      event);
}

/* The next submission of an in-order queue waits for the event. Null for none. */
SYCLZE_INLINE void syclze__queue_state_set_after(
    struct syclze__queue_state *state, struct syclze__event *event) {
  syclze__event_assign(&state->after, event);
  if (event != NULL)
    state->obstacles |= SYCLZE__OBSTACLE_AFTER;
  else
    state->obstacles &= ~(uint32_t)SYCLZE__OBSTACLE_AFTER;
}

/* `event` covers all commands that the native list has been given. */
SYCLZE_INLINE void syclze__queue_state_set_marker(
    struct syclze__queue_state *state, struct syclze__event *event) {
  syclze__event_assign(&state->marker, event);
  state->marker_position = state->position;
}

#endif

SYCLZE_EXTERN_C_END

#endif
