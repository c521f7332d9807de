/* What the calls of Level Zero mean: commands and what they wait for, their times on the device,
 * and memory in use, as records of a trace.
 *
 * Nothing of the program changes. A command's times on the device are known where its signal event
 * is of a pool with ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, as those of queues with profiling are:
 * they are read when the program finds the event complete, before it resets or destroys it, and
 * when the trace is written. Other commands have no time on the device, and the trace says how
 * many. Memory is that of zeMemAlloc*; images are not counted. */
#ifndef SYCLZE_TRACE_COMMANDS_H
#define SYCLZE_TRACE_COMMANDS_H

#include "calls.h"
#include "map.h"
#include "record.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__TRACED_TIMESTAMPS = 1, /* pools and events */
  SYCLZE__TRACED_PENDING = 2,    /* events: its command's times were not read yet */
  SYCLZE__TRACED_IN_ORDER = 4,   /* lists */
  SYCLZE__TRACED_FREEING = 8     /* memory */
};

struct syclze__trace {
  syclze_calls_listener listener; /* first: the callbacks are given its address */
  struct syclze__rings *rings;
  uint64_t commands;              /* appended so far */
  uint64_t missed;                /* of them, those without times on the device */
  uint64_t memory;                /* bytes in use */
  pthread_mutex_t lock;           /* of all that follows, and of the counts */
  struct syclze__map allocations; /* value: bytes */
  struct syclze__map kernels;     /* name */
  struct syclze__map pools;       /* flags */
  struct syclze__map events;      /* value: the command that signals it; other: its list; name */
  struct syclze__map lists;       /* value: its last command; other: its device, or its queue */
  struct syclze__map queues;      /* other: of a list that a queue executes, the queue */
  struct syclze__map devices;     /* of lists; see syclze__trace_clock */
  struct syclze__trace_name *names;
};

/* Names of kernels, each once. */
struct syclze__trace_name {
  struct syclze__trace_name *next;
  char text[1]; /* as long as it is */
};

/* What a device's clock shows, beside the system's. */
struct syclze__trace_clock {
  uint64_t host, device; /* nanoseconds; ticks */
  double tick;           /* nanoseconds; 0: unknown */
  uint64_t mask;         /* of the ticks that events take */
};

/* An argument of the call, counted from 0 as ze_api.h does; its type is `type`. */
#define SYCLZE__ARGUMENT(call, number, type)                                                       \
  (*(type const *)((const void *const *)(call)->arguments)[number])
#define SYCLZE__HANDLE(call, number) ((uint64_t)(uintptr_t)SYCLZE__ARGUMENT(call, number, void *))

/* Which of its arguments is a command's signal event, followed by the events that it waits for. */
#define SYCLZE__TRACED_COMMANDS(X)                                                                 \
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
  X(CommandListAppendQueryKernelTimestamps, 5)

struct syclze__traced_command {
  const char *name;
  uint64_t list;
  uint64_t signal; /* an event; may be 0 */
  uint32_t wait_count;
  const ze_event_handle_t *waits;
};

SYCLZE_COLD const char *syclze__trace_intern(struct syclze__trace *trace, const char *name)
    SYCLZE_LINK_NAME(syclze__trace_intern);

SYCLZE_COLD const char *syclze__trace_intern(struct syclze__trace *trace, const char *name) {
  for (struct syclze__trace_name *known = trace->names; known != NULL; known = known->next)
    if (strcmp(known->text, name) == 0) return known->text;
  const size_t length = strlen(name);
  struct syclze__trace_name *added = (struct syclze__trace_name *)malloc(sizeof *added + length);
  if (added == NULL) return "(kernel)";
  memcpy(added->text, name, length + 1);
  added->next = trace->names;
  trace->names = added;
  return added->text;
}

/* Whether the call appends a command, and which; its name is that of the kernel or the call's. */
SYCLZE_COLD bool syclze__trace_command_of(const struct syclze__trace *trace,
    const syclze_call *call, struct syclze__traced_command *command)
    SYCLZE_LINK_NAME(syclze__trace_command_of);

SYCLZE_COLD bool syclze__trace_command_of(const struct syclze__trace *trace,
    const syclze_call *call, struct syclze__traced_command *command) {
  int signal = -1;
  memset(command, 0, sizeof *command);
  switch (call->function) {
#define SYCLZE__CASE(function, argument)                                                           \
  case SYCLZE__CALL_##function:                                                                    \
    signal = argument;                                                                             \
    break;
    SYCLZE__TRACED_COMMANDS(SYCLZE__CASE)
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
      call->function == SYCLZE__CALL_CommandListAppendLaunchCooperativeKernel ||
      call->function == SYCLZE__CALL_CommandListAppendLaunchKernelIndirect) {
    const struct syclze__traced *kernel =
        syclze__map_find(&trace->kernels, SYCLZE__HANDLE(call, 1));
    if (kernel != NULL) command->name = kernel->name;
  }
  return true;
}

/* Remembers how the device's clock stands. */
SYCLZE_COLD void syclze__trace_clock_read(struct syclze__trace *trace, uint64_t device)
    SYCLZE_LINK_NAME(syclze__trace_clock_read);

SYCLZE_COLD void syclze__trace_clock_read(struct syclze__trace *trace, uint64_t device) {
  if (device == 0 || syclze__map_find(&trace->devices, device) != NULL) return;
  struct syclze__traced *place = syclze__map_put(&trace->devices, device);
  struct syclze__trace_clock *clock = (struct syclze__trace_clock *)calloc(1, sizeof *clock);
  if (place == NULL || clock == NULL) {
    free(clock);
    return;
  }
  place->value = (uint64_t)(uintptr_t)clock;
  ze_device_handle_t native = (ze_device_handle_t)(uintptr_t)device;
  ze_device_properties_t properties;
  memset(&properties, 0, sizeof properties);
  /* The version whose resolution is in cycles per second. */
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  uint64_t host;
  const uint64_t before = syclze__trace_now();
  if (zeDeviceGetGlobalTimestamps(native, &host, &clock->device) != ZE_RESULT_SUCCESS) return;
  clock->host = before + (syclze__trace_now() - before) / 2;
  if (zeDeviceGetProperties(native, &properties) != ZE_RESULT_SUCCESS ||
      properties.timerResolution == 0)
    return;
  clock->tick = 1e9 / (double)properties.timerResolution;
  clock->mask = properties.kernelTimestampValidBits - 1 < 63
                    ? ((uint64_t)1 << properties.kernelTimestampValidBits) - 1
                    : UINT64_MAX;
}

/* The ticks since the clock was read, which may be negative, in the system's time. */
SYCLZE_INLINE uint64_t syclze__trace_time_of(
    const struct syclze__trace_clock *clock, uint64_t ticks) {
  const uint64_t since = (ticks - clock->device) & clock->mask;
  const double forward = (double)since * clock->tick;
  const double backward = (double)((clock->device - ticks) & clock->mask) * clock->tick;
  return forward <= backward ? clock->host + (uint64_t)forward : clock->host - (uint64_t)backward;
}

/* Reads the times of the event's command, if it has ended. */
SYCLZE_COLD void syclze__trace_collect(struct syclze__trace *trace, struct syclze__traced *event)
    SYCLZE_LINK_NAME(syclze__trace_collect);

SYCLZE_COLD void syclze__trace_collect(struct syclze__trace *trace, struct syclze__traced *event) {
  const struct syclze__traced *list = syclze__map_find(&trace->lists, event->other);
  const struct syclze__traced *queue = syclze__map_find(&trace->queues, event->other);
  const struct syclze__traced *device =
      list == NULL ? NULL : syclze__map_find(&trace->devices, list->other);
  ze_event_handle_t native = (ze_event_handle_t)(uintptr_t)event->handle;
  ze_kernel_timestamp_result_t times;
  if (device == NULL || zeEventQueryStatus(native) != ZE_RESULT_SUCCESS ||
      zeEventQueryKernelTimestamp(native, &times) != ZE_RESULT_SUCCESS)
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

SYCLZE_COLD void syclze__trace_collect_handle(struct syclze__trace *trace, uint64_t event)
    SYCLZE_LINK_NAME(syclze__trace_collect_handle);

SYCLZE_COLD void syclze__trace_collect_handle(struct syclze__trace *trace, uint64_t event) {
  struct syclze__traced *known = syclze__map_find(&trace->events, event);
  if (known != NULL && known->flags & SYCLZE__TRACED_PENDING) syclze__trace_collect(trace, known);
}

/* All that have ended. */
SYCLZE_COLD void syclze__trace_collect_all(struct syclze__trace *trace)
    SYCLZE_LINK_NAME(syclze__trace_collect_all);

SYCLZE_COLD void syclze__trace_collect_all(struct syclze__trace *trace) {
  for (size_t i = 0; trace->events.places != NULL && i <= trace->events.mask; i++)
    if (trace->events.places[i].flags & SYCLZE__TRACED_PENDING)
      syclze__trace_collect(trace, &trace->events.places[i]);
}

SYCLZE_INLINE void syclze__trace_edge(
    struct syclze__trace *trace, uint64_t from, uint64_t to, uint64_t now) {
  if (from != 0) syclze__record_add(trace->rings, SYCLZE__RECORD_EDGE, NULL, now, to, from, 0);
}

SYCLZE_COLD void syclze__trace_command(
    struct syclze__trace *trace, const struct syclze__traced_command *command, uint64_t start)
    SYCLZE_LINK_NAME(syclze__trace_command);

SYCLZE_COLD void syclze__trace_command(
    struct syclze__trace *trace, const struct syclze__traced_command *command, uint64_t start) {
  const uint64_t id = ++trace->commands;
  trace->missed++;
  syclze__record_add(
      trace->rings, SYCLZE__RECORD_COMMAND, command->name, start, 0, id, command->list);
  for (uint32_t i = 0; command->waits != NULL && i < command->wait_count; i++) {
    const struct syclze__traced *event =
        syclze__map_find(&trace->events, (uint64_t)(uintptr_t)command->waits[i]);
    if (event != NULL) syclze__trace_edge(trace, event->value, id, start);
  }
  struct syclze__traced *list = syclze__map_find(&trace->lists, command->list);
  if (list != NULL) {
    if (list->flags & SYCLZE__TRACED_IN_ORDER) syclze__trace_edge(trace, list->value, id, start);
    list->value = id;
  }
  struct syclze__traced *event = syclze__map_put(&trace->events, command->signal);
  if (event == NULL) return;
  event->value = id;
  event->other = command->list;
  event->name = command->name;
  if (event->flags & SYCLZE__TRACED_TIMESTAMPS) event->flags |= SYCLZE__TRACED_PENDING;
}

SYCLZE_COLD void syclze__trace_in_use(struct syclze__trace *trace, uint64_t bytes, bool more)
    SYCLZE_LINK_NAME(syclze__trace_in_use);

SYCLZE_COLD void syclze__trace_in_use(struct syclze__trace *trace, uint64_t bytes, bool more) {
  trace->memory += more ? bytes : (uint64_t)0 - bytes;
  syclze__record_add(
      trace->rings, SYCLZE__RECORD_MEMORY, NULL, syclze__trace_now(), trace->memory, 0, 0);
}

/* An address may be in use again before its zeMemFree returns. */
SYCLZE_COLD void syclze__trace_allocated(struct syclze__trace *trace, uint64_t address,
    uint64_t bytes) SYCLZE_LINK_NAME(syclze__trace_allocated);

SYCLZE_COLD void syclze__trace_allocated(
    struct syclze__trace *trace, uint64_t address, uint64_t bytes) {
  struct syclze__traced *memory = syclze__map_put(&trace->allocations, address);
  if (memory == NULL) return;
  if (memory->flags & SYCLZE__TRACED_FREEING) syclze__trace_in_use(trace, memory->value, false);
  memory->flags = 0;
  memory->value = bytes;
  syclze__trace_in_use(trace, bytes, true);
}

SYCLZE_COLD void syclze__trace_freed(struct syclze__trace *trace, uint64_t address, bool done)
    SYCLZE_LINK_NAME(syclze__trace_freed);

SYCLZE_COLD void syclze__trace_freed(struct syclze__trace *trace, uint64_t address, bool done) {
  struct syclze__traced *memory = syclze__map_find(&trace->allocations, address);
  if (memory == NULL || !(memory->flags & SYCLZE__TRACED_FREEING)) return;
  memory->flags = 0;
  if (!done) return;
  syclze__trace_in_use(trace, memory->value, false);
  syclze__map_remove(&trace->allocations, address);
}

/* A list of its device; `in_order` as its descriptor's flags say. */
SYCLZE_COLD void syclze__trace_list(struct syclze__trace *trace, uint64_t list, uint64_t device,
    bool in_order) SYCLZE_LINK_NAME(syclze__trace_list);

SYCLZE_COLD void syclze__trace_list(
    struct syclze__trace *trace, uint64_t list, uint64_t device, bool in_order) {
  syclze__trace_clock_read(trace, device);
  struct syclze__traced *known = syclze__map_put(&trace->lists, list);
  if (known == NULL) return;
  known->other = device;
  known->flags = in_order ? SYCLZE__TRACED_IN_ORDER : 0;
}

/* What is gone after the call is looked at before it. */
SYCLZE_COLD void syclze__trace_before(struct syclze__trace *trace, const syclze_call *call)
    SYCLZE_LINK_NAME(syclze__trace_before);

SYCLZE_COLD void syclze__trace_before(struct syclze__trace *trace, const syclze_call *call) {
  struct syclze__traced *memory;
  switch (call->function) {
  case SYCLZE__CALL_MemFree:
  case SYCLZE__CALL_MemFreeExt:
    memory = syclze__map_find(
        &trace->allocations, SYCLZE__HANDLE(call, call->function == SYCLZE__CALL_MemFree ? 1 : 2));
    if (memory != NULL) memory->flags |= SYCLZE__TRACED_FREEING;
    break;
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
SYCLZE_COLD void syclze__trace_after(struct syclze__trace *trace, const syclze_call *call)
    SYCLZE_LINK_NAME(syclze__trace_after);

SYCLZE_COLD void syclze__trace_after(struct syclze__trace *trace, const syclze_call *call) {
  struct syclze__traced *known;
  switch (call->function) {
  case SYCLZE__CALL_MemAllocHost:
    syclze__trace_allocated(trace, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 4, void **),
        SYCLZE__ARGUMENT(call, 2, size_t));
    break;
  case SYCLZE__CALL_MemAllocDevice:
    syclze__trace_allocated(trace, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 5, void **),
        SYCLZE__ARGUMENT(call, 2, size_t));
    break;
  case SYCLZE__CALL_MemAllocShared:
    syclze__trace_allocated(trace, (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(call, 6, void **),
        SYCLZE__ARGUMENT(call, 3, size_t));
    break;
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
SYCLZE_COLD void syclze__trace_begin(syclze_calls_listener *listener, const syclze_call *call)
    SYCLZE_LINK_NAME(syclze__trace_begin);

SYCLZE_COLD void syclze__trace_begin(syclze_calls_listener *listener, const syclze_call *call) {
  struct syclze__trace *trace = (struct syclze__trace *)(void *)listener;
  if (__atomic_load_n(&trace->rings->stopped, __ATOMIC_RELAXED)) return;
  if (syclze__trace_minds(call->function)) {
    pthread_mutex_lock(&trace->lock);
    syclze__trace_before(trace, call);
    pthread_mutex_unlock(&trace->lock);
  }
  *call->instance = (void *)(uintptr_t)syclze__trace_now();
}

SYCLZE_COLD void syclze__trace_end(syclze_calls_listener *listener, const syclze_call *call)
    SYCLZE_LINK_NAME(syclze__trace_end);

SYCLZE_COLD void syclze__trace_end(syclze_calls_listener *listener, const syclze_call *call) {
  struct syclze__trace *trace = (struct syclze__trace *)(void *)listener;
  if (__atomic_load_n(&trace->rings->stopped, __ATOMIC_RELAXED)) return;
  const uint64_t end = syclze__trace_now(), start = (uint64_t)(uintptr_t)*call->instance;
  syclze__record_add(trace->rings, SYCLZE__RECORD_CALL, call->name, start, end - start, 0, 0);
  if (!syclze__trace_minds(call->function)) return;
  struct syclze__traced_command command;
  pthread_mutex_lock(&trace->lock);
  if (call->function == SYCLZE__CALL_MemFree || call->function == SYCLZE__CALL_MemFreeExt)
    syclze__trace_freed(trace, SYCLZE__HANDLE(call, call->function == SYCLZE__CALL_MemFree ? 1 : 2),
        *call->result == ZE_RESULT_SUCCESS);
  else if (*call->result == ZE_RESULT_SUCCESS) {
    if (syclze__trace_command_of(trace, call, &command))
      syclze__trace_command(trace, &command, start);
    else
      syclze__trace_after(trace, call);
  }
  pthread_mutex_unlock(&trace->lock);
}

SYCLZE_EXTERN_C_END

#endif
