/* The steps of every submission: lock the queue, complete the wait list by the queue's own order,
 * hold what the command needs until it is done, append, and record the command in the queue's
 * state. */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_SUBMISSION_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_SUBMISSION_H

#include "../queue/lifetime.h"
#include "append.h"
#include "kernel_owner.h"
#include "open_event.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__submission {
  struct syclze__append at; /* `at.waits` are the handles of `waits` once these are complete */
  const char *function;     /* of the application's call */
  enum syclze__submission_kind kind;
  uint32_t accessor_count;        /* of the group; 0 without one */
  struct syclze__wait_list waits; /* its events move to `at.event`; the handles stay */
  struct syclze__kernel *kernel;  /* what is launched; null for none */
  const struct syclze__kernel_binding *binding; /* of the kernel */
  bool without_event;                           /* the application wants no event */
  bool is_deferred;                             /* appended later, by the engine */
  bool recorded;                                /* other work may wait for the submission */
  bool follows_run;                             /* holds the lock of the group's runs */
  /* Members of the engine: unset without a group. */
  struct syclze_group *group;
  const struct syclze_accessor *accessors; /* the group's */
  struct syclze__access *accesses;         /* to be recorded, in reverse order of the accessors */
  struct syclze__trace_node *traced;       /* null unless it is traced */
};

#if SYCLZE__BODIES

/* Initialises what does not belong to the engine. */
SYCLZE_INLINE void syclze__submission_init(struct syclze__submission *submission,
    enum syclze__submission_kind kind, const char *function, const struct syclze__command *command,
    bool wants_event) {
  syclze__append_init(&submission->at, NULL, NULL);
  submission->function = function;
  submission->kind = kind;
  submission->accessor_count = 0;
  submission->kernel = command != NULL ? command->kernel : NULL;
  submission->binding = command != NULL ? command->table->binding : NULL;
  submission->without_event = !wants_event;
  submission->is_deferred = submission->recorded = submission->follows_run = false;
  syclze__wait_list_init(&submission->waits);
}

/* True if a submission to the state's queue need not wait for the event: native order places its
 * command before, or it is known to be done. False for barriers: without its wait list a barrier is
 * another command. `state` may be null. */
SYCLZE_INLINE bool syclze__submission_follows(enum syclze__submission_kind kind,
    const struct syclze__queue_state *state, const struct syclze__event *event) {
  if (!event->pending.is_listed || kind == SYCLZE__SUBMISSION_BARRIER) return false;
  const uint64_t order = __atomic_load_n(&event->order, __ATOMIC_RELAXED);
  return order == SYCLZE__ORDER_DONE || (order != 0 && state != NULL && order == state->order &&
                                            event->context == state->queue->context);
}

/* Takes the exclusive use of the launched kernel. */
SYCLZE_INLINE ze_result_t syclze__submission_bind(
    const struct syclze__submission *submission, struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  if (submission->kernel == NULL ||
      (!submission->without_event && syclze__kernel_is_bound_with_event(submission->kernel, state)))
    return ZE_RESULT_SUCCESS;
  return submission->binding->bind(submission->kernel, state, submission->without_event);
}

SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN ze_result_t syclze__submission_lock_queue(
    const struct syclze__submission *submission, struct syclze__queue_state *state) {
  for (;;) {
    syclze__lock_acquire(&state->lock);
    const ze_result_t result = syclze__submission_bind(submission, state);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
    syclze__lock_release(&state->lock);
    if (result != ZE_RESULT_NOT_READY) return result;
    submission->binding->await_owner(submission->kernel);
  }
}

/* The barrier that later work waits for; null if there is none, or it is done. */
SYCLZE_LOCAL_WARM struct syclze__event *syclze__queue_state_barrier(
    struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  struct syclze__event *barrier = state->barrier;
  if (barrier == NULL || syclze__event_is_open(barrier) || !syclze__event_is_signalled(barrier))
    return barrier;
  syclze__queue_state_set_barrier(state, NULL, false);
  return NULL;
}

/* Adds the pending submissions that a native barrier does not order, from the last full barrier on:
 * all of a command queue's, and those that the host signals. */
SYCLZE_LOCAL ze_result_t syclze__submission_gather_pending(struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  const struct syclze__queue_state *state = submission->at.state;
  struct syclze__event *event = state->cut != NULL ? state->cut->pending.next : state->first;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (state->is_list && !state->has_host_work) return result;
  for (; event != NULL && result == ZE_RESULT_SUCCESS; event = event->pending.next)
    if (event->pending.is_host || !state->is_list)
      result = syclze__wait_list_add(&submission->waits, event);
  return result;
}

/* Adds what orders a command outside native lists behind the native ones. */
SYCLZE_LOCAL_WARM ze_result_t syclze__submission_gather_aside(
    struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__queue_state *state = submission->at.state;
  if (!state->driver_in_order || !state->in_order) return ZE_RESULT_SUCCESS;
  const ze_result_t result = syclze__queue_state_mark(state);
  if (result != ZE_RESULT_SUCCESS || state->marker == NULL) return result;
  return syclze__wait_list_add(&submission->waits, state->marker);
}

/* True for a native barrier without a wait list where a command of the same list signals `after`.
 */
SYCLZE_INLINE bool syclze__submission_covers_after(const struct syclze__submission *submission) {
  return submission->kind == SYCLZE__SUBMISSION_BARRIER && !submission->at.depends &&
         submission->at.state->is_after_listed;
}

/* Adds to the wait list what the queue's own order demands. */
SYCLZE_LOCAL_WARM ze_result_t syclze__submission_gather_order(
    struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__queue_state *state = submission->at.state;
  struct syclze__wait_list *waits = &submission->waits;
  const bool is_native = syclze__kind_is_native(submission->kind);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!is_native) result = syclze__submission_gather_aside(submission);
  if (result == ZE_RESULT_SUCCESS && state->after != NULL &&
      !syclze__submission_covers_after(submission))
    result = syclze__wait_list_add(waits, state->after);
  if (result == ZE_RESULT_SUCCESS && state->barrier != NULL &&
      (!is_native || !state->is_list || (state->obstacles & SYCLZE__OBSTACLE_BARRIER) != 0) &&
      syclze__queue_state_barrier(state) != NULL)
    result = syclze__wait_list_add(waits, state->barrier);
  for (struct syclze__borrower *task = is_native ? state->borrowers : NULL;
       task != NULL && result == ZE_RESULT_SUCCESS; task = task->next)
    result = syclze__wait_list_add(waits, task->done);
  if (submission->kind == SYCLZE__SUBMISSION_BARRIER && !state->in_order &&
      !submission->at.depends && result == ZE_RESULT_SUCCESS)
    result = syclze__submission_gather_pending(submission);
  return result;
}

/* True if the submission must leave an event, returned or not. */
SYCLZE_INLINE bool syclze__submission_needs_event(const struct syclze__submission *submission) {
  const struct syclze__queue_state *state = submission->at.state;
  if (!syclze__kind_is_native(submission->kind)) return true;
  /* Other threads may access the memory while the append blocks. */
  if (SYCLZE__UNLIKELY(state->is_synchronous))
    return submission->is_deferred || submission->accessor_count != 0;
  if (submission->waits.count != 0) return true;
  if (submission->kind == SYCLZE__SUBMISSION_BARRIER && !state->in_order) return true;
  return !state->driver_in_order &&
         (submission->accessor_count != 0 || state->in_order || !state->is_list);
}

/* Completes the wait list. */
SYCLZE_INLINE ze_result_t syclze__submission_order(struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  const struct syclze__queue_state *state = submission->at.state;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (state->obstacles != 0 || submission->kind > SYCLZE__SUBMISSION_GRAPH)
    result = syclze__submission_gather_order(submission);
  submission->at.wait_count = submission->waits.count;
  submission->at.waits = submission->waits.natives;
  return result;
}

/* Holds the event, and what the queue keeps until it is signalled. */
SYCLZE_LOCAL_WARM ze_result_t syclze__submission_hold(struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__queue_state *state = submission->at.state;
  struct syclze__event *event;
  ze_result_t result = syclze__pending_create(state, submission->kernel, &event);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  submission->at.event = event;
  if (SYCLZE__UNLIKELY(submission->is_deferred || !syclze__kind_is_native(submission->kind))) {
    syclze__pending_set_host(event);
    if (submission->is_deferred || submission->kind == SYCLZE__SUBMISSION_HOST) {
      syclze__event_open(event);
      SYCLZE__CHECK_OPENED(event, state->queue,
          submission->kind == SYCLZE__SUBMISSION_NATIVE ? "native command" : "host task",
          submission->waits.events, submission->waits.count);
    }
  }
  if (submission->kind != SYCLZE__SUBMISSION_HOST) {
    submission->at.signal = event->native;
    if (SYCLZE__UNLIKELY(!state->is_list && !submission->is_deferred)) {
      result = syclze__regular_list_acquire(state, &event->pending.lists);
      if (result != ZE_RESULT_SUCCESS) return result;
      submission->at.list = event->pending.lists->native;
    }
  }
  return syclze__pending_keep_waits(event, &submission->waits) ? result
                                                               : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Appends a wait for the wait list, for a command that takes none. */
SYCLZE_LOCAL ze_result_t syclze__append_waits(struct syclze__append *at) {
  if (at->wait_count == 0) return ZE_RESULT_SUCCESS;
  const ze_result_t result = syclze__list_append_barrier(at->list, NULL, at->wait_count, at->waits);
  if (result == ZE_RESULT_SUCCESS && at->state->is_list) at->begun = true;
  return result;
}

/* Appends the command; a command queue executes it. */
SYCLZE_INLINE struct syclze__status syclze__command_append(
    const struct syclze__command *command, struct syclze__append *at) {
  ze_result_t result = command->table->append(command, at);
  if (SYCLZE__LIKELY(at->state->is_list) || result != ZE_RESULT_SUCCESS ||
      command->table->kind == SYCLZE__SUBMISSION_LISTS)
    return syclze__status_of(result, command->table->rule);
  result = syclze__regular_list_execute(at->state->queue, at->list);
  return syclze__status_of(
      result, "zeCommandListClose or zeCommandQueueExecuteCommandLists failed");
}

/* Sets what later submissions wait for behind one that has an event. */
SYCLZE_LOCAL_WARM void syclze__submission_set_order(const struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__queue_state *state = submission->at.state;
  const bool is_native =
      (state->driver_in_order || state->is_synchronous) && submission->at.list != NULL;
  if (state->in_order) {
    if (!is_native || state->after != NULL)
      syclze__queue_state_set_after(state, is_native ? NULL : submission->at.event);
    state->is_after_listed = !is_native && state->is_list && submission->at.list != NULL;
  } else {
    if (is_native && state->after != NULL) syclze__queue_state_set_after(state, NULL);
    if (submission->kind == SYCLZE__SUBMISSION_BARRIER) {
      syclze__queue_state_set_barrier(state, submission->at.event, submission->is_deferred);
      if (!submission->at.depends) state->cut = submission->at.event;
    }
  }
  /* In native order the command covers all before it; a barrier does so in any order. */
  if (is_native || (submission->kind == SYCLZE__SUBMISSION_BARRIER && submission->at.list != NULL &&
                       state->is_list && !submission->at.depends))
    syclze__queue_state_set_marker(state, submission->at.event);
}

/* Records in the queue's state a submission that has an event. */
SYCLZE_INLINE void syclze__submission_complete(const struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__queue_state *state = submission->at.state;
  syclze__queue_state_keep(state, submission->at.event);
  if (SYCLZE__LIKELY(state->in_order && state->driver_in_order && state->after == NULL &&
                     submission->at.list != NULL))
    syclze__queue_state_set_marker(state, submission->at.event);
  else
    syclze__submission_set_order(submission);
}

/* Lets the device signal the event behind the part of a failed command that is under way. */
SYCLZE_LOCAL ze_result_t syclze__append_signal(const struct syclze__append *at) {
  SYCLZE__HELD(&at->state->lock);
  const bool is_list = at->state->is_list;
  ze_result_t result = ZE_RESULT_SUCCESS;
  /* The wait may not have been appended, as when a native command's function fails. */
  if (!is_list)
    result = SYCLZE__ZE(zeCommandListReset)(at->list);
  else if (at->wait_count > 0)
    result = syclze__list_append_barrier(at->list, NULL, at->wait_count, at->waits);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__list_append_barrier(at->list, at->signal, 0, NULL);
  if (result != ZE_RESULT_SUCCESS || is_list) return result;
  return syclze__regular_list_execute(at->state->queue, at->list);
}

/* Keeps the event of a failed submission at its place in the queue's order. */
SYCLZE_LOCAL void syclze__submission_keep_failed(struct syclze__submission *submission) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__queue_state *state = submission->at.state;
  syclze__pending_set_host(submission->at.event);
  syclze__queue_state_keep(state, submission->at.event);
  if (!state->in_order && !state->driver_in_order) return;
  if (state->driver_in_order) state->position++;
  syclze__queue_state_set_after(state, submission->at.event);
}

/* Ends a failed submission, a part of which is under way: the device signals its event behind that
 * part. True if that fails: the context is lost. */
SYCLZE_LOCAL bool syclze__submission_end_begun(
    struct syclze__submission *submission, ze_result_t result) {
  SYCLZE__HELD(&submission->at.state->lock);
  if (syclze__append_signal(&submission->at) != ZE_RESULT_SUCCESS) {
    syclze__event_lose(submission->at.event, result);
    syclze__submission_keep_failed(submission);
    return true;
  }
  submission->at.state->position++;
  submission->kind = SYCLZE__SUBMISSION_COMMAND;
  syclze__submission_complete(submission);
  return false;
}

/* Rolls back a submission that no other work waits for, and releases the queue. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN void syclze__submission_withdraw(
    struct syclze__submission *submission, ze_result_t result) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__queue_state *state = submission->at.state;
  struct syclze__event *event = submission->at.event;
  const bool unused = event != NULL && !submission->at.begun;
  if (unused) {
    syclze__event_unopen(event);
    syclze__regular_lists_release(state, &event->pending.lists);
  } else if (event != NULL)
    syclze__submission_end_begun(submission, result);
  syclze__lock_release(&state->lock);
  if (unused) syclze__pending_end(event);
  if (event != NULL) syclze__event_release(event);
}

/* Records a submission that has an event, and releases the queue. `event` may be null. */
SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN void syclze__submission_leave(
    struct syclze__submission *submission, syclze_event *event) {
  SYCLZE__HELD(&submission->at.state->lock);
  struct syclze__queue_state *state = submission->at.state;
  syclze__submission_complete(submission);
  if (event != NULL)
    event->rep = submission->at.event;
  else /* the queue has another reference, and the lock */
    syclze__ref_drop_other(&submission->at.event->ref);
  struct syclze__event *done = syclze__queue_state_retire_some(state, submission->at.event);
  syclze__lock_release(&state->lock);
  if (done != NULL) syclze__pendings_retire(done);
}

#endif

SYCLZE_EXTERN_C_END

#endif
