/* Implementation of ipc.h: memory. */
#ifndef SYCLZE_DETAIL_OBJECTS_IPC_MEMORY_H
#define SYCLZE_DETAIL_OBJECTS_IPC_MEMORY_H

#include "../../ipc.h"
#include "ipc_object.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_ipc_get_support(
    syclze_platform platform, ze_ipc_property_flags_t *flags) {
  const char *const function = "syclze_ipc_get_support";
  ze_result_t result;
  if (flags == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  *flags = 0;
  const struct syclze__status status =
      platform.rep == NULL ? syclze__null_handle("the platform is null") : syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  SYCLZE__ZE_STRUCT(ze_driver_ipc_properties_t, properties, DRIVER_IPC_PROPERTIES);
  result = SYCLZE__ZE(zeDriverGetIpcProperties)(platform.rep->native, &properties);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "zeDriverGetIpcProperties failed", platform.rep->native);
  *flags = properties.flags;
  return ZE_RESULT_SUCCESS;
}

/* Finds the allocation of a pointer: its base, and the offset and size of the handle. */
SYCLZE_LOCAL struct syclze__status syclze__ipc_locate(
    const struct syclze__context *context, void *memory, void **base, syclze_ipc_handle *handle) {
  ze_device_handle_t device = NULL;
  size_t size = 0;
  SYCLZE__ZE_STRUCT(ze_memory_allocation_properties_t, properties, MEMORY_ALLOCATION_PROPERTIES);
  ze_result_t result =
      SYCLZE__ZE(zeMemGetAllocProperties)(context->native, memory, &properties, &device);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeMemGetAllocProperties refuses the pointer");
  if (properties.type == ZE_MEMORY_TYPE_UNKNOWN)
    return syclze__invalid("the memory must be an allocation of the context");
  result = SYCLZE__ZE(zeMemGetAddressRange)(context->native, memory, base, &size);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeMemGetAddressRange refuses the pointer");
  handle->offset = (uint64_t)((char *)memory - (char *)*base);
  handle->size = (uint64_t)size - handle->offset;
  return syclze__allowed();
}

/* The handle for other machines; `desc` is ze_ipc_mem_handle_type_ext_desc_t, which older headers
 * lack. */
SYCLZE_LOCAL struct syclze__status syclze__ipc_get_fabric(
    ze_context_handle_t context, const void *base, ze_ipc_mem_handle_t *handle) {
  enum { HANDLE_TYPE_DESC = 0x0002003d, FABRIC_ACCESSIBLE = 2 };
  struct {
    uint32_t stype;
    const void *next;
    uint32_t flags;
  } desc;
  const struct syclze__ipc_calls calls = syclze__ipc_find_calls();
  memset(&desc, 0, sizeof desc);
  desc.stype = HANDLE_TYPE_DESC;
  desc.flags = FABRIC_ACCESSIBLE;
  if (calls.get_with == NULL)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        "handles for other machines need zeMemGetIpcHandleWithProperties, which this loader lacks: "
        "Level Zero 1.15 has it");
  return syclze__status_of(calls.get_with(context, base, &desc, handle),
      "zeMemGetIpcHandleWithProperties refuses the memory");
}

SYCLZE_LOCAL ze_result_t syclze__ipc_memory_export_impl(
    void *memory, uint32_t flags, syclze_context context, syclze_ipc_memory *exported) {
  const char *const function = "syclze_ipc_memory_export";
  if (exported == NULL || memory == NULL) {
    if (exported != NULL) exported->rep = NULL;
    return syclze__fail_pointer(function, "the memory's or the result's pointer is null");
  }
  exported->rep = NULL;
  struct syclze__status status = syclze__check_in(context.rep);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS && (flags & ~(uint32_t)SYCLZE_IPC_FLAG_FABRIC) != 0)
    status = syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION, "unknown flags of an export");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, memory);
  struct syclze__ipc *ipc = syclze__ipc_new(context.rep);
  if (ipc == NULL) return syclze__fail_memory(function, memory);
  ipc->handle.kind = SYCLZE_IPC_KIND_MEMORY;
  status = syclze__ipc_locate(context.rep, memory, &ipc->native, &ipc->handle);
  if (status.result == ZE_RESULT_SUCCESS) {
    if ((flags & SYCLZE_IPC_FLAG_FABRIC) != 0)
      status = syclze__ipc_get_fabric(context.rep->native, ipc->native, &ipc->handle.native.memory);
    else
      status = syclze__status_of(SYCLZE__ZE(zeMemGetIpcHandle)(
                                     context.rep->native, ipc->native, &ipc->handle.native.memory),
          "zeMemGetIpcHandle refuses the memory");
  }
  if (status.result == ZE_RESULT_SUCCESS && (flags & SYCLZE_IPC_FLAG_FABRIC) == 0)
    syclze__descriptor_export(&ipc->handle);
  return syclze__ipc_finish(ipc, status, function, memory, &exported->rep);
}

SYCLZE_COLD ze_result_t syclze_ipc_memory_export(
    void *memory, uint32_t flags, syclze_context context, syclze_ipc_memory *exported) {
  SYCLZE__TRACE_CALL(call, IPC_MEMORY_GET, SYCLZE__WORD(context.rep), SYCLZE__WORD(memory),
      SYCLZE__WORD(exported));
  return SYCLZE__TRACE_RESULT(
      call, syclze__ipc_memory_export_impl(memory, flags, context, exported));
}

/* Sets the size of opened memory if the handle has none, and checks the handle's offset and size
 * against the driver's allocation. */
SYCLZE_LOCAL struct syclze__status syclze__ipc_check_size(struct syclze__ipc *ipc) {
  void *base = NULL;
  size_t size = 0;
  const ze_result_t result =
      SYCLZE__ZE(zeMemGetAddressRange)(ipc->context->native, ipc->native, &base, &size);
  const size_t before = (size_t)((uintptr_t)ipc->native - (uintptr_t)base);
  if (result != ZE_RESULT_SUCCESS && ipc->handle.offset == 0 && ipc->handle.size == 0)
    return syclze__allowed();
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result,
        "zeMemGetAddressRange must have the opened memory, to check the handle's part of it");
  size = before < size ? size - before : 0;
  if (ipc->handle.offset >= size || ipc->handle.size > size - ipc->handle.offset)
    return syclze__invalid("the handle's offset and size are not in the allocation");
  if (ipc->handle.size == 0) ipc->handle.size = size - ipc->handle.offset;
  return syclze__allowed();
}

SYCLZE_LOCAL ze_result_t syclze__ipc_memory_open_impl(const syclze_ipc_handle *handle,
    ze_ipc_memory_flags_t flags, syclze_device device, syclze_context context,
    syclze_ipc_memory *opened) {
  const char *const function = "syclze_ipc_memory_open";
  struct syclze__status status = syclze__ipc_check_open(
      handle, SYCLZE_IPC_KIND_MEMORY, context.rep, opened != NULL ? &opened->rep : NULL);
  int fetched;
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_device_in(context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  struct syclze__ipc *ipc = syclze__ipc_new(context.rep);
  if (ipc == NULL) return syclze__fail_memory(function, NULL);
  ipc->handle = *handle;
  ipc->is_opened = true;
  syclze_ipc_handle local = *handle;
  status = syclze__descriptor_import(&local, &fetched);
  if (status.result == ZE_RESULT_SUCCESS) {
    status = syclze__status_of(SYCLZE__ZE(zeMemOpenIpcHandle)(context.rep->native,
                                   device.rep->native, local.native.memory, flags, &ipc->native),
        "zeMemOpenIpcHandle refuses the handle: its exporter may have ended");
    syclze__descriptor_close(fetched);
    if (status.result == ZE_RESULT_SUCCESS) {
      status = syclze__ipc_check_size(ipc);
      if (status.result != ZE_RESULT_SUCCESS) syclze__ipc_close(ipc, function);
    }
  }
  return syclze__ipc_finish(ipc, status, function, NULL, &opened->rep);
}

SYCLZE_COLD ze_result_t syclze_ipc_memory_open(const syclze_ipc_handle *handle,
    ze_ipc_memory_flags_t flags, syclze_device device, syclze_context context,
    syclze_ipc_memory *opened) {
  SYCLZE__TRACE_CALL(call, IPC_MEMORY_OPEN, SYCLZE__WORD(context.rep), SYCLZE__WORD(device.rep),
      SYCLZE__WORD(handle), sizeof *handle, SYCLZE__WORD(opened));
  return SYCLZE__TRACE_RESULT(
      call, syclze__ipc_memory_open_impl(handle, flags, device, context, opened));
}

SYCLZE_COLD ze_result_t syclze_ipc_handle_send(int socket, const syclze_ipc_handle *handle) {
  struct syclze__status status = syclze__null_pointer("the handle's pointer is null");
  if (handle != NULL) status = syclze__descriptor_send(socket, handle);
  return syclze__finish(status, "syclze_ipc_handle_send", NULL);
}

SYCLZE_COLD ze_result_t syclze_ipc_handle_receive(
    int socket, syclze_ipc_handle *handle, int *descriptor) {
  struct syclze__status status =
      syclze__null_pointer("the handle's or the descriptor's pointer is null");
  if (handle != NULL && descriptor != NULL) {
    *descriptor = -1;
    status = syclze__descriptor_receive(socket, handle, descriptor);
    if (status.result != ZE_RESULT_SUCCESS) {
      syclze__descriptor_close(*descriptor);
      *descriptor = -1;
      memset(handle, 0, sizeof *handle);
    }
  }
  return syclze__finish(status, "syclze_ipc_handle_receive", NULL);
}

SYCLZE_COLD syclze_ipc_handle syclze_ipc_memory_get_handle(syclze_ipc_memory memory) {
  return memory.rep->handle;
}

SYCLZE_COLD void *syclze_ipc_memory_get_pointer(syclze_ipc_memory memory) {
  return (char *)memory.rep->native + memory.rep->handle.offset;
}

SYCLZE_COLD size_t syclze_ipc_memory_get_size(syclze_ipc_memory memory) {
  return (size_t)memory.rep->handle.size;
}

SYCLZE_COLD ze_result_t syclze_ipc_memory_retain(syclze_ipc_memory memory) {
  return syclze__ipc_retain(memory.rep, "syclze_ipc_memory_retain");
}

SYCLZE_COLD ze_result_t syclze_ipc_memory_release(syclze_ipc_memory memory) {
  return syclze__ipc_release(memory.rep, "syclze_ipc_memory_release");
}

SYCLZE_LOCAL ze_result_t syclze__ipc_memory_owner(void *data) {
  return syclze__ipc_release((struct syclze__ipc *)data, "syclze_ipc_memory_release");
}

SYCLZE_COLD syclze_owner syclze_ipc_memory_as_owner(syclze_ipc_memory memory) {
  const syclze_owner owner = {syclze__ipc_memory_owner, memory.rep};
  return owner;
}

#endif

SYCLZE_EXTERN_C_END

#endif
