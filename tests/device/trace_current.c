/* Notifications in the form of today's runtimes, emitted only while a subscriber wants them. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include "support/traced.h"
#include "tests/soon.h"

#include "syclze/trace/current.h"

#include <dlfcn.h>
#include <sched.h>

__attribute__((constructor)) static void set_environment(void) {
  setenv("SYCLZE_TRACE_FORM", "current", 1);
  setenv("CHECKER_WITHOUT", "ur.call.debug", 1);
  setenv("TRACE_LEVEL", "1", 1);
}

static struct checker c;

static uint32_t all_of(int stream) {
  uint32_t sum = 0;
  for (int type = 0; type < 256; type++)
    sum += c.count(stream, type);
  return sum;
}

TEST(todays_tools_are_notified_in_their_form) { // shows promises 62
  given_needs_execution();
  c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  uint32_t line;
  traced_run(&t, &line);
  const uint32_t nodes = c.count(CHECKER_SYCL, 4);
  CHECK(nodes >= 1);
  traced_repeat(&t, 5);
  /* The barrier of a queue's wait is no command of its own. */
  CHECK_EQ(c.count(CHECKER_SYCL, 4), nodes + 2 * 5);
  CHECK_EQ(c.count(CHECKER_SYCL, 10), nodes + 2 * 5);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
  CHECK(c.seen(CHECKER_SYCL, 12, "enqueue.barrier[Unknown block reason]") >= 1);
  CHECK_EQ(c.count(CHECKER_UR, 24), 0);
  CHECK(c.count(CHECKER_UR, 28) >= 1);
  CHECK_EQ(c.count(CHECKER_UR, 28), c.count(CHECKER_UR, 29));
  CHECK_EQ(all_of(CHECKER_UR_DEBUG), 0);
  CHECK_EQ(all_of(CHECKER_ZE), 0);
  CHECK_EQ(c.seen(CHECKER_MEM_ALLOC, 33, "memory_size"), c.count(CHECKER_MEM_ALLOC, 33));
  /* One allocation fails. */
  CHECK_EQ(c.seen(CHECKER_MEM_ALLOC, 33, "memory_ptr"), c.count(CHECKER_MEM_ALLOC, 33) - 1);
  /* The subscriber wants little detail. */
  CHECK(c.seen(CHECKER_SYCL, 4, "kernel_name") >= 1);
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "sym_line_no"), 0);
  CHECK(c.seen(CHECKER_SYCL, 4, "memory_size") >= 1);
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "dest_memory_ptr"), 0);
}

static void force(bool on) {
  void *library = dlopen(getenv("XPTI_FRAMEWORK_DISPATCHER"), RTLD_LAZY);
  void *symbol = dlsym(library, "xptiForceSetTraceEnabled");
  void (*set)(bool);
  CHECK(symbol != NULL);
  memcpy(&set, &symbol, sizeof set);
  set(on);
}

TEST(a_subscriber_gets_nothing_while_tracing_is_off) { // shows tracing 4
  given_needs_execution();
  if (c.count == NULL) SKIP("runs after the first case");
  uint32_t line;
  force(false);
  const uint32_t before = all_of(CHECKER_SYCL) + all_of(CHECKER_UR) + all_of(CHECKER_BUFFER);
  struct traced t = traced_begin();
  traced_run(&t, &line);
  CHECK_EQ(all_of(CHECKER_SYCL) + all_of(CHECKER_UR) + all_of(CHECKER_BUFFER), before);
  force(true);
  traced_run(&t, &line);
  CHECK(all_of(CHECKER_SYCL) + all_of(CHECKER_UR) + all_of(CHECKER_BUFFER) > before);
  traced_end(&t);
}

/* Another queue may have its address, and must not have its number. */
TEST(a_queue_that_ends_while_tracing_is_off_is_forgotten) {
  given_needs_execution();
  if (c.count == NULL) SKIP("runs after the first case");
  const size_t before = SYCLZE__STATE.xpti->queues.count;
  struct traced t = traced_begin();
  CHECK_EQ(SYCLZE__STATE.xpti->queues.count, before + 1);
  force(false);
  traced_end(&t);
  force(true);
  CHECK_EQ(SYCLZE__STATE.xpti->queues.count, before);
}

static ze_result_t wait_until_set(syclze_interop_handle handle, void *set) {
  (void)handle;
  while (!__atomic_load_n((bool *)set, __ATOMIC_ACQUIRE))
    sched_yield();
  return ZE_RESULT_SUCCESS;
}

TEST(the_end_of_a_queue_by_its_last_task_is_reported) {
  given_needs_execution();
  if (c.count == NULL) SKIP("runs after the first case");
  struct traced t = traced_begin();
  const uint32_t before = c.count(CHECKER_SYCL, 43);
  bool released = false;
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(t.context, t.device, NULL, &queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, wait_until_set, &released, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  __atomic_store_n(&released, true, __ATOMIC_RELEASE);
  CHECK_SOON(c.count(CHECKER_SYCL, 43) == before + 1);
  traced_end(&t);
}

TEST_MAIN(todays_tools_are_notified_in_their_form, a_subscriber_gets_nothing_while_tracing_is_off,
    a_queue_that_ends_while_tracing_is_off_is_forgotten,
    the_end_of_a_queue_by_its_last_task_is_reported)
