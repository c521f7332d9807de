/* Objects for tests of lists and events, each made in one call that must succeed. */
#ifndef ZECL_TEST_HANDLES_H
#define ZECL_TEST_HANDLES_H

#include "modules.h"
#include "test/harness/check.h"

#define OK(call) CHECK_EQ(call, ZE_RESULT_SUCCESS)
#define RETURNS(code, call) CHECK_EQ(call, ZE_RESULT_##code)

enum { TEST_IN_ORDER = 2 }; /* the queue flag, which older headers lack */

enum { TEST_SECOND = 1000000000 };

ze_event_pool_handle_t test_pool(ze_event_pool_flags_t flags, uint32_t count);
ze_event_handle_t test_event(ze_event_pool_handle_t pool, uint32_t index);

/* An event of a pool of its own, which is gone already. */
ze_event_handle_t test_lone_event(void);

ze_command_list_handle_t test_immediate(
    ze_command_queue_mode_t mode, ze_command_queue_flags_t flags);
ze_command_list_handle_t test_list(void);
ze_command_queue_handle_t test_queue(ze_command_queue_mode_t mode);
ze_fence_handle_t test_fence(ze_command_queue_handle_t queue);

/* The argument of test_execute, which a test starts as a thread. */
struct test_execution {
  ze_command_queue_handle_t queue;
  ze_command_list_handle_t list;
};
void *test_execute(void *execution);

/* True if the engine is CUDA: the host has no access to device memory there, texture units filter
 * with eight bits of weight, and formats are those of its arrays. */
int test_on_cuda(void);

/* Zeroed memory that host and device share. */
void *test_shared(size_t size);
void test_free(void *memory);

/* Copies by the device, since the host cannot access all of its memory. Done on return. */
void test_copy(void *to, const void *from, size_t size);

/* Memory of a type, or an error. */
ze_result_t test_allocate(ze_memory_type_t type, size_t size, void **memory);
void *test_device_memory(size_t size);

#endif
