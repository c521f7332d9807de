/* External memory of the fake: DMA-BUF descriptors, and functions of the driver that pin memory. */
#include "fake_object.h"

#include <string.h>

enum { FD = 42 };

ze_result_t ZE_APICALL zeDeviceGetExternalMemoryProperties(
    ze_device_handle_t device, ze_device_external_memory_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetExternalMemoryProperties);
  FAKE_OBJECT(object, device, FAKE_DEVICE);
  (void)object;
  if (properties->stype != ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES)
    fake_misuse("zeDeviceGetExternalMemoryProperties: no stype");
  properties->memoryAllocationImportTypes = properties->memoryAllocationExportTypes =
      fake.no_external ? 0
                       : ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF |
                             (fake.has_win32 ? ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32 : 0);
  return ZE_RESULT_SUCCESS;
}

void fake_external_desc(const void *next) {
  const ze_external_memory_import_fd_t *import = (const ze_external_memory_import_fd_t *)next;
  fake_seen.external_type = import->flags; /* at the same place in both */
  if (import->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD)
    fake_seen.external_fd = import->fd;
  else if (import->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32) {
    const ze_external_memory_import_win32_handle_t *win32 =
        (const ze_external_memory_import_win32_handle_t *)next;
    fake_seen.external_handle = win32->handle;
    if (win32->name != NULL || win32->pNext != NULL) fake_misuse("zeMemAllocDevice: a name");
  } else if (import->stype != ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC)
    fake_misuse("zeMemAllocDevice: an unknown pNext");
}

void fake_external_export(void *next) {
  ze_external_memory_export_fd_t *export_fd = (ze_external_memory_export_fd_t *)next;
  if (export_fd->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_WIN32) {
    ze_external_memory_export_win32_handle_t *win32 =
        (ze_external_memory_export_win32_handle_t *)next;
    fake_seen.external_type = win32->flags;
    if (fake.has_win32) win32->handle = &fake;
    return;
  }
  if (export_fd->stype != ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD || export_fd->flags == 0)
    fake_misuse("zeMemGetAllocProperties: an unknown pNext");
  if (!fake.no_external) export_fd->fd = FD;
}

/* The registered memory, one at a time. */
static const void *registered;

static ze_result_t register_memory(ze_driver_handle_t driver, void *memory, size_t size) {
  FAKE_OBJECT(object, driver, FAKE_DRIVER);
  (void)object;
  fake_seen.own_driver = driver;
  if (registered != NULL || size == 0) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  registered = memory;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t unregister_memory(ze_driver_handle_t driver, void *memory) {
  FAKE_OBJECT(object, driver, FAKE_DRIVER);
  (void)object;
  fake_seen.own_driver = driver;
  if (registered != memory) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  registered = NULL;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetExtensionFunctionAddress(
    ze_driver_handle_t driver, const char *name, void **address) {
  ze_result_t (*import)(ze_driver_handle_t, void *, size_t) = register_memory;
  ze_result_t (*end)(ze_driver_handle_t, void *) = unregister_memory;
  *address = &fake; /* where that fails, too */
  FAKE_ENTER(zeDriverGetExtensionFunctionAddress);
  FAKE_OBJECT(object, driver, FAKE_DRIVER);
  (void)object;
  if (fake.no_external) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (strcmp(name, "zexDriverImportExternalPointer") == 0)
    memcpy(address, &import, sizeof import);
  else
    memcpy(address, &end, sizeof end);
  return ZE_RESULT_SUCCESS;
}
