/* Submissions that fail after a part of them was appended: the events that this part waits for are
   not reused before the device has passed it. */
#include "support/queue_kinds.h"
#include "support/spy.h"

enum { ITEMS = 64, EVENTS = 40 };

static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

struct world {
  struct given g;
  syclze_context context;
  syclze_queue queue, other; /* of the submission, and of the work before it */
  uint32_t *memory;
  syclze_event gate;
  ze_command_list_handle_t stop; /* of a command queue: waits for the gate */
};

static void fill(
    const struct world *w, syclze_queue queue, size_t item, syclze_event gate, syclze_event *done) {
  const uint32_t one = 1;
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(w->memory + item), &one, sizeof one, sizeof one, done),
      ZE_RESULT_SUCCESS);
}

/* Through a command of the application, outside syclze. */
static void stop_at_gate(struct world *w) {
  const syclze_native_queue native = syclze_queue_get_native(w->queue);
  ze_event_handle_t gate = syclze_event_get_native(w->gate);
  const bool is_list = native.kind == SYCLZE_NATIVE_QUEUE_LIST;
  if (!is_list) w->stop = given_regular_list(&w->g);
  ze_command_list_handle_t list = is_list ? native.list : w->stop;
  CHECK_EQ(zeCommandListAppendWaitOnEvents(list, 1, &gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendBarrier(list, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  if (is_list) return;
  CHECK_EQ(zeCommandListClose(list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueExecuteCommandLists(native.queue, 1, &list, NULL), ZE_RESULT_SUCCESS);
}

static struct world begin(enum kind kind) {
  given_needs_execution();
  struct world w = {.g = given()};
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.queue = queue_of_kind(&w.g, w.context, kind);
  w.other = queue_of_kind(&w.g, w.context, OUT_OF_ORDER);
  w.memory = zeros(&w.g, w.context, ITEMS * sizeof *w.memory);
  CHECK_EQ(syclze_event_create(w.context, 0, &w.gate), ZE_RESULT_SUCCESS);
  stop_at_gate(&w);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->queue), ZE_RESULT_SUCCESS);
  if (w->stop != NULL) CHECK_EQ(zeCommandListDestroy(w->stop), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* For a list, appends a wait for the group's dependencies. */
static ze_result_t append_and_fail(syclze_interop_handle handle, void *argument) {
  syclze_native_queue native;
  uint32_t count;
  const ze_event_handle_t *events;
  (void)argument;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_interop_handle_get_wait_list(handle, &count, &events), ZE_RESULT_SUCCESS);
  if (native.kind == SYCLZE_NATIVE_QUEUE_LIST) {
    ze_event_handle_t waits[2];
    CHECK(count >= 1 && count <= 2);
    memcpy(waits, events, count * sizeof *waits);
    CHECK_EQ(zeCommandListAppendWaitOnEvents(native.list, count, waits), ZE_RESULT_SUCCESS);
  }
  return broken;
}

static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t native_command(const struct world *w, syclze_group *group) {
  (void)w;
  return syclze_group_native_command(group, append_and_fail, NULL, NULL);
}

static ze_result_t prefetch(const struct world *w, syclze_group *group) {
  spy_fail_named("zeCommandListAppendMemoryPrefetch", broken);
  ze_result_t result =
      syclze_group_prefetch(group, syclze_mem_arg(w->memory), ITEMS * sizeof *w->memory, NULL);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  return result;
}

/* Rows of a fill: a wait, and the first row, come before what fails. */
static ze_result_t rows(const struct world *w, syclze_group *group) {
  const uint32_t one = 1;
  const bool is_list = syclze_queue_get_native(w->queue).kind == SYCLZE_NATIVE_QUEUE_LIST;
  if (is_list)
    spy_fail_at(3, broken);
  else
    spy_fail_named("zeCommandListAppendMemoryFill", broken);
  ze_result_t result = syclze_group_fill_2d(group, syclze_mem_arg(w->memory + 8),
      4 * sizeof *w->memory, &one, sizeof one, sizeof one, 4, NULL);
  if (is_list) CHECK_STR_EQ(spy_failed_call(), "zeCommandListAppendMemoryFill");
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  return result;
}

/* True if syclze reuses the native event. */
static bool is_used_again(const struct world *w, ze_event_handle_t native) {
  syclze_event events[EVENTS];
  bool again = false;
  for (int i = 0; i < EVENTS; i++) {
    CHECK_EQ(syclze_event_create(w->context, 0, &events[i]), ZE_RESULT_SUCCESS);
    again |= syclze_event_get_native(events[i]) == native;
  }
  for (int i = 0; i < EVENTS; i++)
    CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
  return again;
}

static void fail_in_part(ze_result_t submit(const struct world *, syclze_group *)) {
  const syclze_event none = {NULL};
  for (int kind = 0; kind < KINDS; kind++) {
    /* A regular list is executed as a whole or not at all. */
    bool appended = kind < COMMAND_QUEUE || submit == native_command;
    struct world w = begin((enum kind)kind);
    syclze_event before, last;
    fill(&w, w.other, 1, none, &before);
    CHECK_EQ(syclze_queue_wait(w.other), ZE_RESULT_SUCCESS);
    ze_event_handle_t native = syclze_event_get_native(before);
    syclze_group group = syclze_group_begin(w.queue);
    syclze_group_depends_on(&group, before);
    CHECK_EQ(submit(&w, &group), broken);
    CHECK_EQ(syclze_release(before), ZE_RESULT_SUCCESS);
    CHECK(!appended || !is_used_again(&w, native));
    /* Time for the workers, and for the queue to retire completed work. */
    syclze_group task = syclze_group_begin(w.other);
    CHECK_EQ(syclze_group_host_task(&task, nothing, NULL, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.other), ZE_RESULT_SUCCESS);
    fill(&w, w.queue, 2, none, &last);
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(last)), ZE_RESULT_NOT_READY);
    CHECK(!appended || !is_used_again(&w, native));
    CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[1] + w.memory[2], 2);
    CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

TEST(hints) {
  fail_in_part(prefetch);
}

TEST(rows_of_a_fill) {
  fail_in_part(rows);
}

TEST(native_commands) {
  fail_in_part(native_command);
}

TEST_MAIN(hints, rows_of_a_fill, native_commands)
