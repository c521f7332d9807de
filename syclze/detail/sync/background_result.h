/* The result of a copy in the background, once its event is signalled; shared by the worker, the
 * replica that is copied to, and waiting accesses. */
#ifndef SYCLZE_DETAIL_SYNC_BACKGROUND_RESULT_H
#define SYCLZE_DETAIL_SYNC_BACKGROUND_RESULT_H

#include "../objects/memory_object.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__outcome {
  uint32_t references;
  uint32_t busy;      /* 1 while accesses wait for the worker too */
  ze_result_t result; /* atomic; ZE_RESULT_NOT_READY before the event is signalled */
};

#if SYCLZE__BODIES

/* Drops a reference. Null is allowed. */
SYCLZE_LOCAL void syclze__outcome_drop(struct syclze__outcome *outcome) {
  if (outcome != NULL && __atomic_sub_fetch(&outcome->references, 1, __ATOMIC_ACQ_REL) == 0)
    free(outcome);
}

/* The result, once the event is signalled; drops a reference. Waits for a busy worker, so that the
 * application's release ends the context. */
SYCLZE_LOCAL ze_result_t syclze__outcome_take(struct syclze__outcome *outcome) {
  if (outcome == NULL) return ZE_RESULT_SUCCESS;
  syclze__word_await(&outcome->busy, 1);
  const ze_result_t result = __atomic_load_n(&outcome->result, __ATOMIC_ACQUIRE);
  syclze__outcome_drop(outcome);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
