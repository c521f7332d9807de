/* Queues with native handles of their own: queue group, mode and kind. */
#ifndef SYCLZE_DETAIL_OBJECTS_QUEUE_CREATE_H
#define SYCLZE_DETAIL_OBJECTS_QUEUE_CREATE_H

#include "queue.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze__queue_groups_query(const struct syclze__device *device,
    uint32_t *count, ze_command_queue_group_properties_t **groups) {
  *count = 0;
  *groups = NULL;
  ze_result_t result =
      SYCLZE__ZE(zeDeviceGetCommandQueueGroupProperties)(device->native, count, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  *groups = (ze_command_queue_group_properties_t *)calloc(*count + 1u, sizeof **groups);
  if (*groups == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < *count; i++)
    (*groups)[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  result = SYCLZE__ZE(zeDeviceGetCommandQueueGroupProperties)(device->native, count, *groups);
  if (result == ZE_RESULT_SUCCESS) return result;
  free(*groups);
  *groups = NULL;
  return result;
}

SYCLZE_COLD ze_result_t syclze__compute_ordinal(struct syclze__device *device, uint32_t *ordinal) {
  uint32_t known = __atomic_load_n(&device->compute_group, __ATOMIC_RELAXED), count, i = 0;
  ze_command_queue_group_properties_t *groups;
  *ordinal = known - 1;
  if (known != 0) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__queue_groups_query(device, &count, &groups);
  if (result != ZE_RESULT_SUCCESS) return result;
  while (i < count && !(groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE))
    i++;
  free(groups);
  if (i == count) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  __atomic_store_n(&device->compute_group, i + 1, __ATOMIC_RELAXED);
  *ordinal = i;
  return ZE_RESULT_SUCCESS;
}

/* True if the properties, or else the environment, by the present variable or the older one, demand
 * a command queue. A context reads the environment once. */
SYCLZE_LOCAL bool syclze__queue_is_regular(struct syclze__context *context, uint32_t flags) {
  uint32_t kind = __atomic_load_n(&context->queue_kind, __ATOMIC_RELAXED);
  if (flags & SYCLZE_QUEUE_PROPERTY_IMMEDIATE_COMMAND_LIST) return false;
  if (flags & SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST) return true;
  if (kind == 0) {
    const char *immediate = syclze__environment("UR_L0_USE_IMMEDIATE_COMMANDLISTS");
    if (immediate == NULL)
      immediate = syclze__environment("SYCL_PI_LEVEL_ZERO_USE_IMMEDIATE_COMMANDLISTS");
    kind = immediate != NULL && strcmp(immediate, "0") == 0 ? 2 : 1;
    __atomic_store_n(&context->queue_kind, kind, __ATOMIC_RELAXED);
  }
  return kind == 2;
}

/* Checks that the device has the group, and a queue of the properties' index in it. */
SYCLZE_LOCAL struct syclze__status syclze__queue_group_check(
    const struct syclze__device *device, const syclze_property_list *properties, uint32_t ordinal) {
  ze_command_queue_group_properties_t *groups;
  uint32_t count, queues = 0;
  const ze_result_t result = syclze__queue_groups_query(device, &count, &groups);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of_call(result, "zeDeviceGetCommandQueueGroupProperties failed");
  if (ordinal < count) queues = groups[ordinal].numQueues;
  free(groups);
  if (ordinal >= count) return syclze__invalid("the device has no queue group of the ordinal");
  if ((properties->flags & SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX) &&
      properties->compute_index >= queues)
    return syclze__invalid("the queue group has no queue of the index");
  return syclze__allowed();
}

/* Creates the native queue of valid properties. */
SYCLZE_LOCAL struct syclze__status syclze__native_queue_create(struct syclze__context *context,
    struct syclze__device *device, const syclze_property_list *properties,
    syclze_native_queue *native) {
  const uint32_t named =
      properties->flags & (SYCLZE_QUEUE_PROPERTY_ORDINAL | SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX);
  ze_result_t result = ZE_RESULT_SUCCESS;
  SYCLZE__ZE_STRUCT(ze_command_queue_desc_t, desc, COMMAND_QUEUE_DESC);
  desc.mode = properties->flags & SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS
                  ? ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
                  : ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  desc.ordinal = properties->ordinal;
  if (!(named & SYCLZE_QUEUE_PROPERTY_ORDINAL))
    result = syclze__compute_ordinal(device, &desc.ordinal);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "the device has no queue group that computes");
  if (named != 0) {
    const struct syclze__status status =
        syclze__queue_group_check(device, properties, desc.ordinal);
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  if (properties->flags & SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX)
    desc.index = properties->compute_index;
  /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which older headers lack. */
  if (properties->flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) desc.flags |= 1u << 1;
  if (properties->flags & SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW)
    desc.priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW;
  if (properties->flags & SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH)
    desc.priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH;
  *native = syclze_native_queue_of_list(NULL);
  if (syclze__queue_is_regular(context, properties->flags)) {
    native->kind = SYCLZE_NATIVE_QUEUE_QUEUE;
    result =
        SYCLZE__ZE(zeCommandQueueCreate)(context->native, device->native, &desc, &native->queue);
  } else
    result = SYCLZE__ZE(zeCommandListCreateImmediate)(
        context->native, device->native, &desc, &native->list);
  return syclze__status_of(result, "zeCommandListCreateImmediate or zeCommandQueueCreate failed");
}

SYCLZE_COLD ze_result_t syclze__queue_create_impl(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue) {
  const char *const function = "syclze_queue_create";
  const syclze_property_list none = {0, 0, 0};
  syclze_queue_input input;
  if (queue == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  queue->rep = NULL;
  if (properties == NULL) properties = &none;
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_properties(properties->flags);
  if (status.result == ZE_RESULT_SUCCESS &&
      (properties->flags & SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER))
    status = syclze__invalid("native_in_order is a property of wrapped command lists");
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__native_queue_create(context.rep, device.rep, properties, &input.native_handle);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  input.device = device;
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  input.properties = *properties;
  struct syclze__made made = syclze__queue_new(&input, context.rep, status, function);
  queue->rep = (struct syclze__queue *)made.rep;
  if (queue->rep != NULL)
    queue->rep->driver_in_order = (properties->flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
  else
    syclze__native_queue_destroy(&input.native_handle);
  return made.result;
}

SYCLZE_COLD ze_result_t syclze_queue_create(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue) {
  if (SYCLZE__STATE.trace_attach != NULL) SYCLZE__STATE.trace_attach();
  SYCLZE__RETURN_IF_TRACED(queue_create, context, device, properties, queue);
  return syclze__queue_create_impl(context, device, properties, queue);
}

#endif

SYCLZE_EXTERN_C_END

#endif
