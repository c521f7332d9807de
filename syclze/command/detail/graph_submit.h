/* The submission of executable graphs. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_SUBMIT_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_SUBMIT_H

#include "graph_executable.h"

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

/* A list of the submission's, closed, that waits for what the graph waits for. */
SYCLZE_LOCAL ze_result_t syclze__graph_gate(
    const struct syclze__submission *submission, ze_command_list_handle_t *list) {
  struct syclze__regular_list *gate;
  ze_result_t result = syclze__regular_list_acquire(submission->state, &gate);
  if (result != ZE_RESULT_SUCCESS) return result;
  gate->next = submission->event->pending.lists;
  submission->event->pending.lists = gate;
  *list = gate->native;
  result = SYCLZE__ZE(zeCommandListAppendWaitOnEvents)(
      gate->native, submission->wait_count, submission->waits.natives);
  return result == ZE_RESULT_SUCCESS ? SYCLZE__ZE(zeCommandListClose)(gate->native) : result;
}

/* Executes the graph's list on a command queue, behind one that waits if need be, and before
 * `signal`, if that is not null. */
SYCLZE_LOCAL ze_result_t syclze__graph_execute(const struct syclze__executable *executable,
    ze_command_queue_handle_t queue, const struct syclze__submission *submission,
    ze_command_list_handle_t signal) {
  ze_command_list_handle_t lists[3];
  uint32_t count = 0;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (submission->wait_count > 0) result = syclze__graph_gate(submission, &lists[count++]);
  if (result != ZE_RESULT_SUCCESS) return result;
  lists[count++] = executable->list;
  if (signal != NULL) lists[count++] = signal;
  return SYCLZE__ZE(zeCommandQueueExecuteCommandLists)(queue, count, lists, NULL);
}

/* The same before the submission's own list, which signals. */
SYCLZE_LOCAL ze_result_t syclze__graph_execute_and_signal(
    const struct syclze__executable *executable, ze_command_queue_handle_t queue,
    const struct syclze__submission *submission, ze_command_list_handle_t signal) {
  ze_result_t result =
      SYCLZE__ZE(zeCommandListAppendBarrier)(signal, submission->event->native, 0, NULL);
  if (result == ZE_RESULT_SUCCESS) result = SYCLZE__ZE(zeCommandListClose)(signal);
  if (result != ZE_RESULT_SUCCESS) return result;
  return syclze__graph_execute(executable, queue, submission, signal);
}

/* The lane of a queue, or a new one; null without memory. With the lock of the lanes. */
SYCLZE_LOCAL ze_result_t syclze__graph_lane_find(struct syclze__executable *executable,
    struct syclze__queue_state *state, struct syclze__graph_lane **found) {
  struct syclze__graph_lane *lane = executable->lanes, *ended = NULL;
  for (; lane != NULL && lane->state != state; lane = lane->next)
    if (__atomic_load_n(&lane->state->has_ended, __ATOMIC_ACQUIRE)) ended = lane;
  *found = lane;
  if (lane != NULL) return ZE_RESULT_SUCCESS;
  if (ended == NULL) {
    ended = (struct syclze__graph_lane *)calloc(1, sizeof *ended);
    if (ended == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    const ze_result_t result =
        syclze__graph_queue_create(executable, executable->order->memory.context, &ended->native);
    if (result != ZE_RESULT_SUCCESS) {
      free(ended);
      return result;
    }
    ended->next = executable->lanes;
    executable->lanes = ended;
  } else
    syclze__queue_state_release(ended->state);
  syclze__queue_state_retain(state);
  ended->state = state;
  *found = ended;
  return ZE_RESULT_SUCCESS;
}

/* By a command queue of the graph's own, for an immediate list. */
SYCLZE_LOCAL ze_result_t syclze__graph_append_by_queue(
    const struct syclze__command *command, struct syclze__submission *submission) {
  struct syclze__executable *executable = syclze__graph_of_command(command);
  struct syclze__event *event = submission->event;
  struct syclze__graph_lane *lane;
  submission->kind = SYCLZE__SUBMISSION_COMMAND; /* from here on only to traces */
  syclze__lock_acquire(&executable->lane_lock);
  ze_result_t result = syclze__graph_lane_find(executable, submission->state, &lane);
  syclze__lock_release(&executable->lane_lock);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__regular_list_acquire(submission->state, &event->pending.lists);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__graph_execute_and_signal(
        executable, lane->native, submission, event->pending.lists->native);
  /* From here on the device signals it. */
  if (result == ZE_RESULT_SUCCESS) syclze__event_close(event);
  return result;
}

/* On the submission's own command queue, all at once. */
SYCLZE_LOCAL ze_result_t syclze__graph_append_to_queue(
    const struct syclze__command *command, struct syclze__submission *submission) {
  return syclze__graph_execute_and_signal(syclze__graph_of_command(command),
      submission->state->queue->native.queue, submission, submission->list);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__graph_append(
    const struct syclze__command *command, struct syclze__submission *submission) {
  struct syclze__executable *executable = syclze__graph_of_command(command);
  return executable->append(submission->list, 1, &executable->list, submission->signal,
      submission->wait_count, submission->waits.natives);
}

#if XPTI_ENABLE_INSTRUMENTATION
/* A command of the device in any case. */
SYCLZE_LOCAL void syclze__graph_trace(
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  trace->command.graph = syclze__graph_of_command(command);
  trace->command.is_host = false;
}
#endif

/* Executes a list on the graph's own command queue, and waits for it. */
SYCLZE_LOCAL ze_result_t syclze__graph_run_list(
    struct syclze__executable *executable, ze_command_list_handle_t list) {
  const ze_result_t result =
      SYCLZE__ZE(zeCommandQueueExecuteCommandLists)(executable->queue, 1, &list, NULL);
  return result == ZE_RESULT_SUCCESS ? syclze__executable_wait(executable) : result;
}

/* A graph with host tasks, which is one host task itself: its parts one after the other. */
SYCLZE_LOCAL ze_result_t syclze__graph_run(syclze_interop_handle handle, void *argument) {
  struct syclze__executable *executable = (struct syclze__executable *)argument;
  struct syclze__interop *interop = handle.rep;
  const struct syclze__interop whole = *interop;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < executable->part_count && result == ZE_RESULT_SUCCESS; i++) {
    const struct syclze__graph_part *part = &executable->parts[i];
    if (part->task == NULL) {
      result = syclze__graph_run_list(executable, part->list);
      continue;
    }
    syclze__node_lend(part->task, interop);
    result = part->task->function(handle, part->task->argument);
  }
  interop->accessors = whole.accessors;
  interop->memories = whole.memories;
  interop->accessor_count = whole.accessor_count;
  return result;
}

/* By the way of all commands. */
SYCLZE_LOCAL_WARM ze_result_t syclze__graph_submit(
    syclze_group *group, struct syclze__executable *executable, syclze_event *event) {
  struct syclze__graph_command graph;
  const bool is_list =
      group->queue != NULL && group->queue->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
  graph.command = syclze__command_of(
      "syclze_group_execute_graph", !is_list                     ? syclze__graph_append_to_queue
                                    : executable->append != NULL ? syclze__graph_append
                                                                 : syclze__graph_append_by_queue);
  graph.command.size = sizeof graph;
#if XPTI_ENABLE_INSTRUMENTATION
  graph.command.trace = syclze__graph_trace;
#endif
  graph.executable = executable;
  /* What is in no native list of the queue is as a host task to it. */
  if (is_list && executable->append == NULL) graph.command.kind = SYCLZE__SUBMISSION_HOST;
  if (!is_list) graph.command.kind = SYCLZE__SUBMISSION_LISTS;
  for (uint32_t i = 0; i < executable->accessor_count; i++)
    syclze__group_add_accessor(group, executable->accessors[i], NULL);
  if (executable->list == NULL)
    return syclze_group_host_task(group, syclze__graph_run, executable, event);
  return syclze__command_submit_full(group, &graph.command, event);
}

/* syclze__submission_owns for what the graph accesses, all of it whole. */
SYCLZE_INLINE bool syclze__graph_is_owned(
    const struct syclze__executable *executable, const struct syclze__queue_state *state) {
  const uint64_t position = state->position + 1;
  const struct syclze__graph_access *access = executable->accesses;
  for (const struct syclze__graph_access *end = access + executable->accessor_count; access != end;
       access++) {
    if (SYCLZE__UNLIKELY(__atomic_load_n(&access->all->owner, __ATOMIC_RELAXED) != state))
      return false;
    *access->position = position;
  }
  return true;
}

/* The state, locked, of a queue on which the graph is one append; else null. */
SYCLZE_INLINE struct syclze__queue_state *syclze__graph_enter(
    const struct syclze__queue *queue, const struct syclze__executable *executable) {
  if (SYCLZE__UNLIKELY(executable->append == NULL) || SYCLZE__TRACING_COMMANDS()) return NULL;
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (SYCLZE__UNLIKELY(state == NULL || !syclze__lock_try(&state->lock))) return NULL;
  /* A state that owns the graph is of its context and device. */
  if (SYCLZE__LIKELY(state->obstacles == 0 && syclze__graph_is_owned(executable, state)))
    return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

SYCLZE_INLINE syclze_queue syclze__queue_of_group(const syclze_group *group) {
  const syclze_queue queue = {group->queue};
  return queue;
}

SYCLZE_WARM ze_result_t syclze_group_execute_graph(
    syclze_group *group, syclze_executable_graph executable, syclze_event *event) {
  if (event != NULL) event->rep = NULL;
  struct syclze__status status = syclze__allowed();
  if (executable.rep == NULL)
    status = syclze__null_handle("the executable graph is null");
  else if (group->queue != NULL)
    status = syclze__graph_check_queue(
        executable.rep->order->memory.context, executable.rep->device, group->queue);
  if (status.result == ZE_RESULT_SUCCESS &&
      syclze_queue_is_recording(syclze__queue_of_group(group)))
    status = syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
        "the queue records to a graph, and an executable graph is no part of another");
  if (status.result == ZE_RESULT_SUCCESS) return syclze__graph_submit(group, executable.rep, event);
  syclze__group_fail(group, status);
  syclze_group_end(group);
  return syclze__fail(status.result, "syclze_group_execute_graph", status.rule,
      group->queue != NULL ? group->queue->native.queue : NULL);
}

SYCLZE_WARM ze_result_t syclze_queue_submit_graph(
    syclze_queue queue, syclze_executable_graph executable, syclze_event *event) {
  struct syclze__executable *rep = executable.rep;
  struct syclze__queue_state *state =
      SYCLZE__LIKELY(queue.rep != NULL && rep != NULL) ? syclze__graph_enter(queue.rep, rep) : NULL;
  struct syclze__event *created = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(state == NULL)) {
    syclze_group group = syclze__group_of(queue.rep);
    return syclze_group_execute_graph(&group, executable, event);
  }
  if (event != NULL) {
    event->rep = NULL;
    created = syclze__pending_take(state, NULL);
    if (SYCLZE__UNLIKELY(created == NULL)) result = syclze__pending_create(state, &created);
  }
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = rep->append(
        queue.rep->native.list, 1, &rep->list, created != NULL ? created->native : NULL, 0, NULL);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(state, created, result,
        "zeCommandListImmediateAppendCommandListsExp failed, or no memory",
        "syclze_queue_submit_graph");
  if (event != NULL) event->rep = created;
  syclze__queue_state_leave(state, created);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
