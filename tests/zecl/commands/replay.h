/* Lists that run again and again, as graphs of the engine: what a list of copies, fills and kernels
 * has recorded is queued by one call, from its second run on. A list whose commands need the host,
 * or use events that are not the list's own (own_events.h), is queued command by command. */
#ifndef ZECL_COMMANDS_REPLAY_H
#define ZECL_COMMANDS_REPLAY_H

#include "commands/command.h"

#include <pthread.h>

/* Queues a command that needs nothing of its stream but the queue: none, a copy or a fill; others
 * are UNSUPPORTED_FEATURE. */
ze_result_t zecl_queue_command(const struct zecl_command *command, struct zecl_engine_queue *queue);

struct zecl_replay {
  pthread_mutex_t lock; /* several queues may run one list */
  unsigned runs;        /* up to the second */
  struct zecl_engine_graph *graph;
};

void zecl_replay_init(struct zecl_replay *replay);

/* The commands from `first` on: NOT_READY where they are to be queued one by one. `is_unordered`:
 * those between two barriers are ordered by events only. */
ze_result_t zecl_replay_run(struct zecl_replay *replay, const struct zecl_command *first,
    bool is_unordered, struct zecl_engine_queue *queue);

/* The commands change. */
void zecl_replay_forget(struct zecl_replay *replay);

void zecl_replay_free(struct zecl_replay *replay);

#endif
