/* Kernels (4.3, 4.4) of a bundle of one module. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#define FUNCTION "syclze_make_kernel"

/* A wrapped context and module, both kept, and an unwrapped kernel of the module. */
struct kernel_case {
  struct given g;
  syclze_context context;
  syclze_kernel_bundle bundle;
};

static struct kernel_case begin(void) {
  struct kernel_case c = {.g = given()};
  given_kernel(&c.g, "tests/kernels/basic.spv", "iota");
  c.context = made_context(&c.g, SYCLZE_OWNERSHIP_KEEP);
  c.bundle = made_kernel_bundle(c.context, c.g.module, SYCLZE_OWNERSHIP_KEEP);
  return c;
}

static void end(struct kernel_case *c) {
  CHECK_EQ(syclze_kernel_bundle_release(c->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(c->context), ZE_RESULT_SUCCESS);
  given_end(&c->g);
}

TEST(a_transferred_kernel_is_destroyed_by_the_last_release) { // shows backend 55
  struct kernel_case c = begin();
  syclze_kernel_input input = {.kernel_bundle = c.bundle, .native_handle = c.g.kernel};
  syclze_kernel kernel;
  CHECK_EQ(syclze_make_native(&input, c.context, &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_retain(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_iota(&c.g, c.g.list, syclze_kernel_get_native(kernel));
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(c.g.kernel), 1);
  CHECK_EQ(spy_destroys_of(c.g.module), 0);
  end(&c);
}

TEST(a_kept_kernel_is_not_destroyed) { // shows backend 55
  struct kernel_case c = begin();
  syclze_kernel kernel = made_kernel(c.bundle, c.g.kernel, c.context, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_iota(&c.g, c.g.list, c.g.kernel);
  end(&c);
}

TEST(get_native_makes_no_driver_calls) { // shows backend 78
  struct kernel_case c = begin();
  syclze_kernel kernel = made_kernel(c.bundle, c.g.kernel, c.context, SYCLZE_OWNERSHIP_KEEP);
  unsigned calls = spy_calls();
  for (int i = 0; i < 100; i++)
    CHECK_EQ(syclze_get_native(kernel), c.g.kernel);
  CHECK_EQ(syclze_kernel_get_kernel_bundle(kernel).rep, c.bundle.rep);
  CHECK_EQ(syclze_kernel_get_context(kernel).rep, c.context.rep);
  CHECK_EQ(spy_calls(), calls);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  end(&c);
}

TEST(every_kernel_of_the_module_is_accepted) {
  static const char *const names[] = {"axpy", "iota", "nothing", "local_sum", "where"};
  struct kernel_case c = begin();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    syclze_kernel kernel = made_kernel(
        c.bundle, given_kernel_of(c.g.module, names[i]), c.context, SYCLZE_OWNERSHIP_TRANSFER);
    CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(spy_alive(SPY_KERNEL), 1);
  end(&c);
}

TEST(it_keeps_its_bundle_and_context) { // shows backend 51
  struct given g = given();
  given_kernel(&g, "tests/kernels/basic.spv", "iota");
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_kernel kernel = made_kernel(bundle, g.kernel, context, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_iota(&g, g.list, g.kernel);
  CHECK_EQ(zeCommandListDestroy(g.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  spy_check_order(g.kernel, g.module);
  spy_check_order(g.module, g.context);
  CHECK_EQ(spy_alive_in_all(), 0);
  given_end(&g);
}

TEST(a_kernel_of_another_module_is_refused) { // shows backend 52
  struct kernel_case c = begin();
  ze_module_handle_t other = given_module(&c.g, "tests/kernels/spec.spv");
  ze_kernel_handle_t stranger = given_kernel_of(other, "specialised");
  syclze_kernel_input input = {.kernel_bundle = c.bundle, .native_handle = stranger};
  syclze_kernel kernel;
  REFUSED(kernel, syclze_make_kernel(&input, c.context, &kernel), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "no kernel of this name", stranger);
  CHECK_EQ(zeKernelSetGroupSize(stranger, 4, 1, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelDestroy(stranger), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(stranger), 1);
  CHECK_EQ(zeModuleDestroy(other), ZE_RESULT_SUCCESS);
  end(&c);
}

TEST(a_bundle_not_of_one_module_is_refused) { // shows backend 53
  struct kernel_case c = begin();
  syclze_kernel_input input = {.kernel_bundle = c.bundle, .native_handle = c.g.kernel};
  syclze_kernel kernel;
  c.bundle.rep->module_count = 2;
  REFUSED(kernel, syclze_make_kernel(&input, c.context, &kernel), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "one module", c.g.kernel);
  c.bundle.rep->module_count = 1;
  works_iota(&c.g, c.g.list, c.g.kernel);
  end(&c);
}

TEST(a_bundle_of_another_context_is_refused) { // shows backend 54
  struct kernel_case c = begin();
  syclze_device device = made_device(&c.g);
  syclze_context_input other = {
      .native_handle = given_context(&c.g), .device_list = &device, .device_count = 1};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&other, &context), ZE_RESULT_SUCCESS);
  syclze_kernel_input input = {.kernel_bundle = c.bundle, .native_handle = c.g.kernel};
  syclze_kernel kernel;
  REFUSED(kernel, syclze_make_kernel(&input, context, &kernel), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "of another context", c.g.kernel);
  works_iota(&c.g, c.g.list, c.g.kernel);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  end(&c);
}

TEST(null_is_refused) {
  struct kernel_case c = begin();
  syclze_context no_context = {0};
  syclze_kernel_input null = {.kernel_bundle = c.bundle};
  syclze_kernel_input no_bundle = {.native_handle = c.g.kernel};
  syclze_kernel_input input = {.kernel_bundle = c.bundle, .native_handle = c.g.kernel};
  syclze_kernel kernel;
  REFUSED(kernel, syclze_make_kernel(&null, c.context, &kernel),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "null", NULL);
  REFUSED(kernel, syclze_make_kernel(&no_bundle, c.context, &kernel),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "null", c.g.kernel);
  REFUSED(kernel, syclze_make_kernel(&input, no_context, &kernel),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "null", c.g.kernel);
  REFUSED(kernel, syclze_make_kernel(NULL, c.context, &kernel),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION, "null", NULL);
  FAILED(syclze_make_kernel(&input, c.context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      FUNCTION, "null", NULL);
  works_iota(&c.g, c.g.list, c.g.kernel);
  end(&c);
}

TEST(an_invalid_ownership_is_refused) {
  struct kernel_case c = begin();
  syclze_kernel_input input = {c.bundle, c.g.kernel, (syclze_ownership)2};
  syclze_kernel kernel;
  REFUSED(kernel, syclze_make_kernel(&input, c.context, &kernel),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, FUNCTION, "4.4", c.g.kernel);
  works_iota(&c.g, c.g.list, c.g.kernel);
  end(&c);
}

TEST_MAIN(a_transferred_kernel_is_destroyed_by_the_last_release, a_kept_kernel_is_not_destroyed,
    get_native_makes_no_driver_calls, every_kernel_of_the_module_is_accepted,
    it_keeps_its_bundle_and_context, a_kernel_of_another_module_is_refused,
    a_bundle_not_of_one_module_is_refused, a_bundle_of_another_context_is_refused, null_is_refused,
    an_invalid_ownership_is_refused)
