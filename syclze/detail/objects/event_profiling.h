/* The times of events. */
#ifndef SYCLZE_DETAIL_OBJECTS_EVENT_PROFILING_H
#define SYCLZE_DETAIL_OBJECTS_EVENT_PROFILING_H

#include "event.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The clock of a device. */
struct syclze__clock {
  double tick; /* nanoseconds */
  uint64_t mask;
};

/* Queries the clock of a device once. */
SYCLZE_LOCAL struct syclze__status syclze__clock_of(
    struct syclze__device *device, struct syclze__clock *clock) {
  uint64_t resolution = __atomic_load_n(&device->timer_resolution, __ATOMIC_ACQUIRE);
  if (resolution == 0) {
    /* Its resolution is in cycles per second, unlike the first version's. */
    SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES_1_2);
    const ze_result_t result = SYCLZE__ZE(zeDeviceGetProperties)(device->native, &properties);
    if (result != ZE_RESULT_SUCCESS)
      return syclze__status_of(result, "zeDeviceGetProperties failed");
    resolution = properties.timerResolution;
    if (resolution == 0)
      return syclze__status_of(
          SYCLZE_RESULT_ERROR_PROFILING, "the device's clock has no resolution");
    __atomic_store_n(
        &device->timestamp_bits, properties.kernelTimestampValidBits, __ATOMIC_RELAXED);
    __atomic_store_n(&device->timer_resolution, resolution, __ATOMIC_RELEASE);
  }
  uint32_t bits = __atomic_load_n(&device->timestamp_bits, __ATOMIC_RELAXED);
  clock->tick = 1e9 / (double)resolution;
  clock->mask = bits == 0 || bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return syclze__allowed();
}

/* Checks that the event has timestamps of the device. */
SYCLZE_LOCAL struct syclze__status syclze__check_profiling(
    syclze_event event, syclze_device device, struct syclze__clock *clock) {
  if (event.rep == NULL) return syclze__null_handle("the event is null");
  if (!SYCLZE__CHECK_ALIVE(event.rep))
    return syclze__invalid("the event is used after its last release");
  if (syclze__event_is_recorded(event.rep))
    return syclze__invalid("sycl_ext_oneapi_graph: the event is of a command group that was "
                           "recorded to a graph, and has no times");
  struct syclze__status status = syclze__check_device_in(event.rep->context, device.rep);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (event.rep->pooled != NULL && !(event.rep->pooled->kind & SYCLZE__EVENT_TIMESTAMP))
    return syclze__invalid("SYCL 2020 4.6.6.2: the event's queue has no property enable_profiling");
  if (event.rep->pooled != NULL && event.rep->device != NULL &&
      event.rep->device->native != device.rep->native)
    return syclze__invalid("SYCL 2020 4.6.6.2: the device is not that of the event's queue");
  return syclze__clock_of(device.rep, clock);
}

SYCLZE_LOCAL uint64_t syclze__clock_time(const struct syclze__clock *clock, uint64_t ticks) {
  return (uint64_t)((double)ticks * clock->tick);
}

/* Queries when an event's work, or a host task's function, began and ended. */
SYCLZE_LOCAL struct syclze__status syclze__event_query_times(
    const struct syclze__event *event, ze_kernel_timestamp_result_t *times) {
  const char *const rule = "zeEventQueryKernelTimestamp failed";
  ze_kernel_timestamp_result_t since;
  ze_result_t result = SYCLZE__ZE(zeEventQueryKernelTimestamp)(event->native, times);
  if (result != ZE_RESULT_SUCCESS || event->pooled == NULL || event->host_end == 0)
    return syclze__status_of(result, rule);
  if (event->host_end == SYCLZE__TIMES_SINCE) {
    result = SYCLZE__ZE(zeEventQueryKernelTimestamp)(event->pooled->since->native, &since);
    times->global.kernelStart = since.global.kernelEnd;
    return syclze__status_of(result, rule);
  }
  times->global.kernelStart = event->host_start;
  times->global.kernelEnd = event->host_end;
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_event_get_profiling(
    syclze_event event, syclze_device device, uint64_t *start, uint64_t *end) {
  const char *const function = "syclze_event_get_profiling";
  struct syclze__clock clock;
  ze_kernel_timestamp_result_t times;
  if (start == NULL || end == NULL)
    return syclze__fail_pointer(function, "a result's pointer is null");
  *start = *end = 0;
  struct syclze__status status = syclze__check_profiling(event, device, &clock);
  if (status.result == ZE_RESULT_SUCCESS && syclze__event_has_no_times(event.rep))
    status = syclze__invalid("sycl_ext_oneapi_graph: the event is of a graph that was finalized "
                             "without SYCLZE_GRAPH_PROFILING, and its times are not measured");
  if (status.result == ZE_RESULT_SUCCESS) {
    status = syclze__event_query_times(event.rep, &times);
    if (status.result == ZE_RESULT_NOT_READY) return status.result;
  }
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, function, event.rep != NULL ? event.rep->native : NULL);
  const uint64_t begun = times.global.kernelStart & clock.mask;
  const uint64_t ticks = (times.global.kernelEnd - begun) & clock.mask;
  *start = syclze__clock_time(&clock, begun);
  *end = syclze__clock_time(&clock, begun + ticks);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_event_get_profiling_submit(
    syclze_event event, syclze_device device, uint64_t *submit) {
  const char *const function = "syclze_event_get_profiling_submit";
  struct syclze__clock clock;
  if (submit == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  *submit = 0;
  struct syclze__status status = syclze__check_profiling(event, device, &clock);
  if (status.result == ZE_RESULT_SUCCESS &&
      (event.rep->pooled == NULL || event.rep->pending.is_listed || event.rep->submitted == 0))
    status = syclze__status_of(SYCLZE_RESULT_ERROR_PROFILING,
        "the event is of no submission, or its time could not be measured");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, function, event.rep != NULL ? event.rep->native : NULL);
  *submit = syclze__clock_time(&clock, event.rep->submitted & clock.mask);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
