/* A world for graphs: queues of all kinds, kernels, and three buffers over shared memory.

     static void body(struct world *w, bool appends) { ... }
     TEST(a_case) { in_each_way(body); } */
#ifndef TESTS_DEVICE_RECORDED_H
#define TESTS_DEVICE_RECORDED_H

#include "append_lists.h"
#include "graph_world.h"

enum { ITEMS = 64, IN_ORDER = 0, OUT_OF_ORDER = 2, COMMAND_QUEUE = GRAPH_QUEUES - 1 };

struct world {
  struct given g;
  struct graph_world all;
  syclze_kernel_bundle bundle;
  uint32_t *memory[3]; /* of ITEMS each, shared */
  syclze_buffer buffers[3];
};

static inline struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  syclze_context context = made_context_here(&w.g, SYCLZE_OWNERSHIP_KEEP);
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

static inline void end(struct world *w) {
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
static inline ze_result_t mix_memory(struct world *w, syclze_queue queue, int out, int in,
    uint32_t factor, uint32_t addend, syclze_event before, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  return syclze_launch(&group, w->all.mix, &items, event, syclze_arg(w->memory[out]),
      syclze_arg(w->memory[in]), syclze_arg(factor), syclze_arg(addend));
}

static const syclze_event none = {NULL};

static inline syclze_graph graph_of(const struct world *w) {
  syclze_graph graph;
  CHECK_EQ(syclze_graph_create(w->all.context, w->all.device, &graph), ZE_RESULT_SUCCESS);
  return graph;
}

static inline syclze_executable_graph finalized(syclze_graph graph, bool appends) {
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_end_recording(graph, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  append_lists_use(executable, appends);
  return executable;
}

/* Twice: by a command queue of the graph's own, and where the driver is known by appending. */
static inline void in_each_way(void (*body)(struct world *w, bool appends)) {
  for (int appends = 0; appends < 1 + (int)append_lists_find(); appends++) {
    struct world w = begin();
    body(&w, appends != 0);
    end(&w);
  }
}

static inline void check_all(const uint32_t *memory, uint32_t value) {
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(memory[i], value);
}

#endif
