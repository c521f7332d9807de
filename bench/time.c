/* Times blocks of an operation, syclze and plain Level Zero alternately, so that machine load
   affects both. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdio.h>
#include <time.h>

enum {
  ROUNDS = 201,
  WARM_UP = 20,              /* dropped rounds, at most a tenth */
  BLOCK_NS = 100 * 1000,     /* target duration of a block */
  BLOCK_OPS = 256,           /* and operations in it, whose end it waits for */
  LONG_NS = 2 * 1000 * 1000, /* where they take no longer than this */
  OP_NS = 1000 * 1000 * 1000 /* target duration of all rounds of an operation */
};

/* Nanoseconds per operation. */
struct spread {
  double median, p10, p90;
};

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts the values. */
static struct spread spread_of(double *values, uint32_t count) {
  qsort(values, count, sizeof *values, compare);
  struct spread spread = {values[count / 2], values[count / 10], values[count - 1 - count / 10]};
  return spread;
}

static ze_result_t time_block(
    bench_block *block, const struct bench_world *world, uint32_t count, double *ns) {
  double start = now_ns();
  BENCH_TRY(block(world, count));
  *ns = (now_ns() - start) / count;
  return ZE_RESULT_SUCCESS;
}

static bool is_short(uint32_t count, double ns) {
  return ns * count < BLOCK_NS || (count < BLOCK_OPS && 2 * ns * count < LONG_NS);
}

/* Returns the count at which a block is long enough, and the time of one operation. The first
   block, which creates what the operation uses, is not timed. */
static ze_result_t size_block(
    const struct bench_op *op, const struct bench_world *world, uint32_t *count, double *ns) {
  *count = op->live != 0 ? op->live : 1;
  if (op->live == 0) BENCH_TRY(op->syclze(world, *count));
  BENCH_TRY(time_block(op->syclze, world, *count, ns));
  while (op->live == 0 && is_short(*count, *ns)) {
    *count *= 2;
    BENCH_TRY(time_block(op->syclze, world, *count, ns));
  }
  return ZE_RESULT_SUCCESS;
}

static void print_number(uint32_t number, int width) {
  if (number == 0)
    printf(" %*s", width, "-");
  else
    printf(" %*u", width, number);
}

static void print_spread(const struct spread *spread) {
  printf(" %10.1f %10.1f..%-10.1f", spread->median, spread->p10, spread->p90);
}

void bench_time_heading(void) {
  printf("%-52s %6s %7s %10s %22s %10s %22s %10s\n", "operation", "budget", "peer", "syclze ns",
      "p10..p90         ", "plain ns", "p10..p90         ", "difference");
}

ze_result_t bench_time(const struct bench_op *op, const struct bench_world *world) {
  static double ours[ROUNDS], plain[ROUNDS], difference[ROUNDS];
  uint32_t count, rounds = ROUNDS;
  double ns;
  BENCH_TRY(size_block(op, world, &count, &ns));
  if (ns * count * rounds > OP_NS) rounds = (uint32_t)(OP_NS / (ns * count)) + 3;
  uint32_t warm_up = rounds / 10 < WARM_UP ? rounds / 10 : WARM_UP;
  if (warm_up == 0) warm_up = 1;
  for (uint32_t i = 0; i < rounds; i++) {
    BENCH_TRY(time_block(op->syclze, world, count, &ours[i]));
    plain[i] = 0;
    if (op->plain != NULL) BENCH_TRY(time_block(op->plain, world, count, &plain[i]));
    difference[i] = ours[i] - plain[i];
  }
  uint32_t kept = rounds - warm_up;
  struct spread of_ours = spread_of(ours + warm_up, kept);
  struct spread of_plain = spread_of(plain + warm_up, kept);
  struct spread of_difference = spread_of(difference + warm_up, kept);
  printf("%-52s", op->name);
  print_number(op->budget, 6);
  print_number(op->peer, 7);
  print_spread(&of_ours);
  if (op->plain != NULL)
    print_spread(&of_plain);
  else
    printf(" %10s %22s", "-", "");
  printf(" %10.1f\n", of_difference.median);
  return ZE_RESULT_SUCCESS;
}
