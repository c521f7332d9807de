/* The engine on CUDA, on the libcuda of the tests: what needs no kernel's results. */
#define _GNU_SOURCE
#include "support/images.h"
#include "support/launch.h"
#include "support/libcuda.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { MEGABYTE = 1 << 20 };

__attribute__((constructor)) static void choose_engine(void) {
  setenv("LIBCUDA_MEMORY", "256", 1);
  setenv("LIBCUDA_DEVICES", "2", 1);
  test_load_libcuda();
}

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .global .align 4 .u32 counter[4];\n"
                          ".visible .entry add(.param .u32 by, .param .u64 to) {\n  ret;\n}\n"
                          ".visible .entry nothing() {\n  ret;\n}\n";

TEST(devices_are_nvidias) {
  ze_device_handle_t devices[4];
  ze_driver_handle_t driver;
  uint32_t count = 1, device_count = 4, parts = 0;
  ze_bool_t reaches = 0;
  OK(zeInit(0));
  OK(zeDriverGet(&count, &driver));
  OK(zeDeviceGet(driver, &device_count, devices));
  CHECK_EQ(device_count, 2);
  for (uint32_t i = 0; i < device_count; i++) {
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    OK(zeDeviceGetProperties(devices[i], &properties));
    CHECK_EQ(properties.type, ZE_DEVICE_TYPE_GPU);
    CHECK_EQ(properties.vendorId, 0x10de);
    CHECK_EQ(properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED, 0);
    CHECK_EQ(properties.maxMemAllocSize, 256u * MEGABYTE);
    CHECK(strstr(properties.name, i ? "libcuda of the tests 1" : "libcuda of the tests 0"));
    OK(zeDeviceGetSubDevices(devices[i], &parts, NULL));
    CHECK_EQ(parts, 0);
  }
  OK(zeDeviceCanAccessPeer(devices[0], devices[1], &reaches));
  CHECK(reaches);
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

/* Two lists that wait for each other's events, and for the host's. */
TEST(lists_wait_for_each_other) {
  ze_command_list_handle_t one = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_command_list_handle_t two = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t gate = test_lone_event(), middle = test_lone_event(), end = test_lone_event();
  const char a = 1;
  unsigned char *device = test_device_memory(16), result = 0;
  OK(zeCommandListAppendMemoryCopy(two, &result, device + 1, 1, end, 1, &middle));
  OK(zeCommandListAppendMemoryFill(one, device, &a, 1, 2, middle, 1, &gate));
  usleep(2000);
  RETURNS(NOT_READY, zeEventQueryStatus(middle));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(end, UINT64_MAX));
  CHECK_EQ(result, 1);
  OK(zeCommandListDestroy(one));
  OK(zeCommandListDestroy(two));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(middle));
  OK(zeEventDestroy(end));
  test_free(device);
}

static ze_result_t build(const char *text, ze_module_handle_t *module, char **log) {
  struct test_file file = {(unsigned char *)(uintptr_t)text, strlen(text)};
  return test_make(ZE_MODULE_FORMAT_NATIVE, file, NULL, NULL, module, log);
}

TEST(ptx_is_a_native_module) {
  ze_module_handle_t module = NULL;
  uint32_t count = 0;
  size_t size = 0;
  void *address = NULL;
  OK(build(ptx, &module, NULL));
  OK(zeModuleGetKernelNames(module, &count, NULL));
  CHECK_EQ(count, 2);
  OK(zeModuleGetGlobalPointer(module, "counter", &size, &address));
  CHECK_EQ(size, 16);
  CHECK(address != NULL);
  RETURNS(ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "none", NULL, &address));
  ze_kernel_handle_t kernel = test_kernel(module, "add");
  const uint32_t by = 4;
  unsigned char *to = test_device_memory(4);
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof by, &by));
  RETURNS(ERROR_INVALID_KERNEL_ARGUMENT_INDEX, zeKernelSetArgumentValue(kernel, 2, 4, &by));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof to, &to));
  OK(zeKernelSetGroupSize(kernel, 32, 1, 1));
  RETURNS(ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(kernel, 2048, 1, 1));
  test_launch(kernel, 10, 2, 1);
  uint32_t x, y, z; /* 64 work-items at most in z */
  RETURNS(ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(kernel, 1, 1, 128));
  OK(zeKernelSuggestGroupSize(kernel, 1, 1, 192, &x, &y, &z));
  CHECK_EQ(x, 1);
  CHECK_EQ(y, 1);
  CHECK_EQ(z, 64);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(to);
}

TEST(a_failed_build_has_the_words_of_the_compiler) {
  ze_module_handle_t module = NULL;
  char *log = NULL;
  RETURNS(ERROR_MODULE_BUILD_FAILURE,
      build(".version 7.0\n.target sm_70\n.address_size 64\njunk\n", &module, &log));
  CHECK(strstr(log, "ptxas fatal: the words of the compiler"));
  free(log);
}

/* To free waits for all that runs, and so is put off. */
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

static ze_image_handle_t image_of(ze_image_type_t type, const uint32_t size[3]) {
  const struct test_format bytes = {
      ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM, 4, 1};
  return test_image((struct test_size){type, "", size[0], size[1], size[2]}, test_swizzled(bytes));
}

/* Texels go from memory through two images and back to memory: of malloc, and of the device. */
static void move_texels(ze_image_type_t type, uint32_t x, uint32_t y, uint32_t z) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t done = test_lone_event();
  const uint32_t size[] = {x, y, z};
  const size_t bytes = (size_t)x * y * z * 4;
  ze_image_handle_t one = image_of(type, size), two = image_of(type, size);
  unsigned char *from = malloc(bytes), *to = calloc(1, bytes), *device = test_device_memory(bytes);
  CHECK(from && to);
  for (size_t i = 0; i < bytes; i++)
    from[i] = (unsigned char)(i * 13 + i / 251);
  OK(zeCommandListAppendImageCopyFromMemory(list, one, from, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopy(list, two, one, NULL, 0, NULL));
  OK(zeImageDestroy(one)); /* once nothing runs */
  OK(zeCommandListAppendImageCopyToMemory(list, device, two, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopyFromMemory(list, two, device, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopyToMemory(list, to, two, NULL, done, 0, NULL));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  OK(zeEventDestroy(done));
  CHECK_EQ(memcmp(from, to, bytes), 0);
  OK(zeCommandListDestroy(list));
  OK(zeImageDestroy(two));
  test_free(device);
  free(from);
  free(to);
}

TEST(texels_of_each_type_of_image) {
  move_texels(ZE_IMAGE_TYPE_1D, 5, 1, 1);
  move_texels(ZE_IMAGE_TYPE_1DARRAY, 5, 3, 1);
  move_texels(ZE_IMAGE_TYPE_2D, 5, 3, 1);
  move_texels(ZE_IMAGE_TYPE_2DARRAY, 5, 3, 2);
  move_texels(ZE_IMAGE_TYPE_3D, 5, 3, 2);
  move_texels(ZE_IMAGE_TYPE_2D, 700, 500, 1); /* more than one stage */
}

/* A part of an image from memory with gaps, also where a slice is no number of rows. */
TEST(regions_of_images) {
  enum { ROW = 12, SLICE = 34, BYTES = 2 * SLICE };
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_image_handle_t image = image_of(ZE_IMAGE_TYPE_3D, (const uint32_t[]){5, 4, 3});
  const ze_image_region_t part = {2, 1, 1, 2, 3, 2};
  unsigned char from[BYTES], to[BYTES] = "", *device = test_device_memory(BYTES);
  for (size_t i = 0; i < BYTES; i++)
    from[i] = (unsigned char)(i + 1);
  for (int on_device = 0; on_device < 2; on_device++) {
    OK(zeCommandListAppendMemoryCopy(list, device, from, BYTES, NULL, 0, NULL));
    OK(zeCommandListAppendImageCopyFromMemoryExt(
        list, image, on_device ? device : from, &part, ROW, SLICE, NULL, 0, NULL));
    memset(to, 0, sizeof to);
    OK(zeCommandListAppendImageCopyToMemoryExt(list, to, image, &part, ROW, SLICE, NULL, 0, NULL));
    for (size_t z = 0; z < 2; z++)
      for (size_t y = 0; y < 3; y++) {
        CHECK_EQ(memcmp(from + z * SLICE + y * ROW, to + z * SLICE + y * ROW, 8), 0);
        CHECK_EQ(to[z * SLICE + y * ROW + 8], 0); /* a gap */
      }
  }
  OK(zeImageDestroy(image));
  OK(zeCommandListDestroy(list));
  test_free(device);
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

/* The events of a pool that other processes open, by two pools of this one. */
TEST(events_between_processes) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_IPC, 2), opened = NULL;
  ze_ipc_event_pool_handle_t handle;
  OK(zeEventPoolGetIpcHandle(pool, &handle));
  OK(zeEventPoolOpenIpcHandle(test_context(), handle, &opened));
  ze_event_handle_t gate = test_event(pool, 0), done = test_event(pool, 1);
  ze_event_handle_t other_gate = test_event(opened, 0), other_done = test_event(opened, 1);
  OK(zeCommandListAppendBarrier(list, other_done, 1, &gate));
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  OK(zeEventHostSignal(other_gate));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  OK(zeEventDestroy(other_gate));
  OK(zeEventDestroy(other_done));
  OK(zeEventPoolCloseIpcHandle(opened));
  OK(zeEventPoolDestroy(pool));
  CHECK_EQ(test_libcuda_live(LIBCUDA_REGISTERED), 0);
}

/* It is pinned until it is released and nothing runs. */
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

/* Whether a stream has work is looked at by other threads too, whenever memory is freed. */
static void *copy_and_free(void *argument) {
  enum { TURNS = 400, SIZE = 64 };
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  unsigned char *device = test_device_memory(SIZE), value = 0, seen = 0;
  int *failures = argument;
  for (int i = 0; i < check_repeats(TURNS); i++) {
    value = (unsigned char)(i + 1);
    seen = 0;
    OK(zeCommandListAppendMemoryCopy(list, device, &value, 1, NULL, 0, NULL));
    OK(zeCommandListAppendMemoryCopy(list, &seen, device, 1, NULL, 0, NULL));
    *failures += seen != value;
    test_free(test_device_memory(SIZE));
  }
  OK(zeCommandListDestroy(list));
  test_free(device);
  return NULL;
}

TEST(synchronous_lists_wait_while_others_look) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  int failures[THREADS] = {0};
  test_context();
  test_device();
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, copy_and_free, &failures[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    CHECK_EQ(failures[i], 0);
  }
}

/* Everything that the engine has, made and destroyed; also a list that never runs. */
static void use_all(void) {
  ze_module_handle_t module = NULL;
  ze_event_handle_t never = test_lone_event();
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1);
  ze_event_handle_t stamped = test_event(pool, 0);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_command_list_handle_t stuck = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  unsigned char *device = test_device_memory(1000);
  char *shared = test_shared(1000), plain[1000] = "";
  OK(build(ptx, &module, NULL));
  ze_kernel_handle_t kernel = test_kernel(module, "nothing");
  const ze_group_count_t one = {1, 1, 1};
  ze_image_handle_t image = image_of(ZE_IMAGE_TYPE_2D, (const uint32_t[]){4, 4, 1});
  OK(zeCommandListAppendImageCopyFromMemory(list, image, plain, NULL, NULL, 0, NULL));
  OK(zeImageDestroy(image));
  for (int i = 0; i < 300; i++)
    OK(zeCommandListAppendMemoryCopy(list, device, plain, sizeof plain, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, shared, device, 1000, stamped, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 1, &stamped));
  OK(zeEventHostSynchronize(stamped, UINT64_MAX));
  ze_kernel_timestamp_result_t stamps;
  OK(zeEventQueryKernelTimestamp(stamped, &stamps));
  CHECK(stamps.global.kernelEnd > stamps.global.kernelStart);
  OK(zeCommandListAppendBarrier(stuck, NULL, 1, &never));
  OK(zeEventDestroy(never));
  OK(zeCommandListDestroy(stuck));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(stamped));
  OK(zeEventPoolDestroy(pool));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(device);
  test_free(shared);
}

TEST(nothing_is_left) {
  long before[LIBCUDA_KINDS];
  use_all();
  for (int kind = 0; kind < LIBCUDA_KINDS; kind++)
    before[kind] = test_libcuda_live((enum libcuda_kind)kind);
  for (int i = 0; i < 3; i++)
    use_all();
  for (int kind = 0; kind < LIBCUDA_KINDS; kind++)
    CHECK_EQ(test_libcuda_live((enum libcuda_kind)kind), before[kind]);
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

TEST(what_the_engine_lacks_is_unsupported) {
  const ze_image_desc_t packed = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_2D,
      .format = {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UNORM,
          ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_G, ZE_IMAGE_FORMAT_SWIZZLE_B,
          ZE_IMAGE_FORMAT_SWIZZLE_A},
      .width = 1,
      .height = 1};
  ze_image_handle_t image;
  ze_physical_mem_handle_t memory;
  ze_physical_mem_desc_t on_host = {
      .stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .flags = 2, .size = 2 * MEGABYTE};
  RETURNS(ERROR_UNSUPPORTED_FEATURE,
      zePhysicalMemCreate(test_context(), test_device(), &on_host, &memory));
  RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT,
      zeImageCreate(test_context(), test_device(), &packed, &image));
}

TEST_MAIN(devices_are_nvidias, memory_stays_within_what_is_free, copies_reach_memory_of_malloc,
    fills_of_any_pattern, regions_in_two_and_three_dimensions, lists_wait_for_each_other,
    ptx_is_a_native_module, a_failed_build_has_the_words_of_the_compiler,
    memory_is_freed_once_nothing_runs, texels_of_each_type_of_image, regions_of_images,
    virtual_memory_shows_physical_memory, events_between_processes, registered_memory_of_the_host,
    synchronous_lists_wait_while_others_look, nothing_is_left, device_memory_between_processes,
    what_the_engine_lacks_is_unsupported)
