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

static inline syclze_executable_graph updatable(syclze_graph graph) {
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_end_recording(graph, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  return executable;
}

#endif
