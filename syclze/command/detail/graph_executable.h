/* Executable graphs, and their submission.
 *
 * An executable graph is a memory object to the queues: a submission of it is a command group that
 * writes that object, besides what its nodes access. So only one runs at a time, an in-order queue
 * that goes on submitting it leaves no more than positions, and what it consists of is freed by the
 * owner of the object, after its work (owner.h, access.h). */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_EXECUTABLE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_EXECUTABLE_H

#include "graph.h"
#include "../../detail/trace_call.h"

SYCLZE_EXTERN_C_BEGIN

/* zeCommandListImmediateAppendCommandListsExp, which older loaders lack. */
typedef ze_result_t(ZE_APICALL *syclze__append_lists_function)(ze_command_list_handle_t list,
    uint32_t count, ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits);

/* What runs one after the other: a closed list, or a host task. */
struct syclze__graph_part {
  ze_command_list_handle_t list; /* the only part, without host tasks */
  uint32_t part_count;
  struct syclze__graph_part *parts; /* behind the structure */
  const struct syclze__node *task;  /* null for a list */
};

/* Where an access of a submission is recorded, if the queue owns the memory (access.h). */
struct syclze__graph_access {
  const struct syclze__accesses *all;
  uint64_t *position; /* of its last read or write */
};

/* A command queue for the runs of one queue on an immediate list, where the lists are not appended.
 * The runs of several in one would stand before those that they wait for. */
struct syclze__graph_lane {
  struct syclze__graph_lane *next;
  struct syclze__queue_state *state; /* kept; the queue is not */
  ze_command_queue_handle_t native;
};

struct syclze__executable {
  struct syclze__buffer *order;  /* the memory object: with a reference for each of the graph */
  ze_command_list_handle_t list; /* the only part, without host tasks */
  uint32_t part_count;
  struct syclze__graph_part *parts;     /* behind the structure */
  syclze__append_lists_function append; /* null for none, and with host tasks */
  ze_command_queue_handle_t queue;      /* of the lists between host tasks; null without tasks */
  bool is_unknown;                      /* a wait for that queue failed: a list may still run */
  struct syclze__graph_lane *lanes;
  uint32_t lane_lock;                    /* of these; within the lock of a queue */
  uint32_t accessor_count;               /* with the first, which is of `order` */
  syclze_accessor *accessors;            /* behind the structure */
  struct syclze__graph_access *accesses; /* behind the structure; one for each of them */
  struct syclze__device *device;
  struct syclze__queue_state *kernel_owner; /* of no queue: owns kernels during appends */
  uint32_t node_count;
  struct syclze__node **nodes; /* behind the structure; each with a reference */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__graph_queue_create(const struct syclze__executable *executable,
    const struct syclze__context *context, ze_command_queue_handle_t *queue) {
  ze_command_queue_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  const ze_result_t result = syclze__compute_ordinal(executable->device, &desc.ordinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandQueueCreate)(
      context->native, executable->device->native, &desc, queue);
}

SYCLZE_LOCAL ze_result_t syclze__graph_lanes_end(struct syclze__executable *executable) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (executable->lanes != NULL) {
    struct syclze__graph_lane *lane = executable->lanes;
    executable->lanes = lane->next;
    const ze_result_t destroyed = SYCLZE__ZE(zeCommandQueueDestroy)(lane->native);
    if (result == ZE_RESULT_SUCCESS) result = destroyed;
    syclze__queue_state_release(lane->state);
    free(lane);
  }
  return result;
}

/* Waits for the graph's own command queue. */
SYCLZE_LOCAL ze_result_t syclze__executable_wait(struct syclze__executable *executable) {
  ze_result_t result = ZE_RESULT_NOT_READY;
  while (result == ZE_RESULT_NOT_READY) {
    result = SYCLZE__ZE(zeCommandQueueSynchronize)(executable->queue, SYCLZE__EVENT_SLICE);
    if (result == ZE_RESULT_NOT_READY) {
      const ze_result_t lost = syclze__context_lost(executable->order->memory.context);
      if (lost != ZE_RESULT_SUCCESS) result = lost;
    }
  }
  executable->is_unknown = result != ZE_RESULT_SUCCESS;
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__executable_free(struct syclze__executable *executable) {
  ze_result_t result = ZE_RESULT_SUCCESS, released;
  /* What a list that runs refers to stays. */
  if (executable->is_unknown) result = syclze__executable_wait(executable);
  if (result != ZE_RESULT_SUCCESS) return result;
  for (uint32_t i = 0; i < executable->part_count; i++) {
    if (executable->parts[i].list == NULL) continue;
    released = SYCLZE__ZE(zeCommandListDestroy)(executable->parts[i].list);
    if (result == ZE_RESULT_SUCCESS) result = released;
  }
  if (executable->queue != NULL) {
    released = SYCLZE__ZE(zeCommandQueueDestroy)(executable->queue);
    if (result == ZE_RESULT_SUCCESS) result = released;
  }
  released = syclze__graph_lanes_end(executable);
  if (result == ZE_RESULT_SUCCESS) result = released;
  for (uint32_t i = 0; i < executable->node_count; i++) {
    released = syclze__node_release(executable->nodes[i]);
    if (result == ZE_RESULT_SUCCESS) result = released;
  }
  if (executable->kernel_owner != NULL) syclze__queue_state_release(executable->kernel_owner);
  free(executable);
  return result;
}

/* After the last release and the last run. */
SYCLZE_LOCAL ze_result_t syclze__executable_end(void *data) {
  return syclze__executable_free((struct syclze__executable *)data);
}

/* Locks the state that owns kernels, and has it own the kernel, which may be null. */
SYCLZE_LOCAL ze_result_t syclze__executable_lock(
    const struct syclze__executable *executable, struct syclze__kernel *kernel) {
  struct syclze__queue_state *state = executable->kernel_owner;
  for (;; sched_yield()) {
    syclze__lock_acquire(&state->lock);
    const ze_result_t result =
        kernel != NULL ? syclze__kernel_bind(kernel, state, false) : ZE_RESULT_SUCCESS;
    if (result == ZE_RESULT_SUCCESS) return result;
    syclze__lock_release(&state->lock);
    if (result != ZE_RESULT_NOT_READY) return result;
  }
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Describes a node's command; null for that of a function. */
SYCLZE_LOCAL void syclze__executable_trace(const struct syclze__queue *queue,
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  memset(trace, 0, sizeof *trace);
  trace->command.context = queue->context->native;
  if (command != NULL && command->trace != NULL) command->trace(command, trace);
}
#endif

/* Appends a node's command to the list. */
SYCLZE_LOCAL ze_result_t syclze__executable_append(const struct syclze__executable *executable,
    struct syclze__queue *queue, const struct syclze__command *command) {
  struct syclze__submission submission;
  struct syclze__queue_state state;
  syclze_group group = syclze__group_of(NULL);
  memset((void *)&state, 0, sizeof state);
  state.queue = queue;
  syclze__submission_init(&submission, &group, command->kind, command->function);
  submission.state = &state;
  submission.list = queue->native.list;
  ze_result_t result = syclze__executable_lock(executable, command->kernel);
  if (result != ZE_RESULT_SUCCESS) return result;
#if XPTI_ENABLE_INSTRUMENTATION
  struct syclze__command_trace trace;
  if (SYCLZE__TRACING_CALLS()) syclze__executable_trace(queue, command, &trace);
#endif
  SYCLZE__TRACE_CALL(call, GRAPH_APPEND, SYCLZE__WORD(executable), SYCLZE__WORD(&trace.command));
  if (command->prepare != NULL) result = command->prepare(command).result;
  if (result == ZE_RESULT_SUCCESS) result = command->append(command, &submission);
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
  if (SYCLZE__TRACING_CALLS()) syclze__executable_trace(queue, NULL, &trace);
#else
  (void)executable;
#endif
  SYCLZE__TRACE_CALL(call, GRAPH_APPEND, SYCLZE__WORD(executable), SYCLZE__WORD(&trace.command));
  ze_result_t result = node->function(syclze__interop_begin(interop), node->argument);
  (void)SYCLZE__TRACE_RESULT(call, result);
  syclze__interop_end(interop);
  if (result == ZE_RESULT_SUCCESS && interop->event_count > 0)
    result = SYCLZE__ZE(zeCommandListAppendWaitOnEvents)(
        queue->native.list, interop->event_count, interop->events);
  interop->accessors = accessors;
  interop->memories = memories;
  syclze__pool_release(&interop->slot);
  return result;
}

/* Begins a part that is a list, to which `queue` refers. */
SYCLZE_LOCAL ze_result_t syclze__executable_begin(
    struct syclze__executable *executable, struct syclze__queue *queue) {
  ze_command_list_desc_t desc;
  ze_command_list_handle_t list;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  ze_result_t result = syclze__compute_ordinal(executable->device, &desc.commandQueueGroupOrdinal);
  if (result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeCommandListCreate)(
        queue->context->native, executable->device->native, &desc, &list);
  if (result != ZE_RESULT_SUCCESS) return result;
  executable->parts[executable->part_count++].list = list;
  queue->native.kind = SYCLZE_NATIVE_QUEUE_LIST;
  queue->native.list = list;
  return result;
}

/* Ends the list that was begun, if any. */
SYCLZE_LOCAL ze_result_t syclze__executable_close(struct syclze__queue *queue) {
  if (queue->native.list == NULL) return ZE_RESULT_SUCCESS;
  const ze_result_t result = SYCLZE__ZE(zeCommandListClose)(queue->native.list);
  queue->native.list = NULL;
  return result;
}

/* Appends a node that is no host task; `is_behind` if the list has nodes of earlier levels. */
SYCLZE_LOCAL ze_result_t syclze__executable_add(struct syclze__executable *executable,
    struct syclze__queue *queue, const struct syclze__node *node, bool is_behind) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (queue->native.list == NULL)
    result = syclze__executable_begin(executable, queue);
  else if (is_behind)
    result = SYCLZE__ZE(zeCommandListAppendBarrier)(queue->native.list, NULL, 0, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  return node->command != NULL ? syclze__executable_append(executable, queue, node->command)
                               : syclze__executable_call(executable, queue, node);
}

/* Adds the nodes of a level to the list, and behind it the host tasks as parts of their own; counts
 * them off `*left`. */
SYCLZE_LOCAL ze_result_t syclze__executable_fill_level(struct syclze__executable *executable,
    struct syclze__queue *queue, uint32_t level, uint32_t *left) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  bool is_behind = true;
  uint32_t tasks = 0;
  for (uint32_t i = 0; i < executable->node_count && result == ZE_RESULT_SUCCESS; i++) {
    const struct syclze__node *node = executable->nodes[i];
    if (node->level != level) continue;
    --*left;
    if (node->kind == SYCLZE__SUBMISSION_HOST) tasks++;
    if (node->kind == SYCLZE__SUBMISSION_HOST || node->kind == SYCLZE__SUBMISSION_BARRIER) continue;
    result = syclze__executable_add(executable, queue, node, is_behind);
    is_behind = false;
  }
  if (tasks == 0 || result != ZE_RESULT_SUCCESS) return result;
  for (uint32_t i = 0; i < executable->node_count; i++) {
    const struct syclze__node *node = executable->nodes[i];
    if (node->level == level && node->kind == SYCLZE__SUBMISSION_HOST)
      executable->parts[executable->part_count++].task = node;
  }
  return syclze__executable_close(queue);
}

/* Makes the parts of all nodes, level by level. */
SYCLZE_LOCAL ze_result_t syclze__executable_fill(
    struct syclze__executable *executable, struct syclze__context *context) {
  struct syclze__queue queue;
  uint32_t left = executable->node_count;
  ze_result_t result = ZE_RESULT_SUCCESS;
  memset((void *)&queue, 0, sizeof queue);
  queue.context = context;
  queue.device = executable->device;
  for (uint32_t level = 0; left > 0 && result == ZE_RESULT_SUCCESS; level++)
    result = syclze__executable_fill_level(executable, &queue, level, &left);
  if (result == ZE_RESULT_SUCCESS && executable->part_count == 0)
    result = syclze__executable_begin(executable, &queue);
  return result == ZE_RESULT_SUCCESS ? syclze__executable_close(&queue) : result;
}

/* The parts, and what runs their lists between host tasks. */
SYCLZE_LOCAL struct syclze__status syclze__executable_build(
    struct syclze__executable *executable, struct syclze__context *context) {
  ze_result_t result = syclze__executable_fill(executable, context);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(
        result, "a command list could not be made of the graph: its creation, or a node, failed");
  if (executable->part_count == 1) executable->list = executable->parts[0].list;
  if (executable->list != NULL) return syclze__allowed();
  executable->append = NULL;
  result = syclze__graph_queue_create(executable, context, &executable->queue);
  if (result != ZE_RESULT_SUCCESS) executable->queue = NULL;
  return syclze__status_of(result, "zeCommandQueueCreate failed");
}

/* The memory object by which submissions are ordered; null without memory. */
SYCLZE_LOCAL struct syclze__buffer *syclze__executable_order(
    struct syclze__executable *executable, struct syclze__context *context) {
  const syclze_owner owner = {syclze__executable_end, executable};
  struct syclze__buffer shape;
  memset((void *)&shape, 0, sizeof shape);
  shape.element_size = shape.size = 1;
  shape.dimensions = 1;
  for (uint32_t i = 0; i < 3; i++)
    shape.memory.range[i] = 1;
  struct syclze__buffer *order =
      syclze__buffer_new(executable, context, NULL, SYCLZE__KEPT, &shape);
  if (order == NULL) return NULL;
  if (syclze__accesses_require(&order->memory) == ZE_RESULT_SUCCESS &&
      syclze__owner_set(&order->memory.ref, executable, owner, "syclze_graph_finalize",
          "syclze_executable_graph_release") == ZE_RESULT_SUCCESS)
    return order;
  syclze__memory_release(&order->memory);
  return NULL;
}

/* With the nodes and accesses of the graph; null without memory. */
SYCLZE_LOCAL struct syclze__executable *syclze__executable_new(struct syclze__graph *graph) {
  struct syclze__executable *created = NULL;
  syclze__lock_acquire(&graph->lock);
  const uint32_t accessors = graph->memory_count + 1, nodes = graph->node_count;
  const uint32_t parts = 2 * graph->task_count + 1;
  const size_t size = sizeof *created + accessors * sizeof *created->accessors +
                      nodes * sizeof *created->nodes + parts * sizeof *created->parts +
                      accessors * sizeof *created->accesses;
  created = (struct syclze__executable *)calloc(1, size);
  if (created != NULL) {
    created->accessors = (syclze_accessor *)(void *)(created + 1);
    created->nodes = (struct syclze__node **)(void *)(created->accessors + accessors);
    created->parts = (struct syclze__graph_part *)(void *)(created->nodes + nodes);
    created->accesses = (struct syclze__graph_access *)(void *)(created->parts + parts);
    created->accessor_count = accessors;
    created->node_count = nodes;
    for (uint32_t i = 1; i < accessors; i++)
      created->accessors[i] = graph->memories[i - 1].accessor;
    for (uint32_t i = 0; i < nodes; i++) {
      created->nodes[i] = graph->nodes[i];
      syclze__ref_retain(&created->nodes[i]->ref);
    }
  }
  syclze__lock_release(&graph->lock);
  return created;
}

/* A state of no queue, so that a kernel's arguments are for one thread at a time; null without
 * memory. */
SYCLZE_LOCAL struct syclze__queue_state *syclze__kernel_owner_create(void) {
  struct syclze__queue_state *state = (struct syclze__queue_state *)calloc(1, sizeof *state);
  if (state == NULL) return NULL;
  state->holds = 1;
  state->obstacles = SYCLZE__OBSTACLE_KIND;
  state->has_ended = true;
  return state;
}

SYCLZE_LOCAL struct syclze__status syclze__executable_init(
    struct syclze__executable *executable, struct syclze__graph *graph) {
  executable->device = graph->device;
  executable->kernel_owner = syclze__kernel_owner_create();
  if (executable->kernel_owner == NULL) return syclze__out_of_memory();
#if SYCLZE_HAS_DLSYM
  void *address = syclze__loader_symbol("zeCommandListImmediateAppendCommandListsExp");
  memcpy(&executable->append, &address, sizeof address);
#endif
  const struct syclze__status status = syclze__executable_build(executable, graph->context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  SYCLZE__TRACE_CALL(call, GRAPH_FINALIZE, SYCLZE__WORD(executable));
  executable->order = syclze__executable_order(executable, graph->context);
  (void)SYCLZE__TRACE_RESULT(
      call, executable->order != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  if (executable->order == NULL) return syclze__out_of_memory();
  executable->accessors[0] =
      syclze__accessor_whole(&executable->order->memory, 0, false, SYCLZE_ACCESS_READ_WRITE);
  for (uint32_t i = 0; i < executable->accessor_count; i++) {
    const syclze_accessor *accessor = &executable->accessors[i];
    struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
    executable->accesses[i].all = all;
    executable->accesses[i].position = &all->positions[accessor->mode != SYCLZE_ACCESS_READ];
  }
  return status;
}

SYCLZE_COLD ze_result_t syclze_graph_finalize(
    syclze_graph graph, uint32_t flags, syclze_executable_graph *executable) {
  const char *const function = "syclze_graph_finalize";
  struct syclze__status status = syclze__check_fork();
  struct syclze__executable *created = NULL;
  if (executable == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  executable->rep = NULL;
  if (status.result == ZE_RESULT_SUCCESS && graph.rep == NULL)
    status = syclze__null_handle("the graph is null");
  if (status.result == ZE_RESULT_SUCCESS && flags != 0)
    status = syclze__status_of(
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "the flags of an executable graph are unknown");
  if (status.result == ZE_RESULT_SUCCESS) {
    SYCLZE__TRACE_CALL(create, GRAPH_INSTANTIATE, SYCLZE__WORD(graph.rep->context),
        SYCLZE__WORD(graph.rep->device), SYCLZE__WORD(&created));
    created = syclze__executable_new(graph.rep);
    if (created == NULL) status = syclze__out_of_memory();
    (void)SYCLZE__TRACE_RESULT(create, status.result);
  }
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__executable_init(created, graph.rep);
  if (status.result == ZE_RESULT_SUCCESS) {
    executable->rep = created;
    return status.result;
  }
  if (created != NULL) syclze__executable_free(created);
  return syclze__fail(
      status.result, function, status.rule, graph.rep != NULL ? graph.rep->context->native : NULL);
}

SYCLZE_COLD ze_result_t syclze_executable_graph_retain(syclze_executable_graph executable) {
  SYCLZE__TRACE_CALL(call, GRAPH_RETAIN, SYCLZE__WORD(executable.rep));
  if (executable.rep != NULL) syclze__ref_retain(&executable.rep->order->memory.ref);
  return SYCLZE__TRACE_RESULT(call, ZE_RESULT_SUCCESS);
}

SYCLZE_COLD ze_result_t syclze_executable_graph_release(syclze_executable_graph executable) {
  if (executable.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__TRACE_CALL(call, GRAPH_RELEASE, SYCLZE__WORD(executable.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__memory_release(&executable.rep->order->memory));
}

#endif

SYCLZE_EXTERN_C_END

#include "graph_submit.h"

#endif
