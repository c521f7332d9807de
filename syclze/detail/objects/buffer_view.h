/* Views: sub-buffers and reinterpreted buffers. A view has no accesses of its own: a use of it is a
 * use of its part of the root (command/detail/group.h), the buffer that has the memory. */
#ifndef SYCLZE_DETAIL_OBJECTS_BUFFER_VIEW_H
#define SYCLZE_DETAIL_OBJECTS_BUFFER_VIEW_H

#include "../../buffer_create.h"
#include "buffer_shape.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE bool syclze_buffer_is_sub_buffer(syclze_buffer buffer) {
  return buffer.rep->memory.origin != NULL && buffer.rep->memory.origin->is_sub;
}

#if SYCLZE__BODIES

/* Ends the view after its last release. */
SYCLZE_LOCAL_WARM ze_result_t syclze__view_end(struct syclze__memory *memory) {
  struct syclze__buffer *root = memory->origin->root;
  ze_result_t freed, released;
  SYCLZE__CHECK_UNWRAPPED(memory->native);
  freed = syclze__memory_free(memory);
  released = syclze__memory_release(&root->memory);
  return released != ZE_RESULT_SUCCESS ? released : freed;
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL void syclze__view_trace(struct syclze__buffer *view, const char *function) {
  SYCLZE__ZEROED(struct syclze__trace_storage_info, info);
  info.type = "sub_buffer_creation_node";
  info.function = function;
  info.object = view;
  info.native = view->memory.native;
  info.context = view->memory.context->native;
  info.device = view->memory.context->devices[0]->native;
  struct syclze__trace_node *node = syclze__trace_storage_begin(&info);
  SYCLZE__TRACE_HOST_END(node, true);
  syclze__buffer_trace_created(view);
}
#endif

/* Creates a view of this shape, at a byte offset in the parent. */
SYCLZE_LOCAL_WARM ze_result_t syclze__view_new(struct syclze__buffer *parent, size_t offset,
    bool is_sub, struct syclze__buffer *shape, const char *function, syclze_buffer *buffer) {
  const struct syclze__origin *above = parent->memory.origin;
  struct syclze__buffer *root = parent, *view;
  if (above != NULL && above->root != NULL) {
    root = above->root;
    offset += above->offset;
  }
  shape->type = root->type;
  view = syclze__buffer_new(
      (char *)root->memory.native + offset, root->memory.context, NULL, SYCLZE__KEPT, shape);
  if (SYCLZE__UNLIKELY(view == NULL)) return syclze__fail_memory(function, parent->memory.native);
  view->memory.ref.ownership = SYCLZE__TRANSFERRED; /* so that syclze__view_end is called */
  struct syclze__origin *origin = syclze__memory_begin_origin(&view->memory);
  origin->end = syclze__view_end;
  origin->root = root;
  origin->offset = offset;
  origin->is_sub = is_sub;
  syclze__memory_retain(&root->memory);
  view->memory.required_in = NULL;
  buffer->rep = view;
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) syclze__view_trace(view, function);
#endif
  return ZE_RESULT_SUCCESS;
}

/* Checks common to both functions. */
SYCLZE_LOCAL struct syclze__status syclze__check_parent(syclze_buffer parent, const void *numbers) {
  if (parent.rep == NULL) return syclze__null_handle("the buffer is null");
  if (numbers == NULL) return syclze__null_pointer("a pointer to numbers of elements is null");
  return syclze__check_fork();
}

/* Checks and fills the shape of a contiguous part, and its offset in bytes. */
SYCLZE_INLINE struct syclze__status syclze__check_sub(const struct syclze__buffer *parent,
    const size_t *offset, const size_t *count, struct syclze__buffer *shape, size_t *begin) {
  bool one = true;
  *begin = 0;
  shape->element_size = shape->size = parent->element_size;
  shape->dimensions = parent->dimensions;
  shape->memory.range[1] = shape->memory.range[2] = 1;
  for (uint32_t i = 0; i < parent->dimensions; i++) {
    const size_t whole = parent->memory.range[i];
    if (count[i] == 0 || offset[i] > whole || count[i] > whole - offset[i])
      return syclze__invalid("SYCL 2020 4.7.2.1: the sub-buffer is empty or does not lie in the "
                             "buffer");
    if (!one && count[i] != whole)
      return syclze__invalid("SYCL 2020 4.7.2.1: a sub-buffer must be a contiguous part");
    if (count[i] > 1) one = false;
    *begin = *begin * whole + offset[i];
    shape->memory.range[i] = count[i];
    shape->size *= count[i];
  }
  *begin *= parent->element_size;
  return syclze__allowed();
}

SYCLZE_WARM ze_result_t syclze_buffer_create_sub(
    syclze_buffer parent, const size_t *offset, const size_t *count, syclze_buffer *buffer) {
  const char *const function = "syclze_buffer_create_sub";
  struct syclze__buffer shape;
  struct syclze__status status = syclze__allowed();
  size_t begin = 0;
  if (SYCLZE__UNLIKELY(buffer == NULL))
    return syclze__fail_pointer(function, "the result's pointer is null");
  buffer->rep = NULL;
  if (parent.rep != NULL) SYCLZE__CHECK_USE(parent, function, SYCLZE_RESULT_ERROR_INVALID);
  shape.size = 0; /* compilers warn otherwise */
  if (SYCLZE__UNLIKELY(parent.rep == NULL || offset == NULL || count == NULL))
    status = syclze__check_parent(parent, NULL);
  else if (syclze_buffer_is_sub_buffer(parent))
    status = syclze__invalid("SYCL 2020 4.7.2.1: a sub-buffer must not have sub-buffers");
  else
    status = syclze__check_sub(parent.rep, offset, count, &shape, &begin);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__finish(status, function, parent.rep != NULL ? parent.rep->memory.native : NULL);
  SYCLZE__TRACE_CALL(
      call, BUFFER_SUB, SYCLZE__WORD(parent.rep), begin, shape.size, SYCLZE__WORD(buffer));
  return SYCLZE__TRACE_RESULT(
      call, syclze__view_new(parent.rep, begin, true, &shape, function, buffer));
}

SYCLZE_COLD ze_result_t syclze_buffer_reinterpret(syclze_buffer parent, size_t element_size,
    uint32_t dimensions, const size_t *range, syclze_buffer *buffer) {
  const char *const function = "syclze_buffer_reinterpret";
  struct syclze__buffer shape;
  if (buffer == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  buffer->rep = NULL;
  if (parent.rep != NULL) SYCLZE__CHECK_USE(parent, function, SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__status status = syclze__check_parent(parent, range);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__check_shape(element_size, dimensions, range, &shape);
  if (status.result == ZE_RESULT_SUCCESS && shape.size != parent.rep->size)
    status =
        syclze__invalid("SYCL 2020 4.7.2.1: a reinterpreted buffer must be as large as the buffer");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, function, parent.rep != NULL ? parent.rep->memory.native : NULL);
  return syclze__view_new(
      parent.rep, 0, syclze_buffer_is_sub_buffer(parent), &shape, function, buffer);
}

#endif

SYCLZE_EXTERN_C_END

#endif
