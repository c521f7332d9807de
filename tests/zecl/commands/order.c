#include "commands/order.h"

#include <pthread.h>
#include <stdlib.h>

static uint64_t seed;

static void read_seed(void) {
  const char *text = secure_getenv("ZECL_ORDER");
  if (text) seed = strtoull(text, NULL, 0);
}

bool zecl_order_is_random(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_seed);
  return seed != 0;
}

/* Barriers, waits, signals (of semaphores too) and resets keep their place. */
bool zecl_order_is_fence(const struct zecl_command *command) {
  return command->kind == ZECL_COMMAND_NOTHING || command->kind == ZECL_COMMAND_RESET ||
         command->kind == ZECL_COMMAND_EXECUTE || command->kind == ZECL_COMMAND_SEMAPHORES;
}

bool zecl_window_has_room(const struct zecl_window *window) {
  return window->count == 0 ||
         (window->count < ZECL_WINDOW && !zecl_order_is_fence(window->held[window->count - 1]));
}

void zecl_window_add(struct zecl_window *window, struct zecl_command *command) {
  window->held[window->count++] = command;
}

static struct zecl_command *take(struct zecl_window *window, unsigned at) {
  struct zecl_command *command = window->held[at];
  for (unsigned i = at + 1; i < window->count; i++)
    window->held[i - 1] = window->held[i];
  window->count--;
  return command;
}

static bool is_ready(const struct zecl_window *window, unsigned at) {
  const struct zecl_command *command = window->held[at];
  if (zecl_order_is_fence(command) && at != 0) return false;
  for (uint32_t i = 0; i < command->wait_count; i++)
    if (!zecl_flag_is_set(&command->waits[i]->state->flag)) return false;
  return true;
}

/* Splitmix64 */
uint64_t zecl_order_draw(uint64_t *drawn) {
  uint64_t x = seed + ++*drawn * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct zecl_command *zecl_window_draw_free(struct zecl_window *window) {
  unsigned free[ZECL_WINDOW], count = 0;
  for (unsigned i = 0; i < window->count; i++)
    if (i == 0 || (window->held[i]->wait_count == 0 && !zecl_order_is_fence(window->held[i])))
      free[count++] = i;
  return take(window, free[zecl_order_draw(&window->drawn) % count]);
}

struct zecl_command *zecl_window_draw(struct zecl_window *window) {
  unsigned ready[ZECL_WINDOW], count = 0;
  for (unsigned i = 0; i < window->count; i++)
    if (is_ready(window, i)) ready[count++] = i;
  return count ? take(window, ready[zecl_order_draw(&window->drawn) % count]) : NULL;
}

struct zecl_command *zecl_window_take_oldest(struct zecl_window *window) {
  return take(window, 0);
}
