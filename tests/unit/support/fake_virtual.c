/* Virtual and physical memory of the fake: reserved address space, and what is mapped where. */
#include "fake_object.h"

enum { PAGE = 4096 };

static struct fake_object *mapped_at(const void *at) {
  for (struct fake_object *o = fake_newest(); o != NULL; o = o->previous)
    if (o->kind == FAKE_PHYSICAL && o->destroys == 0 && o->mapped == at) return o;
  return NULL;
}

ze_result_t ZE_APICALL zeVirtualMemQueryPageSize(
    ze_context_handle_t context, ze_device_handle_t device, size_t size, size_t *page) {
  FAKE_ENTER(zeVirtualMemQueryPageSize);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  FAKE_OBJECT(on, device, FAKE_DEVICE);
  (void)parent, (void)on, (void)size;
  *page = PAGE;
  return ZE_RESULT_SUCCESS;
}

/* The address is that of the object; it is not accessed. */
ze_result_t ZE_APICALL zeVirtualMemReserve(
    ze_context_handle_t context, const void *start, size_t size, void **pointer) {
  FAKE_ENTER(zeVirtualMemReserve);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  if (start != NULL || size % PAGE != 0) fake_misuse("zeVirtualMemReserve: %zu bytes", size);
  struct fake_object *reservation = fake_new(FAKE_RESERVATION, parent);
  reservation->size = size;
  *pointer = reservation;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeVirtualMemFree(
    ze_context_handle_t context, const void *pointer, size_t size) {
  FAKE_ENTER(zeVirtualMemFree);
  FAKE_OBJECT(reservation, pointer, FAKE_RESERVATION);
  if (reservation->size != size || reservation->parent != (void *)context)
    fake_misuse("zeVirtualMemFree: of another size or context");
  return fake_end_object(pointer, FAKE_RESERVATION, __func__);
}

ze_result_t ZE_APICALL zePhysicalMemCreate(ze_context_handle_t context, ze_device_handle_t device,
    ze_physical_mem_desc_t *desc, ze_physical_mem_handle_t *physical) {
  FAKE_ENTER(zePhysicalMemCreate);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  FAKE_OBJECT(on, device, FAKE_DEVICE);
  (void)on;
  if (desc->stype != ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC || desc->size == 0 ||
      desc->size % PAGE != 0)
    fake_misuse("zePhysicalMemCreate: no stype, or %zu bytes", desc->size);
  struct fake_object *object = fake_new(FAKE_PHYSICAL, parent);
  object->size = desc->size;
  *physical = (ze_physical_mem_handle_t)(void *)object;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zePhysicalMemDestroy(
    ze_context_handle_t context, ze_physical_mem_handle_t physical) {
  FAKE_ENTER(zePhysicalMemDestroy);
  FAKE_OBJECT(object, physical, FAKE_PHYSICAL);
  if (object->parent != (void *)context) fake_misuse("zePhysicalMemDestroy: of another context");
  if (object->mapped != NULL) fake_misuse("zePhysicalMemDestroy: of memory that is mapped");
  return fake_end_object(physical, FAKE_PHYSICAL, __func__);
}

ze_result_t ZE_APICALL zeVirtualMemMap(ze_context_handle_t context, const void *pointer,
    size_t size, ze_physical_mem_handle_t physical, size_t offset,
    ze_memory_access_attribute_t access) {
  FAKE_ENTER(zeVirtualMemMap);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  FAKE_OBJECT(object, physical, FAKE_PHYSICAL);
  (void)parent;
  if (object->mapped != NULL || mapped_at(pointer) != NULL || object->size != size || offset != 0 ||
      access != ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE)
    fake_misuse("zeVirtualMemMap: %zu bytes at %zu", size, offset);
  object->mapped = pointer;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeVirtualMemUnmap(
    ze_context_handle_t context, const void *pointer, size_t size) {
  FAKE_ENTER(zeVirtualMemUnmap);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  struct fake_object *object = mapped_at(pointer);
  (void)parent;
  if (object == NULL || object->size != size)
    fake_misuse("zeVirtualMemUnmap: of what is not mapped");
  else
    object->mapped = NULL;
  return ZE_RESULT_SUCCESS;
}
