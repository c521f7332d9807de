/* Updates of several launches at once, by a value or a buffer: on mutable lists, and on lists that
   are recorded anew. The kernels are those of tests/kernels/graph.spv. */
#include "support/failing.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/updated.h"

static const char update_parameter[] = "syclze_executable_graph_update_parameter";

static uint32_t result_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return (a * b + c) * 3 + d;
}

static void share_a_parameter(struct world *w) {
  /* Two of one launch; the last repeats another. */
  static const syclze_graph_argument places[] = {{0, 3}, {1, 2}, {2, 3}, {1, 3}, {0, 3}};
  syclze_executable_graph executable = three(w);
  run(w, executable);
  check_all(w->memory[0], result_of(10, 20, 30, 40));
  for (uint32_t value = 5; value < 8; value++) {
    const syclze_argument argument = syclze_argument_value(&value, sizeof value);
    CHECK_EQ(syclze_executable_graph_update_parameter(executable, places, value - 3, &argument),
        ZE_RESULT_SUCCESS);
    run(w, executable);
    const uint32_t d = value > 5 ? value : 40, c = value > 6 ? value : 30;
    check_all(w->memory[0], result_of(value, value, c, d));
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(launches_share_a_parameter) { // shows graphs 20, graph_peers 39
  in_both_ways(share_a_parameter);
}

/* All launches have the value, or none: the last place cannot have it. */
static void refuse_a_parameter(struct world *w) {
  const void *native = syclze_get_native(w->all.context);
  const syclze_graph_argument no_node[] = {{0, 3}, {1, 3}, {3, 3}};
  const syclze_graph_argument no_argument[] = {{0, 3}, {1, 3}, {2, 4}};
  const uint32_t five = 5;
  const syclze_argument value = syclze_argument_value(&five, sizeof five);
  syclze_executable_graph executable = three(w);
  FAILED(syclze_executable_graph_update_parameter(executable, no_node, 3, &value),
      SYCLZE_RESULT_ERROR_INVALID, update_parameter, "no such node", native);
  FAILED(syclze_executable_graph_update_parameter(executable, no_argument, 3, &value),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, update_parameter, "of this index", native);
  FAILED(syclze_executable_graph_update_parameter(executable, NULL, 1, &value),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, update_parameter, "null", native);
  FAILED(syclze_executable_graph_update_parameter(executable, no_node, 1, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, update_parameter, "null", native);
  CHECK_EQ(
      syclze_executable_graph_update_parameter(executable, NULL, 0, &value), ZE_RESULT_SUCCESS);
  run(w, executable);
  check_all(w->memory[0], result_of(10, 20, 30, 40));
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_parameter_is_updated_for_all_launches_or_none) { // shows graphs 20
  in_both_ways(refuse_a_parameter);
}

static void fail_a_parameter(struct world *w) {
  static const syclze_graph_argument places[] = {{0, 3}, {1, 2}, {2, 3}, {1, 3}, {0, 3}};
  const uint32_t five = 5;
  const syclze_argument value = syclze_argument_value(&five, sizeof five);
  bool failed = true;
  for (unsigned n = 1; failed; n++) {
    syclze_executable_graph executable = three(w);
    failing_at(n);
    const ze_result_t result =
        syclze_executable_graph_update_parameter(executable, places, 5, &value);
    failed = failing_end();
    CHECK_EQ(result, failed ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS);
    run(w, executable);
    check_all(w->memory[0], failed ? result_of(10, 20, 30, 40) : result_of(5, 5, 5, 5));
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    CHECK(failed || n > 5);
  }
}

TEST(every_allocation_of_a_parameter_may_fail) { // shows graphs 20
  in_both_ways(fail_a_parameter);
}

static const char update_buffer[] = "syclze_executable_graph_update_parameter_buffer";

static ze_result_t set_buffer(struct world *w, syclze_queue queue, syclze_buffer buffer) {
  const uint32_t two = 2, three = 3;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor out = syclze_require(&group, buffer, SYCLZE_ACCESS_DISCARD_WRITE);
  return syclze_launch(
      &group, w->all.set, &items, NULL, syclze_arg(out), syclze_arg(two), syclze_arg(three));
}

/* Three launches with one buffer, at other indices in each: i * 2 + 3, that times 4 in another
   buffer, and 1 more than their sum. A fourth accesses a part of the other one. */
static syclze_executable_graph sharing(struct world *w) {
  const syclze_nd_range few = {.global = {8}, .local = {8}};
  const uint32_t one = 1, three = 3;
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(set_buffer(w, queue, w->buffers[0]), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor out = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_DISCARD_WRITE);
  syclze_accessor in = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_launch(&group, w->all.sum, &items, NULL, syclze_arg(out), syclze_arg(in),
               syclze_arg(in), syclze_arg(three)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  in = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ);
  out = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(out), syclze_arg(in),
               syclze_arg(one), syclze_arg(one)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  out = syclze_group_require_range(&group, w->buffers[2], SYCLZE_ACCESS_WRITE, 0, 8);
  CHECK_EQ(syclze_launch(
               &group, w->all.set, &few, NULL, syclze_arg(out), syclze_arg(one), syclze_arg(three)),
      ZE_RESULT_SUCCESS);
  return updatable(graph);
}

/* The second launch has one accessor twice. */
static const syclze_graph_argument shared[] = {{0, 0}, {1, 1}, {2, 0}};

static void check_shared(const uint32_t *memory) {
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(memory[i], (i * 2 + 3) * 5 + 1);
}

/* The graph uses the buffer of this index, and no other but that of all. */
static void run_shared(struct world *w, syclze_executable_graph executable, int used) {
  const int other = 1 - used;
  uint32_t seen[ITEMS];
  for (int i = 0; i < 2; i++)
    memset(w->memory[i], 0x11, ITEMS * sizeof(uint32_t));
  CHECK_EQ(
      syclze_queue_submit_graph(w->all.queues[OUT_OF_ORDER], executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_read(w->buffers[used], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  check_shared(seen);
  CHECK_EQ(syclze_queue_wait(w->all.queues[OUT_OF_ORDER]), ZE_RESULT_SUCCESS);
  check_all(w->memory[other], 0x11111111);
}

/* DPC++'s update_with_indices_accessor_multiple_nodes_different_indices, there and back, and
   update_with_indices_accessor_double_update. */
static void share_a_buffer(struct world *w) {
  syclze_executable_graph executable = sharing(w);
  run_shared(w, executable, 0);
  for (int i = 1; i < 7; i++) {
    for (int twice = 0; twice < 1 + i / 4; twice++)
      CHECK_EQ(syclze_executable_graph_update_parameter_buffer(
                   executable, shared, 3, w->buffers[(i + i / 4 + twice) % 2]),
          ZE_RESULT_SUCCESS);
    run_shared(w, executable, i % 2);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(launches_share_a_buffer) { // shows graphs 20, graph_peers 40
  in_both_ways(share_a_buffer);
}

/* DPC++'s update_with_indices_accessor_ordering, with a run that an update precedes and does not
   change: all is ordered by accessors, behind a gate. */
static void order_a_buffer(struct world *w) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER], other = w->all.queues[OUT_OF_ORDER + 1];
  syclze_executable_graph executable = sharing(w);
  uint32_t seen[ITEMS];
  syclze_event gate;
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(other);
    syclze_accessor x = syclze_require(&group, w->buffers[i], SYCLZE_ACCESS_READ_WRITE);
    const uint32_t nine = 9;
    syclze_group_depends_on(&group, gate);
    CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(x), syclze_arg(x),
                 syclze_arg(nine), syclze_arg(nine)),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_executable_graph_update_parameter_buffer(executable, shared, 3, w->buffers[1 - i]),
        ZE_RESULT_SUCCESS);
  }
  for (int i = 0; i < 2; i++)
    check_all(w->memory[i], 0);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_buffer_read(w->buffers[i], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
    check_shared(seen);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_wait(w->all.queues[OUT_OF_ORDER + i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
}

TEST(a_shared_buffer_has_its_dependencies) { // shows graphs 19 20, graph_peers 40
  in_both_ways(order_a_buffer);
}

/* The graph keeps the buffer, which its owner released. */
static void keep_a_buffer(struct world *w) {
  const syclze_buffer_input input = {.native_handle = w->memory[1],
      .element_size = sizeof(uint32_t),
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_executable_graph executable = sharing(w);
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, w->all.context, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_parameter_buffer(executable, shared, 3, buffer),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_queue_submit_graph(w->all.queues[OUT_OF_ORDER], executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w->all.queues[OUT_OF_ORDER]), ZE_RESULT_SUCCESS);
  check_shared(w->memory[1]);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_graph_keeps_a_shared_buffer) { // shows graphs 20
  in_both_ways(keep_a_buffer);
}

static void refuse_shared(struct world *w, syclze_executable_graph executable,
    syclze_graph_argument last, syclze_buffer buffer, ze_result_t code, const char *text) {
  const syclze_graph_argument places[] = {shared[1], shared[0], last};
  FAILED(syclze_executable_graph_update_parameter_buffer(executable, places, 3, buffer), code,
      update_buffer, text, syclze_get_native(w->all.context));
}

/* All launches have the buffer, or none: one place cannot have it, or none can. */
static void refuse_a_buffer(struct world *w) {
  const void *native = syclze_get_native(w->all.context);
  const size_t zero = 0, count = ITEMS;
  uint32_t data[ITEMS] = {0};
  const syclze_buffer_desc desc = {
      .element_size = sizeof *data, .range = {ITEMS}, .host_data = data};
  syclze_device device = w->all.device;
  const syclze_context_input input = {given_context(&w->g), &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_executable_graph executable = sharing(w), absent = {NULL};
  syclze_context context;
  syclze_buffer part, foreign, written;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_create(context, &desc, &foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_create(w->all.context, &desc, &written), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_create_sub(w->buffers[1], &zero, &count, &part), ZE_RESULT_SUCCESS);
  const struct {
    syclze_graph_argument last;
    syclze_buffer buffer;
    ze_result_t code;
    const char *text;
  } cases[] = {
      {{4, 0}, w->buffers[1], SYCLZE_RESULT_ERROR_INVALID, "no such node"},
      {{2, 4}, w->buffers[1], SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, "of this index"},
      {{2, 2}, w->buffers[1], SYCLZE_RESULT_ERROR_ACCESSOR,
          "recorded argument must be an accessor"},
      {{3, 0}, w->buffers[1], SYCLZE_RESULT_ERROR_ACCESSOR,
          "must be an accessor of a whole buffer"},
      {shared[2], part, SYCLZE_RESULT_ERROR_INVALID, "part of another"},
      {shared[2], foreign, SYCLZE_RESULT_ERROR_INVALID, "of another context"},
      {shared[2], written, SYCLZE_RESULT_ERROR_INVALID, "written back"}, /* the first reads */
      {shared[2], {NULL}, ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "the buffer is null"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refuse_shared(w, executable, cases[i].last, cases[i].buffer, cases[i].code, cases[i].text);
  FAILED(syclze_executable_graph_update_parameter_buffer(executable, NULL, 1, w->buffers[1]),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, update_buffer, "null", native);
  FAILED(syclze_executable_graph_update_parameter_buffer(absent, shared, 3, w->buffers[1]),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, update_buffer, "graph is null", NULL);
  CHECK_EQ(syclze_executable_graph_update_parameter_buffer(executable, NULL, 0, w->buffers[1]),
      ZE_RESULT_SUCCESS);
  run_shared(w, executable, 0);
  CHECK_EQ(syclze_executable_graph_update_parameter_buffer(executable, shared, 3, w->buffers[1]),
      ZE_RESULT_SUCCESS);
  run_shared(w, executable, 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(part), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(written), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(data[i], 0);
}

TEST(a_buffer_is_updated_for_all_launches_or_none) { // shows graphs 20
  in_both_ways(refuse_a_buffer);
}

/* Each allocation and each call of the driver. */
static void fail_a_buffer(struct world *w) {
  for (int way = 0; way < 2; way++) {
    bool failed = true;
    for (unsigned n = 1; failed; n++) {
      syclze_executable_graph executable = sharing(w);
      if (way == 0)
        failing_at(n);
      else
        spy_fail_at(n, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      const ze_result_t result =
          syclze_executable_graph_update_parameter_buffer(executable, shared, 3, w->buffers[1]);
      failed = failing_end() || spy_failed_call() != NULL;
      spy_fail_at(0, ZE_RESULT_SUCCESS);
      CHECK_EQ(result == ZE_RESULT_SUCCESS, !failed);
      run_shared(w, executable, failed ? 0 : 1);
      CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
      CHECK(failed || n > 3);
    }
  }
}

TEST(every_call_and_allocation_of_a_shared_buffer_may_fail) { // shows graphs 20
  in_both_ways(fail_a_buffer);
}

TEST_MAIN(launches_share_a_parameter, a_parameter_is_updated_for_all_launches_or_none,
    every_allocation_of_a_parameter_may_fail, launches_share_a_buffer,
    a_shared_buffer_has_its_dependencies, a_graph_keeps_a_shared_buffer,
    a_buffer_is_updated_for_all_launches_or_none,
    every_call_and_allocation_of_a_shared_buffer_may_fail)
