/* Signals of the application's events by queues. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_EVENT_SIGNAL_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_EVENT_SIGNAL_H

#include "../../event_sync.h"
#include "../submit/submit.h"
#include "barrier.h"
#include "own_event.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__signal_command {
  struct syclze__command command; /* first */
  ze_event_handle_t target;
};

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__status syclze__signal_check(
    const struct syclze__queue *queue, syclze_event target) {
  const struct syclze__status status = syclze__event_check_own(target);
  if (status.result != ZE_RESULT_SUCCESS || queue == NULL ||
      syclze__contexts_are_one(target.rep->context, queue->context))
    return status;
  return syclze__invalid("the event to signal must be of the queue's context");
}

/* A barrier signals one event: a second barrier signals the submission's own. */
SYCLZE_LOCAL ze_result_t syclze__signal_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const ze_event_handle_t own = at->signal;
  at->signal = ((const struct syclze__signal_command *)(const void *)command)->target;
  ze_result_t result = syclze__barrier_append(command, at);
  at->signal = own;
  if (result != ZE_RESULT_SUCCESS || own == NULL) return result;
  if (at->state->is_list) at->begun = true;
  return syclze__barrier_append(command, at);
}

SYCLZE_LOCAL void syclze__signal_init(
    struct syclze__signal_command *signal, syclze_event target, const char *function) {
  static const struct syclze__command_table table =
      SYCLZE__COMMAND_TABLE(struct syclze__signal_command, SYCLZE__SUBMISSION_BARRIER,
          "zeCommandListAppendBarrier failed",
          "sycl_ext_oneapi_graph: signals of the application's events are not recorded", NULL, NULL,
          syclze__signal_append, NULL, NULL, NULL);
  signal->command.table = &table;
  signal->command.function = function;
  signal->command.kernel = NULL;
  signal->target = target.rep != NULL ? target.rep->native : NULL;
}

SYCLZE_COLD ze_result_t syclze_group_signal_event(
    syclze_group *group, syclze_event target, syclze_event *event) {
  struct syclze__signal_command signal;
  SYCLZE__CHECK_IN_GROUP(group, target.rep, "syclze_group_signal_event");
  const struct syclze__status status = syclze__signal_check(group->queue, target);
  syclze__signal_init(&signal, target, "syclze_group_signal_event");
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  return syclze__command_submit(group, &signal.command, event);
}

SYCLZE_COLD ze_result_t syclze_queue_signal_event(syclze_queue queue, syclze_event target,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  struct syclze__signal_command signal;
  SYCLZE__CHECK_USE(target, "syclze_queue_signal_event", SYCLZE_RESULT_ERROR_INVALID);
  const struct syclze__status status = syclze__signal_check(queue.rep, target);
  syclze__signal_init(&signal, target, "syclze_queue_signal_event");
  return syclze__queue_submit(queue, &signal.command, status, waits, wait_count, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
