/* The libcuda of the tests, for programs that run the driver on it. */
#ifndef TESTS_ZECL_SUPPORT_LIBCUDA_H
#define TESTS_ZECL_SUPPORT_LIBCUDA_H

/* Loads it under the name of CUDA's, and names CUDA as the engine. To be called before main. */
void test_load_libcuda(void);

/* Of the libcuda that is loaded; ends the case without one. */
void *test_libcuda_symbol(const char *name);

#endif
