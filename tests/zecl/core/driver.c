#include "core/driver.h"

#include "commands/worker.h"
#include "core/affinity.h"
#include "core/check.h"
#include "core/context.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "core/table.h"
#include "core/version.h"
#include "engine/engine.h"
#include "images/pitched.h"
#include "memory/ipc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIMULATED = 64 };

static struct zecl_driver *drivers[MAX_SIMULATED];
static uint32_t driver_count;

static uint32_t count_from(const char *variable, uint32_t least, uint32_t otherwise) {
  const char *text = secure_getenv(variable);
  if (!text || !*text) return otherwise;
  const long value = strtol(text, NULL, 10);
  if (value < (long)least) return least;
  return value > MAX_SIMULATED ? MAX_SIMULATED : (uint32_t)value;
}

static struct zecl_device *new_device(struct zecl_driver *driver, uint32_t index, uint32_t number) {
  struct zecl_device *device = zecl_object_create(ZECL_DEVICE, sizeof *device);
  if (!device) return NULL;
  device->driver = driver;
  device->index = index;
  device->number = number;
  device->engine_index = number % zecl_engine()->device_count;
  return device;
}

/* ZE_FLAT_DEVICE_HIERARCHY. Unset is composite here, as devices have parts on request only. */
enum hierarchy { COMPOSITE, FLAT, COMBINED };

static enum hierarchy hierarchy_of_environment(void) {
  const char *text = secure_getenv("ZE_FLAT_DEVICE_HIERARCHY");
  if (text && strcmp(text, "FLAT") == 0) return FLAT;
  return text && strcmp(text, "COMBINED") == 0 ? COMBINED : COMPOSITE;
}

/* The sub-devices that the mask leaves of a device of so many parts. One alone takes the place of
 * the device. */
static bool make_parts(struct zecl_device *device, const char *mask, uint32_t part_count) {
  device->sub_devices = calloc(part_count, sizeof *device->sub_devices);
  if (!device->sub_devices) return false;
  for (uint32_t part = 0; part < part_count; part++) {
    if (!zecl_affinity_has(mask, device->number, part)) continue;
    struct zecl_device *sub = new_device(device->driver, device->sub_device_count, device->number);
    if (!sub) return false;
    sub->root = device;
    sub->part = part + 1;
    device->sub_devices[device->sub_device_count++] = sub;
  }
  if (device->sub_device_count == 1 && part_count > 1) {
    device->part = device->sub_devices[0]->part;
    device->sub_device_count = 0;
  }
  return true;
}

static bool is_visible(const char *mask, uint32_t number, uint32_t part_count) {
  uint32_t part = 0;
  while (part < part_count && !zecl_affinity_has(mask, number, part))
    part++;
  return part < part_count;
}

static bool make_devices(
    struct zecl_driver *driver, const char *mask, uint32_t count, uint32_t part_count) {
  driver->devices = calloc(count, sizeof *driver->devices);
  if (!driver->devices) return false;
  for (uint32_t number = 0; number < count; number++) {
    if (!is_visible(mask, number, part_count ? part_count : 1)) continue;
    struct zecl_device *device = new_device(driver, driver->device_count, number);
    if (!device) return false;
    driver->devices[driver->device_count++] = device;
    if (part_count && !make_parts(device, mask, part_count)) return false;
  }
  return driver->device_count != 0;
}

/* Each part that the mask leaves, in whose numbers parts are devices, is a device. Those of one
 * whole are its sub-devices too where it can be had, which is no device of the enumeration. */
static bool make_flat_devices(struct zecl_driver *driver, const char *mask, uint32_t count,
    uint32_t part_count, bool is_combined) {
  driver->devices = calloc((size_t)count * part_count, sizeof *driver->devices);
  if (!driver->devices) return false;
  for (uint32_t number = 0; number < count; number++) {
    struct zecl_device *whole = is_combined ? new_device(driver, number, number) : NULL;
    if (whole) whole->sub_devices = calloc(part_count, sizeof *whole->sub_devices);
    if (is_combined && (!whole || !whole->sub_devices)) return false;
    for (uint32_t part = 0; part < part_count; part++) {
      if (!zecl_affinity_has(mask, number * part_count + part, 0)) continue;
      struct zecl_device *device = new_device(driver, driver->device_count, number);
      if (!device) return false;
      device->part = part + 1;
      driver->devices[driver->device_count++] = device;
      if (!whole) continue;
      device->root = whole;
      device->index = whole->sub_device_count;
      whole->sub_devices[whole->sub_device_count++] = device;
    }
  }
  return driver->device_count != 0;
}

static void make_drivers(void) {
  if (!zecl_engine()) return;
  zecl_workers_start();
  const uint32_t count = count_from("ZECL_DRIVERS", 1, 1);
  const uint32_t devices = count_from("ZECL_DEVICES", 1, zecl_engine()->device_count);
  const uint32_t sub_devices = zecl_engine()->streams ? 0 : count_from("ZECL_SUBDEVICES", 0, 0);
  const char *mask = secure_getenv("ZE_AFFINITY_MASK");
  const enum hierarchy hierarchy = sub_devices > 1 ? hierarchy_of_environment() : COMPOSITE;
  for (uint32_t i = 0; i < count; i++) {
    struct zecl_driver *driver = zecl_object_create(ZECL_DRIVER, sizeof *driver);
    if (!driver) return;
    driver->index = i;
    driver->default_context = zecl_context_new(driver);
    const bool made = driver->default_context &&
                      (hierarchy == COMPOSITE ? make_devices(driver, mask, devices, sub_devices)
                                              : make_flat_devices(driver, mask, devices,
                                                    sub_devices, hierarchy == COMBINED));
    if (!made) return;
    drivers[driver_count++] = driver;
  }
}

ze_result_t zecl_drivers_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_drivers);
  return driver_count ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zecl_drivers_list(uint32_t *count, ze_driver_handle_t *handles) {
  const uint32_t wanted = zecl_count_out(count, driver_count);
  for (uint32_t i = 0; handles && i < wanted; i++)
    handles[i] = (ze_driver_handle_t)(void *)drivers[i];
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeInit(ze_init_flags_t flags) {
  ZECL_ENTER(zeInit);
  ZECL_REQUIRE(flags <= (ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY),
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(flags != ZE_INIT_FLAG_VPU_ONLY, ZE_RESULT_ERROR_UNINITIALIZED);
  return zecl_drivers_start();
}

ze_result_t zecl_zeDriverGet(uint32_t *count, ze_driver_handle_t *handles) {
  ZECL_ENTER(zeDriverGet);
  ZECL_CHECK_POINTER(count);
  ZECL_TRY(zecl_drivers_start());
  return zecl_drivers_list(count, handles);
}

ze_result_t zecl_zeInitDrivers(
    uint32_t *count, ze_driver_handle_t *handles, ze_init_driver_type_desc_t *desc) {
  ZECL_ENTER(zeInitDrivers);
  ZECL_CHECK_POINTER(count);
  ZECL_CHECK_POINTER(desc);
  ZECL_REQUIRE(desc->flags != 0, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  if (!(desc->flags & ZECL_INIT_DRIVER_TYPE_GPU)) {
    *count = 0;
    return ZE_RESULT_SUCCESS;
  }
  ZECL_TRY(zecl_drivers_start());
  return zecl_drivers_list(count, handles);
}

ze_result_t zecl_zeDriverGetApiVersion(ze_driver_handle_t handle, ze_api_version_t *version) {
  ZECL_ENTER(zeDriverGetApiVersion);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(version);
  *version = (ze_api_version_t)ZE_MAKE_VERSION(1, ZECL_API_MINOR);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDriverGetProperties(
    ze_driver_handle_t handle, ze_driver_properties_t *properties) {
  ZECL_ENTER(zeDriverGetProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_driver *driver = zecl_driver_of(handle);
  ze_driver_uuid_t uuid = {.id = "zecl driver"};
  uuid.id[sizeof uuid.id - 1] = (uint8_t)driver->index;
  properties->uuid = uuid;
  properties->driverVersion = ZECL_VERSION;
  for (ze_base_properties_t *next = properties->pNext; next; next = next->pNext)
    if (next->stype == ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES)
      ((ze_driver_memory_free_ext_properties_t *)(void *)next)->freePolicies =
          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
  return ZE_RESULT_SUCCESS;
}

/* Errors have no text beyond their codes. */
ze_result_t zecl_zeDriverGetLastErrorDescription(ze_driver_handle_t handle, const char **text) {
  ZECL_ENTER(zeDriverGetLastErrorDescription);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(text);
  *text = "";
  return ZE_RESULT_SUCCESS;
}

/* Null on failure: the one entry point that returns no code. */
ze_context_handle_t zecl_zeDriverGetDefaultContext(ze_driver_handle_t handle) {
  if (zecl_fail_armed && zecl_fail_count("zeDriverGetDefaultContext") != ZE_RESULT_SUCCESS)
    return NULL;
  if (zecl_object_check(handle, ZECL_DRIVER) != ZE_RESULT_SUCCESS) return NULL;
  return (ze_context_handle_t)(void *)zecl_driver_of(handle)->default_context;
}

ze_result_t zecl_zeDriverGetIpcProperties(
    ze_driver_handle_t handle, ze_driver_ipc_properties_t *properties) {
  ZECL_ENTER(zeDriverGetIpcProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(properties);
  properties->flags = ZE_IPC_PROPERTY_FLAG_EVENT_POOL;
  if (zecl_ipc_is_wanted() || zecl_engine()->memory)
    properties->flags |= ZE_IPC_PROPERTY_FLAG_MEMORY;
  return ZE_RESULT_SUCCESS;
}

/* The first, the second and the last one only if there are pitched images, if the loader has the
 * functions, which DPC++'s adapters call if the extension is named, and if kernels take an offset.
 */
static const ze_driver_extension_properties_t extensions[] = {
    {"ZE_experimental_bindless_image", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_record_replay_graph", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_event_pool_counter_based", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_immediate_command_list_append", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_mutable_command_list", ZE_MAKE_VERSION(1, 1)},
    {"ZEX_driver_import_host_pointer", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_external_semaphores", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_device_vector_sizes", ZE_MAKE_VERSION(1, 0)},
    {"ZE_extension_ipc_mem_handle_type", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_command_list_clone", ZE_MAKE_VERSION(1, 0)},
    {"ZE_experimental_kernel_allocation_properties", ZE_MAKE_VERSION(1, 0)},
    {ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, ZE_RELAXED_ALLOCATION_LIMITS_EXP_VERSION_CURRENT},
    {"ZE_extension_event_query_kernel_timestamps", ZE_MAKE_VERSION(1, 0)},
    {ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_EVENT_QUERY_TIMESTAMPS_EXP_VERSION_CURRENT},
    {ZE_MEMORY_FREE_POLICIES_EXT_NAME, ZE_MEMORY_FREE_POLICIES_EXT_VERSION_CURRENT},
    {ZE_MODULE_PROGRAM_EXP_NAME, ZE_MODULE_PROGRAM_EXP_VERSION_CURRENT},
    {ZE_LINKAGE_INSPECTION_EXT_NAME, ZE_LINKAGE_INSPECTION_EXT_VERSION_CURRENT},
    {ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME, ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_VERSION_CURRENT},
    {ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME, ZE_IMAGE_MEMORY_PROPERTIES_EXP_VERSION_CURRENT},
    {ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME, ZE_SCHEDULING_HINTS_EXP_VERSION_CURRENT},
    {ZE_GLOBAL_OFFSET_EXP_NAME, ZE_GLOBAL_OFFSET_EXP_VERSION_CURRENT},
};

ze_result_t zecl_zeDriverGetExtensionProperties(
    ze_driver_handle_t handle, uint32_t *count, ze_driver_extension_properties_t *properties) {
  ZECL_ENTER(zeDriverGetExtensionProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(count);
  enum { ALL = sizeof extensions / sizeof *extensions };
  ze_driver_extension_properties_t offered[ALL];
  uint32_t there = 0;
  for (uint32_t i = 0; i < ALL; i++) {
    const bool is_offered = i == 0   ? zecl_pitched_is_offered()
                            : i == 1 ? atomic_load(&zecl_loader_has_graphs)
                                     : i < ALL - 1 || zecl_zeKernelSetGlobalOffsetExp;
    if (is_offered) offered[there++] = extensions[i];
  }
  const uint32_t wanted = zecl_count_out(count, there);
  if (properties) memcpy(properties, offered, wanted * sizeof *properties);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDriverGetExtensionFunctionAddress(
    ze_driver_handle_t handle, const char *name, void **function) {
  ZECL_ENTER(zeDriverGetExtensionFunctionAddress);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(name);
  ZECL_CHECK_POINTER(function);
  *function = NULL;
#define ZECL_OFFER(offered)                                                                        \
  do {                                                                                             \
    if (zecl_##offered && strcmp(name, #offered) == 0)                                             \
      memcpy(function, &(__typeof__(zecl_##offered) *){zecl_##offered}, sizeof *function);         \
  } while (0)
  ZECL_OFFER(zeMemFreeExt);
  ZECL_OFFER(zeKernelSetGlobalOffsetExp);
  ZECL_OFFER(zeEventQueryKernelTimestampsExt);
  ZECL_OFFER(zeCommandListImmediateAppendCommandListsExp);
  ZECL_OFFER(zeCommandListGetNextCommandIdExp);
  ZECL_OFFER(zeCommandListUpdateMutableCommandsExp);
  ZECL_OFFER(zeCommandListUpdateMutableCommandSignalEventExp);
  ZECL_OFFER(zeCommandListUpdateMutableCommandWaitEventsExp);
  ZECL_OFFER(zeCommandListGetNextCommandIdWithKernelsExp);
  ZECL_OFFER(zeCommandListUpdateMutableCommandKernelsExp);
  ZECL_OFFER(zeCommandListAppendHostFunction);
  ZECL_OFFER(zexCounterBasedEventCreate2);
  ZECL_OFFER(zexDriverImportExternalPointer);
  ZECL_OFFER(zexDriverReleaseImportedPointer);
#undef ZECL_OFFER
  return *function ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zecl_zeDeviceGet(
    ze_driver_handle_t handle, uint32_t *count, ze_device_handle_t *handles) {
  ZECL_ENTER(zeDeviceGet);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(count);
  const struct zecl_driver *driver = zecl_driver_of(handle);
  const uint32_t wanted = zecl_count_out(count, driver->device_count);
  for (uint32_t i = 0; handles && i < wanted; i++)
    handles[i] = zecl_device_handle(driver->devices[i]);
  return ZE_RESULT_SUCCESS;
}
