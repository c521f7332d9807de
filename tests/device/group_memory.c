/* Each host allocation and thread start of a submission fails once: the submission is refused,
   nothing leaks, and nothing hangs. */
#include "support/failing.h"

#include "support/made.h"
#include "support/spy.h"

enum { BYTES = 256, MANY = 20, MOST = 3000, QUEUES = 3 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context contexts[2];
  syclze_queue queues[QUEUES]; /* in order, of the other context, a command queue */
  void *memory;
  syclze_buffer buffer;
  syclze_event signalled[2]; /* one per context */
  unsigned char value;       /* expected value of every byte at the end */
};

static struct world begin(void) {
  struct world w;
  w.g = given();
  w.device = made_device(&w.g);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_context_create(&w.device, 1, &w.contexts[i]), ZE_RESULT_SUCCESS);
  syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  CHECK_EQ(
      syclze_queue_create(w.contexts[0], w.device, &in_order, &w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w.contexts[1], w.device, NULL, &w.queues[1]), ZE_RESULT_SUCCESS);
  struct given own = w.g;
  own.context = syclze_context_get_native(w.contexts[0]);
  syclze_queue_input input = {
      syclze_native_queue_of_queue(given_queue(&own)), w.device, SYCLZE_OWNERSHIP_TRANSFER, {0}};
  CHECK_EQ(syclze_make_queue(&input, w.contexts[0], &w.queues[2]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_device(BYTES, w.device, w.contexts[0], &w.memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input of = {w.memory, SYCLZE_OWNERSHIP_KEEP, 1, 1, {BYTES, 0, 0}};
  CHECK_EQ(syclze_make_buffer(&of, w.contexts[0], &w.buffer), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_event_create(w.contexts[i], 0, &w.signalled[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostSignal(syclze_event_get_native(w.signalled[i])), ZE_RESULT_SUCCESS);
  }
  w.value = 0;
  return w;
}

static ze_result_t fill(struct world *w, syclze_queue queue, unsigned char value, syclze_event gate,
    syclze_event *done) {
  syclze_group group = syclze_group_begin(queue);
  for (size_t part = 0; part < MANY; part++)
    syclze_group_require_range(&group, w->buffer, SYCLZE_ACCESS_READ, part, 1);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, gate);
  ze_result_t result = syclze_group_fill(&group, syclze_mem_arg(all), &value, 1, BYTES, done);
  if (result == ZE_RESULT_SUCCESS) w->value = value;
  return result;
}

/* The final contents are those of the last submission that was accepted. */
static void check_value(struct world *w) {
  void *seen;
  CHECK_EQ(syclze_malloc_host(BYTES, w->contexts[0], &seen), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w->queues[0]);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(seen), syclze_mem_arg(all), BYTES, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w->queues[0]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < BYTES; i++)
    CHECK_EQ(((const unsigned char *)seen)[i], w->value);
  CHECK_EQ(syclze_free(seen, w->contexts[0]), ZE_RESULT_SUCCESS);
}

static void end(struct world *w) {
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_queue_wait(w->queues[i]), ZE_RESULT_SUCCESS);
  check_value(w);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_event_release(w->signalled[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->contexts[0]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_queue_release(w->queues[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_context_release(w->contexts[i]), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* Adds a signalled event of its queue's context, and appends nothing. */
static ze_result_t name(syclze_interop_handle handle, void *event) {
  return syclze_interop_handle_add_event(handle, (ze_event_handle_t)event);
}

static void check(ze_result_t result) {
  CHECK(result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
}

/* Dependencies between all queues, beyond the inline arrays of a group, with host tasks and native
   commands. */
static void work(struct world *w) {
  for (int i = 0; i < 4; i++) {
    syclze_queue queue = w->queues[i % QUEUES], next = w->queues[(i + 1) % QUEUES];
    syclze_event none = {NULL}, event = {NULL}, gate = {NULL};
    ze_event_handle_t named = syclze_event_get_native(w->signalled[(i + 1) % QUEUES == 1]);
    check(fill(w, queue, (unsigned char)(i + 1), none, &event));
    syclze_group group = syclze_group_begin(next);
    syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ_WRITE);
    for (int n = 0; n < MANY; n++)
      syclze_group_depends_on(&group, event);
    check(syclze_group_host_task(&group, name, named, &gate));
    if (syclze_queue_is_immediate(next)) {
      group = syclze_group_begin(next);
      syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ);
      check(syclze_group_native_command(&group, name, named, NULL));
    }
    check(syclze_queue_submit_barrier(queue, NULL));
    syclze_event_release(event);
    syclze_event_release(gate);
  }
  for (int i = 0; i < QUEUES; i++)
    check(syclze_queue_wait(w->queues[i]));
}

TEST(every_allocation_of_submissions_fails_once) {
  given_needs_execution();
  const syclze_event none = {NULL};
  bool failed = true;
  long n = 0;
  while (failed && n < MOST) {
    struct world w = begin();
    CHECK_EQ(fill(&w, w.queues[0], 100, none, NULL), ZE_RESULT_SUCCESS);
    failing_at(++n);
    work(&w);
    failed = failing_end();
    end(&w);
  }
  CHECK(n > 100);
  CHECK(!failed);
}

static void submit_from_handler(void *world, const syclze_diagnostic *diagnostic) {
  struct world *w = world;
  (void)diagnostic;
  CHECK_EQ(fill(w, w->queues[0], 3, w->signalled[0], NULL), ZE_RESULT_SUCCESS);
}

/* The diagnostic of a failed replica is emitted without locks held. */
TEST(a_diagnostic_handler_may_submit) {
  given_needs_execution();
  const syclze_event none = {NULL};
  struct world w = begin();
  const syclze_diagnostic_handler handler = {submit_from_handler, &w};
  CHECK_EQ(fill(&w, w.queues[0], 100, none, NULL), ZE_RESULT_SUCCESS);
  syclze_diagnostic_set_handler(&handler);
  spy_fail_named("zeMemAllocDevice", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(fill(&w, w.queues[1], 5, none, NULL), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  syclze_diagnostic_set_handler(NULL);
  CHECK_EQ(w.value, 3);
  end(&w);
}

TEST_MAIN(every_allocation_of_submissions_fails_once, a_diagnostic_handler_may_submit)
