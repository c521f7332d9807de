/* Changes to the words of a module: values of specialisation constants, zeros that translators can
 * read. */
#include "spirv.h"
#include "spirv_words.h"

#include <stdlib.h>
#include <string.h>

bool zecl_spirv_specialise(struct zecl_spirv *spirv, uint32_t spec_id, const void *value) {
  bool found = false;
  for (uint32_t i = 0; i < spirv->spec_count; i++) {
    struct zecl_spirv_spec *spec = &spirv->specs[i];
    if (spec->spec_id != spec_id) continue;
    found = true;
    spec->value = 0;
    memcpy(&spec->value, value, spec->size);
    uint32_t *w = spirv->words + spec->position;
    if (spec->type == ZECL_SPEC_BOOL) {
      uint32_t opcode = spec->value ? SPIRV_OP_SPEC_CONSTANT_TRUE : SPIRV_OP_SPEC_CONSTANT_FALSE;
      w[0] = (w[0] & 0xffff0000u) | opcode;
    } else {
      w[3] = (uint32_t)spec->value;
      if (spec->size > 4) w[4] = (uint32_t)(spec->value >> 32);
    }
  }
  return found;
}

/* What a module says of its scalar types: for each id the bits of the number, 1 for a boolean. */
static uint32_t *scalar_bits(const struct zecl_spirv *spirv) {
  uint32_t bound = spirv->words[3];
  uint32_t *bits = calloc(bound, sizeof *bits);
  if (!bits) return NULL;
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count;
       at += SPIRV_LENGTH(spirv->words[at])) {
    const uint32_t *w = spirv->words + at;
    uint32_t opcode = SPIRV_OPCODE(w[0]);
    if (opcode == SPIRV_OP_TYPE_BOOL)
      bits[w[1]] = 1;
    else if (opcode == SPIRV_OP_TYPE_INT || opcode == SPIRV_OP_TYPE_FLOAT)
      bits[w[1]] = w[2];
  }
  return bits;
}

uint32_t *zecl_spirv_plain_zeros(const struct zecl_spirv *spirv, size_t *word_count) {
  uint32_t *bits = scalar_bits(spirv);
  /* A rewritten instruction grows from three words to five at most. */
  uint32_t *out = bits ? malloc(spirv->word_count * 2 * sizeof *out) : NULL;
  if (!out) {
    free(bits);
    return NULL;
  }
  memcpy(out, spirv->words, SPIRV_HEADER_WORDS * sizeof *out);
  size_t written = SPIRV_HEADER_WORDS;
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count;) {
    const uint32_t *w = spirv->words + at;
    uint32_t length = SPIRV_LENGTH(w[0]);
    uint32_t type_bits =
        SPIRV_OPCODE(w[0]) == SPIRV_OP_CONSTANT_NULL && w[1] < spirv->words[3] ? bits[w[1]] : 0;
    if (type_bits == 1) {
      out[written++] = 3u << 16 | SPIRV_OP_CONSTANT_FALSE;
      out[written++] = w[1];
      out[written++] = w[2];
    } else if (type_bits) {
      uint32_t zeros = type_bits > 32 ? 2 : 1;
      out[written++] = (3 + zeros) << 16 | SPIRV_OP_CONSTANT;
      out[written++] = w[1];
      out[written++] = w[2];
      while (zeros--)
        out[written++] = 0;
    } else {
      memcpy(out + written, w, length * sizeof *w);
      written += length;
    }
    at += length;
  }
  free(bits);
  *word_count = written;
  return out;
}
