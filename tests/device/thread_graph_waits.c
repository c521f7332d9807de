/* Runs of graphs that wait in a host task, while threads wait for them and the graph is updated.
   The kernels are those of tests/kernels/graph.spv. */
#include "support/refused.h"
#include "support/updated.h"

#include "syclze/command/event_sync.h"
#include "tests/soon.h"

#include <pthread.h>

/* A host task that waits for a gate. */
struct gated {
  ze_event_handle_t gate;
  unsigned begun, ended;
};

static ze_result_t pass(syclze_interop_handle handle, void *argument) {
  struct gated *gated = (struct gated *)argument;
  (void)handle;
  __atomic_fetch_add(&gated->begun, 1, __ATOMIC_RELEASE);
  const ze_result_t result = zeEventHostSynchronize(gated->gate, UINT64_MAX);
  __atomic_fetch_add(&gated->ended, 1, __ATOMIC_RELEASE);
  return result;
}

static unsigned begun(const struct gated *gated) {
  return __atomic_load_n(&gated->begun, __ATOMIC_ACQUIRE);
}

static unsigned ended(const struct gated *gated) {
  return __atomic_load_n(&gated->ended, __ATOMIC_ACQUIRE);
}

static bool is_complete(syclze_event event) {
  syclze_event_status status;
  CHECK_EQ(syclze_event_get_status(event, &status), ZE_RESULT_SUCCESS);
  return status == SYCLZE_EVENT_STATUS_COMPLETE;
}

/* A wait by another thread, and the tasks behind the gate that have ended by its return, and by a
   task behind the run. */
struct wait {
  enum { FOR_EVENT, FOR_QUEUE, FOR_CONSUMER, WAITS } kind;
  syclze_queue queue;
  syclze_event event, consumer;
  const struct gated *gated;
  unsigned seen, seen_behind;
};

static ze_result_t note_ended(syclze_interop_handle handle, void *argument) {
  struct wait *wait = (struct wait *)argument;
  (void)handle;
  wait->seen_behind = ended(wait->gated);
  return ZE_RESULT_SUCCESS;
}

static void *do_wait(void *argument) {
  struct wait *wait = (struct wait *)argument;
  if (wait->kind == FOR_QUEUE)
    CHECK_EQ(syclze_queue_wait(wait->queue), ZE_RESULT_SUCCESS);
  else
    CHECK_EQ(syclze_event_wait(wait->kind == FOR_EVENT ? wait->event : wait->consumer), 0);
  wait->seen = ended(wait->gated);
  return NULL;
}

/* Two parts of a graph end it: a task behind a gate, which is the first node or the last, and a
   launch behind another task. */
static syclze_graph two_ends(
    struct world *w, struct gated *slow, struct gated *fast, bool slow_is_last) {
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(w);
  syclze_event event;
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(queue);
    if ((i == 1) == slow_is_last) {
      CHECK_EQ(syclze_group_host_task(&group, pass, slow, NULL), ZE_RESULT_SUCCESS);
    } else {
      CHECK_EQ(syclze_group_host_task(&group, pass, fast, &event), ZE_RESULT_SUCCESS);
      CHECK_EQ(mix_memory(w, queue, 0, 1, 1, 1, event, NULL), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    }
  }
  return graph;
}

static void wait_for_ends(struct world *w, bool appends) {
  struct gated slow = {0}, fast = {0};
  syclze_event open;
  (void)appends; /* there are host tasks */
  CHECK_EQ(syclze_event_create(w->all.context, 0, &open), ZE_RESULT_SUCCESS);

  fast.gate = syclze_get_native(open);
  CHECK_EQ(zeEventHostSignal(fast.gate), ZE_RESULT_SUCCESS);
  syclze_executable_graph executables[2];
  for (int i = 0; i < 2; i++)
    executables[i] = finalized(two_ends(w, &slow, &fast, i != 0), false);
  for (unsigned i = 0; i < 4 * WAITS; i++) {
    syclze_executable_graph executable = executables[i / WAITS / 2];
    struct wait wait = {.kind = i % WAITS, .gated = &slow};
    syclze_queue other = w->all.queues[OUT_OF_ORDER + 1];
    syclze_event gate;
    pthread_t thread;
    wait.queue = w->all.queues[i / WAITS % 2 != 0 ? OUT_OF_ORDER : IN_ORDER];
    CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
    slow.gate = syclze_get_native(gate);
    CHECK_EQ(syclze_queue_submit_graph(wait.queue, executable, &wait.event), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(other);
    syclze_group_depends_on(&group, wait.event);
    CHECK_EQ(syclze_group_host_task(&group, note_ended, &wait, &wait.consumer), 0);
    CHECK_EQ(pthread_create(&thread, NULL, do_wait, &wait), 0);
    CHECK_SOON(begun(&slow) == i + 1);
    poll(NULL, 0, 5); /* for a wait that returns too soon */
    CHECK(!is_complete(wait.event) && !is_complete(wait.consumer));
    CHECK_EQ(ended(&slow), i);
    CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_EQ(syclze_event_wait(wait.consumer), ZE_RESULT_SUCCESS);
    CHECK_EQ(wait.seen, i + 1);
    CHECK_EQ(wait.seen_behind, i + 1);
    CHECK_EQ(syclze_queue_wait(wait.queue), ZE_RESULT_SUCCESS);
    check_all(w->memory[0], i + 1);
    CHECK_EQ(syclze_release(gate, wait.event, wait.consumer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  }
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_executable_graph_release(executables[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(open), ZE_RESULT_SUCCESS);
}

TEST(waits_for_a_run_are_for_all_that_ends_it) { // shows graph_peers 31
  in_each_way(wait_for_ends);
}

/* A task behind a gate, and a launch behind it. */
static syclze_graph gated_graph(struct world *w, struct gated *gated, int out) {
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, pass, gated, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, out, 1, 1, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  return graph;
}

/* Two runs, an update of all nodes and a run, while the first run waits. Neither the update nor an
   attempt to signal the first run's event ends that run, and the source of the update ends before
   it. */
static void update_behind_gate(struct world *w) {
  static const int queues[] = {IN_ORDER, OUT_OF_ORDER};
  struct gated gated = {0};
  uint32_t expected[3] = {0};
  int used = 0;
  syclze_executable_graph executable = updatable(gated_graph(w, &gated, used));
  for (unsigned round = 0; round < 4; round++, used = 2 - used) {
    syclze_queue queue = w->all.queues[queues[round / 2]], other = w->all.queues[IN_ORDER + 1];
    struct wait wait = {.gated = &gated};
    syclze_event gate, second, third;
    CHECK_EQ(syclze_event_create(w->all.context, 0, &gate), ZE_RESULT_SUCCESS);
    gated.gate = syclze_get_native(gate);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, &wait.event), ZE_RESULT_SUCCESS);
    CHECK_SOON(begun(&gated) == 3 * round + 1);
    syclze_group group = syclze_group_begin(other);
    syclze_group_depends_on(&group, wait.event);
    CHECK_EQ(syclze_group_host_task(&group, note_ended, &wait, &wait.consumer), 0);
    FAILED(syclze_queue_signal_event(other, wait.event, NULL, 0, NULL), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_queue_signal_event", "the library's own", syclze_get_native(other).list);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, &second), ZE_RESULT_SUCCESS);
    syclze_graph graph = gated_graph(w, &gated, 2 - used);
    CHECK_EQ(syclze_executable_graph_update(executable, graph), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, &third), ZE_RESULT_SUCCESS);
    poll(NULL, 0, 5); /* for runs that begin, and events that are signalled, too soon */
    CHECK_EQ(begun(&gated), 3 * round + 1);
    CHECK_EQ(ended(&gated), 3 * round);
    CHECK(!is_complete(wait.event) && !is_complete(wait.consumer));
    CHECK(!is_complete(second) && !is_complete(third));
    CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(third), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(wait.consumer), ZE_RESULT_SUCCESS);
    CHECK(wait.seen_behind > 3 * round);
    CHECK_EQ(begun(&gated), 3 * round + 3);
    expected[used] += 2;
    expected[2 - used] += 1;
    check_all(w->memory[0], expected[0]);
    check_all(w->memory[2], expected[2]);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(gate, wait.event, wait.consumer, second, third), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(an_update_overtakes_no_run_that_waits_in_a_host_task) { // shows graph_peers 41
  in_both_ways(update_behind_gate);
}

TEST_MAIN(
    waits_for_a_run_are_for_all_that_ends_it, an_update_overtakes_no_run_that_waits_in_a_host_task)
