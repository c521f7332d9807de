/* Creation of a queue's state by its first submission, and end of the queue once its work is done.
 */
#ifndef SYCLZE_COMMAND_DETAIL_QUEUE_LIFETIME_H
#define SYCLZE_COMMAND_DETAIL_QUEUE_LIFETIME_H

#include "../../../detail/driver/image.h"
#include "../../../detail/sync/worker.h"
#include "pending.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Frees the state and ends the queue, whose work is done. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_finish(struct syclze__queue_state *state) {
  struct syclze__queue *queue = state->queue;
  /* Accesses of other queues use the marker until they have seen the work done. */
  syclze__lock_acquire(&state->lock);
  state->marker = NULL;
  syclze__queue_state_unlock(state);
  while (state->first != NULL) {
    struct syclze__event *event = state->first;
    __atomic_store_n(&state->first, event->pending.next, __ATOMIC_RELAXED);
    syclze__regular_lists_release(state, &event->pending.lists);
    syclze__pending_end(event);
  }
  syclze__regular_lists_destroy(state);
  if (state->reserve != NULL) syclze__event_release(state->reserve);
  if (state->after != NULL) syclze__event_release(state->after);
  if (state->barrier != NULL) syclze__event_release(state->barrier);
  if (state->attached != NULL) state->attached->end(state->attached);
  __atomic_store_n(&state->has_ended, true, __ATOMIC_RELEASE);
  syclze__queue_state_release(state);
  queue->state = NULL;
  return syclze__queue_destroy(queue);
}

SYCLZE_LOCAL struct syclze__queue_state *syclze__queue_state_of_task(struct syclze__task *task) {
  return (struct syclze__queue_state *)(void *)((char *)task -
                                                offsetof(struct syclze__queue_state, task));
}

SYCLZE_INLINE bool syclze__is_out_of_memory(ze_result_t result) {
  return result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ||
         result == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* ZE_RESULT_SUCCESS if all commands of the list, the application's own included, are known to be
 * done. An error where the loader or the driver cannot tell. */
SYCLZE_LOCAL ze_result_t syclze__list_query(const struct syclze__queue *queue) {
  __typeof__(SYCLZE__STATE.entry.command_list_synchronize) synchronize =
      SYCLZE__ENTRY(command_list_synchronize);
  return synchronize != NULL ? synchronize(queue->native.list, 0)
                             : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

/* Marks the end of the work, after the queue's last release and its tasks. Fails without memory for
 * a kept list, which cannot be marked later: the application may destroy it. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_mark_end(struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  const bool is_kept = syclze__ref_is_kept(&state->queue->ref);
  /* For a kept list the application must order everything except released kernels. */
  const bool marks = state->driver_in_order || (state->is_list && !state->is_synchronous &&
                                                   (state->has_plain_launches || !is_kept));
  ze_result_t marked = ZE_RESULT_SUCCESS;
  if (marks && state->marker_position != state->position &&
      syclze__list_query(state->queue) == ZE_RESULT_SUCCESS)
    state->marker_position = state->position;
  if (marks && state->reserve != NULL && state->marker_position != state->position) {
    marked = syclze__marker_append(state, state->reserve);
    state->reserve = NULL;
  } else if (marks)
    marked = syclze__queue_state_mark(state);
  state->is_unmarked = syclze__is_out_of_memory(marked);
  if (state->is_unmarked) return is_kept ? marked : ZE_RESULT_SUCCESS;
  /* After another error the driver is not called again for a marker. */
  state->marker_position = state->position;
  return ZE_RESULT_SUCCESS;
}

/* Appends the marker that the release could not append. At the end of the program lasting lack of
 * memory is an error. The state's lock is tried, since the workers' lock, of lower rank, may be
 * held. */
SYCLZE_LOCAL ze_result_t syclze__queue_task_mark(
    struct syclze__queue_state *state, uint64_t nanoseconds) {
  const bool ends = __atomic_load_n(&SYCLZE__STATE.workers.awaited, __ATOMIC_RELAXED);
  ze_result_t result = ZE_RESULT_NOT_READY;
  uint32_t never = 0;
  if (syclze__lock_try(&state->lock)) {
    result = syclze__queue_state_mark_end(state);
    state->left = state->first;
    const bool is_short = state->is_unmarked && result == ZE_RESULT_SUCCESS;
    syclze__queue_state_unlock(state);
    if (is_short) result = ends ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_NOT_READY;
  }
  if (result == ZE_RESULT_NOT_READY && nanoseconds > 0)
    syclze__word_sleep(&never, 0, SYCLZE__WORKER_TICK);
  return result;
}

/* Waits for the queue's other tasks, which may append to its list. */
SYCLZE_LOCAL ze_result_t syclze__queue_task_await_others(
    struct syclze__queue_state *state, uint64_t nanoseconds) {
  const bool waits = nanoseconds > 0 && !syclze__queue_state_has_ended_tasks(state);
  if (waits) {
    __atomic_add_fetch(&state->task_waits, 1, __ATOMIC_SEQ_CST);
    const uint32_t count = syclze__queue_state_task_count(state);
    syclze__word_sleep(syclze__queue_state_tasks(state), count,
        count != 0 ? (long)nanoseconds : (long)SYCLZE__WORKER_TICK);
    __atomic_sub_fetch(&state->task_waits, 1, __ATOMIC_SEQ_CST);
  }
  return syclze__queue_state_has_ended_tasks(state) ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

SYCLZE_LOCAL ze_result_t syclze__queue_task_wait(struct syclze__task *task, uint64_t nanoseconds) {
  struct syclze__queue_state *state = syclze__queue_state_of_task(task);
  if (state->is_unmarked) {
    ze_result_t marked = syclze__queue_task_await_others(state, nanoseconds);
    if (marked == ZE_RESULT_SUCCESS) marked = syclze__queue_task_mark(state, nanoseconds);
    if (marked != ZE_RESULT_SUCCESS) return marked;
  }
  for (; state->left != NULL; state->left = state->left->pending.next) {
    const struct syclze__event *event = state->left;
    const ze_result_t result = syclze__task_await(task, event->native, event->context, nanoseconds);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

/* Ends the queue. In a lost context (../submit/event_fail.h) a queue whose work does not end is
 * leaked. */
SYCLZE_LOCAL void syclze__queue_task_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__queue_state *state = syclze__queue_state_of_task(task);
  if (result == ZE_RESULT_SUCCESS)
    syclze__queue_state_finish(state);
  else
    syclze__fail(result, "syclze_queue_release",
        state->is_unmarked
            ? "the queue is not destroyed: completion of its work is unknown"
            : "the queue is not destroyed: its context is lost, and its work not done",
        state->queue->native.queue);
}

/* Locks the state at the queue's last release. False while an append of another task holds the
 * lock: on a synchronous list or command queue it may wait for what the releasing worker signals
 * next.
 */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN bool syclze__queue_state_lock_last(
    struct syclze__queue_state *state) {
  for (uint32_t i = 0; !syclze__lock_try(&state->lock); i++) {
    if (syclze__queue_state_has_ended_tasks(state)) {
      syclze__lock_acquire(&state->lock);
      break;
    }
    if (i == SYCLZE__LOCK_SPINS) return false;
    syclze__thread_yield();
  }
  return true;
}

/* Retires completed work at the queue's last release, and marks the rest. False if all is done
 * except the last steps of a worker's task. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN bool syclze__queue_state_settle(
    struct syclze__queue_state *state, ze_result_t *marked, bool *busy) {
  if (SYCLZE__UNLIKELY(!syclze__queue_state_lock_last(state))) {
    state->is_unmarked = *busy = true;
    return true;
  }
  const bool has_tasks = !syclze__queue_state_has_ended_tasks(state);
  if (has_tasks)
    state->is_unmarked = true;
  else
    *marked = syclze__queue_state_mark_end(state);
  struct syclze__event *done = syclze__queue_state_retire(state, UINT32_MAX);
  const bool ends = has_tasks && state->first == NULL && syclze__queue_state_tasks_end(state);
  *busy = state->first != NULL || state->is_unmarked;
  syclze__queue_state_unlock(state);
  syclze__pendings_retire(done);
  return !ends;
}

/* Ends the queue after its last release; a worker waits for pending work. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_detach(struct syclze__attachment *attachment) {
  struct syclze__queue_state *state = (struct syclze__queue_state *)(void *)attachment;
  ze_result_t marked = ZE_RESULT_SUCCESS;
  bool busy;
  SYCLZE__TRACE_COMMAND(queue_destroyed, (state->queue));
  while (!syclze__queue_state_settle(state, &marked, &busy))
    syclze__queue_state_await_tasks(state);
  if (marked != ZE_RESULT_SUCCESS)
    return syclze__fail(marked, "syclze_queue_release",
        "the queue is not destroyed: completion of its work is unknown",
        state->queue->native.queue);
  if (!busy) return syclze__queue_state_finish(state);
  state->left = state->is_unmarked ? NULL : state->first; /* set by the mark later */
  state->task.wait = syclze__queue_task_wait;
  state->task.run = syclze__queue_task_run;
  state->task.is_application = false;
  syclze__workers_leave(&state->task);
  return ZE_RESULT_SUCCESS;
}

/* True if the native list runs its commands in order: by the driver, or else by the queue's
 * creation. */
SYCLZE_LOCAL bool syclze__list_is_in_order(const struct syclze__queue *queue) {
  const uint32_t in_order = 1u << 1; /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which older headers lack */
  __typeof__(SYCLZE__STATE.entry.command_list_get_flags) get_flags =
      SYCLZE__ENTRY(command_list_get_flags);
  ze_command_queue_flags_t flags;
  if (get_flags != NULL && get_flags(queue->native.list, &flags) == ZE_RESULT_SUCCESS)
    return (flags & in_order) != 0;
  return syclze__queue_is_native_in_order(queue);
}

/* True for an immediate list whose appends return once the work is done: by the driver, or else by
 * the properties. */
SYCLZE_LOCAL bool syclze__list_is_synchronous(const struct syclze__queue *queue) {
  __typeof__(SYCLZE__STATE.entry.command_list_get_mode) get_mode =
      SYCLZE__ENTRY(command_list_get_mode);
  ze_command_queue_mode_t mode;
  if (queue->native.kind != SYCLZE_NATIVE_QUEUE_LIST) return false;
  if (get_mode != NULL && get_mode(queue->native.list, &mode) == ZE_RESULT_SUCCESS)
    return mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  return (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS) != 0;
}

/* Sets the kind of the queue's events by its properties. */
SYCLZE_INLINE void syclze__queue_state_set_kind(struct syclze__queue_state *state) {
  const uint32_t flags = state->queue->properties.flags;
  uint32_t kind = SYCLZE__EVENT_PLAIN;
  if (flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) kind |= SYCLZE__EVENT_TIMESTAMP;
  if (flags & SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS) kind |= SYCLZE__EVENT_LOW_POWER;
  state->event_kind = (uint8_t)kind;
}

SYCLZE_LOCAL struct syclze__queue_state *syclze__queue_state_create(struct syclze__queue *queue) {
  struct syclze__queue_state *created = (struct syclze__queue_state *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  syclze__image_attach(&queue->ref.slot);
  created->attachment.end = syclze__queue_state_detach;
  created->queue = queue;
  created->holds = 1;
  created->in_order = (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
  created->is_list = queue->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
  created->is_synchronous = syclze__list_is_synchronous(queue);
  created->driver_in_order =
      created->is_list && !created->is_synchronous && syclze__list_is_in_order(queue);
  created->is_ordered = created->is_list &&
                        (!created->in_order || created->driver_in_order || created->is_synchronous);
  if (!created->is_ordered) created->obstacles = SYCLZE__OBSTACLE_KIND;
  if (created->in_order && created->driver_in_order)
    created->order = __atomic_add_fetch(&queue->context->orders, 1, __ATOMIC_RELAXED);
  syclze__queue_state_set_kind(created);
  created->waits_apart =
      created->is_synchronous || (created->event_kind & SYCLZE__EVENT_LOW_POWER) != 0;
  created->last = &created->first;
  struct syclze__attachment *none = NULL;
  if (__atomic_compare_exchange_n(
          &queue->state, &none, &created->attachment, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return created;
  free(created);
  return (struct syclze__queue_state *)(void *)none;
}

/* The queue's state; null without memory. */
SYCLZE_INLINE struct syclze__queue_state *syclze__queue_state_require(struct syclze__queue *queue) {
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  return SYCLZE__LIKELY(state != NULL) ? state : syclze__queue_state_create(queue);
}

#endif

SYCLZE_EXTERN_C_END

#endif
