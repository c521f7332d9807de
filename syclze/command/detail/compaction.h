/* Long lists of accesses, folded: where very many pieces of work that are not done access a memory,
 * one event stands for all of them, which a worker signals when they are. What comes later waits
 * for that one. Without memory for it the list stays as it is. */
#ifndef SYCLZE_COMMAND_FOLD_H
#define SYCLZE_COMMAND_FOLD_H

#include "host_wait.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__ACCESSES_FOLD = 1024 };

SYCLZE_INLINE void syclze__box_extend(struct syclze__box *box, const struct syclze__box *other) {
  for (uint32_t i = 0; i < 3; i++) {
    if (other->first[i] < box->first[i]) box->first[i] = other->first[i];
    if (other->end[i] > box->end[i]) box->end[i] = other->end[i];
  }
}

SYCLZE_COLD ze_result_t syclze__fold_gather(struct syclze__access *list,
    const struct syclze__stream *own, struct syclze__bridge *bridge, struct syclze__box *box)
    SYCLZE_LINK_NAME(syclze__fold_gather);

/* Has the bridge wait for all of the list, and extends the box to all of it. */
SYCLZE_COLD ze_result_t syclze__fold_gather(struct syclze__access *list,
    const struct syclze__stream *own, struct syclze__bridge *bridge, struct syclze__box *box) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (struct syclze__access *access = list; access != NULL && result == ZE_RESULT_SUCCESS;
       access = access->next) {
    struct syclze__event *event;
    result = syclze__access_event(access, own, &event);
    if (result == ZE_RESULT_SUCCESS && event != NULL)
      result = syclze__stream_wait(bridge->stream, event);
    syclze__box_extend(box, &access->box);
  }
  return result;
}

SYCLZE_COLD void syclze__accesses_fold(struct syclze__access **list, struct syclze__stream *own)
    SYCLZE_LINK_NAME(syclze__accesses_fold);

/* Folds a list that is not empty. With the lock of all dependencies held, and that of `own`, for
 * whose queue it is done. */
SYCLZE_COLD void syclze__accesses_fold(struct syclze__access **list, struct syclze__stream *own) {
  struct syclze__access *all = (struct syclze__access *)syclze__pool_take(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESS], sizeof *all);
  struct syclze__bridge *bridge = syclze__bridge_make(own->queue);
  ze_result_t result =
      all != NULL && bridge != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (all != NULL) {
    all->next = NULL;
    all->box = (*list)->box;
    all->is_whole = false;
    all->stream = NULL;
    all->event = NULL;
    all->position = 0;
    all->depth = 1;
  }
  if (result == ZE_RESULT_SUCCESS) result = syclze__fold_gather(*list, own, bridge, &all->box);
  if (result == ZE_RESULT_SUCCESS) result = syclze__event_fresh(bridge->stream, &bridge->done[0]);
  if (result == ZE_RESULT_SUCCESS) {
    bridge->apart = true;
    all->event = bridge->done[0];
    syclze__ref_retain(&all->event->ref);
    all->stream = bridge->stream;
    __atomic_fetch_add(&all->stream->references, 1, __ATOMIC_RELAXED);
    result = syclze__bridge_submit(bridge);
  }
  if (result != ZE_RESULT_SUCCESS) {
    if (all != NULL) syclze__access_end(all);
    if (bridge != NULL) syclze__bridge_end(bridge);
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
