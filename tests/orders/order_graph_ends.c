/* Releases of graphs in which one call fails, each in turn: the release returns what failed, and
 * ends everything else. */
#define _GNU_SOURCE
#include "support/scene.h"
#include "tests/finalize.h"
#include "tests/soon.h"
#include "syclze/command/graph_update.h"

static struct scene_base scene;

enum { LAUNCHES = 3 };

/* Contents of a graph, and its use before its release. */
struct setting {
  uint32_t missing; /* functions that the driver lacks */
  uint32_t flags;   /* of finalize_as */
  bool has_task;    /* between the launches, so that a run takes two lists */
  bool is_forked;   /* the last launch is behind the first one alone */
  bool runs, is_updated;
  bool is_nested; /* a step of another graph */
};

static ze_result_t do_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

/* Launches of two transferred kernels with buffers of transferred memory, which only the graph
   keeps. */
static syclze_graph record(const struct setting *setting, struct node *nodes[LAUNCHES]) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  syclze_graph graph;
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  strict_set_missing(setting->missing);
  syclze_event events[LAUNCHES];
  syclze_queue queue = scene_queue(&scene, setting->is_forked ? 0 : SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < LAUNCHES; i++) {
    uint64_t *memory;
    syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &memory);
    syclze_kernel kernel = scene_kernel(&scene, "node");
    syclze_group group = syclze_group_begin(queue);
    if (i == 1 && setting->has_task) {
      CHECK_EQ(syclze_group_host_task(&group, do_nothing, NULL, NULL), ZE_RESULT_SUCCESS);
      group = syclze_group_begin(queue);
    }
    nodes[i] = node_after(NULL);
    if (i == LAUNCHES - 1) syclze_group_depends_on(&group, events[0]);
    syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
    CHECK_EQ(syclze_launch(
                 &group, kernel, &range, &events[i], syclze_arg(nodes[i]), syclze_arg(accessor)),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(kernel, buffer), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue, events[0], events[1], events[2]), ZE_RESULT_SUCCESS);
  return graph;
}

/* A graph whose only step is that one, which only it keeps. */
static syclze_graph nest(syclze_graph inner) {
  syclze_graph outer;
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &outer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(outer, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_record_graph(&group, inner, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(outer, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(inner), ZE_RESULT_SUCCESS);
  return outer;
}

static unsigned alive(const struct setting *setting) {
  /* A run leaves events of the context's. */
  const unsigned events =
      setting->runs ? 0 : strict_alive(STRICT_EVENT) + strict_alive(STRICT_POOL);
  return events + strict_alive(STRICT_KERNEL) + strict_alive(STRICT_MEMORY) +
         strict_alive(STRICT_LIST) + strict_alive(STRICT_QUEUE) + strict_alive(STRICT_GRAPH) +
         strict_alive(STRICT_EXECUTABLE);
}

static void use(const struct setting *setting, syclze_executable_graph executable,
    struct node *nodes[LAUNCHES]) {
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  for (int i = 0; i < 2; i++) {
    const syclze_argument argument = syclze_arg(nodes[0]);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    if (setting->is_updated)
      CHECK_EQ(
          syclze_executable_graph_update_argument(executable, 0, 0, &argument), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
}

/* False once the release makes fewer calls. */
static bool fail_nth(const struct setting *setting, bool is_finalized, unsigned nth) {
  struct node *nodes[LAUNCHES];
  syclze_graph graph = record(setting, nodes);
  syclze_executable_graph executable = {NULL};
  if (setting->is_nested) graph = nest(graph);
  if (is_finalized) {
    CHECK_EQ(finalize_as(setting->flags, graph, &executable), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
    if (setting->runs) use(setting, executable, nodes);
  }
  strict_fail(nth, ZE_RESULT_ERROR_DEVICE_LOST, false);
  const ze_result_t result =
      is_finalized ? syclze_executable_graph_release(executable) : syclze_graph_release(graph);
  const char *failed = strict_failed();
  const bool is_left = failed != NULL && (strcasestr(failed, "destroy") || strstr(failed, "Free"));
  strict_fail_stop();
  /* After a failure of another call, such as the query of an event, the work counts as running. */
  if (is_left || failed == NULL)
    CHECK_EQ(result, is_left ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS);
  /* The driver's graph of an executable one that is left stays too, and the pool of an event. */
  const bool is_child = is_left && (strstr(failed, "executable") || strstr(failed, "EventDestroy"));
  CHECK_SOON(alive(setting) == (unsigned)is_left + (unsigned)is_child);
  for (int i = 0; i < LAUNCHES; i++)
    free(nodes[i]);
  scene_release(&scene);
  CHECK_EQ(strict_reports(), 0);
  return failed != NULL;
}

/* The number of calls that the release makes. */
static unsigned fail_each(const struct setting *setting, bool is_finalized) {
  unsigned calls = 0;
  while (fail_nth(setting, is_finalized, calls + 1))
    calls++;
  return calls;
}

TEST(each_call_of_the_release_of_a_graph_fails) {
  static const struct setting setting = {0};
  static const struct setting nested = {.is_nested = true};
  CHECK_EQ(fail_each(&setting, false), 6); /* three kernels, three buffers */
  CHECK_EQ(fail_each(&nested, false), 6);
}

TEST(each_call_of_the_release_of_a_finalized_graph_fails) {
  const uint32_t no_appends = 1u << STRICT_APPENDS_LISTS;
  const struct setting settings[] = {{0}, {.is_forked = true}, {.has_task = true},
      {.missing = no_appends}, {.missing = no_appends, .has_task = true}, {.runs = true},
      {.runs = true, .has_task = true}, {.runs = true, .is_nested = true},
      {.missing = no_appends, .runs = true},
      {.missing = no_appends, .runs = true, .has_task = true}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    CHECK(fail_each(&settings[i], true) >= 5);
}

TEST(each_call_of_the_release_of_an_updatable_graph_fails) {
  const uint32_t no_appends = 1u << STRICT_APPENDS_LISTS;
  const struct setting settings[] = {{.flags = SYCLZE_GRAPH_UPDATABLE},
      {.flags = SYCLZE_GRAPH_UPDATABLE, .runs = true, .is_updated = true},
      {.missing = no_appends, .flags = SYCLZE_GRAPH_UPDATABLE, .runs = true, .is_updated = true},
      {.missing = ~0u, .flags = SYCLZE_GRAPH_UPDATABLE, .runs = true, .is_updated = true},
      {.flags = SYCLZE_GRAPH_UPDATABLE, .has_task = true, .runs = true, .is_updated = true}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    CHECK(fail_each(&settings[i], true) >= 5);
}

TEST(each_call_of_the_release_of_a_captured_graph_fails) {
  static const struct setting setting = {.flags = FINALIZE_CAPTURED, .runs = true};
  CHECK(fail_each(&setting, true) >= 6);
}

TEST_MAIN(each_call_of_the_release_of_a_graph_fails,
    each_call_of_the_release_of_a_finalized_graph_fails,
    each_call_of_the_release_of_an_updatable_graph_fails,
    each_call_of_the_release_of_a_captured_graph_fails)
