/* The functions of sysman that have an answer. All others return UNSUPPORTED_FEATURE. Handles of
 * drivers and devices are the core's. The types are written out where older headers lack them. */
#ifndef ZECL_CORE_SYSMAN_H
#define ZECL_CORE_SYSMAN_H

#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

ze_result_t zecl_zesInit(uint32_t flags);
ze_result_t zecl_zesDriverGet(uint32_t *count, ze_driver_handle_t *handles);
ze_result_t zecl_zesDriverGetDeviceByUuidExp(ze_driver_handle_t handle, ze_device_uuid_t uuid,
    ze_device_handle_t *found, ze_bool_t *is_sub_device, uint32_t *sub_device_index);

ze_result_t zecl_zesDeviceGet(
    ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices);
ze_result_t zecl_zesDeviceGetProperties(
    ze_device_handle_t handle, zes_device_properties_t *properties);
ze_result_t zecl_zesDevicePciGetProperties(
    ze_device_handle_t handle, zes_pci_properties_t *properties);
ze_result_t zecl_zesDeviceEnumMemoryModules(
    ze_device_handle_t handle, uint32_t *count, zes_mem_handle_t *modules);
ze_result_t zecl_zesMemoryGetProperties(zes_mem_handle_t module, zes_mem_properties_t *properties);
ze_result_t zecl_zesMemoryGetState(zes_mem_handle_t module, zes_mem_state_t *state);
ze_result_t zecl_zesDeviceEnumFrequencyDomains(
    ze_device_handle_t handle, uint32_t *count, zes_freq_handle_t *domains);
ze_result_t zecl_zesFrequencyGetProperties(
    zes_freq_handle_t domain, zes_freq_properties_t *properties);
ze_result_t zecl_zesFrequencyGetRange(zes_freq_handle_t domain, zes_freq_range_t *range);
ze_result_t zecl_zesFrequencyGetState(zes_freq_handle_t domain, zes_freq_state_t *state);
ze_result_t zecl_zesDeviceEnumEngineGroups(
    ze_device_handle_t handle, uint32_t *count, zes_engine_handle_t *handles);
ze_result_t zecl_zesDeviceEnumPowerDomains(
    ze_device_handle_t handle, uint32_t *count, zes_pwr_handle_t *handles);
ze_result_t zecl_zesDeviceEnumFans(
    ze_device_handle_t handle, uint32_t *count, zes_fan_handle_t *handles);
ze_result_t zecl_zesDeviceEnumTemperatureSensors(
    ze_device_handle_t handle, uint32_t *count, zes_temp_handle_t *handles);

#endif
