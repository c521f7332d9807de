/* Queues commands on a stream of the engine, in order, by the thread that appends. Waits and
 * signals are waits for and writes of the events' words in the stream, so that nothing waits on the
 * host. For engines with streams (engine/engine.h); workers of other engines have none. */
#ifndef ZECL_COMMANDS_STREAM_H
#define ZECL_COMMANDS_STREAM_H

#include "commands/command.h"

struct zecl_stream;

/* Null when there is no memory. */
struct zecl_stream *zecl_stream_create(uint32_t device, unsigned priority);

/* Queues what the draft describes. What the draft owns stays with it, and is not used after the
 * return. One thread at a time. */
ze_result_t zecl_stream_submit(struct zecl_stream *stream, const struct zecl_command *draft);

/* As zecl_worker_synchronize. */
ze_result_t zecl_stream_synchronize(struct zecl_stream *stream, uint64_t timeout);

/* The first error that a kernel met as it ran, which is then forgotten. */
ze_result_t zecl_stream_take_error(struct zecl_stream *stream);

/* Lets what can run come to its end, and frees the stream. Waits for events that are not signalled
 * are given up, as are all other waits for those; the commands behind them run, but for what the
 * host does in them. */
void zecl_stream_finish(struct zecl_stream *stream);

/* Whether the stream has an error that no kernel of it survives. */
bool zecl_streams_are_lost(void);

/* Whether no stream has work. */
bool zecl_streams_are_idle(void);

/* Calls `release` once no stream has work, at once or in a later call of these functions: for what
 * kernels may still use, and what CUDA does not free while any kernel runs. */
void zecl_streams_defer(void (*release)(void *object), void *object);

/* Does what was deferred and can be done now. */
void zecl_streams_run_deferred(void);

#endif
