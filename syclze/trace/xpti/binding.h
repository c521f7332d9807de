/* XPTI, the tracing framework of SYCL, bound at run time.
 *
 * The environment is read at the first trace point: XPTI_FRAMEWORK_DISPATCHER names the framework's
 * library, which reads XPTI_SUBSCRIBERS and XPTI_TRACE_ENABLE itself. Without the first there is no
 * tracing, until a queue is created with the variable set. Whether the framework traces is checked
 * at every point, as subscribers turn it off and on. A library that cannot be used causes one
 * diagnostic, with ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, and the program continues without
 * tracing.
 *
 * Any thread. Subscribers are called on the thread that reaches the point, several threads at the
 * same time. */
#ifndef SYCLZE_TRACE_BINDING_H
#define SYCLZE_TRACE_BINDING_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "../../detail/sync/fork.h"
#include "../../result.h"
#include "../detail/fan_out.h"
#include "../detail/handle_map.h"
#include "../detail/thread.h"
#include "ur_functions.h"

#include <stdlib.h>
#include <string.h>

SYCLZE_EXTERN_C_BEGIN

/* xpti::payload_t. */
struct syclze__xpti_payload {
  const char *name;
  const void *stack_trace;
  const char *source_file;
  uint32_t line, column;
  const void *code;
  uint64_t internal, flags, uid[3];
};
enum {
  SYCLZE__XPTI_HAS_NAME = 1,
  SYCLZE__XPTI_HAS_LOCATION = 2 | 8 | 16 /* file, line, column */
};

/* The first members of xpti::trace_event_data_t, whose others are C++. Only the framework creates
 * one. */
struct syclze__xpti_event {
  uint64_t unique_id, data_id, instance_id;
  uint16_t event_type, activity;
  uint32_t unused;
  uint64_t source_id, target_id;
};

enum syclze__xpti_value_type {
  SYCLZE__XPTI_BINARY,
  SYCLZE__XPTI_STRING,
  SYCLZE__XPTI_SIGNED,
  SYCLZE__XPTI_UNSIGNED,
  SYCLZE__XPTI_FLOAT,
  SYCLZE__XPTI_BOOL
};

/* Required functions: result, name after "xpti", parameters. */
#define SYCLZE__XPTI_REQUIRED(X)                                                                   \
  X(void, FrameworkInitialize, (void))                                                             \
  X(void, FrameworkFinalize, (void))                                                               \
  X(int32_t, Initialize, (const char *, uint32_t, uint32_t, const char *))                         \
  X(void, Finalize, (const char *))                                                                \
  X(uint8_t, RegisterStream, (const char *))                                                       \
  X(uint64_t, GetUniqueId, (void))                                                                 \
  X(int32_t, RegisterObject, (const char *, size_t, uint8_t))                                      \
  X(void *, MakeEvent,                                                                             \
      (const char *, struct syclze__xpti_payload *, uint16_t, int32_t, uint64_t *))                \
  X(int32_t, NotifySubscribers, (uint8_t, uint16_t, void *, void *, uint64_t, const void *))       \
  X(int32_t, AddMetadata, (void *, const char *, int32_t))                                         \
  X(bool, TraceEnabled, (void))
#define SYCLZE__XPTI_OPTIONAL(X)                                                                   \
  X(bool, CheckTraceEnabled, (uint8_t, uint16_t))                                                  \
  X(void, ReleaseEvent, (void *))                                                                  \
  X(int32_t, StashTuple, (const char *, uint64_t))                                                 \
  X(uint8_t, GetEffectiveStreamDetailLevel, (uint8_t))

/* The streams, in this order: name, and version of their protocol. */
#define SYCLZE__STREAMS_OF(X)                                                                      \
  X(SYCL, "sycl", SYCLZE_VERSION_MAJOR, SYCLZE_VERSION_MINOR, "syclze")                            \
  X(BUFFER, "sycl.experimental.buffer", SYCLZE_VERSION_MAJOR, SYCLZE_VERSION_MINOR, "syclze")      \
  X(IMAGE, "sycl.experimental.image", SYCLZE_VERSION_MAJOR, SYCLZE_VERSION_MINOR, "syclze")        \
  X(MEM_ALLOC, "sycl.experimental.mem_alloc", SYCLZE_VERSION_MAJOR, SYCLZE_VERSION_MINOR,          \
      "syclze")                                                                                    \
  X(UR_CALL, "ur.call", 0, 12, "0.12")                                                             \
  X(UR_CALL_DEBUG, "ur.call.debug", 0, 12, "0.12")                                                 \
  X(ZE_CALL, "sycl.experimental.level_zero.call", 0, 1, "level_zero 0.1")                          \
  X(ZE_CALL_DEBUG, "sycl.experimental.level_zero.debug", 0, 1, "level_zero 0.1")

enum syclze__xpti_stream {
#define SYCLZE__STREAM_NUMBER(name, text, major, minor, version) SYCLZE__STREAM_##name,
  SYCLZE__STREAMS_OF(SYCLZE__STREAM_NUMBER)
#undef SYCLZE__STREAM_NUMBER
      SYCLZE__STREAMS
};

enum { SYCLZE__XPTI_DEVICES = 16, SYCLZE__XPTI_NODES = 1024 };

struct syclze__xpti_device {
  ze_device_handle_t native;
  int32_t id, type, name; /* objects */
};

struct syclze__xpti_signal {
  ze_event_handle_t signal;
  struct syclze__xpti_node *node; /* with a reference */
};

struct syclze__xpti {
#define SYCLZE__XPTI_MEMBER(type, name, parameters) type(*name) parameters;
  SYCLZE__XPTI_REQUIRED(SYCLZE__XPTI_MEMBER)
  SYCLZE__XPTI_OPTIONAL(SYCLZE__XPTI_MEMBER)
#undef SYCLZE__XPTI_MEMBER
  uint32_t ready; /* the streams are started */
  SYCLZE__LOCK(SYCLZE__RANK_FRAMEWORK)
  lock; /* of all that follows, and for making and releasing events */
  const struct syclze__trace_commands *commands; /* the emitter's table */
  bool current;                                  /* see syclze__xpti_is_current */
  uint8_t streams[SYCLZE__STREAMS];
  void *graph,
      *layers[SYCLZE__STREAMS]; /* events: the parent of all nodes, and those of the streams */
  struct syclze__xpti_device devices[SYCLZE__XPTI_DEVICES];
  uint64_t queue_changes;         /* how often `queues` changed */
  struct syclze__map queues;      /* whose creation was reported, by their objects */
  struct syclze__map site_events; /* call sites whose nodes were reported; value: the event */
  /* Nodes by the event that they signal; a later one of the same slot replaces it. */
  struct syclze__xpti_signal nodes[SYCLZE__XPTI_NODES];
};

/* True for the form of today's runtimes. A constant without current.h. */
SYCLZE_INLINE bool syclze__xpti_is_current(const struct syclze__xpti *xpti) {
#ifdef SYCLZE_TRACE_CURRENT_H
  return xpti->current;
#else
  (void)xpti;
  return false;
#endif
}

/* Values of SYCLZE__STATE.xpti_off. */
enum {
  SYCLZE__XPTI_OFF_UNNAMED = 1, /* the environment names no framework */
  SYCLZE__XPTI_OFF_REFUSED = 2, /* it names one that cannot be used */
  SYCLZE__XPTI_OFF_ENDED = 3    /* the program ends */
};

/* Sets the reason why there is no framework, and removes the tables; 0 installs them, so that the
 * environment will be read. */
SYCLZE_LOCAL void syclze__xpti_switch(uint32_t why) {
  SYCLZE__HELD(&SYCLZE__STATE.trace_lock);
  __atomic_store_n(&SYCLZE__STATE.xpti_off, why, __ATOMIC_RELAXED);
  __atomic_store_n(
      &SYCLZE__STATE.trace_calls, why == 0 ? SYCLZE__STATE.xpti_calls : NULL, __ATOMIC_RELEASE);
  syclze__trace_sink_set(SYCLZE__STATE.xpti_commands, why == 0);
}

/* Stands for functions that a framework lacks. */
SYCLZE_LOCAL bool syclze__xpti_always_enabled(uint8_t stream, uint16_t type) {
  (void)stream, (void)type;
  return true;
}

SYCLZE_LOCAL int32_t syclze__xpti_stash_nothing(const char *key, uint64_t value) {
  (void)key, (void)value;
  return 0;
}

/* Loads the functions. Returns the library's fault, or null. */
SYCLZE_LOCAL const char *syclze__xpti_load(struct syclze__xpti *xpti, void *library) {
  if (syclze__library_find(library, "xptiRegisterPayloadAndPrepareTracepointData") != NULL)
    return "a framework of a generation that lays events out "
           "differently";
  bool complete = true;
  void *address = syclze__library_find(library, "xptiCreateTracepoint");
  const bool of_their_own = address != NULL;
#define SYCLZE__XPTI_FIND(type, name, parameters)                                                  \
  address = syclze__library_find(library, "xpti" #name);                                           \
  memcpy(&xpti->name, &address, sizeof address);
#define SYCLZE__XPTI_FIND_REQUIRED(type, name, parameters)                                         \
  SYCLZE__XPTI_FIND(type, name, parameters)                                                        \
  complete = complete && address != NULL;
  SYCLZE__XPTI_REQUIRED(SYCLZE__XPTI_FIND_REQUIRED)
  SYCLZE__XPTI_OPTIONAL(SYCLZE__XPTI_FIND)
#undef SYCLZE__XPTI_FIND
#undef SYCLZE__XPTI_FIND_REQUIRED
  if (xpti->CheckTraceEnabled == NULL) xpti->CheckTraceEnabled = syclze__xpti_always_enabled;
  if (xpti->StashTuple == NULL) xpti->StashTuple = syclze__xpti_stash_nothing;
  /* Older frameworks share one event per call site, so it must not be released. */
  if (!of_their_own) xpti->ReleaseEvent = NULL;
  return complete ? NULL : "the library lacks functions of the framework";
}

/* Ends the streams, at the end of the program. */
SYCLZE_LOCAL void syclze__xpti_end(void) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  if (syclze__is_forked()) return; /* a thread of the parent may be inside the framework */
  syclze__lock_acquire(&SYCLZE__STATE.trace_lock);
  syclze__xpti_switch(SYCLZE__XPTI_OFF_ENDED);
  syclze__lock_release(&SYCLZE__STATE.trace_lock);
  if (__atomic_exchange_n(&xpti->ready, 0, __ATOMIC_ACQ_REL) != 0) {
    /* Not ur.call.debug: UR never ends it, and sycl-trace's collector frees its printer at the end
     * of either stream. */
#define SYCLZE__STREAM_END(number, name, major, minor, version)                                    \
  if (SYCLZE__STREAM_##number != SYCLZE__STREAM_UR_CALL_DEBUG) xpti->Finalize(name);
    SYCLZE__STREAMS_OF(SYCLZE__STREAM_END)
#undef SYCLZE__STREAM_END
  }
  xpti->FrameworkFinalize();
}

/* Loads the framework, unless another thread has done so meanwhile; null if there is none. */
SYCLZE_LOCAL struct syclze__xpti *syclze__xpti_bind(void) {
  struct syclze__state *state = &SYCLZE__STATE;
  const char *wrong = NULL;
  void *library = NULL;
  syclze__lock_acquire(&state->trace_lock);
  struct syclze__xpti *xpti = __atomic_load_n(&state->xpti, __ATOMIC_RELAXED);
  if (xpti == NULL && __atomic_load_n(&state->xpti_off, __ATOMIC_RELAXED) == 0) {
    const char *name = syclze__environment("XPTI_FRAMEWORK_DISPATCHER");
    if (name == NULL || name[0] == 0) {
      syclze__xpti_switch(SYCLZE__XPTI_OFF_UNNAMED);
    } else {
      xpti = (struct syclze__xpti *)calloc(1, sizeof *xpti);
      library = syclze__library_open(name);
      if (xpti == NULL)
        wrong = "no memory for the binding of XPTI_FRAMEWORK_DISPATCHER";
      else if (library == NULL)
        wrong = "the library cannot be loaded";
      else
        wrong = syclze__xpti_load(xpti, library);
      if (wrong == NULL && !syclze__trace_threads_begin()) wrong = "no key for the data of threads";
      if (wrong != NULL) {
        if (library != NULL) syclze__library_close(library);
        free(xpti);
        xpti = NULL;
        syclze__xpti_switch(SYCLZE__XPTI_OFF_REFUSED);
      } else {
        xpti->commands = state->xpti_commands;
        xpti->FrameworkInitialize();
        atexit(syclze__xpti_end);
        __atomic_store_n(&state->xpti, xpti, __ATOMIC_RELEASE);
      }
    }
  }
  syclze__lock_release(&state->trace_lock);
  if (wrong != NULL) {
    const syclze_diagnostic diagnostic = {
        ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "XPTI_FRAMEWORK_DISPATCHER", wrong, NULL, NULL};
    syclze__report(&diagnostic, false);
  }
  return xpti;
}

/* Reads the environment again, which may name a framework by now. */
SYCLZE_LOCAL void syclze__xpti_attach(void) {
  const char *name = syclze__environment("XPTI_FRAMEWORK_DISPATCHER");
  if (name == NULL || name[0] == 0) return;
  syclze__lock_acquire(&SYCLZE__STATE.trace_lock);
  if (SYCLZE__STATE.xpti_off == SYCLZE__XPTI_OFF_UNNAMED) syclze__xpti_switch(0);
  syclze__lock_release(&SYCLZE__STATE.trace_lock);
}

SYCLZE_EXTERN_C_END

#endif

#endif
