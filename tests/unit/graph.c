/* Graphs on the fake: the driver's calls for closed lists, mutable ones and captured graphs, what
   keeps what alive, and failures of every call and allocation. */
#include "support/memory.h"
#include "syclze/command/graph_update.h"
#include "tests/finalize.h"

#include "graph_made.h"

static ze_result_t launch_of(syclze_kernel kernel) {
  syclze_group group = syclze_group_begin(made.queue);
  return syclze_launch(&group, kernel, &range, NULL, syclze_arg(one));
}

static ze_result_t launch(void) {
  return launch_of(made.kernel);
}

/* Two launches, one behind the other. */
static ze_result_t finalized(uint32_t flags, syclze_executable_graph *executable) {
  syclze_graph graph;
  executable->rep = NULL;
  ze_result_t result = syclze_graph_create(world.context, world.device, &graph);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze_graph_begin_recording(graph, made.queue);
  if (result == ZE_RESULT_SUCCESS) result = launch();
  if (result == ZE_RESULT_SUCCESS) result = launch();
  if (result == ZE_RESULT_SUCCESS) result = finalize_as(flags, graph, executable);
  syclze_graph_release(graph);
  return result;
}

static ze_result_t update(syclze_executable_graph executable, uint32_t node, uint32_t value) {
  const syclze_argument argument = syclze_argument_value(&value, sizeof value);
  return syclze_executable_graph_update_argument(executable, node, 0, &argument);
}

TEST(a_graph_is_one_closed_list_and_one_append) { // shows graphs 27, graph_peers 32
  begin(true, true);
  syclze_executable_graph executable;
  CHECK_OK(finalized(0, &executable));
  CHECK_STR_EQ(noted(), "in order list launch launch close");
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_STR_EQ(noted(), "lists");
  const unsigned calls = fake_all_calls();
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_EQ(fake_all_calls(), calls + 1);
  CHECK_STR_EQ(noted(), "lists");
  CHECK_OK(syclze_queue_wait(made.queue));
  CHECK_OK(syclze_executable_graph_release(executable));
  end();
}

/* Two launches beside each other, and one behind a barrier. */
TEST(nodes_beside_each_other_are_in_a_list_without_order) { // shows graphs 27
  begin(true, true);
  syclze_graph graph;
  syclze_executable_graph executable;
  CHECK_OK(syclze_graph_create(world.context, world.device, &graph));
  CHECK_OK(syclze_graph_begin_recording(graph, made.unordered));
  for (int i = 0; i < 3; i++) {
    if (i == 2) CHECK_OK(syclze_queue_submit_barrier(made.unordered, NULL));
    syclze_group group = syclze_group_begin(made.unordered);
    CHECK_OK(syclze_launch(&group, made.kernel, &range, NULL, syclze_arg(one)));
  }
  CHECK_OK(syclze_graph_finalize(graph, 0, &executable));
  CHECK_STR_EQ(noted(), "list launch launch barrier launch close");
  CHECK_OK(syclze_graph_release(graph));
  CHECK_OK(syclze_executable_graph_release(executable));
  end();
}

TEST(a_loader_without_newer_calls_executes_it_on_a_command_queue) { // shows graphs 25
  begin(true, true);
  fake.old_loader = 1;
  SYCLZE__STATE.entry.command_list_append_lists = NULL; /* found by the enumeration */
  syclze_executable_graph executable;
  CHECK_OK(finalized(FINALIZE_CAPTURED, &executable));
  CHECK_STR_EQ(noted(), "list launch barrier launch close");
  CHECK_OK(syclze_executable_graph_release(executable));
  CHECK_OK(finalized(SYCLZE_GRAPH_UPDATABLE, &executable));
  CHECK_STR_EQ(noted(), "list launch barrier launch close");
  CHECK_OK(syclze_executable_graph_release(executable));
  end();
}

TEST(a_captured_graph_runs_on_lists_like_the_one_that_was_captured) { // shows graphs 25
  begin(true, true);
  syclze_executable_graph executable;
  CHECK_OK(finalized(FINALIZE_CAPTURED, &executable));
  CHECK_STR_EQ(noted(), "in order list launch launch close "
                        "graph begin launch launch end instantiate");
  CHECK_EQ(fake_seen.list_desc.flags, 2);
  CHECK_EQ(fake_seen.list_desc.mode, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  for (int i = 0; i < 3; i++)
    CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_STR_EQ(noted(), "run run run");
  syclze_event event;
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, &event));
  CHECK_OK(syclze_event_wait(event));
  CHECK_OK(syclze_event_release(event));
  noted();
  CHECK_OK(syclze_queue_submit_graph(made.unordered, executable, NULL));
  CHECK(strstr(noted(), "lists") != NULL);
  CHECK_OK(syclze_queue_wait(made.unordered));
  CHECK_OK(syclze_queue_wait(made.queue));
  CHECK_OK(syclze_executable_graph_release(executable));
  CHECK_EQ(fake_calls(FAKE_zeExecutableGraphDestroyExt), 1);
  CHECK_EQ(fake_calls(FAKE_zeGraphDestroyExt), 1);
  end();
}

TEST(a_device_without_graphs_has_closed_lists) { // shows graphs 25
  begin(true, false);
  syclze_executable_graph executable;
  CHECK_OK(finalized(FINALIZE_CAPTURED, &executable));
  CHECK_STR_EQ(noted(), "in order list launch launch close");
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_STR_EQ(noted(), "lists");
  CHECK_OK(syclze_queue_wait(made.queue));
  CHECK_OK(syclze_executable_graph_release(executable));
  end();
}

TEST(a_loader_that_lacks_a_call_of_graphs_has_closed_lists) { // shows graphs 25
  static const char *const calls[] = {"zeGraphCreateExt", "zeCommandListBeginCaptureIntoGraphExt",
      "zeCommandListEndGraphCaptureExt", "zeGraphInstantiateExt", "zeCommandListAppendGraphExt",
      "zeExecutableGraphDestroyExt", "zeGraphDestroyExt"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    begin(true, true);
    fake.lacking = calls[i];
    syclze_executable_graph executable;
    CHECK_OK(finalized(FINALIZE_CAPTURED, &executable));
    CHECK_STR_EQ(noted(), "in order list launch launch close");
    CHECK_OK(syclze_executable_graph_release(executable));
    end();
  }
}

TEST(an_update_of_a_mutable_list_is_one_call_and_a_close) { // shows graphs 23
  begin(true, true);
  syclze_executable_graph executable;
  CHECK_OK(finalized(SYCLZE_GRAPH_UPDATABLE, &executable));
  CHECK_STR_EQ(noted(), "in order mutable next launch next launch close");
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_STR_EQ(noted(), "lists lists");
  CHECK_OK(update(executable, 0, two));
  CHECK_OK(update(executable, 1, two));
  CHECK_STR_EQ(noted(), ""); /* at the next submission, both at once */
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_STR_EQ(noted(), "barrier update close lists"); /* the barrier: whether it runs */
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_STR_EQ(noted(), "lists");
  CHECK_OK(update(executable, 0, two)); /* what it is */
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  CHECK_STR_EQ(noted(), "barrier lists");
  CHECK_OK(syclze_queue_wait(made.queue));
  CHECK_OK(syclze_executable_graph_release(executable));
  end();
}

/* A graph of a launch of another kernel, and of one of the kernel that is made. */
static syclze_graph alternatives(void) {
  const syclze_kernel_input input = {.kernel_bundle = made.bundle,
      .native_handle = fake_kernel(made.module, "kernel"),
      .ownership = 0};
  syclze_kernel other;
  syclze_graph graph;
  CHECK_OK(syclze_make_kernel(&input, world.context, &other));
  CHECK_OK(syclze_graph_create(world.context, world.device, &graph));
  CHECK_OK(syclze_graph_begin_recording(graph, made.queue));
  CHECK_OK(launch_of(other));
  CHECK_OK(launch());
  CHECK_OK(syclze_graph_end_recording(graph, made.queue));
  CHECK_OK(syclze_kernel_release(other));
  return graph;
}

/* The calls of a submission after the second node got another kernel. */
static const char *replaced(syclze_executable_graph executable, syclze_graph graph, uint32_t by) {
  CHECK_OK(syclze_executable_graph_update_node(executable, 1, graph, by));
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  return noted();
}

TEST(an_update_of_a_kernel_is_one_call_more) { // shows graphs 36
  for (int has_kernels = 0; has_kernels < 2; has_kernels++) {
    begin(true, true);
    if (has_kernels) driver.updates |= 64;
    syclze_executable_graph executable;
    syclze_graph graph = alternatives();
    CHECK_OK(finalized(SYCLZE_GRAPH_UPDATABLE, &executable));
    CHECK_STR_EQ(noted(), "in order mutable next launch next launch close");
    CHECK_STR_EQ(replaced(executable, graph, 0),
        has_kernels ? "reset next launch next of two launch close lists"
                    : "reset next launch next launch close lists");
    for (uint32_t i = 0; i < 4; i++)
      CHECK_STR_EQ(replaced(executable, graph, (i + 1) % 2),
          has_kernels ? "barrier kernel update close lists"
                      : "barrier reset next launch next launch close lists");
    CHECK_OK(syclze_queue_wait(made.queue));
    CHECK_OK(syclze_graph_release(graph));
    CHECK_OK(syclze_executable_graph_release(executable));
    end();
  }
}

TEST(a_device_without_mutable_lists_records_anew) { // shows graphs 23
  begin(false, true);
  syclze_executable_graph executable;
  CHECK_OK(finalized(SYCLZE_GRAPH_UPDATABLE, &executable));
  CHECK_STR_EQ(noted(), "in order list launch launch close");
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  noted();
  CHECK_OK(update(executable, 0, two));
  CHECK_OK(syclze_queue_submit_graph(made.queue, executable, NULL));
  /* In the list of the run before, which is done. */
  CHECK(strstr(noted(), "reset launch launch close") != NULL);
  CHECK_OK(syclze_queue_wait(made.queue));
  CHECK_OK(syclze_executable_graph_release(executable));
  end();
}

TEST(an_executable_graph_keeps_its_kernel_and_ends_its_lists) { // shows graphs 27
  begin(false, false);
  syclze_executable_graph executable;
  CHECK_OK(finalized(0, &executable));
  CHECK_OK(syclze_kernel_retain(made.kernel)); /* end() releases it */
  CHECK_OK(syclze_kernel_release(made.kernel));
  CHECK_OK(syclze_executable_graph_retain(executable));
  CHECK_OK(syclze_executable_graph_release(executable));
  CHECK(fake_is_alive(made.native));
  const unsigned lists = fake_calls(FAKE_zeCommandListDestroy);
  CHECK_OK(syclze_executable_graph_release(executable));
  CHECK_EQ(fake_calls(FAKE_zeCommandListDestroy), lists + 1);
  end();
}

#if SYCLZE_HAS_POOLS
TEST(a_second_release_is_refused) { // shows graphs 27
  begin(false, false);
  syclze_executable_graph executable;
  syclze_graph graph;
  CHECK_OK(finalized(0, &executable));
  CHECK_OK(syclze_executable_graph_release(executable));
  CHECK_REFUSED(syclze_executable_graph_release(executable), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_executable_graph_release", NULL);
  CHECK_OK(syclze_graph_create(world.context, world.device, &graph));
  CHECK_OK(syclze_graph_release(graph));
  CHECK_REFUSED(
      syclze_graph_release(graph), SYCLZE_RESULT_ERROR_INVALID, "syclze_graph_release", NULL);
  end();
}
#else
TEST(a_second_release_is_refused) { // shows graphs 27
  SKIP("objects are allocations of their own under sanitizers, which report it");
}
#endif

static enum fake_function failed_call; /* of what follows; FAKE_FUNCTION_COUNT for none */
static bool failed_allocation;

/* Records, finalizes, submits, updates and submits again. From the release on nothing fails:
   without an event for the end of its work the graph would not be freed. */
static ze_result_t all(uint32_t flags, bool is_updated) {
  syclze_executable_graph executable;
  ze_result_t result = finalized(flags, &executable);
  if (result == ZE_RESULT_SUCCESS) result = syclze_queue_submit_graph(made.queue, executable, NULL);
  if (result == ZE_RESULT_SUCCESS && is_updated) result = update(executable, 1, two);
  if (result == ZE_RESULT_SUCCESS && is_updated)
    result = syclze_queue_submit_graph(made.queue, executable, NULL);
  failed_call = fake_failed_function();
  failed_allocation = memory_failed() != 0;
  fake_fail_nth_call(0, ZE_RESULT_SUCCESS);
  memory_fail(0);
  syclze_executable_graph_release(executable);
  return result;
}

/* A destruction that fails leaves its handle: it is the only such call. */
static bool is_destruction(enum fake_function function) {
  return function == FAKE_zeCommandListDestroy || function == FAKE_zeExecutableGraphDestroyExt ||
         function == FAKE_zeGraphDestroyExt || function == FAKE_zeEventDestroy;
}

static void sweep(uint32_t flags) {
  bool failed = true;
  for (unsigned n = 1; failed; n++) {
    begin(true, true);
    fake_fail_nth_call(n, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    const ze_result_t result = all(flags, (flags & SYCLZE_GRAPH_UPDATABLE) != 0);
    failed = failed_call != FAKE_FUNCTION_COUNT;
    CHECK(failed || result == ZE_RESULT_SUCCESS);
    if (failed && is_destruction(failed_call)) fake_forgive();
    end();
    CHECK(failed || n > 10);
  }
}

TEST(every_call_may_fail) { // shows graphs 27
  sweep(0);
  sweep(FINALIZE_CAPTURED);
  sweep(SYCLZE_GRAPH_UPDATABLE);
}

TEST(every_allocation_may_fail) { // shows graphs 27
  static const uint32_t flags[] = {0, FINALIZE_CAPTURED, SYCLZE_GRAPH_UPDATABLE};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    for (unsigned n = 1, ended = 0; !ended; n++) {
      begin(true, true);
      memory_fail(n);
      const ze_result_t result = all(flags[i], flags[i] == SYCLZE_GRAPH_UPDATABLE);
      ended = !failed_allocation;
      CHECK(result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      end();
      CHECK(!ended || n > 5);
    }
}

TEST_MAIN(a_graph_is_one_closed_list_and_one_append,
    nodes_beside_each_other_are_in_a_list_without_order,
    a_loader_without_newer_calls_executes_it_on_a_command_queue,
    a_captured_graph_runs_on_lists_like_the_one_that_was_captured,
    a_device_without_graphs_has_closed_lists,
    a_loader_that_lacks_a_call_of_graphs_has_closed_lists, an_update_of_a_mutable_list_is_one_call_and_a_close,
    an_update_of_a_kernel_is_one_call_more, a_device_without_mutable_lists_records_anew,
    an_executable_graph_keeps_its_kernel_and_ends_its_lists, a_second_release_is_refused,
    every_call_may_fail, every_allocation_may_fail)
