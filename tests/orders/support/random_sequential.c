#include "random_world.h"

enum { ALL = THREADS * NODES };

/* comes_after[a][b]: node a must stand behind node b. */
struct order {
  struct random_world *world;
  uint32_t count;
  bool comes_after[ALL][ALL];
};

static struct node *node_at(const struct order *order, uint32_t number) {
  return &order->world->nodes[number / NODES][number % NODES];
}

/* The node's access to a segment; null for none. */
static const struct node_access *access_to(
    const struct node *node, uint32_t object, uint32_t segment) {
  for (uint32_t i = 0; i < node->access_count; i++) {
    const struct node_access *access = &node->accesses[i];
    if (access->object == object && access->first <= segment && segment < access->end)
      return access;
  }
  return NULL;
}

static bool fail(
    const struct order *order, const char *problem, uint32_t object, uint32_t segment) {
  printf("FAIL seed %llu: segment %u of object %u %s\n", (unsigned long long)order->world->seed,
      segment, object, problem);
  return false;
}

/* Follows the writers from the contents at the start. Who read the same contents as a writer stands
   before it and behind the writer before. */
static bool follow(struct order *order, uint32_t object, uint32_t segment) {
  uint64_t contents = order->world->objects[object].model[segment];
  uint32_t seen = 0, all = 0, last = ALL;
  for (uint32_t n = 0; n < order->count; n++)
    all += access_to(node_at(order, n), object, segment) != NULL;
  for (uint32_t steps = 0; steps <= all; steps++) {
    uint32_t writer = ALL, readers[ALL], reader_count = 0;
    for (uint32_t n = 0; n < order->count; n++) {
      const struct node_access *access = access_to(node_at(order, n), object, segment);
      if (access == NULL || access->before[segment - access->first] != contents) continue;
      seen++;
      if (last != ALL) order->comes_after[n][last] = true;
      if ((access->how & NODE_WRITES) == 0)
        readers[reader_count++] = n;
      else if (writer != ALL)
        return fail(order, "was found the same by two writers", object, segment);
      else
        writer = n;
    }
    if (writer == ALL) break;
    for (uint32_t i = 0; i < reader_count; i++)
      order->comes_after[writer][readers[i]] = true;
    contents = node_mix(contents, writer);
    last = writer;
  }
  return seen == all || fail(order, "had contents that nothing left", object, segment);
}

/* True if all nodes can be put into an order. */
static bool has_order(struct order *order) {
  bool placed[ALL] = {false};
  uint32_t left = order->count;
  for (bool progress = true; progress && left > 0;) {
    progress = false;
    for (uint32_t n = 0; n < order->count; n++) {
      bool ready = !placed[n];
      for (uint32_t b = 0; b < order->count && ready; b++)
        ready = placed[b] || !order->comes_after[n][b];
      if (!ready) continue;
      placed[n] = progress = true;
      left--;
    }
  }
  if (left > 0)
    printf("FAIL seed %llu: %u nodes stand in no sequential order\n",
        (unsigned long long)order->world->seed, left);
  return left == 0;
}

bool random_is_sequential(struct random_world *world) {
  struct order *order = calloc(1, sizeof *order);
  bool right = order != NULL;
  if (order == NULL) return false;
  order->world = world;
  order->count = world->threads * NODES;
  for (uint32_t n = 0; n < order->count; n++) {
    const struct node *node = node_at(order, n);
    if (n % NODES != 0) order->comes_after[n][n - 1] = true;
    for (uint32_t i = 0; i < node->before_count; i++)
      if (node->before[i]->number < order->count)
        order->comes_after[n][node->before[i]->number] = true;
  }
  for (uint32_t o = 0; o < world->object_count; o++)
    for (uint32_t s = 0; s < SEGMENTS && right; s++)
      right = follow(order, o, s);
  right = right && has_order(order);
  free(order);
  return right;
}
