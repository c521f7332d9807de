/* Graphs: command groups that are recorded, made executable, and submitted many times. */
#include "support/append_lists.h"
#include "support/graph_world.h"
#include "support/refused.h"
#include "support/spy.h"

enum { ITEMS = 64, IN_ORDER = 0, OUT_OF_ORDER = 2, COMMAND_QUEUE = GRAPH_QUEUES - 1 };

struct world {
  struct given g;
  struct graph_world all;
  syclze_kernel_bundle bundle;
  uint32_t *memory[3]; /* of ITEMS each, shared */
  syclze_buffer buffers[3];
};

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  syclze_context context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.bundle = made_kernel_bundle(
      context, given_module(&w.g, "tests/kernels/graph.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  graph_world_begin(&w.all, &w.g, context, w.bundle);
  for (int i = 0; i < 3; i++) {
    void *memory;
    CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(uint32_t), w.all.device, context, &memory),
        ZE_RESULT_SUCCESS);
    w.memory[i] = memset(memory, 0, ITEMS * sizeof(uint32_t));
    const syclze_buffer_input input = {
        .native_handle = memory, .element_size = sizeof(uint32_t), .ownership = 0};
    CHECK_EQ(syclze_make_buffer(&input, context, &w.buffers[i]), ZE_RESULT_SUCCESS);
  }
  return w;
}

static void end(struct world *w) {
  syclze_context context = w->all.context;
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_release(w->buffers[i]), ZE_RESULT_SUCCESS);
  graph_world_end(&w->all);
  CHECK_EQ(syclze_release(w->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static const syclze_nd_range items = {.global = {ITEMS}, .local = {8}};

/* out = out * factor + in + addend, on memory of which nothing is known. */
static ze_result_t mix_memory(struct world *w, syclze_queue queue, int out, int in, uint32_t factor,
    uint32_t addend, syclze_event before, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  return syclze_launch(&group, w->all.mix, &items, event, syclze_arg(w->memory[out]),
      syclze_arg(w->memory[in]), syclze_arg(factor), syclze_arg(addend));
}

static const syclze_event none = {NULL};

static syclze_graph graph_of(const struct world *w) {
  syclze_graph graph;
  CHECK_EQ(syclze_graph_create(w->all.context, w->all.device, &graph), ZE_RESULT_SUCCESS);
  return graph;
}

static syclze_executable_graph finalized(syclze_graph graph, bool appends) {
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_end_recording(graph, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  append_lists_use(executable, appends);
  return executable;
}

/* Twice: by a command queue of the graph's own, and where the driver is known by appending. */
static void in_each_way(void (*body)(struct world *w, bool appends)) {
  for (int appends = 0; appends < 1 + (int)append_lists_find(); appends++) {
    struct world w = begin();
    body(&w, appends != 0);
    end(&w);
  }
}

/* A chain of three kernels, whose order shows in the result: x -> ((x * 2 + 1) * 3 + 2) * 5 + 7. */
static syclze_executable_graph chain(struct world *w, syclze_queue queue, bool appends) {
  syclze_graph graph = graph_of(w);
  CHECK(!syclze_queue_is_recording(queue));
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK(syclze_queue_is_recording(queue));
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 3, 2, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 5, 7, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), 3);
  return finalized(graph, appends);
}

static uint32_t chained(uint32_t x, uint32_t times) {
  for (uint32_t i = 0; i < times; i++)
    x = ((x * 2 + 1) * 3 + 2) * 5 + 7;
  return x;
}

static void check_all(const uint32_t *memory, uint32_t value) {
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(memory[i], value);
}

static void replay_kernels(struct world *w, bool appends) {
  static const int queues[] = {IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE};
  uint32_t times = 0;
  syclze_executable_graph executable = chain(w, w->all.queues[IN_ORDER], appends);
  check_all(w->memory[0], 0); /* nothing has run */
  for (int q = 0; q < 3; q++) {
    syclze_queue queue = w->all.queues[queues[q]];
    syclze_event event;
    for (int i = 0; i < 5; i++, times++)
      CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, &event), ZE_RESULT_SUCCESS);
    times++;
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], chained(0, times));
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    times++;
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], chained(0, times));
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(kernels_of_an_in_order_queue_run_again_on_any_queue) {
  in_each_way(replay_kernels);
}

static void follow(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_executable_graph executable = chain(w, queue, appends);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 20; i++) {
    CHECK_EQ(mix_memory(w, queue, 0, 1, 3, i, none, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    expected = chained(expected * 3 + i, 1);
  }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], expected);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_graph_keeps_its_place_in_an_in_order_queue) {
  in_each_way(follow);
}

/* The queues are out of order: only the graph orders its runs. */
static void take_turns(struct world *w, bool appends) {
  syclze_executable_graph executable = chain(w, w->all.queues[IN_ORDER], appends);
  for (uint32_t i = 0; i < 30; i++)
    CHECK_EQ(syclze_queue_submit_graph(w->all.queues[i % GRAPH_QUEUES], executable, NULL),
        ZE_RESULT_SUCCESS);
  for (int i = 0; i < GRAPH_QUEUES; i++)
    CHECK_EQ(syclze_queue_wait(w->all.queues[i]), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], chained(0, 30));
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(one_run_of_a_graph_waits_for_the_last_whatever_the_queue) {
  in_each_way(take_turns);
}

static void release_early(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_executable_graph executable = chain(w, w->all.queues[IN_ORDER], appends);
  for (int i = 0; i < 8; i++)
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], chained(0, 8));
}

TEST(a_graph_that_is_released_while_it_runs_ends_when_it_has_run) {
  in_each_way(release_early);
}

TEST_MAIN(kernels_of_an_in_order_queue_run_again_on_any_queue,
    a_graph_keeps_its_place_in_an_in_order_queue,
    one_run_of_a_graph_waits_for_the_last_whatever_the_queue,
    a_graph_that_is_released_while_it_runs_ends_when_it_has_run)
