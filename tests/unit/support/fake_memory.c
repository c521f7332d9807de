/* Allocations, images and samplers of the fake, tracked like other handles. */
#include "fake_object.h"

void *fake_allocation(
    ze_context_handle_t context, ze_memory_type_t type, ze_device_handle_t device, size_t size) {
  struct fake_object *memory = fake_new(FAKE_MEMORY, fake_check(context, FAKE_CONTEXT, __func__));
  memory->type = type;
  memory->size = size;
  if (device != NULL) memory->device = fake_check(device, FAKE_DEVICE, __func__);
  return memory;
}

ze_sampler_handle_t fake_sampler(ze_context_handle_t context) {
  return (ze_sampler_handle_t)(void *)fake_new(
      FAKE_SAMPLER, fake_check(context, FAKE_CONTEXT, __func__));
}

ze_image_handle_t fake_image(ze_context_handle_t context) {
  return (ze_image_handle_t)(void *)fake_new(
      FAKE_IMAGE, fake_check(context, FAKE_CONTEXT, __func__));
}

static ze_result_t allocate(ze_context_handle_t context, ze_memory_type_t type,
    ze_device_handle_t device, size_t size, size_t alignment, void **memory) {
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  if (device != NULL) {
    FAKE_OBJECT(on, device, FAKE_DEVICE);
    (void)on;
  }
  fake_seen.context = context;
  fake_seen.device = device;
  fake_seen.size = size;
  fake_seen.alignment = alignment;
  (void)parent;
  *memory = fake_allocation(context, type, device, size);
  return ZE_RESULT_SUCCESS;
}

static void check_descs(
    const ze_device_mem_alloc_desc_t *device, const ze_host_mem_alloc_desc_t *host) {
  if ((device != NULL && device->stype != ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC) ||
      (host != NULL && host->stype != ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC))
    fake_misuse("zeMemAlloc: no stype");
}

/* Overwrites the result before failing: callers may not rely on it. */
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
  fake_seen.external_fd = -1;
  fake_seen.external_handle = NULL;
  if (desc->pNext != NULL) fake_external_desc(desc->pNext);
  return allocate(context, ZE_MEMORY_TYPE_DEVICE, device, size, alignment, memory);
}

ze_result_t ZE_APICALL zeMemAllocShared(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *device_desc, const ze_host_mem_alloc_desc_t *host_desc,
    size_t size, size_t alignment, ze_device_handle_t device, void **memory) {
  ENTER(zeMemAllocShared);
  check_descs(device_desc, host_desc);
  return allocate(context, ZE_MEMORY_TYPE_SHARED, device, size, alignment, memory);
}

ze_result_t ZE_APICALL zeMemAllocHost(ze_context_handle_t context,
    const ze_host_mem_alloc_desc_t *desc, size_t size, size_t alignment, void **memory) {
  ENTER(zeMemAllocHost);
  check_descs(NULL, desc);
  return allocate(context, ZE_MEMORY_TYPE_HOST, NULL, size, alignment, memory);
}

ze_result_t ZE_APICALL zeMemFree(ze_context_handle_t context, void *memory) {
  FAKE_ENTER(zeMemFree);
  FAKE_OBJECT(object, memory, FAKE_MEMORY);
  if (object->parent != (void *)context) fake_misuse("zeMemFree: of another context");
  if (object->opened) fake_misuse("zeMemFree: of memory that was opened");
  return fake_end_object(memory, FAKE_MEMORY, __func__);
}

/* The allocation of the context that contains the address, or null. */
static struct fake_object *find(ze_context_handle_t context, const void *address) {
  for (struct fake_object *o = fake_newest(); o != NULL; o = o->previous)
    if (o->kind == FAKE_MEMORY && o->parent == (void *)context && o->destroys == 0 &&
        address >= (const void *)o && address < (const void *)(o + 1))
      return o;
  return NULL;
}

ze_result_t ZE_APICALL zeMemGetAllocProperties(ze_context_handle_t context, const void *address,
    ze_memory_allocation_properties_t *properties, ze_device_handle_t *device) {
  FAKE_ENTER(zeMemGetAllocProperties);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  (void)parent;
  if (properties->stype != ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES)
    fake_misuse("zeMemGetAllocProperties: no stype");
  if (properties->pNext != NULL) fake_external_export(properties->pNext);
  const struct fake_object *memory = find(context, address);
  properties->type = memory != NULL ? memory->type : ZE_MEMORY_TYPE_UNKNOWN;
  if (device != NULL) *device = memory != NULL ? (ze_device_handle_t)(void *)memory->device : NULL;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeMemGetAddressRange(
    ze_context_handle_t context, const void *address, void **base, size_t *size) {
  FAKE_ENTER(zeMemGetAddressRange);
  struct fake_object *memory = find(context, address);
  if (memory == NULL) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *base = memory;
  *size = memory->size;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeImageCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t *image) {
  FAKE_ENTER(zeImageCreate);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  FAKE_OBJECT(on, device, FAKE_DEVICE);
  (void)parent, (void)on;
  if (desc->stype != ZE_STRUCTURE_TYPE_IMAGE_DESC) fake_misuse("zeImageCreate: no stype");
  fake_seen.context = context;
  fake_seen.device = device;
  fake_seen.image_desc = *desc;
  fake_bindless_desc(desc->pNext);
  *image = fake_image(context);
  ((struct fake_object *)(void *)*image)->imports = (fake_seen.bindless_flags & 1) != 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeImageDestroy(ze_image_handle_t image) {
  FAKE_ENTER(zeImageDestroy);
  return fake_end_object(image, FAKE_IMAGE, __func__);
}

ze_result_t ZE_APICALL zeSamplerCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_sampler_desc_t *desc, ze_sampler_handle_t *sampler) {
  FAKE_ENTER(zeSamplerCreate);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  FAKE_OBJECT(on, device, FAKE_DEVICE);
  (void)parent, (void)on;
  if (desc->stype != ZE_STRUCTURE_TYPE_SAMPLER_DESC) fake_misuse("zeSamplerCreate: no stype");
  fake_seen.context = context;
  fake_seen.device = device;
  fake_seen.sampler_desc = *desc;
  *sampler = fake_sampler(context);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeSamplerDestroy(ze_sampler_handle_t sampler) {
  FAKE_ENTER(zeSamplerDestroy);
  return fake_end_object(sampler, FAKE_SAMPLER, __func__);
}
