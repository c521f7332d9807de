/* Free memory by Level Zero's system management, whose functions are found at run time. */
#ifndef SYCLZE_DETAIL_DRIVER_SYSTEM_MEMORY_H
#define SYCLZE_DETAIL_DRIVER_SYSTEM_MEMORY_H

#include "../../device.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* zes_mem_state_t. */
struct syclze__zes_memory_state {
  uint32_t stype;
  const void *next;
  uint32_t health;
  uint64_t free, size;
};
enum { SYCLZE__ZES_MEMORY_STATE = 0x1e };

/* The functions. Handles of zes are pointers. */
struct syclze__zes {
  ze_result_t(ZE_APICALL *init)(uint32_t flags);
  ze_result_t(ZE_APICALL *driver_get)(uint32_t *count, void **drivers);
  ze_result_t(ZE_APICALL *device_by_uuid)(void *driver, ze_device_uuid_t uuid, void **device,
      ze_bool_t *is_sub_device, uint32_t *sub_device_id);
  ze_result_t(ZE_APICALL *memories)(void *device, uint32_t *count, void **memories);
  ze_result_t(ZE_APICALL *state)(void *memory, struct syclze__zes_memory_state *state);
};

/* False where the loader lacks one of them. */
SYCLZE_LOCAL bool syclze__zes_find(struct syclze__zes *zes) {
  memset(zes, 0, sizeof *zes);
#if SYCLZE_HAS_DLSYM
  void *found[5];
  found[0] = syclze__loader_symbol("zesInit");
  found[1] = syclze__loader_symbol("zesDriverGet");
  found[2] = syclze__loader_symbol("zesDriverGetDeviceByUuidExp");
  found[3] = syclze__loader_symbol("zesDeviceEnumMemoryModules");
  found[4] = syclze__loader_symbol("zesMemoryGetState");
  memcpy(&zes->init, &found[0], sizeof zes->init);
  memcpy(&zes->driver_get, &found[1], sizeof zes->driver_get);
  memcpy(&zes->device_by_uuid, &found[2], sizeof zes->device_by_uuid);
  memcpy(&zes->memories, &found[3], sizeof zes->memories);
  memcpy(&zes->state, &found[4], sizeof zes->state);
  return found[0] != NULL && found[1] != NULL && found[2] != NULL && found[3] != NULL &&
         found[4] != NULL;
#else
  (void)zes;
  return false;
#endif
}

/* Finds the device of the uuid, of any driver. */
SYCLZE_LOCAL ze_result_t syclze__zes_device(
    const struct syclze__zes *zes, ze_device_uuid_t uuid, void **device) {
  ze_bool_t is_sub_device;
  uint32_t count = 0, id;
  void **drivers;
  ze_result_t result = zes->driver_get(&count, NULL);
  *device = NULL;
  if (result != ZE_RESULT_SUCCESS) return result;
  drivers = (void **)calloc(count + 1u, sizeof *drivers);
  if (drivers == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = zes->driver_get(&count, drivers);
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS && *device == NULL; i++)
    if (zes->device_by_uuid(drivers[i], uuid, device, &is_sub_device, &id) != ZE_RESULT_SUCCESS)
      *device = NULL;
  free(drivers);
  if (result == ZE_RESULT_SUCCESS && *device == NULL) result = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  return result;
}

/* Sums the free memory over the memories of a device. */
SYCLZE_LOCAL ze_result_t syclze__zes_device_free(
    const struct syclze__zes *zes, void *device, uint64_t *free_size) {
  uint32_t count = 0;
  void **memories;
  ze_result_t result = zes->memories(device, &count, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (count == 0) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  memories = (void **)calloc(count, sizeof *memories);
  if (memories == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = zes->memories(device, &count, memories);
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++) {
    SYCLZE__ZEROED(struct syclze__zes_memory_state, state);
    state.stype = SYCLZE__ZES_MEMORY_STATE;
    result = zes->state(memories[i], &state);
    *free_size += state.free;
  }
  free(memories);
  if (result != ZE_RESULT_SUCCESS) *free_size = 0;
  return result;
}

SYCLZE_LOCAL struct syclze__status syclze__system_memory_free(
    const struct syclze__device *device, uint64_t *free_size) {
  const char *const rule = "the driver's system management has no memory of the device";
  struct syclze__zes zes;
  void *its_device;
  if (!syclze__zes_find(&zes))
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        "the loader has no zesInit or zesDriverGetDeviceByUuidExp, which are of Level Zero 1.9");
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  ze_result_t result = SYCLZE__ZE(zeDeviceGetProperties)(device->native, &properties);
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "zeDeviceGetProperties failed");
  result = zes.init(0);
  if (result == ZE_RESULT_SUCCESS) result = syclze__zes_device(&zes, properties.uuid, &its_device);
  if (result == ZE_RESULT_SUCCESS) result = syclze__zes_device_free(&zes, its_device, free_size);
  return syclze__status_of(result, rule);
}

#endif

SYCLZE_EXTERN_C_END

#endif
