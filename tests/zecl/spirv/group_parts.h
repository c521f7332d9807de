/* The state of a module whose functions of work-groups are written, and what they are written of.
 */
#ifndef ZECL_SPIRV_GROUP_PARTS_H
#define ZECL_SPIRV_GROUP_PARTS_H

#include "spirv/words.h"
#include "spirv/writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZECL_MOST_GROUP_FUNCTIONS = 64 };
enum zecl_group_operation { ZECL_GROUP_REDUCE, ZECL_GROUP_INCLUSIVE, ZECL_GROUP_EXCLUSIVE };

/* A scalar type; `is_float` of one of 16, 32 or 64 bits. */
struct zecl_group_scalar {
  uint8_t width;
  bool is_float;
};

/* A function that is written: of a value of a type, in all items of a group. */
struct zecl_group_function {
  uint32_t opcode, operation, type, id_type; /* of the local id, of broadcasts only */
  uint32_t id, function_type;
  uint32_t pointer; /* to a value of the type in local memory */
  uint32_t neutral; /* of the operation: it leaves any value unchanged */
};

struct zecl_groups {
  struct zecl_spirv_writer writer;
  const uint32_t *words;
  size_t count;
  uint32_t most;                     /* items of a group */
  struct zecl_group_scalar *scalars; /* by the type's id */
  uint8_t *vectors;                  /* components of a vector of integers, by its id */
  uint32_t *components;              /* and their type */
  bool *groups;                      /* constants that name the scope of a group, by id */
  struct zecl_group_function functions[ZECL_MOST_GROUP_FUNCTIONS];
  uint32_t function_count;

  /* The module's own functions. Each that calls one of the written ones, or another that does, has
   * the group's memory: a kernel as a variable, others as their first parameter. */
  const uint32_t **entries;     /* the entry point, by the kernel's id */
  bool *has_memory;             /* by the function's id */
  uint32_t *memory;             /* the variable, by the kernel's id */
  const uint32_t **types;       /* of functions, by the type's id */
  uint32_t *types_of_longer;    /* with the parameter, by the type's id */
  uint32_t function, parameter; /* what is written: of that function; its parameter */

  bool has_boolean, has_word, has_size; /* of the module's own */
  /* Types, constants, and functions of the engine's. */
  uint32_t boolean, word, size, asking, pool, get_item, get_size;
  uint32_t place; /* in the function that is written: the memory as values of its type */
  uint32_t dimensions[3], one, nothing, last, scope, semantics;
};

static inline uint32_t zecl_group_id(struct zecl_groups *g) {
  return g->writer.next_id++;
}

/* The instruction that combines two values; 0 for those that choose one of them. */
uint32_t zecl_group_operator(uint32_t opcode);

/* Writes the names and imports that stand before the types, and what stands before the first
 * function. */
void zecl_group_emit_annotations(struct zecl_groups *g);
void zecl_group_emit_declarations(struct zecl_groups *g);

/* Writes the functions, at the end of the module. */
void zecl_group_emit_functions(struct zecl_groups *g);

#endif
