/* How an action of a command group gets its wait list and leaves its event:
 *
 * syclze__action_begin gives the list, the wait list and the event to signal; the caller makes its
 * one Level Zero call with them, and hands its result to syclze__action_end.
 *
 * What the action accesses is known to others from the first call on, and the queue's lock is held
 * between the two: nothing may be submitted to the queue in between. The lock of all dependencies
 * is not: an append may block, as those of a synchronous list do, until a host task has run that
 * submits itself. Whoever holds that lock waits for no queue's lock but those of lists in native
 * order, which the library made and which do not block; and whoever holds a queue's lock does not
 * wait for it. */
#ifndef SYCLZE_COMMAND_ACTION_H
#define SYCLZE_COMMAND_ACTION_H

#include "completion.h"

SYCLZE_EXTERN_C_BEGIN

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

SYCLZE_COLD ze_result_t syclze__action_wait_available(struct syclze__stream *stream,
    struct syclze__memory *memory) SYCLZE_LINK_NAME(syclze__action_wait_available);

/* Memory that an event of another context makes available waits for one of its own from here on. */
SYCLZE_COLD ze_result_t syclze__action_wait_available(
    struct syclze__stream *stream, struct syclze__memory *memory) {
  struct syclze__event *here;
  if (memory->available->context == memory->context) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__bridge_event(stream->queue, memory->available, &here);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__event_put(&memory->available, here);
  syclze__event_drop(here);
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
  for (uint32_t i = action->told; i < group->accessor_count && result == ZE_RESULT_SUCCESS; i++) {
    if (SYCLZE__UNLIKELY(accessors[i].memory->available != NULL))
      result = syclze__action_wait_available(stream, accessors[i].memory);
    if (result == ZE_RESULT_SUCCESS)
      result =
          syclze__depend(stream, &accessors[i], syclze__group_part(group, i), &action->accesses);
  }
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
  if (kind == SYCLZE__ACTION_BARRIER && !syclze__group_depends(group) && !stream->in_order)
    for (struct syclze__pending *pending = stream->first;
         pending != NULL && result == ZE_RESULT_SUCCESS; pending = pending->next)
      if (pending->is_host || !stream->is_list)
        result = syclze__stream_wait(stream, pending->event);
  return result;
}

SYCLZE_COLD ze_result_t syclze__action_keep(enum syclze__action_kind kind,
    struct syclze__action *action) SYCLZE_LINK_NAME(syclze__action_keep);

/* The event, and what the stream keeps until it is signalled. */
SYCLZE_COLD ze_result_t syclze__action_keep(
    enum syclze__action_kind kind, struct syclze__action *action) {
  struct syclze__stream *stream = action->stream;
  ze_result_t result = syclze__event_fresh(stream, &action->event);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (SYCLZE__UNLIKELY(stream->profiling)) {
    uint64_t host;
    zeDeviceGetGlobalTimestamps(stream->queue->device->native, &host, &action->event->submitted);
  }
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

SYCLZE_COLD void syclze__action_tell(const syclze_group *group, struct syclze__action *action)
    SYCLZE_LINK_NAME(syclze__action_tell);

/* Lets others know of the accesses. */
SYCLZE_COLD void syclze__action_tell(const syclze_group *group, struct syclze__action *action) {
  const syclze_accessor *accessors = syclze__group_accessors(group);
  for (uint32_t i = group->accessor_count; i > action->told; i--) {
    struct syclze__access *access = action->accesses;
    action->accesses = access->next;
    syclze__depend_done(action->stream, &accessors[i - 1], access, action->event);
    if (SYCLZE__UNLIKELY(access->depth >= SYCLZE__ACCESSES_FOLD)) {
      struct syclze__accesses *all = syclze__accesses_of(accessors[i - 1].memory);
      syclze__accesses_fold(all->readers == access ? &all->readers : &all->writers, action->stream);
    }
    if (accessors[i - 1].mode != SYCLZE_ACCESS_READ &&
        SYCLZE__UNLIKELY(syclze__mirror_of(accessors[i - 1].memory) != NULL))
      syclze__mirror_written(accessors[i - 1].memory);
  }
  action->told = group->accessor_count;
}

/* Whether a stream in native order accesses again what it did, and nothing else. What it has again
 * is told. */
SYCLZE_INLINE bool syclze__group_goes_on(
    const syclze_group *group, const struct syclze__stream *stream) {
  uint32_t told = 0;
  while (told < group->accessor_count &&
         syclze__depend_again(stream, &group->accessors[told], &group->parts[told]))
    told++;
  return told == group->accessor_count;
}

/* Takes the lock of all dependencies and the queue's own, so that nobody waits for the second who
 * has the first. */
SYCLZE_INLINE void syclze__action_lock(struct syclze__stream *stream) {
  syclze__lock_take(&SYCLZE__STATE.dependency_lock);
  while (SYCLZE__UNLIKELY(!syclze__lock_try(&stream->lock))) {
    syclze__lock_give(&SYCLZE__STATE.dependency_lock);
    sched_yield();
    syclze__lock_take(&SYCLZE__STATE.dependency_lock);
  }
}

/* The queue's stream with its lock held, where a command of a group with accessors, without
 * events, needs nothing but to be appended to the native list, and the group no end; else null, and
 * no lock. */
SYCLZE_INLINE struct syclze__stream *syclze__action_enter(const syclze_group *group) {
  if (group->accessor_count > SYCLZE__GROUP_FEW) return NULL;
  struct syclze__stream *stream = syclze__stream_there(group->queue);
  if (SYCLZE__UNLIKELY(stream == NULL || !stream->native_order)) return NULL;
  syclze__action_lock(stream);
  bool all = stream->after == NULL && syclze__group_goes_on(group, stream);
  syclze__lock_give(&SYCLZE__STATE.dependency_lock);
  if (SYCLZE__LIKELY(all)) return stream;
  syclze__lock_give(&stream->lock);
  return NULL;
}

SYCLZE_INLINE bool syclze__action_crosses(const syclze_group *group) {
  const syclze_accessor *accessors = syclze__group_accessors(group);
  uint32_t i = 0;
  while (i < group->accessor_count && syclze__mirror_of(accessors[i].memory) == NULL)
    i++;
  return i < group->accessor_count;
}

SYCLZE_COLD ze_result_t syclze__action_cross(const syclze_group *group,
    struct syclze__action *action) SYCLZE_LINK_NAME(syclze__action_cross);

/* Sees to it that what is accessed is current in the queue's context. Gives the queue's lock for
 * it, which copies may need, and takes both locks again. */
SYCLZE_COLD ze_result_t syclze__action_cross(
    const syclze_group *group, struct syclze__action *action) {
  struct syclze__stream *stream = action->stream;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  ze_result_t result;
  action->told = 0;
  syclze__lock_give(&stream->lock);
  for (;;) {
    result = ZE_RESULT_SUCCESS;
    for (uint32_t i = 0; i < group->accessor_count && result == ZE_RESULT_SUCCESS; i++)
      if (syclze__mirror_of(accessors[i].memory) != NULL)
        result = syclze__mirror_bring(&accessors[i], group->queue);
    if (syclze__lock_try(&stream->lock)) return result;
    syclze__lock_give(&SYCLZE__STATE.dependency_lock);
    sched_yield();
    syclze__lock_take(&SYCLZE__STATE.dependency_lock);
  }
}

SYCLZE_COLD ze_result_t syclze__action_append_waits(struct syclze__action *action)
    SYCLZE_LINK_NAME(syclze__action_append_waits);

/* Appends what waits for the wait list, where the command takes none. */
SYCLZE_COLD ze_result_t syclze__action_append_waits(struct syclze__action *action) {
  if (action->wait_count == 0) return ZE_RESULT_SUCCESS;
  ze_result_t result =
      zeCommandListAppendBarrier(action->list, NULL, action->wait_count, action->waits);
  if (result == ZE_RESULT_SUCCESS && action->stream->is_list) action->begun = true;
  return result;
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_WARM void syclze__action_trace(const syclze_group *group, enum syclze__action_kind kind,
    struct syclze__action *action) SYCLZE_LINK_NAME(syclze__action_trace);

SYCLZE_WARM void syclze__action_trace(
    const syclze_group *group, enum syclze__action_kind kind, struct syclze__action *action) {
  const struct syclze__queue *queue = group->queue;
  const bool host = kind == SYCLZE__ACTION_HOST;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  const uint32_t told_accessors =
      group->accessor_count != 0 && syclze__trace_accesses() ? group->accessor_count : 0;
  for (uint32_t i = 0; i < told_accessors; i++) {
    const struct syclze__image *image =
        (const struct syclze__image *)(const void *)accessors[i].memory;
    const size_t pixel_size =
        accessors[i].is_image ? syclze__image_pixel_size(image->order, image->type) : 0;
    syclze__trace_access(
        accessors[i].memory, &accessors[i], (uint32_t)accessors[i].mode, pixel_size);
  }
  const struct syclze__told_command told = {action->function, group, queue, queue->native.queue,
      queue->device->native, queue->context->native, action->waits, action->wait_count,
      host ? action->event->native : action->signal, host, kind == SYCLZE__ACTION_BARRIER, NULL};
  action->traced = syclze__trace_submit(&told);
}
#endif

/* Takes the queue's lock, and all that the action needs. `event` may be null; it is set to null.
 * After an error the group is over and nothing is held. */
SYCLZE_INLINE ze_result_t syclze__action_begin(syclze_group *group, enum syclze__action_kind kind,
    syclze_event *event, const char *function, struct syclze__action *action) {
  action->stream = NULL;
  action->list = NULL;
  action->signal = NULL;
  action->wait_count = 0;
  action->waits = NULL;
  action->event = NULL;
  action->function = function;
  action->pending = NULL;
  action->accesses = NULL;
  action->told = 0;
  action->begun = false;
  action->traced = NULL;
  if (event != NULL) event->rep = NULL;
  if (SYCLZE__UNLIKELY(group->verdict.result != ZE_RESULT_SUCCESS))
    return syclze__action_undo(group, action, group->verdict.result, group->verdict.rule);
  struct syclze__stream *stream = syclze__stream_of(group->queue);
  if (SYCLZE__UNLIKELY(stream == NULL))
    return syclze__action_undo(
        group, action, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for the queue's work");
  ze_result_t result = ZE_RESULT_SUCCESS;
  bool depends = syclze__group_depends(group);
  if (depends)
    syclze__action_lock(stream);
  else
    syclze__lock_take(&stream->lock);
  action->stream = stream;
  if (SYCLZE__LIKELY(stream->is_list && kind != SYCLZE__ACTION_HOST)) {
    action->list = group->queue->native.list;
    if (SYCLZE__LIKELY(stream->native_order && group->accessor_count <= SYCLZE__GROUP_FEW) &&
        syclze__group_goes_on(group, stream))
      action->told = group->accessor_count;
  }
  if (action->told < group->accessor_count && SYCLZE__UNLIKELY(syclze__action_crosses(group)))
    result = syclze__action_cross(group, action);
  if (result == ZE_RESULT_SUCCESS &&
      (action->told < group->accessor_count || group->event_count != 0 || stream->after != NULL ||
          kind != SYCLZE__ACTION_COMMAND || !stream->is_list))
    result = syclze__action_gather(group, kind, action);
  bool untold = !stream->native_order && (group->accessor_count != 0 || stream->in_order ||
                                             kind == SYCLZE__ACTION_BARRIER || !stream->is_list);
  if (result == ZE_RESULT_SUCCESS &&
      (event != NULL || stream->wait_count != 0 || untold || kind == SYCLZE__ACTION_HOST))
    result = syclze__action_keep(kind, action);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS) && action->told < group->accessor_count)
    syclze__action_tell(group, action);
  if (depends) syclze__lock_give(&SYCLZE__STATE.dependency_lock);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING() && result == ZE_RESULT_SUCCESS) syclze__action_trace(group, kind, action);
  /* Should tracing have ended meanwhile: they lie on the caller's stack. */
  syclze__trace_kernel(NULL);
  syclze__trace_transfer(NULL);
#endif
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__action_undo(
      group, action, result, "what the submission waits for or signals cannot be had");
}

/* Ends the action, of which appending returned `result`; `rule` says what failed then. */
SYCLZE_INLINE ze_result_t syclze__action_end(syclze_group *group, enum syclze__action_kind kind,
    struct syclze__action *action, syclze_event *event, ze_result_t result, const char *rule) {
  struct syclze__stream *stream = action->stream;
  if (SYCLZE__UNLIKELY(!stream->is_list && action->list != NULL)) {
    if (result == ZE_RESULT_SUCCESS) result = syclze__list_execute(group->queue, action->list);
  }
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__action_undo(group, action, result, rule);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__UNLIKELY(action->traced != NULL)) syclze__action_trace_end(action, result);
#endif
  if (action->list != NULL) stream->position++;
  if (action->event != NULL) syclze__action_leave(kind, action, event);
  syclze__lock_give(&stream->lock);
  syclze__group_end(group);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
