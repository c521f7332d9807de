#include "spirv/opaque.h"

#include "spirv/words.h"

#include <stdlib.h>
#include <string.h>

enum { FLOAT_ONE = 0x3f800000, HALF_ONE = 0x3c00, ALPHA = 3 };

struct writer {
  uint32_t bound, next_id;
  uint32_t *literals; /* of each scalar type: its one; 0 for those that no texel is made of */
  uint32_t *ones;     /* of each type of texels: the constant */
};

/* The one of a scalar type, as the word of a constant. */
static uint32_t literal_one(const uint32_t *w) {
  if (SPIRV_OPCODE(w[0]) == SPIRV_OP_TYPE_INT) return w[2] == 32 ? 1 : 0;
  return w[2] == 32 ? FLOAT_ONE : w[2] == 16 ? HALF_ONE : 0;
}

static bool is_texel_type(const struct writer *writer, const uint32_t *w) {
  return SPIRV_OPCODE(w[0]) == SPIRV_OP_TYPE_VECTOR && w[3] == ALPHA + 1 && w[2] < writer->bound &&
         writer->literals[w[2]];
}

static bool is_sampled_read(const struct writer *writer, const uint32_t *w) {
  return SPIRV_OPCODE(w[0]) == SPIRV_OP_IMAGE_SAMPLE_EXPLICIT_LOD && SPIRV_LENGTH(w[0]) > 5 &&
         w[1] < writer->bound && writer->ones[w[1]];
}

/* Returns the count of words written: at most twice as many as the instruction has. */
static uint32_t write(struct writer *writer, const uint32_t *w, uint32_t *out) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
  memcpy(out, w, length * sizeof *w);
  if (opcode == SPIRV_OP_TYPE_INT || opcode == SPIRV_OP_TYPE_FLOAT)
    writer->literals[w[1]] = literal_one(w);
  if (is_texel_type(writer, w)) {
    writer->ones[w[1]] = writer->next_id++;
    const uint32_t constant[4] = {
        4u << 16 | SPIRV_OP_CONSTANT, w[2], writer->ones[w[1]], writer->literals[w[2]]};
    memcpy(out + length, constant, sizeof constant);
    return length + 4;
  }
  if (is_sampled_read(writer, w)) {
    out[2] = writer->next_id++;
    const uint32_t insert[6] = {
        6u << 16 | SPIRV_OP_COMPOSITE_INSERT, w[1], w[2], writer->ones[w[1]], out[2], ALPHA};
    memcpy(out + length, insert, sizeof insert);
    return length + 6;
  }
  return length;
}

uint32_t *zecl_spirv_opaque_words(const struct zecl_spirv *spirv, size_t *word_count) {
  const uint32_t bound = spirv->words[3];
  struct writer writer = {.bound = bound, .next_id = bound};
  writer.literals = calloc(bound, sizeof *writer.literals);
  writer.ones = calloc(bound, sizeof *writer.ones);
  uint32_t *out = malloc(spirv->word_count * 2 * sizeof *out);
  if (writer.literals && writer.ones && out) {
    memcpy(out, spirv->words, SPIRV_HEADER_WORDS * sizeof *out);
    size_t written = SPIRV_HEADER_WORDS;
    for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count;
         at += SPIRV_LENGTH(spirv->words[at]))
      written += write(&writer, spirv->words + at, out + written);
    out[3] = writer.next_id;
    *word_count = written;
  } else {
    free(out);
    out = NULL;
  }
  free(writer.literals);
  free(writer.ones);
  return out;
}
