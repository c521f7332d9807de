/* A subscriber to the ends of calls alone. */
#define _POSIX_C_SOURCE 200809L
#include "support/traced.h"

#include "syclze/trace/level_zero.h"

__attribute__((constructor)) static void set_environment(void) {
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  setenv("CHECKER_ENDS", "1", 1);
}

TEST(a_subscriber_to_ends_is_notified_of_every_call) { // shows promises 63, tracing 4 25
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  uint32_t line;
  traced_run(&t, &line);
  traced_end(&t);
  CHECK_EQ(c.count(CHECKER_UR, 24), 0);
  CHECK(c.count(CHECKER_UR, 25) > 40);
  CHECK_EQ(c.count(CHECKER_UR_DEBUG, 29), c.count(CHECKER_UR, 25));
  CHECK(c.count(CHECKER_ZE, 25) > 40);
  CHECK_EQ(c.count(CHECKER_ZE_DEBUG, 29), c.count(CHECKER_ZE, 25));
}

TEST_MAIN(a_subscriber_to_ends_is_notified_of_every_call)
