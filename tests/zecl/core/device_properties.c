#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "memory/discrete.h"
#include "memory/external.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MEMORY_BUS_WIDTH = 64, ARGUMENTS_SIZE = 2048 };

static uint32_t index_of(const struct zecl_device *device) {
  return device->root ? device->root->index : device->index;
}

const struct zecl_engine_properties *zecl_device_engine(const struct zecl_device *device) {
  return &zecl_engine()->properties[device->engine_index];
}

static bool is_discrete(const struct zecl_device *device) {
  return zecl_discrete_enabled || zecl_device_engine(device)->is_discrete;
}

ze_device_uuid_t zecl_device_uuid(const struct zecl_device *device) {
  ze_device_uuid_t uuid = {.id = "zecl device"};
  uuid.id[12] = (uint8_t)device->driver->index;
  uuid.id[13] = (uint8_t)device->number;
  uuid.id[14] = device->part ? 1 : 0;
  uuid.id[15] = device->part ? (uint8_t)(device->part - 1) : 0;
  return uuid;
}

/* Some callers leave pNext uninitialised, hwloc 2.12 among them: what is not mapped is no
 * extension. */
static bool is_extension(const void *next) {
  const uintptr_t address = (uintptr_t)next, page = 4096;
  unsigned char resident[2];
  if (!next || address % _Alignof(ze_base_properties_t) != 0) return false;
  const uintptr_t first = address / page,
                  last = (address + sizeof(ze_base_properties_t) - 1) / page;
  return mincore((void *)(first * page), (last - first + 1) * page, resident) == 0;
}

/* Fills in the updates that launches in command lists support, and that lists can be captured. */
static void fill_extensions(void *next) {
  for (ze_base_properties_t *extension = next; is_extension(extension);
       extension = extension->pNext)
    if ((int)extension->stype == ZECL_STYPE_MUTABLE_PROPERTIES) {
      ze_mutable_command_list_exp_properties_t *updates = (void *)extension;
      updates->mutableCommandListFlags = 0;
      updates->mutableCommandFlags = ZECL_MUTABLE_LAUNCH;
    } else if ((int)extension->stype == ZECL_STYPE_GRAPH_PROPERTIES) {
      ze_record_replay_graph_ext_properties_t *graphs = (void *)extension;
      graphs->graphFlags = ZECL_GRAPH_IMMUTABLE;
    }
}

ze_result_t zecl_zeDeviceGetProperties(
    ze_device_handle_t handle, ze_device_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_device *device = zecl_device_of(handle);
  const uint32_t parts = device->sub_device_count ? device->sub_device_count : 1;
  const struct zecl_engine_properties *engine = zecl_device_engine(device);
  const uint32_t units = engine->compute_units;
  const bool in_cycles = properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;

  properties->type = ZE_DEVICE_TYPE_GPU;
  properties->vendorId = engine->vendor_id;
  properties->deviceId = index_of(device);
  properties->flags = is_discrete(device) ? 0 : ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
  if (device->root) properties->flags |= ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
  properties->subdeviceId = device->root ? device->index : 0;
  properties->coreClockRate = engine->clock_mhz;
  properties->maxMemAllocSize = engine->max_allocation;
  properties->maxHardwareContexts = 1024;
  properties->maxCommandQueuePriority = 0;
  properties->numThreadsPerEU = 1;
  properties->physicalEUSimdWidth = engine->simd_width;
  properties->numEUsPerSubslice = units > parts ? units / parts : 1;
  properties->numSubslicesPerSlice = 1;
  properties->numSlices = parts;
  properties->timerResolution = in_cycles ? 1000000000 : 1; /* per second, or nanoseconds */
  properties->timestampValidBits = 64;
  properties->kernelTimestampValidBits = 64;
  properties->uuid = zecl_device_uuid(device);
  snprintf(properties->name, sizeof properties->name, "zecl on %.200s", engine->name);
  fill_extensions(properties->pNext);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetComputeProperties(
    ze_device_handle_t handle, ze_device_compute_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetComputeProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_engine_properties *engine = zecl_device_engine(zecl_device_of(handle));
  properties->maxTotalGroupSize = engine->max_group_size;
  properties->maxGroupSizeX = engine->max_items[0];
  properties->maxGroupSizeY = engine->max_items[1];
  properties->maxGroupSizeZ = engine->max_items[2];
  properties->maxGroupCountX = engine->max_groups[0];
  properties->maxGroupCountY = engine->max_groups[1];
  properties->maxGroupCountZ = engine->max_groups[2];
  properties->maxSharedLocalMemory =
      engine->local_size > UINT32_MAX ? UINT32_MAX : (uint32_t)engine->local_size;
  memset(properties->subGroupSizes, 0, sizeof properties->subGroupSizes);
  properties->numSubGroupSizes = engine->sub_group_size_count;
  memcpy(properties->subGroupSizes, engine->sub_group_sizes,
      engine->sub_group_size_count * sizeof *engine->sub_group_sizes);
  /* An engine without sub-groups has one per work-item. */
  if (properties->numSubGroupSizes == 0)
    properties->subGroupSizes[properties->numSubGroupSizes++] = 1;
  return ZE_RESULT_SUCCESS;
}

/* Each engine thread takes one group after another, the first ones first. */
static void fill_module_extensions(void *next) {
  for (ze_base_properties_t *extension = next; extension; extension = extension->pNext)
    if (extension->stype == ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES)
      ((ze_scheduling_hint_exp_properties_t *)(void *)extension)->schedulingHintFlags =
          ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST;
}

ze_result_t zecl_zeDeviceGetModuleProperties(
    ze_device_handle_t handle, ze_device_module_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetModuleProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_engine_properties *engine = zecl_device_engine(zecl_device_of(handle));
  properties->spirvVersionSupported = ZE_MAKE_VERSION(1, 4);
  properties->flags = 0;
  if (engine->has_fp16) properties->flags |= ZE_DEVICE_MODULE_FLAG_FP16;
  if (engine->has_fp64) properties->flags |= ZE_DEVICE_MODULE_FLAG_FP64;
  if (engine->has_atomic64) properties->flags |= ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  properties->fp16flags = engine->fp16;
  properties->fp32flags = engine->fp32;
  properties->fp64flags = engine->fp64;
  properties->maxArgumentsSize = ARGUMENTS_SIZE;
  properties->printfBufferSize = engine->printf_size;
  const ze_native_kernel_uuid_t uuid = {.id = "zecl native"};
  properties->nativeKernelSupported = uuid;
  fill_module_extensions(properties->pNext);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t handle, uint32_t *count, ze_command_queue_group_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetCommandQueueGroupProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(count);
  static const ze_command_queue_group_property_flags_t flags[ZECL_GROUP_COUNT] = {
      [ZECL_GROUP_COMPUTE] = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                             ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
                             ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS,
      [ZECL_GROUP_COPY] = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY};
  const uint32_t wanted = zecl_count_out(count, ZECL_GROUP_COUNT);
  for (uint32_t i = 0; properties && i < wanted; i++) {
    properties[i].flags = flags[i];
    properties[i].maxMemoryFillPatternSize = ZECL_MAX_FILL_PATTERN;
    properties[i].numQueues = ZECL_QUEUES_PER_GROUP;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetMemoryProperties(
    ze_device_handle_t handle, uint32_t *count, ze_device_memory_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetMemoryProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(count);
  if (zecl_count_out(count, 1) == 0 || !properties) return ZE_RESULT_SUCCESS;
  const struct zecl_engine_properties *engine = zecl_device_engine(zecl_device_of(handle));
  properties->flags = 0;
  /* The clock of the host's memory is unknown: the clock of its caches is reported. */
  properties->maxClockRate = engine->is_discrete ? engine->memory_clock_mhz : engine->clock_mhz;
  properties->maxBusWidth = engine->is_discrete ? engine->memory_bus_bits : MEMORY_BUS_WIDTH;
  properties->totalSize = engine->memory_size;
  snprintf(properties->name, sizeof properties->name,
      engine->is_discrete ? "device memory" : "host memory");
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetMemoryAccessProperties(
    ze_device_handle_t handle, ze_device_memory_access_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetMemoryAccessProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  const ze_memory_access_cap_flags_t all =
      ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC |
      ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
  properties->hostAllocCapabilities = all;
  properties->deviceAllocCapabilities = all;
  properties->sharedSingleDeviceAllocCapabilities = all;
  properties->sharedCrossDeviceAllocCapabilities = all;
  properties->sharedSystemAllocCapabilities = is_discrete(zecl_device_of(handle)) ? 0 : all;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetCacheProperties(
    ze_device_handle_t handle, uint32_t *count, ze_device_cache_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetCacheProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(count);
  if (zecl_count_out(count, 1) == 0 || !properties) return ZE_RESULT_SUCCESS;
  properties->flags = 0;
  properties->cacheSize = zecl_device_engine(zecl_device_of(handle))->cache_size;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetExternalMemoryProperties(
    ze_device_handle_t handle, ze_device_external_memory_properties_t *properties) {
  ZECL_ENTER(zeDeviceGetExternalMemoryProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(properties);
  properties->memoryAllocationImportTypes = zecl_external_types();
  properties->memoryAllocationExportTypes = zecl_external_types();
  properties->imageImportTypes = 0;
  properties->imageExportTypes = 0;
  return ZE_RESULT_SUCCESS;
}

/* One set: vectors of the width that the device has. */
ze_result_t zecl_zeDeviceGetVectorWidthPropertiesExt(ze_device_handle_t handle, uint32_t *count,
    ze_device_vector_width_properties_ext_t *properties) {
  ZECL_ENTER(zeDeviceGetVectorWidthPropertiesExt);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(count);
  if (zecl_count_out(count, 1) == 0 || !properties) return ZE_RESULT_SUCCESS;
  const struct zecl_engine_properties *engine = zecl_device_engine(zecl_device_of(handle));
  properties->vector_width_size = engine->simd_width;
  properties->preferred_vector_width_char = engine->preferred_widths[0];
  properties->preferred_vector_width_short = engine->preferred_widths[1];
  properties->preferred_vector_width_int = engine->preferred_widths[2];
  properties->preferred_vector_width_long = engine->preferred_widths[3];
  properties->preferred_vector_width_float = engine->preferred_widths[4];
  properties->preferred_vector_width_double = engine->preferred_widths[5];
  properties->preferred_vector_width_half = engine->preferred_widths[6];
  properties->native_vector_width_char = engine->native_widths[0];
  properties->native_vector_width_short = engine->native_widths[1];
  properties->native_vector_width_int = engine->native_widths[2];
  properties->native_vector_width_long = engine->native_widths[3];
  properties->native_vector_width_float = engine->native_widths[4];
  properties->native_vector_width_double = engine->native_widths[5];
  properties->native_vector_width_half = engine->native_widths[6];
  return ZE_RESULT_SUCCESS;
}
