/* Synchronous lists, waits of every kind of queue, and commands on command queues: what the driver
   is called for, counted, beside their order. */
#include "syclze/command/event_sync.h"
#include "syclze/command/queue_order.h"

#include "support/scene.h"
#include "tests/soon.h"

static struct scene_base scene;
static syclze_kernel kernel;

static const syclze_nd_range one = {.global = {1}, .local = {1}};
static const syclze_event no_event = {NULL};

static void begin(void) {
  kernel = scene_begin_held(&scene);
  strict_hold(false);
}

static void end(void) {
  scene_end_with(&scene, kernel);
}

static unsigned events(void) {
  return strict_calls_of("zeEventCreate") + strict_calls_of("zeEventHostReset");
}

static ze_result_t try_launch(
    syclze_queue queue, struct node *node, syclze_event before, syclze_event *event) {
  const void *none = NULL;
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  return syclze_launch(&group, kernel, &one, event, syclze_arg(node), syclze_arg(none));
}

static void launch(
    syclze_queue queue, struct node *node, syclze_event before, syclze_event *event) {
  CHECK_EQ(try_launch(queue, node, before, event), ZE_RESULT_SUCCESS);
}

static ze_result_t run_on_host(syclze_interop_handle handle, void *argument) {
  (void)handle;
  node_run(argument, NULL);
  return ZE_RESULT_SUCCESS;
}

static void submit_host_task(syclze_queue queue, struct node *node, syclze_event before) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  CHECK_EQ(syclze_group_host_task(&group, run_on_host, node, NULL), ZE_RESULT_SUCCESS);
}

/* Properties of the list's creation. The driver, if it answers, and the application agree on them.
 */
enum { ANSWERS = 1, GIVEN = 2, SYNCHRONOUS = 4, IN_ORDER = 8, NATIVE = 16, KINDS = 32 };

static syclze_queue wrapped_list(uint32_t kind) {
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .flags = kind & NATIVE ? 1u << 1 : 0,
      .mode = kind & SYNCHRONOUS ? ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
                                 : ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ze_command_list_handle_t list;
  syclze_queue queue;
  strict_fail_named(
      kind & ANSWERS ? NULL : "zeCommandListImmediateGetMode", ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK_EQ(zeCommandListCreateImmediate(scene.native, scene.handle, &desc, &list), 0);
  const syclze_queue_input input = {.native_handle = syclze_native_queue_of_list(list),
      .device = scene.device,
      .properties.flags = (kind & GIVEN ? SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS : 0u) |
                          (kind & IN_ORDER ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0u)};
  CHECK_EQ(syclze_make_queue(&input, scene.context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

/* An event of the application, which a list of its own signals. */
struct given_event {
  ze_command_list_handle_t list;
  ze_event_pool_handle_t pool;
  ze_event_handle_t native;
  syclze_event event;
};

static struct given_event given_event(void) {
  struct given_event given;
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  const ze_command_queue_desc_t list_desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  CHECK_EQ(zeEventPoolCreate(scene.native, &pool_desc, 0, NULL, &given.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventCreate(given.pool, &desc, &given.native), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListCreateImmediate(scene.native, scene.handle, &list_desc, &given.list), 0);
  syclze_event_input input = {.native_handle = given.native, .ownership = SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_event(&input, scene.context, &given.event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendSignalEvent(given.list, given.native), ZE_RESULT_SUCCESS);
  return given;
}

static void given_event_end(const struct given_event *given) {
  CHECK_EQ(syclze_release(given->event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(given->native), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(given->pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(given->list), ZE_RESULT_SUCCESS);
}

/* Neither its order nor what a command waits for needs an event, nor does its wait. */
TEST(a_synchronous_list_needs_no_events) { // shows queues 8
  enum { LAUNCHES = 4 };
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    if ((kind & (ANSWERS | GIVEN | SYNCHRONOUS)) == GIVEN) continue; /* a lie */
    const bool is_known = (kind & SYNCHRONOUS) && (kind & (ANSWERS | GIVEN));
    begin();
    const struct given_event before = given_event();
    syclze_queue queue = wrapped_list(kind);
    struct node *nodes[LAUNCHES];
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    const unsigned made = events();
    strict_hold((kind & SYNCHRONOUS) == 0);
    for (int i = 0; i < LAUNCHES; i++) {
      nodes[i] = node_after(i > 0 && kind & (IN_ORDER | SYNCHRONOUS) ? nodes[i - 1] : NULL);
      launch(queue, nodes[i], i == 0 ? before.event : no_event, NULL);
      CHECK_EQ(node_has_run(nodes[i]), (kind & SYNCHRONOUS) != 0);
    }
    scene_run_all();
    strict_hold(false);
    CHECK_EQ(events() == made, is_known);
    const unsigned waits = strict_calls_of("zeCommandListHostSynchronize");
    CHECK_EQ(waits, is_known ? 0 : 1);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(strict_calls_of("zeCommandListHostSynchronize"), 2 * waits);
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), 0);
    for (int i = 0; i < LAUNCHES; i++)
      node_end(nodes[i]);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(events() == made, is_known);
    given_event_end(&before);
    end();
  }
}

/* A command that the list refuses leaves nothing: the next waits for what it names itself. */
TEST(an_append_to_a_synchronous_list_fails) { // shows queues 8
  for (uint32_t kind = SYNCHRONOUS | GIVEN; kind < KINDS; kind += IN_ORDER) {
    if ((kind & (SYNCHRONOUS | GIVEN)) != (SYNCHRONOUS | GIVEN)) continue;
    syclze_event before, event;
    begin();
    syclze_queue queue = wrapped_list(kind), other = scene_queue(&scene, 0);
    struct node *first = node_after(NULL), *refused = node_after(NULL), *next = node_after(first);
    launch(other, first, no_event, &before);
    for (int wants_event = 0; wants_event < 2; wants_event++) {
      strict_fail_named("zeCommandListAppendLaunchKernel", ZE_RESULT_ERROR_DEVICE_LOST);
      CHECK_EQ(try_launch(queue, refused, before, wants_event ? &event : NULL),
          ZE_RESULT_ERROR_DEVICE_LOST);
      strict_fail_named(NULL, ZE_RESULT_SUCCESS);
    }
    launch(queue, next, before, NULL);
    CHECK(node_has_run(next));
    CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
    CHECK(!node_has_run(refused));
    free(refused);
    node_end(first);
    node_end(next);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(before), ZE_RESULT_SUCCESS);
    end();
  }
}

/* Host tasks and what is deferred behind them keep their place on a synchronous list, and leave
   nothing for later commands to wait for. */
TEST(a_host_task_on_a_synchronous_list) { // shows queues 8
  begin();
  syclze_queue queue = wrapped_list(SYNCHRONOUS | GIVEN | IN_ORDER);
  struct node *nodes[5];
  for (int i = 0; i < 5; i++)
    nodes[i] = node_after(i > 0 ? nodes[i - 1] : NULL);
  launch(queue, nodes[0], no_event, NULL);
  submit_host_task(queue, nodes[1], no_event);
  launch(queue, nodes[2], no_event, NULL);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  const unsigned made = events();
  launch(queue, nodes[3], no_event, NULL);
  launch(queue, nodes[4], no_event, NULL);
  CHECK_EQ(events(), made);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 5; i++)
    node_end(nodes[i]);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

/* Other queues wait for the accesses of a synchronous list, and vice versa. */
TEST(accesses_of_a_synchronous_list_are_ordered) { // shows queues 8
  begin();
  syclze_queue queues[2] = {wrapped_list(SYNCHRONOUS | GIVEN), scene_queue(&scene, 0)};
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  struct node *nodes[6];
  for (int i = 0; i < 6; i++) {
    nodes[i] = node_after(i > 0 ? nodes[i - 1] : NULL);
    syclze_group group = syclze_group_begin(queues[i % 2]);
    syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
    CHECK_EQ(syclze_launch(&group, kernel, &one, NULL, syclze_arg(nodes[i]), syclze_arg(all)), 0);
  }
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 6; i++)
    node_end(nodes[i]);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_release(queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

static unsigned native_waits(void) {
  return strict_calls_of("zeCommandListHostSynchronize") +
         strict_calls_of("zeCommandQueueSynchronize");
}

/* Lists and command queues, in order and not. */
static const uint32_t flags_of_kinds[] = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0,
    SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST,
    SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST | SYCLZE_QUEUE_PROPERTY_IN_ORDER};

enum { KINDS_OF_QUEUES = sizeof flags_of_kinds / sizeof *flags_of_kinds };

/* The application's own work is covered, also before the library has submitted any. */
TEST(a_wait_is_one_call_where_all_work_is_native) { // shows queues 9
  for (int kind = 0; kind < KINDS_OF_QUEUES; kind++) {
    begin();
    syclze_queue queue = scene_queue(&scene, flags_of_kinds[kind]);
    struct node *nodes[3];
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(native_waits(), 1);
    for (int i = 0; i < 3; i++)
      launch(queue, nodes[i] = node_after(NULL), no_event, NULL);
    const unsigned made = events();
    scene_run_all();
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(native_waits(), 2);
    CHECK_EQ(events(), made);
    for (int i = 0; i < 3; i++)
      node_end(nodes[i]);
    for (int i = 0; i < 3; i++)
      launch(queue, nodes[i] = node_after(NULL), no_event, NULL);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), 0);
    for (int i = 0; i < 3; i++)
      node_end(nodes[i]);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    end();
  }
}

/* A host task is none of the driver's: then, and where the driver cannot wait, a barrier's event is
   waited for. */
TEST(a_list_with_commands_of_the_applications_own_is_not_empty) { // shows host_data 30
  static const uint32_t kinds[] = {0, IN_ORDER | NATIVE};
  for (int i = 0; i < 2; i++) {
    bool empty;
    begin();
    syclze_queue queue = wrapped_list(kinds[i]);
    for (int round = 0; round < 2; round++) { /* before the first submission, and behind one */
      strict_hold(true);
      CHECK_EQ(zeCommandListAppendBarrier(syclze_get_native(queue).list, NULL, 0, NULL), 0);
      CHECK_EQ(syclze_queue_is_empty(queue, &empty), ZE_RESULT_SUCCESS);
      CHECK(!empty);
      strict_hold(false);
      scene_run_all();
      CHECK_EQ(syclze_queue_is_empty(queue, &empty), ZE_RESULT_SUCCESS);
      CHECK(empty);
      syclze_event event;
      struct node *node = node_after(NULL);
      launch(queue, node, no_event, &event);
      CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
      node_end(node);
    }
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    end();
  }
}

TEST(a_wait_is_for_an_event_where_the_driver_does_not_suffice) { // shows queues 9
  for (int kind = 0; kind < KINDS_OF_QUEUES; kind++) {
    begin();
    syclze_queue queue = scene_queue(&scene, flags_of_kinds[kind]), other = scene_queue(&scene, 0);
    struct node *first = node_after(NULL), *task = node_after(first), *last = node_after(NULL);
    syclze_event before;
    strict_hold(true);
    launch(other, first, no_event, &before);
    submit_host_task(queue, task, before);
    strict_hold(false);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK(node_has_run(task));
    strict_fail_named(kind < 2 ? "zeCommandListHostSynchronize" : "zeCommandQueueSynchronize",
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    const unsigned barriers = strict_calls_of("zeCommandListAppendBarrier");
    launch(queue, last, no_event, NULL);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), barriers + 1);
    strict_fail_named(NULL, ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
    node_end(first);
    node_end(task);
    node_end(last);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(before), ZE_RESULT_SUCCESS);
    end();
  }
}

/* A host task that is submitted while another thread waits, and ends after that wait. */
struct later {
  syclze_queue queue;
  bool has_returned;
};

static ze_result_t end_after_wait(syclze_interop_handle handle, void *argument) {
  struct later *later = argument;
  (void)handle;
  CHECK_SOON(__atomic_load_n(&later->has_returned, __ATOMIC_ACQUIRE));
  return ZE_RESULT_SUCCESS;
}

static void *submit_later(void *argument) {
  struct later *later = argument;
  CHECK_SOON(strict_calls_of("zeCommandListAppendBarrier") == 1);
  syclze_group group = syclze_group_begin(later->queue);
  CHECK_EQ(syclze_group_host_task(&group, end_after_wait, later, NULL), ZE_RESULT_SUCCESS);
  strict_hold(false);
  return NULL;
}

TEST(a_wait_with_a_limit_is_not_for_later_host_tasks) { // shows queues 9
  static const uint32_t kinds[] = {0, IN_ORDER | NATIVE};
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    begin();
    struct later later = {.queue = wrapped_list(kinds[i])};
    strict_hold(true);
    CHECK_EQ(pthread_create(&thread, NULL, submit_later, &later), 0);
    CHECK_EQ(syclze_queue_wait_for(later.queue, UINT64_MAX - 1), ZE_RESULT_SUCCESS);
    __atomic_store_n(&later.has_returned, true, __ATOMIC_RELEASE);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_EQ(syclze_queue_wait(later.queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(later.queue), ZE_RESULT_SUCCESS);
    end();
  }
}

/* A list is recorded again once its event is signalled, and no sooner. */
TEST(a_command_queue_records_its_lists_again) { // shows queues 10
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST);
  struct node *nodes[8];
  for (int i = 0; i < 4; i++) {
    launch(queue, nodes[i] = node_after(NULL), no_event, NULL);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  }
  CHECK(strict_calls_of("zeCommandListCreate") <= 2);
  strict_hold(true);
  for (int i = 4; i < 8; i++)
    launch(queue, nodes[i] = node_after(NULL), no_event, NULL);
  CHECK(strict_calls_of("zeCommandListCreate") >= 4);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 8; i++)
    node_end(nodes[i]);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

/* Commands behind a barrier wait for it, until it is known to be done; those of an in-order queue
   for the one before. */
TEST(a_command_queue_keeps_its_order) { // shows queues 10
  for (int is_in_order = 0; is_in_order < 2; is_in_order++) {
    begin();
    syclze_queue queue = scene_queue(&scene, flags_of_kinds[2 + is_in_order]);
    struct node *nodes[6];
    strict_hold(true);
    for (int i = 0; i < 6; i++) {
      nodes[i] = node_after(is_in_order && i > 0 ? nodes[i - 1] : i > 2 ? nodes[i - 3] : NULL);
      if (!is_in_order && i == 3) CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), 0);
      launch(queue, nodes[i], no_event, NULL);
    }
    strict_hold(false);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 6; i++)
      node_end(nodes[i]);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    end();
  }
}

/* Each call of a submission that the driver may refuse; the last is of what was used before. */
TEST(a_refused_command_of_a_command_queue_leaves_nothing) { // shows queues 10
  static const char *const calls[] = {"zeCommandListCreate", "zeEventCreate",
      "zeKernelSetGroupSize", "zeCommandListAppendLaunchKernel", "zeCommandListClose",
      "zeCommandQueueExecuteCommandLists", "zeCommandListReset"};
  enum { CALLS = sizeof calls / sizeof *calls };
  for (int i = 0; i < CALLS; i++) {
    begin();
    syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST);
    struct node *refused = node_after(NULL), *nodes[3];
    for (int j = 0; j < 3; j++) {
      nodes[j] = node_after(NULL);
      if (i < CALLS - 1 && j < 2) continue;
      if (j == 2) {
        strict_fail_named(calls[i], ZE_RESULT_ERROR_DEVICE_LOST);
        CHECK_EQ(try_launch(queue, refused, no_event, NULL), ZE_RESULT_ERROR_DEVICE_LOST);
        strict_fail_named(NULL, ZE_RESULT_SUCCESS);
      }
      launch(queue, nodes[j], no_event, NULL);
      CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    }
    CHECK(!node_has_run(refused));
    CHECK(node_has_run(nodes[2]));
    free(refused);
    for (int j = 0; j < 3; j++)
      free(nodes[j]);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    end();
  }
}

TEST_MAIN(a_synchronous_list_needs_no_events, an_append_to_a_synchronous_list_fails,
    a_host_task_on_a_synchronous_list, accesses_of_a_synchronous_list_are_ordered,
    a_wait_is_one_call_where_all_work_is_native,
    a_list_with_commands_of_the_applications_own_is_not_empty,
    a_wait_is_for_an_event_where_the_driver_does_not_suffice,
    a_wait_with_a_limit_is_not_for_later_host_tasks,
    a_command_queue_records_its_lists_again, a_command_queue_keeps_its_order,
    a_refused_command_of_a_command_queue_leaves_nothing)
