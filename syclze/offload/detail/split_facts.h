/* Facts and variables that each id of a SPIR-V module reaches: facts need capabilities, variables
 * are the program's. Ids that reach each other are one component and reach the same; the components
 * are found in one walk over the module (Tarjan's algorithm), without recursion. */
#include "../split.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SPLIT_FACTS_H
#define SYCLZE_OFFLOAD_DETAIL_SPLIT_FACTS_H

#include "split_liveness.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The state of an id in the walk, and its results. */
struct syclze__split_node {
  uint32_t number; /* the order of its visit, from 1; 0: not visited */
  uint32_t low;    /* the lowest number that it reaches in its component */
  uint32_t facts;
  uint32_t variable; /* a variable that it reaches, or 0 */
  uint32_t joined;   /* of a variable: another of the same kernels, or itself */
  uint32_t caller;   /* the id from which it was visited */
  uint32_t position; /* of the instruction that is read; 0 once all are */
  uint32_t word;     /* of that instruction, the next */
  uint32_t below;    /* on the stack of open components: the one before; its own id: none */
  bool is_open;
  bool is_function;
};

struct syclze__split_facts {
  struct syclze__split_reach *reach;
  struct syclze__split_node *nodes; /* of each id */
  uint32_t last_number;
  uint32_t open; /* the top of the stack of open components; 0: none */
};

SYCLZE_LOCAL_WARM uint32_t syclze__split_variable(struct syclze__split_facts *facts, uint32_t id) {
  struct syclze__split_node *nodes = facts->nodes;
  while (nodes[id].joined != id) {
    nodes[id].joined = nodes[nodes[id].joined].joined;
    id = nodes[id].joined;
  }
  return id;
}

/* Adds all that `from` reaches to `to`. Variables that one id reaches belong together. */
SYCLZE_INLINE void syclze__split_absorb(
    struct syclze__split_facts *facts, uint32_t to, uint32_t from) {
  struct syclze__split_node *nodes = facts->nodes;
  nodes[to].facts |= nodes[from].facts;
  if (nodes[from].variable == 0) return;
  uint32_t variable = syclze__split_variable(facts, nodes[from].variable);
  if (nodes[to].variable != 0)
    nodes[variable].joined = syclze__split_variable(facts, nodes[to].variable);
  nodes[to].variable = variable;
}

SYCLZE_LOCAL void syclze__split_visit(
    struct syclze__split_facts *facts, uint32_t id, uint32_t caller) {
  const struct syclze__split_id *definition = &facts->reach->ids[id];
  struct syclze__split_node *node = &facts->nodes[id];
  syclze_spirv_instruction at = syclze__spirv_at(&facts->reach->spirv, definition->position);
  node->number = node->low = ++facts->last_number;
  node->caller = caller;
  node->position = definition->position;
  node->is_function = at.opcode == SYCLZE__SPIRV_OP_FUNCTION;
  node->word = 0;
  node->below = facts->open != 0 ? facts->open : id;
  node->is_open = true;
  facts->open = id;
  if (definition->flags & SYCLZE__SPLIT_ID_SUB_GROUPS) node->facts |= SYCLZE__SPLIT_SUB_GROUPS;
  if (at.opcode == SYCLZE__SPIRV_OP_VARIABLE && at.length >= 4 &&
      syclze_spirv_word(&at, 3) == SYCLZE__SPIRV_STORAGE_CROSS_WORKGROUP)
    node->variable = node->joined = id;
}

/* The next id that a node refers to; 0 for none. */
SYCLZE_LOCAL uint32_t syclze__split_next_reference(
    struct syclze__split_facts *facts, struct syclze__split_node *node) {
  struct syclze__split_reach *reach = facts->reach;
  while (node->position != 0) {
    syclze_spirv_instruction at = syclze__spirv_at(&reach->spirv, node->position);
    if (node->word == 0) {
      reach->visits++;
      node->facts |= syclze__split_facts_of(reach, &at);
      node->word = 1;
    }
    uint32_t literals = syclze__split_debug_literals(reach, &at);
    while (node->word < at.length) {
      uint32_t word = node->word++;
      if (!syclze__spirv_word_is_id(&at, word) ||
          (word >= 5 && word < 21 && literals >> (word - 5) & 1))
        continue;
      uint32_t id = syclze_spirv_word(&at, word);
      if (id != 0 && id < reach->id_count && reach->ids[id].position != 0) return id;
    }
    node->word = 0;
    node->position += at.length;
    if (!node->is_function || at.opcode == 56 ||
        node->position >= reach->spirv.words) /* FunctionEnd */
      node->position = 0;
  }
  return 0;
}

/* Closes the component of which `id` was visited first. */
SYCLZE_LOCAL void syclze__split_close(struct syclze__split_facts *facts, uint32_t id) {
  struct syclze__split_node *nodes = facts->nodes;
  uint32_t member = facts->open;
  for (uint32_t at = member; at != id; at = nodes[at].below)
    syclze__split_absorb(facts, id, at);
  while (true) {
    uint32_t below = nodes[member].below;
    nodes[member].is_open = false;
    nodes[member].facts = nodes[id].facts;
    nodes[member].variable = nodes[id].variable;
    if (member == id) {
      facts->open = below == id ? 0 : below;
      return;
    }
    member = below;
  }
}

/* Finds all that an id reaches, and all that the ids on the path reach. */
SYCLZE_LOCAL void syclze__split_find_facts(struct syclze__split_facts *facts, uint32_t root) {
  struct syclze__split_node *nodes = facts->nodes;
  if (nodes[root].number != 0) return;
  syclze__split_visit(facts, root, 0);
  for (uint32_t id = root; id != 0;) {
    struct syclze__split_node *node = &nodes[id];
    uint32_t next = syclze__split_next_reference(facts, node);
    if (next == 0) {
      uint32_t caller = node->caller;
      if (node->low == node->number) syclze__split_close(facts, id);
      if (caller != 0) {
        if (nodes[id].is_open && node->low < nodes[caller].low) nodes[caller].low = node->low;
        if (!nodes[id].is_open) syclze__split_absorb(facts, caller, id);
      }
      id = caller;
    } else if (nodes[next].number == 0) {
      syclze__split_visit(facts, next, id);
      id = next;
    } else if (nodes[next].is_open) {
      if (nodes[next].number < node->low) node->low = nodes[next].number;
    } else
      syclze__split_absorb(facts, id, next);
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
