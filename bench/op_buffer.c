/* Wrapped buffers over the application's memory, and their parts. */
#include "bench.h"
#include "syclze/buffer_create.h"

/* Memory of no other buffer: one over the same memory would be looked up. */
static void *memory;

static ze_result_t make(const struct bench_world *world) {
  if (memory != NULL) return ZE_RESULT_SUCCESS;
  return syclze_malloc_device(64, world->wrapped.device, world->wrapped.context, &memory);
}

static ze_result_t keep(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    void *native = memory;
    BENCH_OPAQUE(native);
    const syclze_buffer_input input = {native, SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
    syclze_buffer buffer;
    BENCH_TRY(syclze_make_buffer(&input, world->wrapped.context, &buffer));
    BENCH_TRY(syclze_buffer_release(buffer));
  }
  return ZE_RESULT_SUCCESS;
}

/* The driver queries of a make, and what it checks of them. */
static ze_result_t queries(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    void *native = memory, *base;
    BENCH_OPAQUE(native);
    ze_memory_allocation_properties_t properties = {0};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    size_t size;
    ze_device_handle_t device;
    BENCH_TRY(zeMemGetAllocProperties(world->context, native, &properties, &device));
    BENCH_TRY(zeMemGetAddressRange(world->context, native, &base, &size));
    if (properties.type == ZE_MEMORY_TYPE_UNKNOWN || device != world->device || base != native)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t part(const struct bench_world *world, uint32_t count) {
  static const size_t offset[1] = {4}, size[1] = {8};
  static syclze_buffer whole;
  BENCH_TRY(make(world));
  const syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
  if (whole.rep == NULL) BENCH_TRY(syclze_make_buffer(&input, world->wrapped.context, &whole));
  for (uint32_t i = 0; i < count; i++) {
    syclze_buffer buffer;
    BENCH_TRY(syclze_buffer_create_sub(whole, offset, size, &buffer));
    BENCH_TRY(syclze_buffer_release(buffer));
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_buffer_ops[] = {
    {"make + release, buffer (keep)", 160, 0, 2953, keep, queries, 0, false},
    {"make + release, sub-buffer", 250, 2, 267, part, NULL, 0, false},
    {0},
};
