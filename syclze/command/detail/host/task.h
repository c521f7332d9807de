/* Bodies of host_task.h. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_TASK_H
#define SYCLZE_COMMAND_DETAIL_HOST_TASK_H

#include "../../host_task.h"
#include "task_run.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Records a function of the application. SYCLZE__SUBMISSION_RECORDS as of syclze__recording_add. */
SYCLZE_LOCAL ze_result_t syclze__function_record(syclze_group *group,
    enum syclze__submission_kind kind, syclze_host_function function, void *argument,
    const char *name, syclze_event *event) {
  const struct syclze__recorded recorded = {group, kind, NULL, function, argument, NULL, NULL};
  return syclze__recording_add(&recorded, name, event);
}

SYCLZE_WARM ze_result_t syclze_group_host_task(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event) {
  struct syclze__submission submission;
  if (event != NULL) event->rep = NULL;
  if (function == NULL) syclze__group_fail(group, syclze__null_pointer("the function is null"));
  ze_result_t result = syclze__submission_open(
      &submission, group, SYCLZE__SUBMISSION_HOST, "syclze_group_host_task");
  if (result == SYCLZE__SUBMISSION_RECORDS) {
    result = syclze__function_record(
        group, SYCLZE__SUBMISSION_HOST, function, argument, "syclze_group_host_task", event);
    if (result == SYCLZE__SUBMISSION_RECORDS)
      return syclze_group_host_task(group, function, argument, event);
    return result;
  }
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__host_task *host =
      syclze__host_task_new(group, &submission, submission.at.wait_count, function, argument);
  result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (host != NULL) {
    syclze__host_task_keep(host);
    host->traced = submission.traced;
    submission.traced = NULL;
    result = syclze__host_task_submit(
        host, syclze__pending_waits(submission.at.event), submission.at.wait_count);
  }
  return syclze__submission_end(&submission, event, NULL,
      syclze__status_of(result,
          host == NULL ? "no memory for the host task" : "the host task could not be queued"));
}

#endif

SYCLZE_EXTERN_C_END

#include "../commands/native_command.h"

#endif
