/* The three functions of sysman by which tools look devices up. All others return
 * UNSUPPORTED_FEATURE. Handles of drivers and devices are the core's. The types are written out,
 * since older headers lack them. */
#ifndef ZECL_CORE_SYSMAN_H
#define ZECL_CORE_SYSMAN_H

#include <level_zero/ze_api.h>

ze_result_t zecl_zesInit(uint32_t flags);
ze_result_t zecl_zesDriverGet(uint32_t *count, ze_driver_handle_t *handles);
ze_result_t zecl_zesDriverGetDeviceByUuidExp(ze_driver_handle_t handle, ze_device_uuid_t uuid,
    ze_device_handle_t *found, ze_bool_t *is_sub_device, uint32_t *sub_device_index);

#endif
