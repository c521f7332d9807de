/* Barriers. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_BARRIER_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_BARRIER_H

#include "../plain/plain.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* A native barrier with a wait list waits for the list only: a second barrier waits for the queue's
 * own work. */
SYCLZE_LOCAL_WARM ze_result_t syclze__barrier_append(
    const struct syclze__command *command, struct syclze__append *at) {
  (void)command;
  if (at->depends || at->wait_count == 0 || !at->state->is_list)
    return syclze__list_append_barrier(at->list, at->signal, at->wait_count, at->waits);
  const ze_result_t result = syclze__append_waits(at);
  if (result != ZE_RESULT_SUCCESS) return result;
  return syclze__list_append_barrier(at->list, at->signal, 0, NULL);
}

SYCLZE_INLINE struct syclze__command syclze__barrier_of(const char *function) {
  static const struct syclze__command_table table = SYCLZE__COMMAND_TABLE(struct syclze__command,
      SYCLZE__SUBMISSION_BARRIER, "zeCommandListAppendBarrier failed", NULL, NULL, NULL,
      syclze__barrier_append, NULL, NULL, NULL);
  const struct syclze__command barrier = {&table, function, NULL};
  return barrier;
}

#endif

SYCLZE_EXTERN_C_END

#endif
