#include "core/context.h"

#include "commands/stream.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"

struct zecl_context *zecl_context_new(struct zecl_driver *driver) {
  struct zecl_context *context = zecl_object_create(ZECL_CONTEXT, sizeof *context);
  if (context) context->driver = driver;
  return context;
}

static bool is_default(const struct zecl_context *context) {
  return context->driver->default_context == context;
}

static ze_result_t create(ze_driver_handle_t driver, const ze_context_desc_t *desc,
    uint32_t device_count, ze_device_handle_t *devices, ze_context_handle_t *handle) {
  ZECL_CHECK_HANDLE(driver, ZECL_DRIVER);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  ZECL_REQUIRE(desc->flags <= ZE_CONTEXT_FLAG_TBD, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(devices || device_count == 0, ZE_RESULT_ERROR_INVALID_SIZE);
  for (uint32_t i = 0; i < device_count; i++)
    ZECL_CHECK_HANDLE(devices[i], ZECL_DEVICE);
  struct zecl_context *context = zecl_context_new(zecl_driver_of(driver));
  if (!context) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *handle = (ze_context_handle_t)(void *)context;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeContextCreate(
    ze_driver_handle_t driver, const ze_context_desc_t *desc, ze_context_handle_t *handle) {
  ZECL_ENTER(zeContextCreate);
  return create(driver, desc, 0, NULL, handle);
}

ze_result_t zecl_zeContextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc,
    uint32_t device_count, ze_device_handle_t *devices, ze_context_handle_t *handle) {
  ZECL_ENTER(zeContextCreateEx);
  return create(driver, desc, device_count, devices, handle);
}

void zecl_context_release(struct zecl_context *context) {
  zecl_object_release(context, sizeof *context, NULL);
}

ze_result_t zecl_zeContextDestroy(ze_context_handle_t handle) {
  ZECL_ENTER(zeContextDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_CONTEXT);
  ZECL_REQUIRE(!is_default(zecl_context_of(handle)) && zecl_object_kill(handle, ZECL_CONTEXT),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_context_release(zecl_context_of(handle));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeContextGetStatus(ze_context_handle_t handle) {
  ZECL_ENTER(zeContextGetStatus);
  ZECL_CHECK_HANDLE(handle, ZECL_CONTEXT);
  return zecl_streams_are_lost(ZECL_ANY_DEVICE) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeContextSystemBarrier(ze_context_handle_t handle, ze_device_handle_t device) {
  ZECL_ENTER(zeContextSystemBarrier);
  ZECL_CHECK_HANDLE(handle, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  atomic_thread_fence(memory_order_seq_cst);
  return ZE_RESULT_SUCCESS;
}

/* Host memory is always resident: both calls only check their arguments. */
static ze_result_t check_range(
    ze_context_handle_t handle, ze_device_handle_t device, const void *pointer, size_t size) {
  ZECL_CHECK_HANDLE(handle, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(pointer);
  ZECL_REQUIRE(size != 0, ZE_RESULT_ERROR_INVALID_SIZE);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeContextMakeMemoryResident(
    ze_context_handle_t handle, ze_device_handle_t device, void *pointer, size_t size) {
  ZECL_ENTER(zeContextMakeMemoryResident);
  return check_range(handle, device, pointer, size);
}

ze_result_t zecl_zeContextEvictMemory(
    ze_context_handle_t handle, ze_device_handle_t device, void *pointer, size_t size) {
  ZECL_ENTER(zeContextEvictMemory);
  return check_range(handle, device, pointer, size);
}
