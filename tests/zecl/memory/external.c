#include "memory/external.h"

#include "core/check.h"
#include "core/device.h"
#include "engine/engine.h"
#include "memory/ipc_file.h"
#include "memory/memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ENGINE_ALIGNMENT: an engine's memory is whole pages of that size. */
enum { PAGE = 4096, ENGINE_ALIGNMENT = 2 << 20, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static const ze_base_desc_t *find(const void *next, ze_structure_type_t stype) {
  const ze_base_desc_t *extension = next;
  while (extension && extension->stype != stype)
    extension = extension->pNext;
  return extension;
}

static const ze_external_memory_import_fd_t *import_of(const void *next) {
  return (const void *)find(next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
}

static const ze_external_memory_export_desc_t *export_of(const void *next) {
  return (const void *)find(next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC);
}

ze_external_memory_type_flags_t zecl_external_types(void) {
  return ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
}

bool zecl_external_is_wanted(const void *next) {
  return import_of(next) || export_of(next);
}

/* Checks that the file is an allocation of this driver, in any process, with at least as many
 * bytes. */
static ze_result_t check_file(int file, size_t size) {
  struct stat status;
  ZECL_REQUIRE(fcntl(file, F_GET_SEALS) == SEALS && fstat(file, &status) == 0,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(size <= (size_t)status.st_size, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_types(const void *next) {
  const ze_external_memory_import_fd_t *import = import_of(next);
  const ze_external_memory_export_desc_t *export = export_of(next);
  const uint32_t type = import ? import->flags : export->flags;
  ZECL_REQUIRE(!(import && export) && type != 0 && (type & ~zecl_external_types()) == 0,
      ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_external_take_of_engine(
    const void *next, size_t alignment, struct zecl_allocation *allocation) {
  const ze_external_memory_import_fd_t *import = import_of(next);
  ze_result_t error;
  ZECL_TRY(check_types(next));
  ZECL_REQUIRE(alignment <= ENGINE_ALIGNMENT, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  ZECL_REQUIRE(!import || import->fd >= 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  allocation->base = zecl_engine()->memory->allocate_external(zecl_device_index(allocation->device),
      allocation->size, import ? import->fd : -1, &allocation->origin, &error);
  if (!allocation->base) return error;
  allocation->is_external = true;
  if (import) close(import->fd);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_external_take(
    const void *next, size_t size, size_t alignment, struct zecl_shared_range **range) {
  const ze_external_memory_import_fd_t *import = import_of(next);
  ZECL_TRY(check_types(next));
  if (import) ZECL_TRY(check_file(import->fd, size));
  const size_t whole = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
  struct zecl_shared_range *made = malloc(sizeof *made);
  const int file = import ? import->fd : zecl_ipc_file_new(whole, F_SEAL_GROW);
  char *base = made && file >= 0 ? zecl_ipc_map(file, 0, whole, alignment) : NULL;
  if (!base) {
    if (!import && file >= 0) close(file);
    free(made);
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  *made = (struct zecl_shared_range){
      .base = base, .size = whole, .offset = import ? -1 : 0, .file = import ? -1 : file};
  if (import) close(file);
  *range = made;
  return ZE_RESULT_SUCCESS;
}

/* -1 of what does not leave. */
static int file_of(const struct zecl_allocation *allocation) {
  if (allocation->is_external) return zecl_engine()->memory->external_file(allocation->origin);
  return allocation->shared ? allocation->shared->file : -1;
}

ze_result_t zecl_external_export(const struct zecl_allocation *allocation, void *next) {
  for (ze_base_properties_t *wanted = next; wanted; wanted = wanted->pNext) {
    if (wanted->stype != ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD) continue;
    ze_external_memory_export_fd_t *export = (void *)wanted;
    ZECL_REQUIRE(export->flags != 0 && (export->flags & ~zecl_external_types()) == 0,
        ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    const int file = file_of(allocation);
    ZECL_REQUIRE(file >= 0, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    export->fd = file;
  }
  return ZE_RESULT_SUCCESS;
}
