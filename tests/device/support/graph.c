#include "graph.h"

#include <string.h>

/* splitmix64. */
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint32_t below(uint64_t *state, uint32_t limit) {
  return (uint32_t)(next(state) % limit);
}

static bool one_in(uint64_t *state, uint32_t number) {
  return below(state, number) == 0;
}

static bool overlap(const struct graph_range *a, const struct graph_range *b) {
  return a->object == b->object && a->first < b->first + b->count && b->first < a->first + a->count;
}

/* A range of so many items that does not overlap the others. */
static struct graph_range range_of(const struct graph *graph, uint64_t *random, uint32_t count,
    const struct graph_range *others, uint32_t other_count) {
  struct graph_range range;
  uint32_t places = (GRAPH_ITEMS - count) / GRAPH_UNIT + 1;
  bool free;
  do {
    range.object = below(random, graph->object_count);
    range.first = below(random, places) * GRAPH_UNIT;
    range.count = count;
    free = true;
    for (uint32_t i = 0; i < other_count; i++)
      free = free && !overlap(&range, &others[i]);
  } while (!free);
  return range;
}

static uint32_t inputs_of(enum graph_action action) {
  switch (action) {
  case GRAPH_SET:
  case GRAPH_FILL:
  case GRAPH_BARRIER:
    return 0;
  case GRAPH_SUM:
    return 2;
  default:
    return 1;
  }
}

/* Whether the order of the two nodes matters for memory that the library does not watch. */
static bool conflict(
    const struct graph *graph, const struct graph_node *earlier, const struct graph_node *later) {
  struct graph_range e[3] = {earlier->out, earlier->in[0], earlier->in[1]};
  struct graph_range l[3] = {later->out, later->in[0], later->in[1]};
  for (uint32_t i = 0; i <= earlier->in_count; i++)
    for (uint32_t j = 0; j <= later->in_count; j++)
      if ((i == 0 || j == 0) && graph->memory[e[i].object] == GRAPH_USM && overlap(&e[i], &l[j]))
        return true;
  return false;
}

static void node_make(
    struct graph *graph, uint64_t *random, uint32_t index, uint32_t queues, uint32_t in_order) {
  struct graph_node *node = &graph->nodes[index];
  memset(node, 0, sizeof *node);
  node->action = (enum graph_action)below(random, GRAPH_ACTIONS);
  node->queue = below(random, queues);
  node->factor = below(random, 1000) * 2 + 1;
  node->addend = (uint32_t)next(random);
  node->wants_event = one_in(random, 3);
  node->waits_behind = node->wants_event && one_in(random, 8);
  node->in_count = inputs_of(node->action);
  if (node->action != GRAPH_BARRIER) {
    uint32_t count = (1 + below(random, GRAPH_ITEMS / GRAPH_UNIT / 2)) * GRAPH_UNIT;
    node->out = range_of(graph, random, count, NULL, 0);
    node->in[0] = range_of(graph, random, count, &node->out, 1);
    node->in[1] = range_of(graph, random, count, &node->out, 1);
  }
  for (uint32_t i = 0; i < index; i++) {
    struct graph_node *earlier = &graph->nodes[i];
    bool ordered = earlier->queue == node->queue && (in_order >> node->queue & 1) != 0;
    bool needed = !ordered && conflict(graph, earlier, node);
    if (!needed && !one_in(random, 64)) continue;
    node->depends |= (uint64_t)1 << i;
    earlier->wants_event = true;
  }
}

void graph_make(struct graph *graph, uint64_t seed, uint32_t queues, uint32_t in_order) {
  uint64_t random = seed;
  memset(graph, 0, sizeof *graph);
  graph->object_count = 2 + below(&random, GRAPH_OBJECTS - 1);
  graph->node_count = 1 + below(&random, GRAPH_NODES);
  graph->waits_for_queues = one_in(&random, 2);
  for (uint32_t i = 0; i < graph->object_count; i++) {
    graph->memory[i] = one_in(&random, 4) ? GRAPH_USM : GRAPH_BUFFER;
    for (uint32_t item = 0; item < GRAPH_ITEMS; item++)
      graph->contents[i][item] = (uint32_t)next(&random);
  }
  for (uint32_t i = 0; i < graph->node_count; i++)
    node_make(graph, &random, i, queues, in_order);
}

void graph_compute(
    const struct graph_node *node, uint32_t *out, const uint32_t *a, const uint32_t *b) {
  for (uint32_t i = 0; i < node->out.count; i++)
    switch (node->action) {
    case GRAPH_SET:
      out[i] = i * node->factor + node->addend;
      break;
    case GRAPH_SUM:
      out[i] = a[i] * node->factor + b[i];
      break;
    case GRAPH_COPY:
      out[i] = a[i];
      break;
    case GRAPH_FILL:
      out[i] = node->addend;
      break;
    default:
      out[i] = out[i] * node->factor + a[i] + node->addend;
    }
}

void graph_model(struct graph *graph) {
  for (uint32_t i = 0; i < graph->node_count; i++) {
    const struct graph_node *node = &graph->nodes[i];
    if (node->action == GRAPH_BARRIER) continue;
    graph_compute(node, graph->contents[node->out.object] + node->out.first,
        graph->contents[node->in[0].object] + node->in[0].first,
        graph->contents[node->in[1].object] + node->in[1].first);
  }
}
