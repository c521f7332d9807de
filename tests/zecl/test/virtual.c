/* Virtual memory shows physical memory where it is mapped, to the host and to kernels. */
#include "support/handles.h"
#include "support/launch.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t page(void) {
  size_t size = 0;
  OK(zeVirtualMemQueryPageSize(test_context(), test_device(), 1, &size));
  CHECK(size >= 4096 && (size & (size - 1)) == 0);
  return size;
}

static char *reserve(size_t size) {
  void *pointer = NULL;
  OK(zeVirtualMemReserve(test_context(), NULL, size, &pointer));
  CHECK(pointer);
  return pointer;
}

static ze_physical_mem_handle_t physical(size_t size) {
  ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = size};
  ze_physical_mem_handle_t memory = NULL;
  OK(zePhysicalMemCreate(test_context(), test_device(), &desc, &memory));
  CHECK(memory);
  return memory;
}

static void map(char *at, size_t size, ze_physical_mem_handle_t memory, size_t offset,
    ze_memory_access_attribute_t access) {
  OK(zeVirtualMemMap(test_context(), at, size, memory, offset, access));
}

/* Copies by commands, since the host may have no access. */
static void move(void *to, const void *from, size_t size) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  OK(zeCommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
}

static char byte_at(const char *at) {
  char byte = 0;
  move(&byte, at, 1);
  return byte;
}

/* True if a child that touches the byte ends without a fault. */
static int can_touch(volatile char *byte, int writes) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    if (writes)
      *byte = 1;
    else
      (void)*byte;
    _exit(0);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(two_places_show_one_memory) {
  const size_t size = page();
  char *space = reserve(4 * size);
  ze_physical_mem_handle_t memory = physical(2 * size);
  map(space, 2 * size, memory, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE);
  map(space + 3 * size, size, memory, size, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE);
  move(space + size + 5, "x", 1);
  CHECK_EQ(byte_at(space + 3 * size + 5), 'x');
  OK(zePhysicalMemDestroy(test_context(), memory)); /* what is mapped stays */
  CHECK_EQ(byte_at(space + 3 * size + 5), 'x');
  OK(zeVirtualMemUnmap(test_context(), space, 2 * size));
  CHECK_EQ(byte_at(space + 3 * size + 5), 'x');
  OK(zeVirtualMemFree(test_context(), space, 4 * size));
}

TEST(kernels_and_copies_use_it) {
  const size_t size = page();
  float *y = (float *)(void *)reserve(size), x[4] = {1, 2, 3, 4}, seen[4];
  ze_physical_mem_handle_t memory = physical(size);
  map((char *)y, size, memory, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE);
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "axpy");
  move(y, x, sizeof x);
  OK(zeKernelSetGroupSize(kernel, 4, 1, 1));
  test_axpy_args(kernel, 2, y, y);
  test_launch(kernel, 1, 1, 1);
  move(seen, y, sizeof seen);
  for (int i = 0; i < 4; i++)
    CHECK(seen[i] == 3 * x[i]);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  OK(zeVirtualMemUnmap(test_context(), y, size));
  OK(zePhysicalMemDestroy(test_context(), memory));
  OK(zeVirtualMemFree(test_context(), y, size));
}

TEST(access_is_kept) {
  const size_t size = page();
  char *space = reserve(3 * size);
  ze_physical_mem_handle_t memory = physical(3 * size);
  ze_memory_access_attribute_t access;
  size_t same;
  ze_context_handle_t context = test_context();
  OK(zeVirtualMemGetAccessAttribute(context, space, 3 * size, &access, &same));
  CHECK(access == ZE_MEMORY_ACCESS_ATTRIBUTE_NONE && same == 3 * size);
  CHECK(!can_touch(space, 0));
  const int is_of_host = !test_on_cuda();
  map(space, 2 * size, memory, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE);
  if (is_of_host)
    CHECK(can_touch(space, 1) && can_touch(space + size, 1) && !can_touch(space + 2 * size, 0));
  OK(zeVirtualMemSetAccessAttribute(
      context, space + size, size, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY));
  if (is_of_host)
    CHECK(can_touch(space, 1) && can_touch(space + size, 0) && !can_touch(space + size, 1));
  OK(zeVirtualMemGetAccessAttribute(context, space, 3 * size, &access, &same));
  CHECK(access == ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE && same == size);
  OK(zeVirtualMemGetAccessAttribute(context, space + size, 2 * size, &access, &same));
  CHECK(access == ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY && same == size);
  OK(zeVirtualMemUnmap(context, space, 2 * size));
  CHECK(!can_touch(space, 0));
  OK(zePhysicalMemDestroy(context, memory));
  OK(zeVirtualMemFree(context, space, 3 * size));
}

TEST(refusals) {
  const size_t size = page();
  char *space = reserve(2 * size);
  ze_physical_mem_handle_t memory = physical(size);
  ze_context_handle_t context = test_context();
  const ze_memory_access_attribute_t write = ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE;
  void *pointer;
  RETURNS(ERROR_UNSUPPORTED_SIZE, zeVirtualMemReserve(context, NULL, 100, &pointer));
  RETURNS(ERROR_UNSUPPORTED_SIZE, zeVirtualMemReserve(context, NULL, 0, &pointer));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeVirtualMemReserve(NULL, NULL, size, &pointer));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeVirtualMemReserve(context, NULL, size, NULL));
  RETURNS(ERROR_UNSUPPORTED_SIZE, zeVirtualMemMap(context, space, 100, memory, 0, write));
  RETURNS(ERROR_UNSUPPORTED_ALIGNMENT, zeVirtualMemMap(context, space + 1, size, memory, 0, write));
  RETURNS(ERROR_INVALID_ARGUMENT, zeVirtualMemMap(context, space, 2 * size, memory, 0, write));
  RETURNS(ERROR_INVALID_ARGUMENT, zeVirtualMemMap(context, space, size, memory, size, write));
  RETURNS(
      ERROR_INVALID_ARGUMENT, zeVirtualMemMap(context, space + 2 * size, size, memory, 0, write));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeVirtualMemMap(context, space, size, NULL, 0, write));
  RETURNS(ERROR_INVALID_ENUMERATION,
      zeVirtualMemMap(context, space, size, memory, 0, (ze_memory_access_attribute_t)3));
  map(space, size, memory, 0, write);
  RETURNS(ERROR_INVALID_ARGUMENT, zeVirtualMemMap(context, space, size, memory, 0, write));
  RETURNS(ERROR_INVALID_ARGUMENT, zeVirtualMemFree(context, space, size));
  OK(zePhysicalMemDestroy(context, memory));
  RETURNS(ERROR_INVALID_ARGUMENT, zePhysicalMemDestroy(context, memory));
  OK(zeVirtualMemFree(context, space, 2 * size));
  RETURNS(ERROR_INVALID_ARGUMENT, zeVirtualMemFree(context, space, 2 * size));
  ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = 100};
  RETURNS(ERROR_UNSUPPORTED_SIZE, zePhysicalMemCreate(context, test_device(), &desc, &memory));
}

TEST_MAIN(two_places_show_one_memory, kernels_and_copies_use_it, access_is_kept, refusals)
