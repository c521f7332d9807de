/* Event pools and events. An event is a flag and the two ends of the command that signalled it; it
 * holds them itself, or they are in its pool's memory, which other processes map. */
#ifndef ZECL_EVENTS_EVENT_H
#define ZECL_EVENTS_EVENT_H

#include "core/context.h"
#include "events/flag.h"

struct zecl_ipc_name;
struct zecl_shared_range;

struct zecl_event_state {
  struct zecl_flag flag;
  _Atomic(uint64_t) start, end; /* valid once the flag is set */
};

struct zecl_event_pool {
  struct zecl_object object;
  struct zecl_context *context;
  ze_event_pool_flags_t flags;
  uint32_t count;
  struct zecl_shared_range *shared; /* null but with ZE_EVENT_POOL_FLAG_IPC */
  struct zecl_event_state *states;  /* of `count` events, in there */
  bool is_opened;                   /* another process's */
  bool is_counted;                  /* see event_counted.h */
  uint32_t counting_lists;          /* the kinds of lists that signal it, if so */
};

struct zecl_event {
  struct zecl_object object;
  struct zecl_event_state *state; /* the one below, or of the pool */
  struct zecl_event_state own;
  _Atomic(uint64_t) signaller;      /* the last to signal it: a stream, or below; 0 for none */
  atomic_bool is_reset_by_commands; /* was, at any time, in a stream */
  bool has_timestamps;
  ze_event_scope_flags_t signal_scope, wait_scope;
  struct zecl_event_pool *pool; /* null for an append's own */
  bool is_counted;
  bool is_opened;         /* by a handle of another process */
  uint32_t counter_flags; /* of zeEventCounterBasedCreate */
  uint32_t counting_lists;
  struct zecl_event *latest;    /* of a counted one: a reference, or null */
  bool is_of_tape;              /* an append's own, which each execution of a tape resets */
  atomic_uint submitted, begun; /* executions of the tape; those that have come to the reset */
  struct zecl_event *followers, *next; /* of single executions, references: event_counted.h */
  unsigned execution;                  /* of a follower */
  uint64_t capture; /* that the last command to signal it is of (capture.h), or 0 */
};

#define ZECL_SIGNALLED_BY_HOST UINT64_MAX

static inline struct zecl_event_pool *zecl_event_pool_of(ze_event_pool_handle_t handle) {
  return (struct zecl_event_pool *)(void *)handle;
}

static inline struct zecl_event *zecl_event_of(ze_event_handle_t handle) {
  return (struct zecl_event *)(void *)handle;
}

/* Creates a pool with one reference, for its descriptor's flags, but without its events' memory. */
struct zecl_event_pool *zecl_event_pool_new(
    ze_context_handle_t context, ze_event_pool_flags_t flags, uint32_t count);

/* Takes memory for the events of a pool that other processes open; false where there is none. */
bool zecl_event_pool_share(struct zecl_event_pool *pool);

/* The pool of a name, which may be junk. Null with `error` set. */
struct zecl_event_pool *zecl_event_pool_open(
    ze_context_handle_t context, struct zecl_ipc_name *name, ze_result_t *error);

/* Makes the shared memory of a pool what streams can write to; false, and there is none any more.
 */
bool zecl_event_pool_enlist(struct zecl_event_pool *pool);

/* Creates an event like zeEventCreate, without a check of the pool. */
ze_result_t zecl_event_create(
    struct zecl_event_pool *pool, const ze_event_desc_t *desc, ze_event_handle_t *handle);
void zecl_event_pool_release(struct zecl_event_pool *pool);
void zecl_event_release(struct zecl_event *event);

static inline void zecl_event_signal(struct zecl_event *event, uint64_t start, uint64_t end) {
  if (event->has_timestamps) {
    atomic_store_explicit(&event->state->start, start, memory_order_relaxed);
    atomic_store_explicit(&event->state->end, end, memory_order_relaxed);
  }
  zecl_flag_set(&event->state->flag);
}

/* An execution resets the event, which is ready for the host only after the last one has. */
static inline void zecl_event_begin(struct zecl_event *event) {
  if (event->is_of_tape && atomic_fetch_add(&event->begun, 1) + 1 == atomic_load(&event->submitted))
    zecl_futex_wake(&event->begun);
}

/* An event that is no handle; null when there is no memory. */
struct zecl_event *zecl_event_hidden(bool has_timestamps);

/* The first event of a pool in shared memory, as no handle. Ends the pool's handle, and takes the
 * reference to it, also on failure: null when there is no memory. */
struct zecl_event *zecl_event_hidden_of(struct zecl_event_pool *pool);

/* Gives a plain event its state; false when there is no memory. */
bool zecl_event_take_state(struct zecl_event *event);

ze_kernel_timestamp_result_t zecl_event_timestamps(struct zecl_event *event);

#endif
