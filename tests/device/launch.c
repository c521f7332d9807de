/* Launches: without arguments, with an offset, which applies to one launch, and profiling. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

enum { ITEMS = 256 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  uint32_t *memory;
  syclze_buffer buffer;
};

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(uint32_t), w.device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  w.memory = memset(memory, 0, ITEMS * sizeof(uint32_t));
  syclze_buffer_input input = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof(uint32_t)};
  CHECK_EQ(syclze_make_buffer(&input, w.context, &w.buffer), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static syclze_kernel kernel_of(struct world *w, const char *path, const char *name) {
  given_kernel(&w->g, path, name);
  syclze_kernel_bundle bundle = made_kernel_bundle(w->context, w->g.module, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel kernel = made_kernel(bundle, w->g.kernel, w->context, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  return kernel;
}

static syclze_queue queue_of(const struct world *w, uint32_t flags) {
  const syclze_property_list properties = {.flags = flags};
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(w->context, w->device, &properties, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

TEST(a_kernel_without_arguments_is_launched) {
  struct world w = begin();
  static const syclze_nd_range one = {.global = {1}, .local = {1}};
  syclze_kernel kernel = kernel_of(&w, "tests/kernels/basic.spv", "nothing");
  syclze_queue queue = queue_of(&w, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_event done;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &one, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &one, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  end(&w);
}

static void set(struct world *w, syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, uint32_t addend) {
  uint32_t factor = 1;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_launch(&group, kernel, range, NULL, syclze_arg(all), syclze_arg(factor),
               syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
}

TEST(an_offset_applies_to_one_launch) {
  struct world w = begin();
  static const syclze_nd_range offset = {.global = {64}, .local = {8}, .offset = {128}};
  static const syclze_nd_range plain = {.global = {64}, .local = {8}};
  syclze_kernel kernel = kernel_of(&w, "tests/kernels/graph.spv", "graph_set");
  for (int in_order = 0; in_order < 2; in_order++) {
    syclze_queue queue = queue_of(&w, in_order ? (uint32_t)SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0);
    memset(w.memory, 0, ITEMS * sizeof *w.memory);
    set(&w, queue, kernel, &offset, 1000);
    set(&w, queue, kernel, &plain, 2000);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < ITEMS; i++)
      CHECK_EQ(w.memory[i], i < 64 ? 2000 + i : i < 128 ? 0 : i < 192 ? 1000 + i : 0);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Launches with an offset and a group size chosen by the driver; the n-th driver call fails.
   Returns whether one did. */
static bool fails_at(struct world *w, uint32_t flags, syclze_kernel kernel, unsigned n) {
  static const syclze_nd_range offset = {.global = {64}, .offset = {128}};
  static const syclze_nd_range plain = {.global = {64}, .local = {8}};
  const uint32_t factor = 1, addend = 1000;
  syclze_queue queue = queue_of(w, flags);
  syclze_event done;
  memset(w->memory, 0, ITEMS * sizeof *w->memory);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ_WRITE);
  refused_begin();
  spy_fail_at(n, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  ze_result_t result = syclze_launch(
      &group, kernel, &offset, &done, syclze_arg(all), syclze_arg(factor), syclze_arg(addend));
  bool refused = result != ZE_RESULT_SUCCESS;
  const char *failed = spy_failed_call();
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK(!refused || failed);
  if (failed && !refused) { /* the failure was in resetting the offset, which is not recoverable */
    CHECK_STR_EQ(failed, "zeKernelSetGlobalOffsetExp");
    CHECK_EQ(zeKernelSetGlobalOffsetExp(kernel.rep->native, 0, 0, 0), ZE_RESULT_SUCCESS);
  }
  set(w, queue, kernel, &plain, 2000);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK(!refused || result == ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  CHECK_EQ(refused_count() != 0, refused);
  CHECK_EQ(done.rep == NULL, refused);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w->memory[i], i < 64 ? 2000 + i : i >= 128 && i < 192 && !refused ? 1000 + i : 0);
  CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  return refused;
}

TEST(the_offset_of_a_failed_launch_does_not_leak) {
  struct world w = begin();
  syclze_kernel kernel = kernel_of(&w, "tests/kernels/graph.spv", "graph_set");
  for (int in_order = 0; in_order < 2; in_order++) {
    unsigned n = 1;
    while (fails_at(&w, in_order ? (uint32_t)SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0, kernel, n))
      n++;
    CHECK(n > 6);
  }
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Launches without accessors and event. */
TEST(a_failed_launch_returns_its_error) {
  struct world w = begin();
  static const syclze_nd_range one = {.global = {1}, .local = {1}};
  syclze_kernel kernel = kernel_of(&w, "tests/kernels/basic.spv", "nothing");
  syclze_queue queue = queue_of(&w, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &one, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  spy_fail_at(2, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  FAILED(syclze_launch(&group, kernel, &one, NULL), ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET,
      "syclze_group_launch", "zeCommandListAppendLaunchKernel",
      syclze_queue_get_native(queue).list);
  CHECK_STR_EQ(spy_failed_call(), "zeCommandListAppendLaunchKernel");
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &one, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(a_range_that_does_not_fit_is_refused) {
  struct world w = begin();
  syclze_kernel kernel = kernel_of(&w, "tests/kernels/basic.spv", "nothing");
  syclze_queue queue = queue_of(&w, 0);
  static const syclze_nd_range odd[] = {{.global = {100}, .local = {64}},
      {.global = {0}, .local = {1}}, {.global = {8}, .local = {8}, .dimensions = 4},
      {.global = {8}, .local = {((size_t)1 << 32) + 8}},
      {.global = {8}, .local = {(size_t)1 << 32}},
      {.global = {8, 8}, .local = {8, ((size_t)1 << 48) + 8}},
      {.global = {(size_t)1 << 32}, .local = {8}},
      {.global = {8}, .local = {8}, .offset = {(size_t)1 << 32}},
      {.global = {8}, .local = {8}, .offset = {1, ((size_t)1 << 32) + 1}}};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    syclze_group group = syclze_group_begin(queue);
    FAILED(syclze_launch(&group, kernel, &odd[i], NULL), SYCLZE_RESULT_ERROR_ND_RANGE,
        "syclze_group_launch", "range", queue.rep->native.list);
  }
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  end(&w);
}

/* The second launch waits for the first, and starts after its end. */
TEST(a_profiling_queue_reports_submit_start_and_end) {
  struct world w = begin();
  syclze_queue queue = queue_of(&w, SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING),
               plain = queue_of(&w, 0);
  syclze_event gate, events[2], without;
  uint64_t submit[2], start[2], stop[2];
  const uint32_t five = 5;
  CHECK_EQ(syclze_event_create(w.context, 0, &gate), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(queue);
    syclze_group_depends_on(&group, gate);
    syclze_accessor all = syclze_require(&group, w.buffer, SYCLZE_ACCESS_WRITE);
    CHECK_EQ(syclze_group_fill(
                 &group, syclze_mem_arg(all), &five, sizeof five, ITEMS * sizeof five, &events[i]),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling_submit(events[i], w.device, &submit[i]), ZE_RESULT_SUCCESS);
    CHECK(submit[i] != 0);
  }
  CHECK(submit[0] < submit[1]);
  CHECK_EQ(
      syclze_event_get_profiling(events[0], w.device, &start[0], &stop[0]), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(
        syclze_event_get_profiling(events[i], w.device, &start[i], &stop[i]), ZE_RESULT_SUCCESS);
    CHECK(submit[i] < start[i]);
    CHECK(start[i] <= stop[i]);
  }
  CHECK(stop[0] <= start[1]);
  CHECK(submit[1] < start[0]);
  uint64_t again;
  CHECK_EQ(syclze_event_get_profiling_submit(events[0], w.device, &again), ZE_RESULT_SUCCESS);
  CHECK_EQ(again, submit[0]);
  syclze_group group = syclze_group_begin(plain);
  CHECK_EQ(syclze_group_barrier(&group, &without), ZE_RESULT_SUCCESS);
  FAILED(syclze_event_get_profiling(without, w.device, &start[0], &stop[0]),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_event_get_profiling", "enable_profiling",
      syclze_get_native(without));
  FAILED(syclze_event_get_profiling_submit(without, w.device, &again), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_get_profiling_submit", "enable_profiling", syclze_get_native(without));
  CHECK_EQ(again, 0);
  syclze_event unused;
  CHECK_EQ(syclze_event_create(w.context, SYCLZE_EVENT_FLAG_PROFILING, &unused), ZE_RESULT_SUCCESS);
  again = 7;
  FAILED(syclze_event_get_profiling_submit(unused, w.device, &again), SYCLZE_RESULT_ERROR_PROFILING,
      "syclze_event_get_profiling_submit", "no submission", syclze_get_native(unused));
  CHECK_EQ(again, 0);
  CHECK_EQ(syclze_release(unused), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(plain), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(without), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(plain), ZE_RESULT_SUCCESS);
  end(&w);
}

/* The last references to the kernel and its module are dropped while the launch waits for a
   gate. */
static void check_kept(struct world *w, syclze_queue queue) {
  static const syclze_nd_range range = {.global = {ITEMS}, .local = {64}};
  uint32_t factor = 1, addend = 5;
  syclze_kernel_bundle bundle = made_kernel_bundle(
      w->context, given_module(&w->g, "tests/kernels/graph.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_kernel kernel;
  syclze_event gate;
  CHECK_EQ(syclze_event_create(w->context, 0, &gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(bundle, "graph_set", &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  const void *native = syclze_get_native(kernel);
  memset(w->memory, 0, ITEMS * sizeof *w->memory);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(all), syclze_arg(factor),
               syclze_arg(addend)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK(spy_is_alive(SPY_KERNEL, native));
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(w->memory[ITEMS - 1], ITEMS - 1 + addend);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK(!spy_is_alive(SPY_KERNEL, native));
  CHECK_EQ(spy_alive(SPY_MODULE), 0);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
}

TEST(a_kernel_in_flight_is_retained) {
  struct world w = begin();
  check_kept(&w, queue_of(&w, SYCLZE_QUEUE_PROPERTY_IN_ORDER));
  check_kept(&w, queue_of(&w, 0));
  check_kept(&w, made_queue(&w.g, w.context, syclze_native_queue_of(given_queue(&w.g)),
                     SYCLZE_OWNERSHIP_TRANSFER));
  end(&w);
}

TEST_MAIN(a_kernel_without_arguments_is_launched, an_offset_applies_to_one_launch,
    the_offset_of_a_failed_launch_does_not_leak, a_failed_launch_returns_its_error,
    a_range_that_does_not_fit_is_refused, a_profiling_queue_reports_submit_start_and_end,
    a_kernel_in_flight_is_retained)
