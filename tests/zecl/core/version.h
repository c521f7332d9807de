/* The version of the driver, which zeDriverGetProperties reports and which moves by itself, not with
 * that of a project around it. It is semantic: what a program or an environment variable relies on
 * changes with the major version only, and with the minor one while that is 0. */
#ifndef ZECL_CORE_VERSION_H
#define ZECL_CORE_VERSION_H

#define ZECL_VERSION_MAJOR 0
#define ZECL_VERSION_MINOR 1
#define ZECL_VERSION_PATCH 0

/* The layout of Intel's driver: eight bits, eight bits and sixteen. */
#define ZECL_VERSION (ZECL_VERSION_MAJOR << 24 | ZECL_VERSION_MINOR << 16 | ZECL_VERSION_PATCH)

#endif
