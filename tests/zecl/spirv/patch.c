/* Changes to the words of a module: values of specialisation constants, and what translators cannot
 * read. */
#include "spirv/spirv.h"
#include "spirv/words.h"

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

/* A pointer to a component of a variable of the language itself. */
struct part {
  uint32_t variable, vector, index; /* the type of all components */
};

/* Types and values of a module, and the ids that are added to it. */
struct types {
  uint32_t bound;
  uint32_t *bits; /* of each id that is a scalar type: those of the number, 1 for a boolean */
  const uint32_t **definitions; /* of each id that is a type */
  uint32_t *of;                 /* each value's type */
  uint32_t opencl;              /* the id of the extended instructions of OpenCL, or 0 */
  bool *is_builtin;             /* decorated as variables of the language itself */
  uint32_t *numbers;            /* of constants: the first word, and one */
  struct part *parts;           /* by the pointer's id */
  uint32_t *twins;              /* of each generic pointer type: the global one, once written */
  uint32_t next_id;
};

static void free_types(struct types *types) {
  free(types->bits);
  free(types->definitions);
  free(types->of);
  free(types->is_builtin);
  free(types->numbers);
  free(types->parts);
  free(types->twins);
}

/* Instructions with a result name its type first: none other begins with the id of a type. */
static bool read_types(struct types *types, const struct zecl_spirv *spirv) {
  const uint32_t bound = types->bound = types->next_id = spirv->words[3];
  types->bits = calloc(bound, sizeof *types->bits);
  types->definitions = calloc(bound, sizeof *types->definitions);
  types->of = calloc(bound, sizeof *types->of);
  types->twins = calloc(bound, sizeof *types->twins);
  types->is_builtin = calloc(bound, sizeof *types->is_builtin);
  types->numbers = calloc(bound, sizeof *types->numbers);
  types->parts = calloc(bound, sizeof *types->parts);
  if (!types->bits || !types->definitions || !types->of || !types->twins || !types->is_builtin ||
      !types->numbers || !types->parts)
    return false;
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count;
       at += SPIRV_LENGTH(spirv->words[at])) {
    const uint32_t *w = spirv->words + at;
    const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
    if (opcode == SPIRV_OP_EXT_INST_IMPORT && length == 5 && !memcmp(w + 2, "OpenCL.std", 11))
      types->opencl = w[1];
    if (opcode == SPIRV_OP_DECORATE && w[1] < bound && w[2] == SPIRV_DECORATION_BUILT_IN)
      types->is_builtin[w[1]] = true;
    if (opcode == SPIRV_OP_CONSTANT && w[2] < bound) types->numbers[w[2]] = w[3] + 1;
    if (opcode == SPIRV_OP_CONSTANT_NULL && w[2] < bound) types->numbers[w[2]] = 1;
    if (opcode >= SPIRV_OP_TYPE_BOOL && opcode <= SPIRV_OP_TYPE_POINTER) {
      types->definitions[w[1]] = w;
      if (opcode == SPIRV_OP_TYPE_BOOL)
        types->bits[w[1]] = 1;
      else if (opcode == SPIRV_OP_TYPE_INT || opcode == SPIRV_OP_TYPE_FLOAT)
        types->bits[w[1]] = w[2];
    } else if (length > 2 && w[1] < bound && types->definitions[w[1]] && w[2] < bound) {
      types->of[w[2]] = w[1];
    }
  }
  return true;
}

/* The definition of a value's type, or null. */
static const uint32_t *type_of(const struct types *types, uint32_t id) {
  return id < types->bound ? types->definitions[types->of[id]] : NULL;
}

/* A write of integers to an image whose coordinates are as wide as its texels. */
static bool is_misnamed_write(const struct types *types, const uint32_t *w) {
  if (SPIRV_OPCODE(w[0]) != SPIRV_OP_IMAGE_WRITE || SPIRV_LENGTH(w[0]) != 4) return false;
  const uint32_t *image = type_of(types, w[1]), *texel = type_of(types, w[3]);
  if (!image || !texel || SPIRV_OPCODE(image[0]) != SPIRV_OP_TYPE_IMAGE ||
      SPIRV_OPCODE(texel[0]) != SPIRV_OP_TYPE_VECTOR || texel[2] >= types->bound)
    return false;
  const uint32_t *channel = types->definitions[texel[2]];
  return channel && SPIRV_OPCODE(channel[0]) == SPIRV_OP_TYPE_INT &&
         (image[3] == SPIRV_DIM_3D || (image[3] == SPIRV_DIM_2D && image[5]));
}

static bool is_generic(const uint32_t *type) {
  return type && SPIRV_OPCODE(type[0]) == SPIRV_OP_TYPE_POINTER && type[2] == SPIRV_STORAGE_GENERIC;
}

/* Writes a generic pointer type, and its global twin behind it. */
static uint32_t write_generic(struct types *types, const uint32_t *w, uint32_t *out) {
  const uint32_t length = SPIRV_LENGTH(w[0]);
  types->twins[w[1]] = types->next_id++;
  memcpy(out, w, length * sizeof *w);
  memcpy(out + length, w, length * sizeof *w);
  out[length + 1] = types->twins[w[1]];
  out[length + 2] = SPIRV_STORAGE_GLOBAL;
  return 2 * length;
}

/* The index of the word with an atomic instruction's pointer; 0 for other instructions. */
static uint32_t atomic_pointer(const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  if (opcode == SPIRV_OP_ATOMIC_STORE || opcode == SPIRV_OP_ATOMIC_FLAG_CLEAR) return 1;
  return (opcode >= SPIRV_OP_ATOMIC_LOAD && opcode <= SPIRV_OP_ATOMIC_XOR) ||
                 opcode == SPIRV_OP_ATOMIC_FLAG_TEST_AND_SET
             ? 3
             : 0;
}

static bool is_generic_atomic(const struct types *types, const uint32_t *w) {
  const uint32_t at = atomic_pointer(w);
  if (!at || SPIRV_LENGTH(w[0]) < 4) return false;
  const uint32_t *type = type_of(types, w[at]);
  return is_generic(type) && types->twins[type[1]];
}

/* Writes an atomic instruction on a generic pointer as one on a global pointer, which is the same
 * to a CPU. */
static uint32_t write_generic_atomic(struct types *types, const uint32_t *w, uint32_t *out) {
  const uint32_t length = SPIRV_LENGTH(w[0]), at = atomic_pointer(w);
  const uint32_t cast[4] = {4u << 16 | SPIRV_OP_GENERIC_CAST_TO_PTR,
      types->twins[type_of(types, w[at])[1]], types->next_id++, w[at]};
  memcpy(out, cast, sizeof cast);
  memcpy(out + 4, w, length * sizeof *w);
  out[4 + at] = cast[2];
  return 4 + length;
}

/* Records a pointer to one component of a variable of the language itself. */
static bool is_part(struct types *types, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
  const bool is_of_pointer =
      opcode == SPIRV_OP_PTR_ACCESS_CHAIN || opcode == SPIRV_OP_IN_BOUNDS_PTR_ACCESS_CHAIN;
  if ((!is_of_pointer && opcode != SPIRV_OP_ACCESS_CHAIN &&
          opcode != SPIRV_OP_IN_BOUNDS_ACCESS_CHAIN) ||
      length != (is_of_pointer ? 6u : 5u) || w[2] >= types->bound || w[3] >= types->bound ||
      !types->is_builtin[w[3]] || w[length - 1] >= types->bound)
    return false;
  const uint32_t *pointer = type_of(types, w[3]), number = types->numbers[w[length - 1]];
  const uint32_t *vector =
      pointer && SPIRV_OPCODE(pointer[0]) == SPIRV_OP_TYPE_POINTER && pointer[3] < types->bound
          ? types->definitions[pointer[3]]
          : NULL;
  if (!vector || SPIRV_OPCODE(vector[0]) != SPIRV_OP_TYPE_VECTOR || number == 0 ||
      number > vector[3])
    return false;
  types->parts[w[2]] = (struct part){w[3], vector[1], number - 1};
  return true;
}

/* Writes a load of such a component as one of all components. */
static uint32_t write_part(struct types *types, const uint32_t *w, uint32_t *out) {
  const struct part *part = &types->parts[w[3]];
  const uint32_t all = types->next_id++;
  const uint32_t words[] = {4u << 16 | SPIRV_OP_LOAD, part->vector, all, part->variable,
      5u << 16 | SPIRV_OP_COMPOSITE_EXTRACT, w[1], w[2], all, part->index};
  memcpy(out, words, sizeof words);
  return sizeof words / sizeof *words;
}

static const struct zecl_spirv_kernel *kernel_of(
    const struct zecl_spirv *spirv, uint32_t function) {
  for (uint32_t i = 0; i < spirv->kernel_count; i++)
    if (spirv->kernels[i].function == function) return &spirv->kernels[i];
  return NULL;
}

/* The extended instruction that does what this one does, and is a function of every engine. */
static uint32_t common_instruction(uint32_t instruction) {
  return instruction == SPIRV_CL_FMAX_COMMON   ? SPIRV_CL_FMAX
         : instruction == SPIRV_CL_FMIN_COMMON ? SPIRV_CL_FMIN
                                               : instruction;
}

/* Writes an instruction, plain, and returns the count of its words: at most three times as many as
 * it had. */
static uint32_t write_plain(const struct zecl_spirv *spirv, struct types *types,
    bool for_translator, const uint32_t *w, uint32_t *out) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  uint32_t length = SPIRV_LENGTH(w[0]);
  const struct zecl_spirv_kernel *kernel = NULL;
  if (opcode == SPIRV_OP_TYPE_POINTER && is_generic(w)) return write_generic(types, w, out);
  if (is_part(types, w)) return 0;
  if (opcode == SPIRV_OP_LOAD && w[3] < types->bound && types->parts[w[3]].variable)
    return write_part(types, w, out);
  if (is_generic_atomic(types, w)) return write_generic_atomic(types, w, out);
  memcpy(out, w, length * sizeof *w);
  if (opcode == SPIRV_OP_CONSTANT_NULL && w[1] < types->bound && types->bits[w[1]]) {
    const uint32_t type_bits = types->bits[w[1]];
    length = type_bits == 1 ? 3 : type_bits <= 32 ? 4 : 5;
    out[0] = length << 16 | (type_bits == 1 ? SPIRV_OP_CONSTANT_FALSE : SPIRV_OP_CONSTANT);
    memset(out + 3, 0, (length - 3) * sizeof *out);
  } else if (opcode == SPIRV_OP_EXECUTION_MODE_ID && length == 6 &&
             w[2] == SPIRV_MODE_LOCAL_SIZE_ID && (kernel = kernel_of(spirv, w[1]))) {
    out[0] = length << 16 | SPIRV_OP_EXECUTION_MODE;
    out[2] = SPIRV_MODE_LOCAL_SIZE;
    memcpy(out + 3, kernel->required_group_size, sizeof kernel->required_group_size);
  } else if (opcode == SPIRV_OP_EXT_INST && length > 4 && w[3] == types->opencl && types->opencl) {
    out[4] = common_instruction(w[4]);
  } else if (for_translator && is_misnamed_write(types, w)) {
    out[0] = ++length << 16 | opcode;
    out[4] = SPIRV_OPERAND_ZERO_EXTEND;
  }
  return length;
}

uint32_t *zecl_spirv_plain_words(
    const struct zecl_spirv *spirv, bool for_translator, size_t *word_count) {
  struct types types = {0};
  uint32_t *out = read_types(&types, spirv) ? malloc(spirv->word_count * 3 * sizeof *out) : NULL;
  if (!out) {
    free_types(&types);
    return NULL;
  }
  memcpy(out, spirv->words, SPIRV_HEADER_WORDS * sizeof *out);
  size_t written = SPIRV_HEADER_WORDS;
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count; at += SPIRV_LENGTH(spirv->words[at]))
    written += write_plain(spirv, &types, for_translator, spirv->words + at, out + written);
  out[3] = types.next_id;
  free_types(&types);
  *word_count = written;
  return out;
}
