/* The range of a launch, and its shape as Level Zero takes it. */
#include "../../launch.h"

#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_SHAPE_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_SHAPE_H

SYCLZE_EXTERN_C_BEGIN

/* The range of a launch, and its shape as Level Zero takes it. */
struct syclze__launch_shape {
  const syclze_nd_range *range;
  uint32_t local[3];
  ze_group_count_t groups;
};

SYCLZE_INLINE bool syclze__nd_range_has_offset(const syclze_nd_range *range) {
  return (range->offset[0] | range->offset[1] | range->offset[2]) != 0;
}

SYCLZE_INLINE uint32_t syclze__nd_range_dimensions(const syclze_nd_range *range) {
  if (range->dimensions != 0) return range->dimensions;
  return range->global[1] == 0 ? 1 : range->global[2] == 0 ? 2 : 3;
}

/* The rule that a dimension breaks: its local size is 0 or exceeds the global size, or its global
 * size is too large. */
SYCLZE_COLD const char *syclze__dimension_rule(size_t global, size_t local)
    SYCLZE_LINK_NAME(syclze__dimension_rule);

#if SYCLZE__BODIES
SYCLZE_COLD const char *syclze__dimension_rule(size_t global, size_t local) {
  if (global == 0) return "a dimension of the global range must not be empty";
  if (global > UINT32_MAX) return "a dimension of the global range must be below 2^32";
  return local == 0 ? "a dimension of the local range must not be empty"
                    : "the global range must be no smaller than the local range";
}
#endif

/* The rule that the range breaks, or null. A local size of 0 breaks one. */
SYCLZE_INLINE const char *syclze__launch_shape_of(
    const syclze_nd_range *range, const size_t *local, struct syclze__launch_shape *shape) {
  const uint32_t dimensions = syclze__nd_range_dimensions(range);
  uint32_t counts[3] = {1, 1, 1};
  shape->range = range;
  if (SYCLZE__UNLIKELY(dimensions > 3)) return "the range must have one to three dimensions";
#pragma GCC unroll 3
  for (uint32_t i = 0; i < 3; i++) {
    shape->local[i] = 1;
    if (i >= dimensions) continue;
    const size_t global = range->global[i];
    /* Less 1, a size of 0 is the largest number. */
    if (SYCLZE__UNLIKELY(local[i] - 1 >= global || global > UINT32_MAX))
      return syclze__dimension_rule(global, local[i]);
    counts[i] = (uint32_t)global / (uint32_t)local[i];
    if (SYCLZE__UNLIKELY((uint32_t)global % (uint32_t)local[i] != 0))
      return "the global range must be a multiple of the local range";
    shape->local[i] = (uint32_t)local[i];
  }
  shape->groups.groupCountX = counts[0];
  shape->groups.groupCountY = counts[1];
  shape->groups.groupCountZ = counts[2];
  return NULL;
}

#if SYCLZE__BODIES

/* Group sizes that the driver suggests. */
SYCLZE_LOCAL ze_result_t syclze__launch_suggest(
    ze_kernel_handle_t kernel, const syclze_nd_range *range, size_t *local) {
  uint32_t global[3], suggested[3] = {0, 0, 0};
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  for (uint32_t i = 0; i < 3; i++)
    global[i] = range->global[i] != 0 ? (uint32_t)range->global[i] : 1;
  ze_result_t result = SYCLZE__ZE(zeKernelSuggestGroupSize)(
      kernel, global[0], global[1], global[2], &suggested[0], &suggested[1], &suggested[2]);
  for (uint32_t i = 0; i < 3; i++)
    local[i] = suggested[i];
  return result;
}

SYCLZE_INLINE struct syclze__status syclze__launch_check(
    ze_kernel_handle_t kernel, const syclze_nd_range *range, struct syclze__launch_shape *shape) {
  size_t suggested[3];
  const size_t *local = range->local;
  if (SYCLZE__UNLIKELY(local[0] == 0) && range->dimensions <= 3) {
    const ze_result_t result = syclze__launch_suggest(kernel, range, suggested);
    if (result != ZE_RESULT_SUCCESS)
      return syclze__status_of(result, "zeKernelSuggestGroupSize failed");
    local = suggested;
  }
  const char *rule = syclze__launch_shape_of(range, local, shape);
  if (SYCLZE__UNLIKELY(rule != NULL)) return syclze__status_of(SYCLZE_RESULT_ERROR_ND_RANGE, rule);
  if (SYCLZE__UNLIKELY(
          (range->offset[0] | range->offset[1] | range->offset[2]) > (size_t)UINT32_MAX))
    return syclze__status_of(SYCLZE_RESULT_ERROR_ND_RANGE, "an offset of the range is too large");
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
