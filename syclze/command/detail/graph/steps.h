/* Nodes in the order of a command list, and their joined accesses. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_STEPS_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_STEPS_H

#include "memory_index.h"
#include "node.h"

SYCLZE_EXTERN_C_BEGIN

/* The average number of edges of a step that are kept: one graph behind another may have more. */
enum { SYCLZE__STEP_EDGES = 16 };

/* The nodes of a graph, in the order of recording, each with a reference, and their edges. */
struct syclze__nodes {
  uint32_t count, edge_count;
  struct syclze__node **all; /* allocated; the levels and the edges are behind it */
};

/* The level of each node: the length of the longest path to it. */
SYCLZE_INLINE uint32_t *syclze__nodes_levels(const struct syclze__nodes *nodes) {
  return (uint32_t *)(void *)(nodes->all + nodes->count);
}

/* The edges, in the order of their making. */
SYCLZE_INLINE struct syclze__edge *syclze__nodes_edges(const struct syclze__nodes *nodes) {
  return (struct syclze__edge *)(void *)(syclze__nodes_levels(nodes) + nodes->count);
}

#if SYCLZE__BODIES

SYCLZE_INLINE size_t syclze__nodes_size(uint32_t count, uint32_t edges) {
  return count * (sizeof(struct syclze__node *) + sizeof(uint32_t)) +
         edges * sizeof(struct syclze__edge);
}

/* Allocates room for so many nodes and edges; false, and no nodes, without memory. */
SYCLZE_INLINE bool syclze__nodes_new(struct syclze__nodes *nodes, uint32_t count, uint32_t edges) {
  nodes->all = (struct syclze__node **)malloc(syclze__nodes_size(count, edges) + 1);
  nodes->count = nodes->all != NULL ? count : 0;
  nodes->edge_count = edges;
  return nodes->all != NULL;
}

/* Copies the nodes; false without memory. */
SYCLZE_LOCAL bool syclze__nodes_copy(
    struct syclze__nodes *nodes, const struct syclze__nodes *from) {
  if (!syclze__nodes_new(nodes, from->count, from->edge_count)) return false;
  memcpy((void *)nodes->all, (void *)from->all, syclze__nodes_size(from->count, from->edge_count));
  for (uint32_t i = 0; i < nodes->count; i++)
    syclze__ref_retain(&nodes->all[i]->ref);
  return true;
}

/* Computes the levels in one pass, if each edge precedes the edges from its second node; else
 * false. */
SYCLZE_INLINE bool syclze__nodes_level_recorded(struct syclze__nodes *nodes) {
  const struct syclze__edge *edges = syclze__nodes_edges(nodes);
  uint32_t *levels = syclze__nodes_levels(nodes), last = 0;
  for (uint32_t i = 0; i < nodes->edge_count; i++) {
    const struct syclze__edge edge = edges[i];
    if (edge.from >= edge.to || edge.to < last) return false;
    last = edge.to;
    const uint32_t behind = levels[edge.from] + syclze__node_span(nodes->all[edge.from]);
    if (levels[edge.to] < behind) levels[edge.to] = behind;
  }
  return true;
}

/* Computes the levels in topological order, by the edges from each node, which are adjacent in
 * `ends`: a node is taken once no edge to it is left. */
SYCLZE_LOCAL void syclze__nodes_level_sorted(struct syclze__nodes *nodes, uint32_t *left,
    uint32_t *ends, uint32_t *targets, uint32_t *ready) {
  const struct syclze__edge *edges = syclze__nodes_edges(nodes);
  uint32_t *levels = syclze__nodes_levels(nodes), count = 0;
  for (uint32_t i = 0; i < nodes->edge_count; i++) {
    left[edges[i].to]++;
    ends[edges[i].from]++;
  }
  for (uint32_t i = 1; i < nodes->count; i++)
    ends[i] += ends[i - 1];
  for (uint32_t i = nodes->edge_count; i-- > 0;)
    targets[--ends[edges[i].from]] = edges[i].to;
  /* Now `ends` holds the begin of each node's edges. */
  for (uint32_t i = 0; i < nodes->count; i++)
    if (left[i] == 0) ready[count++] = i;
  for (uint32_t done = 0; done < count; done++) {
    const uint32_t node = ready[done];
    const uint32_t behind = levels[node] + syclze__node_span(nodes->all[node]);
    const uint32_t end = node + 1 < nodes->count ? ends[node + 1] : nodes->edge_count;
    for (uint32_t i = ends[node]; i < end; i++) {
      const uint32_t to = targets[i];
      if (levels[to] < behind) levels[to] = behind;
      if (--left[to] == 0) ready[count++] = to;
    }
  }
  SYCLZE__ASSERT(count == nodes->count); /* no cycles */
}

/* Fills in the levels, which are 0; false without memory. */
SYCLZE_INLINE bool syclze__nodes_level(struct syclze__nodes *nodes) {
  const size_t count = nodes->count;
  if (syclze__nodes_level_recorded(nodes)) return true;
  memset(syclze__nodes_levels(nodes), 0, count * sizeof(uint32_t));
  uint32_t *room = (uint32_t *)calloc(3 * count + nodes->edge_count, sizeof *room);
  if (room == NULL) return false;
  syclze__nodes_level_sorted(nodes, room, room + count, room + 3 * count, room + 2 * count);
  free(room);
  return true;
}

SYCLZE_LOCAL ze_result_t syclze__nodes_free(struct syclze__nodes *nodes) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < nodes->count; i++)
    result = syclze__first_error(result, syclze__node_release(nodes->all[i]));
  free((void *)nodes->all);
  nodes->all = NULL;
  nodes->count = 0;
  return result;
}

/* Copies the nodes of a graph, which is locked; false without memory. */
SYCLZE_LOCAL_WARM bool syclze__nodes_take(
    struct syclze__nodes *nodes, const struct syclze__graph_order *order, uint32_t count) {
  if (!syclze__nodes_new(nodes, count, order->edge_count)) return false;
  uint32_t *levels = syclze__nodes_levels(nodes);
  struct syclze__edge *edges = syclze__nodes_edges(nodes);
  for (uint32_t i = 0; i < count; i++) {
    nodes->all[i] = order->places[i].node;
    levels[i] = 0;
    syclze__ref_retain(&nodes->all[i]->ref);
  }
  for (uint32_t i = 0; i < order->edge_count; i++) {
    edges[i].from = order->edges[i].from;
    edges[i].to = order->edges[i].to;
  }
  if (syclze__nodes_level(nodes)) return true;
  syclze__nodes_free(nodes);
  return false;
}

/* The number of steps of a node. */
SYCLZE_INLINE uint32_t syclze__node_steps(const struct syclze__node *node) {
  return node->subgraph != NULL ? node->subgraph->count : 1;
}

SYCLZE_LOCAL_WARM uint32_t syclze__nodes_count_steps(const struct syclze__nodes *nodes) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < nodes->count; i++)
    count += syclze__node_steps(nodes->all[i]);
  return count;
}

/* Fills in the steps of nodes with these levels, each with a reference to its node. */
SYCLZE_LOCAL_WARM void syclze__nodes_flatten(
    const struct syclze__nodes *nodes, const uint32_t *levels, struct syclze__graph_step *steps) {
  for (uint32_t i = 0; i < nodes->count; i++) {
    struct syclze__node *node = nodes->all[i];
    const struct syclze__graph_step self = {node, 0, true, true};
    const uint32_t count = syclze__node_steps(node);
    for (uint32_t j = 0; j < count; j++, steps++) {
      *steps = node->subgraph != NULL ? node->subgraph->steps[j] : self;
      steps->level += levels[i];
      syclze__ref_retain(&steps->node->ref);
    }
  }
}

/* The number of a node's first steps, which depend on none of its own; or, if `last`, of its last
 * steps, on which none of its own depends. */
SYCLZE_INLINE uint32_t syclze__node_ends(const struct syclze__node *node, bool last) {
  uint32_t count = 0;
  if (node->subgraph == NULL) return 1;
  for (uint32_t i = 0; i < node->subgraph->count; i++)
    count += last ? node->subgraph->steps[i].is_last : node->subgraph->steps[i].is_first;
  return count;
}

/* The number of edges between the steps of the nodes: those within subgraphs, and those from each
 * last step of a node to each first step of a dependent node. UINT32_MAX for too many to keep.
 * Otherwise each node has a step, so that as many steps as nodes have the edges of the nodes. */
SYCLZE_LOCAL_WARM uint32_t syclze__nodes_count_edges(
    const struct syclze__nodes *nodes, uint32_t steps) {
  const struct syclze__edge *edges = syclze__nodes_edges(nodes);
  const uint64_t most = (uint64_t)SYCLZE__STEP_EDGES * steps;
  uint64_t count = 0;
  for (uint32_t i = 0; i < nodes->count; i++) {
    const struct syclze__subgraph *subgraph = nodes->all[i]->subgraph;
    if (subgraph == NULL) continue;
    /* A subgraph without steps would lose the edges through it. */
    if (subgraph->count == 0 || subgraph->edge_count == UINT32_MAX) return UINT32_MAX;
    count += subgraph->edge_count;
  }
  if (steps == nodes->count)
    count = nodes->edge_count;
  else
    for (uint32_t i = 0; i < nodes->edge_count; i++)
      count += (uint64_t)syclze__node_ends(nodes->all[edges[i].from], true) *
               syclze__node_ends(nodes->all[edges[i].to], false);
  return count <= most ? (uint32_t)count : UINT32_MAX;
}

/* Fills in the edges between the steps, as many as were counted, and returns their number;
 * UINT32_MAX without memory, or for too many. */
SYCLZE_LOCAL_WARM uint32_t syclze__nodes_connect(const struct syclze__nodes *nodes,
    const struct syclze__graph_step *steps, uint32_t step_count, struct syclze__edge *edges,
    uint32_t count) {
  const struct syclze__edge *own = syclze__nodes_edges(nodes), *end = own + nodes->edge_count;
  if (count == UINT32_MAX) return count;
  if (step_count == nodes->count) {
    memcpy((void *)edges, (const void *)own, count * sizeof *edges);
    return count;
  }
  uint32_t *begins = (uint32_t *)malloc((nodes->count + 1) * sizeof *begins);
  if (begins == NULL) return UINT32_MAX;
  begins[0] = 0;
  for (uint32_t i = 0; i < nodes->count; i++) {
    const struct syclze__subgraph *subgraph = nodes->all[i]->subgraph;
    begins[i + 1] = begins[i] + syclze__node_steps(nodes->all[i]);
    for (uint32_t j = 0; subgraph != NULL && j < subgraph->edge_count; j++, edges++) {
      edges->from = begins[i] + subgraph->edges[j].from;
      edges->to = begins[i] + subgraph->edges[j].to;
    }
  }
  for (; own != end; own++) {
    const uint32_t last = begins[own->from + 1];
    const uint32_t to = begins[own->to], last_to = begins[own->to + 1];
    for (uint32_t i = begins[own->from]; i < last; i++)
      for (uint32_t j = to; j < last_to && steps[i].is_last; j++)
        if (steps[j].is_first) {
          const struct syclze__edge edge = {i, j};
          *edges++ = edge;
        }
  }
  free(begins);
  return count;
}

/* Makes the nodes a subgraph, for a node of another graph; null without memory. */
SYCLZE_LOCAL struct syclze__subgraph *syclze__subgraph_new(const struct syclze__nodes *nodes) {
  const uint32_t count = syclze__nodes_count_steps(nodes);
  const uint32_t edges = syclze__nodes_count_edges(nodes, count);
  const uint32_t kept = edges != UINT32_MAX ? edges : 0;
  struct syclze__subgraph *created = (struct syclze__subgraph *)malloc(
      sizeof *created + count * sizeof *created->steps + kept * sizeof *created->edges);
  if (created == NULL) return NULL;
  created->count = count;
  created->span = 1;
  created->steps = (struct syclze__graph_step *)(void *)(created + 1);
  created->edges = (struct syclze__edge *)(void *)(created->steps + count);
  const uint32_t *levels = syclze__nodes_levels(nodes);
  syclze__nodes_flatten(nodes, levels, created->steps);
  created->edge_count = syclze__nodes_connect(nodes, created->steps, count, created->edges, edges);
  for (uint32_t i = 0; i < count; i++)
    created->steps[i].is_first = created->steps[i].is_last = true;
  for (uint32_t i = 0; i < kept && created->edge_count != UINT32_MAX; i++) {
    created->steps[created->edges[i].from].is_last = false;
    created->steps[created->edges[i].to].is_first = false;
  }
  for (uint32_t i = 0; i < nodes->count; i++) {
    const uint32_t behind = levels[i] + syclze__node_span(nodes->all[i]);
    if (created->span < behind) created->span = behind;
  }
  return created;
}

SYCLZE_INLINE bool syclze__access_discards(syclze_access_mode mode) {
  return mode == SYCLZE_ACCESS_DISCARD_WRITE || mode == SYCLZE_ACCESS_DISCARD_READ_WRITE;
}

/* The mode of an access to the whole object that covers the accessor's. */
SYCLZE_INLINE syclze_access_mode syclze__access_mode_whole(const syclze_accessor *accessor) {
  return accessor->is_part && syclze__access_discards(accessor->mode) ? SYCLZE_ACCESS_READ_WRITE
                                                                      : accessor->mode;
}

/* The mode that covers `before` followed by `mode`. */
SYCLZE_INLINE syclze_access_mode syclze__access_mode_join(
    syclze_access_mode before, syclze_access_mode mode) {
  if (before == mode) return mode;
  /* Contents that the first access discards need not be given to later ones. */
  return syclze__access_discards(before) ? SYCLZE_ACCESS_DISCARD_READ_WRITE
                                         : SYCLZE_ACCESS_READ_WRITE;
}

/* Allocates accessors of all memory that the nodes access, behind `head` bytes: one for each memory
 * object, or for several over one allocation. Null without memory. */
SYCLZE_LOCAL_WARM void *syclze__nodes_join(
    const struct syclze__nodes *nodes, size_t head, uint32_t *count) {
  uint32_t most = 1;
  for (uint32_t i = 0; i < nodes->count; i++)
    most += nodes->all[i]->accessor_count;
  char *created = (char *)malloc(head + most * sizeof(syclze_accessor));
  syclze_accessor *joined = (syclze_accessor *)(void *)(created + head);
  struct syclze__memory_index index = {NULL, 0, 0};
  if (created == NULL || !syclze__memory_index_reserve(&index, most)) {
    free(created);
    return NULL;
  }
  for (uint32_t i = 0; i < nodes->count; i++) {
    const struct syclze__node *node = nodes->all[i];
    const syclze_accessor *accessor = node->accessors, *end = accessor + node->accessor_count;
    for (; accessor != end; accessor++) {
      const syclze_access_mode mode = syclze__access_mode_whole(accessor);
      const uint32_t before = index.count;
      syclze_accessor *of =
          &joined[syclze__memory_index_require(&index, syclze__accesses_of(accessor->memory))];
      /* The size of a whole buffer is not read again. */
      if (index.count != before)
        *of = syclze__accessor_whole(
            accessor->memory, accessor->is_image ? 0 : 1, accessor->is_image, mode);
      else
        of->mode = syclze__access_mode_join(of->mode, mode);
    }
  }
  *count = index.count;
  free(index.all);
  return created;
}

#endif

SYCLZE_EXTERN_C_END

#endif
