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

/* The name of a known aspect; null for others. With an `aspect` of 0, finds the number of a
 * name. */
SYCLZE_LOCAL const char *syclze__aspect_lookup(uint32_t aspect, const char *name, uint32_t *found) {
  static const struct {
    uint32_t aspect;
    const char *name;
  } all[] = {
      {SYCLZE_ASPECT_CPU, "cpu"},
      {SYCLZE_ASPECT_GPU, "gpu"},
      {SYCLZE_ASPECT_ACCELERATOR, "accelerator"},
      {SYCLZE_ASPECT_CUSTOM, "custom"},
      {SYCLZE_ASPECT_FP16, "fp16"},
      {SYCLZE_ASPECT_FP64, "fp64"},
      {SYCLZE_ASPECT_IMAGE, "image"},
      {SYCLZE_ASPECT_ONLINE_COMPILER, "online_compiler"},
      {SYCLZE_ASPECT_ONLINE_LINKER, "online_linker"},
      {SYCLZE_ASPECT_QUEUE_PROFILING, "queue_profiling"},
      {SYCLZE_ASPECT_USM_DEVICE_ALLOCATIONS, "usm_device_allocations"},
      {SYCLZE_ASPECT_USM_HOST_ALLOCATIONS, "usm_host_allocations"},
      {SYCLZE_ASPECT_USM_SHARED_ALLOCATIONS, "usm_shared_allocations"},
      {SYCLZE_ASPECT_USM_SYSTEM_ALLOCATIONS, "usm_system_allocations"},
      {SYCLZE_ASPECT_EXT_INTEL_PCI_ADDRESS, "ext_intel_pci_address"},
      {SYCLZE_ASPECT_EXT_INTEL_GPU_EU_COUNT, "ext_intel_gpu_eu_count"},
      {SYCLZE_ASPECT_EXT_INTEL_GPU_EU_SIMD_WIDTH, "ext_intel_gpu_eu_simd_width"},
      {SYCLZE_ASPECT_EXT_INTEL_GPU_SLICES, "ext_intel_gpu_slices"},
      {SYCLZE_ASPECT_EXT_INTEL_GPU_SUBSLICES_PER_SLICE, "ext_intel_gpu_subslices_per_slice"},
      {SYCLZE_ASPECT_EXT_INTEL_GPU_EU_COUNT_PER_SUBSLICE, "ext_intel_gpu_eu_count_per_subslice"},
      {SYCLZE_ASPECT_USM_ATOMIC_HOST_ALLOCATIONS, "usm_atomic_host_allocations"},
      {SYCLZE_ASPECT_USM_ATOMIC_SHARED_ALLOCATIONS, "usm_atomic_shared_allocations"},
      {SYCLZE_ASPECT_ATOMIC64, "atomic64"},
      {SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_UUID, "ext_intel_device_info_uuid"},
      {SYCLZE_ASPECT_EXT_ONEAPI_SRGB, "ext_oneapi_srgb"},
      {SYCLZE_ASPECT_HOST_DEBUGGABLE, "host_debuggable"},
      {SYCLZE_ASPECT_EXT_INTEL_GPU_HW_THREADS_PER_EU, "ext_intel_gpu_hw_threads_per_eu"},
      {SYCLZE_ASPECT_EXT_INTEL_FREE_MEMORY, "ext_intel_free_memory"},
      {SYCLZE_ASPECT_EXT_INTEL_DEVICE_ID, "ext_intel_device_id"},
      {SYCLZE_ASPECT_EXT_INTEL_MEMORY_CLOCK_RATE, "ext_intel_memory_clock_rate"},
      {SYCLZE_ASPECT_EXT_INTEL_MEMORY_BUS_WIDTH, "ext_intel_memory_bus_width"},
      {SYCLZE_ASPECT_EMULATED, "emulated"},
      {SYCLZE_ASPECT_EXT_INTEL_LEGACY_IMAGE, "ext_intel_legacy_image"},
      {SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES, "ext_oneapi_bindless_images"},
      {SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES_2D_USM, "ext_oneapi_bindless_images_2d_usm"},
      {SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_MEMORY_IMPORT, "ext_oneapi_external_memory_import"},
      {SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_SEMAPHORE_IMPORT, "ext_oneapi_external_semaphore_import"},
      {SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP, "ext_oneapi_mipmap"},
      {SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP_ANISOTROPY, "ext_oneapi_mipmap_anisotropy"},
      {SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP_LEVEL_REFERENCE, "ext_oneapi_mipmap_level_reference"},
      {SYCLZE_ASPECT_EXT_INTEL_ESIMD, "ext_intel_esimd"},
      {SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPOSITE, "ext_oneapi_is_composite"},
      {SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT, "ext_oneapi_is_component"},
      {SYCLZE_ASPECT_EXT_ONEAPI_GRAPH, "ext_oneapi_graph"},
      {SYCLZE_ASPECT_EXT_ONEAPI_LIMITED_GRAPH, "ext_oneapi_limited_graph"},
      {SYCLZE_ASPECT_EXT_ONEAPI_CUBEMAP, "ext_oneapi_cubemap"},
      {SYCLZE_ASPECT_EXT_ONEAPI_CUBEMAP_SEAMLESS_FILTERING,
          "ext_oneapi_cubemap_seamless_filtering"},
      {SYCLZE_ASPECT_EXT_ONEAPI_QUEUE_PROFILING_TAG, "ext_oneapi_queue_profiling_tag"},
      {SYCLZE_ASPECT_EXT_ONEAPI_VIRTUAL_MEM, "ext_oneapi_virtual_mem"},
      {SYCLZE_ASPECT_EXT_INTEL_SPILL_MEMORY_SIZE, "ext_intel_spill_memory_size"},
      {SYCLZE_ASPECT_EXT_ONEAPI_ASYNC_MEMORY_ALLOC, "ext_oneapi_async_memory_alloc"},
      {SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_LUID, "ext_intel_device_info_luid"},
      {SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_NODE_MASK, "ext_intel_device_info_node_mask"},
      {SYCLZE_ASPECT_EXT_ONEAPI_EXPORTABLE_DEVICE_MEM, "ext_oneapi_exportable_device_mem"},
      {SYCLZE_ASPECT_EXT_ONEAPI_IS_INTEGRATED_GPU, "ext_oneapi_is_integrated_gpu"},
      {SYCLZE_ASPECT_EXT_ONEAPI_IPC_MEMORY, "ext_oneapi_ipc_memory"},
      {SYCLZE_ASPECT_EXT_ONEAPI_REGISTER_HOST_MEMORY, "ext_oneapi_register_host_memory"},
      {SYCLZE_ASPECT_EXT_ONEAPI_IPC_EVENT, "ext_oneapi_ipc_event"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (aspect != 0 ? all[i].aspect != aspect : strcmp(all[i].name, name) != 0) continue;
    *found = all[i].aspect;
    return all[i].name;
  }
  return NULL;
}

SYCLZE_COLD ze_result_t syclze_aspect_find(const char *name, syclze_aspect *aspect) {
  uint32_t found = 0;
  if (aspect != NULL) *aspect = (syclze_aspect)0;
  if (name == NULL || aspect == NULL)
    return syclze__fail_pointer("syclze_aspect_find", "the name or the result's pointer is null");
  if (syclze__aspect_lookup(0, name, &found) == NULL)
    return syclze__fail_detail(ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_aspect_find",
        "SYCL 2020 4.6.4.5: the aspect's name is unknown", NULL, name);
  *aspect = (syclze_aspect)found;
  return ZE_RESULT_SUCCESS;
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

SYCLZE_LOCAL ze_result_t syclze__aspect_of_external_memory(
    syclze_device device, bool imports, bool *has) {
  SYCLZE__ZE_STRUCT(
      ze_device_external_memory_properties_t, properties, DEVICE_EXTERNAL_MEMORY_PROPERTIES);
  const ze_result_t result =
      SYCLZE__ZE(zeDeviceGetExternalMemoryProperties)(device.rep->native, &properties);
  *has = (imports ? properties.memoryAllocationImportTypes
                  : properties.memoryAllocationExportTypes) != 0;
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__aspect_of_ipc(syclze_device device, uint32_t aspect, bool *has) {
  SYCLZE__ZE_STRUCT(ze_driver_ipc_properties_t, properties, DRIVER_IPC_PROPERTIES);
  const ze_result_t result =
      SYCLZE__ZE(zeDriverGetIpcProperties)(device.rep->platform->native, &properties);
  *has = (properties.flags & (aspect == SYCLZE_ASPECT_EXT_ONEAPI_IPC_EVENT
                                     ? (uint32_t)ZE_IPC_PROPERTY_FLAG_EVENT_POOL
                                     : (uint32_t)ZE_IPC_PROPERTY_FLAG_MEMORY)) != 0;
  return result;
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
  if (status.result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) return ZE_RESULT_SUCCESS;
  *has = component ? device.rep->composite != NULL
                   : syclze__composite_among(
                         device.rep->platform->composites, device.rep->native) == device.rep;
  return status.result;
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
    return syclze__aspect_of_traits(device, syclze__aspect_lookup(aspect, NULL, &aspect), has);
  }
}

SYCLZE_LOCAL ze_result_t syclze__device_has_impl(
    syclze_device device, syclze_aspect aspect, bool *has) {
  struct syclze__status status = syclze__check_fork();
  uint32_t known;
  if (has != NULL) *has = false;
  if (has == NULL)
    status = syclze__null_pointer("the result's pointer is null");
  else if (device.rep == NULL)
    status = syclze__null_handle("the device is null");
  else if (aspect == 0 || syclze__aspect_lookup((uint32_t)aspect, NULL, &known) == NULL)
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
