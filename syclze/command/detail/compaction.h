/* Long lists of accesses, folded: where very many pieces of work that are not done access a memory,
 * one event stands for all of them, which a worker signals when they are. What comes later waits
 * for that one. Without memory for it the list stays as it is. */
#ifndef SYCLZE_COMMAND_FOLD_H
#define SYCLZE_COMMAND_FOLD_H

#include "host_wait.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__ACCESSES_COMPACT = 1024 };

SYCLZE_INLINE void syclze__range_extend(
    struct syclze__range *box, const struct syclze__range *other) {
  for (uint32_t i = 0; i < 3; i++) {
    if (other->first[i] < box->first[i]) box->first[i] = other->first[i];
    if (other->end[i] > box->end[i]) box->end[i] = other->end[i];
  }
}

/* Has the host_wait wait for all of the list, and extends the box to all of it. */
SYCLZE_LOCAL ze_result_t syclze__compaction_gather(struct syclze__access *list,
    const struct syclze__queue_state *own, struct syclze__host_wait *host_wait,
    struct syclze__range *box) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (struct syclze__access *access = list; access != NULL && result == ZE_RESULT_SUCCESS;
       access = access->next) {
    struct syclze__event *event;
    result = syclze__access_event(access, own, &event);
    if (result == ZE_RESULT_SUCCESS && event != NULL)
      result = syclze__queue_state_wait(host_wait->state, event);
    syclze__range_extend(box, &access->box);
  }
  return result;
}

/* Folds a list that is not empty. With the lock of all dependencies held, and that of `own`, for
 * whose queue it is done. */
SYCLZE_LOCAL void syclze__accesses_compact(
    struct syclze__access **list, struct syclze__queue_state *own) {
  struct syclze__access *all = (struct syclze__access *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESS], sizeof *all);
  struct syclze__host_wait *host_wait = syclze__host_wait_create(own->queue);
  ze_result_t result =
      all != NULL && host_wait != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (all != NULL) {
    all->next = NULL;
    all->box = (*list)->box;
    all->is_whole = false;
    all->state = NULL;
    all->event = NULL;
    all->position = 0;
    all->depth = 1;
  }
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__compaction_gather(*list, own, host_wait, &all->box);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__queue_state_event(host_wait->state, &host_wait->done[0]);
  if (result == ZE_RESULT_SUCCESS) {
    host_wait->apart = true;
    all->event = host_wait->done[0];
    syclze__ref_retain(&all->event->ref);
    all->state = host_wait->state;
    __atomic_fetch_add(&all->state->references, 1, __ATOMIC_RELAXED);
    result = syclze__host_wait_submit(host_wait);
  }
  if (result != ZE_RESULT_SUCCESS) {
    if (all != NULL) syclze__access_end(all);
    if (host_wait != NULL) syclze__host_wait_destroy(host_wait);
    return;
  }
  while (*list != NULL) {
    struct syclze__access *access = *list;
    *list = access->next;
    syclze__access_end(access);
  }
  *list = all;
}

SYCLZE_EXTERN_C_END

#endif
