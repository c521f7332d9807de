/* Priorities of queues: a command waits while a queue of higher priority has work that can run. The
 * wait is bounded, so that work on which the higher one depends in a hidden way proceeds. */
#ifndef ZECL_COMMANDS_PRIORITY_H
#define ZECL_COMMANDS_PRIORITY_H

#include "events/flag.h"

#include <level_zero/ze_api.h>

enum zecl_priority { ZECL_PRIORITY_LOW, ZECL_PRIORITY_NORMAL, ZECL_PRIORITY_HIGH };

static inline enum zecl_priority zecl_priority_of(ze_command_queue_priority_t priority) {
  return priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW    ? ZECL_PRIORITY_LOW
         : priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH ? ZECL_PRIORITY_HIGH
                                                               : ZECL_PRIORITY_NORMAL;
}

/* One line of commands, among all. */
struct zecl_contender {
  enum zecl_priority priority;
  const atomic_uint *submitted, *done;            /* counts of its commands */
  const _Atomic(struct zecl_flag *) *waiting_for; /* where its commands wait for an event */
  struct zecl_contender *older, *newer;
};

/* Between enter and leave, contenders of lower priority wait for this one. */
void zecl_contender_enter(struct zecl_contender *contender);
void zecl_contender_leave(struct zecl_contender *contender);

/* The number of contenders above a priority. */
extern atomic_uint zecl_contenders_above[ZECL_PRIORITY_HIGH + 1];

static inline bool zecl_contender_has_rivals(const struct zecl_contender *contender) {
  return atomic_load_explicit(&zecl_contenders_above[contender->priority], memory_order_relaxed) !=
         0;
}

/* True when one of higher priority can run. */
bool zecl_contender_must_wait(const struct zecl_contender *contender);

/* Waits while one of higher priority can run, or until `cancel`. */
void zecl_contender_wait(const struct zecl_contender *contender, const atomic_bool *cancel);

#endif
