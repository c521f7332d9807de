/* Failure on purpose: ZECL_FAIL. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>

/* The driver reads the variable when zeInit loads it. */
__attribute__((constructor)) static void choose_failures(void) {
  setenv("ZECL_FAIL",
      "zeEventCreate:3,zeMemAllocHost:1:0x70000003,zeMemAllocHost:3,zeCommandListAppendBarrier:2",
      1);
}

TEST(third_call_fails_once) {
  ze_event_pool_handle_t pool = test_pool(0, 1);
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  for (int call = 1; call <= 5; call++) {
    ze_event_handle_t event = NULL;
    const ze_result_t result = zeEventCreate(pool, &desc, &event);
    CHECK_EQ(result, call == 3 ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS);
    CHECK_EQ(event == NULL, call == 3);
    if (event) OK(zeEventDestroy(event));
  }
  OK(zeEventPoolDestroy(pool));
}

TEST(two_rules_for_one_function_and_a_code) {
  const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  SAYS(ERROR_OUT_OF_DEVICE_MEMORY, zeMemAllocHost(test_context(), &desc, 8, 0, &memory));
  CHECK(memory == NULL);
  OK(zeMemAllocHost(test_context(), &desc, 8, 0, &memory));
  test_free(memory);
  SAYS(ERROR_OUT_OF_HOST_MEMORY, zeMemAllocHost(test_context(), &desc, 8, 0, &memory));
  OK(zeMemAllocHost(test_context(), &desc, 8, 0, &memory));
  test_free(memory);
}

TEST(failed_append_leaves_nothing) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1);
  ze_event_handle_t event = test_event(pool, 0);
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  SAYS(ERROR_OUT_OF_HOST_MEMORY, zeCommandListAppendBarrier(list, event, 0, NULL));
  SAYS(NOT_READY, zeEventQueryStatus(event));
  OK(zeCommandListAppendBarrier(list, event, 0, NULL));
  OK(zeEventQueryStatus(event));
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(list));
}

TEST_MAIN(
    third_call_fails_once, two_rules_for_one_function_and_a_code, failed_append_leaves_nothing)
