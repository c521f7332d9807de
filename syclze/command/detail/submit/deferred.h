/* Deferred submissions: those that depend on host tasks that have not ended, or on other deferred
 * submissions.
 *
 * A host task may append to its own native queue, and wait for that. So no command that waits for
 * the task is in a native list before the task has ended: its event is open until then
 * (open_event.h). A deferred submission has its place in the order of its queue, its event and its
 * records of accesses like any other. When the last open event that it waits for is closed, a
 * worker appends it and closes its event.
 *
 * |  deferred_submit             deferral_advance: no event is open
 * | ------------------> waiting ------------------------------------> queued to the workers
 * |                        ^                                                    |
 * |                        |  deferred_again:                                   |  deferred_run
 * |                        |  a function borrows the native list                v
 * |                        +--------------------------------------------- deferred_finish
 * |                                                                       |          |
 * |                                            the device will signal it  |          |  else
 * |                                                                       v          v
 * |                                                         event_close   pending_signal_later
 *
 * The queue's wait covers the worker's part. A failure of the append is an asynchronous error of
 * the queue. */
#include "submission.h"

#ifndef SYCLZE_COMMAND_DETAIL_SUBMIT_DEFERRED_H
#define SYCLZE_COMMAND_DETAIL_SUBMIT_DEFERRED_H

#include "../host/worker_task.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__DEFERRED_FEW = 2 }; /* events without an allocation */

struct syclze__deferred {
  struct syclze__slot slot;
  struct syclze__deferral deferral;
  struct syclze__task task;
  const char *function;
  enum syclze__submission_kind kind;
  bool depends;                      /* the group named accesses or events */
  struct syclze__queue_state *state; /* kept by the queue */
  struct syclze__queue *queue;       /* not destroyed before the task has ended */
  struct syclze__event *event;       /* with a reference; the state has another */
  struct syclze__kernel *kernel;     /* kept by `event`; null for none */
  uint32_t wait_count;
  ze_event_handle_t *waits;             /* of events that `event` keeps */
  struct syclze__dependent *dependents; /* one for each of them */
  struct syclze__dependent again; /* for the event of a function that borrows the native list */
  ze_result_t failure;            /* before the append: then nothing is appended */
  bool begun;                     /* as in struct syclze__append */
  bool is_reported;               /* the failure was returned to the application */
  /* Appends the command. */
  ze_result_t (*append)(struct syclze__deferred *deferred, struct syclze__append *at);
  void *command;              /* of the append; null once it is freed */
  void (*end)(void *command); /* frees it */
  void *many;                 /* the allocation of more waits and dependents; or null */
  ze_event_handle_t few_waits[SYCLZE__DEFERRED_FEW];
  struct syclze__dependent few_dependents[SYCLZE__DEFERRED_FEW];
};

SYCLZE__POOLED(struct syclze__deferred);

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__deferred *syclze__deferred_of_task(struct syclze__task *task) {
  return (
      struct syclze__deferred *)(void *)((char *)task - offsetof(struct syclze__deferred, task));
}

/* Waits for nothing: the task is handed over once it is ready. */
SYCLZE_LOCAL ze_result_t syclze__deferred_wait(struct syclze__task *task, uint64_t nanoseconds) {
  (void)task;
  (void)nanoseconds;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL void syclze__deferred_free(struct syclze__deferred *deferred) {
  if (deferred->command != NULL) deferred->end(deferred->command);
  if (SYCLZE__UNLIKELY(deferred->many != NULL)) free(deferred->many);
  syclze__pool_release(&deferred->slot);
}

/* Locks the state, with the exclusive use of the kernel. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN ze_result_t syclze__deferred_lock(
    const struct syclze__deferred *deferred) {
  for (;; syclze__kernel_await_owner(deferred->kernel)) {
    syclze__lock_acquire(&deferred->state->lock);
    if (deferred->kernel == NULL) return ZE_RESULT_SUCCESS;
    const ze_result_t bound = syclze__kernel_bind(deferred->kernel, deferred->state, false);
    if (bound != ZE_RESULT_NOT_READY) return bound;
    syclze__lock_release(&deferred->state->lock);
  }
}

SYCLZE_LOCAL ze_result_t syclze__deferred_append(
    struct syclze__deferred *deferred, struct syclze__append *at) {
  SYCLZE__HELD(&deferred->state->lock);
  struct syclze__queue_state *state = deferred->state;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (state->is_list)
    at->list = deferred->queue->native.list;
  else {
    if (deferred->event->pending.lists == NULL)
      result = syclze__regular_list_acquire(state, &deferred->event->pending.lists);
    if (result == ZE_RESULT_SUCCESS) at->list = deferred->event->pending.lists->native;
  }
  if (result == ZE_RESULT_SUCCESS) result = deferred->failure;
  return result == ZE_RESULT_SUCCESS ? deferred->append(deferred, at) : result;
}

/* Records an appended submission in the queue's state. */
SYCLZE_LOCAL void syclze__deferred_complete(const struct syclze__deferred *deferred) {
  SYCLZE__HELD(&deferred->state->lock);
  struct syclze__queue_state *state = deferred->state;
  if (!syclze__kind_is_native(deferred->kind)) return;
  state->position++;
  if (!state->is_list) return;
  deferred->event->pending.is_host = false;
  if ((state->driver_in_order || state->is_synchronous) && state->after == deferred->event)
    syclze__queue_state_set_after(state, NULL);
  if (state->barrier == deferred->event) state->obstacles &= ~(uint32_t)SYCLZE__OBSTACLE_BARRIER;
  if (state->driver_in_order ||
      (deferred->kind == SYCLZE__SUBMISSION_BARRIER && !deferred->depends))
    syclze__queue_state_set_marker(state, deferred->event);
}

/* Rolls the append back; false if the host must signal the event. */
SYCLZE_LOCAL bool syclze__deferred_fail(
    struct syclze__deferred *deferred, const struct syclze__append *at) {
  SYCLZE__HELD(&deferred->state->lock);
  if (at->begun && syclze__append_signal(at) == ZE_RESULT_SUCCESS) return true;
  if (!at->begun) syclze__regular_lists_release(deferred->state, &deferred->event->pending.lists);
  return false;
}

/* Defers the submission again if a function has borrowed the native list meanwhile. The state's
 * lock keeps the event of the function's group open. */
SYCLZE_LOCAL bool syclze__deferred_again(struct syclze__deferred *deferred) {
  SYCLZE__HELD(&deferred->state->lock);
  const struct syclze__borrower *borrower = deferred->state->borrowers;
  if (borrower == NULL) return false;
  deferred->again.deferral = &deferred->deferral;
  __atomic_store_n(&deferred->deferral.open, 1, __ATOMIC_RELAXED);
  return syclze__event_add_dependent(borrower->done, &deferred->again);
}

/* Appends the submission or rolls it back, and ends it, unless it is deferred again. Returns the
 * failure, which is an asynchronous error of the queue unless the caller returns it. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN ze_result_t syclze__deferred_finish(
    struct syclze__deferred *deferred, bool is_returned) {
  struct syclze__queue_state *state = deferred->state;
  struct syclze__event *event = deferred->event;
  const void *native = deferred->queue->native.queue;
  bool appended = true;
  struct syclze__append at;
  syclze__append_init(&at, state, NULL);
  at.signal = event->native;
  at.event = event;
  at.waits = deferred->waits;
  at.wait_count = deferred->wait_count;
  at.depends = deferred->depends;
  at.begun = deferred->begun;
  ze_result_t result = syclze__deferred_lock(deferred);
  if (result == ZE_RESULT_SUCCESS && syclze__deferred_again(deferred)) {
    result = deferred->failure;
    deferred->is_reported = is_returned && result != ZE_RESULT_SUCCESS;
    syclze__queue_state_unlock(state);
    return result;
  }
  if (result == ZE_RESULT_SUCCESS) result = syclze__deferred_append(deferred, &at);
  const bool failed = result != ZE_RESULT_SUCCESS;
  const bool reports = failed && !is_returned && !deferred->is_reported;
  if (failed) {
    if (reports) syclze__queue_state_open_task(state);
    appended = syclze__deferred_fail(deferred, &at);
  }
  if (appended) syclze__deferred_complete(deferred);
  syclze__queue_state_unlock(state);
  if (reports) {
    syclze__queue_failed(state->queue, result);
    syclze__fail(result, deferred->function, "the append after a host task failed", native);
    syclze__queue_state_close_task(state);
  }
  if (appended)
    syclze__event_close(event);
  else
    syclze__pending_signal_later(state, event);
  syclze__deferred_free(deferred);
  syclze__event_release(event);
  syclze__queue_state_end_task(state);
  return result;
}

/* Runs on a worker. */
SYCLZE_LOCAL void syclze__deferred_run(struct syclze__task *task, ze_result_t result) {
  (void)result; /* the task waits for nothing */
  syclze__deferred_finish(syclze__deferred_of_task(task), false);
}

SYCLZE_LOCAL void syclze__deferred_ready(struct syclze__deferral *deferral) {
  struct syclze__deferred *deferred =
      (struct syclze__deferred *)(void *)((char *)deferral -
                                          offsetof(struct syclze__deferred, deferral));
  syclze__workers_line_up(&deferred->task);
}

/* Creates the record of a submission whose event is held; null without memory. */
SYCLZE_LOCAL struct syclze__deferred *syclze__deferred_create(
    const struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  const uint32_t count = submission->at.wait_count;
  const size_t each = sizeof(struct syclze__dependent) + sizeof(ze_event_handle_t);
  void *many = NULL;
  if (SYCLZE__UNLIKELY(count > SYCLZE__DEFERRED_FEW)) {
    many = malloc(count * each);
    if (many == NULL) return NULL;
  }
  struct syclze__deferred *deferred = (struct syclze__deferred *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_DEFERRED], sizeof *deferred);
  if (deferred == NULL) {
    free(many);
    return NULL;
  }
  deferred->many = many;
  deferred->dependents = many == NULL ? deferred->few_dependents : (struct syclze__dependent *)many;
  deferred->waits = many == NULL
                        ? deferred->few_waits
                        : (ze_event_handle_t *)(void *)((struct syclze__dependent *)many + count);
  deferred->deferral.open = 1;
  deferred->deferral.ready = syclze__deferred_ready;
  deferred->task.wait = syclze__deferred_wait;
  deferred->task.run = syclze__deferred_run;
  deferred->task.is_application = false;
  deferred->function = submission->function;
  deferred->kind = submission->kind;
  deferred->depends = submission->at.depends;
  deferred->state = submission->at.state;
  deferred->queue = submission->group->queue;
  deferred->event = submission->at.event;
  deferred->kernel = submission->kernel;
  deferred->failure = ZE_RESULT_SUCCESS;
  deferred->begun = deferred->is_reported = false;
  deferred->command = NULL;
  deferred->wait_count = count;
  for (uint32_t i = 0; i < count; i++)
    deferred->waits[i] = submission->at.waits[i];
  return deferred;
}

/* Keeps the event and the queue for the end of the submission. */
SYCLZE_INLINE void syclze__deferred_hold(struct syclze__deferred *deferred) {
  syclze__ref_retain(&deferred->event->ref);
  syclze__queue_state_begin_task(deferred->state);
}

/* Ends the calling thread's part of the submission; a worker continues it. */
SYCLZE_LOCAL ze_result_t syclze__deferred_submit(
    struct syclze__deferred *deferred, struct syclze__submission *submission, syclze_event *event) {
  struct syclze__event **waits = syclze__pending_waits(deferred->event);
  syclze__deferred_hold(deferred);
  for (uint32_t i = 0; i < deferred->wait_count; i++) {
    deferred->dependents[i].deferral = &deferred->deferral;
    __atomic_add_fetch(&deferred->deferral.open, 1, __ATOMIC_RELAXED);
    if (!syclze__event_add_dependent(waits[i], &deferred->dependents[i]))
      __atomic_sub_fetch(&deferred->deferral.open, 1, __ATOMIC_RELAXED);
  }
  const ze_result_t result = syclze__submission_end(submission, event, NULL, syclze__allowed());
  syclze__deferral_advance(&deferred->deferral);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
