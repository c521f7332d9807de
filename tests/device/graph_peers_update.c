/* What DPC++'s own tests of updates of graphs show and the other programs do not
   (tests/conformance/graph_peers.txt): on mutable lists, and on lists that are recorded anew.
   The kernels are those of tests/kernels/graph.spv. */
#include "support/refused.h"
#include "support/updated.h"

#include "syclze/command/graph_nodes.h"

struct values {
  uint32_t factor, addend;
};

static const uint32_t two = 2, thrice = 3;

/* out = out * factor + in + addend through local memory, in groups of so many items. */
static void record_local(struct world *w, syclze_queue queue, int out, uint32_t group_size) {
  const syclze_nd_range range = {.global = {ITEMS, 1, 1}, .local = {group_size, 1, 1}};
  const struct values values = {2, 1};
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.local, &range, NULL, syclze_arg(w->memory[out]),
               syclze_arg(w->memory[1]), syclze_arg(values),
               syclze_local(group_size * sizeof(uint32_t))),
      ZE_RESULT_SUCCESS);
}

/* Larger groups, with as much local memory, in one of two launches; then in both, by a graph that
   is recorded alike. */
static void update_local(struct world *w) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  record_local(w, queue, 0, 4);
  record_local(w, queue, 2, 8);
  syclze_executable_graph executable = updatable(graph);
  for (uint32_t i = 0; i < ITEMS; i++)
    w->memory[1][i] = i * 5;
  for (uint32_t size = 4; size <= 32; size *= 2) {
    const syclze_nd_range range = {.global = {ITEMS, 1, 1}, .local = {size, 1, 1}};
    const struct values values = {3, size};
    const syclze_argument local = syclze_local(size * sizeof(uint32_t));
    const syclze_argument by_value = syclze_argument_value(&values, sizeof values);
    memset(w->memory[2], 0, ITEMS * sizeof(uint32_t));
    if (size > 4) {
      CHECK_EQ(syclze_executable_graph_update_range(executable, 0, &range), ZE_RESULT_SUCCESS);
      CHECK_EQ(
          syclze_executable_graph_update_argument(executable, 0, 3, &local), ZE_RESULT_SUCCESS);
      CHECK_EQ(
          syclze_executable_graph_update_argument(executable, 0, 2, &by_value), ZE_RESULT_SUCCESS);
    }
    run(w, executable);
    for (uint32_t i = 0; i < ITEMS; i++) {
      CHECK_EQ(w->memory[0][i], i * 5 + (size > 4 ? size : 1));
      CHECK_EQ(w->memory[2][i], i * 5 + 1);
    }
  }
  graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  record_local(w, queue, 0, 16);
  record_local(w, queue, 2, 32);
  CHECK_EQ(syclze_executable_graph_update(executable, graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  memset(w->memory[2], 0, ITEMS * sizeof(uint32_t));
  run(w, executable);
  for (uint32_t i = 0; i < ITEMS; i++) {
    CHECK_EQ(w->memory[0][i], i * 5 + 1);
    CHECK_EQ(w->memory[2][i], i * 5 + 1);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(local_memory_is_updated) { // shows graph_peers 9 10 44
  in_both_ways(update_local);
}

static void record_set(struct world *w, syclze_queue queue, const syclze_nd_range *range,
    uint32_t factor, uint32_t addend) {
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.set, range, NULL, syclze_arg(w->memory[0]),
               syclze_arg(factor), syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
}

static void check_set(const struct world *w, uint32_t count, uint32_t factor, uint32_t addend) {
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], i < count ? i * factor + addend : 0);
}

/* A graph that holds the other one. */
static syclze_executable_graph parent_of(
    struct world *w, syclze_executable_graph executable, uint32_t factor) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, factor, 0, none, NULL), ZE_RESULT_SUCCESS);
  return updatable(graph);
}

/* An update is one of the executable graph alone: not of another one of its graph, nor of those
   that hold it. A launch is replaced with its range. */
static void update_one(struct world *w) {
  const syclze_nd_range half = {.global = {ITEMS / 2}, .local = {8}};
  const uint32_t nine = 9;
  const syclze_argument value = syclze_argument_value(&nine, sizeof nine);
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w), others = graph_of(w);
  syclze_executable_graph first, second, parents[2];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  record_set(w, queue, &items, 2, 3);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(others, queue), ZE_RESULT_SUCCESS);
  record_set(w, queue, &half, 5, 1);
  CHECK_EQ(syclze_graph_end_recording(others, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &first), ZE_RESULT_SUCCESS);
  second = updatable(graph);
  for (uint32_t i = 0; i < 2; i++)
    parents[i] = parent_of(w, second, i + 1);
  CHECK_EQ(syclze_executable_graph_update_node(first, 0, others, 0), ZE_RESULT_SUCCESS);
  run(w, first);
  check_set(w, ITEMS / 2, 5, 1);
  run(w, second);
  check_set(w, ITEMS, 2, 3);
  CHECK_EQ(syclze_executable_graph_update_argument(second, 0, 2, &value), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 2; i++) {
    run(w, parents[i]);
    check_set(w, ITEMS, 2 * (i + 1), 3 * (i + 1));
    run(w, second);
    check_set(w, ITEMS, 2, 9);
    CHECK_EQ(syclze_executable_graph_release(parents[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(second), ZE_RESULT_SUCCESS);
}

TEST(an_update_is_of_one_executable_graph) { // shows graph_peers 21 42 45
  in_both_ways(update_one);
}

/* A launch, a barrier, a graph with empty nodes between its launches and last, an empty node and
   more launches, which may be of another kernel. */
static syclze_graph of_each_kind(struct world *w, uint32_t addend, uint32_t more, bool is_set) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph inner = graph_of(w), graph = graph_of(w);
  uint32_t empty = 0;
  CHECK_EQ(syclze_graph_begin_recording(inner, w->all.queues[OUT_OF_ORDER]), ZE_RESULT_SUCCESS);
  for (uint32_t node = 0; node < 2; node++) {
    CHECK_EQ(mix_memory(w, w->all.queues[OUT_OF_ORDER], 0, 1, two, addend, none, NULL), 0);
    if (node == 1) CHECK_EQ(syclze_graph_add_edge(inner, empty, 2), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_add_empty_node(inner, &(uint32_t){2 * node}, 1, &empty), 0);
  }
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 1, addend, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_record_graph(&group, inner, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_empty_node(graph, NULL, 0, &empty), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < more; i++)
    if (is_set)
      record_set(w, queue, &items, 0, addend);
    else
      CHECK_EQ(mix_memory(w, queue, 0, 1, thrice, addend, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(inner), ZE_RESULT_SUCCESS);
  return graph;
}

static void refuse_all(struct world *w, syclze_executable_graph executable, syclze_graph graph) {
  FAILED(syclze_executable_graph_update(executable, graph), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_executable_graph_update", "do not match", syclze_get_native(w->all.context));
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
}

/* All nodes of each kind, twice from the same graph; none by more, fewer or other nodes, or by
   those of another context. */
static void update_all(struct world *w) {
  syclze_executable_graph executable = updatable(of_each_kind(w, 1, 1, false)), nothing;
  syclze_device device = w->all.device;
  const syclze_context_input input = {given_context(&w->g), &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_context context;
  syclze_graph foreign, graph = of_each_kind(w, 4, 1, false);
  run(w, executable);
  check_all(w->memory[0], ((1 * 2 + 1) * 2 + 1) * 3 + 1);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_executable_graph_update(executable, graph), ZE_RESULT_SUCCESS);
    run(w, executable);
    check_all(w->memory[0], ((4 * 2 + 4) * 2 + 4) * 3 + 4);
  }
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  refuse_all(w, executable, of_each_kind(w, 5, 0, false));
  refuse_all(w, executable, of_each_kind(w, 5, 2, false));
  refuse_all(w, executable, of_each_kind(w, 5, 1, true));
  run(w, executable);
  check_all(w->memory[0], ((4 * 2 + 4) * 2 + 4) * 3 + 4);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(context, device, &foreign), ZE_RESULT_SUCCESS);
  nothing = updatable(graph_of(w));
  FAILED(syclze_executable_graph_update(nothing, foreign), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_executable_graph_update", "the same context and device",
      syclze_get_native(w->all.context));
  CHECK_EQ(syclze_executable_graph_release(nothing), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
}

TEST(nodes_of_each_kind_are_updated_by_a_graph_recorded_alike) { // shows graph_peers 15 48 49
  in_both_ways(update_all);
}

TEST_MAIN(local_memory_is_updated, an_update_is_of_one_executable_graph,
    nodes_of_each_kind_are_updated_by_a_graph_recorded_alike)
