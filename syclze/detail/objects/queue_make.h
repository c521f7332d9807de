/* Slow path of queues over native handles: all rules, and errors. */
#ifndef SYCLZE_DETAIL_OBJECTS_QUEUE_MAKE_H
#define SYCLZE_DETAIL_OBJECTS_QUEUE_MAKE_H

#include "queue.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The rule that the immediate list breaks, or null. */
SYCLZE_LOCAL const char *syclze__check_list(ze_command_list_handle_t list,
    const struct syclze__context *context, const struct syclze__device *device) {
  __typeof__(SYCLZE__STATE.entry.command_list_is_immediate) is_immediate =
      SYCLZE__ENTRY(command_list_is_immediate);
  ze_bool_t immediate;
  ze_context_handle_t its_context;
  ze_device_handle_t its_device;
  if (is_immediate == NULL) return NULL;
  if (is_immediate(list, &immediate) == ZE_RESULT_SUCCESS && SYCLZE__UNLIKELY(!immediate))
    return "Level-Zero backend 4.3: the command list is not an immediate one";
  if (SYCLZE__ENTRY(command_list_get_context)(list, &its_context) == ZE_RESULT_SUCCESS &&
      SYCLZE__UNLIKELY(its_context != context->native))
    return "Level-Zero backend 4.3: the command list is of another context";
  if (SYCLZE__ENTRY(command_list_get_device)(list, &its_device) == ZE_RESULT_SUCCESS &&
      SYCLZE__UNLIKELY(its_device != device->native))
    return "Level-Zero backend 4.3: the command list is of another device";
  return NULL;
}

SYCLZE_LOCAL struct syclze__status syclze__check_queue(
    const syclze_queue_input *input, const struct syclze__context *context) {
  const uint32_t of_lists =
      SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS;
  struct syclze__status status =
      syclze__check_handle(input->native_handle.queue, (uint32_t)input->ownership);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__check_device_in(context, input->device.rep);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__check_properties(input->properties.flags);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (input->properties.flags & SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX)
    return syclze__invalid(
        "Level-Zero backend 4.3: compute_index is built into the queue and no property of it");
  if ((input->properties.flags & ~of_lists) >= SYCLZE_QUEUE_PROPERTY_ORDINAL)
    return syclze__invalid("Level-Zero backend 4.3: the ordinal and the kind are built into the "
                           "queue and no properties of it");
  if (input->native_handle.kind == SYCLZE_NATIVE_QUEUE_QUEUE) {
    if (input->properties.flags & of_lists)
      return syclze__invalid(
          "native_in_order and synchronous are properties of immediate command lists");
    return status;
  }
  if (input->native_handle.kind != SYCLZE_NATIVE_QUEUE_LIST)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION,
        "the native handle is neither a command queue nor a command list");
  const char *rule = syclze__check_list(input->native_handle.list, context, input->device.rep);
  return rule == NULL ? status : syclze__invalid(rule);
}

SYCLZE_LOCAL struct syclze__made syclze__queue_make(
    const syclze_queue_input *input, struct syclze__context *context) {
  return syclze__queue_new(
      input, context, syclze__check_queue(input, context), "syclze_make_queue");
}

SYCLZE_COLD ze_result_t syclze__make_queue_impl(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue) {
  const struct syclze__made made = syclze__queue_make(input, context.rep);
  queue->rep = (struct syclze__queue *)made.rep;
  return made.result;
}

SYCLZE_COLD struct syclze__made syclze__make_queue_slow(
    syclze_queue_input input, syclze_context context) {
  SYCLZE__MADE_IF_TRACED(make_queue, syclze_queue, &input, context, &created);
  return syclze__queue_make(&input, context.rep);
}

SYCLZE_COLD ze_result_t syclze_make_queue_v3(
    const syclze_queue_input_v3 *input, syclze_context context, syclze_queue *queue) {
  if (input == NULL) return syclze_make_queue(NULL, context, queue);
  SYCLZE__ZEROED(syclze_queue_input, now);
  now.native_handle = syclze_native_queue_of_queue(input->native_handle);
  now.device = input->device;
  now.ownership = input->ownership;
  return syclze_make_queue(&now, context, queue);
}

SYCLZE_COLD ze_result_t syclze_make_queue_v1(
    const syclze_queue_input_v1 *input, syclze_context context, syclze_queue *queue) {
  syclze_queue_input_v3 now;
  if (input == NULL) return syclze_make_queue(NULL, context, queue);
  now.native_handle = input->native_handle;
  now.device.rep = context.rep != NULL ? context.rep->devices[0] : NULL;
  now.ownership = input->ownership;
  return syclze_make_queue_v3(&now, context, queue);
}

#endif

SYCLZE_EXTERN_C_END

#endif
