/* Nodes: command groups as a graph holds them, and which of them depend on others.
 *
 * A node has a level, one more than the highest of those that it depends on. So nodes of one level
 * are independent of each other, and a command list that has them level by level, with a barrier
 * between two levels, needs no events. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_NODE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_NODE_H

#include "../host_task.h"
#include "command.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__node {
  struct syclze__ref ref; /* of graphs and executable graphs */
  enum syclze__submission_kind kind;
  uint32_t level;
  struct syclze__command *command; /* null for a barrier and a function */
  void *extra;                     /* memory that the command refers to; null for none */
  syclze_host_function function;   /* null for a command */
  void *argument;
  uint32_t accessor_count;
  syclze_accessor *accessors; /* behind the node; of memory objects with a reference each */
  void **memories;            /* behind them; native, of each accessor of a function */
};

/* What nodes do to a memory object, or to several over one allocation. */
struct syclze__graph_memory {
  const struct syclze__accesses *accesses; /* of the object */
  syclze_accessor accessor;                /* all of it; covers the accessors of all nodes */
  uint32_t after_writes, after_all;        /* the first levels behind these nodes; 0 for none */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__node_free(struct syclze__node *node) {
  ze_result_t result = ZE_RESULT_SUCCESS, released;
  if (node->command != NULL && node->command->kernel != NULL) {
    const syclze_kernel kernel = {node->command->kernel};
    result = syclze__kernel_release_impl(kernel);
  }
  for (uint32_t i = 0; i < node->accessor_count; i++) {
    released = syclze__memory_release(node->accessors[i].memory);
    if (result == ZE_RESULT_SUCCESS) result = released;
  }
  free(node->extra);
  free(node->command);
  free(node);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__node_release(struct syclze__node *node) {
  return syclze__ref_release(&node->ref) ? ZE_RESULT_SUCCESS : syclze__node_free(node);
}

/* Has the node keep a copy of the command. */
SYCLZE_LOCAL struct syclze__status syclze__node_copy(
    struct syclze__node *node, syclze_group *group, const struct syclze__command *command) {
  struct syclze__submission submission;
  struct syclze__deferred copy;
  memset(&copy, 0, sizeof copy);
  syclze__submission_init(&submission, group, command->kind, command->function);
  const struct syclze__status status = syclze__command_copy(command, &submission, &copy);
  node->command = (struct syclze__command *)copy.command;
  node->extra = copy.extra;
  if (status.result != ZE_RESULT_SUCCESS && node->command != NULL) node->command->kernel = NULL;
  if (status.result == ZE_RESULT_SUCCESS && command->kernel != NULL)
    syclze__ref_retain(&command->kernel->ref);
  return status;
}

/* Has the interop handle of a call of the node's function refer to the node's accessors. */
SYCLZE_INLINE void syclze__node_lend(
    const struct syclze__node *node, struct syclze__interop *interop) {
  interop->accessors = node->accessors;
  interop->memories = node->memories;
  interop->accessor_count = node->accessor_count;
}

/* A node of the group, with one reference. */
SYCLZE_LOCAL struct syclze__status syclze__node_create(
    const struct syclze__recorded *recorded, struct syclze__node **created) {
  const syclze_accessor *accessors = syclze__group_accessors(recorded->group);
  const uint32_t count = recorded->group->accessor_count;
  struct syclze__node *node = (struct syclze__node *)calloc(
      1, sizeof *node + count * (sizeof *accessors + sizeof *node->memories));
  if (node == NULL) return syclze__out_of_memory();
  node->accessors = (syclze_accessor *)(void *)(node + 1);
  node->memories = (void **)(node->accessors + count);
  node->kind = recorded->kind;
  node->function = recorded->function;
  node->argument = recorded->argument;
  struct syclze__status status = syclze__allowed();
  if (recorded->kind == SYCLZE__SUBMISSION_COMMAND)
    status = syclze__node_copy(node, recorded->group, recorded->command);
  if (status.result != ZE_RESULT_SUCCESS) {
    syclze__node_free(node);
    return status;
  }
  for (uint32_t i = 0; i < count; i++) {
    node->accessors[i] = accessors[i];
    node->memories[i] = accessors[i].memory->native;
    syclze__memory_retain(accessors[i].memory);
  }
  node->accessor_count = count;
  *created = node;
  return status;
}

SYCLZE_INLINE bool syclze__access_discards(syclze_access_mode mode) {
  return mode == SYCLZE_ACCESS_DISCARD_WRITE || mode == SYCLZE_ACCESS_DISCARD_READ_WRITE;
}

/* The mode of all of the object for an accessor of it. */
SYCLZE_LOCAL syclze_access_mode syclze__access_mode_whole(const syclze_accessor *accessor) {
  return accessor->is_part && syclze__access_discards(accessor->mode) ? SYCLZE_ACCESS_READ_WRITE
                                                                      : accessor->mode;
}

/* The mode that stands for `before`, and then `mode`. */
SYCLZE_LOCAL syclze_access_mode syclze__access_mode_join(
    syclze_access_mode before, syclze_access_mode mode) {
  if (before == mode) return mode;
  /* What the first writes over, others need not have been given. */
  return syclze__access_discards(before) ? SYCLZE_ACCESS_DISCARD_READ_WRITE
                                         : SYCLZE_ACCESS_READ_WRITE;
}

/* The first level of a node that accesses the memory so. */
SYCLZE_INLINE uint32_t syclze__graph_memory_level(
    const struct syclze__graph_memory *memory, syclze_access_mode mode) {
  return mode == SYCLZE_ACCESS_READ ? memory->after_writes : memory->after_all;
}

/* Adds the access of a node of this level. */
SYCLZE_LOCAL void syclze__graph_memory_add(
    struct syclze__graph_memory *memory, syclze_access_mode mode, uint32_t level) {
  memory->accessor.mode = syclze__access_mode_join(memory->accessor.mode, mode);
  if (memory->after_all <= level) memory->after_all = level + 1;
  if (mode != SYCLZE_ACCESS_READ && memory->after_writes <= level) memory->after_writes = level + 1;
}

#endif

SYCLZE_EXTERN_C_END

#endif
