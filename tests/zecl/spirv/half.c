#include "spirv/half.h"

#include "spirv/words.h"
#include "spirv/writer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 8, MOST_COMPONENTS = 16 };

/* Flags of a conversion: to a type that has all halves; to halves; rounded elsewhere than to the
 * nearest. */
enum { IS_EXACT = 1, IS_TO_HALF = 2, IS_DIRECTED = 4 };

/* A type of halves, and those of singles and doubles of the same shape; 0: not needed. */
struct shape {
  uint32_t singles, doubles;
};

/* A type, that of its components, and their number; 0: no vector. */
struct numbers {
  uint32_t type, component, count;
};

struct halves {
  struct zecl_spirv_writer writer;
  const uint32_t *words;
  size_t count;
  const uint32_t **types; /* of numbers and their vectors, by id: how it is defined */
  uint32_t *of;           /* each value's type */
  uint8_t *conversions;   /* of halves or to them, by id: flags */
  struct shape *shapes;   /* by the type's id */
  uint32_t functions;     /* the import of OpenCL's functions */
  uint32_t made;          /* ids from here on are not the module's */
  bool has_halves;
  bool makes_doubles; /* their types are not the module's */
};

#define EMIT(...) ZECL_SPIRV_EMIT(&h->writer, __VA_ARGS__)

/* --- Reading -----------------------------------------------------------------------------------
 */

static bool is_vector(const struct halves *h, uint32_t type) {
  return SPIRV_OPCODE(h->types[type][0]) == SPIRV_OP_TYPE_VECTOR;
}

/* The type of a number, or of the components of a vector. */
static uint32_t component(const struct halves *h, uint32_t type) {
  return is_vector(h, type) ? h->types[type][2] : type;
}

/* True for a type of halves or of vectors of them. */
static bool is_of_halves(const struct halves *h, uint32_t type) {
  if (!h->types[type]) return false;
  const uint32_t *w = h->types[component(h, type)];
  return SPIRV_OPCODE(w[0]) == SPIRV_OP_TYPE_FLOAT && w[2] == 16;
}

static bool is_half(const struct halves *h, uint32_t value) {
  return value < h->words[3] && is_of_halves(h, h->of[value]);
}

/* True for an instruction whose result is of a type of halves. */
static bool gives_halves(const struct halves *h, const uint32_t *w) {
  return w[1] < h->words[3] && is_of_halves(h, w[1]);
}

/* True for a type of numbers, or of vectors that can be taken to pieces. */
static bool is_numeric(const struct halves *h, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  if (opcode == SPIRV_OP_TYPE_INT || opcode == SPIRV_OP_TYPE_FLOAT) return true;
  return opcode == SPIRV_OP_TYPE_VECTOR && w[3] <= MOST_COMPONENTS && w[2] < h->words[3] &&
         h->types[w[2]] && !is_vector(h, w[2]);
}

/* True for a conversion of halves or to them. Translators write no function for one of a number. */
static bool is_conversion(const struct halves *h, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  if (SPIRV_LENGTH(w[0]) != 4 || w[1] >= h->words[3] || !h->types[w[1]] || w[2] >= h->words[3] ||
      w[3] >= h->words[3] || !h->of[w[3]])
    return false;
  if (opcode == SPIRV_OP_F_CONVERT) return gives_halves(h, w) || is_half(h, w[3]);
  return (opcode == SPIRV_OP_CONVERT_S_TO_F || opcode == SPIRV_OP_CONVERT_U_TO_F) &&
         gives_halves(h, w);
}

/* Instructions with a result name its type first: none other begins with the id of a type. */
static void read_module(struct halves *h) {
  static const char name[] = "OpenCL.std";
  const uint32_t bound = h->words[3];
  for (size_t at = SPIRV_HEADER_WORDS; at < h->count; at += SPIRV_LENGTH(h->words[at])) {
    const uint32_t *w = h->words + at, opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
    if (length < 3 || w[1] >= bound) continue;
    if (opcode == SPIRV_OP_EXT_INST_IMPORT && (length - 2) * sizeof *w >= sizeof name &&
        memcmp(w + 2, name, sizeof name) == 0) {
      h->functions = w[1];
    } else if (opcode == SPIRV_OP_DECORATE) {
      if (length > 3 && w[2] == SPIRV_DECORATION_FP_ROUNDING_MODE && w[3] != SPIRV_ROUNDING_NEAREST)
        h->conversions[w[1]] |= IS_DIRECTED;
    } else if (is_numeric(h, w)) {
      h->types[w[1]] = w;
      h->has_halves |= is_of_halves(h, w[1]);
    } else if (h->types[w[1]] && w[2] < bound) {
      h->of[w[2]] = w[1];
      if (!is_conversion(h, w)) continue;
      h->conversions[w[2]] |= gives_halves(h, w) ? IS_TO_HALF : IS_EXACT;
    }
  }
}

/* The word of the first operand, where an instruction is one that is widened if it is of halves;
 * else 0. */
static uint32_t first_operand(const struct halves *h, const uint32_t *w) {
  switch (SPIRV_OPCODE(w[0])) {
  case SPIRV_OP_CONVERT_F_TO_U:
  case SPIRV_OP_CONVERT_F_TO_S:
  case SPIRV_OP_F_REM:
  case SPIRV_OP_F_MOD:
  case SPIRV_OP_DOT:
  case SPIRV_OP_IS_NAN:
  case SPIRV_OP_IS_INF:
  case SPIRV_OP_IS_FINITE:
  case SPIRV_OP_SIGN_BIT_SET:
    return 3;
  case SPIRV_OP_EXT_INST:
    break;
  default:
    return 0;
  }
  if (SPIRV_LENGTH(w[0]) < 6 || w[3] != h->functions) return 0;
  switch (w[4]) {
  case SPIRV_CL_FRACT:
  case SPIRV_CL_MODF:
  case SPIRV_CL_NAN:
  case SPIRV_CL_NEXTAFTER:
  case SPIRV_CL_REMQUO:
  case SPIRV_CL_SINCOS:
    return 0;
  }
  return w[4] <= SPIRV_CL_TRUNC || (w[4] >= SPIRV_CL_FCLAMP && w[4] <= SPIRV_CL_FAST_NORMALIZE) ? 5
                                                                                                : 0;
}

/* Does the same for an instruction that is widened. */
static uint32_t widened_from(const struct halves *h, const uint32_t *w) {
  const uint32_t first = first_operand(h, w), length = SPIRV_LENGTH(w[0]);
  bool has_halves = false;
  if (!first || length <= first || length > first + MOST_OPERANDS) return 0;
  for (uint32_t i = first; i < length; i++)
    has_halves |= is_half(h, w[i]);
  return has_halves || gives_halves(h, w) ? first : 0;
}

static bool is_fma(const uint32_t *w) {
  return SPIRV_OPCODE(w[0]) == SPIRV_OP_EXT_INST && w[4] == SPIRV_CL_FMA;
}

/* The id of a type, which may be the module's own: translators compare them. */
static uint32_t find_type(const struct halves *h, uint32_t opcode, uint32_t word, uint32_t other) {
  for (uint32_t id = 0; id < h->words[3]; id++) {
    const uint32_t *w = h->types[id];
    if (w && SPIRV_OPCODE(w[0]) == opcode && w[2] == word && (!other || w[3] == other)) return id;
  }
  return 0;
}

static uint32_t *wide_type(struct halves *h, uint32_t type, bool is_double) {
  return is_double ? &h->shapes[type].doubles : &h->shapes[type].singles;
}

static struct numbers numbers_of(const struct halves *h, uint32_t type) {
  return (struct numbers){type, component(h, type), is_vector(h, type) ? h->types[type][3] : 0};
}

static struct numbers wide_numbers(struct halves *h, uint32_t type, bool is_double) {
  const struct numbers halves = numbers_of(h, type);
  return (struct numbers){
      *wide_type(h, type, is_double), *wide_type(h, halves.component, is_double), halves.count};
}

/* Finds the type of wide numbers of the shape of a type of halves, or gives it an id. */
static uint32_t add_wide(struct halves *h, uint32_t type, bool is_double) {
  uint32_t *wide = wide_type(h, type, is_double);
  const uint32_t *w = h->types[type];
  if (*wide) return *wide;
  if (SPIRV_OPCODE(w[0]) == SPIRV_OP_TYPE_VECTOR)
    *wide = find_type(h, SPIRV_OP_TYPE_VECTOR, add_wide(h, w[2], is_double), w[3]);
  else
    *wide = find_type(h, SPIRV_OP_TYPE_FLOAT, is_double ? 64 : 32, 0);
  if (*wide) return *wide;
  h->makes_doubles |= is_double;
  return *wide = h->writer.next_id++;
}

/* Types of the results and operands of what is widened. */
static void add_types(struct halves *h) {
  h->made = h->words[3];
  for (size_t at = SPIRV_HEADER_WORDS; at < h->count; at += SPIRV_LENGTH(h->words[at])) {
    const uint32_t *w = h->words + at, first = widened_from(h, w);
    if (!first) continue;
    if (gives_halves(h, w)) add_wide(h, w[1], is_fma(w));
    for (uint32_t i = first; i < SPIRV_LENGTH(w[0]); i++)
      if (is_half(h, w[i])) add_wide(h, h->of[w[i]], is_fma(w));
  }
}

/* --- Writing -----------------------------------------------------------------------------------
 */

/* Scalars first: their vectors name them. */
static void emit_types(struct halves *h, bool of_vectors) {
  for (uint32_t id = 0; id < h->words[3]; id++) {
    for (int is_double = 0; is_double < 2; is_double++) {
      const uint32_t type = *wide_type(h, id, is_double), *w = h->types[id];
      if (type < h->made || (SPIRV_OPCODE(w[0]) == SPIRV_OP_TYPE_VECTOR) != of_vectors) continue;
      if (of_vectors)
        EMIT(SPIRV_OP_TYPE_VECTOR, type, *wide_type(h, w[2], is_double), w[3]);
      else
        EMIT(SPIRV_OP_TYPE_FLOAT, type, is_double ? 64 : 32);
    }
  }
}

/* Of vectors each component, since translators write functions for conversions of vectors; nor do
 * they construct vectors of others than constants. */
static void emit_conversion(struct halves *h, uint32_t opcode, struct numbers to, uint32_t id,
    struct numbers from, uint32_t value) {
  uint32_t vector = h->writer.next_id++;
  if (!to.count) {
    EMIT(opcode, to.type, id, value);
    return;
  }
  EMIT(SPIRV_OP_UNDEF, to.type, vector);
  for (uint32_t i = 0; i < to.count; i++) {
    const uint32_t part = h->writer.next_id++, converted = h->writer.next_id++;
    const uint32_t next = i + 1 < to.count ? h->writer.next_id++ : id;
    EMIT(SPIRV_OP_COMPOSITE_EXTRACT, from.component, part, value, i);
    EMIT(opcode, to.component, converted, part);
    EMIT(SPIRV_OP_COMPOSITE_INSERT, to.type, next, converted, vector, i);
    vector = next;
  }
}

static void emit_widened(struct halves *h, const uint32_t *w, uint32_t first) {
  const bool is_double = is_fma(w), gives_half = gives_halves(h, w);
  const uint32_t length = SPIRV_LENGTH(w[0]);
  uint32_t words[5 + MOST_OPERANDS];
  memcpy(words, w, length * sizeof *w);
  for (uint32_t i = first; i < length; i++)
    if (is_half(h, w[i])) {
      const uint32_t type = h->of[w[i]];
      words[i] = h->writer.next_id++;
      emit_conversion(h, SPIRV_OP_F_CONVERT, wide_numbers(h, type, is_double), words[i],
          numbers_of(h, type), w[i]);
    }
  if (gives_half) {
    words[1] = *wide_type(h, w[1], is_double);
    words[2] = h->writer.next_id++;
  }
  zecl_spirv_write(&h->writer, words, length);
  if (gives_half)
    emit_conversion(h, SPIRV_OP_F_CONVERT, numbers_of(h, w[1]), w[2],
        wide_numbers(h, w[1], is_double), words[2]);
}

/* True for a conversion that the plain one is. */
static bool is_nearest(const struct halves *h, uint32_t conversion) {
  return (h->conversions[conversion] & (IS_EXACT | IS_DIRECTED)) != IS_DIRECTED;
}

/* True for a decoration that says how a conversion rounds, where the plain one does the same:
 * translators write functions for those that have one. */
static bool is_needless(const struct halves *h, const uint32_t *w) {
  return SPIRV_OPCODE(w[0]) == SPIRV_OP_DECORATE && w[2] == SPIRV_DECORATION_FP_ROUNDING_MODE &&
         w[1] < h->words[3] && h->conversions[w[1]] & (IS_EXACT | IS_TO_HALF) &&
         is_nearest(h, w[1]);
}

static void emit_instruction(struct halves *h, const uint32_t *w) {
  const uint32_t first = widened_from(h, w);
  if (first)
    emit_widened(h, w, first);
  else if (is_conversion(h, w) && is_nearest(h, w[2]))
    emit_conversion(
        h, SPIRV_OPCODE(w[0]), numbers_of(h, w[1]), w[2], numbers_of(h, h->of[w[3]]), w[3]);
  else if (!is_needless(h, w))
    zecl_spirv_write(&h->writer, w, SPIRV_LENGTH(w[0]));
}

static void emit_module(struct halves *h) {
  bool is_declared = false;
  zecl_spirv_write(&h->writer, h->words, SPIRV_HEADER_WORDS);
  if (h->makes_doubles) EMIT(SPIRV_OP_CAPABILITY, SPIRV_CAPABILITY_FLOAT64);
  for (size_t at = SPIRV_HEADER_WORDS; at < h->count; at += SPIRV_LENGTH(h->words[at])) {
    const uint32_t *w = h->words + at;
    if (!is_declared && SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION) {
      emit_types(h, false);
      emit_types(h, true);
      is_declared = true;
    }
    emit_instruction(h, w);
  }
}

uint32_t *zecl_spirv_plain_halves(const uint32_t *words, size_t count, size_t *word_count) {
  struct halves h = {.writer = {.next_id = words[3]}, .words = words, .count = count};
  uint32_t *made = NULL;
  h.types = calloc(words[3], sizeof(const uint32_t *));
  h.of = calloc(words[3], sizeof *h.of);
  h.conversions = calloc(words[3], sizeof *h.conversions);
  h.shapes = calloc(words[3], sizeof *h.shapes);
  if (h.types && h.of && h.conversions && h.shapes) {
    read_module(&h);
    add_types(&h);
    if (h.has_halves)
      emit_module(&h);
    else
      zecl_spirv_write(&h.writer, words, count);
    made = zecl_spirv_written(&h.writer, word_count);
  }
  free((void *)h.types);
  free(h.of);
  free(h.conversions);
  free(h.shapes);
  return made;
}
