/* Eight threads at once: each has its lists, and all share a queue and their events. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 200 };

static struct {
  ze_event_handle_t events[THREADS][ROUNDS];
  ze_command_queue_handle_t queue;
  int *memory;
} shared;

static void in_threads(void *(*body)(void *)) {
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, body, (void *)i), 0);
  for (size_t i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

static void make_events(ze_event_pool_handle_t *pool) {
  *pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, THREADS * ROUNDS);
  for (uint32_t i = 0; i < THREADS * ROUNDS; i++)
    shared.events[i / ROUNDS][i % ROUNDS] = test_event(*pool, i);
}

static void drop_events(ze_event_pool_handle_t pool) {
  for (uint32_t i = 0; i < THREADS * ROUNDS; i++)
    OK(zeEventDestroy(shared.events[i / ROUNDS][i % ROUNDS]));
  OK(zeEventPoolDestroy(pool));
}

/* Each round waits for the previous round of the neighbour, so that a wave passes through all
 * lists. */
static void *append_to_own_list(void *argument) {
  const size_t self = (size_t)argument, neighbour = (self + 1) % THREADS;
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  int *mine = &shared.memory[self * (ROUNDS + 1)];
  for (int i = 0; i < ROUNDS; i++)
    OK(zeCommandListAppendMemoryCopy(list, &mine[i + 1], &mine[i], sizeof *mine,
        shared.events[self][i], i ? 1 : 0, i ? &shared.events[neighbour][i - 1] : NULL));
  OK(zeEventHostSynchronize(shared.events[neighbour][ROUNDS - 1], UINT64_MAX));
  OK(zeEventHostSynchronize(shared.events[self][ROUNDS - 1], UINT64_MAX));
  OK(zeCommandListDestroy(list));
  return NULL;
}

TEST(own_lists_shared_events) {
  ze_event_pool_handle_t pool;
  shared.memory = test_shared(THREADS * (ROUNDS + 1) * sizeof *shared.memory);
  for (int i = 0; i < THREADS; i++)
    shared.memory[i * (ROUNDS + 1)] = i + 1;
  test_device();
  make_events(&pool);
  in_threads(append_to_own_list);
  for (int i = 0; i < THREADS * (ROUNDS + 1); i++)
    CHECK_EQ(shared.memory[i], i / (ROUNDS + 1) + 1);
  drop_events(pool);
  test_free(shared.memory);
}

static void *execute_on_shared_queue(void *argument) {
  const size_t self = (size_t)argument;
  const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  const ze_fence_desc_t fence_desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ze_command_list_handle_t list = NULL;
  ze_fence_handle_t fence = NULL;
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  OK(zeFenceCreate(shared.queue, &fence_desc, &fence));
  int *mine = &shared.memory[self * 2];
  OK(zeCommandListAppendMemoryCopy(list, &mine[1], &mine[0], sizeof *mine, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  for (int i = 0; i < ROUNDS; i++) {
    mine[0] = i;
    OK(zeCommandQueueExecuteCommandLists(shared.queue, 1, &list, fence));
    if (i % 2)
      OK(zeFenceHostSynchronize(fence, UINT64_MAX));
    else
      OK(zeCommandQueueSynchronize(shared.queue, UINT64_MAX));
    CHECK_EQ(mine[1], i);
    OK(zeFenceReset(fence));
  }
  OK(zeFenceDestroy(fence));
  OK(zeCommandListDestroy(list));
  return NULL;
}

static void share_queue(ze_command_queue_mode_t mode) {
  shared.queue = test_queue(mode);
  shared.memory = test_shared(2 * THREADS * sizeof *shared.memory);
  in_threads(execute_on_shared_queue);
  OK(zeCommandQueueDestroy(shared.queue));
  test_free(shared.memory);
}

TEST(one_asynchronous_queue) {
  share_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
}

TEST(one_synchronous_queue) {
  share_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
}

static void *make_and_destroy(void *argument) {
  (void)argument;
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
  const ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  for (int i = 0; i < ROUNDS; i++) {
    ze_event_pool_handle_t pool;
    ze_event_handle_t event;
    void *memory, *base;
    OK(zeEventPoolCreate(test_context(), &pool_desc, 0, NULL, &pool));
    OK(zeEventCreate(pool, &event_desc, &event));
    OK(zeEventPoolDestroy(pool));
    OK(zeEventHostSignal(event));
    OK(zeEventDestroy(event));
    OK(zeMemAllocHost(test_context(), &desc, 100 + (size_t)i, 0, &memory));
    OK(zeMemGetAddressRange(test_context(), (char *)memory + i, &base, NULL));
    CHECK(base == memory);
    OK(zeMemFree(test_context(), memory));
  }
  return NULL;
}

TEST(objects_and_memory) {
  in_threads(make_and_destroy);
}

static ze_module_handle_t module;

static void *launch(void *argument) {
  const size_t self = (size_t)argument;
  const ze_kernel_desc_t kernel_desc = {
      .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "axpy"};
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .mode = self % 2 ? ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS : ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_kernel_handle_t kernel = NULL;
  ze_command_list_handle_t list = NULL;
  float *x = (float *)&shared.memory[self * 2], *y = x + 1, a = 1;
  *x = 1;
  OK(zeKernelCreate(module, &kernel_desc, &kernel));
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof x, &x));
  OK(zeKernelSetArgumentValue(kernel, 2, sizeof y, &y));
  OK(zeCommandListCreateImmediate(test_context(), test_device(), &desc, &list));
  const ze_group_count_t groups = {1, 1, 1};
  for (int i = 0; i < ROUNDS; i++)
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, shared.events[self][i], 0, NULL));
  OK(zeEventHostSynchronize(shared.events[self][ROUNDS - 1], UINT64_MAX));
  CHECK(*y == (float)ROUNDS);
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
  return NULL;
}

TEST(kernels) {
  ze_event_pool_handle_t pool;
  module = test_module("test/kernels/basic.spv");
  shared.memory = test_shared(2 * THREADS * sizeof *shared.memory);
  make_events(&pool);
  in_threads(launch);
  drop_events(pool);
  test_free(shared.memory);
  OK(zeModuleDestroy(module));
}

TEST_MAIN(own_lists_shared_events, one_asynchronous_queue, one_synchronous_queue,
    objects_and_memory, kernels)
