/* All streams of the process, and what waits until none has work. */
#ifndef ZECL_COMMANDS_STREAM_REGISTRY_H
#define ZECL_COMMANDS_STREAM_REGISTRY_H

#include "commands/command_pool.h"
#include "commands/stream.h"

/* Something that the stream uses until it has passed a mark. */
struct zecl_held {
  void *object;
  void (*release)(void *object);
  struct zecl_event *awaited; /* the object, where only another process signals it; else null */
  uint32_t mark;
};

/* Commands that are not in the stream yet: see backlog.h. */
struct zecl_backlog {
  struct zecl_command *first, *last;
  struct zecl_command_pool pool;
  struct zecl_stream *older, *newer; /* among those with a backlog */
};

/* The progress of a command that is pushed in parts. */
struct zecl_push_state {
  const struct zecl_command *next;   /* of the list that is executed */
  bool is_executing, is_fetching;    /* a list; what an indirect launch reads */
  bool waits_for_device;             /* and not for an event, when it came to a stop */
  uint32_t fetch_mark;               /* passed once it is read */
  struct zecl_launch_counts *counts; /* where it is read to */
};

struct zecl_stream {
  struct zecl_engine_queue *queue;
  uint32_t device;
  unsigned priority;
  uint64_t id;                     /* no two have the same; neither 0 nor UINT64_MAX */
  uint32_t mark;                   /* the last one that was queued */
  uint32_t unmarked;               /* operations since then */
  uint32_t seen;                   /* a mark that the device has passed */
  struct zecl_event_state *passed; /* its word is the last mark that the device has passed */
  struct zecl_held *held;          /* a ring, oldest first */
  size_t first, count, capacity;
  unsigned pushed; /* a count of operations */
  struct zecl_push_state push;
  struct zecl_backlog backlog;
  atomic_bool has_backlog; /* others push for the thread that submits until it is false */
  _Atomic(ze_result_t) error;
  atomic_uint submitted, idle_at; /* beginnings and ends of submissions; when it was last idle */
  struct zecl_stream *older, *newer;
};

/* True if a stream's count of submissions shows one in progress. */
static inline bool zecl_stream_is_submitting(unsigned submitted) {
  return submitted % 2 != 0;
}

void zecl_stream_register(struct zecl_stream *stream);

void zecl_stream_unregister(struct zecl_stream *stream);

/* Releases what the stream holds, up to the mark that the device has passed; or all of it. */
void zecl_stream_reclaim(struct zecl_stream *stream, bool all);

#endif
