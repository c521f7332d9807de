/* How something is told: notifications, the framework's events, and what is known of them. */
#ifndef SYCLZE_TRACE_TELL_H
#define SYCLZE_TRACE_TELL_H

#include "../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "xpti.h"

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

/* What this thread's next command is. */
struct syclze__trace_thread {
  const struct syclze__told_kernel *kernel;     /* null for none, as is the next */
  const struct syclze__told_transfer *transfer; /* of a command */
  const struct syclze__ur_call *call;           /* that is told, in the form of today's runtimes */
  uint32_t reason_count;
  struct syclze__trace_reason_of reasons[SYCLZE__TRACE_REASONS];
};

SYCLZE_COLD struct syclze__trace_thread *syclze__trace_mine(void)
    SYCLZE_LINK_NAME(syclze__trace_mine);

SYCLZE_COLD struct syclze__trace_thread *syclze__trace_mine(void) {
  static __thread struct syclze__trace_thread thread;
  return &thread;
}

enum { SYCLZE__TRACE_TEXT = 64 };

SYCLZE_COLD const char *syclze__trace_named(char text[SYCLZE__TRACE_TEXT], const char *name,
    const void *object) SYCLZE_LINK_NAME(syclze__trace_named);

/* "name[0x...]"; the name has at most 40 characters. Written for every command: not by printf. */
SYCLZE_COLD const char *syclze__trace_named(
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
    enum syclze__stream_number stream, enum syclze__trace_type type) {
  return xpti->CheckTraceEnabled == NULL ||
         xpti->CheckTraceEnabled(xpti->streams[stream], (uint16_t)type);
}

SYCLZE_INLINE void syclze__trace_tell(const struct syclze__xpti *xpti,
    enum syclze__stream_number stream, enum syclze__trace_type type, void *parent, void *object,
    uint64_t instance, const void *user) {
  if (syclze__trace_wanted(xpti, stream, type))
    xpti->NotifySubscribers(xpti->streams[stream], (uint16_t)type, parent, object, instance, user);
}

SYCLZE_COLD void *syclze__trace_event(struct syclze__xpti *xpti, const char *name, bool placed,
    uint16_t type) SYCLZE_LINK_NAME(syclze__trace_event);

/* A new event, of the thread's place in the program if that is asked for and known; null where the
 * framework has none. */
SYCLZE_COLD void *syclze__trace_event(
    struct syclze__xpti *xpti, const char *name, bool placed, uint16_t type) {
  const struct syclze__trace_place *place = SYCLZE__TRACE_PLACE;
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
  syclze__lock_take(&xpti->lock);
  void *event = xpti->MakeEvent(name, &payload, type, SYCLZE__XPTI_ACTIVE, &instance);
  syclze__lock_give(&xpti->lock);
  return event;
}

SYCLZE_COLD void syclze__xpti_start(struct syclze__xpti *xpti) SYCLZE_LINK_NAME(syclze__xpti_start);

SYCLZE_COLD void syclze__xpti_start(struct syclze__xpti *xpti) {
  const char *form = getenv("SYCLZE_TRACE_FORM");
  xpti->current = form != NULL && strcmp(form, "current") == 0;
#define SYCLZE__STREAM_START(number, name, major, minor, version)                                  \
  xpti->streams[SYCLZE__STREAM_##number] = xpti->RegisterStream(name);                             \
  xpti->Initialize(name, major, minor, version);                                                   \
  xpti->layers[SYCLZE__STREAM_##number] =                                                          \
      syclze__trace_event(xpti, name, false, SYCLZE__XPTI_ALGORITHM);
  SYCLZE__STREAMS_OF(SYCLZE__STREAM_START)
#undef SYCLZE__STREAM_START
  xpti->RegisterStream("sycl.experimental.cuda.call");
  xpti->RegisterStream("sycl.experimental.cuda.debug");
  xpti->graph = syclze__trace_event(xpti, "sycl.application.graph", false, SYCLZE__XPTI_GRAPH);
  syclze__trace_tell(xpti, SYCLZE__STREAM_SYCL, SYCLZE__TRACE_GRAPH_CREATE, NULL, xpti->graph,
      xpti->GetUniqueId(), NULL);
}

SYCLZE_COLD void syclze__trace_diagnostic(const char *function, const char *rule)
    SYCLZE_LINK_NAME(syclze__trace_diagnostic);
SYCLZE_COLD void syclze__xpti_started(const struct syclze__xpti *xpti)
    SYCLZE_LINK_NAME(syclze__xpti_started);

/* What notifies by itself. */
SYCLZE_COLD void syclze__xpti_started(const struct syclze__xpti *xpti) {
  __atomic_store_n(&SYCLZE__STATE.trace_diagnostic, &syclze__trace_diagnostic, __ATOMIC_RELAXED);
  if (SYCLZE__STATE.trace_calls != NULL &&
      (syclze__trace_wanted(xpti, SYCLZE__STREAM_ZE_CALL, SYCLZE__TRACE_ANY) ||
          syclze__trace_wanted(xpti, SYCLZE__STREAM_ZE_CALL_DEBUG, SYCLZE__TRACE_ANY)))
    SYCLZE__STATE.trace_calls();
}

SYCLZE_COLD struct syclze__xpti *syclze__xpti_now(void) SYCLZE_LINK_NAME(syclze__xpti_now);

/* The framework, if it traces now; else null. */
SYCLZE_COLD struct syclze__xpti *syclze__xpti_now(void) {
  if (__atomic_load_n(&SYCLZE__STATE.xpti_off, __ATOMIC_RELAXED) != 0) return NULL;
  struct syclze__xpti *xpti = __atomic_load_n(&SYCLZE__STATE.xpti, __ATOMIC_ACQUIRE);
  if (xpti == NULL) xpti = syclze__xpti_bind();
  if (xpti == NULL || !xpti->TraceEnabled()) return NULL;
  if (SYCLZE__UNLIKELY(__atomic_load_n(&xpti->ready, __ATOMIC_ACQUIRE) == 0)) {
    syclze__lock_take(&SYCLZE__STATE.trace_lock);
    const bool first = __atomic_load_n(&xpti->ready, __ATOMIC_RELAXED) == 0;
    if (first) syclze__xpti_start(xpti);
    __atomic_store_n(&xpti->ready, 1, __ATOMIC_RELEASE);
    syclze__lock_give(&SYCLZE__STATE.trace_lock);
    if (first) syclze__xpti_started(xpti);
  }
  return xpti;
}

SYCLZE_INLINE uint64_t syclze__trace_event_id(const void *event) {
  return ((const struct syclze__xpti_event *)event)->unique_id;
}

SYCLZE_COLD void syclze__trace_event_end(struct syclze__xpti *xpti, void *event)
    SYCLZE_LINK_NAME(syclze__trace_event_end);

/* Null is allowed. */
SYCLZE_COLD void syclze__trace_event_end(struct syclze__xpti *xpti, void *event) {
  if (event == NULL || xpti->ReleaseEvent == NULL) return;
  syclze__lock_take(&xpti->lock);
  xpti->ReleaseEvent(event);
  syclze__lock_give(&xpti->lock);
}

SYCLZE_COLD struct syclze__traced syclze__trace_queue_of(struct syclze__xpti *xpti,
    const void *queue, bool forget) SYCLZE_LINK_NAME(syclze__trace_queue_of);

/* What is known of a queue whose creation was told: its id, and as the other value its event. All
 * zero of others. */
SYCLZE_COLD struct syclze__traced syclze__trace_queue_of(
    struct syclze__xpti *xpti, const void *queue, bool forget) {
  struct syclze__traced known;
  memset(&known, 0, sizeof known);
  syclze__lock_take(&xpti->lock);
  const struct syclze__traced *there = syclze__map_find(&xpti->queues, SYCLZE__WORD(queue));
  if (there != NULL) known = *there;
  if (there != NULL && forget) syclze__map_remove(&xpti->queues, SYCLZE__WORD(queue));
  syclze__lock_give(&xpti->lock);
  return known;
}

SYCLZE_EXTERN_C_END

#endif

#endif
