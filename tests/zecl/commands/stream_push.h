/* Puts a command into the engine's queue of a stream. */
#ifndef ZECL_COMMANDS_STREAM_PUSH_H
#define ZECL_COMMANDS_STREAM_PUSH_H

#include "commands/stream_registry.h"

/* NOT_READY where the command, or the rest of it, has to be pushed later, by the same call: it
 * waits for an event whose signal is not in any stream, or `push.waits_for_device` is set: the
 * stream is full, or the counts of an indirect launch are not read yet. */
ze_result_t zecl_stream_push(struct zecl_stream *stream, const struct zecl_command *command);

/* Forgets how far a command came that will not be pushed again. */
void zecl_stream_push_reset(struct zecl_stream *stream);

#endif
