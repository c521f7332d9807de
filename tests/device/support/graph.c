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

static bool overlap(const struct graph_box *a, const struct graph_box *b) {
  return a->object == b->object && a->row < b->row + b->rows && b->row < a->row + a->rows &&
         a->column < b->column + b->columns && b->column < a->column + a->columns;
}

enum { BUFFERS = 1 << GRAPH_BUFFER, USM = 1 << GRAPH_USM, IMAGES = 1 << GRAPH_IMAGE };

/* A random box of the shape within an object of the kind, disjoint from the other box, which may be
   null. One always exists. */
static struct graph_box box_in(const struct graph *graph, uint64_t *random, int kinds,
    struct graph_box shape, const struct graph_box *other) {
  uint32_t rows = GRAPH_ROWS - shape.rows + 1,
           columns = (GRAPH_COLUMNS - shape.columns) / GRAPH_UNIT + 1;
  do {
    do
      shape.object = below(random, graph->object_count);
    while ((kinds >> graph->memory[shape.object] & 1) == 0);
    shape.row = below(random, rows);
    shape.column = below(random, columns) * GRAPH_UNIT;
  } while (other != NULL && overlap(&shape, other));
  return shape;
}

/* A box of one row with as many items, unless its rows are whole. */
static struct graph_box packed(struct graph_box shape) {
  if (shape.columns == GRAPH_COLUMNS) return shape;
  shape.columns *= shape.rows;
  shape.rows = 1;
  return shape;
}

/* Small enough that two boxes in one object can always be disjoint. A `packed` operand has whole
   rows, or at most one row of items. */
static struct graph_box shape_of(enum graph_action action, uint64_t *random) {
  struct graph_box shape = {.rows = GRAPH_ROWS, .columns = GRAPH_COLUMNS};
  if (action == GRAPH_BETWEEN_IMAGES) return shape;
  shape.rows = 1 + below(random, GRAPH_ROWS / 2);
  switch (action) {
  case GRAPH_HOST:
    shape.columns = (1 + below(random, GRAPH_COLUMNS / GRAPH_UNIT)) * GRAPH_UNIT;
    break;
  case GRAPH_PART:
  case GRAPH_SET_IMAGE:
  case GRAPH_MIX_IMAGE:
  case GRAPH_TO_IMAGE:
  case GRAPH_FROM_IMAGE:
    shape.columns = (1 + below(random, GRAPH_COLUMNS / GRAPH_UNIT)) * GRAPH_UNIT;
    shape.rows = shape.columns == GRAPH_COLUMNS ? 1 + below(random, GRAPH_ROWS / 4)
                                                : GRAPH_COLUMNS / shape.columns;
    break;
  default:
    break;
  }
  return shape;
}

static bool has_usm(const struct graph *graph) {
  uint32_t i = 0;
  while (i < graph->object_count && graph->memory[i] != GRAPH_USM)
    i++;
  return i < graph->object_count;
}

/* The boxes of a node other than a barrier. */
static void node_place(const struct graph *graph, uint64_t *random, struct graph_node *node) {
  struct graph_box shape = shape_of(node->action, random), out = shape, in = shape;
  int to = BUFFERS | USM, from = BUFFERS | USM;
  switch (node->action) {
  case GRAPH_PART:
    to = from = BUFFERS;
    if (!has_usm(graph) || one_in(random, 3)) break;
    if (one_in(random, 2)) {
      to = USM;
      out = packed(shape);
    } else {
      from = USM;
      in = packed(shape);
    }
    break;
  case GRAPH_SET_IMAGE:
    to = IMAGES;
    break;
  case GRAPH_TO_IMAGE:
    to = IMAGES;
    in = packed(shape);
    break;
  case GRAPH_MIX_IMAGE:
  case GRAPH_FROM_IMAGE:
    from = IMAGES;
    out = packed(shape);
    break;
  case GRAPH_BETWEEN_IMAGES:
    to = from = IMAGES;
    break;
  default:
    break;
  }
  node->out = box_in(graph, random, to, out, NULL);
  for (uint32_t i = 0; i < node->in_count; i++)
    node->in[i] = box_in(graph, random, from, in, &node->out);
}

static uint32_t inputs_of(enum graph_action action) {
  switch (action) {
  case GRAPH_SET:
  case GRAPH_SET_IMAGE:
  case GRAPH_FILL:
  case GRAPH_BARRIER:
    return 0;
  case GRAPH_SUM:
    return 2;
  default:
    return 1;
  }
}

/* True if the nodes conflict on memory that syclze does not track. */
static bool conflict(
    const struct graph *graph, const struct graph_node *earlier, const struct graph_node *later) {
  struct graph_box e[3] = {earlier->out, earlier->in[0], earlier->in[1]};
  struct graph_box l[3] = {later->out, later->in[0], later->in[1]};
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
  const uint32_t actions = graph->image_count > 1   ? GRAPH_ACTIONS
                           : graph->image_count > 0 ? GRAPH_BETWEEN_IMAGES
                                                    : GRAPH_SET_IMAGE;
  node->action = (enum graph_action)below(random, actions);
  node->queue = below(random, queues);
  node->factor = below(random, 1000) * 2 + 1;
  node->addend = (uint32_t)next(random);
  node->delay = below(random, 4) * 100;
  node->wants_event = one_in(random, 3);
  node->waits_behind = node->wants_event && one_in(random, 8);
  node->in_count = inputs_of(node->action);
  if (node->action != GRAPH_BARRIER) node_place(graph, random, node);
  for (uint32_t i = 0; i < index; i++) {
    struct graph_node *earlier = &graph->nodes[i];
    bool ordered = earlier->queue == node->queue && (in_order >> node->queue & 1) != 0;
    bool needed = !ordered && conflict(graph, earlier, node);
    if (!needed && !one_in(random, 64)) continue;
    node->depends |= (uint64_t)1 << i;
    earlier->wants_event = true;
  }
}

/* At least two objects that are not images; the first is a buffer. */
static enum graph_memory memory_of(uint64_t *random, uint32_t object, bool images) {
  if (object == 0) return GRAPH_BUFFER;
  if (object > 1 && images && one_in(random, 3)) return GRAPH_IMAGE;
  return one_in(random, 4) ? GRAPH_USM : GRAPH_BUFFER;
}

void graph_make(
    struct graph *graph, uint64_t seed, uint32_t queues, uint32_t in_order, bool images) {
  uint64_t random = seed;
  memset(graph, 0, sizeof *graph);
  graph->object_count = 2 + below(&random, GRAPH_OBJECTS - 1);
  graph->node_count = 1 + below(&random, GRAPH_NODES);
  graph->waits_for_queues = one_in(&random, 2);
  for (uint32_t i = 0; i < graph->object_count; i++) {
    graph->memory[i] = memory_of(&random, i, images);
    graph->image_count += graph->memory[i] == GRAPH_IMAGE;
    for (uint32_t item = 0; item < GRAPH_ITEMS; item++)
      graph->contents[i][item] = (uint32_t)next(&random);
  }
  for (uint32_t i = 0; i < graph->node_count; i++)
    node_make(graph, &random, i, queues, in_order);
}

uint32_t graph_item(const struct graph_box *box, uint32_t i) {
  return (box->row + i / box->columns) * GRAPH_COLUMNS + box->column + i % box->columns;
}

static uint32_t item_of(const uint32_t *object, const struct graph_box *box, uint32_t i) {
  return object[graph_item(box, i)];
}

void graph_compute(
    const struct graph_node *node, uint32_t *out, const uint32_t *a, const uint32_t *b) {
  const struct graph_box *in = node->in;
  for (uint32_t i = 0; i < node->out.rows * node->out.columns; i++) {
    uint32_t *item = &out[graph_item(&node->out, i)];
    switch (node->action) {
    case GRAPH_SET:
    case GRAPH_SET_IMAGE:
      *item = i * node->factor + node->addend;
      break;
    case GRAPH_SUM:
      *item = item_of(a, &in[0], i) * node->factor + item_of(b, &in[1], i);
      break;
    case GRAPH_COPY:
    case GRAPH_PART:
    case GRAPH_TO_IMAGE:
    case GRAPH_FROM_IMAGE:
    case GRAPH_BETWEEN_IMAGES:
      *item = item_of(a, &in[0], i);
      break;
    case GRAPH_FILL:
      *item = node->addend;
      break;
    default:
      *item = *item * node->factor + item_of(a, &in[0], i) + node->addend;
    }
  }
}

void graph_model(struct graph *graph) {
  for (uint32_t i = 0; i < graph->node_count; i++) {
    const struct graph_node *node = &graph->nodes[i];
    if (node->action == GRAPH_BARRIER) continue;
    graph_compute(node, graph->contents[node->out.object], graph->contents[node->in[0].object],
        graph->contents[node->in[1].object]);
  }
}
