/* Bodies of host_task.h. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_TASK_H
#define SYCLZE_COMMAND_DETAIL_HOST_TASK_H

#include "../host_task.h"
#include "submission.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

struct syclze__host_task {
  struct syclze__interop interop; /* first: the slot */
  struct syclze__task task;
  syclze_host_function function; /* null once it has run */
  void *argument;
  struct syclze__event *done; /* with a reference, as has the queue */
  ze_event_handle_t *waits;   /* kept alive by the submission until `done` is signalled */
  syclze_accessor *accessors;
  uint32_t wait_room, accessor_room;
  struct syclze__trace_node *traced; /* null unless it is traced */
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

SYCLZE_LOCAL void syclze__host_task_release(struct syclze__host_task *host) {
  syclze_event done = {host->done};
  syclze_queue queue = {host->interop.queue};
  syclze__pool_release(&host->interop.slot);
  syclze_event_release(done);
  syclze_queue_release(queue);
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
  void *waits = host->waits, *accessors = host->accessors;
  bool room = syclze__host_task_room(
                  &waits, &host->wait_room, submission->wait_count, sizeof *host->waits) &&
              syclze__host_task_room(
                  &accessors, &host->accessor_room, group->accessor_count, sizeof *host->accessors);
  host->waits = (ze_event_handle_t *)waits;
  host->accessors = (syclze_accessor *)accessors;
  if (!room) {
    syclze__pool_release(&host->interop.slot);
    return NULL;
  }
  if (submission->wait_count > 0)
    memcpy(host->waits, submission->waits.natives, submission->wait_count * sizeof *host->waits);
  if (group->accessor_count > 0)
    memcpy(host->accessors, syclze__group_accessors(group),
        group->accessor_count * sizeof *host->accessors);
  host->function = function;
  host->argument = argument;
  host->done = submission->event;
  host->traced = NULL;
  syclze__ref_retain(&host->done->ref);
  host->interop.queue = group->queue;
  syclze__ref_retain(&group->queue->ref);
  host->interop.accessors = host->accessors;
  host->interop.accessor_count = group->accessor_count;
  host->interop.waits = host->waits;
  host->interop.wait_count = 0;
  host->interop.event_count = 0;
  return host;
}

SYCLZE_INLINE ze_result_t syclze__host_task_call(struct syclze__host_task *host) {
  ze_result_t result = host->function(syclze__interop_begin(&host->interop), host->argument);
  syclze__interop_end(&host->interop);
  return result;
}

/* The task has run, or never will. */
SYCLZE_INLINE void syclze__host_task_trace(struct syclze__host_task *host, bool ran) {
  SYCLZE__TRACE_HOST_END(host->traced, ran);
  host->traced = NULL;
}

SYCLZE_LOCAL void syclze__host_task_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__host_task *host =
      (struct syclze__host_task *)(void *)((char *)task - offsetof(struct syclze__host_task, task));
  struct syclze__interop *interop = &host->interop;
  if (result == ZE_RESULT_SUCCESS && host->function != NULL) {
    SYCLZE__TRACE_HOST_BEGIN(host->traced);
    result = syclze__host_task_call(host);
    syclze__host_task_trace(host, true);
    host->function = NULL;
    if (result == ZE_RESULT_SUCCESS && interop->event_count > 0) {
      task->waits = interop->events;
      task->wait_count = interop->event_count;
      task->waited = 0;
      if (syclze__workers_submit(task) == ZE_RESULT_SUCCESS) return;
      result = syclze__task_wait(task, UINT64_MAX);
    }
  }
  syclze__host_task_trace(host, false);
  if (result != ZE_RESULT_SUCCESS) syclze__queue_failed(interop->queue, result);
  syclze__event_signal(host->done, interop->queue);
  __atomic_sub_fetch(&interop->queue->host_tasks, 1, __ATOMIC_ACQ_REL);
  syclze__host_task_release(host);
}

SYCLZE_LOCAL ze_result_t syclze__host_task_submit(
    struct syclze__host_task *host, uint32_t wait_count) {
  struct syclze__queue *queue = host->interop.queue;
  host->task.waits = host->waits;
  host->task.wait_count = wait_count;
  host->task.waited = 0;
  host->task.owner = queue;
  host->task.run = syclze__host_task_run;
  __atomic_add_fetch(&queue->host_tasks, 1, __ATOMIC_ACQ_REL);
  ze_result_t result = syclze__workers_submit(&host->task);
  if (result == ZE_RESULT_SUCCESS) return result;
  __atomic_sub_fetch(&queue->host_tasks, 1, __ATOMIC_ACQ_REL);
  syclze__host_task_trace(host, false);
  syclze__host_task_release(host);
  return result;
}

SYCLZE_COLD ze_result_t syclze_group_host_task(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event) {
  struct syclze__submission submission;
  if (event != NULL) event->rep = NULL;
  if (function == NULL) syclze__group_fail(group, syclze__null_pointer("the function is null"));
  ze_result_t result = syclze__submission_open(
      &submission, group, SYCLZE__SUBMISSION_HOST, "syclze_group_host_task");
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
