/* Contexts: refused inputs, ownership of the handle, reference counts. */
#include "support/memory.h"
#include "support/world.h"
#include "tests/check.h"

static syclze_context_input input_of(
    ze_context_handle_t native, const syclze_device *devices, uint32_t count) {
  syclze_context_input input = {0};
  input.native_handle = native;
  input.device_list = devices;
  input.device_count = count;
  return input;
}

/* Checks that the input is refused and the handle stays with the caller. */
static void check_refused(syclze_context_input input, ze_result_t code) {
  syclze_context context = {(struct syclze__context *)&input};
  CHECK_REFUSED(
      syclze_make_context(&input, &context), code, "syclze_make_context", input.native_handle);
  CHECK_EQ(context.rep, NULL);
  if (input.native_handle != NULL) CHECK(fake_is_alive(input.native_handle));
}

TEST(transfer_destroys_once_after_the_last_reference) { // shows backend 36
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  syclze_context_input input = input_of(native, &world.device, 1);
  syclze_context context;
  CHECK_EQ(input.ownership, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_OK(syclze_make_context(&input, &context));
  CHECK_OK(syclze_context_retain(context));
  CHECK_OK(syclze_context_retain(context));
  CHECK_OK(syclze_context_release(context));
  CHECK_OK(syclze_context_release(context));
  CHECK(fake_is_alive(native));
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(fake_destroys(native), 1);
  world_end();
}

TEST(keep_never_destroys) { // shows backend 36
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  for (int i = 0; i < 3; i++) {
    syclze_context context = world_context(native, &world.device, 1);
    CHECK_OK(syclze_context_retain(context));
    CHECK_OK(syclze_context_release(context));
    CHECK_OK(syclze_context_release(context));
    CHECK(fake_is_alive(native));
  }
  CHECK_EQ(fake_calls(FAKE_zeContextDestroy), 0);
  fake_destroy(native);
  world_end();
}

TEST(the_native_handle_is_always_the_same) {
  world_begin();
  unsigned calls = fake_all_calls();
  for (int i = 0; i < 100; i++)
    CHECK_EQ(syclze_context_get_native(world.context), world.native_context);
  CHECK_EQ(fake_all_calls(), calls);
  CHECK_EQ(fake_all_destroys(), 0);
  world_end();
}

/* The devices of a list that names some of them twice: the first four. */
static uint32_t unique(uint32_t count) {
  return count < 4 ? count : 4;
}

TEST(devices_keep_their_order_and_none_is_there_twice) { // shows backend 33
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  const syclze_device all[] = {world.sub_device, world.device2, world.device, world.sub_sub_device,
      world.device, world.device2};
  for (uint32_t count = 1; count <= 6; count++) {
    syclze_device list[6];
    memcpy(list, all, sizeof all);
    syclze_context context = world_context(native, list, count);
    memset(list, 0, sizeof list);
    CHECK_EQ(syclze_context_get_device_count(context), unique(count));
    for (uint32_t i = 0; i < unique(count); i++)
      CHECK_EQ(syclze_context_get_device(context, i).rep, all[i].rep);
    CHECK_EQ(syclze_context_get_platform(context).rep, syclze_device_get_platform(all[0]).rep);
    CHECK_OK(syclze_context_release(context));
  }
  fake_destroy(native);
  world_end();
}

TEST(null_arguments_are_refused) {
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  syclze_context_input input = input_of(native, &world.device, 1);
  syclze_context context = world.context;
  CHECK_REFUSED(syclze_make_context(&input, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_context", NULL);
  CHECK_REFUSED(syclze_make_context(NULL, &context), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_context", NULL);
  CHECK_EQ(context.rep, NULL);
  check_refused(input_of(NULL, &world.device, 1), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  const syclze_device with_null[] = {world.device, {0}};
  check_refused(input_of(native, with_null, 2), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_OK(syclze_context_retain(context));
  CHECK_OK(syclze_context_release(context));
  fake_destroy(native);
  world_end();
}

TEST(a_context_without_devices_is_refused) { // shows backend 34
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  check_refused(input_of(native, &world.device, 0), SYCLZE_RESULT_ERROR_INVALID);
  check_refused(input_of(native, NULL, 0), SYCLZE_RESULT_ERROR_INVALID);
  check_refused(input_of(native, NULL, 1), SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(native);
  CHECK_EQ(fake_destroys(native), 1);
  world_end();
}

TEST(devices_of_two_drivers_are_refused) { // shows backend 35
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  const syclze_device mixed[] = {world.device, world.sub_device, world.other_device};
  check_refused(input_of(native, mixed, 3), SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(notes.first.rule, "4.3") != NULL);
  syclze_context_input input = input_of(native, mixed, 2);
  syclze_context context;
  CHECK_OK(syclze_make_context(&input, &context));
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(fake_destroys(native), 1);
  world_end();
}

/* In the memory of one that had more. */
TEST(a_context_has_the_devices_of_its_own_list_only) {
  world_begin();
  const syclze_device both[] = {world.device, world.device2};
  CHECK_OK(syclze_context_release(world_context(world.native_context, both, 2)));
  syclze_context context = world_context(world.native_context, &world.device, 1);
  void *memory = &memory;
  CHECK_REFUSED(syclze_malloc_device(8, world.device2, context, &memory),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_aligned_alloc_device", NULL);
  CHECK_EQ(memory, NULL);
  CHECK_OK(syclze_context_release(context));
  world_end();
}

TEST(an_invalid_ownership_is_refused) { // shows backend 36
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  syclze_context_input input = input_of(native, &world.device, 1);
  /* The next one needs no memory. */
  CHECK_OK(syclze_context_release(world_context(native, &world.device, 1)));
  input.ownership = (syclze_ownership)2;
  check_refused(input, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  input.ownership = (syclze_ownership)-1;
  check_refused(input, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  fake_destroy(native);
  world_end();
}

TEST(driver_errors_are_passed_through) {
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  fake_fail(FAKE_zeContextGetStatus, 1, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(input_of(native, &world.device, 1), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  fake_destroy(native);
  world_end();
}

TEST(a_lost_device_does_not_lose_the_handle) {
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  syclze_context_input input = input_of(native, &world.device, 1);
  syclze_context context;
  fake_fail(FAKE_zeContextGetStatus, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_OK(syclze_make_context(&input, &context));
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(fake_destroys(native), 1);
  world_end();
}

TEST(the_caller_keeps_the_handle_when_allocation_fails) {
  for (uint32_t count = 1; count <= 5; count += 4) {
    world_begin();
    const syclze_device devices[] = {
        world.device, world.device2, world.device, world.device2, world.device};
    ze_context_handle_t native = fake_context(world.driver);
    world_use_up(SYCLZE__POOL_CONTEXT);
    check_refused(input_of(native, devices, count), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    syclze_context_input input = input_of(native, devices, count);
    syclze_context context;
    CHECK_OK(syclze_make_context(&input, &context));
    CHECK_OK(syclze_context_release(context));
    CHECK_EQ(fake_destroys(native), 1);
    world_end();
  }
}

TEST(a_failed_destroy_is_reported_and_the_memory_freed) {
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  const syclze_device devices[] = {
      world.device, world.device2, world.device, world.device2, world.device};
  for (uint32_t count = 1; count <= 5; count += 4) {
    syclze_context_input input = input_of(native, devices, count);
    syclze_context context;
    CHECK_OK(syclze_make_context(&input, &context));
    fake_fail(FAKE_zeContextDestroy, 1, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
    CHECK_FAILED(syclze_context_release(context), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
        "syclze_context_release", native);
  }
  CHECK(fake_is_alive(native));
  fake_destroy(native);
  world_end();
}

TEST(create_makes_a_context_of_the_devices) {
  world_begin();
  const syclze_device devices[] = {
      world.device, world.device2, world.sub_device, world.sub_sub_device, world.device};
  for (uint32_t count = 1; count <= 5; count++) {
    syclze_context context;
    CHECK_OK(syclze_context_create(devices, count, &context));
    ze_context_handle_t native = syclze_context_get_native(context);
    CHECK(fake_is_alive(native));
    CHECK_EQ(syclze_context_get_device_count(context), unique(count));
    CHECK_OK(syclze_context_retain(context));
    CHECK_OK(syclze_context_release(context));
    CHECK(fake_is_alive(native));
    CHECK_OK(syclze_context_release(context));
    CHECK_EQ(fake_destroys(native), 1);
  }
  world_end();
}

TEST(create_refuses_what_make_refuses) {
  world_begin();
  const syclze_device mixed[] = {world.device, world.other_device}, null = {0};
  syclze_context context = world.context;
  CHECK_REFUSED(syclze_context_create(mixed, 2, &context), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_context_create", NULL);
  CHECK_EQ(context.rep, NULL);
  CHECK_REFUSED(syclze_context_create(mixed, 0, &context), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_context_create", NULL);
  CHECK_REFUSED(syclze_context_create(NULL, 1, &context), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_context_create", NULL);
  CHECK_REFUSED(syclze_context_create(&null, 1, &context), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_context_create", NULL);
  CHECK_REFUSED(syclze_context_create(mixed, 1, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_context_create", NULL);
  CHECK_EQ(fake_calls(FAKE_zeContextCreateEx), 0);
  world_end();
}

TEST_MAIN_COLD_AND_WARM(transfer_destroys_once_after_the_last_reference, keep_never_destroys,
    the_native_handle_is_always_the_same, devices_keep_their_order_and_none_is_there_twice,
    null_arguments_are_refused, a_context_without_devices_is_refused,
    devices_of_two_drivers_are_refused, an_invalid_ownership_is_refused,
    a_context_has_the_devices_of_its_own_list_only, driver_errors_are_passed_through,
    a_lost_device_does_not_lose_the_handle, the_caller_keeps_the_handle_when_allocation_fails,
    a_failed_destroy_is_reported_and_the_memory_freed, create_makes_a_context_of_the_devices,
    create_refuses_what_make_refuses)
