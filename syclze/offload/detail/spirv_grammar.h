/* The numbers of SPIR-V's grammar, and the walk over a module's instructions. */
#include "../spirv.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SPIRV_GRAMMAR_H
#define SYCLZE_OFFLOAD_DETAIL_SPIRV_GRAMMAR_H

SYCLZE_EXTERN_C_BEGIN

enum syclze__spirv_number {
  SYCLZE__SPIRV_MAGIC = 0x07230203,
  SYCLZE__SPIRV_MAGIC_SWAPPED = 0x03022307,
  SYCLZE__SPIRV_HEADER_WORDS = 5,
  SYCLZE__SPIRV_BOUND_LIMIT = 0x400000, /* the universal limit on ids */

  SYCLZE__SPIRV_MODEL_KERNEL = 6,
  SYCLZE__SPIRV_ADDRESSING_PHYSICAL32 = 1,

  SYCLZE__SPIRV_MODE_LOCAL_SIZE = 17,
  SYCLZE__SPIRV_MODE_LOCAL_SIZE_HINT = 18,
  SYCLZE__SPIRV_MODE_CONTRACTION_OFF = 31,
  SYCLZE__SPIRV_MODE_SUBGROUP_SIZE = 35,
  SYCLZE__SPIRV_MODE_SUBGROUPS_PER_WORKGROUP = 36,
  SYCLZE__SPIRV_MODE_SUBGROUPS_PER_WORKGROUP_ID = 37,
  SYCLZE__SPIRV_MODE_LOCAL_SIZE_ID = 38,
  SYCLZE__SPIRV_MODE_LOCAL_SIZE_HINT_ID = 39,

  SYCLZE__SPIRV_DECORATION_SPEC_ID = 1,
  SYCLZE__SPIRV_DECORATION_C_PACKED = 10,
  SYCLZE__SPIRV_DECORATION_BUILT_IN = 11,
  SYCLZE__SPIRV_DECORATION_LINKAGE = 41,
  SYCLZE__SPIRV_LINKAGE_IMPORT = 1,

  SYCLZE__SPIRV_STORAGE_UNIFORM_CONSTANT = 0,
  SYCLZE__SPIRV_STORAGE_WORKGROUP = 4,
  SYCLZE__SPIRV_STORAGE_CROSS_WORKGROUP = 5,
  SYCLZE__SPIRV_STORAGE_FUNCTION = 7,
  SYCLZE__SPIRV_STORAGE_GENERIC = 8
};

SYCLZE_INLINE uint32_t syclze_spirv_word(
    const syclze_spirv_instruction *instruction, uint32_t index) {
  return syclze__load_u32(instruction->data + (size_t)index * 4);
}

/* The instruction that begins at word `position` of the module. */
SYCLZE_INLINE syclze_spirv_instruction syclze__spirv_at(
    const syclze_spirv *spirv, uint32_t position) {
  const uint8_t *data = spirv->data + (size_t)position * 4;
  uint32_t first = syclze__load_u32(data);
  syclze_spirv_instruction instruction = {data, first & 0xffff, first >> 16};
  return instruction;
}

SYCLZE_INLINE bool syclze_spirv_next(
    const syclze_spirv *spirv, uint32_t *position, syclze_spirv_instruction *instruction) {
  if (*position < SYCLZE__SPIRV_HEADER_WORDS) *position = SYCLZE__SPIRV_HEADER_WORDS;
  if (*position >= spirv->words) return false;
  *instruction = syclze__spirv_at(spirv, *position);
  *position += instruction->length;
  return true;
}

#if SYCLZE__BODIES

/* Opcode, the word that holds the result's id (0 for none), the least length in words. Unlisted
 * instructions are skipped. */
/* clang-format off */
#define SYCLZE__SPIRV_OPCODES(X) \
  X(EXTENSION, 10, 0, 2) \
  X(MEMORY_MODEL, 14, 0, 3) \
  X(ENTRY_POINT, 15, 0, 4) \
  X(EXECUTION_MODE, 16, 0, 3) \
  X(CAPABILITY, 17, 0, 2) \
  X(TYPE_BOOL, 20, 1, 2) \
  X(TYPE_INT, 21, 1, 4) \
  X(TYPE_FLOAT, 22, 1, 3) \
  X(TYPE_VECTOR, 23, 1, 4) \
  X(TYPE_IMAGE, 25, 1, 2) \
  X(TYPE_SAMPLER, 26, 1, 2) \
  X(TYPE_SAMPLED_IMAGE, 27, 1, 2) \
  X(TYPE_ARRAY, 28, 1, 4) \
  X(TYPE_STRUCT, 30, 1, 2) \
  X(TYPE_POINTER, 32, 1, 4) \
  X(TYPE_PIPE, 38, 1, 2) \
  X(TYPE_FORWARD_POINTER, 39, 1, 3) \
  X(CONSTANT, 43, 2, 4) \
  X(SPEC_CONSTANT_TRUE, 48, 2, 3) \
  X(SPEC_CONSTANT_FALSE, 49, 2, 3) \
  X(SPEC_CONSTANT, 50, 2, 4) \
  X(SPEC_CONSTANT_COMPOSITE, 51, 2, 3) \
  X(FUNCTION, 54, 2, 5) \
  X(FUNCTION_PARAMETER, 55, 2, 3) \
  X(VARIABLE, 59, 2, 4) \
  X(DECORATE, 71, 0, 3) \
  X(DECORATION_GROUP, 73, 1, 2) \
  X(GROUP_DECORATE, 74, 0, 2) \
  X(EXECUTION_MODE_ID, 331, 0, 3)

/* clang-format on */

enum syclze__spirv_opcode {
#define SYCLZE__OPCODE(name, number, result, least) SYCLZE__SPIRV_OP_##name = number,
  SYCLZE__SPIRV_OPCODES(SYCLZE__OPCODE)
#undef SYCLZE__OPCODE
      SYCLZE__SPIRV_OP_NONE = 0
};

/* The string that begins at word `index` of an instruction; `after` gets the word behind it. Null
 * if the instruction ends before the string. */
SYCLZE_INLINE const char *syclze__spirv_string(
    const syclze_spirv_instruction *instruction, uint32_t index, uint32_t *after) {
  if (index >= instruction->length) return NULL;
  const char *text = (const char *)instruction->data + (size_t)index * 4;
  const char *end = (const char *)memchr(text, 0, (size_t)(instruction->length - index) * 4);
  if (end == NULL) return NULL;
  *after = index + (uint32_t)((size_t)(end - text) / 4) + 1;
  return text;
}

SYCLZE_COLD bool syclze_spirv_has_capability(const syclze_spirv *spirv, uint32_t capability) {
  uint32_t position = 0;
  syclze_spirv_instruction instruction;
  while (syclze_spirv_next(spirv, &position, &instruction) &&
         instruction.opcode == SYCLZE__SPIRV_OP_CAPABILITY)
    if (instruction.length > 1 && syclze_spirv_word(&instruction, 1) == capability) return true;
  return false;
}

SYCLZE_COLD const char *syclze_spirv_next_kernel_name(
    const syclze_spirv *spirv, uint32_t *position) {
  syclze_spirv_instruction instruction;
  while (syclze_spirv_next(spirv, position, &instruction)) {
    uint32_t after;
    /* Entry points precede all functions. */
    if (instruction.opcode == SYCLZE__SPIRV_OP_FUNCTION) break;
    if (instruction.opcode != SYCLZE__SPIRV_OP_ENTRY_POINT || instruction.length < 4 ||
        syclze_spirv_word(&instruction, 1) != SYCLZE__SPIRV_MODEL_KERNEL)
      continue;
    const char *name = syclze__spirv_string(&instruction, 3, &after);
    if (name != NULL) return name;
  }
  *position = spirv->words;
  return NULL;
}

SYCLZE_LOCAL struct syclze__status syclze__spirv_check(syclze_bytes bytes, syclze_spirv *spirv) {
  const uint8_t *data = (const uint8_t *)bytes.data;
  if (data == NULL || bytes.size < SYCLZE__SPIRV_HEADER_WORDS * 4 || bytes.size % 4 != 0)
    return syclze__invalid("SPIR-V: the size is not that of a header and whole words");
  uint32_t magic = syclze__load_u32(data);
  if (magic == SYCLZE__SPIRV_MAGIC_SWAPPED)
    return syclze__unsupported("SPIR-V: the words are big-endian");
  if (magic != SYCLZE__SPIRV_MAGIC) return syclze__invalid("SPIR-V: the magic number is missing");
  if (bytes.size / 4 > UINT32_MAX) return syclze__invalid("SPIR-V: longer than ids can count");
  syclze_spirv module = {
      data, (uint32_t)(bytes.size / 4), syclze__load_u32(data + 4), syclze__load_u32(data + 12)};
  if (module.bound == 0 || module.bound > SYCLZE__SPIRV_BOUND_LIMIT)
    return syclze__invalid("SPIR-V: the bound of the ids is zero or above the universal limit");
  for (uint32_t position = SYCLZE__SPIRV_HEADER_WORDS; position < module.words;) {
    uint32_t length = syclze__spirv_at(&module, position).length;
    if (length == 0 || length > module.words - position)
      return syclze__invalid("SPIR-V: an instruction is empty or ends past the module");
    position += length;
  }
  *spirv = module;
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_spirv_open(syclze_bytes bytes, syclze_spirv *spirv) {
  if (spirv == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_spirv_open",
        "the result's pointer is null", bytes.data);
  memset(spirv, 0, sizeof *spirv);
  struct syclze__status status = syclze__spirv_check(bytes, spirv);
  return syclze__finish(status, "syclze_spirv_open", bytes.data);
}

#endif

SYCLZE_EXTERN_C_END

#endif
