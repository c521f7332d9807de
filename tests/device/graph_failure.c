/* Each driver call and each allocation of a recording, of what makes it executable, and of a
   submission fails once: the call returns an error, nothing runs or stays, and the same succeeds
   afterwards.
   The kernels are those of tests/kernels/graph.spv. */
#include "support/failing.h"

#include "support/recorded.h"
#include "support/spy.h"

static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

enum { MANY = 12 }; /* more memory objects than a group has room for in itself */

struct made {
  syclze_buffer many[MANY];
  syclze_graph graph;
  syclze_executable_graph executable;
  syclze_event inside, done;
  bool has_task; /* at the end */
  uint32_t ran;
};

static ze_result_t count_run(syclze_interop_handle handle, void *ran) {
  (void)handle;
  ++*(uint32_t *)ran;
  return ZE_RESULT_SUCCESS;
}

/* A kernel, a copy that depends on its event, a kernel that depends on the copy by accessors, and a
 * barrier; and a host task, which ends the list. */
static ze_result_t record(struct world *w, syclze_queue queue, struct made *made) {
  const uint32_t factor = 3, addend = 1;
  ze_result_t result = mix_memory(w, queue, 0, 1, 2, 1, none, &made->inside);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, made->inside);
  syclze_accessor copied = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_WRITE);
  result = syclze_group_copy(
      &group, syclze_mem_arg(copied), syclze_mem_arg(w->memory[0]), ITEMS * sizeof(uint32_t), NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  group = syclze_group_begin(queue);
  copied = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ_WRITE);
  result = syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(copied),
      syclze_arg(w->memory[1]), syclze_arg(factor), syclze_arg(addend));
  if (result != ZE_RESULT_SUCCESS) return result;
  group = syclze_group_begin(queue);
  for (int i = 0; i < MANY; i++)
    syclze_require(&group, made->many[i], SYCLZE_ACCESS_WRITE);
  result = syclze_group_barrier(&group, NULL);
  if (result != ZE_RESULT_SUCCESS || !made->has_task) return result;
  group = syclze_group_begin(queue);
  syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ);
  return syclze_group_host_task(&group, count_run, &made->ran, NULL);
}

static struct made made_begin(const struct world *w) {
  struct made made;
  memset(&made, 0, sizeof made);
  for (int i = 0; i < MANY; i++) {
    syclze_buffer_input input = {.ownership = SYCLZE_OWNERSHIP_TRANSFER};
    CHECK_EQ(syclze_malloc_shared(64, w->all.device, w->all.context, &input.native_handle),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_make_buffer(&input, w->all.context, &made.many[i]), ZE_RESULT_SUCCESS);
  }
  return made;
}

static void made_end(struct made *made) {
  CHECK_EQ(syclze_event_release(made->done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(made->inside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(made->executable), ZE_RESULT_SUCCESS);
  for (int i = 0; i < MANY; i++)
    CHECK_EQ(syclze_release(made->many[i]), ZE_RESULT_SUCCESS);
}

static ze_result_t make(struct world *w, syclze_queue queue, bool appends, struct made *made) {
  ze_result_t result = syclze_graph_create(w->all.context, w->all.device, &made->graph);
  if (result == ZE_RESULT_SUCCESS) result = syclze_graph_begin_recording(made->graph, queue);
  if (result == ZE_RESULT_SUCCESS) result = record(w, queue, made);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze_graph_finalize(made->graph, 0, &made->executable);
  if (result != ZE_RESULT_SUCCESS) return result;
  append_lists_use(made->executable, appends);
  result = syclze_graph_end_recording(made->graph, queue);
  if (result != ZE_RESULT_SUCCESS) return result;
  return syclze_queue_submit_graph(queue, made->executable, &made->done);
}

/* True if the n-th call or allocation failed. */
static bool fails(
    struct world *w, int kind, bool has_task, bool appends, bool allocation, unsigned n) {
  struct made made = made_begin(w);
  made.has_task = has_task;
  const syclze_property_list properties = {
      .flags = kind == IN_ORDER ? (uint32_t)SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  syclze_queue queue = w->all.queues[COMMAND_QUEUE];
  if (kind != COMMAND_QUEUE)
    CHECK_EQ(
        syclze_queue_create(w->all.context, w->all.device, &properties, &queue), ZE_RESULT_SUCCESS);
  memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
  memset(w->memory[2], 0, ITEMS * sizeof(uint32_t));
  if (allocation)
    failing_at(n);
  else
    spy_fail_at(n, broken);
  const ze_result_t result = make(w, queue, appends, &made);
  const bool failed = failing_end() || spy_failed_call() != NULL;
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  const bool runs = made.done.rep != NULL;
  CHECK_EQ(runs, result == ZE_RESULT_SUCCESS);
  CHECK(failed || runs);
  CHECK_EQ(syclze_graph_release(made.graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(made.done), ZE_RESULT_SUCCESS);
  const ze_result_t waited = syclze_queue_wait(queue);
  if (waited == ZE_RESULT_SUCCESS) {
    check_all(w->memory[0], runs ? 1 : 0);
    check_all(w->memory[2], runs ? 4 : 0);
    CHECK_EQ(made.ran, runs && has_task);
  } else /* of a worker's call */
    CHECK(waited == broken && runs && has_task);
  made_end(&made);
  if (kind != COMMAND_QUEUE) CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  return failed;
}

static void sweep(struct world *w, bool appends, bool allocation) {
  static const int kinds[] = {IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE};
  for (int i = 0; i < 6; i++) {
    unsigned n = 1;
    while (fails(w, kinds[i % 3], i >= 3, appends, allocation, n))
      n++;
    CHECK(n > 10);
    CHECK(!fails(w, kinds[i % 3], i >= 3, appends, allocation, 0));
  }
}

static void sweep_calls(struct world *w, bool appends) {
  sweep(w, appends, false);
}

static void sweep_allocations(struct world *w, bool appends) {
  sweep(w, appends, true);
}

TEST(every_driver_call_may_fail) { // shows graphs 29
  in_each_way(sweep_calls);
}

TEST(every_allocation_may_fail) { // shows graphs 29
  in_each_way(sweep_allocations);
}

/* The append itself, which no loader's name stands for here. */
static void fail_append(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  if (!appends) return;
  struct made made = made_begin(w);
  CHECK_EQ(make(w, queue, appends, &made), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 4; i++) {
    const unsigned before = append_lists.calls;
    syclze_event done;
    append_lists.failure = broken;
    CHECK_EQ(syclze_queue_submit_graph(queue, made.executable, i % 2 ? &done : NULL), broken);
    append_lists.failure = ZE_RESULT_SUCCESS;
    CHECK_EQ(append_lists.calls, before + 1);
    CHECK_EQ(syclze_queue_submit_graph(queue, made.executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(append_lists.calls, before + 2); /* one call, whatever the graph consists of */
  }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], (1 << 5) - 1);
  CHECK_EQ(syclze_graph_release(made.graph), ZE_RESULT_SUCCESS);
  made_end(&made);
}

TEST(a_submission_is_one_call_which_may_fail) { // shows graphs 28
  in_each_way(fail_append);
}

TEST_MAIN(
    every_driver_call_may_fail, every_allocation_may_fail, a_submission_is_one_call_which_may_fail)
