/* A tracing framework and a recorded trace in one program: both get every event. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include <stdbool.h>
#include <stdlib.h>

/* Allocations of `lacking` bytes fail. */
static size_t lacking;
static void *lacking_malloc(size_t size) {
  return size != 0 && size == lacking ? NULL : malloc(size);
}
#define malloc lacking_malloc
#include "support/traced.h"

#include "syclze/trace/writer.h"
#include "syclze/trace/xpti.h"
#undef malloc

__attribute__((constructor)) static void set_environment(void) {
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  setenv("TRACE_LEVEL", "2", 1);
}

/* Records of the kind whose names have the prefix. */
static uint64_t recorded(enum syclze__record_kind kind, const char *name) {
  struct syclze__snapshot snapshot;
  uint64_t count = 0;
  CHECK(syclze__snapshot_take(SYCLZE__STATE.recorder->rings, &snapshot));
  for (size_t i = 0; i < snapshot.count; i++)
    count += snapshot.records[i].kind == (uint32_t)kind &&
             strncmp(snapshot.records[i].name, name, strlen(name)) == 0;
  free(snapshot.records);
  return count;
}

TEST(the_framework_and_the_writer_get_the_same_events) {
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  /* The kernel was created before the trace, which queries its name. */
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  uint32_t line;
  traced_run(&t, &line);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
  CHECK_EQ(c.line("graph_mix"), line);
  CHECK(c.count(CHECKER_SYCL, 4) >= 1);
  CHECK_EQ(c.count(CHECKER_SYCL, 4), c.count(CHECKER_SYCL, 11));
  CHECK_EQ(recorded(SYCLZE__RECORD_TASK, "host task (traced.c:"), 1);
  CHECK_EQ(recorded(SYCLZE__RECORD_CALL, "syclze_group_launch graph_mix (traced.c:"), 1);
}

/* The framework is bound already. */
TEST(the_framework_is_notified_when_the_writer_stops) {
  given_needs_execution();
  if (SYCLZE__STATE.xpti == NULL) SKIP("runs after the first case");
  struct traced t = traced_begin();
  uint32_t line;
  syclze__submissions_record(false);
  CHECK(SYCLZE__STATE.trace_commands != NULL);
  traced_run(&t, &line);
  CHECK_EQ(recorded(SYCLZE__RECORD_TASK, "host task"), 1);
  syclze__submissions_record(true);
  traced_run(&t, &line);
  CHECK_EQ(recorded(SYCLZE__RECORD_TASK, "host task"), 2);
  traced_end(&t);
}

/* The writer is second: its nodes end at once, and its host task is not recorded. */
TEST(without_memory_the_framework_is_notified_alone) {
  given_needs_execution();
  if (SYCLZE__STATE.xpti == NULL) SKIP("runs after the first case");
  struct traced t = traced_begin();
  uint32_t line;
  lacking = sizeof(struct syclze__fan_out_node);
  traced_run(&t, &line);
  lacking = 0;
  CHECK_EQ(recorded(SYCLZE__RECORD_TASK, "host task"), 2);
  traced_end(&t);
}

TEST_MAIN(the_framework_and_the_writer_get_the_same_events,
    the_framework_is_notified_when_the_writer_stops, without_memory_the_framework_is_notified_alone)
