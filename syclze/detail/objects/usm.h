/* Implementation of usm.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_USM_H
#define SYCLZE_DETAIL_OBJECTS_USM_H

#include "../../usm.h"

SYCLZE_EXTERN_C_BEGIN

/* Reports a free that is refused, or failed with `result`. */
SYCLZE_COLD ze_result_t syclze__free_failed(
    void *memory, syclze_context context, ze_result_t result) SYCLZE_LINK_NAME(syclze__free_failed);

SYCLZE_COLD ze_result_t syclze__usm_allocate_impl(ze_memory_type_t type, size_t alignment,
    size_t size, struct syclze__device *device, struct syclze__context *context,
    const char *function, void **memory) SYCLZE_LINK_NAME(syclze__usm_allocate_impl);

SYCLZE_INLINE ze_result_t syclze_malloc_device(
    size_t size, syclze_device device, syclze_context context, void **memory) {
  return syclze_aligned_alloc_device(0, size, device, context, memory);
}

SYCLZE_INLINE ze_result_t syclze_malloc_shared(
    size_t size, syclze_device device, syclze_context context, void **memory) {
  return syclze_aligned_alloc_shared(0, size, device, context, memory);
}

SYCLZE_INLINE ze_result_t syclze_malloc_host(size_t size, syclze_context context, void **memory) {
  return syclze_aligned_alloc_host(0, size, context, memory);
}

SYCLZE_INLINE ze_result_t syclze__free_impl(void *memory, syclze_context context) {
  ze_result_t result = ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (memory == NULL) return ZE_RESULT_SUCCESS;
  if (SYCLZE__LIKELY(context.rep != NULL)) {
    SYCLZE__CHECK_USE(context, "syclze_free", SYCLZE_RESULT_ERROR_INVALID);
    SYCLZE__CHECK_MAY_FREE(memory, "syclze_free");
    result = syclze__is_forked() ? ZE_RESULT_ERROR_UNINITIALIZED
                                 : SYCLZE__ZE(zeMemFree)(context.rep->native, memory);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  }
  return syclze__free_failed(memory, context, result);
}

SYCLZE_INLINE ze_result_t syclze_free(void *memory, syclze_context context) {
  SYCLZE__RETURN_IF_TRACED(free, memory, context);
  return syclze__free_impl(memory, context);
}

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze__free_failed(
    void *memory, syclze_context context, ze_result_t result) {
  struct syclze__status status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS)
    status = context.rep == NULL ? syclze__null_handle("the context is null")
                                 : syclze__status_of(result, "zeMemFree failed");
  return syclze__finish(status, "syclze_free", memory);
}

/* Calls the driver's allocation function of the type. */
SYCLZE_LOCAL ze_result_t syclze__usm_allocate_native(ze_memory_type_t type, size_t alignment,
    size_t size, const struct syclze__device *device, const struct syclze__context *context,
    void **memory) {
  SYCLZE__ZE_STRUCT(ze_device_mem_alloc_desc_t, device_desc, DEVICE_MEM_ALLOC_DESC);
  SYCLZE__ZE_STRUCT(ze_host_mem_alloc_desc_t, host_desc, HOST_MEM_ALLOC_DESC);
  if (type == ZE_MEMORY_TYPE_DEVICE)
    return SYCLZE__ZE(zeMemAllocDevice)(
        context->native, &device_desc, size, alignment, device->native, memory);
  if (type == ZE_MEMORY_TYPE_SHARED)
    return SYCLZE__ZE(zeMemAllocShared)(
        context->native, &device_desc, &host_desc, size, alignment, device->native, memory);
  return SYCLZE__ZE(zeMemAllocHost)(context->native, &host_desc, size, alignment, memory);
}

/* Frees memory of the library's own, except in the child of a fork; reports a failure. */
SYCLZE_LOCAL ze_result_t syclze__usm_free_native(
    const struct syclze__context *context, void *memory, const char *function) {
  if (syclze__is_forked()) return ZE_RESULT_SUCCESS;
  const ze_result_t result = SYCLZE__ZE(zeMemFree)(context->native, memory);
  return result == ZE_RESULT_SUCCESS ? result
                                     : syclze__fail(result, function, "zeMemFree failed", memory);
}

/* `device` is null for host memory. */
SYCLZE_COLD ze_result_t syclze__usm_allocate_impl(ze_memory_type_t type, size_t alignment,
    size_t size, struct syclze__device *device, struct syclze__context *context,
    const char *function, void **memory) {
  struct syclze__status status;
  if (memory == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  *memory = NULL;
  if (type != ZE_MEMORY_TYPE_HOST)
    status = syclze__check_device_in(context, device);
  else
    status = syclze__check_in(context);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS && (alignment & (alignment - 1)) != 0)
    status = syclze__status_of(
        ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "the alignment must be a power of two");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  status.result = syclze__usm_allocate_native(type, alignment, size, device, context, memory);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  *memory = NULL;
  return syclze__fail(status.result, function, "the driver's allocation failed", context->native);
}

SYCLZE_LOCAL ze_result_t syclze__usm_allocate(ze_memory_type_t type, size_t alignment, size_t size,
    struct syclze__device *device, struct syclze__context *context, const char *function,
    void **memory) {
  SYCLZE__RETURN_IF_TRACED(usm_allocate, type, alignment, size, device, context, function, memory);
  return syclze__usm_allocate_impl(type, alignment, size, device, context, function, memory);
}

SYCLZE_COLD ze_result_t syclze_aligned_alloc_device(
    size_t alignment, size_t size, syclze_device device, syclze_context context, void **memory) {
  return syclze__usm_allocate(ZE_MEMORY_TYPE_DEVICE, alignment, size, device.rep, context.rep,
      "syclze_aligned_alloc_device", memory);
}

SYCLZE_COLD ze_result_t syclze_aligned_alloc_shared(
    size_t alignment, size_t size, syclze_device device, syclze_context context, void **memory) {
  return syclze__usm_allocate(ZE_MEMORY_TYPE_SHARED, alignment, size, device.rep, context.rep,
      "syclze_aligned_alloc_shared", memory);
}

SYCLZE_COLD ze_result_t syclze_aligned_alloc_host(
    size_t alignment, size_t size, syclze_context context, void **memory) {
  return syclze__usm_allocate(
      ZE_MEMORY_TYPE_HOST, alignment, size, NULL, context.rep, "syclze_aligned_alloc_host", memory);
}

#endif

SYCLZE_EXTERN_C_END

#endif
