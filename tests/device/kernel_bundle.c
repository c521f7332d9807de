/* Kernel bundles (4.3, 4.4): fully linked modules. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#define FUNCTION "syclze_make_kernel_bundle"

static const char *const basic = "tests/kernels/basic.spv";

TEST(a_transferred_module_is_destroyed_by_the_last_release) { // shows backend 50
  struct given g = given();
  g.module = given_module(&g, basic);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle_input input = {.native_handle = g.module};
  syclze_kernel_bundle bundle;
  CHECK_EQ(syclze_make_native(&input, context, &bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_retain(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_module(syclze_kernel_bundle_get_native(bundle).modules[0], "iota");
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.module), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_kept_module_is_not_destroyed) { // shows backend 50
  struct given g = given();
  g.module = given_module(&g, basic);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_module(g.module, "axpy");
  given_end(&g);
}

TEST(get_native_makes_no_driver_calls) { // shows backend 78
  struct given g = given();
  g.module = given_module(&g, basic);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_KEEP);
  unsigned calls = spy_calls();
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(syclze_get_native(bundle).count, 1);
    CHECK_EQ(syclze_get_native(bundle).modules[0], g.module);
  }
  CHECK_EQ(syclze_kernel_bundle_get_context(bundle).rep, context.rep);
  CHECK_EQ(spy_calls(), calls);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(it_keeps_its_context) {
  struct given g = given();
  g.module = given_module(&g, basic);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  CHECK_EQ(zeCommandListDestroy(g.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  spy_check_order(g.module, g.context);
  CHECK_EQ(spy_alive_in_all(), 0);
  given_end(&g);
}

TEST(a_module_with_unresolved_imports_is_refused) { // shows backend 49, peers 8
  struct given g = given();
  g.module = given_module(&g, "tests/kernels/imports.spv");
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle_input input = {.native_handle = g.module};
  syclze_kernel_bundle bundle;
  REFUSED(bundle, syclze_make_kernel_bundle(&input, context, &bundle), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "unresolved imports", g.module);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
  CHECK_EQ(zeModuleGetProperties(g.module, &properties), ZE_RESULT_SUCCESS);
  given_end(&g);
  CHECK_EQ(spy_destroys_of(g.module), 1);
}

/* A module is refused before it is linked and accepted afterwards. */
TEST(a_module_is_accepted_once_its_imports_are_resolved) { // shows backend 49
  struct given g = given();
  ze_module_handle_t modules[2] = {
      given_module(&g, "tests/kernels/imports.spv"), given_module(&g, "tests/kernels/exports.spv")};
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle_input input = {.native_handle = modules[0]};
  syclze_kernel_bundle bundle;
  REFUSED(bundle, syclze_make_kernel_bundle(&input, context, &bundle), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "unresolved imports", modules[0]);
  CHECK_EQ(zeModuleDynamicLink(2, modules, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_kernel_bundle(&input, context, &bundle), ZE_RESULT_SUCCESS);
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, "imported", &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(modules[0]), 1);
  CHECK_EQ(spy_destroys_of(modules[1]), 0);
  CHECK_EQ(zeModuleDestroy(modules[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_module_with_exports_is_accepted) {
  struct given g = given();
  g.module = given_module(&g, "tests/kernels/exports.spv");
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.module), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(null_is_refused) { // shows backend 48
  struct given g = given();
  g.module = given_module(&g, basic);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP), no_context = {0};
  syclze_kernel_bundle_input null = {0}, input = {.native_handle = g.module};
  syclze_kernel_bundle bundle;
  REFUSED(bundle, syclze_make_kernel_bundle(&null, context, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "null", NULL);
  REFUSED(bundle, syclze_make_kernel_bundle(&input, no_context, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "the context is null", g.module);
  REFUSED(bundle, syclze_make_kernel_bundle(NULL, context, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION, "null", NULL);
  FAILED(syclze_make_kernel_bundle(&input, context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      FUNCTION, "null", NULL);
  works_module(g.module, "iota");
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(an_invalid_ownership_is_refused) {
  struct given g = given();
  g.module = given_module(&g, basic);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle_input input = {g.module, (syclze_ownership)2};
  syclze_kernel_bundle bundle;
  REFUSED(bundle, syclze_make_kernel_bundle(&input, context, &bundle),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, FUNCTION, "4.4", g.module);
  works_module(g.module, "iota");
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_destroyed_module_is_refused) {
  struct given g = given();
  given_needs_zecl(g.driver);
  ze_module_handle_t module = given_module(&g, basic);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle_input input = {.native_handle = module};
  syclze_kernel_bundle bundle;
  REFUSED(bundle, syclze_make_kernel_bundle(&input, context, &bundle),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, FUNCTION, "zeModuleGetProperties", module);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(a_transferred_module_is_destroyed_by_the_last_release, a_kept_module_is_not_destroyed,
    get_native_makes_no_driver_calls, it_keeps_its_context,
    a_module_with_unresolved_imports_is_refused, a_module_is_accepted_once_its_imports_are_resolved,
    a_module_with_exports_is_accepted, null_is_refused, an_invalid_ownership_is_refused,
    a_destroyed_module_is_refused)
