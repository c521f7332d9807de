#include "memory/memory_index.h"

#include <stdlib.h>

enum { FIRST_BUCKETS = 256 };

static size_t mix(const void *base) {
  return (size_t)((uint64_t)(uintptr_t)base * 0x9e3779b97f4a7c15u >> 16);
}

static struct zecl_memory_node **bucket_of(
    const struct zecl_memory_index *index, const void *base) {
  return &index->buckets[mix(base) & (index->bucket_count - 1)];
}

/* Doubles the buckets. */
static bool grow(struct zecl_memory_index *index) {
  const size_t old_count = index->bucket_count;
  struct zecl_memory_node **old = index->buckets;
  const size_t count = old_count ? 2 * old_count : FIRST_BUCKETS;
  struct zecl_memory_node **buckets = calloc(count, sizeof *buckets);
  if (!buckets) return false;
  index->buckets = buckets;
  index->bucket_count = count;
  for (size_t i = 0; i < old_count; i++)
    for (struct zecl_memory_node *node = old[i], *next; node; node = next) {
      struct zecl_memory_node **bucket = bucket_of(index, node->allocation.base);
      next = node->next;
      node->next = *bucket;
      *bucket = node;
    }
  free(old);
  return true;
}

/* Nodes with greater priorities stand nearer the root. */
static size_t priority(const struct zecl_memory_node *node) {
  return mix(node) * 0x2545f491u;
}

/* The order of the tree. An engine may open memory of another process twice at one address. */
static bool is_below(const struct zecl_memory_node *a, const struct zecl_memory_node *b) {
  return a->allocation.base != b->allocation.base ? a->allocation.base < b->allocation.base : a < b;
}

/* Splits the tree: entries below `node` into *left, all others into *right. */
static void split(struct zecl_memory_node *root, const struct zecl_memory_node *node,
    struct zecl_memory_node **left, struct zecl_memory_node **right) {
  while (root) {
    if (is_below(root, node)) {
      *left = root;
      left = &root->right;
      root = root->right;
    } else {
      *right = root;
      right = &root->left;
      root = root->left;
    }
  }
  *left = NULL;
  *right = NULL;
}

static struct zecl_memory_node *join(
    struct zecl_memory_node *left, struct zecl_memory_node *right) {
  struct zecl_memory_node *root = NULL, **hole = &root;
  while (left && right) {
    if (priority(left) > priority(right)) {
      *hole = left;
      hole = &left->right;
      left = left->right;
    } else {
      *hole = right;
      hole = &right->left;
      right = right->left;
    }
  }
  *hole = left ? left : right;
  return root;
}

bool zecl_memory_insert(struct zecl_memory_index *index, struct zecl_memory_node *node) {
  if (index->count == index->bucket_count && !grow(index) && index->bucket_count == 0) return false;
  index->count++;
  struct zecl_memory_node **bucket = bucket_of(index, node->allocation.base);
  node->next = *bucket;
  *bucket = node;
  struct zecl_memory_node **place = &index->root;
  while (*place && priority(*place) >= priority(node))
    place = is_below(*place, node) ? &(*place)->right : &(*place)->left;
  split(*place, node, &node->left, &node->right);
  *place = node;
  return true;
}

struct zecl_memory_node *zecl_memory_lookup(
    const struct zecl_memory_index *index, const void *address) {
  if (index->count == 0) return NULL;
  const char *const wanted = address;
  struct zecl_memory_node *node = *bucket_of(index, address);
  while (node && node->allocation.base != wanted)
    node = node->next;
  if (node) return node;
  node = index->root;
  while (node) {
    if (wanted < node->allocation.base)
      node = node->left;
    else if ((size_t)(wanted - node->allocation.base) < node->allocation.size)
      return node;
    else
      node = node->right;
  }
  return NULL;
}

struct zecl_memory_node *zecl_memory_remove(struct zecl_memory_index *index, const void *base) {
  if (index->count == 0) return NULL;
  const char *const wanted = base;
  struct zecl_memory_node **link = bucket_of(index, base);
  while (*link && (*link)->allocation.base != wanted)
    link = &(*link)->next;
  struct zecl_memory_node *node = *link;
  if (!node) return NULL;
  *link = node->next;
  index->count--;
  struct zecl_memory_node **place = &index->root;
  while (*place != node)
    place = is_below(*place, node) ? &(*place)->right : &(*place)->left;
  *place = join(node->left, node->right);
  return node;
}
