/* Memory that nodes of a graph allocate and free (syclze/async_memory.h).
   The kernels are those of tests/kernels/graph.spv. */
#include "support/failing.h"

#include "support/failing_each.h"
#include "support/recorded.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/async_memory.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/command/graph_update.h"

#define DEVICE ZE_MEMORY_TYPE_DEVICE
#define OK ZE_RESULT_SUCCESS

enum { BYTES = ITEMS * sizeof(uint32_t), RUNS = 3 };

static syclze_graph recording(const struct world *w, syclze_queue queue) {
  const syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), OK);
  return graph;
}

static void *allocated(syclze_queue queue, size_t size, syclze_event before, syclze_event *event) {
  void *memory;
  CHECK_EQ(syclze_malloc_async(queue, DEVICE, size, &memory, &before, 1, event), OK);
  CHECK(memory != NULL);
  return memory;
}

static void freed(syclze_queue queue, void *memory, syclze_event before, syclze_event *event) {
  CHECK_EQ(syclze_free_async(queue, memory, &before, 1, event), OK);
}

/* memory = i * factor + addend. */
static void set(
    struct world *w, syclze_queue queue, void *memory, uint32_t factor, uint32_t addend) {
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.set, &items, NULL, syclze_arg(memory), syclze_arg(factor),
               syclze_arg(addend)),
      OK);
}

/* out += in. */
static void add(struct world *w, syclze_queue queue, void *out, void *in) {
  const uint32_t one = 1, no = 0;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(out), syclze_arg(in),
               syclze_arg(one), syclze_arg(no)),
      OK);
}

static syclze_executable_graph executable_of(syclze_graph graph, uint32_t flags) {
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_end_recording(graph, (syclze_queue){NULL}), OK);
  CHECK_EQ(syclze_graph_finalize(graph, flags, &executable), OK);
  return executable;
}

static void run(syclze_queue queue, syclze_executable_graph executable) {
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), OK);
  CHECK_EQ(syclze_queue_wait(queue), OK);
}

/* Graph/AsyncAlloc/RecordReplay/async_alloc_device_memory_reuse_in_order.cpp. */
static void reuse_in_order(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  const unsigned before = spy_creations(SPY_MEMORY);
  syclze_graph graph = recording(w, queue);
  void *a = allocated(queue, BYTES, none, NULL), *b = allocated(queue, BYTES, none, NULL);
  void *const first = a, *const second = b;
  CHECK(first != second);
  set(w, queue, a, 0, 1);
  set(w, queue, b, 0, 2);
  freed(queue, a, none, NULL);
  freed(queue, b, none, NULL);
  a = allocated(queue, BYTES - 4, none, NULL);
  CHECK(a == first || a == second);
  set(w, queue, w->memory[1], 0, 10);
  b = allocated(queue, BYTES, none, NULL);
  CHECK(b == first || b == second);
  CHECK(a != b);
  add(w, queue, w->memory[0], a);
  add(w, queue, w->memory[0], b);
  add(w, queue, w->memory[0], w->memory[1]);
  freed(queue, a, none, NULL);
  freed(queue, b, none, NULL);
  CHECK_EQ(spy_creations(SPY_MEMORY), before + 2);
  syclze_executable_graph executable = finalized(graph, appends);
  CHECK_EQ(syclze_executable_graph_get_required_memory_size(executable), 2 * BYTES);
  for (int i = 0; i < RUNS; i++)
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), OK);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  check_all(w->memory[0], RUNS * 13);
  CHECK_EQ(spy_destroys_of(first), 0);
  CHECK_EQ(syclze_release(executable), OK);
  CHECK_EQ(spy_destroys_of(first), 1);
  CHECK_EQ(spy_destroys_of(second), 1);
}

// shows graph_peers 51 52 54
TEST(disjoint_lifetimes_share_memory_on_an_in_order_queue) { // shows async_memory 14 22
  in_each_way(reuse_in_order);
}

/* Graph/AsyncAlloc/RecordReplay/async_alloc_device_memory_reuse.cpp: only what a node depends on,
   by whatever edges, has freed memory for it. */
static void reuse_by_edges(struct world *w, bool appends) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_event events[5];
  syclze_graph graph = recording(w, queue);
  void *const first = allocated(queue, BYTES, none, &events[0]);
  freed(queue, first, events[0], &events[1]);
  void *const apart = allocated(queue, BYTES, none, NULL); /* depends on nothing */
  CHECK(apart != first);
  CHECK_EQ(syclze_queue_submit_barrier_after(queue, &events[1], 1, &events[2]), OK);
  void *const again = allocated(queue, BYTES, events[2], &events[3]); /* indirectly on the free */
  CHECK_EQ(again, first);
  void *const third = allocated(queue, BYTES, events[2], NULL); /* used by now */
  CHECK(third != first && third != apart);
  freed(queue, again, events[3], &events[4]);
  void *const beside = allocated(queue, BYTES, events[3], NULL);
  CHECK(beside != first);
  void *const half = allocated(queue, BYTES / 2 - 4, events[4], NULL); /* less than half */
  CHECK(half != first);
  CHECK_EQ(allocated(queue, BYTES / 2, events[4], NULL), first);
  syclze_executable_graph executable = finalized(graph, appends);
  CHECK_EQ(syclze_executable_graph_get_required_memory_size(executable), 4 * BYTES + BYTES / 2 - 4);
  run(queue, executable);
  CHECK_EQ(syclze_release(executable), OK);
  for (int i = 0; i < 5; i++)
    CHECK_EQ(syclze_release(events[i]), OK);
}

TEST(memory_is_shared_along_edges_only) { // shows async_memory 14 22, graph_peers 52
  in_each_way(reuse_by_edges);
}

/* The memory that a command group function allocates, sets, adds to the first memory or frees. */
struct step {
  struct world *w;
  enum { ALLOCATE, SET, ADD, FREE } kind;
  void **memory;
};

static ze_result_t submit_step(syclze_group *group, void *argument) {
  const struct step *step = argument;
  const uint32_t one = 1, no = 0, five = 5;
  switch (step->kind) {
  case ALLOCATE:
    return syclze_group_malloc_async(group, DEVICE, BYTES, step->memory, NULL);
  case SET:
    return syclze_launch(group, step->w->all.set, &items, NULL, syclze_arg(*step->memory),
        syclze_arg(no), syclze_arg(five));
  case ADD:
    return syclze_launch(group, step->w->all.mix, &items, NULL, syclze_arg(step->w->memory[0]),
        syclze_arg(*step->memory), syclze_arg(one), syclze_arg(no));
  case FREE:
    break;
  }
  return syclze_group_free_async(group, *step->memory, NULL);
}

static uint32_t added(
    syclze_graph graph, struct world *w, int kind, void **memory, uint32_t after) {
  struct step step = {w, kind, memory};
  uint32_t node;
  CHECK_EQ(
      syclze_graph_add_node(graph, submit_step, &step, &after, after != UINT32_MAX, &node), OK);
  return node;
}

/* Graph/AsyncAlloc/Explicit/async_alloc_device.cpp. */
static void build(struct world *w, bool appends) {
  syclze_graph graph = graph_of(w);
  syclze_graph_node_type type;
  void *memory, *again;
  uint32_t node = added(graph, w, ALLOCATE, &memory, UINT32_MAX);
  CHECK_EQ(syclze_graph_get_node_type(graph, node, &type), OK);
  CHECK_EQ(type, SYCLZE_GRAPH_NODE_MALLOC_ASYNC);
  for (int i = 0; i < 2; i++) {
    node = added(graph, w, SET, &memory, node);
    node = added(graph, w, ADD, &memory, node);
    node = added(graph, w, FREE, &memory, node);
    CHECK_EQ(syclze_graph_get_node_type(graph, node, &type), OK);
    CHECK_EQ(type, SYCLZE_GRAPH_NODE_FREE_ASYNC);
    if (i == 1) break;
    node = added(graph, w, ALLOCATE, &again, node);
    CHECK_EQ(again, memory);
  }
  syclze_executable_graph executable = finalized(graph, appends);
  for (int i = 0; i < RUNS; i++)
    run(w->all.queues[i], executable);
  check_all(w->memory[0], RUNS * 10);
  CHECK_EQ(syclze_release(executable), OK);
}

TEST(graphs_are_built_with_allocations) { // shows async_memory 15, graph_peers 51
  in_each_way(build);
}

/* Graph/AsyncAlloc/async_alloc_finalize_exception.cpp. */
TEST(one_executable_graph_at_a_time_has_the_memory) { // shows async_memory 16, graph_peers 55
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_graph graph = recording(&w, queue);
  void *const memory = allocated(queue, BYTES, none, NULL);
  set(&w, queue, memory, 0, 4);
  add(&w, queue, w.memory[0], memory);
  freed(queue, memory, none, NULL);
  syclze_executable_graph executable = executable_of(graph, 0), second;
  for (uint32_t round = 0; round < 2; round++) {
    const uint32_t flags[] = {0, SYCLZE_GRAPH_UPDATABLE};
    CHECK_EQ(syclze_executable_graph_retain(executable), OK);
    run(queue, executable);
    CHECK_EQ(syclze_release(executable), OK);
    for (int i = 0; i < 2; i++)
      REFUSED(second, syclze_graph_finalize(graph, flags[i], &second), SYCLZE_RESULT_ERROR_INVALID,
          "syclze_graph_finalize", "has not ended", w.g.context);
    CHECK_EQ(syclze_release(executable), OK);
    CHECK_EQ(syclze_graph_finalize(graph, flags[1 - round], &executable), OK);
  }
  run(queue, executable);
  check_all(w.memory[0], 12);
  CHECK_EQ(spy_destroys_of(memory), 0);
  CHECK_EQ(syclze_release(executable), OK);
  CHECK_EQ(spy_destroys_of(memory), 0);
  CHECK_EQ(syclze_release(graph), OK);
  CHECK_EQ(spy_destroys_of(memory), 1);
  end(&w);
}

/* The graph and the executable graph are released while it runs. */
TEST(memory_lasts_until_the_graph_has_run) { // shows async_memory 17
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_event gate = made_event(w.all.context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_graph graph = recording(&w, queue);
  void *const memory = allocated(queue, BYTES, none, NULL);
  set(&w, queue, memory, 0, 6);
  add(&w, queue, w.memory[0], memory);
  syclze_executable_graph executable = executable_of(graph, 0);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_execute_graph(&group, executable, NULL), OK);
  CHECK_EQ(syclze_release(graph), OK);
  CHECK_EQ(syclze_release(executable), OK);
  CHECK(spy_is_alive(SPY_MEMORY, memory));
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), OK);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  check_all(w.memory[0], 6);
  CHECK_EQ(syclze_release(gate), OK);
  end(&w);
  CHECK_EQ(spy_destroys_of(memory), 1);
}

/* Graph/AsyncAlloc/async_alloc_free_exception.cpp; and what is freed twice, or a pool's. */
TEST(only_memory_of_the_graph_is_freed_and_once) { // shows async_memory 18, graph_peers 55
  const char *const frees = "syclze_free_async";
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  const void *native = syclze_get_native(queue).list;
  syclze_event event;
  void *const outside = allocated(queue, BYTES, none, NULL);
  syclze_graph graph = recording(&w, queue);
  for (int i = 0; i < 3; i++) {
    void *memory = NULL;
    if (i > 0) memory = allocated(queue, BYTES, none, NULL);
    if (i == 2) freed(queue, memory, none, NULL);
    const uint32_t nodes = syclze_graph_get_node_count(graph);
    REFUSED(event, syclze_free_async(queue, &event, NULL, 0, &event), SYCLZE_RESULT_ERROR_INVALID,
        frees, "not allocated by a node", native);
    REFUSED(event, syclze_free_async(queue, outside, NULL, 0, &event), SYCLZE_RESULT_ERROR_INVALID,
        frees, "not allocated by a node", native);
    if (i == 2)
      REFUSED(event, syclze_free_async(queue, memory, NULL, 0, &event), SYCLZE_RESULT_ERROR_INVALID,
          frees, "freed by another one", native);
    CHECK_EQ(syclze_graph_get_node_count(graph), nodes);
  }
  CHECK_EQ(syclze_free_async(queue, NULL, NULL, 0, NULL), OK); /* a node without effect */
  syclze_executable_graph executable = executable_of(graph, 0);
  run(queue, executable);
  CHECK_EQ(syclze_release(graph, executable), OK);
  freed(queue, outside, none, NULL);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  end(&w);
}

TEST(what_a_graph_cannot_allocate_is_refused) { // shows async_memory 19 22, graph_peers 54
  const char *const mallocs = "syclze_malloc_async";
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  const void *native = syclze_get_native(queue).list;
  syclze_graph graph = recording(&w, queue);
  syclze_event event;
  void *memory;
  REFUSED(memory, syclze_malloc_async(queue, ZE_MEMORY_TYPE_SHARED, BYTES, &memory, NULL, 0, NULL),
      SYCLZE_RESULT_ERROR_INVALID, mallocs, "must be the device's", native);
  REFUSED(event, syclze_malloc_async(queue, ZE_MEMORY_TYPE_HOST, BYTES, &memory, NULL, 0, &event),
      SYCLZE_RESULT_ERROR_INVALID, mallocs, "must be the device's", native);
  CHECK_EQ(syclze_graph_get_node_count(graph), 0);
  CHECK_EQ(syclze_malloc_async(queue, DEVICE, 0, &memory, NULL, 0, NULL), OK);
  CHECK(memory == NULL);
  CHECK_EQ(syclze_graph_get_node_count(graph), 1);
  syclze_executable_graph executable = executable_of(graph, 0), second;
  CHECK_EQ(syclze_executable_graph_get_required_memory_size(executable), 0);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &second), OK); /* it has no memory */
  run(queue, executable);
  CHECK_EQ(syclze_release(graph, executable, second), OK);
  end(&w);
}

TEST(a_graph_that_allocates_is_no_node_and_not_updated) { // shows async_memory 20
  const char *const update = "syclze_executable_graph_update";
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER], other = w.all.queues[OUT_OF_ORDER];
  const void *native = syclze_get_native(queue).list;
  syclze_graph inner = recording(&w, queue);
  allocated(queue, BYTES, none, NULL);
  syclze_executable_graph executable = executable_of(inner, SYCLZE_GRAPH_UPDATABLE);
  syclze_graph outer = recording(&w, queue);
  syclze_event event, inside;
  REFUSED(event, syclze_queue_submit_graph(queue, executable, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_execute_graph", "must not be a node of another", native);
  syclze_group group = syclze_group_begin(queue);
  REFUSED(event, syclze_group_record_graph(&group, inner, &event), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_record_graph", "must not be a node of another", native);
  CHECK_EQ(syclze_graph_get_node_count(outer), 0);
  CHECK_EQ(syclze_queue_submit_barrier(queue, &inside), OK);
  REFUSED(event, syclze_queue_submit_graph_after(other, executable, &inside, 1, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_execute_graph", "must not be a node of another",
      syclze_get_native(other).list);
  CHECK(!syclze_queue_is_recording(other));
  CHECK_EQ(syclze_release(inside), OK);
  FAILED(syclze_executable_graph_update(executable, inner), SYCLZE_RESULT_ERROR_INVALID, update,
      "do not match", w.g.context);
  FAILED(syclze_executable_graph_update_node(executable, 0, inner, 0), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_executable_graph_update_node", "or allocate or free", w.g.context);
  CHECK_EQ(syclze_graph_end_recording(outer, queue), OK);
  run(queue, executable);
  CHECK_EQ(syclze_release(inner, outer, executable), OK);
  end(&w);
}

/* Graph/AsyncAlloc/RecordReplay/async_alloc_device_zero_init.cpp: by each finalization, not by
   runs. */
TEST(memory_is_zero_when_the_graph_is_finalized) { // shows async_memory 21, graph_peers 53
  const syclze_memory_pool_properties zero = {.flags = SYCLZE_MEMORY_POOL_ZERO_INIT};
  const uint32_t factor = 1, addend = 2;
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_memory_pool pool;
  void *memory;
  CHECK_EQ(syclze_memory_pool_create(DEVICE, w.all.device, w.all.context, &zero, &pool), OK);
  syclze_graph graph = recording(&w, queue);
  CHECK_EQ(syclze_malloc_async_from_pool(queue, BYTES, pool, &memory, NULL, 0, NULL), OK);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 0); /* it is the graph's */
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w.all.mix, &items, NULL, syclze_arg(memory),
               syclze_arg(w.memory[1]), syclze_arg(factor), syclze_arg(addend)),
      OK);
  CHECK_EQ(syclze_queue_copy(queue, w.memory[0], memory, BYTES, NULL, 0, NULL), OK);
  for (int i = 0; i < 2; i++) {
    syclze_executable_graph executable = executable_of(graph, 0);
    for (uint32_t runs = 1; runs <= RUNS; runs++) {
      run(queue, executable);
      check_all(w.memory[0], 2 * runs);
    }
    CHECK_EQ(syclze_release(executable), OK);
  }
  CHECK_EQ(syclze_release(graph, pool), OK);
  end(&w);
}

/* An allocation behind a recorded event has its queue record. */
TEST(an_allocation_begins_the_recording_of_its_queue) { // shows async_memory 15
  struct world w = begin();
  syclze_queue first = w.all.queues[IN_ORDER], other = w.all.queues[OUT_OF_ORDER];
  syclze_event event, last;
  syclze_graph graph = recording(&w, first);
  CHECK_EQ(syclze_queue_submit_barrier(first, &event), OK);
  const unsigned before = spy_creations(SPY_MEMORY);
  void *const memory = allocated(other, BYTES, event, &last);
  CHECK(syclze_queue_is_recording(other));
  freed(other, memory, last, NULL);
  CHECK_EQ(syclze_graph_get_node_count(graph), 3);
  CHECK_EQ(spy_creations(SPY_MEMORY), before + 1);
  CHECK_EQ(syclze_graph_release(graph), OK);
  CHECK_EQ(spy_destroys_of(memory), 1);
  CHECK_EQ(syclze_release(event, last), OK);
  end(&w);
}

/* An allocation, a fill of zeros and a finalization; what failed has left nothing. */
static bool attempt(long nth, bool of_calls) {
  const syclze_memory_pool_properties zero = {.flags = SYCLZE_MEMORY_POOL_ZERO_INIT};
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  syclze_executable_graph executable = {NULL};
  syclze_memory_pool pool;
  syclze_event event = {NULL};
  void *memory;
  CHECK_EQ(syclze_memory_pool_create(DEVICE, w.all.device, w.all.context, &zero, &pool), OK);
  syclze_graph graph = recording(&w, queue);
  failing_nth(nth, of_calls);
  ze_result_t result = syclze_malloc_async_from_pool(queue, BYTES, pool, &memory, NULL, 0, &event);
  CHECK_EQ(result == OK, memory != NULL && event.rep != NULL);
  if (result == OK) result = syclze_free_async(queue, memory, NULL, 0, NULL);
  if (result == OK) result = syclze_graph_finalize(graph, 0, &executable);
  const bool failed = failing_nth_end(of_calls, w.g.context);
  CHECK(failed || result == OK);
  if (executable.rep == NULL) CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), OK);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), OK);
  run(queue, executable);
  CHECK_EQ(syclze_release(event, executable, graph, pool), OK);
  end(&w);
  return failed;
}

TEST(calls_that_fail_leave_the_graph_as_it_was) { // shows async_memory 23
  given_needs_execution();
  CHECK(failing_each(attempt, true) >= 3);
}

TEST(allocations_that_fail_leave_the_graph_as_it_was) { // shows async_memory 23
  given_needs_execution();
  CHECK(failing_each(attempt, false) >= 3);
}

TEST_MAIN(disjoint_lifetimes_share_memory_on_an_in_order_queue, memory_is_shared_along_edges_only,
    graphs_are_built_with_allocations, one_executable_graph_at_a_time_has_the_memory,
    memory_lasts_until_the_graph_has_run, only_memory_of_the_graph_is_freed_and_once,
    what_a_graph_cannot_allocate_is_refused, a_graph_that_allocates_is_no_node_and_not_updated,
    memory_is_zero_when_the_graph_is_finalized, an_allocation_begins_the_recording_of_its_queue,
    calls_that_fail_leave_the_graph_as_it_was, allocations_that_fail_leave_the_graph_as_it_was)
