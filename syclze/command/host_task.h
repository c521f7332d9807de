/* Host tasks: functions of the application that run on worker threads when what their command group
 * depends on is complete; what depends on the group waits for them.
 *
 *     syclze_group group = syclze_group_begin(queue);
 *     syclze_accessor data = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
 *     ze_result_t result = syclze_group_host_task(&group, host_work, &argument, &event);
 *
 * Several may run at once. A host task may submit, wait for other work and call Level Zero, but not
 * wait for itself: for its queue as a whole, or for what depends on it. What it returns, where that
 * is no success, is an asynchronous error of the queue (asynchronous.h). A program that exits waits
 * for its host tasks (worker.h). */
#ifndef SYCLZE_COMMAND_HOST_TASK_H
#define SYCLZE_COMMAND_HOST_TASK_H

#include "detail/submission.h"
#include "../queue.h"
#include "interop_handle.h"
#include "detail/host_worker.h"

SYCLZE_EXTERN_C_BEGIN

/* A host task or a native command. `handle` is valid until it returns. */
typedef ze_result_t (*syclze_host_function)(syclze_interop_handle handle, void *argument);

/* Ends the group with a host task. `argument` is handed on, and must live until the task has run.
 * `event` may be null; else it is the group's, with a reference of the caller's. Native events that
 * the function names are waited for after it by a worker, which then signals the group's event: no
 * thread of the application waits, but the device does not go on without the host. It cannot: what
 * follows may stand in the queue's list already, where a signal appended now would come after those
 * that wait for it, and another list may share the engine that they hold. A native command, whose
 * events are known when it is submitted, has the device wait for them. Fails as the group's
 * requirements did, and without memory or threads; then nothing was submitted. */
SYCLZE_COLD ze_result_t syclze_group_host_task(syclze_group *group, syclze_host_function function,
    void *argument, syclze_event *event) SYCLZE_LINK_NAME(syclze_group_host_task);

/* Ends the group with commands that the function appends to the queue's own immediate list, or
 * executes on its command queue by lists of the application's, at once and on the calling thread.
 * To a list it appends them to wait for the handle's wait list; a command queue waits for that by
 * itself, before what the function executes. The function begins no group; the group is complete
 * when the list or queue has come so far, and when every native event is signalled that the
 * function names. Nothing waits on the host. What the function returns is returned, and then the
 * group is over without effect on others, but for what the function did. Errors as above. */
SYCLZE_COLD ze_result_t syclze_group_native_command(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_native_command);

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

/* Pooled under sanitizers too, as a handle may be looked at when its time is over. What it
 * allocated in an earlier life is still there. Null without memory. */
SYCLZE_LOCAL struct syclze__host_task *syclze__host_task_take(void) {
  struct syclze__pool *pool = &SYCLZE__STATE.pools[SYCLZE__POOL_HOST_TASK];
  struct syclze__host_task *host =
      (struct syclze__host_task *)syclze__list_acquire(&pool->free, pool);
  if (host == NULL) host = (struct syclze__host_task *)syclze__pool_grow(pool, sizeof *host);
  if (host == NULL || host->interop.slot.self != 0) return host;
  free(host);
  return NULL;
}

SYCLZE_LOCAL void syclze__host_task_give(struct syclze__host_task *host) {
  syclze_event done = {host->done};
  syclze_queue queue = {host->interop.queue};
  syclze__list_put(&SYCLZE__STATE.pools[SYCLZE__POOL_HOST_TASK].free, &host->interop.slot);
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

/* Copies what the group has; null without memory. */
SYCLZE_LOCAL struct syclze__host_task *syclze__host_task_make(const syclze_group *group,
    const struct syclze__submission *submission, syclze_host_function function, void *argument) {
  struct syclze__host_task *host = syclze__host_task_take();
  if (host == NULL) return NULL;
  void *waits = host->waits, *accessors = host->accessors;
  bool room = syclze__host_task_room(
                  &waits, &host->wait_room, submission->wait_count, sizeof *host->waits) &&
              syclze__host_task_room(
                  &accessors, &host->accessor_room, group->accessor_count, sizeof *host->accessors);
  host->waits = (ze_event_handle_t *)waits;
  host->accessors = (syclze_accessor *)accessors;
  if (!room) {
    syclze__list_put(&SYCLZE__STATE.pools[SYCLZE__POOL_HOST_TASK].free, &host->interop.slot);
    return NULL;
  }
  if (submission->wait_count > 0)
    memcpy(host->waits, submission->waits, submission->wait_count * sizeof *host->waits);
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
  syclze__host_task_give(host);
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
  syclze__host_task_give(host);
  return result;
}

SYCLZE_COLD ze_result_t syclze_group_host_task(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event) {
  struct syclze__submission submission;
  if (function == NULL) syclze__group_fail(group, syclze__null_pointer("the function is null"));
  submission.kernel_info = NULL;
  submission.transfer_info = NULL;
  ze_result_t result = syclze__submission_begin(
      group, SYCLZE__SUBMISSION_HOST, event, "syclze_group_host_task", &submission);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__host_task *host = syclze__host_task_make(group, &submission, function, argument);
  result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (host != NULL) {
    host->traced = submission.traced;
    submission.traced = NULL;
    result = syclze__host_task_submit(host, submission.wait_count);
  }
  return syclze__submission_end(group, SYCLZE__SUBMISSION_HOST, &submission, event, result,
      "no memory or thread for a host task");
}

/* Has a command queue wait for the wait list, before what is executed from here on. */
SYCLZE_LOCAL ze_result_t syclze__native_gate(
    const struct syclze_group *group, struct syclze__submission *submission) {
  struct syclze__regular *gate;
  if (submission->wait_count == 0) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__queue_state_regular_list(submission->state, &gate);
  if (result != ZE_RESULT_SUCCESS) return result;
  submission->pending->regular->next = gate;
  result = SYCLZE__ZE(zeCommandListAppendWaitOnEvents)(
      gate->list, submission->wait_count, submission->waits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__list_execute(group->queue, gate->list);
  submission->begun = result == ZE_RESULT_SUCCESS;
  return result;
}

/* Has the function append its commands, and appends what the group's end needs. */
SYCLZE_LOCAL ze_result_t syclze__native_call(const syclze_group *group,
    struct syclze__submission *submission, syclze_host_function function, void *argument) {
  struct syclze__host_task *host = syclze__host_task_make(group, submission, function, argument);
  if (host == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!submission->state->is_list)
    result = syclze__native_gate(group, submission);
  else
    submission->begun =
        submission->wait_count > 0; /* the function may append what waits, and fail */
  struct syclze__interop *interop = &host->interop;
  interop->wait_count = submission->wait_count;
  if (result == ZE_RESULT_SUCCESS) result = syclze__host_task_call(host);
  if (result == ZE_RESULT_SUCCESS && interop->event_count > 0)
    result = SYCLZE__ZE(zeCommandListAppendWaitOnEvents)(
        submission->list, interop->event_count, interop->events);
  /* Where the function appends nothing that waits, the end does. A native barrier with a wait list
   * waits for nothing else, so there are two. */
  if (result == ZE_RESULT_SUCCESS && submission->state->is_list)
    result = syclze__submission_append_waits(submission);
  if (result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeCommandListAppendBarrier)(submission->list, submission->signal, 0, NULL);
  syclze__host_task_give(host);
  return result;
}

SYCLZE_COLD ze_result_t syclze_group_native_command(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event) {
  struct syclze__submission submission;
  /* Its own, so that there is one also where the caller asks for none. */
  syclze_event done = {NULL};
  if (event != NULL) event->rep = NULL;
  if (function == NULL) syclze__group_fail(group, syclze__null_pointer("the function is null"));
  submission.kernel_info = NULL;
  submission.transfer_info = NULL;
  ze_result_t result = syclze__submission_begin(
      group, SYCLZE__SUBMISSION_COMMAND, &done, "syclze_group_native_command", &submission);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__native_call(group, &submission, function, argument);
  result = syclze__submission_end(group, SYCLZE__SUBMISSION_COMMAND, &submission, &done, result,
      "the native command's function failed, or no memory");
  if (event != NULL)
    *event = done;
  else
    syclze_event_release(done);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
