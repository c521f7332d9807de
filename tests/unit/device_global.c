/* Variables of modules (device_global.h): what reaches the driver, and what it refuses. */
#include "support/world.h"
#include "syclze/device_global.h"
#include "tests/check.h"

static syclze_kernel_bundle bundle_of(const char *names) {
  const syclze_kernel_bundle_input input = {
      fake_module(world.native_context, names), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_kernel_bundle bundle;
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
  return bundle;
}

TEST(a_variable_is_found_by_its_name) { // shows memory 6
  world_begin();
  syclze_kernel_bundle bundle = bundle_of("counter table");
  void *pointer = NULL;
  size_t size = 0;
  CHECK_OK(syclze_device_global_find(bundle, "table", &pointer, &size));
  CHECK_EQ(fake_calls(FAKE_zeModuleGetGlobalPointer), 1);
  CHECK(pointer != NULL);
  CHECK_EQ(size, 8);
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  world_end();
}

TEST(failures_leave_no_pointer_and_no_size) { // shows memory 7
  world_begin();
  syclze_kernel_bundle bundle = bundle_of("counter");
  const ze_module_handle_t module = syclze_kernel_bundle_get_native(bundle).modules[0];
  void *pointer = &world;
  size_t size = 1;
  CHECK_REFUSED(syclze_device_global_find(bundle, "other", &pointer, &size),
      ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, "syclze_device_global_find", module);
  CHECK_EQ(pointer, NULL);
  CHECK_EQ(size, 0);
  CHECK_STR_EQ(notes.detail, "other");
  fake_fail(FAKE_zeModuleGetGlobalPointer, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_REFUSED(syclze_device_global_find(bundle, "counter", &pointer, &size),
      ZE_RESULT_ERROR_DEVICE_LOST, "syclze_device_global_find", module);
  CHECK_EQ(pointer, NULL);
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  world_end();
}

TEST_MAIN(a_variable_is_found_by_its_name, failures_leave_no_pointer_and_no_size)
