/* The allocations in order of their addresses: a treap, in which each step is logarithmic. The
 * caller holds the lock. */
#ifndef ZECL_MEMORY_INDEX_H
#define ZECL_MEMORY_INDEX_H

#include "memory.h"

struct zecl_memory_node {
  struct zecl_allocation allocation;
  struct zecl_memory_node *left, *right;
  uint32_t priority;
};

void zecl_memory_insert(struct zecl_memory_node **root, struct zecl_memory_node *node);

/* The node whose allocation holds the address, or null. */
struct zecl_memory_node *zecl_memory_lookup(struct zecl_memory_node *root, const void *address);

/* Takes the node that begins at this base out; null where none does. */
struct zecl_memory_node *zecl_memory_remove(struct zecl_memory_node **root, const void *base);

#endif
