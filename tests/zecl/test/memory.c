/* Allocations: three kinds, their properties, what is refused, and how the cost grows. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "support/launch.h"

#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static const ze_device_mem_alloc_desc_t device_desc = {
    .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
static const ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};

static ze_memory_allocation_properties_t properties_of(
    const void *pointer, ze_device_handle_t *device) {
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  OK(zeMemGetAllocProperties(test_context(), pointer, &properties, device));
  return properties;
}

TEST(three_kinds) {
  char *device_memory, *host_memory, *shared_memory;
  ze_device_handle_t device;
  ze_context_handle_t context = test_context();
  OK(zeMemAllocDevice(context, &device_desc, 100, 0, test_device(), (void **)&device_memory));
  OK(zeMemAllocHost(context, &host_desc, 100, 0, (void **)&host_memory));
  OK(zeMemAllocShared(context, &device_desc, &host_desc, 100, 0, NULL, (void **)&shared_memory));
  const ze_memory_allocation_properties_t one = properties_of(device_memory + 99, &device);
  CHECK_EQ(one.type, ZE_MEMORY_TYPE_DEVICE);
  CHECK(one.id != 0 && one.pageSize != 0 && device == test_device());
  const ze_memory_allocation_properties_t two = properties_of(host_memory, &device);
  CHECK_EQ(two.type, ZE_MEMORY_TYPE_HOST);
  CHECK(two.id != one.id && device == NULL);
  const ze_memory_allocation_properties_t three = properties_of(shared_memory + 50, &device);
  CHECK_EQ(three.type, ZE_MEMORY_TYPE_SHARED);
  CHECK(device == NULL);
  void *base;
  size_t size;
  OK(zeMemGetAddressRange(context, shared_memory + 50, &base, &size));
  CHECK(base == shared_memory && size == 100);
  OK(zeMemGetAddressRange(context, shared_memory, NULL, NULL));
  test_free(device_memory);
  test_free(host_memory);
  test_free(shared_memory);
}

TEST(unknown_pointers) {
  int stranger;
  ze_device_handle_t device = test_device();
  const ze_memory_allocation_properties_t properties = properties_of(&stranger, &device);
  CHECK_EQ(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
  CHECK(device == NULL);
  void *base;
  size_t size;
  char *memory = test_shared(64);
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemFree(test_context(), &stranger));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemGetAddressRange(test_context(), &stranger, &base, &size));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemFree(test_context(), memory + 1));
  CHECK_EQ(properties_of(memory + 64, NULL).type, ZE_MEMORY_TYPE_UNKNOWN);
  test_free(memory);
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemFree(test_context(), memory));
  CHECK_EQ(properties_of(memory, NULL).type, ZE_MEMORY_TYPE_UNKNOWN);
}

TEST(contexts_of_a_driver_share_memory) {
  uint32_t count = 1;
  ze_driver_handle_t driver;
  OK(zeDriverGet(&count, &driver));
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t other;
  OK(zeContextCreate(driver, &desc, &other));
  void *memory = test_shared(64);
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  void *base = NULL;
  OK(zeMemGetAllocProperties(other, (char *)memory + 63, &properties, NULL));
  CHECK_EQ(properties.type, ZE_MEMORY_TYPE_SHARED);
  OK(zeMemGetAddressRange(other, (char *)memory + 63, &base, NULL));
  CHECK(base == memory);
  OK(zeMemFree(other, memory));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemGetAddressRange(other, memory, NULL, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemFree(test_context(), memory));
  OK(zeContextDestroy(other));
}

/* Behind an allocation lie zeros that may be overwritten, as on a GPU's page; also in memory
 * that was in use before. */
TEST(overruns_within_a_page_are_harmless) {
  enum { SIZE = 64, REACH = 4096, COUNT = 64 };
  char *memory[COUNT];
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < COUNT; i++)
      memory[i] = test_shared(SIZE);
    for (int i = 0; i < COUNT; i++)
      for (int k = SIZE; k < REACH; k++)
        CHECK_EQ(memory[i][k], 0);
    for (int i = 0; i < COUNT; i++)
      memset(memory[i], i + 1, REACH);
    for (int i = 0; i < COUNT; i++)
      for (int k = 0; k < REACH; k++)
        CHECK_EQ(memory[i][k], i + 1);
    for (int i = 0; i < COUNT; i++)
      test_free(memory[i]);
  }
}

TEST(ordinals) {
  ze_device_mem_alloc_desc_t second = device_desc;
  second.ordinal = 1;
  void *memory;
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeMemAllocDevice(test_context(), &second, 64, 0, test_device(), &memory));
  OK(zeMemAllocShared(test_context(), &second, &host_desc, 64, 0, test_device(), &memory));
  test_free(memory);
}

TEST(alignment) {
  for (size_t alignment = 1; alignment <= 1 << 21; alignment *= 2) {
    void *memory;
    OK(zeMemAllocHost(test_context(), &host_desc, 100, alignment, &memory));
    CHECK_EQ((uintptr_t)memory % alignment, 0);
    test_free(memory);
  }
  void *memory;
  RETURNS(ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocHost(test_context(), &host_desc, 8, 3, &memory));
  RETURNS(ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocHost(test_context(), &host_desc, 8, 96, &memory));
}

/* Kernels and copies take memory that no driver gave, as the device's properties promise. */
TEST(memory_of_the_system) {
  enum { COUNT = 100 };
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  OK(zeDeviceGetMemoryAccessProperties(test_device(), &access));
  CHECK(access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  float on_stack[COUNT], *on_heap = malloc(sizeof on_stack);
  CHECK(on_heap);
  for (int i = 0; i < COUNT; i++) {
    on_stack[i] = (float)i;
    on_heap[i] = 1;
  }
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t axpy = test_kernel(module, "axpy");
  OK(zeKernelSetGroupSize(axpy, COUNT, 1, 1));
  test_axpy_args(axpy, 3, on_stack, on_heap);
  test_launch(axpy, 1, 1, 1);
  for (int i = 0; i < COUNT; i++)
    CHECK(on_heap[i] == 3 * (float)i + 1);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  OK(zeCommandListAppendMemoryCopy(list, on_stack, on_heap, sizeof on_stack, NULL, 0, NULL));
  CHECK(memcmp(on_stack, on_heap, sizeof on_stack) == 0);
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(axpy));
  OK(zeModuleDestroy(module));
  free(on_heap);
}

TEST(sizes) {
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  OK(zeDeviceGetProperties(test_device(), &properties));
  const size_t most = properties.maxMemAllocSize;
  ze_relaxed_allocation_limits_exp_desc_t relaxed = {
      .stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
      .flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE};
  const ze_device_mem_alloc_desc_t larger = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, .pNext = &relaxed};
  ze_context_handle_t context = test_context();
  ze_device_handle_t device = test_device();
  void *memory;
  RETURNS(ERROR_UNSUPPORTED_SIZE, zeMemAllocHost(context, &host_desc, 0, 0, &memory));
  RETURNS(ERROR_UNSUPPORTED_SIZE,
      zeMemAllocDevice(context, &device_desc, most + 1, 0, device, &memory));
  RETURNS(ERROR_UNSUPPORTED_SIZE,
      zeMemAllocDevice(context, &device_desc, SIZE_MAX, 0, device, &memory));
  RETURNS(ERROR_UNSUPPORTED_SIZE, zeMemAllocDevice(context, &larger, SIZE_MAX, 0, device, &memory));
  OK(zeMemAllocDevice(context, &larger, most + 1, 0, device, &memory));
  OK(zeMemFree(context, memory));
}

TEST(refusals) {
  ze_context_handle_t context = test_context();
  ze_device_handle_t device = test_device();
  ze_device_mem_alloc_desc_t bad_device = device_desc;
  ze_host_mem_alloc_desc_t bad_host = host_desc;
  bad_device.flags = 0x80;
  bad_host.flags = 0x80;
  void *memory;
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeMemAllocHost(NULL, &host_desc, 8, 0, &memory));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeMemAllocHost(context, NULL, 8, 0, &memory));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeMemAllocHost(context, &host_desc, 8, 0, NULL));
  RETURNS(ERROR_INVALID_ENUMERATION, zeMemAllocHost(context, &bad_host, 8, 0, &memory));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeMemAllocDevice(context, &device_desc, 8, 0, NULL, &memory));
  RETURNS(ERROR_INVALID_ENUMERATION, zeMemAllocDevice(context, &bad_device, 8, 0, device, &memory));
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeMemAllocShared(context, &device_desc, NULL, 8, 0, device, &memory));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeMemFree(context, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeMemFree(NULL, &memory));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeMemGetAllocProperties(context, &memory, NULL, NULL));
}

static void free_by(ze_driver_memory_free_policy_ext_flags_t policy, void *memory) {
  const ze_memory_free_ext_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, .freePolicy = policy};
  OK(zeMemFreeExt(test_context(), &desc, memory));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemFreeExt(test_context(), &desc, memory));
  CHECK_EQ(properties_of(memory, NULL).type, ZE_MEMORY_TYPE_UNKNOWN);
}

static void *signal_soon(void *gate) {
  usleep(30000);
  OK(zeEventHostSignal(gate));
  return NULL;
}

/* A fill of the memory waits for an event while the memory is freed. */
static void free_in_use(ze_driver_memory_free_policy_ext_flags_t policy) {
  enum { SIZE = 1 << 16 };
  const int is_blocking = policy == ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE;
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  char *memory = test_shared(SIZE), *other = test_shared(SIZE);
  const int pattern = 0x07070707;
  pthread_t thread;
  OK(zeCommandListAppendMemoryFill(list, memory, &pattern, sizeof pattern, SIZE, NULL, 1, &gate));
  OK(zeCommandListAppendMemoryCopy(list, other, memory, SIZE, done, 0, NULL));
  if (is_blocking) CHECK(pthread_create(&thread, NULL, signal_soon, gate) == 0);
  free_by(policy, memory);
  CHECK_EQ(zeEventQueryStatus(done), is_blocking ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY);
  if (is_blocking)
    pthread_join(thread, NULL);
  else
    OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK(other[0] == 7 && other[SIZE - 1] == 7);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  test_free(other);
  test_free(test_shared(1)); /* what was deferred goes now */
}

TEST(free_with_a_policy) {
  ze_driver_handle_t driver;
  uint32_t count = 1;
  ze_driver_memory_free_ext_properties_t free_properties = {
      .stype = ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES};
  ze_driver_properties_t driver_properties = {
      .stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES, .pNext = &free_properties};
  OK(zeDriverGet(&count, &driver));
  OK(zeDriverGetProperties(driver, &driver_properties));
  CHECK_EQ(free_properties.freePolicies, 3);
  free_by(0, test_shared(64));
  free_by(ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE, test_shared(64));
  free_by(ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE, test_shared(64));
  free_in_use(ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE);
  free_in_use(ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE);
  const ze_memory_free_ext_desc_t both = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, .freePolicy = 3};
  void *memory = test_shared(64);
  RETURNS(ERROR_INVALID_ENUMERATION, zeMemFreeExt(test_context(), &both, memory));
  test_free(memory);
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The average of a lookup among `count` allocations, all of which are freed again. */
static double lookup_among(size_t count, void **memory) {
  enum { LOOKUPS = 20000 };
  for (size_t i = 0; i < count; i++)
    OK(zeMemAllocHost(test_context(), &host_desc, 16, 0, &memory[i]));
  const double start = seconds();
  for (size_t i = 0; i < LOOKUPS; i++) {
    char *wanted = memory[i * 7919 % count];
    void *base;
    OK(zeMemGetAddressRange(test_context(), wanted + 15, &base, NULL));
    CHECK(base == wanted);
  }
  const double took = (seconds() - start) / LOOKUPS;
  for (size_t i = 0; i < count; i++)
    test_free(memory[i]);
  return took;
}

TEST(many_allocations) {
  enum { MANY = 50000 };
  void **memory = malloc(MANY * sizeof *memory);
  CHECK(memory != NULL);
  lookup_among(100, memory);
  const double few = lookup_among(100, memory), many = lookup_among(MANY, memory);
  free(memory);
  CHECK(many < 50 * few + 20e-6);
}

TEST_MAIN(three_kinds, unknown_pointers, contexts_of_a_driver_share_memory,
    overruns_within_a_page_are_harmless, ordinals, alignment, memory_of_the_system, sizes, refusals,
    free_with_a_policy, many_allocations)
