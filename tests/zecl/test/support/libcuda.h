/* The libcuda of the tests, for programs that run the driver on it. */
#ifndef TESTS_ZECL_SUPPORT_LIBCUDA_H
#define TESTS_ZECL_SUPPORT_LIBCUDA_H

#include "libcuda/kinds.h"

/* Loads it under the name of CUDA's, with so many devices of that much memory, and names CUDA as
 * the engine. To be called before main. */
void test_load_libcuda(int megabytes, int devices);

/* A function of the libcuda that is loaded. Ends the case without one. */
void *test_libcuda_symbol(const char *name);

/* The number of its live objects of a kind. */
long test_libcuda_live(enum libcuda_kind kind);

#endif
