/* Nodes: the command groups of a graph, and their dependencies.
 *
 * Nodes do not change after their creation: an update replaces them. They do not contain their
 * order: a graph has edges (edges.h). */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_NODE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_NODE_H

#include "../../host_task.h"
#include "../commands/launch_command.h"
#include "edges.h"
#include "pool.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__node;

/* A node at its place in a command list. */
struct syclze__graph_step {
  struct syclze__node *node;
  uint32_t level;
  bool is_first, is_last; /* of a subgraph: depends on no other step; no other step depends on it */
};

/* The nodes of a graph that is a node itself. */
struct syclze__subgraph {
  uint32_t count;
  uint32_t span;                    /* levels, at least one */
  uint32_t edge_count;              /* UINT32_MAX: too many to keep */
  struct syclze__graph_step *steps; /* behind the structure; each node with a reference */
  struct syclze__edge *edges;       /* behind the steps, and between them */
};

/* Memory of nodes of a graph, and of names of nodes (event.h), one behind the other. */
struct syclze__node_block {
  uint32_t references; /* less one for each release; all of SYCLZE__BLOCK_OPEN before the first */
  uint32_t given;      /* references of what was taken; the graph keeps the rest until it adds no
                          more */
  size_t used, size;   /* in bytes, with the structure */
};

/* More references than fit into a block, so that the graph counts them without atomics. */
enum { SYCLZE__BLOCK_OPEN = 1 << 30 };

struct syclze__node {
  struct syclze__ref ref;           /* of graphs and executable graphs */
  struct syclze__node_block *block; /* null for an allocation of its own */
  enum syclze__submission_kind kind;
  bool is_empty;                     /* an added barrier, an allocation or a free */
  uint8_t memory_use;                /* syclze__node_memory */
  struct syclze__subgraph *subgraph; /* null unless the node is a graph */
  struct syclze__command *command;   /* behind the node; null for a barrier and a function */
  syclze_host_function function;     /* null for a command */
  void *argument; /* of a node that allocates its graph's pool, with a reference */
  uint32_t accessor_count;
  syclze_accessor *accessors; /* behind the node; of memory objects with a reference each */
  void **memories;            /* behind them; native, of each accessor of a function */
};

/* The number of levels of a node: one, unless it is a graph. */
SYCLZE_INLINE uint32_t syclze__node_span(const struct syclze__node *node) {
  return node->subgraph != NULL ? node->subgraph->span : 1;
}

/* The pool of a node that allocates memory; else null. */
SYCLZE_INLINE struct syclze__graph_pool *syclze__node_pool(const struct syclze__node *node) {
  return node->memory_use == SYCLZE__NODE_ALLOCATES ? (struct syclze__graph_pool *)node->argument
                                                    : NULL;
}

#if SYCLZE__BODIES

SYCLZE_LOCAL_WARM void syclze__node_block_drop(struct syclze__node_block *block, uint32_t count) {
  if (__atomic_sub_fetch(&block->references, count, __ATOMIC_ACQ_REL) == 0) free(block);
}

/* Releases what was taken of the block. */
SYCLZE_INLINE void syclze__node_block_release(struct syclze__node_block *block) {
  syclze__node_block_drop(block, 1);
}

/* Releases the block of a graph, which takes no more of it. Null is allowed. */
SYCLZE_INLINE void syclze__node_block_close(struct syclze__node_block *block) {
  if (block != NULL) syclze__node_block_drop(block, SYCLZE__BLOCK_OPEN - block->given);
}

/* Replaces the graph's block by a larger one, with room for so many bytes; false without memory. */
SYCLZE_LOCAL bool syclze__node_block_renew(struct syclze__node_block **block, size_t size) {
  enum { LEAST = 1 << 10, MOST = 1 << 15 };
  const size_t head = syclze__kept_aligned(sizeof **block);
  size_t room = *block != NULL ? 2 * (*block)->size : (size_t)LEAST;
  if (room > MOST) room = MOST;
  /* Without pools each node is an allocation, so that a use after its release is detected. */
  if (room < head + size || !SYCLZE_HAS_POOLS) room = head + size;
  struct syclze__node_block *created = (struct syclze__node_block *)malloc(room);
  if (created == NULL) return false;
  created->references = SYCLZE__BLOCK_OPEN;
  created->given = 0;
  created->used = head;
  created->size = room;
  syclze__node_block_close(*block);
  *block = created;
  return true;
}

/* Takes so many bytes of the graph's block, with a reference to it; null without memory. */
SYCLZE_INLINE void *syclze__node_block_take(struct syclze__node_block **block, size_t size) {
  const size_t taken = syclze__kept_aligned(size);
  if (*block == NULL || taken > (*block)->size - (*block)->used)
    if (!syclze__node_block_renew(block, taken)) return NULL;
  (*block)->used += taken;
  (*block)->given++;
  return (char *)*block + (*block)->used - taken;
}

SYCLZE_LOCAL ze_result_t syclze__subgraph_free(struct syclze__subgraph *subgraph);

SYCLZE_LOCAL_WARM ze_result_t syclze__node_free(struct syclze__node *node) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (node->command != NULL && node->command->kernel != NULL) {
    const syclze_kernel kernel = {node->command->kernel};
    result = syclze__kernel_release_impl(kernel);
  } else
    result = syclze__graph_pool_release(syclze__node_pool(node));
  for (uint32_t i = 0; i < node->accessor_count; i++)
    result = syclze__first_error(result, syclze__memory_release(node->accessors[i].memory));
  if (node->subgraph != NULL) {
    result = syclze__first_error(result, syclze__subgraph_free(node->subgraph));
  }
  if (node->block != NULL)
    syclze__node_block_release(node->block);
  else
    free(node);
  return result;
}

SYCLZE_INLINE ze_result_t syclze__node_release(struct syclze__node *node) {
  return syclze__ref_release(&node->ref) ? ZE_RESULT_SUCCESS : syclze__node_free(node);
}

SYCLZE_LOCAL ze_result_t syclze__subgraph_free(struct syclze__subgraph *subgraph) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < subgraph->count; i++)
    result = syclze__first_error(result, syclze__node_release(subgraph->steps[i].node));
  free(subgraph);
  return result;
}

/* Makes the interop handle of a call of the node's function refer to the node's accessors. */
SYCLZE_INLINE void syclze__node_lend(
    const struct syclze__node *node, struct syclze__interop *interop) {
  interop->accessors = node->accessors;
  interop->memories = node->memories;
  interop->accessor_count = node->accessor_count;
}

/* Creates a node with room for accessors and a command of so many bytes, at `command`, in the
 * graph's block, or without `block` on its own; null without memory. */
SYCLZE_INLINE struct syclze__node *syclze__node_new(
    struct syclze__node_block **block, uint32_t accessors, size_t command) {
  struct syclze__node *node;
  const size_t size =
      syclze__kept_aligned(sizeof *node + accessors * (sizeof *node->accessors + sizeof(void *)));
  node = (struct syclze__node *)(block != NULL ? syclze__node_block_take(block, size + command)
                                               : malloc(size + command));
  if (node == NULL) return NULL;
  syclze__ref_init(&node->ref, SYCLZE__TRANSFERRED);
  node->block = block != NULL ? *block : NULL;
  node->is_empty = false;
  node->memory_use = SYCLZE__NODE_OTHER;
  node->subgraph = NULL;
  node->function = NULL;
  node->argument = NULL;
  node->accessor_count = 0;
  node->accessors = (syclze_accessor *)(void *)(node + 1);
  node->memories = (void **)(node->accessors + accessors);
  node->command = (struct syclze__command *)(void *)((char *)node + size);
  return node;
}

/* Copies the command to the node, with a reference to its kernel. */
SYCLZE_INLINE struct syclze__status syclze__node_copy(
    struct syclze__node *node, const syclze_group *group, const struct syclze__command *command) {
  const struct syclze__status status = syclze__command_copy(command, group, node->command);
  node->command->kernel = status.result == ZE_RESULT_SUCCESS ? command->kernel : NULL;
  if (node->command->kernel != NULL) syclze__ref_retain(&command->kernel->ref);
  return status;
}

/* Copies an accessor, for which there is room, to the node, with a reference. */
SYCLZE_INLINE void syclze__node_keep(
    struct syclze__node *node, uint32_t index, const syclze_accessor *accessor) {
  node->accessors[index] = *accessor;
  node->memories[index] = accessor->memory->native;
  syclze__memory_retain(accessor->memory);
}

SYCLZE_INLINE bool syclze__node_is_launch(const struct syclze__node *node) {
  return node->command != NULL && node->command->kernel != NULL;
}

/* The launch of a node that is one. */
SYCLZE_INLINE const struct syclze__launch *syclze__node_launch(const struct syclze__node *node) {
  return (const struct syclze__launch *)(const void *)node->command;
}

/* The place of the accessor that an argument of a kept launch was; UINT16_MAX for none. */
SYCLZE_INLINE uint16_t syclze__argument_place(const syclze_argument *argument) {
  return argument->type == SYCLZE_ARGUMENT_TYPE_ACCESSOR ? argument->accessor : UINT16_MAX;
}

/* Allocates a node like that of a launch, for a launch that keeps so many bytes; null without
 * memory. */
SYCLZE_INLINE struct syclze__node *syclze__node_clone(
    const struct syclze__node *node, size_t command) {
  struct syclze__node *clone = syclze__node_new(NULL, node->accessor_count, command);
  if (clone == NULL) return NULL;
  clone->command->kernel = NULL;
  clone->kind = node->kind;
  for (uint32_t i = 0; i < node->accessor_count; i++)
    syclze__node_keep(clone, i, &node->accessors[i]);
  clone->accessor_count = node->accessor_count;
  return clone;
}

/* A node of the group, with one reference, in the graph's block, with room for the group's
 * accessors. */
SYCLZE_INLINE struct syclze__status syclze__node_create(struct syclze__node_block **block,
    const struct syclze__recorded *recorded, struct syclze__node **created) {
  const bool has_command = recorded->kind == SYCLZE__SUBMISSION_COMMAND;
  struct syclze__node *node = syclze__node_new(block, recorded->group->accessor_count,
      has_command ? syclze__command_size(recorded->command) : 0);
  struct syclze__status status = syclze__allowed();
  if (node == NULL) return syclze__out_of_memory();
  node->kind = recorded->kind;
  node->function = recorded->function;
  node->argument = recorded->argument;
  if (has_command)
    status = syclze__node_copy(node, recorded->group, recorded->command);
  else
    node->command = NULL;
  if (status.result != ZE_RESULT_SUCCESS) {
    syclze__node_free(node);
    return status;
  }
  *created = node;
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
