/* Platforms (4.3): the enumerated drivers, one object for each handle. */
#include "support/given.h"
#include "support/refused.h"
#include "support/spy.h"

/* Runs first, before any enumeration. */
TEST(a_driver_can_be_wrapped_before_any_enumeration) {
  ze_driver_handle_t driver;
  given_drivers(&driver, 1);
  syclze_platform platform;
  CHECK_EQ(syclze_make_platform(driver, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_platform_get_native(platform), driver);
}

TEST(the_platform_list_matches_the_drivers) {
  enum { MOST = 8 };
  ze_driver_handle_t drivers[MOST];
  syclze_platform platforms[MOST];
  uint32_t expected = given_drivers(drivers, MOST), count = 0;
  CHECK_EQ(syclze_platform_get(&count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, expected);
  CHECK_EQ(syclze_platform_get(&count, platforms), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, expected);
  for (uint32_t i = 0; i < count; i++)
    CHECK_EQ(syclze_platform_get_native(platforms[i]), drivers[i]);
}

TEST(the_same_handle_is_the_same_platform) { // shows backend 28
  ze_driver_handle_t driver;
  given_drivers(&driver, 1);
  syclze_platform enumerated, first, second;
  uint32_t count = 1;
  CHECK_EQ(syclze_platform_get(&count, &enumerated), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_platform(driver, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_native(driver, &second), ZE_RESULT_SUCCESS);
  CHECK_EQ(first.rep, enumerated.rep);
  CHECK_EQ(second.rep, enumerated.rep);
}

TEST(an_unknown_driver_is_refused) { // shows backend 29
  struct given g = given();
  syclze_platform platform;
  ze_driver_handle_t unknown = (ze_driver_handle_t)(void *)&g;
  REFUSED(platform, syclze_make_platform(unknown, &platform), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_platform", "4.3", unknown);
  unknown = (ze_driver_handle_t)(void *)g.device;
  REFUSED(platform, syclze_make_platform(unknown, &platform), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_platform", "one of those", unknown);
  CHECK_EQ(syclze_make_platform(g.driver, &platform), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(null_is_refused) {
  ze_driver_handle_t driver;
  given_drivers(&driver, 1);
  syclze_platform platform;
  REFUSED(platform, syclze_make_platform(NULL, &platform), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_make_platform", "null", NULL);
  FAILED(syclze_make_platform(driver, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_platform", "null", driver);
  FAILED(syclze_platform_get(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_platform_get", "null", NULL);
}

TEST(get_native_makes_no_driver_calls) {
  struct given g = given();
  syclze_platform platform;
  CHECK_EQ(syclze_make_platform(g.driver, &platform), ZE_RESULT_SUCCESS);
  unsigned calls = spy_calls();
  for (int i = 0; i < 100; i++)
    CHECK_EQ(syclze_get_native(platform), g.driver);
  CHECK_EQ(syclze_retain(platform), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_release(platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_calls(), calls);
  CHECK_EQ(syclze_get_native(platform), g.driver);
  ze_api_version_t version;
  CHECK_EQ(zeDriverGetApiVersion(syclze_get_native(platform), &version), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(a_driver_can_be_wrapped_before_any_enumeration, the_platform_list_matches_the_drivers,
    the_same_handle_is_the_same_platform, an_unknown_driver_is_refused, null_is_refused,
    get_native_makes_no_driver_calls)
