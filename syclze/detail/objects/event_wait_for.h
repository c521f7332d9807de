/* Waits for events with a time limit. */
#ifndef SYCLZE_DETAIL_OBJECTS_EVENT_WAIT_FOR_H
#define SYCLZE_DETAIL_OBJECTS_EVENT_WAIT_FOR_H

#include "../../event.h"
#include "../sync/clock.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The deadline of a limit that begins now; UINT64_MAX for none. */
SYCLZE_LOCAL uint64_t syclze__deadline_of(uint64_t nanoseconds) {
  if (nanoseconds == UINT64_MAX) return nanoseconds;
  const uint64_t now = syclze__clock_now();
  return nanoseconds < UINT64_MAX - now ? now + nanoseconds : UINT64_MAX;
}

/* The time until the deadline, at most a slice. */
SYCLZE_LOCAL uint64_t syclze__deadline_slice(uint64_t deadline) {
  if (deadline == UINT64_MAX) return SYCLZE__EVENT_SLICE;
  const uint64_t now = syclze__clock_now();
  const uint64_t left = now < deadline ? deadline - now : 0, slice = SYCLZE__EVENT_SLICE;
  return left < slice ? left : slice;
}

/* syclze__event_await with a deadline; ZE_RESULT_NOT_READY at the deadline. */
SYCLZE_LOCAL ze_result_t syclze__event_await_until(struct syclze__event *event, uint64_t deadline) {
  if (deadline == UINT64_MAX || syclze__is_forked() || syclze__event_is_recorded(event))
    return syclze__event_await(event);
  for (;;) {
    void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
    if (SYCLZE__UNLIKELY(help != NULL)) help();
    const uint64_t slice = syclze__deadline_slice(deadline);
    ze_result_t result = SYCLZE__ZE(zeEventHostSynchronize)(event->native, slice);
    if (result == ZE_RESULT_SUCCESS) syclze__event_set_done(event);
    if (result != ZE_RESULT_NOT_READY) return result;
    result = syclze__context_lost(event->context);
    if (result != ZE_RESULT_SUCCESS) return result;
    if (slice == 0) return ZE_RESULT_NOT_READY;
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
