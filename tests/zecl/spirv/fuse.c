#include "spirv/fuse.h"

#include "spirv/builtin.h"
#include "spirv/cooperate.h"
#include "spirv/words.h"
#include "spirv/writer.h"

#include <stdlib.h>
#include <string.h>

enum {
  NUM_GROUPS = 24,
  GROUP_SIZE,
  GROUP_ID,
  LOCAL_ID,
  GLOBAL_ID,
  WORK_DIM = 30,
  GLOBAL_SIZE,
  ENQUEUED_GROUP_SIZE,
  GLOBAL_OFFSET,
  GLOBAL_LINEAR_ID
};

static bool is_known(uint32_t kind) {
  return (kind >= NUM_GROUPS && kind <= GLOBAL_ID) ||
         (kind >= WORK_DIM && kind <= GLOBAL_LINEAR_ID);
}

static bool changes(uint32_t kind) {
  return (kind >= NUM_GROUPS && kind <= LOCAL_ID) || kind == ENQUEUED_GROUP_SIZE;
}

struct fusing {
  struct zecl_spirv_writer writer;
  const uint32_t *words;
  size_t count;
  uint32_t bound;
  const uint32_t *size;
  uint32_t *kinds;              /* of each built-in variable, or 0 */
  const uint32_t **definitions; /* of each type */
  uint32_t *sizes;              /* of each type of vectors: the constant that is the group's size */
};

static bool begin(struct fusing *fusing, const struct zecl_spirv *spirv) {
  *fusing =
      (struct fusing){.words = spirv->words, .count = spirv->word_count, .bound = spirv->words[3]};
  fusing->writer.next_id = fusing->bound;
  fusing->kinds = calloc(fusing->bound, sizeof *fusing->kinds);
  fusing->definitions = calloc(fusing->bound, sizeof(const uint32_t *));
  fusing->sizes = calloc(fusing->bound, sizeof *fusing->sizes);
  return fusing->kinds && fusing->definitions && fusing->sizes;
}

static void end(struct fusing *fusing) {
  free(fusing->kinds);
  free(fusing->definitions);
  free(fusing->sizes);
}

static uint32_t kind_of(const struct fusing *fusing, uint32_t id) {
  return id < fusing->bound ? fusing->kinds[id] : 0;
}

static bool is_of_groups(uint32_t opcode) {
  return (opcode >= SPIRV_OP_ATOMIC_LOAD && opcode <= SPIRV_OP_ATOMIC_XOR) ||
         opcode == SPIRV_OP_ATOMIC_FLAG_TEST_AND_SET || opcode == SPIRV_OP_ATOMIC_FLAG_CLEAR ||
         opcode == SPIRV_OP_ATOMIC_F_ADD || opcode == SPIRV_OP_ATOMIC_F_MIN ||
         opcode == SPIRV_OP_ATOMIC_F_MAX ||
         (opcode >= SPIRV_OP_GROUP_I_MUL && opcode <= SPIRV_OP_GROUP_XOR) ||
         (opcode >= SPIRV_OP_GROUP_ASYNC_COPY && opcode <= SPIRV_OP_BUILD_NDRANGE) ||
         (opcode >= SPIRV_OP_GROUP_NON_UNIFORM_ELECT &&
             opcode <= SPIRV_OP_GROUP_NON_UNIFORM_LAST) ||
         opcode == SPIRV_OP_FUNCTION_POINTER_CALL;
}

/* A vector of three integers, as a built-in variable is. */
static bool is_place(const struct fusing *fusing, uint32_t type) {
  const uint32_t *vector = type < fusing->bound ? fusing->definitions[type] : NULL;
  if (!vector || SPIRV_OPCODE(vector[0]) != SPIRV_OP_TYPE_VECTOR || vector[3] != 3 ||
      vector[2] >= fusing->bound)
    return false;
  const uint32_t *part = fusing->definitions[vector[2]];
  return part && SPIRV_OPCODE(part[0]) == SPIRV_OP_TYPE_INT && (part[2] == 32 || part[2] == 64);
}

/* The number of its words, the first included, that may be ids that it uses: literals may look like
 * them. */
static uint32_t id_words(const uint32_t *w) {
  const uint32_t length = SPIRV_LENGTH(w[0]);
  uint32_t words = length;
  switch (SPIRV_OPCODE(w[0])) {
  case SPIRV_OP_LINE:
  case SPIRV_OP_FUNCTION:
  case SPIRV_OP_LOOP_MERGE:
  case SPIRV_OP_SELECTION_MERGE:
    words = 1;
    break;
  case SPIRV_OP_STORE:
    words = 3;
    break;
  case SPIRV_OP_LOAD:
  case SPIRV_OP_COMPOSITE_EXTRACT:
    words = 4;
    break;
  case SPIRV_OP_COMPOSITE_INSERT:
  case SPIRV_OP_VECTOR_SHUFFLE:
    words = 5;
    break;
  }
  return words < length ? words : length;
}

/* Records an instruction; false if it prevents fusing. */
static bool visit(struct fusing *fusing, const uint32_t *w, bool in_functions) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
  if (opcode >= SPIRV_OP_TYPE_BOOL && opcode <= SPIRV_OP_TYPE_POINTER) {
    if (w[1] >= fusing->bound || fusing->definitions[w[1]]) return false;
    fusing->definitions[w[1]] = w;
  }
  if (opcode == SPIRV_OP_DECORATE && w[2] == SPIRV_DECORATION_BUILT_IN) {
    if (length < 4 || w[1] >= fusing->bound || !is_known(w[3])) return false;
    fusing->kinds[w[1]] = w[3];
  }
  if (opcode == SPIRV_OP_TYPE_POINTER && w[2] == SPIRV_STORAGE_WORKGROUP) return false;
  if (!in_functions || is_of_groups(opcode)) return !in_functions;
  if (opcode == SPIRV_OP_LOAD && length > 3 && kind_of(fusing, w[3]))
    return !changes(kind_of(fusing, w[3])) || is_place(fusing, w[1]);
  for (uint32_t i = 1; i < id_words(w); i++)
    if (changes(kind_of(fusing, w[i]))) return false;
  return true;
}

static bool visit_all(struct fusing *fusing) {
  bool in_functions = false;
  for (size_t at = SPIRV_HEADER_WORDS; at < fusing->count; at += SPIRV_LENGTH(fusing->words[at])) {
    const uint32_t *w = fusing->words + at;
    in_functions |= SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION;
    if (!visit(fusing, w, in_functions)) return false;
  }
  return true;
}

bool zecl_spirv_can_fuse(const struct zecl_spirv *spirv) {
  if (spirv->global_count || zecl_spirv_has_group_barriers(spirv)) return false;
  struct fusing fusing;
  const bool can = begin(&fusing, spirv) && visit_all(&fusing);
  end(&fusing);
  return can;
}

/* The size of a group as a constant of the type, before the first function. */
static void emit_size(struct fusing *fusing, uint32_t type) {
  const uint32_t part = fusing->definitions[type][2];
  const bool is_long = fusing->definitions[part][2] == 64;
  const uint32_t first = fusing->writer.next_id;
  fusing->writer.next_id += 4;
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t constant[] = {part, first + i, fusing->size[i], 0};
    zecl_spirv_write_instruction(&fusing->writer, SPIRV_OP_CONSTANT, constant, is_long ? 4 : 3);
  }
  fusing->sizes[type] = first + 3;
  ZECL_SPIRV_EMIT(&fusing->writer, SPIRV_OP_CONSTANT_COMPOSITE, type, fusing->sizes[type], first,
      first + 1, first + 2);
}

static void emit_sizes(struct fusing *fusing) {
  for (size_t at = SPIRV_HEADER_WORDS; at < fusing->count; at += SPIRV_LENGTH(fusing->words[at])) {
    const uint32_t *w = fusing->words + at;
    if (SPIRV_OPCODE(w[0]) == SPIRV_OP_LOAD && changes(kind_of(fusing, w[3])) &&
        !fusing->sizes[w[1]])
      emit_size(fusing, w[1]);
  }
}

/* A place in the one group is that of the group and that in it; its size is how many there are. */
static void emit_load(struct fusing *fusing, const uint32_t *w) {
  struct zecl_spirv_writer *writer = &fusing->writer;
  const uint32_t kind = kind_of(fusing, w[3]), length = SPIRV_LENGTH(w[0]);
  const uint32_t size = fusing->sizes[w[1]];
  if (kind == GROUP_SIZE || kind == ENQUEUED_GROUP_SIZE) {
    ZECL_SPIRV_EMIT(writer, SPIRV_OP_COPY_OBJECT, w[1], w[2], size);
    return;
  }
  const uint32_t loaded = writer->next_id++;
  const uint32_t head[] = {w[0], w[1], loaded};
  zecl_spirv_write(writer, head, 3);
  zecl_spirv_write(writer, w + 3, length - 3);
  ZECL_SPIRV_EMIT(
      writer, kind == LOCAL_ID ? SPIRV_OP_U_MOD : SPIRV_OP_U_DIV, w[1], w[2], loaded, size);
}

static void emit_instruction(struct fusing *fusing, const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]);
  if (opcode == SPIRV_OP_DECORATE && w[2] == SPIRV_DECORATION_BUILT_IN && w[3] == GROUP_ID)
    ZECL_SPIRV_EMIT(&fusing->writer, opcode, w[1], w[2], LOCAL_ID);
  else if (opcode == SPIRV_OP_DECORATE && w[2] == SPIRV_DECORATION_BUILT_IN && w[3] == NUM_GROUPS)
    ZECL_SPIRV_EMIT(&fusing->writer, opcode, w[1], w[2], GROUP_SIZE);
  else if (opcode == SPIRV_OP_LOAD && changes(kind_of(fusing, w[3])))
    emit_load(fusing, w);
  else
    zecl_spirv_write(&fusing->writer, w, SPIRV_LENGTH(w[0]));
}

static void emit_module(struct fusing *fusing) {
  bool in_functions = false;
  zecl_spirv_write(&fusing->writer, fusing->words, SPIRV_HEADER_WORDS);
  for (size_t at = SPIRV_HEADER_WORDS; at < fusing->count; at += SPIRV_LENGTH(fusing->words[at])) {
    const uint32_t *w = fusing->words + at;
    if (!in_functions && SPIRV_OPCODE(w[0]) == SPIRV_OP_FUNCTION) {
      emit_sizes(fusing);
      in_functions = true;
    }
    emit_instruction(fusing, w);
  }
}

uint32_t *zecl_spirv_fused_words(
    const struct zecl_spirv *spirv, const uint32_t size[3], size_t *word_count) {
  struct fusing fusing;
  uint32_t *words = NULL;
  if (begin(&fusing, spirv) && visit_all(&fusing)) {
    fusing.size = size;
    emit_module(&fusing);
    words = zecl_spirv_written(&fusing.writer, word_count);
  }
  end(&fusing);
  if (words && zecl_spirv_merge_builtins(words, word_count)) return words;
  free(words);
  return NULL;
}
