/* Release of buffers and images with pending work (4.5): keep waits, transfer does not. */
#undef SYCLZE_DECLARATIONS
#include "support/forget.h"
#include "support/threads.h"
#include "support/world.h"
#include "syclze/detail/objects/memory_use.h"
#include "tests/check.h"

#include <pthread.h>
#include <sched.h>

/* An allocation or image in a context of its own, which the last reference releases. */
static ze_context_handle_t native_context;
static syclze_context context;
static const void *native;
static struct syclze__memory *memory;

static void begin(int is_image, syclze_ownership ownership, syclze_event available) {
  if (is_image) {
    syclze_image_input input = {0};
    input.native_handle = fake_image(native_context);
    input.dimensions = 1;
    input.range[0] = 8;
    input.ownership = ownership;
    syclze_image image;
    CHECK_OK(available.rep != NULL ? syclze_make_image_after(&input, context, available, &image)
                                   : syclze_make_image(&input, context, &image));
    native = input.native_handle;
    memory = &image.rep->memory;
  } else {
    syclze_buffer_input input = {0};
    input.native_handle = fake_allocation(native_context, ZE_MEMORY_TYPE_DEVICE, world.root, 8);
    input.ownership = ownership;
    syclze_buffer buffer;
    CHECK_OK(available.rep != NULL ? syclze_make_buffer_after(&input, context, available, &buffer)
                                   : syclze_make_buffer(&input, context, &buffer));
    native = input.native_handle;
    memory = &buffer.rep->memory;
  }
}

static void begin_context(void) {
  world_begin();
  CHECK_OK(syclze_context_create(&world.device, 1, &context));
  native_context = syclze_context_get_native(context);
}

static syclze_event new_event(void) {
  syclze_event event;
  CHECK_OK(syclze_event_create(context, 0, &event));
  return event;
}

/* Everything was destroyed, the context last. */
static void end(syclze_ownership ownership) {
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(fake_destroys(native), ownership == SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(fake_destroys(native_context), 1);
  world_end();
}

/* A kept handle must be destroyed before its context, here by the caller. */
static void end_kept(void) {
  CHECK(fake_is_alive(native));
  fake_destroy(native);
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(fake_destroys(native_context), 1);
  world_end();
}

static const syclze_event no_event = {0};
#define FOR_BUFFER_AND_IMAGE for (int is_image = 0; is_image < 2; is_image++)

TEST(under_transfer_completed_work_does_not_delay_the_free) { // shows backend 88
  FOR_BUFFER_AND_IMAGE {
    begin_context();
    begin(is_image, SYCLZE_OWNERSHIP_TRANSFER, no_event);
    for (int i = 0; i < 3; i++) {
      syclze_event event = new_event();
      CHECK_EQ(syclze__memory_use(memory, event.rep), ZE_RESULT_SUCCESS);
      fake_signal(syclze_event_get_native(event));
      CHECK_OK(syclze_event_release(event));
    }
    CHECK_OK(syclze__memory_release(memory));
    CHECK_EQ(fake_destroys(native), 1);
    CHECK_EQ(work_settle(), 0);
    CHECK_EQ(fake_calls(FAKE_zeEventHostSynchronize), 0);
    end(SYCLZE_OWNERSHIP_TRANSFER);
  }
}

TEST(under_transfer_the_release_does_not_wait_for_work) { // shows backend 87
  FOR_BUFFER_AND_IMAGE {
    begin_context();
    begin(is_image, SYCLZE_OWNERSHIP_TRANSFER, no_event);
    syclze_event events[4];
    for (int i = 0; i < 4; i++) {
      events[i] = new_event();
      CHECK_EQ(syclze__memory_use(memory, events[i].rep), ZE_RESULT_SUCCESS);
    }
    CHECK_OK(syclze__memory_release(memory));
    for (int i = 0; i < 4; i++) {
      CHECK(fake_is_alive(native));
      fake_signal(syclze_event_get_native(events[i]));
      for (int j = 0; j < 100; j++)
        sched_yield();
    }
    CHECK_EQ(work_settle(), 1);
    CHECK_EQ(fake_destroys(native), 1);
    CHECK(fake_is_alive(native_context));
    for (int i = 0; i < 4; i++)
      CHECK_OK(syclze_event_release(events[i]));
    end(SYCLZE_OWNERSHIP_TRANSFER);
  }
}

static syclze_event used_meanwhile;

static void use_meanwhile(void) {
  CHECK_EQ(syclze__memory_use(memory, used_meanwhile.rep), ZE_RESULT_SUCCESS);
}

TEST(work_of_two_threads_that_begins_at_once_is_waited_for) {
  begin_context();
  begin(0, SYCLZE_OWNERSHIP_TRANSFER, no_event);
  syclze_event events[3];
  for (int i = 0; i < 3; i++)
    events[i] = new_event();
  used_meanwhile = events[2];
  CHECK_EQ(syclze__memory_use(memory, events[0].rep), ZE_RESULT_SUCCESS);
  fake_interrupt(FAKE_zeEventQueryStatus, use_meanwhile);
  CHECK_EQ(syclze__memory_use(memory, events[1].rep), ZE_RESULT_SUCCESS);
  unsigned uses = 0;
  for (const struct syclze__use *use = memory->uses; use != NULL; use = use->next)
    uses++;
  CHECK_EQ(uses, 3);
  CHECK_OK(syclze__memory_release(memory));
  for (int i = 0; i < 3; i++) {
    CHECK(fake_is_alive(native));
    fake_signal(syclze_event_get_native(events[i]));
  }
  CHECK_EQ(work_settle(), 1);
  for (int i = 0; i < 3; i++)
    CHECK_OK(syclze_event_release(events[i]));
  end(SYCLZE_OWNERSHIP_TRANSFER);
}

TEST(a_deferred_free_may_drop_the_last_context_reference) { // shows backend 88
  begin_context();
  begin(0, SYCLZE_OWNERSHIP_TRANSFER, no_event);
  syclze_event event = new_event();
  ze_event_handle_t native_event = syclze_event_get_native(event);
  CHECK_EQ(syclze__memory_use(memory, event.rep), ZE_RESULT_SUCCESS);
  CHECK_OK(syclze_event_release(event));
  CHECK_OK(syclze__memory_release(memory));
  CHECK_OK(syclze_context_release(context));
  CHECK(fake_is_alive(native_event));
  CHECK(fake_is_alive(native_context));
  fake_signal(native_event);
  CHECK_EQ(work_settle(), 1);
  CHECK_EQ(fake_destroyed_as(native), 1);
  CHECK_EQ(fake_destroys(native_event), 1);
  CHECK_EQ(fake_destroys(native_context), 1);
  world_end();
}

static syclze_event event_to_signal;
static int released;

static void *signal_later(void *argument) {
  (void)argument;
  for (int i = 0; i < 1000; i++)
    sched_yield();
  CHECK(!__atomic_load_n(&released, __ATOMIC_RELAXED));
  fake_signal(syclze_event_get_native(event_to_signal));
  return NULL;
}

TEST(under_keep_the_release_waits_for_all_work) { // shows backend 69 84
  FOR_BUFFER_AND_IMAGE {
    begin_context();
    begin(is_image, SYCLZE_OWNERSHIP_KEEP, no_event);
    syclze_event other = new_event();
    event_to_signal = new_event();
    CHECK_EQ(syclze__memory_use(memory, event_to_signal.rep), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze__memory_use(memory, other.rep), ZE_RESULT_SUCCESS);
    fake_signal(syclze_event_get_native(other));
    released = 0;
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, signal_later, NULL), 0);
    CHECK_OK(syclze__memory_release(memory));
    __atomic_store_n(&released, 1, __ATOMIC_RELAXED);
    CHECK(fake_is_signalled(syclze_event_get_native(event_to_signal)));
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_EQ(work_settle(), 0);
    CHECK_OK(syclze_event_release(other));
    CHECK_OK(syclze_event_release(event_to_signal));
    end_kept();
  }
}

TEST(under_keep_a_failed_wait_is_returned) { // shows backend 84, promises 54
  begin_context();
  begin(0, SYCLZE_OWNERSHIP_KEEP, no_event);
  for (int i = 0; i < 2; i++) {
    syclze_event event = new_event();
    CHECK_EQ(syclze__memory_use(memory, event.rep), ZE_RESULT_SUCCESS);
    if (i == 1) fake_signal(syclze_event_get_native(event));
    CHECK_OK(syclze_event_release(event));
  }
  /* The newest use is first and fails; the other is waited for all the same. */
  event_to_signal.rep = memory->uses->next->event;
  fake_signal(event_to_signal.rep->native);
  fake_fail(FAKE_zeEventHostSynchronize, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(syclze__memory_release(memory), ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(fake_calls(FAKE_zeEventHostSynchronize), 2);
  end_kept();
}

TEST(completed_uses_are_retired_when_one_is_added) {
  begin_context();
  begin(0, SYCLZE_OWNERSHIP_TRANSFER, no_event);
  for (int i = 0; i < 100; i++) {
    syclze_event event = new_event();
    CHECK_EQ(syclze__memory_use(memory, event.rep), ZE_RESULT_SUCCESS);
    fake_signal(syclze_event_get_native(event));
    CHECK_OK(syclze_event_release(event));
  }
  /* A use that was not retired would hold its event. */
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), 1);
  CHECK_OK(syclze__memory_release(memory));
  end(SYCLZE_OWNERSHIP_TRANSFER);
}

TEST(a_use_without_memory_is_refused_and_changes_nothing) {
  begin_context();
  begin(0, SYCLZE_OWNERSHIP_TRANSFER, no_event);
  syclze_event event = new_event();
  world_use_up(SYCLZE__POOL_USE);
  CHECK_EQ(syclze__memory_use(memory, event.rep), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_OK(syclze_event_release(event));
  CHECK_OK(syclze__memory_release(memory));
  CHECK_EQ(fake_destroys(native), 1);
  end(SYCLZE_OWNERSHIP_TRANSFER);
}

TEST(memory_retains_its_available_event) { // shows backend 63
  FOR_BUFFER_AND_IMAGE {
    begin_context();
    syclze_event available = new_event();
    begin(is_image, SYCLZE_OWNERSHIP_TRANSFER, available);
    ze_event_handle_t native_event = syclze_event_get_native(available);
    CHECK_OK(syclze_event_release(available));
    syclze_event other = new_event();
    CHECK(syclze_event_get_native(other) != native_event);
    CHECK_OK(syclze_event_release(other));
    fake_signal(native_event);
    CHECK_OK(syclze__memory_release(memory));
    CHECK_EQ(fake_destroys(native), 1);
    CHECK_EQ(work_settle(), 0);
    end(SYCLZE_OWNERSHIP_TRANSFER);
  }
}

TEST(under_transfer_unavailable_memory_is_freed_later) { // shows backend 63 71
  FOR_BUFFER_AND_IMAGE {
    begin_context();
    syclze_event available = new_event();
    ze_event_handle_t native_event = syclze_event_get_native(available);
    begin(is_image, SYCLZE_OWNERSHIP_TRANSFER, available);
    CHECK_OK(syclze_event_release(available));
    CHECK_OK(syclze__memory_release(memory));
    CHECK(fake_is_alive(native));
    fake_signal(native_event);
    CHECK_EQ(work_settle(), 1);
    CHECK_EQ(fake_destroys(native), 1);
    end(SYCLZE_OWNERSHIP_TRANSFER);
  }
}

TEST(under_keep_unused_memory_is_not_waited_for) {
  FOR_BUFFER_AND_IMAGE {
    begin_context();
    syclze_event available = new_event();
    begin(is_image, SYCLZE_OWNERSHIP_KEEP, available);
    CHECK_OK(syclze__memory_release(memory));
    CHECK_EQ(fake_calls(FAKE_zeEventHostSynchronize), 0);
    CHECK_OK(syclze_event_release(available));
    end_kept();
  }
}

/* Neither does the release wait, nor is the memory lost: a later release finds the work done. */
TEST(without_a_thread_a_later_release_frees) { // shows promises 55
  begin_context();
  begin(0, SYCLZE_OWNERSHIP_TRANSFER, no_event);
  threads_allow(0);
  syclze_event events[2];
  const void *first = native;
  struct syclze__memory *memories[2] = {memory};
  begin(0, SYCLZE_OWNERSHIP_TRANSFER, no_event);
  memories[1] = memory;
  for (int i = 0; i < 2; i++) {
    events[i] = new_event();
    CHECK_EQ(syclze__memory_use(memories[i], events[i].rep), ZE_RESULT_SUCCESS);
  }
  CHECK_OK(syclze__memory_release(memories[0]));
  CHECK(fake_is_alive(first));
  fake_signal(syclze_event_get_native(events[0]));
  CHECK_OK(syclze__memory_release(memories[1]));
  CHECK_EQ(fake_destroys(first), 1);
  CHECK(fake_is_alive(native));
  fake_signal(syclze_event_get_native(events[1]));
  CHECK_EQ(work_settle(), 2);
  CHECK_EQ(fake_destroys(native), 1);
  threads_allow(1);
  for (int i = 0; i < 2; i++)
    CHECK_OK(syclze_event_release(events[i]));
  end(SYCLZE_OWNERSHIP_TRANSFER);
}

static void *signal_after_waits(void *argument) {
  (void)argument;
  while (fake_calls(FAKE_zeEventHostSynchronize) < 10)
    sched_yield();
  fake_signal(syclze_event_get_native(event_to_signal));
  return NULL;
}

/* A wait of the application looks at what has no thread. */
TEST(without_a_thread_a_later_wait_frees) { // shows promises 55
  begin_context();
  begin(0, SYCLZE_OWNERSHIP_TRANSFER, no_event);
  syclze_event use = new_event();
  event_to_signal = new_event();
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, signal_after_waits, NULL), 0);
  threads_allow(0);
  CHECK_EQ(syclze__memory_use(memory, use.rep), ZE_RESULT_SUCCESS);
  CHECK_OK(syclze__memory_release(memory));
  CHECK(fake_is_alive(native));
  fake_signal(syclze_event_get_native(use));
  CHECK_OK(syclze_event_wait(event_to_signal));
  CHECK_EQ(pthread_join(thread, NULL), 0);
  threads_allow(1);
  CHECK_EQ(fake_destroys(native), 1);
  CHECK_OK(syclze_event_release(use));
  CHECK_OK(syclze_event_release(event_to_signal));
  end(SYCLZE_OWNERSHIP_TRANSFER);
}

/* A wait that fails says nothing about the work. */
TEST(under_transfer_a_failed_wait_frees_nothing) { // shows promises 54
  FOR_BUFFER_AND_IMAGE {
    begin_context();
    begin(is_image, SYCLZE_OWNERSHIP_TRANSFER, no_event);
    syclze_event event = new_event();
    CHECK_EQ(syclze__memory_use(memory, event.rep), ZE_RESULT_SUCCESS);
    fake_fail(FAKE_zeEventHostSynchronize, 1, ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK_OK(syclze__memory_release(memory));
    while (fake_calls(FAKE_zeEventHostSynchronize) < 2)
      sched_yield();
    CHECK(fake_is_alive(native));
    fake_signal(syclze_event_get_native(event));
    CHECK_EQ(work_settle(), 1);
    CHECK_EQ(fake_destroys(native), 1);
    CHECK_OK(syclze_event_release(event));
    end(SYCLZE_OWNERSHIP_TRANSFER);
  }
}

TEST(a_null_available_event_is_refused) { // shows backend 62 70
  world_begin();
  syclze_buffer_input buffer_input = {0};
  syclze_image_input image_input = {0};
  buffer_input.native_handle =
      fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root, 8);
  image_input.native_handle = fake_image(world.native_context);
  image_input.dimensions = 1;
  image_input.range[0] = 1;
  syclze_buffer buffer = {(struct syclze__buffer *)&world};
  syclze_image image = {(struct syclze__image *)&world};
  CHECK_REFUSED(syclze_make_buffer_after(&buffer_input, world.context, no_event, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_buffer_after", buffer_input.native_handle);
  CHECK_EQ(buffer.rep, NULL);
  CHECK_REFUSED(syclze_make_image_after(&image_input, world.context, no_event, &image),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_image_after", image_input.native_handle);
  CHECK_EQ(image.rep, NULL);
  CHECK_REFUSED(syclze_make_buffer_after(NULL, world.context, no_event, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_buffer_after", NULL);
  CHECK_REFUSED(syclze_make_image_after(NULL, world.context, no_event, &image),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_image_after", NULL);
  CHECK_REFUSED(syclze_make_buffer_after(&buffer_input, world.context, no_event, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_buffer_after", NULL);
  fake_destroy(buffer_input.native_handle);
  fake_destroy(image_input.native_handle);
  world_end();
}

TEST(a_refused_make_after_retains_no_event) {
  begin_context();
  syclze_event available = new_event();
  syclze_buffer_input input = {0};
  syclze_image_input image_input = {0};
  syclze_buffer buffer;
  syclze_image image;
  CHECK_REFUSED(syclze_make_buffer_after(&input, context, available, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_buffer_after", NULL);
  CHECK_REFUSED(syclze_make_image_after(&image_input, context, available, &image),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_image_after", NULL);
  ze_event_handle_t native_event = syclze_event_get_native(available);
  CHECK_OK(syclze_event_release(available));
  available = new_event();
  CHECK_EQ(syclze_event_get_native(available), native_event);
  CHECK_OK(syclze_event_release(available));
  CHECK_OK(syclze_context_release(context));
  world_end();
}

TEST_MAIN(under_transfer_completed_work_does_not_delay_the_free,
    under_transfer_the_release_does_not_wait_for_work,
    work_of_two_threads_that_begins_at_once_is_waited_for,
    a_deferred_free_may_drop_the_last_context_reference, under_keep_the_release_waits_for_all_work,
    under_keep_a_failed_wait_is_returned, completed_uses_are_retired_when_one_is_added,
    a_use_without_memory_is_refused_and_changes_nothing, memory_retains_its_available_event,
    under_transfer_unavailable_memory_is_freed_later, under_keep_unused_memory_is_not_waited_for,
    without_a_thread_a_later_release_frees, without_a_thread_a_later_wait_frees,
    under_transfer_a_failed_wait_frees_nothing, a_null_available_event_is_refused,
    a_refused_make_after_retains_no_event)
