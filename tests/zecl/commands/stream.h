/* Queues commands on a stream of the engine, in order, by the thread that appends. Waits and
 * signals are waits for and writes of the events' words in the stream; what waits for an event
 * whose signal is not queued is kept on the host (backlog.h). For engines with streams
 * (engine/engine.h); workers of other engines have none. */
#ifndef ZECL_COMMANDS_STREAM_H
#define ZECL_COMMANDS_STREAM_H

#include "commands/command.h"

struct zecl_stream;

/* Null when there is no memory. */
struct zecl_stream *zecl_stream_create(uint32_t device, unsigned priority);

/* Queues what the draft describes. What the draft owns passes on; on failure it stays with the
 * draft. One thread at a time. Does not wait for the device. */
ze_result_t zecl_stream_submit(struct zecl_stream *stream, struct zecl_command *draft);

/* Waits like zecl_worker_synchronize. */
ze_result_t zecl_stream_synchronize(struct zecl_stream *stream, uint64_t timeout);

/* The first error that a kernel met as it ran, which is then forgotten. */
ze_result_t zecl_stream_take_error(struct zecl_stream *stream);

/* Waits for the work that can run, and frees the stream. A command that waits for an event which is
 * not signalled, nor will be by a stream, is discarded with all commands behind it. Waits for
 * another process are cancelled too; the commands behind those run, without the host's part of
 * them. */
void zecl_stream_finish(struct zecl_stream *stream);

/* True if a stream of the device, which may be any, has an error that no kernel of it survives. */
bool zecl_streams_are_lost(uint32_t device);

#define ZECL_ANY_DEVICE UINT32_MAX

/* True if no stream has work. */
bool zecl_streams_are_idle(void);

/* Calls `release` once no stream has work, at once or in a later call of these functions: for what
 * kernels may still use, and what CUDA does not free while any kernel runs. */
void zecl_streams_defer(void (*release)(void *object), void *object);

/* Does what was deferred and can be done now. */
void zecl_streams_run_deferred(void);

#endif
