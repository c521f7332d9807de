/* Notifications in the form of today's runtimes, emitted only while a subscriber wants them. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include "support/traced.h"

#include "syclze/trace/current.h"

#include <dlfcn.h>

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

TEST(a_subscriber_gets_nothing_while_tracing_is_off) { // shows tracing 4
  given_needs_execution();
  if (c.count == NULL) SKIP("runs after the first case");
  void *library = dlopen(getenv("XPTI_FRAMEWORK_DISPATCHER"), RTLD_LAZY);
  void *symbol = dlsym(library, "xptiForceSetTraceEnabled");
  void (*force)(bool);
  CHECK(symbol != NULL);
  memcpy(&force, &symbol, sizeof force);
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

TEST_MAIN(todays_tools_are_notified_in_their_form, a_subscriber_gets_nothing_while_tracing_is_off)
