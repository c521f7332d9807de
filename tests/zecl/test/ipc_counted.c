/* Counter-based events between processes: a handle is of the latest append, and stays so. */
#define _GNU_SOURCE
#include "support/programs.h"
#include "support/slot.h"

enum { IPC = 8, HOST_TIMESTAMP = 32, PATIENCE = 600 };

typedef struct {
  char data[ZE_MAX_IPC_HANDLE_SIZE];
} event_handle;

static ze_result_t try_event(uint32_t flags, ze_event_handle_t *event) {
  const struct {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags, signal, wait;
  } desc = {.flags = flags};
  return SLOT("zeGetEvent", 11, ze_context_handle_t, ze_device_handle_t, const void *,
      ze_event_handle_t *)(test_context(), test_device(), &desc, event);
}

static ze_event_handle_t counted_event(uint32_t flags) {
  ze_event_handle_t event = NULL;
  OK(try_event(flags, &event));
  return event;
}

static ze_result_t export_event(ze_event_handle_t event, event_handle *handle) {
  return SLOT("zeGetEvent", 12, ze_event_handle_t, event_handle *)(event, handle);
}

static ze_result_t open_event(event_handle handle, ze_event_handle_t *event) {
  return SLOT("zeGetEvent", 13, ze_context_handle_t, event_handle, ze_event_handle_t *)(
      test_context(), handle, event);
}

static ze_result_t close_event(ze_event_handle_t event) {
  return SLOT("zeGetEvent", 14, ze_event_handle_t)(event);
}

TEST(flags_are_those_of_the_creation) {
  typedef ze_result_t query(ze_event_handle_t, uint32_t *);
  query *flags_of = (query *)slot("zeGetEvent", 16);
  ze_event_handle_t counted = counted_event(IPC | 1), plain = test_lone_event();
  uint32_t flags = 99;
  OK(flags_of(counted, &flags));
  CHECK_EQ(flags, IPC | 1);
  OK(flags_of(plain, &flags));
  CHECK_EQ(flags, 0);
  RETURNS(ERROR_INVALID_NULL_POINTER, flags_of(plain, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, try_event(IPC | HOST_TIMESTAMP, &counted));
  OK(zeEventDestroy(counted));
  OK(zeEventDestroy(plain));
}

/* What is opened stays the append that the handle was of. */
TEST(an_opened_event_is_of_the_append_before) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t event = counted_event(IPC), before, first, second, gates[2];
  event_handle handle, of_first, of_second;
  OK(export_event(event, &handle));
  OK(open_event(handle, &before));
  OK(zeEventQueryStatus(before));
  for (int i = 0; i < 2; i++) {
    gates[i] = test_lone_event();
    OK(zeCommandListAppendBarrier(list, event, 1, &gates[i]));
    OK(export_event(event, i == 0 ? &of_first : &of_second));
  }
  OK(open_event(of_first, &first));
  OK(open_event(of_second, &second));
  OK(zeEventDestroy(event));
  RETURNS(NOT_READY, zeEventQueryStatus(first));
  OK(zeEventHostSignal(gates[0]));
  OK(zeEventHostSynchronize(first, PATIENCE * (uint64_t)TEST_SECOND));
  RETURNS(NOT_READY, zeEventQueryStatus(second));
  OK(zeEventHostSignal(gates[1]));
  OK(zeEventHostSynchronize(second, PATIENCE * (uint64_t)TEST_SECOND));
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventDestroy(second));
  OK(close_event(before));
  OK(close_event(first));
  OK(close_event(second));
  RETURNS(ERROR_INVALID_ARGUMENT, close_event(second));
  OK(zeEventDestroy(gates[0]));
  OK(zeEventDestroy(gates[1]));
  OK(zeCommandListDestroy(list));
}

TEST(handles_of_other_kinds_are_refused) {
  ze_event_handle_t event = counted_event(IPC), own = counted_event(0), plain = test_lone_event(),
                    opened = NULL;
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_IPC, 1), opened_pool;
  ze_ipc_event_pool_handle_t of_pool;
  event_handle handle;
  RETURNS(ERROR_INVALID_ARGUMENT, export_event(own, &handle));
  RETURNS(ERROR_INVALID_ARGUMENT, export_event(plain, &handle));
  RETURNS(ERROR_INVALID_ARGUMENT, close_event(event));
  OK(zeEventPoolGetIpcHandle(pool, &of_pool));
  memcpy(&handle, &of_pool, sizeof handle);
  RETURNS(ERROR_INVALID_ARGUMENT, open_event(handle, &opened));
  OK(export_event(event, &handle));
  memcpy(&of_pool, &handle, sizeof handle);
  RETURNS(ERROR_INVALID_ARGUMENT, zeEventPoolOpenIpcHandle(test_context(), of_pool, &opened_pool));
  memset(&handle, 0, sizeof handle);
  RETURNS(ERROR_INVALID_ARGUMENT, open_event(handle, &opened));
  CHECK(opened == NULL);
  OK(zeEventDestroy(event));
  OK(zeEventDestroy(own));
  OK(zeEventDestroy(plain));
  OK(zeEventPoolDestroy(pool));
}

/* A list of the other program waits for the event, which is signalled after that has begun. */
static int other_process(int link) {
  event_handle handle;
  ze_event_handle_t event;
  int *number = test_shared(sizeof *number), one = 1;
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  if (!receive_handle(link, &handle, sizeof handle, 1)) return 1;
  if (open_event(handle, &event)) return 2;
  if (zeEventQueryStatus(event) != ZE_RESULT_NOT_READY) return 3;
  if (zeCommandListAppendMemoryFill(list, number, &one, sizeof one, sizeof one, NULL, 1, &event))
    return 4;
  if (write(link, "r", 1) != 1) return 5;
  if (zeEventHostSynchronize(event, PATIENCE * (uint64_t)TEST_SECOND)) return 6;
  if (zeCommandListDestroy(list) || *number != 1) return 7;
  return close_event(event) ? 8 : 0;
}

TEST(another_program_awaits_it) {
  int links[2];
  const pid_t child = begin_program("the_other_program", links);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t event = counted_event(IPC), gate = test_lone_event();
  event_handle handle;
  char ready;
  OK(zeCommandListAppendBarrier(list, event, 1, &gate));
  OK(export_event(event, &handle));
  CHECK(send_handle(links[0], &handle, sizeof handle));
  CHECK(read(links[0], &ready, 1) == 1);
  OK(zeEventHostSignal(gate));
  end_program(child, links);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(event));
  OK(zeEventDestroy(gate));
}

TEST(the_other_program) {
  const char *link = getenv("ZECL_TEST_LINK");
  if (!link) SKIP("it is begun by the case before");
  _exit(other_process(atoi(link)));
}

TEST_MAIN(flags_are_those_of_the_creation, an_opened_event_is_of_the_append_before,
    handles_of_other_kinds_are_refused, another_program_awaits_it, the_other_program)
