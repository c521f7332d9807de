/* Created events: pools that grow, events that are reused, destruction with the context. */
#include "support/memory.h"
#include "support/world.h"
#include "tests/check.h"

static syclze_event created(uint32_t flags) {
  syclze_event event;
  CHECK_OK(syclze_event_create(world.context, flags, &event));
  return event;
}

TEST(new_events_are_unsignalled_and_host_visible) {
  world_begin();
  syclze_event event = created(0);
  CHECK(!fake_is_signalled(syclze_event_get_native(event)));
  CHECK_EQ(fake_seen.pool_desc.flags, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  CHECK_EQ(fake_seen.pool_desc.count, SYCLZE__EVENT_POOL_FIRST);
  CHECK_EQ(fake_seen.pool_devices, 1);
  CHECK_EQ(fake_seen.event_desc.signal, ZE_EVENT_SCOPE_FLAG_HOST);
  CHECK_EQ(fake_seen.event_desc.wait, ZE_EVENT_SCOPE_FLAG_HOST);
  CHECK_EQ(syclze_event_get_context(event).rep, world.context.rep);
  CHECK_OK(syclze_event_release(event));
  world_end();
}

TEST(profiling_events_have_separate_pools) {
  world_begin();
  syclze_event plain = created(0), profiling = created(SYCLZE_EVENT_FLAG_PROFILING);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), 2);
  CHECK_EQ(fake_seen.pool_desc.flags,
      ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_event_handle_t of_plain = syclze_event_get_native(plain);
  ze_event_handle_t of_profiling = syclze_event_get_native(profiling);
  CHECK_OK(syclze_event_release(plain));
  CHECK_OK(syclze_event_release(profiling));
  profiling = created(SYCLZE_EVENT_FLAG_PROFILING);
  plain = created(0);
  CHECK_EQ(syclze_event_get_native(plain), of_plain);
  CHECK_EQ(syclze_event_get_native(profiling), of_profiling);
  CHECK_OK(syclze_event_release(plain));
  CHECK_OK(syclze_event_release(profiling));
  world_end();
}

TEST(a_released_event_is_reset_once_and_reused) {
  world_begin();
  syclze_event event = created(0);
  ze_event_handle_t native = syclze_event_get_native(event);
  fake_signal(native);
  for (unsigned i = 1; i <= 5; i++) {
    CHECK_OK(syclze_event_release(event));
    event = created(0);
    CHECK_EQ(syclze_event_get_native(event), native);
    CHECK(!fake_is_signalled(native));
    CHECK_EQ(fake_calls(FAKE_zeEventHostReset), i);
    fake_signal(native);
  }
  CHECK_EQ(fake_calls(FAKE_zeEventCreate), SYCLZE__EVENT_POOL_FIRST);
  CHECK_EQ(fake_calls(FAKE_zeEventDestroy), 0);
  CHECK_OK(syclze_event_release(event));
  world_end();
}

TEST(an_event_whose_reset_fails_is_kept) {
  world_begin();
  syclze_event event = created(0), none;
  ze_event_handle_t native = syclze_event_get_native(event);
  CHECK_OK(syclze_event_release(event));
  fake_fail(FAKE_zeEventHostReset, 1, ZE_RESULT_ERROR_UNKNOWN);
  CHECK_FAILED(syclze_event_create(world.context, 0, &none), ZE_RESULT_ERROR_UNKNOWN,
      "syclze_event_create", world.native_context);
  event = created(0);
  CHECK_EQ(syclze_event_get_native(event), native);
  CHECK_EQ(fake_calls(FAKE_zeEventHostReset), 2);
  CHECK_OK(syclze_event_release(event));
  world_end();
}

static syclze_event meanwhile;

static void create_meanwhile(void) {
  CHECK_EQ(syclze_event_create(world.context, 0, &meanwhile), ZE_RESULT_SUCCESS);
}

/* One thread's pools stay, the other's are freed. */
TEST(two_threads_make_the_first_event_of_a_context) {
  world_begin();
  memory_interrupt(sizeof(struct syclze__event_pools), create_meanwhile);
  syclze_event event = created(0);
  CHECK(meanwhile.rep != NULL);
  CHECK(syclze_event_get_native(event) != syclze_event_get_native(meanwhile));
  CHECK_OK(syclze_event_release(meanwhile));
  CHECK_OK(syclze_event_release(event));
  world_end();
}

TEST(new_events_are_not_reset) {
  world_begin();
  syclze_event events[SYCLZE__EVENT_POOL_FIRST];
  for (int i = 0; i < SYCLZE__EVENT_POOL_FIRST; i++)
    events[i] = created(0);
  CHECK_EQ(fake_calls(FAKE_zeEventHostReset), 0);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), 1);
  for (int i = 0; i < SYCLZE__EVENT_POOL_FIRST; i++)
    CHECK_OK(syclze_event_release(events[i]));
  world_end();
}

TEST(an_event_in_use_is_not_handed_out_again) {
  world_begin();
  syclze_event event = created(0);
  CHECK_OK(syclze_event_retain(event));
  CHECK_OK(syclze_event_release(event));
  syclze_event other = created(0);
  CHECK(syclze_event_get_native(other) != syclze_event_get_native(event));
  CHECK_OK(syclze_event_release(event));
  CHECK_OK(syclze_event_release(other));
  world_end();
}

TEST(pools_grow_by_doubling_up_to_a_limit) {
  world_begin();
  enum { COUNT = 10000 };
  static syclze_event events[COUNT];
  for (int i = 0; i < COUNT; i++)
    events[i] = created(0);
  /* 32 + 64 + 128 + 256, then 512 each. */
  unsigned pools = 4 + (COUNT - 480 + 511) / 512, natives = 480 + 512 * (pools - 4);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), pools);
  CHECK_EQ(fake_seen.pool_desc.count, SYCLZE__EVENT_POOL_MOST);
  CHECK_EQ(fake_calls(FAKE_zeEventCreate), natives);
  for (int i = 0; i < COUNT; i++)
    fake_signal(syclze_event_get_native(events[i]));
  for (int i = 0; i < COUNT; i++) {
    CHECK(fake_is_signalled(syclze_event_get_native(events[i])));
    CHECK_OK(syclze_event_release(events[i]));
  }
  for (int i = 0; i < COUNT; i++)
    events[i] = created(0);
  for (int i = 0; i < COUNT; i++) {
    ze_event_handle_t native = syclze_event_get_native(events[i]);
    CHECK(!fake_is_signalled(native)); /* signalled if another event shared it */
    fake_signal(native);
  }
  CHECK_EQ(fake_calls(FAKE_zeEventCreate), natives);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), pools);
  CHECK_EQ(fake_all_destroys(), 0);
  for (int i = 0; i < COUNT; i++)
    CHECK_OK(syclze_event_release(events[i]));
  CHECK_OK(syclze_context_release(world.context));
  CHECK_EQ(fake_calls(FAKE_zeEventDestroy), natives);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolDestroy), pools);
  CHECK(fake_is_alive(world.native_context));
  world.context.rep = NULL;
  fake_destroy(world.native_context);
  world_end();
}

TEST(pools_are_destroyed_before_a_transferred_context) {
  world_begin();
  syclze_context context;
  CHECK_OK(syclze_context_create(&world.device, 1, &context));
  ze_context_handle_t native = syclze_context_get_native(context);
  syclze_event events[40];
  for (int i = 0; i < 40; i++)
    CHECK_OK(syclze_event_create(context, 0, &events[i]));
  CHECK_OK(syclze_context_release(context));
  for (int i = 0; i < 39; i++)
    CHECK_OK(syclze_event_release(events[i]));
  CHECK_EQ(fake_all_destroys(), 0);
  ze_event_handle_t last = syclze_event_get_native(events[39]);
  CHECK_OK(syclze_event_release(events[39]));
  CHECK_EQ(fake_destroys(last), 1);
  /* The fake reports parents that are destroyed before their children. */
  CHECK_EQ(fake_all_destroys(), 32 + 64 + 2 + 1);
  CHECK_EQ(fake_destroyed_as(native), 99);
  world_end();
}

TEST(pools_cover_all_devices_of_the_context) {
  world_begin();
  const syclze_device devices[] = {
      world.device, world.device2, world.sub_device, world.device, world.device2};
  syclze_context context;
  CHECK_OK(syclze_context_create(devices, 5, &context));
  syclze_event event;
  CHECK_OK(syclze_event_create(context, 0, &event));
  CHECK_EQ(fake_seen.pool_devices, 3);
  CHECK_OK(syclze_event_release(event));
  CHECK_OK(syclze_context_release(context));
  world_end();
}

TEST(wrong_arguments_are_refused) {
  world_begin();
  syclze_context none = {0};
  syclze_event event = {(struct syclze__event *)&world};
  CHECK_REFUSED(syclze_event_create(none, 0, &event), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_event_create", NULL);
  CHECK_EQ(event.rep, NULL);
  CHECK_REFUSED(syclze_event_create(world.context, 0, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_event_create", NULL);
  world_end();
}

TEST(a_failed_call_leaks_no_event) {
  static const enum fake_function functions[] = {FAKE_zeEventPoolCreate, FAKE_zeEventCreate};
  for (int i = 0; i < 2; i++) {
    world_begin();
    syclze_event event = {(struct syclze__event *)&world}, events[32];
    for (unsigned tries = 0; tries < 3; tries++) {
      fake_fail(functions[i], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
      CHECK_FAILED(syclze_event_create(world.context, 0, &event),
          ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "syclze_event_create", world.native_context);
      CHECK_EQ(event.rep, NULL);
      CHECK_EQ(fake_calls(FAKE_zeEventPoolDestroy), i == 0 ? 0 : tries + 1);
    }
    for (int j = 0; j < 32; j++)
      events[j] = created(0);
    CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), 4);
    for (int j = 0; j < 32; j++)
      CHECK_OK(syclze_event_release(events[j]));
    world_end();
  }
}

TEST(a_pool_may_hold_fewer_events_than_requested) {
  world_begin();
  syclze_event events[6];
  fake_fail(FAKE_zeEventCreate, 4, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  for (int i = 0; i < 3; i++)
    events[i] = created(0);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), 1);
  for (int i = 3; i < 6; i++)
    events[i] = created(0);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), 2);
  for (int i = 0; i < 6; i++)
    CHECK_OK(syclze_event_release(events[i]));
  world_end();
}

TEST(an_event_that_fails_to_reset_is_kept_and_retried) {
  world_begin();
  syclze_event event = created(0);
  ze_event_handle_t native = syclze_event_get_native(event);
  CHECK_OK(syclze_event_release(event));
  fake_fail(FAKE_zeEventHostReset, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_REFUSED(syclze_event_create(world.context, 0, &event), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_event_create", world.native_context);
  CHECK_EQ(event.rep, NULL);
  event = created(0);
  CHECK_EQ(syclze_event_get_native(event), native);
  CHECK_OK(syclze_event_release(event));
  world_end();
}

TEST(a_failed_allocation_leaks_nothing) {
  for (int object = 0; object < 2; object++) {
    unsigned nth = 0;
    int failed;
    do {
      world_begin();
      syclze_event event = {(struct syclze__event *)&world};
      syclze_event held = {NULL};
      if (object) { /* the native event was created, the object was not */
        held = created(0);
        world_use_up(SYCLZE__POOL_EVENT);
      }
      memory_fail(++nth);
      notes_start();
      ze_result_t result = syclze_event_create(world.context, 0, &event);
      failed = memory_failed();
      memory_fail(0);
      CHECK(
          result == ZE_RESULT_SUCCESS || (failed && result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY));
      CHECK_EQ(notes.count, result != ZE_RESULT_SUCCESS);
      CHECK_EQ(event.rep != NULL, result == ZE_RESULT_SUCCESS);
      CHECK_OK(syclze_event_release(event));
      CHECK_OK(syclze_event_release(held));
      CHECK_OK(syclze_event_release(created(0)));
      world_end();
    } while (failed && nth < 50);
    CHECK(nth >= (object ? 2 : 6) && nth < 50);
  }
}

TEST(failed_destroys_are_reported_and_memory_is_freed) {
  static const enum fake_function functions[] = {
      FAKE_zeEventDestroy, FAKE_zeEventPoolDestroy, FAKE_zeContextDestroy};
  for (int i = 0; i < 3; i++) {
    world_begin();
    syclze_context context;
    CHECK_OK(syclze_context_create(&world.device, 1, &context));
    ze_context_handle_t native = syclze_context_get_native(context);
    syclze_event event;
    CHECK_OK(syclze_event_create(context, 0, &event));
    ze_event_handle_t native_event = syclze_event_get_native(event);
    CHECK_OK(syclze_event_release(event));
    fake_fail(functions[i], 1, ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK_FAILED(syclze_context_release(context), ZE_RESULT_ERROR_DEVICE_LOST,
        "syclze_context_release", native);
    CHECK_EQ(fake_calls(FAKE_zeEventDestroy), SYCLZE__EVENT_POOL_FIRST);
    CHECK_EQ(fake_calls(FAKE_zeEventPoolDestroy), 1);
    CHECK_EQ(fake_calls(FAKE_zeContextDestroy), 1);
    CHECK_EQ(fake_is_alive(native_event), i == 0);
    CHECK_EQ(fake_is_alive(native), i == 2);
    CHECK_OK(syclze_context_release(world.context));
    world.context.rep = NULL;
    fake_destroy(world.native_context);
    fake_forgive();
    world_end();
  }
}

TEST_MAIN(new_events_are_unsignalled_and_host_visible, profiling_events_have_separate_pools,
    a_released_event_is_reset_once_and_reused, new_events_are_not_reset,
    an_event_whose_reset_fails_is_kept, two_threads_make_the_first_event_of_a_context,
    an_event_in_use_is_not_handed_out_again, pools_grow_by_doubling_up_to_a_limit,
    pools_are_destroyed_before_a_transferred_context, pools_cover_all_devices_of_the_context,
    wrong_arguments_are_refused, a_failed_call_leaks_no_event,
    a_pool_may_hold_fewer_events_than_requested, an_event_that_fails_to_reset_is_kept_and_retried,
    a_failed_allocation_leaks_nothing, failed_destroys_are_reported_and_memory_is_freed)
