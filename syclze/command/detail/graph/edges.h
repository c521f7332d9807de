/* Edges between the nodes of a graph under construction, and the last nodes of queues and of memory
 * objects, by which the edges of later nodes are found.
 *
 * A node has one edge from each node that it depends on directly. The edges are in an array, so
 * that a graph is copied by a few copies of arrays. The edges to a node are also a list, as are
 * those from a node. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_EDGES_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_EDGES_H

#include "../../../config.h"
#include "../../../detail/ref.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__node;

struct syclze__edge {
  uint32_t from, to; /* indices of nodes */
};

/* An edge of a graph under construction: in the list of edges to its second node, and in the list
 * of edges from its first. */
struct syclze__graph_edge {
  uint32_t from, to;
  uint32_t next_to, next_from; /* UINT32_MAX for the last one */
};

struct syclze__graph_place {
  struct syclze__node *node;     /* with a reference */
  const void *queue;             /* that recorded the node; null for none */
  uint32_t first_to, first_from; /* the newest edges to and from the node; UINT32_MAX for none */
  uint32_t mark;                 /* of the last search that reached the node */
};

/* A node that reads a memory object, since the last write to it. */
struct syclze__graph_read {
  uint32_t node, next; /* UINT32_MAX for the last one */
};

/* All zero for no nodes. */
struct syclze__graph_order {
  struct syclze__graph_edge *edges;
  struct syclze__graph_place *places; /* of each node */
  struct syclze__graph_read *reads;
  uint32_t edge_count, edge_room, place_room, read_count, read_room;
  uint32_t search; /* the number of the last search */
  bool goes_back;  /* an edge leads to a node that was recorded before its first */
};

#if SYCLZE__BODIES

/* Reallocates the array with room for `more` elements of `size` bytes. */
SYCLZE_LOCAL bool syclze__graph_move(
    void **array, uint32_t *room, uint32_t count, uint32_t more, size_t size) {
  uint32_t larger = *room != 0 ? *room : 16;
  if (more > UINT32_MAX / 8 || count > UINT32_MAX / 8) return false;
  while (larger < count + more)
    larger *= 4;
  void *moved = realloc(*array, larger * size);
  if (moved == NULL) return false;
  *array = moved;
  *room = larger;
  return true;
}

/* Makes room for `more` elements of `size` bytes in the array; false without memory. */
SYCLZE_INLINE bool syclze__graph_room(
    void **array, uint32_t *room, uint32_t count, uint32_t more, size_t size) {
  return more <= *room - count || syclze__graph_move(array, room, count, more, size);
}

/* Makes room for so many nodes, and more edges and reads. */
SYCLZE_LOCAL bool syclze__graph_order_grow(
    struct syclze__graph_order *order, uint32_t nodes, uint32_t edges, uint32_t reads) {
  void *places = order->places, *all = order->edges, *all_reads = order->reads;
  const bool has_room =
      syclze__graph_room(&places, &order->place_room, 0, nodes, sizeof *order->places) &&
      syclze__graph_room(&all, &order->edge_room, order->edge_count, edges, sizeof *order->edges) &&
      syclze__graph_room(
          &all_reads, &order->read_room, order->read_count, reads, sizeof *order->reads);
  order->places = (struct syclze__graph_place *)places;
  order->edges = (struct syclze__graph_edge *)all;
  order->reads = (struct syclze__graph_read *)all_reads;
  return has_room;
}

SYCLZE_LOCAL void syclze__graph_order_free(struct syclze__graph_order *order) {
  free(order->edges);
  free(order->places);
  free(order->reads);
}

/* Adds an edge; there must be room. */
SYCLZE_LOCAL_WARM void syclze__edge_push(
    struct syclze__graph_order *order, uint32_t from, uint32_t to) {
  SYCLZE__ASSERT(order->edge_count < order->edge_room);
  const uint32_t edge = order->edge_count++;
  struct syclze__graph_place *first = &order->places[from], *second = &order->places[to];
  const struct syclze__graph_edge added = {from, to, second->first_to, first->first_from};
  order->edges[edge] = added;
  first->first_from = second->first_to = edge;
}

/* Adds an edge from the node of this index, unless the search has added it; UINT32_MAX is no node.
 * There must be room. */
SYCLZE_INLINE void syclze__edge_add(struct syclze__graph_order *order, uint32_t from, uint32_t to) {
  if (from == UINT32_MAX || order->places[from].mark == order->search) return;
  order->places[from].mark = order->search;
  syclze__edge_push(order, from, to);
}

/* Removes the edges to the newest node, which has no edges from it. */
SYCLZE_LOCAL void syclze__edges_drop(struct syclze__graph_order *order, uint32_t count) {
  while (order->edge_count > count) {
    const uint32_t edge = --order->edge_count;
    order->places[order->edges[edge].from].first_from = order->edges[edge].next_from;
  }
}

/* True if another node of its queue depends on the node. */
SYCLZE_INLINE bool syclze__place_is_inner(const struct syclze__graph_order *order, uint32_t node) {
  uint32_t edge = order->places[node].first_from;
  while (
      edge != UINT32_MAX && order->places[order->edges[edge].to].queue != order->places[node].queue)
    edge = order->edges[edge].next_from;
  return edge != UINT32_MAX;
}

/* The place of the next node, which has no edges. */
SYCLZE_INLINE void syclze__place_begin(
    struct syclze__graph_order *order, uint32_t node, const void *queue) {
  const struct syclze__graph_place place = {NULL, queue, UINT32_MAX, UINT32_MAX, 0};
  order->places[node] = place;
}

#endif

SYCLZE_EXTERN_C_END

#endif
