/* A C library on syclze, which adds its work to a queue of the caller's. It knows nothing of SYCL.
 */
#ifndef EXAMPLES_SYCL_LIBRARY_H
#define EXAMPLES_SYCL_LIBRARY_H

#include "syclze/syclze.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct library {
  syclze_queue queue;
  syclze_kernel saxpy;
};

/* Builds the kernel in the file for the queue, which the library keeps. Null on failure. */
struct library *library_open(syclze_queue queue, const char *spirv);

/* Adds y = a * x + y, on memory of the queue's context. `done` is the caller's. */
ze_result_t library_saxpy(
    struct library *library, float a, const float *x, float *y, size_t count, syclze_event *done);

void library_close(struct library *library);

#ifdef __cplusplus
}
#endif

#endif
