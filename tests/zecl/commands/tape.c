#include "commands/tape.h"

#include "commands/order.h"
#include "core/check.h"

#include <stdlib.h>

struct zecl_tape *zecl_tape_create(void) {
  struct zecl_tape *tape = calloc(1, sizeof *tape);
  if (!tape) return NULL;
  atomic_init(&tape->references, 1);
  zecl_replay_init(&tape->replay);
  return tape;
}

void zecl_tape_retain(struct zecl_tape *tape) {
  atomic_fetch_add_explicit(&tape->references, 1, memory_order_relaxed);
}

void zecl_tape_release(struct zecl_tape *tape) {
  if (atomic_fetch_sub_explicit(&tape->references, 1, memory_order_acq_rel) != 1) return;
  zecl_tape_clear(tape);
  zecl_replay_free(&tape->replay);
  zecl_command_pool_free(&tape->pool);
  free(tape);
}

bool zecl_tape_is_alone(struct zecl_tape *tape) {
  return atomic_load_explicit(&tape->references, memory_order_acquire) == 1;
}

static struct zecl_command *next_of(struct zecl_command *command) {
  return atomic_load_explicit(&command->next, memory_order_relaxed);
}

static void link_behind(struct zecl_tape *tape, struct zecl_command *command) {
  atomic_store_explicit(&command->next, NULL, memory_order_relaxed);
  if (tape->last)
    atomic_store_explicit(&tape->last->next, command, memory_order_relaxed);
  else
    tape->first = command;
  tape->last = command;
}

ze_result_t zecl_tape_append(struct zecl_tape *tape, const struct zecl_command *draft) {
  struct zecl_command *command = zecl_command_take(&tape->pool);
  if (!command) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const ze_result_t result = zecl_command_record(command, draft);
  if (result != ZE_RESULT_SUCCESS) {
    zecl_command_give(&tape->pool, command, command);
    return result;
  }
  link_behind(tape, command);
  return ZE_RESULT_SUCCESS;
}

void zecl_tape_shuffle(struct zecl_tape *tape) {
  struct zecl_window window = {.count = 0};
  struct zecl_command *next = tape->first;
  tape->first = tape->last = NULL;
  while (next || window.count) {
    for (; next && zecl_window_has_room(&window); next = next_of(next))
      zecl_window_add(&window, next);
    link_behind(tape, zecl_window_draw_free(&window));
  }
}

void zecl_tape_close(struct zecl_tape *tape) {
  zecl_replay_forget(&tape->replay); /* of a mutable list, which was updated */
  if (zecl_engine()->streams && tape->is_unordered && zecl_order_is_random())
    zecl_tape_shuffle(tape);
}

static void for_each_counted(const struct zecl_tape *tape, const struct zecl_command *first,
    void (*change)(struct zecl_event *)) {
  const struct zecl_command *command = tape->has_counted ? first : NULL;
  for (; command; command = zecl_command_next(command))
    if (command->kind == ZECL_COMMAND_RESET && command->reset->is_of_tape) change(command->reset);
}

static void expect(struct zecl_event *event) {
  atomic_fetch_add(&event->submitted, 1);
}

void zecl_tape_expect(const struct zecl_tape *tape) {
  for_each_counted(tape, tape->first, expect);
}

void zecl_tape_unexpect(const struct zecl_tape *tape, const struct zecl_command *first) {
  for_each_counted(tape, first, zecl_event_begin);
}

void zecl_tape_clear(struct zecl_tape *tape) {
  zecl_replay_forget(&tape->replay);
  for (struct zecl_command *command = tape->first; command; command = next_of(command))
    zecl_command_forget(command);
  if (tape->first) zecl_command_give(&tape->pool, tape->first, tape->last);
  tape->first = NULL;
  tape->last = NULL;
  tape->has_counted = false;
}
