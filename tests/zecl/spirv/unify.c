#include "spirv/unify.h"

#include "spirv/alias.h"
#include "spirv/words.h"
#include "spirv/writer.h"

#include <stdlib.h>
#include <string.h>

/* The known facts of an id. */
struct id {
  const uint32_t *definition; /* of a type or a function */
  uint32_t bytes;             /* of a pointer type: that to bytes; of a function: its new type */
  uint32_t parameter;         /* of a parameter that is cast: the new one */
  bool is_linked, is_by_value, has_address;
};

struct unifying {
  const struct zecl_spirv *spirv;
  struct zecl_spirv_writer writer;
  struct id *ids;
  uint32_t bound;
  uint32_t byte;           /* the type; 0: not there */
  bool has_int8, declared; /* the new types are written */
  struct id *function;     /* that is being written, if its type is new */
  const uint32_t *casts;   /* its first parameter, while its casts are to be written */
};

enum { DECORATION_ATTRIBUTE = 38, BY_VALUE = 2, STRUCT_RETURN = 3, CAPABILITY_INT8 = 39 };

static struct id *id_of(const struct unifying *u, uint32_t id) {
  return &u->ids[id < u->bound ? id : 0];
}

static const uint32_t *definition(const struct unifying *u, uint32_t id, uint32_t opcode) {
  const uint32_t *w = id_of(u, id)->definition;
  return w && SPIRV_OPCODE(w[0]) == opcode ? w : NULL;
}

/* The pointer type if it is replaced in signatures; else null. */
static const uint32_t *data_pointer(const struct unifying *u, uint32_t type) {
  const uint32_t *pointer = definition(u, type, SPIRV_OP_TYPE_POINTER);
  if (!pointer || (pointer[2] > SPIRV_STORAGE_GENERIC) || pointer[3] == u->byte) return NULL;
  const uint32_t *pointee = id_of(u, pointer[3])->definition;
  return pointee && SPIRV_OPCODE(pointee[0]) != SPIRV_OP_TYPE_FUNCTION ? pointer : NULL;
}

static void record(struct unifying *u, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
  if (opcode == SPIRV_OP_CAPABILITY && w[1] == CAPABILITY_INT8) u->has_int8 = true;
  if (SPIRV_IS_TYPE(opcode)) id_of(u, w[1])->definition = w;
  if (opcode == SPIRV_OP_TYPE_INT && w[2] == 8) u->byte = w[1];
  if (opcode == SPIRV_OP_FUNCTION) id_of(u, w[2])->definition = w;
  if (opcode == SPIRV_OP_CONSTANT_FUNCTION_POINTER) id_of(u, w[3])->has_address = true;
  if (opcode == SPIRV_OP_ENTRY_POINT) id_of(u, w[2])->has_address = true;
  if (opcode != SPIRV_OP_DECORATE) return;
  if (w[2] == SPIRV_DECORATION_LINKAGE) id_of(u, w[1])->is_linked = true;
  if (w[2] == DECORATION_ATTRIBUTE && length > 3 && (w[3] == BY_VALUE || w[3] == STRUCT_RETURN))
    id_of(u, w[1])->is_by_value = true;
}

/* The parameter behind a function or another parameter; null behind the last. */
static const uint32_t *next_parameter(const struct unifying *u, const uint32_t *w) {
  const uint32_t *end = u->spirv->words + u->spirv->word_count;
  for (w += SPIRV_LENGTH(w[0]); w < end && SPIRV_OPCODE(w[0]) != SPIRV_OP_LABEL &&
                                SPIRV_OPCODE(w[0]) != SPIRV_OP_FUNCTION_END;
       w += SPIRV_LENGTH(w[0]))
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION_PARAMETER) return w;
  return NULL;
}

static bool has_body(const struct unifying *u, const uint32_t *w) {
  const uint32_t *end = u->spirv->words + u->spirv->word_count;
  while (w < end && SPIRV_OPCODE(w[0]) != SPIRV_OP_LABEL &&
         SPIRV_OPCODE(w[0]) != SPIRV_OP_FUNCTION_END)
    w += SPIRV_LENGTH(w[0]);
  return w < end && SPIRV_OPCODE(w[0]) == SPIRV_OP_LABEL;
}

/* The type of which a parameter or result becomes: that to bytes of a pointer, else itself. */
static uint32_t type_in(const struct unifying *u, uint32_t type, bool is_by_value) {
  return !is_by_value && data_pointer(u, type) ? id_of(u, type)->bytes : type;
}

/* Marks the functions whose signatures change, and numbers their new parameters. */
static void mark_functions(struct unifying *u) {
  for (uint32_t i = 1; i < u->bound; i++) {
    struct id *function = &u->ids[i];
    const uint32_t *w = definition(u, i, SPIRV_OP_FUNCTION);
    if (!w || !function->is_linked || function->has_address) continue;
    bool changes = data_pointer(u, w[1]) != NULL;
    for (const uint32_t *p = next_parameter(u, w); p; p = next_parameter(u, p)) {
      struct id *parameter = id_of(u, p[2]);
      if (parameter->is_by_value || !data_pointer(u, p[1])) continue;
      changes = true;
      if (has_body(u, w)) parameter->parameter = u->writer.next_id++;
    }
    if (changes) function->bytes = u->writer.next_id++;
  }
}

/* Finds or declares the pointers to bytes. */
static void declare_pointers(struct unifying *u) {
  uint32_t of_storage[SPIRV_STORAGE_GENERIC + 1] = {0};
  for (uint32_t i = 1; i < u->bound; i++) {
    const uint32_t *w = definition(u, i, SPIRV_OP_TYPE_POINTER);
    if (w && u->byte && w[3] == u->byte && w[2] <= SPIRV_STORAGE_GENERIC) of_storage[w[2]] = i;
  }
  if (!u->byte) {
    u->byte = u->writer.next_id++;
    ZECL_SPIRV_EMIT(&u->writer, SPIRV_OP_TYPE_INT, u->byte, 8, 0);
  }
  for (uint32_t i = 1; i < u->bound; i++) {
    const uint32_t *w = data_pointer(u, i);
    if (!w) continue;
    if (!of_storage[w[2]]) {
      of_storage[w[2]] = u->writer.next_id++;
      ZECL_SPIRV_EMIT(&u->writer, SPIRV_OP_TYPE_POINTER, of_storage[w[2]], w[2], u->byte);
    }
    u->ids[i].bytes = of_storage[w[2]];
  }
}

/* The words of a function's new type, but for its id. */
static uint32_t signature(const struct unifying *u, const uint32_t *w, uint32_t *type) {
  uint32_t count = 1;
  type[0] = type_in(u, w[1], false);
  for (const uint32_t *p = next_parameter(u, w); p && count < 255; p = next_parameter(u, p))
    type[count++] = type_in(u, p[1], id_of(u, p[2])->is_by_value);
  return count;
}

/* The type that the module has of such a function, or has by now. */
static uint32_t find_signature(
    const struct unifying *u, uint32_t before, const uint32_t *type, uint32_t count) {
  uint32_t own[256];
  for (uint32_t i = 1; i < u->bound; i++) {
    const uint32_t *w = definition(u, i, SPIRV_OP_TYPE_FUNCTION);
    if (w && SPIRV_LENGTH(w[0]) == count + 2 && !memcmp(w + 2, type, count * sizeof *type))
      return i;
    const uint32_t *f = i < before ? definition(u, i, SPIRV_OP_FUNCTION) : NULL;
    if (f && u->ids[i].bytes && signature(u, f, own) == count &&
        !memcmp(own, type, count * sizeof *type))
      return u->ids[i].bytes;
  }
  return 0;
}

/* The new types, before the first function. */
static void declare(struct unifying *u) {
  uint32_t words[256];
  declare_pointers(u);
  for (uint32_t i = 1; i < u->bound; i++) {
    const uint32_t *w = definition(u, i, SPIRV_OP_FUNCTION);
    if (!w || !u->ids[i].bytes) continue;
    const uint32_t count = signature(u, w, words + 1);
    const uint32_t there = find_signature(u, i, words + 1, count);
    if (there) {
      u->ids[i].bytes = there;
      continue;
    }
    words[0] = u->ids[i].bytes;
    zecl_spirv_write_instruction(&u->writer, SPIRV_OP_TYPE_FUNCTION, words, count + 1);
  }
  u->declared = true;
}

static uint32_t cast(struct unifying *u, uint32_t type, uint32_t value) {
  const uint32_t result = u->writer.next_id++;
  ZECL_SPIRV_EMIT(&u->writer, SPIRV_OP_BITCAST, type, result, value);
  return result;
}

static void write_call(struct unifying *u, const uint32_t *w) {
  const uint32_t length = SPIRV_LENGTH(w[0]);
  const uint32_t *function = definition(u, w[3], SPIRV_OP_FUNCTION), *p = function;
  uint32_t call[256];
  if (!function || !id_of(u, w[3])->bytes || length > 255) {
    zecl_spirv_write(&u->writer, w, length);
    return;
  }
  memcpy(call, w, length * sizeof *w);
  for (uint32_t i = 4; i < length && (p = next_parameter(u, p)) != NULL; i++) {
    const uint32_t type = type_in(u, p[1], id_of(u, p[2])->is_by_value);
    if (type != p[1]) call[i] = cast(u, type, w[i]);
  }
  call[1] = type_in(u, w[1], false);
  if (call[1] != w[1]) call[2] = u->writer.next_id++;
  zecl_spirv_write(&u->writer, call, length);
  if (call[1] != w[1]) ZECL_SPIRV_EMIT(&u->writer, SPIRV_OP_BITCAST, w[1], w[2], call[2]);
}

/* Converts the parameters to the types that the function's instructions use. */
static void write_casts(struct unifying *u) {
  for (const uint32_t *p = u->casts; p; p = next_parameter(u, p))
    if (id_of(u, p[2])->parameter)
      ZECL_SPIRV_EMIT(&u->writer, SPIRV_OP_BITCAST, p[1], p[2], id_of(u, p[2])->parameter);
  u->casts = NULL;
}

static void write_function(struct unifying *u, const uint32_t *w) {
  uint32_t words[5];
  if (!u->declared) declare(u);
  memcpy(words, w, sizeof words);
  words[0] = 5u << 16 | SPIRV_OP_FUNCTION; /* of a longer one the rest is left out */
  struct id *function = id_of(u, w[2]);
  u->function = function->bytes ? function : NULL;
  u->casts = u->function ? next_parameter(u, w) : NULL;
  if (u->function) {
    words[1] = type_in(u, w[1], false);
    words[4] = function->bytes;
  }
  zecl_spirv_write(&u->writer, words, 5);
}

static void write_parameter(struct unifying *u, const uint32_t *w) {
  const struct id *parameter = id_of(u, w[2]);
  if (u->function)
    ZECL_SPIRV_EMIT(&u->writer, SPIRV_OP_FUNCTION_PARAMETER,
        type_in(u, w[1], parameter->is_by_value),
        parameter->parameter ? parameter->parameter : w[2]);
  else
    zecl_spirv_write(&u->writer, w, SPIRV_LENGTH(w[0]));
}

/* Decorations of a parameter are those of the new one. */
static void write_decoration(struct unifying *u, const uint32_t *w) {
  const uint32_t target = id_of(u, w[1])->parameter;
  const uint32_t head[2] = {w[0], target ? target : w[1]};
  zecl_spirv_write(&u->writer, head, 2);
  zecl_spirv_write(&u->writer, w + 2, SPIRV_LENGTH(w[0]) - 2);
}

static void write_other(struct unifying *u, const uint32_t *w) {
  uint32_t plain[16];
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  const uint32_t length = zecl_spirv_without_aliasing(w, plain);
  const bool is_first = opcode != SPIRV_OP_LABEL && opcode != SPIRV_OP_VARIABLE &&
                        opcode != SPIRV_OP_LINE && opcode != SPIRV_OP_NO_LINE;
  if (u->casts && is_first && opcode != SPIRV_OP_FUNCTION_END) write_casts(u);
  if (opcode == SPIRV_OP_FUNCTION_END) u->casts = NULL;
  if (opcode == SPIRV_OP_RETURN_VALUE && u->function) {
    const uint32_t *function = u->function->definition;
    const uint32_t type = type_in(u, function[1], false);
    const uint32_t value = type != function[1] ? cast(u, type, w[1]) : w[1];
    ZECL_SPIRV_EMIT(&u->writer, SPIRV_OP_RETURN_VALUE, value);
  } else if (length == SPIRV_LENGTH(w[0])) {
    zecl_spirv_write(&u->writer, w, length);
  } else {
    zecl_spirv_write(&u->writer, plain, length);
  }
}

static void write(struct unifying *u, const uint32_t *w) {
  switch (SPIRV_OPCODE(w[0])) {
  case SPIRV_OP_FUNCTION:
    write_function(u, w);
    break;
  case SPIRV_OP_FUNCTION_PARAMETER:
    write_parameter(u, w);
    break;
  case SPIRV_OP_FUNCTION_CALL:
    if (u->casts) write_casts(u);
    write_call(u, w);
    break;
  case SPIRV_OP_DECORATE:
    if (!zecl_spirv_is_aliasing(w)) write_decoration(u, w);
    break;
  default:
    if (!zecl_spirv_is_aliasing(w)) write_other(u, w);
  }
}

uint32_t *zecl_spirv_unified(const struct zecl_spirv *spirv, size_t *word_count) {
  struct unifying u = {.spirv = spirv, .bound = spirv->words[3]};
  const uint32_t *end = spirv->words + spirv->word_count;
  u.writer.next_id = u.bound;
  u.ids = calloc(u.bound, sizeof *u.ids);
  if (!u.ids) return NULL;
  for (const uint32_t *w = spirv->words + SPIRV_HEADER_WORDS; w < end; w += SPIRV_LENGTH(w[0]))
    record(&u, w);
  u.ids[0] = (struct id){0};
  mark_functions(&u);
  zecl_spirv_write(&u.writer, spirv->words, SPIRV_HEADER_WORDS);
  if (!u.has_int8) ZECL_SPIRV_EMIT(&u.writer, SPIRV_OP_CAPABILITY, CAPABILITY_INT8);
  for (const uint32_t *w = spirv->words + SPIRV_HEADER_WORDS; w < end; w += SPIRV_LENGTH(w[0]))
    write(&u, w);
  free(u.ids);
  return zecl_spirv_written(&u.writer, word_count);
}
