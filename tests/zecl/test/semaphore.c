/* External semaphores: an eventfd and a file with a value, which the engine on CUDA does not take
 * (they are semaphores of NVIDIA's graphics drivers there), but on the libcuda of the tests. */
#define _GNU_SOURCE
#include "support/slot.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATIENCE = 600 };

struct semaphore_desc { /* and those that it begins with */
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t flags; /* or the descriptor */
};

enum { OPAQUE = 1, TIMELINE = 1 << 7 };

static ze_result_t import_semaphore(uint32_t type, int file, void **semaphore) {
  const struct semaphore_desc fd = {(ze_structure_type_t)0x00020024, NULL, (uint32_t)file},
                              unknown = {(ze_structure_type_t)0x7ffffffe, &fd, 0},
                              desc = {(ze_structure_type_t)0x00020022, &unknown, type};
  *semaphore = NULL;
  return SLOT("zeGetDevice", 19, ze_device_handle_t, const void *, void **)(
      test_device(), &desc, semaphore);
}

static ze_result_t release_semaphore(void *semaphore) {
  return SLOT("zeGetDevice", 20, void *)(semaphore);
}

static ze_result_t use_semaphore(
    bool signals, ze_command_list_handle_t list, void *semaphore, uint64_t value) {
  struct {
    ze_structure_type_t stype;
    const void *pNext;
    uint64_t value;
  } params = {(ze_structure_type_t)(signals ? 0x00020025 : 0x00020026), NULL, value};
  return SLOT("zeGetCommandList", signals ? 34 : 35, ze_command_list_handle_t, uint32_t, void **,
      void *, ze_event_handle_t, uint32_t,
      ze_event_handle_t *)(list, 1, &semaphore, &params, NULL, 0, NULL);
}

/* Skips the case if the driver of CUDA is NVIDIA's, which refuses semaphores that are not its
 * own. */
static void needs_files(int file, uint32_t type) {
  void *semaphore;
  if (!test_on_cuda() || dlsym(RTLD_DEFAULT, "libcuda_live")) return;
  CHECK_EQ(import_semaphore(type, file, &semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  SKIP("CUDA takes the semaphores of NVIDIA's graphics drivers alone");
}

TEST(an_eventfd_is_a_semaphore) {
  const int file = eventfd(0, EFD_SEMAPHORE), other = dup(file);
  needs_files(file, OPAQUE);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t done = test_lone_event();
  uint64_t count = 2;
  void *semaphore;
  CHECK_EQ(import_semaphore(OPAQUE, STDERR_FILENO, &semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(import_semaphore(4, file, &semaphore), ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  OK(import_semaphore(OPAQUE, file, &semaphore));
  OK(use_semaphore(false, list, semaphore, 0));
  OK(use_semaphore(false, list, semaphore, 0));
  OK(zeCommandListAppendSignalEvent(list, done));
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  CHECK(write(other, &count, sizeof count) == (ssize_t)sizeof count);
  OK(zeEventHostSynchronize(done, PATIENCE * (uint64_t)TEST_SECOND));
  OK(use_semaphore(true, list, semaphore, 0));
  OK(SLOT("zeGetCommandList", 28, ze_command_list_handle_t, uint64_t)(list, UINT64_MAX));
  CHECK(read(other, &count, sizeof count) == (ssize_t)sizeof count);
  CHECK_EQ(count, 1);
  OK(use_semaphore(false, list, semaphore, 0));
  OK(release_semaphore(semaphore));
  RETURNS(ERROR_INVALID_ARGUMENT, release_semaphore(semaphore));
  RETURNS(ERROR_INVALID_ARGUMENT, use_semaphore(true, list, semaphore, 0));
  count = 1;
  /* A list on CUDA that waits ends with the signal, any other gives up the wait. */
  if (test_on_cuda()) CHECK(write(other, &count, sizeof count) == (ssize_t)sizeof count);
  OK(zeCommandListDestroy(list));
  CHECK(dup(file) < 0);
  close(other);
  OK(zeEventDestroy(done));
}

TEST(a_file_is_a_timeline) {
  const int file = memfd_create("timeline", 0), other = dup(file);
  needs_files(file, TIMELINE);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t done = test_lone_event();
  uint64_t value = 0;
  void *semaphore;
  CHECK_EQ(import_semaphore(TIMELINE, file, &semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(ftruncate(file, sizeof value) == 0);
  OK(import_semaphore(TIMELINE, file, &semaphore));
  OK(use_semaphore(true, list, semaphore, 5));
  OK(use_semaphore(false, list, semaphore, 5));
  OK(use_semaphore(true, list, semaphore, 4)); /* less than it is */
  OK(use_semaphore(false, list, semaphore, 7));
  OK(zeCommandListAppendSignalEvent(list, done));
  while (pread(other, &value, sizeof value, 0) == (ssize_t)sizeof value && value != 5)
    sched_yield();
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  value = 7;
  CHECK(pwrite(other, &value, sizeof value, 0) == (ssize_t)sizeof value);
  OK(zeEventHostSynchronize(done, PATIENCE * (uint64_t)TEST_SECOND));
  OK(release_semaphore(semaphore));
  OK(zeCommandListDestroy(list));
  close(other);
  OK(zeEventDestroy(done));
}

TEST_MAIN(an_eventfd_is_a_semaphore, a_file_is_a_timeline)
