/* A command's times on the device, by the timestamps of the event that it signals.
 *
 * They are known where the event is of a pool with ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, as those of
 * queues with profiling are: they are read when the program finds the event complete, before it
 * resets or destroys it, and when the trace is written. Other commands have no time on the device,
 * and the trace says how many. */
#ifndef SYCLZE_TRACE_TIMES_H
#define SYCLZE_TRACE_TIMES_H

#include "device_clock.h"

SYCLZE_EXTERN_C_BEGIN

/* Reads the times of the event's command, if it has ended. */
SYCLZE_LOCAL void syclze__trace_collect(struct syclze__trace *trace, struct syclze__traced *event) {
  const struct syclze__traced *list = syclze__map_find(&trace->lists, event->other);
  const struct syclze__traced *queue = syclze__map_find(&trace->queues, event->other);
  const struct syclze__traced *device =
      list == NULL ? NULL : syclze__map_find(&trace->devices, list->other);
  ze_event_handle_t native = (ze_event_handle_t)(uintptr_t)event->handle;
  ze_kernel_timestamp_result_t times;
  if (device == NULL || SYCLZE__ZE(zeEventQueryStatus)(native) != ZE_RESULT_SUCCESS ||
      SYCLZE__ZE(zeEventQueryKernelTimestamp)(native, &times) != ZE_RESULT_SUCCESS)
    return;
  const struct syclze__trace_clock *clock =
      (const struct syclze__trace_clock *)(uintptr_t)device->value;
  event->flags &= ~(uint32_t)SYCLZE__TRACED_PENDING;
  if (clock->tick <= 0) return;
  const uint64_t ticks = (times.global.kernelEnd - times.global.kernelStart) & clock->mask;
  syclze__record_add(trace->rings, SYCLZE__RECORD_DEVICE, event->name,
      syclze__trace_time_of(clock, times.global.kernelStart),
      (uint64_t)((double)ticks * clock->tick), event->value,
      queue != NULL ? queue->other : event->other);
  trace->missed--;
}

SYCLZE_LOCAL void syclze__trace_collect_handle(struct syclze__trace *trace, uint64_t event) {
  struct syclze__traced *known = syclze__map_find(&trace->events, event);
  if (known != NULL && known->flags & SYCLZE__TRACED_PENDING) syclze__trace_collect(trace, known);
}

/* All that have ended. */
SYCLZE_LOCAL void syclze__trace_collect_all(struct syclze__trace *trace) {
  for (size_t i = 0; trace->events.places != NULL && i <= trace->events.mask; i++)
    if (trace->events.places[i].flags & SYCLZE__TRACED_PENDING)
      syclze__trace_collect(trace, &trace->events.places[i]);
}

SYCLZE_EXTERN_C_END

#endif
