/* Devices: Level Zero's root devices and their sub-devices.
 *
 *     syclze_device device;
 *     if (syclze_make_device(handle, &device) == ZE_RESULT_SUCCESS)
 *       handle = syclze_device_get_native(device);
 *
 * As with platforms, the devices are those that Level Zero enumerates, and live as long as the
 * process; the same handle gives the same `rep`; retain and release have no effect. Any thread may
 * call any function. */
#ifndef SYCLZE_DEVICE_H
#define SYCLZE_DEVICE_H

#include "platform.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_device {
  struct syclze__device *rep;
} syclze_device;

struct syclze__device {
  ze_device_handle_t native;
  struct syclze__platform *platform;
  struct syclze__device *parent; /* null for a root device */
  struct syclze__device *next;
  uint32_t compute_group; /* 1 more than the ordinal of its first queue group that computes, or 0
                             while that is not known */
};

/* The root devices of a platform. `platform` and `count` are not null; `count` is on entry the room
 * in `devices`, or 0 to ask, and on return how many there are, or were written. Passes through what
 * zeDeviceGet and zeDeviceGetSubDevices return. */
SYCLZE_COLD ze_result_t syclze_device_get(syclze_platform platform, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_get);

/* The direct sub-devices of a device, by the same rules. */
SYCLZE_COLD ze_result_t syclze_device_get_sub_devices(syclze_device device, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_get_sub_devices);

/* The slow half of syclze_make_device: enumerates, then searches. */
SYCLZE_COLD ze_result_t syclze__device_search(ze_device_handle_t handle, syclze_device *device)
    SYCLZE_LINK_NAME(syclze__device_search);

/* Null for a device that is not, or not yet, enumerated. */
SYCLZE_INLINE struct syclze__device *syclze__device_find(ze_device_handle_t handle) {
  SYCLZE__FOR_EACH_PLATFORM(p) {
    struct syclze__device *d = __atomic_load_n(&p->devices, __ATOMIC_ACQUIRE);
    for (; d != NULL; d = d->next)
      if (d->native == handle) return d;
  }
  return NULL;
}

/* The device, or sub-device at any depth, of a handle (4.3). Creates nothing and takes nothing.
 * Errors: ZE_RESULT_ERROR_INVALID_NULL_HANDLE; SYCLZE_RESULT_ERROR_INVALID for a handle that
 * enumeration does not give; what the enumeration returns. */
SYCLZE_INLINE ze_result_t syclze_make_device(ze_device_handle_t handle, syclze_device *device);

SYCLZE_INLINE ze_result_t syclze__make_device_impl(
    ze_device_handle_t handle, syclze_device *device) {
  if (device == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_device",
        "the result's pointer is null", handle);
  device->rep = syclze__device_find(handle);
  return SYCLZE__LIKELY(device->rep != NULL) ? ZE_RESULT_SUCCESS
                                             : syclze__device_search(handle, device);
}
SYCLZE_INLINE ze_result_t syclze_make_device(ze_device_handle_t handle, syclze_device *device) {
  SYCLZE__RETURN_IF_TRACED(make_device, handle, device);
  return syclze__make_device_impl(handle, device);
}

/* The device's handle. `device` is not null. Nothing changes hands (4.4.3). */
SYCLZE_INLINE ze_device_handle_t syclze_device_get_native(syclze_device device) {
  SYCLZE__TRACE_GET(SYCLZE__TRACE_DEVICE, device.rep);
  return device.rep->native;
}

/* The platform that the device belongs to. `device` is not null. */
SYCLZE_INLINE syclze_platform syclze_device_get_platform(syclze_device device) {
  syclze_platform platform = {device.rep->platform};
  return platform;
}

/* The device that this one is a part of; null for a root device. `device` is not null. */
SYCLZE_INLINE syclze_device syclze_device_get_parent(syclze_device device) {
  syclze_device parent = {device.rep->parent};
  return parent;
}

/* info::device::backend_version, which Level Zero does not define: the empty string (5). */
SYCLZE_INLINE const char *syclze_device_get_backend_version(syclze_device device) {
  (void)device;
  return "";
}

/* No effect: devices are not counted. */
SYCLZE_INLINE ze_result_t syclze_device_retain(syclze_device device) {
  (void)device;
  return ZE_RESULT_SUCCESS;
}

/* No effect: devices are not counted. */
SYCLZE_INLINE ze_result_t syclze_device_release(syclze_device device) {
  (void)device;
  return ZE_RESULT_SUCCESS;
}

/* Appends the root devices, or those below `parent`, and all below them, to the list that ends at
 * `*end`. What was listed before a failure stays in the list. */
SYCLZE_LOCAL ze_result_t syclze__devices_list(struct syclze__platform *platform,
    struct syclze__device *parent, struct syclze__device ***end) {
  uint32_t count = 0;
  ze_result_t result = parent == NULL
                           ? SYCLZE__ZE(zeDeviceGet)(platform->native, &count, NULL)
                           : SYCLZE__ZE(zeDeviceGetSubDevices)(parent->native, &count, NULL);
  if (parent != NULL && result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) return ZE_RESULT_SUCCESS;
  if (result != ZE_RESULT_SUCCESS || count == 0) return result;
  ze_device_handle_t *handles = (ze_device_handle_t *)calloc(count, sizeof *handles);
  if (handles == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = parent == NULL ? SYCLZE__ZE(zeDeviceGet)(platform->native, &count, handles)
                          : SYCLZE__ZE(zeDeviceGetSubDevices)(parent->native, &count, handles);
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++) {
    struct syclze__device *device = (struct syclze__device *)calloc(1, sizeof *device);
    if (device == NULL) {
      result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
      break;
    }
    device->native = handles[i];
    device->platform = platform;
    device->parent = parent;
    **end = device;
    *end = &device->next;
    result = syclze__devices_list(platform, device, end);
  }
  free(handles);
  return result;
}

/* Makes sure that the platform's devices are enumerated: all of them, or after a failure none. */
SYCLZE_LOCAL ze_result_t syclze__devices_enumerate(struct syclze__platform *platform) {
  if (__atomic_load_n(&platform->devices, __ATOMIC_ACQUIRE) != NULL) return ZE_RESULT_SUCCESS;
  struct syclze__device *first = NULL, *none = NULL, **end = &first;
  ze_result_t result = syclze__devices_list(platform, NULL, &end);
  if (result == ZE_RESULT_SUCCESS && __atomic_compare_exchange_n(&platform->devices, &none, first,
                                         false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    return result;
  while (first != NULL) {
    struct syclze__device *next = first->next;
    free(first);
    first = next;
  }
  return result;
}

SYCLZE_COLD ze_result_t syclze__device_search(ze_device_handle_t handle, syclze_device *device) {
  static const char *const function = "syclze_make_device";
  device->rep = NULL;
  if (handle == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the device's handle is null", handle);
  ze_result_t result = syclze__platforms_enumerate();
  /* A driver that fails does not hide the devices of another. */
  SYCLZE__FOR_EACH_PLATFORM(p) {
    ze_result_t listed = syclze__devices_enumerate(p);
    if (result == ZE_RESULT_SUCCESS) result = listed;
  }
  device->rep = syclze__device_find(handle);
  if (device->rep != NULL) return ZE_RESULT_SUCCESS;
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "the devices could not be enumerated", handle);
  return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
      "Level-Zero backend 4.3: the device is none of those that enumeration gives", handle);
}

/* The direct children of `parent`, or the root devices. */
SYCLZE_LOCAL ze_result_t syclze__devices_copy(struct syclze__platform *platform,
    struct syclze__device *parent, const char *function, uint32_t *count, syclze_device *devices) {
  ze_result_t result = syclze__devices_enumerate(platform);
  uint32_t room = *count, found = 0;
  *count = 0;
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "the devices could not be enumerated", platform->native);
  struct syclze__device *d = __atomic_load_n(&platform->devices, __ATOMIC_ACQUIRE);
  for (; d != NULL; d = d->next) {
    if (d->parent != parent) continue;
    if (room != 0 && found == room) break;
    if (room != 0 && devices != NULL) devices[found].rep = d;
    found++;
  }
  *count = found;
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

SYCLZE_EXTERN_C_END

#endif
