/* Kernels with several drivers, where the loader translates handles. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DRIVERS", "2");
}

TEST(a_kernel_runs_on_each_driver) {
  ze_driver_handle_t drivers[2];
  uint32_t count = given_drivers(drivers, 2);
  given_needs_zecl(drivers[0]);
  CHECK_EQ(count, 2);
  for (int i = 0; i < 2; i++) {
    ze_device_handle_t device;
    given_devices(drivers[i], &device, 1);
    struct given g = given_on(drivers[i], device);
    given_kernel(&g, "tests/kernels/basic.spv", "iota");
    syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
    syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_TRANSFER);
    syclze_kernel kernel = made_kernel(bundle, g.kernel, context, SYCLZE_OWNERSHIP_TRANSFER);
    works_iota(&g, g.list, syclze_get_native(kernel));
    CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
    spy_check_order(g.kernel, g.module);
    CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
    given_end(&g);
  }
}

TEST(a_module_with_unresolved_imports_is_refused_on_each_driver) {
  ze_driver_handle_t drivers[2];
  uint32_t count = given_drivers(drivers, 2);
  given_needs_zecl(drivers[0]);
  CHECK_EQ(count, 2);
  for (int i = 0; i < 2; i++) {
    ze_device_handle_t device;
    given_devices(drivers[i], &device, 1);
    struct given g = given_on(drivers[i], device);
    g.module = given_module(&g, "tests/kernels/imports.spv");
    syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
    syclze_kernel_bundle_input input = {.native_handle = g.module};
    syclze_kernel_bundle bundle;
    REFUSED(bundle, syclze_make_kernel_bundle(&input, context, &bundle),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_make_kernel_bundle", "unresolved imports", g.module);
    CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
    given_end(&g);
  }
}

TEST_MAIN(a_kernel_runs_on_each_driver, a_module_with_unresolved_imports_is_refused_on_each_driver)
