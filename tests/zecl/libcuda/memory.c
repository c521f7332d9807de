/* Memory. An allocation of a device, and a managed one, has bytes elsewhere than at its address. */
#include "libcuda.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, LEAD = 256, LARGE = 2 << 20 };

struct range {
  struct range *next;
  char *mapping, *space; /* of the addresses, and of the bytes */
  char *base, *bytes;
  size_t size, mapped;
  enum libcuda_kind kind;
  int device;
  unsigned opened; /* how often, of memory of another process */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *ranges, *freed; /* freed ones keep their addresses */
static size_t used[LIBCUDA_MAX_DEVICES], managed;

static size_t total_of(int device) {
  size_t total = 0;
  cuDeviceTotalMem_v2(&total, device);
  return total;
}

static size_t free_of(int device) {
  return total_of(device) - used[device] - managed;
}

static struct range *find(struct range *first, CUdeviceptr address) {
  struct range *range = first;
  while (range && (address < (CUdeviceptr)(uintptr_t)range->base ||
                      address >= (CUdeviceptr)(uintptr_t)(range->base + range->size)))
    range = range->next;
  return range;
}

char *libcuda_bytes(const char *call, CUdeviceptr address, size_t size) {
  char *mapped = libcuda_mapped_bytes(call, address, size);
  if (mapped) return mapped;
  pthread_mutex_lock(&lock);
  const struct range *range = find(ranges, address);
  const bool was_freed = !range && find(freed, address);
  char *bytes = NULL;
  size_t room = 0;
  if (range) {
    const size_t offset = (size_t)(address - (CUdeviceptr)(uintptr_t)range->base);
    bytes = range->bytes + offset;
    room = range->size - offset;
  }
  pthread_mutex_unlock(&lock);
  if (was_freed) libcuda_broken("%s uses memory that was freed", call);
  if (!bytes) libcuda_broken("%s of memory that is not CUDA's", call);
  if (size > room) libcuda_broken("%s goes beyond the end of an allocation", call);
  return bytes;
}

static size_t *counter(const struct range *range) {
  return range->kind == LIBCUDA_MANAGED ? &managed : &used[range->device];
}

/* Device memory: the address is a mapping without rights, so that the host cannot use it. */
CUdeviceptr libcuda_allocate(enum libcuda_kind kind, int device, size_t size) {
  struct range *range = calloc(1, sizeof *range);
  const bool is_apart = kind == LIBCUDA_DEVICE_MEMORY;
  if (!range) return 0;
  range->size = size;
  const size_t lead = size < LARGE ? LEAD : 0; /* as CUDA, no more alignment than it promises */
  range->mapped = (lead + size + PAGE - 1) / PAGE * PAGE;
  range->kind = kind;
  range->device = device;
  range->mapping = mmap(NULL, range->mapped, is_apart ? PROT_NONE : PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  range->space = range->mapping;
  if (is_apart)
    range->space = mmap(NULL, range->mapped, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range->mapping == MAP_FAILED || range->space == MAP_FAILED)
    libcuda_broken("no more mappings");
  range->base = range->mapping + lead;
  range->bytes = range->space + lead;
  pthread_mutex_lock(&lock);
  if (kind != LIBCUDA_HOST) *counter(range) += size;
  range->next = ranges;
  ranges = range;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[kind], 1, __ATOMIC_SEQ_CST);
  return (CUdeviceptr)(uintptr_t)range->base;
}

/* The address stays taken, without rights: nothing else gets it. */
void libcuda_release(const char *call, enum libcuda_kind kind, CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  struct range **link = &ranges;
  while (*link && (CUdeviceptr)(uintptr_t)(*link)->base != address)
    link = &(*link)->next;
  struct range *range = *link;
  if (!range) libcuda_broken("%s of what is no allocation, or was freed", call);
  const bool fits =
      range->kind == kind || (range->kind == LIBCUDA_MANAGED && kind == LIBCUDA_DEVICE_MEMORY);
  if (!fits) libcuda_broken("%s of memory of another kind", call);
  *link = range->next;
  range->next = freed;
  freed = range;
  if (range->kind != LIBCUDA_HOST) *counter(range) -= range->size;
  if (range->space != range->mapping) munmap(range->space, range->mapped);
  mmap(range->mapping, range->mapped, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  pthread_mutex_unlock(&lock);
  __atomic_sub_fetch(&libcuda_counts[range->kind], 1, __ATOMIC_SEQ_CST);
}

CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  const int device = libcuda_context("cuMemGetInfo")->device;
  pthread_mutex_lock(&lock);
  *total = total_of(device);
  *free = free_of(device);
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

static CUresult allocate(const char *call, enum libcuda_kind kind, CUdeviceptr *to, size_t size) {
  const int device = libcuda_context(call)->device;
  if (size == 0) libcuda_broken("%s of nothing", call);
  pthread_mutex_lock(&lock);
  const size_t room = free_of(device);
  pthread_mutex_unlock(&lock);
  if (size > room && kind == LIBCUDA_MANAGED)
    libcuda_broken("%s: managed memory beyond what is free", call);
  if (size > room && kind == LIBCUDA_DEVICE_MEMORY) return CUDA_ERROR_OUT_OF_MEMORY;
  *to = libcuda_allocate(kind, device, size);
  return *to ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemAlloc_v2(CUdeviceptr *to, size_t size) {
  return allocate("cuMemAlloc", LIBCUDA_DEVICE_MEMORY, to, size);
}

CUresult cuMemAllocManaged(CUdeviceptr *to, size_t size, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL) libcuda_broken("cuMemAllocManaged with other flags");
  return allocate("cuMemAllocManaged", LIBCUDA_MANAGED, to, size);
}

CUresult cuMemHostAlloc(void **to, size_t size, unsigned flags) {
  CUdeviceptr address = 0;
  if (!(flags & CU_MEMHOSTALLOC_PORTABLE)) libcuda_broken("cuMemHostAlloc for one context only");
  const CUresult error = allocate("cuMemHostAlloc", LIBCUDA_HOST, &address, size);
  *to = (void *)(uintptr_t)address;
  return error;
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  libcuda_context("cuMemFree");
  libcuda_wait_for_all("cuMemFree");
  libcuda_release("cuMemFree", LIBCUDA_DEVICE_MEMORY, address);
  return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *address) {
  libcuda_context("cuMemFreeHost");
  libcuda_wait_for_all("cuMemFreeHost");
  libcuda_release("cuMemFreeHost", LIBCUDA_HOST, (CUdeviceptr)(uintptr_t)address);
  return CUDA_SUCCESS;
}

/* The process's own memory: its addresses stay what they are. */
CUresult cuMemHostRegister_v2(void *base, size_t size, unsigned flags) {
  libcuda_context("cuMemHostRegister");
  if (flags != (CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP))
    libcuda_broken("cuMemHostRegister with other flags");
  struct range *range = calloc(1, sizeof *range);
  if (!range) return CUDA_ERROR_OUT_OF_MEMORY;
  *range = (struct range){.base = base, .bytes = base, .size = size, .kind = LIBCUDA_REGISTERED};
  pthread_mutex_lock(&lock);
  if (find(ranges, (CUdeviceptr)(uintptr_t)base))
    libcuda_broken("cuMemHostRegister of what CUDA has already");
  range->next = ranges;
  ranges = range;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[LIBCUDA_REGISTERED], 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

/* The addresses may be other memory's from now on. */
CUresult cuMemHostUnregister(void *base) {
  libcuda_context("cuMemHostUnregister");
  libcuda_wait_for_all("cuMemHostUnregister");
  pthread_mutex_lock(&lock);
  struct range **link = &ranges;
  while (*link && ((*link)->base != base || (*link)->kind != LIBCUDA_REGISTERED))
    link = &(*link)->next;
  struct range *range = *link;
  if (!range) libcuda_broken("cuMemHostUnregister of what is not registered");
  *link = range->next;
  pthread_mutex_unlock(&lock);
  free(range);
  __atomic_sub_fetch(&libcuda_counts[LIBCUDA_REGISTERED], 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

static bool is_of_host(const struct range *range) {
  return range->kind == LIBCUDA_HOST || range->kind == LIBCUDA_REGISTERED;
}

CUresult cuPointerGetAttributes(
    unsigned count, CUpointer_attribute *what, void **answers, CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  const struct range *range = find(ranges, address);
  for (unsigned i = 0; i < count; i++) {
    unsigned *answer = answers[i];
    *answer = 0;
    if (range && what[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED)
      *answer = range->kind == LIBCUDA_MANAGED;
    if (range && what[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
      *answer = is_of_host(range) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    if (what[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE && libcuda_is_mapped(address))
      *answer = CU_MEMORYTYPE_DEVICE;
  }
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  const struct range *range = find(ranges, address);
  if (range) {
    *base = (CUdeviceptr)(uintptr_t)range->base;
    *size = range->size;
  }
  pthread_mutex_unlock(&lock);
  return range ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* Handles of this process: another one cannot open them. */
struct handle {
  CUdeviceptr address;
  pid_t process;
};

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
  const struct handle name = {address, getpid()};
  libcuda_bytes("cuIpcGetMemHandle", address, 1);
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &name, sizeof name);
  return CUDA_SUCCESS;
}

/* A second address of the same bytes, as another process would have: the same for all opens. */
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags) {
  struct handle name;
  libcuda_context("cuIpcOpenMemHandle");
  if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) libcuda_broken("cuIpcOpenMemHandle: flags");
  memcpy(&name, &handle, sizeof name);
  pthread_mutex_lock(&lock);
  const struct range *of = name.process == getpid() ? find(ranges, name.address) : NULL;
  struct range *range = of ? ranges : NULL;
  while (range && (range->opened == 0 || range->bytes != of->bytes))
    range = range->next;
  if (of && !range && (range = calloc(1, sizeof *range))) {
    *range = *of;
    range->base = mmap(NULL, of->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    range->next = ranges;
    ranges = range;
  }
  if (range) {
    range->opened++;
    *address = (CUdeviceptr)(uintptr_t)range->base;
  }
  pthread_mutex_unlock(&lock);
  return range ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  libcuda_context("cuIpcCloseMemHandle");
  libcuda_wait_for_all("cuIpcCloseMemHandle");
  pthread_mutex_lock(&lock);
  struct range **link = &ranges;
  while (*link && (CUdeviceptr)(uintptr_t)(*link)->base != address)
    link = &(*link)->next;
  struct range *range = *link;
  if (!range || range->opened == 0) libcuda_broken("cuIpcCloseMemHandle of what is not open");
  if (--range->opened == 0) {
    *link = range->next;
    range->bytes = range->base;
    range->next = freed;
    freed = range;
  }
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}
