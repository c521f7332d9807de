/* Commands that are kept on the host. A stream takes a command only once the signals that it waits
 * for are in streams themselves, so that no stream waits for the host and none is full for ever,
 * and streams that share a channel of the device cannot block each other. The rest is kept in the
 * stream's backlog, in order, and is pushed by the thread that signals: by zeEventHostSignal, or by
 * the submission of a command that signals. Where a backlog waits for the device instead, a thread
 * serves it, which is started the first time. */
#ifndef ZECL_COMMANDS_BACKLOG_H
#define ZECL_COMMANDS_BACKLOG_H

#include "commands/stream_registry.h"

extern atomic_uint zecl_backlog_count; /* of streams */

/* Keeps a copy of the draft, which the stream does not take now, and what it owns. */
ze_result_t zecl_backlog_add(struct zecl_stream *stream, const struct zecl_command *draft);

/* Pushes what can be pushed, of all streams. */
void zecl_backlog_push_all(void);

/* Pushes the backlog, if any. Called when an event was signalled, or its signal was queued. */
static inline void zecl_backlog_push(void) {
  if (atomic_load(&zecl_backlog_count)) zecl_backlog_push_all();
}

/* Pushes what needs only the device, of any stream, and drops what waits for events. */
void zecl_backlog_finish(struct zecl_stream *stream);

#endif
