/* Several threads submit one executable graph, build one graph, record graphs of their own, and
   share a kernel.
   The kernels are those of tests/kernels/graph.spv. */
#include "support/recorded.h"

#include "support/mutable_lists.h"
#include "syclze/async_memory.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/command/graph_update.h"
#include "syclze/queue_commands.h"

#include <pthread.h>
#include <stdatomic.h>

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

TEST(threads_submit_one_graph_and_record_others) { // shows graphs 35, graph_peers 36
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

TEST(threads_submit_a_graph_that_another_updates) { // shows graphs 19 24 36, graph_peers 36
  race_updates(false);
  race_updates(true);
}

/* A thread that builds one graph with others, and then has an executable graph of it. */
struct builder {
  pthread_t thread;
  struct world *w;
  syclze_queue queue, shared; /* the second one records while the graph is built */
  syclze_graph graph;
  syclze_event recorded; /* to the graph by a queue that has ended its recording */
  uint32_t *calls;
};

static ze_result_t count_call(syclze_interop_handle handle, void *argument) {
  (void)handle;
  __atomic_fetch_add((uint32_t *)argument, 1, __ATOMIC_RELAXED);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t add_task(syclze_group *group, void *argument) {
  return syclze_group_host_task(group, count_call, argument, NULL);
}

enum { ADDITIONS = 8, ADDED = 4 };

/* A node is added, two are recorded by a queue of the thread and one by that of all. */
static void *build(void *argument) {
  struct builder *builder = argument;
  for (uint32_t i = 0; i < ADDITIONS; i++) {
    const syclze_queue queues[] = {builder->queue, builder->queue, builder->shared};
    CHECK_EQ(syclze_graph_add_node(builder->graph, add_task, builder->calls, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_begin_recording(builder->graph, builder->queue), ZE_RESULT_SUCCESS);
    for (int j = 0; j < 3; j++) {
      syclze_group group = syclze_group_begin(queues[j]);
      CHECK_EQ(add_task(&group, builder->calls), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(syclze_graph_end_recording(builder->graph, builder->queue), ZE_RESULT_SUCCESS);
  }
  return NULL;
}

static void *finalize_and_run(void *argument) {
  struct builder *builder = argument;
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_finalize(builder->graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(builder->queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(builder->queue), ZE_RESULT_SUCCESS);
  return NULL;
}

/* Graphs of the thread's own take the queue of all in turn: one has it, or the call is refused, as
   is what depends on an ended recording. */
static void *contend(void *argument) {
  struct builder *builder = argument;
  for (uint32_t i = 0; i < ADDITIONS; i++) {
    syclze_graph graph = graph_of(builder->w);
    const ze_result_t result = syclze_graph_begin_recording(graph, builder->shared);
    CHECK(result == ZE_RESULT_SUCCESS || result == SYCLZE_RESULT_ERROR_INVALID);
    CHECK_EQ(syclze_queue_submit_barrier_after(builder->shared, &builder->recorded, 1, NULL),
        SYCLZE_RESULT_ERROR_INVALID);
    CHECK_EQ(syclze_graph_end_recording(graph, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  }
  return NULL;
}

static void in_threads(struct builder *builders, void *(*function)(void *)) {
  for (uint32_t i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&builders[i].thread, NULL, function, &builders[i]), 0);
  for (uint32_t i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(builders[i].thread, NULL), 0);
}

TEST(threads_build_one_graph_and_finalize_it) { // shows graph_peers 37
  struct world w = begin();
  struct builder builders[THREADS];
  uint32_t calls = 0, count = 0, roots = 0, before;
  syclze_event recorded;
  const syclze_queue shared = w.all.queues[IN_ORDER];
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_graph graph = graph_of(&w);
  for (uint32_t i = 0; i < THREADS; i++) {
    builders[i] = (struct builder){.w = &w, .shared = shared, .graph = graph, .calls = &calls};
    CHECK_EQ(syclze_queue_create(w.all.context, w.all.device, &in_order, &builders[i].queue), 0);
  }
  CHECK_EQ(syclze_graph_begin_recording(graph, shared), ZE_RESULT_SUCCESS);
  in_threads(builders, build);
  CHECK(syclze_queue_is_recording(shared));
  CHECK_EQ(syclze_graph_end_recording(graph, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  const uint32_t all = THREADS * ADDITIONS * ADDED;
  CHECK_EQ(syclze_graph_get_node_count(graph), all);
  /* Roots: what was added, and the first node of each queue. */
  for (uint32_t i = 0; i < all; i++) {
    uint32_t found = 1;
    CHECK_EQ(syclze_graph_get_predecessors(graph, i, &found, &before), ZE_RESULT_SUCCESS);
    CHECK(found <= 1);
    roots += found == 0;
  }
  CHECK_EQ(roots, THREADS * ADDITIONS + THREADS + 1);
  CHECK_EQ(syclze_graph_get_leaves(graph, &count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, roots);
  in_threads(builders, finalize_and_run);
  CHECK_EQ(calls, THREADS * all);
  CHECK_EQ(syclze_graph_begin_recording(graph, shared), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(shared, &recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, shared), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < THREADS; i++)
    builders[i].recorded = recorded;
  in_threads(builders, contend);
  CHECK(!syclze_queue_is_recording(shared));
  for (uint32_t i = 0; i < THREADS; i++)
    CHECK_EQ(syclze_release(builders[i].queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

struct query {
  syclze_executable_graph executable;
  atomic_bool ends;
};

static void *ask(void *argument) {
  struct query *query = argument;
  while (!atomic_load(&query->ends))
    CHECK_EQ(syclze_executable_graph_get_required_memory_size(query->executable), sizeof(uint32_t));
  return NULL;
}

TEST(the_size_of_the_memory_is_queried_beside_updates) { // shows async_memory 22
  struct world w = begin();
  syclze_queue queue = w.all.queues[IN_ORDER];
  struct query query = {.ends = false};
  syclze_graph graph = graph_of(&w);
  pthread_t thread;
  void *memory;
  mutable_lists_use(true);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(mix_memory(&w, queue, 0, 1, 2, 1, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_malloc_async(queue, ZE_MEMORY_TYPE_DEVICE, sizeof(uint32_t), &memory, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &query.executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(pthread_create(&thread, NULL, ask, &query), 0);
  for (int i = check_repeats(1000); i > 0; i--) {
    const uint32_t number = (uint32_t)i;
    const syclze_argument factor = syclze_argument_value(&number, sizeof number);
    CHECK_EQ(syclze_executable_graph_update_argument(query.executable, 0, 2, &factor),
        ZE_RESULT_SUCCESS);
  }
  atomic_store(&query.ends, true);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(syclze_release(graph, query.executable), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(the_size_of_the_memory_is_queried_beside_updates,
    threads_submit_one_graph_and_record_others, threads_submit_a_graph_that_another_updates,
    threads_build_one_graph_and_finalize_it)
