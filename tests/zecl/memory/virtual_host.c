/* Virtual memory of the host: mappings of anonymous files. What is not mapped cannot be touched. */
#include "memory/virtual_memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

struct zecl_engine_physical {
  int file;
};

static size_t page(void) {
  return PAGE;
}

static int protection(ze_memory_access_attribute_t access) {
  switch (access) {
  case ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE:
    return PROT_READ | PROT_WRITE;
  case ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY:
    return PROT_READ;
  default:
    return PROT_NONE;
  }
}

static void *reserve(const void *start, size_t size) {
  void *base = mmap((void *)(uintptr_t)start, size, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return base == MAP_FAILED ? NULL : base;
}

static void give(void *base, size_t size) {
  munmap(base, size);
}

static void destroy(struct zecl_engine_physical *physical) {
  if (physical->file >= 0) close(physical->file);
  free(physical);
}

static struct zecl_engine_physical *create(uint32_t device, size_t size) {
  struct zecl_engine_physical *physical = malloc(sizeof *physical);
  (void)device;
  if (!physical) return NULL;
  physical->file = memfd_create("zecl-physical", MFD_CLOEXEC);
  if (physical->file >= 0 && ftruncate(physical->file, (off_t)size) == 0) return physical;
  destroy(physical);
  return NULL;
}

static ze_result_t map(void *at, size_t size, struct zecl_engine_physical *physical, size_t offset,
    ze_memory_access_attribute_t access) {
  return mmap(at, size, protection(access), MAP_SHARED | MAP_FIXED, physical->file,
             (off_t)offset) == MAP_FAILED
             ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY
             : ZE_RESULT_SUCCESS;
}

static ze_result_t unmap(void *at, size_t size) {
  return mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0) == MAP_FAILED
             ? ZE_RESULT_ERROR_UNKNOWN
             : ZE_RESULT_SUCCESS;
}

static ze_result_t set_access(void *at, size_t size, ze_memory_access_attribute_t access) {
  return mprotect(at, size, protection(access)) ? ZE_RESULT_ERROR_UNKNOWN : ZE_RESULT_SUCCESS;
}

static const struct zecl_engine_virtual of_host = {.page = page,
    .reserve = reserve,
    .give = give,
    .create = create,
    .destroy = destroy,
    .map = map,
    .unmap = unmap,
    .set_access = set_access};

const struct zecl_engine_virtual *zecl_virtual(void) {
  const struct zecl_engine_memory *memory = zecl_engine()->memory;
  return memory ? memory->virtual_memory : &of_host;
}
