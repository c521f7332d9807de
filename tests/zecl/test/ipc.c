/* Device memory between processes, with ZECL_IPC=1, and pools of events, which are always there. */
#define _GNU_SOURCE
#include "memory/ipc.h"
#include "support/handles.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef IPC_MODE
#define IPC_MODE "1"
#endif

__attribute__((constructor)) static void enable_checks(void) {
  setenv("ZECL_IPC", IPC_MODE, 1);
}

static int handles_are_descriptors(void) {
  return strcmp(IPC_MODE, "descriptor") == 0 && !test_on_cuda();
}

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

union control {
  struct cmsghdr header;
  char room[CMSG_SPACE(sizeof(int))];
};

/* Sends a handle, and where it is no more than a descriptor of this process the file itself. */
static int send_handle(int link, const void *handle, size_t size) {
  union control control = {
      .header = {
          .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  struct iovec bytes = {.iov_base = (void *)(uintptr_t)handle, .iov_len = size};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
  if (handles_are_descriptors()) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control.room;
    memcpy(CMSG_DATA(&control.header), handle, sizeof(int));
  }
  return sendmsg(link, &message, 0) == (ssize_t)size;
}

/* Writes the number that the file has here into the handle; without `is_whole` as it was sent. */
static int receive_handle(int link, void *handle, size_t size, int is_whole) {
  union control control = {.header = {.cmsg_len = 0}};
  struct iovec bytes = {.iov_base = handle, .iov_len = size};
  struct msghdr message = {.msg_iov = &bytes,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof control.room};
  if (recvmsg(link, &message, 0) != (ssize_t)size) return 0;
  if (!handles_are_descriptors()) return 1;
  if (control.header.cmsg_type != SCM_RIGHTS) return 0;
  if (is_whole) memcpy(handle, CMSG_DATA(&control.header), sizeof(int));
  return 1;
}

/* What another program does with a handle: nothing but Level Zero, and a count of its failures. */
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

/* Begins a program of its own, by exec: it has no file of ours but its end of the links. */
static pid_t begin_program(const char *name, int links[2]) {
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, links) == 0);
  const pid_t child = fork();
  if (child == 0) {
    char number[16];
    snprintf(number, sizeof number, "%d", links[1]);
    setenv("ZECL_TEST_LINK", number, 1);
    execl("/proc/self/exe", "ipc", name, (char *)NULL);
    _exit(99);
  }
  return child;
}

static void end_program(pid_t child, const int links[2]) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  close(links[0]);
  close(links[1]);
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

/* Without its file a handle that is a descriptor is none in another program. */
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
  /* What waits here is the device's thread: nothing but the other program's signal ends it. */
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

/* A handle of one kind is none of the other, and junk is neither. */
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

TEST_MAIN(another_program_maps_it, the_other_program, a_number_alone_names_nothing,
    the_program_without_the_file, only_files_of_the_driver_are_opened, no_peer_truncates_memory,
    events_between_programs, the_other_program_of_events, handles_of_pools_are_refused,
    the_same_process_maps_it_too, properties_and_refusals)
