/* get_native of each object. Sixteen calls per iteration, to amortise the loop. */
#include "bench.h"

#define TIMES_16(statement) TIMES_4(TIMES_4(statement))
#define TIMES_4(statement) statement statement statement statement

/* Hides the object from the optimiser, and uses the result. */
#define GET_NATIVE(kind, use)                                                                      \
  static ze_result_t kind(const struct bench_world *world, uint32_t count) {                       \
    syclze_##kind object = world->wrapped.kind;                                                    \
    for (uint32_t i = 0; i < count; i += 16) {                                                     \
      TIMES_16({                                                                                   \
        BENCH_OPAQUE(object.rep);                                                                  \
        __typeof__(syclze_##kind##_get_native(object)) native =                                    \
            syclze_##kind##_get_native(object);                                                    \
        use;                                                                                       \
      })                                                                                           \
    }                                                                                              \
    return ZE_RESULT_SUCCESS;                                                                      \
  }

GET_NATIVE(platform, BENCH_OPAQUE(native))
GET_NATIVE(device, BENCH_OPAQUE(native))
GET_NATIVE(context, BENCH_OPAQUE(native))
GET_NATIVE(queue, BENCH_OPAQUE(native.kind); BENCH_OPAQUE(native.list))
GET_NATIVE(event, BENCH_OPAQUE(native))
GET_NATIVE(kernel_bundle, BENCH_OPAQUE(native.modules); BENCH_OPAQUE(native.count))
GET_NATIVE(kernel, BENCH_OPAQUE(native))

const struct bench_op bench_get_native_ops[] = {
    {"get_native, platform", 1, 0, 0, platform, NULL, 0, false},
    {"get_native, device", 1, 0, 0, device, NULL, 0, false},
    {"get_native, context", 1, 0, 102, context, NULL, 0, false},
    {"get_native, queue", 2, 0, 167, queue, NULL, 0, false},
    {"get_native, event", 1, 0, 187, event, NULL, 0, false},
    {"get_native, kernel bundle", 2, 0, 466, kernel_bundle, NULL, 0, true},
    {"get_native, kernel", 1, 0, 110, kernel, NULL, 0, true},
    {0},
};
