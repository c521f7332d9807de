/* Implementation of external_memory.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_EXTERNAL_MEMORY_H
#define SYCLZE_DETAIL_OBJECTS_EXTERNAL_MEMORY_H

#include "../../external_memory.h"
#include "../driver/driver_function.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__external_memory_get_support_impl(syclze_device device,
    ze_external_memory_type_flags_t *imports, ze_external_memory_type_flags_t *exports) {
  const char *const function = "syclze_external_memory_get_support";
  ze_result_t result;
  if (imports != NULL) *imports = 0;
  if (exports != NULL) *exports = 0;
  if (imports == NULL || exports == NULL)
    return syclze__fail_pointer(function, "a result's pointer is null");
  const struct syclze__status status =
      device.rep == NULL ? syclze__null_handle("the device is null") : syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  SYCLZE__ZE_STRUCT(
      ze_device_external_memory_properties_t, properties, DEVICE_EXTERNAL_MEMORY_PROPERTIES);
  result = SYCLZE__ZE(zeDeviceGetExternalMemoryProperties)(device.rep->native, &properties);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(
        result, function, "zeDeviceGetExternalMemoryProperties failed", device.rep->native);
  *imports = properties.memoryAllocationImportTypes;
  *exports = properties.memoryAllocationExportTypes;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_external_memory_get_support(syclze_device device,
    ze_external_memory_type_flags_t *imports, ze_external_memory_type_flags_t *exports) {
  SYCLZE__TRACE_CALL(call, EXTERNAL_SUPPORT, SYCLZE__WORD(device.rep));
  return SYCLZE__TRACE_RESULT(
      call, syclze__external_memory_get_support_impl(device, imports, exports));
}

/* Checks that the device imports, or else exports, the type. */
SYCLZE_LOCAL struct syclze__status syclze__external_check(const struct syclze__context *context,
    const struct syclze__device *device, uint32_t type, bool imports) {
  struct syclze__status status = syclze__check_device_in(context, device);
  ze_result_t result;
  if (status.result != ZE_RESULT_SUCCESS) return status;
  SYCLZE__ZE_STRUCT(
      ze_device_external_memory_properties_t, properties, DEVICE_EXTERNAL_MEMORY_PROPERTIES);
  result = SYCLZE__ZE(zeDeviceGetExternalMemoryProperties)(device->native, &properties);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeDeviceGetExternalMemoryProperties failed");
  if (type == 0 || (type & ~(imports ? properties.memoryAllocationImportTypes
                                     : properties.memoryAllocationExportTypes)) != 0)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
        imports ? "the device does not import this type of external memory"
                : "the device does not export this type of external memory");
  return status;
}

/* Allocates with an extension of the descriptor. */
SYCLZE_LOCAL ze_result_t syclze__external_allocate(size_t size, const void *extension,
    struct syclze__status status, syclze_device device, syclze_context context,
    const char *function, void **memory) {
  SYCLZE__ZE_STRUCT(ze_device_mem_alloc_desc_t, desc, DEVICE_MEM_ALLOC_DESC);
  desc.pNext = extension;
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(SYCLZE__ZE(zeMemAllocDevice)(
                                   context.rep->native, &desc, size, 0, device.rep->native, memory),
        "zeMemAllocDevice refuses external memory");
  if (status.result != ZE_RESULT_SUCCESS) *memory = NULL;
  return syclze__finish(status, function, context.rep != NULL ? context.rep->native : NULL);
}

SYCLZE_LOCAL ze_result_t syclze__external_memory_allocate_impl(size_t size,
    ze_external_memory_type_flag_t type, syclze_device device, syclze_context context,
    void **memory) {
  const char *const function = "syclze_external_memory_allocate";
  if (memory == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  *memory = NULL;
  SYCLZE__ZE_STRUCT(ze_external_memory_export_desc_t, extension, EXTERNAL_MEMORY_EXPORT_DESC);
  extension.flags = (uint32_t)type;
  return syclze__external_allocate(size, &extension,
      syclze__external_check(context.rep, device.rep, (uint32_t)type, false), device, context,
      function, memory);
}

SYCLZE_COLD ze_result_t syclze_external_memory_allocate(size_t size,
    ze_external_memory_type_flag_t type, syclze_device device, syclze_context context,
    void **memory) {
  SYCLZE__TRACE_CALL(call, EXTERNAL_ALLOCATE, SYCLZE__WORD(context.rep), SYCLZE__WORD(device.rep),
      size, (uint64_t)type, SYCLZE__WORD(memory));
  return SYCLZE__TRACE_RESULT(
      call, syclze__external_memory_allocate_impl(size, type, device, context, memory));
}

SYCLZE_LOCAL ze_result_t syclze__external_memory_import_impl(int fd,
    ze_external_memory_type_flag_t type, size_t size, syclze_device device, syclze_context context,
    void **memory) {
  const char *const function = "syclze_external_memory_import";
  if (memory == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  *memory = NULL;
  if (fd < 0)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_ARGUMENT, function, "the file descriptor is negative", NULL);
  SYCLZE__ZE_STRUCT(ze_external_memory_import_fd_t, extension, EXTERNAL_MEMORY_IMPORT_FD);
  extension.flags = (uint32_t)type;
  extension.fd = fd;
  return syclze__external_allocate(size, &extension,
      syclze__external_check(context.rep, device.rep, (uint32_t)type, true), device, context,
      function, memory);
}

SYCLZE_COLD ze_result_t syclze_external_memory_import(int fd, ze_external_memory_type_flag_t type,
    size_t size, syclze_device device, syclze_context context, void **memory) {
  SYCLZE__TRACE_CALL(call, EXTERNAL_IMPORT, SYCLZE__WORD(context.rep), SYCLZE__WORD(device.rep),
      size, (uint64_t)type, SYCLZE__WORD(memory));
  return SYCLZE__TRACE_RESULT(
      call, syclze__external_memory_import_impl(fd, type, size, device, context, memory));
}

/* Reads the properties of exportable memory with an extension. */
SYCLZE_LOCAL struct syclze__status syclze__external_export(
    void *memory, void *extension, const struct syclze__context *context) {
  ze_device_handle_t device = NULL;
  struct syclze__status status = syclze__check_in(context);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS) return status;
  SYCLZE__ZE_STRUCT(ze_memory_allocation_properties_t, properties, MEMORY_ALLOCATION_PROPERTIES);
  properties.pNext = extension;
  return syclze__status_of(
      SYCLZE__ZE(zeMemGetAllocProperties)(context->native, memory, &properties, &device),
      "zeMemGetAllocProperties does not export the memory");
}

SYCLZE_LOCAL ze_result_t syclze__external_memory_get_fd_impl(
    void *memory, ze_external_memory_type_flag_t type, syclze_context context, int *fd) {
  SYCLZE__ZE_STRUCT(ze_external_memory_export_fd_t, extension, EXTERNAL_MEMORY_EXPORT_FD);
  extension.flags = (uint32_t)type;
  extension.fd = -1;
  if (fd != NULL) *fd = -1;
  struct syclze__status status =
      fd == NULL || memory == NULL
          ? syclze__null_pointer("the memory's or the result's pointer is null")
          : syclze__external_export(memory, &extension, context.rep);
  if (status.result == ZE_RESULT_SUCCESS && extension.fd < 0)
    status = syclze__status_of(
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the driver gives no file descriptor of the memory");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, "syclze_external_memory_get_fd", memory);
  *fd = extension.fd;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_external_memory_get_fd(
    void *memory, ze_external_memory_type_flag_t type, syclze_context context, int *fd) {
  SYCLZE__TRACE_CALL(call, EXTERNAL_EXPORT, SYCLZE__WORD(context.rep), (uint64_t)type,
      SYCLZE__WORD(memory), SYCLZE__WORD(fd));
  return SYCLZE__TRACE_RESULT(call, syclze__external_memory_get_fd_impl(memory, type, context, fd));
}

SYCLZE_LOCAL ze_driver_handle_t syclze__context_driver(const struct syclze__context *context) {
  return context->devices[0]->platform->native;
}

/* The driver's own handle, for its own functions. */
SYCLZE_LOCAL ze_driver_handle_t syclze__context_own_driver(const struct syclze__context *context) {
  return (ze_driver_handle_t)syclze__driver_handle(
      SYCLZE__HANDLE_DRIVER, syclze__context_driver(context));
}

SYCLZE_LOCAL struct syclze__status syclze__host_memory_check(
    const void *memory, size_t size, const struct syclze__context *context) {
  const struct syclze__status status = syclze__check_in(context);
  if (memory == NULL) return syclze__null_pointer("the memory is null");
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (size == 0) return syclze__status_of(ZE_RESULT_ERROR_INVALID_SIZE, "the memory has no bytes");
  return syclze__check_fork();
}

SYCLZE_LOCAL ze_result_t syclze__host_memory_register_impl(
    void *memory, size_t size, syclze_context context) {
  struct syclze__status status = syclze__host_memory_check(memory, size, context.rep);
  ze_result_t(ZE_APICALL * import)(ze_driver_handle_t, void *, size_t);
  if (status.result == ZE_RESULT_SUCCESS) {
    void *address = syclze__driver_function(
        syclze__context_driver(context.rep), "zexDriverImportExternalPointer");
    memcpy(&import, &address, sizeof address);
    status = address == NULL
                 ? syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                       "the driver has no zexDriverImportExternalPointer")
                 : syclze__status_of(import(syclze__context_own_driver(context.rep), memory, size),
                       "zexDriverImportExternalPointer refuses the memory");
  }
  return syclze__finish(status, "syclze_host_memory_register", memory);
}

SYCLZE_COLD ze_result_t syclze_host_memory_register(
    void *memory, size_t size, syclze_context context) {
  SYCLZE__TRACE_CALL(call, HOST_REGISTER, SYCLZE__WORD(context.rep), SYCLZE__WORD(memory), size);
  return SYCLZE__TRACE_RESULT(call, syclze__host_memory_register_impl(memory, size, context));
}

SYCLZE_LOCAL ze_result_t syclze__host_memory_unregister_impl(void *memory, syclze_context context) {
  struct syclze__status status = syclze__host_memory_check(memory, 1, context.rep);
  ze_result_t(ZE_APICALL * end)(ze_driver_handle_t, void *);
  if (status.result == ZE_RESULT_SUCCESS) {
    void *address = syclze__driver_function(
        syclze__context_driver(context.rep), "zexDriverReleaseImportedPointer");
    memcpy(&end, &address, sizeof address);
    status = address == NULL
                 ? syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                       "the driver has no zexDriverReleaseImportedPointer")
                 : syclze__status_of(end(syclze__context_own_driver(context.rep), memory),
                       "zexDriverReleaseImportedPointer refuses the memory");
  }
  return syclze__finish(status, "syclze_host_memory_unregister", memory);
}

SYCLZE_COLD ze_result_t syclze_host_memory_unregister(void *memory, syclze_context context) {
  SYCLZE__TRACE_CALL(call, HOST_UNREGISTER, SYCLZE__WORD(context.rep), SYCLZE__WORD(memory));
  return SYCLZE__TRACE_RESULT(call, syclze__host_memory_unregister_impl(memory, context));
}

#endif

SYCLZE_EXTERN_C_END

#include "external_win32.h"

#endif
