/* ZECL_DISCRETE=1: device memory that the host cannot access. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "support/launch.h"
#include "test/harness/soon.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 3000, PATIENCE = 600 };

__attribute__((constructor)) static void enable(void) {
  setenv("ZECL_DISCRETE", "1", 1);
}

static int *on_device(size_t size, size_t alignment) {
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void *memory = NULL;
  OK(zeMemAllocDevice(test_context(), &desc, size, alignment, test_device(), &memory));
  CHECK(alignment == 0 || (uintptr_t)memory % alignment == 0);
  return memory;
}

/* True if a process that reads the memory ends by SIGSEGV. */
static bool faults(const volatile int *memory) {
  int status = 0;
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    _exit(*memory == 0 ? 0 : 1);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

TEST(the_properties_are_those_of_a_discrete_device) {
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  OK(zeDeviceGetProperties(test_device(), &properties));
  OK(zeDeviceGetMemoryAccessProperties(test_device(), &access));
  CHECK(!(properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED));
  CHECK_EQ(access.sharedSystemAllocCapabilities, 0);
}

TEST(the_host_cannot_read_device_memory) {
  int *memory = on_device(64, 0), *shared = test_shared(64);
  CHECK(faults(memory));
  CHECK(!faults(shared));
  const int value = 7;
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  OK(zeCommandListAppendMemoryFill(list, memory, &value, sizeof value, 64, NULL, 0, NULL));
  CHECK(faults(memory));
  OK(zeCommandListAppendMemoryCopy(list, shared, memory, 64, NULL, 0, NULL));
  CHECK_EQ(shared[15], 7);
  OK(zeCommandListDestroy(list));
  test_free(memory);
  test_free(shared);
}

/* While a list waits for the host, nothing accesses the memory. */
TEST(a_waiting_list_keeps_it_closed) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t before = test_lone_event(), gate = test_lone_event(), done = test_lone_event();
  int *memory = on_device(64, 0);
  OK(zeCommandListAppendSignalEvent(list, before));
  OK(zeCommandListAppendMemoryFill(list, memory, "", 1, 64, done, 1, &gate));
  OK(zeEventHostSynchronize(before, PATIENCE * (uint64_t)TEST_SECOND));
  CHECK_SOON(faults(memory));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(before));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  test_free(memory);
}

static void run_kernel(ze_command_queue_mode_t mode) {
  ze_module_handle_t module = test_module("test/kernels/saxpy.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "saxpy");
  ze_command_list_handle_t list = test_immediate(mode, TEST_IN_ORDER);
  ze_event_handle_t done = test_lone_event();
  float *host = test_shared(COUNT * sizeof *host);
  float *x = (float *)(void *)on_device(COUNT * sizeof *x, 0);
  float *y = (float *)(void *)on_device(COUNT * sizeof *y, 1 << 16);
  for (int i = 0; i < COUNT; i++)
    host[i] = (float)i;
  test_axpy_args(kernel, 2, x, y);
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  const ze_group_count_t groups = {COUNT, 1, 1};
  const size_t size = COUNT * sizeof *host;
  OK(zeCommandListAppendMemoryCopy(list, x, host, size, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, y, host, size, NULL, 0, NULL));
  for (int i = 0; i < 10; i++)
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, host, y, size, done, 0, NULL));
  OK(zeEventHostSynchronize(done, PATIENCE * (uint64_t)TEST_SECOND));
  for (int i = 0; i < COUNT; i++)
    CHECK(host[i] == 21 * (float)i);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(done));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(x);
  test_free(y);
  test_free(host);
}

TEST(kernels_and_copies_use_it) {
  run_kernel(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  run_kernel(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
}

TEST_MAIN(the_properties_are_those_of_a_discrete_device, the_host_cannot_read_device_memory,
    a_waiting_list_keeps_it_closed, kernels_and_copies_use_it)
