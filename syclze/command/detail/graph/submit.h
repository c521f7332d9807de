/* The submission of executable graphs. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_SUBMIT_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_SUBMIT_H

#include "run_behind.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

struct syclze__graph_command {
  struct syclze__command command;
  struct syclze__executable *executable;
};

SYCLZE_INLINE struct syclze__executable *syclze__graph_of_command(
    const struct syclze__command *command) {
  return ((const struct syclze__graph_command *)(const void *)command)->executable;
}

/* Adds a closed list to the submission, which waits for the graph's dependencies, and in which the
 * times of the run begin. */
SYCLZE_LOCAL ze_result_t syclze__graph_gate(
    const struct syclze__append *at, bool is_timed, ze_command_list_handle_t *list) {
  struct syclze__regular_list *gate;
  ze_result_t result = syclze__regular_list_acquire(at->state, &gate);
  if (result != ZE_RESULT_SUCCESS) return result;
  gate->next = at->event->pending.lists;
  at->event->pending.lists = gate;
  *list = gate->native;
  result = is_timed ? syclze__graph_times_begin(at, gate->native)
                    : syclze__list_append_wait(gate->native, at->wait_count, at->waits);
  return result == ZE_RESULT_SUCCESS ? SYCLZE__ZE(zeCommandListClose)(gate->native) : result;
}

/* Executes the graph's list on a command queue, behind a list that waits if necessary, and before
 * the submission's own list, which signals. */
SYCLZE_LOCAL ze_result_t syclze__graph_execute(const struct syclze__executable *executable,
    ze_command_queue_handle_t queue, const struct syclze__append *at,
    ze_command_list_handle_t signal) {
  ze_command_list_handle_t lists[3];
  uint32_t count = 0;
  ze_result_t result = syclze__list_append_barrier(signal, at->signal, 0, NULL);
  if (result == ZE_RESULT_SUCCESS) result = SYCLZE__ZE(zeCommandListClose)(signal);
  const bool is_timed = syclze__graph_takes_times(executable, at);
  if (result == ZE_RESULT_SUCCESS && (at->wait_count > 0 || is_timed))
    result = syclze__graph_gate(at, is_timed, &lists[count++]);
  lists[count++] = executable->list;
  lists[count++] = signal;
  if (result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeCommandQueueExecuteCommandLists)(queue, count, lists, NULL);
  if (result != ZE_RESULT_SUCCESS && is_timed) at->event->host_end = 0;
  return result;
}

/* Executes the graph on a command queue of its own, for a queue with an immediate list. */
SYCLZE_LOCAL ze_result_t syclze__graph_append_aside(
    const struct syclze__command *command, struct syclze__append *at) {
  struct syclze__executable *executable = syclze__graph_of_command(command);
  struct syclze__graph_lane *lane;
  syclze__lock_acquire(&executable->queues->lock);
  ze_result_t result =
      syclze__graph_lane_require(executable->queues, at->state, executable->device, &lane);
  syclze__lock_release(&executable->queues->lock);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__regular_list_acquire(at->state, &at->event->pending.lists);
  if (result != ZE_RESULT_SUCCESS) return result;
  return syclze__graph_execute(executable, lane->native, at, at->event->pending.lists->native);
}

/* Executes the graph and all of the submission's lists on the submission's command queue, in one
 * call. */
SYCLZE_LOCAL ze_result_t syclze__graph_append_to_queue(
    const struct syclze__command *command, struct syclze__append *at) {
  return syclze__graph_execute(
      syclze__graph_of_command(command), at->state->queue->native.queue, at, at->list);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__graph_append(
    const struct syclze__command *command, struct syclze__append *at) {
  struct syclze__executable *executable = syclze__graph_of_command(command);
  return syclze__graph_takes_times(executable, at) ? syclze__graph_append_timed(executable, at)
                                                   : syclze__graph_append_list(executable, at);
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL void syclze__graph_trace(
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  trace->command.graph = syclze__graph_of_command(command);
}
#endif

#define SYCLZE__GRAPH_TABLE(kind, rule, append)                                                    \
  SYCLZE__COMMAND_TABLE(struct syclze__graph_command, kind, rule, NULL, NULL, NULL, append, NULL,  \
      NULL, syclze__graph_trace)

/* The table of a graph whose list the driver appends to an immediate list. */
SYCLZE_INLINE const struct syclze__command_table *syclze__graph_list_table(void) {
  static const struct syclze__command_table table = SYCLZE__GRAPH_TABLE(SYCLZE__SUBMISSION_GRAPH,
      "the graph could not be appended to the queue's list", syclze__graph_append);
  return &table;
}

/* The table that appends the graph to the queue, which may be null. */
SYCLZE_LOCAL_WARM const struct syclze__command_table *syclze__graph_table(
    const struct syclze__queue *queue, const struct syclze__executable *executable) {
  static const struct syclze__command_table lists = SYCLZE__GRAPH_TABLE(SYCLZE__SUBMISSION_LISTS,
      "zeCommandQueueExecuteCommandLists failed", syclze__graph_append_to_queue);
  static const struct syclze__command_table aside = SYCLZE__GRAPH_TABLE(SYCLZE__SUBMISSION_ASIDE,
      "zeCommandQueueExecuteCommandLists failed", syclze__graph_append_aside);
  if (executable->capture != NULL) executable->capture->choose(executable->capture, queue);
  if (queue == NULL || queue->native.kind != SYCLZE_NATIVE_QUEUE_LIST) return &lists;
  return executable->append != NULL ? syclze__graph_list_table() : &aside;
}

SYCLZE_INLINE struct syclze__graph_command syclze__graph_command_of(const char *function,
    const struct syclze__command_table *table, struct syclze__executable *executable) {
  struct syclze__graph_command graph;
  graph.command.table = table;
  graph.command.function = function;
  graph.command.kernel = NULL;
  graph.executable = executable;
  return graph;
}

/* Executes a list on the command queue of lists between host tasks, and waits for it. Waits first
 * for a list that may still run after a failed wait. */
SYCLZE_LOCAL ze_result_t syclze__graph_run_list(
    struct syclze__executable *executable, ze_command_list_handle_t list) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (__atomic_load_n(&executable->queues->is_unknown, __ATOMIC_RELAXED))
    result = syclze__executable_wait(executable);
  if (result != ZE_RESULT_SUCCESS) return result;
  result =
      SYCLZE__ZE(zeCommandQueueExecuteCommandLists)(executable->queues->between, 1, &list, NULL);
  return result == ZE_RESULT_SUCCESS ? syclze__executable_wait(executable) : result;
}

/* Waits for what a host task of the graph named or left in its queue: parts behind it may depend on
 * it. */
SYCLZE_LOCAL ze_result_t syclze__graph_end_task(struct syclze__host_task *host) {
  struct syclze__interop *interop = &host->interop;
  ze_result_t result = interop->has_queue ? syclze__host_task_give_back(host) : ZE_RESULT_SUCCESS;
  if (result == ZE_RESULT_SUCCESS && interop->event_count > 0) {
    syclze__host_task_follow(host);
    interop->event_count = 0;
    result = syclze__host_task_await(host);
  }
  if (host->left != NULL) syclze__event_release(host->left);
  host->left = NULL;
  return result;
}

/* Runs the parts of a graph with host tasks, or of a late build, which is one host task itself, one
 * after the other. Only one graph runs at a time. */
SYCLZE_LOCAL ze_result_t syclze__graph_run(syclze_interop_handle handle, void *argument) {
  struct syclze__executable *executable = (struct syclze__executable *)argument;
  struct syclze__interop *interop = handle.rep;
  const struct syclze__interop whole = *interop;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (executable->part_count == 0) result = syclze__executable_fill(executable);
  for (uint32_t i = 0; i < executable->part_count && result == ZE_RESULT_SUCCESS; i++) {
    const struct syclze__graph_part *part = &syclze__executable_parts(executable)[i];
    if (part->task == NULL) {
      result = syclze__graph_run_list(executable, part->list);
      continue;
    }
    const struct syclze__node *node = part->task->node;
    syclze__node_lend(node, interop);
    result = node->function(handle, node->argument);
    if (result == ZE_RESULT_SUCCESS)
      result = syclze__graph_end_task((struct syclze__host_task *)(void *)interop);
  }
  interop->accessors = whole.accessors;
  interop->memories = whole.memories;
  interop->accessor_count = whole.accessor_count;
  if (executable->is_late && !executable->is_unknown) syclze__executable_strip(executable);
  return result;
}

/* Submits a graph with the requirements of its nodes. */
SYCLZE_LOCAL_WARM ze_result_t syclze__graph_submit(
    syclze_group *group, struct syclze__executable *executable, syclze_event *event) {
  const struct syclze__graph_command graph = syclze__graph_command_of(
      "syclze_group_execute_graph", syclze__graph_table(group->queue, executable), executable);
  struct syclze__queue_state *state = NULL;
  ze_result_t result;
  if (executable->list == NULL) {
    syclze__group_add_accessors(
        group, syclze__runs_accessors(executable->runs), executable->runs->accessor_count);
    return (syclze_group_host_task)(group, syclze__graph_run, executable, event);
  }
  if (graph.command.table->kind == SYCLZE__SUBMISSION_GRAPH)
    state = syclze__graph_enter_behind(group, executable->runs);
  if (state != NULL) {
    result = syclze__graph_append_behind(&graph.command, executable->runs, state, event);
    syclze_group_end(group);
    return result;
  }
  group->runs = executable->runs;
  result = syclze__engine_submit(group, &graph.command, event);
  syclze__graph_hide_times(executable, event);
  return result;
}

/* True if the state owns all of the graph's memory objects. */
SYCLZE_LOCAL_WARM bool syclze__runs_are_owned(
    struct syclze__runs *runs, struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  const syclze_accessor *accessor = syclze__runs_accessors(runs);
  for (const syclze_accessor *end = accessor + runs->accessor_count; accessor != end; accessor++) {
    const struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
    if (all == NULL || __atomic_load_n(&all->owner, __ATOMIC_RELAXED) != state) return false;
  }
  return true;
}

/* Lets the state's `run_position` stand for the runs in all memory objects of the graph, each of
 * which it accesses as a whole; false unless the state owns them. */
SYCLZE_LOCAL_WARM bool syclze__runs_own(
    struct syclze__runs *runs, struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  if (!syclze__runs_are_owned(runs, state)) return false;
  for (uint32_t i = 0; i < runs->accessor_count; i++) {
    const syclze_accessor *accessor = &syclze__runs_accessors(runs)[i];
    struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
    if (all != runs->orders[0] && all != runs->orders[1])
      all->in_runs |= accessor->mode == SYCLZE_ACCESS_READ ? 1 : 2;
  }
  if (runs->owner != state) {
    if (runs->owner != NULL) syclze__queue_state_release(runs->owner);
    syclze__queue_state_retain(state);
    __atomic_store_n(&runs->owner, state, __ATOMIC_RELAXED);
  }
  runs->lost = state->lost;
  return true;
}

/* Records the next run by position if the locked state owns all that the graph accesses. A position
 * set without a submission is conservative. */
SYCLZE_INLINE bool syclze__graph_is_owned(
    const struct syclze__executable *executable, struct syclze__queue_state *state) {
  const uint64_t position = state->position + 1;
  const struct syclze__accesses *order = syclze__accesses_of(&executable->order->memory);
  /* The owner's lock also protects all the rest of a graph that is updated. */
  if (SYCLZE__UNLIKELY(__atomic_load_n(&order->owner, __ATOMIC_RELAXED) != state)) return false;
  struct syclze__runs *runs = executable->shown;
  if (SYCLZE__UNLIKELY(runs == NULL)) return false;
  if (SYCLZE__UNLIKELY(
          __atomic_load_n(&runs->owner, __ATOMIC_RELAXED) != state || runs->lost != state->lost) &&
      !syclze__runs_own(runs, state))
    return false;
  SYCLZE__ASSERT(syclze__runs_are_owned(runs, state));
  state->run_position = position;
  runs->orders[0]->positions[1] = runs->orders[1]->positions[1] = position;
  return true;
}

/* Locks and returns the queue's state if the graph is one append on it; else null. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN struct syclze__queue_state *syclze__graph_enter(
    const struct syclze__queue *queue, const struct syclze__executable *executable) {
  if (SYCLZE__UNLIKELY(executable->append == NULL) || SYCLZE__TRACING_COMMANDS()) return NULL;
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (SYCLZE__UNLIKELY(state == NULL || !syclze__lock_try(&state->lock))) return NULL;
  /* A state that owns the graph has the graph's context and device. */
  if (SYCLZE__LIKELY(state->obstacles == 0 && syclze__graph_is_owned(executable, state)))
    return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

/* Fails the group and ends it. */
SYCLZE_LOCAL ze_result_t syclze__graph_refuse(
    syclze_group *group, struct syclze__status status, const char *function) {
  const void *native = group->queue != NULL ? group->queue->native.queue : NULL;
  syclze__group_fail(group, status);
  syclze_group_end(group);
  return syclze__fail(status.result, function, status.rule, native);
}

/* Adds the nodes, as one node, to the graph that the group's queue records to.
 * SYCLZE__SUBMISSION_RECORDS if the queue no longer records. */
SYCLZE_LOCAL ze_result_t syclze__subgraph_record(syclze_group *group,
    const struct syclze__nodes *nodes, const char *function, syclze_event *event) {
  uint32_t count = 0;
  struct syclze__subgraph *subgraph = syclze__subgraph_new(nodes);
  syclze_accessor *joined = (syclze_accessor *)syclze__nodes_join(nodes, 0, &count);
  if (joined != NULL) syclze__group_add_accessors(group, joined, count);
  free(joined);
  if (joined == NULL || subgraph == NULL) syclze__group_fail(group, syclze__out_of_memory());
  ze_result_t result = group->status.result;
  if (result == ZE_RESULT_SUCCESS) {
    const struct syclze__recorded recorded = {
        group, SYCLZE__SUBMISSION_LISTS, NULL, NULL, NULL, subgraph, NULL};
    result = syclze__recording_add(&recorded, function, event);
  } else
    result = syclze__graph_refuse(group, group->status, function);
  if (result != ZE_RESULT_SUCCESS && subgraph != NULL) syclze__subgraph_free(subgraph);
  return result;
}

SYCLZE_INLINE struct syclze__status syclze__subgraph_allocates(void) {
  return syclze__invalid(
      "sycl_ext_oneapi_graph: a graph that allocates memory must not be a node of another");
}

/* Records the present nodes of an executable graph as one node of another graph. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN ze_result_t syclze__executable_record(
    syclze_group *group, struct syclze__executable *executable, syclze_event *event) {
  struct syclze__nodes nodes;
  struct syclze__updatable *updatable = executable->updatable;
  if (executable->pool != NULL)
    return syclze__graph_refuse(group, syclze__subgraph_allocates(), "syclze_group_execute_graph");
  if (updatable != NULL) syclze__lock_acquire(&updatable->lock);
  const bool copied = syclze__nodes_copy(&nodes, &executable->nodes);
  if (updatable != NULL) syclze__lock_release(&updatable->lock);
  if (!copied)
    return syclze__graph_refuse(group, syclze__out_of_memory(), "syclze_group_execute_graph");
  const ze_result_t result =
      syclze__subgraph_record(group, &nodes, "syclze_group_execute_graph", event);
  syclze__nodes_free(&nodes);
  return result;
}

/* Submits the build of a graph that is updated. */
SYCLZE_LOCAL ze_result_t syclze__updatable_submit(
    syclze_group *group, struct syclze__executable *executable, syclze_event *event) {
  struct syclze__executable *build = NULL;
  struct syclze__status status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__updatable_refresh(executable, &build);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__graph_refuse(group, status, "syclze_group_execute_graph");
  const ze_result_t result = syclze__graph_submit(group, build, event);
  syclze__updatable_drop(executable->updatable, build);
  return result;
}

/* Brings a graph up to date for a queue that could then append it; false for other queues. */
SYCLZE_INLINE bool syclze__updatable_prepare(
    const struct syclze__queue *queue, struct syclze__executable *executable) {
  const struct syclze__queue_state *state = syclze__queue_state_get(queue);
  const struct syclze__accesses *order = syclze__accesses_of(&executable->order->memory);
  if (state == NULL || executable->append == NULL || SYCLZE__TRACING_COMMANDS() ||
      syclze__queue_state_records(state) ||
      __atomic_load_n(&order->owner, __ATOMIC_RELAXED) != state)
    return false;
  return syclze__updatable_refresh(executable, NULL).result == ZE_RESULT_SUCCESS;
}

/* Appends the graph with an event of a queue that takes times. */
SYCLZE_LOCAL ze_result_t syclze__graph_append_stamped(
    const struct syclze__command *command, struct syclze__queue_state *state, syclze_event *event) {
  const ze_result_t result = syclze__plain_append_event(command, state, event);
  syclze__graph_hide_times(syclze__graph_of_command(command), event);
  return result;
}

/* Appends the graph by the plain way to a state that syclze__graph_enter returned. */
SYCLZE_INLINE ze_result_t syclze__graph_append_plain(const char *function,
    struct syclze__executable *executable, struct syclze__queue_state *state, syclze_event *event) {
  const struct syclze__graph_command graph =
      syclze__graph_command_of(function, syclze__graph_list_table(), executable);
  if (event != NULL && SYCLZE__UNLIKELY(state->event_kind & SYCLZE__EVENT_TIMESTAMP))
    return syclze__graph_append_stamped(&graph.command, state, event);
  return syclze__plain_append(&graph.command, state, event);
}

/* Locks and returns the state of the group's queue if the graph, brought up to date, is one append,
 * and all that the group does; else null. */
SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN struct syclze__queue_state *syclze__graph_enter_group(
    const syclze_group *group, struct syclze__executable *executable) {
  if (group->queue == NULL || syclze__group_depends(group) ||
      group->status.result != ZE_RESULT_SUCCESS)
    return NULL;
  struct syclze__queue_state *state = syclze__graph_enter(group->queue, executable);
  if (state == NULL && executable->updatable != NULL &&
      syclze__updatable_prepare(group->queue, executable))
    state = syclze__graph_enter(group->queue, executable);
  return state;
}

/* True if the group's queue records, or begins to with the group, which depends on a recorded one.
 */
SYCLZE_LOCAL bool syclze__group_records(syclze_group *group) {
  if (group->queue == NULL || group->status.result != ZE_RESULT_SUCCESS) return false;
  if (!syclze__queue_records(group->queue) &&
      (group->event_count == 0 || !syclze__group_follows_recorded(group)))
    return false;
  if (!syclze__is_forked()) return true;
  syclze__group_fail(group, syclze__check_fork());
  return false;
}

/* Submits a graph, which may be null, that is more than one append on the group's queue, or records
 * it. */
SYCLZE_LOCAL_WARM ze_result_t syclze__executable_submit(
    syclze_group *group, struct syclze__executable *rep, syclze_event *event) {
  struct syclze__status status = syclze__allowed();
  if (rep == NULL)
    status = syclze__null_handle("the executable graph is null");
  else if (group->queue != NULL)
    status = syclze__graph_check_queue(rep->order->memory.context, rep->device, group->queue);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__graph_refuse(group, status, "syclze_group_execute_graph");
  if (syclze__group_records(group)) {
    const ze_result_t result = syclze__executable_record(group, rep, event);
    if (result != SYCLZE__SUBMISSION_RECORDS) return result;
  }
  return rep->updatable != NULL ? syclze__updatable_submit(group, rep, event)
                                : syclze__graph_submit(group, rep, event);
}

SYCLZE_WARM ze_result_t syclze_group_execute_graph(
    syclze_group *group, syclze_executable_graph executable, syclze_event *event) {
  struct syclze__executable *rep = executable.rep;
  if (event != NULL) event->rep = NULL;
  SYCLZE__CHECK_IN_GROUP(group, rep, "syclze_group_execute_graph");
  struct syclze__queue_state *state = rep != NULL ? syclze__graph_enter_group(group, rep) : NULL;
  if (state == NULL) return syclze__executable_submit(group, rep, event);
  const ze_result_t result =
      syclze__graph_append_plain("syclze_group_execute_graph", rep, state, event);
  syclze_group_end(group);
  return result;
}

SYCLZE_COLD ze_result_t syclze_group_record_graph(
    syclze_group *group, syclze_graph graph, syclze_event *event) {
  const char *const function = "syclze_group_record_graph";
  SYCLZE__CHECK_IN_GROUP(group, graph.rep, function);
  struct syclze__status status = group->status;
  struct syclze__nodes nodes;
  if (event != NULL) event->rep = NULL;
  if (status.result == ZE_RESULT_SUCCESS && (graph.rep == NULL || group->queue == NULL))
    status = syclze__null_handle("the graph or the queue is null");
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__graph_check_queue(graph.rep->context, graph.rep->device, group->queue);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS) return syclze__graph_refuse(group, status, function);
  syclze__lock_acquire(&graph.rep->lock);
  const bool allocates = syclze__graph_pool_in_use(graph.rep->pool) != NULL;
  const bool copied =
      !allocates && syclze__nodes_take(&nodes, graph.rep->order, graph.rep->node_count);
  syclze__lock_release(&graph.rep->lock);
  if (allocates) return syclze__graph_refuse(group, syclze__subgraph_allocates(), function);
  if (!copied) return syclze__graph_refuse(group, syclze__out_of_memory(), function);
  ze_result_t result = SYCLZE__SUBMISSION_RECORDS;
  if (syclze__group_records(group))
    result = syclze__subgraph_record(group, &nodes, function, event);
  syclze__nodes_free(&nodes);
  if (result != SYCLZE__SUBMISSION_RECORDS) return result;
  return syclze__graph_refuse(group,
      syclze__invalid("sycl_ext_oneapi_graph: a graph that is not executable must not be submitted "
                      "to a queue that does not record"),
      function);
}

SYCLZE_WARM ze_result_t syclze_queue_submit_graph(
    syclze_queue queue, syclze_executable_graph executable, syclze_event *event) {
  struct syclze__executable *rep = executable.rep;
  if (event != NULL) event->rep = NULL;
  if (queue.rep != NULL)
    SYCLZE__CHECK_USE(queue, "syclze_queue_submit_graph", SYCLZE_RESULT_ERROR_INVALID);
  if (rep != NULL)
    SYCLZE__CHECK_USE(executable, "syclze_queue_submit_graph", SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__queue_state *state =
      SYCLZE__LIKELY(queue.rep != NULL && rep != NULL) ? syclze__graph_enter(queue.rep, rep) : NULL;
  if (SYCLZE__LIKELY(state != NULL))
    return syclze__graph_append_plain("syclze_queue_submit_graph", rep, state, event);
  syclze_group group = syclze__group_of(queue.rep);
  return rep != NULL && rep->updatable != NULL
             ? syclze_group_execute_graph(&group, executable, event)
             : syclze__executable_submit(&group, rep, event);
}

SYCLZE_WARM ze_result_t syclze_queue_submit_graph_after(syclze_queue queue,
    syclze_executable_graph executable, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  if (wait_count == 0) return (syclze_queue_submit_graph)(queue, executable, event);
  syclze_group group = syclze__group_of(queue.rep);
  syclze__group_depends_on_all(&group, waits, wait_count);
  return syclze_group_execute_graph(&group, executable, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
