#include "works.h"

#include "tests/check.h"

enum { ITEMS = 256 };
static const uint64_t patience = 60ull * 1000 * 1000 * 1000;

void works_context(ze_context_handle_t context) {
  ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  CHECK_EQ(zeMemAllocHost(context, &desc, 64, 0, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(context, memory), ZE_RESULT_SUCCESS);
}

void works_event(ze_event_handle_t event) {
  CHECK_EQ(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostReset(event), ZE_RESULT_SUCCESS);
}

static void wait_and_destroy(ze_event_handle_t event) {
  CHECK_EQ(zeEventHostSynchronize(event, patience), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(event), ZE_RESULT_SUCCESS);
}

void works_wait(struct given *g, ze_command_list_handle_t list) {
  ze_event_handle_t event = given_event(g);
  CHECK_EQ(zeCommandListAppendBarrier(list, event, 0, NULL), ZE_RESULT_SUCCESS);
  wait_and_destroy(event);
}

void works_list(struct given *g, ze_command_list_handle_t list) {
  ze_event_handle_t event = given_event(g);
  CHECK_EQ(zeCommandListAppendSignalEvent(list, event), ZE_RESULT_SUCCESS);
  wait_and_destroy(event);
}

void works_queue(struct given *g, ze_command_queue_handle_t queue) {
  ze_command_list_handle_t list = given_regular_list(g);
  ze_event_handle_t event = given_event(g);
  CHECK_EQ(zeCommandListAppendSignalEvent(list, event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListClose(list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueSynchronize(queue, patience), ZE_RESULT_SUCCESS);
  wait_and_destroy(event);
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
}

void works_module(ze_module_handle_t module, const char *name) {
  CHECK_EQ(zeKernelDestroy(given_kernel_of(module, name)), ZE_RESULT_SUCCESS);
}

void works_iota(struct given *g, ze_command_list_handle_t list, ze_kernel_handle_t kernel) {
  ze_device_mem_alloc_desc_t device_desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  CHECK_EQ(zeMemAllocShared(
               g->context, &device_desc, &host_desc, ITEMS * sizeof(int), 0, g->device, &memory),
      ZE_RESULT_SUCCESS);
  int first = 1000, *numbers = memory;
  memset(numbers, 0, ITEMS * sizeof(int));
  CHECK_EQ(zeKernelSetGroupSize(kernel, 64, 1, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof memory, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 1, sizeof first, &first), ZE_RESULT_SUCCESS);
  ze_group_count_t groups = {ITEMS / 64, 1, 1};
  ze_event_handle_t event = given_event(g);
  CHECK_EQ(
      zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL), ZE_RESULT_SUCCESS);
  wait_and_destroy(event);
  for (int i = 0; i < ITEMS && given_executes(); i++)
    CHECK_EQ(numbers[i], first + i);
  CHECK_EQ(zeMemFree(g->context, memory), ZE_RESULT_SUCCESS);
}
