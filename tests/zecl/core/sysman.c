#include "core/sysman.h"

#include "core/check.h"
#include "core/device.h"
#include "core/fail.h"

#include <string.h>

ze_result_t zecl_zesInit(uint32_t flags) {
  ZECL_ENTER(zesInit);
  ZECL_REQUIRE(flags <= 1, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  return zecl_drivers_start();
}

ze_result_t zecl_zesDriverGet(uint32_t *count, ze_driver_handle_t *handles) {
  ZECL_ENTER(zesDriverGet);
  ZECL_CHECK_POINTER(count);
  ZECL_TRY(zecl_drivers_start());
  return zecl_drivers_list(count, handles);
}

static bool has_uuid(const struct zecl_device *device, const ze_device_uuid_t *wanted) {
  const ze_device_uuid_t uuid = zecl_device_uuid(device);
  return memcmp(&uuid, wanted, sizeof uuid) == 0;
}

static struct zecl_device *find(struct zecl_driver *driver, const ze_device_uuid_t *wanted) {
  for (uint32_t i = 0; i < driver->device_count; i++) {
    struct zecl_device *root = driver->devices[i];
    if (has_uuid(root, wanted)) return root;
    for (uint32_t j = 0; j < root->sub_device_count; j++)
      if (has_uuid(root->sub_devices[j], wanted)) return root->sub_devices[j];
  }
  return NULL;
}

/* Sysman has handles for root devices only: a sub-device is its root's handle and an index. */
ze_result_t zecl_zesDriverGetDeviceByUuidExp(ze_driver_handle_t handle, ze_device_uuid_t uuid,
    ze_device_handle_t *found, ze_bool_t *is_sub_device, uint32_t *sub_device_index) {
  ZECL_ENTER(zesDriverGetDeviceByUuidExp);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(found);
  ZECL_CHECK_POINTER(is_sub_device);
  ZECL_CHECK_POINTER(sub_device_index);
  struct zecl_device *device = find(zecl_driver_of(handle), &uuid);
  ZECL_REQUIRE(device, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  *found = zecl_device_handle(device->root ? device->root : device);
  *is_sub_device = device->root != NULL;
  *sub_device_index = device->root ? device->index : 0;
  return ZE_RESULT_SUCCESS;
}
