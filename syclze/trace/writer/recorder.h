/* Level Zero calls as records. The program's behaviour does not change. */
#ifndef SYCLZE_TRACE_RECORDER_H
#define SYCLZE_TRACE_RECORDER_H

#include "appends.h"
#include "memory_use.h"
#include "submissions.h"
#include "device_clock.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* Registers a list and its device; `in_order` is from its descriptor's flags. */
SYCLZE_LOCAL void syclze__recorder_list(
    struct syclze__recorder *recorder, uint64_t list, uint64_t device, bool in_order) {
  syclze__device_clock_read(recorder, device);
  struct syclze__map_entry *found = syclze__map_put(&recorder->lists, list);
  if (found == NULL) return;
  found->other = device;
  found->flags = in_order ? SYCLZE__HANDLE_IN_ORDER : 0;
}

/* Pre-call hook for handles that the call destroys. */
SYCLZE_LOCAL void syclze__recorder_before(
    struct syclze__recorder *recorder, const syclze_tracer_call *call) {
  syclze__recorder_memory_before(recorder, call);
  switch (call->function) {
  case SYCLZE__CALL_EventHostReset:
  case SYCLZE__CALL_EventDestroy:
    syclze__recorder_collect_event(recorder, SYCLZE__HANDLE(call, 0));
    if (call->function == SYCLZE__CALL_EventDestroy)
      syclze__map_remove(&recorder->events, SYCLZE__HANDLE(call, 0));
    break;
  case SYCLZE__CALL_KernelDestroy:
    syclze__map_remove(&recorder->kernels, SYCLZE__HANDLE(call, 0));
    syclze__map_remove(&recorder->tracks, SYCLZE__HANDLE(call, 0));
    break;
  case SYCLZE__CALL_EventPoolDestroy:
    syclze__map_remove(&recorder->pools, SYCLZE__HANDLE(call, 0));
    break;
  case SYCLZE__CALL_CommandListDestroy:
    syclze__recorder_collect_all(recorder);
    syclze__map_remove(&recorder->lists, SYCLZE__HANDLE(call, 0));
    syclze__map_remove(&recorder->queues, SYCLZE__HANDLE(call, 0));
    break;
  default:
    break;
  }
}

/* Post-call hook for successful calls. */
SYCLZE_LOCAL void syclze__recorder_after(
    struct syclze__recorder *recorder, const syclze_tracer_call *call) {
  struct syclze__map_entry *found;
  switch (call->function) {
  case SYCLZE__CALL_KernelCreate:
    found = syclze__map_put(
        &recorder->kernels, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 2, void **));
    if (found != NULL)
      found->name = syclze__recorder_intern(
          recorder, SYCLZE__ARGUMENT(call, 1, const ze_kernel_desc_t *)->pKernelName);
    break;
  case SYCLZE__CALL_EventPoolCreate:
    found =
        syclze__map_put(&recorder->pools, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 4, void **));
    if (found != NULL)
      found->flags = SYCLZE__ARGUMENT(call, 1, const ze_event_pool_desc_t *)->flags &
                             ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
                         ? SYCLZE__HANDLE_TIMESTAMPS
                         : 0;
    break;
  case SYCLZE__CALL_EventCreate: {
    const struct syclze__map_entry *pool =
        syclze__map_find(&recorder->pools, SYCLZE__HANDLE(call, 0));
    const uint32_t flags = pool != NULL ? pool->flags : 0;
    found = syclze__map_put(
        &recorder->events, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 2, void **));
    if (found != NULL) {
      found->value = 0;
      found->flags = flags;
    }
    break;
  }
  /* The flags of in-order lists and queues, which older headers do not name. */
  case SYCLZE__CALL_CommandListCreate:
    syclze__recorder_list(recorder, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 3, void **),
        SYCLZE__HANDLE(call, 1),
        SYCLZE__ARGUMENT(call, 2, const ze_command_list_desc_t *)->flags >> 3 & 1);
    break;
  case SYCLZE__CALL_CommandListCreateImmediate:
    syclze__recorder_list(recorder, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 3, void **),
        SYCLZE__HANDLE(call, 1),
        SYCLZE__ARGUMENT(call, 2, const ze_command_queue_desc_t *)->flags >> 1 & 1);
    break;
  case SYCLZE__CALL_CommandQueueExecuteCommandLists:
    for (uint32_t i = 0; i < SYCLZE__ARGUMENT(call, 1, uint32_t); i++) {
      found = syclze__map_put(&recorder->queues,
          (uint64_t)(uintptr_t)SYCLZE__ARGUMENT(call, 2, const ze_command_list_handle_t *)[i]);
      if (found != NULL) found->other = SYCLZE__HANDLE(call, 0);
    }
    break;
  case SYCLZE__CALL_EventHostReset:
    found = syclze__map_find(&recorder->events, SYCLZE__HANDLE(call, 0));
    if (found == NULL) break;
    found->value = 0;
    found->flags &= ~(uint32_t)SYCLZE__HANDLE_PENDING;
    break;
  case SYCLZE__CALL_EventHostSynchronize:
  case SYCLZE__CALL_EventQueryStatus:
    syclze__recorder_collect_event(recorder, SYCLZE__HANDLE(call, 0));
    break;
  default:
    break;
  }
}

/* Functions whose arguments are inspected. */
SYCLZE_INLINE bool syclze__recorder_inspects(uint32_t function) {
  switch (function) {
  case SYCLZE__CALL_MemAllocHost:
  case SYCLZE__CALL_MemAllocDevice:
  case SYCLZE__CALL_MemAllocShared:
  case SYCLZE__CALL_MemFree:
  case SYCLZE__CALL_MemFreeExt:
  case SYCLZE__CALL_ImageCreate:
  case SYCLZE__CALL_ImageDestroy:
  case SYCLZE__CALL_KernelCreate:
  case SYCLZE__CALL_KernelDestroy:
  case SYCLZE__CALL_EventPoolCreate:
  case SYCLZE__CALL_EventPoolDestroy:
  case SYCLZE__CALL_EventCreate:
  case SYCLZE__CALL_EventDestroy:
  case SYCLZE__CALL_EventHostReset:
  case SYCLZE__CALL_EventHostSynchronize:
  case SYCLZE__CALL_EventQueryStatus:
  case SYCLZE__CALL_CommandListCreate:
  case SYCLZE__CALL_CommandListCreateImmediate:
  case SYCLZE__CALL_CommandListDestroy:
  case SYCLZE__CALL_CommandQueueExecuteCommandLists:
  case SYCLZE__CALL_CommandListAppendSignalEvent:
  case SYCLZE__CALL_CommandListAppendWaitOnEvents:
    return true;
#define SYCLZE__CASE(command, argument) case SYCLZE__CALL_##command:
    SYCLZE__RECORDED_APPENDS(SYCLZE__CASE)
#undef SYCLZE__CASE
    return true;
  default:
    return false;
  }
}

/* True if the calling thread's calls are recorded. */
SYCLZE_INLINE bool syclze__recorder_listens(const struct syclze__recorder *recorder) {
  const struct syclze__ring *ring = syclze__trace_thread_own()->ring;
  return !__atomic_load_n(&recorder->rings->stopped, __ATOMIC_RELAXED) &&
         (ring == NULL || !ring->is_quiet);
}

/* The tracer's callbacks. The call's instance word keeps the time of its begin. */
SYCLZE_LOCAL void syclze__recorder_begin(syclze_tracer *tracer, const syclze_tracer_call *call) {
  struct syclze__recorder *recorder = (struct syclze__recorder *)(void *)tracer;
  if (!syclze__recorder_listens(recorder)) return;
  if (syclze__recorder_inspects(call->function)) {
    syclze__mutex_lock(&recorder->lock);
    syclze__recorder_before(recorder, call);
    syclze__mutex_unlock(&recorder->lock);
  }
  const uint64_t now = syclze__clock_now();
  syclze__recorded_submission_call(recorder->rings, now);
  *call->instance = (void *)(uintptr_t)now;
}

SYCLZE_LOCAL void syclze__recorder_end(syclze_tracer *tracer, const syclze_tracer_call *call) {
  struct syclze__recorder *recorder = (struct syclze__recorder *)(void *)tracer;
  if (!syclze__recorder_listens(recorder)) return;
  const uint64_t end = syclze__clock_now(), start = (uint64_t)(uintptr_t)*call->instance;
  syclze__record_add(recorder->rings, SYCLZE__RECORD_CALL, call->name, start, end - start, 0, 0);
  if (!syclze__recorder_inspects(call->function)) return;
  struct syclze__recorded_append command;
  syclze__mutex_lock(&recorder->lock);
  syclze__recorder_memory_after(recorder, call);
  if (*call->result == ZE_RESULT_SUCCESS) {
    if (syclze__recorder_append_of(recorder, call, &command))
      syclze__recorder_append(recorder, &command, start);
    else
      syclze__recorder_after(recorder, call);
  }
  syclze__mutex_unlock(&recorder->lock);
}

SYCLZE_EXTERN_C_END

#endif

#endif
