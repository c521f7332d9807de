/* Events that the application signals and resets. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_OWN_EVENT_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_OWN_EVENT_H

#include "../../../event.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Checks an event that the application signals or resets. */
SYCLZE_LOCAL struct syclze__status syclze__event_check_own(syclze_event event) {
  if (event.rep == NULL) return syclze__null_handle("the event is null");
  if (event.rep->pooled != NULL || syclze__event_is_recorded(event.rep))
    return syclze__invalid("the native event is the library's own to signal and reset");
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
