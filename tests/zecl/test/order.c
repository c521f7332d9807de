/* ZECL_ORDER: lists that are not in-order run their commands in another order than that of the
 * appends, as far as events and barriers allow it. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>

enum { COUNT = 12 };

/* The driver reads the variable when zeInit loads it. */
__attribute__((constructor)) static void choose_order(void) {
  setenv("ZECL_ORDER", "7", 1);
}

static void append_fills(ze_command_list_handle_t list, int *memory) {
  for (int i = 0; i < COUNT; i++)
    OK(zeCommandListAppendMemoryFill(list, memory, &i, sizeof i, sizeof i, NULL, 0, NULL));
}

static void append_copies(ze_command_list_handle_t list, int *chain) {
  for (int i = 0; i < COUNT; i++)
    OK(zeCommandListAppendMemoryCopy(list, &chain[i + 1], &chain[i], sizeof *chain, NULL, 0, NULL));
}

static void execute(ze_command_queue_handle_t queue, ze_command_list_handle_t list) {
  OK(zeCommandListClose(list));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeCommandListReset(list));
}

TEST(commands_of_a_regular_list_are_reordered) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t list = test_list();
  int *chain = test_shared((COUNT + 1) * sizeof *chain);
  chain[0] = 1;
  append_copies(list, chain);
  execute(queue, list);
  CHECK_EQ(chain[COUNT], 0); /* each copy has to follow the one before */
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  test_free(chain);
}

TEST(events_and_barriers_keep_their_order) {
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t list = test_list();
  int *chain = test_shared((2 * COUNT + 1) * sizeof *chain);
  ze_event_handle_t events[COUNT];
  chain[0] = 1;
  for (int i = 0; i < COUNT; i++) {
    events[i] = test_lone_event();
    OK(zeCommandListAppendMemoryCopy(list, &chain[i + 1], &chain[i], sizeof *chain, events[i],
        i > 0, i > 0 ? &events[i - 1] : NULL));
  }
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  for (int i = COUNT; i < 2 * COUNT; i++) {
    OK(zeCommandListAppendMemoryCopy(list, &chain[i + 1], &chain[i], sizeof *chain, NULL, 0, NULL));
    OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  }
  execute(queue, list);
  CHECK_EQ(chain[2 * COUNT], 1);
  for (int i = 0; i < COUNT; i++)
    OK(zeEventDestroy(events[i]));
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  test_free(chain);
}

TEST(an_immediate_list_goes_on_behind_a_wait) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  int *memory = test_shared(2 * sizeof *memory);
  const int one = 1, two = 2;
  OK(zeCommandListAppendMemoryFill(list, &memory[0], &one, sizeof one, sizeof one, NULL, 1, &gate));
  OK(zeCommandListAppendMemoryFill(list, &memory[1], &two, sizeof two, sizeof two, done, 0, NULL));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(memory[0], 0);
  CHECK_EQ(memory[1], 2);
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostReset(done));
  OK(zeCommandListAppendSignalEvent(list, done));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(memory[0], 1);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  test_free(memory);
}

TEST(an_in_order_list_stays_in_order) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  int *memory = test_shared(sizeof *memory);
  OK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  append_fills(list, memory);
  OK(zeCommandListAppendSignalEvent(list, done));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(*memory, COUNT - 1);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  test_free(memory);
}

/* Commands that are discarded at the end delay nothing. */
TEST(a_list_is_destroyed_while_commands_are_held) {
  for (int round = 0; round < 20; round++) {
    ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
    ze_event_handle_t gate = test_lone_event();
    int *memory = test_shared(sizeof *memory);
    const int one = 1;
    OK(zeCommandListAppendMemoryFill(list, memory, &one, sizeof one, sizeof one, NULL, 1, &gate));
    for (int i = 0; i < 2 * COUNT; i++)
      OK(zeCommandListAppendMemoryFill(list, memory, &one, sizeof one, sizeof one, NULL, 0, NULL));
    OK(zeCommandListDestroy(list));
    OK(zeEventDestroy(gate));
    test_free(memory);
  }
}

TEST_MAIN(commands_of_a_regular_list_are_reordered, events_and_barriers_keep_their_order,
    an_immediate_list_goes_on_behind_a_wait, an_in_order_list_stays_in_order,
    a_list_is_destroyed_while_commands_are_held)
