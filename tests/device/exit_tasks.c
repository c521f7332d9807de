/* Process exit with command groups and host tasks in flight: exit waits for host tasks, abandons
   those that can never start, and returns. Each case is a process of its own. */
#define _POSIX_C_SOURCE 200809L
#include "support/child.h"
#include "support/made.h"

#include <stdatomic.h>
#include <unistd.h>

enum { BYTES = 64, GROUPS = 40, UNDONE = 99 };

static struct {
  struct given g; /* reachable, so that LeakSanitizer does not report it */
  syclze_device device;
  syclze_context context;
  syclze_queue queues[3];
  void *memory;
  syclze_buffer buffer;
  syclze_event gate;
  atomic_int runs, expected;
  atomic_int diagnostics;
} late;

/* Registered before syclze's first handler, so that it runs after syclze's last. */
static void check_done(void) {
  if (atomic_load(&late.runs) == atomic_load(&late.expected)) return;
  printf("%d host tasks of %d have run\n", atomic_load(&late.runs), atomic_load(&late.expected));
  fflush(stdout);
  _exit(UNDONE);
}

/* A driver with an exit handler has registered it by the time it has pending work. */
static void begin_work(void) {
  const unsigned char zero = 0;
  syclze_event event;
  CHECK_EQ(syclze_event_create(late.context, 0, &event), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(late.queues[0]);
  syclze_group_depends_on(&group, event);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(late.memory), &zero, 1, BYTES, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(event)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(late.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
}

static void begin(void) {
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  atexit(check_done);
  late.g = given();
  late.device = made_device(&late.g);
  late.context = made_context(&late.g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(late.context, late.device, &in_order, &late.queues[0]),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_queue_create(late.context, late.device, NULL, &late.queues[1]), ZE_RESULT_SUCCESS);
  late.queues[2] = made_queue(&late.g, late.context, syclze_native_queue_of(given_queue(&late.g)),
      SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_malloc_shared(BYTES, late.device, late.context, &late.memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = late.memory};
  CHECK_EQ(syclze_make_buffer(&input, late.context, &late.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(late.context, 0, &late.gate), ZE_RESULT_SUCCESS);
  begin_work();
}

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  atomic_fetch_add(&late.runs, 1);
  return ZE_RESULT_SUCCESS;
}

static void host_task(syclze_queue queue, syclze_event before) {
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, late.buffer, SYCLZE_ACCESS_READ_WRITE);
  syclze_group_depends_on(&group, before);
  CHECK_EQ(syclze_group_host_task(&group, count_run, NULL, NULL), ZE_RESULT_SUCCESS);
  atomic_fetch_add(&late.expected, 1);
}

/* Commands and host tasks alternately, each waiting for the previous one, on all queues. */
static void submit(void) {
  const syclze_event none = {NULL};
  for (int i = 0; i < GROUPS; i++) {
    const unsigned char value = (unsigned char)i;
    syclze_group group = syclze_group_begin(late.queues[i % 3]);
    if (i == 0) syclze_group_depends_on(&group, late.gate);
    syclze_accessor all = syclze_require(&group, late.buffer, SYCLZE_ACCESS_WRITE);
    CHECK_EQ(
        syclze_group_fill(&group, syclze_mem_arg(all), &value, 1, BYTES, NULL), ZE_RESULT_SUCCESS);
    host_task(late.queues[i % 2], none);
  }
}

static void open_gate(void) {
  CHECK_EQ(zeEventHostSignal(syclze_get_native(late.gate)), ZE_RESULT_SUCCESS);
}

/* The application still holds all references at exit. */
static int leave(int unused) {
  (void)unused;
  begin();
  submit();
  open_gate();
  return 0;
}

/* The transferred buffer and the queues are released while their work is in flight. */
static int leave_released(int unused) {
  (void)unused;
  begin();
  submit();
  CHECK_EQ(syclze_release(late.buffer), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_release(late.queues[i]), ZE_RESULT_SUCCESS);
  open_gate();
  return 0;
}

static ze_result_t leave_inside(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  exit(0);
}

/* A host task calls exit; the others run all the same. */
static int leave_by_a_task(int unused) {
  (void)unused;
  begin();
  syclze_group group = syclze_group_begin(late.queues[1]);
  syclze_group_depends_on(&group, late.gate);
  CHECK_EQ(syclze_group_host_task(&group, leave_inside, NULL, NULL), ZE_RESULT_SUCCESS);
  submit();
  open_gate();
  while (pause() != 0)
    continue;
  return UNDONE;
}

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  if (strcmp(diagnostic->function, "exit") == 0 && diagnostic->result == ZE_RESULT_NOT_READY)
    atomic_fetch_add(&late.diagnostics, 1);
}

static void check_given_up(void) {
  if (atomic_load(&late.diagnostics) != 1) _exit(UNDONE);
}

/* Host tasks that wait for an event that is never signalled, in every waiter slot and in the queue.
   Those that can run do. */
static int leave_stuck(int unused) {
  static const syclze_diagnostic_handler handler = {note, NULL};
  (void)unused;
  atexit(check_given_up);
  begin();
  syclze_diagnostic_set_handler(&handler);
  submit();
  open_gate();
  syclze_event never;
  CHECK_EQ(syclze_event_create(late.context, 0, &never), ZE_RESULT_SUCCESS);
  for (int i = 0; i < SYCLZE__WORKERS + 2; i++) {
    syclze_group group = syclze_group_begin(late.queues[1]);
    syclze_group_depends_on(&group, never);
    CHECK_EQ(syclze_group_host_task(&group, count_run, NULL, NULL), ZE_RESULT_SUCCESS);
  }
  return 0;
}

static void check_child(int (*body)(int unused)) {
  given_needs_execution();
  CHECK_EQ(in_child(body, 0), 0);
}

TEST(exit_waits_for_host_tasks) {
  check_child(leave);
}

TEST(exit_waits_for_host_tasks_of_released_objects) {
  check_child(leave_released);
}

TEST(a_host_task_may_call_exit) {
  check_child(leave_by_a_task);
}

TEST(exit_abandons_tasks_that_can_never_start) {
  check_child(leave_stuck);
}

TEST_MAIN(exit_waits_for_host_tasks, exit_waits_for_host_tasks_of_released_objects,
    a_host_task_may_call_exit, exit_abandons_tasks_that_can_never_start)
