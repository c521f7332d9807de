#include "memory/physical_memory.h"

#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "memory/virtual_memory.h"

enum { ON_HOST = 2 }; /* of the flags */

static _Atomic(uint64_t) last_id;

static void finish(void *object) {
  struct zecl_physical *physical = object;
  if (physical->engine) zecl_virtual()->destroy(physical->engine);
  zecl_context_release(physical->context);
}

ze_result_t zecl_zePhysicalMemCreate(ze_context_handle_t context, ze_device_handle_t device,
    ze_physical_mem_desc_t *desc, ze_physical_mem_handle_t *handle) {
  ZECL_ENTER(zePhysicalMemCreate);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  if (device) ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  *handle = NULL;
  /* The flags of the newest headers: on the device, or on the host. Without an engine's memory both
   * are the host. */
  ZECL_REQUIRE(desc->flags <= 3, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(
      !zecl_engine()->memory || !(desc->flags & ON_HOST), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ZECL_REQUIRE(
      desc->size != 0 && desc->size % zecl_virtual()->page() == 0 && desc->size <= PTRDIFF_MAX,
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  struct zecl_physical *physical = zecl_object_create(ZECL_PHYSICAL, sizeof *physical);
  if (!physical) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  zecl_object_retain(context);
  physical->context = zecl_context_of(context);
  physical->size = desc->size;
  physical->id = atomic_fetch_add(&last_id, 1) + 1;
  physical->engine =
      zecl_virtual()->create(device ? zecl_device_index(zecl_device_of(device)) : 0, desc->size);
  if (!physical->engine) {
    zecl_object_kill(physical, ZECL_PHYSICAL);
    zecl_object_release(physical, sizeof *physical, finish);
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  *handle = (ze_physical_mem_handle_t)(void *)physical;
  return ZE_RESULT_SUCCESS;
}

/* Mappings stay until they are unmapped. */
ze_result_t zecl_zePhysicalMemDestroy(
    ze_context_handle_t context, ze_physical_mem_handle_t handle) {
  ZECL_ENTER(zePhysicalMemDestroy);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(handle, ZECL_PHYSICAL);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_PHYSICAL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_object_release(handle, sizeof(struct zecl_physical), finish);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zePhysicalMemGetProperties(ze_context_handle_t context,
    ze_physical_mem_handle_t handle, ze_physical_mem_properties_t *properties) {
  ZECL_ENTER(zePhysicalMemGetProperties);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(handle, ZECL_PHYSICAL);
  ZECL_CHECK_POINTER(properties);
  for (const ze_base_properties_t *next = properties->pNext; next; next = next->pNext)
    ZECL_REQUIRE(next->stype != ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD,
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  properties->id = zecl_physical_of(handle)->id;
  properties->size = zecl_physical_of(handle)->size;
  return ZE_RESULT_SUCCESS;
}
