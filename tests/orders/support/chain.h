/* Launches on one queue that each read and write one buffer, while calls fail. */
#ifndef TESTS_ORDERS_CHAIN_H
#define TESTS_ORDERS_CHAIN_H

#include "scene.h"

/* Launches the kernel "node" once for each of the nodes, which begin as zero, in a range of one
 * dimension: `global` work-items in groups of `local`. */
void chain_launch(syclze_queue queue, syclze_kernel kernel, syclze_buffer buffer, size_t global,
    size_t local, struct node *nodes, uint32_t count);

/* After they are done: those that were accepted ran in order, and `memory`, that of the buffer, has
 * what they left. */
void chain_check(const struct node *nodes, uint32_t count, const void *memory);

#endif
