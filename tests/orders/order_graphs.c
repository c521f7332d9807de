#define _POSIX_C_SOURCE 200809L
/* Graphs on drivers that have, or lack, what newer ones can do with command lists. */
#include "support/scene.h"
#include "tests/finalize.h"

#include <sched.h>

static struct scene_base scene;

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  (void)handle;
  __atomic_fetch_add((uint32_t *)argument, 1, __ATOMIC_RELEASE);
  return ZE_RESULT_SUCCESS;
}

/* A fill of the memory and a host task behind it, as a graph. */
static syclze_executable_graph graph_with_task(uint64_t *memory, uint32_t *runs) {
  const uint64_t one = 1;
  syclze_graph graph;
  syclze_executable_graph executable;
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(memory), &one, sizeof one, sizeof one, NULL), 0);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, count_run, runs, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  return executable;
}

/* The second run begins while the list of the first is still on the device. */
TEST(a_run_waits_for_the_list_of_one_whose_wait_failed) { // shows graphs 32
  static const char wait[] = "zeCommandQueueSynchronize";
  void *memory;
  uint32_t runs = 0;
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  strict_set_missing(0);
  CHECK_EQ(syclze_malloc_shared(8, scene.device, scene.context, &memory), ZE_RESULT_SUCCESS);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_executable_graph graph = graph_with_task((uint64_t *)memory, &runs);
  strict_hold(true);
  strict_fail_named(wait, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(syclze_queue_submit_graph(queue, graph, NULL), ZE_RESULT_SUCCESS);
  while (strict_calls_of(wait) == 0)
    sched_yield();
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  const unsigned waits = strict_calls_of(wait);
  CHECK_EQ(syclze_queue_submit_graph(queue, graph, NULL), ZE_RESULT_SUCCESS);
  while (strict_calls_of(wait) == waits)
    sched_yield();
  CHECK_EQ(strict_calls_of("zeCommandQueueExecuteCommandLists"), 1);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_ERROR_DEVICE_LOST); /* of the first run */
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(runs, 1); /* the first run ended where its wait failed */
  CHECK_EQ(strict_calls_of("zeCommandQueueExecuteCommandLists"), 2);
  CHECK_EQ(syclze_executable_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  scene_end(&scene);
}

/* A launch of the node, as a graph of its own. */
static syclze_graph recorded_graph(syclze_kernel kernel, struct node *node) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  const void *none = NULL;
  syclze_graph graph;
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(node), syclze_arg(none)), 0);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  return graph;
}

static syclze_executable_graph graph_of(syclze_kernel kernel, struct node *node, uint32_t flags) {
  syclze_graph graph = recorded_graph(kernel, node);
  syclze_executable_graph executable;
  CHECK_EQ(finalize_as(flags, graph, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  return executable;
}

/* The driver cannot append lists to an immediate list, and knows the ordinals of command queues:
   that of the list is not queried as if the list were one. */
TEST(a_graph_runs_beside_a_list_whose_ordinal_no_driver_knows) { // shows graphs 8
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  strict_set_missing(1u << STRICT_APPENDS_LISTS);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *node = node_after(NULL);
  syclze_executable_graph graph = graph_of(kernel, node, 0);
  CHECK_EQ(syclze_queue_submit_graph(queue, graph, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK(strict_calls_of("zeCommandQueueExecuteCommandLists") > 0);
  CHECK_EQ(strict_calls_of("strict_get_ordinal"), 0);
  node_end(node);
  CHECK_EQ(syclze_executable_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_end_with(&scene, kernel);
}

/* A mutable list is updated where it does not run. */
TEST(an_update_changes_a_mutable_list) { // shows graphs 8, graph_peers 38
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  strict_set_missing(0);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *first = node_after(NULL), *second = node_after(first);
  syclze_event event;
  syclze_executable_graph graph = graph_of(kernel, first, SYCLZE_GRAPH_UPDATABLE);
  CHECK_EQ(syclze_queue_submit_graph(queue, graph, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  const syclze_argument argument = syclze_arg(second);
  CHECK_EQ(syclze_executable_graph_update_argument(graph, 0, 0, &argument), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, graph, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_calls_of("strict_update_commands"), 1);
  node_end(second);
  node_end(first);
  CHECK_EQ(syclze_executable_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_end_with(&scene, kernel);
}

/* Two kernels in turn: the list is recorded for the second one, and then updated to either. */
TEST(a_kernel_that_a_launch_had_changes_a_mutable_list) { // shows graphs 36
  enum { COUNT = 12 };
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  strict_set_missing(0);
  const syclze_kernel kernels[] = {scene_kernel(&scene, "node"), scene_kernel(&scene, "node")};
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *nodes[COUNT];
  syclze_executable_graph graph = {NULL};
  syclze_event event;
  for (int i = 0; i < COUNT; i++) {
    nodes[i] = node_after(i > 0 ? nodes[i - 1] : NULL);
    if (i == 0)
      graph = graph_of(kernels[0], nodes[0], SYCLZE_GRAPH_UPDATABLE);
    else {
      syclze_graph by = recorded_graph(kernels[i % 2], nodes[i]);
      CHECK_EQ(syclze_executable_graph_update_node(graph, 0, by, 0), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_graph_release(by), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(syclze_queue_submit_graph(queue, graph, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(strict_calls_of("strict_update_kernels"), COUNT - 2);
  CHECK_EQ(strict_calls_of("zeCommandListAppendLaunchKernel"), 2);
  for (int i = COUNT; i-- > 0;)
    node_end(nodes[i]);
  CHECK_EQ(syclze_executable_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernels[1]), ZE_RESULT_SUCCESS);
  scene_end_with(&scene, kernels[0]);
}

/* A launch of the node that accesses two buffers, either of which may be null. */
static void record_node(syclze_queue queue, syclze_kernel kernel, struct node *node,
    const syclze_buffer *buffers, syclze_access_mode mode) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  const void *none = NULL;
  syclze_group group = syclze_group_begin(queue);
  for (int i = 0; i < 2; i++)
    if (buffers[i].rep != NULL) syclze_require(&group, buffers[i], mode);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(node), syclze_arg(none)),
      ZE_RESULT_SUCCESS);
}

/* A launch between two others by accessors alone, which one with another buffer replaces, on lists
   that are updated and on lists that are recorded anew. The device runs the newest command that may
   run. */
TEST(a_launch_that_replaces_another_keeps_its_edges) { // shows graph_peers 46
  for (int has_none = 0; has_none < 2; has_none++) {
    syclze_kernel kernel = scene_begin_held(&scene);
    strict_set_missing(has_none ? ~0u : 0);
    syclze_buffer buffers[] = {scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL),
        scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL)};
    const syclze_buffer first[] = {buffers[0], {NULL}}, second[] = {buffers[1], {NULL}};
    syclze_queue queue = scene_queue(&scene, 0);
    struct node *root = node_after(NULL), *replaced = node_after(root), *by = node_after(root),
                *leaf = node_after(by);
    syclze_graph graph, others;
    syclze_executable_graph executable;
    CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_create(scene.context, scene.device, &others), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
    record_node(queue, kernel, root, buffers, SYCLZE_ACCESS_WRITE);
    record_node(queue, kernel, replaced, first, SYCLZE_ACCESS_READ_WRITE);
    record_node(queue, kernel, leaf, buffers, SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_begin_recording(others, queue), ZE_RESULT_SUCCESS);
    record_node(queue, kernel, by, second, SYCLZE_ACCESS_READ_WRITE);
    CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), 0);
    CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, 0), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(graph, others), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    scene_run_all();
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(replaced->ran, 0);
    free(replaced);
    node_end(leaf);
    node_end(by);
    node_end(root);
    CHECK_EQ(syclze_release(executable, queue, buffers[0], buffers[1]), ZE_RESULT_SUCCESS);
    strict_hold(false);
    scene_end_with(&scene, kernel);
  }
}

/* The driver's own graph is appended to a list like the one that it was captured from. */
TEST(a_captured_graph_is_appended_to_lists_like_its_own) { // shows graphs 8
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  strict_set_missing(0);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *node = node_after(NULL);
  syclze_executable_graph graph = graph_of(kernel, node, FINALIZE_CAPTURED);
  CHECK_EQ(syclze_queue_submit_graph(queue, graph, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_calls_of("strict_append_graph"), 1);
  node_end(node);
  CHECK_EQ(syclze_executable_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_end_with(&scene, kernel);
}

enum { UPDATED_RUNS = 1000 };

/* An update before each run, while none may begin. Returns the command queues and lists that are
   created for them. */
static void run_updated(uint32_t missing, syclze_kernel kernel, unsigned *queues, unsigned *lists) {
  static const char create_queue[] = "zeCommandQueueCreate", create_list[] = "zeCommandListCreate";
  struct node *nodes[UPDATED_RUNS];
  strict_set_missing(missing);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  nodes[0] = node_after(NULL);
  *queues = strict_calls_of(create_queue);
  *lists = strict_calls_of(create_list);
  syclze_executable_graph graph = graph_of(kernel, nodes[0], SYCLZE_GRAPH_UPDATABLE);
  strict_hold(true);
  for (int i = 0; i < UPDATED_RUNS; i++) {
    if (i > 0) nodes[i] = node_after(nodes[i - 1]);
    const syclze_argument argument = syclze_arg(nodes[i]);
    CHECK_EQ(syclze_executable_graph_update_argument(graph, 0, 0, &argument), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, graph, NULL), ZE_RESULT_SUCCESS);
  }
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  *queues = strict_calls_of(create_queue) - *queues;
  *lists = strict_calls_of(create_list) - *lists;
  for (int i = UPDATED_RUNS; i-- > 0;)
    node_end(nodes[i]);
  CHECK_EQ(syclze_executable_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
}

/* The builds and the runs that are host tasks, which have a command queue. Without appended lists
   the queue of the runs has one too, and each build two lists besides: to wait and to signal. */
TEST(updated_runs_share_queues_and_lists) { // shows graphs 22
  const uint32_t appends = 1u << STRICT_APPENDS_LISTS;
  const uint32_t updates = 1u << STRICT_NEXT_COMMAND | 1u << STRICT_UPDATES_COMMANDS;
  for (int i = 0; i < 4; i++) {
    const bool is_appended = i < 2;
    unsigned queues, lists;
    strict_begin(1, STRICT_NEWEST);
    scene_begin(&scene);
    syclze_kernel kernel = scene_kernel(&scene, "node");
    run_updated((is_appended ? 0 : appends) | (i % 2 == 0 ? 0 : updates), kernel, &queues, &lists);
    CHECK_EQ(queues, is_appended ? 1 : 2);
    CHECK(lists <= SYCLZE__BUILDS * (is_appended ? 1u : 3u) + 1);
    scene_end_with(&scene, kernel);
  }
}

TEST_MAIN(a_launch_that_replaces_another_keeps_its_edges,
    a_run_waits_for_the_list_of_one_whose_wait_failed,
    a_graph_runs_beside_a_list_whose_ordinal_no_driver_knows, an_update_changes_a_mutable_list,
    a_kernel_that_a_launch_had_changes_a_mutable_list,
    a_captured_graph_is_appended_to_lists_like_its_own, updated_runs_share_queues_and_lists)
