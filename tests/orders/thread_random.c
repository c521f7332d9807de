#define _POSIX_C_SOURCE 200809L
/* Random graphs of command groups on the strict device: see support/random_world.h. Every second
   pair of seeds has counter-based events.

   SEED=n begins with that seed, COUNT=n makes so many submissions or a few more, GRAPHS_THREADS=n
   uses so many threads in each graph, up to 16, else 1 to 8. ThreadSanitizer sees what is not ordered
   wherever it runs, and needs fewer. */
#include "support/random_world.h"

#ifdef __SANITIZE_THREAD__
enum { SUBMISSIONS = 10000 };
#else
enum { SUBMISSIONS = 30000 };
#endif
enum { USUAL_THREADS = 8, GRAPHS_OF_MANY = 4 };

struct run {
  struct random_world *world;
  uint32_t index;
  pthread_t thread;
};

static void *run_thread(void *argument) {
  const struct run *run = argument;
  random_thread(run->world, run->index);
  return NULL;
}

static uint64_t number_of(const char *variable, uint64_t otherwise) {
  const char *value = getenv(variable);
  return value != NULL ? strtoull(value, NULL, 0) : otherwise;
}

static uint64_t graph(uint64_t seed, uint32_t threads) {
  struct random_world *world = malloc(sizeof *world);
  struct run runs[THREADS];
  CHECK(world != NULL);
  strict_begin(seed, STRICT_RANDOM);
  /* Older drivers do not answer. */
  if (seed % 2 != 0)
    strict_fail_named("zeCommandListImmediateGetFlags", ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  setenv("SYCLZE_COUNTED_EVENTS", seed / 2 % 2 != 0 ? "1" : "0", 1);
  random_world_begin(world, seed, threads);
  for (uint32_t i = 0; i < threads; i++) {
    runs[i] = (struct run){.world = world, .index = i};
    CHECK_EQ(pthread_create(&runs[i].thread, NULL, run_thread, &runs[i]), 0);
  }
  for (uint32_t i = 0; i < threads; i++)
    CHECK_EQ(pthread_join(runs[i].thread, NULL), 0);
  if (!random_world_end(world))
    check_fail(__FILE__, __LINE__, "seed %llu, %u threads", (unsigned long long)seed, threads);
  strict_end();
  free(world);
  return (uint64_t)threads * NODES;
}

// shows graph_peers 11 41 45 48
TEST(graphs_stand_in_a_sequential_order) { // shows promises 1 4 40, host_data 27, graphs 8 9
  const uint64_t count = number_of("COUNT", SUBMISSIONS), fixed = number_of("GRAPHS_THREADS", 0);
  uint64_t seed = number_of("SEED", 1), done = 0;
  const uint64_t first = seed;
  for (; done < count; seed++) {
    const uint32_t threads = fixed != 0 ? (uint32_t)fixed : 1 + (uint32_t)(seed % USUAL_THREADS);
    done += graph(seed, threads);
  }
  printf("seeds %llu to %llu: %llu submissions\n", (unsigned long long)first,
      (unsigned long long)seed - 1, (unsigned long long)done);
}

/* One of each kind of graph. More threads than processors, as a rule. */
TEST(graphs_of_sixteen_threads_stand_in_one_too) {
  const uint64_t seed = number_of("SEED", 1);
  for (uint64_t i = 0; i < GRAPHS_OF_MANY; i++)
    graph(seed + i, THREADS);
}

TEST_MAIN(graphs_stand_in_a_sequential_order, graphs_of_sixteen_threads_stand_in_one_too)
