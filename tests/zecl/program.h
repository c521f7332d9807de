/* A module of SPIR-V made into an OpenCL program: read, specialised, built. The same words with the
 * same constants and flags are one program in a process, for all devices and contexts. */
#ifndef ZECL_PROGRAM_H
#define ZECL_PROGRAM_H

#include <level_zero/ze_api.h>
#include "function.h"
#include "spirv.h"
#include "text.h"

struct zecl_program {
  struct zecl_spirv spirv; /* with the constants that were given */
  char *flags;             /* as the caller wrote them */
  cl_program program;      /* null while the module has imports */
  struct zecl_function *functions;
  uint32_t function_count;
};

/* SUCCESS, MODULE_BUILD_FAILURE with the reason in the log, or OUT_OF_HOST_MEMORY. A module with
 * imports is read and not built. `constants` and `flags` may be null. */
ze_result_t zecl_program_get(const void *bytes, size_t size, const ze_module_constants_t *constants,
    const char *flags, struct zecl_text *log, struct zecl_program **program);

void zecl_program_release(struct zecl_program *program);

#endif
