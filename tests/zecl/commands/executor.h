/* Runs commands, in order, on the thread that calls. Kernels are queued on a queue of the engine
 * and finished together: when something must happen after them on the host, when an event is
 * awaited, or when the caller has no more commands. */
#ifndef ZECL_COMMANDS_EXECUTOR_H
#define ZECL_COMMANDS_EXECUTOR_H

#include "commands/command.h"
#include "commands/priority.h"
#include "engine/engine.h"

enum { ZECL_BATCH_SIGNALS = 32, ZECL_BATCH_KERNELS = 512 };

struct zecl_executor {             /* all zero is ready */
  struct zecl_engine_queue *queue; /* made when the first kernel needs it */
  unsigned kernels;                /* queued and not finished */
  unsigned signal_count;
  struct zecl_event *signals[ZECL_BATCH_SIGNALS]; /* to be signalled once the batch is finished */
  _Atomic(ze_result_t) error;                     /* the first that a command met */
  atomic_bool cancel;                             /* gives up waits, and the commands behind them */
  _Atomic(struct zecl_flag *) waiting_for;        /* what to wake after cancel */
  struct zecl_contender contender;
};

void zecl_execute(struct zecl_executor *executor, const struct zecl_command *command);

/* Finishes the batch. */
void zecl_executor_flush(struct zecl_executor *executor);

/* True when the command neither waits long nor runs long: a thread that appends may run it. */
bool zecl_is_instant(const struct zecl_command *command);

void zecl_executor_free(struct zecl_executor *executor);

#endif
