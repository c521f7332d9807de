/* The variables of a program and their first values; and their placement at given addresses: some
 * engines give every kernel variables of its own, and none reports where they are. */
#include "spirv/global.h"

#include "spirv/call.h"
#include "spirv/reader.h"
#include "spirv/words.h"

#include <stdlib.h>
#include <string.h>

static const size_t size_limit = (size_t)1 << 30;

/* Constants within constants, and parts of a value: what exceeds them is left to the engine. */
enum { DEPTH_LIMIT = 16, PART_LIMIT = 1 << 24 };

struct value {
  const struct zecl_spirv_reader *reader;
  uint32_t parts;
};

static bool write_value(
    struct value *value, uint32_t id, unsigned char *bytes, size_t room, unsigned depth);

static const struct zecl_spirv_id *id_of(const struct zecl_spirv_reader *r, uint32_t id) {
  return id < r->bound ? &r->ids[id] : NULL;
}

static bool is_composite(uint32_t opcode) {
  return opcode == SPIRV_OP_TYPE_STRUCT || opcode == SPIRV_OP_TYPE_ARRAY ||
         opcode == SPIRV_OP_TYPE_VECTOR;
}

/* The parts of a composite value follow each other as those of its type do. */
static bool write_parts(
    struct value *value, const uint32_t *w, unsigned char *bytes, size_t room, unsigned depth) {
  const struct zecl_spirv_reader *r = value->reader;
  const uint32_t *type = zecl_spirv_instruction(r, w[1]);
  if (!type || !is_composite(SPIRV_OPCODE(type[0]))) return false;
  const bool is_struct = SPIRV_OPCODE(type[0]) == SPIRV_OP_TYPE_STRUCT;
  size_t at = 0;
  for (uint32_t i = 3; i < SPIRV_LENGTH(w[0]); i++) {
    if (is_struct && i - 1 >= SPIRV_LENGTH(type[0])) return false;
    const struct zecl_spirv_id *part = id_of(r, type[is_struct ? i - 1 : 2]);
    if (!part || !part->size || !part->align) return false;
    if (is_struct && !r->ids[w[1]].is_packed)
      at = (at + part->align - 1) / part->align * part->align;
    if (at > room || part->size > room - at ||
        !write_value(value, w[i], bytes + at, part->size, depth))
      return false;
    at += part->size;
  }
  return true;
}

/* False for what is no number: an address, or an expression. */
static bool write_value(
    struct value *value, uint32_t id, unsigned char *bytes, size_t room, unsigned depth) {
  const uint32_t *w = zecl_spirv_instruction(value->reader, id);
  if (!w || depth == 0 || ++value->parts > PART_LIMIT) return false;
  const size_t literal = (SPIRV_LENGTH(w[0]) - 3) * sizeof *w;
  switch (SPIRV_OPCODE(w[0])) {
  case SPIRV_OP_UNDEF:
  case SPIRV_OP_CONSTANT_NULL:
  case SPIRV_OP_CONSTANT_FALSE:
  case SPIRV_OP_SPEC_CONSTANT_FALSE:
    return true;
  case SPIRV_OP_CONSTANT_TRUE:
  case SPIRV_OP_SPEC_CONSTANT_TRUE:
    bytes[0] = 1;
    return true;
  case SPIRV_OP_CONSTANT:
  case SPIRV_OP_SPEC_CONSTANT:
    memcpy(bytes, w + 3, literal < room ? literal : room);
    return true;
  case SPIRV_OP_CONSTANT_COMPOSITE:
  case SPIRV_OP_SPEC_CONSTANT_COMPOSITE:
    return write_parts(value, w, bytes, room, depth - 1);
  case SPIRV_OP_SPEC_CONSTANT_OP: /* no address in another address space is none either */
    return SPIRV_LENGTH(w[0]) == 5 &&
           (w[3] == SPIRV_OP_PTR_CAST_TO_GENERIC || w[3] == SPIRV_OP_GENERIC_CAST_TO_PTR) &&
           write_value(value, w[4], bytes, room, depth - 1);
  default:
    return false;
  }
}

static const struct zecl_spirv_linkage *linkage_of(const struct zecl_spirv_reader *r, uint32_t id) {
  for (uint32_t i = 0; i < r->linkage_count; i++)
    if (r->linkages[i].target == id) return &r->linkages[i];
  return NULL;
}

/* Takes over the bytes of `global`. False: no memory. */
static bool append(struct zecl_spirv *out, struct zecl_spirv_global global,
    const struct zecl_spirv_linkage *linkage) {
  if (linkage) global.name = strdup(linkage->name);
  struct zecl_spirv_global *globals = NULL;
  if (!linkage || global.name)
    globals = realloc(out->globals, (out->global_count + 1) * sizeof *globals);
  if (!globals) {
    free(global.name);
    free(global.bytes);
    return false;
  }
  out->globals = globals;
  globals[out->global_count++] = global;
  return true;
}

/* Adds one variable, if it is of the kind. False: no memory. */
static bool add_variable(struct zecl_spirv_reader *r, const uint32_t *w) {
  const struct zecl_spirv_linkage *linkage = linkage_of(r, w[2]);
  const uint32_t *type = zecl_spirv_instruction(r, w[1]);
  const bool is_constant = w[3] == SPIRV_STORAGE_CONSTANT;
  if ((w[3] != SPIRV_STORAGE_GLOBAL && !is_constant) || r->ids[w[2]].is_built_in || !type ||
      SPIRV_OPCODE(type[0]) != SPIRV_OP_TYPE_POINTER || (linkage && linkage->is_import) ||
      (is_constant && (!linkage || SPIRV_LENGTH(w[0]) < 5)))
    return true;
  const struct zecl_spirv_id *pointee = id_of(r, type[3]);
  if (!pointee || pointee->size == 0 || pointee->size > size_limit) return true;
  struct zecl_spirv_global global = {.id = w[2], .size = pointee->size};
  if (SPIRV_LENGTH(w[0]) > 4) {
    global.bytes = calloc(1, global.size);
    if (!global.bytes) return false;
    struct value value = {.reader = r};
    if (!write_value(&value, w[4], global.bytes, global.size, DEPTH_LIMIT)) {
      free(global.bytes);
      return true;
    }
  }
  return append(r->out, global, linkage);
}

/* Some translators write a kernel as an exported function and an entry point that calls it. */
static bool is_kernel(const struct zecl_spirv_reader *r, uint32_t id, const char *name) {
  bool found = r->ids[id].kernel != 0;
  for (uint32_t i = 0; i < r->out->kernel_count && name && !found; i++)
    found = strcmp(r->out->kernels[i].name, name) == 0;
  return found;
}

static bool add_function(struct zecl_spirv_reader *r, const uint32_t *w) {
  const struct zecl_spirv_linkage *linkage = linkage_of(r, w[2]);
  if ((linkage ? linkage->is_import : !r->ids[w[2]].has_address) ||
      is_kernel(r, w[2], linkage ? linkage->name : NULL))
    return true;
  return append(
      r->out, (struct zecl_spirv_global){.id = w[2], .size = 1, .is_function = true}, linkage);
}

bool zecl_spirv_read_globals(struct zecl_spirv_reader *r) {
  const struct zecl_spirv *out = r->out;
  const bool has_pointer_calls = zecl_spirv_has_pointer_calls(out);
  for (size_t at = SPIRV_HEADER_WORDS; at < out->word_count; at += SPIRV_LENGTH(out->words[at])) {
    const uint32_t *w = out->words + at;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_VARIABLE && !add_variable(r, w)) return false;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION && has_pointer_calls && !add_function(r, w))
      return false;
  }
  return true;
}

static bool is_host_access(const uint32_t *w, const char *name) {
  const uint32_t length = SPIRV_LENGTH(w[0]);
  const size_t size = strlen(name) + 1;
  return (w[2] == SPIRV_DECORATION_HOST_ACCESS || w[2] == SPIRV_DECORATION_HOST_ACCESS_OLD) &&
         length > 4 && size <= (length - 4) * sizeof *w && memcmp(w + 4, name, size) == 0;
}

uint32_t zecl_spirv_host_variable(const struct zecl_spirv *spirv, const char **name) {
  uint32_t id = 0;
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count && !id;
       at += SPIRV_LENGTH(spirv->words[at])) {
    const uint32_t *w = spirv->words + at;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_DECORATE && is_host_access(w, *name)) id = w[1];
  }
  for (size_t at = SPIRV_HEADER_WORDS; at < spirv->word_count && id;
       at += SPIRV_LENGTH(spirv->words[at])) {
    const uint32_t *w = spirv->words + at;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_DECORATE && w[1] == id && w[2] == SPIRV_DECORATION_LINKAGE)
      *name = (const char *)(w + 3);
  }
  return id;
}

static uint32_t index_of(const struct zecl_spirv *spirv, uint32_t id) {
  uint32_t i = 0;
  while (i < spirv->global_count && (spirv->globals[i].is_function || spirv->globals[i].id != id))
    i++;
  return i;
}

enum { ADDRESS_WORDS = 5 + 5, TYPE_WORDS = 4 };

/* `number` is the id of the type of the address, and those of the addresses follow it. */
static uint32_t write_address(
    uint32_t *out, const uint32_t *w, uint32_t number, uint32_t index, const void *memory) {
  const uint64_t address = (uint64_t)(uintptr_t)memory;
  const uint32_t words[ADDRESS_WORDS] = {5 << 16 | SPIRV_OP_CONSTANT, number, number + 1 + index,
      (uint32_t)address, (uint32_t)(address >> 32), 5 << 16 | SPIRV_OP_SPEC_CONSTANT_OP, w[1], w[2],
      SPIRV_OP_CONVERT_U_TO_PTR, number + 1 + index};
  memcpy(out, words, sizeof words);
  return ADDRESS_WORDS;
}

uint32_t zecl_spirv_bare_entry_point(const uint32_t *w, uint32_t *out) {
  const uint32_t length = SPIRV_LENGTH(w[0]);
  uint32_t kept = 3;
  while (kept < length && w[kept] >> 24 != 0)
    kept++;
  if (kept < length) kept++; /* the word in which the name ends */
  memmove(out, w, kept * sizeof *w);
  out[0] = kept << 16 | SPIRV_OP_ENTRY_POINT;
  return kept;
}

uint32_t *zecl_spirv_place_globals(const struct zecl_spirv *spirv, const uint32_t *words,
    size_t count, void *const *memory, size_t *word_count) {
  const uint32_t number = words[3], added = 1 + spirv->global_count;
  uint32_t *out = malloc((count + TYPE_WORDS + spirv->global_count * ADDRESS_WORDS) * sizeof *out);
  if (!out) return NULL;
  memcpy(out, words, SPIRV_HEADER_WORDS * sizeof *out);
  out[3] += added;
  size_t written = SPIRV_HEADER_WORDS;
  bool has_type = false;
  for (size_t at = SPIRV_HEADER_WORDS; at < count; at += SPIRV_LENGTH(words[at])) {
    const uint32_t *w = words + at;
    const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
    const uint32_t target = opcode == SPIRV_OP_DECORATE   ? w[1]
                            : opcode == SPIRV_OP_VARIABLE ? w[2]
                                                          : 0;
    const uint32_t index = target ? index_of(spirv, target) : spirv->global_count;
    if (opcode == SPIRV_OP_VARIABLE && index < spirv->global_count) {
      if (!has_type) {
        const uint32_t type[TYPE_WORDS] = {TYPE_WORDS << 16 | SPIRV_OP_TYPE_INT, number, 64, 0};
        memcpy(out + written, type, sizeof type);
        written += TYPE_WORDS;
        has_type = true;
      }
      written += write_address(out + written, w, number, index, memory[index]);
    } else if (opcode == SPIRV_OP_ENTRY_POINT && spirv->global_count) {
      written += zecl_spirv_bare_entry_point(w, out + written);
    } else if (index == spirv->global_count) {
      memcpy(out + written, w, length * sizeof *w);
      written += length;
    }
  }
  *word_count = written;
  return out;
}
