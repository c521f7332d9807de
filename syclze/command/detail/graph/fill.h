/* The command lists of an executable graph: nodes level by level, and a list for what stands
 * between host tasks.
 *
 * The level of a node is one more than the highest of those that it depends on. So nodes of one
 * level are independent of each other, and a list with a barrier between two levels needs no
 * events. Where each level has one node, the list is in order, and needs no barriers either. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_FILL_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_FILL_H

#include "../../../detail/trace_call.h"
#include "mutable.h"
#include "queues.h"

SYCLZE_EXTERN_C_BEGIN

/* zeCommandListImmediateAppendCommandListsExp, which older loaders lack. */
typedef ze_result_t(ZE_APICALL *syclze__append_lists_function)(ze_command_list_handle_t list,
    uint32_t count, ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits);

/* What runs one after the other: a closed list, or a host task. */
struct syclze__graph_part {
  ze_command_list_handle_t list;   /* null for a host task */
  const struct syclze__node *task; /* null for a list */
};

/* Where an access of a submission is recorded, if the queue owns the memory (access.h). */
struct syclze__graph_access {
  const struct syclze__accesses *all;
  uint64_t *position; /* of its last read or write */
};

struct syclze__updatable;
struct syclze__capture;

/* From the pool of buffers, so that a release without a reference is detected. What is behind
 * another has no pointer of its own. */
struct syclze__executable {
  struct syclze__ref ref;          /* first; of the application, all of them one of `order` */
  struct syclze__context *context; /* as `order` has it */
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
  uint32_t accessor_count;                   /* with the first, which is of `order` */
  uint32_t access_count;                     /* of `accesses` */
  syclze_accessor *accessors;                /* allocated; the steps and parts are behind them */
  struct syclze__graph_step *steps;          /* each node with a reference */
  struct syclze__graph_access *accesses;     /* of an updatable graph those of the newest build */
  struct syclze__mutable_command *commands;  /* of each step; null without mutable lists */
  const struct syclze__mutable_calls *calls; /* of these, by which it is made */
  struct syclze__queue_state *kernel_owner;  /* of no queue: owns kernels during appends */
  struct syclze__capture *capture;           /* the driver's own graph; null for none */
  union {
    struct syclze__nodes nodes;      /* none of a build */
    struct syclze__executable *next; /* of builds to be released; null while it has `nodes` */
  };
  struct syclze__updatable *updatable; /* null unless it is updated: then it has builds */
};

#ifdef __cplusplus
static_assert(sizeof(struct syclze__executable) <= sizeof(struct syclze__buffer), "of that pool");
#else
_Static_assert(sizeof(struct syclze__executable) <= sizeof(struct syclze__buffer), "of that pool");
#endif

SYCLZE_INLINE struct syclze__graph_part *syclze__executable_parts(
    const struct syclze__executable *executable) {
  return (struct syclze__graph_part *)(void *)(executable->steps + executable->step_count);
}

#if SYCLZE__BODIES

/* Locks the state that owns kernels, and has it own the kernel, which may be null. */
SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN ze_result_t syclze__executable_lock(
    const struct syclze__executable *executable, struct syclze__kernel *kernel) {
  struct syclze__queue_state *state = executable->kernel_owner;
  for (;; syclze__kernel_await_owner(kernel)) {
    syclze__lock_acquire(&state->lock);
    const ze_result_t result =
        kernel != NULL ? syclze__kernel_bind(kernel, state, false) : ZE_RESULT_SUCCESS;
    if (result == ZE_RESULT_SUCCESS) return result;
    syclze__lock_release(&state->lock);
    if (result != ZE_RESULT_NOT_READY) return result;
  }
}

/* Sets the kernel's arguments as a submission will. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN struct syclze__status syclze__launch_try(
    const struct syclze__executable *executable, const struct syclze__command *command) {
  const ze_result_t result = syclze__executable_lock(executable, command->kernel);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "no memory for the use of a kernel");
  const struct syclze__status status = command->table->prepare(command);
  syclze__launch_reset(command);
  syclze__lock_release(&executable->kernel_owner->lock);
  return status;
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

/* Appends a command to the list; `place` may be null, and then it cannot be updated. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN ze_result_t syclze__executable_append(
    const struct syclze__executable *executable, struct syclze__queue *queue,
    const struct syclze__command *command, struct syclze__mutable_command *place) {
  struct syclze__queue_state state;
  struct syclze__append at;
  memset((void *)&state, 0, sizeof state);
  state.queue = queue;
  syclze__plain_init(&at, &state);
  ze_result_t result = syclze__executable_lock(executable, command->kernel);
  if (result != ZE_RESULT_SUCCESS) return result;
#if XPTI_ENABLE_INSTRUMENTATION
  struct syclze__command_trace trace;
  if (SYCLZE__TRACING_CALLS()) syclze__executable_trace(queue->context, command, &trace);
#endif
  SYCLZE__TRACE_CALL(call, GRAPH_APPEND, SYCLZE__WORD(executable), SYCLZE__WORD(&trace.command));
  result = syclze__command_prepare(command).result;
  if (result == ZE_RESULT_SUCCESS && place != NULL && command->kernel != NULL)
    result = syclze__mutable_begin(executable->calls, at.list, place);
  if (result == ZE_RESULT_SUCCESS) result = command->table->append(command, &at);
  syclze__lock_release(&executable->kernel_owner->lock);
  return SYCLZE__TRACE_RESULT(call, result);
}

/* Has a native command's function append to the list, with no lock held. */
SYCLZE_LOCAL ze_result_t syclze__executable_call(const struct syclze__executable *executable,
    struct syclze__queue *queue, const struct syclze__node *node) {
  struct syclze__host_task *host = syclze__host_task_acquire();
  if (host == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  struct syclze__interop *interop = &host->interop;
  const syclze_accessor *accessors = interop->accessors;
  void **memories = interop->memories;
  interop->queue = queue;
  interop->borrow = NULL;
  interop->has_queue = true;
  interop->wait_count = interop->event_count = 0;
  syclze__node_lend(node, interop);
#if XPTI_ENABLE_INSTRUMENTATION
  struct syclze__command_trace trace;
  if (SYCLZE__TRACING_CALLS()) syclze__executable_trace(queue->context, NULL, &trace);
#else
  (void)executable;
#endif
  SYCLZE__TRACE_CALL(call, GRAPH_APPEND, SYCLZE__WORD(executable), SYCLZE__WORD(&trace.command));
  SYCLZE__HELD_NONE();
  ze_result_t result = node->function(syclze__interop_begin(interop), node->argument);
  (void)SYCLZE__TRACE_RESULT(call, result);
  syclze__interop_end(interop);
  if (result == ZE_RESULT_SUCCESS && interop->event_count > 0)
    result = syclze__list_append_wait(queue->native.list, interop->event_count, interop->events);
  interop->accessors = accessors;
  interop->memories = memories;
  syclze__pool_release(&interop->slot);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__executable_list_create(const struct syclze__executable *executable,
    const struct syclze__context *context, ze_command_list_handle_t *list) {
  ze_command_list_desc_t desc;
  const struct syclze__mutable_desc updates = {(ze_structure_type_t)SYCLZE__MUTABLE_LIST, NULL, 0};
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  if (executable->commands != NULL) desc.pNext = &updates;
  if (executable->is_line) desc.flags = 1u << 3; /* ZE_COMMAND_LIST_FLAG_IN_ORDER */
  const ze_result_t result =
      syclze__compute_ordinal(executable->device, &desc.commandQueueGroupOrdinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandListCreate)(context->native, executable->device->native, &desc, list);
}

/* Begins a part that is a list, to which `queue` refers: a spare one, or a new one. */
SYCLZE_LOCAL ze_result_t syclze__executable_begin(
    struct syclze__executable *executable, struct syclze__queue *queue) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  ze_command_list_handle_t list = syclze__spare_list_take(executable->queues);
  const bool is_spare = list != NULL;
  if (!is_spare) result = syclze__executable_list_create(executable, queue->context, &list);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__executable_parts(executable)[executable->part_count++].list = list;
  queue->native.kind = SYCLZE_NATIVE_QUEUE_LIST;
  queue->native.list = list;
  return is_spare ? SYCLZE__ZE(zeCommandListReset)(list) : result;
}

/* Ends the list that was begun, if any. */
SYCLZE_LOCAL ze_result_t syclze__executable_close(struct syclze__queue *queue) {
  if (queue->native.list == NULL) return ZE_RESULT_SUCCESS;
  const ze_result_t result = SYCLZE__ZE(zeCommandListClose)(queue->native.list);
  queue->native.list = NULL;
  return result;
}

/* Appends a step that is no host task; `is_behind` if the list has nodes of earlier levels. */
SYCLZE_LOCAL ze_result_t syclze__executable_add(struct syclze__executable *executable,
    struct syclze__queue *queue, uint32_t step, bool is_behind) {
  const struct syclze__node *node = executable->steps[step].node;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (queue->native.list == NULL)
    result = syclze__executable_begin(executable, queue);
  else if (is_behind)
    result = syclze__list_append_barrier(queue->native.list, NULL, 0, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (node->command == NULL) return syclze__executable_call(executable, queue, node);
  return syclze__executable_append(executable, queue, node->command,
      executable->commands != NULL ? &executable->commands[step] : NULL);
}

/* Adds the nodes of a level to the list, and behind it the host tasks as parts of their own. */
SYCLZE_LOCAL ze_result_t syclze__executable_fill_level(struct syclze__executable *executable,
    struct syclze__queue *queue, const uint32_t *steps, uint32_t count) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  bool is_behind = !executable->is_line;
  uint32_t tasks = 0;
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++) {
    const struct syclze__node *node = executable->steps[steps[i]].node;
    if (node->kind == SYCLZE__SUBMISSION_HOST) tasks++;
    if (node->kind == SYCLZE__SUBMISSION_HOST || node->kind == SYCLZE__SUBMISSION_BARRIER) continue;
    result = syclze__executable_add(executable, queue, steps[i], is_behind);
    is_behind = false;
  }
  if (tasks == 0 || result != ZE_RESULT_SUCCESS) return result;
  for (uint32_t i = 0; i < count; i++) {
    const struct syclze__node *node = executable->steps[steps[i]].node;
    if (node->kind == SYCLZE__SUBMISSION_HOST)
      syclze__executable_parts(executable)[executable->part_count++].task = node;
  }
  return syclze__executable_close(queue);
}

/* The steps by level, in the order of recording within one; behind them, for each level, the end of
 * its steps. Allocated; null without memory. */
SYCLZE_LOCAL uint32_t *syclze__executable_sort(
    const struct syclze__executable *executable, uint32_t *levels) {
  const uint32_t steps = executable->step_count;
  *levels = 0;
  for (uint32_t i = 0; i < steps; i++)
    if (*levels <= executable->steps[i].level) *levels = executable->steps[i].level + 1;
  uint32_t *sorted = (uint32_t *)calloc((size_t)steps + *levels + 1, sizeof *sorted);
  if (sorted == NULL) return NULL;
  uint32_t *ends = sorted + steps;
  for (uint32_t i = 0; i < steps; i++)
    ends[executable->steps[i].level + 1]++;
  for (uint32_t i = 1; i < *levels; i++)
    ends[i] += ends[i - 1];
  for (uint32_t i = 0; i < steps; i++)
    sorted[ends[executable->steps[i].level]++] = i;
  return sorted;
}

/* Adds all nodes, level by level. */
SYCLZE_LOCAL ze_result_t syclze__executable_fill_levels(
    struct syclze__executable *executable, struct syclze__queue *queue) {
  uint32_t levels;
  uint32_t *sorted = syclze__executable_sort(executable, &levels);
  if (sorted == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const uint32_t *ends = sorted + executable->step_count;
  ze_result_t result = ZE_RESULT_SUCCESS;
  /* Older loaders than this call may have drivers without such lists. */
  executable->is_line = executable->append != NULL && levels == executable->step_count;
  for (uint32_t i = 0; i < levels && executable->is_line; i++)
    executable->is_line = ends[i] == i + 1;
  for (uint32_t i = 0, first = 0; i < levels && result == ZE_RESULT_SUCCESS; first = ends[i++])
    result = syclze__executable_fill_level(executable, queue, sorted + first, ends[i] - first);
  free(sorted);
  return result;
}

/* Gives the lists away, to be recorded anew: none of them runs. */
SYCLZE_LOCAL_WARM void syclze__executable_strip(struct syclze__executable *executable) {
  struct syclze__graph_part *parts = syclze__executable_parts(executable);
  for (uint32_t i = 0; i < executable->part_count; i++) {
    if (parts[i].list != NULL) syclze__spare_list_give(executable->queues, parts[i].list);
    parts[i].list = NULL;
    parts[i].task = NULL;
  }
  executable->part_count = 0;
}

/* Makes the parts of all nodes. */
SYCLZE_LOCAL ze_result_t syclze__executable_fill(
    struct syclze__executable *executable, struct syclze__context *context) {
  struct syclze__queue queue;
  memset((void *)&queue, 0, sizeof queue);
  queue.context = context;
  queue.device = executable->device;
  ze_result_t result = syclze__executable_fill_levels(executable, &queue);
  if (result == ZE_RESULT_SUCCESS && executable->part_count == 0)
    result = syclze__executable_begin(executable, &queue);
  return result == ZE_RESULT_SUCCESS ? syclze__executable_close(&queue) : result;
}

#endif

SYCLZE_EXTERN_C_END

#include "capture.h"

#endif
