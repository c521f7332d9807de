#include "spirv/builtin.h"

#include "spirv/global.h"
#include "spirv/words.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS = 64 }; /* numbers of OpenCL's built-in variables are below */

/* The variable that each id becomes a name of, or 0. */
static void find_aliases(const uint32_t *words, size_t count, uint32_t *kinds, uint32_t *aliases) {
  uint32_t first[KINDS] = {0};
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at;
    const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
    if (opcode == SPIRV_OP_DECORATE && length > 3 && w[2] == SPIRV_DECORATION_BUILT_IN &&
        w[1] < words[3] && w[3] < KINDS)
      kinds[w[1]] = w[3];
    if (opcode != SPIRV_OP_VARIABLE || w[2] >= words[3] || !kinds[w[2]]) continue;
    uint32_t *known = &first[kinds[w[2]]];
    if (*known == 0)
      *known = w[2];
    else if (*known != w[2])
      aliases[w[2]] = *known;
  }
}

/* Writes the replacement of an instruction, for ids that are names of others. It has no more words
 * than the instruction and the decorations before it. */
static uint32_t write(const uint32_t *aliases, uint32_t bound, const uint32_t *w, uint32_t *out) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
  if (opcode == SPIRV_OP_DECORATE && w[1] < bound && aliases[w[1]]) return 0;
  if (opcode == SPIRV_OP_ENTRY_POINT) return zecl_spirv_bare_entry_point(w, out);
  if (opcode == SPIRV_OP_VARIABLE && w[2] < bound && aliases[w[2]]) {
    const uint32_t name[] = {
        5u << 16 | SPIRV_OP_SPEC_CONSTANT_OP, w[1], w[2], SPIRV_OP_BITCAST, aliases[w[2]]};
    memcpy(out, name, sizeof name);
    return sizeof name / sizeof *name;
  }
  memmove(out, w, length * sizeof *w);
  return length;
}

bool zecl_spirv_merge_builtins(uint32_t *words, size_t *count) {
  const uint32_t bound = words[3];
  uint32_t *kinds = calloc(bound, sizeof *kinds), *aliases = calloc(bound, sizeof *aliases);
  const bool good = kinds && aliases;
  if (good) {
    find_aliases(words, *count, kinds, aliases);
    size_t written = SPIRV_HEADER_WORDS;
    for (size_t at = SPIRV_HEADER_WORDS, next; at < *count; at = next) {
      next = at + SPIRV_LENGTH(words[at]);
      written += write(aliases, bound, words + at, words + written);
    }
    *count = written;
  }
  free(kinds);
  free(aliases);
  return good;
}
