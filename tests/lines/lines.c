/* Cache lines that two threads write with distinct objects. Compiled with calls of recorder.c
   wherever memory is written, on the loader that does nothing (bench/stub.c). */
#define _POSIX_C_SOURCE 200809L /* barriers */

#include "recorder.h"

#include "syclze/command.h"
#include "syclze/command/graph.h"
#include "syclze/command/queue_order.h"
#include "syclze/queue_commands.h"
#include "syclze/syclze.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 2, WARM = 1000, RECORDED = 256 };

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ze_result_t result_ = (call);                                                            \
    if (result_ != ZE_RESULT_SUCCESS) {                                                            \
      printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, syclze_result_string(result_));               \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* A thread's own objects. */
struct own {
  syclze_context context;
  syclze_queue queue, any_order;
  syclze_executable_graph graph;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel, empty;
  syclze_buffer in, out;
  syclze_event event;
  void *memory[2];
  struct record record;
} __attribute__((aligned(128)));

static struct own owns[THREADS];
static syclze_device device;
static syclze_context common;
static syclze_event common_event;
static pthread_barrier_t gate;
static const syclze_nd_range one = {.global = {1}, .local = {1}};

static void event_keep(struct own *own) {
  const syclze_event_input input = {syclze_event_get_native(own->event), SYCLZE_OWNERSHIP_KEEP};
  syclze_event event;
  TRY(syclze_make_event(&input, own->context, &event));
  TRY(syclze_event_release(event));
}

static void event_create(struct own *own) {
  syclze_event event;
  TRY(syclze_event_create(own->context, 0, &event));
  TRY(syclze_event_release(event));
}

static void event_retain(struct own *own) {
  TRY(syclze_event_retain(own->event));
  TRY(syclze_event_release(own->event));
}

static void queue_keep(struct own *own) {
  const syclze_queue_input input = {
      syclze_queue_get_native(own->queue), device, SYCLZE_OWNERSHIP_KEEP, {0}};
  syclze_queue queue;
  TRY(syclze_make_queue(&input, own->context, &queue));
  TRY(syclze_queue_release(queue));
}

static void kernel_keep(struct own *own) {
  const syclze_kernel_input input = {
      own->bundle, syclze_kernel_get_native(own->empty), SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel kernel;
  TRY(syclze_make_kernel(&input, own->context, &kernel));
  TRY(syclze_kernel_release(kernel));
}

static void buffer_keep(struct own *own) {
  const syclze_buffer_input input = {own->memory[0], SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
  syclze_buffer buffer;
  TRY(syclze_make_buffer(&input, own->context, &buffer));
  TRY(syclze_buffer_release(buffer));
}

static void event_status(struct own *own) {
  syclze_event_status status;
  TRY(syclze_event_get_status(own->event, &status));
}

static void launch_to(struct own *own, syclze_queue queue, bool wants_event) {
  syclze_event event;
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_group_launch(&group, own->empty, &one, NULL, 0, wants_event ? &event : NULL));
  if (wants_event) TRY(syclze_event_release(event));
}

static void launch(struct own *own) {
  launch_to(own, own->queue, false);
}

static void launch_event(struct own *own) {
  launch_to(own, own->queue, true);
}

static void launch_any_order(struct own *own) {
  launch_to(own, own->any_order, false);
}

static void launch_any_order_event(struct own *own) {
  launch_to(own, own->any_order, true);
}

static void replay(struct own *own) {
  TRY(syclze_queue_submit_graph(own->queue, own->graph, NULL));
}

static void launch_accessors(struct own *own) {
  const float factor = 0;
  syclze_group group = syclze_group_begin(own->queue);
  const syclze_accessor in = syclze_require(&group, own->in, SYCLZE_ACCESS_READ);
  const syclze_accessor out = syclze_require(&group, own->out, SYCLZE_ACCESS_READ_WRITE);
  TRY(syclze_launch(
      &group, own->kernel, &one, NULL, syclze_arg(factor), syclze_arg(in), syclze_arg(out)));
}

static void copy(struct own *own) {
  syclze_group group = syclze_group_begin(own->queue);
  TRY(syclze_group_copy(
      &group, syclze_mem_arg(own->memory[0]), syclze_mem_arg(own->memory[1]), 64, NULL));
}

static void fill(struct own *own) {
  const uint32_t zero = 0;
  TRY(syclze_queue_fill(own->queue, own->memory[0], &zero, sizeof zero, 64, NULL, 0, NULL));
}

static void copy_rows(struct own *own) {
  TRY(syclze_queue_copy_2d(
      own->queue, own->memory[0], 16, own->memory[1], 16, 8, 4, NULL, 0, NULL));
}

static void is_empty(struct own *own) {
  bool empty;
  TRY(syclze_queue_is_empty(own->queue, &empty));
}

static void barrier(struct own *own) {
  TRY(syclze_queue_submit_barrier(own->queue, NULL));
}

static void wait_for_queue(struct own *own) {
  TRY(syclze_queue_wait(own->queue));
}

/* The one that the method must find. */
static void retain_common(struct own *own) {
  (void)own;
  TRY(syclze_event_retain(common_event));
  TRY(syclze_event_release(common_event));
}

static const struct {
  const char *name;
  void (*run)(struct own *own);
  bool is_common;
} operations[] = {{"make + release, event (keep)", event_keep, false},
    {"event_create + release", event_create, false},
    {"retain + release, event", event_retain, false},
    {"make + release, queue (keep)", queue_keep, false},
    {"make + release, kernel (keep)", kernel_keep, false},
    {"make + release, buffer (keep)", buffer_keep, false},
    {"event_get_status", event_status, false}, {"submit a kernel, no event", launch, false},
    {"submit a kernel, with an event", launch_event, false},
    {"submit a kernel, two accessors", launch_accessors, false},
    {"submit a kernel, out of order, no event", launch_any_order, false},
    {"submit a kernel, out of order, with an event", launch_any_order_event, false},
    {"submit a USM copy", copy, false}, {"submit a fill, no group", fill, false},
    {"submit a 2D copy, no group", copy_rows, false}, {"submit a graph", replay, false},
    {"queue_is_empty", is_empty, false}, {"submit a barrier", barrier, false},
    {"wait for a queue", wait_for_queue, false},
    {"retain + release, a common event", retain_common, true}};

/* A graph of one launch. */
static void record(struct own *own) {
  syclze_graph graph;
  TRY(syclze_graph_create(own->context, device, &graph));
  TRY(syclze_graph_begin_recording(graph, own->queue));
  launch(own);
  TRY(syclze_graph_end_recording(graph, own->queue));
  TRY(syclze_graph_finalize(graph, 0, &own->graph));
  TRY(syclze_graph_release(graph));
}

static void prepare(struct own *own, bool shares) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  ze_module_desc_t desc;
  syclze_kernel_bundle_input bundle;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  own->context = common;
  if (!shares) TRY(syclze_context_create(&device, 1, &own->context));
  TRY(syclze_queue_create(own->context, device, &in_order, &own->queue));
  for (int i = 0; i < 2; i++) {
    syclze_buffer_input input = {NULL, SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
    TRY(syclze_malloc_device(64, device, own->context, &own->memory[i]));
    input.native_handle = own->memory[i];
    TRY(syclze_make_buffer(&input, own->context, i == 0 ? &own->in : &own->out));
  }
  bundle.ownership = SYCLZE_OWNERSHIP_KEEP;
  TRY(zeModuleCreate(syclze_context_get_native(own->context), syclze_device_get_native(device),
      &desc, &bundle.native_handle, NULL));
  TRY(syclze_make_kernel_bundle(&bundle, own->context, &own->bundle));
  TRY(syclze_kernel_create(own->bundle, "axpy", &own->kernel));
  TRY(syclze_kernel_create(own->bundle, "nothing", &own->empty));
  TRY(syclze_event_create(own->context, 0, &own->event));
  TRY(syclze_queue_create(own->context, device, NULL, &own->any_order));
  record(own);
}

static size_t operation;

/* A thread prepares its own objects, so that they are its own. */
static void *work(void *argument) {
  struct own *own = (struct own *)argument;
  for (int shares = 1; shares >= 0; shares--) {
    prepare(own, shares != 0);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
      for (int n = 0; n < WARM; n++)
        operations[i].run(own);
      memset(&own->record, 0, sizeof own->record);
      pthread_barrier_wait(&gate);
      record_to(&own->record);
      for (int n = 0; n < RECORDED; n++)
        operations[i].run(own);
      record_to(NULL);
      pthread_barrier_wait(&gate);
      pthread_barrier_wait(&gate);
    }
  }
  return NULL;
}

static unsigned passed, failed;

static void report(bool is_right, const char *name, bool shares, uintptr_t line, const void *site) {
  printf("%s %s%s: ", is_right ? "pass" : "FAIL", name, shares ? ", one context" : "");
  if (line != 0)
    printf("line %#lx written by both, at %p\n", (unsigned long)line, site);
  else
    puts("no line written by both");
  if (is_right)
    passed++;
  else
    failed++;
}

int main(void) {
  pthread_t threads[THREADS];
  uint32_t count = 1;
  syclze_platform platform;
  setbuf(stdout, NULL);
  TRY(syclze_platform_get(&count, &platform));
  count = 1;
  TRY(syclze_device_get(platform, &count, &device));
  TRY(syclze_context_create(&device, 1, &common));
  TRY(syclze_event_create(common, 0, &common_event));
  pthread_barrier_init(&gate, NULL, THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, &owns[i]) != 0) return 1;
  for (int shares = 1; shares >= 0; shares--)
    for (operation = 0; operation < sizeof operations / sizeof *operations; operation++) {
      const void *site = NULL;
      pthread_barrier_wait(&gate);
      pthread_barrier_wait(&gate);
      const uintptr_t line = record_common(&owns[0].record, &owns[1].record, &site);
      report((line != 0) == operations[operation].is_common, operations[operation].name,
          shares != 0, line, site);
      pthread_barrier_wait(&gate);
    }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
