/* Host tasks that append to their own native queue, what depends on them, and kernels that are
   released or shared while their launches are under way. */
#include "support/native_task.h"

#include <time.h>

static struct scene_base scene;
static syclze_kernel kernel;

static void begin(enum strict_policy policy) {
  strict_begin(1, policy);
  scene_begin(&scene);
  kernel = scene_kernel(&scene, "node");
}

static void end(void) {
  scene_end_with(&scene, kernel);
}

static syclze_queue queue_of(int kind) {
  return scene_queue_of(&scene, kind);
}

static void launch(syclze_queue queue, struct node *node, syclze_event before, bool wants_event,
    syclze_event *event) {
  scene_launch(queue, kernel, node, before, wants_event ? event : NULL);
}

static const syclze_event no_event = {NULL};

/* The dependent is submitted while the task runs, and stands in no native list until it has. */
static void append_and_depend(int kind, enum way way) {
  begin(STRICT_NEWEST);
  syclze_queue queue = queue_of(kind);
  struct node *own = node_after(NULL);
  struct node *after = node_after(way == LEAVES && kind != IN_ORDER ? NULL : own);
  struct task task = task_begin(&scene, own, way, kind != COMMAND_QUEUE);
  syclze_event event, later;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, task_run, &task, &event), ZE_RESULT_SUCCESS);
  wait_for(&task.runs);
  launch(queue, after, event, true, &later);
  CHECK_EQ(strict_pending(), 0);
  __atomic_store_n(&task.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_event_wait(later), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(task.done, UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(later), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  node_end(own);
  node_end(after);
  task_end(&task);
  end();
}

TEST(a_host_task_appends_to_its_own_queue) { // shows promises 1, interop 18
  for (int kind = 0; kind < KINDS; kind++)
    for (int way = 0; way < WAYS; way++)
      append_and_depend(kind, (enum way)way);
}

/* On an in-order queue all that follows waits for the task, with or without an event, and goes
   on in order. */
TEST(an_in_order_queue_goes_on_after_a_host_task_that_appends) { // shows promises 1
  for (int way = 0; way < WAYS; way++) {
    enum { FOLLOWING = 5 };
    begin(STRICT_NEWEST);
    syclze_queue queue = queue_of(IN_ORDER);
    struct node *nodes[FOLLOWING], *own = node_after(NULL), *before = own;
    struct task task = task_begin(&scene, own, (enum way)way, true);
    syclze_event events[FOLLOWING];
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, task_run, &task, NULL), ZE_RESULT_SUCCESS);
    wait_for(&task.runs);
    for (int i = 0; i < FOLLOWING; i++) {
      before = nodes[i] = node_after(before);
      events[i] = no_event;
      launch(queue, nodes[i], no_event, i % 2 != 0, &events[i]);
    }
    CHECK_EQ(strict_pending(), 0);
    __atomic_store_n(&task.goes, 1, __ATOMIC_RELEASE);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    node_end(own);
    for (int i = 0; i < FOLLOWING; i++) {
      CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
      node_end(nodes[i]);
    }
    task_end(&task);
    end();
  }
}

static ze_result_t run_after(syclze_interop_handle handle, void *argument) {
  (void)handle;
  CHECK(node_has_run(argument));
  return ZE_RESULT_SUCCESS;
}

/* Commands that a task leaves in the list of an in-order queue precede the next host task, even if
 * its function fails. */
static void leave_and_follow(enum way way, ze_result_t result) {
  const struct timespec time_for_both = {.tv_nsec = 10000000};
  begin(STRICT_NEWEST);
  strict_hold(true);
  syclze_queue queue = queue_of(IN_ORDER);
  struct node *own = node_after(NULL);
  struct task task = task_begin(&scene, own, way, true);
  task.goes = 1;
  task.result = result;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, task_run, &task, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, run_after, own, NULL), ZE_RESULT_SUCCESS);
  nanosleep(&time_for_both, NULL);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), result);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  node_end(own);
  task_end(&task);
  end();
}

TEST(a_host_task_waits_for_what_the_one_before_left_in_the_list) { // shows promises 1
  for (int way = 0; way < WAYS; way++) {
    leave_and_follow((enum way)way, ZE_RESULT_SUCCESS);
    leave_and_follow((enum way)way, ZE_RESULT_ERROR_UNKNOWN);
  }
}

/* Indirect dependents of the task, by another queue and back. */
TEST(what_depends_on_a_dependent_is_not_appended_before_the_task) { // shows promises 1
  begin(STRICT_NEWEST);
  syclze_queue queue = queue_of(OUT_OF_ORDER), other = queue_of(IN_ORDER);
  struct node *own = node_after(NULL), *there = node_after(own), *back = node_after(there);
  struct task task = task_begin(&scene, own, WAITS, true);
  syclze_event event, crossed, returned;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, task_run, &task, &event), ZE_RESULT_SUCCESS);
  launch(other, there, event, true, &crossed);
  launch(queue, back, crossed, true, &returned);
  CHECK_EQ(strict_pending(), 0);
  __atomic_store_n(&task.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_event_wait(returned), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(crossed), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(returned), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  node_end(own);
  node_end(there);
  node_end(back);
  task_end(&task);
  end();
}

static ze_result_t run_until_released(syclze_interop_handle handle, void *argument) {
  struct task *task = argument;
  (void)handle;
  wait_for(&task->goes);
  return ZE_RESULT_SUCCESS;
}

struct memory_task {
  syclze_accessor accessor;
  uint64_t *memory; /* as the task got it */
  uint32_t runs, goes;
};

static ze_result_t run_with_memory(syclze_interop_handle handle, void *argument) {
  struct memory_task *task = argument;
  __atomic_store_n(&task->runs, 1, __ATOMIC_RELEASE);
  wait_for(&task->goes);
  return syclze_get_native_mem(handle, task->accessor, &task->memory);
}

/* The release of the buffer returns that its wait failed; another buffer may take its place before
   the task gets its memory, which is still the application's. */
TEST(a_host_task_has_its_memory_after_a_release_that_could_not_wait) { // shows promises 54
  begin(STRICT_NEWEST);
  syclze_queue queue = queue_of(OUT_OF_ORDER);
  uint64_t *memory, *others[2];
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_KEEP, &memory), other[2];
  struct memory_task task = {0};
  syclze_group group = syclze_group_begin(queue);
  task.accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_host_task(&group, run_with_memory, &task, NULL), ZE_RESULT_SUCCESS);
  wait_for(&task.runs);
  strict_fail_named("zeEventHostSynchronize", ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_ERROR_DEVICE_LOST);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    other[i] = scene_buffer(&scene, SYCLZE_OWNERSHIP_KEEP, &others[i]);
  __atomic_store_n(&task.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK(task.memory == memory);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_release(other[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeMemFree(scene.native, others[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

/* A task that does not use the native queue delays nothing but its dependents. */
TEST(what_does_not_depend_on_a_host_task_goes_ahead) {
  begin(STRICT_NEWEST);
  syclze_queue queue = queue_of(OUT_OF_ORDER);
  struct node *independent = node_after(NULL), *dependent = node_after(independent);
  struct task task = {0};
  syclze_event event, ahead;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, run_until_released, &task, &event), ZE_RESULT_SUCCESS);
  launch(queue, dependent, event, false, NULL);
  launch(queue, independent, no_event, true, &ahead);
  CHECK_EQ(syclze_event_wait(ahead), ZE_RESULT_SUCCESS);
  CHECK(node_has_run(independent));
  CHECK(!node_has_run(dependent));
  __atomic_store_n(&task.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(ahead), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  node_end(independent);
  node_end(dependent);
  end();
}

/* A barrier behind a host task covers it, and what follows the barrier waits for it. */
TEST(a_barrier_behind_a_host_task_holds_what_follows) { // shows promises 75
  begin(STRICT_NEWEST);
  syclze_queue queue = queue_of(OUT_OF_ORDER);
  struct node *own = node_after(NULL), *after = node_after(own);
  struct task task = task_begin(&scene, own, NAMES, true);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, task_run, &task, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  launch(queue, after, no_event, false, NULL);
  CHECK_EQ(strict_pending(), 0);
  __atomic_store_n(&task.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  node_end(own);
  node_end(after);
  task_end(&task);
  end();
}

/* While nothing has run. */
TEST(a_kernel_lives_until_its_launches_without_events_are_done) { // shows promises 41
  for (int kind = 0; kind < KINDS; kind++) {
    begin(STRICT_NEWEST);
    strict_hold(true);
    syclze_queue queue = queue_of(kind), other = queue_of(IN_ORDER);
    struct node *first = node_after(NULL), *second = node_after(NULL);
    launch(queue, first, no_event, false, NULL);
    launch(other, second, no_event, false, NULL);
    const ze_kernel_handle_t native = syclze_get_native(kernel);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
    kernel.rep = NULL;
    CHECK(strict_is_alive(native));
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
    CHECK(strict_is_alive(native));
    strict_hold(false);
    const struct timespec pause = {.tv_nsec = 100000};
    while (strict_is_alive(native))
      nanosleep(&pause, NULL);
    node_end(first);
    node_end(second);
    end();
  }
}

static void wait_until_dead(const void *handle) {
  const struct timespec pause = {.tv_nsec = 100000};
  while (strict_is_alive(handle))
    nanosleep(&pause, NULL);
}

/* Covers launches to a queue that the kernel left for another one, too. */
TEST(a_kernel_outlives_its_launches_to_every_queue) { // shows promises 41
  begin(STRICT_NEWEST);
  syclze_queue queue = queue_of(IN_ORDER), other = queue_of(IN_ORDER);
  struct task gate = task_begin(&scene, NULL, WAITS, true);
  struct node *first = node_after(NULL), *second = node_after(NULL);
  syclze_event_input input = {.native_handle = gate.done, .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_event closed;
  CHECK_EQ(syclze_make_event(&input, scene.context, &closed), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, closed);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_SUCCESS);
  launch(queue, first, no_event, false, NULL);
  launch(other, second, no_event, false, NULL);
  const ze_kernel_handle_t native = syclze_get_native(kernel);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  kernel.rep = NULL;
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  const struct timespec pause = {.tv_nsec = 10000000};
  nanosleep(&pause, NULL);
  CHECK(strict_is_alive(native));
  CHECK_EQ(zeEventHostSignal(gate.done), ZE_RESULT_SUCCESS);
  wait_until_dead(native);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(closed), ZE_RESULT_SUCCESS);
  node_end(first);
  node_end(second);
  task_end(&gate);
  end();
}

TEST(a_queue_lives_until_commands_without_events_are_done) {
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    begin(STRICT_NEWEST);
    strict_hold(true);
    syclze_queue queue = queue_of(kind);
    const ze_command_list_handle_t list = syclze_get_native(queue).list;
    const uint64_t value = 7;
    void *memory;
    CHECK_EQ(syclze_malloc_host(sizeof value, scene.context, &memory), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(
        syclze_group_fill(&group, syclze_mem_arg(memory), &value, sizeof value, sizeof value, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK(strict_is_alive(list));
    strict_hold(false);
    wait_until_dead(list);
    CHECK(memcmp(memory, &value, sizeof value) == 0);
    CHECK_EQ(syclze_free(memory, scene.context), ZE_RESULT_SUCCESS);
    end();
  }
}

/* If the driver can query that a list is empty, no marker is appended for that. */
TEST(a_queue_whose_work_is_done_ends_in_its_release) { // shows promises 59
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    begin(STRICT_NEWEST);
    syclze_queue queue = queue_of(kind);
    const ze_command_list_handle_t list = syclze_get_native(queue).list;
    struct node *nodes[2] = {node_after(NULL), node_after(NULL)};
    syclze_event event;
    launch(queue, nodes[0], no_event, true, &event);
    launch(queue, nodes[1], no_event, false, NULL);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    const unsigned barriers = strict_calls_of("zeCommandListAppendBarrier");
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK(!strict_is_alive(list));
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), barriers);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    node_end(nodes[0]);
    node_end(nodes[1]);
    end();
  }
}

static ze_result_t run_with_queue(syclze_interop_handle handle, void *argument) {
  struct task *task = argument;
  syclze_native_queue queue;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &queue), ZE_RESULT_SUCCESS);
  __atomic_store_n(&task->runs, 1, __ATOMIC_RELEASE);
  wait_for(&task->goes);
  return ZE_RESULT_SUCCESS;
}

/* The native list is for one thread at a time: whatever becomes ready meanwhile waits. */
TEST(nothing_is_appended_while_a_host_task_uses_the_list) {
  begin(STRICT_NEWEST);
  syclze_queue queue = queue_of(OUT_OF_ORDER);
  struct node *dependent = node_after(NULL), *independent = node_after(NULL);
  struct task first = {0}, second = {0};
  syclze_event event;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, run_until_released, &first, &event), 0);
  launch(queue, dependent, event, false, NULL);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, run_with_queue, &second, NULL), ZE_RESULT_SUCCESS);
  wait_for(&second.runs);
  launch(queue, independent, no_event, false, NULL);
  __atomic_store_n(&first.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  const struct timespec pause = {.tv_nsec = 10000000};
  nanosleep(&pause, NULL);
  CHECK_EQ(strict_calls_of("zeCommandListAppendLaunchKernel"), 0);
  __atomic_store_n(&second.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_calls_of("zeCommandListAppendLaunchKernel"), 2);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  node_end(dependent);
  node_end(independent);
  end();
}

/* Covers the barrier behind which a kernel is destroyed. */
TEST(a_kernel_is_released_while_a_host_task_uses_the_list) {
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    begin(STRICT_NEWEST);
    syclze_queue queue = queue_of(kind);
    struct node *node = node_after(NULL), *own = node_after(NULL);
    struct task first = task_begin(&scene, own, WAITS, true), second = {0};
    syclze_event event;
    launch(queue, node, no_event, false, NULL);
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, task_run, &first, &event), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, run_with_queue, &second, NULL), ZE_RESULT_SUCCESS);
    __atomic_store_n(&first.goes, 1, __ATOMIC_RELEASE);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    wait_for(&second.runs);
    const unsigned barriers = strict_calls_of("zeCommandListAppendBarrier");
    const ze_kernel_handle_t native = syclze_get_native(kernel);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
    kernel.rep = NULL;
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), barriers);
    __atomic_store_n(&second.goes, 1, __ATOMIC_RELEASE);
    wait_until_dead(native);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    node_end(node);
    node_end(own);
    task_end(&first);
    end();
  }
}

struct launcher {
  syclze_queue queue;
  struct node *nodes[64];
};

static void *launch_many(void *argument) {
  const struct launcher *launcher = argument;
  syclze_event event = {NULL};
  for (int i = 0; i < 64; i++) {
    launch(launcher->queue, launcher->nodes[i], no_event, i % 3 == 0, &event);
    if (i % 3 == 0) CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  return NULL;
}

/* Each launch has the arguments that it was given, and the device sees one thread at a time. */
TEST(threads_launch_one_kernel) { // shows promises 41
  enum { LAUNCHERS = 4 };
  begin(STRICT_RANDOM);
  struct launcher launchers[LAUNCHERS];
  pthread_t threads[LAUNCHERS];
  for (int t = 0; t < LAUNCHERS; t++) {
    launchers[t].queue = queue_of(t % 2 == 0 ? IN_ORDER : OUT_OF_ORDER);
    for (int i = 0; i < 64; i++)
      launchers[t].nodes[i] = node_after(NULL);
  }
  for (int t = 0; t < LAUNCHERS; t++)
    CHECK_EQ(pthread_create(&threads[t], NULL, launch_many, &launchers[t]), 0);
  for (int t = 0; t < LAUNCHERS; t++)
    CHECK_EQ(pthread_join(threads[t], NULL), 0);
  for (int t = 0; t < LAUNCHERS; t++) {
    CHECK_EQ(syclze_queue_wait(launchers[t].queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(launchers[t].queue), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 64; i++)
      node_end(launchers[t].nodes[i]);
  }
  end();
}

static ze_result_t wait_to_go(syclze_interop_handle handle, void *argument) {
  (void)handle;
  wait_for(argument);
  return ZE_RESULT_SUCCESS;
}

/* Holds for appends by several workers at once, too. */
TEST(deferred_launches_of_one_kernel_have_their_own_arguments) {
  enum { EACH = 32 };
  for (int round = 0; round < 10; round++) {
    begin(STRICT_RANDOM);
    static struct node *nodes[KINDS + 1][EACH];
    syclze_queue used[KINDS + 1];
    syclze_event tasks[KINDS + 1];
    uint32_t goes = 0;
    for (int q = 0; q <= KINDS; q++) {
      used[q] = queue_of(q % KINDS);
      syclze_group group = syclze_group_begin(used[q]);
      CHECK_EQ(syclze_group_host_task(&group, wait_to_go, &goes, &tasks[q]), ZE_RESULT_SUCCESS);
      for (int i = 0; i < EACH; i++) {
        syclze_event event;
        nodes[q][i] = node_after(NULL);
        launch(used[q], nodes[q][i], tasks[q], i % 2 == 0, &event);
        if (i % 2 == 0) CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
      }
    }
    CHECK_EQ(strict_pending(), 0);
    __atomic_store_n(&goes, 1, __ATOMIC_RELEASE);
    for (int q = 0; q <= KINDS; q++) {
      CHECK_EQ(syclze_queue_wait(used[q]), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(tasks[q]), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(used[q]), ZE_RESULT_SUCCESS);
      for (int i = 0; i < EACH; i++)
        node_end(nodes[q][i]);
    }
    end();
  }
}

struct reported {
  uint32_t count;
  ze_result_t result;
  char function[64];
};

static void report(void *data, const syclze_diagnostic *diagnostic) {
  struct reported *reported = data;
  reported->result = diagnostic->result;
  snprintf(reported->function, sizeof reported->function, "%s", diagnostic->function);
  __atomic_fetch_add(&reported->count, 1, __ATOMIC_RELEASE);
}

/* The submission has succeeded by then: the failure is the queue's, and is reported once. */
TEST(a_deferred_append_that_fails_is_an_asynchronous_error) {
  for (int kind = 0; kind < KINDS; kind++) {
    static struct reported reported;
    const syclze_diagnostic_handler handler = {report, &reported};
    reported = (struct reported){0};
    begin(STRICT_NEWEST);
    syclze_queue queue = queue_of(kind);
    syclze_event task, event;
    uint32_t goes = 0;
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, wait_to_go, &goes, &task), ZE_RESULT_SUCCESS);
    struct node *failed = node_after(NULL), *later = node_after(NULL);
    launch(queue, failed, task, true, &event);
    syclze_diagnostic_set_handler(&handler);
    strict_fail_named("zeCommandListAppendLaunchKernel", ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    __atomic_store_n(&goes, 1, __ATOMIC_RELEASE);
    wait_for(&reported.count);
    strict_fail_named(NULL, ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    CHECK_EQ(reported.count, 1);
    CHECK_EQ(reported.result, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    CHECK_STR_EQ(reported.function, "syclze_group_launch");
    syclze_diagnostic_set_handler(NULL);
    CHECK(!node_has_run(failed));
    launch(queue, later, event, false, NULL);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(task), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    free(failed);
    node_end(later);
    end();
  }
}

static ze_result_t never_run(syclze_interop_handle handle, void *argument) {
  (void)handle;
  __atomic_store_n((uint32_t *)argument, 1, __ATOMIC_RELEASE);
  return ZE_RESULT_SUCCESS;
}

/* Covers an error before the function is called. */
TEST(a_deferred_native_command_without_a_list_is_an_asynchronous_error) { // shows promises 75
  begin(STRICT_NEWEST);
  syclze_queue queue = queue_of(COMMAND_QUEUE);
  syclze_event task, event;
  uint32_t goes = 0, ran = 0;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, wait_to_go, &goes, &task), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, task);
  CHECK_EQ(syclze_group_native_command(&group, never_run, &ran, &event), ZE_RESULT_SUCCESS);
  strict_fail_named("zeCommandListCreate", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  __atomic_store_n(&goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(ran, 0);
  CHECK_EQ(syclze_release(task), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

TEST_MAIN(a_host_task_appends_to_its_own_queue,
    an_in_order_queue_goes_on_after_a_host_task_that_appends,
    a_host_task_waits_for_what_the_one_before_left_in_the_list,
    what_depends_on_a_dependent_is_not_appended_before_the_task,
    a_host_task_has_its_memory_after_a_release_that_could_not_wait,
    what_does_not_depend_on_a_host_task_goes_ahead, a_barrier_behind_a_host_task_holds_what_follows,
    a_kernel_lives_until_its_launches_without_events_are_done,
    a_kernel_outlives_its_launches_to_every_queue,
    a_queue_lives_until_commands_without_events_are_done,
    a_queue_whose_work_is_done_ends_in_its_release,
    nothing_is_appended_while_a_host_task_uses_the_list,
    a_kernel_is_released_while_a_host_task_uses_the_list, threads_launch_one_kernel,
    a_deferred_append_that_fails_is_an_asynchronous_error,
    a_deferred_native_command_without_a_list_is_an_asynchronous_error,
    deferred_launches_of_one_kernel_have_their_own_arguments)
