/* Types of a module as OpenCL C lays them out: vectors of three take the room of four, and all are
 * aligned to their size. */
#include "spirv/reader.h"
#include "spirv/words.h"

static uint64_t round_up(uint64_t value, uint32_t align) {
  return align ? (value + align - 1) / align * align : value;
}

/* Sizes saturate far above what an argument may have, so that sums and products cannot wrap. */
static uint64_t saturated(uint64_t size) {
  return size < UINT32_MAX ? size : UINT32_MAX;
}

uint64_t zecl_spirv_constant_value(const struct zecl_spirv_reader *r, uint32_t id) {
  const uint32_t *w = zecl_spirv_instruction(r, id);
  uint32_t opcode = w ? SPIRV_OPCODE(w[0]) : 0;
  if ((opcode != SPIRV_OP_CONSTANT && opcode != SPIRV_OP_SPEC_CONSTANT) || SPIRV_LENGTH(w[0]) < 4)
    return 0;
  return w[3] | (SPIRV_LENGTH(w[0]) > 4 ? (uint64_t)w[4] << 32 : 0);
}

static void size_struct(
    const struct zecl_spirv_reader *r, const uint32_t *w, struct zecl_spirv_id *type) {
  uint64_t size = 0;
  uint32_t align = 1;
  for (uint32_t i = 2; i < SPIRV_LENGTH(w[0]); i++) {
    const struct zecl_spirv_id *member = w[i] < r->bound ? &r->ids[w[i]] : NULL;
    if (!member) continue;
    if (!type->is_packed) {
      size = round_up(size, member->align);
      align = member->align > align ? member->align : align;
    }
    size = saturated(size + member->size);
  }
  type->size = saturated(round_up(size, align));
  type->align = align;
}

void zecl_spirv_size_type(
    const struct zecl_spirv_reader *r, const uint32_t *w, struct zecl_spirv_id *type) {
  const struct zecl_spirv_id *part =
      SPIRV_LENGTH(w[0]) > 2 && w[2] < r->bound ? &r->ids[w[2]] : NULL;
  switch (SPIRV_OPCODE(w[0])) {
  case SPIRV_OP_TYPE_BOOL:
    type->size = 1;
    break;
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT:
    type->size = 1;
    while (type->size * 8 < w[2] && type->size < 16)
      type->size *= 2;
    break;
  case SPIRV_OP_TYPE_VECTOR:
    type->size = part ? saturated(part->size * (w[3] == 3 ? 4 : w[3])) : 0;
    break;
  case SPIRV_OP_TYPE_ARRAY: {
    uint64_t count = zecl_spirv_constant_value(r, w[3]);
    type->size = part ? saturated(part->size * saturated(count)) : 0;
    type->align = part ? part->align : 1;
    return;
  }
  case SPIRV_OP_TYPE_STRUCT:
    size_struct(r, w, type);
    return;
  case SPIRV_OP_TYPE_POINTER:
  case SPIRV_OP_TYPE_FORWARD_POINTER:
    type->size = r->pointer_size;
    break;
  default:
    type->size = 0;
  }
  type->align = type->size ? (uint32_t)type->size : 1;
}

static struct zecl_spirv_image image_of(const uint32_t *w) {
  return (struct zecl_spirv_image){.dim = (uint8_t)w[3],
      .is_array = w[5] != 0,
      .access = SPIRV_LENGTH(w[0]) > 9 ? (uint8_t)w[9] : SPIRV_ACCESS_READ_ONLY};
}

struct zecl_arg zecl_spirv_arg_of(const struct zecl_spirv_reader *r, uint32_t type) {
  const uint32_t *w = zecl_spirv_instruction(r, type);
  struct zecl_arg arg = {.kind = ZECL_ARG_OTHER, .size = r->pointer_size};
  switch (zecl_spirv_opcode_of(r, type)) {
  case SPIRV_OP_TYPE_POINTER:
    if (w[2] == SPIRV_STORAGE_FUNCTION) {
      uint64_t size = w[3] < r->bound ? r->ids[w[3]].size : 0;
      arg = (struct zecl_arg){.kind = ZECL_ARG_VALUE, .size = (uint32_t)size};
    } else {
      arg.kind = w[2] == SPIRV_STORAGE_WORKGROUP ? ZECL_ARG_LOCAL : ZECL_ARG_POINTER;
    }
    break;
  case SPIRV_OP_TYPE_IMAGE:
    arg.kind = ZECL_ARG_IMAGE;
    arg.image = image_of(w);
    break;
  case SPIRV_OP_TYPE_SAMPLER:
    arg.kind = ZECL_ARG_SAMPLER;
    break;
  case SPIRV_OP_TYPE_BOOL:
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT:
  case SPIRV_OP_TYPE_VECTOR:
  case SPIRV_OP_TYPE_ARRAY:
  case SPIRV_OP_TYPE_STRUCT:
    arg = (struct zecl_arg){.kind = ZECL_ARG_VALUE, .size = (uint32_t)r->ids[type].size};
    break;
  }
  return arg;
}
