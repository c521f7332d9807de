/* The contents of a part of a SPIR-V module: the functions, types, constants and variables that its
 * kernels reach, and their requirements to the device.
 *
 * Unlisted instructions outside of functions are refused, since their definitions and uses are
 * unknown; in functions they are assumed to use whatever their words could name. */
#include "../split.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SPLIT_LIVENESS_H
#define SYCLZE_OFFLOAD_DETAIL_SPLIT_LIVENESS_H

#include "spirv_use.h"

SYCLZE_EXTERN_C_BEGIN

/* Facts of a part that need a capability. */
enum syclze__split_fact {
  SYCLZE__SPLIT_FLOAT16 = 1 << 0,
  SYCLZE__SPLIT_FLOAT64 = 1 << 1,
  SYCLZE__SPLIT_INT8 = 1 << 2,
  SYCLZE__SPLIT_INT16 = 1 << 3,
  SYCLZE__SPLIT_INT64 = 1 << 4,
  SYCLZE__SPLIT_ATOMIC64 = 1 << 5,
  SYCLZE__SPLIT_IMAGES = 1 << 6,
  SYCLZE__SPLIT_GENERIC = 1 << 7,
  SYCLZE__SPLIT_VECTOR16 = 1 << 8,
  SYCLZE__SPLIT_GROUPS = 1 << 9,
  SYCLZE__SPLIT_NON_UNIFORM = 1 << 10,
  SYCLZE__SPLIT_SUB_GROUPS = 1 << 11
};

/* An id of the module. */
struct syclze__split_id {
  uint32_t position; /* of its definition outside of functions; 0: none */
  uint32_t owner;    /* the id that keeps it: itself, or its function */
  uint32_t mark;     /* the last walk that reached it */
  uint32_t entry;    /* of a kernel's function: where its OpEntryPoint is */
  uint32_t unit;     /* of a variable that is written: the first that reaches it, from 1 */
  uint32_t part;     /* of a kernel or an export: its part, from 1 */
  uint32_t flags;
  uint32_t pieces; /* that are written where it is: the first, from 1; of id 0 those of all parts */
};

enum { SYCLZE__SPLIT_ID_SUB_GROUPS = 1, SYCLZE__SPLIT_ID_EXPORT = 2, SYCLZE__SPLIT_ID_ALWAYS = 4 };

#if SYCLZE__BODIES

/* Capabilities that a part declares only if it has one of the facts. All others are kept. */
/* clang-format off */
#define SYCLZE__SPLIT_CAPABILITIES(X) \
  X(7, 7, SYCLZE__SPLIT_VECTOR16) \
  X(8, 9, SYCLZE__SPLIT_FLOAT16) \
  X(10, 10, SYCLZE__SPLIT_FLOAT64) \
  X(11, 11, SYCLZE__SPLIT_INT64) \
  X(12, 12, SYCLZE__SPLIT_ATOMIC64) \
  X(13, 15, SYCLZE__SPLIT_IMAGES) \
  X(18, 18, SYCLZE__SPLIT_GROUPS | SYCLZE__SPLIT_SUB_GROUPS) \
  X(20, 20, SYCLZE__SPLIT_IMAGES)                                 /* LiteralSampler */ \
  X(22, 22, SYCLZE__SPLIT_INT16) \
  X(38, 38, SYCLZE__SPLIT_GENERIC) \
  X(39, 39, SYCLZE__SPLIT_INT8) \
  X(43, 44, SYCLZE__SPLIT_IMAGES)                                 /* Sampled1D, Image1D */ \
  X(46, 47, SYCLZE__SPLIT_IMAGES)                                 /* of buffers */ \
  X(58, 58, SYCLZE__SPLIT_SUB_GROUPS) \
  X(61, 68, SYCLZE__SPLIT_NON_UNIFORM | SYCLZE__SPLIT_SUB_GROUPS) \
  X(5568, 5570, SYCLZE__SPLIT_SUB_GROUPS) \
  X(5613, 5613, SYCLZE__SPLIT_FLOAT64)                            /* AtomicFloat64MinMaxEXT */ \
  X(5616, 5616, SYCLZE__SPLIT_FLOAT16)                            /* AtomicFloat16MinMaxEXT */ \
  X(6034, 6034, SYCLZE__SPLIT_FLOAT64)                            /* AtomicFloat64AddEXT */ \
  X(6095, 6095, SYCLZE__SPLIT_FLOAT16)                            /* AtomicFloat16AddEXT */

/* clang-format on */

SYCLZE_INLINE bool syclze__split_keeps(const struct syclze__split_reach *reach, uint32_t id) {
  return id < reach->id_count && reach->ids[id].owner != 0 &&
         reach->ids[reach->ids[id].owner].mark == reach->walk;
}

/* True if a capability is declared by a part that has these facts. */
SYCLZE_INLINE bool syclze__split_declares(uint32_t capability, uint32_t facts) {
#define SYCLZE__CAPABILITY(low, high, needed)                                                      \
  if (capability >= low && capability <= high) return (facts & (needed)) != 0;
  SYCLZE__SPLIT_CAPABILITIES(SYCLZE__CAPABILITY)
#undef SYCLZE__CAPABILITY
  return true;
}

SYCLZE_INLINE void syclze__split_reach_id(struct syclze__split_reach *reach, uint32_t id) {
  if (id >= reach->id_count || reach->ids[id].position == 0 || reach->ids[id].mark == reach->walk)
    return;
  reach->ids[id].mark = reach->walk;
  reach->queue[reach->reached++] = id;
}

SYCLZE_LOCAL uint32_t syclze__split_facts_of(
    const struct syclze__split_reach *reach, const syclze_spirv_instruction *at) {
  uint32_t opcode = at->opcode, second = at->length > 2 ? syclze_spirv_word(at, 2) : 0;
  if (opcode == SYCLZE__SPIRV_OP_TYPE_INT)
    return second == 8    ? SYCLZE__SPLIT_INT8
           : second == 16 ? SYCLZE__SPLIT_INT16
           : second == 64 ? SYCLZE__SPLIT_INT64
                          : 0;
  if (opcode == SYCLZE__SPIRV_OP_TYPE_FLOAT)
    return second == 16 ? SYCLZE__SPLIT_FLOAT16 : second == 64 ? SYCLZE__SPLIT_FLOAT64 : 0;
  if (opcode == SYCLZE__SPIRV_OP_TYPE_VECTOR)
    return at->length > 3 && syclze_spirv_word(at, 3) > 4 ? SYCLZE__SPLIT_VECTOR16 : 0;
  if (opcode >= SYCLZE__SPIRV_OP_TYPE_IMAGE && opcode <= SYCLZE__SPIRV_OP_TYPE_SAMPLED_IMAGE)
    return SYCLZE__SPLIT_IMAGES;
  if (opcode == SYCLZE__SPIRV_OP_TYPE_POINTER)
    return second == SYCLZE__SPIRV_STORAGE_GENERIC ? SYCLZE__SPLIT_GENERIC : 0;
  /* The type of an atomic store is unknown here: it counts as one of 64 bits. */
  if (opcode == 228) return SYCLZE__SPLIT_ATOMIC64;
  if (opcode >= 227 && opcode <= 242 && at->length > 1) {
    uint32_t type = syclze_spirv_word(at, 1);
    if (type >= reach->id_count || reach->ids[type].position == 0) return 0;
    syclze_spirv_instruction of = syclze__spirv_at(&reach->spirv, reach->ids[type].position);
    bool is_64 =
        of.opcode == SYCLZE__SPIRV_OP_TYPE_INT && of.length > 2 && syclze_spirv_word(&of, 2) == 64;
    return is_64 ? SYCLZE__SPLIT_ATOMIC64 : 0;
  }
  if (opcode >= 259 && opcode <= 271) return SYCLZE__SPLIT_GROUPS;
  if (opcode == 325 || opcode == 326) return SYCLZE__SPLIT_SUB_GROUPS;
  if ((opcode >= 333 && opcode <= 366) || (opcode >= 4421 && opcode <= 4432))
    return SYCLZE__SPLIT_NON_UNIFORM;
  if (opcode >= 5571 && opcode <= 5581) return SYCLZE__SPLIT_SUB_GROUPS;
  if (opcode >= 6401 && opcode <= 6408) return SYCLZE__SPLIT_GROUPS;
  return 0;
}

SYCLZE_INLINE void syclze__split_walk_begin(struct syclze__split_reach *reach) {
  reach->walk++;
  reach->reached = 0;
  reach->facts = 0;
}

/* Which operands, from word 5 on, of an instruction of debug information are numbers, such as lines
 * and flags: a bit each. */
SYCLZE_LOCAL uint32_t syclze__split_debug_literals(
    const struct syclze__split_reach *reach, const syclze_spirv_instruction *at) {
  static const uint16_t literals[] = {0, 0xb, 4, 6, 2, 0, 2, 0x18, 1, 0x98, 0x11a, 0x118, 0x10, 0,
      0, 0x30, 0x18, 0xc, 0x118, 0x98, 0x198, 6, 2, 0, 0, 1, 0xd8, 0, 0, 0, 0xffff, 0, 2, 0, 0x32};
  static const char set_name[] = "OpenCL.DebugInfo.100", old_name[] = "SPIRV.debug";
  uint32_t set = at->length > 4 ? syclze_spirv_word(at, 3) : 0, after;
  if (at->opcode != 12 || set >= reach->id_count || reach->ids[set].position == 0) return 0;
  syclze_spirv_instruction import = syclze__spirv_at(&reach->spirv, reach->ids[set].position);
  const char *name = import.opcode == 11 ? syclze__spirv_string(&import, 2, &after) : NULL;
  if (name == NULL || (strcmp(name, set_name) != 0 && strcmp(name, old_name) != 0)) return 0;
  uint32_t number = syclze_spirv_word(at, 4);
  return number < sizeof literals / sizeof *literals ? literals[number] : 0;
}

/* Reaches the operands of one instruction. */
SYCLZE_INLINE void syclze__split_walk_operands(
    struct syclze__split_reach *reach, const syclze_spirv_instruction *at) {
  uint32_t literals = syclze__split_debug_literals(reach, at);
  for (uint32_t word = 1; word < at->length; word++)
    if (syclze__spirv_word_is_id(at, word) &&
        !(word >= 5 && word < 21 && literals >> (word - 5) & 1))
      syclze__split_reach_id(reach, syclze_spirv_word(at, word));
}

/* Walks until the queue is empty. */
SYCLZE_LOCAL void syclze__split_walk(struct syclze__split_reach *reach) {
  for (uint32_t i = 0; i < reach->reached; i++) {
    const struct syclze__split_id *id = &reach->ids[reach->queue[i]];
    syclze_spirv_instruction at;
    uint32_t position = id->position;
    if (id->flags & SYCLZE__SPLIT_ID_SUB_GROUPS) reach->facts |= SYCLZE__SPLIT_SUB_GROUPS;
    bool is_function =
        syclze__spirv_at(&reach->spirv, position).opcode == SYCLZE__SPIRV_OP_FUNCTION;
    while (syclze_spirv_next(&reach->spirv, &position, &at)) {
      reach->visits++;
      reach->facts |= syclze__split_facts_of(reach, &at);
      syclze__split_walk_operands(reach, &at);
      if (!is_function || at.opcode == 56) break; /* FunctionEnd */
    }
  }
}

/* Reads an instruction outside of functions that defines nothing. */
SYCLZE_LOCAL struct syclze__status syclze__split_read_outside(
    struct syclze__split_reach *reach, const syclze_spirv_instruction *at) {
  uint32_t opcode = at->opcode, target = at->length > 2 ? syclze_spirv_word(at, 1) : 0;
  struct syclze__split_id *id = target < reach->id_count ? &reach->ids[target] : NULL;
  switch (opcode) {
  case SYCLZE__SPIRV_OP_ENTRY_POINT:
    target = syclze_spirv_word(at, 2);
    if (target >= reach->id_count || reach->ids[target].entry != 0)
      return syclze__unsupported("SPIR-V: two entry points of one function cannot be divided");
    reach->ids[target].entry = (uint32_t)((size_t)(at->data - reach->spirv.data) / 4);
    return syclze__allowed();
  case SYCLZE__SPIRV_OP_DECORATE:
    /* SubgroupSize to SubgroupLocalInvocationId, and SubgroupEqMask to SubgroupLtMask. */
    if (id != NULL && syclze_spirv_word(at, 2) == SYCLZE__SPIRV_DECORATION_BUILT_IN &&
        at->length > 3 &&
        (syclze_spirv_word(at, 3) - 36 <= 5 || syclze_spirv_word(at, 3) - 4416 <= 4))
      id->flags |= SYCLZE__SPLIT_ID_SUB_GROUPS;
    return syclze__allowed();
  case SYCLZE__SPIRV_OP_EXECUTION_MODE_ID:
  case 332: /* DecorateId */
    for (uint32_t word = 3; word < at->length; word++)
      if (syclze_spirv_word(at, word) < reach->id_count)
        reach->ids[syclze_spirv_word(at, word)].flags |= SYCLZE__SPLIT_ID_ALWAYS;
    return syclze__allowed();
  case SYCLZE__SPIRV_OP_EXECUTION_MODE:
  case SYCLZE__SPIRV_OP_MEMORY_MODEL:
  case SYCLZE__SPIRV_OP_CAPABILITY:
  case SYCLZE__SPIRV_OP_EXTENSION:
  case SYCLZE__SPIRV_OP_TYPE_FORWARD_POINTER:
  case SYCLZE__SPIRV_OP_GROUP_DECORATE:
  case 72:   /* MemberDecorate */
  case 75:   /* GroupMemberDecorate */
  case 5632: /* DecorateString */
  case 5633: /* MemberDecorateString */
    return syclze__allowed();
  default: /* names and lines; ModuleProcessed */
    if (opcode <= 8 || opcode == 317 || opcode == 330) return syclze__allowed();
    return syclze__unsupported("SPIR-V: an instruction that cannot be divided");
  }
}

/* Finds the definitions of all ids. `ids` are zeros; `always` has room for as many. */
SYCLZE_LOCAL struct syclze__status syclze__split_read(struct syclze__split_reach *reach) {
  uint32_t position = 0, function = 0;
  syclze_spirv_instruction at;
  for (uint32_t next = 0; syclze_spirv_next(&reach->spirv, &next, &at); position = next) {
    bool begins = at.opcode == SYCLZE__SPIRV_OP_FUNCTION;
    uint32_t word = function != 0 && !begins ? syclze__spirv_local_word(at.opcode)
                                             : syclze__spirv_definition_word(at.opcode);
    if (position == 0) position = SYCLZE__SPIRV_HEADER_WORDS;
    if (begins && function != 0) return syclze__invalid("SPIR-V: a function within a function");
    if (word == 0 && function == 0) {
      struct syclze__status status = syclze__split_read_outside(reach, &at);
      if (status.result != ZE_RESULT_SUCCESS) return status;
    }
    if (word != 0) {
      uint32_t id = word < at.length ? syclze_spirv_word(&at, word) : 0;
      if (id == 0 || id >= reach->id_count || reach->ids[id].owner != 0)
        /* In a function also by an unlisted instruction that defines nothing. */
        return function != 0 && !begins
                   ? syclze__unsupported("SPIR-V: an instruction that cannot be divided")
                   : syclze__invalid("SPIR-V: an id that is out of bounds, or defined twice");
      if (begins) function = id;
      reach->ids[id].owner = function != 0 ? function : id;
      if (function == 0 || begins) reach->ids[id].position = position;
      if (at.opcode == 73) reach->ids[id].flags |= SYCLZE__SPLIT_ID_ALWAYS; /* DecorationGroup */
    }
    if (at.opcode == 56) function = 0;
  }
  for (uint32_t id = 0; id < reach->id_count; id++)
    if (reach->ids[id].flags & SYCLZE__SPLIT_ID_ALWAYS) reach->always[reach->always_count++] = id;
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
