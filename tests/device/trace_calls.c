/* Every public function that makes one is a call of the runtime interface, by its name; its
   parameters are compared in tests/xpti/printed.c. */
#define _POSIX_C_SOURCE 200809L
#include "support/traced_calls.h"

#include "syclze/trace/xpti.h"

static struct checker c;

__attribute__((constructor)) static void share_memory(void) {
  given_environment("ZECL_IPC", "1");
}

static void check_seen(const char *function, const char *format, ...) {
  (void)format;
  if (c.seen(CHECKER_UR, 0, function) == 0) CHECK_STR_EQ("not called", function);
}

// shows queues 35, memory 20, graphs 34, tracing 1 25 26
TEST(functions_are_calls_of_the_runtime_interface) {
  given_needs_execution();
  c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  traced_calls(&t, check_seen);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
  for (int type = 24; type <= 28; type += 4)
    CHECK_EQ(c.count(CHECKER_UR, type), c.count(CHECKER_UR, type + 1));
}

TEST_MAIN(functions_are_calls_of_the_runtime_interface)
