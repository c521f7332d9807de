#include "handles.h"

#include <string.h>

ze_event_pool_handle_t test_pool(ze_event_pool_flags_t flags, uint32_t count) {
  const ze_event_pool_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = flags, .count = count};
  ze_event_pool_handle_t pool = NULL;
  OK(zeEventPoolCreate(test_context(), &desc, 0, NULL, &pool));
  return pool;
}

ze_event_handle_t test_event(ze_event_pool_handle_t pool, uint32_t index) {
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = index};
  ze_event_handle_t event = NULL;
  OK(zeEventCreate(pool, &desc, &event));
  return event;
}

ze_event_handle_t test_lone_event(void) {
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1);
  ze_event_handle_t event = test_event(pool, 0);
  OK(zeEventPoolDestroy(pool));
  return event;
}

ze_command_list_handle_t test_immediate(
    ze_command_queue_mode_t mode, ze_command_queue_flags_t flags) {
  const ze_command_queue_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = mode, .flags = flags};
  ze_command_list_handle_t list = NULL;
  OK(zeCommandListCreateImmediate(test_context(), test_device(), &desc, &list));
  return list;
}

ze_command_list_handle_t test_list(void) {
  const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_list_handle_t list = NULL;
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  return list;
}

ze_command_queue_handle_t test_queue(ze_command_queue_mode_t mode) {
  const ze_command_queue_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = mode};
  ze_command_queue_handle_t queue = NULL;
  OK(zeCommandQueueCreate(test_context(), test_device(), &desc, &queue));
  return queue;
}

ze_fence_handle_t test_fence(ze_command_queue_handle_t queue) {
  const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ze_fence_handle_t fence = NULL;
  OK(zeFenceCreate(queue, &desc, &fence));
  return fence;
}

void *test_execute(void *argument) {
  struct test_execution *execution = argument;
  OK(zeCommandQueueExecuteCommandLists(execution->queue, 1, &execution->list, NULL));
  return NULL;
}

int test_on_cuda(void) {
  enum { NVIDIA = 0x10de };
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  OK(zeDeviceGetProperties(test_device(), &properties));
  return properties.vendorId == NVIDIA;
}

ze_result_t test_allocate(ze_memory_type_t type, size_t size, void **memory) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  if (type == ZE_MEMORY_TYPE_DEVICE)
    return zeMemAllocDevice(test_context(), &device, size, 0, test_device(), memory);
  if (type == ZE_MEMORY_TYPE_HOST) return zeMemAllocHost(test_context(), &host, size, 0, memory);
  return zeMemAllocShared(test_context(), &device, &host, size, 0, test_device(), memory);
}

void *test_device_memory(size_t size) {
  void *memory = NULL;
  OK(test_allocate(ZE_MEMORY_TYPE_DEVICE, size, &memory));
  return memory;
}

void *test_shared(size_t size) {
  void *memory = NULL;
  OK(test_allocate(ZE_MEMORY_TYPE_SHARED, size, &memory));
  memset(memory, 0, size);
  return memory;
}

void test_free(void *memory) {
  OK(zeMemFree(test_context(), memory));
}

void test_copy(void *to, const void *from, size_t size) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  OK(zeCommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
}
