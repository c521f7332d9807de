/* Launching a kernel and waiting for it. */
#ifndef ZECL_TEST_LAUNCH_H
#define ZECL_TEST_LAUNCH_H

#include <level_zero/ze_api.h>

/* Launches x * y * z groups and waits. */
void test_launch(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z);

/* Sets the arguments of an axpy kernel. */
void test_axpy_args(ze_kernel_handle_t kernel, float a, const float *x, float *y);

#endif
