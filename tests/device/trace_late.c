/* A subscriber to Level Zero's calls that comes within one. */
#define _POSIX_C_SOURCE 200809L
#include "support/traced.h"

#include "syclze/trace/level_zero.h"

__attribute__((constructor)) static void set_environment(void) {
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  setenv("CHECKER_WITHOUT", "sycl.experimental.level_zero.call", 1);
  setenv("CHECKER_LATE", "1", 1);
}

TEST(a_subscriber_is_notified_of_no_end_without_its_begin) {
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2023.so");
  struct traced t = traced_begin();
  uint32_t line;
  traced_run(&t, &line);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
  CHECK(c.count(CHECKER_ZE_DEBUG, 28) > 40);
  CHECK_EQ(c.count(CHECKER_ZE, 24), c.count(CHECKER_ZE_DEBUG, 28) - 1);
  CHECK_EQ(c.count(CHECKER_ZE, 25), c.count(CHECKER_ZE_DEBUG, 29) - 1);
}

TEST_MAIN(a_subscriber_is_notified_of_no_end_without_its_begin)
