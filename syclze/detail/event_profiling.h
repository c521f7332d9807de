/* When the work of an event was submitted, began and ended, where its queue has the property
 * enable_profiling.
 *
 *     uint64_t submit, start, end;
 *     ze_result_t told = syclze_event_get_profiling_submit(event, device, &submit);
 *     if (told == ZE_RESULT_SUCCESS)
 *       told = syclze_event_get_profiling(event, device, &start, &end);
 *
 * All in nanoseconds of the device's clock. `device` is that of the event's queue. The clock begins
 * anew when its bits are full, so that one of the later two may be less than the first. */
#ifndef SYCLZE_COMMAND_PROFILING_H
#define SYCLZE_COMMAND_PROFILING_H

#include "../event.h"

SYCLZE_EXTERN_C_BEGIN

/* When the work began and ended. Errors: ZE_RESULT_ERROR_INVALID_NULL_HANDLE and _NULL_POINTER;
 * SYCLZE_RESULT_ERROR_PROFILING for an event that takes no times; ZE_RESULT_NOT_READY before the
 * end of the work; what zeEventQueryKernelTimestamp returns. */
SYCLZE_COLD ze_result_t syclze_event_get_profiling(syclze_event event, syclze_device device,
    uint64_t *start, uint64_t *end) SYCLZE_LINK_NAME(syclze_event_get_profiling);

/* When the work was submitted, as zeDeviceGetGlobalTimestamps told just before; known at once.
 * Errors as above, and SYCLZE_RESULT_ERROR_PROFILING for an event that no submission gave. */
SYCLZE_COLD ze_result_t syclze_event_get_profiling_submit(syclze_event event, syclze_device device,
    uint64_t *submit) SYCLZE_LINK_NAME(syclze_event_get_profiling_submit);

struct syclze__clock {
  double tick; /* in nanoseconds */
  uint64_t mask;
};

/* Whether the event can tell times, and how the device counts them. */
SYCLZE_LOCAL struct syclze__status syclze__check_profiling(
    syclze_event event, syclze_device device, struct syclze__clock *clock) {
  if (event.rep == NULL || device.rep == NULL)
    return syclze__null_handle("the event or the device is null");
  if (event.rep->pooled != NULL && event.rep->pooled->kind != SYCLZE__EVENT_TIMESTAMP)
    return syclze__status_of(
        SYCLZE_RESULT_ERROR_PROFILING, "the event's queue has no property enable_profiling");
  ze_device_properties_t properties;
  memset(&properties, 0, sizeof properties);
  /* The version whose resolution is in cycles per second. */
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  ze_result_t result = SYCLZE__ZE(zeDeviceGetProperties)(device.rep->native, &properties);
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "zeDeviceGetProperties failed");
  if (properties.timerResolution == 0)
    return syclze__status_of(SYCLZE_RESULT_ERROR_PROFILING, "the device's clock has no resolution");
  uint32_t bits = properties.kernelTimestampValidBits;
  clock->tick = 1e9 / (double)properties.timerResolution;
  clock->mask = bits == 0 || bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return syclze__allowed();
}

SYCLZE_INLINE uint64_t syclze__clock_time(const struct syclze__clock *clock, uint64_t ticks) {
  return (uint64_t)((double)(ticks & clock->mask) * clock->tick);
}

SYCLZE_COLD ze_result_t syclze_event_get_profiling(
    syclze_event event, syclze_device device, uint64_t *start, uint64_t *end) {
  static const char *const function = "syclze_event_get_profiling";
  if (start == NULL || end == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "a result's pointer is null", NULL);
  *start = *end = 0;
  struct syclze__clock clock;
  ze_kernel_timestamp_result_t times;
  struct syclze__status status = syclze__check_profiling(event, device, &clock);
  if (status.result == ZE_RESULT_SUCCESS) {
    status = syclze__status_of(SYCLZE__ZE(zeEventQueryKernelTimestamp)(event.rep->native, &times),
        "zeEventQueryKernelTimestamp failed");
    if (status.result == ZE_RESULT_NOT_READY) return status.result;
  }
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(
        status.result, function, status.rule, event.rep != NULL ? event.rep->native : NULL);
  *start = syclze__clock_time(&clock, times.global.kernelStart);
  *end = syclze__clock_time(&clock, times.global.kernelEnd);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_event_get_profiling_submit(
    syclze_event event, syclze_device device, uint64_t *submit) {
  static const char *const function = "syclze_event_get_profiling_submit";
  if (submit == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  *submit = 0;
  struct syclze__clock clock;
  struct syclze__status status = syclze__check_profiling(event, device, &clock);
  if (status.result == ZE_RESULT_SUCCESS &&
      (event.rep->pooled == NULL || event.rep->submitted == 0))
    status = syclze__status_of(
        SYCLZE_RESULT_ERROR_PROFILING, "the event is of no submission, or its time was not told");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(
        status.result, function, status.rule, event.rep != NULL ? event.rep->native : NULL);
  *submit = syclze__clock_time(&clock, event.rep->submitted);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_EXTERN_C_END

#endif
