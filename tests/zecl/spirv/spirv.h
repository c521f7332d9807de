/* The parts of a SPIR-V module that a driver needs: its kernels and their arguments, its imports
 * and exports, its specialisation constants. The words may have any content: reading fails with a
 * line in the log. */
#ifndef ZECL_SPIRV_SPIRV_H
#define ZECL_SPIRV_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/text.h"

enum zecl_arg_kind {
  ZECL_ARG_VALUE,   /* the bytes themselves, `size` of them */
  ZECL_ARG_POINTER, /* to global or constant memory */
  ZECL_ARG_LOCAL,   /* local memory: only its size is set */
  ZECL_ARG_IMAGE,
  ZECL_ARG_SAMPLER,
  ZECL_ARG_OTHER /* pipes, queues and the like: cannot be set */
};

/* The type of an image argument, in the numbers of SPIR-V. */
struct zecl_spirv_image {
  uint8_t dim, is_array, access;
};

struct zecl_arg {
  enum zecl_arg_kind kind;
  uint32_t size; /* bytes that the kernel takes: of the value, or of a pointer or a handle */
  struct zecl_spirv_image image;
};

struct zecl_spirv_kernel {
  char *name;
  uint32_t function; /* its id */
  uint32_t arg_count;
  struct zecl_arg *args;
  uint32_t required_group_size[3]; /* zeros: any */
  uint32_t hinted_group_size[3];   /* zeros: none */
  uint32_t sub_group_size;         /* required; 0: any */
  uint32_t sub_groups_per_group;   /* required; 0: any */
};

struct zecl_spirv_symbol {
  char *name;
  bool is_function;
};

/* A part of a program whose address the driver chooses: a variable of global memory, or an exported
 * one of constant memory, without those whose initial value refers to an address. In a module that
 * calls through pointers, also a function that is exported or whose address the module takes;
 * nothing is at its address. */
struct zecl_spirv_global {
  char *name; /* by which it is exported, or null */
  uint32_t id;
  size_t size;
  unsigned char *bytes; /* its first value; null for zeros */
  bool is_function;
};

enum zecl_spec_type { ZECL_SPEC_BOOL, ZECL_SPEC_INTEGER, ZECL_SPEC_FLOAT };

/* One place of a specialisation constant's value. A constant may have several. */
struct zecl_spirv_spec {
  uint32_t spec_id;
  enum zecl_spec_type type;
  uint32_t size;   /* bytes of the value */
  uint64_t value;  /* the default, low bytes first */
  size_t position; /* of its instruction, in words */
};

struct zecl_spirv {
  uint32_t *words;
  size_t word_count;

  struct zecl_spirv_kernel *kernels;
  uint32_t kernel_count;
  struct zecl_spirv_symbol *imports; /* without what is built in */
  uint32_t import_count;
  struct zecl_spirv_symbol *exports;
  uint32_t export_count;
  struct zecl_spirv_global *globals;
  uint32_t global_count;
  struct zecl_spirv_spec *specs;
  uint32_t spec_count;
  uint32_t global_barrier; /* the function of spirv_cooperate.h, if it is imported; or 0 */
  uint32_t *capabilities;
  uint32_t capability_count;
};

/* Copies and reads `size` bytes, of either byte order. False: not a module, with the reason in the
 * log.
 */
bool zecl_spirv_read(
    struct zecl_spirv *spirv, const void *bytes, size_t size, struct zecl_text *log);
void zecl_spirv_free(struct zecl_spirv *spirv);

/* Gives constant `spec_id` the value that `value` points to, as many bytes as its type has. False:
 * the module has no such constant. What depends on constants (LocalSizeId) is seen by reading the
 * words anew. */
bool zecl_spirv_specialise(struct zecl_spirv *spirv, uint32_t spec_id, const void *value);

/* A copy of the words without the instructions on which translators of LLVM 15 assert: each
 * OpConstantNull of a scalar type is an ordinary zero, each LocalSizeId the LocalSize that its
 * constants say. Atomics of generic pointers are of global ones, since engines have no functions
 * for the former. A load of one component of a built-in variable is a load of all of them.
 * fmax_common and fmin_common are fmax and fmin. `for_translator`: they misname the function that
 * writes integers to images of layers and slices, unless the write marks its texel as unsigned,
 * which changes nothing else. Null: no memory. The caller frees it. */
uint32_t *zecl_spirv_plain_words(
    const struct zecl_spirv *spirv, bool for_translator, size_t *word_count);

#endif
