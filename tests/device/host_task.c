/* Host tasks and native commands: order, interop handle, result, and added events. */
#include "support/made.h"
#include "support/spy.h"

#include "syclze/command.h"

#include <stdatomic.h>

struct fixture {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  int *memory;
  syclze_buffer buffer, other;
  void *other_memory;
};

enum { ITEMS = 64 };

static syclze_buffer buffer_of(struct fixture *f, void *memory) {
  syclze_buffer_input input = {
      .native_handle = memory, .ownership = SYCLZE_OWNERSHIP_KEEP, .element_size = sizeof(int)};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, f->context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

enum { ON_LIST, ON_QUEUE, KINDS };

static void begin_on(struct fixture *f, int kind) {
  memset(f, 0, sizeof *f);
  f->g = given();
  given_needs_execution();
  void *memory;
  f->device = made_device(&f->g);
  f->context = made_context(&f->g, SYCLZE_OWNERSHIP_KEEP);
  f->queue = made_queue(&f->g, f->context,
      kind == ON_LIST ? syclze_native_queue_of(f->g.list) : syclze_native_queue_of(f->g.queue),
      SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(
      syclze_malloc_shared(ITEMS * sizeof(int), f->device, f->context, &memory), ZE_RESULT_SUCCESS);
  f->memory = memory;
  memset(memory, 0, ITEMS * sizeof(int));
  CHECK_EQ(
      syclze_malloc_host(ITEMS * sizeof(int), f->context, &f->other_memory), ZE_RESULT_SUCCESS);
  f->buffer = buffer_of(f, f->memory);
  f->other = buffer_of(f, f->other_memory);
}

static void begin(struct fixture *f) {
  begin_on(f, ON_LIST);
}

static void end(struct fixture *f) {
  CHECK_EQ(syclze_release(f->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(f->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(f->memory, f->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(f->other_memory, f->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(f->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(f->context), ZE_RESULT_SUCCESS);
  given_end(&f->g);
}

static syclze_event event_of(struct fixture *f) {
  syclze_event event;
  CHECK_EQ(syclze_event_create(f->context, 0, &event), ZE_RESULT_SUCCESS);
  return event;
}

static void signal_event(syclze_event event) {
  CHECK_EQ(zeEventHostSignal(syclze_get_native(event)), ZE_RESULT_SUCCESS);
}

static bool is_signalled(syclze_event event) {
  return zeEventQueryStatus(syclze_get_native(event)) == ZE_RESULT_SUCCESS;
}

static void wait_for(syclze_event event) {
  CHECK_EQ(zeEventHostSynchronize(syclze_get_native(event), UINT64_MAX), ZE_RESULT_SUCCESS);
}

/* Input and output of a task. */
struct seen {
  syclze_accessor accessor, of_other_group;
  syclze_interop_handle handle;
  syclze_native_queue queue;
  ze_device_handle_t device;
  ze_context_handle_t context;
  void *memory;
  ze_memory_type_t type;
  int first;
  ze_result_t unregistered, mismatch, image;
};

static ze_result_t look(syclze_interop_handle handle, void *argument) {
  struct seen *seen = argument;
  void *none;
  ze_image_handle_t image;
  syclze_backend_return native;
  seen->handle = handle;
  CHECK_EQ(syclze_interop_handle_get_backend(handle), SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO);
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &seen->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_interop_handle_get_native_device(handle, &seen->device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_interop_handle_get_native_context(handle, &seen->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_get_native_mem(handle, seen->accessor, &seen->memory), ZE_RESULT_SUCCESS);
  seen->first = *(int *)seen->memory;
  seen->unregistered = syclze_get_native_mem(handle, seen->of_other_group, &none);
  CHECK_EQ((uintptr_t)none, 0);
  seen->image = syclze_get_native_mem(handle, seen->accessor, &image);
  seen->mismatch = syclze_interop_handle_get_native(
      handle, SYCLZE_BACKEND_OPENCL, SYCLZE_OBJECT_QUEUE, NULL, &native);
  CHECK_EQ(native.kind, SYCLZE_OBJECT_NONE);
  CHECK_EQ(syclze_interop_handle_get_native(handle, SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO,
               SYCLZE_OBJECT_BUFFER, &seen->accessor, &native),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(native.buffer, seen->memory);
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  CHECK_EQ(
      zeMemGetAllocProperties(seen->context, seen->memory, &properties, NULL), ZE_RESULT_SUCCESS);
  seen->type = properties.type;
  return ZE_RESULT_SUCCESS;
}

// shows backend 27, interop 1-6 8-12 16 19 20
TEST(the_interop_handle_returns_the_objects_of_its_group) {
  struct fixture f;
  begin(&f);
  struct seen seen = {0};
  const int seven = 7, nine = 9;
  syclze_group before = syclze_group_begin(f.queue);
  syclze_accessor written = syclze_require(&before, f.buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(
               &before, syclze_mem_arg(written), &seven, sizeof seven, ITEMS * sizeof seven, NULL),
      ZE_RESULT_SUCCESS);

  syclze_group none = syclze_group_begin(f.queue);
  seen.of_other_group = syclze_require(&none, f.other, SYCLZE_ACCESS_READ);

  syclze_group group = syclze_group_begin(f.queue);
  seen.accessor = syclze_require(&group, f.buffer, SYCLZE_ACCESS_READ_WRITE);
  syclze_event event;
  CHECK_EQ(syclze_group_host_task(&group, look, &seen, &event), ZE_RESULT_SUCCESS);

  syclze_group after = syclze_group_begin(f.queue);
  syclze_require(&after, f.buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(
               &after, syclze_mem_arg(f.memory), &nine, sizeof nine, ITEMS * sizeof nine, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(f.queue), ZE_RESULT_SUCCESS);

  CHECK(is_signalled(event));
  CHECK_EQ(seen.first, 7);
  CHECK_EQ(f.memory[ITEMS - 1], 9);
  CHECK_EQ(seen.queue.kind, SYCLZE_NATIVE_QUEUE_LIST);
  CHECK_EQ(seen.queue.list, f.g.list);
  CHECK_EQ(seen.device, f.g.device);
  CHECK_EQ(seen.context, f.g.context);
  CHECK_EQ(seen.memory, f.memory);
  CHECK_EQ(seen.type, ZE_MEMORY_TYPE_SHARED);
  CHECK_EQ(seen.unregistered, SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(seen.image, SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(seen.mismatch, SYCLZE_RESULT_ERROR_BACKEND_MISMATCH);

  /* The task has ended. */
  syclze_native_queue queue;
  syclze_interop_handle zero = {0};
  CHECK_EQ(
      syclze_interop_handle_get_native_queue(seen.handle, &queue), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(queue.list, NULL);
  CHECK_EQ(syclze_interop_handle_get_native_queue(zero, &queue), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  end(&f);
}

static ze_result_t fail(syclze_interop_handle handle, void *argument) {
  (void)handle;
  return *(ze_result_t *)argument;
}

static struct {
  int calls;
  ze_result_t last;
  const void *queue;
} reported;

static void notify(void *user, syclze_queue queue, ze_result_t error) {
  CHECK_EQ(user, &reported);
  reported.calls++;
  reported.last = error;
  reported.queue = queue.rep;
}

TEST(the_result_of_a_host_task_is_an_asynchronous_error) {
  struct fixture f;
  begin(&f);
  static const syclze_asynchronous_handler handler = {notify, &reported};
  ze_result_t error = SYCLZE_RESULT_ERROR_RUNTIME;
  memset(&reported, 0, sizeof reported);
  syclze_queue_set_asynchronous_handler(f.queue, &handler);
  syclze_group group = syclze_group_begin(f.queue);
  CHECK_EQ(syclze_group_host_task(&group, fail, &error, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(f.queue), SYCLZE_RESULT_ERROR_RUNTIME);
  CHECK_EQ(reported.calls, 1);
  CHECK_EQ(reported.last, SYCLZE_RESULT_ERROR_RUNTIME);
  CHECK_EQ(reported.queue, f.queue.rep);
  CHECK_EQ(syclze_queue_wait(f.queue), ZE_RESULT_SUCCESS);
  end(&f);
}

/* Two tasks, each of which signals the other and waits for its signal. */
struct pair {
  syclze_event mine, others;
};

static ze_result_t meet(syclze_interop_handle handle, void *argument) {
  const struct pair *pair = argument;
  (void)handle;
  signal_event(pair->mine);
  return zeEventHostSynchronize(syclze_get_native(pair->others), UINT64_MAX);
}

TEST(independent_host_tasks_run_concurrently) {
  struct fixture f;
  begin(&f);
  syclze_event a = event_of(&f), b = event_of(&f);
  struct pair pairs[2] = {{a, b}, {b, a}};
  for (int i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(f.queue);
    CHECK_EQ(syclze_group_host_task(&group, meet, &pairs[i], NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_wait(f.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(b), ZE_RESULT_SUCCESS);
  end(&f);
}

static ze_result_t await_event(syclze_interop_handle handle, void *argument) {
  const syclze_event *event = argument;
  (void)handle;
  return zeEventHostSynchronize(syclze_get_native(*event), UINT64_MAX);
}

struct chain {
  struct fixture f;
  struct pair second, third;
  bool submits; /* the second task submits the third */
};

static ze_result_t submit_third(struct chain *chain) {
  syclze_group group = syclze_group_begin(chain->f.queue);
  return syclze_group_host_task(&group, meet, &chain->third, NULL);
}

static ze_result_t run_second(syclze_interop_handle handle, void *argument) {
  struct chain *chain = argument;
  if (chain->submits) CHECK_EQ(submit_third(chain), ZE_RESULT_SUCCESS);
  return meet(handle, &chain->second);
}

/* The thread that ran the first task goes on with the second, which waits for the third: the third
   is for another thread. */
static void check_third(bool submits) {
  struct chain chain = {.submits = submits};
  struct fixture *f = &chain.f;
  begin(f);
  syclze_event first = event_of(f), begun = event_of(f), third = event_of(f);
  chain.second = (struct pair){begun, third};
  chain.third = (struct pair){third, begun};
  for (int i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(f->queue);
    syclze_require(&group, f->buffer, SYCLZE_ACCESS_READ_WRITE);
    if (i == 0)
      CHECK_EQ(syclze_group_host_task(&group, await_event, &first, NULL), ZE_RESULT_SUCCESS);
    else
      CHECK_EQ(syclze_group_host_task(&group, run_second, &chain, NULL), ZE_RESULT_SUCCESS);
  }
  signal_event(first);
  wait_for(begun);
  if (!submits) CHECK_EQ(submit_third(&chain), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(f->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(begun), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(third), ZE_RESULT_SUCCESS);
  end(f);
}

TEST(a_task_behind_another_holds_up_no_third) { // shows promises 42
  check_third(false);
}

TEST(a_task_behind_another_submits_what_it_waits_for) { // shows promises 42
  check_third(true);
}

static ze_result_t name_event(syclze_interop_handle handle, void *argument) {
  syclze_event *event = argument;
  return syclze_interop_handle_add_event(handle, syclze_get_native(*event));
}

static ze_result_t name_event_and_fail(syclze_interop_handle handle, void *argument) {
  CHECK_EQ(name_event(handle, argument), ZE_RESULT_SUCCESS);
  return ZE_RESULT_ERROR_UNKNOWN;
}

static ze_result_t count_one(syclze_interop_handle handle, void *argument) {
  (void)handle;
  atomic_fetch_add((atomic_int *)argument, 1);
  return ZE_RESULT_SUCCESS;
}

/* Both kinds of group: dependents wait for the native event that was added. `result` is the queue's
   afterwards. */
static void check_named(int kind,
    ze_result_t (*submit)(syclze_group *, syclze_host_function, void *, syclze_event *),
    syclze_host_function function, ze_result_t result) {
  struct fixture f;
  begin_on(&f, kind);
  atomic_int runs = 0;
  syclze_event named = event_of(&f), first, second;
  syclze_group group = syclze_group_begin(f.queue);
  syclze_require(&group, f.buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(submit(&group, function, &named, &first), ZE_RESULT_SUCCESS);
  syclze_group after = syclze_group_begin(f.queue);
  syclze_require(&after, f.buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_host_task(&after, count_one, &runs, &second), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(syclze_get_native(second), 20000000), ZE_RESULT_NOT_READY);
  CHECK(!is_signalled(first));
  CHECK_EQ(atomic_load(&runs), 0);
  signal_event(named);
  wait_for(second);
  CHECK_EQ(atomic_load(&runs), 1);
  CHECK_EQ(syclze_queue_wait(f.queue), result);
  CHECK_EQ(syclze_queue_wait(f.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(named), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(second), ZE_RESULT_SUCCESS);
  end(&f);
}

TEST(dependents_of_a_host_task_wait_for_the_events_it_adds) {
  for (int kind = 0; kind < KINDS; kind++)
    check_named(kind, syclze_group_host_task, name_event, ZE_RESULT_SUCCESS);
}

TEST(dependents_of_a_failed_host_task_wait_for_the_events_it_added) {
  for (int kind = 0; kind < KINDS; kind++)
    check_named(kind, syclze_group_host_task, name_event_and_fail, ZE_RESULT_ERROR_UNKNOWN);
}

TEST(dependents_of_a_native_command_wait_for_the_events_it_adds) {
  for (int kind = 0; kind < KINDS; kind++)
    check_named(kind, syclze_group_native_command, name_event, ZE_RESULT_SUCCESS);
}

struct native {
  const struct fixture *f;
  ze_command_list_handle_t list; /* closed; executed on a command queue */
  syclze_accessor accessor;
  uint32_t waits;
  ze_result_t result;
};

/* Fills the second half, unless made to fail: on a list after the wait list, on a command queue at
   once. */
static ze_result_t append(syclze_interop_handle handle, void *argument) {
  struct native *native = argument;
  const ze_event_handle_t *waits;
  const int two = 2;
  syclze_native_queue queue;
  void *memory;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_interop_handle_get_wait_list(handle, &native->waits, &waits), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_get_native_mem(handle, native->accessor, &memory), ZE_RESULT_SUCCESS);
  if (native->result != ZE_RESULT_SUCCESS) return native->result;
  bool on_list = queue.kind == SYCLZE_NATIVE_QUEUE_LIST;
  ze_command_list_handle_t list = on_list ? queue.list : native->list;
  ze_event_handle_t few[8] = {0};
  for (uint32_t i = 0; i < native->waits && i < 8; i++)
    few[i] = waits[i];
  CHECK_EQ(zeCommandListAppendMemoryFill(list, (int *)memory + ITEMS / 2, &two, sizeof two,
               ITEMS / 2 * sizeof two, NULL, on_list ? native->waits : 0, few),
      ZE_RESULT_SUCCESS);
  if (!on_list) {
    CHECK_EQ(queue.queue, native->f->g.queue);
    CHECK_EQ(zeCommandListClose(list), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeCommandQueueExecuteCommandLists(queue.queue, 1, &list, NULL), ZE_RESULT_SUCCESS);
  }
  return ZE_RESULT_SUCCESS;
}

static void fill(struct fixture *f, syclze_queue queue, int value, syclze_event after) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, f->buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, after);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(all), &value, sizeof value, ITEMS * sizeof value, NULL),
      ZE_RESULT_SUCCESS);
}

/* Between gated work of another queue and a copy on that queue which waits for it. */
static void check_native(int kind, ze_result_t result) {
  struct fixture f;
  begin_on(&f, kind);
  struct native native = {.f = &f, .list = given_regular_list(&f.g), .result = result};
  syclze_event gate = event_of(&f), done;
  syclze_queue other;
  CHECK_EQ(syclze_queue_create(f.context, f.device, NULL, &other), ZE_RESULT_SUCCESS);
  fill(&f, other, 1, gate);
  syclze_group group = syclze_group_begin(f.queue);
  native.accessor = syclze_require(&group, f.buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_native_command(&group, append, &native, &done), result);
  CHECK_EQ(done.rep == NULL, result != ZE_RESULT_SUCCESS);
  CHECK_EQ(native.waits, 1);
  group = syclze_group_begin(other);
  syclze_accessor from = syclze_require(&group, f.buffer, SYCLZE_ACCESS_READ);
  syclze_accessor to = syclze_require(&group, f.other, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy(
               &group, syclze_mem_arg(to), syclze_mem_arg(from), ITEMS * sizeof(int), NULL),
      ZE_RESULT_SUCCESS);
  if (done.rep != NULL) CHECK(!is_signalled(done));
  CHECK_EQ(f.memory[ITEMS - 1], 0);
  signal_event(gate);
  if (done.rep != NULL) {
    wait_for(done);
    CHECK_EQ(f.memory[ITEMS - 1], 2);
  }
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(f.queue), ZE_RESULT_SUCCESS);
  const int *copied = f.other_memory;
  CHECK_EQ(copied[0], 1);
  CHECK_EQ(copied[ITEMS - 1], done.rep != NULL ? 2 : 1);
  CHECK_EQ(zeCommandListDestroy(native.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  end(&f);
}

TEST(a_native_command_waits_and_is_waited_for_on_the_device) {
  for (int kind = 0; kind < KINDS; kind++)
    check_native(kind, ZE_RESULT_SUCCESS);
}

TEST(dependents_of_a_failed_native_command_wait_for_its_dependencies) {
  for (int kind = 0; kind < KINDS; kind++)
    check_native(kind, SYCLZE_RESULT_ERROR_RUNTIME);
}

/* The queue is blocked by a list that syclze reuses only after it has run. */
TEST(a_command_queue_stays_closed_after_a_failed_native_command) {
  struct fixture f;
  begin_on(&f, ON_QUEUE);
  ze_result_t error = SYCLZE_RESULT_ERROR_RUNTIME;
  syclze_event gate = event_of(&f), none = {NULL};
  syclze_group group = syclze_group_begin(f.queue);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_native_command(&group, fail, &error, NULL), error);
  unsigned lists = spy_alive(SPY_LIST);
  for (int i = 1; i <= 4; i++)
    fill(&f, f.queue, i, none);
  CHECK_EQ(spy_alive(SPY_LIST), lists + 4);
  CHECK_EQ(f.memory[0], 0);
  signal_event(gate);
  CHECK_EQ(syclze_queue_wait(f.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(f.memory[ITEMS - 1], 4);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  end(&f);
}

TEST_MAIN(the_interop_handle_returns_the_objects_of_its_group,
    the_result_of_a_host_task_is_an_asynchronous_error, independent_host_tasks_run_concurrently,
    a_task_behind_another_holds_up_no_third, a_task_behind_another_submits_what_it_waits_for,
    dependents_of_a_host_task_wait_for_the_events_it_adds,
    dependents_of_a_failed_host_task_wait_for_the_events_it_added,
    dependents_of_a_native_command_wait_for_the_events_it_adds,
    a_native_command_waits_and_is_waited_for_on_the_device,
    dependents_of_a_failed_native_command_wait_for_its_dependencies,
    a_command_queue_stays_closed_after_a_failed_native_command)
