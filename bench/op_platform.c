/* Platforms and devices: look-ups of enumerated objects; nothing is created. */
#include "bench.h"

static ze_result_t platform(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_driver_handle_t driver = world->driver;
    syclze_platform made;
    BENCH_OPAQUE(driver);
    BENCH_TRY(syclze_make_platform(driver, &made));
    BENCH_OPAQUE(made.rep);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t device(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_device_handle_t handle = world->device;
    syclze_device made;
    BENCH_OPAQUE(handle);
    BENCH_TRY(syclze_make_device(handle, &made));
    BENCH_OPAQUE(made.rep);
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_platform_ops[] = {
    {"make, platform", 0, 0, 533, platform, NULL, 0, false},
    {"make, device", 0, 0, 9597, device, NULL, 0, false},
    {0},
};
