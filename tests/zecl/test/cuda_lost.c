/* A device that is lost, on the libcuda of the tests: waits end, calls fail, and everything can be
 * destroyed. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "support/launch.h"
#include "support/libcuda.h"
#include "support/slot.h"

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 1);
}

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry trap(.param .u64 word) {\n  ret;\n}\n";

/* Numbers that older headers lack: of a counter-based pool, and the flag of an in-order list. */
enum { COUNTER_BASED = 0x00020014, REGULAR_LISTS = 2, IN_ORDER = 8 };

TEST(all_that_waits_for_it_ends) {
  struct test_file file = {(unsigned char *)(uintptr_t)ptx, strlen(ptx)};
  const ze_group_count_t one = {1, 1, 1};
  ze_module_handle_t module = NULL;
  uint32_t *word = test_shared(sizeof *word);
  unsigned char *device = test_device_memory(100), seven = 7;
  OK(test_make(ZE_MODULE_FORMAT_NATIVE, file, NULL, NULL, &module, NULL));
  ze_kernel_handle_t trap = test_kernel(module, "trap");
  OK(zeKernelSetArgumentValue(trap, 0, sizeof word, &word));
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_fence_handle_t fence = test_fence(queue);
  ze_command_list_handle_t list = test_list(),
                           other = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  const struct {
    ze_structure_type_t stype;
    const void *next;
    uint32_t flags;
  } counted = {.stype = (ze_structure_type_t)COUNTER_BASED, .flags = REGULAR_LISTS};
  const ze_event_pool_desc_t pool_desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .pNext = &counted, .count = 1};
  const ze_command_list_desc_t list_desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .flags = IN_ORDER};
  ze_command_queue_handle_t stuck = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t regular = NULL;
  ze_event_pool_handle_t pool = NULL;
  OK(zeEventPoolCreate(test_context(), &pool_desc, 0, NULL, &pool));
  OK(zeCommandListCreate(test_context(), test_device(), &list_desc, &regular));
  ze_event_handle_t not_begun = test_event(pool, 0);
  ze_event_handle_t gate = test_lone_event(), behind = test_lone_event(), kept = test_lone_event(),
                    never = test_lone_event();
  OK(zeDeviceGetStatus(test_device()));
  OK(zeContextGetStatus(test_context()));
  OK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  OK(zeCommandListAppendLaunchKernel(list, trap, &one, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryFill(list, device, &seven, 1, 100, behind, 0, NULL));
  OK(zeCommandListClose(list));
  OK(zeCommandListAppendBarrier(other, kept, 1, &never));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
  OK(zeCommandListAppendWaitOnEvents(regular, 1, &never));
  OK(zeCommandListAppendSignalEvent(regular, not_begun));
  OK(zeCommandListClose(regular));
  OK(zeCommandQueueExecuteCommandLists(stuck, 1, &regular, NULL));
  RETURNS(NOT_READY, zeEventHostSynchronize(not_begun, TEST_SECOND / 50));
  OK(zeEventHostSignal(gate));
  RETURNS(ERROR_DEVICE_LOST, zeFenceHostSynchronize(fence, UINT64_MAX));
  RETURNS(ERROR_DEVICE_LOST, zeEventHostSynchronize(behind, UINT64_MAX));
  RETURNS(ERROR_DEVICE_LOST, zeEventHostSynchronize(kept, UINT64_MAX));
  RETURNS(ERROR_DEVICE_LOST, zeEventHostSynchronize(not_begun, UINT64_MAX));
  RETURNS(ERROR_DEVICE_LOST, zeFenceHostSynchronize(fence, TEST_SECOND / 1000));
  RETURNS(ERROR_DEVICE_LOST, zeEventHostSynchronize(kept, TEST_SECOND / 1000));
  RETURNS(ERROR_DEVICE_LOST, zeCommandQueueSynchronize(queue, UINT64_MAX));
  RETURNS(ERROR_DEVICE_LOST, SLOT("zeGetDevice", 22, ze_device_handle_t)(test_device()));
  RETURNS(ERROR_DEVICE_LOST, zeDeviceGetStatus(test_device()));
  RETURNS(ERROR_DEVICE_LOST, zeContextGetStatus(test_context()));
  RETURNS(ERROR_DEVICE_LOST,
      zeCommandListAppendMemoryFill(test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0), device,
          &seven, 1, 1, NULL, 0, NULL));
  test_free(device);
  OK(zeCommandListDestroy(other));
  OK(zeCommandListDestroy(list));
  OK(zeFenceDestroy(fence));
  OK(zeCommandQueueDestroy(queue));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(behind));
  OK(zeEventDestroy(kept));
  OK(zeEventDestroy(never));
  OK(zeEventDestroy(not_begun));
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(regular));
  OK(zeCommandQueueDestroy(stuck));
  OK(zeKernelDestroy(trap));
  OK(zeModuleDestroy(module));
  test_free(word);
}

TEST_MAIN(all_that_waits_for_it_ends)
