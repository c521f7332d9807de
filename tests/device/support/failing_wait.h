/* A wait of the library that fails on purpose, and what failing.h has. To be included first. */
#ifndef TESTS_DEVICE_FAILING_WAIT_H
#define TESTS_DEVICE_FAILING_WAIT_H

#include <stdatomic.h>
#include <level_zero/ze_api.h>

/* The next wait of the library for an event returns this; success for none. */
static _Atomic(ze_result_t) failing_wait;

static inline ze_result_t failing_wait_for(ze_event_handle_t event, uint64_t nanoseconds) {
  const ze_result_t code = atomic_exchange(&failing_wait, ZE_RESULT_SUCCESS);
  return code != ZE_RESULT_SUCCESS ? code : zeEventHostSynchronize(event, nanoseconds);
}

#define zeEventHostSynchronize failing_wait_for
#include "failing.h"
#undef zeEventHostSynchronize

#endif
