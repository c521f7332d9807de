#include "memory_index.h"

/* Everything below `base` goes to *left, everything else to *right. */
static void split(struct zecl_memory_node *root, const char *base, struct zecl_memory_node **left,
    struct zecl_memory_node **right) {
  while (root) {
    if (root->allocation.base < base) {
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
    if (left->priority > right->priority) {
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

void zecl_memory_insert(struct zecl_memory_node **root, struct zecl_memory_node *node) {
  const uint64_t mixed = (uint64_t)(uintptr_t)node->allocation.base * 0x9e3779b97f4a7c15u;
  node->priority = (uint32_t)(mixed >> 32);
  while (*root && (*root)->priority >= node->priority)
    root = (*root)->allocation.base < node->allocation.base ? &(*root)->right : &(*root)->left;
  split(*root, node->allocation.base, &node->left, &node->right);
  *root = node;
}

struct zecl_memory_node *zecl_memory_lookup(struct zecl_memory_node *root, const void *address) {
  const char *const wanted = address;
  while (root) {
    if (wanted < root->allocation.base)
      root = root->left;
    else if ((size_t)(wanted - root->allocation.base) < root->allocation.size)
      return root;
    else
      root = root->right;
  }
  return NULL;
}

struct zecl_memory_node *zecl_memory_remove(struct zecl_memory_node **root, const void *base) {
  const char *const wanted = base;
  while (*root && (*root)->allocation.base != wanted)
    root = (*root)->allocation.base < wanted ? &(*root)->right : &(*root)->left;
  struct zecl_memory_node *node = *root;
  if (node) *root = join(node->left, node->right);
  return node;
}
