/* Implementation of buffer.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_BUFFER_H
#define SYCLZE_DETAIL_OBJECTS_BUFFER_H

#include "../../buffer.h"
#include "memory_object.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__buffer {
  struct syclze__memory memory;
  size_t element_size;
  size_t size; /* in bytes */
  uint32_t dimensions;
  ze_memory_type_t type;
};

SYCLZE__POOLED(struct syclze__buffer);

SYCLZE_WARM ze_result_t syclze__make_buffer_impl(const syclze_buffer_input *input,
    syclze_context context, syclze_buffer *buffer) SYCLZE_LINK_NAME(syclze__make_buffer_impl);

SYCLZE_WARM ze_result_t syclze__make_buffer_after_impl(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer)
    SYCLZE_LINK_NAME(syclze__make_buffer_after_impl);

SYCLZE_INLINE syclze_context syclze_buffer_get_context(syclze_buffer buffer) {
  syclze_context context = {buffer.rep->memory.context};
  return context;
}

SYCLZE_INLINE uint32_t syclze_buffer_get_dimensions(syclze_buffer buffer) {
  return buffer.rep->dimensions;
}

SYCLZE_INLINE size_t syclze_buffer_get_range(syclze_buffer buffer, uint32_t dimension) {
  return buffer.rep->memory.range[dimension];
}

SYCLZE_INLINE size_t syclze_buffer_get_element_size(syclze_buffer buffer) {
  return buffer.rep->element_size;
}

SYCLZE_INLINE size_t syclze_buffer_byte_size(syclze_buffer buffer) {
  return buffer.rep->size;
}

SYCLZE_INLINE ze_result_t syclze_buffer_retain(syclze_buffer buffer) {
  return syclze__retain(SYCLZE_OBJECT_BUFFER, buffer.rep, "syclze_buffer_retain");
}

SYCLZE_INLINE ze_result_t syclze__buffer_release_impl(syclze_buffer buffer) {
  if (buffer.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(buffer, "syclze_buffer_release", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__memory_release(&buffer.rep->memory);
}

SYCLZE_INLINE ze_result_t syclze_buffer_release(syclze_buffer buffer) {
  SYCLZE__RETURN_IF_TRACED(release, SYCLZE_OBJECT_BUFFER, buffer.rep);
  return syclze__buffer_release_impl(buffer);
}

#if SYCLZE__BODIES

/* Checks and fills the shape, with the defaults of the range. */
SYCLZE_LOCAL struct syclze__status syclze__check_range(
    const syclze_buffer_input *input, size_t size, struct syclze__buffer *shape) {
  shape->element_size = input->element_size != 0 ? input->element_size : 1;
  shape->dimensions = input->dimensions != 0 ? input->dimensions : 1;
  if (shape->dimensions > 3) return syclze__invalid("a buffer must have one to three dimensions");
  size_t room = size / shape->element_size;
  for (uint32_t i = 0; i < 3; i++)
    shape->memory.range[i] = i < shape->dimensions ? input->range[i] : 1;
  if (shape->dimensions == 1 && shape->memory.range[0] == 0) shape->memory.range[0] = room;
  for (uint32_t i = 0; i < 3; i++) {
    if (shape->memory.range[i] == 0)
      return syclze__invalid("a buffer must have at least one element");
    if (shape->memory.range[i] > room)
      return syclze__invalid("the buffer's range is larger than the allocation");
    room /= shape->memory.range[i];
  }
  shape->size = shape->memory.range[0] * shape->memory.range[1] * shape->memory.range[2] *
                shape->element_size;
  return syclze__allowed();
}

/* Checks the allocation, and returns its size and type. */
SYCLZE_INLINE struct syclze__status syclze__check_allocation(const syclze_buffer_input *input,
    const struct syclze__context *context, size_t *size, ze_memory_type_t *type) {
  ze_device_handle_t device = NULL;
  void *base = NULL;
  ze_result_t result;
  struct syclze__status status =
      syclze__check_handle(input->native_handle, (uint32_t)input->ownership);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) return status;
  if (SYCLZE__UNLIKELY(context == NULL || SYCLZE__CHECKED)) {
    status = syclze__check_in(context);
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  if (SYCLZE__UNLIKELY(context->device_count != 1))
    return syclze__invalid("Level-Zero backend 4.3: a buffer's context must have a single device");
  SYCLZE__ZE_STRUCT(ze_memory_allocation_properties_t, properties, MEMORY_ALLOCATION_PROPERTIES);
  result = SYCLZE__ZE(zeMemGetAllocProperties)(
      context->native, input->native_handle, &properties, &device);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__status_of(result, "zeMemGetAllocProperties refuses the pointer");
  if (SYCLZE__UNLIKELY(properties.type == ZE_MEMORY_TYPE_UNKNOWN))
    return syclze__invalid(
        "Level-Zero backend 4.3: the memory must be an allocation of the context");
  if (SYCLZE__UNLIKELY(device != NULL && device != context->devices[0]->native))
    return syclze__invalid("Level-Zero backend 4.3: the memory is of another device");
  *size = 0;
  result = SYCLZE__ZE(zeMemGetAddressRange)(context->native, input->native_handle, &base, size);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return syclze__status_of(result, "zeMemGetAddressRange refuses the pointer");
  if (SYCLZE__UNLIKELY(base != input->native_handle))
    return syclze__invalid("Level-Zero backend 4.3: the pointer is not the allocation's first");
  *type = properties.type;
  return status;
}

/* Fills the memory of a buffer of this shape, with one reference. */
SYCLZE_INLINE struct syclze__buffer *syclze__buffer_fill(void *memory, void *native,
    struct syclze__context *context, struct syclze__event *available, uint32_t ownership,
    const struct syclze__buffer *shape) {
  struct syclze__buffer *rep = (struct syclze__buffer *)memory;
  syclze__memory_init(&rep->memory, native, context, available, ownership);
  rep->element_size = shape->element_size;
  for (uint32_t i = 0; i < 3; i++)
    rep->memory.range[i] = shape->memory.range[i];
  rep->size = shape->size;
  rep->dimensions = shape->dimensions;
  rep->type = shape->type;
  SYCLZE__CHECK_WRAPPED(&rep->memory.ref, "buffer", native, ownership);
  return rep;
}

/* Creates a buffer; null without memory. */
SYCLZE_LOCAL_WARM struct syclze__buffer *syclze__buffer_new(void *native,
    struct syclze__context *context, struct syclze__event *available, uint32_t ownership,
    const struct syclze__buffer *shape) {
  void *memory =
      syclze__child_acquire(&context->parent, SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer));
  return memory != NULL ? syclze__buffer_fill(memory, native, context, available, ownership, shape)
                        : NULL;
}

/* Fast path for a buffer of one dimension with a stated number of elements, without a division.
 * Null for other buffers, if the elements do not fit, and if the thread's cache is empty. */
SYCLZE_INLINE struct syclze__buffer *syclze__buffer_take(const syclze_buffer_input *input,
    struct syclze__context *context, struct syclze__event *available, size_t size,
    struct syclze__buffer *shape) {
  const size_t count = input->range[0];
  const size_t element_size = input->element_size != 0 ? input->element_size : 1;
  /* Factors of half a word have a product of one. */
  const size_t high = (count | element_size) >> (4 * sizeof count);
  if (input->dimensions > 1 || count == 0 || high != 0 || count * element_size > size) return NULL;
  void *memory = syclze__child_take(&context->parent, SYCLZE__POOL_BUFFER);
  if (SYCLZE__UNLIKELY(memory == NULL)) return NULL;
  shape->element_size = element_size;
  shape->memory.range[0] = count;
  shape->memory.range[1] = shape->memory.range[2] = 1;
  shape->size = count * element_size;
  shape->dimensions = 1;
  return syclze__buffer_fill(
      memory, input->native_handle, context, available, (uint32_t)input->ownership, shape);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__make_buffer_of(const syclze_buffer_input *input,
    syclze_context context, struct syclze__event *available, const char *function,
    syclze_buffer *buffer) {
  struct syclze__buffer shape;
  size_t size;
  if (buffer != NULL) buffer->rep = NULL;
  if (SYCLZE__UNLIKELY(buffer == NULL || input == NULL))
    return syclze__fail_pointer(function, "the input's or the result's pointer is null");
  struct syclze__status status = syclze__check_allocation(input, context.rep, &size, &shape.type);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    buffer->rep = syclze__buffer_take(input, context.rep, available, size, &shape);
    if (SYCLZE__LIKELY(buffer->rep != NULL)) return ZE_RESULT_SUCCESS;
    status = syclze__check_range(input, size, &shape);
  }
  if (status.result == ZE_RESULT_SUCCESS) {
    buffer->rep = syclze__buffer_new(
        input->native_handle, context.rep, available, (uint32_t)input->ownership, &shape);
    if (buffer->rep != NULL) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__finish(status, function, input->native_handle);
}

SYCLZE_WARM ze_result_t syclze__make_buffer_impl(
    const syclze_buffer_input *input, syclze_context context, syclze_buffer *buffer) {
  return syclze__make_buffer_of(input, context, NULL, "syclze_make_buffer", buffer);
}

SYCLZE_WARM ze_result_t syclze_make_buffer(
    const syclze_buffer_input *input, syclze_context context, syclze_buffer *buffer) {
  if (buffer != NULL) buffer->rep = NULL;
  if (input != NULL && buffer != NULL)
    SYCLZE__RETURN_IF_TRACED(make_buffer, input, context, buffer);
  return syclze__make_buffer_impl(input, context, buffer);
}

SYCLZE_WARM ze_result_t syclze__make_buffer_after_impl(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer) {
  const char *const function = "syclze_make_buffer_after";
  if (available.rep != NULL) SYCLZE__CHECK_USE(available, function, SYCLZE_RESULT_ERROR_INVALID);
  const struct syclze__status status = syclze__check_available(available.rep);
  if (status.result != ZE_RESULT_SUCCESS && (available.rep != NULL || buffer != NULL)) {
    if (buffer != NULL) buffer->rep = NULL;
    return syclze__finish(status, function, input != NULL ? input->native_handle : NULL);
  }
  return syclze__make_buffer_of(input, context, available.rep, function, buffer);
}

SYCLZE_WARM ze_result_t syclze_make_buffer_after(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer) {
  if (buffer != NULL) buffer->rep = NULL;
  if (input != NULL && buffer != NULL)
    SYCLZE__RETURN_IF_TRACED(make_buffer_after, input, context, available, buffer);
  return syclze__make_buffer_after_impl(input, context, available, buffer);
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Reports the construction, and marks the destruction for a report. */
SYCLZE_LOCAL void syclze__buffer_trace_created(struct syclze__buffer *buffer) {
  const struct syclze__origin *origin = buffer->memory.origin;
  const struct syclze__trace_memory_info info = {buffer, buffer->memory.native,
      buffer->memory.range, buffer->dimensions, (uint32_t)buffer->element_size, 0, false,
      origin != NULL ? origin->host : NULL};
  buffer->memory.traced = true;
  SYCLZE__TRACE_COMMAND(memory_created, (&info));
}
#endif

SYCLZE_COLD ze_result_t syclze_buffer_set_owner(syclze_buffer buffer, syclze_owner owner) {
  SYCLZE__OWNER_SET(buffer, buffer, buffer.rep->memory.native,
      buffer.rep->memory.origin != NULL
          ? "the buffer was created by the library, or of another buffer"
          : NULL);
}

SYCLZE_COLD syclze_owner syclze_buffer_get_owner(syclze_buffer buffer) {
  return syclze__owner_get(&buffer.rep->memory.ref);
}

#endif

SYCLZE_EXTERN_C_END

#endif
