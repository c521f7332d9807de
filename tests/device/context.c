/* Contexts (4.3, 4.4): at least one device, all of one driver, and ownership of the handle. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#define FUNCTION "syclze_make_context"

TEST(a_transferred_context_is_destroyed_by_the_last_release) { // shows backend 36
  struct given g = given();
  ze_context_handle_t native = given_context(&g);
  syclze_device device = made_device(&g);
  syclze_context_input input = {.native_handle = native, .device_list = &device, .device_count = 1};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_retain(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_context(syclze_context_get_native(context));
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(spy_alive(SPY_CONTEXT), 1);
  given_end(&g);
}

TEST(a_kept_context_is_not_destroyed) { // shows backend 36
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  works_context(syclze_context_get_native(context));
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.context), 0);
  works_context(g.context);
  given_end(&g);
}

TEST(it_returns_its_devices_and_platform) { // shows backend 33
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_context_get_device_count(context), 1);
  CHECK_EQ(syclze_context_get_device(context, 0).rep, made_device(&g).rep);
  CHECK_EQ(syclze_platform_get_native(syclze_context_get_platform(context)), g.driver);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(get_native_makes_no_driver_calls) { // shows backend 78
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  unsigned calls = spy_calls();
  for (int i = 0; i < 100; i++)
    CHECK_EQ(syclze_get_native(context), g.context);
  CHECK_EQ(spy_calls(), calls);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(two_wrappers_may_share_one_kept_context) { // shows backend 75
  struct given g = given();
  syclze_context first = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_context second = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_context_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_get_native(second), g.context);
  works_context(syclze_context_get_native(second));
  CHECK_EQ(syclze_context_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.context), 0);
  given_end(&g);
}

TEST(a_context_without_a_device_is_refused) { // shows backend 34
  struct given g = given();
  syclze_device device = made_device(&g);
  syclze_context_input none = {.native_handle = g.context, .device_list = &device};
  syclze_context_input no_list = {.native_handle = g.context, .device_count = 1};
  syclze_context context;
  REFUSED(context, syclze_make_context(&none, &context), SYCLZE_RESULT_ERROR_INVALID, FUNCTION,
      "at least one device", g.context);
  REFUSED(context, syclze_make_context(&no_list, &context), SYCLZE_RESULT_ERROR_INVALID, FUNCTION,
      "at least one device", g.context);
  works_context(g.context);
  given_end(&g);
  CHECK_EQ(spy_destroys_of(g.context), 1);
}

TEST(a_null_handle_or_device_is_refused) {
  struct given g = given();
  syclze_device devices[2] = {made_device(&g), {0}};
  syclze_context_input no_handle = {.device_list = devices, .device_count = 1};
  syclze_context_input no_device = {
      .native_handle = g.context, .device_list = devices, .device_count = 2};
  syclze_context context;
  REFUSED(context, syclze_make_context(&no_handle, &context), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      FUNCTION, "null", NULL);
  REFUSED(context, syclze_make_context(&no_device, &context), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      FUNCTION, "a device of the context is null", g.context);
  REFUSED(context, syclze_make_context(NULL, &context), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      FUNCTION, "null", NULL);
  FAILED(syclze_make_context(&no_device, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION,
      "null", NULL);
  works_context(g.context);
  given_end(&g);
  CHECK_EQ(spy_destroys_of(g.context), 1);
}

TEST(an_invalid_ownership_is_refused) {
  struct given g = given();
  syclze_device device = made_device(&g);
  syclze_context_input input = {g.context, &device, 1, (syclze_ownership)2};
  syclze_context context;
  REFUSED(context, syclze_make_context(&input, &context), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      FUNCTION, "4.4", g.context);
  works_context(g.context);
  given_end(&g);
}

TEST(a_destroyed_context_is_refused) { // shows peers 1
  struct given g = given();
  given_needs_zecl(g.driver);
  syclze_device device = made_device(&g);
  syclze_context_input input = {
      .native_handle = given_context(&g), .device_list = &device, .device_count = 1};
  CHECK_EQ(zeContextDestroy(input.native_handle), ZE_RESULT_SUCCESS);
  syclze_context context;
  REFUSED(context, syclze_make_context(&input, &context), ZE_RESULT_ERROR_INVALID_ARGUMENT,
      FUNCTION, "zeContextGetStatus", input.native_handle);
  given_end(&g);
}

TEST(a_device_counts_once_however_often_the_list_has_it) { // shows promises 47
  struct given g = given();
  enum { MANY = 3 * SYCLZE__CONTEXT_DEVICES };
  syclze_device devices[MANY];
  for (int i = 0; i < MANY; i++)
    devices[i] = made_device(&g);
  syclze_context_input input = {g.context, devices, MANY, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  memset(devices, 0, sizeof devices);
  CHECK_EQ(syclze_context_get_device_count(context), 1);
  CHECK_EQ(syclze_context_get_device(context, 0).rep, made_device(&g).rep);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(a_transferred_context_is_destroyed_by_the_last_release, a_kept_context_is_not_destroyed,
    it_returns_its_devices_and_platform, get_native_makes_no_driver_calls,
    two_wrappers_may_share_one_kept_context, a_context_without_a_device_is_refused,
    a_null_handle_or_device_is_refused, an_invalid_ownership_is_refused,
    a_destroyed_context_is_refused, a_device_counts_once_however_often_the_list_has_it)
