/* All streams of the process, and what waits until none has work. */
#ifndef ZECL_COMMANDS_STREAM_REGISTRY_H
#define ZECL_COMMANDS_STREAM_REGISTRY_H

#include "commands/stream.h"

/* Something that the stream uses until it has passed a mark. */
struct zecl_held {
  void *object;
  void (*release)(void *object);
  struct zecl_event *awaited; /* the object, where the stream waits for it; else null */
  uint32_t mark;
};

struct zecl_stream {
  struct zecl_engine_queue *queue;
  uint64_t id;                     /* no two have the same */
  uint32_t mark;                   /* the last one that was queued */
  uint32_t unmarked;               /* held since then */
  struct zecl_event_state *passed; /* its word is the last mark that the device has passed */
  struct zecl_held *held;          /* a ring, oldest first */
  size_t first, count, capacity;
  _Atomic(ze_result_t) error;
  atomic_uint submitted, idle_at; /* the count of submissions, and when it was last idle */
  struct zecl_stream *older, *newer;
};

void zecl_stream_register(struct zecl_stream *stream);

void zecl_stream_unregister(struct zecl_stream *stream);

/* Releases what the stream holds, up to the mark that the device has passed; or all of it. */
void zecl_stream_reclaim(struct zecl_stream *stream, bool all);

#endif
