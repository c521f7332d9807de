/* Memory between processes. All shared memory of a process is in one anonymous file, each
 * allocation at a place of its own, but for what can be exported (external.h). A handle names the
 * file, by its number here, this process and its inode, and the place. It begins with the number,
 * so that what sends a handle may send the file beside it (SCM_RIGHTS) and write the number that it
 * has there; else the file is opened through /proc. With ZECL_IPC=descriptor each allocation has a
 * file of its own, and a handle is the number alone: the importer's own descriptor.
 *
 * A handle may be a hostile peer's: only sealed files of this driver are mapped, which no process
 * can truncate while they are. */
#include "memory/ipc_file.h"

#include "commands/stream.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "memory/memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

_Static_assert(sizeof(struct zecl_ipc_name) <= ZE_MAX_IPC_HANDLE_SIZE, "a handle has room for it");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static int owner; /* a forked child begins a file of its own */
static off_t end;

static bool is_enabled, is_descriptor;

__attribute__((constructor)) static void read_variable(void) {
  const char *asked = secure_getenv("ZECL_IPC");
  is_descriptor = asked && strcmp(asked, "descriptor") == 0;
  is_enabled = is_descriptor || (asked && strcmp(asked, "1") == 0);
}

bool zecl_ipc_is_wanted(void) {
  return is_enabled;
}

bool zecl_ipc_is_descriptor(void) {
  return is_descriptor;
}

/* A place for that many bytes at the end of the file; negative when there is none. */
static off_t extend(size_t size) {
  off_t place = -1;
  pthread_mutex_lock(&lock);
  if (file < 0 || owner != getpid()) {
    file = zecl_ipc_file_new(0, 0);
    owner = getpid();
    end = 0;
  }
  if (file >= 0 && ftruncate(file, end + (off_t)size) == 0) {
    place = end;
    end += (off_t)size;
  }
  pthread_mutex_unlock(&lock);
  return place;
}

char *zecl_ipc_map(int from, off_t offset, size_t size, size_t alignment) {
  const size_t room = size + (alignment > PAGE ? alignment : 0);
  char *space = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return NULL;
  const uintptr_t wish = alignment > PAGE ? alignment - 1 : 0;
  char *base = (char *)(((uintptr_t)space + wish) & ~wish);
  if (base > space) munmap(space, (size_t)(base - space));
  if (space + room > base + size) munmap(base + size, (size_t)(space + room - (base + size)));
  if (mmap(base, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, from, offset) != MAP_FAILED)
    return base;
  munmap(base, size);
  return NULL;
}

char *zecl_ipc_take(size_t size, size_t alignment, struct zecl_shared_range **range) {
  struct zecl_shared_range *made = malloc(sizeof *made);
  *range = NULL;
  if (!made) return NULL;
  made->named = 0;
  made->size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
  made->file = is_descriptor ? zecl_ipc_file_new(size, F_SEAL_GROW) : -1;
  made->offset = is_descriptor ? 0 : extend(made->size);
  const int from = is_descriptor ? made->file : file;
  made->base =
      from < 0 || made->offset < 0 ? NULL : zecl_ipc_map(from, made->offset, made->size, alignment);
  if (!made->base) {
    if (made->file >= 0) close(made->file);
    free(made);
    return NULL;
  }
  *range = made;
  return made->base;
}

void *zecl_ipc_base(const struct zecl_shared_range *range) {
  return range->base;
}

size_t zecl_ipc_size(const struct zecl_shared_range *range) {
  return range->size;
}

/* The file's pages go with the last mapping here, unless a handle names them that was not put: then
 * with this process, and with the last one that maps them. */
void zecl_ipc_give(struct zecl_shared_range *range) {
  munmap(range->base, range->size);
  if (range->file >= 0)
    close(range->file);
  else if (range->offset >= 0 && owner == getpid() &&
           __atomic_load_n(&range->named, __ATOMIC_RELAXED) == 0)
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, range->offset, (off_t)range->size);
  free(range);
}

bool zecl_ipc_name(const struct zecl_shared_range *range, size_t size, struct zecl_ipc_name *name) {
  struct stat status;
  const int from = range->file >= 0 ? range->file : file;
  if (is_descriptor && range->file >= 0) {
    *name = (struct zecl_ipc_name){.file = range->file};
    return true;
  }
  if (range->offset < 0 || (range->file < 0 && owner != getpid()) || fstat(from, &status))
    return false; /* imported, of the parent, or lost */
  *name = (struct zecl_ipc_name){.file = from,
      .process = getpid(),
      .device = status.st_dev,
      .inode = status.st_ino,
      .offset = (uint64_t)range->offset,
      .size = size,
      .base = (uint64_t)(uintptr_t)range->base};
  return true;
}

/* Device memory of an engine has names of the engine's. */
static ze_result_t name_engine_memory(
    ze_context_handle_t context, const void *pointer, ze_ipc_mem_handle_t *answer) {
  struct zecl_allocation found;
  ZECL_REQUIRE(zecl_memory_find(zecl_context_of(context), pointer, &found) && !found.is_opened &&
                   found.type == ZE_MEMORY_TYPE_DEVICE,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(zecl_engine()->memory->ipc_name(found.origin, found.base, answer->data),
      ZE_RESULT_ERROR_UNKNOWN);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t open_engine_memory(struct zecl_context *context, struct zecl_device *device,
    const ze_ipc_mem_handle_t *given, void **pointer) {
  const struct zecl_engine_memory *memory = zecl_engine()->memory;
  size_t size = 0;
  void *base = memory->ipc_open(device->engine_index, given->data, &size);
  ZECL_REQUIRE(base, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const struct zecl_allocation allocation = {.base = base,
      .size = size,
      .type = ZE_MEMORY_TYPE_DEVICE,
      .device = device,
      .context = context,
      .is_opened = true};
  const ze_result_t result = zecl_memory_add(&allocation);
  if (result != ZE_RESULT_SUCCESS)
    memory->ipc_close(device->engine_index, base);
  else
    *pointer = base;
  return result;
}

static void close_engine_memory(void *object) {
  struct zecl_allocation *allocation = object;
  zecl_engine()->memory->ipc_close(allocation->device->engine_index, allocation->base);
  free(allocation);
}

static ze_result_t name_memory(
    ze_context_handle_t context, const void *pointer, ze_ipc_mem_handle_t *answer) {
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(pointer);
  ZECL_CHECK_POINTER(answer);
  if (zecl_engine()->memory) return name_engine_memory(context, pointer, answer);
  ZECL_REQUIRE(zecl_ipc_is_wanted(), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_allocation found;
  struct zecl_ipc_name name;
  ZECL_REQUIRE(zecl_memory_find(zecl_context_of(context), pointer, &found) && found.shared &&
                   !found.is_opened,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(zecl_ipc_name(found.shared, found.size, &name), ZE_RESULT_ERROR_UNKNOWN);
  memset(answer, 0, sizeof *answer);
  memcpy(answer, &name, sizeof name);
  __atomic_fetch_add(&found.shared->named, 1, __ATOMIC_RELAXED);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeMemGetIpcHandle(
    ze_context_handle_t context, const void *pointer, ze_ipc_mem_handle_t *answer) {
  ZECL_ENTER(zeMemGetIpcHandle);
  return name_memory(context, pointer, answer);
}

ze_result_t zecl_zeMemGetIpcHandleWithProperties(
    ze_context_handle_t context, const void *pointer, void *next, ze_ipc_mem_handle_t *answer) {
  ZECL_ENTER(zeMemGetIpcHandleWithProperties);
  const struct handle_type {
    ze_structure_type_t stype;
    const struct handle_type *pNext;
    uint32_t flags;
  } *type = next;
  for (; type; type = type->pNext)
    ZECL_REQUIRE(
        (unsigned)type->stype != ZECL_STYPE_IPC_MEM_HANDLE_TYPE || !(type->flags & ZECL_IPC_FABRIC),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return name_memory(context, pointer, answer);
}

/* A handle whose allocation was freed has nothing left to put. */
ze_result_t zecl_zeMemPutIpcHandle(ze_context_handle_t context, ze_ipc_mem_handle_t given) {
  ZECL_ENTER(zeMemPutIpcHandle);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  struct zecl_ipc_name name;
  struct zecl_allocation found;
  if (zecl_engine()->memory || is_descriptor) return ZE_RESULT_SUCCESS; /* nothing is kept for it */
  memcpy(&name, &given, sizeof name);
  ZECL_REQUIRE(name.event_count == 0 && name.process == getpid() && name.size != 0,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (!zecl_memory_find(zecl_context_of(context), (void *)(uintptr_t)name.base, &found) ||
      !found.shared || found.shared->offset != (off_t)name.offset)
    return ZE_RESULT_SUCCESS;
  ZECL_REQUIRE(__atomic_load_n(&found.shared->named, __ATOMIC_RELAXED) != 0,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  __atomic_fetch_sub(&found.shared->named, 1, __ATOMIC_RELAXED);
  return ZE_RESULT_SUCCESS;
}

char *zecl_ipc_open(struct zecl_ipc_name *name, struct zecl_shared_range **opened) {
  *opened = NULL;
  if (is_descriptor && (name->process != 0 || !zecl_ipc_file_complete(name))) return NULL;
  if (name->size == 0 || name->offset % PAGE != 0) return NULL;
  struct zecl_shared_range *range = malloc(sizeof *range);
  const int from = zecl_ipc_file_open(name);
  if (range && from >= 0) {
    range->size = ((size_t)name->size + PAGE - 1) & ~(size_t)(PAGE - 1);
    range->offset = -1; /* the file is not ours to change */
    range->file = -1;
    range->named = 0;
    range->base = zecl_ipc_map(from, (off_t)name->offset, range->size, PAGE);
  }
  if (from >= 0) close(from);
  if (range && from >= 0 && range->base) {
    *opened = range;
    return range->base;
  }
  free(range);
  return NULL;
}

ze_result_t zecl_zeMemOpenIpcHandle(ze_context_handle_t context, ze_device_handle_t device,
    ze_ipc_mem_handle_t given, ze_ipc_memory_flags_t flags, void **pointer) {
  ZECL_ENTER(zeMemOpenIpcHandle);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(pointer);
  *pointer = NULL;
  ZECL_REQUIRE(flags <= (ZE_IPC_MEMORY_FLAG_BIAS_CACHED | ZE_IPC_MEMORY_FLAG_BIAS_UNCACHED),
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  if (zecl_engine()->memory)
    return open_engine_memory(zecl_context_of(context), zecl_device_of(device), &given, pointer);
  ZECL_REQUIRE(zecl_ipc_is_wanted(), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_ipc_name name;
  struct zecl_shared_range *range;
  memcpy(&name, &given, sizeof name);
  ZECL_REQUIRE(
      name.event_count == 0 && zecl_ipc_open(&name, &range), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const struct zecl_allocation allocation = {.base = range->base,
      .size = (size_t)name.size,
      .type = ZE_MEMORY_TYPE_DEVICE,
      .device = zecl_device_of(device),
      .context = zecl_context_of(context),
      .shared = range,
      .is_opened = true};
  const ze_result_t result = zecl_memory_add(&allocation);
  if (result != ZE_RESULT_SUCCESS)
    zecl_ipc_give(range);
  else
    *pointer = range->base;
  return result;
}

ze_result_t zecl_zeMemCloseIpcHandle(ze_context_handle_t context, const void *pointer) {
  ZECL_ENTER(zeMemCloseIpcHandle);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(pointer);
  const bool is_engines = zecl_engine()->memory != NULL;
  ZECL_REQUIRE(zecl_ipc_is_wanted() || is_engines, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_allocation taken;
  ZECL_REQUIRE(zecl_memory_take(zecl_context_of(context), pointer, true, &taken),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_allocation *copy = is_engines ? malloc(sizeof *copy) : NULL;
  if (copy) {
    *copy = taken;
    zecl_streams_defer(close_engine_memory, copy);
  } else if (!is_engines) {
    zecl_ipc_give(taken.shared);
  }
  return ZE_RESULT_SUCCESS;
}
