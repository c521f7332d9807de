/**
 * @file
 * Selection of devices: by ONEAPI_DEVICE_SELECTOR, by SYCL_DEVICE_FILTER, or by a filter string.
 *
 *     uint32_t count = 1;
 *     syclze_device device;
 *     ze_result_t result = syclze_device_get_selected(&count, &device);
 *     if (result == ZE_RESULT_SUCCESS && count == 0)
 *       result = syclze_device_find("level_zero:gpu:0", &device);
 *
 * The variables affect syclze_device_get_selected and syclze_device_find only. The drivers are
 * those of GPUs, or of the types passed to syclze_init.
 *
 * Devices of other backends are accepted by the grammars and select nothing. The index of a device
 * is its position among all root devices of the backend, in the order of enumeration, before
 * anything is selected. Case does not matter. The diagnostic of a malformed text shows the text and
 * the column of the error.
 *
 * Ownership: devices are not counted (device.h).
 *
 * Threads: any thread may call any function. The environment must not change meanwhile.
 */
#ifndef SYCLZE_SELECTOR_H
#define SYCLZE_SELECTOR_H

#include "device.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Selects devices by a selector in the grammar of ONEAPI_DEVICE_SELECTOR, among all devices.
 *
 *   selector  = ( accept { ";" accept } { ";" discard } | discard { ";" discard } ) [ ";" ]
 *   discard   = "!" accept
 *   accept    = backend ":" device { "," device }
 *   backend   = "*" | "level_zero" | "ext_oneapi_level_zero" | "level_zero_v2" | "opencl" | "cuda"
 *             | "hip" | "native_cpu" | "offload"
 *   device    = "cpu" | "gpu" | "fpga" | "npu" | index [ "." index [ "." index ] ]
 *   index     = number | "*"                                     after "*" only "*"
 *
 * Two indices denote sub-devices and three denote sub-sub-devices, which are then selected instead
 * of the device that contains them. If all terms are discards, all root devices are accepted first.
 * Discarding a device discards its parts.
 *
 * @param[in] text  The selector; not null.
 * @param[in,out] count  Not null. On entry the capacity of `devices`, or 0 to query; on return the
 * number of selected devices, or of those written. 0 after an error.
 * @param[out] devices  May be null.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `text` or `count` is null
 * - SYCLZE_RESULT_ERROR_INVALID: `text` is malformed
 * - what zeInit, zeDriverGet, zeDeviceGet and zeDeviceGetSubDevices return
 * @see Level-Zero backend 3.1
 */
SYCLZE_COLD ze_result_t syclze_device_select(const char *text, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_select);

/**
 * Returns the devices that the environment selects: by ONEAPI_DEVICE_SELECTOR if it is set and not
 * empty, else by SYCL_DEVICE_FILTER, else all root devices.
 *
 * @param[in,out] count  As for syclze_device_select.
 * @param[out] devices  May be null.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return As syclze_device_select.
 * @see Level-Zero backend 3.1
 */
SYCLZE_COLD ze_result_t syclze_device_get_selected(uint32_t *count, syclze_device *devices)
    SYCLZE_LINK_NAME(syclze_device_get_selected);

/**
 * Selects devices by filters in the grammar of SYCL_DEVICE_FILTER, among all devices.
 *
 *   filters = filter { "," filter }
 *   filter  = [ backend ] [ ":" type ] [ ":" number ]         at least one, colons between them
 *   backend = "*" | "host" | "level_zero" | "ext_oneapi_level_zero" | "opencl" | "cuda" | "hip"
 *   type    = "*" | "host" | "cpu" | "gpu" | "acc" | "accelerator"
 *
 * The number is the index of the device. A device whose type cannot be queried matches no type.
 *
 * @param[in] text  The filters; not null.
 * @param[in,out] count  As for syclze_device_select.
 * @param[out] devices  May be null.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return As syclze_device_select.
 * @see Level-Zero backend 3.1
 */
SYCLZE_COLD ze_result_t syclze_device_filter(const char *text, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_filter);

/**
 * Finds the first device that a filter selects, as in the filter-selector extension: the grammar of
 * syclze_device_filter, but a number counts the devices that match the rest of its filter. The
 * first of several filters that selects a device decides. The environment limits the devices.
 *
 * @param[in] text  The filters; not null.
 * @param[out] device  Not null; set to null on failure.
 * Ownership afterwards: unchanged; devices live as long as the process.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `text` or `device` is null
 * - SYCLZE_RESULT_ERROR_RUNTIME: `text` is malformed, or no device matches
 * - SYCLZE_RESULT_ERROR_INVALID: a variable of the environment is malformed
 * - what zeInit, zeDriverGet, zeDeviceGet and zeDeviceGetSubDevices return
 * @see Level-Zero backend 3.2
 */
SYCLZE_COLD ze_result_t syclze_device_find(const char *text, syclze_device *device)
    SYCLZE_LINK_NAME(syclze_device_find);

SYCLZE_EXTERN_C_END

#include "detail/objects/selector.h"

#endif
