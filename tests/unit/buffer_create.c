/* Buffers that the library creates: where their memory is, failing calls, ends. Contents are tested
   in device/host_data.c. */
#include "support/memory.h"
#include "support/world.h"
#include "tests/check.h"
#include "syclze/buffer_create.h"

enum { SIZE = 64 };

static const syclze_buffer_desc plain = {.element_size = 4, .range = {SIZE / 4}};

static syclze_buffer_desc over(void *data) {
  syclze_buffer_desc desc = plain;
  desc.host_data = data;
  return desc;
}

TEST(a_device_of_its_own_memory_has_the_buffer_there) { // shows host_data 1
  world_begin();
  syclze_buffer buffer;
  CHECK_OK(syclze_buffer_create(world.context, &plain, &buffer));
  CHECK_EQ(fake_calls(FAKE_zeMemAllocDevice), 1);
  CHECK_EQ(fake_seen.size, SIZE);
  CHECK_EQ(fake_seen.device, world.root);
  CHECK_EQ(syclze_buffer_byte_size(buffer), SIZE);
  CHECK_EQ(syclze_buffer_get_context(buffer).rep, world.context.rep);
  CHECK_OK(syclze_buffer_retain(buffer));
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK_EQ(fake_all_destroys(), 0);
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK_EQ(fake_calls(FAKE_zeMemFree), 1);
  world_end();
}

TEST(a_device_is_asked_once_where_its_memory_is) {
  world_begin();
  syclze_buffer buffers[2];
  world.device.rep->is_integrated = 0;
  const unsigned before = fake_calls(FAKE_zeDeviceGetProperties);
  for (int i = 0; i < 2; i++)
    CHECK_OK(syclze_buffer_create(world.context, &plain, &buffers[i]));
  CHECK_EQ(fake_calls(FAKE_zeDeviceGetProperties) - before, 1);
  for (int i = 0; i < 2; i++)
    CHECK_OK(syclze_buffer_release(buffers[i]));
  world_end();
}

TEST(an_integrated_device_and_several_devices_have_it_in_host_memory) { // shows host_data 1
  world_begin();
  const syclze_device both[2] = {world.device, world.device2};
  syclze_context context = world_context(world.native_context, both, 2);
  syclze_buffer buffers[2];
  CHECK_OK(syclze_buffer_create(context, &plain, &buffers[0]));
  fake.integrated = 1;
  world.device.rep->is_integrated = 0;
  CHECK_OK(syclze_buffer_create(world.context, &plain, &buffers[1]));
  world.device.rep->is_integrated = 0;
  CHECK_EQ(fake_calls(FAKE_zeMemAllocHost), 2);
  CHECK_EQ(fake_calls(FAKE_zeMemAllocDevice), 0);
  for (int i = 0; i < 2; i++)
    CHECK_OK(syclze_buffer_release(buffers[i]));
  CHECK_OK(syclze_context_release(context));
  world_end();
}

TEST(data_of_the_host_that_the_device_can_access_are_the_memory) { // shows host_data 2
  world_begin();
  uint32_t data[SIZE / 4] = {0};
  const syclze_buffer_desc desc = over(data);
  syclze_buffer buffer;
  fake.system_memory = 1;
  CHECK_OK(syclze_buffer_create(world.context, &desc, &buffer));
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK_EQ(fake_calls(FAKE_zeMemAllocDevice) + fake_calls(FAKE_zeMemAllocHost), 0);
  CHECK_EQ(fake_calls(FAKE_zeMemFree), 0);
  world_end();
}

TEST(memory_of_the_driver_is_used_in_place_on_any_device) { // shows host_data 2
  world_begin();
  for (int i = 0; i < 3; i++) {
    void *memory = fake_allocation(world.native_context,
        i == 0 ? ZE_MEMORY_TYPE_HOST : ZE_MEMORY_TYPE_SHARED, i == 1 ? world.root : NULL, SIZE);
    const syclze_buffer_desc desc = over(memory);
    syclze_buffer buffer;
    CHECK_OK(syclze_buffer_create(world.context, &desc, &buffer));
    CHECK_OK(syclze_buffer_release(buffer));
    CHECK(fake_is_alive(memory));
    fake_destroy(memory);
  }
  CHECK_EQ(fake_calls(FAKE_zeMemAllocDevice), 0);
  world_end();
}

TEST(memory_of_a_device_is_no_data_of_the_host) {
  world_begin();
  void *memory = fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root, SIZE);
  const syclze_buffer_desc desc = over(memory);
  syclze_buffer buffer;
  CHECK_REFUSED(syclze_buffer_create(world.context, &desc, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_buffer_create", memory);
  CHECK_EQ(buffer.rep, NULL);
  fake_destroy(memory);
  world_end();
}

TEST(every_failing_call_of_a_creation_is_returned) { // shows host_data 7
  static const enum fake_function calls[] = {FAKE_zeDeviceGetProperties, FAKE_zeMemAllocDevice,
      FAKE_zeMemGetAllocProperties, FAKE_zeDeviceGetMemoryAccessProperties};
  uint32_t data[SIZE / 4] = {0};
  const syclze_buffer_desc descs[2] = {plain, over(data)};
  for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
    world_begin();
    syclze_buffer buffer;
    fake.system_memory = 1;
    fake_fail(calls[i], 1, ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK_REFUSED(syclze_buffer_create(world.context, &descs[i / 2], &buffer),
        ZE_RESULT_ERROR_DEVICE_LOST, "syclze_buffer_create", descs[i / 2].host_data);
    CHECK_EQ(buffer.rep, NULL);
    world_end();
  }
}

TEST(a_failing_allocation_of_a_creation_is_returned) {
  world_begin();
  syclze_buffer buffer;
  world_use_up(SYCLZE__POOL_BUFFER);
  memory_fail(1);
  CHECK_EQ(
      syclze_buffer_create(world.context, &plain, &buffer), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  memory_fail(0);
  CHECK_EQ(buffer.rep, NULL);
  CHECK_EQ(fake_calls(FAKE_zeMemFree), 1);
  world_end();
}

TEST(a_free_that_fails_is_returned) {
  world_begin();
  syclze_buffer buffer;
  CHECK_OK(syclze_buffer_create(world.context, &plain, &buffer));
  fake_fail(FAKE_zeMemFree, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  fake_forgive();
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_ERROR_DEVICE_LOST);
  world_end();
}

TEST_MAIN(a_device_of_its_own_memory_has_the_buffer_there,
    a_device_is_asked_once_where_its_memory_is,

    an_integrated_device_and_several_devices_have_it_in_host_memory,
    data_of_the_host_that_the_device_can_access_are_the_memory,
    memory_of_the_driver_is_used_in_place_on_any_device, memory_of_a_device_is_no_data_of_the_host,
    every_failing_call_of_a_creation_is_returned, a_failing_allocation_of_a_creation_is_returned,
    a_free_that_fails_is_returned)
