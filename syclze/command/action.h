/* How an action of a command group gets its wait list and leaves its event:
 *
 * syclze__action_begin gives the list, the wait list and the event to signal; the caller makes its
 * one Level Zero call with them, and hands its result to syclze__action_end.
 *
 * Between the two calls the queue's lock is held, and where the group depends on others, the lock
 * of all dependencies: nothing may be submitted, nor waited for. */
#ifndef SYCLZE_COMMAND_ACTION_H
#define SYCLZE_COMMAND_ACTION_H

#include "group.h"

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
  struct syclze__access *accesses; /* one for each accessor, the last first */
  bool depends;
};

SYCLZE_COLD ze_result_t syclze__action_undo(syclze_group *group, struct syclze__action *action,
    ze_result_t result, const char *rule) SYCLZE_LINK_NAME(syclze__action_undo);
SYCLZE_INLINE ze_result_t syclze__action_gather(
    const syclze_group *group, enum syclze__action_kind kind, struct syclze__action *action)
    SYCLZE_LINK_NAME(syclze__action_gather);
SYCLZE_COLD ze_result_t syclze__action_keep(enum syclze__action_kind kind,
    struct syclze__action *action) SYCLZE_LINK_NAME(syclze__action_keep);

SYCLZE_INLINE void syclze__action_unlock(const struct syclze__action *action) {
  syclze__lock_give(&action->stream->lock);
  if (action->depends) syclze__lock_give(&SYCLZE__STATE.dependency_lock);
}

/* Gives back what an action took, and reports. */
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
    if (action->pending != NULL) syclze__pending_end(stream, action->pending);
    if (action->event != NULL) syclze__event_drop(action->event);
    syclze__action_unlock(action);
  }
  const void *native = group->queue != NULL ? group->queue->native.queue : NULL;
  syclze__group_end(group);
  return syclze__refuse(result, action->function, rule, native);
}

SYCLZE_COLD ze_result_t syclze__action_wait_across(struct syclze__stream *stream,
    struct syclze__event *event) SYCLZE_LINK_NAME(syclze__action_wait_across);

/* Waits for an event of another context. */
SYCLZE_COLD ze_result_t syclze__action_wait_across(
    struct syclze__stream *stream, struct syclze__event *event) {
  struct syclze__event *here;
  ze_result_t result = syclze__bridge_event(stream->queue, event, &here);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__stream_wait(stream, here);
  syclze__event_drop(here);
  return result;
}

/* Sees to it that what is accessed is current in the queue's context. */
SYCLZE_INLINE ze_result_t syclze__action_bring(const syclze_group *group) {
  const syclze_accessor *accessors = syclze__group_accessors(group);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < group->accessor_count && result == ZE_RESULT_SUCCESS; i++)
    if (SYCLZE__UNLIKELY(syclze__mirror_of(accessors[i].memory) != NULL))
      result = syclze__mirror_bring(&accessors[i], group->queue);
  return result;
}

/* The wait list. */
SYCLZE_INLINE ze_result_t syclze__action_gather(
    const syclze_group *group, enum syclze__action_kind kind, struct syclze__action *action) {
  struct syclze__stream *stream = action->stream;
  struct syclze__event *const *events = syclze__group_events(group);
  const syclze_accessor *accessors = syclze__group_accessors(group);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < group->event_count && result == ZE_RESULT_SUCCESS; i++)
    result = SYCLZE__LIKELY(events[i]->context == group->queue->context)
                 ? syclze__stream_wait(stream, events[i])
                 : syclze__action_wait_across(stream, events[i]);
  for (uint32_t i = 0; i < group->accessor_count && result == ZE_RESULT_SUCCESS; i++)
    result = syclze__depend(stream, &accessors[i], &action->accesses);
  if (result == ZE_RESULT_SUCCESS && kind == SYCLZE__ACTION_HOST && stream->native_order) {
    result = syclze__stream_mark(stream);
    if (result == ZE_RESULT_SUCCESS && stream->mark != NULL)
      result = syclze__stream_wait(stream, stream->mark);
  }
  if (result == ZE_RESULT_SUCCESS && stream->after != NULL)
    result = syclze__stream_wait(stream, stream->after);
  if (result == ZE_RESULT_SUCCESS && stream->barrier != NULL &&
      (kind == SYCLZE__ACTION_HOST || !stream->is_list))
    result = syclze__stream_wait(stream, stream->barrier);
  /* What the native list's own barrier does not wait for. */
  if (kind == SYCLZE__ACTION_BARRIER && !action->depends && !stream->in_order)
    for (struct syclze__pending *pending = stream->first;
         pending != NULL && result == ZE_RESULT_SUCCESS; pending = pending->next)
      if (pending->is_host || !stream->is_list)
        result = syclze__stream_wait(stream, pending->event);
  return result;
}

/* The event, and what the stream keeps until it is signalled. */
SYCLZE_COLD ze_result_t syclze__action_keep(
    enum syclze__action_kind kind, struct syclze__action *action) {
  struct syclze__stream *stream = action->stream;
  ze_result_t result = syclze__event_fresh(stream, &action->event);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__pending *pending = action->pending = syclze__pending_new(action->event);
  if (pending == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  struct syclze__event **kept = pending->few;
  if (stream->wait_count > SYCLZE__PENDING_FEW)
    kept = pending->many = (struct syclze__event **)malloc(stream->wait_count * sizeof *kept);
  if (kept == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (kind == SYCLZE__ACTION_HOST)
    pending->is_host = true;
  else {
    action->signal = action->event->native;
    if (!stream->is_list) {
      result = syclze__stream_regular(stream, &pending->regular);
      if (result != ZE_RESULT_SUCCESS) return result;
      action->list = pending->regular->list;
    }
  }
  for (uint32_t i = 0; i < stream->wait_count; i++)
    kept[i] = stream->held[i];
  pending->wait_count = action->wait_count = stream->wait_count;
  action->waits = stream->waits;
  stream->wait_count = 0;
  return result;
}

/* Takes the locks, and all that the action needs. `event` may be null; it is set to null. After an
 * error the group is over and nothing is held. */
SYCLZE_INLINE ze_result_t syclze__action_begin(syclze_group *group, enum syclze__action_kind kind,
    syclze_event *event, const char *function, struct syclze__action *action) {
  memset(action, 0, sizeof *action);
  action->function = function;
  if (event != NULL) event->rep = NULL;
  if (SYCLZE__UNLIKELY(group->verdict.result != ZE_RESULT_SUCCESS))
    return syclze__action_undo(group, action, group->verdict.result, group->verdict.rule);
  struct syclze__stream *stream = syclze__stream_of(group->queue);
  if (SYCLZE__UNLIKELY(stream == NULL))
    return syclze__action_undo(
        group, action, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for the queue's work");
  action->depends = syclze__group_depends(group);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (action->depends) {
    syclze__lock_take(&SYCLZE__STATE.dependency_lock);
    result = syclze__action_bring(group);
  }
  syclze__lock_take(&stream->lock);
  action->stream = stream;
  if (SYCLZE__LIKELY(stream->is_list && kind != SYCLZE__ACTION_HOST))
    action->list = group->queue->native.list;
  if (result == ZE_RESULT_SUCCESS && (action->depends || stream->after != NULL ||
                                         kind != SYCLZE__ACTION_COMMAND || !stream->is_list))
    result = syclze__action_gather(group, kind, action);
  bool untold = !stream->native_order && (group->accessor_count != 0 || stream->in_order ||
                                             kind == SYCLZE__ACTION_BARRIER || !stream->is_list);
  if (result == ZE_RESULT_SUCCESS &&
      (event != NULL || stream->wait_count != 0 || untold || kind == SYCLZE__ACTION_HOST))
    result = syclze__action_keep(kind, action);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__action_undo(
      group, action, result, "what the submission waits for or signals cannot be had");
}

/* Notes what was submitted with an event, or with accessors. */
SYCLZE_INLINE void syclze__action_leave(syclze_group *group, enum syclze__action_kind kind,
    struct syclze__action *action, syclze_event *event) {
  struct syclze__stream *stream = action->stream;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  if (action->pending != NULL) syclze__stream_keep(stream, action->pending);
  for (uint32_t i = group->accessor_count; i > 0; i--) {
    struct syclze__access *access = action->accesses;
    action->accesses = access->next;
    syclze__depend_done(stream, &accessors[i - 1], access, action->event);
    if (accessors[i - 1].mode != SYCLZE_ACCESS_READ &&
        SYCLZE__UNLIKELY(syclze__mirror_of(accessors[i - 1].memory) != NULL))
      syclze__mirror_written(accessors[i - 1].memory);
  }
  if (stream->in_order)
    syclze__event_put(
        &stream->after, action->list == NULL || !stream->native_order ? action->event : NULL);
  else if (kind == SYCLZE__ACTION_BARRIER)
    syclze__event_put(&stream->barrier, action->event);
  /* Two for each that comes, so that what is kept does not grow while work completes. */
  syclze__stream_prune(stream, 2);
  if (action->event == NULL) return;
  if (event != NULL)
    event->rep = action->event;
  else
    syclze__event_drop(action->event);
}

/* Ends the action, of which appending returned `result`; `rule` says what failed then. */
SYCLZE_INLINE ze_result_t syclze__action_end(syclze_group *group, enum syclze__action_kind kind,
    struct syclze__action *action, syclze_event *event, ze_result_t result, const char *rule) {
  struct syclze__stream *stream = action->stream;
  if (SYCLZE__UNLIKELY(!stream->is_list && action->list != NULL)) {
    if (result == ZE_RESULT_SUCCESS) result = zeCommandListClose(action->list);
    if (result == ZE_RESULT_SUCCESS)
      result =
          zeCommandQueueExecuteCommandLists(group->queue->native.queue, 1, &action->list, NULL);
  }
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__action_undo(group, action, result, rule);
  if (action->list != NULL) stream->position++;
  if (action->event != NULL || action->accesses != NULL)
    syclze__action_leave(group, kind, action, event);
  syclze__action_unlock(action);
  syclze__group_end(group);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
