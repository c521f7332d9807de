/* Launches compiled without trace points, the baseline of op_submit.c. */
#define XPTI_ENABLE_INSTRUMENTATION 0
#include "launches.h"

ze_result_t bench_launches_untraced(syclze_queue queue, syclze_kernel kernel, uint32_t count) {
  return bench_launches(queue, kernel, count);
}
