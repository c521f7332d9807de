/* Implementation of composite_device.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_COMPOSITE_DEVICE_H
#define SYCLZE_DETAIL_OBJECTS_COMPOSITE_DEVICE_H

#include "../../composite_device.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_platform_get_composite_devices(
    syclze_platform platform, uint32_t *count, syclze_device *devices) {
  const char *const function = "syclze_platform_get_composite_devices";
  const uint32_t capacity = count != NULL ? *count : 0;
  struct syclze__status status = syclze__check_fork();
  if (count != NULL) *count = 0;
  if (platform.rep == NULL)
    status = syclze__null_handle("the platform is null");
  else if (count == NULL)
    status = syclze__null_pointer("the count's pointer is null");
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(
        syclze__devices_enumerate(platform.rep), "the devices could not be enumerated");
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__composites_find(platform.rep);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, function, platform.rep != NULL ? platform.rep->native : NULL);
  struct syclze__device *d = __atomic_load_n(&platform.rep->composites, __ATOMIC_ACQUIRE);
  for (; d != NULL && (capacity == 0 || *count < capacity); d = d->next) {
    if (capacity != 0 && devices != NULL) devices[*count].rep = d;
    ++*count;
  }
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_device_get_composite(
    syclze_device device, syclze_device *composite) {
  struct syclze__status status = syclze__check_fork();
  if (composite != NULL) composite->rep = NULL;
  if (composite == NULL)
    status = syclze__null_pointer("the result's pointer is null");
  else if (device.rep == NULL)
    status = syclze__null_handle("the device is null");
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__composites_find(device.rep->platform);
  if (status.result == ZE_RESULT_SUCCESS) {
    composite->rep = __atomic_load_n(&device.rep->composite, __ATOMIC_RELAXED);
    return status.result;
  }
  return syclze__finish(
      status, "syclze_device_get_composite", device.rep != NULL ? device.rep->native : NULL);
}

SYCLZE_COLD ze_result_t syclze_device_get_components(
    syclze_device device, uint32_t *count, syclze_device *devices) {
  const uint32_t capacity = count != NULL ? *count : 0;
  if (count != NULL) *count = 0;
  if (device.rep == NULL || count == NULL)
    return syclze__fail(device.rep == NULL ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                           : ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        "syclze_device_get_components", "the device or the count's pointer is null", NULL);
  struct syclze__device *d = __atomic_load_n(&device.rep->platform->devices, __ATOMIC_ACQUIRE);
  for (; d != NULL && (capacity == 0 || *count < capacity); d = d->next) {
    if (__atomic_load_n(&d->composite, __ATOMIC_RELAXED) != device.rep) continue;
    if (capacity != 0 && devices != NULL) devices[*count].rep = d;
    ++*count;
  }
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
