/* The times of graphs: of runs that are host tasks, and of those that were finalized for them.
   The kernels are those of tests/kernels/graph.spv. */
#undef SYCLZE_DECLARATIONS
#include "support/failing.h"
#include "support/recorded.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/command/graph_update.h"

static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle;
  (void)argument;
  return ZE_RESULT_SUCCESS;
}

/* A kernel, and a host task if wanted. */
static syclze_executable_graph timed(
    struct world *w, syclze_queue queue, bool has_task, uint32_t flags) {
  syclze_graph graph = graph_of(w);
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  if (has_task) {
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_finalize(graph, flags, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  return executable;
}

/* The second run is one append, without command groups. */
static void check_times(
    struct world *w, syclze_queue queue, syclze_executable_graph executable, bool has_times) {
  syclze_device device = w->all.device;
  for (int i = 0; i < 2; i++) {
    syclze_event event, after;
    uint64_t submit, start, stop, begun, ended;
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, event, &after), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(after), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling_submit(event, device, &submit), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling(after, device, &begun, &ended), ZE_RESULT_SUCCESS);
    if (has_times) {
      CHECK_EQ(syclze_event_get_profiling(event, device, &start, &stop), ZE_RESULT_SUCCESS);
      CHECK(submit <= start && start < stop && stop <= begun);
    } else
      FAILED(syclze_event_get_profiling(event, device, &start, &stop), SYCLZE_RESULT_ERROR_INVALID,
          "syclze_event_get_profiling", "not measured", syclze_get_native(event));
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(after), ZE_RESULT_SUCCESS);
  }
}

static void query_times(struct world *w, bool appends) {
  static const uint32_t orders[] = {0, SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  for (int way = 0; way < 8; way++) {
    const syclze_property_list properties = {
        .flags = SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING | orders[way % 2]};
    const bool has_task = way / 4 != 0;
    syclze_queue queue;
    CHECK_EQ(
        syclze_queue_create(w->all.context, w->all.device, &properties, &queue), ZE_RESULT_SUCCESS);
    syclze_executable_graph executable =
        timed(w, queue, has_task, way / 2 % 2 != 0 ? SYCLZE_GRAPH_UPDATABLE : 0);
    if (executable.rep->updatable == NULL) append_lists_use(executable, appends);
    check_times(w, queue, executable, has_task);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  }
}

TEST(a_run_has_no_times_but_those_of_a_host_task) { // shows graphs 7, graph_peers 35
  in_each_way(query_times);
}

/* Writes the device's clock to where the argument says. */
static ze_result_t stamp(syclze_interop_handle handle, void *argument) {
  syclze_native_queue native;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &native), ZE_RESULT_SUCCESS);
  return zeCommandListAppendWriteGlobalTimestamp(native.list, argument, NULL, 0, NULL);
}

/* A kernel between two nodes that write when they run. */
static syclze_executable_graph stamped(struct world *w, uint64_t *stamps, uint32_t flags) {
  syclze_graph graph = graph_of(w);
  syclze_executable_graph executable;
  syclze_queue queue = w->all.queues[IN_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_native_command(&group, stamp, &stamps[0], NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_native_command(&group, stamp, &stamps[1], NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_graph_finalize(graph, flags | SYCLZE_GRAPH_PROFILING, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  return executable;
}

enum { KINDS = 3 };

/* On an immediate list in order or not, or on a command queue; its events have times. */
static syclze_queue profiled(struct world *w, int kind) {
  const syclze_property_list properties = {
      .flags = SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING |
               (kind == 0 ? (uint32_t)SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0)};
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_queue_handle_t native;
  syclze_queue queue;
  if (kind < 2) {
    CHECK_EQ(
        syclze_queue_create(w->all.context, w->all.device, &properties, &queue), ZE_RESULT_SUCCESS);
    return queue;
  }
  CHECK_EQ(zeCommandQueueCreate(
               syclze_get_native(w->all.context), syclze_get_native(w->all.device), &desc, &native),
      ZE_RESULT_SUCCESS);
  const syclze_queue_input input = {.native_handle = syclze_native_queue_of(native),
      .device = w->all.device,
      .properties = properties};
  CHECK_EQ(syclze_make_queue(&input, w->all.context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

static uint64_t nanoseconds(const struct world *w, uint64_t ticks) {
  struct syclze__clock clock;
  CHECK_EQ(syclze__clock_of(w->all.device.rep, &clock).result, ZE_RESULT_SUCCESS);
  return syclze__clock_time(&clock, ticks);
}

enum { TIMED_RUNS = 4 };

/* Each run begins behind what it waits for, and has its own times, whose bounds are those of its
   nodes. */
static void bound_times(
    struct world *w, syclze_queue queue, syclze_executable_graph executable, uint64_t *stamps) {
  syclze_device device = w->all.device;
  syclze_event runs[TIMED_RUNS], before;
  uint64_t times[2][TIMED_RUNS], bounds[2][TIMED_RUNS], begun, ended;
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, &before), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < TIMED_RUNS; i++) {
    const syclze_argument argument = syclze_argument_value(&i, sizeof i);
    if (executable.rep->updatable != NULL)
      CHECK_EQ(
          syclze_executable_graph_update_argument(executable, 1, 3, &argument), ZE_RESULT_SUCCESS);
    CHECK_EQ(i == 0 ? syclze_queue_submit_graph_after(queue, executable, &before, 1, &runs[i])
                    : syclze_queue_submit_graph(queue, executable, &runs[i]),
        ZE_RESULT_SUCCESS);
    if (i == 0) continue; /* the next one is submitted while it may run */
    CHECK_EQ(syclze_event_wait(runs[i]), ZE_RESULT_SUCCESS);
    for (int end = 0; end < 2; end++)
      bounds[end][i] = nanoseconds(w, stamps[end]);
  }
  CHECK_EQ(syclze_event_get_profiling(before, device, &begun, &ended), ZE_RESULT_SUCCESS);
  for (int i = 0; i < TIMED_RUNS; i++) {
    CHECK_EQ(
        syclze_event_get_profiling(runs[i], device, &times[0][i], &times[1][i]), ZE_RESULT_SUCCESS);
    CHECK(ended <= times[0][i] && times[0][i] <= times[1][i]);
    if (i > 0) CHECK(times[0][i] <= bounds[0][i] && bounds[1][i] <= times[1][i]);
    ended = times[1][i];
    CHECK_EQ(syclze_release(runs[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(before), ZE_RESULT_SUCCESS);
}

static void time_runs(struct world *w, bool appends) {
  static const uint32_t flags[] = {0, SYCLZE_GRAPH_UPDATABLE};
  for (int way = 0; way < KINDS * 2; way++) {
    uint64_t *stamps = (uint64_t *)(void *)w->memory[2];
    syclze_queue queue = profiled(w, way % KINDS);
    syclze_executable_graph executable = stamped(w, stamps, flags[way / KINDS]);
    if (flags[way / KINDS] == 0) append_lists_use(executable, appends);
    bound_times(w, queue, executable, stamps);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  }
}

TEST(a_run_has_the_times_of_its_nodes) { // shows graphs 7, graph_peers 35
  in_each_way(time_runs);
}

/* Each call and allocation of a submission with times fails once. */
static bool fails(struct world *w, syclze_queue queue, bool appends, bool allocation, unsigned n) {
  syclze_executable_graph executable = stamped(w, (uint64_t *)(void *)w->memory[2], 0);
  syclze_event event;
  append_lists_use(executable, appends);
  if (allocation)
    failing_at(n);
  else
    spy_fail_at(n, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  const ze_result_t result = syclze_queue_submit_graph(queue, executable, &event);
  const bool failed = failing_end() || spy_failed_call() != NULL;
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK(failed || result == ZE_RESULT_SUCCESS);
  CHECK_EQ(event.rep != NULL, result == ZE_RESULT_SUCCESS);
  if (event.rep != NULL) {
    uint64_t start, stop;
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling(event, w->all.device, &start, &stop), ZE_RESULT_SUCCESS);
    CHECK(start <= stop);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  syclze_queue_wait(queue); /* may return the error of the submission */
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  return failed;
}

/* The list is not appended behind the begin of the times, which the device may have signalled. */
static void refuse_lists(struct world *w, syclze_queue queue) {
  syclze_executable_graph executable = stamped(w, (uint64_t *)(void *)w->memory[2], 0);
  syclze_event event;
  append_lists_use(executable, true);
  append_lists.failure = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;
  CHECK_EQ(
      syclze_queue_submit_graph(queue, executable, &event), ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  CHECK(event.rep == NULL);
  append_lists.failure = ZE_RESULT_SUCCESS;
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

static void sweep(struct world *w, bool appends) {
  for (int way = 0; way < KINDS * 2; way++) {
    syclze_queue queue = profiled(w, way % KINDS);
    unsigned n = 1;
    while (fails(w, queue, appends, way / KINDS != 0, n))
      n++;
    CHECK(n > 1 || way >= KINDS);
    if (appends && way < 2) refuse_lists(w, queue);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  }
}

TEST(every_call_and_allocation_of_a_run_with_times_may_fail) { // shows graphs 7
  in_each_way(sweep);
}

TEST_MAIN(a_run_has_no_times_but_those_of_a_host_task, a_run_has_the_times_of_its_nodes,
    every_call_and_allocation_of_a_run_with_times_may_fail)
