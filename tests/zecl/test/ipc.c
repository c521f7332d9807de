/* Device memory between processes, with ZECL_IPC=1, and pools of events, which are always there. */
#define _GNU_SOURCE
#include "memory/ipc.h"
#include "support/programs.h"
#include "support/slot.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { COUNT = 3000 };

static int *device_memory(size_t size, size_t alignment) {
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void *memory = NULL;
  OK(zeMemAllocDevice(test_context(), &desc, size, alignment, test_device(), &memory));
  return memory;
}

static void put(int *to, int value) {
  test_copy(to, &value, sizeof value);
}

static int get(const int *from) {
  int value = 0;
  test_copy(&value, from, sizeof value);
  return value;
}

/* The use of a handle by another program, with Level Zero alone. Returns the number of its
 * failures. */
static int other_process(int link) {
  ze_ipc_mem_handle_t handle;
  void *opened = NULL;
  if (!receive_handle(link, &handle, sizeof handle, 1)) return 1;
  if (zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened)) return 2;
  int numbers[COUNT];
  test_copy(numbers, opened, sizeof numbers);
  for (int i = 0; i < COUNT; i++)
    if (numbers[i] != i) return 3;
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  const int seven = 7;
  if (zeCommandListAppendMemoryFill(
          list, opened, &seven, sizeof seven, COUNT * sizeof seven, NULL, 0, NULL))
    return 4;
  if (zeMemFree(test_context(), opened) != ZE_RESULT_ERROR_INVALID_ARGUMENT) return 5;
  if (zeMemCloseIpcHandle(test_context(), opened)) return 6;
  return zeMemCloseIpcHandle(test_context(), opened) == ZE_RESULT_ERROR_INVALID_ARGUMENT ? 0 : 7;
}

TEST(another_program_maps_it) {
  int links[2];
  const pid_t child = begin_program("the_other_program", links);
  int *memory = device_memory(COUNT * sizeof *memory, 0);
  device_memory(1, 0);
  int numbers[COUNT];
  for (int i = 0; i < COUNT; i++)
    numbers[i] = i;
  test_copy(memory, numbers, sizeof numbers);
  ze_ipc_mem_handle_t handle;
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  CHECK(send_handle(links[0], &handle, sizeof handle));
  end_program(child, links);
  CHECK(get(memory) == 7 && get(memory + COUNT - 1) == 7);
  OK(zeMemFree(test_context(), memory));
}

TEST(the_other_program) {
  const char *link = getenv("ZECL_TEST_LINK");
  if (!link) SKIP("it is begun by the case before");
  _exit(other_process(atoi(link)));
}

/* A handle that is a descriptor is invalid in another program without its file. */
TEST(a_number_alone_names_nothing) {
  if (!handles_are_descriptors()) SKIP("handles are opened through /proc, or the engine's");
  int links[2];
  const pid_t child = begin_program("the_program_without_the_file", links);
  int *memory = device_memory(100, 0);
  ze_ipc_mem_handle_t handle;
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  const int file = *(const int *)(const void *)handle.data, far = fcntl(file, F_DUPFD_CLOEXEC, 200);
  struct stat status;
  CHECK(fstat(file, &status) == 0);
  CHECK_EQ(status.st_size, 100);
  for (size_t i = sizeof file; i < sizeof handle; i++)
    CHECK_EQ(handle.data[i], 0);
  memcpy(handle.data, &far, sizeof far);
  CHECK(send_handle(links[0], &handle, sizeof handle));
  end_program(child, links);
  close(far);
  OK(zeMemFree(test_context(), memory));
}

TEST(the_program_without_the_file) {
  const char *link = getenv("ZECL_TEST_LINK");
  if (!link) SKIP("it is begun by the case before");
  ze_ipc_mem_handle_t handle;
  void *opened;
  if (!receive_handle(atoi(link), &handle, sizeof handle, 0)) _exit(1);
  _exit(zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened) ==
                ZE_RESULT_ERROR_INVALID_ARGUMENT
            ? 0
            : 2);
}

/* The name of the first page of a file of this process. */
static ze_ipc_mem_handle_t handle_of(int file) {
  ze_ipc_mem_handle_t handle;
  struct stat status;
  CHECK(fstat(file, &status) == 0);
  const struct zecl_ipc_name name = {.file = file,
      .process = handles_are_descriptors() ? 0 : getpid(),
      .device = status.st_dev,
      .inode = status.st_ino,
      .size = 4096};
  memset(&handle, 0, sizeof handle);
  memcpy(&handle, &name, sizeof name);
  return handle;
}

static void refuses_file(int file) {
  void *opened = NULL;
  CHECK(file >= 0 && ftruncate(file, 8192) == 0);
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeMemOpenIpcHandle(test_context(), test_device(), handle_of(file), 0, &opened));
  CHECK(opened == NULL);
  close(file);
}

/* A peer may name any file that this process has open. */
TEST(only_files_of_the_driver_are_opened) {
  if (test_on_cuda()) SKIP("the handles are CUDA's");
  char name[] = "/tmp/zecl-XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  refuses_file(file);
  refuses_file(memfd_create("zecl", MFD_CLOEXEC));
  const int others = memfd_create("another", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  CHECK(
      ftruncate(others, 8192) == 0 && fcntl(others, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) == 0);
  refuses_file(others);
}

/* Else a peer ends this process, by SIGBUS. */
TEST(no_peer_truncates_memory) {
  if (test_on_cuda()) SKIP("the handles are CUDA's");
  int *memory = device_memory(100, 0);
  ze_ipc_mem_handle_t handle;
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  const int file = *(const int *)(const void *)handle.data;
  CHECK(ftruncate(file, 0) != 0);
  put(memory, 5);
  CHECK_EQ(get(memory), 5);
  OK(zeMemFree(test_context(), memory));
}

enum { CALL, ANSWER, BACK, TOGETHER, ROUNDS = 200, PATIENCE = 600 };

/* Hears the call, which ends its wait in the kernel, answers it by a device, and echoes each round.
 */
static int other_process_of_events(int link) {
  ze_ipc_event_pool_handle_t handle;
  ze_event_pool_handle_t pool;
  if (!receive_handle(link, &handle, sizeof handle, 1)) return 1;
  if (zeEventPoolOpenIpcHandle(test_context(), handle, &pool)) return 2;
  if (zeEventPoolDestroy(pool) != ZE_RESULT_ERROR_INVALID_ARGUMENT) return 3;
  if (zeEventPoolGetIpcHandle(pool, &handle) != ZE_RESULT_ERROR_INVALID_ARGUMENT) return 4;
  ze_event_handle_t call = test_event(pool, CALL), answer = test_event(pool, ANSWER),
                    back = test_event(pool, BACK);
  if (write(link, "r", 1) != 1) return 5;
  for (int i = 0; i < ROUNDS; i++) {
    if (zeEventHostSynchronize(call, PATIENCE * (uint64_t)TEST_SECOND)) return 6;
    if (zeEventHostReset(call)) return 7;
    ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
    if (zeCommandListAppendSignalEvent(list, answer)) return 8;
    if (zeCommandListDestroy(list)) return 9;
  }
  ze_kernel_timestamp_result_t stamps;
  if (zeEventQueryKernelTimestamp(back, &stamps) != ZE_RESULT_ERROR_INVALID_ARGUMENT) return 10;
  if (zeEventHostSynchronize(back, PATIENCE * (uint64_t)TEST_SECOND)) return 11;
  if (zeEventDestroy(call) || zeEventDestroy(answer) || zeEventDestroy(back)) return 12;
  if (zeEventPoolCloseIpcHandle(pool)) return 13;
  return zeEventPoolCloseIpcHandle(pool) == ZE_RESULT_ERROR_INVALID_ARGUMENT ? 0 : 14;
}

TEST(events_between_programs) {
  int links[2];
  const pid_t child = begin_program("the_other_program_of_events", links);
  ze_event_pool_handle_t pool =
      test_pool(ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_HOST_VISIBLE, TOGETHER);
  ze_event_handle_t call = test_event(pool, CALL), answer = test_event(pool, ANSWER),
                    back = test_event(pool, BACK);
  ze_ipc_event_pool_handle_t handle;
  OK(zeEventPoolGetIpcHandle(pool, &handle));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventPoolCloseIpcHandle(pool));
  CHECK(send_handle(links[0], &handle, sizeof handle));
  char ready;
  CHECK(read(links[0], &ready, 1) == 1);
  /* The device's thread waits in a list: only the other program's signal ends the wait. */
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  int *count = test_shared(2 * sizeof *count);
  for (int i = 0; i < ROUNDS; i++) {
    const int round = i + 1;
    ze_event_handle_t filled = test_lone_event();
    OK(zeCommandListAppendMemoryFill(
        list, count, &round, sizeof round, sizeof round, filled, 1, &answer));
    RETURNS(NOT_READY, zeEventQueryStatus(filled));
    OK(zeEventHostSignal(call));
    OK(zeEventHostSynchronize(filled, PATIENCE * (uint64_t)TEST_SECOND));
    CHECK_EQ(*count, round);
    OK(zeEventHostReset(answer));
    OK(zeEventDestroy(filled));
  }
  OK(zeEventHostSignal(back));
  end_program(child, links);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(call));
  OK(zeEventDestroy(answer));
  OK(zeEventDestroy(back));
  OK(zeEventPoolDestroy(pool));
  test_free(count);
}

TEST(the_other_program_of_events) {
  const char *link = getenv("ZECL_TEST_LINK");
  if (!link) SKIP("it is begun by the case before");
  _exit(other_process_of_events(atoi(link)));
}

/* A handle of one kind is invalid as the other, and junk is invalid as both. */
TEST(handles_of_pools_are_refused) {
  ze_event_pool_handle_t shared = test_pool(ZE_EVENT_POOL_FLAG_IPC, 2), own = test_pool(0, 2),
                         opened;
  ze_ipc_event_pool_handle_t handle, junk;
  ze_ipc_mem_handle_t of_memory;
  void *mapped;
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventPoolGetIpcHandle(own, &handle));
  OK(zeEventPoolGetIpcHandle(shared, &handle));
  memcpy(&of_memory, &handle, sizeof handle);
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeMemOpenIpcHandle(test_context(), test_device(), of_memory, 0, &mapped));
  int *memory = device_memory(100, 0);
  OK(zeMemGetIpcHandle(test_context(), memory, &of_memory));
  memcpy(&junk, &of_memory, sizeof junk);
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventPoolOpenIpcHandle(test_context(), junk, &opened));
  for (int byte = 0; byte <= 0xff; byte += 0x55) {
    memset(&junk, byte, sizeof junk);
    RETURNS(ERROR_INVALID_ARGUMENT, zeEventPoolOpenIpcHandle(test_context(), junk, &opened));
  }
  OK(zeEventPoolOpenIpcHandle(test_context(), handle, &opened));
  ze_event_handle_t here = test_event(shared, 1), there = test_event(opened, 1);
  OK(zeEventHostSignal(there));
  OK(zeEventQueryStatus(here));
  OK(zeEventDestroy(here));
  OK(zeEventDestroy(there));
  OK(zeEventPoolCloseIpcHandle(opened));
  OK(zeEventPoolDestroy(shared));
  OK(zeEventPoolDestroy(own));
  OK(zeMemFree(test_context(), memory));
}

static long shared_kilobytes(void) {
  long kilobytes = -1;
  char line[128];
  FILE *file = fopen("/proc/self/status", "r");
  while (
      file && fgets(line, sizeof line, file) && sscanf(line, "RssShmem: %ld kB", &kilobytes) != 1)
    continue;
  if (file) fclose(file);
  return kilobytes;
}

/* Not for the places of all that it could have. */
TEST(a_large_pool_has_memory_for_its_events) {
  if (test_on_cuda()) SKIP("the memory is pinned");
  enum { EVENTS = 1 << 22, LIMIT = 1 << 12 };
  const long before = shared_kilobytes();
  ze_event_pool_handle_t pool =
      test_pool(ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_HOST_VISIBLE, EVENTS);
  ze_event_handle_t last = test_event(pool, EVENTS - 1);
  OK(zeEventHostSignal(last));
  OK(zeEventHostSynchronize(last, 0));
  CHECK(shared_kilobytes() - before < LIMIT);
  OK(zeEventDestroy(last));
  OK(zeEventPoolDestroy(pool));
}

TEST(the_same_process_maps_it_too) {
  const size_t alignment = test_on_cuda() ? 256 : 1 << 16;
  int *memory = device_memory(100, alignment);
  CHECK_EQ((uintptr_t)memory % alignment, 0);
  put(memory + 3, 5);
  ze_ipc_mem_handle_t handle;
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  void *opened = NULL;
  const ze_result_t result = zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened);
  if (test_on_cuda() && result == ZE_RESULT_ERROR_INVALID_ARGUMENT)
    SKIP("CUDA opens memory of other processes only");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK(opened && opened != memory);
  CHECK_EQ(get((int *)opened + 3), 5);
  put((int *)opened + 3, 6);
  CHECK_EQ(get(memory + 3), 6);
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  OK(zeMemGetAllocProperties(test_context(), opened, &properties, NULL));
  CHECK_EQ(properties.type, ZE_MEMORY_TYPE_DEVICE);
  OK(zeMemCloseIpcHandle(test_context(), opened));
  OK(zeMemFree(test_context(), memory));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(test_context(), memory, &handle));
}

TEST(properties_and_refusals) {
  ze_driver_handle_t driver;
  uint32_t count = 1;
  OK(zeDriverGet(&count, &driver));
  ze_driver_ipc_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES};
  OK(zeDriverGetIpcProperties(driver, &properties));
  CHECK_EQ(properties.flags, ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL);
  int *memory = device_memory(100, 0);
  int *shared = test_shared(100);
  ze_ipc_mem_handle_t handle, junk;
  void *opened = &count;
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(test_context(), shared, &junk));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemCloseIpcHandle(test_context(), memory));
  memset(&junk, 0x5a, sizeof junk);
  RETURNS(
      ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(test_context(), test_device(), junk, 0, &opened));
  CHECK(opened == NULL);
  memset(&junk, 0, sizeof junk);
  RETURNS(
      ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(test_context(), test_device(), junk, 0, &opened));
  RETURNS(ERROR_INVALID_ENUMERATION,
      zeMemOpenIpcHandle(test_context(), test_device(), handle, 0x80, &opened));
  OK(zeMemFree(test_context(), memory));
  test_free(shared);
}

TEST(a_handle_of_the_fabric_is_not_supported) {
  typedef ze_result_t get_handle(ze_context_handle_t, const void *, void *, ze_ipc_mem_handle_t *);
  enum { HANDLE_TYPE = 0x0002003d, DEFAULT = 1, FABRIC = 2 };
  struct {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
  } type = {.stype = (ze_structure_type_t)HANDLE_TYPE, .flags = DEFAULT};
  get_handle *get_with = (get_handle *)slot("zeGetMem", 12);
  int *memory = device_memory(100, 0);
  void *opened = NULL;
  ze_ipc_mem_handle_t plain, handle;
  put(memory, 3);
  OK(get_with(test_context(), memory, NULL, &plain));
  OK(get_with(test_context(), memory, &type, &handle));
  CHECK(memcmp(&plain, &handle, sizeof plain) == 0);
  if (!test_on_cuda()) {
    OK(zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened));
    CHECK_EQ(get(opened), 3);
    OK(zeMemCloseIpcHandle(test_context(), opened));
  }
  type.flags = FABRIC;
  RETURNS(ERROR_UNSUPPORTED_FEATURE, get_with(test_context(), memory, &type, &handle));
  RETURNS(ERROR_INVALID_NULL_POINTER, get_with(test_context(), NULL, NULL, &handle));
  OK(zeMemFree(test_context(), memory));
}

typedef ze_result_t from_descriptor(ze_context_handle_t, uint64_t, ze_ipc_mem_handle_t *);
typedef ze_result_t to_descriptor(ze_context_handle_t, ze_ipc_mem_handle_t, uint64_t *);

TEST(a_descriptor_of_exported_memory_is_a_handle) {
  if (test_on_cuda()) SKIP("the handles are CUDA's");
  from_descriptor *handle_of_file = (from_descriptor *)slot("zeGetMemExp", 0);
  to_descriptor *file_of_handle = (to_descriptor *)slot("zeGetMemExp", 1);
  const ze_external_memory_export_desc_t wanted = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD};
  const ze_device_mem_alloc_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, .pNext = &wanted};
  ze_ipc_mem_handle_t handle;
  uint64_t file = 0;
  void *memory, *opened;
  int *plain = device_memory(100, 0);
  OK(zeMemAllocDevice(test_context(), &desc, 4096, 0, test_device(), &memory));
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  OK(file_of_handle(test_context(), handle, &file));
  OK(handle_of_file(test_context(), file, &handle));
  OK(zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened));
  put(opened, 8);
  CHECK_EQ(get(memory), 8);
  OK(zeMemCloseIpcHandle(test_context(), opened));
  OK(zeMemGetIpcHandle(test_context(), plain, &handle));
  CHECK((file_of_handle(test_context(), handle, &file) == ZE_RESULT_SUCCESS) ==
        handles_are_descriptors());
  const int others = memfd_create("another", MFD_CLOEXEC);
  RETURNS(ERROR_INVALID_ARGUMENT, handle_of_file(test_context(), (uint64_t)others, &handle));
  RETURNS(ERROR_INVALID_ARGUMENT, handle_of_file(test_context(), UINT64_MAX, &handle));
  close(others);
  OK(zeMemFree(test_context(), memory));
  OK(zeMemFree(test_context(), plain));
}

TEST_MAIN(a_large_pool_has_memory_for_its_events, a_handle_of_the_fabric_is_not_supported,
    a_descriptor_of_exported_memory_is_a_handle, another_program_maps_it, the_other_program,
    a_number_alone_names_nothing, the_program_without_the_file, only_files_of_the_driver_are_opened,
    no_peer_truncates_memory, events_between_programs, the_other_program_of_events,
    handles_of_pools_are_refused, the_same_process_maps_it_too, properties_and_refusals)
