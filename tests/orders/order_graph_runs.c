/* Runs of a graph on lists that the driver does not order: each waits for the last one, and what
   else uses the graph's memory is ordered with them. */
#include "support/scene.h"

#include "syclze/command/detail/graph/executable.h"

static struct scene_base scene;
static syclze_kernel kernel;

enum { USED = 2 }; /* buffers of the graph: it copies one to the other */

struct run_scene {
  syclze_buffer from, to;
  uint64_t *result;
  syclze_executable_graph graph;
  syclze_queue queues[3];
};

static void copy(syclze_queue queue, syclze_buffer from, syclze_buffer to) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor source = syclze_require(&group, from, SYCLZE_ACCESS_READ);
  syclze_accessor target = syclze_require(&group, to, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(target), syclze_mem_arg(source),
               SEGMENTS * sizeof(uint64_t), NULL),
      ZE_RESULT_SUCCESS);
}

static void run_graph(const struct run_scene *run, uint32_t queue) {
  CHECK_EQ(syclze_queue_submit_graph(run->queues[queue], run->graph, NULL), ZE_RESULT_SUCCESS);
}

/* The number of accesses that refer to the graph's runs. */
static uint32_t referring(const struct run_scene *run) {
  return run->graph.rep->runs->count;
}

static struct run_scene begin_as(uint32_t missing, uint32_t flags, uint32_t finalized) {
  struct run_scene run;
  syclze_graph graph;
  kernel = scene_begin_held(&scene);
  strict_set_missing(missing);
  run.from = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  run.to = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &run.result);
  for (int i = 0; i < 3; i++)
    run.queues[i] = scene_queue(&scene, flags);
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, run.queues[0]), ZE_RESULT_SUCCESS);
  copy(run.queues[0], run.from, run.to);
  CHECK_EQ(syclze_graph_end_recording(graph, run.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, finalized, &run.graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  return run;
}

static struct run_scene begin(uint32_t missing, uint32_t flags) {
  return begin_as(missing, flags, 0);
}

static void end(struct run_scene *run) {
  strict_hold(false);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(syclze_queue_wait(run->queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(run->queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_executable_graph_release(run->graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(run->from), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(run->to), ZE_RESULT_SUCCESS);
  scene_end_with(&scene, kernel);
}

/* Values that the graph copies, written and read between its runs, each on another queue. */
static void check_values(struct run_scene *run) {
  enum { VALUES = 4 };
  syclze_buffer copies[VALUES];
  uint64_t *found[VALUES];
  for (int i = 0; i < VALUES; i++) {
    copies[i] = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &found[i]);
    scene_fill(run->queues[1], run->from, (uint64_t)i + 1);
    run_graph(run, 0);
    run_graph(run, 2);
    copy(run->queues[1], run->to, copies[i]);
  }
  scene_run_all();
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_queue_wait(run->queues[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < VALUES; i++) {
    CHECK_EQ(found[i][0], i + 1);
    CHECK_EQ(found[i][SEGMENTS - 1], i + 1);
    CHECK_EQ(syclze_release(copies[i]), ZE_RESULT_SUCCESS);
  }
}

TEST(runs_follow_each_other_until_other_work_asks) {
  struct run_scene run = begin(0, 0);
  run_graph(&run, 0);
  CHECK_EQ(referring(&run), 0);
  run_graph(&run, 0);
  CHECK_EQ(referring(&run), USED + 1);
  const struct syclze__event *last = run.graph.rep->runs->last;
  run_graph(&run, 1);
  run_graph(&run, 2);
  CHECK_EQ(referring(&run), USED + 1);
  CHECK(run.graph.rep->runs->last != last);
  scene_fill(run.queues[1], run.from, 7); /* waits for the read */
  CHECK_EQ(referring(&run), USED);
  run_graph(&run, 0); /* waits for the fill */
  CHECK_EQ(referring(&run), 0);
  run_graph(&run, 1);
  CHECK_EQ(referring(&run), USED + 1);
  scene_run_all();
  CHECK_EQ(syclze_queue_wait(run.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(run.result[0], 7);
  end(&run);
}

/* A read of what the graph only reads waits for none of its runs. */
TEST(a_read_of_what_a_graph_reads_leaves_its_runs_as_they_are) {
  struct run_scene run = begin(0, 0);
  syclze_buffer other = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  run_graph(&run, 0);
  run_graph(&run, 1);
  copy(run.queues[1], run.from, other);
  CHECK_EQ(referring(&run), USED + 1);
  syclze_queue in_order = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  for (int i = 0; i < 20; i++)
    copy(in_order, run.from, other);
  CHECK_EQ(referring(&run), USED + 1);
  run_graph(&run, 2);
  CHECK_EQ(referring(&run), USED + 1);
  scene_run_all();
  CHECK_EQ(syclze_queue_wait(run.queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(in_order), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(in_order), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  end(&run);
}

/* Runs behind a read of what the graph writes refer to its runs again, and others' reads of what it
   reads stay. */
TEST(a_write_waits_for_reads_from_before_the_runs) {
  struct run_scene run = begin(0, 0);
  uint64_t *found;
  syclze_buffer early = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &found);
  syclze_buffer late = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  scene_fill(run.queues[1], run.from, 1);
  copy(run.queues[1], run.from, early);
  run_graph(&run, 0);
  run_graph(&run, 2);
  CHECK_EQ(referring(&run), USED + 1);
  copy(run.queues[1], run.to, late);
  CHECK_EQ(referring(&run), USED);
  run_graph(&run, 0);
  CHECK_EQ(referring(&run), USED + 1);
  scene_fill(run.queues[1], run.from, 7);
  scene_run_all();
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_queue_wait(run.queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(found[0], 1);
  CHECK_EQ(found[SEGMENTS - 1], 1);
  CHECK_EQ(syclze_release(early), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(late), ZE_RESULT_SUCCESS);
  end(&run);
}

TEST(values_keep_the_order_of_submission) {
  struct run_scene run = begin(0, 0);
  check_values(&run);
  end(&run);
}

TEST(values_keep_the_order_of_submission_on_in_order_queues) {
  struct run_scene run = begin(0, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  check_values(&run);
  CHECK_EQ(referring(&run), 0); /* positions stand for them */
  end(&run);
}

/* The third run and later ones leave the memory objects as they are. */
TEST(a_queue_that_owns_the_memory_records_runs_by_one_position) {
  struct run_scene run = begin(0, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  const struct syclze__runs *runs = run.graph.rep->runs;
  const struct syclze__accesses *from = NULL;
  struct syclze__queue_state *state = NULL;
  enum { AGAIN = 4, VALUES = 3 };
  syclze_buffer copies[VALUES];
  uint64_t *found[VALUES];
  for (int i = 0; i < VALUES; i++) {
    copies[i] = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &found[i]);
    scene_fill(run.queues[1], run.from, (uint64_t)i + 1);
    run_graph(&run, 0);
    scene_run_all(); /* a queue owns what it reads once other writes are done */
    const uint64_t lost = i > 0 ? state->lost : 0;
    for (int j = 0; j < AGAIN; j++)
      run_graph(&run, 0);
    from = syclze__accesses_of(&run.from.rep->memory);
    state = syclze__queue_state_get(run.queues[0].rep);
    CHECK(runs->owner == state && from->owner == state);
    CHECK_EQ(runs->lost, state->lost);
    CHECK_EQ(state->lost, lost);
    CHECK_EQ(state->run_position, state->position);
    CHECK_EQ(runs->orders[0]->positions[1], state->position);
    CHECK(from->positions[0] < state->run_position);
    CHECK_EQ(from->in_runs, 1);
    scene_fill(run.queues[1], run.from, 100); /* waits for the last run */
    CHECK_EQ(from->positions[0], 0);
    CHECK_EQ(from->in_runs, 0);
    CHECK_EQ(state->lost, lost + 1);
    copy(run.queues[2], run.to, copies[i]);
    CHECK_EQ(state->lost, lost + 2);
  }
  scene_run_all();
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_queue_wait(run.queues[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < VALUES; i++) {
    CHECK_EQ(found[i][0], i + 1);
    CHECK_EQ(found[i][SEGMENTS - 1], i + 1);
    CHECK_EQ(syclze_release(copies[i]), ZE_RESULT_SUCCESS);
  }
  end(&run);
}

/* The graph keeps the state of the queue that owns its memory, and no other one's. */
TEST(another_queue_owns_the_memory_of_runs_once_the_former_ones_are_done) {
  struct run_scene run = begin(0, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  const struct syclze__runs *runs = run.graph.rep->runs;
  enum { AGAIN = 4 };
  for (uint32_t i = 0; i < 4; i++) {
    for (int j = 0; j < AGAIN; j++) {
      run_graph(&run, i % 2);
      scene_run_all();
    }
    CHECK_EQ(runs->owner, syclze__queue_state_get(run.queues[i % 2].rep));
  }
  end(&run);
}

/* The objects that order the runs of an updatable graph, and of its build. */
TEST(a_queue_that_owns_the_memory_records_runs_of_an_updatable_graph) {
  struct run_scene run = begin_as(0, SYCLZE_QUEUE_PROPERTY_IN_ORDER, SYCLZE_GRAPH_UPDATABLE);
  const struct syclze__executable *graph = run.graph.rep;
  for (int i = 0; i < 4; i++)
    run_graph(&run, 0);
  const struct syclze__queue_state *state = syclze__queue_state_get(run.queues[0].rep);
  const struct syclze__executable *build = graph->updatable->builds[0].rep;
  CHECK(graph->shown == build->runs && build->runs->owner == state);
  CHECK_EQ(state->run_position, state->position);
  CHECK_EQ(syclze__accesses_of(&graph->order->memory)->positions[1], state->position);
  CHECK_EQ(syclze__accesses_of(&build->order->memory)->positions[1], state->position);
  end(&run);
}

/* An access of a part ends the ownership: the last run is a write all the same, behind a marker
 * that covers those before it. */
TEST(a_part_of_what_a_graph_writes_leaves_its_last_run) {
  struct run_scene run = begin(0, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer other = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL), copies;
  uint64_t *found;
  copies = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &found);
  scene_fill(run.queues[0], run.from, 1);
  scene_fill(run.queues[0], other, 9);
  for (int i = 0; i < 3; i++)
    run_graph(&run, 0);
  copy(run.queues[1], other, copies);
  scene_fill(run.queues[0], run.from, 2);
  run_graph(&run, 0);
  const struct syclze__queue_state *state = syclze__queue_state_get(run.queues[0].rep);
  const struct syclze__accesses *to = syclze__accesses_of(&run.to.rep->memory);
  CHECK(to->owner == state);
  CHECK(to->positions[1] <= state->marker_position && state->marker_position < state->run_position);
  syclze_group group = syclze_group_begin(run.queues[0]);
  const syclze_nd_range range = {.global = {1}, .local = {1}, .dimensions = 1};
  const size_t first[3] = {0}, count[3] = {1, 1, 1};
  syclze_group_require_range_nd(&group, run.to, SYCLZE_ACCESS_READ, first, count);
  struct node *node = node_after(NULL);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(node), syclze_arg((void *)found)),
      ZE_RESULT_SUCCESS);
  CHECK(to->owner == NULL);
  copy(run.queues[1], run.to, copies);
  CHECK(state->marker_position >= state->run_position);
  scene_run_all();
  CHECK_EQ(syclze_queue_wait(run.queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(found[0], 2);
  node_end(node);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(copies), ZE_RESULT_SUCCESS);
  end(&run);
}

/* A read behind the last run of another graph waits for all runs. */
TEST(graphs_of_one_queue_share_its_position) {
  struct run_scene run = begin(0, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_graph graph;
  syclze_executable_graph other;
  syclze_buffer copies = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, run.queues[0]), ZE_RESULT_SUCCESS);
  copy(run.queues[0], run.from, copies);
  CHECK_EQ(syclze_graph_end_recording(graph, run.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  scene_fill(run.queues[0], run.from, 1);
  for (int i = 0; i < 6; i++)
    CHECK_EQ(syclze_queue_submit_graph(run.queues[0], i % 2 ? other : run.graph, NULL),
        ZE_RESULT_SUCCESS);
  const struct syclze__queue_state *state = syclze__queue_state_get(run.queues[0].rep);
  CHECK(run.graph.rep->runs->owner == state && other.rep->runs->owner == state);
  CHECK_EQ(run.graph.rep->runs->lost, state->lost);
  CHECK_EQ(other.rep->runs->lost, state->lost);
  scene_fill(run.queues[1], run.from, 2);
  CHECK(run.graph.rep->runs->lost != state->lost);
  scene_fill(run.queues[1], run.to, 3);
  scene_run_all();
  CHECK_EQ(syclze_queue_wait(run.queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(run.result[0], 3);
  CHECK_EQ(syclze_executable_graph_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(copies), ZE_RESULT_SUCCESS);
  end(&run);
}

TEST(values_keep_the_order_of_submission_beside_the_queues) {
  struct run_scene run = begin(1u << STRICT_APPENDS_LISTS, 0);
  check_values(&run);
  end(&run);
}

static ze_result_t pass(syclze_interop_handle handle, void *argument) {
  (void)handle;
  while (!__atomic_load_n((bool *)argument, __ATOMIC_ACQUIRE))
    ;
  return ZE_RESULT_SUCCESS;
}

/* A run behind a host task is appended once that has ended, and the next one behind it. */
TEST(runs_that_wait_for_a_host_task_follow_each_other) {
  struct run_scene run = begin(0, 0);
  bool passes = false;
  run_graph(&run, 0);
  run_graph(&run, 0);
  syclze_event event;
  syclze_group group = syclze_group_begin(run.queues[1]);
  CHECK_EQ(syclze_group_host_task(&group, pass, &passes, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph_after(run.queues[0], run.graph, &event, 1, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(referring(&run), USED + 1);
  run_graph(&run, 2);
  CHECK_EQ(referring(&run), USED + 1);
  scene_fill(run.queues[1], run.from, 3);
  run_graph(&run, 0);
  __atomic_store_n(&passes, true, __ATOMIC_RELEASE);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(run.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(run.result[0], 3);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  end(&run);
}

/* The memory that the graph does not use any more refers to its runs when it ends. */
TEST(a_graph_ends_before_the_memory_that_it_used) {
  struct run_scene run = begin(0, 0);
  run_graph(&run, 0);
  run_graph(&run, 1);
  CHECK_EQ(syclze_executable_graph_release(run.graph), ZE_RESULT_SUCCESS);
  run.graph.rep = NULL;
  scene_fill(run.queues[2], run.to, 9); /* behind both */
  scene_run_all();
  CHECK_EQ(syclze_queue_wait(run.queues[2]), ZE_RESULT_SUCCESS);
  CHECK_EQ(run.result[0], 9);
  end(&run);
}

/* A run that fails is one all the same to what comes behind. */
TEST(a_run_that_fails_is_followed) {
  static const char append[] = "zeCommandListImmediateAppendCommandListsExp";
  struct run_scene run = begin(0, 0);
  syclze_event filled;
  CHECK_EQ(syclze_queue_submit_barrier(run.queues[2], &filled), ZE_RESULT_SUCCESS);
  run_graph(&run, 0);
  run_graph(&run, 0);
  strict_fail_named(append, ZE_RESULT_ERROR_UNKNOWN);
  for (int i = 0; i < 4; i++) { /* the first one is also that of its queue */
    syclze_event event = {(struct syclze__event *)(void *)&run};
    CHECK_EQ(syclze_queue_submit_graph(run.queues[1], run.graph, NULL), ZE_RESULT_ERROR_UNKNOWN);
    CHECK_EQ(syclze_queue_submit_graph(run.queues[1], run.graph, &event), ZE_RESULT_ERROR_UNKNOWN);
    CHECK(event.rep == NULL);
    syclze_group group = syclze_group_begin(run.queues[1]);
    syclze_group_depends_on(&group, filled);
    CHECK_EQ(syclze_group_execute_graph(&group, run.graph, &event), ZE_RESULT_ERROR_UNKNOWN);
    CHECK(event.rep == NULL);
  }
  CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(referring(&run), USED + 1);
  scene_fill(run.queues[2], run.from, 5);
  run_graph(&run, 0);
  scene_run_all();
  CHECK_EQ(syclze_queue_wait(run.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(run.result[0], 5);
  end(&run);
}

/* An event is needed until the run that waits for it is done, and then for the next run but one. */
TEST(runs_reuse_the_events_of_those_before) {
  enum { TIMES = 100, FEW = 4 };
  struct run_scene run = begin(0, 0);
  const void *natives[TIMES];
  uint32_t found = 0;
  for (int i = 0; i < FEW; i++) /* none is done */
    run_graph(&run, 0);
  for (int i = 0; i < TIMES; i++) {
    syclze_event event = {0};
    if (i >= FEW) scene_run_all();
    CHECK_EQ(syclze_queue_submit_graph(run.queues[0], run.graph, i % 3 == 0 ? &event : NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    const void *native = run.graph.rep->runs->last->native;
    uint32_t j = 0;
    while (j < found && natives[j] != native)
      j++;
    if (j == found) natives[found++] = native;
  }
#if SYCLZE__HAS_IDLE_OBJECTS
  CHECK(found <= 3 * FEW);
#endif
  scene_run_all();
  CHECK_EQ(syclze_queue_wait(run.queues[0]), ZE_RESULT_SUCCESS);
  end(&run);
}

TEST(a_group_that_failed_runs_no_graph) {
  struct run_scene run = begin(0, 0);
  for (int i = 0; i < 3; i++)
    run_graph(&run, 0);
  const struct syclze__event *last = run.graph.rep->runs->last;
  syclze_group group = syclze_group_begin(run.queues[0]);
  (void)syclze_require(&group, (syclze_buffer){0}, SYCLZE_ACCESS_READ);
  CHECK(syclze_group_execute_graph(&group, run.graph, NULL) != ZE_RESULT_SUCCESS);
  CHECK(run.graph.rep->runs->last == last);
  end(&run);
}

/* The graph reads what another context writes, which waits for no read of the graph's. */
TEST(a_run_reads_what_another_context_has_written) {
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t native;
  syclze_context context;
  syclze_queue queue;
  struct run_scene run = begin(0, 0);
  CHECK_EQ(zeContextCreateEx(scene.driver, &desc, 1, &scene.handle, &native), ZE_RESULT_SUCCESS);
  const syclze_context_input input = {
      .native_handle = native, .device_list = &scene.device, .device_count = 1};
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, scene.device, NULL, &queue), ZE_RESULT_SUCCESS);
  strict_hold(false);
  run_graph(&run, 0);
  run_graph(&run, 1);
  CHECK_EQ(referring(&run), USED + 1);
  for (uint64_t value = 1; value < 4; value++) {
    scene_fill(queue, run.from, value);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    run_graph(&run, 2);
    CHECK_EQ(syclze_queue_wait(run.queues[2]), ZE_RESULT_SUCCESS);
    CHECK_EQ(run.result[0], value);
  }
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  end(&run);
}

TEST_MAIN(runs_follow_each_other_until_other_work_asks,
    another_queue_owns_the_memory_of_runs_once_the_former_ones_are_done,
    a_read_of_what_a_graph_reads_leaves_its_runs_as_they_are,
    a_write_waits_for_reads_from_before_the_runs, values_keep_the_order_of_submission,
    values_keep_the_order_of_submission_on_in_order_queues,
    a_queue_that_owns_the_memory_records_runs_by_one_position,
    a_queue_that_owns_the_memory_records_runs_of_an_updatable_graph,
    a_part_of_what_a_graph_writes_leaves_its_last_run, graphs_of_one_queue_share_its_position,
    values_keep_the_order_of_submission_beside_the_queues,
    runs_that_wait_for_a_host_task_follow_each_other, a_graph_ends_before_the_memory_that_it_used,
    a_run_that_fails_is_followed, runs_reuse_the_events_of_those_before,
    a_group_that_failed_runs_no_graph, a_run_reads_what_another_context_has_written)
