/* Tasks that wait for native events, and handing tasks to the workers. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_WORKER_TASK_H
#define SYCLZE_COMMAND_DETAIL_HOST_WORKER_TASK_H

#include "../../../detail/sync/worker.h"

SYCLZE_EXTERN_C_BEGIN

/* A task that waits for native events. */
struct syclze__event_task {
  struct syclze__task task;
  const struct syclze__context *context; /* of the events; null for any */
  const ze_event_handle_t *waits;        /* lives as long as the task waits */
  uint32_t wait_count;
  uint32_t waited; /* how many of them are signalled */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL_WARM ze_result_t syclze__event_task_wait(
    struct syclze__task *task, uint64_t nanoseconds) {
  struct syclze__event_task *events = (struct syclze__event_task *)(void *)task;
  while (events->waited < events->wait_count) {
    const ze_event_handle_t event = events->waits[events->waited];
    const ze_result_t result = syclze__task_await(task, event, events->context, nanoseconds);
    if (result != ZE_RESULT_SUCCESS) return result;
    events->waited++;
  }
  return ZE_RESULT_SUCCESS;
}

/* Hands a task to the workers. Fails without threads, and leaves the task unchanged. */
SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN ze_result_t syclze__workers_submit(
    struct syclze__task *task) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  bool wakes;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  syclze__lock_acquire(&all->lock);
  syclze__workers_register(all);
  const bool is_seen = syclze__workers_call(all, &wakes);
  if (is_seen) {
    task->failures = 0;
    syclze__workers_put(all, task);
  }
  syclze__workers_unlock(all, wakes);
  return is_seen ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Hands over a task as syclze__workers_leave does. Locks may be held: nothing runs here. */
SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN void syclze__workers_line_up(struct syclze__task *task) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  bool wakes;
  task->failures = 0;
  syclze__lock_acquire(&all->lock);
  syclze__workers_register(all);
  syclze__workers_call(all, &wakes);
  syclze__workers_put(all, task);
  syclze__workers_unlock(all, wakes);
}

/* As syclze__workers_line_up, as a task's last step: this thread looks for tasks at once, and wakes
 * another for those that it leaves. */
SYCLZE_LOCAL_WARM void syclze__workers_line_up_here(struct syclze__task *task) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  task->failures = 0;
  syclze__lock_acquire(&all->lock);
  syclze__workers_put(all, task);
  syclze__lock_release(&all->lock);
}

#endif

SYCLZE_EXTERN_C_END

#endif
