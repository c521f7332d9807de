/* XPTI notifications, events, and the data of a thread. */
#ifndef SYCLZE_TRACE_NOTIFY_H
#define SYCLZE_TRACE_NOTIFY_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "binding.h"

#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* xpti::trace_point_type_t. */
enum syclze__xpti_type {
  SYCLZE__XPTI_ANY = 0,
  SYCLZE__XPTI_GRAPH_CREATE = 2,
  SYCLZE__XPTI_NODE_CREATE = 4,
  SYCLZE__XPTI_EDGE_CREATE = 6,
  SYCLZE__XPTI_TASK_BEGIN = 10,
  SYCLZE__XPTI_TASK_END = 11,
  SYCLZE__XPTI_BARRIER_BEGIN = 12,
  SYCLZE__XPTI_BARRIER_END = 13,
  SYCLZE__XPTI_SIGNAL = 16,
  SYCLZE__XPTI_WAIT_BEGIN = 22,
  SYCLZE__XPTI_WAIT_END = 23,
  SYCLZE__XPTI_FUNCTION_BEGIN = 24,
  SYCLZE__XPTI_FUNCTION_END = 25,
  SYCLZE__XPTI_ARGUMENTS_BEGIN = 28,
  SYCLZE__XPTI_ARGUMENTS_END = 29,
  SYCLZE__XPTI_ALLOC_BEGIN = 32,
  SYCLZE__XPTI_ALLOC_END = 33,
  SYCLZE__XPTI_FREE_BEGIN = 34,
  SYCLZE__XPTI_FREE_END = 35,
  SYCLZE__XPTI_CONSTRUCT = 36,
  SYCLZE__XPTI_DESTRUCT = 37,
  SYCLZE__XPTI_ASSOCIATE = 38,
  SYCLZE__XPTI_RELEASE = 39,
  SYCLZE__XPTI_ACCESSOR = 40,
  SYCLZE__XPTI_QUEUE_CREATE = 42,
  SYCLZE__XPTI_QUEUE_DESTROY = 43,
  SYCLZE__XPTI_DIAGNOSTICS = 126
};

/* xpti::trace_event_type_t and trace_activity_type_t. */
enum {
  SYCLZE__XPTI_EVENT_GRAPH = 1,
  SYCLZE__XPTI_EVENT_ALGORITHM = 2,
  SYCLZE__XPTI_EVENT_MEMORY_OBJECT = 9,
  SYCLZE__XPTI_EVENT_ACCESSOR = 10,
  SYCLZE__XPTI_ACTIVE = 1
};

/* xpti::function_with_args_t. */
struct syclze__xpti_function {
  uint32_t id;
  const char *name;
  const void *arguments, *result, *user;
};

/* Why a command waits for an event. */
struct syclze__xpti_dependency {
  ze_event_handle_t event;
  const void *object;
  uint32_t mode;
};
enum { SYCLZE__XPTI_DEPENDENCIES = 16 };

/* The data of a thread: the dependencies of its next command, and the queue and call site of its
 * last one.
 */
struct syclze__xpti_thread {
  const struct syclze__ur_call *call; /* being reported, in the form of today's runtimes */
  uint32_t reason_count;
  struct syclze__xpti_dependency reasons[SYCLZE__XPTI_DEPENDENCIES];
  const void *queue;
  uint64_t queue_id;      /* 0 for a queue whose creation was not reported */
  uint64_t queue_changes; /* changes of all queues at that time */
  /* The last command whose call site had an event: its action and site, and that event; null for
   * none.
   */
  const struct syclze__trace_call_site *last_site;
  uint64_t last_action;
  ze_device_handle_t last_device;
  void *last_event;
  uint32_t last_line;
  const struct syclze__trace_call_site *site; /* of the running call; null for unknown */
  bool waits;                                 /* the running call waits for a queue */
};

SYCLZE_LOCAL struct syclze__xpti_thread *syclze__xpti_thread_new(void) {
  struct syclze__trace_thread *thread = syclze__trace_thread_require();
  if (thread == NULL || __atomic_load_n(&SYCLZE__STATE.xpti, __ATOMIC_ACQUIRE) == NULL) return NULL;
  if (thread->xpti == NULL)
    thread->xpti = (struct syclze__xpti_thread *)calloc(1, sizeof *thread->xpti);
  return thread->xpti;
}

/* The thread's data; null without memory, and before the framework is bound. */
SYCLZE_INLINE struct syclze__xpti_thread *syclze__xpti_thread_get(void) {
  struct syclze__xpti_thread *thread = syclze__trace_thread_own()->xpti;
  return SYCLZE__LIKELY(thread != NULL) ? thread : syclze__xpti_thread_new();
}

/* The call site of the running call; null if unknown. */
SYCLZE_INLINE const struct syclze__trace_call_site *syclze__xpti_site(void) {
  const struct syclze__xpti_thread *thread = syclze__xpti_thread_get();
  return thread != NULL ? thread->site : NULL;
}

/* The name of an event: in the form of today's runtimes, the calling function. */
SYCLZE_LOCAL const char *syclze__xpti_event_name(
    const struct syclze__xpti *xpti, const char *name) {
  const struct syclze__trace_call_site *site = syclze__xpti_site();
  return syclze__xpti_is_current(xpti) && site != NULL ? site->function : name;
}

/* The type of nodes, edges and waits. */
SYCLZE_LOCAL uint16_t syclze__xpti_node_type(const struct syclze__xpti *xpti) {
  return syclze__xpti_is_current(xpti) ? SYCLZE__XPTI_EVENT_ALGORITHM : SYCLZE__XPTI_EVENT_GRAPH;
}

enum { SYCLZE__XPTI_TEXT = 64 };

/* "name[0x...]"; the name has at most 40 characters. */
SYCLZE_LOCAL const char *syclze__xpti_format_name(
    char text[SYCLZE__XPTI_TEXT], const char *name, const void *object) {
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

/* True if there is a subscriber; of any type with SYCLZE__XPTI_ANY. */
SYCLZE_INLINE bool syclze__xpti_subscribed(
    const struct syclze__xpti *xpti, enum syclze__xpti_stream stream, enum syclze__xpti_type type) {
  return xpti->CheckTraceEnabled(xpti->streams[stream], (uint16_t)type);
}

/* True if there is a subscriber to the begin or to the end. */
SYCLZE_INLINE bool syclze__xpti_subscribed_pair(const struct syclze__xpti *xpti,
    enum syclze__xpti_stream stream, enum syclze__xpti_type begin) {
  return syclze__xpti_subscribed(xpti, stream, begin) ||
         syclze__xpti_subscribed(xpti, stream, (enum syclze__xpti_type)(begin + 1));
}

/* Notifies without the check for a subscriber, after there was one at the begin. */
SYCLZE_INLINE void syclze__xpti_notify_now(const struct syclze__xpti *xpti,
    enum syclze__xpti_stream stream, uint32_t type, void *parent, void *object, uint64_t instance,
    const void *user) {
  xpti->NotifySubscribers(xpti->streams[stream], (uint16_t)type, parent, object, instance, user);
}

SYCLZE_INLINE void syclze__xpti_notify(const struct syclze__xpti *xpti,
    enum syclze__xpti_stream stream, enum syclze__xpti_type type, void *parent, void *object,
    uint64_t instance, const void *user) {
  if (syclze__xpti_subscribed(xpti, stream, type))
    syclze__xpti_notify_now(xpti, stream, (uint32_t)type, parent, object, instance, user);
}

/* Creates an event, with the thread's call site if `sited` and it is known; null if the framework
 * has none. */
SYCLZE_LOCAL void *syclze__xpti_event_make(
    struct syclze__xpti *xpti, const char *name, bool sited, uint16_t type) {
  const struct syclze__trace_call_site *site = syclze__xpti_site();
  uint64_t instance = 0;
  SYCLZE__ZEROED(struct syclze__xpti_payload, payload);
  payload.name = name;
  payload.flags = SYCLZE__XPTI_HAS_NAME;
  if (sited && site != NULL) {
    payload.source_file = site->file;
    payload.line = site->line;
    payload.flags |= SYCLZE__XPTI_HAS_LOCATION;
  }
  syclze__lock_acquire(&xpti->lock);
  void *event = xpti->MakeEvent(name, &payload, type, SYCLZE__XPTI_ACTIVE, &instance);
  syclze__lock_release(&xpti->lock);
  return event;
}

SYCLZE_INLINE uint64_t syclze__xpti_event_id(const void *event) {
  return ((const struct syclze__xpti_event *)event)->unique_id;
}

SYCLZE_COLD void syclze__xpti_event_release(struct syclze__xpti *xpti, void *event)
    SYCLZE_LINK_NAME(syclze__xpti_event_release);

/* Releases an event. Null is allowed. */
SYCLZE_COLD void syclze__xpti_event_release(struct syclze__xpti *xpti, void *event) {
  if (event == NULL || xpti->ReleaseEvent == NULL) return;
  syclze__lock_acquire(&xpti->lock);
  xpti->ReleaseEvent(event);
  syclze__lock_release(&xpti->lock);
}

/* The id of a queue whose creation was reported, and in `other` its event. All zero for others. */
SYCLZE_LOCAL struct syclze__map_entry syclze__xpti_queue_find(
    struct syclze__xpti *xpti, const void *queue, bool forget) {
  SYCLZE__ZEROED(struct syclze__map_entry, found);
  syclze__lock_acquire(&xpti->lock);
  const struct syclze__map_entry *there = syclze__map_find(&xpti->queues, SYCLZE__WORD(queue));
  if (there != NULL) found = *there;
  if (there != NULL && forget) {
    syclze__map_remove(&xpti->queues, SYCLZE__WORD(queue));
    __atomic_add_fetch(&xpti->queue_changes, 1, __ATOMIC_RELEASE);
  }
  syclze__lock_release(&xpti->lock);
  return found;
}

SYCLZE_COLD void syclze__xpti_queue_cache(
    struct syclze__xpti *xpti, struct syclze__xpti_thread *thread, const void *queue)
    SYCLZE_LINK_NAME(syclze__xpti_queue_cache);

SYCLZE_COLD void syclze__xpti_queue_cache(
    struct syclze__xpti *xpti, struct syclze__xpti_thread *thread, const void *queue) {
  thread->queue = queue;
  thread->queue_changes = __atomic_load_n(&xpti->queue_changes, __ATOMIC_ACQUIRE);
  thread->queue_id = syclze__xpti_queue_find(xpti, queue, false).value;
}

/* Stashes the queue's id for subscribers; 0 for a queue whose creation was not reported. */
SYCLZE_INLINE void syclze__xpti_queue_stash(
    struct syclze__xpti *xpti, struct syclze__xpti_thread *thread, const void *queue) {
  if (thread->queue != queue ||
      thread->queue_changes != __atomic_load_n(&xpti->queue_changes, __ATOMIC_ACQUIRE))
    syclze__xpti_queue_cache(xpti, thread, queue);
  xpti->StashTuple("queue_id", thread->queue_id);
}

SYCLZE_EXTERN_C_END

#endif

#endif
