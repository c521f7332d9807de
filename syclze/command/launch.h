/* Kernels: the action that runs one over an nd-range.
 *
 *     syclze_nd_range range = {.global = {n}, .local = {64}};
 *     ze_result_t launched = syclze_launch(
 *         &group, kernel, &range, &event, syclze_arg(a), syclze_arg(x), syclze_local(256));
 *
 * Arguments and group size are the native kernel's: one kernel is for one thread at a time (4.4.4).
 * The library keeps the kernel until its work is done where an event stands for the launch: where
 * one is asked for, where the group waits for an event, and where it requires anything on a queue
 * that is no in-order list. Other launches are noted nowhere, which is why they cost next to
 * nothing: then the kernel must live until its work is done. */
#ifndef SYCLZE_COMMAND_LAUNCH_H
#define SYCLZE_COMMAND_LAUNCH_H

#include "../kernel.h"
#include "detail/submission.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_nd_range {
  size_t global[3];    /* items; 0 beyond the dimensions */
  size_t local[3];     /* items in a group; default, all zero: what zeKernelSuggestGroupSize says */
  size_t offset[3];    /* of the first item */
  uint32_t dimensions; /* 1 to 3; default: as many as `global` has before the first 0 */
} syclze_nd_range;

/* An argument of a kernel, made by the functions below. The value is read by the action only. */
typedef struct syclze_argument {
  size_t size;
  const void *value; /* null for local memory */
  bool is_accessor;  /* `value` is one */
} syclze_argument;

/* Bytes by value: a scalar, a struct, or a pointer to memory that the device can access. */
SYCLZE_INLINE syclze_argument syclze_argument_value(const void *value, size_t size) {
  syclze_argument argument = {size, value, false};
  return argument;
}

/* The memory of an accessor of the same group. */
SYCLZE_INLINE syclze_argument syclze_argument_accessor(const void *accessor, size_t size) {
  syclze_argument argument = {size, accessor, true};
  return argument;
}

/* Local memory of so many bytes. */
SYCLZE_INLINE syclze_argument syclze_local(size_t size) {
  syclze_argument argument = {size, NULL, false};
  return argument;
}

SYCLZE_INLINE uint32_t syclze__nd_range_dimensions(const syclze_nd_range *range) {
  if (range->dimensions != 0) return range->dimensions;
  return range->global[1] == 0 ? 1 : range->global[2] == 0 ? 2 : 3;
}

SYCLZE_INLINE struct syclze__status syclze__check_nd_range(
    const syclze_nd_range *range, size_t *local, ze_group_count_t *groups) {
  uint32_t dimensions = syclze__nd_range_dimensions(range);
  uint32_t counts[3] = {1, 1, 1};
#pragma GCC unroll 3
  for (uint32_t i = 0; i < 3; i++) {
    if (i >= dimensions) {
      local[i] = 1;
      continue;
    }
    const size_t global = range->global[i];
    /* A group size of 0 is the largest number here. */
    if (SYCLZE__UNLIKELY(local[i] - 1 >= global || global > UINT32_MAX))
      return syclze__status_of(SYCLZE_RESULT_ERROR_ND_RANGE,
          "a dimension of the range is empty, too large, or smaller than its group size");
    counts[i] = (uint32_t)global / (uint32_t)local[i];
    if (SYCLZE__UNLIKELY((uint32_t)global % (uint32_t)local[i] != 0))
      return syclze__status_of(
          SYCLZE_RESULT_ERROR_ND_RANGE, "the global range is no multiple of the local range");
  }
  groups->groupCountX = counts[0];
  groups->groupCountY = counts[1];
  groups->groupCountZ = counts[2];
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze__suggest(ze_kernel_handle_t kernel, const syclze_nd_range *range,
    size_t *local) SYCLZE_LINK_NAME(syclze__suggest);

SYCLZE_COLD ze_result_t syclze__suggest(
    ze_kernel_handle_t kernel, const syclze_nd_range *range, size_t *local) {
  uint32_t global[3], suggested[3] = {0, 0, 0};
  for (uint32_t i = 0; i < 3; i++)
    global[i] = range->global[i] != 0 ? (uint32_t)range->global[i] : 1;
  ze_result_t result = SYCLZE__ZE(zeKernelSuggestGroupSize)(
      kernel, global[0], global[1], global[2], &suggested[0], &suggested[1], &suggested[2]);
  for (uint32_t i = 0; i < 3; i++)
    local[i] = suggested[i];
  return result;
}

/* What the kernel must be told before it is appended. */
SYCLZE_INLINE struct syclze__status syclze__launch_prepare(const syclze_group *group,
    ze_kernel_handle_t kernel, const syclze_nd_range *range, const syclze_argument *arguments,
    uint32_t count, ze_group_count_t *groups) {
  size_t local[3] = {range->local[0], range->local[1], range->local[2]};
  ze_result_t result;
  if (range->dimensions > 3)
    return syclze__status_of(SYCLZE_RESULT_ERROR_ND_RANGE, "a range has one to three dimensions");
  if (SYCLZE__UNLIKELY(local[0] == 0)) {
    result = syclze__suggest(kernel, range, local);
    if (result != ZE_RESULT_SUCCESS)
      return syclze__status_of(result, "zeKernelSuggestGroupSize failed");
  }
  struct syclze__status status = syclze__check_nd_range(range, local, groups);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) return status;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  uint32_t accessor_count = group->accessor_count;
#pragma GCC unroll 8
  for (uint32_t i = 0; i < count; i++) {
    const void *value = arguments[i].value;
    size_t size = arguments[i].size;
    if (arguments[i].is_accessor) {
      const syclze_accessor *accessor =
          syclze__accessor_find(accessors, accessor_count, (const syclze_accessor *)value);
      if (accessor == NULL)
        return syclze__status_of(
            SYCLZE_RESULT_ERROR_ACCESSOR, "an accessor is none of the command group");
      value = &accessor->native;
      size = sizeof accessor->native;
    }
    result = SYCLZE__ZE(zeKernelSetArgumentValue)(kernel, i, size, value);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
      return syclze__status_of(result, "zeKernelSetArgumentValue failed");
  }
  result = SYCLZE__ZE(zeKernelSetGroupSize)(
      kernel, (uint32_t)local[0], (uint32_t)local[1], (uint32_t)local[2]);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__status_of(result, "zeKernelSetGroupSize failed");
  if (SYCLZE__UNLIKELY((range->offset[0] | range->offset[1] | range->offset[2]) != 0)) {
    if ((range->offset[0] | range->offset[1] | range->offset[2]) > UINT32_MAX)
      return syclze__status_of(SYCLZE_RESULT_ERROR_ND_RANGE, "an offset of the range is too large");
    result = SYCLZE__ZE(zeKernelSetGlobalOffsetExp)(
        kernel, (uint32_t)range->offset[0], (uint32_t)range->offset[1], (uint32_t)range->offset[2]);
    if (result != ZE_RESULT_SUCCESS)
      return syclze__status_of(result, "zeKernelSetGlobalOffsetExp failed");
  }
  return syclze__allowed();
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_INLINE struct syclze__trace_argument_info syclze__argument_trace_info(
    const syclze_argument *argument, int32_t index) {
  enum { ACCESSOR = 0, STANDARD_LAYOUT = 1 };
  const bool bytes = !argument->is_accessor && argument->value != NULL;
  const struct syclze__trace_argument_info info = {
      bytes ? STANDARD_LAYOUT : ACCESSOR, 0, argument->value, (int32_t)argument->size, index};
  return info;
}

/* Fills the trace record. Inlined so that arguments stay in registers when tracing is off. */
SYCLZE_INLINE void syclze__launch_trace_info(struct syclze__trace_kernel_info *info,
    struct syclze__kernel *kernel, const syclze_nd_range *range, const syclze_argument *arguments,
    uint32_t count) {
  info->native = kernel->native;
  info->object = kernel;
  info->name_hash = &kernel->name_hash;
  info->dimensions = range->dimensions;
#pragma GCC unroll 3
  for (uint32_t i = 0; i < 3; i++) {
    info->sizes[i] = range->global[i];
    info->sizes[3 + i] = range->local[i];
    info->sizes[6 + i] = range->offset[i];
  }
  info->sizes[9] = count;
  /* By hand: of a loop that hardly ever runs compilers make no straight line, and the arguments
   * would have to be in memory for all. */
#define SYCLZE__ARGUMENT_INFO(i)                                                                   \
  if (count > i) info->arguments[i] = syclze__argument_trace_info(&arguments[i], i)
#define SYCLZE__ARGUMENT_INFO_FOUR(i)                                                              \
  SYCLZE__ARGUMENT_INFO(i);                                                                        \
  SYCLZE__ARGUMENT_INFO(i + 1);                                                                    \
  SYCLZE__ARGUMENT_INFO(i + 2);                                                                    \
  SYCLZE__ARGUMENT_INFO(i + 3)
  SYCLZE__ARGUMENT_INFO_FOUR(0);
  SYCLZE__ARGUMENT_INFO_FOUR(4);
  SYCLZE__ARGUMENT_INFO_FOUR(8);
  SYCLZE__ARGUMENT_INFO_FOUR(12);
#undef SYCLZE__ARGUMENT_INFO_FOUR
#undef SYCLZE__ARGUMENT_INFO
}
#endif

/* The offset would stay for launches that have none. */
SYCLZE_INLINE void syclze__launch_forget_offset(
    ze_kernel_handle_t kernel, const syclze_nd_range *range) {
  if (SYCLZE__UNLIKELY((range->offset[0] | range->offset[1] | range->offset[2]) != 0))
    SYCLZE__ZE(zeKernelSetGlobalOffsetExp)(kernel, 0, 0, 0);
}

/* Runs a kernel. `event` may be null. Errors: what the group kept;
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE for a null kernel; ZE_RESULT_ERROR_INVALID_NULL_POINTER for a
 * null range; SYCLZE_RESULT_ERROR_ND_RANGE for a global range that is empty or no multiple of the
 * local one, and for sizes and offsets of 2^32 and more; SYCLZE_RESULT_ERROR_ACCESSOR for an
 * accessor of another group; what Level Zero returns of the arguments and of the launch. After an
 * error nothing is submitted. */
SYCLZE_INLINE ze_result_t syclze_group_launch(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) {
  if (SYCLZE__UNLIKELY(kernel.rep == NULL))
    syclze__group_fail(group, syclze__null_handle("the kernel is null"));
  else if (SYCLZE__UNLIKELY(range == NULL))
    syclze__group_fail(group, syclze__null_pointer("the range's pointer is null"));
  ze_group_count_t groups;
  struct syclze__queue_state *state = NULL;
  struct syclze__submission submission;
  if (SYCLZE__LIKELY(group->status.result == ZE_RESULT_SUCCESS)) {
    struct syclze__status status =
        syclze__launch_prepare(group, kernel.rep->native, range, arguments, count, &groups);
    if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
      syclze__group_fail(group, status);
    else if (event == NULL && !SYCLZE__TRACING_COMMANDS() &&
             (range->offset[0] | range->offset[1] | range->offset[2]) == 0 &&
             group->event_count == 0)
      state = group->accessor_count != 0 ? syclze__submission_enter(group)
                                         : syclze__queue_state_enter(group->queue);
  }
  ze_result_t result;
  if (SYCLZE__LIKELY(state != NULL)) {
    result = SYCLZE__ZE(zeCommandListAppendLaunchKernel)(
        group->queue->native.list, kernel.rep->native, &groups, NULL, 0, NULL);
    state->position++;
    syclze__lock_release(&state->lock);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
    return syclze__fail(result, "syclze_group_launch", "zeCommandListAppendLaunchKernel failed",
        kernel.rep->native);
  }
  submission.kernel_info = NULL;
  submission.transfer_info = NULL;
#if XPTI_ENABLE_INSTRUMENTATION
  struct syclze__trace_kernel_info info;
  if (SYCLZE__TRACING_COMMANDS() && group->status.result == ZE_RESULT_SUCCESS) {
    syclze__launch_trace_info(&info, kernel.rep, range, arguments, count);
    submission.kernel_info = &info;
  }
#endif
  result = syclze__submission_begin(
      group, SYCLZE__SUBMISSION_COMMAND, event, "syclze_group_launch", &submission);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) {
    if (range != NULL && kernel.rep != NULL)
      syclze__launch_forget_offset(kernel.rep->native, range);
    return result;
  }
  result = SYCLZE__ZE(zeCommandListAppendLaunchKernel)(submission.list, kernel.rep->native, &groups,
      submission.signal, submission.wait_count, submission.waits);
  if (submission.pending != NULL) syclze__pending_keep_kernel(submission.pending, kernel.rep);
  syclze__launch_forget_offset(kernel.rep->native, range);
  return syclze__submission_end(group, SYCLZE__SUBMISSION_COMMAND, &submission, event, result,
      "zeCommandListAppendLaunchKernel failed");
}

#ifndef __cplusplus
/* An argument from its value: an accessor, or else the value's bytes. Lives to the end of the
 * block. */
#define syclze_arg(argument)                                                                       \
  _Generic((argument), syclze_accessor                                                             \
           : syclze_argument_accessor, default                                                     \
           : syclze_argument_value)(                                                               \
      (__typeof__((void)0, (argument))[1]){argument}, sizeof(__typeof__((void)0, (argument))))

/* syclze_group_launch: group, kernel, range, event, and the kernel's arguments, if it has any. */
#define syclze_launch(group, kernel, range, ...)                                                   \
  syclze_group_launch(group, kernel, range, SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0)),       \
      (uint32_t)(sizeof(SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0))) /                         \
                 sizeof(syclze_argument)) -                                                        \
          1,                                                                                       \
      SYCLZE__EVENT(__VA_ARGS__, 0))
/* What follows the event, and the event. The last argument is none of the kernel's. */
#define SYCLZE__ARGUMENTS(event, ...)                                                              \
  (const syclze_argument[]) {                                                                      \
    __VA_ARGS__                                                                                    \
  }
#define SYCLZE__EVENT(event, ...) event
#else
extern "C++" {
/* As above. The value lives to the end of the full expression where it is a temporary. */
template <typename T> inline syclze_argument syclze_arg(const T &value) {
  return syclze_argument_value(&value, sizeof value);
}
inline syclze_argument syclze_arg(const syclze_accessor &accessor) {
  return syclze_argument_accessor(&accessor, sizeof accessor);
}
template <typename... Arguments>
inline ze_result_t syclze_launch(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, syclze_event *event, const Arguments &...arguments) {
  const syclze_argument all[] = {arguments..., syclze_local(0)};
  return syclze_group_launch(group, kernel, range, all, (uint32_t)sizeof...(arguments), event);
}
}
#endif

SYCLZE_EXTERN_C_END

#endif
