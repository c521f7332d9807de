/* Allocations. Host memory is pinned and shared memory managed; with both an address is the same
 * everywhere. Managed memory beyond what a card has can stop the card, not only the process, so
 * that device and managed memory together stay within what was free at the start, and managed
 * memory within what is free at the time. */
#include "engine/cuda/cuda.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* CUDA's alignment of small allocations and of large ones. */
enum { SMALL_ALIGNMENT = 256, LARGE_ALIGNMENT = 4096, PAGE = 4096, LARGE = 2 << 20 };

/* An allocation as it was made. */
struct block {
  CUdeviceptr base;
  size_t size;
  bool is_external;
  int file; /* that an external one leaves as, or -1 */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t free_at_start[ZECL_CUDA_DEVICES], taken[ZECL_CUDA_DEVICES]; /* of device memory */
static size_t managed;

static size_t free_now(uint32_t device) {
  size_t free = 0, total = 0;
  return zecl_cuda_use(&zecl_cuda_devices[device]) == CUDA_SUCCESS &&
                 zecl_cuda.memory_info(&free, &total) == CUDA_SUCCESS
             ? free
             : 0;
}

static uint64_t available(uint32_t device) {
  return free_now(device);
}

/* The caller holds the lock. Shared memory may move to any device. */
static bool has_room(uint32_t device, ze_memory_type_t type, size_t size) {
  if (type == ZE_MEMORY_TYPE_HOST) return true;
  const bool is_shared = type == ZE_MEMORY_TYPE_SHARED;
  for (uint32_t i = 0; i < zecl_cuda_device_count; i++) {
    if (!is_shared && i != device) continue;
    const size_t now = free_now(i);
    if (free_at_start[i] == 0) free_at_start[i] = now + taken[i];
    const size_t used = taken[i] + managed;
    if (used > free_at_start[i] || size > free_at_start[i] - used || (is_shared && size > now))
      return false;
  }
  return true;
}

static void count(uint32_t device, ze_memory_type_t type, size_t size, bool is_added) {
  size_t *counter = type == ZE_MEMORY_TYPE_SHARED ? &managed : &taken[device];
  if (type != ZE_MEMORY_TYPE_HOST) *counter = is_added ? *counter + size : *counter - size;
}

bool zecl_cuda_take_room(uint32_t device, size_t size) {
  pthread_mutex_lock(&lock);
  const bool good = has_room(device, ZE_MEMORY_TYPE_DEVICE, size);
  if (good) count(device, ZE_MEMORY_TYPE_DEVICE, size, true);
  pthread_mutex_unlock(&lock);
  return good;
}

void zecl_cuda_give_room(uint32_t device, size_t size) {
  pthread_mutex_lock(&lock);
  count(device, ZE_MEMORY_TYPE_DEVICE, size, false);
  pthread_mutex_unlock(&lock);
}

static CUresult take(ze_memory_type_t type, size_t size, CUdeviceptr *base) {
  void *host = NULL;
  CUresult error;
  switch (type) {
  case ZE_MEMORY_TYPE_HOST:
    error = zecl_cuda.alloc_host(&host, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    *base = (CUdeviceptr)(uintptr_t)host;
    return error;
  case ZE_MEMORY_TYPE_SHARED:
    return zecl_cuda.alloc_managed(base, size, CU_MEM_ATTACH_GLOBAL);
  default:
    return zecl_cuda.alloc_device(base, size);
  }
}

static void *allocate(uint32_t device, ze_memory_type_t type, size_t size, size_t alignment,
    void **origin, ze_result_t *error) {
  const bool is_host = type == ZE_MEMORY_TYPE_HOST;
  const size_t own = size < LARGE ? SMALL_ALIGNMENT : LARGE_ALIGNMENT;
  struct block *block = calloc(1, sizeof *block);
  *origin = NULL;
  *error = is_host ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  if (!block) return NULL;
  block->size = (size + PAGE - 1) & ~(size_t)(PAGE - 1); /* kernels run over the ends */
  if (alignment > own) block->size += alignment;
  pthread_mutex_lock(&lock);
  bool good = has_room(device, type, block->size) &&
              zecl_cuda_use(&zecl_cuda_devices[device]) == CUDA_SUCCESS &&
              take(type, block->size, &block->base) == CUDA_SUCCESS;
  if (good) count(device, type, block->size, true);
  pthread_mutex_unlock(&lock);
  if (!good) {
    free(block);
    return NULL;
  }
  *error = ZE_RESULT_SUCCESS;
  *origin = block;
  return (void *)(uintptr_t)((block->base + alignment - 1) & ~(CUdeviceptr)(alignment - 1));
}

static void release(uint32_t device, ze_memory_type_t type, void *origin) {
  struct block *block = origin;
  zecl_cuda_use(&zecl_cuda_devices[device]);
  if (block->is_external)
    zecl_cuda_external_give(block->base, block->size, block->file);
  else if (type == ZE_MEMORY_TYPE_HOST)
    zecl_cuda.free_host((void *)(uintptr_t)block->base);
  else
    zecl_cuda.free_device(block->base);
  pthread_mutex_lock(&lock);
  count(device, type, block->size, false);
  pthread_mutex_unlock(&lock);
  free(block);
}

/* Imported memory is counted too, since it may be another process's. */
static void *allocate_external(
    uint32_t device, size_t size, int imported, void **origin, ze_result_t *error) {
  struct block *block = calloc(1, sizeof *block);
  *origin = NULL;
  *error = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (!block) return NULL;
  block->is_external = true;
  block->size = zecl_cuda_external_size(size);
  *error = ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  if (zecl_cuda_take_room(device, block->size)) {
    block->base = zecl_cuda_external_take(device, block->size, imported, &block->file, error);
    if (!block->base) zecl_cuda_give_room(device, block->size);
  }
  if (!block->base) {
    free(block);
    return NULL;
  }
  *origin = block;
  return (void *)(uintptr_t)block->base;
}

static int external_file(void *origin) {
  return ((const struct block *)origin)->file;
}

_Static_assert(sizeof(CUipcMemHandle) <= ZE_MAX_IPC_HANDLE_SIZE, "a handle has room for CUDA's");

/* Another process gets the beginning of CUDA's allocation, which is not that of an aligned one. */
static bool ipc_name(void *origin, const void *base, char name[ZE_MAX_IPC_HANDLE_SIZE]) {
  const struct block *block = origin;
  CUipcMemHandle handle;
  if (block->base != (CUdeviceptr)(uintptr_t)base) return false;
  if (zecl_cuda.ipc_get(&handle, block->base) != CUDA_SUCCESS) return false;
  memset(name, 0, ZE_MAX_IPC_HANDLE_SIZE);
  memcpy(name, &handle, sizeof handle);
  return true;
}

static void *ipc_open(uint32_t device, const char name[ZE_MAX_IPC_HANDLE_SIZE], size_t *size) {
  CUipcMemHandle handle;
  CUdeviceptr base = 0, begin = 0;
  memcpy(&handle, name, sizeof handle);
  zecl_cuda_use(&zecl_cuda_devices[device]);
  if (zecl_cuda.ipc_open(&base, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) != CUDA_SUCCESS)
    return NULL;
  if (zecl_cuda.address_range(&begin, size, base) == CUDA_SUCCESS) return (void *)(uintptr_t)base;
  zecl_cuda.ipc_close(base);
  return NULL;
}

static void ipc_close(uint32_t device, void *base) {
  zecl_cuda_use(&zecl_cuda_devices[device]);
  zecl_cuda.ipc_close((CUdeviceptr)(uintptr_t)base);
}

static bool can_access_peer(uint32_t device, uint32_t peer) {
  int can = device == peer;
  if (!can)
    zecl_cuda.can_access_peer(
        &can, zecl_cuda_devices[device].device, zecl_cuda_devices[peer].device);
  return can != 0;
}

static bool enlist(void *base, size_t size) {
  zecl_cuda_use(&zecl_cuda_devices[0]);
  return zecl_cuda.host_register(base, size,
             CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP) == CUDA_SUCCESS;
}

static void delist(void *base) {
  zecl_cuda_use(&zecl_cuda_devices[0]);
  zecl_cuda.host_unregister(base);
}

const struct zecl_engine_memory zecl_cuda_memory = {.allocate = allocate,
    .free = release,
    .allocate_external = allocate_external,
    .external_file = external_file,
    .ipc_name = ipc_name,
    .ipc_open = ipc_open,
    .ipc_close = ipc_close,
    .can_access_peer = can_access_peer,
    .available = available,
    .enlist = enlist,
    .delist = delist,
    .virtual_memory = &zecl_cuda_virtual};
