/* A launch as a command: what it sets and appends, now or deferred. */
#include "../launch.h"

#ifndef SYCLZE_COMMAND_DETAIL_LAUNCH_COMMAND_H
#define SYCLZE_COMMAND_DETAIL_LAUNCH_COMMAND_H

#include "command.h"
#include "kernel_use.h"
#include "launch_shape.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_WARM ze_result_t syclze__group_launch(syclze_group *group, struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) SYCLZE_LINK_NAME(syclze__group_launch);
/* The same of a range without an offset, whose shape is computed. */
SYCLZE_WARM ze_result_t syclze__group_launch_shape(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze__group_launch_shape);

#if SYCLZE__BODIES

struct syclze__launch {
  struct syclze__command command;
  const syclze_group *group;
  const syclze_argument *arguments;
  uint32_t count;
  const struct syclze__launch_shape *shape;
};

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

/* Once a launch has been prepared: its offset would stay for launches that have none. */
SYCLZE_INLINE void syclze__launch_reset(const struct syclze__command *command) {
  const struct syclze__launch *launch = (const struct syclze__launch *)(const void *)command;
  if (SYCLZE__UNLIKELY(syclze__nd_range_has_offset(launch->shape->range)))
    SYCLZE__ZE(zeKernelSetGlobalOffsetExp)(command->kernel->native, 0, 0, 0);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__launch_append(
    const struct syclze__command *command, struct syclze__submission *submission) {
  const struct syclze__launch *launch = (const struct syclze__launch *)(const void *)command;
  ze_kernel_handle_t kernel = command->kernel->native;
  const ze_result_t result =
      SYCLZE__ZE(zeCommandListAppendLaunchKernel)(submission->list, kernel, &launch->shape->groups,
          submission->signal, submission->wait_count, submission->waits.natives);
  syclze__launch_reset(command);
  return result;
}

enum { SYCLZE__LAUNCH_ALIGNMENT = 16 };

/* The size of a value of a launch that is kept. */
SYCLZE_INLINE size_t syclze__launch_aligned(size_t size) {
  return (size + SYCLZE__LAUNCH_ALIGNMENT - 1) / SYCLZE__LAUNCH_ALIGNMENT *
         SYCLZE__LAUNCH_ALIGNMENT;
}

/* The size of a launch's shape and arguments, without their values. */
SYCLZE_INLINE size_t syclze__launch_head(const struct syclze__launch *launch) {
  return syclze__launch_aligned(sizeof *launch->shape->range + sizeof *launch->shape +
                                launch->count * sizeof *launch->arguments);
}

/* The size of all that a copy of the launch refers to. */
SYCLZE_INLINE size_t syclze__launch_extra(const struct syclze__launch *launch) {
  size_t size = syclze__launch_head(launch);
  for (uint32_t i = 0; i < launch->count; i++)
    if (launch->arguments[i].value != NULL)
      size += syclze__launch_aligned(launch->arguments[i].size);
  return size;
}

/* Has a copy refer to copies, in the memory, of the shape, and of the arguments with the memory of
 * accessors as values. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__launch_keep_in(
    struct syclze__launch *launch, const struct syclze__submission *submission, char *memory) {
  const syclze_group *group = submission->group;
  size_t at = syclze__launch_head(launch);
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
    at += syclze__launch_aligned(arguments[i].size);
  }
  launch->arguments = arguments;
  launch->shape = shape;
  launch->group = NULL;
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__launch_keep(
    struct syclze__command *copy, const struct syclze__submission *submission, void **extra) {
  struct syclze__launch *launch = (struct syclze__launch *)(void *)copy;
  *extra = malloc(syclze__launch_extra(launch));
  if (*extra == NULL) return syclze__out_of_memory();
  return syclze__launch_keep_in(launch, submission, (char *)*extra);
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

SYCLZE_INLINE struct syclze__launch syclze__launch_of(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count) {
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
  return launch;
}

/* Any launch, by the way of all commands. */
SYCLZE_LOCAL_WARM ze_result_t syclze__launch_submit(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  const struct syclze__launch launch = syclze__launch_of(group, kernel, shape, arguments, count);
  return syclze__command_submit_full(group, &launch.command, event);
}

/* A launch of a group without requirements, on a command queue if it can. */
SYCLZE_LOCAL_WARM ze_result_t syclze__launch_new(syclze_group *group, struct syclze__kernel *kernel,
    const struct syclze__launch_shape *shape, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) {
  const struct syclze__launch launch = syclze__launch_of(group, kernel, shape, arguments, count);
  return syclze__command_submit_new(group, &launch.command, event);
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
  syclze__queue_state_leave_retired(
      state, created, syclze__queue_state_retire_some(state, created));
  return status.result;
}

/* A launch of a group with one requirement, of all of an object. */
SYCLZE_LOCAL_WARM ze_result_t syclze__launch_single(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  struct syclze__single single;
  struct syclze__queue_state *state = syclze__single_enter(group);
  if (SYCLZE__UNLIKELY(state == NULL))
    return syclze__launch_submit(group, kernel, shape, arguments, count, event);
  if (SYCLZE__UNLIKELY(syclze__kernel_bind(kernel, state, event == NULL) != ZE_RESULT_SUCCESS))
    return syclze__launch_leave_and_submit(state, group, kernel, shape, arguments, count, event);
  const struct syclze__status status =
      syclze__launch_set(group, group->accessors, kernel->native, shape, arguments, count);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__queue_state_fail(state, NULL, status.result, status.rule, "syclze_group_launch");
  if (!syclze__single_record(group, state, kernel, event != NULL, &single))
    return syclze__launch_leave_and_submit(state, group, kernel, shape, arguments, count, event);
  const ze_result_t result = SYCLZE__ZE(zeCommandListAppendLaunchKernel)(state->queue->native.list,
      kernel->native, &shape->groups, single.signal, single.wait_count, &single.wait);
  /* Otherwise its last release waits for the list. */
  if (!syclze__kernel_is_bound(kernel, state) && single.created->pending.kernel == NULL)
    syclze__pending_keep_kernel(single.created, kernel);
  return syclze__single_close(group, state, &single, event, result, "syclze_group_launch");
}

/* A launch that the order of its list alone does not place. */
SYCLZE_LOCAL_WARM ze_result_t syclze__launch_depending(syclze_group *group,
    struct syclze__kernel *kernel, const struct syclze__launch_shape *shape,
    const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  if (kernel != NULL && syclze__group_is_single(group) && syclze__single_is_possible(group))
    return syclze__launch_single(group, kernel, shape, arguments, count, event);
  if (kernel != NULL && !syclze__group_depends(group))
    return syclze__launch_new(group, kernel, shape, arguments, count, event);
  return syclze__launch_submit(group, kernel, shape, arguments, count, event);
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
    return syclze__launch_depending(group, kernel, shape, arguments, count, event);
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

#endif

SYCLZE_EXTERN_C_END

#endif
