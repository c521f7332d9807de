/* What DPC++'s own tests of graphs show and the other programs of graphs do not: memory, barriers,
   and what is around a recording (tests/conformance/graph_peers.txt).
   The kernels are those of tests/kernels/graph.spv. */
#include "support/recorded.h"
#include "syclze/buffer_create.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/queue_commands.h"
#include "syclze/usm.h"
#include "tests/soon.h"

enum { BYTES = ITEMS * sizeof(uint32_t), RUNS = 3 };

static void run(syclze_queue queue, syclze_executable_graph executable) {
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
}

/* Fills, a launch, copies and hints on device memory, host memory and shared memory, by the
   functions of queues. */
static void use_memory(struct world *w, bool appends) {
  static const bool are_memory[] = {true, true, false, true, true, true, false, true};
  enum { NODES = sizeof are_memory / sizeof *are_memory };
  const uint32_t five = 5, three = 3, one = 1;
  const uint8_t two = 2;
  void *device, *host;
  CHECK_EQ(syclze_malloc_device(BYTES, w->all.device, w->all.context, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_host(BYTES, w->all.context, &host), ZE_RESULT_SUCCESS);
  memset(host, 0, BYTES);
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_get_node_count(graph), 0);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_fill(queue, host, &five, sizeof five, BYTES, NULL, 0, NULL), 0);
  CHECK_EQ(syclze_queue_fill(queue, device, &two, sizeof two, BYTES, NULL, 0, NULL), 0);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(device), syclze_arg(host),
               syclze_arg(three), syclze_arg(one)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy(queue, w->memory[0], device, BYTES, NULL, 0, NULL), 0);
  CHECK_EQ(syclze_queue_prefetch(queue, w->memory[0], BYTES, NULL, 0, NULL), 0);
  CHECK_EQ(syclze_queue_advise(
               queue, w->memory[0], BYTES, ZE_MEMORY_ADVICE_SET_READ_MOSTLY, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 1, 0, 1, 0, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy(queue, host, w->memory[1], BYTES, NULL, 0, NULL), 0);
  CHECK_EQ(syclze_graph_get_node_count(graph), NODES);
  for (uint32_t i = 0; i < NODES; i++) {
    syclze_graph_node_type type;
    CHECK_EQ(syclze_graph_get_node_type(graph, i, &type), ZE_RESULT_SUCCESS);
    CHECK_EQ(type, are_memory[i] ? SYCLZE_GRAPH_NODE_MEMORY : SYCLZE_GRAPH_NODE_KERNEL);
  }
  syclze_executable_graph executable = finalized(graph, appends);
  check_all((const uint32_t *)host, 0);
  for (uint32_t i = 1; i <= GRAPH_QUEUES; i++) {
    run(w->all.queues[i - 1], executable);
    check_all((const uint32_t *)host, i * (0x02020202 * 3 + 5 + 1));
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(device, w->all.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(host, w->all.context), ZE_RESULT_SUCCESS);
}

TEST(a_graph_uses_memory_of_each_kind) { // shows graph_peers 1 6 7 8 25
  in_each_way(use_memory);
}

static ze_result_t copy(struct world *w, syclze_buffer to, uint32_t *to_host, syclze_buffer from,
    const uint32_t *from_host, size_t size) {
  syclze_group group = syclze_group_begin(w->all.queues[OUT_OF_ORDER]);
  syclze_accessor in = {0}, out = {0};
  if (from_host == NULL) in = syclze_require(&group, from, SYCLZE_ACCESS_READ);
  if (to_host == NULL) out = syclze_require(&group, to, SYCLZE_ACCESS_WRITE);
  return syclze_group_copy(&group, to_host != NULL ? syclze_mem_arg(to_host) : syclze_mem_arg(out),
      from_host != NULL ? syclze_mem_arg(from_host) : syclze_mem_arg(in), size, NULL);
}

static void fill(struct world *w, syclze_buffer buffer, uint32_t value, size_t size) {
  syclze_group group = syclze_group_begin(w->all.queues[OUT_OF_ORDER]);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), &value, sizeof value, size, NULL),
      ZE_RESULT_SUCCESS);
}

/* Parts of buffers, buffers of two and three dimensions, and memory of the host that no device
   allocated. The buffers of the groups are released before the graph is finalized. */
static void copy_parts(struct world *w, bool appends) {
  enum { PART = 16, SIZE = PART * sizeof(uint32_t) };
  static uint32_t from[ITEMS], to[ITEMS], all[ITEMS];
  static const size_t sizes[][3] = {{8, 8}, {4, 4, 4}}, count = PART;
  static const size_t offsets[] = {16, 32, 0};
  syclze_buffer parts[3], plane, cube;
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_buffer_create_sub(w->buffers[i % 2], &offsets[i], &count, &parts[i]), 0);
  CHECK_EQ(syclze_buffer_reinterpret(w->buffers[2], 4, 2, sizes[0], &plane), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_reinterpret(w->buffers[2], 4, 3, sizes[1], &cube), ZE_RESULT_SUCCESS);
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, w->all.queues[OUT_OF_ORDER]), ZE_RESULT_SUCCESS);
  CHECK_EQ(copy(w, parts[0], NULL, parts[0], from + 8, SIZE), ZE_RESULT_SUCCESS);
  CHECK_EQ(copy(w, parts[1], NULL, parts[0], NULL, SIZE), ZE_RESULT_SUCCESS);
  CHECK_EQ(copy(w, parts[1], to + 4, parts[1], NULL, SIZE), ZE_RESULT_SUCCESS);
  fill(w, parts[2], 9, SIZE);
  fill(w, plane, 7, BYTES);
  CHECK_EQ(copy(w, cube, all, cube, NULL, BYTES), ZE_RESULT_SUCCESS);
  fill(w, cube, 8, BYTES);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_release(parts[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(plane), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(cube), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph, appends);
  for (uint32_t value = 1; value <= RUNS; value++) {
    for (uint32_t i = 0; i < ITEMS; i++)
      from[i] = i * value + 1;
    memset(to, 0, sizeof to);
    memset(all, 0, sizeof all);
    run(w->all.queues[value], executable);
    for (uint32_t i = 0; i < ITEMS; i++) {
      CHECK_EQ(to[i], i >= 4 && i < 4 + PART ? (i + 4) * value + 1 : 0);
      CHECK_EQ(w->memory[0][i], i < PART ? 9 : i < 2 * PART ? (i - 8) * value + 1 : 0);
      CHECK_EQ(w->memory[1][i], i / PART == 2 ? (i - 24) * value + 1 : 0);
    }
    check_all(all, 7);
    check_all(w->memory[2], 8);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(parts_of_buffers_and_memory_of_the_host_are_copied) { // shows graph_peers 3 4 5
  in_each_way(copy_parts);
}

struct gated {
  ze_event_handle_t gate;
  uint32_t *memory;
};

static ze_result_t set_behind_gate(syclze_interop_handle handle, void *argument) {
  struct gated *gated = (struct gated *)argument;
  (void)handle;
  const ze_result_t result = zeEventHostSynchronize(gated->gate, UINT64_MAX);
  for (uint32_t i = 0; i < ITEMS; i++)
    gated->memory[i] = 1;
  return result;
}

/* The queue has a pending host task, a copy and a fill when it begins to record, and executes a
   kernel while its recording pauses: no node depends on them, the graph and later work do. */
static void record_between(struct world *w, bool appends) {
  const uint32_t zero = 0;
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  syclze_event gate;
  for (uint32_t i = 0; i < ITEMS; i++)
    w->memory[1][i] = 50;
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  struct gated gated = {syclze_get_native(gate), w->memory[2]};
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, set_behind_gate, &gated, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy(queue, w->memory[0], w->memory[2], BYTES, NULL, 0, NULL), 0);
  CHECK_EQ(syclze_queue_fill(queue, w->memory[1], &zero, sizeof zero, BYTES, NULL, 0, NULL), 0);
  for (uint32_t node = 0; node < 2; node++) {
    uint32_t before, count = 1;
    CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 2 + node, 3, none, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_get_predecessors(graph, node, &count, &before), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, node);
    if (node != 0) CHECK_EQ(before, 0);
    CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
    if (node == 0) CHECK_EQ(mix_memory(w, queue, 0, 1, 5, 1, none, NULL), ZE_RESULT_SUCCESS);
  }
  syclze_executable_graph executable = finalized(graph, appends);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 7, 2, none, NULL), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], 0);
  CHECK_EQ(zeEventHostSignal(gated.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], (((1 * 5 + 1) * 2 + 3) * 3 + 3) * 7 + 2);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
}

TEST(a_recording_leaves_the_work_before_it_out) { // shows graph_peers 24
  in_each_way(record_between);
}

/* A launch, or a barrier behind the nodes of the bits or behind all of its queue. */
struct step {
  int queue;
  bool is_barrier;
  unsigned after, behind; /* bits of nodes: of its events, and of all that must run before it */
};

enum { A = OUT_OF_ORDER, B = OUT_OF_ORDER + 1, C = IN_ORDER, D = IN_ORDER + 1, STEPS = 10 };

static unsigned behind(syclze_graph graph, uint32_t node) {
  uint32_t nodes[STEPS], count = STEPS;
  unsigned all = 0;
  CHECK_EQ(syclze_graph_get_predecessors(graph, node, &count, nodes), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++)
    all |= 1u << nodes[i] | behind(graph, nodes[i]);
  return all;
}

/* Records the steps of queues, the recording of which pauses between them or not. */
static void check_steps(struct world *w, const struct step *steps, uint32_t count, bool pauses) {
  syclze_graph graph = graph_of(w);
  syclze_event events[STEPS];
  for (int i = C; i <= B; i++)
    CHECK_EQ(syclze_graph_begin_recording(graph, w->all.queues[i]), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++) {
    syclze_queue queue = w->all.queues[steps[i].queue];
    if (pauses) {
      CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
    }
    syclze_group group = syclze_group_begin(queue);
    for (uint32_t j = 0; j < i; j++)
      if ((steps[i].after >> j & 1) != 0) syclze_group_depends_on(&group, events[j]);
    CHECK_EQ(steps[i].is_barrier
                 ? syclze_group_barrier(&group, &events[i])
                 : syclze_launch(&group, w->all.set, &items, &events[i], syclze_arg(w->memory[0]),
                       syclze_arg(count), syclze_arg(count)),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(behind(graph, i), steps[i].behind);
  }
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++)
    CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
}

#define CHECK_STEPS(pauses, ...)                                                                   \
  do {                                                                                             \
    static const struct step steps[] = {__VA_ARGS__};                                              \
    check_steps(&w, steps, sizeof steps / sizeof *steps, pauses);                                  \
  } while (0)

TEST(barriers_are_behind_their_events_or_their_queue) { // shows graph_peers 17
  struct world w = begin();
  CHECK_STEPS(
      false, {A, 0, 0, 0}, {A, 0, 0, 0}, {A, 0, 0, 0}, {A, 1, 0, 7}, {A, 0, 0, 15}, {A, 0, 0, 15});
  CHECK_STEPS(
      false, {A, 0, 0, 0}, {A, 0, 0, 0}, {A, 0, 0, 0}, {B, 1, 2, 2}, {B, 0, 0, 10}, {B, 0, 0, 10});
  CHECK_STEPS(false, {A, 0, 0, 0}, {A, 0, 0, 0}, {A, 0, 0, 0}, {A, 1, 3, 3}, {A, 0, 0, 11},
      {A, 0, 4, 15}, {A, 1, 0, 63}, {A, 0, 0, 127}, {A, 0, 0, 127});
  CHECK_STEPS(false, {A, 0, 0, 0}, {B, 0, 0, 0}, {B, 0, 0, 0}, {A, 1, 3, 3}, {A, 0, 0, 11},
      {A, 0, 4, 15}, {B, 1, 56, 63});
  CHECK_STEPS(false, {A, 0, 0, 0}, {A, 0, 0, 0}, {B, 0, 0, 0}, {B, 0, 0, 0}, {A, 1, 0, 3},
      {B, 0, 12, 12}, {A, 0, 0, 19});
  CHECK_STEPS(false, {A, 0, 0, 0}, {A, 0, 0, 0}, {C, 1, 3, 3}, {A, 0, 2, 2});
  CHECK_STEPS(false, {C, 0, 0, 0}, {D, 0, 0, 0}, {D, 1, 1, 3});
  CHECK_STEPS(false, {C, 0, 0, 0}, {D, 0, 0, 0}, {C, 1, 0, 1}, {D, 0, 0, 2});
  CHECK_STEPS(false, {A, 0, 0, 0}, {C, 0, 0, 0}, {A, 1, 0, 1}, {C, 0, 0, 2});
  CHECK_STEPS(false, {A, 1, 0, 0}, {C, 1, 0, 0}, {C, 1, 0, 2}, {A, 1, 0, 1});
  CHECK_STEPS(true, {C, 0, 0, 0}, {D, 0, 0, 0}, {C, 1, 0, 1}, {D, 1, 0, 2}, {C, 0, 0, 5},
      {D, 0, 0, 10}, {C, 1, 48, 63});
  end(&w);
}

/* The queues of a fork return the graph; a run's event has a status. */
static void query(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[IN_ORDER], other = w->all.queues[IN_ORDER + 1];
  syclze_graph graph = graph_of(w), found;
  syclze_event event, joined;
  syclze_event_status status;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 1, 1, none, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier_after(other, &event, 1, &joined), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_graph(other, &found), ZE_RESULT_SUCCESS);
  CHECK(found.rep == graph.rep);
  CHECK_EQ(syclze_graph_release(found), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(joined), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph, appends);
  CHECK_EQ(syclze_queue_get_graph(other, &found), ZE_RESULT_SUCCESS);
  CHECK(found.rep == NULL);
  for (uint32_t i = 0; i < GRAPH_QUEUES; i++) {
    CHECK_EQ(syclze_queue_submit_graph(w->all.queues[i], executable, &event), ZE_RESULT_SUCCESS);
    CHECK_SOON(syclze_event_get_status(event, &status) == ZE_RESULT_SUCCESS &&
               status == SYCLZE_EVENT_STATUS_COMPLETE);
    check_all(w->memory[0], i + 1);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(queues_of_a_fork_and_events_of_runs_are_queried) { // shows graph_peers 25 34
  in_each_way(query);
}

TEST_MAIN(a_graph_uses_memory_of_each_kind, parts_of_buffers_and_memory_of_the_host_are_copied,
    a_recording_leaves_the_work_before_it_out, barriers_are_behind_their_events_or_their_queue,
    queues_of_a_fork_and_events_of_runs_are_queried)
