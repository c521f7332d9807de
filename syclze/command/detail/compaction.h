/* Bounds the lists of accesses: at 1024 pending accesses a worker waits for all of them and signals
 * one event that replaces them. Without memory for that the list stays as it is. */
#ifndef SYCLZE_COMMAND_DETAIL_COMPACTION_H
#define SYCLZE_COMMAND_DETAIL_COMPACTION_H

#include "host_wait.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__ACCESSES_COMPACT = 1024 };

#if SYCLZE__BODIES

SYCLZE_INLINE void syclze__range_extend(
    struct syclze__range *range, const struct syclze__range *other) {
  for (uint32_t i = 0; i < 3; i++) {
    if (other->first[i] < range->first[i]) range->first[i] = other->first[i];
    if (other->end[i] > range->end[i]) range->end[i] = other->end[i];
  }
}

/* Has the host wait cover the list, and extends the range to all of it. */
SYCLZE_LOCAL ze_result_t syclze__compaction_gather(struct syclze__access *list,
    const struct syclze__queue_state *own, struct syclze__host_wait *host_wait,
    struct syclze__range *range) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (struct syclze__access *access = list; access != NULL && result == ZE_RESULT_SUCCESS;
       access = access->next) {
    struct syclze__event *event;
    result = syclze__access_event(access, own, &event);
    if (result == ZE_RESULT_SUCCESS && event != NULL)
      result = syclze__wait_list_add(&host_wait->waits, event);
    syclze__range_extend(range, &access->range);
  }
  return result;
}

/* Replaces the accesses of a list that is not empty by one. With the memory object's lock held, and
 * that of `own`, for whose queue it is done. */
SYCLZE_LOCAL void syclze__accesses_compact(
    struct syclze__access **list, struct syclze__queue_state *own) {
  struct syclze__access *all = (struct syclze__access *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESS], sizeof *all);
  struct syclze__host_wait *host_wait = syclze__host_wait_create(own->queue);
  ze_result_t result =
      all != NULL && host_wait != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (all != NULL) {
    all->next = NULL;
    all->range = (*list)->range;
    all->is_whole = false;
    all->state = NULL;
    all->event = NULL;
    all->position = 0;
    all->depth = 1;
  }
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__compaction_gather(*list, own, host_wait, &all->range);
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
