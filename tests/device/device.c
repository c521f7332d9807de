/* Devices (4.3): the enumerated ones, one object for each handle. */
#include "support/given.h"
#include "support/refused.h"
#include "support/spy.h"

/* Runs first, before any enumeration. */
TEST(a_device_can_be_wrapped_before_any_enumeration) {
  struct given g = given();
  syclze_device device;
  CHECK_EQ(syclze_make_device(g.device, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get_native(device), g.device);
  CHECK_EQ(syclze_platform_get_native(syclze_device_get_platform(device)), g.driver);
  CHECK(syclze_device_get_parent(device).rep == NULL);
  given_end(&g);
}

TEST(the_device_list_matches_the_driver) {
  enum { MOST = 8 };
  ze_driver_handle_t driver;
  ze_device_handle_t handles[MOST];
  given_drivers(&driver, 1);
  uint32_t expected = given_devices(driver, handles, MOST), count = 0;
  syclze_platform platform;
  syclze_device devices[MOST];
  CHECK_EQ(syclze_make_platform(driver, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get(platform, &count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, expected);
  CHECK_EQ(syclze_device_get(platform, &count, devices), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, expected);
  for (uint32_t i = 0; i < count; i++) {
    syclze_device made;
    CHECK_EQ(syclze_make_device(handles[i], &made), ZE_RESULT_SUCCESS);
    CHECK_EQ(made.rep, devices[i].rep);
    CHECK_EQ(syclze_device_get_native(devices[i]), handles[i]);
    CHECK_EQ(syclze_device_get_platform(devices[i]).rep, platform.rep);
  }
}

TEST(the_same_handle_is_the_same_device) { // shows backend 30
  struct given g = given();
  syclze_device first, second;
  CHECK_EQ(syclze_make_device(g.device, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_native(g.device, &second), ZE_RESULT_SUCCESS);
  CHECK_EQ(first.rep, second.rep);
  given_end(&g);
}

TEST(an_unknown_device_is_refused) { // shows backend 32
  struct given g = given();
  syclze_device device;
  ze_device_handle_t unknown = (ze_device_handle_t)(void *)&g;
  REFUSED(device, syclze_make_device(unknown, &device), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_device", "4.3", unknown);
  unknown = (ze_device_handle_t)(void *)g.driver;
  REFUSED(device, syclze_make_device(unknown, &device), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_device", "one of those", unknown);
  CHECK_EQ(syclze_make_device(g.device, &device), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(null_is_refused) {
  struct given g = given();
  syclze_device device;
  syclze_platform no_platform = {0};
  syclze_device no_device = {0};
  uint32_t count = 0;
  REFUSED(device, syclze_make_device(NULL, &device), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_make_device", "null", NULL);
  FAILED(syclze_make_device(g.device, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_device", "null", g.device);
  FAILED(syclze_device_get(no_platform, &count, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_device_get", "null", NULL);
  FAILED(syclze_device_get_sub_devices(no_device, &count, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_device_get_sub_devices", "null", NULL);
  CHECK_EQ(syclze_make_device(g.device, &device), ZE_RESULT_SUCCESS);
  FAILED(syclze_device_get_sub_devices(device, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_get_sub_devices", "null", NULL);
  given_end(&g);
}

TEST(get_native_makes_no_driver_calls) {
  struct given g = given();
  syclze_device device;
  CHECK_EQ(syclze_make_device(g.device, &device), ZE_RESULT_SUCCESS);
  unsigned calls = spy_calls();
  for (int i = 0; i < 100; i++)
    CHECK_EQ(syclze_get_native(device), g.device);
  CHECK_EQ(syclze_retain(device), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_release(device), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_calls(), calls);
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  CHECK_EQ(zeDeviceGetProperties(syclze_get_native(device), &properties), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(a_device_can_be_wrapped_before_any_enumeration, the_device_list_matches_the_driver,
    the_same_handle_is_the_same_device, an_unknown_device_is_refused, null_is_refused,
    get_native_makes_no_driver_calls)
