/* Pools and events: what the host does with them, and what is refused. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

TEST(signal_query_reset) {
  ze_event_handle_t event = test_lone_event();
  RETURNS(NOT_READY, zeEventQueryStatus(event));
  RETURNS(NOT_READY, zeEventHostSynchronize(event, 0));
  OK(zeEventHostSignal(event));
  OK(zeEventQueryStatus(event));
  OK(zeEventHostSignal(event));
  OK(zeEventHostSynchronize(event, 0));
  OK(zeEventHostSynchronize(event, UINT64_MAX));
  OK(zeEventHostReset(event));
  RETURNS(NOT_READY, zeEventQueryStatus(event));
  OK(zeEventDestroy(event));
}

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * TEST_SECOND + (uint64_t)time.tv_nsec;
}

TEST(time_out) {
  ze_event_handle_t event = test_lone_event();
  const uint64_t start = now_ns();
  RETURNS(NOT_READY, zeEventHostSynchronize(event, 20000000));
  CHECK(now_ns() - start >= 20000000);
  OK(zeEventDestroy(event));
}

static void *signal_later(void *event) {
  usleep(20000);
  CHECK_EQ(zeEventHostSignal(event), ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(waiter_is_woken) {
  for (uint64_t timeout = 600ull * TEST_SECOND;; timeout = UINT64_MAX) {
    ze_event_handle_t event = test_lone_event();
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, signal_later, event), 0);
    OK(zeEventHostSynchronize(event, timeout));
    CHECK_EQ(pthread_join(thread, NULL), 0);
    OK(zeEventDestroy(event));
    if (timeout == UINT64_MAX) break;
  }
}

TEST(pool_bounds) {
  ze_event_pool_handle_t pool = test_pool(0, 3);
  ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 3};
  ze_event_handle_t event;
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventCreate(pool, &desc, &event));
  desc.index = UINT32_MAX;
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventCreate(pool, &desc, &event));
  desc.index = 2;
  OK(zeEventCreate(pool, &desc, &event));
  OK(zeEventDestroy(event));
  desc.signal = 0x8;
  RETURNS(ERROR_INVALID_ENUMERATION, zeEventCreate(pool, &desc, &event));
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  desc.wait = 0x10;
  RETURNS(ERROR_INVALID_ENUMERATION, zeEventCreate(pool, &desc, &event));
  desc.wait = 0;
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventCreate(NULL, &desc, &event));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeEventCreate(pool, NULL, &event));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeEventCreate(pool, &desc, NULL));
  OK(zeEventPoolDestroy(pool));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventCreate(pool, &desc, &event));
}

TEST(pool_refusals) {
  ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC};
  ze_event_pool_handle_t pool;
  ze_device_handle_t device = test_device(), none = NULL;
  RETURNS(ERROR_INVALID_SIZE, zeEventPoolCreate(test_context(), &desc, 0, NULL, &pool));
  desc.count = 1;
  RETURNS(ERROR_INVALID_SIZE, zeEventPoolCreate(test_context(), &desc, 1, NULL, &pool));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventPoolCreate(test_context(), &desc, 1, &none, &pool));
  OK(zeEventPoolCreate(test_context(), &desc, 1, &device, &pool));
  OK(zeEventPoolDestroy(pool));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventPoolDestroy(pool));
  desc.flags = 0x80;
  RETURNS(ERROR_INVALID_ENUMERATION, zeEventPoolCreate(test_context(), &desc, 0, NULL, &pool));
  desc.flags = 0;
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventPoolCreate(NULL, &desc, 0, NULL, &pool));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeEventPoolCreate(test_context(), NULL, 0, NULL, &pool));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeEventPoolCreate(test_context(), &desc, 0, NULL, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventPoolDestroy(NULL));
}

TEST(wrong_handles) {
  ze_event_handle_t event = test_lone_event();
  OK(zeEventDestroy(event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventDestroy(event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventHostSignal(event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventQueryStatus(event));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventHostSynchronize(event, 0));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventHostReset((ze_event_handle_t)(void *)test_device()));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventHostSignal(NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventDestroy(NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventQueryStatus(NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeEventHostReset(NULL));
}

TEST(timestamps) {
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1);
  ze_event_handle_t event = test_event(pool, 0), plain = test_lone_event();
  ze_kernel_timestamp_result_t result;
  RETURNS(NOT_READY, zeEventQueryKernelTimestamp(event, &result));
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  char *memory = test_shared(1 << 20);
  uint64_t before, after, device;
  OK(zeDeviceGetGlobalTimestamps(test_device(), &before, &device));
  OK(zeCommandListAppendMemoryCopy(list, memory, memory + (1 << 19), 1 << 19, event, 0, NULL));
  OK(zeDeviceGetGlobalTimestamps(test_device(), &after, &device));
  OK(zeEventQueryKernelTimestamp(event, &result));
  CHECK(result.global.kernelStart >= before && result.global.kernelEnd <= after);
  CHECK(result.global.kernelEnd > result.global.kernelStart);
  CHECK_EQ(result.context.kernelEnd, result.global.kernelEnd);
  ze_kernel_timestamp_result_t *written = test_shared(2 * sizeof *written);
  const size_t offset = sizeof *written;
  OK(zeCommandListAppendQueryKernelTimestamps(list, 1, &event, written, &offset, NULL, 0, NULL));
  CHECK_EQ(written[1].global.kernelStart, result.global.kernelStart);
  CHECK_EQ(written[0].global.kernelStart, 0);
  OK(zeCommandListAppendQueryKernelTimestamps(list, 1, &event, written, NULL, NULL, 0, NULL));
  CHECK_EQ(written[0].global.kernelEnd, result.global.kernelEnd);
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendQueryKernelTimestamps(list, 1, &plain, written, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventQueryKernelTimestamp(plain, &result));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeEventQueryKernelTimestamp(event, NULL));
  test_free(written);
  test_free(memory);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(event));
  OK(zeEventDestroy(plain));
  OK(zeEventPoolDestroy(pool));
}

#ifdef ZE_API_VERSION_CURRENT_M
TEST(queries_of_events) {
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1), same = NULL;
  ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
      .signal = ZE_EVENT_SCOPE_FLAG_HOST,
      .wait = ZE_EVENT_SCOPE_FLAG_DEVICE};
  ze_event_handle_t event;
  OK(zeEventCreate(pool, &desc, &event));
  OK(zeEventGetEventPool(event, &same));
  CHECK(same == pool);
  ze_event_scope_flags_t scope;
  OK(zeEventGetSignalScope(event, &scope));
  CHECK_EQ(scope, ZE_EVENT_SCOPE_FLAG_HOST);
  OK(zeEventGetWaitScope(event, &scope));
  CHECK_EQ(scope, ZE_EVENT_SCOPE_FLAG_DEVICE);
  ze_context_handle_t context;
  OK(zeEventPoolGetContextHandle(pool, &context));
  CHECK(context == test_context());
  ze_event_pool_flags_t flags;
  OK(zeEventPoolGetFlags(pool, &flags));
  CHECK_EQ(flags, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
}

TEST(synchronised_timestamps) {
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1);
  ze_event_handle_t event = test_event(pool, 0);
  ze_kernel_timestamp_result_t stamps = {.global = {0, 0}};
  ze_synchronized_timestamp_result_ext_t synchronised;
  ze_event_query_kernel_timestamps_results_ext_properties_t results = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES,
      .pKernelTimestampsBuffer = &stamps,
      .pSynchronizedTimestampsBuffer = &synchronised};
  uint32_t count = 0;
  OK(zeEventQueryKernelTimestampsExt(event, test_device(), &count, NULL));
  CHECK_EQ(count, 1);
  RETURNS(NOT_READY, zeEventQueryKernelTimestampsExt(event, test_device(), &count, &results));
  OK(zeEventHostSignal(event));
  OK(zeEventQueryKernelTimestampsExt(event, test_device(), &count, &results));
  CHECK(stamps.global.kernelStart != 0);
  CHECK_EQ(synchronised.global.kernelStart, stamps.global.kernelStart);
  CHECK_EQ(synchronised.context.kernelEnd, stamps.global.kernelEnd);
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
}
#else
TEST(queries_of_events) {
  SKIP("the headers lack the function");
}

TEST(synchronised_timestamps) {
  SKIP("the headers lack the function");
}
#endif

TEST_MAIN(signal_query_reset, time_out, waiter_is_woken, pool_bounds, pool_refusals, wrong_handles,
    timestamps, queries_of_events, synchronised_timestamps)
