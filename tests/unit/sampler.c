/* Samplers: refused inputs, ownership of the native sampler, created samplers. Those that launches
   use are in device/sampler.c. */
#include "support/world.h"
#include "tests/check.h"

static syclze_sampler_input new_input(void) {
  const syclze_sampler_input input = {
      fake_sampler(world.native_context), SYCLZE_OWNERSHIP_TRANSFER};
  return input;
}

TEST(transfer_destroys_once_after_the_last_reference) { // shows host_data 17
  world_begin();
  const syclze_sampler_input input = new_input();
  syclze_sampler sampler;
  CHECK_OK(syclze_make_sampler(&input, world.context, &sampler));
  CHECK_EQ(syclze_sampler_get_native(sampler), input.native_handle);
  CHECK_EQ(syclze_sampler_get_context(sampler).rep, world.context.rep);
  CHECK_OK(syclze_sampler_retain(sampler));
  CHECK_OK(syclze_sampler_release(sampler));
  CHECK(fake_is_alive(input.native_handle));
  CHECK_OK(syclze_sampler_release(sampler));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  world_end();
}

TEST(keep_never_destroys) { // shows host_data 17
  world_begin();
  syclze_sampler_input input = new_input();
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (int i = 0; i < 3; i++) {
    syclze_sampler sampler;
    CHECK_OK(syclze_make_sampler(&input, world.context, &sampler));
    CHECK_OK(syclze_sampler_release(sampler));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(a_sampler_keeps_its_context) { // shows host_data 17
  world_begin();
  syclze_context context;
  CHECK_OK(syclze_context_create(&world.device, 1, &context));
  ze_context_handle_t native = syclze_context_get_native(context);
  const syclze_sampler_input input = {fake_sampler(native), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_sampler sampler;
  CHECK_OK(syclze_make_sampler(&input, context, &sampler));
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(syclze_context_get_native(syclze_sampler_get_context(sampler)), native);
  CHECK_OK(syclze_sampler_release(sampler));
  CHECK_EQ(fake_destroyed_as(input.native_handle), 1);
  CHECK_EQ(fake_destroyed_as(native), 2);
  world_end();
}

TEST(a_sampler_is_one_element_in_its_context) {
  world_begin();
  const syclze_sampler_input input = new_input();
  syclze_sampler sampler;
  CHECK_OK(syclze_make_sampler(&input, world.context, &sampler));
  const struct syclze__memory *memory = &sampler.rep->memory;
  CHECK(memory->range[0] == 1 && memory->range[1] == 1 && memory->range[2] == 1);
  CHECK_EQ(memory->required_in, world.context.rep);
  CHECK_OK(syclze_sampler_release(sampler));
  world_end();
}

TEST(null_arguments_and_unknown_values_are_refused) { // shows host_data 20
  world_begin();
  syclze_sampler_input input = new_input(), without = input, odd = input;
  const syclze_sampler_desc desc = {0};
  const syclze_context none = {0};
  const syclze_device no_device = {0};
  const char *const make = "syclze_make_sampler", *const create = "syclze_sampler_create";
  syclze_sampler sampler = {(struct syclze__sampler *)&input}, null = {0};
  CHECK_REFUSED(syclze_make_sampler(NULL, world.context, &sampler),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, make, NULL);
  CHECK_EQ(sampler.rep, NULL);
  CHECK_REFUSED(syclze_make_sampler(&input, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, make, NULL);
  CHECK_REFUSED(syclze_make_sampler(&input, none, &sampler), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      make, input.native_handle);
  without.native_handle = NULL;
  CHECK_REFUSED(syclze_make_sampler(&without, world.context, &sampler),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, make, NULL);
  odd.ownership = (syclze_ownership)2;
  CHECK_REFUSED(syclze_make_sampler(&odd, world.context, &sampler),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, make, input.native_handle);
  CHECK_REFUSED(syclze_sampler_create(world.context, world.device, NULL, &sampler),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, create, NULL);
  CHECK_REFUSED(syclze_sampler_create(world.context, world.device, &desc, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, create, NULL);
  CHECK_REFUSED(syclze_sampler_create(none, world.device, &desc, &sampler),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, create, NULL);
  CHECK_REFUSED(syclze_sampler_create(world.context, no_device, &desc, &sampler),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, create, NULL);
  CHECK_REFUSED(syclze_sampler_create(world.context, world.device2, &desc, &sampler),
      SYCLZE_RESULT_ERROR_INVALID, create, NULL);
  const syclze_sampler_desc unknown[] = {{.addressing = (syclze_addressing_mode)5},
      {.filtering = (syclze_filtering_mode)2}, {.coordinates = (syclze_coordinate_mode)2}};
  for (int i = 0; i < 3; i++)
    CHECK_REFUSED(syclze_sampler_create(world.context, world.device, &unknown[i], &sampler),
        ZE_RESULT_ERROR_INVALID_ENUMERATION, create, NULL);
  CHECK_EQ(sampler.rep, NULL);
  CHECK_OK(syclze_sampler_retain(null));
  CHECK_OK(syclze_sampler_release(null));
  CHECK(fake_is_alive(input.native_handle));
  fake_destroy(input.native_handle);
  world_end();
}

TEST(the_caller_keeps_the_handle_when_allocation_fails) { // shows host_data 20
  world_begin();
  const syclze_sampler_input input = new_input();
  const syclze_sampler_desc desc = {0};
  syclze_sampler sampler;
  world_use_up(SYCLZE__POOL_IMAGE);
  CHECK_REFUSED(syclze_make_sampler(&input, world.context, &sampler),
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_make_sampler", input.native_handle);
  world_use_up(SYCLZE__POOL_IMAGE);
  CHECK_FAILED(syclze_sampler_create(world.context, world.device, &desc, &sampler),
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_sampler_create", NULL);
  CHECK_EQ(sampler.rep, NULL);
  CHECK_EQ(fake_calls(FAKE_zeSamplerDestroy), 1);
  CHECK_OK(syclze_make_sampler(&input, world.context, &sampler));
  CHECK_OK(syclze_sampler_release(sampler));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  world_end();
}

TEST(a_failed_destroy_is_reported_and_the_object_released) { // shows host_data 20
  world_begin();
  const syclze_sampler_input input = new_input();
  syclze_sampler sampler;
  CHECK_OK(syclze_make_sampler(&input, world.context, &sampler));
  fake_fail(FAKE_zeSamplerDestroy, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(syclze_sampler_release(sampler), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_sampler_release", input.native_handle);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(create_describes_the_sampler_to_the_driver) { // shows host_data 18
  static const struct {
    syclze_sampler_desc desc;
    ze_sampler_address_mode_t address;
    ze_sampler_filter_mode_t filter;
    ze_bool_t normalized;
  } cases[] = {{{0}, ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_FILTER_MODE_NEAREST, 0},
      {{.addressing = SYCLZE_ADDRESSING_MODE_REPEAT,
           .coordinates = SYCLZE_COORDINATE_MODE_NORMALIZED},
          ZE_SAMPLER_ADDRESS_MODE_REPEAT, ZE_SAMPLER_FILTER_MODE_NEAREST, 1},
      {{.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE}, ZE_SAMPLER_ADDRESS_MODE_CLAMP,
          ZE_SAMPLER_FILTER_MODE_NEAREST, 0},
      {{.addressing = SYCLZE_ADDRESSING_MODE_CLAMP, .filtering = SYCLZE_FILTERING_MODE_LINEAR},
          ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, ZE_SAMPLER_FILTER_MODE_LINEAR, 0},
      {{.addressing = SYCLZE_ADDRESSING_MODE_MIRRORED_REPEAT}, ZE_SAMPLER_ADDRESS_MODE_MIRROR,
          ZE_SAMPLER_FILTER_MODE_NEAREST, 0}};
  world_begin();
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    syclze_sampler sampler;
    CHECK_OK(syclze_sampler_create(world.context, world.sub_device, &cases[i].desc, &sampler));
    CHECK_EQ(fake_seen.context, world.native_context);
    CHECK_EQ(fake_seen.device, world.sub);
    CHECK_EQ(fake_seen.sampler_desc.addressMode, cases[i].address);
    CHECK_EQ(fake_seen.sampler_desc.filterMode, cases[i].filter);
    CHECK_EQ(fake_seen.sampler_desc.isNormalized, cases[i].normalized);
    CHECK_OK(syclze_sampler_release(sampler));
    CHECK_EQ(fake_calls(FAKE_zeSamplerDestroy), i + 1);
  }
  world_end();
}

TEST(the_generic_forms_take_samplers) { // shows host_data 17
  world_begin();
  const syclze_sampler_input input = new_input();
  syclze_sampler sampler, scoped;
  CHECK_OK(syclze_make_native(&input, world.context, &sampler));
  CHECK_EQ(syclze_get_native(sampler), input.native_handle);
  CHECK_OK(syclze_retain(sampler));
  {
    syclze_scoped(sampler) held = sampler;
    scoped = syclze_sampler_take(&held);
    CHECK_EQ(held.rep, NULL);
  }
  CHECK_OK(syclze_release(scoped));
  CHECK_OK(syclze_release(sampler));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  world_end();
}

TEST_MAIN_COLD_AND_WARM(transfer_destroys_once_after_the_last_reference, keep_never_destroys,
    a_sampler_keeps_its_context, a_sampler_is_one_element_in_its_context,
    null_arguments_and_unknown_values_are_refused,
    the_caller_keeps_the_handle_when_allocation_fails,
    a_failed_destroy_is_reported_and_the_object_released,
    create_describes_the_sampler_to_the_driver, the_generic_forms_take_samplers)
