/* A module of SPIR-V made into a program of the engine: read, specialised, built. The same words
 * with the same constants and flags are one program in a process, for all devices and contexts,
 * unless they have variables. */
#ifndef ZECL_MODULES_PROGRAM_H
#define ZECL_MODULES_PROGRAM_H

#include <level_zero/ze_api.h>
#include "core/text.h"
#include "modules/function.h"
#include "spirv/spirv.h"

/* The memory of a program's variable. Linked programs share it with those that they are linked
 * from. */
struct zecl_global_memory {
  atomic_uint references;
  size_t mapped; /* bytes, this head among them */
  _Alignas(64) unsigned char bytes[];
};

struct zecl_fused;

struct zecl_program {
  struct zecl_spirv spirv;             /* with the constants that were given */
  char *flags;                         /* as the caller wrote them */
  struct zecl_engine_program *program; /* null while the module has imports */
  struct zecl_function *functions;
  uint32_t function_count;
  struct zecl_global_memory **globals; /* one for each of spirv.globals */
  struct zecl_program *opaque;         /* its twin for images without alpha, once that is needed */
  struct zecl_fused *fused;            /* and those for groups that cooperate */
};

/* The programs that a linked one is made of, whose exported variables are its own. */
struct zecl_program_parts {
  const struct zecl_program **programs;
  uint32_t count;
};

/* SUCCESS, MODULE_BUILD_FAILURE with the reason in the log, or OUT_OF_HOST_MEMORY. A module with
 * imports is read and not built. `constants`, `flags` and `parts` may be null. */
ze_result_t zecl_program_get(const void *bytes, size_t size, const ze_module_constants_t *constants,
    const char *flags, const struct zecl_program_parts *parts, struct zecl_text *log,
    struct zecl_program **program);

/* Joins several modules into one program. Errors as above. */
ze_result_t zecl_program_get_joined(
    const ze_module_program_exp_desc_t *desc, struct zecl_text *log, struct zecl_program **program);

/* Reads a module and gives its constants their values. False: the reason is in the log. */
bool zecl_program_read(struct zecl_spirv *spirv, const void *bytes, size_t size,
    const ze_module_constants_t *constants, struct zecl_text *log);

void zecl_program_release(struct zecl_program *program);

/* Releases a program of the engine, once no kernel of it can run. */
void zecl_engine_program_release(struct zecl_engine_program *program);

#endif
