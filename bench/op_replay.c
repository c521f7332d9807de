/* Executable graphs: ten kernels on two buffers, submitted as one, beside the append of the command
   list by hand, or its execution on a command queue where the loader cannot append it. */
#include "bench.h"

#include "syclze/command/graph_capture.h"
#include "syclze/command/graph_update.h"

enum { KERNELS = 10, BYTES = 64 };

static struct {
  syclze_queue queue;
  ze_command_list_handle_t list; /* the queue's */
  syclze_buffer buffers[2];
  void *memory[2];
  syclze_executable_graph graph, updatable, captured;
  ze_command_list_handle_t kernels; /* the same by hand */
  uint64_t ids[KERNELS];            /* of its commands, where it is mutable */
  bool there;
} made;

static const syclze_nd_range one = {.global = {1}, .local = {1}};

static ze_result_t record(const struct bench_world *world) {
  syclze_graph graph;
  const float factor = 0;
  BENCH_TRY(syclze_graph_create(world->wrapped.context, world->wrapped.device, &graph));
  BENCH_TRY(syclze_graph_begin_recording(graph, made.queue));
  for (int i = 0; i < KERNELS; i++) {
    syclze_group group = syclze_group_begin(made.queue);
    syclze_accessor x = syclze_require(&group, made.buffers[0], SYCLZE_ACCESS_READ);
    syclze_accessor y = syclze_require(&group, made.buffers[1], SYCLZE_ACCESS_READ_WRITE);
    BENCH_TRY(syclze_launch(&group, world->wrapped.kernel, &one, NULL, syclze_arg(factor),
        syclze_arg(x), syclze_arg(y)));
  }
  BENCH_TRY(syclze_graph_end_recording(graph, made.queue));
  BENCH_TRY(syclze_graph_finalize(graph, 0, &made.graph));
  BENCH_TRY(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &made.updatable));
  BENCH_TRY(syclze_graph_finalize_captured(graph, 0, &made.captured));
  return syclze_graph_release(graph);
}

static bool has_updates(const struct bench_world *world) {
  return world->newer.next_command != NULL && world->newer.update_commands != NULL;
}

static ze_result_t record_plain(const struct bench_world *world) {
  const struct syclze__mutable_desc updates = {(ze_structure_type_t)SYCLZE__MUTABLE_LIST, NULL, 0};
  const struct syclze__mutable_desc id = {
      (ze_structure_type_t)SYCLZE__MUTABLE_COMMAND_ID, NULL, SYCLZE__MUTABLE_LAUNCH};
  ze_command_list_desc_t desc = {0};
  const ze_group_count_t groups = {1, 1, 1};
  const float factor = 0;
  BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 0, sizeof factor, &factor));
  for (uint32_t i = 0; i < 2; i++)
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 1 + i, sizeof(void *), &made.memory[i]));
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  if (has_updates(world)) desc.pNext = &updates;
  desc.commandQueueGroupOrdinal = world->queue_desc.ordinal;
  BENCH_TRY(zeCommandListCreate(world->context, world->device, &desc, &made.kernels));
  for (int i = 0; i < KERNELS; i++) {
    if (has_updates(world)) BENCH_TRY(world->newer.next_command(made.kernels, &id, &made.ids[i]));
    BENCH_TRY(zeCommandListAppendLaunchKernel(made.kernels, world->kernel, &groups, NULL, 0, NULL));
  }
  return zeCommandListClose(made.kernels);
}

static ze_result_t make(const struct bench_world *world) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_context context = world->wrapped.context;
  if (made.there) return ZE_RESULT_SUCCESS;
  BENCH_TRY(syclze_queue_create(context, world->wrapped.device, &in_order, &made.queue));
  made.list = syclze_queue_get_native(made.queue).list;
  for (int i = 0; i < 2; i++) {
    BENCH_TRY(syclze_malloc_device(BYTES, world->wrapped.device, context, &made.memory[i]));
    syclze_buffer_input input = {made.memory[i], SYCLZE_OWNERSHIP_KEEP, 4, 1, {BYTES / 4, 0, 0}};
    BENCH_TRY(syclze_make_buffer(&input, context, &made.buffers[i]));
  }
  BENCH_TRY(record(world));
  BENCH_TRY(record_plain(world));
  made.there = true;
  return ZE_RESULT_SUCCESS;
}

ALWAYS_INLINE ze_result_t replay_of(
    const struct bench_world *world, uint32_t count, const syclze_executable_graph *graph) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_submit_graph(made.queue, *graph, NULL));
  return syclze_queue_wait(made.queue);
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

ON(replay, replay_of, &made.graph)
ON(replay_event, replay_event_of, &made.graph)
ON(replay_captured, replay_of, &made.captured)
ON(replay_updatable, replay_of, &made.updatable)
ON(replay_updatable_event, replay_event_of, &made.updatable)

static ze_result_t append(const struct bench_world *world, ze_event_handle_t signal) {
  if (world->newer.append_lists != NULL)
    return world->newer.append_lists(made.list, 1, &made.kernels, signal, 0, NULL);
  return zeCommandQueueExecuteCommandLists(world->queue, 1, &made.kernels, NULL);
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

const struct bench_op bench_replay_ops[] = {
    {"submit a graph of ten kernels, in-order", 104, 1, 0, replay, replay_plain, 0, true},
    {"submit a graph of ten kernels, with an event", 212, 2, 0, replay_event, replay_event_plain, 0,
        true},
    {"submit a graph that the driver captured", 114, 1, 0, replay_captured, replay_captured_plain,
        0, true},
    {"submit a graph that can be updated, in-order", 113, 1, 0, replay_updatable, replay_plain, 0,
        true},
    {"submit a graph that can be updated, with an event", 222, 2, 0, replay_updatable_event,
        replay_event_plain, 0, true},
    {"update an argument of a graph, and submit it", 2400, 21, 0, update, update_plain, 0, true},
    {0},
};
