/* Queues of higher priority go first, and delay no other while they have nothing to run. */
#define _GNU_SOURCE
#include "support/handles.h"

enum { LOW, NORMAL, HIGH, COUNT };

/* Seconds that a lower queue waits for a higher one, however late the higher one's thread runs. */
enum { PATIENCE = 600 };

__attribute__((constructor)) static void be_patient(void) {
  char text[16];
  snprintf(text, sizeof text, "%d", PATIENCE * 1000);
  setenv("ZECL_PATIENCE", text, 1);
}

static ze_command_list_handle_t list_of(int priority) {
  static const ze_command_queue_priority_t priorities[COUNT] = {
      ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW, ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
      ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH};
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      .priority = priorities[priority]};
  ze_command_list_handle_t list;
  OK(zeCommandListCreateImmediate(test_context(), test_device(), &desc, &list));
  return list;
}

static uint64_t end_of(ze_event_handle_t event) {
  ze_kernel_timestamp_result_t stamps;
  OK(zeEventQueryKernelTimestamp(event, &stamps));
  return stamps.global.kernelEnd;
}

/* A GPU has room for all of them at once, and promises no order of their ends. */
TEST(higher_priority_ends_first) {
  enum { ROUNDS = 20, BYTES = 200000 };
  ze_event_pool_handle_t pool =
      test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, COUNT);
  ze_event_handle_t gate = test_lone_event(), done[COUNT];
  ze_command_list_handle_t lists[COUNT];
  unsigned char *memory[COUNT];
  for (int i = 0; i < COUNT; i++) {
    lists[i] = list_of(i);
    done[i] = test_event(pool, (uint32_t)i);
    memory[i] = test_shared(BYTES);
  }
  for (int round = 1; round <= ROUNDS; round++) {
    for (int i = 0; i < COUNT; i++) {
      OK(zeCommandListAppendWaitOnEvents(lists[i], 1, &gate));
      OK(zeCommandListAppendMemoryFill(lists[i], memory[i], &round, 1, BYTES, done[i], 0, NULL));
    }
    OK(zeEventHostSignal(gate));
    for (int i = 0; i < COUNT; i++)
      OK(zeEventHostSynchronize(done[i], UINT64_MAX));
    CHECK(test_on_cuda() || end_of(done[HIGH]) < end_of(done[NORMAL]));
    CHECK(test_on_cuda() || end_of(done[NORMAL]) < end_of(done[LOW]));
    for (int i = 0; i < COUNT; i++) {
      CHECK(end_of(done[i]) != 0);
      CHECK_EQ(memory[i][BYTES - 1], round);
      OK(zeEventHostReset(done[i]));
    }
    OK(zeEventHostReset(gate));
  }
  for (int i = 0; i < COUNT; i++) {
    OK(zeCommandListDestroy(lists[i]));
    OK(zeEventDestroy(done[i]));
    test_free(memory[i]);
  }
  OK(zeEventDestroy(gate));
  OK(zeEventPoolDestroy(pool));
}

/* The higher one waits for an event that only the lower one signals. */
TEST(a_blocked_queue_delays_no_other) {
  enum { ROUNDS = 200 };
  ze_command_list_handle_t low = list_of(LOW), high = list_of(HIGH);
  ze_event_handle_t ready = test_lone_event(), done = test_lone_event();
  char *memory = test_shared(2);
  for (int i = 0; i < ROUNDS; i++) {
    OK(zeCommandListAppendMemoryCopy(high, &memory[1], &memory[0], 1, done, 1, &ready));
    OK(zeCommandListAppendMemoryFill(low, &memory[0], &(char){(char)i}, 1, 1, ready, 0, NULL));
    OK(zeEventHostSynchronize(done, PATIENCE / 2 * (uint64_t)TEST_SECOND));
    CHECK_EQ(memory[1], (char)i);
    OK(zeEventHostReset(ready));
    OK(zeEventHostReset(done));
  }
  OK(zeCommandListDestroy(high));
  OK(zeCommandListDestroy(low));
  OK(zeEventDestroy(ready));
  OK(zeEventDestroy(done));
  test_free(memory);
}

TEST_MAIN(higher_priority_ends_first, a_blocked_queue_delays_no_other)
