/* What DPC++'s own tests of graphs check of kernels and their arguments, and the other programs do
   not (tests/conformance/graph_peers.txt). Updates are on mutable lists, and on lists that are
   recorded anew. The kernels are those of tests/kernels/graph.spv, graph_arguments.spv and
   basic.spv. */
#include "support/updated.h"

#include "syclze/command/graph_nodes.h"

/* A kernel of another file than the world's. */
static syclze_kernel kernel_of(const struct world *w, const char *path, const char *name) {
  syclze_kernel kernel;
  syclze_kernel_bundle bundle =
      made_kernel_bundle(w->all.context, given_module(&w->g, path), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_kernel_create(bundle, name, &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  return kernel;
}

static const char arguments_file[] = "tests/kernels/graph_arguments.spv";
static const char basic_file[] = "tests/kernels/basic.spv";

/* A launch in groups of so many items, with two local memories. */
static ze_result_t launch_locals(syclze_group *group, syclze_kernel kernel, uint32_t *out,
    uint32_t size, uint32_t value, uint32_t spare) {
  const syclze_nd_range range = {.global = {ITEMS}, .local = {size}};
  return syclze_launch(group, kernel, &range, NULL, syclze_arg(out),
      syclze_local((size + spare) * sizeof(uint32_t)), syclze_arg(value),
      syclze_local(2 * (size + spare) * sizeof(uint32_t)));
}

/* Two such launches, one behind the other, of which the second has more memory than it needs. */
static syclze_graph record_locals(
    struct world *w, syclze_kernel kernel, uint32_t *out, uint32_t size, uint32_t value) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(launch_locals(&group, kernel, out, size, value + i, i * 8), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  return graph;
}

/* What a launch adds. */
static uint32_t added(uint32_t i, uint32_t size, uint32_t value) {
  return (i / size * size + size - 1 - i % size) * value + size;
}

static void check_locals(
    const uint32_t *memory, uint32_t sizes[2], uint32_t value, uint32_t times) {
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(memory[i], times * (added(i, sizes[0], value) + added(i, sizes[1], value + 1)));
}

/* One launch with its range, and all by a graph that is recorded alike on other memory. */
static void update_locals(struct world *w) {
  enum { RUNS = 3 };
  uint32_t sizes[2] = {4, 4};
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_kernel kernel = kernel_of(w, arguments_file, "graph_locals");
  syclze_executable_graph executable = updatable(record_locals(w, kernel, w->memory[0], 4, 5));
  for (; sizes[0] <= ITEMS; sizes[0] *= 2) {
    const syclze_nd_range range = {.global = {ITEMS}, .local = {sizes[0]}};
    const syclze_argument first = syclze_local(sizes[0] * sizeof(uint32_t)),
                          second = syclze_local(2 * sizes[0] * sizeof(uint32_t));
    if (sizes[0] > 4) {
      CHECK_EQ(syclze_executable_graph_update_argument(executable, 0, 1, &first), 0);
      CHECK_EQ(syclze_executable_graph_update_argument(executable, 0, 3, &second), 0);
      CHECK_EQ(syclze_executable_graph_update_range(executable, 0, &range), ZE_RESULT_SUCCESS);
    }
    memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
    for (int i = 0; i < RUNS; i++)
      CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_locals(w->memory[0], sizes, 5, RUNS);
  }
  syclze_graph graph = record_locals(w, kernel, w->memory[2], 16, 9);
  CHECK_EQ(syclze_executable_graph_update(executable, graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  run(w, executable);
  check_all(w->memory[0], 0);
  check_locals(w->memory[2], (uint32_t[]){16, 16}, 9, 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  await_unused(kernel);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
}

TEST(two_local_memories_are_updated) { // shows graph_peers 9 44
  in_both_ways(update_locals);
}

/* Some have as many groups in two dimensions, and others in the third. */
static const syclze_nd_range shapes[] = {{.global = {ITEMS}},
    {.global = {4, 4, 4}, .local = {2, 2, 2}}, {.global = {8, 8}}, {.global = {2, 4, 8}},
    {.global = {8, 8}, .local = {8, 8}}, {.global = {4, 4, 4}, .local = {4, 4, 1}}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* out = the place of the item in the range, more by what the pointer refers to. */
static void record_where(struct world *w, syclze_kernel where, const syclze_nd_range *range,
    uint32_t *out, const uint32_t *optional) {
  syclze_group group = syclze_group_begin(w->all.queues[IN_ORDER]);
  CHECK_EQ(syclze_launch(&group, where, range, NULL, syclze_arg(out), syclze_arg(optional)),
      ZE_RESULT_SUCCESS);
}

static void check_where(const uint32_t *memory, const syclze_nd_range *range, uint32_t more) {
  const uint32_t width = (uint32_t)range->global[0],
                 height = range->global[1] != 0 ? (uint32_t)range->global[1] : 1;
  for (uint32_t i = 0; i < ITEMS; i++) {
    const uint32_t x = i % width, y = i / width % height, z = i / (width * height);
    CHECK_EQ(memory[i], more + x + 100 * y + 10000 * z);
  }
}

/* A launch behind a fill, by launches of one to three dimensions, with group sizes or without. */
static void replace_shapes(struct world *w) {
  const uint32_t zero = 0;
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_kernel where = kernel_of(w, basic_file, "where");
  syclze_graph graph = graph_of(w), others = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(others, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < SHAPES; i++)
    record_where(w, where, &shapes[i], w->memory[0], NULL);
  CHECK_EQ(syclze_graph_end_recording(others, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_fill(
               queue, w->memory[0], &zero, sizeof zero, ITEMS * sizeof zero, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  record_where(w, where, &shapes[0], w->memory[0], NULL);
  syclze_executable_graph executable = updatable(graph);
  run(w, executable);
  check_where(w->memory[0], &shapes[0], 0);
  for (uint32_t step = 0; step < SHAPES * SHAPES; step++) {
    const uint32_t by = step % 2 == 0 ? step / SHAPES : step % SHAPES;
    CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, by), ZE_RESULT_SUCCESS);
    run(w, executable);
    check_where(w->memory[0], &shapes[by], 0);
  }
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  await_unused(where);
  CHECK_EQ(syclze_release(where), ZE_RESULT_SUCCESS);
}

TEST(a_launch_is_replaced_by_one_of_other_dimensions) { // shows graph_peers 45
  in_both_ways(replace_shapes);
}

/* Two launches in three dimensions, of which the second reads what the first has written: of one
   memory, of another one, and of none. A pointer is an argument by its type or by its bytes. */
static void update_pointers(struct world *w) {
  static const syclze_graph_argument places[] = {{0, 0}, {1, 1}};
  const syclze_nd_range *groups = &shapes[1], *items_alone = &shapes[3];
  const syclze_nd_range behind = {.global = {4, 4, 4}, .local = {2, 2, 2}, .offset = {7, 5, 3}};
  const uint32_t offset = 7 + 5 * 100 + 3 * 10000;
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_kernel where = kernel_of(w, basic_file, "where");
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  record_where(w, where, &behind, w->memory[0], NULL);
  record_where(w, where, items_alone, w->memory[1], w->memory[0]);
  syclze_executable_graph executable = updatable(graph);
  uint32_t *const pointers[] = {w->memory[0], w->memory[2], w->memory[0], w->memory[2]};
  for (int i = 0; i < 4; i++) {
    uint32_t *const used = pointers[i], *const other = pointers[(i + 1) % 2];
    const syclze_argument typed = syclze_arg(used),
                          bytes = syclze_argument_value(&used, sizeof used);
    if (i > 0)
      CHECK_EQ(syclze_executable_graph_update_parameter(
                   executable, places, 2, i % 2 != 0 ? &typed : &bytes),
          ZE_RESULT_SUCCESS);
    memset(other, 0x11, ITEMS * sizeof(uint32_t));
    memset(used, 0, ITEMS * sizeof(uint32_t));
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_where(used, groups, offset);
    check_where(w->memory[1], items_alone, offset);
    check_all(other, 0x11111111);
    const uint32_t *const absent = NULL;
    const syclze_argument null = syclze_arg(absent),
                          null_bytes = syclze_argument_value(&absent, sizeof absent);
    CHECK_EQ(
        syclze_executable_graph_update_argument(executable, 1, 1, i % 2 != 0 ? &null : &null_bytes),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_where(w->memory[1], items_alone, 0);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  await_unused(where);
  CHECK_EQ(syclze_release(where), ZE_RESULT_SUCCESS);
}

TEST(pointers_are_updated_to_other_memory_and_to_none) { // shows graph_peers 38
  in_both_ways(update_pointers);
}

struct padded {
  uint8_t factor;
  uint64_t values[8];
};

/* A struct with padding, and another one for later runs. */
static void update_padded(struct world *w) {
  struct padded padded = {20, {1, 2, 3, 4, 5, 6, 7, 8}};
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_kernel kernel = kernel_of(w, arguments_file, "graph_of_padded");
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_launch(&group, kernel, &items, NULL, syclze_arg(w->memory[0]), syclze_arg(padded)),
      ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = updatable(graph);
  for (uint32_t i = 0; i < 3; i++) {
    const struct padded used = padded;
    memset(&padded, 0xff, sizeof padded); /* the graph has a copy */
    run(w, executable);
    for (uint32_t j = 0; j < ITEMS; j++)
      CHECK_EQ(w->memory[0][j], used.factor * used.values[j % 8]);
    padded = used;
    if (i == 0)
      padded.factor = 7;
    else
      padded.values[7] = (uint64_t)100 * i;
    const syclze_argument value = syclze_argument_value(&padded, sizeof padded);
    CHECK_EQ(syclze_executable_graph_update_argument(executable, 0, 1, &value), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  await_unused(kernel);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
}

TEST(a_struct_with_padding_is_an_argument) { // shows graph_peers 38
  in_both_ways(update_padded);
}

/* A group's launch of the kernel on all of the first buffer. */
struct launch {
  syclze_kernel kernel;
  syclze_buffer buffer;
};

static ze_result_t submit_launch(syclze_group *group, void *argument) {
  static const struct padded padded = {3, {1, 2, 3, 4, 5, 6, 7, 8}};
  const struct launch *launch = (const struct launch *)argument;
  syclze_accessor out = syclze_require(group, launch->buffer, SYCLZE_ACCESS_READ_WRITE);
  return syclze_launch(group, launch->kernel, &items, NULL, syclze_arg(out), syclze_arg(padded));
}

/* Kernels of two bundles, recorded and added, in the order of a buffer. */
static void mix_bundles(struct world *w, bool appends) {
  const uint32_t two = 2, one = 1;
  struct launch other = {kernel_of(w, arguments_file, "graph_of_padded"), w->buffers[0]};
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(w);
  uint32_t node, before, count = 1;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor out = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_DISCARD_WRITE);
  CHECK_EQ(syclze_launch(
               &group, w->all.set, &items, NULL, syclze_arg(out), syclze_arg(two), syclze_arg(one)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(submit_launch(&group, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_node(graph, submit_launch, &other, NULL, 0, &node), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_predecessors(graph, node, &count, &before), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  CHECK_EQ(before, node - 1);
  syclze_executable_graph executable = finalized(graph, appends);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], i * 2 + 1 + 2 * 3 * (i % 8 + 1));
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other.kernel), ZE_RESULT_SUCCESS);
}

TEST(kernels_of_several_bundles_are_nodes_of_a_graph) { // shows graph_peers 10
  in_each_way(mix_bundles);
}

enum { CHAIN = 1000 };

/* Launches behind each other, each of which adds to the memory. */
static syclze_executable_graph chain_of(struct world *w, int memory, uint32_t addend) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < CHAIN; i++)
    CHECK_EQ(mix_memory(w, queue, memory, 1, 1, addend, none, NULL), ZE_RESULT_SUCCESS);
  return updatable(graph);
}

static void move_chain(syclze_executable_graph executable, uint32_t *memory) {
  const syclze_argument out = syclze_arg(memory);
  for (uint32_t i = 0; i < CHAIN; i++)
    CHECK_EQ(syclze_executable_graph_update_argument(executable, i, 0, &out), ZE_RESULT_SUCCESS);
}

/* Two graphs of a thousand launches run in turn. Each launch is updated between the runs: of a
   graph that is idle, beside a run of the other one, and of a graph that may run. */
static void update_chains(struct world *w) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_executable_graph first = chain_of(w, 0, 1), second = chain_of(w, 0, 2);
  CHECK_EQ(syclze_queue_submit_graph(queue, first, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, second, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  move_chain(first, w->memory[2]);
  CHECK_EQ(syclze_queue_submit_graph(queue, first, NULL), ZE_RESULT_SUCCESS);
  move_chain(second, w->memory[2]);
  CHECK_EQ(syclze_queue_submit_graph(queue, second, NULL), ZE_RESULT_SUCCESS);
  move_chain(first, w->memory[0]);
  CHECK_EQ(syclze_queue_submit_graph(queue, first, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], CHAIN * (1 + 2 + 1));
  check_all(w->memory[2], CHAIN * (1 + 2));
  CHECK_EQ(syclze_executable_graph_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(second), ZE_RESULT_SUCCESS);
}

TEST(each_of_a_thousand_launches_is_updated) { // shows graph_peers 38
  in_both_ways(update_chains);
}

TEST_MAIN(two_local_memories_are_updated, a_launch_is_replaced_by_one_of_other_dimensions,
    pointers_are_updated_to_other_memory_and_to_none, a_struct_with_padding_is_an_argument,
    kernels_of_several_bundles_are_nodes_of_a_graph, each_of_a_thousand_launches_is_updated)
