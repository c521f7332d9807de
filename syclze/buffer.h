/* Buffers: a Level Zero allocation seen as an array of one to three dimensions.
 *
 *     syclze_buffer_input input = {0};
 *     input.native_handle = memory;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_buffer buffer;
 *     if (syclze_make_buffer(&input, context, &buffer) == ZE_RESULT_SUCCESS)
 *       syclze_buffer_release(buffer);
 *
 * The buffer uses the allocation in place for all its life, host memory too; the contents are its
 * own meanwhile (4.5). Under keep the last release waits for all work on the buffer, and copies
 * nothing. Under transfer it does not wait: the memory is freed when no queue uses it any more. The
 * native allocation is had through an interop handle only. References may be added and dropped by
 * any thread. */
#ifndef SYCLZE_BUFFER_H
#define SYCLZE_BUFFER_H

#include "detail/memory.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_buffer {
  struct syclze__buffer *rep;
} syclze_buffer;

typedef struct syclze_buffer_input {
  void *native_handle;        /* as zeMemAllocDevice, zeMemAllocShared or zeMemAllocHost gave it */
  syclze_ownership ownership; /* default: transfer */
  size_t element_size;        /* in bytes; default: 1 */
  uint32_t dimensions;        /* 1 to 3; default: 1 */
  size_t range[3];            /* in elements; default, of one dimension: the whole allocation */
} syclze_buffer_input;

struct syclze__buffer {
  struct syclze__memory memory;
  size_t element_size;
  size_t size; /* in bytes */
  uint32_t dimensions;
  ze_memory_type_t type;
};

/* Makes a buffer of an allocation (4.3). The buffer keeps `context`. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE for a null pointer or context;
 * ZE_RESULT_ERROR_INVALID_ENUMERATION for an ownership that is none; SYCLZE_RESULT_ERROR_INVALID
 * for a context of several devices, memory that the driver does not know, that is another
 * device's or begins elsewhere, and for a range that does not fit; what zeMemGetAllocProperties
 * and zeMemGetAddressRange return. After an error the memory is the caller's. */
SYCLZE_INLINE ze_result_t syclze_make_buffer(
    const syclze_buffer_input *input, syclze_context context, syclze_buffer *buffer);

/* The same, of memory that is ready once `available` is signalled: the first use waits for it. The
 * buffer keeps the event; null is refused. */
SYCLZE_INLINE ze_result_t syclze_make_buffer_after(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer);

/* The buffer's context, without a reference of its own. `buffer` is not null. */
SYCLZE_INLINE syclze_context syclze_buffer_get_context(syclze_buffer buffer) {
  syclze_context context = {buffer.rep->memory.context};
  return context;
}

/* How many dimensions the range has. `buffer` is not null. */
SYCLZE_INLINE uint32_t syclze_buffer_get_dimensions(syclze_buffer buffer) {
  return buffer.rep->dimensions;
}

/* The number of elements in a dimension, 0 to 2; 1 beyond the buffer's dimensions. */
SYCLZE_INLINE size_t syclze_buffer_get_range(syclze_buffer buffer, uint32_t dimension) {
  return buffer.rep->memory.range[dimension];
}

/* The size of an element, in bytes. */
SYCLZE_INLINE size_t syclze_buffer_get_element_size(syclze_buffer buffer) {
  return buffer.rep->element_size;
}

/* The size of all elements, in bytes. */
SYCLZE_INLINE size_t syclze_buffer_byte_size(syclze_buffer buffer) {
  return buffer.rep->size;
}

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_buffer_retain(syclze_buffer buffer);

SYCLZE_INLINE ze_result_t syclze__buffer_retain_impl(syclze_buffer buffer) {
  if (buffer.rep != NULL) syclze__ref_retain(&buffer.rep->memory.ref);
  return ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_buffer_retain(syclze_buffer buffer) {
  SYCLZE__RETURN_IF_TRACED(buffer_retain, buffer);
  return syclze__buffer_retain_impl(buffer);
}

/* Drops a reference. The last one, under keep, waits for all work on the buffer; under transfer it
 * frees the memory, or has it freed when the work is done. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_buffer_release(syclze_buffer buffer);

SYCLZE_INLINE ze_result_t syclze__buffer_release_impl(syclze_buffer buffer) {
  return buffer.rep != NULL ? syclze__memory_release(&buffer.rep->memory) : ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_buffer_release(syclze_buffer buffer) {
  SYCLZE__RETURN_IF_TRACED(buffer_release, buffer);
  return syclze__buffer_release_impl(buffer);
}

SYCLZE_COLD ze_result_t syclze__buffer_destroy(struct syclze__memory *memory)
    SYCLZE_LINK_NAME(syclze__buffer_destroy);

SYCLZE_COLD ze_result_t syclze__buffer_destroy(struct syclze__memory *memory) {
  ze_result_t result = SYCLZE__ZE(zeMemFree)(memory->context->native, memory->native);
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, "syclze_buffer_release", "zeMemFree failed", memory->native);
}

/* Whether the range fits, and what its defaults stand for. */
SYCLZE_INLINE struct syclze__status syclze__check_range(
    const syclze_buffer_input *input, size_t size, struct syclze__buffer *shape) {
  shape->element_size = input->element_size != 0 ? input->element_size : 1;
  shape->dimensions = input->dimensions != 0 ? input->dimensions : 1;
  if (shape->dimensions > 3) return syclze__invalid("a buffer has one to three dimensions");
  size_t room = size / shape->element_size;
  for (uint32_t i = 0; i < 3; i++)
    shape->memory.range[i] = i < shape->dimensions ? input->range[i] : 1;
  if (shape->dimensions == 1 && shape->memory.range[0] == 0) shape->memory.range[0] = room;
  for (uint32_t i = 0; i < 3; i++) {
    if (shape->memory.range[i] == 0) return syclze__invalid("a buffer has at least one element");
    if (shape->memory.range[i] > room)
      return syclze__invalid("the buffer's range is larger than the allocation");
    room /= shape->memory.range[i];
  }
  shape->size = shape->memory.range[0] * shape->memory.range[1] * shape->memory.range[2] *
                shape->element_size;
  return syclze__allowed();
}

SYCLZE_INLINE struct syclze__status syclze__check_buffer(const syclze_buffer_input *input,
    const struct syclze__context *context, struct syclze__buffer *shape) {
  if (input == NULL) return syclze__null_pointer("the input's pointer is null");
  struct syclze__status status = syclze__check_handle(input->native_handle, input->ownership);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (context == NULL) return syclze__null_handle("the context is null");
  if (context->device_count != 1)
    return syclze__invalid("Level-Zero backend 4.3: a buffer's context must have a single device");

  ze_memory_allocation_properties_t properties;
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  properties.pNext = NULL;
  properties.type = ZE_MEMORY_TYPE_UNKNOWN;
  ze_device_handle_t device = NULL;
  ze_result_t result = SYCLZE__ZE(zeMemGetAllocProperties)(
      context->native, input->native_handle, &properties, &device);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeMemGetAllocProperties refuses the pointer");
  if (properties.type == ZE_MEMORY_TYPE_UNKNOWN)
    return syclze__invalid("Level-Zero backend 4.3: the memory is no allocation of the context");
  if (device != NULL && device != context->devices[0]->native)
    return syclze__invalid("Level-Zero backend 4.3: the memory is of another device");
  void *base = NULL;
  size_t size = 0;
  result = SYCLZE__ZE(zeMemGetAddressRange)(context->native, input->native_handle, &base, &size);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeMemGetAddressRange refuses the pointer");
  if (base != input->native_handle)
    return syclze__invalid("Level-Zero backend 4.3: the pointer is not the allocation's first");
  shape->type = properties.type;
  return syclze__check_range(input, size, shape);
}

SYCLZE_COLD void syclze__buffer_trace_created(struct syclze__buffer *buffer)
    SYCLZE_LINK_NAME(syclze__buffer_trace_created);

SYCLZE_COLD void syclze__buffer_trace_created(struct syclze__buffer *buffer) {
  buffer->memory.traced = true;
  const struct syclze__trace_memory_info info = {buffer, buffer->memory.native,
      buffer->memory.range, buffer->dimensions, (uint32_t)buffer->element_size, 0, false};
  (void)info;
  SYCLZE__TRACE_COMMAND(memory_created, (&info));
}

/* A buffer of this shape; null without memory. */
SYCLZE_INLINE struct syclze__buffer *syclze__buffer_new(void *native,
    struct syclze__context *context, struct syclze__event *available, syclze_ownership ownership,
    const struct syclze__buffer *shape) {
  struct syclze__buffer *rep = (struct syclze__buffer *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_BUFFER], sizeof *rep);
  if (SYCLZE__UNLIKELY(rep == NULL)) return NULL;
  syclze__memory_init(&rep->memory, native, context, available, ownership);
  rep->memory.destroy = syclze__buffer_destroy;
  rep->element_size = shape->element_size;
  for (uint32_t i = 0; i < 3; i++)
    rep->memory.range[i] = shape->memory.range[i];
  rep->size = shape->size;
  rep->dimensions = shape->dimensions;
  rep->type = shape->type;
  return rep;
}

SYCLZE_INLINE ze_result_t syclze__make_buffer(const syclze_buffer_input *input,
    struct syclze__context *context, struct syclze__event *available, const char *function,
    syclze_buffer *buffer) {
  struct syclze__buffer shape;
  struct syclze__status status = syclze__check_buffer(input, context, &shape);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    buffer->rep =
        syclze__buffer_new(input->native_handle, context, available, input->ownership, &shape);
    if (SYCLZE__LIKELY(buffer->rep != NULL)) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__fail(
      status.result, function, status.rule, input != NULL ? input->native_handle : NULL);
}

SYCLZE_INLINE ze_result_t syclze__make_buffer_impl(
    const syclze_buffer_input *input, syclze_context context, syclze_buffer *buffer) {
  static const char *const function = "syclze_make_buffer";
  if (buffer == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  buffer->rep = NULL;
  return syclze__make_buffer(input, context.rep, NULL, function, buffer);
}
SYCLZE_INLINE ze_result_t syclze_make_buffer(
    const syclze_buffer_input *input, syclze_context context, syclze_buffer *buffer) {
  SYCLZE__RETURN_IF_MAKE_TRACED(
      make_buffer, syclze_buffer, input, buffer, &copy, context, &created);
  return syclze__make_buffer_impl(input, context, buffer);
}

SYCLZE_INLINE ze_result_t syclze__make_buffer_after_impl(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer) {
  static const char *const function = "syclze_make_buffer_after";
  if (buffer == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  buffer->rep = NULL;
  if (available.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function,
        "the available event is null", input != NULL ? input->native_handle : NULL);
  return syclze__make_buffer(input, context.rep, available.rep, function, buffer);
}
SYCLZE_INLINE ze_result_t syclze_make_buffer_after(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer) {
  SYCLZE__RETURN_IF_MAKE_TRACED(
      make_buffer_after, syclze_buffer, input, buffer, &copy, context, available, &created);
  return syclze__make_buffer_after_impl(input, context, available, buffer);
}

SYCLZE_EXTERN_C_END

#endif
