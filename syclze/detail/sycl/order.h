/* Order between SYCL and this library, where one of them has work that no native queue has yet: its
 * host tasks, and the commands behind them.
 *
 * SYCL's work is joined: a host task of SYCL's behind it signals a native event (tasks.h). Commands
 * of other native queues wait for that event in them. In the same native list they must not,
 * because SYCL would append the joined command behind them: a host task of the shared queue waits
 * for the event, and holds them back.
 *
 * Work of this library is waited for by a host task of SYCL's. SYCL has one thread for those, which
 * waits in this one; so it is not started before all joins that precede it. */
#ifndef SYCLZE_DETAIL_SYCL_ORDER_H
#define SYCLZE_DETAIL_SYCL_ORDER_H

#include "../../command/host_task.h"
#include "../../command/queue_order.h"
#include "tasks.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__sycl_do_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

/* The data of a shared queue's owner. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__sycl_entry_of(
    const struct syclze__sycl *sycl, syclze_queue queue, struct syclze__sycl_entry **entry) {
  struct syclze__sycl_shared *shared = NULL;
  struct syclze__status status = syclze__allowed();
  *entry = syclze__sycl_known_entry(queue);
  if (SYCLZE__LIKELY(*entry != NULL)) return status;
  /* The table has the first of two queues that the application made of one list. */
  status = syclze__sycl_shared_get(sycl, syclze__sycl_any(SYCLZE_OBJECT_QUEUE, queue.rep), &shared);
  if (shared != NULL) *entry = &shared->entry;
  return status;
}

/* Submits to the shared queue a host task behind SYCL's last event, with the entry's mutex. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_hold_own(struct syclze__sycl *sycl,
    struct syclze__sycl_entry *entry, syclze_queue queue, const struct syclze__sycl_object *last) {
  struct syclze__sycl_object task;
  syclze_event joined;
  const struct syclze__status status = syclze__sycl_join(
      sycl, &entry->object, last, syclze_queue_get_context(queue), &joined, &task);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  syclze_group group = syclze__group_begin(queue);
  syclze_group_depends_on(&group, joined);
  const ze_result_t result = syclze_group_host_task(&group, syclze__sycl_do_nothing, NULL, NULL);
  (void)syclze_event_release(joined);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__sycl_release_weak(&entry->seen);
    entry->seen = syclze__sycl_retain_weak(&task);
  }
  syclze__sycl_release(&task);
  return syclze__status_of(result, "syclze_group_host_task failed");
}

/* Fills in SYCL's last event in the queue, if there is one. */
SYCLZE_INLINE bool syclze__sycl_last_event(
    const struct syclze__sycl *sycl, const void *object, struct syclze__sycl_object *last) {
  const struct syclze__sycl_result found = sycl->queue_last_event(object);
  *last = syclze__sycl_object_of(&found);
  /* An optional: its flag stands behind the event. */
  return ((uintptr_t)found.words[2] & 1) != 0;
}

/* The next submission to the shared queue, which is in-order, waits for what SYCL holds back in it.
 */
SYCLZE_LOCAL struct syclze__status syclze__sycl_await(
    struct syclze__sycl *sycl, const void *object, syclze_queue queue) {
  struct syclze__sycl_entry *entry;
  struct syclze__status status = syclze__sycl_entry_of(sycl, queue, &entry);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  syclze__sycl_mutex_acquire(&entry->mutex);
  struct syclze__sycl_object last;
  if (syclze__sycl_last_event(sycl, object, &last)) {
    if (last.counts != entry->seen.counts && syclze__sycl_event_is_held(sycl, &last))
      status = syclze__sycl_hold_own(sycl, entry, queue, &last);
    syclze__sycl_release(&last);
  }
  syclze__sycl_mutex_release(&entry->mutex);
  return status;
}

/* The last work of the shared queue, if no native list has that yet; else null. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__sycl_last_deferred(
    syclze_queue queue, syclze_event *last) {
  const struct syclze__queue_state *state = syclze__queue_state_get(queue.rep);
  syclze_event_status progress = SYCLZE_EVENT_STATUS_SUBMITTED;
  last->rep = NULL;
  if (state == NULL ||
      (__atomic_load_n(&state->obstacles, __ATOMIC_RELAXED) & SYCLZE__OBSTACLE_AFTER) == 0)
    return syclze__allowed();
  ze_result_t result = syclze_queue_get_last_event(queue, last);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "syclze_queue_get_last_event failed");
  result = syclze_event_get_status(*last, &progress);
  if (result == ZE_RESULT_SUCCESS && progress != SYCLZE_EVENT_STATUS_COMPLETE)
    return syclze__allowed();
  (void)syclze_event_release(*last);
  last->rep = NULL;
  return syclze__status_of(result, "syclze_event_get_status failed");
}

/* Submits to SYCL's queue a host task that waits for one or two events, whose references it takes.
 * `*task` is its event. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_hold_sycl(struct syclze__sycl *sycl,
    const void *object, syclze_queue queue, syclze_event first, syclze_event second,
    struct syclze__sycl_object *task) {
  struct syclze__sycl_entry *entry;
  uint32_t count = 0;
  struct syclze__status status = syclze__sycl_check_executing(sycl, object);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__sycl_entry_of(sycl, queue, &entry);
  if (status.result != ZE_RESULT_SUCCESS) {
    (void)syclze_event_release(first);
    (void)syclze_event_release(second);
    return status;
  }
  syclze__sycl_mutex_acquire(&entry->mutex);
  struct syclze__sycl_object *joins = syclze__sycl_joins_pending(sycl, &count);
  if (joins == NULL) {
    (void)syclze_event_release(first);
    (void)syclze_event_release(second);
    status = syclze__out_of_memory();
  } else
    status = syclze__sycl_submit(sycl, object, syclze__sycl_vector_of(joins, count * sizeof *joins),
        false, first, second, task);
  if (status.result == ZE_RESULT_SUCCESS) {
    syclze__sycl_release_weak(&entry->seen);
    entry->seen = syclze__sycl_retain_weak(task);
  }
  syclze__sycl_mutex_release(&entry->mutex);
  while (count != 0)
    syclze__sycl_release(&joins[--count]);
  free(joins);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
