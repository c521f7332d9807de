#include "events/semaphore.h"

#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "events/flag.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Between two checks of `cancel`: nothing wakes a thread that waits for other interfaces. */
enum { SLICE_MS = 10, NS_PER_MS = 1000000 };

static void finish(void *object) {
  struct zecl_semaphore *semaphore = object;
  if (semaphore->imported) zecl_engine()->streams->semaphore_release(semaphore->imported);
  if (semaphore->file >= 0) close(semaphore->file);
  if (semaphore->value) munmap((void *)semaphore->value, sizeof *semaphore->value);
}

void zecl_semaphore_release(struct zecl_semaphore *semaphore) {
  zecl_object_release(semaphore, sizeof *semaphore, finish);
}

static bool is_eventfd(int file) {
  static const char wanted[] = "anon_inode:[eventfd]";
  char path[32], target[sizeof wanted];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return readlink(path, target, sizeof target) == (ssize_t)strlen(wanted) &&
         memcmp(target, wanted, strlen(wanted)) == 0;
}

/* The value of a timeline; null for what is no file that has one. */
static _Atomic(uint64_t) *map_value(int file) {
  struct stat status;
  if (fstat(file, &status) || !S_ISREG(status.st_mode) || status.st_size < (off_t)sizeof(uint64_t))
    return NULL;
  void *value = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return value == MAP_FAILED ? NULL : value;
}

static ze_result_t import_file(struct zecl_semaphore *semaphore, int file, bool is_timeline) {
  _Atomic(uint64_t) *value = is_timeline ? map_value(file) : NULL;
  ZECL_REQUIRE(is_timeline ? value != NULL : is_eventfd(file), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  semaphore->value = value;
  semaphore->file = is_timeline ? -1 : file;
  if (is_timeline) close(file);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t import(ze_device_handle_t device, int file, bool is_timeline,
    ze_external_semaphore_ext_handle_t *handle) {
  const struct zecl_engine_streams *streams = zecl_engine()->streams;
  struct zecl_semaphore *semaphore = zecl_object_create(ZECL_SEMAPHORE, sizeof *semaphore);
  if (!semaphore) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  semaphore->file = -1;
  const ze_result_t result = streams
                                 ? streams->semaphore_import(zecl_device_of(device)->engine_index,
                                       file, is_timeline, &semaphore->imported)
                                 : import_file(semaphore, file, is_timeline);
  if (result != ZE_RESULT_SUCCESS) {
    zecl_object_kill(semaphore, ZECL_SEMAPHORE);
    zecl_semaphore_release(semaphore);
    return result;
  }
  *handle = (ze_external_semaphore_ext_handle_t)(void *)semaphore;
  return result;
}

ze_result_t zecl_zeDeviceImportExternalSemaphoreExt(ze_device_handle_t device,
    const ze_external_semaphore_ext_desc_t *desc, ze_external_semaphore_ext_handle_t *handle) {
  ZECL_ENTER(zeDeviceImportExternalSemaphoreExt);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  const ze_external_semaphore_fd_ext_desc_t *extension = desc->pNext;
  while (extension && (unsigned)extension->stype != ZECL_STYPE_EXTERNAL_SEMAPHORE_FD)
    extension = extension->pNext;
  ZECL_REQUIRE(extension, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(desc->flags == ZECL_SEMAPHORE_OPAQUE_FD || desc->flags == ZECL_SEMAPHORE_TIMELINE_FD,
      ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  ZECL_REQUIRE(extension->fd >= 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return import(device, extension->fd, desc->flags == ZECL_SEMAPHORE_TIMELINE_FD, handle);
}

ze_result_t zecl_zeDeviceReleaseExternalSemaphoreExt(ze_external_semaphore_ext_handle_t handle) {
  ZECL_ENTER(zeDeviceReleaseExternalSemaphoreExt);
  ZECL_CHECK_HANDLE(handle, ZECL_SEMAPHORE);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_SEMAPHORE), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_semaphore_release((struct zecl_semaphore *)(void *)handle);
  return ZE_RESULT_SUCCESS;
}

void zecl_semaphore_uses_free(struct zecl_semaphore_uses *uses) {
  for (uint32_t i = 0; i < uses->count; i++)
    zecl_semaphore_release(uses->uses[i].semaphore);
  free(uses);
}

/* The lower half of the value, on which other processes sleep. */
static atomic_uint *word_of(_Atomic(uint64_t) *value) {
  return (
      atomic_uint *)(void *)((char *)value + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 4));
}

static bool signal_one(const struct zecl_semaphore_use *use) {
  _Atomic(uint64_t) *value = use->semaphore->value;
  const uint64_t one = 1;
  if (!value) return write(use->semaphore->file, &one, sizeof one) == (ssize_t)sizeof one;
  uint64_t seen = atomic_load(value);
  while (seen < use->value && !atomic_compare_exchange_weak(value, &seen, use->value))
    continue;
  zecl_flag_wake(word_of(value), true);
  return true;
}

static ze_result_t take(const struct zecl_semaphore *semaphore, short events) {
  uint64_t taken;
  if (!(events & POLLIN)) return events ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_NOT_READY;
  return read(semaphore->file, &taken, sizeof taken) == (ssize_t)sizeof taken
             ? ZE_RESULT_SUCCESS
             : ZE_RESULT_ERROR_DEVICE_LOST;
}

/* NOT_READY after a slice. */
static ze_result_t wait_for_one(const struct zecl_semaphore_use *use) {
  _Atomic(uint64_t) *value = use->semaphore->value;
  if (!value) {
    struct pollfd counter = {.fd = use->semaphore->file, .events = POLLIN};
    poll(&counter, 1, SLICE_MS);
    return take(use->semaphore, counter.revents);
  }
  const uint64_t seen = atomic_load(value);
  if (seen >= use->value) return ZE_RESULT_SUCCESS;
  zecl_futex_wait_shared(
      word_of(value), (unsigned)seen, zecl_deadline((uint64_t)SLICE_MS * NS_PER_MS));
  return ZE_RESULT_NOT_READY;
}

static ze_result_t use_one(
    const struct zecl_semaphore_use *use, bool signals, const atomic_bool *cancel) {
  if (signals) return signal_one(use) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_DEVICE_LOST;
  ze_result_t result;
  do
    result = wait_for_one(use);
  while (result == ZE_RESULT_NOT_READY && !atomic_load(cancel));
  return result;
}

ze_result_t zecl_semaphore_uses_run(
    const struct zecl_semaphore_uses *uses, const atomic_bool *cancel) {
  for (uint32_t i = 0; i < uses->count; i++)
    ZECL_TRY(use_one(&uses->uses[i], uses->signals, cancel));
  return ZE_RESULT_SUCCESS;
}
