/* Runs blocks under callgrind: dumps the counters after each, under a name that instructions.awk
   parses. */
#include "bench.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_DUMP_STATS ((void)0)
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

#include <stdio.h>

enum { COUNTED = 1024 };

static ze_result_t count_block(const struct bench_op *op, const struct bench_world *world,
    bench_block *block, const char *side) {
  uint32_t count = op->live != 0 ? op->live : COUNTED;
  char name[256];
  snprintf(name, sizeof name, "%s|%u|%u|%u|%u|%s", side, count, op->budget, op->locked, op->peer,
      op->name);
  BENCH_TRY(block(world, count)); /* warms up the free lists */
  CALLGRIND_DUMP_STATS;
  BENCH_TRY(block(world, count));
  CALLGRIND_DUMP_STATS_AT(name);
  return ZE_RESULT_SUCCESS;
}

ze_result_t bench_count(const struct bench_op *op, const struct bench_world *world) {
  if (!RUNNING_ON_VALGRIND) return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
  BENCH_TRY(count_block(op, world, op->syclze, "syclze"));
  return op->plain != NULL ? count_block(op, world, op->plain, "plain") : ZE_RESULT_SUCCESS;
}
