/* Events and waits of the engine on CUDA, on the libcuda of the tests; what streams keep back:
 * thread_stream.c. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "support/libcuda.h"

#include <pthread.h>
#include <unistd.h>

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 2);
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

/* Other threads also query whether a stream has work, whenever memory is freed. */
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

TEST_MAIN(
    lists_wait_for_each_other, events_between_processes, synchronous_lists_wait_while_others_look)
