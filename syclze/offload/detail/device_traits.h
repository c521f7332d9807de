/* Bodies of device_traits.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DEVICE_TRAITS_H
#define SYCLZE_OFFLOAD_DETAIL_DEVICE_TRAITS_H

#include "../device_traits.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_INLINE bool syclze__is_intel_gpu(const syclze_device_traits *traits) {
  return traits->type == ZE_DEVICE_TYPE_GPU && traits->vendor_id == 0x8086;
}

SYCLZE_LOCAL ze_result_t syclze__device_read_identity(
    ze_device_handle_t device, syclze_device_traits *traits) {
  /* ze_device_ip_version_ext_t, which older headers lack; a driver without it leaves the
   * zero. */
  struct {
    uint32_t stype;
    const void *next;
    uint32_t ip_version;
  } ip = {0x1000f, NULL, 0};
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  properties.pNext = &ip;
  ze_result_t result = SYCLZE__ZE(zeDeviceGetProperties)(device, &properties);
  if (result != ZE_RESULT_SUCCESS) return result;
  memcpy(traits->name, properties.name, sizeof traits->name);
  traits->name[sizeof traits->name - 1] = '\0';
  traits->type = properties.type;
  traits->vendor_id = properties.vendorId;
  traits->device_id = properties.deviceId;
  traits->ip_version = ip.ip_version;
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__device_read_code(
    ze_device_handle_t device, syclze_device_traits *traits) {
  SYCLZE__ZE_STRUCT(ze_device_module_properties_t, module, DEVICE_MODULE_PROPERTIES);
  ze_result_t result = SYCLZE__ZE(zeDeviceGetModuleProperties)(device, &module);
  if (result != ZE_RESULT_SUCCESS) return result;
  traits->has_fp16 = module.flags & ZE_DEVICE_MODULE_FLAG_FP16;
  traits->has_fp64 = module.flags & ZE_DEVICE_MODULE_FLAG_FP64;
  traits->has_atomic64 = module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  traits->spirv_version = ZE_MAJOR_VERSION(module.spirvVersionSupported) << 16 |
                          ZE_MINOR_VERSION(module.spirvVersionSupported) << 8;
  SYCLZE__ZE_STRUCT(ze_device_compute_properties_t, compute, DEVICE_COMPUTE_PROPERTIES);
  result = SYCLZE__ZE(zeDeviceGetComputeProperties)(device, &compute);
  traits->max_group_size = compute.maxTotalGroupSize;
  traits->max_group_sizes[0] = compute.maxGroupSizeX;
  traits->max_group_sizes[1] = compute.maxGroupSizeY;
  traits->max_group_sizes[2] = compute.maxGroupSizeZ;
  traits->sub_group_size_count = compute.numSubGroupSizes < ZE_SUBGROUPSIZE_COUNT
                                     ? compute.numSubGroupSizes
                                     : ZE_SUBGROUPSIZE_COUNT;
  memcpy(traits->sub_group_sizes, compute.subGroupSizes, sizeof traits->sub_group_sizes);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__device_read_memory(
    ze_device_handle_t device, syclze_device_traits *traits) {
  SYCLZE__ZE_STRUCT(ze_device_memory_access_properties_t, access, DEVICE_MEMORY_ACCESS_PROPERTIES);
  ze_result_t result = SYCLZE__ZE(zeDeviceGetMemoryAccessProperties)(device, &access);
  if (result != ZE_RESULT_SUCCESS) return result;
  traits->has_device_usm = access.deviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  traits->has_host_usm = access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  traits->has_shared_usm =
      access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  traits->has_system_usm = access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  traits->has_host_atomics =
      access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
  traits->has_shared_atomics =
      access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
  SYCLZE__ZE_STRUCT(ze_device_image_properties_t, images, DEVICE_IMAGE_PROPERTIES);
  traits->has_images =
      SYCLZE__ZE(zeDeviceGetImageProperties)(device, &images) == ZE_RESULT_SUCCESS &&
      images.maxImageDims2D != 0;
  return result;
}

SYCLZE_COLD ze_result_t syclze_device_get_traits(
    syclze_device device, syclze_device_traits *traits) {
  if (traits == NULL)
    return syclze__fail_pointer("syclze_device_get_traits", "the result's pointer is null");
  memset(traits, 0, sizeof *traits);
  if (device.rep == NULL)
    return syclze__fail_handle("syclze_device_get_traits", "the device is null");
  ze_device_handle_t native = device.rep->native;
  const struct syclze__status status = syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, "syclze_device_get_traits", native);
  SYCLZE__ZE_STRUCT(ze_driver_properties_t, driver, DRIVER_PROPERTIES);
  ze_result_t result = SYCLZE__ZE(zeDriverGetProperties)(device.rep->platform->native, &driver);
  traits->driver_version = driver.driverVersion;
  if (result == ZE_RESULT_SUCCESS) result = syclze__device_read_identity(native, traits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__device_read_code(native, traits);
  if (result == ZE_RESULT_SUCCESS) result = syclze__device_read_memory(native, traits);
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, "syclze_device_get_traits", "a query of the device failed", native);
}

#endif

SYCLZE_EXTERN_C_END

#endif
