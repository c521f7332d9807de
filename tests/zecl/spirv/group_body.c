#include "spirv/group_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WORDS = 5 };
static const char item_name[] = "_Z12get_local_idj", size_name[] = "_Z14get_local_sizej";

#define EMIT(...) ZECL_SPIRV_EMIT(&g->writer, __VA_ARGS__)

uint32_t zecl_group_operator(uint32_t opcode) {
  switch (opcode) {
  case SPIRV_OP_GROUP_I_ADD:
    return SPIRV_OP_I_ADD;
  case SPIRV_OP_GROUP_F_ADD:
    return SPIRV_OP_F_ADD;
  case SPIRV_OP_GROUP_I_MUL:
    return SPIRV_OP_I_MUL;
  case SPIRV_OP_GROUP_F_MUL:
    return SPIRV_OP_F_MUL;
  case SPIRV_OP_GROUP_AND:
    return SPIRV_OP_BITWISE_AND;
  case SPIRV_OP_GROUP_OR:
    return SPIRV_OP_BITWISE_OR;
  case SPIRV_OP_GROUP_XOR:
    return SPIRV_OP_BITWISE_XOR;
  default:
    return 0;
  }
}

/* --- Declarations ------------------------------------------------------------------------------
 */

static void emit_import(struct zecl_groups *g, uint32_t function, const char *name) {
  uint32_t operands[2 + NAME_WORDS + 1] = {function, SPIRV_DECORATION_LINKAGE};
  const size_t words = strlen(name) / sizeof *operands + 1;
  memcpy(operands + 2, name, strlen(name));
  operands[2 + words] = SPIRV_LINKAGE_IMPORT;
  zecl_spirv_write_instruction(&g->writer, SPIRV_OP_DECORATE, operands, (uint32_t)(3 + words));
}

static uint32_t emit_constant(struct zecl_groups *g, uint32_t type, uint64_t value) {
  const uint32_t id = zecl_group_id(g);
  if (g->scalars[type].width > 32)
    EMIT(SPIRV_OP_CONSTANT, type, id, (uint32_t)value, (uint32_t)(value >> 32));
  else
    EMIT(SPIRV_OP_CONSTANT, type, id, (uint32_t)value);
  return id;
}

/* PoCL keeps a variable for each group where its name begins with that of the kernel and a dot;
 * others are of the whole process. */
static void emit_name(struct zecl_groups *g, uint32_t kernel) {
  const uint32_t *entry = g->entries[kernel];
  const char *name = (const char *)(entry + 3);
  const size_t length = strnlen(name, (SPIRV_LENGTH(entry[0]) - 3) * sizeof *entry);
  const uint32_t words = (uint32_t)(length + sizeof ".group") / 4 + 1;
  uint32_t *operands = calloc(words + 1, sizeof *operands);
  if (!operands) return;
  operands[0] = g->memory[kernel];
  snprintf((char *)(operands + 1), words * sizeof *operands, "%.*s.group", (int)length, name);
  zecl_spirv_write_instruction(
      &g->writer, SPIRV_OP_NAME, operands, 1 + (uint32_t)strlen((char *)(operands + 1)) / 4 + 1);
  free(operands);
}

void zecl_group_emit_annotations(struct zecl_groups *g) {
  for (uint32_t id = 0; id < g->words[3]; id++)
    if (g->memory[id]) emit_name(g, id);
  emit_import(g, g->get_item, item_name);
  emit_import(g, g->get_size, size_name);
}

/* A value of any type, of each item and one more. */
static void emit_memory(struct zecl_groups *g) {
  const uint32_t length = emit_constant(g, g->word, g->most + 1);
  const uint32_t array = zecl_group_id(g), pointer = zecl_group_id(g);
  EMIT(SPIRV_OP_TYPE_ARRAY, array, g->size, length);
  EMIT(SPIRV_OP_TYPE_POINTER, pointer, SPIRV_STORAGE_WORKGROUP, array);
  EMIT(SPIRV_OP_TYPE_POINTER, g->pool, SPIRV_STORAGE_WORKGROUP, g->size);
  for (uint32_t id = 0; id < g->words[3]; id++)
    if (g->memory[id]) EMIT(SPIRV_OP_VARIABLE, pointer, g->memory[id], SPIRV_STORAGE_WORKGROUP);
}

/* The type of a function of the module's own with one parameter more, the first. */
static void emit_longer_type(struct zecl_groups *g, const uint32_t *w) {
  const uint32_t head[] = {(SPIRV_LENGTH(w[0]) + 1) << 16 | SPIRV_OP_TYPE_FUNCTION,
      g->types_of_longer[w[1]], w[2], g->pool};
  zecl_spirv_write(&g->writer, head, 4);
  zecl_spirv_write(&g->writer, w + 3, SPIRV_LENGTH(w[0]) - 3);
}

/* The type of pointers of one of the functions: a function before it may have the same. */
static void emit_pointer(struct zecl_groups *g, uint32_t function) {
  struct zecl_group_function *f = &g->functions[function];
  for (uint32_t i = 0; i < function && !f->pointer; i++)
    if (g->functions[i].type == f->type) f->pointer = g->functions[i].pointer;
  if (f->pointer) return;
  f->pointer = zecl_group_id(g);
  EMIT(SPIRV_OP_TYPE_POINTER, f->pointer, SPIRV_STORAGE_WORKGROUP, f->type);
}

static void emit_types(struct zecl_groups *g) {
  if (!g->has_boolean) EMIT(SPIRV_OP_TYPE_BOOL, g->boolean);
  if (!g->has_word) EMIT(SPIRV_OP_TYPE_INT, g->word, 32, 0);
  if (!g->has_size) EMIT(SPIRV_OP_TYPE_INT, g->size, 64, 0);
  EMIT(SPIRV_OP_TYPE_FUNCTION, g->asking = zecl_group_id(g), g->size, g->word);
  emit_memory(g);
  for (uint32_t id = 0; id < g->words[3]; id++)
    if (g->types_of_longer[id]) emit_longer_type(g, g->types[id]);
  for (uint32_t i = 0; i < g->function_count; i++) {
    struct zecl_group_function *f = &g->functions[i];
    emit_pointer(g, i);
    f->function_type = zecl_group_id(g);
    if (f->id_type)
      EMIT(SPIRV_OP_TYPE_FUNCTION, f->function_type, f->type, g->pool, f->type, f->id_type);
    else
      EMIT(SPIRV_OP_TYPE_FUNCTION, f->function_type, f->type, g->pool, f->type);
  }
}

/* The neutral element of an operation, which leaves any value unchanged. */
static uint64_t neutral(uint32_t opcode, uint32_t width) {
  const uint64_t sign = 1ull << (width - 1), all = sign | (sign - 1);
  const uint64_t infinity = width == 16 ? 0x7c00 : width == 32 ? 0x7f800000 : 0x7ff0000000000000;
  switch (opcode) {
  case SPIRV_OP_GROUP_F_MIN:
    return infinity;
  case SPIRV_OP_GROUP_F_MAX:
    return infinity | sign;
  case SPIRV_OP_GROUP_U_MIN:
  case SPIRV_OP_GROUP_AND:
    return all;
  case SPIRV_OP_GROUP_I_MUL:
    return 1;
  case SPIRV_OP_GROUP_F_MUL:
    return width == 16 ? 0x3c00 : width == 32 ? 0x3f800000 : 0x3ff0000000000000;
  case SPIRV_OP_GROUP_S_MIN:
    return sign - 1;
  case SPIRV_OP_GROUP_S_MAX:
    return sign;
  default:
    return 0;
  }
}

static void emit_engine_functions(struct zecl_groups *g) {
  const uint32_t functions[] = {g->get_item, g->get_size};
  for (int i = 0; i < 2; i++) {
    EMIT(SPIRV_OP_FUNCTION, g->size, functions[i], 0, g->asking);
    EMIT(SPIRV_OP_FUNCTION_PARAMETER, g->word, zecl_group_id(g));
    zecl_spirv_emit_alone(&g->writer, SPIRV_OP_FUNCTION_END);
  }
}

void zecl_group_emit_declarations(struct zecl_groups *g) {
  emit_types(g);
  for (uint32_t i = 0; i < 3; i++)
    g->dimensions[i] = emit_constant(g, g->word, i);
  g->nothing = emit_constant(g, g->size, 0);
  g->one = emit_constant(g, g->size, 1);
  g->last = emit_constant(g, g->size, g->most);
  g->scope = g->dimensions[2];
  g->semantics = emit_constant(g, g->word, SPIRV_SEMANTICS_SEQUENTIAL | SPIRV_SEMANTICS_LOCAL);
  for (uint32_t i = 0; i < g->function_count; i++) {
    struct zecl_group_function *f = &g->functions[i];
    f->neutral = emit_constant(g, f->type, neutral(f->opcode, g->scalars[f->type].width));
  }
  emit_engine_functions(g);
}

/* --- Bodies ------------------------------------------------------------------------------------
 */

static uint32_t emit_binary(
    struct zecl_groups *g, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b) {
  const uint32_t id = zecl_group_id(g);
  EMIT(opcode, type, id, a, b);
  return id;
}

static uint32_t emit_number(struct zecl_groups *g, uint32_t function, int dimension) {
  const uint32_t id = zecl_group_id(g);
  EMIT(SPIRV_OP_FUNCTION_CALL, g->size, id, function, g->dimensions[dimension]);
  return id;
}

/* (z * y's size + y) * x's size + x */
static uint32_t emit_linear(struct zecl_groups *g, const uint32_t sizes[3], const uint32_t at[3]) {
  uint32_t sum = emit_binary(g, SPIRV_OP_I_MUL, g->size, at[2], sizes[1]);
  sum = emit_binary(g, SPIRV_OP_I_ADD, g->size, sum, at[1]);
  sum = emit_binary(g, SPIRV_OP_I_MUL, g->size, sum, sizes[0]);
  return emit_binary(g, SPIRV_OP_I_ADD, g->size, sum, at[0]);
}

static uint32_t emit_place(
    struct zecl_groups *g, const struct zecl_group_function *f, uint32_t index) {
  const uint32_t id = zecl_group_id(g);
  EMIT(SPIRV_OP_IN_BOUNDS_PTR_ACCESS_CHAIN, f->pointer, id, g->place, index);
  return id;
}

static uint32_t emit_load(
    struct zecl_groups *g, const struct zecl_group_function *f, uint32_t index) {
  const uint32_t place = emit_place(g, f, index), id = zecl_group_id(g);
  EMIT(SPIRV_OP_LOAD, f->type, id, place);
  return id;
}

static void emit_barrier(struct zecl_groups *g) {
  EMIT(SPIRV_OP_CONTROL_BARRIER, g->scope, g->scope, g->semantics);
}

static uint32_t emit_combined(
    struct zecl_groups *g, const struct zecl_group_function *f, uint32_t sum, uint32_t value) {
  static const uint32_t relations[] = {SPIRV_OP_F_ORD_LESS_THAN, SPIRV_OP_U_LESS_THAN,
      SPIRV_OP_S_LESS_THAN, SPIRV_OP_F_ORD_GREATER_THAN, SPIRV_OP_U_GREATER_THAN,
      SPIRV_OP_S_GREATER_THAN};
  if (zecl_group_operator(f->opcode))
    return emit_binary(g, zecl_group_operator(f->opcode), f->type, sum, value);
  const uint32_t is_new =
      emit_binary(g, relations[f->opcode - SPIRV_OP_GROUP_F_MIN], g->boolean, value, sum);
  const uint32_t id = zecl_group_id(g);
  EMIT(SPIRV_OP_SELECT, f->type, id, is_new, value, sum);
  return id;
}

/* The first item puts sums in the places of values, and that of all behind them. */
static void emit_sums(struct zecl_groups *g, const struct zecl_group_function *f, uint32_t entry,
    uint32_t loop, uint32_t after, uint32_t size) {
  const uint32_t index = zecl_group_id(g), sum = zecl_group_id(g), next_index = zecl_group_id(g),
                 next = zecl_group_id(g);
  EMIT(SPIRV_OP_LABEL, loop);
  EMIT(SPIRV_OP_PHI, g->size, index, g->nothing, entry, next_index, loop);
  EMIT(SPIRV_OP_PHI, f->type, sum, f->neutral, entry, next, loop);
  const uint32_t place = emit_place(g, f, index), value = zecl_group_id(g);
  EMIT(SPIRV_OP_LOAD, f->type, value, place);
  EMIT(SPIRV_OP_COPY_OBJECT, f->type, next, emit_combined(g, f, sum, value));
  EMIT(SPIRV_OP_STORE, place, f->operation == ZECL_GROUP_EXCLUSIVE ? sum : next);
  EMIT(SPIRV_OP_I_ADD, g->size, next_index, index, g->one);
  EMIT(SPIRV_OP_STORE, emit_place(g, f, g->last), next);
  const uint32_t goes_on = emit_binary(g, SPIRV_OP_U_LESS_THAN, g->boolean, next_index, size);
  EMIT(SPIRV_OP_BRANCH_CONDITIONAL, goes_on, loop, after);
}

/* The linear number of the item that broadcasts. */
static uint32_t emit_source(struct zecl_groups *g, const struct zecl_group_function *f,
    uint32_t given, const uint32_t sizes[3]) {
  const uint32_t count = g->vectors[f->id_type];
  const uint32_t type = count ? g->components[f->id_type] : f->id_type;
  uint32_t at[3] = {g->nothing, g->nothing, g->nothing};
  for (uint32_t i = 0; i < (count ? count : 1) && i < 3; i++) {
    uint32_t part = given;
    if (count) EMIT(SPIRV_OP_COMPOSITE_EXTRACT, type, part = zecl_group_id(g), given, i);
    at[i] = part;
    if (g->scalars[type].width != 64)
      EMIT(SPIRV_OP_U_CONVERT, g->size, at[i] = zecl_group_id(g), part);
  }
  return emit_linear(g, sizes, at);
}

static void emit_function(struct zecl_groups *g, const struct zecl_group_function *f) {
  const uint32_t pool = zecl_group_id(g), value = zecl_group_id(g), given = zecl_group_id(g),
                 entry = zecl_group_id(g);
  uint32_t sizes[3], at[3];
  EMIT(SPIRV_OP_FUNCTION, f->type, f->id, 0, f->function_type);
  EMIT(SPIRV_OP_FUNCTION_PARAMETER, g->pool, pool);
  EMIT(SPIRV_OP_FUNCTION_PARAMETER, f->type, value);
  if (f->id_type) EMIT(SPIRV_OP_FUNCTION_PARAMETER, f->id_type, given);
  EMIT(SPIRV_OP_LABEL, entry);
  EMIT(SPIRV_OP_BITCAST, f->pointer, g->place = zecl_group_id(g), pool);
  for (int i = 0; i < 3; i++) {
    at[i] = emit_number(g, g->get_item, i);
    sizes[i] = emit_number(g, g->get_size, i);
  }
  const uint32_t item = emit_linear(g, sizes, at);
  uint32_t source = f->operation == ZECL_GROUP_REDUCE ? g->last : item;
  EMIT(SPIRV_OP_STORE, emit_place(g, f, item), value);
  emit_barrier(g);
  if (f->id_type) {
    source = emit_source(g, f, given, sizes);
  } else {
    const uint32_t of_two = emit_binary(g, SPIRV_OP_I_MUL, g->size, sizes[0], sizes[1]);
    const uint32_t size = emit_binary(g, SPIRV_OP_I_MUL, g->size, of_two, sizes[2]);
    const uint32_t is_first = emit_binary(g, SPIRV_OP_I_EQUAL, g->boolean, item, g->nothing);
    const uint32_t loop = zecl_group_id(g), after = zecl_group_id(g);
    EMIT(SPIRV_OP_BRANCH_CONDITIONAL, is_first, loop, after);
    emit_sums(g, f, entry, loop, after, size);
    EMIT(SPIRV_OP_LABEL, after);
    emit_barrier(g);
  }
  const uint32_t result = emit_load(g, f, source);
  emit_barrier(g); /* the memory is written again by the next call */
  EMIT(SPIRV_OP_RETURN_VALUE, result);
  zecl_spirv_emit_alone(&g->writer, SPIRV_OP_FUNCTION_END);
}

void zecl_group_emit_functions(struct zecl_groups *g) {
  for (uint32_t i = 0; i < g->function_count; i++)
    emit_function(g, &g->functions[i]);
}
