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

struct syclze__node {
  struct syclze__ref ref; /* of graphs and executable graphs */
  enum syclze__submission_kind kind;
  bool is_empty;                     /* an added barrier, an allocation or a free */
  uint8_t memory_use;                /* syclze__node_memory */
  struct syclze__subgraph *subgraph; /* null unless the node is a graph */
  struct syclze__command *command;   /* behind the node; null for a barrier and a function */
  syclze_host_function function;     /* null for a command */
  void *argument; /* of a node that allocates its graph's pool, with a reference */
  uint32_t accessor_count;
  syclze_accessor *accessors;   /* behind the node; of memory objects with a reference each */
  void **memories;              /* behind them; native, of each accessor of a function */
  uint32_t argument_count;      /* of a launch */
  uint16_t *argument_accessors; /* behind them; each argument's accessor, UINT16_MAX: none */
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

/* Allocates a node with room for accessors, the arguments of a launch, and a command of so many
 * bytes; null without memory. */
SYCLZE_LOCAL_WARM struct syclze__node *syclze__node_new(
    uint32_t accessors, uint32_t arguments, size_t command) {
  struct syclze__node *node;
  const size_t size =
      syclze__kept_aligned(sizeof *node + accessors * (sizeof *node->accessors + sizeof(void *)) +
                           arguments * sizeof *node->argument_accessors);
  node = (struct syclze__node *)malloc(size + command);
  if (node == NULL) return NULL;
  memset((void *)node, 0, sizeof *node);
  node->accessors = (syclze_accessor *)(void *)(node + 1);
  node->memories = (void **)(node->accessors + accessors);
  node->argument_accessors = (uint16_t *)(void *)(node->memories + accessors);
  node->argument_count = arguments;
  if (command != 0) node->command = (struct syclze__command *)(void *)((char *)node + size);
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

/* Copies accessors, for which there is room, to the node, with references. */
SYCLZE_INLINE void syclze__node_keep(
    struct syclze__node *node, const syclze_accessor *accessors, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    node->accessors[i] = accessors[i];
    node->memories[i] = accessors[i].memory->native;
    syclze__memory_retain(accessors[i].memory);
  }
  node->accessor_count = count;
}

/* The launch that a command is; null for none. */
SYCLZE_INLINE const struct syclze__launch *syclze__command_launch(
    const struct syclze__command *command) {
  return command != NULL && command->kernel != NULL
             ? (const struct syclze__launch *)(const void *)command
             : NULL;
}

SYCLZE_INLINE bool syclze__node_is_launch(const struct syclze__node *node) {
  return syclze__command_launch(node->command) != NULL;
}

/* The launch of a node that is one. */
SYCLZE_INLINE const struct syclze__launch *syclze__node_launch(const struct syclze__node *node) {
  return (const struct syclze__launch *)(const void *)node->command;
}

/* Allocates a node like that of a launch, for a launch that keeps so many bytes; null without
 * memory. */
SYCLZE_INLINE struct syclze__node *syclze__node_clone(
    const struct syclze__node *node, size_t command) {
  struct syclze__node *clone =
      syclze__node_new(node->accessor_count, node->argument_count, command);
  if (clone == NULL) return NULL;
  clone->command->kernel = NULL;
  clone->kind = node->kind;
  for (uint32_t i = 0; i < node->argument_count; i++)
    clone->argument_accessors[i] = node->argument_accessors[i];
  syclze__node_keep(clone, node->accessors, node->accessor_count);
  return clone;
}

/* A node of the group, with one reference. */
SYCLZE_INLINE struct syclze__status syclze__node_create(
    const struct syclze__recorded *recorded, struct syclze__node **created) {
  const syclze_accessor *accessors = syclze__group_accessors(recorded->group);
  const struct syclze__launch *launch = syclze__command_launch(recorded->command);
  const uint32_t count = recorded->group->accessor_count;
  const bool has_command = recorded->kind == SYCLZE__SUBMISSION_COMMAND;
  struct syclze__node *node = syclze__node_new(count, launch != NULL ? launch->count : 0,
      has_command ? syclze__command_size(recorded->command) : 0);
  struct syclze__status status = syclze__allowed();
  if (node == NULL) return syclze__out_of_memory();
  node->kind = recorded->kind;
  node->function = recorded->function;
  node->argument = recorded->kind == SYCLZE__SUBMISSION_LISTS ? NULL : recorded->argument;
  if (has_command) status = syclze__node_copy(node, recorded->group, recorded->command);
  if (status.result != ZE_RESULT_SUCCESS) {
    syclze__node_free(node);
    return status;
  }
  for (uint32_t i = 0; i < node->argument_count; i++)
    node->argument_accessors[i] = launch->arguments[i].kind == SYCLZE__ARGUMENT_ACCESSOR
                                      ? launch->arguments[i].accessor
                                      : UINT16_MAX;
  syclze__node_keep(node, accessors, count);
  *created = node;
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
