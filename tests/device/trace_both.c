/* A tracing framework and a recorded trace in one program: both get every event. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include <stdbool.h>
#include <level_zero/ze_api.h>
#include <stdlib.h>
#include <string.h>

/* Allocations of `lacking` bytes fail. */
static size_t lacking;
static void *lacking_malloc(size_t size) {
  return size != 0 && size == lacking ? NULL : malloc(size);
}
#define malloc lacking_malloc

/* Named in place of any kernel's own name, unless null. */
static const char *kernel_name;
static ze_result_t named(ze_kernel_handle_t kernel, size_t *size, char *name) {
  if (kernel_name == NULL) return zeKernelGetName(kernel, size, name);
  const size_t whole = strlen(kernel_name) + 1;
  if (name == NULL || *size > whole) *size = whole;
  if (name != NULL) memcpy(name, kernel_name, *size);
  return ZE_RESULT_SUCCESS;
}
#define zeKernelGetName named
#include "support/traced.h"

#include "syclze/trace/writer.h"
#include "syclze/trace/xpti.h"
#undef malloc
#undef zeKernelGetName

__attribute__((constructor)) static void set_environment(void) {
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  setenv("TRACE_LEVEL", "2", 1);
  setenv("CHECKER_WITHOUT", "ur.call.debug", 1);
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

/* Compilers put the types of templates into names: the begin of two is often the same. */
TEST(kernels_with_long_names_of_one_call_site_are_two_nodes) { // shows tracing 7
  given_needs_execution();
  enum { LONG = 300 };
  const struct checker c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  const syclze_nd_range whole = {{256, 0, 0}, {64, 0, 0}, {0, 0, 0}, 1};
  void *memory;
  CHECK_EQ(syclze_malloc_shared(1024, t.device, t.context, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    static char name[LONG + 1], submission[LONG + 64];
    memset(name, 'k', LONG);
    name[LONG - 1] = (char)('a' + i);
    syclze_kernel kernel = made_kernel(t.bundle, t.g.kernel, t.context, SYCLZE_OWNERSHIP_KEEP);
    CHECK_EQ(syclze_trace_name_object(t.g.kernel, name), ZE_RESULT_SUCCESS);
    kernel_name = name;
    CHECK_EQ(syclze_queue_launch(t.queue, kernel, &whole, NULL, 0, NULL, syclze_arg(memory),
                 syclze_arg(memory), syclze_arg(3u), syclze_arg(1u)),
        ZE_RESULT_SUCCESS);
    kernel_name = NULL;
    CHECK(c.line(name) != 0);
    snprintf(submission, sizeof submission, "syclze_queue_launch %s (trace_both.c:", name);
    CHECK_EQ(recorded(SYCLZE__RECORD_CALL, submission), 1);
    CHECK_EQ(syclze_queue_wait(t.queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_free(memory, t.context), ZE_RESULT_SUCCESS);
  traced_end(&t);
}

TEST_MAIN(the_framework_and_the_writer_get_the_same_events,
    the_framework_is_notified_when_the_writer_stops, without_memory_the_framework_is_notified_alone,
    kernels_with_long_names_of_one_call_site_are_two_nodes)
