/* Signals of failed submissions whose events other work may wait for: a worker signals each event
 * once the submission's wait list is done. Allocates no memory, and never blocks. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMIT_DEFERRED_SIGNAL_H
#define SYCLZE_COMMAND_DETAIL_SUBMIT_DEFERRED_SIGNAL_H

#include "event_fail.h"
#include "../queue/pending.h"
#include "../queue/state.h"
#include "../host/worker_task.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__queue_state *syclze__queue_state_of_signals(struct syclze__task *task) {
  return (struct syclze__queue_state *)(void *)((char *)task -
                                                offsetof(struct syclze__queue_state, signals.task));
}

/* Waits for the wait list of the first submission. */
SYCLZE_LOCAL ze_result_t syclze__signals_wait(struct syclze__task *task, uint64_t nanoseconds) {
  struct syclze__signals *signals = &syclze__queue_state_of_signals(task)->signals;
  struct syclze__event **waits = syclze__pending_waits(signals->first);
  for (; signals->waited < signals->first->pending.wait_count; signals->waited++) {
    const struct syclze__event *event = waits[signals->waited];
    const ze_result_t result = syclze__task_await(task, event->native, event->context, nanoseconds);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL void syclze__signals_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__queue_state *state = syclze__queue_state_of_signals(task);
  struct syclze__signals *signals = &state->signals;
  struct syclze__event *event = signals->first;
  /* The queue keeps the submission until its event is signalled. */
  syclze__ref_retain(&event->ref);
  syclze__lock_acquire(&signals->lock);
  signals->first = signals->first->later;
  signals->waited = 0;
  const bool more = signals->first != NULL;
  syclze__lock_release(&signals->lock);
  if (more) syclze__workers_line_up(task);
  if (result != ZE_RESULT_SUCCESS) syclze__queue_failed(state->queue, result);
  if (result == ZE_RESULT_SUCCESS)
    syclze__event_signal(event, state);
  else
    syclze__event_lose(event, result);
  syclze__event_release(event);
  syclze__queue_state_end_task(state);
}

/* Signals the event of a submission, later, once its wait list is done. */
SYCLZE_LOCAL void syclze__pending_signal_later(
    struct syclze__queue_state *state, struct syclze__event *event) {
  struct syclze__signals *signals = &state->signals;
  syclze__queue_state_begin_task(state);
  event->later = NULL;
  syclze__lock_acquire(&signals->lock);
  const bool begins = signals->first == NULL;
  if (begins)
    signals->first = event;
  else
    signals->last->later = event;
  signals->last = event;
  syclze__lock_release(&signals->lock);
  if (!begins) return;
  signals->task.wait = syclze__signals_wait;
  signals->task.run = syclze__signals_run;
  signals->task.is_application = false;
  syclze__workers_line_up(&signals->task);
}

#endif

SYCLZE_EXTERN_C_END

#endif
