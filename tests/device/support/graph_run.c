#include "graph_run.h"

#include "graph.h"

#include "syclze/command.h"

#include <threads.h>

/* An operand of a command group. */
struct operand {
  const struct graph_box *box;
  syclze_accessor accessor; /* null for USM */
  uint32_t *pointer;        /* the box's first item; null for an image */
};

/* A running graph. */
struct run {
  const struct graph_world *world;
  struct graph graph;
  uint32_t *memory[GRAPH_OBJECTS];          /* null for an image */
  ze_image_handle_t natives[GRAPH_OBJECTS]; /* null for objects that are not images */
  syclze_buffer buffers[GRAPH_OBJECTS];
  syclze_image images[GRAPH_OBJECTS];
  syclze_event events[GRAPH_NODES]; /* null for nodes without an event */
  struct host {
    const struct graph_node *node;
    struct operand operands[3]; /* the output first */
  } hosts[GRAPH_NODES];
};

static void image_begin(struct run *run, uint32_t object) {
  const struct graph_world *world = run->world;
  run->natives[object] = graph_world_image(world, run->graph.contents[object]);
  run->images[object] = graph_world_make_image(world, run->natives[object], SYCLZE_OWNERSHIP_KEEP);
}

static void memory_begin(struct run *run, uint32_t object) {
  void *memory;
  size_t size = sizeof run->graph.contents[object];
  CHECK_EQ(syclze_malloc_shared(size, run->world->device, run->world->context, &memory),
      ZE_RESULT_SUCCESS);
  memcpy(memory, run->graph.contents[object], size);
  run->memory[object] = memory;
  if (run->graph.memory[object] == GRAPH_USM) return;
  syclze_buffer_input input = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof(uint32_t),
      .dimensions = 2,
      .range = {GRAPH_ROWS, GRAPH_COLUMNS}};
  CHECK_EQ(
      syclze_make_buffer(&input, run->world->context, &run->buffers[object]), ZE_RESULT_SUCCESS);
}

static struct operand operand_of(const struct run *run, syclze_group *group,
    const struct graph_box *box, syclze_access_mode mode) {
  struct operand operand = {.box = box};
  const size_t offset[2] = {box->row, box->column}, count[2] = {box->rows, box->columns};
  switch (run->graph.memory[box->object]) {
  case GRAPH_BUFFER:
    operand.accessor =
        syclze_group_require_range_nd(group, run->buffers[box->object], mode, offset, count);
    break;
  case GRAPH_IMAGE:
    operand.accessor = syclze_require(group, run->images[box->object], mode);
    return operand;
  case GRAPH_USM:
    break;
  }
  operand.pointer = run->memory[box->object] + graph_item(box, 0);
  return operand;
}

/* Host tasks work on the native memory of the interop handle. */
static ze_result_t host_function(syclze_interop_handle handle, void *argument) {
  const struct host *host = argument;
  uint32_t *objects[3] = {NULL};
  for (uint32_t i = 0; i <= host->node->in_count; i++) {
    const struct operand *operand = &host->operands[i];
    objects[i] = operand->pointer - graph_item(operand->box, 0);
    if (operand->accessor.memory == NULL) continue;
    void *base;
    ze_result_t result = syclze_interop_handle_get_native_buffer(handle, operand->accessor, &base);
    if (result != ZE_RESULT_SUCCESS) return result;
    CHECK_EQ(base, objects[i]);
  }
  const struct timespec delay = {.tv_nsec = host->node->delay * 1000L};
  thrd_sleep(&delay, NULL);
  graph_compute(host->node, objects[0], objects[1], objects[2]);
  return ZE_RESULT_SUCCESS;
}

/* USM is passed as a pointer. */
static syclze_argument argument_of(const struct operand *operand) {
  return operand->accessor.memory != NULL
             ? syclze_argument_accessor(&operand->accessor, sizeof operand->accessor)
             : syclze_argument_value(&operand->pointer, sizeof operand->pointer);
}

static ze_result_t launch(
    const struct run *run, syclze_group *group, const struct host *host, syclze_event *event) {
  const struct graph_node *node = host->node;
  const struct graph_world *world = run->world;
  struct {
    uint32_t factor, addend;
  } values = {node->factor, node->addend};
  const struct graph_box *image = node->action == GRAPH_SET_IMAGE ? &node->out : &node->in[0];
  const syclze_nd_range range = {
      .global = {node->out.rows * node->out.columns}, .local = {GRAPH_UNIT}, .dimensions = 1};
  syclze_argument out = argument_of(&host->operands[0]), a = argument_of(&host->operands[1]),
                  b = argument_of(&host->operands[2]), factor = syclze_arg(values.factor),
                  addend = syclze_arg(values.addend), row = syclze_arg(image->row),
                  column = syclze_arg(image->column), columns = syclze_arg(image->columns);
  switch (node->action) {
  case GRAPH_SET:
    return syclze_launch(group, world->set, &range, event, out, factor, addend);
  case GRAPH_SUM:
    return syclze_launch(group, world->sum, &range, event, out, a, b, factor);
  case GRAPH_LOCAL:
    return syclze_launch(group, world->local, &range, event, out, a, syclze_arg(values),
        syclze_local(GRAPH_UNIT * sizeof(uint32_t)));
  case GRAPH_SET_IMAGE:
    return syclze_launch(
        group, world->set_image, &range, event, out, row, column, columns, factor, addend);
  case GRAPH_MIX_IMAGE:
    return syclze_launch(
        group, world->mix_image, &range, event, out, a, row, column, columns, factor, addend);
  default:
    return syclze_launch(group, world->mix, &range, event, out, a, factor, addend);
  }
}

static syclze_memory_argument place_of(const struct operand *operand) {
  return operand->accessor.memory != NULL ? syclze_mem_arg(operand->accessor)
                                          : syclze_mem_arg(operand->pointer);
}

static ze_image_region_t region_of(const struct operand *image) {
  const struct graph_box *box = image->box;
  return (ze_image_region_t){box->column, box->row, 0, box->columns, box->rows, 1};
}

static ze_result_t copy(syclze_group *group, const struct graph_node *node,
    const struct operand *to, const struct operand *from, syclze_event *event) {
  ze_image_region_t region;
  switch (node->action) {
  case GRAPH_PART:
    return syclze_group_copy_part(group, place_of(to), place_of(from), event);
  case GRAPH_TO_IMAGE:
    region = region_of(to);
    return syclze_group_copy_to_image(group, to->accessor, place_of(from), &region, event);
  case GRAPH_FROM_IMAGE:
    region = region_of(from);
    return syclze_group_copy_from_image(group, place_of(to), from->accessor, &region, event);
  case GRAPH_BETWEEN_IMAGES:
    return syclze_group_copy_image(group, to->accessor, from->accessor, event);
  default:
    return syclze_group_copy(group, place_of(to), place_of(from),
        node->out.rows * node->out.columns * sizeof(uint32_t), event);
  }
}

/* Access mode of an action's output. An image's accessor covers the whole image. */
static syclze_access_mode mode_of(enum graph_action action) {
  switch (action) {
  case GRAPH_MIX:
  case GRAPH_LOCAL:
  case GRAPH_HOST:
  case GRAPH_MIX_IMAGE:
    return SYCLZE_ACCESS_READ_WRITE;
  case GRAPH_SET_IMAGE:
  case GRAPH_TO_IMAGE:
    return SYCLZE_ACCESS_WRITE;
  default:
    return SYCLZE_ACCESS_DISCARD_WRITE;
  }
}

static ze_result_t submit(
    const struct run *run, syclze_group *group, struct host *host, syclze_event *event) {
  const struct graph_node *node = host->node;
  struct operand *operands = host->operands;
  operands[0] = operand_of(run, group, &node->out, mode_of(node->action));
  for (uint32_t i = 0; i < node->in_count; i++)
    operands[1 + i] = operand_of(run, group, &node->in[i], SYCLZE_ACCESS_READ);
  switch (node->action) {
  case GRAPH_COPY:
  case GRAPH_PART:
  case GRAPH_TO_IMAGE:
  case GRAPH_FROM_IMAGE:
  case GRAPH_BETWEEN_IMAGES:
    return copy(group, node, &operands[0], &operands[1], event);
  case GRAPH_FILL:
    return syclze_group_fill(group, place_of(&operands[0]), &node->addend, sizeof node->addend,
        node->out.rows * node->out.columns * sizeof node->addend, event);
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
    if (node->depends >> i & 1) syclze_group_depends_on(&group, run->events[i]);
  host->node = node;
  if (node->action == GRAPH_BARRIER)
    CHECK_EQ(syclze_group_barrier(&group, event), ZE_RESULT_SUCCESS);
  else
    CHECK_EQ(submit(run, &group, host, event), ZE_RESULT_SUCCESS);
  if (node->waits_behind)
    CHECK_EQ(zeEventHostSynchronize(syclze_event_get_native(run->events[index]), UINT64_MAX),
        ZE_RESULT_SUCCESS);
}

static void check_object(const struct run *run, uint32_t object, uint64_t seed, const char *when) {
  uint32_t texels[GRAPH_ITEMS];
  const uint32_t *is = run->memory[object] != NULL ? run->memory[object] : texels;
  if (is == texels) graph_world_read(run->world, run->natives[object], texels);
  if (memcmp(is, run->graph.contents[object], sizeof texels) != 0)
    check_fail(
        __FILE__, __LINE__, "seed %llu: object %u %s", (unsigned long long)seed, object, when);
}

static void wait_for_queues(const struct graph_world *world) {
  for (int i = 0; i < GRAPH_QUEUES; i++)
    CHECK_EQ(syclze_queue_wait(world->queues[i]), ZE_RESULT_SUCCESS);
}

static void object_end(const struct run *run, uint32_t object) {
  if (run->natives[object] != NULL)
    CHECK_EQ(zeImageDestroy(run->natives[object]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(run->memory[object], run->world->context), ZE_RESULT_SUCCESS);
}

/* Every other graph releases its objects before it waits for the queues: the releases wait. */
static void run_end(struct run *run, uint64_t seed) {
  struct graph *graph = &run->graph;
  graph_model(graph);
  if (graph->waits_for_queues) wait_for_queues(run->world);
  for (uint32_t i = 0; i < graph->object_count; i++) {
    CHECK_EQ(syclze_buffer_release(run->buffers[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_image_release(run->images[i]), ZE_RESULT_SUCCESS);
    if (graph->memory[i] != GRAPH_USM) check_object(run, i, seed, "when it was released");
  }
  wait_for_queues(run->world);
  for (uint32_t i = 0; i < graph->object_count; i++) {
    check_object(run, i, seed, "at the end");
    object_end(run, i);
  }
  for (uint32_t i = 0; i < graph->node_count; i++)
    CHECK_EQ(syclze_event_release(run->events[i]), ZE_RESULT_SUCCESS);
}

void graph_check(const struct graph_world *world, uint64_t seed) {
  struct run *run = calloc(1, sizeof *run);
  CHECK(run != NULL);
  run->world = world;
  graph_make(&run->graph, seed, GRAPH_QUEUES, GRAPH_IN_ORDER, world->list != NULL);
  for (uint32_t i = 0; i < run->graph.object_count; i++)
    if (run->graph.memory[i] == GRAPH_IMAGE)
      image_begin(run, i);
    else
      memory_begin(run, i);
  for (uint32_t i = 0; i < run->graph.node_count; i++)
    node_run(run, i);
  run_end(run, seed);
  free(run);
}
