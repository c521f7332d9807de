/* The reader that makes the index of a SPIR-V module. */
#ifndef SYCLZE_OFFLOAD_DETAIL_SPIRV_H
#define SYCLZE_OFFLOAD_DETAIL_SPIRV_H

#include "../spirv.h"
#include "spirv_grammar.h"
#include "spirv_index.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze_spirv_index_end(syclze_spirv_index *index) {
  if (index == NULL) return;
  free(index->ids);
  memset(index, 0, sizeof *index);
}

/* A module that is being read. */
struct syclze__spirv_reader {
  syclze_spirv_index *index;
  syclze_spirv_instruction at;
  uint32_t position; /* of that instruction */
  uint32_t kernel;   /* of the function that is being read, from 1; 0: none */
  uint32_t argument_count;
};

/* The leaves below one result. */
struct syclze__spirv_walk {
  const syclze_spirv_index *index;
  syclze_spec_leaf *leaves;
  uint32_t count;
  uint32_t budget; /* of constituents left to visit */
};

#if SYCLZE__BODIES

/* The kernel whose function has this id; null where there is none. */
SYCLZE_INLINE syclze_spirv_kernel *syclze__spirv_kernel_of(
    const syclze_spirv_index *index, uint32_t function) {
  uint32_t number = function < index->id_count ? index->ids[function].number : 0;
  if (number == 0 || number > index->kernel_count) return NULL;
  syclze_spirv_kernel *kernel = &index->kernels[number - 1];
  return kernel->function == function ? kernel : NULL;
}

SYCLZE_LOCAL struct syclze__status syclze__spirv_read_decoration(
    struct syclze__spirv_reader *reader) {
  syclze_spirv_index *index = reader->index;
  uint32_t id = syclze_spirv_word(&reader->at, 1), decoration = syclze_spirv_word(&reader->at, 2);
  if (decoration == SYCLZE__SPIRV_DECORATION_LINKAGE) {
    uint32_t after = 0;
    const char *name = syclze__spirv_string(&reader->at, 3, &after);
    if (name == NULL || after >= reader->at.length)
      return syclze__invalid("SPIR-V: a linkage without its name or type");
    syclze_spirv_symbol symbol = {name, id, false};
    if (syclze_spirv_word(&reader->at, after) == SYCLZE__SPIRV_LINKAGE_IMPORT)
      index->imports[index->import_count++] = symbol;
    else
      index->exports[index->export_count++] = symbol;
  }
  if (id >= index->id_count) return syclze__allowed();
  struct syclze__spirv_id *target = &index->ids[id];
  if (decoration == SYCLZE__SPIRV_DECORATION_C_PACKED) target->flags |= SYCLZE__SPIRV_ID_PACKED;
  if (decoration == SYCLZE__SPIRV_DECORATION_BUILT_IN) target->flags |= SYCLZE__SPIRV_ID_BUILT_IN;
  if (decoration == SYCLZE__SPIRV_DECORATION_SPEC_ID) {
    if (reader->at.length < 4) return syclze__invalid("SPIR-V: a SpecId without its number");
    target->flags |= SYCLZE__SPIRV_ID_SPEC;
    target->number = syclze_spirv_word(&reader->at, 3);
  }
  return syclze__allowed();
}

/* Applies the decorations of a group to each id that the instruction lists. */
SYCLZE_INLINE void syclze__spirv_read_group_decoration(struct syclze__spirv_reader *reader) {
  syclze_spirv_index *index = reader->index;
  uint32_t id = syclze_spirv_word(&reader->at, 1);
  if (id >= index->id_count) return;
  struct syclze__spirv_id group = index->ids[id];
  for (uint32_t i = 2; i < reader->at.length; i++) {
    uint32_t member = syclze_spirv_word(&reader->at, i);
    if (member >= index->id_count) continue;
    index->ids[member].flags |= group.flags;
    if (group.flags & SYCLZE__SPIRV_ID_SPEC) index->ids[member].number = group.number;
  }
}

SYCLZE_INLINE struct syclze__status syclze__spirv_read_entry_point(
    struct syclze__spirv_reader *reader) {
  syclze_spirv_index *index = reader->index;
  uint32_t after, function = syclze_spirv_word(&reader->at, 2);
  if (syclze_spirv_word(&reader->at, 1) != SYCLZE__SPIRV_MODEL_KERNEL) return syclze__allowed();
  syclze_spirv_kernel *kernel = &index->kernels[index->kernel_count];
  kernel->name = syclze__spirv_string(&reader->at, 3, &after);
  kernel->function = function;
  if (kernel->name == NULL) return syclze__invalid("SPIR-V: an entry point without its name");
  index->kernel_count++;
  if (function < index->id_count && syclze__spirv_kernel_of(index, function) == NULL)
    index->ids[function].number = index->kernel_count;
  return syclze__allowed();
}

/* An operand of an execution mode: a literal, or the id of a constant. */
SYCLZE_INLINE uint32_t syclze__spirv_operand(
    const struct syclze__spirv_reader *reader, uint32_t word) {
  uint32_t operand = word < reader->at.length ? syclze_spirv_word(&reader->at, word) : 0;
  if (reader->at.opcode == SYCLZE__SPIRV_OP_EXECUTION_MODE) return operand;
  return (uint32_t)syclze__spirv_value_of(reader->index, operand);
}

SYCLZE_LOCAL void syclze__spirv_read_mode(struct syclze__spirv_reader *reader) {
  uint32_t mode = syclze_spirv_word(&reader->at, 2);
  syclze_spirv_kernel *kernel =
      syclze__spirv_kernel_of(reader->index, syclze_spirv_word(&reader->at, 1));
  if (kernel == NULL) return;
  switch (mode) {
  case SYCLZE__SPIRV_MODE_LOCAL_SIZE:
  case SYCLZE__SPIRV_MODE_LOCAL_SIZE_ID:
    for (uint32_t i = 0; i < 3; i++)
      kernel->required_group_size[i] = syclze__spirv_operand(reader, 3 + i);
    break;
  case SYCLZE__SPIRV_MODE_LOCAL_SIZE_HINT:
  case SYCLZE__SPIRV_MODE_LOCAL_SIZE_HINT_ID:
    for (uint32_t i = 0; i < 3; i++)
      kernel->group_size_hint[i] = syclze__spirv_operand(reader, 3 + i);
    break;
  case SYCLZE__SPIRV_MODE_SUBGROUP_SIZE:
    kernel->required_sub_group_size = syclze__spirv_operand(reader, 3);
    reader->index->needs |= SYCLZE_SPIRV_NEEDS_SUB_GROUPS;
    break;
  case SYCLZE__SPIRV_MODE_SUBGROUPS_PER_WORKGROUP:
  case SYCLZE__SPIRV_MODE_SUBGROUPS_PER_WORKGROUP_ID:
    kernel->required_sub_groups = syclze__spirv_operand(reader, 3);
    reader->index->needs |= SYCLZE_SPIRV_NEEDS_SUB_GROUPS;
    break;
  case SYCLZE__SPIRV_MODE_CONTRACTION_OFF:
    kernel->contraction_off = true;
    break;
  default:
    break;
  }
}

SYCLZE_LOCAL struct syclze__status syclze__spirv_read_spec_constant(
    struct syclze__spirv_reader *reader) {
  syclze_spirv_index *index = reader->index;
  struct syclze__spirv_id *result = &index->ids[syclze_spirv_word(&reader->at, 2)];
  if (!(result->flags & SYCLZE__SPIRV_ID_SPEC)) return syclze__allowed();
  syclze_spirv_constant constant = {result->number, SYCLZE_SPEC_TYPE_BOOL, 1, 0};
  if (reader->at.opcode == SYCLZE__SPIRV_OP_SPEC_CONSTANT) {
    uint32_t type = syclze_spirv_word(&reader->at, 1);
    uint32_t opcode = syclze__spirv_definition(index, type).opcode;
    /* A SpecId of the type has replaced its size. */
    if ((opcode != SYCLZE__SPIRV_OP_TYPE_INT && opcode != SYCLZE__SPIRV_OP_TYPE_FLOAT) ||
        index->ids[type].flags & SYCLZE__SPIRV_ID_SPEC)
      return syclze__invalid("SPIR-V: a specialisation constant must be a number");
    constant.type =
        opcode == SYCLZE__SPIRV_OP_TYPE_INT ? SYCLZE_SPEC_TYPE_INTEGER : SYCLZE_SPEC_TYPE_FLOAT;
    constant.size = syclze__spirv_size_of(index, type);
    if (reader->at.length != (constant.size > 4 ? 5u : 4u))
      return syclze__invalid("SPIR-V: a specialisation constant whose value is not of its size");
    constant.default_value = syclze__spirv_value_of(index, syclze_spirv_word(&reader->at, 2)) &
                             UINT64_MAX >> (64 - 8 * constant.size);
  } else
    constant.default_value = reader->at.opcode == SYCLZE__SPIRV_OP_SPEC_CONSTANT_TRUE;
  index->constants[index->constant_count++] = constant;
  result->leaves = 1;
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__spirv_read_composite(
    struct syclze__spirv_reader *reader) {
  syclze_spirv_index *index = reader->index;
  uint32_t id = syclze_spirv_word(&reader->at, 2), leaves = 0, depth = 0;
  for (uint32_t i = 3; i < reader->at.length; i++) {
    uint32_t part = syclze_spirv_word(&reader->at, i);
    if (part >= index->id_count || index->ids[part].leaves == 0) continue;
    leaves += index->ids[part].leaves;
    if (index->ids[part].depth > depth) depth = index->ids[part].depth;
    if (leaves > SYCLZE_SPIRV_LEAF_LIMIT || depth >= SYCLZE__SPIRV_DEPTH_LIMIT)
      return syclze__invalid("SPIR-V: a composite constant of too many leaves or levels");
    index->ids[part].flags |= SYCLZE__SPIRV_ID_PART;
  }
  index->ids[id].leaves = leaves;
  index->ids[id].depth = (uint8_t)(depth + 1);
  syclze_spirv_composite composite = {
      id, syclze__spirv_size_of(index, syclze_spirv_word(&reader->at, 1)), leaves};
  if (leaves != 0) index->composites[index->composite_count++] = composite;
  return syclze__allowed();
}

SYCLZE_INLINE struct syclze__status syclze__spirv_read_parameter(
    struct syclze__spirv_reader *reader) {
  if (reader->kernel == 0) return syclze__allowed();
  syclze_spirv_index *index = reader->index;
  syclze_spirv_argument argument =
      syclze__spirv_argument_of(index, syclze_spirv_word(&reader->at, 1));
  if (argument.size > SYCLZE_SPIRV_ARGUMENT_SIZE_LIMIT)
    return syclze__invalid("SPIR-V: an argument of a kernel exceeds the limit");
  index->arguments[reader->argument_count++] = argument;
  index->kernels[reader->kernel - 1].argument_count++;
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__spirv_read_instruction(
    struct syclze__spirv_reader *reader) {
  syclze_spirv_index *index = reader->index;
  uint32_t least, word = syclze__spirv_result_word(reader->at.opcode, &least);
  struct syclze__spirv_id *result = NULL;
  if (word != 0) {
    result = &index->ids[syclze_spirv_word(&reader->at, word)];
    /* A forward declaration is followed by the type itself. */
    if (result->position != 0 && reader->at.opcode != SYCLZE__SPIRV_OP_TYPE_POINTER)
      return syclze__invalid("SPIR-V: an id is defined twice");
    result->position = reader->position;
  }
  switch (reader->at.opcode) {
  case SYCLZE__SPIRV_OP_CAPABILITY:
    index->needs |= syclze__spirv_need_of(syclze_spirv_word(&reader->at, 1));
    break;
  case SYCLZE__SPIRV_OP_MEMORY_MODEL:
    if (syclze_spirv_word(&reader->at, 1) == SYCLZE__SPIRV_ADDRESSING_PHYSICAL32)
      index->pointer_size = 4;
    break;
  case SYCLZE__SPIRV_OP_ENTRY_POINT:
    return syclze__spirv_read_entry_point(reader);
  case SYCLZE__SPIRV_OP_EXECUTION_MODE:
    syclze__spirv_read_mode(reader);
    break;
  case SYCLZE__SPIRV_OP_DECORATE:
    return syclze__spirv_read_decoration(reader);
  case SYCLZE__SPIRV_OP_GROUP_DECORATE:
    syclze__spirv_read_group_decoration(reader);
    break;
  case SYCLZE__SPIRV_OP_SPEC_CONSTANT_TRUE:
  case SYCLZE__SPIRV_OP_SPEC_CONSTANT_FALSE:
  case SYCLZE__SPIRV_OP_SPEC_CONSTANT:
    return syclze__spirv_read_spec_constant(reader);
  case SYCLZE__SPIRV_OP_SPEC_CONSTANT_COMPOSITE:
    return syclze__spirv_read_composite(reader);
  case SYCLZE__SPIRV_OP_FUNCTION: {
    syclze_spirv_kernel *kernel = syclze__spirv_kernel_of(index, syclze_spirv_word(&reader->at, 2));
    reader->kernel = kernel != NULL ? (uint32_t)(kernel - index->kernels) + 1 : 0;
    if (kernel != NULL) kernel->arguments = index->arguments + reader->argument_count;
    break;
  }
  case SYCLZE__SPIRV_OP_FUNCTION_PARAMETER:
    return syclze__spirv_read_parameter(reader);
  default:
    if (result != NULL && reader->at.opcode <= SYCLZE__SPIRV_OP_TYPE_FORWARD_POINTER)
      syclze__spirv_size_type(index, &reader->at, result);
    break;
  }
  return syclze__allowed();
}

/* Compares pointers to kernels: by name, then in their order. */
SYCLZE_LOCAL int syclze__spirv_compare_names(const void *a, const void *b) {
  const syclze_spirv_kernel *left = *(const syclze_spirv_kernel *const *)a;
  const syclze_spirv_kernel *right = *(const syclze_spirv_kernel *const *)b;
  int order = strcmp(left->name, right->name);
  return order != 0 ? order : left < right ? -1 : left > right;
}

/* Completes the index: reads instructions that refer forward, sorts the lists, and drops entries
 * that are listed twice. */
SYCLZE_LOCAL struct syclze__status syclze__spirv_finish(struct syclze__spirv_reader *reader) {
  syclze_spirv_index *index = reader->index;
  uint32_t next = 0, count = 0;
  while (syclze_spirv_next(&index->spirv, &next, &reader->at))
    if (reader->at.opcode == SYCLZE__SPIRV_OP_EXECUTION_MODE_ID) syclze__spirv_read_mode(reader);

  for (uint32_t i = 0; i < index->kernel_count; i++) {
    const syclze_spirv_kernel *first = syclze__spirv_kernel_of(index, index->kernels[i].function);
    if (first == NULL || first->arguments == NULL)
      return syclze__invalid("SPIR-V: an entry point whose function is not in the module");
    const char *name = index->kernels[i].name;
    index->kernels[i] = *first;
    index->kernels[i].name = name;
    index->by_name[i] = &index->kernels[i];
  }
  if (index->kernel_count > 1)
    qsort((void *)index->by_name, index->kernel_count, sizeof *index->by_name,
        syclze__spirv_compare_names);
  for (uint32_t i = 0; i < index->import_count; i++) {
    syclze_spirv_symbol symbol = index->imports[i];
    bool is_built_in =
        symbol.id < index->id_count && index->ids[symbol.id].flags & SYCLZE__SPIRV_ID_BUILT_IN;
    symbol.is_function =
        syclze__spirv_definition(index, symbol.id).opcode == SYCLZE__SPIRV_OP_FUNCTION;
    if (!is_built_in) index->imports[count++] = symbol;
  }
  index->import_count = count;
  for (uint32_t i = 0; i < index->export_count; i++)
    index->exports[i].is_function =
        syclze__spirv_definition(index, index->exports[i].id).opcode == SYCLZE__SPIRV_OP_FUNCTION;

  if (index->constant_count > 1)
    qsort(index->constants, index->constant_count, sizeof *index->constants,
        syclze__spirv_compare_constants);
  count = 0;
  for (uint32_t i = 0; i < index->constant_count; i++) {
    const syclze_spirv_constant *last = count != 0 ? &index->constants[count - 1] : NULL;
    if (last == NULL || last->id != index->constants[i].id)
      index->constants[count++] = index->constants[i];
    else if (last->size != index->constants[i].size)
      return syclze__invalid("SPIR-V: constants of two sizes bear one SpecId");
  }
  index->constant_count = count;
  count = 0;
  for (uint32_t i = 0; i < index->composite_count; i++)
    if (!(index->ids[index->composites[i].result].flags & SYCLZE__SPIRV_ID_PART))
      index->composites[count++] = index->composites[i];
  index->composite_count = count;
  return syclze__allowed();
}

/* The first pass: checks lengths and results, counts, allocates. */
SYCLZE_LOCAL struct syclze__status syclze__spirv_make_room(syclze_spirv_index *index) {
  uint64_t kernels = 0, symbols = 0, constants = 0, composites = 0, arguments = 0;
  uint32_t position = 0, highest = 0;
  syclze_spirv_instruction at;
  while (syclze_spirv_next(&index->spirv, &position, &at)) {
    uint32_t least, word = syclze__spirv_result_word(at.opcode, &least);
    if (at.length < least)
      return syclze__invalid("SPIR-V: an instruction is shorter than its operands");
    uint32_t id = word != 0 ? syclze_spirv_word(&at, word) : 0;
    if (id >= index->spirv.bound) return syclze__invalid("SPIR-V: an id is not below the bound");
    if (id > highest) highest = id;
    kernels += at.opcode == SYCLZE__SPIRV_OP_ENTRY_POINT;
    symbols += at.opcode == SYCLZE__SPIRV_OP_DECORATE &&
               syclze_spirv_word(&at, 2) == SYCLZE__SPIRV_DECORATION_LINKAGE;
    constants += at.opcode >= SYCLZE__SPIRV_OP_SPEC_CONSTANT_TRUE &&
                 at.opcode <= SYCLZE__SPIRV_OP_SPEC_CONSTANT;
    composites += at.opcode == SYCLZE__SPIRV_OP_SPEC_CONSTANT_COMPOSITE;
    arguments += at.opcode == SYCLZE__SPIRV_OP_FUNCTION_PARAMETER;
  }
  index->id_count = highest + 1;
  uint64_t size = (uint64_t)index->id_count * sizeof *index->ids +
                  kernels * (sizeof *index->kernels + sizeof *index->by_name) +
                  symbols * 2 * sizeof *index->imports + constants * sizeof *index->constants +
                  composites * sizeof *index->composites +
                  (arguments + 1) * sizeof *index->arguments;
  if (size <= SIZE_MAX) index->ids = (struct syclze__spirv_id *)calloc(1, (size_t)size);
  if (index->ids == NULL) return syclze__out_of_memory();
  /* Arrays with pointers and 64-bit numbers are first. */
  index->by_name = (const syclze_spirv_kernel **)(void *)(index->ids + index->id_count);
  index->kernels = (syclze_spirv_kernel *)(void *)(index->by_name + kernels);
  index->imports = (syclze_spirv_symbol *)(void *)(index->kernels + kernels);
  index->exports = index->imports + symbols;
  index->constants = (syclze_spirv_constant *)(void *)(index->exports + symbols);
  index->composites = (syclze_spirv_composite *)(void *)(index->constants + constants);
  index->arguments = (syclze_spirv_argument *)(void *)(index->composites + composites);
  index->pointer_size = 8;
  return syclze__allowed();
}

/* syclze_spirv_index_make without the diagnostic. */
SYCLZE_LOCAL struct syclze__status syclze__spirv_index_read(
    syclze_bytes bytes, syclze_spirv_index *index) {
  memset(index, 0, sizeof *index);
  struct syclze__status status = syclze__spirv_check(bytes, &index->spirv);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__spirv_make_room(index);
  SYCLZE__ZEROED(struct syclze__spirv_reader, reader);
  reader.index = index;
  uint32_t next = SYCLZE__SPIRV_HEADER_WORDS;
  while (status.result == ZE_RESULT_SUCCESS) {
    reader.position = next;
    if (!syclze_spirv_next(&index->spirv, &next, &reader.at)) break;
    status = syclze__spirv_read_instruction(&reader);
  }
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__spirv_finish(&reader);
  if (status.result != ZE_RESULT_SUCCESS) syclze_spirv_index_end(index);
  return status;
}

SYCLZE_COLD ze_result_t syclze_spirv_index_make(syclze_bytes bytes, syclze_spirv_index *index) {
  if (index == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_spirv_index_make",
        "the result's pointer is null", bytes.data);
  struct syclze__status status = syclze__spirv_index_read(bytes, index);
  return syclze__finish(status, "syclze_spirv_index_make", bytes.data);
}

SYCLZE_LOCAL void syclze__spirv_walk_leaves(
    struct syclze__spirv_walk *walk, uint32_t result, uint64_t offset) {
  const syclze_spirv_index *index = walk->index;
  syclze_spirv_instruction constant = syclze__spirv_definition(index, result);
  if (constant.data == NULL) return;
  uint32_t type = syclze_spirv_word(&constant, 1);
  if (constant.opcode != SYCLZE__SPIRV_OP_SPEC_CONSTANT_COMPOSITE) {
    uint32_t size =
        constant.opcode == SYCLZE__SPIRV_OP_SPEC_CONSTANT ? syclze__spirv_size_of(index, type) : 1;
    syclze_spec_leaf leaf = {index->ids[result].number, syclze__spirv_saturated(offset), size};
    walk->leaves[walk->count++] = leaf;
    return;
  }
  syclze_spirv_instruction of = syclze__spirv_definition(index, type);
  bool is_struct = of.opcode == SYCLZE__SPIRV_OP_TYPE_STRUCT;
  bool is_packed = is_struct && index->ids[type].flags & SYCLZE__SPIRV_ID_PACKED;
  for (uint32_t i = 3; i < constant.length && walk->budget != 0; i++) {
    walk->budget--;
    uint32_t part = syclze_spirv_word(&constant, i), word = is_struct ? i - 1 : 2;
    uint32_t member = word < of.length ? syclze_spirv_word(&of, word) : 0;
    if (is_struct) offset = syclze__spirv_member_at(index, is_packed, member, offset);
    /* A constituent that is defined later was not counted, and might lead back here. */
    if (part < index->id_count && index->ids[part].leaves != 0 &&
        index->ids[part].position < index->ids[result].position)
      syclze__spirv_walk_leaves(walk, part, offset);
    offset = syclze__spirv_saturated(offset + syclze__spirv_size_of(index, member));
  }
}

SYCLZE_COLD ze_result_t syclze_spirv_index_leaves(const syclze_spirv_index *index,
    const syclze_spirv_composite *composite, syclze_spec_leaf *leaves) {
  if (index == NULL || composite == NULL || leaves == NULL)
    return syclze__fail_pointer("syclze_spirv_index_leaves", "a pointer is null");
  struct syclze__spirv_walk walk = {index, leaves, 0, 16 * SYCLZE_SPIRV_LEAF_LIMIT};
  syclze__spirv_walk_leaves(&walk, composite->result, 0);
  if (walk.budget != 0) return ZE_RESULT_SUCCESS;
  return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_spirv_index_leaves",
      "SPIR-V: a composite constant of too many constituents", index->spirv.data);
}

#endif

SYCLZE_EXTERN_C_END

#endif
