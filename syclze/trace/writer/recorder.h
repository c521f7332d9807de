/* What the calls of Level Zero mean, as records of a trace. Nothing of the program changes. */
#ifndef SYCLZE_TRACE_HEAR_H
#define SYCLZE_TRACE_HEAR_H

#include "appends.h"
#include "memory_use.h"
#include "submissions.h"
#include "command_times.h"

SYCLZE_EXTERN_C_BEGIN

/* A list of its device; `in_order` as its descriptor's flags say. */
SYCLZE_LOCAL void syclze__trace_list(
    struct syclze__trace *trace, uint64_t list, uint64_t device, bool in_order) {
  syclze__trace_clock_read(trace, device);
  struct syclze__traced *known = syclze__map_put(&trace->lists, list);
  if (known == NULL) return;
  known->other = device;
  known->flags = in_order ? SYCLZE__TRACED_IN_ORDER : 0;
}

/* What is gone after the call is looked at before it. */
SYCLZE_LOCAL void syclze__trace_before(struct syclze__trace *trace, const syclze_call *call) {
  syclze__trace_memory_before(trace, call);
  switch (call->function) {
  case SYCLZE__CALL_EventHostReset:
  case SYCLZE__CALL_EventDestroy:
    syclze__trace_collect_handle(trace, SYCLZE__HANDLE(call, 0));
    if (call->function == SYCLZE__CALL_EventDestroy)
      syclze__map_remove(&trace->events, SYCLZE__HANDLE(call, 0));
    break;
  case SYCLZE__CALL_KernelDestroy:
    syclze__map_remove(&trace->kernels, SYCLZE__HANDLE(call, 0));
    break;
  case SYCLZE__CALL_EventPoolDestroy:
    syclze__map_remove(&trace->pools, SYCLZE__HANDLE(call, 0));
    break;
  case SYCLZE__CALL_CommandListDestroy:
    syclze__trace_collect_all(trace);
    syclze__map_remove(&trace->lists, SYCLZE__HANDLE(call, 0));
    syclze__map_remove(&trace->queues, SYCLZE__HANDLE(call, 0));
    break;
  default:
    break;
  }
}

/* What a call that succeeded made, or found. */
SYCLZE_LOCAL void syclze__trace_after(struct syclze__trace *trace, const syclze_call *call) {
  struct syclze__traced *known;
  switch (call->function) {
  case SYCLZE__CALL_KernelCreate:
    known =
        syclze__map_put(&trace->kernels, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 2, void **));
    if (known != NULL)
      known->name = syclze__trace_intern(
          trace, SYCLZE__ARGUMENT(call, 1, const ze_kernel_desc_t *)->pKernelName);
    break;
  case SYCLZE__CALL_EventPoolCreate:
    known =
        syclze__map_put(&trace->pools, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 4, void **));
    if (known != NULL)
      known->flags = SYCLZE__ARGUMENT(call, 1, const ze_event_pool_desc_t *)->flags &
                             ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
                         ? SYCLZE__TRACED_TIMESTAMPS
                         : 0;
    break;
  case SYCLZE__CALL_EventCreate: {
    const struct syclze__traced *pool = syclze__map_find(&trace->pools, SYCLZE__HANDLE(call, 0));
    const uint32_t flags = pool != NULL ? pool->flags : 0;
    known =
        syclze__map_put(&trace->events, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 2, void **));
    if (known != NULL) {
      known->value = 0;
      known->flags = flags;
    }
    break;
  }
  /* The flags of in-order lists and queues, which older headers do not name. */
  case SYCLZE__CALL_CommandListCreate:
    syclze__trace_list(trace, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 3, void **),
        SYCLZE__HANDLE(call, 1),
        SYCLZE__ARGUMENT(call, 2, const ze_command_list_desc_t *)->flags >> 3 & 1);
    break;
  case SYCLZE__CALL_CommandListCreateImmediate:
    syclze__trace_list(trace, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 3, void **),
        SYCLZE__HANDLE(call, 1),
        SYCLZE__ARGUMENT(call, 2, const ze_command_queue_desc_t *)->flags >> 1 & 1);
    break;
  case SYCLZE__CALL_CommandQueueExecuteCommandLists:
    for (uint32_t i = 0; i < SYCLZE__ARGUMENT(call, 1, uint32_t); i++) {
      known = syclze__map_put(&trace->queues,
          (uint64_t)(uintptr_t)SYCLZE__ARGUMENT(call, 2, const ze_command_list_handle_t *)[i]);
      if (known != NULL) known->other = SYCLZE__HANDLE(call, 0);
    }
    break;
  case SYCLZE__CALL_EventHostReset:
    known = syclze__map_find(&trace->events, SYCLZE__HANDLE(call, 0));
    if (known != NULL) known->value = 0;
    break;
  case SYCLZE__CALL_EventHostSynchronize:
  case SYCLZE__CALL_EventQueryStatus:
    syclze__trace_collect_handle(trace, SYCLZE__HANDLE(call, 0));
    break;
  default:
    break;
  }
}

/* The functions that the trace looks at beyond their time. */
SYCLZE_INLINE bool syclze__trace_minds(uint32_t function) {
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
    SYCLZE__TRACED_COMMANDS(SYCLZE__CASE)
#undef SYCLZE__CASE
    return true;
  default:
    return false;
  }
}

/* The listener's functions. The begin's time goes through the call's own word. */
SYCLZE_LOCAL void syclze__trace_begin(syclze_calls_listener *listener, const syclze_call *call) {
  struct syclze__trace *trace = (struct syclze__trace *)(void *)listener;
  if (__atomic_load_n(&trace->rings->stopped, __ATOMIC_RELAXED)) return;
  if (syclze__trace_minds(call->function)) {
    pthread_mutex_lock(&trace->lock);
    syclze__trace_before(trace, call);
    pthread_mutex_unlock(&trace->lock);
  }
  const uint64_t now = syclze__trace_now();
  syclze__recorded_submission_call(trace->rings, now);
  *call->instance = (void *)(uintptr_t)now;
}

SYCLZE_LOCAL void syclze__trace_end(syclze_calls_listener *listener, const syclze_call *call) {
  struct syclze__trace *trace = (struct syclze__trace *)(void *)listener;
  if (__atomic_load_n(&trace->rings->stopped, __ATOMIC_RELAXED)) return;
  const uint64_t end = syclze__trace_now(), start = (uint64_t)(uintptr_t)*call->instance;
  syclze__record_add(trace->rings, SYCLZE__RECORD_CALL, call->name, start, end - start, 0, 0);
  if (!syclze__trace_minds(call->function)) return;
  struct syclze__traced_command command;
  pthread_mutex_lock(&trace->lock);
  syclze__trace_memory_after(trace, call);
  if (*call->result == ZE_RESULT_SUCCESS) {
    if (syclze__trace_command_of(trace, call, &command))
      syclze__trace_command(trace, &command, start);
    else
      syclze__trace_after(trace, call);
  }
  pthread_mutex_unlock(&trace->lock);
}

SYCLZE_EXTERN_C_END

#endif
