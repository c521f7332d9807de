#include "plain_node.h"

#include "strict.h"

#include <stddef.h>

uint64_t node_mix(uint64_t contents, uint32_t number) {
  uint64_t z = contents * 0x9e3779b97f4a7c15u + number + 1;
  z = (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9u;
  return z ^ (z >> 32);
}

bool node_has_run(const struct node *node) {
  return __atomic_load_n(&node->ran, __ATOMIC_ACQUIRE) != 0;
}

struct node *step_next(struct step *step) {
  const uint32_t run = __atomic_fetch_add(&step->runs, 1, __ATOMIC_ACQ_REL);
  if (run < __atomic_load_n(&step->given, __ATOMIC_ACQUIRE)) return step->nodes[run];
  strict_report("a step of a graph runs more often than the graph was submitted");
  return NULL;
}

static void fail(
    struct node *node, const char *problem, uint32_t where, uint64_t found, uint64_t expected) {
  if (__atomic_exchange_n(&node->failed, 1, __ATOMIC_ACQ_REL) != 0) return;
  node->problem = problem;
  node->where = where;
  node->found = found;
  node->expected = expected;
}

static void look(struct node *node, struct node_access *access, const uint64_t *memory) {
  for (uint32_t i = 0; i < access->end - access->first; i++) {
    const uint64_t found = memory[i];
    if ((access->how & NODE_READS) == 0) continue;
    if (node->notes)
      access->before[i] = found;
    else if (found != access->before[i])
      fail(node, "finds other contents in object", access->object, found, access->before[i]);
  }
}

void node_run(struct node *node, uint64_t *const *memory) {
  for (uint32_t i = 0; i < node->before_count; i++)
    if (!node_has_run(node->before[i])) fail(node, "overtakes node", node->before[i]->number, 0, 0);
  for (uint32_t i = 0; i < node->access_count; i++)
    look(node, &node->accesses[i], memory[i]);
  for (uint32_t i = 0; i < node->access_count; i++) {
    const struct node_access *access = &node->accesses[i];
    if ((access->how & NODE_WRITES) == 0) continue;
    for (uint32_t s = 0; s < access->end - access->first; s++) {
      const uint64_t old = (access->how & NODE_READS) != 0 ? memory[i][s] : 0;
      memory[i][s] = node_mix(old, node->number);
    }
  }
  if (__atomic_add_fetch(&node->ran, 1, __ATOMIC_ACQ_REL) != 1)
    fail(node, "runs again", 0, node->ran, 1);
}
