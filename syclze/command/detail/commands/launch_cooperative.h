/* Cooperative launches. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_COOPERATIVE_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_COOPERATIVE_H

#include "../../launch_cooperative.h"
#include "launch.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The ordinal of a queue's group, by its properties or by the driver; false if unknown.
 */
SYCLZE_LOCAL bool syclze__queue_ordinal_known(
    const struct syclze__queue *queue, uint32_t *ordinal) {
  *ordinal = queue->properties.ordinal;
  if (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_ORDINAL) return true;
#if SYCLZE_HAS_DLSYM
  const bool is_queue = queue->native.kind == SYCLZE_NATIVE_QUEUE_QUEUE;
  ze_result_t(ZE_APICALL * get_of_queue)(ze_command_queue_handle_t, uint32_t *);
  ze_result_t(ZE_APICALL * get_of_list)(ze_command_list_handle_t, uint32_t *);
  void *address =
      syclze__loader_symbol(is_queue ? "zeCommandQueueGetOrdinal" : "zeCommandListGetOrdinal");
  memcpy(&get_of_queue, &address, sizeof address);
  memcpy(&get_of_list, &address, sizeof address);
  if (address == NULL) return false;
  return (is_queue ? get_of_queue(queue->native.queue, ordinal)
                   : get_of_list(queue->native.list, ordinal)) == ZE_RESULT_SUCCESS;
#else
  return false;
#endif
}

/* The rule that a cooperative launch breaks on the queue, which may be null. */
SYCLZE_LOCAL struct syclze__status syclze__cooperative_check(const struct syclze__queue *queue) {
  ze_command_queue_group_properties_t *groups;
  uint32_t ordinal, count;
  if (queue == NULL || syclze__is_forked()) return syclze__check_fork();
  if (!syclze__queue_ordinal_known(queue, &ordinal)) return syclze__allowed();
  const ze_result_t result = syclze__queue_groups_query(queue->device, &count, &groups);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of_call(result, "zeDeviceGetCommandQueueGroupProperties failed");
  const bool has = ordinal < count && (groups[ordinal].flags &
                                          ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS);
  free(groups);
  if (has) return syclze__allowed();
  return syclze__unsupported("the queue's group of the device launches no cooperative kernels");
}

SYCLZE_LOCAL ze_result_t syclze__cooperative_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const ze_result_t result =
      SYCLZE__ZE(zeCommandListAppendLaunchCooperativeKernel)(at->list, command->kernel->native,
          &syclze__launch_of(command)->shape->groups, at->signal, at->wait_count, at->waits);
  syclze__launch_reset(command);
  return result;
}

SYCLZE_LOCAL struct syclze__status syclze__cooperative_begin(struct syclze__launch *launch,
    struct syclze__launch_shape *shape, const char *function, const struct syclze__queue *queue,
    struct syclze__kernel *kernel, const syclze_nd_range *range, const syclze_argument *arguments,
    uint32_t count) {
  static const struct syclze__kernel_binding binding = {
      syclze__kernel_bind, syclze__kernel_await_owner, syclze__launch_describe};
  static const struct syclze__command_table table = SYCLZE__COMMAND_TABLE(struct syclze__launch,
      SYCLZE__SUBMISSION_COMMAND, "zeCommandListAppendLaunchCooperativeKernel failed",
      "sycl_ext_oneapi_graph: cooperative launches are not recorded", &binding,
      syclze__launch_prepare, syclze__cooperative_append, syclze__launch_kept_size,
      syclze__launch_keep, syclze__launch_trace);
  const struct syclze__status status =
      syclze__launch_begin(launch, shape, function, kernel, range, arguments, count);
  launch->command.table = &table;
  return status.result == ZE_RESULT_SUCCESS ? syclze__cooperative_check(queue) : status;
}

SYCLZE_COLD ze_result_t syclze_group_launch_cooperative(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event) {
  struct syclze__launch_shape shape;
  struct syclze__launch launch;
  SYCLZE__CHECK_IN_GROUP(group, kernel.rep, "syclze_group_launch_cooperative");
  const struct syclze__status status = syclze__cooperative_begin(&launch, &shape,
      "syclze_group_launch_cooperative", group->queue, kernel.rep, range, arguments, count);
  launch.group = group;
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  return syclze__command_submit(group, &launch.command, event);
}

SYCLZE_COLD ze_result_t syclze_queue_launch_cooperative(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  struct syclze__launch_shape shape;
  struct syclze__launch launch;
  const struct syclze__status status = syclze__cooperative_begin(&launch, &shape,
      "syclze_queue_launch_cooperative", queue.rep, kernel.rep, range, arguments, count);
  return syclze__queue_submit(queue, &launch.command, status, waits, wait_count, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
