/* Allocations of the fake: handles like others, so that each must be freed once. */
#include "fake_object.h"

static ze_result_t allocate(ze_context_handle_t context, ze_device_handle_t device, size_t size,
    size_t alignment, void **memory) {
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  if (device != NULL) {
    FAKE_OBJECT(on, device, FAKE_DEVICE);
    (void)on;
  }
  fake_seen.context = context;
  fake_seen.device = device;
  fake_seen.size = size;
  fake_seen.alignment = alignment;
  *memory = fake_new(FAKE_MEMORY, parent);
  return ZE_RESULT_SUCCESS;
}

static void check_descs(
    const ze_device_mem_alloc_desc_t *device, const ze_host_mem_alloc_desc_t *host) {
  if ((device != NULL && device->stype != ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC) ||
      (host != NULL && host->stype != ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC))
    fake_misuse("zeMemAlloc: no stype");
}

/* Scribbles over the result before it fails: a caller may not rely on it. */
#define ENTER(function)                                                                            \
  do {                                                                                             \
    ze_result_t code = fake_enter(FAKE_##function);                                                \
    if (code != ZE_RESULT_SUCCESS) {                                                               \
      *memory = &fake;                                                                             \
      return code;                                                                                 \
    }                                                                                              \
  } while (0)

ze_result_t ZE_APICALL zeMemAllocDevice(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *desc, size_t size, size_t alignment,
    ze_device_handle_t device, void **memory) {
  ENTER(zeMemAllocDevice);
  check_descs(desc, NULL);
  return allocate(context, device, size, alignment, memory);
}

ze_result_t ZE_APICALL zeMemAllocShared(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *device_desc, const ze_host_mem_alloc_desc_t *host_desc,
    size_t size, size_t alignment, ze_device_handle_t device, void **memory) {
  ENTER(zeMemAllocShared);
  check_descs(device_desc, host_desc);
  return allocate(context, device, size, alignment, memory);
}

ze_result_t ZE_APICALL zeMemAllocHost(ze_context_handle_t context,
    const ze_host_mem_alloc_desc_t *desc, size_t size, size_t alignment, void **memory) {
  ENTER(zeMemAllocHost);
  check_descs(NULL, desc);
  return allocate(context, NULL, size, alignment, memory);
}

ze_result_t ZE_APICALL zeMemFree(ze_context_handle_t context, void *memory) {
  FAKE_ENTER(zeMemFree);
  FAKE_OBJECT(object, memory, FAKE_MEMORY);
  if (object->parent != (void *)context) fake_misuse("zeMemFree: of another context");
  return fake_end_object(memory, FAKE_MEMORY, __func__);
}
