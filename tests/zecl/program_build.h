/* Building by the OpenCL platform. */
#ifndef ZECL_PROGRAM_BUILD_H
#define ZECL_PROGRAM_BUILD_H

#include <CL/cl.h>
#include "spirv.h"
#include "text.h"

/* The program of a module without imports; null, and the log has the platform's own text. `flags`
 * are Level Zero's, and may be null. */
cl_program zecl_program_build(
    const struct zecl_spirv *spirv, const char *flags, struct zecl_text *log);

#endif
