/* Building by the OpenCL platform. */
#ifndef ZECL_MODULES_PROGRAM_BUILD_H
#define ZECL_MODULES_PROGRAM_BUILD_H

#include "modules/program.h"

/* Builds a program without imports, whose variables have their memory; null, and the log has the
 * platform's own text. */
cl_program zecl_program_build(const struct zecl_program *from, struct zecl_text *log);

#endif
