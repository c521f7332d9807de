#define _POSIX_C_SOURCE 200809L
/* Counter-based events: where the driver has them and they are wanted, in-order queues use them for
   commands that are appended at once, and reset none of them. */
#include "support/made.h"
#include "support/spy.h"

#include <stdlib.h>

enum { BYTES = 64, ROUNDS = 40 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue, other, unordered; /* in-order; in-order; not */
  unsigned char *memory;
  syclze_event gate; /* signalled by the host */
};

static syclze_queue make_queue(const struct world *w, uint32_t flags) {
  const syclze_property_list properties = {.flags = flags};
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(w->context, w->device, &properties, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

static struct world begin_submissions(const char *wanted) {
  struct world w = {.g = given()};
  void *memory;
  if (wanted != NULL)
    setenv("SYCLZE_COUNTED_EVENTS", wanted, 1);
  else
    unsetenv("SYCLZE_COUNTED_EVENTS");
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.queue = make_queue(&w, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  w.other = make_queue(&w, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  w.unordered = make_queue(&w, 0);
  CHECK_EQ(syclze_malloc_shared(BYTES, w.device, w.context, &memory), ZE_RESULT_SUCCESS);
  w.memory = memset(memory, 0, BYTES);
  CHECK_EQ(syclze_event_create(w.context, 0, &w.gate), ZE_RESULT_SUCCESS);
  return w;
}

static struct world begin(const char *wanted) {
  given_needs_execution();
  return begin_submissions(wanted);
}

static void end(struct world *w) {
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->unordered), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  unsetenv("SYCLZE_COUNTED_EVENTS");
  given_end(&w->g);
}

/* The host can signal all others. */
static bool is_counted(syclze_event event) {
  return event.rep->pooled->kind == SYCLZE__EVENT_COUNTED;
}

static syclze_event fill(
    syclze_queue queue, const struct world *w, unsigned char value, const syclze_event *wait) {
  syclze_event event;
  CHECK_EQ(syclze_queue_fill(queue, w->memory, &value, 1, BYTES, wait, wait != NULL, &event),
      ZE_RESULT_SUCCESS);
  return event;
}

static bool is_complete(syclze_event event) {
  syclze_event_status status;
  CHECK_EQ(syclze_event_get_status(event, &status), ZE_RESULT_SUCCESS);
  return status == SYCLZE_EVENT_STATUS_COMPLETE;
}

static void finish(syclze_event event) {
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
}

/* The calls that submissions with events take, once these have been used. */
static unsigned calls_again(const struct world *w) {
  unsigned before = 0;
  for (unsigned char i = 0; i < 2 * ROUNDS; i++) {
    if (i == ROUNDS) before = spy_calls();
    finish(fill(w->queue, w, i, NULL));
    CHECK_EQ(w->memory[BYTES - 1], i);
  }
  return spy_calls() - before;
}

TEST(they_are_never_reset) {
  struct world w = begin("0");
  const unsigned with_reset = calls_again(&w);
  end(&w);
  w = begin("1");
  CHECK_EQ(calls_again(&w), with_reset - ROUNDS);
  syclze_event event = fill(w.queue, &w, 1, NULL);
  CHECK(is_counted(event));
  finish(event);
  end(&w);
}

static bool has_extension(ze_driver_handle_t driver) {
  static ze_driver_extension_properties_t list[256];
  uint32_t count = 256;
  bool has = false;
  CHECK_EQ(zeDriverGetExtensionProperties(driver, &count, list), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count && !has; i++)
    has = strcmp(list[i].name, "ZEX_counter_based_event") == 0;
  return has;
}

/* Intel's driver has it. The embedded device has the function alone. */
TEST(they_are_used_where_the_driver_has_the_extension) {
  struct world w = begin_submissions(NULL);
  finish(fill(w.queue, &w, 1, NULL)); /* the first makes what later ones find */
  syclze_event event = fill(w.queue, &w, 2, NULL);
  CHECK_EQ(is_counted(event), has_extension(w.g.driver));
  finish(event);
  end(&w);
}

TEST(queues_of_every_kind_wait_for_them) {
  struct world w = begin("1");
  syclze_queue waiters[] = {
      w.other, w.unordered, make_queue(&w, SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST)};
  for (unsigned i = 0; i < 3 * ROUNDS; i++) {
    const unsigned char value = (unsigned char)(i + 1);
    syclze_event behind = fill(w.queue, &w, 0, &w.gate), first = fill(w.queue, &w, value, NULL);
    CHECK(!is_counted(behind));
    CHECK(is_counted(first));
    syclze_event then = fill(waiters[i % 3], &w, (unsigned char)(value + 100), &first);
    CHECK(!is_counted(then));
    CHECK(!is_complete(first));
    CHECK(!is_complete(then));
    CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
    finish(then);
    CHECK_EQ(w.memory[0], (unsigned char)(value + 100));
    CHECK(is_complete(first));
    finish(first);
    finish(behind);
    CHECK_EQ(zeEventHostReset(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(waiters[2]), ZE_RESULT_SUCCESS);
  end(&w);
}

static ze_result_t add_one(syclze_interop_handle handle, void *argument) {
  (void)handle;
  ++*(unsigned char *)argument;
  return ZE_RESULT_SUCCESS;
}

/* What the host signals, and what stands in no list yet, is seen as pending until it is done. */
TEST(host_tasks_and_what_waits_for_them_have_others) {
  struct world w = begin("1");
  for (unsigned char i = 0; i < ROUNDS; i++) {
    syclze_event gated = fill(w.queue, &w, i, &w.gate), before = fill(w.queue, &w, i, NULL), task;
    syclze_group group = syclze_group_begin(w.queue);
    CHECK_EQ(syclze_group_host_task(&group, add_one, w.memory, &task), ZE_RESULT_SUCCESS);
    syclze_event after = fill(w.other, &w, 200, &task);
    CHECK(is_counted(before));
    CHECK(!is_counted(task));
    CHECK(!is_counted(after));
    CHECK(!is_complete(task));
    CHECK(!is_complete(after));
    CHECK_EQ(w.memory[0], i == 0 ? 0 : 200);
    CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
    finish(task);
    finish(after);
    finish(before);
    finish(gated);
    CHECK_EQ(w.memory[0], 200);
    CHECK_EQ(zeEventHostReset(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* Their records are found before the append. */
TEST(accesses_have_others) {
  struct world w = begin("1");
  const syclze_buffer_input input = {.native_handle = w.memory, .ownership = SYCLZE_OWNERSHIP_KEEP};
  const syclze_queue queues[] = {w.queue, w.other, w.unordered};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
  for (unsigned i = 0; i < 3 * ROUNDS; i++) {
    const unsigned char value = (unsigned char)i;
    syclze_event event;
    syclze_group group = syclze_group_begin(queues[i % 3]);
    const syclze_accessor target = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
    CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(target), &value, 1, BYTES, &event),
        ZE_RESULT_SUCCESS);
    if (i % 7 == 0) CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(w.memory[BYTES - 1], 3 * ROUNDS - 1);
  end(&w);
}

TEST(events_with_times_have_them) {
  struct world w = begin("1");
  syclze_queue queue =
      make_queue(&w, SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING);
  uint64_t start[2], finished[2];
  syclze_event first = fill(queue, &w, 1, NULL), second = fill(queue, &w, 2, NULL), tag;
  CHECK(!is_counted(first));
  CHECK_EQ(syclze_event_wait(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_get_profiling(first, w.device, &start[0], &finished[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_event_get_profiling(second, w.device, &start[1], &finished[1]), ZE_RESULT_SUCCESS);
  CHECK(start[0] <= finished[0] && finished[0] <= start[1] && start[1] <= finished[1]);
  finish(first);
  finish(second);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  /* A tag takes the time of a queue whose other events count. */
  CHECK_EQ(syclze_queue_submit_profiling_tag(w.queue, &tag), ZE_RESULT_SUCCESS);
  CHECK(!is_counted(tag));
  CHECK_EQ(syclze_event_wait(tag), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_get_profiling(tag, w.device, &start[0], &finished[0]), ZE_RESULT_SUCCESS);
  finish(tag);
  first = fill(w.queue, &w, 3, NULL);
  CHECK(is_counted(first));
  CHECK_EQ(syclze_event_get_profiling(first, w.device, &start[0], &finished[0]),
      SYCLZE_RESULT_ERROR_INVALID);
  finish(first);
  end(&w);
}

TEST(where_none_can_be_created_others_are) {
  struct world w = begin("1");
  finish(fill(w.queue, &w, 1, NULL));
  spy_fail_named("zexCounterBasedEventCreate2", ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  syclze_event event = fill(w.queue, &w, 1, NULL);
  CHECK(!is_counted(event));
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  finish(event);
  event = fill(w.queue, &w, 2, NULL);
  CHECK(is_counted(event));
  finish(event);
  end(&w);
}

/* Nothing is lost, nor taken for done, when an append fails. */
TEST(a_failed_append_leaves_the_order) {
  struct world w = begin("1");
  const unsigned char value = 9;
  syclze_event first = fill(w.queue, &w, 1, &w.gate), failed, then;
  spy_fail_named("zeCommandListAppendMemoryFill", ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(syclze_queue_fill(w.queue, w.memory, &value, 1, BYTES, NULL, 0, &failed),
      ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(syclze_queue_fill(w.queue, w.memory, &value, 1, BYTES, &first, 1, &failed),
      ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(failed.rep, NULL);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  then = fill(w.queue, &w, 2, NULL);
  CHECK(!is_complete(then));
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
  finish(then);
  CHECK_EQ(w.memory[0], 2);
  finish(first);
  end(&w);
}

TEST_MAIN(they_are_never_reset, they_are_used_where_the_driver_has_the_extension,
    queues_of_every_kind_wait_for_them, host_tasks_and_what_waits_for_them_have_others,
    accesses_have_others, events_with_times_have_them, where_none_can_be_created_others_are,
    a_failed_append_leaves_the_order)
