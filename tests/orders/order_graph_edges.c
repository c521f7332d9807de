/* Command lists of graphs keep the order of the edges, and no other. */
#include "support/scene.h"
#include "support/sweep.h"
#include "syclze/command/graph_nodes.h"

static struct scene_base scene;
static syclze_kernel kernel;

static void begin(void) {
  kernel = scene_begin_held(&scene);
  strict_set_missing(0);
}

enum { MOST = 24 };

static uint32_t index_of(struct node *const *nodes, const struct node *node) {
  uint32_t i = 0;
  while (nodes[i] != node)
    i++;
  return i;
}

static syclze_graph graph_new(void) {
  syclze_graph graph;
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
  return graph;
}

/* A launch of each node, behind those that it must follow, which are nodes of the graph. */
static syclze_graph graph_of(struct node *const *nodes, uint32_t count) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  const void *none = NULL;
  syclze_event events[MOST];
  syclze_graph graph = graph_new();
  syclze_queue queue = scene_queue(&scene, 0);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(queue);
    for (uint32_t j = 0; j < nodes[i]->before_count; j++)
      syclze_group_depends_on(&group, events[index_of(nodes, nodes[i]->before[j])]);
    CHECK_EQ(
        syclze_launch(&group, kernel, &range, &events[i], syclze_arg(nodes[i]), syclze_arg(none)),
        ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++)
    CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  return graph;
}

static syclze_executable_graph finalized(syclze_graph graph) {
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  return executable;
}

/* Runs it in the order that the device likes best: the newest command that may run first. */
static void run(syclze_executable_graph executable) {
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  scene_run_all();
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
}

static void end(syclze_executable_graph executable, struct node *const *nodes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    node_end(nodes[i]);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  strict_hold(false);
  scene_end_with(&scene, kernel);
}

static void must_follow(struct node *node, struct node *before) {
  node->before[node->before_count++] = before;
}

struct calls {
  unsigned events, resets, barriers;
};

static struct calls calls_now(void) {
  const struct calls calls = {strict_calls_of("zeEventCreate"),
      strict_calls_of("zeCommandListAppendEventReset"),
      strict_calls_of("zeCommandListAppendBarrier")};
  return calls;
}

static void check_calls(struct calls since, struct calls expected) {
  const struct calls calls = calls_now();
  CHECK_EQ(calls.events - since.events, expected.events);
  CHECK_EQ(calls.resets - since.resets, expected.resets);
  CHECK_EQ(calls.barriers - since.barriers, expected.barriers);
}

/* A node, four chains of five behind it, and a node behind these. */
TEST(chains_between_a_fork_and_a_join_have_events) {
  enum { CHAINS = 4, LENGTH = 5, COUNT = CHAINS * LENGTH + 2 };
  struct node *nodes[COUNT];
  begin();
  for (int i = 0; i < COUNT - 1; i++)
    nodes[i] = node_after(i == 0 ? NULL : nodes[i % LENGTH == 1 ? 0 : i - 1]);
  nodes[COUNT - 1] = node_after(NULL);
  for (int i = 1; i <= CHAINS; i++)
    must_follow(nodes[COUNT - 1], nodes[i * LENGTH]);
  syclze_graph graph = graph_of(nodes, COUNT);
  const struct calls before = calls_now();
  syclze_executable_graph executable = finalized(graph);
  /* Barriers: behind the fork, before the join, and before the events are reset. */
  const unsigned events = CHAINS * (LENGTH - 1);
  check_calls(before, (struct calls){events, events, 3});
  run(executable);
  end(executable, nodes, COUNT);
}

/* Each node depends on all of the level before. */
TEST(levels_that_depend_on_all_before_have_barriers_alone) {
  enum { WIDTH = 3, LEVELS = 4, COUNT = WIDTH * LEVELS };
  struct node *nodes[COUNT];
  begin();
  for (int i = 0; i < COUNT; i++) {
    nodes[i] = node_after(NULL);
    for (int j = 0; j < WIDTH && i >= WIDTH; j++)
      must_follow(nodes[i], nodes[i / WIDTH * WIDTH - WIDTH + j]);
  }
  syclze_graph graph = graph_of(nodes, COUNT);
  const struct calls before = calls_now();
  syclze_executable_graph executable = finalized(graph);
  check_calls(before, (struct calls){0, 0, LEVELS - 1});
  run(executable);
  end(executable, nodes, COUNT);
}

/* A barrier is right only where nothing before it may still run: here the last node of the first
   level may. */
TEST(a_node_without_successors_holds_no_chain_up) {
  enum { LENGTH = 4, COUNT = LENGTH + 1 };
  struct node *nodes[COUNT];
  begin();
  for (int i = 0; i < LENGTH; i++)
    nodes[i] = node_after(i == 0 ? NULL : nodes[i - 1]);
  nodes[LENGTH] = node_after(NULL);
  syclze_graph graph = graph_of(nodes, COUNT);
  const struct calls before = calls_now();
  syclze_executable_graph executable = finalized(graph);
  check_calls(before, (struct calls){LENGTH - 1, LENGTH - 1, 1});
  run(executable);
  end(executable, nodes, COUNT);
}

static ze_event_handle_t host_event;

/* Appends a fill of the eight bytes that waits for an event of the host. */
static ze_result_t append_waiting(syclze_interop_handle handle, void *argument) {
  const uint8_t one = 1;
  syclze_native_queue native;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &native), ZE_RESULT_SUCCESS);
  return zeCommandListAppendMemoryFill(native.list, argument, &one, 1, 8, NULL, 1, &host_event);
}

static ze_result_t add_waiting(syclze_group *group, void *argument) {
  return syclze_group_native_command(group, append_waiting, argument, NULL);
}

/* One node waits for the host until the others have run. */
TEST(a_chain_runs_to_its_end_while_another_node_waits) {
  enum { COUNT = 5 };
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  struct node *nodes[COUNT];
  ze_event_pool_handle_t pool;
  uint32_t index;
  void *memory;
  begin();
  CHECK_EQ(zeEventPoolCreate(scene.native, &pool_desc, 0, NULL, &pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventCreate(pool, &desc, &host_event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(8, scene.device, scene.context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, 8);
  for (int i = 0; i < COUNT; i++)
    nodes[i] = node_after(i == 0 ? NULL : nodes[i - 1]);
  syclze_graph graph = graph_of(nodes, COUNT);
  CHECK_EQ(syclze_graph_add_node(graph, add_waiting, memory, NULL, 0, &index), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  while (strict_step(1) != 0)
    continue;
  CHECK(node_has_run(nodes[COUNT - 1]));
  CHECK_EQ(*(uint8_t *)memory, 0);
  CHECK_EQ(zeEventHostSignal(host_event), ZE_RESULT_SUCCESS);
  scene_run_all();
  CHECK_EQ(*(uint8_t *)memory, 1);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(host_event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  end(executable, nodes, COUNT);
}

static ze_result_t add_launch(syclze_group *group, void *argument) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  const void *none = NULL;
  return syclze_launch(group, kernel, &range, NULL, syclze_arg(argument), syclze_arg(none));
}

/* Two nodes, an empty one behind them, one behind that, and a chain beside all. */
TEST(an_empty_node_passes_its_order_on) { // shows graph_peers 15
  enum { COUNT = 7 };
  struct node *nodes[COUNT];
  uint32_t after[2] = {0, 1}, empty, index;
  begin();
  for (int i = 0; i < COUNT; i++)
    nodes[i] = node_after(i >= 4 && i < COUNT - 1 ? nodes[i - 1] : NULL);
  syclze_graph graph = graph_of(nodes, COUNT - 1);
  must_follow(nodes[COUNT - 1], nodes[0]);
  must_follow(nodes[COUNT - 1], nodes[1]);
  CHECK_EQ(syclze_graph_add_empty_node(graph, after, 2, &empty), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_node(graph, add_launch, nodes[COUNT - 1], &empty, 1, &index),
      ZE_RESULT_SUCCESS);
  const struct calls before = calls_now();
  syclze_executable_graph executable = finalized(graph);
  /* Two chains of one node each before the empty one, which is a barrier, and one of three. */
  check_calls(before, (struct calls){4, 4, 2});
  run(executable);
  end(executable, nodes, COUNT);
}

static ze_result_t add_graph(syclze_group *group, void *argument) {
  return syclze_group_record_graph(group, *(syclze_graph *)argument, NULL);
}

/* Two chains of two as one node, a node before and one behind, and a chain beside all. */
TEST(a_graph_in_a_graph_keeps_its_edges) { // shows graph_peers 20
  enum { INNER = 4, COUNT = 4, ALL = INNER + COUNT + 1 };
  struct node *nodes[ALL];
  uint32_t inside, first = 0, index;
  begin();
  for (int i = 0; i < ALL; i++)
    nodes[i] = node_after(i % 2 == 1 && i < INNER ? nodes[i - 1] : NULL);
  syclze_graph inner = graph_of(nodes, INNER);
  struct node **outer = nodes + INNER; /* the first, and a chain of three */
  must_follow(outer[2], outer[1]);
  must_follow(outer[3], outer[2]);
  syclze_graph graph = graph_of(outer, COUNT);
  for (int i = 0; i < INNER; i++) {
    must_follow(nodes[i], outer[0]);
    must_follow(outer[COUNT], nodes[i]);
  }
  CHECK_EQ(syclze_graph_add_node(graph, add_graph, &inner, &first, 1, &inside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(inner), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_node(graph, add_launch, outer[COUNT], &inside, 1, &index),
      ZE_RESULT_SUCCESS);
  const struct calls before = calls_now();
  syclze_executable_graph executable = finalized(graph);
  /* All but the last node of each chain. */
  check_calls(before, (struct calls){7, 7, 1});
  run(executable);
  end(executable, nodes, ALL);
}

static ze_result_t do_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t add_task(syclze_group *group, void *argument) {
  return syclze_group_host_task(group, do_nothing, argument, NULL);
}

/* A host task ends the list, which resets its own events. */
TEST(lists_before_and_behind_a_host_task_have_their_own_events) { // shows graph_peers 11
  enum { COUNT = 8 };
  struct node *nodes[COUNT];
  uint32_t after[2] = {1, 3}, task, index[2];
  begin();
  for (int i = 0; i < COUNT; i++)
    nodes[i] = node_after(i % 2 == 1 ? nodes[i - 1] : NULL);
  syclze_graph graph = graph_of(nodes, 4); /* two chains of two */
  CHECK_EQ(syclze_graph_add_node(graph, add_task, NULL, after, 2, &task), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 4; i++) {
    must_follow(nodes[4 + i], nodes[1]);
    must_follow(nodes[4 + i], nodes[3]);
    CHECK_EQ(syclze_graph_add_node(
                 graph, add_launch, nodes[4 + i], i % 2 == 0 ? &task : &index[0], 1, &index[i % 2]),
        ZE_RESULT_SUCCESS);
  }
  const struct calls before = calls_now();
  syclze_executable_graph executable = finalized(graph);
  check_calls(before, (struct calls){4, 4, 2});
  strict_hold(false);
  run(executable);
  end(executable, nodes, COUNT);
}

TEST(commands_beside_a_host_task_are_in_one_list) { // shows graph_peers 11
  enum { COUNT = 2 };
  struct node *nodes[COUNT];
  uint32_t index;
  begin();
  for (int i = 0; i < COUNT; i++)
    nodes[i] = node_after(NULL);
  syclze_graph graph = graph_of(nodes, 1);
  CHECK_EQ(syclze_graph_add_node(graph, add_task, NULL, NULL, 0, &index), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_node(graph, add_launch, nodes[1], NULL, 0, &index), ZE_RESULT_SUCCESS);
  const unsigned closed = strict_calls_of("zeCommandListClose");
  syclze_executable_graph executable = finalized(graph);
  CHECK_EQ(strict_calls_of("zeCommandListClose") - closed, 1u);
  strict_hold(false);
  run(executable);
  end(executable, nodes, COUNT);
}

/* Behind a chain of two, a host task and a node; beside these a node, another task, and two nodes
   behind that. The first of the two was added after the first task, and runs before it. */
TEST(a_host_task_is_behind_one_that_was_added_later) { // shows graph_peers 11
  enum { COUNT = 6 };
  struct node *nodes[COUNT];
  uint32_t after[2] = {1, 2}, tasks[2], index[3];
  begin();
  nodes[0] = node_after(NULL);
  nodes[1] = node_after(nodes[0]);
  for (int i = 2; i < COUNT; i++)
    nodes[i] = node_after(nodes[i == 2 ? 1 : 2]);
  must_follow(nodes[3], nodes[4]);
  syclze_graph graph = graph_of(nodes, 3);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_graph_add_node(graph, add_task, NULL, &after[i], 1, &tasks[i]), 0);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(
        syclze_graph_add_node(graph, add_launch, nodes[3 + i], &tasks[i != 0], 1, &index[i]), 0);
  CHECK_EQ(syclze_graph_add_edge(graph, index[1], tasks[0]), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph);
  strict_hold(false);
  run(executable);
  end(executable, nodes, COUNT);
}

/* Each call that makes events fails, and each allocation of the host: no executable graph, and
 * nothing is left of it. */
TEST(a_graph_that_cannot_be_built_is_refused) {
  static const char *const names[] = {
      "zeEventPoolCreate", "zeEventCreate", "zeCommandListAppendEventReset"};
  enum { COUNT = 4 };
  struct node *nodes[COUNT];
  syclze_executable_graph executable;
  begin();
  for (int i = 0; i < COUNT; i++)
    nodes[i] = node_after(i % 2 == 1 ? nodes[i - 1] : NULL);
  syclze_graph graph = graph_of(nodes, COUNT);
  const unsigned alive = strict_alive(STRICT_NONE);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    strict_fail_named(names[i], ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    strict_fail_named(NULL, ZE_RESULT_SUCCESS);
    CHECK(executable.rep == NULL);
    CHECK_EQ(strict_alive(STRICT_NONE), alive);
  }
  unsigned n = 0;
  for (;;) {
    sweep_fail_nth(SWEEP_ALLOCATIONS, ++n);
    const ze_result_t result = syclze_graph_finalize(graph, 0, &executable);
    sweep_disarm();
    if (result == ZE_RESULT_SUCCESS) break;
    CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    CHECK(executable.rep == NULL);
    CHECK_EQ(strict_alive(STRICT_NONE), alive);
  }
  CHECK(n > 5);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  executable = finalized(graph);
  run(executable);
  end(executable, nodes, COUNT);
}

TEST_MAIN(chains_between_a_fork_and_a_join_have_events,
    levels_that_depend_on_all_before_have_barriers_alone,
    a_node_without_successors_holds_no_chain_up, a_chain_runs_to_its_end_while_another_node_waits,
    an_empty_node_passes_its_order_on, a_graph_in_a_graph_keeps_its_edges,
    lists_before_and_behind_a_host_task_have_their_own_events,
    commands_beside_a_host_task_are_in_one_list, a_host_task_is_behind_one_that_was_added_later,
    a_graph_that_cannot_be_built_is_refused)
