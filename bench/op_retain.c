/* Retain and release of a live object. */
#include "bench.h"

#define RETAIN(kind)                                                                               \
  static ze_result_t kind(const struct bench_world *world, uint32_t count) {                       \
    syclze_##kind object = world->wrapped.kind;                                                    \
    for (uint32_t i = 0; i < count; i++) {                                                         \
      BENCH_OPAQUE(object.rep);                                                                    \
      BENCH_TRY(syclze_##kind##_retain(object));                                                   \
      BENCH_TRY(syclze_##kind##_release(object));                                                  \
    }                                                                                              \
    return ZE_RESULT_SUCCESS;                                                                      \
  }

RETAIN(context)
RETAIN(queue)
RETAIN(event)
RETAIN(kernel_bundle)
RETAIN(kernel)

const struct bench_op bench_retain_ops[] = {
    {"retain + release, context", 0, 2, 0, context, NULL, 0, false},
    {"retain + release, queue", 0, 2, 0, queue, NULL, 0, false},
    {"retain + release, event", 0, 2, 0, event, NULL, 0, false},
    {"retain + release, kernel bundle", 0, 2, 0, kernel_bundle, NULL, 0, true},
    {"retain + release, kernel", 0, 2, 0, kernel, NULL, 0, true},
    {0},
};
