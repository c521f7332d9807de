/* Launches as commands, appended at once or deferred. */
#include "../../launch.h"

#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_COMMAND_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_COMMAND_H

#include "../plain/plain.h"
#include "kernel_use.h"
#include "launch_describe.h"
#include "launch_shape.h"

SYCLZE_EXTERN_C_BEGIN

/* Launches on a queue, behind events. */
SYCLZE_WARM ze_result_t syclze__queue_launch(syclze_queue queue, struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze__queue_launch);

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__status syclze__launch_set_arguments(
    const struct syclze__launch *launch, ze_kernel_handle_t kernel) {
  const syclze_argument *argument = launch->arguments;
  for (uint32_t i = 0; i < launch->count; i++, argument++) {
    const void *value = argument->of.bytes;
    if (argument->kind != SYCLZE__ARGUMENT_VALUE) {
      const struct syclze__status status = syclze__argument_usable(argument, launch->group);
      if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) return status;
      value = syclze__argument_bytes(argument);
    }
    const ze_result_t result =
        SYCLZE__ZE(zeKernelSetArgumentValue)(kernel, i, argument->size, value);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
      return syclze__launch_refuse(launch, i, result);
  }
  return syclze__allowed();
}

/* Sets the offset last: a failure leaves none behind for later launches. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__launch_prepare(
    const struct syclze__command *command) {
  const struct syclze__launch *launch = syclze__launch_of(command);
  const struct syclze__launch_shape *shape = launch->shape;
  const size_t *offset = shape->range->offset;
  ze_kernel_handle_t kernel = command->kernel->native;
  const struct syclze__status status = syclze__launch_set_arguments(launch, kernel);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) return status;
  const ze_result_t result =
      SYCLZE__ZE(zeKernelSetGroupSize)(kernel, shape->local[0], shape->local[1], shape->local[2]);
  if (result != ZE_RESULT_SUCCESS || SYCLZE__LIKELY(!syclze__nd_range_has_offset(shape->range)))
    return syclze__status_of(result, "zeKernelSetGroupSize failed");
  return syclze__status_of(SYCLZE__ZE(zeKernelSetGlobalOffsetExp)(kernel, (uint32_t)offset[0],
                               (uint32_t)offset[1], (uint32_t)offset[2]),
      "zeKernelSetGlobalOffsetExp failed");
}

/* Resets the offset of a prepared launch, which would stay for launches without one. */
SYCLZE_INLINE void syclze__launch_reset(const struct syclze__command *command) {
  if (SYCLZE__UNLIKELY(syclze__nd_range_has_offset(syclze__launch_of(command)->shape->range)))
    SYCLZE__ZE(zeKernelSetGlobalOffsetExp)(command->kernel->native, 0, 0, 0);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__launch_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const ze_result_t result =
      SYCLZE__ZE(zeCommandListAppendLaunchKernel)(at->list, command->kernel->native,
          &syclze__launch_of(command)->shape->groups, at->signal, at->wait_count, at->waits);
  syclze__launch_reset(command);
  return result;
}

/* The size of a launch's shape and arguments, without their values. */
SYCLZE_INLINE size_t syclze__launch_head(const struct syclze__launch *launch) {
  return syclze__kept_aligned(sizeof *launch->shape->range + sizeof *launch->shape +
                              launch->count * sizeof *launch->arguments);
}

SYCLZE_LOCAL_WARM size_t syclze__launch_kept_size(const struct syclze__command *command) {
  const struct syclze__launch *launch = syclze__launch_of(command);
  size_t size = syclze__launch_head(launch);
  for (uint32_t i = 0; i < launch->count; i++)
    if (launch->arguments[i].kind == SYCLZE__ARGUMENT_BORROWED)
      size += syclze__kept_aligned(launch->arguments[i].size);
  return size;
}

/* Copies the shape and the arguments of a kept launch; accessors become the addresses of their
 * memory. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__launch_keep(const struct syclze__command *command,
    struct syclze__command *copy, const syclze_group *group, char *kept) {
  struct syclze__launch *launch = (struct syclze__launch *)(void *)copy;
  *launch = *syclze__launch_of(command);
  size_t at = syclze__launch_head(launch);
  syclze_nd_range *range = (syclze_nd_range *)(void *)kept;
  syclze_argument *arguments = (syclze_argument *)(void *)(range + 1);
  struct syclze__launch_shape *shape =
      (struct syclze__launch_shape *)(void *)(arguments + launch->count);
  *range = *launch->shape->range;
  *shape = *launch->shape;
  shape->range = range;
  for (uint32_t i = 0; i < launch->count; i++) {
    arguments[i] = launch->arguments[i];
    if (arguments[i].kind == SYCLZE__ARGUMENT_VALUE) continue;
    const struct syclze__status status = syclze__argument_usable(&arguments[i], group);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    if (arguments[i].kind == SYCLZE__ARGUMENT_ACCESSOR)
      arguments[i].kind = SYCLZE__ARGUMENT_VALUE;
    else if (arguments[i].kind == SYCLZE__ARGUMENT_BORROWED) {
      memcpy(kept + at, arguments[i].of.value, arguments[i].size);
      arguments[i].of.value = kept + at;
      at += syclze__kept_aligned(arguments[i].size);
    }
  }
  launch->arguments = arguments;
  launch->shape = shape;
  launch->group = NULL;
  return syclze__allowed();
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL void syclze__launch_trace(
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  const struct syclze__launch *launch = syclze__launch_of(command);
  struct syclze__trace_kernel_info *info = &trace->kernel;
  trace->command.kernel = info;
  info->native = command->kernel->native;
  info->object = command->kernel;
  info->name_hash = &command->kernel->name_hash;
  info->range = launch->shape->range;
  info->arguments = launch->arguments;
  info->count = launch->count;
}
#endif

/* Set beside the number of a kernel's arguments while no launch has set them. */
#define SYCLZE__ARGUMENTS_ARE_NATIVE ((uint64_t)1 << 32)
/* Stands for a number that the driver does not return, and compares itself. */
#define SYCLZE__ARGUMENTS_ARE_UNKNOWN ((uint64_t)1 << 33)

/* Queries the number of the kernel's arguments, once. */
SYCLZE_LOCAL ze_result_t syclze__kernel_arguments(
    const struct syclze__kernel *kernel, uint64_t *arguments) {
  *arguments = __atomic_load_n(&kernel->arguments, __ATOMIC_RELAXED);
  if (*arguments != 0) return ZE_RESULT_SUCCESS;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  SYCLZE__ZE_STRUCT(ze_kernel_properties_t, properties, KERNEL_PROPERTIES);
  const ze_result_t result = SYCLZE__ZE(zeKernelGetProperties)(kernel->native, &properties);
  *arguments = result == ZE_RESULT_SUCCESS
                   ? ((uint64_t)properties.numKernelArgs + 1) | SYCLZE__ARGUMENTS_ARE_NATIVE
                   : SYCLZE__ARGUMENTS_ARE_UNKNOWN;
  return result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE ? ZE_RESULT_SUCCESS : result;
}

/* Compares the number of arguments with the kernel's own. No arguments stand for those that the
 * application has set in the native kernel, until a launch sets others. */
SYCLZE_LOCAL struct syclze__status syclze__launch_check_count(
    struct syclze__kernel *kernel, uint32_t count) {
  uint64_t arguments;
  const ze_result_t result = syclze__kernel_arguments(kernel, &arguments);
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "zeKernelGetProperties failed");
  const bool fits = (uint32_t)arguments == count + 1;
  const bool keeps = count == 0 && (arguments & SYCLZE__ARGUMENTS_ARE_NATIVE) != 0;
  if (fits) arguments &= ~SYCLZE__ARGUMENTS_ARE_NATIVE;
  __atomic_store_n(&kernel->arguments, arguments, __ATOMIC_RELAXED);
  if (fits || keeps || arguments == SYCLZE__ARGUMENTS_ARE_UNKNOWN) return syclze__allowed();
  return syclze__status_of(
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, "the number of arguments must be the kernel's");
}

/* Initialises the command and its shape. */
SYCLZE_INLINE struct syclze__status syclze__launch_begin(struct syclze__launch *launch,
    struct syclze__launch_shape *shape, const char *function, struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count) {
  static const struct syclze__kernel_binding binding = {
      syclze__kernel_bind, syclze__kernel_await_owner, syclze__launch_describe};
  static const struct syclze__command_table table = SYCLZE__COMMAND_TABLE(struct syclze__launch,
      SYCLZE__SUBMISSION_COMMAND, "zeCommandListAppendLaunchKernel failed", NULL, &binding,
      syclze__launch_prepare, syclze__launch_append, syclze__launch_kept_size, syclze__launch_keep,
      syclze__launch_trace);
  launch->command.table = &table;
  launch->command.function = function;
  launch->command.kernel = kernel;
  launch->group = NULL;
  launch->arguments = arguments;
  launch->count = count;
  launch->shape = shape;
  shape->range = range;
  if (SYCLZE__UNLIKELY(kernel == NULL)) return syclze__null_handle("the kernel is null");
  if (SYCLZE__UNLIKELY(range == NULL)) return syclze__null_pointer("the range's pointer is null");
  if (SYCLZE__UNLIKELY(arguments == NULL && count != 0))
    return syclze__null_pointer("the arguments' pointer is null");
  struct syclze__status status = syclze__launch_check(kernel->native, range, shape);
  if (SYCLZE__UNLIKELY(
          __atomic_load_n(&kernel->arguments, __ATOMIC_RELAXED) != (uint64_t)count + 1) &&
      status.result == ZE_RESULT_SUCCESS)
    status = syclze__launch_check_count(kernel, count);
#if SYCLZE__CHECKED
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__arguments_check(kernel, arguments, 0, count, NULL, 0);
#endif
  return status;
}

SYCLZE_WARM ze_result_t syclze__queue_launch(syclze_queue queue, struct syclze__kernel *kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  struct syclze__launch_shape shape;
  struct syclze__launch launch;
  const struct syclze__status status =
      syclze__launch_begin(&launch, &shape, "syclze_queue_launch", kernel, range, arguments, count);
  return syclze__queue_submit(queue, &launch.command, status, waits, wait_count, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
