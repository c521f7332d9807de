/* Orders that random graphs meet seldom, one case for each. The device holds everything until the
   case lets it go, and then runs the command that was appended last among those that may run. */
#include "support/scene.h"

#include <time.h>

static struct scene_base scene;
static syclze_kernel kernel;

static void begin(void) {
  kernel = scene_begin_held(&scene);
}

static void end(void) {
  scene_end_with(&scene, kernel);
}

/* A launch that accesses some segments; none for a null buffer. */
static void launch_range(syclze_queue queue, struct node *node, syclze_buffer buffer,
    syclze_access_mode mode, size_t first, size_t count, syclze_event before, syclze_event *event) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  const void *none = NULL;
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  if (buffer.rep == NULL) {
    CHECK_EQ(syclze_launch(&group, kernel, &range, event, syclze_arg(node), syclze_arg(none)), 0);
    return;
  }
  syclze_accessor accessor = count == 0
                                 ? syclze_require(&group, buffer, mode)
                                 : syclze_group_require_range(&group, buffer, mode, first, count);
  CHECK_EQ(syclze_launch(&group, kernel, &range, event, syclze_arg(node), syclze_arg(accessor)), 0);
}

static void launch(syclze_queue queue, struct node *node, syclze_buffer buffer,
    syclze_access_mode mode, syclze_event before, syclze_event *event) {
  launch_range(queue, node, buffer, mode, 0, 0, before, event);
}

static ze_result_t run_on_host(syclze_interop_handle handle, void *argument) {
  (void)handle;
  node_run(argument, NULL);
  return ZE_RESULT_SUCCESS;
}

static void submit_host_task(syclze_queue queue, struct node *node, syclze_host_function function,
    syclze_event before, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  CHECK_EQ(syclze_group_host_task(&group, function, node, event), ZE_RESULT_SUCCESS);
}

/* An event that the test signals, and its pool. */
struct gate {
  ze_event_pool_handle_t pool;
  ze_event_handle_t native;
  syclze_event event;
};

static struct gate gate_begin(void) {
  struct gate gate;
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  CHECK_EQ(zeEventPoolCreate(scene.native, &pool_desc, 0, NULL, &gate.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventCreate(gate.pool, &desc, &gate.native), ZE_RESULT_SUCCESS);
  syclze_event_input input = {.native_handle = gate.native, .ownership = SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_event(&input, scene.context, &gate.event), ZE_RESULT_SUCCESS);
  return gate;
}

static void gate_end(struct gate *gate) {
  CHECK_EQ(syclze_event_release(gate->event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(gate->native), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(gate->pool), ZE_RESULT_SUCCESS);
}

/* Gives what would run too early the time to do so: a right library passes whatever the time is. */
static void give_time(const struct node *node) {
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int i = 0; i < 30 && !node_has_run(node); i++) {
    strict_step(1000);
    nanosleep(&pause, NULL);
  }
}

static void wait_and_release(syclze_queue queue) {
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
}

static const syclze_event no_event = {NULL};
static const syclze_buffer no_buffer = {NULL};

/* Three launches on a queue, of which the first and the last access a buffer in one way, and one on
 * another queue that must wait for the last. */
static void check_repeated(syclze_access_mode repeated, syclze_access_mode other_queue) {
  begin();
  syclze_queue a = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER), b = scene_queue(&scene, 0);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  syclze_event event, later;
  struct node *first = node_after(NULL), *other = node_after(first), *again = node_after(other),
              *waiter = node_after(again);
  launch(a, first, buffer, repeated, no_event, NULL);
  launch(a, other, no_buffer, SYCLZE_ACCESS_READ, no_event, &event);
  launch(a, again, buffer, repeated, no_event, NULL);
  launch(b, waiter, buffer, other_queue, no_event, &later);
  wait_and_release(a);
  wait_and_release(b);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(later), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  node_end(first);
  node_end(other);
  node_end(again);
  node_end(waiter);
  end();
}

/* Another queue waits for the last access, not for the first of the same kind. */
TEST(a_repeated_access_is_waited_for_where_it_stands) {
  check_repeated(SYCLZE_ACCESS_READ_WRITE, SYCLZE_ACCESS_READ);
}

TEST(a_repeated_read_is_waited_for_where_it_stands) {
  check_repeated(SYCLZE_ACCESS_READ, SYCLZE_ACCESS_WRITE);
}

TEST(a_launch_without_event_follows_the_host_task_before_it) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct gate gate = gate_begin();
  struct node *zeroth = node_after(NULL), *task = node_after(zeroth), *after = node_after(task);
  launch(queue, zeroth, no_buffer, SYCLZE_ACCESS_READ, no_event, NULL);
  submit_host_task(queue, task, run_on_host, gate.event, NULL);
  launch(queue, after, no_buffer, SYCLZE_ACCESS_READ, no_event, NULL);
  give_time(after);
  CHECK(!node_has_run(after));
  CHECK_EQ(zeEventHostSignal(gate.native), ZE_RESULT_SUCCESS);
  wait_and_release(queue);
  node_end(zeroth);
  node_end(task);
  node_end(after);
  gate_end(&gate);
  end();
}

TEST(a_host_task_follows_the_barrier_before_it) {
  begin();
  syclze_queue queue = scene_queue(&scene, 0);
  struct gate gate = gate_begin();
  struct node *before = node_after(NULL), *task = node_after(before);
  syclze_event event;
  launch(queue, before, no_buffer, SYCLZE_ACCESS_READ, gate.event, &event);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  submit_host_task(queue, task, run_on_host, no_event, NULL);
  give_time(task);
  CHECK(!node_has_run(task));
  CHECK_EQ(zeEventHostSignal(gate.native), ZE_RESULT_SUCCESS);
  wait_and_release(queue);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  node_end(before);
  node_end(task);
  gate_end(&gate);
  end();
}

static struct gate named, open_gate;

static ze_result_t name_event(syclze_interop_handle handle, void *argument) {
  node_run(argument, NULL);
  /* More than there is room for at first; the last one counts, too. */
  for (uint32_t i = 0; i < 40; i++)
    CHECK_EQ(syclze_interop_handle_add_event(handle, i < 39 ? open_gate.native : named.native), 0);
  return ZE_RESULT_SUCCESS;
}

/* Covers tasks without and with dependencies. */
TEST(what_a_host_task_names_is_waited_for) {
  for (uint32_t waits = 0; waits < 2; waits++) {
    begin();
    syclze_queue queue = scene_queue(&scene, 0);
    struct gate gate = gate_begin();
    named = gate_begin();
    open_gate = gate_begin();
    CHECK_EQ(zeEventHostSignal(open_gate.native), ZE_RESULT_SUCCESS);
    struct node *task = node_after(NULL), *after = node_after(task);
    syclze_event event, later;
    submit_host_task(queue, task, name_event, waits != 0 ? gate.event : no_event, &event);
    launch(queue, after, no_buffer, SYCLZE_ACCESS_READ, event, &later);
    CHECK_EQ(zeEventHostSignal(gate.native), ZE_RESULT_SUCCESS);
    give_time(after);
    CHECK(!node_has_run(after));
    CHECK_EQ(zeEventHostSignal(named.native), ZE_RESULT_SUCCESS);
    wait_and_release(queue);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(later), ZE_RESULT_SUCCESS);
    node_end(task);
    node_end(after);
    gate_end(&gate);
    gate_end(&named);
    gate_end(&open_gate);
    end();
  }
}

static ze_result_t fail_natively(syclze_interop_handle handle, void *argument) {
  (void)handle;
  (void)argument;
  return ZE_RESULT_ERROR_UNKNOWN;
}

/* Later work waits for the wait list of the failed submission. */
TEST(a_native_command_that_fails_keeps_its_place) {
  begin();
  syclze_queue a = scene_queue(&scene, 0), b = scene_queue(&scene, 0);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  struct gate gate = gate_begin();
  struct node *before = node_after(NULL), *after = node_after(before);
  launch(a, before, buffer, SYCLZE_ACCESS_READ_WRITE, gate.event, NULL);
  syclze_group group = syclze_group_begin(b);
  syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_native_command(&group, fail_natively, NULL, NULL), ZE_RESULT_ERROR_UNKNOWN);
  launch(b, after, buffer, SYCLZE_ACCESS_READ_WRITE, no_event, NULL);
  give_time(after);
  CHECK_EQ(zeEventHostSignal(gate.native), ZE_RESULT_SUCCESS);
  wait_and_release(a);
  wait_and_release(b);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  node_end(before);
  node_end(after);
  gate_end(&gate);
  end();
}

enum { MANY = 2200 };

static syclze_buffer large_buffer(size_t count) {
  void *memory;
  CHECK_EQ(
      syclze_malloc_shared(count * 8, scene.device, scene.context, &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {
      .native_handle = memory, .element_size = 8, .dimensions = 1, .range = {count}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, scene.context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

/* More pending accesses of parts than a list holds: a writer of any part waits for those of that
   part, the first, one in the middle and the last. Those of an in-order queue have no events of
   their own, but for the first. */
static void check_many(
    syclze_access_mode mode, syclze_access_mode later_mode, bool descends, uint32_t flags) {
  static const uint32_t parts[] = {0, 1, 511, 1023, 1024, 1500, MANY - 2, MANY - 1};
  enum { PARTS = sizeof parts / sizeof *parts };
  begin();
  syclze_queue queue = scene_queue(&scene, flags), other = scene_queue(&scene, 0);
  syclze_buffer buffer = large_buffer(MANY);
  struct gate gate = gate_begin();
  static struct node *nodes[MANY];
  struct node *later[PARTS];
  for (uint32_t i = 0; i < MANY; i++) {
    const uint32_t at = descends ? MANY - 1 - i : i;
    nodes[at] = node_after(NULL);
    launch_range(
        queue, nodes[at], buffer, mode, at, 1, flags == 0 || i == 0 ? gate.event : no_event, NULL);
  }
  for (uint32_t i = 0; i < PARTS; i++) {
    later[i] = node_after(nodes[parts[i]]);
    launch_range(other, later[i], buffer, later_mode, parts[i], 1, no_event, NULL);
  }
  give_time(later[PARTS - 1]);
  CHECK_EQ(zeEventHostSignal(gate.native), ZE_RESULT_SUCCESS);
  wait_and_release(other);
  wait_and_release(queue);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < PARTS; i++)
    node_end(later[i]);
  for (uint32_t i = 0; i < MANY; i++)
    node_end(nodes[i]);
  gate_end(&gate);
  end();
}

TEST(a_writer_waits_for_its_part_of_very_many_readers) {
  check_many(SYCLZE_ACCESS_READ, SYCLZE_ACCESS_WRITE, false, 0);
  check_many(SYCLZE_ACCESS_READ, SYCLZE_ACCESS_WRITE, true, 0);
  check_many(SYCLZE_ACCESS_READ, SYCLZE_ACCESS_WRITE, false, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
}

TEST(a_reader_waits_for_its_part_of_very_many_writers) {
  check_many(SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_READ, false, 0);
  check_many(SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_READ, true, 0);
  check_many(SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_READ, false, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
}

/* Every access that is under way keeps transferred memory, whichever queue it is of. */
TEST(memory_lives_until_its_last_access) {
  begin();
  enum { QUEUES_USED = 6 };
  syclze_queue queues[QUEUES_USED];
  struct node *nodes[QUEUES_USED];
  struct gate gate = gate_begin();
  uint64_t *memory;
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &memory);
  for (uint32_t i = 0; i < QUEUES_USED; i++) {
    queues[i] = scene_queue(&scene, i % 2 != 0 ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0);
    nodes[i] = node_after(NULL);
    launch(queues[i], nodes[i], buffer, SYCLZE_ACCESS_READ, gate.event, NULL);
  }
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK(strict_is_alive(memory));
  CHECK_EQ(zeEventHostSignal(gate.native), ZE_RESULT_SUCCESS);
  for (uint32_t left = QUEUES_USED; left > 0; left--) {
    CHECK(strict_is_alive(memory));
    CHECK_EQ(strict_step(1), 1);
  }
  for (uint32_t i = 0; i < QUEUES_USED; i++) {
    wait_and_release(queues[i]);
    node_end(nodes[i]);
  }
  gate_end(&gate);
  end();
}

/* Properties of the list's creation. The driver, if it answers, and the application agree on them.
 */
enum { ANSWERS = 1, GIVEN = 2, NATIVE = 4, IN_ORDER = 8, KINDS = 16 };

static syclze_queue wrapped_queue(uint32_t kind) {
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .flags = kind & NATIVE ? 1u << 1 : 0,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ze_command_list_handle_t list;
  syclze_queue queue;
  strict_fail_named(kind & ANSWERS ? NULL : "zeCommandListImmediateGetFlags",
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK_EQ(zeCommandListCreateImmediate(scene.native, scene.handle, &desc, &list), 0);
  const syclze_queue_input input = {.native_handle = syclze_native_queue_of_list(list),
      .device = scene.device,
      .properties.flags = (kind & GIVEN ? SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER : 0u) |
                          (kind & IN_ORDER ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0u)};
  CHECK_EQ(syclze_make_queue(&input, scene.context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

/* Events are made for an order that the native list is not known to keep, and for nothing else. */
TEST(a_wrapped_list_that_is_in_order_needs_no_events) {
  enum { LAUNCHES = 4 };
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    if ((kind & (ANSWERS | GIVEN | NATIVE)) == GIVEN) continue; /* a lie */
    const bool is_known = (kind & NATIVE) && (kind & (ANSWERS | GIVEN));
    begin();
    syclze_queue queue = wrapped_queue(kind);
    syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    struct node *nodes[LAUNCHES];
    for (int i = 0; i < LAUNCHES; i++) {
      nodes[i] = node_after(i > 0 ? nodes[i - 1] : NULL);
      launch(queue, nodes[i], buffer, SYCLZE_ACCESS_READ_WRITE, no_event, NULL);
    }
    CHECK_EQ(strict_calls_of("zeEventCreate") == 0, is_known);
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), 0);
    scene_run_all();
    strict_hold(false);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(strict_calls_of("zeCommandListHostSynchronize"), 1);
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), 0);
    for (int i = 0; i < LAUNCHES; i++)
      node_end(nodes[i]);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    end();
  }
}

/* The order of the native list is none of a queue that has none: a launch does not wait for the
 * host task before it, which waits for what it depends on, and for barriers. */
TEST(a_queue_out_of_order_on_a_list_in_order) {
  begin();
  syclze_queue queue = wrapped_queue(NATIVE | ANSWERS);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  struct gate gate = gate_begin();
  struct node *writer = node_after(NULL), *task = node_after(NULL), *reader = node_after(writer),
              *beside = node_after(NULL), *barred = node_after(beside);
  submit_host_task(queue, task, run_on_host, gate.event, NULL);
  launch(queue, writer, buffer, SYCLZE_ACCESS_READ_WRITE, no_event, NULL);
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_host_task(&group, run_on_host, reader, NULL), ZE_RESULT_SUCCESS);
  const struct timespec pause = {.tv_nsec = 10000000};
  nanosleep(&pause, NULL);
  CHECK(!node_has_run(reader));
  while (!node_has_run(reader))
    give_time(reader);
  CHECK(node_has_run(writer));
  CHECK(!node_has_run(task));
  launch(queue, beside, no_buffer, SYCLZE_ACCESS_READ, no_event, NULL);
  CHECK_EQ(strict_calls_of("zeCommandListAppendLaunchKernel"), 2);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  submit_host_task(queue, barred, run_on_host, no_event, NULL);
  give_time(barred);
  CHECK(!node_has_run(barred));
  CHECK_EQ(zeEventHostSignal(gate.native), ZE_RESULT_SUCCESS);
  wait_and_release(queue);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  node_end(writer);
  node_end(task);
  node_end(reader);
  node_end(beside);
  node_end(barred);
  gate_end(&gate);
  end();
}

TEST_MAIN(a_wrapped_list_that_is_in_order_needs_no_events, a_queue_out_of_order_on_a_list_in_order,
    a_repeated_access_is_waited_for_where_it_stands, a_repeated_read_is_waited_for_where_it_stands,
    a_launch_without_event_follows_the_host_task_before_it,
    a_host_task_follows_the_barrier_before_it, what_a_host_task_names_is_waited_for,
    a_native_command_that_fails_keeps_its_place, a_writer_waits_for_its_part_of_very_many_readers,
    a_reader_waits_for_its_part_of_very_many_writers, memory_lives_until_its_last_access)
