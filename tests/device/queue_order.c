/* Where a queue stands: empty or not, its last event, an event before its next command, wait lists,
   and tags that take the time, on every kind of queue. */
#include "support/lacking.h"
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

enum { BYTES = 256, QUEUES = 4 };
enum { IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE, ORDERED_COMMAND_QUEUE };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[QUEUES];
  unsigned char *memory;
  syclze_event gate; /* signalled by the host */
};

static struct world begin(void) {
  static const uint32_t flags[QUEUES] = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0,
      SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST,
      SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST | SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  for (int i = 0; i < QUEUES; i++) {
    const syclze_property_list properties = {.flags = flags[i]};
    CHECK_EQ(
        syclze_queue_create(w.context, w.device, &properties, &w.queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_malloc_shared(BYTES, w.device, w.context, &memory), ZE_RESULT_SUCCESS);
  w.memory = memset(memory, 0, BYTES);
  CHECK_EQ(syclze_event_create(w.context, 0, &w.gate), ZE_RESULT_SUCCESS);
  return w;
}

static struct world begin_to_run(void) {
  given_needs_execution();
  return begin();
}

static void end(struct world *w) {
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static void open_gate(const struct world *w) {
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
}

static void close_gate(const struct world *w) {
  CHECK_EQ(zeEventHostReset(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
}

static void fill(
    const struct world *w, int queue, unsigned char value, bool waits, syclze_event *event) {
  CHECK_EQ(syclze_queue_fill(
               w->queues[queue], w->memory, &value, 1, BYTES, &w->gate, waits ? 1 : 0, event),
      ZE_RESULT_SUCCESS);
}

static bool is_empty(const struct world *w, int queue) {
  bool empty;
  CHECK_EQ(syclze_queue_is_empty(w->queues[queue], &empty), ZE_RESULT_SUCCESS);
  return empty;
}

static bool is_complete(syclze_event event) {
  syclze_event_status status;
  CHECK_EQ(syclze_event_get_status(event, &status), ZE_RESULT_SUCCESS);
  return status == SYCLZE_EVENT_STATUS_COMPLETE;
}

static void check_empty(void) {
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++) {
    CHECK(is_empty(&w, i));
    fill(&w, i, 1, true, NULL);
    fill(&w, i, 2, false, NULL);
    CHECK(!is_empty(&w, i));
    CHECK(!is_empty(&w, i));
    open_gate(&w);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    CHECK(is_empty(&w, i));
    /* Commands that leave no event. */
    fill(&w, i, 3, false, NULL);
    while (!is_empty(&w, i))
      continue;
    CHECK_EQ(w.memory[BYTES - 1], 3);
    close_gate(&w);
  }
  end(&w);
}

TEST(a_queue_is_empty_once_its_work_is_done) { // shows host_data 30
  check_empty();
}

TEST(a_queue_is_empty_once_its_work_is_done_on_older_loaders) { // shows host_data 30
  lacking_list_waits();
  check_empty();
}

static ze_result_t set_to_4(syclze_interop_handle handle, void *argument) {
  (void)handle;
  memset(argument, 4, BYTES);
  return ZE_RESULT_SUCCESS;
}

TEST(host_tasks_are_work_of_the_queue) { // shows host_data 30
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++) {
    syclze_group group = syclze_group_begin(w.queues[i]);
    syclze_group_depends_on(&group, w.gate);
    CHECK_EQ(syclze_group_host_task(&group, set_to_4, w.memory, NULL), ZE_RESULT_SUCCESS);
    CHECK(!is_empty(&w, i));
    open_gate(&w);
    while (!is_empty(&w, i))
      continue;
    CHECK_EQ(w.memory[0], 4);
    memset(w.memory, 0, BYTES);
    close_gate(&w);
  }
  end(&w);
}

TEST(the_last_event_is_signalled_with_the_last_work) { // shows host_data 31
  struct world w = begin_to_run();
  for (int i = IN_ORDER; i < QUEUES; i += ORDERED_COMMAND_QUEUE) {
    syclze_event last, again;
    CHECK_EQ(syclze_queue_get_last_event(w.queues[i], &last), ZE_RESULT_SUCCESS);
    CHECK_EQ(last.rep, NULL);
    fill(&w, i, 1, true, NULL);
    fill(&w, i, 2, false, NULL);
    CHECK_EQ(syclze_queue_get_last_event(w.queues[i], &last), ZE_RESULT_SUCCESS);
    CHECK(last.rep != NULL);
    CHECK(!is_complete(last));
    CHECK_EQ(syclze_queue_get_last_event(w.queues[i], &again), ZE_RESULT_SUCCESS);
    CHECK_EQ(again.rep, last.rep);
    open_gate(&w);
    CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[BYTES - 1], 2);
    CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(again), ZE_RESULT_SUCCESS);
    /* The event of a submission is it, whatever its kind. */
    syclze_event filled;
    fill(&w, i, 3, false, &filled);
    CHECK_EQ(syclze_queue_get_last_event(w.queues[i], &last), ZE_RESULT_SUCCESS);
    CHECK(last.rep == filled.rep || is_complete(filled));
    CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[BYTES - 1], 3);
    CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
    close_gate(&w);
  }
  end(&w);
}

TEST(the_last_event_may_be_that_of_a_host_task) { // shows host_data 31
  struct world w = begin_to_run();
  for (int i = IN_ORDER; i < QUEUES; i += ORDERED_COMMAND_QUEUE) {
    syclze_event last;
    syclze_group group = syclze_group_begin(w.queues[i]);
    syclze_group_depends_on(&group, w.gate);
    CHECK_EQ(syclze_group_host_task(&group, set_to_4, w.memory, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_get_last_event(w.queues[i], &last), ZE_RESULT_SUCCESS);
    CHECK(!is_complete(last));
    open_gate(&w);
    CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[0], 4);
    memset(w.memory, 0, BYTES);
    CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
    close_gate(&w);
  }
  end(&w);
}

TEST(an_external_event_is_before_the_next_command_and_the_wait) { // shows host_data 31
  struct world w = begin_to_run();
  const syclze_event none = {0};
  for (int i = IN_ORDER; i < QUEUES; i += ORDERED_COMMAND_QUEUE) {
    syclze_event filled;
    CHECK_EQ(syclze_queue_set_external_event(w.queues[i], none), ZE_RESULT_SUCCESS);
    CHECK(is_empty(&w, i));
    CHECK_EQ(syclze_queue_set_external_event(w.queues[i], w.gate), ZE_RESULT_SUCCESS);
    CHECK(!is_empty(&w, i));
    fill(&w, i, 7, false, &filled);
    CHECK(!is_complete(filled));
    CHECK_EQ(w.memory[0], 0);
    open_gate(&w);
    CHECK_EQ(syclze_event_wait(filled), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[0], 7);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_set_external_event(w.queues[i], w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    memset(w.memory, 0, BYTES);
    close_gate(&w);
  }
  end(&w);
}

/* Work of another queue, which a host task defers. */
TEST(an_external_event_may_be_of_held_back_work) { // shows host_data 31
  struct world w = begin_to_run();
  for (int i = IN_ORDER; i < QUEUES; i += ORDERED_COMMAND_QUEUE) {
    syclze_event task, filled;
    const unsigned char nine = 9;
    syclze_group group = syclze_group_begin(w.queues[OUT_OF_ORDER]);
    syclze_group_depends_on(&group, w.gate);
    CHECK_EQ(syclze_group_host_task(&group, set_to_4, w.memory, &task), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_set_external_event(w.queues[i], task), ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_queue_fill(w.queues[i], w.memory, &nine, 1, 1, NULL, 0, &filled), ZE_RESULT_SUCCESS);
    open_gate(&w);
    CHECK_EQ(syclze_event_wait(filled), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[0], 9);
    CHECK_EQ(w.memory[1], 4);
    CHECK_EQ(syclze_release(task), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
    memset(w.memory, 0, BYTES);
    close_gate(&w);
  }
  end(&w);
}

TEST(a_tag_takes_the_time_without_a_property) { // shows host_data 32
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++) {
    syclze_event tags[2], filled;
    uint64_t start[2], finish[2];
    CHECK_EQ(syclze_queue_submit_profiling_tag(w.queues[i], &tags[0]), ZE_RESULT_SUCCESS);
    fill(&w, i, 5, false, &filled);
    CHECK_EQ(syclze_queue_submit_profiling_tag(w.queues[i], &tags[1]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_events_wait(tags, 2), ZE_RESULT_SUCCESS);
    CHECK(is_complete(filled));
    for (int tag = 0; tag < 2; tag++) {
      CHECK_EQ(syclze_event_get_profiling(tags[tag], w.device, &start[tag], &finish[tag]),
          ZE_RESULT_SUCCESS);
      CHECK(start[tag] <= finish[tag]);
      CHECK_EQ(syclze_release(tags[tag]), ZE_RESULT_SUCCESS);
    }
    CHECK(finish[0] <= finish[1]);
    /* Other events of the queue take none. */
    CHECK_EQ(syclze_event_get_profiling(filled, w.device, &start[0], &finish[0]),
        SYCLZE_RESULT_ERROR_INVALID);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

TEST(the_wait_list_has_the_events_of_the_submission) { // shows host_data 32
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++) {
    syclze_event waits[3] = {w.gate}, filled, found[4];
    uint32_t count = 0;
    CHECK_EQ(syclze_event_create(w.context, 0, &waits[1]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_create(w.context, 0, &waits[2]), ZE_RESULT_SUCCESS);
    const unsigned char value = 1;
    CHECK_EQ(syclze_queue_fill(w.queues[i], w.memory, &value, 1, BYTES, waits, 3, &filled),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_get_wait_list(w.queues[i], filled, &count, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 3);
    for (uint32_t room = 1; room <= 4; room++) {
      count = room;
      CHECK_EQ(syclze_queue_get_wait_list(w.queues[i], filled, &count, found), ZE_RESULT_SUCCESS);
      CHECK_EQ(count, room < 3 ? room : 3);
      for (uint32_t event = 0; event < count; event++) {
        CHECK_EQ(found[event].rep, waits[event].rep);
        CHECK_EQ(syclze_release(found[event]), ZE_RESULT_SUCCESS);
      }
    }
    count = 0; /* of no submission to this queue */
    CHECK_EQ(syclze_queue_get_wait_list(w.queues[i], w.gate, &count, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 0);
    for (int event = 0; event < 3; event++)
      CHECK_EQ(zeEventHostSignal(syclze_get_native(waits[event])), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    while (!is_empty(&w, i))
      continue;
    CHECK_EQ(syclze_queue_get_wait_list(w.queues[i], filled, &count, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 0);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(waits[1]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(waits[2]), ZE_RESULT_SUCCESS);
    close_gate(&w);
  }
  end(&w);
}

TEST(wrong_arguments_are_refused) { // shows host_data 34
  struct world w = begin();
  const syclze_queue no_queue = {0};
  const void *native = syclze_queue_get_native(w.queues[OUT_OF_ORDER]).list;
  bool empty;
  uint32_t count = 0;
  syclze_event event;
  REFUSED(empty, syclze_queue_is_empty(no_queue, &empty), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_queue_is_empty", "queue", NULL);
  FAILED(syclze_queue_is_empty(w.queues[OUT_OF_ORDER], NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_queue_is_empty", "pointer", native);
  REFUSED(event, syclze_queue_get_last_event(no_queue, &event), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_queue_get_last_event", "queue", NULL);
  REFUSED(event, syclze_queue_get_last_event(w.queues[OUT_OF_ORDER], &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_get_last_event", "IN_ORDER_QUEUE_EVENTS", native);
  FAILED(syclze_queue_set_external_event(w.queues[OUT_OF_ORDER], w.gate),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_set_external_event", "IN_ORDER_QUEUE_EVENTS",
      native);
  FAILED(syclze_queue_set_external_event(no_queue, w.gate), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_queue_set_external_event", "queue", NULL);
  REFUSED(event, syclze_queue_submit_profiling_tag(no_queue, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_submit_profiling_tag", "queue", NULL);
  FAILED(syclze_queue_submit_profiling_tag(w.queues[OUT_OF_ORDER], NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_submit_profiling_tag", "pointer", native);
  FAILED(syclze_queue_get_wait_list(no_queue, w.gate, &count, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_get_wait_list", "queue", NULL);
  count = 1;
  FAILED(syclze_queue_get_wait_list(w.queues[OUT_OF_ORDER], w.gate, &count, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_get_wait_list", "pointer", native);
  CHECK_EQ(count, 0);
  end(&w);
}

/* A marker, a barrier and a tag that cannot be appended change nothing. */
TEST(failed_appends_leave_the_queue_as_it_was) { // shows host_data 34
  struct world w = begin_to_run();
  syclze_event event;
  lacking_list_waits();
  /* The events are of native pools, which the first ones create. */
  CHECK_EQ(syclze_queue_submit_profiling_tag(w.queues[IN_ORDER], &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  fill(&w, IN_ORDER, 2, false, &event);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  fill(&w, IN_ORDER, 1, false, NULL);
  spy_fail_named("zeCommandListAppendBarrier", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  REFUSED(event, syclze_queue_get_last_event(w.queues[IN_ORDER], &event),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "syclze_queue_get_last_event",
      "zeCommandListAppendBarrier", syclze_queue_get_native(w.queues[IN_ORDER]).list);
  REFUSED(event, syclze_queue_submit_profiling_tag(w.queues[IN_ORDER], &event),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "syclze_queue_submit_profiling_tag",
      "zeCommandListAppendBarrier", syclze_queue_get_native(w.queues[IN_ORDER]).list);
  FAILED(syclze_queue_set_external_event(w.queues[IN_ORDER], w.gate),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "syclze_group_barrier", "zeCommandListAppendBarrier",
      syclze_queue_get_native(w.queues[IN_ORDER]).list);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queues[IN_ORDER]), ZE_RESULT_SUCCESS);
  CHECK_EQ(w.memory[0], 1);
  end(&w);
}

TEST_MAIN(a_queue_is_empty_once_its_work_is_done,
    a_queue_is_empty_once_its_work_is_done_on_older_loaders, host_tasks_are_work_of_the_queue,
    the_last_event_is_signalled_with_the_last_work, the_last_event_may_be_that_of_a_host_task,
    an_external_event_is_before_the_next_command_and_the_wait,
    an_external_event_may_be_of_held_back_work, a_tag_takes_the_time_without_a_property,
    the_wait_list_has_the_events_of_the_submission, wrong_arguments_are_refused,
    failed_appends_leave_the_queue_as_it_was)
