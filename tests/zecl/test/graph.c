/* Lists that are captured (ZE_extension_record_replay_graph), and the graphs that they leave. */
#define _GNU_SOURCE
#include "support/slot.h"

typedef struct graph *graph_handle;
typedef struct executable *executable_handle;

enum { PATIENCE = 600, CAPTURE_UNSUPPORTED = 0x78000025, NOT_CAPTURING = 0x78000028 };
enum { QUERY_TRUE = 0x78000022, QUERY_FALSE = 0x78000023 };

#define LISTS "zeGetCommandList"
#define GRAPHS "zeGetGraph"
#define EXECUTABLES "zeGetExecutableGraph"

static ze_result_t create(graph_handle *graph) {
  return SLOT(GRAPHS, 0, ze_context_handle_t, const void *, graph_handle *)(
      test_context(), NULL, graph);
}

static ze_result_t begin_new(ze_command_list_handle_t list) {
  return SLOT(LISTS, 45, ze_command_list_handle_t, const void *)(list, NULL);
}

static ze_result_t begin(ze_command_list_handle_t list, graph_handle graph) {
  return SLOT(LISTS, 46, ze_command_list_handle_t, graph_handle, const void *)(list, graph, NULL);
}

static int captures(ze_command_list_handle_t list) {
  return (int)SLOT(LISTS, 47, ze_command_list_handle_t)(list);
}

static ze_result_t end(ze_command_list_handle_t list, graph_handle *graph) {
  return SLOT(LISTS, 48, ze_command_list_handle_t, const void *, graph_handle *)(list, NULL, graph);
}

static ze_result_t get(ze_command_list_handle_t list, graph_handle *graph) {
  return SLOT(LISTS, 49, ze_command_list_handle_t, graph_handle *)(list, graph);
}

static ze_result_t append(ze_command_list_handle_t list, executable_handle executable,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  return SLOT(LISTS, 50, ze_command_list_handle_t, executable_handle, const void *,
      ze_event_handle_t, uint32_t,
      ze_event_handle_t *)(list, executable, NULL, signal, wait_count, waits);
}

static ze_result_t instantiate(graph_handle graph, executable_handle *executable) {
  return SLOT(GRAPHS, 3, graph_handle, const void *, executable_handle *)(graph, NULL, executable);
}

static int is_empty(graph_handle graph) {
  return (int)SLOT(GRAPHS, 4, graph_handle)(graph);
}

static ze_result_t destroy(graph_handle graph) {
  return SLOT(GRAPHS, 6, graph_handle)(graph);
}

static ze_result_t destroy_executable(executable_handle executable) {
  return SLOT(EXECUTABLES, 1, executable_handle)(executable);
}

static ze_command_list_handle_t in_order(void) {
  return test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
}

static ze_result_t fill(ze_command_list_handle_t list, int *memory, int value) {
  return zeCommandListAppendMemoryFill(
      list, memory, &value, sizeof value, sizeof value, NULL, 0, NULL);
}

/* memory[1] = memory[0], and memory[0] = 7 */
static executable_handle captured(ze_command_list_handle_t list, int *memory) {
  graph_handle graph, ended;
  executable_handle executable;
  OK(create(&graph));
  CHECK_EQ(is_empty(graph), QUERY_TRUE);
  OK(begin(list, graph));
  OK(zeCommandListAppendMemoryCopy(list, &memory[1], memory, sizeof *memory, NULL, 0, NULL));
  OK(fill(list, memory, 7));
  OK(end(list, &ended));
  CHECK(ended == graph);
  CHECK_EQ(is_empty(graph), QUERY_FALSE);
  OK(instantiate(graph, &executable));
  OK(destroy(graph)); /* the executable graph has what it needs */
  return executable;
}

TEST(a_captured_list_runs_when_its_graph_is_appended) {
  int *memory = test_shared(2 * sizeof *memory);
  ze_command_list_handle_t list = in_order(), other = in_order();
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  memory[0] = 1;
  executable_handle executable = captured(list, memory);
  CHECK_EQ(memory[0], 1);
  for (int round = 0; round < 3; round++) {
    memory[0] = 2 + round;
    OK(append(round == 2 ? other : list, executable, done, 1, &gate));
    RETURNS(NOT_READY, zeEventQueryStatus(done));
    OK(zeEventHostSignal(gate));
    OK(zeEventHostSynchronize(done, PATIENCE * (uint64_t)TEST_SECOND));
    CHECK_EQ(memory[0], 7);
    CHECK_EQ(memory[1], 2 + round);
    OK(zeEventHostReset(gate));
    OK(zeEventHostReset(done));
  }
  OK(destroy_executable(executable));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(other));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  test_free(memory);
}

TEST(a_list_submits_again_once_its_capture_has_ended) {
  int *memory = test_shared(2 * sizeof *memory);
  ze_command_list_handle_t list = in_order();
  graph_handle graph, now;
  CHECK_EQ(captures(list), QUERY_FALSE);
  CHECK_EQ((int)get(list, &now), NOT_CAPTURING);
  CHECK_EQ((int)end(list, &now), NOT_CAPTURING);
  OK(begin_new(list));
  CHECK_EQ(captures(list), QUERY_TRUE);
  OK(get(list, &now));
  memory[0] = memory[1] = 0;
  OK(fill(list, memory, 1));
  CHECK_EQ((int)SLOT(LISTS, 28, ze_command_list_handle_t, uint64_t)(list, 0), CAPTURE_UNSUPPORTED);
  OK(end(list, &graph));
  CHECK(graph == now);
  CHECK_EQ(captures(list), QUERY_FALSE);
  OK(fill(list, &memory[1], 2));
  OK(SLOT(LISTS, 28, ze_command_list_handle_t, uint64_t)(list, PATIENCE * (uint64_t)TEST_SECOND));
  CHECK_EQ(memory[0], 0);
  CHECK_EQ(memory[1], 2);
  OK(destroy(graph));
  OK(zeCommandListDestroy(list));
  test_free(memory);
}

TEST(what_is_no_capture_is_refused) {
  int *memory = test_shared(2 * sizeof *memory);
  ze_command_list_handle_t list = in_order(), regular = test_list();
  ze_command_list_handle_t synchronous = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_command_list_handle_t any_order = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  executable_handle executable = captured(list, memory), none;
  graph_handle graph, ended;
  OK(create(&graph));
  RETURNS(ERROR_INVALID_ARGUMENT, begin(regular, graph));
  RETURNS(ERROR_INVALID_ARGUMENT, begin(synchronous, graph));
  RETURNS(ERROR_INVALID_NULL_HANDLE, begin(list, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, instantiate(graph, &none)); /* not captured yet */
  OK(begin(list, graph));
  RETURNS(ERROR_INVALID_ARGUMENT, begin(list, graph));
  RETURNS(ERROR_INVALID_ARGUMENT, instantiate(graph, &none));
  RETURNS(ERROR_HANDLE_OBJECT_IN_USE, destroy(graph));
  CHECK_EQ((int)append(list, executable, NULL, 0, NULL), CAPTURE_UNSUPPORTED);
  OK(end(list, &ended));
  RETURNS(ERROR_INVALID_ARGUMENT, begin(list, graph)); /* once */
  RETURNS(ERROR_INVALID_ARGUMENT, append(any_order, executable, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, append(regular, executable, NULL, 0, NULL));
  OK(destroy(graph));
  RETURNS(ERROR_INVALID_ARGUMENT, destroy(graph));
  OK(destroy_executable(executable));
  RETURNS(ERROR_INVALID_ARGUMENT, destroy_executable(executable));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(regular));
  OK(zeCommandListDestroy(synchronous));
  OK(zeCommandListDestroy(any_order));
  test_free(memory);
}

static void count(void *calls) {
  ++*(int *)calls;
}

/* A list that is destroyed while it is captured ends that. */
TEST(graphs_outlive_lists_and_executable_graphs_outlive_graphs) {
  int *memory = test_shared(2 * sizeof *memory), calls = 0;
  ze_command_list_handle_t list = in_order(), primary;
  executable_handle executable;
  graph_handle graph, source;
  OK(create(&graph));
  OK(SLOT(GRAPHS, 2, graph_handle, void (*)(void *), void *, const void *)(
      graph, count, &calls, NULL));
  OK(begin(list, graph));
  OK(fill(list, memory, 3));
  OK(SLOT(GRAPHS, 1, graph_handle, ze_command_list_handle_t *)(graph, &primary));
  CHECK(primary == list);
  OK(zeCommandListDestroy(list));
  OK(instantiate(graph, &executable));
  OK(SLOT(EXECUTABLES, 0, executable_handle, graph_handle *)(executable, &source));
  CHECK(source == graph);
  OK(destroy(graph));
  CHECK_EQ(calls, 0);
  list = in_order();
  OK(append(list, executable, NULL, 0, NULL));
  OK(SLOT(LISTS, 28, ze_command_list_handle_t, uint64_t)(list, PATIENCE * (uint64_t)TEST_SECOND));
  CHECK_EQ(memory[0], 3);
  OK(destroy_executable(executable));
  CHECK_EQ(calls, 1);
  OK(zeCommandListDestroy(list));
  test_free(memory);
}

TEST_MAIN(a_captured_list_runs_when_its_graph_is_appended,
    a_list_submits_again_once_its_capture_has_ended, what_is_no_capture_is_refused,
    graphs_outlive_lists_and_executable_graphs_outlive_graphs)
