/* Submissions that block or fail: no other thread hangs, and no dependency is lost. */
#include "support/made.h"
#include "support/spy.h"

#include <threads.h>

enum { BYTES = 1024 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
};

static struct world begin(void) {
  struct world w;
  w.g = given();
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_context_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static syclze_queue queue_of(struct world *w) {
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(w->context, w->device, NULL, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

static syclze_buffer buffer_of(struct world *w) {
  void *memory;
  CHECK_EQ(syclze_malloc_shared(BYTES, w->device, w->context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, BYTES);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 1, 1, {BYTES, 0, 0}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, w->context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

static ze_result_t fill(syclze_queue queue, syclze_buffer buffer, unsigned char value,
    syclze_event before, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, before);
  return syclze_group_fill(&group, syclze_mem_arg(all), &value, 1, BYTES, event);
}

static const syclze_event none = {NULL};

struct work {
  syclze_queue queue;
  syclze_buffer buffer;
};

/* Late enough for the synchronous append to block. */
static ze_result_t submit_late(syclze_interop_handle handle, void *argument) {
  struct work *work = (struct work *)argument;
  (void)handle;
  thrd_sleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  for (int i = 0; i < 10; i++) {
    syclze_event done;
    ze_result_t result = fill(work->queue, work->buffer, 7, none, &done);
    if (result == ZE_RESULT_SUCCESS) result = syclze_event_wait(done);
    syclze_event_release(done);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

/* An append to a synchronous list waits for a host task that submits itself. */
TEST(a_blocked_append_does_not_block_other_queues) {
  given_needs_execution();
  struct world w = begin();
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = w.g.ordinal,
      .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_command_list_handle_t list;
  CHECK_EQ(zeCommandListCreateImmediate(w.g.context, w.g.device, &desc, &list), ZE_RESULT_SUCCESS);
  syclze_queue queue =
      made_queue(&w.g, w.context, syclze_native_queue_of_list(list), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_queue of_task = queue_of(&w);
  struct work work = {queue_of(&w), buffer_of(&w)};
  syclze_buffer shared = buffer_of(&w);
  for (int round = 0; round < 3; round++) {
    syclze_group group = syclze_group_begin(of_task);
    syclze_require(&group, shared, SYCLZE_ACCESS_WRITE);
    CHECK_EQ(syclze_group_host_task(&group, submit_late, &work, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(fill(queue, shared, 9, none, NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(of_task), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(work.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(of_task), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(work.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(shared), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(work.buffer), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Work after a failed submission still waits for the work before it. */
TEST(a_failed_append_loses_no_dependency) {
  given_needs_execution();
  struct world w = begin();
  syclze_queue queue = queue_of(&w);
  syclze_buffer buffer = buffer_of(&w);
  syclze_event gate, first, failed, last;
  CHECK_EQ(syclze_event_create(w.context, 0, &gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(fill(queue, buffer, 1, gate, &first), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  spy_fail_named("zeCommandListAppendMemoryFill", ZE_RESULT_ERROR_UNKNOWN);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), "abcd", 4, 4, &failed),
      ZE_RESULT_ERROR_UNKNOWN);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(failed.rep, NULL);
  CHECK_EQ(fill(queue, buffer, 3, none, &last), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(syclze_event_get_native(last), 2000000), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_event_get_native(first)), ZE_RESULT_SUCCESS);
  syclze_event_release(gate);
  syclze_event_release(first);
  syclze_event_release(last);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(a_blocked_append_does_not_block_other_queues, a_failed_append_loses_no_dependency)
