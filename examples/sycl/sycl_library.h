/* The C interface of a library in SYCL. */
#ifndef EXAMPLES_SYCL_SYCL_LIBRARY_H
#define EXAMPLES_SYCL_SYCL_LIBRARY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Submits y = x. `sycl_queue` is a sycl::queue *, which stays the caller's. */
void sycl_library_copy(void *sycl_queue, size_t count, const float *x, float *y);

#ifdef __cplusplus
}
#endif

#endif
