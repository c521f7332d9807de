/* Bodies of launch.h: the arguments, and launches that are one append. */
#ifndef SYCLZE_COMMAND_DETAIL_LAUNCH_H
#define SYCLZE_COMMAND_DETAIL_LAUNCH_H

#include "../launch.h"
#include "launch_command.h"

SYCLZE_EXTERN_C_BEGIN

/* A launch without requirements, arguments and event. */
SYCLZE_WARM ze_result_t syclze__launch_bare(
    struct syclze__queue *queue, struct syclze__kernel *kernel, const syclze_nd_range *range)
    SYCLZE_LINK_NAME(syclze__launch_bare);
/* A launch without requirements and arguments, of a shape that is computed, where that is one
 * append, with an event, which is made; else SYCLZE__LAUNCH_OTHER, and nothing is done. */
SYCLZE_WARM struct syclze__made syclze__launch_event(const struct syclze__queue *queue,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape)
    SYCLZE_LINK_NAME(syclze__launch_event);
#define SYCLZE__LAUNCH_OTHER ZE_RESULT_FORCE_UINT32
SYCLZE_COLD ze_result_t syclze__launch_failed(ze_result_t result,
    const struct syclze__kernel *kernel) SYCLZE_LINK_NAME(syclze__launch_failed);

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

/* The state, locked, of a queue on which a launch without arguments is one append; else null. */
SYCLZE_INLINE struct syclze__queue_state *syclze__launch_enter(
    const syclze_group *group, const struct syclze__kernel *kernel) {
  if (kernel == NULL || group->queue == NULL || syclze__group_depends(group)) return NULL;
  if (SYCLZE__UNLIKELY(group->status.result != ZE_RESULT_SUCCESS)) return NULL;
  if (SYCLZE__TRACING_COMMANDS()) return NULL;
  struct syclze__queue_state *state = syclze__queue_state_get(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL || !syclze__lock_try(&state->lock))) return NULL;
  SYCLZE__APART(state);
  if (SYCLZE__LIKELY(state->obstacles == 0 && syclze__kernel_is_bound(kernel, state))) return state;
  syclze__lock_release(&state->lock);
  return NULL;
}

/* Ends a launch that was one append. */
SYCLZE_INLINE ze_result_t syclze__launch_leave(
    struct syclze__queue_state *state, const struct syclze__kernel *kernel, ze_result_t result) {
  SYCLZE__APART(state);
  state->position++;
  syclze__lock_release(&state->lock);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__launch_failed(result, kernel);
}

SYCLZE_INLINE ze_result_t syclze_group_launch(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) {
  struct syclze__launch_shape shape;
  SYCLZE__CHECK_IN_GROUP(group, kernel.rep, "syclze_group_launch");
  const bool is_known =
      __builtin_constant_p(count) && count == 0 && __builtin_constant_p(event == NULL);
  const bool is_plain = is_known && event == NULL;
  if (range == NULL || !syclze__launch_shape_is_known(range, &shape)) {
    if (is_plain && syclze__group_is_new(group))
      return syclze__launch_bare(group->queue, kernel.rep, range);
    return syclze__group_launch(group, kernel.rep, range, arguments, count, event);
  }
  if (is_known && event != NULL && group->queue != NULL && !syclze__group_depends(group) &&
      group->status.result == ZE_RESULT_SUCCESS && kernel.rep != NULL) {
    const struct syclze__made made = syclze__launch_event(group->queue, kernel.rep, &shape);
    event->rep = (struct syclze__event *)made.rep;
    if (SYCLZE__LIKELY(made.result != SYCLZE__LAUNCH_OTHER)) return made.result;
  }
  if (!is_plain)
    return syclze__group_launch_shape(group, kernel.rep, &shape, arguments, count, event);
  struct syclze__queue_state *state = syclze__launch_enter(group, kernel.rep);
  if (state == NULL) return syclze__group_launch(group, kernel.rep, range, NULL, 0, NULL);
  ze_result_t result = SYCLZE__ZE(zeKernelSetGroupSize)(
      kernel.rep->native, shape.local[0], shape.local[1], shape.local[2]);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = SYCLZE__ZE(zeCommandListAppendLaunchKernel)(
        group->queue->native.list, kernel.rep->native, &shape.groups, NULL, 0, NULL);
  return syclze__launch_leave(state, kernel.rep, result);
}

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze__launch_failed(
    ze_result_t result, const struct syclze__kernel *kernel) {
  return syclze__fail(result, "syclze_group_launch",
      "zeKernelSetGroupSize or zeCommandListAppendLaunchKernel failed", kernel->native);
}

/* Releases the state, if there is one: the way of all commands is to be taken. */
SYCLZE_INLINE struct syclze__made syclze__launch_other(struct syclze__queue_state *state) {
  const struct syclze__made other = {NULL, SYCLZE__LAUNCH_OTHER};
  if (state != NULL) syclze__lock_release(&state->lock);
  return other;
}

SYCLZE_WARM struct syclze__made syclze__launch_event(const struct syclze__queue *queue,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape) {
  struct syclze__made made = {NULL, ZE_RESULT_SUCCESS};
  if (SYCLZE__TRACING_COMMANDS()) return syclze__launch_other(NULL);
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (SYCLZE__UNLIKELY(state == NULL || !syclze__lock_try(&state->lock)))
    return syclze__launch_other(NULL);
  SYCLZE__APART(state);
  if (SYCLZE__UNLIKELY(state->obstacles != 0)) return syclze__launch_other(state);
  /* A kernel that its events alone keep; else its last release waits for the list. */
  const bool keeps_kernel = !syclze__kernel_is_bound(kernel, state);
  if (keeps_kernel && SYCLZE__UNLIKELY(!syclze__kernel_is_bound_with_event(kernel, state)))
    return syclze__launch_other(state);
  struct syclze__event *event = syclze__pending_take(state, kernel);
  if (SYCLZE__UNLIKELY(event == NULL)) return syclze__launch_other(state);
  made.result = SYCLZE__ZE(zeKernelSetGroupSize)(
      kernel->native, shape->local[0], shape->local[1], shape->local[2]);
  if (SYCLZE__LIKELY(made.result == ZE_RESULT_SUCCESS))
    made.result = SYCLZE__ZE(zeCommandListAppendLaunchKernel)(
        state->queue->native.list, kernel->native, &shape->groups, event->native, 0, NULL);
  if (SYCLZE__UNLIKELY(made.result != ZE_RESULT_SUCCESS)) {
    syclze__queue_state_fail(state, event, made.result,
        "zeKernelSetGroupSize or zeCommandListAppendLaunchKernel failed", "syclze_group_launch");
    return made;
  }
  if (keeps_kernel && event->pending.kernel == NULL) syclze__pending_keep_kernel(event, kernel);
  made.rep = event;
  syclze__queue_state_leave_retired(state, event, syclze__queue_state_retire_some(state, event));
  return made;
}

/* By the way of all commands. */
SYCLZE_LOCAL_WARM ze_result_t syclze__launch_any(
    struct syclze__queue *queue, struct syclze__kernel *kernel, const syclze_nd_range *range) {
  syclze_group group = syclze__group_of(queue);
  return syclze__group_launch(&group, kernel, range, NULL, 0, NULL);
}

/* The same with the state's lock, which is released. */
SYCLZE_LOCAL ze_result_t syclze__launch_leave_any(struct syclze__queue *queue,
    struct syclze__kernel *kernel, const syclze_nd_range *range,
    struct syclze__queue_state *state) {
  syclze__lock_release(&state->lock);
  return syclze__launch_any(queue, kernel, range);
}

/* True for a range of one dimension without an offset, where nothing is traced. */
SYCLZE_LOCAL_WARM bool syclze__launch_is_line(const syclze_nd_range *range) {
  return (range->dimensions == 1 || (range->dimensions == 0 && range->global[1] == 0)) &&
         !syclze__nd_range_has_offset(range) && !SYCLZE__TRACING_COMMANDS();
}

/* Not 0 if that is false, and for a range that states its dimensions: one test for all of it. */
SYCLZE_INLINE size_t syclze__launch_oddity(const syclze_nd_range *range) {
  return range->offset[0] | range->offset[1] | range->offset[2] | range->global[1] |
         range->dimensions | SYCLZE__TRACING_COMMANDS_WORD();
}

/* Has `line` be the shape of the range; false if it is invalid. */
SYCLZE_LOCAL_WARM bool syclze__kernel_line_set(
    struct syclze__kernel_line *line, const syclze_nd_range *range) {
  struct syclze__launch_shape shape;
  syclze_nd_range one = {{range->global[0], 0, 0}, {range->local[0], 0, 0}, {0, 0, 0}, 1};
  if (syclze__launch_shape_of(&one, one.local, &shape) != NULL) return false;
  line->global = range->global[0];
  line->local = range->local[0];
  line->groups = shape.groups;
  return true;
}

/* One append. What must be kept across calls is the state and the kernel alone: everything else is
 * left by tail calls. */
SYCLZE_WARM ze_result_t syclze__launch_bare(
    struct syclze__queue *queue, struct syclze__kernel *kernel, const syclze_nd_range *range) {
  if (SYCLZE__UNLIKELY(queue == NULL)) return syclze__launch_any(queue, kernel, range);
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(kernel == NULL)) return syclze__launch_any(queue, kernel, range);
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(range == NULL)) return syclze__launch_any(queue, kernel, range);
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(syclze__launch_oddity(range) != 0) && !syclze__launch_is_line(range))
    return syclze__launch_any(queue, kernel, range);
  struct syclze__queue_state *state = syclze__queue_state_get(queue);
  if (SYCLZE__UNLIKELY(state == NULL || !syclze__lock_try(&state->lock)))
    return syclze__launch_any(queue, kernel, range);
  SYCLZE__APART(state);
  if (SYCLZE__UNLIKELY(state->obstacles != 0 || !syclze__kernel_is_bound(kernel, state)))
    return syclze__launch_leave_any(queue, kernel, range, state);
  struct syclze__kernel_line *line = syclze__kernel_line_of(kernel);
  if (SYCLZE__UNLIKELY(line->local != range->local[0] || line->global != range->global[0]) &&
      !syclze__kernel_line_set(line, range))
    return syclze__launch_leave_any(queue, kernel, range, state);
  ze_result_t result =
      SYCLZE__ZE(zeKernelSetGroupSize)(kernel->native, (uint32_t)line->local, 1, 1);
  SYCLZE__APART(kernel);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
    result = SYCLZE__ZE(zeCommandListAppendLaunchKernel)(state->queue->native.list, kernel->native,
        &syclze__kernel_line_of(kernel)->groups, NULL, 0, NULL);
  state->position++;
  syclze__queue_state_unlock(state);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__launch_failed(result, kernel);
}

#endif

SYCLZE_EXTERN_C_END

#endif
