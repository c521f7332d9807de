/* Random graphs on several threads, each with its own queues and kernels. */
#include "support/graph_run.h"

#include <pthread.h>

enum { THREADS = 4, GRAPHS = 100 };

struct worker {
  pthread_t thread;
  const struct given *g;
  syclze_context context;
  syclze_kernel_bundle bundle;
  uint64_t seed;
};

static void *work(void *argument) {
  const struct worker *w = argument;
  struct graph_world world;
  graph_world_begin(&world, w->g, w->context, w->bundle);
  for (uint64_t i = 0; i < GRAPHS; i++)
    graph_check(&world, w->seed + i);
  graph_world_end(&world);
  return NULL;
}

TEST(graphs_agree_with_the_model_on_all_threads) {
  struct given g = given();
  given_needs_execution();
  g.module = given_module(&g, "tests/kernels/graph.spv");
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_TRANSFER);
  struct worker workers[THREADS];
  for (uint64_t i = 0; i < THREADS; i++) {
    workers[i] =
        (struct worker){.g = &g, .context = context, .bundle = bundle, .seed = 1000000 * (i + 1)};
    CHECK_EQ(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(workers[i].thread, NULL), 0);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(graphs_agree_with_the_model_on_all_threads)
