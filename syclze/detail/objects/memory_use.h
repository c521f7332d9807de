/* Uses of memory objects by pending work, for which their end waits (memory_object.h). */
#ifndef SYCLZE_DETAIL_OBJECTS_MEMORY_USE_H
#define SYCLZE_DETAIL_OBJECTS_MEMORY_USE_H

#include "memory_object.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Adds a use by work that signals `event`. The list keeps a reference to the event until it is
 * signalled, or the memory ends. */
SYCLZE_LOCAL ze_result_t syclze__memory_use(
    struct syclze__memory *memory, struct syclze__event *event) {
  struct syclze__use *use = (struct syclze__use *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_USE], sizeof *use);
  struct syclze__use *last, *others = NULL;
  if (use == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  syclze__ref_retain(&event->ref);
  use->event = event;
  /* Takes the whole list while it is pruned, so that no other thread reads freed uses. It is short
   * while work completes. */
  use->next = syclze__uses_pruned(__atomic_exchange_n(&memory->uses, NULL, __ATOMIC_ACQUIRE));
  last = use;
  while (last->next != NULL)
    last = last->next;
  while (!__atomic_compare_exchange_n(
      &memory->uses, &others, use, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    last->next = others;
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
