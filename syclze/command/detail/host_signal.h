/* Signals from the host.
 *
 * Devices and threads wait for what a worker signals. Where the driver refuses the host's signal,
 * the device signals. Where that fails too, the context is lost: the error is an asynchronous error
 * of the queue, and every wait in the context that lasts longer than a slice returns it. Work that
 * waits for the event keeps what it holds until the application signals it. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_SIGNAL_H
#define SYCLZE_COMMAND_DETAIL_HOST_SIGNAL_H

#include "dependents.h"
#include "queue_state.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* An immediate list whose appends return when the work is done, on the context's first device. */
SYCLZE_LOCAL ze_result_t syclze__synchronous_list(
    struct syclze__context *context, ze_command_list_handle_t *list) {
  struct syclze__device *device = context->devices[0];
  ze_command_queue_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_result_t result = syclze__compute_ordinal(device, &desc.ordinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandListCreateImmediate)(context->native, device->native, &desc, list);
}

/* The event will never be signalled: its context is lost. */
SYCLZE_LOCAL void syclze__event_lose(struct syclze__event *event, ze_result_t result) {
  __atomic_store_n(
      &syclze__event_pools_there(event->context)->lost, (uint32_t)result, __ATOMIC_RELEASE);
  syclze__event_close(event);
}

/* Signals an event of the library's own by whatever means; an error is the queue's, which is not
 * destroyed meanwhile. */
SYCLZE_LOCAL void syclze__event_signal_any(
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
  syclze__queue_state_failed(state, signalled);
  syclze__event_lose(event, signalled);
}

/* Signals and closes an event of the library's own. */
SYCLZE_LOCAL void syclze__event_signal(
    struct syclze__event *event, struct syclze__queue_state *state) {
  syclze__event_signal_any(event, state);
  syclze__event_close(event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
