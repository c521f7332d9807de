/* Graphs up to their submission, which also drivers make that carry out nothing: groups of each
   kind are recorded, lists are made of them, and updates are checked by the driver.
   The kernel is of tests/kernels/graph.spv. */
#include "support/made.h"
#include "support/refused.h"

#include "syclze/command/graph_update.h"
#include "tests/finalize.h"

enum { ITEMS = 64, BYTES = ITEMS * 4 };

static struct {
  struct given g;
  syclze_context context;
  syclze_device device;
  syclze_kernel_bundle bundle;
  syclze_kernel mix;
  syclze_queue queue;
  syclze_buffer buffers[2];
  syclze_graph graph;
} made;

static const syclze_nd_range items = {.global = {ITEMS}, .local = {8}};

static void begin(void) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  made.g = given();
  made.context = made_context_here(&made.g, SYCLZE_OWNERSHIP_KEEP);
  made.device = made_device(&made.g);
  made.bundle = made_kernel_bundle(
      made.context, given_module(&made.g, "tests/kernels/graph.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_kernel_create(made.bundle, "graph_mix", &made.mix), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_queue_create(made.context, made.device, &in_order, &made.queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    void *memory;
    CHECK_EQ(syclze_malloc_device(BYTES, made.device, made.context, &memory), ZE_RESULT_SUCCESS);
    const syclze_buffer_input input = {.native_handle = memory, .element_size = 4, .ownership = 0};
    CHECK_EQ(syclze_make_buffer(&input, made.context, &made.buffers[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_create(made.context, made.device, &made.graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(made.graph, made.queue), ZE_RESULT_SUCCESS);
}

static void end(void) {
  CHECK_EQ(syclze_graph_release(made.graph), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_buffer_release(made.buffers[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(made.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(made.mix), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(made.bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(made.context), ZE_RESULT_SUCCESS);
  given_end(&made.g);
}

static void record_launch(void) {
  const uint32_t factor = 2, addend = 1;
  syclze_group group = syclze_group_begin(made.queue);
  syclze_accessor y = syclze_require(&group, made.buffers[0], SYCLZE_ACCESS_READ_WRITE);
  syclze_accessor x = syclze_require(&group, made.buffers[1], SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_launch(&group, made.mix, &items, NULL, syclze_arg(y), syclze_arg(x),
               syclze_arg(factor), syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
}

static ze_result_t call(syclze_interop_handle handle, void *argument) {
  (void)handle;
  ++*(unsigned *)argument;
  return ZE_RESULT_SUCCESS;
}

/* A launch, a fill, a copy, a barrier, a native command and a host task. */
static void record_all(unsigned *calls) {
  const uint32_t pattern = 9;
  record_launch();
  syclze_group group = syclze_group_begin(made.queue);
  syclze_accessor x = syclze_require(&group, made.buffers[1], SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(x), &pattern, sizeof pattern, BYTES, NULL),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(made.queue);
  x = syclze_require(&group, made.buffers[1], SYCLZE_ACCESS_READ);
  syclze_accessor y = syclze_require(&group, made.buffers[0], SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(y), syclze_mem_arg(x), BYTES, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(made.queue, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(made.queue);
  CHECK_EQ(syclze_group_native_command(&group, call, &calls[0], NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(made.queue);
  CHECK_EQ(syclze_group_host_task(&group, call, &calls[1], NULL), ZE_RESULT_SUCCESS);
}

/* Groups with host tasks, and without them in closed lists, mutable lists, and the driver's own
 * capture. */
TEST(groups_of_each_kind_become_lists) { // shows graphs 13
  static const uint32_t flags[] = {0, SYCLZE_GRAPH_UPDATABLE, FINALIZE_CAPTURED};
  syclze_executable_graph executable;
  unsigned calls[2] = {0, 0};
  begin();
  record_launch();
  record_launch();
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(finalize_as(flags[i], made.graph, &executable), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  }
  record_all(calls);
  CHECK_EQ(syclze_graph_get_node_count(made.graph), 8);
  CHECK_EQ(syclze_graph_finalize(made.graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(calls[0], 1); /* it appends to the list */
  CHECK_EQ(calls[1], 0);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  end();
}

/* Arguments and ranges that the driver refuses are refused at once. */
TEST(the_driver_checks_updates) { // shows graphs 13
  const uint32_t seven = 7;
  const syclze_argument addend = syclze_argument_value(&seven, sizeof seven);
  const syclze_argument large = syclze_argument_value(&made, sizeof made);
  const syclze_graph_argument places[] = {{0, 0}, {0, 1}};
  const syclze_nd_range half = {.global = {ITEMS / 2}, .local = {8}};
  const syclze_nd_range uneven = {.global = {10}, .local = {4}};
  syclze_executable_graph executable;
  begin();
  record_launch();
  CHECK_EQ(
      syclze_graph_finalize(made.graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_argument(executable, 0, 3, &addend), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_range(executable, 0, &half), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_executable_graph_update_buffer(executable, 0, 1, made.buffers[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_parameter_buffer(executable, places, 2, made.buffers[0]),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update(executable, made.graph), ZE_RESULT_SUCCESS);
  const ze_result_t result = syclze_executable_graph_update_argument(executable, 0, 3, &large);
  if (given_is_zecl(made.g.driver)) CHECK(result != ZE_RESULT_SUCCESS); /* others take it */
  FAILED(syclze_executable_graph_update_range(executable, 0, &uneven), SYCLZE_RESULT_ERROR_ND_RANGE,
      "syclze_executable_graph_update_range", "multiple", syclze_get_native(made.context));
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_recording_queue_refuses_waits) { // shows graphs 13
  syclze_event event;
  begin();
  CHECK_EQ(syclze_queue_submit_barrier(made.queue, &event), ZE_RESULT_SUCCESS);
  const void *native = syclze_get_native(made.queue).list;
  FAILED(syclze_queue_wait(made.queue), SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_wait",
      "records to a graph", native);
  FAILED(syclze_event_wait(event), SYCLZE_RESULT_ERROR_INVALID, "syclze_event_wait",
      "recorded to a graph", NULL);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  end();
}

TEST_MAIN(
    groups_of_each_kind_become_lists, the_driver_checks_updates, a_recording_queue_refuses_waits)
