/* Platforms: enumerated once, one object for each handle, never owned. */
#include "support/memory.h"
#include "support/world.h"
#include "tests/check.h"

TEST(a_driver_makes_its_platform) {
  world_begin_bare();
  syclze_platform platform;
  CHECK_OK(syclze_make_platform(world.driver, &platform));
  CHECK_EQ(syclze_platform_get_native(platform), world.driver);
  world_end();
}

TEST(wrapped_handles_initialise_no_driver) { // shows promises 35
  world_begin();
  syclze_platform platform;
  CHECK_OK(syclze_make_platform(world.other_driver, &platform));
  ze_driver_handle_t stranger = (ze_driver_handle_t)(void *)&platform;
  CHECK_REFUSED(syclze_make_platform(stranger, &platform), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_platform", stranger);
  CHECK_EQ(fake_calls(FAKE_zeInit), 0);
  CHECK_EQ(fake_calls(FAKE_zeInitDrivers), 0);
  world_end();
}

/* The device is found before the drivers behind its own are asked. */
TEST(the_devices_of_other_drivers_are_not_enumerated) { // shows promises 35
  world_begin_bare();
  fake_break_driver(world.other_driver, ZE_RESULT_ERROR_DEVICE_LOST);
  syclze_device device;
  CHECK_OK(syclze_make_device(world.sub_sub, &device));
  /* Two calls for the list of one driver. */
  CHECK_EQ(fake_calls(FAKE_zeDeviceGet), 2);
  world_end();
}

TEST(a_handle_before_the_initialisation_is_refused) { // shows promises 35
  world_begin_bare();
  fake.initialised = 0;
  syclze_platform platform;
  syclze_device device;
  CHECK_REFUSED(syclze_make_platform(world.driver, &platform), ZE_RESULT_ERROR_UNINITIALIZED,
      "syclze_make_platform", world.driver);
  CHECK(strstr(notes.first.rule, "zeInit or syclze_init must precede") != NULL);
  CHECK_REFUSED(syclze_make_device(world.root, &device), ZE_RESULT_ERROR_UNINITIALIZED,
      "syclze_make_device", world.root);
  CHECK(strstr(notes.first.rule, "zeInit or syclze_init must precede") != NULL);
  CHECK_OK(syclze_init(0));
  CHECK_OK(syclze_make_platform(world.driver, &platform));
  CHECK_OK(syclze_make_device(world.root, &device));
  world_end();
}

TEST(enumeration_initialises_the_drivers_of_gpus_once) { // shows promises 35
  world_begin_bare();
  uint32_t count = 0;
  for (int i = 0; i < 2; i++) {
    CHECK_OK(syclze_platform_get(&count, NULL));
    CHECK_EQ(fake_calls(FAKE_zeInit), 1);
    CHECK_EQ(fake_seen.init_flags, ZE_INIT_FLAG_GPU_ONLY);
    CHECK_EQ(fake_seen.init_drivers_flags, 1);
  }
  world_end();
}

TEST(the_types_of_drivers_are_the_applications) { // shows promises 35
  static const struct {
    uint32_t flags, of_init, of_init_drivers;
  } cases[] = {{0, 1, 1}, {SYCLZE_INIT_FLAG_GPU, 1, 1}, {SYCLZE_INIT_FLAG_NPU, 2, 2},
      {SYCLZE_INIT_FLAG_GPU | SYCLZE_INIT_FLAG_NPU, 0, 3}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    world_begin_bare();
    CHECK_OK(syclze_init(cases[i].flags));
    CHECK_EQ(fake_seen.init_flags, cases[i].of_init);
    CHECK_EQ(fake_seen.init_drivers_flags, cases[i].of_init_drivers);
    uint32_t count = 0;
    CHECK_OK(syclze_platform_get(&count, NULL));
    CHECK_EQ(count, 2);
    CHECK_EQ(fake_calls(FAKE_zeInit), 1);
    CHECK_REFUSED(syclze_init(4), ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_init", NULL);
    CHECK_EQ(fake_calls(FAKE_zeInit), 1);
    world_end();
  }
}

TEST(a_later_initialisation_adds_platforms) { // shows promises 35
  world_begin_bare();
  syclze_platform listed[4] = {{NULL}}, first;
  uint32_t count = 4;
  CHECK_OK(syclze_make_platform(world.other_driver, &first));
  CHECK_OK(syclze_platform_get(&count, listed));
  CHECK_EQ(count, 2);
  ze_driver_handle_t hidden = fake_hidden_driver(), late = fake_driver();
  CHECK_OK(syclze_init(SYCLZE_INIT_FLAG_NPU));
  count = 4;
  CHECK_OK(syclze_platform_get(&count, listed));
  CHECK_EQ(count, 4);
  CHECK_EQ(listed[1].rep, first.rep);
  CHECK_EQ(syclze_platform_get_native(listed[0]), world.driver);
  CHECK_EQ(syclze_platform_get_native(listed[2]), late);
  CHECK_EQ(syclze_platform_get_native(listed[3]), hidden);
  world_end();
}

TEST(one_driver_is_one_platform) { // shows backend 28
  world_begin_bare();
  syclze_platform first, second, other, listed[3];
  uint32_t count = 3;
  CHECK_OK(syclze_make_platform(world.driver, &first));
  CHECK_OK(syclze_make_platform(world.other_driver, &other));
  CHECK_OK(syclze_init(0));
  unsigned calls = fake_all_calls();
  CHECK_OK(syclze_make_platform(world.driver, &second));
  CHECK_OK(syclze_platform_get(&count, listed));
  CHECK_EQ(fake_all_calls(), calls);
  CHECK_EQ(first.rep, second.rep);
  CHECK(first.rep != other.rep);
  CHECK_EQ(count, 2);
  CHECK_EQ(listed[0].rep, first.rep);
  CHECK_EQ(listed[1].rep, other.rep);
  world_end();
}

TEST(the_list_is_counted_and_truncated) {
  world_begin_bare();
  uint32_t count = 0;
  CHECK_OK(syclze_platform_get(&count, NULL));
  CHECK_EQ(count, 2);
  syclze_platform listed[2] = {{0}, {0}};
  count = 1;
  CHECK_OK(syclze_platform_get(&count, listed));
  CHECK_EQ(count, 1);
  CHECK_EQ(syclze_platform_get_native(listed[0]), world.driver);
  CHECK_EQ(listed[1].rep, NULL);
  count = 5;
  CHECK_OK(syclze_platform_get(&count, NULL));
  CHECK_EQ(count, 2);
  count = 0;
  CHECK_OK(syclze_platform_get(&count, listed));
  CHECK_EQ(count, 2);
  CHECK_EQ(listed[1].rep, NULL);
  world_end();
}

TEST(no_drivers_is_not_an_error) { // shows backend 2
  fake_begin();
  uint32_t count = 7;
  CHECK_OK(syclze_platform_get(&count, NULL));
  CHECK_EQ(count, 0);
  fake_end();
}

TEST(null_arguments_are_refused) {
  world_begin_bare();
  syclze_platform platform = {(struct syclze__platform *)&world};
  CHECK_REFUSED(syclze_make_platform(world.driver, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_platform", world.driver);
  CHECK_REFUSED(syclze_make_platform(NULL, &platform), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_make_platform", NULL);
  CHECK_EQ(platform.rep, NULL);
  CHECK_REFUSED(syclze_platform_get(NULL, &platform), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_platform_get", NULL);
  world_end();
}

TEST(a_driver_that_was_not_enumerated_is_refused) { // shows backend 29
  world_begin_bare();
  syclze_platform platform = {(struct syclze__platform *)&world};
  ze_driver_handle_t stranger = (ze_driver_handle_t)(void *)&platform;
  CHECK_REFUSED(syclze_make_platform(stranger, &platform), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_platform", stranger);
  CHECK_EQ(platform.rep, NULL);
  CHECK(strstr(notes.first.rule, "4.3") != NULL);
  world_end();
}

TEST(a_hidden_driver_is_found_by_a_newer_loader) {
  world_begin_bare();
  ze_driver_handle_t hidden = fake_hidden_driver();
  syclze_platform platform, again, first, after;
  CHECK_OK(syclze_make_platform(world.driver, &first));
  CHECK_REFUSED(syclze_make_platform(hidden, &platform), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_platform", hidden);
  CHECK_OK(syclze_init(SYCLZE_INIT_FLAG_NPU));
  CHECK_OK(syclze_make_platform(hidden, &platform));
  CHECK_EQ(syclze_platform_get_native(platform), hidden);
  unsigned calls = fake_all_calls();
  CHECK_OK(syclze_make_platform(hidden, &again));
  CHECK_OK(syclze_make_platform(world.driver, &after));
  CHECK_EQ(fake_all_calls(), calls);
  CHECK_EQ(again.rep, platform.rep);
  CHECK_EQ(after.rep, first.rep);
  uint32_t count = 0;
  CHECK_OK(syclze_platform_get(&count, NULL));
  CHECK_EQ(count, 3);
  world_end();
}

/* 4.3: make_platform returns an enumerated platform, of which there is a fixed number. */
TEST(the_number_of_platforms_is_fixed) { // shows backend 28
  world_begin_bare();
  ze_driver_handle_t hidden = fake_hidden_driver();
  uint32_t before = 0, after = 0;
  syclze_platform platform;
  CHECK_OK(syclze_platform_get(&before, NULL));
  CHECK_OK(syclze_make_platform(hidden, &platform));
  CHECK_OK(syclze_platform_get(&after, NULL));
  CHECK_EQ(before, after);
  world_end();
}

TEST(a_hidden_driver_is_refused_by_an_old_loader) {
  world_begin_bare();
  fake.old_loader = 1;
  ze_driver_handle_t hidden = fake_hidden_driver();
  syclze_platform platform;
  CHECK_OK(syclze_init(SYCLZE_INIT_FLAG_NPU));
  CHECK_REFUSED(syclze_make_platform(hidden, &platform), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_platform", hidden);
  CHECK_EQ(platform.rep, NULL);
  CHECK_EQ(fake_calls(FAKE_zeInitDrivers), 0);
  world_end();
}

TEST(hidden_drivers_alone_are_found) {
  fake_begin();
  ze_driver_handle_t hidden = fake_hidden_driver();
  syclze_platform platform;
  CHECK_OK(syclze_init(0));
  CHECK_OK(syclze_make_platform(hidden, &platform));
  CHECK_EQ(syclze_platform_get_native(platform), hidden);
  fake_end();
}

TEST(driver_lists_longer_than_one_call_are_read_in_full) {
  fake_begin();
  enum { MANY = 70 };
  ze_driver_handle_t drivers[MANY];
  syclze_platform platform;
  for (int i = 0; i < MANY; i++)
    drivers[i] = fake_driver();
  for (int i = 0; i < MANY; i++) {
    CHECK_OK(syclze_make_platform(drivers[i], &platform));
    CHECK_EQ(syclze_platform_get_native(platform), drivers[i]);
  }
  fake_end();
}

TEST(a_failed_enumeration_is_passed_through_and_retried) { // shows backend 2
  static const enum fake_function functions[] = {FAKE_zeInit, FAKE_zeDriverGet, FAKE_zeDriverGet};
  for (unsigned i = 0; i < 3; i++) {
    world_begin_bare();
    syclze_platform platform;
    uint32_t count = 9;
    if (i > 0) {
      fake_fail(functions[i], i, ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
      CHECK_REFUSED(syclze_make_platform(world.driver, &platform),
          ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "syclze_make_platform", world.driver);
      CHECK_EQ(platform.rep, NULL);
    }
    fake_fail(functions[i], i < 2 ? 1 : 2, ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
    CHECK_REFUSED(syclze_platform_get(&count, NULL), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE,
        "syclze_platform_get", NULL);
    CHECK_EQ(count, 0);
    CHECK_OK(syclze_make_platform(world.driver, &platform));
    world_end();
  }
}

TEST(a_failing_hidden_enumeration_does_not_fail_the_visible_one) {
  for (unsigned nth = 1; nth <= 2; nth++) {
    world_begin_bare();
    ze_driver_handle_t hidden = fake_hidden_driver();
    syclze_platform platform;
    fake_fail(FAKE_zeInitDrivers, nth, ZE_RESULT_ERROR_UNKNOWN);
    CHECK_OK(syclze_init(0));
    CHECK_REFUSED(syclze_make_platform(hidden, &platform), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_make_platform", hidden);
    CHECK_OK(syclze_make_platform(world.driver, &platform));
    uint32_t count = 0;
    CHECK_OK(syclze_platform_get(&count, NULL));
    CHECK_EQ(count, 2);
    world_end();
  }
}

TEST(a_failed_allocation_leaves_no_partial_enumeration) {
  unsigned nth = 0;
  int failed;
  do {
    world_begin_bare();
    syclze_platform platform;
    memory_fail(++nth);
    ze_result_t result = syclze_make_platform(world.other_driver, &platform);
    failed = memory_failed();
    memory_fail(0);
    CHECK_EQ(result, failed ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS);
    CHECK_EQ(platform.rep == NULL, failed);
    CHECK_OK(syclze_make_platform(world.driver, &platform));
    uint32_t count = 0;
    CHECK_OK(syclze_platform_get(&count, NULL));
    CHECK_EQ(count, 2);
    world_end();
  } while (failed);
  CHECK_EQ(nth, 4);
}

TEST(retain_and_release_have_no_effect) {
  world_begin_bare();
  syclze_platform platform, null = {0};
  CHECK_OK(syclze_make_platform(world.driver, &platform));
  for (int i = 0; i < 3; i++)
    CHECK_OK(syclze_platform_release(platform));
  CHECK_OK(syclze_platform_retain(platform));
  CHECK_OK(syclze_platform_retain(null));
  CHECK_OK(syclze_platform_release(null));
  CHECK_EQ(syclze_platform_get_native(platform), world.driver);
  world_end();
}

TEST_MAIN(a_driver_makes_its_platform, wrapped_handles_initialise_no_driver,
    the_devices_of_other_drivers_are_not_enumerated, a_handle_before_the_initialisation_is_refused,
    enumeration_initialises_the_drivers_of_gpus_once, the_types_of_drivers_are_the_applications,
    a_later_initialisation_adds_platforms, one_driver_is_one_platform,
    the_list_is_counted_and_truncated, no_drivers_is_not_an_error, null_arguments_are_refused,
    a_driver_that_was_not_enumerated_is_refused, a_hidden_driver_is_found_by_a_newer_loader,
    the_number_of_platforms_is_fixed, a_hidden_driver_is_refused_by_an_old_loader,
    hidden_drivers_alone_are_found, driver_lists_longer_than_one_call_are_read_in_full,
    a_failed_enumeration_is_passed_through_and_retried,
    a_failing_hidden_enumeration_does_not_fail_the_visible_one,
    a_failed_allocation_leaves_no_partial_enumeration, retain_and_release_have_no_effect)
