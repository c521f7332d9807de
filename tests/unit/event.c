/* Wrapped events: refused inputs, ownership of the handle, retained parents. */
#include "support/world.h"
#include "tests/check.h"

static ze_event_pool_handle_t pool;

static void begin(void) {
  world_begin();
  pool = fake_event_pool(world.native_context);
}

static void end(void) {
  fake_destroy(pool);
  world_end();
}

static syclze_event_input input_of(ze_event_handle_t native) {
  syclze_event_input input = {0};
  input.native_handle = native;
  return input;
}

static void check_refused(syclze_event_input input, syclze_context context, ze_result_t code) {
  syclze_event event = {(struct syclze__event *)&input};
  CHECK_REFUSED(
      syclze_make_event(&input, context, &event), code, "syclze_make_event", input.native_handle);
  CHECK_EQ(event.rep, NULL);
  if (input.native_handle != NULL) CHECK(fake_is_alive(input.native_handle));
}

TEST(transfer_destroys_once_after_the_last_reference) { // shows backend 47
  begin();
  ze_event_handle_t native = fake_event(pool);
  syclze_event_input input = input_of(native);
  syclze_event event;
  CHECK_EQ(input.ownership, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  CHECK_OK(syclze_event_retain(event));
  CHECK_OK(syclze_event_release(event));
  CHECK(fake_is_alive(native));
  CHECK_OK(syclze_event_release(event));
  CHECK_EQ(fake_destroys(native), 1);
  CHECK(fake_is_alive(pool));
  end();
}

TEST(keep_never_destroys) { // shows backend 47
  begin();
  ze_event_handle_t native = fake_event(pool);
  syclze_event_input input = input_of(native);
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (int i = 0; i < 3; i++) {
    syclze_event event;
    CHECK_OK(syclze_make_event(&input, world.context, &event));
    CHECK_OK(syclze_event_release(event));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  fake_destroy(native);
  end();
}

TEST(the_native_handle_is_always_the_same) {
  begin();
  ze_event_handle_t native = fake_event(pool);
  fake_signal(native);
  syclze_event_input input = input_of(native);
  syclze_event event;
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  unsigned calls = fake_all_calls();
  for (int i = 0; i < 10; i++)
    CHECK_EQ(syclze_event_get_native(event), native);
  CHECK_EQ(syclze_event_get_context(event).rep, world.context.rep);
  CHECK_EQ(fake_all_calls(), calls);
  CHECK(fake_is_signalled(native));
  CHECK_OK(syclze_event_release(event));
  end();
}

TEST(an_event_keeps_its_context) {
  begin();
  ze_context_handle_t native_context = fake_context(world.driver);
  ze_event_pool_handle_t its_pool = fake_event_pool(native_context);
  ze_event_handle_t native = fake_event(its_pool);
  syclze_context context = world_context(native_context, &world.device, 1);
  syclze_event_input input = input_of(native);
  syclze_event event;
  CHECK_OK(syclze_make_event(&input, context, &event));
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(syclze_context_get_native(syclze_event_get_context(event)), native_context);
  CHECK_EQ(syclze_context_get_device(syclze_event_get_context(event), 0).rep, world.device.rep);
  CHECK_OK(syclze_event_release(event));
  fake_destroy(its_pool);
  fake_destroy(native_context);
  end();
}

TEST(null_arguments_are_refused) { // shows backend 45
  begin();
  ze_event_handle_t native = fake_event(pool);
  syclze_event_input input = input_of(native);
  syclze_context none = {0};
  syclze_event event = {(struct syclze__event *)&input}, null = {0};
  CHECK_REFUSED(syclze_make_event(NULL, world.context, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_event", NULL);
  CHECK_EQ(event.rep, NULL);
  CHECK_REFUSED(syclze_make_event(&input, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_event", NULL);
  check_refused(input, none, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(input_of(NULL), world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_OK(syclze_event_retain(null));
  CHECK_OK(syclze_event_release(null));
  fake_destroy(native);
  end();
}

TEST(an_invalid_ownership_is_refused) {
  begin();
  syclze_event_input input = input_of(fake_event(pool));
  syclze_event event;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  CHECK_OK(syclze_event_release(event)); /* the next one needs no memory */
  input.ownership = (syclze_ownership)2;
  check_refused(input, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  fake_destroy(input.native_handle);
  end();
}

TEST(an_event_from_a_pool_of_another_context_is_refused) { // shows backend 46
  begin();
  ze_context_handle_t other = fake_context(world.driver);
  ze_event_pool_handle_t its_pool = fake_event_pool(other);
  ze_event_handle_t native = fake_event(its_pool);
  check_refused(input_of(native), world.context, SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(notes.first.rule, "4.3") != NULL);
  fake_destroy(native);
  CHECK_EQ(fake_destroys(native), 1);
  fake_destroy(its_pool);
  fake_destroy(other);
  end();
}

/* The rule compares native contexts: two wrappers of one native context are equal. */
TEST(another_wrapper_of_the_same_native_context_is_accepted) {
  begin();
  syclze_context twin = world_context(world.native_context, &world.device, 1);
  syclze_event_input input = input_of(fake_event(pool));
  syclze_event event;
  CHECK(twin.rep != world.context.rep);
  CHECK_OK(syclze_make_event(&input, twin, &event));
  CHECK_OK(syclze_event_release(event));
  CHECK_OK(syclze_context_release(twin));
  end();
}

TEST(inputs_that_cannot_be_checked_are_accepted) {
  for (int old = 0; old < 2; old++) {
    if (old)
      world_begin_with_old_loader();
    else
      world_begin();
    fake.no_getters = 1;
    ze_context_handle_t other = fake_context(world.driver);
    ze_event_pool_handle_t its_pool = fake_event_pool(other);
    syclze_event_input input = input_of(fake_event(its_pool));
    syclze_event event;
    CHECK_OK(syclze_make_event(&input, world.context, &event));
    CHECK_OK(syclze_event_release(event));
    CHECK_EQ(fake_calls(FAKE_zeEventGetEventPool) != 0, !old);
    fake_destroy(its_pool);
    fake_destroy(other);
    world_end();
  }
}

TEST(a_pool_whose_context_is_unavailable_is_accepted) {
  begin();
  syclze_event_input input = input_of(fake_event(pool));
  syclze_event event;
  fake_fail(FAKE_zeEventPoolGetContextHandle, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  CHECK_EQ(fake_failed_function(), FAKE_zeEventPoolGetContextHandle);
  CHECK_OK(syclze_event_release(event));
  end();
}

TEST(the_caller_keeps_the_handle_when_allocation_fails) {
  begin();
  syclze_event_input input = input_of(fake_event(pool));
  syclze_event event;
  world_use_up(SYCLZE__POOL_EVENT);
  check_refused(input, world.context, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  CHECK_OK(syclze_event_release(event));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  end();
}

TEST(a_failed_destroy_is_reported_and_the_memory_freed) {
  begin();
  syclze_event_input input = input_of(fake_event(pool));
  syclze_event event;
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  fake_fail(FAKE_zeEventDestroy, 1, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  CHECK_FAILED(syclze_event_release(event), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
      "syclze_event_release", input.native_handle);
  fake_destroy(input.native_handle);
  end();
}

TEST(the_status_is_that_of_the_native_event) { // shows queues 1
  begin();
  syclze_event_input input = input_of(fake_event(pool));
  syclze_event event;
  syclze_event_status status = SYCLZE_EVENT_STATUS_COMPLETE;
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  CHECK_OK(syclze_event_get_status(event, &status));
  CHECK_EQ(status, SYCLZE_EVENT_STATUS_SUBMITTED);
  fake_signal(input.native_handle);
  CHECK_OK(syclze_event_get_status(event, &status));
  CHECK_EQ(status, SYCLZE_EVENT_STATUS_COMPLETE);
  CHECK_REFUSED(syclze_event_get_status(event, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_event_get_status", NULL);
  fake_fail(FAKE_zeEventQueryStatus, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_REFUSED(syclze_event_get_status(event, &status), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_event_get_status", input.native_handle);
  CHECK_EQ(status, SYCLZE_EVENT_STATUS_SUBMITTED);
  CHECK_OK(syclze_event_release(event));
  end();
}

TEST(a_wait_for_several_waits_for_each) { // shows queues 2
  begin();
  syclze_event events[4] = {{0}};
  ze_event_handle_t natives[3];
  for (int i = 0; i < 3; i++) {
    syclze_event_input input = input_of(natives[i] = fake_event(pool));
    CHECK_OK(syclze_make_event(&input, world.context, &events[i]));
    fake_signal(natives[i]);
  }
  CHECK_OK(syclze_events_wait(events, 4));
  CHECK_EQ(fake_calls(FAKE_zeEventHostSynchronize), 3);
  CHECK_REFUSED(syclze_events_wait(NULL, 1), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_events_wait", NULL);
  fake_fail(FAKE_zeEventHostSynchronize, 2, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(syclze_events_wait(events, 4), ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(fake_calls(FAKE_zeEventHostSynchronize), 6);
  for (int i = 0; i < 3; i++)
    CHECK_OK(syclze_event_release(events[i]));
  end();
}

TEST_MAIN_COLD_AND_WARM(the_status_is_that_of_the_native_event, a_wait_for_several_waits_for_each,
    transfer_destroys_once_after_the_last_reference, keep_never_destroys,
    the_native_handle_is_always_the_same, an_event_keeps_its_context, null_arguments_are_refused,
    an_invalid_ownership_is_refused, an_event_from_a_pool_of_another_context_is_refused,
    another_wrapper_of_the_same_native_context_is_accepted,
    inputs_that_cannot_be_checked_are_accepted, a_pool_whose_context_is_unavailable_is_accepted,
    the_caller_keeps_the_handle_when_allocation_fails,
    a_failed_destroy_is_reported_and_the_memory_freed)
