/* The streams of a queue or an immediate list: one, or a few for a list that is not in-order. A
 * command of such a list that waits for an event of another one takes a stream of its own, so that
 * it holds no other back; one that waits for a command of the list follows it. Barriers, appended
 * waits, signals, resets and closed lists follow all that is before them, and precede all that is
 * behind.
 *
 * ZECL_STREAMS=n: of such a list (1 to 16, 4 where it is not set). With ZECL_ORDER the lanes are
 * drawn. */
#ifndef ZECL_COMMANDS_LANES_H
#define ZECL_COMMANDS_LANES_H

#include "commands/stream.h"

struct zecl_lanes;

/* Null when there is no memory. The streams are made when commands need them. */
struct zecl_lanes *zecl_lanes_create(uint32_t device, unsigned priority, bool is_unordered);

/* Submits a draft to one of the lanes, like zecl_stream_submit. */
ze_result_t zecl_lanes_submit(struct zecl_lanes *lanes, struct zecl_command *draft);

/* The functions of stream.h, for all of the lanes' streams. */
ze_result_t zecl_lanes_synchronize(struct zecl_lanes *lanes, uint64_t timeout);
void zecl_lanes_drop_errors(struct zecl_lanes *lanes);
void zecl_lanes_finish(struct zecl_lanes *lanes);

#endif
