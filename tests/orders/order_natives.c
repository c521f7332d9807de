/* Native commands: their functions are called with no lock held, and what is submitted to the queue
   meanwhile stands behind them. */
#include "support/native_task.h"

#include <time.h>

static struct scene_base scene;
static syclze_kernel kernel;
static const syclze_event no_event = {NULL};

static syclze_queue queue_of(int kind) {
  return scene_queue_of(&scene, kind);
}

static void begin(void) {
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  kernel = scene_kernel(&scene, "node");
}

static void end(void) {
  scene_end_with(&scene, kernel);
}

static ze_result_t submit_native(syclze_queue queue, syclze_host_function function, void *argument,
    syclze_event before, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  return syclze_group_native_command(&group, function, argument, event);
}

static void wait_and_release(syclze_queue queue) {
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
}

/* A function that uses its own queue: `own` is appended natively, `inner` submitted. */
struct user {
  struct task task;
  syclze_queue queue;
  syclze_event before, inner_event;
  struct node *inner[3];
  ze_result_t result;
};

static ze_result_t use_queue(syclze_interop_handle handle, void *argument) {
  struct user *user = argument;
  CHECK_EQ(syclze_event_wait(user->before), ZE_RESULT_SUCCESS);
  scene_launch(user->queue, kernel, user->inner[0], no_event, NULL);
  CHECK_EQ(task_run(handle, &user->task), ZE_RESULT_SUCCESS);
  scene_launch(user->queue, kernel, user->inner[1], no_event, &user->inner_event);
  scene_launch(user->queue, kernel, user->inner[2], user->inner_event, NULL);
  CHECK_EQ(zeEventQueryStatus(syclze_get_native(user->before)), ZE_RESULT_SUCCESS);
  return user->result;
}

TEST(a_function_submits_to_its_own_queue) { // shows promises 2
  for (int kind = 0; kind < KINDS; kind++) {
    begin();
    const bool in_order = kind == IN_ORDER;
    struct node *first = node_after(NULL), *own = node_after(in_order ? first : NULL);
    struct user user = {.queue = queue_of(kind)};
    user.task = task_begin(&scene, own, NAMES, kind != COMMAND_QUEUE);
    user.task.goes = 1;
    user.inner[0] = node_after(in_order ? own : NULL);
    user.inner[1] = node_after(in_order ? user.inner[0] : NULL);
    user.inner[2] = node_after(user.inner[1]);
    struct node *last = node_after(own);
    syclze_event event;
    scene_launch(user.queue, kernel, first, no_event, &user.before);
    CHECK_EQ(submit_native(user.queue, use_queue, &user, no_event, &event), ZE_RESULT_SUCCESS);
    scene_launch(user.queue, kernel, last, event, NULL);
    wait_and_release(user.queue);
    CHECK_EQ(syclze_release(user.before), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(user.inner_event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    node_end(first);
    node_end(own);
    for (int i = 0; i < 3; i++)
      node_end(user.inner[i]);
    node_end(last);
    task_end(&user.task);
    end();
  }
}

/* Nothing that others submit runs before what the failed group was to wait for, and the error is
   returned once. */
TEST(what_is_submitted_within_a_function_that_fails_goes_on) { // shows promises 3
  for (int kind = 0; kind < KINDS; kind++) {
    begin();
    struct task gate = task_begin(&scene, NULL, WAITS, true);
    syclze_event_input input = {.native_handle = gate.done, .ownership = SYCLZE_OWNERSHIP_KEEP};
    syclze_event closed;
    CHECK_EQ(syclze_make_event(&input, scene.context, &closed), ZE_RESULT_SUCCESS);
    syclze_event event = closed;
    struct node *first = node_after(NULL), *own = node_after(NULL);
    struct user user = {.queue = queue_of(kind), .result = ZE_RESULT_ERROR_UNKNOWN};
    user.task = task_begin(&scene, own, LEAVES, kind != COMMAND_QUEUE);
    user.task.goes = 1;
    for (int i = 0; i < 3; i++)
      user.inner[i] = node_after(i == 2 ? user.inner[1] : NULL);
    scene_launch(user.queue, kernel, first, no_event, &user.before);
    CHECK_EQ(submit_native(user.queue, use_queue, &user, closed, &event), ZE_RESULT_ERROR_UNKNOWN);
    CHECK(event.rep == NULL);
    if (kind == IN_ORDER)
      for (int i = 0; i < 3; i++)
        CHECK(!node_has_run(user.inner[i]));
    CHECK_EQ(zeEventHostSignal(gate.done), ZE_RESULT_SUCCESS);
    wait_and_release(user.queue);
    CHECK_EQ(syclze_release(user.before), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(user.inner_event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(closed), ZE_RESULT_SUCCESS);
    node_end(first);
    node_end(own);
    for (int i = 0; i < 3; i++)
      node_end(user.inner[i]);
    task_end(&gate);
    task_end(&user.task);
    end();
  }
}

/* A function that takes a lock of the application. */
struct locked {
  struct task task;
  pthread_mutex_t lock;
  syclze_queue queue;
  struct node *nodes[4];
  uint32_t is_held;
};

static ze_result_t take_lock(syclze_interop_handle handle, void *argument) {
  struct locked *locked = argument;
  __atomic_store_n(&locked->task.runs, 1, __ATOMIC_RELEASE);
  pthread_mutex_lock(&locked->lock);
  pthread_mutex_unlock(&locked->lock);
  return task_run(handle, &locked->task);
}

static void *submit_with_lock(void *argument) {
  struct locked *locked = argument;
  pthread_mutex_lock(&locked->lock);
  __atomic_store_n(&locked->is_held, 1, __ATOMIC_RELEASE);
  wait_for(&locked->task.runs);
  for (int i = 0; i < 4; i++)
    scene_launch(locked->queue, kernel, locked->nodes[i], no_event, NULL);
  CHECK_EQ(strict_calls_of("zeCommandListAppendLaunchKernel"), 0);
  pthread_mutex_unlock(&locked->lock);
  return NULL;
}

/* Submissions of another thread while the function runs follow the function's commands. */
TEST(a_function_takes_a_lock_that_a_thread_holds_which_submits_to_the_queue) { // shows promises 2
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    begin();
    struct locked locked = {.lock = PTHREAD_MUTEX_INITIALIZER, .queue = queue_of(kind)};
    struct node *own = node_after(NULL);
    locked.task = task_begin(&scene, own, LEAVES, true);
    locked.task.goes = 1;
    for (int i = 0; i < 4; i++)
      locked.nodes[i] = node_after(kind != IN_ORDER ? NULL : i == 0 ? own : locked.nodes[i - 1]);
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, submit_with_lock, &locked), 0);
    wait_for(&locked.is_held);
    CHECK_EQ(submit_native(locked.queue, take_lock, &locked, no_event, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    wait_and_release(locked.queue);
    node_end(own);
    for (int i = 0; i < 4; i++)
      node_end(locked.nodes[i]);
    task_end(&locked.task);
    end();
  }
}

/* Objects that a function releases. */
struct releases {
  syclze_queue queue;
  syclze_buffer buffer;
  syclze_event event;
};

static ze_result_t release_all(syclze_interop_handle handle, void *argument) {
  struct releases *releases = argument;
  (void)handle;
  CHECK_EQ(held_locks, 0);
  CHECK_EQ(syclze_release(releases->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(releases->event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(releases->queue), ZE_RESULT_SUCCESS);
  return ZE_RESULT_SUCCESS;
}

/* The last references, also to a kept buffer, whose release waits for the queue's earlier work. */
TEST(a_function_releases_its_queue_and_what_the_queue_has_used) { // shows promises 2
  for (int kind = 0; kind < KINDS; kind++)
    for (int ownership = 0; ownership < 2; ownership++) {
      begin();
      const syclze_nd_range range = {.global = {1}, .local = {1}};
      uint64_t *memory;
      struct node *node = node_after(NULL);
      struct releases releases = {.queue = queue_of(kind),
          .buffer = scene_buffer(&scene, (syclze_ownership)ownership, &memory)};
      node->access_count = 1;
      node->accesses[0] = (struct node_access){.end = SEGMENTS, .how = NODE_READS | NODE_WRITES};
      const syclze_queue queue = releases.queue;
      syclze_group group = syclze_group_begin(queue);
      syclze_accessor accessor = syclze_require(&group, releases.buffer, SYCLZE_ACCESS_READ_WRITE);
      CHECK_EQ(syclze_launch(
                   &group, kernel, &range, &releases.event, syclze_arg(node), syclze_arg(accessor)),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(submit_native(queue, release_all, &releases, no_event, NULL), ZE_RESULT_SUCCESS);
      kernel.rep = NULL;
      if (ownership == SYCLZE_OWNERSHIP_KEEP) {
        CHECK(node_has_run(node));
        CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
      }
      end();
      node_end(node);
    }
}

static ze_result_t hold(syclze_interop_handle handle, void *argument) {
  struct task *task = argument;
  syclze_native_queue queue;
  CHECK_EQ(held_locks, 0);
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &queue), ZE_RESULT_SUCCESS);
  __atomic_store_n(&task->runs, 1, __ATOMIC_RELEASE);
  wait_for(&task->goes);
  return ZE_RESULT_SUCCESS;
}

struct submitter {
  syclze_queue queue;
  syclze_host_function *function;
  void *argument;
  pthread_t thread;
};

static void *submit_in_thread(void *argument) {
  struct submitter *submitter = argument;
  CHECK_EQ(
      submit_native(submitter->queue, *submitter->function, submitter->argument, no_event, NULL),
      ZE_RESULT_SUCCESS);
  return NULL;
}

static void submit_held(struct submitter *submitter, syclze_queue queue, struct task *task) {
  static syclze_host_function function = hold;
  *submitter = (struct submitter){queue, &function, task, 0};
  CHECK_EQ(pthread_create(&submitter->thread, NULL, submit_in_thread, submitter), 0);
  wait_for(&task->runs);
}

/* The submission returns at once, and a worker calls the second function once the first is over. */
TEST(functions_of_one_list_run_one_after_the_other) { // shows promises 2
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    begin();
    syclze_queue queue = queue_of(kind);
    struct node *own = node_after(NULL);
    struct task first = {0}, second = task_begin(&scene, own, NAMES, true);
    struct submitter submitter;
    syclze_event event;
    second.goes = 1;
    submit_held(&submitter, queue, &first);
    CHECK_EQ(submit_native(queue, task_run, &second, no_event, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(__atomic_load_n(&second.runs, __ATOMIC_ACQUIRE), 0);
    __atomic_store_n(&first.goes, 1, __ATOMIC_RELEASE);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK(node_has_run(own));
    CHECK_EQ(pthread_join(submitter.thread, NULL), 0);
    wait_and_release(queue);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    node_end(own);
    task_end(&second);
    end();
  }
}

/* A host task that takes the list meanwhile is not kept waiting. The end of the group is appended
   once the task has returned the list, too. */
TEST(a_host_task_takes_the_list_while_a_function_has_it) { // shows promises 3
  begin();
  syclze_queue queue = queue_of(OUT_OF_ORDER);
  struct task native = {0}, host = {0};
  struct submitter submitter;
  submit_held(&submitter, queue, &native);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, hold, &host, NULL), ZE_RESULT_SUCCESS);
  wait_for(&host.runs);
  const unsigned barriers = strict_calls_of("zeCommandListAppendBarrier");
  __atomic_store_n(&native.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(submitter.thread, NULL), 0);
  CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), barriers);
  __atomic_store_n(&host.goes, 1, __ATOMIC_RELEASE);
  wait_and_release(queue);
  CHECK(strict_calls_of("zeCommandListAppendBarrier") > barriers);
  end();
}

static ze_result_t fail_and_hold(syclze_interop_handle handle, void *argument) {
  CHECK_EQ(hold(handle, argument), ZE_RESULT_SUCCESS);
  return ZE_RESULT_ERROR_UNKNOWN;
}

static void *fail_in_thread(void *argument) {
  struct submitter *submitter = argument;
  CHECK_EQ(submit_native(submitter->queue, fail_and_hold, submitter->argument, no_event, NULL),
      ZE_RESULT_ERROR_UNKNOWN);
  return NULL;
}

/* Covers a function that fails: the error is returned, and is not also the queue's. */
TEST(a_function_fails_while_a_host_task_has_the_list) { // shows promises 3
  begin();
  syclze_queue queue = queue_of(OUT_OF_ORDER);
  struct task native = {0}, host = {0};
  struct submitter submitter = {.queue = queue, .argument = &native};
  CHECK_EQ(pthread_create(&submitter.thread, NULL, fail_in_thread, &submitter), 0);
  wait_for(&native.runs);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, hold, &host, NULL), ZE_RESULT_SUCCESS);
  wait_for(&host.runs);
  __atomic_store_n(&native.goes, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(submitter.thread, NULL), 0);
  __atomic_store_n(&host.goes, 1, __ATOMIC_RELEASE);
  wait_and_release(queue);
  end();
}

static void launch_with(syclze_queue queue, syclze_buffer buffer, struct node *node) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  node->access_count = 1;
  node->accesses[0] = (struct node_access){.end = SEGMENTS, .how = NODE_READS | NODE_WRITES};
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(node), syclze_arg(accessor)), 0);
}

/* A queue that takes over memory of the list's queue, and a host task behind a barrier, need a
   marker of the list: it was there before. */
TEST(nothing_is_appended_to_the_list_while_a_function_has_it) { // shows promises 3
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    begin();
    syclze_queue queue = queue_of(kind), other = queue_of(IN_ORDER);
    syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    struct node *before = node_after(NULL), *there = node_after(before);
    struct task held = {0}, host = {.goes = 1};
    struct submitter submitter;
    syclze_event gone;
    launch_with(queue, buffer, before);
    if (kind == OUT_OF_ORDER) CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
    submit_held(&submitter, queue, &held);
    const unsigned barriers = strict_calls_of("zeCommandListAppendBarrier");
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, hold, &host, &gone), ZE_RESULT_SUCCESS);
    launch_with(other, buffer, there);
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), barriers);
    __atomic_store_n(&held.goes, 1, __ATOMIC_RELEASE);
    CHECK_EQ(pthread_join(submitter.thread, NULL), 0);
    CHECK_EQ(syclze_event_wait(gone), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(gone), ZE_RESULT_SUCCESS);
    wait_and_release(other);
    wait_and_release(queue);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    node_end(before);
    node_end(there);
    end();
  }
}

static void count_error(void *data, const syclze_diagnostic *diagnostic) {
  CHECK_EQ(held_locks, 0);
  *(ze_result_t *)data = diagnostic->result;
}

/* Fails the wait for the named event, and the barrier that ends the group. */
TEST(an_end_that_cannot_be_appended_is_returned) { // shows promises 3
  static const char *const calls[] = {
      "zeCommandListAppendWaitOnEvents", "zeCommandListAppendBarrier"};
  for (int kind = 0; kind < KINDS; kind++)
    for (int call = 0; call < 2; call++) {
      begin();
      ze_result_t reported = ZE_RESULT_SUCCESS;
      const syclze_diagnostic_handler handler = {count_error, &reported};
      struct node *own = node_after(NULL), *later = node_after(NULL);
      syclze_queue queue = queue_of(kind);
      struct task task = task_begin(&scene, own, NAMES, kind != COMMAND_QUEUE);
      task.goes = 1;
      syclze_diagnostic_set_handler(&handler);
      strict_fail_named(calls[call], ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      CHECK_EQ(submit_native(queue, task_run, &task, no_event, NULL),
          ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      strict_fail_named(NULL, ZE_RESULT_SUCCESS);
      syclze_diagnostic_set_handler(NULL);
      CHECK_EQ(reported, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      scene_launch(queue, kernel, later, no_event, NULL);
      CHECK_EQ(zeEventHostSynchronize(task.done, UINT64_MAX), ZE_RESULT_SUCCESS);
      wait_and_release(queue);
      node_end(own);
      node_end(later);
      task_end(&task);
      end();
    }
}

TEST_MAIN(a_function_submits_to_its_own_queue,
    what_is_submitted_within_a_function_that_fails_goes_on,
    a_function_takes_a_lock_that_a_thread_holds_which_submits_to_the_queue,
    a_function_releases_its_queue_and_what_the_queue_has_used,
    functions_of_one_list_run_one_after_the_other,
    a_host_task_takes_the_list_while_a_function_has_it,
    a_function_fails_while_a_host_task_has_the_list,
    nothing_is_appended_to_the_list_while_a_function_has_it,
    an_end_that_cannot_be_appended_is_returned)
