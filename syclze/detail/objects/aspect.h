/* Implementation of aspect.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_ASPECT_H
#define SYCLZE_DETAIL_OBJECTS_ASPECT_H

#include "../../aspect.h"
#include "../../offload/detail/aspects.h"
#include "../driver/driver_function.h"
#include "../driver/system_memory.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* True for a number of syclze_aspect, which are DPC++'s of 2026. */
SYCLZE_LOCAL bool syclze__aspect_is_known(uint32_t aspect) {
  static const uint8_t ranges[][2] = {{1, 6}, {9, 15}, {17, 23}, {25, 29}, {31, 32}, {34, 40},
      {43, 49}, {54, 57}, {59, 60}, {66, 67}, {75, 75}, {80, 83}, {87, 88}, {97, 97}, {99, 99}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (aspect >= ranges[i][0] && aspect <= ranges[i][1]) return true;
  return false;
}

SYCLZE_COLD ze_result_t syclze_aspect_find(const char *name, syclze_aspect *aspect) {
  const char *known;
  if (aspect != NULL) *aspect = (syclze_aspect)0;
  if (name == NULL || aspect == NULL)
    return syclze__fail_pointer("syclze_aspect_find", "the name or the result's pointer is null");
  for (uint32_t i = 0; (known = syclze__aspect_name_2026(i)) != NULL; i++)
    if (syclze__aspect_is_known(i) && strcmp(known, name) == 0) {
      *aspect = (syclze_aspect)i;
      return ZE_RESULT_SUCCESS;
    }
  return syclze__fail_detail(ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_aspect_find",
      "SYCL 2020 4.6.4.5: the aspect's name is unknown", NULL, name);
}

/* Queries an aspect that is known from the device's traits. */
SYCLZE_LOCAL ze_result_t syclze__aspect_of_traits(
    syclze_device device, const char *name, bool *has) {
  const ze_device_handle_t native = device.rep->native;
  SYCLZE__ZEROED(syclze_device_traits, traits);
  ze_result_t result = syclze__device_read_identity(native, &traits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__device_read_code(native, &traits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__device_read_memory(native, &traits);
  *has = syclze__aspect_is_met(name, &traits);
  return result;
}

/* Queries an aspect that is known from the device's properties. */
SYCLZE_LOCAL ze_result_t syclze__aspect_of_properties(
    syclze_device device, uint32_t aspect, bool *has) {
  const bool is_clock = aspect == SYCLZE_ASPECT_QUEUE_PROFILING ||
                        aspect == SYCLZE_ASPECT_EXT_ONEAPI_QUEUE_PROFILING_TAG;
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  const ze_result_t result = SYCLZE__ZE(zeDeviceGetProperties)(device.rep->native, &properties);
  *has = is_clock ? properties.timerResolution != 0 : properties.type == ZE_DEVICE_TYPE_GPU;
  if (aspect == SYCLZE_ASPECT_EXT_INTEL_ESIMD) *has = *has && properties.vendorId == 0x8086;
  if (aspect == SYCLZE_ASPECT_EXT_ONEAPI_IS_INTEGRATED_GPU)
    *has = *has && (properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED) != 0;
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__aspect_of_memories(syclze_device device, bool *has) {
  uint32_t count = 0;
  const ze_result_t result =
      SYCLZE__ZE(zeDeviceGetMemoryProperties)(device.rep->native, &count, NULL);
  *has = count != 0;
  return result;
}

/* A driver without an optional query has none of its aspects. */
SYCLZE_LOCAL ze_result_t syclze__aspect_answered(ze_result_t result) {
  return result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE ? ZE_RESULT_SUCCESS : result;
}

SYCLZE_LOCAL ze_result_t syclze__aspect_of_external_memory(
    syclze_device device, bool imports, bool *has) {
  SYCLZE__ZE_STRUCT(
      ze_device_external_memory_properties_t, properties, DEVICE_EXTERNAL_MEMORY_PROPERTIES);
  const ze_result_t result =
      SYCLZE__ZE(zeDeviceGetExternalMemoryProperties)(device.rep->native, &properties);
  *has = (imports ? properties.memoryAllocationImportTypes
                  : properties.memoryAllocationExportTypes) != 0;
  return syclze__aspect_answered(result);
}

SYCLZE_LOCAL ze_result_t syclze__aspect_of_ipc(syclze_device device, uint32_t aspect, bool *has) {
  SYCLZE__ZE_STRUCT(ze_driver_ipc_properties_t, properties, DRIVER_IPC_PROPERTIES);
  const ze_result_t result =
      SYCLZE__ZE(zeDriverGetIpcProperties)(device.rep->platform->native, &properties);
  *has = (properties.flags & (aspect == SYCLZE_ASPECT_EXT_ONEAPI_IPC_EVENT
                                     ? (uint32_t)ZE_IPC_PROPERTY_FLAG_EVENT_POOL
                                     : (uint32_t)ZE_IPC_PROPERTY_FLAG_MEMORY)) != 0;
  return syclze__aspect_answered(result);
}

/* Queries if the driver has an extension, whose function in the loader is `function`, or null. */
SYCLZE_LOCAL ze_result_t syclze__aspect_of_extension(
    syclze_device device, const char *extension, const char *function, bool *has) {
#if SYCLZE_HAS_DLSYM
  if (function != NULL && syclze__loader_symbol(function) == NULL) return ZE_RESULT_SUCCESS;
#else
  if (function != NULL) return ZE_RESULT_SUCCESS;
#endif
  return syclze__driver_has_extension(device.rep->platform->native, extension, has);
}

SYCLZE_LOCAL ze_result_t syclze__aspect_of_query(syclze_device device, uint32_t aspect, bool *has) {
  uint64_t free_size;
  if (aspect == SYCLZE_ASPECT_EXT_INTEL_FREE_MEMORY) {
    *has = syclze__system_memory_free(device.rep, &free_size).result == ZE_RESULT_SUCCESS;
    return ZE_RESULT_SUCCESS;
  }
  SYCLZE__ZE_STRUCT(ze_pci_ext_properties_t, address, PCI_EXT_PROPERTIES);
  *has = SYCLZE__ZE(zeDevicePciGetPropertiesExt)(device.rep->native, &address) == ZE_RESULT_SUCCESS;
  return ZE_RESULT_SUCCESS;
}

/* Queries the device's place in the tree of devices. Without zeDeviceGetRootDevice none is
 * composite. */
SYCLZE_LOCAL ze_result_t syclze__aspect_of_tree(syclze_device device, bool component, bool *has) {
  const struct syclze__status status = syclze__composites_find(device.rep->platform);
  *has = component ? device.rep->composite != NULL
                   : syclze__composite_among(
                         device.rep->platform->composites, device.rep->native) == device.rep;
  return syclze__aspect_answered(status.result);
}

/* True if every device or none has the aspect, whatever its properties. */
SYCLZE_LOCAL bool syclze__aspect_is_fixed(uint32_t aspect, bool *has) {
  switch (aspect) {
  case SYCLZE_ASPECT_ONLINE_COMPILER:
  case SYCLZE_ASPECT_ONLINE_LINKER:
  case SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_UUID:
  case SYCLZE_ASPECT_EXT_INTEL_DEVICE_ID:
  case SYCLZE_ASPECT_EXT_INTEL_SPILL_MEMORY_SIZE:
  case SYCLZE_ASPECT_EXT_ONEAPI_ASYNC_MEMORY_ALLOC:
  case SYCLZE_ASPECT_EXT_ONEAPI_GRAPH:
  case SYCLZE_ASPECT_EXT_ONEAPI_LIMITED_GRAPH:
  case SYCLZE_ASPECT_EXT_ONEAPI_VIRTUAL_MEM:
    *has = true;
    return true;
  case SYCLZE_ASPECT_CUSTOM:
  case SYCLZE_ASPECT_HOST_DEBUGGABLE:
  case SYCLZE_ASPECT_EMULATED:
  case SYCLZE_ASPECT_EXT_ONEAPI_SRGB:
  case SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP:
  case SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP_ANISOTROPY:
  case SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP_LEVEL_REFERENCE:
  case SYCLZE_ASPECT_EXT_ONEAPI_CUBEMAP:
  case SYCLZE_ASPECT_EXT_ONEAPI_CUBEMAP_SEAMLESS_FILTERING:
    return true;
  default:
    return false;
  }
}

/* Queries a device for a known aspect. */
SYCLZE_LOCAL ze_result_t syclze__aspect_check_device(
    syclze_device device, uint32_t aspect, bool *has) {
  if (syclze__aspect_is_fixed(aspect, has)) return ZE_RESULT_SUCCESS;
  switch (aspect) {
  case SYCLZE_ASPECT_QUEUE_PROFILING:
  case SYCLZE_ASPECT_EXT_ONEAPI_QUEUE_PROFILING_TAG:
  case SYCLZE_ASPECT_EXT_ONEAPI_IS_INTEGRATED_GPU:
  case SYCLZE_ASPECT_EXT_INTEL_ESIMD:
  case SYCLZE_ASPECT_EXT_INTEL_GPU_EU_COUNT:
  case SYCLZE_ASPECT_EXT_INTEL_GPU_EU_SIMD_WIDTH:
  case SYCLZE_ASPECT_EXT_INTEL_GPU_SLICES:
  case SYCLZE_ASPECT_EXT_INTEL_GPU_SUBSLICES_PER_SLICE:
  case SYCLZE_ASPECT_EXT_INTEL_GPU_EU_COUNT_PER_SUBSLICE:
  case SYCLZE_ASPECT_EXT_INTEL_GPU_HW_THREADS_PER_EU:
    return syclze__aspect_of_properties(device, aspect, has);
  case SYCLZE_ASPECT_EXT_INTEL_MEMORY_CLOCK_RATE:
  case SYCLZE_ASPECT_EXT_INTEL_MEMORY_BUS_WIDTH:
    return syclze__aspect_of_memories(device, has);
  case SYCLZE_ASPECT_EXT_INTEL_PCI_ADDRESS:
  case SYCLZE_ASPECT_EXT_INTEL_FREE_MEMORY:
    return syclze__aspect_of_query(device, aspect, has);
  case SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_MEMORY_IMPORT:
  case SYCLZE_ASPECT_EXT_ONEAPI_EXPORTABLE_DEVICE_MEM:
    return syclze__aspect_of_external_memory(
        device, aspect == SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_MEMORY_IMPORT, has);
  case SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_SEMAPHORE_IMPORT:
    return syclze__aspect_of_extension(
        device, "ZE_extension_external_semaphores", "zeDeviceImportExternalSemaphoreExt", has);
  case SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_LUID:
  case SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_NODE_MASK:
    return syclze__aspect_of_extension(device, "ZE_extension_device_luid", NULL, has);
  case SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES:
  case SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES_2D_USM:
    return syclze__aspect_of_extension(
        device, "ZE_experimental_bindless_image", "zeMemGetPitchFor2dImage", has);
  case SYCLZE_ASPECT_EXT_ONEAPI_IPC_MEMORY:
  case SYCLZE_ASPECT_EXT_ONEAPI_IPC_EVENT:
    return syclze__aspect_of_ipc(device, aspect, has);
  case SYCLZE_ASPECT_EXT_ONEAPI_REGISTER_HOST_MEMORY:
    *has = syclze__driver_function(
               device.rep->platform->native, "zexDriverImportExternalPointer") != NULL;
    return ZE_RESULT_SUCCESS;
  case SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPOSITE:
  case SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT:
    return syclze__aspect_of_tree(device, aspect == SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT, has);
  case SYCLZE_ASPECT_EXT_INTEL_LEGACY_IMAGE:
    return syclze__aspect_of_traits(device, "image", has);
  default:
    return syclze__aspect_of_traits(device, syclze__aspect_name_2026(aspect), has);
  }
}

SYCLZE_LOCAL ze_result_t syclze__device_has_impl(
    syclze_device device, syclze_aspect aspect, bool *has) {
  struct syclze__status status = syclze__check_fork();
  if (has != NULL) *has = false;
  if (has == NULL)
    status = syclze__null_pointer("the result's pointer is null");
  else if (device.rep == NULL)
    status = syclze__null_handle("the device is null");
  else if (!syclze__aspect_is_known((uint32_t)aspect))
    status = syclze__status_of(
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "SYCL 2020 4.6.4.5: the aspect is unknown");
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(syclze__aspect_check_device(device, (uint32_t)aspect, has),
        "a query of the device's properties failed");
  if (status.result != ZE_RESULT_SUCCESS && has != NULL) *has = false;
  return syclze__finish(
      status, "syclze_device_has", device.rep != NULL ? device.rep->native : NULL);
}

SYCLZE_COLD ze_result_t syclze_device_has(syclze_device device, syclze_aspect aspect, bool *has) {
  SYCLZE__TRACE_CALL(call, DEVICE_INFO, SYCLZE__WORD(device.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__device_has_impl(device, aspect, has));
}

#endif

SYCLZE_EXTERN_C_END

#endif
