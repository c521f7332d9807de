/* Memory accesses of the nodes of random graphs, and their checks.
 *
 * Memory is an array of segments. A writer mixes its own number into the contents of a segment,
 * which so encode all writers in their order. A node compares what it finds with what the model
 * expects, or notes it; and it checks that the nodes which it must follow have ended. */
#ifndef TESTS_ORDERS_PLAIN_NODE_H
#define TESTS_ORDERS_PLAIN_NODE_H

#include <stdbool.h>
#include <stdint.h>

enum { SEGMENTS = 8, ACCESSES = 3, BEFORE = 24, RUNS = 48 };

enum { NODE_READS = 1, NODE_WRITES = 2 };

struct node_access {
  uint32_t object, first, end;
  uint32_t how;              /* NODE_READS, NODE_WRITES; both: mixes */
  uint64_t before[SEGMENTS]; /* what is expected, or was found, from `first` on */
};

struct node {
  uint32_t number, thread, queue, action;
  uint32_t fills; /* the number whose mixture a fill writes: of a graph, that of its recording */
  uint32_t access_count, before_count;
  bool is_left;  /* nothing waits for it */
  bool notes;    /* what it finds is noted, else compared */
  uint32_t runs; /* 1 for what runs code, else 0 */
  uint32_t ran, failed;
  uint32_t delay; /* microseconds, of a function of the host */
  struct node *before[BEFORE];
  struct node *gate; /* an event that the application signals, which ends the node; null for none */
  struct node_access accesses[ACCESSES];
  const char *problem;
  uint64_t found, expected; /* of the problem */
  uint32_t where;
};

/* A node of a graph that is recorded: what it runs as, each time that the graph is submitted. */
struct step {
  struct step *older;
  void *argument;       /* of its function; null for none */
  uint32_t given, runs; /* submissions of it, and how often it has run */
  struct node *nodes[RUNS];
};

/* The node that the step runs as this time; null, with a report, if it was not submitted. */
struct node *step_next(struct step *step);

uint64_t node_mix(uint64_t contents, uint32_t number);

/* Does what the node does: to the segments that each of its accesses begins at. */
void node_run(struct node *node, uint64_t *const *memory);

bool node_has_run(const struct node *node);

#endif
