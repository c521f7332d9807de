/* Sysman of a device: its memory with what is free of it, its clock, and its place on
 * the PCI bus where the engine knows that. A device is its own memory module and frequency domain:
 * their handles are the device's. Engines, power, temperature and the like have no source here. */
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "core/sysman.h"
#include "engine/engine.h"

#include <stdio.h>
#include <string.h>

ze_result_t zecl_zesDeviceGet(
    ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices) {
  ZECL_ENTER(zesDeviceGet);
  return zecl_zeDeviceGet(driver, count, devices);
}

static void text(char out[ZES_STRING_PROPERTY_SIZE], const char *in) {
  snprintf(out, ZES_STRING_PROPERTY_SIZE, "%.60s", in);
}

ze_result_t zecl_zesDeviceGetProperties(
    ze_device_handle_t handle, zes_device_properties_t *properties) {
  ZECL_ENTER(zesDeviceGetProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  properties->core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties->core.pNext = NULL;
  ZECL_TRY(zecl_zeDeviceGetProperties(handle, &properties->core));
  properties->numSubdevices = zecl_device_of(handle)->sub_device_count;
  text(properties->serialNumber, "unknown");
  text(properties->boardNumber, "unknown");
  text(properties->brandName, "zecl");
  text(properties->modelName, zecl_device_engine(zecl_device_of(handle))->name);
  text(properties->vendorName, "unknown");
  text(properties->driverVersion, "unknown");
  return ZE_RESULT_SUCCESS;
}

/* UNSUPPORTED_FEATURE where the device is on no bus. */
ze_result_t zecl_zesDevicePciGetProperties(
    ze_device_handle_t handle, zes_pci_properties_t *properties) {
  ZECL_ENTER(zesDevicePciGetProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_engine_properties *engine = zecl_device_engine(zecl_device_of(handle));
  ZECL_REQUIRE(engine->has_pci, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  properties->address.domain = engine->pci[0];
  properties->address.bus = engine->pci[1];
  properties->address.device = engine->pci[2];
  properties->address.function = 0;
  properties->maxSpeed.gen = properties->maxSpeed.width = -1;
  properties->maxSpeed.maxBandwidth = -1;
  properties->haveBandwidthCounters = properties->havePacketCounters = 0;
  properties->haveReplayCounters = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDevicePciGetPropertiesExt(
    ze_device_handle_t handle, ze_pci_ext_properties_t *properties) {
  ZECL_ENTER(zeDevicePciGetPropertiesExt);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_engine_properties *engine = zecl_device_engine(zecl_device_of(handle));
  ZECL_REQUIRE(engine->has_pci, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  properties->address.domain = engine->pci[0];
  properties->address.bus = engine->pci[1];
  properties->address.device = engine->pci[2];
  properties->address.function = 0;
  properties->maxSpeed.genVersion = properties->maxSpeed.width = -1;
  properties->maxSpeed.maxBandwidth = -1;
  return ZE_RESULT_SUCCESS;
}

/* The device as the only one of its `domains`, of which there is one or none. */
static ze_result_t enumerate(
    ze_device_handle_t handle, uint32_t *count, void **domains, uint32_t there) {
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(count);
  if (zecl_count_out(count, there) != 0 && domains) domains[0] = handle;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zesDeviceEnumMemoryModules(
    ze_device_handle_t handle, uint32_t *count, zes_mem_handle_t *modules) {
  ZECL_ENTER(zesDeviceEnumMemoryModules);
  return enumerate(handle, count, (void **)modules, 1);
}

ze_result_t zecl_zesMemoryGetProperties(zes_mem_handle_t module, zes_mem_properties_t *properties) {
  ZECL_ENTER(zesMemoryGetProperties);
  ZECL_CHECK_HANDLE(module, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_engine_properties *engine =
      zecl_device_engine(zecl_device_of((ze_device_handle_t)(void *)module));
  properties->type = ZES_MEM_TYPE_DDR;
  properties->onSubdevice = 0;
  properties->subdeviceId = 0;
  properties->location = engine->is_discrete ? ZES_MEM_LOC_DEVICE : ZES_MEM_LOC_SYSTEM;
  properties->physicalSize = engine->memory_size;
  properties->busWidth = engine->memory_bus_bits != 0 ? (int32_t)engine->memory_bus_bits : -1;
  properties->numChannels = -1;
  return ZE_RESULT_SUCCESS;
}

/* Bytes of the host's memory that programs may have without swapping; 0 where it is not known. */
static uint64_t host_available(void) {
  unsigned long long kilobytes = 0;
  char line[128];
  FILE *file = fopen("/proc/meminfo", "re");
  while (file && fgets(line, sizeof line, file) &&
         sscanf(line, "MemAvailable: %llu kB", &kilobytes) != 1)
    ;
  if (file) fclose(file);
  return kilobytes * 1024;
}

ze_result_t zecl_zesMemoryGetState(zes_mem_handle_t module, zes_mem_state_t *state) {
  ZECL_ENTER(zesMemoryGetState);
  ZECL_CHECK_HANDLE(module, ZECL_DEVICE);
  ZECL_CHECK_POINTER(state);
  const struct zecl_device *device = zecl_device_of((ze_device_handle_t)(void *)module);
  const uint64_t size = zecl_device_engine(device)->memory_size;
  const uint64_t available = zecl_engine()->memory
                                 ? zecl_engine()->memory->available(device->engine_index)
                                 : host_available();
  state->health = ZES_MEM_HEALTH_OK;
  state->size = size;
  state->free = available < size ? available : size;
  return ZE_RESULT_SUCCESS;
}

static const struct zecl_engine_properties *engine_of(zes_freq_handle_t domain) {
  return zecl_device_engine(zecl_device_of((ze_device_handle_t)(void *)domain));
}

ze_result_t zecl_zesDeviceEnumFrequencyDomains(
    ze_device_handle_t handle, uint32_t *count, zes_freq_handle_t *domains) {
  ZECL_ENTER(zesDeviceEnumFrequencyDomains);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  return enumerate(
      handle, count, (void **)domains, zecl_device_engine(zecl_device_of(handle))->clock_mhz != 0);
}

ze_result_t zecl_zesFrequencyGetProperties(
    zes_freq_handle_t domain, zes_freq_properties_t *properties) {
  ZECL_ENTER(zesFrequencyGetProperties);
  ZECL_CHECK_HANDLE(domain, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  properties->type = ZES_FREQ_DOMAIN_GPU;
  properties->onSubdevice = 0;
  properties->subdeviceId = 0;
  properties->canControl = properties->isThrottleEventSupported = 0;
  properties->min = properties->max = engine_of(domain)->clock_mhz;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zesFrequencyGetRange(zes_freq_handle_t domain, zes_freq_range_t *range) {
  ZECL_ENTER(zesFrequencyGetRange);
  ZECL_CHECK_HANDLE(domain, ZECL_DEVICE);
  ZECL_CHECK_POINTER(range);
  range->min = range->max = engine_of(domain)->clock_mhz;
  return ZE_RESULT_SUCCESS;
}

/* The highest clock: what it is now no engine reports. */
ze_result_t zecl_zesFrequencyGetState(zes_freq_handle_t domain, zes_freq_state_t *state) {
  ZECL_ENTER(zesFrequencyGetState);
  ZECL_CHECK_HANDLE(domain, ZECL_DEVICE);
  ZECL_CHECK_POINTER(state);
  state->currentVoltage = state->request = state->tdp = state->actual = -1;
  state->efficient = engine_of(domain)->clock_mhz;
  state->throttleReasons = 0;
  return ZE_RESULT_SUCCESS;
}

/* Components that no engine reports: there are none. */
#define NONE(function, type)                                                                       \
  ze_result_t zecl_##function(ze_device_handle_t handle, uint32_t *count, type *handles) {         \
    ZECL_ENTER(function);                                                                          \
    return enumerate(handle, count, (void **)handles, 0);                                          \
  }
NONE(zesDeviceEnumEngineGroups, zes_engine_handle_t)
NONE(zesDeviceEnumPowerDomains, zes_pwr_handle_t)
NONE(zesDeviceEnumFans, zes_fan_handle_t)
NONE(zesDeviceEnumTemperatureSensors, zes_temp_handle_t)
