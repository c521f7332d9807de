/* Executable graphs, and their submission.
 *
 * An executable graph is a memory object to the queues: a submission of it is a command group that
 * writes that object, besides what its nodes access. So only one submission runs at a time, an
 * in-order queue that submits it repeatedly records only positions, and the owner of the object
 * frees the graph's parts after its work (owner.h, access.h). */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_EXECUTABLE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_EXECUTABLE_H

#include "fill.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Waits for the command queue of lists between host tasks. */
SYCLZE_LOCAL ze_result_t syclze__executable_wait(struct syclze__executable *executable) {
  struct syclze__graph_queues *queues = executable->queues;
  ze_result_t result = ZE_RESULT_NOT_READY;
  while (result == ZE_RESULT_NOT_READY) {
    result = SYCLZE__ZE(zeCommandQueueSynchronize)(queues->between, SYCLZE__EVENT_SLICE);
    if (result == ZE_RESULT_NOT_READY) {
      const ze_result_t lost = syclze__context_lost(executable->context);
      if (lost != ZE_RESULT_SUCCESS) result = lost;
    }
  }
  executable->is_unknown = result != ZE_RESULT_SUCCESS;
  __atomic_store_n(&queues->is_unknown, executable->is_unknown, __ATOMIC_RELAXED);
  return result;
}

/* Ends the builds. Null is allowed. */
SYCLZE_LOCAL ze_result_t syclze__updatable_free(struct syclze__updatable *updatable);

SYCLZE_LOCAL ze_result_t syclze__executable_free(struct syclze__executable *executable) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  /* A list that still runs keeps what it refers to. */
  if (executable->is_unknown) result = syclze__executable_wait(executable);
  if (result != ZE_RESULT_SUCCESS) return result;
  for (uint32_t i = 0; i < executable->part_count; i++) {
    ze_command_list_handle_t list = syclze__executable_parts(executable)[i].list;
    if (list == NULL) continue;
    result = syclze__first_error(result, SYCLZE__ZE(zeCommandListDestroy)(list));
  }
  if (executable->steps != NULL) {
    result = syclze__first_error(
        result, syclze__graph_events_free(syclze__executable_edges(executable)->events));
  }
  result = syclze__first_error(result, syclze__graph_queues_release(executable->queues));
  if (executable->capture != NULL)
    result = syclze__first_error(result, executable->capture->end(executable->capture));
  for (uint32_t i = 0; i < executable->step_count; i++) {
    result = syclze__first_error(result, syclze__node_release(executable->steps[i].node));
    if (executable->commands != NULL)
      result = syclze__first_error(result, syclze__mutable_end(&executable->commands[i]));
  }
  syclze__graph_pool_give(executable->pool);
  result = syclze__first_error(result, syclze__nodes_free(&executable->nodes));
  result = syclze__first_error(result, syclze__updatable_free(executable->updatable));
  if (executable->kernel_owner != NULL) syclze__queue_state_release(executable->kernel_owner);
  syclze__runs_release(executable->runs);
  executable->ref.others = -1;
  return syclze__first_error(result, syclze__child_release(&executable->context->parent,
                                         SYCLZE__POOL_BUFFER, &executable->ref.slot));
}

/* Destroys the graph, after the last release and the last run. */
SYCLZE_LOCAL ze_result_t syclze__executable_end(void *data) {
  return syclze__executable_free((struct syclze__executable *)data);
}

/* Creates the parts, and what runs their lists between host tasks. */
SYCLZE_LOCAL struct syclze__status syclze__executable_build(struct syclze__executable *executable) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!executable->is_late) result = syclze__executable_fill(executable);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "a command list could not be made of the graph");
  if (executable->part_count == 1) executable->list = syclze__executable_parts(executable)[0].list;
  if (executable->list != NULL) return syclze__allowed();
  executable->append = NULL;
  result =
      syclze__graph_queues_require(executable->queues, executable->context, executable->device);
  return syclze__status_of(result, "zeCommandQueueCreate failed");
}

/* The memory object by which submissions are ordered; null without memory. */
SYCLZE_LOCAL struct syclze__buffer *syclze__executable_order(
    struct syclze__executable *executable) {
  const syclze_owner owner = {syclze__executable_end, executable};
  struct syclze__buffer shape;
  memset((void *)&shape, 0, sizeof shape);
  shape.element_size = shape.size = 1;
  shape.dimensions = 1;
  for (uint32_t i = 0; i < 3; i++)
    shape.memory.range[i] = 1;
  struct syclze__buffer *order =
      syclze__buffer_new(executable, executable->context, NULL, SYCLZE__KEPT, &shape);
  if (order == NULL) return NULL;
  SYCLZE__CHECK_UNWRAPPED(executable); /* the application has no handle */
  if (syclze__accesses_require(&order->memory) == ZE_RESULT_SUCCESS &&
      syclze__owner_set(&order->memory.ref, executable, owner, "syclze_graph_finalize",
          "syclze_executable_graph_release") == ZE_RESULT_SUCCESS)
    return order;
  syclze__memory_release(&order->memory);
  return NULL;
}

/* The description of an executable graph. */
struct syclze__executable_input {
  struct syclze__context *context;
  struct syclze__device *device;
  const struct syclze__nodes *nodes;
  struct syclze__memory *graph;              /* `order` of the graph whose build it is; or null */
  const struct syclze__mutable_calls *calls; /* null for lists that are not updated */
  const struct syclze__executable *former;   /* a build whose kernels this one has too; or null */
  struct syclze__graph_queues *queues;       /* of that graph; null for its own */
  bool is_late;                              /* a build whose lists are recorded by each run */
  bool is_timed;                             /* finalized with SYCLZE_GRAPH_PROFILING */
};

/* Creates an executable graph without nodes; null without memory. */
SYCLZE_LOCAL struct syclze__executable *syclze__executable_alloc(
    struct syclze__context *context, struct syclze__device *device) {
  struct syclze__executable *created = (struct syclze__executable *)syclze__child_acquire(
      &context->parent, SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer));
  if (created == NULL) return NULL;
  memset((char *)created + sizeof created->ref, 0, sizeof *created - sizeof created->ref);
  syclze__ref_init(&created->ref, SYCLZE__TRANSFERRED);
  SYCLZE__CHECK_MADE(&created->ref, "executable graph");
  created->context = context;
  created->device = device;
  return created;
}

/* Creates an executable graph with the nodes and their accesses; null without memory. */
SYCLZE_LOCAL struct syclze__executable *syclze__executable_new(
    const struct syclze__executable_input *input) {
  const uint32_t steps = syclze__nodes_count_steps(input->nodes), parts = 2 * steps + 1;
  const uint32_t commands = input->calls != NULL ? steps : 0;
  const uint32_t edges = syclze__nodes_count_edges(input->nodes, steps);
  const uint32_t kept = edges != UINT32_MAX ? edges : 0;
  const uint32_t own = input->graph != NULL ? 2 : 1;
  struct syclze__executable *created = NULL;
  uint32_t count = 0;
  struct syclze__runs *joined = (struct syclze__runs *)syclze__nodes_join(
      input->nodes, sizeof *joined + own * sizeof(syclze_accessor), &count);
  if (joined == NULL) return NULL;
  count += own;
  struct syclze__runs *runs = (struct syclze__runs *)realloc((void *)joined,
      sizeof *runs + count * sizeof(syclze_accessor) + steps * sizeof *created->steps +
          parts * sizeof(struct syclze__graph_part) + sizeof(struct syclze__step_edges) +
          kept * sizeof(struct syclze__edge) + commands * sizeof *created->commands);
  if (runs != NULL) created = syclze__executable_alloc(input->context, input->device);
  if (created == NULL) {
    free(runs != NULL ? runs : joined);
    return NULL;
  }
  syclze_accessor *accessors = syclze__runs_accessors(runs);
  memset((void *)runs, 0, sizeof *runs);
  runs->accessor_count = count;
  runs->references = 1;
  created->runs = created->shown = runs;
  created->steps = (struct syclze__graph_step *)(void *)(accessors + count);
  created->step_count = steps;
  struct syclze__step_edges *of_steps = syclze__executable_edges(created);
  of_steps->events = NULL;
  if (commands != 0) {
    created->commands =
        (struct syclze__mutable_command *)(void *)(syclze__step_edges_all(of_steps) + kept);
    memset((void *)created->commands, 0, commands * sizeof *created->commands);
  }
  created->calls = input->calls;
  if (input->graph != NULL)
    accessors[1] = syclze__accessor_whole(input->graph, 0, false, SYCLZE_ACCESS_READ_WRITE);
  syclze__nodes_flatten(input->nodes, syclze__nodes_levels(input->nodes), created->steps);
  of_steps->count = syclze__nodes_connect(
      input->nodes, created->steps, steps, syclze__step_edges_all(of_steps), edges);
  return created;
}

/* Collects the kernels of the launches: their own, and those of the former build. */
SYCLZE_LOCAL void syclze__executable_inherit(
    struct syclze__executable *executable, const struct syclze__executable *former) {
  if (former == NULL || former->commands == NULL || executable->commands == NULL ||
      executable->calls->next_of_kernels == NULL || executable->is_late)
    return;
  SYCLZE__ASSERT(former->step_count == executable->step_count);
  for (uint32_t i = 0; i < executable->step_count; i++) {
    const struct syclze__node *last = former->steps[i].node, *node = executable->steps[i].node;
    if (syclze__node_is_launch(last) && syclze__node_is_launch(node))
      syclze__mutable_inherit(&executable->commands[i], node->command->kernel, &former->commands[i],
          last->command->kernel);
  }
}

/* Creates a state without a queue, which lets one thread at a time set a kernel's arguments; null
 * without memory. */
SYCLZE_LOCAL struct syclze__queue_state *syclze__kernel_owner_create(void) {
  struct syclze__queue_state *state = (struct syclze__queue_state *)calloc(1, sizeof *state);
  if (state == NULL) return NULL;
  state->holds = 1;
  state->obstacles = SYCLZE__OBSTACLE_KIND;
  state->has_ended = true;
  return state;
}

SYCLZE_LOCAL struct syclze__status syclze__executable_init(
    struct syclze__executable *executable, const struct syclze__executable_input *input) {
  executable->kernel_owner = syclze__kernel_owner_create();
  executable->queues = input->queues != NULL ? syclze__graph_queues_retain(input->queues)
                                             : syclze__graph_queues_new();
  executable->is_late = input->is_late;
  executable->is_timed = input->is_timed;
  syclze__executable_inherit(executable, input->former);
  if (executable->kernel_owner == NULL || executable->queues == NULL)
    return syclze__out_of_memory();
  executable->append = SYCLZE__ENTRY(command_list_append_lists);
  struct syclze__status status = syclze__executable_build(executable);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  SYCLZE__TRACE_CALL(call, GRAPH_FINALIZE, SYCLZE__WORD(executable));
  executable->order = syclze__executable_order(executable);
  (void)SYCLZE__TRACE_RESULT(
      call, executable->order != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  if (executable->order == NULL) return syclze__out_of_memory();
  *syclze__runs_accessors(executable->runs) =
      syclze__accessor_whole(&executable->order->memory, 0, false, SYCLZE_ACCESS_READ_WRITE);
  executable->runs->orders[0] = syclze__accesses_of(&executable->order->memory);
  executable->runs->orders[1] =
      syclze__accesses_of(input->graph != NULL ? input->graph : &executable->order->memory);
  return status;
}

/* Creates an executable graph with command lists. Null, after an error. */
SYCLZE_LOCAL struct syclze__status syclze__executable_create(
    const struct syclze__executable_input *input, struct syclze__executable **executable) {
  struct syclze__status status = syclze__out_of_memory();
  struct syclze__executable *created = NULL;
  SYCLZE__TRACE_CALL(call, GRAPH_INSTANTIATE, SYCLZE__WORD(input->context),
      SYCLZE__WORD(input->device), SYCLZE__WORD(&created));
  created = syclze__executable_new(input);
  (void)SYCLZE__TRACE_RESULT(call, created != NULL ? ZE_RESULT_SUCCESS : status.result);
  if (created != NULL) status = syclze__executable_init(created, input);
  if (status.result != ZE_RESULT_SUCCESS && created != NULL) {
    syclze__executable_free(created);
    created = NULL;
  }
  *executable = created;
  return status;
}

SYCLZE_COLD ze_result_t syclze_executable_graph_retain(syclze_executable_graph executable) {
  if (executable.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(executable, "syclze_executable_graph_retain", SYCLZE_RESULT_ERROR_INVALID);
  SYCLZE__TRACE_CALL(call, GRAPH_RETAIN, SYCLZE__WORD(executable.rep));
  syclze__ref_retain(&executable.rep->ref);
  return SYCLZE__TRACE_RESULT(call, ZE_RESULT_SUCCESS);
}

SYCLZE_COLD ze_result_t syclze_executable_graph_release(syclze_executable_graph executable) {
  const char *const function = "syclze_executable_graph_release";
  if (executable.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(executable, function, SYCLZE_RESULT_ERROR_INVALID);
  SYCLZE__TRACE_CALL(call, GRAPH_RELEASE, SYCLZE__WORD(executable.rep));
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!syclze__ref_release(&executable.rep->ref))
    result = syclze__ref_is_missing(&executable.rep->ref)
                 ? syclze__ref_underflow(&executable.rep->ref, function)
                 : syclze__memory_release(&executable.rep->order->memory);
  return SYCLZE__TRACE_RESULT(call, result);
}

#endif

SYCLZE_EXTERN_C_END

#include "build.h"

#endif
