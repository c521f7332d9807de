/* Bodies of launch.h. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_H

#include "../../launch.h"
#include "../submit/submit.h"
#include "argument_type.h"
#include "launch_command.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_WARM ze_result_t syclze__group_launch(syclze_group *group, struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) SYCLZE_LINK_NAME(syclze__group_launch);

SYCLZE_INLINE syclze_argument syclze__argument_typed(
    const void *value, size_t size, syclze_argument_type type) {
  syclze_argument argument;
  argument.size = size;
  argument.type = (uint8_t)type;
  argument.mode = 0;
  argument.accessor = 0;
  if (size <= sizeof argument.of.bytes && value != NULL) {
    argument.kind = SYCLZE__ARGUMENT_VALUE;
    /* Without optimisation GCC warns of a constant size that does not come here. */
    memcpy(argument.of.bytes, value, size <= sizeof argument.of.bytes ? size : 0);
  } else {
    argument.kind = SYCLZE__ARGUMENT_BORROWED;
    argument.of.value = value;
  }
  return argument;
}

SYCLZE_INLINE syclze_argument syclze_argument_value(const void *value, size_t size) {
  return syclze__argument_typed(value, size, SYCLZE_ARGUMENT_TYPE_STRUCT);
}

SYCLZE_INLINE syclze_argument syclze_argument_accessor(const void *accessor, size_t size) {
  const syclze_accessor *access = (const syclze_accessor *)accessor;
  syclze_argument argument;
  (void)size;
  argument.size = sizeof access->native;
  argument.kind = SYCLZE__ARGUMENT_ACCESSOR;
  argument.type = SYCLZE_ARGUMENT_TYPE_ACCESSOR;
  argument.mode = (uint8_t)access->mode;
  argument.accessor = access->index;
  argument.of.access.native = access->native;
  argument.of.access.memory = access->memory;
  return argument;
}

#ifndef __cplusplus
SYCLZE_INLINE syclze_argument syclze__argument_accessor(
    const void *accessor, size_t size, syclze_argument_type type) {
  (void)type;
  return syclze_argument_accessor(accessor, size);
}
#endif

SYCLZE_INLINE syclze_argument syclze_local(size_t size) {
  syclze_argument argument;
  argument.size = size;
  argument.kind = SYCLZE__ARGUMENT_LOCAL;
  argument.type = SYCLZE_ARGUMENT_TYPE_LOCAL;
  argument.mode = 0;
  argument.accessor = 0;
  argument.of.value = NULL;
  return argument;
}

SYCLZE_INLINE ze_result_t syclze_group_launch(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) {
  SYCLZE__CHECK_IN_GROUP(group, kernel.rep, "syclze_group_launch");
  return syclze__group_launch(group, kernel.rep, range, arguments, count, event);
}

#if SYCLZE__BODIES

SYCLZE_WARM ze_result_t syclze__group_launch(syclze_group *group, struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) {
  struct syclze__launch_shape shape;
  struct syclze__launch launch;
  const struct syclze__status status =
      syclze__launch_begin(&launch, &shape, "syclze_group_launch", kernel, range, arguments, count);
  launch.group = group;
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) syclze__group_fail(group, status);
  return syclze__command_submit(group, &launch.command, event);
}

SYCLZE_COLD ze_result_t syclze_queue_launch_sampled(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_sampler *samplers, uint32_t sampler_count, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze__group_begin(queue);
  if (wait_count != 0) syclze__group_depends_on_all(&group, waits, wait_count);
  if (samplers == NULL && sampler_count != 0)
    syclze__group_fail(&group, syclze__null_pointer("the list of samplers is null"));
  for (uint32_t i = 0; samplers != NULL && i < sampler_count; i++)
    syclze_group_require_sampler(&group, samplers[i]);
  return syclze_group_launch(&group, kernel, range, arguments, count, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
