/* A process that ends while work is in flight ends cleanly. Each case is a process of its own. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "test/harness/soon.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs `body` in a child, which then exits as if from main. */
static void in_child(void (*body)(void)) {
  fflush(stdout);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    check_case_end = NULL; /* a failed check leads nowhere: the child goes on, and reports it */
    body();
    exit(check_program.case_failed);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Objects that a child does not release. They are reachable, and so no leak. */
static volatile struct {
  ze_command_list_handle_t list;
  ze_command_queue_handle_t queue;
  ze_kernel_handle_t kernel;
  ze_event_handle_t event;
} left;

static void wait_for_an_event(void) {
  ze_command_list_handle_t list = left.list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t never = left.event = test_lone_event();
  OK(zeCommandListAppendBarrier(list, NULL, 1, &never));
}

static void copy_much(void) {
  enum { SIZE = 1 << 24 };
  ze_command_list_handle_t list = left.list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  char *memory = test_shared(2 * SIZE);
  for (int i = 0; i < 10; i++)
    OK(zeCommandListAppendMemoryCopy(list, memory, memory + SIZE, SIZE, NULL, 0, NULL));
}

static void launch_much(void) {
  ze_command_list_handle_t list = left.list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_kernel_handle_t kernel = left.kernel =
      test_kernel(test_module("test/kernels/basic.spv"), "nothing");
  const ze_group_count_t groups = {1, 1, 1};
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  for (int i = 0; i < 5000; i++)
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
}

static void run_a_list(void) {
  ze_command_queue_handle_t queue = left.queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t list = left.list = test_list();
  ze_event_handle_t never = left.event = test_lone_event();
  OK(zeCommandListAppendWaitOnEvents(list, 1, &never));
  OK(zeCommandListClose(list));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, test_fence(queue)));
}

static struct { ze_event_handle_t gate, done; } exit_events;

static void open_gate_and_wait(void) {
  OK(zeEventHostSignal(exit_events.gate));
  CHECK_SOON(zeEventQueryStatus(exit_events.done) == ZE_RESULT_SUCCESS);
  if (check_program.case_failed) _exit(1);
}

/* Registered before the list has work. */
static void wait_in_a_handler(void) {
  ze_command_list_handle_t list = left.list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  exit_events.gate = test_lone_event();
  exit_events.done = test_lone_event();
  CHECK(atexit(open_gate_and_wait) == 0);
  OK(zeCommandListAppendBarrier(list, exit_events.done, 1, &exit_events.gate));
}

TEST(an_event_is_awaited) {
  in_child(wait_for_an_event);
}

TEST(copies_are_queued) {
  in_child(copy_much);
}

TEST(kernels_are_queued) {
  in_child(launch_much);
}

TEST(a_list_is_run) {
  in_child(run_a_list);
}

TEST(a_handler_at_exit_waits_for_work) {
  in_child(wait_in_a_handler);
}

TEST_MAIN(an_event_is_awaited, copies_are_queued, kernels_are_queued, a_list_is_run,
    a_handler_at_exit_waits_for_work)
