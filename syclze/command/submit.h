/* Command groups by a function, with a queue to fall back on.
 *
 *     ze_result_t result =
 *         syclze_queue_submit_or(queue, secondary, command_group, &argument, &event);
 *
 * SYCL's queue::submit with a secondary queue: what the first queue refuses is begun anew on the
 * second, by the same function. An interop handle is then of the second queue. What fails after its
 * submission succeeded is an asynchronous error of its queue (asynchronous.h), and falls back on
 * nothing. */
#ifndef SYCLZE_COMMAND_SUBMIT_H
#define SYCLZE_COMMAND_SUBMIT_H

#include "group.h"

SYCLZE_EXTERN_C_BEGIN

/* Requires what it needs of a group that has begun, ends it with one submission, to which it hands
 * `event`, and returns what that returned. May run twice. */
typedef ze_result_t (*syclze_command_group_function)(
    syclze_group *group, void *argument, syclze_event *event);

/* Runs the function for a group of the queue, and where it fails, for one of the secondary queue,
 * null for none. `event` may be null. Returns what the function returned last, or
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER for a null function. */
SYCLZE_COLD ze_result_t syclze_queue_submit_or(syclze_queue queue, syclze_queue secondary,
    syclze_command_group_function function, void *argument, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_submit_or);

SYCLZE_COLD ze_result_t syclze_queue_submit_or(syclze_queue queue, syclze_queue secondary,
    syclze_command_group_function function, void *argument, syclze_event *event) {
  if (event != NULL) event->rep = NULL;
  if (function == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_submit_or",
        "the function is null", NULL);
  syclze_group group = syclze_group_begin(queue);
  ze_result_t result = function(&group, argument, event);
  syclze_group_end(&group);
  if (result == ZE_RESULT_SUCCESS || secondary.rep == NULL) return result;
  group = syclze_group_begin(secondary);
  result = function(&group, argument, event);
  syclze_group_end(&group);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
