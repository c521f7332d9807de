/* An older framework, in which all events of a call site are one: none is released. */
#define _POSIX_C_SOURCE 200809L
#include "support/traced.h"

#include "syclze/trace/xpti.h"

TEST(an_older_framework_gets_the_same_notifications) {
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2023.so");
  struct traced t = traced_begin();
  uint32_t line;
  traced_run(&t, &line);
  const uint32_t nodes = c.count(CHECKER_SYCL, 4), tasks = c.count(CHECKER_SYCL, 10);
  const bool images = traced_run(&t, &line);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
  CHECK_EQ(c.line("graph_mix"), line);
  CHECK(nodes >= 10);
  /* Memory is freed without a call site: the image's, and at the end two buffers'. */
  CHECK_EQ(c.count(CHECKER_SYCL, 4), nodes + images + 2);
  CHECK_EQ(c.count(CHECKER_SYCL, 10), 2 * tasks + 2);
  CHECK_EQ(c.count(CHECKER_SYCL, 11), 2 * tasks + 2);
}

TEST_MAIN(an_older_framework_gets_the_same_notifications)
