/* A driver that lacks what its loader has. */
#ifndef TESTS_DEVICE_LACKING_H
#define TESTS_DEVICE_LACKING_H

#include "syclze/syclze.h"

static inline ze_result_t ZE_APICALL lacking_synchronize(
    ze_command_list_handle_t list, uint64_t nanoseconds) {
  (void)list, (void)nanoseconds;
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

/* From here on lists are not waited for, only events. After the first object. */
static inline void lacking_list_waits(void) {
  if (SYCLZE__STATE.entry.command_list_synchronize != NULL)
    SYCLZE__STATE.entry.command_list_synchronize = lacking_synchronize;
}

#endif
