/* Queries with the same result for all objects or devices: the backend (3.2) and the version, which
   Level Zero does not define (5). */
#include "support/zoo.h"
#include "tests/check.h"

TEST(every_kind_of_object_is_served_by_level_zero) { // shows backend 10
  zoo_begin();
  syclze_platform platform;
  CHECK_OK(syclze_make_platform(world.driver, &platform));
  syclze_backend answers[] = {syclze_platform_get_backend(platform),
      syclze_device_get_backend(world.device), syclze_context_get_backend(world.context),
      syclze_queue_get_backend((syclze_queue){NULL}),
      syclze_event_get_backend((syclze_event){NULL}), syclze_kernel_bundle_get_backend(zoo.bundle),
      syclze_kernel_get_backend((syclze_kernel){NULL}),
      syclze_buffer_get_backend((syclze_buffer){NULL}),
      syclze_image_get_backend((syclze_image){NULL})};
  for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++)
    CHECK_EQ(answers[i], SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO);
  zoo_end();
}

/* The default of a tagged input is Level Zero; other backends have other values. */
TEST(level_zero_is_in_the_enumeration_of_backends) { // shows backend 3
  syclze_backend_input input = {0};
  CHECK_EQ(input.backend, SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO);
  const syclze_backend others[] = {SYCLZE_BACKEND_OPENCL, SYCLZE_BACKEND_EXT_ONEAPI_CUDA,
      SYCLZE_BACKEND_EXT_ONEAPI_HIP, SYCLZE_BACKEND_EXT_ONEAPI_NATIVE_CPU};
  for (int i = 0; i < 4; i++) {
    CHECK(others[i] != SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO);
    for (int j = 0; j < i; j++)
      CHECK(others[i] != others[j]);
  }
}

TEST(the_backend_version_is_the_empty_string) { // shows backend 89
  world_begin();
  CHECK_STR_EQ(syclze_device_get_backend_version(world.device), "");
  CHECK_STR_EQ(syclze_device_get_backend_version(world.sub_device), "");
  world_end();
}

TEST_MAIN(every_kind_of_object_is_served_by_level_zero,
    level_zero_is_in_the_enumeration_of_backends, the_backend_version_is_the_empty_string)
