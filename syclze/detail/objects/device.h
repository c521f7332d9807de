/* Implementation of device.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_DEVICE_H
#define SYCLZE_DETAIL_OBJECTS_DEVICE_H

#include "../../device.h"
#include "composite.h"

SYCLZE_EXTERN_C_BEGIN

/* Slow path of syclze_make_device: searches the drivers that are initialised. */
SYCLZE_COLD ze_result_t syclze__device_search(ze_device_handle_t handle, syclze_device *device)
    SYCLZE_LINK_NAME(syclze__device_search);

SYCLZE_INLINE ze_result_t syclze__make_device_impl(
    ze_device_handle_t handle, syclze_device *device) {
  if (SYCLZE__LIKELY(device != NULL)) {
    device->rep = syclze__device_find(handle);
    if (SYCLZE__LIKELY(device->rep != NULL)) return ZE_RESULT_SUCCESS;
  }
  return syclze__device_search(handle, device);
}

SYCLZE_INLINE ze_result_t syclze_make_device(ze_device_handle_t handle, syclze_device *device) {
  SYCLZE__RETURN_IF_TRACED(make_device, handle, device);
  return syclze__make_device_impl(handle, device);
}

SYCLZE_INLINE ze_device_handle_t syclze_device_get_native(syclze_device device) {
  SYCLZE__TRACE_GET(SYCLZE_OBJECT_DEVICE, device.rep);
  SYCLZE__CHECK_USE(device, "syclze_device_get_native", NULL);
  return device.rep->native;
}

SYCLZE_INLINE syclze_platform syclze_device_get_platform(syclze_device device) {
  syclze_platform platform = {device.rep->platform};
  return platform;
}

SYCLZE_INLINE syclze_device syclze_device_get_parent(syclze_device device) {
  syclze_device parent = {device.rep->parent};
  return parent;
}

SYCLZE_INLINE const char *syclze_device_get_backend_version(syclze_device device) {
  (void)device;
  return "";
}

SYCLZE_INLINE ze_result_t syclze_device_retain(syclze_device device) {
  (void)device;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_INLINE ze_result_t syclze_device_release(syclze_device device) {
  (void)device;
  return ZE_RESULT_SUCCESS;
}

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze__device_search(ze_device_handle_t handle, syclze_device *device) {
  ze_result_t result;
  struct syclze__status status;
  if (device == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_device",
        "the result's pointer is null", handle);
  if (handle == NULL)
    return syclze__fail_handle("syclze_make_device", "the device's handle is null");
  device->rep = syclze__composite_known(handle);
  if (device->rep != NULL) return ZE_RESULT_SUCCESS;
  result = syclze__device_handle_search(handle, &device->rep);
  if (device->rep == NULL) device->rep = syclze__composite_find(handle);
  if (device->rep != NULL) return ZE_RESULT_SUCCESS;
  status =
      result != ZE_RESULT_SUCCESS
          ? syclze__status_of(result, syclze__search_rule(result))
          : syclze__invalid(
                "Level-Zero backend 4.3: the device must be one of those that enumeration gives");
  return syclze__finish(status, "syclze_make_device", handle);
}

/* The direct children of `parent`, or the root devices. */
SYCLZE_LOCAL ze_result_t syclze__devices_copy(struct syclze__platform *platform,
    const struct syclze__device *parent, const char *function, uint32_t *count,
    syclze_device *devices) {
  const uint32_t capacity = *count;
  const ze_result_t result = syclze__devices_enumerate(platform);
  struct syclze__device *d;
  *count = 0;
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "the devices could not be enumerated", platform->native);
  for (d = __atomic_load_n(&platform->devices, __ATOMIC_ACQUIRE); d != NULL; d = d->next) {
    if (d->parent != parent) continue;
    if (capacity != 0 && *count == capacity) break;
    if (capacity != 0 && devices != NULL) devices[*count].rep = d;
    ++*count;
  }
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_device_get(
    syclze_platform platform, uint32_t *count, syclze_device *devices) {
  if (platform.rep == NULL || count == NULL)
    return syclze__fail(platform.rep == NULL ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                             : ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        "syclze_device_get", "the platform or the count's pointer is null", NULL);
  return syclze__devices_copy(platform.rep, NULL, "syclze_device_get", count, devices);
}

SYCLZE_COLD ze_result_t syclze_device_get_sub_devices(
    syclze_device device, uint32_t *count, syclze_device *devices) {
  if (device.rep == NULL || count == NULL)
    return syclze__fail(device.rep == NULL ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                           : ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        "syclze_device_get_sub_devices", "the device or the count's pointer is null", NULL);
  return syclze__devices_copy(
      device.rep->platform, device.rep, "syclze_device_get_sub_devices", count, devices);
}

#endif

SYCLZE_EXTERN_C_END

#endif
