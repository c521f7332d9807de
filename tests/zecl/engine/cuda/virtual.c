/* Virtual memory. CUDA maps an allocation as a whole only, so that physical memory is an allocation
 * for each page. */
#include "engine/cuda/cuda.h"

#include <pthread.h>
#include <stdlib.h>

struct zecl_engine_physical {
  uint32_t device;
  size_t count; /* of handles that are made */
  CUmemGenericAllocationHandle handles[];
};

static CUmemAllocationProp properties_of(uint32_t device) {
  return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
      .location = {CU_MEM_LOCATION_TYPE_DEVICE, zecl_cuda_devices[device].device}};
}

static size_t greatest_page;

static void find_page(void) {
  for (uint32_t i = 0; i < zecl_cuda_device_count; i++) {
    const CUmemAllocationProp properties = properties_of(i);
    size_t page = 0;
    if (zecl_cuda.granularity(&page, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
            CUDA_SUCCESS &&
        page > greatest_page)
      greatest_page = page;
  }
}

static size_t page(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_page);
  return greatest_page;
}

static CUdeviceptr address(const void *pointer) {
  return (CUdeviceptr)(uintptr_t)pointer;
}

static void *reserve(const void *start, size_t size) {
  CUdeviceptr base = 0;
  zecl_cuda_use(&zecl_cuda_devices[0]);
  return zecl_cuda.address_reserve(&base, size, 0, address(start), 0) == CUDA_SUCCESS
             ? (void *)(uintptr_t)base
             : NULL;
}

static void give(void *base, size_t size) {
  zecl_cuda_use(&zecl_cuda_devices[0]);
  zecl_cuda.address_free(address(base), size);
}

static void destroy(struct zecl_engine_physical *physical) {
  zecl_cuda_use(&zecl_cuda_devices[physical->device]);
  for (size_t i = 0; i < physical->count; i++)
    zecl_cuda.physical_release(physical->handles[i]);
  zecl_cuda_give_room(physical->device, physical->count * page());
  free(physical);
}

static struct zecl_engine_physical *create(uint32_t device, size_t size) {
  const CUmemAllocationProp properties = properties_of(device);
  const size_t count = size / page();
  if (!zecl_cuda_take_room(device, size)) return NULL;
  struct zecl_engine_physical *physical =
      calloc(1, sizeof *physical + count * sizeof *physical->handles);
  if (!physical) {
    zecl_cuda_give_room(device, size);
    return NULL;
  }
  physical->device = device;
  zecl_cuda_use(&zecl_cuda_devices[device]);
  while (physical->count < count && zecl_cuda.physical_create(&physical->handles[physical->count],
                                        page(), &properties, 0) == CUDA_SUCCESS)
    physical->count++;
  if (physical->count == count) return physical;
  zecl_cuda_give_room(device, size - physical->count * page());
  destroy(physical);
  return NULL;
}

/* Grants access to each device by itself, since CUDA refuses all of them if one has no way to the
 * memory. One must be granted. */
static ze_result_t set_access(void *at, size_t size, ze_memory_access_attribute_t access) {
  static const CUmemAccess_flags flags[] = {
      [ZE_MEMORY_ACCESS_ATTRIBUTE_NONE] = CU_MEM_ACCESS_FLAGS_PROT_NONE,
      [ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
      [ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY] = CU_MEM_ACCESS_FLAGS_PROT_READ};
  ze_result_t result = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  for (uint32_t i = 0; i < zecl_cuda_device_count; i++) {
    const CUmemAccessDesc desc = {
        {CU_MEM_LOCATION_TYPE_DEVICE, zecl_cuda_devices[i].device}, flags[access]};
    zecl_cuda_use(&zecl_cuda_devices[i]);
    if (zecl_cuda.set_access(address(at), size, &desc, 1) == CUDA_SUCCESS)
      result = ZE_RESULT_SUCCESS;
  }
  return result;
}

static ze_result_t unmap(void *at, size_t size) {
  zecl_cuda_use(&zecl_cuda_devices[0]);
  return zecl_cuda_result(zecl_cuda.unmap(address(at), size));
}

static ze_result_t map(void *at, size_t size, struct zecl_engine_physical *physical, size_t offset,
    ze_memory_access_attribute_t access) {
  const size_t first = offset / page(), count = size / page();
  ze_result_t result = ZE_RESULT_SUCCESS;
  size_t mapped = 0;
  zecl_cuda_use(&zecl_cuda_devices[physical->device]);
  while (mapped < count && result == ZE_RESULT_SUCCESS) {
    result = zecl_cuda_result(zecl_cuda.map(
        address(at) + mapped * page(), page(), 0, physical->handles[first + mapped], 0));
    if (result == ZE_RESULT_SUCCESS) mapped++;
  }
  if (result == ZE_RESULT_SUCCESS && access != ZE_MEMORY_ACCESS_ATTRIBUTE_NONE)
    result = set_access(at, size, access);
  for (size_t i = 0; result != ZE_RESULT_SUCCESS && i < mapped; i++)
    unmap((char *)at + i * page(), page());
  return result;
}

const struct zecl_engine_virtual zecl_cuda_virtual = {.page = page,
    .reserve = reserve,
    .give = give,
    .create = create,
    .destroy = destroy,
    .map = map,
    .unmap = unmap,
    .set_access = set_access};
