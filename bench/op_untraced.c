/* Launches without trace points, beside which those of op_submit.c are measured. */
#define XPTI_ENABLE_INSTRUMENTATION 0
#include "launches.h"

ze_result_t bench_launches_untraced(syclze_queue queue, syclze_kernel kernel, uint32_t count) {
  return bench_launches(queue, kernel, count);
}
