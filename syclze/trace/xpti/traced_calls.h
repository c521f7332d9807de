/* Traced public functions: reported on ur.call as functions of the runtime interface with their
 * parameters, and on the streams of the objects that they make. */
#ifndef SYCLZE_TRACE_TRACED_CALLS_H
#define SYCLZE_TRACE_TRACED_CALLS_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "../../syclze.h"
#include "commands.h"
#include "memory_streams.h"
#include "plain_calls.h"
#include "queue_streams.h"

SYCLZE_EXTERN_C_BEGIN

/* A struct of native properties, for a call's values. */
#define SYCLZE__UR_NATIVE(kind, ownership)                                                         \
  const struct syclze__ur_properties properties = {                                                \
      SYCLZE__UR_##kind##_NATIVE_PROPERTIES, NULL, (ownership) == SYCLZE_OWNERSHIP_TRANSFER}

/* Begins a call with the values of the interface's parameters. */
#define SYCLZE__UR_BEGIN(call, function, ...)                                                      \
  const uint64_t values[] = {__VA_ARGS__};                                                         \
  struct syclze__ur_call call;                                                                     \
  syclze__ur_call_start(                                                                           \
      &call, SYCLZE__UR(function), values, (uint32_t)(sizeof values / sizeof *values))

/* ur_queue_flags_t; null for the default. */
SYCLZE_LOCAL uint32_t syclze__ur_queue_flags(const syclze_property_list *properties) {
  static const uint32_t flags[][2] = {
      {SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING, SYCLZE__UR_QUEUE_PROFILING},
      {SYCLZE_QUEUE_PROPERTY_DISCARD_EVENTS, SYCLZE__UR_QUEUE_DISCARD_EVENTS},
      {SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW, SYCLZE__UR_QUEUE_PRIORITY_LOW},
      {SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH, SYCLZE__UR_QUEUE_PRIORITY_HIGH},
      {SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST, SYCLZE__UR_QUEUE_BATCHED},
      {SYCLZE_QUEUE_PROPERTY_IMMEDIATE_COMMAND_LIST, SYCLZE__UR_QUEUE_IMMEDIATE},
      {SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS, SYCLZE__UR_QUEUE_LOW_POWER_EVENTS}};
  const uint32_t set = properties != NULL ? properties->flags : 0;
  uint32_t found = set & SYCLZE_QUEUE_PROPERTY_IN_ORDER ? 0 : SYCLZE__UR_QUEUE_OUT_OF_ORDER;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (set & flags[i][0]) found |= flags[i][1];
  return found;
}

struct syclze__ur_image {
  struct syclze__ur_image_format format;
  struct syclze__ur_image_desc desc;
};

SYCLZE_LOCAL struct syclze__ur_image syclze__ur_image_of(const syclze_image_input *input) {
  /* Indexed by the library's channel orders; the interface has the same types in the same order. */
  static const uint32_t orders[] = {0, 1, 11, 2, 12, 3, 4, 13, 5, 7, 6, 9, 10, 8, 14};
  static const uint32_t dimensions[2][4] = {{3, 3, 0, 1}, {4, 4, 2, 2}}; /* ur_mem_type_t */
  SYCLZE__ZEROED(struct syclze__ur_image, image);
  image.format.order =
      (uint32_t)input->chan_order < sizeof orders / sizeof *orders ? orders[input->chan_order] : 0;
  image.format.type = (uint32_t)input->chan_type;
  image.desc.type = SYCLZE__UR_IMAGE_DESC;
  image.desc.dimensions = dimensions[input->array_size != 0][input->dimensions & 3];
  image.desc.array_size = input->array_size;
  for (uint32_t i = 0; i < 3; i++)
    image.desc.range[i] = i < input->dimensions ? input->range[i] : 1;
  return image;
}

SYCLZE_LOCAL void syclze__traced_queue(const struct syclze__queue *queue) {
  const struct syclze__xpti_queue_info info = {queue, queue->native.queue, queue->context->native,
      queue->device->native, (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0};
  syclze__xpti_queue_created(&info);
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_platform(
    ze_driver_handle_t driver, syclze_platform *platform) {
  SYCLZE__UR_BEGIN(
      call, urPlatformCreateWithNativeHandle, SYCLZE__WORD(driver), 0, 0, SYCLZE__WORD(platform));
  return syclze__ur_call_finish(&call, syclze__make_platform_impl(driver, platform));
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_device(
    ze_device_handle_t handle, syclze_device *device) {
  SYCLZE__UR_BEGIN(
      call, urDeviceCreateWithNativeHandle, SYCLZE__WORD(handle), 0, 0, SYCLZE__WORD(device));
  return syclze__ur_call_finish(&call, syclze__make_device_impl(handle, device));
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_context(
    const syclze_context_input *input, syclze_context *context) {
  SYCLZE__UR_NATIVE(CONTEXT, input->ownership);
  SYCLZE__UR_BEGIN(call, urContextCreateWithNativeHandle, SYCLZE__WORD(input->native_handle), 0,
      input->device_count, SYCLZE__WORD(input->device_list), SYCLZE__WORD(&properties),
      SYCLZE__WORD(context));
  return syclze__ur_call_finish(&call, syclze__make_context_impl(input, context));
}

SYCLZE_LOCAL ze_result_t syclze__traced_context_create(
    const syclze_device *device_list, uint32_t device_count, syclze_context *context) {
  SYCLZE__UR_BEGIN(
      call, urContextCreate, device_count, SYCLZE__WORD(device_list), 0, SYCLZE__WORD(context));
  return syclze__ur_call_finish(
      &call, syclze__context_create_impl(device_list, device_count, context));
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_queue(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue) {
  SYCLZE__UR_NATIVE(QUEUE, input->ownership);
  SYCLZE__UR_BEGIN(call, urQueueCreateWithNativeHandle, SYCLZE__WORD(input->native_handle.queue),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(input->device.rep), SYCLZE__WORD(&properties),
      SYCLZE__WORD(queue));
  const ze_result_t result = syclze__make_queue_impl(input, context, queue);
  if (result == ZE_RESULT_SUCCESS) syclze__traced_queue(queue->rep);
  return syclze__ur_call_finish(&call, result);
}

SYCLZE_LOCAL ze_result_t syclze__traced_queue_create(syclze_context context, syclze_device device,
    const syclze_property_list *properties, syclze_queue *queue) {
  const struct syclze__ur_properties queue_properties = {
      SYCLZE__UR_QUEUE_PROPERTIES, NULL, syclze__ur_queue_flags(properties)};
  SYCLZE__UR_BEGIN(call, urQueueCreate, SYCLZE__WORD(context.rep), SYCLZE__WORD(device.rep),
      SYCLZE__WORD(&queue_properties), SYCLZE__WORD(queue));
  const ze_result_t result = syclze__queue_create_impl(context, device, properties, queue);
  if (result == ZE_RESULT_SUCCESS) syclze__traced_queue(queue->rep);
  return syclze__ur_call_finish(&call, result);
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_event(
    const syclze_event_input *input, syclze_context context, syclze_event *event) {
  SYCLZE__UR_NATIVE(EVENT, input->ownership);
  SYCLZE__UR_BEGIN(call, urEventCreateWithNativeHandle, SYCLZE__WORD(input->native_handle),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(&properties), SYCLZE__WORD(event));
  return syclze__ur_call_finish(&call, syclze__make_event_impl(input, context, event));
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_kernel_bundle(
    const syclze_kernel_bundle_input *input, syclze_context context, syclze_kernel_bundle *bundle) {
  SYCLZE__UR_NATIVE(PROGRAM, input->ownership);
  SYCLZE__UR_BEGIN(call, urProgramCreateWithNativeHandle, SYCLZE__WORD(input->native_handle),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(&properties), SYCLZE__WORD(bundle));
  return syclze__ur_call_finish(&call, syclze__make_kernel_bundle_impl(input, context, bundle));
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_kernel(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel) {
  SYCLZE__UR_NATIVE(KERNEL, input->ownership);
  SYCLZE__UR_BEGIN(call, urKernelCreateWithNativeHandle, SYCLZE__WORD(input->native_handle),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(input->kernel_bundle.rep), SYCLZE__WORD(&properties),
      SYCLZE__WORD(kernel));
  return syclze__ur_call_finish(&call, syclze__make_kernel_impl(input, context, kernel));
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_buffer(
    const syclze_buffer_input *input, syclze_context context, syclze_buffer *buffer) {
  SYCLZE__UR_NATIVE(MEM, input->ownership);
  SYCLZE__UR_BEGIN(call, urMemBufferCreateWithNativeHandle, SYCLZE__WORD(input->native_handle),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(&properties), SYCLZE__WORD(buffer));
  const ze_result_t result = syclze__make_buffer_impl(input, context, buffer);
  if (result == ZE_RESULT_SUCCESS) syclze__buffer_trace_created(buffer->rep);
  return syclze__ur_call_finish(&call, result);
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_buffer_after(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer) {
  SYCLZE__UR_NATIVE(MEM, input->ownership);
  SYCLZE__UR_BEGIN(call, urMemBufferCreateWithNativeHandle, SYCLZE__WORD(input->native_handle),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(&properties), SYCLZE__WORD(buffer));
  const ze_result_t result = syclze__make_buffer_after_impl(input, context, available, buffer);
  if (result == ZE_RESULT_SUCCESS) syclze__buffer_trace_created(buffer->rep);
  return syclze__ur_call_finish(&call, result);
}

/* Reports the construction of an image, and marks the destruction for a report. */
SYCLZE_LOCAL void syclze__image_trace_created(struct syclze__image *image) {
  const struct syclze__trace_memory_info info = {image, image->memory.native, image->memory.range,
      image->dimensions, 0, (uint32_t)image->type, true, NULL};
  image->memory.traced = true;
  SYCLZE__TRACE_COMMAND(memory_created, (&info));
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_image(
    const syclze_image_input *input, syclze_context context, syclze_image *image) {
  SYCLZE__UR_NATIVE(MEM, input->ownership);
  const struct syclze__ur_image image_info = syclze__ur_image_of(input);
  SYCLZE__UR_BEGIN(call, urMemImageCreateWithNativeHandle, SYCLZE__WORD(input->native_handle),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(&image_info.format), SYCLZE__WORD(&image_info.desc),
      SYCLZE__WORD(&properties), SYCLZE__WORD(image));
  const ze_result_t result = syclze__make_image_impl(input, context, image);
  if (result == ZE_RESULT_SUCCESS) syclze__image_trace_created(image->rep);
  return syclze__ur_call_finish(&call, result);
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_image_after(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image) {
  SYCLZE__UR_NATIVE(MEM, input->ownership);
  const struct syclze__ur_image image_info = syclze__ur_image_of(input);
  SYCLZE__UR_BEGIN(call, urMemImageCreateWithNativeHandle, SYCLZE__WORD(input->native_handle),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(&image_info.format), SYCLZE__WORD(&image_info.desc),
      SYCLZE__WORD(&properties), SYCLZE__WORD(image));
  const ze_result_t result = syclze__make_image_after_impl(input, context, available, image);
  if (result == ZE_RESULT_SUCCESS) syclze__image_trace_created(image->rep);
  return syclze__ur_call_finish(&call, result);
}

SYCLZE_LOCAL ze_result_t syclze__traced_queue_flush(syclze_queue queue) {
  SYCLZE__UR_BEGIN(call, urQueueFlush, SYCLZE__WORD(queue.rep));
  return syclze__ur_call_finish(&call, syclze__queue_flush_impl(queue));
}

SYCLZE_LOCAL ze_result_t syclze__traced_queue_is_empty(syclze_queue queue, bool *empty) {
  uint8_t value = 0; /* ur_bool_t */
  SYCLZE__UR_BEGIN(call, urQueueGetInfo, SYCLZE__WORD(queue.rep), SYCLZE__UR_QUEUE_EMPTY,
      sizeof value, SYCLZE__WORD(&value), 0);
  const ze_result_t result = syclze__queue_is_empty_impl(queue, empty);
  value = *empty;
  return syclze__ur_call_finish(&call, result);
}

SYCLZE_LOCAL ze_result_t syclze__traced_image_create(syclze_context context, syclze_device device,
    const syclze_image_input *input, syclze_image *image) {
  if (input == NULL) return syclze__image_create_impl(context, device, input, image);
  const struct syclze__ur_image info = syclze__ur_image_of(input);
  SYCLZE__UR_BEGIN(call, urMemImageCreate, SYCLZE__WORD(context.rep), 1, SYCLZE__WORD(&info.format),
      SYCLZE__WORD(&info.desc), 0, SYCLZE__WORD(image));
  const ze_result_t result = syclze__image_create_impl(context, device, input, image);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__memory_trace_acquired(&image->rep->memory, NULL);
    syclze__image_trace_created(image->rep);
  }
  return syclze__ur_call_finish(&call, result);
}

SYCLZE_LOCAL ze_result_t syclze__traced_make_sampler(
    const syclze_sampler_input *input, syclze_context context, syclze_sampler *sampler) {
  SYCLZE__UR_NATIVE(SAMPLER, input->ownership);
  SYCLZE__UR_BEGIN(call, urSamplerCreateWithNativeHandle, SYCLZE__WORD(input->native_handle),
      SYCLZE__WORD(context.rep), SYCLZE__WORD(&properties), SYCLZE__WORD(sampler));
  return syclze__ur_call_finish(&call, syclze__make_sampler_impl(input, context, sampler));
}

SYCLZE_LOCAL ze_result_t syclze__traced_sampler_create(syclze_context context, syclze_device device,
    const syclze_sampler_desc *desc, syclze_sampler *sampler) {
  /* ur_sampler_addressing_mode_t by the library's modes. */
  static const uint32_t addressing[] = {0, 3, 1, 2, 4};
  if (desc == NULL) return syclze__sampler_create_impl(context, device, desc, sampler);
  SYCLZE__ZEROED(struct syclze__ur_sampler_desc, info);
  info.type = SYCLZE__UR_SAMPLER_DESC;
  info.is_normalized = desc->coordinates == SYCLZE_COORDINATE_MODE_NORMALIZED;
  if ((uint32_t)desc->addressing < sizeof addressing / sizeof *addressing)
    info.addressing = addressing[desc->addressing];
  info.filter = (uint32_t)desc->filtering;
  SYCLZE__UR_BEGIN(
      call, urSamplerCreate, SYCLZE__WORD(context.rep), SYCLZE__WORD(&info), SYCLZE__WORD(sampler));
  return syclze__ur_call_finish(&call, syclze__sampler_create_impl(context, device, desc, sampler));
}

SYCLZE_LOCAL ze_result_t syclze__traced_kernel_bundle_create(syclze_context context,
    syclze_device device, const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle) {
  if (desc == NULL) return syclze__kernel_bundle_create_impl(context, device, desc, bundle);
  SYCLZE__UR_BEGIN(call, urProgramCreateWithIL, SYCLZE__WORD(context.rep),
      SYCLZE__WORD(desc->spirv), desc->size, 0, SYCLZE__WORD(bundle));
  return syclze__ur_call_finish(
      &call, syclze__kernel_bundle_create_impl(context, device, desc, bundle));
}

SYCLZE_LOCAL ze_result_t syclze__traced_kernel_create(
    syclze_kernel_bundle bundle, const char *name, syclze_kernel *kernel) {
  SYCLZE__UR_BEGIN(
      call, urKernelCreate, SYCLZE__WORD(bundle.rep), SYCLZE__WORD(name), SYCLZE__WORD(kernel));
  return syclze__ur_call_finish(&call, syclze__kernel_create_impl(bundle, name, kernel));
}

/* Reports a wait as a call and, on the stream sycl, as a wait. */
SYCLZE_LOCAL ze_result_t syclze__traced_queue_wait(syclze_queue queue) {
  const struct syclze__queue *rep = queue.rep;
  void *wait = NULL;
  if (rep != NULL) wait = syclze__xpti_wait_begin(rep, rep->device->native, NULL);
  SYCLZE__UR_BEGIN(call, urQueueFinish, SYCLZE__WORD(rep));
  const ze_result_t result = syclze__ur_call_finish(&call, syclze__queue_wait_impl(queue));
  if (wait != NULL) syclze__xpti_wait_end(wait, rep);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__traced_event_wait(syclze_event event) {
  const struct syclze__event *rep = event.rep;
  void *wait = syclze__xpti_wait_begin(rep, rep->context->devices[0]->native, rep->native);
  SYCLZE__UR_BEGIN(call, urEventWait, 1, SYCLZE__WORD(&rep));
  const ze_result_t result = syclze__ur_call_finish(&call, syclze__event_wait_impl(event));
  if (wait != NULL) syclze__xpti_wait_end(wait, rep);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__traced_event_get_status(syclze_event event, void *status) {
  uint32_t value = SYCLZE__UR_EVENT_SUBMITTED;
  SYCLZE__UR_BEGIN(call, urEventGetInfo, SYCLZE__WORD(event.rep), SYCLZE__UR_EVENT_STATUS,
      sizeof value, SYCLZE__WORD(&value), 0);
  syclze_event_status *its_status = (syclze_event_status *)status;
  const ze_result_t result = syclze__event_get_status_impl(event, its_status);
  if (*its_status == SYCLZE_EVENT_STATUS_COMPLETE) value = SYCLZE__UR_EVENT_COMPLETE;
  return syclze__ur_call_finish(&call, result);
}

SYCLZE_LOCAL ze_result_t syclze__traced_free(void *memory, syclze_context context) {
  struct syclze__xpti_usm_call usm;
  if (memory == NULL) return ZE_RESULT_SUCCESS;
  syclze__xpti_usm_begin(&usm, SYCLZE__XPTI_FREE_BEGIN, memory, 0, NULL);
  SYCLZE__UR_BEGIN(call, urUSMFree, SYCLZE__WORD(context.rep), SYCLZE__WORD(memory));
  const ze_result_t result = syclze__ur_call_finish(&call, syclze__free_impl(memory, context));
  syclze__xpti_usm_end(&usm, memory, 0);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__traced_usm_allocate(ze_memory_type_t type, size_t alignment,
    size_t size, struct syclze__device *device, struct syclze__context *context,
    const char *function, void **memory) {
  const uint64_t values[] = {
      SYCLZE__WORD(context), SYCLZE__WORD(device), 0, 0, size, SYCLZE__WORD(memory)};
  const uint64_t of_host[] = {values[0], 0, 0, size, values[5]};
  struct syclze__ur_call call;
  struct syclze__xpti_usm_call usm;
  syclze__xpti_usm_begin(
      &usm, SYCLZE__XPTI_ALLOC_BEGIN, NULL, size, device != NULL ? device->native : NULL);
  if (type == ZE_MEMORY_TYPE_HOST)
    syclze__ur_call_start(&call, SYCLZE__UR(urUSMHostAlloc), of_host, 5);
  else if (type == ZE_MEMORY_TYPE_SHARED)
    syclze__ur_call_start(&call, SYCLZE__UR(urUSMSharedAlloc), values, 6);
  else
    syclze__ur_call_start(&call, SYCLZE__UR(urUSMDeviceAlloc), values, 6);
  const ze_result_t result = syclze__ur_call_finish(
      &call, syclze__usm_allocate_impl(type, alignment, size, device, context, function, memory));
  syclze__xpti_usm_end(&usm, memory != NULL ? *memory : NULL, size);
  return result;
}
#undef SYCLZE__UR_BEGIN
#undef SYCLZE__UR_NATIVE

/* Begins the call of the runtime interface for this verb of the kind. */
#define SYCLZE__UR_START(kind, KIND, value, native, path, interface, verb)                         \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    syclze__ur_call_start(&call, SYCLZE__UR(ur##interface##verb), values, count);                  \
    break;
#define SYCLZE__UR_NOTHING(kind, KIND, ...) case SYCLZE_OBJECT_##KIND:

SYCLZE_LOCAL ze_result_t syclze__traced_retain(syclze_object_kind kind, struct syclze__ref *ref) {
  const uint64_t values[] = {SYCLZE__WORD(ref)};
  const uint32_t count = 1;
  struct syclze__ur_call call;
  call.instances[0] = call.instances[1] = 0;
  switch (kind) {
    SYCLZE__COUNTED_KINDS(SYCLZE__UR_START, Retain)
    SYCLZE__ENUMERATED_KINDS(SYCLZE__UR_NOTHING, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
  if (ref != NULL) syclze__ref_retain(ref);
  return syclze__ur_call_finish(&call, ZE_RESULT_SUCCESS);
}

/* Reports the end of a queue without a state, then drops it; others, which work may keep, report
 * theirs. */
SYCLZE_LOCAL ze_result_t syclze__traced_queue_drop(struct syclze__queue *queue) {
  if (queue == NULL || syclze__ref_release(&queue->ref)) return ZE_RESULT_SUCCESS;
  if (queue->state == NULL && !syclze__ref_is_missing(&queue->ref))
    SYCLZE__TRACE_COMMAND(queue_destroyed, (queue));
  return syclze__queue_last(queue);
}

SYCLZE_LOCAL ze_result_t syclze__release_impl(syclze_object_kind kind, void *rep) {
#define SYCLZE__RELEASE(kind_of, KIND, ...)                                                        \
  case SYCLZE_OBJECT_##KIND: {                                                                     \
    const syclze_##kind_of object = {(struct syclze__##kind_of *)rep};                             \
    return syclze__##kind_of##_release_impl(object);                                               \
  }
  switch (kind) {
    SYCLZE__CONTEXT_KIND(SYCLZE__RELEASE, 0)
    SYCLZE__CHILD_KINDS(SYCLZE__RELEASE, 0)
    SYCLZE__MEMORY_KINDS(SYCLZE__RELEASE, 0)
  case SYCLZE_OBJECT_QUEUE:
    return syclze__traced_queue_drop((struct syclze__queue *)rep);
  case SYCLZE_OBJECT_PLATFORM:
  case SYCLZE_OBJECT_DEVICE:
  case SYCLZE_OBJECT_NONE:
    break;
  }
#undef SYCLZE__RELEASE
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL ze_result_t syclze__traced_release(syclze_object_kind kind, void *rep) {
  const uint64_t values[] = {SYCLZE__WORD(rep)};
  const uint32_t count = 1;
  struct syclze__ur_call call;
  call.instances[0] = call.instances[1] = 0;
  switch (kind) {
    SYCLZE__COUNTED_KINDS(SYCLZE__UR_START, Release)
    SYCLZE__ENUMERATED_KINDS(SYCLZE__UR_NOTHING, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
  return syclze__ur_call_finish(&call, syclze__release_impl(kind, rep));
}

/* The native handle of the object; of a kernel bundle, that of its only module. */
SYCLZE_LOCAL uint64_t syclze__traced_native(syclze_object_kind kind, const void *object) {
#define SYCLZE__NATIVE(kind_of, KIND, value, native, path, ...)                                    \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    return SYCLZE__WORD(((const struct syclze__##kind_of *)object)->path);
  switch (kind) {
    SYCLZE__KINDS(SYCLZE__NATIVE, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
#undef SYCLZE__NATIVE
  return 0;
}

SYCLZE_LOCAL void syclze__traced_get_native(syclze_object_kind kind, const void *object) {
  const bool is_queue = kind == SYCLZE_OBJECT_QUEUE;
  const uint64_t native = syclze__traced_native(kind, object), result = SYCLZE__WORD(&native);
  const uint64_t values[] = {SYCLZE__WORD(object), is_queue ? 0 : result, result};
  const uint32_t count = is_queue ? 3 : 2;
  struct syclze__ur_call call;
  call.instances[0] = call.instances[1] = 0;
  switch (kind) {
    SYCLZE__NATIVE_KINDS(SYCLZE__UR_START, GetNativeHandle)
    SYCLZE__MEMORY_KINDS(SYCLZE__UR_NOTHING, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
  syclze__ur_call_finish(&call, ZE_RESULT_SUCCESS);
}
#undef SYCLZE__UR_START
#undef SYCLZE__UR_NOTHING

SYCLZE_EXTERN_C_END

#endif

#endif
