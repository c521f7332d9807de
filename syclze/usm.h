/* Unified shared memory: SYCL's allocation functions over zeMemAllocDevice, zeMemAllocShared and
 * zeMemAllocHost.
 *
 *     void *memory;
 *     if (syclze_malloc_device(4096, device, context, &memory) == ZE_RESULT_SUCCESS)
 *       syclze_free(memory, context);
 *
 * The memory is Level Zero's own and may be freed by either library's function. Nothing is
 * counted: free it before the last release of a transferred context. Any thread may call. */
#ifndef SYCLZE_USM_H
#define SYCLZE_USM_H

#include "context.h"

SYCLZE_EXTERN_C_BEGIN

/* `size` bytes on the device, aligned to `alignment` bytes, a power of two or 0 for the driver's
 * choice; another is refused with ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT. The device is in the
 * context, or part of a device that is. Passes through what zeMemAllocDevice returns. */
SYCLZE_COLD ze_result_t syclze_aligned_alloc_device(
    size_t alignment, size_t size, syclze_device device, syclze_context context, void **memory)
    SYCLZE_LINK_NAME(syclze_aligned_alloc_device);

/* The same, of memory that migrates between the host and the device. */
SYCLZE_COLD ze_result_t syclze_aligned_alloc_shared(
    size_t alignment, size_t size, syclze_device device, syclze_context context, void **memory)
    SYCLZE_LINK_NAME(syclze_aligned_alloc_shared);

/* The same, of the host's memory, which every device of the context can access. */
SYCLZE_COLD ze_result_t syclze_aligned_alloc_host(size_t alignment, size_t size,
    syclze_context context, void **memory) SYCLZE_LINK_NAME(syclze_aligned_alloc_host);

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

/* Frees memory of the context, however it was allocated. Null is allowed and has no effect. Passes
 * through what zeMemFree returns; after an error the memory is as it was. */
SYCLZE_INLINE ze_result_t syclze_free(void *memory, syclze_context context);

SYCLZE_INLINE ze_result_t syclze__free_impl(void *memory, syclze_context context) {
  if (memory == NULL) return ZE_RESULT_SUCCESS;
  if (context.rep == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_free", "the context is null", memory);
  ze_result_t result = SYCLZE__ZE(zeMemFree)(context.rep->native, memory);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__fail(result, "syclze_free", "zeMemFree failed", memory);
}

SYCLZE_INLINE ze_result_t syclze_free(void *memory, syclze_context context) {
  SYCLZE__RETURN_IF_TRACED(free, memory, context);
  return syclze__free_impl(memory, context);
}

SYCLZE_COLD ze_result_t syclze__usm_allocate_impl(ze_memory_type_t type, size_t alignment,
    size_t size, struct syclze__device *device, struct syclze__context *context,
    const char *function, void **memory) SYCLZE_LINK_NAME(syclze__usm_allocate_impl);

SYCLZE_COLD ze_result_t syclze__usm_allocate_impl(ze_memory_type_t type, size_t alignment,
    size_t size, struct syclze__device *device, struct syclze__context *context,
    const char *function, void **memory) {
  if (memory == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  *memory = NULL;
  struct syclze__status status = syclze__allowed();
  if (type != ZE_MEMORY_TYPE_HOST)
    status = syclze__check_device_in(context, device);
  else if (context == NULL)
    status = syclze__null_handle("the context is null");
  if (status.result == ZE_RESULT_SUCCESS && (alignment & (alignment - 1)) != 0)
    status =
        syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "an alignment is a power of two");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);

  ze_device_mem_alloc_desc_t device_desc;
  ze_host_mem_alloc_desc_t host_desc;
  memset(&device_desc, 0, sizeof device_desc);
  memset(&host_desc, 0, sizeof host_desc);
  device_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  host_desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  ze_result_t result;
  if (type == ZE_MEMORY_TYPE_DEVICE)
    result = SYCLZE__ZE(zeMemAllocDevice)(
        context->native, &device_desc, size, alignment, device->native, memory);
  else if (type == ZE_MEMORY_TYPE_SHARED)
    result = SYCLZE__ZE(zeMemAllocShared)(
        context->native, &device_desc, &host_desc, size, alignment, device->native, memory);
  else
    result = SYCLZE__ZE(zeMemAllocHost)(context->native, &host_desc, size, alignment, memory);
  if (result == ZE_RESULT_SUCCESS) return result;
  *memory = NULL;
  return syclze__fail(result, function, "the driver's allocation failed", context->native);
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

SYCLZE_EXTERN_C_END

#endif
