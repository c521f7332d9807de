/* Implementation of external_memory.h for handles of Windows. */
#ifndef SYCLZE_DETAIL_OBJECTS_EXTERNAL_WIN32_H
#define SYCLZE_DETAIL_OBJECTS_EXTERNAL_WIN32_H

#include "../../external_memory.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum {
  SYCLZE__EXTERNAL_WIN32_TYPES =
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32 | ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32_KMT |
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_D3D11_TEXTURE | ZE_EXTERNAL_MEMORY_TYPE_FLAG_D3D11_TEXTURE_KMT |
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_D3D12_HEAP | ZE_EXTERNAL_MEMORY_TYPE_FLAG_D3D12_RESOURCE
};

SYCLZE_LOCAL struct syclze__status syclze__external_check_win32(
    const void *handle, ze_external_memory_type_flag_t type) {
  if (handle == NULL) return syclze__null_pointer("the handle's pointer is null");
  if (((uint32_t)type & ~(uint32_t)SYCLZE__EXTERNAL_WIN32_TYPES) != 0)
    return syclze__status_of(
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "the type is not one of handles of Windows");
  return syclze__allowed();
}

SYCLZE_LOCAL ze_result_t syclze__external_memory_get_win32_impl(
    void *memory, ze_external_memory_type_flag_t type, syclze_context context, void **handle) {
  struct syclze__status status = syclze__external_check_win32(handle, type);
  SYCLZE__ZE_STRUCT(
      ze_external_memory_export_win32_handle_t, extension, EXTERNAL_MEMORY_EXPORT_WIN32);
  extension.flags = (uint32_t)type;
  if (handle != NULL) *handle = NULL;
  if (memory == NULL) status = syclze__null_pointer("the memory is null");
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__external_export(memory, &extension, context.rep);
  if (status.result == ZE_RESULT_SUCCESS && extension.handle == NULL)
    status = syclze__status_of(
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the driver gives no handle of the memory");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, "syclze_external_memory_get_win32", memory);
  *handle = extension.handle;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_external_memory_get_win32(
    void *memory, ze_external_memory_type_flag_t type, syclze_context context, void **handle) {
  SYCLZE__TRACE_CALL(call, EXTERNAL_EXPORT, SYCLZE__WORD(context.rep), (uint64_t)type,
      SYCLZE__WORD(memory), SYCLZE__WORD(handle));
  return SYCLZE__TRACE_RESULT(
      call, syclze__external_memory_get_win32_impl(memory, type, context, handle));
}

SYCLZE_LOCAL ze_result_t syclze__external_memory_import_win32_impl(void *handle,
    ze_external_memory_type_flag_t type, size_t size, syclze_device device, syclze_context context,
    void **memory) {
  const char *const function = "syclze_external_memory_import_win32";
  struct syclze__status status = syclze__external_check_win32(handle, type);
  if (memory == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  *memory = NULL;
  SYCLZE__ZE_STRUCT(
      ze_external_memory_import_win32_handle_t, extension, EXTERNAL_MEMORY_IMPORT_WIN32);
  extension.flags = (uint32_t)type;
  extension.handle = handle;
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__external_check(context.rep, device.rep, (uint32_t)type, true);
  return syclze__external_allocate(size, &extension, status, device, context, function, memory);
}

SYCLZE_COLD ze_result_t syclze_external_memory_import_win32(void *handle,
    ze_external_memory_type_flag_t type, size_t size, syclze_device device, syclze_context context,
    void **memory) {
  SYCLZE__TRACE_CALL(call, EXTERNAL_IMPORT, SYCLZE__WORD(context.rep), SYCLZE__WORD(device.rep),
      size, (uint64_t)type, SYCLZE__WORD(memory));
  return SYCLZE__TRACE_RESULT(
      call, syclze__external_memory_import_win32_impl(handle, type, size, device, context, memory));
}

#endif

SYCLZE_EXTERN_C_END

#endif
