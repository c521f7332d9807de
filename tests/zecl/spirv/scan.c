/* Reads a SPIR-V module in one pass over its instructions, as the order of a module allows: entry
 * points, then annotations, then types and constants, then functions. What refers forward is
 * resolved after the pass.
 *
 * Everything else here that walks over words relies on what is checked in this pass: instructions
 * end within the module and have the length that is read of them, each id that zecl records is
 * below the bound and defined once, and no function's instruction stands outside a function, nor a
 * module's behind the first one. */
#include "spirv/cooperate.h"
#include "spirv/grammar.h"
#include "spirv/reader.h"
#include "spirv/words.h"

#include <stdlib.h>
#include <string.h>

enum { ARG_SIZE_LIMIT = 1 << 20 };

static bool fail(struct zecl_spirv_reader *r, const char *why) {
  zecl_text_add(r->log, "invalid SPIR-V: at word %zu: %s\n", r->position, why);
  return false;
}

/* Room for one more element: arrays double when their count reaches a power of two. */
static bool grow(void **array, uint32_t count, size_t size) {
  if (count & (count - 1)) return true;
  void *bigger = realloc(*array, (count ? (size_t)count * 2 : 1) * size);
  if (!bigger) return false;
  *array = bigger;
  return true;
}

#define APPEND(r, array, count, ...)                                                               \
  (grow((void **)&(array), (count), sizeof *(array)) ? ((array)[(count)++] = __VA_ARGS__, true)    \
                                                     : fail((r), "out of memory"))

/* The string that starts at word `first` of an instruction, copied; null and a line in the log
 * without its end. */
static char *string_at(struct zecl_spirv_reader *r, const uint32_t *w, uint32_t first) {
  const char *text = (const char *)(w + first);
  uint32_t length = SPIRV_LENGTH(w[0]);
  size_t room = length > first ? (length - first) * sizeof *w : 0;
  size_t size = strnlen(text, room);
  char *copy = NULL;
  if (size == room) {
    fail(r, "a string has no end");
  } else if (!(copy = strndup(text, size))) {
    fail(r, "out of memory");
  }
  return copy;
}

static bool read_decoration(struct zecl_spirv_reader *r, const uint32_t *w) {
  uint32_t length = SPIRV_LENGTH(w[0]);
  if (w[1] >= r->bound) return fail(r, "an id above the bound");
  struct zecl_spirv_id *target = &r->ids[w[1]];
  switch (w[2]) {
  case SPIRV_DECORATION_SPEC_ID:
    if (length < 4) return fail(r, "a SpecId without a number");
    target->has_spec_id = true;
    target->spec_id = w[3];
    return true;
  case SPIRV_DECORATION_C_PACKED:
    target->is_packed = true;
    return true;
  case SPIRV_DECORATION_BUILT_IN:
    target->is_built_in = true;
    return true;
  case SPIRV_DECORATION_LINKAGE: {
    char *name = string_at(r, w, 3);
    if (!name) return false;
    uint32_t last = 3 + (uint32_t)strlen(name) / 4 + 1;
    if (last >= length) {
      free(name);
      return fail(r, "a linkage without its type");
    }
    struct zecl_spirv_linkage linkage = {w[1], w[last] == SPIRV_LINKAGE_IMPORT, name};
    if (APPEND(r, r->linkages, r->linkage_count, linkage)) return true;
    free(name);
    return false;
  }
  }
  return true;
}

static void spread_group(struct zecl_spirv_reader *r, const uint32_t *w) {
  const struct zecl_spirv_id *group = &r->ids[w[1]];
  for (uint32_t i = 2; i < SPIRV_LENGTH(w[0]); i++)
    if (w[i] < r->bound) {
      struct zecl_spirv_id *target = &r->ids[w[i]];
      target->is_packed |= group->is_packed;
      target->is_built_in |= group->is_built_in;
      if (group->has_spec_id) {
        target->has_spec_id = true;
        target->spec_id = group->spec_id;
      }
    }
}

static bool read_entry_point(struct zecl_spirv_reader *r, const uint32_t *w) {
  if (w[1] != SPIRV_MODEL_KERNEL) return true;
  if (w[2] >= r->bound) return fail(r, "an id above the bound");
  /* SPIR-V allows it; translators keep only one of the names. */
  if (r->ids[w[2]].kernel) return fail(r, "two entry points name one function");
  struct zecl_spirv_kernel kernel = {.function = w[2], .name = string_at(r, w, 3)};
  if (!kernel.name) return false;
  if (!APPEND(r, r->out->kernels, r->out->kernel_count, kernel)) {
    free(kernel.name);
    return false;
  }
  r->ids[w[2]].kernel = r->out->kernel_count;
  return true;
}

static bool read_spec_constant(struct zecl_spirv_reader *r, const uint32_t *w) {
  const struct zecl_spirv_id *id = &r->ids[w[2]];
  if (!id->has_spec_id) return true;
  struct zecl_spirv_spec spec = {id->spec_id, ZECL_SPEC_BOOL, 1, 0, r->position};
  if (SPIRV_OPCODE(w[0]) == SPIRV_OP_SPEC_CONSTANT) {
    uint32_t type = zecl_spirv_opcode_of(r, w[1]);
    if (type != SPIRV_OP_TYPE_INT && type != SPIRV_OP_TYPE_FLOAT)
      return fail(r, "a specialisation constant that is no number");
    spec.type = type == SPIRV_OP_TYPE_INT ? ZECL_SPEC_INTEGER : ZECL_SPEC_FLOAT;
    spec.size = (uint32_t)r->ids[w[1]].size;
    if (spec.size > 8 || SPIRV_LENGTH(w[0]) < (spec.size > 4 ? 5 : 4))
      return fail(r, "a specialisation constant of the wrong length");
    spec.value = zecl_spirv_constant_value(r, w[2]);
  } else {
    spec.value = SPIRV_OPCODE(w[0]) == SPIRV_OP_SPEC_CONSTANT_TRUE;
  }
  return APPEND(r, r->out->specs, r->out->spec_count, spec);
}

static bool read_parameter(struct zecl_spirv_reader *r, const uint32_t *w) {
  if (!r->kernel) return true;
  struct zecl_spirv_kernel *kernel = &r->out->kernels[r->kernel - 1];
  struct zecl_arg arg = zecl_spirv_arg_of(r, w[1]);
  if (arg.size > ARG_SIZE_LIMIT) return fail(r, "a kernel's argument is too large");
  return APPEND(r, kernel->args, kernel->arg_count, arg);
}

static bool check_place(struct zecl_spirv_reader *r, uint32_t opcode, const uint32_t *w) {
  if (zecl_spirv_is_of_function(opcode) && !r->in_function)
    return fail(r, "an instruction of functions outside them");
  if (zecl_spirv_is_of_module(opcode, w) && r->has_functions)
    return fail(r, "an instruction of the module behind a function");
  if (opcode == SPIRV_OP_FUNCTION) {
    if (r->in_function) return fail(r, "a function within a function");
    r->has_functions = r->in_function = true;
  }
  if (opcode == SPIRV_OP_FUNCTION_END) r->in_function = false;
  return true;
}

/* A pointer type may be announced before it is defined. */
static bool record_result(struct zecl_spirv_reader *r, uint32_t id) {
  if (id == 0) return fail(r, "an id of zero");
  if (id >= r->bound) return fail(r, "an id above the bound");
  if (r->ids[id].position && zecl_spirv_opcode_of(r, id) != SPIRV_OP_TYPE_FORWARD_POINTER)
    return fail(r, "an id is defined twice");
  r->ids[id].position = (uint32_t)r->position;
  return true;
}

static bool read_instruction(struct zecl_spirv_reader *r, const uint32_t *w) {
  uint32_t opcode = SPIRV_OPCODE(w[0]), result = zecl_spirv_result_word(opcode);
  if (!check_place(r, opcode, w) || (result && !record_result(r, w[result]))) return false;
  if (opcode >= SPIRV_OP_TYPE_BOOL && opcode <= SPIRV_OP_TYPE_FORWARD_POINTER)
    zecl_spirv_size_type(r, w, &r->ids[w[1]]);
  switch (opcode) {
  case SPIRV_OP_CAPABILITY:
    if (w[1] == SPIRV_CAPABILITY_ASM_INTEL)
      return fail(
          r, "inline assembly of Intel's GPUs (SPV_INTEL_inline_assembly) is not supported");
    return APPEND(r, r->out->capabilities, r->out->capability_count, w[1]);
  case SPIRV_OP_MEMORY_MODEL:
    r->pointer_size = w[1] == SPIRV_ADDRESSING_PHYSICAL32 ? 4 : 8;
    return true;
  case SPIRV_OP_ENTRY_POINT:
    return read_entry_point(r, w);
  case SPIRV_OP_DECORATE:
    return read_decoration(r, w);
  case SPIRV_OP_GROUP_DECORATE:
    if (w[1] >= r->bound) return fail(r, "an id above the bound");
    spread_group(r, w);
    return true;
  case SPIRV_OP_SPEC_CONSTANT_TRUE:
  case SPIRV_OP_SPEC_CONSTANT_FALSE:
  case SPIRV_OP_SPEC_CONSTANT:
    return read_spec_constant(r, w);
  case SPIRV_OP_FUNCTION:
    r->kernel = r->ids[w[2]].kernel;
    return true;
  case SPIRV_OP_FUNCTION_PARAMETER:
    return read_parameter(r, w);
  case SPIRV_OP_CONSTANT_FUNCTION_POINTER:
    if (w[3] >= r->bound) return fail(r, "an id above the bound");
    r->ids[w[3]].has_address = true;
    return true;
  }
  return true;
}

/* Execution modes come before the constants that they may name, so they are read last. */
static void read_mode(
    struct zecl_spirv_reader *r, const uint32_t *w, struct zecl_spirv_kernel *kernel) {
  bool by_id = SPIRV_OPCODE(w[0]) == SPIRV_OP_EXECUTION_MODE_ID;
  uint32_t length = SPIRV_LENGTH(w[0]), values[3] = {0};
  for (uint32_t i = 0; i < 3 && i + 3 < length; i++)
    values[i] = by_id ? (uint32_t)zecl_spirv_constant_value(r, w[i + 3]) : w[i + 3];
  switch (w[2]) {
  case SPIRV_MODE_LOCAL_SIZE:
  case SPIRV_MODE_LOCAL_SIZE_ID:
    memcpy(kernel->required_group_size, values, sizeof values);
    break;
  case SPIRV_MODE_LOCAL_SIZE_HINT:
  case SPIRV_MODE_LOCAL_SIZE_HINT_ID:
    memcpy(kernel->hinted_group_size, values, sizeof values);
    break;
  case SPIRV_MODE_SUBGROUP_SIZE:
    kernel->sub_group_size = values[0];
    break;
  case SPIRV_MODE_SUBGROUPS_PER_WORKGROUP:
  case SPIRV_MODE_SUBGROUPS_PER_WORKGROUP_ID:
    kernel->sub_groups_per_group = values[0];
    break;
  }
}

static bool check_functions(struct zecl_spirv_reader *r) {
  for (uint32_t i = 0; i < r->out->kernel_count; i++)
    if (zecl_spirv_opcode_of(r, r->out->kernels[i].function) != SPIRV_OP_FUNCTION)
      return fail(r, "an entry point has no function");
  return true;
}

static bool sort_linkages(struct zecl_spirv_reader *r) {
  for (uint32_t i = 0; i < r->linkage_count; i++) {
    struct zecl_spirv_linkage *linkage = &r->linkages[i];
    if (linkage->is_import && r->ids[linkage->target].is_built_in) continue;
    /* The engine's compiler has these: SPIR-V has no instruction for them. */
    if (linkage->is_import && strncmp(linkage->name, "llvm.", 5) == 0) continue;
    if (linkage->is_import && strcmp(linkage->name, ZECL_GLOBAL_BARRIER) == 0 &&
        zecl_spirv_opcode_of(r, linkage->target) == SPIRV_OP_FUNCTION) {
      r->out->global_barrier = linkage->target;
      continue;
    }
    struct zecl_spirv_symbol symbol = {
        linkage->name, zecl_spirv_opcode_of(r, linkage->target) == SPIRV_OP_FUNCTION};
    bool kept = linkage->is_import ? APPEND(r, r->out->imports, r->out->import_count, symbol)
                                   : APPEND(r, r->out->exports, r->out->export_count, symbol);
    if (!kept) return false;
    linkage->name = NULL;
  }
  return true;
}

static bool read_module(struct zecl_spirv_reader *r) {
  const uint32_t *words = r->out->words;
  size_t count = r->out->word_count;
  for (r->position = SPIRV_HEADER_WORDS; r->position < count;) {
    const uint32_t *w = words + r->position;
    uint32_t length = SPIRV_LENGTH(w[0]);
    if (length == 0 || length > count - r->position)
      return fail(r, "an instruction runs past the end");
    if (length < zecl_spirv_least_length(SPIRV_OPCODE(w[0])))
      return fail(r, "an instruction is too short");
    if (!read_instruction(r, w)) return false;
    r->position += length;
  }
  bool has_model = false;
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at;
    uint32_t opcode = SPIRV_OPCODE(w[0]);
    has_model = has_model || opcode == SPIRV_OP_MEMORY_MODEL;
    if ((opcode == SPIRV_OP_EXECUTION_MODE || opcode == SPIRV_OP_EXECUTION_MODE_ID) &&
        w[1] < r->bound && r->ids[w[1]].kernel)
      read_mode(r, w, &r->out->kernels[r->ids[w[1]].kernel - 1]);
  }
  /* A module that is cut off may lack it; an engine counts on it. */
  if (!has_model) return fail(r, "there is no memory model");
  return check_functions(r) && zecl_spirv_read_globals(r) && sort_linkages(r);
}

static uint32_t swapped(uint32_t word) {
  return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

/* Copies the words in the host's order. */
static bool take_words(struct zecl_spirv *spirv, const void *bytes, size_t size) {
  if (size < SPIRV_HEADER_WORDS * sizeof(uint32_t) || size % sizeof(uint32_t) ||
      size / sizeof(uint32_t) > UINT32_MAX)
    return false;
  uint32_t magic;
  memcpy(&magic, bytes, sizeof magic);
  if (magic != SPIRV_MAGIC && magic != swapped(SPIRV_MAGIC)) return false;
  spirv->words = malloc(size);
  if (!spirv->words) return false;
  memcpy(spirv->words, bytes, size);
  spirv->word_count = size / sizeof(uint32_t);
  if (magic != SPIRV_MAGIC)
    for (size_t i = 0; i < spirv->word_count; i++)
      spirv->words[i] = swapped(spirv->words[i]);
  return true;
}

bool zecl_spirv_read(
    struct zecl_spirv *spirv, const void *bytes, size_t size, struct zecl_text *log) {
  *spirv = (struct zecl_spirv){0};
  struct zecl_spirv_reader r = {.out = spirv, .log = log, .pointer_size = 8};
  bool good = false;
  if (!take_words(spirv, bytes, size)) {
    zecl_text_add(log, "invalid SPIR-V: %zu bytes do not begin a module\n", size);
  } else if (spirv->words[3] == 0 || spirv->words[3] > SPIRV_BOUND_LIMIT) {
    fail(&r, "the bound on ids is out of range");
  } else if (!(r.ids = calloc(r.bound = spirv->words[3], sizeof *r.ids))) {
    fail(&r, "out of memory");
  } else {
    good = read_module(&r);
  }
  for (uint32_t i = 0; i < r.linkage_count; i++)
    free(r.linkages[i].name);
  free(r.linkages);
  free(r.ids);
  if (!good) zecl_spirv_free(spirv);
  return good;
}

void zecl_spirv_free(struct zecl_spirv *spirv) {
  for (uint32_t i = 0; i < spirv->kernel_count; i++) {
    free(spirv->kernels[i].name);
    free(spirv->kernels[i].args);
  }
  for (uint32_t i = 0; i < spirv->import_count; i++)
    free(spirv->imports[i].name);
  for (uint32_t i = 0; i < spirv->export_count; i++)
    free(spirv->exports[i].name);
  free(spirv->kernels);
  free(spirv->imports);
  free(spirv->exports);
  for (uint32_t i = 0; i < spirv->global_count; i++) {
    free(spirv->globals[i].name);
    free(spirv->globals[i].bytes);
  }
  free(spirv->globals);
  free(spirv->specs);
  free(spirv->capabilities);
  free(spirv->words);
  *spirv = (struct zecl_spirv){0};
}
