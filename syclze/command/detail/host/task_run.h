/* Execution of host tasks by workers, and the native list that the function borrows. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_TASK_RUN_H
#define SYCLZE_COMMAND_DETAIL_HOST_TASK_RUN_H

#include "task_record.h"
#include "worker_task.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_INLINE ze_result_t syclze__host_task_call(struct syclze__host_task *host) {
  SYCLZE__CHECK_HELD(host->interop.borrower.done, true);
  ze_result_t result = host->function(syclze__interop_begin(&host->interop), host->argument);
  SYCLZE__CHECK_HELD(host->interop.borrower.done, false);
  syclze__interop_end(&host->interop);
  return result;
}

/* Lends the native list of the state: nothing else is appended to it until the function returns.
 * Submissions to an in-order queue wait for the function's group anyway, and a marker that covers
 * all commands keeps other queues from appending one. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_lend(
    struct syclze__queue_state *state, struct syclze__interop *interop) {
  SYCLZE__HELD(&state->lock);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!state->is_list) return result;
  if (state->driver_in_order) result = syclze__queue_state_mark(state);
  if (result != ZE_RESULT_SUCCESS) return result;
  interop->has_queue = true;
  if (state->in_order) return result;
  interop->borrower.next = state->borrowers;
  state->borrowers = &interop->borrower;
  state->obstacles |= SYCLZE__OBSTACLE_LENT;
  return result;
}

/* Lets the task append to its native list. */
SYCLZE_LOCAL ze_result_t syclze__host_task_borrow(struct syclze__interop *interop) {
  struct syclze__queue_state *state = syclze__queue_state_get(interop->queue);
  syclze__lock_acquire(&state->lock);
  const ze_result_t result = syclze__queue_state_lend(state, interop);
  syclze__lock_release(&state->lock);
  return result;
}

/* Ends the loan of the native list. No marker covers the commands that the function left there. */
SYCLZE_LOCAL void syclze__host_task_return(struct syclze__interop *interop) {
  struct syclze__queue_state *state = syclze__queue_state_get(interop->queue);
  syclze__lock_acquire(&state->lock);
  state->position++;
  if (!state->in_order) {
    struct syclze__borrower **link = &state->borrowers;
    while (*link != &interop->borrower)
      link = &(*link)->next;
    *link = interop->borrower.next;
    if (state->borrowers == NULL) state->obstacles &= ~(uint32_t)SYCLZE__OBSTACLE_LENT;
  }
  syclze__lock_release(&state->lock);
}

/* Marks the commands that the function left in the native list of an in-order queue. The task ends
 * behind the marker, so that the next host task does not begin before. */
SYCLZE_LOCAL ze_result_t syclze__host_task_mark_left(struct syclze__host_task *host) {
  struct syclze__interop *interop = &host->interop;
  struct syclze__queue_state *state = syclze__queue_state_get(interop->queue);
  struct syclze__event *left = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!state->in_order || state->is_synchronous ||
      syclze__list_query(interop->queue) == ZE_RESULT_SUCCESS)
    return result;
  syclze__lock_acquire(&state->lock);
  result = syclze__queue_state_mark(state);
  if (result == ZE_RESULT_SUCCESS) left = state->marker;
  if (left != NULL) syclze__ref_retain(&left->ref);
  syclze__lock_release(&state->lock);
  if (left == NULL) return result;
  host->left = left;
  return syclze__interop_add(interop, left->native) ? result : syclze__event_await(left);
}

/* Ends the function's use of the native list. */
SYCLZE_LOCAL ze_result_t syclze__host_task_give_back(struct syclze__host_task *host) {
  syclze__host_task_return(&host->interop);
  host->interop.has_queue = false;
  return syclze__host_task_mark_left(host);
}

/* Makes the task wait for the native events that the function added. */
SYCLZE_INLINE void syclze__host_task_follow(struct syclze__host_task *host) {
  host->events.waits = host->interop.events;
  host->events.wait_count = host->interop.event_count;
  host->events.waited = 0;
}

/* Waits for these events on this thread, which runs other tasks meanwhile where no thread is left:
 * they may signal the events. */
SYCLZE_LOCAL ze_result_t syclze__host_task_await(struct syclze__host_task *host) {
  ze_result_t result;
  while ((result = syclze__task_wait(&host->events.task, SYCLZE__WORKER_TURN)) ==
         ZE_RESULT_NOT_READY) {
    void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
    if (help != NULL) help();
  }
  return result;
}

/* Traces the end of a task; `ran` is false if it never ran. */
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

SYCLZE_INLINE struct syclze__host_task *syclze__host_task_of(struct syclze__deferral *deferral) {
  return (struct syclze__host_task *)(void *)((char *)deferral -
                                              offsetof(struct syclze__host_task, deferral));
}

/* Called when the last open event that the task waits for is closed: it waits for the device from
 * here on. */
SYCLZE_LOCAL_WARM void syclze__host_task_ready(struct syclze__deferral *deferral) {
  syclze__workers_line_up(&syclze__host_task_of(deferral)->events.task);
}

/* Calls the function, unless it has run. True if the function added events: the task was handed to
 * the workers again. */
SYCLZE_INLINE bool syclze__host_task_perform(struct syclze__host_task *host, ze_result_t *result) {
  struct syclze__interop *interop = &host->interop;
  if (*result != ZE_RESULT_SUCCESS || host->function == NULL) return false;
  SYCLZE__TRACE_HOST_BEGIN(host->traced);
  const bool has_times = (interop->borrower.done->pooled->kind & SYCLZE__EVENT_TIMESTAMP) != 0;
  if (SYCLZE__UNLIKELY(has_times))
    interop->borrower.done->host_start = syclze__device_ticks(interop->queue->device);
  *result = syclze__host_task_call(host);
  if (SYCLZE__UNLIKELY(has_times))
    interop->borrower.done->host_end = syclze__device_ticks(interop->queue->device);
  syclze__host_task_trace(host, true);
  if (SYCLZE__UNLIKELY(interop->has_queue)) {
    const ze_result_t marked = syclze__host_task_give_back(host);
    if (*result == ZE_RESULT_SUCCESS) *result = marked;
  }
  host->function = NULL;
  if (SYCLZE__LIKELY(interop->event_count == 0)) return false;
  /* A failed function's events, and what it left in the native list, are waited for too. */
  if (SYCLZE__UNLIKELY(*result != ZE_RESULT_SUCCESS)) syclze__queue_failed(interop->queue, *result);
  syclze__host_task_follow(host);
  if (syclze__workers_submit(&host->events.task) == ZE_RESULT_SUCCESS) return true;
  *result = syclze__host_task_await(host);
  return false;
}

/* The task of a signalled event's last dependent, if this thread may run it: it waits for nothing
 * else, and no other task is queued. */
SYCLZE_INLINE struct syclze__host_task *syclze__host_task_next(
    struct syclze__deferral *deferral, ze_event_handle_t signalled) {
  const struct syclze__workers *all = &SYCLZE__STATE.workers;
  struct syclze__host_task *host = syclze__host_task_of(deferral);
  if (host->events.wait_count == 1 && host->events.waits[0] == signalled &&
      __atomic_load_n(&all->first, __ATOMIC_RELAXED) == NULL &&
      !__atomic_load_n(&all->given_up, __ATOMIC_RELAXED)) {
    host->events.waited = 1;
    return host;
  }
  syclze__workers_line_up_here(&host->events.task);
  return NULL;
}

/* Closes the signalled event of a task. Returns the host task to run next; null for none. */
SYCLZE_INLINE struct syclze__host_task *syclze__host_task_close(struct syclze__event *done) {
  struct syclze__host_task *next = NULL;
  SYCLZE__CHECK_CLOSED(done);
  struct syclze__dependent *last = __atomic_exchange_n(&done->dependents, NULL, __ATOMIC_ACQ_REL);
  if (last == NULL || last == SYCLZE__DEPENDENTS_END) return next;
  struct syclze__deferral *deferral = last->deferral;
  if (last->next != SYCLZE__DEPENDENTS_END || deferral->ready != syclze__host_task_ready)
    syclze__dependents_advance(last);
  else if (__atomic_sub_fetch(&deferral->open, 1, __ATOMIC_ACQ_REL) == 0)
    next = syclze__host_task_next(deferral, done->native);
  return next;
}

/* Runs one task. Returns the next; null for none. */
SYCLZE_INLINE struct syclze__host_task *syclze__host_task_run_one(
    struct syclze__host_task *host, ze_result_t result) {
  struct syclze__host_task *next = NULL;
  struct syclze__queue *queue = host->interop.queue;
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (syclze__host_task_perform(host, &result)) return next;
  syclze__host_task_trace(host, false);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) syclze__queue_failed(queue, result);
  const bool is_lost = host->events.waited < host->events.wait_count;
  struct syclze__event *left = host->left;
  struct syclze__event *done = syclze__host_task_free(host);
  if (SYCLZE__UNLIKELY(is_lost))
    syclze__event_lose(done, result);
  else {
    syclze__event_signal_any(done, state);
    next = syclze__host_task_close(done);
  }
  syclze__event_release(done);
  if (SYCLZE__UNLIKELY(left != NULL)) syclze__event_release(left);
  syclze__queue_state_end_task(state);
  return next;
}

SYCLZE_LOCAL_WARM void syclze__host_task_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__event_task *events = (struct syclze__event_task *)(void *)task;
  struct syclze__host_task *host =
      (struct syclze__host_task *)(void *)((char *)events -
                                           offsetof(struct syclze__host_task, events));
  while ((host = syclze__host_task_run_one(host, result)) != NULL) {
    result = ZE_RESULT_SUCCESS;
    syclze__workers_count_end(&SYCLZE__STATE.workers);
  }
}

/* Defers the task until none of its events is open; false if none is. */
SYCLZE_INLINE bool syclze__host_task_defer(
    struct syclze__host_task *host, struct syclze__event *const *waits, uint32_t count) {
  bool defers = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!syclze__event_is_open(waits[i])) continue;
    if (!defers) host->deferral.open = 1;
    defers = true;
    host->dependents[i].deferral = &host->deferral;
    __atomic_add_fetch(&host->deferral.open, 1, __ATOMIC_RELAXED);
    if (!syclze__event_add_dependent(waits[i], &host->dependents[i]))
      __atomic_sub_fetch(&host->deferral.open, 1, __ATOMIC_RELAXED);
  }
  return defers;
}

/* Submits the task, which runs once its events are signalled. */
SYCLZE_INLINE ze_result_t syclze__host_task_submit(
    struct syclze__host_task *host, struct syclze__event *const *waits, uint32_t count) {
  struct syclze__queue_state *state = syclze__queue_state_get(host->interop.queue);
  host->events.context = host->interop.queue->context;
  host->interop.borrow = syclze__host_task_borrow;
  host->events.wait_count = count;
  host->events.waited = 0;
  host->events.task.wait = syclze__event_task_wait;
  host->events.task.run = syclze__host_task_run;
  host->events.task.is_application = true;
  host->deferral.ready = syclze__host_task_ready;
  syclze__queue_state_begin_task(state);
  if (syclze__host_task_defer(host, waits, count)) {
    syclze__deferral_advance(&host->deferral);
    return ZE_RESULT_SUCCESS;
  }
  const ze_result_t result = syclze__workers_submit(&host->events.task);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  syclze__host_task_trace(host, false);
  syclze__host_task_release(host);
  syclze__queue_state_end_task(state);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
