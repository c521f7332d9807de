/* Events of a closed list's own: each is signalled once by a command of the list, is waited for
 * behind that, and is reset behind all that uses it. Such an event is the same before and after
 * each run, and orders the list's commands only: nothing else can use it in between, since it could
 * not determine whether the event is of this run or of the one before. */
#ifndef ZECL_COMMANDS_OWN_EVENTS_H
#define ZECL_COMMANDS_OWN_EVENTS_H

#include "commands/command.h"

struct zecl_own_event {
  const struct zecl_event *event;
  uint32_t signal, last_use; /* the numbers of commands */
  bool is_reset;
};

struct zecl_own_events {
  struct zecl_own_event *all; /* by address */
  size_t count;
};

/* The commands that follow each other in a list from `first` on. False, and nothing to free, if
 * they use any other event, or there is no memory. */
bool zecl_own_events_find(struct zecl_own_events *events, const struct zecl_command *first);
void zecl_own_events_free(struct zecl_own_events *events);

/* The number of the command that signals the event, which is one of them. */
uint32_t zecl_own_events_signal(
    const struct zecl_own_events *events, const struct zecl_event *event);

#endif
