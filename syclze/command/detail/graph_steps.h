/* Nodes in the order of a command list, and what they access together. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_STEPS_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_STEPS_H

#include "graph_node.h"

SYCLZE_EXTERN_C_BEGIN

/* The nodes of a graph, in the order of recording, each with a reference. */
struct syclze__nodes {
  uint32_t count;
  struct syclze__node **all;
};

#if SYCLZE__BODIES

/* A copy of so many nodes; false without memory. */
SYCLZE_LOCAL bool syclze__nodes_copy(
    struct syclze__nodes *nodes, struct syclze__node *const *all, uint32_t count) {
  nodes->count = 0;
  nodes->all = (struct syclze__node **)malloc((count + 1) * sizeof *all);
  if (nodes->all == NULL) return false;
  for (; nodes->count < count; nodes->count++) {
    nodes->all[nodes->count] = all[nodes->count];
    syclze__ref_retain(&all[nodes->count]->ref);
  }
  return true;
}

SYCLZE_LOCAL ze_result_t syclze__nodes_free(struct syclze__nodes *nodes) {
  ze_result_t result = ZE_RESULT_SUCCESS, released;
  for (uint32_t i = 0; i < nodes->count; i++) {
    released = syclze__node_release(nodes->all[i]);
    if (result == ZE_RESULT_SUCCESS) result = released;
  }
  free((void *)nodes->all);
  nodes->all = NULL;
  nodes->count = 0;
  return result;
}

SYCLZE_LOCAL uint32_t syclze__nodes_count_steps(const struct syclze__nodes *nodes) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < nodes->count; i++)
    count += nodes->all[i]->subgraph != NULL ? nodes->all[i]->subgraph->count : 1;
  return count;
}

/* Fills in the steps, each with a reference to its node. */
SYCLZE_LOCAL_WARM void syclze__nodes_flatten(
    const struct syclze__nodes *nodes, struct syclze__graph_step *steps) {
  for (uint32_t i = 0; i < nodes->count; i++) {
    struct syclze__node *node = nodes->all[i];
    const struct syclze__graph_step self = {node, 0};
    const struct syclze__graph_step *of = node->subgraph != NULL ? node->subgraph->steps : &self;
    const uint32_t count = node->subgraph != NULL ? node->subgraph->count : 1;
    for (uint32_t j = 0; j < count; j++, steps++) {
      steps->node = of[j].node;
      steps->level = node->level + of[j].level;
      syclze__ref_retain(&steps->node->ref);
    }
  }
}

/* The nodes as those of one node of another graph; null without memory. */
SYCLZE_LOCAL struct syclze__subgraph *syclze__subgraph_new(const struct syclze__nodes *nodes) {
  const uint32_t count = syclze__nodes_count_steps(nodes);
  struct syclze__subgraph *created = (struct syclze__subgraph *)malloc(
      sizeof *created + count * sizeof(struct syclze__graph_step));
  if (created == NULL) return NULL;
  created->count = count;
  created->span = 1;
  created->steps = (struct syclze__graph_step *)(void *)(created + 1);
  syclze__nodes_flatten(nodes, created->steps);
  for (uint32_t i = 0; i < nodes->count; i++)
    if (created->span < syclze__node_behind(nodes->all[i]))
      created->span = syclze__node_behind(nodes->all[i]);
  return created;
}

SYCLZE_INLINE bool syclze__access_discards(syclze_access_mode mode) {
  return mode == SYCLZE_ACCESS_DISCARD_WRITE || mode == SYCLZE_ACCESS_DISCARD_READ_WRITE;
}

/* The mode of all of the object for an accessor of it. */
SYCLZE_INLINE syclze_access_mode syclze__access_mode_whole(const syclze_accessor *accessor) {
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

/* Accessors of all that the nodes access: one for each memory object, or for several over one
 * allocation. Allocated; null without memory. */
SYCLZE_LOCAL syclze_accessor *syclze__nodes_join(
    const struct syclze__nodes *nodes, uint32_t *count) {
  uint32_t most = 1;
  for (uint32_t i = 0; i < nodes->count; i++)
    most += nodes->all[i]->accessor_count;
  syclze_accessor *joined = (syclze_accessor *)malloc(most * sizeof *joined);
  *count = 0;
  if (joined == NULL) return NULL;
  for (uint32_t i = 0; i < nodes->count; i++) {
    const struct syclze__node *node = nodes->all[i];
    for (uint32_t j = 0; j < node->accessor_count; j++) {
      const syclze_accessor *accessor = &node->accessors[j];
      const syclze_access_mode mode = syclze__access_mode_whole(accessor);
      uint32_t at = 0;
      while (at < *count &&
             syclze__accesses_of(joined[at].memory) != syclze__accesses_of(accessor->memory))
        at++;
      if (at < *count)
        joined[at].mode = syclze__access_mode_join(joined[at].mode, mode);
      else /* the size of a whole buffer is not read again */
        joined[(*count)++] = syclze__accessor_whole(
            accessor->memory, accessor->is_image ? 0 : 1, accessor->is_image, mode);
    }
  }
  return joined;
}

#endif

SYCLZE_EXTERN_C_END

#endif
