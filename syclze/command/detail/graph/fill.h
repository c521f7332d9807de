/* The command lists of an executable graph: nodes level by level, with a list for the commands
 * between host tasks.
 *
 * The level of a node is one more than the highest of those that it depends on. Where each level
 * has one node, the list is in order; other lists have barriers and events (list_order.h). */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_FILL_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_FILL_H

#include "../../../detail/trace_call.h"
#include "list_order.h"
#include "mutable.h"
#include "queues.h"

SYCLZE_EXTERN_C_BEGIN

typedef __typeof__(SYCLZE__STATE.entry.command_list_append_lists) syclze__append_lists_function;

/* A part of an executable graph; parts run one after the other: a closed list, or a host task. */
struct syclze__graph_part {
  ze_command_list_handle_t list;         /* null for a host task */
  const struct syclze__graph_step *task; /* whose node an update replaces; null for a list */
};

/* The first members of a driver's own graph (graph_capture.h), which stands for the closed list. */
struct syclze__capture {
  /* Called before a submission to the queue, which may be null, unless the queue owns the graph. */
  void (*choose)(struct syclze__capture *capture, const struct syclze__queue *queue);
  ze_result_t (*end)(struct syclze__capture *capture);
};

struct syclze__updatable;

/* Allocated from the pool of buffers, so that a release without a reference is detected. Arrays
 * behind another one have no pointer of their own. */
struct syclze__executable {
  struct syclze__ref ref; /* first; the application's references, which share one of `order` */
  struct syclze__context *context; /* that of `order` */
  struct syclze__device *device;
  struct syclze__buffer *order;         /* the memory object */
  ze_command_list_handle_t list;        /* the only part, without host tasks */
  syclze__append_lists_function append; /* null for none, and with host tasks */
  struct syclze__graph_queues *queues;  /* of an updatable graph those of its builds */
  bool is_line;                         /* its lists are in order */
  bool is_late;    /* a build whose lists are recorded by each run, which is a host task */
  bool is_unknown; /* a wait for its lists failed: one may still run */
  bool is_timed;   /* finalized with SYCLZE_GRAPH_PROFILING */
  uint32_t part_count, step_count;
  /* Allocated; the first accessor is of `order`, and steps, parts and edges are behind them. Null
   * of an updatable graph, whose builds run. */
  struct syclze__runs *runs;
  struct syclze__graph_step *steps; /* each node with a reference */
  struct syclze__runs
      *shown; /* of `list`: of an updatable graph those of the newest build, or null */
  struct syclze__mutable_command *commands;  /* of each step; null without mutable lists */
  const struct syclze__mutable_calls *calls; /* of these, by which it is made */
  struct syclze__graph_pool *pool;           /* that its nodes keep; null if none allocates */
  struct syclze__queue_state *kernel_owner;  /* of no queue: owns kernels during appends */
  struct syclze__capture *capture;           /* the driver's own graph; null for none */
  union {
    struct syclze__nodes nodes;      /* none of a build */
    struct syclze__executable *next; /* of builds to be released; null while it has `nodes` */
  };
  struct syclze__updatable *updatable; /* null unless it is updated: then it has builds */
};

SYCLZE__POOLED_AS(struct syclze__executable, struct syclze__buffer);

SYCLZE_INLINE struct syclze__graph_part *syclze__executable_parts(
    const struct syclze__executable *executable) {
  return (struct syclze__graph_part *)(void *)(executable->steps + executable->step_count);
}

/* Behind the parts, of which a step has two at most: a list and a host task. */
SYCLZE_INLINE struct syclze__step_edges *syclze__executable_edges(
    const struct syclze__executable *executable) {
  return (struct syclze__step_edges *)(void *)(syclze__executable_parts(executable) +
                                               2 * executable->step_count + 1);
}

#if SYCLZE__BODIES

/* Locks the state that owns kernels, and makes it the owner of the kernel, which may be null. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN ze_result_t syclze__executable_lock(
    const struct syclze__executable *executable, struct syclze__kernel *kernel) {
  struct syclze__queue_state *state = executable->kernel_owner;
  for (;; syclze__kernel_await_owner(kernel)) {
    syclze__lock_acquire(&state->lock);
    const ze_result_t result =
        kernel != NULL ? syclze__kernel_bind_with_event(kernel, state) : ZE_RESULT_SUCCESS;
    if (result == ZE_RESULT_SUCCESS) return result;
    syclze__lock_release(&state->lock);
    if (result != ZE_RESULT_NOT_READY) return result;
  }
}

/* Locks the state, and makes it the owner of all kernels of a launch. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN ze_result_t syclze__executable_lock_all(
    const struct syclze__executable *executable, const struct syclze__mutable_kernels *kernels) {
  for (uint32_t i = 0;; syclze__kernel_await_owner(kernels->all[i])) {
    ze_result_t result = syclze__executable_lock(executable, kernels->all[0]);
    if (result != ZE_RESULT_SUCCESS) return result;
    for (i = 1; i < kernels->count; i++) {
      result = syclze__kernel_bind(kernels->all[i], executable->kernel_owner, false);
      if (result != ZE_RESULT_SUCCESS) break;
    }
    if (result == ZE_RESULT_SUCCESS) return result;
    syclze__lock_release(&executable->kernel_owner->lock);
    if (result != ZE_RESULT_NOT_READY) return result;
  }
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Describes a node's command; null for that of a function. */
SYCLZE_LOCAL void syclze__executable_trace(const struct syclze__context *context,
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  memset(trace, 0, sizeof *trace);
  trace->command.context = context->native;
  if (command != NULL && command->table->trace != NULL) command->table->trace(command, trace);
}
#endif

/* Lists under construction. */
struct syclze__filling {
  struct syclze__executable *executable;
  struct syclze__queue *queue;      /* refers to the list that was begun; null for none */
  struct syclze__queue_state state; /* of this queue */
  struct syclze__append at;         /* of the next step */
  struct syclze__list_order order;
  const ze_event_handle_t *events; /* of the executable graph; unset where the order has none */
  ze_event_handle_t *waits;        /* in the order of the list order's `before`; allocated */
  uint32_t epoch;                  /* of the last command in the list */
  uint32_t reset, signaled;        /* events that ended lists reset, and that this one signals */
};

/* Begins lists of the executable graph, to which `queue` refers. */
SYCLZE_LOCAL void syclze__filling_begin(struct syclze__filling *filling,
    struct syclze__executable *executable, struct syclze__queue *queue) {
  memset((void *)queue, 0, sizeof *queue);
  queue->context = executable->context;
  queue->device = executable->device;
  memset((void *)filling, 0, sizeof *filling);
  filling->executable = executable;
  filling->queue = queue;
  filling->state.queue = queue;
  syclze__append_init(&filling->at, &filling->state, NULL);
}

/* Appends a command to the list; `place` may be null, and then it cannot be updated. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN ze_result_t syclze__executable_append(
    struct syclze__filling *filling, const struct syclze__command *command,
    struct syclze__mutable_command *place) {
  const struct syclze__executable *executable = filling->executable;
  ze_result_t result = place != NULL && place->kernels != NULL
                           ? syclze__executable_lock_all(executable, place->kernels)
                           : syclze__executable_lock(executable, command->kernel);
  if (result != ZE_RESULT_SUCCESS) return result;
#if XPTI_ENABLE_INSTRUMENTATION
  struct syclze__command_trace trace;
  if (SYCLZE__TRACING_CALLS()) syclze__executable_trace(filling->queue->context, command, &trace);
#endif
  SYCLZE__TRACE_CALL(call, GRAPH_APPEND, SYCLZE__WORD(executable), SYCLZE__WORD(&trace.command));
  result = syclze__command_prepare(command).result;
  if (result == ZE_RESULT_SUCCESS && place != NULL && command->kernel != NULL)
    result = syclze__mutable_begin(executable->calls, filling->at.list, place);
  if (result == ZE_RESULT_SUCCESS) result = command->table->append(command, &filling->at);
  syclze__lock_release(&executable->kernel_owner->lock);
  return SYCLZE__TRACE_RESULT(call, result);
}

/* Calls a native command's function, which appends to the list, with no lock held. */
SYCLZE_LOCAL ze_result_t syclze__executable_call(
    struct syclze__filling *filling, const struct syclze__node *node) {
  struct syclze__append *at = &filling->at;
  ze_result_t result = syclze__append_waits(at);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__host_task *host = syclze__host_task_acquire();
  if (host == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  struct syclze__interop *interop = &host->interop;
  const syclze_accessor *accessors = interop->accessors;
  void **memories = interop->memories;
  interop->queue = filling->queue;
  interop->borrow = NULL;
  interop->has_queue = true;
  interop->wait_count = interop->event_count = 0;
  syclze__node_lend(node, interop);
#if XPTI_ENABLE_INSTRUMENTATION
  struct syclze__command_trace trace;
  if (SYCLZE__TRACING_CALLS()) syclze__executable_trace(filling->queue->context, NULL, &trace);
#endif
  SYCLZE__TRACE_CALL(
      call, GRAPH_APPEND, SYCLZE__WORD(filling->executable), SYCLZE__WORD(&trace.command));
  SYCLZE__HELD_NONE();
  result = node->function(syclze__interop_begin(interop), node->argument);
  (void)SYCLZE__TRACE_RESULT(call, result);
  syclze__interop_end(interop);
  if (result == ZE_RESULT_SUCCESS && interop->event_count > 0)
    result = syclze__list_append_wait(at->list, interop->event_count, interop->events);
  if (result == ZE_RESULT_SUCCESS && at->signal != NULL)
    result = syclze__list_append_barrier(at->list, at->signal, 0, NULL);
  interop->accessors = accessors;
  interop->memories = memories;
  syclze__pool_release(&interop->slot);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__executable_list_create(const struct syclze__executable *executable,
    const struct syclze__context *context, ze_command_list_handle_t *list) {
  const struct syclze__mutable_desc updates = {(ze_structure_type_t)SYCLZE__MUTABLE_LIST, NULL, 0};
  SYCLZE__ZE_STRUCT(ze_command_list_desc_t, desc, COMMAND_LIST_DESC);
  if (executable->commands != NULL) desc.pNext = &updates;
  if (executable->is_line) desc.flags = 1u << 3; /* ZE_COMMAND_LIST_FLAG_IN_ORDER */
  const ze_result_t result =
      syclze__compute_ordinal(executable->device, &desc.commandQueueGroupOrdinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandListCreate)(context->native, executable->device->native, &desc, list);
}

/* Begins a part that is a list: a spare one, or a new one. */
SYCLZE_LOCAL ze_result_t syclze__executable_begin(struct syclze__filling *filling) {
  struct syclze__executable *executable = filling->executable;
  struct syclze__queue *queue = filling->queue;
  ze_result_t result = ZE_RESULT_SUCCESS;
  ze_command_list_handle_t list = syclze__spare_list_take(executable->queues);
  const bool is_spare = list != NULL;
  if (!is_spare) result = syclze__executable_list_create(executable, queue->context, &list);
  if (result != ZE_RESULT_SUCCESS) return result;
  const struct syclze__graph_part part = {list, NULL};
  syclze__executable_parts(executable)[executable->part_count++] = part;
  queue->native.kind = SYCLZE_NATIVE_QUEUE_LIST;
  queue->native.list = filling->at.list = list;
  return is_spare ? SYCLZE__ZE(zeCommandListReset)(list) : result;
}

/* Ends the list that was begun, if any. */
SYCLZE_LOCAL ze_result_t syclze__executable_close(struct syclze__filling *filling) {
  const ze_command_list_handle_t list = filling->at.list;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (list == NULL) return result;
  if (filling->reset < filling->signaled) result = syclze__list_append_barrier(list, NULL, 0, NULL);
  for (; filling->reset < filling->signaled && result == ZE_RESULT_SUCCESS; filling->reset++)
    result = SYCLZE__ZE(zeCommandListAppendEventReset)(list, filling->events[filling->reset]);
  if (result == ZE_RESULT_SUCCESS) result = SYCLZE__ZE(zeCommandListClose)(list);
  filling->queue->native.list = filling->at.list = NULL;
  return result;
}

/* Sets the events of the step that is next in the order. */
SYCLZE_INLINE void syclze__filling_set_step(struct syclze__filling *filling, uint32_t step) {
  const struct syclze__list_order *order = &filling->order;
  if (order->event_count == 0) return;
  const uint32_t event = order->events[step];
  filling->at.wait_count = order->begins[step + 1] - order->begins[step];
  filling->at.waits = filling->waits + order->begins[step];
  filling->at.signal = event != UINT32_MAX ? filling->events[event] : NULL;
  if (event != UINT32_MAX) filling->signaled = event + 1;
}

/* Appends a step that is no host task to the list, which it begins where there is none. */
SYCLZE_INLINE ze_result_t syclze__executable_add(struct syclze__filling *filling, uint32_t step) {
  struct syclze__executable *executable = filling->executable;
  const struct syclze__node *node = executable->steps[step].node;
  const uint32_t epoch = filling->order.epochs[executable->steps[step].level];
  ze_result_t result = ZE_RESULT_SUCCESS;
  syclze__filling_set_step(filling, step);
  if (node->kind == SYCLZE__SUBMISSION_BARRIER) return syclze__append_waits(&filling->at);
  if (filling->at.list == NULL)
    result = syclze__executable_begin(filling);
  else if (epoch != filling->epoch && !executable->is_line)
    result = syclze__list_append_barrier(filling->at.list, NULL, 0, NULL);
  filling->epoch = epoch;
  if (result != ZE_RESULT_SUCCESS) return result;
  if (node->command == NULL) return syclze__executable_call(filling, node);
  return syclze__executable_append(
      filling, node->command, executable->commands != NULL ? &executable->commands[step] : NULL);
}

/* Ends the list that was begun, and adds a host task as a part of its own. */
SYCLZE_LOCAL ze_result_t syclze__executable_add_task(
    struct syclze__filling *filling, const struct syclze__graph_step *step) {
  const struct syclze__graph_part part = {NULL, step};
  const ze_result_t result = syclze__executable_close(filling);
  syclze__executable_parts(filling->executable)[filling->executable->part_count++] = part;
  return result;
}

/* Creates the events, unless the lists are recorded anew and have them, and the wait lists. */
SYCLZE_LOCAL ze_result_t syclze__filling_set_events(
    struct syclze__filling *filling, struct syclze__context *context) {
  const struct syclze__list_order *order = &filling->order;
  struct syclze__graph_events **events = &syclze__executable_edges(filling->executable)->events;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (order->event_count == 0) return result;
  const uint32_t waits = order->begins[filling->executable->step_count];
  if (*events == NULL)
    result = syclze__graph_events_create(
        context, filling->executable->device->native, order->event_count, events);
  if (result != ZE_RESULT_SUCCESS) return result;
  filling->events = (*events)->all;
  filling->waits = (ze_event_handle_t *)malloc(waits * sizeof *filling->waits);
  if (filling->waits == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < waits; i++)
    filling->waits[i] = filling->events[order->events[order->before[i]]];
  return result;
}

/* Adds all steps; the last list is not closed. `is_captured`: the list is in order, and not one
 * that may reset events. */
SYCLZE_LOCAL_WARM ze_result_t syclze__executable_fill_steps(
    struct syclze__filling *filling, bool is_captured) {
  struct syclze__executable *executable = filling->executable;
  struct syclze__step_edges *edges = syclze__executable_edges(executable);
  struct syclze__list_order *order = &filling->order;
  if (!syclze__list_order_create(order, executable->steps, executable->step_count,
          syclze__step_edges_all(edges), is_captured ? UINT32_MAX : edges->count))
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = syclze__filling_set_events(filling, filling->queue->context);
  /* Older loaders than this call may have drivers without such lists. */
  executable->is_line = executable->append != NULL && order->is_line;
  for (uint32_t i = 0; i < executable->step_count && result == ZE_RESULT_SUCCESS; i++) {
    const struct syclze__graph_step *step = &executable->steps[order->sorted[i]];
    result = syclze__step_is_task(step) ? syclze__executable_add_task(filling, step)
                                        : syclze__executable_add(filling, order->sorted[i]);
  }
  free(order->sorted);
  free(filling->waits);
  return result;
}

/* Returns the lists, none of which runs, so that they can be recorded anew. */
SYCLZE_LOCAL_WARM void syclze__executable_strip(struct syclze__executable *executable) {
  struct syclze__graph_part *parts = syclze__executable_parts(executable);
  for (uint32_t i = 0; i < executable->part_count; i++)
    if (parts[i].list != NULL) syclze__spare_list_give(executable->queues, parts[i].list);
  executable->part_count = 0;
}

/* Makes the parts of all nodes. */
SYCLZE_LOCAL ze_result_t syclze__executable_fill(struct syclze__executable *executable) {
  struct syclze__queue queue;
  struct syclze__filling filling;
  syclze__filling_begin(&filling, executable, &queue);
  ze_result_t result = syclze__executable_fill_steps(&filling, false);
  if (result == ZE_RESULT_SUCCESS && executable->part_count == 0)
    result = syclze__executable_begin(&filling);
  return result == ZE_RESULT_SUCCESS ? syclze__executable_close(&filling) : result;
}

#endif

SYCLZE_EXTERN_C_END

#include "executable.h"

#endif
