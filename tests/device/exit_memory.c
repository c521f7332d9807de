/* Process exit where memory stays short: a queue that was released without memory for the event
   that marks the end of its work is given up, soon, and nothing else is. */
#define _POSIX_C_SOURCE 200809L
#include "support/failing.h"

#include "support/child.h"
#include "support/lacking.h"
#include "support/made.h"

#include <unistd.h>

enum { BYTES = 64, UNDONE = 99 };

/* Reachable, so that leak checkers do not report them: the queue is given up. */
static struct given given_at_exit;
static syclze_queue queue;
static void *memory;
static atomic_int queues_left, all_left, runs;

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  if (strcmp(diagnostic->function, "exit") == 0) atomic_fetch_add(&all_left, 1);
  if (strstr(diagnostic->rule, "completion of its work is unknown") != NULL)
    atomic_fetch_add(&queues_left, 1);
}

/* Registered before the library's handler, so that it runs after it. */
static void check_left(void) {
  if (atomic_load(&queues_left) != 1 || atomic_load(&all_left) != 0 || atomic_load(&runs) != 1)
    _exit(UNDONE);
}

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  atomic_fetch_add(&runs, 1);
  return ZE_RESULT_SUCCESS;
}

static int leave_without_memory(int unused) {
  static const syclze_diagnostic_handler handler = {note, NULL};
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  const unsigned char one = 1;
  syclze_queue other;
  syclze_event gate;
  (void)unused;
  atexit(check_left);
  given_at_exit = given();
  const syclze_device device = made_device(&given_at_exit);
  const syclze_context context = made_context_here(&given_at_exit, SYCLZE_OWNERSHIP_KEEP);
  syclze_diagnostic_set_handler(&handler);
  CHECK_EQ(syclze_queue_create(context, device, &in_order, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(BYTES, device, context, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(context, 0, &gate), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(other);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_host_task(&group, count_run, NULL, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(memory), &one, 1, BYTES, NULL), ZE_RESULT_SUCCESS);
  lacking_list_waits();
  failing_from(1);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  return 0;
}

TEST(exit_gives_up_a_queue_whose_end_no_memory_marks) {
  given_needs_execution();
  CHECK_EQ(in_child(leave_without_memory, 0), 0);
}

TEST_MAIN(exit_gives_up_a_queue_whose_end_no_memory_marks)
