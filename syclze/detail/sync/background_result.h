/* The result of a copy in the background, once its event is signalled; shared by the worker and a
 * waiting access. */
#ifndef SYCLZE_DETAIL_SYNC_BACKGROUND_RESULT_H
#define SYCLZE_DETAIL_SYNC_BACKGROUND_RESULT_H

#include "../objects/memory_object.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__outcome {
  uint32_t references;
  ze_result_t result;
};

#if SYCLZE__BODIES

/* Drops a reference. Null is allowed. */
SYCLZE_LOCAL void syclze__outcome_drop(struct syclze__outcome *outcome) {
  if (outcome != NULL && __atomic_sub_fetch(&outcome->references, 1, __ATOMIC_ACQ_REL) == 0)
    free(outcome);
}

/* The result, once the event is signalled. Waits until the worker drops its reference, so that the
 * application's release ends the context. */
SYCLZE_LOCAL ze_result_t syclze__outcome_take(struct syclze__outcome *outcome) {
  ze_result_t result;
  if (outcome == NULL) return ZE_RESULT_SUCCESS;
  syclze__word_await(&outcome->references, 2);
  result = outcome->result;
  free(outcome);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
