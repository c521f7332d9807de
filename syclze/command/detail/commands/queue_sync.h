/* Bodies of queue_sync.h. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_QUEUE_SYNC_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_QUEUE_SYNC_H

#include "../../queue_sync.h"
#include "../submit/submit.h"
#include "barrier.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_group_barrier(syclze_group *group, syclze_event *event) {
  const struct syclze__command barrier = syclze__barrier_of("syclze_group_barrier");
  return syclze__command_submit(group, &barrier, event);
}

SYCLZE_COLD ze_result_t syclze_queue_submit_with_fallback(syclze_queue queue,
    syclze_queue secondary, syclze_command_group_function function, void *argument,
    syclze_event *event) {
  if (event != NULL) event->rep = NULL;
  if (function == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_submit_with_fallback",
        "the function is null", NULL);
  syclze_group group = syclze__group_begin(queue);
  ze_result_t result = function(&group, argument, event);
  syclze_group_end(&group);
  if (result == ZE_RESULT_SUCCESS || secondary.rep == NULL) return result;
  group = syclze__group_begin(secondary);
  result = function(&group, argument, event);
  syclze_group_end(&group);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
