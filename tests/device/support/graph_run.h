/* Runs random graphs through command groups. */
#ifndef TESTS_DEVICE_GRAPH_RUN_H
#define TESTS_DEVICE_GRAPH_RUN_H

#include "graph_world.h"

/* Generates the graph of the seed, runs it and compares every byte with the model. A mismatch is a
   failed check that prints the seed. */
void graph_check(const struct graph_world *world, uint64_t seed);

#endif
