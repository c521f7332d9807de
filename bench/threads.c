/* Scaling over threads: nanoseconds for each operation of one thread at 1, 2, 4, ... threads, and
   the efficiency: throughput of n threads over n times that of one. Each thread has its own queue,
   kernels, buffers and events; the context is common to all or its own.

       threads MODULE.spv MOST-THREADS */
#define _POSIX_C_SOURCE 200809L /* barriers and the clock */

#include "syclze/command.h"
#include "syclze/syclze.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 128, ROUNDS = 3 };

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ze_result_t result_ = (call);                                                            \
    if (result_ != ZE_RESULT_SUCCESS) {                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, syclze_result_string(result_));           \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

struct worker {
  syclze_context context;
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel, empty_kernel;
  syclze_buffer in, out;
  syclze_event event;
  ze_event_handle_t native_event;
  ze_kernel_handle_t native_kernel;
  void *memory[2];
  void (*run)(struct worker *worker, long count);
  long count;
  double nanoseconds; /* of one operation, in the best round */
} __attribute__((aligned(128)));

static syclze_device device;
static syclze_context common;
static pthread_barrier_t gate;
static struct worker workers[THREADS];
static const syclze_nd_range one = {.global = {1}, .local = {1}};

static void malloc_and_free(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    void *volatile memory = malloc(64);
    free(memory);
  }
  (void)worker;
}

static void event_keep(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    const syclze_event_input input = {worker->native_event, SYCLZE_OWNERSHIP_KEEP};
    syclze_event event;
    TRY(syclze_make_event(&input, worker->context, &event));
    TRY(syclze_event_release(event));
  }
}

static void event_own(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    syclze_event event;
    TRY(syclze_event_create(worker->context, 0, &event));
    TRY(syclze_event_release(event));
  }
}

static void event_retain(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    TRY(syclze_event_retain(worker->event));
    TRY(syclze_event_release(worker->event));
  }
}

static void queue_keep(struct worker *worker, long count) {
  syclze_queue_input input = {0};
  input.native_handle = syclze_queue_get_native(worker->queue);
  input.device = device;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (long i = 0; i < count; i++) {
    syclze_queue queue;
    TRY(syclze_make_queue(&input, worker->context, &queue));
    TRY(syclze_queue_release(queue));
  }
}

static void kernel_keep(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    const syclze_kernel_input input = {
        worker->bundle, worker->native_kernel, SYCLZE_OWNERSHIP_KEEP};
    syclze_kernel kernel;
    TRY(syclze_make_kernel(&input, worker->context, &kernel));
    TRY(syclze_kernel_release(kernel));
  }
}

static void buffer_keep(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    const syclze_buffer_input input = {worker->memory[0], SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
    syclze_buffer buffer;
    TRY(syclze_make_buffer(&input, worker->context, &buffer));
    TRY(syclze_buffer_release(buffer));
  }
}

static void launch(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(worker->queue);
    TRY(syclze_group_launch(&group, worker->empty_kernel, &one, NULL, 0, NULL));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

/* The same Level Zero calls. */
static void launch_by_hand(struct worker *worker, long count) {
  const ze_command_list_handle_t list = syclze_queue_get_native(worker->queue).list;
  const ze_group_count_t groups = {1, 1, 1};
  for (long i = 0; i < count; i++) {
    TRY(zeKernelSetGroupSize(worker->native_kernel, 1, 1, 1));
    TRY(zeCommandListAppendLaunchKernel(list, worker->native_kernel, &groups, NULL, 0, NULL));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static void launch_with_event_by_hand(struct worker *worker, long count) {
  const ze_command_list_handle_t list = syclze_queue_get_native(worker->queue).list;
  const ze_group_count_t groups = {1, 1, 1};
  for (long i = 0; i < count; i++) {
    if (i % 1024 != 0) TRY(zeEventHostSynchronize(worker->native_event, UINT64_MAX));
    TRY(zeEventHostReset(worker->native_event));
    TRY(zeKernelSetGroupSize(worker->native_kernel, 1, 1, 1));
    TRY(zeCommandListAppendLaunchKernel(
        list, worker->native_kernel, &groups, worker->native_event, 0, NULL));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static void copy(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(worker->queue);
    TRY(syclze_group_copy(
        &group, syclze_mem_arg(worker->memory[0]), syclze_mem_arg(worker->memory[1]), 64, NULL));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static void launch_with_event(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(worker->queue);
    TRY(syclze_group_launch(&group, worker->empty_kernel, &one, NULL, 0, &event));
    TRY(syclze_event_release(event));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static void launch_with_accessors(struct worker *worker, long count) {
  const float factor = 0;
  for (long i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(worker->queue);
    const syclze_accessor in = syclze_require(&group, worker->in, SYCLZE_ACCESS_READ);
    const syclze_accessor out = syclze_require(&group, worker->out, SYCLZE_ACCESS_READ_WRITE);
    TRY(syclze_launch(
        &group, worker->kernel, &one, NULL, syclze_arg(factor), syclze_arg(in), syclze_arg(out)));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static const struct {
  const char *name;
  void (*run)(struct worker *worker, long count);
  long count;
} operations[] = {{"malloc + free", malloc_and_free, 2000000},
    {"make + release, event (keep)", event_keep, 2000000},
    {"event_create + release", event_own, 500000},
    {"retain + release, event", event_retain, 1000000},
    {"make + release, queue (keep)", queue_keep, 1000000},
    {"make + release, kernel (keep)", kernel_keep, 500000},
    {"make + release, buffer (keep)", buffer_keep, 500000},
    {"submit a kernel, no event", launch, 200000},
    {"the same calls by hand", launch_by_hand, 200000},
    {"submit a USM copy, no event", copy, 200000},
    {"submit a kernel, with an event", launch_with_event, 100000},
    {"the same calls by hand, and a wait", launch_with_event_by_hand, 100000},
    {"submit a kernel, two accessors", launch_with_accessors, 100000}};

static ze_module_handle_t build(const char *path, ze_context_handle_t context) {
  static uint8_t spirv[1 << 20];
  ze_module_desc_t desc;
  ze_module_handle_t module;
  FILE *file = fopen(path, "rb");
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = file != NULL ? fread(spirv, 1, sizeof spirv, file) : 0;
  desc.pInputModule = spirv;
  if (file != NULL) fclose(file);
  TRY(zeModuleCreate(context, syclze_device_get_native(device), &desc, &module, NULL));
  return module;
}

static void prepare(struct worker *worker, const char *spirv, bool shares) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  worker->context = common;
  if (!shares) TRY(syclze_context_create(&device, 1, &worker->context));
  TRY(syclze_queue_create(worker->context, device, &in_order, &worker->queue));
  for (int i = 0; i < 2; i++) {
    syclze_buffer_input input = {NULL, SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
    TRY(syclze_malloc_device(64, device, worker->context, &worker->memory[i]));
    input.native_handle = worker->memory[i];
    TRY(syclze_make_buffer(&input, worker->context, i == 0 ? &worker->in : &worker->out));
  }
  const ze_context_handle_t native = syclze_context_get_native(worker->context);
  const syclze_kernel_bundle_input bundle = {build(spirv, native), SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_kernel_bundle(&bundle, worker->context, &worker->bundle));
  TRY(syclze_kernel_create(worker->bundle, "axpy", &worker->kernel));
  TRY(syclze_kernel_create(worker->bundle, "nothing", &worker->empty_kernel));
  worker->native_kernel = syclze_kernel_get_native(worker->empty_kernel);
  TRY(syclze_event_create(worker->context, 0, &worker->event));
  worker->native_event = syclze_event_get_native(worker->event);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The first round warms up. */
static void *work(void *argument) {
  struct worker *worker = (struct worker *)argument;
  for (int round = 0; round <= ROUNDS; round++) {
    pthread_barrier_wait(&gate);
    const double begin = now();
    worker->run(worker, worker->count);
    pthread_barrier_wait(&gate);
    const double each = (now() - begin) / (double)worker->count;
    if (round == 1 || (round > 1 && each < worker->nanoseconds)) worker->nanoseconds = each;
  }
  return NULL;
}

/* How often an operation runs in a round, which is not to take long on a slow device. */
static long count_of(size_t operation) {
  enum { FIRST = 256, ROUND = 30000000 /* nanoseconds */ };
  const double begin = now();
  operations[operation].run(&workers[0], FIRST);
  const double fits = ROUND / ((now() - begin) / FIRST);
  if (fits >= (double)operations[operation].count) return operations[operation].count;
  return fits > FIRST ? (long)fits : FIRST;
}

static double measure(size_t operation, int threads) {
  pthread_t ids[THREADS];
  double sum = 0;
  const long count = count_of(operation);
  pthread_barrier_init(&gate, NULL, (unsigned)threads);
  for (int i = 0; i < threads; i++) {
    workers[i].run = operations[operation].run;
    workers[i].count = count;
    if (pthread_create(&ids[i], NULL, work, &workers[i]) != 0) exit(1);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
    sum += workers[i].nanoseconds;
  }
  pthread_barrier_destroy(&gate);
  return sum / threads;
}

int main(int argc, char **argv) {
  const char *spirv = argc > 1 ? argv[1] : "tests/kernels/basic.spv";
  const int wanted = argc > 2 ? atoi(argv[2]) : 2;
  const int most = wanted < 1 || wanted > THREADS ? 1 : wanted;
  uint32_t count = 1;
  syclze_platform platform;
  TRY(syclze_platform_get(&count, &platform));
  count = 1;
  TRY(syclze_device_get(platform, &count, &device));
  TRY(syclze_context_create(&device, 1, &common));
  for (int shares = 1; shares >= 0; shares--) {
    for (int i = 0; i < most; i++)
      prepare(&workers[i], spirv, shares != 0);
    printf("%-34s", shares ? "one context for all, ns (of ideal)" : "a context for each thread");
    for (int threads = 1; threads <= most; threads *= 2)
      printf("%9d thr.", threads);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
      double alone = 0;
      printf("\n%-34s", operations[i].name);
      for (int threads = 1; threads <= most; threads *= 2) {
        const double each = measure(i, threads);
        if (threads == 1) alone = each;
        printf("%8.1f %3.0f%%", each, 100 * alone / each);
        fflush(stdout);
      }
    }
    puts("");
  }
  return 0;
}
