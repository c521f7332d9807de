/* A queue's state is created by its first submission; the queue is destroyed once its work is done.
 */
#ifndef SYCLZE_COMMAND_DETAIL_QUEUE_LIFETIME_H
#define SYCLZE_COMMAND_DETAIL_QUEUE_LIFETIME_H

#include "../../detail/worker.h"
#include "pending.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Frees the state and ends the queue, whose work is done. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_finish(struct syclze__queue_state *state) {
  struct syclze__queue *queue = state->queue;
  while (state->first != NULL) {
    struct syclze__pending *pending = state->first;
    state->first = pending->next;
    syclze__regular_lists_release(state, &pending->lists);
    syclze__pending_end(pending);
  }
  syclze__regular_lists_destroy(state);
  if (state->spare != NULL) syclze__pending_free(state->spare);
  if (state->after != NULL) syclze__event_release(state->after);
  if (state->barrier != NULL) syclze__event_release(state->barrier);
  __atomic_store_n(&state->has_ended, true, __ATOMIC_RELEASE);
  syclze__queue_state_release(state);
  queue->state = NULL;
  return syclze__queue_destroy(queue);
}

SYCLZE_LOCAL struct syclze__queue_state *syclze__queue_state_of_task(struct syclze__task *task) {
  return (struct syclze__queue_state *)(void *)((char *)task -
                                                offsetof(struct syclze__queue_state, task));
}

SYCLZE_LOCAL ze_result_t syclze__queue_task_wait(struct syclze__task *task, uint64_t nanoseconds) {
  struct syclze__queue_state *state = syclze__queue_state_of_task(task);
  for (; state->left != NULL; state->left = state->left->next) {
    const struct syclze__event *event = state->left->event;
    const ze_result_t result = syclze__task_await(task, event->native, event->context, nanoseconds);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

/* In a lost context (host_signal.h) a queue whose work does not end is left as it is. */
SYCLZE_LOCAL void syclze__queue_task_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__queue_state *state = syclze__queue_state_of_task(task);
  if (result == ZE_RESULT_SUCCESS)
    syclze__queue_state_finish(state);
  else
    syclze__fail(result, "syclze_queue_release",
        "the queue is not destroyed: its context is lost, and its work not done",
        state->queue->native.queue);
}

/* After the queue's last release. Work that is not done is waited for in the background. Where no
 * event can mark the end of the work, the queue is left as it is. */
SYCLZE_LOCAL ze_result_t syclze__queue_state_detach(struct syclze__attachment *attachment) {
  struct syclze__queue_state *state = (struct syclze__queue_state *)(void *)attachment;
  syclze__lock_acquire(&state->lock);
  /* In a kept list the application sees to all but kernels that it released. */
  const bool marks = state->driver_in_order ||
                     (state->is_list && (state->has_plain_launches ||
                                            state->queue->ref.ownership == SYCLZE__TRANSFERRED));
  ze_result_t marked = marks ? syclze__queue_state_mark(state) : ZE_RESULT_SUCCESS;
  const bool left = marked == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ||
                    marked == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  /* After another error the driver is not called again for a marker. */
  if (!left) state->marker_position = state->position;
  struct syclze__pending *done = syclze__queue_state_retire(state, UINT32_MAX);
  const bool busy = state->first != NULL;
  syclze__lock_release(&state->lock);
  syclze__pendings_retire(state, done);
  if (left)
    return syclze__fail(marked, "syclze_queue_release",
        "the queue is not destroyed: the end of its work cannot be found out",
        state->queue->native.queue);
  if (!busy) return syclze__queue_state_finish(state);
  state->left = state->first;
  state->task.wait = syclze__queue_task_wait;
  state->task.run = syclze__queue_task_run;
  state->task.is_application = false;
  syclze__workers_leave(&state->task);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL struct syclze__queue_state *syclze__queue_state_create(struct syclze__queue *queue) {
  struct syclze__queue_state *created = (struct syclze__queue_state *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  created->attachment.end = syclze__queue_state_detach;
  created->queue = queue;
  created->holds = 1;
  created->in_order = (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
  created->is_list = queue->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
  created->driver_in_order = created->in_order && created->is_list && queue->driver_in_order;
  if (!created->is_list || created->in_order != created->driver_in_order)
    created->obstacles = SYCLZE__OBSTACLE_KIND;
  created->profiling = (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) != 0;
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
