/* Images: refused inputs, ownership of the native image, created images. Releases under pending
   work are tested in memory_object.c. */
#include "support/world.h"
#include "tests/check.h"

static syclze_image_input input_of(ze_image_handle_t native) {
  syclze_image_input input = {0};
  input.native_handle = native;
  input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
  input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8;
  input.dimensions = 2;
  input.range[0] = 4;
  input.range[1] = 3;
  return input;
}

static syclze_image_input new_input(void) {
  return input_of(fake_image(world.native_context));
}

static void check_refused(syclze_image_input input, syclze_context context, ze_result_t code) {
  syclze_image image = {(struct syclze__image *)&input};
  CHECK_REFUSED(
      syclze_make_image(&input, context, &image), code, "syclze_make_image", input.native_handle);
  CHECK_EQ(image.rep, NULL);
  CHECK_REFUSED(syclze_image_create(context, world.device, &input, &image), code,
      "syclze_image_create", NULL);
  CHECK_EQ(image.rep, NULL);
}

TEST(transfer_destroys_once_after_the_last_reference) { // shows backend 67
  world_begin();
  syclze_image_input input = new_input();
  syclze_image image;
  CHECK_EQ(input.ownership, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_OK(syclze_make_image(&input, world.context, &image));
  CHECK_OK(syclze_image_retain(image));
  CHECK_OK(syclze_image_release(image));
  CHECK(fake_is_alive(input.native_handle));
  CHECK_OK(syclze_image_release(image));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  world_end();
}

TEST(keep_never_destroys) { // shows backend 68
  world_begin();
  syclze_image_input input = new_input();
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (int i = 0; i < 3; i++) {
    syclze_image image;
    CHECK_OK(syclze_make_image(&input, world.context, &image));
    CHECK_OK(syclze_image_release(image));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(an_image_keeps_its_context_and_range) { // shows backend 65
  for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
    world_begin();
    syclze_context context;
    CHECK_OK(syclze_context_create(&world.device, 1, &context));
    ze_context_handle_t native = syclze_context_get_native(context);
    syclze_image_input input = input_of(fake_image(native));
    input.dimensions = dimensions;
    input.range[2] = 2;
    syclze_image image;
    CHECK_OK(syclze_make_image(&input, context, &image));
    CHECK_OK(syclze_context_release(context));
    CHECK_EQ(syclze_context_get_native(syclze_image_get_context(image)), native);
    CHECK_EQ(syclze_image_get_dimensions(image), dimensions);
    for (uint32_t d = 0; d < 3; d++)
      CHECK_EQ(syclze_image_get_range(image, d), d < dimensions ? input.range[d] : 1);
    CHECK_OK(syclze_image_release(image));
    CHECK_EQ(fake_destroyed_as(input.native_handle), 1);
    CHECK_EQ(fake_destroyed_as(native), 2);
    world_end();
  }
}

TEST(null_arguments_are_refused) { // shows backend 66
  world_begin();
  syclze_image_input input = new_input(), without = input;
  syclze_context none = {0};
  syclze_device no_device = {0};
  syclze_image image = {(struct syclze__image *)&input}, null = {0};
  CHECK_REFUSED(syclze_make_image(NULL, world.context, &image),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_image", NULL);
  CHECK_EQ(image.rep, NULL);
  CHECK_REFUSED(syclze_make_image(&input, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_image", NULL);
  check_refused(input, none, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  without.native_handle = NULL;
  CHECK_REFUSED(syclze_make_image(&without, world.context, &image),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_image", NULL);
  CHECK_REFUSED(syclze_image_create(world.context, world.device, NULL, &image),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_image_create", NULL);
  CHECK_REFUSED(syclze_image_create(world.context, world.device, &input, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_image_create", NULL);
  CHECK_REFUSED(syclze_image_create(world.context, no_device, &input, &image),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_image_create", NULL);
  CHECK_OK(syclze_image_retain(null));
  CHECK_OK(syclze_image_release(null));
  fake_destroy(input.native_handle);
  world_end();
}

TEST(an_invalid_ownership_is_refused) {
  world_begin();
  syclze_image_input input = new_input();
  input.ownership = (syclze_ownership)2;
  syclze_image image;
  CHECK_REFUSED(syclze_make_image(&input, world.context, &image),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_make_image", input.native_handle);
  CHECK_EQ(image.rep, NULL);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(invalid_dimensions_and_ranges_are_refused) {
  world_begin();
  syclze_image_input good = new_input(), bad = good;
  bad.dimensions = 0;
  check_refused(bad, world.context, SYCLZE_RESULT_ERROR_INVALID);
  bad.dimensions = 4;
  check_refused(bad, world.context, SYCLZE_RESULT_ERROR_INVALID);
  for (uint32_t d = 0; d < 3; d++) {
    bad = good;
    bad.dimensions = 3;
    bad.range[2] = 2;
    bad.range[d] = 0;
    check_refused(bad, world.context, SYCLZE_RESULT_ERROR_INVALID);
  }
  bad = good;
  bad.range[1] = (size_t)UINT32_MAX + 1;
  check_refused(bad, world.context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(good.native_handle);
  world_end();
}

TEST(invalid_channels_are_refused) { // shows backend 64
  world_begin();
  syclze_image_input good = new_input(), bad = good;
  bad.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA;
  check_refused(bad, world.context, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  bad.chan_order = (syclze_image_channel_order)99;
  check_refused(bad, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  bad = good;
  bad.chan_type = (syclze_image_channel_type)99;
  check_refused(bad, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  fake_destroy(good.native_handle);
  world_end();
}

TEST(the_caller_keeps_the_handle_when_allocation_fails) {
  world_begin();
  syclze_image_input input = new_input();
  syclze_image image;
  world_use_up(SYCLZE__POOL_IMAGE);
  CHECK_REFUSED(syclze_make_image(&input, world.context, &image),
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_make_image", input.native_handle);
  CHECK_EQ(image.rep, NULL);
  world_use_up(SYCLZE__POOL_IMAGE);
  CHECK_FAILED(syclze_image_create(world.context, world.device, &input, &image),
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_image_create", NULL);
  CHECK_EQ(image.rep, NULL);
  CHECK_EQ(fake_calls(FAKE_zeImageDestroy), 1);
  CHECK_OK(syclze_make_image(&input, world.context, &image));
  CHECK_OK(syclze_image_release(image));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  world_end();
}

TEST(a_failed_destroy_is_reported_and_the_object_released) {
  world_begin();
  syclze_image_input input = new_input();
  syclze_image image;
  CHECK_OK(syclze_make_image(&input, world.context, &image));
  fake_fail(FAKE_zeImageDestroy, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(syclze_image_release(image), ZE_RESULT_ERROR_DEVICE_LOST, "syclze_image_release",
      input.native_handle);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(create_describes_the_image_to_the_driver) { // shows backend 65
  static const ze_image_type_t types[] = {ZE_IMAGE_TYPE_1D, ZE_IMAGE_TYPE_2D, ZE_IMAGE_TYPE_3D};
  world_begin();
  for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
    syclze_image_input input = input_of(NULL);
    input.dimensions = dimensions;
    input.range[2] = 2;
    input.ownership = (syclze_ownership)77; /* ignored */
    syclze_image image;
    CHECK_OK(syclze_image_create(world.context, world.sub_device, &input, &image));
    const ze_image_desc_t *desc = &fake_seen.image_desc;
    CHECK_EQ(fake_seen.context, world.native_context);
    CHECK_EQ(fake_seen.device, world.sub);
    CHECK_EQ(desc->type, types[dimensions - 1]);
    CHECK_EQ(desc->flags, ZE_IMAGE_FLAG_KERNEL_WRITE);
    CHECK_EQ(desc->width, 4);
    CHECK_EQ(desc->height, dimensions > 1 ? 3 : 1);
    CHECK_EQ(desc->depth, dimensions > 2 ? 2 : 1);
    CHECK_EQ(desc->format.layout, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8);
    CHECK_EQ(desc->format.type, ZE_IMAGE_FORMAT_TYPE_UINT);
    CHECK_OK(syclze_image_release(image));
    CHECK_EQ(fake_calls(FAKE_zeImageDestroy), dimensions);
  }
  world_end();
}

TEST(arrays_have_their_layers_behind_the_other_dimensions) { // shows host_data 16
  static const ze_image_type_t types[] = {ZE_IMAGE_TYPE_1DARRAY, ZE_IMAGE_TYPE_2DARRAY};
  world_begin();
  for (uint32_t dimensions = 1; dimensions <= 2; dimensions++) {
    syclze_image_input input = new_input();
    const size_t expected[3] = {4, dimensions == 1 ? 7 : 3, dimensions == 1 ? 1 : 7};
    syclze_image images[2];
    input.dimensions = dimensions;
    input.array_size = 7;
    CHECK_OK(syclze_make_image(&input, world.context, &images[0]));
    CHECK_OK(syclze_image_create(world.context, world.device, &input, &images[1]));
    CHECK_EQ(fake_seen.image_desc.type, types[dimensions - 1]);
    CHECK_EQ(fake_seen.image_desc.arraylevels, 7);
    CHECK_EQ(fake_seen.image_desc.width, 4);
    CHECK_EQ(fake_seen.image_desc.height, dimensions == 1 ? 1 : 3);
    CHECK_EQ(fake_seen.image_desc.depth, 1);
    for (int i = 0; i < 2; i++) {
      CHECK_EQ(syclze_image_get_array_size(images[i]), 7);
      CHECK_EQ(syclze_image_get_dimensions(images[i]), dimensions);
      for (uint32_t d = 0; d < 3; d++)
        CHECK_EQ(syclze_image_get_range(images[i], d), expected[d]);
      CHECK_OK(syclze_image_release(images[i]));
    }
    CHECK_EQ(fake_destroys(input.native_handle), 1);
  }
  syclze_image_input bad = new_input();
  bad.dimensions = 3;
  bad.range[2] = 2;
  bad.array_size = 2;
  check_refused(bad, world.context, SYCLZE_RESULT_ERROR_INVALID);
  bad.dimensions = 2;
  bad.range[0] = bad.range[1] = UINT32_MAX;
  bad.array_size = UINT32_MAX;
  check_refused(bad, world.context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(bad.native_handle);
  world_end();
}

TEST(create_refuses_other_devices_and_passes_failures_through) {
  world_begin();
  syclze_image_input input = input_of(NULL);
  syclze_image image = {(struct syclze__image *)&input};
  CHECK_REFUSED(syclze_image_create(world.context, world.device2, &input, &image),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_image_create", NULL);
  CHECK_EQ(image.rep, NULL);
  fake_fail(FAKE_zeImageCreate, 1, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  CHECK_REFUSED(syclze_image_create(world.context, world.device, &input, &image),
      ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "syclze_image_create", NULL);
  CHECK_EQ(image.rep, NULL);
  world_end();
}

TEST_MAIN_COLD_AND_WARM(transfer_destroys_once_after_the_last_reference, keep_never_destroys,
    an_image_keeps_its_context_and_range, null_arguments_are_refused,
    an_invalid_ownership_is_refused, invalid_dimensions_and_ranges_are_refused,
    invalid_channels_are_refused, the_caller_keeps_the_handle_when_allocation_fails,
    a_failed_destroy_is_reported_and_the_object_released, create_describes_the_image_to_the_driver,
    arrays_have_their_layers_behind_the_other_dimensions,
    create_refuses_other_devices_and_passes_failures_through)
