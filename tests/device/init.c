/* Which drivers are initialised, and by what. Each case is a process of its own. */
#include "support/child.h"
#include "support/given.h"
#include "support/spy.h"
#include "syclze/syclze.h"
#include "tests/check.h"

#include <dlfcn.h>

/* The application has initialised Level Zero; what the library calls of it fails. */
static int wrap_without_zeInit(int argument) {
  (void)argument;
  ze_driver_handle_t driver;
  ze_device_handle_t handle;
  given_drivers(&driver, 1);
  given_devices(driver, &handle, 1);
  spy_fail_named("zeInit", ZE_RESULT_ERROR_UNKNOWN);
  syclze_platform platform;
  syclze_device device;
  uint32_t count = 0;
  CHECK_EQ(syclze_make_device(handle, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_platform(driver, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get_platform(device).rep, platform.rep);
  CHECK_EQ(syclze_platform_get(&count, NULL), ZE_RESULT_ERROR_UNKNOWN);
  return 0;
}

TEST(an_application_s_handles_are_wrapped_without_zeInit) { // shows promises 35
  in_child(wrap_without_zeInit, 0);
}

static int wrap_after_zeInitDrivers(int argument) {
  (void)argument;
  /* ze_init_driver_type_desc_t, for GPUs. */
  struct {
    uint32_t stype;
    const void *next;
    uint32_t flags;
  } desc = {0x00020021, NULL, 1};
  ze_result_t(ZE_APICALL * init)(uint32_t *, ze_driver_handle_t *, void *);
  void *address = dlsym(NULL, "zeInitDrivers");
  ze_driver_handle_t driver;
  ze_device_handle_t handle;
  uint32_t count = 1;
  memcpy(&init, &address, sizeof init);
  CHECK_EQ(init(&count, &driver, &desc), ZE_RESULT_SUCCESS);
  given_devices(driver, &handle, 1);
  syclze_device device;
  CHECK_EQ(syclze_make_device(handle, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get_native(device), handle);
  CHECK_EQ(syclze_platform_get_native(syclze_device_get_platform(device)), driver);
  return 0;
}

TEST(an_application_s_handles_are_wrapped_after_zeInitDrivers) { // shows promises 35
  if (dlsym(NULL, "zeInitDrivers") == NULL) SKIP("the loader has no zeInitDrivers");
  in_child(wrap_after_zeInitDrivers, 0);
}

static int enumerate_first(int argument) {
  (void)argument;
  syclze_platform platform;
  syclze_device device;
  uint32_t count = 1;
  CHECK_EQ(syclze_init(SYCLZE_INIT_FLAG_GPU), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_platform_get(&count, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  CHECK_EQ(syclze_device_get(platform, &count, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  given_environment("ONEAPI_DEVICE_SELECTOR", "cuda:*");
  count = 0;
  CHECK_EQ(syclze_platform_get(&count, NULL), ZE_RESULT_SUCCESS);
  CHECK(count != 0);
  count = 0;
  CHECK_EQ(syclze_device_get_selected(&count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 0);
  return 0;
}

TEST(enumeration_initialises_what_the_application_names) { // shows promises 35
  in_child(enumerate_first, 0);
}

TEST_MAIN(an_application_s_handles_are_wrapped_without_zeInit,
    an_application_s_handles_are_wrapped_after_zeInitDrivers,
    enumeration_initialises_what_the_application_names)
