/* The state of a module that is read. */
#ifndef ZECL_SPIRV_READER_H
#define ZECL_SPIRV_READER_H

#include "spirv/spirv.h"
#include "spirv/words.h"

struct zecl_spirv_id {
  uint32_t position; /* of the instruction that defines it; 0: not seen */
  uint32_t kernel;   /* index + 1 of the kernel with this function */
  uint32_t spec_id;
  uint32_t align;
  uint64_t size; /* of a value of this type; 0: has none */
  bool has_spec_id, is_packed, is_built_in;
  bool has_address; /* a function whose address the module itself takes */
};

struct zecl_spirv_linkage {
  uint32_t target;
  bool is_import;
  char *name;
};

struct zecl_spirv_reader {
  struct zecl_spirv *out;
  struct zecl_text *log;
  struct zecl_spirv_id *ids;
  uint32_t bound;
  uint32_t pointer_size;
  uint32_t kernel; /* of the function that is being read, as in id.kernel */
  bool has_functions, in_function;
  struct zecl_spirv_linkage *linkages;
  uint32_t linkage_count;
  size_t position;
};

/* The instruction that defines an id, where it is one that zecl reads; else null. */
static inline const uint32_t *zecl_spirv_instruction(
    const struct zecl_spirv_reader *r, uint32_t id) {
  return id < r->bound && r->ids[id].position ? r->out->words + r->ids[id].position : NULL;
}

/* Its opcode, or 0. */
static inline uint32_t zecl_spirv_opcode_of(const struct zecl_spirv_reader *r, uint32_t id) {
  const uint32_t *w = zecl_spirv_instruction(r, id);
  return w ? SPIRV_OPCODE(w[0]) : 0;
}

/* The value of an integer constant; 0 of anything else. */
uint64_t zecl_spirv_constant_value(const struct zecl_spirv_reader *r, uint32_t id);

/* Sets the size and alignment of a type from the instruction that defines it. */
void zecl_spirv_size_type(
    const struct zecl_spirv_reader *r, const uint32_t *w, struct zecl_spirv_id *type);

/* The kernel argument that a type of parameter gives. */
struct zecl_arg zecl_spirv_arg_of(const struct zecl_spirv_reader *r, uint32_t type);

/* Lists the variables of the program, and the functions that have addresses. False: no memory.
 * Linkages are known, and not yet sorted. */
bool zecl_spirv_read_globals(struct zecl_spirv_reader *r);

#endif
