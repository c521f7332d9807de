/**
 * @file
 * Composite devices: cards of several tiles that are enumerated as devices. EXPERIMENTAL, and
 * included by name.
 *
 *     #include "syclze/syclze.h"
 *     #include "syclze/composite_device.h"
 *     static ze_result_t whole_card(syclze_device tile, syclze_context *context) {
 *       syclze_device card;
 *       ze_result_t result = syclze_device_get_composite(tile, &card);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       return syclze_context_create(card.rep != NULL ? &card : &tile, 1, context);
 *     }
 *
 * They exist with ZE_FLAT_DEVICE_HIERARCHY=COMBINED only. In composite mode the card is the root
 * device and tiles are its sub-devices; in flat mode there is no device of the card. A composite
 * device can be used for contexts, queues and memory like any other device, but syclze_device_get
 * and selectors do not return it. A context of it also takes queues and memory of its components.
 *
 * Ownership: none, as of all devices. Threads: any thread may call any function.
 */
#ifndef SYCLZE_COMPOSITE_DEVICE_H
#define SYCLZE_COMPOSITE_DEVICE_H

#include "device.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Returns the composite devices of a platform, in the order of their first components.
 *
 * @param[in] platform  Null is refused.
 * @param[in,out] count  Not null. On entry the capacity of `devices`, or 0 to query; on return the
 * number of devices, or of those written. 0 after an error.
 * @param[out] devices  May be null.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `platform` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the loader has no zeDeviceGetRootDevice, which is of Level
 *   Zero 1.7
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what zeDeviceGet, zeDeviceGetRootDevice and zeDeviceGetSubDevices return
 * @see sycl_ext_oneapi_composite_device (platform::ext_oneapi_get_composite_devices)
 */
SYCLZE_COLD ze_result_t syclze_platform_get_composite_devices(
    syclze_platform platform, uint32_t *count, syclze_device *devices)
    SYCLZE_LINK_NAME(syclze_platform_get_composite_devices);

/**
 * Returns the composite device of a component.
 *
 * @param[in] device  Null is refused.
 * @param[out] composite  Not null; null for a device that is not a component, such as a sub-device,
 * and on failure.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `composite` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the loader has no zeDeviceGetRootDevice, which is of Level
 *   Zero 1.7
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * - what zeDeviceGetRootDevice and zeDeviceGetSubDevices return
 * @see sycl_ext_oneapi_composite_device (info::device::composite_device)
 */
SYCLZE_COLD ze_result_t syclze_device_get_composite(syclze_device device, syclze_device *composite)
    SYCLZE_LINK_NAME(syclze_device_get_composite);

/**
 * Returns the components of a composite device.
 *
 * @param[in] device  Null is refused. Others than composite ones have none.
 * @param[in,out] count  As for syclze_platform_get_composite_devices.
 * @param[out] devices  May be null.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `device` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` is null
 * @see sycl_ext_oneapi_composite_device (info::device::component_devices)
 */
SYCLZE_COLD ze_result_t syclze_device_get_components(syclze_device device, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_get_components);

SYCLZE_EXTERN_C_END

#include "detail/objects/composite_device.h"

#endif
