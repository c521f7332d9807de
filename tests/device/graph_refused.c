/* Commands that must not be recorded, and other calls that graphs refuse: nothing is recorded or
   lost. The kernels are those of tests/kernels/graph.spv. */
#include "support/recorded.h"
#include "support/refused.h"

#include "syclze/command/graph_nodes.h"
#include "syclze/command/host_accessor.h"

static syclze_graph recording(struct world *w, syclze_queue queue) {
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  return graph;
}

// shows graph_peers 28 29
TEST(a_recording_queue_and_the_events_of_recorded_groups_are_not_waited_for) { // shows graphs 16
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_graph graph = recording(&w, queue);
  uint64_t start, stop;
  syclze_event event;
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &event), ZE_RESULT_SUCCESS);
  FAILED(syclze_queue_wait(queue), SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_wait",
      "records to a graph", syclze_get_native(queue).list);
  FAILED(syclze_event_wait(event), SYCLZE_RESULT_ERROR_INVALID, "syclze_event_wait",
      "recorded to a graph", syclze_get_native(event));
  FAILED(syclze_event_get_profiling(event, w.all.device, &start, &stop),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_event_get_profiling", "recorded to a graph",
      syclze_get_native(event));
  CHECK_EQ(syclze_graph_get_node_count(graph), 1);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  /* Still so once the graph is gone. */
  CHECK_EQ(syclze_event_wait(event), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(the_events_of_recorded_groups_name_no_native_event_and_gate_no_memory) { // shows graphs 16
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_graph graph = recording(&w, queue);
  syclze_event event, copy;
  syclze_event_status status;
  syclze_buffer buffer;
  syclze_image image;
  uint32_t count = 1, node;
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &event), ZE_RESULT_SUCCESS);
  CHECK(syclze_event_get_native(event) == NULL);
  FAILED(syclze_event_get_status(event, &status), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_get_status", "recorded to a graph", NULL);
  FAILED(syclze_events_wait(&event, 1), SYCLZE_RESULT_ERROR_INVALID, "syclze_event_wait",
      "recorded to a graph", NULL);
  FAILED(syclze_queue_get_wait_list(queue, event, &count, &copy), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_queue_get_wait_list", "recorded to a graph", syclze_get_native(queue).list);
  CHECK_EQ(count, 0);
  const syclze_buffer_input input = {
      .native_handle = w.memory[0], .element_size = 4, .ownership = SYCLZE_OWNERSHIP_TRANSFER};
  REFUSED(buffer, syclze_make_buffer_after(&input, w.all.context, event, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_make_buffer_after", "recorded to a graph", w.memory[0]);
  const syclze_image_input shape = {.native_handle = (ze_image_handle_t)(void *)w.memory[0]};
  REFUSED(image, syclze_make_image_after(&shape, w.all.context, event, &image),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_make_image_after", "recorded to a graph", w.memory[0]);
  CHECK_EQ(w.memory[0][0], 0); /* still the caller's */
  CHECK_EQ(syclze_graph_get_node(graph, event, &node), ZE_RESULT_SUCCESS);
  CHECK_EQ(node, 1);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  graph = graph_of(&w);
  FAILED(syclze_graph_get_node(graph, event, &node), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_graph_get_node", "of a group", NULL);
  FAILED(syclze_graph_get_node(graph, none, &node), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_graph_get_node", "null", NULL);
  FAILED(syclze_graph_get_node(graph, event, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_graph_get_node", "null", NULL);
  CHECK_EQ(syclze_event_retain(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(what_has_no_time_or_place_in_a_graph_is_not_recorded) { // shows graphs 16, graph_peers 29
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  const void *native = syclze_get_native(queue).list;
  syclze_event outside, event, inside;
  bool is_empty = false;
  const uint32_t nine = 9;
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &outside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  syclze_graph graph = recording(&w, queue);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &inside), ZE_RESULT_SUCCESS);
  REFUSED(event, syclze_queue_get_last_event(queue, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_queue_get_last_event", "records to a graph", native);
  REFUSED(event, syclze_queue_submit_profiling_tag(queue, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_queue_submit_profiling_tag", "records to a graph", native);
  FAILED(syclze_queue_set_external_event(queue, outside), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_barrier", "same graph", native);
  REFUSED(event,
      syclze_queue_copy_2d(queue, w.memory[0], 64, w.memory[1], 64, 32, 4, NULL, 0, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_copy_2d", "not be recorded", native);
  REFUSED(event,
      syclze_queue_fill_2d(queue, w.memory[0], 64, &nine, sizeof nine, 32, 4, NULL, 0, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_fill_2d", "not be recorded", native);
  CHECK_EQ(syclze_graph_get_node_count(graph), 1);
  CHECK_EQ(syclze_queue_is_empty(queue, &is_empty), ZE_RESULT_SUCCESS); /* of the work before */
  CHECK(is_empty);
  CHECK_EQ(syclze_queue_set_external_event(queue, inside), ZE_RESULT_SUCCESS); /* a barrier */
  CHECK_EQ(syclze_graph_get_node_count(graph), 2);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_profiling_tag(queue, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy_2d(queue, w.memory[0], 64, w.memory[1], 64, 32, 4, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(outside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(inside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

/* A launch that requires the buffer so. */
static ze_result_t use(struct world *w, syclze_queue queue, syclze_buffer buffer,
    syclze_access_mode mode, syclze_event *event) {
  const uint32_t factor = 1, addend = 1;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor x = syclze_require(&group, buffer, mode);
  return syclze_launch(
      &group, w->all.set, &items, event, syclze_arg(x), syclze_arg(factor), syclze_arg(addend));
}

TEST(buffers_that_are_written_back_are_not_written_by_a_graph) { // shows graphs 16, graph_peers 30
  struct world w = begin();
  uint32_t data[ITEMS] = {0};
  const syclze_buffer_desc desc = {
      .element_size = sizeof *data, .range = {ITEMS}, .host_data = data};
  syclze_queue queue = w.all.queues[IN_ORDER], other = w.all.queues[OUT_OF_ORDER];
  syclze_graph graph = recording(&w, queue);
  syclze_buffer buffer;
  syclze_event event;
  CHECK_EQ(syclze_buffer_create(w.all.context, &desc, &buffer), ZE_RESULT_SUCCESS);
  REFUSED(event, use(&w, queue, buffer, SYCLZE_ACCESS_WRITE, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_launch", "written back", syclze_get_native(queue).list);
  CHECK_EQ(syclze_graph_get_node_count(graph), 0);
  /* The other buffers of a refused group are not the graph's. */
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, w.buffers[2], SYCLZE_ACCESS_WRITE);
  syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_barrier(&group, NULL), SYCLZE_RESULT_ERROR_INVALID);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_buffer_read(w.buffers[2], data, 0, sizeof data), ZE_RESULT_SUCCESS);
    CHECK_EQ(i == 0 ? syclze_graph_end_recording(graph, queue)
                    : syclze_graph_begin_recording(graph, queue),
        ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_begin_recording(graph, other), ZE_RESULT_SUCCESS);
  CHECK_EQ(use(&w, other, w.buffers[2], SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(use(&w, queue, buffer, SYCLZE_ACCESS_READ, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_set_write_back(buffer, false), ZE_RESULT_SUCCESS);
  CHECK_EQ(use(&w, queue, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), 3);
  /* Both have the order of their accesses. */
  uint32_t before;
  CHECK_EQ(use(&w, other, w.buffers[2], SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_predecessors(graph, 3, &before, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(before, 1);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(a_buffer_of_a_graph_that_is_recorded_to_has_no_host_accessor) { // shows graphs 16
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_graph graph = recording(&w, queue);
  syclze_host_accessor accessor;
  uint32_t seen[ITEMS];
  CHECK_EQ(syclze_buffer_read(w.buffers[2], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  CHECK_EQ(use(&w, queue, w.buffers[2], SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    REFUSED(accessor, syclze_host_accessor_create(w.buffers[2], SYCLZE_ACCESS_READ, &accessor),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_host_accessor_create", "being recorded", w.memory[2]);
    FAILED(syclze_buffer_read(w.buffers[2], seen, 0, sizeof seen), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_buffer_read", "being recorded", w.memory[2]);
    CHECK_EQ(syclze_buffer_read(w.buffers[1], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_buffer_read(w.buffers[2], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_read(w.buffers[2], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  end(&w);
}

static ze_result_t unused(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

TEST(events_stay_inside_of_their_graph) { // shows graphs 16, graph_peers 29
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_event outside, inside, event;
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &outside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(outside), ZE_RESULT_SUCCESS);
  syclze_graph graph = recording(&w, queue), other = recording(&w, w.all.queues[1]);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, &inside), ZE_RESULT_SUCCESS);
  REFUSED(event, mix_memory(&w, queue, 0, 1, 2, 1, outside, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_launch", "same graph", syclze_get_native(queue).list);
  REFUSED(event, mix_memory(&w, w.all.queues[1], 0, 1, 2, 1, inside, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_launch", "same graph",
      syclze_get_native(w.all.queues[1]).list);
  CHECK_EQ(syclze_graph_get_node_count(graph), 1);
  CHECK_EQ(syclze_graph_get_node_count(other), 0);
  CHECK_EQ(syclze_graph_release(other), ZE_RESULT_SUCCESS);
  /* Queues that do not record, once that of the event does not: of each kind, and by each kind of
     group. */
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 1; i < GRAPH_QUEUES; i++) {
    syclze_queue next = w.all.queues[i];
    const void *native = syclze_get_native(next).queue;
    REFUSED(event, mix_memory(&w, next, 0, 1, 2, 1, inside, &event), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_group_launch", "later groups of that graph", native);
    syclze_group group = syclze_group_begin(next);
    syclze_group_depends_on(&group, inside);
    REFUSED(event, syclze_group_host_task(&group, unused, NULL, &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_group_host_task", "later groups of that graph",
        native);
    group = syclze_group_begin(next);
    syclze_group_depends_on(&group, inside);
    REFUSED(event, syclze_group_barrier(&group, &event), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_group_barrier", "later groups of that graph", native);
    CHECK_EQ(mix_memory(&w, next, 0, 1, 1, 1, outside, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(next), ZE_RESULT_SUCCESS);
  }
  check_all(w.memory[0], GRAPH_QUEUES);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(inside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(outside), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(a_queue_records_to_one_graph_of_its_context_and_device) { // shows graphs 16, graph_peers 22
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER], foreign;
  syclze_device device = w.all.device;
  syclze_context context;
  syclze_graph graph = recording(&w, queue), other = graph_of(&w), absent = {NULL};
  const syclze_context_input input = {given_context(&w.g), &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &foreign), ZE_RESULT_SUCCESS);
  FAILED(syclze_graph_begin_recording(graph, queue), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_graph_begin_recording", "already", syclze_get_native(queue).list);
  FAILED(syclze_graph_begin_recording(other, queue), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_graph_begin_recording", "already", syclze_get_native(queue).list);
  FAILED(syclze_graph_end_recording(other, queue), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_graph_end_recording", "another graph", syclze_get_native(queue).list);
  FAILED(syclze_graph_begin_recording(other, foreign), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_graph_begin_recording", "another context", syclze_get_native(foreign).list);
  FAILED(syclze_graph_begin_recording(absent, queue), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_graph_begin_recording", "graph is null", syclze_get_native(queue).list);
  FAILED(syclze_graph_begin_recording(other, (syclze_queue){NULL}),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_graph_begin_recording", "queue is null", NULL);
  FAILED(syclze_graph_end_recording(absent, queue), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_graph_end_recording", "graph is null", NULL);
  CHECK_EQ(syclze_graph_end_recording(other, foreign), ZE_RESULT_SUCCESS); /* does not record */
  /* A queue that is released while it records. */
  CHECK_EQ(syclze_release(foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w.all.context, device, NULL, &foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(other, foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, foreign, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(other), 1);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(errors_of_recorded_groups_are_returned_at_once) { // shows graphs 16
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_graph graph = recording(&w, queue);
  const syclze_nd_range uneven = {.global = {10}, .local = {4}};
  syclze_event event;
  syclze_group group = syclze_group_begin(queue);
  REFUSED(event, syclze_launch(&group, w.all.mix, &uneven, &event), SYCLZE_RESULT_ERROR_ND_RANGE,
      "syclze_group_launch", "multiple", syclze_get_native(queue).list);
  /* A size that the driver refuses. */
  group = syclze_group_begin(queue);
  const ze_result_t size = syclze_launch(&group, w.all.mix, &items, &event, syclze_arg(w.memory[0]),
      syclze_arg(w.memory[1]), syclze_arg(w.g), syclze_arg(w.g));
  CHECK(size != ZE_RESULT_SUCCESS);
  CHECK_EQ(event.rep, NULL);
  group = syclze_group_begin(queue);
  REFUSED(event, syclze_group_host_task(&group, NULL, NULL, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_group_host_task", "null",
      syclze_get_native(queue).list);
  CHECK_EQ(syclze_graph_get_node_count(graph), 0);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(graphs_refuse_null_and_other_contexts) { // shows graphs 16, graph_peers 29
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_context context;
  syclze_device device = w.all.device;
  syclze_graph graph = graph_of(&w), absent = {NULL}, created;
  syclze_executable_graph executable, nothing = {NULL};
  syclze_event event;
  const syclze_context_input input = {given_context(&w.g), &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  REFUSED(created, syclze_graph_create((syclze_context){NULL}, device, &created),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_graph_create", "context is null", NULL);
  FAILED(syclze_graph_create(context, device, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_graph_create", "pointer is null", NULL);
  REFUSED(executable, syclze_graph_finalize(absent, 0, &executable),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_graph_finalize", "graph is null", NULL);
  REFUSED(executable, syclze_graph_finalize(graph, 1u << 31, &executable),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_graph_finalize", "flags",
      syclze_get_native(w.all.context));
  REFUSED(event, syclze_queue_submit_graph(queue, nothing, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_group_execute_graph", "graph is null",
      syclze_get_native(queue).list);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  REFUSED(event, syclze_queue_submit_graph((syclze_queue){NULL}, executable, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_group_execute_graph", "queue is null", NULL);
  syclze_queue foreign;
  CHECK_EQ(syclze_queue_create(context, device, NULL, &foreign), ZE_RESULT_SUCCESS);
  REFUSED(event, syclze_queue_submit_graph(foreign, executable, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_execute_graph", "another context",
      syclze_get_native(foreign).list);
  CHECK_EQ(syclze_graph_retain(absent), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(absent), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_retain(nothing), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(nothing), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_retain(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(a_recording_queue_and_the_events_of_recorded_groups_are_not_waited_for,
    the_events_of_recorded_groups_name_no_native_event_and_gate_no_memory,
    what_has_no_time_or_place_in_a_graph_is_not_recorded,
    buffers_that_are_written_back_are_not_written_by_a_graph,
    a_buffer_of_a_graph_that_is_recorded_to_has_no_host_accessor, events_stay_inside_of_their_graph,
    a_queue_records_to_one_graph_of_its_context_and_device,
    errors_of_recorded_groups_are_returned_at_once, graphs_refuse_null_and_other_contexts)
