/* Lists that are captured (ZE_extension_record_replay_graph), and the graphs that they leave. */
#define _GNU_SOURCE
#include "support/slot.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <unistd.h>

typedef struct graph *graph_handle;
typedef struct executable *executable_handle;

enum { PATIENCE = 600, CAPTURE_UNSUPPORTED = 0x78000025, CAPTURE_MERGE = 0x78000027 };
enum { NOT_CAPTURING = 0x78000028, UNJOINED_FORKS = 0x78000029 };
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

static bool is_named(void) {
  uint32_t count = 32, drivers = 1;
  ze_driver_handle_t driver;
  ze_driver_extension_properties_t extensions[32];
  OK(zeInit(0));
  OK(zeDriverGet(&drivers, &driver));
  OK(zeDriverGetExtensionProperties(driver, &count, extensions));
  bool found = false;
  for (uint32_t i = 0; i < count; i++)
    found |= strcmp(extensions[i].name, "ZE_extension_record_replay_graph") == 0;
  return found;
}

TEST(the_extension_is_named_where_the_loader_has_its_functions) {
  CHECK_EQ(is_named(), dlsym(RTLD_DEFAULT, "zeGraphCreateExt") != NULL);
  graph_handle graph;
  OK(create(&graph)); /* asks for the table */
  CHECK(is_named());
  OK(destroy(graph));
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

static ze_result_t copy(ze_command_list_handle_t list, int *to, const int *from,
    ze_event_handle_t signal, ze_event_handle_t *wait) {
  return zeCommandListAppendMemoryCopy(list, to, from, sizeof *to, signal, wait ? 1 : 0, wait);
}

TEST(a_list_that_waits_for_a_captured_command_is_captured) {
  int *memory = test_shared(4 * sizeof *memory);
  ze_command_list_handle_t list = in_order(), child = in_order(), grandchild = in_order();
  ze_event_handle_t events[4];
  graph_handle graph, ended;
  executable_handle executable;
  for (int i = 0; i < 4; i++)
    events[i] = test_lone_event();
  memset(memory, 0, 4 * sizeof *memory);
  OK(begin_new(list));
  OK(get(list, &graph));
  OK(copy(list, &memory[1], &memory[0], events[0], NULL));
  CHECK_EQ(captures(child), QUERY_FALSE);
  OK(copy(child, &memory[2], &memory[1], events[1], &events[0]));
  OK(copy(grandchild, &memory[3], &memory[2], events[2], &events[1]));
  CHECK(captures(child) == QUERY_TRUE && captures(grandchild) == QUERY_TRUE);
  CHECK_EQ((int)zeEventHostSynchronize(events[2], 0), CAPTURE_UNSUPPORTED);
  RETURNS(ERROR_INVALID_ARGUMENT, end(child, &ended));
  OK(zeCommandListAppendSignalEvent(child, events[3])); /* no work */
  OK(zeCommandListAppendWaitOnEvents(list, 2, &events[2]));
  OK(end(list, &ended));
  CHECK(ended == graph);
  CHECK(captures(child) == QUERY_FALSE && captures(grandchild) == QUERY_FALSE);
  RETURNS(NOT_READY, zeEventHostSynchronize(events[2], 0));
  OK(instantiate(graph, &executable));
  for (int round = 1; round < 3; round++) {
    memory[0] = round;
    OK(append(list, executable, NULL, 0, NULL));
    OK(SLOT(LISTS, 28, ze_command_list_handle_t, uint64_t)(list, PATIENCE * (uint64_t)TEST_SECOND));
    CHECK(memory[1] == round && memory[2] == round && memory[3] == round);
    for (int i = 0; i < 4; i++)
      OK(zeEventHostReset(events[i]));
  }
  OK(fill(child, memory, 9));
  OK(SLOT(LISTS, 28, ze_command_list_handle_t, uint64_t)(child, PATIENCE * (uint64_t)TEST_SECOND));
  CHECK_EQ(memory[0], 9);
  OK(destroy_executable(executable));
  OK(destroy(graph));
  for (int i = 0; i < 4; i++)
    OK(zeEventDestroy(events[i]));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(child));
  OK(zeCommandListDestroy(grandchild));
  test_free(memory);
}

/* Work after the last event that is awaited; a child that is destroyed; no event at all. */
TEST(a_capture_with_a_fork_that_is_not_joined_leaves_no_graph) {
  int *memory = test_shared(4 * sizeof *memory);
  for (int way = 0; way < 3; way++) {
    ze_command_list_handle_t list = in_order(), child = in_order();
    ze_event_handle_t forked = test_lone_event(), joined = test_lone_event();
    graph_handle graph = NULL;
    OK(begin_new(list));
    OK(copy(list, &memory[1], &memory[0], forked, NULL));
    OK(copy(child, &memory[2], &memory[1], way == 2 ? NULL : joined, &forked));
    if (way == 0) {
      OK(zeCommandListAppendWaitOnEvents(list, 1, &joined));
      OK(fill(child, &memory[2], 5));
    } else if (way == 1) {
      OK(zeCommandListDestroy(child));
      child = in_order();
    }
    CHECK_EQ((int)end(list, &graph), UNJOINED_FORKS);
    CHECK(!graph && captures(list) == QUERY_FALSE && captures(child) == QUERY_FALSE);
    OK(zeCommandListDestroy(list));
    OK(zeCommandListDestroy(child));
    OK(zeEventDestroy(forked));
    OK(zeEventDestroy(joined));
  }
  test_free(memory);
}

TEST(captures_do_not_mix) {
  int *memory = test_shared(4 * sizeof *memory);
  ze_command_list_handle_t list = in_order(), other = in_order(), regular = test_list();
  ze_event_handle_t event = test_lone_event();
  graph_handle graph, another;
  OK(begin_new(list));
  OK(begin_new(other));
  OK(copy(list, &memory[1], &memory[0], event, NULL));
  CHECK_EQ((int)copy(other, &memory[2], &memory[1], NULL, &event), CAPTURE_MERGE);
  CHECK_EQ((int)copy(regular, &memory[2], &memory[1], NULL, &event), CAPTURE_UNSUPPORTED);
  OK(end(list, &graph));
  OK(copy(other, &memory[2], &memory[1], NULL, &event)); /* it is of no capture any more */
  OK(end(other, &another));
  OK(destroy(graph));
  OK(destroy(another));
  OK(zeEventDestroy(event));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(other));
  OK(zeCommandListDestroy(regular));
  test_free(memory);
}

/* A list that is of no capture stays so when an append to it is refused. */
TEST(a_refused_merge_captures_nothing) {
  int *memory = test_shared(4 * sizeof *memory);
  ze_command_list_handle_t lists[] = {in_order(), in_order()}, other = in_order();
  ze_event_handle_t events[] = {test_lone_event(), test_lone_event()};
  graph_handle graphs[2];
  for (int i = 0; i < 2; i++) {
    OK(begin_new(lists[i]));
    OK(copy(lists[i], &memory[1], &memory[0], events[i], NULL));
  }
  CHECK_EQ((int)zeCommandListAppendWaitOnEvents(other, 2, events), CAPTURE_MERGE);
  CHECK_EQ(captures(other), QUERY_FALSE);
  for (int i = 0; i < 2; i++) {
    OK(end(lists[i], &graphs[i]));
    OK(destroy(graphs[i]));
    OK(zeEventDestroy(events[i]));
    OK(zeCommandListDestroy(lists[i]));
  }
  OK(zeCommandListDestroy(other));
  test_free(memory);
}

TEST(a_list_that_is_destroyed_takes_the_graph_of_its_capture_along) {
  ze_command_list_handle_t list = in_order();
  graph_handle graph;
  OK(begin_new(list));
  OK(get(list, &graph));
  OK(zeCommandListDestroy(list));
  RETURNS(ERROR_INVALID_ARGUMENT, destroy(graph));
}

static ze_result_t dump(graph_handle graph, const char *path) {
  return SLOT(GRAPHS, 5, graph_handle, const char *, const void *)(graph, path, NULL);
}

TEST(a_graph_is_dumped) {
  char path[] = "/tmp/zecl-graph-XXXXXX", text[256] = "";
  int *memory = test_shared(2 * sizeof *memory);
  ze_command_list_handle_t list = in_order();
  graph_handle graph;
  const int file = mkstemp(path);
  CHECK(file >= 0);
  OK(begin_new(list));
  OK(copy(list, &memory[1], memory, NULL, NULL));
  OK(fill(list, memory, 7));
  OK(end(list, &graph));
  OK(dump(graph, path));
  CHECK(read(file, text, sizeof text - 1) > 0);
  CHECK_STR_EQ(text, "digraph {\n  c0 [label=\"copy\"]\n  c1 [label=\"fill\"]\n  c0 -> c1\n}\n");
  RETURNS(ERROR_UNKNOWN, dump(graph, "/no/such/folder/graph"));
  RETURNS(ERROR_INVALID_NULL_POINTER, dump(graph, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, dump(NULL, path));
  OK(destroy(graph));
  OK(zeCommandListDestroy(list));
  test_free(memory);
  close(file);
  unlink(path);
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

TEST_MAIN(the_extension_is_named_where_the_loader_has_its_functions,
    a_captured_list_runs_when_its_graph_is_appended,
    a_list_submits_again_once_its_capture_has_ended, what_is_no_capture_is_refused,
    a_list_that_waits_for_a_captured_command_is_captured,
    a_capture_with_a_fork_that_is_not_joined_leaves_no_graph, captures_do_not_mix,
    a_refused_merge_captures_nothing, a_list_that_is_destroyed_takes_the_graph_of_its_capture_along,
    a_graph_is_dumped, graphs_outlive_lists_and_executable_graphs_outlive_graphs)
