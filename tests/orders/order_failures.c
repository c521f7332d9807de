/* Consequences of a failure: the place of a submission whose append failed, host tasks that never
 * run, and contexts that are lost by them. */
#include "support/held_locks.h"
#include "support/scene.h"

#include "syclze/command/detail/order/access.h"

#include <time.h>

static struct scene_base scene;
static syclze_kernel kernel;

static const syclze_event no_event = {NULL};
static const syclze_nd_range one = {.global = {1}, .local = {1}};

/* A group with more accessors than it holds itself, the first of which is the kernel's argument. */
static ze_result_t launch(syclze_queue queue, struct node *node, syclze_buffer buffer,
    syclze_access_mode mode, syclze_event before, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  syclze_accessor accessor = syclze_require(&group, buffer, mode);
  for (size_t i = 0; i < SEGMENTS; i++)
    syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, i, 1);
  return syclze_launch(&group, kernel, &one, event, syclze_arg(node), syclze_arg(accessor));
}

/* Orders of commands in the queue and in its native list. */
enum { BOTH, NEITHER, NATIVE_ONLY, QUEUE_ONLY, KINDS };

static syclze_queue queue_of(int kind) {
  const ze_command_queue_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .flags = kind == NATIVE_ONLY ? 1u << 1 : 0};
  ze_command_list_handle_t list;
  syclze_queue queue;
  if (kind == BOTH || kind == NEITHER)
    return scene_queue(&scene, kind == BOTH ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0);
  CHECK_EQ(zeCommandListCreateImmediate(scene.native, scene.handle, &desc, &list), 0);
  const syclze_queue_input input = {.native_handle = syclze_native_queue_of_list(list),
      .device = scene.device,
      .properties.flags = kind == QUEUE_ONLY ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  CHECK_EQ(syclze_make_queue(&input, scene.context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

/* Gives what would run too early the time to do so: a right library passes whatever the time is. */
static void give_time(void) {
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int i = 0; i < 10; i++) {
    strict_step(1);
    nanosleep(&pause, NULL);
  }
}

/* Successors of a submission whose append failed wait for its dependencies: later submissions of
 * its queue, if that has an order, and those that access the same memory. */
TEST(a_submission_that_fails_keeps_its_place) {
  for (int kind = 0; kind < KINDS; kind++) {
    kernel = scene_begin_held(&scene);
    syclze_queue queue = queue_of(kind), first = scene_queue(&scene, 0),
                 last = scene_queue(&scene, 0);
    syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    syclze_buffer other = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    syclze_buffer gate_buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    struct node *begins = node_after(NULL), *before = node_after(NULL), *gate = node_after(NULL),
                *failed = node_after(NULL), *after = node_after(gate), *reader = node_after(before),
                *ends = node_after(NULL);
    syclze_event opened, event;
    reader->before[reader->before_count++] = gate;
    if (kind == BOTH || kind == QUEUE_ONLY) after->before[after->before_count++] = before;
    if (kind == NEITHER) after->before_count = 0;
    CHECK_EQ(launch(queue, begins, other, SYCLZE_ACCESS_WRITE, no_event, NULL), 0);
    CHECK_EQ(strict_step(10), 1);
    CHECK_EQ(launch(first, before, buffer, SYCLZE_ACCESS_WRITE, no_event, NULL), 0);
    CHECK_EQ(launch(first, gate, gate_buffer, SYCLZE_ACCESS_WRITE, no_event, &opened), 0);
    strict_fail_named("zeCommandListAppendLaunchKernel", ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    CHECK_EQ(launch(queue, failed, buffer, SYCLZE_ACCESS_WRITE, opened, &event),
        ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    CHECK_EQ(event.rep, NULL);
    strict_fail_named(NULL, ZE_RESULT_SUCCESS);
    CHECK_EQ(launch(queue, after, other, SYCLZE_ACCESS_WRITE, no_event, NULL), 0);
    CHECK_EQ(launch(last, reader, buffer, SYCLZE_ACCESS_READ, no_event, NULL), 0);
    CHECK_EQ(syclze_release(opened), ZE_RESULT_SUCCESS);
    give_time();
    strict_hold(false);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(last), ZE_RESULT_SUCCESS);
    /* The wait for the failed submission is over, and costs later ones nothing. */
    CHECK_EQ(launch(queue, ends, other, SYCLZE_ACCESS_WRITE, no_event, NULL), 0);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    if (kind == BOTH || kind == NATIVE_ONLY)
      CHECK_EQ(syclze__queue_state_get(queue.rep)->obstacles, 0);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(gate_buffer), ZE_RESULT_SUCCESS);
    CHECK(!node_has_run(failed));
    free(failed);
    node_end(begins);
    node_end(before);
    node_end(gate);
    node_end(after);
    node_end(reader);
    node_end(ends);
    scene_end_with(&scene, kernel);
  }
}

/* Parts, since a whole access of an ordered queue leaves no record. */
TEST(a_failed_launch_without_event_leaves_nothing) {
  for (int kind = 0; kind < KINDS; kind++) {
    kernel = scene_begin_held(&scene);
    syclze_queue queue = queue_of(kind);
    syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    struct node *nodes[3], *last = NULL;
    for (int i = 0; i < 3; i++) {
      nodes[i] = node_after(last);
      if (i != 1) last = nodes[i];
      if (i == 1)
        strict_fail_named("zeCommandListAppendLaunchKernel", ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      syclze_group group = syclze_group_begin(queue);
      syclze_accessor accessor =
          syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ_WRITE, 0, 2);
      CHECK_EQ(
          syclze_launch(&group, kernel, &one, NULL, syclze_arg(nodes[i]), syclze_arg(accessor)),
          i == 1 ? ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET : ZE_RESULT_SUCCESS);
      strict_fail_named(NULL, ZE_RESULT_SUCCESS);
    }
    strict_hold(false);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(nodes[1]->ran, 0);
    free(nodes[1]);
    node_end(nodes[0]);
    node_end(nodes[2]);
    scene_end_with(&scene, kernel);
  }
}

/* A worker signals the events of failed submissions while more of them fail, in their order. */
TEST(events_of_failed_submissions_are_signalled_while_others_fail) {
  enum { FAILURES = 300 };
  kernel = scene_begin_held(&scene);
  syclze_queue queue = scene_queue(&scene, 0), last = scene_queue(&scene, 0);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  struct node *reader = node_after(NULL), *failed = node_after(NULL);
  syclze_event gates[2];
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_event_create(scene.context, 0, &gates[i]), ZE_RESULT_SUCCESS);
  strict_fail_named("zeCommandListAppendLaunchKernel", ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  for (int i = 0; i < FAILURES; i++)
    CHECK_EQ(launch(queue, failed, buffer, SYCLZE_ACCESS_WRITE, gates[i % 2], NULL),
        ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(zeEventHostSignal(syclze_get_native(gates[i])), ZE_RESULT_SUCCESS);
  for (int i = 0; i < FAILURES; i++)
    CHECK_EQ(launch(queue, failed, buffer, SYCLZE_ACCESS_WRITE, gates[i % 2], NULL),
        ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(last, reader, buffer, SYCLZE_ACCESS_READ, no_event, NULL), 0);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_release(gates[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(failed->ran, 0);
  free(failed);
  node_end(reader);
  scene_end_with(&scene, kernel);
}

static int length_of(const struct syclze__access *list) {
  int length = 0;
  for (; list != NULL; list = list->next)
    length += !list->is_block;
  return length;
}

/* The readers of a buffer are compacted at 1024 of them, unless the queue of one is locked, whose
   event cannot be had then; a later reader has them compacted. */
TEST(a_list_is_not_compacted_while_a_queue_is_locked) {
  enum { READERS = 1024, MOST = READERS + SYCLZE__ACCESSES_FEW };
  kernel = scene_begin_held(&scene);
  syclze_queue plain = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER),
               queue = scene_queue(&scene, 0), writes = scene_queue(&scene, 0);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  const struct syclze__accesses *all = NULL;
  struct node *nodes[MOST], *writer;
  for (int i = 0; i < MOST; i++) {
    nodes[i] = node_after(NULL);
    struct syclze__queue_state *state = syclze__queue_state_get(plain.rep);
    if (i == READERS - 1) {
      all = syclze__accesses_of(&buffer.rep->memory);
      CHECK_EQ(length_of(all->readers), READERS - 1);
      syclze__lock_acquire(&state->lock);
    }
    /* Parts, since a whole access without an event leaves no record. */
    syclze_group group = syclze_group_begin(i == 0 ? plain : queue);
    syclze_accessor accessor =
        syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, 2 + (size_t)i % 4, 1);
    CHECK_EQ(syclze_launch(&group, kernel, &one, NULL, syclze_arg(nodes[i]), syclze_arg(accessor)),
        ZE_RESULT_SUCCESS);
    if (i == READERS - 1) {
      syclze__lock_release(&state->lock);
      CHECK_EQ(length_of(all->readers), READERS);
    }
  }
  CHECK_EQ(length_of(all->readers), 1);
  CHECK(!all->readers->is_whole);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(all->readers->range.first[i], i == 0 ? 2 : 0);
    CHECK_EQ(all->readers->range.end[i], i == 0 ? 6 : 1);
  }
  writer = node_after(nodes[0]);
  CHECK_EQ(launch(writes, writer, buffer, SYCLZE_ACCESS_WRITE, no_event, NULL), 0);
  while (strict_step(1) != 0)
    CHECK(!node_has_run(writer) || node_has_run(nodes[0]));
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(writes), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(plain), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(writes), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  for (int i = 0; i < MOST; i++)
    node_end(nodes[i]);
  node_end(writer);
  scene_end_with(&scene, kernel);
}

/* A table of callbacks that counts the ends of host tasks. */
static struct {
  struct syclze__trace_node node; /* of each */
  uint32_t begun, ran, never_ran;
} traced;

static struct syclze__trace_node *trace_begin(const struct syclze__trace_command_info *command) {
  return command->is_host ? &traced.node : NULL;
}

static void trace_end(struct syclze__trace_node *node, ze_result_t result, bool over) {
  (void)node, (void)result, (void)over;
}

static void trace_host_begin(struct syclze__trace_node *node) {
  CHECK_EQ(node, &traced.node);
  __atomic_add_fetch(&traced.begun, 1, __ATOMIC_RELAXED);
}

static void trace_host_end(struct syclze__trace_node *node, bool ran) {
  CHECK_EQ(node, &traced.node);
  __atomic_add_fetch(ran ? &traced.ran : &traced.never_ran, 1, __ATOMIC_RELEASE);
}

static const struct syclze__trace_commands tracing = {.command_begin = trace_begin,
    .command_end = trace_end,
    .host_task_begin = trace_host_begin,
    .host_task_end = trace_host_end};

static void begin_traced(void) {
  kernel = scene_begin_held(&scene);
  memset(&traced, 0, sizeof traced);
  traced.node.table = &tracing;
  __atomic_store_n(&SYCLZE__STATE.trace_commands, &tracing, __ATOMIC_RELEASE);
}

static void end_traced(void) {
  __atomic_store_n(&SYCLZE__STATE.trace_commands, NULL, __ATOMIC_RELEASE);
  scene_end_with(&scene, kernel);
}

static void wait_for(const uint32_t *word, uint32_t value) {
  const struct timespec pause = {.tv_nsec = 100000};
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
    nanosleep(&pause, NULL);
}

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  (void)handle;
  ++*(uint32_t *)argument;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t fail_run(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_ERROR_UNKNOWN;
}

TEST(a_traced_host_task_ends_once) {
  uint32_t runs = 0;
  begin_traced();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, count_run, &runs, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, fail_run, NULL, NULL), ZE_RESULT_SUCCESS);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_ERROR_UNKNOWN);
  CHECK_EQ(runs, 1);
  CHECK_EQ(traced.begun, 2);
  CHECK_EQ(traced.ran, 2);
  CHECK_EQ(traced.never_ran, 0);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end_traced();
}

/* Its events cannot be waited for: the task never runs, and its context is lost, in which no other
   wait lasts for ever, neither the application's nor a worker's. */
TEST(a_host_task_that_is_given_up_loses_its_context) {
  uint32_t runs = 0;
  syclze_event gates[2], done[2];
  begin_traced();
  syclze_queue queue = scene_queue(&scene, 0);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_event_create(scene.context, 0, &gates[i]), ZE_RESULT_SUCCESS);
  strict_fail_named("zeEventHostSynchronize", ZE_RESULT_ERROR_DEVICE_LOST);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, gates[0]);
  CHECK_EQ(syclze_group_host_task(&group, count_run, &runs, &done[0]), ZE_RESULT_SUCCESS);
  wait_for(&traced.never_ran, 1);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done[0]), ZE_RESULT_ERROR_DEVICE_LOST);
  group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, gates[1]);
  CHECK_EQ(syclze_group_host_task(&group, count_run, &runs, &done[1]), ZE_RESULT_SUCCESS);
  wait_for(&traced.never_ran, 2);
  CHECK_EQ(syclze_event_wait(done[1]), ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(syclze_queue_take_asynchronous_error(queue), ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(runs, 0);
  CHECK_EQ(traced.begun + traced.ran, 0);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(zeEventHostSignal(syclze_get_native(gates[i])), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostSignal(syclze_get_native(done[i])), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(gates[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end_traced();
}

/* A list that cannot be waited for is waited for by an event. */
TEST(the_wait_of_a_queue_in_a_lost_context_returns) {
  syclze_event gate, done;
  uint32_t runs = 0;
  begin_traced();
  syclze_queue queue = scene_queue(&scene, 0), stuck = scene_queue(&scene, 0);
  CHECK_EQ(syclze_event_create(scene.context, 0, &gate), ZE_RESULT_SUCCESS);
  strict_fail_named("zeEventHostSynchronize", ZE_RESULT_ERROR_DEVICE_LOST);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_host_task(&group, count_run, &runs, &done), ZE_RESULT_SUCCESS);
  wait_for(&traced.never_ran, 1);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  __atomic_store_n(&SYCLZE__STATE.trace_commands, NULL, __ATOMIC_RELEASE);
  struct node *node = node_after(NULL);
  const void *none = NULL;
  group = syclze_group_begin(stuck);
  CHECK_EQ(syclze_launch(&group, kernel, &one, NULL, syclze_arg(node), syclze_arg(none)), 0);
  CHECK_EQ(syclze_queue_wait(stuck), ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(strict_calls_of("zeCommandListHostSynchronize"), 1);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(stuck), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(done)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(stuck), ZE_RESULT_SUCCESS);
  node_end(node);
  end_traced();
}

static unsigned reported, under_locks;

static void note_locks(void *user, const syclze_diagnostic *diagnostic) {
  (void)user, (void)diagnostic;
  reported++;
  if (held_locks != 0) under_locks++;
}

/* Memory has the last reference to the event that made it available, whose destruction fails. */
TEST(the_end_of_an_available_event_is_reported_without_a_lock) {
  static const syclze_diagnostic_handler handler = {note_locks, NULL};
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1};
  const ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  ze_event_pool_handle_t pool;
  ze_event_handle_t native;
  syclze_event available;
  syclze_buffer buffer;
  kernel = scene_begin_held(&scene);
  syclze_queue queue = queue_of(BOTH);
  CHECK_EQ(zeEventPoolCreate(scene.native, &pool_desc, 1, &scene.handle, &pool), 0);
  CHECK_EQ(zeEventCreate(pool, &event_desc, &native), 0);
  CHECK_EQ(zeEventHostSignal(native), 0);
  const syclze_event_input event_input = {native, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_event(&event_input, scene.context, &available), ZE_RESULT_SUCCESS);
  void *allocated;
  CHECK_EQ(
      syclze_malloc_shared(SEGMENTS * sizeof(uint64_t), scene.device, scene.context, &allocated),
      ZE_RESULT_SUCCESS);
  const syclze_buffer_input input = {.native_handle = allocated,
      .element_size = sizeof(uint64_t),
      .dimensions = 1,
      .range = {SEGMENTS, 0, 0}};
  CHECK_EQ(syclze_make_buffer_after(&input, scene.context, available, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(available), ZE_RESULT_SUCCESS);
  reported = under_locks = 0;
  syclze_diagnostic_set_handler(&handler);
  strict_fail_named("zeEventDestroy", ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  struct node *node = node_after(NULL);
  CHECK_EQ(launch(queue, node, buffer, SYCLZE_ACCESS_WRITE, no_event, NULL), 0);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  syclze_release(queue);
  CHECK_EQ(reported, 1);
  CHECK_EQ(under_locks, 0);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  syclze_diagnostic_set_handler(NULL);
  CHECK_EQ(zeEventDestroy(native), 0);
  CHECK_EQ(zeEventPoolDestroy(pool), 0);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  node_end(node);
  scene_end_with(&scene, kernel);
}

TEST_MAIN(the_end_of_an_available_event_is_reported_without_a_lock,
    a_submission_that_fails_keeps_its_place, a_failed_launch_without_event_leaves_nothing,
    events_of_failed_submissions_are_signalled_while_others_fail,
    a_list_is_not_compacted_while_a_queue_is_locked, a_traced_host_task_ends_once,
    a_host_task_that_is_given_up_loses_its_context, the_wait_of_a_queue_in_a_lost_context_returns)
