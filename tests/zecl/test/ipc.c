/* Device memory between processes: ZECL_IPC=1. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((constructor)) static void ask_for_it(void) {
  setenv("ZECL_IPC", "1", 1);
}

enum { COUNT = 3000 };

static int *device_memory(size_t size, size_t alignment) {
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void *memory = NULL;
  OK(zeMemAllocDevice(test_context(), &desc, size, alignment, test_device(), &memory));
  return memory;
}

/* What another program does with a handle: nothing but Level Zero, and a count of its failures. */
static int other_process(int link) {
  ze_ipc_mem_handle_t handle;
  void *opened = NULL;
  if (read(link, &handle, sizeof handle) != (ssize_t)sizeof handle) return 1;
  if (zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened)) return 2;
  int *numbers = opened;
  for (int i = 0; i < COUNT; i++)
    if (numbers[i] != i) return 3;
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  const int seven = 7;
  if (zeCommandListAppendMemoryFill(
          list, numbers, &seven, sizeof seven, COUNT * sizeof seven, NULL, 0, NULL))
    return 4;
  if (zeMemFree(test_context(), opened) != ZE_RESULT_ERROR_INVALID_ARGUMENT) return 5;
  if (zeMemCloseIpcHandle(test_context(), opened)) return 6;
  return zeMemCloseIpcHandle(test_context(), opened) == ZE_RESULT_ERROR_INVALID_ARGUMENT ? 0 : 7;
}

/* The child is a program of its own, begun by exec: it has no file of the parent's. */
TEST(another_program_maps_it) {
  int links[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, links) == 0);
  const pid_t child = fork();
  if (child == 0) {
    char number[16];
    snprintf(number, sizeof number, "%d", links[1]);
    setenv("ZECL_TEST_LINK", number, 1);
    execl("/proc/self/exe", "ipc", "the_other_program", (char *)NULL);
    _exit(99);
  }
  int *memory = device_memory(COUNT * sizeof *memory, 0);
  device_memory(1, 0);
  for (int i = 0; i < COUNT; i++)
    memory[i] = i;
  ze_ipc_mem_handle_t handle;
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  CHECK(write(links[0], &handle, sizeof handle) == (ssize_t)sizeof handle);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  CHECK(memory[0] == 7 && memory[COUNT - 1] == 7);
  OK(zeMemFree(test_context(), memory));
  close(links[0]);
  close(links[1]);
}

TEST(the_other_program) {
  const char *link = getenv("ZECL_TEST_LINK");
  if (!link) SKIP("it is begun by the case before");
  _exit(other_process(atoi(link)));
}

TEST(the_same_process_maps_it_too) {
  int *memory = device_memory(100, 1 << 16);
  CHECK_EQ((uintptr_t)memory % (1 << 16), 0);
  memory[3] = 5;
  ze_ipc_mem_handle_t handle;
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  void *opened = NULL;
  OK(zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened));
  CHECK(opened && opened != memory);
  CHECK_EQ(((int *)opened)[3], 5);
  ((int *)opened)[3] = 6;
  CHECK_EQ(memory[3], 6);
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  OK(zeMemGetAllocProperties(test_context(), opened, &properties, NULL));
  CHECK_EQ(properties.type, ZE_MEMORY_TYPE_DEVICE);
  OK(zeMemCloseIpcHandle(test_context(), opened));
  OK(zeMemFree(test_context(), memory));
  SAYS(ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(test_context(), memory, &handle));
}

TEST(properties_and_refusals) {
  ze_driver_handle_t driver;
  uint32_t count = 1;
  OK(zeDriverGet(&count, &driver));
  ze_driver_ipc_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES};
  OK(zeDriverGetIpcProperties(driver, &properties));
  CHECK_EQ(properties.flags, ZE_IPC_PROPERTY_FLAG_MEMORY);
  int *memory = device_memory(100, 0);
  int *shared = test_shared(100);
  ze_ipc_mem_handle_t handle, junk;
  void *opened = &count;
  OK(zeMemGetIpcHandle(test_context(), memory, &handle));
  SAYS(ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(test_context(), shared, &junk));
  SAYS(ERROR_INVALID_ARGUMENT, zeMemCloseIpcHandle(test_context(), memory));
  memset(&junk, 0x5a, sizeof junk);
  SAYS(ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(test_context(), test_device(), junk, 0, &opened));
  CHECK(opened == NULL);
  memset(&junk, 0, sizeof junk);
  SAYS(ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(test_context(), test_device(), junk, 0, &opened));
  SAYS(ERROR_INVALID_ENUMERATION,
      zeMemOpenIpcHandle(test_context(), test_device(), handle, 0x80, &opened));
  OK(zeMemFree(test_context(), memory));
  test_free(shared);
}

TEST_MAIN(another_program_maps_it, the_other_program, the_same_process_maps_it_too,
    properties_and_refusals)
