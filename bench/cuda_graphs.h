/* One set of launches as a graph of CUDA's, made node by node, and as a graph of syclze, recorded.
 */
#ifndef BENCH_CUDA_GRAPHS_H
#define BENCH_CUDA_GRAPHS_H

#include "engine/cuda/driver.h"

#include <level_zero/ze_api.h>

enum graph_shape {
  GRAPH_TEN,     /* one behind the other */
  GRAPH_HUNDRED, /* one behind the other */
  GRAPH_FORK,    /* a first, four chains of five beside each other, a last */
  GRAPH_SHAPES
};

struct graph_world {
  ze_context_handle_t context;
  ze_device_handle_t device;
  ze_module_handle_t module; /* with saxpy(a, x, y) */
  CUkernel by_hand;
  CUcontext primary;
  CUstream stream;
};

/* Makes all graphs; the world lives on. */
void graphs_open(const struct graph_world *world);

/* Which is run from here on; checks what it computes. */
void graphs_choose(enum graph_shape shape);

/* Runs that graph `count` times, and waits. */
void graphs_by_hand(int count);
void graphs_by_syclze(int count);

#endif
