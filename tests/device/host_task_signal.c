/* Host tasks whose event the host fails to signal. */
#undef SYCLZE_DECLARATIONS
#include "support/made.h"
#include "support/spy.h"
#include "tests/soon.h"

enum { ITEMS = 64 };

static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[2];
  uint32_t *memory;
  syclze_event gate, task, last;
  int runs;
};

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_create(w.context, w.device, NULL, &w.queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof *w.memory, w.device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  w.memory = memory;
  memset(memory, 0, ITEMS * sizeof *w.memory);
  CHECK_EQ(syclze_event_create(w.context, 0, &w.gate), ZE_RESULT_SUCCESS);
  return w;
}

static bool driver_can_tell(void) {
  return SYCLZE__ENTRY(command_list_synchronize) != NULL;
}

/* All work is done: the queues end in their releases where the driver can tell, else behind a
   marker, by a worker. */
static void end(struct world *w) {
  for (int i = 0; driver_can_tell() && i < 2; i++)
    if (w->queues[i].rep != NULL)
      CHECK_EQ(
          SYCLZE__ENTRY(command_list_synchronize)(syclze_get_native(w->queues[i]).list, UINT64_MAX),
          ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->task), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->last), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  (void)handle;
  ++*(int *)argument;
  return ZE_RESULT_SUCCESS;
}

/* A host task after the gate, and a fill on the other queue that waits for it. */
static void submit(struct world *w) {
  const uint32_t seven = 7;
  syclze_group group = syclze_group_begin(w->queues[0]);
  syclze_group_depends_on(&group, w->gate);
  CHECK_EQ(syclze_group_host_task(&group, count_run, &w->runs, &w->task), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w->queues[1]);
  syclze_group_depends_on(&group, w->task);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(w->memory), &seven, sizeof seven,
               ITEMS * sizeof seven, &w->last),
      ZE_RESULT_SUCCESS);
}

/* Signalled by the device. */
static void open_gate(const struct world *w) {
  CHECK_EQ(
      zeCommandListAppendSignalEvent(w->g.list, syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
}

TEST(the_device_signals_what_the_host_cannot) {
  struct world w = begin();
  submit(&w);
  spy_fail_named("zeEventHostSignal", broken);
  open_gate(&w);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(w.runs, 1);
  CHECK_EQ(w.memory[ITEMS - 1], 7);
  end(&w);
}

/* Waiters get an error, and commands waiting on the device continue once the event is signalled. */
TEST(an_event_that_cannot_be_signalled_is_an_error_for_its_waiters) {
  struct world w = begin();
  submit(&w);
  spy_fail_named("zeEventHostSignal", broken);
  spy_fail_named("zeCommandListCreateImmediate", broken);
  open_gate(&w);
  CHECK_EQ(syclze_event_wait(w.task), broken);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_wait(w.queues[i]), broken);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(w.runs, 1);
  CHECK_EQ(w.memory[ITEMS - 1], 0);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w.task)), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(syclze_get_native(w.last), UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(w.memory[ITEMS - 1], 7);
  /* The error stays with the task's queue only. */
  CHECK_EQ(syclze_queue_take_asynchronous_error(w.queues[0]), broken);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_take_asynchronous_error(w.queues[i]), ZE_RESULT_SUCCESS);
  end(&w);
}

/* The host task's event cannot be signalled, and a fill of the whole buffer on the second queue
   waits for it. */
static syclze_buffer lose(struct world *w, syclze_ownership ownership) {
  const uint32_t seven = 7;
  syclze_buffer buffer;
  syclze_buffer_input input = {.native_handle = w->memory, .ownership = ownership};
  CHECK_EQ(syclze_make_buffer(&input, w->context, &buffer), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w->queues[0]);
  syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, w->gate);
  CHECK_EQ(syclze_group_host_task(&group, count_run, &w->runs, &w->task), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w->queues[1]);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(all), &seven, sizeof seven, ITEMS * sizeof seven, &w->last),
      ZE_RESULT_SUCCESS);
  spy_fail_named("zeEventHostSignal", broken);
  spy_fail_named("zeCommandListCreateImmediate", broken);
  open_gate(w);
  CHECK_EQ(syclze_event_wait(w->task), broken);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  return buffer;
}

static void find(struct world *w) {
  CHECK_EQ(w->memory[ITEMS - 1], 0);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w->task)), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(syclze_get_native(w->last), UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(w->memory[ITEMS - 1], 7);
}

TEST(releasing_a_kept_buffer_with_unfinishable_work_is_an_error) {
  struct world w = begin();
  CHECK_EQ(syclze_release(lose(&w, SYCLZE_OWNERSHIP_KEEP)), broken);
  find(&w);
  end(&w);
}

static void count_left(void *count, const syclze_diagnostic *diagnostic) {
  if (diagnostic->result == broken && strstr(diagnostic->rule, " is not "))
    __atomic_add_fetch((int *)count, 1, __ATOMIC_ACQ_REL);
}

/* Pending work may still use them if the event is signalled. */
TEST(objects_with_unfinishable_work_are_not_destroyed) {
  int count = 0;
  const syclze_diagnostic_handler handler = {count_left, &count};
  struct world w = begin();
  syclze_buffer buffer = lose(&w, SYCLZE_OWNERSHIP_TRANSFER);
  ze_command_list_handle_t list = syclze_get_native(w.queues[1]).list;
  syclze_diagnostic_set_handler(&handler);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.queues[1]), ZE_RESULT_SUCCESS);
  CHECK_SOON(__atomic_load_n(&count, __ATOMIC_ACQUIRE) >= 2);
  syclze_diagnostic_set_handler(NULL);
  CHECK_EQ(spy_destroys_of(list), 0);
  CHECK_EQ(spy_destroys_of(w.memory), 0);
  find(&w);
  /* Not destroyed otherwise. */
  CHECK_EQ(syclze__memory_destroy(&buffer.rep->memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze__queue_state_finish(syclze__queue_state_get(w.queues[1].rep)), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(list), 1);
  w.queues[1].rep = NULL;
  w.memory = NULL;
  end(&w);
}

TEST_MAIN(the_device_signals_what_the_host_cannot,
    an_event_that_cannot_be_signalled_is_an_error_for_its_waiters,
    releasing_a_kept_buffer_with_unfinishable_work_is_an_error,
    objects_with_unfinishable_work_are_not_destroyed)
