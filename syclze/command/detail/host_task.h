/* Bodies of host_task.h. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_TASK_H
#define SYCLZE_COMMAND_DETAIL_HOST_TASK_H

#include "../host_task.h"
#include "submission.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

struct syclze__host_task {
  struct syclze__interop interop; /* first: the slot */
  struct syclze__event_task events;
  syclze_host_function function; /* null once it has run */
  void *argument;
  ze_event_handle_t *waits; /* kept alive by the submission until `done` is signalled */
  syclze_accessor *accessors;
  uint32_t wait_room, accessor_room, memory_room;
  struct syclze__trace_node *traced; /* null unless it is traced */
  bool has_queue;                    /* has a reference to it */
};

/* Pooled under sanitizers too: stale handles refer to it. Keeps the arrays that it allocated
 * before. Null without memory. */
SYCLZE_LOCAL struct syclze__host_task *syclze__host_task_acquire(void) {
  struct syclze__pool *pool = &SYCLZE__STATE.pools[SYCLZE__POOL_HOST_TASK];
  void *host = syclze__pool_take(pool);
  return (struct syclze__host_task *)(host != NULL ? host
                                                   : syclze__pool_acquire_lasting(
                                                         pool, sizeof(struct syclze__host_task)));
}

/* Releases all but the event of the group, which is returned. */
SYCLZE_LOCAL struct syclze__event *syclze__host_task_free(struct syclze__host_task *host) {
  struct syclze__event *done = host->interop.done;
  syclze_queue queue = {host->interop.queue};
  const bool has_queue = host->has_queue;
  syclze__pool_release(&host->interop.slot);
  if (has_queue) syclze__queue_release_impl(queue);
  return done;
}

SYCLZE_LOCAL void syclze__host_task_release(struct syclze__host_task *host) {
  syclze__event_release(syclze__host_task_free(host));
}

SYCLZE_LOCAL bool syclze__host_task_room(
    void **array, uint32_t *room, uint32_t count, size_t size) {
  if (count <= *room) return true;
  void *larger = realloc(*array, count * size);
  if (larger == NULL) return false;
  *array = larger;
  *room = count;
  return true;
}

/* With copies of the group's accessors and of the wait list; null without memory. */
SYCLZE_LOCAL struct syclze__host_task *syclze__host_task_new(const syclze_group *group,
    const struct syclze__submission *submission, syclze_host_function function, void *argument) {
  struct syclze__host_task *host = syclze__host_task_acquire();
  if (host == NULL) return NULL;
  const syclze_accessor *given = syclze__group_accessors(group);
  const uint32_t count = group->accessor_count;
  void *waits = host->waits, *accessors = host->accessors, *memories = host->interop.memories;
  bool room =
      syclze__host_task_room(
          &waits, &host->wait_room, submission->wait_count, sizeof *host->waits) &&
      syclze__host_task_room(&accessors, &host->accessor_room, count, sizeof *host->accessors) &&
      syclze__host_task_room(&memories, &host->memory_room, count, sizeof(void *));
  host->waits = (ze_event_handle_t *)waits;
  host->accessors = (syclze_accessor *)accessors;
  host->interop.memories = (void **)memories;
  if (!room) {
    syclze__pool_release(&host->interop.slot);
    return NULL;
  }
  if (submission->wait_count > 0)
    memcpy(host->waits, submission->waits.natives, submission->wait_count * sizeof *host->waits);
  for (uint32_t i = 0; i < count; i++) {
    host->accessors[i] = given[i];
    host->interop.memories[i] = given[i].memory->native;
  }
  host->function = function;
  host->argument = argument;
  host->interop.done = submission->event;
  host->traced = NULL;
  syclze__ref_retain(&host->interop.done->ref);
  host->interop.queue = group->queue;
  host->has_queue = true;
  syclze__ref_retain(&group->queue->ref);
  host->interop.accessors = host->accessors;
  host->interop.accessor_count = count;
  host->interop.waits = host->waits;
  host->interop.wait_count = 0;
  host->interop.borrow = NULL;
  host->interop.has_queue = false;
  host->interop.event_count = 0;
  return host;
}

SYCLZE_INLINE ze_result_t syclze__host_task_call(struct syclze__host_task *host) {
  ze_result_t result = host->function(syclze__interop_begin(&host->interop), host->argument);
  syclze__interop_end(&host->interop);
  return result;
}

/* Lends the native list of the state, which is locked: nothing else is appended to it until the
 * function returns. What is submitted to an in-order queue waits for the function's group anyway,
 * and a marker that covers all commands keeps other queues from appending one. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_lend(
    struct syclze__queue_state *state, struct syclze__interop *interop) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!state->is_list) return result;
  if (state->driver_in_order || state->marker_position < state->barrier_position)
    result = syclze__queue_state_mark(state);
  if (result != ZE_RESULT_SUCCESS) return result;
  interop->has_queue = true;
  if (state->in_order) return result;
  interop->others = state->borrowers;
  state->borrowers = interop;
  state->obstacles |= SYCLZE__OBSTACLE_LENT;
  return result;
}

/* The task may append to its native list from here on. */
SYCLZE_LOCAL ze_result_t syclze__host_task_borrow(struct syclze__interop *interop) {
  struct syclze__queue_state *state = syclze__queue_state_get(interop->queue);
  syclze__lock_acquire(&state->lock);
  const ze_result_t result = syclze__queue_state_lend(state, interop);
  syclze__lock_release(&state->lock);
  return result;
}

/* The function has returned, and may have left commands in its native list, which no marker covers
 * yet. */
SYCLZE_LOCAL void syclze__host_task_return(struct syclze__interop *interop) {
  struct syclze__queue_state *state = syclze__queue_state_get(interop->queue);
  if (!interop->has_queue) return;
  syclze__lock_acquire(&state->lock);
  state->position++;
  if (!state->in_order) {
    struct syclze__interop **link = &state->borrowers;
    while (*link != interop)
      link = &(*link)->others;
    *link = interop->others;
    if (state->borrowers == NULL) state->obstacles &= ~(uint32_t)SYCLZE__OBSTACLE_LENT;
  }
  syclze__lock_release(&state->lock);
}

/* The task has run, or never will. */
SYCLZE_INLINE void syclze__host_task_trace(struct syclze__host_task *host, bool ran) {
  SYCLZE__TRACE_HOST_END(host->traced, ran);
  host->traced = NULL;
}

/* The device's clock; 0 where that fails. */
SYCLZE_LOCAL uint64_t syclze__device_ticks(const struct syclze__device *device) {
  uint64_t host, ticks;
  const ze_result_t result = SYCLZE__ZE(zeDeviceGetGlobalTimestamps)(device->native, &host, &ticks);
  return result == ZE_RESULT_SUCCESS ? ticks : 0;
}

SYCLZE_LOCAL void syclze__host_task_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__event_task *events = (struct syclze__event_task *)(void *)task;
  struct syclze__host_task *host =
      (struct syclze__host_task *)(void *)((char *)events -
                                           offsetof(struct syclze__host_task, events));
  struct syclze__interop *interop = &host->interop;
  struct syclze__queue_state *state = syclze__queue_state_get(interop->queue);
  if (result == ZE_RESULT_SUCCESS && host->function != NULL) {
    SYCLZE__TRACE_HOST_BEGIN(host->traced);
    const bool has_times = (interop->done->pooled->kind & SYCLZE__EVENT_TIMESTAMP) != 0;
    if (has_times) interop->done->host_start = syclze__device_ticks(interop->queue->device);
    result = syclze__host_task_call(host);
    if (has_times) interop->done->host_end = syclze__device_ticks(interop->queue->device);
    syclze__host_task_trace(host, true);
    syclze__host_task_return(interop);
    host->function = NULL;
    if (result == ZE_RESULT_SUCCESS && interop->event_count > 0) {
      events->waits = interop->events;
      events->wait_count = interop->event_count;
      events->waited = 0;
      if (syclze__workers_submit(task) == ZE_RESULT_SUCCESS) return;
      do
        result = syclze__task_wait(task, SYCLZE__WORKER_SLICE);
      while (result == ZE_RESULT_NOT_READY);
    }
  }
  syclze__host_task_trace(host, false);
  if (result != ZE_RESULT_SUCCESS) syclze__queue_failed(interop->queue, result);
  const bool is_lost = events->waited < events->wait_count;
  struct syclze__event *done = syclze__host_task_free(host);
  if (is_lost)
    syclze__event_lose(done, result);
  else
    syclze__event_signal(done, state);
  syclze__event_release(done);
  syclze__queue_state_end_task(state);
}

SYCLZE_LOCAL ze_result_t syclze__host_task_submit(
    struct syclze__host_task *host, uint32_t wait_count) {
  struct syclze__queue_state *state = syclze__queue_state_get(host->interop.queue);
  host->events.context = host->interop.queue->context;
  host->interop.borrow = syclze__host_task_borrow;
  host->events.waits = host->waits;
  host->events.wait_count = wait_count;
  host->events.waited = 0;
  host->events.task.wait = syclze__event_task_wait;
  host->events.task.run = syclze__host_task_run;
  host->events.task.is_application = true;
  syclze__queue_state_begin_task(state);
  ze_result_t result = syclze__workers_submit(&host->events.task);
  if (result == ZE_RESULT_SUCCESS) return result;
  syclze__host_task_trace(host, false);
  syclze__host_task_release(host);
  syclze__queue_state_end_task(state);
  return result;
}

/* A function that a queue which records is given; SYCLZE__SUBMISSION_RECORDS as of
 * syclze__recording_add. */
SYCLZE_LOCAL ze_result_t syclze__function_record(syclze_group *group,
    enum syclze__submission_kind kind, syclze_host_function function, void *argument,
    const char *name, syclze_event *event) {
  const struct syclze__recorded recorded = {group, kind, NULL, function, argument, NULL};
  return syclze__recording_add(&recorded, name, event);
}

SYCLZE_COLD ze_result_t syclze_group_host_task(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event) {
  struct syclze__submission submission;
  if (event != NULL) event->rep = NULL;
  if (function == NULL) syclze__group_fail(group, syclze__null_pointer("the function is null"));
  ze_result_t result = syclze__submission_open(
      &submission, group, SYCLZE__SUBMISSION_HOST, "syclze_group_host_task");
  if (result == SYCLZE__SUBMISSION_RECORDS) {
    result = syclze__function_record(
        group, SYCLZE__SUBMISSION_HOST, function, argument, "syclze_group_host_task", event);
    if (result == SYCLZE__SUBMISSION_RECORDS)
      return syclze_group_host_task(group, function, argument, event);
    return result;
  }
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__host_task *host = syclze__host_task_new(group, &submission, function, argument);
  result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (host != NULL) {
    host->traced = submission.traced;
    submission.traced = NULL;
    result = syclze__host_task_submit(host, submission.wait_count);
  }
  return syclze__submission_end(&submission, event, result, "no memory or thread for a host task");
}

#endif

SYCLZE_EXTERN_C_END

#include "native_command.h"

#endif
