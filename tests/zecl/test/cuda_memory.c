/* Memory of the engine on CUDA, on the libcuda of the tests. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "support/libcuda.h"

#include <stdlib.h>

enum { MEGABYTE = 1 << 20 };

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 2);
}

/* The libcuda ends the process where managed memory is beyond what is free. */
TEST(memory_stays_within_what_is_free) {
  void *shared = NULL, *device = NULL, *more = NULL;
  OK(test_allocate(ZE_MEMORY_TYPE_SHARED, 100 * MEGABYTE, &shared));
  RETURNS(ERROR_OUT_OF_DEVICE_MEMORY, test_allocate(ZE_MEMORY_TYPE_SHARED, 200 * MEGABYTE, &more));
  OK(test_allocate(ZE_MEMORY_TYPE_DEVICE, 100 * MEGABYTE, &device));
  RETURNS(ERROR_OUT_OF_DEVICE_MEMORY, test_allocate(ZE_MEMORY_TYPE_SHARED, 100 * MEGABYTE, &more));
  RETURNS(ERROR_OUT_OF_DEVICE_MEMORY, test_allocate(ZE_MEMORY_TYPE_DEVICE, 100 * MEGABYTE, &more));
  OK(test_allocate(ZE_MEMORY_TYPE_SHARED, 50 * MEGABYTE, &more));
  test_free(more);
  test_free(device);
  test_free(shared);
}

TEST(copies_reach_memory_of_malloc) {
  enum { SIZE = 3 * MEGABYTE + 5 }; /* more than one stage */
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  unsigned char *from = malloc(SIZE), *to = calloc(1, SIZE), *device = test_device_memory(2 * SIZE);
  CHECK(from && to);
  OK(zeCommandListAppendMemoryCopy(list, device, from, SIZE, NULL, 1, &gate));
  OK(zeCommandListAppendMemoryCopy(list, device + SIZE, device, SIZE, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, to, device + SIZE, SIZE, done, 0, NULL));
  for (size_t i = 0; i < SIZE; i++)
    from[i] = (unsigned char)(i * 7); /* after the appends: it is read when the gate opens */
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(memcmp(from, to, SIZE), 0);
  OK(zeCommandListDestroy(list));
  test_free(device);
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  free(from);
  free(to);
}

TEST(fills_of_any_pattern) {
  enum { SIZE = 3000 };
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  unsigned char pattern[64], *device = test_device_memory(SIZE), result[SIZE];
  for (size_t i = 0; i < sizeof pattern; i++)
    pattern[i] = (unsigned char)(i * 37 + 1);
  for (size_t size = 1; size <= sizeof pattern; size *= 2)
    for (size_t at = 0; at < 2; at++) {
      OK(zeCommandListAppendMemoryFill(
          list, device + at, pattern, size, SIZE - 2 * at, NULL, 0, NULL));
      OK(zeCommandListAppendMemoryCopy(list, result, device + at, SIZE - 2 * at, NULL, 0, NULL));
      for (size_t i = 0; i < SIZE - 2 * at; i++)
        CHECK_EQ(result[i], pattern[i % size]);
    }
  memset(result, 0, SIZE);
  OK(zeCommandListAppendMemoryFill(list, result, pattern, 4, SIZE, NULL, 0, NULL)); /* of malloc */
  CHECK_EQ(result[SIZE - 1], pattern[3]);
  test_free(device);
  OK(zeCommandListDestroy(list));
}

/* A region of `pitch` and `slice` on the device, from and to packed memory of the host. */
static void move_region(
    uint32_t width, uint32_t height, uint32_t depth, uint32_t pitch, uint32_t slice) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  const ze_copy_region_t box = {0, 0, 0, width, height, depth};
  const size_t packed = (size_t)width * height * depth;
  unsigned char *device = test_device_memory(2 * (size_t)slice * depth + 64);
  unsigned char *second = device + (size_t)slice * depth;
  unsigned char *from = malloc(packed), *to = calloc(1, packed);
  CHECK(from && to);
  for (size_t i = 0; i < packed; i++)
    from[i] = (unsigned char)(i * 11 + 3);
  OK(zeCommandListAppendMemoryCopyRegion(
      list, device, &box, pitch, slice, from, &box, width, width * height, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopyRegion(
      list, second, &box, pitch, slice, device, &box, pitch, slice, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopyRegion(
      list, to, &box, width, width * height, second, &box, pitch, slice, NULL, 0, NULL));
  CHECK_EQ(memcmp(from, to, packed), 0);
  free(from);
  free(to);
  test_free(device);
  OK(zeCommandListDestroy(list));
}

TEST(regions_in_two_and_three_dimensions) {
  move_region(10, 1, 1, 0, 0 + 16);
  move_region(10, 4, 1, 16, 64);
  move_region(10, 4, 3, 16, 64);
  move_region(10, 4, 3, 16, 70); /* a slice that is no number of rows */
  move_region(10, 1, 3, 0, 16);
}

/* A free waits for all that runs, and so is deferred. */
TEST(memory_is_freed_once_nothing_runs) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  const long before = test_libcuda_live(LIBCUDA_DEVICE_MEMORY);
  unsigned char *device = test_device_memory(64);
  OK(zeCommandListAppendBarrier(list, done, 1, &gate));
  test_free(device);
  CHECK_EQ(test_libcuda_live(LIBCUDA_DEVICE_MEMORY), before + 1);
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  OK(zeCommandListDestroy(list));
  CHECK_EQ(test_libcuda_live(LIBCUDA_DEVICE_MEMORY), before);
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
}

/* One page of memory at two of four places, each of which is unmapped by itself. */
TEST(virtual_memory_shows_physical_memory) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_context_handle_t context = test_context();
  ze_physical_mem_handle_t memory = NULL;
  ze_memory_access_attribute_t access;
  void *space = NULL;
  size_t page = 0, same = 0;
  const char seven = 7;
  char seen[4] = "";
  OK(zeVirtualMemQueryPageSize(context, test_device(), 1, &page));
  CHECK_EQ(page, 2 * MEGABYTE);
  ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = 2 * page};
  OK(zeVirtualMemReserve(context, NULL, 4 * page, &space));
  char *at = space;
  OK(zePhysicalMemCreate(context, test_device(), &desc, &memory));
  OK(zeVirtualMemMap(context, at, 2 * page, memory, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  OK(zeVirtualMemMap(
      context, at + 3 * page, page, memory, page, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY));
  OK(zePhysicalMemDestroy(context, memory)); /* what is mapped stays */
  OK(zeCommandListAppendMemoryFill(list, at + page - 2, &seven, 1, 4, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, seen, at + 3 * page, 4, NULL, 0, NULL));
  CHECK(seen[0] == 7 && seen[1] == 7 && seen[2] == 0);
  OK(zeVirtualMemGetAccessAttribute(context, at + 2 * page, 2 * page, &access, &same));
  CHECK(access == ZE_MEMORY_ACCESS_ATTRIBUTE_NONE && same == page);
  OK(zeVirtualMemSetAccessAttribute(
      context, at + 3 * page, page, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  OK(zeVirtualMemUnmap(context, at + page, page));
  OK(zeCommandListAppendMemoryCopy(list, seen, at + 3 * page, 4, NULL, 0, NULL));
  OK(zeVirtualMemFree(context, space, 4 * page));
  desc.size = 1024 * MEGABYTE; /* more than there is */
  RETURNS(ERROR_OUT_OF_DEVICE_MEMORY, zePhysicalMemCreate(context, test_device(), &desc, &memory));
  desc.size = 4096;
  RETURNS(ERROR_UNSUPPORTED_SIZE, zePhysicalMemCreate(context, test_device(), &desc, &memory));
  OK(zeCommandListDestroy(list));
  CHECK_EQ(test_libcuda_live(LIBCUDA_RESERVATIONS), 0);
  CHECK_EQ(test_libcuda_live(LIBCUDA_PHYSICAL), 0);
}

/* The memory is pinned until it is released and nothing runs. */
TEST(registered_memory_of_the_host) {
  enum { SIZE = 4096 };
  uint32_t count = 1;
  ze_driver_handle_t driver;
  ze_result_t (*begin)(ze_driver_handle_t, void *, size_t), (*end)(ze_driver_handle_t, void *);
  void *function = NULL;
  OK(zeDriverGet(&count, &driver));
  OK(zeDriverGetExtensionFunctionAddress(driver, "zexDriverImportExternalPointer", &function));
  memcpy(&begin, &function, sizeof begin);
  OK(zeDriverGetExtensionFunctionAddress(driver, "zexDriverReleaseImportedPointer", &function));
  memcpy(&end, &function, sizeof end);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  unsigned char *memory = malloc(SIZE), *device = test_device_memory(SIZE), seen = 0;
  CHECK(memory);
  memory[SIZE - 1] = 7;
  OK(begin(driver, memory, SIZE));
  CHECK_EQ(test_libcuda_live(LIBCUDA_REGISTERED), 1);
  OK(zeCommandListAppendMemoryCopy(list, device, memory, SIZE, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, &seen, device + SIZE - 1, 1, NULL, 0, NULL));
  CHECK_EQ(seen, 7);
  OK(end(driver, memory));
  CHECK_EQ(test_libcuda_live(LIBCUDA_REGISTERED), 0);
  OK(zeCommandListDestroy(list));
  test_free(device);
  free(memory);
}

TEST(device_memory_between_processes) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  unsigned char *device = test_device_memory(100), result = 0;
  const char seven = 7;
  ze_ipc_mem_handle_t handle, junk = {{0}};
  void *opened = NULL;
  OK(zeMemGetIpcHandle(test_context(), device, &handle));
  RETURNS(
      ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(test_context(), test_device(), junk, 0, &opened));
  OK(zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened));
  OK(zeCommandListAppendMemoryFill(list, opened, &seven, 1, 100, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, &result, device + 99, 1, NULL, 0, NULL));
  CHECK_EQ(result, 7);
  OK(zeMemCloseIpcHandle(test_context(), opened));
  test_free(device);
  OK(zeCommandListDestroy(list));
}

/* CUDA opens a handle once, and counts. */
TEST(a_handle_is_opened_several_times) {
  enum { TIMES = 8, OTHERS = 300 };
  unsigned char *device = test_device_memory(100);
  void *others[OTHERS], *opened[TIMES], *base;
  ze_ipc_mem_handle_t handle;
  size_t size;
  OK(zeMemGetIpcHandle(test_context(), device, &handle));
  for (int i = 0; i < TIMES; i++) {
    OK(zeMemOpenIpcHandle(test_context(), test_device(), handle, 0, &opened[i]));
    CHECK_EQ(opened[i], opened[0]);
  }
  for (int i = 0; i < OTHERS; i++)
    others[i] = test_device_memory(1);
  for (int i = 0; i < TIMES; i++) {
    OK(zeMemGetAddressRange(test_context(), (char *)opened[0] + 99, &base, &size));
    CHECK_EQ(base, opened[0]);
    OK(zeMemCloseIpcHandle(test_context(), opened[0]));
  }
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemCloseIpcHandle(test_context(), opened[0]));
  for (int i = 0; i < OTHERS; i++)
    test_free(others[i]);
  test_free(device);
}

TEST_MAIN(memory_stays_within_what_is_free, copies_reach_memory_of_malloc, fills_of_any_pattern,
    regions_in_two_and_three_dimensions, memory_is_freed_once_nothing_runs,
    virtual_memory_shows_physical_memory, registered_memory_of_the_host,
    device_memory_between_processes, a_handle_is_opened_several_times)
