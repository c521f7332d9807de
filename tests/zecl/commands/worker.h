/* Executes what is submitted to a command queue or an immediate list: a queue of commands and one
 * thread that runs them in order. The thread starts with the first command that needs it. On an
 * engine with streams there is no thread: the commands go to a stream (stream.h). */
#ifndef ZECL_COMMANDS_WORKER_H
#define ZECL_COMMANDS_WORKER_H

#include "commands/command_pool.h"
#include "commands/executor.h"
#include "commands/order.h"

#include <pthread.h>

enum { ZECL_CACHE_LINE = 64 };

struct zecl_lanes;

struct zecl_worker {
  uint32_t device;
  _Atomic(struct zecl_lanes *) lanes; /* in the place of all below, on engines with streams */

  /* Owned by the thread that submits; one at a time. */
  struct zecl_command *last;
  struct zecl_command_pool pool;
  bool has_thread;
  pthread_t thread;

  /* Owned by the thread that runs commands. */
  _Alignas(ZECL_CACHE_LINE) struct zecl_command *current; /* run, and kept for its `next` */
  struct zecl_command *used_first, *used_last;            /* on their way back to the pool */
  unsigned used_count, run_count;
  bool is_open; /* device memory, by this thread: see discrete.h */
  struct zecl_executor executor;
  bool is_unordered;         /* set before the first command; see order.h */
  bool current_was_run;      /* of an unordered one, whose window may still hold `current` */
  struct zecl_window window; /* taken from the line, and not run */

  /* Shared. Counts are of commands, and wrap. */
  _Alignas(ZECL_CACHE_LINE) atomic_uint submitted;
  atomic_uint sleeping; /* 1 while the thread sleeps */
  _Alignas(ZECL_CACHE_LINE) atomic_uint done;
  atomic_uint waiters; /* threads that wait for `done` */
  atomic_bool stop, stopped;
  struct zecl_command start; /* the first `current` */
  struct zecl_worker *older, *newer;
  uint64_t id; /* no two have the same */
};

/* The point that the work of all workers with threads must reach. */
struct zecl_worker_marks;

/* A snapshot of what was submitted; null when there is no memory. Freed by free(). */
struct zecl_worker_marks *zecl_worker_marks_take(void);

/* True when all of it is done. */
bool zecl_worker_marks_passed(const struct zecl_worker_marks *marks);

/* Once, before the first worker: has the threads end when the process exits, before OpenCL, which
 * was found by now, takes itself apart, and after what the application registers from now on. */
void zecl_workers_start(void);

/* Initialises a worker in zeroed memory. `device` is the engine's. */
void zecl_worker_init(struct zecl_worker *worker, uint32_t device, enum zecl_priority priority);

/* Runs what can be run, gives up what waits for an event that is not signalled, ends the thread and
 * frees what the worker holds. */
void zecl_worker_finish(struct zecl_worker *worker);

/* Puts a copy of the draft in line. On failure what the draft owns stays with it. */
ze_result_t zecl_worker_submit(struct zecl_worker *worker, struct zecl_command *draft);

/* True if instant commands may run on this thread. */
bool zecl_worker_may_run_here(struct zecl_worker *worker);

/* Runs the draft on this thread and discards it. For an idle worker. */
void zecl_worker_run_here(struct zecl_worker *worker, struct zecl_command *draft);

/* Runs the draft on a worker that never gets a thread, one caller at a time: other threads that
 * synchronise wait for it. Returns the first error of the draft's commands. */
ze_result_t zecl_worker_run_to_end(struct zecl_worker *worker, struct zecl_command *draft);

static inline bool zecl_worker_is_idle(struct zecl_worker *worker) {
  return atomic_load_explicit(&worker->done, memory_order_acquire) ==
         atomic_load_explicit(&worker->submitted, memory_order_relaxed);
}

/* Waits until what was submitted before the call is done. NOT_READY at the deadline; the first
 * error of a command otherwise, from then on. */
ze_result_t zecl_worker_synchronize(struct zecl_worker *worker, uint64_t timeout);

#endif
