/* Random programs, generated from a seed: which action accesses what on which queue; and the
   expected contents, computed by running the nodes in submission order. Independent of syclze. */
#ifndef TESTS_DEVICE_GRAPH_H
#define TESTS_DEVICE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

enum {
  GRAPH_OBJECTS = 8,
  GRAPH_NODES = 64,
  GRAPH_ROWS = 8, /* of an object */
  GRAPH_COLUMNS = 32,
  GRAPH_ITEMS = GRAPH_ROWS * GRAPH_COLUMNS,
  GRAPH_UNIT = 8 /* boxes are aligned to this many columns */
};

/* Kind of object, which decides what orders its uses: the graph's edges for USM, syclze for the
   others. */
enum graph_memory { GRAPH_BUFFER, GRAPH_USM, GRAPH_IMAGE };

enum graph_action {
  GRAPH_SET,   /* kernel: out = i * factor + addend; discards the old contents */
  GRAPH_MIX,   /* kernel: out = out * factor + a + addend */
  GRAPH_SUM,   /* kernel: out = a * factor + b; discards */
  GRAPH_LOCAL, /* kernel: as GRAPH_MIX, by a struct and local memory */
  GRAPH_COPY,  /* out = a, both contiguous */
  GRAPH_PART,  /* copy of boxes, at least one of them of a buffer */
  GRAPH_FILL,  /* out = addend */
  GRAPH_HOST,  /* host task: as GRAPH_MIX, of boxes */
  GRAPH_BARRIER,
  GRAPH_SET_IMAGE, /* kernel: as GRAPH_SET of an image's box */
  GRAPH_MIX_IMAGE, /* kernel: as GRAPH_MIX with an image's box as `a` */
  GRAPH_TO_IMAGE,  /* an image's box = a, contiguous */
  GRAPH_FROM_IMAGE,
  GRAPH_BETWEEN_IMAGES, /* all of an image = another */
  GRAPH_ACTIONS
};

/* Items of an object, counted row by row. */
struct graph_box {
  uint32_t object, row, column, rows, columns;
};

struct graph_node {
  enum graph_action action;
  uint32_t queue;
  struct graph_box out, in[2]; /* with equal item counts; inputs are disjoint from `out` */
  uint32_t in_count;
  uint32_t factor, addend;
  uint32_t delay;    /* duration of a host task in microseconds, so that a missing wait shows */
  uint64_t depends;  /* bit set of earlier nodes: edges for USM, and some redundant ones */
  bool wants_event;  /* a node depends on it, or the host waits for it */
  bool waits_behind; /* the host waits for the event before the next submission */
};

struct graph {
  uint32_t object_count, image_count, node_count;
  enum graph_memory memory[GRAPH_OBJECTS];
  struct graph_node nodes[GRAPH_NODES];
  uint32_t contents[GRAPH_OBJECTS][GRAPH_ITEMS]; /* at the start; after graph_model, at the end */
  bool waits_for_queues; /* at the end; if false, the release of the objects waits */
};

/* Generates the graph of a seed; `in_order` is the bit set of in-order queues. */
void graph_make(
    struct graph *graph, uint64_t seed, uint32_t queues, uint32_t in_order, bool images);

/* Index within the object of a box's i-th item. */
uint32_t graph_item(const struct graph_box *box, uint32_t i);

/* Applies the node to objects in host memory. */
void graph_compute(
    const struct graph_node *node, uint32_t *out, const uint32_t *a, const uint32_t *b);

/* Applies all nodes in order to the graph's contents. */
void graph_model(struct graph *graph);

#endif
