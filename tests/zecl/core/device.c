#include "core/device.h"

#include "commands/stream.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"

ze_result_t zecl_zeDeviceGetSubDevices(
    ze_device_handle_t handle, uint32_t *count, ze_device_handle_t *handles) {
  ZECL_ENTER(zeDeviceGetSubDevices);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(count);
  const struct zecl_device *device = zecl_device_of(handle);
  const uint32_t wanted = zecl_count_out(count, device->sub_device_count);
  for (uint32_t i = 0; handles && i < wanted; i++)
    handles[i] = zecl_device_handle(device->sub_devices[i]);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetRootDevice(ze_device_handle_t handle, ze_device_handle_t *root) {
  ZECL_ENTER(zeDeviceGetRootDevice);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(root);
  *root = zecl_device_handle(zecl_device_of(handle)->root); /* null for a root device */
  return ZE_RESULT_SUCCESS;
}

/* Devices that work in the host's memory can reach each other's. */
static bool reaches(const struct zecl_device *device, const struct zecl_device *peer) {
  const struct zecl_engine_memory *memory = zecl_engine()->memory;
  return !memory || memory->can_access_peer(device->engine_index, peer->engine_index);
}

ze_result_t zecl_zeDeviceGetP2PProperties(
    ze_device_handle_t handle, ze_device_handle_t peer, ze_device_p2p_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetP2PProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_HANDLE(peer, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  properties->flags = 0;
  if (reaches(zecl_device_of(handle), zecl_device_of(peer)))
    properties->flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceCanAccessPeer(
    ze_device_handle_t handle, ze_device_handle_t peer, ze_bool_t *answer) {
  ZECL_ENTER(zeDeviceCanAccessPeer);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_HANDLE(peer, ZECL_DEVICE);
  ZECL_CHECK_POINTER(answer);
  *answer = reaches(zecl_device_of(handle), zecl_device_of(peer));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_device_status(const struct zecl_device *device) {
  return zecl_streams_are_lost(device->engine_index) ? ZE_RESULT_ERROR_DEVICE_LOST
                                                     : ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetStatus(ze_device_handle_t handle) {
  ZECL_ENTER(zeDeviceGetStatus);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  return zecl_device_status(zecl_device_of(handle));
}

ze_result_t zecl_zeDeviceGetGlobalTimestamps(
    ze_device_handle_t handle, uint64_t *host, uint64_t *device) {
  ZECL_ENTER(zeDeviceGetGlobalTimestamps);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(host);
  ZECL_CHECK_POINTER(device);
  *host = *device = zecl_stamp();
  const struct zecl_engine_streams *streams = zecl_engine()->streams;
  return streams ? streams->read_time(zecl_device_of(handle)->engine_index, device)
                 : ZE_RESULT_SUCCESS;
}
