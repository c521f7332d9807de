/* Twins of a program in which all groups of a kernel are one, for groups that wait for each other.
 */
#ifndef ZECL_MODULES_PROGRAM_FUSED_H
#define ZECL_MODULES_PROGRAM_FUSED_H

#include "modules/program.h"

/* The function's twin for groups of that size, which is built on first use; null if it cannot be
 * built. Valid as long as the function. */
struct zecl_function *zecl_program_fused(
    const struct zecl_function *function, const uint32_t group_size[3]);

/* Releases a program's twins. */
void zecl_program_drop_fused(struct zecl_program *program);

#endif
