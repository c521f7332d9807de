/* Bodies of launch.h. */
#ifndef SYCLZE_COMMAND_DETAIL_LAUNCH_H
#define SYCLZE_COMMAND_DETAIL_LAUNCH_H

#include "../launch.h"
#include "launch_command.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE syclze_argument syclze_argument_value(const void *value, size_t size) {
  syclze_argument argument = {size, value, false};
  return argument;
}

SYCLZE_INLINE syclze_argument syclze_argument_accessor(const void *accessor, size_t size) {
  syclze_argument argument = {size, accessor, true};
  return argument;
}

SYCLZE_INLINE syclze_argument syclze_local(size_t size) {
  syclze_argument argument = {size, NULL, false};
  return argument;
}

SYCLZE_INLINE ze_result_t syclze_group_launch(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) {
  SYCLZE__CHECK_IN_GROUP(group, kernel.rep, "syclze_group_launch");
  return syclze__group_launch(group, kernel.rep, range, arguments, count, event);
}

SYCLZE_EXTERN_C_END

#endif
