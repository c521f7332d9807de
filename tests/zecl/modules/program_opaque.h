/* Twins of programs, for images without alpha where the engine reads their borders wrong. */
#ifndef ZECL_MODULES_PROGRAM_OPAQUE_H
#define ZECL_MODULES_PROGRAM_OPAQUE_H

#include "modules/program.h"

/* The function of the program's twin that takes the same arguments; the alpha of texels that it
 * reads with samplers is one. The twin is built by the first call and released with its program.
 * Null if there can be none: without memory, for a program with variables, for a native
 * function. */
struct zecl_function *zecl_program_opaque(const struct zecl_function *function);

#endif
