/* Pitched and bindless images: what the driver is given, and what is refused where it, or the
   loader, has no such images. */
#include "support/world.h"
#include "syclze/bindless_image.h"
#include "tests/check.h"

#define CREATE "syclze_image_create_extended"

enum { BINDLESS = 1, SAMPLED = 2, PITCH = 64 };

/* 5 pixels of 4 bytes. */
static syclze_image_input input_of(uint32_t dimensions) {
  syclze_image_input input = {0};
  input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
  input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8;
  input.dimensions = dimensions;
  input.range[0] = 5;
  input.range[1] = 3;
  input.range[2] = 2;
  return input;
}

static void *device_memory(void) {
  return fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root, 3 * PITCH);
}

TEST(memory_of_the_caller_has_the_pixels) { // shows host_data 21
  world_begin();
  const syclze_image_input input = input_of(2);
  void *memory = device_memory();
  size_t pitch = 0;
  CHECK_OK(syclze_image_get_row_pitch_for(world.context, world.device, 5, 3, 4, &pitch));
  CHECK_EQ(pitch, PITCH);
  const size_t pitches[] = {0, PITCH, 2 * PITCH};
  for (int i = 0; i < 3; i++) {
    const syclze_image_extension extension = {.memory = memory, .row_pitch = pitches[i]};
    syclze_image image;
    CHECK_OK(syclze_image_create_extended(world.context, world.device, &input, &extension, &image));
    CHECK_EQ(fake_seen.pitched_memory, memory);
    CHECK_EQ(fake_seen.custom_pitch, i == 2 ? 2 * PITCH : 0);
    CHECK_EQ(fake_seen.bindless_flags, 0);
    CHECK_OK(syclze_image_release(image));
    CHECK(fake_is_alive(memory));
  }
  CHECK_EQ(fake_calls(FAKE_zeImageDestroy), 3);
  fake_destroy(memory);
  world_end();
}

TEST(kernels_find_a_bindless_image_by_a_number) { // shows host_data 21
  world_begin();
  const syclze_sampler_desc linear = {.addressing = SYCLZE_ADDRESSING_MODE_REPEAT,
      .filtering = SYCLZE_FILTERING_MODE_LINEAR,
      .coordinates = SYCLZE_COORDINATE_MODE_NORMALIZED};
  void *memory = device_memory();
  for (int i = 0; i < 4; i++) {
    const syclze_image_input input = input_of(2);
    const syclze_image_extension extension = {
        .memory = i % 2 ? memory : NULL, .is_bindless = true, .sampler = i / 2 ? &linear : NULL};
    syclze_image image;
    uint64_t offset = 0;
    CHECK_OK(syclze_image_create_extended(world.context, world.device, &input, &extension, &image));
    CHECK_EQ(fake_seen.bindless_flags, i / 2 ? BINDLESS | SAMPLED : BINDLESS);
    CHECK_EQ(fake_seen.pitched_memory, extension.memory);
    CHECK_EQ(fake_seen.sampler_desc.addressMode,
        i / 2 ? ZE_SAMPLER_ADDRESS_MODE_REPEAT : ZE_SAMPLER_ADDRESS_MODE_NONE);
    CHECK_EQ(fake_seen.sampler_desc.isNormalized, i / 2);
    CHECK_OK(syclze_image_get_device_offset(image, &offset));
    CHECK(offset != 0);
    CHECK_OK(syclze_image_release(image));
  }
  fake_destroy(memory);
  world_end();
}

TEST(what_is_missing_is_named) { // shows host_data 21
  world_begin();
  const syclze_image_input input = input_of(2);
  const syclze_image_extension bindless = {.is_bindless = true},
                               pitched = {.memory = device_memory(), .row_pitch = PITCH};
  syclze_image image;
  uint64_t offset = 7;
  size_t pitch = 7;
  CHECK_OK(syclze_image_create(world.context, world.device, &input, &image));
  CHECK_FAILED(syclze_image_get_device_offset(image, &offset), ZE_RESULT_ERROR_INVALID_ARGUMENT,
      "syclze_image_get_device_offset", image.rep->memory.native);
  CHECK_EQ(offset, 0);
  SYCLZE__STATE.forked = 1; /* as in the child of a fork */
  CHECK_FAILED(syclze_image_get_device_offset(image, &offset), ZE_RESULT_ERROR_UNINITIALIZED,
      "syclze_image_get_device_offset", image.rep->memory.native);
  SYCLZE__STATE.forked = 0;
  fake.old_loader = 1;
  CHECK_FAILED(syclze_image_get_device_offset(image, &offset), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
      "syclze_image_get_device_offset", image.rep->memory.native);
  CHECK_OK(syclze_image_release(image));
  CHECK_FAILED(syclze_image_get_row_pitch_for(world.context, world.device, 5, 3, 4, &pitch),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_image_get_row_pitch_for", NULL);
  CHECK_EQ(pitch, 0);
  CHECK_FAILED(syclze_image_create_extended(world.context, world.device, &input, &pitched, &image),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, CREATE, NULL);
  fake.old_loader = 0;
  fake.no_bindless = 1;
  CHECK_FAILED(syclze_image_get_row_pitch_for(world.context, world.device, 5, 3, 4, &pitch),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_image_get_row_pitch_for", NULL);
  CHECK_FAILED(syclze_image_create_extended(world.context, world.device, &input, &bindless, &image),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, CREATE, NULL);
  CHECK_EQ(image.rep, NULL);
  CHECK_EQ(fake_calls(FAKE_zeImageCreate), 1);
  fake_destroy(pitched.memory);
  world_end();
}

TEST(wrong_arguments_are_refused) { // shows host_data 21
  world_begin();
  void *memory = device_memory();
  const syclze_sampler_desc plain = {0}, odd = {.filtering = (syclze_filtering_mode)9};
  const syclze_context none = {0};
  const syclze_image null = {0};
  const syclze_image_extension bindless = {.is_bindless = true};
  syclze_image_input array = input_of(2), flat = input_of(2);
  array.array_size = 3;
  const struct {
    syclze_image_input input;
    syclze_image_extension extension;
    ze_result_t code;
  } cases[] = {{flat, {0}, SYCLZE_RESULT_ERROR_INVALID},
      {flat, {.row_pitch = PITCH, .is_bindless = true}, SYCLZE_RESULT_ERROR_INVALID},
      {flat, {.memory = memory, .row_pitch = 19}, SYCLZE_RESULT_ERROR_INVALID},
      {flat, {.memory = memory, .sampler = &plain}, SYCLZE_RESULT_ERROR_INVALID},
      {flat, {.is_bindless = true, .sampler = &odd}, ZE_RESULT_ERROR_INVALID_ENUMERATION},
      {input_of(1), {.memory = memory}, SYCLZE_RESULT_ERROR_INVALID},
      {input_of(3), {.memory = memory}, SYCLZE_RESULT_ERROR_INVALID},
      {array, {.memory = memory}, SYCLZE_RESULT_ERROR_INVALID},
      {input_of(4), {.is_bindless = true}, SYCLZE_RESULT_ERROR_INVALID}};
  syclze_image image;
  uint64_t offset;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK_FAILED(syclze_image_create_extended(
                     world.context, world.device, &cases[i].input, &cases[i].extension, &image),
        cases[i].code, CREATE, NULL);
    CHECK_EQ(image.rep, NULL);
  }
  CHECK_REFUSED(syclze_image_create_extended(none, world.device, &flat, &bindless, &image),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, CREATE, NULL);
  CHECK_REFUSED(
      syclze_image_create_extended(world.context, world.device2, &flat, &bindless, &image),
      SYCLZE_RESULT_ERROR_INVALID, CREATE, NULL);
  CHECK_REFUSED(syclze_image_create_extended(world.context, world.device, &flat, NULL, &image),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, CREATE, NULL);
  CHECK_REFUSED(syclze_image_get_row_pitch_for(world.context, world.device, 5, 3, 4, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_image_get_row_pitch_for", NULL);
  CHECK_REFUSED(syclze_image_get_device_offset(null, &offset), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_image_get_device_offset", NULL);
  CHECK_EQ(fake_calls(FAKE_zeImageCreate), 0);
  fake_destroy(memory);
  world_end();
}

/* Each call fails once, also the queries before the image: its error is returned, and nothing is
   left. */
TEST(every_failing_call_is_returned) { // shows host_data 21
  unsigned failed = 0;
  for (unsigned n = 1;; n++) {
    world_begin();
    const syclze_image_input input = input_of(2);
    const syclze_image_extension extension = {
        .memory = device_memory(), .row_pitch = 2 * PITCH, .is_bindless = true};
    syclze_image image;
    uint64_t offset = 0;
    fake_fail_nth_call(n, ZE_RESULT_ERROR_DEVICE_LOST);
    ze_result_t result =
        syclze_image_create_extended(world.context, world.device, &input, &extension, &image);
    if (result == ZE_RESULT_SUCCESS) result = syclze_image_get_device_offset(image, &offset);
    const bool has_failed = fake_failed_function() != FAKE_FUNCTION_COUNT;
    fake_fail_nth_call(0, ZE_RESULT_SUCCESS);
    CHECK_EQ(result, has_failed ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS);
    if (image.rep != NULL) CHECK_OK(syclze_image_release(image));
    fake_destroy(extension.memory);
    world_end();
    if (!has_failed) break;
    failed++;
  }
  CHECK_EQ(failed, 5);
}

TEST_MAIN(memory_of_the_caller_has_the_pixels, kernels_find_a_bindless_image_by_a_number,
    what_is_missing_is_named, wrong_arguments_are_refused, every_failing_call_is_returned)
