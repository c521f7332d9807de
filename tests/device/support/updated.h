/* Graphs that are updated, on mutable lists and on lists that are recorded anew. Included by one
   file of a program. */
#ifndef TESTS_DEVICE_UPDATED_H
#define TESTS_DEVICE_UPDATED_H

#include "recorded.h"

#include "mutable_lists.h"
#include "syclze/command/graph_update.h"

#include <sched.h>

/* Workers end the last runs, and drop their references to the kernel. */
static inline void finish(struct world *w) {
  while (__atomic_load_n(&w->all.mix.rep->ref.others, __ATOMIC_ACQUIRE) != 0)
    sched_yield();
  end(w);
}

static inline void in_both_ways(void (*body)(struct world *w)) {
  for (int are_mutable = 0; are_mutable < 2; are_mutable++) {
    struct world w = begin();
    mutable_lists_use(are_mutable != 0);
    body(&w);
    finish(&w);
  }
}

/* And on mutable lists whose kernels are not updated. */
static inline void in_all_ways(void (*body)(struct world *w)) {
  in_both_ways(body);
  struct world w = begin();
  mutable_lists_use(true);
  mutable_lists.have_no_kernels = true;
  body(&w);
  CHECK_EQ(mutable_lists.kernels, 0);
  finish(&w);
}

static inline syclze_executable_graph updatable(syclze_graph graph) {
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_end_recording(graph, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  return executable;
}

/* On memory of zeros. */
static inline void run(struct world *w, syclze_executable_graph executable) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
}

/* x -> ((x * 2 + a) * b + c) * 3 + d, of three launches. */
static inline syclze_executable_graph three(struct world *w) {
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 10, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 20, 30, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 3, 40, none, NULL), ZE_RESULT_SUCCESS);
  return updatable(graph);
}

#endif
