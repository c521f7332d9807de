/* The grid: each command on each kind of queue, with and without an event, with so many
   requirements and events to wait for, which were used and signalled in different places; by syclze
   and by hand. */
#ifndef BENCH_GRID_H
#define BENCH_GRID_H

#include "bench.h"

#include "syclze/command/graph.h"

enum grid_command { LAUNCH, COPY, ROWS, FILL, BARRIER, HOST_TASK, NATIVE, GRAPH, COMMANDS };

enum grid_queue {
  IN_ORDER,     /* that the library created */
  WRAPPED,      /* over an in-order list, which the loader or a property tells */
  UNKNOWN,       /* over an in-order list that neither says is one: on the older loader only */
  OUT_OF_ORDER, /* over a list that is not in order */
  SYNCHRONOUS,  /* over a synchronous list */
  REGULAR,      /* over a command queue */
  QUEUES
};

enum grid_state {
  HERE,    /* the buffers were last used on the same queue, by commands that are pending */
  DONE,    /* on another queue, by commands that are done */
  PENDING, /* on another queue, by commands that are pending */
  STATES
};

struct grid_cell {
  enum grid_command command;
  enum grid_queue queue;
  bool event; /* the command returns one */
  uint32_t requirements, waits;
  enum grid_state state;
};

enum { GRID_MOST = 64 /* requirements, and events to wait for */ };

struct grid_world {
  const struct bench_world *bench;
  syclze_queue queues[QUEUES], elsewhere;
  ze_command_list_handle_t lists[QUEUES], recorded; /* null for a command queue; closed */
  syclze_buffer buffers[GRID_MOST];
  void *memory[GRID_MOST];
  syclze_executable_graph graphs[GRID_MOST + 1]; /* by requirements; made once used */
  syclze_event waits[GRID_MOST];
  ze_event_handle_t native_waits[GRID_MOST], signal;
  uint32_t wait_count, tasks;
};

ze_result_t grid_open(struct grid_world *grid, const struct bench_world *world);

/* Make what the cell's command depends on, submit it, and have all be done. */
ze_result_t grid_before(struct grid_world *grid, const struct grid_cell *cell);
ze_result_t grid_submit(struct grid_world *grid, const struct grid_cell *cell, syclze_event *event);
ze_result_t grid_by_hand(struct grid_world *grid, const struct grid_cell *cell);
ze_result_t grid_after(struct grid_world *grid, const struct grid_cell *cell);

/* Until the host tasks that were submitted have run, and their worker sleeps. */
void grid_rest(const struct grid_world *grid, uint32_t ran);

/* Count operations among ever more of something. */
ze_result_t grid_growth(const struct bench_world *world);

#endif
