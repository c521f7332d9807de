/* Look-ups in the index of a SPIR-V module, and the sizes of its types. */
#include "../spirv.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SPIRV_INDEX_H
#define SYCLZE_OFFLOAD_DETAIL_SPIRV_INDEX_H

#include "spirv_grammar.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__SPIRV_ID_PACKED = 1,
  SYCLZE__SPIRV_ID_BUILT_IN = 2,
  SYCLZE__SPIRV_ID_SPEC = 4,
  SYCLZE__SPIRV_ID_PART = 8, /* of a composite */
  SYCLZE__SPIRV_DEPTH_LIMIT = 32
};

/* An id of the module. */
struct syclze__spirv_id {
  uint32_t position; /* of the instruction that defines it; 0: not seen */
  uint32_t number;   /* a type's size; a constant's SpecId; a function's first kernel, from 1 */
  uint32_t leaves;   /* of a composite or specialisation constant */
  uint16_t align;    /* of a type */
  uint8_t flags;     /* SYCLZE__SPIRV_ID bits */
  uint8_t depth;     /* of a composite */
};

#if SYCLZE__BODIES

SYCLZE_COLD const syclze_spirv_kernel *syclze_spirv_index_kernel(
    const syclze_spirv_index *index, const char *name) {
  uint32_t low = 0, high = index->kernel_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (strcmp(index->by_name[middle]->name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_there = low < index->kernel_count && strcmp(index->by_name[low]->name, name) == 0;
  return is_there ? index->by_name[low] : NULL;
}

SYCLZE_LOCAL int syclze__spirv_compare_constants(const void *a, const void *b) {
  uint32_t left = ((const syclze_spirv_constant *)a)->id;
  uint32_t right = ((const syclze_spirv_constant *)b)->id;
  return left < right ? -1 : left > right;
}

SYCLZE_COLD const syclze_spirv_constant *syclze_spirv_index_constant(
    const syclze_spirv_index *index, uint32_t id) {
  const syclze_spirv_constant wanted = {id, SYCLZE_SPEC_TYPE_BOOL, 0, 0};
  if (index->constant_count == 0) return NULL; /* then the list may be null */
  return (const syclze_spirv_constant *)bsearch(&wanted, index->constants, index->constant_count,
      sizeof wanted, syclze__spirv_compare_constants);
}

/* The instruction that defines an id; of length 0 without one. */
SYCLZE_INLINE syclze_spirv_instruction syclze__spirv_definition(
    const syclze_spirv_index *index, uint32_t id) {
  if (id < index->id_count && index->ids[id].position != 0)
    return syclze__spirv_at(&index->spirv, index->ids[id].position);
  syclze_spirv_instruction none = {NULL, SYCLZE__SPIRV_OP_NONE, 0};
  return none;
}

/* The word with the id of an instruction's result, 0 for none or one that is not read; and the
 * least length. */
SYCLZE_INLINE uint32_t syclze__spirv_result_word(uint32_t opcode, uint32_t *least) {
  switch (opcode) {
#define SYCLZE__OPCODE(name, number, result, length)                                               \
  case number:                                                                                     \
    *least = length;                                                                               \
    return result;
    SYCLZE__SPIRV_OPCODES(SYCLZE__OPCODE)
#undef SYCLZE__OPCODE
  default:
    *least = 1;
    return 0;
  }
}

/* Sizes saturate far above any real argument, so that sums and products do not wrap. */
SYCLZE_INLINE uint32_t syclze__spirv_saturated(uint64_t size) {
  return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

SYCLZE_INLINE uint32_t syclze__spirv_size_of(const syclze_spirv_index *index, uint32_t type) {
  return type < index->id_count ? index->ids[type].number : 0;
}

SYCLZE_INLINE uint32_t syclze__spirv_align_of(const syclze_spirv_index *index, uint32_t type) {
  uint32_t align = type < index->id_count ? index->ids[type].align : 0;
  return align != 0 ? align : 1;
}

SYCLZE_INLINE uint64_t syclze__spirv_round_up(uint64_t value, uint32_t align) {
  return (value + align - 1) / align * align;
}

/* The value of an integer constant, the default of a specialisation constant; 0 for anything else.
 */
SYCLZE_INLINE uint64_t syclze__spirv_value_of(const syclze_spirv_index *index, uint32_t id) {
  syclze_spirv_instruction constant = syclze__spirv_definition(index, id);
  if ((constant.opcode != SYCLZE__SPIRV_OP_CONSTANT &&
          constant.opcode != SYCLZE__SPIRV_OP_SPEC_CONSTANT) ||
      constant.length < 4)
    return 0;
  uint64_t high = constant.length > 4 ? syclze_spirv_word(&constant, 4) : 0;
  return syclze_spirv_word(&constant, 3) | high << 32;
}

/* The offset of a member of a struct type: at or after `offset`. */
SYCLZE_INLINE uint64_t syclze__spirv_member_at(
    const syclze_spirv_index *index, bool is_packed, uint32_t member, uint64_t offset) {
  return is_packed ? offset : syclze__spirv_round_up(offset, syclze__spirv_align_of(index, member));
}

/* Computes the size and alignment of the type that an instruction declares, in OpenCL's layout: a
 * vector of three has the size of four, and scalars and vectors are aligned to their size. */
SYCLZE_LOCAL void syclze__spirv_size_type(const syclze_spirv_index *index,
    const syclze_spirv_instruction *instruction, struct syclze__spirv_id *type) {
  uint32_t part = instruction->length > 2 ? syclze_spirv_word(instruction, 2) : 0;
  uint64_t size = 0;
  uint32_t align = 0;
  switch (instruction->opcode) {
  case SYCLZE__SPIRV_OP_TYPE_BOOL:
    size = 1;
    break;
  case SYCLZE__SPIRV_OP_TYPE_INT:
  case SYCLZE__SPIRV_OP_TYPE_FLOAT:
    for (size = 1; size * 8 < part && size < 8;)
      size *= 2;
    break;
  case SYCLZE__SPIRV_OP_TYPE_VECTOR: {
    uint32_t count = syclze_spirv_word(instruction, 3);
    size = (uint64_t)syclze__spirv_size_of(index, part) * (count == 3 ? 4 : count);
    if (size > 128) size = 0; /* sixteen of eight bytes are the largest */
    break;
  }
  case SYCLZE__SPIRV_OP_TYPE_ARRAY:
    size =
        (uint64_t)syclze__spirv_size_of(index, part) *
        syclze__spirv_saturated(syclze__spirv_value_of(index, syclze_spirv_word(instruction, 3)));
    align = syclze__spirv_align_of(index, part);
    break;
  case SYCLZE__SPIRV_OP_TYPE_STRUCT: {
    bool is_packed = type->flags & SYCLZE__SPIRV_ID_PACKED;
    align = 1;
    for (uint32_t i = 2; i < instruction->length; i++) {
      uint32_t member = syclze_spirv_word(instruction, i);
      size = syclze__spirv_saturated(syclze__spirv_member_at(index, is_packed, member, size) +
                                     syclze__spirv_size_of(index, member));
      if (!is_packed && syclze__spirv_align_of(index, member) > align)
        align = syclze__spirv_align_of(index, member);
    }
    size = syclze__spirv_round_up(size, align);
    break;
  }
  case SYCLZE__SPIRV_OP_TYPE_POINTER:
  case SYCLZE__SPIRV_OP_TYPE_FORWARD_POINTER:
    size = index->pointer_size;
    break;
  default:
    break;
  }
  type->number = syclze__spirv_saturated(size);
  type->align = (uint16_t)(align != 0 ? align : size != 0 ? size : 1);
}

SYCLZE_INLINE syclze_spirv_argument_kind syclze__spirv_pointer_kind(uint32_t storage) {
  switch (storage) {
  case SYCLZE__SPIRV_STORAGE_UNIFORM_CONSTANT:
    return SYCLZE_SPIRV_ARGUMENT_CONSTANT;
  case SYCLZE__SPIRV_STORAGE_WORKGROUP:
    return SYCLZE_SPIRV_ARGUMENT_LOCAL;
  case SYCLZE__SPIRV_STORAGE_CROSS_WORKGROUP:
    return SYCLZE_SPIRV_ARGUMENT_GLOBAL;
  case SYCLZE__SPIRV_STORAGE_FUNCTION:
    return SYCLZE_SPIRV_ARGUMENT_VALUE;
  case SYCLZE__SPIRV_STORAGE_GENERIC:
    return SYCLZE_SPIRV_ARGUMENT_GENERIC;
  default:
    return SYCLZE_SPIRV_ARGUMENT_OTHER;
  }
}

SYCLZE_INLINE syclze_spirv_argument syclze__spirv_argument_of(
    const syclze_spirv_index *index, uint32_t type) {
  syclze_spirv_argument argument = {
      SYCLZE_SPIRV_ARGUMENT_OTHER, index->pointer_size, SYCLZE_SPIRV_VALUE_OTHER};
  syclze_spirv_instruction definition = syclze__spirv_definition(index, type);
  switch (definition.opcode) {
  case SYCLZE__SPIRV_OP_TYPE_POINTER:
    argument.kind = syclze__spirv_pointer_kind(syclze_spirv_word(&definition, 2));
    if (argument.kind == SYCLZE_SPIRV_ARGUMENT_VALUE)
      argument.size = syclze__spirv_size_of(index, syclze_spirv_word(&definition, 3));
    if (argument.kind == SYCLZE_SPIRV_ARGUMENT_LOCAL) argument.size = 0;
    break;
  case SYCLZE__SPIRV_OP_TYPE_IMAGE:
  case SYCLZE__SPIRV_OP_TYPE_SAMPLED_IMAGE:
    argument.kind = SYCLZE_SPIRV_ARGUMENT_IMAGE;
    break;
  case SYCLZE__SPIRV_OP_TYPE_SAMPLER:
    argument.kind = SYCLZE_SPIRV_ARGUMENT_SAMPLER;
    break;
  case SYCLZE__SPIRV_OP_TYPE_BOOL:
  case SYCLZE__SPIRV_OP_TYPE_INT:
  case SYCLZE__SPIRV_OP_TYPE_FLOAT:
  case SYCLZE__SPIRV_OP_TYPE_VECTOR:
  case SYCLZE__SPIRV_OP_TYPE_ARRAY:
  case SYCLZE__SPIRV_OP_TYPE_STRUCT:
    argument.kind = SYCLZE_SPIRV_ARGUMENT_VALUE;
    argument.size = syclze__spirv_size_of(index, type);
    if (definition.opcode == SYCLZE__SPIRV_OP_TYPE_INT) argument.type = SYCLZE_SPIRV_VALUE_INTEGER;
    if (definition.opcode == SYCLZE__SPIRV_OP_TYPE_FLOAT) argument.type = SYCLZE_SPIRV_VALUE_FLOAT;
    break;
  default:
    break;
  }
  return argument;
}

SYCLZE_INLINE uint32_t syclze__spirv_need_of(uint32_t capability) {
  switch (capability) {
  case SYCLZE_SPIRV_CAPABILITY_FLOAT16:
    return SYCLZE_SPIRV_NEEDS_FP16;
  case SYCLZE_SPIRV_CAPABILITY_FLOAT64:
    return SYCLZE_SPIRV_NEEDS_FP64;
  case SYCLZE_SPIRV_CAPABILITY_INT64_ATOMICS:
    return SYCLZE_SPIRV_NEEDS_ATOMIC64;
  case SYCLZE_SPIRV_CAPABILITY_IMAGE_BASIC:
    return SYCLZE_SPIRV_NEEDS_IMAGES;
  case SYCLZE_SPIRV_CAPABILITY_GENERIC_POINTER:
    return SYCLZE_SPIRV_NEEDS_GENERIC_POINTERS;
  case SYCLZE_SPIRV_CAPABILITY_SUBGROUP_DISPATCH:
  case SYCLZE_SPIRV_CAPABILITY_SUBGROUP_SHUFFLE_INTEL:
  case SYCLZE_SPIRV_CAPABILITY_SUBGROUP_BUFFER_BLOCK_IO_INTEL:
  case SYCLZE_SPIRV_CAPABILITY_SUBGROUP_IMAGE_BLOCK_IO_INTEL:
    return SYCLZE_SPIRV_NEEDS_SUB_GROUPS;
  default:
    return capability >= SYCLZE_SPIRV_CAPABILITY_GROUP_NON_UNIFORM &&
                   capability <= SYCLZE_SPIRV_CAPABILITY_GROUP_NON_UNIFORM_QUAD
               ? SYCLZE_SPIRV_NEEDS_SUB_GROUPS
               : 0;
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
