/* Random programs: what is accessed by which action on which queue, made by a seed, and what every
   byte must be when all is done, by running the nodes one after another in the order of their
   submission. Nothing of syclze in it. */
#ifndef TESTS_DEVICE_GRAPH_H
#define TESTS_DEVICE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

enum {
  GRAPH_OBJECTS = 8,
  GRAPH_NODES = 64,
  GRAPH_ITEMS = 256, /* in an object */
  GRAPH_UNIT = 32    /* ranges begin and end at multiples of it */
};

/* What an object is, and so who orders its uses: the library, or the graph's own edges. */
enum graph_memory { GRAPH_BUFFER, GRAPH_USM };

enum graph_action {
  GRAPH_SET,   /* kernel: out = i * factor + addend; the old contents are discarded */
  GRAPH_MIX,   /* kernel: out = out * factor + a + addend */
  GRAPH_SUM,   /* kernel: out = a * factor + b; discards */
  GRAPH_LOCAL, /* kernel: as GRAPH_MIX, by a struct and local memory */
  GRAPH_COPY,  /* out = a */
  GRAPH_FILL,  /* out = addend */
  GRAPH_HOST,  /* host task: as GRAPH_MIX */
  GRAPH_BARRIER,
  GRAPH_ACTIONS
};

struct graph_range {
  uint32_t object, first, count;
};

struct graph_node {
  enum graph_action action;
  uint32_t queue;
  struct graph_range out, in[2]; /* they do not overlap */
  uint32_t in_count;
  uint32_t factor, addend;
  uint64_t depends;  /* on earlier nodes, by bits: edges of USM, and some that nobody needs */
  bool wants_event;  /* some node depends on it, or it is waited for by chance */
  bool waits_behind; /* the host waits for the event before it goes on */
};

struct graph {
  uint32_t object_count, node_count;
  enum graph_memory memory[GRAPH_OBJECTS];
  struct graph_node nodes[GRAPH_NODES];
  uint32_t contents[GRAPH_OBJECTS][GRAPH_ITEMS]; /* at the start; after graph_model, at the end */
  bool waits_for_queues; /* at the end; otherwise the release of the buffers waits */
};

/* The graph of a seed, for queues of which `in_order` says by bits which are in order. */
void graph_make(struct graph *graph, uint64_t seed, uint32_t queues, uint32_t in_order);

/* What the node does to contents that lie in plain memory. */
void graph_compute(
    const struct graph_node *node, uint32_t *out, const uint32_t *a, const uint32_t *b);

/* Runs all nodes in turn on the graph's contents. */
void graph_model(struct graph *graph);

#endif
