/* Queries of device limits, of device_query.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_DEVICE_LIMITS_H
#define SYCLZE_DETAIL_OBJECTS_DEVICE_LIMITS_H

#include "../../device_query.h"
#include "../trace_call.h"
#include "query_check.h"

SYCLZE_EXTERN_C_BEGIN

/* ze_device_vector_width_properties_ext_t, which older headers lack. */
struct syclze__vector_widths {
  uint32_t stype;
  void *next;
  uint32_t size;
  syclze_vector_widths preferred, native;
};

#if SYCLZE__BODIES

/* The sizes in ascending order, as SYCL has them. */
SYCLZE_LOCAL void syclze__limits_set_sub_groups(
    syclze_device_limits *limits, const ze_device_compute_properties_t *compute) {
  uint32_t count = compute->numSubGroupSizes;
  if (count > ZE_SUBGROUPSIZE_COUNT) count = ZE_SUBGROUPSIZE_COUNT;
  limits->sub_group_size_count = count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = i;
    for (; at > 0 && limits->sub_group_sizes[at - 1] > compute->subGroupSizes[i]; at--)
      limits->sub_group_sizes[at] = limits->sub_group_sizes[at - 1];
    limits->sub_group_sizes[at] = compute->subGroupSizes[i];
  }
  const uint32_t least = count != 0 ? limits->sub_group_sizes[0] : 0;
  if (least != 0)
    limits->max_num_sub_groups =
        compute->maxTotalGroupSize / least + (compute->maxTotalGroupSize % least != 0);
}

SYCLZE_LOCAL ze_result_t syclze__limits_read_compute(
    ze_device_handle_t device, syclze_device_limits *limits) {
  SYCLZE__ZE_STRUCT(ze_device_compute_properties_t, compute, DEVICE_COMPUTE_PROPERTIES);
  const ze_result_t result = SYCLZE__ZE(zeDeviceGetComputeProperties)(device, &compute);
  limits->max_work_group_size = compute.maxTotalGroupSize;
  limits->max_work_item_sizes[0] = compute.maxGroupSizeX;
  limits->max_work_item_sizes[1] = compute.maxGroupSizeY;
  limits->max_work_item_sizes[2] = compute.maxGroupSizeZ;
  limits->max_group_counts[0] = compute.maxGroupCountX;
  limits->max_group_counts[1] = compute.maxGroupCountY;
  limits->max_group_counts[2] = compute.maxGroupCountZ;
  limits->local_mem_size = compute.maxSharedLocalMemory;
  syclze__limits_set_sub_groups(limits, &compute);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__limits_read_code(
    ze_device_handle_t device, syclze_device_limits *limits) {
  SYCLZE__ZE_STRUCT(ze_float_atomic_ext_properties_t, atomics, FLOAT_ATOMIC_EXT_PROPERTIES);
  SYCLZE__ZE_STRUCT(ze_device_module_properties_t, module, DEVICE_MODULE_PROPERTIES);
  module.pNext = &atomics;
  const ze_result_t result = SYCLZE__ZE(zeDeviceGetModuleProperties)(device, &module);
  limits->max_parameter_size = module.maxArgumentsSize;
  limits->printf_buffer_size = module.printfBufferSize;
  limits->has_fp16 = (module.flags & ZE_DEVICE_MODULE_FLAG_FP16) != 0;
  limits->has_fp64 = (module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0;
  limits->has_atomic64 = (module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS) != 0;
  limits->fp16 = module.fp16flags;
  limits->fp32 = module.fp32flags;
  limits->fp64 = module.fp64flags;
  limits->fp16_atomics = atomics.fp16Flags;
  limits->fp32_atomics = atomics.fp32Flags;
  limits->fp64_atomics = atomics.fp64Flags;
  return result;
}

/* A driver without images may lack the query. */
SYCLZE_LOCAL ze_result_t syclze__limits_read_images(
    ze_device_handle_t device, syclze_device_limits *limits) {
  SYCLZE__ZE_STRUCT(ze_device_image_properties_t, images, DEVICE_IMAGE_PROPERTIES);
  const ze_result_t result = SYCLZE__ZE(zeDeviceGetImageProperties)(device, &images);
  if (result != ZE_RESULT_SUCCESS)
    return result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE ? ZE_RESULT_SUCCESS : result;
  limits->image_max_1d = images.maxImageDims1D;
  limits->image_max_2d = images.maxImageDims2D;
  limits->image_max_3d = images.maxImageDims3D;
  limits->image_max_buffer_size = images.maxImageBufferSize;
  limits->image_max_array_size = images.maxImageArraySlices;
  limits->max_samplers = images.maxSamplers;
  limits->max_read_image_args = images.maxReadImageArgs;
  limits->max_write_image_args = images.maxWriteImageArgs;
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__limits_read_memory(
    ze_device_handle_t device, syclze_device_limits *limits) {
  SYCLZE__ZE_STRUCT(ze_device_memory_access_properties_t, access, DEVICE_MEMORY_ACCESS_PROPERTIES);
  const ze_result_t result = SYCLZE__ZE(zeDeviceGetMemoryAccessProperties)(device, &access);
  limits->usm_host = access.hostAllocCapabilities;
  limits->usm_device = access.deviceAllocCapabilities;
  limits->usm_shared = access.sharedSingleDeviceAllocCapabilities;
  limits->usm_cross = access.sharedCrossDeviceAllocCapabilities;
  limits->usm_system = access.sharedSystemAllocCapabilities;
  return result;
}

/* Queries the widths of the largest vectors, if loader and driver have the query. */
SYCLZE_LOCAL ze_result_t syclze__limits_read_vectors(
    ze_device_handle_t device, syclze_device_limits *limits) {
#if SYCLZE_HAS_DLSYM
  ze_result_t(ZE_APICALL * get)(ze_device_handle_t, uint32_t *, struct syclze__vector_widths *);
  void *address = syclze__loader_symbol("zeDeviceGetVectorWidthPropertiesExt");
  uint32_t count = 0, largest = 0;
  memcpy(&get, &address, sizeof address);
  if (address == NULL || get(device, &count, NULL) != ZE_RESULT_SUCCESS || count == 0)
    return ZE_RESULT_SUCCESS;
  struct syclze__vector_widths *all = (struct syclze__vector_widths *)calloc(count, sizeof *all);
  if (all == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < count; i++)
    all[i].stype = 0x20029;
  if (get(device, &count, all) == ZE_RESULT_SUCCESS)
    for (uint32_t i = 0; i < count; i++) {
      if (all[i].size < largest) continue;
      largest = all[i].size;
      limits->preferred_vector_width = all[i].preferred;
      limits->native_vector_width = all[i].native;
    }
  free(all);
#else
  (void)device, (void)limits;
#endif
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL struct syclze__status syclze__limits_read(
    ze_device_handle_t device, syclze_device_limits *limits) {
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  ze_result_t result = SYCLZE__ZE(zeDeviceGetProperties)(device, &properties);
  limits->simd_width = properties.physicalEUSimdWidth;
  limits->threads_per_compute_unit = properties.numThreadsPerEU;
  if (result == ZE_RESULT_SUCCESS) result = syclze__limits_read_compute(device, limits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__limits_read_code(device, limits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__limits_read_memory(device, limits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__limits_read_images(device, limits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__limits_read_vectors(device, limits);
  return syclze__status_of_call(result, "a query of the device's properties failed");
}

SYCLZE_LOCAL ze_result_t syclze__device_get_limits_impl(
    syclze_device device, syclze_device_limits *limits) {
  struct syclze__status status = syclze__check_query(device.rep, limits);
  if (limits != NULL) memset(limits, 0, sizeof *limits);
  if (status.result == ZE_RESULT_SUCCESS) {
    status = syclze__limits_read(device.rep->native, limits);
    if (status.result != ZE_RESULT_SUCCESS) memset(limits, 0, sizeof *limits);
  }
  return syclze__query_end(status, "syclze_device_get_limits", device.rep);
}

SYCLZE_COLD ze_result_t syclze_device_get_limits(
    syclze_device device, syclze_device_limits *limits) {
  SYCLZE__TRACE_CALL(call, DEVICE_INFO, SYCLZE__WORD(device.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__device_get_limits_impl(device, limits));
}

#endif

SYCLZE_EXTERN_C_END

#endif
