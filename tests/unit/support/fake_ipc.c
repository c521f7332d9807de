/* Handles for other processes: a handle that was got is an object until it is put, what was opened
   until it is closed. An old loader has no calls that put, so there a handle is no object. */
#include "fake_object.h"

#include <string.h>

/* The contents of the fake's handle. */
struct name {
  uint64_t descriptor;    /* of the exporter; UINT64_MAX for none */
  struct fake_object *of; /* the allocation or pool */
  struct fake_object *got;
};

void fake_ipc_end_exporter(void *native_handle) {
  memset(native_handle, 0, sizeof(struct name));
}

static struct name name_of(struct fake_object *object) {
  const struct name name = {fake.descriptor > 0 ? (uint64_t)fake.descriptor : UINT64_MAX, object,
      fake.old_loader ? NULL : fake_new(FAKE_IPC_HANDLE, object)};
  return name;
}

ze_result_t ZE_APICALL zeDriverGetIpcProperties(
    ze_driver_handle_t driver, ze_driver_ipc_properties_t *properties) {
  FAKE_ENTER(zeDriverGetIpcProperties);
  FAKE_OBJECT(object, driver, FAKE_DRIVER);
  (void)object;
  if (properties->stype != ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES)
    fake_misuse("zeDriverGetIpcProperties: no stype");
  properties->flags = ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t get(
    ze_context_handle_t context, const void *memory, ze_ipc_mem_handle_t *handle) {
  FAKE_OBJECT(object, memory, FAKE_MEMORY);
  if (object->parent != (void *)context) fake_misuse("zeMemGetIpcHandle: of another context");
  const struct name name = name_of(object);
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &name, sizeof name);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeMemGetIpcHandle(
    ze_context_handle_t context, const void *memory, ze_ipc_mem_handle_t *handle) {
  FAKE_ENTER(zeMemGetIpcHandle);
  return get(context, memory, handle);
}

ze_result_t ZE_APICALL zeMemOpenIpcHandle(ze_context_handle_t context, ze_device_handle_t device,
    ze_ipc_mem_handle_t handle, ze_ipc_memory_flags_t flags, void **memory) {
  struct name name;
  *memory = &fake;
  FAKE_ENTER(zeMemOpenIpcHandle);
  FAKE_OBJECT(on, device, FAKE_DEVICE);
  memcpy(&name, &handle, sizeof name);
  if (name.of == NULL) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (flags > 3) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  (void)on;
  *memory = fake_allocation(context, ZE_MEMORY_TYPE_DEVICE, device, name.of->size);
  ((struct fake_object *)*memory)->opened = 1;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t close_object(const void *handle, enum fake_kind kind, const char *function) {
  FAKE_OBJECT(object, handle, kind);
  if (!object->opened) fake_misuse("%s: of what was not opened", function);
  return fake_end_object(handle, kind, function);
}

ze_result_t ZE_APICALL zeMemCloseIpcHandle(ze_context_handle_t context, const void *memory) {
  FAKE_ENTER(zeMemCloseIpcHandle);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  (void)parent;
  return close_object(memory, FAKE_MEMORY, __func__);
}

ze_result_t ZE_APICALL zeEventPoolGetIpcHandle(
    ze_event_pool_handle_t pool, ze_ipc_event_pool_handle_t *handle) {
  FAKE_ENTER(zeEventPoolGetIpcHandle);
  FAKE_OBJECT(object, pool, FAKE_EVENT_POOL);
  if ((fake_seen.pool_desc.flags & ZE_EVENT_POOL_FLAG_IPC) == 0)
    fake_misuse("zeEventPoolGetIpcHandle: of a pool for one process");
  const struct name name = name_of(object);
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &name, sizeof name);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventPoolOpenIpcHandle(
    ze_context_handle_t context, ze_ipc_event_pool_handle_t handle, ze_event_pool_handle_t *pool) {
  struct name name;
  *pool = (ze_event_pool_handle_t)(void *)&fake;
  FAKE_ENTER(zeEventPoolOpenIpcHandle);
  memcpy(&name, &handle, sizeof name);
  if (name.of == NULL) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *pool = fake_event_pool(context);
  ((struct fake_object *)(void *)*pool)->opened = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventPoolCloseIpcHandle(ze_event_pool_handle_t pool) {
  FAKE_ENTER(zeEventPoolCloseIpcHandle);
  return close_object(pool, FAKE_EVENT_POOL, __func__);
}

/* Functions of newer loaders, looked up by name. */
ze_result_t ZE_APICALL fake_put_memory(
    ze_context_handle_t context, ze_ipc_mem_handle_t handle) __asm__("zeMemPutIpcHandle");
ze_result_t ZE_APICALL fake_put_pool(ze_context_handle_t context,
    ze_ipc_event_pool_handle_t handle) __asm__("zeEventPoolPutIpcHandle");
ze_result_t ZE_APICALL fake_get_with(ze_context_handle_t context, const void *memory, void *desc,
    ze_ipc_mem_handle_t *handle) __asm__("zeMemGetIpcHandleWithProperties");

static ze_result_t put(const void *handle, const char *function) {
  struct name name;
  memcpy(&name, handle, sizeof name);
  return fake_end_object(name.got, FAKE_IPC_HANDLE, function);
}

ze_result_t ZE_APICALL fake_put_memory(ze_context_handle_t context, ze_ipc_mem_handle_t handle) {
  FAKE_ENTER(zeMemPutIpcHandle);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  (void)parent;
  return put(&handle, "zeMemPutIpcHandle");
}

ze_result_t ZE_APICALL fake_put_pool(
    ze_context_handle_t context, ze_ipc_event_pool_handle_t handle) {
  FAKE_ENTER(zeEventPoolPutIpcHandle);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  (void)parent;
  return put(&handle, "zeEventPoolPutIpcHandle");
}

ze_result_t ZE_APICALL fake_get_with(
    ze_context_handle_t context, const void *memory, void *desc, ze_ipc_mem_handle_t *handle) {
  const ze_base_desc_t *base = (const ze_base_desc_t *)desc;
  FAKE_ENTER(zeMemGetIpcHandleWithProperties);
  if (base == NULL || (uint32_t)base->stype != 0x0002003d || base->pNext != NULL)
    fake_misuse("zeMemGetIpcHandleWithProperties: no stype, or a pNext");
  return get(context, memory, handle);
}
