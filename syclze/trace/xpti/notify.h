/* How something is told: notifications, the framework's events, and what is known of them. */
#ifndef SYCLZE_TRACE_TELL_H
#define SYCLZE_TRACE_TELL_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "binding.h"

#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* xpti::trace_point_type_t. */
enum syclze__trace_type {
  SYCLZE__TRACE_ANY = 0,
  SYCLZE__TRACE_GRAPH_CREATE = 2,
  SYCLZE__TRACE_NODE_CREATE = 4,
  SYCLZE__TRACE_EDGE_CREATE = 6,
  SYCLZE__TRACE_TASK_BEGIN = 10,
  SYCLZE__TRACE_TASK_END = 11,
  SYCLZE__TRACE_BARRIER_BEGIN = 12,
  SYCLZE__TRACE_BARRIER_END = 13,
  SYCLZE__TRACE_SIGNAL = 16,
  SYCLZE__TRACE_WAIT_BEGIN = 22,
  SYCLZE__TRACE_WAIT_END = 23,
  SYCLZE__TRACE_FUNCTION_BEGIN = 24,
  SYCLZE__TRACE_FUNCTION_END = 25,
  SYCLZE__TRACE_ARGUMENTS_BEGIN = 28,
  SYCLZE__TRACE_ARGUMENTS_END = 29,
  SYCLZE__TRACE_ALLOC_BEGIN = 32,
  SYCLZE__TRACE_ALLOC_END = 33,
  SYCLZE__TRACE_FREE_BEGIN = 34,
  SYCLZE__TRACE_FREE_END = 35,
  SYCLZE__TRACE_CONSTRUCT = 36,
  SYCLZE__TRACE_DESTRUCT = 37,
  SYCLZE__TRACE_ASSOCIATE = 38,
  SYCLZE__TRACE_RELEASE = 39,
  SYCLZE__TRACE_ACCESSOR = 40,
  SYCLZE__TRACE_QUEUE_CREATE = 42,
  SYCLZE__TRACE_QUEUE_DESTROY = 43,
  SYCLZE__TRACE_DIAGNOSTICS = 126
};

/* xpti::trace_event_type_t and trace_activity_type_t. */
enum {
  SYCLZE__XPTI_GRAPH = 1,
  SYCLZE__XPTI_ALGORITHM = 2,
  SYCLZE__XPTI_MEMORY_OBJECT = 9,
  SYCLZE__XPTI_ACCESSOR = 10,
  SYCLZE__XPTI_ACTIVE = 1
};

/* xpti::function_with_args_t. */
struct syclze__xpti_function {
  uint32_t id;
  const char *name;
  const void *arguments, *result, *user;
};

/* Why a command waits for an event. */
struct syclze__trace_reason_of {
  ze_event_handle_t event;
  const void *object;
  uint32_t mode;
};
enum { SYCLZE__TRACE_REASONS = 16 };

/* Of a thread: what its next command waits for, and the queue and the place of its last one. */
struct syclze__trace_thread {
  const struct syclze__ur_call *call; /* that is told, in the form of today's runtimes */
  uint32_t reason_count;
  struct syclze__trace_reason_of reasons[SYCLZE__TRACE_REASONS];
  const void *queue;
  uint64_t queue_id;      /* 0 of a queue whose creation was not told */
  uint64_t queue_changes; /* of all queues, when that was so */
  uint64_t place;         /* of place.h, and its event; 0 at the start, and null */
  void *place_event;
  const struct syclze__trace_call_site *site; /* of the running call; null for unknown */
};

SYCLZE_WARM struct syclze__trace_thread **syclze__trace_thread_slot(void)
    SYCLZE_LINK_NAME(syclze__trace_thread_slot);

SYCLZE_WARM struct syclze__trace_thread **syclze__trace_thread_slot(void) {
  static __thread struct syclze__trace_thread *thread;
  return &thread;
}

SYCLZE_LOCAL struct syclze__trace_thread *syclze__trace_thread_new(void) {
  struct syclze__trace_thread *thread = (struct syclze__trace_thread *)calloc(1, sizeof *thread);
  struct syclze__xpti *xpti = __atomic_load_n(&SYCLZE__STATE.xpti, __ATOMIC_ACQUIRE);
  if (thread == NULL) return NULL;
  if (xpti == NULL || pthread_setspecific(xpti->thread_key, thread) != 0) {
    free(thread);
    return NULL;
  }
  *syclze__trace_thread_slot() = thread;
  return thread;
}

/* Null without memory, and before the framework is bound. */
SYCLZE_INLINE struct syclze__trace_thread *syclze__trace_mine(void) {
  struct syclze__trace_thread *thread = *syclze__trace_thread_slot();
  return SYCLZE__LIKELY(thread != NULL) ? thread : syclze__trace_thread_new();
}

/* Where the running call stands; null for unknown. */
SYCLZE_INLINE const struct syclze__trace_call_site *syclze__trace_site(void) {
  const struct syclze__trace_thread *thread = syclze__trace_mine();
  return thread != NULL ? thread->site : NULL;
}

SYCLZE_LOCAL void syclze__trace_thread_end(void *thread) {
  *syclze__trace_thread_slot() = NULL;
  free(thread);
}

enum { SYCLZE__TRACE_TEXT = 64 };

/* "name[0x...]"; the name has at most 40 characters. */
SYCLZE_LOCAL const char *syclze__trace_named(
    char text[SYCLZE__TRACE_TEXT], const char *name, const void *object) {
  const uint64_t value = SYCLZE__WORD(object);
  const size_t length = strlen(name);
  memcpy(text, name, length);
  char *end = text + length;
  memcpy(end, "[0x", 3);
  end += 3;
  for (int shift = 60 - (__builtin_clzll(value | 1) & ~3); shift >= 0; shift -= 4)
    *end++ = "0123456789abcdef"[value >> shift & 15];
  memcpy(end, "]", 2);
  return text;
}

/* Whether somebody listens; any type with SYCLZE__TRACE_ANY. */
SYCLZE_INLINE bool syclze__trace_wanted(const struct syclze__xpti *xpti,
    enum syclze__queue_state_number stream, enum syclze__trace_type type) {
  return xpti->CheckTraceEnabled(xpti->streams[stream], (uint16_t)type);
}

/* Where somebody listened at the begin, or for sure. */
SYCLZE_INLINE void syclze__trace_notify_stream(const struct syclze__xpti *xpti,
    enum syclze__queue_state_number stream, uint32_t type, void *parent, void *object,
    uint64_t instance, const void *user) {
  xpti->NotifySubscribers(xpti->streams[stream], (uint16_t)type, parent, object, instance, user);
}

SYCLZE_INLINE void syclze__trace_notify(const struct syclze__xpti *xpti,
    enum syclze__queue_state_number stream, enum syclze__trace_type type, void *parent,
    void *object, uint64_t instance, const void *user) {
  if (syclze__trace_wanted(xpti, stream, type))
    syclze__trace_notify_stream(xpti, stream, (uint32_t)type, parent, object, instance, user);
}

/* A new event, of the thread's place in the program if that is asked for and known; null where the
 * framework has none. */
SYCLZE_LOCAL void *syclze__trace_event(
    struct syclze__xpti *xpti, const char *name, bool placed, uint16_t type) {
  const struct syclze__trace_call_site *place = syclze__trace_site();
  struct syclze__xpti_payload payload;
  uint64_t instance = 0;
  memset(&payload, 0, sizeof payload);
  payload.name = name;
  payload.flags = SYCLZE__XPTI_HAS_NAME;
  if (placed && place != NULL) {
    payload.source_file = place->file;
    payload.line = place->line;
    payload.flags |= SYCLZE__XPTI_HAS_PLACE;
  }
  syclze__lock_acquire(&xpti->lock);
  void *event = xpti->MakeEvent(name, &payload, type, SYCLZE__XPTI_ACTIVE, &instance);
  syclze__lock_release(&xpti->lock);
  return event;
}

SYCLZE_INLINE uint64_t syclze__trace_event_id(const void *event) {
  return ((const struct syclze__xpti_event *)event)->unique_id;
}

SYCLZE_COLD void syclze__trace_event_end(struct syclze__xpti *xpti, void *event)
    SYCLZE_LINK_NAME(syclze__trace_event_end);

/* Null is allowed. */
SYCLZE_COLD void syclze__trace_event_end(struct syclze__xpti *xpti, void *event) {
  if (event == NULL || xpti->ReleaseEvent == NULL) return;
  syclze__lock_acquire(&xpti->lock);
  xpti->ReleaseEvent(event);
  syclze__lock_release(&xpti->lock);
}

/* What is known of a queue whose creation was told: its id, and as the other value its event. All
 * zero of others. */
SYCLZE_LOCAL struct syclze__traced syclze__trace_queue_of(
    struct syclze__xpti *xpti, const void *queue, bool forget) {
  struct syclze__traced known;
  memset(&known, 0, sizeof known);
  syclze__lock_acquire(&xpti->lock);
  const struct syclze__traced *there = syclze__map_find(&xpti->queues, SYCLZE__WORD(queue));
  if (there != NULL) known = *there;
  if (there != NULL && forget) {
    syclze__map_remove(&xpti->queues, SYCLZE__WORD(queue));
    __atomic_add_fetch(&xpti->queue_changes, 1, __ATOMIC_RELEASE);
  }
  syclze__lock_release(&xpti->lock);
  return known;
}

SYCLZE_COLD void syclze__trace_learn_queue(
    struct syclze__xpti *xpti, struct syclze__trace_thread *thread, const void *queue)
    SYCLZE_LINK_NAME(syclze__trace_learn_queue);

SYCLZE_COLD void syclze__trace_learn_queue(
    struct syclze__xpti *xpti, struct syclze__trace_thread *thread, const void *queue) {
  thread->queue = queue;
  thread->queue_changes = __atomic_load_n(&xpti->queue_changes, __ATOMIC_ACQUIRE);
  thread->queue_id = syclze__trace_queue_of(xpti, queue, false).value;
}

/* Leaves the queue's id to subscribers. */
SYCLZE_INLINE void syclze__trace_stash(
    struct syclze__xpti *xpti, struct syclze__trace_thread *thread, const void *queue) {
  if (thread->queue != queue ||
      thread->queue_changes != __atomic_load_n(&xpti->queue_changes, __ATOMIC_ACQUIRE))
    syclze__trace_learn_queue(xpti, thread, queue);
  if (thread->queue_id != 0) xpti->StashTuple("queue_id", thread->queue_id);
}

SYCLZE_EXTERN_C_END

#endif

#endif
