/* Measures the latency from the completion of a dependency to the first instruction of the host
   task, beside a hand-written thread that waits on the same event, and, where the driver has
   zeCommandListAppendHostFunction, beside a function that it calls itself. Fails when syclze's
   median exceeds the limit.

   All threads share one processor unless the program has an argument: waking a thread on an idle
   processor takes 20 us, and the scheduler's choice varies. */
#define _GNU_SOURCE

#include "bench.h"
#include "timing.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

enum {
  ROUNDS = 1501,
  SETTLE_NS = 1000 * 1000, /* lets waiting threads block and processors go idle */
  LIMIT_NS = 15 * 1000
};

static const double limit = 1.3; /* relative to the hand-written thread */

static struct {
  struct bench_world world;
  syclze_queue queue;     /* of the host tasks */
  syclze_queue in_order;  /* of host tasks after a command */
  syclze_queue device;    /* of the command whose event they depend on */
  syclze_event gate, end; /* `end` is the command's event */
  void *memory;
  pthread_t thread;
  sem_t begin, done;
  ze_event_handle_t event; /* event of the waiting thread; null ends the thread */
  ze_result_t result;
  double began;
  ze_result_t (*append_function)(ze_command_list_handle_t, void (*)(void *), void *, const void *,
      ze_event_handle_t, uint32_t, ze_event_handle_t *); /* null where the driver has none */
} at;

static void *by_hand(void *unused) {
  (void)unused;
  for (;;) {
    sem_wait(&at.begin);
    if (at.event == NULL) return NULL;
    at.result = zeEventHostSynchronize(at.event, UINT64_MAX);
    at.began = now_ns();
    sem_post(&at.done);
  }
}

static ze_result_t task(syclze_interop_handle handle, void *unused) {
  at.began = now_ns();
  (void)handle, (void)unused;
  sem_post(&at.done);
  return ZE_RESULT_SUCCESS;
}

static void function(void *unused) {
  (void)unused;
  at.began = now_ns();
  sem_post(&at.done);
}

/* Dependencies of a host task: an event of the host, an event of a command, or the previous command
   of its in-order queue. */
enum after { AFTER_HOST, AFTER_COMMAND, IN_ORDER };

/* Submits a command that waits for the gate. */
static ze_result_t append(syclze_queue queue, ze_event_handle_t signal) {
  static const int zero = 0;
  ze_event_handle_t gate = syclze_get_native(at.gate);
  return zeCommandListAppendMemoryFill(
      syclze_get_native(queue).list, at.memory, &zero, sizeof zero, sizeof zero, signal, 1, &gate);
}

static ze_result_t submit(enum after after) {
  syclze_group group = syclze_group_begin(after == IN_ORDER ? at.in_order : at.queue);
  if (after == IN_ORDER) {
    static const int zero = 0;
    syclze_group_depends_on(&group, at.gate);
    BENCH_TRY(syclze_group_fill(
        &group, syclze_mem_arg(at.memory), &zero, sizeof zero, sizeof zero, NULL));
    group = syclze_group_begin(at.in_order);
  } else
    syclze_group_depends_on(&group, after == AFTER_HOST ? at.gate : at.end);
  return syclze_group_host_task(&group, task, NULL, NULL);
}

/* One round: nanoseconds from signalling the gate to the first instruction. */
static ze_result_t round_of(bool library, enum after after, double *ns) {
  static const struct timespec settle = {0, SETTLE_NS};
  ze_event_handle_t gate = syclze_get_native(at.gate), end = syclze_get_native(at.end);
  BENCH_TRY(zeEventHostReset(gate));
  BENCH_TRY(zeEventHostReset(end));
  if (after == AFTER_COMMAND || (after == IN_ORDER && !library))
    BENCH_TRY(append(after == IN_ORDER ? at.in_order : at.device, end));
  if (library)
    BENCH_TRY(submit(after));
  else {
    at.event = after == AFTER_HOST ? gate : end;
    sem_post(&at.begin);
  }
  nanosleep(&settle, NULL);
  double signalled = now_ns();
  BENCH_TRY(zeEventHostSignal(gate));
  sem_wait(&at.done);
  *ns = at.began - signalled;
  return library ? ZE_RESULT_SUCCESS : at.result;
}

static double middle_of(double *ns) {
  qsort(ns, ROUNDS, sizeof ns[0], compare);
  return ns[ROUNDS / 2];
}

static ze_result_t measure(const char *name, enum after after, bool *over) {
  static double ns[2][ROUNDS];
  for (int i = 0; i < ROUNDS; i++)
    for (int library = 0; library < 2; library++)
      BENCH_TRY(round_of(library, after, &ns[library][i]));
  double plain = middle_of(ns[0]), ours = middle_of(ns[1]);
  bool is_over = ours > limit * plain || ours > (double)LIMIT_NS;
  printf("%-34s %9.0f %7.0f..%-8.0f %9.0f %7.0f..%-8.0f %6.2f%s\n", name, ours, ns[1][ROUNDS / 10],
      ns[1][ROUNDS - 1 - ROUNDS / 10], plain, ns[0][ROUNDS / 10], ns[0][ROUNDS - 1 - ROUNDS / 10],
      ours / plain, is_over ? " OVER" : "");
  *over |= is_over;
  return ZE_RESULT_SUCCESS;
}

/* The function stands behind a command of its list. */
static ze_result_t measure_function(void) {
  static const struct timespec settle = {0, SETTLE_NS};
  static double ns[ROUNDS];
  ze_command_list_handle_t list = syclze_get_native(at.in_order).list;
  if (at.append_function == NULL) return ZE_RESULT_SUCCESS;
  for (int i = 0; i < ROUNDS; i++) {
    ze_event_handle_t gate = syclze_get_native(at.gate);
    BENCH_TRY(zeEventHostReset(gate));
    BENCH_TRY(append(at.in_order, NULL));
    BENCH_TRY(at.append_function(list, function, NULL, NULL, NULL, 0, NULL));
    nanosleep(&settle, NULL);
    const double signalled = now_ns();
    BENCH_TRY(zeEventHostSignal(gate));
    sem_wait(&at.done);
    ns[i] = at.began - signalled;
  }
  const double plain = middle_of(ns);
  printf("%-34s %9s %17s %9.0f %7.0f..%-8.0f\n", "  the same, called by the driver", "", "", plain,
      ns[ROUNDS / 10], ns[ROUNDS - 1 - ROUNDS / 10]);
  return ZE_RESULT_SUCCESS;
}

static void find_function(void) {
  void *address = NULL;
  if (zeDriverGetExtensionFunctionAddress(
          at.world.driver, "zeCommandListAppendHostFunction", &address) == ZE_RESULT_SUCCESS)
    memcpy(&at.append_function, &address, sizeof address);
}

static ze_result_t run(bool *over) {
  syclze_context context = at.world.wrapped.context;
  syclze_device device = at.world.wrapped.device;
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  BENCH_TRY(syclze_queue_create(context, device, NULL, &at.queue));
  BENCH_TRY(syclze_queue_create(context, device, NULL, &at.device));
  BENCH_TRY(syclze_queue_create(context, device, &in_order, &at.in_order));
  BENCH_TRY(syclze_event_create(context, 0, &at.gate));
  BENCH_TRY(syclze_event_create(context, 0, &at.end));
  BENCH_TRY(syclze_malloc_host(sizeof(int), context, &at.memory));
  printf("%-34s %9s %17s %9s %17s %6s\n", "host task begins after", "syclze ns", "p10..p90    ",
      "thread ns", "p10..p90    ", "ratio");
  BENCH_TRY(measure("an event that the host signals", AFTER_HOST, over));
  BENCH_TRY(measure("the event of a command", AFTER_COMMAND, over));
  BENCH_TRY(measure("a command of its in-order queue", IN_ORDER, over));
  BENCH_TRY(measure_function());
  BENCH_TRY(syclze_queue_wait(at.queue));
  BENCH_TRY(syclze_queue_wait(at.in_order));
  BENCH_TRY(syclze_free(at.memory, context));
  BENCH_TRY(syclze_event_release(at.gate));
  BENCH_TRY(syclze_event_release(at.end));
  BENCH_TRY(syclze_queue_release(at.device));
  BENCH_TRY(syclze_queue_release(at.in_order));
  return syclze_queue_release(at.queue);
}

static void share_one_processor(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((size_t)sched_getcpu(), &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) perror("latency");
}

int main(int argc, char **argv) {
  bool over = false;
  (void)argv;
  if (argc == 1) share_one_processor();
  ze_result_t result = bench_world_open(&at.world, NULL, 0);
  if (result == ZE_RESULT_SUCCESS) find_function();
  if (result == ZE_RESULT_SUCCESS && sem_init(&at.begin, 0, 0) == 0 &&
      sem_init(&at.done, 0, 0) == 0 && pthread_create(&at.thread, NULL, by_hand, NULL) == 0) {
    result = run(&over);
    at.event = NULL;
    sem_post(&at.begin);
    pthread_join(at.thread, NULL);
    bench_world_close(&at.world);
  }
  if (result != ZE_RESULT_SUCCESS) fprintf(stderr, "0x%x\n", (unsigned)result);
  return result != ZE_RESULT_SUCCESS || over;
}
