#include "spirv/call.h"

#include "spirv/words.h"
#include "spirv/writer.h"

#include <stdlib.h>
#include <string.h>

enum { PARAMETER_LIMIT = 255 }; /* the universal one */

struct calls {
  const struct zecl_spirv *spirv;
  void *const *memory;
  struct zecl_spirv_writer writer;
  uint32_t bound;
  const uint32_t **definitions; /* of each type and function: its instruction */
  uint32_t *of;                 /* of each value that is a pointer to a function: its type */
  uint32_t *dispatchers;        /* of each such type: the function that calls through it, or 0 */
  uint32_t word, quad, truth, place; /* types: uint, ulong, bool, pointer to uint */
  uint32_t zero, zero_quad;          /* constants; */
  uint32_t first_address;            /* and one for each of the globals */
};

bool zecl_spirv_has_pointer_calls(const struct zecl_spirv *spirv) {
  for (uint32_t i = 0; i < spirv->capability_count; i++)
    if (spirv->capabilities[i] == SPIRV_CAPABILITY_FUNCTION_POINTERS) return true;
  return false;
}

/* The function's type that a type of pointers leads to, or null. */
static const uint32_t *pointee(const struct calls *calls, uint32_t type) {
  const uint32_t *w = type < calls->bound ? calls->definitions[type] : NULL;
  if (!w || SPIRV_OPCODE(w[0]) != SPIRV_OP_TYPE_POINTER || w[3] >= calls->bound) return NULL;
  const uint32_t *to = calls->definitions[w[3]];
  return to && SPIRV_OPCODE(to[0]) == SPIRV_OP_TYPE_FUNCTION ? to : NULL;
}

/* Instructions with a result name its type first: none other begins with the id of a type. */
static bool read(struct calls *calls, const uint32_t *words, size_t count) {
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at;
    const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
    const uint32_t defined = opcode == SPIRV_OP_FUNCTION ? w[2]
                             : opcode >= SPIRV_OP_TYPE_VOID && opcode <= SPIRV_OP_TYPE_FUNCTION
                                 ? w[1]
                                 : 0;
    if (defined && defined < calls->bound) calls->definitions[defined] = w;
    if (!defined && length > 2 && pointee(calls, w[1]) && w[2] < calls->bound)
      calls->of[w[2]] = w[1];
  }
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at;
    if (SPIRV_OPCODE(w[0]) != SPIRV_OP_FUNCTION_POINTER_CALL) continue;
    const uint32_t type = w[3] < calls->bound ? calls->of[w[3]] : 0;
    const uint32_t *to = pointee(calls, type);
    if (!to || SPIRV_LENGTH(to[0]) > 3 + PARAMETER_LIMIT ||
        SPIRV_LENGTH(w[0]) > 4 + PARAMETER_LIMIT)
      return false;
    if (calls->dispatchers[type]) continue;
    calls->dispatchers[type] = calls->writer.next_id;
    calls->writer.next_id += 2; /* the function and its type */
  }
  return true;
}

/* Writes the types and constants that are added, before the first of the module's own. */
static void emit_types(struct calls *calls) {
  const uint32_t first = calls->writer.next_id;
  calls->word = first;
  calls->quad = first + 1;
  calls->truth = first + 2;
  calls->place = first + 3;
  calls->zero = first + 4;
  calls->zero_quad = first + 5;
  calls->first_address = first + 6;
  calls->writer.next_id = calls->first_address + calls->spirv->global_count;
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_TYPE_INT, calls->word, 32, 0);
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_TYPE_INT, calls->quad, 64, 0);
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_TYPE_BOOL, calls->truth);
  ZECL_SPIRV_EMIT(
      &calls->writer, SPIRV_OP_TYPE_POINTER, calls->place, SPIRV_STORAGE_GLOBAL, calls->word);
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_CONSTANT, calls->word, calls->zero, 0);
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_CONSTANT, calls->quad, calls->zero_quad, 0, 0);
  for (uint32_t i = 0; i < calls->spirv->global_count; i++) {
    const uint64_t address = (uint64_t)(uintptr_t)calls->memory[i];
    ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_CONSTANT, calls->quad, calls->first_address + i,
        (uint32_t)address, (uint32_t)(address >> 32));
  }
}

static void emit_address(struct calls *calls, const uint32_t *w) {
  const struct zecl_spirv *spirv = calls->spirv;
  uint32_t i = 0;
  while (
      i < spirv->global_count && (!spirv->globals[i].is_function || spirv->globals[i].id != w[3]))
    i++;
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_SPEC_CONSTANT_OP, w[1], w[2], SPIRV_OP_CONVERT_U_TO_PTR,
      i < spirv->global_count ? calls->first_address + i : calls->zero_quad);
}

/* A dispatcher takes the pointer before the arguments. */
static void emit_call(struct calls *calls, const uint32_t *w) {
  const uint32_t length = SPIRV_LENGTH(w[0]);
  const uint32_t head[] = {
      (length + 1) << 16 | SPIRV_OP_FUNCTION_CALL, w[1], w[2], calls->dispatchers[calls->of[w[3]]]};
  zecl_spirv_write(&calls->writer, head, sizeof head / sizeof *head);
  zecl_spirv_write(&calls->writer, w + 3, length - 3);
}

/* Types of the dispatchers, before the first function. */
static void emit_dispatcher_types(struct calls *calls) {
  for (uint32_t type = 0; type < calls->bound; type++) {
    if (!calls->dispatchers[type]) continue;
    const uint32_t *to = pointee(calls, type);
    const uint32_t length = SPIRV_LENGTH(to[0]);
    const uint32_t head[] = {
        (length + 1) << 16 | SPIRV_OP_TYPE_FUNCTION, calls->dispatchers[type] + 1, to[2], type};
    zecl_spirv_write(&calls->writer, head, sizeof head / sizeof *head);
    zecl_spirv_write(&calls->writer, to + 3, length - 3);
  }
}

static void emit_label(struct calls *calls, uint32_t id) {
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_LABEL, id);
}

/* Returns `value`, or nothing for a function of type void. */
static void emit_return(struct calls *calls, const uint32_t *type, uint32_t value) {
  const uint32_t *result = type[2] < calls->bound ? calls->definitions[type[2]] : NULL;
  if (result && SPIRV_OPCODE(result[0]) == SPIRV_OP_TYPE_VOID)
    zecl_spirv_emit_alone(&calls->writer, SPIRV_OP_RETURN);
  else
    ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_RETURN_VALUE, value);
}

/* One function that the pointer may be of: calls it where it is. */
static void emit_choice(struct calls *calls, const uint32_t *type, uint32_t function,
    uint32_t address, uint32_t pointer, uint32_t first_parameter) {
  const uint32_t parameters = SPIRV_LENGTH(type[0]) - 3;
  const uint32_t equal = calls->writer.next_id, yes = equal + 1, no = equal + 2, result = equal + 3;
  calls->writer.next_id += 4;
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_I_EQUAL, calls->truth, equal, pointer, address);
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_BRANCH_CONDITIONAL, equal, yes, no);
  emit_label(calls, yes);
  const uint32_t head[] = {
      (parameters + 4) << 16 | SPIRV_OP_FUNCTION_CALL, type[2], result, function};
  zecl_spirv_write(&calls->writer, head, sizeof head / sizeof *head);
  for (uint32_t i = 0; i < parameters; i++)
    zecl_spirv_write(&calls->writer, (const uint32_t[]){first_parameter + i}, 1);
  emit_return(calls, type, result);
  emit_label(calls, no);
}

/* A write to address 0, which no compiler takes away since it is volatile. */
static void emit_crash(struct calls *calls, const uint32_t *type) {
  const uint32_t nowhere = calls->writer.next_id++, nothing = calls->writer.next_id++;
  ZECL_SPIRV_EMIT(
      &calls->writer, SPIRV_OP_CONVERT_U_TO_PTR, calls->place, nowhere, calls->zero_quad);
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_STORE, nowhere, calls->zero,
      SPIRV_ACCESS_VOLATILE | SPIRV_ACCESS_ALIGNED, sizeof(uint32_t));
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_UNDEF, type[2], nothing);
  emit_return(calls, type, nothing);
}

static void emit_dispatcher(struct calls *calls, uint32_t pointer_type) {
  const struct zecl_spirv *spirv = calls->spirv;
  const uint32_t *type = pointee(calls, pointer_type);
  const uint32_t parameters = SPIRV_LENGTH(type[0]) - 3;
  const uint32_t given = calls->writer.next_id, start = given + 1, pointer = given + 2,
                 first_parameter = given + 3;
  calls->writer.next_id = first_parameter + parameters;
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_FUNCTION, type[2], calls->dispatchers[pointer_type], 0,
      calls->dispatchers[pointer_type] + 1);
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_FUNCTION_PARAMETER, pointer_type, given);
  for (uint32_t i = 0; i < parameters; i++)
    ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_FUNCTION_PARAMETER, type[3 + i], first_parameter + i);
  emit_label(calls, start);
  ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_CONVERT_PTR_TO_U, calls->quad, pointer, given);
  for (uint32_t i = 0; i < spirv->global_count; i++) {
    const uint32_t id = spirv->globals[i].id;
    const uint32_t *function = id < calls->bound ? calls->definitions[id] : NULL;
    if (spirv->globals[i].is_function && function &&
        SPIRV_OPCODE(function[0]) == SPIRV_OP_FUNCTION && function[4] == type[1])
      emit_choice(calls, type, id, calls->first_address + i, pointer, first_parameter);
  }
  emit_crash(calls, type);
  zecl_spirv_emit_alone(&calls->writer, SPIRV_OP_FUNCTION_END);
}

static bool is_the_extension(const uint32_t *w) {
  static const char name[] = "SPV_INTEL_function_pointers";
  return SPIRV_OPCODE(w[0]) == SPIRV_OP_EXTENSION &&
         (SPIRV_LENGTH(w[0]) - 1) * sizeof *w >= sizeof name &&
         memcmp(w + 1, name, sizeof name) == 0;
}

static void emit_instruction(struct calls *calls, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  if (opcode == SPIRV_OP_CAPABILITY &&
      (w[1] == SPIRV_CAPABILITY_FUNCTION_POINTERS || w[1] == SPIRV_CAPABILITY_INDIRECT_REFERENCES))
    return;
  if (is_the_extension(w)) return;
  if (opcode == SPIRV_OP_TYPE_POINTER && pointee(calls, w[1]))
    ZECL_SPIRV_EMIT(&calls->writer, SPIRV_OP_TYPE_POINTER, w[1],
        w[2] == SPIRV_STORAGE_CODE_SECTION ? SPIRV_STORAGE_FUNCTION : w[2], calls->word);
  else if (opcode == SPIRV_OP_CONSTANT_FUNCTION_POINTER)
    emit_address(calls, w);
  else if (opcode == SPIRV_OP_FUNCTION_POINTER_CALL)
    emit_call(calls, w);
  else
    zecl_spirv_write(&calls->writer, w, SPIRV_LENGTH(w[0]));
}

static void emit_module(struct calls *calls, const uint32_t *words, size_t count) {
  bool has_types = false, has_functions = false;
  zecl_spirv_write(&calls->writer, words, SPIRV_HEADER_WORDS);
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t opcode = SPIRV_OPCODE(words[at]);
    if (!has_types && SPIRV_IS_TYPE(opcode)) {
      emit_types(calls);
      has_types = true;
    }
    if (!has_functions && opcode == SPIRV_OP_FUNCTION) {
      emit_dispatcher_types(calls);
      has_functions = true;
    }
    emit_instruction(calls, words + at);
  }
  for (uint32_t type = 0; type < calls->bound; type++)
    if (calls->dispatchers[type]) emit_dispatcher(calls, type);
}

/* One more call deep than the deepest that each function calls; true when one became deeper. */
static bool deepen(const uint32_t *words, size_t count, uint32_t *depths, uint32_t *deepest) {
  uint32_t function = 0;
  bool changed = false;
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION) function = w[2];
    if (SPIRV_OPCODE(w[0]) != SPIRV_OP_FUNCTION_CALL || SPIRV_LENGTH(w[0]) < 4 ||
        function >= words[3] || w[3] >= words[3] || depths[w[3]] < depths[function])
      continue;
    depths[function] = depths[w[3]] + 1;
    if (depths[function] > *deepest) *deepest = depths[function];
    changed = true;
  }
  return changed;
}

static bool is_recursive(const uint32_t *words, size_t count) {
  uint32_t functions = 0, deepest = 0;
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at]))
    functions += SPIRV_OPCODE(words[at]) == SPIRV_OP_FUNCTION;
  uint32_t *depths = calloc(words[3], sizeof *depths);
  while (depths && deepest <= functions && deepen(words, count, depths, &deepest))
    ;
  free(depths);
  return deepest > functions;
}

static uint32_t *finish(struct calls *calls, size_t *word_count, struct zecl_text *log) {
  uint32_t *words = zecl_spirv_written(&calls->writer, word_count);
  if (!words || !is_recursive(words, *word_count)) return words;
  zecl_text_add(log, "functions that are called through pointers may call themselves: the engine "
                     "has no recursion\n");
  free(words);
  return NULL;
}

uint32_t *zecl_spirv_direct_calls(const struct zecl_spirv *spirv, const uint32_t *words,
    size_t count, void *const *memory, size_t *word_count, struct zecl_text *log) {
  const uint32_t bound = words[3];
  struct calls calls = {
      .spirv = spirv, .memory = memory, .writer = {.next_id = bound}, .bound = bound};
  calls.definitions = calloc(bound, sizeof(const uint32_t *));
  calls.of = calloc(bound, sizeof *calls.of);
  calls.dispatchers = calloc(bound, sizeof *calls.dispatchers);
  uint32_t *made = NULL;
  if (!calls.definitions || !calls.of || !calls.dispatchers) {
    zecl_text_add(log, "out of memory\n");
  } else if (!read(&calls, words, count)) {
    zecl_text_add(log, "a call through what is no pointer to a function\n");
  } else {
    emit_module(&calls, words, count);
    made = finish(&calls, word_count, log);
  }
  free(calls.definitions);
  free(calls.of);
  free(calls.dispatchers);
  return made;
}
