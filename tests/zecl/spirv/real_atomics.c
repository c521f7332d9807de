#include "spirv/real_atomics.h"

#include "spirv/words.h"
#include "spirv/writer.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MOST_FUNCTIONS = 16 };

struct function {
  uint32_t opcode, type, pointer; /* the number's type, and that of the pointer to it */
  uint32_t id, function_type, plain, integers;
};

struct atomics {
  struct zecl_spirv_writer writer;
  const uint32_t *words;
  size_t count;
  const uint32_t **types; /* of each id that is a type: how it is defined */
  uint32_t *of;           /* each value's type */
  struct function functions[MOST_FUNCTIONS];
  uint32_t function_count;
  uint32_t boolean, integers[2], scope, semantics; /* integers of 32 and 64 bits */
  uint32_t made;                                   /* ids from here on are not the module's */
};

#define EMIT(...) ZECL_SPIRV_EMIT(&a->writer, __VA_ARGS__)

static uint32_t new_id(struct atomics *a) {
  return a->writer.next_id++;
}

/* Instructions with a result name its type first: none other begins with the id of a type. */
static void read_types(struct atomics *a) {
  const uint32_t bound = a->words[3];
  for (size_t at = SPIRV_HEADER_WORDS; at < a->count; at += SPIRV_LENGTH(a->words[at])) {
    const uint32_t *w = a->words + at, opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
    if (length < 2 || w[1] >= bound) continue;
    if (SPIRV_IS_TYPE(opcode)) {
      a->types[w[1]] = w;
      if (opcode == SPIRV_OP_TYPE_BOOL) a->boolean = w[1];
      if (opcode == SPIRV_OP_TYPE_INT && w[2] == 32) a->integers[0] = w[1];
      if (opcode == SPIRV_OP_TYPE_INT && w[2] == 64) a->integers[1] = w[1];
    } else if (length > 2 && a->types[w[1]] && w[2] < bound) {
      a->of[w[2]] = w[1];
    }
  }
  a->made = a->writer.next_id;
  if (!a->boolean) a->boolean = new_id(a);
  for (int i = 0; i < 2; i++)
    if (!a->integers[i]) a->integers[i] = new_id(a);
}

/* The function that an instruction becomes a call of, new or known; null where it stays. */
static const struct function *function_of(struct atomics *a, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]), bound = a->words[3];
  if ((opcode != SPIRV_OP_ATOMIC_F_ADD && opcode != SPIRV_OP_ATOMIC_F_MIN &&
          opcode != SPIRV_OP_ATOMIC_F_MAX) ||
      SPIRV_LENGTH(w[0]) < 7 || w[1] >= bound || w[3] >= bound || w[6] >= bound)
    return NULL;
  const uint32_t pointer = a->of[w[3]], *type = a->types[w[1]];
  if (!type || SPIRV_OPCODE(type[0]) != SPIRV_OP_TYPE_FLOAT || (type[2] != 32 && type[2] != 64) ||
      !pointer || SPIRV_OPCODE(a->types[pointer][0]) != SPIRV_OP_TYPE_POINTER)
    return NULL;
  for (uint32_t i = 0; i < a->function_count; i++) {
    const struct function *known = &a->functions[i];
    if (known->opcode == opcode && known->type == w[1] && known->pointer == pointer) return known;
  }
  if (a->function_count == MOST_FUNCTIONS) return NULL;
  struct function *made = &a->functions[a->function_count++];
  *made = (struct function){.opcode = opcode, .type = w[1], .pointer = pointer};
  made->id = new_id(a);
  made->function_type = new_id(a);
  made->plain = new_id(a);
  made->integers = new_id(a);
  return made;
}

static uint32_t integer_of(const struct atomics *a, const struct function *f) {
  return a->integers[a->types[f->type][2] == 64];
}

/* Before the first function. To a CPU generic pointers are global ones. */
static void emit_declarations(struct atomics *a) {
  if (a->boolean >= a->made) EMIT(SPIRV_OP_TYPE_BOOL, a->boolean);
  for (uint32_t i = 0; i < 2; i++)
    if (a->integers[i] >= a->made) EMIT(SPIRV_OP_TYPE_INT, a->integers[i], 32 << i, 0);
  EMIT(SPIRV_OP_CONSTANT, a->integers[0], a->scope = new_id(a), SPIRV_SCOPE_DEVICE);
  EMIT(SPIRV_OP_CONSTANT, a->integers[0], a->semantics = new_id(a),
      SPIRV_SEMANTICS_SEQUENTIAL | SPIRV_SEMANTICS_GLOBAL);
  for (uint32_t i = 0; i < a->function_count; i++) {
    const struct function *f = &a->functions[i];
    uint32_t storage = a->types[f->pointer][2];
    if (storage == SPIRV_STORAGE_GENERIC) storage = SPIRV_STORAGE_GLOBAL;
    EMIT(SPIRV_OP_TYPE_FUNCTION, f->function_type, f->type, f->pointer, f->type);
    EMIT(SPIRV_OP_TYPE_POINTER, f->plain, storage, f->type);
    EMIT(SPIRV_OP_TYPE_POINTER, f->integers, storage, integer_of(a, f));
  }
}

static uint32_t emit_updated(
    struct atomics *a, const struct function *f, uint32_t old, uint32_t value) {
  const uint32_t id = new_id(a), is_new = new_id(a);
  if (f->opcode == SPIRV_OP_ATOMIC_F_ADD) {
    EMIT(SPIRV_OP_F_ADD, f->type, id, old, value);
  } else {
    EMIT(
        f->opcode == SPIRV_OP_ATOMIC_F_MIN ? SPIRV_OP_F_ORD_LESS_THAN : SPIRV_OP_F_ORD_GREATER_THAN,
        a->boolean, is_new, value, old);
    EMIT(SPIRV_OP_SELECT, f->type, id, is_new, value, old);
  }
  return id;
}

static void emit_function(struct atomics *a, const struct function *f) {
  const uint32_t given = new_id(a), value = new_id(a), entry = new_id(a), loop = new_id(a),
                 after = new_id(a), place = new_id(a), first = new_id(a), old = new_id(a),
                 number = new_id(a), next = new_id(a), seen = new_id(a), is_done = new_id(a);
  const uint32_t integer = integer_of(a, f);
  uint32_t pointer = given;
  EMIT(SPIRV_OP_FUNCTION, f->type, f->id, 0, f->function_type);
  EMIT(SPIRV_OP_FUNCTION_PARAMETER, f->pointer, given);
  EMIT(SPIRV_OP_FUNCTION_PARAMETER, f->type, value);
  EMIT(SPIRV_OP_LABEL, entry);
  if (a->types[f->pointer][2] == SPIRV_STORAGE_GENERIC)
    EMIT(SPIRV_OP_GENERIC_CAST_TO_PTR, f->plain, pointer = new_id(a), given);
  EMIT(SPIRV_OP_BITCAST, f->integers, place, pointer);
  EMIT(SPIRV_OP_LOAD, integer, first, place);
  EMIT(SPIRV_OP_BRANCH, loop);
  EMIT(SPIRV_OP_LABEL, loop);
  EMIT(SPIRV_OP_PHI, integer, old, first, entry, seen, loop);
  EMIT(SPIRV_OP_BITCAST, f->type, number, old);
  EMIT(SPIRV_OP_BITCAST, integer, next, emit_updated(a, f, number, value));
  EMIT(SPIRV_OP_ATOMIC_COMPARE_EXCHANGE, integer, seen, place, a->scope, a->semantics, a->semantics,
      next, old);
  EMIT(SPIRV_OP_I_EQUAL, a->boolean, is_done, seen, old);
  EMIT(SPIRV_OP_BRANCH_CONDITIONAL, is_done, after, loop);
  EMIT(SPIRV_OP_LABEL, after);
  EMIT(SPIRV_OP_RETURN_VALUE, number);
  zecl_spirv_emit_alone(&a->writer, SPIRV_OP_FUNCTION_END);
}

static void emit_module(struct atomics *a) {
  bool is_declared = false;
  zecl_spirv_write(&a->writer, a->words, SPIRV_HEADER_WORDS);
  for (size_t at = SPIRV_HEADER_WORDS; at < a->count; at += SPIRV_LENGTH(a->words[at])) {
    const uint32_t *w = a->words + at;
    const struct function *f = function_of(a, w);
    if (!is_declared && SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION) {
      emit_declarations(a);
      is_declared = true;
    }
    if (f)
      EMIT(SPIRV_OP_FUNCTION_CALL, w[1], w[2], f->id, w[3], w[6]);
    else
      zecl_spirv_write(&a->writer, w, SPIRV_LENGTH(w[0]));
  }
  for (uint32_t i = 0; i < a->function_count; i++)
    emit_function(a, &a->functions[i]);
}

uint32_t *zecl_spirv_plain_real_atomics(const uint32_t *words, size_t count, size_t *word_count) {
  struct atomics atomics = {.writer = {.next_id = words[3]}, .words = words, .count = count};
  uint32_t *made = NULL;
  atomics.types = calloc(words[3], sizeof(const uint32_t *));
  atomics.of = calloc(words[3], sizeof *atomics.of);
  if (atomics.types && atomics.of) {
    read_types(&atomics);
    for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at]))
      function_of(&atomics, words + at);
    if (atomics.function_count)
      emit_module(&atomics);
    else
      zecl_spirv_write(&atomics.writer, words, count);
    made = zecl_spirv_written(&atomics.writer, word_count);
  }
  free((void *)atomics.types);
  free(atomics.of);
  return made;
}
