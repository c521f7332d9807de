/* Kernel bundles over wrapped modules: refused inputs, ownership of the module, retained
   parents. */
#include "support/world.h"
#include "tests/check.h"

static syclze_kernel_bundle_input input_of(ze_module_handle_t native) {
  syclze_kernel_bundle_input input = {0};
  input.native_handle = native;
  return input;
}

static ze_module_handle_t new_module(void) {
  return fake_module(world.native_context, "add scale");
}

static void check_refused(
    syclze_kernel_bundle_input input, syclze_context context, ze_result_t code) {
  syclze_kernel_bundle bundle = {(struct syclze__kernel_bundle *)&input};
  CHECK_REFUSED(syclze_make_kernel_bundle(&input, context, &bundle), code,
      "syclze_make_kernel_bundle", input.native_handle);
  CHECK_EQ(bundle.rep, NULL);
  if (input.native_handle != NULL) CHECK(fake_is_alive(input.native_handle));
}

TEST(transfer_destroys_once_after_the_last_reference) { // shows backend 50
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  syclze_kernel_bundle bundle;
  CHECK_EQ(input.ownership, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
  CHECK_OK(syclze_kernel_bundle_retain(bundle));
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  CHECK(fake_is_alive(input.native_handle));
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  world_end();
}

TEST(keep_never_destroys) { // shows backend 50
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (int i = 0; i < 3; i++) {
    syclze_kernel_bundle bundle;
    CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
    CHECK_OK(syclze_kernel_bundle_release(bundle));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(the_native_modules_are_always_the_same) {
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  syclze_kernel_bundle bundle;
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
  unsigned calls = fake_all_calls();
  syclze_native_modules first = syclze_kernel_bundle_get_native(bundle);
  for (int i = 0; i < 10; i++) {
    syclze_native_modules native = syclze_kernel_bundle_get_native(bundle);
    CHECK_EQ(native.count, 1);
    CHECK_EQ(native.modules, first.modules);
    CHECK_EQ(native.modules[0], input.native_handle);
  }
  CHECK_EQ(syclze_kernel_bundle_get_context(bundle).rep, world.context.rep);
  CHECK_EQ(fake_all_calls(), calls);
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  world_end();
}

TEST(a_bundle_keeps_its_context) {
  world_begin();
  syclze_context context;
  CHECK_OK(syclze_context_create(&world.device, 1, &context));
  ze_context_handle_t native_context = syclze_context_get_native(context);
  syclze_kernel_bundle_input input = input_of(fake_module(native_context, "add"));
  syclze_kernel_bundle bundle;
  CHECK_OK(syclze_make_kernel_bundle(&input, context, &bundle));
  CHECK_OK(syclze_context_release(context));
  CHECK(fake_is_alive(native_context));
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  CHECK_EQ(fake_destroyed_as(input.native_handle), 1);
  CHECK_EQ(fake_destroyed_as(native_context), 2);
  world_end();
}

TEST(null_arguments_are_refused) { // shows backend 48
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  syclze_context none = {0};
  syclze_kernel_bundle bundle = {(struct syclze__kernel_bundle *)&input}, null = {0};
  CHECK_REFUSED(syclze_make_kernel_bundle(NULL, world.context, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_kernel_bundle", NULL);
  CHECK_EQ(bundle.rep, NULL);
  CHECK_REFUSED(syclze_make_kernel_bundle(&input, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_kernel_bundle", NULL);
  check_refused(input, none, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(input_of(NULL), world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_OK(syclze_kernel_bundle_retain(null));
  CHECK_OK(syclze_kernel_bundle_release(null));
  fake_destroy(input.native_handle);
  world_end();
}

TEST(an_invalid_ownership_is_refused) { // shows backend 73
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  syclze_kernel_bundle bundle;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
  CHECK_OK(syclze_kernel_bundle_release(bundle)); /* the next one needs no memory */
  input.ownership = (syclze_ownership)2;
  check_refused(input, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(a_module_with_unlinked_imports_is_refused) { // shows backend 49
  static const char *const names[] = {"", "add", "add scale"};
  for (int i = 0; i < 3; i++) {
    world_begin();
    syclze_kernel_bundle_input input = input_of(fake_module(world.native_context, names[i]));
    fake_module_import(input.native_handle, 0);
    check_refused(input, world.context, SYCLZE_RESULT_ERROR_INVALID);
    CHECK(strstr(notes.first.rule, "4.3") != NULL);
    fake_destroy(input.native_handle);
    world_end();
  }
}

TEST(a_module_with_resolved_imports_is_accepted) { // shows backend 49
  static const char *const names[] = {"", "add", "add scale"};
  for (int i = 0; i < 3; i++) {
    world_begin();
    syclze_kernel_bundle_input input = input_of(fake_module(world.native_context, names[i]));
    fake_module_import(input.native_handle, 1);
    syclze_kernel_bundle bundle;
    CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
    /* The probe kernel was destroyed. */
    CHECK_EQ(fake_calls(FAKE_zeKernelDestroy), i != 0);
    CHECK_OK(syclze_kernel_bundle_release(bundle));
    world_end();
  }
}

TEST(a_module_without_imports_costs_one_call) {
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  syclze_kernel_bundle bundle;
  unsigned calls = fake_all_calls();
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
  CHECK_EQ(fake_all_calls() - calls, 1);
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  CHECK_EQ(fake_all_calls() - calls, 2);
  world_end();
}

TEST(driver_errors_are_passed_through) {
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  fake_fail(FAKE_zeModuleGetProperties, 1, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(input, world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  fake_destroy(input.native_handle);
  world_end();
}

TEST(the_caller_keeps_the_handle_when_allocation_fails) {
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  syclze_kernel_bundle bundle;
  world_use_up(SYCLZE__POOL_KERNEL_BUNDLE);
  check_refused(input, world.context, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  world_end();
}

TEST(a_failed_destroy_is_reported_and_the_memory_freed) {
  world_begin();
  syclze_kernel_bundle_input input = input_of(new_module());
  syclze_kernel_bundle bundle;
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
  fake_fail(FAKE_zeModuleDestroy, 1, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  CHECK_FAILED(syclze_kernel_bundle_release(bundle), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
      "syclze_kernel_bundle_release", input.native_handle);
  fake_destroy(input.native_handle);
  world_end();
}

TEST_MAIN_COLD_AND_WARM(transfer_destroys_once_after_the_last_reference, keep_never_destroys,
    the_native_modules_are_always_the_same, a_bundle_keeps_its_context, null_arguments_are_refused,
    an_invalid_ownership_is_refused, a_module_with_unlinked_imports_is_refused,
    a_module_with_resolved_imports_is_accepted, a_module_without_imports_costs_one_call,
    driver_errors_are_passed_through, the_caller_keeps_the_handle_when_allocation_fails,
    a_failed_destroy_is_reported_and_the_memory_freed)
