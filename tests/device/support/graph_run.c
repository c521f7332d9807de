#include "graph_run.h"

enum { IN_ORDER = 1 << 0 | 1 << 1 };

static syclze_kernel kernel_of(syclze_kernel_bundle bundle, const char *name) {
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, name, &kernel), ZE_RESULT_SUCCESS);
  return kernel;
}

void graph_world_begin(struct graph_world *world, const struct given *g, syclze_context context,
    syclze_kernel_bundle bundle) {
  world->device = made_device(g);
  world->context = context;
  world->bundle = bundle;
  for (int i = 0; i < GRAPH_QUEUES; i++) {
    syclze_property_list properties = {
        .flags = (IN_ORDER >> i & 1) != 0 ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
    CHECK_EQ(syclze_queue_create(context, world->device, &properties, &world->queues[i]),
        ZE_RESULT_SUCCESS);
  }
  world->set = kernel_of(bundle, "graph_set");
  world->mix = kernel_of(bundle, "graph_mix");
  world->sum = kernel_of(bundle, "graph_sum");
  world->local = kernel_of(bundle, "graph_local");
}

void graph_world_end(struct graph_world *world) {
  CHECK_EQ(syclze_kernel_release(world->set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(world->mix), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(world->sum), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(world->local), ZE_RESULT_SUCCESS);
  for (int i = 0; i < GRAPH_QUEUES; i++)
    CHECK_EQ(syclze_queue_release(world->queues[i]), ZE_RESULT_SUCCESS);
}

/* One graph while it runs. */
struct run {
  const struct graph_world *world;
  struct graph graph;
  uint32_t *memory[GRAPH_OBJECTS];
  syclze_buffer buffers[GRAPH_OBJECTS]; /* null for USM */
  syclze_event events[GRAPH_NODES];     /* null for nodes that want none */
  struct host {
    const struct graph_node *node;
    syclze_accessor accessors[3]; /* null for USM */
    uint32_t *pointers[3];
  } hosts[GRAPH_NODES];
};

static void memory_begin(struct run *run) {
  for (uint32_t i = 0; i < run->graph.object_count; i++) {
    void *memory;
    size_t size = sizeof run->graph.contents[i];
    CHECK_EQ(syclze_malloc_shared(size, run->world->device, run->world->context, &memory),
        ZE_RESULT_SUCCESS);
    memcpy(memory, run->graph.contents[i], size);
    run->memory[i] = memory;
    if (run->graph.memory[i] == GRAPH_USM) continue;
    syclze_buffer_input input = {.native_handle = memory,
        .ownership = SYCLZE_OWNERSHIP_KEEP,
        .element_size = sizeof(uint32_t)};
    CHECK_EQ(syclze_make_buffer(&input, run->world->context, &run->buffers[i]), ZE_RESULT_SUCCESS);
  }
}

/* An operand as the group sees it: an accessor's part, or a part of USM. */
static uint32_t *operand(struct run *run, syclze_group *group, const struct graph_range *range,
    syclze_access_mode mode, syclze_accessor *accessor) {
  syclze_buffer buffer = run->buffers[range->object];
  size_t offset = range->first, count = range->count;
  memset(accessor, 0, sizeof *accessor);
  if (buffer.rep != NULL) *accessor = syclze_require_range(group, buffer, mode, offset, count);
  return run->memory[range->object] + range->first;
}

static ze_result_t host_function(syclze_interop_handle handle, void *argument) {
  struct host *host = argument;
  for (int i = 0; i < 2; i++) {
    void *base;
    if (host->accessors[i].memory == NULL) continue;
    ze_result_t result = syclze_interop_handle_get_native_buffer(handle, host->accessors[i], &base);
    if (result != ZE_RESULT_SUCCESS) return result;
    CHECK((uint32_t *)base <= host->pointers[i] &&
          host->pointers[i] < (uint32_t *)base + GRAPH_ITEMS);
  }
  graph_compute(host->node, host->pointers[0], host->pointers[1], host->pointers[2]);
  return ZE_RESULT_SUCCESS;
}

/* USM goes to a kernel as its pointer. */
static syclze_argument argument_of(const syclze_accessor *accessor, uint32_t *const *pointer) {
  return accessor->memory != NULL ? syclze_argument_accessor(accessor, sizeof *accessor)
                                  : syclze_argument_value(pointer, sizeof *pointer);
}

static ze_result_t launch(
    const struct run *run, syclze_group *group, const struct host *host, syclze_event *event) {
  const struct graph_node *node = host->node;
  const struct graph_world *world = run->world;
  struct {
    uint32_t factor, addend;
  } values = {node->factor, node->addend};
  syclze_nd_range range = {.global = {node->out.count}, .local = {GRAPH_UNIT}, .dimensions = 1};
  syclze_argument out = argument_of(&host->accessors[0], &host->pointers[0]),
                  a = argument_of(&host->accessors[1], &host->pointers[1]),
                  b = argument_of(&host->accessors[2], &host->pointers[2]);
  switch (node->action) {
  case GRAPH_SET:
    return syclze_launch(group, world->set, &range, event, out, syclze_arg(values.factor),
        syclze_arg(values.addend));
  case GRAPH_SUM:
    return syclze_launch(group, world->sum, &range, event, out, a, b, syclze_arg(values.factor));
  case GRAPH_LOCAL:
    return syclze_launch(group, world->local, &range, event, out, a, syclze_arg(values),
        syclze_local(GRAPH_UNIT * sizeof(uint32_t)));
  default:
    return syclze_launch(group, world->mix, &range, event, out, a, syclze_arg(values.factor),
        syclze_arg(values.addend));
  }
}

static bool discards(enum graph_action action) {
  return action == GRAPH_SET || action == GRAPH_SUM || action == GRAPH_COPY || action == GRAPH_FILL;
}

static syclze_memory_place place_of(const struct host *host, uint32_t index) {
  return host->accessors[index].memory != NULL ? syclze_place(host->accessors[index])
                                               : syclze_place(host->pointers[index]);
}

static ze_result_t submit(
    struct run *run, syclze_group *group, struct host *host, syclze_event *event) {
  const struct graph_node *node = host->node;
  const size_t size = node->out.count * sizeof(uint32_t);
  host->pointers[0] = operand(run, group, &node->out,
      discards(node->action) ? SYCLZE_ACCESS_DISCARD_WRITE : SYCLZE_ACCESS_READ_WRITE,
      &host->accessors[0]);
  for (uint32_t i = 0; i < node->in_count; i++)
    host->pointers[1 + i] =
        operand(run, group, &node->in[i], SYCLZE_ACCESS_READ, &host->accessors[1 + i]);
  switch (node->action) {
  case GRAPH_COPY:
    return syclze_group_copy(group, place_of(host, 0), place_of(host, 1), size, event);
  case GRAPH_FILL:
    return syclze_group_fill(
        group, place_of(host, 0), &node->addend, sizeof node->addend, size, event);
  case GRAPH_HOST:
    return syclze_group_host_task(group, host_function, host, event);
  default:
    return launch(run, group, host, event);
  }
}

static void node_run(struct run *run, uint32_t index) {
  const struct graph_node *node = &run->graph.nodes[index];
  struct host *host = &run->hosts[index];
  syclze_event *event = node->wants_event ? &run->events[index] : NULL;
  syclze_group group = syclze_group_begin(run->world->queues[node->queue]);
  for (uint32_t i = 0; i < index; i++)
    if (node->depends >> i & 1) syclze_depends_on(&group, run->events[i]);
  host->node = node;
  if (node->action == GRAPH_BARRIER)
    CHECK_EQ(syclze_group_barrier(&group, event), ZE_RESULT_SUCCESS);
  else
    CHECK_EQ(submit(run, &group, host, event), ZE_RESULT_SUCCESS);
  if (node->waits_behind)
    CHECK_EQ(zeEventHostSynchronize(syclze_event_get_native(run->events[index]), UINT64_MAX),
        ZE_RESULT_SUCCESS);
}

static bool is_right(const struct run *run, uint32_t object) {
  return memcmp(run->memory[object], run->graph.contents[object],
             sizeof run->graph.contents[object]) == 0;
}

static void wait_for_queues(const struct graph_world *world) {
  for (int i = 0; i < GRAPH_QUEUES; i++)
    CHECK_EQ(syclze_queue_wait(world->queues[i]), ZE_RESULT_SUCCESS);
}

/* In every other graph the buffers go before the queues are waited for: their release waits. */
static void run_end(struct run *run, uint64_t seed) {
  struct graph *graph = &run->graph;
  graph_model(graph);
  if (graph->waits_for_queues) wait_for_queues(run->world);
  for (uint32_t i = 0; i < graph->object_count; i++) {
    CHECK_EQ(syclze_buffer_release(run->buffers[i]), ZE_RESULT_SUCCESS);
    if (run->buffers[i].rep != NULL && !is_right(run, i))
      check_fail(__FILE__, __LINE__, "seed %llu: buffer %u", (unsigned long long)seed, i);
  }
  wait_for_queues(run->world);
  for (uint32_t i = 0; i < graph->object_count; i++) {
    if (!is_right(run, i))
      check_fail(__FILE__, __LINE__, "seed %llu: memory %u", (unsigned long long)seed, i);
    CHECK_EQ(syclze_free(run->memory[i], run->world->context), ZE_RESULT_SUCCESS);
  }
  for (uint32_t i = 0; i < graph->node_count; i++)
    CHECK_EQ(syclze_event_release(run->events[i]), ZE_RESULT_SUCCESS);
}

void graph_check(const struct graph_world *world, uint64_t seed) {
  struct run *run = calloc(1, sizeof *run);
  CHECK(run != NULL);
  run->world = world;
  graph_make(&run->graph, seed, GRAPH_QUEUES, IN_ORDER);
  memory_begin(run);
  for (uint32_t i = 0; i < run->graph.node_count; i++)
    node_run(run, i);
  run_end(run, seed);
  free(run);
}
