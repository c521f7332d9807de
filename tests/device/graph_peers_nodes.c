/* What DPC++'s own tests of graphs check of accessors, replaced nodes and memory, and the other
   programs do not (tests/conformance/graph_peers.txt). The kernels are those of
   tests/kernels/graph.spv. */
#include "support/graph.h"
#include "support/updated.h"

#include "syclze/aspect.h"
#include "syclze/async_memory.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/queue_commands.h"

enum { BYTES = ITEMS * sizeof(uint32_t), RUNS = 3 };

/* buffer = buffer * 3 + addend. */
static void record_change(struct world *w, syclze_buffer buffer, uint32_t addend) {
  const uint32_t three = 3;
  syclze_group group = syclze_group_begin(w->all.queues[OUT_OF_ORDER]);
  syclze_accessor out = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(out),
               syclze_arg(w->memory[1]), syclze_arg(three), syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
}

/* The third buffer gets 7, and the first one 4 more; then one of them is changed, and the memory
   gets the double of the first and the third. */
static syclze_graph of_accessors(struct world *w, uint32_t *result) {
  const uint32_t seven = 7, four = 4, zero = 0, two = 2;
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor third = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(third), &seven, sizeof seven, BYTES, NULL), 0);
  group = syclze_group_begin(queue);
  syclze_accessor first = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ_WRITE);
  third = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(first), syclze_arg(third),
               syclze_arg(zero), syclze_arg(four)),
      ZE_RESULT_SUCCESS);
  record_change(w, w->buffers[0], 42);
  group = syclze_group_begin(queue);
  first = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ);
  third = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_launch(&group, w->all.sum, &items, NULL, syclze_arg(result), syclze_arg(first),
               syclze_arg(third), syclze_arg(two)),
      ZE_RESULT_SUCCESS);
  return graph;
}

/* A launch between others by accessors alone, replaced by launches on the same buffer and on
   another one, which would have the same edges. */
static void replace_accessors(struct world *w) {
  static const struct {
    uint32_t buffer, addend, result;
  } changes[] = {{0, 42, (11 * 3 + 42) * 2 + 7}, {0, 10, (11 * 3 + 10) * 2 + 7},
      {2, 42, 11 * 2 + 7 * 3 + 42}, {2, 10, 11 * 2 + 7 * 3 + 10}};
  enum { CHANGES = sizeof changes / sizeof *changes };
  uint32_t nodes[4], count = 4;
  void *memory;
  CHECK_EQ(syclze_malloc_shared(BYTES, w->all.device, w->all.context, &memory), 0);
  uint32_t *const result = memory;
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_graph graph = of_accessors(w, result), others = graph_of(w);
  CHECK_EQ(syclze_graph_get_predecessors(graph, 2, &count, nodes), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  CHECK_EQ(nodes[0], 1);
  syclze_executable_graph executable = updatable(graph);
  CHECK_EQ(syclze_graph_begin_recording(others, queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < CHANGES; i++)
    record_change(w, w->buffers[changes[i].buffer], changes[i].addend);
  CHECK_EQ(syclze_graph_end_recording(others, queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 3 * CHANGES; i++) {
    const uint32_t by = i * 3 % CHANGES;
    if (i > 0)
      CHECK_EQ(syclze_executable_graph_update_node(executable, 2, others, by), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_all(result, changes[by].result);
  }
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, w->all.context), ZE_RESULT_SUCCESS);
}

TEST(launches_that_have_the_same_edges_replace_each_other) { // shows graph_peers 46
  in_both_ways(replace_accessors);
}

/* A host task on all of a buffer: buffer += value. */
struct task {
  syclze_accessor accessor;
  uint32_t value, calls;
};

static ze_result_t add_value(syclze_interop_handle handle, void *argument) {
  struct task *task = (struct task *)argument;
  uint32_t *memory;
  const ze_result_t result = syclze_get_native_mem(handle, task->accessor, &memory);
  for (uint32_t i = 0; i < ITEMS && result == ZE_RESULT_SUCCESS; i++)
    memory[i] += task->value;
  task->calls++;
  return result;
}

static void record_task(struct world *w, syclze_buffer buffer, struct task *task) {
  syclze_group group = syclze_group_begin(w->all.queues[OUT_OF_ORDER]);
  task->accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_host_task(&group, add_value, task, NULL), ZE_RESULT_SUCCESS);
}

/* The task between two launches on its buffer. */
static syclze_graph around_task(struct world *w, int buffer, struct task *task) {
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, w->all.queues[OUT_OF_ORDER]), ZE_RESULT_SUCCESS);
  record_change(w, w->buffers[buffer], 1);
  record_task(w, w->buffers[buffer], task);
  record_change(w, w->buffers[buffer], 2);
  return graph;
}

static uint32_t changed(uint32_t x, uint32_t value, uint32_t times) {
  for (uint32_t i = 0; i < times; i++)
    x = (x * 3 + 1 + value) * 3 + 2;
  return x;
}

static void run_again(struct world *w, syclze_executable_graph executable) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  for (int i = 0; i < RUNS; i++)
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
}

/* A host task with an accessor by another one, and then all nodes by those of a graph that is
   recorded alike on another buffer. */
static void replace_task(struct world *w) {
  struct task tasks[] = {{.value = 7}, {.value = 14}, {.value = 5}};
  syclze_graph others = graph_of(w);
  syclze_executable_graph executable = updatable(around_task(w, 0, &tasks[0]));
  CHECK_EQ(syclze_graph_begin_recording(others, w->all.queues[OUT_OF_ORDER]), ZE_RESULT_SUCCESS);
  record_task(w, w->buffers[0], &tasks[1]);
  CHECK_EQ(syclze_graph_end_recording(others, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  run_again(w, executable);
  check_all(w->memory[0], changed(0, 7, RUNS));
  CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, 0), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  run_again(w, executable);
  const uint32_t first = changed(changed(0, 7, RUNS), 14, RUNS);
  check_all(w->memory[0], first);
  others = around_task(w, 2, &tasks[2]);
  CHECK_EQ(syclze_graph_end_recording(others, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update(executable, others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  run_again(w, executable);
  check_all(w->memory[0], first);
  check_all(w->memory[2], changed(0, 5, RUNS));
  for (int i = 0; i < 3; i++)
    CHECK_EQ(tasks[i].calls, RUNS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(host_tasks_are_replaced_with_their_accessors) { // shows graph_peers 47 48
  in_both_ways(replace_task);
}

/* memory += addend, on the range. */
static void record_add(struct world *w, const syclze_nd_range *range, uint32_t addend) {
  const uint32_t one = 1;
  syclze_group group = syclze_group_begin(w->all.queues[IN_ORDER]);
  CHECK_EQ(syclze_launch(&group, w->all.mix, range, NULL, syclze_arg(w->memory[0]),
               syclze_arg(w->memory[1]), syclze_arg(one), syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
}

static void check_shared(
    struct world *w, syclze_executable_graph executable, uint32_t lower, uint32_t upper) {
  run(w, executable);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], i < ITEMS / 2 ? lower : upper);
}

/* One launch of another graph replaces two nodes, each with its range. */
static void share_a_node(struct world *w) {
  const syclze_nd_range half = {.global = {ITEMS / 2}, .local = {8}};
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w), others = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(others, queue), ZE_RESULT_SUCCESS);
  record_add(w, &half, 42);
  record_add(w, &items, 10);
  CHECK_EQ(syclze_graph_end_recording(others, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  record_add(w, &half, 42);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 0, none, NULL), ZE_RESULT_SUCCESS);
  record_add(w, &half, 42);
  syclze_executable_graph executable = updatable(graph);
  check_shared(w, executable, 42 * 3, 0);
  for (uint32_t node = 0; node < 3; node += 2)
    CHECK_EQ(syclze_executable_graph_update_node(executable, node, others, 1), 0);
  check_shared(w, executable, 10 * 3, 10 * 3);
  CHECK_EQ(syclze_executable_graph_update_node(executable, 2, others, 0), ZE_RESULT_SUCCESS);
  check_shared(w, executable, 10 * 2 + 42, 10 * 2);
  CHECK_EQ(syclze_executable_graph_update_range(executable, 2, &items), ZE_RESULT_SUCCESS);
  check_shared(w, executable, 10 * 2 + 42, 10 * 2 + 42);
  CHECK_EQ(syclze_executable_graph_update_node(executable, 0, others, 0), ZE_RESULT_SUCCESS);
  check_shared(w, executable, 42 * 3, 42); /* the range of the node of `others` has stayed */
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(one_launch_replaces_several_nodes) { // shows graph_peers 45
  in_both_ways(share_a_node);
}

/* Launches, a fill and a copy on memory of malloc, beside memory of the device. */
static void use_system_memory(struct world *w, bool appends) {
  const uint32_t five = 5, two = 2, one = 1;
  syclze_queue queue = w->all.queues[IN_ORDER];
  bool has_access;
  CHECK_EQ(syclze_device_has(w->all.device, SYCLZE_ASPECT_USM_SYSTEM_ALLOCATIONS, &has_access), 0);
  if (!has_access) SKIP("the device has no access to memory of the system");
  uint32_t *memory = malloc(BYTES), *result = malloc(BYTES);
  CHECK(memory != NULL && result != NULL);
  memset(result, 0, BYTES);
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_fill(queue, memory, &five, sizeof five, BYTES, NULL, 0, NULL), 0);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.set, &items, NULL, syclze_arg(w->memory[0]),
               syclze_arg(two), syclze_arg(one)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue); /* result += memory, of the system both */
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(result), syclze_arg(memory),
               syclze_arg(one), syclze_arg(one)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue); /* memory = the device's * 2 + result */
  CHECK_EQ(syclze_launch(&group, w->all.sum, &items, NULL, syclze_arg(memory),
               syclze_arg(w->memory[0]), syclze_arg(result), syclze_arg(two)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy(queue, w->memory[2], memory, BYTES, NULL, 0, NULL), 0);
  syclze_executable_graph executable = finalized(graph, appends);
  for (uint32_t i = 1; i <= GRAPH_QUEUES; i++) {
    CHECK_EQ(syclze_queue_submit_graph(w->all.queues[i - 1], executable, NULL), 0);
    CHECK_EQ(syclze_queue_wait(w->all.queues[i - 1]), ZE_RESULT_SUCCESS);
    check_all(result, 6 * i);
    for (uint32_t j = 0; j < ITEMS; j++) {
      CHECK_EQ(memory[j], (j * 2 + 1) * 2 + 6 * i);
      CHECK_EQ(w->memory[2][j], memory[j]);
    }
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  free(memory);
  free(result);
}

TEST(a_graph_uses_memory_of_the_system) { // shows graph_peers 1
  in_each_way(use_system_memory);
}

static void *allocate(syclze_queue queue, syclze_memory_pool pool) {
  void *memory;
  CHECK_EQ(syclze_malloc_async_from_pool(queue, BYTES, pool, &memory, NULL, 0, NULL), 0);
  return memory;
}

/* out = out + in + addend. */
static void record_sum(struct world *w, syclze_queue queue, void *out, void *in, uint32_t addend) {
  const uint32_t one = 1;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(out), syclze_arg(in),
               syclze_arg(one), syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
}

/* Memory that is used again is zero before the first run alone: not for a second allocation, and
   not for a second run. */
static void reuse_zeros(struct world *w, bool appends) {
  const syclze_memory_pool_properties zero = {.flags = SYCLZE_MEMORY_POOL_ZERO_INIT};
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_memory_pool pool;
  syclze_graph graph = graph_of(w);
  CHECK_EQ(
      syclze_memory_pool_create(ZE_MEMORY_TYPE_DEVICE, w->all.device, w->all.context, &zero, &pool),
      ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    w->memory[1][i] = i;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  void *const first[] = {allocate(queue, pool), allocate(queue, pool)};
  CHECK(first[0] != first[1]);
  for (uint32_t i = 0; i < 2; i++) {
    record_sum(w, queue, first[i], w->memory[1], i + 1);
    CHECK_EQ(syclze_free_async(queue, first[i], NULL, 0, NULL), ZE_RESULT_SUCCESS);
  }
  void *const again[] = {allocate(queue, pool), allocate(queue, pool)};
  CHECK(again[0] == first[0] || again[0] == first[1]);
  CHECK(again[1] == first[0] || again[1] == first[1]);
  CHECK(again[0] != again[1]);
  for (uint32_t i = 0; i < 2; i++) {
    record_sum(w, queue, w->memory[0], again[i], 1);
    CHECK_EQ(syclze_free_async(queue, again[i], NULL, 0, NULL), ZE_RESULT_SUCCESS);
  }
  syclze_executable_graph executable = finalized(graph, appends);
  for (int i = 0; i < RUNS; i++)
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], RUNS * 2 + RUNS * (RUNS + 1) / 2 * (2 * i + 3));
  CHECK_EQ(syclze_release(executable, pool), ZE_RESULT_SUCCESS);
}

TEST(memory_that_is_used_again_is_zero_before_the_first_run_alone) { // shows graph_peers 53
  in_each_way(reuse_zeros);
}

static syclze_image image_of(struct world *w) {
  static const uint32_t texels[GRAPH_COLUMNS * GRAPH_ROWS];
  return graph_world_make_image(
      &w->all, graph_world_image(&w->all, texels), SYCLZE_OWNERSHIP_TRANSFER);
}

/* Rows of an image from memory, all of it to another image, and the rows from there, in the order
   of accessors. */
static void copy_images(struct world *w, bool appends) {
  const ze_image_region_t rows = {
      .originY = 1, .width = GRAPH_COLUMNS, .height = ITEMS / GRAPH_COLUMNS, .depth = 1};
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  if (w->all.images.rep == NULL) SKIP("the device has no images");
  syclze_image images[] = {image_of(w), image_of(w)};
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor to = syclze_require(&group, images[0], SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_to_image(&group, to, syclze_mem_arg(w->memory[0]), &rows, NULL), 0);
  group = syclze_group_begin(queue);
  syclze_accessor from = syclze_require(&group, images[0], SYCLZE_ACCESS_READ);
  to = syclze_require(&group, images[1], SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_image(&group, to, from, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  from = syclze_require(&group, images[1], SYCLZE_ACCESS_READ);
  CHECK_EQ(
      syclze_group_copy_from_image(&group, syclze_mem_arg(w->memory[2]), from, &rows, NULL), 0);
  CHECK_EQ(syclze_graph_get_node_count(graph), 3);
  CHECK_EQ(syclze_release(images[0], images[1]), ZE_RESULT_SUCCESS); /* the graph keeps them */
  syclze_executable_graph executable = finalized(graph, appends);
  for (uint32_t value = 1; value <= RUNS; value++) {
    for (uint32_t i = 0; i < ITEMS; i++)
      w->memory[0][i] = i * value + 1;
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < ITEMS; i++)
      CHECK_EQ(w->memory[2][i], i * value + 1);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(copies_of_images_are_recorded) { // shows graphs 12
  in_each_way(copy_images);
}

TEST_MAIN(launches_that_have_the_same_edges_replace_each_other,
    host_tasks_are_replaced_with_their_accessors, one_launch_replaces_several_nodes,
    a_graph_uses_memory_of_the_system, memory_that_is_used_again_is_zero_before_the_first_run_alone,
    copies_of_images_are_recorded)
