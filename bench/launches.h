/* Launches of an empty kernel, compiled with the macros of the including file. */
#ifndef BENCH_LAUNCHES_H
#define BENCH_LAUNCHES_H

#include "bench.h"

static inline ze_result_t bench_launches(
    syclze_queue given_queue, syclze_kernel given_kernel, uint32_t count) {
  static const syclze_nd_range one = {.global = {1}, .local = {1}};
  for (uint32_t i = 0; i < count; i++) {
    syclze_queue queue = given_queue;
    syclze_kernel kernel = given_kernel;
    BENCH_OPAQUE(queue.rep);
    BENCH_OPAQUE(kernel.rep);
    syclze_group group = syclze_group_begin(queue);
    BENCH_TRY(syclze_group_launch(&group, kernel, &one, NULL, 0, NULL));
  }
  return ZE_RESULT_SUCCESS;
}

#endif
