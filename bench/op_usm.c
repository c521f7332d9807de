/* Allocations: a page of device memory. */
#include "bench.h"

enum { SIZE = 4096 };

static ze_result_t wrapped(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    void *memory;
    BENCH_TRY(syclze_malloc_device(SIZE, world->wrapped.device, world->wrapped.context, &memory));
    BENCH_TRY(syclze_free(memory, world->wrapped.context));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t plain(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_device_mem_alloc_desc_t desc = {ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, NULL, 0, 0};
    void *memory;
    BENCH_TRY(zeMemAllocDevice(world->context, &desc, SIZE, 0, world->device, &memory));
    BENCH_TRY(zeMemFree(world->context, memory));
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_usm_ops[] = {
    {"malloc_device + free", 0, 0, 0, wrapped, plain, 0, false},
    {0},
};
