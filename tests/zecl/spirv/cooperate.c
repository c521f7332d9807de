#include "spirv/cooperate.h"

#include "spirv/words.h"
#include "spirv/writer.h"

#include <stdlib.h>
#include <string.h>

/* True for each id that is a constant and names a scope of more than a group. */
static bool *wide_scopes(const uint32_t *words, size_t count) {
  bool *wide = calloc(words[3], sizeof *wide);
  for (size_t at = SPIRV_HEADER_WORDS; wide && at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at;
    const uint32_t opcode = SPIRV_OPCODE(w[0]);
    if (opcode != SPIRV_OP_CONSTANT && opcode != SPIRV_OP_SPEC_CONSTANT &&
        opcode != SPIRV_OP_CONSTANT_NULL)
      continue;
    if (w[2] < words[3])
      wide[w[2]] = opcode == SPIRV_OP_CONSTANT_NULL || w[3] <= SPIRV_SCOPE_DEVICE;
  }
  return wide;
}

static bool is_wide_barrier(const uint32_t *words, const bool *wide, const uint32_t *w) {
  return SPIRV_OPCODE(w[0]) == SPIRV_OP_CONTROL_BARRIER && w[1] < words[3] && wide[w[1]];
}

static bool has_barriers(const struct zecl_spirv *spirv, bool of_all_groups) {
  bool *wide = wide_scopes(spirv->words, spirv->word_count);
  bool found = false;
  for (size_t at = SPIRV_HEADER_WORDS; wide && at < spirv->word_count && !found;
       at += SPIRV_LENGTH(spirv->words[at])) {
    const uint32_t *w = spirv->words + at;
    found = SPIRV_OPCODE(w[0]) == SPIRV_OP_CONTROL_BARRIER &&
            is_wide_barrier(spirv->words, wide, w) == of_all_groups;
  }
  free(wide);
  return found;
}

bool zecl_spirv_has_wide_barriers(const struct zecl_spirv *spirv) {
  return spirv->global_barrier || has_barriers(spirv, true);
}

bool zecl_spirv_has_group_barriers(const struct zecl_spirv *spirv) {
  return has_barriers(spirv, false);
}

static bool calls_marked(const struct zecl_spirv *spirv, const bool *marks, const uint32_t *w) {
  bool found = false;
  if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION_CALL)
    found = w[3] < spirv->words[3] && marks[w[3]];
  else if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION_POINTER_CALL)
    for (uint32_t i = 0; i < spirv->global_count; i++)
      found |= spirv->globals[i].is_function && marks[spirv->globals[i].id];
  return found;
}

/* True when a function was marked that was not before. */
static bool mark(const struct zecl_spirv *spirv, const bool *wide, bool *marks) {
  bool changed = false;
  uint32_t function = 0;
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count;
       at += SPIRV_LENGTH(spirv->words[at])) {
    const uint32_t *w = spirv->words + at;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION) function = w[2];
    if (marks[function] ||
        !(is_wide_barrier(spirv->words, wide, w) || calls_marked(spirv, marks, w)))
      continue;
    marks[function] = changed = true;
  }
  return changed;
}

bool *zecl_spirv_cooperating(const struct zecl_spirv *spirv) {
  bool *wide = wide_scopes(spirv->words, spirv->word_count);
  bool *marks = calloc(spirv->words[3], sizeof *marks);
  if (marks && spirv->global_barrier) marks[spirv->global_barrier] = true;
  while (wide && marks && mark(spirv, wide, marks))
    ;
  if (!wide) {
    free(marks);
    marks = NULL;
  }
  free(wide);
  return marks;
}

struct barriers {
  struct zecl_spirv_writer writer;
  const uint32_t *words;
  const bool *wide;
  uint32_t function;        /* that is imported, or 0 */
  uint32_t group, ordering; /* constants: the scope of a group, and of what memory */
};

static void emit_constants(struct barriers *barriers) {
  const uint32_t type = barriers->writer.next_id;
  barriers->group = type + 1;
  barriers->ordering = type + 2;
  barriers->writer.next_id += 3;
  ZECL_SPIRV_EMIT(&barriers->writer, SPIRV_OP_TYPE_INT, type, 32, 0);
  ZECL_SPIRV_EMIT(
      &barriers->writer, SPIRV_OP_CONSTANT, type, barriers->group, SPIRV_SCOPE_WORKGROUP);
  ZECL_SPIRV_EMIT(&barriers->writer, SPIRV_OP_CONSTANT, type, barriers->ordering,
      SPIRV_SEMANTICS_SEQUENTIAL | SPIRV_SEMANTICS_GLOBAL);
}

static void emit_body(struct barriers *barriers) {
  ZECL_SPIRV_EMIT(&barriers->writer, SPIRV_OP_LABEL, barriers->writer.next_id++);
  ZECL_SPIRV_EMIT(&barriers->writer, SPIRV_OP_CONTROL_BARRIER, barriers->group, barriers->group,
      barriers->ordering);
  zecl_spirv_emit_alone(&barriers->writer, SPIRV_OP_RETURN);
}

/* `function`: the one that the instruction is of. */
static void emit_instruction(struct barriers *barriers, uint32_t function, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  if (barriers->function && opcode == SPIRV_OP_DECORATE && w[1] == barriers->function) return;
  if (barriers->function && opcode == SPIRV_OP_FUNCTION_END && function == barriers->function)
    emit_body(barriers);
  if (is_wide_barrier(barriers->words, barriers->wide, w))
    ZECL_SPIRV_EMIT(&barriers->writer, opcode, barriers->group, w[2], w[3]);
  else
    zecl_spirv_write(&barriers->writer, w, SPIRV_LENGTH(w[0]));
}

uint32_t *zecl_spirv_lone_groups(
    const struct zecl_spirv *spirv, const uint32_t *words, size_t count, size_t *word_count) {
  bool *wide = wide_scopes(words, count);
  if (!wide) return NULL;
  struct barriers barriers = {.writer = {.next_id = words[3]},
      .words = words,
      .wide = wide,
      .function = spirv->global_barrier};
  uint32_t function = 0;
  zecl_spirv_write(&barriers.writer, words, SPIRV_HEADER_WORDS);
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at;
    if (!barriers.group && SPIRV_IS_TYPE(SPIRV_OPCODE(w[0]))) emit_constants(&barriers);
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION) function = w[2];
    emit_instruction(&barriers, function, w);
  }
  free(wide);
  return zecl_spirv_written(&barriers.writer, word_count);
}

struct calls {
  struct zecl_spirv_writer writer;
  const uint32_t *words;
  const bool *wide;
  uint32_t nothing, type, function; /* void, a function of nothing, and the barrier */
  uint32_t made;                    /* the type where the module has none */
  bool is_declared, is_imported;
};

/* The types that the module has. */
static void find_types(struct calls *calls, size_t count) {
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(calls->words[at])) {
    const uint32_t *w = calls->words + at;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_TYPE_VOID) calls->nothing = w[1];
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_TYPE_FUNCTION && SPIRV_LENGTH(w[0]) == 3 &&
        w[2] == calls->nothing)
      calls->type = w[1];
  }
  if (!calls->type) calls->type = calls->made = calls->writer.next_id++;
}

/* Before the first type: annotations end there. */
static void emit_import(struct calls *calls) {
  enum { NAME_WORDS = sizeof ZECL_GLOBAL_BARRIER / sizeof(uint32_t) + 1 };
  uint32_t operands[2 + NAME_WORDS + 1] = {calls->function, SPIRV_DECORATION_LINKAGE};
  memcpy(operands + 2, ZECL_GLOBAL_BARRIER, sizeof ZECL_GLOBAL_BARRIER);
  operands[2 + NAME_WORDS] = SPIRV_LINKAGE_IMPORT;
  zecl_spirv_write_instruction(
      &calls->writer, SPIRV_OP_DECORATE, operands, sizeof operands / sizeof *operands);
}

/* Before the first function. */
static void emit_declaration(struct calls *calls) {
  if (calls->made)
    ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_TYPE_FUNCTION, calls->made, calls->nothing);
  if (calls->is_imported) return;
  ZECL_SPIRV_EMIT(
      &calls->writer, SPIRV_OP_FUNCTION, calls->nothing, calls->function, 0, calls->type);
  zecl_spirv_emit_alone(&calls->writer, SPIRV_OP_FUNCTION_END);
}

uint32_t *zecl_spirv_wide_calls(
    const struct zecl_spirv *spirv, const uint32_t *words, size_t count, size_t *word_count) {
  bool *wide = wide_scopes(words, count), is_annotated = spirv->global_barrier != 0;
  if (!wide) return NULL;
  struct calls calls = {.writer = {.next_id = words[3]},
      .words = words,
      .wide = wide,
      .function = spirv->global_barrier,
      .is_imported = spirv->global_barrier != 0};
  if (!calls.is_imported) calls.function = calls.writer.next_id++;
  find_types(&calls, count);
  zecl_spirv_write(&calls.writer, words, SPIRV_HEADER_WORDS);
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at, opcode = SPIRV_OPCODE(w[0]);
    if (!is_annotated && SPIRV_IS_TYPE(opcode)) {
      emit_import(&calls);
      is_annotated = true;
    }
    if (!calls.is_declared && opcode == SPIRV_OP_FUNCTION) {
      emit_declaration(&calls);
      calls.is_declared = true;
    }
    if (is_wide_barrier(words, wide, w))
      ZECL_SPIRV_EMIT(&calls.writer, SPIRV_OP_FUNCTION_CALL, calls.nothing, calls.writer.next_id++,
          calls.function);
    else
      zecl_spirv_write(&calls.writer, w, SPIRV_LENGTH(w[0]));
  }
  free(wide);
  return zecl_spirv_written(&calls.writer, word_count);
}
