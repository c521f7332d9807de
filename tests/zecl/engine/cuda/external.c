/* Device memory that leaves and comes as a file descriptor: physical memory of CUDA's, mapped as a
 * whole. What is mapped holds it, as its descriptors do. */
#include "engine/cuda/cuda.h"

#include <unistd.h>

static bool make(uint32_t device, size_t size, CUmemGenericAllocationHandle *physical, int *file) {
  const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
      .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
      .location = {CU_MEM_LOCATION_TYPE_DEVICE, zecl_cuda_devices[device].device}};
  if (zecl_cuda.physical_create(physical, size, &properties, 0) != CUDA_SUCCESS) return false;
  if (zecl_cuda.physical_export(file, *physical, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) ==
      CUDA_SUCCESS)
    return true;
  zecl_cuda.physical_release(*physical);
  return false;
}

static CUdeviceptr map(
    CUmemGenericAllocationHandle physical, size_t size, ze_result_t too_large, ze_result_t *error) {
  char *base = zecl_cuda_virtual.reserve(NULL, size);
  *error = ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  if (!base) return 0;
  const CUdeviceptr at = (CUdeviceptr)(uintptr_t)base;
  if (zecl_cuda.map(at, size, 0, physical, 0) != CUDA_SUCCESS) {
    *error = too_large;
  } else {
    *error = zecl_cuda_virtual.set_access(base, size, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE);
    if (*error == ZE_RESULT_SUCCESS) return at;
    zecl_cuda_virtual.unmap(base, size);
  }
  zecl_cuda_virtual.give(base, size);
  return 0;
}

size_t zecl_cuda_external_size(size_t size) {
  const size_t page = zecl_cuda_virtual.page();
  return (size + page - 1) / page * page;
}

CUdeviceptr zecl_cuda_external_take(
    uint32_t device, size_t size, int imported, int *file, ze_result_t *error) {
  CUmemGenericAllocationHandle physical;
  const bool is_import = imported >= 0;
  *error = is_import ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  *file = -1;
  zecl_cuda_use(&zecl_cuda_devices[device]);
  const bool good = is_import ? zecl_cuda.physical_import(&physical, (void *)(intptr_t)imported,
                                    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == CUDA_SUCCESS
                              : make(device, size, &physical, file);
  if (!good) return 0;
  const CUdeviceptr base = map(physical, size,
      is_import ? ZE_RESULT_ERROR_UNSUPPORTED_SIZE : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, error);
  zecl_cuda.physical_release(physical);
  if (!base && *file >= 0) close(*file);
  return base;
}

void zecl_cuda_external_give(CUdeviceptr base, size_t size, int file) {
  void *const pointer = (void *)(uintptr_t)base;
  zecl_cuda_virtual.unmap(pointer, size);
  zecl_cuda_virtual.give(pointer, size);
  if (file >= 0) close(file);
}
