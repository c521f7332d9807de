/* Buffers: refused inputs, ranges, ownership of the memory. Releases under pending work are tested
   in memory_object.c. */
#include "support/world.h"
#include "tests/check.h"

static void *device_memory(size_t size) {
  return fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root, size);
}

static syclze_buffer_input input_of(void *memory) {
  syclze_buffer_input input = {0};
  input.native_handle = memory;
  return input;
}

static void check_refused(syclze_buffer_input input, syclze_context context, ze_result_t code) {
  syclze_buffer buffer = {(struct syclze__buffer *)&input};
  CHECK_REFUSED(syclze_make_buffer(&input, context, &buffer), code, "syclze_make_buffer",
      input.native_handle);
  CHECK_EQ(buffer.rep, NULL);
}

TEST(transfer_frees_once_after_the_last_reference) { // shows backend 61 83
  world_begin();
  syclze_buffer_input input = input_of(device_memory(64));
  syclze_buffer buffer;
  CHECK_EQ(input.ownership, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
  CHECK_OK(syclze_buffer_retain(buffer));
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK(fake_is_alive(input.native_handle));
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  CHECK_EQ(fake_calls(FAKE_zeMemFree), 1);
  world_end();
}

TEST(keep_never_frees) { // shows backend 61
  world_begin();
  syclze_buffer_input input = input_of(device_memory(64));
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (int i = 0; i < 3; i++) {
    syclze_buffer buffer;
    CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
    CHECK_OK(syclze_buffer_release(buffer));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(a_buffer_keeps_its_context) {
  world_begin();
  syclze_context context;
  CHECK_OK(syclze_context_create(&world.device, 1, &context));
  ze_context_handle_t native = syclze_context_get_native(context);
  syclze_buffer_input input =
      input_of(fake_allocation(native, ZE_MEMORY_TYPE_SHARED, world.root, 8));
  syclze_buffer buffer;
  CHECK_OK(syclze_make_buffer(&input, context, &buffer));
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(syclze_context_get_native(syclze_buffer_get_context(buffer)), native);
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK_EQ(fake_destroyed_as(input.native_handle), 1);
  CHECK_EQ(fake_destroyed_as(native), 2);
  world_end();
}

TEST(every_memory_type_is_accepted) { // shows backend 56
  static const ze_memory_type_t types[] = {
      ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_SHARED};
  world_begin();
  for (int i = 0; i < 3; i++)
    for (int of_device = 0; of_device < 2; of_device++) {
      syclze_buffer_input input = input_of(
          fake_allocation(world.native_context, types[i], of_device ? world.root : NULL, 8));
      syclze_buffer buffer;
      CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
      CHECK_OK(syclze_buffer_release(buffer));
    }
  world_end();
}

TEST(null_arguments_are_refused) {
  world_begin();
  syclze_buffer_input input = input_of(device_memory(8));
  syclze_context none = {0};
  syclze_buffer buffer = {(struct syclze__buffer *)&input}, null = {0};
  CHECK_REFUSED(syclze_make_buffer(NULL, world.context, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_buffer", NULL);
  CHECK_EQ(buffer.rep, NULL);
  CHECK_REFUSED(syclze_make_buffer(&input, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_buffer", NULL);
  check_refused(input, none, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(input_of(NULL), world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_OK(syclze_buffer_retain(null));
  CHECK_OK(syclze_buffer_release(null));
  fake_destroy(input.native_handle);
  world_end();
}

TEST(an_invalid_ownership_is_refused) {
  world_begin();
  syclze_buffer_input input = input_of(device_memory(8));
  input.ownership = (syclze_ownership)2;
  check_refused(input, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(a_context_of_several_devices_is_refused) { // shows backend 57
  world_begin();
  const syclze_device devices[] = {world.device, world.device2};
  syclze_context context = world_context(world.native_context, devices, 2);
  syclze_buffer_input input = input_of(device_memory(8));
  check_refused(input, context, SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(notes.first.rule, "4.3") != NULL);
  CHECK_OK(syclze_context_release(context));
  fake_destroy(input.native_handle);
  world_end();
}

TEST(memory_outside_the_context_is_refused) { // shows backend 56 58
  world_begin();
  ze_context_handle_t other = fake_context(world.driver);
  void *elsewhere = fake_allocation(other, ZE_MEMORY_TYPE_DEVICE, world.root, 8);
  void *of_device2 = fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root2, 8);
  void *mine = device_memory(64);
  int none;
  check_refused(input_of(elsewhere), world.context, SYCLZE_RESULT_ERROR_INVALID);
  check_refused(input_of(of_device2), world.context, SYCLZE_RESULT_ERROR_INVALID);
  check_refused(input_of(&none), world.context, SYCLZE_RESULT_ERROR_INVALID);
  check_refused(input_of((char *)mine + 16), world.context, SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(notes.first.rule, "4.3") != NULL);
  fake_destroy(elsewhere);
  fake_destroy(of_device2);
  fake_destroy(mine);
  fake_destroy(other);
  world_end();
}

TEST(driver_errors_are_passed_through) { // shows backend 58
  static const enum fake_function functions[] = {
      FAKE_zeMemGetAllocProperties, FAKE_zeMemGetAddressRange};
  world_begin();
  void *memory = device_memory(8);
  for (int i = 0; i < 2; i++) {
    fake_fail(functions[i], 1, ZE_RESULT_ERROR_DEVICE_LOST);
    check_refused(input_of(memory), world.context, ZE_RESULT_ERROR_DEVICE_LOST);
  }
  fake_destroy(memory);
  world_end();
}

TEST(ranges_have_defaults) { // shows backend 60
  world_begin();
  void *memory = device_memory(63);
  syclze_buffer_input input = input_of(memory);
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  syclze_buffer buffer;
  CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
  CHECK_EQ(syclze_buffer_get_dimensions(buffer), 1);
  CHECK_EQ(syclze_buffer_get_element_size(buffer), 1);
  CHECK_EQ(syclze_buffer_get_range(buffer, 0), 63);
  CHECK_EQ(syclze_buffer_get_range(buffer, 1), 1);
  CHECK_EQ(syclze_buffer_get_range(buffer, 2), 1);
  CHECK_EQ(syclze_buffer_byte_size(buffer), 63);
  CHECK_OK(syclze_buffer_release(buffer));
  input.element_size = 4;
  CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
  CHECK_EQ(syclze_buffer_get_range(buffer, 0), 15);
  CHECK_EQ(syclze_buffer_byte_size(buffer), 60);
  CHECK_OK(syclze_buffer_release(buffer));
  fake_destroy(memory);
  world_end();
}

TEST(ranges_must_match_the_allocation) { // shows backend 60
  static const struct {
    size_t element;
    uint32_t dimensions;
    size_t range[3];
    int fits;
  } cases[] = {{4, 1, {16, 0, 0}, 1}, {4, 1, {17, 0, 0}, 0}, {1, 1, {64, 9, 9}, 1},
      {4, 2, {4, 4, 0}, 1}, {4, 2, {4, 5, 0}, 0}, {4, 2, {5, 3, 0}, 1}, {4, 2, {4, 0, 0}, 0},
      {4, 2, {0, 4, 0}, 0}, {2, 3, {2, 4, 4}, 1}, {2, 3, {2, 4, 5}, 0}, {2, 3, {2, 4, 0}, 0},
      {65, 0, {0, 0, 0}, 0}, {64, 0, {0, 0, 0}, 1}, {65, 1, {1, 0, 0}, 0}, {1, 4, {1, 1, 1}, 0},
      {1, 2, {(size_t)1 << 63, 2, 0}, 0}, {SIZE_MAX, 1, {SIZE_MAX, 0, 0}, 0},
      {1, 3, {SIZE_MAX, SIZE_MAX, SIZE_MAX}, 0}, {1, 3, {1, SIZE_MAX, 2}, 0}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    world_begin();
    void *memory = device_memory(64);
    syclze_buffer_input input = input_of(memory);
    input.element_size = cases[i].element;
    input.dimensions = cases[i].dimensions;
    memcpy(input.range, cases[i].range, sizeof input.range);
    if (!cases[i].fits) {
      check_refused(input, world.context, SYCLZE_RESULT_ERROR_INVALID);
      fake_destroy(memory);
    } else {
      syclze_buffer buffer;
      CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
      CHECK(syclze_buffer_byte_size(buffer) <= 64);
      for (uint32_t d = 0; d < 3; d++)
        CHECK_EQ(syclze_buffer_get_range(buffer, d),
            d >= syclze_buffer_get_dimensions(buffer) || cases[i].range[d] == 0
                ? 1
                : cases[i].range[d]);
      CHECK_OK(syclze_buffer_release(buffer));
    }
    world_end();
  }
}

TEST(the_caller_keeps_the_handle_when_allocation_fails) {
  world_begin();
  syclze_buffer_input input = input_of(device_memory(8));
  syclze_buffer buffer;
  world_use_up(SYCLZE__POOL_BUFFER);
  check_refused(input, world.context, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  world_end();
}

TEST(a_failed_free_is_reported_and_the_object_released) {
  world_begin();
  syclze_buffer_input input = input_of(device_memory(8));
  syclze_buffer buffer;
  CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
  fake_fail(FAKE_zeMemFree, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(syclze_buffer_release(buffer), ZE_RESULT_ERROR_DEVICE_LOST, "syclze_buffer_release",
      input.native_handle);
  fake_destroy(input.native_handle);
  world_end();
}

TEST_MAIN_COLD_AND_WARM(transfer_frees_once_after_the_last_reference, keep_never_frees,
    a_buffer_keeps_its_context, every_memory_type_is_accepted, null_arguments_are_refused,
    an_invalid_ownership_is_refused, a_context_of_several_devices_is_refused,
    memory_outside_the_context_is_refused, driver_errors_are_passed_through, ranges_have_defaults,
    ranges_must_match_the_allocation, the_caller_keeps_the_handle_when_allocation_fails,
    a_failed_free_is_reported_and_the_object_released)
