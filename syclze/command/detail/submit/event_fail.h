/* Signals from the host.
 *
 * Devices and threads wait for events that a worker signals. If the driver refuses the host's
 * signal, the device signals. If that fails too, the context is lost: the error is an asynchronous
 * error of the queue, and every wait in the context that lasts longer than a slice returns it. Work
 * that waits for the event keeps what it holds until the application signals the event. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMIT_EVENT_FAIL_H
#define SYCLZE_COMMAND_DETAIL_SUBMIT_EVENT_FAIL_H

#include "../../../detail/objects/staging_copy.h"
#include "../plain/open_event.h"
#include "../queue/state.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Signals an event of the library's own, from the host or else the device. An error is the queue's;
 * `state` may be null, and is not destroyed meanwhile. */
SYCLZE_LOCAL_WARM void syclze__event_signal_any(
    struct syclze__event *event, struct syclze__queue_state *state) {
  ze_result_t signalled = SYCLZE__ZE(zeEventHostSignal)(event->native);
  if (SYCLZE__LIKELY(signalled == ZE_RESULT_SUCCESS)) return;
  ze_command_list_handle_t list;
  ze_result_t result = syclze__synchronous_list(event->context, &list);
  if (result == ZE_RESULT_SUCCESS) {
    result = SYCLZE__ZE(zeCommandListAppendSignalEvent)(list, event->native);
    SYCLZE__ZE(zeCommandListDestroy)(list);
  }
  if (result == ZE_RESULT_SUCCESS) return;
  if (state != NULL) syclze__queue_state_failed(state, signalled);
  syclze__event_lose(event, signalled);
}

/* Signals and closes an event of the library's own; `state` may be null. */
SYCLZE_LOCAL void syclze__event_signal(
    struct syclze__event *event, struct syclze__queue_state *state) {
  syclze__event_signal_any(event, state);
  syclze__event_close(event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
