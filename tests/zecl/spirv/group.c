#include "spirv/group.h"

#include "spirv/group_parts.h"

#include <stdlib.h>

#define EMIT(...) ZECL_SPIRV_EMIT(&g->writer, __VA_ARGS__)

/* --- Reading -----------------------------------------------------------------------------------
 */

static bool is_integer(const struct zecl_groups *g, uint32_t type) {
  return g->scalars[type].width && !g->scalars[type].is_float;
}

static void read_types(struct zecl_groups *g) {
  for (size_t at = SPIRV_HEADER_WORDS; at < g->count; at += SPIRV_LENGTH(g->words[at])) {
    const uint32_t *w = g->words + at;
    const uint32_t opcode = SPIRV_OPCODE(w[0]);
    if (SPIRV_LENGTH(w[0]) < 2 || w[opcode == SPIRV_OP_CONSTANT ? 2 : 1] >= g->words[3]) continue;
    switch (opcode) {
    case SPIRV_OP_ENTRY_POINT:
      if (w[2] < g->words[3]) g->entries[w[2]] = w;
      break;
    case SPIRV_OP_TYPE_BOOL:
      g->boolean = w[1];
      break;
    case SPIRV_OP_TYPE_INT:
      if (w[2] == 8 || w[2] == 16 || w[2] == 32 || w[2] == 64)
        g->scalars[w[1]].width = (uint8_t)w[2];
      if (w[2] == 32) g->word = w[1];
      if (w[2] == 64) g->size = w[1];
      break;
    case SPIRV_OP_TYPE_FLOAT:
      if (w[2] == 16 || w[2] == 32 || w[2] == 64)
        g->scalars[w[1]] = (struct zecl_group_scalar){.width = (uint8_t)w[2], .is_float = true};
      break;
    case SPIRV_OP_TYPE_VECTOR:
      if (w[2] >= g->words[3] || !is_integer(g, w[2])) break;
      g->vectors[w[1]] = (uint8_t)w[3];
      g->components[w[1]] = w[2];
      break;
    case SPIRV_OP_TYPE_FUNCTION:
      g->types[w[1]] = w;
      break;
    case SPIRV_OP_CONSTANT:
      g->groups[w[2]] = w[3] == SPIRV_SCOPE_WORKGROUP;
      break;
    default:
      break;
    }
  }
}

static bool has_functions(const struct zecl_groups *g) {
  for (size_t at = SPIRV_HEADER_WORDS; at < g->count; at += SPIRV_LENGTH(g->words[at])) {
    const uint32_t opcode = SPIRV_OPCODE(g->words[at]);
    if ((opcode >= SPIRV_OP_GROUP_ALL && opcode <= SPIRV_OP_GROUP_S_MAX) ||
        zecl_group_operator(opcode))
      return true;
  }
  return false;
}

/* Types that the module lacks: translators compare their ids. */
static void add_types(struct zecl_groups *g) {
  g->has_boolean = g->boolean, g->has_word = g->word, g->has_size = g->size;
  if (!g->boolean) g->boolean = zecl_group_id(g);
  if (!g->word) g->word = zecl_group_id(g);
  if (!g->size) g->size = zecl_group_id(g);
  g->pool = zecl_group_id(g);
  g->scalars[g->word].width = 32;
  g->scalars[g->size].width = 64;
}

/* The type of a value of a function's body or of a constant, where it is one of a local id. */
static uint32_t type_of(const struct zecl_groups *g, uint32_t value) {
  for (size_t at = SPIRV_HEADER_WORDS; at < g->count; at += SPIRV_LENGTH(g->words[at])) {
    const uint32_t *w = g->words + at;
    if (SPIRV_LENGTH(w[0]) > 2 && w[2] == value && w[1] < g->words[3] &&
        (is_integer(g, w[1]) || g->vectors[w[1]]))
      return w[1];
  }
  return 0;
}

/* The function that an instruction becomes a call of, new or known; null where it stays. */
static struct zecl_group_function *function_of(struct zecl_groups *g, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]), bound = g->words[3];
  if (((opcode < SPIRV_OP_GROUP_ALL || opcode > SPIRV_OP_GROUP_S_MAX) &&
          !zecl_group_operator(opcode)) ||
      w[1] >= bound || w[3] >= bound || !g->groups[w[3]])
    return NULL;
  struct zecl_group_function wanted = {.opcode = opcode, .operation = w[4], .type = w[1]};
  if (opcode == SPIRV_OP_GROUP_ALL || opcode == SPIRV_OP_GROUP_ANY) {
    wanted.opcode = opcode == SPIRV_OP_GROUP_ALL ? SPIRV_OP_GROUP_U_MIN : SPIRV_OP_GROUP_U_MAX;
    wanted.operation = ZECL_GROUP_REDUCE;
    wanted.type = g->word;
  } else if (opcode == SPIRV_OP_GROUP_BROADCAST) {
    wanted.operation = ZECL_GROUP_REDUCE;
    wanted.id_type = type_of(g, w[5]);
    if (!wanted.id_type) return NULL;
  }
  if (!g->scalars[wanted.type].width || wanted.operation > ZECL_GROUP_EXCLUSIVE) return NULL;
  for (uint32_t i = 0; i < g->function_count; i++) {
    struct zecl_group_function *known = &g->functions[i];
    if (known->opcode == wanted.opcode && known->operation == wanted.operation &&
        known->type == wanted.type && known->id_type == wanted.id_type)
      return known;
  }
  if (g->function_count == ZECL_MOST_GROUP_FUNCTIONS) return NULL;
  wanted.id = zecl_group_id(g);
  g->functions[g->function_count] = wanted;
  return &g->functions[g->function_count++];
}

/* The type of a function that has the parameter; 0 for any other. */
static uint32_t longer_type(const struct zecl_groups *g, const uint32_t *w) {
  const bool is_longer =
      SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION && g->has_memory[w[2]] && !g->entries[w[2]];
  return is_longer && w[4] < g->words[3] ? g->types_of_longer[w[4]] : 0;
}

/* True for what gives such a function a name: translators compare it with those of kernels, whose
 * parameters they expect. */
static bool is_name(const struct zecl_groups *g, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  const bool names =
      opcode == SPIRV_OP_NAME || (opcode == SPIRV_OP_DECORATE && w[2] == SPIRV_DECORATION_LINKAGE);
  return names && SPIRV_LENGTH(w[0]) > 2 && w[1] < g->words[3] && g->has_memory[w[1]] &&
         !g->entries[w[1]];
}

/* True for a call of such a function. */
static bool is_longer_call(const struct zecl_groups *g, const uint32_t *w) {
  return SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION_CALL && w[3] < g->words[3] &&
         g->has_memory[w[3]] && !g->entries[w[3]];
}

/* Adds the functions that are to be written, and finds those that call them. True when one of the
 * latter was not known before. */
static bool find_callers(struct zecl_groups *g) {
  bool found = false;
  uint32_t function = 0;
  for (size_t at = SPIRV_HEADER_WORDS; at < g->count; at += SPIRV_LENGTH(g->words[at])) {
    const uint32_t *w = g->words + at;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION) function = w[2];
    if (!(function_of(g, w) || is_longer_call(g, w)) || g->has_memory[function]) continue;
    g->has_memory[function] = found = true;
  }
  return found;
}

/* Ids of the variables of kernels, and of the types of other functions. */
static void add_memory(struct zecl_groups *g) {
  for (size_t at = SPIRV_HEADER_WORDS; at < g->count; at += SPIRV_LENGTH(g->words[at])) {
    const uint32_t *w = g->words + at;
    if (SPIRV_OPCODE(w[0]) != SPIRV_OP_FUNCTION || !g->has_memory[w[2]]) continue;
    if (g->entries[w[2]])
      g->memory[w[2]] = zecl_group_id(g);
    else if (w[4] < g->words[3] && g->types[w[4]] && !g->types_of_longer[w[4]])
      g->types_of_longer[w[4]] = zecl_group_id(g);
  }
}

/* --- The module --------------------------------------------------------------------------------
 */

/* The group's memory, in the function that is written. PoCL gives each group its own variable only
 * where the kernel itself names it, hence the parameters. */
static uint32_t emit_pool(struct zecl_groups *g) {
  if (!g->entries[g->function]) return g->parameter;
  const uint32_t pool = zecl_group_id(g);
  EMIT(SPIRV_OP_IN_BOUNDS_ACCESS_CHAIN, g->pool, pool, g->memory[g->function], g->nothing);
  return pool;
}

static void emit_call(
    struct zecl_groups *g, const struct zecl_group_function *f, const uint32_t *w) {
  const uint32_t pool = emit_pool(g);
  if (f->id_type) {
    EMIT(SPIRV_OP_FUNCTION_CALL, w[1], w[2], f->id, pool, w[4], w[5]);
  } else if (SPIRV_OPCODE(w[0]) > SPIRV_OP_GROUP_BROADCAST) {
    EMIT(SPIRV_OP_FUNCTION_CALL, w[1], w[2], f->id, pool, w[5]);
  } else {
    const uint32_t number = zecl_group_id(g), result = zecl_group_id(g);
    EMIT(SPIRV_OP_SELECT, g->word, number, w[4], g->dimensions[1], g->dimensions[0]);
    EMIT(SPIRV_OP_FUNCTION_CALL, g->word, result, f->id, pool, number);
    EMIT(SPIRV_OP_I_EQUAL, w[1], w[2], result, g->dimensions[1]);
  }
}

static void emit_longer_function(struct zecl_groups *g, const uint32_t *w) {
  EMIT(SPIRV_OP_FUNCTION, w[1], w[2], w[3], longer_type(g, w));
  EMIT(SPIRV_OP_FUNCTION_PARAMETER, g->pool, g->parameter = zecl_group_id(g));
}

static void emit_longer_call(struct zecl_groups *g, const uint32_t *w) {
  const uint32_t head = (SPIRV_LENGTH(w[0]) + 1) << 16 | SPIRV_OP_FUNCTION_CALL;
  const uint32_t pool = emit_pool(g);
  zecl_spirv_write(&g->writer, &head, 1);
  zecl_spirv_write(&g->writer, w + 1, 3);
  zecl_spirv_write(&g->writer, &pool, 1);
  zecl_spirv_write(&g->writer, w + 4, SPIRV_LENGTH(w[0]) - 4);
}

static void emit_instruction(struct zecl_groups *g, const uint32_t *w) {
  const struct zecl_group_function *f = function_of(g, w);
  if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION) g->function = w[2];
  if (f)
    emit_call(g, f, w);
  else if (is_longer_call(g, w))
    emit_longer_call(g, w);
  else if (longer_type(g, w))
    emit_longer_function(g, w);
  else if (!is_name(g, w))
    zecl_spirv_write(&g->writer, w, SPIRV_LENGTH(w[0]));
}

static void emit_module(struct zecl_groups *g) {
  bool is_annotated = false, is_declared = false;
  zecl_spirv_write(&g->writer, g->words, SPIRV_HEADER_WORDS);
  for (size_t at = SPIRV_HEADER_WORDS; at < g->count; at += SPIRV_LENGTH(g->words[at])) {
    const uint32_t *w = g->words + at, opcode = SPIRV_OPCODE(w[0]);
    if (!is_annotated && (opcode == SPIRV_OP_DECORATE || SPIRV_IS_TYPE(opcode))) {
      zecl_group_emit_annotations(g);
      is_annotated = true;
    }
    if (!is_declared && opcode == SPIRV_OP_FUNCTION) {
      zecl_group_emit_declarations(g);
      is_declared = true;
    }
    emit_instruction(g, w);
  }
  zecl_group_emit_functions(g);
}

static bool allocate(struct zecl_groups *g) {
  const size_t bound = g->words[3];
  g->scalars = calloc(bound + 5, sizeof *g->scalars);
  g->vectors = calloc(bound, sizeof *g->vectors);
  g->components = calloc(bound, sizeof *g->components);
  g->groups = calloc(bound, sizeof *g->groups);
  g->entries = calloc(bound, sizeof(const uint32_t *));
  g->has_memory = calloc(bound, sizeof *g->has_memory);
  g->memory = calloc(bound, sizeof *g->memory);
  g->types = calloc(bound, sizeof(const uint32_t *));
  g->types_of_longer = calloc(bound, sizeof *g->types_of_longer);
  return g->scalars && g->vectors && g->components && g->groups && g->entries && g->has_memory &&
         g->memory && g->types && g->types_of_longer;
}

uint32_t *zecl_spirv_plain_groups(
    const uint32_t *words, size_t count, uint32_t most, size_t *word_count) {
  struct zecl_groups g = {
      .writer = {.next_id = words[3]}, .words = words, .count = count, .most = most};
  uint32_t *made = NULL;
  g.get_item = zecl_group_id(&g);
  g.get_size = zecl_group_id(&g);
  if (allocate(&g)) {
    read_types(&g);
    add_types(&g);
    if (has_functions(&g))
      while (find_callers(&g))
        ;
    add_memory(&g);
    if (g.function_count)
      emit_module(&g);
    else
      zecl_spirv_write(&g.writer, words, count);
    made = zecl_spirv_written(&g.writer, word_count);
  }
  free(g.scalars);
  free(g.vectors);
  free(g.components);
  free(g.groups);
  free((void *)g.entries);
  free(g.has_memory);
  free(g.memory);
  free((void *)g.types);
  free(g.types_of_longer);
  return made;
}
