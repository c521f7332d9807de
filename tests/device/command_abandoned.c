/* Failed appends without memory for the clean-up, and released queues where no thread can start:
   dependents complete all the same, after their dependencies. */
#include "support/failing.h"

#include "support/made.h"
#include "support/spy.h"

enum { ITEMS = 64, MOST = 200 };

static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue, other; /* of the submission, and of the work before it */
  uint32_t *memory;
  syclze_buffer buffer;
  syclze_event gate, before;
};

enum kind { IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE, COMMAND_QUEUE_IN_ORDER, KINDS };

static syclze_queue queue_of(const struct world *w, enum kind kind) {
  static const syclze_property_list in_order = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0};
  syclze_queue queue;
  if (kind >= COMMAND_QUEUE) {
    syclze_queue_input input = {
        syclze_native_queue_of(given_queue(&w->g)), w->device, SYCLZE_OWNERSHIP_TRANSFER, {0, 0}};
    if (kind == COMMAND_QUEUE_IN_ORDER) input.properties = in_order;
    CHECK_EQ(syclze_make_queue(&input, w->context, &queue), ZE_RESULT_SUCCESS);
    return queue;
  }
  CHECK_EQ(syclze_queue_create(w->context, w->device, kind == IN_ORDER ? &in_order : NULL, &queue),
      ZE_RESULT_SUCCESS);
  return queue;
}

static ze_result_t fill(const struct world *w, syclze_queue queue, uint32_t value,
    syclze_event gate, syclze_event *done) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, gate);
  return syclze_group_fill(
      &group, syclze_mem_arg(all), &value, sizeof value, ITEMS * sizeof value, done);
}

/* A fill on the other queue waits for the gate. */
static struct world begin(enum kind kind) {
  given_needs_execution();
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.queue = queue_of(&w, kind);
  w.other = queue_of(&w, OUT_OF_ORDER);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof *w.memory, w.device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  w.memory = memset(memory, 0, ITEMS * sizeof *w.memory);
  syclze_buffer_input input = {.native_handle = memory, .ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_buffer(&input, w.context, &w.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(w.context, 0, &w.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(fill(&w, w.other, 9, w.gate, &w.before), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_queue_wait(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->before), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* The driver's function, which the spy neither counts nor fails. */
ze_result_t __real_zeEventHostSignal(ze_event_handle_t event);

static void open_gate(void *world) {
  const struct world *w = world;
  CHECK_EQ(__real_zeEventHostSignal(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
}

static bool is_signalled(syclze_event event) {
  return zeEventQueryStatus(syclze_get_native(event)) == ZE_RESULT_SUCCESS;
}

static ze_result_t look(syclze_interop_handle handle, void *argument) {
  struct world *w = argument;
  (void)handle;
  CHECK(is_signalled(w->before));
  CHECK_EQ(w->memory[ITEMS - 1], 9);
  return ZE_RESULT_SUCCESS;
}

/* A submission whose n-th driver call fails, and every allocation from the m-th on. Later work on
   its queue or buffer waits for the work before it. */
static const char *abandon(enum kind kind, unsigned n, long m, bool *without_memory) {
  const syclze_event none = {NULL};
  struct world w = begin(kind);
  syclze_event event = {NULL}, last;
  spy_fail_at(n, broken);
  failing_from(m);
  /* Without memory the calling thread waits for the failed append's dependencies. */
  failing_notify(open_gate, &w);
  ze_result_t result = fill(&w, w.queue, 5, none, &event);
  *without_memory = failing_end();
  const char *failed = spy_failed_call();
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK(result == (failed ? broken : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) ||
        (!failed && !*without_memory && result == ZE_RESULT_SUCCESS));
  if (result != ZE_RESULT_SUCCESS) CHECK_EQ(event.rep, NULL);
  if (result != ZE_RESULT_SUCCESS) {
    syclze_group group = syclze_group_begin(w.queue);
    syclze_require(&group, w.buffer, SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_group_host_task(&group, look, &w, NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(fill(&w, w.queue, 3, none, &last), ZE_RESULT_SUCCESS);
  if (!*without_memory) {
    CHECK(!is_signalled(last));
    open_gate(&w);
  }
  CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
  CHECK(is_signalled(w.before));
  CHECK_EQ(w.memory[ITEMS - 1], 3);
  CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.queue), ZE_RESULT_SUCCESS);
  end(&w);
  return failed;
}

TEST(a_failed_append_and_allocation_loses_no_dependency) {
  for (int kind = 0; kind < KINDS; kind++) {
    bool without_memory = true;
    unsigned n = 1;
    const char *failed = "";
    while (n < MOST && failed && strcmp(failed, "zeCommandListAppendMemoryFill") != 0)
      failed = abandon((enum kind)kind, n++, 0, &without_memory);
    CHECK(failed != NULL);
    n--;
    long m = 0, after = 0; /* allocations, and those after the append */
    do {
      failed = abandon((enum kind)kind, n, ++m, &without_memory);
      after += failed && without_memory;
    } while (without_memory && m < MOST);
    CHECK(after >= 1);
    CHECK(m < MOST);
  }
}

/* The release of a queue does not wait, except where no thread can be started for what remains. */
TEST(a_released_queue_waits_where_no_thread_can_start) {
  const syclze_event none = {NULL};
  for (int kind = OUT_OF_ORDER; kind < KINDS; kind++) {
    struct world w = begin((enum kind)kind);
    syclze_event done;
    CHECK_EQ(fill(&w, w.queue, 5, none, &done), ZE_RESULT_SUCCESS);
    const void *native = w.queue.rep->native.queue;
    failing_from(1);
    failing_notify(open_gate, &w);
    CHECK_EQ(syclze_release(w.queue), ZE_RESULT_SUCCESS);
    CHECK(failing_end());
    CHECK(is_signalled(done));
    CHECK_EQ(spy_destroys_of(native), 1);
    CHECK_EQ(w.memory[ITEMS - 1], 5);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

/* Without memory the completion of the last command cannot be observed: the queue is not destroyed,
   and dependents of its work still wait. */
TEST(a_queue_whose_work_status_is_unknown_is_not_destroyed) {
  const syclze_event none = {NULL};
  struct world w = begin(IN_ORDER);
  struct syclze__queue *queue = w.queue.rep;
  ze_command_list_handle_t native = syclze_get_native(w.queue).list;
  syclze_event last;
  for (uint32_t value = 4; value < 6; value++)
    CHECK_EQ(fill(&w, w.queue, value, none, NULL), ZE_RESULT_SUCCESS);
  failing_from(1);
  ze_result_t result = syclze_release(w.queue);
  CHECK(failing_end());
  CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_EQ(spy_destroys_of(native), 0);
  CHECK_EQ(fill(&w, w.other, 3, none, &last), ZE_RESULT_SUCCESS);
  CHECK(!is_signalled(last));
  open_gate(&w);
  CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(w.memory[ITEMS - 1], 3);
  CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
  /* Not destroyed otherwise. */
  CHECK_EQ(syclze__queue_last(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  end(&w);
}

TEST(releasing_a_queue_with_work_returns_the_code_of_its_destruction) {
  const syclze_event none = {NULL};
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    struct world w = begin((enum kind)kind);
    ze_command_list_handle_t native = syclze_get_native(w.queue).list;
    CHECK_EQ(fill(&w, w.queue, 5, none, NULL), ZE_RESULT_SUCCESS);
    open_gate(&w);
    CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
    spy_fail_named("zeCommandListDestroy", broken);
    CHECK_EQ(syclze_release(w.queue), broken);
    spy_fail_at(0, ZE_RESULT_SUCCESS);
    CHECK_EQ(zeCommandListDestroy(native), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

TEST_MAIN(a_failed_append_and_allocation_loses_no_dependency,
    a_released_queue_waits_where_no_thread_can_start,
    a_queue_whose_work_status_is_unknown_is_not_destroyed,
    releasing_a_queue_with_work_returns_the_code_of_its_destruction)
