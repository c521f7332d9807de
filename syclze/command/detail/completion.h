/* What becomes of an action: it is noted, or comes to nothing and gives back what it took.
 *
 * Of one that comes to nothing others may wait for the event already, and a part may be under way
 * on the device. Then the event is signalled all the same: by the device behind that part, or else
 * by a worker when what the action was to wait for is done. Until then its wait list lives. */
#ifndef SYCLZE_COMMAND_OUTCOME_H
#define SYCLZE_COMMAND_OUTCOME_H

#include "compaction.h"
#include "../group.h"

SYCLZE_EXTERN_C_BEGIN

enum syclze__action_kind {
  SYCLZE__ACTION_COMMAND, /* is appended to action.list */
  SYCLZE__ACTION_BARRIER, /* the same; without requirements it waits for all that the queue was
                             given, and all that comes later waits for it */
  SYCLZE__ACTION_HOST /* is not appended: action.list and action.signal are null, action.event is
                         set, and whoever runs the action signals it from the host */
};

struct syclze__action {
  struct syclze__stream *stream;
  ze_command_list_handle_t list;
  ze_event_handle_t signal; /* null when nobody needs one */
  uint32_t wait_count;
  ze_event_handle_t *waits;    /* until the end of the action; the events live until its own event
                                  is signalled */
  struct syclze__event *event; /* until the end of the action; null for none */
  const char *function;
  struct syclze__pending *pending; /* what the stream keeps until the event is signalled */
  struct syclze__access *accesses; /* one for each accessor that is not told yet, the last first */
  uint32_t told;                   /* accessors, from the first, that others know of */
  bool begun; /* the device has been given what waits for the wait list, if not all of the action */
  struct syclze__trace_node *traced; /* null unless it is told */
};

SYCLZE_COLD ze_result_t syclze__action_undo(syclze_group *group, struct syclze__action *action,
    ze_result_t result, const char *rule) SYCLZE_LINK_NAME(syclze__action_undo);
SYCLZE_COLD ze_result_t syclze__action_pass(const struct syclze__action *action)
    SYCLZE_LINK_NAME(syclze__action_pass);
SYCLZE_COLD void syclze__action_abandon(struct syclze__action *action)
    SYCLZE_LINK_NAME(syclze__action_abandon);
SYCLZE_COLD void syclze__action_leave(enum syclze__action_kind kind, struct syclze__action *action,
    syclze_event *event) SYCLZE_LINK_NAME(syclze__action_leave);

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_WARM void syclze__action_trace_end(struct syclze__action *action, ze_result_t result)
    SYCLZE_LINK_NAME(syclze__action_trace_end);

/* Of a host task the node is its own by now, unless its submission failed. */
SYCLZE_WARM void syclze__action_trace_end(struct syclze__action *action, ze_result_t result) {
  /* With an event there is more to do. */
  const bool over = result != ZE_RESULT_SUCCESS || action->event == NULL;
  struct syclze__trace_node *node = action->traced;
  action->traced = NULL;
  if (SYCLZE__LIKELY(node != NULL && action->list != NULL)) {
    syclze__trace_command_end(node, result, over);
    return;
  }
  if (node != NULL)
    syclze__trace_host_end(node, false);
  else
    syclze__trace_forget();
  if (over) syclze__trace_submitted();
}
#endif

/* Notes what was submitted with an event. */
SYCLZE_COLD void syclze__action_leave(
    enum syclze__action_kind kind, struct syclze__action *action, syclze_event *event) {
  struct syclze__stream *stream = action->stream;
  syclze__stream_keep(stream, action->pending);
  if (stream->in_order)
    syclze__event_put(
        &stream->after, action->list == NULL || !stream->native_order ? action->event : NULL);
  else if (kind == SYCLZE__ACTION_BARRIER)
    syclze__event_put(&stream->barrier, action->event);
  /* In native order, the command stands for all before it. */
  if (stream->native_order && action->list != NULL) {
    syclze__event_put(&stream->mark, action->event);
    stream->mark_position = stream->position;
  }
  /* Two for each that comes, so that what is kept does not grow while work completes. */
  syclze__stream_prune(stream, 2);
  if (event != NULL)
    event->rep = action->event;
  else
    syclze__event_drop(action->event);
  SYCLZE__TRACE(submitted());
}

/* Gives back what an action took, and reports. With the queue's lock held if it has a stream. */
SYCLZE_COLD ze_result_t syclze__action_undo(
    syclze_group *group, struct syclze__action *action, ze_result_t result, const char *rule) {
  struct syclze__stream *stream = action->stream;
  if (stream != NULL) {
    while (action->accesses != NULL) {
      struct syclze__access *access = action->accesses;
      action->accesses = access->next;
      syclze__access_end(access);
    }
    syclze__stream_forget_waits(stream);
    if (action->begun && syclze__action_pass(action) == ZE_RESULT_SUCCESS) {
      stream->position++;
      syclze__action_leave(SYCLZE__ACTION_COMMAND, action, NULL);
    } else {
      if ((action->told != 0 || action->begun) && action->pending != NULL)
        syclze__action_abandon(action);
      else if (action->pending != NULL)
        syclze__pending_end(stream, action->pending);
      if (action->event != NULL) syclze__event_drop(action->event);
    }
    syclze__lock_give(&stream->lock);
  }
  const void *native = group->queue != NULL ? group->queue->native.queue : NULL;
  syclze__group_end(group);
  syclze__refuse(result, action->function, rule, native);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING() || action->traced != NULL) syclze__action_trace_end(action, result);
  syclze__trace_kernel(NULL);
  syclze__trace_transfer(NULL);
#endif
  return result;
}

SYCLZE_COLD ze_result_t syclze__list_execute(struct syclze__queue *queue,
    ze_command_list_handle_t list) SYCLZE_LINK_NAME(syclze__list_execute);

/* Closes a regular list and executes it. */
SYCLZE_COLD ze_result_t syclze__list_execute(
    struct syclze__queue *queue, ze_command_list_handle_t list) {
  ze_result_t result = zeCommandListClose(list);
  if (result != ZE_RESULT_SUCCESS) return result;
  return zeCommandQueueExecuteCommandLists(queue->native.queue, 1, &list, NULL);
}

/* A part of the action is under way: has the device signal its event once it is past that. */
SYCLZE_COLD ze_result_t syclze__action_pass(const struct syclze__action *action) {
  struct syclze__queue *queue = action->stream->queue;
  const bool is_list = action->stream->is_list;
  ze_result_t result = is_list ? ZE_RESULT_SUCCESS : zeCommandListReset(action->list);
  if (result == ZE_RESULT_SUCCESS)
    result = zeCommandListAppendBarrier(action->list, action->signal, 0, NULL);
  if (result != ZE_RESULT_SUCCESS || is_list) return result;
  return syclze__list_execute(queue, action->list);
}

/* The action came to nothing, but others may wait for its event already, and know of what it waits
 * for by it alone: it is signalled once all of that is done. */
SYCLZE_COLD void syclze__action_abandon(struct syclze__action *action) {
  struct syclze__stream *stream = action->stream;
  struct syclze__pending *pending = action->pending;
  struct syclze__event **waits = pending->many != NULL ? pending->many : pending->few;
  struct syclze__bridge *bridge = syclze__bridge_make(stream->queue);
  ze_result_t result = bridge != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < pending->wait_count && result == ZE_RESULT_SUCCESS; i++)
    result = syclze__stream_wait(bridge->stream, waits[i]);
  if (result == ZE_RESULT_SUCCESS) {
    bridge->done[0] = action->event;
    syclze__ref_retain(&action->event->ref);
    result = syclze__bridge_submit(bridge);
  }
  if (result != ZE_RESULT_SUCCESS) {
    if (bridge != NULL) syclze__bridge_end(bridge);
    bool done = true;
    for (uint32_t i = 0; i < pending->wait_count; i++)
      done = done && syclze__event_await(waits[i]) == ZE_RESULT_SUCCESS;
    if (done) syclze__event_signal(action->event, stream->queue);
  }
  if (!action->begun) syclze__pending_idle(stream, pending);
  pending->is_host = true;
  syclze__stream_keep(stream, pending);
  if (!stream->in_order) return;
  /* Its place in the order is taken, by a wait that the native queue knows nothing of. */
  if (stream->native_order) stream->position++;
  syclze__event_put(&stream->after, action->event);
}

SYCLZE_EXTERN_C_END

#endif
