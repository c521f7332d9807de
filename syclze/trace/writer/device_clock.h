/* Conversion of the device's clock to the system's: both are read together, when the device's first
 * list is made, and again before the ticks of events have wrapped since then. */
#ifndef SYCLZE_TRACE_DEVICE_CLOCK_H
#define SYCLZE_TRACE_DEVICE_CLOCK_H

#include "state.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* One instant by both clocks. */
struct syclze__device_clock {
  uint64_t host, device; /* nanoseconds; ticks */
  double tick;           /* nanoseconds; 0 if unknown */
  uint64_t mask;         /* of the ticks that events take */
};

/* Reads the device's clock between two reads of the system's, several times, since a read may be
 * interrupted; keeps the shortest. False if there is no such clock. */
SYCLZE_LOCAL bool syclze__device_clock_compare(
    ze_device_handle_t device, struct syclze__device_clock *clock) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 8; i++) {
    uint64_t host, ticks;
    const uint64_t before = syclze__clock_now();
    if (SYCLZE__ZE(zeDeviceGetGlobalTimestamps)(device, &host, &ticks) != ZE_RESULT_SUCCESS)
      return false;
    const uint64_t took = syclze__clock_now() - before;
    if (took >= least) continue;
    least = took;
    clock->host = before + took / 2;
    clock->device = ticks;
  }
  return true;
}

/* Stores an instant of both clocks. */
SYCLZE_LOCAL void syclze__device_clock_read(struct syclze__recorder *recorder, uint64_t device) {
  if (device == 0 || syclze__map_find(&recorder->devices, device) != NULL) return;
  struct syclze__device_clock *clock = (struct syclze__device_clock *)calloc(1, sizeof *clock);
  struct syclze__map_entry *place =
      clock != NULL ? syclze__map_put(&recorder->devices, device) : NULL;
  if (place == NULL) {
    free(clock);
    return;
  }
  place->value = (uint64_t)(uintptr_t)clock;
  ze_device_handle_t native = (ze_device_handle_t)(uintptr_t)device;
  /* The version whose resolution is in cycles per second. */
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES_1_2);
  if (!syclze__device_clock_compare(native, clock)) return;
  if (SYCLZE__ZE(zeDeviceGetProperties)(native, &properties) != ZE_RESULT_SUCCESS ||
      properties.timerResolution == 0)
    return;
  clock->tick = 1e9 / (double)properties.timerResolution;
  clock->mask = properties.kernelTimestampValidBits - 1 < 63
                    ? ((uint64_t)1 << properties.kernelTimestampValidBits) - 1
                    : UINT64_MAX;
}

/* Converts ticks, also from before the clock was read, to the system's time. */
SYCLZE_INLINE uint64_t syclze__device_clock_time(
    const struct syclze__device_clock *clock, uint64_t ticks) {
  const uint64_t since = (ticks - clock->device) & clock->mask;
  const double forward = (double)since * clock->tick;
  const double backward = (double)((clock->device - ticks) & clock->mask) * clock->tick;
  return forward <= backward ? clock->host + (uint64_t)forward : clock->host - (uint64_t)backward;
}

/* Records the times of the event's command, if it has ended. */
SYCLZE_LOCAL void syclze__recorder_collect(
    struct syclze__recorder *recorder, struct syclze__map_entry *event) {
  const struct syclze__map_entry *list = syclze__map_find(&recorder->lists, event->other);
  const struct syclze__map_entry *queue = syclze__map_find(&recorder->queues, event->other);
  const struct syclze__map_entry *device =
      list == NULL ? NULL : syclze__map_find(&recorder->devices, list->other);
  ze_event_handle_t native = (ze_event_handle_t)(uintptr_t)event->handle;
  ze_kernel_timestamp_result_t times;
  if (device == NULL || SYCLZE__ZE(zeEventQueryStatus)(native) != ZE_RESULT_SUCCESS ||
      SYCLZE__ZE(zeEventQueryKernelTimestamp)(native, &times) != ZE_RESULT_SUCCESS)
    return;
  struct syclze__device_clock *clock = (struct syclze__device_clock *)(uintptr_t)device->value;
  event->flags &= ~(uint32_t)SYCLZE__HANDLE_PENDING;
  if (clock->tick <= 0) return;
  if ((double)(syclze__clock_now() - clock->host) > (double)clock->mask * clock->tick / 4)
    syclze__device_clock_compare((ze_device_handle_t)(uintptr_t)list->other, clock);
  const uint64_t ticks = (times.global.kernelEnd - times.global.kernelStart) & clock->mask;
  syclze__record_add(recorder->rings, SYCLZE__RECORD_DEVICE, event->name,
      syclze__device_clock_time(clock, times.global.kernelStart),
      (uint64_t)((double)ticks * clock->tick), event->value,
      queue != NULL ? queue->other : event->other);
}

SYCLZE_LOCAL void syclze__recorder_collect_event(
    struct syclze__recorder *recorder, uint64_t event) {
  struct syclze__map_entry *found = syclze__map_find(&recorder->events, event);
  if (found != NULL && found->flags & SYCLZE__HANDLE_PENDING)
    syclze__recorder_collect(recorder, found);
}

/* Records the times of all commands that have ended. */
SYCLZE_LOCAL void syclze__recorder_collect_all(struct syclze__recorder *recorder) {
  for (size_t i = 0; recorder->events.entries != NULL && i <= recorder->events.mask; i++)
    if (recorder->events.entries[i].flags & SYCLZE__HANDLE_PENDING)
      syclze__recorder_collect(recorder, &recorder->events.entries[i]);
}

SYCLZE_EXTERN_C_END

#endif

#endif
