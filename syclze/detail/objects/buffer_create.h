/* Buffers in memory of the library's own, and over data of the host.
 *
 * Data of the host that every device of the context can access are the buffer's memory. Else the
 * library allocates memory of the device, or of the host if the device has none of its own or the
 * context has several devices. The data are copied there at once, and back by the last release. */
#ifndef SYCLZE_DETAIL_OBJECTS_BUFFER_CREATE_H
#define SYCLZE_DETAIL_OBJECTS_BUFFER_CREATE_H

#include "../../buffer_create.h"
#include "buffer_shape.h"
#include "staging_copy.h"
#include "../sync/background_result.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Fills the shape. */
SYCLZE_LOCAL struct syclze__status syclze__check_buffer_desc(
    const syclze_buffer_desc *desc, struct syclze__buffer *shape) {
  const bool of_host = desc->host_data != NULL;
  if (of_host && desc->const_host_data != NULL)
    return syclze__invalid("SYCL 2020 4.7.2.1: a buffer must have one pointer to data of the host");
  if (!of_host && (desc->properties & SYCLZE_BUFFER_PROPERTY_USE_HOST_PTR) != 0)
    return syclze__invalid("SYCL 2020 4.7.2.2: use_host_ptr needs data of the host that are not "
                           "const");
  if ((desc->properties & ~(uint32_t)SYCLZE_BUFFER_PROPERTY_USE_HOST_PTR) != 0)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION, "the property is unknown");
  return syclze__check_shape(desc->element_size, desc->dimensions, desc->range, shape);
}

/* True if the device has no memory apart from the host's. */
SYCLZE_LOCAL ze_result_t syclze__device_is_integrated(
    struct syclze__device *device, bool *is_integrated) {
  enum { NO = 1, YES };
  uint8_t known = __atomic_load_n(&device->is_integrated, __ATOMIC_RELAXED);
  if (known == 0) {
    SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
    const ze_result_t result = SYCLZE__ZE(zeDeviceGetProperties)(device->native, &properties);
    if (result != ZE_RESULT_SUCCESS) return result;
    known = (properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED) != 0 ? YES : NO;
    __atomic_store_n(&device->is_integrated, known, __ATOMIC_RELAXED);
  }
  *is_integrated = known == YES;
  return ZE_RESULT_SUCCESS;
}

/* True if no device of the context has memory apart from the host's. */
SYCLZE_LOCAL ze_result_t syclze__context_is_integrated(
    const struct syclze__context *context, bool *is_integrated) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  *is_integrated = true;
  for (uint32_t i = 0; i < context->device_count && *is_integrated && result == ZE_RESULT_SUCCESS;
       i++)
    result = syclze__device_is_integrated(context->devices[i], is_integrated);
  return result;
}

/* True if the devices of the context can access any memory of the host. */
SYCLZE_LOCAL ze_result_t syclze__context_has_system_memory(
    const struct syclze__context *context, bool *has) {
  *has = true;
  for (uint32_t i = 0; i < context->device_count && *has; i++) {
    SYCLZE__ZE_STRUCT(
        ze_device_memory_access_properties_t, access, DEVICE_MEMORY_ACCESS_PROPERTIES);
    ze_result_t result =
        SYCLZE__ZE(zeDeviceGetMemoryAccessProperties)(context->devices[i]->native, &access);
    if (result != ZE_RESULT_SUCCESS) return result;
    *has = (access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW) != 0;
  }
  return ZE_RESULT_SUCCESS;
}

/* Checks if the data of the host can be the buffer's memory, and queries their type. */
SYCLZE_LOCAL struct syclze__status syclze__check_host_data(
    const struct syclze__context *context, const void *data, bool *is_shared) {
  ze_device_handle_t device = NULL;
  SYCLZE__ZE_STRUCT(ze_memory_allocation_properties_t, properties, MEMORY_ALLOCATION_PROPERTIES);
  ze_result_t result =
      SYCLZE__ZE(zeMemGetAllocProperties)(context->native, data, &properties, &device);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeMemGetAllocProperties refuses the data of the host");
  switch (properties.type) {
  case ZE_MEMORY_TYPE_DEVICE:
    return syclze__invalid("the data of the host are memory of a device");
  case ZE_MEMORY_TYPE_UNKNOWN:
    result = syclze__context_has_system_memory(context, is_shared);
    break;
  default:
    *is_shared = properties.type == ZE_MEMORY_TYPE_HOST || device == NULL ||
                 (context->device_count == 1 && device == context->devices[0]->native);
  }
  return syclze__status_of(result, "zeDeviceGetMemoryAccessProperties failed");
}

/* Ends the buffer after the last release. Returns a failure of the work on it, or of its end. */
SYCLZE_LOCAL ze_result_t syclze__created_finish(
    struct syclze__memory *memory, const struct syclze__origin *origin, ze_result_t failure) {
  struct syclze__buffer *buffer = (struct syclze__buffer *)(void *)memory;
  void *to = origin->writes_back && origin->is_written ? origin->final_data : NULL;
  ze_result_t result = failure;
  if (result == ZE_RESULT_SUCCESS && to != NULL && to != memory->native)
    result = syclze__memory_exchange(
        memory->context, buffer->type, memory->native, to, buffer->size, true);
  if (result != ZE_RESULT_SUCCESS && failure == ZE_RESULT_SUCCESS)
    syclze__fail(result, "syclze_buffer_release",
        "the contents could not be copied to the data of the host", to);
  return syclze__first_error(
      result, origin->is_host ? syclze__memory_unwrap(memory) : syclze__memory_destroy(memory));
}

/* Ends a buffer over the host's data once its work is done, or cannot be waited for. */
SYCLZE_LOCAL void syclze__created_task_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__memory *memory = syclze__memory_of_ended_task(task, result);
  if (memory != NULL) syclze__memory_unwrap(memory);
}

/* Leaves a buffer, whose last release could not wait, to a worker, which ends it like transferred
 * memory when its work is done. */
SYCLZE_LOCAL ze_result_t syclze__created_leave(
    struct syclze__memory *memory, const struct syclze__origin *origin, ze_result_t failure) {
  syclze__fail(failure, "syclze_buffer_release",
      "the wait for the work on the buffer failed: nothing is written back", memory->native);
  syclze__memory_leave(
      memory, origin->is_host ? syclze__created_task_run : syclze__memory_task_run);
  return failure;
}

/* Converts accesses to uses. A release that waits for its work anyway retries for a while, before
 * the contents are lost. */
SYCLZE_LOCAL ze_result_t syclze__created_settle(
    struct syclze__memory *memory, bool waits, ze_result_t *released) {
  uint32_t failures = 0, never = 0;
  while (waits && memory->accesses->cover(memory) != ZE_RESULT_SUCCESS &&
         ++failures < SYCLZE__WORKER_FAILURES)
    syclze__word_sleep(&never, 0, SYCLZE__WORKER_TICK);
  return memory->accesses->settle(memory, released);
}

/* Ends a created buffer after the last release. */
SYCLZE_LOCAL ze_result_t syclze__created_end(struct syclze__memory *memory) {
  struct syclze__origin origin = *memory->origin;
  struct syclze__outcome *outcome = NULL;
  const bool exists = SYCLZE__CHECK_LENT_EXISTS(
      memory, origin.is_host || (origin.writes_back && origin.is_written));
  ze_result_t updated = ZE_RESULT_SUCCESS, released = ZE_RESULT_SUCCESS;
  ze_result_t result = ZE_RESULT_SUCCESS;
  memory->origin = NULL;
  if (syclze__is_forked()) return syclze__memory_free(memory);
  if (memory->accesses != NULL) {
    if (origin.waits && memory->accesses->update != NULL)
      updated = memory->accesses->update(memory, &outcome);
    result = syclze__created_settle(memory, origin.waits, &released);
  }
  if (result == ZE_RESULT_SUCCESS && !origin.waits)
    return syclze__first_error(released, syclze__memory_end_transferred(memory));
  if (result != ZE_RESULT_SUCCESS) {
    syclze__outcome_drop(outcome);
    return syclze__memory_abandon(memory, result);
  }
  result = syclze__memory_wait(memory);
  if (memory->uses != NULL) {
    syclze__outcome_drop(outcome);
    return syclze__created_leave(memory, &origin, result);
  }
  updated = syclze__first_error(updated, syclze__outcome_take(outcome));
  if (result != ZE_RESULT_SUCCESS)
    syclze__fail(result, "syclze_buffer_release",
        "a wait for the work on the buffer failed; it is done all the same", memory->native);
  if (!exists) {
    origin.writes_back = false;
    updated = SYCLZE_RESULT_ERROR_INVALID;
  }
  result = syclze__first_error(result, syclze__created_finish(memory, &origin, updated));
  return syclze__first_error(result, released);
}

/* Fills in the origin of the buffer. */
SYCLZE_LOCAL void syclze__created_begin_origin(
    struct syclze__memory *memory, const syclze_buffer_desc *desc, bool is_host) {
  struct syclze__origin *origin = syclze__memory_begin_origin(memory);
  origin->end = syclze__created_end;
  origin->host = origin->final_data = desc->host_data;
  origin->waits = desc->host_data != NULL || desc->const_host_data != NULL;
  origin->writes_back = true;
  origin->is_host = is_host;
}

/* Allocates memory for the shape, and sets its type. */
SYCLZE_LOCAL struct syclze__status syclze__created_allocate(const syclze_buffer_desc *desc,
    struct syclze__context *context, struct syclze__buffer *shape, void **memory) {
  const bool is_single = context->device_count == 1;
  bool is_integrated = false;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if ((desc->properties & SYCLZE_BUFFER_PROPERTY_USE_HOST_PTR) == 0)
    result = syclze__context_is_integrated(context, &is_integrated);
  else if (!is_single)
    return syclze__unsupported(
        "use_host_ptr: not every device of the context can access the data of the host");
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "zeDeviceGetProperties failed");
  shape->type = is_integrated || !is_single ? ZE_MEMORY_TYPE_HOST : ZE_MEMORY_TYPE_DEVICE;
  return syclze__status_of(syclze__usm_allocate_native(
                               shape->type, 0, shape->size, context->devices[0], context, memory),
      "the driver's allocation failed");
}

/* Creates the buffer over its memory, and copies the data there. After an error the memory
 * stays. */
SYCLZE_LOCAL struct syclze__status syclze__created_fill(const syclze_buffer_desc *desc,
    struct syclze__context *context, const struct syclze__buffer *shape, void *memory,
    struct syclze__buffer **buffer) {
  const bool is_host = desc->host_data != NULL && memory == desc->host_data;
  const void *data = desc->host_data != NULL ? desc->host_data : desc->const_host_data;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (data != NULL && !is_host)
    result = syclze__memory_exchange(
        context, shape->type, memory, (void *)(uintptr_t)data, shape->size, false);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "the data of the host could not be copied to the buffer");
  *buffer = syclze__buffer_new(memory, context, NULL, SYCLZE__TRANSFERRED, shape);
  if (*buffer == NULL) return syclze__out_of_memory();
  syclze__created_begin_origin(&(*buffer)->memory, desc, is_host);
  if (data != NULL) (*buffer)->memory.required_in = NULL;
  if (desc->host_data != NULL) SYCLZE__CHECK_LEND(*buffer, data, shape->size);
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_buffer_create(
    syclze_context context, const syclze_buffer_desc *desc, syclze_buffer *buffer) {
  const char *const function = "syclze_buffer_create";
  struct syclze__buffer shape;
  void *memory = NULL;
  bool is_shared = false;
  if (buffer != NULL) buffer->rep = NULL;
  if (buffer == NULL || desc == NULL)
    return syclze__fail_pointer(function, "the descriptor's or the result's pointer is null");
  struct syclze__status status = syclze__check_in(context.rep);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_buffer_desc(desc, &shape);
  if (status.result == ZE_RESULT_SUCCESS && desc->host_data != NULL)
    status = syclze__check_host_data(context.rep, desc->host_data, &is_shared);
  if (status.result == ZE_RESULT_SUCCESS && is_shared) {
    memory = desc->host_data;
    shape.type = ZE_MEMORY_TYPE_HOST;
  } else if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__created_allocate(desc, context.rep, &shape, &memory);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, desc->host_data);
  SYCLZE__TRACE_CALL(
      call, BUFFER_CREATE, SYCLZE__WORD(context.rep), shape.size, SYCLZE__WORD(&buffer->rep));
  status = syclze__created_fill(desc, context.rep, &shape, memory, &buffer->rep);
  (void)SYCLZE__TRACE_RESULT(call, status.result);
  if (status.result != ZE_RESULT_SUCCESS) {
    if (!is_shared) SYCLZE__ZE(zeMemFree)(context.rep->native, memory);
    return syclze__finish(status, function, desc->host_data);
  }
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) {
    if (!is_shared) syclze__memory_trace_acquired(&buffer->rep->memory, NULL);
    syclze__buffer_trace_created(buffer->rep);
  }
#endif
  return status.result;
}

/* The origin of a buffer that the library created; null after a failure. */
SYCLZE_LOCAL struct syclze__origin *syclze__origin_of(
    syclze_buffer buffer, const char *function, ze_result_t *result) {
  struct syclze__origin *origin = buffer.rep != NULL ? buffer.rep->memory.origin : NULL;
  if (origin != NULL && origin->root == NULL) return origin;
  *result = buffer.rep == NULL
                ? syclze__fail_handle(function, "the buffer is null")
                : syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
                      "the buffer is not of syclze_buffer_create", buffer.rep->memory.native);
  return NULL;
}

SYCLZE_COLD ze_result_t syclze_buffer_set_final_data(syclze_buffer buffer, void *final_data) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  struct syclze__origin *origin =
      syclze__origin_of(buffer, "syclze_buffer_set_final_data", &result);
  if (origin == NULL) return result;
  /* Without data of the host all contents were written. */
  if (buffer.rep->memory.required_in != NULL) origin->is_written = true;
  origin->final_data = final_data;
  if (!origin->is_host) SYCLZE__CHECK_LEND(buffer.rep, final_data, buffer.rep->size);
  if (final_data != NULL) origin->waits = true;
  return result;
}

SYCLZE_COLD ze_result_t syclze_buffer_set_write_back(syclze_buffer buffer, bool writes_back) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  struct syclze__origin *origin =
      syclze__origin_of(buffer, "syclze_buffer_set_write_back", &result);
  if (origin != NULL) origin->writes_back = writes_back;
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
