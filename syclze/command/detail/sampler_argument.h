/* Samplers among the arguments of a launch.
 *
 * An argument that is one looks like an accessor that no group has, so that a launch without
 * samplers does nothing for them. The launch that comes to one begins again: the group requires the
 * sampler for reading, which keeps it until the work is done, and the argument is its handle. */
#ifndef SYCLZE_COMMAND_DETAIL_SAMPLER_ARGUMENT_H
#define SYCLZE_COMMAND_DETAIL_SAMPLER_ARGUMENT_H

#include "../launch.h"
#include "recording.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_COLD syclze_argument syclze_argument_sampler(const void *sampler, size_t size) {
  static const syclze_accessor none = {NULL, NULL, 0, SYCLZE_ACCESS_READ, UINT16_MAX, true, false};
  syclze_argument argument = {0, &none, true};
  (void)size;
  argument.size = (size_t)(uintptr_t)((const syclze_sampler *)sampler)->rep;
  return argument;
}

/* Another file of the program may have made the argument: the address is none of this one's. */
SYCLZE_INLINE bool syclze__accessor_is_sampler(const syclze_accessor *accessor) {
  return accessor->index == UINT16_MAX && accessor->memory == NULL;
}

/* The status of an accessor that is none of the group. */
SYCLZE_LOCAL struct syclze__status syclze__accessor_fail(const syclze_accessor *accessor) {
  if (syclze__accessor_is_sampler(accessor))
    return syclze__status_of(SYCLZE__SUBMISSION_AGAIN, NULL);
  return syclze__status_of(
      SYCLZE_RESULT_ERROR_ACCESSOR, "an accessor is none of the command group");
}

SYCLZE_LOCAL struct syclze__status syclze__check_sampler_in(
    const struct syclze__queue *queue, const struct syclze__sampler *sampler) {
  if (sampler == NULL) return syclze__null_handle("a sampler among the arguments is null");
  if (queue == NULL) return syclze__allowed(); /* which the submission refuses */
  if (!syclze__contexts_are_one(queue->context, sampler->memory.context))
    return syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
        "a sampler is of another context than the queue");
  if (sampler->device != NULL && sampler->device != queue->device &&
      !syclze__devices_are_related(sampler->device, queue->device))
    return syclze__invalid("a sampler was created on another device than the queue's");
  return syclze__allowed();
}

/* The argument that the native kernel takes. */
SYCLZE_LOCAL syclze_argument syclze__argument_of_sampler(
    syclze_group *group, const syclze_argument *argument) {
  struct syclze__sampler *sampler = (struct syclze__sampler *)(uintptr_t)argument->size;
  syclze_argument native = {sizeof sampler->memory.native, NULL, false};
  const struct syclze__status status = syclze__check_sampler_in(group->queue, sampler);
  if (status.result != ZE_RESULT_SUCCESS) {
    syclze__group_fail(group, status);
    return native;
  }
  SYCLZE__CHECK_IN_GROUP(group, sampler, "syclze_group_launch");
  native.value = &sampler->memory.native;
  syclze__group_add_accessor(
      group, syclze__accessor_whole(&sampler->memory, 0, true, SYCLZE_ACCESS_READ), NULL);
  return native;
}

/* The arguments with samplers as values, in `few` or in memory that the caller frees; null without
 * memory. */
SYCLZE_LOCAL syclze_argument *syclze__arguments_without_samplers(syclze_group *group,
    const syclze_argument *arguments, uint32_t count, syclze_argument *few, uint32_t room) {
  syclze_argument *own = few;
  if (count > room) own = (syclze_argument *)malloc(count * sizeof *own);
  for (uint32_t i = 0; i < count && own != NULL; i++)
    if (arguments[i].is_accessor &&
        syclze__accessor_is_sampler((const syclze_accessor *)arguments[i].value))
      own[i] = syclze__argument_of_sampler(group, &arguments[i]);
    else
      own[i] = arguments[i];
  if (own == NULL) syclze__group_fail(group, syclze__out_of_memory());
  return own;
}

#endif

SYCLZE_EXTERN_C_END

#endif
