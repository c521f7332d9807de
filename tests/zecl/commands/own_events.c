#include "commands/own_events.h"

#include <stdlib.h>

/* A barrier without a wait list, and the like. */
static bool is_behind_all(const struct zecl_command *command) {
  return command->kind == ZECL_COMMAND_NOTHING && command->wait_count == 0;
}

static int compare(const void *a, const void *b) {
  const struct zecl_event *one = ((const struct zecl_own_event *)a)->event;
  const struct zecl_event *other = ((const struct zecl_own_event *)b)->event;
  return one < other ? -1 : one > other;
}

static struct zecl_own_event *find(
    const struct zecl_own_events *events, const struct zecl_event *event) {
  const struct zecl_own_event key = {.event = event};
  return events->count ? bsearch(&key, events->all, events->count, sizeof key, compare) : NULL;
}

/* Collects the events that commands signal. False if one is signalled twice, or without memory. */
static bool collect(struct zecl_own_events *events, const struct zecl_command *first) {
  size_t signals = 0;
  for (const struct zecl_command *command = first; command; command = zecl_command_next(command))
    signals += command->signal != NULL;
  if (signals) events->all = calloc(signals, sizeof *events->all);
  if (signals && !events->all) return false;
  uint32_t number = 0;
  for (const struct zecl_command *command = first; command;
       command = zecl_command_next(command), number++)
    if (command->signal)
      events->all[events->count++] =
          (struct zecl_own_event){command->signal, number, number, false};
  if (signals) qsort(events->all, signals, sizeof *events->all, compare);
  for (size_t i = 1; i < signals; i++)
    if (events->all[i].event == events->all[i - 1].event) return false;
  return true;
}

/* The command is `number`. */
static bool check_uses(
    const struct zecl_own_events *events, const struct zecl_command *command, uint32_t number) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    struct zecl_own_event *own = find(events, command->waits[i]);
    if (!own || own->signal >= number || own->is_reset) return false;
    own->last_use = number;
  }
  return true;
}

/* `joined` is the last command before it that is behind all. */
static bool check_reset(
    const struct zecl_own_events *events, const struct zecl_command *command, int64_t joined) {
  struct zecl_own_event *own = find(events, command->reset);
  if (!own || own->is_reset || own->last_use > joined) return false;
  own->is_reset = true;
  return true;
}

static bool check(const struct zecl_own_events *events, const struct zecl_command *first) {
  uint32_t number = 0;
  int64_t joined = -1;
  for (const struct zecl_command *command = first; command;
       command = zecl_command_next(command), number++) {
    if (!check_uses(events, command, number)) return false;
    if (command->kind == ZECL_COMMAND_RESET && !check_reset(events, command, joined)) return false;
    if (is_behind_all(command)) joined = number;
  }
  for (size_t i = 0; i < events->count; i++)
    if (!events->all[i].is_reset) return false;
  return true;
}

bool zecl_own_events_find(struct zecl_own_events *events, const struct zecl_command *first) {
  *events = (struct zecl_own_events){NULL, 0};
  if (collect(events, first) && check(events, first)) return true;
  zecl_own_events_free(events);
  return false;
}

void zecl_own_events_free(struct zecl_own_events *events) {
  free(events->all);
}

uint32_t zecl_own_events_signal(
    const struct zecl_own_events *events, const struct zecl_event *event) {
  return find(events, event)->signal;
}
