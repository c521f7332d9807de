#include "memory/memory.h"

#include "commands/stream.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "core/strict.h"
#include "engine/engine.h"
#include "memory/discrete.h"
#include "memory/external.h"
#include "memory/ipc.h"
#include "memory/memory_index.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, LEAST_ALIGNMENT = 64, GREATEST_ALIGNMENT = 1 << 30 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct zecl_memory_index allocations;
static uint64_t next_id = 1;

/* Any context of the driver reaches an allocation, as with the drivers of GPUs; in strict mode only
 * its own. */
static bool reaches(const struct zecl_context *context, const struct zecl_allocation *allocation) {
  return zecl_is_strict() ? allocation->context == context
                          : allocation->context->driver == context->driver;
}

bool zecl_memory_find(
    struct zecl_context *context, const void *address, struct zecl_allocation *found) {
  pthread_rwlock_rdlock(&lock);
  const struct zecl_memory_node *node = zecl_memory_lookup(&allocations, address);
  const bool there = node && reaches(context, &node->allocation);
  if (there) *found = node->allocation;
  pthread_rwlock_unlock(&lock);
  return there;
}

struct extension { /* how every extension of a descriptor begins */
  ze_structure_type_t stype;
  const void *pNext;
};

static bool is_relaxed(const void *next) {
  for (const struct extension *e = next; e; e = e->pNext)
    if (e->stype == ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC)
      return (((const ze_relaxed_allocation_limits_exp_desc_t *)(const void *)e)->flags &
                 ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE) != 0;
  return false;
}

/* The ordinal selects one of the device's memories, of which there is one. Where shared memory
 * lies is the driver's affair, and so programs name any ordinal for it. */
static ze_result_t check_device_desc(const ze_device_mem_alloc_desc_t *desc, bool is_shared) {
  ZECL_CHECK_POINTER(desc);
  const ze_device_mem_alloc_flags_t known = ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_CACHED |
                                            ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_UNCACHED |
                                            ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
  ZECL_REQUIRE((desc->flags & ~known) == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(is_shared || desc->ordinal == 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_host_desc(const ze_host_mem_alloc_desc_t *desc) {
  ZECL_CHECK_POINTER(desc);
  const ze_host_mem_alloc_flags_t known =
      ZE_HOST_MEM_ALLOC_FLAG_BIAS_CACHED | ZE_HOST_MEM_ALLOC_FLAG_BIAS_UNCACHED |
      ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED | ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
  ZECL_REQUIRE((desc->flags & ~known) == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  return ZE_RESULT_SUCCESS;
}

/* Kernels written for GPUs, whose memory is given out in pages, run over the ends of what is small.
 * So an allocation takes whole pages, and what it does not use is zero. */
static char *take_memory(size_t size, size_t alignment) {
  const size_t unit = alignment < PAGE ? PAGE : alignment;
  const size_t taken = (size + unit - 1) & ~(unit - 1);
  char *base = aligned_alloc(alignment, taken);
  if (base) memset(base + size, 0, taken - size < PAGE ? taken - size : PAGE);
  return base;
}

static void free_engine_memory(void *object) {
  struct zecl_allocation *allocation = object;
  zecl_engine()->memory->free(
      zecl_device_index(allocation->device), allocation->type, allocation->origin);
  free(allocation);
}

/* Freed once nothing runs: the engine would wait, for work that may itself wait for the caller. */
static void give_to_engine(const struct zecl_allocation *allocation) {
  struct zecl_allocation *copy = malloc(sizeof *copy);
  if (!copy) return; /* lost, rather than freed in use */
  *copy = *allocation;
  zecl_streams_defer(free_engine_memory, copy);
}

void zecl_memory_give(const struct zecl_allocation *allocation) {
  if (zecl_engine()->memory) {
    give_to_engine(allocation);
    return;
  }
  if (allocation->shared)
    zecl_ipc_give(allocation->shared);
  else if (allocation->is_discrete)
    zecl_discrete_give(allocation->base);
  else
    free(allocation->base);
}

ze_result_t zecl_memory_add(const struct zecl_allocation *allocation) {
  struct zecl_memory_node *node = malloc(sizeof *node);
  if (!node) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  node->allocation = *allocation;
  pthread_rwlock_wrlock(&lock);
  node->allocation.id = next_id++;
  const bool inserted = zecl_memory_insert(&allocations, node);
  pthread_rwlock_unlock(&lock);
  if (!inserted) {
    free(node);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  zecl_object_retain(allocation->context);
  return ZE_RESULT_SUCCESS;
}

bool zecl_memory_take(
    struct zecl_context *context, const void *base, bool is_opened, struct zecl_allocation *taken) {
  struct zecl_memory_node *node = NULL;
  pthread_rwlock_wrlock(&lock);
  const struct zecl_memory_node *found = zecl_memory_lookup(&allocations, base);
  if (found && reaches(context, &found->allocation) && found->allocation.is_opened == is_opened)
    node = zecl_memory_remove(&allocations, base);
  pthread_rwlock_unlock(&lock);
  if (!node) return false;
  *taken = node->allocation;
  free(node);
  zecl_context_release(taken->context);
  return true;
}

void zecl_memory_each(void (*see)(const struct zecl_allocation *allocation)) {
  for (size_t i = 0; i < allocations.bucket_count; i++)
    for (const struct zecl_memory_node *node = allocations.buckets[i]; node; node = node->next)
      see(&node->allocation);
}

static ze_result_t take_engine_memory(
    struct zecl_allocation *allocation, size_t alignment, const void *next) {
  ze_result_t error;
  zecl_streams_run_deferred();
  if (zecl_external_is_wanted(next)) {
    ZECL_REQUIRE(
        allocation->type == ZE_MEMORY_TYPE_DEVICE, ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    return zecl_external_take_of_engine(next, alignment, allocation);
  }
  allocation->base = zecl_engine()->memory->allocate(zecl_device_index(allocation->device),
      allocation->type, allocation->size, alignment, &allocation->origin, &error);
  return error;
}

/* Allocates host memory of the driver itself. */
static ze_result_t take_host_memory(
    struct zecl_allocation *allocation, size_t alignment, const void *next) {
  const bool is_device = allocation->type == ZE_MEMORY_TYPE_DEVICE;
  zecl_memory_free_deferred();
  if (zecl_external_is_wanted(next)) {
    ZECL_REQUIRE(is_device, ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    ZECL_TRY(zecl_external_take(next, allocation->size, alignment, &allocation->shared));
    allocation->base = allocation->shared->base;
  } else if (is_device && zecl_ipc_is_wanted()) {
    allocation->base = zecl_ipc_take(allocation->size, alignment, &allocation->shared);
  } else if (is_device && zecl_discrete_enabled) {
    allocation->base = zecl_discrete_take(allocation->size, alignment);
    allocation->is_discrete = true;
  } else {
    allocation->base = take_memory(allocation->size, alignment);
  }
  if (allocation->base) return ZE_RESULT_SUCCESS;
  return allocation->type == ZE_MEMORY_TYPE_HOST ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                                                 : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
}

static ze_result_t allocate(struct zecl_context *context, struct zecl_device *device,
    ze_memory_type_t type, const void *next, bool relaxed, size_t size, size_t alignment,
    void **pointer) {
  ZECL_CHECK_POINTER(pointer);
  ZECL_REQUIRE(!device || context->driver == device->driver, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(size != 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  ZECL_REQUIRE((alignment & (alignment - 1)) == 0 && alignment <= GREATEST_ALIGNMENT,
      ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  ZECL_REQUIRE(
      relaxed || size <= zecl_engine()->properties[zecl_device_index(device)].max_allocation,
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  const size_t least = size < PAGE ? LEAST_ALIGNMENT : PAGE;
  if (alignment < least) alignment = least;
  ZECL_REQUIRE(size <= PTRDIFF_MAX - alignment - PAGE, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  struct zecl_allocation allocation = {
      .size = size, .type = type, .device = device, .context = context};
  if (zecl_engine()->memory)
    ZECL_TRY(take_engine_memory(&allocation, alignment, next));
  else
    ZECL_TRY(take_host_memory(&allocation, alignment, next));
  const ze_result_t result = zecl_memory_add(&allocation);
  if (result != ZE_RESULT_SUCCESS)
    zecl_memory_give(&allocation);
  else
    *pointer = allocation.base;
  return result;
}

ze_result_t zecl_zeMemAllocDevice(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *desc, size_t size, size_t alignment,
    ze_device_handle_t device, void **pointer) {
  ZECL_ENTER(zeMemAllocDevice);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_TRY(check_device_desc(desc, false));
  return allocate(zecl_context_of(context), zecl_device_of(device), ZE_MEMORY_TYPE_DEVICE,
      desc->pNext, is_relaxed(desc->pNext), size, alignment, pointer);
}

ze_result_t zecl_zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
    size_t size, size_t alignment, void **pointer) {
  ZECL_ENTER(zeMemAllocHost);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_TRY(check_host_desc(desc));
  return allocate(zecl_context_of(context), NULL, ZE_MEMORY_TYPE_HOST, desc->pNext,
      is_relaxed(desc->pNext), size, alignment, pointer);
}

ze_result_t zecl_zeMemAllocShared(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *device_desc, const ze_host_mem_alloc_desc_t *host_desc,
    size_t size, size_t alignment, ze_device_handle_t device, void **pointer) {
  ZECL_ENTER(zeMemAllocShared);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  if (device) ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_TRY(check_device_desc(device_desc, true));
  ZECL_TRY(check_host_desc(host_desc));
  return allocate(zecl_context_of(context), zecl_device_of(device), ZE_MEMORY_TYPE_SHARED,
      device_desc->pNext, is_relaxed(device_desc->pNext) || is_relaxed(host_desc->pNext), size,
      alignment, pointer);
}

static ze_result_t release(ze_context_handle_t context, void *pointer) {
  struct zecl_allocation taken;
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(pointer);
  ZECL_REQUIRE(zecl_memory_take(zecl_context_of(context), pointer, false, &taken),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_memory_give(&taken);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeMemFree(ze_context_handle_t context, void *pointer) {
  ZECL_ENTER(zeMemFree);
  return release(context, pointer);
}

ze_result_t zecl_zeMemGetAllocProperties(ze_context_handle_t context, const void *pointer,
    ze_memory_allocation_properties_t *properties, ze_device_handle_t *device) {
  ZECL_ENTER(zeMemGetAllocProperties);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(pointer);
  ZECL_CHECK_POINTER(properties);
  struct zecl_allocation found = {.type = ZE_MEMORY_TYPE_UNKNOWN};
  const bool there = zecl_memory_find(zecl_context_of(context), pointer, &found);
  properties->type = found.type;
  properties->id = found.id;
  properties->pageSize = there ? PAGE : 0;
  if (device) *device = zecl_device_handle(found.device);
  return zecl_external_export(&found, properties->pNext);
}

ze_result_t zecl_zeMemGetAddressRange(
    ze_context_handle_t context, const void *pointer, void **base, size_t *size) {
  ZECL_ENTER(zeMemGetAddressRange);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(pointer);
  struct zecl_allocation found;
  ZECL_REQUIRE(zecl_memory_find(zecl_context_of(context), pointer, &found),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (base) *base = found.base;
  if (size) *size = found.size;
  return ZE_RESULT_SUCCESS;
}
