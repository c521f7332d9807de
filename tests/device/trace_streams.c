/* Notifications in the specification's form, and diagnostics for libraries that are not a
   framework. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include "support/traced.h"

#include "syclze/trace/level_zero.h"

/* Before the loader starts. */
__attribute__((constructor)) static void set_environment(void) {
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  setenv("TRACE_LEVEL", "3", 1);
}

static int refusals;

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  if (diagnostic->result == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE) refusals++;
}

static const syclze_diagnostic_handler notes = {note, NULL};

static void unbind(void) {
  syclze__lock_acquire(&SYCLZE__STATE.trace_lock);
  syclze__xpti_switch(0);
  syclze__lock_release(&SYCLZE__STATE.trace_lock);
}

/* The program continues; nothing was bound yet in this process. */
static void check_refused(const char *library, int times) {
  syclze_diagnostic_set_handler(&notes);
  unbind();
  refusals = 0;
  given_environment("XPTI_FRAMEWORK_DISPATCHER", library);
  for (int i = 0; i < 2; i++) {
    struct given g = given();
    syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
    void *memory;
    CHECK_EQ(syclze_malloc_host(64, context, &memory), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
    given_end(&g);
  }
  CHECK_EQ(refusals, times);
  syclze_diagnostic_set_handler(NULL);
  given_environment("XPTI_FRAMEWORK_DISPATCHER", NULL);
  unbind();
}

TEST(without_the_variable_there_is_no_diagnostic) {
  check_refused(NULL, 0);
}

TEST(a_missing_library_gives_one_diagnostic) {
  check_refused("/nowhere/libxptifw.so", 1);
}

TEST(a_file_that_is_not_a_library_gives_one_diagnostic) {
  check_refused("tests/kernels/graph.spv", 1);
}

TEST(a_library_that_is_not_a_framework_gives_one_diagnostic) {
  check_refused(traced_library("checker.so"), 1);
}

TEST(unsupported_framework_generations_give_one_diagnostic) {
  check_refused(traced_library("framework_1.so"), 1);
  check_refused(traced_library("framework_2.so"), 1);
}

TEST(every_row_is_emitted_with_correct_fields) { // shows promises 64, tracing 2 5-19 21-34
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  uint32_t line;
  const bool images = traced_run(&t, &line);
  const uint32_t nodes = c.count(CHECKER_SYCL, 4), tasks = c.count(CHECKER_SYCL, 10);
  CHECK_EQ(nodes, tasks);
  CHECK_EQ(c.line("graph_mix"), line);
  const uint32_t queries = c.seen(CHECKER_ZE, 0, "zeDeviceGetProperties");
  /* The host task waits for the launch, its copy for it, and the copy from an image for that to it.
   */
  CHECK_EQ(c.seen(CHECKER_SYCL, 6, "memory_object"), 2u + images);
  traced_repeat(&t, 5);
  /* The properties of a device are queried once. */
  CHECK_EQ(c.seen(CHECKER_ZE, 0, "zeDeviceGetProperties"), queries);
  /* And the barrier of its wait. */
  CHECK_EQ(c.count(CHECKER_SYCL, 4), nodes + 2 + 1);
  CHECK_EQ(c.count(CHECKER_SYCL, 10), tasks + 2 * 5 + 1);
  const uint32_t copies = c.seen(CHECKER_SYCL, 4, "memory_transfer_node");
  traced_across(&t);
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "memory_transfer_node"), copies + 2 + 2);
  traced_end(&t);

  CHECK_STR_EQ(c.wrong(), NULL);
  /* A buffer's memory in another context, and an image; with them the memory of three buffers. */
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "memory_allocation_node"), 1u + images);
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "memory_deallocation_node"), 4u + images);
  CHECK_EQ(c.count(CHECKER_SYCL, 2), 1);
  static const int emitted[] = {4, 6, 10, 11, 12, 13, 16, 22, 23, 42, 43, 126};
  for (size_t i = 0; i < sizeof emitted / sizeof *emitted; i++)
    CHECK(c.count(CHECKER_SYCL, emitted[i]) >= 1);
  CHECK_EQ(c.count(CHECKER_SYCL, 10), c.count(CHECKER_SYCL, 11));
  CHECK_EQ(c.count(CHECKER_SYCL, 16), c.count(CHECKER_SYCL, 11));
  CHECK_EQ(c.count(CHECKER_SYCL, 42), c.count(CHECKER_SYCL, 43));
  CHECK_EQ(c.seen(CHECKER_SYCL, 42, "call site"), c.count(CHECKER_SYCL, 42));
  CHECK(c.seen(CHECKER_SYCL, 12, "enqueue.barrier[Unknown reason]") >= 1);
  static const char *const node[] = {"kernel_name", "from_source", "sym_function_name",
      "sym_source_file_name", "sym_line_no", "sym_column_no", "memory_object", "offset",
      "access_range_start", "access_range_end", "allocation_type", "copy_from", "copy_to",
      "device_id", "device_name", "memory_size", "src_memory_ptr", "dest_memory_ptr", "memory_ptr",
      "value_set", "enqueue_kernel_data", "arg0", "arg1", "arg2", "arg3"};
  for (size_t i = 0; i < sizeof node / sizeof *node; i++)
    if (c.seen(CHECKER_SYCL, 4, node[i]) == 0) CHECK_STR_EQ(node[i], "on a node");
  static const char *const edge[] = {"access_mode", "memory_object", "event"};
  for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
    CHECK(c.seen(CHECKER_SYCL, 6, edge[i]) >= 1);
  CHECK(c.seen(CHECKER_SYCL, 12, "enqueue.barrier[Blocked by host task]") >= 1);
  CHECK(c.seen(CHECKER_SYCL, 16, "native event") >= 1);
  static const char *const place[] = {
      "sym_function_name", "sym_source_file_name", "sym_line_no", "sym_column_no"};
  static const int placed[] = {4, 10, 11, 12, 13, 16, 22, 23, 126};
  for (size_t i = 0; i < sizeof placed / sizeof *placed; i++)
    for (size_t j = 0; j < sizeof place / sizeof *place; j++)
      CHECK(c.seen(CHECKER_SYCL, placed[i], place[j]) >= 1);
  /* Each diagnostic has its call site, those of refused makes too. */
  CHECK_EQ(c.seen(CHECKER_SYCL, 126, "sym_line_no"), c.count(CHECKER_SYCL, 126));
  CHECK(c.seen(CHECKER_SYCL, 22, "event.wait") >= 1);
  CHECK(c.seen(CHECKER_SYCL, 22, "queue.wait") >= 1);
  static const int of_nodes[] = {10, 11, 16};
  for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
    for (size_t j = 0; j < sizeof node / sizeof *node; j++)
      if (c.seen(CHECKER_SYCL, of_nodes[i], node[j]) == 0) CHECK_STR_EQ(node[j], "on a task");

  CHECK_EQ(c.count(CHECKER_BUFFER, 36), 4);
  CHECK_EQ(c.count(CHECKER_BUFFER, 38), 4);
  CHECK_EQ(c.count(CHECKER_BUFFER, 37), 4);
  CHECK_EQ(c.count(CHECKER_BUFFER, 39), 4);
  CHECK_EQ(c.count(CHECKER_BUFFER, 40), 4 + 4 * 5 + 2);
  CHECK_EQ(c.count(CHECKER_MEM_ALLOC, 32), 6);
  CHECK_EQ(c.count(CHECKER_MEM_ALLOC, 33), 6);
  /* One allocation fails. */
  CHECK_EQ(c.seen(CHECKER_MEM_ALLOC, 33, "pointer"), 5);
  CHECK_EQ(c.count(CHECKER_MEM_ALLOC, 34), 1);
  CHECK_EQ(c.count(CHECKER_MEM_ALLOC, 35), 1);
  for (int type = 36; type <= 39 && images; type++)
    CHECK_EQ(c.count(CHECKER_IMAGE, type), 1);
  if (images) CHECK_EQ(c.count(CHECKER_IMAGE, 40), 2);

  static const char *const calls[] = {"urPlatformCreateWithNativeHandle",
      "urDeviceCreateWithNativeHandle", "urContextCreateWithNativeHandle", "urQueueCreate",
      "urProgramCreateWithNativeHandle", "urKernelCreateWithNativeHandle",
      "urMemBufferCreateWithNativeHandle", "urEventCreateWithNativeHandle", "urContextRetain",
      "urContextRelease", "urQueueRelease", "urEventRelease", "urKernelRelease", "urProgramRelease",
      "urMemRelease", "urEnqueueKernelLaunchWithArgsExp", "urEnqueueUSMMemcpy", "urEnqueueUSMFill",
      "urEnqueueUSMPrefetch", "urEnqueueUSMAdvise", "urEnqueueEventsWaitWithBarrierExt",
      "urEnqueueNativeCommandExp", "urQueueFinish", "urEventWait", "urUSMSharedAlloc", "urUSMFree"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    for (int stream = CHECKER_UR; stream <= CHECKER_UR_DEBUG; stream++)
      if (c.seen(stream, 0, calls[i]) == 0) CHECK_STR_EQ(calls[i], "as a call");
  CHECK_EQ(c.count(CHECKER_UR, 28), 0);
  CHECK_EQ(c.count(CHECKER_UR, 24), c.count(CHECKER_UR_DEBUG, 28));

  CHECK(c.seen(CHECKER_ZE, 0, "zeCommandListAppendLaunchKernel") == 1 + 2 * 5);
  CHECK(c.seen(CHECKER_ZE_DEBUG, 0, "zeCommandListAppendLaunchKernel") == 1 + 2 * 5);
}

TEST_MAIN(without_the_variable_there_is_no_diagnostic, a_missing_library_gives_one_diagnostic,
    a_file_that_is_not_a_library_gives_one_diagnostic,
    a_library_that_is_not_a_framework_gives_one_diagnostic,
    unsupported_framework_generations_give_one_diagnostic, every_row_is_emitted_with_correct_fields)
