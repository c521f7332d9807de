/* The work of a cell of the grid, by syclze. */
#include "grid.h"

#include <time.h>

enum { BYTES = 64, ROW = 8, PITCH = 16, ROW_COUNT = 4 };

static const syclze_nd_range one = {.global = {1}, .local = {1}};
static const uint32_t zero;

static ze_result_t make_list(struct grid_world *grid, enum grid_queue queue) {
  ze_command_queue_desc_t desc = grid->bench->queue_desc;
  if (queue == WRAPPED || queue == UNKNOWN)
    desc.flags |= 1u << 1; /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which older headers lack */
  if (queue == SYNCHRONOUS) desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  return zeCommandListCreateImmediate(
      grid->bench->context, grid->bench->device, &desc, &grid->lists[queue]);
}

/* An in-order list is one of an in-order queue. Loaders without zeCommandListImmediateGetFlags and
   -GetMode need the properties. */
static ze_result_t make_queue(struct grid_world *grid, enum grid_queue queue) {
  const struct bench_world *world = grid->bench;
  syclze_queue_input input = {{0}, world->wrapped.device, SYCLZE_OWNERSHIP_KEEP, {0}};
  input.native_handle = syclze_native_queue_of_queue(world->queue);
  if (queue == WRAPPED || queue == UNKNOWN)
    input.properties.flags |= SYCLZE_QUEUE_PROPERTY_IN_ORDER;
  if (queue == WRAPPED && world->newer.list_get_flags == NULL)
    input.properties.flags |= SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
  if (queue == SYNCHRONOUS && world->newer.list_get_mode == NULL)
    input.properties.flags |= SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS;
  if (queue != REGULAR) {
    BENCH_TRY(make_list(grid, queue));
    input.native_handle = syclze_native_queue_of_list(grid->lists[queue]);
  }
  return syclze_make_queue(&input, world->wrapped.context, &grid->queues[queue]);
}

static ze_result_t make_buffer(struct grid_world *grid, uint32_t i) {
  const struct bench_world *world = grid->bench;
  BENCH_TRY(
      syclze_malloc_device(BYTES, world->wrapped.device, world->wrapped.context, &grid->memory[i]));
  syclze_buffer_input input = {grid->memory[i], SYCLZE_OWNERSHIP_KEEP, 4, 1, {BYTES / 4, 0, 0}};
  return syclze_make_buffer(&input, world->wrapped.context, &grid->buffers[i]);
}

/* The list that a graph is by hand, and that a native command executes. */
static ze_result_t make_recorded(struct grid_world *grid) {
  ze_command_list_desc_t desc = {0};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  BENCH_TRY(zeCommandListCreate(grid->bench->context, grid->bench->device, &desc, &grid->recorded));
  return zeCommandListClose(grid->recorded);
}

static ze_result_t make_signal(struct grid_world *grid) {
  ze_event_pool_desc_t pool_desc = {0};
  ze_event_desc_t desc = {0};
  ze_event_pool_handle_t pool;
  ze_device_handle_t device = grid->bench->device;
  pool_desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool_desc.count = GRID_MOST + 1;
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  BENCH_TRY(zeEventPoolCreate(grid->bench->context, &pool_desc, 1, &device, &pool));
  BENCH_TRY(zeEventCreate(pool, &desc, &grid->signal));
  for (uint32_t i = 0; i < GRID_MOST; i++) {
    desc.index = i + 1;
    BENCH_TRY(zeEventCreate(pool, &desc, &grid->native_waits[i]));
    BENCH_TRY(zeEventHostSignal(grid->native_waits[i]));
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t grid_open(struct grid_world *grid, const struct bench_world *world) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_context context = world->wrapped.context;
  grid->bench = world;
  BENCH_TRY(syclze_queue_create(context, world->wrapped.device, &in_order, &grid->elsewhere));
  BENCH_TRY(
      syclze_queue_create(context, world->wrapped.device, &in_order, &grid->queues[IN_ORDER]));
  grid->lists[IN_ORDER] = syclze_queue_get_native(grid->queues[IN_ORDER]).list;
  for (int queue = WRAPPED; queue < QUEUES; queue++)
    BENCH_TRY(make_queue(grid, (enum grid_queue)queue));
  for (uint32_t i = 0; i < GRID_MOST; i++)
    BENCH_TRY(make_buffer(grid, i));
  BENCH_TRY(make_recorded(grid));
  return make_signal(grid);
}

static ze_result_t host_task(syclze_interop_handle handle, void *argument) {
  struct grid_world *grid = (struct grid_world *)argument;
  (void)handle;
  __atomic_add_fetch(&grid->tasks, 1, __ATOMIC_RELEASE);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t native_command(syclze_interop_handle handle, void *argument) {
  struct grid_world *grid = (struct grid_world *)argument;
  syclze_native_queue queue;
  const ze_event_handle_t *events;
  ze_event_handle_t waits[2 * GRID_MOST];
  uint32_t count;
  BENCH_TRY(syclze_interop_handle_get_native_queue(handle, &queue));
  if (queue.kind == SYCLZE_NATIVE_QUEUE_QUEUE)
    return zeCommandQueueExecuteCommandLists(queue.queue, 1, &grid->recorded, NULL);
  BENCH_TRY(syclze_interop_handle_get_wait_list(handle, &count, &events));
  if (count > sizeof waits / sizeof *waits) return ZE_RESULT_ERROR_INVALID_SIZE;
  for (uint32_t i = 0; i < count; i++)
    waits[i] = events[i];
  return zeCommandListAppendMemoryCopy(
      queue.list, grid->memory[0], grid->memory[1], BYTES, NULL, count, waits);
}

/* With one node, which has the requirements. */
static ze_result_t make_graph(struct grid_world *grid, uint32_t requirements) {
  const struct bench_world *world = grid->bench;
  syclze_queue queue = grid->queues[IN_ORDER];
  syclze_graph graph;
  if (grid->graphs[requirements].rep != NULL) return ZE_RESULT_SUCCESS;
  BENCH_TRY(syclze_graph_create(world->wrapped.context, world->wrapped.device, &graph));
  BENCH_TRY(syclze_graph_begin_recording(graph, queue));
  syclze_group group = syclze_group_begin(queue);
  for (uint32_t i = 0; i < requirements; i++)
    syclze_require(&group, grid->buffers[i], SYCLZE_ACCESS_READ_WRITE);
  BENCH_TRY(syclze_group_launch(&group, world->wrapped.no_work, &one, NULL, 0, NULL));
  BENCH_TRY(syclze_graph_end_recording(graph, queue));
  BENCH_TRY(syclze_graph_finalize(graph, 0, &grid->graphs[requirements]));
  return syclze_graph_release(graph);
}

/* Transfers write the first requirement, or a pointer. */
ze_result_t grid_submit(
    struct grid_world *grid, const struct grid_cell *cell, syclze_event *event) {
  syclze_accessor accessors[GRID_MOST];
  syclze_memory_argument to = syclze_memory_argument_pointer(grid->memory[0]),
                         from = syclze_memory_argument_pointer(grid->memory[1]);
  syclze_group group = syclze_group_begin(grid->queues[cell->queue]);
  if (cell->command != GRAPH)
    for (uint32_t i = 0; i < cell->requirements; i++)
      accessors[i] = syclze_require(&group, grid->buffers[i], SYCLZE_ACCESS_READ_WRITE);
  for (uint32_t i = 0; i < cell->waits; i++)
    syclze_group_depends_on(&group, grid->waits[i]);
  if (cell->requirements != 0 && cell->command >= COPY && cell->command <= FILL)
    to = syclze_memory_argument_accessor(accessors[0]);
  switch (cell->command) {
  case LAUNCH:
    return syclze_group_launch(&group, grid->bench->wrapped.no_work, &one, NULL, 0, event);
  case COPY:
    return syclze_group_copy(&group, to, from, BYTES, event);
  case ROWS:
    return syclze_group_copy_2d(&group, to, PITCH, from, PITCH, ROW, ROW_COUNT, event);
  case FILL:
    return syclze_group_fill(&group, to, &zero, sizeof zero, BYTES, event);
  case BARRIER:
    return syclze_group_barrier(&group, event);
  case HOST_TASK:
    return syclze_group_host_task(&group, host_task, grid, event);
  case NATIVE:
    return syclze_group_native_command(&group, native_command, grid, event);
  case GRAPH:
    return syclze_group_execute_graph(&group, grid->graphs[cell->requirements], event);
  case COMMANDS:
    break;
  }
  return ZE_RESULT_ERROR_UNKNOWN;
}

/* A write of the buffer on the queue. */
static ze_result_t use(struct grid_world *grid, syclze_queue queue, uint32_t i) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, grid->buffers[i], SYCLZE_ACCESS_WRITE);
  return syclze_group_fill(
      &group, syclze_memory_argument_accessor(all), &zero, sizeof zero, BYTES, NULL);
}

ze_result_t grid_before(struct grid_world *grid, const struct grid_cell *cell) {
  syclze_queue queue = cell->state == HERE ? grid->queues[cell->queue] : grid->elsewhere;
  if (cell->command == GRAPH) BENCH_TRY(make_graph(grid, cell->requirements));
  for (uint32_t i = 0; i < cell->requirements; i++)
    BENCH_TRY(use(grid, queue, i));
  for (; grid->wait_count < cell->waits; grid->wait_count++)
    BENCH_TRY(syclze_queue_launch_arguments(queue, grid->bench->wrapped.no_work, &one, NULL, 0,
        NULL, 0, &grid->waits[grid->wait_count]));
  if (cell->state == DONE || cell->queue == SYNCHRONOUS) return ZE_RESULT_SUCCESS;
  /* From here on the loader has all commands be pending. */
  zeEventHostSynchronize(grid->bench->signalled, 1);
  return ZE_RESULT_SUCCESS;
}

ze_result_t grid_after(struct grid_world *grid, const struct grid_cell *cell) {
  BENCH_TRY(zeEventHostSynchronize(grid->bench->signalled, UINT64_MAX));
  BENCH_TRY(syclze_queue_wait(grid->queues[cell->queue]));
  BENCH_TRY(syclze_queue_wait(grid->elsewhere));
  while (grid->wait_count > 0)
    BENCH_TRY(syclze_event_release(grid->waits[--grid->wait_count]));
  return ZE_RESULT_SUCCESS;
}

void grid_rest(const struct grid_world *grid, uint32_t ran) {
  struct timespec moment = {0, 200000};
  /* The wait is counted too: a thread that waits long for its turn must cost little here. */
  while (__atomic_load_n(&grid->tasks, __ATOMIC_ACQUIRE) != ran) {
    nanosleep(&moment, NULL);
    if (moment.tv_nsec < 400000000) moment.tv_nsec *= 2;
  }
  moment.tv_nsec = 200000;
  nanosleep(&moment, NULL);
}
