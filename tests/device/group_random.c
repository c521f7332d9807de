/* Random graphs of command groups give the results of running their nodes in sequence.

     group_random SEED COUNT runs COUNT graphs from that seed on. */
#include "support/graph_run.h"

enum {
  GRAPHS = 500,
  BLOCK = 500 /* on the same queues; bounds the spy's records */
};

static uint64_t first_seed = 1;
static uint32_t graph_count = GRAPHS;

static void check_block(uint64_t seed, uint32_t count) {
  struct given g = given();
  given_needs_execution();
  g.module = given_module(&g, "tests/kernels/graph.spv");
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_TRANSFER);
  struct graph_world world;
  graph_world_begin(&world, &g, context, bundle);
  for (uint32_t i = 0; i < count; i++)
    graph_check(&world, seed + i);
  graph_world_end(&world);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(graphs_agree_with_the_model) {
  for (uint32_t done = 0; done < graph_count; done += BLOCK)
    check_block(first_seed + done, graph_count - done < BLOCK ? graph_count - done : BLOCK);
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {graphs_agree_with_the_model};
  if (argc == 3) {
    first_seed = strtoull(argv[1], NULL, 0);
    graph_count = (uint32_t)strtoul(argv[2], NULL, 0);
  }
  return check_run_all(cases, 1, "graphs_agree_with_the_model", argc == 2 ? argv[1] : "");
}
