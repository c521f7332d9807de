/* Devices: enumerated once with their sub-devices, one object for each handle, never owned. */
#include "support/memory.h"
#include "support/world.h"
#include "tests/check.h"

TEST(a_handle_makes_its_device) {
  world_begin_bare();
  syclze_device device;
  CHECK_OK(syclze_make_device(world.root2, &device));
  CHECK_EQ(syclze_device_get_native(device), world.root2);
  CHECK_EQ(syclze_device_get_parent(device).rep, NULL);
  syclze_platform platform;
  CHECK_OK(syclze_make_platform(world.driver, &platform));
  CHECK_EQ(syclze_device_get_platform(device).rep, platform.rep);
  world_end();
}

TEST(one_handle_is_one_device) { // shows backend 30
  world_begin();
  const ze_device_handle_t handles[] = {
      world.root, world.root2, world.sub, world.sub_sub, world.other_root};
  const syclze_device made[] = {
      world.device, world.device2, world.sub_device, world.sub_sub_device, world.other_device};
  unsigned calls = fake_all_calls();
  for (int i = 0; i < 5; i++) {
    syclze_device again;
    CHECK_OK(syclze_make_device(handles[i], &again));
    CHECK_EQ(again.rep, made[i].rep);
    CHECK_EQ(syclze_device_get_native(again), handles[i]);
    for (int j = 0; j < i; j++)
      CHECK(made[i].rep != made[j].rep);
  }
  CHECK_EQ(fake_all_calls(), calls);
  world_end();
}

TEST(sub_devices_have_their_parents) { // shows backend 31
  world_begin();
  CHECK_EQ(syclze_device_get_parent(world.sub_sub_device).rep, world.sub_device.rep);
  CHECK_EQ(syclze_device_get_parent(world.sub_device).rep, world.device.rep);
  CHECK_EQ(syclze_device_get_parent(world.device).rep, NULL);
  CHECK_EQ(syclze_device_get_platform(world.sub_sub_device).rep,
      syclze_device_get_platform(world.device).rep);
  CHECK(syclze_device_get_platform(world.device).rep !=
        syclze_device_get_platform(world.other_device).rep);
  world_end();
}

TEST(device_lists_hold_root_devices_and_direct_sub_devices) {
  world_begin();
  ze_device_handle_t second = fake_sub_device(world.root2), third = fake_sub_device(world.root2);
  (void)second, (void)third; /* created after the enumeration, which is not repeated */
  syclze_platform platform = syclze_device_get_platform(world.device);
  syclze_device listed[4] = {{0}, {0}, {0}, {0}};
  uint32_t count = 0;
  CHECK_OK(syclze_device_get(platform, &count, NULL));
  CHECK_EQ(count, 2);
  count = 4;
  CHECK_OK(syclze_device_get(platform, &count, listed));
  CHECK_EQ(count, 2);
  CHECK_EQ(listed[0].rep, world.device.rep);
  CHECK_EQ(listed[1].rep, world.device2.rep);
  listed[1].rep = NULL;
  count = 1;
  CHECK_OK(syclze_device_get(platform, &count, listed));
  CHECK_EQ(count, 1);
  CHECK_EQ(listed[1].rep, NULL);
  count = 4;
  CHECK_OK(syclze_device_get_sub_devices(world.device, &count, listed));
  CHECK_EQ(count, 1);
  CHECK_EQ(listed[0].rep, world.sub_device.rep);
  count = 4;
  CHECK_OK(syclze_device_get_sub_devices(world.sub_device, &count, listed));
  CHECK_EQ(count, 1);
  CHECK_EQ(listed[0].rep, world.sub_sub_device.rep);
  count = 4;
  CHECK_OK(syclze_device_get_sub_devices(world.device2, &count, listed));
  CHECK_EQ(count, 0);
  world_end();
}

TEST(null_arguments_are_refused) {
  world_begin();
  syclze_device device = world.device, null = {0};
  syclze_platform platform = syclze_device_get_platform(device), no_platform = {0};
  uint32_t count = 0;
  CHECK_REFUSED(syclze_make_device(world.root, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_device", world.root);
  CHECK_REFUSED(syclze_make_device(NULL, &device), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_make_device", NULL);
  CHECK_EQ(device.rep, NULL);
  CHECK_REFUSED(syclze_device_get(no_platform, &count, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_device_get", NULL);
  CHECK_REFUSED(syclze_device_get(platform, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_get", NULL);
  CHECK_REFUSED(syclze_device_get_sub_devices(null, &count, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_device_get_sub_devices", NULL);
  CHECK_REFUSED(syclze_device_get_sub_devices(world.device, NULL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_device_get_sub_devices", NULL);
  world_end();
}

TEST(a_device_that_was_not_enumerated_is_refused) { // shows backend 32
  world_begin_bare();
  syclze_device device = {(struct syclze__device *)&world};
  ze_device_handle_t stranger = (ze_device_handle_t)(void *)&device;
  CHECK_REFUSED(syclze_make_device(stranger, &device), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_device", stranger);
  CHECK_EQ(device.rep, NULL);
  CHECK(strstr(notes.first.rule, "4.3") != NULL);
  world_end();
}

TEST(a_driver_without_devices_is_not_an_error) {
  fake_begin();
  ze_driver_handle_t empty = fake_driver();
  ze_device_handle_t handle = fake_device(fake_driver());
  syclze_platform platform;
  syclze_device device;
  uint32_t count = 3;
  CHECK_OK(syclze_make_platform(empty, &platform));
  CHECK_OK(syclze_device_get(platform, &count, &device));
  CHECK_EQ(count, 0);
  CHECK_OK(syclze_make_device(handle, &device));
  fake_end();
}

TEST(a_failing_driver_does_not_hide_others) {
  world_begin_bare();
  fake_break_driver(world.driver, ZE_RESULT_ERROR_DEVICE_LOST);
  syclze_device device;
  CHECK_OK(syclze_make_device(world.other_root, &device));
  CHECK_EQ(syclze_device_get_native(device), world.other_root);
  CHECK_REFUSED(syclze_make_device(world.root, &device), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_make_device", world.root);
  CHECK_EQ(device.rep, NULL);
  syclze_platform platform;
  uint32_t count = 4;
  CHECK_OK(syclze_make_platform(world.driver, &platform));
  CHECK_REFUSED(syclze_device_get(platform, &count, &device), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_device_get", world.driver);
  CHECK_EQ(count, 0);
  fake_break_driver(world.driver, ZE_RESULT_SUCCESS);
  CHECK_OK(syclze_make_device(world.sub_sub, &device));
  world_end();
}

TEST(devices_of_a_hidden_driver_are_found) {
  world_begin_bare();
  ze_device_handle_t hidden = fake_sub_device(fake_device(fake_hidden_driver()));
  CHECK_OK(syclze_init(0));
  syclze_device device;
  CHECK_OK(syclze_make_device(hidden, &device));
  CHECK_EQ(syclze_device_get_native(device), hidden);
  world_end();
}

TEST(a_failing_driver_does_not_suppress_hidden_drivers) {
  world_begin_bare();
  ze_device_handle_t hidden = fake_device(fake_hidden_driver());
  CHECK_OK(syclze_init(0));
  fake_break_driver(world.driver, ZE_RESULT_ERROR_DEVICE_LOST);
  syclze_device device;
  CHECK_OK(syclze_make_device(hidden, &device));
  CHECK_EQ(syclze_device_get_native(device), hidden);
  world_end();
}

TEST(devices_of_a_hidden_driver_are_refused_by_an_old_loader) {
  world_begin_bare();
  fake.old_loader = 1;
  ze_device_handle_t hidden = fake_device(fake_hidden_driver());
  syclze_device device;
  CHECK_REFUSED(syclze_make_device(hidden, &device), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_device", hidden);
  world_end();
}

TEST(a_driver_may_lack_sub_device_enumeration) {
  world_begin_bare();
  fake.no_sub_devices = 1;
  syclze_device device;
  CHECK_OK(syclze_make_device(world.root, &device));
  CHECK_REFUSED(syclze_make_device(world.sub, &device), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_device", world.sub);
  world_end();
}

TEST(failed_calls_are_passed_through_and_retried) {
  unsigned nth = 0;
  do {
    world_begin_bare();
    syclze_device device;
    fake_fail_nth_call(++nth, ZE_RESULT_ERROR_UNKNOWN);
    ze_result_t result = syclze_make_device(world.sub_sub, &device);
    CHECK_EQ(result, device.rep != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNKNOWN);
    enum fake_function failed = fake_failed_function();
    if (failed == FAKE_FUNCTION_COUNT) CHECK(device.rep != NULL);
    if (failed == FAKE_zeDriverGet) CHECK_EQ(device.rep, NULL);
    fake_fail_nth_call(0, ZE_RESULT_SUCCESS);
    CHECK_OK(syclze_make_device(world.sub_sub, &device));
    CHECK_EQ(syclze_device_get_native(device), world.sub_sub);
    CHECK_OK(syclze_make_device(world.other_root, &device));
    CHECK(nth < 100);
    world_end();
    if (failed == FAKE_FUNCTION_COUNT) break;
  } while (true);
  CHECK(nth > 8);
}

TEST(a_failed_allocation_leaves_no_partial_enumeration) {
  unsigned nth = 0;
  do {
    world_begin_bare();
    syclze_device device;
    memory_fail(++nth);
    ze_result_t result = syclze_make_device(world.sub_sub, &device);
    CHECK(result == ZE_RESULT_SUCCESS ||
          (memory_failed() && result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY));
    CHECK_EQ(device.rep != NULL, result == ZE_RESULT_SUCCESS);
    int failed = memory_failed();
    CHECK_OK(syclze_make_device(world.sub_sub, &device));
    uint32_t count = 0;
    CHECK_OK(syclze_device_get(syclze_device_get_platform(device), &count, NULL));
    CHECK_EQ(count, 2);
    world_end();
    if (!failed) break;
  } while (nth < 100);
  CHECK(nth > 8 && nth < 100);
}

TEST(retain_and_release_have_no_effect) {
  world_begin();
  syclze_device null = {0};
  for (int i = 0; i < 3; i++)
    CHECK_OK(syclze_device_release(world.device));
  CHECK_OK(syclze_device_retain(world.device));
  CHECK_OK(syclze_device_retain(null));
  CHECK_OK(syclze_device_release(null));
  CHECK_EQ(syclze_device_get_native(world.device), world.root);
  world_end();
}

TEST_MAIN(a_handle_makes_its_device, one_handle_is_one_device, sub_devices_have_their_parents,
    device_lists_hold_root_devices_and_direct_sub_devices, null_arguments_are_refused,
    a_device_that_was_not_enumerated_is_refused, a_driver_without_devices_is_not_an_error,
    a_failing_driver_does_not_hide_others, devices_of_a_hidden_driver_are_found,
    a_failing_driver_does_not_suppress_hidden_drivers,
    devices_of_a_hidden_driver_are_refused_by_an_old_loader,
    a_driver_may_lack_sub_device_enumeration, failed_calls_are_passed_through_and_retried,
    a_failed_allocation_leaves_no_partial_enumeration, retain_and_release_have_no_effect)
