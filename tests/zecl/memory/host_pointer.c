/* Host memory that programs register, by the names that Intel's driver has for it. Devices use all
 * memory of the host in place, so that a registration is a note of the range alone, but for engines
 * that have memory of their own. */
#include "commands/stream.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"

#include <pthread.h>
#include <stdlib.h>

struct registered {
  struct registered *next;
  char *base;
  size_t size;
  bool is_enlisted; /* what the engine does not take stays a note: copies go through its own */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct registered *all;

/* The link to a range that overlaps, or at its end. */
static struct registered **find(const char *base, size_t size) {
  struct registered **link = &all;
  while (*link && (base >= (*link)->base + (*link)->size || (*link)->base >= base + size))
    link = &(*link)->next;
  return link;
}

ze_result_t zecl_zexDriverImportExternalPointer(
    ze_driver_handle_t handle, void *pointer, size_t size) {
  ZECL_ENTER(zexDriverImportExternalPointer);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(pointer);
  ZECL_REQUIRE(
      size != 0 && size <= UINTPTR_MAX - (uintptr_t)pointer, ZE_RESULT_ERROR_INVALID_SIZE);
  struct registered *added = malloc(sizeof *added);
  if (!added) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *added = (struct registered){.base = pointer, .size = size};
  pthread_mutex_lock(&lock);
  struct registered **end = find(pointer, size);
  const bool overlaps = *end != NULL;
  if (!overlaps) {
    const struct zecl_engine_memory *memory = zecl_engine()->memory;
    added->is_enlisted = memory && memory->enlist(pointer, size);
    *end = added;
  }
  pthread_mutex_unlock(&lock);
  if (overlaps) free(added);
  return overlaps ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_SUCCESS;
}

static void delist(void *base) {
  zecl_engine()->memory->delist(base);
}

/* The pointer must be the first byte of a registration. */
ze_result_t zecl_zexDriverReleaseImportedPointer(ze_driver_handle_t handle, void *pointer) {
  ZECL_ENTER(zexDriverReleaseImportedPointer);
  ZECL_CHECK_HANDLE(handle, ZECL_DRIVER);
  ZECL_CHECK_POINTER(pointer);
  pthread_mutex_lock(&lock);
  struct registered **link = find(pointer, 1), *found = *link;
  if (found && found->base == pointer)
    *link = found->next;
  else
    found = NULL;
  pthread_mutex_unlock(&lock);
  const bool was_there = found != NULL;
  if (was_there && found->is_enlisted) zecl_streams_defer(delist, found->base);
  free(found);
  return was_there ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}
