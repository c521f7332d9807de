/* The child of a fork in a program that has used command groups: it may exit at once, whatever is
   in flight in the parent, and its calls return an error. */
#define _POSIX_C_SOURCE 200809L
#include "support/made.h"
#include "support/spy.h"

#include "syclze/async_memory.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/command/graph_update.h"
#include "syclze/command/host_accessor.h"
#include "syclze/command/queue_order.h"
#include "syclze/external_memory.h"
#include "syclze/ipc.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HANG = 600 /* seconds */, BYTES = 64, GIVEN_UP = 77 };

static struct {
  struct given g;
  syclze_context context;
  syclze_queue queues[2]; /* in-order, out of order */
  void *memory;
  syclze_buffer buffer;
  syclze_event gate;
  atomic_int runs; /* the queues' host tasks may run at the same time */
} world;

static pid_t parent;
static int diagnostics_at_exit;

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  if (strcmp(diagnostic->function, "exit") == 0) diagnostics_at_exit++;
}

/* Registered first, so that it runs last: nothing was waited for in vain. */
static void leave_child(void) {
  if (getpid() != parent && diagnostics_at_exit != 0) _exit(GIVEN_UP);
}

__attribute__((constructor)) static void leave_last(void) {
  parent = getpid();
  atexit(leave_child);
}

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  world.runs++;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t host_task(syclze_queue queue, syclze_event before) {
  syclze_group group = syclze_group_begin(queue);
  if (before.rep != NULL) syclze_group_depends_on(&group, before);
  return syclze_group_host_task(&group, count_run, NULL, NULL);
}

static ze_result_t fill(syclze_queue queue, syclze_event *event) {
  const unsigned char one = 1;
  syclze_group group = syclze_group_begin(queue);
  return syclze_group_fill(&group, syclze_mem_arg(world.memory), &one, 1, BYTES, event);
}

static void begin(void) {
  static const syclze_diagnostic_handler handler = {note, NULL};
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  const syclze_event none = {NULL};
  given_needs_execution();
  memset(&world, 0, sizeof world);
  world.g = given();
  syclze_diagnostic_set_handler(&handler);
  world.context = made_context(&world.g, SYCLZE_OWNERSHIP_KEEP);
  const syclze_device device = made_device(&world.g);
  CHECK_EQ(
      syclze_queue_create(world.context, device, &in_order, &world.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(world.context, device, NULL, &world.queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(BYTES, device, world.context, &world.memory), ZE_RESULT_SUCCESS);
  const syclze_buffer_input input = {.native_handle = world.memory};
  CHECK_EQ(syclze_make_buffer(&input, world.context, &world.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(world.context, 0, &world.gate), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(host_task(world.queues[i], none), ZE_RESULT_SUCCESS);
    CHECK_EQ(fill(world.queues[i], NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(world.queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(world.runs, 2);
}

/* The parent is as before: what it has submitted runs. */
static void end(int runs) {
  CHECK_EQ(zeEventHostSignal(syclze_get_native(world.gate)), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_wait(world.queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(world.queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(world.runs, runs);
  CHECK_EQ(syclze_buffer_release(world.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(world.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(world.context), ZE_RESULT_SUCCESS);
  syclze_diagnostic_set_handler(NULL);
  given_end(&world.g);
}

static pid_t parent;

/* Another thread may hold the sanitizer's allocator at the fork: the search for leaks at the
   child's exit would wait for it without end. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
  return parent != 0 && getpid() != parent;
}

/* Runs the body in a child that exits. A failed check in the child is a failure here. */
static void in_fork(void (*body)(void)) {
  int status = -1;
  fflush(stdout);
  parent = getpid();
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    check_case_end = NULL;
    alarm(HANG);
    if (body != NULL) body();
    exit(check_program.case_failed);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
}

TEST(a_child_exits_while_workers_are_idle) {
  begin();
  in_fork(NULL);
  end(2);
}

TEST(a_child_exits_while_a_host_task_waits) { // shows promises 60
  begin();
  CHECK_EQ(host_task(world.queues[1], world.gate), ZE_RESULT_SUCCESS);
  in_fork(NULL);
  end(3);
}

static void use_in_child(void) {
  const syclze_event none = {NULL};
  syclze_event event;
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(fill(world.queues[i], NULL), ZE_RESULT_ERROR_UNINITIALIZED);
    CHECK_EQ(fill(world.queues[i], &event), ZE_RESULT_ERROR_UNINITIALIZED);
    CHECK_EQ(event.rep, NULL);
    CHECK_EQ(host_task(world.queues[i], none), ZE_RESULT_ERROR_UNINITIALIZED);
    CHECK_EQ(syclze_queue_submit_barrier(world.queues[i], NULL), ZE_RESULT_ERROR_UNINITIALIZED);
    CHECK_EQ(syclze_queue_wait(world.queues[i]), ZE_RESULT_ERROR_UNINITIALIZED);
  }
  CHECK_EQ(syclze_event_wait(world.gate), ZE_RESULT_ERROR_UNINITIALIZED);
  const syclze_device device = syclze_context_get_device(world.context, 0);
  ze_external_memory_type_flags_t imports, exports;
  ze_ipc_property_flags_t flags;
  CHECK_EQ(syclze_ipc_get_support(syclze_device_get_platform(device), &flags),
      ZE_RESULT_ERROR_UNINITIALIZED);
  CHECK_EQ(syclze_external_memory_get_support(device, &imports, &exports),
      ZE_RESULT_ERROR_UNINITIALIZED);
}

static void release_in_child(void) {
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_release(world.queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(world.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(world.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(world.context), ZE_RESULT_SUCCESS);
}

TEST(submissions_and_waits_of_a_child_return_an_error) { // shows promises 60
  begin();
  CHECK_EQ(host_task(world.queues[1], world.gate), ZE_RESULT_SUCCESS);
  in_fork(use_in_child);
  end(3);
}

/* The buffer's and the queues' work is in flight in the parent. */
TEST(releases_of_a_child_do_not_wait) {
  begin();
  CHECK_EQ(host_task(world.queues[0], world.gate), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(world.queues[1]);
  syclze_require(&group, world.buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, world.gate);
  CHECK_EQ(syclze_group_host_task(&group, count_run, NULL, NULL), ZE_RESULT_SUCCESS);
  in_fork(release_in_child);
  end(4);
}

static struct {
  syclze_memory_pool pool;
  void *used;
  syclze_graph graph;
  syclze_executable_graph executable[2]; /* the second is updatable */
  syclze_event event;                    /* that waits for the gate */
  syclze_event unused;
  syclze_host_accessor accessor;
} locked;

static void use_locked_in_child(void) {
  uint32_t count = 0;
  syclze_graph recorded;
  syclze_event waits;
  CHECK_EQ(syclze_memory_pool_get_threshold(locked.pool), 7);
  CHECK_EQ(syclze_memory_pool_increase_threshold_to(locked.pool, 8), ZE_RESULT_ERROR_UNINITIALIZED);
  CHECK_EQ(syclze_memory_pool_get_used_size(locked.pool), BYTES);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(locked.pool), BYTES);
  CHECK_EQ(syclze_free_async(world.queues[1], locked.used, NULL, 0, NULL),
      ZE_RESULT_ERROR_UNINITIALIZED);
  CHECK_EQ(syclze_memory_pool_release(locked.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_memory_pool_release(locked.pool), ZE_RESULT_SUCCESS); /* that of the memory */
  CHECK_EQ(syclze_graph_get_node_count(locked.graph), 1);
  CHECK_EQ(syclze_graph_get_roots(locked.graph, &count, NULL), ZE_RESULT_ERROR_UNINITIALIZED);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_submit_graph(world.queues[i], locked.executable[0], NULL),
        ZE_RESULT_ERROR_UNINITIALIZED);
    CHECK_EQ(syclze_queue_submit_graph(world.queues[i], locked.executable[1], NULL),
        ZE_RESULT_ERROR_UNINITIALIZED);
    syclze_group group = syclze_group_begin(world.queues[i]);
    CHECK_EQ(syclze_group_record_graph(&group, locked.graph, NULL), ZE_RESULT_ERROR_UNINITIALIZED);
  }
  CHECK_EQ(syclze_executable_graph_update(locked.executable[1], locked.graph),
      ZE_RESULT_ERROR_UNINITIALIZED);
  const unsigned calls = spy_calls();
  CHECK_EQ(syclze_host_accessor_release(locked.accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_calls(), calls); /* the parent's access goes on */
  CHECK_EQ(
      syclze_graph_end_recording(locked.graph, world.queues[0]), ZE_RESULT_ERROR_UNINITIALIZED);
  CHECK_EQ(syclze_queue_get_graph(world.queues[0], &recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(recorded.rep, locked.graph.rep);
  CHECK_EQ(syclze_graph_release(recorded), ZE_RESULT_SUCCESS);
  count = 1;
  CHECK_EQ(
      syclze_queue_get_wait_list(world.queues[1], locked.event, &count, &waits), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 0);
  CHECK_EQ(syclze_graph_release(locked.graph), ZE_RESULT_SUCCESS);
  CHECK(!syclze_queue_is_recording(world.queues[0]));
  CHECK_EQ(fill(world.queues[0], NULL), ZE_RESULT_ERROR_UNINITIALIZED);
  CHECK_EQ(syclze_event_release(locked.unused), ZE_RESULT_SUCCESS);
}

/* At the fork another thread may hold the locks of the pools, also of events, of a graph and of the
 * queues. */
TEST(a_child_needs_no_lock_of_a_pool_a_graph_or_a_queue) {
  static const syclze_memory_pool_properties properties = {.initial_threshold = 7};
  begin();
  const syclze_device device = syclze_context_get_device(world.context, 0);
  CHECK_EQ(syclze_memory_pool_create(
               ZE_MEMORY_TYPE_DEVICE, device, world.context, &properties, &locked.pool),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_async_from_pool(
               world.queues[1], BYTES, locked.pool, &locked.used, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(world.context, device, &locked.graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(locked.graph, world.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(fill(world.queues[0], NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier_after(world.queues[1], &world.gate, 1, &locked.event),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(world.context, 0, &locked.unused), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(locked.graph, 0, &locked.executable[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(locked.graph, SYCLZE_GRAPH_UPDATABLE, &locked.executable[1]),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_create(world.buffer, SYCLZE_ACCESS_WRITE, &locked.accessor),
      ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(world.queues[1]);
  syclze_require(&group, world.buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_SUCCESS); /* behind the accessor */
  uint8_t *const locks[] = {(uint8_t *)&locked.graph.rep->lock,
      (uint8_t *)&world.context.rep->memory_pools->lock,
      (uint8_t *)&syclze__queue_state_get(world.queues[0].rep)->lock,
      (uint8_t *)&syclze__queue_state_get(world.queues[1].rep)->lock,
      (uint8_t *)&world.context.rep->event_pools->lock};
  enum { LOCKS = sizeof locks / sizeof *locks };
  for (int i = 0; i < LOCKS; i++)
    locks[i][0] = 1;
  in_fork(use_locked_in_child);
  for (int i = 0; i < LOCKS; i++)
    locks[i][0] = 0;
  CHECK_EQ(syclze_host_accessor_release(locked.accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(locked.event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(locked.unused), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_executable_graph_release(locked.executable[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(locked.graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free_async(world.queues[1], locked.used, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_memory_pool_release(locked.pool), ZE_RESULT_SUCCESS);
  end(2);
}

TEST_MAIN(a_child_exits_while_workers_are_idle, a_child_exits_while_a_host_task_waits,
    submissions_and_waits_of_a_child_return_an_error, releases_of_a_child_do_not_wait,
    a_child_needs_no_lock_of_a_pool_a_graph_or_a_queue)
