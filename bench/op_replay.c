/* Executable graphs: ten kernels on two buffers, submitted as one, beside the append of the command
   list by hand, or its execution on a command queue where the loader cannot append it. */
#include "bench.h"

#include "syclze/command/graph_capture.h"
#include "syclze/command/graph_update.h"

enum { KERNELS = 10, BYTES = 64 };

static struct {
  syclze_queue queue, any;       /* in-order, out of order */
  ze_command_list_handle_t list; /* the queue's */
  syclze_buffer buffers[2];
  void *memory[2];
  syclze_executable_graph graph, updatable, alternating, captured;
  syclze_graph nodes[2];                          /* launches of two kernels */
  ze_command_list_handle_t kernels, alternated;   /* the same by hand */
  uint64_t ids[KERNELS], alternated_ids[KERNELS]; /* of their commands, where they are mutable */
  bool there;
} made;

static const syclze_nd_range one = {.global = {1}, .local = {1}};

static ze_result_t record_node(syclze_kernel kernel, uint32_t count) {
  const float factor = 0;
  syclze_group group = syclze_group_begin(made.queue);
  syclze_accessor x = syclze_require(&group, made.buffers[0], SYCLZE_ACCESS_READ);
  syclze_accessor y = syclze_require(&group, made.buffers[1], SYCLZE_ACCESS_READ_WRITE);
  const syclze_argument arguments[] = {syclze_arg(factor), syclze_arg(x), syclze_arg(y)};
  return syclze_group_launch(&group, kernel, &one, arguments, count, NULL);
}

/* Graphs of one node, which is never run as such. */
static ze_result_t record_nodes(const struct bench_world *world) {
  const syclze_kernel kernels[] = {world->wrapped.kernel, world->wrapped.no_work};
  for (int i = 0; i < 2; i++) {
    BENCH_TRY(syclze_graph_create(world->wrapped.context, world->wrapped.device, &made.nodes[i]));
    BENCH_TRY(syclze_graph_begin_recording(made.nodes[i], made.queue));
    BENCH_TRY(record_node(kernels[i], i == 0 ? 3 : 0));
    BENCH_TRY(syclze_graph_end_recording(made.nodes[i], made.queue));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t record_kernels(const struct bench_world *world, syclze_graph *graph) {
  BENCH_TRY(syclze_graph_create(world->wrapped.context, world->wrapped.device, graph));
  BENCH_TRY(syclze_graph_begin_recording(*graph, made.queue));
  for (int i = 0; i < KERNELS; i++)
    BENCH_TRY(record_node(world->wrapped.kernel, 3));
  return syclze_graph_end_recording(*graph, made.queue);
}

static ze_result_t record(const struct bench_world *world) {
  syclze_graph graph;
  BENCH_TRY(record_kernels(world, &graph));
  BENCH_TRY(syclze_graph_finalize(graph, 0, &made.graph));
  BENCH_TRY(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &made.updatable));
  BENCH_TRY(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &made.alternating));
  BENCH_TRY(syclze_graph_finalize_captured(graph, 0, &made.captured));
  return syclze_graph_release(graph);
}

static bool has_updates(const struct bench_world *world) {
  return world->newer.next_command != NULL && world->newer.update_commands != NULL;
}

static bool has_kernels(const struct bench_world *world) {
  return world->newer.next_of_kernels != NULL && world->newer.update_kernels != NULL;
}

/* Makes the next command of the list one that is updated. */
static ze_result_t next_plain(
    const struct bench_world *world, ze_command_list_handle_t list, uint64_t *command) {
  ze_kernel_handle_t kernels[] = {world->kernel, world->no_work};
  struct syclze__mutable_desc id = {
      (ze_structure_type_t)SYCLZE__MUTABLE_COMMAND_ID, NULL, SYCLZE__MUTABLE_LAUNCH};
  if (!has_updates(world)) return ZE_RESULT_SUCCESS;
  if (!has_kernels(world) || list == made.kernels)
    return world->newer.next_command(list, &id, command);
  id.flags |= SYCLZE__MUTABLE_KERNEL;
  return world->newer.next_of_kernels(list, &id, 2, kernels, command);
}

/* Without `ids` the list is not mutable. */
static ze_result_t record_plain(
    const struct bench_world *world, ze_command_list_handle_t *list, uint64_t *ids) {
  const struct syclze__mutable_desc updates = {(ze_structure_type_t)SYCLZE__MUTABLE_LIST, NULL, 0};
  ze_command_list_desc_t desc = {0};
  const ze_group_count_t groups = {1, 1, 1};
  const float factor = 0;
  BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 0, sizeof factor, &factor));
  for (uint32_t i = 0; i < 2; i++)
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 1 + i, sizeof(void *), &made.memory[i]));
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  if (has_updates(world) && ids != NULL) desc.pNext = &updates;
  desc.commandQueueGroupOrdinal = world->queue_desc.ordinal;
  BENCH_TRY(zeCommandListCreate(world->context, world->device, &desc, list));
  for (int i = 0; i < KERNELS; i++) {
    if (ids != NULL) BENCH_TRY(next_plain(world, *list, &ids[i]));
    BENCH_TRY(zeCommandListAppendLaunchKernel(*list, world->kernel, &groups, NULL, 0, NULL));
  }
  return zeCommandListClose(*list);
}

static ze_result_t make(const struct bench_world *world) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_context context = world->wrapped.context;
  if (made.there) return ZE_RESULT_SUCCESS;
  BENCH_TRY(syclze_queue_create(context, world->wrapped.device, &in_order, &made.queue));
  BENCH_TRY(syclze_queue_create(context, world->wrapped.device, NULL, &made.any));
  made.list = syclze_queue_get_native(made.queue).list;
  for (int i = 0; i < 2; i++) {
    BENCH_TRY(syclze_malloc_device(BYTES, world->wrapped.device, context, &made.memory[i]));
    syclze_buffer_input input = {made.memory[i], SYCLZE_OWNERSHIP_KEEP, 4, 1, {BYTES / 4, 0, 0}};
    BENCH_TRY(syclze_make_buffer(&input, context, &made.buffers[i]));
  }
  BENCH_TRY(record(world));
  BENCH_TRY(record_nodes(world));
  BENCH_TRY(record_plain(world, &made.kernels, made.ids));
  BENCH_TRY(record_plain(world, &made.alternated, made.alternated_ids));
  made.there = true;
  return ZE_RESULT_SUCCESS;
}

ALWAYS_INLINE ze_result_t replay_on(const struct bench_world *world, uint32_t count,
    const syclze_queue *queue, const syclze_executable_graph *graph) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_submit_graph(*queue, *graph, NULL));
  return syclze_queue_wait(*queue);
}

ALWAYS_INLINE ze_result_t replay_of(
    const struct bench_world *world, uint32_t count, const syclze_executable_graph *graph) {
  return replay_on(world, count, &made.queue, graph);
}

ALWAYS_INLINE ze_result_t replay_event_of(
    const struct bench_world *world, uint32_t count, const syclze_executable_graph *graph) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    BENCH_TRY(syclze_queue_submit_graph(made.queue, *graph, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return syclze_queue_wait(made.queue);
}

static ze_result_t replay_any(const struct bench_world *world, uint32_t count) {
  return replay_on(world, count, &made.any, &made.graph);
}

ON(replay, replay_of, &made.graph)
ON(replay_event, replay_event_of, &made.graph)
ON(replay_captured, replay_of, &made.captured)
ON(replay_updatable, replay_of, &made.updatable)
ON(replay_updatable_event, replay_event_of, &made.updatable)

static ze_result_t append_list(
    const struct bench_world *world, ze_command_list_handle_t *list, ze_event_handle_t signal) {
  if (world->newer.append_lists != NULL)
    return world->newer.append_lists(made.list, 1, list, signal, 0, NULL);
  return zeCommandQueueExecuteCommandLists(world->queue, 1, list, NULL);
}

static ze_result_t append(const struct bench_world *world, ze_event_handle_t signal) {
  return append_list(world, &made.kernels, signal);
}

static ze_result_t replay_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(append(world, NULL));
  BENCH_TRY(zeCommandQueueSynchronize(world->queue, UINT64_MAX));
  return syclze_queue_wait(made.queue);
}

/* Replays with the calls that an event takes. */
static ze_result_t replay_event_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeEventHostReset(world->event));
    BENCH_TRY(append(world, world->event));
    zeEventQueryStatus(world->event);
  }
  BENCH_TRY(zeCommandQueueSynchronize(world->queue, UINT64_MAX));
  return syclze_queue_wait(made.queue);
}

/* The driver's graph where it has some, else the list. */
static ze_result_t replay_captured_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  const struct syclze__driver_capture *capture =
      (const struct syclze__driver_capture *)(const void *)made.captured.rep->capture;
  if (world->newer.append_graph == NULL || capture == NULL) return replay_plain(world, count);
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(world->newer.append_graph(made.list, capture->executable, NULL, NULL, 0, NULL));
  return syclze_queue_wait(made.queue);
}

static ze_result_t update(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    const float factor = (float)(i % 1000);
    const syclze_argument argument = syclze_argument_value(&factor, sizeof factor);
    BENCH_TRY(syclze_executable_graph_update_argument(made.updatable, i % KERNELS, 0, &argument));
    BENCH_TRY(syclze_queue_submit_graph(made.queue, made.updatable, NULL));
  }
  return syclze_queue_wait(made.queue);
}

/* Updates by hand: the argument is checked, the end of the last run is queried, and the list is
 * updated, closed and appended again. */
static ze_result_t update_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    const float factor = (float)(i % 1000);
    struct syclze__mutable_value value = {
        (ze_structure_type_t)SYCLZE__MUTABLE_ARGUMENT, NULL, made.ids[i % KERNELS], {{0, 0, NULL}}};
    const struct syclze__mutable_desc change = {
        (ze_structure_type_t)SYCLZE__MUTABLE_COMMANDS, &value, 0};
    value.of.argument.size = sizeof factor;
    value.of.argument.value = &factor;
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 0, sizeof factor, &factor));
    BENCH_TRY(zeEventHostReset(world->event));
    BENCH_TRY(zeCommandListAppendBarrier(made.list, world->event, 0, NULL));
    zeEventQueryStatus(world->event);
    if (has_updates(world)) BENCH_TRY(world->newer.update_commands(made.kernels, &change));
    BENCH_TRY(zeCommandListClose(made.kernels));
    BENCH_TRY(append(world, NULL));
  }
  BENCH_TRY(zeCommandQueueSynchronize(world->queue, UINT64_MAX));
  return syclze_queue_wait(made.queue);
}

/* Another kernel for one of ten nodes. */
static ze_result_t alternate(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(syclze_executable_graph_update_node(
        made.alternating, i / 2 % KERNELS, made.nodes[(i + 1) % 2], 0));
    BENCH_TRY(syclze_queue_submit_graph(made.queue, made.alternating, NULL));
  }
  return syclze_queue_wait(made.queue);
}

/* Updates a command to a kernel, with all that it then lacks, by hand. */
static ze_result_t update_kernel_plain(
    const struct bench_world *world, uint64_t *command, ze_kernel_handle_t kernel) {
  enum { COUNT, SIZE, OFFSET, ARGUMENTS };
  const float factor = 0;
  const ze_group_count_t groups = {1, 1, 1};
  const void *const arguments[] = {&factor, &made.memory[0], &made.memory[1]};
  struct syclze__mutable_value values[6];
  const uint32_t count = kernel == world->kernel ? 6 : ARGUMENTS;
  memset(values, 0, sizeof values);
  for (uint32_t i = 0; i < count; i++) {
    static const uint32_t types[] = {
        SYCLZE__MUTABLE_GROUP_COUNT, SYCLZE__MUTABLE_GROUP_SIZE, SYCLZE__MUTABLE_OFFSET};
    values[i].stype =
        (ze_structure_type_t)(i < ARGUMENTS ? types[i] : (uint32_t)SYCLZE__MUTABLE_ARGUMENT);
    values[i].next = i + 1 < count ? &values[i + 1] : NULL;
    values[i].command = *command;
  }
  values[COUNT].of.count = &groups;
  for (uint32_t i = 0; i < 3; i++) {
    values[SIZE].of.numbers[i] = 1;
    values[ARGUMENTS + i].of.argument.index = i;
    values[ARGUMENTS + i].of.argument.size = i == 0 ? sizeof factor : sizeof(void *);
    values[ARGUMENTS + i].of.argument.value = arguments[i];
  }
  const struct syclze__mutable_desc change = {
      (ze_structure_type_t)SYCLZE__MUTABLE_COMMANDS, values, 0};
  BENCH_TRY(world->newer.update_kernels(made.alternated, 1, command, &kernel));
  return world->newer.update_commands(made.alternated, &change);
}

static ze_result_t alternate_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeEventHostReset(world->event));
    BENCH_TRY(zeCommandListAppendBarrier(made.list, world->event, 0, NULL));
    zeEventQueryStatus(world->event);
    if (has_updates(world) && has_kernels(world))
      BENCH_TRY(update_kernel_plain(world, &made.alternated_ids[i / 2 % KERNELS],
          i % 2 == 0 ? world->no_work : world->kernel));
    BENCH_TRY(zeCommandListClose(made.alternated));
    BENCH_TRY(append_list(world, &made.alternated, NULL));
  }
  BENCH_TRY(zeCommandQueueSynchronize(world->queue, UINT64_MAX));
  return syclze_queue_wait(made.queue);
}

static ze_result_t build(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_graph graph;
    syclze_executable_graph executable;
    BENCH_TRY(record_kernels(world, &graph));
    BENCH_TRY(syclze_graph_finalize(graph, 0, &executable));
    BENCH_TRY(syclze_executable_graph_release(executable));
    BENCH_TRY(syclze_graph_release(graph));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t build_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    BENCH_TRY(record_plain(world, &list, NULL));
    BENCH_TRY(zeCommandListDestroy(list));
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_replay_ops[] = {
    {"record and finalize a graph of ten kernels", 27100, 194, 0, build, build_plain, 0, true},
    {"submit a graph of ten kernels, in-order", 100, 1, 0, replay, replay_plain, 0, true},
    {"submit a graph of ten kernels, out of order", 380, 4, 0, replay_any, replay_plain, 0, true},
    {"submit a graph of ten kernels, with an event", 205, 2, 0, replay_event, replay_event_plain, 0,
        true},
    {"submit a graph that the driver captured", 110, 1, 0, replay_captured, replay_captured_plain,
        0, true},
    {"submit a graph that can be updated, in-order", 100, 1, 0, replay_updatable, replay_plain, 0,
        true},
    {"submit a graph that can be updated, with an event", 205, 2, 0, replay_updatable_event,
        replay_event_plain, 0, true},
    {"update an argument of a graph, and submit it", 2230, 21, 0, update, update_plain, 0, true},
    {"update a kernel of a graph, and submit it", 1520, 18, 0, alternate, alternate_plain, 0, true},
    {0},
};
