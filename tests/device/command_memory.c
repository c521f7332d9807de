/* Every allocation of the host that submissions make fails once: what was to be submitted is
   refused, nothing is lost, and nobody hangs. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Which allocation of the library fails; none when it is negative. Those of this file alone. */
static atomic_long countdown = -1;

static int fails(void) {
  return atomic_load(&countdown) >= 0 && atomic_fetch_sub(&countdown, 1) == 0;
}

static void *failing_malloc(size_t size) {
  return fails() ? NULL : malloc(size);
}

static void *failing_calloc(size_t count, size_t size) {
  return fails() ? NULL : calloc(count, size);
}

static void *failing_realloc(void *memory, size_t size) {
  return fails() ? NULL : realloc(memory, size);
}

#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc
#include "support/made.h"
#undef malloc
#undef calloc
#undef realloc

enum { BYTES = 256, MANY = 20, MOST = 2000 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context contexts[2];
  syclze_queue queues[3]; /* in order, of the other context, a command queue */
  syclze_buffer buffer;
};

static struct world begin(void) {
  struct world w;
  w.g = given();
  w.device = made_device(&w.g);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_context_create(&w.device, 1, &w.contexts[i]), ZE_RESULT_SUCCESS);
  syclze_property_list in_order = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0};
  CHECK_EQ(
      syclze_queue_create(w.contexts[0], w.device, &in_order, &w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w.contexts[1], w.device, NULL, &w.queues[1]), ZE_RESULT_SUCCESS);
  struct given own = w.g;
  own.context = syclze_context_get_native(w.contexts[0]);
  syclze_queue_input input = {
      syclze_native_queue_of_queue(given_queue(&own)), w.device, SYCLZE_OWNERSHIP_TRANSFER, {0, 0}};
  CHECK_EQ(syclze_make_queue(&input, w.contexts[0], &w.queues[2]), ZE_RESULT_SUCCESS);
  void *memory;
  CHECK_EQ(syclze_malloc_device(BYTES, w.device, w.contexts[0], &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input of = {memory, SYCLZE_OWNERSHIP_KEEP, 1, 1, {BYTES, 0, 0}};
  CHECK_EQ(syclze_make_buffer(&of, w.contexts[0], &w.buffer), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  void *memory = w->buffer.rep->memory.native;
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_queue_wait(w->queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, w->contexts[0]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_queue_release(w->queues[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_context_release(w->contexts[i]), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

static void check(ze_result_t result) {
  CHECK(result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
}

/* Hand-overs between all queues, more of everything than a group holds in itself, and a host task.
 */
static void work(struct world *w) {
  for (int i = 0; i < 4; i++) {
    syclze_queue queue = w->queues[i % 3];
    unsigned char value = (unsigned char)i;
    syclze_event event = {NULL}, gate = {NULL};
    syclze_group group = syclze_group_begin(queue);
    for (size_t part = 0; part < MANY; part++)
      syclze_require_range(&group, w->buffer, SYCLZE_ACCESS_READ, part, 1);
    syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_WRITE);
    check(syclze_group_fill(&group, syclze_place(all), &value, 1, BYTES, &event));
    group = syclze_group_begin(w->queues[(i + 1) % 3]);
    syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ_WRITE);
    for (int n = 0; n < MANY; n++)
      syclze_depends_on(&group, event);
    check(syclze_group_host_task(&group, nothing, NULL, &gate));
    check(syclze_queue_submit_barrier(queue, NULL));
    syclze_event_release(event);
    syclze_event_release(gate);
  }
  for (int i = 0; i < 3; i++)
    check(syclze_queue_wait(w->queues[i]));
}

TEST(every_allocation_of_submissions_fails_once) {
  given_needs_execution();
  long failed = 0;
  for (long n = 0; n < MOST; n++) {
    struct world w = begin();
    atomic_store(&countdown, n);
    work(&w);
    long rest = atomic_exchange(&countdown, -1);
    end(&w);
    if (rest >= 0) break;
    failed++;
  }
  CHECK(failed > 20);
  CHECK(failed < MOST);
}

TEST_MAIN(every_allocation_of_submissions_fails_once)
