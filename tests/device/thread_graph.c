/* Several threads submit one executable graph, record graphs of their own, and share a kernel.
   The kernels are those of tests/kernels/graph.spv. */
#include "support/recorded.h"

#include "support/mutable_lists.h"
#include "syclze/command/graph_update.h"

#include <pthread.h>

enum { THREADS = 4, RUNS = 60 };

struct thread {
  pthread_t thread;
  struct world *w;
  syclze_queue queue;
  syclze_executable_graph shared;
  bool appends;
  uint32_t own; /* index of the memory that its own graph changes; 0 for none */
};

/* x = x * 3 + addend. */
static ze_result_t step(struct world *w, syclze_queue queue, int memory, uint32_t addend) {
  const uint32_t factor = 3;
  syclze_group group = syclze_group_begin(queue);
  return syclze_launch(&group, w->all.set, &items, NULL, syclze_arg(w->memory[memory]),
      syclze_arg(factor), syclze_arg(addend));
}

static void *submit(void *argument) {
  struct thread *thread = argument;
  for (int i = 0; i < RUNS; i++) {
    syclze_event event;
    const bool waits = i % 16 == 15;
    CHECK_EQ(syclze_queue_submit_graph(thread->queue, thread->shared, waits ? &event : NULL),
        ZE_RESULT_SUCCESS);
    if (!waits) continue;
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_executable_graph_release(thread->shared), ZE_RESULT_SUCCESS);
  return NULL;
}

static void *record(void *argument) {
  struct thread *thread = argument;
  for (int i = 0; i < RUNS / 10; i++) {
    syclze_graph graph = graph_of(thread->w);
    CHECK_EQ(syclze_graph_begin_recording(graph, thread->queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(step(thread->w, thread->queue, (int)thread->own, 5), ZE_RESULT_SUCCESS);
    CHECK_EQ(step(thread->w, thread->queue, (int)thread->own, 7), ZE_RESULT_SUCCESS);
    syclze_executable_graph executable = finalized(graph, thread->appends);
    CHECK_EQ(syclze_queue_submit_graph(thread->queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  }
  return NULL;
}

static void race(struct world *w, bool appends) {
  struct thread threads[THREADS];
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 0, 1, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, queue, 0, 0, 2, 3, none, NULL), ZE_RESULT_SUCCESS);
  syclze_executable_graph shared = finalized(graph, appends);
  for (uint32_t i = 0; i < THREADS; i++) {
    const bool records = i >= 2;
    threads[i] =
        (struct thread){.w = w, .queue = w->all.queues[i], .shared = shared, .appends = appends};
    threads[i].own = records ? i - 1 : 0;
    if (!records) CHECK_EQ(syclze_executable_graph_retain(shared), ZE_RESULT_SUCCESS);
    CHECK_EQ(pthread_create(&threads[i].thread, NULL, records ? record : submit, &threads[i]), 0);
  }
  CHECK_EQ(syclze_executable_graph_release(shared), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i].thread, NULL), 0);
  for (uint32_t i = 0; i < THREADS; i++)
    CHECK_EQ(syclze_queue_wait(w->all.queues[i]), ZE_RESULT_SUCCESS);
  uint32_t x = 0;
  for (int i = 0; i < 2 * RUNS; i++)
    x = x + x + 1, x = x * 2 + x + 3;
  check_all(w->memory[0], x);
  for (uint32_t i = 0; i < ITEMS; i++) {
    CHECK_EQ(w->memory[1][i], i * 3 + 7);
    CHECK_EQ(w->memory[2][i], i * 3 + 7);
  }
  await_unused(w->all.mix);
  await_unused(w->all.set);
}

TEST(threads_submit_one_graph_and_record_others) { // shows graphs 35
  in_each_way(race);
}

enum { LEAST = 3, MOST = 5 }; /* addends of a run: one of the two */

struct updater {
  pthread_t thread;
  struct world *w;
  syclze_executable_graph graph;
  syclze_graph others[2]; /* of two kernels */
  uint32_t ended;
};

/* Updates an argument or the kernel, beside launches of the kernel by the thread itself. */
static void *update(void *argument) {
  struct updater *updater = argument;
  syclze_queue queue = updater->w->all.queues[1];
  for (uint32_t i = 0; __atomic_load_n(&updater->ended, __ATOMIC_ACQUIRE) == 0; i++) {
    const uint32_t addend = i % 2 != 0 ? LEAST : MOST;
    const syclze_argument value = syclze_argument_value(&addend, sizeof addend);
    CHECK_EQ(
        syclze_executable_graph_update_argument(updater->graph, 0, 3, &value), ZE_RESULT_SUCCESS);
    if (i % 4 == 3) {
      CHECK_EQ(
          syclze_executable_graph_update_node(updater->graph, 0, updater->others[i / 4 % 2], 0),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(mix_memory(updater->w, queue, 2, 1, 1, 0, none, NULL), ZE_RESULT_SUCCESS);
    }
    sched_yield();
  }
  return NULL;
}

static syclze_graph graph_with(struct world *w, uint32_t addend) {
  syclze_graph graph = graph_of(w);
  CHECK_EQ(syclze_graph_begin_recording(graph, w->all.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(w, w->all.queues[0], 0, 1, 1, addend, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, w->all.queues[0]), ZE_RESULT_SUCCESS);
  return graph;
}

static void race_updates(bool are_mutable) {
  struct world w = begin();
  mutable_lists_use(are_mutable);
  struct thread threads[2];
  struct updater updater = {.w = &w, .ended = 0};
  const syclze_kernel mix = w.all.mix;
  CHECK_EQ(syclze_kernel_create(w.bundle, "graph_mix", &w.all.mix), ZE_RESULT_SUCCESS);
  updater.others[0] = graph_with(&w, MOST);
  const syclze_kernel other = w.all.mix;
  w.all.mix = mix;
  updater.others[1] = graph_with(&w, LEAST);
  CHECK_EQ(syclze_graph_finalize(updater.others[1], SYCLZE_GRAPH_UPDATABLE, &updater.graph),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(pthread_create(&updater.thread, NULL, update, &updater), 0);
  for (uint32_t i = 0; i < 2; i++) {
    threads[i] = (struct thread){.w = &w, .queue = w.all.queues[2 * i], .shared = updater.graph};
    CHECK_EQ(syclze_executable_graph_retain(updater.graph), ZE_RESULT_SUCCESS);
    CHECK_EQ(pthread_create(&threads[i].thread, NULL, submit, &threads[i]), 0);
  }
  for (uint32_t i = 0; i < 2; i++)
    CHECK_EQ(pthread_join(threads[i].thread, NULL), 0);
  __atomic_store_n(&updater.ended, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(updater.thread, NULL), 0);
  for (uint32_t i = 0; i < 3; i++)
    CHECK_EQ(syclze_queue_wait(w.all.queues[i]), ZE_RESULT_SUCCESS);
  const uint32_t sum = w.memory[0][0];
  CHECK(sum >= 2 * RUNS * LEAST && sum <= 2 * RUNS * MOST && sum % 2 == 0);
  check_all(w.memory[0], sum);
  CHECK_EQ(syclze_executable_graph_release(updater.graph), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 2; i++)
    CHECK_EQ(syclze_graph_release(updater.others[i]), ZE_RESULT_SUCCESS);
  await_unused(other);
  CHECK_EQ(syclze_kernel_release(other), ZE_RESULT_SUCCESS);
  await_unused(mix);
  end(&w);
}

TEST(threads_submit_a_graph_that_another_updates) { // shows graphs 19 24 36
  race_updates(false);
  race_updates(true);
}

TEST_MAIN(threads_submit_one_graph_and_record_others, threads_submit_a_graph_that_another_updates)
