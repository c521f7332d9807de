/* Updates of nodes by others: on mutable lists, and on lists that are recorded anew. The kernels
   are those of tests/kernels/graph.spv. */
#include "support/failing.h"
#include "support/refused.h"
#include "support/spy.h"

#include "support/updated.h"

#include "syclze/command/graph_nodes.h"
#include "syclze/command/host_accessor.h"
#include "tests/soon.h"

static const char update_node[] = "syclze_executable_graph_update_node";

static ze_result_t add(syclze_interop_handle handle, void *argument) {
  (void)handle;
  ++*(uint32_t *)argument;
  return ZE_RESULT_SUCCESS;
}

enum { MIX, SET, SUM, LOCAL, LAUNCHES, FILL = LAUNCHES, TASK, BARRIER, ALTERNATIVES };

/* Launches of four kernels, a fill, a host task and a barrier. */
static syclze_graph alternatives(struct world *w, uint32_t *calls) {
  static const struct { uint32_t factor, addend; } values = {6, 7};
  static const uint32_t two = 2, three = 3;
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.set, &items, NULL, syclze_arg(w->memory[0]),
               syclze_arg(two), syclze_arg(three)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  syclze_accessor y = syclze_require(&group, w->buffers[0], SYCLZE_ACCESS_READ_WRITE);
  syclze_accessor x = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_launch(&group, w->all.sum, &items, NULL, syclze_arg(y), syclze_arg(x),
               syclze_arg(x), syclze_arg(three)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.local, &items, NULL, syclze_arg(w->memory[0]),
               syclze_arg(w->memory[2]), syclze_arg(values), syclze_local(8 * sizeof(uint32_t))),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(w->memory[0]), &two, sizeof two, ITEMS * sizeof two, NULL),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, add, calls, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), ALTERNATIVES);
  return graph;
}

/* The launch's result for 1 at the index, if the third memory has 4. */
static uint32_t made_of_one(uint32_t launch, uint32_t i) {
  static const uint32_t made[] = {1 * 2 + 1, 0, 4 * 3 + 4, 1 * 6 + 4 + 7};
  return launch == SET ? i * 2 + 3 : made[launch];
}

/* A launch of each kernel by one of each, between two others of the graph. */
static void replace_kernels(struct world *w) {
  uint32_t calls = 0;
  syclze_graph others = alternatives(w, &calls), graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  for (uint32_t i = 0; i < ITEMS; i++)
    w->memory[2][i] = 4;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 1, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 1, 50, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 1, 10, 1, none, NULL), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = updatable(graph);
  for (uint32_t step = 0; step < LAUNCHES * LAUNCHES; step++) {
    const uint32_t launch = step % 2 == 0 ? step / LAUNCHES : step % LAUNCHES;
    CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, launch), ZE_RESULT_SUCCESS);
    run(w, executable);
    for (uint32_t i = 0; i < ITEMS; i++)
      CHECK_EQ(w->memory[0][i], made_of_one(launch, i) * 10 + 1);
  }
  /* The arguments of the other kernel are updated. */
  const uint32_t nine = 9;
  const syclze_argument value = syclze_argument_value(&nine, sizeof nine);
  CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, SET), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_argument(executable, 1, 2, &value), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  run(w, executable);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], (i * 2 + 9) * 10 + 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_launch_is_replaced_by_one_of_another_kernel) { // shows graphs 21, graph_peers 45
  in_all_ways(replace_kernels);
}

enum { RUNS = 1000 };

static void check_replaced(struct world *w, uint32_t launch, uint32_t x) {
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[0][i], (launch == SET ? i * 2 + 3 : x) * 3 + 40);
}

/* Replaces the second of three launches, by one of a kernel of the alternatives or by the only node
   of another graph, and runs the graph: (x * 2 + 10) * 2 + 1, or i * 2 + 3. */
static void run_replaced(
    struct world *w, syclze_executable_graph executable, syclze_graph others, uint32_t launch) {
  const uint32_t by = launch < syclze_graph_get_node_count(others) ? launch : 0;
  CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, by), ZE_RESULT_SUCCESS);
  run(w, executable);
  check_replaced(w, launch, 10 * 2 + 1);
}

/* The list is recorded once for each kernel that it has not had. */
TEST(a_kernel_that_a_launch_had_is_an_update_of_its_list) { // shows graphs 36
  struct world w = begin();
  uint32_t calls = 0;
  mutable_lists_use(true);
  syclze_graph others = alternatives(&w, &calls);
  syclze_executable_graph executable = three(&w);
  run_replaced(&w, executable, others, SET);
  CHECK_EQ(mutable_lists.commands, 3 + 3);
  const unsigned lists = spy_creations(SPY_LIST), made = mutable_lists.commands;
  for (uint32_t i = 0; i < RUNS; i++)
    run_replaced(&w, executable, others, i % 2 == 0 ? MIX : SET);
  CHECK_EQ(mutable_lists.kernels, RUNS);
  CHECK_EQ(mutable_lists.updates, RUNS);
  CHECK_EQ(mutable_lists.commands, made);
  CHECK_EQ(spy_creations(SPY_LIST), lists);
  /* After a refused update the list is recorded anew. */
  mutable_lists.of_kernels = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  for (uint32_t i = 0; i < 4; i++)
    run_replaced(&w, executable, others, i % 2 == 0 ? MIX : SET);
  CHECK_EQ(mutable_lists.commands, made + 4 * 3);
  mutable_lists.of_kernels = ZE_RESULT_SUCCESS;
  mutable_lists.failure = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  run_replaced(&w, executable, others, MIX);
  CHECK_EQ(mutable_lists.commands, made + 5 * 3);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  finish(&w);
}

/* No run is waited for; the first waits for a gate, or not. */
static void replace_each_run(struct world *w, syclze_queue queue, bool waits) {
  uint32_t calls = 0, x[ITEMS] = {0};
  syclze_graph others = alternatives(w, &calls);
  syclze_executable_graph executable = three(w);
  const bool is_list = queue.rep->native.kind == SYCLZE_NATIVE_QUEUE_LIST;
  const unsigned lists = spy_creations(SPY_LIST);
  syclze_event gate;
  memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < RUNS / 4; i++) {
    const uint32_t launch = i % 3 == 0 ? MIX : i % 3 == 1 ? SET : SUM;
    syclze_group group = syclze_group_begin(queue);
    if (i == 0 && waits) syclze_group_depends_on(&group, gate);
    CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, launch), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_group_execute_graph(&group, executable, NULL), ZE_RESULT_SUCCESS);
    for (uint32_t j = 0; j < ITEMS; j++) {
      x[j] = x[j] * 2 + 10;
      x[j] = launch == MIX ? x[j] * 2 + 1 : launch == SET ? j * 2 + 3 : w->memory[2][j] * 4;
      x[j] = x[j] * 3 + 40;
    }
  }
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t j = 0; j < ITEMS; j++)
    CHECK_EQ(w->memory[0][j], x[j]);
  if (is_list) CHECK(spy_creations(SPY_LIST) - lists <= SYCLZE__BUILDS);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
}

static void replace_pending(struct world *w) {
  static const int queues[] = {IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE};
  for (uint32_t i = 0; i < ITEMS; i++)
    w->memory[2][i] = 4 + i;
  for (int i = 0; i < 6; i++)
    replace_each_run(w, w->all.queues[queues[i / 2]], i % 2 != 0);
}

TEST(runs_of_other_kernels_share_few_lists) { // shows graphs 22 36
  in_all_ways(replace_pending);
}

/* The launches that are recorded for bursts of pending runs, each of which has another kernel than
   the one before, or another node of the only one. */
static unsigned recorded_in_bursts(struct world *w, uint32_t size, uint32_t kernels) {
  static const uint32_t launches[] = {MIX, SET, LOCAL}; /* with the same accesses */
  uint32_t calls = 0, launch = 0;
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph others[] = {alternatives(w, &calls), alternatives(w, &calls)};
  syclze_executable_graph executable = three(w);
  const unsigned before = mutable_lists.commands;
  for (uint32_t i = 0; i < RUNS / 10; i++) {
    syclze_event gate;
    CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
    memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
    for (uint32_t j = 0; j < size; j++) {
      syclze_group group = syclze_group_begin(queue);
      if (j == 0) syclze_group_depends_on(&group, gate);
      launch = (launch + 1) % (2 * kernels);
      CHECK_EQ(syclze_executable_graph_update_node(
                   executable, 1, others[launch / kernels], launches[launch % kernels]),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_group_execute_graph(&group, executable, NULL), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  }
  const unsigned recorded = mutable_lists.commands - before;
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_graph_release(others[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  return recorded;
}

TEST(bursts_of_other_kernels_are_recorded_as_seldom_as_those_of_one) { // shows graphs 36
  struct world w = begin();
  mutable_lists_use(true);
  for (uint32_t size = 1; size <= SYCLZE__BUILDS; size++) {
    const unsigned most = recorded_in_bursts(&w, size, 1);
    for (uint32_t kernels = 2; kernels <= 3; kernels++)
      CHECK(recorded_in_bursts(&w, size, kernels) <= most + RUNS / 20);
  }
  finish(&w);
}

/* A node of a kernel of its own, which `arguments` are none of. */
static syclze_graph one_of(struct world *w, syclze_kernel kernel, uint32_t factor, bool is_set) {
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  const uint32_t addend = 3;
  const syclze_argument arguments[] = {
      syclze_arg(w->memory[0]), syclze_arg(factor), syclze_arg(addend)};
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_group_launch(&group, kernel, &items, is_set ? arguments : NULL, is_set ? 3 : 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  return graph;
}

/* Of more kernels than a list is given, it has the newest; it keeps them alive. */
TEST(a_list_is_given_the_newest_kernels) { // shows graphs 36
  enum { KERNELS = SYCLZE__MUTABLE_KERNELS };
  struct world w = begin();
  mutable_lists_use(true);
  syclze_graph graphs[KERNELS + 1];
  syclze_executable_graph executable = three(&w);
  const unsigned kernels = spy_alive(SPY_KERNEL);
  for (uint32_t i = 0; i <= KERNELS; i++) {
    syclze_kernel kernel;
    CHECK_EQ(syclze_kernel_create(w.bundle, "graph_set", &kernel), ZE_RESULT_SUCCESS);
    graphs[i] = one_of(&w, kernel, 2, true);
    CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  }
  /* The first is that of the recorded launch. */
  for (uint32_t i = 0; i < 4 * (KERNELS - 1); i++) {
    run_replaced(&w, executable, graphs[i % (KERNELS - 1)], SET);
    CHECK_EQ(mutable_lists.commands, 3 * (i < KERNELS - 1 ? i + 2 : KERNELS));
  }
  const unsigned made = mutable_lists.commands;
  for (uint32_t i = 0; i <= KERNELS; i++)
    run_replaced(&w, executable, graphs[i], SET);
  CHECK_EQ(mutable_lists.commands, made + 2 * 3);
  for (uint32_t i = 0; i <= KERNELS; i++)
    CHECK_EQ(syclze_graph_release(graphs[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_KERNEL), kernels + KERNELS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_SOON(spy_alive(SPY_KERNEL) == kernels);
  finish(&w);
}

/* What the application has set in a native kernel is no argument that a list could be given. */
TEST(arguments_of_a_native_kernel_are_recorded_anew) { // shows graphs 36
  struct world w = begin();
  uint32_t calls = 0;
  const uint32_t factor = 2, addend = 3;
  mutable_lists_use(true);
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(w.bundle, "graph_set", &kernel), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t native = syclze_get_native(kernel);
  CHECK_EQ(zeKernelSetArgumentValue(native, 0, sizeof(void *), &w.memory[0]), 0);
  CHECK_EQ(zeKernelSetArgumentValue(native, 1, sizeof factor, &factor), 0);
  CHECK_EQ(zeKernelSetArgumentValue(native, 2, sizeof addend, &addend), 0);
  syclze_graph others = alternatives(&w, &calls), set = one_of(&w, kernel, 0, false);
  syclze_executable_graph executable = three(&w);
  for (uint32_t i = 0; i < 4; i++) {
    run_replaced(&w, executable, set, SET);
    CHECK_EQ(mutable_lists.commands, 3 * (i + 2));
    run_replaced(&w, executable, others, MIX);
    CHECK_EQ(mutable_lists.kernels, i + 1);
  }
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  finish(&w);
}

/* Each driver call and each allocation of two updates and the submissions after them fails once:
 * of a list that is recorded with another kernel, and then updated to the first. */
static bool fails(struct world *w, bool allocation, unsigned n) {
  uint32_t calls = 0, seen = MIX;
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph others = alternatives(w, &calls);
  const unsigned lists = spy_alive(SPY_LIST), kernels = spy_alive(SPY_KERNEL);
  syclze_executable_graph executable = three(w);
  run_replaced(w, executable, others, MIX);
  if (allocation)
    failing_at(n);
  else
    spy_fail_at(n, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t launch = i == 0 ? SET : MIX;
    memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
    if (syclze_executable_graph_update_node(executable, 1, others, launch) == ZE_RESULT_SUCCESS)
      seen = launch;
    if (syclze_queue_submit_graph(queue, executable, NULL) != ZE_RESULT_SUCCESS) continue;
    while (syclze_queue_wait(queue) != ZE_RESULT_SUCCESS)
      continue;
    check_replaced(w, seen, 10 * 2 + 1);
  }
  const char *call = spy_failed_call();
  const bool failed = failing_end() || call != NULL;
  const bool keeps_list = call != NULL && strcmp(call, "zeCommandListDestroy") == 0;
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 3; i++)
    run_replaced(w, executable, others, i % 2 == 0 ? SET : MIX);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_SOON(spy_alive(SPY_LIST) == lists + keeps_list);
  if (keeps_list) CHECK_EQ(zeCommandListDestroy(spy_survivor(SPY_LIST)), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_KERNEL), kernels);
  return failed;
}

static void sweep(struct world *w) {
  for (int allocation = 0; allocation < 2; allocation++) {
    unsigned n = 1;
    while (fails(w, allocation != 0, n))
      n++;
    CHECK(n > (allocation != 0 ? 2 : 8));
  }
}

TEST(every_call_and_allocation_of_an_update_of_a_kernel_may_fail) { // shows graphs 24 36
  in_all_ways(sweep);
}

/* Runs before the update have the kernel of then, and the graph waits for what the new one
   accesses, as later work waits for it. */
static void replace_behind_gate(struct world *w) {
  uint32_t calls = 0;
  syclze_graph others = alternatives(w, &calls);
  syclze_executable_graph executable = three(w);
  syclze_queue queue = w->all.queues[OUT_OF_ORDER], other = w->all.queues[OUT_OF_ORDER + 1];
  const uint32_t four = 4;
  syclze_event gate;
  memset(w->memory[0], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph_after(queue, executable, &gate, 1, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, SUM), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(other);
  syclze_accessor x = syclze_require(&group, w->buffers[2], SYCLZE_ACCESS_READ_WRITE);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_launch(&group, w->all.mix, &items, NULL, syclze_arg(x), syclze_arg(w->memory[1]),
               syclze_arg(four), syclze_arg(four)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  check_all(w->memory[0], 0);
  memset(w->memory[2], 0, ITEMS * sizeof(uint32_t));
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  uint32_t seen[ITEMS]; /* by the accessor alone */
  CHECK_EQ(syclze_buffer_read(w->buffers[0], seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  check_all(seen, (4 * 3 + 4) * 3 + 40);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_wait(w->all.queues[OUT_OF_ORDER + i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
}

TEST(a_replaced_kernel_has_its_dependencies) { // shows graphs 21, graph_peers 46
  in_both_ways(replace_behind_gate);
}

/* Nodes that are no launches, by others of their type. */
static void replace_others(struct world *w) {
  uint32_t calls[2] = {0};
  syclze_graph graph = alternatives(w, &calls[0]), others = alternatives(w, &calls[1]);
  syclze_queue queue = w->all.queues[IN_ORDER];
  const uint32_t eight = 8;
  CHECK_EQ(syclze_graph_begin_recording(others, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(w->memory[1]), &eight, sizeof eight,
               ITEMS * sizeof eight, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(others, queue), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_add_edge(graph, FILL, BARRIER), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_node(executable, FILL, others, ALTERNATIVES),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_update_node(executable, TASK, others, TASK), ZE_RESULT_SUCCESS);
  run(w, executable);
  check_all(w->memory[1], eight);
  CHECK_EQ(calls[0], 0);
  CHECK_EQ(calls[1], 1);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
}

TEST(fills_and_host_tasks_are_replaced) { // shows graphs 21, graph_peers 47
  in_both_ways(replace_others);
}

static syclze_graph tasks_of(struct world *w, uint32_t *first, uint32_t *second) {
  syclze_graph graph = graph_of(w);
  syclze_queue queue = w->all.queues[IN_ORDER];
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, add, first, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, add, second, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  return graph;
}

/* One node in place of two, and then another in place of the second. */
static void replace_tasks(struct world *w) {
  uint32_t calls[3] = {0};
  syclze_graph others = tasks_of(w, &calls[0], &calls[1]);
  syclze_executable_graph executable = updatable(tasks_of(w, &calls[2], &calls[2]));
  for (uint32_t node = 0; node < 2; node++)
    CHECK_EQ(syclze_executable_graph_update_node(executable, node, others, 0), ZE_RESULT_SUCCESS);
  run(w, executable);
  CHECK_EQ(calls[0], 2);
  CHECK_EQ(syclze_executable_graph_update_node(executable, 1, others, 1), ZE_RESULT_SUCCESS);
  run(w, executable);
  CHECK_EQ(calls[0], 3);
  CHECK_EQ(calls[1], 1);
  CHECK_EQ(calls[2], 0);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(others), ZE_RESULT_SUCCESS);
}

TEST(a_host_task_in_two_places_is_replaced_in_one) { // shows graphs 21
  in_both_ways(replace_tasks);
}

static void refuse_nodes(struct world *w) {
  uint32_t calls = 0;
  const void *native = syclze_get_native(w->all.context);
  syclze_graph graph = alternatives(w, &calls);
  syclze_executable_graph executable, constant, absent = {NULL};
  CHECK_EQ(syclze_graph_finalize(graph, 0, &constant), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  for (uint32_t node = 0; node < ALTERNATIVES; node++)
    for (uint32_t by = 0; by < ALTERNATIVES; by++)
      if (node == by || (node < LAUNCHES && by < LAUNCHES))
        CHECK_EQ(
            syclze_executable_graph_update_node(executable, node, graph, by), ZE_RESULT_SUCCESS);
      else
        FAILED(syclze_executable_graph_update_node(executable, node, graph, by),
            SYCLZE_RESULT_ERROR_INVALID, update_node, "of one type", native);
  FAILED(syclze_executable_graph_update_node(executable, ALTERNATIVES, graph, 0),
      SYCLZE_RESULT_ERROR_INVALID, update_node, "no such node", native);
  FAILED(syclze_executable_graph_update_node(executable, 0, graph, ALTERNATIVES),
      SYCLZE_RESULT_ERROR_INVALID, update_node, "no such node", native);
  FAILED(syclze_executable_graph_update_node(constant, 0, graph, 0), SYCLZE_RESULT_ERROR_INVALID,
      update_node, "SYCLZE_GRAPH_UPDATABLE", native);
  FAILED(syclze_executable_graph_update_node(absent, 0, graph, 0),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, update_node, "null", NULL);
  FAILED(syclze_executable_graph_update_node(executable, 0, (syclze_graph){NULL}, 0),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, update_node, "null", native);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(constant), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
}

TEST(a_node_is_replaced_by_one_of_its_type) { // shows graphs 21, graph_peers 50
  in_both_ways(refuse_nodes);
}

TEST_MAIN(a_launch_is_replaced_by_one_of_another_kernel,
    a_kernel_that_a_launch_had_is_an_update_of_its_list, runs_of_other_kernels_share_few_lists,
    a_list_is_given_the_newest_kernels, arguments_of_a_native_kernel_are_recorded_anew,
    bursts_of_other_kernels_are_recorded_as_seldom_as_those_of_one,
    every_call_and_allocation_of_an_update_of_a_kernel_may_fail,
    a_replaced_kernel_has_its_dependencies, fills_and_host_tasks_are_replaced,
    a_host_task_in_two_places_is_replaced_in_one, a_node_is_replaced_by_one_of_its_type)
