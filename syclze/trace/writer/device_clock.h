/* The device's clock, as the system's: both were read together, when the device's first list was
 * made. */
#ifndef SYCLZE_TRACE_CLOCK_H
#define SYCLZE_TRACE_CLOCK_H

#include "state.h"

SYCLZE_EXTERN_C_BEGIN

/* What a device's clock shows, beside the system's. */
struct syclze__trace_clock {
  uint64_t host, device; /* nanoseconds; ticks */
  double tick;           /* nanoseconds; 0: unknown */
  uint64_t mask;         /* of the ticks that events take */
};

/* Reads the device's clock between two looks at the system's, and again, as a look may be
 * interrupted: what took the least time is the best. False if there is no such clock. */
SYCLZE_LOCAL bool syclze__trace_clock_compare(
    ze_device_handle_t device, struct syclze__trace_clock *clock) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 8; i++) {
    uint64_t host, ticks;
    const uint64_t before = syclze__trace_now();
    if (SYCLZE__ZE(zeDeviceGetGlobalTimestamps)(device, &host, &ticks) != ZE_RESULT_SUCCESS)
      return false;
    const uint64_t took = syclze__trace_now() - before;
    if (took >= least) continue;
    least = took;
    clock->host = before + took / 2;
    clock->device = ticks;
  }
  return true;
}

/* Remembers how the device's clock stands. */
SYCLZE_LOCAL void syclze__trace_clock_read(struct syclze__trace *trace, uint64_t device) {
  if (device == 0 || syclze__map_find(&trace->devices, device) != NULL) return;
  struct syclze__traced *place = syclze__map_put(&trace->devices, device);
  struct syclze__trace_clock *clock = (struct syclze__trace_clock *)calloc(1, sizeof *clock);
  if (place == NULL || clock == NULL) {
    free(clock);
    return;
  }
  place->value = (uint64_t)(uintptr_t)clock;
  ze_device_handle_t native = (ze_device_handle_t)(uintptr_t)device;
  ze_device_properties_t properties;
  memset(&properties, 0, sizeof properties);
  /* The version whose resolution is in cycles per second. */
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  if (!syclze__trace_clock_compare(native, clock)) return;
  if (SYCLZE__ZE(zeDeviceGetProperties)(native, &properties) != ZE_RESULT_SUCCESS ||
      properties.timerResolution == 0)
    return;
  clock->tick = 1e9 / (double)properties.timerResolution;
  clock->mask = properties.kernelTimestampValidBits - 1 < 63
                    ? ((uint64_t)1 << properties.kernelTimestampValidBits) - 1
                    : UINT64_MAX;
}

/* The ticks since the clock was read, which may be negative, in the system's time. */
SYCLZE_INLINE uint64_t syclze__trace_time_of(
    const struct syclze__trace_clock *clock, uint64_t ticks) {
  const uint64_t since = (ticks - clock->device) & clock->mask;
  const double forward = (double)since * clock->tick;
  const double backward = (double)((clock->device - ticks) & clock->mask) * clock->tick;
  return forward <= backward ? clock->host + (uint64_t)forward : clock->host - (uint64_t)backward;
}

SYCLZE_EXTERN_C_END

#endif
