/**
 * @file
 * Devices: Level Zero's root devices and their sub-devices.
 *
 *     syclze_device device;
 *     if (syclze_make_device(handle, &device) == ZE_RESULT_SUCCESS)
 *       handle = syclze_device_get_native(device);
 *
 * Like platforms, devices are those that Level Zero enumerates, and live as long as the process;
 * the same handle always gives the same `rep`.
 *
 * Ownership: none. Devices are not counted; retain and release have no effect.
 *
 * Threads: any thread may call any function.
 */
#ifndef SYCLZE_DEVICE_H
#define SYCLZE_DEVICE_H

#include "platform.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__device;

/** A device; {0} is null. @see SYCL 2020 4.6.4 */
typedef struct syclze_device {
  struct syclze__device *rep;
} syclze_device;

/**
 * Returns all root devices of a platform, whatever the environment selects (selector.h).
 *
 * @param[in] platform  Null is refused.
 * @param[in,out] count  Not null. On entry the capacity of `devices`, or 0 to query; on return the
 * number of devices, or of those written. 0 after an error.
 * @param[out] devices  May be null.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `platform` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` is null
 * - what zeDeviceGet and zeDeviceGetSubDevices return
 * @see SYCL 2020 4.6.2
 */
SYCLZE_COLD ze_result_t syclze_device_get(syclze_platform platform, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_get);

/**
 * Returns the direct sub-devices of a device.
 *
 * @param[in] device  Null is refused.
 * @param[in,out] count  As for syclze_device_get.
 * @param[out] devices  May be null.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return As syclze_device_get.
 * @see Level-Zero backend 4.3, SYCL 2020 4.6.4.3
 */
SYCLZE_COLD ze_result_t syclze_device_get_sub_devices(syclze_device device, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_get_sub_devices);

/**
 * Returns the device, sub-device at any depth, or composite device (composite_device.h) of a
 * handle. Initialises no driver.
 *
 * @param[in] handle  Null is refused.
 * @param[out] device  Not null; set to null on failure.
 * Ownership afterwards: unchanged; nothing is created.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `device` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `handle` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the handle was not enumerated
 * - what zeDriverGet, zeDeviceGet and zeDeviceGetSubDevices return; ZE_RESULT_ERROR_UNINITIALIZED
 *   before zeInit
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE ze_result_t syclze_make_device(ze_device_handle_t handle, syclze_device *device);

/**
 * Returns the handle of the device.
 *
 * @param[in] device  Not null.
 * @return The handle. Ownership is unchanged.
 * @see Level-Zero backend 4.2, 4.4.3
 */
SYCLZE_INLINE ze_device_handle_t syclze_device_get_native(syclze_device device);

/**
 * Returns the platform of the device.
 *
 * @param[in] device  Not null.
 * @return The platform, never null.
 * @see SYCL 2020 4.6.4.1
 */
SYCLZE_INLINE syclze_platform syclze_device_get_platform(syclze_device device);

/**
 * Returns the device that contains this one.
 *
 * @param[in] device  Not null.
 * @return The device; null for a root device.
 * @see SYCL 2020 4.6.4.4, info::device::parent_device
 */
SYCLZE_INLINE syclze_device syclze_device_get_parent(syclze_device device);

/**
 * Returns info::device::backend_version, which Level Zero does not define.
 *
 * @param[in] device  May be null.
 * @return The empty string.
 * @see Level-Zero backend 5
 */
SYCLZE_INLINE const char *syclze_device_get_backend_version(syclze_device device);

/**
 * No effect: devices are not counted, and never destroyed.
 *
 * @param[in] device  May be null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_device_retain(syclze_device device);

/**
 * No effect: devices are not counted, and never destroyed.
 *
 * @param[in] device  May be null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_device_release(syclze_device device);

SYCLZE_EXTERN_C_END

#include "detail/objects/device.h"

#endif
