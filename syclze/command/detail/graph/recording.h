/* Queues that record: the interface of submissions to the graph that their queue records to
 * (graph.h).
 *
 * A queue that records has an obstacle, so that no submission takes a short way. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_RECORDING_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_RECORDING_H

#include "../../../owner.h"
#include "../plain/open_event.h"
#include "../host/interop_handle.h"
#include "../commands/kernel_use.h"
#include "../submit/submission_lock.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__command;
struct syclze__graph;
struct syclze__node;
struct syclze__subgraph;

/* A command group that is recorded. */
struct syclze__recorded {
  syclze_group *group;
  enum syclze__submission_kind kind;
  const struct syclze__command *command; /* null for a function */
  ze_result_t (*function)(syclze_interop_handle handle, void *argument);
  void *argument;
  struct syclze__subgraph *subgraph; /* null unless the group is a graph */
  /* Completes the new node, whose edges are complete, as `argument` describes, with the graph's
   * lock held; null for none. A barrier then orders no others. */
  struct syclze__status (*place)(
      struct syclze__graph *graph, struct syclze__node *node, void *argument);
};

/* The recording of a queue, while it records. */
struct syclze__recording {
  /* Adds the group, with the lock of the queue's state held. `event` may be null; the event of a
   * group that is not added is released without the lock. ZE_RESULT_NOT_READY: release the lock,
   * await the kernel's owner, and try again. */
  struct syclze__status (*add)(struct syclze__recording *recording,
      const struct syclze__recorded *recorded, struct syclze__event **event);
  /* Keeps the graph, with the lock of the queue's state held; false if it ends. */
  bool (*keep)(struct syclze__recording *recording);
  /* Begins the recording of another queue to the graph, and drops what `keep` kept. */
  struct syclze__status (*join)(struct syclze__recording *recording, struct syclze__queue *queue);
};

/* The beginning of the owner's data of a recorded event. */
struct syclze__recorded_by {
  struct syclze__queue_state *state; /* of the queue that recorded, with a reference */
};

#if SYCLZE__BODIES

/* The result of a submission to a queue that records: nothing is begun. */
#define SYCLZE__SUBMISSION_RECORDS ZE_RESULT_FORCE_UINT32

SYCLZE_INLINE struct syclze__status syclze__recorded_event_status(void) {
  return syclze__invalid("sycl_ext_oneapi_graph: the event is of a command group that was recorded "
                         "to a graph, and only later groups of that graph may depend on it");
}

/* True if the group depends on a recorded one. */
SYCLZE_LOCAL bool syclze__group_follows_recorded(const syclze_group *group) {
  struct syclze__event *const *events = syclze__group_events(group);
  uint32_t i = 0;
  while (i < group->event_count && !syclze__event_is_recorded(events[i]))
    i++;
  return i < group->event_count;
}

/* Begins the recording of a group's queue to the graph of an event that the group depends on, if
 * the queue of the event still records. */
SYCLZE_LOCAL struct syclze__status syclze__recording_join(
    const syclze_group *group, const struct syclze__event *event) {
  const struct syclze__recorded_by *by =
      (const struct syclze__recorded_by *)syclze__owner_get(&event->ref).data;
  if (syclze__queue_state_require(group->queue) == NULL) return syclze__out_of_memory();
  syclze__lock_acquire(&by->state->lock);
  struct syclze__recording *recording = by->state->recording;
  const bool is_kept = recording != NULL && recording->keep(recording);
  syclze__lock_release(&by->state->lock);
  return is_kept ? recording->join(recording, group->queue) : syclze__recorded_event_status();
}

/* Joins by the first of the group's events that allows it. SYCLZE__SUBMISSION_RECORDS: none of them
 * is recorded. */
SYCLZE_LOCAL struct syclze__status syclze__group_join(const syclze_group *group) {
  struct syclze__event *const *events = syclze__group_events(group);
  struct syclze__status status = syclze__status_of(SYCLZE__SUBMISSION_RECORDS, NULL);
  for (uint32_t i = 0; i < group->event_count && status.result != ZE_RESULT_SUCCESS; i++)
    if (syclze__event_is_recorded(events[i])) status = syclze__recording_join(group, events[i]);
  return status;
}

/* Fails the group if its command, which is recorded in other uses, would be. */
SYCLZE_LOCAL void syclze__recording_exclude(syclze_group *group, const char *rule) {
  if (syclze__queue_records(group->queue) || syclze__group_follows_recorded(group))
    syclze__group_fail(group, syclze__invalid(rule));
}

/* Adds the group to the graph that its queue records to, or begins to, and ends the group.
 * SYCLZE__SUBMISSION_RECORDS: the queue no longer records. `event` may be null. */
SYCLZE_LOCAL_WARM ze_result_t syclze__recording_add(
    const struct syclze__recorded *recorded, const char *function, syclze_event *event) {
  struct syclze__queue *queue = recorded->group->queue;
  struct syclze__event *created = NULL;
  const syclze_accessor *accessors = syclze__group_accessors(recorded->group);
  ze_result_t required = ZE_RESULT_SUCCESS;
  /* The locks of memory objects precede those of queues. */
  for (uint32_t i = 0; i < recorded->group->accessor_count && required == ZE_RESULT_SUCCESS; i++)
    required = syclze__accesses_require(accessors[i].memory);
  struct syclze__status status =
      syclze__status_of(required, "no memory for the accesses of a memory object");
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (SYCLZE__UNLIKELY(state == NULL || !syclze__queue_state_records(state)) &&
      required == ZE_RESULT_SUCCESS) {
    status = syclze__group_join(recorded->group);
    required = status.result;
    state = syclze__queue_state_get(queue);
  }
  while (required == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&state->lock);
    struct syclze__recording *recording = state->recording;
    status = recording == NULL
                 ? syclze__status_of(SYCLZE__SUBMISSION_RECORDS, NULL)
                 : recording->add(recording, recorded, event != NULL ? &created : NULL);
    syclze__lock_release(&state->lock);
    if (status.result != ZE_RESULT_NOT_READY) break;
    syclze__kernel_await_owner(recorded->command->kernel);
  }
  if (status.result == SYCLZE__SUBMISSION_RECORDS) return status.result;
  syclze_group_end(recorded->group);
  if (status.result != ZE_RESULT_SUCCESS && created != NULL) syclze__event_release(created);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, queue->native.queue);
  if (event != NULL) event->rep = created;
  return status.result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
