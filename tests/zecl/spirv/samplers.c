#include "spirv/samplers.h"

#include "spirv/words.h"

#include <stdlib.h>

static unsigned char kinds_of(const uint32_t *w) {
  return (unsigned char)((w[4] != 0 ? ZECL_SAMPLES_NORMALISED : 0) |
                         (w[3] == SPIRV_SAMPLER_CLAMP_TO_BORDER ? ZECL_SAMPLES_BORDER : 0));
}

/* The kinds of functions that a call through a pointer may reach. */
static unsigned char kinds_of_functions(
    const struct zecl_spirv *spirv, const unsigned char *marks) {
  unsigned char kinds = 0;
  for (uint32_t i = 0; i < spirv->global_count; i++)
    if (spirv->globals[i].is_function) kinds |= marks[spirv->globals[i].id];
  return kinds;
}

/* Marks the samplers, the variables that begin with one, and the functions that name either or a
 * marked function. A word may be a number that no id is meant by: that marks too much, never too
 * little. True when something was marked that was not before. */
static bool mark(const struct zecl_spirv *spirv, unsigned char *marks) {
  const uint32_t bound = spirv->words[3];
  bool changed = false;
  uint32_t function = 0;
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count;
       at += SPIRV_LENGTH(spirv->words[at])) {
    const uint32_t *w = spirv->words + at;
    const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
    uint32_t target = function;
    unsigned char found = 0;
    if (opcode == SPIRV_OP_FUNCTION) target = function = w[2];
    if (opcode == SPIRV_OP_FUNCTION_END) function = 0;
    if (opcode == SPIRV_OP_CONSTANT_SAMPLER) found = kinds_of(w);
    if (!target && (opcode == SPIRV_OP_CONSTANT_SAMPLER || opcode == SPIRV_OP_VARIABLE))
      target = w[2];
    if (!target || target >= bound) continue;
    for (uint32_t i = 1; i < length; i++)
      if (w[i] < bound) found |= marks[w[i]];
    if (opcode == SPIRV_OP_FUNCTION_POINTER_CALL) found |= kinds_of_functions(spirv, marks);
    changed |= (marks[target] | found) != marks[target];
    marks[target] |= found;
  }
  return changed;
}

unsigned char *zecl_spirv_samplers(const struct zecl_spirv *spirv) {
  unsigned char *marks = calloc(spirv->words[3], 1);
  while (marks && mark(spirv, marks))
    ;
  return marks;
}
