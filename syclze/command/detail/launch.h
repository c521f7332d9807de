/* Bodies of launch.h. */
#ifndef SYCLZE_COMMAND_DETAIL_LAUNCH_H
#define SYCLZE_COMMAND_DETAIL_LAUNCH_H

#include "../launch.h"
#include "command.h"
#include "kernel_use.h"

SYCLZE_EXTERN_C_BEGIN

/* The range of a launch, and its shape as Level Zero takes it. */
struct syclze__launch_shape {
  const syclze_nd_range *range;
  uint32_t local[3];
  ze_group_count_t groups;
};

SYCLZE_WARM ze_result_t syclze__group_launch(syclze_group *group, struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) SYCLZE_LINK_NAME(syclze__group_launch);
/* The same of a range without an offset, whose shape is computed. */
SYCLZE_WARM ze_result_t syclze__group_launch_shape(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze__group_launch_shape);
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

SYCLZE_INLINE bool syclze__nd_range_has_offset(const syclze_nd_range *range) {
  return (range->offset[0] | range->offset[1] | range->offset[2]) != 0;
}

SYCLZE_INLINE uint32_t syclze__nd_range_dimensions(const syclze_nd_range *range) {
  if (range->dimensions != 0) return range->dimensions;
  return range->global[1] == 0 ? 1 : range->global[2] == 0 ? 2 : 3;
}

/* The rule that the range breaks; null for none. A local size of 0 is a breach. */
SYCLZE_INLINE const char *syclze__launch_shape_of(
    const syclze_nd_range *range, const size_t *local, struct syclze__launch_shape *shape) {
  const uint32_t dimensions = syclze__nd_range_dimensions(range);
  uint32_t counts[3] = {1, 1, 1};
  shape->range = range;
  if (SYCLZE__UNLIKELY(dimensions > 3)) return "a range has one to three dimensions";
#pragma GCC unroll 3
  for (uint32_t i = 0; i < 3; i++) {
    shape->local[i] = 1;
    if (i >= dimensions) continue;
    const size_t global = range->global[i];
    /* Less 1, a size of 0 is the largest number. */
    if (SYCLZE__UNLIKELY(local[i] - 1 >= global || global > UINT32_MAX))
      return "a dimension of the range is empty, too large, or smaller than its group size";
    counts[i] = (uint32_t)global / (uint32_t)local[i];
    if (SYCLZE__UNLIKELY((uint32_t)global % (uint32_t)local[i] != 0))
      return "the global range is no multiple of the local range";
    shape->local[i] = (uint32_t)local[i];
  }
  shape->groups.groupCountX = counts[0];
  shape->groups.groupCountY = counts[1];
  shape->groups.groupCountZ = counts[2];
  return NULL;
}

/* True if the compiler knows the range, and that it is valid and has no offset: then its shape
 * costs nothing, and few bytes. */
SYCLZE_INLINE bool syclze__launch_shape_is_known(
    const syclze_nd_range *range, struct syclze__launch_shape *shape) {
  if (!__builtin_constant_p(range->global[0] + range->global[1] + range->global[2] +
                            range->local[0] + range->local[1] + range->local[2] + range->offset[0] +
                            range->offset[1] + range->offset[2] + range->dimensions))
    return false;
  return !syclze__nd_range_has_offset(range) &&
         syclze__launch_shape_of(range, range->local, shape) == NULL;
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
  const bool is_plain = __builtin_constant_p(count) && count == 0 &&
                        __builtin_constant_p(event == NULL) && event == NULL;
  if (range == NULL || !syclze__launch_shape_is_known(range, &shape)) {
    if (is_plain && syclze__group_is_new(group))
      return syclze__launch_bare(group->queue, kernel.rep, range);
    return syclze__group_launch(group, kernel.rep, range, arguments, count, event);
  }
  if (__builtin_constant_p(count) && count == 0 && __builtin_constant_p(event == NULL) &&
      event != NULL && group->queue != NULL && !syclze__group_depends(group) &&
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

struct syclze__launch {
  struct syclze__command command;
  const syclze_group *group;
  const syclze_argument *arguments;
  uint32_t count;
  const struct syclze__launch_shape *shape;
};

/* Group sizes that the driver suggests. */
SYCLZE_LOCAL ze_result_t syclze__launch_suggest(
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

/* Sets what the native kernel holds of a launch, but for an offset. */
SYCLZE_INLINE struct syclze__status syclze__launch_set(const syclze_group *group,
    const syclze_accessor *accessors, ze_kernel_handle_t kernel,
    const struct syclze__launch_shape *shape, const syclze_argument *arguments, uint32_t count) {
  ze_result_t result;
  for (uint32_t i = 0; i < count; i++, arguments++) {
    const void *value = arguments->value;
    size_t size = arguments->size;
    if (arguments->is_accessor) {
      const syclze_accessor *accessor = (const syclze_accessor *)value;
      if (SYCLZE__UNLIKELY(accessor->index >= group->accessor_count ||
                           accessors[accessor->index].native != accessor->native))
        return syclze__status_of(
            SYCLZE_RESULT_ERROR_ACCESSOR, "an accessor is none of the command group");
      value = &accessor->native;
      size = sizeof accessor->native;
    }
    result = SYCLZE__ZE(zeKernelSetArgumentValue)(kernel, i, size, value);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
      return syclze__status_of(result, "zeKernelSetArgumentValue failed");
  }
  result =
      SYCLZE__ZE(zeKernelSetGroupSize)(kernel, shape->local[0], shape->local[1], shape->local[2]);
  return syclze__status_of(result, "zeKernelSetGroupSize failed");
}

SYCLZE_LOCAL_WARM struct syclze__status syclze__launch_prepare(
    const struct syclze__command *command) {
  const struct syclze__launch *launch = (const struct syclze__launch *)(const void *)command;
  ze_kernel_handle_t kernel = command->kernel->native;
  const size_t *offset = launch->shape->range->offset;
  /* A copy has no group, and no accessors as arguments. */
  struct syclze__status status = syclze__launch_set(launch->group,
      launch->group != NULL ? syclze__group_accessors(launch->group) : NULL, kernel, launch->shape,
      launch->arguments, launch->count);
  if (status.result != ZE_RESULT_SUCCESS || !syclze__nd_range_has_offset(launch->shape->range))
    return status;
  return syclze__status_of(SYCLZE__ZE(zeKernelSetGlobalOffsetExp)(kernel, (uint32_t)offset[0],
                               (uint32_t)offset[1], (uint32_t)offset[2]),
      "zeKernelSetGlobalOffsetExp failed");
}

SYCLZE_LOCAL_WARM ze_result_t syclze__launch_append(
    const struct syclze__command *command, struct syclze__submission *submission) {
  const struct syclze__launch *launch = (const struct syclze__launch *)(const void *)command;
  ze_kernel_handle_t kernel = command->kernel->native;
  const ze_result_t result =
      SYCLZE__ZE(zeCommandListAppendLaunchKernel)(submission->list, kernel, &launch->shape->groups,
          submission->signal, submission->wait_count, submission->waits.natives);
  /* The offset would stay for launches that have none. */
  if (SYCLZE__UNLIKELY(syclze__nd_range_has_offset(launch->shape->range)))
    SYCLZE__ZE(zeKernelSetGlobalOffsetExp)(kernel, 0, 0, 0);
  return result;
}

/* Copies the shape, and the arguments with the memory of accessors as values. */
SYCLZE_LOCAL struct syclze__status syclze__launch_keep(
    struct syclze__command *copy, const struct syclze__submission *submission, void **extra) {
  enum { ALIGNMENT = 16 };
  struct syclze__launch *launch = (struct syclze__launch *)(void *)copy;
  const syclze_group *group = submission->group;
  const size_t head = sizeof *launch->shape->range + sizeof *launch->shape +
                      launch->count * sizeof *launch->arguments;
  size_t size = (head + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, at = size;
  for (uint32_t i = 0; i < launch->count; i++)
    size += (launch->arguments[i].size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *memory = (char *)malloc(size);
  if (memory == NULL) return syclze__out_of_memory();
  *extra = memory;
  syclze_nd_range *range = (syclze_nd_range *)(void *)memory;
  syclze_argument *arguments = (syclze_argument *)(void *)(range + 1);
  struct syclze__launch_shape *shape =
      (struct syclze__launch_shape *)(void *)(arguments + launch->count);
  *range = *launch->shape->range;
  *shape = *launch->shape;
  shape->range = range;
  for (uint32_t i = 0; i < launch->count; i++) {
    const syclze_argument *from = &launch->arguments[i];
    const void *value = from->value;
    arguments[i] = *from;
    if (value == NULL) continue;
    if (from->is_accessor) {
      const syclze_accessor *accessor = (const syclze_accessor *)value;
      if (accessor->index >= group->accessor_count ||
          submission->accessors[accessor->index].native != accessor->native)
        return syclze__status_of(
            SYCLZE_RESULT_ERROR_ACCESSOR, "an accessor is none of the command group");
      value = &accessor->native;
      arguments[i].is_accessor = false;
      arguments[i].size = sizeof accessor->native;
    }
    memcpy(memory + at, value, arguments[i].size);
    arguments[i].value = memory + at;
    at += (arguments[i].size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  launch->arguments = arguments;
  launch->shape = shape;
  launch->group = NULL;
  return syclze__allowed();
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_INLINE void syclze__launch_trace_info(struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    struct syclze__command_trace *trace) {
  struct syclze__trace_kernel_info *info = &trace->kernel;
  trace->command.kernel = info;
  info->native = kernel->native;
  info->object = kernel;
  info->name_hash = &kernel->name_hash;
  info->range = range;
  info->arguments = arguments;
  info->count = count;
}

SYCLZE_LOCAL void syclze__launch_trace(
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  const struct syclze__launch *launch = (const struct syclze__launch *)(const void *)command;
  syclze__launch_trace_info(
      command->kernel, launch->shape->range, launch->arguments, launch->count, trace);
}
#endif

/* Any launch, by the way of all commands. */
SYCLZE_LOCAL_WARM ze_result_t syclze__launch_submit(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  struct syclze__launch launch;
  launch.command = syclze__command_of("syclze_group_launch", syclze__launch_append);
  launch.command.prepare = syclze__launch_prepare;
#if XPTI_ENABLE_INSTRUMENTATION
  launch.command.trace = syclze__launch_trace;
#endif
  launch.command.size = sizeof launch;
  launch.command.keep = syclze__launch_keep;
  launch.command.kernel = kernel;
  launch.group = group;
  launch.arguments = arguments;
  launch.count = count;
  launch.shape = shape;
  return syclze__command_submit_full(group, &launch.command, event);
}

/* Releases the state, and takes the way of all commands. */
SYCLZE_LOCAL ze_result_t syclze__launch_leave_and_submit(struct syclze__queue_state *state,
    syclze_group *group, struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  syclze__lock_release(&state->lock);
  return syclze__launch_submit(group, kernel, shape, arguments, count, event);
}

#if XPTI_ENABLE_INSTRUMENTATION
/* A traced launch: one append where it would be that untraced, and leaves no event. */
SYCLZE_LOCAL_WARM ze_result_t syclze__launch_traced(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  struct syclze__command_trace trace;
  struct syclze__queue_state *state =
      event == NULL && !syclze__is_forked()
          ? syclze__submission_enter(group, SYCLZE__SUBMISSION_COMMAND)
          : NULL;
  if (SYCLZE__UNLIKELY(state == NULL))
    return syclze__launch_submit(group, kernel, shape, arguments, count, event);
  if (SYCLZE__UNLIKELY(!syclze__kernel_is_bound(kernel, state)))
    return syclze__launch_leave_and_submit(state, group, kernel, shape, arguments, count, event);
  const struct syclze__status status =
      syclze__launch_set(group, group->accessors, kernel->native, shape, arguments, count);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) {
    syclze__queue_state_fail(state, NULL, status.result, status.rule, "syclze_group_launch");
    syclze__command_trace_end(NULL, status.result);
    return status.result;
  }
  syclze__group_trace_info(group, group->accessors, "syclze_group_launch", &trace.command);
  syclze__launch_trace_info(kernel, shape->range, arguments, count, &trace);
  struct syclze__trace_node *node = syclze__trace_command_begin(&trace.command);
  const ze_result_t result = SYCLZE__ZE(zeCommandListAppendLaunchKernel)(
      group->queue->native.list, kernel->native, &shape->groups, NULL, 0, NULL);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) {
    if (node != NULL) node->table->command_end(node, result, true);
    syclze__queue_state_leave(state, NULL);
    return result;
  }
  syclze__queue_state_fail(
      state, NULL, result, "zeCommandListAppendLaunchKernel failed", "syclze_group_launch");
  syclze__command_trace_end(node, result);
  return result;
}
#endif

/* A launch that is one append, with an event, to the native list of the state, which is locked. */
SYCLZE_LOCAL_WARM ze_result_t syclze__launch_append_event(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, struct syclze__queue_state *state,
    syclze_event *event) {
  struct syclze__event *created = NULL;
  if (SYCLZE__UNLIKELY(!syclze__kernel_is_bound_with_event(kernel, state)))
    return syclze__launch_leave_and_submit(state, group, kernel, shape, arguments, count, event);
  struct syclze__status status =
      syclze__launch_set(group, group->accessors, kernel->native, shape, arguments, count);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS))
    status = syclze__status_of(syclze__pending_create(state, &created), "no memory, or no event");
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS))
    status =
        syclze__status_of(SYCLZE__ZE(zeCommandListAppendLaunchKernel)(group->queue->native.list,
                              kernel->native, &shape->groups, created->native, 0, NULL),
            "zeCommandListAppendLaunchKernel failed");
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(
        state, created, status.result, status.rule, "syclze_group_launch");
  /* Otherwise its last release waits for the list. */
  if (!syclze__kernel_is_bound(kernel, state)) syclze__pending_keep_kernel(created, kernel);
  event->rep = created;
  syclze__queue_state_leave(state, created);
  return status.result;
}

#if SYCLZE__CHECKED
/* Compares the number of arguments with the kernel's own. Without any, those that the application
 * set in the native kernel stay. The sizes are the driver's to compare. */
SYCLZE_LOCAL void syclze__launch_check_count(
    syclze_group *group, const struct syclze__kernel *kernel, uint32_t count) {
  ze_kernel_properties_t properties;
  if (kernel == NULL || count == 0) return;
  memset(&properties, 0, sizeof properties);
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  if (SYCLZE__ZE(zeKernelGetProperties)(kernel->native, &properties) == ZE_RESULT_SUCCESS &&
      properties.numKernelArgs != count)
    syclze__group_fail(group, syclze__status_of(SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT,
                                  "the launch has fewer or more arguments than the kernel"));
}
#else
#define syclze__launch_check_count(group, kernel, count) ((void)0)
#endif

SYCLZE_WARM ze_result_t syclze__group_launch_shape(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  syclze__launch_check_count(group, kernel, count);
  if (event != NULL) event->rep = NULL;
  if (SYCLZE__UNLIKELY(kernel == NULL))
    syclze__group_fail(group, syclze__null_handle("the kernel is null"));
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS())
    return syclze__launch_traced(group, kernel, shape, arguments, count, event);
#endif
  struct syclze__queue_state *state = syclze__submission_enter(group, SYCLZE__SUBMISSION_COMMAND);
  if (SYCLZE__UNLIKELY(state == NULL))
    return syclze__launch_submit(group, kernel, shape, arguments, count, event);
  if (event != NULL)
    return syclze__launch_append_event(group, kernel, shape, arguments, count, state, event);
  if (SYCLZE__UNLIKELY(!syclze__kernel_is_bound(kernel, state)))
    return syclze__launch_leave_and_submit(state, group, kernel, shape, arguments, count, NULL);
  const struct syclze__status status =
      syclze__launch_set(group, group->accessors, kernel->native, shape, arguments, count);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(state, NULL, status.result, status.rule, "syclze_group_launch");
  const ze_result_t result = SYCLZE__ZE(zeCommandListAppendLaunchKernel)(
      group->queue->native.list, kernel->native, &shape->groups, NULL, 0, NULL);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(
        state, NULL, result, "zeCommandListAppendLaunchKernel failed", "syclze_group_launch");
  syclze__queue_state_leave(state, NULL);
  return result;
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
  syclze__queue_state_leave_event(state, event);
  return made;
}

SYCLZE_WARM ze_result_t syclze__group_launch(syclze_group *group, struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) {
  struct syclze__launch_shape shape;
  struct syclze__status status = syclze__allowed();
  shape.range = range;
  if (SYCLZE__UNLIKELY(range == NULL))
    status = kernel == NULL ? syclze__null_handle("the kernel is null")
                            : syclze__null_pointer("the range's pointer is null");
  else if (SYCLZE__LIKELY(kernel != NULL && group->status.result == ZE_RESULT_SUCCESS)) {
    status = syclze__launch_check(kernel->native, range, &shape);
    if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS && !syclze__nd_range_has_offset(range)))
      return syclze__group_launch_shape(group, kernel, &shape, arguments, count, event);
  }
  if (event != NULL) event->rep = NULL;
  if (kernel == NULL && status.result == ZE_RESULT_SUCCESS)
    status = syclze__null_handle("the kernel is null");
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  return syclze__launch_submit(group, kernel, &shape, arguments, count, event);
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
