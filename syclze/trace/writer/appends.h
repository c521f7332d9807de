/* The calls that append commands, and what each command waits for. */
#ifndef SYCLZE_TRACE_APPENDS_H
#define SYCLZE_TRACE_APPENDS_H

#include "state.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* For each append the index of the signal event's argument, which the events of the wait list
 * follow. */
#define SYCLZE__RECORDED_APPENDS(X)                                                                \
  X(CommandListAppendLaunchKernel, 3)                                                              \
  X(CommandListAppendLaunchCooperativeKernel, 3)                                                   \
  X(CommandListAppendLaunchKernelIndirect, 3)                                                      \
  X(CommandListAppendLaunchMultipleKernelsIndirect, 5)                                             \
  X(CommandListAppendMemoryCopy, 4)                                                                \
  X(CommandListAppendMemoryFill, 5)                                                                \
  X(CommandListAppendMemoryCopyRegion, 9)                                                          \
  X(CommandListAppendMemoryCopyFromContext, 5)                                                     \
  X(CommandListAppendImageCopy, 3)                                                                 \
  X(CommandListAppendImageCopyRegion, 5)                                                           \
  X(CommandListAppendImageCopyToMemory, 4)                                                         \
  X(CommandListAppendImageCopyFromMemory, 4)                                                       \
  X(CommandListAppendImageCopyToMemoryExt, 6)                                                      \
  X(CommandListAppendImageCopyFromMemoryExt, 6)                                                    \
  X(CommandListAppendBarrier, 1)                                                                   \
  X(CommandListAppendMemoryRangesBarrier, 4)                                                       \
  X(CommandListAppendWriteGlobalTimestamp, 2)                                                      \
  X(CommandListAppendQueryKernelTimestamps, 5)                                                     \
  X(CommandListAppendLaunchKernelWithParameters, 4)                                                \
  X(CommandListAppendLaunchKernelWithArguments, 6)                                                 \
  X(CommandListAppendMemoryCopyWithParameters, 5)                                                  \
  X(CommandListAppendMemoryFillWithParameters, 6)                                                  \
  X(CommandListAppendHostFunction, 4)                                                              \
  X(CommandListAppendSignalExternalSemaphoreExt, 4)                                                \
  X(CommandListAppendWaitExternalSemaphoreExt, 4)

struct syclze__recorded_append {
  const char *name;
  uint64_t list;
  uint64_t signal; /* an event; may be 0 */
  uint32_t wait_count;
  const ze_event_handle_t *waits;
};

/* Finds the command that a call appends, if any. Its name is the kernel's or the call's. */
SYCLZE_LOCAL bool syclze__recorder_append_of(const struct syclze__recorder *recorder,
    const syclze_tracer_call *call, struct syclze__recorded_append *command) {
  int signal = -1;
  memset(command, 0, sizeof *command);
  switch (call->function) {
#define SYCLZE__CASE(function, argument)                                                           \
  case SYCLZE__CALL_##function:                                                                    \
    signal = argument;                                                                             \
    break;
    SYCLZE__RECORDED_APPENDS(SYCLZE__CASE)
#undef SYCLZE__CASE
  case SYCLZE__CALL_CommandListAppendSignalEvent:
    command->signal = SYCLZE__HANDLE(call, 1);
    break;
  case SYCLZE__CALL_CommandListAppendWaitOnEvents:
    command->wait_count = SYCLZE__ARGUMENT(call, 1, uint32_t);
    command->waits = SYCLZE__ARGUMENT(call, 2, const ze_event_handle_t *);
    break;
  default:
    return false;
  }
  command->name = call->name + sizeof "zeCommandListAppend" - 1;
  command->list = SYCLZE__HANDLE(call, 0);
  if (signal >= 0) {
    command->signal = SYCLZE__HANDLE(call, signal);
    command->wait_count = SYCLZE__ARGUMENT(call, signal + 1, uint32_t);
    command->waits = SYCLZE__ARGUMENT(call, signal + 2, const ze_event_handle_t *);
  }
  if (call->function == SYCLZE__CALL_CommandListAppendLaunchKernel ||
      call->function == SYCLZE__CALL_CommandListAppendLaunchKernelWithParameters ||
      call->function == SYCLZE__CALL_CommandListAppendLaunchKernelWithArguments ||
      call->function == SYCLZE__CALL_CommandListAppendLaunchCooperativeKernel ||
      call->function == SYCLZE__CALL_CommandListAppendLaunchKernelIndirect) {
    const struct syclze__map_entry *kernel =
        syclze__map_find(&recorder->tracks, SYCLZE__HANDLE(call, 1));
    if (kernel == NULL) kernel = syclze__map_find(&recorder->kernels, SYCLZE__HANDLE(call, 1));
    if (kernel != NULL) command->name = kernel->name;
  }
  return true;
}

SYCLZE_INLINE void syclze__recorder_edge(
    struct syclze__recorder *recorder, uint64_t from, uint64_t to, uint64_t now) {
  if (from != 0) syclze__record_add(recorder->rings, SYCLZE__RECORD_EDGE, NULL, now, to, from, 0);
}

/* Records that command `id` waits for the events, which may be null. */
SYCLZE_INLINE void syclze__recorder_waits(struct syclze__recorder *recorder,
    const ze_event_handle_t *waits, uint32_t count, uint64_t id, uint64_t now) {
  for (uint32_t i = 0; waits != NULL && i < count; i++) {
    const struct syclze__map_entry *event =
        syclze__map_find(&recorder->events, (uint64_t)(uintptr_t)waits[i]);
    if (event != NULL) syclze__recorder_edge(recorder, event->value, id, now);
  }
}

SYCLZE_LOCAL void syclze__recorder_append(struct syclze__recorder *recorder,
    const struct syclze__recorded_append *command, uint64_t start) {
  const uint64_t id = ++recorder->commands;
  syclze__record_add(
      recorder->rings, SYCLZE__RECORD_COMMAND, command->name, start, 0, id, command->list);
  syclze__recorder_waits(recorder, command->waits, command->wait_count, id, start);
  struct syclze__map_entry *list = syclze__map_find(&recorder->lists, command->list);
  if (list != NULL) {
    if (list->flags & SYCLZE__HANDLE_IN_ORDER)
      syclze__recorder_edge(recorder, list->value, id, start);
    list->value = id;
  }
  struct syclze__map_entry *event = syclze__map_put(&recorder->events, command->signal);
  if (event == NULL) return;
  event->value = id;
  event->other = command->list;
  event->name = command->name;
  if (event->flags & SYCLZE__HANDLE_TIMESTAMPS) event->flags |= SYCLZE__HANDLE_PENDING;
}

SYCLZE_EXTERN_C_END

#endif

#endif
