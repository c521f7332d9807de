/* ZECL_ORDER=seed: lists that are not in-order run their commands in another order than that of the
 * appends, as far as events and barriers allow it. The choice is drawn from the seed. */
#ifndef ZECL_COMMANDS_ORDER_H
#define ZECL_COMMANDS_ORDER_H

#include "commands/executor.h"

enum { ZECL_WINDOW = 16 };

/* True if the command keeps its place: it follows all before it and precedes all behind. */
bool zecl_order_is_fence(const struct zecl_command *command);

/* A number of the seed and of how many were drawn. */
uint64_t zecl_order_draw(uint64_t *drawn);

/* Commands among which the next one is chosen, oldest first. Zero is empty. */
struct zecl_window {
  struct zecl_command *held[ZECL_WINDOW];
  unsigned count;
  uint64_t drawn;
};

/* True if lists that are not in-order are reordered. */
bool zecl_order_is_random(void);

/* False if the window is full, or ends with a command that all before it must precede. */
bool zecl_window_has_room(const struct zecl_window *window);
void zecl_window_add(struct zecl_window *window, struct zecl_command *command);

/* Removes a command that may run now. Null if each one waits for an event that is not signalled. */
struct zecl_command *zecl_window_draw(struct zecl_window *window);

/* Removes the oldest, or one that waits for no event. The window is not empty. */
struct zecl_command *zecl_window_draw_free(struct zecl_window *window);

/* Removes the oldest. The window is not empty. */
struct zecl_command *zecl_window_take_oldest(struct zecl_window *window);

#endif
