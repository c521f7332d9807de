/* Changes to the words of a module: values of specialisation constants, and what translators cannot
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

static const struct zecl_spirv_kernel *kernel_of(
    const struct zecl_spirv *spirv, uint32_t function) {
  for (uint32_t i = 0; i < spirv->kernel_count; i++)
    if (spirv->kernels[i].function == function) return &spirv->kernels[i];
  return NULL;
}

/* Writes an instruction, plain, and returns the count of its words: five at most where it was
 * three, else as many as it had. */
static uint32_t write_plain(
    const struct zecl_spirv *spirv, const uint32_t *bits, const uint32_t *w, uint32_t *out) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  uint32_t length = SPIRV_LENGTH(w[0]);
  const struct zecl_spirv_kernel *kernel = NULL;
  memcpy(out, w, length * sizeof *w);
  if (opcode == SPIRV_OP_CONSTANT_NULL && w[1] < spirv->words[3] && bits[w[1]]) {
    const uint32_t type_bits = bits[w[1]];
    length = type_bits == 1 ? 3 : type_bits <= 32 ? 4 : 5;
    out[0] = length << 16 | (type_bits == 1 ? SPIRV_OP_CONSTANT_FALSE : SPIRV_OP_CONSTANT);
    memset(out + 3, 0, (length - 3) * sizeof *out);
  } else if (opcode == SPIRV_OP_EXECUTION_MODE_ID && length == 6 &&
             w[2] == SPIRV_MODE_LOCAL_SIZE_ID && (kernel = kernel_of(spirv, w[1]))) {
    out[0] = length << 16 | SPIRV_OP_EXECUTION_MODE;
    out[2] = SPIRV_MODE_LOCAL_SIZE;
    memcpy(out + 3, kernel->required_group_size, sizeof kernel->required_group_size);
  }
  return length;
}

uint32_t *zecl_spirv_plain_words(const struct zecl_spirv *spirv, size_t *word_count) {
  uint32_t *bits = scalar_bits(spirv);
  uint32_t *out = bits ? malloc(spirv->word_count * 2 * sizeof *out) : NULL;
  if (!out) {
    free(bits);
    return NULL;
  }
  memcpy(out, spirv->words, SPIRV_HEADER_WORDS * sizeof *out);
  size_t written = SPIRV_HEADER_WORDS;
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count; at += SPIRV_LENGTH(spirv->words[at]))
    written += write_plain(spirv, bits, spirv->words + at, out + written);
  free(bits);
  *word_count = written;
  return out;
}
