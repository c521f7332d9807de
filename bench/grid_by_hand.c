/* The work of a cell of the grid in plain Level Zero: the calls of a program that knows the
 * dependencies of its commands. */
#include "grid.h"

enum { BYTES = 64, ROW = 8, PITCH = 16, ROW_COUNT = 4 };

static const uint32_t zero;

/* Where the native list orders nothing each command has an event, which the next ones wait for. */
static bool is_ordered(const struct grid_cell *cell) {
  return cell->queue == IN_ORDER || cell->queue == WRAPPED || cell->queue == UNKNOWN;
}

/* An event is queried and reset before it is signalled again. */
static ze_result_t take_event(ze_event_handle_t event) {
  zeEventQueryStatus(event);
  return zeEventHostReset(event);
}

static ze_result_t append_lists(struct grid_world *grid, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t waits) {
  return grid->bench->newer.append_lists(
      list, 1, &grid->recorded, signal, waits, grid->native_waits);
}

static ze_result_t launch(struct grid_world *grid, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t waits) {
  const ze_group_count_t groups = {1, 1, 1};
  ze_kernel_handle_t kernel = grid->bench->no_work;
  BENCH_TRY(zeKernelSetGroupSize(kernel, 1, 1, 1));
  return zeCommandListAppendLaunchKernel(list, kernel, &groups, signal, waits, grid->native_waits);
}

static ze_result_t append(struct grid_world *grid, const struct grid_cell *cell,
    ze_command_list_handle_t list, ze_event_handle_t signal, uint32_t waits) {
  const ze_copy_region_t region = {0, 0, 0, ROW, ROW_COUNT, 1};
  void *to = grid->memory[0], *from = grid->memory[1];
  ze_event_handle_t *events = grid->native_waits;
  switch (cell->command) {
  case LAUNCH:
    return launch(grid, list, signal, waits);
  case NATIVE:
  case COPY:
    return zeCommandListAppendMemoryCopy(list, to, from, BYTES, signal, waits, events);
  case ROWS:
    return zeCommandListAppendMemoryCopyRegion(
        list, to, &region, PITCH, 0, from, &region, PITCH, 0, signal, waits, events);
  case FILL:
    return zeCommandListAppendMemoryFill(
        list, to, &zero, sizeof zero, BYTES, signal, waits, events);
  case BARRIER:
    return zeCommandListAppendBarrier(list, signal, waits, events);
  case GRAPH:
    return append_lists(grid, list, signal, waits);
  case HOST_TASK:
  case COMMANDS:
    break;
  }
  return ZE_RESULT_ERROR_UNKNOWN;
}

/* A thread waits for each event, and for what the list has; then it signals one of its own. */
static ze_result_t host_task(
    struct grid_world *grid, const struct grid_cell *cell, uint32_t waits) {
  for (uint32_t i = 0; i < waits; i++)
    BENCH_TRY(zeEventHostSynchronize(grid->native_waits[i], UINT64_MAX));
  if (cell->state == HERE && cell->queue != REGULAR) {
    BENCH_TRY(take_event(grid->native_waits[0]));
    BENCH_TRY(zeCommandListAppendBarrier(grid->lists[cell->queue], grid->native_waits[0], 0, NULL));
    BENCH_TRY(zeEventHostSynchronize(grid->native_waits[0], UINT64_MAX));
  }
  BENCH_TRY(take_event(grid->signal));
  return zeEventHostSignal(grid->signal);
}

static ze_result_t on_command_queue(struct grid_world *grid, const struct grid_cell *cell,
    ze_event_handle_t signal, uint32_t waits) {
  ze_command_queue_handle_t queue = grid->bench->queue;
  ze_command_list_handle_t list = grid->recorded;
  const bool executes = cell->command == GRAPH || cell->command == NATIVE;
  if (executes && signal == NULL && waits == 0)
    return zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL);
  BENCH_TRY(zeCommandListReset(list));
  if (executes) {
    BENCH_TRY(zeCommandListAppendBarrier(list, NULL, waits, grid->native_waits));
    BENCH_TRY(zeCommandListClose(list));
    BENCH_TRY(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    BENCH_TRY(zeCommandListReset(list));
    BENCH_TRY(zeCommandListAppendSignalEvent(list, grid->signal));
  } else {
    BENCH_TRY(append(grid, cell, list, signal, waits));
  }
  BENCH_TRY(zeCommandListClose(list));
  return zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL);
}

/* Buffers that another queue used add one event, which is appended there if it was not asked for.
   Events of a native list that orders its commands need no wait. */
ze_result_t grid_by_hand(struct grid_world *grid, const struct grid_cell *cell) {
  const bool ordered = is_ordered(cell), foreign = cell->state != HERE && cell->requirements != 0;
  const bool orders = !ordered && cell->requirements != 0;
  ze_event_handle_t signal = cell->event || orders ? grid->signal : NULL;
  uint32_t waits = cell->state == HERE && ordered ? 0 : cell->waits;
  if (foreign || (orders && waits == 0)) waits = waits < GRID_MOST ? waits + 1 : waits;
  if (foreign) {
    BENCH_TRY(take_event(grid->native_waits[0]));
    BENCH_TRY(zeCommandListAppendBarrier(grid->lists[IN_ORDER], grid->native_waits[0], 0, NULL));
  }
  if (cell->command == HOST_TASK) return host_task(grid, cell, waits);
  if (signal != NULL) BENCH_TRY(take_event(signal));
  if (cell->queue == REGULAR) return on_command_queue(grid, cell, signal, waits);
  return append(grid, cell, grid->lists[cell->queue], signal, waits);
}
