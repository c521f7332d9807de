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
  GRAPH_ROWS = 8, /* of an object */
  GRAPH_COLUMNS = 32,
  GRAPH_ITEMS = GRAPH_ROWS * GRAPH_COLUMNS,
  GRAPH_UNIT = 8 /* boxes begin and end at columns that are multiples of it */
};

/* What an object is, and so who orders its uses: for USM the graph's own edges, else the library.
 */
enum graph_memory { GRAPH_BUFFER, GRAPH_USM, GRAPH_IMAGE };

enum graph_action {
  GRAPH_SET,   /* kernel: out = i * factor + addend; the old contents are discarded */
  GRAPH_MIX,   /* kernel: out = out * factor + a + addend */
  GRAPH_SUM,   /* kernel: out = a * factor + b; discards */
  GRAPH_LOCAL, /* kernel: as GRAPH_MIX, by a struct and local memory */
  GRAPH_COPY,  /* out = a, both without gaps */
  GRAPH_PART,  /* the same of boxes; one of the two at least is a buffer's */
  GRAPH_FILL,  /* out = addend */
  GRAPH_HOST,  /* host task: as GRAPH_MIX, of boxes */
  GRAPH_BARRIER,
  GRAPH_SET_IMAGE, /* kernel: as GRAPH_SET of an image's box */
  GRAPH_MIX_IMAGE, /* kernel: as GRAPH_MIX with an image's box as `a` */
  GRAPH_TO_IMAGE,  /* an image's box = a, which has no gaps */
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
  struct graph_box out, in[2]; /* of as many items each; neither overlaps `out` */
  uint32_t in_count;
  uint32_t factor, addend;
  uint32_t delay;    /* microseconds that a host task takes, so that who does not wait is early */
  uint64_t depends;  /* on earlier nodes, by bits: edges of USM, and some that nobody needs */
  bool wants_event;  /* some node depends on it, or it is waited for by chance */
  bool waits_behind; /* the host waits for the event before it goes on */
};

struct graph {
  uint32_t object_count, image_count, node_count;
  enum graph_memory memory[GRAPH_OBJECTS];
  struct graph_node nodes[GRAPH_NODES];
  uint32_t contents[GRAPH_OBJECTS][GRAPH_ITEMS]; /* at the start; after graph_model, at the end */
  bool waits_for_queues; /* at the end; otherwise the release of the objects waits */
};

/* The graph of a seed, for queues of which `in_order` says by bits which are in order. */
void graph_make(
    struct graph *graph, uint64_t seed, uint32_t queues, uint32_t in_order, bool images);

/* The index in its object of a box's i-th item. */
uint32_t graph_item(const struct graph_box *box, uint32_t i);

/* What the node does to objects that lie in plain memory. */
void graph_compute(
    const struct graph_node *node, uint32_t *out, const uint32_t *a, const uint32_t *b);

/* Runs all nodes in turn on the graph's contents. */
void graph_model(struct graph *graph);

#endif
