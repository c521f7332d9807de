/* grid [TEXT]: for callgrind: counts each cell of the grid, or those of commands with the text in
   their names, by dumps that grid.awk reads.
   grid -g: what grows (grid_growth.c). */
#include "grid.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_START_INSTRUMENTATION ((void)0)
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

#include <stdio.h>

/* Each cell is counted twice, and the smaller count is taken: now and then a command pays for many,
   as by a new pool of events. */
enum { WARM = 2, COUNTED = 2 };

static const char *const command_names[] = {
    "launch", "copy", "rows", "fill", "barrier", "host task", "native command", "graph"};
static const char *const queue_names[] = {"in-order", "wrapped in-order", "in-order without getter",
    "out of order", "synchronous", "command queue"};
static const char *const state_names[] = {"here", "done", "pending"};

/* The name of a dump. */
struct name {
  char text[128];
};

static struct name name_of(const struct grid_cell *cell, const char *side) {
  struct name name;
  snprintf(name.text, sizeof name.text, "%s|%s|%s|%s|%u|%u|%s", side, command_names[cell->command],
      queue_names[cell->queue], cell->event ? "event" : "no event", cell->requirements, cell->waits,
      state_names[cell->state]);
  return name;
}

static ze_result_t count_by_hand(struct grid_world *grid, const struct grid_cell *cell) {
  const struct name name = name_of(cell, "by hand");
  /* Any number of requirements is one event there (grid_by_hand.c). */
  if (cell->requirements > 1) return ZE_RESULT_SUCCESS;
  BENCH_TRY(grid_by_hand(grid, cell));
  CALLGRIND_ZERO_STATS;
  BENCH_TRY(grid_by_hand(grid, cell));
  CALLGRIND_DUMP_STATS_AT(name.text);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t count_cell(struct grid_world *grid, const struct grid_cell *cell) {
  const struct name name = name_of(cell, "syclze");
  for (int i = 0; i < WARM + COUNTED; i++) {
    const bool counted = i >= WARM;
    const uint32_t tasks = grid->tasks + (cell->command == HOST_TASK ? 1 : 0);
    syclze_event event = {0};
    BENCH_TRY(grid_before(grid, cell));
    if (counted) CALLGRIND_ZERO_STATS;
    BENCH_TRY(grid_submit(grid, cell, cell->event ? &event : NULL));
    if (cell->command == HOST_TASK) grid_rest(grid, tasks);
    if (counted) CALLGRIND_DUMP_STATS_AT(name.text);
    if (cell->event) BENCH_TRY(syclze_event_release(event));
    BENCH_TRY(grid_after(grid, cell));
  }
  return count_by_hand(grid, cell);
}

/* A cell without dependencies has one state. */
static ze_result_t count_dependencies(struct grid_world *grid, struct grid_cell *cell) {
  static const uint32_t requirements[] = {0, 1, 2, 9, GRID_MOST}, waits[] = {0, 1, 8, GRID_MOST};
  for (int r = 0; r < 5; r++)
    for (int w = 0; w < 4; w++)
      for (int state = 0; state < STATES; state++) {
        cell->requirements = requirements[r];
        cell->waits = waits[w];
        cell->state = (enum grid_state)state;
        if (r + w == 0 && state != HERE) continue;
        const ze_result_t result = count_cell(grid, cell);
        if (result == ZE_RESULT_SUCCESS) continue;
        fprintf(stderr, "grid: %s\n", name_of(cell, "failed").text);
        return result;
      }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t count_grid(const struct bench_world *world, const char *text) {
  static struct grid_world grid;
  struct grid_cell cell = {0};
  BENCH_TRY(grid_open(&grid, world));
  for (int command = 0; command < COMMANDS; command++)
    for (int queue = 0; queue < QUEUES; queue++)
      for (int event = 0; event < 2; event++) {
        cell.command = (enum grid_command)command;
        cell.queue = (enum grid_queue)queue;
        cell.event = event;
        if (queue == UNKNOWN && world->newer.list_get_flags != NULL) continue;
        if (strstr(command_names[command], text) == NULL) continue;
        BENCH_TRY(count_dependencies(&grid, &cell));
      }
  return ZE_RESULT_SUCCESS;
}

int main(int argc, char **argv) {
  static struct bench_world world;
  const char *argument = argc > 1 ? argv[1] : "";
  ze_result_t result = bench_world_open(&world, NULL, 0);
  /* Each dump goes through every block that ran under instrumentation, those of the start too. */
  CALLGRIND_START_INSTRUMENTATION;
  if (result == ZE_RESULT_SUCCESS)
    result = strcmp(argument, "-g") == 0 ? grid_growth(&world) : count_grid(&world, argument);
  if (result != ZE_RESULT_SUCCESS) fprintf(stderr, "grid: %s\n", syclze_result_string(result));
  return result != ZE_RESULT_SUCCESS;
}
