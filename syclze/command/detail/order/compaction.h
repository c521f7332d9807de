/* Bounds the lists of accesses: a worker waits for all of a list that has 1024 pending accesses
 * when it is tidied, and signals one event that replaces them. So no list has 2048. Without memory
 * it stays as it is.
 *
 * The wait keeps its queue: if the application releases the queue before, the queue ends behind the
 * wait. The wait covers other queues' work too, so that no wait and no release of this queue may
 * wait for it. */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_COMPACTION_H
#define SYCLZE_COMMAND_DETAIL_ORDER_COMPACTION_H

#include "../host/wait.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Gives an access an event, unless it is done. The lock of another state than `own` is tried. */
SYCLZE_LOCAL ze_result_t syclze__compaction_mark(
    struct syclze__access *access, const struct syclze__queue_state *own) {
  SYCLZE__HELD(&own->lock);
  struct syclze__queue_state *state = access->state;
  if (access->event != NULL) return ZE_RESULT_SUCCESS;
  if (state == NULL) return syclze__access_require_event(access);
  if (state == own) return syclze__access_mark(access);
  if (!syclze__lock_try(&state->lock)) return ZE_RESULT_NOT_READY;
  const ze_result_t result = syclze__access_mark(access);
  syclze__lock_release(&state->lock);
  return result;
}

/* Adds the list's events to the host wait, and extends `all` to cover the list. */
SYCLZE_LOCAL ze_result_t syclze__compaction_gather(struct syclze__access *list,
    const struct syclze__queue_state *own, struct syclze__host_wait *host_wait,
    struct syclze__access *all) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (struct syclze__access *access = list; access != NULL && result == ZE_RESULT_SUCCESS;
       access = access->next) {
    result = syclze__compaction_mark(access, own);
    if (access->event != NULL) result = syclze__wait_list_add(&host_wait->waits, access->event);
    syclze__access_extend(all, access);
  }
  return result;
}

/* Replaces all accesses of a list, which is not empty, with one, for the queue of `own`. */
SYCLZE_LOCAL void syclze__accesses_compact(
    struct syclze__access **list, struct syclze__queue_state *own) {
  SYCLZE__HELD(&own->lock);
  struct syclze__access *none = NULL, *all = syclze__access_new(&none);
  struct syclze__host_wait *host_wait = syclze__host_wait_create(own->queue);
  ze_result_t result =
      all != NULL && host_wait != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (all != NULL) {
    all->is_whole = (*list)->is_whole;
    if (!all->is_whole) all->range = (*list)->range;
  }
  if (result == ZE_RESULT_SUCCESS) result = syclze__compaction_gather(*list, own, host_wait, all);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__event_acquire(own->queue->context, SYCLZE__EVENT_PLAIN, &host_wait->done[0]);
  if (result == ZE_RESULT_SUCCESS) {
    host_wait->apart = true;
    all->event = host_wait->done[0];
    syclze__ref_retain(&all->event->ref);
    result = syclze__host_wait_submit(host_wait);
  }
  if (result != ZE_RESULT_SUCCESS) {
    if (all != NULL) syclze__access_end(all);
    if (host_wait != NULL) syclze__host_wait_destroy(host_wait);
    return;
  }
  syclze__access_list_end(*list);
  *list = all;
}

#endif

SYCLZE_EXTERN_C_END

#endif
