/* Reserved addresses, physical memory and what is mapped where. The bytes of what is mapped stand
 * elsewhere, in the same order. */
#include "libcuda.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 2 << 20 };

struct physical {
  struct physical *older;
  size_t size;
  int file, device;
  bool is_released, leaves, is_imported; /* as a file descriptor */
};

struct page {
  bool is_mapped, is_first; /* of a mapping, which is unmapped as a whole */
  size_t size;              /* of the mapping */
  CUmemAccess_flags access[LIBCUDA_MAX_DEVICES];
};

struct reservation {
  struct reservation *older;
  char *base, *space;
  size_t size, mapped_count;
  bool is_free;
  struct page pages[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct physical *newest_physical; /* released ones too */
static struct reservation *newest;       /* and those that were given back */

static void check_pages(const char *call, CUdeviceptr at, size_t size) {
  if (!size || at % PAGE || size % PAGE) libcuda_broken("%s of parts of a page", call);
}

/* The caller holds the lock. */
static struct reservation *find(CUdeviceptr at) {
  struct reservation *found = newest;
  while (found && (found->is_free || at < (uintptr_t)found->base ||
                      at >= (uintptr_t)(found->base + found->size)))
    found = found->older;
  return found;
}

static struct page *pages_of(
    const char *call, struct reservation **of, CUdeviceptr at, size_t size) {
  check_pages(call, at, size);
  struct reservation *found = *of = find(at);
  if (!found || size > (uintptr_t)(found->base + found->size) - at)
    libcuda_broken("%s of what is not reserved", call);
  return found->pages + (at - (uintptr_t)found->base) / PAGE;
}

CUresult cuMemGetAllocationGranularity(
    size_t *size, const CUmemAllocationProp *properties, CUmemAllocationGranularity_flags which) {
  if (which != CU_MEM_ALLOC_GRANULARITY_MINIMUM ||
      properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    libcuda_broken("cuMemGetAllocationGranularity of another kind");
  *size = PAGE;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(
    CUdeviceptr *base, size_t size, size_t alignment, CUdeviceptr wish, unsigned long long flags) {
  check_pages("cuMemAddressReserve", wish, size);
  if (flags || alignment) libcuda_broken("cuMemAddressReserve: flags, or an alignment");
  struct reservation *made = calloc(1, sizeof *made + size / PAGE * sizeof *made->pages);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  char *room =
      mmap(NULL, size + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  made->base = (char *)(((uintptr_t)room + PAGE - 1) / PAGE * PAGE);
  made->space = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED || made->space == MAP_FAILED) libcuda_broken("no more mappings");
  made->size = size;
  pthread_mutex_lock(&lock);
  made->older = newest;
  newest = made;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[LIBCUDA_RESERVATIONS], 1, __ATOMIC_SEQ_CST);
  *base = (CUdeviceptr)(uintptr_t)made->base;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr base, size_t size) {
  struct reservation *of;
  pthread_mutex_lock(&lock);
  pages_of("cuMemAddressFree", &of, base, size);
  if ((uintptr_t)of->base != base || of->size != size)
    libcuda_broken("cuMemAddressFree of a part of a reservation");
  if (of->mapped_count) libcuda_broken("cuMemAddressFree of what is mapped");
  of->is_free = true;
  munmap(of->space, size);
  pthread_mutex_unlock(&lock);
  __atomic_sub_fetch(&libcuda_counts[LIBCUDA_RESERVATIONS], 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

static CUmemGenericAllocationHandle add_physical(struct physical physical) {
  struct physical *made = malloc(sizeof *made);
  if (!made) libcuda_broken("no more memory");
  *made = physical;
  pthread_mutex_lock(&lock);
  made->older = newest_physical;
  newest_physical = made;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[LIBCUDA_PHYSICAL], 1, __ATOMIC_SEQ_CST);
  return (CUmemGenericAllocationHandle)(uintptr_t)made;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
    const CUmemAllocationProp *properties, unsigned long long flags) {
  check_pages("cuMemCreate", 0, size);
  if (flags || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    libcuda_broken("cuMemCreate of another kind");
  const int file = memfd_create("libcuda", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)size)) libcuda_broken("no more files");
  *handle = add_physical((struct physical){.size = size,
      .file = file,
      .device = properties->location.id,
      .leaves = properties->requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR});
  return CUDA_SUCCESS;
}

/* The caller holds the lock. */
static struct physical *live(const char *call, CUmemGenericAllocationHandle handle) {
  struct physical *found = newest_physical;
  while (found && (uintptr_t)found != handle)
    found = found->older;
  if (!found) libcuda_broken("%s of what is no physical memory", call);
  if (found->is_released) libcuda_broken("%s of physical memory that was released", call);
  return found;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  pthread_mutex_lock(&lock);
  struct physical *physical = live("cuMemRelease", handle);
  physical->is_released = true;
  close(physical->file); /* what is mapped holds it */
  pthread_mutex_unlock(&lock);
  __atomic_sub_fetch(&libcuda_counts[LIBCUDA_PHYSICAL], 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void *handle, CUmemGenericAllocationHandle of,
    CUmemAllocationHandleType type, unsigned long long flags) {
  pthread_mutex_lock(&lock);
  const struct physical *physical = live("cuMemExportToShareableHandle", of);
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags || !physical->leaves)
    libcuda_broken("cuMemExportToShareableHandle of physical memory that was not made to leave");
  *(int *)handle = fcntl(physical->file, F_DUPFD_CLOEXEC, 0);
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

/* Any descriptor may be given, as programs get them from elsewhere. */
CUresult cuMemImportFromShareableHandle(
    CUmemGenericAllocationHandle *handle, void *from, CUmemAllocationHandleType type) {
  static const char wanted[] = "/memfd:libcuda";
  char path[32], target[sizeof wanted];
  struct stat status;
  const int file = (int)(intptr_t)from;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    libcuda_broken("cuMemImportFromShareableHandle of another kind");
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (readlink(path, target, strlen(wanted)) != (ssize_t)strlen(wanted) ||
      memcmp(target, wanted, strlen(wanted)) != 0 || fstat(file, &status))
    return CUDA_ERROR_INVALID_VALUE;
  *handle = add_physical((struct physical){.size = (size_t)status.st_size,
      .file = fcntl(file, F_DUPFD_CLOEXEC, 0),
      .is_imported = true});
  return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr at, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
    unsigned long long flags) {
  struct reservation *of;
  pthread_mutex_lock(&lock);
  struct page *pages = pages_of("cuMemMap", &of, at, size);
  const struct physical *physical = live("cuMemMap", handle);
  if (physical->is_imported && size > physical->size) {
    pthread_mutex_unlock(&lock);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (offset || flags || physical->size != size)
    libcuda_broken("cuMemMap of a part of physical memory");
  for (size_t i = 0; i < size / PAGE; i++) {
    if (pages[i].is_mapped) libcuda_broken("cuMemMap where something is mapped");
    pages[i] = (struct page){.is_mapped = true, .is_first = i == 0, .size = size};
  }
  of->mapped_count += size / PAGE;
  if (mmap(of->space + (at - (uintptr_t)of->base), size, PROT_READ | PROT_WRITE,
          MAP_SHARED | MAP_FIXED, physical->file, 0) == MAP_FAILED)
    libcuda_broken("no more mappings");
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr at, size_t size) {
  struct reservation *of;
  libcuda_wait_for_all("cuMemUnmap");
  pthread_mutex_lock(&lock);
  struct page *pages = pages_of("cuMemUnmap", &of, at, size);
  for (size_t i = 0; i < size / PAGE; i++) {
    if (!pages[i].is_mapped) libcuda_broken("cuMemUnmap of what is not mapped");
    if (pages[i].is_first ? pages[i].size > size - i * PAGE : i == 0)
      libcuda_broken("cuMemUnmap of a part of a mapping");
    pages[i] = (struct page){.is_mapped = false};
  }
  of->mapped_count -= size / PAGE;
  mmap(of->space + (at - (uintptr_t)of->base), size, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr at, size_t size, const CUmemAccessDesc *desc, size_t count) {
  struct reservation *of;
  pthread_mutex_lock(&lock);
  struct page *pages = pages_of("cuMemSetAccess", &of, at, size);
  for (size_t i = 0; i < size / PAGE; i++) {
    if (!pages[i].is_mapped) libcuda_broken("cuMemSetAccess of what is not mapped");
    for (size_t k = 0; k < count; k++)
      pages[i].access[desc[k].location.id] = desc[k].flags;
  }
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

char *libcuda_mapped_bytes(const char *call, CUdeviceptr at, size_t size) {
  char *bytes = NULL;
  pthread_mutex_lock(&lock);
  const struct reservation *of = find(at);
  if (of) {
    const size_t offset = (size_t)(at - (uintptr_t)of->base);
    if (size > of->size - offset) libcuda_broken("%s goes beyond the end of a reservation", call);
    for (size_t i = offset / PAGE; i < (offset + size + PAGE - 1) / PAGE; i++) {
      bool is_open = false;
      for (int k = 0; k < LIBCUDA_MAX_DEVICES; k++)
        is_open = is_open || of->pages[i].access[k] != CU_MEM_ACCESS_FLAGS_PROT_NONE;
      if (!of->pages[i].is_mapped) libcuda_broken("%s of addresses without memory", call);
      if (!is_open) libcuda_broken("%s of memory that no device has access to", call);
    }
    bytes = of->space + offset;
  }
  pthread_mutex_unlock(&lock);
  return bytes;
}

bool libcuda_is_mapped(CUdeviceptr at) {
  pthread_mutex_lock(&lock);
  const struct reservation *of = find(at);
  const bool is_mapped = of && of->pages[(at - (uintptr_t)of->base) / PAGE].is_mapped;
  pthread_mutex_unlock(&lock);
  return is_mapped;
}
