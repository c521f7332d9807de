/* Arguments of launches: their number is the kernel's, and they live as long as they must. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/queue_commands.h"

enum { ITEMS = 16 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  syclze_kernel kernel; /* iota(out, first) */
  int *out;
};

static const syclze_nd_range range = {.global = {ITEMS}, .local = {8}};

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  void *memory;
  syclze_event first;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(int), w.device, w.context, &memory), 0);
  w.out = memset(memory, 0, ITEMS * sizeof(int));
  CHECK_EQ(syclze_queue_create(w.context, w.device, NULL, &w.queue), 0);
  given_kernel(&w.g, "tests/kernels/basic.spv", "iota");
  syclze_kernel_bundle bundle = made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
  w.kernel = made_kernel(bundle, w.g.kernel, w.context, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_release(bundle), 0);
  /* The context's pool of events is not a refused launch's. */
  CHECK_EQ(syclze_event_create(w.context, 0, &first), 0);
  CHECK_EQ(syclze_release(first), 0);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_release(w->queue), 0);
  CHECK_EQ(syclze_release(w->kernel), 0);
  CHECK_EQ(syclze_free(w->out, w->context), 0);
  CHECK_EQ(syclze_release(w->context), 0);
  given_end(&w->g);
}

static ze_result_t launch(
    const struct world *w, const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  syclze_group group = syclze_group_begin(w->queue);
  return syclze_group_launch(&group, w->kernel, &range, arguments, count, event);
}

/* Refused with and without an event; nothing runs. */
static void check_refused(struct world *w, const syclze_argument *arguments, uint32_t count,
    ze_result_t code, const char *rule, const char *detail) {
  const void *native = w->queue.rep->native.list;
  syclze_event event;
  memset(w->out, 0, ITEMS * sizeof *w->out);
  REFUSED(event, launch(w, arguments, count, &event), code, "syclze_group_launch", rule, native);
  CHECK_STR_EQ(refused_detail(), detail);
  FAILED(launch(w, arguments, count, NULL), code, "syclze_group_launch", rule, native);
  CHECK_STR_EQ(refused_detail(), detail);
  FAILED(
      syclze_queue_launch_arguments(w->queue, w->kernel, &range, arguments, count, NULL, 0, NULL),
      code, "syclze_queue_launch", rule, native);
  CHECK_STR_EQ(refused_detail(), detail);
  CHECK_EQ(syclze_queue_wait(w->queue), 0);
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(w->out[i], 0);
}

TEST(their_number_is_the_kernel_s) { // shows promises 22
  struct world w = begin();
  const syclze_argument arguments[] = {syclze_arg(w.out), syclze_arg(3), syclze_arg(3)};
  const ze_result_t code = SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT;
  check_refused(&w, arguments, 1, code, "number of arguments",
      "iota: 1 arguments are given, and the kernel has 2");
  check_refused(&w, arguments, 3, code, "number of arguments",
      "iota: 3 arguments are given, and the kernel has 2");
  CHECK_EQ(launch(&w, arguments, 2, NULL), 0);
  CHECK_EQ(syclze_queue_wait(w.queue), 0);
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(w.out[i], 3 + i);
  /* Not those of the launch before. */
  check_refused(&w, arguments, 1, code, "number of arguments",
      "iota: 1 arguments are given, and the kernel has 2");
  check_refused(&w, arguments, 3, code, "number of arguments",
      "iota: 3 arguments are given, and the kernel has 2");
  check_refused(&w, NULL, 0, code, "number of arguments",
      "iota: 0 arguments are given, and the kernel has 2");
  CHECK_EQ(launch(&w, arguments, 2, NULL), 0);
  CHECK_EQ(syclze_queue_wait(w.queue), 0);
  end(&w);
}

/* A launch sets two arguments and the group size, and is appended; a diagnostic has the name of the
   kernel. */
TEST(their_number_is_queried_once) { // shows promises 22
  struct world w = begin();
  const syclze_argument arguments[] = {syclze_arg(w.out), syclze_arg(3)};
  CHECK_EQ(launch(&w, arguments, 2, NULL), 0);
  for (int i = 0; i < 3; i++) {
    unsigned before = spy_calls();
    CHECK_EQ(launch(&w, arguments, 2, NULL), 0);
    CHECK_EQ(spy_calls() - before, 4);
    before = spy_calls();
    CHECK_EQ(launch(&w, arguments, 1, NULL), SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
    CHECK_EQ(spy_calls() - before, 1);
  }
  CHECK_EQ(syclze_queue_wait(w.queue), 0);
  end(&w);
}

TEST(those_of_the_native_kernel_stay_without_any) { // shows promises 22
  struct world w = begin();
  const ze_kernel_handle_t native = syclze_kernel_get_native(w.kernel);
  const int first = 5;
  CHECK_EQ(zeKernelSetArgumentValue(native, 0, sizeof w.out, &w.out), 0);
  CHECK_EQ(zeKernelSetArgumentValue(native, 1, sizeof first, &first), 0);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(launch(&w, NULL, 0, NULL), 0);
    CHECK_EQ(syclze_queue_wait(w.queue), 0);
    CHECK_EQ(w.out[ITEMS - 1], first + ITEMS - 1);
  }
  end(&w);
}

TEST(a_driver_without_the_number_compares_it) { // shows promises 22
  struct world w = begin();
  const syclze_argument arguments[] = {syclze_arg(w.out), syclze_arg(3)};
  spy_fail_named("zeKernelGetProperties", ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(launch(&w, arguments, 2, NULL), 0);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(&w, arguments, 2, NULL), 0);
  CHECK_EQ(syclze_queue_wait(w.queue), 0);
  end(&w);
}

TEST(a_query_that_fails_refuses_the_launch) { // shows promises 22
  struct world w = begin();
  const syclze_argument arguments[] = {syclze_arg(w.out), syclze_arg(3)};
  const ze_result_t code = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  spy_fail_named("zeKernelGetProperties", code);
  check_refused(&w, arguments, 2, code, "zeKernelGetProperties", "iota");
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(&w, arguments, 2, NULL), 0);
  CHECK_EQ(syclze_queue_wait(w.queue), 0);
  end(&w);
}

TEST(null_pointers_are_refused) { // shows promises 22
  struct world w = begin();
  const syclze_argument null[] = {syclze_arg(w.out), syclze_argument_value(NULL, sizeof(int))};
  const ze_result_t code = ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  check_refused(&w, NULL, 2, code, "arguments' pointer", "iota");
  check_refused(
      &w, null, 2, code, "pointer of an argument", "iota: argument 1 is a struct of 4 bytes");
  end(&w);
}

TEST(an_argument_that_the_driver_refuses_is_named) { // shows promises 26
  struct world w = begin();
  const syclze_argument arguments[] = {syclze_arg(w.out), syclze_arg(3)};
  const ze_result_t code = ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
  syclze_event event; /* after the first one, events are there, and launches are plain */
  CHECK_EQ(launch(&w, arguments, 2, &event), 0);
  CHECK_EQ(syclze_queue_wait(w.queue), 0);
  CHECK_EQ(syclze_release(event), 0);
  spy_fail_named("zeKernelSetArgumentValue", code);
  check_refused(&w, arguments, 2, code, "zeKernelSetArgumentValue",
      "iota: argument 0 is a pointer of 8 bytes");
  for (int i = 0; i < 2; i++) {
    spy_fail_at(2, code);
    FAILED(launch(&w, arguments, 2, NULL), code, "syclze_group_launch", "zeKernelSetArgumentValue",
        w.queue.rep->native.list);
    CHECK_STR_EQ(refused_detail(), "iota: argument 1 is an integer of 4 bytes");
  }
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(&w, arguments, 2, NULL), 0);
  CHECK_EQ(syclze_queue_wait(w.queue), 0);
  end(&w);
}

/* The values are in the arguments, which outlive the variables. */
static void fill(struct world *w, syclze_argument *arguments, int first) {
  const int copy = first;
  arguments[0] = syclze_arg(w->out);
  arguments[1] = syclze_arg(copy);
}

TEST(values_are_copied) { // shows promises 21
  struct world w = begin();
  syclze_argument arguments[2][2];
  fill(&w, arguments[0], 100);
  fill(&w, arguments[1], 200);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(launch(&w, arguments[i], 2, NULL), 0);
    CHECK_EQ(syclze_queue_wait(w.queue), 0);
    CHECK_EQ(w.out[1], 101 + 100 * i);
  }
  end(&w);
}

TEST_MAIN(their_number_is_the_kernel_s, their_number_is_queried_once,
    those_of_the_native_kernel_stay_without_any, a_driver_without_the_number_compares_it,
    a_query_that_fails_refuses_the_launch, null_pointers_are_refused,
    an_argument_that_the_driver_refuses_is_named, values_are_copied)
