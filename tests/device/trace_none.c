/* A file without trace points, in a program whose other files have them. */
#define _POSIX_C_SOURCE 200809L
#include "support/traced.h"
#include "support/untraced.h"

#include "syclze/trace/xpti.h"

TEST(a_file_without_trace_points_emits_nothing) { // shows tracing 3
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2025.so");
  untraced_run();
  for (int stream = 0; stream < CHECKER_STREAMS; stream++)
    for (int type = 0; type < 256; type++)
      CHECK_EQ(c.count(stream, type), 0);

  /* The subscriber is notified of files with trace points. */
  struct traced t = traced_begin();
  traced_end(&t);
  CHECK(c.count(CHECKER_SYCL, 42) == 1);
}

TEST_MAIN(a_file_without_trace_points_emits_nothing)
