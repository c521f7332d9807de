/* Drivers, devices and sub-devices: what there is, the same handles every time, and their
 * properties.
 */
#define _GNU_SOURCE
#include "support/handles.h"

#include "core/version.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { DRIVERS = 2, DEVICES = 3, SUB_DEVICES = 2 };

/* The driver reads its variables when zeInit loads it. */
__attribute__((constructor)) static void simulate(void) {
  setenv("ZECL_DRIVERS", "2", 1);
  setenv("ZECL_DEVICES", "3", 1);
  setenv("ZECL_SUBDEVICES", "2", 1);
}

static ze_driver_handle_t driver_at(uint32_t index) {
  ze_driver_handle_t drivers[DRIVERS];
  uint32_t count = DRIVERS;
  OK(zeInit(0));
  OK(zeDriverGet(&count, drivers));
  CHECK_EQ(count, DRIVERS);
  return drivers[index];
}

static ze_device_handle_t device_at(uint32_t driver, uint32_t index) {
  ze_device_handle_t devices[DEVICES];
  uint32_t count = DEVICES;
  OK(zeDeviceGet(driver_at(driver), &count, devices));
  CHECK_EQ(count, DEVICES);
  return devices[index];
}

static ze_device_handle_t sub_device_at(ze_device_handle_t device, uint32_t index) {
  ze_device_handle_t devices[SUB_DEVICES];
  uint32_t count = SUB_DEVICES;
  OK(zeDeviceGetSubDevices(device, &count, devices));
  CHECK_EQ(count, SUB_DEVICES);
  return devices[index];
}

static ze_device_properties_t properties_of(ze_device_handle_t device) {
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  OK(zeDeviceGetProperties(device, &properties));
  return properties;
}

TEST(counts) {
  uint32_t count = 0;
  ze_driver_handle_t first = driver_at(0);
  OK(zeDriverGet(&count, NULL));
  CHECK_EQ(count, DRIVERS);
  ze_driver_handle_t some[8];
  count = 8;
  OK(zeDriverGet(&count, some));
  CHECK_EQ(count, DRIVERS);
  count = 1;
  OK(zeDriverGet(&count, some));
  CHECK_EQ(count, 1);
  RETURNS(ERROR_INVALID_NULL_POINTER, zeDriverGet(NULL, NULL));
  count = 0;
  OK(zeDeviceGet(first, &count, NULL));
  CHECK_EQ(count, DEVICES);
  RETURNS(ERROR_INVALID_NULL_POINTER, zeDeviceGet(first, NULL, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeDeviceGet(NULL, &count, NULL));
  count = 0;
  OK(zeDeviceGetSubDevices(sub_device_at(device_at(0, 0), 0), &count, NULL));
  CHECK_EQ(count, 0);
}

TEST(handles_are_distinct_and_stay) {
  ze_device_handle_t seen[DRIVERS * DEVICES * (1 + SUB_DEVICES)];
  size_t count = 0;
  CHECK(driver_at(0) != driver_at(1));
  for (uint32_t i = 0; i < DRIVERS; i++)
    for (uint32_t j = 0; j < DEVICES; j++) {
      seen[count++] = device_at(i, j);
      CHECK(device_at(i, j) == seen[count - 1]);
      for (uint32_t k = 0; k < SUB_DEVICES; k++)
        seen[count++] = sub_device_at(device_at(i, j), k);
    }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) {
      CHECK(seen[i] != seen[j]);
      const ze_device_properties_t a = properties_of(seen[i]), b = properties_of(seen[j]);
      CHECK(memcmp(&a.uuid, &b.uuid, sizeof a.uuid) != 0);
    }
}

TEST(driver_properties_are_set) {
  ze_driver_handle_t driver = driver_at(0);
  ze_api_version_t version;
  OK(zeDriverGetApiVersion(driver, &version));
  CHECK_EQ(ZE_MAJOR_VERSION(version), 1);
  CHECK(ZE_MINOR_VERSION(version) >= 4);
  ze_driver_properties_t one = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES}, two = one;
  OK(zeDriverGetProperties(driver, &one));
  OK(zeDriverGetProperties(driver_at(1), &two));
  CHECK_EQ(one.driverVersion, ZECL_VERSION);
  CHECK(memcmp(&one.uuid, &two.uuid, sizeof one.uuid) != 0);
  ze_driver_ipc_properties_t ipc = {.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES, .flags = 3};
  OK(zeDriverGetIpcProperties(driver, &ipc));
  CHECK_EQ(ipc.flags, ZE_IPC_PROPERTY_FLAG_EVENT_POOL);
  uint32_t count = 0;
  OK(zeDriverGetExtensionProperties(driver, &count, NULL));
  CHECK(count > 0 && count < 32);
  ze_driver_extension_properties_t extensions[32] = {{.version = 0}};
  OK(zeDriverGetExtensionProperties(driver, &count, extensions));
  bool appends_lists = false;
  for (uint32_t i = 0; i < count; i++) {
    CHECK((strncmp(extensions[i].name, "ZE_ex", 5) == 0 ||
              strncmp(extensions[i].name, "ZEX_", 4) == 0) &&
          extensions[i].version != 0);
    appends_lists |=
        strcmp(extensions[i].name, "ZE_experimental_immediate_command_list_append") == 0;
  }
  CHECK(appends_lists);
  void *function = NULL;
  OK(zeDriverGetExtensionFunctionAddress(driver, "zeMemFreeExt", &function));
  CHECK(function != NULL);
  RETURNS(ERROR_INVALID_ARGUMENT, zeDriverGetExtensionFunctionAddress(driver, "zeNone", &function));
  CHECK(function == NULL);
}

TEST(device_properties_are_set) {
  const ze_device_properties_t properties = properties_of(device_at(1, 2));
  CHECK_EQ(properties.type, ZE_DEVICE_TYPE_GPU);
  CHECK(strncmp(properties.name, "zecl on ", 8) == 0 && properties.name[8] != 0);
  CHECK_EQ(properties.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE, 0);
  CHECK_EQ(properties.numSlices, SUB_DEVICES);
  CHECK(properties.maxMemAllocSize > 0);
  CHECK_EQ(properties.timerResolution, 1);
  ze_device_properties_t cycles = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
  OK(zeDeviceGetProperties(device_at(1, 2), &cycles));
  CHECK_EQ(cycles.timerResolution, TEST_SECOND);
  const ze_device_properties_t part = properties_of(sub_device_at(device_at(1, 2), 1));
  CHECK(part.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE);
  CHECK_EQ(part.subdeviceId, 1);
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeDeviceGetProperties(NULL, &cycles));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeDeviceGetProperties(device_at(0, 0), NULL));
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeDeviceGetProperties((ze_device_handle_t)(void *)driver_at(0), &cycles));
}

TEST(device_computes) {
  ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  OK(zeDeviceGetComputeProperties(device_at(0, 0), &compute));
  CHECK(compute.maxTotalGroupSize > 0 && compute.maxGroupSizeX > 0 && compute.maxGroupSizeZ > 0);
  CHECK(compute.maxGroupCountX > 1 && compute.maxSharedLocalMemory > 0);
  CHECK(compute.numSubGroupSizes >= 1 && compute.numSubGroupSizes <= ZE_SUBGROUPSIZE_COUNT);
  CHECK(compute.subGroupSizes[0] >= 1);
  ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  OK(zeDeviceGetModuleProperties(device_at(0, 0), &module));
  CHECK(module.spirvVersionSupported >= ZE_MAKE_VERSION(1, 0));
  CHECK_EQ((module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0, module.fp64flags != 0);
  CHECK(module.fp32flags & ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST);
  CHECK(module.maxArgumentsSize >= 1024);
}

TEST(queue_groups) {
  uint32_t count = 0;
  OK(zeDeviceGetCommandQueueGroupProperties(device_at(0, 0), &count, NULL));
  CHECK_EQ(count, 2);
  ze_command_queue_group_properties_t groups[2] = {
      {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES},
      {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES}};
  OK(zeDeviceGetCommandQueueGroupProperties(device_at(0, 0), &count, groups));
  CHECK(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
  CHECK(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
  CHECK_EQ(groups[1].flags, ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
  CHECK(groups[0].numQueues > 1 && groups[1].numQueues > 1);
  CHECK(groups[0].maxMemoryFillPatternSize >= 16);
}

TEST(device_memory) {
  uint32_t count = 0;
  ze_device_handle_t device = device_at(0, 0);
  OK(zeDeviceGetMemoryProperties(device, &count, NULL));
  CHECK_EQ(count, 1);
  ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
  OK(zeDeviceGetMemoryProperties(device, &count, &memory));
  CHECK(memory.totalSize >= properties_of(device).maxMemAllocSize);
  CHECK(memory.maxClockRate > 0);
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  OK(zeDeviceGetMemoryAccessProperties(device, &access));
  CHECK(access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  CHECK(access.sharedCrossDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  ze_device_cache_properties_t cache = {.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
  count = 1;
  OK(zeDeviceGetCacheProperties(device, &count, &cache));
  CHECK(cache.cacheSize > 0);
  ze_device_external_memory_properties_t external = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES,
      .memoryAllocationExportTypes = 7};
  OK(zeDeviceGetExternalMemoryProperties(device, &external));
  CHECK_EQ(external.memoryAllocationExportTypes, ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD);
  ze_device_image_properties_t image = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  OK(zeDeviceGetImageProperties(device, &image));
}

TEST(peers_reach_each_other) {
  ze_bool_t can = 0;
  OK(zeDeviceCanAccessPeer(device_at(0, 0), device_at(0, 2), &can));
  CHECK(can);
  ze_device_p2p_properties_t p2p = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
  OK(zeDeviceGetP2PProperties(device_at(0, 0), sub_device_at(device_at(0, 1), 0), &p2p));
  CHECK(p2p.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS);
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeDeviceCanAccessPeer(device_at(0, 0), NULL, &can));
  RETURNS(
      ERROR_INVALID_NULL_POINTER, zeDeviceCanAccessPeer(device_at(0, 0), device_at(0, 1), NULL));
}

TEST(clock_runs) {
  uint64_t host[2], device[2];
  OK(zeDeviceGetStatus(device_at(0, 0)));
  for (int i = 0; i < 2; i++)
    OK(zeDeviceGetGlobalTimestamps(device_at(0, 0), &host[i], &device[i]));
  CHECK(host[1] > host[0] && device[1] - device[0] == host[1] - host[0]);
  struct timespec raw;
  clock_gettime(CLOCK_MONOTONIC_RAW, &raw); /* as programs read the host's time themselves */
  CHECK(host[1] <= (uint64_t)raw.tv_sec * TEST_SECOND + (uint64_t)raw.tv_nsec);
}

TEST(contexts) {
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  const ze_context_desc_t wrong = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC, .flags = 0x80};
  ze_context_handle_t context = NULL;
  ze_device_handle_t devices[2] = {device_at(1, 0), device_at(1, 1)};
  OK(zeContextCreate(driver_at(1), &desc, &context));
  OK(zeContextGetStatus(context));
  OK(zeContextSystemBarrier(context, devices[0]));
  char memory[64];
  OK(zeContextMakeMemoryResident(context, devices[0], memory, sizeof memory));
  OK(zeContextEvictMemory(context, devices[0], memory, sizeof memory));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeContextMakeMemoryResident(context, devices[0], NULL, 64));
  RETURNS(ERROR_INVALID_SIZE, zeContextEvictMemory(context, devices[0], memory, 0));
  OK(zeContextDestroy(context));
  RETURNS(ERROR_INVALID_ARGUMENT, zeContextDestroy(context));
  RETURNS(ERROR_INVALID_ARGUMENT, zeContextGetStatus(context));
  OK(zeContextCreateEx(driver_at(1), &desc, 2, devices, &context));
  OK(zeContextDestroy(context));
  RETURNS(ERROR_INVALID_SIZE, zeContextCreateEx(driver_at(1), &desc, 2, NULL, &context));
  RETURNS(ERROR_INVALID_ENUMERATION, zeContextCreate(driver_at(1), &wrong, &context));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeContextCreate(NULL, &desc, &context));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeContextCreate(driver_at(1), NULL, &context));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeContextCreate(driver_at(1), &desc, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeContextDestroy(NULL));
}

TEST(missing_features_are_unsupported) {
  ze_ipc_mem_handle_t ipc;
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t context = NULL;
  OK(zeContextCreate(driver_at(0), &desc, &context));
  RETURNS(ERROR_UNSUPPORTED_FEATURE, zeMemGetIpcHandle(context, context, &ipc));
  uint32_t count = 0;
  RETURNS(ERROR_UNSUPPORTED_FEATURE, zeFabricVertexGetExp(driver_at(0), &count, NULL));
  OK(zeContextDestroy(context));
}

#ifdef ZE_API_VERSION_CURRENT_M
TEST(newer_questions) {
  ze_init_driver_type_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, .flags = ZE_INIT_DRIVER_TYPE_FLAG_GPU};
  ze_driver_handle_t drivers[DRIVERS];
  uint32_t count = 0;
  ze_driver_handle_t first = driver_at(0);
  OK(zeInitDrivers(&count, NULL, &desc));
  CHECK_EQ(count, DRIVERS);
  OK(zeInitDrivers(&count, drivers, &desc));
  CHECK(drivers[0] == first);
  ze_device_handle_t root = NULL, device = device_at(0, 1);
  OK(zeDeviceGetRootDevice(sub_device_at(device, 1), &root));
  CHECK(root == device);
  OK(zeDeviceGetRootDevice(device, &root));
  CHECK(root == NULL);
}
#else
TEST(newer_questions) {
  SKIP("the headers lack the function");
}
#endif

/* Some callers leave it uninitialised. */
TEST(what_is_not_mapped_is_no_extension) {
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  const uintptr_t junk[] = {8, 3, (uintptr_t)1 << 63, (uintptr_t)0x7fff00000000};
  for (size_t i = 0; i < sizeof junk / sizeof *junk; i++) {
    properties.pNext = (void *)junk[i];
    OK(zeDeviceGetProperties(test_device(), &properties));
  }
}

TEST_MAIN(what_is_not_mapped_is_no_extension, counts, handles_are_distinct_and_stay,
    driver_properties_are_set, device_properties_are_set, device_computes, queue_groups,
    device_memory, peers_reach_each_other, clock_runs, contexts, missing_features_are_unsupported,
    newer_questions)
