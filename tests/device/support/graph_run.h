/* Runs random graphs through command groups. */
#ifndef TESTS_DEVICE_GRAPH_RUN_H
#define TESTS_DEVICE_GRAPH_RUN_H

#include "graph.h"
#include "made.h"

#include "syclze/command/copy.h"
#include "syclze/command/host_task.h"
#include "syclze/command/launch.h"
#include "syclze/command/queue_work.h"

enum { GRAPH_QUEUES = 4 };

/* What all graphs of a thread run on: two queues in order and two that are not. */
struct graph_world {
  syclze_device device;
  syclze_context context;
  syclze_queue queues[GRAPH_QUEUES];
  syclze_kernel_bundle bundle;
  syclze_kernel set, mix, sum, local;
};

/* The queues are the world's own; the module is one of tests/kernels/graph.spv. */
void graph_world_begin(
    struct graph_world *world, const struct given *g, syclze_context context, syclze_kernel_bundle);
void graph_world_end(struct graph_world *world);

/* Makes the graph of the seed, runs it, and compares every byte with the model's. A difference is a
   failed check that names the seed. */
void graph_check(const struct graph_world *world, uint64_t seed);

#endif
