/* The allocations, to be found by address: by their base in a hash table, in constant time, and by
 * any other address within them in a treap, in logarithmic time. The caller holds the lock. */
#ifndef ZECL_MEMORY_MEMORY_INDEX_H
#define ZECL_MEMORY_MEMORY_INDEX_H

#include "memory/memory.h"

struct zecl_memory_node {
  struct zecl_allocation allocation;
  struct zecl_memory_node *left, *right; /* of the treap */
  struct zecl_memory_node *next;         /* in a bucket */
};

struct zecl_memory_index { /* all zero is empty */
  struct zecl_memory_node *root;
  struct zecl_memory_node **buckets;
  size_t bucket_count; /* a power of two, or zero */
  size_t count;
};

/* False, and nothing done, when there is no memory. */
bool zecl_memory_insert(struct zecl_memory_index *index, struct zecl_memory_node *node);

/* The node whose allocation holds the address, or null. */
struct zecl_memory_node *zecl_memory_lookup(
    const struct zecl_memory_index *index, const void *address);

/* Takes the node that begins at this base out; null where none does. */
struct zecl_memory_node *zecl_memory_remove(struct zecl_memory_index *index, const void *base);

#endif
