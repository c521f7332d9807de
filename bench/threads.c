/* Scaling over threads: nanoseconds for each operation of one thread at 1, 2, 4, ... threads, and
   the efficiency: throughput of n threads over n times that of one, and over that of malloc + free.
   Then the operations that have less than four fifths of that, and those of which more threads do
   fewer in all. Each thread has its own queue, kernels, buffers and events, and a processor; the
   context is common to all or its own.

       threads MODULE.spv MOST-THREADS

   In each round all threads run malloc + free, and then the operation: what disturbs either, such
   as a processor that shares its core, disturbs both. What a thread takes depends on where its
   memory lies, so as many threads are measured at each width: one after the other, two at once, and
   so on; figures are the means of all of them. */
#define _GNU_SOURCE /* the affinity of threads */

#include "thread_operations.h"
#include "timing.h"

#include <pthread.h>
#include <sched.h>

enum {
  THREADS = 128,
  WIDTHS = 8,      /* powers of two up to them */
  OPERATIONS = 64, /* at most */
  ROUNDS = 7       /* after one more that warms up */
};

static pthread_barrier_t gate;
static struct worker workers[THREADS];

struct figure {
  double nanoseconds, mallocs; /* of one operation, and of one malloc + free beside it */
};

/* The operation of the threads, and the results of each: medians of its rounds. */
static struct {
  const struct operation *operation;
  long count, mallocs;
  struct figure of[THREADS];
} measured;

/* After all threads of the group are at the same place. */
static double timed(struct worker *worker, repeat *run, long count) {
  pthread_barrier_wait(&gate);
  const double begin = now_ns();
  run(worker, count);
  return (now_ns() - begin) / (double)count;
}

/* The median; sorts the values. */
static double median(double *values) {
  qsort(values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

static void *work(void *argument) {
  struct worker *worker = (struct worker *)argument;
  double nanoseconds[ROUNDS], mallocs[ROUNDS];
  for (int round = -1; round < ROUNDS; round++) {
    const double each_malloc = timed(worker, malloc_and_free, measured.mallocs);
    const double each = timed(worker, measured.operation->run, measured.count);
    if (round < 0) continue;
    nanoseconds[round] = each;
    mallocs[round] = each_malloc;
  }
  const struct figure figure = {median(nanoseconds), median(mallocs)};
  measured.of[worker - workers] = figure;
  return NULL;
}

/* The number of operations in a round, which must not take long on a slow device. */
static long count_of(repeat *run, double nanoseconds) {
  enum { FIRST = 256 };
  run(&workers[0], FIRST);
  const double begin = now_ns();
  run(&workers[0], FIRST);
  const double fits = nanoseconds / ((now_ns() - begin) / (double)FIRST);
  return fits > (double)FIRST ? (long)fits : FIRST;
}

/* A thread keeps to one of the processors that the program may use. */
static void start(pthread_t *id, int thread) {
  cpu_set_t may, one_of_them;
  size_t at = 0;
  if (pthread_create(id, NULL, work, &workers[thread]) != 0) exit(1);
  if (sched_getaffinity(0, sizeof may, &may) != 0 || CPU_COUNT(&may) == 0) return;
  int left = thread % CPU_COUNT(&may);
  while (!CPU_ISSET(at, &may) || left-- > 0)
    at++;
  CPU_ZERO(&one_of_them);
  CPU_SET(at, &one_of_them);
  pthread_setaffinity_np(*id, sizeof one_of_them, &one_of_them);
}

/* One group of threads after the other, until `most` have run. */
static struct figure measure(const struct operation *operation, int threads, int most) {
  enum { ROUND = 5000000, MALLOCS = ROUND / 2 };
  const int groups = most / threads;
  struct figure mean = {0, 0};
  pthread_t ids[THREADS];
  measured.operation = operation;
  measured.count = count_of(operation->run, ROUND);
  measured.mallocs = count_of(malloc_and_free, MALLOCS);
  pthread_barrier_init(&gate, NULL, (unsigned)threads);
  for (int group = 0; group < groups; group++) {
    const int first = group * threads;
    for (int i = first; i < first + threads; i++)
      start(&ids[i], i);
    for (int i = first; i < first + threads; i++)
      pthread_join(ids[i], NULL);
  }
  pthread_barrier_destroy(&gate);
  for (int i = 0; i < groups * threads; i++) {
    mean.nanoseconds += measured.of[i].nanoseconds / (groups * threads);
    mean.mallocs += measured.of[i].mallocs / (groups * threads);
  }
  return mean;
}

static struct figure figures[OPERATIONS][WIDTHS];

/* The fraction of one thread's rate that remains with 2^width threads. */
static double efficiency(size_t operation, int width) {
  return figures[operation][0].nanoseconds / figures[operation][width].nanoseconds;
}

/* The efficiency relative to that of malloc + free in the same rounds. */
static double relative(size_t operation, int width) {
  return efficiency(operation, width) * figures[operation][width].mallocs /
         figures[operation][0].mallocs;
}

/* The number of operations of all threads in a nanosecond. */
static double rate(size_t operation, int width) {
  return (double)(1 << width) / figures[operation][width].nanoseconds;
}

/* The operations that a rule holds for not. Those by hand are no part of it. */
static void print_list(const char *title, bool (*is_listed)(size_t operation, int width), int most,
    double (*share)(size_t operation, int width)) {
  unsigned listed = 0;
  printf("%s:", title);
  for (size_t i = 1; operations[i].name != NULL; i++)
    for (int width = 1; 1 << width <= most; width++) {
      if (operations[i].by_hand || !is_listed(i, width)) continue;
      printf("\n  %s, %d threads: %.0f %%", operations[i].name, 1 << width, 100 * share(i, width));
      if (operations[i + 1].by_hand) printf(" (by hand %.0f %%)", 100 * share(i + 1, width));
      listed++;
    }
  puts(listed == 0 ? " none" : "");
}

static bool is_below_malloc(size_t operation, int width) {
  return relative(operation, width) < 0.8;
}

static double rate_over_fewer(size_t operation, int width) {
  double best = 0;
  for (int fewer = 0; fewer < width; fewer++)
    if (rate(operation, fewer) > best) best = rate(operation, fewer);
  return rate(operation, width) / best;
}

static bool is_slower_in_all(size_t operation, int width) {
  return rate_over_fewer(operation, width) < 1;
}

static void measure_all(const char *title, int most) {
  printf("%-36s", title);
  for (int threads = 1; threads <= most; threads *= 2)
    printf("%13d thr.", threads);
  for (size_t i = 0; operations[i].name != NULL; i++) {
    printf("\n%-36s", operations[i].name);
    for (int width = 0; 1 << width <= most; width++) {
      figures[i][width] = measure(&operations[i], 1 << width, most);
      printf("%8.1f %3.0f%% %3.0f%%", figures[i][width].nanoseconds, 100 * efficiency(i, width),
          100 * relative(i, width));
      fflush(stdout);
    }
  }
  puts("");
  print_list("under 80 % of what malloc + free keep", is_below_malloc, most, relative);
  print_list("fewer in all than with fewer threads", is_slower_in_all, most, rate_over_fewer);
}

int main(int argc, char **argv) {
  const char *spirv = argc > 1 ? argv[1] : "tests/kernels/basic.spv";
  const int wanted = argc > 2 ? atoi(argv[2]) : 2;
  const int most = wanted < 1 || wanted > THREADS ? 1 : wanted;
  for (int shares = 1; shares >= 0; shares--) {
    for (int i = 0; i < most; i++)
      worker_prepare(&workers[i], spirv, shares != 0);
    measure_all(shares ? "one context, ns (of one, of malloc)" : "a context for each thread", most);
  }
  return 0;
}
